//! Library functions on texts, and those that make numbers of them.

use crate::bytecode::Stop;
use crate::library::{read, text, write};
use crate::memory::{Access, Memory};
use crate::{End, Undefined, UndefinedKind};
use program::ir::Library;
use std::cmp::Ordering;

/// The errors that `strtol` and its kin report, as Linux numbers them.
const EINVAL: i32 = 22;
const ERANGE: i32 = 34;

/// The last place of a byte in a text, or null; its end counts.
pub(crate) fn last(memory: &Memory, at: u64, byte: u8) -> Result<u64, Undefined> {
    let bytes = text(memory, at, u64::MAX)?;
    let end = (byte == 0).then_some(bytes.len());
    let found = end.or(bytes.iter().rposition(|&other| other == byte));
    Ok(found.map_or(0, |index| at + index as u64))
}

/// Where a text has another one in it, or null.
pub(crate) fn part(memory: &Memory, at: u64, part: u64) -> Result<u64, Undefined> {
    let whole = text(memory, at, u64::MAX)?;
    let part = text(memory, part, u64::MAX)?;
    let found = match part.len() {
        0 => Some(0),
        len => whole.windows(len).position(|window| window == part),
    };
    Ok(found.map_or(0, |index| at + index as u64))
}

/// How many bytes at the start of a text are (or are not) among others.
pub(crate) fn span(memory: &Memory, at: u64, set: u64, are: bool) -> Result<u64, Undefined> {
    let bytes = text(memory, at, u64::MAX)?;
    let set = text(memory, set, u64::MAX)?;
    let end = bytes.iter().position(|byte| set.contains(byte) != are);
    Ok(end.unwrap_or(bytes.len()) as u64)
}

/// Where a byte is among the first `count`, or null. What lies behind it need not be there.
pub(crate) fn find(memory: &Memory, at: u64, byte: u8, count: u64) -> Result<u64, Undefined> {
    if count == 0 {
        return Ok(0);
    }
    let tail = memory
        .tail(at)
        .ok_or_else(|| memory.explain(at, 1, Access::Read))?;
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    let searched = &tail[..tail.len().min(most)];
    match searched.iter().position(|&other| other == byte) {
        Some(index) => Ok(at + index as u64),
        None if searched.len() == most => Ok(0),
        None => Err(memory.explain(at + tail.len() as u64, 1, Access::Read)),
    }
}

/// Texts compared with ASCII letters taken as lower-case ones.
pub(crate) fn compare_any_case(
    memory: &Memory,
    a: u64,
    b: u64,
    most: u64,
) -> Result<Ordering, Undefined> {
    let lower = |at| text(memory, at, most).map(<[u8]>::to_ascii_lowercase);
    Ok(lower(a)?.cmp(&lower(b)?))
}

/// Appends at most `most` bytes of a text to another, and a zero.
pub(crate) fn append(memory: &mut Memory, to: u64, from: u64, most: u64) -> Result<(), Undefined> {
    let end = to + text(memory, to, u64::MAX)?.len() as u64;
    let mut bytes = text(memory, from, most)?.to_vec();
    crate::library::no_overlap("strncat", end, from, bytes.len() as u64 + 1)?;
    bytes.push(0);
    write(memory, end, &bytes)
}

/// A new heap object with at most `most` bytes of a text, and a zero.
pub(crate) fn duplicate(memory: &mut Memory, from: u64, most: u64) -> Result<u64, Stop> {
    let mut bytes = text(memory, from, most)?.to_vec();
    bytes.push(0);
    let to = memory.allocate(bytes.len() as u64)?;
    write(memory, to, &bytes)?;
    Ok(to)
}

/// `swab`: pairs of bytes exchanged; an odd byte at the end is left out.
pub(crate) fn swap_pairs(
    memory: &mut Memory,
    from: u64,
    to: u64,
    count: u64,
) -> Result<(), Undefined> {
    if (count as i64) < 2 {
        return Ok(());
    }
    let count = count & !1;
    crate::library::no_overlap("swab", to, from, count)?;
    let mut bytes = read(memory, from, count)?.to_vec();
    for pair in bytes.chunks_exact_mut(2) {
        pair.swap(0, 1);
    }
    write(memory, to, &bytes)
}

/// A number in a text, and how far it goes: nothing if there is none.
struct Number {
    negative: bool,
    /// Cut off at the end of `u128`.
    magnitude: u128,
    /// Bytes from the start of the text.
    end: usize,
}

