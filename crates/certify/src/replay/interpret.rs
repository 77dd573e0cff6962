//! An interpreter of scalar programs, for runs that leap over loop iterations.
//!
//! It handles only integers and Booleans in variables: memory, floating-point arithmetic, calls and
//! output are refused. The semantics of operators is in [`program::fold`], and below it in
//! [`logic::machine`].
//!
//! # Invariants
//! - Every step is one that the machine would make; a leap stands for as many iterations as its
//!   lemma says, and is correct if the lemma is.

use crate::proof::inductive::lemma::{LoopLemma, LoopLemmas};
use base::IdVec;
use exec::Inputs;
use exec::inputs::SiteInputs;
use logic::{IntValue, Integer, SymbolId, TermId, TermValue};
use program::expr::{Constant, Expr, Type};
use program::fold;
use program::ir::*;
use rustc_hash::FxHashMap;

/// A run of the entry procedure of a program with its calls inlined.
#[derive(Clone, Debug)]
pub struct Interpreter<'p> {
    program: &'p Program,
    values: IdVec<VarId, Option<Constant>>,
    at: LocationId,
    inputs: SiteInputs,
    taken: Vec<(SiteId, Constant)>,
}

/// Why there is no next step.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// An error location was reached.
    Error(LocationId),
    /// The run reached its end.
    Ended,
    /// The next step is undefined, or no matter of this interpreter; which, in words.
    Refused(String),
}

/// Iterations that were leapt over.
#[derive(Clone, PartialEq, Debug)]
pub struct Leapt {
    /// By which lemma.
    pub lemma: usize,
    /// How many.
    pub iterations: Integer,
}

/// Lemmas, ready to be used.
#[derive(Debug)]
pub struct Leaps<'l> {
    given: &'l LoopLemmas,
    vars: FxHashMap<SymbolId, VarId>,
}

impl<'l> Leaps<'l> {
    /// Makes lemmas ready.
    pub fn new(given: &'l LoopLemmas) -> Self {
        let vars = given.vars.iter_enumerated();
        Leaps {
            given,
            vars: vars.map(|(var, &symbol)| (symbol, var)).collect(),
        }
    }
}

impl<'p> Interpreter<'p> {
    /// A run that has not begun.
    pub fn new(program: &'p Program, inputs: &[(SiteId, Constant)]) -> Self {
        let vars = program.vars.iter();
        Interpreter {
            program,
            values: vars.map(|var| var.init).collect(),
            at: program.procs[program.entry].entry,
            inputs: SiteInputs::new(program, inputs),
            taken: Vec::new(),
        }
    }

    /// Where it is.
    pub fn at(&self) -> LocationId {
        self.at
    }

    /// The value of a variable, if it has one and that is known.
    pub fn value(&self, var: VarId) -> Option<Constant> {
        self.values[var]
    }

    /// The inputs taken so far.
    pub fn taken(&self) -> &[(SiteId, Constant)] {
        &self.taken
    }

    /// Makes one step, along an edge.
    pub fn step(&mut self) -> Result<EdgeId, Stop> {
        let procedure = &self.program.procs[self.program.entry];
        let location = &procedure.locations[self.at];
        if location.error.is_some() {
            return Err(Stop::Error(self.at));
        }
        for &id in &location.out {
            if self.execute(&procedure.edges[id].op)? {
                self.at = procedure.edges[id].target;
                return Ok(id);
            }
        }
        Err(Stop::Ended)
    }

    /// Makes the most iterations that a lemma about the loop whose head it is at allows.
    pub fn leap(&mut self, leaps: &Leaps<'_>) -> Result<Option<Leapt>, Stop> {
        let lemmas = &leaps.given.lemmas;
        let mut best: Option<Leapt> = None;
        for (place, lemma) in lemmas.iter().enumerate() {
            if lemma.head == self.at
                && let Some(iterations) = self.iterations(leaps, lemma)
                && best
                    .as_ref()
                    .is_none_or(|best| iterations > best.iterations)
            {
                best = Some(Leapt {
                    lemma: place,
                    iterations,
                });
            }
        }
        let Some(best) = best else {
            return Ok(None);
        };
        let mut new = Vec::new();
        for (&var, &form) in &lemmas[best.lemma].closed_form {
            let value = self.term(leaps, form, Some(&best.iterations));
            let value = value.and_then(|value| constant(self.program.vars[var].ty, value));
            let Some(value) = value else {
                return refuse("a closed form has no value");
            };
            new.push((var, value));
        }
        for (var, value) in new {
            self.values[var] = Some(value);
        }
        for &var in &lemmas[best.lemma].forgotten {
            self.values[var] = None;
        }
        Ok(Some(best))
    }

