//! The targets of a test suite: branches, locations, lines or errors of the source.

use super::SuiteGoal;
use base::{SourceMap, Span, named_enum};
use program::ir::{EdgeId, Location, LocationId, Op, ProcId, Procedure, Program};
use program::pass::goals::GoalPlace;
use std::collections::BTreeMap;
use std::sync::Arc;

named_enum! {
    /// Which places of a program are goals, named as on the command line.
    pub enum GoalKind {
        /// Both edges of every branch.
        Branches = "branches",
        /// The first location of every basic block.
        Locations = "locations",
        /// Every line that has code.
        Lines = "lines",
        /// The error locations.
        Error = "error",
    }
}

/// A goal, and what it is in the source.
#[derive(Clone, Debug)]
pub struct NamedGoal {
    /// The goal.
    pub goal: SuiteGoal,
    /// The procedure.
    pub proc: ProcId,
    /// Where.
    pub span: Span,
    /// What it means to get there, in words.
    pub what: String,
}

/// The goals of a kind, in the order of the program. Code that comes from no text of the program has
/// none.
pub fn named_goals(program: &Program, sources: &SourceMap, kind: GoalKind) -> Vec<NamedGoal> {
    let procs = program.procs.iter_enumerated();
    let written = procs.filter(|(_, procedure)| !procedure.name.starts_with('$'));
    let in_text = |span: Span| sources.presumed(span).is_some() && !sources.is_system(span);
    let of_procedure = match kind {
        GoalKind::Branches => branches,
        GoalKind::Locations => locations,
        GoalKind::Lines => return lines(program, sources),
        GoalKind::Error => return errors(program),
    };
    let goals = written.flat_map(|(proc, procedure)| of_procedure(proc, procedure));
    goals.filter(|goal| in_text(goal.span)).collect()
}

fn branches(proc: ProcId, procedure: &Procedure) -> Vec<NamedGoal> {
    let reachable = procedure.reachable();
    let mut goals = Vec::new();
    for (at, row) in procedure.locations.iter_enumerated() {
        if row.out.len() != 2 || !reachable[at] {
            continue;
        }
        for (index, &edge) in row.out.iter().enumerate() {
            let what = match index {
                0 => "the condition holds",
                _ => "the condition does not hold",
            };
            goals.push(NamedGoal {
                goal: vec![GoalPlace::Edge(proc, edge)],
                proc,
                span: procedure.edges[edge].span,
                what: what.to_owned(),
            });
        }
    }
    goals
}

/// The first locations of basic blocks.
fn locations(proc: ProcId, procedure: &Procedure) -> Vec<NamedGoal> {
    let (reachable, incoming) = (procedure.reachable(), procedure.incoming());
    let rows = procedure.locations.iter_enumerated();
    let goals = rows.filter_map(|(at, row)| {
        let span = span(procedure, row).filter(|_| reachable[at])?;
        let is_inside = match incoming[at][..] {
            [before] if at != procedure.entry => {
                let source = procedure.edges[before].source;
                procedure.locations[source].out.len() == 1
            }
            _ => false,
        };
        (!is_inside).then(|| NamedGoal {
            goal: vec![GoalPlace::Location(proc, at)],
            proc,
            span,
            what: "the block is entered".to_owned(),
        })
    });
    goals.collect()
}

/// A line is reached where one of its locations is. One that is reached from the same line only
/// says nothing new.
fn lines(program: &Program, sources: &SourceMap) -> Vec<NamedGoal> {
    let mut found: BTreeMap<(Arc<str>, u32), NamedGoal> = BTreeMap::new();
    for (proc, procedure) in program.procs.iter_enumerated() {
        if procedure.name.starts_with('$') {
            continue;
        }
        let line_at = |span: Span| {
            let position = sources.presumed(span);
            let position = position.filter(|_| !sources.is_system(span))?;
            Some((position.file, position.line))
        };
        let line_of = |edge: EdgeId| {
            let row = &procedure.edges[edge];
            let span = Some(row.span).filter(|_| !is_silent(&row.op));
            span.and_then(line_at)
        };
        let (incoming, reachable) = (procedure.incoming(), procedure.reachable());
        for (at, row) in procedure.locations.iter_enumerated() {
            let does = row.out.first().map(|&edge| &procedure.edges[edge].op);
            let span =
                span(procedure, row).filter(|_| reachable[at] && !does.is_some_and(is_silent));
            let Some((span, line)) = span.and_then(|span| Some((span, line_at(span)?))) else {
                continue;
            };
            let from: Vec<EdgeId> = incoming[at].clone();
            let is_entry = at == procedure.entry || from.is_empty();
            let is_new = is_entry
                || from
                    .iter()
                    .any(|&edge| line_of(edge).as_ref() != Some(&line));
            if is_new {
                let goal = found.entry(line).or_insert_with(|| NamedGoal {
                    goal: SuiteGoal::new(),
                    proc,
                    span,
                    what: "the line is executed".to_owned(),
                });
                goal.goal.push(GoalPlace::Location(proc, at));
            }
        }
    }
    found.into_values().collect()
}

fn errors(program: &Program) -> Vec<NamedGoal> {
    let errors = program.error_locations();
    let goals = errors.map(|(proc, at, violation): (ProcId, LocationId, _)| NamedGoal {
        goal: vec![GoalPlace::Location(proc, at)],
        proc,
        span: violation.span,
        what: violation.message.clone(),
    });
    goals.collect()
}

/// The text of what happens at a location, if anything does: its first edge, or its error.
fn span(procedure: &Procedure, row: &Location) -> Option<Span> {
    let first = row.out.first().map(|&edge| procedure.edges[edge].span);
    first.or_else(|| row.error.as_ref().map(|violation| violation.span))
}

/// Whether an op does nothing that a line is written for.
fn is_silent(op: &Op) -> bool {
    matches!(op, Op::Enter(_) | Op::Leave(_) | Op::Skip)
}
