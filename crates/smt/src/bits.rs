//! Questions in bit-vectors.
//!
//! [`BitSolver::may_hold`] is for many small questions about one growing set of terms: a SAT solver
//! keeps what it has learnt ([`sat`](crate::sat)), and where it finds no model Z3 has the last word.
//! [`BitSolver::solve`] is for a large one: a new solver of Z3's that simplifies before it turns the
//! question into one of truth values. `docs/decisions/0032` has the figures. Effort is counted in
//! Z3's units.
//!
//! # Invariants
//! - Only Z3 says that there is no model.
//! - A model is only given if it makes the formulas true by [`BitStore::evaluate`].
//! - An error, a spent budget or an "unknown" on the way is [`Answer::Unknown`].

use crate::log::QueryLog;
use crate::sat::SatSession;
use crate::solver::Answer;
use crate::z3::bits::{as_truth, as_vector, number, symbol};
use crate::z3::build::{Name, TermOperator, constant, operate};
use crate::z3::context::{Ast, Context, Error, caught};
use crate::z3::engine::Engine;
use crate::z3::floats;
use base::{Budget, Id};
use logic::{BitComparison, BitId, BitNode, BitOp, BitStore, Sort};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What is said of a panic.
const PANICKED: &str = "the solver panicked";

/// The values of symbols by their numbers; what is missing may be anything and counts as zero.
pub type BitModel = FxHashMap<u32, u128>;

/// A solver for the terms of one store, which only grows.
#[derive(Default)]
pub struct BitSolver {
    sat: Option<SatSession>,
    session: Option<BitSession>,
    log: Option<Arc<QueryLog>>,
    checks: u64,
}

impl BitSolver {
    /// A solver that checks what others claim: its questions are also logged if
    /// [`QueryLog::install_for_checkers`] says so.
    pub fn of_checker() -> BitSolver {
        BitSolver {
            log: QueryLog::of_checkers(),
            ..BitSolver::default()
        }
    }

    /// How many questions there were.
    pub fn checks(&self) -> u64 {
        self.checks
    }

    /// Whether a formula has a model, with what was learnt from the questions before.
    pub fn may_hold(
        &mut self,
        store: &BitStore,
        formula: BitId,
        effort: u32,
        budget: &Budget,
    ) -> Answer {
        if let Some(value) = store.as_constant(formula) {
            return if value == 1 {
                Answer::Sat
            } else {
                Answer::Unsat
            };
        }
        self.checks += 1;
        let answer = match self.ask_sat(store, formula, effort, budget) {
            Some(answer @ (Answer::Sat | Answer::Unknown(_))) => answer,
            Some(Answer::Unsat) | None => self.ask_z3(store, formula, effort, budget),
        };
        self.note(store, &[formula], &answer);
        answer
    }

    /// What the SAT solver says; nothing if the question is none for it.
    fn ask_sat(
        &mut self,
        store: &BitStore,
        formula: BitId,
        effort: u32,
        budget: &Budget,
    ) -> Option<Answer> {
        let mut sat = self.sat.take().unwrap_or_default();
        let asked = caught(PANICKED, || {
            let answer = sat.may_hold(store, formula, effort, budget);
            Ok((answer, sat))
        });
        let (answer, sat) = asked.ok()?;
        self.sat = Some(sat);
        answer
    }

    /// What Z3 says, with what it has learnt.
    fn ask_z3(&mut self, store: &BitStore, formula: BitId, effort: u32, budget: &Budget) -> Answer {
        let session = self.session.take();
        let asked = caught(PANICKED, || {
            let mut session = match session {
                Some(session) if session.serves(store) => session,
                Some(_) | None => BitSession::new(store)?,
            };
            let mark = session.mark(store, formula)?;
            let answer = session.engine.check_within(&[mark], effort, budget)?;
            Ok((answer, session))
        });
        match asked {
            Ok((answer, session)) => {
                self.session = Some(session);
                answer
            }
            Err(why) => Answer::Unknown(why),
        }
    }

