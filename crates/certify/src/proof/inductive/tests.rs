//! The encoding against constant evaluation.

use super::imported_proof::{ImportedProof, Slot, Symbols};
use super::obligation_context::{Effort, ObligationContext, Values};
use super::value::Evaluation;
use super::*;
use base::{Id, Rng, Span};
use logic::{IntType, Sort};
use program::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};
use program::fold;
use smt::{Answer, Solver};

const TYPES: [Type; 9] = [
    Type::Bool,
    Type::Int(IntType::signed(8)),
    Type::Int(IntType::U8),
    Type::Int(IntType::signed(16)),
    Type::I32,
    Type::I32,
    Type::Int(IntType::unsigned(32)),
    Type::Int(IntType::I64),
    Type::Int(IntType::unsigned(64)),
];

/// A program with two variables of each type.
fn program_of_vars() -> Program {
    let mut program = Program::new(8);
    for (index, ty) in TYPES.into_iter().chain(TYPES).enumerate() {
        program.add_global(format!("x{index}"), ty.zero(), Span::NONE);
    }
    program
}

struct Maker<'m> {
    rng: &'m mut Rng,
    program: &'m Program,
}

impl Maker<'_> {
    fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        if depth == 0 || self.rng.chance(15) {
            return self.leaf(ty);
        }
        let int = match ty {
            Type::Int(int) => int,
            _ => return self.condition(depth - 1),
        };
        let (ty, sub) = (Type::Int(int), |maker: &mut Self, ty| {
            Box::new(maker.expr(ty, depth - 1))
        });
        match self.rng.below(16) {
            0 => Expr::Unary(UnaryOp::Neg, ty, sub(self, ty)),
            1 => Expr::Unary(UnaryOp::Not, ty, sub(self, ty)),
            2 if !int.signed => {
                let ops = [
                    UnaryOp::Popcount,
                    UnaryOp::Clz,
                    UnaryOp::Ctz,
                    UnaryOp::Bswap,
                ];
                Expr::Unary(self.rng.pick(&ops), ty, sub(self, ty))
            }
            3 | 4 => {
                let from = self.rng.pick(&TYPES);
                Expr::Cast(ty, sub(self, from))
            }
            5 => Expr::Select(sub(self, Type::Bool), sub(self, ty), sub(self, ty)),
            6 => {
                let op = self.rng.pick(&[BinaryOp::Shl, BinaryOp::Shr]);
                let amount = self.rng.pick(&TYPES[1..]);
                let left = sub(self, ty);
                let right = if self.rng.chance(70) {
                    let most = usize::from(int.bits) + 1;
                    let amount = IntType::I32;
                    Box::new(Expr::int(amount, self.rng.below(most) as i128))
                } else {
                    sub(self, amount)
                };
                Expr::Binary(op, ty, left, right)
            }
            _ => {
                use BinaryOp::*;
                let ops = [Add, Add, Sub, Sub, Mul, Div, Rem, And, Or, Xor];
                let op = self.rng.pick(&ops);
                Expr::Binary(op, ty, sub(self, ty), sub(self, ty))
            }
        }
    }

    fn condition(&mut self, depth: usize) -> Expr {
        use BinaryOp::*;
        let ty = self.rng.pick(&TYPES[1..]);
        let mut sub = |ty| Box::new(self.expr(ty, depth));
        let (a, b, c) = (sub(Type::Bool), sub(Type::Bool), sub(Type::Bool));
        let (x, y) = (sub(ty), sub(ty));
        match self.rng.below(8) {
            0 => Expr::Unary(UnaryOp::Not, Type::Bool, a),
            1 => {
                let op = self.rng.pick(&[And, Or, Xor, Eq, Ne]);
                Expr::Binary(op, Type::Bool, a, b)
            }
            2 => Expr::Select(a, b, c),
            3 => match ty {
                Type::Int(int) if int.signed => {
                    let op = self.rng.pick(&[Add, Sub, Mul, Div, Rem, Shl]);
                    Expr::Overflows(op, int, x, y)
                }
                _ => Expr::Binary(Eq, ty, x, y),
            },
            _ => {
                let op = self.rng.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
                Expr::Binary(op, ty, x, y)
            }
        }
    }

    fn leaf(&mut self, ty: Type) -> Expr {
        if self.rng.chance(35) {
            return Expr::Const(testkit::random::constant(self.rng, ty));
        }
        let vars = self.program.vars.iter_enumerated();
        let vars: Vec<VarId> = vars
            .filter(|(_, row)| row.ty == ty)
            .map(|(id, _)| id)
            .collect();
        Expr::Var(self.rng.pick(&vars))
    }
}

/// Whether the encoding leaves no choice for this.
fn is_exact(expr: &Expr) -> bool {
    let constant = |expr: &Expr| expr.constant().is_some();
    !expr.any(&|part| match part {
        Expr::Unary(op, ..) => !matches!(op, UnaryOp::Neg | UnaryOp::Not),
        Expr::Binary(BinaryOp::Mul, _, a, b) | Expr::Overflows(BinaryOp::Mul, _, a, b) => {
            !constant(a) && !constant(b)
        }
        Expr::Binary(op, ty, a, b) => match op {
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr => !constant(b),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                // A mask of many runs is opaque.
                let few = |expr: &Expr| match expr.constant() {
                    Some(Constant::Int(value)) => {
                        (value.bits() ^ (value.bits() >> 1)).count_ones() < 14
                    }
                    _ => false,
                };
                *ty != Type::Bool && !few(a) && !few(b)
            }
            _ => false,
        },
        Expr::Overflows(BinaryOp::Shl, _, _, b) => !constant(b),
        _ => false,
    })
}

