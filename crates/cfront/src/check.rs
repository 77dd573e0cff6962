//! Checks the invariants of [`crate::ast`]. Debug builds check every tree they parse.

use crate::ast::visit::{Visitor, walk_expr, walk_initializer, walk_stmt};
use crate::ast::{
    Ast, BinaryOp, Body, Builtin, CastKind, Expr, ExprKind, InitItem, InitValue, Initializer,
    LocalDecl, Stmt, StmtKind, UnaryOp,
};
use crate::types::{IntKind, QualType, Qualifiers, Type, TypeId, Types};
use base::Span;

/// How many broken promises are told.
const LIMIT: usize = 20;

/// The promises that a tree breaks, in words, with their places; none unless we made a mistake.
pub fn check(ast: &Ast) -> Vec<(String, Span)> {
    let mut checker = Checker {
        ast,
        types: &ast.types,
        body: None,
        ret: None,
        found: Vec::new(),
    };
    for global in ast.globals.iter() {
        if let Some(init) = &global.init {
            checker.initializer(init, global.ty.ty);
            walk_initializer(&mut checker, init);
        }
    }
    for function in ast.functions.iter() {
        let signature = ast.types.function(function.ty);
        if let Some(body) = &function.body {
            checker.body = Some(body);
            checker.ret = signature.map(|signature| signature.ret.ty);
            checker.block(&body.block);
            checker.body = None;
        }
    }
    checker.found
}

struct Checker<'t> {
    ast: &'t Ast,
    types: &'t Types,
    body: Option<&'t Body>,
    ret: Option<TypeId>,
    found: Vec<(String, Span)>,
}

impl Visitor for Checker<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        use StmtKind::*;
        match &stmt.kind {
            Declare(decl) => self.declaration(decl, stmt.span),
            If { condition, .. }
            | While { condition, .. }
            | DoWhile { condition, .. }
            | For {
                condition: Some(condition),
                ..
            } => self.condition(condition),
            Switch { value, cases, .. } => {
                self.value(value);
                let int = self.types.scalar_int(value.ty.ty);
                self.expect(int.is_some(), value.span, "a switch has an integer");
                for case in cases {
                    let fits = case.range.is_none_or(|(first, last)| {
                        Some(first.ty()) == int && Some(last.ty()) == int
                    });
                    self.expect(fits, case.span, "a case has the type of its switch");
                }
            }
            Goto(label) => {
                let known = self
                    .body
                    .is_some_and(|body| body.labels.get(*label).is_some());
                self.expect(known, stmt.span, "a goto has a label");
            }
            ComputedGoto(address) => {
                self.value(address);
                let pointer = self.types.is_pointer(address.ty.ty);
                self.expect(pointer, address.span, "a computed goto has a pointer");
            }
            Return(Some(value)) => {
                self.value(value);
                let fits = self.ret == Some(value.ty.ty);
                self.expect(fits, value.span, "a result has the function's type");
            }
            Empty
            | Expr(_)
            | Block(_)
            | For { .. }
            | Case { .. }
            | Label { .. }
            | Break
            | Continue
            | Return(None)
            | Asm => {}
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        self.node(expr);
        walk_expr(self, expr);
    }
}

