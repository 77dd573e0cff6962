//! Which edges the runs have taken, and how often.

use base::{Id, Span};
use exec::Watch;
use program::ir::{EdgeId, LocationId, Op, ProcId, Program};

/// Counts of one run, and what all runs together have seen.
///
/// # Invariants
/// - `counts` is zero wherever `touched` does not list the edge.
pub struct Coverage {
    /// Where each procedure's edges start in the tables below.
    first: Vec<usize>,
    /// How often each edge was taken in this run.
    counts: Vec<u32>,
    /// The edges taken in this run.
    touched: Vec<u32>,
    /// For each edge, the magnitudes of the counts seen so far, one bit each.
    seen: Vec<u32>,
}

impl Watch for Coverage {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        let index = self.first[proc.index()] + edge.index();
        let count = &mut self.counts[index];
        if *count == 0 {
            self.touched.push(index as u32);
        }
        *count = count.saturating_add(1);
    }
}

impl Coverage {
    /// Nothing seen yet.
    pub fn new(program: &Program) -> Self {
        let mut first = Vec::with_capacity(program.procs.len());
        let mut total = 0;
        for procedure in program.procs.iter() {
            first.push(total);
            total += procedure.edges.len();
        }
        Coverage {
            first,
            counts: vec![0; total],
            touched: Vec::new(),
            seen: vec![0; total],
        }
    }

    /// Ends a run. Whether it took an edge that no run took before, or took one more often by an
    /// order of magnitude (to the base 2).
    pub fn end_run(&mut self) -> bool {
        let mut new = false;
        for &index in &self.touched {
            let index = index as usize;
            let magnitude = 1 << self.counts[index].ilog2();
            new |= self.seen[index] & magnitude == 0;
            self.seen[index] |= magnitude;
            self.counts[index] = 0;
        }
        self.touched.clear();
        new
    }

    fn taken(&self, proc: ProcId, edge: EdgeId) -> bool {
        self.seen[self.first[proc.index()] + edge.index()] != 0
    }

    /// What was reached, of the locations that the graph can reach at all.
    pub fn summary(&self, program: &Program, reachable: &[(ProcId, LocationId)]) -> Summary {
        let mut summary = Summary {
            locations: (0, reachable.len()),
            branches: (0, 0),
            missed: Vec::new(),
        };
        let entered = self.entered(program);
        for &(proc, location) in reachable {
            let procedure = &program.procs[proc];
            let reached = entered[proc.index()][location.index()];
            summary.locations.0 += usize::from(reached);
            let out = &procedure.locations[location].out;
            let is_branch = out.len() > 1;
            for &edge in out.iter().filter(|_| is_branch) {
                summary.branches.1 += 1;
                if self.taken(proc, edge) {
                    summary.branches.0 += 1;
                } else if reached && matches!(procedure.edges[edge].op, Op::Assume(_)) {
                    summary.missed.push(procedure.edges[edge].span);
                }
            }
        }
        summary.missed.sort();
        summary.missed.dedup();
        summary
    }

    /// The locations that some run stood at.
    fn entered(&self, program: &Program) -> Vec<Vec<bool>> {
        let mut entered: Vec<Vec<bool>> = Vec::new();
        for (proc, procedure) in program.procs.iter_enumerated() {
            let mut row = vec![false; procedure.locations.len()];
            for (id, edge) in procedure.edges.iter_enumerated() {
                if self.taken(proc, id) {
                    row[edge.source.index()] = true;
                    // A call that never returned did not get to its target; the edge that
                    // follows it says so better.
                    if !matches!(edge.op, Op::Call(_)) {
                        row[edge.target.index()] = true;
                    }
                }
            }
            entered.push(row);
        }
        entered
    }
}

/// What was reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Locations reached, of how many.
    pub locations: (usize, usize),
    /// Branches taken, of how many.
    pub branches: (usize, usize),
    /// Branches that were not taken though a run stood before them.
    pub missed: Vec<Span>,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent =
            |(part, whole): (usize, usize)| (100 * part).checked_div(whole).unwrap_or(100);
        write!(
            f,
            "{} of {} locations ({}%), {} of {} branches ({}%)",
            self.locations.0,
            self.locations.1,
            percent(self.locations),
            self.branches.0,
            self.branches.1,
            percent(self.branches)
        )
    }
}
