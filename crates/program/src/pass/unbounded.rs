//! The program with unbounded integers, as in most papers.
//!
//! Every integer variable becomes one of the widest signed type, and so does all arithmetic on
//! integers; conversions between integers do nothing. Read with an `i128` that may have any value,
//! the program means what the old one means with mathematical integers; run by the machine, it
//! means the same as long as no number leaves 128 bits, and has undefined behaviour where one does.
//!
//! Some constructs know nothing about such integers and keep the types of C, with a conversion on
//! the way there: inputs, memory, library functions, addresses, overflow checks, and bit operations
//! that are not arithmetic (shifts by a constant and masks of low bits are).
//!
//! # Invariants
//! - Variables, sites, locations and edges of the old program keep their ids. An edge that takes an
//!   input leads to a new location, and a new edge from there to the old target.

use crate::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};
use crate::ir::*;
use logic::{IntType, IntValue};

/// The type that stands for all integers.
const WIDE: IntType = IntType::signed(128);

/// What a verdict on such a program takes for granted.
const ASSUMPTION: &str = "integers are unbounded: arithmetic and conversions of integers do not \
                          wrap; only memory and bit operations have C's types";

/// The program over unbounded integers.
pub fn unbounded(program: &Program) -> Program {
    let mut result = program.clone();
    for var in result.vars.iter_mut() {
        var.ty = widened(var.ty);
        var.init = var.init.map(wide_constant);
    }
    let widening = Widening { old: program };
    for (proc, procedure) in program.procs.iter_enumerated() {
        result.procs[proc].ret = procedure.ret.map(widened);
        for (id, edge) in procedure.edges.iter_enumerated() {
            let (op, narrow) = widening.op(&edge.op);
            result.procs[proc].edges[id].op = op;
            if let Some(ty) = narrow {
                take_narrow(&mut result, proc, id, ty);
            }
        }
    }
    result.assume(ASSUMPTION);
    crate::validate::check_invariants(&result, "making integers unbounded");
    result
}

/// Lets an edge write a new variable of a narrow type, and a new edge convert that.
fn take_narrow(program: &mut Program, proc: ProcId, edge: EdgeId, ty: IntType) {
    let span = program.procs[proc].edges[edge].span;
    let taken = program.add_local(proc, "$taken", Type::Int(ty), span);
    let procedure = &mut program.procs[proc];
    let between = procedure.add_location(span);
    let Edge {
        op,
        target,
        inlined,
        ..
    } = &mut procedure.edges[edge];
    let var = op
        .written_mut()
        .expect("an input should be taken somewhere");
    let var = std::mem::replace(var, taken);
    let (target, inlined) = (std::mem::replace(target, between), *inlined);
    let value = Expr::Cast(Type::Int(WIDE), Box::new(Expr::Var(taken)));
    let convert = Op::Assign(Place::Var(var), value);
    let new = procedure.add_edge(between, target, convert, span);
    procedure.edges[new].inlined = inlined;
}

fn widened(ty: Type) -> Type {
    match ty {
        Type::Int(_) => Type::Int(WIDE),
        Type::Bool | Type::Float(_) | Type::Ptr => ty,
    }
}

fn wide_constant(constant: Constant) -> Constant {
    match constant {
        Constant::Int(value) => Constant::Int(value.convert(WIDE)),
        Constant::Bool(_) | Constant::Null | Constant::Float(..) => constant,
    }
}

/// Rewrites ops and expressions of a program.
struct Widening<'p> {
    old: &'p Program,
}

