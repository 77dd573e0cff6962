//! Conversions: explicit ones, and those that operators, assignments and calls imply.

use super::Parser;
use crate::ast::{CastKind, Expr, ExprKind, Initializer, LocalDecl};
use crate::literal;
use crate::types::{QualType, Qualifiers, RecordId, Type, TypeId};
use base::Span;
use logic::IntValue;
use std::sync::Arc;

/// What a value is converted for, in messages.
#[derive(Clone, Debug)]
pub(super) enum Context {
    /// `=`
    Assign,
    /// An initialiser.
    Init,
    /// `return`
    Return,
    /// An argument: its number from 1, and whose.
    Argument(usize, Option<Arc<str>>),
    /// `goto *`
    Goto,
}

impl Context {
    fn text(&self) -> String {
        match self {
            Context::Assign => "assignment".to_owned(),
            Context::Init => "initialisation".to_owned(),
            Context::Return => "return".to_owned(),
            Context::Goto => "computed goto".to_owned(),
            Context::Argument(number, None) => format!("argument {number}"),
            Context::Argument(number, Some(name)) => format!("argument {number} of '{name}'"),
        }
    }
}

impl Parser<'_> {
    /// The value of an expression: arrays and functions become pointers.
    pub(super) fn value(&mut self, expr: Expr) -> Expr {
        let (ty, kind) = match self.types.get(expr.ty.ty) {
            &Type::Array(element, _) => (self.types.pointer_to(element), CastKind::ArrayDecay),
            Type::Function(_) => {
                let plain = expr.ty.ty.into();
                (self.types.pointer_to(plain), CastKind::FunctionDecay)
            }
            _ => return expr,
        };
        match expr.kind {
            // `*f` as a value is `f` again.
            ExprKind::Deref(pointer) if kind == CastKind::FunctionDecay => Expr {
                span: expr.span,
                ..self.cast_with(*pointer, ty, CastKind::NoOp, false)
            },
            _ => self.cast_with(expr, ty, kind, false),
        }
    }

    pub(super) fn cast_with(
        &mut self,
        operand: Expr,
        ty: TypeId,
        kind: CastKind,
        explicit: bool,
    ) -> Expr {
        let span = operand.span;
        // `DBL_MAX` and its kin are such literals.
        if let ExprKind::Float(value) = operand.kind
            && operand.ty.ty == self.types.long_double()
            && ty == self.types.double()
            && literal::is_near(self.spelling(span), value)
        {
            return Expr::new(operand.kind, ty, span);
        }
        Expr::new(ExprKind::Cast(kind, Box::new(operand), explicit), ty, span)
    }

    /// The value after the integer promotions; other types stay.
    pub(super) fn promoted(&mut self, expr: Expr) -> Expr {
        let expr = self.value(expr);
        if !self.types.is_integer(expr.ty.ty) {
            return expr;
        }
        let ty = self.promoted_type(&expr);
        self.implicit(expr, ty)
    }

    /// The type of a number after the integer promotions.
    pub(super) fn promoted_type(&self, expr: &Expr) -> TypeId {
        match expr.bit_field(&self.types) {
            Some((declared, width)) => self.types.promote_bitfield(declared, width),
            None => self.types.promote(expr.ty.ty),
        }
    }

    /// The value after the default argument promotions.
    pub(super) fn promoted_argument(&mut self, expr: Expr) -> Expr {
        let expr = self.promoted(expr);
        let ty = self.types.promote_argument(expr.ty.ty);
        self.implicit(expr, ty)
    }

    /// The common type of two arithmetic operands, both converted to it.
    pub(super) fn balanced(&mut self, a: Expr, b: Expr) -> (Expr, Expr, TypeId) {
        let (a, b) = (self.promoted(a), self.promoted(b));
        let ty = self.types.usual_arithmetic(a.ty.ty, b.ty.ty);
        (self.implicit(a, ty), self.implicit(b, ty), ty)
    }

    /// A value used as a condition.
    pub(super) fn condition(&mut self, expr: Expr) -> Expr {
        let expr = self.value(expr);
        if self.is_error(expr.ty.ty) {
            return self.broken(expr.span);
        }
        match self.types.get(expr.ty.ty) {
            Type::Enum(_) => self.promoted(expr),
            Type::Complex(_) => self.complex_truth(expr),
            _ if self.types.is_scalar(expr.ty.ty) => expr,
            _ => {
                let shown = self.show(expr.ty);
                let message = format!("'{shown}' used where a scalar is required");
                self.refused(expr.span, message)
            }
        }
    }

    /// A conversion that an operator implies, between scalar types.
    pub(super) fn implicit(&mut self, expr: Expr, to: TypeId) -> Expr {
        self.converted(expr, to, false)
    }

    fn converted(&mut self, expr: Expr, to: TypeId, explicit: bool) -> Expr {
        let from = expr.ty.ty;
        if from == to && !explicit {
            return expr;
        }
        if self.is_error(from) || self.is_error(to) {
            return Expr {
                ty: self.error.into(),
                ..expr
            };
        }
        let Some(kind) = self.cast_kind(from, to) else {
            return self.no_conversion(expr, to);
        };
        if let ExprKind::Int(value) = expr.kind
            && !explicit
            && let Some(int) = self.types.scalar_int(to)
        {
            let value = match kind {
                CastKind::ToBool => IntValue::wrap(int, i128::from(!value.is_zero())),
                _ => value.convert(int),
            };
            return Expr::new(ExprKind::Int(value), to, expr.span);
        }
        self.cast_with(expr, to, kind, explicit)
    }

    fn no_conversion(&mut self, expr: Expr, to: TypeId) -> Expr {
        let (from, span) = (expr.ty.ty, expr.span);
        // Numbers convert to each other, so one of the two is complex.
        if self.types.is_arithmetic(from) && self.types.is_arithmetic(to) {
            return self.complex_conversion(expr, to);
        }
        let (from, to) = (self.show(from), self.show(to));
        let message = format!("cannot convert '{from}' to '{to}'");
        self.refused(span, message)
    }

    /// Which conversion leads from one type to another, if one does.
    fn cast_kind(&self, from: TypeId, to: TypeId) -> Option<CastKind> {
        if from == to {
            return Some(CastKind::NoOp);
        }
        let types = &self.types;
        let (is_int, is_float) = (types.is_integer(from), types.is_floating(from));
        let is_pointer = types.is_pointer(from);
        match self.types.get(to) {
            Type::Void => Some(CastKind::ToVoid),
            Type::Bool if is_int || is_float || is_pointer => Some(CastKind::ToBool),
            Type::Int(_) | Type::Enum(_) if is_int => Some(CastKind::Int),
            Type::Int(_) | Type::Enum(_) if is_float => Some(CastKind::FloatToInt),
            Type::Int(_) | Type::Enum(_) if is_pointer => Some(CastKind::PointerToInt),
            Type::Float(_) if is_int => Some(CastKind::IntToFloat),
            Type::Float(_) if is_float => Some(CastKind::Float),
            Type::Pointer(_) if is_int => Some(CastKind::IntToPointer),
            Type::Pointer(_) if is_pointer => Some(CastKind::Pointer),
            _ => None,
        }
    }

    /// `(type)operand`
    pub(super) fn explicit_cast(&mut self, ty: QualType, operand: Expr, span: Span) -> Expr {
        let operand = self.value(operand);
        if self.is_error(ty.ty) || self.is_error(operand.ty.ty) {
            return self.broken(span);
        }
        let (to, from) = (ty.ty, operand.ty.ty);
        if !self.types.is_void(to) && self.types.is_void(from) {
            self.error(operand.span, "a void value is used");
            return self.broken(span);
        }
        if let &Type::Record(record) = self.types.get(to)
            && from != to
        {
            return self.cast_to_union(record, to, operand, span);
        }
        if self.types.is_array(to) || self.types.is_function(to) {
            return self.refused_type(span, "cannot cast to", ty);
        }
        if let &Type::Enum(id) = self.types.get(to)
            && self.types.enums[id].underlying.is_none()
        {
            return self.refused(span, "cannot cast to an incomplete type");
        }
        let result = self.converted(operand, to, true);
        Expr { span, ..result }
    }

    /// GNU C: a value cast to a union sets the member of its type.
    fn cast_to_union(&mut self, record: RecordId, to: TypeId, operand: Expr, span: Span) -> Expr {
        if self.types.records[record].is_union {
            let member = self.types.body(to).and_then(|body| {
                let same = |ty: TypeId| self.types.compatible(ty, operand.ty.ty);
                body.fields.iter().find(|field| same(field.ty.ty)).cloned()
            });
            if let Some(field) = member {
                return self.temporary(to, field.ty.ty, operand, span);
            }
        }
        self.refused_type(span, "cannot cast to", to)
    }

    /// A hidden local set each time: a value with a place. The value is that of a member, or of
    /// the whole.
    pub(super) fn temporary(
        &mut self,
        ty: TypeId,
        member: TypeId,
        value: Expr,
        span: Span,
    ) -> Expr {
        if self.function.is_none() {
            return self.refused(span, "this needs a place and stands in no function");
        }
        let hidden = self.names.intern("");
        let local = self.new_local(hidden, ty.into(), None, span);
        let decl = LocalDecl {
            local,
            lengths: Vec::new(),
            init: Some(Initializer::of_value(member, value, true, span)),
        };
        Expr::new(ExprKind::CompoundLiteral(Box::new(decl)), ty, span)
    }

    /// A value converted as if by assignment.
    pub(super) fn assigned(&mut self, expr: Expr, target: QualType, context: &Context) -> Expr {
        let expr = self.value(expr);
        let (from, to) = (expr.ty.ty, target.ty);
        if self.is_error(from) || self.is_error(to) {
            return self.broken(expr.span);
        }
        if self.types.is_void(from) {
            return self.refused(expr.span, "a void value is used");
        }
        if from == to {
            return expr;
        }
        if let (Some(a), Some(b)) = (self.types.pointee(from), self.types.pointee(to)) {
            if !self.is_null_constant(&expr) {
                self.check_pointers(&expr, a, b, context);
            }
        } else if self.types.is_pointer(to) && self.types.is_integer(from) {
            if !self.is_null_constant(&expr) {
                self.mismatch(&expr, to, context, "makes a pointer from an integer");
            }
        } else if self.types.is_integer(to) && self.types.is_pointer(from) {
            if !self.types.is_bool(to) {
                self.mismatch(&expr, to, context, "makes an integer from a pointer");
            }
        } else if !self.types.is_arithmetic(from) || !self.types.is_arithmetic(to) {
            return self.not_convertible(expr, to, context);
        }
        self.implicit(expr, to)
    }

    /// A value that does not convert to the type wanted: perhaps a transparent union takes it.
    fn not_convertible(&mut self, expr: Expr, to: TypeId, context: &Context) -> Expr {
        if let &Type::Record(union) = self.types.get(to)
            && matches!(context, Context::Argument(..))
            && self.transparent.contains(&union)
            && let Some(expr) = self.transparent_value(to, &expr)
        {
            return expr;
        }
        let (shown, wanted) = (self.show(expr.ty.ty), self.show(to));
        let what = context.text();
        let message = format!("incompatible types in {what}: '{wanted}' wanted, '{shown}' given");
        self.refused(expr.span, message)
    }

    /// A member's value passed for a transparent union.
    fn transparent_value(&mut self, union: TypeId, expr: &Expr) -> Option<Expr> {
        let from = expr.ty.ty;
        let fields = self.types.body(union)?.fields.clone();
        let null = self.is_null_constant(expr);
        let fits = |ty: TypeId| match (self.types.pointee(ty), self.types.pointee(from)) {
            (Some(a), Some(b)) => {
                self.types.compatible(a.ty, b.ty)
                    || self.types.is_void(a.ty)
                    || self.types.is_void(b.ty)
            }
            (Some(_), None) => null,
            _ => self.types.compatible(ty, from),
        };
        let field = fields.iter().find(|field| fits(field.ty.ty))?;
        let value = self.implicit(expr.clone(), field.ty.ty);
        Some(self.temporary(union, field.ty.ty, value, expr.span))
    }

    fn mismatch(&mut self, expr: &Expr, to: TypeId, context: &Context, what: &str) {
        let (from, to) = (self.show(expr.ty.ty), self.show(to));
        let place = context.text();
        let message = format!("{place} {what} without a cast ('{from}' to '{to}')");
        self.warn(expr.span, message);
    }

    /// Warns about pointers that do not go together.
    fn check_pointers(&mut self, expr: &Expr, from: QualType, to: QualType, context: &Context) {
        if self.is_error(from.ty) || self.is_error(to.ty) {
            return;
        }
        let place = context.text();
        if !self.go_together(from.ty, to.ty) {
            let a = self.types.pointer_to(from);
            let b = self.types.pointer_to(to);
            let (a, b) = (self.show(a), self.show(b));
            let message = format!("{place} from incompatible pointer type ('{a}' to '{b}')");
            self.warn(expr.span, message);
            return;
        }
        let (a, b) = (self.types.array_core(from), self.types.array_core(to));
        let kept = |quals: Qualifiers| Qualifiers(quals.0 & 3);
        if !kept(b.quals).contains(kept(a.quals)) && !self.types.is_function(from.ty) {
            let message = format!("{place} discards qualifiers of what the pointer points to");
            self.warn(expr.span, message);
        }
    }

    /// Whether pointers to two types go together: either is void, or they are nearly the same.
    pub(super) fn go_together(&self, a: TypeId, b: TypeId) -> bool {
        self.types.is_void(a) || self.types.is_void(b) || self.same_but_for_sign(a, b)
    }

    /// Compatible, qualifiers of elements and the sign of integers aside.
    fn same_but_for_sign(&self, a: TypeId, b: TypeId) -> bool {
        if self.types.compatible(a, b) {
            return true;
        }
        if let (Some(x), Some(y)) = (self.types.kind_of(a), self.types.kind_of(b)) {
            return self.types.int_type(x).bits == self.types.int_type(y).bits
                && x.rank() == y.rank();
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Array(x, _), Type::Array(y, _)) => self.same_but_for_sign(x.ty, y.ty),
            _ => false,
        }
    }
}
