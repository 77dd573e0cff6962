//! Paths of a program: each loop taken some times, then on towards an error location.
//!
//! A path is found by a search with backtracking that knows the loop nest: a step may only lead
//! back to the head of a loop that has iterations left, and may only leave a loop that has none.
//! Which of the other steps comes first is drawn by lot, so another seed gives another path.

use base::{IdVec, Rng};
use encode::blocks::{BlockEffect, BlockGraph};
use encode::transition::{State, TransitionFormula};
use logic::TermStore;
use program::ir::{LocationId, ProcId, Program};
use program::pass::liveness::Liveness;
use program::pass::loops::{LoopId, LoopNest};
use std::collections::BTreeMap;

/// What one step of a path is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Grain {
    /// An edge.
    Edges,
    /// A large block.
    Blocks,
}

impl Grain {
    pub(crate) const ALL: [Grain; 2] = [Grain::Edges, Grain::Blocks];

    /// In a word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Grain::Edges => "edges",
            Grain::Blocks => "blocks",
        }
    }
}

/// Longer paths are given up.
const LONGEST: usize = 400;
/// Steps tried before a path is given up.
const TRIES: usize = 20_000;
/// Loops inside others are not taken more often than this.
const INNER_ITERATIONS: usize = 3;

/// The entry procedure as a graph of steps with formulas.
pub(crate) struct Graph {
    steps: Vec<GraphStep>,
    outgoing: IdVec<LocationId, Vec<usize>>,
    nest: LoopNest,
    entry: LocationId,
    /// The error locations.
    pub(crate) errors: Vec<LocationId>,
}

struct GraphStep {
    source: LocationId,
    target: LocationId,
    formula: TransitionFormula,
}

impl Graph {
    /// The graph of a program's entry procedure; steps without a formula are not in it.
    pub(crate) fn new(
        program: &Program,
        store: &mut TermStore,
        state: &State,
        liveness: &Liveness,
        grain: Grain,
    ) -> Graph {
        let proc: ProcId = program.entry;
        let procedure = &program.procs[proc];
        let mut steps = Vec::new();
        match grain {
            Grain::Edges => {
                for edge in procedure.edges.iter() {
                    let formula = TransitionFormula::of_op(program, store, state, &edge.op);
                    if let Some(formula) = formula {
                        steps.push(GraphStep {
                            source: edge.source,
                            target: edge.target,
                            formula,
                        });
                    }
                }
            }
            Grain::Blocks => {
                let graph = BlockGraph::new(program, proc, store, state, liveness, None);
                for block in graph.blocks.iter() {
                    match &block.step {
                        BlockEffect::Formula(formula) => steps.push(GraphStep {
                            source: block.source,
                            target: block.target,
                            formula: formula.clone(),
                        }),
                        BlockEffect::Opaque(_)
                        | BlockEffect::OutsideEncoding(_)
                        | BlockEffect::CalleeFails(_) => {}
                    }
                }
            }
        }
        let mut outgoing = IdVec::filled(Vec::new(), procedure.locations.len());
        for (index, step) in steps.iter().enumerate() {
            outgoing[step.source].push(index);
        }
        let locations = procedure.locations.iter_enumerated();
        Graph {
            steps,
            outgoing,
            nest: LoopNest::new(procedure),
            entry: procedure.entry,
            errors: locations
                .filter(|(_, row)| row.error.is_some())
                .map(|(at, _)| at)
                .collect(),
        }
    }

    /// A path from the entry to an error location that takes every loop `iterations` times. Steps
    /// that say nothing are left out.
    pub(crate) fn path(
        &self,
        store: &TermStore,
        error: LocationId,
        iterations: usize,
        rng: &mut Rng,
    ) -> Option<Vec<&TransitionFormula>> {
        let mut search = Search {
            graph: self,
            reaches: self.reaching(error),
            error,
            iterations,
            rng,
            tries: TRIES,
            path: Vec::new(),
        };
        if !search.reaches[self.entry] || !search.go(self.entry, &BTreeMap::new()) {
            return None;
        }
        let path = search.path;
        let steps = path.iter().map(|&step| &self.steps[step].formula);
        let says = |formula: &&TransitionFormula| {
            !formula.map.is_empty() || store.as_bool(formula.guard) != Some(true)
        };
        Some(steps.filter(says).collect())
    }

    /// From where the graph leads to a location.
    fn reaching(&self, to: LocationId) -> IdVec<LocationId, bool> {
        let mut reaches = IdVec::filled(false, self.outgoing.len());
        reaches[to] = true;
        let mut changed = true;
        while changed {
            changed = false;
            for step in self.steps.iter().rev() {
                if reaches[step.target] && !reaches[step.source] {
                    reaches[step.source] = true;
                    changed = true;
                }
            }
        }
        reaches
    }

    /// The loops around a location, the smallest first.
    fn loops_around(&self, at: LocationId) -> impl Iterator<Item = LoopId> {
        let innermost = self.nest.innermost[at];
        std::iter::successors(innermost, |&id| self.nest.loops[id].parent)
    }
}

/// How often each loop around was taken.
type Iterations = BTreeMap<LoopId, usize>;

struct Search<'g> {
    graph: &'g Graph,
    reaches: IdVec<LocationId, bool>,
    error: LocationId,
    iterations: usize,
    rng: &'g mut Rng,
    tries: usize,
    path: Vec<usize>,
}

impl Search<'_> {
    fn go(&mut self, at: LocationId, iterations: &Iterations) -> bool {
        if at == self.error {
            return true;
        }
        if self.path.len() >= LONGEST || self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        let mut next: Vec<(bool, u64, usize, Iterations)> = Vec::new();
        for &step in &self.graph.outgoing[at] {
            let target = self.graph.steps[step].target;
            if let Some(after) = self.after(at, target, iterations) {
                // Who may leave a loop has had enough of it.
                let stays =
                    self.graph.loops_around(at).count() <= self.graph.loops_around(target).count();
                next.push((stays, self.rng.bits(), step, after));
            }
        }
        next.sort_by_key(|&(stays, lot, ..)| (stays, lot));
        for (_, _, step, after) in next {
            self.path.push(step);
            if self.go(self.graph.steps[step].target, &after) {
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// The iterations after a step, if the step may be taken.
    fn after(
        &self,
        at: LocationId,
        target: LocationId,
        iterations: &Iterations,
    ) -> Option<Iterations> {
        if !self.reaches[target] {
            return None;
        }
        let nest = &self.graph.nest;
        let mut after = iterations.clone();
        for id in self.graph.loops_around(at) {
            if !nest.contains(id, target) {
                let taken = after.remove(&id).unwrap_or(0);
                if taken < self.limit(id) {
                    return None;
                }
            }
        }
        if let Some(id) = nest.head_of(target) {
            if nest.contains(id, at) {
                let taken = after.entry(id).or_insert(0);
                *taken += 1;
                return (*taken <= self.limit(id)).then_some(after);
            }
            after.insert(id, 0);
        }
        Some(after)
    }

    fn limit(&self, id: LoopId) -> usize {
        if self.graph.nest.loops[id].depth > 1 {
            self.iterations.min(INNER_ITERATIONS)
        } else {
            self.iterations
        }
    }
}