impl Widening<'_> {
    /// The op, and the narrow type that its result has if a variable is to be in between.
    fn op(&self, op: &Op) -> (Op, Option<IntType>) {
        let new = match op {
            Op::Skip | Op::Enter(_) | Op::Leave(_) | Op::Unsupported(_) => op.clone(),
            Op::Assign(Place::Var(var), value) => Op::Assign(Place::Var(*var), self.wide(value)),
            Op::Assign(Place::Mem(ty, address), value) => {
                Op::Assign(Place::Mem(*ty, self.wide(address)), self.narrow(value))
            }
            Op::Assume(condition) => Op::Assume(self.wide(condition)),
            Op::Havoc(Place::Var(var), _) => return (op.clone(), self.old.vars[*var].ty.int()),
            Op::Havoc(Place::Mem(ty, address), site) => {
                Op::Havoc(Place::Mem(*ty, self.wide(address)), *site)
            }
            Op::Call(call) => return self.call(call),
            Op::Return(value) => Op::Return(value.as_ref().map(|value| self.wide(value))),
            Op::Halt(Halt::Exit(status)) => Op::Halt(Halt::Exit(self.narrow(status))),
            Op::Halt(Halt::Abort | Halt::Undefined(_)) => op.clone(),
        };
        (new, None)
    }

    fn call(&self, call: &Call) -> (Op, Option<IntType>) {
        let library = matches!(call.callee, Callee::Library(_));
        let argument = |arg: &Expr| {
            if library {
                self.narrow(arg)
            } else {
                self.wide(arg)
            }
        };
        let new = Call {
            result: call.result,
            callee: match &call.callee {
                Callee::Pointer(address) => Callee::Pointer(self.wide(address)),
                Callee::Proc(_) | Callee::Library(_) => call.callee.clone(),
            },
            args: call.args.iter().map(argument).collect(),
            varargs: call.varargs.as_ref().map(|address| self.wide(address)),
            contents: call.contents,
        };
        let result = call.result.filter(|_| library);
        let narrow = result.and_then(|var| self.old.vars[var].ty.int());
        (Op::Call(new), narrow)
    }

    /// The expression; of the wide type if it is an integer.
    fn wide(&self, expr: &Expr) -> Expr {
        if let Expr::Const(constant) = expr {
            return Expr::Const(wide_constant(*constant));
        }
        if let Some(kept) = self.kept(expr) {
            return Expr::Cast(Type::Int(WIDE), Box::new(kept));
        }
        let boxed = |part: &Expr| Box::new(self.wide(part));
        let narrow = |part: &Expr| Box::new(self.narrow(part));
        match expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Object(_) | Expr::Proc(_) => expr.clone(),
            Expr::Load(ty, address) => Expr::Load(*ty, boxed(address)),
            Expr::Unary(op, ty, part) => Expr::Unary(*op, widened(*ty), boxed(part)),
            Expr::Binary(BinaryOp::Shl, Type::Int(_), left, right) => {
                let factor = shift_amount(right).map_or(0, |amount| 1 << amount);
                let factor = Expr::Const(Constant::Int(IntValue::wrap(WIDE, factor)));
                Expr::binary(BinaryOp::Mul, Type::Int(WIDE), self.wide(left), factor)
            }
            Expr::Binary(op, ty, left, right) => {
                Expr::Binary(*op, widened(*ty), boxed(left), boxed(right))
            }
            Expr::Offset(address, bytes) => Expr::Offset(boxed(address), narrow(bytes)),
            Expr::Cast(Type::Int(_), part) if self.is_int(part) => self.wide(part),
            Expr::Cast(Type::Ptr, part) => Expr::Cast(Type::Ptr, narrow(part)),
            Expr::Cast(to, part) => Expr::Cast(widened(*to), boxed(part)),
            Expr::Select(condition, then, otherwise) => {
                Expr::Select(boxed(condition), boxed(then), boxed(otherwise))
            }
            Expr::Overflows(op, ty, left, right) => {
                Expr::Overflows(*op, *ty, narrow(left), narrow(right))
            }
            Expr::Valid(address, bytes, write) => {
                Expr::Valid(boxed(address), narrow(bytes), *write)
            }
            Expr::Freeable(address) => Expr::Freeable(boxed(address)),
        }
    }

    /// The expression in the type it has in C.
    fn narrow(&self, expr: &Expr) -> Expr {
        match expr.ty(self.old) {
            Type::Int(_) if matches!(expr, Expr::Const(_)) => expr.clone(),
            Type::Int(ty) => self
                .kept(expr)
                .unwrap_or_else(|| Expr::Cast(Type::Int(ty), Box::new(self.wide(expr)))),
            Type::Bool | Type::Float(_) | Type::Ptr => self.wide(expr),
        }
    }

    /// An integer that is made in its type of C: from memory, bits, an address, a float.
    fn kept(&self, expr: &Expr) -> Option<Expr> {
        let narrow = |part: &Expr| Box::new(self.narrow(part));
        match expr {
            Expr::Load(ty @ Type::Int(_), address) => {
                Some(Expr::Load(*ty, Box::new(self.wide(address))))
            }
            Expr::Unary(op, ty @ Type::Int(int), part) if !is_arithmetic(*op, *int) => {
                Some(Expr::Unary(*op, *ty, narrow(part)))
            }
            Expr::Binary(op, ty @ Type::Int(int), left, right)
                if on_bits(*op, *int, left, right) =>
            {
                Some(Expr::Binary(*op, *ty, narrow(left), narrow(right)))
            }
            Expr::Binary(BinaryOp::PtrDiff, ty, left, right) => {
                let (left, right) = (self.wide(left), self.wide(right));
                Some(Expr::binary(BinaryOp::PtrDiff, *ty, left, right))
            }
            Expr::Cast(to @ Type::Int(_), part)
                if matches!(part.ty(self.old), Type::Float(_) | Type::Ptr) =>
            {
                Some(Expr::Cast(*to, Box::new(self.wide(part))))
            }
            _ => None,
        }
    }

    fn is_int(&self, expr: &Expr) -> bool {
        matches!(expr.ty(self.old), Type::Int(_))
    }
}

