//! Words: what the interpreter really executes.
//!
//! A word holds up to two straight-line instructions and a terminator, some also what comes before
//! (a local object) or between (the change of a loop's counter), and the function that executes
//! all of it. Dispatch is a call through that pointer: each function is small, so the
//! compiler keeps everything in machine registers, and one call does the work of up to four
//! instructions.

use crate::bytecode::{Pc, Reg};
use crate::state::State;
use crate::wide_ops::Registers;

/// Executes a word: returns the next position, or one past the end of all code to stop.
pub(crate) type Handler = fn(&Word, usize, &mut Registers, &mut State<'_>) -> usize;

/// Positions from here on are no code: the run has stopped.
pub(crate) const STOPPED: usize = usize::MAX;

/// A word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) handler: Handler,
    /// Three registers for each straight instruction, two for the last one; what has more says
    /// where they stand.
    pub(crate) regs: [Reg; 8],
    /// Where it continues: targets of a branch. A jump or call uses the first.
    pub(crate) yes: Pc,
    pub(crate) no: Pc,
}

/// Stops because the instruction number `part` of the word met undefined behaviour.
#[cold]
#[inline(never)]
pub(crate) fn fail(state: &mut State<'_>, pc: usize, part: usize) -> usize {
    state.failed = Some((pc, part));
    STOPPED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_half_a_cache_line() {
        assert_eq!(std::mem::size_of::<Word>(), 32);
    }
}
