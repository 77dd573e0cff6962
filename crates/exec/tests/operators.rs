//! Every operator on every width against [`logic::IntValue`]: all values of small widths, ends
//! and random values of the others.

mod ir;

use base::{Budget, Rng};
use exec::inputs::ListInputs;
use exec::{End, Machine, UndefinedKind};
use ir::{limits, read};
use logic::{IntType, IntValue};
use program::expr::Constant;

/// What a result should be: a value, or undefined behaviour.
type Expected = Result<Constant, UndefinedKind>;

const WIDTHS: &[u8] = &[1, 3, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128];

fn types() -> impl Iterator<Item = IntType> {
    WIDTHS
        .iter()
        .flat_map(|&bits| [IntType::signed(bits), IntType::unsigned(bits)])
}

/// All values of a small type; ends, powers of two and random values of a large one.
fn samples(ty: IntType, rng: &mut Rng) -> Vec<IntValue> {
    if ty.bits <= 3 {
        return (0..1 << ty.bits)
            .map(|bits| IntValue::from_bits(ty, bits))
            .collect();
    }
    let mut bits: Vec<u128> = vec![0, 1, 2, 3, 7, ty.min().bits(), ty.max().bits()];
    bits.extend([
        ty.mask(),
        ty.mask() - 1,
        ty.max().bits() - 1,
        ty.min().bits() + 1,
    ]);
    bits.push(1 << rng.below(ty.bits as usize));
    bits.push(u128::from(ty.bits) - 1);
    bits.extend((0..3).map(|_| u128::from(rng.bits()) | u128::from(rng.bits()) << 64));
    bits.into_iter()
        .map(|bits| IntValue::from_bits(ty, bits))
        .collect()
}

/// A machine that returns 1 if `expr` of `x` and `y` equals `e`, else 0.
fn checker(expr: &str, x: IntType, y: IntType, result: &str, ptr: u8) -> String {
    format!(
        "program ptr {ptr} entry main\n\
         site n0: nondet {x} \"x\"\nsite n1: nondet {y} \"y\"\nsite n2: nondet {result} \"e\"\n\
         proc p0 main() -> i32 entry l0 exit l1 {{\n\
         local v0 x: {x}\nlocal v1 y: {y}\nlocal v2 e: {result}\nlocal v3 z: {result}\n\
         l0:\n e0: havoc x n0 -> l2\n l2:\n e1: havoc y n1 -> l3\n\
         l3:\n e2: havoc e n2 -> l4\n l4:\n e3: z := {expr} -> l5\n\
         l5:\n e4: return i32(z == e) -> l1\n l1:\n}}\n"
    )
}

fn check(machine: &Machine, what: &str, a: IntValue, b: IntValue, expected: Expected) {
    let wanted = expected.unwrap_or(match machine.program().sites.iter().nth(2) {
        Some(site) => site.ty.zero(),
        None => unreachable!("there should be three sites"),
    });
    let mut inputs = ListInputs::new([Constant::Int(a), Constant::Int(b), wanted]);
    let run = machine.run(&mut inputs, &limits(), &Budget::unlimited());
    match (&run.end, expected) {
        (End::Exited(1), Ok(_)) => {}
        (End::Undefined(undefined), Err(kind)) if undefined.kind == kind => {}
        (end, expected) => panic!("{what} of {a:?} and {b:?}: {end:?}, not {expected:?}"),
    }
}

/// A result that must fit a signed type.
fn fitting((value, overflow): (IntValue, bool)) -> Expected {
    if overflow && value.ty().signed {
        Err(UndefinedKind::SignedOverflow)
    } else {
        Ok(Constant::Int(value))
    }
}

type Binary = fn(IntValue, IntValue) -> Expected;
type Holds = fn(std::cmp::Ordering) -> bool;
type Overflows = fn(IntValue, IntValue) -> bool;

