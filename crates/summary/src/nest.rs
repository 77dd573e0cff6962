//! A procedure as blocks between its loop heads, with one summary for each loop.
//!
//! One turn of a loop is found by a walk over its blocks from the head back to the head; the
//! loops inside are already summarised and are one step each. A loop that is entered elsewhere
//! than at its head (`encode::reduce::split` leaves few) gets the weakest summary: what it writes
//! may become anything that the invariants allow.
//!
//! # Invariants
//! - Cut points are the entry, the exit, heads, and what has no successors; blocks that have no
//!   formula may fail, as far as anybody here knows.
//! - Invariants hold before and after every turn.

use crate::closure::{Body, Level, close};
use crate::kit::Kit;
use absdom::Invariants;
use base::{Id, IdVec};
use encode::blocks::{Block, BlockGraph, BlockId, Over, Step};
use encode::transition::TransitionFormula;
use logic::{SymbolId, TermId};
use program::ir::{EdgeId, LocationId, ProcId, VarId};
use program::pass::VarSet;
use program::pass::liveness::Liveness;
use program::pass::loops::{LoopId, LoopNest};
use std::collections::{BTreeMap, BTreeSet};

/// The summary of a loop: from its head to its head in any number of turns.
#[derive(Clone, Debug)]
pub struct Star {
    /// The relation; what is not a variable is quantified.
    pub step: TransitionFormula,
    /// Whether it says exactly which states can be reached, if the turn is exact.
    pub exact: bool,
    /// How strong an effort it is the result of.
    pub level: Level,
    /// The quantified symbol that is the number of turns, if there is one.
    pub count: Option<SymbolId>,
}

/// Where arithmetic is described more closely than at first. Less is much easier, where it is
/// enough.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Detail {
    /// The edges on which wrapping is described; where something else wraps counts as an error.
    pub wraps: BTreeSet<EdgeId>,
    /// Wrapping is described everywhere.
    pub all_wraps: bool,
    /// The edges on which undefined behaviour is excluded, as a run ends there; elsewhere signed
    /// results are unbounded, and what is undefined in other ways has any result.
    pub defined: BTreeSet<EdgeId>,
}

impl Detail {
    /// With wrapping described everywhere.
    pub fn wrapping() -> Detail {
        Detail {
            all_wraps: true,
            ..Detail::default()
        }
    }

    /// Adds what another has; whether that is anything new.
    pub fn extend(&mut self, other: &Detail) -> bool {
        let before = self.clone();
        self.wraps.extend(&other.wraps);
        self.all_wraps |= other.all_wraps;
        self.defined.extend(&other.defined);
        *self != before
    }
}

/// A procedure, its loops and their summaries.
pub struct Nest {
    /// Which procedure.
    pub proc: ProcId,
    /// Its blocks.
    pub graph: BlockGraph,
    /// Its loops.
    pub loops: LoopNest,
    /// The variables that matter at each location.
    pub liveness: Liveness,
    /// What holds at each location.
    pub invariants: Invariants,
    /// The cut points, each before those that it leads to but for turns of loops.
    pub order: Vec<LocationId>,
    /// The error locations.
    pub errors: BTreeSet<LocationId>,
    stars: IdVec<LoopId, Option<Star>>,
}

impl Nest {
    /// The blocks and loops of a procedure, described as far as a [`Detail`] says.
    pub fn new(kit: &mut Kit, proc: ProcId, invariants: Invariants, detail: &Detail) -> Self {
        let program = kit.program;
        let liveness = Liveness::new(program);
        let loops = LoopNest::new(&program.procs[proc]);
        let known = |at: LocationId, var: VarId| invariants.bounds(at, var);
        let over = Some(Over {
            known: &known,
            wraps: &|edge| detail.all_wraps || detail.wraps.contains(&edge),
            defined: &|edge| detail.defined.contains(&edge),
        });
        let (store, state) = (&mut kit.store, &kit.state);
        let mut graph = BlockGraph::new(program, proc, store, state, &liveness, over);
        for block in graph.blocks.iter_mut() {
            if let Step::Formula(step) | Step::Escape(step) = &mut block.step {
                step.guard = kit.store.simplify(step.guard);
            }
        }
        let order = order(&graph, &loops, program.procs[proc].entry);
        let count = loops.loops.len();
        let locations = program.procs[proc].locations.iter_enumerated();
        let errors = locations.filter(|(_, row)| row.error.is_some());
        Nest {
            proc,
            graph,
            loops,
            liveness,
            invariants,
            order,
            errors: errors.map(|(at, _)| at).collect(),
            stars: IdVec::filled(None, count),
        }
    }

