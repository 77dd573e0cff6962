//! What library functions read and change in memory, for those who trace a run.
//!
//! Said before a call, when objects still live; only what a call allocates is said behind it. A
//! call that is undefined says what it can.

use crate::bytecode::LibraryCall;
use crate::library::text;
use crate::memory::Memory;
use crate::slow::Registers;
use crate::state::Observer;
use program::expr::Type;
use program::ir::Library;

/// What a call is about to read and change.
pub(crate) fn before(
    call: &LibraryCall,
    regs: &Registers,
    memory: &Memory,
    observer: &mut dyn Observer,
) {
    let arg = |index: usize| regs[call.args[index] as usize];
    // With the zero at its end.
    let length =
        |at: u64, most: u64| text(memory, at, most).map_or(1, |text| text.len() as u64 + 1);
    let pointer = if memory.is_wide() { 8 } else { 4 };
    match call.function {
        Library::Malloc
        | Library::Calloc
        | Library::Alloca
        | Library::Math(..)
        | Library::Putchar => {}
        Library::Realloc => {
            let size = memory.heap_object(arg(0)).unwrap_or(0);
            observer.read(arg(0), size.min(arg(1)));
        }
        Library::Free => {
            let size = memory.heap_object(arg(0)).unwrap_or(0);
            observer.changed(arg(0), size);
        }
        Library::Memset => observer.changed(arg(0), arg(2)),
        Library::Memcpy | Library::Memmove => {
            observer.read(arg(1), arg(2));
            observer.changed(arg(0), arg(2));
        }
        Library::Memcmp => {
            observer.read(arg(0), arg(2));
            observer.read(arg(1), arg(2));
        }
        Library::Strlen
        | Library::Puts
        | Library::Strchr
        | Library::Strrchr
        | Library::Strdup
        | Library::Atoi
        | Library::Atol
        | Library::Atoll
        | Library::Printf => {
            observer.read(arg(0), length(arg(0), u64::MAX));
        }
        Library::Strnlen | Library::Strndup => {
            observer.read(arg(0), length(arg(0), arg(1)).min(arg(1)));
        }
        Library::Memchr => {
            if let Ok(found) = crate::strings::find(memory, arg(0), arg(1) as u8, arg(2)) {
                let count = found.checked_sub(arg(0)).map_or(arg(2), |count| count + 1);
                observer.read(arg(0), count);
            }
        }
        Library::Strtol | Library::Strtoll | Library::Strtoul | Library::Strtoull => {
            observer.read(arg(0), length(arg(0), u64::MAX));
            if arg(1) != 0 {
                observer.changed(arg(1), pointer);
            }
            if arg(3) != 0 {
                observer.changed(arg(3), 4);
            }
        }
        Library::Sprintf | Library::Snprintf => {
            let (format, most) = match call.function {
                Library::Sprintf => (1, u64::MAX),
                _ => (2, arg(1)),
            };
            observer.read(arg(format), length(arg(format), u64::MAX));
            // How much is printed is known behind the call only: all there is room for.
            let room = memory.tail(arg(0)).map_or(0, |tail| tail.len() as u64);
            observer.changed(arg(0), room.min(most));
        }
        Library::Frexp(_) => observer.changed(arg(1), 4),
        Library::Modf(format) => observer.changed(arg(1), Type::Float(format).bytes(0)),
        Library::Swab => {
            let count = if (arg(2) as i64) < 2 { 0 } else { arg(2) & !1 };
            observer.read(arg(0), count);
            observer.changed(arg(1), count);
        }
        Library::Strstr
        | Library::Strspn
        | Library::Strcspn
        | Library::Strpbrk
        | Library::Strcasecmp
        | Library::Strcmp => {
            observer.read(arg(0), length(arg(0), u64::MAX));
            observer.read(arg(1), length(arg(1), u64::MAX));
        }
        Library::Strncmp | Library::Strncasecmp => {
            observer.read(arg(0), length(arg(0), arg(2)).min(arg(2)));
            observer.read(arg(1), length(arg(1), arg(2)).min(arg(2)));
        }
        Library::Strcpy => {
            let count = length(arg(1), u64::MAX);
            observer.read(arg(1), count);
            observer.changed(arg(0), count);
        }
        Library::Strncpy => {
            observer.read(arg(1), length(arg(1), arg(2)).min(arg(2)));
            observer.changed(arg(0), arg(2));
        }
        Library::Strcat | Library::Strncat => {
            let most = match call.function {
                Library::Strncat => arg(2),
                _ => u64::MAX,
            };
            let (start, count) = (length(arg(0), u64::MAX), length(arg(1), most));
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
        Library::Strdup | Library::Strndup => observer.changed(made, 1),
        Library::Calloc => observer.changed(made, arg(0).saturating_mul(arg(1))),
        _ => {}
    }
}
