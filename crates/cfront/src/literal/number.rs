//! Integer and floating constants.

use super::without_splices;
use crate::types::{DataModel, FloatKind, IntKind, Types};
use logic::IntValue;

/// An integer constant and its type: the first of C11 6.4.4.1's list that holds it.
pub fn int(spelling: &[u8], types: &Types) -> Result<(IntValue, IntKind), String> {
    let spelling = without_splices(spelling);
    let (radix, digits, name) = match *spelling {
        [b'0', b'x' | b'X', ref digits @ ..] => (16, digits, "hexadecimal"),
        [b'0', b'b' | b'B', ref digits @ ..] => (2, digits, "binary"),
        [b'0', ..] => (8, &*spelling, "octal"),
        _ => (10, &*spelling, "decimal"),
    };
    let end = digits
        .iter()
        .position(|&byte| {
            byte != b'\'' && !char::from(byte).is_digit(if radix == 16 { 16 } else { 10 })
        })
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let mut value: u128 = 0;
    let mut any = false;
    for &byte in digits.iter().filter(|&&byte| byte != b'\'') {
        let Some(digit) = char::from(byte).to_digit(radix) else {
            return Err(format!(
                "`{}` is no digit of a {name} constant",
                char::from(byte)
            ));
        };
        any = true;
        value = value
            .checked_mul(u128::from(radix))
            .and_then(|value| value.checked_add(u128::from(digit)))
            .ok_or_else(too_large)?;
    }
    if !any {
        return Err(format!("this {name} constant has no digits"));
    }
    let suffix = int_suffix(suffix, types)?;
    let kind = suffix
        .candidates(radix == 10)
        .find(|&kind| value <= types.int_type(kind).max().bits())
        .or_else(|| beyond_long_long(value, types.model))
        .ok_or_else(too_large)?;
    Ok((IntValue::from_bits(types.int_type(kind), value), kind))
}

/// gcc's choice for a decimal constant that only an unsigned 64-bit type holds.
fn beyond_long_long(value: u128, model: DataModel) -> Option<IntKind> {
    let kind = match model {
        DataModel::Ilp32 => IntKind::ULongLong,
        DataModel::Lp64 => IntKind::Int128,
    };
    u64::try_from(value).is_ok().then_some(kind)
}

fn too_large() -> String {
    "this constant is too large for every integer type".to_string()
}

struct IntSuffix {
    unsigned: bool,
    least: IntKind,
}

impl IntSuffix {
    /// The types the constant may have, by preference.
    fn candidates(&self, decimal: bool) -> impl Iterator<Item = IntKind> + use<> {
        let (unsigned, least) = (self.unsigned, self.least.rank());
        IntKind::OF_CONSTANTS.into_iter().filter(move |kind| {
            let is_unsigned = *kind == kind.to_unsigned();
            let allowed = match (unsigned, decimal) {
                (true, _) => is_unsigned,
                (false, true) => !is_unsigned,
                (false, false) => true,
            };
            allowed && kind.rank() >= least
        })
    }
}

fn int_suffix(suffix: &[u8], types: &Types) -> Result<IntSuffix, String> {
    let invalid = || {
        let text = String::from_utf8_lossy(suffix);
        format!("`{text}` is no suffix of an integer constant")
    };
    let (unsigned, rest) = match suffix {
        [b'u' | b'U', rest @ ..] => (true, rest),
        [rest @ .., b'u' | b'U'] => (true, rest),
        rest => (false, rest),
    };
    let least = match rest {
        b"" => IntKind::Int,
        b"l" | b"L" => IntKind::Long,
        b"ll" | b"LL" => IntKind::LongLong,
        b"z" | b"Z" => types.size_kind(),
        _ => return Err(invalid()),
    };
    Ok(IntSuffix { unsigned, least })
}

/// The spelling of the factor of an imaginary constant, as in GNU C; nothing for a real one.
pub fn imaginary(spelling: &[u8]) -> Option<Vec<u8>> {
    let letter = |byte: &u8| matches!(byte, b'i' | b'j' | b'I' | b'J');
    let at = spelling.iter().position(letter)?;
    Some([&spelling[..at], &spelling[at + 1..]].concat())
}

