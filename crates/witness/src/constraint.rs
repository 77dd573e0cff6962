//! Constraints on what a function returns: `\result <op> <constant>`.

use logic::{IntType, IntValue};
use program::expr::{Constant, FloatType, Type};

/// `\result <op> <constant>`.
#[derive(Clone, PartialEq, Debug)]
pub struct Constraint {
    /// How they compare.
    pub op: Comparison,
    /// The constant.
    pub number: Number,
}

/// How two values compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Equal,
    Differs,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// A constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// One with a fraction.
    Float(f64),
}

const OPERATORS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::Differs),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

impl Comparison {
    /// As C writes it.
    pub fn symbol(self) -> &'static str {
        OPERATORS
            .iter()
            .find(|(_, op)| *op == self)
            .map_or("", |(symbol, _)| symbol)
    }

    /// The same with the sides changed.
    fn mirrored(self) -> Comparison {
        match self {
            Comparison::Equal | Comparison::Differs => self,
            Comparison::Less => Comparison::Greater,
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::Greater => Comparison::Less,
            Comparison::AtLeast => Comparison::AtMost,
        }
    }
}

impl Constraint {
    /// Reads a constraint; parentheses around it or its sides, and either order, are fine.
    pub fn parse(text: &str) -> Option<Self> {
        let text = bare(text);
        let (symbol, op) = OPERATORS.iter().find(|(symbol, _)| text.contains(symbol))?;
        let (left, right) = text.split_once(symbol)?;
        let (left, right) = (bare(left), bare(right));
        match (left, right) {
            ("\\result", number) => Some(Constraint {
                op: *op,
                number: Number::parse(number)?,
            }),
            (number, "\\result") => Some(Constraint {
                op: op.mirrored(),
                number: Number::parse(number)?,
            }),
            _ => None,
        }
    }

    /// A value of a type that meets it: the constant itself or one beside it.
    pub fn choose(&self, ty: Type) -> Option<Constant> {
        let beside: [i128; 2] = match self.op {
            Comparison::Equal | Comparison::AtMost | Comparison::AtLeast => [0, 0],
            Comparison::Differs => [1, -1],
            Comparison::Less => [-1, -1],
            Comparison::Greater => [1, 1],
        };
        match (ty, self.number) {
            (Type::Bool, Number::Int(value)) => beside
                .iter()
                .map(|by| value + by)
                .find(|value| matches!(value, 0 | 1))
                .map(|value| Constant::Bool(value == 1)),
            (Type::Int(ty), Number::Int(value)) => beside
                .iter()
                .filter_map(|by| value.checked_add(*by))
                .find_map(|value| fitting(ty, value))
                .map(Constant::Int),
            (Type::Float(ty), number) => {
                let value = match number {
                    Number::Int(value) => value as f64,
                    Number::Float(value) => value,
                };
                let value = value + beside[0] as f64;
                Some(match ty {
                    FloatType::F32 => Constant::Float(ty, u64::from((value as f32).to_bits())),
                    FloatType::F64 => Constant::Float(ty, value.to_bits()),
                })
            }
            (Type::Ptr, Number::Int(0)) => (self.op == Comparison::Equal).then_some(Constant::Null),
            (Type::Ptr | Type::Bool | Type::Int(_), _) => None,
        }
    }
}

/// The value of a type that is this number.
fn fitting(ty: IntType, value: i128) -> Option<IntValue> {
    let exact = IntValue::wrap(ty, value);
    (exact.to_string() == value.to_string()).then_some(exact)
}

impl Number {
    fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, bare(rest)),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let plain = digits.trim_end_matches(['u', 'U', 'l', 'L']);
        let magnitude = match plain.strip_prefix("0x").or(plain.strip_prefix("0X")) {
            Some(hex) => u128::from_str_radix(hex, 16).ok(),
            None => plain.parse::<u128>().ok(),
        };
        if let Some(magnitude) = magnitude {
            let value = i128::try_from(magnitude).ok()?;
            return Some(Number::Int(if negative { -value } else { value }));
        }
        let float: f64 = digits.trim_end_matches(['f', 'F']).parse().ok()?;
        let known = digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b".eE+-fF".contains(&byte));
        known.then_some(Number::Float(if negative { -float } else { float }))
    }
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
