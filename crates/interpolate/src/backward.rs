//! Interpolants by projection: the layer that needs no proof.
//!
//! Cut by cut from the leaves, the inside, which is the part with its children's interpolants, is
//! set against the outside, which is all remaining parts with the interpolants of other branches.
//! Cubes over the shared symbols that cover the inside are found model by model, each generalised
//! by a core against the outside before the next is looked for; their disjunction is the strongest
//! kind of interpolant. Conversely, the negations of cubes that cover the outside are the weakest
//! kind. Both are tried, with increasing effort.
//!
//! # Paper
//! The weakest kind is the chain of preconditions of [fang2025software], lazily; dropping literals
//! as long as the steps hold is the generalisation of [mcmillan2014lazy].
//!
//! # Invariants
//! - At any time the interpolants of finished branches and the remaining parts are inconsistent.

use crate::eliminate::{Cube, cover, disjunction, halved, joined};
use base::Budget;
use logic::{FunctionId, Node, SymbolId, TermId, TermStore};
use prover::Problem;
use smt::{Answer, Solver};
use std::collections::BTreeSet;

/// With how many cubes an interpolant is looked for, one after the other.
const PATIENCE: [usize; 4] = [1, 4, 16, 200];
/// Why there is none after the last of these.
const TOO_MANY: &str = "an interpolant would need too many cubes";

/// Interpolants of inconsistent parts, one for the cut above each part but the last; or why there
/// are none. Parts should be reduced to a core before: what is not needed makes cubes of its own.
pub fn interpolate(
    store: &mut TermStore,
    Problem { parts, shape }: Problem<'_>,
    budget: &Budget,
) -> Result<Vec<TermId>, String> {
    let mut sides = Sides::new(store, parts);
    let mut labels: Vec<TermId> = Vec::new();
    for cut in 0..parts.len().saturating_sub(1) {
        sides.outside.pop();
        // The interpolants of branches beside this one.
        let open = (0..cut).filter(|&done| shape.parent(done).is_some_and(|parent| parent > cut));
        let beside: Vec<TermId> = open.map(|done| labels[done]).collect();
        let mut inside: Vec<TermId> = shape.children(cut).map(|child| labels[child]).collect();
        inside.push(parts[cut]);
        let mut outside = parts[cut + 1..].to_vec();
        outside.extend(&beside);
        let inside = store.and(&inside);
        let outside = store.and(&outside);
        sides.inside.push();
        sides.inside.assert(store, inside);
        sides.outside.push();
        for label in beside {
            sides.outside.assert(store, label);
        }
        let label = sides.separate(store, inside, outside, budget);
        sides.inside.pop();
        sides.outside.pop();
        labels.push(label?);
    }
    Ok(labels)
}

/// Two solvers, for the two sides of a cut.
struct Sides {
    inside: Solver,
    /// One scope for each part still to come, the first one's on top.
    outside: Solver,
}

impl Sides {
    fn new(store: &TermStore, parts: &[TermId]) -> Sides {
        let mut outside = Solver::new();
        for &part in parts.iter().rev() {
            outside.push();
            outside.assert(store, part);
        }
        Sides {
            inside: Solver::new(),
            outside,
        }
    }

    /// A formula over shared symbols that the inside implies and the outside contradicts.
    fn separate(
        &mut self,
        store: &mut TermStore,
        inside: TermId,
        outside: TermId,
        budget: &Budget,
    ) -> Result<TermId, String> {
        if self.inside.check(store, &[], budget) == Answer::Unsat {
            return Ok(store.bool(false));
        }
        if self.outside.check(store, &[], budget) == Answer::Unsat {
            return Ok(store.bool(true));
        }
        let shared = Vocabulary::of(store, &[inside]).shared(&Vocabulary::of(store, &[outside]));
        let mut ways: Vec<Way> = vec![Way::Strongest, Way::Weakest];
        let mut why = TOO_MANY.to_owned();
        for most in PATIENCE {
            let mut left = Vec::new();
            for way in ways {
                let (side, other, formula) = match way {
                    Way::Strongest => (&mut self.inside, &mut self.outside, inside),
                    Way::Weakest => (&mut self.outside, &mut self.inside, outside),
                };
                match cubes(side, other, store, formula, &shared, most, budget) {
                    Ok(Some(cubes)) => {
                        let join = disjunction(store, &cubes);
                        return Ok(match way {
                            Way::Strongest => join,
                            Way::Weakest => negated(store, join),
                        });
                    }
                    Ok(None) => left.push(way),
                    Err(reason) => why = reason,
                }
            }
            ways = left;
        }
        Err(why)
    }
}

/// From which side an interpolant is looked for.
#[derive(Clone, Copy)]
enum Way {
    Strongest,
    Weakest,
}

/// Cubes over shared symbols that cover one side, each inconsistent with the other.
fn cubes(
    side: &mut Solver,
    other: &mut Solver,
    store: &mut TermStore,
    formula: TermId,
    shared: &Vocabulary,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<Cube>>, String> {
    let own = store.symbols_of(&[formula]);
    let gone: BTreeSet<SymbolId> = own.difference(&shared.symbols).copied().collect();
    side.push();
    let found = cover(side, store, formula, &gone, most, budget, |store, cube| {
        let cube = generalised(other, store, &cube, budget)?;
        match shared.functions.is_superset(&store.functions_of(&cube)) {
            true => Ok(cube),
            false => Err("a function of one side only".into()),
        }
    });
    side.pop();
    found
}

/// Some of the cube's literals that contradict the solver's assertions.
fn generalised(
    solver: &mut Solver,
    store: &mut TermStore,
    cube: &[TermId],
    budget: &Budget,
) -> Result<Cube, String> {
    let cube = halved(store, cube);
    match solver.check(store, &cube, budget) {
        Answer::Unsat => {}
        Answer::Sat => return Err("the parts are consistent".into()),
        Answer::Unknown(why) => return Err(why),
    }
    let core = solver.core().to_vec();
    let core = solver.minimise(store, &core, budget);
    Ok(joined(store, &core))
}

/// The negation, with negations only of atoms.
pub(super) fn negated(store: &mut TermStore, formula: TermId) -> TermId {
    let members = |store: &mut TermStore, members: &[TermId]| -> Vec<TermId> {
        members
            .iter()
            .map(|&member| negated(store, member))
            .collect()
    };
    match store.node(formula).clone() {
        Node::And(parts) => {
            let parts = members(store, &parts);
            store.or(&parts)
        }
        Node::Or(parts) => {
            let parts = members(store, &parts);
            store.and(&parts)
        }
        _ => store.not(formula),
    }
}

/// The symbols and functions of some formulas.
pub(crate) struct Vocabulary {
    pub(crate) symbols: BTreeSet<SymbolId>,
    pub(crate) functions: BTreeSet<FunctionId>,
}

impl Vocabulary {
    pub(crate) fn of(store: &TermStore, formulas: &[TermId]) -> Vocabulary {
        Vocabulary {
            symbols: store.symbols_of(formulas),
            functions: store.functions_of(formulas),
        }
    }

    pub(crate) fn shared(&self, other: &Vocabulary) -> Vocabulary {
        Vocabulary {
            symbols: &self.symbols & &other.symbols,
            functions: &self.functions & &other.functions,
        }
    }
}

#[cfg(test)]
mod tests;
