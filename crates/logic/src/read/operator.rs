//! Application of SMT-LIB's operators to their arguments.

use super::forest::{ExprId, Kind};
use super::term::{Meaning, Reader};
use super::{Read, Refusal};
use crate::smtlib;
use crate::term::{Sort, TermId};
use crate::{Integer, Rational};
use rustc_hash::FxHashMap;

impl Reader<'_, '_> {
    /// What the head of a list makes of its arguments, of which there is at least one.
    pub(super) fn apply(&mut self, expr: ExprId, arguments: Vec<TermId>) -> Read<TermId> {
        let members = self.forest.list(expr).expect("it should be a list");
        let Some(name) = self.forest.name(members[0]) else {
            return self.qualified(expr, &arguments);
        };
        match self.meaning(name).cloned() {
            Some(Meaning::Term(_)) => {
                Err(self.refuse(members[0], format!("`{name}` takes no arguments")))
            }
            Some(Meaning::Function(function)) => {
                let sorts = self.store.function(function).arguments.to_vec();
                let arguments = self.fitting(expr, arguments, &sorts)?;
                Ok(self.store.apply(function, &arguments))
            }
            Some(Meaning::Macro(defined)) => {
                let sort = |&symbol| self.store.symbol(symbol).sort;
                let sorts: Vec<Sort> = defined.parameters.iter().map(sort).collect();
                let arguments = self.fitting(expr, arguments, &sorts)?;
                let parameters = defined.parameters.iter().copied();
                let map: FxHashMap<_, _> = parameters.zip(arguments).collect();
                Ok(self.store.substitute(defined.body, &map))
            }
            None if smtlib::has_meaning(name) => self.operator(expr, name, arguments),
            None => Err(self.undeclared(members[0], name)),
        }
    }

    /// `((_ divisible n) t)`, or `((as const sort) t)`.
    fn qualified(&mut self, expr: ExprId, arguments: &[TermId]) -> Read<TermId> {
        let members = self.forest.list(expr).expect("it should be a list");
        let head = self.forest.list(members[0]).unwrap_or(&[]);
        let words: Vec<Option<&str>> = head.iter().map(|&part| self.forest.word(part)).collect();
        match (&words[..], arguments) {
            ([Some("_"), Some("divisible"), None], [term])
                if self.forest.kind(head[2]) == Kind::Numeral =>
            {
                self.expect(expr, arguments, Sort::Int)?;
                let divisor: Integer =
                    (self.forest.text(head[2]).parse()).expect("a numeral should be digits");
                if divisor.is_zero() {
                    return Err(self.refuse(head[2], "a divisor should not be zero"));
                }
                Ok(self.store.divides(&divisor, *term))
            }
            ([Some("as"), Some("const"), _], [element]) => {
                let sort = self.sort(head[2])?;
                if sort != Sort::Array {
                    return Err(self.refuse(head[2], format!("{sort} is no sort of arrays")));
                }
                self.expect(expr, arguments, Sort::Int)?;
                Ok(self.store.constant_array(*element))
            }
            _ => Err(self.refuse(members[0], "this is no function that we know")),
        }
    }

    /// Arguments that have these sorts, with integers as reals where need be.
    fn fitting(
        &mut self,
        expr: ExprId,
        mut arguments: Vec<TermId>,
        sorts: &[Sort],
    ) -> Read<Vec<TermId>> {
        if arguments.len() != sorts.len() {
            let (given, wanted) = (arguments.len(), sorts.len());
            return Err(self.refuse(expr, format!("expected {wanted} arguments, found {given}")));
        }
        for (at, (argument, &sort)) in arguments.iter_mut().zip(sorts).enumerate() {
            if sort == Sort::Real && self.store.sort(*argument) == Sort::Int {
                *argument = self.store.to_real(*argument);
            }
            if self.store.sort(*argument) != sort {
                return Err(self.wrong_sort(expr, at, self.store.sort(*argument), sort));
            }
        }
        Ok(arguments)
    }

    fn wrong_sort(
        &self,
        expr: ExprId,
        at: usize,
        found: Sort,
        wanted: impl std::fmt::Display,
    ) -> Refusal {
        let members = self.forest.list(expr).unwrap_or(&[]);
        let place = members.get(at + 1).copied().unwrap_or(expr);
        self.refuse(
            place,
            format!("expected {wanted}, found a term of sort {found}"),
        )
    }

    fn expect(&self, expr: ExprId, arguments: &[TermId], sort: Sort) -> Read<()> {
        for (at, &argument) in arguments.iter().enumerate() {
            let found = self.store.sort(argument);
            if found != sort {
                return Err(self.wrong_sort(expr, at, found, format!("sort {sort}")));
            }
        }
        Ok(())
    }

