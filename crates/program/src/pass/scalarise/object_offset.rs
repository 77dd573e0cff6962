//! Addresses inside one object: which bytes they may name.

use crate::expr::{BinaryOp, Constant, Expr, Type};
use crate::ir::{ObjectId, Program};
use logic::IntType;

/// Holds the sum of all offsets that a program can write down, and of those that a run can come to.
pub(super) const WIDE: IntType = IntType::signed(128);

/// An address `object + constant + moving`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ObjectOffset<'e> {
    pub(super) object: ObjectId,
    constant: i128,
    /// The offsets that are not constants.
    moving: Vec<&'e Expr>,
}

/// The moving part of an offset, evaluated.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Moving {
    pub(super) expr: Expr,
    pub(super) ty: IntType,
}

/// An address as `base + constant + moving`, where the base is no such sum.
pub(in crate::pass) fn displaced(address: &Expr) -> Option<(&Expr, i128, Vec<&Expr>)> {
    let Expr::Offset(base, by) = address else {
        return Some((address, 0, Vec::new()));
    };
    let (base, mut constant, mut moving) = displaced(base)?;
    match by.constant() {
        Some(Constant::Int(value)) => constant = constant.checked_add(value.to_i128()?)?,
        _ => moving.push(by),
    }
    Some((base, constant, moving))
}

impl<'e> ObjectOffset<'e> {
    /// An address as such, if it starts at an object.
    pub(super) fn of(address: &'e Expr) -> Option<ObjectOffset<'e>> {
        match displaced(address)? {
            (&Expr::Object(object), constant, moving) => Some(ObjectOffset {
                object,
                constant,
                moving,
            }),
            _ => None,
        }
    }

    /// The offset, if it is a constant.
    pub(super) fn fixed(&self) -> Option<i128> {
        self.moving.is_empty().then_some(self.constant)
    }

    /// The expressions that the offset is made of.
    pub(super) fn parts(&self) -> &[&'e Expr] {
        &self.moving
    }

    /// The offsets, inside an object of `size` bytes, at which an access to `bytes` bytes may
    /// stand.
    pub(super) fn offsets(&self, program: &Program, size: u64, bytes: u64) -> Vec<u64> {
        let Some(last) = size.checked_sub(bytes) else {
            return Vec::new();
        };
        let start = Congruence {
            rest: self.constant,
            modulus: 0,
        };
        let parts = self.moving.iter();
        let all = parts.fold(start, |sum, part| {
            sum.combine(Congruence::of(program, part), i128::checked_add)
        });
        (0..=last)
            .filter(|&at| all.contains(i128::from(at)))
            .collect()
    }

    /// The constant part, and the moving part as one expression.
    pub(super) fn split(&self, program: &Program) -> (i128, Option<Moving>) {
        let moving = match self.moving[..] {
            [] => None,
            [part] => Some(Moving {
                expr: part.clone(),
                ty: part.ty(program).int().unwrap_or(program.offset_type()),
            }),
            [first, ref rest @ ..] => {
                let widen =
                    |part: &Expr| Expr::cast(part.ty(program), Type::Int(WIDE), part.clone());
                let sum = rest.iter().fold(widen(first), |sum, part| {
                    Expr::arith(BinaryOp::Add, WIDE, sum, widen(part))
                });
                Some(Moving {
                    expr: sum,
                    ty: WIDE,
                })
            }
        };
        (self.constant, moving)
    }
}

impl Moving {
    /// That it is a number.
    pub(super) fn is(&self, number: i128) -> Expr {
        let (min, max) = limits(self.ty);
        if number < min || number > max {
            return Expr::bool(false);
        }
        let number = Expr::int(self.ty, number);
        Expr::arith(BinaryOp::Eq, self.ty, self.expr.clone(), number)
    }

