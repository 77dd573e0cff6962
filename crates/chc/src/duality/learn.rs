//! What a conflict teaches: an interpolant between the last clause of a goal and the rest of it.
//!
//! # Paper
//! [mcmillan2014lazy], section 4, "interpolant generalization": disjuncts are dropped as long as
//! the prefix implies the rest, and an interpolant is made of prime implicants of the prefix, one
//! for each. The paper does the latter where the former is not enough; we begin with it, since
//! conjunctions are much cheaper to interpolate than the prefix as it is. Of a large prefix we begin
//! with neither: there what the suffix contradicts is made stronger by dropping literals, and halves
//! of equalities: that a number is not 5 is a disjunction, too. Where facts are propagated along
//! linear clauses, the few values that an argument can have after such a conflict are listed: an
//! argument that is a program counter is not excluded from one place at a time.

use crate::realise::{equals, values};
use crate::reduce::facts::halves;
use base::Budget;
use interpolate::eliminate::eliminate;
use interpolate::{Interpolation, Interpolator, Layers};
use logic::{Node, Sort, SymbolId, TermId, TermStore, implicant};
use prover::Shape;
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::collections::BTreeSet;

/// How many prime implicants a formula is made of.
const IMPLICANTS: usize = 12;
/// A prefix with more atoms is large: its implicants are many.
const ATOMS: usize = 40;
/// How many literals are tried to be dropped.
const DROPPED: usize = 12;
/// Of how many values at most a list is made.
const VALUES: usize = 4;
/// For how many literals at most lists are made.
const LITERALS: usize = 2;
/// How much effort an interpolant may take: in percent where effort is limited, as in a slice of a
/// portfolio, a forced cover or an attempt at induction; and elsewhere in units.
const INTERPOLANT: (u64, u64) = (30, 3_000_000);
/// The same for a projection.
const PROJECTION: (u64, u64) = (5, 500_000);

/// What a clause derives: its constraint, and what else is known.
pub(super) struct Prefix {
    /// The constraint of an instance.
    pub(super) constraint: TermId,
    /// Labels of what it needs, and what its head is.
    pub(super) more: Vec<TermId>,
}

impl Prefix {
    fn formula(&self, store: &mut TermStore) -> TermId {
        let more = store.and(&self.more);
        store.and(&[self.constraint, more])
    }
}

/// Asks what follows from clauses.
pub(super) struct Learner {
    /// A solver for each constraint, which has it asserted: telling Z3 a large one takes longer
    /// than most questions.
    of_constraint: FxHashMap<TermId, Solver>,
    /// For questions about conjunctions.
    cores: Solver,
    interpolator: Interpolator,
    /// Whether values are listed where they are few, after a conflict with a large prefix.
    lists: bool,
    /// Such lists for the last interpolant. They are for the search only: next to none of them holds
    /// of later instances.
    pub(super) listed: Vec<TermId>,
}

impl Learner {
    pub(super) fn new(lists: bool) -> Learner {
        Learner {
            of_constraint: FxHashMap::default(),
            cores: Solver::new(),
            interpolator: Interpolator::new(Layers::ALL),
            lists,
            listed: Vec::new(),
        }
    }

    /// The answer about a prefix with some more formulas, and the solver that gave it.
    pub(super) fn ask(
        &mut self,
        store: &TermStore,
        prefix: &Prefix,
        more: &[TermId],
        budget: &Budget,
    ) -> (Answer, &Solver) {
        let solver = (self.of_constraint.entry(prefix.constraint)).or_insert_with(|| {
            let mut solver = Solver::new();
            solver.assert(store, prefix.constraint);
            solver
        });
        let all = prefix.more.iter().chain(more).copied();
        let all: Vec<TermId> = all
            .filter(|&term| store.as_bool(term) != Some(true))
            .collect();
        (solver.check(store, &all, budget), solver)
    }

    /// Whether a prefix implies a formula, as far as the solver knows.
    pub(super) fn implies(
        &mut self,
        store: &mut TermStore,
        prefix: &Prefix,
        claim: TermId,
        budget: &Budget,
    ) -> bool {
        let negated = store.not(claim);
        self.ask(store, prefix, &[negated], budget).0 == Answer::Unsat
    }

