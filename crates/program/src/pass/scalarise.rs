//! Scalar replacement: small objects become variables, and validity checks of addresses inside
//! objects become bounds checks.
//!
//! An object of few elements whose address does not escape (`layout` says what that means) is
//! replaced by one variable for each element. A read at an index becomes a choice among the
//! elements; a store at an index assigns to each of them its old value or the new one. Before it,
//! the index is assumed to be in bounds: elsewhere there is no defined run. Whether
//! `object + offset` is valid becomes a comparison of the offset with the object's size, also for
//! objects that stay in memory, wherever the object is certainly alive. An offset that leaves the
//! object and comes back by wrapping around counts as out of bounds, as in C.
//!
//! Before that, pointers to few objects become object numbers, and accesses through them a choice
//! among the objects (`pointers`, `choice`), also in procedures that receive such a pointer.
//!
//! `Enter` stays, and after it the elements are read from the memory of the object: it is
//! indeterminate, and whatever such reads yield, an engine's "any value" or the machine's zero, the
//! elements have.
//!
//! The initial value of a variable cannot be an address, so an element that initially holds a
//! procedure's address is set to it where the program starts, by steps before its old entry; if it
//! is never written, it is replaced by that address.
//!
//! Proofs may be about the result, so this is trusted: `docs/decisions/0013`, `0029`.
//!
//! # Invariants
//! - Variables, objects, sites, locations and edges of the old program keep their ids; new ones
//!   come after them. A run that was at an old location with no op half done is there now.
//! - Defined runs stay, with the same inputs. A run that leaves an object which became variables is
//!   blocked there.

mod choice;
mod layout;
pub(super) mod must_facts;
pub(super) mod object_offset;
mod pointers;
pub(super) mod resolve;
#[cfg(test)]
mod tests;

use self::choice::{Chosen, choose};
use self::layout::{Bulk, Elements, Initial, Stretch, filled_with, initial};
use self::must_facts::MustFacts;
use self::object_offset::{Moving, ObjectOffset};
use self::resolve::resolve;
use super::callgraph::CallGraph;
use super::steps::Steps;
use crate::expr::{Constant, Expr, Type, UnaryOp};
use crate::ir::*;
use crate::validate::check_invariants;
use base::{Id, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The program with small objects as variables.
pub fn scalarise(program: &Program) -> Program {
    with_elements(program).0
}

/// The same, with the variable of each element.
pub fn with_elements(program: &Program) -> (Program, Vars) {
    let reachable = CallGraph::new(program).reachable(program);
    let program = &resolve(program, &reachable);
    let Chosen {
        program,
        layouts,
        alive,
        shared,
    } = &choose(program, &reachable);
    let mut result = program.clone();
    let (vars, procs) = declare(&mut result, layouts, shared);
    for (proc, alive) in alive.iter_enumerated() {
        if let Some(alive) = alive {
            Rewriting {
                old: program,
                layouts,
                vars: &vars,
                proc,
                alive,
            }
            .procedure(&mut result);
        }
    }
    put_procs(&mut result, procs);
    check_invariants(&result, "making variables of objects");
    (result, vars)
}

/// The variable of each element, by object and offset.
pub type Vars = BTreeMap<(ObjectId, u64), VarId>;

/// Declares the variables, those of a local object that other procedures reach as globals; with
/// those that hold the address of a procedure at first.
fn declare(
    program: &mut Program,
    layouts: &BTreeMap<ObjectId, Elements>,
    shared: &BTreeSet<ObjectId>,
) -> (Vars, BTreeMap<VarId, ProcId>) {
    let mut vars = Vars::new();
    let mut procs = BTreeMap::new();
    for (&object, elements) in layouts {
        for (&offset, &ty) in elements {
            let row = &program.objects[object];
            let (scope, span) = (row.scope, row.span);
            let name = format!("${}_{offset}", row.name);
            let var = match scope {
                Scope::Global => {
                    let init = initial(program, object, offset, ty);
                    let init = init.expect("a layout should have initial values");
                    match init {
                        Initial::Constant(init) => program.add_global(name, init, span),
                        Initial::Proc(proc) => {
                            let var = program.add_global(name, Constant::Null, span);
                            procs.insert(var, proc);
                            var
                        }
                    }
                }
                Scope::Local(_) if shared.contains(&object) => {
                    program.add_global(name, ty.zero(), span)
                }
                Scope::Local(proc) => program.add_local(proc, name, ty, span),
            };
            vars.insert((object, offset), var);
        }
    }
    (vars, procs)
}

/// Puts the addresses of procedures into the variables that hold them at first. One that is never
/// written stands for its procedure wherever it is read; the others are set where the program
/// starts.
fn put_procs(program: &mut Program, mut procs: BTreeMap<VarId, ProcId>) {
    let written = program.edges().filter_map(|(_, _, edge)| edge.op.written());
    let written: BTreeSet<VarId> = written.collect();
    let starts: Vec<(VarId, ProcId)> = (procs.iter())
        .filter(|(var, _)| written.contains(var))
        .map(|(&var, &proc)| (var, proc))
        .collect();
    procs.retain(|var, _| !written.contains(var));
    for procedure in program.procs.iter_mut() {
        for edge in procedure.edges.iter_mut() {
            for expr in edge.op.exprs_mut() {
                expr.visit_mut(&mut |part| {
                    if let Expr::Var(var) = part
                        && let Some(&proc) = procs.get(var)
                    {
                        *part = Expr::Proc(proc);
                    }
                });
            }
        }
    }
    let entry = &mut program.procs[program.entry];
    for (var, proc) in starts.into_iter().rev() {
        entry.begin_with(Op::Assign(Place::Var(var), Expr::Proc(proc)));
    }
}

/// Whether an expression asks for the validity of bytes inside an object, and at which place, how
/// many and to be written.
fn bounds_of<'e>(program: &Program, expr: &'e Expr) -> Option<(ObjectOffset<'e>, u64, bool)> {
    let Expr::Valid(address, bytes, write) = expr else {
        return None;
    };
    let bytes = bytes.integer()?.to_u64().filter(|&bytes| bytes > 0)?;
    let place = ObjectOffset::of(address)?;
    debug_assert!(program.objects.get(place.object).is_some());
    Some((place, bytes, *write))
}

