//! `sizeof`, `_Alignof` and `offsetof`.

use super::declarator::has_effects;
use super::scope::Entity;
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, LocalId};
use crate::token::{Punct, TokenKind};
use crate::types::{QualType, Type, TypeId};
use base::Span;

impl Parser<'_> {
    /// `sizeof(type)` or `sizeof expression`
    pub(super) fn sizeof_expression(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        if self.at(Punct::LParen) && self.starts_type_name_at(1) {
            let open = self.advance().span;
            let mark = self.lengths.len();
            let ty = self.type_name()?;
            let lengths = self.lengths.split_off(mark);
            let close = self.close(Punct::RParen, open, "the type")?;
            if !self.at(Punct::LBrace) {
                self.height = 1;
                return Ok(self.size_of_type(ty.ty, lengths, start.to(close)));
            }
            let literal = self.compound_literal(ty, Vec::new(), open.to(close))?;
            let operand = self.postfix_suffixes(literal)?;
            return Ok(self.size_of_value(operand, start));
        }
        let operand = self.nested(|parser| parser.unevaluated(Self::unary_expression))?;
        Ok(self.size_of_value(operand, start))
    }

    fn size_of_value(&mut self, operand: Expr, start: Span) -> Expr {
        let span = start.to(operand.span);
        if operand.bit_field(&self.types).is_some()
            && matches!(operand.kind, ExprKind::Member { .. })
        {
            self.error(span, "'sizeof' of a bit-field");
        }
        let size = self.size_of_type(operand.ty.ty, Vec::new(), span);
        // The operand is evaluated only if its type has a variable length.
        if matches!(size.kind, ExprKind::SizeofVariable(_)) && has_effects(&operand) {
            return self.comma(operand, size);
        }
        self.height = 1;
        size
    }

    fn size_of_type(&mut self, ty: TypeId, lengths: Vec<(LocalId, Expr)>, span: Span) -> Expr {
        let size_t = self.types.size_t();
        if self.is_error(ty) && !self.types.is_pointer(ty) {
            return self.broken(span);
        }
        if self.types.is_variable_array(ty) {
            let size = Expr::new(ExprKind::SizeofVariable(ty), size_t, span);
            return self.with_lengths(lengths, size);
        }
        let size = if self.types.is_void(ty) || self.types.is_function(ty) {
            // GNU C counts them as one byte.
            Some(1)
        } else {
            self.types.size_of(ty)
        };
        let Some(size) = size else {
            return self.refused_type(span, "'sizeof' of the incomplete type", ty);
        };
        self.constant_of(size_t, i128::from(size), span)
    }

    /// `_Alignof(type)` and `__alignof__ expression`
    pub(super) fn alignof_expression(&mut self) -> Parsed<Expr> {
        let token = self.advance();
        let start = token.span;
        let preferred = self.spelling(start).starts_with(b"__");
        let mut named = None;
        let ty = if self.at(Punct::LParen) && self.starts_type_name_at(1) {
            let open = self.advance().span;
            named = self.named_align();
            let ty = self.unevaluated(Self::type_name)?;
            self.close(Punct::RParen, open, "the type")?;
            ty.ty
        } else {
            let operand = self.nested(|parser| parser.unevaluated(Self::unary_expression))?;
            operand.ty.ty
        };
        self.height = 1;
        let span = start.to(self.last_span());
        if self.is_error(ty) && !self.types.is_pointer(ty) {
            return Ok(self.broken(span));
        }
        let align = match (named, self.types.preferred_align_of(ty)) {
            (Some(align), _) => align,
            (None, Some(align)) if preferred => align,
            (None, _) => self.align_of(ty, span),
        };
        Ok(self.constant_of(self.types.size_t(), i128::from(align), span))
    }

    /// The alignment that a type's name has by its declaration, if it is alone before a `)`.
    fn named_align(&self) -> Option<u64> {
        let TokenKind::Ident(name) = self.peek() else {
            return None;
        };
        let alone = self.peek_at(1) == TokenKind::Punct(Punct::RParen);
        match self.ordinary.get(name).filter(|_| alone)?.entity {
            Entity::Typedef(_, align) => align,
            _ => None,
        }
    }

    /// `__builtin_offsetof(type, member.designator[index])`
    pub(super) fn offset_of(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        let open = self.expect(Punct::LParen, "after 'offsetof'")?;
        let ty = self.unevaluated(Self::type_name)?;
        self.expect(Punct::Comma, "after the type")?;
        let mut place = Designated {
            ty,
            offset: 0,
            variable: Vec::new(),
        };
        let mut first = true;
        loop {
            match self.peek() {
                TokenKind::Ident(_) if first => self.offset_member(&mut place)?,
                TokenKind::Punct(Punct::Dot | Punct::Arrow) if !first => {
                    self.advance();
                    self.offset_member(&mut place)?;
                }
                TokenKind::Punct(Punct::LBracket) if !first => self.offset_index(&mut place)?,
                _ if first => return Err(self.unexpected("the name of a member")),
                _ => break,
            }
            first = false;
        }
        let close = self.close(Punct::RParen, open, "'offsetof'")?;
        let span = start.to(close);
        if self.is_error(place.ty.ty) {
            return Ok(self.broken(span));
        }
        let size_t = self.types.size_t();
        let mut result = self.constant_of(size_t, i128::from(place.offset), span);
        for (index, size) in place.variable {
            let index = self.implicit(index, size_t);
            let size = self.constant_of(size_t, i128::from(size), span);
            let bytes = self.binary_node(BinaryOp::Mul, index, size, size_t, span);
            result = self.binary_node(BinaryOp::Add, result, bytes, size_t, span);
        }
        self.height += 4;
        Ok(result)
    }

    fn offset_member(&mut self, place: &mut Designated) -> Parsed<()> {
        let (name, at) = self.expect_name("the name of a member")?;
        if self.is_error(place.ty.ty) {
            return Ok(());
        }
        let &Type::Record(id) = self.types.get(place.ty.ty) else {
            let shown = self.show(place.ty);
            self.error(at, format!("'{shown}' is no record"));
            place.ty = self.error.into();
            return Ok(());
        };
        let Some(path) = self.find_member(id, name) else {
            if self.types.records[id].body.is_none() {
                self.error(at, "'offsetof' in an incomplete type");
            } else {
                self.no_member(id, name, at);
            }
            place.ty = self.error.into();
            return Ok(());
        };
        for index in path {
            let Some(field) = self.types.field(place.ty.ty, index) else {
                return Ok(());
            };
            place.ty = field.ty;
            place.offset += field.offset;
            if field.bits.is_some() {
                self.error(at, "'offsetof' of a bit-field");
            }
        }
        Ok(())
    }

    fn offset_index(&mut self, place: &mut Designated) -> Parsed<()> {
        let open = self.advance().span;
        let index = self.expression()?;
        let close = self.close(Punct::RBracket, open, "the subscript")?;
        let index = self.promoted(index);
        if self.is_error(place.ty.ty) || self.is_error(index.ty.ty) {
            return Ok(());
        }
        let &Type::Array(element, _) = self.types.get(place.ty.ty) else {
            self.error(open.to(close), "what is subscripted is no array");
            place.ty = self.error.into();
            return Ok(());
        };
        let size = self.types.size_of(element.ty).unwrap_or(0);
        place.ty = element;
        match self.fold_integer(&index).and_then(|value| value.to_i128()) {
            Some(value) => {
                let bytes = value.wrapping_mul(i128::from(size)) as u64;
                place.offset = place.offset.wrapping_add(bytes);
            }
            None if self.types.is_integer(index.ty.ty) => place.variable.push((index, size)),
            None => {
                self.error(index.span, "a subscript is not an integer");
            }
        }
        Ok(())
    }
}

/// Where a designator leads.
struct Designated {
    ty: QualType,
    offset: u64,
    /// Variable subscripts and the sizes of their elements.
    variable: Vec<(Expr, u64)>,
}
