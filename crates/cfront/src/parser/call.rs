//! Calls.

use super::convert::Context;
use super::library::NORETURN;
use super::link::{Declaration, Linked, UnitLink};
use super::params::Params;
use super::scope::Entity;
use super::{Parsed, Parser};
use crate::ast::{CastKind, Expr, ExprKind, FunctionId, Linkage};
use crate::token::{Punct, Symbol};
use crate::types::{FunctionType, Type, TypeId};
use base::{Diagnostic, Span};
use std::sync::Arc;

impl Parser<'_> {
    /// `callee( … )`
    pub(super) fn call(&mut self, callee: Expr) -> Parsed<Expr> {
        let (args, close) = self.arguments()?;
        let span = callee.span.to(close);
        Ok(self.call_with(callee, args, span))
    }

    /// `( … )`: the arguments and the closing parenthesis. The height is that of the highest.
    pub(super) fn arguments(&mut self) -> Parsed<(Vec<Expr>, Span)> {
        let open = self.expect(Punct::LParen, "before the arguments")?;
        let mut args = Vec::new();
        let mut height = 1;
        if !self.at(Punct::RParen) {
            loop {
                args.push(self.assignment_expression()?);
                height = height.max(self.height);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        let close = self.close(Punct::RParen, open, "the arguments")?;
        self.height = height;
        Ok((args, close))
    }

    /// A call with arguments that are not yet converted.
    pub(super) fn call_with(&mut self, callee: Expr, args: Vec<Expr>, span: Span) -> Expr {
        let callee = self.value(callee);
        if self.is_error(callee.ty.ty) && !self.types.is_pointer(callee.ty.ty) {
            return self.broken(span);
        }
        let to = self.types.pointee(callee.ty.ty);
        let Some(Type::Function(function)) = to.map(|to| self.types.get(to.ty)) else {
            if !self.is_error(callee.ty.ty) {
                let what = "what is called is not a function:";
                self.wrong_type(callee.span, what, callee.ty);
            }
            return self.broken(span);
        };
        let function = function.clone();
        let ret = function.ret.ty;
        let args = self.converted_arguments(&callee, &function, args, span);
        if self.is_error(ret) {
            return self.broken(span);
        }
        if !self.types.is_void(ret) && !self.types.is_complete(ret) {
            return self.refused_type(span, "a call gives the incomplete type", ret);
        }
        Expr::new(
            ExprKind::Call {
                callee: Box::new(callee),
                args,
            },
            ret,
            span,
        )
    }

    /// The function a callee names, and its name.
    fn named_function(&self, callee: &Expr) -> Option<FunctionId> {
        match &callee.kind {
            ExprKind::Cast(CastKind::FunctionDecay, operand, _) => match operand.kind {
                ExprKind::Function(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    fn converted_arguments(
        &mut self,
        callee: &Expr,
        function: &FunctionType,
        args: Vec<Expr>,
        span: Span,
    ) -> Vec<Expr> {
        let named = self.named_function(callee);
        let name: Option<Arc<str>> = named.map(|id| self.functions[id].name.clone());
        if function.prototype {
            self.check_count(function, args.len(), named, span);
        }
        let args = args.into_iter().enumerate();
        let converted = args.map(|(index, arg)| match function.params.get(index) {
            Some(&param) if function.prototype => {
                let context = Context::Argument(index + 1, name.clone());
                self.assigned(arg, param, &context)
            }
            _ => self.extra_argument(arg),
        });
        converted.collect()
    }

    /// An argument without a parameter.
    fn extra_argument(&mut self, arg: Expr) -> Expr {
        let arg = self.promoted_argument(arg);
        if self.types.is_void(arg.ty.ty) {
            self.error(arg.span, "a void value is used");
        } else if !self.types.is_complete(arg.ty.ty) && !self.is_error(arg.ty.ty) {
            self.wrong_type(arg.span, "an argument has the incomplete type", arg.ty);
        }
        arg
    }

    fn check_count(
        &mut self,
        function: &FunctionType,
        given: usize,
        named: Option<FunctionId>,
        span: Span,
    ) {
        let wanted = function.params.len();
        let problem = if given < wanted {
            "few"
        } else if given > wanted && !function.variadic {
            "many"
        } else {
            return;
        };
        let of = match named {
            Some(id) => format!(" for '{}'", self.functions[id].name),
            None => String::new(),
        };
        let message = format!("too {problem} arguments{of}: {wanted} wanted, {given} given");
        let mut diagnostic = Diagnostic::error(span, message);
        if let Some(id) = named {
            diagnostic = diagnostic.note(self.functions[id].span, "declared here");
        }
        self.report(diagnostic);
    }

    /// Declares a function by its call: as the library has it, or as `int f()`.
    pub(super) fn implicit_function(&mut self, name: Symbol, span: Span) -> Expr {
        let text = self.names.text(name).clone();
        let library = self.library_type(&text);
        let ty = library.unwrap_or_else(|| {
            let function = Params::default().function(self.types.int().into());
            self.types.intern(Type::Function(function))
        });
        if !self.unit_links.contains_key(&name) {
            let message = format!("implicit declaration of function '{text}'");
            let mut diagnostic = Diagnostic::warning(span, message);
            let function = |entity: &Entity| matches!(entity, Entity::Function(..));
            if let Some(near) = self.nearest(name, &[], function) {
                diagnostic = diagnostic.help(format!("did you mean '{near}'?"));
            }
            self.warning(diagnostic);
        }
        let ty = self.known_type(name, ty, span);
        let id = self.declare_silently(name, ty, span, library.is_none());
        self.functions[id].noreturn |= library.is_some() && NORETURN.contains(&&*text);
        self.ordinary.insert(name, Entity::Function(id, ty), span);
        Expr::new(ExprKind::Function(id), ty, span)
    }

    /// The type that a declaration out of scope gave the function, if it fits.
    fn known_type(&mut self, name: Symbol, ty: TypeId, span: Span) -> TypeId {
        let Some(&link) = self.unit_links.get(&name) else {
            return ty;
        };
        if !self.types.compatible(link.ty.ty, ty) {
            let message = "a call declares a function that is declared otherwise elsewhere";
            let diagnostic = Diagnostic::error(span, message);
            self.report(diagnostic.note(link.span, "declared here"));
            return ty;
        }
        self.types.composite(link.ty.ty, ty)
    }

    /// A function that no declaration in the text declares.
    pub(super) fn declare_silently(
        &mut self,
        name: Symbol,
        ty: TypeId,
        span: Span,
        implicit: bool,
    ) -> FunctionId {
        let here = self.unit_links.get(&name).map(|link| link.linked);
        let id = match here.or_else(|| self.links.get(&name).copied()) {
            Some(Linked::Function(id)) => id,
            Some(Linked::Global(_)) | None => {
                let declaration = Declaration {
                    name,
                    span,
                    ty: ty.into(),
                    is_static: false,
                    inherits: true,
                };
                let id = self.new_function(declaration, Linkage::External);
                self.functions[id].implicit = implicit;
                self.links.insert(name, Linked::Function(id));
                id
            }
        };
        self.unit_links.entry(name).or_insert(UnitLink {
            linked: Linked::Function(id),
            ty: ty.into(),
            linkage: Linkage::External,
            span,
        });
        id
    }
}
