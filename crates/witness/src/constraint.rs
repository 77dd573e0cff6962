//! Constraints on return values: `\result <op> <constant>`.
//!
//! # Invariants
//! - A chosen value satisfies the constraint; numbers compare mathematically, without C's
//!   conversions.

use cfront::literal;
use cfront::types::{DataModel, Types};
use logic::{IntType, IntValue};
use lower::automaton::Number;
use program::expr::{BinaryOp, Constant, FloatType, Type};

/// `\result <op> <constant>`.
#[derive(Clone, PartialEq, Debug)]
pub struct Constraint {
    /// How they compare.
    pub op: BinaryOp,
    /// The constant.
    pub number: Number,
}

/// The comparisons, and the same with the sides changed.
const OPERATORS: [(&str, BinaryOp, BinaryOp); 6] = [
    ("==", BinaryOp::Eq, BinaryOp::Eq),
    ("!=", BinaryOp::Ne, BinaryOp::Ne),
    ("<=", BinaryOp::Le, BinaryOp::Ge),
    (">=", BinaryOp::Ge, BinaryOp::Le),
    ("<", BinaryOp::Lt, BinaryOp::Gt),
    (">", BinaryOp::Gt, BinaryOp::Lt),
];

/// Whether two numbers compare so.
fn holds(op: BinaryOp, left: f64, right: f64) -> bool {
    match op {
        BinaryOp::Eq => left == right,
        BinaryOp::Lt => left < right,
        BinaryOp::Le => left <= right,
        BinaryOp::Gt => left > right,
        BinaryOp::Ge => left >= right,
        _ => left != right,
    }
}

impl Constraint {
    /// Reads a constraint; parentheses around it or its sides, and either order, are fine.
    pub fn parse(text: &str) -> Option<Self> {
        let text = bare(text);
        let mut operators = OPERATORS.into_iter();
        let (symbol, op, mirrored) = operators.find(|(symbol, ..)| text.contains(symbol))?;
        let (left, right) = text.split_once(symbol)?;
        let (op, number) = match (bare(left), bare(right)) {
            ("\\result", number) => (op, number),
            (number, "\\result") => (mirrored, number),
            _ => return None,
        };
        let number = parse_number(number)?;
        Some(Constraint { op, number })
    }

    /// A value of a type that meets it: the constant itself or one beside it.
    pub fn choose(&self, ty: Type) -> Option<Constant> {
        let beside: [i128; 2] = match self.op {
            BinaryOp::Ne => [1, -1],
            BinaryOp::Lt => [-1, -1],
            BinaryOp::Gt => [1, 1],
            _ => [0, 0],
        };
        let near = |value: i128| {
            let beside = beside.into_iter();
            beside.filter_map(move |by| value.checked_add(by))
        };
        match (ty, self.number) {
            (Type::Bool, Number::Int(value)) => near(value)
                .find(|value| matches!(value, 0 | 1))
                .map(|value| Constant::Bool(value == 1)),
            (Type::Int(ty), Number::Int(value)) => near(value)
                .find_map(|value| fitting(ty, value))
                .map(Constant::Int),
            (Type::Float(ty), number) => {
                let number = to_f64(number)?;
                let value = number + beside[0] as f64;
                let (value, bits) = match ty {
                    FloatType::F32 => {
                        let narrow = value as f32;
                        (f64::from(narrow), u64::from(narrow.to_bits()))
                    }
                    FloatType::F64 => (value, value.to_bits()),
                };
                // Large numbers have no neighbour at this distance.
                let is_met = holds(self.op, value, number);
                is_met.then_some(Constant::Float(ty, bits))
            }
            (Type::Ptr, Number::Int(0)) => (self.op == BinaryOp::Eq).then_some(Constant::Null),
            (Type::Ptr | Type::Bool | Type::Int(_), _) => None,
        }
    }
}

/// The value of a type that is this number.
fn fitting(ty: IntType, value: i128) -> Option<IntValue> {
    let exact = IntValue::wrap(ty, value);
    (exact.to_string() == value.to_string()).then_some(exact)
}

/// The number as a double, if that is exact.
pub(crate) fn to_f64(number: Number) -> Option<f64> {
    match number {
        Number::Int(value) => {
            // What is too large comes back as the largest.
            let is_exact = value as f64 as i128 == value && value < i128::MAX;
            is_exact.then_some(value as f64)
        }
        Number::Float(value) => Some(value),
    }
}

fn parse_number(text: &str) -> Option<Number> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, bare(rest)),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let spelling = digits.as_bytes();
    if let Ok((magnitude, _)) = literal::int(spelling, &Types::new(DataModel::Lp64)) {
        // Whether C's wrapped number is meant would be a guess.
        if negative && digits.contains(['u', 'U']) {
            return None;
        }
        let value: i128 = magnitude.to_string().parse().ok()?;
        return Some(Number::Int(if negative { -value } else { value }));
    }
    let (float, _) = literal::float(spelling).ok()?;
    let float = Some(float).filter(|float| float.is_finite())?;
    Some(Number::Float(if negative { -float } else { float }))
}

/// A text without blanks and parentheses around it.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        let mut depth = 0i32;
        let is_around = inner.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        });
        if !is_around {
            break;
        }
        text = inner.trim();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_choose_values() {
        let int = Type::Int(IntType::I32);
        let cases = [
            ("\\result == 7", int, Some("7")),
            ("(\\result == (-7))", int, Some("-7")),
            ("\\result==-2147483648", int, Some("-2147483648")),
            ("\\result == 2147483648", int, None),
            ("\\result > 2147483647", int, None),
            ("\\result != 2147483647", int, Some("2147483646")),
            ("5 < \\result", int, Some("6")),
            ("\\result <= 0x10u", int, Some("16")),
            ("\\result == 1", Type::Bool, Some("1")),
            ("\\result != 1", Type::Bool, Some("0")),
            ("\\result == 2", Type::Bool, None),
            ("\\result == 0", Type::Ptr, Some("0")),
            ("\\result == 0.1", Type::Float(FloatType::F64), Some("0.1")),
            (
                "\\result == -2.5f",
                Type::Float(FloatType::F32),
                Some("-2.5"),
            ),
            ("\\result == x", int, None),
            ("\\result > 1e17", Type::Float(FloatType::F64), None),
            ("\\result > 16777216", Type::Float(FloatType::F32), None),
            (
                "\\result >= 9007199254740993",
                Type::Float(FloatType::F64),
                None,
            ),
            ("\\result == 0.1", Type::Float(FloatType::F32), None),
            ("\\result == 0.1f", Type::Float(FloatType::F32), Some("0.1")),
            ("\\result == 1e999", Type::Float(FloatType::F64), None),
            ("\\result == 010", int, Some("8")),
            ("\\result == 0", int, Some("0")),
            ("\\result == 08", int, None),
            ("\\result == 010.0", Type::Float(FloatType::F64), Some("10")),
            ("\\result == -1u", int, None),
            (
                "\\result > 170141183460469231731687303715884105727",
                Type::Bool,
                None,
            ),
            ("\\result", int, None),
            ("x == 3", int, None),
            ("\\result == 3 && 1", int, None),
        ];
        for (text, ty, expected) in cases {
            let chosen = Constraint::parse(text).and_then(|constraint| constraint.choose(ty));
            let shown = chosen.map(program::values::show);
            assert_eq!(shown.as_deref(), expected, "{text}");
        }
    }
}
