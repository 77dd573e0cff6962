//! Equivalent, smaller formulas.
//!
//! The members of a conjunction are assumed true in each other, those of a disjunction false: so
//! what one of them decides disappears from the others. Comparisons of the same multiples of terms
//! are merged, implied members dropped, and common factors of all members extracted.
//!
//! # Invariants
//! - The result has the same value as the formula under every interpretation, and no symbol that is
//!   not in the formula.
//! - Work is bounded: what is nested too deep, or comes too late in a formula that shares its parts
//!   too often, stays as it is.

mod facts;
mod range;

use crate::term::{Node, TermId, TermStore};
use facts::Facts;
use range::{Empty, Range};
pub use range::{Form, Limit, Relation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Formulas nested deeper stay as they are.
const DEPTH: usize = 100;
/// How often all members of a junction are gone through.
const ROUNDS: usize = 6;
/// Junctions of more members are not compared member by member.
const MANY: usize = 60;

impl TermStore {
    /// A formula that says the same, and is smaller if we find a smaller one.
    pub fn simplify(&mut self, formula: TermId) -> TermId {
        let mut current = self.nnf(formula);
        let mut budget = 20 * self.below(&[current]).len() + 5_000;
        for _ in 0..ROUNDS {
            let mut simplifier = Simplifier {
                store: self,
                facts: Facts::default(),
                budget,
                choices: FxHashMap::default(),
                negations: FxHashMap::default(),
            };
            let next = simplifier.formula(current, 0);
            budget = simplifier.budget;
            let next = self.nnf(next);
            if next == current {
                break;
            }
            current = next;
        }
        current
    }
}

struct Simplifier<'s> {
    store: &'s mut TermStore,
    facts: Facts,
    /// How many formulas may still be looked at or assumed.
    budget: usize,
    /// The choices inside each literal.
    choices: FxHashMap<TermId, Vec<TermId>>,
    /// The negations of formulas, with negations at atoms only.
    negations: FxHashMap<TermId, TermId>,
}

