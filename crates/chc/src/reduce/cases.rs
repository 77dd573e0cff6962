//! Case splitting of loops: a clause that repeats its relation becomes one for each combination of
//! its `ite` conditions.
//!
//! Loop summaries are most precise if every iteration does the same, and the cases of a clause
//! often follow each other in phases.

use super::Reduced;
use crate::realise::equals;
use base::Budget;
use horn::Clause;
use logic::{Node, TermId, TermValue};
use rustc_hash::FxHashMap;
use smt::Solver;
use std::collections::BTreeSet;

/// How many atoms the conditions of a clause may have.
const ATOMS: usize = 12;
/// How many cases a clause may have.
const CASES: usize = 12;

impl Reduced<'_> {
    /// Puts the cases of clauses in their place where they are few; whether there are any.
    pub(super) fn cases(&mut self, budget: &Budget) -> bool {
        let mut rows = Vec::new();
        for id in self.system.clauses.ids().collect::<Vec<_>>() {
            let clause = self.system.clauses[id].clone();
            let cases = self.cases_of(&clause, budget);
            for case in cases.unwrap_or_else(|| vec![clause]) {
                rows.push((case, self.origins[id].clone()));
            }
        }
        let has_cases = rows.len() > self.system.clauses.len();
        self.put_clauses(rows);
        has_cases
    }

    /// The cases of a clause that repeats its relation, if they are few.
    fn cases_of(&mut self, clause: &Clause, budget: &Budget) -> Option<Vec<Clause>> {
        let store = &mut self.system.store;
        let head = clause.head.as_ref()?;
        if clause
            .body
            .iter()
            .all(|atom| atom.relation != head.relation)
        {
            return None;
        }
        let mut atoms: BTreeSet<TermId> = BTreeSet::new();
        for term in store.below(&clause.terms()) {
            if let Node::Ite(condition, ..) = store.node(term) {
                atoms.extend(store.atoms(*condition));
            }
        }
        if atoms.is_empty() || atoms.len() > ATOMS {
            return None;
        }
        let mut solver = Solver::new();
        solver.assert(store, clause.constraint);
        let mut cases = Vec::new();
        while let Some(model) = solver.model_of(store, &[], budget).ok()? {
            if cases.len() == CASES {
                return None;
            }
            let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
            let mut literals = Vec::new();
            for &atom in &atoms {
                let holds = model.satisfies(store, atom);
                map.insert(atom, store.bool(holds));
                literals.push(equals(store, atom, &TermValue::Bool(holds)));
            }
            let this = store.and(&literals);
            let other = store.not(this);
            solver.assert(store, other);
            let mut case = clause.clone();
            let constraint = store.replace_all(&[clause.constraint], &map)[0];
            case.constraint = store.and(&[constraint, this]);
            for atom in case.body.iter_mut().chain(&mut case.head) {
                atom.arguments = store.replace_all(&atom.arguments, &map);
            }
            cases.push(case);
        }
        Some(cases)
    }
}
