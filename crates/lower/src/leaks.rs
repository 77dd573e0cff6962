//! Leaks as error locations.
//!
//! A heap object that is lost stays lost: to free it takes its address. So a run that ends is asked
//! at its end whether it has lost one, be it the return of the entry function, `exit` or `abort`. A run
//! that does not end comes to the head of a loop or to the entry of a recursive procedure again and
//! again, and is asked there.
//!
//! That all is freed in the end ([`Property::Cleanup`]) is asked where the program ends by itself. A
//! failed assumption is no such end, so the question is put where calls are lowered.
//!
//! Formulas know nothing of what is reachable, but where no object lives none is lost. So the living
//! ones are counted, and the answer is yes where the count is zero.
//!
//! # Invariants
//! - The count is never less than the number of living heap objects.

use super::procedure::Lowering;
use base::Span;
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::ir::*;
use program::pass::callgraph::CallGraph;
use program::pass::loops::LoopNest;
use std::collections::{BTreeMap, BTreeSet};

impl Lowering<'_, '_> {
    /// Ends the program, and asks before whether all was freed, where that counts.
    pub(super) fn end_run(&mut self, halt: Halt, span: Span) {
        if self.cx.checks(Property::Cleanup) {
            let cleaned = self.library_value(Library::Cleaned, Vec::new(), span);
            let bad = Expr::binary(BinaryOp::Eq, Type::I32, cleaned, Expr::i32(0));
            let message = "memory leak: the program ends with a heap object that was not freed";
            self.check_not(bad, Property::Cleanup, message, span);
        }
        self.emit_last(Op::Halt(halt), span);
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
    count_living(program);
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
    let next = procedure.split(location, span);
    let error = procedure.add_error(Violation {
        property,
        message: "memory leak: nothing points to a heap object that was not freed".to_owned(),
        span,
    });
    let callee = Callee::Library(Library::Tracked);
    let call = Call::new(Some(tracked), callee, Vec::new());
    procedure.add_edge(location, asked, Op::Call(call), span);
    let holds = Expr::binary(BinaryOp::Ne, Type::I32, Expr::Var(tracked), Expr::i32(0));
    procedure.add_branch(asked, holds, next, error, span);
}

/// Counts the heap objects that live, and answers the questions by that where there are none.
fn count_living(program: &mut Program) {
    // No run allocates so often that this overflows, whatever the width of pointers.
    let ty = IntType::I64;
    let zero = Constant::Int(IntValue::zero(ty));
    let count = program.add_global("$living", zero, Span::NONE);
    for procedure in program.procs.iter_mut() {
        let edges: Vec<EdgeId> = procedure.edges.ids().collect();
        for edge in edges {
            let Edge { target, span, .. } = procedure.edges[edge];
            if let Op::Call(call) = &procedure.edges[edge].op
                && let Callee::Library(function) = call.callee
                && let Some(op) = counted(count, ty, function, call)
            {
                let call = procedure.edges[edge].op.clone();
                // After it is freed, what the argument reads may be gone.
                let [first, second] = match function {
                    Library::Free => [op, call],
                    _ => [call, op],
                };
                let between = procedure.add_location(span);
                procedure.edges[edge].op = first;
                procedure.redirect(edge, between);
                procedure.add_edge(between, target, second, span);
            }
        }
    }
}

/// What a call does to the count, or the count to its answer.
fn counted(count: VarId, ty: IntType, function: Library, call: &Call) -> Option<Op> {
    let [zero, one] = [0, 1].map(|number| Expr::int(ty, number));
    let if_not_null = |address: Expr| {
        let is_not = Expr::binary(BinaryOp::Ne, Type::Ptr, address, Expr::null());
        Expr::select(is_not, one.clone(), zero.clone())
    };
    let changed = |op: BinaryOp, by: Expr| {
        let value = Expr::binary(op, Type::Int(ty), Expr::Var(count), by);
        Op::Assign(Place::Var(count), value)
    };
    match function {
        Library::Malloc | Library::Calloc => {
            let address = call.result.map(Expr::Var);
            let more = address.map_or_else(|| one.clone(), if_not_null);
            Some(changed(BinaryOp::Add, more))
        }
        // What it frees is not subtracted: the count may be too high.
        Library::Realloc => Some(changed(BinaryOp::Add, one.clone())),
        Library::Free => Some(changed(BinaryOp::Sub, if_not_null(call.args[0].clone()))),
        Library::Tracked | Library::Cleaned => {
            let result = call.result?;
            let none = Expr::binary(BinaryOp::Eq, Type::Int(ty), Expr::Var(count), zero);
            let value = Expr::select(none, Expr::i32(1), Expr::Var(result));
            Some(Op::Assign(Place::Var(result), value))
        }
        _ => None,
    }
}
