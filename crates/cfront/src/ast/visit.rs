//! A visitor of the tree, for clients interested in few kinds of statements and expressions.
//!
//! # Invariants
//! - A visitor that continues with the `walk_*` function of each node visits every statement and
//!   expression once, in source order. Claims are beside the tree and not visited.

use crate::ast::{Block, Expr, ExprKind, Initializer, LocalDecl, Stmt, StmtKind};

/// What to do with what is met: by default, to walk on.
pub trait Visitor {
    /// At a scope.
    fn block(&mut self, block: &Block) {
        walk_block(self, block);
    }

    /// At a statement.
    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
    }

    /// At a declaration or expression before a `for` loop.
    fn for_init(&mut self, stmt: &Stmt) {
        self.stmt(stmt);
    }

    /// At an expression.
    fn expr(&mut self, expr: &Expr) {
        walk_expr(self, expr);
    }
}

/// Whether an expression passes a test, or one inside it does.
pub fn any_in(expr: &Expr, test: impl Fn(&Expr) -> bool) -> bool {
    let mut search = Search { test, found: false };
    search.expr(expr);
    search.found
}

/// Whether an expression in a scope passes a test.
pub fn any_in_block(block: &Block, test: impl Fn(&Expr) -> bool) -> bool {
    let mut search = Search { test, found: false };
    search.block(block);
    search.found
}

struct Search<T> {
    test: T,
    found: bool,
}

impl<T: Fn(&Expr) -> bool> Visitor for Search<T> {
    fn expr(&mut self, expr: &Expr) {
        self.found = self.found || (self.test)(expr);
        if !self.found {
            walk_expr(self, expr);
        }
    }
}

/// Meets the statements of a scope.
pub fn walk_block(visitor: &mut (impl Visitor + ?Sized), block: &Block) {
    for stmt in &block.stmts {
        visitor.stmt(stmt);
    }
}

/// Meets what a statement directly consists of.
pub fn walk_stmt(visitor: &mut (impl Visitor + ?Sized), stmt: &Stmt) {
    use StmtKind::*;
    match &stmt.kind {
        Empty | Goto(_) | Break | Continue | Return(None) | Asm => {}
        Expr(expr) | ComputedGoto(expr) | Return(Some(expr)) => {
            visitor.expr(expr);
        }
        Declare(decl) => walk_decl(visitor, decl),
        Block(block) => visitor.block(block),
        If {
            condition,
            then,
            otherwise,
        } => {
            visitor.expr(condition);
            visitor.stmt(then);
            if let Some(otherwise) = otherwise {
                visitor.stmt(otherwise);
            }
        }
        While { condition, body } => {
            visitor.expr(condition);
            visitor.stmt(body);
        }
        DoWhile { body, condition } => {
            visitor.stmt(body);
            visitor.expr(condition);
        }
        For {
            init,
            condition,
            step,
            body,
        } => {
            for stmt in init {
                visitor.for_init(stmt);
            }
            for expr in condition.iter().chain(step) {
                visitor.expr(expr);
            }
            visitor.stmt(body);
        }
        Switch { value, body, .. } => {
            visitor.expr(value);
            visitor.stmt(body);
        }
        Case { body, .. } | Label { body, .. } => visitor.stmt(body),
    }
}

/// Meets the expressions of a declaration.
pub fn walk_decl(visitor: &mut (impl Visitor + ?Sized), decl: &LocalDecl) {
    for (_, length) in &decl.lengths {
        visitor.expr(length);
    }
    if let Some(init) = &decl.init {
        walk_initializer(visitor, init);
    }
}

/// Meets the expressions of an initial value.
pub fn walk_initializer(visitor: &mut (impl Visitor + ?Sized), init: &Initializer) {
    for expr in init.exprs() {
        visitor.expr(expr);
    }
}

/// Meets what an expression directly consists of.
pub fn walk_expr(visitor: &mut (impl Visitor + ?Sized), expr: &Expr) {
    use ExprKind::*;
    match &expr.kind {
        Int(_) | Float(_) | String(_) | Global(_) | Local(_) | Function(_) | LabelAddress(_)
        | SizeofVariable(_) => {}
        Deref(inner)
        | AddressOf(inner)
        | Member { record: inner, .. }
        | Unary(_, inner)
        | Increment { target: inner, .. }
        | Cast(_, inner, _)
        | VaArg(inner) => visitor.expr(inner),
        Binary(_, left, right)
        | Assign(left, right)
        | AssignOp {
            target: left,
            value: right,
            ..
        } => {
            visitor.expr(left);
            visitor.expr(right);
        }
        Conditional {
            condition,
            then,
            otherwise,
        } => {
            visitor.expr(condition);
            if let Some(then) = then {
                visitor.expr(then);
            }
            visitor.expr(otherwise);
        }
        Call { callee, args } => {
            visitor.expr(callee);
            for arg in args {
                visitor.expr(arg);
            }
        }
        Builtin { args, .. } => {
            for arg in args {
                visitor.expr(arg);
            }
        }
        CompoundLiteral(decl) => walk_decl(visitor, decl),
        Statement(block) => visitor.block(block),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, parse};
    use base::{Diagnostics, SourceMap};

    struct Numbers(Vec<i128>);

    impl Visitor for Numbers {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::Int(value) = expr.kind {
                self.0.extend(value.to_i128());
            }
            walk_expr(self, expr);
        }
    }

    #[test]
    fn everything_is_met_once_in_order() {
        let text = "int f(int n) {
            struct s { int a[2]; } s = { { 1, n + 2 } };
            int v[n + 3];
            if (n < 4) n = 5; else n += 6;
            while (n > 7) { n -= 8; }
            do n *= 9; while (n - 10);
            for (int i = 11; i < 12; i += 13) f(n ? 14 : 15);
            for (n = 16;;) break;
            switch (n + 17) { case 0: n = 18; }
            goto end;
            end: n = ({ n << 19; }) + (struct s){ { 20 } }.a[21] + v[22];
            n = __builtin_expect(n, 23) ?: -n - 24;
            return *(&n + 25);
        }";
        let mut map = SourceMap::new();
        let file = map.add("t.i", text.as_bytes().to_vec()).unwrap();
        let options = Options::default();
        let mut diagnostics = Diagnostics::new();
        let ast = parse(&mut map, &[file], &options, &mut diagnostics);
        let mut numbers = Numbers(Vec::new());
        for function in ast.functions.iter() {
            let body = function.body.as_ref().expect("the text should be C");
            numbers.block(&body.block);
        }
        assert_eq!(numbers.0, (1..=25).collect::<Vec<_>>());
    }
}