#[test]
fn arithmetic() {
    let ops: &[(&str, Binary)] = &[
        ("x + y", |a, b| fitting(a.add(b))),
        ("x - y", |a, b| fitting(a.sub(b))),
        ("x * y", |a, b| fitting(a.mul(b))),
        ("x / y", |a, b| {
            a.div(b).map_or(Err(UndefinedKind::DivisionByZero), fitting)
        }),
        ("x % y", |a, b| {
            a.rem(b).map_or(Err(UndefinedKind::DivisionByZero), fitting)
        }),
        ("x & y", |a, b| Ok(Constant::Int(a.and(b)))),
        ("x | y", |a, b| Ok(Constant::Int(a.or(b)))),
        ("x ^ y", |a, b| Ok(Constant::Int(a.xor(b)))),
        ("~x", |a, _| Ok(Constant::Int(a.not()))),
        ("-x", |a, _| fitting(a.neg())),
    ];
    let mut rng = Rng::new(1);
    for ty in types() {
        let values = samples(ty, &mut rng);
        for (expr, expected) in ops {
            let program = read(&checker(expr, ty, ty, &ty.to_string(), 8));
            let machine = Machine::new(&program);
            for &a in &values {
                for &b in &values {
                    check(&machine, &format!("{ty} {expr}"), a, b, expected(a, b));
                }
            }
        }
    }
}

#[test]
fn comparisons() {
    let ops: &[(&str, Holds)] = &[
        ("x == y", |order| order.is_eq()),
        ("x != y", |order| order.is_ne()),
        ("x < y", |order| order.is_lt()),
        ("x <= y", |order| order.is_le()),
        ("x > y", |order| order.is_gt()),
        ("x >= y", |order| order.is_ge()),
    ];
    let mut rng = Rng::new(2);
    for ty in types() {
        let values = samples(ty, &mut rng);
        for (expr, holds) in ops {
            // As a value, and as a branch.
            for expr in [expr.to_string(), format!("{expr} ? true : false")] {
                let program = read(&checker(&expr, ty, ty, "bool", 8));
                let machine = Machine::new(&program);
                for &a in &values {
                    for &b in &values {
                        let expected = Constant::Bool(holds(a.compare(b)));
                        check(&machine, &format!("{ty} {expr}"), a, b, Ok(expected));
                    }
                }
            }
        }
    }
}

#[test]
fn shifts() {
    let left: Binary = |a, b| {
        a.shl(b)
            .map_or(Err(UndefinedKind::ShiftOutOfRange), fitting)
    };
    let right: Binary = |a, b| {
        let value = a.shr(b).ok_or(UndefinedKind::ShiftOutOfRange)?;
        Ok(Constant::Int(value))
    };
    let mut rng = Rng::new(3);
    for ty in types() {
        let values = samples(ty, &mut rng);
        for amount in [
            IntType::I32,
            IntType::unsigned(32),
            IntType::I64,
            IntType::signed(128),
        ] {
            let mut amounts = samples(amount, &mut rng);
            for by in [0, 1, u64::from(ty.bits) - 1, u64::from(ty.bits)] {
                amounts.push(IntValue::from_bits(amount, by.into()));
            }
            for (expr, expected) in [("x << y", left), ("x >> y", right)] {
                let program = read(&checker(expr, ty, amount, &ty.to_string(), 8));
                let machine = Machine::new(&program);
                for &a in &values {
                    for &b in &amounts {
                        check(&machine, &format!("{ty} {expr}"), a, b, expected(a, b));
                    }
                }
            }
        }
    }
}

#[test]
fn conversions() {
    let mut rng = Rng::new(4);
    for from in types() {
        let values = samples(from, &mut rng);
        for to in types() {
            let program = read(&checker(
                &format!("{to}(x)"),
                from,
                from,
                &to.to_string(),
                8,
            ));
            let machine = Machine::new(&program);
            for &a in &values {
                let expected = Ok(Constant::Int(a.convert(to)));
                check(&machine, &format!("{from} to {to}"), a, a, expected);
            }
        }
    }
}

#[test]
fn addresses_and_integers() {
    for (ptr, bits) in [(8, 64), (4, 32)] {
        let word = IntType::unsigned(bits);
        for ty in types() {
            let mut rng = Rng::new(5);
            let expr = format!("{word}(ptr(x))");
            let program = read(&checker(&expr, ty, ty, &word.to_string(), ptr));
            let machine = Machine::new(&program);
            for a in samples(ty, &mut rng) {
                check(&machine, &expr, a, a, Ok(Constant::Int(a.convert(word))));
            }
        }
    }
}

