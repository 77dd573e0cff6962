//! An unwinding with a solver: checks, labels, covers and expands paths.
//!
//! # Paper
//! [mcmillan2006lazy]: EXPAND is `expand`, REFINE `check` and `refine`, COVER and FORCE-COVER are
//! `try_cover` and `close`. [fang2025software], figure 6, for dead ends: the formula after a path
//! need not be `true`, it may be a summary of all continuations.
//!
//! # Invariants
//! - For a tree edge `v -> w` with formula `T`: label(v) and `T` imply label(w) after it.
//! - The label of a covered vertex implies that of its coverer.
//! - Counters: vertices, refinements, covers, and forced covers tried and held.
//! - A leaf that is open and active is in the frontier, or the engine has taken it from there.

mod abstracted;
mod cover;

use crate::journal::{Child, Entry, Journal, Kind, Tested};
use crate::opaque::opaque;
use crate::path_solver::{PathSolver, limited};
use crate::unwinding::{Fate, Unwinding, VertexId};
use base::{Counters, Span};
use certify::Reason;
use encode::blocks::BlockEffect;
use encode::{Context, CutGraph, Renewed};
use exec::Run;
use interpolate::{Interpolator, Layers};
use logic::TermId;
use program::ir::{LocationId, Program};
use prover::Shape;
use smt::Model;
use std::collections::{BTreeMap, VecDeque};

/// An unwinding with a solver for its paths.
pub struct LabelledTree<'p> {
    /// The tree.
    pub unwinding: Unwinding,
    /// The leaves still to be processed; an engine may take them in any order.
    pub frontier: VecDeque<VertexId>,
    /// Which of them comes next.
    pub order: Order,
    /// Positioned at the end of the path queried last.
    pub paths: PathSolver<'p>,
    interpolator: Interpolator,
    journal: Option<&'p Journal>,
    counters: Counters,
}

/// Which leaf an engine takes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The one that was found first: breadth first.
    Oldest,
    /// The one that was found last: depth first.
    Newest,
}

/// The result of checking a path.
pub enum PathCheck {
    /// Infeasible: what holds after each of its blocks, from the root on.
    DeadEnd(Vec<TermId>),
    /// Feasible, in this model.
    Reached(Model),
    /// The solver answers unknown, and why.
    Unknown(String),
}

impl<'p> LabelledTree<'p> {
    /// The root alone, in the frontier.
    pub fn new(ctx: &mut Context<'p>, cuts: &CutGraph, journal: Option<&'p Journal>) -> Self {
        let unwinding = Unwinding::new(ctx.program.procs[cuts.proc].entry);
        LabelledTree {
            frontier: [unwinding.root()].into(),
            unwinding,
            order: Order::Oldest,
            paths: PathSolver::new(ctx, cuts),
            interpolator: Interpolator::new(Layers::ALL),
            journal,
            counters: ctx.budget.counters().clone(),
        }
    }

    /// The next vertex of the frontier that is still open and neither covered nor below a covered
    /// vertex.
    pub fn next_open(&mut self) -> Option<VertexId> {
        loop {
            let vertex = match self.order {
                Order::Oldest => self.frontier.pop_front()?,
                Order::Newest => self.frontier.pop_back()?,
            };
            let is_open = self.unwinding.vertex(vertex).fate == Fate::Open;
            if is_open && self.unwinding.is_active(vertex) {
                return Some(vertex);
            }
        }
    }

    /// Moves the solver to the end of the path to a vertex, for queries there.
    pub fn go_to(&mut self, ctx: &mut Context, cuts: &CutGraph, vertex: VertexId) {
        let path = self.unwinding.blocks(vertex);
        self.paths.go_to(ctx, cuts, &path);
    }

    /// Whether the end of the current path is reachable in a state where `rest` holds, a formula
    /// over the symbols there; if not, labels for the vertices of the path.
    pub fn check(&mut self, ctx: &mut Context, rest: TermId) -> PathCheck {
        match self.paths.model(ctx, rest) {
            Ok(Some(model)) => PathCheck::Reached(model),
            Err(why) => PathCheck::Unknown(why),
            Ok(None) => {
                let mut parts = self.paths.parts().to_vec();
                parts.push(rest);
                self.dead_end(ctx, &parts)
            }
        }
    }

    /// Why the current path, as inconsistent parts, is infeasible.
    fn dead_end(&mut self, ctx: &mut Context, parts: &[TermId]) -> PathCheck {
        match self.interpolate(ctx, parts, 0) {
            Ok(labels) => {
                self.counters.add("refinements", 1);
                PathCheck::DeadEnd(labels)
            }
            Err(why) => PathCheck::Unknown(why),
        }
    }

