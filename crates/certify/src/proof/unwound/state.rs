//! Symbolic states: the values of variables and objects on the paths that a guard stands for, and
//! how two states are merged where paths join.

use super::order::NestPosition;
use base::Id;
use logic::{BitId, BitNode, BitOp, BitStore};
use program::ir::{EdgeId, LocationId, ObjectId, ProcId, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The width of the numbers of objects.
pub(super) const OBJECT_BITS: u8 = 32;
/// The number of no object: that of the null address.
pub(super) const NULL: u32 = 0;
/// The number that stands for any object: that of an address we know nothing of.
pub(super) const WILD: u32 = 1;

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// Of a truth value, an integer or a floating-point number the bits.
    Bits(BitId),
    /// An address: the number of the object, and bytes from its start.
    Address(BitId, BitId),
}

impl Value {
    /// The bits of what is no address.
    pub(super) fn bits(self) -> BitId {
        match self {
            Value::Bits(bits) => bits,
            Value::Address(..) => unreachable!("an address should not stand for a number"),
        }
    }

    /// Object and offset of an address.
    pub(super) fn address(self) -> (BitId, BitId) {
        match self {
            Value::Address(object, offset) => (object, offset),
            Value::Bits(_) => unreachable!("a number should not stand for an address"),
        }
    }
}

/// A byte of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    /// As it was when its object came to life without a value: the symbol of that number, of
    /// which no term is made until it is read.
    Unset(u32),
    /// Its bits.
    Bits(BitId),
    /// The byte of that index of an address.
    Address(BitId, BitId, u8),
}

/// The address that bytes are, if they are all of its own, in order.
pub(super) fn whole_address(cells: &[Cell]) -> Option<(BitId, BitId)> {
    let Some(&Cell::Address(object, offset, 0)) = cells.first() else {
        return None;
    };
    let is_own =
        |(index, cell): (usize, &Cell)| *cell == Cell::Address(object, offset, index as u8);
    (cells.iter().enumerate().all(is_own)).then_some((object, offset))
}

/// What is known of an object.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Contents {
    /// Whether it lives.
    pub(super) alive: BitId,
    /// Its bytes.
    pub(super) cells: Rc<Vec<Cell>>,
}

/// An activation of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) proc: ProcId,
    pub(super) at: LocationId,
    /// How often each loop around the location came back to its head.
    pub(super) iterations: Vec<u32>,
    /// What the locals hold; nothing if they were not set.
    pub(super) vars: Rc<Vec<Option<Value>>>,
    /// The objects that were made for the procedure's declarations, by their numbers.
    pub(super) objects: Rc<BTreeMap<ObjectId, BitId>>,
    /// What `alloca` made.
    pub(super) allocated: Vec<u32>,
    /// The caller's edge; none for the entry procedure.
    pub(super) call: Option<EdgeId>,
    /// Where the caller wants the value.
    pub(super) result: Option<VarId>,
}

/// When a state comes up: the places of all active locations, callers first.
pub(super) type Key = Vec<u32>;

/// What holds on some paths to one place.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Which inputs lead here.
    pub(super) guard: BitId,
    pub(super) globals: Rc<Vec<Option<Value>>>,
    pub(super) frames: Vec<Frame>,
    /// The objects that may live, by their numbers.
    pub(super) memory: Rc<BTreeMap<u32, Contents>>,
}

impl State {
    /// The innermost activation.
    pub(super) fn frame(&self) -> &Frame {
        self.frames.last().expect("a state should have a frame")
    }

    /// The same, to change.
    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a state should have a frame")
    }
}

impl Frame {
    /// Adds the frame's part to a key: first what orders the frames, at last what tells places
    /// apart for certain, so that only states of one place are ever merged.
    pub(super) fn extend_key(&self, place: &NestPosition, key: &mut Key) {
        key.push(self.proc.index() as u32);
        key.push(self.call.map_or(0, |edge| edge.index() as u32));
        for ((rank, _), iteration) in place.loops.iter().zip(&self.iterations) {
            key.extend([*rank, *iteration]);
        }
        key.push(place.rank);
        key.push(self.at.index() as u32);
    }
}

