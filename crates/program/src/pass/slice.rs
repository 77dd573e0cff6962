//! Slicing to the property: keeps what can decide whether an error location is reached.
//!
//! 1. A location from which no error location can be reached, in this procedure, in one it calls,
//!    or after it returns, ends the run there ([`Halt::Abort`]). What is not modelled counts as an
//!    error here: a verdict must still know of it.
//! 2. Of what is left, every condition counts. A variable counts if a condition, a pointer that is
//!    called, or an assignment to one that counts reads it; a parameter or a returned value counts
//!    if what it is given to does. Memory is one thing: it counts if something that counts loads
//!    from it. Library calls and the lives of objects always count.
//! 3. Assignments and havocs of variables that do not count become `Skip`; arguments and returned
//!    values that do not count become zero.
//!
//! All conditions are kept, so loops end or do not end as before and nothing becomes reachable.
//!
//! # Paper
//! [weiser1984program], flow-insensitive, with all branches as the criterion.
//!
//! # Invariants
//! - A defined run reaches an error location exactly if the same inputs lead the sliced program
//!   there. With [`Removal::undefined`] a run that was undefined may also get there; with
//!   [`Removal::inputs`] the inputs that do not count are no longer asked for.

use super::callgraph::CallGraph;
use super::liveness::Removal;
use super::varset::VarSet;
use crate::expr::Expr;
use crate::ir::*;
use crate::validate::check_invariants;
use base::IdVec;

/// The sliced program. All ids stay; some halts are added.
pub fn slice(program: &Program, removal: Removal) -> Program {
    let mut result = program.clone();
    let reaching = Reaching::new(program);
    for proc in program.procs.ids() {
        cut(&mut result.procs[proc], &reaching.locations[proc]);
    }
    let counting = Counting::new(&result, removal);
    for proc in program.procs.ids() {
        for edge in result.procs[proc].edges.ids() {
            let mut op = std::mem::replace(&mut result.procs[proc].edges[edge].op, Op::Skip);
            counting.thin(&result, proc, &mut op);
            result.procs[proc].edges[edge].op = op;
        }
    }
    check_invariants(&result, "slicing");
    result
}

/// Which locations an error can still be reached from.
pub struct Reaching {
    /// For each procedure and location.
    pub locations: IdVec<ProcId, IdVec<LocationId, bool>>,
}

impl Reaching {
    /// Finds them, backwards from the error locations, over calls and returns.
    pub fn new(program: &Program) -> Self {
        let rows = program.procs.iter();
        let mut reaching = Reaching {
            locations: rows
                .map(|row| IdVec::filled(false, row.locations.len()))
                .collect(),
        };
        let graph = CallGraph::new(program);
        let mut changed = true;
        while changed {
            changed = false;
            for proc in graph.order() {
                changed |= reaching.procedure(program, proc, &graph);
            }
        }
        reaching
    }

    /// One round over a procedure; whether it found more.
    fn procedure(&mut self, program: &Program, proc: ProcId, graph: &CallGraph) -> bool {
        let procedure = &program.procs[proc];
        let incoming = procedure.incoming();
        let mut open: Vec<LocationId> = (procedure.locations.iter_enumerated())
            .filter(|(at, row)| {
                row.error.is_some()
                    || self.locations[proc][*at]
                    || (row.out.iter()).any(|&edge| self.may_fail(program, graph, proc, edge))
            })
            .map(|(at, _)| at)
            .collect();
        let mut changed = false;
        let mut seen = IdVec::filled(false, procedure.locations.len());
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            if !std::mem::replace(&mut self.locations[proc][at], true) {
                changed = true;
            }
            open.extend(
                incoming[at]
                    .iter()
                    .map(|&edge| procedure.edges[edge].source),
            );
        }
        // Whoever goes on after a call makes the callee's exit count.
        for edge in procedure.edges.iter() {
            if let Op::Call(call) = &edge.op
                && self.locations[proc][edge.target]
            {
                for callee in callees(graph, call) {
                    let exit = program.procs[callee].exit;
                    changed |= !std::mem::replace(&mut self.locations[callee][exit], true);
                }
            }
        }
        changed
    }

    /// Whether an edge calls a procedure that may reach an error from its entry, or does what we
    /// do not model.
    fn may_fail(&self, program: &Program, graph: &CallGraph, proc: ProcId, edge: EdgeId) -> bool {
        let reaches = |callee: ProcId| self.locations[callee][program.procs[callee].entry];
        match &program.procs[proc].edges[edge].op {
            Op::Call(call) => callees(graph, call).into_iter().any(reaches),
            Op::Unsupported(_) => true,
            Op::Skip
            | Op::Assign(..)
            | Op::Assume(_)
            | Op::Havoc(..)
            | Op::Return(_)
            | Op::Halt(_)
            | Op::Enter(_)
            | Op::Leave(_) => false,
        }
    }
}

fn callees(graph: &CallGraph, call: &Call) -> Vec<ProcId> {
    match &call.callee {
        Callee::Proc(callee) => vec![*callee],
        Callee::Pointer(_) => graph.address_taken.iter().copied().collect(),
        Callee::Library(_) => Vec::new(),
    }
}