#[test]
fn counts_of_bits() {
    let mut rng = Rng::new(6);
    for ty in types().filter(|ty| !ty.signed && ty.bits > 7) {
        let bits = u32::from(ty.bits);
        for a in samples(ty, &mut rng) {
            let count = |count: u32| Ok(Constant::Int(IntValue::from_bits(ty, count.into())));
            let zero = a.is_zero();
            let counted = |value: u32| {
                if zero {
                    Err(UndefinedKind::ZeroCount)
                } else {
                    count(value)
                }
            };
            let cases = [
                ("popcount(x)", count(a.bits().count_ones())),
                (
                    "clz(x)",
                    counted(a.bits().leading_zeros().wrapping_sub(128 - bits)),
                ),
                ("ctz(x)", counted(a.bits().trailing_zeros())),
            ];
            for (expr, expected) in cases {
                let program = read(&checker(expr, ty, ty, &ty.to_string(), 8));
                check(&Machine::new(&program), expr, a, a, expected);
            }
            if bits % 8 == 0 {
                let swapped = IntValue::from_bits(ty, a.bits().swap_bytes() >> (128 - bits));
                let program = read(&checker("bswap(x)", ty, ty, &ty.to_string(), 8));
                check(
                    &Machine::new(&program),
                    "bswap",
                    a,
                    a,
                    Ok(Constant::Int(swapped)),
                );
            }
        }
    }
}

#[test]
fn overflow_tests() {
    let mut rng = Rng::new(7);
    let ops: &[(&str, Overflows)] = &[
        ("overflows(x + y)", |a, b| a.add(b).1),
        ("overflows(x - y)", |a, b| a.sub(b).1),
        ("overflows(x * y)", |a, b| a.mul(b).1),
        ("overflows(x / y)", |a, b| {
            a.div(b).is_some_and(|(_, lost)| lost)
        }),
        ("overflows(x % y)", |a, b| {
            a.rem(b).is_some_and(|(_, lost)| lost)
        }),
        ("overflows(x << y)", |a, b| {
            a.shl(b).is_some_and(|(_, lost)| lost)
        }),
    ];
    for ty in types().filter(|ty| ty.signed) {
        let values = samples(ty, &mut rng);
        for (expr, overflows) in ops {
            let program = read(&checker(expr, ty, ty, "bool", 8));
            let machine = Machine::new(&program);
            for &a in &values {
                for &b in &values {
                    let expected = Ok(Constant::Bool(overflows(a, b)));
                    check(&machine, &format!("{ty} {expr}"), a, b, expected);
                }
            }
        }
    }
}

#[test]
fn values_survive_memory() {
    let mut rng = Rng::new(8);
    for ty in types().filter(|ty| ty.bits % 8 == 0) {
        for ptr in [4, 8] {
            let word = IntType::signed(ptr * 8);
            let text = format!(
                "program ptr {ptr} entry main\nobject o0 a: 80 align 16\n\
                 site n0: nondet {ty} \"x\"\nsite n1: nondet {word} \"y\"\nsite n2: nondet {ty} \"e\"\n\
                 proc p0 main() -> i32 entry l0 exit l1 {{\n\
                 local v0 x: {ty}\nlocal v1 y: {word}\nlocal v2 e: {ty}\n\
                 l0:\n e0: havoc x n0 -> l2\n l2:\n e1: havoc y n1 -> l3\n\
                 l3:\n e2: havoc e n2 -> l4\n\
                 l4:\n e3: {ty}[&a ++ y * {size}{word}] := x -> l5\n\
                 l5:\n e4: return i32({ty}[&a ++ y * {size}{word}] == e) -> l1\n l1:\n}}\n",
                size = ty.bytes()
            );
            let program = read(&text);
            let machine = Machine::new(&program);
            for a in samples(ty, &mut rng) {
                for index in [0, 1, 4, 80 / ty.bytes() as i128 - 1] {
                    let index = IntValue::wrap(word, index);
                    check(
                        &machine,
                        "a store and a load",
                        a,
                        index,
                        Ok(Constant::Int(a)),
                    );
                }
                for index in [-1, 80 / ty.bytes() as i128, 1000] {
                    let index = IntValue::wrap(word, index);
                    check(
                        &machine,
                        "a store",
                        a,
                        index,
                        Err(UndefinedKind::InvalidWrite),
                    );
                }
                check(
                    &machine,
                    "a store",
                    a,
                    word.max(),
                    match ty.bytes() {
                        1 => Err(UndefinedKind::InvalidWrite),
                        _ => Err(UndefinedKind::SignedOverflow),
                    },
                );
            }
        }
    }
}
