//! Invariants from the conjuncts of labels: those that are jointly inductive at the loop heads.
//!
//! Labels are kept or dropped as a whole ([`super::strengthen`]). Here the conjuncts and atoms of
//! all labels of a head are predicates, and those are kept that hold when the head is first reached
//! and that iterations preserve, given the others.
//!
//! # Paper
//! [mcmillan2010lazy], section 2.2, names predicate abstraction with the atoms of labels as another
//! way to strengthen. This is its cheapest form, conjunctions, found by dropping
//! [flanagan2001houdini].
//!
//! # Invariants
//! - The result excludes the open goals, according to the formulas of blocks; it is checked like
//!   any proof.

use super::calls::Aim;
use super::labels::Spot;
use super::search::Search;
use encode::transition::TransitionFormula;
use kit::holding::holding;
use kit::path_solver::limited_model;
use kit::prepared::initial;
use kit::{CutGraph, EncodingPrecision};
use logic::TermId;
use program::ir::LocationId;
use smt::Answer;
use std::collections::BTreeMap;

/// How many predicates a head may have.
const MOST: usize = 96;

type Predicates = BTreeMap<LocationId, Vec<TermId>>;

impl Search<'_> {
    /// Labels of the heads of loops that exclude the open goals, if conjunctions do.
    pub(super) fn conjunctions(&mut self) -> Option<BTreeMap<LocationId, TermId>> {
        let proc = self.ctx.program.entry;
        let entry = self.ctx.program.procs[proc].entry;
        let cuts = CutGraph::new(&mut self.ctx, proc, &EncodingPrecision::wrapping());
        let mut predicates = self.predicates(&cuts);
        let start = initial(&mut self.ctx, &cuts);
        let mut steps: Vec<(LocationId, LocationId, TransitionFormula)> = Vec::new();
        for block in cuts.graph.blocks.iter() {
            let step = block.step.continuing()?;
            steps.push((block.source, block.target, step.clone()));
        }
        let mut known: BTreeMap<LocationId, TermId> = BTreeMap::new();
        let ctx = &mut self.ctx;
        loop {
            for at in cuts.graph.cut_points() {
                let ranges = cuts.in_range(ctx, at);
                let holds = predicates.get(&at).map_or(&[][..], Vec::as_slice);
                let start = if at == entry { start } else { ranges };
                let parts = [holds, &[ranges, start]].concat();
                known.insert(at, ctx.store.and(&parts));
            }
            let mut is_stable = true;
            for (source, target, step) in &steps {
                let Some(rows) = predicates.get_mut(target) else {
                    continue;
                };
                let claims = rows.iter().map(|&row| (row, ctx.after(step, row)));
                let claims = claims.collect();
                let known = [known[source], step.guard];
                let kept = holding(ctx, &known, claims, limited_model).ok()?;
                is_stable &= kept.len() == rows.len();
                *rows = kept;
            }
            if is_stable {
                break;
            }
        }
        let is_open = |at: LocationId| self.open.contains(&self.graph.point(proc, at));
        let mut to_goals = steps.iter().filter(|(_, to, _)| is_open(*to));
        let is_safe = to_goals
            .all(|(from, _, step)| super::check(ctx, &[known[from], step.guard]) == Answer::Unsat);
        let heads = cuts.heads().map(|head| (head, known[&head]));
        is_safe.then(|| heads.collect())
    }

    /// The conjuncts and atoms of the labels of each head, without the time to live.
    fn predicates(&mut self, cuts: &CutGraph) -> Predicates {
        let map = self.bottom();
        let mut predicates = Predicates::new();
        for head in cuts.heads() {
            let at = (self.graph.point(cuts.proc, head), Aim::Goal);
            let mut labels = self.labels.cases((Spot::Point(at.0), at.1)).to_vec();
            labels.extend(self.proposals.get(&at).into_iter().flatten());
            let mut found: Vec<TermId> = Vec::new();
            for label in labels {
                let store = &mut self.ctx.store;
                let label = store.substitute(label, &map);
                let label = store.simplify(label);
                let mut parts = store.conjuncts(label);
                for atom in store.atoms(label) {
                    parts.extend([atom, store.not(atom)]);
                }
                parts.retain(|&part| store.as_bool(part).is_none() && !found.contains(&part));
                found.extend(parts);
            }
            found.truncate(MOST);
            predicates.insert(head, found);
        }
        predicates
    }
}
