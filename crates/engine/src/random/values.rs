//! Values to try: the boundaries of every type, and the constants of the program.

use base::Rng;
use logic::{IntType, IntValue};
use program::expr::{Constant, Expr, FloatType, Type};
use program::ir::Program;
use std::collections::BTreeSet;

/// Numbers worth trying in one program.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Numbers of the program and their neighbours.
    harvested: Vec<i128>,
}

impl Pool {
    /// Collects the integer constants of a program; those it compares with count twice.
    pub fn harvest(program: &Program) -> Self {
        let mut all = BTreeSet::new();
        let mut compared = BTreeSet::new();
        for edge in program.procs.iter().flat_map(|proc| proc.edges.iter()) {
            for expr in edge.op.exprs() {
                constants(expr, false, &mut all, &mut compared);
            }
        }
        let mut harvested = Vec::new();
        for &number in all.iter().chain(&compared) {
            harvested.extend([number, number.wrapping_sub(1), number.wrapping_add(1)]);
        }
        harvested.extend(compared.iter().map(|number| number.wrapping_neg()));
        Pool { harvested }
    }

    /// A value of a type, from the pool or from the edges of the type.
    pub fn pick(&self, rng: &mut Rng, ty: Type) -> Constant {
        match ty {
            Type::Bool => Constant::Bool(rng.one_in(2)),
            Type::Int(ty) => Constant::Int(self.pick_int(rng, ty)),
            Type::Float(format) => Constant::Float(format, pick_float(rng, format)),
            Type::Ptr => Constant::Null,
        }
    }

    /// A value of a type, each as likely as the others.
    pub fn uniform(&self, rng: &mut Rng, ty: Type) -> Constant {
        match ty {
            Type::Int(ty) => Constant::Int(uniform(rng, ty)),
            Type::Bool | Type::Float(_) | Type::Ptr => self.pick(rng, ty),
        }
    }

    fn pick_int(&self, rng: &mut Rng, ty: IntType) -> IntValue {
        match rng.below(8) {
            0..=2 if !self.harvested.is_empty() => {
                let number = self.harvested[rng.below(self.harvested.len())];
                IntValue::wrap(ty, number)
            }
            0..=3 => IntValue::wrap(ty, rng.below(17) as i128 - 4),
            4 => boundary(rng, ty),
            5 => IntValue::wrap(ty, rng.below(256) as i128),
            6 => IntValue::wrap(ty, rng.below(20_001) as i128 - 10_000),
            _ => uniform(rng, ty),
        }
    }

    /// A value near another one: a neighbour, a multiple, or one flipped bit.
    pub fn near(&self, rng: &mut Rng, value: Constant) -> Constant {
        match value {
            Constant::Int(value) => {
                let ty = value.ty();
                let step = IntValue::wrap(ty, 1 + rng.below(4) as i128);
                Constant::Int(match rng.below(5) {
                    0 => value.add(step).0,
                    1 => value.sub(step).0,
                    2 => value.xor(IntValue::from_bits(ty, 1 << rng.below(ty.bits.into()))),
                    3 => value.add(value).0,
                    _ => self.pick_int(rng, ty),
                })
            }
            Constant::Bool(value) => Constant::Bool(!value),
            Constant::Float(format, _) => Constant::Float(format, pick_float(rng, format)),
            Constant::Null => Constant::Null,
        }
    }
}

/// Zero or one of a type, or its least or greatest value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Extreme {
    Zero,
    One,
    Min,
    Max,
}

impl Extreme {
    /// All of them, the plainest first.
    pub const ALL: [Extreme; 4] = [Extreme::Zero, Extreme::One, Extreme::Min, Extreme::Max];

