//! Memory: objects of bytes at addresses.
//!
//! An address is a plain integer of pointer width, so casts, unions and copies of pointers are
//! exact. Each object has addresses of its own with a wide gap around them, so an access that
//! leaves its object never lands in another one unnoticed. The address of a dead object is reused
//! only after many others have died, so dangling pointers are noticed too.
//!
//! Bytes that C leaves indeterminate (of `malloc`, of locals) are zero unless inputs supply them.
//!
//! # Invariants
//! - The base of a dead object is so far away that the bounds check of an access fails: it is the
//!   only check.
//! - `live` is the size of all slots that are not retired, each with a small overhead.
//! - A dead slot is either retired or the latest of one object, never both.

mod explain;

use crate::layout::{
    GRANULE_BITS, Layout, MAX_OBJECT, WIDE_SLOT_BITS, WIDE_START, granules, next_granule,
};
use crate::{End, Undefined, UndefinedKind};
use base::Id;
use program::ir::ObjectId;
use std::collections::{BTreeMap, VecDeque};

/// How many dead slots wait before the oldest is used again.
const RETIRED: usize = 1 << 12;
/// The bytes that an object costs besides its own.
const KEEPING: u64 = 64;
/// A buffer of a dead object larger than this is given back.
const KEPT_BUFFER: u64 = 1 << 12;
const SLOT_MASK: u64 = (1 << WIDE_SLOT_BITS) - 1;
/// What is added to an address (64-bit pointers) for the next generation of its slot. There is one
/// for every number that leaves the sign bit clear.
const GENERATION: u64 = 1 << (32 + WIDE_SLOT_BITS);
/// The bases of dead objects, with 64-bit and with 32-bit pointers.
const WIDE_DEAD: u64 = 0;
const NARROW_DEAD: u64 = 1 << 40;
const LEAF: usize = 1 << 12;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// A global or local object of the program.
    Declared(ObjectId),
    /// The n-th heap object of the run, from 1.
    Heap(u32),
    /// An object made by `alloca`, n-th as for the heap.
    Stack(u32),
}

/// As large as a cache line, so that finding one is a shift.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Entry {
    bytes: Vec<u8>,
    /// What is taken from an address to get an offset: `home` while the object lives.
    base: u64,
    /// Its address, dead or alive.
    home: u64,
    size: u64,
    storage: Storage,
    writable: bool,
}

impl Entry {
    #[inline(always)]
    fn is_living(&self) -> bool {
        self.base == self.home
    }
}

/// All objects of a run.
pub(crate) struct Memory<'c> {
    layout: &'c Layout,
    wide: bool,
    entries: Vec<Entry>,
    /// For 32-bit pointers: the slot at each granule, 0 for none, in leaves of [`LEAF`] granules.
    leaves: Vec<Option<Box<[u32; LEAF]>>>,
    next_granule: u32,
    /// Dead slots by the granules they own (64-bit pointers: all under 0), oldest first.
    retired: BTreeMap<u32, VecDeque<u32>>,
    /// By object, the slot that it came to life in last, 0 for none (64-bit pointers).
    latest: Vec<u32>,
    live: u64,
    limit: u64,
    allocations: u32,
}

/// How memory is accessed, for messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
}

