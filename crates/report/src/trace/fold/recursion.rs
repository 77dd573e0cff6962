//! Recursions, folded as loops are.
//!
//! A recursion is a call of a procedure and all calls inside it up to one of the same procedure, at
//! any depth. It is not a tree but a list of segments: what one call did by itself before the next
//! call, what the next did, and so on, and what they did after the calls had returned to them. Of
//! these the first and the last are kept, and those that take a different path from the previous
//! segment of the same procedure, before or after a call alike.
//!
//! # Invariants
//! - The last level is the open call; a loop of another one waits there until the calls from it
//!   return.

use super::kept::{Kept, mix};
use super::{Arguments, Builder, Entry, Kind, Open, OpenLoop, shorten, visits};
use program::ir::ProcId;
use std::collections::BTreeMap;

/// A recursion, from its first call to the return from that one.
#[derive(Clone, Debug)]
pub(in crate::trace) struct Recursion {
    /// The pieces that are kept, in order.
    pub(in crate::trace) pieces: Vec<Piece>,
    /// How many calls there were.
    pub(in crate::trace) calls: u64,
    /// Whether the first of them has returned.
    pub(in crate::trace) is_done: bool,
}

/// What a call did by itself, without another call of the recursion.
#[derive(Clone, Default, Debug)]
pub(in crate::trace) struct Piece {
    /// Counted from 1.
    pub(in crate::trace) number: u64,
    /// The arguments of the call.
    pub(in crate::trace) args: Arguments,
    /// Which call, counted from 1 as they are made.
    pub(in crate::trace) call: u64,
    /// How many calls there were up to now.
    pub(in crate::trace) calls: u64,
    /// How many of them are active.
    pub(in crate::trace) level: usize,
    /// Whether another call has returned to this one.
    pub(in crate::trace) is_back: bool,
    /// What happened.
    pub(in crate::trace) entries: Vec<Entry>,
}

/// A recursion that continues; what is open around holds the entries of the present piece.
#[derive(Default)]
pub(super) struct OpenRecursion {
    levels: Vec<Level>,
    /// How many levels are calls of a procedure.
    active: BTreeMap<ProcId, usize>,
    calls: u64,
    is_back: bool,
    pieces: Kept<Piece>,
    count: u64,
    /// The way of the piece before, by procedure and by whether a call had returned.
    before: BTreeMap<(ProcId, bool), u64>,
}

/// A call that is active.
struct Level {
    proc: ProcId,
    args: Arguments,
    call: u64,
    /// The loops around the call that it made.
    waiting: Vec<Open>,
}

impl OpenRecursion {
    pub(super) fn is_active(&self, proc: ProcId) -> bool {
        self.active.contains_key(&proc)
    }

    pub(super) fn argument(&mut self, argument: <Arguments as IntoIterator>::Item) {
        if let Some(level) = self.levels.last_mut() {
            level.args.push(argument);
        }
    }

    pub(super) fn visits(&self) -> u64 {
        let pieces = self.pieces.iter();
        pieces.map(|piece| visits(&piece.entries)).sum()
    }

    pub(super) fn clear(&mut self) {
        for piece in self.pieces.iter_mut() {
            shorten(&mut piece.entries, 0);
        }
    }

    /// A call is made.
    fn enter(&mut self, proc: ProcId, args: Arguments, waiting: Vec<Open>) {
        self.calls += 1;
        *self.active.entry(proc).or_default() += 1;
        self.is_back = false;
        self.levels.push(Level {
            proc,
            args,
            call: self.calls,
            waiting,
        });
    }

    /// The last call returns. Gives the loops of the one before, or nothing if there is none.
    fn leave(&mut self) -> Option<Vec<Open>> {
        let left = self.levels.pop()?;
        if let Some(count) = self.active.get_mut(&left.proc) {
            *count -= 1;
            if *count == 0 {
                self.active.remove(&left.proc);
            }
        }
        self.is_back = true;
        let level = self.levels.last_mut()?;
        Some(std::mem::take(&mut level.waiting))
    }

    fn end_piece(&mut self, entries: Vec<Entry>, way: u64) {
        let Some(level) = self.levels.last() else {
            return;
        };
        self.count += 1;
        let piece = Piece {
            number: self.count,
            args: level.args.clone(),
            call: level.call,
            calls: self.calls,
            level: self.levels.len(),
            is_back: self.is_back,
            entries,
        };
        let before = self.before.insert((level.proc, self.is_back), way);
        self.pieces.add(piece, way, before);
    }

    fn close(self, is_done: bool) -> Entry {
        Entry::Recursion(Recursion {
            calls: self.calls,
            pieces: self.pieces.finish(),
            is_done,
        })
    }
}