/// Whether an operator means the same for all integers of two's complement.
fn is_arithmetic(op: UnaryOp, ty: IntType) -> bool {
    match op {
        UnaryOp::Neg => true,
        UnaryOp::Not => ty.signed,
        UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Bswap => false,
    }
}

/// Whether an operation is on the bits of a type, and no arithmetic.
fn on_bits(op: BinaryOp, ty: IntType, left: &Expr, right: &Expr) -> bool {
    use BinaryOp::*;
    match op {
        And => ![left, right].into_iter().any(is_low_mask),
        Or | Xor => true,
        Shl | Shr => shift_amount(right).is_none_or(|amount| amount >= i128::from(ty.bits)),
        Add | Sub | Mul | Div | Rem | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => false,
    }
}

/// A constant whose bits above some are all zero.
fn is_low_mask(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(Constant::Int(mask)) if !mask.is_negative())
}

/// The amount of a shift, if it is a number below that of the bits of any type.
fn shift_amount(amount: &Expr) -> Option<i128> {
    let amount = amount.integer()?.to_i128();
    amount.filter(|amount| (0..127).contains(amount))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;
    use crate::text::{Spans, print};
    use crate::validate::validate;

    /// The ops of the procedure's edges, as text.
    fn edges(body: &str) -> Vec<String> {
        let text = format!(
            "program ptr 8 entry main\nglobal v0 u: u32 = 7u32\nglobal v1 c: u8 = 0u8\n\
             global v2 p: ptr = null\nsite n0: nondet u8 \"nondet\"\n\
             proc p0 main() entry l0 exit l1 {{\n  l0:\n    e0: {body} -> l2\n  l1:\n  l2:\n    \
             e1: return -> l1\n}}\n"
        );
        let result = unbounded(&parse(&text));
        assert!(validate(&result).is_empty());
        let text = print(&result, Spans::Omit);
        let lines = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix('e'));
        lines
            .filter_map(|line| Some(line.split_once(": ")?.1.to_owned()))
            .filter(|line| !line.starts_with("return"))
            .collect()
    }

    #[test]
    fn arithmetic_is_wide_and_bits_are_narrow() {
        let cases: [(&str, &[&str]); 10] = [
            ("u := u + 1u32", &["u := u + 1i128 -> l2"]),
            ("c := u8(u * 3u32)", &["c := u * 3i128 -> l2"]),
            ("assume u32(c) < u", &["assume c < u -> l2"]),
            ("u := u & 15u32", &["u := u & 15i128 -> l2"]),
            ("u := u | 1u32", &["u := i128(u32(u) | 1u32) -> l2"]),
            ("u := u << 3u32", &["u := u * 8i128 -> l2"]),
            ("u := u >> 3u32", &["u := u >> 3i128 -> l2"]),
            ("u := u32[p]", &["u := i128(u32[p]) -> l2"]),
            ("u8[p] := u8(u)", &["u8[p] := u8(u) -> l2"]),
            (
                "havoc c n0",
                &["havoc $taken n0 -> l3", "c := i128($taken) -> l2"],
            ),
        ];
        for (before, after) in cases {
            assert_eq!(edges(before), after, "{before}");
        }
    }
}
