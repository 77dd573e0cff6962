//! Going through terms: free symbols, substitution, evaluation.
//!
//! None of it recurses: a term's parts have smaller ids, so the terms below one are gathered and
//! then done in the order of their ids.

use crate::Integer;
use crate::term::{Node, Sort, SymbolId, TermId, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TermValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
}

impl TermStore {
    /// The terms that some terms are made of, and these, each after its parts.
    pub fn below(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = roots.iter().copied().collect();
        let mut open: Vec<TermId> = seen.iter().copied().collect();
        let mut all = Vec::new();
        while let Some(term) = open.pop() {
            all.push(term);
            open.extend(
                self.parts(term)
                    .into_iter()
                    .filter(|&part| seen.insert(part)),
            );
        }
        all.sort_unstable();
        all
    }

    /// The free symbols of some terms.
    pub fn symbols_of(&self, roots: &[TermId]) -> BTreeSet<SymbolId> {
        let below = self.below(roots).into_iter();
        below
            .filter_map(|term| match self.node(term) {
                Node::Symbol(symbol) => Some(*symbol),
                _ => None,
            })
            .collect()
    }

    /// The term with other terms, of the same sorts, in the place of symbols, all at once.
    pub fn substitute(&mut self, term: TermId, map: &FxHashMap<SymbolId, TermId>) -> TermId {
        self.substitute_all(&[term], map)[0]
    }

    /// Some terms with other terms in the place of symbols, sharing the work.
    pub fn substitute_all(
        &mut self,
        terms: &[TermId],
        map: &FxHashMap<SymbolId, TermId>,
    ) -> Vec<TermId> {
        if map.is_empty() {
            return terms.to_vec();
        }
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in self.below(terms) {
            let new = self.rebuilt(term, &done, map);
            done.insert(term, new);
        }
        terms.iter().map(|term| done[term]).collect()
    }

    fn rebuilt(
        &mut self,
        term: TermId,
        done: &FxHashMap<TermId, TermId>,
        map: &FxHashMap<SymbolId, TermId>,
    ) -> TermId {
        match self.node(term) {
            Node::Symbol(symbol) => map.get(symbol).copied().unwrap_or(term),
            _ => self.with_parts(term, done),
        }
    }

    /// Some terms with other terms, of the same sorts, in the place of terms in them; what stands
    /// below a replaced term is not looked at.
    pub fn replace_all(
        &mut self,
        terms: &[TermId],
        map: &FxHashMap<TermId, TermId>,
    ) -> Vec<TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in self.below(terms) {
            let new = match map.get(&term) {
                Some(new) => *new,
                None => self.with_parts(term, &done),
            };
            done.insert(term, new);
        }
        terms.iter().map(|term| done[term]).collect()
    }

    /// The term with its parts exchanged; `done` has all of them.
    pub fn with_parts(&mut self, term: TermId, done: &FxHashMap<TermId, TermId>) -> TermId {
        if self.parts(term).iter().all(|part| done[part] == *part) {
            return term;
        }
        match self.node(term).clone() {
            Node::Bool(_) | Node::Int(_) | Node::Symbol(_) => term,
            Node::Sum(constant, parts) => {
                let parts: Vec<_> = (parts.iter())
                    .map(|(part, factor)| (done[part], factor.clone()))
                    .collect();
                self.linear(&constant, &parts)
            }
            Node::Div(a, divisor) => self.div(done[&a], &divisor),
            Node::Mod(a, divisor) => self.modulo(done[&a], &divisor),
            Node::Ite(condition, then, otherwise) => {
                self.ite(done[&condition], done[&then], done[&otherwise])
            }
            Node::AtMostZero(sum) => {
                let zero = self.int(0i64);
                self.le(done[&sum], zero)
            }
            Node::IsZero(sum) => {
                let zero = self.int(0i64);
                self.eq(done[&sum], zero)
            }
            Node::Not(a) => self.not(done[&a]),
            Node::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| done[part]).collect();
                self.and(&parts)
            }
            Node::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| done[part]).collect();
                self.or(&parts)
            }
        }
    }

    /// The value of a term, given those of its symbols; `None` if it needs one that is missing.
    pub fn evaluate(
        &self,
        term: TermId,
        value_of: &dyn Fn(SymbolId) -> Option<TermValue>,
    ) -> Option<TermValue> {
        self.evaluate_all(&[term], value_of).remove(&term).flatten()
    }

    /// The values of some terms and of all that they are made of.
    pub fn evaluate_all(
        &self,
        roots: &[TermId],
        value_of: &dyn Fn(SymbolId) -> Option<TermValue>,
    ) -> FxHashMap<TermId, Option<TermValue>> {
        let mut values: FxHashMap<TermId, Option<TermValue>> = FxHashMap::default();
        for term in self.below(roots) {
            let value = self.step(term, &values, value_of);
            debug_assert!(
                value
                    .as_ref()
                    .is_none_or(|value| value.sort() == self.sort(term))
            );
            values.insert(term, value);
        }
        values
    }

    fn step(
        &self,
        term: TermId,
        values: &FxHashMap<TermId, Option<TermValue>>,
        value_of: &dyn Fn(SymbolId) -> Option<TermValue>,
    ) -> Option<TermValue> {
        let int = |term: &TermId| match values[term].as_ref()? {
            TermValue::Int(value) => Some(value),
            TermValue::Bool(_) => None,
        };
        let truth = |term: &TermId| match values[term].as_ref()? {
            TermValue::Bool(value) => Some(*value),
            TermValue::Int(_) => None,
        };
        Some(match self.node(term) {
            Node::Bool(value) => TermValue::Bool(*value),
            Node::Int(value) => TermValue::Int(value.clone()),
            Node::Symbol(symbol) => value_of(*symbol)?,
            Node::Sum(constant, parts) => {
                let mut sum = constant.clone();
                for (part, factor) in parts {
                    sum = &sum + &(int(part)? * factor);
                }
                TermValue::Int(sum)
            }
            Node::Div(a, divisor) => TermValue::Int(int(a)?.div_floor(divisor)),
            Node::Mod(a, divisor) => TermValue::Int(int(a)?.mod_floor(divisor)),
            // Only the branch taken need have a value.
            Node::Ite(condition, then, otherwise) => {
                let taken = if truth(condition)? { then } else { otherwise };
                TermValue::Int(int(taken)?.clone())
            }
            Node::AtMostZero(sum) => TermValue::Bool(int(sum)?.signum() <= 0),
            Node::IsZero(sum) => TermValue::Bool(int(sum)?.is_zero()),
            Node::Not(a) => TermValue::Bool(!truth(a)?),
            Node::And(parts) => TermValue::Bool(junction(parts.iter().map(truth), true)?),
            Node::Or(parts) => TermValue::Bool(junction(parts.iter().map(truth), false)?),
        })
    }
}

impl TermValue {
    /// Its sort.
    pub fn sort(&self) -> Sort {
        match self {
            TermValue::Bool(_) => Sort::Bool,
            TermValue::Int(_) => Sort::Int,
        }
    }
}

/// One member that is not `neutral` decides; otherwise all must be known.
fn junction(members: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<bool> {
    let mut known = true;
    for member in members {
        match member {
            Some(value) if value != neutral => return Some(value),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(neutral)
}