impl<'c> Memory<'c> {
    /// The memory at the start of a run.
    pub(crate) fn new(layout: &'c Layout, limit: u64) -> Result<Memory<'c>, End> {
        if let Some(what) = &layout.too_large {
            return Err(End::limit(&format!("memory: {what}")));
        }
        let mut memory = Memory {
            layout,
            wide: layout.wide,
            entries: vec![Entry {
                bytes: Vec::new(),
                base: WIDE_DEAD,
                home: u64::MAX,
                size: 0,
                storage: Storage::Heap(0),
                writable: false,
            }],
            leaves: Vec::new(),
            next_granule: layout.next_granule,
            retired: BTreeMap::new(),
            latest: vec![0; layout.objects.len()],
            live: 0,
            limit,
            allocations: 0,
        };
        if !layout.wide {
            memory.leaves = vec![None; (1 << (32 - GRANULE_BITS)) / LEAF];
        }
        for global in &layout.globals {
            memory.reserve(global.size)?;
            let slot = memory.entries.len() as u32;
            memory.entries.push(Entry {
                bytes: fresh(Vec::new(), global.size, &global.bytes),
                base: global.base,
                home: global.base,
                size: global.size,
                storage: Storage::Declared(global.object),
                writable: !global.read_only,
            });
            memory.set_granules(slot);
        }
        Ok(memory)
    }

    /// The bytes of all live objects.
    pub(crate) fn live(&self) -> u64 {
        self.live
    }

    /// `N` bytes at an address, a sum that may not have been wrapped.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let address = self.wrapped(address);
        let entry = self.entries.get(self.slot(address))?;
        let offset = address.wrapping_sub(entry.base);
        let tail = entry.bytes.get(offset as usize..)?;
        tail.first_chunk().copied()
    }

    /// Writes `N` bytes at such an address; `None` if they cannot be.
    #[inline(always)]
    pub(crate) fn write<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> Option<()> {
        let address = self.wrapped(address);
        let slot = self.slot(address);
        let entry = self.entries.get_mut(slot)?;
        let offset = address.wrapping_sub(entry.base);
        if !entry.writable {
            return None;
        }
        let tail = entry.bytes.get_mut(offset as usize..)?;
        *tail.first_chunk_mut()? = bytes;
        Some(())
    }

    /// `count` bytes at an address; none at all are at every address.
    pub(crate) fn bytes(&self, address: u64, count: u64) -> Option<&[u8]> {
        if count == 0 {
            return Some(&[]);
        }
        let tail = self.tail(address)?;
        tail.get(..usize::try_from(count).ok()?)
    }

    /// The bytes from an address to the end of its object.
    pub(crate) fn tail(&self, address: u64) -> Option<&[u8]> {
        let entry = self.entries.get(self.slot(address))?;
        entry
            .bytes
            .get(usize::try_from(address.wrapping_sub(entry.base)).ok()?..)
    }

    /// `count` bytes at an address, to write.
    pub(crate) fn bytes_mut(&mut self, address: u64, count: u64) -> Option<&mut [u8]> {
        if count == 0 {
            return Some(&mut []);
        }
        let slot = self.slot(address);
        let entry = self.entries.get_mut(slot)?;
        if !entry.writable {
            return None;
        }
        let offset = usize::try_from(address.wrapping_sub(entry.base)).ok()?;
        let end = offset.checked_add(usize::try_from(count).ok()?)?;
        entry.bytes.get_mut(offset..end)
    }

    /// Copies bytes, which may overlap; says which access fails.
    pub(crate) fn copy(&mut self, to: u64, from: u64, count: u64) -> Result<(), Undefined> {
        if self.bytes(from, count).is_none() {
            return Err(self.explain(from, count, Access::Read));
        }
        if self.bytes_mut(to, count).is_none() {
            return Err(self.explain(to, count, Access::Write));
        }
        if count == 0 {
            return Ok(());
        }
        let count = count as usize;
        let (source, target) = (self.slot(from), self.slot(to));
        let source_at = (from - self.entries[source].base) as usize;
        let target_at = (to - self.entries[target].base) as usize;
        if source == target {
            self.entries[source]
                .bytes
                .copy_within(source_at..source_at + count, target_at);
        } else {
            let (low, high) = self.entries.split_at_mut(source.max(target));
            let (source, target) = if source < target {
                (&low[source].bytes, &mut high[0].bytes)
            } else {
                (&high[0].bytes, &mut low[target].bytes)
            };
            target[target_at..target_at + count]
                .copy_from_slice(&source[source_at..source_at + count]);
        }
        Ok(())
    }

