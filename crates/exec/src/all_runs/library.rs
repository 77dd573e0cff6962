//! The library functions, on memory whose bytes may be unknown.

use super::memory::Kind;
use super::state::State;
use super::value::{Pointer, Value};
use super::{Stop, lost};
use crate::printf::{Arguments, formatted};
use logic::{IntType, IntValue};
use program::expr::Type;
use program::ir::{Library, VARARG_SLOT};
use program::math;

/// What a call did.
pub(super) struct Done {
    pub(super) value: Value,
    /// Bytes that were looked at or written, about.
    pub(super) touched: u64,
    /// Whether what the value points to lives as long as the caller.
    pub(super) dies_with_caller: bool,
}

impl Done {
    fn new(value: Value, touched: u64) -> Result<Done, Stop> {
        Ok(Done {
            value,
            touched,
            dies_with_caller: false,
        })
    }
}

/// Calls a library function. What it prints is not kept.
pub(super) fn call_library(
    state: &mut State,
    function: Library,
    args: &[Value],
) -> Result<Done, Stop> {
    use Library::*;
    let arg = |index: usize| args.get(index).copied().unwrap_or(Value::Unknown);
    match function {
        Malloc => new_object(state, Kind::Heap, count(arg(0))?, false),
        Calloc => match count(arg(0))?.checked_mul(count(arg(1))?) {
            Some(size) => new_object(state, Kind::Heap, size, true),
            None => lost("`calloc` of more than there can be"),
        },
        Alloca => Ok(Done {
            dies_with_caller: true,
            ..new_object(state, Kind::Stack, count(arg(0))?, false)?
        }),
        Realloc => realloc(state, arg(0), count(arg(1))?),
        Free => {
            free(state, arg(0))?;
            Done::new(Value::Unknown, 0)
        }
        Memset => {
            let count = count(arg(2))?;
            let byte = match arg(1) {
                Value::Int(byte) => Some(byte.bits() as u8),
                _ => None,
            };
            let part = written(state, arg(0), count)?;
            if let Some(part) = part {
                state.memory.fill(part, |_| byte);
            }
            Done::new(arg(0), count)
        }
        Memcpy => copy(state, arg(0), arg(1), count(arg(2))?, false),
        Memmove => copy(state, arg(0), arg(1), count(arg(2))?, true),
        Memcmp => {
            let count = count(arg(2))?;
            let Some(a) = read(state, arg(0), count)? else {
                return Done::new(Value::Unknown, 0);
            };
            let Some(b) = read(state, arg(1), count)? else {
                return Done::new(Value::Unknown, 0);
            };
            Done::new(compared(&a, &b), count)
        }
        Strlen => {
            let (bytes, is_whole) = text(state, arg(0), u64::MAX)?;
            let size = IntValue::from_bits(state.memory.pointer_type(), bytes.len() as u128);
            let value = known_if(is_whole, Value::Int(size));
            Done::new(value, bytes.len() as u64)
        }
        Strcmp => compare_texts(state, arg(0), arg(1), u64::MAX),
        Strncmp => compare_texts(state, arg(0), arg(1), count(arg(2))?),
        Strcpy => {
            let length = whole_text(state, arg(1))?.len() as u64;
            copy(state, arg(0), arg(1), length + 1, false)
        }
        Strncpy => {
            let count = count(arg(2))?;
            let (bytes, is_whole) = text(state, arg(1), count)?;
            if !is_whole {
                return lost("a copy of a text that is not known");
            }
            if overlap(arg(0), arg(1), bytes.len() as u64) {
                return Err(Stop::Undefined);
            }
            if let Some(part) = written(state, arg(0), count)? {
                let byte = |index: usize| Some(bytes.get(index).copied().unwrap_or(0));
                state.memory.fill(part, byte);
            }
            Done::new(arg(0), count)
        }
        Sprintf => print_to(state, arg(0), None, (arg(1), arg(2))),
        Snprintf => print_to(state, arg(0), Some(count(arg(1))?), (arg(2), arg(3))),
        Frexp(format) => {
            let number = number(arg(0))?;
            let (fraction, exponent) = math::frexp(format.number(number));
            put(state, arg(1), &exponent.to_le_bytes())?;
            Done::new(Value::Float(format, format.rounded(fraction)), 4)
        }
        Math(function, format) => {
            // The sign of what is not a number is not known.
            let looks_at_sign = matches!(function, math::Math::Signbit | math::Math::Copysign);
            let operands = args.iter().map(|&arg| match arg {
                Value::Float(_, bits) if !looks_at_sign => Ok(bits),
                arg => number(arg),
            });
            let operands = operands.collect::<Result<Vec<u64>, Stop>>()?;
            let value = function.apply(format, &operands);
            Done::new(Value::of(value, state.memory.pointer_type()), 0)
        }
        Modf(_) => lost("a library function that is only run"),
        Strcat => {
            let end = whole_text(state, arg(0))?.len() as i64;
            let length = whole_text(state, arg(1))?.len() as u64;
            let Some(at) = state.target(arg(0))?.moved(end) else {
                return lost("a text that is too long");
            };
            let done = copy(state, Value::Address(at), arg(1), length + 1, false)?;
            Done::new(arg(0), done.touched + end as u64)
        }
        Strchr => find_byte(state, arg(0), arg(1)),
        Printf => {
            let format = whole_text(state, arg(0))?;
            if stores_a_count(&format) {
                return lost("`printf` that stores a count");
            }
            // What cannot be told of the arguments matters to the number of bytes alone.
            let printed = printed(state, &format, arg(1));
            let count = printed.map_or(Value::Unknown, |bytes| count_of(&bytes));
            Done::new(count, format.len() as u64)
        }
        Puts => {
            let (bytes, is_whole) = text(state, arg(0), u64::MAX)?;
            let count = IntValue::wrap(IntType::I32, bytes.len() as i128 + 1);
            Done::new(known_if(is_whole, Value::Int(count)), bytes.len() as u64)
        }
        Cleaned => Done::new(truth(!state.memory.has_heap()), 0),
        // Asked where variables are known.
        Tracked => lost("leaks"),
        Putchar => Done::new(
            match arg(0) {
                Value::Int(byte) => Value::Int(byte.convert(IntType::U8).convert(IntType::I32)),
                _ => Value::Unknown,
            },
            0,
        ),
    }
}

