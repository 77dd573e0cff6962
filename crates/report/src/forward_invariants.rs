//! `cairn dump invariants`: the results of the forward analysis, in readable form.

use absdom::{Invariants, Options};
use base::{Budget, SourceMap, Span};
use encode::transition::State;
use logic::{TermId, TermStore};
use program::ir::{LocationId, ProcId, Program};
use program::pass::callgraph::CallGraph;
use program::pass::loops::LoopNest;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What holds at the heads of loops, or at all locations, and which error locations no defined run
/// gets to.
pub fn print(program: &Program, sources: &SourceMap, all: bool) -> String {
    let mut store = TermStore::new();
    let state = State::new(program, &mut store);
    let mut out = String::new();
    let reachable = CallGraph::new(program).reachable(program);
    for (proc, procedure) in program.procs.iter_enumerated() {
        if !reachable[proc] {
            continue;
        }
        let (options, budget) = (Options::default(), Budget::unlimited());
        let invariants = Invariants::new(program, proc, &options, &budget);
        let nest = LoopNest::new(procedure);
        for (at, location) in procedure.locations.iter_enumerated() {
            let name = function(program, proc, at);
            if let Some(violation) = &location.error {
                let line = place(sources, violation.span);
                let reached = if invariants.is_reachable(at) {
                    "may be reached"
                } else {
                    "is never reached"
                };
                out.push_str(&format!("{name}, {line}error location {at}: {reached}\n"));
                continue;
            }
            let kind = match nest.is_head(at) {
                true => "loop head",
                false if all => "location",
                false => continue,
            };
            let line = place(sources, span(program, proc, at));
            out.push_str(&format!("{name}, {line}{kind} {at}:\n"));
            let facts = invariants.conjuncts(at, &mut store, &state);
            let facts = in_source_names(program, &mut store, &state, &facts);
            out.extend(facts.into_iter().map(|fact| format!("  {fact}\n")));
        }
    }
    out
}

/// Facts in words, with the names of the source where these are unique among them.
fn in_source_names(
    program: &Program,
    store: &mut TermStore,
    state: &State,
    facts: &[TermId],
) -> Vec<String> {
    let mut shown = TermStore::new();
    let mut memo = FxHashMap::default();
    for symbol in store.symbols_of(facts) {
        let name = match state.var(symbol) {
            Some(var) => program.vars[var].name.clone(),
            None => store.symbol(symbol).name.clone(),
        };
        let sort = store.symbol(symbol).sort;
        memo.insert(store.of_symbol(symbol), shown.fresh(&name, sort));
    }
    let line = |&fact: &TermId| {
        let fact = shown.copy(store, fact, &mut memo);
        shown.readable(fact)
    };
    facts.iter().map(line).collect()
}

/// The function of the source that a location comes from.
pub(crate) fn function(program: &Program, proc: ProcId, at: LocationId) -> Arc<str> {
    let procedure = &program.procs[proc];
    let leaving = procedure.locations[at].out.first().copied();
    let arriving = || {
        procedure
            .edges
            .ids()
            .find(|&id| procedure.edges[id].target == at)
    };
    let edge = leaving.or_else(arriving);
    match edge.and_then(|edge| procedure.edges[edge].inlined) {
        Some(inline) => program.inlines[inline].callee.clone(),
        None => procedure.name.clone(),
    }
}

/// Where a location is in the text: its own span, or that of the first edge that leaves it.
pub(crate) fn span(program: &Program, proc: ProcId, at: LocationId) -> Span {
    let procedure = &program.procs[proc];
    let location = &procedure.locations[at];
    let edges = location.out.iter().map(|&edge| procedure.edges[edge].span);
    let mut spans = std::iter::once(location.span).chain(edges);
    spans.find(|&span| span != Span::NONE).unwrap_or(Span::NONE)
}

/// The line of a span, with a comma after it.
pub(crate) fn place(sources: &SourceMap, span: Span) -> String {
    match sources.presumed(span) {
        Some(place) => format!("line {}, ", place.line),
        None => String::new(),
    }
}
