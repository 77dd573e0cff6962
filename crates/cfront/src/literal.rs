//! The meaning of spellings of constants and strings.
//!
//! Every function takes the bytes of a token, line splices included, and returns a message if they
//! are not a valid literal. Multi-character constants are gcc's.

mod number;

pub use number::{float, imaginary, int};

use crate::ast::StringLiteral;
use crate::lex::splice;
use crate::types::{IntKind, Types};
use logic::{IntType, IntValue};
use std::borrow::Cow;

/// How the elements of a character or string literal are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Narrow,
    Utf8,
    Utf16,
    Utf32,
    Wide,
}

impl Encoding {
    fn width(self) -> u8 {
        match self {
            Encoding::Narrow | Encoding::Utf8 => 1,
            Encoding::Utf16 => 2,
            Encoding::Utf32 | Encoding::Wide => 4,
        }
    }

    fn kind(self, types: &Types) -> IntKind {
        match self {
            Encoding::Narrow | Encoding::Utf8 => IntKind::Char,
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 => IntKind::UInt,
            Encoding::Wide => types.wchar_kind(),
        }
    }
}

/// A character constant and its type.
pub fn character(spelling: &[u8], types: &Types) -> Result<(IntValue, IntKind), String> {
    let spelling = without_splices(spelling);
    let (encoding, body) = unquoted(&spelling, b'\'')?;
    let mut elements = Vec::new();
    push_elements(body, encoding, &mut elements)?;
    let Some(&last) = elements.last() else {
        return Err("a character constant holds at least one character".to_string());
    };
    let kind = match encoding {
        Encoding::Narrow => IntKind::Int,
        Encoding::Utf8 => IntKind::UChar,
        Encoding::Utf16 | Encoding::Utf32 | Encoding::Wide => encoding.kind(types),
    };
    let ty = types.int_type(kind);
    if encoding != Encoding::Narrow {
        return Ok((IntValue::from_bits(ty, u128::from(last)), kind));
    }
    let value = if elements.len() == 1 {
        IntValue::from_bits(IntType::signed(8), u128::from(last)).convert(ty)
    } else {
        let bits = elements
            .iter()
            .fold(0u32, |bits, &byte| bits << 8 | (byte & 0xff));
        IntValue::from_bits(ty, u128::from(bits))
    };
    Ok((value, kind))
}

/// A string of adjacent pieces, with its terminating zero, and the type of its elements.
pub fn string(pieces: &[&[u8]], types: &Types) -> Result<(StringLiteral, IntKind), String> {
    let pieces: Vec<Cow<'_, [u8]>> = pieces.iter().map(|piece| without_splices(piece)).collect();
    let encoding = common_encoding(&pieces)?;
    let mut elements = Vec::new();
    for piece in &pieces {
        let (_, body) = unquoted(piece, b'"')?;
        push_elements(body, encoding, &mut elements)?;
    }
    elements.push(0);
    let width = encoding.width();
    let bytes = elements
        .iter()
        .flat_map(|element| element.to_le_bytes().into_iter().take(width.into()))
        .collect();
    Ok((StringLiteral { bytes, width }, encoding.kind(types)))
}

