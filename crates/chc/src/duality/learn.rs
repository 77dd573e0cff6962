//! What a conflict teaches: an interpolant between the last clause of a goal and the rest of it.
//!
//! # Paper
//! [mcmillan2014lazy], section 4, "interpolant generalization": disjuncts are dropped as long as
//! the prefix implies the rest, and an interpolant is made of prime implicants of the prefix, one
//! for each. The paper does the latter where the former is not enough; we begin with it, since
//! conjunctions are much cheaper to interpolate than the prefix as it is.

use super::goal::Used;
use base::Budget;
use interpolate::eliminate::eliminate;
use interpolate::{Interpolation, Interpolator, Layers};
use logic::{Assignment, Node, SymbolId, TermId, TermStore, implicant};
use prover::Shape;
use smt::{Answer, Model, Solver};
use std::collections::BTreeSet;

/// How many prime implicants a formula is made of.
const IMPLICANTS: usize = 12;
/// How much of the effort an interpolant may take, in percent of what is left.
const SHARE: u64 = 30;

/// Asks what conflicts need, and what follows from them.
pub(super) struct Learner {
    solver: Solver,
    interpolator: Interpolator,
}

/// Why a goal has no model.
pub(super) struct Conflict {
    /// Whether the last clause has a part in it.
    pub(super) needs_prefix: bool,
    /// The other clauses that have.
    pub(super) used: Used,
    /// What these say.
    pub(super) suffix: Vec<TermId>,
}

impl Learner {
    pub(super) fn new() -> Learner {
        Learner {
            solver: Solver::new(),
            interpolator: Interpolator::new(Layers::ALL),
        }
    }

    /// The part of a goal that has no model.
    pub(super) fn conflict(
        &mut self,
        store: &TermStore,
        prefix: TermId,
        suffix: &[(usize, TermId)],
        budget: &Budget,
    ) -> Result<Conflict, String> {
        let mut all: Vec<TermId> = suffix.iter().map(|&(_, formula)| formula).collect();
        all.push(prefix);
        match self.solver.check(store, &all, budget) {
            Answer::Unsat => {}
            Answer::Sat => return Err("a goal has a model and has none".into()),
            Answer::Unknown(why) => return Err(why),
        }
        let core: BTreeSet<TermId> = self.solver.core().iter().copied().collect();
        let needed = suffix.iter().filter(|(_, formula)| core.contains(formula));
        Ok(Conflict {
            needs_prefix: core.contains(&prefix),
            used: needed.clone().map(|&(step, _)| step).collect(),
            suffix: needed.map(|&(_, formula)| formula).collect(),
        })
    }

    /// Whether a formula implies another, as far as the solver knows.
    pub(super) fn implies(
        &mut self,
        store: &mut TermStore,
        formula: TermId,
        claim: TermId,
        budget: &Budget,
    ) -> bool {
        let negated = store.not(claim);
        self.solver.push();
        self.solver.assert(store, formula);
        self.solver.assert(store, negated);
        let answer = self.solver.check(store, &[], budget);
        self.solver.pop();
        answer == Answer::Unsat
    }

    /// A formula that the prefix implies, that contradicts the suffix, and that speaks of what they
    /// share.
    pub(super) fn interpolant(
        &mut self,
        store: &mut TermStore,
        prefix: TermId,
        suffix: &[TermId],
        generalises: bool,
        budget: &Budget,
    ) -> Result<TermId, String> {
        budget.counters().add("duality interpolants", 1);
        let suffix = store.and(suffix);
        if generalises && let Some(found) = self.of_implicants(store, prefix, suffix, budget) {
            return Ok(found);
        }
        let found = self.plain(store, prefix, suffix, budget)?;
        Ok(match generalises {
            true => self.without_disjuncts(store, prefix, found, budget),
            false => found,
        })
    }