/// A floating constant, rounded to double (to `float` first if that is its type).
pub fn float(spelling: &[u8]) -> Result<(f64, FloatKind), String> {
    let spelling = without_splices(spelling);
    let text: String = spelling
        .iter()
        .filter(|&&byte| byte != b'\'')
        .map(|&byte| char::from(byte))
        .collect();
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let body = if hex { &text[2..] } else { &text };
    let (number, suffix) = split_number(body, hex)?;
    let kind = match suffix {
        "" | "d" | "D" | "f64" | "F64" | "f32x" | "F32x" => FloatKind::Double,
        "f" | "F" | "f32" | "F32" => FloatKind::Float,
        "l" | "L" | "f64x" | "F64x" | "w" | "W" => FloatKind::LongDouble,
        "q" | "Q" | "f128" | "F128" => FloatKind::Float128,
        _ => return Err(format!("`{suffix}` is no suffix of a floating constant")),
    };
    let value = match (hex, kind) {
        (true, FloatKind::Float) => hex_float(number, 24, -149)?,
        (true, _) => hex_float(number, 53, -1074)?,
        (false, FloatKind::Float) => number.parse::<f32>().map(f64::from).map_err(malformed)?,
        (false, _) => number.parse::<f64>().map_err(malformed)?,
    };
    let max = match kind {
        FloatKind::Float => f64::from(f32::MAX),
        _ => f64::MAX,
    };
    let value = if value > max { f64::INFINITY } else { value };
    Ok((value, kind))
}

fn malformed(_: impl Sized) -> String {
    "this floating constant is malformed".to_string()
}

/// Cuts a number into digits with exponent, and suffix.
fn split_number(body: &str, hex: bool) -> Result<(&str, &str), String> {
    let bytes = body.as_bytes();
    let radix = if hex { 16 } else { 10 };
    let is_part = |byte: &&u8| **byte == b'.' || char::from(**byte).is_digit(radix);
    let mut at = bytes.iter().take_while(is_part).count();
    let dots = bytes[..at].iter().filter(|&&byte| byte == b'.').count();
    if at == dots || dots > 1 {
        return Err(malformed(()));
    }
    let marks = if hex { b"pP" } else { b"eE" };
    if bytes.get(at).is_some_and(|byte| marks.contains(byte)) {
        let is_signed = matches!(bytes.get(at + 1), Some(b'+' | b'-'));
        at += 1 + usize::from(is_signed);
        let exponent = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
        let digits = exponent.count();
        if digits == 0 {
            return Err("the exponent of this constant has no digits".to_string());
        }
        at += digits;
    } else if hex {
        return Err("a hexadecimal floating constant needs an exponent".to_string());
    }
    Ok(body.split_at(at))
}

/// Rounds a hexadecimal number to `precision` bits, ties to even, with no bit below `2^least`.
fn hex_float(number: &str, precision: u32, least: i64) -> Result<f64, String> {
    let (digits, exponent) = number.split_once(['p', 'P']).ok_or_else(|| malformed(()))?;
    let (negative, magnitude) = match exponent.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, exponent.strip_prefix('+').unwrap_or(exponent)),
    };
    // Beyond this the value is 0 or infinite, however many digits a text can hold.
    let magnitude = magnitude.parse::<i64>().unwrap_or(i64::MAX).min(1 << 40);
    let mut exponent = if negative { -magnitude } else { magnitude };
    let mut mantissa: u64 = 0;
    let mut sticky = false;
    let mut fraction = false;
    for digit in digits.chars() {
        let Some(value) = digit.to_digit(16) else {
            fraction = true;
            continue;
        };
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | u64::from(value);
            exponent -= if fraction { 4 } else { 0 };
        } else {
            sticky |= value != 0;
            exponent += if fraction { 0 } else { 4 };
        }
    }
    if mantissa == 0 {
        return Ok(0.0);
    }
    let bits = i64::from(64 - mantissa.leading_zeros());
    let drop = (bits - i64::from(precision)).max(least - exponent).max(0);
    if drop > bits {
        return Ok(0.0);
    }
    let wide = u128::from(mantissa);
    let (kept, rest, half) = (wide >> drop, wide & ((1 << drop) - 1), (1u128 << drop) >> 1);
    let up = drop > 0 && (rest > half || rest == half && (sticky || kept & 1 == 1));
    let rounded = (kept + u128::from(up)) as f64;
    let exponent = exponent + drop;
    if exponent > 1100 {
        return Ok(f64::INFINITY);
    }
    Ok(scale(rounded, exponent as i32))
}