    /// The variables that matter at a location.
    pub fn live(&self, at: LocationId) -> &VarSet {
        self.liveness.live_at(self.proc, at)
    }

    /// The blocks that start at a location.
    pub fn blocks_from(&self, at: LocationId) -> impl Iterator<Item = &Block> {
        self.graph.outgoing[at]
            .iter()
            .map(|&id| &self.graph.blocks[id])
    }

    /// Whether a block leads to a location.
    pub fn has_predecessor(&self, at: LocationId) -> bool {
        let mut blocks = self.graph.blocks.iter();
        blocks.any(|block| block.target == at && !matches!(block.step, Step::Escape(_)))
    }

    /// Whether a block leads from inside of a loop back to its head.
    pub fn is_turn(&self, block: &Block) -> bool {
        let head = self.loops.head_of(block.target);
        head.is_some_and(|id| self.loops.contains(id, block.source))
    }

    /// What holds at a location: the invariants, and the ranges of the types.
    pub fn invariant(&self, kit: &mut Kit, at: LocationId) -> TermId {
        let known = self.invariants.formula(at, &mut kit.store, &kit.state);
        let symbols = kit.store.symbols_of(&[known]);
        let live = self.live(at).iter();
        let spoken = symbols
            .into_iter()
            .filter_map(|symbol| kit.state.var(symbol));
        let vars: BTreeSet<VarId> = live.chain(spoken).collect();
        let program = kit.program;
        let range = kit
            .state
            .in_range(program, &mut kit.store, vars.into_iter());
        kit.store.and(&[known, range])
    }

    /// The summary of a loop, at least of some strength.
    pub fn star(&mut self, kit: &mut Kit, id: LoopId, level: Level) -> Star {
        if let Some(star) = &self.stars[id]
            && (star.exact || star.level >= level)
        {
            return star.clone();
        }
        let body = self.body(kit, id, level);
        let closure = close(kit, &body, level);
        let exact = closure.exact && body.turn.exact;
        let star = Star {
            step: TransitionFormula {
                exact,
                ..closure.step
            },
            exact,
            level,
            count: closure.count,
        };
        self.stars[id] = Some(star.clone());
        star
    }

    /// The summary of a loop, if there is one yet.
    pub fn known_star(&self, id: LoopId) -> Option<&Star> {
        self.stars[id].as_ref()
    }

    /// One turn of a loop, with the invariants on both ends.
    pub fn body(&mut self, kit: &mut Kit, id: LoopId, level: Level) -> Body {
        let head = self.loops.loops[id].head;
        let invariant = self.invariant(kit, head);
        let mut turn = match self.turn(kit, id, level) {
            Some(turn) => turn,
            None => self.anything(kit, id),
        };
        let guard = kit.store.simplify(turn.guard);
        let after = kit.after(&turn, invariant);
        turn.guard = kit.store.and(&[turn.guard, invariant, after]);
        turn.guard = kit.store.simplify(turn.guard);
        // What is dead or only passed on is no matter of the loop.
        let live = self.live(head).clone();
        turn.map.retain(|&var, term| {
            let symbol = kit.state.symbol(var);
            live.contains(var) && *term != kit.store.of_symbol(symbol)
        });
        Body {
            hints: self.hints(kit, id),
            guard,
            invariant,
            turn,
        }
    }

    /// Whether a loop, or one inside it, is entered elsewhere than at its head.
    pub fn is_irregular(&self, id: LoopId) -> bool {
        let rows = self.loops.loops.iter();
        rows.filter(|row| row.irreducible)
            .any(|row| self.loops.contains(id, row.head))
    }

