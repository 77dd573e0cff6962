//! Errors that count only where a witness ends.

use base::Span;
use logic::IntType;
use lower::automaton::COUNTER;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::{Program, Property, Scope};
use program::pass::errors::restrict_errors;

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
        // No step moves a counter that is never named.
        None => Expr::bool(passed == 0),
    };
    restrict_errors(program, &condition, |violation| {
        violation.property != Property::Invariant && is_target(violation.span)
    })
}
