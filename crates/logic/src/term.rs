//! Hash-consed terms over truth values and integers.
//!
//! A [`TermStore`] owns the terms; a [`TermId`] is only good for its store. Equal terms have equal
//! ids. Constructors simplify where the result is at hand.
//!
//! # Invariants
//! - The parts of a term have smaller ids than the term, so that going through ids in order is
//!   going bottom-up.
//! - A [`Node::Sum`] has at least one part or it would be a constant, its parts are sorted, none
//!   of them a constant or a sum, no coefficient zero; a part alone with coefficient 1 and no
//!   constant is not a sum.
//! - The sums in comparisons have coefficients without a common divisor, in equalities also a
//!   positive first coefficient. So equal comparisons of linear terms are mostly equal terms.
//! - A conjunction or disjunction has at least two members, sorted, none constant, none of its own
//!   kind, none beside its negation.

use crate::Integer;
use base::{IdVec, define_id};
use rustc_hash::FxHashMap;
use std::sync::Arc;

define_id! {
    /// A term of a store.
    TermId = "t";
    /// A free symbol of a store.
    SymbolId = "s";
}

/// What a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// An integer of any size.
    Int,
}

/// The outermost step of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A free symbol.
    Symbol(SymbolId),
    /// A constant and multiples of other terms.
    Sum(Integer, Box<[(TermId, Integer)]>),
    /// The quotient by a positive constant, rounded down.
    Div(TermId, Integer),
    /// What [`Node::Div`] leaves: at least zero and below the constant.
    Mod(TermId, Integer),
    /// The second if the first holds, else the third; integers.
    Ite(TermId, TermId, TermId),
    /// The integer is at most zero.
    AtMostZero(TermId),
    /// The integer is zero.
    IsZero(TermId),
    /// Negation.
    Not(TermId),
    /// Conjunction.
    And(Box<[TermId]>),
    /// Disjunction.
    Or(Box<[TermId]>),
}

/// A free symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct Symbol {
    /// Its name, unique in the store.
    pub name: Arc<str>,
    /// What it stands for.
    pub sort: Sort,
}

/// Owns terms and symbols.
#[derive(Clone, Debug, Default)]
pub struct TermStore {
    nodes: IdVec<TermId, Node>,
    ids: FxHashMap<Node, TermId>,
    symbols: IdVec<SymbolId, Symbol>,
    names: FxHashMap<Arc<str>, SymbolId>,
}

/// A constant and the multiples, while a sum is being made.
type Linear = (Integer, Vec<(TermId, Integer)>);

impl TermStore {
    /// A store without terms.
    pub fn new() -> Self {
        TermStore::default()
    }

