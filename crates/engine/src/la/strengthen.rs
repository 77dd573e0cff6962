//! Labels that hold whatever the time to live: the greatest inductive subset.
//!
//! # Paper
//! [mcmillan2010lazy], section 2.2 and figure 3: ⊥ is put for τ, and what is not justified dropped
//! until all that is left is. ⊥ is zero here: the label that only said that time is up becomes
//! `false`.
//!
//! # Invariants
//! - While candidates are looked at, labels without τ are taken for justified by labels without τ,
//!   since what has τ should hold for small ones only. Before a proof is claimed all are looked at.

use super::graph::{StepId, StepKind};
use super::labels::Place;
use super::learn::before;
use super::search::Search;
use logic::TermId;
use program::ir::LocationId;
use rustc_hash::FxHashMap;
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet};

type Candidates = BTreeMap<LocationId, Vec<TermId>>;

impl Search<'_> {
    /// Whether a state at the start is blocked whatever the time to live, after labels were
    /// strengthened by induction.
    pub(super) fn strengthen(&mut self) -> bool {
        let candidates = self.candidates();
        let Some(kept) = self.inductive(candidates, true) else {
            return false;
        };
        for (at, cases) in kept {
            for case in cases {
                self.labels.add(&mut self.ctx, Place::Location(at), case);
            }
        }
        self.is_proved()
    }

    /// The greatest subset of candidates that is inductive, with or without the labels that have no τ;
    /// nothing if the budget ends.
    fn inductive(&mut self, mut candidates: Candidates, with_labels: bool) -> Option<Candidates> {
        let mut changed: BTreeSet<LocationId> = self.graph.out.ids().collect();
        while !changed.is_empty() {
            let mut next = BTreeSet::new();
            for (at, cases) in candidates.clone() {
                if !self.leads_to(at, &changed) {
                    continue;
                }
                let kept = cases.iter().copied();
                let kept =
                    kept.filter(|&case| self.is_justified(at, case, &candidates, with_labels));
                let kept: Vec<TermId> = kept.collect();
                if kept.len() < cases.len() {
                    next.insert(at);
                    candidates.insert(at, kept);
                }
                self.ctx.budget.check().ok()?;
            }
            changed = next;
        }
        Some(candidates)
    }

    /// Whether the start is blocked whatever the time to live, by labels that are inductive. A label
    /// without τ that rests on one with τ is dropped, with all that was learned of steps.
    pub(super) fn is_proved(&mut self) -> bool {
        if !self.is_start_blocked() {
            return false;
        }
        let located: Vec<LocationId> = self.labels.locations().map(|(at, _)| at).collect();
        let claimed = located.into_iter().map(|at| (at, self.timeless(at)));
        let claimed: Candidates = claimed.collect();
        let Some(kept) = self.inductive(claimed.clone(), false) else {
            return false;
        };
        if kept == claimed {
            return true;
        }
        for (at, cases) in claimed {
            let dropped = cases.iter().filter(|case| !kept[&at].contains(case));
            for &case in dropped {
                self.labels.drop_case(Place::Location(at), case);
            }
        }
        self.labels.forget_steps();
        self.is_start_blocked()
    }

    fn is_start_blocked(&mut self) -> bool {
        let entry = self.ctx.program.procs[self.graph.proc].entry;
        let cases = self.timeless(entry);
        self.unwind_to(0);
        self.states.start(&mut self.ctx, &self.graph, 0);
        let blocked = self.states.blocked(&mut self.ctx, &cases);
        self.states.leave(&mut self.ctx);
        use super::states::Blocked::*;
        matches!(blocked, By(_) | Empty)
    }

    /// The cases of a location's label that hold whatever the time to live.
    pub(super) fn timeless(&self, at: LocationId) -> Vec<TermId> {
        let cases = self.labels.cases(Place::Location(at)).iter().copied();
        cases.filter(|&case| !self.has_time(case)).collect()
    }

    pub(super) fn has_time(&self, label: TermId) -> bool {
        self.ctx
            .store
            .symbols_of(&[label])
            .contains(&self.states.tau)
    }

    /// The labels with ⊥ for τ.
    fn candidates(&mut self) -> Candidates {
        let labels = self.labels.locations();
        let timed = labels.map(|(at, cases)| (at, cases.to_vec()));
        let mut timed: Vec<(LocationId, Vec<TermId>)> = timed.collect();
        timed.extend(self.proposals.clone());
        let bottom = self.ctx.store.int(0i64);
        let map = FxHashMap::from_iter([(self.states.tau, bottom)]);
        let mut candidates = Candidates::new();
        for (at, cases) in timed {
            for case in cases {
                if !self.has_time(case) {
                    continue;
                }
                let label = self.ctx.store.substitute(case, &map);
                let label = self.ctx.store.simplify(label);
                let known = candidates.entry(at).or_default();
                if self.ctx.store.as_bool(label) != Some(false) && !known.contains(&label) {
                    known.push(label);
                }
            }
        }
        candidates
    }

    fn leads_to(&self, at: LocationId, changed: &BTreeSet<LocationId>) -> bool {
        let mut steps = self.graph.out[at].iter();
        steps.any(|&step| changed.contains(&self.graph.steps[step].target))
    }

    /// Whether every step from where a candidate holds leads to where a label holds.
    fn is_justified(
        &mut self,
        at: LocationId,
        case: TermId,
        candidates: &Candidates,
        with_labels: bool,
    ) -> bool {
        let mut steps = self.graph.out[at].clone().into_iter();
        steps.all(|step| self.is_safe_step(step, case, candidates, with_labels))
    }

    fn is_safe_step(
        &mut self,
        step: StepId,
        case: TermId,
        candidates: &Candidates,
        with_labels: bool,
    ) -> bool {
        let row = &self.graph.steps[step];
        let mut cases = match with_labels {
            true => self.timeless(row.target),
            false => Vec::new(),
        };
        cases.extend(candidates.get(&row.target).into_iter().flatten());
        let ctx = &mut self.ctx;
        let escapes = match &row.kind {
            StepKind::Opaque(..) => return false,
            StepKind::Escape(None, _) => return true,
            StepKind::Escape(Some(guard), _) => *guard,
            StepKind::Formula(formula) => {
                let label = ctx.store.or(&cases);
                let label = before(ctx, formula, self.states.tau, false, label);
                let outside = ctx.store.not(label);
                ctx.store.and(&[formula.guard, outside])
            }
        };
        let symbols = ctx.store.symbols_of(&[escapes, case]).into_iter();
        let vars: Vec<_> = symbols.filter_map(|symbol| ctx.state.var(symbol)).collect();
        let ranges = (ctx.state).in_range(ctx.program, &mut ctx.store, vars.into_iter());
        super::check(ctx, &[ranges, case, escapes]) == Answer::Unsat
    }
}
