//! Assembly: checked as far as C reaches into it, and not modelled.

use super::declarator::has_effects;
use super::{Parsed, Parser};
use crate::ast::{Stmt, StmtKind};
use crate::token::{Keyword, Punct, Symbol, TokenKind};

/// Texts that do nothing that C can see: none, pauses, and fences, since there is one thread.
const IDLE: &[&str] = &[
    "", "nop", "pause", "rep; nop", "rep;nop", "mfence", "lfence", "sfence",
];

impl Parser<'_> {
    /// `asm("text");` at file scope.
    pub(super) fn top_level_asm(&mut self) -> Parsed<()> {
        let span = self.advance().span;
        while self.eat_keyword(Keyword::Volatile) {}
        self.asm_text()?;
        self.expect(Punct::Semi, "after 'asm'")?;
        self.warn(span, "assembly at file scope is ignored");
        Ok(())
    }

    /// `("text")` after `asm`, as in the assembler name of a declarator: the text, if it has one.
    pub(super) fn asm_text(&mut self) -> Parsed<Option<Symbol>> {
        let open = self.expect(Punct::LParen, "after 'asm'")?;
        let text = self.spelt_strings()?;
        self.close(Punct::RParen, open, "'asm'")?;
        Ok((!text.is_empty()).then(|| self.names.intern(&text)))
    }

    /// One or more strings, as they are spelled between their quotes.
    pub(super) fn spelt_strings(&mut self) -> Parsed<String> {
        if self.peek() != TokenKind::String {
            return Err(self.unexpected("a string"));
        }
        let mut text = String::new();
        while self.peek() == TokenKind::String {
            let span = self.advance().span;
            let spelling = String::from_utf8_lossy(self.spelling(span));
            text += spelling.trim_matches('"');
        }
        Ok(text)
    }

    /// `asm …;`. Where the text does nothing and no output changes, it is a barrier for the compiler
    /// only.
    pub(super) fn asm_statement(&mut self) -> Parsed<Stmt> {
        let start = self.advance().span;
        while matches!(
            self.peek(),
            TokenKind::Keyword(
                Keyword::Volatile | Keyword::Inline | Keyword::Goto | Keyword::Const
            )
        ) {
            self.advance();
        }
        let open = self.expect(Punct::LParen, "after 'asm'")?;
        let text = self.spelt_strings()?;
        let is_idle = IDLE.contains(&text.trim());
        let barrier = self.asm_sections()? && is_idle;
        let close = self.close(Punct::RParen, open, "'asm'")?;
        self.expect(Punct::Semi, "after 'asm'")?;
        let kind = if barrier {
            StmtKind::Empty
        } else {
            StmtKind::Asm
        };
        Ok(Stmt::new(kind, start.to(close)))
    }

    /// `: outputs : inputs : clobbers : labels`; whether nothing of it does anything.
    fn asm_sections(&mut self) -> Parsed<bool> {
        let mut harmless = true;
        for section in 0..4 {
            if !self.eat(Punct::Colon) {
                break;
            }
            if self.at(Punct::Colon) || self.at(Punct::RParen) {
                continue;
            }
            loop {
                harmless &= match section {
                    0 => self.asm_operand(true)?,
                    1 => self.asm_operand(false)?,
                    2 => {
                        self.spelt_strings()?;
                        true
                    }
                    _ => {
                        let (name, span) = self.expect_name("a label")?;
                        self.label(name, span);
                        false
                    }
                };
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        Ok(harmless)
    }

    /// `[name] "constraint" (expression)`; whether it does nothing.
    fn asm_operand(&mut self, output: bool) -> Parsed<bool> {
        if self.at(Punct::LBracket) {
            let open = self.advance().span;
            self.expect_name("a name")?;
            self.close(Punct::RBracket, open, "the name")?;
        }
        let constraint = self.spelt_strings()?;
        let open = self.expect(Punct::LParen, "after the constraint")?;
        let operand = self.expression()?;
        self.close(Punct::RParen, open, "the operand")?;
        if output && !operand.is_lvalue() && !self.is_error(operand.ty.ty) {
            self.error(operand.span, "an output of 'asm' is not an lvalue");
        }
        // What is read and written keeps its value.
        let is_kept = !output || constraint.starts_with('+');
        Ok(is_kept && !has_effects(&operand))
    }
}
