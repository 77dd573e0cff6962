//! Interpolants of inconsistent formulas: binary, sequence and tree.
//!
//! First, symbols local to one part are eliminated where its equalities determine them, and a
//! sequence is narrowed to a segment that is inconsistent by itself. Then come layers, each of
//! which can be enabled alone: a proof by our own prover; a minimal core of the conjuncts, found by
//! Z3, for the prover to try again; implicants and projections guided by Z3's models. A large
//! result is replaced by the weakest precondition of the next step, and every result is
//! generalised: literals that the steps do not need are dropped.
//!
//! # Invariants
//! - Every result passes [`verify`]; this is checked where [asked for](verify_all) and in debug
//!   builds, as far as Z3 can in a second.
//! - "Inconsistent" is never answered without interpolants, "consistent" never without a model.

pub mod backward;
pub mod eliminate;
pub mod generalise;
pub mod narrow;
pub mod precondition;
pub mod project;
pub mod verify;

use base::Budget;
pub use eliminate::eliminate;
use logic::{SymbolId, TermId, TermStore};
use prover::{Limits, Problem, Refutation, refute};
use smt::{Answer, Model, Solver};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
pub use verify::{Flaw, verify};

/// Which ways to find interpolants are tried, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layers {
    /// A proof of the prover.
    pub proof: bool,
    /// The same after reducing the parts to a minimal core.
    pub core: bool,
    /// Implicants of models, projected onto what is shared.
    pub cubes: bool,
    /// Dropping what is not needed: parts at either end, and what the steps do without.
    pub generalise: bool,
}

impl Layers {
    /// All of them.
    pub const ALL: Layers = Layers {
        proof: true,
        core: true,
        cubes: true,
        generalise: true,
    };
}

/// The answer to an interpolation problem.
#[derive(Clone, Debug)]
pub enum Interpolation {
    /// One interpolant for each part but the last.
    Interpolants(Vec<TermId>),
    /// The parts have a model.
    Consistent(Model),
    /// Neither was found, and why.
    Unknown(String),
}

impl Interpolation {
    /// The interpolants, or why there are none.
    pub fn found(self) -> Result<Vec<TermId>, String> {
        match self {
            Interpolation::Interpolants(found) => Ok(found),
            Interpolation::Consistent(_) => Err("the formulas do not contradict each other".into()),
            Interpolation::Unknown(why) => Err(why),
        }
    }
}

/// Whether all interpolants are verified.
static VERIFIES: AtomicBool = AtomicBool::new(cfg!(debug_assertions));

/// Verifies all interpolants of this process from now on, as debug builds always do. One that fails
/// is a panic.
pub fn verify_all() {
    VERIFIES.store(true, Ordering::Relaxed);
}

/// Finds interpolants; keeps a solver from one problem to the next.
pub struct Interpolator {
    layers: Layers,
    solver: Solver,
    refutation: Option<Refutation>,
}

/// Enough for what is easy.
const SHORT: Limits = Limits {
    conflicts: 2_000,
    splits: 400,
    pivots: 20_000,
};

/// Enough for most cores.
const MEDIUM: Limits = Limits {
    conflicts: 4_000,
    splits: 2_000,
    pivots: 200_000,
};

/// Enough for a core.
const LONG: Limits = Limits {
    conflicts: 20_000,
    splits: 5_000,
    pivots: 1_000_000,
};

impl Interpolator {
    /// One that uses some layers.
    pub fn new(layers: Layers) -> Interpolator {
        Interpolator {
            layers,
            solver: Solver::new(),
            refutation: None,
        }
    }

    /// The proof behind the last interpolants, if the prover found them.
    pub fn refutation(&self) -> Option<&Refutation> {
        self.refutation.as_ref()
    }

