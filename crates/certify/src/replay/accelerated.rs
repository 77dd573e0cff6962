//! The replay of a trace too long for any machine: loop lemmas are proved, and the run leaps over
//! the iterations they cover.

use super::interpret::{Interpreter, Leaps, Stop};
use super::{ReplayError, Trace};
use crate::proof::inductive::lemma::LoopLemmas;
use base::{Budget, Span};
use exec::{End, Run};
use logic::Integer;
use program::expr::Constant;
use program::ir::{EdgeId, InlineId, LocationId, ProcId, Program, Scope, VarId};
use program::pass::inline::inline_calls;
use rustc_hash::FxHashMap;

/// Iterations of a loop that were proved, not made.
#[derive(Clone, PartialEq, Debug)]
pub struct Leap {
    /// The loop.
    pub span: Span,
    /// How many iterations.
    pub iterations: Integer,
    /// The head of the loop in the program as given, if it is there.
    pub head: Option<(ProcId, LocationId)>,
    /// How often the run had come to the head before; iterations leapt over do not count.
    pub before: u64,
    /// What the loop's own variables and the global ones hold after these iterations, those that it
    /// writes; what has no known value is not read later.
    pub after: Vec<(VarId, Constant)>,
}

/// Steps between two looks at the time.
const STRETCH: u64 = 1 << 12;

/// Proves the lemmas of a trace and follows it with their help.
pub(super) fn replay(
    program: &Program,
    trace: &Trace,
    lemmas: &LoopLemmas,
    budget: &Budget,
) -> Result<(Run, Vec<Leap>), ReplayError> {
    let (inlined, origins) = inline_calls(program, lemmas.inlined);
    (lemmas.check(&inlined, budget)).map_err(|error| ReplayError::LemmaFails(Box::new(error)))?;
    let leaps = Leaps::new(lemmas);
    let mut interpreter = Interpreter::new(&inlined, &trace.inputs);
    let mut made = Vec::new();
    // Visits to the heads that lemmas are about, in whichever copy of their procedure.
    let places = &origins.locations[inlined.entry];
    let heads = lemmas.lemmas.iter().filter_map(|lemma| places[lemma.head]);
    let mut visits: FxHashMap<(ProcId, LocationId), u64> = heads.map(|head| (head, 0)).collect();
    let mut last = None;
    let mut steps = 0;
    let stop = loop {
        if steps % STRETCH == 0
            && let Err(limit) = budget.check()
        {
            let limit = End::OutOfBudget(limit.describe().into());
            return Err(ReplayError::EndedOtherwise(limit));
        }
        steps += 1;
        let at = interpreter.at();
        let head = places[at];
        match interpreter.leap(&leaps) {
            Ok(None) => {}
            Ok(Some(leapt)) => {
                let written = lemmas.lemmas[leapt.lemma].closed_form.keys();
                let after = written.filter_map(|&var| {
                    let origin = origins.vars[var]?;
                    let scope = program.vars[origin].scope;
                    let is_own = head.is_some_and(|(proc, _)| scope == Scope::Local(proc));
                    let is_shown = is_own || scope == Scope::Global;
                    is_shown.then_some((origin, interpreter.value(var)?))
                });
                made.push(Leap {
                    span: inlined.procs[inlined.entry].span_at(at),
                    iterations: leapt.iterations,
                    head,
                    before: head.map_or(0, |head| visits[&head]),
                    after: after.collect(),
                });
            }
            Err(stop) => break stop,
        }
        if let Some(visits) = head.and_then(|head| visits.get_mut(&head)) {
            *visits += 1;
        }
        match interpreter.step() {
            Ok(edge) => last = Some(edge),
            Err(stop) => break stop,
        }
    };
    let error = match stop {
        Stop::Error(at) => places[at],
        Stop::Ended => None,
        Stop::Refused(what) => return Err(ReplayError::Refused(what)),
    };
    if error != Some(trace.error) {
        return Err(ReplayError::EndedElsewhere(error));
    }
    let (proc, location) = trace.error;
    let run = Run {
        end: End::Violated(proc, location),
        at: last.map(|edge| origins.edges[inlined.entry][edge]),
        span: last.map_or(Span::NONE, |edge| edge_of(&inlined, edge).span),
        stack: last.map_or_else(Vec::new, |edge| stack(program, &inlined, edge)),
        inputs: interpreter.taken().to_vec(),
        steps,
        output: Vec::new(),
    };
    Ok((run, made))
}

fn edge_of(inlined: &Program, edge: EdgeId) -> &program::ir::Edge {
    &inlined.procs[inlined.entry].edges[edge]
}

/// The calls that were active at an edge, outermost first.
fn stack(program: &Program, inlined: &Program, edge: EdgeId) -> Vec<(ProcId, Span)> {
    let mut calls = Vec::new();
    let mut at: Option<InlineId> = edge_of(inlined, edge).inlined;
    while let Some(id) = at {
        let site = &inlined.inlines[id];
        let caller = site.parent.map(|parent| &inlined.inlines[parent].callee);
        let procs = program.procs.iter_enumerated();
        let mut named = procs.filter(|(_, row)| Some(&row.name) == caller);
        let caller = named.next().map_or(program.entry, |(proc, _)| proc);
        calls.push((caller, site.span));
        at = site.parent;
    }
    calls.reverse();
    calls
}
