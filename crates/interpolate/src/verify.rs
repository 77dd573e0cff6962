//! The three checks of an interpolant, by a separate solver state.
//!
//! If Z3 does not decide a step as it is, symbols that its equalities determine are substituted. If
//! that does not help either, the step is split: each disjunct of a disjunction becomes a step of
//! its own, and all of them have to hold.

use super::backward::Vocabulary;
use super::fraction;
use base::Budget;
use logic::{Node, TermId, TermStore};
use prover::Problem;
use smt::{Answer, Solver};
use std::fmt;
use std::time::Duration;

/// What is wrong with interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// There are not as many as cuts.
    Count,
    /// One mentions a symbol that both sides of its cut do not share.
    NotShared {
        /// The cut.
        cut: usize,
        /// The symbol's name.
        name: String,
    },
    /// A part and the interpolants below it do not imply the interpolant above it; for the last
    /// part, they are not inconsistent.
    NotImplied {
        /// The part.
        part: usize,
    },
    /// The solver did not say.
    Unknown {
        /// The part.
        part: usize,
        /// Why not.
        reason: String,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Count => write!(
                f,
                "there should be one interpolant for each part but the last"
            ),
            Flaw::NotShared { cut, name } => {
                write!(
                    f,
                    "interpolant {cut} speaks of `{name}`, which is not shared"
                )
            }
            Flaw::NotImplied { part } => {
                write!(f, "the step over part {part} does not hold")
            }
            Flaw::Unknown { part, reason } => {
                write!(
                    f,
                    "the step over part {part} could not be checked: {reason}"
                )
            }
        }
    }
}

/// Checks that each interpolant speaks only of what both sides of its cut share, that it follows
/// from its part and the interpolants right below, and that those of the last part contradict it.
pub fn verify(
    store: &mut TermStore,
    problem: Problem<'_>,
    interpolants: &[TermId],
    budget: &Budget,
) -> Result<(), Flaw> {
    if interpolants.len() + 1 != problem.parts.len() {
        return Err(Flaw::Count);
    }
    for (cut, &interpolant) in interpolants.iter().enumerate() {
        shared(store, problem, cut, interpolant)?;
    }
    let mut solver = Solver::new().without_cache();
    for part in 0..problem.parts.len() {
        let premises = problem.step(store, interpolants, part);
        match refuted(&mut solver, store, &premises, budget) {
            Answer::Unsat => {}
            Answer::Sat => return Err(Flaw::NotImplied { part }),
            Answer::Unknown(reason) => return Err(Flaw::Unknown { part, reason }),
        }
    }
    Ok(())
}

/// Whether formulas are inconsistent: asked at once; with what equalities fix put in its place; by
/// cases; and at once again with all the time that is left.
fn refuted(
    solver: &mut Solver,
    store: &mut TermStore,
    premises: &[TermId],
    budget: &Budget,
) -> Answer {
    let answer = at_once(solver, store, premises, &fraction(budget, 8));
    if !matches!(answer, Answer::Unknown(_)) {
        return answer;
    }
    let solved = [solved(store, premises)];
    let answer = at_once(solver, store, &solved, &fraction(budget, 4));
    if !matches!(answer, Answer::Unknown(_)) {
        return answer;
    }
    let answer = by_cases(solver, store, &solved, &fraction(budget, 2), CASES);
    if !matches!(answer, Answer::Unknown(_)) {
        return answer;
    }
    at_once(solver, store, premises, budget)
}

/// What has a model just if all premises together have one. An interpolant that was made by putting
/// values in place of symbols is easy to compare with the one it was made of when both have
/// them.
fn solved(store: &mut TermStore, premises: &[TermId]) -> TermId {
    let all = store.and(premises);
    let symbols = store.symbols_of(&[all]);
    store.solved(all, &symbols)
}

/// How often a step is taken apart, one inside the other.
const CASES: usize = 12;

/// How long a case may take before it is taken apart again.
const CASE_LIMIT: Duration = Duration::from_millis(500);

fn at_once(solver: &mut Solver, store: &TermStore, premises: &[TermId], budget: &Budget) -> Answer {
    solver.push();
    for &premise in premises {
        solver.assert(store, premise);
    }
    let answer = solver.check(store, &[], budget);
    solver.pop();
    answer
}

/// Whether formulas are inconsistent in every case of one of their disjunctions.
fn by_cases(
    solver: &mut Solver,
    store: &mut TermStore,
    premises: &[TermId],
    budget: &Budget,
    depth: usize,
) -> Answer {
    let mut rest: Vec<TermId> = Vec::new();
    for &premise in premises {
        let premise = store.nnf(premise);
        rest.extend(store.conjuncts(premise));
    }
    let cases = |store: &TermStore, formula: TermId| match store.node(formula) {
        Node::Or(members) => Some(members.to_vec()),
        _ => None,
    };
    let counts = rest.iter().enumerate();
    let counts = counts.filter_map(|(at, &it)| Some((cases(store, it)?.len(), at)));
    let Some((_, at)) = counts.min().filter(|_| depth > 0) else {
        return at_once(solver, store, &rest, budget);
    };
    let chosen = rest.swap_remove(at);
    for case in cases(store, chosen).unwrap_or_default() {
        let mut premises = rest.clone();
        premises.push(case);
        let limit = budget.clone().with_timeout(CASE_LIMIT);
        let mut answer = at_once(solver, store, &premises, &limit);
        if matches!(answer, Answer::Unknown(_)) && budget.check().is_ok() {
            answer = by_cases(solver, store, &premises, budget, depth - 1);
        }
        if answer != Answer::Unsat {
            return answer;
        }
    }
    Answer::Unsat
}

/// Whether an interpolant's symbols and functions occur on both sides of its cut.
fn shared(
    store: &TermStore,
    Problem { parts, shape }: Problem<'_>,
    cut: usize,
    interpolant: TermId,
) -> Result<(), Flaw> {
    let [inner, outer] = [true, false].map(|inner| {
        let chosen = (0..parts.len()).filter(|&part| shape.is_inside(cut, part) == inner);
        let chosen: Vec<TermId> = chosen.map(|part| parts[part]).collect();
        Vocabulary::of(store, &chosen)
    });
    let (own, shared) = (Vocabulary::of(store, &[interpolant]), inner.shared(&outer));
    let symbol = own.symbols.difference(&shared.symbols).next();
    let function = own.functions.difference(&shared.functions).next();
    let name = symbol.map(|&it| &*store.symbol(it).name);
    match name.or_else(|| function.map(|&it| &*store.function(it).name)) {
        Some(name) => Err(Flaw::NotShared {
            cut,
            name: name.to_owned(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Integer, Sort};

    /// A step whose lower interpolant was made of the upper one by putting a remainder in place.
    #[test]
    fn what_was_made_by_putting_in_place_is_seen_without_arithmetic() {
        let mut store = TermStore::new();
        let [x, next] = ["x", "next"].map(|name| store.fresh(name, Sort::Int));
        let three = store.int(3i64);
        let twice = store.add(x, x);
        let sum = store.add(twice, three);
        let wrapped = store.modulo(sum, &Integer::from(1i64 << 32));
        let moves = store.eq(next, wrapped);
        let (before, after) = (store.le(wrapped, three), store.le(next, three));
        let fails = store.not(after);
        let step = solved(&mut store, &[before, moves, fails]);
        assert_eq!(store.as_bool(step), Some(false));
        let without = solved(&mut store, &[moves, fails]);
        assert_eq!(store.as_bool(without), None);
    }
}