    /// An interpolant as it comes; where there is none, all that the suffix contradicts.
    fn plain(
        &mut self,
        store: &mut TermStore,
        prefix: TermId,
        suffix: TermId,
        budget: &Budget,
    ) -> Result<TermId, String> {
        let shape = Shape::sequence(2);
        let parts = [prefix, suffix];
        let share = budget.share(SHARE);
        let found = (self.interpolator).interpolate(store, &parts, &shape, &share);
        match found {
            Interpolation::Interpolants(found) => Ok(found[0]),
            Interpolation::Consistent(_) => Err("a goal has a model and has none".into()),
            Interpolation::Unknown(why) => {
                let shared = store.symbols_of(&[prefix]);
                let own: BTreeSet<SymbolId> = (store.symbols_of(&[suffix]).into_iter())
                    .filter(|symbol| !shared.contains(symbol))
                    .collect();
                let rest = eliminate(&mut self.solver, store, suffix, &own, budget);
                rest.map(|rest| store.not(rest)).map_err(|_| why)
            }
        }
    }

    /// Drops disjuncts as long as the prefix implies the rest.
    fn without_disjuncts(
        &mut self,
        store: &mut TermStore,
        prefix: TermId,
        formula: TermId,
        budget: &Budget,
    ) -> TermId {
        let mut conjuncts = Vec::new();
        self.solver.push();
        self.solver.assert(store, prefix);
        for conjunct in store.conjuncts(formula) {
            let mut kept = disjuncts(store, conjunct);
            let mut at = 0;
            while kept.len() > 1 && at < kept.len() {
                let mut fewer = kept.clone();
                fewer.remove(at);
                let rest = store.or(&fewer);
                let negated = store.not(rest);
                match self.solver.check(store, &[negated], budget) {
                    Answer::Unsat => kept = fewer,
                    Answer::Sat | Answer::Unknown(_) => at += 1,
                }
            }
            conjuncts.push(store.or(&kept));
        }
        self.solver.pop();
        store.and(&conjuncts)
    }

    /// Interpolants for prime implicants of the prefix, joined; none if they are many.
    fn of_implicants(
        &mut self,
        store: &mut TermStore,
        prefix: TermId,
        suffix: TermId,
        budget: &Budget,
    ) -> Option<TermId> {
        let mut found: Vec<TermId> = Vec::new();
        for _ in 0..IMPLICANTS {
            let outside = store.or(&found);
            let outside = store.not(outside);
            let model = match self.solver.check(store, &[prefix, outside], budget) {
                Answer::Unsat => {
                    let all = store.or(&found);
                    return Some(self.without_disjuncts(store, prefix, all, budget));
                }
                Answer::Sat => self.solver.model()?.clone(),
                Answer::Unknown(_) => return None,
            };
            let values = values(store, &model, prefix);
            let cube = implicant(store, prefix, &BTreeSet::new(), &values)?;
            let others = store.conjuncts(suffix);
            let all = [&cube[..], &others[..]].concat();
            if self.solver.check(store, &all, budget) != Answer::Unsat {
                return None;
            }
            let core: BTreeSet<TermId> = self.solver.core().iter().copied().collect();
            let needed = |terms: &[TermId]| -> Vec<TermId> {
                let terms = terms.iter().copied();
                terms.filter(|term| core.contains(term)).collect()
            };
            let (prime, rest) = (needed(&cube), needed(&others));
            let (prime, rest) = (store.and(&prime), store.and(&rest));
            found.push(self.plain(store, prime, rest, budget).ok()?);
        }
        None
    }
}

/// What a model says of the symbols of a formula.
pub(super) fn values(store: &TermStore, model: &Model, formula: TermId) -> Assignment {
    let symbols = store.symbols_of(&[formula]).into_iter();
    Assignment {
        symbols: symbols
            .map(|symbol| (symbol, model.value(store, symbol)))
            .collect(),
        ..Assignment::default()
    }
}

fn disjuncts(store: &TermStore, formula: TermId) -> Vec<TermId> {
    match store.node(formula) {
        Node::Or(parts) => parts.to_vec(),
        _ => vec![formula],
    }
}
