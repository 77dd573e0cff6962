//! The library functions that are modelled directly.

use crate::bytecode::LibraryCall;
use crate::leaks::is_tracked;
use crate::memory::{Access, Memory, Storage};
use crate::printf::printf;
use crate::state::State;
use crate::value::constant_slots;
use crate::wide_ops::Registers;
use crate::{End, Undefined, UndefinedKind};
use program::expr::Type;
use program::ir::Library;
use std::cmp::Ordering;

/// Bytes of output that are kept.
const KEPT_OUTPUT: usize = 16 << 20;

/// What the program printed, up to a bound.
#[derive(Default)]
pub(crate) struct Output {
    bytes: Vec<u8>,
    dropped: u64,
}

impl Output {
    /// Prints.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let room = KEPT_OUTPUT
            .saturating_sub(self.bytes.len())
            .min(bytes.len());
        self.bytes.extend_from_slice(&bytes[..room]);
        self.dropped += (bytes.len() - room) as u64;
    }

    /// All that was kept, with a note if that is not all.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.dropped > 0 {
            let note = format!("\n[{} more bytes of output dropped]\n", self.dropped);
            self.bytes.extend_from_slice(note.as_bytes());
        }
        self.bytes
    }
}

/// Calls a library function.
pub(crate) fn call_library(
    call: &LibraryCall,
    regs: &mut Registers,
    state: &mut State<'_>,
) -> Result<(), End> {
    let arg = |index: usize| regs[call.args[index] as usize];
    let varargs = call.varargs.map(|reg| regs[reg as usize]);
    let memory = &mut state.memory;
    let result = match call.function {
        Library::Malloc => {
            let address = memory.allocate(arg(0), Storage::Heap)?;
            state.fill(call.contents, address, 0..arg(0))?;
            address
        }
        Library::Calloc => match arg(0).checked_mul(arg(1)) {
            Some(size) => memory.allocate(size, Storage::Heap)?,
            None => return Err(End::limit("memory: calloc of more than all addresses")),
        },
        Library::Realloc => {
            let kept = memory.heap_object(arg(0)).unwrap_or(0);
            let address = realloc(memory, arg(0), arg(1))?;
            if address != 0 {
                state.fill(call.contents, address, kept.min(arg(1))..arg(1))?;
            }
            address
        }
        Library::Free => {
            memory.free(arg(0))?;
            0
        }
        Library::Alloca => {
            let address = memory.allocate(arg(0), Storage::Stack)?;
            state.allocas.push((state.frames.len(), address));
            state.fill(call.contents, address, 0..arg(0))?;
            address
        }
        Library::Memset => {
            let (to, count) = (arg(0), arg(2));
            no_null(&[to])?;
            match memory.bytes_mut(to, count) {
                Some(bytes) => bytes.fill(arg(1) as u8),
                None => return Err(memory.explain(to, count, Access::Write).into()),
            }
            to
        }
        Library::Memcpy => {
            let (to, from, count) = (arg(0), arg(1), arg(2));
            no_null(&[to, from])?;
            no_overlap("memcpy", to, from, count)?;
            memory.copy(to, from, count)?;
            to
        }
        Library::Memmove => {
            no_null(&[arg(0), arg(1)])?;
            memory.copy(arg(0), arg(1), arg(2))?;
            arg(0)
        }
        Library::Memcmp => {
            let (a, b, count) = (arg(0), arg(1), arg(2));
            no_null(&[a, b])?;
            let a = read(memory, a, count)?;
            sign(a.cmp(read(memory, b, count)?))
        }
        Library::Strlen => text(memory, arg(0), u64::MAX)?.len() as u64,
        Library::Strcmp => {
            let a = text(memory, arg(0), u64::MAX)?;
            sign(a.cmp(text(memory, arg(1), u64::MAX)?))
        }
        Library::Strncmp => {
            let a = text(memory, arg(0), arg(2))?;
            sign(a.cmp(text(memory, arg(1), arg(2))?))
        }
        Library::Strcpy => {
            let (to, from) = (arg(0), arg(1));
            let count = text(memory, from, u64::MAX)?.len() as u64 + 1;
            no_overlap("strcpy", to, from, count)?;
            memory.copy(to, from, count)?;
            to
        }
        Library::Strncpy => {
            let (to, from, count) = (arg(0), arg(1), arg(2));
            let mut bytes = text(memory, from, count)?.to_vec();
            no_overlap("strncpy", to, from, bytes.len() as u64)?;
            if memory.bytes_mut(to, count).is_none() {
                return Err(memory.explain(to, count, Access::Write).into());
            }
            bytes.resize(count as usize, 0);
            write(memory, to, &bytes)?;
            to
        }
        Library::Strcat => {
            let (to, from) = (arg(0), arg(1));
            let end = to + text(memory, to, u64::MAX)?.len() as u64;
            let count = text(memory, from, u64::MAX)?.len() as u64 + 1;
            no_overlap("strcat", end, from, count)?;
            memory.copy(end, from, count)?;
            to
        }
        Library::Strchr => {
            let (at, byte) = (arg(0), arg(1) as u8);
            let bytes = text(memory, at, u64::MAX)?;
            let end = (byte == 0).then_some(bytes.len());
            let found = bytes.iter().position(|&other| other == byte).or(end);
            found.map_or(0, |index| at + index as u64)
        }
        Library::Sprintf | Library::Snprintf => {
            let (size, format) = match call.function {
                Library::Sprintf => (None, arg(1)),
                _ => (Some(arg(1)), arg(2)),
            };
            let bytes = printf(memory, format, varargs, state.code.layout.wide)?;
            let count = count_result(bytes.len());
            print_to(memory, arg(0), size, bytes)?;
            count
        }
        Library::Frexp(format) => {
            let (fraction, exponent) = program::math::frexp(format.number(arg(0)));
            write(memory, arg(1), &exponent.to_le_bytes())?;
            format.rounded(fraction)
        }
        Library::Modf(format) => {
            let number = format.number(arg(0));
            let whole = format.rounded(number.trunc()).to_le_bytes();
            let size = Type::Float(format).bytes(0) as usize;
            write(memory, arg(1), &whole[..size])?;
            let fraction = match number.is_infinite() {
                true => 0.0,
                false => number - number.trunc(),
            };
            format.rounded(fraction.copysign(number))
        }
        Library::Math(math, format) => {
            let operands: Vec<u64> = (0..math.operands()).map(arg).collect();
            constant_slots(math.apply(format, &operands))[0]
        }
        Library::Printf => {
            let bytes = printf(memory, arg(0), varargs, state.code.layout.wide)?;
            state.output.write(&bytes);
            count_result(bytes.len())
        }
        Library::Puts => {
            let mut bytes = text(memory, arg(0), u64::MAX)?.to_vec();
            bytes.push(b'\n');
            state.output.write(&bytes);
            count_result(bytes.len())
        }
        Library::Tracked => u64::from(is_tracked(call.proc, regs, state)),
        Library::Cleaned => u64::from(!memory.has_heap()),
        Library::Putchar => {
            let byte = arg(0) as u8;
            state.output.write(&[byte]);
            u64::from(byte)
        }
    };
    regs[call.result as usize] = result;
    Ok(())
}