    /// Interpolants for the cut above each part but the last; each follows from those of the parts
    /// right below it and from the part itself.
    pub fn interpolate(
        &mut self,
        store: &mut TermStore,
        problem: Problem<'_>,
        budget: &Budget,
    ) -> Interpolation {
        let Problem { parts, shape } = problem;
        // What mentions what only its own part knows says as little to the others without it.
        let mut needed = solved(store, parts);
        if self.layers.generalise {
            needed = narrow::narrowed(store, shape.of(&needed), &fraction(budget, 10));
        }
        let needed = shape.of(&needed);
        self.refutation = None;
        let mut interpolants = match self.search(store, needed, budget) {
            Ok(found) => {
                self.refutation = found.refutation;
                found.interpolants
            }
            Err(Interpolation::Consistent(_)) => return self.consistent(store, parts, budget),
            Err(answer) => return answer,
        };
        if self.layers.generalise {
            generalise::generalise(store, needed, &mut interpolants, budget);
        }
        assert!(
            !VERIFIES.load(Ordering::Relaxed) || is_sound(store, problem, &interpolants, budget),
            "interpolants should pass their check"
        );
        Interpolation::Interpolants(interpolants)
    }

    /// Goes through the layers until one has interpolants that are not large, or takes the
    /// smallest.
    fn search(
        &mut self,
        store: &mut TermStore,
        problem: Problem<'_>,
        budget: &Budget,
    ) -> Result<LayerResult, Interpolation> {
        let Problem { parts, shape } = problem;
        let mut reason = "no layer that could answer is switched on".to_owned();
        let mut best: Option<LayerResult> = None;
        if self.layers.proof {
            let limits = if self.layers.core { SHORT } else { LONG };
            match prove(store, problem, limits, budget) {
                Ok(found) => best = Some(found),
                Err(why) => reason = why,
            }
        }
        let goes_on = self.layers.core || self.layers.cubes;
        if best.is_none() || (goes_on && best.as_ref().is_some_and(LayerResult::is_large)) {
            // Who has interpolants spends less on better ones.
            let share = if best.is_some() { 5 } else { 2 };
            let core = match self.core(store, parts, &fraction(budget, share)) {
                Ok(core) => core,
                Err(Interpolation::Unknown(why)) => {
                    reason = why;
                    parts.to_vec()
                }
                Err(answer) => return Err(answer),
            };
            let core = shape.of(&core);
            if self.layers.core {
                match prove(store, core, MEDIUM, &fraction(budget, share)) {
                    Ok(found) => best = Some(found.or(best)),
                    Err(why) => reason = why,
                }
            }
            if self.layers.cubes && best.as_ref().is_none_or(LayerResult::is_large) {
                // Where proofs are long, cubes may still be few; and the other way round.
                let share = match (&best, self.layers.core) {
                    (Some(_), _) => 5,
                    (None, true) => 2,
                    (None, false) => 1,
                };
                match backward::interpolate(store, core, &fraction(budget, share)) {
                    Ok(found) => {
                        let found = LayerResult::new(store, core, found, None);
                        best = Some(found.or(best));
                    }
                    Err(why) => reason = format!("{reason}; {why}"),
                }
            }
            if self.layers.core && best.is_none() {
                match prove(store, core, LONG, budget) {
                    Ok(found) => best = Some(found),
                    Err(why) => reason = format!("{reason}; {why}"),
                }
            }
        }
        best.ok_or(Interpolation::Unknown(reason))
    }

    /// A model of the parts, which should have one.
    fn consistent(
        &mut self,
        store: &TermStore,
        parts: &[TermId],
        budget: &Budget,
    ) -> Interpolation {
        match self.solver.check(store, parts, budget) {
            Answer::Sat => self.model(),
            Answer::Unsat => unreachable!("parts without a model should have no solved ones"),
            Answer::Unknown(reason) => Interpolation::Unknown(reason),
        }
    }

    fn model(&self) -> Interpolation {
        let unread = || Interpolation::Unknown("the model cannot be read".into());
        let model = self.solver.model().cloned();
        model.map_or_else(unread, Interpolation::Consistent)
    }

