//! From formulas to clauses over atoms.
//!
//! Subformulas get names local to their part, with implications in one direction only: the name
//! implies the subformula. Remainders, quotients and choices get variables that stand for these
//! terms, with clauses that define them, so they may be used wherever their symbols may.
//!
//! Nothing here is recursive: what a name or a variable stands for is put on a worklist.

use crate::linear::{Linear, VarId};
use crate::literal::{Atom, Literal};
use crate::scope::Scopes;
use crate::table::{Claim, Table};
use logic::{FunctionId, Integer, Node, Rational, Sort, TermId, TermStore};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A clause of a part.
#[derive(Clone, PartialEq, Debug)]
pub struct PartClause {
    /// One of them holds.
    pub literals: Vec<Literal>,
    /// The part that says so.
    pub part: usize,
}

/// What gives equal results for equal arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Callee {
    /// A function.
    Function(FunctionId),
    /// An array, which is a function of its index.
    Array(TermId),
}

/// An application of a function, or an element of an array.
#[derive(Clone, PartialEq, Debug)]
pub struct Application {
    /// The function or array.
    pub callee: Callee,
    /// What it is applied to.
    pub arguments: Vec<Linear>,
    /// Its value.
    pub result: VarId,
}

/// What is still to be defined.
enum Open {
    Formula(Literal, TermId, bool),
    Var(VarId, TermId),
}

/// Turns the parts of a problem into clauses.
pub struct Encoder<'a> {
    pub(crate) store: &'a mut TermStore,
    pub(crate) table: &'a mut Table,
    pub(crate) scopes: &'a mut Scopes,
    /// The clauses so far.
    pub clauses: Vec<PartClause>,
    /// The applications so far.
    pub applications: Vec<Application>,
    names: FxHashMap<(usize, TermId, bool), Literal>,
    open: Vec<Open>,
    /// The part that new clauses belong to.
    pub(crate) part: usize,
}

impl<'a> Encoder<'a> {
    /// Without clauses.
    pub fn new(store: &'a mut TermStore, table: &'a mut Table, scopes: &'a mut Scopes) -> Self {
        Encoder {
            store,
            table,
            scopes,
            clauses: Vec::new(),
            applications: Vec::new(),
            names: FxHashMap::default(),
            open: Vec::new(),
            part: 0,
        }
    }

    /// Adds all parts, and terms that each belong to any part that can mention them; `Err` names a
    /// term that the prover does not know.
    pub fn parts(&mut self, parts: &[TermId], terms: &BTreeSet<TermId>) -> Result<(), TermId> {
        for (number, &part) in parts.iter().enumerate() {
            self.part(number, part)?;
        }
        for &term in terms {
            let scope = self.scopes.of_term(self.store, term);
            self.part = scope.first().unwrap_or(0);
            self.linear(term)?;
            self.define_open()?;
        }
        let all: Vec<TermId> = parts.iter().chain(terms).copied().collect();
        self.arrays(&all)
    }

    fn part(&mut self, part: usize, formula: TermId) -> Result<(), TermId> {
        self.part = part;
        for conjunct in self.store.conjuncts(formula) {
            let claims = self.disjuncts(conjunct, true)?;
            self.clause(claims);
        }
        self.define_open()
    }

    pub(crate) fn define_open(&mut self) -> Result<(), TermId> {
        while let Some(open) = self.open.pop() {
            match open {
                Open::Formula(name, formula, positive) => self.define(name, formula, positive)?,
                Open::Var(var, term) => self.define_var(var, term)?,
            }
        }
        Ok(())
    }

