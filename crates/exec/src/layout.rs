//! The addresses of global objects and procedures, fixed before a run.
//!
//! With 64-bit pointers an address is `tag << 32 | 2^31 + offset`: the low bits of the tag number
//! the object, the high ones its generation. With 32-bit pointers objects take whole granules, with
//! at least one free granule between them.

use base::Id;
use program::ir::{Address, AddressBase, ObjectId, ProcId, Program, Scope, SiteId};

/// Where an object starts in its 2^32 addresses (64-bit pointers): an address that strays by
/// less than 2^31 bytes in either direction still names the object it came from.
pub(crate) const WIDE_START: u64 = 1 << 31;
/// Bits of a tag that number the object (64-bit pointers).
pub(crate) const WIDE_SLOT_BITS: u32 = 23;
/// The largest object.
pub(crate) const MAX_OBJECT: u64 = 1 << 31;
/// Log2 of the bytes of a granule (32-bit pointers).
pub(crate) const GRANULE_BITS: u32 = 8;
/// The first granule for objects (32-bit pointers): low addresses belong to null, the next ones
/// to procedures.
pub(crate) const FIRST_GRANULE: u32 = 0x0100_0000 >> GRANULE_BITS;

const NARROW_PROCS: u64 = 0x0010_0000;
const WIDE_PROCS: u64 = (1 << (WIDE_SLOT_BITS + 32)) | WIDE_START;
const PROC_STRIDE: u64 = 16;

/// Global objects and their addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Whether pointers have 64 bits.
    pub(crate) wide: bool,
    /// The global objects in order; the first is in slot 1.
    pub(crate) globals: Vec<Global>,
    /// By object its address, 0 for locals.
    pub(crate) addresses: Vec<u64>,
    /// The first granule after them (32-bit pointers).
    pub(crate) next_granule: u32,
    /// By object its size and name, for locals and messages.
    pub(crate) objects: Vec<(u64, std::sync::Arc<str>)>,
    /// By object where its bytes come from when it comes to life.
    pub(crate) contents: Vec<Option<SiteId>>,
    /// Why it does not fit, if it does not.
    pub(crate) too_large: Option<String>,
}

/// A global object before a run.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub(crate) object: ObjectId,
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) read_only: bool,
    /// The leading bytes; the rest is zero.
    pub(crate) bytes: Vec<u8>,
}

impl Layout {
    /// Places the global objects of a program.
    pub(crate) fn new(program: &Program) -> Layout {
        let mut layout = Layout {
            wide: program.pointer_bytes == 8,
            next_granule: FIRST_GRANULE,
            ..Layout::default()
        };
        for (id, object) in program.objects.iter_enumerated() {
            layout.objects.push((object.size, object.name.clone()));
            layout.contents.push(object.contents);
            let address = match object.scope {
                Scope::Global => {
                    layout.align(object.align);
                    layout.place(id, object.size, object.read_only)
                }
                Scope::Local(_) => 0,
            };
            layout.addresses.push(address);
        }
        for index in 0..layout.globals.len() {
            let init = &program.objects[layout.globals[index].object].init;
            let mut bytes = init.bytes.clone();
            for &(offset, address) in &init.addresses {
                let end = offset as usize + program.pointer_bytes as usize;
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                let value = layout.address(address).to_le_bytes();
                bytes[offset as usize..end]
                    .copy_from_slice(&value[..program.pointer_bytes as usize]);
            }
            layout.globals[index].bytes = bytes;
        }
        layout
    }

    /// A constant address as a number.
    pub(crate) fn address(&self, address: Address) -> u64 {
        let base = match address.base {
            AddressBase::Object(object) => self.addresses[object.index()],
            AddressBase::Proc(proc) => self.proc_address(proc),
        };
        self.wrap(base.wrapping_add_signed(address.offset))
    }

    /// The address of a procedure.
    pub(crate) fn proc_address(&self, proc: ProcId) -> u64 {
        let first = if self.wide { WIDE_PROCS } else { NARROW_PROCS };
        first + proc.index() as u64 * PROC_STRIDE
    }

    /// The procedure at an address, if one of the first `count` is there.
    pub(crate) fn proc_at(&self, address: u64, count: usize) -> Option<ProcId> {
        let first = if self.wide { WIDE_PROCS } else { NARROW_PROCS };
        let distance = address.checked_sub(first)?;
        let index = usize::try_from(distance / PROC_STRIDE).ok()?;
        (distance % PROC_STRIDE == 0 && index < count).then(|| ProcId::from_index(index))
    }

    /// An address cut to the pointer width.
    pub(crate) fn wrap(&self, address: u64) -> u64 {
        if self.wide {
            address
        } else {
            address & 0xffff_ffff
        }
    }

    /// With 32-bit pointers, moves on to the next granule of that alignment.
    fn align(&mut self, align: u64) {
        let granules = (align >> GRANULE_BITS).clamp(1, 1 << 20) as u32;
        self.next_granule = self.next_granule.next_multiple_of(granules);
    }

    fn place(&mut self, object: ObjectId, size: u64, read_only: bool) -> u64 {
        let slot = self.globals.len() as u64 + 1;
        let base = if self.wide {
            (slot << 32) | WIDE_START
        } else {
            u64::from(self.next_granule) << GRANULE_BITS
        };
        if size > MAX_OBJECT || slot >= 1 << WIDE_SLOT_BITS {
            self.too_large = Some(format!("an object of {size} bytes"));
        } else if !self.wide {
            match next_granule(self.next_granule, size) {
                Some(next) => self.next_granule = next,
                None => self.too_large = Some("the global objects together".to_owned()),
            }
        }
        self.globals.push(Global {
            object,
            base,
            size,
            read_only,
            bytes: Vec::new(),
        });
        base
    }
}

/// How many granules an object covers: the address after its last byte is still its own.
pub(crate) fn granules(size: u64) -> u32 {
    ((size >> GRANULE_BITS) + 1) as u32
}

/// The granule after an object and its guard, unless the address space ends before.
pub(crate) fn next_granule(granule: u32, size: u64) -> Option<u32> {
    let next = granule.checked_add(granules(size))?.checked_add(1)?;
    (next <= u32::MAX >> GRANULE_BITS).then_some(next)
}
