//! Memory whose bytes may be unknown: objects without numeric addresses.
//!
//! # Invariants
//! - A byte that is part of a stored address is not known by itself; the address is, where all its
//!   bytes are in place.
//! - The number of a dead object is never reused.

use super::value::{Base, Pointer, Value};
use super::{Stop, lost};
use logic::{IntType, IntValue};
use program::expr::Type;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An object of a run, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Object(u32);

/// Bytes of all live objects.
const MOST: u64 = 32 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// A global or local object of the program.
    Declared,
    Heap,
    /// Of `alloca`.
    Stack,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Block {
    kind: Kind,
    writable: bool,
    /// Whether it has no name, so that it may share its bytes with another such object.
    is_literal: bool,
    bytes: Vec<u8>,
    /// For each byte whether it is known.
    known: Vec<bool>,
    /// Where addresses are stored.
    addresses: BTreeMap<usize, Pointer>,
}

/// All objects of a state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Memory {
    /// None for the dead.
    objects: Vec<Option<Rc<Block>>>,
    live: u64,
    pointer_bytes: u8,
}

/// A part of an object that an access may touch.
#[derive(Clone, Copy)]
pub(super) struct Part {
    object: Object,
    start: usize,
    count: usize,
}

impl Memory {
    pub(super) fn new(pointer_bytes: u8) -> Memory {
        Memory {
            objects: Vec::new(),
            live: 0,
            pointer_bytes,
        }
    }

    /// What it takes to copy or compare it, about, in bytes.
    pub(super) fn size(&self) -> u64 {
        2 * self.live + 8 * self.objects.len() as u64
    }

    /// The unsigned integer as wide as an address.
    pub(super) fn pointer_type(&self) -> IntType {
        IntType::unsigned(8 * self.pointer_bytes)
    }

    /// What a difference of addresses is.
    pub(super) fn offset_type(&self) -> IntType {
        IntType::signed(8 * self.pointer_bytes)
    }

    /// A new object; its bytes are zero, or unknown.
    pub(super) fn create(&mut self, kind: Kind, size: u64, is_zero: bool) -> Result<Object, Stop> {
        if size > MOST || self.live + size > MOST {
            return lost(format!("an object of {size} bytes is too large to follow"));
        }
        self.live += size;
        let number = self.objects.len() as u32;
        self.objects.push(Some(Rc::new(Block {
            kind,
            writable: true,
            is_literal: false,
            bytes: vec![0; size as usize],
            known: vec![is_zero; size as usize],
            addresses: BTreeMap::new(),
        })));
        Ok(Object(number))
    }

    /// From now on writing to it is undefined.
    pub(super) fn protect(&mut self, object: Object) {
        if let Some(block) = self.block_mut(object) {
            block.writable = false;
        }
    }

    /// It is a literal.
    pub(super) fn set_literal(&mut self, object: Object) {
        if let Some(block) = self.block_mut(object) {
            block.is_literal = true;
        }
    }

    /// Ends an object.
    pub(super) fn kill(&mut self, object: Object) {
        if let Some(block) = self.objects[object.0 as usize].take() {
            self.live -= block.bytes.len() as u64;
        }
    }

    /// Whether a heap object lives.
    pub(super) fn has_heap(&self) -> bool {
        let mut living = self.objects.iter().flatten();
        living.any(|block| block.kind == Kind::Heap)
    }

    /// Whether all heap objects are reached for certain, from these addresses and those in other
    /// objects.
    pub(super) fn all_heap_is_reached(&self, mut open: Vec<Pointer>) -> bool {
        let mut reached = vec![false; self.objects.len()];
        for block in self.objects.iter().flatten() {
            if block.kind != Kind::Heap {
                open.extend(block.addresses.values());
            }
        }
        while let Some(at) = open.pop() {
            if let Base::Object(object) = at.base
                && let Some(block) = self.block(object)
                && self.is_somewhere(at)
                && !std::mem::replace(&mut reached[object.0 as usize], true)
                && block.kind == Kind::Heap
            {
                open.extend(block.addresses.values());
            }
        }
        let mut objects = self.objects.iter().zip(reached);
        objects.all(|(block, reached)| {
            reached || !block.as_ref().is_some_and(|block| block.kind == Kind::Heap)
        })
    }

