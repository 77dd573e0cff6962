//! Initialisers, flattened to a list of offsets and values.
//!
//! # Invariants
//! - A cursor is a stack of open aggregates; the innermost knows which of its elements is next. An
//!   expression descends (braces are elided) until it reaches an element it can initialise.

use super::sink::Sink;
use super::{Parsed, Parser};
use crate::ast::{Expr, Initializer};
use crate::token::{Punct, TokenKind};
use crate::types::{ArrayLen, BitRange, QualType, Type, TypeId};
use base::Span;

/// An aggregate whose elements are being initialised.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) ty: TypeId,
    /// Bytes from the start of the whole object.
    pub(super) offset: u64,
    /// The next element.
    pub(super) next: u64,
    /// One more than the last element that was set.
    count: u64,
}

impl Level {
    pub(super) fn new(ty: TypeId, offset: u64) -> Self {
        Level {
            ty,
            offset,
            next: 0,
            count: 0,
        }
    }

    /// Moves on by some elements that were set as well.
    pub(super) fn skip(&mut self, more: u64) {
        self.next = self.next.saturating_add(more);
        self.count = self.count.max(self.next);
    }
}

/// A place that can be initialised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) ty: QualType,
    pub(super) offset: u64,
    pub(super) bits: Option<BitRange>,
}

impl Slot {
    /// A place of whole bytes.
    fn at(ty: QualType, offset: u64) -> Self {
        let bits = None;
        Slot { ty, offset, bits }
    }
}