    /// A formula that the prefix implies, that contradicts the suffix, and that speaks of what they
    /// share.
    pub(super) fn interpolant(
        &mut self,
        store: &mut TermStore,
        prefix: &Prefix,
        suffix: &[TermId],
        generalises: bool,
        budget: &Budget,
    ) -> Result<TermId, String> {
        budget.counters().add("duality interpolants", 1);
        self.listed.clear();
        let suffix = store.and(suffix);
        if generalises {
            let whole = prefix.formula(store);
            let found = match store.atoms(whole).len() > ATOMS {
                true => self.of_suffix(store, prefix, suffix, budget),
                false => self.of_implicants(store, prefix, suffix, budget),
            };
            if let Some(found) = found {
                return Ok(found);
            }
        }
        let whole = prefix.formula(store);
        let found = self.plain(store, whole, suffix, budget)?;
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
        let part = budget.part(INTERPOLANT);
        let found = (self.interpolator).interpolate(store, shape.of(&parts), &part);
        match found {
            Interpolation::Interpolants(found) => Ok(found[0]),
            Interpolation::Consistent(_) => Err("a goal has a model and has none".into()),
            Interpolation::Unknown(why) => {
                let own = others(store, suffix, &[prefix]);
                let rest = eliminate(&mut self.cores, store, suffix, &own, budget);
                rest.map(|rest| store.not(rest)).map_err(|_| why)
            }
        }
    }

    /// Drops disjuncts as long as the prefix implies the rest.
    fn without_disjuncts(
        &mut self,
        store: &mut TermStore,
        prefix: &Prefix,
        formula: TermId,
        budget: &Budget,
    ) -> TermId {
        let mut conjuncts = Vec::new();
        for conjunct in store.conjuncts(formula) {
            let kept = fewest(disjuncts(store, conjunct), |fewer| {
                let rest = store.or(fewer);
                self.implies(store, prefix, rest, budget)
            });
            conjuncts.push(store.or(&kept));
        }
        store.and(&conjuncts)
    }

    /// What a formula says of some symbols alone; none if that is hard to find.
    pub(super) fn projected(
        &mut self,
        store: &mut TermStore,
        formula: TermId,
        kept: &[TermId],
        budget: &Budget,
    ) -> Option<TermId> {
        let others = others(store, formula, kept);
        let part = budget.part(PROJECTION);
        eliminate(&mut self.cores, store, formula, &others, &part).ok()
    }

    /// What the suffix contradicts, without the literals that the prefix does without; none if that
    /// is much.
    fn of_suffix(
        &mut self,
        store: &mut TermStore,
        prefix: &Prefix,
        suffix: TermId,
        budget: &Budget,
    ) -> Option<TermId> {
        let whole = prefix.formula(store);
        let rest = self.projected(store, suffix, &[whole], budget)?;
        let cubes = disjuncts(store, rest);
        if cubes.len() > IMPLICANTS {
            return None;
        }
        let mut clauses = Vec::new();
        for cube in cubes {
            let literals = store.conjuncts(cube);
            let core = self.small_core(store, prefix, literals, budget)?;
            clauses.push(store.not_all(&core));
            if self.lists && core.len() <= LITERALS {
                for at in 0..core.len() {
                    let values = self.values_of(store, prefix, &core, at, budget);
                    self.listed.extend(values);
                }
            }
        }
        Some(store.and(&clauses))
    }

    /// Literals that contradict a prefix, few of them; none if they do not.
    fn small_core(
        &mut self,
        store: &mut TermStore,
        prefix: &Prefix,
        literals: Vec<TermId>,
        budget: &Budget,
    ) -> Option<Vec<TermId>> {
        let mut core = self.core(store, prefix, &literals, budget)?;
        let mut at = 0;
        for _ in 0..DROPPED {
            if at >= core.len() {
                break;
            }
            let mut fewer = core.clone();
            fewer.remove(at);
            match self.core(store, prefix, &fewer, budget) {
                Some(fewer) => core = fewer,
                None => at += 1,
            }
        }
        self.weaken(store, prefix, &mut core, budget);
        Some(core)
    }

