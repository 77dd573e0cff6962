//! The program locations that waypoints can name: calls and branches.

use base::{SourceMap, Span};
use cfront::ast::visit::{Visitor, walk_expr, walk_stmt};
use cfront::ast::{Ast, Expr, ExprKind, Stmt, StmtKind};
use cfront::types::TypeId;

/// A call of a function by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// From the name to the `)`.
    pub(super) span: Span,
    /// What it returns.
    pub(super) ty: TypeId,
    /// Whether its arguments call nothing: then it is entered where its text begins.
    pub(super) is_plain: bool,
}

/// A place where a run goes one way or another.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    /// Where a waypoint may say that it is: the keyword, or `?`.
    pub(super) at: Vec<u32>,
    /// The deciding expression.
    pub(super) value: Span,
    pub(super) kind: DecisionKind,
}

#[derive(Clone, Debug)]
pub(super) enum DecisionKind {
    /// `if`, `?`, or a loop.
    Condition,
    Switch,
}

/// All places of a program.
pub(super) struct Places<'a> {
    sources: &'a SourceMap,
    pub(super) calls: Vec<Call>,
    pub(super) decisions: Vec<Decision>,
}

impl<'a> Places<'a> {
    pub(super) fn new(ast: &Ast, sources: &'a SourceMap) -> Self {
        let mut places = Places {
            sources,
            calls: Vec::new(),
            decisions: Vec::new(),
        };
        for function in ast.functions.iter() {
            if let Some(body) = &function.body {
                places.block(&body.block);
            }
        }
        places
    }

    fn decision(&mut self, at: Vec<u32>, value: &Expr, kind: DecisionKind) {
        let value = value.span;
        self.decisions.push(Decision { at, value, kind });
    }
}

impl Visitor for Places<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        use DecisionKind::*;
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::If { condition, .. }
            | StmtKind::While { condition, .. }
            | StmtKind::For {
                condition: Some(condition),
                ..
            } => self.decision(vec![span.lo], condition, Condition),
            StmtKind::DoWhile { condition, .. } => {
                // Tools differ in which keyword they name.
                let last = while_before(self.sources, condition.span);
                let at = last.into_iter().chain([span.lo]).collect();
                self.decision(at, condition, Condition);
            }
            StmtKind::Switch { value, .. } => self.decision(vec![span.lo], value, Switch),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        let before = self.calls.len();
        walk_expr(self, expr);
        match &expr.kind {
            ExprKind::Call { callee, .. } if names_function(callee) => self.calls.push(Call {
                span: expr.span,
                ty: expr.ty.ty,
                is_plain: self.calls.len() == before,
            }),
            // Without a middle its value is that of the condition.
            ExprKind::Conditional {
                condition,
                then: Some(_),
                ..
            } => {
                if let Some(at) = question_behind(self.sources, condition.span) {
                    self.decision(vec![at], condition, DecisionKind::Condition);
                }
            }
            _ => {}
        }
    }
}

/// The `while (` before the condition of a `do`.
fn while_before(sources: &SourceMap, condition: Span) -> Option<u32> {
    let file = sources.file_of(condition)?;
    let text = file.text.get(..(condition.lo - file.base) as usize)?;
    let text = text.trim_ascii_end().strip_suffix(b"(")?;
    let text = text.trim_ascii_end().strip_suffix(b"while")?;
    Some(file.base + text.len() as u32)
}

/// The `?` after a condition.
fn question_behind(sources: &SourceMap, condition: Span) -> Option<u32> {
    let file = sources.file_of(condition)?;
    let rest = file.text.get((condition.hi - file.base) as usize..)?;
    let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    let blanks = blanks.count();
    (rest.get(blanks) == Some(&b'?')).then_some(condition.hi + blanks as u32)
}

/// Whether a callee is a function by its name.
fn names_function(callee: &Expr) -> bool {
    match &callee.kind {
        ExprKind::Function(_) => true,
        ExprKind::Cast(_, operand, _) => names_function(operand),
        _ => false,
    }
}
