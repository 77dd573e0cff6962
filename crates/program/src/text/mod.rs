//! The text form of programs: complete, readable, one thing a line.
//!
//! ```text
//! program ptr 8 entry main
//! assumption "what a verdict takes for granted"
//! global v0 limit: i32 = 10i32
//! object o0 tab: 16 align 8 readonly = "68690a" [8: &f + 4]
//! site n0: nondet i32 "__VERIFIER_nondet_int"
//! inline i0: "f" in i1
//! proc p0 main(v1 a: i32, ...v2 rest: ptr) -> i32 entry l0 exit l1 {
//!   local v3 x.v3 "x": i32
//!   loop l2: "x" = x.v3, "t"
//!   l0:
//!     e0: x.v3 := limit + 1i32 -> l2
//!   l2:
//!     e1: assume x.v3 < i32[&tab ++ 4i64] -> l3
//!     e2: assume x.v3 >= i32[&tab ++ 4i64] -> l4 via i0
//!   l3: error assertion "assertion failed: x < 4"
//!   l4:
//!     e3: return 0i32 -> l1
//!   l1:
//! }
//! ```
//!
//! A `loop` says where a loop statement of the source has its head and what the names of the
//! procedure mean at its keyword, for those who write formulas there.
//!
//! Ops: `skip`, `x := e`, `i32[address] := e`, `assume e`, `havoc x n0`, `x := call f(a, ...rest)`,
//! `call *(pointer)(a)`, `x := library malloc(n)`, `return e`, `abort`, `exit e`, `unreachable`, `enter o`,
//! `leave o`, `unsupported "why"`. Expressions are C's, with typed constants (`3u8`, `1.5f64`,
//! `f64 #7ff0000000000000` by its bits), `u8(e)` for a conversion, `i32[e]` for a load, `p ++ n`
//! for an address moved by bytes, `p -- q` for the bytes between two, `&x` for the address of an
//! object or procedure, `overflows(a + b)`, `valid(p, n)`, `writable(p, n)`, `freeable(p)`.
//! Comparisons bind weakest after `? :`, then `|`, `^`, `&`, shifts, sums, products.
//! `;` starts a comment.
//!
//! Names that are not unique, or no identifiers, get their id as a suffix and stand quoted in
//! their declaration. Things get the spans of the lines that they are read from.

mod lex;
mod names;
mod print;
mod read;
mod read_decl;
mod read_expr;
mod words;

pub use names::Names;
pub use print::{Printer, Spans, print};
pub use read::read;
