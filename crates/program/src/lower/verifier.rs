//! What verifiers call: inputs, assertions, assumptions.

use super::external::External;
use super::procedure::Lowering;
use super::types::Shape;
use crate::expr::{BinaryOp, Expr, Type};
use crate::ir::*;
use base::Span;
use cfront::ast::{Expr as CExpr, ExprKind, StringLiteral};
use logic::IntType;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn nondet(&mut self, call: &External<'a>) -> Option<Expr> {
        for arg in call.args.clone() {
            self.discard(arg, call.span);
        }
        match self.cx.shape(call.ret) {
            Shape::Scalar(ty) => {
                let value = self.input(SiteKind::Nondet, ty, call.name.clone(), call.span);
                call.want.then_some(value)
            }
            Shape::Memory => {
                let what = format!("`{}` returns a record", call.name);
                Some(self.unsupported_value(what, Type::Ptr, call.span))
            }
            Shape::Void | Shape::Function => None,
        }
    }

    /// Any bytes, one by one.
    pub(super) fn nondet_memory(&mut self, to: Expr, count: Expr, call: &External<'a>) {
        let span = call.span;
        let size = self.cx.program.size_type();
        let (to_ty, count_ty) = (self.ty(&to), self.ty(&count));
        let to = self.converted(to, to_ty, Type::Ptr);
        let count = self.converted(count, count_ty, Type::Int(size));
        let (to, count) = (self.atom(to, span), self.atom(count, span));
        self.check_range(&to, count.clone(), true, span);
        let index = self.temp(Type::Int(size), span);
        self.emit(Op::Assign(Place::Var(index), Expr::int(size, 0)), span);
        let head = self.loop_head(span);
        let (inside, end) = (self.location(span), self.location(span));
        let index_value = Expr::Var(index);
        let more = Expr::arith(BinaryOp::Lt, size, index_value.clone(), count);
        self.branch_to(more, inside, end, span);
        self.cur = inside;
        let byte = Type::Int(IntType::U8);
        let offset = Type::Int(self.cx.program.offset_type());
        let at = Expr::cast(Type::Int(size), offset, index_value.clone());
        let place = Place::Mem(byte, Expr::offset(to, at));
        let site = self
            .cx
            .program
            .add_site(SiteKind::Nondet, byte, call.name.clone(), span);
        self.emit(Op::Havoc(place, site), span);
        let next = Expr::arith(BinaryOp::Add, size, index_value, Expr::int(size, 1));
        self.emit(Op::Assign(Place::Var(index), next), span);
        self.link(head, span);
        self.cur = end;
    }

    /// An assertion has failed, or what counts as one.
    pub(super) fn fail(&mut self, message: String, counts: bool, span: Span) {
        if counts {
            let error = self.error(Property::Assertion, message, span);
            self.link(error, span);
        } else {
            self.emit_last(Op::Halt(Halt::Abort), span);
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
        ExprKind::Cast { operand, .. } => string_of(ast, operand),
        _ => None,
    }
}