impl Builder {
    /// A procedure is called that is active in what is open at a place: all that is open from there
    /// on is one recursion.
    pub(super) fn recurse(&mut self, at: usize, proc: ProcId) {
        let above = self.open.split_off(at + 1);
        let base = self.top();
        base.make_recursion();
        above.into_iter().for_each(|open| base.absorb(open));
        base.end_piece();
        if let Kind::Recursion(recursion) = &mut base.kind {
            recursion.enter(proc, Vec::new(), Vec::new());
        }
    }

    /// A call of the innermost recursion returns.
    pub(super) fn return_in_recursion(&mut self) {
        let top = self.top();
        top.end_piece();
        let Kind::Recursion(recursion) = &mut top.kind else {
            return;
        };
        match recursion.leave() {
            Some(waiting) => self.open.extend(waiting),
            None => self.close_recursion(true),
        }
    }

    /// The innermost recursion has ended, or the run has.
    pub(super) fn close_recursion(&mut self, is_done: bool) {
        let Some(mut done) = self.open.pop() else {
            return;
        };
        // The run may end where a call begins.
        let begins = matches!(&done.kind, Kind::Recursion(open) if !open.is_back);
        if is_done || !begins {
            done.end_piece();
        } else {
            done.force_piece();
        }
        let Kind::Recursion(recursion) = done.kind else {
            return;
        };
        self.way(&recursion.pieces.ways);
        let entry = recursion.close(is_done);
        self.top().entries.push(entry);
    }
}

impl Open {
    /// A call that calls itself is a recursion of one level so far.
    fn make_recursion(&mut self) {
        if let Kind::Call { proc, args } = &mut self.kind {
            let mut recursion = OpenRecursion::default();
            recursion.enter(*proc, std::mem::take(args), Vec::new());
            self.kind = Kind::Recursion(recursion);
        }
    }

    /// Takes in what is open inside this recursion.
    fn absorb(&mut self, inner: Open) {
        match inner.kind {
            Kind::Root => {}
            Kind::Loop(_) => self.suspend(inner),
            Kind::Call { proc, args } => self.go_deeper(proc, args, inner.entries, inner.way),
            Kind::Recursion(recursion) => {
                let OpenRecursion {
                    levels,
                    pieces,
                    calls,
                    ..
                } = recursion;
                self.way = mix(self.way, &pieces.ways);
                let pieces = pieces.finish();
                let is_empty = pieces.is_empty();
                let before = Recursion {
                    pieces,
                    calls,
                    is_done: true,
                };
                self.entries
                    .extend((!is_empty).then_some(Entry::Recursion(before)));
                for level in levels {
                    self.go_deeper(level.proc, level.args, Vec::new(), 0);
                    if let Some(own) = self.last_level() {
                        own.waiting = level.waiting;
                    }
                }
                (self.entries, self.way) = (inner.entries, inner.way);
            }
        }
    }

    /// What a loop has made so far belongs to the present piece; the rest waits.
    fn suspend(&mut self, mut cut: Open) {
        cut.end_iteration();
        let Kind::Loop(made) = cut.kind else {
            return;
        };
        // The iteration that made the call continues after it.
        let rest = OpenLoop {
            head: made.head,
            iterations: Kept::default(),
            way_before: made.way_before,
            count: made.count - 1,
            before: made.count - 1,
        };
        made.close(None, self);
        if let Some(level) = self.last_level() {
            level.waiting.push(Open::new(Kind::Loop(rest)));
        }
    }

    /// A call inside is a level of its own.
    fn go_deeper(&mut self, proc: ProcId, args: Arguments, entries: Vec<Entry>, way: u64) {
        self.end_piece();
        if let Kind::Recursion(recursion) = &mut self.kind {
            recursion.enter(proc, args, Vec::new());
        }
        (self.entries, self.way) = (entries, way);
    }

    fn last_level(&mut self) -> Option<&mut Level> {
        match &mut self.kind {
            Kind::Recursion(recursion) => recursion.levels.last_mut(),
            Kind::Root | Kind::Call { .. } | Kind::Loop(_) => None,
        }
    }

    /// The present piece of a recursion ends, if anything happened in it.
    fn end_piece(&mut self) {
        if !self.entries.is_empty() {
            self.force_piece();
        }
    }

    fn force_piece(&mut self) {
        let (entries, way) = (
            std::mem::take(&mut self.entries),
            std::mem::take(&mut self.way),
        );
        if let Kind::Recursion(recursion) = &mut self.kind {
            recursion.end_piece(entries, way);
        }
    }
}
