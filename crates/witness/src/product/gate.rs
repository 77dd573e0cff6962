//! Errors that count only where a witness ends.

use super::COUNTER;
use base::Span;
use logic::IntType;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::{Edge, Halt, Location, LocationId, Op, Procedure, Program, Scope};

/// Leaves those error locations that are the target of a witness, and lets them be reached only
/// with all segments passed. Gives whether there is one.
pub fn gate(program: &mut Program, passed: u32, is_target: impl Fn(Span) -> bool) -> bool {
    let counter = program
        .vars
        .iter_enumerated()
        .find(|(_, var)| &*var.name == COUNTER && var.scope == Scope::Global)
        .map(|(id, _)| id);
    let condition = match counter {
        Some(var) => {
            let ty = IntType::unsigned(32);
            let number = Expr::int(ty, i128::from(passed));
            Expr::binary(BinaryOp::Eq, Type::Int(ty), Expr::Var(var), number)
        }
        // No step moves a counter that nobody names.
        None => Expr::bool(passed == 0),
    };
    let mut found = false;
    for procedure in program.procs.iter_mut() {
        let errors: Vec<LocationId> = procedure
            .locations
            .iter_enumerated()
            .filter(|(_, location)| location.error.is_some())
            .map(|(id, _)| id)
            .collect();
        for at in errors {
            let violation = procedure.locations[at].error.take();
            let Some(violation) = violation else { continue };
            let span = violation.span;
            if !is_target(span) {
                halt(procedure, at, span);
                continue;
            }
            found = true;
            let place = procedure.locations[at].span;
            let error = procedure.locations.push(Location {
                out: Vec::new(),
                error: Some(violation),
                span: place,
            });
            let other = procedure.locations.push(Location {
                out: Vec::new(),
                error: None,
                span: place,
            });
            edge(procedure, at, error, Op::Assume(condition.clone()), span);
            let negation = Expr::not(condition.clone());
            edge(procedure, at, other, Op::Assume(negation), span);
            halt(procedure, other, span);
        }
    }
    found
}

/// Ends the run at a location.
fn halt(procedure: &mut Procedure, at: LocationId, span: Span) {
    let end = procedure.locations.push(Location {
        out: Vec::new(),
        error: None,
        span,
    });
    edge(procedure, at, end, Op::Halt(Halt::Abort), span);
}

fn edge(procedure: &mut Procedure, source: LocationId, target: LocationId, op: Op, span: Span) {
    let edge = procedure.edges.push(Edge {
        source,
        target,
        op,
        span,
        inlined: None,
    });
    procedure.locations[source].out.push(edge);
}