/// Rewrites one procedure.
struct Rewriting<'p> {
    old: &'p Program,
    layouts: &'p BTreeMap<ObjectId, Elements>,
    vars: &'p Vars,
    proc: ProcId,
    alive: &'p MustFacts,
}

/// What is gathered while an op is rewritten.
struct Around {
    at: LocationId,
    /// Bounds that every defined run through it keeps.
    bounds: Vec<Expr>,
}

impl Around {
    fn assume(&mut self, bounds: Expr) {
        if !bounds.is_bool(true) && !self.bounds.contains(&bounds) {
            self.bounds.push(bounds);
        }
    }

    /// Rewrites the parts of an expression.
    fn on_children(&mut self, expr: &Expr, rewrite: &dyn Fn(&Expr, &mut Around) -> Expr) -> Expr {
        match expr {
            Expr::Select(condition, then, otherwise) => {
                let condition = rewrite(condition, self);
                let [then, otherwise] = self.on_sides(&condition, [then, otherwise], rewrite);
                Expr::Select(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            Expr::Unary(UnaryOp::Not, Type::Bool, operand) => Expr::not(rewrite(operand, self)),
            _ => expr.with_children(|part| rewrite(part, self)),
        }
    }

    /// Rewrites the two sides of a choice. What is not evaluated keeps no bounds.
    fn on_sides(
        &mut self,
        condition: &Expr,
        [then, otherwise]: [&Expr; 2],
        rewrite: &dyn Fn(&Expr, &mut Around) -> Expr,
    ) -> [Expr; 2] {
        let outer = std::mem::take(&mut self.bounds);
        let then = rewrite(then, self);
        let if_then = std::mem::take(&mut self.bounds);
        let otherwise = rewrite(otherwise, self);
        let if_not = std::mem::replace(&mut self.bounds, outer);
        for bounds in if_then {
            self.assume(Expr::select(condition.clone(), bounds, Expr::bool(true)));
        }
        for bounds in if_not {
            self.assume(Expr::select(condition.clone(), Expr::bool(true), bounds));
        }
        [then, otherwise]
    }
}

impl Rewriting<'_> {
    fn procedure(&self, program: &mut Program) {
        let old = &self.old.procs[self.proc];
        rewrite_edges(program, self.proc, old, &|program, id, around| {
            let ops = self.op(program, &old.edges[id].op, old.edges[id].span, around);
            put(program, self.proc, id, ops);
        });
    }

    fn op(&self, program: &mut Program, op: &Op, span: Span, around: &mut Around) -> Vec<Op> {
        use Op::*;
        match op {
            Assign(Place::Mem(ty, address), value) if let Some(place) = self.element(address) => {
                let value = self.expr(value, around);
                self.store(program, *ty, &place, Value::Of(value), span, around)
            }
            Havoc(Place::Mem(ty, address), site) if let Some(place) = self.element(address) => {
                self.store(program, *ty, &place, Value::Input(*site), span, around)
            }
            Enter(object) => {
                let mut ops = vec![op.clone()];
                let elements = self.layouts.get(object).into_iter().flatten();
                for (&offset, &ty) in elements {
                    let by = Expr::int(self.old.offset_type(), i128::from(offset));
                    let read = Expr::load(ty, Expr::offset(Expr::Object(*object), by));
                    let var = self.vars[&(*object, offset)];
                    ops.push(Assign(Place::Var(var), read));
                }
                ops
            }
            Call(call) if let Some(ops) = self.bulk(call) => ops,
            Skip | Assign(..) | Assume(_) | Havoc(..) | Call(_) | Return(_) | Halt(_)
            | Leave(_) | Unsupported(_) => vec![op.with_exprs(|expr| self.expr(expr, around))],
        }
    }

    /// The place of an address inside an object that became variables.
    fn element<'e>(&self, address: &'e Expr) -> Option<ObjectOffset<'e>> {
        ObjectOffset::of(address).filter(|place| self.layouts.contains_key(&place.object))
    }

    /// What a call does that fills or copies objects which became variables.
    fn bulk(&self, call: &Call) -> Option<Vec<Op>> {
        let inside = |stretch: Stretch| {
            let elements = self.layouts.get(&stretch.object)?;
            Some(elements.range(stretch.start..stretch.end))
        };
        let mut ops = vec![Op::Skip];
        match Bulk::of(self.old, call)? {
            Bulk::Fill(to, byte) => {
                for (&offset, &ty) in inside(to)? {
                    let value = filled_with(self.old, ty, byte);
                    let value = value.expect("a layout should be filled with values");
                    let var = self.vars[&(to.object, offset)];
                    ops.push(Op::Assign(Place::Var(var), Expr::Const(value)));
                }
            }
            Bulk::Copy(to, from) => {
                for (&offset, _) in inside(to)? {
                    let var = self.vars[&(to.object, offset)];
                    let source = self.vars[&(from.object, offset - to.start + from.start)];
                    ops.push(Op::Assign(Place::Var(var), Expr::Var(source)));
                }
            }
        }
        Some(ops)
    }

    /// An expression without reads of what became variables.
    fn expr(&self, expr: &Expr, around: &mut Around) -> Expr {
        match expr {
            Expr::Load(ty, address) if let Some(place) = self.element(address) => {
                let (constant, moving) = self.offset(&place, around);
                let (elements, inside) = self.elements(*ty, &place, constant, &moving);
                around.assume(inside);
                let mut found = None;
                for (offset, var) in elements.into_iter().rev() {
                    let this = Expr::Var(var);
                    found = Some(match (found, &moving) {
                        (Some(others), Some(moving)) => {
                            Expr::select(moving.is(offset - constant), this, others)
                        }
                        (None, _) | (_, None) => this,
                    });
                }
                found.unwrap_or(Expr::Const(ty.zero()))
            }
            Expr::Valid(..)
                if let Some((place, bytes, write)) = bounds_of(self.old, expr)
                    && self.alive.holds(around.at, place.object.index()) =>
            {
                let (constant, moving) = self.offset(&place, around);
                let row = &self.old.objects[place.object];
                if write && row.read_only {
                    return Expr::bool(false);
                }
                inside(row.size, bytes, constant, &moving)
            }
            _ => around.on_children(expr, &|part, around| self.expr(part, around)),
        }
    }

    /// The offset of a place, rewritten.
    fn offset(&self, place: &ObjectOffset<'_>, around: &mut Around) -> (i128, Option<Moving>) {
        let (constant, mut moving) = place.split(self.old);
        if let Some(moving) = &mut moving {
            moving.expr = self.expr(&moving.expr, around);
        }
        (constant, moving)
    }

    /// The elements that an access may name, by their offsets, and when it names one.
    fn elements(
        &self,
        ty: Type,
        place: &ObjectOffset<'_>,
        constant: i128,
        moving: &Option<Moving>,
    ) -> (Vec<(i128, VarId)>, Expr) {
        let bytes = ty.bytes(self.old.pointer_bytes);
        let size = self.old.objects[place.object].size;
        let offsets = place.offsets(self.old, size, bytes).into_iter();
        let var = |offset| (i128::from(offset), self.vars[&(place.object, offset)]);
        let elements: Vec<(i128, VarId)> = offsets.map(var).collect();
        if elements.is_empty() {
            return (elements, Expr::bool(false));
        }
        (elements, inside(size, bytes, constant, moving))
    }

    /// Writes an element.
    fn store(
        &self,
        program: &mut Program,
        ty: Type,
        place: &ObjectOffset<'_>,
        value: Value,
        span: Span,
        around: &mut Around,
    ) -> Vec<Op> {
        let (constant, moving) = self.offset(place, around);
        let (elements, inside) = self.elements(ty, place, constant, &moving);
        around.assume(inside);
        let mut ops = Vec::new();
        let (mut moving, vars) = match (moving, &elements[..]) {
            (_, []) => return vec![Op::Assume(Expr::bool(false))],
            (_, &[(_, var)]) => return vec![value.put_in(var)],
            (None, _) => unreachable!("a constant offset should name one element"),
            (Some(moving), many) => {
                let vars = many.iter().map(|&(_, var)| var);
                (moving, vars.collect::<BTreeSet<VarId>>())
            }
        };
        let mut aside = |name: &str, ty: Type, value: Value, ops: &mut Vec<Op>| {
            let var = program.add_local(self.proc, name, ty, span);
            ops.push(value.put_in(var));
            Expr::Var(var)
        };
        // The elements change one after the other, so what reads them comes first.
        let reads = |expr: &Expr| expr.vars().iter().any(|var| vars.contains(var));
        if reads(&moving.expr) {
            let offset = Value::Of(moving.expr);
            moving.expr = aside("$offset", Type::Int(moving.ty), offset, &mut ops);
        }
        let value = match value {
            Value::Of(value @ (Expr::Const(_) | Expr::Var(_))) if !reads(&value) => value,
            value => aside("$value", ty, value, &mut ops),
        };
        for (offset, var) in elements {
            let this = moving.is(offset - constant);
            let new = Expr::select(this, value.clone(), Expr::Var(var));
            ops.push(Op::Assign(Place::Var(var), new));
        }
        ops
    }
}