/// The bytes of a text up to its end, or the first `most` of them.
pub(crate) fn text<'m>(memory: &'m Memory, at: u64, most: u64) -> Result<&'m [u8], Undefined> {
    if most == 0 {
        return Ok(&[]);
    }
    let tail = memory
        .tail(at)
        .ok_or_else(|| memory.explain(at, 1, Access::Read))?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let searched = &tail[..tail.len().min(most)];
    match searched.iter().position(|&byte| byte == 0) {
        Some(end) => Ok(&searched[..end]),
        None if searched.len() == most => Ok(searched),
        None => Err(memory.explain(at + tail.len() as u64, 1, Access::Read)),
    }
}

fn realloc(memory: &mut Memory, address: u64, size: u64) -> Result<u64, End> {
    if address == 0 {
        return memory.allocate(size, Storage::Heap);
    }
    // For no bytes as glibc has it; what is no heap object cannot be freed.
    let Some(old) = memory.heap_object(address).filter(|_| size > 0) else {
        memory.free(address)?;
        return Ok(0);
    };
    let new = memory.allocate(size, Storage::Heap)?;
    memory.copy(new, address, old.min(size))?;
    memory.free(address)?;
    Ok(new)
}

fn read<'m>(memory: &'m Memory, at: u64, count: u64) -> Result<&'m [u8], Undefined> {
    memory
        .bytes(at, count)
        .ok_or_else(|| memory.explain(at, count, Access::Read))
}

fn write(memory: &mut Memory, at: u64, bytes: &[u8]) -> Result<(), Undefined> {
    let count = bytes.len() as u64;
    if let Some(target) = memory.bytes_mut(at, count) {
        target.copy_from_slice(bytes);
        return Ok(());
    }
    Err(memory.explain(at, count, Access::Write))
}

/// What `sprintf` stores: all of it, or the first `size - 1` bytes, and a zero.
fn print_to(
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

/// An argument is the address of an object even if no byte of it counts (C11 7.24.1p2).
fn no_null(addresses: &[u64]) -> Result<(), Undefined> {
    if addresses.contains(&0) {
        return Err(Undefined::plain(UndefinedKind::NullArgument));
    }
    Ok(())
}

/// An object copied to itself does not count: C allows it for assignments, which become copies.
fn no_overlap(function: &str, to: u64, from: u64, count: u64) -> Result<(), Undefined> {
    if to != from && to.abs_diff(from) < count {
        return Err(Undefined::new(
            UndefinedKind::Overlap,
            format!(
                "{function} of {count} bytes between places {} bytes apart",
                to.abs_diff(from)
            ),
        ));
    }
    Ok(())
}

fn sign(order: Ordering) -> u64 {
    (order as i8) as i64 as u64
}

/// A count as an `int`.
fn count_result(count: usize) -> u64 {
    i64::from(i32::try_from(count).unwrap_or(i32::MAX)) as u64
}