    /// What a prefix says of the one symbol of a literal, given the others, if that is few values:
    /// a clause that lists them.
    fn values_of(
        &mut self,
        store: &mut TermStore,
        prefix: &Prefix,
        core: &[TermId],
        at: usize,
        budget: &Budget,
    ) -> Option<TermId> {
        let symbols = store.symbols_of(&[core[at]]);
        let symbol = *symbols.first().filter(|_| symbols.len() == 1)?;
        let term = store.of_symbol(symbol);
        if store.sort(term) != Sort::Int {
            return None;
        }
        let mut more = core.to_vec();
        more.remove(at);
        let mut listed: Vec<TermId> = more.iter().map(|&it| store.not(it)).collect();
        for _ in 0..=VALUES {
            let (answer, solver) = self.ask(store, prefix, &more, budget);
            let value = match answer {
                Answer::Unsat => return Some(store.or(&listed)),
                Answer::Sat => solver.model()?.value(store, symbol),
                Answer::Unknown(_) => return None,
            };
            let equal = equals(store, term, &value);
            listed.push(equal);
            more.push(store.not(equal));
        }
        None
    }

    /// Takes an inequality in the place of an equality where that is enough to contradict a prefix:
    /// what is learned is a bound, and not that one value is missing.
    fn weaken(
        &mut self,
        store: &mut TermStore,
        prefix: &Prefix,
        literals: &mut [TermId],
        budget: &Budget,
    ) {
        for at in 0..literals.len() {
            let literal = literals[at];
            for half in halves(store, literal)
                .into_iter()
                .filter(|&half| half != literal)
            {
                literals[at] = half;
                if self.core(store, prefix, literals, budget).is_some() {
                    break;
                }
                literals[at] = literal;
            }
        }
    }

    /// The literals of a contradiction with a prefix, in the order in which they came.
    fn core(
        &mut self,
        store: &TermStore,
        prefix: &Prefix,
        literals: &[TermId],
        budget: &Budget,
    ) -> Option<Vec<TermId>> {
        let (answer, solver) = self.ask(store, prefix, literals, budget);
        if answer != Answer::Unsat {
            return None;
        }
        let core: BTreeSet<TermId> = solver.core().iter().copied().collect();
        let kept = literals.iter().copied().filter(|it| core.contains(it));
        Some(kept.collect())
    }

    /// Interpolants for prime implicants of the prefix, joined; none if they are many.
    fn of_implicants(
        &mut self,
        store: &mut TermStore,
        prefix: &Prefix,
        suffix: TermId,
        budget: &Budget,
    ) -> Option<TermId> {
        let whole = prefix.formula(store);
        let others = store.conjuncts(suffix);
        let mut found: Vec<TermId> = Vec::new();
        let mut outside: Vec<TermId> = Vec::new();
        for _ in 0..IMPLICANTS {
            let (answer, solver) = self.ask(store, prefix, &outside, budget);
            let model = match answer {
                Answer::Unsat => {
                    let all = store.or(&found);
                    return Some(self.without_disjuncts(store, prefix, all, budget));
                }
                Answer::Sat => solver.model()?.clone(),
                Answer::Unknown(_) => return None,
            };
            let values = values(store, &model, whole);
            let cube = implicant(store, whole, &BTreeSet::new(), &values)?;
            let all = [&cube[..], &others[..]].concat();
            if self.cores.check(store, &all, budget) != Answer::Unsat {
                return None;
            }
            let core: BTreeSet<TermId> = self.cores.core().iter().copied().collect();
            let needed = |terms: &[TermId]| -> Vec<TermId> {
                let terms = terms.iter().copied();
                terms.filter(|term| core.contains(term)).collect()
            };
            let (prime, rest) = (needed(&cube), needed(&others));
            let (prime, rest) = (store.and(&prime), store.and(&rest));
            let interpolant = self.plain(store, prime, rest, budget).ok()?;
            outside.push(store.not(interpolant));
            found.push(interpolant);
        }
        None
    }
}

