//! Calls: the callee, the arguments, and where the result goes.

use super::params::Interface;
use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use cfront::ast::{CastKind, Expr as CExpr, ExprKind, FunctionId};
use cfront::types::TypeId;
use program::expr::{Expr, Type};
use program::ir::*;

/// Arguments that have been evaluated.
pub(super) struct Arguments {
    /// Those that the callee has parameters for.
    pub(super) fixed: Vec<Expr>,
    /// The others, with the IR types they are passed as.
    pub(super) further: Vec<Expr>,
}

impl<'a> Lowering<'_, 'a> {
    /// A call. Returns the value of a scalar, or the address of what lives in memory, if it is
    /// wanted and there is one.
    pub(super) fn call(
        &mut self,
        callee: &'a CExpr,
        args: &'a [CExpr],
        ret: TypeId,
        want: bool,
        span: Span,
    ) -> Option<Expr> {
        self.is_entered(span);
        let result = self.make(callee, args, ret, want || self.is_watched(span), span);
        self.has_returned(span, result.as_ref());
        result
    }

    fn make(
        &mut self,
        callee: &'a CExpr,
        args: &'a [CExpr],
        ret: TypeId,
        want: bool,
        span: Span,
    ) -> Option<Expr> {
        match direct_callee(callee) {
            Some(function) => {
                let has_body = self.cx.ast.functions[function].body.is_some();
                if !has_body || self.is_overridden(function) {
                    return self.call_external(function, args, ret, want, span);
                }
                let interface = self.cx.interface(function);
                let proc = self.cx.proc_of(function);
                let arguments = self.arguments(args, &interface, span);
                self.restricted(function, &arguments.fixed, span);
                let noreturn = self.cx.ast.functions[function].noreturn;
                let callee = Callee::Proc(proc);
                let result = self.make_call(callee, arguments, &interface, (ret, want), span);
                if noreturn {
                    self.halt_undefined(UndefinedKind::NoReturn, span);
                }
                result
            }
            None => {
                let pointer = self.value(callee);
                let mark = self.mark();
                let Some(ty) = self.cx.function_type(callee.ty.ty) else {
                    self.unsupported("a call of something that is no function", span);
                    return None;
                };
                let prototype = ty.prototype;
                let interface = Interface {
                    params: match prototype {
                        true => ty.params.iter().map(|param| param.ty).collect(),
                        false => args.iter().map(|arg| arg.ty.ty).collect(),
                    },
                    ret: ty.ret.ty,
                    variadic: ty.variadic,
                };
                let arguments = self.arguments(args, &interface, span);
                let pointer = self.protect(pointer, mark, span);
                let callee = Callee::Pointer(pointer);
                self.make_call(callee, arguments, &interface, (ret, want), span)
            }
        }
    }

    /// Evaluates arguments from left to right, as the callee's parameters want them.
    pub(super) fn arguments(
        &mut self,
        args: &'a [CExpr],
        interface: &Interface,
        span: Span,
    ) -> Arguments {
        let mut all = self.in_turn(args.iter().enumerate(), span, |s, (index, arg)| {
            s.argument(arg, interface.params.get(index).copied())
        });
        let count = interface.params.len();
        // Too few are undefined behaviour, but happen with old declarations.
        for &missing in interface.params.iter().skip(all.len()) {
            let ty = self.cx.passed_as(missing);
            let value = self.any_value(ty, span);
            all.push(value);
        }
        let further = all.split_off(count);
        Arguments {
            fixed: all,
            further,
        }
    }

    /// One argument: a scalar converted to the parameter's type, or the address of a copy.
    fn argument(&mut self, arg: &'a CExpr, param: Option<TypeId>) -> Expr {
        let wanted = param.map(|param| (self.cx.shape(param), self.cx.passed_as(param)));
        match (self.cx.shape(arg.ty.ty), wanted) {
            (Shape::Scalar(_), None) => self.value(arg),
            (Shape::Scalar(_), Some((Shape::Scalar(to), _))) => {
                let value = self.value(arg);
                self.converted(value, to)
            }
            (Shape::Memory, None | Some((Shape::Memory, _))) => {
                let size = self.size_or_zero(arg.ty.ty);
                let from = self.memory_value(arg);
                let copy = self.scratch_of("$argument", arg.ty.ty, arg.span);
                self.copy_bytes(Library::Memcpy, copy.clone(), from, size, arg.span);
                copy
            }
            (_, wanted) => {
                self.effect(arg);
                let ty = wanted.map_or(Type::I32, |(_, ty)| ty);
                self.unsupported_value(
                    "an argument of another type than the parameter",
                    ty,
                    arg.span,
                )
            }
        }
    }

    /// The call edge, with what comes before and after it.
    fn make_call(
        &mut self,
        callee: Callee,
        arguments: Arguments,
        interface: &Interface,
        (ret, want): (TypeId, bool),
        span: Span,
    ) -> Option<Expr> {
        let mut args = arguments.fixed;
        let mut returned = None;
        let result = match self.cx.shape(interface.ret) {
            Shape::Scalar(ty) => want.then(|| self.temp(ty, span)),
            Shape::Memory => {
                let object = self.scratch_of("$returned", interface.ret, span);
                args.insert(0, object.clone());
                returned = Some(object);
                None
            }
            Shape::Void | Shape::Function => None,
        };
        let varargs = interface
            .variadic
            .then(|| self.pass_further(&arguments.further, span));
        let call = Call {
            varargs,
            ..Call::new(result, callee, args)
        };
        let edge = self.emit(Op::Call(call), span);
        if !want {
            return None;
        }
        match (result, self.cx.shape(ret)) {
            (Some(temp), Shape::Scalar(to)) => {
                let value = self.filled(temp, edge);
                Some(self.converted(value, to))
            }
            (None, Shape::Scalar(to)) => Some(self.any_value(to, span)),
            (_, Shape::Memory) => returned,
            (_, Shape::Void | Shape::Function) => None,
        }
    }
}

/// The function that is called, if it is named.
pub(super) fn direct_callee(callee: &CExpr) -> Option<FunctionId> {
    match &callee.kind {
        ExprKind::Function(function) => Some(*function),
        ExprKind::Cast(CastKind::FunctionDecay | CastKind::NoOp, operand, _) => {
            direct_callee(operand)
        }
        ExprKind::AddressOf(inner) | ExprKind::Deref(inner) => direct_callee(inner),
        _ => None,
    }
}
