//! The targets that a run reaches, and those that a compiled program reaches, too.

use super::stack::{Stack, TOO_DEEP};
use base::IdVec;
use exec::{Contents, End, Inputs, Run, Watch};
use program::expr::{Constant, Type};
use program::ir::{EdgeId, LocationId, ProcId, Program, SiteId};
use program::pass::goals::GoalPlace;
use std::cell::Cell;
use std::collections::BTreeMap;

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
    /// How many it had taken when it reached the last edge that it had not been at before.
    pub(super) needed: usize,
    /// Whether each edge was executed.
    edges: Edges,
    /// Where it ended without an edge.
    end: Option<(ProcId, LocationId)>,
    stack: Stack,
    /// The edges that no compiled program gets past.
    impassable: &'a BTreeMap<(ProcId, EdgeId), String>,
    /// Why no compiled program continues from some point, and the edges that were executed before.
    obstacle: Option<(String, Edges)>,
}

type Edges = IdVec<ProcId, IdVec<EdgeId, bool>>;

impl<'a> Visits<'a> {
    pub(super) fn new(
        program: &'a Program,
        impassable: &'a BTreeMap<(ProcId, EdgeId), String>,
        taken: &'a Cell<usize>,
    ) -> Self {
        let procs = program.procs.iter();
        let edges = procs.map(|procedure| IdVec::filled(false, procedure.edges.len()));
        Visits {
            program,
            taken,
            needed: 0,
            edges: edges.collect(),
            end: None,
            stack: Stack::new(program),
            impassable,
            obstacle: None,
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

    /// Whether the run reached a place.
    pub(super) fn has(&self, place: GoalPlace) -> bool {
        self.is_among(&self.edges, self.end, place)
    }

    /// Whether it reached a place before anything that no compiled program gets past.
    pub(super) fn has_before(&self, place: GoalPlace) -> bool {
        match &self.obstacle {
            Some((_, edges)) => self.is_among(edges, None, place),
            None => self.has(place),
        }
    }

    /// What no compiled program gets past, if the run met such a thing.
    pub(super) fn obstacle(&self) -> Option<&str> {
        self.obstacle.as_ref().map(|(why, _)| &**why)
    }

    fn is_among(&self, edges: &Edges, end: Option<(ProcId, LocationId)>, place: GoalPlace) -> bool {
        match place {
            GoalPlace::Edge(proc, edge) => edges[proc][edge],
            GoalPlace::Location(proc, at) => {
                let mut out = self.program.procs[proc].locations[at].out.iter();
                end == Some((proc, at)) || out.any(|&edge| edges[proc][edge])
            }
        }
    }

    /// From here on no compiled program follows.
    fn stop(&mut self, why: impl FnOnce() -> String) {
        if self.obstacle.is_none() {
            self.obstacle = Some((why(), self.edges.clone()));
        }
    }
}

impl Watch for Visits<'_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        if !self.edges[proc][edge] {
            if let Some(why) = self.impassable.get(&(proc, edge)) {
                self.stop(|| why.clone());
            }
            self.edges[proc][edge] = true;
            self.needed = self.taken.get();
        }
        self.stack
            .step(proc, &self.program.procs[proc].edges[edge].op);
        if self.stack.is_too_deep() {
            self.stop(|| TOO_DEEP.to_owned());
        }
    }
}
