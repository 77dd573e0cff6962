//! Proofs by the graph alone, and their checker.
//!
//! Such a proof is a set of locations. It holds if the set contains the program's entry, is closed
//! under edges and calls, and has no error location and no unsupported op: then no run can leave
//! it, so no run violates anything. Values play no part, except that an edge which assumes the
//! constant *false* leads nowhere.
//!
//! # Invariants
//! - The checker trusts nothing in the proof: ids may be wrong, locations may be missing.

use crate::ProofError;
use program::expr::{Constant, Expr};
use program::ir::{AddressBase, Call, Callee, EdgeId, LocationId, Op, Place, ProcId, Program};
use std::collections::BTreeSet;

/// Why no error location can be reached: the locations that a run can get to, or more.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reached {
    /// The locations, in any order.
    pub locations: Vec<(ProcId, LocationId)>,
}

impl Reached {
    /// Checks the proof against the program.
    pub fn check(&self, program: &Program) -> Result<(), ProofError> {
        for &(proc, location) in &self.locations {
            let known = program
                .procs
                .get(proc)
                .is_some_and(|procedure| procedure.locations.get(location).is_some());
            if !known {
                return Err(ProofError::NoSuchLocation(proc, location));
            }
        }
        let set: BTreeSet<_> = self.locations.iter().copied().collect();
        if !set.contains(&(program.entry, program.procs[program.entry].entry)) {
            return Err(ProofError::EntryMissing);
        }
        for &(proc, location) in &set {
            if program.procs[proc].locations[location].error.is_some() {
                return Err(ProofError::ErrorReached(proc, location));
            }
        }
        // Edges are taken by their source, not through `out`: a list that forgets an edge must
        // not make a proof.
        let by_pointer = address_taken(program);
        for (proc, procedure) in program.procs.iter_enumerated() {
            for (id, edge) in procedure.edges.iter_enumerated() {
                if set.contains(&(proc, edge.source)) {
                    check_edge(program, &set, &by_pointer, (proc, id))?;
                }
            }
        }
        Ok(())
    }
}

/// Checks that an edge which starts in the set leads nowhere else.
fn check_edge(
    program: &Program,
    set: &BTreeSet<(ProcId, LocationId)>,
    by_pointer: &BTreeSet<ProcId>,
    (proc, id): (ProcId, EdgeId),
) -> Result<(), ProofError> {
    use Op::*;
    let edge = &program.procs[proc].edges[id];
    let inside = |to_proc: ProcId, to: LocationId| {
        if set.contains(&(to_proc, to)) {
            Ok(())
        } else {
            Err(ProofError::NotClosed(proc, id, to))
        }
    };
    match &edge.op {
        Assume(Expr::Const(Constant::Bool(false))) | Halt(_) => return Ok(()),
        Unsupported(_) => return Err(ProofError::UnsupportedReached(proc, id)),
        Call(call) => match &call.callee {
            Callee::Proc(callee) => inside(*callee, program.procs[*callee].entry)?,
            Callee::Pointer(_) => {
                for &callee in by_pointer {
                    inside(callee, program.procs[callee].entry)?;
                }
            }
            Callee::Library(_) => {}
        },
        Skip | Assign(..) | Assume(_) | Havoc(..) | Return(_) | Enter(_) | Leave(_) => {}
    }
    inside(proc, edge.target)
}

/// The procedures whose address stands anywhere in the program.
pub(crate) fn address_taken(program: &Program) -> BTreeSet<ProcId> {
    let mut taken = BTreeSet::new();
    for object in program.objects.iter() {
        for (_, address) in &object.init.addresses {
            match address.base {
                AddressBase::Proc(proc) => drop(taken.insert(proc)),
                AddressBase::Object(_) => {}
            }
        }
    }
    for edge in program.procs.iter().flat_map(|proc| proc.edges.iter()) {
        match &edge.op {
            Op::Assign(place, value) => {
                in_place(place, &mut taken);
                in_expr(value, &mut taken);
            }
            Op::Assume(condition) => in_expr(condition, &mut taken),
            Op::Havoc(place, _) => in_place(place, &mut taken),
            Op::Call(call) => in_call(call, &mut taken),
            Op::Return(value) => value.iter().for_each(|value| in_expr(value, &mut taken)),
            Op::Halt(program::ir::Halt::Exit(status)) => in_expr(status, &mut taken),
            Op::Halt(program::ir::Halt::Abort | program::ir::Halt::Undefined(_))
            | Op::Skip
            | Op::Enter(_)
            | Op::Leave(_)
            | Op::Unsupported(_) => {}
        }
    }
    taken
}

fn in_call(call: &Call, taken: &mut BTreeSet<ProcId>) {
    if let Callee::Pointer(pointer) = &call.callee {
        in_expr(pointer, taken);
    }
    for value in call.args.iter().chain(&call.varargs) {
        in_expr(value, taken);
    }
}

fn in_place(place: &Place, taken: &mut BTreeSet<ProcId>) {
    match place {
        Place::Var(_) => {}
        Place::Mem(_, address) => in_expr(address, taken),
    }
}

fn in_expr(expr: &Expr, taken: &mut BTreeSet<ProcId>) {
    match expr {
        Expr::Proc(proc) => drop(taken.insert(*proc)),
        Expr::Const(_) | Expr::Var(_) | Expr::Object(_) => {}
        Expr::Load(_, inner)
        | Expr::Unary(_, _, inner)
        | Expr::Cast(_, inner)
        | Expr::Freeable(inner) => in_expr(inner, taken),
        Expr::Binary(_, _, a, b) | Expr::Offset(a, b) | Expr::Overflows(_, _, a, b) => {
            in_expr(a, taken);
            in_expr(b, taken);
        }
        Expr::Select(a, b, c) => {
            in_expr(a, taken);
            in_expr(b, taken);
            in_expr(c, taken);
        }
        Expr::Valid(address, bytes, _) => {
            in_expr(address, taken);
            in_expr(bytes, taken);
        }
    }
}
