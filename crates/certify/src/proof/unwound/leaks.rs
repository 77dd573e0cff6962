//! Which heap objects can be reached, and whether there are any.
//!
//! # Invariants
//! - What counts as reached is: an address counts only where it is known as a whole and points into
//!   the object or just behind it, and only in a variable that the source has, since others may
//!   still hold what they are no longer needed for.

use super::explore::Unwinder;
use super::state::{Cell, Contents, State, Value, whole_address};
use logic::{BitId, BitStore};
use program::expr::Type;
use program::ir::Scope;
use std::collections::BTreeMap;

/// How many objects are followed.
const MOST: usize = 64;

/// An address that is held where a condition holds.
struct Held {
    condition: BitId,
    object: BitId,
    offset: BitId,
}

/// Where each heap object is reached.
type Reached = BTreeMap<u32, BitId>;

impl Unwinder<'_> {
    /// Whether every living heap object can be reached: one or zero.
    pub(super) fn tracked(&mut self, state: &State) -> Value {
        let heap: Vec<(u32, Contents)> = (state.memory.iter())
            .filter(|(number, _)| self.is_heap(**number))
            .map(|(&number, contents)| (number, contents.clone()))
            .collect();
        if heap.len() > MOST {
            return self.open_value("leaks among many objects", Type::I32, BitStore::TRUE);
        }
        let mut roots = self.held_by_variables(state);
        for (number, contents) in state.memory.iter() {
            if !self.is_heap(*number) {
                roots.extend(self.held_by_object(contents, contents.alive));
            }
        }
        let nothing: Reached = heap.iter().map(|(id, _)| (*id, BitStore::FALSE)).collect();
        let mut first = nothing;
        for held in &roots {
            self.reach(&mut first, held);
        }
        let mut reached = first.clone();
        // From one object to the next, as long as that says more.
        for _ in 0..heap.len() {
            let mut next = first.clone();
            for (number, contents) in &heap {
                let condition = self.store.and(reached[number], contents.alive);
                for held in self.held_by_object(contents, condition) {
                    self.reach(&mut next, &held);
                }
            }
            if std::mem::replace(&mut reached, next) == reached {
                break;
            }
        }
        let mut tracked = BitStore::TRUE;
        for (number, contents) in &heap {
            let lost = self.store.and_not(contents.alive, reached[number]);
            tracked = self.store.and_not(tracked, lost);
        }
        Value::Bits(self.store.zero_extend(32, tracked))
    }

    /// Whether no heap object lives: one or zero.
    pub(super) fn cleaned(&mut self, state: &State) -> Value {
        let mut cleaned = BitStore::TRUE;
        for (number, contents) in state.memory.iter() {
            if self.is_heap(*number) {
                cleaned = self.store.and_not(cleaned, contents.alive);
            }
        }
        Value::Bits(self.store.zero_extend(32, cleaned))
    }

    fn held_by_variables(&mut self, state: &State) -> Vec<Held> {
        let mut found = Vec::new();
        for (var, row) in self.program.vars.iter_enumerated() {
            if row.ty != Type::Ptr || row.name.starts_with('$') {
                continue;
            }
            let slot = self.slots[var];
            let mut hold = |value: Option<Value>| {
                if let Some(Value::Address(object, offset)) = value {
                    let condition = BitStore::TRUE;
                    found.push(Held {
                        condition,
                        object,
                        offset,
                    });
                }
            };
            match row.scope {
                Scope::Global => hold(state.globals[slot]),
                Scope::Local(proc) => {
                    let frames = state.frames.iter().filter(|frame| frame.proc == proc);
                    frames.for_each(|frame| hold(frame.vars[slot]));
                }
            }
        }
        found
    }

    /// The addresses that stand in an object.
    fn held_by_object(&self, contents: &Contents, condition: BitId) -> Vec<Held> {
        let width = usize::from(self.program.pointer_bytes);
        let address = |cells: &[Cell]| {
            let (object, offset) = whole_address(cells)?;
            Some(Held {
                condition,
                object,
                offset,
            })
        };
        contents.cells.windows(width).filter_map(address).collect()
    }

    /// What an address points into is reached where it is held.
    fn reach(&mut self, reached: &mut Reached, held: &Held) {
        for number in self.leaves(held.object) {
            if let Some(&before) = reached.get(&number) {
                let chosen = self.is_number(held.object, number);
                let size = self.size_of(number);
                let points = self.at_most(held.offset, size);
                let here = self.store.and(chosen, points);
                let here = self.store.and(held.condition, here);
                reached.insert(number, self.store.or(before, here));
            }
        }
    }
}