impl Simplifier<'_> {
    fn formula(&mut self, formula: TermId, depth: usize) -> TermId {
        if let Some(truth) = self.facts.truth(self.store, formula) {
            return self.store.bool(truth);
        }
        if self.budget == 0 || depth > DEPTH {
            return formula;
        }
        self.budget -= 1;
        let (members, neutral) = match self.store.node(formula) {
            Node::And(members) => (members.to_vec(), true),
            Node::Or(members) => (members.to_vec(), false),
            _ => return self.literal(formula, depth),
        };
        self.junction(members, neutral, depth)
    }

    /// A literal, with the choices inside it made as far as they are known.
    fn literal(&mut self, literal: TermId, depth: usize) -> TermId {
        let mut made: FxHashMap<TermId, TermId> = FxHashMap::default();
        for choice in self.choices_of(literal) {
            let Node::Ite(condition, then, otherwise) = *self.store.node(choice) else {
                continue;
            };
            let condition = self.formula(condition, depth + 1);
            if let Some(truth) = self.store.as_bool(condition) {
                made.insert(choice, if truth { then } else { otherwise });
            }
        }
        if made.is_empty() {
            return literal;
        }
        // A branch may have choices of its own; they are made in the next round.
        let new = self.store.replace_all(&[literal], &made)[0];
        match self.facts.truth(self.store, new) {
            Some(truth) => self.store.bool(truth),
            None => new,
        }
    }

    fn choices_of(&mut self, literal: TermId) -> Vec<TermId> {
        if let Some(choices) = self.choices.get(&literal) {
            return choices.clone();
        }
        let mut choices = self.store.below(&[literal]);
        choices.retain(|&term| matches!(self.store.node(term), Node::Ite(..)));
        self.choices.insert(literal, choices.clone());
        choices
    }

    /// The member as it holds: in a conjunction itself, in a disjunction its negation. The same
    /// way back.
    fn facing(&mut self, member: TermId, neutral: bool) -> TermId {
        if neutral {
            return member;
        }
        self.negation(member)
    }

    fn negation(&mut self, formula: TermId) -> TermId {
        if let Some(negation) = self.negations.get(&formula) {
            return *negation;
        }
        let negation = self.store.not(formula);
        let negation = self.store.nnf(negation);
        self.negations.insert(formula, negation);
        negation
    }

    /// Learns that a formula holds. An error if it cannot.
    fn assume(&mut self, formula: TermId) -> Result<(), Empty> {
        self.budget = self.budget.saturating_sub(1);
        let negation = self.negation(formula);
        self.facts.assume(self.store, formula, negation)
    }

    /// A conjunction or, if `neutral` is false, a disjunction.
    fn junction(&mut self, members: Vec<TermId>, neutral: bool, depth: usize) -> TermId {
        let mut members = members;
        let mark = self.facts.mark();
        for _ in 0..ROUNDS {
            let (literals, others): (Vec<_>, Vec<_>) =
                (members.iter().copied()).partition(|&member| self.is_plain(member));
            let Some(literals) = self.merged(&literals, neutral, depth) else {
                return self.store.bool(!neutral);
            };
            let mut decided = false;
            for &literal in &literals {
                let holds = self.facing(literal, neutral);
                decided |= self.assume(holds).is_err();
            }
            let others = self.each_other(&others, neutral, depth);
            self.facts.undo(mark);
            if decided {
                return self.store.bool(!neutral);
            }
            let joined: Vec<TermId> = literals.iter().chain(&others).copied().collect();
            let joined = self.store.junction(&joined, neutral);
            let next = self.store.members(joined, neutral);
            if next == members {
                break;
            }
            if next.len() < 2 {
                return joined;
            }
            members = next;
        }
        let members = self.without_implied(members, neutral);
        self.factored(members, neutral)
    }

    /// Whether it is a literal that needs no others to be made smaller, or only comparisons.
    fn is_plain(&mut self, formula: TermId) -> bool {
        let (atom, _) = self.store.without_negation(formula);
        self.store.is_literal(formula)
            && !matches!(self.store.node(atom), Node::Divides(..))
            && self.choices_of(formula).is_empty()
    }

    /// Literals that say the same with fewer comparisons; `None` if they clash.
    fn merged(&mut self, literals: &[TermId], neutral: bool, depth: usize) -> Option<Vec<TermId>> {
        let mut ranges: BTreeMap<Form, Range> = BTreeMap::new();
        let mut result = Vec::new();
        for &literal in literals {
            let literal = self.formula(literal, depth + 1);
            if let Some(value) = self.store.as_bool(literal) {
                if value != neutral {
                    return None;
                }
                continue;
            }
            let holds = self.facing(literal, neutral);
            match self.store.comparison(holds) {
                Some((form, relation)) => {
                    let sort = self.store.sort(form[0].0);
                    let range = ranges.entry(form).or_insert_with(|| Range::all(sort));
                    range.restrict(&relation).ok()?;
                }
                None => result.push(literal),
            }
        }
        for (form, range) in &ranges {
            for comparison in self.store.of_range(form, range) {
                result.push(self.facing(comparison, neutral));
            }
        }
        Some(result)
    }

    /// Each formula under the assumption that the others do not decide.
    fn each_other(&mut self, others: &[TermId], neutral: bool, depth: usize) -> Vec<TermId> {
        let mut current = others.to_vec();
        let is_few = current.len() <= MANY;
        for at in 0..current.len() {
            let mark = self.facts.mark();
            for (other, &formula) in current.iter().enumerate() {
                if other != at && is_few {
                    let holds = self.facing(formula, neutral);
                    // What clashes here clashes for the whole junction, and is found there.
                    if self.assume(holds).is_err() {
                        self.facts.undo(mark);
                        return current;
                    }
                }
            }
            let new = self.formula(current[at], depth + 1);
            self.facts.undo(mark);
            current[at] = new;
        }
        current
    }

    /// Without members that contain another member: of `(a | b) & (a | b | c)` the first is enough.
    fn without_implied(&mut self, members: Vec<TermId>, neutral: bool) -> Vec<TermId> {
        if members.len() > MANY {
            return members;
        }
        let sets: Vec<FxHashSet<TermId>> = (members.iter())
            .map(|&member| self.store.members(member, !neutral).into_iter().collect())
            .collect();
        let implied = |at: usize| {
            (0..sets.len()).any(|other| {
                other != at
                    && sets[other].len() < sets[at].len()
                    && sets[other].is_subset(&sets[at])
            })
        };
        let kept = (0..members.len()).filter(|&at| !implied(at));
        kept.map(|at| members[at]).collect()
    }

    /// With what all members contain taken out: `(a & b) | (a & c)` is `a & (b | c)`.
    fn factored(&mut self, members: Vec<TermId>, neutral: bool) -> TermId {
        let sets: Vec<Vec<TermId>> = (members.iter())
            .map(|&member| self.store.members(member, !neutral))
            .collect();
        let mut common: Vec<TermId> = sets.first().cloned().unwrap_or_default();
        for set in &sets {
            common.retain(|part| set.contains(part));
        }
        if common.is_empty() || members.len() < 2 {
            return self.store.junction(&members, neutral);
        }
        let mut rests = Vec::new();
        for mut rest in sets {
            rest.retain(|part| !common.contains(part));
            rests.push(self.store.junction(&rest, !neutral));
        }
        common.push(self.store.junction(&rests, neutral));
        self.store.junction(&common, !neutral)
    }
}