    /// The parts without the conjuncts that are not needed for the contradiction; the answer, if
    /// there is none.
    fn core(
        &mut self,
        store: &mut TermStore,
        parts: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<TermId>, Interpolation> {
        let conjuncts: Vec<TermId> = parts.iter().flat_map(|&it| store.conjuncts(it)).collect();
        match self.solver.check(store, &conjuncts, budget) {
            Answer::Sat => return Err(self.model()),
            Answer::Unknown(reason) => return Err(Interpolation::Unknown(reason)),
            Answer::Unsat => {}
        }
        let core = self.solver.core().to_vec();
        let core = self.solver.minimise(store, &core, budget);
        let reduce = |&part: &TermId| {
            let conjuncts = store.conjuncts(part).into_iter();
            let needed: Vec<TermId> = conjuncts.filter(|it| core.contains(it)).collect();
            store.and(&needed)
        };
        Ok(parts.iter().map(reduce).collect())
    }
}

/// The parts without symbols of their own that their equalities fix.
fn solved(store: &mut TermStore, parts: &[TermId]) -> Vec<TermId> {
    let symbols: Vec<_> = parts.iter().map(|&it| store.symbols_of(&[it])).collect();
    let mut count: BTreeMap<SymbolId, usize> = BTreeMap::new();
    for &symbol in symbols.iter().flatten() {
        *count.entry(symbol).or_default() += 1;
    }
    let solve = |(&part, mut symbols): (&TermId, BTreeSet<SymbolId>)| {
        symbols.retain(|symbol| count[symbol] == 1);
        store.solved(part, &symbols)
    };
    parts.iter().zip(symbols).map(solve).collect()
}

/// Interpolants that a layer found.
struct LayerResult {
    interpolants: Vec<TermId>,
    refutation: Option<Refutation>,
    /// The most atoms in one of them.
    size: usize,
}

impl LayerResult {
    fn new(
        store: &mut TermStore,
        problem: Problem<'_>,
        interpolants: Vec<TermId>,
        refutation: Option<Refutation>,
    ) -> LayerResult {
        let simple = interpolants.into_iter().map(|it| store.simplify(it));
        let mut interpolants: Vec<TermId> = simple.collect();
        precondition::weaken(store, problem, &mut interpolants, LARGE);
        let sizes = interpolants.iter().map(|&it| store.atoms(it).len());
        LayerResult {
            size: sizes.max().unwrap_or(0),
            interpolants,
            refutation,
        }
    }

    /// Whether it is worth while to look for others.
    fn is_large(&self) -> bool {
        self.size > LARGE
    }

    /// The smaller of two.
    fn or(self, other: Option<LayerResult>) -> LayerResult {
        match other {
            Some(other) if other.size <= self.size => other,
            Some(_) | None => self,
        }
    }
}

/// More atoms than this in an interpolant are too many.
const LARGE: usize = 12;

fn prove(
    store: &mut TermStore,
    problem: Problem<'_>,
    limits: Limits,
    budget: &Budget,
) -> Result<LayerResult, String> {
    match refute(store, problem, limits, budget) {
        prover::Answer::Refuted(refutation) => {
            let interpolants = refutation.interpolants(store, problem.shape);
            let proof = Some(*refutation);
            Ok(LayerResult::new(store, problem, interpolants, proof))
        }
        prover::Answer::Consistent => Err("the prover found no contradiction".to_owned()),
        prover::Answer::GaveUp(reason) => Err(reason),
    }
}

/// A fraction, by its denominator, of what is left.
fn fraction(budget: &Budget, denominator: u64) -> Budget {
    budget.share(100 / denominator)
}

/// Whether no check fails; one that takes too long does not count.
fn is_sound(
    store: &mut TermStore,
    problem: Problem<'_>,
    interpolants: &[TermId],
    budget: &Budget,
) -> bool {
    let budget = budget.uncharged().with_timeout(Duration::from_secs(1));
    match verify(store, problem, interpolants, &budget) {
        Ok(()) | Err(Flaw::Unknown { .. }) => true,
        Err(Flaw::Count | Flaw::NotShared { .. } | Flaw::NotImplied { .. }) => false,
    }
}

#[cfg(test)]
mod tests;