    /// Adds a clause unless it is known to hold.
    pub(crate) fn clause(&mut self, claims: Vec<Claim>) {
        let mut literals = Vec::new();
        for claim in claims {
            match claim {
                Claim::Known(true) => return,
                Claim::Known(false) => {}
                Claim::Open(literal) => literals.push(literal),
            }
        }
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|pair| pair[0] == pair[1].negated()) {
            return;
        }
        let part = self.part;
        self.clauses.push(PartClause { literals, part });
    }

    /// The members of a disjunction, or of a negated conjunction; the formula itself if it is none.
    pub(crate) fn disjuncts(
        &mut self,
        formula: TermId,
        positive: bool,
    ) -> Result<Vec<Claim>, TermId> {
        let members = match (self.store.node(formula), positive) {
            (Node::Or(members), true) | (Node::And(members), false) => members.clone(),
            _ => Box::from([formula]),
        };
        let claims = members.iter().map(|&member| self.claim(member, positive));
        claims.collect()
    }

    /// What implies a formula, or its negation.
    fn claim(&mut self, formula: TermId, positive: bool) -> Result<Claim, TermId> {
        use Node::*;
        let part = self.part;
        let claim = match self.store.node(formula).clone() {
            Bool(value) => Claim::Known(value),
            Symbol(_) | SameArray(..) => {
                let atom = self.table.atom(Atom::Truth(formula), Some(part));
                Claim::Open(Literal::new(atom, true))
            }
            AtMostZero(sum) | Below(sum) => {
                let strict = matches!(self.store.node(formula), Below(_));
                let linear = self.linear(sum)?;
                self.table.at_most_zero(&linear, strict, Some(part))
            }
            IsZero(sum) | RealIsZero(sum) => self.is_zero(sum)?,
            Divides(divisor, a) => {
                let rest = self.store.modulo(a, &divisor);
                self.is_zero(rest)?
            }
            Apply(..) => {
                let value = self.truth_value(formula);
                let mut linear = self.linear(value)?;
                linear.constant = Rational::from(-1i64);
                self.table.is_zero(&linear, Some(part))
            }
            Not(inner) => return self.claim(inner, !positive),
            And(_) | Or(_) => return Ok(Claim::Open(self.name(formula, positive))),
            Int(_) | Real(_) | Sum(..) | Div(..) | Mod(..) | Ite(..) | RealSum(..) | ToReal(_)
            | Select(..) | Store(..) | ConstantArray(_) => return Err(formula),
        };
        Ok(if positive { claim } else { claim.negated() })
    }

    fn is_zero(&mut self, term: TermId) -> Result<Claim, TermId> {
        let linear = self.linear(term)?;
        Ok(self.table.is_zero(&linear, Some(self.part)))
    }

    /// A literal that implies a conjunction or disjunction, or its negation.
    fn name(&mut self, formula: TermId, positive: bool) -> Literal {
        let key = (self.part, formula, positive);
        if let Some(name) = self.names.get(&key) {
            return *name;
        }
        let atom = Atom::Name(self.names.len());
        let name = Literal::new(self.table.atom(atom, Some(self.part)), true);
        self.names.insert(key, name);
        self.open.push(Open::Formula(name, formula, positive));
        name
    }

    fn define(&mut self, name: Literal, formula: TermId, positive: bool) -> Result<(), TermId> {
        let unless = Claim::Open(name.negated());
        let is_conjunction = matches!(self.store.node(formula), Node::And(_)) == positive;
        let members = match is_conjunction {
            true => self.store.parts(formula),
            false => vec![formula],
        };
        for member in members {
            let mut claims = self.disjuncts(member, positive)?;
            claims.push(unless);
            self.clause(claims);
        }
        Ok(())
    }

    /// A truth value as a number.
    fn truth_value(&mut self, formula: TermId) -> TermId {
        let (one, zero) = (self.store.int(1i64), self.store.int(0i64));
        self.store.ite(formula, one, zero)
    }

    /// A term of numbers as an expression.
    pub fn linear(&mut self, term: TermId) -> Result<Linear, TermId> {
        match self.store.sort(term) {
            Sort::Int => {}
            Sort::Real => return self.real(term),
            Sort::Bool | Sort::Array => return Err(term),
        }
        let (constant, parts) = self.store.to_linear(term);
        let mut linear = Linear::of_constant(Rational::from(constant));
        for (part, factor) in parts {
            let var = self.var(part)?;
            linear.add_multiple(&Rational::from(factor), &Linear::of_key(var));
        }
        Ok(linear)
    }

    fn real(&mut self, term: TermId) -> Result<Linear, TermId> {
        let (constant, parts) = self.store.to_real_linear(term);
        let mut linear = Linear::of_constant(constant);
        for (part, factor) in parts {
            // An integer is a real as it is.
            let part = match self.store.node(part) {
                Node::ToReal(integer) => self.linear(*integer)?,
                _ => Linear::of_key(self.var(part)?),
            };
            linear.add_multiple(&factor, &part);
        }
        Ok(linear)
    }

    fn var(&mut self, term: TermId) -> Result<VarId, TermId> {
        if let Some(var) = self.table.var_of(term) {
            return Ok(var);
        }
        let is_int = self.store.sort(term) == Sort::Int;
        let scope = self.scopes.of_term(self.store, term);
        let var = self.table.new_var(term, is_int, scope);
        self.open.push(Open::Var(var, term));
        Ok(var)
    }

    fn define_var(&mut self, var: VarId, term: TermId) -> Result<(), TermId> {
        use Node::*;
        match self.store.node(term).clone() {
            Symbol(_) => {}
            Apply(function, arguments) => {
                self.application(Callee::Function(function), &arguments, var)?;
            }
            Select(array, index) => {
                self.application(Callee::Array(array), &[index], var)?;
            }
            Div(a, divisor) => {
                let quotient = Linear::of_key(var);
                let rest = self.rest(a, &divisor, &quotient)?;
                self.within(&rest, &divisor);
            }
            Mod(a, divisor) => {
                let quotient = self.store.div(a, &divisor);
                let quotient = self.linear(quotient)?;
                let mut rest = self.rest(a, &divisor, &quotient)?;
                self.within(&Linear::of_key(var), &divisor);
                rest.add_multiple(&Rational::from(-1i64), &Linear::of_key(var));
                let claim = self.table.is_zero(&rest, Some(self.part));
                self.clause(vec![claim]);
            }
            Ite(condition, then, otherwise) => {
                if let Apply(function, arguments) = self.store.node(condition).clone()
                    && self.truth_value(condition) == term
                {
                    self.within(&Linear::of_key(var), &Integer::from(2i64));
                    return self.application(Callee::Function(function), &arguments, var);
                }
                for (value, taken) in [(then, true), (otherwise, false)] {
                    let claim = self.equal(value, term)?;
                    let mut claims = self.disjuncts(condition, !taken)?;
                    claims.push(claim);
                    self.clause(claims);
                }
            }
            Bool(_) | Int(_) | Real(_) | Sum(..) | RealSum(..) | ToReal(_) | Store(..)
            | ConstantArray(_) | AtMostZero(_) | IsZero(_) | Divides(..) | Below(_)
            | RealIsZero(_) | SameArray(..) | Not(_) | And(_) | Or(_) => return Err(term),
        }
        Ok(())
    }

    fn application(
        &mut self,
        callee: Callee,
        terms: &[TermId],
        result: VarId,
    ) -> Result<(), TermId> {
        let arguments = terms
            .iter()
            .map(|&it| self.linear(it))
            .collect::<Result<_, _>>()?;
        self.applications.push(Application {
            callee,
            arguments,
            result,
        });
        Ok(())
    }

    /// What a quotient leaves.
    fn rest(&mut self, a: TermId, divisor: &Integer, by: &Linear) -> Result<Linear, TermId> {
        let mut rest = self.linear(a)?;
        rest.add_multiple(&Rational::from(-divisor), by);
        Ok(rest)
    }

    /// At least zero and below a number.
    fn within(&mut self, rest: &Linear, divisor: &Integer) {
        let mut above = rest.clone();
        above.scale(&Rational::from(-1i64));
        let mut below = rest.clone();
        below.constant = &(&below.constant - &Rational::from(divisor)) + &Rational::ONE;
        for linear in [above, below] {
            let claim = self.table.at_most_zero(&linear, false, Some(self.part));
            self.clause(vec![claim]);
        }
    }
}
