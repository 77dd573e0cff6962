//! Values and types of inputs as exact C.

use cfront::types::{FloatKind, IntKind, Type as CType, TypeId, Types};
use program::expr::{Constant, FloatType, Type};

/// The type that a function is declared to return, if it is a scalar. All pointers are one.
pub(crate) fn scalar(types: &Types, ty: TypeId) -> Option<&'static str> {
    match types.get(ty) {
        CType::Bool => Some("_Bool"),
        CType::Int(kind) => Some(kind.name()),
        CType::Float(kind @ (FloatKind::Float | FloatKind::Double | FloatKind::LongDouble)) => {
            Some(kind.name())
        }
        CType::Enum(_) => Some("int"),
        CType::Pointer(_) => Some("void *"),
        CType::Void
        | CType::Float(FloatKind::Float128)
        | CType::Complex(_)
        | CType::Array(..)
        | CType::Record(_)
        | CType::Function(_)
        | CType::VaList => None,
    }
}

/// A type that holds all values of an input.
pub(super) fn holder(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "_Bool",
        Type::Int(ty) => match (ty.bits, ty.signed) {
            (..=8, true) => "signed char",
            (..=8, false) => "unsigned char",
            (..=16, true) => "short",
            (..=16, false) => "unsigned short",
            (..=32, true) => "int",
            (..=32, false) => "unsigned",
            (..=64, true) => "long long",
            (..=64, false) => "unsigned long long",
            (_, true) => IntKind::Int128.name(),
            (_, false) => IntKind::UInt128.name(),
        },
        Type::Float(FloatType::F32) => "float",
        Type::Float(FloatType::F64) => "double",
        Type::Ptr => "void *",
    }
}

/// A value as a constant expression.
pub(super) fn constant(value: Constant) -> String {
    match value {
        Constant::Bool(value) => u8::from(value).to_string(),
        Constant::Null => "0".to_owned(),
        Constant::Int(value) => integer(&value.to_string()),
        Constant::Float(format @ FloatType::F32, bits) => float(format.number(bits), "f"),
        Constant::Float(format @ FloatType::F64, bits) => float(format.number(bits), ""),
    }
}

/// A number in decimal digits. The least of each type has no literal, and numbers beyond 64 bits
/// have none either.
fn integer(digits: &str) -> String {
    let (sign, magnitude) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    let number: u128 = magnitude.parse().unwrap_or(0);
    if number <= i32::MAX as u128 {
        return digits.to_owned();
    }
    if sign == "-" {
        // One less, so that no literal is beyond its type.
        return format!("(-{} - 1)", wide(number - 1, "LL"));
    }
    wide(
        number,
        if number <= i64::MAX as u128 {
            "LL"
        } else {
            "ULL"
        },
    )
}

fn wide(number: u128, suffix: &str) -> String {
    match u64::try_from(number) {
        Ok(small) if suffix == "ULL" || small <= i64::MAX as u64 => format!("{small}{suffix}"),
        Ok(_) | Err(_) => {
            let (high, low) = ((number >> 64) as u64, number as u64);
            let kind = if suffix == "LL" {
                "__int128"
            } else {
                "unsigned __int128"
            };
            format!("((({kind}){high:#x}ULL << 64) | {low:#x}ULL)")
        }
    }
}

/// A floating-point number in hexadecimal digits, which lose nothing.
fn float(value: f64, suffix: &str) -> String {
    if value.is_nan() {
        return format!("__builtin_nan{suffix}(\"\")");
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}__builtin_inf{suffix}()");
    }
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let (lead, exponent) = match exponent {
        0 if fraction == 0 => (0, 0),
        0 => (0, -1022),
        normal => (1, normal - 1023),
    };
    format!("{sign}0x{lead}.{fraction:013x}p{exponent:+}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{IntType, IntValue};

    #[test]
    fn constants() {
        let int = |bits, signed, value: i128| {
            let ty = IntType { bits, signed };
            constant(Constant::Int(IntValue::wrap(ty, value)))
        };
        let cases = [
            (int(32, true, -5), "-5"),
            (int(32, true, i128::from(i32::MIN)), "(-2147483647LL - 1)"),
            (int(32, false, i128::from(u32::MAX)), "4294967295LL"),
            (
                int(64, true, i128::from(i64::MIN)),
                "(-9223372036854775807LL - 1)",
            ),
            (
                int(64, false, i128::from(u64::MAX)),
                "18446744073709551615ULL",
            ),
            (
                int(128, false, -1),
                "(((unsigned __int128)0xffffffffffffffffULL << 64) | 0xffffffffffffffffULL)",
            ),
            (
                int(128, true, i128::MIN),
                "(-(((__int128)0x7fffffffffffffffULL << 64) | 0xffffffffffffffffULL) - 1)",
            ),
            (float(1.5, ""), "0x1.8000000000000p+0"),
            (float(-0.0, "f"), "-0x0.0000000000000p+0f"),
            (
                float(f64::MIN_POSITIVE / 2.0, ""),
                "0x0.8000000000000p-1022",
            ),
            (float(f64::NEG_INFINITY, "f"), "-__builtin_inff()"),
            (float(f64::NAN, ""), "__builtin_nan(\"\")"),
        ];
        for (text, expected) in cases {
            assert_eq!(text, expected);
        }
    }
}