fn truth(holds: bool) -> Value {
    Value::Int(IntValue::wrap(IntType::I32, i128::from(holds)))
}

fn known_if(is_known: bool, value: Value) -> Value {
    match is_known {
        true => value,
        false => Value::Unknown,
    }
}

/// A number of bytes.
fn count(value: Value) -> Result<u64, Stop> {
    match value.to_u64() {
        Some(count) => Ok(count),
        None => lost("a library function with a size that is not known"),
    }
}

fn new_object(state: &mut State, kind: Kind, size: u64, is_zero: bool) -> Result<Done, Stop> {
    let object = state.memory.create(kind, size, is_zero)?;
    Done::new(Value::Address(Pointer::to(object)), size)
}

fn realloc(state: &mut State, old: Value, size: u64) -> Result<Done, Stop> {
    if matches!(old, Value::Int(null) if null.is_zero()) {
        return new_object(state, Kind::Heap, size, false);
    }
    let at = state.target(old)?;
    let Some((object, had)) = state.memory.heap_object(at) else {
        return Err(Stop::Undefined);
    };
    if size == 0 {
        return lost("`realloc` to no bytes");
    }
    let done = new_object(state, Kind::Heap, size, false)?;
    copy(state, done.value, old, had.min(size), true)?;
    state.memory.kill(object);
    Done::new(done.value, size + had)
}

fn free(state: &mut State, address: Value) -> Result<(), Stop> {
    if matches!(address, Value::Int(null) if null.is_zero()) {
        return Ok(());
    }
    let at = state.target(address)?;
    match state.memory.heap_object(at) {
        Some((object, _)) => {
            state.memory.kill(object);
            Ok(())
        }
        None => Err(Stop::Undefined),
    }
}

/// The part that is written; none where it is empty, which may be anywhere.
fn written(state: &State, address: Value, count: u64) -> Result<Option<super::memory::Part>, Stop> {
    if count == 0 {
        return Ok(None);
    }
    let at = state.target(address)?;
    let part = state.memory.part(at, count, true);
    part.map(Some).ok_or(Stop::Undefined)
}