/// Makes one state of two that stand at one place of the unwinding. A run comes there at most
/// once, so it is one or the other.
pub(super) fn merge(store: &mut BitStore, a: State, b: State) -> State {
    let (common, rest_a, rest_b) = split(store, a.guard, b.guard);
    let either = store.or(rest_a, rest_b);
    let guard = store.and(common, either);
    // The shorter of the two tells them apart.
    let (a, b, condition) = if length(store, rest_a) <= length(store, rest_b) {
        (a, b, rest_a)
    } else {
        (b, a, rest_b)
    };
    let mut merging = Merging { store, condition };
    let globals = merging.vars(&a.globals, &b.globals);
    let frames = a.frames.into_iter().zip(b.frames);
    let frames = frames.map(|(a, b)| merging.frame(a, b)).collect();
    let memory = merging.memory(&a.memory, &b.memory);
    State {
        guard,
        globals,
        frames,
        memory,
    }
}

/// What two guards have in common, and what each has beyond it. A guard is a conjunction that grew
/// on the right, and the left operand is older, so the younger one is taken apart first.
fn split(store: &mut BitStore, a: BitId, b: BitId) -> (BitId, BitId, BitId) {
    let (mut left, mut right) = (a, b);
    let (mut rest_left, mut rest_right) = (Vec::new(), Vec::new());
    while left != right {
        let (guard, rest) = if left > right {
            (&mut left, &mut rest_left)
        } else {
            (&mut right, &mut rest_right)
        };
        match store.node(*guard) {
            BitNode::Binary(BitOp::And, before, last) => {
                rest.push(last);
                *guard = before;
            }
            _ => {
                rest.push(*guard);
                *guard = BitStore::TRUE;
            }
        }
    }
    let mut conjunction = |parts: Vec<BitId>| {
        let mut parts = parts.into_iter().rev();
        let first = parts.next().unwrap_or(BitStore::TRUE);
        parts.fold(first, |all, part| store.and(all, part))
    };
    let (rest_left, rest_right) = (conjunction(rest_left), conjunction(rest_right));
    (left, rest_left, rest_right)
}

/// How many conjuncts a guard has, up to a few.
fn length(store: &BitStore, mut guard: BitId) -> usize {
    let mut count = 1;
    while let BitNode::Binary(BitOp::And, before, _) = store.node(guard) {
        guard = before;
        count += 1;
    }
    count
}

/// Chooses between the parts of two states.
pub(super) struct Merging<'s> {
    pub(super) store: &'s mut BitStore,
    /// Holds where the first is meant.
    pub(super) condition: BitId,
}

type Vars = Rc<Vec<Option<Value>>>;

