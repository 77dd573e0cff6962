//! Function definitions.

use super::declarator::{Chunk, Declarator, Form};
use super::link::Declaration;
use super::params::{Param, Params};
use super::region::Regions;
use super::scope::Entity;
use super::specifier::{Specifiers, Storage};
use super::switch::Switch;
use super::{Parsed, Parser};
use crate::ast::{
    Block, Body, Expr, ExprKind, FunctionId, Initializer, LabelId, LocalDecl, LocalId, Stmt,
    StmtKind,
};
use crate::token::{Punct, Symbol, TokenKind};
use crate::types::{QualType, Type, TypeId};
use base::{Diagnostic, Id, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The function whose body is being read.
#[derive(Debug)]
pub(super) struct FunctionState {
    /// Its name.
    pub(super) name: Arc<str>,
    /// Where its name stands.
    pub(super) span: Span,
    /// Its type.
    pub(super) ty: TypeId,
    /// What has been read of its definition, the block aside.
    pub(super) body: Body,
    /// Labels by name; those of `__label__` hide others while their block is open.
    pub(super) label_names: FxHashMap<Symbol, LabelId>,
    /// Whether each label stands somewhere.
    pub(super) label_placed: Vec<bool>,
    /// Which jumps skip the declaration of a variable length.
    pub(super) regions: Regions,
    /// Switches that are open.
    pub(super) switches: Vec<Switch>,
    /// Loops that are open.
    pub(super) loops: u32,
    /// Loops and switches that are open.
    pub(super) breakable: u32,
    /// Locals declared `register`.
    pub(super) registers: FxHashSet<LocalId>,
    /// Names reported as not declared: once is enough.
    pub(super) undeclared: FxHashSet<Symbol>,
    /// How many static locals of each name there are.
    pub(super) statics: FxHashMap<Symbol, u32>,
}

/// Parameters ready for a body.
struct Prepared {
    ty: TypeId,
    params: Params,
    /// Old-style parameters narrower than what is passed: the value passed and the parameter.
    narrowed: Vec<(LocalId, Param)>,
}

impl Parser<'_> {
    /// The rest of a function definition.
    pub(super) fn function_definition(
        &mut self,
        specifiers: &Specifiers,
        mut declarator: Declarator,
    ) -> Parsed<()> {
        let Some((name, span)) = declarator.name else {
            return Err(self.unexpected("a name"));
        };
        let base = self.base_type(specifiers, span, "the definition of this function");
        let Chunk::Function(mut params, _) = declarator.chunks.remove(0) else {
            unreachable!("a definition should declare a function");
        };
        let ret = self.declared_type(base, declarator.chunks, false);
        self.check_result(ret, span);
        self.open_scope();
        for entry in std::mem::take(&mut params.tags) {
            self.tags.insert(entry.name, entry.entity, entry.span);
        }
        for entry in std::mem::take(&mut params.constants) {
            self.ordinary.insert(entry.name, entry.entity, entry.span);
        }
        let result = self
            .prepare_params(name, ret, *params)
            .and_then(|it| self.define(specifiers, (name, span), it, &declarator.attributes));
        self.function = None;
        self.close_scope();
        result
    }

    fn check_result(&mut self, ret: QualType, span: Span) {
        if self.is_error(ret.ty) {
            return;
        }
        if self.types.is_array(ret.ty) || self.types.is_function(ret.ty) {
            self.error(span, "a function cannot return an array or a function");
        } else if !self.types.is_void(ret.ty) && !self.types.is_complete(ret.ty) {
            self.wrong_type(span, "a function returns the incomplete type", ret);
        }
    }

    /// Finds the types of the parameters and of the function.
    fn prepare_params(
        &mut self,
        name: Symbol,
        ret: QualType,
        mut params: Params,
    ) -> Parsed<Prepared> {
        let mut narrowed = Vec::new();
        let old_style = !params.prototype && !params.identifiers.is_empty();
        if old_style {
            self.old_style_declarations(&mut params)?;
            // A prototype seen before says how arguments arrive.
            let declared = self.unit_links.get(&name).is_some_and(|link| {
                self.types
                    .function(link.ty.ty)
                    .is_some_and(|function| function.prototype)
            });
            if declared {
                params.prototype = true;
            } else {
                self.widen_params(&mut params, &mut narrowed);
            }
        }
        let ty = self.types.intern(Type::Function(params.function(ret)));
        Ok(Prepared {
            ty,
            params,
            narrowed,
        })
    }

    /// `f(a, b) int a; char *b; { … }`: the declarations between.
    fn old_style_declarations(&mut self, params: &mut Params) -> Parsed<()> {
        let mut types: FxHashMap<Symbol, (QualType, Span)> = FxHashMap::default();
        while !self.at(Punct::LBrace) {
            if self.peek() == TokenKind::Eof {
                return Err(self.unexpected("the body of the function"));
            }
            let specifiers = self.specifiers()?;
            if !specifiers.typed {
                return Err(self.unexpected("the declaration of a parameter"));
            }
            while !self.at(Punct::Semi) {
                let declarator = self.full_declarator(Form::Named)?;
                let ty = self.declared_type(specifiers.ty, declarator.chunks, true);
                let ty = self.adjusted(ty);
                if let Some((name, span)) = declarator.name {
                    if !params.identifiers.iter().any(|&(other, _)| other == name) {
                        let text = self.names.text(name);
                        let message = format!("'{text}' is declared but is no parameter");
                        self.error(span, message);
                    }
                    if let Some((_, other)) = types.insert(name, (ty, span)) {
                        let other = (other, "declared before here");
                        self.said_twice(name, span, "redeclaration of", other);
                    }
                }
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::Semi, "after the declaration of a parameter")?;
        }
        self.lengths.clear();
        for &(name, span) in &params.identifiers {
            let ty = match types.get(&name) {
                Some(&(ty, _)) => ty,
                None => self.types.int().into(),
            };
            params.list.push(Param {
                name: Some((name, span)),
                ty,
                span,
            });
        }
        Ok(())
    }

    /// Arguments of an old-style function arrive promoted.
    fn widen_params(&mut self, params: &mut Params, narrowed: &mut Vec<(LocalId, Param)>) {
        for (index, param) in params.list.iter_mut().enumerate() {
            let wide = self.types.promote_argument(param.ty.ty);
            let same = wide == param.ty.ty || self.types.is_enum(param.ty.ty);
            if !same {
                narrowed.push((LocalId::from_index(index), param.clone()));
                param.ty = wide.into();
                param.name = None;
            }
        }
    }

    fn define(
        &mut self,
        specifiers: &Specifiers,
        (name, span): (Symbol, Span),
        prepared: Prepared,
        attributes: &super::attribute::Attributes,
    ) -> Parsed<()> {
        let id = self.declare_definition(specifiers, (name, span), prepared.ty, attributes);
        let Prepared {
            ty,
            params,
            narrowed,
        } = prepared;
        self.function = Some(FunctionState {
            name: self.names.text(name).clone(),
            span,
            ty,
            body: Body::default(),
            label_names: FxHashMap::default(),
            label_placed: Vec::new(),
            regions: Regions::default(),
            switches: Vec::new(),
            loops: 0,
            breakable: 0,
            registers: FxHashSet::default(),
            undeclared: FxHashSet::default(),
            statics: FxHashMap::default(),
        });
        let param_ids = self.declare_params(&params);
        let mut stmts = Vec::new();
        for local in params.hidden {
            self.state().body.locals.push(local);
        }
        self.lengths = params.lengths;
        self.place_lengths(Some(&mut stmts));
        for (passed, param) in narrowed {
            let stmt = self.narrow_param(passed, param);
            stmts.push(stmt);
        }
        // The names of the block are in one scope with the parameters.
        let open = self.expect(Punct::LBrace, "before the body")?;
        self.local_labels(&mut Vec::new())?;
        let span = open.to(self.block_items(&mut stmts, open)?);
        self.finish_body(id, param_ids, Block { stmts, span });
        Ok(())
    }

    /// The function whose body is being read.
    pub(super) fn state(&mut self) -> &mut FunctionState {
        self.function
            .as_mut()
            .expect("this should stand in a function")
    }

    /// Declares the function at file scope, below the scope of its parameters.
    fn declare_definition(
        &mut self,
        specifiers: &Specifiers,
        (name, span): (Symbol, Span),
        ty: TypeId,
        attributes: &super::attribute::Attributes,
    ) -> FunctionId {
        if !matches!(
            specifiers.storage,
            Storage::Plain | Storage::Extern | Storage::Static
        ) {
            self.error(span, "a function definition has no such storage class");
        }
        // The name belongs to the file; what the list declared goes back in after it.
        let constants = self.ordinary.leave();
        let (id, _) = self.link_function(Declaration {
            name,
            span,
            ty: ty.into(),
            is_static: specifiers.storage == Storage::Static,
            inherits: true,
        });
        self.ordinary.enter();
        for entry in constants {
            self.ordinary.insert(entry.name, entry.entity, entry.span);
        }
        let gnu_inline = attributes.gnu_inline || specifiers.attributes.gnu_inline;
        let replaceable = specifiers.inline
            && (specifiers.storage == Storage::Plain
                || specifiers.storage == Storage::Extern && gnu_inline);
        self.check_redefinition(id, span, replaceable);
        let function = &mut self.functions[id];
        function.noreturn |= attributes.noreturn || specifiers.attributes.noreturn;
        function.constructor |= attributes.constructor || specifiers.attributes.constructor;
        id
    }

    fn check_redefinition(&mut self, id: FunctionId, span: Span, replaceable: bool) {
        let function = &self.functions[id];
        if function.body.is_some() {
            let elsewhere = !self.in_this_unit(function.span);
            let allowed = self.inline_bodies.contains(&id) || replaceable && elsewhere;
            if !allowed {
                let message = if elsewhere {
                    format!("'{}' is defined in two files", function.name)
                } else {
                    format!("redefinition of '{}'", function.name)
                };
                let other = function.span;
                self.report(Diagnostic::error(span, message).note(other, "defined here"));
            }
        }
        if replaceable {
            self.inline_bodies.insert(id);
        } else {
            self.inline_bodies.remove(&id);
        }
    }

    fn declare_params(&mut self, params: &Params) -> Vec<LocalId> {
        let mut ids = Vec::with_capacity(params.list.len());
        for param in &params.list {
            if !self.types.is_complete(param.ty.ty) && !self.is_error(param.ty.ty) {
                let what = "a parameter has the incomplete type";
                self.wrong_type(param.span, what, param.ty);
            }
            let hidden = (self.names.intern(""), param.span);
            let (name, span) = param.name.unwrap_or(hidden);
            let id = self.new_local(name, param.ty, None, span);
            if let Some((name, span)) = param.name {
                self.declare_param(name, span, id, param.ty);
            }
            ids.push(id);
        }
        ids
    }

    /// Declares an old-style parameter of a narrow type, set from what was passed.
    fn narrow_param(&mut self, passed: LocalId, param: Param) -> Stmt {
        let span = param.span;
        let name = match param.name {
            Some((name, _)) => name,
            None => self.names.intern(""),
        };
        let wide = self.state().body.locals[passed].ty;
        let local = self.new_local(name, param.ty, None, span);
        self.ordinary
            .insert(name, Entity::Local(local, param.ty), span);
        let value = Expr::new(ExprKind::Local(passed), wide, span);
        let value = self.implicit(value, param.ty.ty);
        let decl = LocalDecl {
            local,
            lengths: Vec::new(),
            init: Some(Initializer::of_value(param.ty.ty, value, false, span)),
        };
        Stmt::new(StmtKind::Declare(decl), span)
    }

    fn finish_body(&mut self, id: FunctionId, params: Vec<LocalId>, block: Block) {
        self.check_gotos();
        let Some(state) = self.function.take() else {
            return;
        };
        for (label, &placed) in state.body.labels.iter().zip(&state.label_placed) {
            if !placed {
                let message = format!("label '{}' is used but not defined", label.name);
                self.error(label.span, message);
            }
        }
        let function = &mut self.functions[id];
        function.body = Some(Body {
            params,
            block,
            ..state.body
        });
        function.ty = state.ty;
        function.span = state.span;
    }

    /// A name for a static local: `function.name`, numbered from the second on.
    pub(super) fn static_name(&mut self, name: Symbol) -> Arc<str> {
        let text = self.names.text(name).clone();
        let state = self.state();
        let count = state.statics.entry(name).or_insert(0);
        *count += 1;
        match *count {
            1 => format!("{}.{text}", state.name).into(),
            number => format!("{}.{text}.{number}", state.name).into(),
        }
    }
}
