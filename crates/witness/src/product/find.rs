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
    /// `switch`.
    Switch {
        /// The type of the value.
        ty: TypeId,
        /// The values of its cases.
        cases: Vec<(i128, i128)>,
    },
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// What a waypoint may say that it is: its labels, each with what follows, and itself.
    pub(super) at: Vec<Span>,
    /// From behind its labels: a jump to them comes before it.
    pub(super) span: Span,
    /// Whether it stands among others, not alone behind an `if` or the like.
    pub(super) in_block: bool,
}

/// All places of a program.
pub(super) struct Places<'a> {
    sources: &'a SourceMap,
    pub(super) calls: Vec<Call>,
    pub(super) decisions: Vec<Decision>,
    pub(super) statements: Vec<Statement>,
}

impl<'a> Places<'a> {
    pub(super) fn new(ast: &Ast, sources: &'a SourceMap) -> Self {
        let mut places = Places {
            sources,
            calls: Vec::new(),
            decisions: Vec::new(),
            statements: Vec::new(),
        };
        for function in ast.functions.iter() {
            if let Some(body) = &function.body {
                places.block(&body.block);
            }
        }
        places
    }

    fn statement(&mut self, stmt: &Stmt, in_block: bool) {
        let mut stmt = stmt;
        let mut at = vec![stmt.span];
        while let StmtKind::Case { body, .. } | StmtKind::Label { body, .. } = &stmt.kind {
            stmt = body;
            at.push(stmt.span);
        }
        let span = stmt.span;
        self.statements.push(Statement { at, span, in_block });
        match &stmt.kind {
            StmtKind::If { condition, .. }
            | StmtKind::While { condition, .. }
            | StmtKind::For {
                condition: Some(condition),
                ..
            } => self.condition(vec![span.lo], condition),
            StmtKind::DoWhile { condition, .. } => {
                // Tools differ in which keyword they name.
                let last = while_before(self.sources, condition.span);
                self.condition(last.into_iter().chain([span.lo]).collect(), condition);
            }
            StmtKind::Switch { value, cases, .. } => {
                let number = |value: logic::IntValue| value.to_i128().unwrap_or(i128::MAX);
                let ranges = cases.iter().filter_map(|case| case.range);
                let cases = ranges.map(|(low, high)| (number(low), number(high)));
                self.decisions.push(Decision {
                    at: vec![span.lo],
                    value: value.span,
                    kind: DecisionKind::Switch {
                        ty: value.ty.ty,
                        cases: cases.collect(),
                    },
                });
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn condition(&mut self, at: Vec<u32>, condition: &Expr) {
        self.decisions.push(Decision {
            at,
            value: condition.span,
            kind: DecisionKind::Condition,
        });
    }
}

impl Visitor for Places<'_> {
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
                    self.condition(vec![at], condition);
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

/// The `?` behind a condition.
fn question_behind(sources: &SourceMap, condition: Span) -> Option<u32> {
    let (at, byte) = next_byte(sources, condition.hi)?;
    (byte == b'?').then_some(at)
}

/// The first byte at or behind a place that is no blank, and where it is.
fn next_byte(sources: &SourceMap, from: u32) -> Option<(u32, u8)> {
    let file = sources.file_of(Span { lo: from, hi: from })?;
    let rest = file.text.get((from - file.base) as usize..)?;
    let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    let blanks = blanks.count();
    Some((from + blanks as u32, *rest.get(blanks)?))
}

/// Where a statement ends, its semicolon included.
pub(super) fn end(sources: &SourceMap, span: Span) -> Option<u32> {
    if let Some(b';' | b'}') = sources.snippet(span).last() {
        return Some(span.hi);
    }
    let (at, byte) = next_byte(sources, span.hi)?;
    (byte == b';').then_some(at + 1)
}

/// Whether a callee is a function by its name.
fn names_function(callee: &Expr) -> bool {
    match &callee.kind {
        ExprKind::Function(_) => true,
        ExprKind::Cast { operand, .. } => names_function(operand),
        _ => false,
    }
}
