//! Failing accesses, in words.

use super::{Access, Entry, Memory, SLOT_MASK, Storage};
use crate::layout::GRANULE_BITS;
use crate::{Undefined, UndefinedKind};
use base::Id;

impl Memory<'_> {
    /// Why an access fails.
    #[cold]
    pub(crate) fn explain(&self, address: u64, count: u64, access: Access) -> Undefined {
        let (kind, verb) = match access {
            Access::Read => (UndefinedKind::InvalidRead, "read"),
            Access::Write => (UndefinedKind::InvalidWrite, "write"),
        };
        let bytes = if count == 1 { "byte" } else { "bytes" };
        Undefined::new(
            kind,
            format!(
                "{verb} of {count} {bytes} {}",
                self.describe(address, count, access)
            ),
        )
    }

    fn describe(&self, address: u64, count: u64, access: Access) -> String {
        if address == 0 {
            return "through a null pointer".to_owned();
        }
        let Some(entry) = self.nearest(address) else {
            return if self.wide && (address >> 32) & SLOT_MASK != 0 {
                format!("at {address:#x}, in an object that is no longer alive")
            } else {
                format!("at {address:#x}, where no object is")
            };
        };
        let offset = address.wrapping_sub(entry.home) as i64;
        let size = entry.size;
        let at = format!("at offset {offset} of {}", self.name(entry.storage));
        let inside =
            u64::try_from(offset).is_ok_and(|offset| offset <= size && count <= size - offset);
        match entry.storage {
            _ if entry.is_living() && inside && access == Access::Write => {
                format!("{at}, which is read-only")
            }
            _ if entry.is_living() => format!("{at}, which has {size} bytes"),
            Storage::Heap(_) => format!("{at}, which was freed"),
            Storage::Declared(_) | Storage::Stack(_) => format!("{at}, which is no longer alive"),
        }
    }

    pub(super) fn explain_free(&self, address: u64) -> String {
        let Some(entry) = self.nearest(address) else {
            return format!("free of {address:#x}, where no object is");
        };
        let offset = address.wrapping_sub(entry.home) as i64;
        let name = self.name(entry.storage);
        if !matches!(entry.storage, Storage::Heap(_)) {
            format!("free of {name}, which is not from the heap")
        } else if !entry.is_living() {
            format!("free of {name}, which was freed before")
        } else {
            format!("free of offset {offset} of {name}, not its start")
        }
    }

    /// An object's name, for messages.
    pub(crate) fn name(&self, storage: Storage) -> String {
        match storage {
            Storage::Declared(object) => format!("`{}`", self.layout.objects[object.index()].1),
            Storage::Heap(number) => format!("heap object #{number}"),
            Storage::Stack(number) => format!("alloca object #{number}"),
        }
    }

    /// The object an address belongs to and the offset in it, dead or alive.
    pub(crate) fn owner(&self, address: u64) -> Option<(Storage, i64)> {
        let entry = self.nearest(address)?;
        Some((entry.storage, address.wrapping_sub(entry.home) as i64))
    }

    /// The object that an address belongs to or most likely strayed from.
    fn nearest(&self, address: u64) -> Option<&Entry> {
        let slot = self.slot(address);
        if self.wide {
            let entry = self.entries.get(slot).filter(|_| slot != 0)?;
            // An older generation of the slot died; what is there now is someone else.
            return (entry.home >> 32 == address >> 32).then_some(entry);
        }
        if slot != 0 {
            return Some(&self.entries[slot]);
        }
        let reach = 1 << (GRANULE_BITS + 1);
        self.entries[1..]
            .iter()
            .filter(|entry| {
                address + reach >= entry.home && address < entry.home + entry.size + reach
            })
            .min_by_key(|entry| address.abs_diff(entry.home))
    }
}
