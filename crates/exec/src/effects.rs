//! What library functions read and change in memory, for tracing a run.
//!
//! Reported before a call, while objects are still alive; only what a call allocates is reported
//! after it. An undefined call reports what it can.

use crate::bytecode::LibraryCall;
use crate::library::text;
use crate::memory::Memory;
use crate::state::Observer;
use crate::wide_ops::Registers;
use program::expr::Type;
use program::ir::Library;

/// What a call is about to read and change.
pub(crate) fn before(
    call: &LibraryCall,
    regs: &Registers,
    memory: &Memory,
    observer: &mut dyn Observer,
) {
    use Library::*;
    let arg = |index: usize| regs[call.args[index] as usize];
    // With the zero at its end.
    let length =
        |at: u64, most: u64| text(memory, at, most).map_or(1, |text| text.len() as u64 + 1);
    match call.function {
        Malloc | Calloc | Alloca | Math(..) | Putchar | Tracked | Cleaned => {}
        Realloc => {
            let size = memory.heap_object(arg(0)).unwrap_or(0);
            observer.read(arg(0), size.min(arg(1)));
        }
        Free => {
            let size = memory.heap_object(arg(0)).unwrap_or(0);
            observer.changed(arg(0), size);
        }
        Memset => observer.changed(arg(0), arg(2)),
        Memcpy | Memmove => {
            observer.read(arg(1), arg(2));
            observer.changed(arg(0), arg(2));
        }
        Memcmp => {
            observer.read(arg(0), arg(2));
            observer.read(arg(1), arg(2));
        }
        Strlen | Puts | Strchr | Printf => {
            observer.read(arg(0), length(arg(0), u64::MAX));
        }
        Sprintf | Snprintf => {
            let (format, most) = match call.function {
                Sprintf => (1, u64::MAX),
                _ => (2, arg(1)),
            };
            observer.read(arg(format), length(arg(format), u64::MAX));
            // How much is printed is known behind the call only: all there is room for.
            let room = memory.tail(arg(0)).map_or(0, |tail| tail.len() as u64);
            observer.changed(arg(0), room.min(most));
        }
        Frexp(_) => observer.changed(arg(1), 4),
        Modf(format) => observer.changed(arg(1), Type::Float(format).bytes(0)),
        Strcmp => {
            observer.read(arg(0), length(arg(0), u64::MAX));
            observer.read(arg(1), length(arg(1), u64::MAX));
        }
        Strncmp => {
            observer.read(arg(0), length(arg(0), arg(2)).min(arg(2)));
            observer.read(arg(1), length(arg(1), arg(2)).min(arg(2)));
        }
        Strcpy => {
            let count = length(arg(1), u64::MAX);
            observer.read(arg(1), count);
            observer.changed(arg(0), count);
        }
        Strncpy => {
            observer.read(arg(1), length(arg(1), arg(2)).min(arg(2)));
            observer.changed(arg(0), arg(2));
        }
        Strcat => {
            let (start, count) = (length(arg(0), u64::MAX), length(arg(1), u64::MAX));
            observer.read(arg(0), start);
            observer.read(arg(1), count);
            observer.changed(arg(0).wrapping_add(start - 1), count);
        }
    }
}

/// What a call has changed in an object that it made.
pub(crate) fn after(call: &LibraryCall, regs: &Registers, observer: &mut dyn Observer) {
    let arg = |index: usize| regs[call.args[index] as usize];
    let made = regs[call.result as usize];
    match call.function {
        Library::Realloc => observer.changed(made, arg(1)),
        Library::Calloc => observer.changed(made, arg(0).saturating_mul(arg(1))),
        _ => {}
    }
}
