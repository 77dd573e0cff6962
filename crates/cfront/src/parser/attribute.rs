//! `__attribute__((…))`, `[[…]]` and `_Alignas`: what changes meaning is kept, what we cannot
//! honour is an error, and the rest is advice to an optimiser.

use super::{Parsed, Parser};
use crate::token::{Keyword, Punct, Symbol, TokenKind};
use crate::types::{FloatKind, IntKind, Type, TypeId};
use base::Span;
use logic::IntValue;
use std::sync::Arc;

/// The attributes that mean something to us.
#[derive(Clone, Default, Debug)]
pub(super) struct Attributes {
    /// Members without padding, or the smallest enumeration type.
    pub(super) packed: bool,
    /// The strictest alignment asked for, which is what objects and members get.
    pub(super) align: Option<u64>,
    /// The last alignment asked for, which is what types get.
    pub(super) last_align: Option<u64>,
    /// The function does not return.
    pub(super) noreturn: bool,
    /// `mode(…)`: the machine mode's name.
    pub(super) mode: Option<(Symbol, Span)>,
    /// Any member's value can be passed for the union.
    pub(super) transparent_union: bool,
    /// A vector type of a system header.
    pub(super) vector: bool,
    /// `extern inline` in the old GNU sense.
    pub(super) gnu_inline: bool,
    /// Another function's name under which this one is defined.
    pub(super) alias: Option<(Symbol, Span)>,
    /// Its name for the assembler.
    pub(super) asm_name: Option<Symbol>,
    /// It runs before `main`.
    pub(super) constructor: bool,
    /// It may have no definition, and then no address.
    pub(super) weak: bool,
}

impl Attributes {
    /// Adds what `other` says.
    pub(super) fn add(&mut self, other: Attributes) {
        self.packed |= other.packed;
        self.align = self.align.max(other.align);
        self.last_align = other.last_align.or(self.last_align);
        self.noreturn |= other.noreturn;
        self.mode = other.mode.or(self.mode);
        self.transparent_union |= other.transparent_union;
        self.vector |= other.vector;
        self.gnu_inline |= other.gnu_inline;
        self.alias = other.alias.or(self.alias);
        self.asm_name = other.asm_name.or(self.asm_name);
        self.weak |= other.weak;
        self.constructor |= other.constructor;
    }
}

