//! The machine: a compiled program and the ways to run it.

use crate::bytecode::{AssignedPlace, Code};
use crate::compile::{Mode, compile};
use crate::coverage::Coverage;
use crate::interpret::{new_registers, run, set_registers};
use crate::memory::Memory;
use crate::state::{NoObserver, Observer, State};
use crate::value::{Target, Value, constant};
use crate::wide_ops::{Registers, get};
use crate::{End, Inputs, Limits, Run, Watch};
use base::{Budget, Span};
use program::expr::Type;
use program::ir::{EdgeId, ProcId, Program};
use std::sync::{Mutex, OnceLock};

/// A program ready to run.
pub struct Machine<'p> {
    program: &'p Program,
    /// For each mode the code, made when it is first needed.
    codes: [OnceLock<Code>; 4],
    /// Register files of runs that have ended: clearing a new one would cost more than a short
    /// run.
    spare: Mutex<Vec<Box<Registers>>>,
}

impl<'p> Machine<'p> {
    /// Compiles a program.
    pub fn new(program: &'p Program) -> Self {
        let machine = Machine {
            program,
            codes: Default::default(),
            spare: Mutex::new(Vec::new()),
        };
        machine.code(Mode::Plain);
        machine
    }

    /// The program it runs.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Runs from the entry.
    pub fn run(&self, inputs: &mut dyn Inputs, limits: &Limits, budget: &Budget) -> Run {
        let code = self.code(Mode::Plain);
        self.run_on(code, inputs, limits, budget, &mut NoObserver, &mut [])
    }

    /// The same run, with an observer of every edge; may be slower.
    pub fn run_watched(
        &self,
        inputs: &mut dyn Inputs,
        limits: &Limits,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Run {
        let code = self.code(Mode::Marked);
        self.run_on(code, inputs, limits, budget, &mut Watched(watch), &mut [])
    }

    /// The same run, with an observer of all that is assigned, read and passed; slower still.
    pub fn run_traced(
        &self,
        inputs: &mut dyn Inputs,
        limits: &Limits,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Run {
        let code = self.code(Mode::Traced);
        self.run_on(code, inputs, limits, budget, &mut Watched(watch), &mut [])
    }

    /// The same run, counting how often each edge of each branch was taken; hardly slower.
    pub fn run_covering(
        &self,
        inputs: &mut dyn Inputs,
        limits: &Limits,
        budget: &Budget,
        coverage: &mut Coverage,
    ) -> Run {
        let code = self.code(Mode::Counted);
        let counts = &mut coverage.counts[..];
        self.run_on(code, inputs, limits, budget, &mut NoObserver, counts)
    }

    pub(crate) fn code(&self, mode: Mode) -> &Code {
        self.codes[mode as usize].get_or_init(|| compile(self.program, mode))
    }

    fn run_on(
        &self,
        code: &Code,
        inputs: &mut dyn Inputs,
        limits: &Limits,
        budget: &Budget,
        observer: &mut dyn Observer,
        counts: &mut [[u32; 2]],
    ) -> Run {
        let mut state = match State::new(code, limits, inputs, observer) {
            Ok(state) => state,
            Err(end) => return failed_start(end),
        };
        state.counts = counts;
        let mut regs = self.take_registers();
        set_registers(code, &mut regs);
        let (end, at) = run(&mut state, &mut regs, budget);
        self.give_registers(regs);
        // The first frame returns to the code before every procedure.
        let stack = state.frames.iter().skip(1).map(|frame| {
            // The call is the last instruction before the word that is returned to.
            let (proc, edge) = code.edges[code.origins[frame.back as usize] as usize - 1];
            (proc, self.program.procs[proc].edges[edge].span)
        });
        let finished = at == code.origins[code.finish as usize] as usize;
        Run {
            end,
            at: (!finished).then(|| code.edges[at]),
            span: if finished {
                Span::NONE
            } else {
                self.span(code, at)
            },
            stack: stack.collect(),
            inputs: state.inputs,
            steps: state.steps,
            output: state.output.finish(),
        }
    }

    fn take_registers(&self) -> Box<Registers> {
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        spare.unwrap_or_else(new_registers)
    }

    fn give_registers(&self, regs: Box<Registers>) {
        if let Ok(mut spare) = self.spare.lock() {
            spare.push(regs);
        }
    }

    fn span(&self, code: &Code, at: usize) -> Span {
        let (proc, edge) = code.edges[at];
        let procedure = &self.program.procs[proc];
        procedure
            .edges
            .get(edge)
            .map_or(procedure.span, |edge| edge.span)
    }
}

fn failed_start(end: End) -> Run {
    Run {
        end,
        at: None,
        span: Span::NONE,
        stack: Vec::new(),
        inputs: Vec::new(),
        steps: 0,
        output: Vec::new(),
    }
}

/// Passes what happens on to a [`Watch`].
struct Watched<'w>(&'w mut dyn Watch);

impl Observer for Watched<'_> {
    fn mark(&mut self, proc: ProcId, edge: EdgeId) {
        self.0.edge(proc, edge);
    }

    fn assigned(&mut self, code: &Code, index: u32, regs: &Registers, memory: &Memory) {
        let assigned = &code.assigned[index as usize];
        let value = value_of(code, memory, assigned.ty, get(regs, assigned.value));
        let target = match assigned.place {
            AssignedPlace::Var(var) => Some(Target::Var(var)),
            AssignedPlace::Mem(reg) => {
                let address = regs[reg as usize];
                let pointer_bytes = if code.layout.wide { 8 } else { 4 };
                self.changed(address, assigned.ty.bytes(pointer_bytes));
                memory
                    .owner(address)
                    .map(|(storage, offset)| Target::Object(storage, offset))
            }
        };
        if let Some(target) = target {
            self.0.wrote(target, value);
        }
    }

    fn read(&mut self, address: u64, bytes: u64) {
        self.0.read(address..address.saturating_add(bytes));
    }

    fn changed(&mut self, address: u64, bytes: u64) {
        self.0.changed(address..address.saturating_add(bytes));
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
