//! The initial contents of new objects.
//!
//! # Invariants
//! - An uninitialised byte is a symbol of its own; no term is made for it until it is read.

use super::explore::Unwinder;
use super::memory::{FIRST_PROC, LARGEST, Made};
use super::state::{Cell, Contents, State};
use base::Id;
use logic::{BitId, BitStore};
use program::ir::{AddressBase, ObjectId, SiteId};
use std::ops::Range;
use std::rc::Rc;

/// What the bytes of an object are when it comes to life.
#[derive(Clone, Copy, Debug)]
pub(super) enum First {
    Zero,
    /// Anything; an input of the site, if there is one.
    Unset(Option<SiteId>),
}

/// An object came to life whose bytes are inputs.
#[derive(Clone, Debug)]
pub(super) struct Birth {
    /// Where it does.
    pub(super) guard: BitId,
    pub(super) site: SiteId,
    /// What stands for its bytes, as many as are described.
    pub(super) symbols: Range<u32>,
    /// How many it has.
    pub(super) size: BitId,
}

impl Unwinder<'_> {
    /// A new object; its number. One that is too large is an open question when it is touched.
    pub(super) fn create(&mut self, state: &mut State, made: Made, first: First) -> u32 {
        let number = self.first_object() + self.made.len() as u32;
        self.made.push(made);
        let bytes = if made.size <= LARGEST {
            made.size as u32
        } else {
            0
        };
        let cells = match first {
            First::Zero => vec![Cell::Bits(self.store.constant(8, 0)); bytes as usize],
            First::Unset(site) => {
                let symbols = self.store.reserve(bytes);
                if let Some(site) = site {
                    let guard = state.guard;
                    let size = made.variable_size.unwrap_or_else(|| self.offset(made.size));
                    self.births.push(Birth {
                        guard,
                        site,
                        symbols: symbols..symbols + bytes,
                        size,
                    });
                }
                (symbols..symbols + bytes).map(Cell::Unset).collect()
            }
        };
        let contents = Contents {
            alive: BitStore::TRUE,
            cells: Rc::new(cells),
        };
        Rc::make_mut(&mut state.memory).insert(number, contents);
        number
    }

    /// The global objects, as they are at the start.
    pub(super) fn create_globals(&mut self, state: &mut State) {
        let globals = || {
            (self.program.objects.iter_enumerated())
                .filter(|(_, object)| object.scope == program::ir::Scope::Global)
        };
        // All have their numbers before any of them points to another.
        let ids: Vec<ObjectId> = globals().map(|(id, _)| id).collect();
        for &id in &ids {
            let object = &self.program.objects[id];
            let made = Made::of_object(object);
            let number = self.create(state, made, First::Zero);
            let number = self.number(number);
            self.global_objects.insert(id, number);
        }
        for id in ids {
            let cells = self.initial_cells(id);
            let number = self.store.as_constant(self.global_objects[&id]);
            let number = number.expect("a number should be a constant") as u32;
            let contents = Rc::make_mut(&mut state.memory).get_mut(&number);
            contents.expect("the object should be there").cells = Rc::new(cells);
        }
    }

    fn initial_cells(&mut self, id: ObjectId) -> Vec<Cell> {
        let object = &self.program.objects[id];
        if object.size > LARGEST {
            return Vec::new();
        }
        let mut cells: Vec<Cell> = (0..object.size as usize)
            .map(|at| {
                let byte = object.init.bytes.get(at).copied().unwrap_or(0);
                Cell::Bits(self.store.constant(8, u128::from(byte)))
            })
            .collect();
        for (at, address) in &object.init.addresses {
            let number = match address.base {
                AddressBase::Object(object) => self.global_objects[&object],
                AddressBase::Proc(proc) => self.number(FIRST_PROC + proc.index() as u32),
            };
            let offset = self.offset(address.offset as u64);
            for index in 0..self.program.pointer_bytes {
                let at = *at as usize + usize::from(index);
                if let Some(cell) = cells.get_mut(at) {
                    *cell = Cell::Address(number, offset, index);
                }
            }
        }
        cells
    }
}
