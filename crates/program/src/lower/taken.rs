//! Which scalars have their address taken, and so must live in memory.
//!
//! `*&x` takes no address. Arrays and records always live in memory, so only `&x` of a whole
//! local or global matters here.

use base::IdVec;
use cfront::ast::*;

/// The locals and globals whose address is taken.
pub(super) struct Taken {
    /// By function; empty for one without a body.
    pub(super) locals: IdVec<FunctionId, IdVec<LocalId, bool>>,
    /// By global.
    pub(super) globals: IdVec<GlobalId, bool>,
}

impl Taken {
    /// Looks at the whole tree.
    pub(super) fn of(ast: &Ast) -> Self {
        let mut walk = Walk {
            locals: IdVec::new(),
            globals: IdVec::filled(false, ast.globals.len()),
        };
        for global in ast.globals.iter() {
            if let Some(init) = &global.init {
                walk.initializer(init);
            }
        }
        let mut locals = IdVec::new();
        for function in ast.functions.iter() {
            if let Some(body) = &function.body {
                walk.locals = IdVec::filled(false, body.locals.len());
                walk.block(&body.block);
            }
            locals.push(std::mem::take(&mut walk.locals));
        }
        Taken {
            locals,
            globals: walk.globals,
        }
    }
}

/// What `*p` designates if `p` is written as an address: `*&x` is `x`.
pub(super) fn strip_address(pointer: &Expr) -> Option<&Expr> {
    match &pointer.kind {
        ExprKind::AddressOf(inner) => Some(inner),
        ExprKind::Cast {
            kind: CastKind::NoOp,
            operand,
            ..
        } => strip_address(operand),
        _ => None,
    }
}

/// The argument of `__builtin_add_overflow` and its kin through which the result is stored.
pub(super) const OVERFLOW_RESULT: usize = 2;

struct Walk {
    locals: IdVec<LocalId, bool>,
    globals: IdVec<GlobalId, bool>,
}

impl Walk {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm => {}
            StmtKind::Expr(expr) | StmtKind::ComputedGoto(expr) => self.expr(expr),
            StmtKind::Declare(decl) => self.decl(decl),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.expr(condition);
                self.stmt(body);
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                for stmt in init {
                    self.stmt(stmt);
                }
                for expr in condition.iter().chain(step) {
                    self.expr(expr);
                }
                self.stmt(body);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(value);
                self.stmt(body);
            }
            StmtKind::Case { body, .. } | StmtKind::Label { body, .. } => self.stmt(body),
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
        }
    }

    fn decl(&mut self, decl: &LocalDecl) {
        for (_, length) in &decl.lengths {
            self.expr(length);
        }
        if let Some(init) = &decl.init {
            self.initializer(init);
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        for item in &init.items {
            match &item.value {
                InitValue::Expr(expr) => self.expr(expr),
                InitValue::String(_) => {}
            }
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
                self.decl(decl);
            }
            _ => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeofVariable(_) => {}
            ExprKind::Deref(pointer) => match strip_address(pointer) {
                Some(inner) => self.expr(inner),
                None => self.expr(pointer),
            },
            ExprKind::AddressOf(inner) => self.take(inner),
            ExprKind::Member { record: inner, .. }
            | ExprKind::Unary(_, inner)
            | ExprKind::Increment { target: inner, .. }
            | ExprKind::Cast { operand: inner, .. }
            | ExprKind::VaArg(inner) => self.expr(inner),
            ExprKind::Binary(_, left, right) | ExprKind::Assign(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::AssignOp { target, value, .. } => {
                self.expr(target);
                self.expr(value);
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition);
                if let Some(then) = then {
                    self.expr(then);
                }
                self.expr(otherwise);
            }
            ExprKind::Call { callee, args } => {
                self.expr(callee);
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::Builtin { builtin, args } => self.builtin(*builtin, args),
            ExprKind::CompoundLiteral(decl) => self.decl(decl),
            ExprKind::Statement(block) => self.block(block),
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr]) {
        let stores = matches!(
            builtin,
            Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow
        );
        for (index, arg) in args.iter().enumerate() {
            match strip_address(arg) {
                Some(inner) if stores && index == OVERFLOW_RESULT => self.expr(inner),
                _ => self.expr(arg),
            }
        }
    }
}
