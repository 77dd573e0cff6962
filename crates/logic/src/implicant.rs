//! Implicants: a few literals that hold in a model and imply a formula.
//!
//! Every part of the formula has one value in the model, so one pass from the formula down finds
//! what must hold: all members of a conjunction that holds, one member of a disjunction that holds,
//! and dually below a negation. Where there is a choice we take a member that is needed anyway,
//! otherwise one that costs the fewest literals.
//!
//! # Invariants
//! - A literal is an atom or its negation. It contains no choice (`ite`) and no Boolean: the model
//!   decides these, and what decided them is among the literals. A disequality of numbers is the
//!   one of its two strict inequalities that holds.

use crate::evaluate::{Interpretation, TermValue};
use crate::term::{Node, Sort, SymbolId, TermId, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

type Values = FxHashMap<TermId, Option<TermValue>>;

/// What a literal with an avoided symbol costs; another one costs 1.
const AVOIDED: u64 = 8;

/// Literals that hold in the model and together imply the formula, if possible without the
/// symbols to avoid; `None` if the formula does not hold, or values are missing.
pub fn implicant(
    store: &mut TermStore,
    formula: TermId,
    avoid: &BTreeSet<SymbolId>,
    model: &dyn Interpretation,
) -> Option<Vec<TermId>> {
    let values = store.evaluate_all_in(&[formula], model);
    if values[&formula] != Some(TermValue::Bool(true)) {
        return None;
    }
    let costs = costs(store, formula, avoid, &values);
    let mut search = Search {
        store,
        model,
        values,
        costs,
        needed: FxHashSet::default(),
        open: vec![formula],
        choices: VecDeque::new(),
        resolved: FxHashMap::default(),
        literals: Vec::new(),
        chosen: FxHashSet::default(),
    };
    search.run();
    Some(search.literals)
}

struct Search<'a> {
    store: &'a mut TermStore,
    model: &'a dyn Interpretation,
    values: Values,
    costs: FxHashMap<TermId, u64>,
    /// Truth values whose value in the model is needed, each once.
    needed: FxHashSet<TermId>,
    open: Vec<TermId>,
    choices: VecDeque<TermId>,
    /// Terms without their choices.
    resolved: FxHashMap<TermId, TermId>,
    literals: Vec<TermId>,
    chosen: FxHashSet<TermId>,
}

