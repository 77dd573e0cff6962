//! What engines that prove do before all else: calls inlined, and nothing left that has no part in
//! an error.

use super::inline::{InlineLimit, inline_calls};
use super::liveness::{Removal, remove_dead};
use super::slice::slice;
use crate::ir::Program;

/// The program with calls inlined and without what no error depends on. Ids are those of
/// [`inline_calls`] with the same limit, and every defined run of that program which reaches an
/// error location is one of this: labels that are inductive here are so there.
pub fn prepare(program: &Program, limit: InlineLimit) -> Program {
    let removal = Removal {
        undefined: true,
        inputs: true,
    };
    let (program, _) = inline_calls(program, limit);
    remove_dead(&slice(&program, removal), removal)
}
