//! Names of types, and names that look like one.

use super::attribute::Attributes;
use super::specifier::{Storage, TYPES, qualifier, starts_type};
use super::{Entity, Parsed, Parser};
use crate::token::{Keyword, Punct, Symbol, TokenKind};
use crate::types::{QualType, Qualifiers};
use base::Diagnostic;

impl Parser<'_> {
    /// Whether an unknown name can only be meant as a type: a declarator follows it.
    pub(super) fn looks_like_type(&self, name: Symbol) -> bool {
        if self
            .ordinary
            .get(name)
            .is_some_and(|entry| !matches!(entry.entity, Entity::Broken))
        {
            return false;
        }
        match self.peek_at(1) {
            TokenKind::Ident(_) => {
                self.function.is_none()
                    || !self.prototypes.is_empty()
                    || matches!(
                        self.peek_at(2),
                        TokenKind::Punct(
                            Punct::Semi
                                | Punct::Assign
                                | Punct::Comma
                                | Punct::LBracket
                                | Punct::LParen
                                | Punct::RParen
                                | Punct::Colon
                        ) | TokenKind::Ident(_)
                            | TokenKind::Keyword(_)
                    )
            }
            TokenKind::Punct(Punct::Star) => {
                let in_block = self.function.is_some() && self.prototypes.is_empty();
                if in_block {
                    return self.looks_like_pointer();
                }
                matches!(
                    self.peek_at(2),
                    TokenKind::Ident(_)
                        | TokenKind::Keyword(Keyword::Const | Keyword::Restrict)
                        | TokenKind::Punct(Punct::Star | Punct::Comma | Punct::RParen)
                )
            }
            TokenKind::Punct(Punct::Comma | Punct::RParen) => !self.prototypes.is_empty(),
            _ => false,
        }
    }

    /// Whether a type follows that cannot belong to the specifiers before it.
    pub(super) fn at_second_type(&self) -> bool {
        use Keyword::*;
        let mut ahead = 0;
        while matches!(
            self.peek_at(ahead),
            TokenKind::Keyword(Static | Extern | Typedef | Inline | Const | Volatile)
        ) {
            ahead += 1;
        }
        match self.peek_at(ahead) {
            TokenKind::Keyword(Attribute | Restrict | Atomic) => false,
            TokenKind::Keyword(keyword) => starts_type(keyword),
            TokenKind::Ident(name) => {
                self.is_typedef(name)
                    && matches!(
                        self.peek_at(ahead + 1),
                        TokenKind::Ident(_) | TokenKind::Punct(Punct::Star)
                    )
            }
            _ => false,
        }
    }

    /// Whether `name *other` can only declare a pointer.
    pub(super) fn looks_like_pointer(&self) -> bool {
        let mut ahead = 1;
        while self.peek_at(ahead) == TokenKind::Punct(Punct::Star) {
            ahead += 1;
        }
        let TokenKind::Ident(other) = self.peek_at(ahead) else {
            return false;
        };
        let declares = matches!(
            self.peek_at(ahead + 1),
            TokenKind::Punct(Punct::Semi | Punct::Assign | Punct::Comma)
        );
        declares && (ahead > 2 || self.ordinary.get(other).is_none())
    }

    pub(super) fn unknown_type(&mut self, name: Symbol) {
        let span = self.span();
        let text = self.names.text(name).clone();
        let mut diagnostic = Diagnostic::error(span, format!("unknown type name '{text}'"));
        if let Some(tag) = self.tags.get(name) {
            let keyword = match tag.entity {
                super::Tag::Enum(_) => "enum",
                super::Tag::Record(record) if self.types.records[record].is_union => "union",
                super::Tag::Record(_) => "struct",
            };
            diagnostic = diagnostic.help(format!("use '{keyword} {text}' to name the tag"));
        } else if let Some(near) =
            self.nearest(name, TYPES, |entity| matches!(entity, Entity::Typedef(..)))
        {
            diagnostic = diagnostic.help(format!("did you mean '{near}'?"));
        }
        self.report(diagnostic);
    }

    /// `typeof(expression)` or `typeof(type)`.
    pub(super) fn typeof_specifier(&mut self, unqualified: bool) -> Parsed<QualType> {
        self.advance();
        let open = self.expect(Punct::LParen, "after 'typeof'")?;
        let mut ty = if self.starts_type_name() {
            self.type_name()?
        } else {
            let operand = self.unevaluated(Self::expression)?;
            if operand.bit_field(&self.types).is_some() {
                self.error(operand.span, "'typeof' applied to a bit-field");
            }
            operand.ty
        };
        self.close(Punct::RParen, open, "'typeof'")?;
        if unqualified {
            ty.quals = Qualifiers::NONE;
        }
        Ok(ty)
    }

    /// A type name: specifiers and an abstract declarator.
    pub(super) fn type_name(&mut self) -> Parsed<QualType> {
        self.nested(Self::type_name_here)
    }

    pub(super) fn type_name_here(&mut self) -> Parsed<QualType> {
        let specifiers = self.specifiers()?;
        if !specifiers.typed {
            return Err(self.unexpected("a type"));
        }
        if specifiers.storage != Storage::Plain {
            self.error(specifiers.span, "a type name has no storage class");
        }
        let declarator = self.declarator(super::declarator::Form::Abstract)?;
        Ok(self.declared_type(specifiers.ty, declarator.chunks, false))
    }

    /// Type qualifiers and attributes after `*` or `[`.
    pub(super) fn qualifiers(&mut self, attributes: &mut Attributes) -> Parsed<Qualifiers> {
        let mut quals = Qualifiers::NONE;
        loop {
            match self.peek() {
                TokenKind::Keyword(
                    keyword @ (Keyword::Const
                    | Keyword::Volatile
                    | Keyword::Restrict
                    | Keyword::Atomic),
                ) => {
                    quals = quals.union(qualifier(keyword));
                    self.advance();
                }
                TokenKind::Keyword(Keyword::Attribute) => self.attributes_into(attributes)?,
                TokenKind::Keyword(Keyword::Extension) => {
                    self.advance();
                }
                _ => return Ok(quals),
            }
        }
    }
}