/// The symbols of a formula that some terms do not have.
fn others(store: &TermStore, formula: TermId, kept: &[TermId]) -> BTreeSet<SymbolId> {
    let kept = store.symbols_of(kept);
    let mut others = store.symbols_of(&[formula]);
    others.retain(|symbol| !kept.contains(symbol));
    others
}

/// Some formulas without those that are not needed: each in turn is left out for good where the rest
/// is enough. One always stays. What is enough is enough with more, so several are tried at once:
/// twice as many each time, half as many after too many.
pub(super) fn fewest(
    mut kept: Vec<TermId>,
    mut is_enough: impl FnMut(&[TermId]) -> bool,
) -> Vec<TermId> {
    let mut at = 0;
    let mut width = 1;
    // So many cannot all go.
    let mut too_many = usize::MAX;
    while kept.len() > 1 && at < kept.len() {
        width = width.min(kept.len() - at).min(kept.len() - 1);
        let fewer = [&kept[..at], &kept[at + width..]].concat();
        match is_enough(&fewer) {
            true => {
                kept = fewer;
                too_many = too_many.saturating_sub(width);
                width = (2 * width).min(too_many / 2).max(1);
            }
            false => {
                too_many = width;
                width = (width / 2).max(1);
            }
        }
        if too_many == 1 {
            at += 1;
            (width, too_many) = (1, usize::MAX);
        }
    }
    kept
}

fn disjuncts(store: &TermStore, formula: TermId) -> Vec<TermId> {
    match store.node(formula) {
        Node::Or(parts) => parts.to_vec(),
        _ => vec![formula],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is enough, what stays is the same as if one were left out at a time.
    #[test]
    fn fewest_is_what_is_left_one_by_one() {
        let mut store = TermStore::new();
        let all: Vec<TermId> = (0..9).map(|_| store.fresh("b", Sort::Bool)).collect();
        for needed in 1u32..1 << 9 {
            // One of two sets is enough: those of the bits, and the first with the last.
            let of_bits = |terms: &[TermId]| {
                let is_in = |at: usize| terms.contains(&all[at]);
                (0..9).all(|at| needed >> at & 1 == 0 || is_in(at)) || is_in(0) && is_in(8)
            };
            let mut one_by_one = all.clone();
            for &term in &all {
                let rest: Vec<TermId> = one_by_one
                    .iter()
                    .copied()
                    .filter(|&it| it != term)
                    .collect();
                if of_bits(&rest) {
                    one_by_one = rest;
                }
            }
            assert_eq!(fewest(all.clone(), of_bits), one_by_one, "{needed:b}");
        }
    }

    /// A prefix that has few values for one symbol, and more than are listed for another.
    #[test]
    fn few_values_are_listed() {
        let mut store = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Int));
        let equal = |store: &mut TermStore, term: TermId, value: i64| {
            let value = store.int(value);
            store.eq(term, value)
        };
        let (one, three) = (equal(&mut store, x, 1), equal(&mut store, x, 3));
        let few = store.or(&[one, three]);
        let numbers = [0i64, 9].map(|value| store.int(value));
        let many = [store.le(numbers[0], y), store.le(y, numbers[1])];
        let constraint = store.and(&[few, many[0], many[1]]);
        let prefix = Prefix {
            constraint,
            more: Vec::new(),
        };
        let core = [equal(&mut store, x, 5), equal(&mut store, y, 20)];
        let mut learner = Learner::new(true);
        let budget = Budget::unlimited();
        let listed = learner.values_of(&mut store, &prefix, &core[..1], 0, &budget);
        let listed = listed.expect("two values are few");
        assert!(learner.implies(&mut store, &prefix, listed, &budget));
        let same = store.not(few);
        assert_eq!(
            learner.cores.check(&store, &[listed, same], &budget),
            Answer::Unsat
        );
        let listed = learner.values_of(&mut store, &prefix, &core[1..], 0, &budget);
        assert_eq!(listed, None);
    }
}
