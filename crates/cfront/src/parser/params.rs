//! Parameter lists.
//!
//! # Invariants
//! - In the outermost list of a declaration at file scope, parameter `i` is the local `i` of the
//!   function that may be defined, and hidden lengths follow the parameters. Names in the list
//!   can so be used in lengths before we know whether a body follows.

use super::declarator::Form;
use super::scope::{Entity, Entry, Tag};
use super::specifier::Storage;
use super::{Parsed, Parser};
use crate::ast::{Expr, Local, LocalId};
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};
use crate::types::{FunctionType, QualType, Type};
use base::{Id, Span};

/// A parameter list that is open.
#[derive(Debug)]
pub(super) struct Prototype {
    /// The token after its parenthesis.
    start: usize,
    /// How many parameters it has, once counted.
    count: Option<usize>,
    /// Locals that hold lengths.
    hidden: Vec<Local>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(super) struct Param {
    /// Its name.
    pub(super) name: Option<(Symbol, Span)>,
    /// Its type, adjusted.
    pub(super) ty: QualType,
    /// Its location.
    pub(super) span: Span,
}

/// A parameter list.
#[derive(Default, Debug)]
pub(super) struct Params {
    /// The parameters of a prototype.
    pub(super) list: Vec<Param>,
    /// `...`
    pub(super) variadic: bool,
    /// Whether there are types at all.
    pub(super) prototype: bool,
    /// The names of an old-style definition.
    pub(super) identifiers: Vec<(Symbol, Span)>,
    /// Locals that hold lengths; they come after the parameters.
    pub(super) hidden: Vec<Local>,
    /// What they hold.
    pub(super) lengths: Vec<(LocalId, Expr)>,
    /// Tags declared in the list.
    pub(super) tags: Vec<Entry<Tag>>,
    /// Enumeration constants declared in the list.
    pub(super) constants: Vec<Entry<Entity>>,
}

impl Params {
    /// The type of a function with these parameters.
    pub(super) fn function(&self, ret: QualType) -> FunctionType {
        FunctionType {
            // Qualifiers of a result mean nothing.
            ret: ret.ty.into(),
            params: self.list.iter().map(|param| param.ty).collect(),
            variadic: self.variadic,
            prototype: self.prototype,
        }
    }
}

impl Parser<'_> {
    /// `( … )` after a declarator.
    pub(super) fn parameters(&mut self) -> Parsed<Params> {
        let open = self.expect(Punct::LParen, "before the parameters")?;
        if self.eat(Punct::RParen) {
            return Ok(Params::default());
        }
        if self.at_identifier_list() {
            return self.identifier_list(open);
        }
        self.open_scope();
        self.prototypes.push(Prototype {
            start: self.position,
            count: None,
            hidden: Vec::new(),
        });
        let mark = self.lengths.len();
        let result = self.parameter_list(open);
        let lengths = self.lengths.split_off(mark);
        let prototype = self.prototypes.pop();
        let mut constants = self.ordinary.leave();
        constants.retain(|entry| matches!(entry.entity, Entity::Enumerator(..)));
        let tags = self.tags.leave();
        Ok(Params {
            hidden: prototype.map_or_else(Vec::new, |prototype| prototype.hidden),
            lengths,
            tags,
            constants,
            ..result?
        })
    }

    fn at_identifier_list(&self) -> bool {
        match self.peek() {
            TokenKind::Ident(name) => {
                !self.is_typedef(name)
                    && self.word(name).is_none()
                    && matches!(
                        self.peek_at(1),
                        TokenKind::Punct(Punct::Comma | Punct::RParen)
                    )
            }
            _ => false,
        }
    }

