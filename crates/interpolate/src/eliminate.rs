//! Exact quantifier elimination, by models.
//!
//! As long as there is a model outside the result so far, an implicant of the formula in it is
//! projected ([`project`](crate::project)) and added as a disjunct. A projection implies that
//! values of the eliminated symbols exist, so the disjunction of all is the result. It is
//! simplified at the end: a literal or a cube that the rest implies is dropped.
//! `docs/decisions/0007` compares it with Z3's own tactics.
//!
//! # Invariants
//! - A borrowed solver is returned with the assertions it had.

use crate::project::{Stuck, project, solution};
use base::Budget;
use logic::{Assignment, FunctionId, FunctionValue, Node, SymbolId, TermId, TermStore, TermValue};
use rustc_hash::FxHashMap;
use smt::{Answer, Model, Solver};
use std::collections::BTreeSet;

/// Literals of which all hold.
pub(crate) type Cube = Vec<TermId>;

/// How many cubes are gathered before we give up.
const CUBES: usize = 1000;
/// How many literals the result may have to be made smaller.
const LITERALS: usize = 400;

/// A formula without some symbols that, where the solver's assertions hold, says that values of
/// them exist with which the formula holds; or why there is none.
pub fn eliminate(
    solver: &mut Solver,
    store: &mut TermStore,
    formula: TermId,
    symbols: &BTreeSet<SymbolId>,
    budget: &Budget,
) -> Result<TermId, String> {
    let formula = without_solved(store, formula, symbols);
    let conjuncts = store.conjuncts(formula);
    let (free, bound): (Vec<TermId>, Vec<TermId>) = conjuncts
        .into_iter()
        .partition(|&conjunct| store.symbols_of(&[conjunct]).is_disjoint(symbols));
    if bound.is_empty() {
        return Ok(formula);
    }
    let bound = store.and(&bound);
    solver.push();
    for &conjunct in &free {
        solver.assert(store, conjunct);
    }
    solver.push();
    solver.assert(store, bound);
    let cover = cover(solver, store, bound, symbols, CUBES, budget, |_, it| Ok(it));
    solver.pop();
    let cubes = cover.map(|cubes| cubes.map(|cubes| smaller(solver, store, cubes, budget)));
    solver.pop();
    let cubes = cubes?.ok_or_else(|| format!("more than {CUBES} cubes"))?;
    let mut all = free;
    all.push(disjunction(store, &cubes));
    Ok(store.and(&all))
}

/// That one of some cubes holds.
pub fn disjunction(store: &mut TermStore, cubes: &[Vec<TermId>]) -> TermId {
    let cubes: Vec<TermId> = cubes.iter().map(|cube| store.and(cube)).collect();
    store.or(&cubes)
}

/// Cubes without some symbols that cover all models of the assertions, one of which is the
/// formula; `None` if they were too many. Each cube is generalised when it is found.
pub(crate) fn cover(
    solver: &mut Solver,
    store: &mut TermStore,
    formula: TermId,
    symbols: &BTreeSet<SymbolId>,
    most: usize,
    budget: &Budget,
    mut generalise: impl FnMut(&mut TermStore, Cube) -> Result<Cube, String>,
) -> Result<Option<Vec<Cube>>, String> {
    let mut cubes: Vec<Cube> = Vec::new();
    loop {
        match solver.check(store, &[], budget) {
            Answer::Unsat => return Ok(Some(cubes)),
            Answer::Unknown(why) => return Err(why),
            Answer::Sat if cubes.len() == most => return Ok(None),
            Answer::Sat => {}
        }
        let model = solver.model().cloned().unwrap_or_default();
        let values = values(store, &[formula], &model);
        let cube = project(store, &[formula], symbols, &values).map_err(|stuck| match stuck {
            Stuck::NotAModel => "a model does not satisfy its formula".into(),
            Stuck::Inside(term) => format!("a symbol inside of {}", store.smtlib(term)),
        });
        let cube = generalise(store, cube?)?;
        let blocked = store.not_all(&cube);
        solver.assert(store, blocked);
        cubes.push(cube);
    }
}

/// The model's values of what some formulas need.
pub fn values(store: &TermStore, formulas: &[TermId], model: &Model) -> Assignment {
    let symbols = store.symbols_of(formulas).into_iter();
    let known: FxHashMap<FunctionId, &FunctionValue> = model.functions().collect();
    let functions = store.functions_of(formulas).into_iter();
    let functions = functions.map(|function| {
        let value = known.get(&function).copied().cloned();
        let zero = || FunctionValue::constant(TermValue::zero(store.function(function).result));
        (function, value.unwrap_or_else(zero))
    });
    Assignment {
        symbols: symbols
            .map(|symbol| (symbol, model.value(store, symbol)))
            .collect(),
        functions: functions.collect(),
    }
}