    /// Whether `count` bytes at an address are inside one live object; and may be written.
    pub(crate) fn valid(&self, address: u64, count: u64, write: bool) -> bool {
        let entry = &self.entries[self.slot(address).min(self.entries.len() - 1)];
        let offset = address.wrapping_sub(entry.base);
        entry.is_living()
            && (entry.writable || !write)
            && offset <= entry.size
            && count <= entry.size - offset
    }

    /// A new object on the heap, or of `alloca`.
    pub(crate) fn allocate(&mut self, size: u64, storage: fn(u32) -> Storage) -> Result<u64, End> {
        self.allocations += 1;
        self.create(size, storage(self.allocations))
    }

    /// Whether an address is null or the start of a live heap object.
    pub(crate) fn freeable(&self, address: u64) -> bool {
        address == 0 || self.heap_object(address).is_some()
    }

    /// The size of the heap object that starts at an address.
    pub(crate) fn heap_object(&self, address: u64) -> Option<u64> {
        let entry = self.entries.get(self.slot(address))?;
        let heap = matches!(entry.storage, Storage::Heap(_));
        (heap && entry.home == address && entry.is_living()).then_some(entry.size)
    }

    /// Ends a heap object; null is fine.
    pub(crate) fn free(&mut self, address: u64) -> Result<(), Undefined> {
        if address == 0 {
            return Ok(());
        }
        if self.heap_object(address).is_none() {
            return Err(Undefined::new(
                UndefinedKind::InvalidFree,
                self.explain_free(address),
            ));
        }
        let slot = self.slot(address);
        self.end(slot);
        Ok(())
    }

    /// A local object comes to life in the slot that it used before, if it is a word or two.
    #[inline(always)]
    pub(crate) fn enter_again(&mut self, object: ObjectId) -> Option<u64> {
        let slot = *self.latest.get(object.index())?;
        let entry = self.entries.get_mut(slot as usize)?;
        if entry.is_living() {
            return None;
        }
        // The slot that stands for none has no bytes.
        clear_words(&mut entry.bytes)?;
        let home = later_generation(entry.home)?;
        entry.home = home;
        entry.base = home;
        Some(home)
    }

    /// A local object comes to life.
    pub(crate) fn enter(&mut self, object: ObjectId, size: u64) -> Result<u64, End> {
        let latest = self.latest[object.index()] as usize;
        let entry = &self.entries[latest];
        let dead = latest != 0 && !entry.is_living();
        if dead && later_generation(entry.home).is_some() {
            return Ok(self.renew(latest));
        }
        if dead {
            self.latest[object.index()] = 0;
            self.retire(latest);
        }
        let address = self.create(size, Storage::Declared(object))?;
        if self.wide {
            self.latest[object.index()] = self.slot(address) as u32;
        }
        Ok(address)
    }

    /// The local object at an address dies, if it lived in its latest slot: that waits for it to
    /// come again.
    #[inline(always)]
    pub(crate) fn leave_for_now(&mut self, object: ObjectId, address: u64) -> Option<()> {
        let slot = *self.latest.get(object.index())?;
        let entry = self.entries.get_mut(slot as usize)?;
        // No object starts at the address that the slot for none has.
        if entry.base != address || entry.size > KEPT_BUFFER {
            return None;
        }
        entry.base = WIDE_DEAD;
        Some(())
    }

    /// The local object at an address dies.
    pub(crate) fn leave(&mut self, object: ObjectId, address: u64) {
        if self.leave_for_now(object, address).is_some() {
            return;
        }
        let slot = self.slot(address);
        let latest = &mut self.latest[object.index()];
        if *latest as usize == slot {
            *latest = 0;
        }
        self.end(slot);
    }

    /// The object of `alloca` at an address dies.
    pub(crate) fn leave_stack(&mut self, address: u64) {
        let slot = self.slot(address);
        self.end(slot);
    }

