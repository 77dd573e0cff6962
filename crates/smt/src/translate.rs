//! Translation of our terms to Z3's.
//!
//! # Invariants
//! - The cache is dropped all at once when it becomes too large, and piecewise when the store drops
//!   terms; Z3 itself holds what it still needs.

use crate::z3::build::{Name, TermOperator, apply, constant, integer, operate, real, truth};
use crate::z3::context::{Ast, Context, Error};
use base::Id;
use logic::{Epoch, Integer, Node, Rational, TermId, TermStore};
use std::rc::Rc;

/// How many terms are remembered.
const LIMIT: usize = 100_000;

/// Translates terms of one store and remembers them.
pub(crate) struct Translator {
    context: Rc<Context>,
    /// By the numbers of the terms.
    known: Vec<Option<Ast>>,
    count: usize,
    seen: Epoch,
}

impl Translator {
    /// Remembers nothing yet.
    pub(crate) fn new(context: &Rc<Context>) -> Translator {
        Translator {
            context: context.clone(),
            known: Vec::new(),
            count: 0,
            seen: Epoch::default(),
        }
    }

    /// Forgets the terms that the store has dropped; says how many are left.
    pub(crate) fn refresh(&mut self, store: &TermStore) -> usize {
        let kept = store.kept_since(self.seen);
        self.seen = store.epoch();
        if kept < self.known.len() {
            let dropped = self.known.drain(kept..);
            self.count -= dropped.flatten().count();
        }
        kept
    }