/// The formula with symbols replaced by what conjuncts of it say they are.
fn without_solved(store: &mut TermStore, formula: TermId, symbols: &BTreeSet<SymbolId>) -> TermId {
    let mut formula = formula;
    'again: loop {
        for conjunct in store.conjuncts(formula) {
            let Some((symbol, term)) = solved(store, conjunct, symbols) else {
                continue;
            };
            let map = FxHashMap::from_iter([(symbol, term)]);
            formula = store.substitute(formula, &map);
            continue 'again;
        }
        return formula;
    }
}

/// A symbol and the term that a conjunct says it is.
fn solved(
    store: &mut TermStore,
    conjunct: TermId,
    symbols: &BTreeSet<SymbolId>,
) -> Option<(SymbolId, TermId)> {
    let (atom, holds) = match *store.node(conjunct) {
        Node::Not(atom) => (atom, false),
        _ => (conjunct, true),
    };
    if let Node::Symbol(symbol) = *store.node(atom) {
        return symbols
            .contains(&symbol)
            .then(|| (symbol, store.bool(holds)));
    }
    for symbol in store.symbols_of(&[conjunct]).intersection(symbols).copied() {
        let name = store.of_symbol(symbol);
        if let Some(term) = solution(store, conjunct, name)
            && !store.symbols_of(&[term]).contains(&symbol)
        {
            return Some((symbol, term));
        }
    }
    None
}

/// The cubes without literals and cubes that the rest and the assertions imply.
fn smaller(
    solver: &mut Solver,
    store: &mut TermStore,
    cubes: Vec<Cube>,
    budget: &Budget,
) -> Vec<Cube> {
    let mut cubes: Vec<Cube> = cubes.iter().map(|cube| halved(store, cube)).collect();
    if cubes.iter().map(Vec::len).sum::<usize>() <= LITERALS {
        let mut at = 0;
        while at < cubes.len() {
            let others = cubes.iter().enumerate().filter(|(other, _)| *other != at);
            let others: Vec<Cube> = others.map(|(_, cube)| cube.clone()).collect();
            match without_implied(solver, store, &cubes[at], &others, budget) {
                Some(cube) => {
                    cubes[at] = cube;
                    at += 1;
                }
                None => {
                    cubes.remove(at);
                }
            }
        }
    }
    cubes.iter().map(|cube| joined(store, cube)).collect()
}

/// A cube without the literals without which it says the same or what others say; `None` if others
/// say all of it.
fn without_implied(
    solver: &mut Solver,
    store: &mut TermStore,
    cube: &[TermId],
    others: &[Cube],
    budget: &Budget,
) -> Option<Cube> {
    solver.push();
    for other in others {
        let outside = store.not_all(other);
        solver.assert(store, outside);
    }
    let mut left = cube.to_vec();
    let mut at = 0;
    let implied = solver.check(store, &left, budget) == Answer::Unsat;
    while !implied && at < left.len() {
        let mut rest = left.clone();
        rest[at] = store.not(left[at]);
        if solver.check(store, &rest, budget) == Answer::Unsat {
            left.remove(at);
        } else {
            at += 1;
        }
    }
    solver.pop();
    (!implied).then_some(left)
}

/// The literals with each equality of integers as two inequalities, of which one may be enough.
pub(crate) fn halved(store: &mut TermStore, cube: &[TermId]) -> Cube {
    let mut halves = Vec::new();
    for &literal in cube {
        match *store.node(literal) {
            Node::IsZero(sum) | Node::RealIsZero(sum) => {
                let zero = store.sub(sum, sum);
                halves.push(store.le(sum, zero));
                halves.push(store.le(zero, sum));
            }
            _ => halves.push(literal),
        }
    }
    halves.sort_unstable();
    halves.dedup();
    halves
}

/// The literals with equalities in place of opposite inequalities.
pub(crate) fn joined(store: &mut TermStore, cube: &[TermId]) -> Cube {
    let mut left = cube.to_vec();
    let mut equalities = Vec::new();
    for &literal in cube {
        let sum = match *store.node(literal) {
            Node::AtMostZero(sum) => sum,
            // A real that is not below zero.
            Node::Not(atom) => match *store.node(atom) {
                Node::Below(sum) => sum,
                _ => continue,
            },
            _ => continue,
        };
        let zero = store.sub(sum, sum);
        let (one, other) = (store.le(sum, zero), store.le(zero, sum));
        let both = one != other && left.contains(&one) && left.contains(&other);
        if both && store.as_bool(one).is_none() {
            left.retain(|&literal| literal != one && literal != other);
            equalities.push(store.eq(sum, zero));
        }
    }
    left.extend(equalities);
    left
}

#[cfg(test)]
mod tests;
