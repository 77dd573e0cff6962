//! The path to a violation, for a witness: what each input returned, and where it ends.

use crate::format::{Content, Segment, Waypoint, WaypointKind};
use crate::position::Positions;
use base::{IdVec, SourceMap};
use certify::Replayed;
use program::expr::Constant;
use program::ir::{Callee, Op, ProcId, Program, SiteId, SiteKind};
use std::collections::BTreeMap;

/// The segments of a violation witness: the inputs that functions return in the order they are
/// taken, then the target.
pub(crate) fn content(
    program: &Program,
    sources: &SourceMap,
    replayed: &Replayed,
) -> Option<Content> {
    let positions = Positions::new(sources);
    let calls = Calls::new(program);
    // Thousands of inputs may come from a handful of places.
    let mut known = BTreeMap::new();
    let mut segments = Vec::with_capacity(replayed.run.inputs.len() + 1);
    for &(site, value) in &replayed.run.inputs {
        let location = known
            .entry(site)
            .or_insert_with(|| calls.location(program, &positions, site));
        if let (Some(location), Some(value)) = (location.clone(), acsl(value)) {
            let kind = WaypointKind::FunctionReturn(Some(format!("\\result == {value}")));
            segments.push(follow(Waypoint { kind, location }));
        }
    }
    let function = function_name(program, replayed.error.0);
    let location = positions.start(replayed.violation.span, function)?;
    let kind = WaypointKind::Target;
    segments.push(follow(Waypoint { kind, location }));
    Some(Content::Violation(segments))
}

fn follow(waypoint: Waypoint) -> Segment {
    Segment {
        avoid: Vec::new(),
        follow: waypoint,
    }
}

/// The name of a procedure that is in the source. Of a hidden one, which was made for one call,
/// that of its caller; of the one that a run starts in, that of the function that it calls.
fn function_name(program: &Program, proc: ProcId) -> Option<&str> {
    let calls = |op: &Op| matches!(op, Op::Call(call) if call.callee == Callee::Proc(proc));
    let name = &*program.procs[proc].name;
    if !name.starts_with('$') {
        return Some(name);
    }
    if proc == program.entry {
        let mut ops = program.procs[proc].edges.iter().map(|edge| &edge.op);
        return ops.find_map(|op| Some(&*program.procs[op.callee()?].name));
    }
    let mut procs = program.procs.iter_enumerated();
    let caller = procs.find(|(_, row)| row.edges.iter().any(|edge| calls(&edge.op)));
    caller.and_then(|(caller, _)| (caller != proc).then(|| function_name(program, caller))?)
}

/// The sites that are calls of functions, and the procedures they are in.
pub struct Calls {
    procs: IdVec<SiteId, Option<ProcId>>,
}

impl Calls {
    /// The sites of a program as lowered.
    pub fn new(program: &Program) -> Self {
        let mut procs = IdVec::filled(None, program.sites.len());
        for (proc, procedure) in program.procs.iter_enumerated() {
            for edge in procedure.edges.iter() {
                if let Op::Havoc(_, site) = edge.op {
                    procs[site] = Some(proc);
                }
            }
        }
        // The body that stands for a function whose address is taken is no call, and a function
        // that fills memory returns nothing.
        for (site, row) in program.sites.iter_enumerated() {
            let is_call = matches!(row.kind, SiteKind::Nondet | SiteKind::External);
            let in_itself = procs[site].is_some_and(|proc| program.procs[proc].name == row.name);
            if !is_call || in_itself || &*row.name == "__VERIFIER_nondet_memory" {
                procs[site] = None;
            }
        }
        Calls { procs }
    }

    /// The `)` of the call that takes the input.
    pub fn location(
        &self,
        program: &Program,
        positions: &Positions<'_>,
        site: SiteId,
    ) -> Option<crate::format::Location> {
        let proc = self.procs[site]?;
        positions.end(program.sites[site].span, function_name(program, proc))
    }
}

/// A value as ACSL writes it; not all floating-point numbers can be written.
fn acsl(value: Constant) -> Option<String> {
    match value {
        Constant::Bool(value) => Some(u8::from(value).to_string()),
        Constant::Int(value) => Some(value.to_string()),
        Constant::Float(format, bits) => {
            let value = format.number(bits);
            value.is_finite().then(|| format!("{value:?}"))
        }
        Constant::Null => Some("0".to_owned()),
    }
}