    /// Z3's term. Does not recurse, as terms can be deep.
    pub(crate) fn translate(&mut self, store: &TermStore, term: TermId) -> Result<Ast, Error> {
        if let Some(ast) = self.get(term) {
            return Ok(ast.clone());
        }
        if self.count > LIMIT {
            self.known.clear();
            self.count = 0;
        }
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            let waiting = open.len();
            let unknown = |part: &TermId| self.get(*part).is_none();
            open.extend(needed(store, next).into_iter().filter(unknown));
            if open.len() > waiting {
                continue;
            }
            open.pop();
            if self.get(next).is_none() {
                let ast = self.made(store, next)?;
                self.remember(next, ast);
            }
        }
        self.part(term).cloned()
    }

    fn get(&self, term: TermId) -> Option<&Ast> {
        self.known.get(term.index())?.as_ref()
    }

    fn part(&self, term: TermId) -> Result<&Ast, Error> {
        Ok(self.get(term).ok_or("a part should be translated before")?)
    }

    fn remember(&mut self, term: TermId, ast: Ast) {
        let place = term.index();
        if self.known.len() <= place {
            self.known.resize(place + 1, None);
        }
        self.known[place] = Some(ast);
        self.count += 1;
    }

    /// The term, whose parts are known.
    fn made(&self, store: &TermStore, term: TermId) -> Result<Ast, Error> {
        let context = &self.context;
        match store.node(term) {
            Node::Bool(value) => truth(context, *value),
            Node::Int(value) => integer(context, value),
            Node::Real(value) => real(context, value),
            Node::Symbol(symbol) => {
                let sort = store.symbol(*symbol).sort;
                constant(context, Name::Symbol(symbol.index()), sort)
            }
            Node::Sum(number, parts) => self.sum(number, parts),
            Node::RealSum(number, parts) => self.real_sum(number, parts),
            Node::Div(a, divisor) => self.by_constant(TermOperator::Div, *a, divisor),
            Node::Mod(a, divisor) => self.by_constant(TermOperator::Mod, *a, divisor),
            Node::Divides(divisor, a) => {
                let rest = self.by_constant(TermOperator::Mod, *a, divisor)?;
                let zero = integer(context, &Integer::ZERO)?;
                operate(context, TermOperator::Equal, &[rest, zero])
            }
            Node::Ite(condition, then, otherwise) => {
                self.operate(TermOperator::Choice, &[*condition, *then, *otherwise])
            }
            Node::ToReal(a) => self.operate(TermOperator::ToReal, &[*a]),
            Node::Apply(function, arguments) => {
                let parts = self.parts(arguments)?;
                let name = Name::Function(function.index());
                apply(context, name, store.function(*function), &parts)
            }
            Node::Select(array, index) => self.operate(TermOperator::Select, &[*array, *index]),
            Node::Store(array, index, element) => {
                self.operate(TermOperator::Store, &[*array, *index, *element])
            }
            Node::ConstantArray(element) => self.operate(TermOperator::ConstantArray, &[*element]),
            Node::AtMostZero(sum) => self.compared(store, TermOperator::AtMost, *sum),
            Node::IsZero(sum) => self.compared(store, TermOperator::Equal, *sum),
            Node::Below(sum) => self.compared_real(TermOperator::Below, *sum),
            Node::RealIsZero(sum) => self.compared_real(TermOperator::Equal, *sum),
            Node::SameArray(a, b) => self.operate(TermOperator::Equal, &[*a, *b]),
            Node::Not(a) => self.operate(TermOperator::Not, &[*a]),
            Node::And(parts) => self.operate(TermOperator::And, parts),
            Node::Or(parts) => self.operate(TermOperator::Or, parts),
        }
    }

    fn parts(&self, terms: &[TermId]) -> Result<Vec<&Ast>, Error> {
        terms.iter().map(|&term| self.part(term)).collect()
    }

    fn operate(&self, of: TermOperator, parts: &[TermId]) -> Result<Ast, Error> {
        operate(&self.context, of, &self.parts(parts)?)
    }

    fn by_constant(&self, of: TermOperator, a: TermId, number: &Integer) -> Result<Ast, Error> {
        let number = integer(&self.context, number)?;
        operate(&self.context, of, &[self.part(a)?, &number])
    }

    fn sum(&self, number: &Integer, parts: &[(TermId, Integer)]) -> Result<Ast, Error> {
        let mut members = Vec::with_capacity(parts.len() + 1);
        for (part, factor) in parts {
            let part = self.part(*part)?;
            members.push(if *factor == Integer::ONE {
                part.clone()
            } else {
                let factor = integer(&self.context, factor)?;
                operate(&self.context, TermOperator::Times, &[&factor, part])?
            });
        }
        if !number.is_zero() {
            members.push(integer(&self.context, number)?);
        }
        self.total(&members)
    }

    fn real_sum(&self, number: &Rational, parts: &[(TermId, Rational)]) -> Result<Ast, Error> {
        let mut members = Vec::with_capacity(parts.len() + 1);
        for (part, factor) in parts {
            let factors = [&real(&self.context, factor)?, self.part(*part)?];
            members.push(operate(&self.context, TermOperator::Times, &factors)?);
        }
        members.push(real(&self.context, number)?);
        self.total(&members)
    }

    fn total(&self, members: &[Ast]) -> Result<Ast, Error> {
        match members {
            [single] => Ok(single.clone()),
            _ => operate(&self.context, TermOperator::Add, members),
        }
    }

    /// A comparison with zero; the constant goes to the other side, where Z3 wants it.
    fn compared(&self, store: &TermStore, of: TermOperator, sum: TermId) -> Result<Ast, Error> {
        let (left, right) = match store.node(sum) {
            Node::Sum(number, parts) => (self.sum(&Integer::ZERO, parts)?, -number),
            _ => (self.part(sum)?.clone(), Integer::ZERO),
        };
        let right = integer(&self.context, &right)?;
        operate(&self.context, of, &[&left, &right])
    }

    fn compared_real(&self, of: TermOperator, sum: TermId) -> Result<Ast, Error> {
        let zero = real(&self.context, &Rational::ZERO)?;
        operate(&self.context, of, &[self.part(sum)?, &zero])
    }
}

/// The terms that must be known to make a term.
fn needed(store: &TermStore, term: TermId) -> Vec<TermId> {
    match store.node(term) {
        Node::AtMostZero(sum) | Node::IsZero(sum) if matches!(store.node(*sum), Node::Sum(..)) => {
            store.parts(*sum)
        }
        _ => store.parts(term),
    }
}