    fn identifier_list(&mut self, open: Span) -> Parsed<Params> {
        let mut params = Params::default();
        while let TokenKind::Ident(name) = self.peek() {
            let span = self.advance().span;
            params.identifiers.push((name, span));
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        let close = self.close(Punct::RParen, open, "the parameters")?;
        if matches!(self.peek(), TokenKind::Punct(_)) && !self.at(Punct::LBrace) {
            let message = "parameter names without types, and no definition";
            self.warn(open.to(close), message);
        }
        Ok(params)
    }

    fn parameter_list(&mut self, open: Span) -> Parsed<Params> {
        let mut params = Params {
            prototype: true,
            ..Params::default()
        };
        loop {
            if self.at(Punct::Ellipsis) {
                let span = self.advance().span;
                if params.list.is_empty() {
                    self.error(span, "a parameter must stand before '...'");
                }
                params.variadic = true;
                break;
            }
            let param = self.parameter(params.list.len())?;
            params.list.push(param);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.close(Punct::RParen, open, "the parameters")?;
        self.lone_void(&mut params);
        Ok(params)
    }

    /// `(void)` is an empty list; `void` anywhere else is wrong.
    fn lone_void(&mut self, params: &mut Params) {
        let is_void = |parser: &Self, param: &Param| parser.types.is_void(param.ty.ty);
        if let [param] = &params.list[..]
            && param.name.is_none()
            && !params.variadic
            && is_void(self, param)
        {
            params.list.clear();
            return;
        }
        for param in &mut params.list {
            if is_void(self, param) {
                self.error(param.span, "a parameter cannot have type 'void'");
                param.ty = self.error.into();
            }
        }
    }

    fn parameter(&mut self, index: usize) -> Parsed<Param> {
        let start = self.span();
        let starts = self.starts_declaration()
            || matches!(self.peek(), TokenKind::Ident(_))
            || self.at_keyword(Keyword::Extension)
            || self.at_standard_attribute();
        if !starts {
            return Err(self.unexpected("a parameter"));
        }
        let specifiers = self.specifiers()?;
        if !matches!(specifiers.storage, Storage::Plain | Storage::Register) {
            self.error(
                specifiers.span,
                "a parameter has no storage class but 'register'",
            );
        }
        if !specifiers.typed
            && let TokenKind::Ident(name) = self.peek()
            && self.peek_at(1) != TokenKind::Punct(Punct::Comma)
            && self.peek_at(1) != TokenKind::Punct(Punct::RParen)
            && self.ordinary.get(name).is_none()
        {
            return Err(self.unexpected("a type"));
        }
        let base = self.base_type(&specifiers, start, "the declaration of a parameter");
        let declarator = self.full_declarator(Form::Either)?;
        let mut ty = self.declared_type(base, declarator.chunks, true);
        if let Some((mode, span)) = declarator.attributes.mode {
            ty.ty = self.apply_mode(ty.ty, mode, span);
        }
        let ty = self.adjusted(ty);
        let param = Param {
            name: declarator.name,
            ty,
            span: start.to(self.last_span()),
        };
        if let Some((name, span)) = param.name {
            self.declare_param(name, span, LocalId::from_index(index), ty);
        }
        Ok(param)
    }

    /// Arrays and functions become pointers.
    pub(super) fn adjusted(&mut self, ty: QualType) -> QualType {
        match self.types.get(ty.ty) {
            &Type::Array(element, _) => self.types.pointer_to(element).into(),
            Type::Function(_) => self.types.pointer_to(ty).into(),
            _ => ty,
        }
    }

    /// Makes a parameter's name known.
    pub(super) fn declare_param(&mut self, name: Symbol, span: Span, id: LocalId, ty: QualType) {
        if let Some(other) = self.ordinary.get_here(name) {
            let other = (other.span, "the other one is here");
            self.said_twice(name, span, "two parameters are named", other);
        }
        self.ordinary.insert(name, Entity::Local(id, ty), span);
    }

    /// A hidden local of the function that the open list may belong to. Its number comes after
    /// those of the parameters, which are counted by looking ahead.
    pub(super) fn hold_in_prototype(&mut self, local: Local) -> LocalId {
        let tokens = &self.tokens;
        let prototype = self
            .prototypes
            .last_mut()
            .expect("a length in a prototype should have its list");
        let start = prototype.start;
        let count = *prototype
            .count
            .get_or_insert_with(|| count_params(&tokens[start..]));
        prototype.hidden.push(local);
        LocalId::from_index(count + prototype.hidden.len() - 1)
    }
}

/// How many parameters come before the parenthesis that closes the list.
fn count_params(tokens: &[Token]) -> usize {
    let mut depth = 0_usize;
    let mut count = 1;
    for token in tokens {
        match token.kind {
            TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => depth += 1,
            TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            TokenKind::Punct(Punct::Comma) if depth == 0 => count += 1,
            TokenKind::Punct(Punct::Ellipsis) if depth == 0 => count -= 1,
            _ => {}
        }
    }
    count
}