fn copy(
    state: &mut State,
    to: Value,
    from: Value,
    count: u64,
    may_overlap: bool,
) -> Result<Done, Stop> {
    if count == 0 {
        return Done::new(to, 0);
    }
    if !may_overlap && overlap(to, from, count) {
        return Err(Stop::Undefined);
    }
    let source = state.target(from)?;
    let source = state.memory.part(source, count, false);
    let source = source.ok_or(Stop::Undefined)?;
    if let Some(target) = written(state, to, count)? {
        state.memory.copy(target, source);
    }
    Done::new(to, count)
}

/// Whether two parts of so many bytes overlap; what is copied to itself does not count.
fn overlap(to: Value, from: Value, count: u64) -> bool {
    match (to, from) {
        (Value::Address(a), Value::Address(b)) => {
            a.base == b.base && a.offset != b.offset && a.offset.abs_diff(b.offset) < count
        }
        _ => false,
    }
}

/// The bytes at an address; nothing if the address is unknown.
fn read(state: &State, address: Value, count: u64) -> Result<Option<Vec<Option<u8>>>, Stop> {
    if count == 0 {
        return Ok(Some(Vec::new()));
    }
    match address {
        Value::Address(at) => {
            let part = state.memory.part(at, count, false);
            let part = part.ok_or(Stop::Undefined)?;
            Ok(Some(state.memory.bytes(part).collect()))
        }
        Value::Int(null) if null.is_zero() => Err(Stop::Undefined),
        _ => Ok(None),
    }
}

/// The order of bytes, as a number of which only the sign is said.
fn compared(a: &[Option<u8>], b: &[Option<u8>]) -> Value {
    for (a, b) in a.iter().zip(b) {
        match (a, b) {
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => return Value::Signed { negative: a < b },
            _ => return Value::Unknown,
        }
    }
    Value::Int(IntValue::zero(IntType::I32))
}

/// The bytes of a text before its end, at most so many, as far as they are known; and whether
/// these are all.
fn text(state: &State, address: Value, most: u64) -> Result<(Vec<u8>, bool), Stop> {
    if most == 0 {
        return Ok((Vec::new(), true));
    }
    let at = match address {
        Value::Address(at) => at,
        Value::Int(null) if null.is_zero() => return Err(Stop::Undefined),
        _ => return Ok((Vec::new(), false)),
    };
    let tail = state.memory.tail(at).ok_or(Stop::Undefined)?;
    let mut bytes = Vec::new();
    for byte in state.memory.bytes(tail) {
        match byte {
            Some(0) => return Ok((bytes, true)),
            Some(byte) => bytes.push(byte),
            None => return Ok((bytes, false)),
        }
        if bytes.len() as u64 == most {
            return Ok((bytes, true));
        }
    }
    Err(Stop::Undefined)
}

fn whole_text(state: &State, address: Value) -> Result<Vec<u8>, Stop> {
    match text(state, address, u64::MAX)? {
        (bytes, true) => Ok(bytes),
        (_, false) => lost("a text that is not known"),
    }
}

/// The order of two texts, of which only the bytes up to the first difference count.
fn compare_texts(state: &State, a: Value, b: Value, most: u64) -> Result<Done, Stop> {
    let (Value::Address(a), Value::Address(b)) = (a, b) else {
        return Done::new(Value::Unknown, 0);
    };
    let equal = Value::Int(IntValue::zero(IntType::I32));
    let tails = state.memory.tail(a).zip(state.memory.tail(b));
    let (a, b) = tails.ok_or(Stop::Undefined)?;
    let (mut a, mut b) = (state.memory.bytes(a), state.memory.bytes(b));
    for seen in 0..most {
        let (Some(a), Some(b)) = (a.next(), b.next()) else {
            return Err(Stop::Undefined);
        };
        match compared(&[a], &[b]) {
            value if value != equal => return Done::new(value, seen),
            _ if a == Some(0) => return Done::new(equal, seen),
            _ => {}
        }
    }
    Done::new(equal, most)
}

fn find_byte(state: &State, address: Value, byte: Value) -> Result<Done, Stop> {
    let (bytes, is_whole) = text(state, address, u64::MAX)?;
    let (Value::Int(byte), Value::Address(at)) = (byte, address) else {
        return Done::new(Value::Unknown, 0);
    };
    let byte = byte.bits() as u8;
    let end = (byte == 0 && is_whole).then_some(bytes.len());
    let found = bytes.iter().position(|&other| other == byte).or(end);
    let value = match found {
        Some(index) => at
            .moved(index as i64)
            .map_or(Value::Unknown, Value::Address),
        None if is_whole => Value::Int(IntValue::zero(state.memory.pointer_type())),
        None => Value::Unknown,
    };
    Done::new(value, bytes.len() as u64)
}