    /// Whether two addresses belong to one object, or are the same.
    pub(crate) fn same_object(&self, a: u64, b: u64) -> bool {
        if a == b {
            true
        } else if self.wide {
            a >> 32 == b >> 32
        } else {
            let slot = self.slot(a);
            slot != 0 && slot == self.slot(b)
        }
    }

    /// Whether a heap object lives.
    pub(crate) fn has_heap(&self) -> bool {
        self.living().any(|slot| self.is_heap(slot))
    }

    /// How many slots there are.
    pub(crate) fn slots(&self) -> usize {
        self.entries.len()
    }

    /// The slots of live objects.
    pub(crate) fn living(&self) -> impl Iterator<Item = usize> {
        let entries = self.entries.iter().enumerate();
        let living = entries.filter(|(_, entry)| entry.is_living());
        living.map(|(slot, _)| slot)
    }

    /// Whether the object of a slot is on the heap.
    pub(crate) fn is_heap(&self, slot: usize) -> bool {
        matches!(self.entries[slot].storage, Storage::Heap(_))
    }

    /// The live heap object that an address points into, or just after.
    pub(crate) fn heap_slot(&self, address: u64) -> Option<usize> {
        let slot = self.slot(address);
        let entry = self.entries.get(slot)?;
        let points = address.wrapping_sub(entry.base) <= entry.size;
        (points && entry.is_living() && self.is_heap(slot)).then_some(slot)
    }

    /// All numbers as wide as an address that are in an object, wherever they start.
    pub(crate) fn words(&self, slot: usize) -> impl Iterator<Item = u64> {
        let width = if self.wide { 8 } else { 4 };
        let windows = self.entries[slot].bytes.windows(width);
        windows.map(|bytes| {
            let number = bytes.iter().rev();
            number.fold(0, |number, &byte| number << 8 | u64::from(byte))
        })
    }

    #[inline(always)]
    fn slot(&self, address: u64) -> usize {
        if self.wide {
            ((address >> 32) & SLOT_MASK) as usize
        } else {
            self.narrow_slot(address)
        }
    }

    /// A sum with an address, as wide as pointers are.
    #[inline(always)]
    fn wrapped(&self, sum: u64) -> u64 {
        if self.wide {
            sum
        } else {
            less_often();
            sum & u64::from(u32::MAX)
        }
    }

    #[inline(always)]
    fn narrow_slot(&self, address: u64) -> usize {
        let granule = (address >> GRANULE_BITS) as usize;
        match self.leaves.get(granule / LEAF) {
            Some(Some(leaf)) => leaf[granule % LEAF] as usize,
            Some(None) | None => 0,
        }
    }

    #[inline]
    fn reserve(&mut self, size: u64) -> Result<(), End> {
        let live = self.live.saturating_add(size).saturating_add(KEEPING);
        if live > self.limit {
            return Err(self.too_large(size));
        }
        self.live = live;
        Ok(())
    }

    #[cold]
    fn too_large(&self, size: u64) -> End {
        let live = self.live;
        let what = format!("memory: an object of {size} bytes beside {live} living bytes");
        End::limit(&what)
    }

    fn create(&mut self, size: u64, storage: Storage) -> Result<u64, End> {
        if size > MAX_OBJECT {
            return Err(End::limit(&format!("memory: an object of {size} bytes")));
        }
        self.reserve(size)?;
        let class = self.class(size);
        let space_left = if self.wide {
            (self.entries.len() as u64) <= SLOT_MASK
        } else {
            next_granule(self.next_granule, size).is_some()
        };
        let retired = self.retired.get_mut(&class);
        let waiting = retired.as_ref().map_or(0, |slots| slots.len());
        if let Some(slots) = retired
            && (waiting > RETIRED || !space_left)
            && let Some(slot) = slots.pop_front()
        {
            return Ok(self.revive(slot as usize, size, storage));
        }
        if !space_left {
            return Err(End::limit("memory: no addresses left"));
        }
        let slot = self.entries.len();
        let base = if self.wide {
            ((slot as u64) << 32) | WIDE_START
        } else {
            u64::from(self.next_granule) << GRANULE_BITS
        };
        self.entries.push(Entry {
            bytes: fresh(Vec::new(), size, &[]),
            base,
            home: base,
            size,
            storage,
            writable: true,
        });
        if let Some(next) = next_granule(self.next_granule, size)
            && !self.wide
        {
            self.next_granule = next;
            self.set_granules(slot as u32);
        }
        Ok(base)
    }

