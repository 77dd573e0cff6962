//! Checks that a model satisfies all clauses: one implication per clause and conjunct of its head.
//!
//! A universally quantified definition is instantiated at the terms of the right sort in the
//! clause, which suffices for most implications and can never show a false one; in a head it is
//! shown for fresh symbols.

use super::ClauseError;
use base::Budget;
use horn::{Atom, Clause, ClauseId, Definition, Model, System};
use logic::{Node, Sort, TermId, TermStore};
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::collections::BTreeSet;

/// How many instances of one definition are used in one clause.
const INSTANCES: usize = 4000;

/// Checks a model against the clauses.
pub fn check_model(system: &System, model: &Model, budget: &Budget) -> Result<(), ClauseError> {
    if let Some(flaw) = model.flaw(system) {
        return Err(ClauseError::Malformed(format!(
            "the model is malformed: {flaw}"
        )));
    }
    let mut store = system.store.clone();
    for (id, clause) in system.clauses.iter_enumerated() {
        let mark = store.mark();
        let mut check = ClauseCheck {
            store: &mut store,
            model,
            solver: Solver::of_checker(),
        };
        check.clause(id, clause, budget)?;
        drop(check);
        store.release(mark);
    }
    Ok(())
}

struct ClauseCheck<'c> {
    store: &'c mut TermStore,
    model: &'c Model,
    solver: Solver,
}

