//! Normal forms of formulas: negation normal form, and terms without choices and quotients.

use crate::Integer;
use crate::term::{Node, Sort, SymbolId, TermId, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

/// A formula without choices, quotients and remainders, in which symbols stand for them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Purified {
    /// The formulas, with the symbols.
    pub formulas: Vec<TermId>,
    /// What fixes the symbols' values, one condition or more for each. Whatever values the other
    /// symbols have, there is exactly one way to satisfy them.
    pub conditions: Vec<TermId>,
    /// The symbols, each with the term it stands for.
    pub symbols: Vec<(SymbolId, TermId)>,
}

impl TermStore {
    /// Whether a formula is not a conjunction, no disjunction and no negation of one: an atom or
    /// the negation of an atom.
    pub fn is_literal(&self, formula: TermId) -> bool {
        let (atom, _) = self.without_negation(formula);
        !matches!(self.node(atom), Node::And(_) | Node::Or(_) | Node::Not(_))
    }

    /// The atom of a literal, and whether the literal is the atom itself.
    pub(crate) fn without_negation(&self, literal: TermId) -> (TermId, bool) {
        match self.node(literal) {
            Node::Not(inner) => (*inner, false),
            _ => (literal, true),
        }
    }

    /// The atoms of a formula, each once; a comparison and its negation are one atom. What is
    /// inside atoms is not looked at.
    pub fn atoms(&self, formula: TermId) -> Vec<TermId> {
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut open = vec![formula];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.node(term) {
                Node::Bool(_) => {}
                Node::Not(inner) => open.push(*inner),
                Node::And(members) | Node::Or(members) => open.extend(members),
                _ => {
                    let negation = self.known_negation(term);
                    if !negation.is_some_and(|negation| found.contains(&negation)) {
                        found.insert(term);
                    }
                }
            }
        }
        let mut atoms: Vec<TermId> = found.into_iter().collect();
        atoms.sort_unstable();
        atoms
    }

    /// The same formula with negations at atoms only. What is inside atoms stays.
    pub fn nnf(&mut self, formula: TermId) -> TermId {
        let mut needed: FxHashSet<(TermId, bool)> = FxHashSet::default();
        let mut open = vec![(formula, true)];
        while let Some((term, positive)) = open.pop() {
            if !needed.insert((term, positive)) {
                continue;
            }
            match self.node(term) {
                Node::Not(inner) => open.push((*inner, !positive)),
                Node::And(members) | Node::Or(members) => {
                    open.extend(members.iter().map(|&member| (member, positive)));
                }
                _ => {}
            }
        }
        let mut order: Vec<(TermId, bool)> = needed.into_iter().collect();
        order.sort_unstable();
        let mut done: FxHashMap<(TermId, bool), TermId> = FxHashMap::default();
        for (term, positive) in order {
            let new = match self.node(term).clone() {
                Node::Not(inner) => done[&(inner, !positive)],
                Node::And(members) => {
                    let members: Vec<_> = members.iter().map(|&m| done[&(m, positive)]).collect();
                    self.junction(&members, positive)
                }
                Node::Or(members) => {
                    let members: Vec<_> = members.iter().map(|&m| done[&(m, positive)]).collect();
                    self.junction(&members, !positive)
                }
                _ if positive => term,
                _ => self.not(term),
            };
            done.insert((term, positive), new);
        }
        done[&(formula, true)]
    }

    /// Puts symbols in place of choices, quotients and remainders. Divisibilities stay.
    pub fn purify(&mut self, formulas: &[TermId]) -> Purified {
        let mut purified = Purified::default();
        let mut quotients: FxHashMap<(TermId, Integer), TermId> = FxHashMap::default();
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in self.below(formulas) {
            let new = self.with_parts(term, &done);
            let new = match self.node(new).clone() {
                Node::Ite(condition, then, otherwise) => {
                    let value = self.stand_in("choice", new, &mut purified);
                    for (condition, branch) in [(condition, then), (self.not(condition), otherwise)]
                    {
                        let equal = self.eq(value, branch);
                        let implied = self.implies(condition, equal);
                        purified.conditions.push(implied);
                    }
                    value
                }
                Node::Div(a, divisor) => self.quotient(a, divisor, &mut quotients, &mut purified),
                Node::Mod(a, divisor) => {
                    let quotient = self.quotient(a, divisor.clone(), &mut quotients, &mut purified);
                    self.linear(&Integer::ZERO, &[(a, Integer::ONE), (quotient, -&divisor)])
                }
                _ => new,
            };
            done.insert(term, new);
        }
        purified.formulas = formulas.iter().map(|formula| done[formula]).collect();
        purified
    }

    fn stand_in(&mut self, name: &str, term: TermId, purified: &mut Purified) -> TermId {
        let symbol = self.new_symbol(name, self.sort(term));
        purified.symbols.push((symbol, term));
        self.of_symbol(symbol)
    }

    /// The symbol for a quotient; one for all divisions of the same numbers.
    fn quotient(
        &mut self,
        a: TermId,
        divisor: Integer,
        known: &mut FxHashMap<(TermId, Integer), TermId>,
        purified: &mut Purified,
    ) -> TermId {
        if let Some(quotient) = known.get(&(a, divisor.clone())) {
            return *quotient;
        }
        let term = self.div(a, &divisor);
        debug_assert_eq!(self.sort(term), Sort::Int, "only integers are divided");
        let quotient = self.stand_in("quotient", term, purified);
        let rest = self.linear(&Integer::ZERO, &[(a, Integer::ONE), (quotient, -&divisor)]);
        let zero = self.int(0i64);
        let end = self.int(divisor.clone());
        let (low, high) = (self.le(zero, rest), self.lt(rest, end));
        purified.conditions.extend([low, high]);
        known.insert((a, divisor), quotient);
        quotient
    }
}
