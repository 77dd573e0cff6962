//! The rule Learn: a label for a step, from the reason why its successor state is blocked.
//!
//! # Paper
//! [mcmillan2010lazy], sections 2.1 and 2.3 (LearnC). Between the state with the negated
//! postcondition and the step there is room for many summaries. One that compares variables without
//! a constant is preferred, then the weakest.

use super::blocked::By;
use super::calls::{Aim, CallStep};
use super::graph::{SegmentId, SegmentKind};
use super::labels::Spot;
use super::search::Search;
use kit::Context;
use kit::path_solver::limited;
use logic::{Node, TermId};
use prover::Shape;
use smt::Answer;

/// The effort that a frame on the path costs whenever its postcondition is computed.
const FRAME: u64 = 16;

/// Why a step has no label.
pub(super) enum NoLabel {
    /// It is not blocked: its encoding was refined since it was taken.
    NotBlocked,
    /// None was found, and why.
    Unknown(String),
}

impl Search<'_> {
    /// The exit states of the procedure at the end of the path that are not blocked after its call:
    /// the negated postcondition; none outside calls.
    pub(super) fn unwanted(&mut self) -> Option<TermId> {
        let mut unwanted = None;
        for depth in 0..self.states.frames().len() {
            self.ctx.budget.spend(FRAME);
            unwanted = Some(self.unwanted_at(depth, unwanted));
        }
        unwanted
    }

    fn unwanted_at(&mut self, depth: usize, outer: Option<TermId>) -> TermId {
        let frame = &self.states.frames()[depth];
        let step = &self.graph.steps[frame.step];
        let callable = &self.graph.callables[&frame.callee];
        let SegmentKind::Call(call) = &step.kind else {
            unreachable!("a frame should have its call");
        };
        let ctx = &mut self.ctx;
        let behind = Spot::Point(step.target);
        let goal = self.labels.formula(ctx, (behind, Aim::Goal));
        let mut parts = vec![ctx.store.not(goal)];
        if let Some(outer) = outer {
            let exit = self.labels.formula(ctx, (behind, Aim::Exit));
            let exit = ctx.store.not(exit);
            parts.push(ctx.store.and(&[exit, outer]));
        }
        let unwanted = ctx.store.or(&parts);
        let unwanted = frame.of_caller(ctx, unwanted);
        let left = callable.left.iter();
        let left = left.map(|(&var, &symbol)| (var, ctx.store.of_symbol(symbol)));
        let left = left.collect();
        let unwanted = self.graph.behind(ctx, call, &left, unwanted);
        let unwanted = frame.in_caller(ctx, unwanted);
        let ranges = callable.in_range(ctx);
        ctx.store.and(&[unwanted, ranges])
    }

    /// A label that blocks a step in the current state: `by` is what blocks the successor state,
    /// none if there is no such state.
    pub(super) fn label_of(
        &mut self,
        step: SegmentId,
        aim: Aim,
        by: Option<By>,
    ) -> Result<TermId, NoLabel> {
        let row = &self.graph.steps[step];
        let ctx = &mut self.ctx;
        let (guard, after) = match &row.kind {
            SegmentKind::Formula(formula) => {
                let by = by.map(|by| by.of(aim));
                let by = by.filter(|&by| ctx.store.as_bool(by) != Some(false));
                let after = by.map(|by| {
                    let mut map = ctx.renaming(formula);
                    row.tick(ctx, &self.states.clocks, &mut map);
                    ctx.store.substitute(by, &map)
                });
                (formula.guard, after)
            }
            SegmentKind::Call(call) => {
                let call = call.clone();
                return match by {
                    Some(by) => self.label_of_call(step, &call, aim, by),
                    None => self.label_against(aim, call.guard, None),
                };
            }
            SegmentKind::Escape(guard, _) => match guard {
                Some(guard) => (*guard, None),
                None => return Ok(ctx.store.bool(true)),
            },
            SegmentKind::Opaque(what, _) => {
                return Err(NoLabel::Unknown(format!("nothing is known of {what}")));
            }
        };
        match after {
            Some(after) => self.label_before(aim, guard, after),
            None => self.label_against(aim, guard, None),
        }
    }

    /// LearnC: a label of a call, from what blocks the callee's entry and what blocks the return.
    fn label_of_call(
        &mut self,
        step: SegmentId,
        call: &CallStep,
        aim: Aim,
        by: By,
    ) -> Result<TermId, NoLabel> {
        let mut labels = Vec::new();
        if aim == Aim::Goal {
            let entered = self.at_entry(step, call, by.goal);
            labels.push(self.label_before(aim, call.guard, entered)?);
        }
        if self.graph.callables[&call.callee].returns {
            let excluded = self.at_entry(step, call, by.exit);
            let returns = self.ctx.store.not(excluded);
            let ranges = self.graph.left_in_range(&mut self.ctx, call);
            let guard = self.ctx.store.and(&[call.guard, returns, ranges]);
            labels.push(self.label_of_return(step, call, aim, guard)?);
        }
        let label = self.ctx.store.and(&labels);
        Ok(self.ctx.store.simplify(label))
    }

    /// A label that implies that the state after a call is blocked: by one disjunct of the label
    /// there, if that is enough.
    fn label_of_return(
        &mut self,
        step: SegmentId,
        call: &CallStep,
        aim: Aim,
        guard: TermId,
    ) -> Result<TermId, NoLabel> {
        let place = (Spot::Point(self.graph.steps[step].target), aim);
        let mut ways: Vec<TermId> = self.labels.cases(place).to_vec();
        ways.reverse();
        ways.push(self.labels.formula(&mut self.ctx, place));
        for way in ways {
            let behind = self.graph.behind(&mut self.ctx, call, &call.left, way);
            match self.label_before(aim, guard, behind) {
                Err(NoLabel::NotBlocked) => {}
                found => return found,
            }
        }
        Err(NoLabel::NotBlocked)
    }

    pub(super) fn at_entry(&mut self, step: SegmentId, call: &CallStep, formula: TermId) -> TermId {
        let row = &self.graph.steps[step];
        let clocks = &self.states.clocks;
        (self.graph).at_entry(&mut self.ctx, row, call, clocks, formula)
    }

    /// A label that holds in the current state, and where the condition of a step implies what must
    /// hold before the step; conjunct by conjunct.
    fn label_before(&mut self, aim: Aim, guard: TermId, after: TermId) -> Result<TermId, NoLabel> {
        let after = self.ctx.store.simplify(after);
        let labels = self.ctx.store.conjuncts(after).into_iter();
        let labels = labels.map(|part| self.label_against(aim, guard, Some(part)));
        let labels: Vec<TermId> = labels.collect::<Result<_, _>>()?;
        let label = self.ctx.store.and(&labels);
        Ok(self.ctx.store.simplify(label))
    }

    /// The same for one conjunct; the condition must be false if nothing is asked for.
    fn label_against(
        &mut self,
        aim: Aim,
        guard: TermId,
        part: Option<TermId>,
    ) -> Result<TermId, NoLabel> {
        let ctx = &mut self.ctx;
        let outside = match part {
            Some(part) => ctx.store.not(part),
            None => ctx.store.bool(true),
        };
        let excluded = ctx.store.and(&[guard, outside]);
        let ranges = self.ranges(aim, &[excluded]);
        let excluded = self.ctx.store.and(&[ranges, excluded]);
        if super::check(&mut self.ctx, &[excluded]) == Answer::Unsat {
            return Ok(self.ctx.store.bool(true));
        }
        match self.simple_label(aim, guard, part, excluded) {
            Some(label) => Ok(label),
            None => self.interpolant(aim, excluded),
        }
    }

    /// The ranges of what formulas of the current procedure mention.
    fn ranges(&mut self, aim: Aim, formulas: &[TermId]) -> TermId {
        let ctx = &mut self.ctx;
        let ranges = ctx.in_range(ctx.vars_of(formulas));
        match (aim, self.states.frames().last()) {
            (Aim::Exit, Some(frame)) => {
                let left = self.graph.callables[&frame.callee].in_range(ctx);
                ctx.store.and(&[ranges, left])
            }
            (Aim::Goal, _) | (Aim::Exit, None) => ranges,
        }
    }

    /// A label that needs no search: the negated condition of the step, if that holds; or what must
    /// hold, if it does so regardless of the condition. Constraints on the exit state need not be
    /// exact: an inequality will do.
    fn simple_label(
        &mut self,
        aim: Aim,
        guard: TermId,
        part: Option<TermId>,
        excluded: TermId,
    ) -> Option<TermId> {
        let store = &mut self.ctx.store;
        let label = match part {
            None if store.is_literal(guard) => store.not(guard),
            None => return None,
            Some(part) => part,
        };
        if aim == Aim::Exit {
            let plain = plain(&mut self.ctx, label);
            if let Some(plain) = plain
                && self.separates(aim, plain, excluded)
            {
                return Some(plain);
            }
            if !is_inequality(&self.ctx, label) {
                return None;
            }
        }
        (self.is_of_state(aim, label) && self.holds(aim, label)).then_some(label)
    }

    /// Whether a formula about the state holds at the end of the path.
    fn holds(&mut self, aim: Aim, label: TermId) -> bool {
        let value = self.states.value(&mut self.ctx, label);
        let outside = self.ctx.store.not(value);
        let outside = match (aim, self.unwanted()) {
            (Aim::Exit, Some(unwanted)) => self.ctx.store.and(&[outside, unwanted]),
            (Aim::Goal, _) | (Aim::Exit, None) => outside,
        };
        matches!(self.states.model(&mut self.ctx, outside), Ok(None))
    }

    /// Whether a formula is a label: it holds, and excludes what it must.
    fn separates(&mut self, aim: Aim, label: TermId, excluded: TermId) -> bool {
        self.is_of_state(aim, label)
            && super::check(&mut self.ctx, &[label, excluded]) == Answer::Unsat
            && self.holds(aim, label)
    }

    /// A formula over the state that holds at the end of the path and excludes another.
    fn interpolant(&mut self, aim: Aim, excluded: TermId) -> Result<TermId, NoLabel> {
        let symbols = self.ctx.store.symbols_of(&[excluded]);
        let mut known = self.states.known(&mut self.ctx, symbols);
        if let (Aim::Exit, Some(unwanted)) = (aim, self.unwanted()) {
            known.extend(self.ctx.store.conjuncts(unwanted));
        }
        let known = core(&mut self.ctx, &known, excluded)?;
        let known = self.ctx.store.and(&known);
        let label = self.between(known, excluded).map_err(NoLabel::Unknown)?;
        if aim == Aim::Exit {
            if let Some(plain) = plain(&mut self.ctx, label)
                && self.separates(aim, plain, excluded)
            {
                return Ok(plain);
            }
            if let Ok(strongest) = self.between(excluded, known) {
                let weakest = self.ctx.store.not(strongest);
                let weakest = self.ctx.store.simplify(weakest);
                if self.is_of_state(aim, weakest) {
                    return Ok(weakest);
                }
            }
        }
        match self.is_of_state(aim, label) {
            true => Ok(label),
            false => Err(NoLabel::Unknown(
                "an interpolant is not about the state".to_owned(),
            )),
        }
    }

    /// A formula that follows from one and excludes another, over what both mention.
    fn between(&mut self, known: TermId, excluded: TermId) -> Result<TermId, String> {
        let ctx = &mut self.ctx;
        let budget = limited(&ctx.budget);
        let shape = Shape::sequence(2);
        let parts = [known, excluded];
        let interpolator = &mut self.interpolator;
        let found =
            (interpolator.interpolate(&mut ctx.store, shape.of(&parts), &budget)).found()?;
        Ok(ctx.store.simplify(found[0]))
    }

    /// Whether a formula mentions only the state and the times to live, or also the exit state.
    fn is_of_state(&self, aim: Aim, formula: TermId) -> bool {
        let frame = self.states.frames().last().filter(|_| aim == Aim::Exit);
        let left = frame.map(|frame| &self.graph.callables[&frame.callee].left);
        let mut symbols = self.ctx.store.symbols_of(&[formula]).into_iter();
        symbols.all(|symbol| {
            self.states.clocks.contains(&symbol)
                || self.ctx.state.var(symbol).is_some()
                || left.is_some_and(|left| left.values().any(|&it| it == symbol))
        })
    }
}