/// Ends runs where they can no longer reach an error: edges that lead there lead to a halt
/// instead. What lies behind stays, unreachable.
fn cut(procedure: &mut Procedure, reaches: &IdVec<LocationId, bool>) {
    let incoming = procedure.incoming();
    for location in reaches.ids() {
        let ends = procedure.locations[location].out.is_empty();
        let from_kept = |edge: &EdgeId| reaches[procedure.edges[*edge].source];
        let into: Vec<EdgeId> = incoming[location]
            .iter()
            .copied()
            .filter(from_kept)
            .collect();
        let is_entry = location == procedure.entry;
        if reaches[location] || ends || (into.is_empty() && !is_entry) {
            continue;
        }
        let span = procedure.locations[location].span;
        let (halt, end) = (procedure.add_location(span), procedure.add_location(span));
        procedure.add_edge(halt, end, Op::Halt(Halt::Abort), span);
        into.into_iter()
            .for_each(|edge| procedure.redirect(edge, halt));
        if is_entry {
            procedure.entry = halt;
        }
    }
}

/// What counts.
struct Counting {
    removal: Removal,
    vars: VarSet,
    memory: bool,
    returns: IdVec<ProcId, bool>,
}

impl Counting {
    fn new(program: &Program, removal: Removal) -> Self {
        let mut counting = Counting {
            removal,
            vars: VarSet::new(program.vars.len()),
            memory: false,
            returns: IdVec::filled(false, program.procs.len()),
        };
        loop {
            let before = counting.size();
            for (proc, procedure) in program.procs.iter_enumerated() {
                for edge in procedure.edges.iter() {
                    counting.op(program, proc, &edge.op);
                }
            }
            if counting.size() == before {
                return counting;
            }
        }
    }

    fn size(&self) -> usize {
        let returns = self.returns.iter().filter(|&&counts| counts).count();
        self.vars.len() + usize::from(self.memory) + returns
    }

    fn expr(&mut self, expr: &Expr) {
        self.vars.extend(expr.vars());
        self.memory |= expr.reads_memory();
    }

    /// What is given to something: it counts if that does, or if it may be undefined and that is
    /// to be kept.
    fn given(&mut self, program: &Program, to_counts: bool, value: &Expr) {
        if to_counts || self.keeps_undefined(program, value) {
            self.expr(value);
        }
    }

    fn keeps_undefined(&self, program: &Program, value: &Expr) -> bool {
        !self.removal.undefined && value.may_be_undefined_in(program)
    }

    fn op(&mut self, program: &Program, proc: ProcId, op: &Op) {
        match op {
            Op::Skip | Op::Enter(_) | Op::Leave(_) | Op::Unsupported(_) => {}
            Op::Assume(condition) => self.expr(condition),
            Op::Assign(Place::Var(var), value) => {
                self.given(program, self.vars.contains(*var), value);
            }
            Op::Havoc(Place::Var(_), _) => {}
            Op::Assign(Place::Mem(_, address), value) => {
                // A store may be undefined, so it stays unless that may go.
                if self.memory || !self.removal.undefined {
                    self.expr(address);
                }
                self.given(program, self.memory, value);
            }
            Op::Havoc(Place::Mem(_, address), _) => {
                if self.memory || !self.removal.undefined || !self.removal.inputs {
                    self.expr(address);
                }
            }
            Op::Return(value) => {
                if let Some(value) = value {
                    self.given(program, self.returns[proc], value);
                }
            }
            Op::Halt(Halt::Exit(status)) => self.given(program, false, status),
            Op::Halt(Halt::Abort | Halt::Unreachable) => {}
            Op::Call(call) => self.call(program, call),
        }
    }

    fn call(&mut self, program: &Program, call: &Call) {
        match &call.callee {
            Callee::Proc(callee) => {
                let procedure = &program.procs[*callee];
                for (param, arg) in procedure.params.iter().zip(&call.args) {
                    self.given(program, self.vars.contains(*param), arg);
                }
                if let (Some(param), Some(arg)) = (procedure.varargs, &call.varargs) {
                    self.given(program, self.vars.contains(param), arg);
                }
                if call.result.is_some_and(|result| self.vars.contains(result)) {
                    self.returns[*callee] = true;
                }
            }
            Callee::Pointer(pointer) => {
                // Anybody may be called with these.
                self.expr(pointer);
                call.args
                    .iter()
                    .chain(&call.varargs)
                    .for_each(|arg| self.expr(arg));
                self.returns.iter_mut().for_each(|counts| *counts = true);
            }
            Callee::Library(_) => {
                call.args
                    .iter()
                    .chain(&call.varargs)
                    .for_each(|arg| self.expr(arg));
                // It may read what its pointers lead to.
                self.memory = true;
            }
        }
    }

