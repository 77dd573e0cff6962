//! The preparation for proving engines: inlines calls, turns small objects into variables, and
//! removes everything irrelevant to errors.

use super::dead::{Removal, remove_dead};
use super::slice::slice;
use program::ir::Program;
use program::pass::inline::InlineLimit;
use program::pass::inlined;

/// The program after [`inlined`] without what no error depends on. Ids are those of [`inlined`] with the same limit,
/// and every defined run of that program which reaches an error location is one of this: labels
/// that are inductive here are so there. A run that is undefined there may reach one here, unless
/// what may be undefined is kept: then such a run ends here too.
pub fn prepare(program: &Program, limit: InlineLimit, keeps_undefined: bool) -> Program {
    let removal = Removal {
        undefined: !keeps_undefined,
        inputs: true,
    };
    remove_dead(&slice(&inlined(program, limit), removal), removal)
}
