//! Pointers as numbers: what replaces each use.

use crate::expr::{BinaryOp, Constant, Expr, Type};
use crate::ir::*;
use crate::pass::scalarise::object_offset::{Congruence, WIDE};
use crate::pass::scalarise::pointers::Pointers;
use crate::pass::scalarise::{Around, put, rewrite_edges};
use crate::pass::steps::Steps;
use base::{Id, IdVec};
use logic::{IntType, IntValue};
use std::collections::BTreeMap;

/// The type of the numbers of objects.
const NUMBER: IntType = IntType::I32;

/// What stands for an object in a pointer.
fn number(object: ObjectId) -> Expr {
    Expr::int(NUMBER, object.index() as i128 + 1)
}

/// The program with two numbers in place of each pointer that is followed.
pub(super) fn with_choices(
    program: &Program,
    reachable: &IdVec<ProcId, bool>,
    pointers: &Pointers,
) -> Program {
    let mut result = program.clone();
    let numbers = declare(&mut result, pointers);
    let typed = result.clone();
    for proc in program.procs.ids() {
        let choosing = Choosing {
            old: program,
            typed: &typed,
            pointers,
            numbers: &numbers,
            proc,
        };
        match reachable[proc] {
            true => choosing.procedure(&mut result),
            false => choosing.dead_calls(&mut result),
        }
    }
    for procedure in result.procs.iter_mut() {
        let params = procedure.params.iter();
        let params = params.flat_map(|param| match numbers.get(param) {
            Some(numbers) => [Some(numbers.object), numbers.offset],
            None => [Some(*param), None],
        });
        procedure.params = params.flatten().collect();
    }
    result
}

/// What stands for a pointer.
struct Numbers {
    object: VarId,
    /// In steps; nothing for one that points to the start of objects only.
    offset: Option<VarId>,
    /// The bytes of a step.
    step: u64,
}

fn declare(program: &mut Program, pointers: &Pointers) -> BTreeMap<VarId, Numbers> {
    let mut declare = |pointer: VarId, what: &str, ty: IntType| {
        let row = &program.vars[pointer];
        let (name, scope, span) = (format!("${}_{what}", row.name), row.scope, row.span);
        match scope {
            Scope::Global => program.add_global(name, Constant::Int(IntValue::zero(ty)), span),
            Scope::Local(proc) => program.add_local(proc, name, Type::Int(ty), span),
        }
    };
    let mut numbers = BTreeMap::new();
    for (pointer, targets) in pointers.iter() {
        let object = declare(pointer, "object", NUMBER);
        let offset = (targets.step > 0).then(|| declare(pointer, "offset", WIDE));
        let step = targets.step;
        let row = Numbers {
            object,
            offset,
            step,
        };
        numbers.insert(pointer, row);
    }
    numbers
}

/// Makes one argument of another, or two if its parameter is a pointer that became these.
type MakeArgs<'m> = dyn FnMut(&Expr, Option<&Numbers>) -> [Option<Expr>; 2] + 'm;

/// An address as numbers: of its object, and of the bytes from there.
struct Pair {
    object: Expr,
    offset: Expr,
}

/// What an edge becomes.
enum Rewritten {
    Ops(Vec<Op>),
    /// The first whose condition holds, else the last.
    OneOf(Vec<(Expr, Op)>),
}

/// Rewrites one procedure.
struct Choosing<'p> {
    old: &'p Program,
    /// The old program with all new variables.
    typed: &'p Program,
    pointers: &'p Pointers,
    numbers: &'p BTreeMap<VarId, Numbers>,
    proc: ProcId,
}

