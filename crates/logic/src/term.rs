//! Hash-consed terms over Booleans, integers, reals and arrays, with functions.
//!
//! A [`TermStore`] owns the terms; a [`TermId`] is valid only for its store. Equal terms have equal
//! ids. Constructors simplify where it is cheap. Those for arithmetic are in
//! [`linear`](crate::linear) and [`real`](crate::real), those for arrays and functions in
//! [`array`](crate::array).
//!
//! # Invariants
//! - The parts of a term have smaller ids than the term, so traversing ids in order is bottom-up.
//! - A [`Node::Sum`] has at least one part or it would be a constant, its parts are sorted, none of
//!   them a constant or a sum, no coefficient zero; a part alone with coefficient 1 and no constant
//!   is not a sum. A [`Node::RealSum`] likewise.
//! - The sums in comparisons have integers without a common divisor as coefficients, in equalities
//!   also a positive first coefficient. So equal comparisons of linear terms are mostly equal
//!   terms. A comparison of reals has a part that is not a [`Node::ToReal`], or it would be one of
//!   integers.
//! - In a [`Node::Divides`] the divisor is above one, the coefficients and the constant are below
//!   it and not negative, divisor and coefficients have no common divisor, and a first coefficient
//!   that is coprime to the divisor is one.
//! - A conjunction or disjunction has at least two members, sorted, none constant, none of its own
//!   kind, none together with its negation.

use crate::smtlib;
use crate::store_epoch::Lineage;
use crate::{Integer, Rational};
use base::{IdVec, define_id};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

define_id! {
    /// A term of a store.
    TermId = "t";
    /// A free symbol of a store.
    SymbolId = "s";
    /// A function of a store.
    FunctionId = "f";
}

/// What a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// An integer of any size.
    Int,
    /// A real number.
    Real,
    /// An array of integers, one for every integer.
    Array,
}

/// The outermost step of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A real number, as far as they can be written down.
    Real(Rational),
    /// A free symbol.
    Symbol(SymbolId),
    /// A constant and multiples of other terms.
    Sum(Integer, Box<[(TermId, Integer)]>),
    /// The quotient by a positive constant, rounded down.
    Div(TermId, Integer),
    /// What [`Node::Div`] leaves: at least zero and below the constant.
    Mod(TermId, Integer),
    /// The second if the first holds, else the third; not truth values.
    Ite(TermId, TermId, TermId),
    /// A constant and multiples of other reals.
    RealSum(Rational, Box<[(TermId, Rational)]>),
    /// An integer as a real; the integer is not a constant and no sum.
    ToReal(TermId),
    /// A function of some arguments, at least one.
    Apply(FunctionId, Box<[TermId]>),
    /// The element of an array at an index.
    Select(TermId, TermId),
    /// The array with another element at an index: array, index, element.
    Store(TermId, TermId, TermId),
    /// The array with this element at every index.
    ConstantArray(TermId),
    /// The integer is at most zero.
    AtMostZero(TermId),
    /// The integer is zero.
    IsZero(TermId),
    /// The constant divides the integer.
    Divides(Integer, TermId),
    /// The real is below zero. At most zero is that its negation is not below zero.
    Below(TermId),
    /// The real is zero.
    RealIsZero(TermId),
    /// The arrays, of which the first has the smaller id, are equal.
    SameArray(TermId, TermId),
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

/// A function of which nothing is known but that equal arguments give equal results.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name, unique in the store.
    pub name: Arc<str>,
    /// The sorts of its arguments, at least one.
    pub arguments: Box<[Sort]>,
    /// The sort of its result.
    pub result: Sort,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A symbol.
    Symbol(SymbolId),
    /// A function.
    Function(FunctionId),
}

