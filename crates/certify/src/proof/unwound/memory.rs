//! Objects as vectors of bytes, and addresses that choose among them.
//!
//! The object number of an address is a choice among constants, so that there are finitely many
//! candidates; the offset may be any term. An access at an unknown offset goes through all possible
//! positions in the object.
//!
//! # Invariants
//! - Object numbers are unique: no two declarations entered, no two allocations share one.
//! - An object that is not in a state's memory is not alive there.

use super::explore::Unwinder;
use super::state::{Cell, Contents, Merging, NULL, State, Value, WILD};
use base::Id;
use logic::{BitComparison, BitId, BitNode, BitOp, BitStore};
use program::expr::Type;
use program::ir::{Object, ProcId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The number of the first procedure's address; objects follow behind the last.
pub(super) const FIRST_PROC: u32 = 2;
/// Bytes of the largest object that is described.
pub(super) const LARGEST: u64 = 1 << 14;
/// How many places one access may go through.
const PLACES: usize = 1 << 10;

/// What does not change about an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    /// Its bytes, or as many of them as are described.
    pub(super) size: u64,
    /// How many bytes it has, where that is no constant.
    pub(super) variable_size: Option<BitId>,
    pub(super) writable: bool,
    pub(super) heap: bool,
    /// A string or compound literal, or perhaps one: it may be where another one is.
    pub(super) literal: bool,
}

impl Made {
    /// What a declaration or literal makes. Names of our own start with `$`.
    pub(super) fn of_object(object: &Object) -> Made {
        Made {
            size: object.size,
            variable_size: None,
            writable: !object.read_only,
            heap: false,
            literal: object.read_only || object.name.starts_with('$'),
        }
    }
}

/// An object that an address may point into.
struct Candidate {
    number: u32,
    /// It does.
    chosen: BitId,
    made: Made,
    contents: Contents,
}

