//! Covering and refining, as in figure 6.

use super::search::{Search, limited};
use kit::journal::Entry;
use kit::unwinding::{Fate, VertexId};
use logic::TermId;
use smt::Answer;

/// How many vertices are tried as coverers.
const CANDIDATES: usize = 8;

impl Search<'_> {
    /// Tries to cover a vertex: by an ancestor whose label the path from there can be shown to
    /// keep, or by an older vertex whose label its own implies.
    pub(super) fn try_cover(&mut self, vertex: VertexId) -> bool {
        let at = self.unwinding.vertex(vertex).at;
        // Where something wraps a path ends, though at the location it wraps from.
        if !self.main.nest.cuts.loops.is_head(at) || self.is_failing(vertex) {
            return false;
        }
        let ancestors = self.unwinding.ancestors_here(vertex).take(CANDIDATES);
        for ancestor in ancestors.collect::<Vec<_>>() {
            if self.force_cover(vertex, ancestor) {
                return true;
            }
        }
        self.cover_by_older(vertex)
    }

    /// Shows conjunct by conjunct that the path from an ancestor keeps its label.
    fn force_cover(&mut self, vertex: VertexId, ancestor: VertexId) -> bool {
        let from = self.unwinding.vertex(ancestor).depth;
        let to = self.unwinding.vertex(vertex).depth;
        let path = self.unwinding.blocks(vertex);
        self.paths
            .go_to(&mut self.main.ctx, &self.main.nest.cuts, &path);
        let known = self.label(ancestor);
        let known = self.paths.at(&mut self.main.ctx, from, known);
        let between = self.paths.parts()[from + 1..=to].to_vec();
        let own = self.unwinding.vertex(vertex).label.clone();
        let missing: Vec<TermId> = (self.unwinding.vertex(ancestor).label)
            .difference(&own)
            .copied()
            .collect();
        let mut proofs = Vec::new();
        for conjunct in missing {
            let after = self.paths.at(&mut self.main.ctx, to, conjunct);
            let negated = self.main.ctx.store.not(after);
            let mut parts = vec![known];
            parts.extend(&between);
            parts.push(negated);
            if self.main.ctx.check(&parts) != Answer::Unsat {
                return false;
            }
            proofs.push(parts);
        }
        let path = self.unwinding.path(vertex);
        for parts in proofs {
            let Ok(labels) = self.interpolate(&parts, from) else {
                return false;
            };
            // The first one only says what the label of the ancestor says.
            self.refine(&path[from + 1..], &labels[1..]);
            // That may have covered what the path went through, or loosened a cover.
            if !self.unwinding.is_active(vertex) {
                return true;
            }
        }
        if !self.unwinding.is_active(ancestor) {
            return false;
        }
        // A spent budget says nothing of what holds.
        debug_assert!(self.implies(vertex, ancestor) || self.budget.check().is_err());
        self.cover(vertex, ancestor);
        true
    }

    /// Covers a vertex by an older one whose label its own implies.
    fn cover_by_older(&mut self, vertex: VertexId) -> bool {
        let older = self.unwinding.older(vertex);
        let candidates: Vec<VertexId> = older
            .filter(|&other| self.unwinding.is_active(other))
            .filter(|&other| !matches!(self.unwinding.vertex(other).fate, Fate::Stuck(_)))
            .filter(|&other| !self.is_failing(other))
            .take(CANDIDATES)
            .collect();
        for coverer in candidates {
            if self.implies(vertex, coverer) {
                self.cover(vertex, coverer);
                return true;
            }
        }
        false
    }

    fn cover(&mut self, vertex: VertexId, coverer: VertexId) {
        self.note(|| Entry::Cover(vertex, coverer));
        let open = self.unwinding.cover(vertex, coverer);
        self.frontier.extend(open);
    }

    /// Adds labels to the vertices of a path. What a stronger vertex covers no more is open again;
    /// what has become strong enough is covered.
    pub(super) fn refine(&mut self, path: &[VertexId], labels: &[TermId]) {
        for (&vertex, &label) in std::iter::zip(path, labels) {
            for conjunct in self.main.ctx.store.conjuncts(label) {
                if self.main.ctx.store.as_bool(conjunct) == Some(true) {
                    continue;
                }
                if !self.unwinding.vertex(vertex).label.contains(&conjunct) {
                    self.note_label(vertex, conjunct);
                }
                for covered in self.unwinding.strengthen(vertex, conjunct) {
                    if !self.has(covered, conjunct) {
                        self.note(|| Entry::Uncover(covered));
                        let open = self.unwinding.uncover(covered);
                        self.frontier.extend(open);
                    }
                }
            }
        }
        if !self.config.covers {
            return;
        }
        for &vertex in path {
            let row = self.unwinding.vertex(vertex);
            let is_inner = row.fate == Fate::Expanded && self.main.nest.cuts.loops.is_head(row.at);
            if is_inner && self.unwinding.is_active(vertex) && self.cover_by_older(vertex) {
                return;
            }
        }
    }

    /// The label of a vertex as one formula.
    pub(super) fn label(&mut self, vertex: VertexId) -> TermId {
        let conjuncts: Vec<TermId> = (self.unwinding.vertex(vertex).label.iter())
            .copied()
            .collect();
        self.main.ctx.store.and(&conjuncts)
    }

    /// Whether the label of a vertex implies a conjunct.
    fn has(&mut self, vertex: VertexId, conjunct: TermId) -> bool {
        if self.unwinding.vertex(vertex).label.contains(&conjunct) {
            return true;
        }
        let label = self.label(vertex);
        let ctx = &mut self.main.ctx;
        let whole = std::mem::replace(&mut ctx.budget, limited(&self.budget));
        let implied = ctx.entails(label, conjunct);
        ctx.budget = whole;
        implied
    }

    /// Whether the label of a vertex implies that of another.
    fn implies(&mut self, vertex: VertexId, other: VertexId) -> bool {
        let conjuncts = self.unwinding.vertex(other).label.clone();
        conjuncts
            .into_iter()
            .all(|conjunct| self.has(vertex, conjunct))
    }
}