impl Choosing<'_> {
    fn procedure(&self, program: &mut Program) {
        let old = &self.old.procs[self.proc];
        rewrite_edges(
            program,
            self.proc,
            old,
            &|program, id, around| match self.op(program, &old.edges[id], around) {
                Rewritten::Ops(ops) => put(program, self.proc, id, ops),
                Rewritten::OneOf(choice) => self.branch(program, id, choice),
            },
        );
    }

    /// Calls that are never made have arguments of the right types.
    fn dead_calls(&self, program: &mut Program) {
        for edge in program.procs[self.proc].edges.iter_mut() {
            if let Op::Call(call) = &mut edge.op {
                let (zero, nowhere) = (self.zero(), Expr::int(NUMBER, 0));
                call.args = self.args(call, &mut |arg, numbers| match numbers {
                    Some(numbers) => [Some(nowhere.clone()), numbers.offset.map(|_| zero.clone())],
                    None => [Some(arg.clone()), None],
                });
            }
        }
    }

    /// Lets an edge do one of several ops.
    fn branch(&self, program: &mut Program, id: EdgeId, mut choice: Vec<(Expr, Op)>) {
        let edge = &mut program.procs[self.proc].edges[id];
        edge.op = Op::Skip;
        let target = edge.target;
        let mut steps = Steps::after(program, self.proc, id);
        let last = choice.pop();
        for (condition, op) in choice {
            let this = steps.branch(condition);
            steps.edge(this, target, op);
        }
        let (_, op) = last.expect("a choice should have a last op");
        steps.edge(steps.at, target, op);
    }

    fn op(&self, program: &mut Program, edge: &Edge, around: &mut Around) -> Rewritten {
        match &edge.op {
            Op::Assign(Place::Var(var), value) if let Some(numbers) = self.numbers.get(var) => {
                let pair = self.pair(value, around);
                Rewritten::Ops(self.assign(program, edge, numbers, pair))
            }
            Op::Assign(Place::Mem(ty, address), value) if self.pointers.is_choice(address) => {
                let value = self.expr(value, around);
                let store = |place: Expr| Op::Assign(Place::Mem(*ty, place), value.clone());
                self.store(address, &store, around)
            }
            Op::Havoc(Place::Mem(ty, address), site) if self.pointers.is_choice(address) => {
                let store = |place: Expr| Op::Havoc(Place::Mem(*ty, place), *site);
                self.store(address, &store, around)
            }
            Op::Call(call) => {
                let mut call = call.clone();
                call.args = self.args(&call, &mut |arg, numbers| match numbers {
                    Some(numbers) => {
                        let pair = self.pair(arg, around);
                        let offset = |_| self.in_steps(numbers.step, &pair.offset);
                        [Some(pair.object.clone()), numbers.offset.map(offset)]
                    }
                    None => [Some(self.expr(arg, around)), None],
                });
                let callee = match &mut call.callee {
                    Callee::Pointer(pointer) => Some(pointer),
                    Callee::Proc(_) | Callee::Library(_) => None,
                };
                for expr in callee.into_iter().chain(&mut call.varargs) {
                    *expr = self.expr(expr, around);
                }
                Rewritten::Ops(vec![Op::Call(call)])
            }
            Op::Skip
            | Op::Assign(..)
            | Op::Assume(_)
            | Op::Havoc(..)
            | Op::Return(_)
            | Op::Halt(_)
            | Op::Enter(_)
            | Op::Leave(_)
            | Op::Unsupported(_) => {
                Rewritten::Ops(vec![edge.op.with_exprs(|expr| self.expr(expr, around))])
            }
        }
    }

    /// The arguments of a call, one or two for each that there was.
    fn args(&self, call: &Call, make: &mut MakeArgs<'_>) -> Vec<Expr> {
        let params = match call.callee {
            Callee::Proc(callee) => &self.old.procs[callee].params[..],
            Callee::Pointer(_) | Callee::Library(_) => &[],
        };
        let mut args = Vec::new();
        for (place, arg) in call.args.iter().enumerate() {
            let numbers = params.get(place).and_then(|param| self.numbers.get(param));
            args.extend(make(arg, numbers).into_iter().flatten());
        }
        args
    }

    /// Sets both numbers of a pointer.
    fn assign(&self, program: &mut Program, edge: &Edge, numbers: &Numbers, pair: Pair) -> Vec<Op> {
        let set = |var: VarId, value: Expr| Op::Assign(Place::Var(var), value);
        let Some(var) = numbers.offset else {
            return vec![set(numbers.object, pair.object)];
        };
        let offset = self.in_steps(numbers.step, &pair.offset);
        if !offset.vars().contains(&numbers.object) {
            return vec![set(numbers.object, pair.object), set(var, offset)];
        }
        // It reads what is set before it.
        let aside = program.add_local(self.proc, "$offset", Type::Int(WIDE), edge.span);
        vec![
            set(aside, offset),
            set(numbers.object, pair.object),
            set(var, Expr::Var(aside)),
        ]
    }

    /// A store through a pointer.
    fn store(&self, address: &Expr, store: &dyn Fn(Expr) -> Op, around: &mut Around) -> Rewritten {
        let places = self.places(address, around).into_iter();
        let mut choice: Vec<(Expr, Op)> = places.map(|(is, place)| (is, store(place))).collect();
        match choice.len() {
            0 => Rewritten::Ops(vec![Op::Assume(Expr::bool(false))]),
            1 => Rewritten::Ops(choice.drain(..).map(|(_, op)| op).collect()),
            _ => Rewritten::OneOf(choice),
        }
    }

    /// The places that an address may be, each with its condition. It is assumed that it is one.
    fn places(&self, address: &Expr, around: &mut Around) -> Vec<(Expr, Expr)> {
        let places = self.checked_places(address, around);
        let is_one = places.iter().map(|(is, _)| is.clone());
        around.assume(is_one.fold(Expr::bool(false), Expr::or));
        places
    }

    /// The same, without the assumption.
    fn checked_places(&self, address: &Expr, around: &mut Around) -> Vec<(Expr, Expr)> {
        let pair = self.pair(address, around);
        let targets = self.pointers.targets(self.old, address);
        let place = |object: ObjectId| {
            let is = equal(NUMBER, pair.object.clone(), number(object));
            (is, Expr::offset(Expr::Object(object), pair.offset.clone()))
        };
        targets.objects.into_iter().map(place).collect()
    }

    fn expr(&self, expr: &Expr, around: &mut Around) -> Expr {
        match expr {
            Expr::Load(ty, address) if self.pointers.is_choice(address) => {
                let places = self.places(address, around);
                let mut found = None;
                for (is, place) in places.into_iter().rev() {
                    let this = Expr::load(*ty, place);
                    found = Some(match found {
                        Some(others) => Expr::select(is, this, others),
                        None => this,
                    });
                }
                found.unwrap_or(Expr::Const(ty.zero()))
            }
            Expr::Valid(address, bytes, write) if self.pointers.is_choice(address) => {
                let bytes = self.expr(bytes, around);
                let places = self.checked_places(address, around).into_iter();
                places.fold(Expr::bool(false), |others, (is, place)| {
                    let this = Expr::Valid(Box::new(place), Box::new(bytes.clone()), *write);
                    Expr::select(is, this, others)
                })
            }
            Expr::Binary(op, Type::Ptr, left, right)
                if (self.pointers.is_choice(left) || self.pointers.is_choice(right))
                    && self.pointers.is_comparable(self.old, *op, [left, right]) =>
            {
                self.compare(*op, [left, right], around)
            }
            _ => around.on_children(expr, &|part, around| self.expr(part, around)),
        }
    }

    /// A comparison or difference of two addresses, as one of numbers.
    fn compare(&self, op: BinaryOp, [left, right]: [&Expr; 2], around: &mut Around) -> Expr {
        let (left, right) = (self.pair(left, around), self.pair(right, around));
        let is_same = equal(NUMBER, left.object.clone(), right.object.clone());
        let compared =
            |op: BinaryOp| Expr::arith(op, WIDE, left.offset.clone(), right.offset.clone());
        match op {
            BinaryOp::Eq => Expr::and(is_same, compared(op)),
            BinaryOp::Ne => Expr::not(Expr::and(is_same, compared(BinaryOp::Eq))),
            BinaryOp::PtrDiff => {
                around.assume(is_same);
                let ty = Type::Int(self.old.offset_type());
                Expr::cast(Type::Int(WIDE), ty, compared(BinaryOp::Sub))
            }
            _ => {
                // Addresses of two objects have no order, but null is below all.
                let is_null =
                    |pair: &Pair| equal(NUMBER, pair.object.clone(), Expr::int(NUMBER, 0));
                let one_is_null = Expr::or(is_null(&left), is_null(&right));
                around.assume(Expr::or(is_same.clone(), one_is_null));
                let objects = Expr::arith(op, NUMBER, left.object.clone(), right.object.clone());
                Expr::select(is_same, compared(op), objects)
            }
        }
    }

    /// An address as numbers.
    fn pair(&self, address: &Expr, around: &mut Around) -> Pair {
        match address {
            Expr::Object(object) => Pair {
                object: number(*object),
                offset: self.zero(),
            },
            Expr::Var(var) if let Some(numbers) = self.numbers.get(var) => Pair {
                object: Expr::Var(numbers.object),
                offset: match numbers.offset {
                    Some(offset) => times(WIDE, &Expr::Var(offset), i128::from(numbers.step)),
                    None => self.zero(),
                },
            },
            Expr::Offset(base, by) => {
                let mut pair = self.pair(base, around);
                let by = self.expr(by, around);
                let by = Expr::cast(by.ty(self.typed), Type::Int(WIDE), by);
                pair.offset = Expr::arith(BinaryOp::Add, WIDE, pair.offset, by);
                pair
            }
            Expr::Select(condition, then, otherwise) => {
                let condition = self.expr(condition, around);
                let sides: [&Expr; 2] = [then, otherwise];
                let object = |side: &Expr, around: &mut Around| self.pair(side, around).object;
                let objects = around.on_sides(&condition, sides, &object);
                let offset = |side: &Expr, around: &mut Around| self.pair(side, around).offset;
                let offsets = around.on_sides(&condition, sides, &offset);
                let choose =
                    |[then, otherwise]: [Expr; 2]| Expr::select(condition.clone(), then, otherwise);
                Pair {
                    object: choose(objects),
                    offset: choose(offsets),
                }
            }
            Expr::Const(Constant::Null) => Pair {
                object: Expr::int(NUMBER, 0),
                offset: self.zero(),
            },
            _ => unreachable!("an address should be known"),
        }
    }

    fn zero(&self) -> Expr {
        Expr::int(WIDE, 0)
    }

    /// A number of bytes that is a multiple of a step, in steps and in its type.
    fn in_steps(&self, step: u64, bytes: &Expr) -> Expr {
        let Type::Int(ty) = bytes.ty(self.typed) else {
            unreachable!("an offset should be a number");
        };
        let by = i128::from(step);
        let constant = |expr: &Expr| expr.integer().and_then(IntValue::to_i128);
        if let Some(value) = constant(bytes) {
            return Expr::int(ty, value / by);
        }
        let divided = || Expr::arith(BinaryOp::Div, ty, bytes.clone(), Expr::int(ty, by));
        match bytes {
            _ if step == 1 => bytes.clone(),
            Expr::Select(condition, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|side| self.in_steps(step, side));
                Expr::select((**condition).clone(), then, otherwise)
            }
            Expr::Cast(_, inner) if ty == WIDE && self.is_multiple(inner, step) => Expr::cast(
                inner.ty(self.typed),
                Type::Int(WIDE),
                self.in_steps(step, inner),
            ),
            Expr::Binary(BinaryOp::Mul, _, left, right) if ty.signed => {
                match (constant(left), constant(right)) {
                    (_, Some(factor)) if factor % by == 0 => times(ty, left, factor / by),
                    (Some(factor), _) if factor % by == 0 => times(ty, right, factor / by),
                    _ => divided(),
                }
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), _, left, right)
                if ty.signed && self.is_multiple(left, step) && self.is_multiple(right, step) =>
            {
                let [left, right] = [left, right].map(|side| self.in_steps(step, side));
                Expr::arith(*op, ty, left, right)
            }
            _ => divided(),
        }
    }

    fn is_multiple(&self, bytes: &Expr, step: u64) -> bool {
        match bytes {
            Expr::Select(_, then, otherwise) => {
                self.is_multiple(then, step) && self.is_multiple(otherwise, step)
            }
            _ => Congruence::of(self.typed, bytes).is_multiple(step),
        }
    }
}

fn times(ty: IntType, expr: &Expr, factor: i128) -> Expr {
    Expr::arith(BinaryOp::Mul, ty, expr.clone(), Expr::int(ty, factor))
}

fn equal(ty: IntType, left: Expr, right: Expr) -> Expr {
    Expr::arith(BinaryOp::Eq, ty, left, right)
}