impl ClauseCheck<'_> {
    fn clause(
        &mut self,
        id: ClauseId,
        clause: &Clause,
        budget: &Budget,
    ) -> Result<(), ClauseError> {
        let mut facts = vec![clause.constraint];
        let head = match &clause.head {
            None => self.store.bool(false),
            Some(atom) => {
                let definition = &self.model.definitions[atom.relation];
                let fresh: Vec<TermId> = (definition.universals.iter())
                    .map(|&symbol| self.store.fresh("any", self.model.store.sort(symbol)))
                    .collect();
                self.instance(definition, atom, &fresh)
            }
        };
        let (plain, quantified): (Vec<&Atom>, Vec<&Atom>) = (clause.body.iter())
            .partition(|atom| self.model.definitions[atom.relation].universals.is_empty());
        for atom in plain {
            let definition = &self.model.definitions[atom.relation];
            facts.push(self.instance(definition, atom, &[]));
        }
        if quantified.is_empty() {
            return self.holds(id, &facts, head, budget);
        }
        let mut roots = clause.terms();
        roots.extend(facts.iter().copied().chain([head]));
        let differences = self.differences(&roots);
        facts.extend(&differences);
        roots.extend(differences);
        let (indices, symbols) = self.index_terms(&roots);
        // Mostly the indices are enough, and they are few.
        let mut few = facts.clone();
        for atom in &quantified {
            self.instances(atom, &indices, &mut few);
        }
        if self.holds(id, &few, head, budget).is_ok() {
            return Ok(());
        }
        for atom in &quantified {
            self.instances(atom, &[&indices[..], &symbols].concat(), &mut facts);
        }
        self.holds(id, &facts, head, budget)
    }

    /// Whether each conjunct of a head follows from some facts.
    fn holds(
        &mut self,
        id: ClauseId,
        facts: &[TermId],
        head: TermId,
        budget: &Budget,
    ) -> Result<(), ClauseError> {
        let mut claims = self.store.conjuncts(head);
        if self.store.as_bool(head) == Some(false) {
            claims = vec![head];
        }
        self.solver.push();
        for &fact in facts {
            self.solver.assert(self.store, fact);
        }
        let mut checked = Ok(());
        for claim in claims {
            let negated = self.store.not(claim);
            self.solver.push();
            self.solver.assert(self.store, negated);
            let answer = self.solver.check(self.store, &[], budget);
            self.solver.pop();
            checked = match answer {
                Answer::Unsat => continue,
                Answer::Sat => Err(ClauseError::ClauseFails(id)),
                Answer::Unknown(why) => Err(ClauseError::Undecided(id, why)),
            };
            break;
        }
        self.solver.pop();
        checked
    }

    /// What a definition says about the arguments of an atom, at some values of its universals.
    fn instance(&mut self, definition: &Definition, atom: &Atom, at: &[TermId]) -> TermId {
        let parameters = definition.parameters.iter().zip(&atom.arguments);
        let universals = definition.universals.iter().zip(at);
        let mut memo: FxHashMap<TermId, TermId> = parameters
            .chain(universals)
            .map(|(&from, &to)| (from, to))
            .collect();
        self.store
            .copy(&self.model.store, definition.body, &mut memo)
    }

    /// Adds what the definition of an atom says at some terms.
    fn instances(&mut self, atom: &Atom, terms: &[TermId], facts: &mut Vec<TermId>) {
        let definition = &self.model.definitions[atom.relation];
        let choices: Vec<Vec<TermId>> = (definition.universals.iter())
            .map(|&universal| {
                let sort = self.model.store.sort(universal);
                let fit = terms.iter().copied();
                fit.filter(|&term| self.store.sort(term) == sort).collect()
            })
            .collect();
        if choices.iter().any(Vec::is_empty) {
            return;
        }
        // The first terms matter most, for every universal: those that stand further behind come
        // only after all of them.
        let most = choices.iter().map(Vec::len).max().unwrap_or_default();
        let mut made = 0;
        for last in 0..most {
            let mut at = vec![0; choices.len()];
            loop {
                if at.contains(&last) {
                    let chosen = at.iter().zip(&choices);
                    let chosen: Vec<TermId> = chosen.map(|(&at, choice)| choice[at]).collect();
                    facts.push(self.instance(definition, atom, &chosen));
                    made += 1;
                }
                let next = (0..at.len())
                    .find(|&place| at[place] < last && at[place] + 1 < choices[place].len());
                let Some(next) = next.filter(|_| made < INSTANCES) else {
                    break;
                };
                at[next] += 1;
                at[..next].fill(0);
            }
            if made >= INSTANCES {
                return;
            }
        }
    }

    /// For arrays that are compared: they are equal, or differ at some new index. This holds
    /// whatever the arrays are, and gives universal facts an index to be used at.
    fn differences(&mut self, roots: &[TermId]) -> Vec<TermId> {
        let mut facts = Vec::new();
        for term in self.store.below(roots) {
            let Node::SameArray(a, b) = *self.store.node(term) else {
                continue;
            };
            let index = self.store.fresh("differs", Sort::Int);
            let (a, b) = (self.store.select(a, index), self.store.select(b, index));
            let differ = self.store.ne(a, b);
            facts.push(self.store.or(&[term, differ]));
        }
        facts
    }

    /// Terms at which universal facts are worth using: what stands as an index, and other symbols.
    fn index_terms(&self, roots: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
        let mut indices: BTreeSet<TermId> = BTreeSet::new();
        let mut symbols: BTreeSet<TermId> = BTreeSet::new();
        for term in self.store.below(roots) {
            match self.store.node(term) {
                Node::Symbol(_) => {
                    symbols.insert(term);
                }
                Node::Select(_, index) | Node::Store(_, index, _) => {
                    indices.insert(*index);
                }
                _ => {}
            }
        }
        symbols.retain(|symbol| !indices.contains(symbol));
        // Those that were made for the question come last, and matter most.
        let latest = |terms: BTreeSet<TermId>| terms.into_iter().rev().collect();
        (latest(indices), latest(symbols))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::system;
    use super::*;
    use base::Id;

    /// Defines the only relation, of `x0 ...`, by a formula, for all values of some integers.
    fn model(system: &System, universals: &[&str], body: &str) -> Model {
        let mut model = Model::everything(system);
        let relation = model
            .definitions
            .ids()
            .next()
            .expect("there should be a relation");
        let universals: Vec<TermId> = universals
            .iter()
            .map(|name| model.store.fresh(name, Sort::Int))
            .collect();
        let body = logic::read::term(&mut model.store, body).expect("the formula should be one");
        model.definitions[relation].universals = universals;
        model.definitions[relation].body = body;
        model
    }

    const COUNTER: &str = "(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 0) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 3)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 3)) false)))";

    #[test]
    fn a_model_holds_only_if_all_clauses_do() {
        let system = system(COUNTER);
        for (body, expected) in [
            ("(<= x0 3)", Ok(())),
            ("(and (<= 0 x0) (<= x0 3))", Ok(())),
            (
                "(<= x0 2)",
                Err(ClauseError::ClauseFails(ClauseId::from_index(1))),
            ),
            (
                "true",
                Err(ClauseError::ClauseFails(ClauseId::from_index(2))),
            ),
            (
                "false",
                Err(ClauseError::ClauseFails(ClauseId::from_index(0))),
            ),
        ] {
            let model = model(&system, &[], body);
            let checked = check_model(&system, &model, &Budget::unlimited());
            assert_eq!(checked, expected, "{body}");
        }
    }

    /// A symbol that is not a parameter could be something else in every clause.
    #[test]
    fn a_model_with_symbols_of_its_own_is_refused() {
        let system = system(COUNTER);
        let mut model = model(&system, &["x"], "(<= x0 x)");
        model
            .definitions
            .iter_mut()
            .for_each(|definition| definition.universals.clear());
        let checked = check_model(&system, &model, &Budget::unlimited());
        assert!(
            matches!(checked, Err(ClauseError::Malformed(_))),
            "{checked:?}"
        );
    }

    /// All elements below a counter are zero.
    #[test]
    fn a_model_may_speak_of_all_indices() {
        let system = system(
            "(declare-fun p ((Array Int Int) Int) Bool)
            (assert (forall ((a (Array Int Int))) (p a 0)))
            (assert (forall ((a (Array Int Int)) (i Int))
                (=> (p a i) (p (store a i 0) (+ i 1)))))
            (assert (forall ((a (Array Int Int)) (i Int) (j Int))
                (=> (and (p a i) (<= 0 j) (< j i) (not (= (select a j) 0))) false)))",
        );
        let body = "(=> (and (<= 0 k) (< k x1)) (= (select x0 k) 0))";
        let holds = model(&system, &["k"], body);
        assert_eq!(check_model(&system, &holds, &Budget::unlimited()), Ok(()));
        let body = "(=> (and (<= 0 k) (<= k x1)) (= (select x0 k) 0))";
        let fails = model(&system, &["k"], body);
        assert!(check_model(&system, &fails, &Budget::unlimited()).is_err());
    }

    /// An element of each of three arrays, at indices of their own; the clauses have many other
    /// symbols at which the definition could be used.
    #[test]
    fn each_array_may_have_an_index_of_its_own() {
        let others: String = (0..30).map(|at| format!("(y{at} Int)")).collect();
        let relates: String = (0..29).map(|at| format!("(< y{at} y{})", at + 1)).collect();
        let array = "(Array Int Int)";
        let system = system(&format!(
            "(declare-fun p ({array} {array} {array} Int) Bool)
            (assert (forall ((a {array}) (b {array}) (c {array})) (p a b c 0)))
            (assert (forall ((a {array}) (b {array}) (c {array}) (i Int) (v Int) (w Int) {others})
                (=> (and (p a b c i) {relates})
                    (p (store a i v) (store b (+ i 5) w) (store c (+ i 9) (+ v w)) (+ i 1)))))
            (assert (forall ((a {array}) (b {array}) (c {array}) (i Int) (j Int) {others})
                (=> (and (p a b c i) (<= 0 j) (< j i) {relates}
                         (not (= (+ (select a j) (select b (+ j 5))) (select c (+ j 9))))) false)))"
        ));
        let body = "(=> (and (<= 0 k) (< k x3) (= l (+ k 5)) (= m (+ k 9)))
            (= (+ (select x0 k) (select x1 l)) (select x2 m)))";
        let holds = model(&system, &["k", "l", "m"], body);
        assert_eq!(check_model(&system, &holds, &Budget::unlimited()), Ok(()));
    }

    /// Two arrays are written alike, so they are equal; with another element they are not.
    #[test]
    fn arrays_that_are_equal_everywhere_are_equal() {
        for (element, expected) in [("0", true), ("i", false)] {
            let system = system(&format!(
                "(declare-fun p ((Array Int Int) (Array Int Int) Int) Bool)
                (assert (forall ((a (Array Int Int))) (p a a 0)))
                (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
                    (=> (p a b i) (p (store a i 0) (store b i {element}) (+ i 1)))))
                (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
                    (=> (and (p a b i) (not (= a b))) false)))",
            ));
            let equal = model(&system, &["k"], "(= (select x0 k) (select x1 k))");
            let checked = check_model(&system, &equal, &Budget::unlimited());
            assert_eq!(checked.is_ok(), expected, "{element}: {checked:?}");
        }
    }
}