/// What is said about a node and the roles of its operands; the operands are visited by themselves.
impl Checker<'_> {
    fn expect(&mut self, holds: bool, span: Span, promise: &str) {
        if !holds && self.found.len() < LIMIT {
            self.found.push((promise.to_owned(), span));
        }
    }

    fn declaration(&mut self, decl: &LocalDecl, span: Span) {
        for (_, length) in &decl.lengths {
            self.value(length);
            let fits = length.ty.ty == self.types.size_t();
            self.expect(fits, length.span, "a length is a size_t");
        }
        let local = self.body.and_then(|body| body.locals.get(decl.local));
        let Some(ty) = local.map(|local| local.ty.ty) else {
            self.expect(false, span, "a declared local is in the table");
            return;
        };
        self.expect(self.types.is_complete(ty), span, "a local is complete");
        if let Some(init) = &decl.init {
            self.initializer(init, ty);
        }
    }

    fn initializer(&mut self, init: &Initializer, ty: TypeId) {
        let size = self.types.size_of(ty);
        for item in &init.items {
            self.item(item, size, init.span);
        }
    }

    fn item(&mut self, item: &InitItem, size: Option<u64>, span: Span) {
        let end = self.types.size_of(item.ty).map(|bytes| match item.bits {
            Some(bits) => item.offset + u64::from(bits.start + bits.width).div_ceil(8),
            None => item.offset + bytes,
        });
        let inside = end.zip(size).is_none_or(|(end, size)| end <= size);
        self.expect(inside, span, "an item lies inside its object");
        match &item.value {
            InitValue::Expr(value) => {
                self.value(value);
                let fits = value.ty.ty == item.ty;
                self.expect(fits, value.span, "an initial value has the part's type");
            }
            InitValue::String(_) => {
                let array = self.types.is_array(item.ty);
                self.expect(array, span, "a string initialises an array");
            }
        }
    }

    fn condition(&mut self, expr: &Expr) {
        self.value(expr);
        let scalar = self.types.is_scalar(expr.ty.ty) && !self.types.is_enum(expr.ty.ty);
        self.expect(
            scalar,
            expr.span,
            "a condition is a scalar and no enumeration",
        );
    }

    /// An expression used for its value.
    fn value(&mut self, expr: &Expr) {
        let plain = !self.types.is_array(expr.ty.ty) && !self.types.is_function(expr.ty.ty);
        self.expect(
            plain,
            expr.span,
            "arrays and functions used as values decay",
        );
    }

    /// An operand of arithmetic: promoted.
    fn operand(&mut self, expr: &Expr) {
        self.value(expr);
        let promoted = match self.types.get(expr.ty.ty) {
            Type::Int(kind) => kind.rank() >= IntKind::Int.rank(),
            Type::Float(_) => true,
            _ => false,
        };
        self.expect(promoted, expr.span, "operands of arithmetic are promoted");
    }

    fn lvalue(&mut self, expr: &Expr) {
        self.expect(expr.is_lvalue(), expr.span, "a target is an lvalue");
    }

    fn node(&mut self, expr: &Expr) {
        if !expr.is_lvalue() {
            let plain = expr.ty.quals == Qualifiers::NONE;
            self.expect(plain, expr.span, "a value has no qualifiers");
        }
        let (ty, span, types) = (expr.ty.ty, expr.span, self.types);
        let (fits, promise) = match &expr.kind {
            ExprKind::Int(value) => {
                let fits = types.scalar_int(ty) == Some(value.ty());
                (fits, "an integer has the width of its type")
            }
            ExprKind::Float(_) => (types.is_floating(ty), "a float is floating"),
            ExprKind::String(id) => {
                let known = self.ast.strings.get(*id).is_some();
                (known && types.is_array(ty), "a string is an array")
            }
            ExprKind::Global(id) => {
                let known = self.ast.globals.get(*id).is_some();
                (known, "a global is in the table")
            }
            ExprKind::Local(id) => {
                let known = self.body.is_some_and(|body| body.locals.get(*id).is_some());
                (known, "a local is in the table")
            }
            ExprKind::Function(id) => {
                let known = self.ast.functions.get(*id).is_some();
                (known && types.is_function(ty), "a function is in the table")
            }
            ExprKind::Deref(pointer) => {
                self.value(pointer);
                let fits = types.pointee(pointer.ty.ty) == Some(expr.ty);
                (fits, "a dereference has the pointee's type")
            }
            ExprKind::AddressOf(operand) => {
                let place = operand.is_lvalue() || types.is_function(operand.ty.ty);
                let fits = types.pointee(ty) == Some(operand.ty);
                (place && fits, "an address is that of an lvalue")
            }
            ExprKind::Member { record, field } => {
                let field = types.field(record.ty.ty, *field);
                let same = field.is_some_and(|field| self.same_but_quals(field.ty, expr.ty));
                (same, "a member has its field's type")
            }
            ExprKind::Unary(UnaryOp::LogicalNot, operand) => {
                self.condition(operand);
                (ty == types.int(), "'!' gives an int")
            }
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot, operand) => {
                self.operand(operand);
                (operand.ty.ty == ty, "an operand has the result's type")
            }
            ExprKind::Binary(op, a, b) => {
                let fits = self.binary(ty, *op, a, b);
                (fits, "operands have the type of the operation")
            }
            ExprKind::Increment { target, .. } => {
                self.lvalue(target);
                (target.ty.ty == ty, "an increment has its target's type")
            }
            ExprKind::Assign(target, value) => {
                self.lvalue(target);
                self.value(value);
                let fits = target.ty.ty == ty && value.ty.ty == ty;
                (fits, "an assigned value has its target's type")
            }
            ExprKind::AssignOp {
                op,
                target,
                value,
                computation,
            } => {
                self.lvalue(target);
                self.value(value);
                let fits = match op {
                    BinaryOp::PointerAdd | BinaryOp::PointerSub => {
                        *computation == target.ty.ty && value.ty.ty == types.ptrdiff_t()
                    }
                    BinaryOp::Shl | BinaryOp::Shr => types.is_integer(value.ty.ty),
                    _ => value.ty.ty == *computation,
                };
                let fits = fits && ty == target.ty.ty && !types.is_enum(*computation);
                (fits, "a compound assignment computes in one type")
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                self.condition(condition);
                self.value(otherwise);
                let mut fits = otherwise.ty.ty == ty;
                if let Some(then) = then {
                    self.value(then);
                    fits &= then.ty.ty == ty;
                }
                (fits, "the arms of '?:' have its type")
            }
            ExprKind::Cast(kind, operand, _) => {
                (self.cast(ty, *kind, operand), "a cast is of its kind")
            }
            ExprKind::Call { callee, args } => return self.call(expr, callee, args),
            ExprKind::Builtin { builtin, args } => return self.builtin(*builtin, args),
            ExprKind::CompoundLiteral(decl) => return self.declaration(decl, span),
            ExprKind::Statement(block) => {
                let fits = match block.stmts.last().map(|stmt| &stmt.kind) {
                    _ if types.is_void(ty) => true,
                    Some(StmtKind::Expr(last)) => last.ty.ty == ty,
                    _ => false,
                };
                (fits, "a statement expression gives its last value")
            }
            ExprKind::VaArg(_) => return,
            ExprKind::LabelAddress(label) => {
                let known = self
                    .body
                    .is_none_or(|body| body.labels.get(*label).is_some());
                (known, "a label is in the table")
            }
            ExprKind::SizeofVariable(of) => {
                let fits = ty == types.size_t() && types.is_variable_array(*of);
                (fits, "a variable size is a size_t")
            }
        };
        self.expect(fits, span, promise);
    }

    /// Equal, the qualifiers of elements aside.
    fn same_but_quals(&self, a: QualType, b: QualType) -> bool {
        match (self.types.get(a.ty), self.types.get(b.ty)) {
            (Type::Array(x, m), Type::Array(y, n)) => m == n && self.same_but_quals(*x, *y),
            _ => a.ty == b.ty,
        }
    }

    /// Whether the operands fit an operation of a type.
    fn binary(&mut self, ty: TypeId, op: BinaryOp, a: &Expr, b: &Expr) -> bool {
        use BinaryOp::*;
        let (x, y) = (a.ty.ty, b.ty.ty);
        match op {
            Add | Sub | Mul | Div | Rem | And | Or | Xor => {
                self.operand(a);
                self.operand(b);
                x == ty && y == ty
            }
            Shl | Shr => {
                self.operand(a);
                self.operand(b);
                x == ty && self.types.is_integer(y)
            }
            PointerAdd | PointerSub => {
                self.value(a);
                self.value(b);
                x == ty && self.types.is_pointer(x) && y == self.types.ptrdiff_t()
            }
            PointerDiff => {
                self.value(a);
                self.value(b);
                x == y && self.types.is_pointer(x) && ty == self.types.ptrdiff_t()
            }
            Eq | Ne | Lt | Le | Gt | Ge => {
                self.value(a);
                self.value(b);
                if !self.types.is_pointer(x) {
                    self.operand(a);
                }
                x == y && ty == self.types.int()
            }
            LogicalAnd | LogicalOr => {
                self.condition(a);
                self.condition(b);
                ty == self.types.int()
            }
            Comma => {
                self.value(b);
                y == ty
            }
        }
    }

    /// Whether a cast of a kind to a type fits its operand.
    fn cast(&mut self, to: TypeId, kind: CastKind, operand: &Expr) -> bool {
        if !matches!(kind, CastKind::ArrayDecay | CastKind::FunctionDecay) {
            self.value(operand);
        }
        let (from, types) = (operand.ty.ty, self.types);
        match kind {
            CastKind::ArrayDecay => {
                let element = match types.get(from) {
                    Type::Array(element, _) => Some(*element),
                    _ => None,
                };
                element.is_some() && types.pointee(to) == element && operand.is_lvalue()
            }
            CastKind::FunctionDecay => {
                types.is_function(from) && types.pointee(to).is_some_and(|to| to.ty == from)
            }
            CastKind::Int => types.is_integer(from) && types.is_integer(to) && !types.is_bool(to),
            CastKind::ToBool => types.is_scalar(from) && types.is_bool(to),
            CastKind::IntToFloat => types.is_integer(from) && types.is_floating(to),
            CastKind::FloatToInt => types.is_floating(from) && types.is_integer(to),
            CastKind::Float => types.is_floating(from) && types.is_floating(to),
            CastKind::PointerToInt => types.is_pointer(from) && types.is_integer(to),
            CastKind::IntToPointer => types.is_integer(from) && types.is_pointer(to),
            CastKind::Pointer => types.is_pointer(from) && types.is_pointer(to),
            CastKind::ToVoid => types.is_void(to),
            CastKind::NoOp => from == to,
        }
    }

    fn call(&mut self, expr: &Expr, callee: &Expr, args: &[Expr]) {
        self.value(callee);
        for arg in args {
            self.value(arg);
        }
        let to = self.types.pointee(callee.ty.ty);
        let function = to.and_then(|to| self.types.function(to.ty));
        let Some(function) = function else {
            self.expect(false, expr.span, "a callee points to a function");
            return;
        };
        let params = function.params.iter().map(|param| param.ty);
        let fits = !function.prototype
            || params.len() <= args.len()
                && params.zip(args).all(|(param, arg)| param == arg.ty.ty);
        let fits = fits && function.ret.ty == expr.ty.ty;
        self.expect(fits, expr.span, "arguments have their parameters' types");
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr]) {
        if !matches!(builtin, Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy) {
            args.iter().for_each(|arg| self.value(arg));
        }
    }
}
