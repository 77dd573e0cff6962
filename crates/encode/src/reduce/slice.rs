//! Slicing to the property: keeps what can decide whether an error location is reached.
//!
//! 1. A location from which no error location can be reached, in this procedure, in one it calls,
//!    or after it returns, ends the run there ([`Halt::Abort`]). An unmodelled construct counts as
//!    an error here: a verdict must still know of it.
//! 2. In the rest, every condition is relevant. A variable is relevant if a condition, a function
//!    pointer being called, or an assignment to a relevant variable reads it; a parameter or a
//!    return value is relevant if what it is assigned to is. Memory is treated as one: it is
//!    relevant if something relevant loads from it. Library calls and object lifetimes are always
//!    relevant.
//! 3. Assignments and havocs of irrelevant variables become `Skip`; irrelevant arguments and return
//!    values become zero.
//!
//! All conditions are kept, so loops terminate exactly when they did before and nothing becomes
//! reachable.
//!
//! # Paper
//! [weiser1984program], flow-insensitive, with all branches as the criterion.
//!
//! # Invariants
//! - A defined run reaches an error location if and only if the same inputs lead the sliced program
//!   there. With [`Removal::undefined`] an undefined run may also get there; with
//!   [`Removal::inputs`] irrelevant inputs are no longer read.

use super::dead::Removal;
use super::reaching::Reaching;
use base::IdVec;
use program::expr::Expr;
use program::ir::*;
use program::pass::VarSet;
use program::validate::check_invariants;

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

/// Ends runs where they can no longer reach an error: edges that lead there lead to a halt
/// instead. What comes after stays, unreachable.
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
            vars: VarSet::default(),
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
            Op::Halt(Halt::Abort | Halt::Undefined(_)) => {}
            Op::Call(call) => self.call(program, call),
        }
    }

    fn call(&mut self, program: &Program, call: &Call) {
        let args = call.args.iter().chain(&call.varargs);
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
                args.for_each(|arg| self.expr(arg));
                self.returns.iter_mut().for_each(|counts| *counts = true);
            }
            Callee::Library(_) => {
                args.for_each(|arg| self.expr(arg));
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
            | Op::Halt(Halt::Abort | Halt::Undefined(_))
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
mod tests;