    /// How many iterations a lemma is about here, if it may be used.
    fn iterations(&self, leaps: &Leaps<'_>, lemma: &LoopLemma) -> Option<Integer> {
        let usable = self.term(leaps, lemma.condition, None)?;
        match self.term(leaps, lemma.iterations, None)? {
            TermValue::Int(iterations)
                if usable == TermValue::Bool(true) && iterations.signum() > 0 =>
            {
                Some(iterations)
            }
            _ => None,
        }
    }

    /// The value of a term here, and after some iterations.
    fn term(
        &self,
        leaps: &Leaps<'_>,
        term: TermId,
        iterations: Option<&Integer>,
    ) -> Option<TermValue> {
        let value_of = |symbol: SymbolId| {
            if symbol == leaps.given.iteration {
                return iterations.cloned().map(TermValue::Int);
            }
            self.values[*leaps.vars.get(&symbol)?]?.term_value()
        };
        leaps.given.store.evaluate(term, &value_of)
    }

    /// Executes an op; false if it blocks.
    fn execute(&mut self, op: &Op) -> Result<bool, Stop> {
        match op {
            Op::Skip => {}
            Op::Assign(Place::Var(var), value) => self.values[*var] = Some(self.evaluate(value)?),
            Op::Assume(condition) => {
                return Ok(self.evaluate(condition)? == Constant::Bool(true));
            }
            Op::Havoc(Place::Var(var), site) => {
                let ty = self.program.vars[*var].ty;
                let Some(value) = self.inputs.next(*site, ty) else {
                    return Err(Stop::Ended);
                };
                if value.ty() != ty {
                    return refuse("an input is of another type than its place");
                }
                self.taken.push((*site, value));
                self.values[*var] = Some(value);
            }
            Op::Return(_) | Op::Halt(_) => return Err(Stop::Ended),
            Op::Assign(Place::Mem(..), _)
            | Op::Havoc(Place::Mem(..), _)
            | Op::Enter(_)
            | Op::Leave(_) => return refuse("the run touches memory"),
            Op::Call(_) => return refuse("the run calls what is not inlined"),
            Op::Unsupported(what) => return refuse(what),
        }
        Ok(true)
    }

    fn evaluate(&self, expr: &Expr) -> Result<Constant, Stop> {
        let value = match expr {
            Expr::Const(constant) => Some(*constant),
            Expr::Var(var) => self.values[*var],
            Expr::Unary(op, _, operand) => fold::unary(*op, self.evaluate(operand)?),
            Expr::Binary(op, _, left, right) => {
                fold::binary(*op, self.evaluate(left)?, self.evaluate(right)?)
            }
            Expr::Cast(to, operand) => fold::cast(*to, self.evaluate(operand)?),
            Expr::Select(condition, then, otherwise) => {
                return match self.evaluate(condition)? {
                    Constant::Bool(true) => self.evaluate(then),
                    _ => self.evaluate(otherwise),
                };
            }
            Expr::Overflows(op, _, left, right) => {
                let (a, b) = (self.evaluate(left)?, self.evaluate(right)?);
                fold::overflows(*op, a, b).map(Constant::Bool)
            }
            Expr::Object(_)
            | Expr::Proc(_)
            | Expr::Load(..)
            | Expr::Offset(..)
            | Expr::Valid(..)
            | Expr::Freeable(_) => return refuse("the run touches memory"),
        };
        match value {
            Some(Constant::Float(..)) => refuse("the run computes with floating-point numbers"),
            Some(value) => Ok(value),
            None => refuse("a value is not defined"),
        }
    }
}

fn refuse<T>(what: &str) -> Result<T, Stop> {
    Err(Stop::Refused(what.to_owned()))
}

/// A number or truth value as one of a type, if it is one.
fn constant(ty: Type, value: TermValue) -> Option<Constant> {
    match (ty, value) {
        (Type::Bool, TermValue::Bool(value)) => Some(Constant::Bool(value)),
        (Type::Int(ty), TermValue::Int(exact)) => {
            let value = IntValue::wrap(ty, exact.to_i128()?);
            (Integer::from(value) == exact).then_some(Constant::Int(value))
        }
        _ => None,
    }
}