impl Parser<'_> {
    /// An initialiser of an object of type `ty`, and the type with its lengths filled in.
    pub(super) fn initializer(
        &mut self,
        ty: QualType,
        is_static: bool,
    ) -> Parsed<(Initializer, TypeId)> {
        if !self.at(Punct::LBrace) {
            let value = self.assignment_expression()?;
            return Ok(self.plain_initializer(ty, value, is_static));
        }
        let start = self.span();
        let mut sink = Sink::new(is_static);
        let count = self.braced(Slot::at(ty, 0), &mut sink)?;
        let span = start.to(self.last_span());
        let full = self.completed(ty.ty, count, sink.flexible, is_static, span);
        let init = Initializer {
            zero_rest: true,
            items: sink.finish(),
            span,
        };
        Ok((init, full))
    }

    /// An initialiser without braces.
    pub(super) fn plain_initializer(
        &mut self,
        ty: QualType,
        value: Expr,
        is_static: bool,
    ) -> (Initializer, TypeId) {
        let span = value.span;
        let mut sink = Sink::new(is_static);
        let slot = Slot::at(ty, 0);
        let mut zero_rest = false;
        let mut count = 0;
        if let Some(length) = self.string_fits(ty.ty, &value) {
            self.put_string(slot, &value, length, &mut sink);
            (count, zero_rest) = (length, true);
        } else if self.is_literal(&value) && value.ty.ty == ty.ty {
            zero_rest = true;
            self.put_whole(slot, value, &mut sink);
        } else if let &Type::Array(element, ArrayLen::Unknown) = self.types.get(ty.ty)
            && self.is_literal(&value)
            && let &Type::Array(other, ArrayLen::Known(length)) = self.types.get(value.ty.ty)
            && other.ty == element.ty
        {
            (count, zero_rest) = (length, true);
            self.put_whole(slot, value, &mut sink);
        } else if self.types.is_array(ty.ty) && !self.is_error(ty.ty) {
            self.error(span, "an array needs a list in braces or a string");
        } else {
            self.put_value(slot, value, &mut sink);
        }
        let full = self.completed(ty.ty, count, 0, is_static, span);
        let init = Initializer {
            zero_rest,
            items: sink.finish(),
            span,
        };
        (init, full)
    }

    /// The type with the length that the initialiser gives it.
    fn completed(
        &mut self,
        ty: TypeId,
        count: u64,
        flexible: u64,
        is_static: bool,
        span: Span,
    ) -> TypeId {
        if let &Type::Array(element, ArrayLen::Unknown) = self.types.get(ty) {
            return self.types.array_of(element, ArrayLen::Known(count));
        }
        if flexible == 0 {
            return ty;
        }
        if !is_static {
            self.error(
                span,
                "a flexible array member of an automatic object has no values",
            );
            return ty;
        }
        self.lengthened(ty, flexible).unwrap_or(ty)
    }

    /// A record like `ty` whose flexible array has room for `count` elements; `None` if it has none.
    fn lengthened(&mut self, ty: TypeId, count: u64) -> Option<TypeId> {
        let &Type::Record(id) = self.types.get(ty) else {
            return None;
        };
        let mut record = self.types.records[id].clone();
        let body = record.body.as_mut()?;
        let last = body.fields.last_mut()?;
        let &Type::Array(element, ArrayLen::Unknown) = self.types.get(last.ty.ty) else {
            return None;
        };
        last.ty.ty = self.types.array_of(element, ArrayLen::Known(count));
        let bytes = self.types.size_of(last.ty.ty).unwrap_or(0);
        let end = last.offset.saturating_add(bytes);
        body.size = body.size.max(end.next_multiple_of(body.align.max(1)));
        let id = self.types.records.push(record);
        Some(self.types.intern(Type::Record(id)))
    }

    /// A list in braces for a place; for an array, how many elements it gave.
    fn braced(&mut self, slot: Slot, sink: &mut Sink) -> Parsed<u64> {
        self.nested(|parser| {
            if parser.is_error(slot.ty.ty) {
                parser.skip_brackets(Punct::RBrace, "the list")?;
                return Ok(0);
            }
            match parser.types.get(slot.ty.ty) {
                Type::Array(..) | Type::Record(_) => {
                    let span = parser.span();
                    parser.start_afresh(slot, span, sink);
                    parser.braced_aggregate(slot, sink)
                }
                _ => parser.braced_scalar(slot, sink),
            }
        })
    }

    /// A place gets a list of its own: what designators set in it before is gone.
    pub(super) fn start_afresh(&mut self, slot: Slot, span: Span, sink: &mut Sink) {
        if !sink.begin(&self.types, slot.ty.ty, slot.offset) {
            self.unsupported(span, "a part initialised again, after the whole");
        }
    }

    fn braced_scalar(&mut self, slot: Slot, sink: &mut Sink) -> Parsed<u64> {
        let open = self.advance().span;
        if self.at(Punct::RBrace) {
            let close = self.advance().span;
            self.error(open.to(close), "empty braces for a scalar");
            return Ok(0);
        }
        if self.at(Punct::Dot) || self.at(Punct::LBracket) {
            let span = self.span();
            return Err(self.error(span, "a designator in the initialiser of a scalar"));
        }
        if self.at(Punct::LBrace) {
            self.warn(self.span(), "braces around the initialiser of a scalar");
            self.braced(slot, sink)?;
        } else {
            let value = self.assignment_expression()?;
            self.put_value(slot, value, sink);
        }
        let mut warned = false;
        while self.eat(Punct::Comma) && !self.at(Punct::RBrace) {
            self.excess(&mut warned)?;
        }
        self.close(Punct::RBrace, open, "the initialiser")?;
        Ok(0)
    }

    /// Reads and drops an element there is no place for.
    fn excess(&mut self, warned: &mut bool) -> Parsed<()> {
        self.warn_excess(self.span(), warned);
        if self.at(Punct::LBrace) {
            return self.skip_brackets(Punct::RBrace, "the list");
        }
        self.assignment_expression()?;
        Ok(())
    }

    fn warn_excess(&mut self, span: Span, warned: &mut bool) {
        if !std::mem::replace(warned, true) {
            self.warn(span, "excess elements in the initialiser");
        }
    }

    fn braced_aggregate(&mut self, slot: Slot, sink: &mut Sink) -> Parsed<u64> {
        if let Some(count) = self.braced_string(slot, sink)? {
            return Ok(count);
        }
        let open = self.advance().span;
        if let &Type::Record(id) = self.types.get(slot.ty.ty)
            && self.types.records[id].body.is_none()
        {
            let what = "initialiser of the incomplete type";
            return Err(self.wrong_type(open, what, slot.ty));
        }
        let mut stack = vec![Level::new(slot.ty.ty, slot.offset)];
        let mut warned = false;
        while !self.at(Punct::RBrace) {
            let mark = sink.mark();
            let ranges = if self.at_designator() {
                self.close_levels(&mut stack);
                self.designation(&mut stack, sink)?
            } else {
                Vec::new()
            };
            if self.at(Punct::LBrace) {
                match self.chosen_slot(&mut stack, sink) {
                    None => self.excess(&mut warned)?,
                    Some(inner) => {
                        let count = self.braced(inner, sink)?;
                        self.note_flexible(&stack, inner, count, sink);
                        self.advance_slot(&mut stack);
                    }
                }
            } else {
                let value = self.assignment_expression()?;
                self.place(&mut stack, value, sink, &mut warned);
            }
            self.repeat(&mut stack, &ranges, mark, sink);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.close(Punct::RBrace, open, "the initialiser")?;
        self.close_levels(&mut stack);
        Ok(stack[0].count)
    }

    /// Back to the outermost level.
    fn close_levels(&mut self, stack: &mut Vec<Level>) {
        while stack.len() > 1 {
            self.pop_level(stack);
        }
    }

    /// `{ "text" }` for a character array.
    fn braced_string(&mut self, slot: Slot, sink: &mut Sink) -> Parsed<Option<u64>> {
        if self.peek_at(1) != TokenKind::String || !self.is_character_array(slot.ty.ty) {
            return Ok(None);
        }
        let mut ahead = 2;
        while self.peek_at(ahead) == TokenKind::String {
            ahead += 1;
        }
        if self.peek_at(ahead) == TokenKind::Punct(Punct::Comma) {
            ahead += 1;
        }
        if self.peek_at(ahead) != TokenKind::Punct(Punct::RBrace) {
            return Ok(None);
        }
        let open = self.advance().span;
        let value = self.assignment_expression()?;
        self.eat(Punct::Comma);
        self.close(Punct::RBrace, open, "the initialiser")?;
        match self.string_fits(slot.ty.ty, &value) {
            Some(length) => {
                self.put_string(slot, &value, length, sink);
                Ok(Some(length))
            }
            None => {
                self.error(value.span, "this string does not fit the array's elements");
                Ok(Some(0))
            }
        }
    }

    fn is_character_array(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(element, _) => self.types.is_integer(element.ty),
            _ => false,
        }
    }

    /// The next place of the innermost open aggregate, closing those that are full.
    fn slot(&mut self, stack: &mut Vec<Level>) -> Option<Slot> {
        loop {
            let level = stack.last()?;
            if let Some(slot) = self.slot_of(level) {
                return Some(slot);
            }
            if stack.len() == 1 {
                return None;
            }
            self.pop_level(stack);
        }
    }

    /// Likewise, and notes which member of a union it is.
    fn chosen_slot(&mut self, stack: &mut Vec<Level>, sink: &mut Sink) -> Option<Slot> {
        let slot = self.slot(stack)?;
        if let Some(level) = stack.last() {
            self.choose_member(level, sink);
        }
        Some(slot)
    }

    /// The next place of one aggregate.
    pub(super) fn slot_of(&self, level: &Level) -> Option<Slot> {
        match self.types.get(level.ty) {
            &Type::Array(element, len) => {
                let full = match len {
                    ArrayLen::Known(count) => level.next >= count,
                    ArrayLen::Unknown => false,
                    ArrayLen::Variable(_) => true,
                };
                let size = self.types.size_of(element.ty)?;
                let offset = level.next.checked_mul(size)?.checked_add(level.offset)?;
                (!full).then_some(Slot::at(element, offset))
            }
            Type::Record(_) => {
                let body = self.types.body(level.ty)?;
                let field = body.fields.get(usize::try_from(level.next).ok()?)?;
                Some(Slot {
                    ty: field.ty,
                    offset: level.offset + field.offset,
                    bits: field.bits,
                })
            }
            _ => None,
        }
    }

    fn pop_level(&mut self, stack: &mut Vec<Level>) {
        stack.pop();
        self.advance_slot(stack);
    }

    /// The element just met is done. A union has no second one.
    fn advance_slot(&mut self, stack: &mut [Level]) {
        let Some(level) = stack.last_mut() else {
            return;
        };
        level.count = level.count.max(level.next.saturating_add(1));
        level.next = if self.types.is_union(level.ty) {
            u64::MAX
        } else {
            level.next.saturating_add(1)
        };
    }

    /// Puts a value where the cursor stands or, braces being elided, further inside.
    fn place(&mut self, stack: &mut Vec<Level>, value: Expr, sink: &mut Sink, warned: &mut bool) {
        while let Some(slot) = self.chosen_slot(stack, sink) {
            let whole = match self.types.get(slot.ty.ty) {
                Type::Record(_) => value.ty.ty == slot.ty.ty,
                Type::Array(..) => self.is_literal(&value) && value.ty.ty == slot.ty.ty,
                _ => true,
            };
            let level = Level::new(slot.ty.ty, slot.offset);
            if self.is_error(value.ty.ty) || self.is_error(slot.ty.ty) {
                // It has been reported.
            } else if let Some(length) = self.string_fits(slot.ty.ty, &value) {
                self.note_flexible(stack, slot, length, sink);
                self.put_string(slot, &value, length, sink);
            } else if whole {
                self.put_whole(slot, value, sink);
                self.note_elided_flexible(stack, sink);
            } else if self.slot_of(&level).is_some() {
                stack.push(level);
                continue;
            } else {
                // As in gcc, an empty aggregate swallows the value.
                self.warn_excess(value.span, warned);
            }
            return self.advance_slot(stack);
        }
        self.warn_excess(value.span, warned);
    }

    /// Notes how long a flexible array at the end of the whole object became.
    fn note_flexible(&self, stack: &[Level], slot: Slot, count: u64, sink: &mut Sink) {
        if self.types.is_open_array(slot.ty.ty) && stack.len() == 1 {
            sink.flexible = sink.flexible.max(count);
        }
    }

    fn note_elided_flexible(&self, stack: &[Level], sink: &mut Sink) {
        if let [_, level] = stack
            && self.types.is_open_array(level.ty)
        {
            sink.flexible = sink.flexible.max(level.next.saturating_add(1));
        }
    }
}
