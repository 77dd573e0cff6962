//! What the iterations of a loop change: the states that a run may have at the head, as one state
//! with symbols where they differ.
//!
//! The set is found by iteration: execute an iteration from a state in which a few things are
//! havocked, havoc what is different afterwards, and repeat until an iteration changes nothing
//! else.
//!
//! # Invariants
//! - When [`Changes::grow`] finds nothing new, the second state is an instance of the first.

use super::explore::Unwinder;
use super::state::{Cell, Contents, State, Value, WILD};
use logic::BitId;
use program::ir::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What may be anything at the head of a loop.
#[derive(Default)]
pub(super) struct Changes {
    vars: BTreeMap<Slot, Any>,
    objects: BTreeMap<u32, Changed>,
}

/// A variable of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Global(usize),
    /// Of that activation.
    Local(usize, usize),
}

/// What a variable may be.
#[derive(Clone, PartialEq)]
enum Any {
    /// Another value each time that it is read.
    Unset,
    Bits,
    Address(Targets),
}

/// Where an address may point.
#[derive(Clone, PartialEq)]
struct Targets {
    /// Into objects of these numbers.
    numbers: BTreeSet<u32>,
    /// At any offset, not at that of the first.
    moves: bool,
}

/// What changes of an object.
#[derive(Clone, PartialEq, Default)]
struct Changed {
    dies: bool,
    /// The bytes that are none of an address.
    bytes: BTreeSet<usize>,
    /// The addresses, by where they start.
    addresses: BTreeMap<usize, Targets>,
}

impl Changes {
    /// A state as it was when the loop was entered, but for what changes.
    pub(super) fn applied(&self, unwinder: &mut Unwinder, entered: &State) -> State {
        let mut state = entered.clone();
        for (slot, any) in &self.vars {
            let value = slot.get(entered).and_then(|value| any.of(unwinder, value));
            slot.set(&mut state, value);
        }
        for (number, changed) in &self.objects {
            let memory = Rc::make_mut(&mut state.memory);
            if let Some(contents) = memory.get_mut(number) {
                changed.apply(unwinder, contents);
            }
        }
        state
    }

    /// Adds what differs between a state at the head, as [applied](Self::applied), and one an
    /// iteration later; whether that is anything new. Fails if no change of this kind can say it.
    pub(super) fn grow(
        &mut self,
        unwinder: &mut Unwinder,
        head: &State,
        next: &State,
    ) -> Result<bool, &'static str> {
        let mut grows = false;
        for slot in slots(head) {
            let known = self.vars.get(&slot);
            if let Some(any) = known_as(unwinder, head, known, slot.get(head), slot.get(next)) {
                grows |= known != Some(&any);
                self.vars.insert(slot, any);
            }
        }
        for (a, b) in head.frames.iter().zip(&next.frames) {
            let living = |state: &State, objects: &BTreeMap<ObjectId, BitId>| {
                let lives = |number: &u32| state.memory.contains_key(number);
                let lives = |number: BitId| unwinder.leaves(number).iter().any(lives);
                let living = objects.iter().filter(|(_, number)| lives(**number));
                living.map(|(id, number)| (*id, *number)).collect()
            };
            let before: BTreeMap<ObjectId, BitId> = living(head, &a.objects);
            if before != living(next, &b.objects) || a.allocated != b.allocated {
                return Err("an iteration of a loop leaves objects behind");
            }
        }
        if next
            .memory
            .keys()
            .any(|number| !head.memory.contains_key(number))
        {
            return Err("an iteration of a loop leaves objects behind");
        }
        for (&number, contents) in head.memory.iter() {
            let changed = self.objects.entry(number).or_default();
            let mut grown = changed.clone();
            match next.memory.get(&number) {
                None => grown.dies = true,
                Some(later) => {
                    grown.dies |= contents.alive != later.alive;
                    grown.grow(unwinder, head, (&contents.cells, &later.cells))?;
                }
            }
            grows |= grown != *changed;
            *changed = grown;
        }
        Ok(grows)
    }
}

/// What a variable may be that had one value and has another an iteration later; nothing if that is
/// the same, or anything at first.
fn known_as(
    unwinder: &Unwinder,
    head: &State,
    known: Option<&Any>,
    before: Option<Value>,
    after: Option<Value>,
) -> Option<Any> {
    let before = before?;
    match (before, after) {
        (_, Some(after)) if before == after => None,
        (_, None) => Some(Any::Unset),
        (Value::Address(object, offset), Some(Value::Address(later, to))) => {
            let mut targets = match known {
                Some(Any::Address(targets)) => targets.clone(),
                _ => Targets::new(unwinder, head, object),
            };
            targets.add(&Targets::new(unwinder, head, later), offset != to);
            Some(Any::Address(targets))
        }
        (Value::Bits(_) | Value::Address(..), Some(_)) => Some(Any::Bits),
    }
}

impl Slot {
    fn get(self, state: &State) -> Option<Value> {
        match self {
            Slot::Global(slot) => state.globals[slot],
            Slot::Local(frame, slot) => state.frames[frame].vars[slot],
        }
    }