    /// Takes from an op what does not count.
    fn thin(&self, program: &Program, proc: ProcId, op: &mut Op) {
        let zero = |counts: bool, value: &mut Expr| {
            if !counts && !self.keeps_undefined(program, value) {
                *value = Expr::Const(value.ty(program).zero());
            }
        };
        let goes = match op {
            Op::Assign(Place::Var(var), value) => {
                !self.vars.contains(*var) && !self.keeps_undefined(program, value)
            }
            Op::Havoc(Place::Var(var), site) => {
                let kind = program.sites[*site].kind;
                let input = kind != SiteKind::Uninitialized;
                !self.vars.contains(*var) && (self.removal.inputs || !input)
            }
            Op::Assign(Place::Mem(..), value) => {
                zero(self.memory, value);
                !self.memory && self.removal.undefined
            }
            Op::Havoc(Place::Mem(..), _) => {
                !self.memory && self.removal.undefined && self.removal.inputs
            }
            Op::Return(Some(value)) => {
                zero(self.returns[proc], value);
                false
            }
            Op::Halt(Halt::Exit(status)) => {
                zero(false, status);
                false
            }
            Op::Call(call) => {
                if let Callee::Proc(callee) = call.callee {
                    let procedure = &program.procs[callee];
                    for (param, arg) in procedure.params.iter().zip(&mut call.args) {
                        zero(self.vars.contains(*param), arg);
                    }
                    if let (Some(param), Some(arg)) = (procedure.varargs, &mut call.varargs) {
                        zero(self.vars.contains(param), arg);
                    }
                }
                false
            }
            Op::Skip
            | Op::Assume(_)
            | Op::Return(None)
            | Op::Halt(Halt::Abort | Halt::Unreachable)
            | Op::Enter(_)
            | Op::Leave(_)
            | Op::Unsupported(_) => false,
        };
        if goes {
            *op = Op::Skip;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use crate::text::{Printer, read};
    use crate::validate::validate;
    use base::{Diagnostics, SourceMap};

    const PROGRAM: &str = r#"program ptr 8 entry main
global v0 log: i32 = 0i32
site n0: nondet i32 "input"
object o0 tab: 8 align 8
proc p0 main() -> i32 entry l0 exit l1 {
  local v1 x: i32
  local v2 noise: u32
  local v3 r: i32
  l0:
    e0: havoc x n0 -> l2
  l2:
    e1: noise := u32(x) * 3u32 -> l3
  l3:
    e2: i32[&tab] := x -> l4
  l4:
    e3: r := call f(x, noise) -> l5
  l5:
    e4: assume r == 3i32 -> l6
    e5: assume r != 3i32 -> l7
  l6: error assertion "no"
  l7:
    e6: log := 5i32 -> l8
  l8:
    e7: return log -> l1
  l1:
}
proc p1 f(v4 a: i32, v5 b: u32) -> i32 entry l0 exit l1 {
  l0:
    e0: return a + 1i32 -> l1
  l1:
}
"#;

    fn parse(text: &str) -> Program {
        let mut sources = SourceMap::new();
        let file = sources.add("p", text.into()).unwrap();
        let mut diagnostics = Diagnostics::new();
        let program = read(&sources, file, &mut diagnostics);
        program.unwrap_or_else(|| panic!("{diagnostics:?}"))
    }

    fn reachable_ops(program: &Program) -> Vec<String> {
        let printer = Printer::new(program);
        let procedure = &program.procs[program.entry];
        let reachable = procedure.reachable();
        let edges = procedure.edges.iter().filter(|edge| reachable[edge.source]);
        edges.map(|edge| printer.op(&edge.op)).collect()
    }

    #[test]
    fn keeps_what_decides() {
        let program = parse(PROGRAM);
        let found = reachable_ops(&slice(&program, Removal::default()));
        let expected = [
            "havoc x n0",
            "skip",
            // The store stays, for it could be undefined; what it stores does not matter.
            "i32[&tab] := 0i32",
            "r := call f(x, 0u32)",
            "assume r == 3i32",
            "assume r != 3i32",
            "abort",
        ];
        assert_eq!(found, expected);
        let removal = Removal {
            undefined: true,
            inputs: true,
        };
        assert_eq!(reachable_ops(&slice(&program, removal))[2], "skip");
    }

    #[test]
    fn without_an_error_location_nothing_is_left() {
        let program =
            parse(&PROGRAM.replace(": error assertion \"no\"", ":\n    e8: abort -> l9\n  l9:"));
        assert_eq!(
            reachable_ops(&slice(&program, Removal::default())),
            ["abort"]
        );
        let asm = PROGRAM.replace(
            ": error assertion \"no\"",
            ":\n    e8: unsupported \"asm\" -> l9\n  l9:",
        );
        assert_eq!(
            reachable_ops(&slice(&parse(&asm), Removal::default())).len(),
            8
        );
    }

    #[test]
    fn random_programs_stay_valid() {
        for seed in 0..200 {
            let program = random::program(seed, 25);
            for (undefined, inputs) in [(false, false), (true, false), (true, true)] {
                let result = slice(&program, Removal { undefined, inputs });
                assert_eq!(validate(&result).first(), None, "seed {seed}");
            }
        }
    }
}