impl Merging<'_> {
    fn vars(&mut self, a: &Vars, b: &Vars) -> Vars {
        if Rc::ptr_eq(a, b) {
            return a.clone();
        }
        let pairs = a.iter().zip(b.iter());
        // What is not set on one side may be anything.
        let chosen = pairs.map(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => Some(self.value(*a, *b)),
            (None, _) | (_, None) => None,
        });
        Rc::new(chosen.collect())
    }

    fn frame(&mut self, a: Frame, b: Frame) -> Frame {
        let mut allocated = a.allocated;
        for number in b.allocated {
            if !allocated.contains(&number) {
                allocated.push(number);
            }
        }
        Frame {
            vars: self.vars(&a.vars, &b.vars),
            objects: self.objects(&a.objects, &b.objects),
            allocated,
            ..b
        }
    }

    fn objects(
        &mut self,
        a: &Rc<BTreeMap<ObjectId, BitId>>,
        b: &Rc<BTreeMap<ObjectId, BitId>>,
    ) -> Rc<BTreeMap<ObjectId, BitId>> {
        if Rc::ptr_eq(a, b) {
            return a.clone();
        }
        let mut merged = (**a).clone();
        for (&object, &number) in b.iter() {
            let chosen = match a.get(&object) {
                Some(&other) => self.store.ite(self.condition, other, number),
                None => number,
            };
            merged.insert(object, chosen);
        }
        Rc::new(merged)
    }

    fn memory(
        &mut self,
        a: &Rc<BTreeMap<u32, Contents>>,
        b: &Rc<BTreeMap<u32, Contents>>,
    ) -> Rc<BTreeMap<u32, Contents>> {
        if Rc::ptr_eq(a, b) {
            return a.clone();
        }
        let mut merged = BTreeMap::new();
        for (&number, contents) in a.iter() {
            let contents = match b.get(&number) {
                Some(other) => self.contents(contents, other),
                None => Contents {
                    alive: self.store.and(self.condition, contents.alive),
                    cells: contents.cells.clone(),
                },
            };
            merged.insert(number, contents);
        }
        for (&number, contents) in b.iter().filter(|(number, _)| !a.contains_key(number)) {
            let otherwise = self.store.not(self.condition);
            let alive = self.store.and(otherwise, contents.alive);
            let cells = contents.cells.clone();
            merged.insert(number, Contents { alive, cells });
        }
        Rc::new(merged)
    }

    fn contents(&mut self, a: &Contents, b: &Contents) -> Contents {
        let alive = self.store.ite(self.condition, a.alive, b.alive);
        let cells = if Rc::ptr_eq(&a.cells, &b.cells) {
            a.cells.clone()
        } else {
            let pairs = a.cells.iter().zip(b.cells.iter());
            Rc::new(pairs.map(|(&a, &b)| self.cell(a, b)).collect())
        };
        Contents { alive, cells }
    }

    /// One of two values of one type.
    pub(super) fn value(&mut self, a: Value, b: Value) -> Value {
        match (a, b) {
            (Value::Bits(a), Value::Bits(b)) => Value::Bits(self.store.ite(self.condition, a, b)),
            (Value::Address(a, at), Value::Address(b, to)) => Value::Address(
                self.store.ite(self.condition, a, b),
                self.store.ite(self.condition, at, to),
            ),
            (Value::Bits(_), Value::Address(..)) | (Value::Address(..), Value::Bits(_)) => {
                unreachable!("a variable should keep its type")
            }
        }
    }

    /// One of two bytes. Bytes of an address beside others are bytes of an address we know nothing
    /// of, unless the others are those of null.
    pub(super) fn cell(&mut self, a: Cell, b: Cell) -> Cell {
        match (a, b) {
            _ if a == b => a,
            (Cell::Address(object, offset, index), other) => {
                let other = self.as_address(other, offset, index);
                self.address_cell((object, offset), other, index)
            }
            (other, Cell::Address(object, offset, index)) => {
                let other = self.as_address(other, offset, index);
                self.address_cell(other, (object, offset), index)
            }
            (Cell::Unset(_) | Cell::Bits(_), Cell::Unset(_) | Cell::Bits(_)) => {
                let [a, b] = [a, b].map(|cell| self.plain_byte(cell));
                Cell::Bits(self.store.ite(self.condition, a, b))
            }
        }
    }

    /// The bits of a byte that is none of an address.
    fn plain_byte(&mut self, cell: Cell) -> BitId {
        match cell {
            Cell::Bits(bits) => bits,
            Cell::Unset(number) => self.store.symbol(number, 8),
            Cell::Address(..) => unreachable!("a byte of an address should be known for one"),
        }
    }

    fn address_cell(&mut self, a: (BitId, BitId), b: (BitId, BitId), index: u8) -> Cell {
        let object = self.store.ite(self.condition, a.0, b.0);
        let offset = self.store.ite(self.condition, a.1, b.1);
        Cell::Address(object, offset, index)
    }

    fn as_address(&mut self, cell: Cell, like: BitId, index: u8) -> (BitId, BitId) {
        let width = self.store.width(like);
        match cell {
            Cell::Address(object, offset, own) if own == index => (object, offset),
            Cell::Bits(bits) if self.store.as_constant(bits) == Some(0) => {
                let null = self.store.constant(OBJECT_BITS, u128::from(NULL));
                (null, self.store.constant(width, 0))
            }
            Cell::Address(..) | Cell::Bits(_) | Cell::Unset(_) => {
                let wild = self.store.constant(OBJECT_BITS, u128::from(WILD));
                (wild, self.store.constant(width, 0))
            }
        }
    }
}
