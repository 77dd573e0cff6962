//! The encoding against constant evaluation and against the machine.

use super::explore::Unwinder;
use super::*;
use base::{Rng, Span};
use exec::inputs::take_bytes;
use exec::{Contents, End, Inputs, Limits, Machine};
use logic::{FloatType, IntType};
use program::expr::{BinaryOp, Expr, UnaryOp};
use program::fold;
use program::ir::{Call, Callee, Library, LocationId, Op, ProcId, Procedure, Property, Violation};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

const TYPES: [IntType; 12] = [
    IntType::signed(1),
    IntType::signed(5),
    IntType::unsigned(5),
    IntType::signed(8),
    IntType::U8,
    IntType::signed(16),
    IntType::unsigned(16),
    IntType::I32,
    IntType::unsigned(32),
    IntType::I64,
    IntType::unsigned(64),
    IntType::unsigned(128),
];
const BINARY: [BinaryOp; 16] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
];
const UNARY: [UnaryOp; 6] = [
    UnaryOp::Neg,
    UnaryOp::Not,
    UnaryOp::Popcount,
    UnaryOp::Clz,
    UnaryOp::Ctz,
    UnaryOp::Bswap,
];

const SMALL: Bounds = Bounds {
    iterations: 40,
    depth: 8,
    steps: 600,
    terms: 60_000,
    questions: 4,
    question_effort: 20_000,
    effort: 5_000_000,
    search: true,
};

fn value(rng: &mut Rng, ty: IntType) -> IntValue {
    let any = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
    match rng.below(5) {
        0 => IntValue::wrap(ty, rng.below(9) as i128 - 4),
        1 => ty.min(),
        2 => ty.max(),
        3 => IntValue::from_bits(ty, any >> (rng.below(127) as u32)),
        _ => IntValue::from_bits(ty, any),
    }
}

/// A program that evaluates nothing, to have an unwinder.
fn empty_program() -> Program {
    let mut program = Program::new(8);
    program.procs.push(Procedure::new("main", None, Span::NONE));
    program
}

/// Whether an expression over two variables has the value, and is defined where, the evaluation of
/// constants says so.
#[test]
fn expressions_agree_with_constants() {
    let mut rng = Rng::new(3);
    let unlimited = Budget::unlimited();
    for round in 0..6_000 {
        let (ty, amount) = (rng.pick(&TYPES), rng.pick(&TYPES));
        let mut program = empty_program();
        let op = rng.pick(&BINARY);
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let right = if is_shift { amount } else { ty };
        let (a, b) = (value(&mut rng, ty), value(&mut rng, right));
        let b = if is_shift && rng.chance(60) {
            IntValue::wrap(right, rng.below(usize::from(ty.bits)) as i128)
        } else {
            b
        };
        let mut var = |ty: IntType, value: IntValue| {
            // Some operands are constants for the encoding too.
            if rng.chance(25) {
                return Expr::Const(Constant::Int(value));
            }
            let init = Constant::Int(IntValue::zero(ty));
            Expr::Var(program.add_global("x", init, Span::NONE))
        };
        let (left, right_expr) = (var(ty, a), var(right, b));
        let boxes = || (Box::new(left.clone()), Box::new(right_expr.clone()));
        let (expr, expected) = match rng.below(5) {
            0 => {
                let op = rng.pick(&UNARY);
                let expected = fold::unary(op, Constant::Int(a));
                (Expr::Unary(op, Type::Int(ty), boxes().0), expected)
            }
            1 => {
                let to = Type::Int(rng.pick(&TYPES));
                (Expr::Cast(to, boxes().0), fold::cast(to, Constant::Int(a)))
            }
            2 if ty.signed && !op.is_comparison() => {
                let (x, y) = boxes();
                let expected = fold::overflows(op, Constant::Int(a), Constant::Int(b));
                (Expr::Overflows(op, ty, x, y), expected.map(Constant::Bool))
            }
            _ => {
                let (x, y) = boxes();
                let expected = fold::binary(op, Constant::Int(a), Constant::Int(b));
                (Expr::Binary(op, Type::Int(ty), x, y), expected)
            }
        };
        let odd = matches!(expr, Expr::Unary(UnaryOp::Bswap, ..)) && !ty.bits.is_multiple_of(8);
        // A single bit has no room for its count.
        let narrow = matches!(
            expr,
            Expr::Unary(UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz, ..)
        );
        if odd || (narrow && ty.bits < 8) {
            continue;
        }
        let mut unwinder = Unwinder::new(&program, &SMALL, &[], &unlimited);
        let mut state = unwinder.start();
        let mut symbols = FxHashMap::default();
        for (expr, value) in [(&left, a), (&right_expr, b)] {
            if let Expr::Var(var) = expr {
                let term = unwinder.store.fresh(value.ty().bits);
                symbols.insert(unwinder.store.symbols() - 1, value.bits());
                unwinder.set(&mut state, *var, super::state::Value::Bits(term));
            }
        }
        let found = unwinder.bits(&state, &expr, BitStore::TRUE);
        assert!(unwinder.open.is_empty(), "{expr:?}: {:?}", unwinder.open);
        let symbol = |number: u32| symbols[&number];
        let values = unwinder.store.evaluate(&[found, unwinder.defined], &symbol);
        let expected_bits = expected.map(|constant| match constant {
            Constant::Bool(value) => u128::from(value),
            Constant::Int(value) => value.bits(),
            Constant::Float(..) | Constant::Null => panic!("no such value"),
        });
        let found = (values[1] == 1).then_some(values[0]);
        assert_eq!(
            found, expected_bits,
            "round {round}: {expr:?} on {a:?}, {b:?}"
        );
    }
}

