//! Subscripts, members, and the operators on addresses.

use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind};
use crate::token::{Punct, Symbol, TokenKind};
use crate::types::{QualType, Type};
use base::{Diagnostic, Span};

impl Parser<'_> {
    /// A primary expression with what follows it.
    pub(super) fn postfix_expression(&mut self) -> Parsed<Expr> {
        let primary = self.primary_expression()?;
        self.postfix_suffixes(primary)
    }

    /// Subscripts, calls, members, `++` and `--` after an expression.
    pub(super) fn postfix_suffixes(&mut self, expr: Expr) -> Parsed<Expr> {
        let mut expr = expr;
        loop {
            let TokenKind::Punct(punct) = self.peek() else {
                return Ok(expr);
            };
            let height = self.height;
            let start = expr.span;
            match punct {
                Punct::LBracket => {
                    let open = self.advance().span;
                    let index = self.expression()?;
                    let close = self.close(Punct::RBracket, open, "the subscript")?;
                    self.grow(height.max(self.height) + 4, open)?;
                    expr = self.subscript(expr, index, start.to(close));
                }
                Punct::LParen => {
                    expr = self.call(expr)?;
                    self.grow(height.max(self.height) + 3, start)?;
                }
                Punct::Dot | Punct::Arrow => {
                    self.advance();
                    let (name, end) = self.expect_name("the name of a member")?;
                    self.grow(height + 4, end)?;
                    let span = start.to(end);
                    expr = if punct == Punct::Dot {
                        self.member_of(expr, name, end, span)
                    } else {
                        self.pointed_member(expr, name, end, span)
                    };
                }
                Punct::PlusPlus | Punct::MinusMinus => {
                    let end = self.advance().span;
                    self.grow(height + 1, end)?;
                    let decrement = punct == Punct::MinusMinus;
                    expr = self.increment(expr, decrement, true, start.to(end));
                }
                _ => return Ok(expr),
            }
        }
    }

    /// `a[i]`
    pub(super) fn subscript(&mut self, array: Expr, index: Expr, span: Span) -> Expr {
        if self.is_error(array.ty.ty) || self.is_error(index.ty.ty) {
            return self.broken(span);
        }
        let (array, index) = (self.value(array), self.value(index));
        let (a, i) = (array.ty.ty, index.ty.ty);
        let forward = self.types.is_pointer(a) && self.types.is_integer(i);
        let backward = self.types.is_pointer(i) && self.types.is_integer(a);
        if !forward && !backward {
            let message = if self.types.is_pointer(a) || self.types.is_pointer(i) {
                "a subscript is not an integer"
            } else {
                "what is subscripted is neither array nor pointer"
            };
            return self.refused(span, message);
        }
        let pointer = if forward { a } else { i };
        let to = self.types.pointee(pointer);
        if to.is_some_and(|to| self.types.is_function(to.ty)) {
            return self.refused(span, "a function has no elements");
        }
        let place = self.add(array, index, span);
        self.deref(place, span)
    }

    /// `*p`
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Expr {
        let pointer = self.value(pointer);
        if self.is_error(pointer.ty.ty) {
            return self.broken(span);
        }
        let Some(to) = self.types.pointee(pointer.ty.ty) else {
            let shown = self.show(pointer.ty);
            return self.refused(span, format!("'{shown}' is not a pointer"));
        };
        if self.types.is_void(to.ty) {
            self.warn(span, "dereferencing a 'void *' pointer");
        }
        Expr::new(ExprKind::Deref(Box::new(pointer)), to, span)
    }

    /// `&x`
    pub(super) fn address_of(&mut self, operand: Expr, span: Span) -> Expr {
        if self.is_error(operand.ty.ty) {
            return self.broken(span);
        }
        let ty = self.types.pointer_to(operand.ty);
        // `&*p` is `p` and `&a[i]` is `a + i`: nothing is read.
        if let ExprKind::Deref(pointer) = operand.kind {
            let pointer = self.implicit(*pointer, ty);
            let value = if pointer.is_lvalue() {
                self.as_value(pointer)
            } else {
                pointer
            };
            return Expr { span, ..value };
        }
        let is_function = self.types.is_function(operand.ty.ty);
        if !is_function && !operand.is_lvalue() {
            return self.refused(span, "the operand of '&' is not an lvalue");
        }
        if let ExprKind::Member { .. } = operand.kind
            && operand.bit_field(&self.types).is_some()
        {
            return self.refused(span, "a bit-field has no address");
        }
        self.check_register(&operand, span);
        Expr::new(ExprKind::AddressOf(Box::new(operand)), ty, span)
    }

    fn check_register(&mut self, operand: &Expr, span: Span) {
        if let ExprKind::Local(id) = operand.whole().kind
            && let Some(state) = &self.function
            && state.registers.contains(&id)
        {
            let name = state.body.locals[id].name.clone();
            self.error(
                span,
                format!("the register variable '{name}' has no address"),
            );
        }
    }

    /// `p->name`
    fn pointed_member(&mut self, pointer: Expr, name: Symbol, at: Span, span: Span) -> Expr {
        let pointer = self.value(pointer);
        if self.is_error(pointer.ty.ty) {
            return self.broken(span);
        }
        let Some(to) = self.types.pointee(pointer.ty.ty) else {
            let shown = self.show(pointer.ty);
            let mut diagnostic =
                Diagnostic::error(span, format!("'->' on '{shown}', which is no pointer"));
            if self.types.is_record(pointer.ty.ty) {
                diagnostic = diagnostic.help("use '.' instead");
            }
            self.report(diagnostic);
            return self.broken(span);
        };
        if !self.types.is_record(to.ty) {
            let shown = self.show(pointer.ty);
            return self.refused(
                span,
                format!("'->' on '{shown}', which points to no record"),
            );
        }
        let record_span = pointer.span;
        let record = self.deref(pointer, record_span);
        self.member_of(record, name, at, span)
    }

    /// `record.name`
    pub(super) fn member_of(&mut self, record: Expr, name: Symbol, at: Span, span: Span) -> Expr {
        if self.is_error(record.ty.ty) && self.types.pointee(record.ty.ty).is_none() {
            return self.broken(span);
        }
        let &Type::Record(id) = self.types.get(record.ty.ty) else {
            self.not_a_record(&record, span);
            return self.broken(span);
        };
        if self.types.records[id].body.is_none() {
            let shown = self.show(record.ty);
            let place = self.types.records[id].span;
            let message = format!("use of the incomplete type '{shown}'");
            let diagnostic = Diagnostic::error(span, message);
            self.report(diagnostic.note(place, "its tag appears first here"));
            return self.broken(span);
        }
        let Some(path) = self.find_member(id, name) else {
            self.no_member(id, name, at);
            return self.broken(span);
        };
        let mut expr = record;
        for field in path {
            expr = self.member_at(expr, field, span);
        }
        // An array inside a value needs a place to point into.
        if self.types.is_array(expr.ty.ty) && !expr.is_lvalue() {
            expr = self.placed(expr);
        }
        expr
    }

    /// A member by its position.
    pub(super) fn member_at(&mut self, record: Expr, field: usize, span: Span) -> Expr {
        let Some(declared) = self.types.field(record.ty.ty, field) else {
            return self.broken(span);
        };
        let declared = declared.ty;
        let mut ty = self.qualified(declared.ty, record.ty.quals);
        ty.quals = ty.quals.union(declared.quals);
        if !record.is_lvalue() {
            ty = QualType::from(ty.ty);
        }
        Expr::new(
            ExprKind::Member {
                record: Box::new(record),
                field,
            },
            ty,
            span,
        )
    }

    /// A member of a value, made a member of a hidden local that holds the value.
    fn placed(&mut self, expr: Expr) -> Expr {
        if let ExprKind::Member { record, field } = expr.kind {
            let record = self.placed(*record);
            return Expr {
                kind: ExprKind::Member {
                    record: Box::new(record),
                    field,
                },
                ..expr
            };
        }
        if expr.is_lvalue() || self.function.is_none() {
            return expr;
        }
        let (ty, span) = (expr.ty.ty, expr.span);
        self.temporary(ty, ty, expr, span)
    }

    fn not_a_record(&mut self, expr: &Expr, span: Span) {
        let shown = self.show(expr.ty);
        let message = format!("a member of '{shown}', which is no record");
        let mut diagnostic = Diagnostic::error(span, message);
        let to = self.types.pointee(expr.ty.ty);
        if to.is_some_and(|to| self.types.is_record(to.ty)) {
            diagnostic = diagnostic.help("use '->' instead");
        }
        self.report(diagnostic);
    }

    pub(super) fn no_member(&mut self, id: crate::types::RecordId, name: Symbol, at: Span) {
        let ty = self.types.intern(Type::Record(id));
        let shown = self.show(ty);
        let text = self.names.text(name).clone();
        let message = format!("'{shown}' has no member '{text}'");
        let mut diagnostic = Diagnostic::error(at, message);
        let members = self.member_lists.get(&id).map_or(&[][..], |list| list);
        let members = members.iter().map(|&name| &**self.names.text(name));
        if let Some(near) = super::diagnose::nearest(&text, members) {
            diagnostic = diagnostic.help(format!("did you mean '{near}'?"));
        }
        self.report(diagnostic);
    }
}