    /// Whether some formulas have a model, and which.
    pub fn solve(
        &mut self,
        store: &BitStore,
        formulas: &[BitId],
        effort: u32,
        budget: &Budget,
    ) -> (Answer, BitModel) {
        self.checks += 1;
        let asked = caught(PANICKED, || solve_alone(store, formulas, effort, budget));
        let (answer, model) =
            asked.unwrap_or_else(|why| (Answer::Unknown(why), BitModel::default()));
        self.note(store, formulas, &answer);
        (answer, model)
    }

    fn note(&self, store: &BitStore, formulas: &[BitId], answer: &Answer) {
        if let Some(log) = &self.log {
            log.bit_check(store, formulas, answer);
        }
    }
}

/// Asks a solver that has heard nothing else.
fn solve_alone(
    store: &BitStore,
    formulas: &[BitId],
    effort: u32,
    budget: &Budget,
) -> Result<(Answer, BitModel), Error> {
    let mut session = BitSession::new(store)?;
    for &formula in formulas {
        let formula = session.translate(store, formula)?;
        session.engine.assert(&formula)?;
    }
    let answer = session.engine.check_within(&[], effort, budget)?;
    let mut model = BitModel::default();
    if answer == Answer::Sat {
        let values = session.engine.model()?.bit_symbols()?.into_iter();
        model.extend(values.map(|(number, value)| (number as u32, value)));
        let values = store.evaluate(formulas, &|number| model.get(&number).copied().unwrap_or(0));
        if values.iter().any(|&value| value != 1) {
            return Err("a model that does not satisfy the formula".into());
        }
    }
    Ok((answer, model))
}

/// Z3's side: a solver, and the terms it knows.
struct BitSession {
    context: Rc<Context>,
    engine: Engine,
    known: Vec<Option<Ast>>,
    /// How many marks there are.
    marks: usize,
    /// Whether the solver knows floating-point numbers.
    has_floats: bool,
}

impl BitSession {
    /// A solver that knows what stands in a store.
    fn new(store: &BitStore) -> Result<BitSession, Error> {
        let context = Context::current()?;
        Ok(BitSession {
            engine: Engine::for_bits(&context, store.has_floats())?,
            has_floats: store.has_floats(),
            context,
            known: Vec::new(),
            marks: 0,
        })
    }

    /// Whether it can still be asked about what stands in a store.
    fn serves(&self, store: &BitStore) -> bool {
        !self.context.is_lost() && (self.has_floats || !store.has_floats())
    }

    /// A literal that implies a formula.
    fn mark(&mut self, store: &BitStore, formula: BitId) -> Result<Ast, Error> {
        let formula = self.translate(store, formula)?;
        let mark = constant(&self.context, Name::Mark(self.marks), Sort::Bool)?;
        self.marks += 1;
        let implied = operate(&self.context, TermOperator::Implies, &[&mark, &formula])?;
        self.engine.assert(&implied)?;
        Ok(mark)
    }