    fn block(&self, object: Object) -> Option<&Block> {
        self.objects[object.0 as usize].as_deref()
    }

    fn block_mut(&mut self, object: Object) -> Option<&mut Block> {
        self.objects[object.0 as usize].as_mut().map(Rc::make_mut)
    }

    /// Whether an address is that of a byte of something that lives, or just after it.
    pub(super) fn is_somewhere(&self, at: Pointer) -> bool {
        self.is_up_to(at, 0)
    }

    /// Whether two addresses are those of bytes of two things that live.
    pub(super) fn are_apart(&self, a: Pointer, b: Pointer) -> bool {
        let is_literal = |at: Pointer| match at.base {
            Base::Object(object) => self.block(object).is_some_and(|block| block.is_literal),
            Base::Proc(_) => false,
        };
        // Literals may share their bytes.
        let may_be_one = is_literal(a) && is_literal(b);
        a.base != b.base && !may_be_one && self.is_up_to(a, 1) && self.is_up_to(b, 1)
    }

    /// Whether an address points into what may stand for several string literals of the source.
    pub(super) fn is_shared(&self, at: Pointer) -> bool {
        match at.base {
            Base::Object(object) => {
                let block = self.block(object);
                block.is_some_and(|block| block.is_literal && !block.writable)
            }
            Base::Proc(_) => false,
        }
    }

    fn is_up_to(&self, at: Pointer, room: u64) -> bool {
        match at.base {
            Base::Object(object) => self.block(object).is_some_and(|block| {
                // What `malloc(0)` gives may be null.
                let may_be_null = block.kind == Kind::Heap && block.bytes.is_empty();
                let end = block.bytes.len() as u64;
                !may_be_null && at.offset >= 0 && at.offset as u64 + room <= end
            }),
            Base::Proc(_) => at.offset == 0,
        }
    }

    /// The size of the heap object that starts at an address.
    pub(super) fn heap_object(&self, at: Pointer) -> Option<(Object, u64)> {
        match at.base {
            Base::Object(object) if at.offset == 0 => {
                let block = self.block(object)?;
                (block.kind == Kind::Heap).then_some((object, block.bytes.len() as u64))
            }
            Base::Object(_) | Base::Proc(_) => None,
        }
    }

    /// The bytes at an address, if they are inside one live object; and may be written.
    pub(super) fn part(&self, at: Pointer, count: u64, write: bool) -> Option<Part> {
        let Base::Object(object) = at.base else {
            return None;
        };
        let block = self.block(object)?;
        let start = usize::try_from(at.offset).ok()?;
        let count = usize::try_from(count).ok()?;
        let end = start.checked_add(count)?;
        let fits = end <= block.bytes.len() && (block.writable || !write);
        fits.then_some(Part {
            object,
            start,
            count,
        })
    }

    /// The bytes from an address to the end of its object.
    pub(super) fn tail(&self, at: Pointer) -> Option<Part> {
        let Base::Object(object) = at.base else {
            return None;
        };
        let size = self.block(object)?.bytes.len() as u64;
        let count = size.checked_sub(u64::try_from(at.offset).ok()?)?;
        self.part(at, count, false)
    }

