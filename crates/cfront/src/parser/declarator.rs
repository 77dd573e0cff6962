//! Declarators: the syntax around a name, and the type it denotes.
//!
//! A declarator is read into a list of chunks, from the name outwards, because its type can only be
//! built from the other end.

use super::attribute::Attributes;
use super::params::Params;
use super::scope::Entity;
use super::{MAX_NESTING, Parsed, Parser};
use crate::ast::visit::any_in;
use crate::ast::{Expr, ExprKind, Local, LocalId};
use crate::token::{Keyword, Punct, Symbol, TokenKind};
use crate::types::{ArrayLen, QualType, Qualifiers, Type};
use base::Span;
use smallvec::SmallVec;

/// Whether a name stands in the declarator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// It must.
    Named,
    /// It must not.
    Abstract,
    /// It may: a parameter.
    Either,
    /// It may be missing before `:`: a member.
    Member,
}

/// One layer of a type.
#[derive(Debug)]
pub(super) enum Chunk {
    /// `*`, and the alignment that attributes behind it ask for.
    Pointer(Qualifiers, Option<u64>),
    /// `[…]`
    Array(ArraySize, Qualifiers, Span),
    /// `(…)`
    Function(Box<Params>, Span),
}

/// What stands between `[` and `]`.
#[derive(Debug)]
pub(super) enum ArraySize {
    /// Nothing, or `*`.
    Open,
    /// A constant.
    Known(u64),
    /// An expression of type `size_t`.
    Variable(Box<Expr>),
    /// It was wrong and has been reported.
    Broken,
}

/// The layers, from the name outwards.
pub(super) type Chunks = SmallVec<[Chunk; 2]>;

/// A declarator.
#[derive(Debug)]
pub(super) struct Declarator {
    /// The name declared.
    pub(super) name: Option<(Symbol, Span)>,
    /// The layers of its type.
    pub(super) chunks: Chunks,
    /// Attributes among and behind them.
    pub(super) attributes: Attributes,
    /// From the first to the last token.
    pub(super) span: Span,
}

impl Declarator {
    /// The alignment of what is declared, where attributes say that of its type; `base` is what
    /// they say of the base type. Arrays have that of their elements.
    pub(super) fn type_align(&self, base: Option<u64>) -> Option<u64> {
        let is_array = |chunk: &&Chunk| matches!(chunk, Chunk::Array(..));
        match self.chunks.iter().find(|chunk| !is_array(chunk)) {
            None => base,
            Some(Chunk::Pointer(_, align)) => *align,
            Some(Chunk::Array(..) | Chunk::Function(..)) => None,
        }
    }