/// `value * 2^exponent`, exact by the caller's care; in two steps, as a power may not be a double.
fn scale(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half) * 2f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        use IntKind::*;
        let (lp64, ilp32) = (Types::new(DataModel::Lp64), Types::new(DataModel::Ilp32));
        for (text, value, wide, narrow) in [
            ("0", 0, Int, Int),
            ("2147483647", 2147483647, Int, Int),
            ("2147483648", 2147483648, Long, LongLong),
            ("0x80000000", 0x80000000, UInt, UInt),
            ("0xffffffffffffffff", 0xffffffffffffffff, ULong, ULongLong),
            ("017", 15, Int, Int),
            ("0b101", 5, Int, Int),
            ("1'000'000", 1_000_000, Int, Int),
            ("1u", 1, UInt, UInt),
            ("1L", 1, Long, Long),
            ("1lu", 1, ULong, ULong),
            ("1LLU", 1, ULongLong, ULongLong),
            ("0x7fffffffL", 0x7fffffff, Long, Long),
            ("4294967296u", 4294967296, ULong, ULongLong),
            ("1\\\n2", 12, Int, Int),
            ("9223372036854775808", 1 << 63, Int128, ULongLong),
        ] {
            for (types, kind) in [(&lp64, wide), (&ilp32, narrow)] {
                let (got, got_kind) = int(text.as_bytes(), types).unwrap();
                assert_eq!((got.to_i128(), got_kind), (Some(value), kind), "{text}");
                assert_eq!(got.ty(), types.int_type(kind));
            }
        }
        for text in [
            "08",
            "0b2",
            "0x",
            "1lul",
            "1x",
            "1lL",
            "18446744073709551616",
            "1e",
            "0x1e+1",
            "1i",
        ] {
            assert!(int(text.as_bytes(), &lp64).is_err(), "{text}");
        }
    }

    #[test]
    fn floats() {
        use FloatKind::*;
        for (text, value, kind) in [
            ("1.5", 1.5, Double),
            (".5f", 0.5, Float),
            ("1.", 1.0, Double),
            ("1e3L", 1000.0, LongDouble),
            ("0.1f", f64::from(0.1f32), Float),
            ("0x1p3", 8.0, Double),
            ("0x1.8p-1", 0.75, Double),
            ("0x.8p1", 1.0, Double),
            ("0x1p-1074", 5e-324, Double),
            ("0x1p-1075", 0.0, Double),
            ("0x1.8p-1075", 5e-324, Double),
            ("0x1.00000000000008p0", 1.0, Double),
            ("0x1.000000000000080001p0", 1.0000000000000002, Double),
            ("0x1.fffffffffffff8p0", 2.0, Double),
            ("0x1.000001p0f", 1.0, Float),
            ("0x1p1024", f64::INFINITY, Double),
            ("0x1.ffffffp127f", f64::INFINITY, Float),
            ("1e999", f64::INFINITY, Double),
            ("1e39f", f64::INFINITY, Float),
            ("3.0q", 3.0, Float128),
        ] {
            assert_eq!(float(text.as_bytes()), Ok((value, kind)), "{text}");
        }
        for text in ["1e", "1.2.3", "0x1.0", "1.0x", "1e+", "1.0i", "."] {
            assert!(float(text.as_bytes()).is_err(), "{text}");
        }
    }
}
