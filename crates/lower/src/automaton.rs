//! A violation witness as an automaton beside the program: a counter of the segments passed so far,
//! and a step at each event that a waypoint names.
//!
//! # Invariants
//! - Steps read the program's variables and write only the counter; a step to be avoided ends the
//!   run.
//! - An event passes at most one waypoint, and waypoints to avoid come first.
//! - Where an assumption may be undefined there is an error location of [`Property::Invariant`].

use super::procedure::Lowering;
use base::Span;
use cfront::ast::{Case, Expr as CExpr};
use cfront::claim::{Claim, ClaimKind};
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, Expr, FloatType, Type};
use program::ir::{Halt, LocationId, Op, Place};

/// The name of the counter, which is a global.
pub const COUNTER: &str = "$segment";

/// What waypoints ask for.
#[derive(Clone, Default, Debug)]
pub struct Automaton {
    /// Any number for a segment.
    pub steps: Vec<WitnessStep>,
}

/// A waypoint.
#[derive(Clone, Debug)]
pub struct WitnessStep {
    /// It counts when so many segments have been passed.
    pub segment: u32,
    /// Whether the run ends with it; otherwise the segment has been passed.
    pub avoid: bool,
    /// When it is passed.
    pub event: Event,
}

/// Something that happens in a run, by the texts of expressions.
#[derive(Clone, Debug)]
pub enum Event {
    /// The call is about to be made, and its arguments to be evaluated.
    Enter(Span),
    /// The call has returned, and its value compares so.
    Return(Span, Option<(BinaryOp, Number)>),
    /// The condition decides so.
    Condition(Span, bool),
    /// The value of a `switch` is this; nothing for `default`.
    Switch(Span, Option<i128>),
    /// The claim of that number holds before its statement.
    Assumption(usize),
}

/// A constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// One with a fraction.
    Float(f64),
}

/// What must hold for a step.
enum Test<'a> {
    Value(Expr),
    Claim(&'a Claim),
}