    /// Interpolants of inconsistent parts, over the state; the first is for the vertex at a depth
    /// of the current path.
    fn interpolate(
        &mut self,
        ctx: &mut Context,
        parts: &[TermId],
        depth: usize,
    ) -> Result<Vec<TermId>, String> {
        let budget = limited(&ctx.budget);
        let shape = Shape::sequence(parts.len());
        let found = (self.interpolator).interpolate(&mut ctx.store, shape.of(parts), &budget);
        let mut labels = Vec::new();
        for (index, interpolant) in found.found()?.into_iter().enumerate() {
            let label = self.paths.to_state(ctx, depth + index, interpolant);
            labels.push(label.ok_or("an interpolant is not about the state")?);
        }
        Ok(labels)
    }

    /// Gives a vertex its children; those that matter go to the frontier, failing ones first. A
    /// child after a block without a formula is undecided, and one where a run ends is a dead end.
    pub fn expand(&mut self, ctx: &Context, cuts: &CutGraph, vertex: VertexId) {
        let at = self.unwinding.vertex(vertex).at;
        let blocks = cuts.graph.outgoing[at].iter();
        let targets: Vec<_> = blocks.map(|&id| (id, cuts.block(id).target)).collect();
        let children = self.unwinding.expand(vertex, &targets);
        self.counters.add("vertices", children.len() as u64);
        let shown = || children.iter().map(|&id| self.child(ctx.program, cuts, id));
        self.note(|| Entry::Expand(vertex, shown().collect()));
        let (failing, others): (Vec<VertexId>, Vec<VertexId>) = children
            .into_iter()
            .partition(|&id| self.is_failing(cuts, id));
        let mut next: Vec<VertexId> = failing.into_iter().chain(others).collect();
        if self.order == Order::Newest {
            next.reverse();
        }
        for child in next {
            if let Some(reason) = self.opaque(ctx.program, cuts, child) {
                self.leave_undecided(child, reason);
            } else if self.is_over(cuts, child) {
                self.mark_leaf(child, Fate::DeadEnd);
            } else {
                self.frontier.push_back(child);
            }
        }
    }

    /// Sets the fate of a vertex that has no children.
    pub fn mark_leaf(&mut self, vertex: VertexId, fate: Fate) {
        self.note(|| match &fate {
            Fate::DeadEnd => Entry::DeadEnd(vertex),
            Fate::Undecided(reason) => Entry::Undecided(vertex, reason.message.clone()),
            Fate::Open | Fate::Expanded | Fate::Removed => {
                unreachable!("a leaf should have its fate")
            }
        });
        self.unwinding.mark_leaf(vertex, fate);
    }

    /// Leaves the path to a vertex undecided.
    pub fn leave_undecided(&mut self, vertex: VertexId, reason: Reason) {
        self.mark_leaf(vertex, Fate::Undecided(Box::new(reason)));
    }

    /// The same for a path to an error; why the solver cannot decide it.
    pub fn give_up(&mut self, cuts: &CutGraph, vertex: VertexId, why: &str) {
        let parent = self.unwinding.vertex(vertex).parent;
        let span = parent.map_or(Span::NONE, |(_, block)| cuts.block(block).span);
        let message = format!("a path to an error cannot be decided: {why}");
        self.leave_undecided(vertex, Reason::gave_up(message).at(span));
    }

    /// Adapts to a refined graph. What was learned about paths whose encoding is unchanged is kept;
    /// `why` is for the journal.
    pub fn renew(&mut self, ctx: &mut Context, cuts: &CutGraph, renewed: &Renewed, why: &str) {
        self.paths.go_to(ctx, cuts, &[]);
        let removed = self.unwinding.renew(renewed);
        self.note(|| Entry::Renew(why.to_owned(), removed));
        self.reopen(ctx, cuts);
    }

    /// Reopens the leaves that were closed by more than their paths: by what was known then about
    /// continuations, or because that was too little. The frontier then has all open leaves.
    pub fn reopen(&mut self, ctx: &Context, cuts: &CutGraph) {
        let active: Vec<VertexId> = self.unwinding.active().collect();
        for &vertex in &active {
            let is_closed_for_now = match self.unwinding.vertex(vertex).fate {
                Fate::DeadEnd => {
                    let is_ended = self.is_failing(cuts, vertex) || self.is_over(cuts, vertex);
                    !is_ended && !self.is_unreached(ctx, vertex)
                }
                Fate::Undecided(_) => self.opaque(ctx.program, cuts, vertex).is_none(),
                Fate::Open | Fate::Expanded | Fate::Removed => false,
            };
            if is_closed_for_now {
                self.note(|| Entry::Reopen(vertex));
                self.unwinding.reopen(vertex);
            }
        }
        let is_open = |id: &VertexId| self.unwinding.vertex(*id).fate == Fate::Open;
        self.frontier = active.into_iter().filter(is_open).collect();
    }

    /// Whether a vertex is at an error, there or in a called procedure, or at something that is not
    /// encoded.
    pub fn is_failing(&self, cuts: &CutGraph, vertex: VertexId) -> bool {
        let row = self.unwinding.vertex(vertex);
        let is_outside = row
            .parent
            .is_some_and(|(_, block)| cuts.block(block).step.leads_nowhere());
        is_outside || cuts.errors.contains(&row.at)
    }

