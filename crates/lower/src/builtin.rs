//! Compiler builtins that are not ordinary functions.

use super::address_taken::{OVERFLOW_RESULT, strip_address};
use super::lvalue::Lvalue;
use super::procedure::Lowering;
use base::Span;
use cfront::ast::{Builtin, CastKind, Expr as CExpr, ExprKind};
use logic::IntType;
use program::expr::{BinaryOp, Constant, Expr, FloatType, Type, UnaryOp};
use program::ir::*;
use program::math::Math;

impl<'a> Lowering<'_, 'a> {
    /// The value of a builtin, of type `ty` if it has one.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        args: &'a [CExpr],
        ty: Option<Type>,
        span: Span,
    ) -> Expr {
        let result = ty.unwrap_or(Type::I32);
        match (builtin, args) {
            (Builtin::Expect, [first, rest @ ..]) => {
                let value = self.value(first);
                let mark = self.mark();
                for arg in rest {
                    self.effect(arg);
                }
                let value = self.protect(value, mark, span);
                self.converted(value, result)
            }
            (Builtin::Unreachable, _) => {
                self.halt_undefined(UndefinedKind::Unreachable, span);
                Expr::Const(result.zero())
            }
            (Builtin::Trap, _) => {
                self.end_run(Halt::Abort, span);
                Expr::Const(result.zero())
            }
            (Builtin::VaStart, [list, ..]) => {
                self.start_list(list, span);
                Expr::Const(result.zero())
            }
            (Builtin::VaEnd, [list]) => {
                self.effect(list);
                Expr::Const(result.zero())
            }
            (Builtin::VaCopy, [to, from]) => {
                self.copy_list(to, from, span);
                Expr::Const(result.zero())
            }
            (Builtin::AddOverflow, [_, _, _]) => self.overflow(BinaryOp::Add, args, result, span),
            (Builtin::SubOverflow, [_, _, _]) => self.overflow(BinaryOp::Sub, args, result, span),
            (Builtin::MulOverflow, [_, _, _]) => self.overflow(BinaryOp::Mul, args, result, span),
            (Builtin::SaturatingAdd, [_, _]) => self.saturating(BinaryOp::Add, args, result, span),
            (Builtin::SaturatingSub, [_, _]) => self.saturating(BinaryOp::Sub, args, result, span),
            (Builtin::Popcount, [arg]) => self.bits(UnaryOp::Popcount, arg, result),
            (Builtin::Clz, [arg]) => self.bits(UnaryOp::Clz, arg, result),
            (Builtin::Ctz, [arg]) => self.bits(UnaryOp::Ctz, arg, result),
            (Builtin::Bswap, [arg]) => self.bits(UnaryOp::Bswap, arg, result),
            (Builtin::Parity, [arg]) => {
                let count = self.bits(UnaryOp::Popcount, arg, Type::I32);
                let odd = Expr::binary(BinaryOp::And, Type::I32, count, Expr::i32(1));
                self.converted(odd, result)
            }
            (Builtin::Ffs, [arg]) => self.find_first_set(arg, result),
            (Builtin::Construct(what), _) => self.unsupported_value(what, result, span),
            (Builtin::Complex(op), args) => match self.complex_scalar(op, args, span) {
                Some(value) => self.converted(value, result),
                None => self.unsupported_value("arithmetic on complex numbers", result, span),
            },
            (Builtin::Unmodelled(name), args) => {
                let value = match name.starts_with("__sync_") || name.starts_with("__atomic_") {
                    true => self.atomic(name, args, result, span),
                    false => self.float_test(name, args, span),
                };
                match value {
                    Some(value) => self.converted(value, result),
                    None => self.unsupported_value(format!("the builtin `{name}`"), result, span),
                }
            }
            (builtin, _) => {
                let what = format!("{builtin:?} with {} arguments", args.len());
                self.unsupported_value(what, result, span)
            }
        }
    }

    /// A builtin that looks at floating-point numbers, if they are of a format we compute with. Its
    /// parameters are declared `long double`.
    fn float_test(&mut self, name: &str, args: &'a [CExpr], span: Span) -> Option<Expr> {
        let math = match name {
            "__builtin_isnan" => Math::Isnan,
            "__builtin_isinf" | "__builtin_isinf_sign" => Math::Isinf,
            "__builtin_isfinite" => Math::Isfinite,
            "__builtin_isnormal" => Math::Isnormal,
            "__builtin_signbit" | "__builtin_signbitf" => Math::Signbit,
            "__builtin_fpclassify" => Math::Fpclassify,
            "__builtin_isunordered" | "__builtin_islessgreater" => {
                return self.float_comparison(name, args, span);
            }
            _ => return None,
        };
        let (number, classes) = args.split_last()?;
        let (number, format) = self.plain_float(number)?;
        let value = self.math_value(math, format, number, span);
        if name == "__builtin_isinf" {
            return Some(self.any_sign(value, span));
        }
        if math != Math::Fpclassify {
            return Some(value);
        }
        // The names of the classes come first: NaN, infinite, normal, subnormal, zero.
        let [nan, infinite, normal, subnormal, zero] = classes else {
            return None;
        };
        let mut class = Expr::i32(0);
        for (number, name) in [nan, infinite, zero, subnormal, normal]
            .into_iter()
            .enumerate()
        {
            let name = self.value(name);
            let is_it = Expr::binary(
                BinaryOp::Eq,
                Type::I32,
                value.clone(),
                Expr::i32(number as i32),
            );
            class = Expr::select(is_it, name, class);
        }
        Some(class)
    }

    /// A number that is -1 may as well be 1: of `__builtin_isinf`, gcc makes the one of a constant and
    /// the other of a variable.
    fn any_sign(&mut self, value: Expr, span: Span) -> Expr {
        let value = self.atom(value, span);
        let name = "__builtin_isinf".into();
        let is_plain = self.input(SiteKind::Outside, Type::Bool, name, span);
        let below = Expr::binary(BinaryOp::Lt, Type::I32, value.clone(), Expr::i32(0));
        Expr::select(Expr::and(below, is_plain), Expr::i32(1), value)
    }

    fn float_comparison(&mut self, name: &str, args: &'a [CExpr], span: Span) -> Option<Expr> {
        let [a, b] = args else { return None };
        let (a, of_a) = self.plain_float(a)?;
        let a = self.atom(a, span);
        let (b, of_b) = self.plain_float(b)?;
        let b = self.atom(b, span);
        // A `float` is the same number as a `double`.
        let ty = Type::Float(of_a.max(of_b));
        let (a, b) = (self.converted(a, ty), self.converted(b, ty));
        let compare = |op, a: &Expr, b: &Expr| Expr::binary(op, ty, a.clone(), b.clone());
        Some(match name {
            "__builtin_isunordered" => {
                let of = |x: &Expr| compare(BinaryOp::Ne, x, x);
                Expr::or(of(&a), of(&b))
            }
            _ => Expr::or(compare(BinaryOp::Lt, &a, &b), compare(BinaryOp::Gt, &a, &b)),
        })
    }

    /// A number that is only converted to `long double`, as it was before.
    fn plain_float(&mut self, expr: &'a CExpr) -> Option<(Expr, FloatType)> {
        let number = match &expr.kind {
            ExprKind::Cast(CastKind::Float, operand, _) if self.cx.scalar(expr.ty.ty).is_none() => {
                operand
            }
            _ => expr,
        };
        let Some(Type::Float(format)) = self.cx.scalar(number.ty.ty) else {
            return None;
        };
        Some((self.value(number), format))
    }

    /// The operand as an unsigned integer of its width.
    fn unsigned_value(&mut self, arg: &'a CExpr) -> (Expr, IntType) {
        let value = self.value(arg);
        let ty = self.ty(&value);
        let bits = ty.int().map_or(32, |ty| ty.bits);
        let unsigned = IntType::unsigned(bits);
        (self.converted(value, Type::Int(unsigned)), unsigned)
    }

    fn bits(&mut self, op: UnaryOp, arg: &'a CExpr, result: Type) -> Expr {
        let (value, ty) = self.unsigned_value(arg);
        let value = Expr::unary(op, Type::Int(ty), value);
        self.converted(value, result)
    }

    fn find_first_set(&mut self, arg: &'a CExpr, result: Type) -> Expr {
        let (value, ty) = self.unsigned_value(arg);
        let value = self.atom(value, arg.span);
        let zeros = Expr::unary(UnaryOp::Ctz, Type::Int(ty), value.clone());
        let index = Expr::arith(BinaryOp::Add, ty, zeros, Expr::int(ty, 1));
        let some = Expr::truth(Type::Int(ty), value);
        let index = Expr::select(some, index, Expr::int(ty, 0));
        self.converted(index, result)
    }

    /// `__builtin_add_overflow(a, b, p)` and its kin.
    fn overflow(&mut self, op: BinaryOp, args: &'a [CExpr], result: Type, span: Span) -> Expr {
        let target = &args[OVERFLOW_RESULT];
        let first = self.value(&args[0]);
        let first_mark = self.mark();
        let second = self.value(&args[1]);
        let second_mark = self.mark();
        let place = match (strip_address(target), self.cx.pointee(target.ty.ty)) {
            (Some(inner), _) => Some(self.lvalue(inner)),
            (None, Some(ty)) => {
                let address = self.value(target);
                Some(Lvalue::at(address, ty))
            }
            // It only says of which type the result would be.
            (None, None) => {
                self.effect(target);
                None
            }
        };
        let stored = place.as_ref().map_or(target.ty.ty, |place| place.ty);
        let first = self.protect(first, first_mark, span);
        let second = self.protect(second, second_mark, span);
        let (a, b) = (self.atom(first, span), self.atom(second, span));
        let exact = (self.ty(&a).int(), self.ty(&b).int(), self.cx.scalar(stored));
        let (Some(of_a), Some(of_b), Some(Type::Int(of_result))) = exact else {
            return self.unsupported_value(
                "overflow of something else than integers",
                result,
                span,
            );
        };
        let operands = ((a, of_a), (b, of_b));
        let Some((value, overflow)) = exact_operation(op, operands, of_result) else {
            let what = "overflow of 128-bit integers of different types";
            return self.unsupported_value(what, result, span);
        };
        let overflow = self.save(overflow, span);
        if let Some(place) = place {
            self.store(place, value, false, span);
        }
        self.converted(overflow, result)
    }

    /// The exact result of an operation on two integers of a type, or the end of its range.
    fn saturating(&mut self, op: BinaryOp, args: &'a [CExpr], result: Type, span: Span) -> Expr {
        let first = self.value(&args[0]);
        let mark = self.mark();
        let second = self.value(&args[1]);
        let first = self.protect(first, mark, span);
        let (a, b) = (self.atom(first, span), self.atom(second, span));
        let Type::Int(int) = result else {
            return self.unsupported_value("saturation of this type", result, span);
        };
        let operands = ((a, int), (b.clone(), int));
        let Some((value, overflow)) = exact_operation(op, operands, int) else {
            return self.unsupported_value("saturation of this type", result, span);
        };
        let end = |end: logic::IntValue| Expr::Const(Constant::Int(end));
        let (least, most) = (end(int.min()), end(int.max()));
        // An unsigned sum is too large, an unsigned difference too small.
        let is_below = match (int.signed, op) {
            (true, BinaryOp::Add) => Expr::arith(BinaryOp::Lt, int, b, Expr::int(int, 0)),
            (true, _) => Expr::arith(BinaryOp::Gt, int, b, Expr::int(int, 0)),
            (false, op) => Expr::bool(op == BinaryOp::Sub),
        };
        let end = Expr::select(is_below, least, most);
        Expr::select(overflow, end, value)
    }
}

