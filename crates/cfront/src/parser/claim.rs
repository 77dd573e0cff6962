//! Claims, read in the scope of their location.

use super::{Parsed, Parser};
use crate::ast::Expr;
use crate::claim::{Claim, ClaimKind, refused};
use crate::token::{Token, TokenKind};
use base::FileId;

/// A claim as tokens.
pub(super) struct Pending {
    pub(super) number: usize,
    pub(super) file: FileId,
    pub(super) tokens: Vec<Token>,
}

impl Parser<'_> {
    /// A statement or declaration starts here: notes the place and reads the claims about it.
    /// Whether there were any.
    pub(super) fn statement_place(&mut self) -> bool {
        let span = self.span();
        let places = &mut self.state().body.places;
        if places.last() != Some(&span) {
            places.push(span);
        }
        self.claims(ClaimKind::Statement)
    }

    /// Reads the claims about what starts here.
    pub(super) fn claims(&mut self, kind: ClaimKind) -> bool {
        let at = self.span().lo;
        let Some(claims) = self.pending.remove(&(at, kind)) else {
            return false;
        };
        for claim in claims {
            let number = claim.number;
            if let Ok(condition) = self.claim(claim) {
                self.state().body.claims.push(Claim {
                    number,
                    at,
                    kind,
                    condition,
                });
            }
        }
        true
    }

    fn claim(&mut self, claim: Pending) -> Parsed<Expr> {
        let source = self.map.file(claim.file);
        let text = std::mem::replace(&mut self.text, source.text.clone());
        let base = std::mem::replace(&mut self.base, source.base);
        let tokens = std::mem::replace(&mut self.tokens, claim.tokens);
        let packs = std::mem::take(&mut self.packs);
        let position = std::mem::replace(&mut self.position, 0);
        // What it declares is its own.
        self.open_scope();
        let result = self.claimed_condition();
        self.close_scope();
        (self.text, self.base, self.tokens) = (text, base, tokens);
        (self.packs, self.position) = (packs, position);
        result
    }

    fn claimed_condition(&mut self) -> Parsed<Expr> {
        let expr = self.expression()?;
        if self.peek() != TokenKind::Eof {
            return Err(self.unexpected("the end of the invariant"));
        }
        let condition = self.condition(expr);
        if !self.lengths.is_empty() {
            self.lengths.clear();
            let message = "a type of variable length is not supported in an invariant";
            return Err(self.error(condition.span, message));
        }
        match refused(&self.types, &condition) {
            Some((message, span)) => Err(self.error(span, message)),
            None => Ok(condition),
        }
    }
}
