//! Which heap objects have leaked: no address of theirs is left.
//!
//! Whatever looks like an address counts as one: every number in a variable of the program or of an
//! active procedure, and every few bytes of a reachable object. So what is reported as leaked
//! certainly is.

use crate::memory::Memory;
use crate::state::State;
use crate::wide_ops::Registers;
use base::Id;
use program::ir::ProcId;

/// Whether all live heap objects can be reached, as a procedure sees it.
pub(crate) fn is_tracked(proc: ProcId, regs: &Registers, state: &State<'_>) -> bool {
    if !state.memory.has_heap() {
        return true;
    }
    let code = state.code;
    let callers = state.frames.iter().skip(1).map(|frame| {
        // The call is the last instruction before the word that is returned to.
        code.edges[code.origins[frame.back as usize] as usize - 1].0
    });
    let mut roots: Vec<u64> = state.saved().to_vec();
    // The program's own variables come first, before those of any procedure.
    let first = code.procs.first();
    roots.extend(&regs[..first.map_or(0, |row| row.base as usize)]);
    roots.extend(&state.far[..first.map_or(0, |row| row.far_base as usize)]);
    for active in callers.chain([proc]) {
        let row = &code.procs[active.index()];
        roots.extend(&regs[row.base as usize..][..row.slots as usize]);
        roots.extend(&state.far[row.far_base as usize..][..row.far_slots as usize]);
    }
    all_reached(&state.memory, roots)
}

/// Whether all live heap objects are reached from some numbers and from the other objects.
fn all_reached(memory: &Memory<'_>, mut open: Vec<u64>) -> bool {
    let mut reached = vec![false; memory.slots()];
    for object in memory.living().filter(|&slot| !memory.is_heap(slot)) {
        open.extend(memory.words(object));
    }
    while let Some(number) = open.pop() {
        if let Some(slot) = memory.heap_slot(number)
            && !std::mem::replace(&mut reached[slot], true)
        {
            open.extend(memory.words(slot));
        }
    }
    let mut heap = memory.living().filter(|&slot| memory.is_heap(slot));
    heap.all(|slot| reached[slot])
}
