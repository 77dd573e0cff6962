//! What engines that prove do before all else: calls inlined, small objects made variables, and
//! nothing left that has no part in an error.

use super::inline::{InlineLimit, inline_calls};
use super::liveness::{Removal, remove_dead};
use super::scalarise::scalarise;
use super::slice::slice;
use crate::ir::Program;

/// The program with calls inlined and small objects as variables: what the labels of a proof speak
/// of, if it says so.
pub fn inlined(program: &Program, limit: InlineLimit) -> Program {
    scalarise(&inline_calls(program, limit).0)
}

/// The same without what no error depends on. Ids are those of [`inlined`] with the same limit,
/// and every defined run of that program which reaches an error location is one of this: labels
/// that are inductive here are so there. A run that is undefined there may reach one here.
pub fn prepare(program: &Program, limit: InlineLimit) -> Program {
    reduced(program, limit, true)
}

/// The same, but what may be undefined is kept: such a run ends here too.
pub fn prepare_with_undefined(program: &Program, limit: InlineLimit) -> Program {
    reduced(program, limit, false)
}

fn reduced(program: &Program, limit: InlineLimit, undefined: bool) -> Program {
    let removal = Removal {
        undefined,
        inputs: true,
    };
    remove_dead(&slice(&inlined(program, limit), removal), removal)
}
