//! Programs, procedures, locations, edges and ops.
//!
//! Scalars whose address is never taken are *variables*; everything else lives in *objects*, byte
//! arrays that are read and written through addresses. A state maps variables to values and objects
//! to bytes.
//!
//! # Invariants (checked by `validate`)
//! - A location has no outgoing edge (it is an exit, an error location or a halt), or one edge with
//!   any op, or two edges that assume a condition and its negation. Passes that merge edges may
//!   relax this and say so.
//! - Ops are typed: an assigned value has the type of its place, an assumed one is Boolean.
//! - A procedure reads and writes only its own locals and the globals.
//! - An error location, and the target of a [`Op::Halt`], has no outgoing edge.

use crate::expr::{Constant, Expr, Type};
pub use crate::library::Library;
pub use crate::undefined::UndefinedKind;
use base::{Id, IdVec, Span, define_id, named_enum};
use std::sync::Arc;

define_id! {
    /// A variable of the program: global, or local to one procedure.
    VarId = "v";
    /// A memory object: global, or local to one procedure.
    ObjectId = "o";
    /// A procedure.
    ProcId = "p";
    /// A location of a procedure.
    LocationId = "l";
    /// An edge of a procedure.
    EdgeId = "e";
    /// A source of non-determinism in the source text.
    SiteId = "n";
    /// A call that was inlined.
    InlineId = "i";
}

impl ProcId {
    /// The number that represents its address in formulas, of engines and of the checker alike,
    /// since labels pass from one to the other. It differs from every other procedure's number and
    /// from null's, which is zero; a machine address is never negative, so nothing else has it.
    pub fn address_number(self) -> i64 {
        -1 - self.index() as i64
    }
}

/// A whole program.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// Bytes of a pointer: 4 or 8.
    pub pointer_bytes: u8,
    /// All variables.
    pub vars: IdVec<VarId, Var>,
    /// All memory objects.
    pub objects: IdVec<ObjectId, Object>,
    /// All procedures.
    pub procs: IdVec<ProcId, Procedure>,
    /// Where a run starts: a procedure without parameters.
    pub entry: ProcId,
    /// All sources of non-determinism.
    pub sites: IdVec<SiteId, Site>,
    /// The calls that were inlined.
    pub inlines: IdVec<InlineId, InlineSite>,
    /// The assumptions of a verdict, in words, each once.
    pub assumptions: Vec<String>,
}

/// A variable: a scalar whose address is never taken.
#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    /// Its name in the source; generated ones start with `$`. Not unique.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// Its owner.
    pub scope: Scope,
    /// For a global, its initial value; a local starts indeterminate.
    pub init: Option<Constant>,
    /// Where it is declared.
    pub span: Span,
}

/// The owner of a variable or object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The program.
    Global,
    /// Each activation of a procedure.
    Local(ProcId),
}

/// A memory object: an aggregate, or a scalar whose address is taken.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// Its name in the source; generated ones start with `$`. Not unique.
    pub name: Arc<str>,
    /// Bytes.
    pub size: u64,
    /// Bytes, a power of two.
    pub align: u64,
    /// Who owns it. A local one lives from [`Op::Enter`] to [`Op::Leave`] or the return.
    pub scope: Scope,
    /// Whether writing to it is undefined (string literals).
    pub read_only: bool,
    /// For a global, its initial bytes; a local's are indeterminate.
    pub init: ObjectInit,
    /// For a local, the site of kind [`SiteKind::Contents`] that supplies its initial bytes, one by
    /// one, when its lifetime starts. Without one the machine has zeros there, and formulas
    /// arbitrary values.
    pub contents: Option<SiteId>,
    /// Where it is declared.
    pub span: Span,
}

/// The initial bytes of an object.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ObjectInit {
    /// Leading bytes; the rest is zero.
    pub bytes: Vec<u8>,
    /// Addresses stored in it: offset and value, which replaces the bytes there.
    pub addresses: Vec<(u64, Address)>,
}

/// A constant address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// What it points into.
    pub base: AddressBase,
    /// Bytes from there.
    pub offset: i64,
}

/// What a constant address points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressBase {
    /// A global object.
    Object(ObjectId),
    /// A procedure.
    Proc(ProcId),
}

/// A procedure: a control-flow automaton.
#[derive(Clone, PartialEq, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Arc<str>,
    /// Its parameters: locals of its own.
    pub params: Vec<VarId>,
    /// For a variadic procedure, the local of pointer type that each call sets to the address of
    /// the further arguments, which the caller stores in slots of [`VARARG_SLOT`] bytes each.
    pub varargs: Option<VarId>,
    /// What it returns.
    pub ret: Option<Type>,
    /// Where it starts.
    pub entry: LocationId,
    /// Where its `Return` edges lead; no edge leaves it.
    pub exit: LocationId,
    /// All locations.
    pub locations: IdVec<LocationId, Location>,
    /// All edges.
    pub edges: IdVec<EdgeId, Edge>,
    /// The reachable loop statements of the source, as lowered: passes do not maintain them.
    pub loops: Vec<LoopStatement>,
    /// Where it is defined.
    pub span: Span,
}

/// A loop statement of the source, for placing formulas at it.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopStatement {
    /// Where its condition is about to be evaluated, or an iteration of `do` starts.
    pub head: LocationId,
    /// What the procedure's names denote at the keyword; a name that is not listed is a global.
    pub names: Vec<(Arc<str>, Meaning)>,
    /// The keyword.
    pub keyword: Span,
}

