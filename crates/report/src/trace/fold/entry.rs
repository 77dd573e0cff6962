//! The parts of a path, and their sizes.

use super::recursion::Recursion;
use crate::trace::depend::CauseId;
use base::Span;
use exec::{Target, Value};
use program::ir::{ProcId, VarId};

/// A part of a path.
#[derive(Clone, Debug)]
pub(in crate::trace) enum Entry {
    /// A line was executed.
    Visit(Visit),
    /// A procedure was called.
    Call(Call),
    /// A loop made an iteration.
    Loop(Loop),
    /// A procedure was called that calls itself, perhaps through others.
    Recursion(Recursion),
    /// This many lines are left out.
    LeftOut(u64),
}

/// One line as executed once.
#[derive(Clone, Debug)]
pub(in crate::trace) struct Visit {
    /// The procedure.
    pub(in crate::trace) proc: ProcId,
    /// The first edge's place on that line.
    pub(in crate::trace) span: Span,
    /// How many calls deep.
    pub(in crate::trace) depth: usize,
    /// The values that variables and objects got, in order; the last one of each counts.
    pub(in crate::trace) values: Vec<(Target, Value, CauseId)>,
    /// What happened on the line, by the indices of causes.
    pub(in crate::trace) causes: std::ops::Range<usize>,
    /// The line, by its number among all lines.
    pub(in crate::trace) line: u32,
    /// Whether the head of a loop was passed on it.
    pub(in crate::trace) is_head: bool,
}

/// The arguments of a call.
pub(in crate::trace) type Arguments = Vec<(VarId, Value, CauseId)>;

/// A call.
#[derive(Clone, Debug)]
pub(in crate::trace) struct Call {
    /// The arguments.
    pub(in crate::trace) args: Arguments,
    /// What happened inside.
    pub(in crate::trace) entries: Vec<Entry>,
    /// Whether it has returned.
    pub(in crate::trace) is_done: bool,
}

/// A loop, from entering it to leaving it.
#[derive(Clone, Debug)]
pub(in crate::trace) struct Loop {
    /// Its head.
    pub(in crate::trace) head: Span,
    /// The iterations that are kept, in order.
    pub(in crate::trace) iterations: Vec<Iteration>,
    /// How many iterations there were; up to here, if it continues.
    pub(in crate::trace) count: u64,
    /// How many of them were complete before, if a recursive call is inside it.
    pub(in crate::trace) before: u64,
    /// Whether it continues after such a call.
    pub(in crate::trace) goes_on: bool,
    /// The last look at the condition, if that ended the loop.
    pub(in crate::trace) end: Vec<Entry>,
}

/// One iteration.
#[derive(Clone, Default, Debug)]
pub(in crate::trace) struct Iteration {
    /// Counted from 1.
    pub(in crate::trace) number: u64,
    /// What happened.
    pub(in crate::trace) entries: Vec<Entry>,
}

/// How many lines entries stand for.
pub(super) fn visits(entries: &[Entry]) -> u64 {
    entries
        .iter()
        .map(|entry| match entry {
            Entry::Visit(_) => 1,
            Entry::Call(call) => visits(&call.entries),
            Entry::Loop(inner) => {
                let iterations = inner
                    .iterations
                    .iter()
                    .map(|iteration| visits(&iteration.entries));
                iterations.sum::<u64>() + visits(&inner.end)
            }
            Entry::Recursion(inner) => {
                let pieces = inner.pieces.iter();
                pieces.map(|piece| visits(&piece.entries)).sum()
            }
            Entry::LeftOut(_) => 0,
        })
        .sum()
}

/// Keeps so many entries at either end of a list.
pub(super) fn shorten(entries: &mut Vec<Entry>, ends: usize) {
    if entries.len() <= 2 * ends + 1 {
        return;
    }
    let tail = entries.split_off(entries.len() - ends);
    let middle = entries.split_off(ends);
    let before = middle.iter().map(|entry| match entry {
        Entry::LeftOut(count) => *count,
        Entry::Visit(_) | Entry::Call(_) | Entry::Loop(_) | Entry::Recursion(_) => 0,
    });
    let left_out = before.sum::<u64>() + visits(&middle);
    entries.push(Entry::LeftOut(left_out));
    entries.extend(tail);
}