    /// Whether the label of a vertex says that no run reaches it.
    fn is_unreached(&self, ctx: &Context, vertex: VertexId) -> bool {
        let mut label = self.unwinding.vertex(vertex).label.iter();
        label.any(|&conjunct| ctx.store.as_bool(conjunct) == Some(false))
    }

    /// Whether a run that reaches a vertex just ends.
    pub fn is_over(&self, cuts: &CutGraph, vertex: VertexId) -> bool {
        let at = self.unwinding.vertex(vertex).at;
        !self.is_failing(cuts, vertex) && cuts.graph.outgoing[at].is_empty()
    }

    /// Why nothing is known after the block to a vertex, if that is so.
    fn opaque(&self, program: &Program, cuts: &CutGraph, vertex: VertexId) -> Option<Reason> {
        let (_, block) = self.unwinding.vertex(vertex).parent?;
        opaque(program, cuts.proc, cuts.block(block))
    }

    /// The label of a vertex as one formula.
    pub fn label(&self, ctx: &mut Context, vertex: VertexId) -> TermId {
        let label = self.unwinding.vertex(vertex).label.iter();
        ctx.store.and(&label.copied().collect::<Vec<_>>())
    }

    /// Why a path is not decided, if there is one that counts.
    pub fn undecided(&self) -> Option<(VertexId, &Reason)> {
        let reason = |id: VertexId| match &self.unwinding.vertex(id).fate {
            Fate::Undecided(reason) => Some((id, &**reason)),
            Fate::Open | Fate::Expanded | Fate::DeadEnd | Fate::Removed => None,
        };
        self.unwinding.active().find_map(reason)
    }

    /// A reason at the loop that contains a vertex, with how far its path had come there.
    pub fn reason_at(
        &self,
        cuts: &CutGraph,
        program: &Program,
        vertex: VertexId,
        reason: Reason,
    ) -> Reason {
        let upwards = || {
            let upwards = self.unwinding.upwards(vertex);
            upwards.map(|id| self.unwinding.vertex(id).at)
        };
        let Some(head) = upwards().find(|&at| cuts.loops.is_head(at)) else {
            return reason;
        };
        let iterations = match upwards().filter(|&at| at == head).count() {
            2 => "1 iteration".to_owned(),
            vertices => format!("{} iterations", vertices - 1),
        };
        let span = program.procs[cuts.proc].locations[head].span;
        let note = format!("the search was at this loop, after {iterations}");
        reason.at(span).note(span, note)
    }

    /// For each loop head, the disjunction of the labels of its vertices, conjoined with `known`
    /// there. In a tree without open leaves these are invariants, provided that dead ends cannot be
    /// continued to an error.
    pub fn labels(
        &self,
        ctx: &mut Context,
        cuts: &CutGraph,
        mut known: impl FnMut(&mut Context, LocationId) -> TermId,
    ) -> BTreeMap<LocationId, TermId> {
        let heads = cuts.heads();
        let mut labels: BTreeMap<_, _> = heads.map(|head| (head, ctx.store.bool(false))).collect();
        for vertex in self.unwinding.active() {
            let at = self.unwinding.vertex(vertex).at;
            if !cuts.loops.is_head(at) || self.is_failing(cuts, vertex) {
                continue;
            }
            let (label, known) = (self.label(ctx, vertex), known(ctx, at));
            let label = ctx.store.and(&[label, known]);
            labels
                .entry(at)
                .and_modify(|all| *all = ctx.store.or(&[*all, label]));
        }
        labels
    }

    /// Records an event, if there is a journal.
    pub fn note(&self, entry: impl FnOnce() -> Entry) {
        if let Some(journal) = self.journal {
            journal.note(entry());
        }
    }

    /// Records a test from a vertex.
    pub fn note_test(&self, from: VertexId, run: &Run) {
        self.note(|| {
            Entry::Test(Box::new(Tested {
                from,
                inputs: run.inputs.clone(),
                end: run.end.clone(),
                span: run.span,
            }))
        });
    }

    fn child(&self, program: &Program, cuts: &CutGraph, id: VertexId) -> Child {
        let row = self.unwinding.vertex(id);
        let location = &program.procs[cuts.proc].locations[row.at];
        let block = row.parent.map(|(_, block)| cuts.block(block));
        let step = block.map(|block| &block.step);
        let (kind, span) = match &location.error {
            _ if matches!(step, Some(BlockEffect::OutsideEncoding(_))) => {
                (Kind::Wrap, location.span)
            }
            _ if matches!(step, Some(BlockEffect::CalleeFails(_))) => (Kind::Error, location.span),
            Some(violation) => (Kind::Error, violation.span),
            None if cuts.loops.is_head(row.at) => (Kind::Head, location.span),
            None if cuts.graph.outgoing[row.at].is_empty() => (Kind::End, location.span),
            None => (Kind::Other, location.span),
        };
        Child { id, kind, span }
    }
}

#[cfg(test)]
mod tests;
