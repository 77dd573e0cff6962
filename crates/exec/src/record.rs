//! The path of a run, folded so that long loops take bounded memory.

use crate::bytecode::{AssignedPlace, Code};
use crate::memory::{Memory, Storage};
use crate::slow::{Registers, get};
use crate::state::Observer;
use crate::value::{Value, constant};
use program::expr::Type;
use program::ir::{EdgeId, ProcId, Program, VarId};

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The procedure.
    pub proc: ProcId,
    /// The edge.
    pub edge: EdgeId,
    /// Activations on the stack: 1 in the entry procedure.
    pub depth: usize,
    /// What was assigned, if anything was.
    pub assigned: Option<(Target, Value)>,
}

/// Where a value was put.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Target {
    /// In a variable.
    Var(VarId),
    /// In an object, so many bytes from its start.
    Object(Storage, i64),
}

/// A path.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Path {
    /// Its steps.
    pub steps: Vec<Step>,
}

/// Records a path.
pub(crate) struct Recorder {
    steps: Vec<Step>,
}

impl Recorder {
    pub(crate) fn new(_program: &Program) -> Self {
        Recorder { steps: Vec::new() }
    }

    pub(crate) fn finish(self) -> Path {
        Path { steps: self.steps }
    }
}

impl Observer for Recorder {
    fn mark(&mut self, proc: ProcId, edge: EdgeId, depth: usize) {
        self.steps.push(Step {
            proc,
            edge,
            depth,
            assigned: None,
        });
    }

    fn assigned(&mut self, code: &Code, index: u32, regs: &Registers, memory: &Memory) {
        let assigned = &code.assigned[index as usize];
        let slots = get(regs, assigned.value);
        let value = value_of(code, memory, assigned.ty, slots);
        let target = match assigned.place {
            AssignedPlace::Var(var) => Some(Target::Var(var)),
            AssignedPlace::Mem(reg) => memory
                .owner(code.layout.wrap(regs[reg as usize]))
                .map(|(storage, offset)| Target::Object(storage, offset)),
        };
        if let (Some(step), Some(target)) = (self.steps.last_mut(), target) {
            step.assigned = Some((target, value));
        }
    }
}

/// A value with its address resolved, if it is one.
fn value_of(code: &Code, memory: &Memory, ty: Type, slots: [u64; 2]) -> Value {
    if ty != Type::Ptr || slots[0] == 0 {
        return Value::Constant(constant(ty, slots));
    }
    if let Some(proc) = code.layout.proc_at(slots[0], code.procs.len()) {
        return Value::Proc(proc);
    }
    match memory.owner(slots[0]) {
        Some((storage, offset)) => Value::Address(storage, offset),
        None => Value::Wild(slots[0]),
    }
}
