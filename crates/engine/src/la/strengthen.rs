//! Labels that hold whatever the time to live: the greatest inductive subset.
//!
//! # Paper
//! [mcmillan2010lazy], section 2.2 and figure 3: ⊥ is substituted for τ, and labels that are not
//! justified are dropped until all remaining ones are. ⊥ is zero here: the label that only said
//! that time is up becomes `false`.
//!
//! # Invariants
//! - While candidates are processed, labels without τ are assumed to be justified by labels without
//!   τ, since those with τ should hold for small values only. Before a proof is claimed all are
//!   checked.

use super::calls::{Aim, CallStep};
use super::graph::{PointId, SegmentId, SegmentKind};
use super::labels::Spot;
use super::search::Search;
use encode::Substitution;
use logic::TermId;
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet};

type Candidates = BTreeMap<(PointId, Aim), Vec<TermId>>;

impl Search<'_> {
    /// Whether a state at the start is blocked whatever the time to live, after labels were
    /// strengthened by induction.
    pub(super) fn strengthen(&mut self) -> bool {
        let candidates = self.candidates();
        let Some(kept) = self.inductive(candidates, true) else {
            return false;
        };
        for ((at, aim), cases) in kept {
            for case in cases {
                let place = (Spot::Point(at), aim);
                self.labels.add(&mut self.ctx, place, case);
            }
        }
        self.is_proved()
    }

    /// The greatest subset of candidates that is inductive, with or without the labels that have no τ;
    /// nothing if the budget ends.
    fn inductive(&mut self, mut candidates: Candidates, with_labels: bool) -> Option<Candidates> {
        let mut changed: BTreeSet<PointId> = self.graph.out.ids().collect();
        while !changed.is_empty() {
            let mut next = BTreeSet::new();
            for (at, cases) in candidates.clone() {
                if !self.leads_to(at.0, &changed) {
                    continue;
                }
                let kept = cases.iter().copied();
                let kept =
                    kept.filter(|&case| self.is_justified(at, case, &candidates, with_labels));
                let kept: Vec<TermId> = kept.collect();
                if kept.len() < cases.len() {
                    next.insert(at.0);
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
        let located: Vec<(PointId, Aim)> = self.labels.of_points().map(|(at, _)| at).collect();
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
                self.labels.drop_case((Spot::Point(at.0), at.1), case);
            }
        }
        self.labels.forget_steps();
        self.is_start_blocked()
    }

    fn is_start_blocked(&mut self) -> bool {
        let cases = self.timeless((self.graph.entry, Aim::Goal));
        self.unwind_to(0);
        self.states.start(&mut self.ctx, &self.graph, 0);
        let always = self.ctx.store.bool(true);
        let blocked = self.states.blocked(&mut self.ctx, &cases, always);
        self.states.leave();
        use super::states::Blocked::*;
        matches!(blocked, By(_) | Empty)
    }

    /// The cases of a location's label that hold whatever the time to live.
    pub(super) fn timeless(&self, (at, aim): (PointId, Aim)) -> Vec<TermId> {
        let cases = self.labels.cases((Spot::Point(at), aim)).iter().copied();
        cases.filter(|&case| !self.has_time(case)).collect()
    }

    pub(super) fn has_time(&self, label: TermId) -> bool {
        let symbols = self.ctx.store.symbols_of(&[label]);
        let mut clocks = self.states.clocks.iter();
        clocks.any(|clock| symbols.contains(clock))
    }

    /// ⊥ for each time to live.
    pub(super) fn bottom(&mut self) -> Substitution {
        let bottom = self.ctx.store.int(0i64);
        let clocks = self.states.clocks.iter();
        clocks.map(|&clock| (clock, bottom)).collect()
    }

    /// The labels with ⊥ for τ.
    fn candidates(&mut self) -> Candidates {
        let labels = self.labels.of_points();
        let timed = labels.map(|(at, cases)| (at, cases.to_vec()));
        let mut timed: Vec<((PointId, Aim), Vec<TermId>)> = timed.collect();
        timed.extend(self.proposals.clone());
        let map = self.bottom();
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

    fn leads_to(&self, at: PointId, changed: &BTreeSet<PointId>) -> bool {
        let mut steps = self.graph.out[at].iter();
        steps.any(|&step| {
            let row = &self.graph.steps[step];
            let is_entered = match &row.kind {
                SegmentKind::Call(call) => {
                    changed.contains(&self.graph.callables[&call.callee].entry)
                }
                _ => false,
            };
            is_entered || changed.contains(&row.target)
        })
    }

    /// Whether every step from where a candidate holds leads to where a label holds. At an exit it
    /// must say that this is not what is left.
    fn is_justified(
        &mut self,
        (at, aim): (PointId, Aim),
        case: TermId,
        candidates: &Candidates,
        with_labels: bool,
    ) -> bool {
        let (proc, _) = self.graph.points[at];
        let callable = self.graph.callables.get(&proc);
        if let Some(callable) = callable.filter(|row| row.exit == at && aim == Aim::Exit) {
            let differs = callable.differs(&mut self.ctx);
            return self.ctx.entails(case, differs);
        }
        let mut steps = self.graph.out[at].clone().into_iter();
        steps.all(|step| self.is_safe_step(step, (aim, case), candidates, with_labels))
    }

    fn is_safe_step(
        &mut self,
        step: SegmentId,
        (aim, case): (Aim, TermId),
        candidates: &Candidates,
        with_labels: bool,
    ) -> bool {
        let row = &self.graph.steps[step];
        let (source, target) = (row.source, row.target);
        let behind = self.known_at((target, aim), candidates, with_labels);
        let row = &self.graph.steps[step];
        let ctx = &mut self.ctx;
        let escapes = match &row.kind {
            SegmentKind::Opaque(..) => return false,
            SegmentKind::Escape(None, _) => return true,
            SegmentKind::Escape(Some(guard), _) => *guard,
            SegmentKind::Formula(formula) => {
                // Whatever the time to live is after the step.
                let label = ctx.after(formula, behind);
                let outside = ctx.store.not(label);
                ctx.store.and(&[formula.guard, outside])
            }
            SegmentKind::Call(call) => {
                let call = call.clone();
                let entry = self.graph.callables[&call.callee].entry;
                let entered = [Aim::Goal, Aim::Exit]
                    .map(|aim| self.known_at((entry, aim), candidates, with_labels));
                self.escapes_call(step, &call, aim, entered, behind)
            }
        };
        let ctx = &mut self.ctx;
        let ranges = ctx.in_range(ctx.vars_of(&[escapes, case]));
        let mut parts = vec![case, escapes, ranges];
        let (proc, _) = self.graph.points[source];
        if let Some(callable) = self.graph.callables.get(&proc) {
            parts.push(callable.in_range(ctx));
        }
        super::check(ctx, &parts) == Answer::Unsat
    }

    /// What is taken for justified at a location.
    fn known_at(
        &mut self,
        at: (PointId, Aim),
        candidates: &Candidates,
        with_labels: bool,
    ) -> TermId {
        let mut cases = match with_labels {
            true => self.timeless(at),
            false => Vec::new(),
        };
        cases.extend(candidates.get(&at).into_iter().flatten());
        self.ctx.store.or(&cases)
    }

    /// Where a call is not known to lead to what is labelled: its callee's entry, for goals, and
    /// what is after it.
    fn escapes_call(
        &mut self,
        step: SegmentId,
        call: &CallStep,
        aim: Aim,
        entered: [TermId; 2],
        behind: TermId,
    ) -> TermId {
        let [goal, exit] = entered.map(|label| {
            let label = self.at_entry(step, call, label);
            self.ctx.store.not(label)
        });
        let behind = (self.graph).behind(&mut self.ctx, call, &call.left, behind);
        let outside = self.ctx.store.not(behind);
        let ranges = self.graph.left_in_range(&mut self.ctx, call);
        let mut ways = Vec::new();
        if self.graph.callables[&call.callee].returns {
            ways.push(self.ctx.store.and(&[exit, outside, ranges]));
        }
        if aim == Aim::Goal {
            ways.push(goal);
        }
        let ways = self.ctx.store.or(&ways);
        self.ctx.store.and(&[call.guard, ways])
    }
}
