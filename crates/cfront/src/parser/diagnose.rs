//! Reporting, hints, and error recovery.

use super::{Parser, Reported, Word};
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};
use crate::types::{QualType, Type, TypeId};
use base::{Diagnostic, Diagnostics, Span};

impl Parser<'_> {
    /// Reports an error unless it is an echo of the last one.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.last_error != Some(diagnostic.span.lo) {
            self.last_error = Some(diagnostic.span.lo);
            self.diagnostics.push(diagnostic);
        }
        Reported
    }

    /// Reports an error without more to say.
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    /// Reports an error in a message that ends with a type.
    pub(super) fn wrong_type(
        &mut self,
        span: Span,
        what: &str,
        ty: impl Into<QualType>,
    ) -> Reported {
        let message = format!("{what} '{}'", self.show(ty));
        self.error(span, message)
    }

    /// Reports a name that is there already; `other` says where, and what that is.
    pub(super) fn said_twice(
        &mut self,
        name: Symbol,
        span: Span,
        what: &str,
        (other, note): (Span, &str),
    ) {
        let message = format!("{what} '{}'", self.names.text(name));
        self.report(Diagnostic::error(span, message).note(other, note));
    }

    /// Reports a warning, unless it is about a system header.
    pub(super) fn warning(&mut self, diagnostic: Diagnostic) {
        if !self.map.is_system(diagnostic.span) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports a warning without more to say.
    pub(super) fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.warning(Diagnostic::warning(span, message));
    }

    /// Reports a mark that is missing after the last token.
    pub(super) fn missing(&mut self, punct: Punct, what: &str) -> Reported {
        let found = self.describe_next();
        let text = punct.name();
        let mut end = self.last_span();
        end.lo = end.hi;
        let here = if self.at_line_break() {
            end
        } else {
            self.span()
        };
        self.report(
            Diagnostic::error(here, format!("expected '{text}' {what}, found {found}"))
                .label(format!("'{text}' expected here")),
        )
    }

    /// Reports that the text does not continue as it should.
    pub(super) fn unexpected(&mut self, wanted: &str) -> Reported {
        let found = self.describe_next();
        let span = self.span();
        self.error(span, format!("expected {wanted}, found {found}"))
    }

    /// Reports a bracket that is never closed.
    pub(super) fn unclosed(&mut self, punct: Punct, open: Span, what: &str) -> Reported {
        let found = self.describe_next();
        let span = self.span();
        let message = format!("expected '{}' to close {what}, found {found}", punct.name());
        self.report(Diagnostic::error(span, message).note(open, "opened here"))
    }

    /// Consumes a closing bracket or reports that it is missing.
    pub(super) fn close(&mut self, punct: Punct, open: Span, what: &str) -> Result<Span, Reported> {
        if self.at(punct) {
            return Ok(self.advance().span);
        }
        Err(self.unclosed(punct, open, what))
    }

    /// The next token in words.
    fn describe_next(&self) -> String {
        match self.peek() {
            TokenKind::Eof => "end of file".to_owned(),
            TokenKind::Ident(name) => format!("'{}'", self.names.text(name)),
            TokenKind::Keyword(keyword) => format!("'{}'", keyword.text()),
            TokenKind::Punct(punct) => format!("'{}'", punct.name()),
            TokenKind::Int | TokenKind::Float | TokenKind::Char => {
                let text = String::from_utf8_lossy(self.spelling(self.span()));
                format!("'{}'", text.chars().take(40).collect::<String>())
            }
            TokenKind::String => "a string".to_owned(),
            TokenKind::PragmaPack(_) => "'#pragma pack'".to_owned(),
        }
    }

    /// Whether the next token is on a later line than the last one.
    fn at_line_break(&self) -> bool {
        let from = self.last_span().hi.saturating_sub(self.base) as usize;
        let to = self.span().lo.saturating_sub(self.base) as usize;
        self.peek() == TokenKind::Eof
            || self
                .text
                .get(from..to)
                .is_some_and(|gap| gap.contains(&b'\n'))
    }

    /// A type as people write it.
    pub(super) fn show(&self, ty: impl Into<QualType>) -> String {
        let ty: QualType = ty.into();
        if self.is_error(ty.ty) {
            return "<error>".to_owned();
        }
        self.types.display(ty)
    }

    /// Whether a type is, or is made from, the type of errors.
    pub(super) fn is_error(&self, ty: TypeId) -> bool {
        let mut core = ty;
        loop {
            core = match self.types.get(core) {
                Type::Pointer(to) => to.ty,
                Type::Array(element, _) => element.ty,
                Type::Function(function) => function.ret.ty,
                Type::Record(_) => return core == self.error,
                _ => return false,
            };
        }
    }

    /// The name in scope that is nearest to a misspelt one.
    pub(super) fn nearest(
        &self,
        name: Symbol,
        keywords: &[Keyword],
        wanted: impl Fn(&super::Entity) -> bool,
    ) -> Option<String> {
        // A text with this many remarks gets no more hints: looking for them costs time.
        if self.diagnostics.iter().count() >= Diagnostics::LIMIT {
            return None;
        }
        let text = self.names.text(name);
        let candidates = self
            .ordinary
            .iter()
            .filter(|entry| wanted(&entry.entity))
            .map(|entry| &**self.names.text(entry.name));
        let keywords = keywords.iter().map(|keyword| keyword.text());
        nearest(text, candidates.chain(keywords))
    }

    /// Whether the text before the next token ends in a brace, and that token starts a line: where
    /// people forget a `;`.
    pub(super) fn after_body(&self) -> bool {
        let last = self.position.checked_sub(1).map(|at| self.tokens[at].kind);
        last == Some(TokenKind::Punct(Punct::RBrace)) && self.at_line_break()
    }

    /// Skips to where the next declaration can start.
    pub(super) fn recover_declaration(&mut self, start: usize) {
        self.nesting = 0;
        self.prototypes.clear();
        self.lengths.clear();
        self.function = None;
        while self.ordinary.level() > 0 {
            self.close_scope();
        }
        let mut depth = 0_usize;
        if self.position == start {
            self.skip_one(&mut depth);
        }
        loop {
            match self.peek() {
                TokenKind::Eof => return,
                TokenKind::Punct(Punct::Semi) if depth == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::Punct(Punct::RBrace) if depth <= 1 => {
                    self.advance();
                    self.eat(Punct::Semi);
                    return;
                }
                TokenKind::Keyword(_) if depth == 0 && self.at_line_start() => {
                    if self.starts_declaration() {
                        return;
                    }
                    self.advance();
                }
                _ => self.skip_one(&mut depth),
            }
        }
    }

    /// Skips to where the next statement can start.
    pub(super) fn recover_statement(&mut self, start: usize) {
        use Keyword::*;
        let mut depth = 0_usize;
        let mut moved = self.position > start;
        loop {
            match self.peek() {
                TokenKind::Eof => return,
                TokenKind::Punct(Punct::Semi) if depth == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::Punct(Punct::RBrace) if depth == 0 => return,
                TokenKind::Punct(Punct::RBrace) if depth == 1 => {
                    self.advance();
                    return;
                }
                TokenKind::Keyword(
                    If | For | While | Do | Switch | Return | Goto | Break | Continue | Case
                    | Default,
                ) if depth == 0 && moved => return,
                _ if depth == 0
                    && moved
                    && self.at_line_break()
                    && (self.starts_declaration()
                        || matches!(self.peek(), TokenKind::Ident(_))) =>
                {
                    return;
                }
                _ => self.skip_one(&mut depth),
            }
            moved = true;
        }
    }

    fn at_line_start(&self) -> bool {
        let from = self.span().lo.saturating_sub(self.base) as usize;
        from == 0 || self.text.get(from - 1) == Some(&b'\n')
    }

    fn skip_one(&mut self, depth: &mut usize) {
        match self.advance().kind {
            TokenKind::Punct(Punct::LBrace) => *depth += 1,
            TokenKind::Punct(Punct::RBrace) => *depth = depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Skips from the opening bracket that is here past the one that closes it.
    pub(super) fn skip_brackets(&mut self, close: Punct, what: &str) -> Result<(), Reported> {
        let Token {
            kind: opening,
            span,
        } = self.advance();
        let mut depth = 1_usize;
        while depth > 0 {
            match self.peek() {
                TokenKind::Eof => return Err(self.unclosed(close, span, what)),
                kind if kind == opening => depth += 1,
                kind if kind == TokenKind::Punct(close) => depth -= 1,
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }

    /// Whether a word of C23 is meant.
    pub(super) fn at_word(&self, word: Word) -> bool {
        match self.peek() {
            TokenKind::Ident(name) => self.word(name) == Some(word),
            _ => false,
        }
    }
}

/// The candidate with the fewest edits, if they are few enough.
pub(super) fn nearest<'t>(text: &str, candidates: impl Iterator<Item = &'t str>) -> Option<String> {
    let limit = (text.len() / 3).min(3);
    let close = |it: &&str| it.len().abs_diff(text.len()) <= limit && *it != text;
    let candidates = candidates.filter(close);
    candidates
        .map(|candidate| (edits(text.as_bytes(), candidate.as_bytes()), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate.to_owned())
}

/// The edit distance: insertions, deletions, changes, and swaps of neighbours.
fn edits(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        for (a, b, distance) in [
            ("", "ab", 2),
            ("count", "count", 0),
            ("coutn", "count", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(edits(a.as_bytes(), b.as_bytes()), distance, "{a} {b}");
        }
        let names = ["length", "width"];
        assert_eq!(
            nearest("lenght", names.into_iter()).as_deref(),
            Some("length")
        );
        assert_eq!(nearest("height", names.into_iter()), None);
    }
}
