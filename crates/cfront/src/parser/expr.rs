//! The grammar of expressions, from the comma down to unary operators.

use super::{Parsed, Parser, Word};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::token::{Keyword, Punct, TokenKind};
use base::Span;

/// How tightly an operator binds; higher is tighter. Zero is no operator.
fn precedence(punct: Punct) -> (u8, BinaryOp) {
    match punct {
        Punct::PipePipe => (1, BinaryOp::LogicalOr),
        Punct::AmpAmp => (2, BinaryOp::LogicalAnd),
        Punct::Pipe => (3, BinaryOp::Or),
        Punct::Caret => (4, BinaryOp::Xor),
        Punct::Amp => (5, BinaryOp::And),
        Punct::EqEq => (6, BinaryOp::Eq),
        Punct::BangEq => (6, BinaryOp::Ne),
        Punct::Lt => (7, BinaryOp::Lt),
        Punct::Le => (7, BinaryOp::Le),
        Punct::Gt => (7, BinaryOp::Gt),
        Punct::Ge => (7, BinaryOp::Ge),
        Punct::Shl => (8, BinaryOp::Shl),
        Punct::Shr => (8, BinaryOp::Shr),
        Punct::Plus => (9, BinaryOp::Add),
        Punct::Minus => (9, BinaryOp::Sub),
        Punct::Star => (10, BinaryOp::Mul),
        Punct::Slash => (10, BinaryOp::Div),
        Punct::Percent => (10, BinaryOp::Rem),
        _ => (0, BinaryOp::Comma),
    }
}

/// The operation of a compound assignment.
fn compound(punct: Punct) -> Option<BinaryOp> {
    let is_comparison = matches!(punct, Punct::EqEq | Punct::BangEq | Punct::Le | Punct::Ge);
    let sign = punct.name().strip_suffix('=').filter(|_| !is_comparison);
    sign.and_then(BinaryOp::of_name)
}