impl Parser<'_> {
    /// Any number of attribute lists.
    pub(super) fn attributes(&mut self) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        self.attributes_into(&mut attributes)?;
        Ok(attributes)
    }

    /// Likewise, added to what there is.
    pub(super) fn attributes_into(&mut self, attributes: &mut Attributes) -> Parsed<()> {
        loop {
            if self.eat_keyword(Keyword::Attribute) {
                let open = self.expect(Punct::LParen, "after '__attribute__'")?;
                self.expect(Punct::LParen, "after '__attribute__('")?;
                self.attribute_list(attributes)?;
                self.close(Punct::RParen, open, "the attributes")?;
                self.close(Punct::RParen, open, "the attributes")?;
            } else if self.at_standard_attribute() {
                let open = self.advance().span;
                self.advance();
                self.attribute_list(attributes)?;
                self.close(Punct::RBracket, open, "the attributes")?;
                self.close(Punct::RBracket, open, "the attributes")?;
            } else {
                return Ok(());
            }
        }
    }

    /// Whether `[[` stands here. Two brackets cannot start anything else.
    pub(super) fn at_standard_attribute(&self) -> bool {
        self.at(Punct::LBracket) && self.peek_at(1) == TokenKind::Punct(Punct::LBracket)
    }

    fn attribute_list(&mut self, attributes: &mut Attributes) -> Parsed<()> {
        loop {
            while self.eat(Punct::Comma) {}
            match self.peek() {
                TokenKind::Ident(mut name) => {
                    self.advance();
                    // `gnu::name`
                    if self.at(Punct::Colon) && self.peek_at(1) == TokenKind::Punct(Punct::Colon) {
                        self.advance();
                        self.advance();
                        (name, _) = self.expect_name("the name of an attribute")?;
                    }
                    let text = self.names.text(name).clone();
                    self.attribute(attributes, bare(&text), &text)?;
                }
                TokenKind::Keyword(_) => {
                    self.advance();
                    if self.at(Punct::LParen) {
                        self.skip_brackets(Punct::RParen, "this parenthesis")?;
                    }
                }
                _ => return Ok(()),
            }
            if !self.at(Punct::Comma) {
                return Ok(());
            }
        }
    }

    fn attribute(
        &mut self,
        attributes: &mut Attributes,
        name: &str,
        written: &Arc<str>,
    ) -> Parsed<()> {
        let span = self.last_span();
        match name {
            "packed" => attributes.packed = true,
            "noreturn" => attributes.noreturn = true,
            "weak" => attributes.weak = true,
            "transparent_union" => attributes.transparent_union = true,
            "gnu_inline" => attributes.gnu_inline = true,
            "aligned" => {
                let align = self.aligned_argument(span)?;
                attributes.align = attributes.align.max(align);
                attributes.last_align = align.or(attributes.last_align);
                return Ok(());
            }
            "mode" if self.at(Punct::LParen) => {
                if let TokenKind::Ident(mode) = self.peek_at(1) {
                    let span = self.tokens[self.position + 1].span;
                    attributes.mode = Some((mode, span));
                }
            }
            "alias" => match self.alias_target() {
                Some(name) => attributes.alias = Some((name, span)),
                None => self.unsupported(span, "the attribute 'alias'"),
            },
            // Headers declare vector types that programs do not use: they stay opaque.
            "vector_size" if self.map.is_system(span) => attributes.vector = true,
            "vector_size" => self.unsupported(span, "vector types"),
            "cleanup" => self.unsupported(span, "the attribute 'cleanup'"),
            "constructor" if !self.at(Punct::LParen) => attributes.constructor = true,
            // The first two run before and after `main`, in an order of their own.
            "constructor"
            | "destructor"
            | "weakref"
            | "ifunc"
            | "scalar_storage_order"
            | "ms_struct"
            | "address_space" => {
                self.unsupported(span, &format!("the attribute '{written}'"));
            }
            // Everything else is advice to the compiler, or about symbols of the object file.
            _ => {}
        }
        if self.at(Punct::LParen) {
            self.skip_brackets(Punct::RParen, "this parenthesis")?;
        }
        Ok(())
    }

    /// `(n)` of `aligned`, or the greatest alignment of the machine.
    fn aligned_argument(&mut self, span: Span) -> Parsed<Option<u64>> {
        if !self.at(Punct::LParen) {
            return Ok(Some(16));
        }
        let open = self.advance().span;
        let align = self.constant_expression("alignment")?;
        self.close(Punct::RParen, open, "the attribute")?;
        Ok(self.check_align(align, span))
    }

    fn check_align(&mut self, align: Option<IntValue>, span: Span) -> Option<u64> {
        match align.and_then(|value| value.to_u64()) {
            Some(0) => None,
            Some(align) if align.is_power_of_two() && align <= 1 << 28 => Some(align),
            _ => {
                self.error(span, "requested alignment is not a positive power of 2");
                None
            }
        }
    }

    fn alias_target(&mut self) -> Option<Symbol> {
        let (first, second) = (self.peek_at(1), self.peek_at(2));
        if first != TokenKind::String || second != TokenKind::Punct(Punct::RParen) {
            return None;
        }
        let spelling = self.spelling(self.tokens[self.position + 1].span);
        let text = std::str::from_utf8(spelling).ok()?;
        let text = text.trim_matches('"').to_owned();
        Some(self.names.intern(&text))
    }

    /// `_Alignas(type or constant)`.
    pub(super) fn alignas(&mut self) -> Parsed<Option<u64>> {
        let span = self.advance().span;
        let open = self.expect(Punct::LParen, "after '_Alignas'")?;
        let align = if self.starts_type_name() {
            let ty = self.type_name()?;
            Some(self.align_of(ty.ty, span))
        } else {
            let value = self.constant_expression("alignment")?;
            self.check_align(value, span)
        };
        self.close(Punct::RParen, open, "'_Alignas'")?;
        Ok(align)
    }

    /// The type that `mode(…)` makes of a declared one.
    pub(super) fn apply_mode(&mut self, ty: TypeId, mode: Symbol, span: Span) -> TypeId {
        let text = self.names.text(mode).clone();
        let unsigned = self.types.scalar_int(ty).is_some_and(|int| !int.signed);
        let word_is_long = self.types.model.word_bytes() == 8;
        let kind = match bare(&text) {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" if word_is_long => IntKind::Long,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => IntKind::Long,
            "SF" => return self.types.intern(Type::Float(FloatKind::Float)),
            "DF" => return self.types.intern(Type::Float(FloatKind::Double)),
            "XF" => return self.types.intern(Type::Float(FloatKind::LongDouble)),
            "TF" => return self.types.intern(Type::Float(FloatKind::Float128)),
            _ => {
                self.error(span, format!("unknown machine mode '{text}'"));
                return ty;
            }
        };
        let kind = if unsigned { kind.to_unsigned() } else { kind };
        self.types.intern(Type::Int(kind))
    }
}

/// `__name__` is `name`.
fn bare(text: &str) -> &str {
    text.strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("__"))
        .unwrap_or(text)
}