/// A number by its bits; those of what is not a number may be others.
fn number(value: Value) -> Result<u64, Stop> {
    match value {
        Value::Float(format, bits) if !format.number(bits).is_nan() => Ok(bits),
        _ => lost("a function of a number that is not known"),
    }
}

/// Writes bytes.
fn put(state: &mut State, address: Value, bytes: &[u8]) -> Result<(), Stop> {
    if let Some(part) = written(state, address, bytes.len() as u64)? {
        state.memory.fill(part, |index| Some(bytes[index]));
    }
    Ok(())
}

/// The further arguments of a call.
struct Further<'s> {
    state: &'s State,
    next: Value,
}

impl Further<'_> {
    /// The next argument, as a value of a type.
    fn value(&mut self, ty: Type) -> Result<Value, Stop> {
        let at = self.state.target(self.next)?;
        let bytes = ty.bytes(self.state.memory.pointer_type().bits / 8);
        let part = self.state.memory.part(at, bytes, false);
        let part = part.ok_or(Stop::Undefined)?;
        self.next = at
            .moved(VARARG_SLOT as i64)
            .map_or(Value::Unknown, Value::Address);
        Ok(self.state.memory.load(part, ty))
    }
}

impl Arguments for Further<'_> {
    type Stop = Stop;

    fn number(&mut self, bytes: u64) -> Result<u64, Stop> {
        let ty = IntType::unsigned(8 * bytes as u8);
        match self.value(Type::Int(ty))? {
            Value::Int(value) => Ok(value.bits() as u64),
            _ => lost("a number that is printed is not known"),
        }
    }

    fn text(&mut self, _pointer_bytes: u64, most: u64) -> Result<Vec<u8>, Stop> {
        let at = self.value(Type::Ptr)?;
        match text(self.state, at, most)? {
            (bytes, true) => Ok(bytes),
            (_, false) => lost("a text that is printed is not known"),
        }
    }

    fn address(&mut self, _bytes: u64) -> Result<u64, Stop> {
        lost("an address that is printed")
    }

    fn unsupported(&self, what: String) -> Stop {
        Stop::Lost(what)
    }
}

/// What a format prints with the arguments from an address on.
fn printed(state: &State, format: &[u8], next: Value) -> Result<Vec<u8>, Stop> {
    let wide = state.memory.pointer_type().bits == 64;
    formatted(format, &mut Further { state, next }, wide)
}

fn count_of(bytes: &[u8]) -> Value {
    Value::Int(IntValue::wrap(IntType::I32, bytes.len() as i128))
}

/// `sprintf`, or `snprintf` with a size.
fn print_to(
    state: &mut State,
    to: Value,
    size: Option<u64>,
    (format, next): (Value, Value),
) -> Result<Done, Stop> {
    let format = whole_text(state, format)?;
    if stores_a_count(&format) {
        return lost("`printf` that stores a count");
    }
    let mut bytes = match printed(state, &format, next) {
        Ok(bytes) => bytes,
        Err(_) => return lost("a text that is printed is not known"),
    };
    let count = count_of(&bytes);
    if let Some(size) = size {
        bytes.truncate(size.saturating_sub(1) as usize);
    }
    bytes.push(0);
    if size != Some(0) {
        put(state, to, &bytes)?;
    }
    Done::new(count, bytes.len() as u64)
}

/// Whether a format of `printf` has a conversion `%n`.
fn stores_a_count(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while let Some(&byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let is_length = |byte: &u8| b"hlqjztL".contains(byte);
        let is_flag = |byte: &u8| !byte.is_ascii_alphabetic() && *byte != b'%';
        let conversion = rest.find(|byte| !is_flag(byte) && !is_length(byte));
        if conversion == Some(&b'n') {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_stored_only_by_n() {
        for (format, stores) in [
            ("%d\n", false),
            ("100%% now", false),
            ("%n", true),
            ("%5.2f and %hhn", true),
            ("%-*lu", false),
            ("no", false),
        ] {
            assert_eq!(stores_a_count(format.as_bytes()), stores, "{format}");
        }
    }
}
