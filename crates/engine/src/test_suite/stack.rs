//! How deep the stack of a compiled program would be.
//!
//! The machine has room for a million activations; a compiled program usually has 8 MiB. The size
//! of its frames is up to its compiler, so they are estimated, rather too large than too small.
//! What `alloca` and variable-length arrays take is not known here and not counted.

use base::IdVec;
use program::ir::{Callee, Op, ProcId, Program, Scope};

/// So many bytes are there in any case: what most systems give, less what the start of a program and
/// the C library take.
const ROOM: u64 = 7 << 20;
/// What a frame takes beside variables: addresses to return to, registers, alignment.
const FRAME: u64 = 64;
/// What a scalar takes.
const SCALAR: u64 = 8;

/// What to say about a run that needs more.
pub(super) const TOO_DEEP: &str =
    "its calls are nested deeper than the stack of a compiled program usually is";

/// The stack in a run.
pub(super) struct Stack {
    /// The bytes of a frame of each procedure.
    frames: IdVec<ProcId, u64>,
    /// Those of the procedures that are active.
    active: Vec<u64>,
    /// Their sum.
    bytes: u64,
    /// Whether the next step is the first of an activation.
    is_called: bool,
}

impl Stack {
    pub(super) fn new(program: &Program) -> Self {
        let mut frames = IdVec::filled(FRAME, program.procs.len());
        let vars = program.vars.iter().map(|row| (row.scope, SCALAR));
        let objects = program.objects.iter().map(|row| (row.scope, row.size));
        for (scope, size) in vars.chain(objects) {
            if let Scope::Local(proc) = scope {
                frames[proc] = frames[proc].saturating_add(size);
            }
        }
        Stack {
            frames,
            active: Vec::new(),
            bytes: 0,
            is_called: true,
        }
    }

    /// The run executes an op in a procedure.
    pub(super) fn step(&mut self, proc: ProcId, op: &Op) {
        if std::mem::take(&mut self.is_called) {
            self.active.push(self.frames[proc]);
            self.bytes = self.bytes.saturating_add(self.frames[proc]);
        }
        match op {
            Op::Call(call) => {
                self.is_called = match call.callee {
                    Callee::Proc(_) | Callee::Pointer(_) => true,
                    Callee::Library(_) => false,
                }
            }
            Op::Return(_) => {
                let left = self.active.pop().unwrap_or(0);
                self.bytes = self.bytes.saturating_sub(left);
            }
            Op::Skip
            | Op::Assign(..)
            | Op::Assume(_)
            | Op::Havoc(..)
            | Op::Halt(_)
            | Op::Enter(_)
            | Op::Leave(_)
            | Op::Unsupported(_) => {}
        }
    }

    /// Whether a compiled program may have no room for it.
    pub(super) fn is_too_deep(&self) -> bool {
        self.bytes > ROOM
    }
}
