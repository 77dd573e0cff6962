//! The places that a run gets to.

use base::IdVec;
use exec::{Contents, End, Inputs, Run, Watch};
use program::expr::{Constant, Type};
use program::ir::{EdgeId, LocationId, ProcId, Program, SiteId};
use program::pass::goals::GoalPlace;
use std::cell::Cell;

/// Inputs that are counted as a run takes them.
pub(super) struct Counted<'a> {
    pub(super) source: &'a mut dyn Inputs,
    pub(super) taken: &'a Cell<usize>,
}

impl Inputs for Counted<'_> {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        self.taken.set(self.taken.get() + 1);
        self.source.next(site, ty)
    }

    fn contents(&mut self) -> Option<&mut dyn Contents> {
        Some(self)
    }
}

impl Contents for Counted<'_> {
    fn bytes(&mut self, site: SiteId, size: u64) -> Vec<u8> {
        // Zeros at the end are not among the inputs; to count them cuts off too little.
        self.taken.set(self.taken.get() + size as usize);
        let contents = self.source.contents();
        contents.map_or_else(Vec::new, |contents| contents.bytes(site, size))
    }
}

/// The places that a run gets to.
pub(super) struct Visits<'a> {
    program: &'a Program,
    /// How many inputs the run has taken.
    taken: &'a Cell<usize>,
    /// How many it had taken when it got to the last edge that it had not been at before.
    pub(super) needed: usize,
    /// Whether each edge was executed.
    edges: IdVec<ProcId, IdVec<EdgeId, bool>>,
    /// Where it ended without an edge.
    end: Option<(ProcId, LocationId)>,
}

impl<'a> Visits<'a> {
    pub(super) fn new(program: &'a Program, taken: &'a Cell<usize>) -> Self {
        let procs = program.procs.iter();
        let edges = procs.map(|procedure| IdVec::filled(false, procedure.edges.len()));
        Visits {
            program,
            taken,
            needed: 0,
            edges: edges.collect(),
            end: None,
        }
    }

    /// Notes where the run ended.
    pub(super) fn end(&mut self, run: &Run) {
        self.end = match (&run.end, run.at) {
            (&End::Violated(proc, at), _) => Some((proc, at)),
            // It ended before a condition there had a value.
            (End::Undefined(_), Some((proc, edge))) => {
                Some((proc, self.program.procs[proc].edges[edge].source))
            }
            _ => None,
        };
    }

    /// Whether the run got to a place.
    pub(super) fn has(&self, place: GoalPlace) -> bool {
        match place {
            GoalPlace::Edge(proc, edge) => self.edges[proc][edge],
            GoalPlace::Location(proc, at) => {
                let mut out = self.program.procs[proc].locations[at].out.iter();
                self.end == Some((proc, at)) || out.any(|&edge| self.edges[proc][edge])
            }
        }
    }
}

impl Watch for Visits<'_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        let is_seen = &mut self.edges[proc][edge];
        if !*is_seen {
            *is_seen = true;
            self.needed = self.taken.get();
        }
    }
}
