//! Forward substitution of addresses: pointers that are set once, to a place in an object or
//! another place of interest, and read only while that is the same place, are replaced by the
//! address itself. So an array that is passed to an inlined procedure, and an address that is
//! checked before it is used, have uses that name the object.

use super::must_facts::{Facts, MustFacts};
use super::object_offset::ObjectOffset;
use crate::expr::{BinaryOp, Expr, Type};
use crate::ir::*;
use base::IdVec;
use std::collections::BTreeMap;

/// The program with pointers to places in objects replaced, in the procedures that are reachable.
pub(super) fn resolve(program: &Program, reachable: &IdVec<ProcId, bool>) -> Program {
    resolve_places(program, reachable, &|value| {
        ObjectOffset::of(value).is_some()
    })
}

/// The program with pointers replaced that are set to such an address.
pub(in crate::pass) fn resolve_places(
    program: &Program,
    reachable: &IdVec<ProcId, bool>,
    is_place: &dyn Fn(&Expr) -> bool,
) -> Program {
    let mut result = program.clone();
    for proc in program.procs.ids() {
        // A pointer may be set to what another one is replaced by.
        while reachable[proc] && replace(&mut result, proc, is_place) {}
    }
    result
}

/// A pointer that one edge sets.
struct Pointer {
    var: VarId,
    edge: EdgeId,
    value: Expr,
}

/// Addresses of more steps than this are not repeated.
const LARGEST: usize = 60;

/// Replaces pointers of one procedure; whether there were any.
fn replace(program: &mut Program, proc: ProcId, is_place: &dyn Fn(&Expr) -> bool) -> bool {
    let pointers = pointers(program, proc, is_place);
    let changes = Changes::new(program, &pointers);
    let procedure = &program.procs[proc];
    let none = Facts::default();
    let same = MustFacts::new(procedure, none, &|id, op, facts| {
        changes.ends(op, &mut |place| facts.remove(place));
        if let Some(place) = op.written().and_then(|var| changes.place.get(&var)) {
            match pointers[*place].edge == id {
                true => drop(facts.insert(*place)),
                false => facts.remove(*place),
            }
        }
    });
    let mut chosen: BTreeMap<VarId, &Pointer> = (pointers.iter())
        .map(|pointer| (pointer.var, pointer))
        .collect();
    for edge in procedure.edges.iter() {
        for var in edge.op.read() {
            let place = changes.place.get(&var);
            if place.is_some_and(|&place| !same.holds(edge.source, place)) {
                chosen.remove(&var);
            }
        }
    }
    // One that reads another is left for the next time.
    let settled = chosen.clone();
    chosen.retain(|_, pointer| {
        let read = pointer.value.vars();
        !read.iter().any(|var| settled.contains_key(var))
    });
    let procedure = &mut program.procs[proc];
    for edge in procedure.edges.iter_mut() {
        for expr in edge.op.exprs_mut() {
            expr.visit_mut(&mut |part| put(part, &chosen));
        }
    }
    for pointer in chosen.values() {
        procedure.edges[pointer.edge].op = Op::Skip;
    }
    !chosen.is_empty()
}

/// The pointers of a procedure that one edge sets, to a place.
fn pointers(program: &Program, proc: ProcId, is_place: &dyn Fn(&Expr) -> bool) -> Vec<Pointer> {
    let procedure = &program.procs[proc];
    let mut found: BTreeMap<VarId, Option<Pointer>> = BTreeMap::new();
    for &var in procedure.params.iter().chain(&procedure.varargs) {
        found.insert(var, None);
    }
    for (id, edge) in procedure.edges.iter_enumerated() {
        let Some(var) = edge.op.written() else {
            continue;
        };
        let pointer = match &edge.op {
            Op::Assign(_, value)
                if program.vars[var].scope == Scope::Local(proc)
                    && is_place(value)
                    && size(value) <= LARGEST =>
            {
                Some(Pointer {
                    var,
                    edge: id,
                    value: value.clone(),
                })
            }
            _ => None,
        };
        let is_first = !found.contains_key(&var);
        found.insert(var, pointer.filter(|_| is_first));
    }
    found.into_values().flatten().collect()
}

fn size(expr: &Expr) -> usize {
    1 + expr.children().map(size).sum::<usize>()
}

/// After which ops the values of pointers, by their places in the list, are not what they were.
#[derive(Default)]
struct Changes {
    /// The place of each pointer.
    place: BTreeMap<VarId, usize>,
    /// Those whose value depends on a variable.
    by_var: BTreeMap<VarId, Vec<usize>>,
    by_object: BTreeMap<ObjectId, Vec<usize>>,
    by_memory: Vec<usize>,
    by_globals: Vec<usize>,
}

impl Changes {
    fn new(program: &Program, pointers: &[Pointer]) -> Changes {
        let mut changes = Changes::default();
        for (place, Pointer { var, value, .. }) in pointers.iter().enumerate() {
            changes.place.insert(*var, place);
            value.visit(&mut |part| match part {
                Expr::Var(var) => changes.by_var.entry(*var).or_default().push(place),
                Expr::Object(object) => changes.by_object.entry(*object).or_default().push(place),
                _ => {}
            });
            if value.reads_memory() {
                changes.by_memory.push(place);
            }
            let mut vars = value.vars().into_iter();
            if vars.any(|var| program.vars[var].scope == Scope::Global) {
                changes.by_globals.push(place);
            }
        }
        changes
    }

    fn ends(&self, op: &Op, end: &mut dyn FnMut(usize)) {
        let (mut memory, mut globals) = (false, false);
        match op {
            Op::Enter(object) | Op::Leave(object) => {
                memory = true;
                let pointers = self.by_object.get(object).into_iter().flatten();
                pointers.for_each(|&place| end(place));
            }
            Op::Assign(Place::Mem(..), _) | Op::Havoc(Place::Mem(..), _) => memory = true,
            Op::Call(call) => {
                memory = true;
                globals = !matches!(call.callee, Callee::Library(_));
            }
            Op::Skip
            | Op::Assign(Place::Var(_), _)
            | Op::Assume(_)
            | Op::Havoc(Place::Var(_), _)
            | Op::Return(_)
            | Op::Halt(_)
            | Op::Unsupported(_) => {}
        }
        let read = op.written().and_then(|var| self.by_var.get(&var));
        read.into_iter().flatten().for_each(|&place| end(place));
        for (changed, places) in [(memory, &self.by_memory), (globals, &self.by_globals)] {
            if changed {
                places.iter().for_each(|&place| end(place));
            }
        }
    }
}

/// Puts an address in place of a pointer.
fn put(expr: &mut Expr, chosen: &BTreeMap<VarId, &Pointer>) {
    match expr {
        Expr::Var(var) => {
            if let Some(pointer) = chosen.get(var) {
                *expr = pointer.value.clone();
            }
        }
        // The start of an object is not null.
        Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), Type::Ptr, left, right) => {
            let is_start = |expr: &Expr| matches!(expr, Expr::Object(_));
            let null = Expr::null();
            if (is_start(left) && **right == null) || (is_start(right) && **left == null) {
                *expr = Expr::bool(*op == BinaryOp::Ne);
            }
        }
        _ => {}
    }
}