    /// Whether what is declared is a function.
    pub(super) fn params(&self) -> Option<&Params> {
        match self.chunks.first() {
            Some(Chunk::Function(params, _)) => Some(params),
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// A declarator, without what follows it.
    pub(super) fn declarator(&mut self, form: Form) -> Parsed<Declarator> {
        let start = self.span();
        let mut declarator = Declarator {
            name: None,
            chunks: Chunks::new(),
            attributes: Attributes::default(),
            span: start,
        };
        if let Err(reported) = self.declarator_into(&mut declarator, form) {
            // Uses of what could not be declared are not worth a second message.
            if let Some((name, span)) = declarator.name
                && form == Form::Named
            {
                self.ordinary.insert(name, Entity::Broken, span);
            }
            return Err(reported);
        }
        let end = self.last_span();
        if end.hi > start.lo {
            declarator.span = start.to(end);
        }
        Ok(declarator)
    }

    /// A declarator with the assembler name and attributes that may follow it.
    pub(super) fn full_declarator(&mut self, form: Form) -> Parsed<Declarator> {
        let mut declarator = self.declarator(form)?;
        if self.eat_keyword(Keyword::Asm) {
            declarator.attributes.asm_name = self.asm_text()?;
        }
        self.attributes_into(&mut declarator.attributes)?;
        Ok(declarator)
    }

    fn declarator_into(&mut self, declarator: &mut Declarator, form: Form) -> Parsed<()> {
        let mut pointers: SmallVec<[(Qualifiers, Option<u64>); 2]> = SmallVec::new();
        loop {
            if self.at(Punct::Star) {
                let span = self.advance().span;
                let mut attributes = Attributes::default();
                let quals = self.qualifiers(&mut attributes)?;
                pointers.push((quals, attributes.last_align));
                if pointers.len() + declarator.chunks.len() > MAX_NESTING as usize {
                    return Err(self.error(span, "declarator is nested too deeply"));
                }
            } else if self.at_keyword(Keyword::Attribute) || self.at_standard_attribute() {
                self.attributes_into(&mut declarator.attributes)?;
            } else if self.at_keyword(Keyword::Extension) {
                self.advance();
            } else {
                break;
            }
        }
        self.direct_declarator(declarator, form)?;
        let chunks = pointers.into_iter().rev();
        let chunks = chunks.map(|(quals, align)| Chunk::Pointer(quals, align));
        declarator.chunks.extend(chunks);
        Ok(())
    }

    fn direct_declarator(&mut self, declarator: &mut Declarator, form: Form) -> Parsed<()> {
        match self.peek() {
            TokenKind::Ident(name) if form != Form::Abstract => {
                declarator.name = Some((name, self.advance().span));
            }
            TokenKind::Punct(Punct::LParen) if self.parenthesis_nests(form) => {
                let open = self.advance().span;
                self.nested(|parser| parser.declarator_into(declarator, form))?;
                self.close(Punct::RParen, open, "the declarator")?;
            }
            _ if form == Form::Named => {
                return Err(self.unexpected("a name"));
            }
            TokenKind::Punct(Punct::Colon) => {}
            _ if form == Form::Member => {
                return Err(self.unexpected("the name of a member"));
            }
            _ => {}
        }
        self.suffixes(declarator)
    }

    /// Whether a parenthesis groups a declarator rather than opening parameters.
    fn parenthesis_nests(&self, form: Form) -> bool {
        match form {
            Form::Named | Form::Member => true,
            Form::Abstract | Form::Either => match self.peek_at(1) {
                TokenKind::Punct(Punct::Star | Punct::LParen) => true,
                TokenKind::Punct(Punct::LBracket) => true,
                // A type behind attributes: parameters, not a declarator.
                TokenKind::Keyword(Keyword::Attribute) => {
                    !self.starts_type_name_at(self.after_attributes(1))
                }
                TokenKind::Ident(name) => form == Form::Either && !self.is_type_word(name),
                _ => false,
            },
        }
    }

    fn is_type_word(&self, name: Symbol) -> bool {
        self.is_typedef(name)
            || self.word(name).is_some()
            || self.ordinary.get(name).is_none() && {
                // `f(unknown_t x)`: two names in a row are a type and a name.
                matches!(self.peek_at(2), TokenKind::Ident(_))
            }
    }

    fn suffixes(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        loop {
            if declarator.chunks.len() > MAX_NESTING as usize {
                let span = self.span();
                return Err(self.error(span, "declarator is nested too deeply"));
            }
            match self.peek() {
                TokenKind::Punct(Punct::LBracket) => {
                    if self.at_standard_attribute() {
                        self.attributes_into(&mut declarator.attributes)?;
                        continue;
                    }
                    let chunk = self.nested(Self::array_suffix)?;
                    declarator.chunks.push(chunk);
                }
                TokenKind::Punct(Punct::LParen) => {
                    let open = self.span();
                    let params = self.nested(Self::parameters)?;
                    let span = open.to(self.last_span());
                    declarator
                        .chunks
                        .push(Chunk::Function(Box::new(params), span));
                }
                _ => return Ok(()),
            }
        }
    }

    /// `[…]`
    fn array_suffix(&mut self) -> Parsed<Chunk> {
        let open = self.advance().span;
        let mut ignored = Attributes::default();
        let mut quals = self.qualifiers(&mut ignored)?;
        if self.eat_keyword(Keyword::Static) {
            quals = quals.union(self.qualifiers(&mut ignored)?);
        }
        let star = self.at(Punct::Star) && self.peek_at(1) == TokenKind::Punct(Punct::RBracket);
        let size = if star {
            let span = self.advance().span;
            if self.prototypes.is_empty() {
                self.error(span, "'[*]' stands in no prototype");
            }
            ArraySize::Open
        } else if self.at(Punct::RBracket) {
            ArraySize::Open
        } else {
            let size = self.assignment_expression()?;
            self.array_size(size)
        };
        let close = self.close(Punct::RBracket, open, "the array size")?;
        Ok(Chunk::Array(size, quals, open.to(close)))
    }

    fn array_size(&mut self, size: Expr) -> ArraySize {
        let size = self.value(size);
        if self.is_error(size.ty.ty) {
            return ArraySize::Broken;
        }
        if !self.types.is_integer(size.ty.ty) {
            self.error(size.span, "size of array has non-integer type");
            return ArraySize::Broken;
        }
        match self.fold_integer(&size) {
            Some(value) if value.is_negative() => {
                self.error(size.span, "size of array is negative");
                ArraySize::Broken
            }
            Some(value) => match value.to_u64() {
                Some(count) => ArraySize::Known(count),
                None => {
                    self.error(size.span, "size of array is too large");
                    ArraySize::Broken
                }
            },
            None => {
                let target = self.types.size_t();
                ArraySize::Variable(Box::new(self.implicit(size, target)))
            }
        }
    }

    /// The type that the chunks make of a base type.
    pub(super) fn declared_type(
        &mut self,
        base: QualType,
        chunks: Chunks,
        is_parameter: bool,
    ) -> QualType {
        let mut ty = self.qualified(base.ty, base.quals);
        let last = chunks.len();
        for (index, chunk) in chunks.into_iter().rev().enumerate() {
            let outermost = index + 1 == last;
            ty = match chunk {
                Chunk::Pointer(quals, _) => QualType {
                    ty: self.types.pointer_to(ty),
                    quals,
                },
                Chunk::Array(size, quals, span) => {
                    self.array_type(ty, size, quals, span, is_parameter && outermost)
                }
                Chunk::Function(params, span) => self.function_type(ty, &params, span),
            };
        }
        ty
    }

    /// A type with further qualifiers; those of an array are its elements'.
    pub(super) fn qualified(&mut self, ty: crate::types::TypeId, quals: Qualifiers) -> QualType {
        if quals == Qualifiers::NONE {
            return ty.into();
        }
        let mut layers = SmallVec::<[ArrayLen; 4]>::new();
        let mut core: QualType = ty.into();
        while let &Type::Array(element, len) = self.types.get(core.ty) {
            layers.push(len);
            core = element;
        }
        core.quals = core.quals.union(quals);
        for len in layers.into_iter().rev() {
            core = self.types.array_of(core, len).into();
        }
        core
    }

    fn array_type(
        &mut self,
        element: QualType,
        size: ArraySize,
        quals: Qualifiers,
        span: Span,
        adjusted: bool,
    ) -> QualType {
        let error: QualType = self.error.into();
        if self.types.is_function(element.ty) {
            self.error(span, "array of functions");
            return error;
        }
        if !self.types.is_complete(element.ty) && !self.is_error(element.ty) {
            // In a prototype, `[*]` may stand inside another array.
            let inner_open = !self.prototypes.is_empty() && self.types.is_array(element.ty);
            if !inner_open {
                self.wrong_type(span, "array elements have the incomplete type", element);
                return error;
            }
        }
        let len = match size {
            ArraySize::Broken => return error,
            ArraySize::Open => ArrayLen::Unknown,
            ArraySize::Known(count) => ArrayLen::Known(count),
            ArraySize::Variable(length) if adjusted && !has_effects(&length) => ArrayLen::Unknown,
            ArraySize::Variable(length) => match self.hold_length(*length, span) {
                Some(len) => len,
                None => return error,
            },
        };
        if adjusted {
            return QualType {
                ty: self.types.pointer_to(element),
                quals,
            };
        }
        let ty = self.types.array_of(element, len);
        if matches!(len, ArrayLen::Known(_))
            && self.types.size_of(ty).is_none()
            && self.types.size_of(element.ty).is_some()
        {
            self.error(span, "size of array is too large");
            return error;
        }
        ty.into()
    }

    /// Keeps the length of a variable array in a hidden local.
    fn hold_length(&mut self, length: Expr, span: Span) -> Option<ArrayLen> {
        let local = Local {
            name: "".into(),
            ty: self.types.size_t().into(),
            align: None,
            span,
        };
        let id = if let Some(function) = &mut self.function
            && self.prototypes.is_empty()
        {
            function.body.locals.push(local)
        } else if self.prototypes.is_empty() {
            self.error(span, "variable-length array at file scope");
            return None;
        } else if self.function.is_none() && self.prototypes.len() == 1 {
            self.hold_in_prototype(local)
        } else {
            // A prototype that can be no definition: the length does not matter.
            return Some(ArrayLen::Unknown);
        };
        self.lengths.push((id, length));
        Some(ArrayLen::Variable(id))
    }

    fn function_type(&mut self, ret: QualType, params: &Params, span: Span) -> QualType {
        if self.types.is_function(ret.ty) {
            self.error(span, "a function cannot return a function");
            return self.error.into();
        }
        if self.types.is_array(ret.ty) {
            self.error(span, "a function cannot return an array");
            return self.error.into();
        }
        self.types
            .intern(Type::Function(params.function(ret)))
            .into()
    }

    /// Assignments of pending lengths, in order, before `expr`.
    pub(super) fn with_lengths(&mut self, lengths: Vec<(LocalId, Expr)>, expr: Expr) -> Expr {
        lengths.into_iter().rev().fold(expr, |expr, length| {
            let span = expr.span;
            let ty = expr.ty.ty;
            let set = Box::new(self.set_length(length));
            let kind = ExprKind::Binary(crate::ast::BinaryOp::Comma, set, Box::new(expr));
            Expr::new(kind, ty, span)
        })
    }

    /// `hidden = length`
    pub(super) fn set_length(&mut self, (local, length): (LocalId, Expr)) -> Expr {
        let ty: QualType = self.types.size_t().into();
        let span = length.span;
        let target = Expr::new(ExprKind::Local(local), ty, span);
        Expr::new(
            ExprKind::Assign(Box::new(target), Box::new(length)),
            ty,
            span,
        )
    }
}

/// Whether evaluating an expression may do more than give a value.
pub(super) fn has_effects(expr: &Expr) -> bool {
    use ExprKind::*;
    any_in(expr, |expr| match &expr.kind {
        Int(_)
        | Float(_)
        | String(_)
        | Global(_)
        | Local(_)
        | Function(_)
        | LabelAddress(_)
        | SizeofVariable(_)
        | Deref(_)
        | AddressOf(_)
        | Unary(..)
        | Member { .. }
        | Cast(..)
        | Binary(..)
        | Conditional { .. } => false,
        Increment { .. } | Assign(..) | AssignOp { .. } | Call { .. } | Builtin { .. } => true,
        CompoundLiteral(_) | Statement(_) | VaArg(_) => true,
    })
}
