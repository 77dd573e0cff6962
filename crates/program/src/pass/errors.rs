//! Errors that count only where they are checked, or where a condition holds.

use crate::expr::Expr;
use crate::ir::{Halt, LocationId, Op, ProcId, Procedure, Program, Violation};
use crate::validate::check_invariants;
use base::Span;

/// Leaves those error locations that are wanted, and lets them be reached only with a condition;
/// elsewhere the run is aborted. Gives whether there is one. Locations, edges and inputs of the old
/// program keep their ids, but an error moves to a new location.
pub fn restrict_errors(
    program: &mut Program,
    condition: &Expr,
    wanted: impl Fn(&Violation) -> bool,
) -> bool {
    let mut found = false;
    for procedure in program.procs.iter_mut() {
        for at in procedure.locations.ids() {
            let Some(violation) = procedure.locations[at].error.take() else {
                continue;
            };
            let span = violation.span;
            if !wanted(&violation) {
                halt(procedure, at, span);
                continue;
            }
            found = true;
            let error = procedure.add_error(violation);
            let other = procedure.add_location(span);
            procedure.add_branch(at, condition.clone(), error, other, span);
            halt(procedure, other, span);
        }
    }
    check_invariants(program, "restricting errors");
    found
}

/// Leaves those error locations that are wanted; at the others the run is aborted. Everything of the
/// old program keeps its id, so that a trace to an error that is left is one of the old program.
pub fn keep_errors(program: &mut Program, wanted: impl Fn(ProcId, LocationId) -> bool) {
    for (proc, procedure) in program.procs.iter_enumerated_mut() {
        for at in procedure.locations.ids() {
            let error = &mut procedure.locations[at].error;
            if let Some(violation) = error.take_if(|_| !wanted(proc, at)) {
                halt(procedure, at, violation.span);
            }
        }
    }
    check_invariants(program, "keeping some errors");
}

/// Ends the run at a location.
fn halt(procedure: &mut Procedure, at: LocationId, span: Span) {
    let end = procedure.add_location(span);
    procedure.add_edge(at, end, Op::Halt(Halt::Abort), span);
}