impl<'a> Lowering<'_, 'a> {
    fn steps(&self, test: impl Fn(&Event) -> Option<Expr>) -> Vec<(&'a WitnessStep, Test<'a>)> {
        let all: &'a [WitnessStep] = self.cx.automaton.map_or(&[], |automaton| &automaton.steps);
        let steps = all.iter();
        let steps = steps.filter_map(|step| Some((step, Test::Value(test(&step.event)?))));
        steps.collect()
    }

    /// The call of this text is about to be made.
    pub(super) fn is_entered(&mut self, call: Span) {
        let steps = self.steps(|event| {
            matches!(event, Event::Enter(span) if *span == call).then(|| Expr::bool(true))
        });
        self.follow(steps, call);
    }

    /// Whether something depends on the value of a call.
    pub(super) fn is_watched(&self, call: Span) -> bool {
        let is_it = |event: &Event| matches!(event, Event::Return(span, Some(_)) if *span == call);
        self.cx
            .automaton
            .is_some_and(|automaton| automaton.steps.iter().any(|step| is_it(&step.event)))
    }

    /// The call of this text has returned, perhaps with a value.
    pub(super) fn has_returned(&mut self, call: Span, value: Option<&Expr>) {
        let steps = self.steps(|event| match (event, value) {
            (Event::Return(span, None), _) if *span == call => Some(Expr::bool(true)),
            (Event::Return(span, Some((op, number))), Some(value)) if *span == call => {
                Some(compared(*op, self.ty(value), value, *number))
            }
            _ => None,
        });
        self.follow(steps, call);
    }

    /// Branches on the condition of a statement or of `?`.
    pub(super) fn decide(&mut self, condition: &'a CExpr, yes: LocationId, no: LocationId) {
        let span = condition.span;
        let is_it = |event: &Event| matches!(event, Event::Condition(at, _) if *at == span);
        let mut steps = self.cx.automaton.iter().flat_map(|all| &all.steps);
        if !steps.any(|step| is_it(&step.event)) {
            return self.branch(condition, yes, no);
        }
        let ways = [(true, yes), (false, no)].map(|(way, to)| (way, self.location(span), to));
        self.branch(condition, ways[0].1, ways[1].1);
        for (way, from, to) in ways {
            self.cur = from;
            self.has_decided(span, way);
            self.link(to, span);
        }
    }

    /// The condition of this text has decided.
    pub(super) fn has_decided(&mut self, condition: Span, way: bool) {
        let steps = self.steps(|event| match event {
            Event::Condition(span, asked) if *span == condition && *asked == way => {
                Some(Expr::bool(true))
            }
            _ => None,
        });
        self.follow(steps, condition);
    }

    /// A `switch` has a value.
    pub(super) fn has_switched(&mut self, value: &Expr, cases: &[Case], span: Span) {
        let ty = self.ty(value);
        let steps = self.steps(|event| match event {
            Event::Switch(at, Some(number)) if *at == span => {
                Some(compared(BinaryOp::Eq, ty, value, Number::Int(*number)))
            }
            Event::Switch(at, None) if *at == span => {
                let ranges = cases.iter().filter_map(|case| case.range);
                let none = ranges
                    .map(|(low, high)| Expr::not(super::flow::in_range(value, ty, low, high)));
                Some(none.fold(Expr::bool(true), Expr::and))
            }
            _ => None,
        });
        self.follow(steps, span);
    }

    /// Assumptions about the statement that comes next.
    pub(super) fn assume_claims(&mut self, at: u32, kind: ClaimKind) {
        let all: &'a [Claim] = self.body.map_or(&[], |body| &body.claims);
        let steps: &'a [WitnessStep] = self.cx.automaton.map_or(&[], |automaton| &automaton.steps);
        let mut here = Vec::new();
        for (number, claim) in all.iter().enumerate() {
            if claim.at == at && claim.kind == kind {
                self.checked.insert(number);
                let is_it = |step: &&WitnessStep| matches!(step.event, Event::Assumption(asked) if asked == claim.number);
                let step = steps.iter().find(is_it);
                here.extend(step.map(|step| (step, claim)));
            }
        }
        if let Some(&(_, claim)) = here.first() {
            let steps = here.iter().map(|&(step, claim)| (step, Test::Claim(claim)));
            self.follow(steps.collect(), claim.condition.span);
        }
    }

    fn follow(&mut self, mut steps: Vec<(&'a WitnessStep, Test<'a>)>, span: Span) {
        let Some(counter) = self.cx.counter.filter(|_| !steps.is_empty()) else {
            return;
        };
        steps.sort_by_key(|(step, _)| !step.avoid);
        let ty = IntType::unsigned(32);
        let number = |segment: u32| Expr::int(ty, i128::from(segment));
        let end = self.location(span);
        for (step, test) in steps {
            let (passed, next) = (self.location(span), self.location(span));
            let is_here = Expr::arith(BinaryOp::Eq, ty, Expr::Var(counter), number(step.segment));
            match test {
                Test::Value(test) => self.branch_to(Expr::and(is_here, test), passed, next, span),
                Test::Claim(claim) => {
                    let asked = self.location(span);
                    self.branch_to(is_here, asked, next, span);
                    self.cur = asked;
                    self.claim = Some(claim.condition.span);
                    self.branch(&claim.condition, passed, next);
                    self.claim = None;
                }
            }
            self.cur = passed;
            if step.avoid {
                self.emit_last(Op::Halt(Halt::Abort), span);
            } else {
                let count = number(step.segment + 1);
                self.emit(Op::Assign(Place::Var(counter), count), span);
                self.link(end, span);
            }
            self.cur = next;
        }
        self.go_on_at(end, span);
    }
}

/// A value compared with a constant as numbers are, without C's conversions.
fn compared(op: BinaryOp, ty: Type, value: &Expr, number: Number) -> Expr {
    let value = value.clone();
    let with =
        |ty: Type, value: Expr, number: Constant| Expr::binary(op, ty, value, Expr::Const(number));
    match (ty, number) {
        (Type::Bool, number) => {
            let ty = Type::Int(IntType::U8);
            compared(op, ty, &Expr::cast(Type::Bool, ty, value), number)
        }
        (Type::Int(int), Number::Int(number)) => {
            let exact = IntValue::wrap(int, number);
            if exact.to_string() == number.to_string() {
                return with(ty, value, Constant::Int(exact));
            }
            // It is beyond all values of the type, on one side.
            Expr::bool(match op {
                BinaryOp::Ne => true,
                BinaryOp::Lt | BinaryOp::Le => number > 0,
                BinaryOp::Gt | BinaryOp::Ge => number < 0,
                _ => false,
            })
        }
        (Type::Float(_), number) => {
            let wide = Type::Float(FloatType::F64);
            let number = match number {
                Number::Int(number) => number as f64,
                Number::Float(number) => number,
            };
            let number = Constant::Float(FloatType::F64, number.to_bits());
            with(wide, Expr::cast(ty, wide, value), number)
        }
        (Type::Ptr, Number::Int(0)) => with(ty, value, Constant::Null),
        (Type::Ptr | Type::Int(_), _) => Expr::bool(false),
    }
}
