//! Questions about typed expressions.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, CastKind, Expr, ExprKind};
use crate::fold;
use crate::types::{QualType, Qualifiers, Type, TypeId, Types};
use base::{Diagnostic, Span};
use logic::{IntType, IntValue};

impl Expr {
    /// The declared type and width if the value comes straight from a bit-field. Assignments to
    /// bit-fields and commas count, as in gcc.
    pub(super) fn bit_field(&self, types: &Types) -> Option<(TypeId, u32)> {
        let mut expr = self;
        loop {
            match &expr.kind {
                ExprKind::Member { record, field } => {
                    let field = types.body(record.ty.ty)?.fields.get(*field)?;
                    return field.bits.map(|bits| (field.ty.ty, u32::from(bits.width)));
                }
                ExprKind::Assign(target, _) | ExprKind::AssignOp { target, .. } => expr = target,
                ExprKind::Increment { target, .. } => expr = target,
                ExprKind::Binary(BinaryOp::Comma, _, last) => expr = last,
                _ => return None,
            }
        }
    }
}

impl Parser<'_> {
    /// An expression that stands for a wrong one.
    pub(super) fn broken(&self, span: Span) -> Expr {
        Expr::new(
            ExprKind::Int(IntValue::zero(IntType::I32)),
            self.error,
            span,
        )
    }

    /// Reports what is wrong with an expression, and stands for it.
    pub(super) fn refused(&mut self, span: Span, message: impl Into<String>) -> Expr {
        self.error(span, message);
        self.broken(span)
    }

    /// The same with a message that ends with a type.
    pub(super) fn refused_type(&mut self, span: Span, what: &str, ty: impl Into<QualType>) -> Expr {
        self.wrong_type(span, what, ty);
        self.broken(span)
    }

    /// An `int` constant.
    pub(super) fn int_constant(&self, value: i128, span: Span) -> Expr {
        self.constant_of(self.types.int(), value, span)
    }

    /// A constant of an integer type.
    pub(super) fn constant_of(&self, ty: TypeId, value: i128, span: Span) -> Expr {
        let int = self.types.scalar_int(ty).unwrap_or(IntType::I32);
        Expr::new(ExprKind::Int(IntValue::wrap(int, value)), ty, span)
    }

    /// The value of an expression that is an integer constant.
    pub(super) fn fold_integer(&self, expr: &Expr) -> Option<IntValue> {
        match &expr.kind {
            ExprKind::Int(value) if !self.is_error(expr.ty.ty) => Some(*value),
            ExprKind::Local(_)
            | ExprKind::Deref(_)
            | ExprKind::Call { .. }
            | ExprKind::Member { .. } => None,
            _ => fold::integer(&self.types, expr).ok(),
        }
    }

    /// A constant expression of integer type, or nothing if it was reported.
    pub(super) fn constant_expression(&mut self, what: &str) -> Parsed<Option<IntValue>> {
        let expr = self.conditional_expression()?;
        let expr = self.value(expr);
        if self.is_error(expr.ty.ty) {
            return Ok(None);
        }
        if !self.types.is_integer(expr.ty.ty) {
            self.error(expr.span, format!("the {what} is not an integer"));
            return Ok(None);
        }
        if let ExprKind::Int(value) = expr.kind {
            return Ok(Some(value));
        }
        match fold::integer(&self.types, &expr) {
            Ok(value) => Ok(Some(value)),
            Err(fault) => {
                let message = format!("the {what} is not an integer constant");
                self.report(Diagnostic::error(fault.span, message).label(fault.message));
                Ok(None)
            }
        }
    }

    /// Whether it is a null pointer constant: zero, or zero cast to `void *`.
    pub(super) fn is_null_constant(&self, expr: &Expr) -> bool {
        let expr = match &expr.kind {
            ExprKind::Cast(CastKind::IntToPointer, operand, _)
                if self.is_plain_void_pointer(expr.ty.ty) =>
            {
                operand
            }
            _ => expr,
        };
        self.types.is_integer(expr.ty.ty)
            && self.fold_integer(expr).is_some_and(|value| value.is_zero())
    }

    fn is_plain_void_pointer(&self, ty: TypeId) -> bool {
        self.types
            .pointee(ty)
            .is_some_and(|to| to.quals == Qualifiers::NONE && self.types.is_void(to.ty))
    }

    /// Reports what cannot be assigned to; true if it can.
    pub(super) fn check_modifiable(&mut self, expr: &Expr, what: &str) -> bool {
        let ty = expr.ty.ty;
        if self.is_error(ty) {
            return false;
        }
        let fault = if !expr.is_lvalue() {
            format!("the operand of {what} is not an lvalue")
        } else if self.types.is_array(ty) {
            format!("{what} of an array")
        } else if self.types.is_function(ty) {
            format!("{what} of a function")
        } else if expr.ty.quals.contains(Qualifiers::CONST) {
            format!("{what} of read-only {}", self.name_of(expr))
        } else if matches!(self.types.get(ty), Type::Record(id) if self.const_records.contains(id))
        {
            format!("{what} of a record with read-only members")
        } else if !self.types.is_complete(ty) {
            format!("{what} of the incomplete type '{}'", self.show(expr.ty))
        } else {
            return true;
        };
        self.error(expr.span, fault);
        false
    }

    /// What an lvalue is called.
    pub(super) fn name_of(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Local(id) => match &self.function {
                Some(state) => format!("variable '{}'", state.body.locals[*id].name),
                None => "parameter".to_owned(),
            },
            ExprKind::Global(id) => format!("variable '{}'", self.globals[*id].name),
            ExprKind::Member { record, field } => {
                let field = self.types.field(record.ty.ty, *field);
                match field.and_then(|field| field.name.as_ref()) {
                    Some(name) => format!("member '{name}'"),
                    None => "member".to_owned(),
                }
            }
            _ => "location".to_owned(),
        }
    }

    /// The alignment of a type, reported if it has none.
    pub(super) fn align_of(&mut self, ty: TypeId, span: Span) -> u64 {
        if self.is_error(ty) || self.types.is_void(ty) || self.types.is_function(ty) {
            return 1;
        }
        self.types.align_of(ty).unwrap_or_else(|| {
            let shown = self.show(ty);
            let message = format!("the alignment of the incomplete type '{shown}' is not known");
            self.error(span, message);
            1
        })
    }

    /// Parses what is not evaluated.
    pub(super) fn unevaluated<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let mark = self.lengths.len();
        let result = parse(self);
        self.lengths.truncate(mark);
        result
    }
}