/// Floating-point numbers that are worth a look, and any.
fn float(rng: &mut Rng, format: FloatType) -> u64 {
    let numbers = [
        0.0,
        -0.0,
        0.5,
        1.0,
        -1.5,
        2.5,
        1e-310,
        3e38,
        2147483648.0,
        f64::INFINITY,
    ];
    match rng.below(4) {
        0 => rng.bits() & (u64::MAX >> (64 - format.bits())),
        1 => format.nan(),
        _ => format.rounded(rng.pick(&numbers) * rng.pick(&[1.0, -1.0, 3.0])),
    }
}

/// The same for floating-point numbers: operators, conversions and functions of `<math.h>`. What is
/// no number may have any sign and payload.
#[test]
fn floating_point_numbers_agree_with_constants() {
    let mut rng = Rng::new(5);
    let unlimited = Budget::unlimited();
    let program = empty_program();
    let mut open = 0;
    for round in 0..4_000 {
        let format = rng.pick(&[FloatType::F32, FloatType::F64]);
        let (a, b) = (float(&mut rng, format), float(&mut rng, format));
        let mut unwinder = Unwinder::new(&program, &SMALL, &[], &unlimited);
        let bits = format.bits();
        let [x, y] = [(); 2].map(|()| unwinder.store.fresh(bits));
        let [c, d] = [a, b].map(|bits| Constant::Float(format, bits));
        let (what, found, expected) = match rng.below(4) {
            0 => {
                let op = rng.pick(&BINARY);
                let Some(found) = unwinder.float_binary(op, format, (x, y)) else {
                    continue;
                };
                let nan = Constant::Float(format, format.nan());
                let expected = fold::binary(op, c, d).unwrap_or(nan);
                (format!("{op:?}"), found, Some(expected))
            }
            1 => {
                let to = Type::Int(rng.pick(&[IntType::U8, IntType::I32, IntType::unsigned(64)]));
                let found = unwinder.float_cast(Type::Float(format), to, x, BitStore::TRUE);
                (format!("to {to:?}"), found.unwrap(), fold::cast(to, c))
            }
            2 => {
                let to = Type::Float(format.other());
                let found = unwinder.float_cast(Type::Float(format), to, x, BitStore::TRUE);
                let nan = Constant::Float(format.other(), format.other().nan());
                let expected = fold::cast(to, c).unwrap_or(nan);
                (format!("to {to:?}"), found.unwrap(), Some(expected))
            }
            _ => {
                let math = rng.pick(program::math::Math::ALL);
                let args = [x, y].map(super::state::Value::Bits);
                let found = unwinder.math(math, format, &args);
                let Some(super::state::Value::Bits(found)) = found else {
                    continue;
                };
                (
                    format!("{math:?}"),
                    found,
                    Some(math.apply(format, &[a, b])),
                )
            }
        };
        // The two inputs come first; sign and payload of a NaN are zero, like the choice of a zero.
        let symbol = |number: u32| [a, b].get(number as usize).map_or(0, |&bits| bits.into());
        let mut terms = vec![found, unwinder.defined];
        terms.extend(unwinder.open.iter().map(|open| open.guard));
        let values = unwinder.store.evaluate(&terms, &symbol);
        if values[2..].contains(&1) {
            open += 1;
            continue;
        }
        let is_same = match expected {
            None => values[1] == 0,
            Some(Constant::Bool(value)) => values[0] == u128::from(value),
            Some(Constant::Int(value)) => values[0] == value.bits(),
            Some(Constant::Float(format, bits)) => {
                let [found, expected] = [values[0] as u64, bits].map(|bits| format.number(bits));
                found == expected || found.is_nan() && expected.is_nan()
            }
            Some(Constant::Null) => panic!("no such value"),
        };
        let [a, b] = [a, b].map(|bits| format.number(bits));
        assert!(
            is_same,
            "round {round}: {what} on {a}, {b}: {values:?}, not {expected:?}"
        );
        assert!(
            expected.is_none() || values[1] == 1,
            "{what} on {a}, {b} is defined"
        );
    }
    assert!(open < 200, "{open} were not described");
}