impl Search<'_> {
    /// What is needed for sure comes before any choice, so that choices can make use of it.
    fn run(&mut self) {
        loop {
            while let Some(term) = self.open.pop() {
                if self.needed.insert(term) {
                    self.need(term);
                }
            }
            let Some(choice) = self.choices.pop_front() else {
                return;
            };
            self.choose(choice);
        }
    }

    fn truth(&self, term: TermId) -> Option<bool> {
        truth(&self.values, term)
    }

    fn need(&mut self, term: TermId) {
        use Node::*;
        let holds = self.truth(term).expect("what is needed should be known");
        match self.store.node(term).clone() {
            Bool(_) => {}
            Not(inner) => self.open.push(inner),
            And(members) if holds => self.open.extend(members.iter()),
            Or(members) if !holds => self.open.extend(members.iter()),
            And(_) | Or(_) => self.choices.push_back(term),
            Symbol(_) | Apply(..) | AtMostZero(_) | IsZero(_) | Divides(..) | Below(_)
            | RealIsZero(_) | SameArray(..) => self.atom(term, holds),
            Int(_) | Real(_) | Sum(..) | RealSum(..) | Div(..) | Mod(..) | Ite(..) | ToReal(_)
            | Select(..) | Store(..) | ConstantArray(_) => {
                unreachable!("it should be a truth value")
            }
        }
    }

    /// Needs one of the members that decide a conjunction or disjunction.
    fn choose(&mut self, term: TermId) {
        let decisive = self.truth(term);
        let members = self.store.parts(term).into_iter();
        let members: Vec<TermId> = members.filter(|&m| self.truth(m) == decisive).collect();
        if members.iter().any(|member| self.needed.contains(member)) {
            return;
        }
        let cheapest = members.iter().min_by_key(|member| self.costs[member]);
        self.open.extend(cheapest);
    }

    fn atom(&mut self, atom: TermId, holds: bool) {
        let atom = self.resolve(atom);
        let literal = if holds { atom } else { self.negated(atom) };
        if self.store.as_bool(literal).is_none() && self.chosen.insert(literal) {
            self.literals.push(literal);
        }
    }

    /// The negation of an atom that does not hold, as a literal.
    fn negated(&mut self, atom: TermId) -> TermId {
        let (Node::IsZero(sum) | Node::RealIsZero(sum)) = *self.store.node(atom) else {
            return self.store.not(atom);
        };
        let zero = match self.store.sort(sum) {
            Sort::Real => self.store.real(0i64),
            Sort::Int | Sort::Bool | Sort::Array => self.store.int(0i64),
        };
        let negative = self.store.lt(sum, zero);
        if self.store.evaluate_in(negative, self.model) == Some(TermValue::Bool(true)) {
            return negative;
        }
        self.store.lt(zero, sum)
    }

    /// The atom with each choice in it replaced by the branch taken, whose condition is needed,
    /// and with each truth value that a function is given replaced by what it is.
    fn resolve(&mut self, atom: TermId) -> TermId {
        let mut open = self.store.parts(atom);
        let mut found = FxHashSet::from_iter([atom]);
        while let Some(term) = open.pop() {
            if self.resolved.contains_key(&term) || !found.insert(term) {
                continue;
            }
            match self.taken(term) {
                Some((condition, branch)) => {
                    self.open.push(condition);
                    open.push(branch);
                }
                None if self.store.sort(term) == Sort::Bool => self.open.push(term),
                None => open.extend(self.store.parts(term)),
            }
        }
        let mut found: Vec<TermId> = found.into_iter().collect();
        found.sort_unstable();
        for term in found {
            let new = match self.taken(term) {
                Some((_, branch)) => self.resolved[&branch],
                None if term == atom => return self.store.with_parts(atom, &self.resolved),
                None => match self.truth(term) {
                    Some(value) => self.store.bool(value),
                    None => self.store.with_parts(term, &self.resolved),
                },
            };
            self.resolved.insert(term, new);
        }
        unreachable!("an atom should come after its parts")
    }

    fn taken(&self, term: TermId) -> Option<(TermId, TermId)> {
        taken(self.store, &self.values, term)
    }
}

fn truth(values: &Values, term: TermId) -> Option<bool> {
    values[&term].as_ref()?.as_bool()
}

/// The condition of a choice and the branch that the model takes.
fn taken(store: &TermStore, values: &Values, term: TermId) -> Option<(TermId, TermId)> {
    let Node::Ite(condition, then, otherwise) = *store.node(term) else {
        return None;
    };
    let holds = truth(values, condition)?;
    Some((condition, if holds { then } else { otherwise }))
}

/// About how many literals it takes to keep each part at its value; shared ones count twice.
fn costs(
    store: &TermStore,
    formula: TermId,
    avoid: &BTreeSet<SymbolId>,
    values: &Values,
) -> FxHashMap<TermId, u64> {
    use Node::*;
    let mut costs: FxHashMap<TermId, u64> = FxHashMap::default();
    let mut avoided: FxHashSet<TermId> = FxHashSet::default();
    for term in store.below(&[formula]) {
        let parts = match taken(store, values, term) {
            Some((condition, branch)) => vec![condition, branch],
            None => store.parts(term),
        };
        let is_avoided = match store.node(term) {
            Symbol(symbol) => avoid.contains(symbol),
            _ => parts.iter().any(|part| avoided.contains(part)),
        };
        if is_avoided {
            avoided.insert(term);
        }
        let all = || (parts.iter()).fold(0u64, |sum, part| sum.saturating_add(costs[part]));
        let decisive = || {
            let members = parts.iter();
            let members = members.filter(|&&part| truth(values, part) == truth(values, term));
            members.map(|part| costs[part]).min().unwrap_or(0)
        };
        let holds = truth(values, term) == Some(true);
        let literal = if is_avoided { AVOIDED } else { 1 };
        let cost = match store.node(term) {
            Bool(_) => 0,
            Symbol(_) | Apply(..) | AtMostZero(_) | IsZero(_) | Divides(..) | Below(_)
            | RealIsZero(_) | SameArray(..)
                if store.sort(term) == Sort::Bool =>
            {
                all().saturating_add(literal)
            }
            And(_) if !holds => decisive(),
            Or(_) if holds => decisive(),
            // Of numbers and arrays, what the choices in them take.
            _ => all(),
        };
        costs.insert(term, cost);
    }
    costs
}