/// Rewrites all edges of a procedure. What those that leave a location assume alike is assumed before
/// them.
fn rewrite_edges(
    program: &mut Program,
    proc: ProcId,
    old: &Procedure,
    rewrite: &dyn Fn(&mut Program, EdgeId, &mut Around),
) {
    for (at, edges) in old.outgoing().iter_enumerated() {
        let mut common: Option<Vec<Expr>> = None;
        for &id in edges {
            let mut around = Around {
                at,
                bounds: Vec::new(),
            };
            rewrite(program, id, &mut around);
            match &mut common {
                None => common = Some(around.bounds),
                Some(common) => common.retain(|part| around.bounds.contains(part)),
            }
        }
        let bounds = common.unwrap_or_default();
        if !bounds.is_empty()
            && let Some(mut steps) = Steps::before(program, proc, at)
        {
            let all = bounds.into_iter().fold(Expr::bool(true), Expr::and);
            steps.op(Op::Assume(all));
            steps.go_on(&old.locations[at].out);
        }
    }
}

/// Lets an edge do several ops, one after the other.
fn put(program: &mut Program, proc: ProcId, id: EdgeId, ops: Vec<Op>) {
    let edge = &mut program.procs[proc].edges[id];
    let target = edge.target;
    let mut ops = ops.into_iter();
    edge.op = ops.next().expect("an edge should do something");
    if let Some(last) = ops.next_back() {
        let mut steps = Steps::after(program, proc, id);
        ops.for_each(|op| steps.op(op));
        steps.edge(steps.at, target, last);
    }
}

/// What is written.
enum Value {
    Of(Expr),
    Input(SiteId),
}

impl Value {
    fn put_in(self, var: VarId) -> Op {
        match self {
            Value::Of(value) => Op::Assign(Place::Var(var), value),
            Value::Input(site) => Op::Havoc(Place::Var(var), site),
        }
    }
}

/// When an access is inside an object.
fn inside(size: u64, bytes: u64, constant: i128, moving: &Option<Moving>) -> Expr {
    let last = i128::from(size) - i128::from(bytes);
    match moving {
        None => Expr::bool((0..=last).contains(&constant)),
        Some(moving) => moving.is_within(-constant, last - constant),
    }
}
