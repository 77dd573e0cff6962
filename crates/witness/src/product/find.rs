//! The places of a program that waypoints can name: calls, branchings, statements.

use base::{SourceMap, Span};
use cfront::ast::visit::{Visitor, walk_expr, walk_stmt};
use cfront::ast::{Ast, Block, Expr, ExprKind, Stmt, StmtKind};
use cfront::types::TypeId;

/// A call of a function by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// From the name to the `)`.
    pub(super) span: Span,
    /// What it returns.
    pub(super) ty: TypeId,
}

/// A place where a run goes one way or another.
#[derive(Clone, Debug)]
pub(super) enum Decision {
    /// `if`, `while` or `for`.
    Condition {
        /// The statement.
        span: Span,
    },
    /// `switch`.
    Switch {
        /// The statement.
        span: Span,
        /// The type of the value.
        ty: TypeId,
        /// The values of its cases.
        cases: Vec<(i128, i128)>,
    },
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    pub(super) span: Span,
    /// Whether it stands among others, not alone behind an `if` or the like.
    pub(super) in_block: bool,
}

/// All places of a program.
#[derive(Default)]
pub(super) struct Places {
    pub(super) calls: Vec<Call>,
    pub(super) decisions: Vec<Decision>,
    pub(super) statements: Vec<Statement>,
}

impl Decision {
    /// The statement.
    pub(super) fn span(&self) -> Span {
        match self {
            Decision::Condition { span } | Decision::Switch { span, .. } => *span,
        }
    }

    /// Where the deciding expression starts and ends: between the parentheses behind the keyword,
    /// and for a `for` between its semicolons.
    pub(super) fn extent(&self, sources: &SourceMap) -> Option<(u32, u32)> {
        let span = self.span();
        let text = sources.snippet(span);
        let open = text.iter().position(|&byte| byte == b'(')?;
        let mut depth = 0usize;
        let mut quote = None;
        let mut semicolons = Vec::new();
        let mut at = open;
        let close = loop {
            let byte = *text.get(at)?;
            match (quote, byte) {
                (Some(_), b'\\') => at += 1,
                (Some(mark), _) if mark == byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'(') => depth += 1,
                (None, b')') if depth == 1 => break at,
                (None, b')') => depth -= 1,
                (None, b';') if depth == 1 => semicolons.push(at),
                (None, _) => {}
            }
            at += 1;
        };
        let (from, to) = match semicolons[..] {
            [] => (open + 1, close),
            [first, second] => (first + 1, second),
            _ => return None,
        };
        Some((span.lo + from as u32, span.lo + to as u32))
    }
}

impl Places {
    pub(super) fn new(ast: &Ast) -> Self {
        let mut places = Places::default();
        for function in ast.functions.iter() {
            if let Some(body) = &function.body {
                places.block(&body.block);
            }
        }
        places
    }

    fn statement(&mut self, stmt: &Stmt, in_block: bool) {
        let span = stmt.span;
        self.statements.push(Statement { span, in_block });
        match &stmt.kind {
            StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::For {
                condition: Some(_), ..
            } => self.decisions.push(Decision::Condition { span }),
            StmtKind::Switch { value, cases, .. } => {
                let number = |value: logic::IntValue| value.to_i128().unwrap_or(i128::MAX);
                let ranges = cases.iter().filter_map(|case| case.range);
                self.decisions.push(Decision::Switch {
                    span,
                    ty: value.ty.ty,
                    cases: ranges
                        .map(|(low, high)| (number(low), number(high)))
                        .collect(),
                });
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }
}

impl Visitor for Places {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.statement(stmt, true);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.statement(stmt, false);
    }

    /// No statement can stand before it.
    fn for_init(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Call { callee, .. } = &expr.kind
            && names_function(callee)
        {
            self.calls.push(Call {
                span: expr.span,
                ty: expr.ty.ty,
            });
        }
        walk_expr(self, expr);
    }
}

/// Where a statement ends, its semicolon included.
pub(super) fn end(sources: &SourceMap, span: Span) -> Option<u32> {
    if let Some(b';' | b'}') = sources.snippet(span).last() {
        return Some(span.hi);
    }
    let file = sources.file_of(span)?;
    let rest = file.text.get((span.hi - file.base) as usize..)?;
    let blanks = rest
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    (rest.get(blanks) == Some(&b';')).then_some(span.hi + blanks as u32 + 1)
}

/// Whether a callee is a function by its name.
fn names_function(callee: &Expr) -> bool {
    match &callee.kind {
        ExprKind::Function(_) => true,
        ExprKind::Cast { operand, .. } => names_function(operand),
        _ => false,
    }
}
