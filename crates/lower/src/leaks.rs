//! Leaks as error locations.
//!
//! A heap object that is lost stays lost: to free it takes its address. So a run that ends is asked
//! at its end whether it has lost one, be it the return of the entry function, `exit` or `abort`. A run
//! that does not end comes to the head of a loop or to the entry of a recursive procedure again and
//! again, and is asked there.

use base::Span;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;
use program::pass::callgraph::CallGraph;
use program::pass::loops::LoopNest;
use std::collections::BTreeMap;

/// Adds the checks, if the program allocates anything.
pub(super) fn check(program: &mut Program) {
    use Library::{Calloc, Malloc, Realloc};
    let mut edges = program.procs.iter().flat_map(|row| row.edges.iter());
    let allocates = |edge: &Edge| {
        matches!(&edge.op, Op::Call(call)
            if matches!(call.callee, Callee::Library(Malloc | Calloc | Realloc)))
    };
    if !edges.any(allocates) {
        return;
    }
    let graph = CallGraph::new(program);
    let procs: Vec<ProcId> = program.procs.ids().collect();
    for proc in procs {
        let places = places(&program.procs[proc], graph.recursive[proc]);
        for (location, span) in places {
            check_at(program, proc, location, span);
        }
    }
}

/// Where to ask in a procedure, and what of the source that is.
fn places(procedure: &Procedure, is_recursive: bool) -> BTreeMap<LocationId, Span> {
    let mut places = BTreeMap::new();
    let nest = LoopNest::new(procedure);
    for row in nest.loops.iter() {
        let out = procedure.locations[row.head].out.first();
        places.insert(
            row.head,
            out.map_or(Span::NONE, |&edge| procedure.edges[edge].span),
        );
    }
    if is_recursive {
        places.insert(procedure.entry, procedure.span);
    }
    for edge in procedure.edges.iter() {
        if matches!(edge.op, Op::Halt(Halt::Exit(_) | Halt::Abort)) {
            places.insert(edge.source, edge.span);
        }
    }
    places
}

/// Asks at a location before anything else.
fn check_at(program: &mut Program, proc: ProcId, location: LocationId, span: Span) {
    let tracked = program.add_local(proc, "$tracked", Type::I32, span);
    let procedure = &mut program.procs[proc];
    let asked = procedure.add_location(span);
    let next = procedure.add_location(span);
    let error = procedure.add_error(Violation {
        property: Property::Leak,
        message: "memory leak: nothing points to a heap object that was not freed".to_owned(),
        span,
    });
    let out = std::mem::take(&mut procedure.locations[location].out);
    for &edge in &out {
        procedure.edges[edge].source = next;
    }
    procedure.locations[next].out = out;
    let call = Op::Call(Call {
        result: Some(tracked),
        callee: Callee::Library(Library::Tracked),
        args: Vec::new(),
        varargs: None,
        contents: None,
    });
    procedure.add_edge(location, asked, call, span);
    let holds = Expr::binary(BinaryOp::Ne, Type::I32, Expr::Var(tracked), Expr::i32(0));
    procedure.add_branch(asked, holds, next, error, span);
}