    fn expect_count(&self, expr: ExprId, found: usize, wanted: usize) -> Read<()> {
        if found == wanted {
            return Ok(());
        }
        let plural = if wanted == 1 { "" } else { "s" };
        Err(self.refuse(
            expr,
            format!("expected {wanted} argument{plural}, found {found}"),
        ))
    }

    /// Makes the arguments one sort: reals if there is one among integers.
    fn unify(&mut self, expr: ExprId, arguments: &mut [TermId]) -> Read<Sort> {
        self.widen(arguments);
        let sort = self.store.sort(arguments[0]);
        self.expect(expr, arguments, sort)?;
        Ok(sort)
    }

    /// Makes integers reals if there is a real among them.
    fn widen(&mut self, arguments: &mut [TermId]) {
        let has_real = arguments.iter().any(|&a| self.store.sort(a) == Sort::Real);
        for argument in arguments.iter_mut() {
            if has_real && self.store.sort(*argument) == Sort::Int {
                *argument = self.store.to_real(*argument);
            }
        }
    }

    fn unify_numbers(&mut self, expr: ExprId, arguments: &mut [TermId]) -> Read<Sort> {
        for (at, &argument) in arguments.iter().enumerate() {
            let found = self.store.sort(argument);
            if !matches!(found, Sort::Int | Sort::Real) {
                return Err(self.wrong_sort(expr, at, found, "a number"));
            }
        }
        self.unify(expr, arguments)
    }

    fn operator(&mut self, expr: ExprId, name: &str, mut arguments: Vec<TermId>) -> Read<TermId> {
        match name {
            "not" => {
                self.expect_count(expr, arguments.len(), 1)?;
                self.expect(expr, &arguments, Sort::Bool)?;
                Ok(self.store.not(arguments[0]))
            }
            "and" | "or" | "=>" | "xor" => {
                self.expect(expr, &arguments, Sort::Bool)?;
                Ok(self.junction(name, &arguments))
            }
            "ite" => {
                self.expect_count(expr, arguments.len(), 3)?;
                self.expect(expr, &arguments[..1], Sort::Bool)?;
                let condition = arguments[0];
                self.unify_branches(expr, &mut arguments)?;
                Ok(self.store.ite(condition, arguments[1], arguments[2]))
            }
            "=" | "distinct" | "<" | "<=" | ">" | ">=" => self.relation(expr, name, arguments),
            "+" | "-" => {
                self.unify_numbers(expr, &mut arguments)?;
                Ok(match &arguments[..] {
                    [single] if name == "-" => self.store.neg(*single),
                    _ => self.store.sum(&arguments, name == "-"),
                })
            }
            "*" => self.product(expr, arguments),
            "/" => self.quotient(expr, arguments),
            "div" | "mod" => self.division(expr, name == "mod", &arguments),
            "abs" => {
                self.expect_count(expr, arguments.len(), 1)?;
                self.unify_numbers(expr, &mut arguments)?;
                let negated = self.store.neg(arguments[0]);
                let positive = self.store.le(negated, arguments[0]);
                Ok(self.store.ite(positive, arguments[0], negated))
            }
            "to_real" => {
                self.expect_count(expr, arguments.len(), 1)?;
                self.unify_numbers(expr, &mut arguments)?;
                Ok(self.store.to_real(arguments[0]))
            }
            "to_int" | "is_int" => self.floor(expr, name == "is_int", &arguments),
            "divisible" => Err(self.refuse(expr, "expected ((_ divisible n) term)")),
            "select" => {
                let arguments = self.fitting(expr, arguments, &[Sort::Array, Sort::Int])?;
                Ok(self.store.select(arguments[0], arguments[1]))
            }
            "store" => {
                let sorts = [Sort::Array, Sort::Int, Sort::Int];
                let arguments = self.fitting(expr, arguments, &sorts)?;
                Ok(self.store.store(arguments[0], arguments[1], arguments[2]))
            }
            _ => Err(self.refuse(expr, format!("`{name}` is no function"))),
        }
    }

    fn unify_branches(&mut self, expr: ExprId, arguments: &mut [TermId]) -> Read<()> {
        let branches = &mut arguments[1..];
        self.widen(branches);
        let wanted = self.store.sort(branches[0]);
        let found = self.store.sort(branches[1]);
        if found == wanted {
            return Ok(());
        }
        Err(self.wrong_sort(expr, 2, found, format!("sort {wanted}")))
    }

    fn junction(&mut self, name: &str, arguments: &[TermId]) -> TermId {
        match name {
            "and" => self.store.and(arguments),
            "or" => self.store.or(arguments),
            "=>" => {
                let (&last, premises) = arguments.split_last().expect("there is an argument");
                let mut members = vec![last];
                members.extend(premises.iter().map(|&premise| self.store.not(premise)));
                self.store.or(&members)
            }
            _ => {
                let (&first, others) = arguments.split_first().expect("there is an argument");
                let others = others.iter();
                others.fold(first, |sum, &argument| self.store.ne(sum, argument))
            }
        }
    }