impl Unwinder<'_> {
    /// Bits of an address.
    pub(super) fn pointer_bits(&self) -> u8 {
        self.program.pointer_bytes * 8
    }

    pub(super) fn first_object(&self) -> u32 {
        FIRST_PROC + self.program.procs.len() as u32
    }

    /// The procedure whose address has a number.
    pub(super) fn proc_of(&self, number: u32) -> Option<ProcId> {
        let index = number.checked_sub(FIRST_PROC)? as usize;
        (index < self.program.procs.len()).then(|| ProcId::from_index(index))
    }

    fn made_of(&self, number: u32) -> Option<Made> {
        let index = number.checked_sub(self.first_object())?;
        self.made.get(index as usize).copied()
    }

    /// Whether the object of a number is on the heap.
    pub(super) fn is_heap(&self, number: u32) -> bool {
        self.made_of(number).is_some_and(|made| made.heap)
    }

    /// How many bytes the object of a number has.
    pub(super) fn size_of(&mut self, number: u32) -> BitId {
        let made = self.made_of(number);
        let variable = made.and_then(|made| made.variable_size);
        variable.unwrap_or_else(|| self.offset(made.map_or(0, |made| made.size)))
    }

    /// The object of these numbers dies.
    pub(super) fn kill(&mut self, state: &mut State, object: BitId) {
        for number in self.leaves(object) {
            let chosen = self.is_number(object, number);
            let other = self.store.not(chosen);
            let memory = Rc::make_mut(&mut state.memory);
            if let Some(contents) = memory.get_mut(&number) {
                contents.alive = self.store.and(contents.alive, other);
                if contents.alive == BitStore::FALSE {
                    memory.remove(&number);
                }
            }
        }
    }

    /// The numbers that an object's number may be.
    pub(super) fn leaves(&self, object: BitId) -> Vec<u32> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut open = vec![object];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            match self.store.node(next) {
                BitNode::Const(number) => found.push(number as u32),
                BitNode::Ite(_, then, otherwise) => open.extend([then, otherwise]),
                _ => unreachable!("a number of an object should be a choice among constants"),
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether an object is the one of a number.
    pub(super) fn is_number(&mut self, object: BitId, number: u32) -> BitId {
        let number = self.number(number);
        self.store.equal(object, number)
    }

    /// Notes an open question where an address is one that we know nothing of.
    pub(super) fn no_wild(&mut self, object: BitId, under: BitId) {
        self.no_wild_in("an address that is not known", object, under);
    }

    /// The same, in the words of what is done with it.
    pub(super) fn no_wild_in(&mut self, what: &str, object: BitId, under: BitId) {
        if self.leaves(object).contains(&WILD) {
            let is_wild = self.is_number(object, WILD);
            self.open_if(what, is_wild, under);
        }
    }

    /// Notes an open question where addresses of two constants are compared: literals may share
    /// their memory.
    pub(super) fn no_sharing(&mut self, a: BitId, b: BitId, under: BitId) {
        let mut constants = |object: BitId| {
            let mut any = BitStore::FALSE;
            for number in self.leaves(object) {
                if self.made_of(number).is_some_and(|made| made.literal) {
                    let chosen = self.is_number(object, number);
                    any = self.store.or(any, chosen);
                }
            }
            any
        };
        let (of_a, of_b) = (constants(a), constants(b));
        let both = self.store.and(of_a, of_b);
        let differ = self.store.differ(a, b);
        let unclear = self.store.and(both, differ);
        self.open_if("a comparison of addresses of two constants", unclear, under);
    }

    /// Notes an open question where addresses of two objects are compared and one of them is not
    /// inside its living object: it may be where the other one starts.
    pub(super) fn no_meeting(
        &mut self,
        state: &State,
        (a, at): (BitId, BitId),
        (b, to): (BitId, BitId),
        under: BitId,
    ) {
        if a == b {
            return;
        }
        let (Some(a_inside), Some(b_inside)) = (
            self.surely_apart(state, a, at),
            self.surely_apart(state, b, to),
        ) else {
            return;
        };
        let both = self.store.and(a_inside, b_inside);
        let same = self.store.equal(a, b);
        let clear = self.store.or(same, both);
        let unclear = self.store.not(clear);
        self.open_if(
            "a comparison of addresses at the end of an object",
            unclear,
            under,
        );
    }

    /// Where an address is null, a procedure's, or inside a living object; nothing if it can only
    /// be null or a procedure's, which meet no object.
    fn surely_apart(&mut self, state: &State, object: BitId, offset: BitId) -> Option<BitId> {
        let one = self.offset(1);
        let mut apart = self.valid_as(state, (object, offset), one, false);
        let mut objects = false;
        for number in self.leaves(object) {
            if number == NULL || self.proc_of(number).is_some() {
                let chosen = self.is_number(object, number);
                apart = self.store.or(apart, chosen);
            } else {
                objects = true;
            }
        }
        objects.then_some(apart)
    }

    fn candidates(&mut self, state: &State, object: BitId, under: BitId) -> Vec<Candidate> {
        let mut found = Vec::new();
        for number in self.leaves(object) {
            let chosen = self.is_number(object, number);
            if number == WILD {
                self.open_if(
                    "an access through an address that is not known",
                    chosen,
                    under,
                );
            }
            let (Some(made), Some(contents)) = (self.made_of(number), state.memory.get(&number))
            else {
                continue;
            };
            if made.size > LARGEST {
                self.open_if("an object of many bytes", chosen, under);
                continue;
            }
            found.push(Candidate {
                number,
                chosen,
                made,
                contents: contents.clone(),
            });
        }
        found
    }

    /// Whether so many bytes (a term) at an address are inside one living object.
    pub(super) fn valid(
        &mut self,
        state: &State,
        (object, offset): (BitId, BitId),
        bytes: BitId,
        write: bool,
        under: BitId,
    ) -> BitId {
        self.no_wild(object, under);
        self.valid_as(state, (object, offset), bytes, write)
    }

    fn valid_as(
        &mut self,
        state: &State,
        (object, offset): (BitId, BitId),
        bytes: BitId,
        write: bool,
    ) -> BitId {
        let mut valid = BitStore::FALSE;
        for number in self.leaves(object) {
            let (Some(made), Some(contents)) = (self.made_of(number), state.memory.get(&number))
            else {
                continue;
            };
            if write && !made.writable {
                continue;
            }
            let chosen = self.is_number(object, number);
            let living = self.store.and(chosen, contents.alive);
            let inside = self.inside(made, offset, bytes);
            let here = self.store.and(living, inside);
            valid = self.store.or(valid, here);
        }
        valid
    }

    fn inside(&mut self, made: Made, offset: BitId, bytes: BitId) -> BitId {
        let size = made.variable_size.unwrap_or_else(|| self.offset(made.size));
        let starts = self.at_most(offset, size);
        let left = self.store.binary(BitOp::Sub, size, offset);
        let ends = self.at_most(bytes, left);
        self.store.and(starts, ends)
    }

    /// Whether an address is null or the start of a living heap object.
    pub(super) fn freeable(
        &mut self,
        state: &State,
        object: BitId,
        offset: BitId,
        under: BitId,
    ) -> BitId {
        self.no_wild(object, under);
        let mut freeable = BitStore::FALSE;
        for number in self.leaves(object) {
            let living = match (self.made_of(number), state.memory.get(&number)) {
                (Some(made), Some(contents)) if made.heap => contents.alive,
                _ if number == NULL => BitStore::TRUE,
                _ => continue,
            };
            let chosen = self.is_number(object, number);
            let living = self.store.and(chosen, living);
            freeable = self.store.or(freeable, living);
        }
        let at_start = self.is_offset(offset, 0);
        self.store.and(freeable, at_start)
    }

    /// The value of a type at an address; undefined unless it is inside a living object.
    pub(super) fn load(
        &mut self,
        state: &State,
        ty: Type,
        object: BitId,
        offset: BitId,
        under: BitId,
    ) -> Value {
        let bytes = ty.bytes(self.program.pointer_bytes);
        let count = self.offset(bytes);
        let valid = self.valid(state, (object, offset), count, false, under);
        self.defined_if(valid, under);
        let mut value: Option<Value> = None;
        for candidate in self.candidates(state, object, under) {
            let there = self.store.and(under, candidate.chosen);
            for at in self.spots(offset, candidate.made, bytes, there) {
                let cells = &candidate.contents.cells.clone()[at as usize..(at + bytes) as usize];
                let is_spot = self.is_offset(offset, at);
                let condition = self.store.and(candidate.chosen, is_spot);
                let here = self.store.and(under, condition);
                if here == BitStore::FALSE {
                    continue;
                }
                let read = self.assembled(ty, cells, here);
                value = Some(match value {
                    Some(other) => self.merging(condition).value(read, other),
                    None => read,
                });
            }
        }
        value.unwrap_or_else(|| self.any(ty))
    }

    /// Writes a value of a type to an address; undefined unless it is inside a living object.
    pub(super) fn write(
        &mut self,
        state: &mut State,
        ty: Type,
        (object, offset): (BitId, BitId),
        value: Value,
    ) {
        let cells = self.taken_apart(ty, value);
        let count = self.offset(cells.len() as u64);
        let under = BitStore::TRUE;
        let valid = self.valid(state, (object, offset), count, true, under);
        self.defined_if(valid, under);
        self.put(state, (object, offset), &cells, under);
    }

    /// Puts bytes to where they are known to fit, if a condition holds.
    pub(super) fn put(
        &mut self,
        state: &mut State,
        (object, offset): (BitId, BitId),
        cells: &[Cell],
        under: BitId,
    ) {
        let bytes = cells.len() as u64;
        for candidate in self.candidates(state, object, under) {
            if !candidate.made.writable {
                continue;
            }
            let mut new = candidate.contents.cells.to_vec();
            let there = self.store.and(under, candidate.chosen);
            for at in self.spots(offset, candidate.made, bytes, there) {
                let is_spot = self.is_offset(offset, at);
                let condition = self.store.and(there, is_spot);
                for (index, &cell) in cells.iter().enumerate() {
                    let old = &mut new[at as usize + index];
                    *old = match condition {
                        BitStore::TRUE => cell,
                        BitStore::FALSE => *old,
                        condition => self.merging(condition).cell(cell, *old),
                    };
                }
            }
            let memory = Rc::make_mut(&mut state.memory);
            if let Some(contents) = memory.get_mut(&candidate.number) {
                contents.cells = Rc::new(new);
            }
        }
    }

    /// One byte at an address, if a condition holds; it is known to be there then.
    pub(super) fn get(
        &mut self,
        state: &State,
        (object, offset): (BitId, BitId),
        under: BitId,
    ) -> Cell {
        let mut found: Option<Cell> = None;
        for candidate in self.candidates(state, object, under) {
            let there = self.store.and(under, candidate.chosen);
            for at in self.spots(offset, candidate.made, 1, there) {
                let is_spot = self.is_offset(offset, at);
                let condition = self.store.and(candidate.chosen, is_spot);
                if condition == BitStore::FALSE {
                    continue;
                }
                let cell = candidate.contents.cells[at as usize];
                found = Some(match found {
                    Some(other) => self.merging(condition).cell(cell, other),
                    None => cell,
                });
            }
        }
        found.unwrap_or_else(|| Cell::Bits(self.store.fresh(8)))
    }

    /// Puts the bytes of the objects that an address may point into at the start of another.
    pub(super) fn take_over(&mut self, state: &mut State, from: BitId, to: BitId) {
        let candidates = self.candidates(state, from, BitStore::TRUE);
        for number in self.leaves(to) {
            let Some(contents) = state.memory.get(&number) else {
                continue;
            };
            let mut cells = contents.cells.to_vec();
            for candidate in &candidates {
                let condition = candidate.chosen;
                for (new, &old) in cells.iter_mut().zip(candidate.contents.cells.iter()) {
                    *new = match condition {
                        BitStore::TRUE => old,
                        condition => self.merging(condition).cell(old, *new),
                    };
                }
            }
            if let Some(contents) = Rc::make_mut(&mut state.memory).get_mut(&number) {
                contents.cells = Rc::new(cells);
            }
        }
    }

    /// The offsets in an object at which an access of some bytes may be.
    fn spots(&mut self, offset: BitId, made: Made, bytes: u64, under: BitId) -> Vec<u64> {
        if under == BitStore::FALSE {
            return Vec::new();
        }
        if made.variable_size.is_some() {
            let (count, size) = (self.offset(bytes), self.offset(made.size));
            let end = self.store.binary(BitOp::Add, offset, count);
            let described = self.at_most(end, size);
            let inside = self.inside(made, offset, count);
            let hidden = self.store.and_not(inside, described);
            self.open_if(
                "a place far inside an object of variable size",
                hidden,
                under,
            );
        }
        if bytes > made.size {
            return Vec::new();
        }
        let last = made.size - bytes;
        if let Some(all) = self.constants(offset) {
            let known = all.into_iter().filter_map(|at| u64::try_from(at).ok());
            return known.filter(|&at| at <= last).collect();
        }
        let step = 1u64 << self.store.trailing_zeros(offset).min(16);
        let spots = last / step + 1;
        if spots as usize > PLACES {
            self.open("an access at a variable index of a large object", under);
            return Vec::new();
        }
        (0..spots).map(|spot| spot * step).collect()
    }

    /// The constants that a term chooses among, if they are few.
    pub(super) fn constants(&self, term: BitId) -> Option<Vec<u128>> {
        let mut found = Vec::new();
        let mut open = vec![term];
        let mut steps = 0;
        while let Some(next) = open.pop() {
            steps += 1;
            match self.store.node(next) {
                BitNode::Const(value) => found.push(value),
                BitNode::Ite(_, then, otherwise) if steps < 64 => open.extend([then, otherwise]),
                _ => return None,
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// How many bytes the largest object may have that an address may point into.
    pub(super) fn largest(&self, object: BitId) -> u64 {
        let sizes = self.leaves(object).into_iter();
        let sizes = sizes.filter_map(|number| self.made_of(number));
        let sizes = sizes.map(|made| match made.variable_size {
            Some(_) => u64::MAX,
            None => made.size,
        });
        sizes.max().unwrap_or(0)
    }

    /// A choice by a condition between two values or bytes.
    pub(super) fn merging(&mut self, condition: BitId) -> Merging<'_> {
        let store = &mut self.store;
        Merging { store, condition }
    }

    /// Whether an offset is so many bytes.
    pub(super) fn is_offset(&mut self, offset: BitId, bytes: u64) -> BitId {
        let bytes = self.offset(bytes);
        self.store.equal(offset, bytes)
    }

    /// Whether the first is below the second, without signs.
    pub(super) fn below(&mut self, a: BitId, b: BitId) -> BitId {
        self.store.compare(BitComparison::ULt, a, b)
    }
}
