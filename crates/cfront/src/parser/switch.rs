//! `switch` and its cases.

use super::{Parsed, Parser};
use crate::ast::{Case, Stmt, StmtKind};
use crate::token::{Punct, TokenKind};
use base::{Diagnostic, Span};
use logic::{IntType, IntValue};
use std::collections::BTreeMap;

/// A switch whose body is being read.
#[derive(Debug)]
pub(super) struct Switch {
    /// The type of its value.
    ty: IntType,
    /// Its cases so far.
    cases: Vec<Case>,
    /// Where `default` stands.
    default: Option<Span>,
    /// The region it is in: a case must not be in a deeper one.
    region: u32,
    /// The values taken: first to last and where, ordered as [`order`] has it.
    taken: BTreeMap<u128, (u128, Span)>,
}

impl Parser<'_> {
    /// `switch (value) body`
    pub(super) fn switch_statement(&mut self) -> Parsed<Stmt> {
        let start = self.advance().span;
        let open = self.expect(Punct::LParen, "after 'switch'")?;
        let value = self.expression()?;
        self.close(Punct::RParen, open, "the value of the switch")?;
        let mut value = self.value(value);
        if !self.is_error(value.ty.ty) && !self.types.is_integer(value.ty.ty) {
            self.wrong_type(value.span, "a switch needs an integer, not", value.ty);
            value = self.broken(value.span);
        }
        let value = self.promoted(value);
        let ty = self.types.scalar_int(value.ty.ty).unwrap_or(IntType::I32);
        let region = self.state().regions.current;
        self.state().switches.push(Switch {
            ty,
            cases: Vec::new(),
            default: None,
            region,
            taken: BTreeMap::new(),
        });
        self.state().breakable += 1;
        let body = self.nested(Self::substatement);
        self.state().breakable -= 1;
        let switch = self.state().switches.pop();
        let body = body?;
        let span = start.to(body.span);
        Ok(Stmt::new(
            StmtKind::Switch {
                value,
                cases: switch.map_or_else(Vec::new, |switch| switch.cases),
                body: Box::new(body),
            },
            span,
        ))
    }

    /// `case value:`, `case first ... last:` or `default:`; the position among the cases.
    pub(super) fn case_label(&mut self) -> Parsed<usize> {
        let start = self.advance();
        if start.kind == TokenKind::Keyword(crate::token::Keyword::Default) {
            self.expect(Punct::Colon, "after 'default'")?;
            return Ok(self.add_default(start.span));
        }
        let first = self.constant_expression("value of a case")?;
        let last = if self.eat(Punct::Ellipsis) {
            self.constant_expression("value of a case")?
        } else {
            first
        };
        let span = start.span.to(self.last_span());
        self.expect(Punct::Colon, "after the value of a case")?;
        Ok(match (first, last) {
            (Some(first), Some(last)) => self.add_case(first, last, span),
            _ => self.push_case(None, span),
        })
    }

    /// A case outside of a switch is reported and gets a place that is never read.
    fn push_case(&mut self, range: Option<(IntValue, IntValue)>, span: Span) -> usize {
        let region = self.state().regions.current;
        let Some(switch) = self.state().switches.last_mut() else {
            self.error(span, "a case label stands in no switch");
            return 0;
        };
        let index = switch.cases.len();
        switch.cases.push(Case { range, span });
        let from = switch.region;
        self.check_jump(from, region, span);
        index
    }

    fn add_default(&mut self, span: Span) -> usize {
        if let Some(switch) = self.state().switches.last_mut()
            && let Some(other) = switch.default.replace(span)
        {
            let diagnostic = Diagnostic::error(span, "two default labels in one switch");
            self.report(diagnostic.note(other, "the other one is here"));
        }
        self.push_case(None, span)
    }

    fn add_case(&mut self, first: IntValue, last: IntValue, span: Span) -> usize {
        let Some(switch) = self.state().switches.last_mut() else {
            return self.push_case(None, span);
        };
        let (first, last) = (first.convert(switch.ty), last.convert(switch.ty));
        let (low, high) = (order(first), order(last));
        if low > high {
            self.warn(span, "the range of this case is empty");
            return self.push_case(Some((first, last)), span);
        }
        let overlap = switch
            .taken
            .range(..=high)
            .next_back()
            .filter(|&(_, &(end, _))| end >= low)
            .map(|(_, &(_, other))| other);
        match overlap {
            Some(other) => {
                let diagnostic = Diagnostic::error(span, "duplicate case value");
                self.report(diagnostic.note(other, "already used here"));
            }
            None => {
                switch.taken.insert(low, (high, span));
            }
        }
        self.push_case(Some((first, last)), span)
    }
}

/// A key that is ordered as the values are.
fn order(value: IntValue) -> u128 {
    let sign = 1 << 127;
    match value.to_i128() {
        Some(wide) if value.ty().signed => wide as u128 ^ sign,
        _ => value.bits(),
    }
}