    /// That it is between two numbers, these included.
    pub(super) fn is_within(&self, low: i128, high: i128) -> Expr {
        let (min, max) = limits(self.ty);
        if low > high || low > max || high < min {
            return Expr::bool(false);
        }
        let mut all = Expr::bool(true);
        for (op, bound, known) in [
            (BinaryOp::Ge, low, low <= min),
            (BinaryOp::Le, high, high >= max),
        ] {
            if !known {
                let bound = Expr::int(self.ty, bound);
                let part = Expr::arith(op, self.ty, self.expr.clone(), bound);
                all = Expr::and(all, part);
            }
        }
        all
    }
}

/// The numbers that leave a rest; modulus 0 stands for the one number.
#[derive(Clone, Copy)]
pub(in crate::pass) struct Congruence {
    rest: i128,
    modulus: i128,
}

impl Congruence {
    const ANY: Congruence = Congruence {
        rest: 0,
        modulus: 1,
    };

    /// What all values of an expression, where it is defined, have in common.
    pub(in crate::pass) fn of(program: &Program, expr: &Expr) -> Congruence {
        let found = match expr {
            Expr::Const(Constant::Int(value)) => {
                value.to_i128().map(|rest| Congruence { rest, modulus: 0 })
            }
            Expr::Binary(op, Type::Int(ty), left, right) => {
                let (a, b) = (Self::of(program, left), Self::of(program, right));
                let exact = match op {
                    BinaryOp::Add => Some(a.combine(b, i128::checked_add)),
                    BinaryOp::Sub => Some(a.combine(b, i128::checked_sub)),
                    BinaryOp::Mul if b.modulus == 0 => a.times(b.rest),
                    BinaryOp::Mul if a.modulus == 0 => b.times(a.rest),
                    _ => None,
                };
                exact.map(|exact| if ty.signed { exact } else { exact.wrapped(*ty) })
            }
            Expr::Cast(Type::Int(to), operand) => match operand.ty(program) {
                Type::Int(from) => {
                    let inner = Self::of(program, operand);
                    let fits = if from.signed == to.signed {
                        from.bits <= to.bits
                    } else {
                        to.signed && from.bits < to.bits
                    };
                    Some(if fits { inner } else { inner.wrapped(*to) })
                }
                Type::Bool | Type::Float(_) | Type::Ptr => None,
            },
            _ => None,
        };
        found.unwrap_or(Self::ANY)
    }

    fn combine(self, other: Self, op: fn(i128, i128) -> Option<i128>) -> Self {
        match op(self.rest, other.rest) {
            Some(rest) => Congruence {
                rest,
                modulus: gcd(self.modulus, other.modulus),
            },
            None => Self::ANY,
        }
    }

    fn times(self, factor: i128) -> Option<Self> {
        Some(Congruence {
            rest: self.rest.checked_mul(factor)?,
            modulus: self.modulus.checked_mul(factor.checked_abs()?)?,
        })
    }

    /// After a multiple of 2^w was added.
    fn wrapped(self, ty: IntType) -> Self {
        let bits = u32::from(ty.bits).min(100);
        Congruence {
            rest: self.rest,
            modulus: gcd(self.modulus, 1 << bits),
        }
    }

    /// Whether all of them are multiples of a number.
    pub(in crate::pass) fn is_multiple(self, of: u64) -> bool {
        let of = i128::from(of);
        self.modulus % of == 0 && self.rest % of == 0
    }

    /// The greatest number that divides all of them; 0 if the one number is 0.
    pub(super) fn divisor(self) -> u64 {
        let divisor = gcd(self.rest, self.modulus).unsigned_abs();
        u64::try_from(divisor).unwrap_or(1)
    }

    fn contains(self, number: i128) -> bool {
        match self.modulus {
            0 => number == self.rest,
            modulus => (self.rest.rem_euclid(modulus)) == number.rem_euclid(modulus),
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The least and the greatest value of a signed type.
fn limits(ty: IntType) -> (i128, i128) {
    let bits = u32::from(ty.bits);
    (i128::MIN >> (128 - bits), i128::MAX >> (128 - bits))
}
