//! Valid C that we parse but do not model.
//!
//! An operation that has a type becomes a node that says so, and only a run that reaches it ends
//! there. A construct that changes types or the meaning of declarations makes the behaviour of the
//! whole function, or at file scope of the whole program, unknown.

use super::{Parsed, Parser};
use crate::ast::visit::any_in;
use crate::ast::{Builtin, Expr, ExprKind, Unmodelled};
use crate::token::{Punct, TokenKind};
use crate::types::TypeId;
use base::{Diagnostic, Span};

/// The quantifiers of CBMC.
const QUANTIFIERS: [(&str, &str); 2] = [
    ("__CPROVER_forall", "the quantifier `__CPROVER_forall`"),
    ("__CPROVER_exists", "the quantifier `__CPROVER_exists`"),
];

impl Parser<'_> {
    /// Notes something that C allows but that we do not model, wherever it stands.
    pub(super) fn unsupported(&mut self, span: Span, what: &str) {
        let message = format!("not modelled: {what}");
        let place = match self.function {
            Some(_) => "the function it stands in",
            None => "this program",
        };
        self.warning(
            Diagnostic::warning(span, message)
                .help(format!("a run of {place} ends in `unknown` here")),
        );
        let unmodelled = Unmodelled {
            what: what.into(),
            span,
        };
        match &mut self.function {
            Some(state) => {
                state.body.unmodelled.get_or_insert(unmodelled);
            }
            None => self.unmodelled.push(unmodelled),
        }
    }

    /// An operation of type `ty` that we do not model.
    pub(super) fn unmodelled(
        &self,
        what: &'static str,
        args: Vec<Expr>,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        self.builtin_node(Builtin::Construct(what), args, ty, span)
    }

    /// `__CPROVER_forall { int i; condition }`, its first word consumed; nothing if it is another.
    pub(super) fn quantifier(&mut self, text: &str, start: Span) -> Parsed<Option<Expr>> {
        let Some(&(_, what)) = QUANTIFIERS.iter().find(|(name, _)| *name == text) else {
            return Ok(None);
        };
        if !self.at(Punct::LBrace) || self.function.is_none() {
            return Ok(None);
        }
        let open = self.advance().span;
        self.open_scope();
        let inner = self.nested(|parser| {
            parser.local_declaration(&mut Vec::new())?;
            parser.expression()
        });
        self.close_scope();
        let condition = inner?;
        let condition = self.condition(condition);
        let close = self.close(Punct::RBrace, open, "the quantifier")?;
        let span = start.to(close);
        if self.is_error(condition.ty.ty) {
            return Ok(Some(self.broken(span)));
        }
        let int = self.types.int();
        Ok(Some(self.unmodelled(what, Vec::new(), int, span)))
    }

    /// Whether CBMC's `==>` comes next. In C, no expression starts with `>`.
    pub(super) fn at_implication(&self) -> bool {
        self.at(Punct::EqEq)
            && self.peek_at(1) == TokenKind::Punct(Punct::Gt)
            && self.span().hi == self.tokens[self.position + 1].span.lo
    }
}

/// Whether something in an expression is not modelled, or is not folded.
pub(super) fn has_unmodelled(expr: &Expr) -> bool {
    any_in(expr, |expr| match &expr.kind {
        ExprKind::Builtin { builtin, .. } => {
            matches!(builtin, Builtin::Construct(_) | Builtin::Complex(_))
        }
        _ => false,
    })
}
