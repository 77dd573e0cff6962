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
use program::ir::{Callee, EdgeId, LocationId, Op, ProcId, Program};
use program::pass::callgraph::address_taken;
use std::collections::BTreeSet;

/// Why no error location can be reached: a superset of the locations that a run can reach.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reached {
    /// The locations, in any order.
    pub locations: Vec<(ProcId, LocationId)>,
}

impl Reached {
    /// Checks the proof against the program.
    pub fn check(&self, program: &Program) -> Result<(), ProofError> {
        for &(proc, location) in &self.locations {
            if program.location(proc, location).is_none() {
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
        for (proc, id, edge) in program.edges() {
            if set.contains(&(proc, edge.source)) {
                check_edge(program, &set, &by_pointer, (proc, id))?;
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
