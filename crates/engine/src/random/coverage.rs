//! Which branches the runs have taken, and how often.
//!
//! Every run counts its branches, which costs next to nothing. The few runs that show something new
//! are repeated with every edge watched, to record the locations too.

use base::{IdVec, Span};
use exec::{Coverage as Branches, Machine, Watch};
use program::ir::{EdgeId, LocationId, Op, ProcId, Program};

/// What all runs together have seen.
pub struct Coverage {
    /// The counts of the current run.
    pub branches: Branches,
    /// For each branch, the magnitudes of the counts seen so far, one bit each.
    seen: Vec<u32>,
    /// The edges that some watched run took.
    pub edges: Edges,
    empty: bool,
}

/// The edges that were taken.
pub struct Edges {
    taken: IdVec<ProcId, IdVec<EdgeId, bool>>,
}

impl Watch for Edges {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        self.taken[proc][edge] = true;
    }
}

impl Coverage {
    /// Nothing seen yet.
    pub fn new(machine: &Machine<'_>) -> Self {
        let branches = Branches::new(machine);
        let procs = machine.program().procs.iter();
        let taken = procs.map(|proc| IdVec::filled(false, proc.edges.len()));
        Coverage {
            seen: vec![0; branches.counts().count()],
            branches,
            edges: Edges {
                taken: taken.collect(),
            },
            empty: true,
        }
    }

    /// Ends a run. Whether it took a branch that no run took before, or took one more often by an
    /// order of magnitude (to the base 2).
    pub fn end_run(&mut self) -> bool {
        let mut new = std::mem::take(&mut self.empty);
        for ((.., count), seen) in self.branches.counts().zip(&mut self.seen) {
            if let Some(magnitude) = count.checked_ilog2() {
                new |= *seen & 1 << magnitude == 0;
                *seen |= 1 << magnitude;
            }
        }
        self.branches.clear();
        new
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
            let reached = entered[proc][location];
            summary.locations.0 += usize::from(reached);
            let out = &procedure.locations[location].out;
            if out.len() < 2 {
                continue;
            }
            for &edge in out {
                summary.branches.1 += 1;
                if self.edges.taken[proc][edge] {
                    summary.branches.0 += 1;
                } else if reached {
                    summary.missed.push(procedure.edges[edge].span);
                }
            }
        }
        summary.missed.sort();
        summary.missed.dedup();
        summary
    }

    /// The locations that some watched run stood at.
    fn entered(&self, program: &Program) -> IdVec<ProcId, IdVec<LocationId, bool>> {
        let mut entered = IdVec::new();
        for (proc, procedure) in program.procs.iter_enumerated() {
            let mut row = IdVec::filled(false, procedure.locations.len());
            let edges = procedure.edges.iter_enumerated();
            for (_, edge) in edges.filter(|(id, _)| self.edges.taken[proc][*id]) {
                row[edge.source] = true;
                // A call that never returned did not reach its target; the edge that follows
                // it says so better.
                if !matches!(edge.op, Op::Call(_)) {
                    row[edge.target] = true;
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
