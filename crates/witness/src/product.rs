//! A violation witness as an automaton that runs beside the program.
//!
//! The automaton counts the segments passed so far; `lower` inserts its steps into the program at
//! the locations that waypoints name. The program fails exactly where the target is reached with
//! all segments passed. So the runs to an error are those that follow the witness, and an engine
//! can search for one, or prove that there is none.
//!
//! # Invariants
//! - Every waypoint has a location in the text, or there is no automaton.

mod find;
mod gate;

pub use gate::gate;

use crate::constraint::Constraint;
use crate::follow::is_at;
use crate::format::{Branch, Segment, Waypoint, WaypointKind};
use crate::position::Positions;
use base::{SourceMap, Span};
use cfront::ast::Ast;
use cfront::types::{Type as CType, TypeId};
use find::{Call, DecisionKind, Places};
use lower::automaton::{Automaton, Event, Number, WitnessStep};
use program::expr::BinaryOp;

/// Segments that an automaton may have: each is a step for the engine.
const MOST: usize = 300;

/// What runs beside a program.
#[derive(Default)]
pub struct Beside {
    /// The automaton. Its assumptions are numbers of these claims.
    pub automaton: Automaton,
    /// Where a statement starts, and what is assumed there.
    pub assumptions: Vec<(u32, String)>,
}

/// The automaton of a witness. The error says what cannot be followed.
pub fn beside(ast: &Ast, sources: &SourceMap, segments: &[Segment]) -> Result<Beside, String> {
    if segments.len() > MOST {
        return Err(format!(
            "it has {} segments, and a search can follow {MOST}",
            segments.len()
        ));
    }
    let finder = Finder {
        ast,
        places: Places::new(ast, sources),
        positions: Positions::new(sources),
    };
    let mut beside = Beside::default();
    for (segment, row) in (0..).zip(segments) {
        let avoid = row.avoid.iter().map(|waypoint| (waypoint, true));
        for (waypoint, avoid) in avoid.chain([(&row.follow, false)]) {
            if let Some(event) = finder.event(waypoint, &mut beside.assumptions)? {
                beside.automaton.steps.push(WitnessStep {
                    segment,
                    avoid,
                    event,
                });
            }
        }
    }
    Ok(beside)
}

struct Finder<'a> {
    ast: &'a Ast,
    places: Places<'a>,
    positions: Positions<'a>,
}

impl Finder<'_> {
    /// When a waypoint is passed; nothing for the target.
    fn event(
        &self,
        waypoint: &Waypoint,
        assumptions: &mut Vec<(u32, String)>,
    ) -> Result<Option<Event>, String> {
        let here = format!("line {}", waypoint.location.line);
        Ok(Some(match &waypoint.kind {
            WaypointKind::Target => return Ok(None),
            WaypointKind::FunctionReturn(constraint) => {
                let call = self.call(waypoint, &here)?;
                let compared = match constraint {
                    None => None,
                    Some(text) => {
                        let constraint = Constraint::parse(text).ok_or(format!(
                            "{here}: `{text}` compares no result with a constant"
                        ))?;
                        if !self.fits(&constraint, call.ty) {
                            return Err(format!("{here}: `{text}` does not fit what is returned"));
                        }
                        Some((constraint.op, constraint.number))
                    }
                };
                Event::Return(call.span, compared)
            }
            WaypointKind::FunctionEnter => {
                let call = self.call(waypoint, &here)?;
                if !call.is_plain {
                    return Err(format!("{here}: the arguments of the call have calls"));
                }
                Event::Enter(call.span)
            }
            WaypointKind::Branching(branch) => {
                let decisions = self.places.decisions.iter();
                let here_at = |&&at: &&u32| self.is_at_start(waypoint, Span { lo: at, hi: at + 1 });
                let decision = decisions
                    .filter(|decision| decision.at.iter().any(|at| here_at(&at)))
                    .min_by_key(|decision| decision.at.iter().min().copied())
                    .ok_or(format!("nothing branches at {here}"))?;
                match (&decision.kind, branch) {
                    (DecisionKind::Condition, Branch::Condition(way)) => {
                        Event::Condition(decision.value, *way)
                    }
                    (DecisionKind::Switch, Branch::Case(value)) => {
                        Event::Switch(decision.value, Some(*value))
                    }
                    (DecisionKind::Switch, Branch::Default) => Event::Switch(decision.value, None),
                    _ => return Err(format!("{here}: the branching does not go `{branch}`")),
                }
            }
            WaypointKind::Assumption(expression) => {
                let bodies = self.ast.functions.iter();
                let mut places =
                    bodies.filter_map(|function| Some(&function.body.as_ref()?.places));
                let at = places
                    .find_map(|all| all.iter().find(|&&at| self.is_at_start(waypoint, at)))
                    .ok_or(format!("no statement starts at {here}"))?;
                assumptions.push((at.lo, expression.clone()));
                Event::Assumption(assumptions.len() - 1)
            }
        }))
    }

    fn is_at_start(&self, waypoint: &Waypoint, span: Span) -> bool {
        let place = self.positions.start(span, None);
        place.is_some_and(|place| is_at(&waypoint.location, &place))
    }

    /// The call whose `)` a waypoint names; the leftmost one on a line without columns.
    fn call(&self, waypoint: &Waypoint, here: &str) -> Result<Call, String> {
        let is_there = |call: &&Call| {
            let place = self.positions.end(call.span, None);
            place.is_some_and(|place| is_at(&waypoint.location, &place))
        };
        let calls = self.places.calls.iter().filter(is_there);
        let call = calls.min_by_key(|call| call.span.hi).copied();
        call.ok_or(format!("no call ends at {here}"))
    }

    /// Whether what a call returns can be held against a constraint.
    fn fits(&self, constraint: &Constraint, ty: TypeId) -> bool {
        match (self.ast.types.get(ty), constraint.number) {
            (CType::Pointer(_), number) => {
                let is_known = matches!(constraint.op, BinaryOp::Eq | BinaryOp::Ne);
                is_known && number == Number::Int(0)
            }
            (CType::Float(_), number) => crate::constraint::to_f64(number).is_some(),
            (CType::Bool | CType::Int(_) | CType::Enum(_), Number::Int(_)) => true,
            _ => false,
        }
    }
}