/// Pieces without a prefix take that of the others, which must agree.
fn common_encoding(pieces: &[Cow<'_, [u8]>]) -> Result<Encoding, String> {
    let mut common = Encoding::Narrow;
    for piece in pieces {
        let (encoding, _) = unquoted(piece, b'"')?;
        if common == Encoding::Narrow {
            common = encoding;
        } else if encoding != Encoding::Narrow && encoding != common {
            return Err("adjacent strings have different prefixes".to_string());
        }
    }
    Ok(common)
}

fn unquoted(spelling: &[u8], quote: u8) -> Result<(Encoding, &[u8]), String> {
    let at = spelling.iter().position(|&byte| byte == quote);
    let at = at.ok_or_else(|| "this literal is malformed".to_string())?;
    let encoding = match &spelling[..at] {
        b"" => Encoding::Narrow,
        b"u8" => Encoding::Utf8,
        b"u" => Encoding::Utf16,
        b"U" => Encoding::Utf32,
        b"L" => Encoding::Wide,
        _ => return Err("this literal is malformed".to_string()),
    };
    let body = spelling[at + 1..]
        .strip_suffix(&[quote])
        .ok_or_else(|| "this literal is not closed".to_string())?;
    Ok((encoding, body))
}

/// Decodes the inside of a literal.
fn push_elements(body: &[u8], encoding: Encoding, elements: &mut Vec<u32>) -> Result<(), String> {
    let narrow = encoding.width() == 1;
    let mask = u32::MAX >> (32 - 8 * u32::from(encoding.width()));
    let mut at = 0;
    while at < body.len() {
        match body[at] {
            b'\\' => {
                let (escape, next) = escape(body, at + 1)?;
                match escape {
                    Escape::Element(value) => elements.push(value & mask),
                    Escape::Character(character) => encode(character, encoding, elements),
                }
                at = next;
            }
            byte if narrow || byte < 0x80 => {
                elements.push(u32::from(byte));
                at += 1;
            }
            _ => {
                let character = utf8(&body[at..])
                    .ok_or_else(|| "this wide literal is not valid UTF-8".to_string())?;
                encode(character, encoding, elements);
                at += character.len_utf8();
            }
        }
    }
    Ok(())
}

/// The first character of valid UTF-8.
fn utf8(bytes: &[u8]) -> Option<char> {
    let len = match bytes.first()? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    std::str::from_utf8(bytes.get(..len)?).ok()?.chars().next()
}

fn encode(character: char, encoding: Encoding, elements: &mut Vec<u32>) {
    match encoding {
        Encoding::Narrow | Encoding::Utf8 => {
            let mut buffer = [0; 4];
            let bytes = character.encode_utf8(&mut buffer).bytes();
            elements.extend(bytes.map(u32::from));
        }
        Encoding::Utf16 => {
            let mut buffer = [0; 2];
            let units = character.encode_utf16(&mut buffer).iter();
            elements.extend(units.map(|&unit| u32::from(unit)));
        }
        Encoding::Utf32 | Encoding::Wide => elements.push(u32::from(character)),
    }
}

enum Escape {
    /// One element, as a number.
    Element(u32),
    /// A character, to be encoded.
    Character(char),
}

/// The escape whose backslash comes before `at`, and where it ends.
fn escape(body: &[u8], at: usize) -> Result<(Escape, usize), String> {
    let Some(&mark) = body.get(at) else {
        return Err("this literal ends in a backslash".to_string());
    };
    let simple = |value: u8| Ok((Escape::Element(u32::from(value)), at + 1));
    match mark {
        b'a' => simple(7),
        b'b' => simple(8),
        b't' => simple(b'\t'),
        b'n' => simple(b'\n'),
        b'v' => simple(11),
        b'f' => simple(12),
        b'r' => simple(b'\r'),
        b'e' | b'E' => simple(27),
        b'0'..=b'7' => {
            let (value, end) = digits(body, at, 8, 3);
            Ok((Escape::Element(value), end))
        }
        b'x' => {
            let (value, end) = digits(body, at + 1, 16, usize::MAX);
            if end == at + 1 {
                return Err("`\\x` without digits".to_string());
            }
            Ok((Escape::Element(value), end))
        }
        b'u' | b'U' => {
            let count = if mark == b'u' { 4 } else { 8 };
            let (value, end) = digits(body, at + 1, 16, count);
            let character = char::from_u32(value).filter(|_| end == at + 1 + count);
            match character {
                Some(character) => Ok((Escape::Character(character), end)),
                None => Err("this universal character name is malformed".to_string()),
            }
        }
        // gcc takes an unknown escape for the character itself.
        _ => simple(mark),
    }
}

/// At most `limit` digits; what does not fit 32 bits is lost above.
fn digits(body: &[u8], from: usize, radix: u32, limit: usize) -> (u32, usize) {
    let mut value: u32 = 0;
    let mut at = from;
    while at - from < limit
        && let Some(digit) = body
            .get(at)
            .and_then(|&byte| char::from(byte).to_digit(radix))
    {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        at += 1;
    }
    (value, at)
}

fn without_splices(spelling: &[u8]) -> Cow<'_, [u8]> {
    if !spelling.contains(&b'\n') {
        return Cow::Borrowed(spelling);
    }
    let mut text = Vec::with_capacity(spelling.len());
    let mut at = 0;
    while at < spelling.len() {
        match splice(spelling, at) {
            Some(after) if spelling[at] == b'\\' => at = after,
            _ => {
                text.push(spelling[at]);
                at += 1;
            }
        }
    }
    Cow::Owned(text)
}

