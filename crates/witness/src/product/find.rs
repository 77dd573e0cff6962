//! The places of a program that waypoints can name: calls, branchings, statements.

use base::{SourceMap, Span};
use cfront::ast::{Ast, Block, Expr, ExprKind, InitValue, Initializer, LocalDecl, Stmt, StmtKind};
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

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.statement(stmt, true);
        }
    }

    fn statement(&mut self, stmt: &Stmt, in_block: bool) {
        let span = stmt.span;
        self.statements.push(Statement { span, in_block });
        match &stmt.kind {
            StmtKind::Expr(expr) | StmtKind::ComputedGoto(expr) => self.expr(expr),
            StmtKind::Declare(declaration) => self.declaration(declaration),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.decisions.push(Decision::Condition { span });
                self.expr(condition);
                self.statement(then, false);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, false);
                }
            }
            StmtKind::While { condition, body } => {
                self.decisions.push(Decision::Condition { span });
                self.expr(condition);
                self.statement(body, false);
            }
            StmtKind::DoWhile { body, condition } => {
                self.statement(body, false);
                self.expr(condition);
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                for part in init {
                    match &part.kind {
                        StmtKind::Expr(expr) => self.expr(expr),
                        StmtKind::Declare(declaration) => self.declaration(declaration),
                        _ => {}
                    }
                }
                if let Some(condition) = condition {
                    self.decisions.push(Decision::Condition { span });
                    self.expr(condition);
                }
                for part in step.iter() {
                    self.expr(part);
                }
                self.statement(body, false);
            }
            StmtKind::Switch { value, cases, body } => {
                let number = |value: logic::IntValue| value.to_i128().unwrap_or(i128::MAX);
                let ranges = cases.iter().filter_map(|case| case.range);
                self.decisions.push(Decision::Switch {
                    span,
                    ty: value.ty.ty,
                    cases: ranges
                        .map(|(low, high)| (number(low), number(high)))
                        .collect(),
                });
                self.expr(value);
                self.statement(body, false);
            }
            StmtKind::Case { body, .. } | StmtKind::Label { body, .. } => {
                self.statement(body, false);
            }
            StmtKind::Return(value) => {
                for value in value.iter() {
                    self.expr(value);
                }
            }
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm => {}
        }
    }

    fn declaration(&mut self, declaration: &LocalDecl) {
        for (_, length) in &declaration.lengths {
            self.expr(length);
        }
        if let Some(Initializer { items, .. }) = &declaration.init {
            for item in items {
                if let InitValue::Expr(expr) = &item.value {
                    self.expr(expr);
                }
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call { callee, args } => {
                if names_function(callee) {
                    self.calls.push(Call {
                        span: expr.span,
                        ty: expr.ty.ty,
                    });
                }
                self.expr(callee);
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::Builtin { args, .. } => {
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::Deref(inner)
            | ExprKind::AddressOf(inner)
            | ExprKind::Member { record: inner, .. }
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
                for then in then.iter() {
                    self.expr(then);
                }
                self.expr(otherwise);
            }
            ExprKind::CompoundLiteral(declaration) => self.declaration(declaration),
            ExprKind::Statement(block) => self.block(block),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeofVariable(_) => {}
        }
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