    /// The outermost step of a term.
    pub fn node(&self, term: TermId) -> &Node {
        &self.nodes[term]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A symbol.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id]
    }

    /// The sort of a term.
    pub fn sort(&self, term: TermId) -> Sort {
        match self.node(term) {
            Node::Int(_) | Node::Sum(..) | Node::Div(..) | Node::Mod(..) | Node::Ite(..) => {
                Sort::Int
            }
            Node::Symbol(symbol) => self.symbol(*symbol).sort,
            Node::Bool(_)
            | Node::AtMostZero(_)
            | Node::IsZero(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_) => Sort::Bool,
        }
    }

    /// The terms a term is made of.
    pub fn parts(&self, term: TermId) -> Vec<TermId> {
        match self.node(term) {
            Node::Bool(_) | Node::Int(_) | Node::Symbol(_) => Vec::new(),
            Node::Sum(_, parts) => parts.iter().map(|(part, _)| *part).collect(),
            Node::Div(part, _)
            | Node::Mod(part, _)
            | Node::AtMostZero(part)
            | Node::IsZero(part)
            | Node::Not(part) => vec![*part],
            Node::Ite(condition, then, otherwise) => vec![*condition, *then, *otherwise],
            Node::And(parts) | Node::Or(parts) => parts.to_vec(),
        }
    }

    fn intern(&mut self, node: Node) -> TermId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// A new symbol; where the name is taken it gets a number.
    pub fn new_symbol(&mut self, name: &str, sort: Sort) -> SymbolId {
        let mut unique: Arc<str> = name.into();
        let mut number = self.symbols.len();
        while self.names.contains_key(&unique) {
            unique = format!("{name}!{number}").into();
            number += 1;
        }
        let id = self.symbols.push(Symbol {
            name: unique.clone(),
            sort,
        });
        self.names.insert(unique, id);
        id
    }

    /// The term that is a symbol.
    pub fn of_symbol(&mut self, symbol: SymbolId) -> TermId {
        self.intern(Node::Symbol(symbol))
    }

    /// A term that is a new symbol.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        let symbol = self.new_symbol(name, sort);
        self.of_symbol(symbol)
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.intern(Node::Bool(value))
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<Integer>) -> TermId {
        self.intern(Node::Int(value.into()))
    }

    /// The integer, if the term is one.
    pub fn as_int(&self, term: TermId) -> Option<&Integer> {
        match self.node(term) {
            Node::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The truth value, if the term is one.
    pub fn as_bool(&self, term: TermId) -> Option<bool> {
        match self.node(term) {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The sum of multiples.
    pub fn linear(&mut self, constant: &Integer, parts: &[(TermId, Integer)]) -> TermId {
        let mut sum: Linear = (constant.clone(), Vec::new());
        for (part, factor) in parts {
            self.add_to(&mut sum, *part, factor);
        }
        let sum = collected(sum);
        self.of_linear(sum)
    }

    /// `a + b`.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.linear(&Integer::ZERO, &[(a, Integer::ONE), (b, Integer::ONE)])
    }

    /// `a - b`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.linear(
            &Integer::ZERO,
            &[(a, Integer::ONE), (b, Integer::from(-1i64))],
        )
    }

    /// `-a`.
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.scale(&Integer::from(-1i64), a)
    }

    /// A multiple.
    pub fn scale(&mut self, factor: &Integer, a: TermId) -> TermId {
        self.linear(&Integer::ZERO, &[(a, factor.clone())])
    }

    fn add_to(&self, sum: &mut Linear, term: TermId, factor: &Integer) {
        match self.node(term) {
            Node::Int(value) => sum.0 = &sum.0 + &(value * factor),
            Node::Sum(constant, parts) => {
                sum.0 = &sum.0 + &(constant * factor);
                let scaled = parts.iter().map(|(part, times)| (*part, times * factor));
                sum.1.extend(scaled);
            }
            _ => sum.1.push((term, factor.clone())),
        }
    }

    fn of_linear(&mut self, (constant, parts): Linear) -> TermId {
        match &parts[..] {
            [] => self.intern(Node::Int(constant)),
            [(part, factor)] if constant.is_zero() && *factor == Integer::ONE => *part,
            _ => self.intern(Node::Sum(constant, parts.into())),
        }
    }

    /// The constant and the multiples that a term is the sum of.
    pub fn to_linear(&self, term: TermId) -> (Integer, Vec<(TermId, Integer)>) {
        let mut sum = (Integer::ZERO, Vec::new());
        self.add_to(&mut sum, term, &Integer::ONE);
        sum
    }

    /// The quotient by a positive constant, rounded down.
    pub fn div(&mut self, a: TermId, divisor: &Integer) -> TermId {
        debug_assert!(divisor.signum() > 0, "a divisor should be positive");
        if let Some(value) = self.as_int(a) {
            let value = value.div_floor(divisor);
            return self.int(value);
        }
        if *divisor == Integer::ONE {
            return a;
        }
        self.intern(Node::Div(a, divisor.clone()))
    }

    /// What remains of a division by a positive constant, at least zero.
    pub fn modulo(&mut self, a: TermId, divisor: &Integer) -> TermId {
        debug_assert!(divisor.signum() > 0, "a divisor should be positive");
        if let Some(value) = self.as_int(a) {
            let value = value.mod_floor(divisor);
            return self.int(value);
        }
        if *divisor == Integer::ONE {
            return self.int(0i64);
        }
        // Multiples of the divisor do not count.
        let (constant, parts) = self.to_linear(a);
        let reduced = parts
            .into_iter()
            .map(|(part, times)| (part, times.mod_floor(divisor)));
        let rest = self.linear(&constant.mod_floor(divisor), &reduced.collect::<Vec<_>>());
        match self.node(rest) {
            Node::Int(value) => {
                let value = value.mod_floor(divisor);
                self.int(value)
            }
            Node::Mod(_, other) if other == divisor => rest,
            _ => self.intern(Node::Mod(rest, divisor.clone())),
        }
    }

    /// For a sum of a constant and a multiple of a choice between two constants: the condition,
    /// and the two values.
    fn choice(&self, sum: &Linear) -> Option<(TermId, Integer, Integer)> {
        let [(part, factor)] = &sum.1[..] else {
            return None;
        };
        let Node::Ite(condition, then, otherwise) = self.node(*part) else {
            return None;
        };
        let value = |term| Some(&(self.as_int(term)? * factor) + &sum.0);
        Some((*condition, value(*then)?, value(*otherwise)?))
    }

    /// `a <= b`.
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.sub(a, b);
        let (constant, parts) = self.to_linear(difference);
        if parts.is_empty() {
            return self.bool(constant.signum() <= 0);
        }
        let sum = (constant, parts);
        if let Some((condition, then, otherwise)) = self.choice(&sum) {
            let then = self.bool(then.signum() <= 0);
            let otherwise = self.bool(otherwise.signum() <= 0);
            return self.ite(condition, then, otherwise);
        }
        let (constant, parts) = sum;
        let gcd = common_divisor(&parts);
        let parts = divided(parts, &gcd);
        let sum = self.of_linear((constant.div_ceil(&gcd), parts));
        self.intern(Node::AtMostZero(sum))
    }

    /// `a < b`.
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let one = self.int(1i64);
        let next = self.add(a, one);
        self.le(next, b)
    }

    /// `a = b`, of integers or of truth values.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if self.sort(a) == Sort::Bool {
            let (not_a, not_b) = (self.not(a), self.not(b));
            let (forth, back) = (self.or(&[not_a, b]), self.or(&[not_b, a]));
            return self.and(&[forth, back]);
        }
        let difference = self.sub(a, b);
        let sum = self.to_linear(difference);
        if let Some((condition, then, otherwise)) = self.choice(&sum) {
            let (then, otherwise) = (self.bool(then.is_zero()), self.bool(otherwise.is_zero()));
            return self.ite(condition, then, otherwise);
        }
        let (constant, parts) = sum;
        let Some((_, first)) = parts.first() else {
            return self.bool(constant.is_zero());
        };
        let mut gcd = common_divisor(&parts);
        if !constant.mod_floor(&gcd).is_zero() {
            return self.bool(false);
        }
        if first.signum() < 0 {
            gcd = -&gcd;
        }
        let parts = divided(parts, &gcd);
        let sum = self.of_linear((constant.div_floor(&gcd), parts));
        self.intern(Node::IsZero(sum))
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.node(a) {
            Node::Bool(value) => {
                let value = !*value;
                self.bool(value)
            }
            Node::Not(inner) => *inner,
            Node::AtMostZero(sum) => {
                let sum = *sum;
                let one = self.int(1i64);
                self.le(one, sum)
            }
            _ => self.intern(Node::Not(a)),
        }
    }

    /// The negation, if there is such a term; makes none.
    fn known_negation(&self, a: TermId) -> Option<TermId> {
        match self.node(a) {
            Node::Not(inner) => Some(*inner),
            Node::AtMostZero(sum) => {
                let (constant, parts) = self.to_linear(*sum);
                let constant = &Integer::ONE - &constant;
                let parts: Vec<_> = parts.iter().map(|(part, times)| (*part, -times)).collect();
                let negated = match &parts[..] {
                    [(part, times)] if constant.is_zero() && *times == Integer::ONE => *part,
                    _ => *self.ids.get(&Node::Sum(constant, parts.into()))?,
                };
                self.ids.get(&Node::AtMostZero(negated)).copied()
            }
            _ => self.ids.get(&Node::Not(a)).copied(),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, parts: &[TermId]) -> TermId {
        self.junction(parts, true)
    }

    /// The members of a conjunction; the term itself if it is none.
    pub fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        match self.node(term) {
            Node::Bool(true) => Vec::new(),
            Node::And(members) => members.to_vec(),
            _ => vec![term],
        }
    }

    /// Disjunction.
    pub fn or(&mut self, parts: &[TermId]) -> TermId {
        self.junction(parts, false)
    }

    /// A conjunction or, if `neutral` is false, a disjunction.
    fn junction(&mut self, parts: &[TermId], neutral: bool) -> TermId {
        let mut members = Vec::new();
        for &part in parts {
            match self.node(part) {
                Node::Bool(value) if *value == neutral => {}
                Node::Bool(_) => return part,
                Node::And(inner) if neutral => members.extend_from_slice(inner),
                Node::Or(inner) if !neutral => members.extend_from_slice(inner),
                _ => members.push(part),
            }
        }
        members.sort_unstable();
        members.dedup();
        let clashes = |&member: &TermId| {
            let negated = self.known_negation(member);
            negated.is_some_and(|negated| members.binary_search(&negated).is_ok())
        };
        if members.iter().any(clashes) {
            return self.bool(!neutral);
        }
        match &members[..] {
            [] => self.bool(neutral),
            [single] => *single,
            _ if neutral => self.intern(Node::And(members.into())),
            _ => self.intern(Node::Or(members.into())),
        }
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }

    /// `then` if the condition holds, else `otherwise`; of either sort.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        match self.as_bool(condition) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None => {}
        }
        if then == otherwise {
            return then;
        }
        if self.sort(then) == Sort::Bool {
            let negated = self.not(condition);
            let (yes, no) = (self.or(&[negated, then]), self.or(&[condition, otherwise]));
            return self.and(&[yes, no]);
        }
        if let Node::Not(inner) = self.node(condition) {
            let inner = *inner;
            return self.intern(Node::Ite(inner, otherwise, then));
        }
        self.intern(Node::Ite(condition, then, otherwise))
    }
}

/// Sorted, each term once, no zero.
fn collected((constant, mut parts): Linear) -> Linear {
    parts.sort_by_key(|(part, _)| *part);
    let mut merged: Vec<(TermId, Integer)> = Vec::new();
    for (part, factor) in parts {
        match merged.last_mut() {
            Some((last, sum)) if *last == part => *sum = &*sum + &factor,
            _ => merged.push((part, factor)),
        }
    }
    merged.retain(|(_, factor)| !factor.is_zero());
    (constant, merged)
}

fn common_divisor(parts: &[(TermId, Integer)]) -> Integer {
    parts
        .iter()
        .fold(Integer::ZERO, |gcd, (_, factor)| gcd.gcd(factor))
}

fn divided(parts: Vec<(TermId, Integer)>, divisor: &Integer) -> Vec<(TermId, Integer)> {
    let divide = |(part, factor): (TermId, Integer)| (part, factor.div_floor(divisor));
    parts.into_iter().map(divide).collect()
}
