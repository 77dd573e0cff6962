//! `printf`: conversions of C17 7.21.6.1 on the further arguments of a call.
//!
//! An argument that was stored in four bytes and is read as eight (or the reverse) is what C
//! calls undefined; here the low bytes of its slot are read.

use crate::library::text;
use crate::memory::{Access, Memory};
use crate::{End, Undefined};
use program::ir::VARARG_SLOT;

/// The further arguments of a call, in order, on whatever machine.
pub(crate) trait Arguments {
    /// Why there is no text.
    type Stop;

    /// The next argument, a number of so many bytes.
    fn number(&mut self, bytes: u64) -> Result<u64, Self::Stop>;

    /// The text that the next argument points to, at most so many bytes.
    fn text(&mut self, pointer_bytes: u64, most: u64) -> Result<Vec<u8>, Self::Stop>;

    /// The next argument as an address.
    fn address(&mut self, bytes: u64) -> Result<u64, Self::Stop>;

    /// A conversion that is not modelled.
    fn unsupported(&self, what: String) -> Self::Stop;
}

/// The text that a call prints.
pub(crate) fn printf(
    memory: &Memory,
    format: u64,
    varargs: Option<u64>,
    wide: bool,
) -> Result<Vec<u8>, End> {
    let format = text(memory, format, u64::MAX)?;
    let mut args = Slots {
        memory,
        next: varargs.unwrap_or(0),
    };
    formatted(format, &mut args, wide)
}

/// A format with its arguments put in.
pub(crate) fn formatted<A: Arguments>(
    format: &[u8],
    args: &mut A,
    wide: bool,
) -> Result<Vec<u8>, A::Stop> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let (spec, end) = Spec::parse(format, at, args)?;
        at = end;
        spec.print(args, wide, &mut out)?;
    }
    Ok(out)
}

/// The further arguments in the machine's memory.
struct Slots<'m, 'c> {
    memory: &'m Memory<'c>,
    next: u64,
}

impl Arguments for Slots<'_, '_> {
    type Stop = End;

    fn number(&mut self, bytes: u64) -> Result<u64, End> {
        let at = self.next;
        self.next += VARARG_SLOT;
        match self.memory.bytes(at, bytes) {
            Some(slice) => {
                let mut all = [0; 8];
                all[..slice.len()].copy_from_slice(slice);
                Ok(u64::from_le_bytes(all))
            }
            None => {
                let undefined: Undefined = self.memory.explain(at, bytes, Access::Read);
                Err(undefined.into())
            }
        }
    }

    fn text(&mut self, pointer_bytes: u64, most: u64) -> Result<Vec<u8>, End> {
        let at = self.number(pointer_bytes)?;
        Ok(text(self.memory, at, most)?.to_vec())
    }

    fn address(&mut self, bytes: u64) -> Result<u64, End> {
        self.number(bytes)
    }

    fn unsupported(&self, what: String) -> End {
        End::Unsupported(what)
    }
}

/// One conversion.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer argument after its conversion; 0 for none named.
    length: u64,
    /// One of `l z j t`, whose size depends on the data model.
    word: bool,
    conversion: u8,
}