impl Parser<'_> {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut expr = self.assignment_expression()?;
        while self.at(Punct::Comma) {
            let next = self.right_operand(Self::assignment_expression)?;
            expr = self.comma(expr, next);
        }
        Ok(expr)
    }

    /// An expression without commas.
    pub(super) fn assignment_expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let target = parser.conditional_expression()?;
            let TokenKind::Punct(punct) = parser.peek() else {
                return Ok(target);
            };
            let op = compound(punct);
            if punct != Punct::Assign && op.is_none() {
                return Ok(target);
            }
            let value = parser.right_operand(Self::assignment_expression)?;
            Ok(match op {
                Some(op) => parser.assign_op(op, target, value),
                None => parser.assign(target, value),
            })
        })
    }

    /// The operator that stands here, and the operand behind it.
    fn right_operand(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Expr>) -> Parsed<Expr> {
        let height = self.height;
        self.advance();
        let operand = read(self)?;
        self.grow(height.max(self.height) + 2, operand.span)?;
        Ok(operand)
    }

    /// An expression without commas and assignments.
    pub(super) fn conditional_expression(&mut self) -> Parsed<Expr> {
        let condition = self.implication()?;
        if !self.at(Punct::Question) {
            return Ok(condition);
        }
        let mut height = self.height;
        let question = self.advance().span;
        let then = if self.at(Punct::Colon) {
            None
        } else {
            let then = self.expression()?;
            height = height.max(self.height);
            Some(then)
        };
        self.close(Punct::Colon, question, "'?'")?;
        let otherwise = self.nested(Self::conditional_expression)?;
        self.grow(height.max(self.height) + 2, otherwise.span)?;
        Ok(self.conditional(condition, then, otherwise))
    }

    /// `a ==> b`, as CBMC has it: `!a || b`, from right to left.
    fn implication(&mut self) -> Parsed<Expr> {
        let left = self.binary_expression(1)?;
        if !self.at_implication() {
            return Ok(left);
        }
        let right = self.right_operand(|parser| {
            parser.advance();
            parser.nested(Self::implication)
        })?;
        let span = left.span;
        let denied = self.unary(Some(UnaryOp::LogicalNot), left, span);
        Ok(self.binary(BinaryOp::LogicalOr, denied, right))
    }

    /// Binary operators that bind at least as tightly as `least`.
    fn binary_expression(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.cast_expression()?;
        while let TokenKind::Punct(punct) = self.peek() {
            let (strength, op) = precedence(punct);
            if strength == 0 || strength < least || self.at_implication() {
                break;
            }
            let right = self.right_operand(|parser| parser.binary_expression(strength + 1))?;
            left = self.binary(op, left, right);
        }
        Ok(left)
    }

    /// A cast, a compound literal or a unary expression.
    pub(super) fn cast_expression(&mut self) -> Parsed<Expr> {
        if !self.at(Punct::LParen) || !self.starts_type_name_at(1) {
            return self.unary_expression();
        }
        let open = self.advance().span;
        let mark = self.lengths.len();
        let ty = self.type_name()?;
        let lengths = self.lengths.split_off(mark);
        let close = self.close(Punct::RParen, open, "the type")?;
        if self.at(Punct::LBrace) {
            let literal = self.compound_literal(ty, lengths, open.to(close))?;
            return self.postfix_suffixes(literal);
        }
        let operand = self.nested(Self::cast_expression)?;
        self.grow(self.height + 2 + lengths.len() as u32, operand.span)?;
        let span = open.to(operand.span);
        let cast = self.explicit_cast(ty, operand, span);
        Ok(self.with_lengths(lengths, cast))
    }

    /// A unary expression.
    pub(super) fn unary_expression(&mut self) -> Parsed<Expr> {
        match self.peek() {
            TokenKind::Punct(punct) => match punct {
                Punct::PlusPlus | Punct::MinusMinus => {
                    let start = self.advance().span;
                    let operand = self.nested(Self::unary_expression)?;
                    self.grow(self.height + 1, operand.span)?;
                    let span = start.to(operand.span);
                    Ok(self.increment(operand, punct == Punct::MinusMinus, false, span))
                }
                Punct::Amp | Punct::Star | Punct::Plus => {
                    let (operand, span) = self.operand()?;
                    Ok(match punct {
                        Punct::Amp => self.address_of(operand, span),
                        Punct::Star => self.deref(operand, span),
                        _ => self.unary(None, operand, span),
                    })
                }
                Punct::Minus => self.prefixed(UnaryOp::Neg),
                Punct::Tilde => self.prefixed(UnaryOp::BitNot),
                Punct::Bang => self.prefixed(UnaryOp::LogicalNot),
                Punct::AmpAmp => self.label_address(),
                _ => self.postfix_expression(),
            },
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::Sizeof => self.sizeof_expression(),
                Keyword::Alignof => self.alignof_expression(),
                Keyword::Extension => {
                    self.advance();
                    self.nested(Self::cast_expression)
                }
                Keyword::Real | Keyword::Imag => self.complex_part(),
                _ => self.postfix_expression(),
            },
            TokenKind::Ident(name) if self.word(name) == Some(Word::Alignof) => {
                self.alignof_expression()
            }
            _ => self.postfix_expression(),
        }
    }

    fn prefixed(&mut self, op: UnaryOp) -> Parsed<Expr> {
        let (operand, span) = self.operand()?;
        Ok(self.unary(Some(op), operand, span))
    }

    /// The operand of a prefix operator, and the span of both.
    pub(super) fn operand(&mut self) -> Parsed<(Expr, Span)> {
        let start = self.advance().span;
        let operand = self.nested(Self::cast_expression)?;
        self.grow(self.height + 2, operand.span)?;
        let span = start.to(operand.span);
        Ok((operand, span))
    }

    /// `&&label`
    fn label_address(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        let (name, end) = self.expect_name("a label after '&&'")?;
        let span = start.to(end);
        if self.function.is_none() {
            return Err(self.error(span, "'&&label' stands in no function"));
        }
        let label = self.label(name, span);
        self.state().body.labels[label].address_taken = true;
        self.height = 1;
        let ty = self.types.void_pointer();
        Ok(Expr::new(ExprKind::LabelAddress(label), ty, span))
    }
}
