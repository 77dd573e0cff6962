//! A SAT solver that is kept, for many questions in bit-vectors about one growing set of terms.
//!
//! Terms become clauses once ([`blast`](crate::blast)); a question is an assumption, so that what
//! was learnt stays. A model is no claim that anything rests on, and what has none is asked again
//! elsewhere: no verdict rests on this solver.
//!
//! # Invariants
//! - Effort is counted in conflicts and propagations, so the same questions get the same answers.

use crate::Answer;
use crate::blast::{Blaster, Clauses, Literal};
use base::Budget;
use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use logic::{BitId, BitStore};
use std::cell::Cell;

/// Z3's counts for a conflict. Questions that need more than some hundred conflicts are rare, and those
/// behind them harder still.
const COUNTS_OF_A_CONFLICT: u32 = 500;
/// Propagations for a unit of effort, as for Z3's counts.
const PROPAGATIONS_OF_A_UNIT: u64 = 8;
/// How many decisions there are between two looks at the budget.
const TICKS: u32 = 1_024;

/// The solver, and the terms it knows.
pub(crate) struct SatSession {
    blaster: Blaster<Kept>,
    /// What was charged for.
    charged: u64,
}

impl Default for SatSession {
    fn default() -> Self {
        let kept = Kept {
            solver: Solver::new(SolverOpts::default(), Watch::default()),
            clause: Vec::new(),
        };
        SatSession {
            blaster: Blaster::new(kept),
            charged: 0,
        }
    }
}

impl SatSession {
    /// Whether a formula has a model, with so much effort in Z3's units; nothing if it cannot be
    /// said in clauses.
    pub(crate) fn may_hold(
        &mut self,
        store: &BitStore,
        formula: BitId,
        effort: u32,
        budget: &Budget,
    ) -> Option<Answer> {
        let literal = self.blaster.literal(store, formula)?;
        let kept = &mut self.blaster.clauses;
        let assumed = kept.literal(literal);
        *kept.solver.cb_mut() = Watch {
            conflicts_left: effort / COUNTS_OF_A_CONFLICT,
            budget: Some(budget.clone()),
            ..Watch::default()
        };
        let answer = kept.solver.solve_limited(&[assumed]);
        let done = kept.solver.num_propagations() + kept.solver.num_clauses();
        // Clauses that are no longer needed go.
        let new = done.saturating_sub(self.charged);
        self.charged = done.max(self.charged);
        budget.spend(new / PROPAGATIONS_OF_A_UNIT);
        Some(match answer {
            _ if answer == lbool::TRUE => Answer::Sat,
            _ if answer == lbool::FALSE => Answer::Unsat,
            _ => Answer::Unknown("the effort for the question is used up".to_owned()),
        })
    }
}

/// Where the clauses are.
struct Kept {
    solver: Solver<Watch>,
    /// Reused.
    clause: Vec<Lit>,
}

impl Kept {
    /// The solver's literal. Variables are made as they are named.
    fn literal(&mut self, literal: Literal) -> Lit {
        while self.solver.num_vars() <= literal.variable() {
            self.solver.new_var_default();
        }
        Lit::new(
            Var::unsafe_from_idx(literal.variable()),
            !literal.is_negated(),
        )
    }
}

impl Clauses for Kept {
    fn add(&mut self, clause: &[Literal]) {
        let mut literals = std::mem::take(&mut self.clause);
        literals.clear();
        literals.extend(clause.iter().map(|&literal| self.literal(literal)));
        self.solver.add_clause_reuse(&mut literals);
        self.clause = literals;
    }
}

