//! Covering, forced covering and refinement.

use super::LabelledTree;
use crate::journal::Entry;
use crate::path_solver::asking;
use crate::unwinding::{Fate, VertexId};
use encode::{Context, CutGraph};
use logic::TermId;
use smt::Answer;

/// How many vertices are tried as coverers.
const CANDIDATES: usize = 8;

impl LabelledTree<'_> {
    /// Tries to cover a vertex: by an ancestor whose label the path from there can be shown to
    /// preserve, or by an older vertex whose label its own implies.
    pub fn try_cover(&mut self, ctx: &mut Context, cuts: &CutGraph, vertex: VertexId) -> bool {
        let at = self.unwinding.vertex(vertex).at;
        // A path ends where something is not encoded, though at the location it starts from.
        if !cuts.loops.is_head(at) || self.is_failing(cuts, vertex) {
            return false;
        }
        let ancestors = self.unwinding.ancestors_here(vertex).take(CANDIDATES);
        for ancestor in ancestors.collect::<Vec<_>>() {
            if self.force_cover(ctx, cuts, vertex, ancestor) {
                return true;
            }
        }
        self.cover_by_older(ctx, cuts, vertex)
    }

    /// Tries to cover a vertex wherever paths join: by an older one whose label its own implies, or
    /// else by one, the newest first, whose label can be shown along the path from their nearest
    /// common ancestor (forced cover).
    pub fn close(&mut self, ctx: &mut Context, cuts: &CutGraph, vertex: VertexId) -> bool {
        let at = self.unwinding.vertex(vertex).at;
        if !cuts.is_join(at) || self.is_failing(cuts, vertex) {
            return false;
        }
        if self.cover_by_older(ctx, cuts, vertex) {
            return true;
        }
        for coverer in self.candidates(cuts, vertex) {
            if self.unwinding.is_active(coverer) && self.force_cover(ctx, cuts, vertex, coverer) {
                return true;
            }
        }
        false
    }

    /// Shows conjunct by conjunct that the path from the nearest common ancestor of a vertex and an
    /// older one implies the label of the older one.
    fn force_cover(
        &mut self,
        ctx: &mut Context,
        cuts: &CutGraph,
        vertex: VertexId,
        coverer: VertexId,
    ) -> bool {
        self.counters.add("forced_covers_tried", 1);
        let ancestor = self.unwinding.common_ancestor(vertex, coverer);
        let from = self.unwinding.vertex(ancestor).depth;
        let to = self.unwinding.vertex(vertex).depth;
        self.go_to(ctx, cuts, vertex);
        let known = self.label(ctx, ancestor);
        let known = self.paths.at(ctx, from, known);
        let between = self.paths.parts()[from + 1..=to].to_vec();
        let own = self.unwinding.vertex(vertex).label.clone();
        let missing: Vec<TermId> = (self.unwinding.vertex(coverer).label)
            .difference(&own)
            .copied()
            .collect();
        let mut proofs = Vec::new();
        for conjunct in missing {
            let after = self.paths.at(ctx, to, conjunct);
            let negated = ctx.store.not(after);
            let mut parts = vec![known];
            parts.extend(&between);
            parts.push(negated);
            if ctx.check(&parts) != Answer::Unsat {
                return false;
            }
            proofs.push(parts);
        }
        let path = self.unwinding.path(vertex);
        for parts in proofs {
            let Ok(labels) = self.interpolate(ctx, &parts, from) else {
                return false;
            };
            // The first one only repeats the label of the ancestor.
            self.refine(ctx, &path[from + 1..], &labels[1..]);
            self.cover_path(ctx, cuts, &path[from + 1..]);
            // That may have covered vertices of the path, or invalidated a cover.
            if !self.unwinding.is_active(vertex) {
                return true;
            }
        }
        if !self.unwinding.is_active(coverer) {
            return false;
        }
        // A spent budget says nothing about what holds.
        debug_assert!(self.implies(ctx, vertex, coverer) || ctx.budget.check().is_err());
        self.counters.add("forced_covers_held", 1);
        self.cover(vertex, coverer);
        true
    }

    /// Covers a vertex by an older one whose label its own implies.
    fn cover_by_older(&mut self, ctx: &mut Context, cuts: &CutGraph, vertex: VertexId) -> bool {
        for coverer in self.candidates(cuts, vertex) {
            if self.implies(ctx, vertex, coverer) {
                self.cover(vertex, coverer);
                return true;
            }
        }
        false
    }

    /// Older vertices that may cover one, the newest first.
    fn candidates(&self, cuts: &CutGraph, vertex: VertexId) -> Vec<VertexId> {
        let older = self.unwinding.older(vertex);
        older
            .filter(|&other| self.unwinding.is_active(other))
            .filter(|&other| !matches!(self.unwinding.vertex(other).fate, Fate::Undecided(_)))
            .filter(|&other| !self.is_failing(cuts, other))
            .take(CANDIDATES)
            .collect()
    }

    fn cover(&mut self, vertex: VertexId, coverer: VertexId) {
        self.counters.add("covers", 1);
        self.note(|| Entry::Cover(vertex, coverer));
        let open = self.unwinding.cover(vertex, coverer);
        self.frontier.extend(open);
    }

    /// Adds labels to the vertices of a path. What a strengthened vertex no longer covers is reopened.
    pub fn refine(&mut self, ctx: &mut Context, path: &[VertexId], labels: &[TermId]) {
        for (&vertex, &label) in std::iter::zip(path, labels) {
            for conjunct in ctx.store.conjuncts(label) {
                if ctx.store.as_bool(conjunct) == Some(true) {
                    continue;
                }
                if ctx.store.as_bool(conjunct) == Some(false) {
                    self.end(vertex);
                }
                if let Some(journal) = self.journal
                    && !self.unwinding.vertex(vertex).label.contains(&conjunct)
                {
                    journal.note_term(ctx, conjunct, |term| Entry::Label(vertex, term));
                }
                for covered in self.unwinding.strengthen(vertex, conjunct) {
                    if !self.has(ctx, covered, conjunct) {
                        self.note(|| Entry::Uncover(covered));
                        let open = self.unwinding.uncover(covered);
                        self.frontier.extend(open);
                    }
                }
            }
        }
    }

    /// Makes an unreachable vertex a dead end, with its subtree.
    fn end(&mut self, vertex: VertexId) {
        let fate = &self.unwinding.vertex(vertex).fate;
        if matches!(fate, Fate::Open | Fate::Expanded) {
            self.note(|| Entry::DeadEnd(vertex));
            let open = self.unwinding.end(vertex);
            self.frontier.extend(open);
        }
    }

    /// Covers the first vertex with children on a path whose label has become strong enough.
    pub fn cover_path(&mut self, ctx: &mut Context, cuts: &CutGraph, path: &[VertexId]) {
        for &vertex in path {
            let row = self.unwinding.vertex(vertex);
            let is_inner = row.fate == Fate::Expanded && cuts.is_join(row.at);
            if is_inner
                && self.unwinding.is_active(vertex)
                && self.cover_by_older(ctx, cuts, vertex)
            {
                return;
            }
        }
    }

    /// Whether the label of a vertex implies a conjunct.
    fn has(&self, ctx: &mut Context, vertex: VertexId, conjunct: TermId) -> bool {
        if self.unwinding.vertex(vertex).label.contains(&conjunct) {
            return true;
        }
        let label = self.label(ctx, vertex);
        asking(ctx, |ctx| ctx.entails(label, conjunct))
    }

    /// Whether the label of a vertex implies that of another.
    fn implies(&self, ctx: &mut Context, vertex: VertexId, other: VertexId) -> bool {
        let mut conjuncts = self.unwinding.vertex(other).label.iter();
        conjuncts.all(|&conjunct| self.has(ctx, vertex, conjunct))
    }
}
