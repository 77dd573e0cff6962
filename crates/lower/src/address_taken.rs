//! Which scalars have their address taken, and so must live in memory; and which are assigned.
//!
//! `*&x` takes no address. Arrays and structs always live in memory, so only `&x` of a whole local
//! or global matters here.

use base::IdVec;
use cfront::ast::visit::{Visitor, walk_decl, walk_expr, walk_initializer};
use cfront::ast::*;

/// The locals and globals whose address is taken.
pub(super) struct AddressTaken {
    /// By function; empty for one without a body.
    pub(super) locals: IdVec<FunctionId, IdVec<LocalId, bool>>,
    /// The locals that are assigned, likewise.
    pub(super) changed: IdVec<FunctionId, IdVec<LocalId, bool>>,
    /// By global.
    pub(super) globals: IdVec<GlobalId, bool>,
}

impl AddressTaken {
    /// Looks at the whole tree.
    pub(super) fn of(ast: &Ast) -> Self {
        let mut walk = Walk {
            locals: IdVec::new(),
            changed: IdVec::new(),
            globals: IdVec::filled(false, ast.globals.len()),
        };
        for global in ast.globals.iter() {
            if let Some(init) = &global.init {
                walk_initializer(&mut walk, init);
            }
        }
        let (mut locals, mut changed) = (IdVec::new(), IdVec::new());
        for function in ast.functions.iter() {
            if let Some(body) = &function.body {
                walk.locals = IdVec::filled(false, body.locals.len());
                walk.changed = walk.locals.clone();
                walk.block(&body.block);
            }
            locals.push(std::mem::take(&mut walk.locals));
            changed.push(std::mem::take(&mut walk.changed));
        }
        AddressTaken {
            locals,
            changed,
            globals: walk.globals,
        }
    }
}

/// What `*p` designates if `p` is written as an address: `*&x` is `x`.
pub(super) fn strip_address(pointer: &Expr) -> Option<&Expr> {
    match &pointer.kind {
        ExprKind::AddressOf(inner) => Some(inner),
        ExprKind::Cast(CastKind::NoOp, operand, _) => strip_address(operand),
        _ => None,
    }
}

/// The argument of `__builtin_add_overflow` and its kin through which the result is stored.
pub(super) const OVERFLOW_RESULT: usize = 2;

struct Walk {
    locals: IdVec<LocalId, bool>,
    changed: IdVec<LocalId, bool>,
    globals: IdVec<GlobalId, bool>,
}

impl Visitor for Walk {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Deref(pointer) => self.expr(strip_address(pointer).unwrap_or(pointer)),
            ExprKind::AddressOf(inner) => self.take(inner),
            ExprKind::Builtin { builtin, args } => self.builtin(*builtin, args),
            ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::Increment { target, .. } => {
                self.change(target);
                walk_expr(self, expr);
            }
            _ => walk_expr(self, expr),
        }
    }
}

impl Walk {
    /// `expr` is assigned.
    fn change(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Local(local) => self.changed[*local] = true,
            ExprKind::Deref(pointer) => {
                if let Some(inner) = strip_address(pointer) {
                    self.change(inner);
                }
            }
            ExprKind::Cast(CastKind::NoOp, operand, _) => self.change(operand),
            _ => {}
        }
    }

    /// `expr` has its address taken.
    fn take(&mut self, expr: &Expr) {
        match &expr.kind {
            // Static locals name themselves here too; a global's initialiser has no locals.
            ExprKind::Local(local) => self.locals[*local] = true,
            ExprKind::Global(global) => self.globals[*global] = true,
            ExprKind::CompoundLiteral(decl) => {
                self.locals[decl.local] = true;
                walk_decl(self, decl);
            }
            _ => self.expr(expr),
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr]) {
        let stores = matches!(
            builtin,
            Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow
        );
        for (index, arg) in args.iter().enumerate() {
            match strip_address(arg) {
                Some(inner) if stores && index == OVERFLOW_RESULT => {
                    self.change(inner);
                    self.expr(inner);
                }
                _ => self.expr(arg),
            }
        }
    }
}