    /// Makes a new object in a dead slot.
    fn revive(&mut self, slot: usize, size: u64, storage: Storage) -> u64 {
        let entry = &mut self.entries[slot];
        entry.size = size;
        entry.storage = storage;
        entry.writable = true;
        self.renew(slot)
    }

    /// Makes a new object like the last one in a dead slot.
    #[inline]
    fn renew(&mut self, slot: usize) -> u64 {
        let entry = &mut self.entries[slot];
        if self.wide {
            entry.home = next_generation(entry.home);
        }
        if entry.bytes.len() as u64 != entry.size {
            entry.bytes = fresh(std::mem::take(&mut entry.bytes), entry.size, &[]);
        } else {
            entry.bytes.fill(0);
        }
        entry.base = entry.home;
        entry.base
    }

    /// The object of a slot dies for good.
    fn end(&mut self, slot: usize) {
        let entry = &mut self.entries[slot];
        entry.base = if self.wide { WIDE_DEAD } else { NARROW_DEAD };
        if entry.size > KEPT_BUFFER {
            entry.bytes = Vec::new();
        }
        self.retire(slot);
    }

    /// A dead slot waits to be used for another object.
    #[cold]
    fn retire(&mut self, slot: usize) {
        self.live -= self.entries[slot].size + KEEPING;
        let class = self.class(self.entries[slot].size);
        let slots = self.retired.entry(class).or_default();
        slots.push_back(slot as u32);
    }

    /// Which dead slots can be used for an object.
    fn class(&self, size: u64) -> u32 {
        if self.wide { 0 } else { granules(size) }
    }

    fn set_granules(&mut self, slot: u32) {
        if self.wide {
            return;
        }
        let entry = &self.entries[slot as usize];
        let first = (entry.home >> GRANULE_BITS) as usize;
        for granule in first..first + granules(entry.size) as usize {
            let leaf = self.leaves[granule / LEAF].get_or_insert_with(|| Box::new([0; LEAF]));
            leaf[granule % LEAF] = slot;
        }
    }
}

/// Zeroes after some leading bytes, in a buffer that may have been used before.
fn fresh(mut buffer: Vec<u8>, size: u64, leading: &[u8]) -> Vec<u8> {
    if buffer.capacity() == 0 && size > 0 {
        buffer = vec![0; size as usize];
    } else {
        buffer.clear();
        buffer.resize(size as usize, 0);
    }
    buffer[..leading.len()].copy_from_slice(leading);
    buffer
}

/// Sets a buffer of one or two words to zero: most local objects that come and go often have one
/// of these sizes.
#[inline(always)]
fn clear_words(bytes: &mut [u8]) -> Option<()> {
    match bytes.len() {
        4 => *bytes.first_chunk_mut()? = [0; 4],
        8 => *bytes.first_chunk_mut()? = [0; 8],
        _ => return None,
    }
    Some(())
}

/// The address of the next object in a slot, unless this is its last generation (64-bit pointers).
#[inline(always)]
fn later_generation(home: u64) -> Option<u64> {
    let later = home + GENERATION;
    (later as i64 >= 0).then_some(later)
}

/// The same for a slot that has rested: after the last generation comes the first.
fn next_generation(home: u64) -> u64 {
    later_generation(home).unwrap_or(home & (GENERATION - 1))
}

/// Keeps the code for 64-bit pointers together: a jump costs more than it looks.
#[cold]
#[inline]
fn less_often() {}