    /// The bytes of a part, with whether they are known.
    pub(super) fn bytes(&self, part: Part) -> impl Iterator<Item = Option<u8>> + '_ {
        let block = self.block(part.object);
        let range = part.start..part.start + part.count;
        range.map(move |index| {
            let block = block?;
            block.known[index].then_some(block.bytes[index])
        })
    }

    /// The value of a type in a part.
    pub(super) fn load(&self, part: Part, ty: Type) -> Value {
        let Some(block) = self.block(part.object) else {
            return Value::Unknown;
        };
        let may_be_address = match ty {
            Type::Ptr => true,
            Type::Int(ty) => ty.bits == 8 * self.pointer_bytes,
            Type::Bool | Type::Float(_) => false,
        };
        if may_be_address && let Some(&address) = block.addresses.get(&part.start) {
            return Value::Address(address);
        }
        let mut bits = 0u128;
        for (index, byte) in self.bytes(part).enumerate() {
            match byte {
                Some(byte) => bits |= u128::from(byte) << (8 * index),
                None => return Value::Unknown,
            }
        }
        match ty {
            // Other bits are those of no value.
            Type::Bool if bits > 1 => Value::Unknown,
            Type::Bool => Value::Bool(bits == 1),
            Type::Int(ty) => Value::Int(IntValue::from_bits(ty, bits)),
            Type::Float(format) => Value::Float(format, bits as u64),
            Type::Ptr => Value::Int(IntValue::from_bits(self.pointer_type(), bits)),
        }
    }

    /// Puts a value into a part.
    pub(super) fn store(&mut self, part: Part, value: Value) {
        let bits = match value {
            Value::Bool(value) => Some(u128::from(value)),
            Value::Int(value) => Some(value.bits()),
            // What is not a number has many forms.
            Value::Float(format, bits) => {
                (!format.number(bits).is_nan()).then_some(u128::from(bits))
            }
            Value::Unknown | Value::Signed { .. } | Value::Address(_) => None,
        };
        self.fill(part, |index| bits.map(|bits| (bits >> (8 * index)) as u8));
        if let Value::Address(address) = value
            && part.count == usize::from(self.pointer_bytes)
            && let Some(block) = self.block_mut(part.object)
        {
            block.addresses.insert(part.start, address);
        }
    }

    /// Puts bytes into a part, by their place in it.
    pub(super) fn fill(&mut self, part: Part, byte: impl Fn(usize) -> Option<u8>) {
        let pointer_bytes = usize::from(self.pointer_bytes);
        let Some(block) = self.block_mut(part.object) else {
            return;
        };
        block.forget_addresses(part.start, part.count, pointer_bytes);
        for index in 0..part.count {
            let byte = byte(index);
            // Equal states are to have equal bytes.
            block.bytes[part.start + index] = byte.unwrap_or(0);
            block.known[part.start + index] = byte.is_some();
        }
    }

    /// Copies one part to another of the same size; they may overlap.
    pub(super) fn copy(&mut self, to: Part, from: Part) {
        let bytes: Vec<Option<u8>> = self.bytes(from).collect();
        let width = usize::from(self.pointer_bytes);
        let addresses: Vec<(usize, Pointer)> = match self.block(from.object) {
            Some(block) => block
                .addresses
                .range(from.start..from.start + from.count)
                .filter(|(start, _)| *start + width <= from.start + from.count)
                .map(|(start, address)| (start - from.start, *address))
                .collect(),
            None => Vec::new(),
        };
        self.fill(to, |index| bytes[index]);
        if let Some(block) = self.block_mut(to.object) {
            let placed = addresses.into_iter();
            block
                .addresses
                .extend(placed.map(|(index, address)| (to.start + index, address)));
        }
    }
}

impl Block {
    /// Addresses that share a byte with a range are gone; what is left of them is unknown.
    fn forget_addresses(&mut self, start: usize, count: usize, width: usize) {
        if count == 0 || self.addresses.is_empty() {
            return;
        }
        let first = (start + 1).saturating_sub(width);
        let gone: Vec<usize> = self
            .addresses
            .range(first..start + count)
            .map(|(&at, _)| at)
            .collect();
        for at in gone {
            self.addresses.remove(&at);
        }
    }
}