/// Every defined value is one that the encoding allows, and the only one where it is exact;
/// nothing is where the evaluation is undefined.
#[test]
fn encodes_what_is_evaluated() {
    let program = program_of_vars();
    let budget = Budget::unlimited();
    let (mut defined, mut exact) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let ty = rng.pick(&TYPES);
        let mut maker = Maker {
            rng: &mut rng,
            program: &program,
        };
        let expr = maker.expr(ty, 3);
        let inputs: Vec<Constant> = (program.vars.iter())
            .map(|var| testkit::random::constant(&mut rng, var.ty))
            .collect();
        let mut concrete = expr.clone();
        concrete.visit_mut(&mut |part| {
            if let Expr::Var(var) = part {
                *part = Expr::Const(inputs[var.index()]);
            }
        });
        let expected = fold::simplify(concrete.clone()).constant();
        let effort = rng.pick(&[Effort::Little, Effort::Great]);
        let mut checked = Encoded::new(&program, &inputs, effort, &mut rng);
        let answers = checked.ask(&expr, expected, &budget);
        let text = || format!("seed {seed}: {expr:?} on {inputs:?} is {expected:?}");
        match expected {
            Some(_) => {
                defined += 1;
                assert_eq!(answers.0, Answer::Sat, "{}", text());
                if is_exact(&expr) {
                    exact += 1;
                    assert_eq!(answers.1, Answer::Unsat, "{}", text());
                }
            }
            None if is_exact(&expr) => assert_eq!(answers.0, Answer::Unsat, "{}", text()),
            None => {}
        }
    }
    assert!(defined > 150 && exact > 80, "{defined} {exact}");
}

/// A context in which the variables have values, of which the bounds know more or less.
struct Encoded<'e> {
    program: &'e Program,
    store: logic::TermStore,
    symbols: Symbols,
    solver: Solver,
    effort: Effort,
    /// What holds of the variables, and whether it is told to the bounds.
    inputs: Vec<(VarId, Constant, Option<i64>)>,
}

impl<'e> Encoded<'e> {
    fn new(program: &'e Program, inputs: &[Constant], effort: Effort, rng: &mut Rng) -> Self {
        let empty = Inductive {
            inlined: None,
            store: TermStore::new(),
            vars: program
                .vars
                .ids()
                .map(|var| SymbolId::from_index(var.index()))
                .collect(),
            ghosts: Vec::new(),
            labels: BTreeMap::new(),
            results: BTreeMap::new(),
        };
        let given = ImportedProof::new(&empty, program).expect("the proof should be well-formed");
        let inputs = program.vars.ids().zip(inputs);
        let near = |rng: &mut Rng| rng.chance(30).then(|| rng.below(3) as i64);
        Encoded {
            program,
            symbols: given.symbols,
            store: given.store,
            solver: Solver::new(),
            effort,
            inputs: inputs
                .map(|(var, &value)| (var, value, near(rng)))
                .collect(),
        }
    }

    /// Whether the result can be the expected one (or any, if it is undefined), and another.
    fn ask(
        &mut self,
        expr: &Expr,
        expected: Option<Constant>,
        budget: &Budget,
    ) -> (Answer, Answer) {
        let mut context = ObligationContext::new(
            self.program,
            &mut self.store,
            &self.symbols,
            &mut self.solver,
            self.effort,
            budget,
        );
        let values = Values::new();
        let mut holds = Vec::new();
        for &(var, value, near) in &self.inputs {
            let term = context.read(&values, Slot::Var(var));
            let value = constant(context.store, value);
            holds.push(context.store.eq(term, value));
            if let (Some(near), Some(value)) = (near, context.store.as_int(value).cloned()) {
                let (low, high) = (&value - &near.into(), &value + &near.into());
                let inside = context.between(&low, term, &high);
                for conjunct in context.store.conjuncts(inside) {
                    context.bounds.note_conjunct(context.store, conjunct);
                }
                context.fact(inside);
            }
        }
        let reach = context.store.and(&holds);
        let mut evaluation = Evaluation::new(&mut context, &values, reach);
        let result = evaluation.value(expr);
        let mut all = evaluation.finish();
        all.push(reach);
        let Some(expected) = expected else {
            return (
                context.solver.check(context.store, &all, budget),
                Answer::Unsat,
            );
        };
        assert_eq!(
            context.store.sort(result) == Sort::Bool,
            expected.ty() == Type::Bool
        );
        let expected = constant(context.store, expected);
        let same = context.store.eq(result, expected);
        let other = context.store.not(same);
        let mut ask = |claim| {
            let all: Vec<TermId> = all.iter().copied().chain([claim]).collect();
            context.solver.check(context.store, &all, budget)
        };
        (ask(same), ask(other))
    }
}

fn constant(store: &mut TermStore, value: Constant) -> TermId {
    match value {
        Constant::Bool(value) => store.bool(value),
        Constant::Int(value) => store.int(value),
        Constant::Float(..) | Constant::Null => panic!("only numbers here"),
    }
}