/// Stops the solver when its effort is used up.
#[derive(Default)]
struct Watch {
    conflicts_left: u32,
    budget: Option<Budget>,
    /// Decisions since the budget was looked at.
    ticks: Cell<u32>,
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if matches!(kind, ClauseKind::Learnt) {
            self.conflicts_left = self.conflicts_left.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        let ticks = self.ticks.get() + 1;
        self.ticks.set(ticks % TICKS);
        let is_spent = || (self.budget.as_ref()).is_some_and(|budget| budget.check().is_err());
        self.conflicts_left == 0 || (ticks == TICKS && is_spent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation_claims::{Claims, claims, factors};
    use crate::{BitModel, BitSolver};
    use base::Rng;
    use logic::{BitComparison, BitNode, BitOp};

    const EFFORT: u32 = 20_000_000;

    impl SatSession {
        /// The model that was found last, of the symbols that stand in some terms.
        fn model(&self, store: &BitStore, formulas: &[BitId]) -> BitModel {
            let solver = &self.blaster.clauses.solver;
            let holds = |literal: Literal| {
                let is_known = literal.variable() < solver.num_vars();
                let var = Var::unsafe_from_idx(literal.variable());
                let value = is_known && solver.value_var(var) == lbool::TRUE;
                u128::from(value != literal.is_negated())
            };
            let mut model = BitModel::default();
            for term in store.below(formulas) {
                if let BitNode::Symbol(number) = store.node(term) {
                    let bits = self.blaster.bits(term).expect("it should be told");
                    let bits = bits.iter().enumerate();
                    let value = bits.map(|(place, &bit)| holds(bit) << place).sum();
                    model.insert(number, value);
                }
            }
            model
        }
    }

    /// Our meaning of every operation is that of its clauses: there is no other result for given
    /// operands, and there is this one.
    #[test]
    fn clauses_mean_what_we_mean() {
        let mut rng = Rng::new(17);
        let unlimited = Budget::unlimited();
        for round in 0..50 {
            let mut store = BitStore::new();
            let Claims { given, values } = claims(&mut rng, &mut store);
            let mut session = SatSession::default();
            for (number, &(term, value)) in values.iter().enumerate() {
                let value = store.constant(store.width(term), value);
                let equal = store.equal(term, value);
                let differs = store.not(equal);
                for (claim, expected) in [(differs, Answer::Unsat), (equal, Answer::Sat)] {
                    let both = store.and(given, claim);
                    let answer = session.may_hold(&store, both, EFFORT, &unlimited);
                    assert_eq!(answer, Some(expected), "round {round}, claim {number}");
                }
            }
        }
    }

    /// Random formulas over one growing store: the answers are Z3's, and models are models.
    #[test]
    fn answers_are_those_of_z3() {
        let mut rng = Rng::new(23);
        let unlimited = Budget::unlimited();
        let mut refuted = 0;
        for round in 0..60 {
            let mut store = BitStore::new();
            let width = rng.pick(&[1u8, 2, 4, 6, 9]);
            let mut terms: Vec<BitId> = (0..3).map(|_| store.fresh(width)).collect();
            terms.push(store.constant(width, u128::from(rng.bits())));
            let mut session = SatSession::default();
            for _ in 0..6 {
                for _ in 0..8 {
                    let [a, b] = [(); 2].map(|()| rng.pick(&terms));
                    let term = match rng.below(5) {
                        0 => store.not(a),
                        1 => {
                            let less = store.compare(rng.pick(BitComparison::ALL), a, b);
                            let other = rng.pick(&terms);
                            store.ite(less, b, other)
                        }
                        _ => store.binary(rng.pick(BitOp::ALL), a, b),
                    };
                    terms.push(term);
                }
                let mut formula = BitStore::TRUE;
                for _ in 0..rng.below(3) + 2 {
                    let [a, b] = [(); 2].map(|()| rng.pick(&terms));
                    let claim = store.compare(rng.pick(BitComparison::ALL), a, b);
                    formula = store.and(formula, claim);
                }
                if store.as_constant(formula).is_some() {
                    continue;
                }
                let answer = session.may_hold(&store, formula, EFFORT, &unlimited);
                let (expected, _) =
                    BitSolver::default().solve(&store, &[formula], EFFORT, &unlimited);
                assert_eq!(answer, Some(expected.clone()), "round {round}");
                if expected == Answer::Sat {
                    let model = session.model(&store, &[formula]);
                    let value = |number: u32| model.get(&number).copied().unwrap_or(0);
                    assert_eq!(store.evaluate(&[formula], &value), [1], "round {round}");
                } else {
                    refuted += 1;
                }
            }
        }
        assert!(refuted > 30, "only {refuted} have no model");
    }

    /// Too little effort is no answer, and the next question gets one.
    #[test]
    fn effort_is_limited() {
        let mut store = BitStore::new();
        let [equal, small, large] = factors(&mut store);
        let both = store.and(small, large);
        let all = store.and(equal, both);
        let mut session = SatSession::default();
        let unlimited = Budget::unlimited();
        let answer = session.may_hold(&store, all, 2_000, &unlimited);
        assert!(matches!(answer, Some(Answer::Unknown(_))), "{answer:?}");
        let answer = session.may_hold(&store, both, EFFORT, &unlimited);
        assert_eq!(answer, Some(Answer::Sat));
    }

    /// What is not said in clauses is not answered.
    #[test]
    fn numbers_with_a_point_are_left_to_z3() {
        let mut store = BitStore::new();
        let [x, y] = [(); 2].map(|()| store.fresh(32));
        let less = store.float_binary(logic::FloatBinary::Lt, logic::FloatType::F32, x, y);
        let mut session = SatSession::default();
        let unlimited = Budget::unlimited();
        assert_eq!(session.may_hold(&store, less, EFFORT, &unlimited), None);
        let answer = BitSolver::default().may_hold(&store, less, EFFORT, &unlimited);
        assert_eq!(answer, Answer::Sat);
    }
}
