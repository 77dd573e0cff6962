//! Designators: `.member`, `[index]`, `[first ... last]` and the old `member:`.

use super::declarator::has_effects;
use super::initializer::{Level, Slot};
use super::sink::{Mark, Sink};
use super::{Parsed, Parser};
use crate::ast::InitValue;
use crate::token::{Punct, Symbol, TokenKind};
use crate::types::{ArrayLen, Type};
use base::Span;

/// How many items repeated elements may become.
const MAX_ITEMS: u64 = 1 << 22;

/// `[first ... last]` at one level of the cursor.
pub(super) struct Range {
    depth: usize,
    first: u64,
    last: u64,
    /// Bytes of an element.
    size: u64,
    span: Span,
}

impl Parser<'_> {
    /// Whether a designator is here.
    pub(super) fn at_designator(&self) -> bool {
        match self.peek() {
            TokenKind::Punct(Punct::Dot | Punct::LBracket) => true,
            TokenKind::Ident(_) => self.peek_at(1) == TokenKind::Punct(Punct::Colon),
            _ => false,
        }
    }

    /// Designators and the `=` after them: moves the cursor, which is at the outermost level.
    pub(super) fn designation(
        &mut self,
        stack: &mut Vec<Level>,
        sink: &mut Sink,
    ) -> Parsed<Vec<Range>> {
        let mut ranges = Vec::new();
        let mut first = true;
        loop {
            let span = self.span();
            match self.peek() {
                TokenKind::Ident(name) if first => {
                    self.advance();
                    self.advance();
                    self.go_to_member(stack, sink, name, span)?;
                    return Ok(ranges);
                }
                TokenKind::Punct(Punct::Dot) => {
                    self.enter_slot(stack, first, span)?;
                    self.advance();
                    let (name, at) = self.expect_name("the name of a member")?;
                    self.go_to_member(stack, sink, name, at)?;
                }
                TokenKind::Punct(Punct::LBracket) => {
                    self.enter_slot(stack, first, span)?;
                    if let Some(range) = self.go_to_index(stack)? {
                        ranges.push(range);
                    }
                }
                // `[n] value`, without `=`, is old but known.
                _ => {
                    self.eat(Punct::Assign);
                    return Ok(ranges);
                }
            }
            first = false;
            if stack.len() > super::MAX_NESTING as usize {
                return Err(self.error(span, "nested too deeply"));
            }
        }
    }

    /// Opens the element that the designators so far lead to.
    fn enter_slot(&mut self, stack: &mut Vec<Level>, first: bool, span: Span) -> Parsed<()> {
        if first {
            return Ok(());
        }
        let slot = stack.last().and_then(|level| self.slot_of(level));
        let Some(Slot { ty, offset, .. }) = slot else {
            return Err(self.error(span, "this designator leads nowhere"));
        };
        stack.push(Level::new(ty.ty, offset));
        Ok(())
    }

    fn go_to_member(
        &mut self,
        stack: &mut Vec<Level>,
        sink: &mut Sink,
        name: Symbol,
        at: Span,
    ) -> Parsed<()> {
        let ty = stack.last().map_or(self.error, |level| level.ty);
        let &Type::Record(id) = self.types.get(ty) else {
            let message = "a member is named in the initialiser of something else than a record";
            return Err(self.error(at, message));
        };
        let Some(path) = self.find_member(id, name) else {
            self.no_member(id, name, at);
            return Err(super::Reported);
        };
        for (step, &index) in path.iter().enumerate() {
            self.enter_slot(stack, step == 0, at)?;
            if let Some(level) = stack.last_mut() {
                level.next = index as u64;
                let level = level.clone();
                self.choose_member(&level, sink);
            }
        }
        Ok(())
    }

    /// Another member of a union than before undoes what was set in it.
    pub(super) fn choose_member(&self, level: &Level, sink: &mut Sink) {
        if self.types.is_union(level.ty) {
            sink.choose(&self.types, level.ty, level.offset, level.next);
        }
    }

    /// `[index]` or `[first ... last]`
    fn go_to_index(&mut self, stack: &mut [Level]) -> Parsed<Option<Range>> {
        let open = self.advance().span;
        let first = self.constant_expression("index of a designator")?;
        let last = if self.eat(Punct::Ellipsis) {
            Some(self.constant_expression("index of a designator")?)
        } else {
            None
        };
        let close = self.close(Punct::RBracket, open, "the designator")?;
        let span = open.to(close);
        let depth = stack.len() - 1;
        let &Type::Array(element, len) = self.types.get(stack[depth].ty) else {
            let message = "an index in the initialiser of something else than an array";
            return Err(self.error(span, message));
        };
        let (Some(first), Some(last)) = (first, last.unwrap_or(first)) else {
            return Err(super::Reported);
        };
        let room = match len {
            ArrayLen::Known(count) => count,
            ArrayLen::Unknown | ArrayLen::Variable(_) => self.types.max_object_size(),
        };
        let (Some(first), Some(last)) = (first.to_u64(), last.to_u64()) else {
            return Err(self.error(span, "the index of a designator is negative"));
        };
        if first > last {
            return Err(self.error(span, "the range of the designator is empty"));
        }
        if last >= room {
            return Err(self.error(span, "the index lies outside of the array"));
        }
        stack[depth].next = first;
        let size = self.types.size_of(element.ty).unwrap_or(0);
        Ok((last > first).then_some(Range {
            depth,
            first,
            last,
            size,
            span,
        }))
    }

    /// Copies what the first element of each range got to its other elements, and moves the cursor
    /// to the last one.
    pub(super) fn repeat(
        &mut self,
        stack: &mut [Level],
        ranges: &[Range],
        mark: Mark,
        sink: &mut Sink,
    ) {
        for range in ranges.iter().rev() {
            let more = range.last - range.first;
            let until = sink.mark();
            let made = sink.since(mark).count() as u64;
            let effects = sink.since(mark).any(|item| match &item.value {
                InitValue::Expr(expr) => has_effects(expr),
                InitValue::String(_) => false,
            });
            if effects {
                self.unsupported(range.span, "a range initialised by a call or assignment");
                return;
            }
            if made.max(1).saturating_mul(more) > MAX_ITEMS {
                self.unsupported(range.span, "a range of so many elements");
                return;
            }
            for step in 1..=more {
                sink.repeat(&self.types, (mark, until), step * range.size);
            }
            // Elements after this one follow the last of the range.
            if let Some(level) = stack.get_mut(range.depth) {
                level.skip(more);
            }
            for level in stack.iter_mut().skip(range.depth + 1) {
                level.offset += more * range.size;
            }
        }
    }
}
