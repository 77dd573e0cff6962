//! Goals: locations of a program that a test should reach, as error locations of a copy.
//!
//! At each of them the copy takes an input of its own, which says whether the run ends there, at an
//! error location that represents the goal, or continues. So a run of the program reaches a goal if
//! and only if the same inputs, and one choice there, lead the copy to its error location.
//!
//! # Invariants
//! - Everything in the old program keeps its id; an edge may have another source or target.
//! - The errors of the old program are not errors of the copy: runs are aborted there.
//! - Closing a goal changes no id, not even in what is inlined afterwards.

use super::errors::keep_errors;
use crate::expr::{Constant, Expr, Type};
use crate::ir::*;
use crate::validate::check_invariants;
use base::Span;

/// A place that a test should get to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GoalPlace {
    /// An edge, once it was taken. It leads to a location that may have outgoing edges.
    Edge(ProcId, EdgeId),
    /// A location with outgoing edges, or an error location.
    Location(ProcId, LocationId),
}

/// A copy of a program whose error locations are goals.
#[derive(Clone, Debug)]
pub struct WithGoals {
    /// The copy.
    pub program: Program,
    /// The error location of each goal.
    pub errors: Vec<(ProcId, LocationId)>,
    /// Where the choices come from.
    pub choice: SiteId,
}

/// A copy of a program in which each of some places is a goal. Goals that stand for the same thing
/// have the same number.
pub fn with_goals(program: &Program, places: &[(GoalPlace, usize)]) -> WithGoals {
    let mut copy = program.clone();
    keep_errors(&mut copy, |_, _| false);
    let choice = copy.add_site(SiteKind::Choice, Type::Bool, "$goal", Span::NONE);
    let mut vars: base::IdVec<ProcId, Option<VarId>> = base::IdVec::filled(None, copy.procs.len());
    let mut errors = Vec::new();
    for &(place, number) in places {
        let (GoalPlace::Edge(proc, _) | GoalPlace::Location(proc, _)) = place;
        let var = vars[proc].unwrap_or_else(|| {
            let var = copy.add_local(proc, "$goal", Type::Bool, Span::NONE);
            vars[proc] = Some(var);
            var
        });
        let procedure = &mut copy.procs[proc];
        let (at, rest, span) = cut(procedure, place);
        let error = procedure.add_error(Violation {
            property: Property::Assertion,
            message: format!("goal {number} is reached"),
            span,
        });
        let chosen = procedure.add_location(span);
        procedure.add_edge(at, chosen, Op::Havoc(Place::Var(var), choice), span);
        procedure.add_branch(chosen, Expr::Var(var), error, rest, span);
        errors.push((proc, error));
    }
    check_invariants(&copy, "making goals");
    WithGoals {
        program: copy,
        errors,
        choice,
    }
}

/// Lets no run end at a goal any more: the choice there means nothing.
pub fn close_goal(program: &mut Program, goal: (ProcId, LocationId)) {
    let procedure = &mut program.procs[goal.0];
    let edges = procedure.edges.iter();
    let mut chosen = edges.filter(|edge| edge.target == goal.1);
    let Some(at) = chosen.next().map(|edge| edge.source) else {
        return;
    };
    for edge in procedure.locations[at].out.clone() {
        let edge = &mut procedure.edges[edge];
        let goes_on = edge.target != goal.1;
        edge.op = Op::Assume(Expr::Const(Constant::Bool(goes_on)));
    }
    check_invariants(program, "closing a goal");
}

/// Makes room at a place: a location without outgoing edges, where a run continues from there, and
/// the text it comes from.
fn cut(procedure: &mut Procedure, place: GoalPlace) -> (LocationId, LocationId, Span) {
    match place {
        GoalPlace::Edge(_, edge) => {
            let (rest, span) = (procedure.edges[edge].target, procedure.edges[edge].span);
            let at = procedure.add_location(span);
            procedure.redirect(edge, at);
            (at, rest, span)
        }
        GoalPlace::Location(_, at) => {
            let first = procedure.locations[at].out[0];
            let span = procedure.edges[first].span;
            (at, procedure.split(at, span), span)
        }
    }
}