/// What a source name denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A variable.
    Var(VarId),
    /// An object.
    Object(ObjectId),
    /// Something else.
    Other,
}

/// Bytes from one further argument of a variadic call to the next.
pub const VARARG_SLOT: u64 = 16;

/// A point of a procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// The edges that leave it, in order.
    pub out: Vec<EdgeId>,
    /// Set for an error location.
    pub error: Option<Violation>,
    /// The label or statement it represents, for display.
    pub span: Span,
}

/// What fails at an error location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The property violated.
    pub property: Property,
    /// In words: `assertion failed: x > 0`.
    pub message: String,
    /// The failing expression or call.
    pub span: Span,
}

named_enum! {
    /// The properties we check.
    pub enum Property {
        /// No assertion fails and no `reach_error` is called.
        Assertion = "assertion",
        /// No signed overflow.
        Overflow = "overflow",
        /// No division by zero.
        DivisionByZero = "division",
        /// No shift by a negative amount or by the width or more.
        Shift = "shift",
        /// No access out of bounds or through an invalid pointer.
        Dereference = "dereference",
        /// No invalid `free`.
        Free = "free",
        /// No heap object leaks: alive, but with no address of it left.
        Leak = "leak",
        /// No heap object is lost, and none lives when the program ends.
        Cleanup = "cleanup",
        /// What is claimed of the program, as a witness does, holds.
        Invariant = "invariant",
    }
}

/// A step.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// Its source.
    pub source: LocationId,
    /// Its target.
    pub target: LocationId,
    /// What it does.
    pub op: Op,
    /// The source span it comes from.
    pub span: Span,
    /// The call through which it was inlined, if it was.
    pub inlined: Option<InlineId>,
}

/// What an edge does.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// Nothing.
    Skip,
    /// `place := value`.
    Assign(Place, Expr),
    /// Blocks unless the condition holds.
    Assume(Expr),
    /// `place := any value of its type`.
    Havoc(Place, SiteId),
    /// A call; the value returned goes to a variable.
    Call(Call),
    /// Sets the procedure's value and leads to its exit.
    Return(Option<Expr>),
    /// Ends the run, not the procedure: `exit`, `abort`.
    Halt(Halt),
    /// The lifetime of a local object starts, with indeterminate bytes.
    Enter(ObjectId),
    /// The lifetime of a local object ends.
    Leave(ObjectId),
    /// An unmodelled construct: a run that gets here is unknown from here on.
    Unsupported(Arc<str>),
}

/// How a run ends before the entry procedure returns.
#[derive(Clone, PartialEq, Debug)]
pub enum Halt {
    /// `abort`, a failed assumption, a trap.
    Abort,
    /// `exit` with a status.
    Exit(Expr),
    /// Reaching it is undefined behaviour of this kind: there is no such run.
    Undefined(UndefinedKind),
}

/// A call.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// Where the return value goes.
    pub result: Option<VarId>,
    /// The callee.
    pub callee: Callee,
    /// The arguments, of the parameters' types.
    pub args: Vec<Expr>,
    /// For a variadic callee: the address of the further arguments, see [`Procedure::varargs`].
    pub varargs: Option<Expr>,
    /// For an allocation, the site that supplies the bytes of the new object, as [`Object::contents`].
    pub contents: Option<SiteId>,
}

/// The callee of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A procedure.
    Proc(ProcId),
    /// The procedure whose address this is; wrong types are undefined behaviour.
    Pointer(Expr),
    /// A library function that we model.
    Library(Library),
}

/// What can be assigned.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// A variable.
    Var(VarId),
    /// The bytes at an address, as many as the type has.
    Mem(Type, Expr),
}

/// A source of non-determinism: one source location that takes an input.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// Its kind.
    pub kind: SiteKind,
    /// The type of the value.
    pub ty: Type,
    /// The name shown: the function called, or the variable.
    pub name: Arc<str>,
    /// Its source span.
    pub span: Span,
}

named_enum! {
    /// Kinds of non-determinism.
    pub enum SiteKind {
        /// `__VERIFIER_nondet_*` and its like: an input that a test can supply.
        Nondet = "nondet",
        /// The value of a function without a body.
        External = "external",
        /// A local that was not initialised.
        Uninitialized = "uninitialized",
        /// A byte of an uninitialised object, on the stack or the heap.
        Contents = "contents",
        /// An argument of the entry procedure.
        Argument = "argument",
        /// Whether an allocation fails: where it does, the library function is not called.
        Failure = "failure",
        /// What the surroundings left in memory or the system returned: a function without a body
        /// through an address that it got, a volatile object, a clock. No test can supply it.
        Outside = "outside",
        /// Whether a function without a body does more than is modelled: in a run that is followed
        /// further, it does not.
        Choice = "choice",
        /// The index of a distinguished cell, chosen once and for all ([`crate::pass::cells`]).
        Cell = "cell",
    }
}

/// A call that was inlined.
#[derive(Clone, PartialEq, Debug)]
pub struct InlineSite {
    /// The procedure whose body was copied.
    pub callee: Arc<str>,
    /// The call.
    pub span: Span,
    /// The inlined call that the call itself came through.
    pub parent: Option<InlineId>,
}
