//! Leaks as error locations.
//!
//! A heap object that is lost stays lost: to free it takes its address. So a run that ends is asked
//! at its end whether it has lost one, be it the return of the entry function, `exit` or `abort`. A run
//! that does not end comes to the head of a loop or to the entry of a recursive procedure again and
//! again, and is asked there.
//!
//! That all is freed in the end ([`Property::Cleanup`]) is asked where the program ends by itself. A
//! failed assumption is no such end, so the question is put where calls are lowered.

use super::procedure::Lowering;
use base::Span;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;
use program::pass::callgraph::CallGraph;
use program::pass::loops::LoopNest;
use std::collections::{BTreeMap, BTreeSet};

impl Lowering<'_, '_> {
    /// Asks before the program ends whether all was freed, where that counts.
    pub(super) fn check_cleanup(&mut self, span: Span) {
        if !self.cx.checks(Property::Cleanup) {
            return;
        }
        let cleaned = self.library_value(Library::Cleaned, Vec::new(), span);
        let bad = Expr::binary(BinaryOp::Eq, Type::I32, cleaned, Expr::i32(0));
        let message = "memory leak: the program ends with a heap object that was not freed";
        self.check_not(bad, Property::Cleanup, message, span);
    }
}

/// Adds the checks that are asked for, if the program allocates anything.
pub(super) fn check(program: &mut Program, properties: &BTreeSet<Property>) {
    let asked = [Property::Leak, Property::Cleanup].map(|property| properties.contains(&property));
    let property = match asked {
        [true, _] => Property::Leak,
        [false, true] => Property::Cleanup,
        [false, false] => return,
    };
    if !allocates(program) {
        return clean(program);
    }
    let graph = CallGraph::new(program);
    let procs: Vec<ProcId> = program.procs.ids().collect();
    for proc in procs {
        let ends = property == Property::Leak;
        let places = places(&program.procs[proc], graph.recursive[proc], ends);
        for (location, span) in places {
            check_at(program, proc, location, property, span);
        }
    }
}

fn allocates(program: &Program) -> bool {
    use Library::{Calloc, Malloc, Realloc};
    let mut edges = program.procs.iter().flat_map(|row| row.edges.iter());
    edges.any(|edge| {
        matches!(&edge.op, Op::Call(call)
            if matches!(call.callee, Callee::Library(Malloc | Calloc | Realloc)))
    })
}

/// Answers whether all was freed, in a program that allocates nothing.
fn clean(program: &mut Program) {
    for procedure in program.procs.iter_mut() {
        for edge in procedure.edges.iter_mut() {
            if let Op::Call(call) = &edge.op
                && call.callee == Callee::Library(Library::Cleaned)
                && let Some(result) = call.result
            {
                edge.op = Op::Assign(Place::Var(result), Expr::i32(1));
            }
        }
    }
}

/// Where to ask in a procedure, also at the ends of runs if so, and what of the source that is.
fn places(procedure: &Procedure, is_recursive: bool, ends: bool) -> BTreeMap<LocationId, Span> {
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
    for edge in procedure.edges.iter().filter(|_| ends) {
        if matches!(edge.op, Op::Halt(Halt::Exit(_) | Halt::Abort)) {
            places.insert(edge.source, edge.span);
        }
    }
    places
}

/// Asks at a location before anything else.
fn check_at(
    program: &mut Program,
    proc: ProcId,
    location: LocationId,
    property: Property,
    span: Span,
) {
    let tracked = program.add_local(proc, "$tracked", Type::I32, span);
    let procedure = &mut program.procs[proc];
    let asked = procedure.add_location(span);
    let next = procedure.add_location(span);
    let error = procedure.add_error(Violation {
        property,
        message: "memory leak: nothing points to a heap object that was not freed".to_owned(),
        span,
    });
    let out = std::mem::take(&mut procedure.locations[location].out);
    for &edge in &out {
        procedure.edges[edge].source = next;
    }
    procedure.locations[next].out = out;
    let callee = Callee::Library(Library::Tracked);
    let call = Call::new(Some(tracked), callee, Vec::new());
    procedure.add_edge(location, asked, Op::Call(call), span);
    let holds = Expr::binary(BinaryOp::Ne, Type::I32, Expr::Var(tracked), Expr::i32(0));
    procedure.add_branch(asked, holds, next, error, span);
}
