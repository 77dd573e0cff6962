//! The concrete machine: runs a program on machine integers, bit-exact with respect to C.
//!
//! A [`Machine`] is a program compiled to register bytecode. [`Machine::run`] takes inputs from an
//! [`Inputs`] and says how the run ended: at an error location, at undefined behaviour (which and
//! where), at a limit, or by itself.
//!
//! # Invariants
//! - Same program, same inputs, same run.
//! - Undefined behaviour never yields a value: the run ends there.

pub mod all_runs;
mod bytecode;
mod code_word;
mod compile;
mod control;
mod coverage;
mod effects;
mod explain;
pub mod inputs;
mod interpret;
mod layout;
mod leaks;
mod library;
mod machine;
mod memory;
mod printf;
mod state;
mod straight_line;
mod superinstructions;
pub mod value;
mod wide_ops;

pub use coverage::Coverage;
pub use machine::Machine;
pub use memory::Storage;
pub use program::undefined::UndefinedKind;
pub use value::{Target, Value};

use base::Span;
use program::expr::{Constant, Type};
use program::ir::{EdgeId, LocationId, ProcId, SiteId};
use std::ops::Range;

/// Where a run takes its inputs from.
pub trait Inputs {
    /// The next value for a site, of that type; `None` ends the run with [`End::OutOfInputs`].
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant>;

    /// The initial bytes of uninitialised objects; zeros if there is none.
    fn contents(&mut self) -> Option<&mut dyn Contents> {
        None
    }
}

/// The source of the initial bytes of uninitialised objects.
pub trait Contents {
    /// The leading bytes of the next object of a site, of that size; the others are zero.
    fn bytes(&mut self, site: SiteId, size: u64) -> Vec<u8>;
}

/// Limits of a run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Steps; each does the work of one to three instructions, and of at most one branch or call.
    /// A watched run needs more of them.
    pub steps: u64,
    /// Total bytes of all live objects.
    pub memory: u64,
    /// Activations on the stack.
    pub depth: usize,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// The entry procedure returned, or `exit` was called: the status.
    Exited(i32),
    /// `abort` or a trap.
    Aborted,
    /// An `assume` did not hold (never in a program as lowered from C).
    Blocked,
    /// An error location of the procedure was reached.
    Violated(ProcId, LocationId),
    /// Undefined behaviour.
    Undefined(Undefined),
    /// A construct that is not modelled was reached.
    Unsupported(String),
    /// The inputs ran out.
    OutOfInputs,
    /// A limit or the budget was reached; which, in words.
    OutOfBudget(String),
}

impl From<Undefined> for End {
    fn from(undefined: Undefined) -> End {
        End::Undefined(undefined)
    }
}

impl End {
    /// A limit was reached.
    fn limit(what: &str) -> End {
        End::OutOfBudget(what.to_owned())
    }
}

/// Undefined behaviour, in detail.
#[derive(Clone, PartialEq, Debug)]
pub struct Undefined {
    /// The kind.
    pub kind: UndefinedKind,
    /// In words, with the values: `2147483647 + 1 does not fit in i32`.
    pub message: String,
}

impl Undefined {
    fn new(kind: UndefinedKind, message: impl Into<String>) -> Undefined {
        let message = message.into();
        Undefined { kind, message }
    }

    /// Without values.
    fn plain(kind: UndefinedKind) -> Undefined {
        Undefined::new(kind, kind.describe())
    }
}

/// What happened in a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// Where it ended: the edge about to be or being executed.
    pub at: Option<(ProcId, EdgeId)>,
    /// The source span there.
    pub span: Span,
    /// The calls that were active, outermost first: procedure and the span of the call in it.
    pub stack: Vec<(ProcId, Span)>,
    /// The inputs taken, in order.
    pub inputs: Vec<(SiteId, Constant)>,
    /// Steps executed.
    pub steps: u64,
    /// What the program printed.
    pub output: Vec<u8>,
}

/// Observes a run as it happens: for coverage, and for displaying a path.
pub trait Watch {
    /// This edge is about to be executed.
    fn edge(&mut self, proc: ProcId, edge: EdgeId);
    /// A value was written, by the edge last named or, after a call, by the call that has returned.
    /// In a traced run a call also writes its arguments to the parameters.
    fn wrote(&mut self, _target: Target, _value: Value) {}
    /// Bytes at these addresses are about to be read or checked: by the edge last named, or by the
    /// condition of the assumed edge that is named next. Only in a traced run.
    fn read(&mut self, _bytes: Range<u64>) {}
    /// Bytes at these addresses change, or the lifetime of their object ends. What was written as
    /// one value is named by [`wrote`](Watch::wrote) next.
    fn changed(&mut self, _bytes: Range<u64>) {}
}
