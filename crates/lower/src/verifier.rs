//! Verifier intrinsics: inputs, assertions, assumptions.

use super::external::External;
use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use cfront::ast::{Expr as CExpr, ExprKind, FunctionId, StringLiteral};
use program::expr::{Constant, Expr, Type};
use program::ir::*;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn nondet(&mut self, call: &External<'a>) -> Option<Expr> {
        self.discard_arguments(call);
        match self.cx.shape(call.ret) {
            Shape::Scalar(ty) => {
                let value = self.input(SiteKind::Nondet, ty, call.name.clone(), call.span);
                call.want.then_some(value)
            }
            Shape::Memory => Some(self.any_record(call)),
            Shape::Void | Shape::Function => None,
        }
    }

    /// Whether so many bytes at an address may be read, or also written.
    pub(super) fn valid_intrinsic(
        &mut self,
        address: Expr,
        size: Expr,
        write: bool,
        call: &External<'a>,
    ) -> Option<Expr> {
        let size_ty = Type::Int(self.cx.program.size_type());
        let address = self.converted(address, Type::Ptr);
        let bytes = self.converted(size, size_ty);
        // Other tools differ on no bytes at all.
        let is_some = matches!(bytes.constant(), Some(Constant::Int(count)) if !count.is_zero());
        if !is_some {
            let what = format!("`{}` of a size that varies", call.name);
            self.unsupported(what, call.span);
            return self.nothing(call);
        }
        let valid = Expr::Valid(Box::new(address), Box::new(bytes), write);
        self.external_result(call, valid)
    }

    /// `__CPROVER_allocate(size, zero)`: `malloc`, or `calloc`.
    pub(super) fn allocate(
        &mut self,
        size: &Expr,
        zero: &Expr,
        call: &External<'a>,
        function: FunctionId,
    ) -> Option<Expr> {
        let is_zero = zero.constant().map(|zero| zero == zero.ty().zero());
        // Without a declaration it returns an `int`, into which no address fits.
        let declared = !self.cx.ast.functions[function].implicit;
        match is_zero {
            Some(true) if declared => self.same(Library::Malloc, std::slice::from_ref(size), call),
            Some(false) if declared => {
                let one = self.cx.size_const(1);
                self.same(Library::Calloc, &[one, size.clone()], call)
            }
            _ => {
                let what = format!("`{}` without a declaration", call.name);
                self.unsupported(what, call.span);
                self.nothing(call)
            }
        }
    }

    /// An assertion has failed, or what counts as one.
    pub(super) fn fail(&mut self, message: String, counts: bool, span: Span) {
        if counts {
            let error = self.error(Property::Assertion, message, span);
            self.link(error, span);
        } else {
            self.end_run(Halt::Abort, span);
        }
    }

    pub(super) fn assert(&mut self, condition: Expr, message: Option<usize>, call: &External<'a>) {
        let ty = self.ty(&condition);
        let text = self.message(call, message);
        let holds = Expr::truth(ty, condition);
        if !self.cx.checks(Property::Assertion) {
            return self.assume_holds(holds, call.span);
        }
        let message = format!("assertion failed{text}");
        self.check_not(Expr::not(holds), Property::Assertion, message, call.span);
    }

    pub(super) fn assume(&mut self, condition: Expr, span: Span) {
        let ty = self.ty(&condition);
        self.assume_holds(Expr::truth(ty, condition), span);
    }

    /// The run ends unless the condition holds.
    pub(super) fn assume_holds(&mut self, holds: Expr, span: Span) {
        let (next, stop) = (self.location(span), self.location(span));
        self.branch_to(holds, next, stop, span);
        self.cur = stop;
        self.emit_last(Op::Halt(Halt::Abort), span);
        self.cur = next;
    }

    /// `: text` for the string literal among the arguments, if there is one.
    pub(super) fn message(&self, call: &External<'a>, index: Option<usize>) -> String {
        let source = index.and_then(|index| call.sources.get(index));
        match source.and_then(|source| string_of(self.cx.ast, source)) {
            Some(literal) => {
                let text = literal.bytes.strip_suffix(&[0]).unwrap_or(&literal.bytes);
                format!(": {}", String::from_utf8_lossy(text))
            }
            None => String::new(),
        }
    }
}

/// The string literal that an expression is.
fn string_of<'a>(ast: &'a cfront::ast::Ast, expr: &CExpr) -> Option<&'a StringLiteral> {
    match &expr.kind {
        ExprKind::String(string) => Some(&ast.strings[*string]),
        ExprKind::Cast(_, operand, _) => string_of(ast, operand),
        _ => None,
    }
}
