//! Vertices whose labels are abstract states: conjunctions of tracked literals, computed forwards.
//!
//! # Paper
//! [henzinger2002lazy]: a vertex has a child for each state after each block; it is covered by an
//! older one whose literals are a subset of its own; a refinement re-expands only what is after one
//! block.

use super::{LabelledTree, PathCheck};
use crate::abstract_post::Cube;
use crate::journal::Entry;
use crate::unwinding::{Fate, VertexId};
use encode::blocks::BlockId;
use encode::{Context, CutGraph};
use logic::TermId;

impl LabelledTree<'_> {
    /// Gives a vertex children for the states after a block. Failing ones come first in the
    /// frontier, the others last; one that is labelled false is a dead end. A vertex gets the
    /// children of all its blocks before it is looked at again.
    pub fn add_states(
        &mut self,
        ctx: &mut Context,
        cuts: &CutGraph,
        (vertex, block): (VertexId, BlockId),
        states: &[Cube],
    ) -> Vec<VertexId> {
        let target = cuts.block(block).target;
        self.unwinding.expand(vertex, &[]);
        let mut children = Vec::new();
        for state in states {
            let child = self.unwinding.add_child(vertex, block, target);
            children.push(child);
            let shown = self.child(ctx.program, cuts, child);
            self.note(|| Entry::Expand(vertex, vec![shown]));
            self.set_label(ctx, child, state);
            let is_false = |&row: &TermId| ctx.store.as_bool(row) == Some(false);
            if let Some(reason) = self.opaque(ctx.program, cuts, child) {
                self.leave_undecided(child, reason);
            } else if state.iter().any(is_false) {
                self.mark_leaf(child, Fate::DeadEnd);
            } else if self.is_failing(cuts, child) {
                self.frontier.push_front(child);
            } else {
                self.frontier.push_back(child);
            }
        }
        children
    }

    /// Whether the path to a vertex can be run; if not, what labels do not yet say about it. The
    /// abstract states on the way follow from it, so they are asked for with it: a long path is
    /// easy to refute where each state says which blocks it can take.
    pub fn check_states(
        &mut self,
        ctx: &mut Context,
        cuts: &CutGraph,
        vertex: VertexId,
    ) -> PathCheck {
        self.go_to(ctx, cuts, vertex);
        let mut states = Vec::new();
        for (depth, vertex) in self.unwinding.path(vertex).into_iter().enumerate() {
            let state = self.label(ctx, vertex);
            states.push(self.paths.at(ctx, depth, state));
        }
        let all = ctx.store.and(&states);
        match self.paths.model(ctx, all) {
            Ok(Some(model)) => PathCheck::Reached(model),
            Err(why) => PathCheck::Unknown(why),
            Ok(None) => {
                // A state goes with the step from it, so that interpolants need not repeat it.
                let mut parts = self.paths.parts().to_vec();
                parts.push(ctx.store.bool(true));
                for (part, state) in std::iter::zip(&mut parts[1..], states) {
                    let both = ctx.store.and(&[state, *part]);
                    *part = ctx.store.simplify(both);
                }
                self.dead_end(ctx, &parts)
            }
        }
    }

    /// Labels a vertex that has no label yet.
    pub fn set_label(&mut self, ctx: &mut Context, vertex: VertexId, state: &Cube) {
        for &literal in state {
            if let Some(journal) = self.journal {
                journal.note_term(ctx, literal, |term| Entry::Label(vertex, term));
            }
            self.unwinding.strengthen(vertex, literal);
        }
    }

    /// Records that a predicate is tracked where a vertex stands.
    pub fn note_predicate(&self, ctx: &mut Context, vertex: VertexId, predicate: TermId) {
        if let Some(journal) = self.journal {
            journal.note_term(ctx, predicate, |term| Entry::Track(vertex, term));
        }
    }

    /// Covers a vertex by an older one at its location that has no other literals.
    pub fn cover_by_weaker(&mut self, cuts: &CutGraph, vertex: VertexId) -> bool {
        let label = &self.unwinding.vertex(vertex).label;
        let older = self.unwinding.older(vertex);
        let found = older
            .filter(|&other| self.unwinding.vertex(other).label.is_subset(label))
            .filter(|&other| match self.unwinding.vertex(other).fate {
                Fate::Open | Fate::Expanded | Fate::DeadEnd => true,
                Fate::Undecided(_) | Fate::Removed => false,
            })
            .filter(|&other| !self.is_failing(cuts, other))
            .find(|&other| self.unwinding.is_active(other));
        let Some(coverer) = found else {
            return false;
        };
        self.note(|| Entry::Cover(vertex, coverer));
        let open = self.unwinding.cover(vertex, coverer);
        self.frontier.extend(open);
        true
    }

    /// Removes what is after a block of a vertex, as it is re-expanded, and says what that was.
    pub fn prune(&mut self, vertex: VertexId, block: BlockId) -> Vec<VertexId> {
        let (removed, open) = self.unwinding.prune(vertex, block);
        self.note(|| Entry::Prune(removed.clone()));
        self.frontier.extend(open);
        removed
    }
}
