//! `enum`.

use super::attribute::Attributes;
use super::scope::{Entity, Entry, Tag};
use super::{Parsed, Parser};
use crate::token::{Punct, Symbol, TokenKind};
use crate::types::{Enum, EnumId, IntKind, Type, TypeId, Types};
use base::{Diagnostic, Span};
use logic::{IntType, IntValue};

/// An enumerator as it is read.
struct Enumerator {
    name: Symbol,
    span: Span,
    value: IntValue,
}

impl Parser<'_> {
    /// `enum tag`, `enum tag { … }` or `enum { … }`.
    pub(super) fn enum_specifier(&mut self) -> Parsed<TypeId> {
        self.advance();
        let mut attributes = self.attributes()?;
        let tag = self.tag();
        if !self.at(Punct::LBrace) {
            let Some((name, span)) = tag else {
                return Err(self.unexpected("a tag or '{' after 'enum'"));
            };
            let id = self.enum_tag(name, span);
            return Ok(self.types.intern(Type::Enum(id)));
        }
        let id = self.enum_to_define(tag);
        let ty = self.types.intern(Type::Enum(id));
        let open = self.advance().span;
        let list = self.enumerators(open)?;
        self.attributes_into(&mut attributes)?;
        self.finish_enum(id, ty, &list, &attributes);
        Ok(ty)
    }

    /// A new enumeration, which its tag stands for from here on.
    fn new_enum(&mut self, tag: Option<(Symbol, Span)>) -> EnumId {
        let id = self.types.enums.push(Enum {
            tag: tag.map(|(name, _)| self.names.text(name).clone()),
            underlying: None,
        });
        if let Some((name, span)) = tag {
            self.tags.insert(name, Tag::Enum(id), span);
        }
        id
    }

    fn enum_tag(&mut self, name: Symbol, span: Span) -> EnumId {
        match self.known_tag((name, span), false, enum_of) {
            Some((id, _)) => id,
            None => self.new_enum(Some((name, span))),
        }
    }

    /// A tag, if one is here.
    pub(super) fn tag(&mut self) -> Option<(Symbol, Span)> {
        match self.peek() {
            TokenKind::Ident(name) => Some((name, self.advance().span)),
            _ => None,
        }
    }

    /// What a tag stands for (in this scope, if `here`) if that is of the kind wanted, and where it
    /// was declared. A tag of another kind is reported.
    pub(super) fn known_tag<I>(
        &mut self,
        (name, span): (Symbol, Span),
        here: bool,
        wanted: impl Fn(&Types, Tag) -> Option<I>,
    ) -> Option<(I, Span)> {
        let entry = match here {
            true => self.tags.get_here(name),
            false => self.tags.get(name),
        };
        let &Entry {
            entity,
            span: other,
            ..
        } = entry?;
        let id = wanted(&self.types, entity);
        if id.is_none() {
            let text = self.names.text(name);
            let message = format!("'{text}' is the tag of another kind of type");
            self.report(Diagnostic::error(span, message).note(other, "declared here"));
        }
        Some((id?, other))
    }

    fn enum_to_define(&mut self, tag: Option<(Symbol, Span)>) -> EnumId {
        if let Some((name, span)) = tag
            && let Some((id, other)) = self.known_tag((name, span), true, enum_of)
        {
            if self.types.enums[id].underlying.is_none() {
                return id;
            }
            let message = format!("redefinition of 'enum {}'", self.names.text(name));
            self.report(Diagnostic::error(span, message).note(other, "defined here"));
        }
        self.new_enum(tag)
    }

    fn enumerators(&mut self, open: Span) -> Parsed<Vec<Enumerator>> {
        let mut list: Vec<Enumerator> = Vec::new();
        let int = IntType::I32;
        let mut next = Some(IntValue::zero(int));
        while let TokenKind::Ident(name) = self.peek() {
            let span = self.advance().span;
            self.attributes()?;
            let value = if self.eat(Punct::Assign) {
                let value = self.constant_expression("value of an enumerator")?;
                value.unwrap_or(IntValue::zero(int))
            } else if let Some(value) = next {
                value
            } else {
                self.error(span, "overflow in the values of the enumeration");
                IntValue::zero(int)
            };
            let value = narrowest(value);
            next = successor(value);
            let kind = self.kind_of_value(value);
            let ty = self.types.int_kind(kind);
            self.declare_enumerator(name, span, value.convert(self.types.int_type(kind)), ty);
            list.push(Enumerator { name, span, value });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        if list.is_empty() {
            if self.at(Punct::RBrace) {
                self.error(open, "an enumeration needs an enumerator");
            } else {
                return Err(self.unexpected("an enumerator"));
            }
        }
        self.close(Punct::RBrace, open, "the enumeration")?;
        Ok(list)
    }

    fn declare_enumerator(&mut self, name: Symbol, span: Span, value: IntValue, ty: TypeId) {
        if let Some(other) = self.ordinary.get_here(name) {
            let other = (other.span, "declared before here");
            self.said_twice(name, span, "redeclaration of", other);
        }
        let entity = Entity::Enumerator(value, ty);
        self.ordinary.insert(name, entity, span);
    }

    /// The type a value has while its enumeration is open: `int` or the first that holds it.
    fn kind_of_value(&self, value: IntValue) -> IntKind {
        let mut kinds = IntKind::OF_CONSTANTS.into_iter();
        let fits = |kind: &IntKind| fits(value, self.types.int_type(*kind));
        kinds.find(fits).unwrap_or(IntKind::ULongLong)
    }

    /// Chooses the underlying type. Constants that are no `int` get it too, as in gcc.
    fn finish_enum(
        &mut self,
        id: EnumId,
        ty: TypeId,
        list: &[Enumerator],
        attributes: &Attributes,
    ) {
        let narrow = [
            IntKind::UChar,
            IntKind::SChar,
            IntKind::UShort,
            IntKind::Short,
        ];
        let wide = [
            IntKind::UInt,
            IntKind::Int,
            IntKind::ULong,
            IntKind::Long,
            IntKind::ULongLong,
            IntKind::LongLong,
        ];
        let narrow = if attributes.packed { &narrow[..] } else { &[] };
        let kind = narrow.iter().chain(&wide).copied().find(|&kind| {
            let int = self.types.int_type(kind);
            list.iter().all(|enumerator| fits(enumerator.value, int))
        });
        let mut kind = kind.unwrap_or_else(|| {
            let span = list.first().map_or(Span::NONE, |first| first.span);
            self.error(span, "the values of the enumeration fit no integer type");
            IntKind::LongLong
        });
        if let Some((mode, span)) = attributes.mode {
            let base = self.types.int_kind(kind);
            let ty = self.apply_mode(base, mode, span);
            kind = self.types.kind_of(ty).unwrap_or(kind);
        }
        self.types.enums[id].underlying = Some(kind);
        let underlying = self.types.int_type(kind);
        for enumerator in list {
            if !fits(enumerator.value, IntType::I32)
                && let Some(entry) = self.ordinary.get_mut(enumerator.name)
            {
                let value = enumerator.value.convert(underlying);
                entry.entity = Entity::Enumerator(value, ty);
            }
        }
    }
}

fn enum_of(_: &Types, tag: Tag) -> Option<EnumId> {
    match tag {
        Tag::Enum(id) => Some(id),
        Tag::Record(_) => None,
    }
}

/// The value as an `int` if it fits, so that counting on starts from there.
fn narrowest(value: IntValue) -> IntValue {
    if fits(value, IntType::I32) {
        value.convert(IntType::I32)
    } else {
        value
    }
}

/// One more, if its type holds it.
fn successor(value: IntValue) -> Option<IntValue> {
    let ty = value.ty();
    let ty = if ty.bits < 32 { IntType::I32 } else { ty };
    match value.convert(ty).add(IntValue::wrap(ty, 1)) {
        (next, false) => Some(next),
        (_, true) => None,
    }
}

fn fits(value: IntValue, ty: IntType) -> bool {
    let converted = value.convert(ty);
    converted.is_negative() == value.is_negative() && converted.convert(value.ty()) == value
}