    /// A chain of comparisons, or that all terms differ.
    fn relation(&mut self, expr: ExprId, name: &str, mut arguments: Vec<TermId>) -> Read<TermId> {
        if arguments.len() < 2 {
            return Err(self.refuse(expr, "expected two arguments or more"));
        }
        match name {
            "=" | "distinct" => self.unify(expr, &mut arguments)?,
            _ => self.unify_numbers(expr, &mut arguments)?,
        };
        let mut members = Vec::new();
        if name == "distinct" {
            for (at, &a) in arguments.iter().enumerate() {
                for &b in &arguments[at + 1..] {
                    members.push(self.store.ne(a, b));
                }
            }
            return Ok(self.store.and(&members));
        }
        for pair in arguments.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            members.push(match name {
                "=" => self.store.eq(a, b),
                "<" => self.store.lt(a, b),
                "<=" => self.store.le(a, b),
                ">" => self.store.lt(b, a),
                _ => self.store.le(b, a),
            });
        }
        Ok(self.store.and(&members))
    }

    fn product(&mut self, expr: ExprId, mut arguments: Vec<TermId>) -> Read<TermId> {
        let sort = self.unify_numbers(expr, &mut arguments)?;
        let mut product = arguments[0];
        for (at, &argument) in arguments.iter().enumerate().skip(1) {
            let scaled = match (self.constant(product), self.constant(argument)) {
                (Some(factor), _) => self.scaled(sort, &factor, argument),
                (None, Some(factor)) => self.scaled(sort, &factor, product),
                (None, None) => {
                    let place = self.forest.list(expr).unwrap_or(&[]).get(at + 1).copied();
                    let message = "a product of two terms that are not constants is not linear";
                    return Err(self.refuse(place.unwrap_or(expr), message));
                }
            };
            product = scaled;
        }
        Ok(product)
    }

    fn scaled(&mut self, sort: Sort, factor: &Rational, term: TermId) -> TermId {
        match factor.to_integer() {
            Some(factor) if sort == Sort::Int => self.store.scale(factor, term),
            _ => self.store.real_scale(factor, term),
        }
    }

    /// The number that a term is.
    fn constant(&self, term: TermId) -> Option<Rational> {
        let int = self.store.as_int(term).map(Rational::from);
        int.or_else(|| self.store.as_real(term).cloned())
    }

    fn quotient(&mut self, expr: ExprId, mut arguments: Vec<TermId>) -> Read<TermId> {
        self.unify_numbers(expr, &mut arguments)?;
        let mut quotient = self.store.to_real(arguments[0]);
        for (at, &argument) in arguments.iter().enumerate().skip(1) {
            let divisor = self.divisor(expr, at, argument)?;
            quotient = self.store.real_scale(&divisor.inverse(), quotient);
        }
        Ok(quotient)
    }

    /// A divisor that is a number, and not zero.
    fn divisor(&self, expr: ExprId, at: usize, term: TermId) -> Read<Rational> {
        let place = self.forest.list(expr).unwrap_or(&[]).get(at + 1).copied();
        let place = place.unwrap_or(expr);
        match self.constant(term) {
            Some(divisor) if divisor.is_zero() => {
                Err(self.refuse(place, "a division by zero is not supported"))
            }
            Some(divisor) => Ok(divisor),
            None => Err(self.refuse(place, "a divisor should be a constant")),
        }
    }

    /// Quotients and remainders of integers: the remainder is never negative.
    fn division(&mut self, expr: ExprId, modulo: bool, arguments: &[TermId]) -> Read<TermId> {
        self.expect(expr, arguments, Sort::Int)?;
        if modulo || arguments.len() < 2 {
            self.expect_count(expr, arguments.len(), 2)?;
        }
        let mut result = arguments[0];
        for (at, &argument) in arguments.iter().enumerate().skip(1) {
            let divisor = self.divisor(expr, at, argument)?.floor();
            if modulo {
                result = self.store.modulo(result, &divisor.abs());
                continue;
            }
            result = self.store.div(result, &divisor.abs());
            if divisor.signum() < 0 {
                result = self.store.neg(result);
            }
        }
        Ok(result)
    }

    /// The integer below a real, or whether the real is that integer.
    fn floor(&mut self, expr: ExprId, asks: bool, arguments: &[TermId]) -> Read<TermId> {
        let arguments = self.fitting(expr, arguments.to_vec(), &[Sort::Real])?;
        let Some((sum, divisor)) = self.store.to_fraction(arguments[0]) else {
            let message =
                "the integer part of a real is only supported where it is made of integers";
            return Err(self.refuse(expr, message));
        };
        Ok(if asks {
            self.store.divides(&divisor, sum)
        } else {
            self.store.div(sum, &divisor)
        })
    }
}
