//! Names, constants, and everything in parentheses or braces of its own.

use super::scope::Entity;
use super::{Parsed, Parser, Word};
use crate::ast::{
    Block, Complex, Expr, ExprKind, Global, Linkage, LocalDecl, LocalId, Stmt, StmtKind,
};
use crate::literal;
use crate::token::{Keyword, Punct, Symbol, TokenKind};
use crate::types::{ArrayLen, FloatKind, IntKind, QualType, Qualifiers, TypeId};
use base::{Diagnostic, Span};
use logic::IntValue;

/// Words that people misspell where a statement starts.
const STATEMENTS: &[Keyword] = {
    use Keyword::*;
    &[
        Return, While, Switch, Break, Continue, Default, Goto, Else, Sizeof,
    ]
};

impl Parser<'_> {
    /// A primary expression.
    pub(super) fn primary_expression(&mut self) -> Parsed<Expr> {
        let span = self.span();
        self.height = 1;
        match self.peek() {
            TokenKind::Ident(name) => {
                self.advance();
                self.identifier(name, span)
            }
            TokenKind::Int => Ok(self.int_literal()),
            TokenKind::Char => Ok(self.char_literal()),
            TokenKind::Float => Ok(self.float_literal()),
            TokenKind::String => Ok(self.string_literal()),
            TokenKind::Punct(Punct::LParen) => {
                if self.peek_at(1) == TokenKind::Punct(Punct::LBrace) {
                    return self.statement_expression();
                }
                let open = self.advance().span;
                let expr = self.expression()?;
                let close = self.close(Punct::RParen, open, "this parenthesis")?;
                Ok(Expr {
                    span: open.to(close),
                    ..expr
                })
            }
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::FuncName => {
                    self.advance();
                    Ok(self.function_name(span))
                }
                Keyword::Generic => self.generic_selection(),
                Keyword::BuiltinVaArg => self.va_arg(),
                Keyword::BuiltinOffsetof => self.offset_of(),
                Keyword::BuiltinTypesCompatible => self.types_compatible(),
                Keyword::BuiltinChooseExpr => self.choose_expression(),
                _ => Err(self.unexpected("an expression")),
            },
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn identifier(&mut self, name: Symbol, span: Span) -> Parsed<Expr> {
        let Some(entry) = self.ordinary.get(name) else {
            return self.undeclared(name, span);
        };
        let (kind, ty) = match entry.entity {
            Entity::Local(id, ty) => (ExprKind::Local(id), ty),
            Entity::Global(id, ty) => (ExprKind::Global(id), ty),
            Entity::Function(id, ty) => (ExprKind::Function(id), ty.into()),
            Entity::Enumerator(value, ty) => (ExprKind::Int(value), ty.into()),
            Entity::Broken => return Ok(self.broken(span)),
            Entity::Typedef(..) => {
                let text = self.names.text(name).clone();
                let message = format!("'{text}' is a type, not a value");
                return Err(self.error(span, message));
            }
        };
        Ok(Expr { kind, ty, span })
    }

    fn undeclared(&mut self, name: Symbol, span: Span) -> Parsed<Expr> {
        match self.word(name) {
            Some(Word::True) => return Ok(self.int_constant(1, span)),
            Some(Word::False) => return Ok(self.int_constant(0, span)),
            Some(Word::Nullptr) => {
                let target = self.types.void_pointer();
                let zero = self.int_constant(0, span);
                return Ok(self.explicit_cast(target.into(), zero, span));
            }
            _ => {}
        }
        let text = self.names.text(name).clone();
        if text.starts_with("__") {
            if let Some(expr) = self.builtin(&text, span)? {
                return Ok(expr);
            }
            if let Some(expr) = self.quantifier(&text, span)? {
                return Ok(expr);
            }
        }
        if self.at(Punct::LParen) {
            return Ok(self.implicit_function(name, span));
        }
        if let Some(state) = &mut self.function
            && !state.undeclared.insert(name)
        {
            return Ok(self.broken(span));
        }
        let message = format!("'{text}' is not declared");
        let mut diagnostic = Diagnostic::error(span, message);
        let value = |entity: &Entity| !matches!(entity, Entity::Typedef(..) | Entity::Broken);
        if let Some(near) = self.nearest(name, STATEMENTS, value) {
            diagnostic = diagnostic.help(format!("did you mean '{near}'?"));
        }
        self.report(diagnostic);
        Ok(self.broken(span))
    }

    fn int_literal(&mut self) -> Expr {
        let span = self.advance().span;
        if let Some(factor) = literal::imaginary(self.spelling(span))
            && literal::int(&factor, &self.types).is_ok()
        {
            // Its type is a complex integer, for which we have none.
            self.unsupported(span, "complex integers");
            return self.imaginary(0.0, FloatKind::Double, span);
        }
        self.integer(literal::int(self.spelling(span), &self.types), span)
    }

    fn char_literal(&mut self) -> Expr {
        let span = self.advance().span;
        self.integer(literal::character(self.spelling(span), &self.types), span)
    }

    fn integer(&mut self, read: Result<(IntValue, IntKind), String>, span: Span) -> Expr {
        match read {
            Ok((value, kind)) => Expr::new(ExprKind::Int(value), self.types.int_kind(kind), span),
            Err(message) => self.bad_literal(span, message),
        }
    }

    fn float_literal(&mut self) -> Expr {
        let span = self.advance().span;
        if let Some(factor) = literal::imaginary(self.spelling(span))
            && let Ok((value, kind)) = literal::float(&factor)
        {
            return self.imaginary(value, kind, span);
        }
        match literal::float(self.spelling(span)) {
            Ok((value, kind)) => {
                Expr::new(ExprKind::Float(value), self.types.float_kind(kind), span)
            }
            Err(message) => self.bad_literal(span, message),
        }
    }

    fn imaginary(&mut self, factor: f64, kind: FloatKind, span: Span) -> Expr {
        let ty = self.types.complex_kind(kind);
        let part = self.types.float_kind(kind);
        let factor = Expr::new(ExprKind::Float(factor), part, span);
        self.complex_node(Complex::Imaginary, vec![factor], ty, span)
    }

    fn bad_literal(&mut self, span: Span, message: String) -> Expr {
        // The lexer may have said it already.
        if !self.diagnostics.iter().any(|said| said.span == span) {
            self.error(span, message);
        }
        self.broken(span)
    }

    /// Adjacent strings, joined.
    fn string_literal(&mut self) -> Expr {
        let start = self.span();
        let first = self.position;
        while self.peek() == TokenKind::String {
            self.advance();
        }
        let span = start.to(self.last_span());
        let pieces: Vec<&[u8]> = self.tokens[first..self.position]
            .iter()
            .map(|token| self.spelling(token.span))
            .collect();
        match literal::string(&pieces, &self.types) {
            Ok((literal, kind)) => {
                let element = self.types.int_kind(kind);
                self.string_of(literal, element.into(), span)
            }
            Err(message) => self.bad_literal(span, message),
        }
    }

    fn string_of(
        &mut self,
        literal: crate::ast::StringLiteral,
        element: QualType,
        span: Span,
    ) -> Expr {
        let count = literal.bytes.len() as u64 / u64::from(literal.width.max(1));
        let (strings, known) = (&mut self.strings, self.string_ids.entry(literal));
        let id = *known.or_insert_with_key(|literal| strings.push(literal.clone()));
        let ty = self.types.array_of(element, ArrayLen::Known(count));
        Expr::new(ExprKind::String(id), ty, span)
    }

    /// `__func__` and its kin.
    fn function_name(&mut self, span: Span) -> Expr {
        let name = match &self.function {
            Some(state) => state.name.clone(),
            None => {
                self.warn(span, "'__func__' stands in no function");
                "".into()
            }
        };
        let mut bytes = name.as_bytes().to_vec();
        bytes.push(0);
        let element = QualType {
            ty: self.types.char(),
            quals: Qualifiers::CONST,
        };
        let literal = crate::ast::StringLiteral { bytes, width: 1 };
        self.string_of(literal, element, span)
    }

    /// `({ … })`
    fn statement_expression(&mut self) -> Parsed<Expr> {
        let open = self.span();
        if self.function.is_none() || !self.prototypes.is_empty() {
            let message = "a statement expression stands in no function";
            return Err(self.error(open, message));
        }
        self.advance();
        let lengths = std::mem::take(&mut self.lengths);
        let tallest = std::mem::take(&mut self.tallest);
        let region = self.state().regions.current;
        self.state().regions.enter("a statement expression", open);
        let block = self.nested(Self::block);
        self.state().regions.current = region;
        self.lengths = lengths;
        let inner = std::mem::replace(&mut self.tallest, tallest);
        let mut block = block?;
        let close = self.close(Punct::RParen, open, "the statement expression")?;
        self.grow(inner + 3, open)?;
        let ty = self.block_value(&mut block);
        Ok(Expr::new(
            ExprKind::Statement(Box::new(block)),
            ty,
            open.to(close),
        ))
    }

    /// The type of a block's value, which its last statement is made to give.
    fn block_value(&mut self, block: &mut Block) -> TypeId {
        // Empty statements at the end do not count, and `label: value;` gives its value too.
        while let Some(Stmt {
            kind: StmtKind::Empty,
            ..
        }) = block.stmts.last()
        {
            block.stmts.pop();
        }
        while let Some(last) = block.stmts.last_mut() {
            let span = last.span;
            let (StmtKind::Label { body, .. } | StmtKind::Case { body, .. }) = &mut last.kind
            else {
                break;
            };
            let empty = Stmt::new(StmtKind::Empty, span);
            let inner = std::mem::replace(&mut **body, empty);
            block.stmts.push(inner);
        }
        let Some(Stmt {
            kind: StmtKind::Expr(expr),
            ..
        }) = block.stmts.last_mut()
        else {
            return self.types.void();
        };
        let span = expr.span;
        let taken = std::mem::replace(expr, self.broken(span));
        *expr = self.value(taken);
        expr.ty.ty
    }

    /// `(type){ … }`
    pub(super) fn compound_literal(
        &mut self,
        ty: QualType,
        lengths: Vec<(LocalId, Expr)>,
        start: Span,
    ) -> Parsed<Expr> {
        if self.types.is_variable_array(ty.ty) {
            self.error(start, "a compound literal has no variable length");
        } else if self.types.is_void(ty.ty) || self.types.is_function(ty.ty) {
            self.wrong_type(start, "a compound literal cannot be", ty);
        }
        let at_file_scope = self.function.is_none();
        let (init, full) = self.initializer(ty, at_file_scope)?;
        let span = start.to(init.span);
        let object = QualType { ty: full, ..ty };
        let seen = self.named_type(ty, full);
        if at_file_scope {
            self.hidden += 1;
            let name = format!(".literal.{}", self.hidden).into();
            let id = self.globals.push(Global {
                name,
                ty: object,
                linkage: Linkage::Internal,
                defined: true,
                init: Some(init),
                align: None,
                span,
            });
            return Ok(Expr::new(ExprKind::Global(id), seen, span));
        }
        let hidden = self.names.intern("");
        let local = self.new_local(hidden, object, None, span);
        Ok(Expr::new(
            ExprKind::CompoundLiteral(Box::new(LocalDecl {
                local,
                lengths,
                init: Some(init),
            })),
            seen,
            span,
        ))
    }

    /// `_Generic(value, type: result, …, default: result)`
    fn generic_selection(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        let open = self.expect(Punct::LParen, "after '_Generic'")?;
        let control = self.unevaluated(Self::assignment_expression)?;
        let control = self.value(control);
        let control = control.ty.ty;
        let mut chosen: Option<(Expr, u32)> = None;
        let mut default: Option<(Expr, u32)> = None;
        while self.eat(Punct::Comma) {
            let span = self.span();
            let matches = if self.eat_keyword(Keyword::Default) {
                None
            } else {
                let ty = self.unevaluated(Self::type_name)?;
                let same = ty.quals == Qualifiers::NONE && self.types.compatible(ty.ty, control);
                Some(same)
            };
            self.expect(Punct::Colon, "after the type")?;
            let result = self.assignment_expression()?;
            match matches {
                None if default.is_some() => {
                    self.error(span, "two default results");
                }
                None => default = Some((result, self.height)),
                Some(true) if chosen.is_some() => {
                    self.error(span, "two results for compatible types");
                }
                Some(true) => chosen = Some((result, self.height)),
                Some(false) => {}
            }
        }
        let close = self.close(Punct::RParen, open, "'_Generic'")?;
        let span = start.to(close);
        match chosen.or(default) {
            Some((expr, height)) => {
                self.height = height;
                Ok(Expr { span, ..expr })
            }
            None => {
                if !self.is_error(control) {
                    self.wrong_type(span, "'_Generic' has no result for", control);
                }
                Ok(self.broken(span))
            }
        }
    }
}