/// Values in order, null for addresses; and the bytes of the objects of each site, in order.
struct Given(VecDeque<Constant>, BTreeMap<SiteId, VecDeque<Constant>>);

impl Inputs for Given {
    fn next(&mut self, _: SiteId, ty: Type) -> Option<Constant> {
        match ty {
            Type::Ptr => Some(Constant::Null),
            _ => self.0.pop_front(),
        }
    }

    fn contents(&mut self) -> Option<&mut dyn Contents> {
        Some(self)
    }
}

impl Contents for Given {
    fn bytes(&mut self, site: SiteId, size: u64) -> Vec<u8> {
        take_bytes(self.1.entry(site).or_default(), size)
    }
}

/// The errors and open questions of an unwinding, held against runs of the machine.
struct Comparison<'p> {
    unwinder: Unwinder<'p>,
    machine: Machine<'p>,
    compared: usize,
    violations: usize,
    leaks: usize,
}

impl Comparison<'_> {
    fn run(&mut self, rng: &mut Rng, seed: u64) {
        let Unwinder {
            store,
            inputs,
            births,
            ..
        } = &self.unwinder;
        let mut symbols: FxHashMap<u32, u128> = FxHashMap::default();
        let mut taken = VecDeque::new();
        for number in births.iter().flat_map(|birth| birth.symbols.clone()) {
            symbols.insert(number, u128::from(rng.bits() & 3));
        }
        for input in inputs {
            let known = |number: u32| symbols.get(&number).copied().unwrap_or(0);
            if store.evaluate(&[input.guard], &known)[0] == 0 {
                continue;
            }
            let constant = testkit::random::constant(rng, input.ty);
            let bits = match constant {
                Constant::Bool(value) => u128::from(value),
                Constant::Int(value) => value.bits(),
                Constant::Float(_, bits) => u128::from(bits),
                Constant::Null => panic!("no address should be an input"),
            };
            let logic::BitNode::Symbol(number) = store.node(input.value) else {
                panic!("an input should be a symbol");
            };
            symbols.insert(number, bits);
            taken.push_back(constant);
        }
        let known = |number: u32| symbols.get(&number).copied().unwrap_or(0);
        let holds = |guard: BitId| store.evaluate(&[guard], &known)[0] == 1;
        if self.unwinder.open.iter().any(|open| holds(open.guard)) {
            return;
        }
        let errors = self.unwinder.errors.iter();
        let errors: Vec<_> = errors.filter(|(guard, _)| holds(*guard)).collect();
        let limits = Limits {
            steps: 100_000,
            memory: 1 << 20,
            depth: 50,
        };
        let mut contents: BTreeMap<SiteId, VecDeque<Constant>> = BTreeMap::new();
        for birth in births.iter().filter(|birth| holds(birth.guard)) {
            let byte = |number| Constant::Int(IntValue::from_bits(IntType::U8, known(number)));
            let bytes = birth.symbols.clone().map(byte);
            contents.entry(birth.site).or_default().extend(bytes);
        }
        let mut inputs = Given(taken, contents);
        let run = self.machine.run(&mut inputs, &limits, &Budget::unlimited());
        let found = errors.first().map(|(_, at)| *at);
        let is_leak = |(proc, at): (ProcId, LocationId)| {
            let location = &self.unwinder.program.procs[proc].locations[at];
            location.error.as_ref().map(|row| row.property) == Some(Property::Leak)
        };
        // The machine takes more for an address than the unwinding does, and may go on.
        if let Some((proc, at)) = found.filter(|&at| is_leak(at))
            && run.end != End::Violated(proc, at)
        {
            return;
        }
        let expected = match run.end {
            End::Violated(proc, location) => Some((proc, location)),
            End::Exited(_) | End::Aborted | End::Blocked | End::Undefined(_) => None,
            End::Unsupported(_) | End::OutOfInputs | End::OutOfBudget(_) => {
                panic!(
                    "seed {seed}: all runs should be followed, not {:?}",
                    run.end
                )
            }
        };
        assert_eq!(found, expected, "seed {seed}: {:?}", run.end);
        assert!(errors.len() <= 1, "seed {seed}: one run, several errors");
        self.leaks += usize::from(found.is_some_and(is_leak));
        self.compared += 1;
        self.violations += usize::from(found.is_some());
    }
}

