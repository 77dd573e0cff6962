//! Expressions for their value or for their effects.

use super::procedure::Lowering;
use super::types::{self, Shape};
use crate::expr::{BinaryOp, Constant, Expr, FloatType, Type, UnaryOp};
use crate::ir::*;
use base::Span;
use cfront::ast::{
    BinaryOp as CBinary, Block, CastKind, Expr as CExpr, ExprKind, StmtKind, UnaryOp as CUnary,
};
use cfront::types::{ArrayLen, Type as CType, TypeId};
use logic::IntValue;

/// An expression nested this deep is cut by a temporary, so that no tree of the IR is deep.
const DEPTH: u32 = 64;

impl<'a> Lowering<'_, 'a> {
    /// The value of a scalar expression, of the IR type of its C type.
    pub(super) fn value(&mut self, expr: &'a CExpr) -> Expr {
        self.nested(expr.span, |s| s.value_inner(expr))
    }

    /// Counts how deep the expression is, and cuts it where it gets too deep.
    pub(super) fn nested(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.depth += 1;
        let mut value = inner(self);
        if self.depth.is_multiple_of(DEPTH) {
            value = self.atom(value, span);
        }
        self.depth -= 1;
        value
    }

    fn value_inner(&mut self, expr: &'a CExpr) -> Expr {
        let span = expr.span;
        let Some(ty) = self.cx.scalar(expr.ty.ty) else {
            return self.not_scalar(expr);
        };
        match &expr.kind {
            ExprKind::Int(value) => self.int_value(*value, ty),
            ExprKind::Float(value) => float_value(*value, ty),
            ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::String(_)
            | ExprKind::CompoundLiteral(_) => {
                let place = self.lvalue(expr);
                self.read(place, span)
            }
            ExprKind::Function(function) => Expr::Proc(self.cx.proc_of(*function)),
            ExprKind::AddressOf(inner) => self.address_of(inner),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, ty, span),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr, ty),
            ExprKind::Increment {
                target,
                decrement,
                postfix,
            } => self.increment(target, *decrement, Some(*postfix), span),
            ExprKind::Assign(target, value) => self.assign(target, value, true, span),
            ExprKind::AssignOp {
                op,
                target,
                value,
                computation,
            } => self.assign_op(*op, (target, value), *computation, true, span),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional(condition, then.as_deref(), otherwise, ty, span),
            ExprKind::Cast { kind, operand, .. } => self.cast(*kind, operand, ty, span),
            ExprKind::Call { callee, args } => {
                let result = self.call(callee, args, expr.ty.ty, true, span);
                result.unwrap_or(Expr::Const(ty.zero()))
            }
            ExprKind::Builtin { builtin, args } => self.builtin(*builtin, args, Some(ty), span),
            ExprKind::Statement(block) => match self.statement(block, true) {
                Some(value) => value,
                None => self.any_value(ty, span),
            },
            ExprKind::VaArg(list) => {
                let slot = self.next_argument(list, span);
                let value = self.load(ty, slot, span);
                self.save(value, span)
            }
            ExprKind::LabelAddress(label) => self.label_address(*label),
            ExprKind::SizeofVariable(of) => {
                let size = self.size_of(*of, span);
                let from = self.ty(&size);
                self.converted(size, from, ty)
            }
        }
    }

    /// Something of a type that we do not compute with is used as a value.
    fn not_scalar(&mut self, expr: &'a CExpr) -> Expr {
        let what = self.cx.unmodelled(expr.ty.ty);
        self.effect(expr);
        self.unsupported_value(what, Type::I32, expr.span)
    }

    /// An expression for its effects only.
    pub(super) fn effect(&mut self, expr: &'a CExpr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeofVariable(_) => {}
            ExprKind::Increment {
                target, decrement, ..
            } => {
                self.increment(target, *decrement, None, span);
            }
            ExprKind::Assign(target, value) => {
                self.assign(target, value, false, span);
            }
            ExprKind::AssignOp {
                op,
                target,
                value,
                computation,
            } => {
                self.assign_op(*op, (target, value), *computation, false, span);
            }
            ExprKind::Call { callee, args } => {
                self.call(callee, args, expr.ty.ty, false, span);
            }
            ExprKind::Cast {
                kind: CastKind::ToVoid | CastKind::NoOp,
                operand,
                ..
            } => self.effect(operand),
            ExprKind::Binary(CBinary::Comma, left, right) => {
                self.effect(left);
                self.effect(right);
            }
            ExprKind::Binary(op @ (CBinary::LogicalAnd | CBinary::LogicalOr), left, right) => {
                let (go_on, end) = (self.location(span), self.location(span));
                match op {
                    CBinary::LogicalAnd => self.branch(left, go_on, end),
                    _ => self.branch(left, end, go_on),
                }
                self.cur = go_on;
                self.effect(right);
                self.link(end, span);
                self.cur = end;
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let (yes, no) = (self.location(span), self.location(otherwise.span));
                let end = self.location(span);
                self.branch(condition, yes, no);
                self.cur = yes;
                if let Some(then) = then {
                    self.effect(then);
                }
                self.link(end, span);
                self.cur = no;
                self.effect(otherwise);
                self.link(end, span);
                self.cur = end;
            }
            ExprKind::Statement(block) => {
                self.statement(block, false);
            }
            ExprKind::Deref(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Member { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::CompoundLiteral(_)
            | ExprKind::VaArg(_) => self.effect_of_value(expr),
        }
    }

    fn effect_of_value(&mut self, expr: &'a CExpr) {
        match (self.cx.shape(expr.ty.ty), &expr.kind) {
            (Shape::Scalar(_), _) => {
                let value = self.value(expr);
                self.discard(value, expr.span);
            }
            (Shape::Void, ExprKind::Builtin { builtin, args }) => {
                self.builtin(*builtin, args, None, expr.span);
            }
            (Shape::Void | Shape::Function, ExprKind::Deref(inner)) => self.effect(inner),
            (Shape::Void | Shape::Function, ExprKind::Cast { operand, .. }) => self.effect(operand),
            (Shape::Memory, _) => {
                self.memory_value(expr);
            }
            (Shape::Void | Shape::Function, _) => self.unsupported("a void expression", expr.span),
        }
    }

    /// The address of a value that lives in memory: a record, or a number we only copy. It holds
    /// until the next effect.
    pub(super) fn memory_value(&mut self, expr: &'a CExpr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::String(_)
            | ExprKind::CompoundLiteral(_) => self.address_of(expr),
            ExprKind::Assign(target, value) => self.assign(target, value, true, span),
            ExprKind::Binary(CBinary::Comma, left, right) => {
                self.effect(left);
                self.memory_value(right)
            }
            ExprKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => {
                let condition = self.truth(condition);
                let yes = |s: &mut Self| s.memory_value(then);
                self.choose(condition, yes, |s| s.memory_value(otherwise), span)
            }
            ExprKind::Cast {
                kind: CastKind::NoOp,
                operand,
                ..
            } => self.memory_value(operand),
            ExprKind::Call { callee, args } => {
                let result = self.call(callee, args, expr.ty.ty, true, span);
                result.unwrap_or(Expr::null())
            }
            ExprKind::Statement(block) => match self.statement(block, true) {
                Some(address) => address,
                None => self.indeterminate_bytes(expr.ty.ty, span),
            },
            ExprKind::VaArg(list) => self.record_argument(list, expr.ty.ty, span),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Increment { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Cast { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeofVariable(_) => {
                let what = self.cx.unmodelled(expr.ty.ty);
                self.unsupported(what, span);
                self.indeterminate_bytes(expr.ty.ty, span)
            }
        }
    }

    /// A scratch object whose bytes nobody set.
    fn indeterminate_bytes(&mut self, ty: TypeId, span: Span) -> Expr {
        let size = self.cx.size(ty).unwrap_or(1);
        let align = self.cx.align(ty);
        self.scratch_object("$value", size, align, span)
    }

    /// A value converted from one scalar type to another.
    pub(super) fn converted(&self, value: Expr, from: Type, to: Type) -> Expr {
        types::convert(self.pointer_bits(), value, from, to)
    }

    fn int_value(&self, value: IntValue, ty: Type) -> Expr {
        let from = Type::Int(value.ty());
        self.converted(Expr::Const(Constant::Int(value)), from, ty)
    }

    fn unary(&mut self, op: CUnary, operand: &'a CExpr, ty: Type, span: Span) -> Expr {
        match op {
            CUnary::LogicalNot => {
                let condition = self.truth(operand);
                self.converted(Expr::not(condition), Type::Bool, ty)
            }
            CUnary::BitNot => {
                let value = self.value(operand);
                Expr::unary(UnaryOp::Not, ty, value)
            }
            CUnary::Neg => {
                let value = self.value(operand);
                self.negate(value, ty, span)
            }
        }
    }

    fn binary(
        &mut self,
        op: CBinary,
        left: &'a CExpr,
        right: &'a CExpr,
        whole: &'a CExpr,
        ty: Type,
    ) -> Expr {
        let span = whole.span;
        match op {
            CBinary::Eq
            | CBinary::Ne
            | CBinary::Lt
            | CBinary::Le
            | CBinary::Gt
            | CBinary::Ge
            | CBinary::LogicalAnd
            | CBinary::LogicalOr => {
                let condition = self.truth(whole);
                self.converted(condition, Type::Bool, ty)
            }
            CBinary::Comma => {
                self.effect(left);
                self.value(right)
            }
            CBinary::Add
            | CBinary::Sub
            | CBinary::Mul
            | CBinary::Div
            | CBinary::Rem
            | CBinary::And
            | CBinary::Or
            | CBinary::Xor
            | CBinary::Shl
            | CBinary::Shr
            | CBinary::PointerAdd
            | CBinary::PointerSub
            | CBinary::PointerDiff => {
                let first = self.value(left);
                let mark = self.mark();
                let second = self.value(right);
                let first = self.protect(first, mark, span);
                self.operate(op, (first, left.ty.ty), second, ty, span)
            }
        }
    }

    /// An operation on two values that are there already. The left one's C type says what a
    /// pointer points to.
    pub(super) fn operate(
        &mut self,
        op: CBinary,
        (left, left_ty): (Expr, TypeId),
        right: Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        match op {
            CBinary::PointerAdd | CBinary::PointerSub => {
                let (pointer, index) = match self.ty(&left) {
                    Type::Ptr => (left, right),
                    _ => (right, left),
                };
                let target = self.cx.pointee(left_ty);
                self.move_pointer(pointer, target, index, op == CBinary::PointerSub, span)
            }
            CBinary::PointerDiff => {
                let bytes = Expr::binary(BinaryOp::PtrDiff, Type::Ptr, left, right);
                let offset = Type::Int(self.cx.program.offset_type());
                let size = self.element_size(self.cx.pointee(left_ty), span);
                let elements = Expr::binary(BinaryOp::Div, offset, bytes, size);
                self.converted(elements, offset, ty)
            }
            op => match arithmetic(op) {
                Some(op) => self.arith(op, ty, left, right, span),
                None => self.unsupported_value("this operator", ty, span),
            },
        }
    }

    /// `pointer ± index` in elements of a type.
    pub(super) fn move_pointer(
        &mut self,
        pointer: Expr,
        target: Option<TypeId>,
        index: Expr,
        backwards: bool,
        span: Span,
    ) -> Expr {
        let offset = Type::Int(self.cx.program.offset_type());
        let from = self.ty(&index);
        let index = self.converted(index, from, offset);
        let size = self.element_size(target, span);
        let size = if backwards {
            Expr::unary(UnaryOp::Neg, offset, size)
        } else {
            size
        };
        let bytes = Expr::binary(BinaryOp::Mul, offset, index, size);
        self.offset(pointer, bytes)
    }

    /// The address moved; constant moves are added up.
    pub(super) fn offset(&self, address: Expr, bytes: Expr) -> Expr {
        let ty = Type::Int(self.cx.program.offset_type());
        match (address, bytes) {
            (Expr::Offset(base, first), second)
                if first.constant().is_some() && second.constant().is_some() =>
            {
                let sum = Expr::binary(BinaryOp::Add, ty, *first, second);
                Expr::offset(*base, sum)
            }
            (address, bytes) => Expr::offset(address, bytes),
        }
    }

    fn element_size(&mut self, target: Option<TypeId>, span: Span) -> Expr {
        let offset = Type::Int(self.cx.program.offset_type());
        match target {
            Some(target) => {
                let size = self.size_of(target, span);
                let from = self.ty(&size);
                self.converted(size, from, offset)
            }
            None => self.cx.offset_const(1),
        }
    }

    /// The size of a type, an unsigned integer of pointer width; variable lengths are multiplied.
    pub(super) fn size_of(&mut self, ty: TypeId, span: Span) -> Expr {
        if let Some(size) = self.cx.size(ty) {
            return self.cx.size_const(size);
        }
        let size = self.cx.program.size_type();
        match self.cx.ast.types.get(ty) {
            CType::Array(element, ArrayLen::Variable(local)) => {
                let (element, local) = (element.ty, *local);
                let each = self.size_of(element, span);
                let count = match self.local(local) {
                    super::Storage::Var(var) => Expr::Var(var),
                    storage => {
                        let address = storage_address(&storage);
                        Expr::load(Type::Int(size), address.unwrap_or(Expr::null()))
                    }
                };
                let from = self.ty(&count);
                let count = self.converted(count, from, Type::Int(size));
                Expr::arith(BinaryOp::Mul, size, count, each)
            }
            CType::Array(element, ArrayLen::Known(len)) => {
                let each = self.size_of(element.ty, span);
                Expr::arith(BinaryOp::Mul, size, self.cx.size_const(*len), each)
            }
            _ => self.unsupported_value("the size of an incomplete type", Type::Int(size), span),
        }
    }

    fn conditional(
        &mut self,
        condition: &'a CExpr,
        then: Option<&'a CExpr>,
        otherwise: &'a CExpr,
        ty: Type,
        span: Span,
    ) -> Expr {
        if let Some(then) = then {
            let test = self.truth(condition);
            return self.choose(test, |s| s.value(then), |s| s.value(otherwise), span);
        }
        let tested = self.value(condition);
        let tested = self.atom(tested, condition.span);
        let from = self.ty(&tested);
        let test = Expr::truth(from, tested.clone());
        let kept = self.converted(tested, from, ty);
        self.choose(test, |_| kept, |s| s.value(otherwise), span)
    }

    fn cast(&mut self, kind: CastKind, operand: &'a CExpr, ty: Type, span: Span) -> Expr {
        match kind {
            CastKind::ArrayDecay => self.address_of(operand),
            CastKind::FunctionDecay => self.address_of(operand),
            CastKind::ToBool => {
                if self.cx.scalar(operand.ty.ty).is_none() {
                    return self.not_scalar(operand);
                }
                self.truth(operand)
            }
            CastKind::Int
            | CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::Float
            | CastKind::PointerToInt
            | CastKind::IntToPointer
            | CastKind::Pointer
            | CastKind::NoOp => {
                let Some(from) = self.cx.scalar(operand.ty.ty) else {
                    let what = self.cx.unmodelled(operand.ty.ty);
                    self.effect(operand);
                    return self.unsupported_value(what, ty, span);
                };
                let value = self.value(operand);
                self.converted(value, from, ty)
            }
            CastKind::ToVoid => {
                self.effect(operand);
                Expr::Const(ty.zero())
            }
        }
    }

    /// A statement expression; the value of its last statement if that is wanted and there is one
    /// (for what lives in memory, the address of a copy).
    fn statement(&mut self, block: &'a Block, want: bool) -> Option<Expr> {
        let last = block
            .stmts
            .last()
            .and_then(|stmt| labelled_expr(&stmt.kind));
        self.open_scope();
        let value = match last {
            Some(last) if want && self.cx.shape(last.ty.ty) != Shape::Void => {
                let (init, tail) = block.stmts.split_at(block.stmts.len() - 1);
                self.stmts(init);
                self.labels_of(&tail[0]);
                Some(self.escaping_value(last))
            }
            _ => {
                self.stmts(&block.stmts);
                None
            }
        };
        self.close_scope(block.span);
        value
    }

    /// A value that is still wanted when the scope around it is gone.
    fn escaping_value(&mut self, expr: &'a CExpr) -> Expr {
        match self.cx.shape(expr.ty.ty) {
            Shape::Scalar(_) => {
                let value = self.value(expr);
                if self.scope_has_objects() && value.reads_memory() {
                    self.save(value, expr.span)
                } else {
                    value
                }
            }
            Shape::Memory => {
                let from = self.memory_value(expr);
                let size = self.cx.size(expr.ty.ty).unwrap_or(0);
                let to = self.indeterminate_bytes(expr.ty.ty, expr.span);
                self.copy_bytes(Library::Memcpy, to.clone(), from, size, expr.span);
                to
            }
            Shape::Void | Shape::Function => {
                self.effect(expr);
                Expr::i32(0)
            }
        }
    }

    /// The labels in front of the last expression of a statement expression.
    fn labels_of(&mut self, stmt: &'a cfront::ast::Stmt) {
        if let StmtKind::Label { label, body } = &stmt.kind {
            let location = self.label_location(*label);
            self.labels[*label] = Some((location, Some(self.scope)));
            self.link(location, stmt.span);
            self.cur = location;
            self.labels_of(body);
        }
    }

    /// Copies bytes from one object to another.
    pub(super) fn copy_bytes(&mut self, how: Library, to: Expr, from: Expr, size: u64, span: Span) {
        if size == 0 {
            return;
        }
        let (to, from) = (self.atom(to, span), self.atom(from, span));
        self.check_access(&to, size, true, span);
        self.check_access(&from, size, false, span);
        let call = Call {
            result: None,
            callee: Callee::Library(how),
            args: vec![to, from, self.cx.size_const(size)],
            varargs: None,
        };
        self.emit(Op::Call(call), span);
    }
}

/// The expression that a statement is, behind its labels.
fn labelled_expr(kind: &StmtKind) -> Option<&CExpr> {
    match kind {
        StmtKind::Expr(expr) => Some(expr),
        StmtKind::Label { body, .. } => labelled_expr(&body.kind),
        _ => None,
    }
}

fn float_value(value: f64, ty: Type) -> Expr {
    match ty {
        Type::Float(FloatType::F32) => {
            let bits = u64::from((value as f32).to_bits());
            Expr::Const(Constant::Float(FloatType::F32, bits))
        }
        Type::Float(FloatType::F64) => {
            Expr::Const(Constant::Float(FloatType::F64, value.to_bits()))
        }
        Type::Bool => Expr::bool(value != 0.0),
        Type::Int(ty) => Expr::int(ty, value as i128),
        Type::Ptr => Expr::null(),
    }
}

/// The address of storage in memory.
pub(super) fn storage_address(storage: &super::Storage) -> Option<Expr> {
    match storage {
        super::Storage::Object(object) => Some(Expr::Object(*object)),
        super::Storage::Indirect(var) => Some(Expr::Var(*var)),
        super::Storage::Var(_) | super::Storage::Unsupported(_) => None,
    }
}

/// The IR's name of an arithmetic operator.
pub(super) fn arithmetic(op: CBinary) -> Option<BinaryOp> {
    Some(match op {
        CBinary::Add => BinaryOp::Add,
        CBinary::Sub => BinaryOp::Sub,
        CBinary::Mul => BinaryOp::Mul,
        CBinary::Div => BinaryOp::Div,
        CBinary::Rem => BinaryOp::Rem,
        CBinary::And => BinaryOp::And,
        CBinary::Or => BinaryOp::Or,
        CBinary::Xor => BinaryOp::Xor,
        CBinary::Shl => BinaryOp::Shl,
        CBinary::Shr => BinaryOp::Shr,
        CBinary::PointerAdd
        | CBinary::PointerSub
        | CBinary::PointerDiff
        | CBinary::Eq
        | CBinary::Ne
        | CBinary::Lt
        | CBinary::Le
        | CBinary::Gt
        | CBinary::Ge
        | CBinary::LogicalAnd
        | CBinary::LogicalOr
        | CBinary::Comma => return None,
    })
}