    /// The walk over the blocks of a loop. `None` for one whose paths such a walk does not see.
    fn turn(&mut self, kit: &mut Kit, id: LoopId, level: Level) -> Option<TransitionFormula> {
        if self.is_irregular(id) {
            return None;
        }
        let head = self.loops.loops[id].head;
        let mut reached: BTreeMap<LocationId, TransitionFormula> = BTreeMap::new();
        reached.insert(head, TransitionFormula::identity(&mut kit.store));
        let mut turn = None;
        let inside = |at: &LocationId| self.loops.contains(id, *at);
        let members: Vec<LocationId> = self.order.iter().copied().filter(inside).collect();
        for at in members {
            let Some(mut formula) = reached.remove(&at) else {
                continue;
            };
            if let Some(inner) = self.loops.head_of(at)
                && inner != id
            {
                let star = self.star(kit, inner, level);
                formula = kit.sequence(&formula, &star.step);
            }
            let blocks: Vec<BlockId> = self.graph.outgoing[at].clone();
            for block in blocks {
                let block = &self.graph.blocks[block];
                let Step::Formula(step) = &block.step else {
                    continue;
                };
                let target = block.target;
                if !self.loops.contains(id, target) || (self.is_turn(block) && target != head) {
                    continue;
                }
                let arrived = kit.sequence(&formula, step);
                let old = match target == head {
                    true => turn.take(),
                    false => reached.remove(&target),
                };
                let merged = match old {
                    None => arrived,
                    Some(old) => {
                        let live = self.liveness.live_at(self.proc, target);
                        old.or(kit.program, &mut kit.store, &kit.state, &arrived, live)
                    }
                };
                match target == head {
                    true => turn = Some(merged),
                    false => drop(reached.insert(target, merged)),
                }
            }
        }
        let impossible = || TransitionFormula {
            guard: kit.store.bool(false),
            ..TransitionFormula::identity(&mut kit.store)
        };
        Some(turn.unwrap_or_else(impossible))
    }

    /// A turn that may do anything to the variables that the loop writes.
    fn anything(&self, kit: &mut Kit, id: LoopId) -> TransitionFormula {
        let mut turn = TransitionFormula::identity(&mut kit.store);
        turn.exact = false;
        for block in self.graph.blocks.iter() {
            if !self.loops.contains(id, block.source) {
                continue;
            }
            let Step::Formula(step) = &block.step else {
                continue;
            };
            for &var in step.map.keys() {
                let row = &kit.program.vars[var];
                let sort = encode::transition::sort(row.ty);
                let value = kit.store.fresh(&row.name, sort);
                turn.map.insert(var, value);
            }
        }
        turn
    }

    /// Conditions on the state at the head that decide which way is taken from there: what to
    /// look at when the loop is summarised.
    fn hints(&self, kit: &mut Kit, id: LoopId) -> Vec<TermId> {
        let head = self.loops.loops[id].head;
        let mut hints = Vec::new();
        for block in self.blocks_from(head) {
            if let Step::Formula(step) | Step::Escape(step) = &block.step {
                hints.extend(kit.store.atoms(step.guard));
            }
        }
        hints.retain(|&atom| kit.is_of_state(atom));
        hints.sort_unstable();
        hints.dedup();
        hints
    }
}

/// The cut points in topological order, turns of loops left out.
fn order(graph: &BlockGraph, loops: &LoopNest, entry: LocationId) -> Vec<LocationId> {
    let mut seen = IdVec::filled(false, graph.is_cut.len());
    let mut order = Vec::new();
    let mut visits: Vec<(LocationId, usize)> = vec![(entry, 0)];
    seen[entry] = true;
    while let Some((at, next)) = visits.last_mut() {
        let at = *at;
        let Some(&block) = graph.outgoing[at].get(*next) else {
            order.push(at);
            visits.pop();
            continue;
        };
        *next += 1;
        let target = graph.blocks[block].target;
        let head = loops.head_of(target);
        let is_turn = head.is_some_and(|id| loops.contains(id, at));
        // The head of a loop that is entered elsewhere is only seen from inside.
        let skips = is_turn && seen[target];
        if !skips && !std::mem::replace(&mut seen[target], true) {
            visits.push((target, 0));
        }
    }
    order.reverse();
    debug_assert!(
        order
            .first()
            .is_none_or(|&first| first.index() == entry.index())
    );
    order
}