/// Whether a formula is a linear inequality.
fn is_inequality(ctx: &Context, formula: TermId) -> bool {
    let atom = match ctx.store.node(formula) {
        Node::Not(atom) => *atom,
        _ => formula,
    };
    matches!(ctx.store.node(atom), Node::AtMostZero(_))
}

/// The inequalities without their constants, which only say that one term is below another; nothing
/// if a conjunct is not an inequality, or none has a constant.
fn plain(ctx: &mut Context, label: TermId) -> Option<TermId> {
    let mut parts = Vec::new();
    for part in ctx.store.conjuncts(label) {
        let (sum, is_negated) = match ctx.store.node(part) {
            Node::AtMostZero(sum) => (*sum, false),
            Node::Not(atom) => match ctx.store.node(*atom) {
                Node::AtMostZero(sum) => (*sum, true),
                _ => return None,
            },
            _ => return None,
        };
        let (_, terms) = ctx.store.to_linear(sum);
        if terms.len() < 2 {
            parts.push(part);
            continue;
        }
        let terms: Vec<_> = match is_negated {
            true => terms
                .into_iter()
                .map(|(term, by)| (term, &logic::Integer::ZERO - &by))
                .collect(),
            false => terms,
        };
        let sum = ctx.store.linear(&logic::Integer::ZERO, &terms);
        let zero = ctx.store.int(0i64);
        parts.push(ctx.store.lt(sum, zero));
    }
    Some(ctx.store.and(&parts))
}

/// Conjuncts that exclude a formula, few of them.
fn core(ctx: &mut Context, known: &[TermId], excluded: TermId) -> Result<Vec<TermId>, NoLabel> {
    let budget = limited(&ctx.budget);
    ctx.solver.push();
    ctx.solver.assert(&ctx.store, excluded);
    let answer = ctx.solver.check(&ctx.store, known, &budget);
    let core = ctx.solver.core().to_vec();
    ctx.solver.pop();
    match answer {
        Answer::Unsat => Ok(core),
        Answer::Sat => Err(NoLabel::NotBlocked),
        Answer::Unknown(why) => Err(NoLabel::Unknown(why)),
    }
}
