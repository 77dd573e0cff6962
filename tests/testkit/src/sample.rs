//! States seen in runs: for testing what is claimed of a program against what it does.
//!
//! [`sample`] runs a program on the random inputs of a seed and shows the state at the source of
//! every edge taken, in order, and at the error location where the run ended.

use base::Budget;
use exec::inputs::RandomInputs;
use exec::value::{Target, Value, Values};
use exec::{End, Limits, Machine, Run, Watch};
use program::expr::{Constant, Type};
use program::ir::{Callee, EdgeId, LocationId, Op, ProcId, Program, Scope, VarId};

/// A state of a run.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'s> {
    /// The procedure that runs.
    pub proc: ProcId,
    /// Where.
    pub at: LocationId,
    /// Which activation of a procedure this is, counted from 0 in each run: two samples of one
    /// activation are of one execution of its body.
    pub activation: usize,
    /// The values of the globals and of the procedure's own variables; no others are known.
    pub values: &'s Values,
}

/// Runs once on the inputs of a seed and shows what it sees.
pub fn sample(
    machine: &Machine,
    seed: u64,
    limits: &Limits,
    budget: &Budget,
    see: &mut dyn FnMut(&Sample),
) -> Run {
    let program = machine.program();
    let start = program.vars.iter().map(|var| match var.scope {
        Scope::Global => var.init.filter(|_| is_shown(var.ty)),
        Scope::Local(_) => None,
    });
    let mut sampler = Sampler {
        program,
        values: start.collect(),
        activation: 0,
        activations: 1,
        callers: Vec::new(),
        is_calling: false,
        see,
    };
    let mut inputs = RandomInputs::new(seed);
    let run = machine.run_watched(&mut inputs, limits, budget, &mut sampler);
    if let End::Violated(proc, at) = run.end {
        sampler.show(proc, at);
    }
    run
}

fn is_shown(ty: Type) -> bool {
    matches!(ty, Type::Bool | Type::Int(_))
}

/// What is known of an activation's own variables.
type Locals = Vec<(VarId, Option<Constant>)>;

struct Sampler<'s> {
    program: &'s Program,
    values: Values,
    activation: usize,
    activations: usize,
    /// The activations that wait, with their locals.
    callers: Vec<(usize, Locals)>,
    /// Whether the edge last named calls a procedure.
    is_calling: bool,
    see: &'s mut dyn FnMut(&Sample),
}

impl Sampler<'_> {
    fn show(&mut self, proc: ProcId, at: LocationId) {
        (self.see)(&Sample {
            proc,
            at,
            activation: self.activation,
            values: &self.values,
        });
    }

    /// A new activation: its locals are not known, those of the caller wait.
    fn enter(&mut self) {
        let mut waiting = Vec::new();
        for (var, row) in self.program.vars.iter_enumerated() {
            if row.scope != Scope::Global && self.values[var].is_some() {
                waiting.push((var, self.values[var].take()));
            }
        }
        self.callers.push((self.activation, waiting));
        self.activation = self.activations;
        self.activations += 1;
    }

    fn leave(&mut self) {
        let Some((activation, waiting)) = self.callers.pop() else {
            return;
        };
        for (var, row) in self.program.vars.iter_enumerated() {
            if row.scope != Scope::Global {
                self.values[var] = None;
            }
        }
        for (var, value) in waiting {
            self.values[var] = value;
        }
        self.activation = activation;
    }
}

impl Watch for Sampler<'_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        let edge = &self.program.procs[proc].edges[edge];
        if std::mem::take(&mut self.is_calling) {
            self.enter();
        }
        self.show(proc, edge.source);
        match &edge.op {
            Op::Call(call) => {
                self.is_calling = matches!(call.callee, Callee::Proc(_) | Callee::Pointer(_));
            }
            // What is written next is the caller's.
            Op::Return(_) => self.leave(),
            Op::Skip
            | Op::Assign(..)
            | Op::Assume(_)
            | Op::Havoc(..)
            | Op::Halt(_)
            | Op::Enter(_)
            | Op::Leave(_)
            | Op::Unsupported(_) => {}
        }
    }

    fn wrote(&mut self, target: Target, value: Value) {
        if let Target::Var(var) = target {
            let shown = is_shown(self.program.vars[var].ty);
            self.values[var] = match value {
                Value::Constant(value) if shown => Some(value),
                Value::Constant(_) | Value::Address(..) | Value::Proc(_) | Value::Wild(_) => None,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    const TEXT: &str = "program ptr 8 entry main
proc p0 main() entry l0 exit l1 {
  local v0 x: i32
  l0:
    e0: x := 1i32 -> l2
  l2:
    e1: x := call f() -> l3
  l3:
    e2: return -> l1
  l1:
}
proc p1 f() -> i32 entry l0 exit l1 {
  local v1 y: i32
  l0:
    e0: y := 2i32 -> l2
  l2:
    e1: return y -> l1
  l1:
}
";

    #[test]
    fn shows_each_activation_with_its_own_locals() {
        let program = program::testing::parse(TEXT);
        let machine = Machine::new(&program);
        let limits = Limits {
            steps: 100,
            memory: 100,
            depth: 10,
        };
        let mut seen = Vec::new();
        let number = |value: Option<Constant>| match value {
            Some(Constant::Int(value)) => value.to_i128(),
            _ => None,
        };
        sample(&machine, 0, &limits, &Budget::unlimited(), &mut |sample| {
            let values = sample.values.iter().map(|&value| number(value));
            seen.push((
                sample.activation,
                sample.at.index(),
                values.collect::<Vec<_>>(),
            ));
        });
        let expected = [
            (0, 0, vec![None, None]),
            (0, 2, vec![Some(1), None]),
            (1, 0, vec![None, None]),
            (1, 2, vec![None, Some(2)]),
            (0, 3, vec![Some(2), None]),
        ];
        assert_eq!(seen, expected);
    }
}