/// Owns terms, symbols and functions.
#[derive(Clone, Debug, Default)]
pub struct TermStore {
    pub(crate) nodes: IdVec<TermId, Node>,
    /// Beside the nodes, so that no walk has to go down a chain of choices.
    pub(crate) sorts: IdVec<TermId, Sort>,
    /// The terms by their nodes, which are in `nodes` alone.
    pub(crate) ids: HashTable<TermId>,
    pub(crate) symbols: IdVec<SymbolId, Symbol>,
    pub(crate) functions: IdVec<FunctionId, Function>,
    pub(crate) names: FxHashMap<Arc<str>, Named>,
    pub(crate) lineage: Lineage,
}

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

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id]
    }

    /// What a name stands for.
    pub fn named(&self, name: &str) -> Option<Named> {
        self.names.get(name).copied()
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: TermId) -> Sort {
        self.sorts[term]
    }

    fn sort_of(&self, node: &Node) -> Sort {
        use Node::*;
        match node {
            Int(_) | Sum(..) | Div(..) | Mod(..) | Select(..) => Sort::Int,
            Real(_) | RealSum(..) | ToReal(_) => Sort::Real,
            Store(..) | ConstantArray(_) => Sort::Array,
            Symbol(symbol) => self.symbol(*symbol).sort,
            Apply(function, _) => self.function(*function).result,
            Ite(_, then, _) => self.sort(*then),
            Bool(_) | AtMostZero(_) | IsZero(_) | Divides(..) | Below(_) | RealIsZero(_)
            | SameArray(..) | Not(_) | And(_) | Or(_) => Sort::Bool,
        }
    }

    /// The terms a term is made of.
    pub fn parts(&self, term: TermId) -> Vec<TermId> {
        match self.node(term) {
            Node::Bool(_) | Node::Int(_) | Node::Real(_) | Node::Symbol(_) => Vec::new(),
            Node::Sum(_, parts) => parts.iter().map(|(part, _)| *part).collect(),
            Node::RealSum(_, parts) => parts.iter().map(|(part, _)| *part).collect(),
            Node::Div(part, _)
            | Node::Mod(part, _)
            | Node::ToReal(part)
            | Node::ConstantArray(part)
            | Node::AtMostZero(part)
            | Node::IsZero(part)
            | Node::Divides(_, part)
            | Node::Below(part)
            | Node::RealIsZero(part)
            | Node::Not(part) => vec![*part],
            Node::Select(a, b) | Node::SameArray(a, b) => vec![*a, *b],
            Node::Ite(a, b, c) | Node::Store(a, b, c) => vec![*a, *b, *c],
            Node::Apply(_, parts) | Node::And(parts) | Node::Or(parts) => parts.to_vec(),
        }
    }

    pub(crate) fn intern(&mut self, node: Node) -> TermId {
        if let Some(id) = self.known(&node) {
            return id;
        }
        let sort = self.sort_of(&node);
        let hash = hash_of(&node);
        let id = self.nodes.push(node);
        self.sorts.push(sort);
        let nodes = &self.nodes;
        self.ids.insert_unique(hash, id, |&id| hash_of(&nodes[id]));
        id
    }

    /// The term with this node, if there is one; makes none.
    pub(crate) fn known(&self, node: &Node) -> Option<TermId> {
        let found = self.ids.find(hash_of(node), |&id| self.nodes[id] == *node);
        found.copied()
    }

    /// Drops the last term.
    pub(crate) fn pop(&mut self) {
        self.sorts.pop();
        if let Some(node) = self.nodes.pop() {
            let last = self.nodes.next_id();
            if let Ok(entry) = self.ids.find_entry(hash_of(&node), |&id| id == last) {
                entry.remove();
            }
        }
    }

    /// A new symbol; where the name is taken it gets a number.
    pub fn new_symbol(&mut self, name: &str, sort: Sort) -> SymbolId {
        let name = self.free_name(name);
        let id = self.symbols.push(Symbol {
            name: name.clone(),
            sort,
        });
        self.names.insert(name, Named::Symbol(id));
        id
    }

    /// A new function of at least one argument; where the name is taken it gets a number.
    pub fn new_function(&mut self, name: &str, arguments: &[Sort], result: Sort) -> FunctionId {
        debug_assert!(!arguments.is_empty(), "without arguments it is a symbol");
        let name = self.free_name(name);
        let id = self.functions.push(Function {
            name: name.clone(),
            arguments: arguments.into(),
            result,
        });
        self.names.insert(name, Named::Function(id));
        id
    }

    /// A name like this one that SMT-LIB can write and that stands for nothing yet.
    fn free_name(&self, name: &str) -> Arc<str> {
        // Bars and backslashes cannot be between bars.
        let name = name.replace(['|', '\\'], "_");
        let mut unique: Arc<str> = name.as_str().into();
        let mut number = self.symbols.len();
        while self.names.contains_key(&unique) || smtlib::has_meaning(&unique) {
            unique = format!("{name}!{number}").into();
            number += 1;
        }
        unique
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

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        let two = Integer::from(2i64);
        match *self.node(a) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            Node::AtMostZero(sum) => self.at_least(sum, 1i64),
            Node::Divides(ref divisor, sum) if *divisor == two => {
                let next = self.linear(&Integer::ONE, &[(sum, Integer::ONE)]);
                self.divides(&two, next)
            }
            _ => self.intern(Node::Not(a)),
        }
    }

    /// The negation, if there is such a term; makes none.
    pub(crate) fn known_negation(&self, a: TermId) -> Option<TermId> {
        match self.node(a) {
            Node::Not(inner) => Some(*inner),
            Node::AtMostZero(sum) => {
                let mut negated = self.sum_of(*sum).scaled(&Integer::from(-1i64));
                negated.constant = &negated.constant + &Integer::ONE;
                self.known(&Node::AtMostZero(self.known_linear(negated)?))
            }
            Node::Divides(divisor, sum) if *divisor == Integer::from(2i64) => {
                let mut negated = self.sum_of(*sum);
                negated.constant = &Integer::ONE - &negated.constant;
                let negated = self.known_linear(negated)?;
                self.known(&Node::Divides(divisor.clone(), negated))
            }
            _ => self.known(&Node::Not(a)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, parts: &[TermId]) -> TermId {
        self.junction(parts, true)
    }

    /// One of the parts does not hold.
    pub fn not_all(&mut self, parts: &[TermId]) -> TermId {
        let all = self.and(parts);
        self.not(all)
    }

    /// The members of a conjunction; the term itself if it is none.
    pub fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        self.members(term, true)
    }

    /// The members of a conjunction or, if `neutral` is false, a disjunction; the term itself if it
    /// is none of that kind.
    pub(crate) fn members(&self, term: TermId, neutral: bool) -> Vec<TermId> {
        match self.node(term) {
            Node::Bool(value) if *value == neutral => Vec::new(),
            Node::And(members) if neutral => members.to_vec(),
            Node::Or(members) if !neutral => members.to_vec(),
            _ => vec![term],
        }
    }

    /// Disjunction.
    pub fn or(&mut self, parts: &[TermId]) -> TermId {
        self.junction(parts, false)
    }

    /// A conjunction or, if `neutral` is false, a disjunction.
    pub(crate) fn junction(&mut self, parts: &[TermId], neutral: bool) -> TermId {
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

    /// `then` if the condition holds, else `otherwise`; of any sort.
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

fn hash_of(node: &Node) -> u64 {
    FxBuildHasher.hash_one(node)
}
