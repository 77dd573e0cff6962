//! Where variables and constants live.

use super::{Compiler, Slot};
use crate::bytecode::{FIRST_TEMP, ProcCode, Reg, slots_of};
use crate::value::constant_slots;
use base::Id;
use program::ir::{Scope, VarId};
use program::pass::callgraph::CallGraph;

/// Near slots kept free for constants.
const FOR_CONSTANTS: usize = 1 << 13;

impl Compiler<'_> {
    /// Gives every variable its slots: parameters and addresses of objects always near, the rest
    /// as long as there is room.
    pub(super) fn assign_slots(&mut self) {
        let program = self.program;
        let graph = CallGraph::new(program);
        let mut locals: Vec<Vec<VarId>> = vec![Vec::new(); program.procs.len()];
        let mut objects = vec![Vec::new(); program.procs.len()];
        let mut fixed = 0;
        for (id, object) in program.objects.iter_enumerated() {
            if let Scope::Local(proc) = object.scope {
                objects[proc.index()].push(id);
                fixed += 1;
            }
        }
        for procedure in program.procs.iter() {
            fixed += 2 * (procedure.params.len() + 1);
        }
        // Without this room nothing works; the run will say so.
        let room = (FIRST_TEMP - FOR_CONSTANTS).checked_sub(fixed);
        let mut room = room.unwrap_or_else(|| {
            self.too_deep = true;
            0
        });
        for (id, var) in program.vars.iter_enumerated() {
            match var.scope {
                Scope::Global => {
                    let slots = var.init.map_or([0; 2], constant_slots);
                    self.vars[id] = self.new_slot(slots, slots_of(var.ty), &mut room);
                }
                Scope::Local(proc) => locals[proc.index()].push(id),
            }
        }
        for (proc, procedure) in program.procs.iter_enumerated() {
            let index = proc.index();
            let first = procedure.params.iter().chain(&procedure.varargs);
            let mut row = ProcCode {
                base: self.next_near as Reg,
                far_base: self.code.far.len() as u32,
                params: procedure
                    .params
                    .iter()
                    .map(|&param| program.vars[param].ty)
                    .collect(),
                variadic: procedure.varargs.is_some(),
                ret: procedure.ret,
                recursive: graph.recursive[proc],
                address_taken: graph.address_taken.contains(&proc),
                ..ProcCode::default()
            };
            for &param in first.clone() {
                self.vars[param] = self.new_slot([0; 2], slots_of(program.vars[param].ty), &mut 2);
            }
            row.param_slots = (self.next_near - row.base as usize) as u16;
            for &object in &objects[index] {
                let Slot::Near(reg) = self.new_slot([0; 2], 1, &mut 1) else {
                    unreachable!("there should be room for one slot");
                };
                self.code.object_regs[object.index()] = reg;
                row.objects.push((object, reg));
            }
            let params: Vec<VarId> = first.copied().collect();
            for &local in locals[index].iter().filter(|var| !params.contains(var)) {
                let slots = slots_of(program.vars[local].ty);
                self.vars[local] = self.new_slot([0; 2], slots, &mut room);
            }
            row.slots = (self.next_near - row.base as usize) as u16;
            row.far_slots = self.code.far.len() as u32 - row.far_base;
            self.code.procs.push(row);
        }
    }

    /// One or two new slots with initial values: near while there is room.
    fn new_slot(&mut self, values: [u64; 2], count: u16, room: &mut usize) -> Slot {
        let values = &values[..count as usize];
        let near = *room >= values.len() && self.next_near + values.len() <= FIRST_TEMP;
        if near {
            *room -= values.len();
            let slot = Slot::Near(self.next_near as Reg);
            self.next_near += values.len();
            self.code.near.resize(self.next_near, 0);
            let start = self.next_near - values.len();
            self.code.near[start..].copy_from_slice(values);
            slot
        } else {
            let slot = Slot::Far(self.code.far.len() as u32);
            self.code.far.extend(values);
            slot
        }
    }

    /// The slot of a constant of one or two slots.
    pub(crate) fn constant_slot(&mut self, values: [u64; 2], count: u16) -> Slot {
        let key = (values, count);
        if let Some(&slot) = self.constants.get(&key) {
            return slot;
        }
        let slot = self.new_slot(values, count, &mut 2);
        self.constants.insert(key, slot);
        slot
    }
}
