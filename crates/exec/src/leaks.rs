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
        roots.extend(&regs[row.near()]);
        roots.extend(&state.far[row.far()]);
    }
    all_reached(&state.memory, roots)
}

/// Whether all live heap objects are reached from some numbers and from the other objects. What an
/// object holds is looked at only while one is missing, as objects may be large.
fn all_reached(memory: &Memory<'_>, mut open: Vec<u64>) -> bool {
    let mut is_missing = vec![false; memory.slots()];
    let (heap, mut unread): (Vec<usize>, Vec<usize>) =
        memory.living().partition(|&slot| memory.is_heap(slot));
    let mut missing = heap.len();
    heap.into_iter().for_each(|slot| is_missing[slot] = true);
    while missing > 0 {
        let Some(number) = open.pop() else {
            match unread.pop() {
                Some(slot) => open.extend(memory.words(slot)),
                None => return false,
            }
            continue;
        };
        if let Some(slot) = memory.heap_slot(number)
            && std::mem::replace(&mut is_missing[slot], false)
        {
            missing -= 1;
            unread.push(slot);
        }
    }
    true
}