    /// Z3's term. Does not recurse, as terms can be deep.
    fn translate(&mut self, store: &BitStore, term: BitId) -> Result<Ast, Error> {
        self.known.resize(store.len(), None);
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            let waiting = open.len();
            let known = &self.known;
            open.extend(
                store
                    .parts(next)
                    .filter(|part| known[part.index()].is_none()),
            );
            if open.len() > waiting {
                continue;
            }
            open.pop();
            if self.known[next.index()].is_none() {
                self.known[next.index()] = Some(self.made(store, next)?);
            }
        }
        self.part(term).cloned()
    }

    fn part(&self, term: BitId) -> Result<&Ast, Error> {
        let part = self.known[term.index()].as_ref();
        Ok(part.ok_or("a part should be translated before")?)
    }

    /// A part where a bit-vector is needed.
    fn vector(&self, store: &BitStore, term: BitId) -> Result<Ast, Error> {
        let part = self.part(term)?;
        match store.width(term) {
            1 => as_vector(&self.context, part),
            _ => Ok(part.clone()),
        }
    }

    /// A operate on some parts.
    fn operate<const N: usize>(&self, of: TermOperator, parts: [BitId; N]) -> Result<Ast, Error> {
        let parts = parts.iter().map(|&part| self.part(part));
        operate(&self.context, of, &parts.collect::<Result<Vec<_>, _>>()?)
    }

    /// The same where bit-vectors are needed.
    fn vector_step<const N: usize>(
        &self,
        store: &BitStore,
        of: TermOperator,
        parts: [BitId; N],
    ) -> Result<Ast, Error> {
        let parts = parts.iter().map(|&part| self.vector(store, part));
        operate(&self.context, of, &parts.collect::<Result<Vec<_>, _>>()?)
    }

    /// The term, whose parts are known.
    fn made(&self, store: &BitStore, term: BitId) -> Result<Ast, Error> {
        let context = &self.context;
        let width = store.width(term);
        match store.node(term) {
            BitNode::Const(value) => number(context, value, width),
            BitNode::Symbol(index) => symbol(context, index, width),
            BitNode::Not(a) if width == 1 => self.operate(TermOperator::Not, [a]),
            BitNode::Not(a) => self.operate(TermOperator::TurnBits, [a]),
            BitNode::Binary(op, a, b) if width == 1 => self.truth_operation(op, a, b, store),
            BitNode::Binary(op, a, b) => self.operate(TermOperator::Bits(op), [a, b]),
            BitNode::Compare(BitComparison::Eq, a, b) => self.operate(TermOperator::Equal, [a, b]),
            BitNode::Compare(of, a, b) => {
                self.vector_step(store, TermOperator::Compare(of), [a, b])
            }
            BitNode::Extract(low, a) => {
                let bits = self.operate(TermOperator::Extract(low + width - 1, low), [a])?;
                match width {
                    1 => as_truth(context, &bits),
                    _ => Ok(bits),
                }
            }
            BitNode::ZeroExtend(a) => {
                self.vector_step(store, TermOperator::ZeroExtend(width - store.width(a)), [a])
            }
            BitNode::SignExtend(a) => {
                self.vector_step(store, TermOperator::SignExtend(width - store.width(a)), [a])
            }
            BitNode::Concat(a, b) => self.vector_step(store, TermOperator::Concat, [a, b]),
            BitNode::Ite(condition, then, otherwise) => {
                self.operate(TermOperator::Choice, [condition, then, otherwise])
            }
            BitNode::FloatUnary(op, ty, a) => {
                floats::unary(context, op, ty, &self.vector(store, a)?, width)
            }
            BitNode::FloatBinary(op, ty, a, b) => {
                floats::binary(context, op, ty, (self.part(a)?, self.part(b)?))
            }
        }
    }

    fn truth_operation(
        &self,
        op: BitOp,
        a: BitId,
        b: BitId,
        store: &BitStore,
    ) -> Result<Ast, Error> {
        use BitOp::*;
        match op {
            And => self.operate(TermOperator::And, [a, b]),
            Or => self.operate(TermOperator::Or, [a, b]),
            Xor => self.operate(TermOperator::Xor, [a, b]),
            Add | Sub | Mul | UDiv | URem | SDiv | SRem | Shl | LShr | AShr => {
                let bits = self.vector_step(store, TermOperator::Bits(op), [a, b])?;
                as_truth(&self.context, &bits)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation_claims::{Claims, claims, factors};
    use base::Rng;
    use logic::bits::meaning::mask;
    use logic::{FloatBinary, FloatType, FloatUnary};

    const EFFORT: u32 = 2_000_000;

    /// Our meaning of every operation is Z3's: there is no other result for given operands.
    #[test]
    fn z3_means_what_we_mean() {
        let mut rng = Rng::new(7);
        let unlimited = Budget::unlimited();
        for round in 0..120 {
            let mut store = BitStore::new();
            let Claims { given, values } = claims(&mut rng, &mut store);
            let mut wrong = BitStore::FALSE;
            for &(term, value) in &values {
                let value = store.constant(store.width(term), value);
                let equal = store.equal(term, value);
                let differs = store.not(equal);
                wrong = store.or(wrong, differs);
            }
            let mut solver = BitSolver::default();
            let (answer, _) = solver.solve(&store, &[given, wrong], EFFORT, &unlimited);
            assert_eq!(answer, Answer::Unsat, "round {round}");
            let (answer, model) = solver.solve(&store, &[given], EFFORT, &unlimited);
            assert_eq!(answer, Answer::Sat, "round {round}");
            assert!(model.len() <= 2);
        }
    }

    /// The same for floating-point numbers, the special ones above all.
    #[test]
    fn z3_means_what_we_mean_by_floating_point_numbers() {
        let mut rng = Rng::new(11);
        let numbers = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1e-310,
            3.4e38,
            -1e300,
            2.5,
            2147483648.0,
        ];
        let special = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.5, -7.5, 1e-45];
        for round in 0..60 {
            let mut store = BitStore::new();
            let ty = rng.pick(&[FloatType::F32, FloatType::F64]);
            let mut value = || match rng.below(4) {
                0 => u128::from(rng.bits()) & mask(ty.bits()),
                1 => u128::from(ty.rounded(rng.pick(&special))),
                _ => u128::from(ty.rounded(rng.pick(&numbers))),
            };
            let (x, y) = (value(), value());
            let (a, b) = (store.fresh(ty.bits()), store.fresh(ty.bits()));
            let mut claims = Vec::new();
            for &op in FloatBinary::ALL {
                claims.push((store.float_binary(op, ty, a, b), op.operate(ty, x, y)));
            }
            for &op in FloatUnary::ALL {
                if !matches!(op, FloatUnary::ToSigned | FloatUnary::ToUnsigned) {
                    let value = op.operate(ty, ty.bits(), x);
                    claims.push((store.float_unary(op, ty, a), value));
                }
            }
            for (width, is_signed) in [(8, false), (32, true), (64, false)] {
                let (fits, integer) = store.float_to_int(ty, a, width, is_signed);
                let x = store.constant(ty.bits(), x);
                let (should, value) = store.float_to_int(ty, x, width, is_signed);
                let [should, value] = [should, value].map(|term| store.as_constant(term));
                claims.extend([(fits, should.unwrap()), (integer, value.unwrap())]);
            }
            let nan = u128::from(ty.number(x as u64).is_nan());
            claims.push((store.is_nan(ty, a), nan));
            let mut wrong = BitStore::FALSE;
            for &(term, value) in &claims {
                let value = store.constant(store.width(term), value);
                let differs = store.differ(term, value);
                wrong = store.or(wrong, differs);
            }
            let (x, y) = (store.constant(ty.bits(), x), store.constant(ty.bits(), y));
            let (a, b) = (store.equal(a, x), store.equal(b, y));
            let mut solver = BitSolver::default();
            let unlimited = Budget::unlimited();
            let (answer, _) = solver.solve(&store, &[a, b, wrong], EFFORT, &unlimited);
            assert_eq!(answer, Answer::Unsat, "round {round}");
        }
    }

    #[test]
    fn many_questions_about_one_set_of_terms() {
        let mut store = BitStore::new();
        let unlimited = Budget::unlimited();
        let mut solver = BitSolver::default();
        let x = store.fresh(8);
        let three = store.constant(8, 3);
        let mut product = x;
        for value in [0u128, 1, 2, 3] {
            product = store.binary(BitOp::Mul, product, three);
            let value = store.constant(8, value);
            let equal = store.equal(product, value);
            let answer = solver.may_hold(&store, equal, EFFORT, &unlimited);
            assert_eq!(answer, Answer::Sat);
            let same = store.equal(x, value);
            let odd = store.compare(BitComparison::ULt, product, x);
            let both = store.and(same, odd);
            let is_wrapped = u128::from(value == store.constant(8, 0));
            let answer = solver.may_hold(&store, both, EFFORT, &unlimited);
            if is_wrapped == 1 {
                assert_eq!(answer, Answer::Unsat);
            }
        }
        assert!(solver.checks() >= 4);
    }

    /// Too little effort is no answer.
    #[test]
    fn effort_is_limited() {
        let mut store = BitStore::new();
        let all = factors(&mut store);
        let (answer, _) = BitSolver::default().solve(&store, &all, 200, &Budget::unlimited());
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    }
}
