//! Checks that a derivation derives false: every step by evaluation.

use super::ClauseError;
use base::IdVec;
use horn::derivation::Fact;
use horn::{Derivation, Step, StepId, System};
use logic::TermValue;

/// Checks a derivation against the clauses.
pub fn check_derivation(system: &System, derivation: &Derivation) -> Result<(), ClauseError> {
    let mut facts: IdVec<StepId, Option<Fact>> = IdVec::new();
    for (id, step) in derivation.steps.iter_enumerated() {
        let fact = check_step(system, step, &facts)
            .map_err(|why| ClauseError::StepFails(format!("step {id} does not follow: {why}")))?;
        facts.push(fact);
    }
    match facts.iter().last() {
        Some(None) => Ok(()),
        Some(Some(_)) | None => Err(ClauseError::StepFails(
            "the derivation does not end in false".into(),
        )),
    }
}

/// What a step derives from the facts of those before it.
fn check_step(
    system: &System,
    step: &Step,
    facts: &IdVec<StepId, Option<Fact>>,
) -> Result<Option<Fact>, String> {
    let clause = system
        .clauses
        .get(step.clause)
        .ok_or("there is no such clause")?;
    for symbol in clause.variables(&system.store) {
        let value = step.values.get(&symbol);
        if value.is_some_and(|value| system.store.symbol(symbol).sort != value.sort()) {
            return Err("a value has another sort than its variable".into());
        }
    }
    if step.evaluated(system, &[clause.constraint])? != [TermValue::Bool(true)] {
        return Err("the constraint does not hold".into());
    }
    if step.premises.len() != clause.body.len() {
        return Err("its premises are more or fewer than the clause's".into());
    }
    for (atom, &premise) in clause.body.iter().zip(&step.premises) {
        let Some(Some(fact)) = facts.get(premise) else {
            return Err(format!("{premise} derives nothing before it"));
        };
        let values = step.evaluated(system, &atom.arguments)?;
        if fact.relation != atom.relation || fact.values != values {
            return Err(format!("{premise} derives something else"));
        }
    }
    step.fact(system)
}

#[cfg(test)]
mod tests {
    use super::super::tests::system;
    use super::*;
    use base::Id;
    use horn::ClauseId;
    use logic::Integer;
    use std::collections::BTreeMap;

    /// `p(0)`, `p(x) & x < 3 => p(x + 1)`, `p(x) & x >= 2 => false`.
    const COUNTER: &str = "(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 0) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 3)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (>= x 2)) false)))";

    fn derivation(system: &System, steps: &[(usize, i64, &[usize])]) -> Derivation {
        let mut derivation = Derivation::default();
        for (clause, value, premises) in steps {
            let clause = ClauseId::from_index(*clause);
            let known = system.clauses.get(clause);
            let variables = known.map(|clause| clause.variables(&system.store));
            let value = |symbol| (symbol, TermValue::Int(Integer::from(*value)));
            derivation.steps.push(Step {
                clause,
                values: (variables.unwrap_or_default().into_iter())
                    .map(value)
                    .collect::<BTreeMap<_, _>>(),
                premises: premises.iter().map(|&at| StepId::from_index(at)).collect(),
            });
        }
        derivation
    }

    #[test]
    fn a_derivation_holds_only_if_every_step_does() {
        let system = system(COUNTER);
        type Steps = &'static [(usize, i64, &'static [usize])];
        let cases: [(Steps, Option<&str>); 7] = [
            (
                &[(0, 0, &[]), (1, 0, &[0]), (1, 1, &[1]), (2, 2, &[2])],
                None,
            ),
            (
                &[(0, 0, &[]), (1, 0, &[0]), (2, 1, &[1])],
                Some("constraint"),
            ),
            (&[(0, 0, &[]), (1, 1, &[0])], Some("something else")),
            (&[(0, 0, &[]), (1, 0, &[])], Some("premises")),
            (&[(0, 0, &[]), (1, 0, &[1])], Some("nothing before")),
            (&[(0, 0, &[]), (1, 0, &[0])], Some("end in false")),
            (&[(7, 0, &[])], Some("no such clause")),
        ];
        for (steps, expected) in cases {
            let checked = check_derivation(&system, &derivation(&system, steps));
            match (expected, checked) {
                (None, checked) => assert_eq!(checked, Ok(())),
                (Some(why), Err(error)) => assert!(error.to_string().contains(why), "{error}"),
                (Some(why), Ok(())) => panic!("believed a derivation: {why}"),
            }
        }
    }
}
