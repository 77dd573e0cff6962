//! Calls through pointers become guarded direct calls.
//!
//! The pointer is compared with the procedures whose address it may hold, one after the other, and
//! the first that is equal is called: one whose address is taken, and whose parameters and result
//! match the call. Everything else is undefined behaviour, as on the machine, except for a pointer
//! that the environment may have supplied (`targets` says which): what that calls is not known, and
//! an unsupported op says where it comes from.
//!
//! A call with more than [`MOST`] procedures to choose from is left as it is.
//!
//! # Invariants
//! - Procedures, variables, objects, sites, locations and edges keep their ids; new ones come after
//!   them. A run that was at an old location is there now.
//! - Runs are the same, with the same inputs, except that a call of an address supplied by the
//!   environment, where no procedure is, ends in the unsupported op, and that of two undefined
//!   parts of a call either may be reached first.

mod targets;

use self::targets::{Targets, find_targets};
use super::callgraph::CallGraph;
use crate::expr::{BinaryOp, Expr, Type};
use crate::ir::*;
use crate::validate::check_invariants;
use base::IdVec;
use std::borrow::Cow;

/// More procedures than this are not told apart at a call.
pub const MOST: usize = 64;

/// A program without calls through pointers, and the way back.
pub struct Directed<'p> {
    /// The program.
    pub program: Cow<'p, Program>,
    /// The edge of the old program that each edge is, or is a step of.
    pub edges: IdVec<ProcId, IdVec<EdgeId, EdgeId>>,
}

/// The program with calls through pointers as guarded direct calls.
pub fn direct_calls(program: &Program) -> Directed<'_> {
    let edges = program.procs.iter().map(|row| row.edges.ids().collect());
    let mut edges: IdVec<ProcId, IdVec<EdgeId, EdgeId>> = edges.collect();
    let calls = pointer_calls(program);
    if calls.is_empty() {
        return Directed {
            program: Cow::Borrowed(program),
            edges,
        };
    }
    let address_taken = CallGraph::new(program).address_taken;
    let targets = find_targets(program, &address_taken);
    let mut result = program.clone();
    for (proc, edge, call, pointer) in calls {
        let targets = targets.of(program, pointer);
        let choice: Vec<ProcId> = (address_taken.iter().copied())
            .filter(|&callee| targets.may_be(callee) && call.fits(program, callee))
            .collect();
        if choice.len() > MOST {
            continue;
        }
        let old = &program.procs[proc].edges[edge];
        let mut directing = Directing {
            program: &mut result,
            proc,
            old,
        };
        directing.replace(edge, pointer, &choice, &targets);
        let procedure = &result.procs[proc];
        while edges[proc].len() < procedure.edges.len() {
            edges[proc].push(edge);
        }
    }
    check_invariants(&result, "directing calls through pointers");
    Directed {
        program: Cow::Owned(result),
        edges,
    }
}

fn pointer_calls(program: &Program) -> Vec<(ProcId, EdgeId, &Call, &Expr)> {
    let mut calls = Vec::new();
    for (proc, procedure) in program.procs.iter_enumerated() {
        for (id, edge) in procedure.edges.iter_enumerated() {
            if let Op::Call(call) = &edge.op
                && let Callee::Pointer(pointer) = &call.callee
            {
                calls.push((proc, id, call, pointer));
            }
        }
    }
    calls
}

/// One call being replaced.
struct Directing<'p> {
    program: &'p mut Program,
    proc: ProcId,
    old: &'p Edge,
}

impl Directing<'_> {
    /// Sets the pointer aside, where the call stood, and asks for one procedure after the other.
    fn replace(&mut self, edge: EdgeId, pointer: &Expr, choice: &[ProcId], targets: &Targets) {
        if let Expr::Proc(callee) = pointer
            && choice.contains(callee)
        {
            self.procedure().edges[edge].op = self.direct(*callee);
            return;
        }
        let (ty, span) = (Type::Ptr, self.old.span);
        let aside = self.program.add_local(self.proc, "$callee", ty, span);
        let mut at = self.add_location();
        self.procedure().edges[edge].op = Op::Assign(Place::Var(aside), pointer.clone());
        self.procedure().redirect(edge, at);
        for &callee in choice {
            let (this, other) = self.branch(at, aside, Expr::Proc(callee));
            self.add_edge(this, self.old.target, self.direct(callee));
            at = other;
        }
        if let Some(source) = &targets.unknown {
            let (null, other) = self.branch(at, aside, Expr::null());
            let what = "a call of a function that is not known: its address comes from";
            self.add_last(other, Op::Unsupported(format!("{what} {source}").into()));
            at = null;
        }
        self.add_last(at, Op::Halt(Halt::Undefined(UndefinedKind::InvalidCall)));
    }

    fn procedure(&mut self) -> &mut Procedure {
        &mut self.program.procs[self.proc]
    }

    /// The call, of a procedure.
    fn direct(&self, callee: ProcId) -> Op {
        let mut op = self.old.op.clone();
        if let Op::Call(call) = &mut op {
            call.callee = Callee::Proc(callee);
        }
        op
    }

    /// Where a pointer is an address, and where it is another.
    fn branch(
        &mut self,
        at: LocationId,
        pointer: VarId,
        address: Expr,
    ) -> (LocationId, LocationId) {
        let (this, other) = (self.add_location(), self.add_location());
        let is_this = Expr::binary(BinaryOp::Eq, Type::Ptr, Expr::Var(pointer), address);
        self.add_edge(at, this, Op::Assume(is_this.clone()));
        self.add_edge(at, other, Op::Assume(Expr::not(is_this)));
        (this, other)
    }

    /// A step after which the run does not continue.
    fn add_last(&mut self, at: LocationId, op: Op) {
        let end = self.add_location();
        self.add_edge(at, end, op);
    }

    fn add_location(&mut self) -> LocationId {
        let span = self.old.span;
        self.procedure().add_location(span)
    }

    fn add_edge(&mut self, from: LocationId, to: LocationId, op: Op) {
        let Edge { span, inlined, .. } = *self.old;
        let edge = self.procedure().add_edge(from, to, op, span);
        self.procedure().edges[edge].inlined = inlined;
    }
}

#[cfg(test)]
mod tests;