    fn set(self, state: &mut State, value: Option<Value>) {
        match self {
            Slot::Global(slot) => Rc::make_mut(&mut state.globals)[slot] = value,
            Slot::Local(frame, slot) => {
                Rc::make_mut(&mut state.frames[frame].vars)[slot] = value;
            }
        }
    }
}

fn slots(state: &State) -> Vec<Slot> {
    let globals = (0..state.globals.len()).map(Slot::Global);
    let frames = state.frames.iter().enumerate();
    let locals = frames
        .flat_map(|(frame, row)| (0..row.vars.len()).map(move |slot| Slot::Local(frame, slot)));
    globals.chain(locals).collect()
}

impl Any {
    /// Such a value, for a variable that was entered with another.
    fn of(&self, unwinder: &mut Unwinder, entered: Value) -> Option<Value> {
        match (self, entered) {
            (Any::Bits, Value::Bits(bits)) => {
                let width = unwinder.store.width(bits);
                Some(Value::Bits(unwinder.store.fresh(width)))
            }
            (Any::Address(targets), Value::Address(_, offset)) => {
                let (object, offset) = targets.any(unwinder, offset);
                Some(Value::Address(object, offset))
            }
            (Any::Unset | Any::Bits | Any::Address(_), _) => None,
        }
    }
}

impl Targets {
    /// Those of an address' object. What does not live at the head is not known.
    fn new(unwinder: &Unwinder, head: &State, object: BitId) -> Targets {
        let known = |number: u32| match number {
            _ if number < unwinder.first_object() || head.memory.contains_key(&number) => number,
            _ => WILD,
        };
        Targets {
            numbers: unwinder.leaves(object).into_iter().map(known).collect(),
            moves: false,
        }
    }

    fn add(&mut self, other: &Targets, moves: bool) {
        self.numbers.extend(&other.numbers);
        self.moves |= moves;
    }

    /// Such an address, if the first was at that offset.
    fn any(&self, unwinder: &mut Unwinder, offset: BitId) -> (BitId, BitId) {
        let mut numbers = self.numbers.iter();
        let first = numbers.next().copied().unwrap_or(WILD);
        let mut object = unwinder.number(first);
        for &number in numbers {
            let chosen = unwinder.store.fresh(1);
            let number = unwinder.number(number);
            object = unwinder.store.ite(chosen, number, object);
        }
        let offset = match self.moves {
            true => unwinder.store.fresh(unwinder.pointer_bits()),
            false => offset,
        };
        (object, offset)
    }
}

impl Changed {
    fn apply(&self, unwinder: &mut Unwinder, contents: &mut Contents) {
        if self.dies {
            contents.alive = unwinder.store.fresh(1);
        }
        if self.bytes.is_empty() && self.addresses.is_empty() {
            return;
        }
        let entered = contents.cells.clone();
        let cells = Rc::make_mut(&mut contents.cells);
        for &at in &self.bytes {
            cells[at] = Cell::Bits(unwinder.store.fresh(8));
        }
        for (&start, targets) in &self.addresses {
            let (_, offset) = address_at(unwinder, &entered, start);
            let (object, offset) = targets.any(unwinder, offset);
            for index in 0..unwinder.program.pointer_bytes {
                cells[start + usize::from(index)] = Cell::Address(object, offset, index);
            }
        }
    }

    /// Adds what differs between the bytes of an object.
    fn grow(
        &mut self,
        unwinder: &mut Unwinder,
        head: &State,
        (before, after): (&[Cell], &[Cell]),
    ) -> Result<(), &'static str> {
        let bytes = usize::from(unwinder.program.pointer_bytes);
        let mut starts = BTreeSet::new();
        for (at, (a, b)) in before.iter().zip(after).enumerate() {
            if a == b {
                continue;
            }
            let mut is_address = false;
            for cell in [a, b] {
                if let Cell::Address(_, _, index) = cell {
                    let start = at.checked_sub(usize::from(*index));
                    let fits = start.filter(|start| start + bytes <= before.len());
                    starts.insert(fits.ok_or("a part of an address changes in a loop")?);
                    is_address = true;
                }
            }
            if !is_address {
                self.bytes.insert(at);
            }
        }
        for start in starts {
            let (object, offset) = address_at(unwinder, before, start);
            let (later, to) = address_at(unwinder, after, start);
            let targets = (self.addresses.entry(start))
                .or_insert_with(|| Targets::new(unwinder, head, object));
            targets.add(&Targets::new(unwinder, head, later), offset != to);
        }
        let overlap = |(a, b): (&usize, &usize)| b - a < bytes;
        if (self.addresses.keys().zip(self.addresses.keys().skip(1))).any(overlap) {
            return Err("addresses overlap in an object that a loop changes");
        }
        Ok(())
    }
}

/// The address that starts at a place among some bytes.
fn address_at(unwinder: &mut Unwinder, cells: &[Cell], start: usize) -> (BitId, BitId) {
    let bytes = usize::from(unwinder.program.pointer_bytes);
    unwinder.assembled_address(&cells[start..start + bytes])
}