/// Whether a number, which is the `double` nearest to a decimal literal, is so near to it that a
/// more precise format between the two changes nothing: 18 digits are the same, so that the distance
/// is below a quarter of that to the next number.
pub(crate) fn is_near(spelling: &[u8], value: f64) -> bool {
    const DIGITS: usize = 18;
    let is_hex = spelling.get(1).is_some_and(|c| matches!(c, b'x' | b'X'));
    if is_hex || !value.is_finite() {
        return false;
    }
    let leading = |text: &[u8]| -> Vec<u8> {
        let mantissa = text.split(|c| matches!(c, b'e' | b'E')).next();
        let digits = mantissa.unwrap_or_default().iter().copied();
        let digits = digits.filter(u8::is_ascii_digit);
        let digits = digits.skip_while(|&digit| digit == b'0');
        digits.chain(std::iter::repeat(b'0')).take(DIGITS).collect()
    };
    leading(spelling) == leading(format!("{value:.40e}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataModel;

    #[test]
    fn characters() {
        let types = Types::new(DataModel::Lp64);
        for (text, value, kind) in [
            ("'a'", 97, IntKind::Int),
            (r"'\n'", 10, IntKind::Int),
            (r"'\377'", -1, IntKind::Int),
            (r"'\x80'", -128, IntKind::Int),
            (r"'\0'", 0, IntKind::Int),
            ("'ab'", 0x6162, IntKind::Int),
            ("'abcde'", 0x62636465, IntKind::Int),
            (r"'\''", 39, IntKind::Int),
            ("L'\u{e9}'", 0xe9, IntKind::Int),
            (r"L'\xffffffff'", -1, IntKind::Int),
            (r"u'\xffff'", 0xffff, IntKind::UShort),
            (r"U'\U0001F600'", 0x1f600, IntKind::UInt),
        ] {
            let (got, got_kind) = character(text.as_bytes(), &types).unwrap();
            assert_eq!((got.to_i128(), got_kind), (Some(value), kind), "{text}");
        }
        for text in ["''", r"'\x'", r"'\u12'", "'a", r"'\'", "'"] {
            assert!(character(text.as_bytes(), &types).is_err(), "{text}");
        }
    }

    #[test]
    fn strings() {
        let types = Types::new(DataModel::Lp64);
        let join = |pieces: &[&str]| {
            let pieces: Vec<&[u8]> = pieces.iter().map(|piece| piece.as_bytes()).collect();
            string(&pieces, &types).map(|(s, _)| (s.bytes, s.width))
        };
        assert_eq!(join(&["\"a\\n\"", "\"b\""]), Ok((b"a\nb\0".to_vec(), 1)));
        assert_eq!(join(&["\"\\x41\"", "\"1\""]), Ok((b"A1\0".to_vec(), 1)));
        assert_eq!(join(&["\"\\1234\""]), Ok((b"S4\0".to_vec(), 1)));
        assert_eq!(
            join(&["u\"\u{1f600}\""]),
            Ok((vec![0x3d, 0xd8, 0, 0xde, 0, 0], 2))
        );
        assert_eq!(
            join(&["\"a\"", "L\"b\""]),
            Ok((vec![97, 0, 0, 0, 98, 0, 0, 0, 0, 0, 0, 0], 4))
        );
        assert_eq!(join(&["\"a\\\nb\""]), Ok((b"ab\0".to_vec(), 1)));
        assert!(join(&["L\"a\"", "u\"b\""]).is_err());
        let (byte, kind) = string(&[b"\"\xff\""], &types).unwrap();
        assert_eq!((&byte.bytes[..], kind), (&b"\xff\0"[..], IntKind::Char));
        assert!(string(&[b"L\"\xff\""], &types).is_err());
    }

    #[test]
    fn a_literal_is_near_its_number_or_not() {
        for (text, expected) in [
            ("1.79769313486231570814527423731704357e+308L", true),
            ("2.22507385850720138309023271733240406e-308L", true),
            ("4.94065645841246544176568792868221372e-324L", true),
            ("0.00015L", false),
            ("1.5L", true),
            ("250e-2L", true),
            ("0.0L", true),
            ("0.1L", false),
            ("9007199254740993.0L", false),
        ] {
            let digits = text.trim_end_matches('L');
            let value: f64 = digits.parse().unwrap_or(f64::NAN);
            assert_eq!(is_near(text.as_bytes(), value), expected, "{text}");
        }
    }
}
