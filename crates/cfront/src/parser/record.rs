//! `struct` and `union`.

use super::attribute::Attributes;
use super::declarator::{Declarator, Form};
use super::scope::Tag;
use super::specifier::{Specifiers, Storage};
use super::{MemberPath, Parsed, Parser};
use crate::layout::{self, FieldSpec};
use crate::token::{Keyword, Punct, Symbol, TokenKind};
use crate::types::{ArrayLen, QualType, Qualifiers, Record, RecordBody, RecordId, Type, TypeId};
use base::Span;
use rustc_hash::FxHashMap;

/// The members of a record as they are read.
#[derive(Default)]
struct Members {
    specs: Vec<FieldSpec>,
    /// The symbol of each spec that has one.
    symbols: Vec<Option<Symbol>>,
    /// Names so far, those inside anonymous members included.
    seen: FxHashMap<Symbol, Span>,
    /// A flexible array, which must be last.
    flexible: Option<Span>,
}

impl Parser<'_> {
    /// `struct tag`, `struct tag { … }` or `struct { … }`, and whether it declares by itself.
    pub(super) fn record_specifier(&mut self) -> Parsed<(TypeId, bool)> {
        let is_union = self.at_keyword(Keyword::Union);
        let keyword = self.advance().span;
        let attributes = self.attributes()?;
        let tag = self.tag();
        if !self.at(Punct::LBrace) {
            // Attributes that follow a tag are the declaration's.
            let Some((name, span)) = tag else {
                let word = if is_union { "union" } else { "struct" };
                return Err(self.unexpected(&format!("a tag or '{{' after '{word}'")));
            };
            let id = self.record_tag(name, span, is_union);
            return Ok((self.types.intern(Type::Record(id)), true));
        }
        let id = self.record_to_define(tag, keyword, is_union);
        let ty = self.types.intern(Type::Record(id));
        self.nested(|parser| parser.record_body(id, is_union, attributes))?;
        Ok((ty, tag.is_some()))
    }

    /// A new record, which its tag stands for from here on.
    fn new_record(
        &mut self,
        tag: Option<(Symbol, Span)>,
        keyword: Span,
        is_union: bool,
    ) -> RecordId {
        let id = self.types.records.push(Record {
            tag: tag.map(|(name, _)| self.names.text(name).clone()),
            is_union,
            span: tag.map_or(keyword, |(_, span)| span),
            body: None,
        });
        if let Some((name, span)) = tag {
            self.tags.insert(name, Tag::Record(id), span);
        }
        id
    }

    fn record_tag(&mut self, name: Symbol, span: Span, is_union: bool) -> RecordId {
        // `struct s;` by itself declares a new tag in this scope.
        let alone = self.at(Punct::Semi);
        if let Some((id, _)) = self.known_record((name, span), alone, is_union) {
            return id;
        }
        if !self.prototypes.is_empty() {
            let text = self.names.text(name);
            let message =
                format!("'{text}' is declared inside a parameter list and means nothing outside");
            self.warn(span, message);
        }
        self.new_record(Some((name, span)), span, is_union)
    }

    fn record_to_define(
        &mut self,
        tag: Option<(Symbol, Span)>,
        keyword: Span,
        is_union: bool,
    ) -> RecordId {
        if let Some((name, span)) = tag
            && let Some((id, other)) = self.known_record((name, span), true, is_union)
        {
            if self.types.records[id].body.is_none() {
                self.types.records[id].span = span;
                return id;
            }
            self.said_twice(name, span, "redefinition of", (other, "defined here"));
        }
        self.new_record(tag, keyword, is_union)
    }

    fn known_record(
        &mut self,
        tag: (Symbol, Span),
        here: bool,
        is_union: bool,
    ) -> Option<(RecordId, Span)> {
        self.known_tag(tag, here, |types, tag| match tag {
            Tag::Record(id) => (types.records[id].is_union == is_union).then_some(id),
            Tag::Enum(_) => None,
        })
    }

    fn record_body(
        &mut self,
        id: RecordId,
        is_union: bool,
        mut attributes: Attributes,
    ) -> Parsed<()> {
        let open = self.advance().span;
        let mut members = Members::default();
        // Members are declared in a function's block or at file scope, whatever list is open.
        loop {
            match self.peek() {
                TokenKind::Punct(Punct::RBrace) => {
                    self.advance();
                    break;
                }
                TokenKind::Eof => {
                    return Err(self.unclosed(Punct::RBrace, open, "the record"));
                }
                TokenKind::Punct(Punct::Semi) => {
                    self.advance();
                }
                _ => {
                    let start = self.position;
                    if self.member_declaration(&mut members, is_union).is_err() {
                        self.recover_statement(start);
                    }
                }
            }
        }
        self.attributes_into(&mut attributes)?;
        if let Some(span) = members.flexible
            && members.specs.len() == 1
        {
            self.error(
                span,
                "flexible array member in a struct without other members",
            );
        }
        if attributes.transparent_union && is_union {
            self.transparent.insert(id);
        }
        let result = layout::layout(
            &self.types,
            is_union,
            &members.specs,
            attributes.packed,
            self.pack_limit(),
            attributes.last_align,
        );
        let body = result.unwrap_or_else(|message| {
            let span = self.types.records[id].span;
            self.error(span, message);
            RecordBody {
                fields: Vec::new(),
                size: 0,
                align: 1,
            }
        });
        self.index_members(id, &body, &members);
        self.types.records[id].body = Some(body);
        Ok(())
    }

    /// Notes where each member name leads, and whether there is a `const` member.
    fn index_members(&mut self, id: RecordId, body: &RecordBody, members: &Members) {
        let mut list = Vec::new();
        let named = |spec: &FieldSpec| spec.bit_width.is_none() || spec.name.is_some();
        let specs = members.specs.iter().zip(&members.symbols);
        let specs = specs.filter(|(spec, _)| named(spec));
        for ((index, _), (spec, symbol)) in body.fields.iter().enumerate().zip(specs) {
            if let &Some(name) = symbol {
                self.members.insert((id, name), index);
                list.push(name);
            } else if let &Type::Record(inner) = self.types.get(spec.ty.ty) {
                for &name in self.member_lists.get(&inner).map_or(&[][..], |list| list) {
                    self.members.insert((id, name), index);
                    list.push(name);
                }
            }
        }
        self.member_lists.insert(id, list);
        let is_const = body.fields.iter().any(|field| {
            let core = self.types.array_core(field.ty);
            core.quals.contains(Qualifiers::CONST)
                || matches!(self.types.get(core.ty), Type::Record(inner)
                    if self.const_records.contains(inner))
        });
        if is_const {
            self.const_records.insert(id);
        }
    }

    fn member_declaration(&mut self, members: &mut Members, is_union: bool) -> Parsed<()> {
        if self.at_static_assert() {
            return self.static_assert();
        }
        let starts = self.starts_declaration()
            || self.at_standard_attribute()
            || self.at_keyword(Keyword::Extension)
            || matches!(self.peek(), TokenKind::Ident(name) if self.looks_like_type(name));
        if !starts {
            if let TokenKind::Ident(name) = self.peek() {
                let text = self.names.text(name).clone();
                let span = self.span();
                return Err(self.error(span, format!("unknown type name '{text}'")));
            }
            return Err(self.unexpected("the type of a member"));
        }
        let specifiers = self.specifiers()?;
        if specifiers.ended {
            return Ok(());
        }
        if specifiers.storage != Storage::Plain || specifiers.inline {
            self.error(specifiers.span, "a member has no storage class");
        }
        if self.at(Punct::Semi) || self.at(Punct::RBrace) {
            self.anonymous_member(members, &specifiers);
        } else {
            loop {
                let declarator = self.full_declarator(Form::Member)?;
                self.member(members, &specifiers, declarator, is_union)?;
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        if self.at(Punct::RBrace) {
            self.warn(self.span(), "no ';' at the end of the record");
            return Ok(());
        }
        self.expect(Punct::Semi, "after the member")?;
        Ok(())
    }

    fn anonymous_member(&mut self, members: &mut Members, specifiers: &Specifiers) {
        let ty = specifiers.ty;
        let &Type::Record(id) = self.types.get(ty.ty) else {
            if !specifiers.declares {
                self.warn(specifiers.span, "declaration does not declare anything");
            }
            return;
        };
        let record = &self.types.records[id];
        if ty.ty == self.error {
            return;
        }
        if record.tag.is_some() || record.body.is_none() {
            self.warn(specifiers.span, "declaration does not declare anything");
            return;
        }
        let names = self.member_lists.get(&id).cloned().unwrap_or_default();
        for name in names {
            self.new_member_name(members, name, specifiers.span);
        }
        self.after_flexible(members);
        members.specs.push(FieldSpec {
            name: None,
            ty,
            bit_width: None,
            type_align: None,
            align: specifiers.attributes.align,
            packed: specifiers.attributes.packed,
        });
        members.symbols.push(None);
    }

    fn new_member_name(&mut self, members: &mut Members, name: Symbol, span: Span) {
        if let Some(other) = members.seen.insert(name, span) {
            self.said_twice(
                name,
                span,
                "duplicate member",
                (other, "the other one is here"),
            );
        }
    }

    fn after_flexible(&mut self, members: &mut Members) {
        if let Some(span) = members.flexible.take() {
            self.error(span, "flexible array member not at end of struct");
        }
    }

    fn member(
        &mut self,
        members: &mut Members,
        specifiers: &Specifiers,
        declarator: Declarator,
        is_union: bool,
    ) -> Parsed<()> {
        let span = declarator.name.map_or(declarator.span, |(_, span)| span);
        let mut attributes = specifiers.attributes.clone();
        let base = self.base_type(specifiers, span, "the declaration of a member");
        let type_align = declarator.type_align(specifiers.type_align);
        let mut ty = self.declared_type(base, declarator.chunks, false);
        let bit_width = if self.eat(Punct::Colon) {
            let width_span = self.span();
            let width = self.constant_expression("width of a bit-field")?;
            attributes.add(self.attributes()?);
            let width = width.map(|value| value.to_u64().and_then(|bits| u32::try_from(bits).ok()));
            Some(self.bit_width(ty, width, declarator.name.is_some(), width_span))
        } else {
            None
        };
        let declared = declarator.attributes;
        if let Some((mode, span)) = declared.mode {
            ty.ty = self.apply_mode(ty.ty, mode, span);
        }
        attributes.add(declared);
        if bit_width.is_none() {
            ty = self.member_type(members, ty, is_union, span);
        } else if !self.types.is_integer(ty.ty) {
            ty = self.types.int().into();
        }
        if let Some((name, span)) = declarator.name {
            self.new_member_name(members, name, span);
        }
        members.specs.push(FieldSpec {
            name: declarator
                .name
                .map(|(name, _)| self.names.text(name).clone()),
            ty,
            bit_width,
            type_align,
            align: attributes.align,
            packed: attributes.packed,
        });
        members.symbols.push(declarator.name.map(|(name, _)| name));
        Ok(())
    }

    /// Checks the width of a bit-field; returns one that can be laid out.
    fn bit_width(
        &mut self,
        ty: QualType,
        width: Option<Option<u32>>,
        named: bool,
        span: Span,
    ) -> u32 {
        let bits = match self.types.scalar_int(ty.ty) {
            Some(int) => u32::from(int.bits),
            None => {
                if !self.is_error(ty.ty) {
                    self.error(span, "a bit-field has an invalid type");
                }
                return 1;
            }
        };
        match width {
            // Not a constant: reported.
            None => 1,
            Some(None) => {
                self.error(span, "negative width in a bit-field");
                1
            }
            Some(Some(0)) if named => {
                self.error(span, "zero width for a named bit-field");
                1
            }
            Some(Some(width)) if width > bits => {
                self.error(span, "width of a bit-field exceeds its type");
                bits
            }
            Some(Some(width)) => width,
        }
    }

    /// Checks the type of a member that is not a bit-field.
    fn member_type(
        &mut self,
        members: &mut Members,
        ty: QualType,
        is_union: bool,
        span: Span,
    ) -> QualType {
        self.after_flexible(members);
        if self.is_error(ty.ty) {
            return self.error.into();
        }
        match self.types.get(ty.ty) {
            Type::Function(_) => {
                self.error(span, "a member cannot be a function");
                return self.types.int().into();
            }
            Type::Array(_, ArrayLen::Unknown) => {
                if is_union {
                    self.error(span, "flexible array member in a union");
                } else {
                    members.flexible = Some(span);
                }
                return ty;
            }
            _ => {}
        }
        if self.types.is_variably_modified(ty.ty) {
            self.unsupported(span, "members of variable length");
            return self.with_one_element(ty);
        }
        if !self.types.is_complete(ty.ty) {
            self.wrong_type(span, "member has the incomplete type", ty);
            return self.types.int().into();
        }
        ty
    }

    /// A type with one element where the number of elements is variable.
    fn with_one_element(&mut self, ty: QualType) -> QualType {
        let inner = match *self.types.get(ty.ty) {
            Type::Array(element, len) => {
                let len = match len {
                    ArrayLen::Variable(_) => ArrayLen::Known(1),
                    ArrayLen::Known(_) | ArrayLen::Unknown => len,
                };
                let element = self.with_one_element(element);
                self.types.array_of(element, len)
            }
            Type::Pointer(to) => {
                let to = self.with_one_element(to);
                self.types.pointer_to(to)
            }
            _ => ty.ty,
        };
        QualType { ty: inner, ..ty }
    }

    /// The way to a member of a record, through anonymous ones.
    pub(super) fn find_member(&self, record: RecordId, name: Symbol) -> Option<MemberPath> {
        let mut path = MemberPath::new();
        let mut id = record;
        loop {
            let &index = self.members.get(&(id, name))?;
            path.push(index);
            let field = self.types.records[id].body.as_ref()?.fields.get(index)?;
            match self.types.get(field.ty.ty) {
                &Type::Record(inner) if field.name.is_none() => id = inner,
                _ => return Some(path),
            }
        }
    }
}