impl Spec {
    fn parse<A: Arguments>(
        format: &[u8],
        mut at: usize,
        args: &mut A,
    ) -> Result<(Spec, usize), A::Stop> {
        let mut spec = Spec::default();
        let peek = |at: usize| format.get(at).copied().unwrap_or(0);
        loop {
            match peek(at) {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternative = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        let (width, next) = number(format, at, args)?;
        at = next;
        spec.left |= width < 0;
        spec.width = width.unsigned_abs() as usize;
        if peek(at) == b'.' {
            let (precision, next) = number(format, at + 1, args)?;
            at = next;
            spec.precision = usize::try_from(precision).ok();
        }
        loop {
            match peek(at) {
                b'h' if spec.length == 2 => spec.length = 1,
                b'h' => spec.length = 2,
                b'l' if spec.word => {
                    spec.word = false;
                    spec.length = 8;
                }
                b'l' | b'z' | b't' => spec.word = true,
                b'j' | b'q' => spec.length = 8,
                b'L' => {}
                _ => break,
            }
            at += 1;
        }
        spec.conversion = peek(at);
        Ok((spec, at + 1))
    }

    fn print<A: Arguments>(
        &self,
        args: &mut A,
        wide: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), A::Stop> {
        match self.conversion {
            b'd' | b'i' => {
                let value = self.signed(args, wide)?;
                let sign = self.sign(value < 0);
                self.integer(out, sign, value.unsigned_abs().to_string());
            }
            b'u' => {
                let value = self.unsigned(args, wide)?;
                self.integer(out, "", value.to_string());
            }
            b'x' | b'X' | b'o' => {
                let value = self.unsigned(args, wide)?;
                let (digits, prefix) = match self.conversion {
                    b'x' => (format!("{value:x}"), "0x"),
                    b'X' => (format!("{value:X}"), "0X"),
                    _ => (format!("{value:o}"), "0"),
                };
                let prefix = if self.alternative && value != 0 {
                    prefix
                } else {
                    ""
                };
                self.integer(out, prefix, digits);
            }
            b'c' => {
                let byte = args.number(4)? as u8;
                self.pad(out, "", &[byte], false);
            }
            b's' => {
                let most = self.precision.map_or(u64::MAX, |most| most as u64);
                let bytes = args.text(if wide { 8 } else { 4 }, most)?;
                self.pad(out, "", &bytes, false);
            }
            b'p' => {
                let at = args.address(if wide { 8 } else { 4 })?;
                let shown = if at == 0 {
                    "(nil)".to_owned()
                } else {
                    format!("{at:#x}")
                };
                self.pad(out, "", shown.as_bytes(), false);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                let value = f64::from_bits(args.number(8)?);
                self.float(out, value);
            }
            b'%' => out.push(b'%'),
            other => {
                let what = format!("printf with the conversion `%{}`", char::from(other));
                return Err(args.unsupported(what));
            }
        }
        Ok(())
    }

    /// Bytes to read and bytes that count.
    fn size(&self, wide: bool) -> (u64, u32) {
        match (self.word, self.length) {
            (true, _) if wide => (8, 64),
            (_, 8) => (8, 64),
            (_, 2) => (4, 16),
            (_, 1) => (4, 8),
            _ => (4, 32),
        }
    }

    fn signed<A: Arguments>(&self, args: &mut A, wide: bool) -> Result<i64, A::Stop> {
        let (bytes, bits) = self.size(wide);
        let unused = 64 - bits;
        Ok((args.number(bytes)? as i64) << unused >> unused)
    }

    fn unsigned<A: Arguments>(&self, args: &mut A, wide: bool) -> Result<u64, A::Stop> {
        let (bytes, bits) = self.size(wide);
        let unused = 64 - bits;
        Ok(args.number(bytes)? << unused >> unused)
    }

    fn sign(&self, negative: bool) -> &'static str {
        if negative {
            "-"
        } else if self.plus {
            "+"
        } else if self.space {
            " "
        } else {
            ""
        }
    }

    fn integer(&self, out: &mut Vec<u8>, prefix: &str, mut digits: String) {
        match self.precision {
            Some(0) if digits == "0" => {
                digits.clear();
                if self.conversion == b'o' && self.alternative {
                    digits.push('0');
                }
            }
            Some(least) if digits.len() < least => {
                digits.insert_str(0, &"0".repeat(least - digits.len()));
                if self.conversion == b'o' {
                    // The prefix of an octal number is a digit that counts.
                    return self.pad(out, "", digits.as_bytes(), false);
                }
            }
            Some(_) | None => {}
        }
        self.pad(out, prefix, digits.as_bytes(), self.precision.is_none());
    }

    fn float(&self, out: &mut Vec<u8>, value: f64) {
        let upper = self.conversion.is_ascii_uppercase();
        let sign = self.sign(value.is_sign_negative());
        let finite = value.is_finite();
        let mut shown = if value.is_nan() {
            "nan".to_owned()
        } else if value.is_infinite() {
            "inf".to_owned()
        } else {
            let precision = self.precision.unwrap_or(6);
            match self.conversion.to_ascii_lowercase() {
                b'f' => self.fixed(value.abs(), precision),
                b'e' => self.exponent(value.abs(), precision),
                _ => self.general(value.abs(), precision),
            }
        };
        if upper {
            shown.make_ascii_uppercase();
        }
        self.pad(out, sign, shown.as_bytes(), finite);
    }

    fn fixed(&self, value: f64, precision: usize) -> String {
        let mut shown = format!("{value:.precision$}");
        if precision == 0 && self.alternative {
            shown.push('.');
        }
        shown
    }

    fn exponent(&self, value: f64, precision: usize) -> String {
        let shown = format!("{value:.precision$e}");
        let (digits, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
        let point = if precision == 0 && self.alternative {
            "."
        } else {
            ""
        };
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(rest) => ('-', rest),
            None => ('+', exponent),
        };
        format!("{digits}{point}e{sign}{exponent:0>2}")
    }

    /// `%g`: the shorter of the two, by the exponent that `%e` would show.
    fn general(&self, value: f64, precision: usize) -> String {
        let precision = precision.max(1);
        let probe = format!("{value:.*e}", precision - 1);
        let exponent: i64 = probe
            .split_once('e')
            .and_then(|(_, exponent)| exponent.parse().ok())
            .unwrap_or(0);
        let scientific = exponent < -4 || exponent >= precision as i64;
        let mut shown = if scientific {
            self.exponent(value, precision - 1)
        } else {
            self.fixed(value, (precision as i64 - 1 - exponent) as usize)
        };
        if !self.alternative {
            let (mut digits, tail) = match shown.split_once('e') {
                Some((digits, tail)) => (digits.to_owned(), format!("e{tail}")),
                None => (shown, String::new()),
            };
            if digits.contains('.') {
                let kept = digits.trim_end_matches('0').trim_end_matches('.').len();
                digits.truncate(kept);
            }
            shown = digits + &tail;
        }
        shown
    }

    fn pad(&self, out: &mut Vec<u8>, prefix: &str, body: &[u8], may_zero: bool) {
        let fill = self.width.saturating_sub(prefix.len() + body.len());
        let zero = self.zero && may_zero && !self.left;
        if !self.left && !zero {
            out.resize(out.len() + fill, b' ');
        }
        out.extend_from_slice(prefix.as_bytes());
        if zero {
            out.resize(out.len() + fill, b'0');
        }
        out.extend_from_slice(body);
        if self.left {
            out.resize(out.len() + fill, b' ');
        }
    }
}

/// A width or precision: digits, or `*` for an argument.
fn number<A: Arguments>(
    format: &[u8],
    mut at: usize,
    args: &mut A,
) -> Result<(i64, usize), A::Stop> {
    if format.get(at) == Some(&b'*') {
        return Ok((i64::from(args.number(4)? as i32), at + 1));
    }
    let mut value: i64 = 0;
    while let Some(digit) = format.get(at).filter(|byte| byte.is_ascii_digit()) {
        value = value * 10 + i64::from(digit - b'0');
        at += 1;
        if value > 1 << 20 {
            let what = "printf with a field of more than a million bytes";
            return Err(args.unsupported(what.to_owned()));
        }
    }
    Ok((value, at))
}