/// Random programs with everything the IR has: where nothing is open, a run violates what the
/// guards say that it does, and nothing else.
#[test]
fn unwindings_agree_with_the_machine() {
    let (mut compared, mut violations, mut leaks) = (0, 0, 0);
    let unlimited = Budget::unlimited();
    for seed in 0..110 {
        let asks = seed >= 80;
        let mut program = testkit::random::program(seed, if asks { 8 } else { 14 });
        if asks {
            ask_for_leaks(&mut program);
        }
        let mut unwinder = Unwinder::new(&program, &SMALL, &[], &unlimited);
        unwinder.explore();
        let mut comparison = Comparison {
            unwinder,
            machine: Machine::new(&program),
            compared: 0,
            violations: 0,
            leaks: 0,
        };
        let mut rng = Rng::new(seed);
        for _ in 0..8 {
            comparison.run(&mut rng, seed);
        }
        compared += comparison.compared;
        violations += comparison.violations;
        leaks += comparison.leaks;
    }
    assert!(compared > 100, "only {compared} runs were compared");
    assert!(violations > 5, "only {violations} violations were compared");
    assert!(leaks > 5, "only {leaks} leaks were compared");
}

/// Asks at the end of each procedure whether a heap object is lost.
pub(super) fn ask_for_leaks(program: &mut Program) {
    for proc in program.procs.ids().collect::<Vec<_>>() {
        let tracked = program.add_local(proc, "$tracked", Type::I32, Span::NONE);
        let procedure = &mut program.procs[proc];
        let error = procedure.add_error(Violation {
            property: Property::Leak,
            message: "lost".to_owned(),
            span: Span::NONE,
        });
        for edge in procedure.edges.ids().collect::<Vec<_>>() {
            if !matches!(procedure.edges[edge].op, Op::Return(_)) {
                continue;
            }
            let source = procedure.edges[edge].source;
            let [asked, next] = [(); 2].map(|()| procedure.add_location(Span::NONE));
            procedure.locations[next].out = std::mem::take(&mut procedure.locations[source].out);
            procedure.edges[edge].source = next;
            let call = Op::Call(Call {
                result: Some(tracked),
                callee: Callee::Library(Library::Tracked),
                args: Vec::new(),
                varargs: None,
                contents: None,
            });
            procedure.add_edge(source, asked, call, Span::NONE);
            let zero = Expr::i32(0);
            let holds = Expr::binary(BinaryOp::Ne, Type::I32, Expr::Var(tracked), zero);
            procedure.add_branch(asked, holds, next, error, Span::NONE);
        }
    }
}