/// The result wrapped into the type, and whether the exact one does not fit it.
fn exact_operation(
    op: BinaryOp,
    ((a, of_a), (b, of_b)): ((Expr, IntType), (Expr, IntType)),
    to: IntType,
) -> Option<(Expr, Expr)> {
    let wrapping = |ty: IntType, a: Expr, b: Expr, from: (IntType, IntType)| {
        let unsigned = IntType::unsigned(ty.bits);
        let a = Expr::cast(Type::Int(from.0), Type::Int(unsigned), a);
        let b = Expr::cast(Type::Int(from.1), Type::Int(unsigned), b);
        let value = Expr::arith(op, unsigned, a, b);
        Expr::cast(Type::Int(unsigned), Type::Int(ty), value)
    };
    if of_a == to && of_b == to {
        let value = wrapping(to, a.clone(), b.clone(), (to, to));
        let ty = Type::Int(to);
        let overflow = match op {
            _ if to.signed => Expr::overflows(op, to, a, b),
            BinaryOp::Add => Expr::binary(BinaryOp::Lt, ty, value.clone(), a),
            BinaryOp::Sub => Expr::binary(BinaryOp::Lt, ty, a, b),
            _ if to.bits == 128 => {
                let quotient = Expr::binary(BinaryOp::Div, ty, value.clone(), a.clone());
                let differs = Expr::binary(BinaryOp::Ne, ty, quotient, b);
                Expr::select(Expr::truth(ty, a), differs, Expr::bool(false))
            }
            _ => return Some(in_wide(op, ((a, of_a), (b, of_b)), to, &wrapping)),
        };
        return Some((value, overflow));
    }
    let fits = of_a.bits.max(of_b.bits).max(to.bits) <= 64;
    fits.then(|| in_wide(op, ((a, of_a), (b, of_b)), to, &wrapping))
}

/// The same, computed in 128 bits, where sums and differences of 64-bit operands fit and products
/// can be asked whether they do.
fn in_wide(
    op: BinaryOp,
    ((a, of_a), (b, of_b)): ((Expr, IntType), (Expr, IntType)),
    to: IntType,
    wrapping: &dyn Fn(IntType, Expr, Expr, (IntType, IntType)) -> Expr,
) -> (Expr, Expr) {
    let wide = IntType::signed(128);
    let widen =
        |value: &Expr, from: IntType| Expr::cast(Type::Int(from), Type::Int(wide), value.clone());
    let too_wide = Expr::overflows(op, wide, widen(&a, of_a), widen(&b, of_b));
    let exact = wrapping(wide, widen(&a, of_a), widen(&b, of_b), (wide, wide));
    let value = Expr::cast(Type::Int(wide), Type::Int(to), exact.clone());
    let back = Expr::cast(Type::Int(to), Type::Int(wide), value.clone());
    let differs = Expr::binary(BinaryOp::Ne, Type::Int(wide), back, exact);
    let overflow = match op {
        BinaryOp::Mul => Expr::or(too_wide, differs),
        _ => differs,
    };
    (value, overflow)
}