    /// The value for a type.
    pub fn of(self, ty: Type) -> Constant {
        match ty {
            Type::Bool => Constant::Bool(matches!(self, Extreme::One | Extreme::Max)),
            Type::Int(ty) => Constant::Int(match self {
                Extreme::Zero => IntValue::zero(ty),
                Extreme::One => IntValue::wrap(ty, 1),
                Extreme::Min => ty.min(),
                Extreme::Max => ty.max(),
            }),
            Type::Float(format) => {
                let value = match self {
                    Extreme::Zero => 0.0,
                    Extreme::One => 1.0,
                    Extreme::Min => f64::MIN,
                    Extreme::Max => f64::MAX,
                };
                Constant::Float(format, float_bits(format, value))
            }
            Type::Ptr => Constant::Null,
        }
    }
}

fn boundary(rng: &mut Rng, ty: IntType) -> IntValue {
    let power = 1u128 << rng.below(ty.bits.into());
    let value = match rng.below(5) {
        0 => ty.min(),
        1 => ty.max(),
        2 => IntValue::from_bits(ty, power),
        3 => IntValue::from_bits(ty, power.wrapping_sub(1)),
        _ => IntValue::from_bits(ty, power.wrapping_add(1)),
    };
    if ty.signed && rng.one_in(3) {
        value.neg().0
    } else {
        value
    }
}

fn uniform(rng: &mut Rng, ty: IntType) -> IntValue {
    let bits = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
    IntValue::from_bits(ty, bits)
}

fn pick_float(rng: &mut Rng, format: FloatType) -> u64 {
    const FLOATS: [f64; 12] = [
        0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        10.0,
        100.0,
        -0.0,
        1e10,
        -1e10,
        f64::INFINITY,
        f64::NAN,
    ];
    match rng.below(4) {
        0 => float_bits(format, FLOATS[rng.below(FLOATS.len())]),
        1 => float_bits(format, rng.below(201) as f64 - 100.0),
        2 => float_bits(format, (rng.below(20_001) as f64 - 10_000.0) / 16.0),
        _ => match format {
            FloatType::F32 => rng.bits() & 0xffff_ffff,
            FloatType::F64 => rng.bits(),
        },
    }
}

fn float_bits(format: FloatType, value: f64) -> u64 {
    match format {
        FloatType::F32 => u64::from((value as f32).to_bits()),
        FloatType::F64 => value.to_bits(),
    }
}

/// Adds the integer constants in `expr`; `near` says that it stands directly under a comparison.
fn constants(expr: &Expr, near: bool, all: &mut BTreeSet<i128>, compared: &mut BTreeSet<i128>) {
    let near = match expr {
        Expr::Const(Constant::Int(value)) => {
            let set = if near { compared } else { all };
            set.extend(value.to_i128());
            return;
        }
        Expr::Cast(..) | Expr::Unary(..) | Expr::Select(..) => near,
        Expr::Binary(op, ..) => op.is_comparison(),
        Expr::Const(_)
        | Expr::Var(_)
        | Expr::Object(_)
        | Expr::Proc(_)
        | Expr::Load(..)
        | Expr::Freeable(_)
        | Expr::Offset(..)
        | Expr::Overflows(..)
        | Expr::Valid(..) => false,
    };
    for part in expr.children() {
        constants(part, near, all, compared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_have_their_types() {
        let i8 = Type::Int(IntType::signed(8));
        let shown: Vec<_> = Extreme::ALL
            .iter()
            .map(|extreme| match extreme.of(i8) {
                Constant::Int(value) => value.to_string(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(shown, ["0", "1", "-128", "127"]);
        let ty = Type::Float(FloatType::F32);
        assert_eq!(
            Extreme::One.of(ty),
            Constant::Float(FloatType::F32, u64::from(1f32.to_bits()))
        );
    }

    #[test]
    fn picks_reach_both_ends_and_are_reproducible() {
        let pool = Pool {
            harvested: vec![77, i128::from(i64::MAX)],
        };
        let draw = || {
            let mut rng = Rng::new(5);
            (0..2000)
                .map(|_| pool.pick_int(&mut rng, IntType::signed(8)))
                .collect::<Vec<_>>()
        };
        let values = draw();
        assert_eq!(values, draw());
        for wanted in [-128, -1, 0, 77, 127] {
            assert!(values.iter().any(|value| value.to_i128() == Some(wanted)));
        }
    }
}
