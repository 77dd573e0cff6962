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
use super::steps::Steps;
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
        replace(&mut result, (proc, edge, old), pointer, &choice, &targets);
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

/// Sets the pointer aside, where the call stood, and asks for one procedure after the other.
fn replace(
    program: &mut Program,
    (proc, id, old): (ProcId, EdgeId, &Edge),
    pointer: &Expr,
    choice: &[ProcId],
    targets: &Targets,
) {
    // The call, of a procedure.
    let direct = |callee: ProcId| {
        let mut op = old.op.clone();
        if let Op::Call(call) = &mut op {
            call.callee = Callee::Proc(callee);
        }
        op
    };
    if let Expr::Proc(callee) = pointer
        && choice.contains(callee)
    {
        program.procs[proc].edges[id].op = direct(*callee);
        return;
    }
    let aside = program.add_local(proc, "$callee", Type::Ptr, old.span);
    program.procs[proc].edges[id].op = Op::Assign(Place::Var(aside), pointer.clone());
    let mut steps = Steps::after(program, proc, id);
    let is = |address| Expr::binary(BinaryOp::Eq, Type::Ptr, Expr::Var(aside), address);
    for &callee in choice {
        let this = steps.branch(is(Expr::Proc(callee)));
        steps.edge(this, old.target, direct(callee));
    }
    if let Some(source) = &targets.unknown {
        let null = steps.branch(is(Expr::null()));
        let what = "a call of a function that is not known: its address comes from";
        steps.op(Op::Unsupported(format!("{what} {source}").into()));
        steps.at = null;
    }
    steps.op(Op::Halt(Halt::Undefined(UndefinedKind::InvalidCall)));
}

#[cfg(test)]
mod tests;