impl Number {
    fn parse(bytes: &[u8], base: u32) -> Option<Number> {
        let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
        let mut start = 0;
        while matches!(at(start), b' ' | b'\t'..=b'\r') {
            start += 1;
        }
        let negative = at(start) == b'-';
        if matches!(at(start), b'-' | b'+') {
            start += 1;
        }
        let digit = |index: usize, base| char::from(at(index)).to_digit(base);
        let is_hex = at(start) == b'0'
            && matches!(at(start + 1), b'x' | b'X')
            && digit(start + 2, 16).is_some();
        let base = match base {
            0 if is_hex => 16,
            0 if at(start) == b'0' => 8,
            0 => 10,
            base => base,
        };
        if base == 16 && is_hex {
            start += 2;
        }
        let mut end = start;
        let mut magnitude = 0u128;
        while let Some(next) = digit(end, base) {
            magnitude = magnitude
                .saturating_mul(base.into())
                .saturating_add(next.into());
            end += 1;
        }
        (end > start).then_some(Number {
            negative,
            magnitude,
            end,
        })
    }

    /// The value, if it fits a signed type of so many bits.
    fn signed(&self, bits: u8) -> Option<i128> {
        let most = (1u128 << (bits - 1)) - u128::from(!self.negative);
        let value = i128::try_from(self.magnitude)
            .ok()
            .filter(|_| self.magnitude <= most)?;
        Some(if self.negative { -value } else { value })
    }
}

/// `atoi` and its kin.
pub(crate) fn to_number(memory: &Memory, at: u64, bits: u8) -> Result<u64, Undefined> {
    let bytes = text(memory, at, u64::MAX)?;
    let Some(number) = Number::parse(bytes, 10) else {
        return Ok(0);
    };
    match number.signed(bits) {
        Some(value) => Ok(value as u64),
        None => Err(Undefined::new(
            UndefinedKind::FloatConversion,
            format!(
                "the number in \"{}\" does not fit in {bits} bits",
                String::from_utf8_lossy(bytes)
            ),
        )),
    }
}

/// `strtol` and its kin: the value, cut off at the ends of the type, which is said in `errno`.
pub(crate) fn convert(
    memory: &mut Memory,
    function: Library,
    [at, end, base, errno]: [u64; 4],
    wide: bool,
) -> Result<u64, Stop> {
    let word = if wide { 64 } else { 32 };
    let (bits, signed) = match function {
        Library::Strtol => (word, true),
        Library::Strtoul => (word, false),
        Library::Strtoll => (64, true),
        Library::Strtoull => (64, false),
        other => unreachable!("{} should not be here", other.name()),
    };
    let base = base as i32;
    if base != 0 && !(2..=36).contains(&base) {
        set_errno(memory, errno, EINVAL)?;
        let what = format!("`{}` of base {base}", function.name());
        return Err(Stop::End(End::Unsupported(what)));
    }
    let number = Number::parse(text(memory, at, u64::MAX)?, base.unsigned_abs());
    if end != 0 {
        let stop = at + number.as_ref().map_or(0, |number| number.end) as u64;
        let bytes = stop.to_le_bytes();
        write(memory, end, &bytes[..word as usize / 8])?;
    }
    let Some(number) = number else {
        return Ok(0);
    };
    let most = u128::MAX >> (128 - bits);
    let value = match signed {
        true => number.signed(bits).map(|value| value as u64),
        false if number.magnitude > most => None,
        false if number.negative => Some((number.magnitude as u64).wrapping_neg()),
        false => Some(number.magnitude as u64),
    };
    let mask = most as u64;
    Ok(match value {
        Some(value) if signed => value,
        Some(value) => value & mask,
        None => {
            set_errno(memory, errno, ERANGE)?;
            match (signed, number.negative) {
                (false, _) => mask,
                (true, false) => mask >> 1,
                (true, true) => !(mask >> 1),
            }
        }
    })
}

fn set_errno(memory: &mut Memory, errno: u64, error: i32) -> Result<(), Undefined> {
    match errno {
        0 => Ok(()),
        errno => write(memory, errno, &error.to_le_bytes()),
    }
}

/// What `sprintf` stores: all of it, or the first `size - 1` bytes, and a zero.
pub(crate) fn print_to(
    memory: &mut Memory,
    to: u64,
    size: Option<u64>,
    mut bytes: Vec<u8>,
) -> Result<(), Undefined> {
    match size {
        Some(0) => return Ok(()),
        Some(size) => bytes.truncate(usize::try_from(size - 1).unwrap_or(usize::MAX)),
        None => {}
    }
    bytes.push(0);
    write(memory, to, &bytes)
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        type Case = (&'static str, u32, Option<(i128, usize)>);
        let cases: &[Case] = &[
            ("12x", 10, Some((12, 2))),
            ("  -7", 10, Some((-7, 4))),
            ("0x1f", 0, Some((31, 4))),
            ("0x", 0, Some((0, 1))),
            ("017", 0, Some((15, 3))),
            ("z", 36, Some((35, 1))),
            ("+", 10, None),
            ("2147483648", 10, None),
            ("-2147483648", 10, Some((-2147483648, 11))),
        ];
        for &(text, base, expected) in cases {
            let number = Number::parse(text.as_bytes(), base);
            let got = number.and_then(|number| Some((number.signed(32)?, number.end)));
            assert_eq!(got, expected, "{text}");
        }
    }
}