/// `for (i = 0; i < 10; i++); assert(i == last);` with `i` of 8 bits.
fn count_to_ten(last: i128) -> Program {
    let mut program = Program::new(8);
    let main = program.procs.next_id();
    let mut procedure = Procedure::new("main", None, Span::NONE);
    let [head, body, after, error] = [(); 4].map(|()| procedure.add_location(Span::NONE));
    procedure.locations[error].error = Some(Violation {
        property: program::ir::Property::Assertion,
        message: "wrong".to_owned(),
        span: Span::NONE,
    });
    let i = program.add_local(main, "i", Type::Int(IntType::U8), Span::NONE);
    let number = |value| Expr::int(IntType::U8, value);
    let arith = |op, value| Expr::arith(op, IntType::U8, Expr::Var(i), number(value));
    let assign = |value| Op::Assign(program::ir::Place::Var(i), value);
    let (entry, exit) = (procedure.entry, procedure.exit);
    let edges = [
        (entry, head, assign(number(0))),
        (head, body, Op::Assume(arith(BinaryOp::Lt, 10))),
        (head, after, Op::Assume(arith(BinaryOp::Ge, 10))),
        (body, head, assign(arith(BinaryOp::Add, 1))),
        (after, exit, Op::Assume(arith(BinaryOp::Eq, last))),
        (after, error, Op::Assume(arith(BinaryOp::Ne, last))),
    ];
    for (source, target, op) in edges {
        procedure.add_edge(source, target, op, Span::NONE);
    }
    program.procs.push(procedure);
    program
}

/// Bounds that are too small are no proof, and neither are any of a program that fails.
#[test]
fn claims_that_do_not_hold_are_refused() {
    let unlimited = Budget::unlimited();
    let check =
        |program: &Program, bounds: Bounds| Unwound::whole(bounds).check(program, &unlimited);
    let (right, wrong) = (count_to_ten(10), count_to_ten(11));
    assert_eq!(check(&right, SMALL), Ok(()));
    let tampered = [
        Bounds {
            iterations: 9,
            ..SMALL
        },
        Bounds { steps: 15, ..SMALL },
        Bounds { terms: 10, ..SMALL },
    ];
    for bounds in tampered {
        for program in [&right, &wrong] {
            let checked = check(program, bounds.clone());
            let is_refused = matches!(checked, Err(ProofError::Undecided(..)));
            assert!(is_refused, "{bounds:?}: {checked:?}");
        }
    }
    let refused = check(&wrong, SMALL);
    assert!(
        matches!(refused, Err(ProofError::ErrorReached(..))),
        "{refused:?}"
    );
    let in_time = Budget::unlimited().with_timeout(std::time::Duration::ZERO);
    let checked = Unwound::whole(SMALL).check(&right, &in_time);
    assert!(
        matches!(checked, Err(ProofError::Undecided(..))),
        "{checked:?}"
    );
}
