//! Declarations in blocks.

use super::decl::Item;
use super::declarator::{Declarator, Form};
use super::scope::Entity;
use super::specifier::{Specifiers, Storage};
use super::{Parsed, Parser};
use crate::ast::{Global, Linkage, Local, LocalDecl, LocalId, Stmt, StmtKind};
use crate::token::{Punct, Symbol};
use crate::types::QualType;
use base::Span;

impl Parser<'_> {
    /// A declaration in a block.
    pub(super) fn local_declaration(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        if self.at_static_assert() {
            return self.static_assert();
        }
        let specifiers = self.specifiers()?;
        if specifiers.ended {
            return Ok(());
        }
        if self.eat(Punct::Semi) {
            self.bare_specifiers(&specifiers);
            self.place_lengths(Some(out));
            return Ok(());
        }
        let declarator = self.full_declarator(Form::Named)?;
        self.init_declarators(&specifiers, declarator, Some(out))
    }

    /// An object declared in a block.
    pub(super) fn local_object(&mut self, item: &Item, out: &mut Vec<Stmt>) -> Parsed<()> {
        match item.storage {
            Storage::Extern => {
                self.place_lengths(Some(out));
                self.check_object_type(item, true);
                if self.at(Punct::Assign) {
                    let message = "an 'extern' object in a block has no initial value";
                    return Err(self.error(item.span, message));
                }
                self.link_object(item.declaration(true));
                Ok(())
            }
            Storage::Static => {
                self.place_lengths(Some(out));
                self.static_local(item)
            }
            Storage::Plain | Storage::Auto | Storage::Register | Storage::Typedef => {
                self.automatic(item, out)
            }
        }
    }

    /// Reports a second declaration of a name without linkage in one scope.
    pub(super) fn check_fresh(&mut self, item: &Item) {
        if let Some(&old) = self.ordinary.get_here(item.name) {
            if matches!(old.entity, Entity::Broken) || self.is_error(item.ty.ty) {
                return;
            }
            let other = (old.span, "declared before here");
            self.said_twice(item.name, item.span, "redeclaration of", other);
        }
    }

    pub(super) fn static_local(&mut self, item: &Item) -> Parsed<()> {
        self.check_fresh(item);
        let has_init = self.has_initial();
        if !self.is_error(item.ty.ty)
            && self.types.is_variably_modified(item.ty.ty)
            && self.types.is_variable_array(item.ty.ty)
        {
            self.error(item.span, "a static object cannot have a variable length");
        }
        self.check_object_type(item, false);
        let name = self.static_name(item.name);
        let id = self.globals.push(Global {
            name,
            ty: item.ty,
            linkage: Linkage::Internal,
            defined: true,
            init: None,
            align: item.attributes.align,
            span: item.span,
        });
        self.ordinary
            .insert(item.name, Entity::Global(id, item.ty), item.span);
        if has_init {
            let (init, full) = self.initial(item.ty, true)?;
            self.globals[id].init = Some(init);
            self.complete_global(item.name, id, item.ty, full);
        } else {
            self.check_has_size(item);
        }
        Ok(())
    }

    /// An array in a block needs a length.
    pub(super) fn check_has_size(&mut self, item: &Item) {
        if self.types.is_open_array(item.ty.ty) {
            let text = self.names.text(item.name);
            let message = format!("the array '{text}' has no length");
            self.error(item.span, message);
        }
    }

    pub(super) fn automatic(&mut self, item: &Item, out: &mut Vec<Stmt>) -> Parsed<()> {
        self.check_fresh(item);
        self.check_object_type(item, false);
        let id = self.new_local(item.name, item.ty, item.attributes.align, item.span);
        self.ordinary
            .insert(item.name, Entity::Local(id, item.ty), item.span);
        if item.storage == Storage::Register {
            self.state().registers.insert(id);
        }
        let lengths = std::mem::take(&mut self.lengths);
        if !lengths.is_empty() || self.types.is_variably_modified(item.ty.ty) {
            self.enter_lengths(item.span);
        }
        let mut decl = LocalDecl {
            local: id,
            lengths,
            init: None,
        };
        if self.has_initial() {
            if self.types.is_variable_array(item.ty.ty) {
                self.error(
                    item.span,
                    "an array of variable length has no initial value",
                );
            }
            let (init, full) = self.initial(item.ty, false)?;
            decl.init = Some(init);
            if self.types.is_array(full) {
                let ty = QualType {
                    ty: full,
                    ..item.ty
                };
                self.state().body.locals[id].ty = ty;
                if let Some(entry) = self.ordinary.get_mut(item.name) {
                    entry.entity = Entity::Local(id, ty);
                }
            }
        } else {
            self.check_has_size(item);
        }
        out.push(Stmt::new(StmtKind::Declare(decl), item.span));
        Ok(())
    }

    /// A new local of the function we are in.
    pub(super) fn new_local(
        &mut self,
        name: Symbol,
        ty: QualType,
        align: Option<u64>,
        span: Span,
    ) -> LocalId {
        let name = self.names.text(name).clone();
        let local = Local {
            name,
            ty,
            align,
            span,
        };
        self.state().body.locals.push(local)
    }

    /// `__auto_type name = value;`
    pub(super) fn auto_type(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        name: Symbol,
        span: Span,
        out: Option<&mut Vec<Stmt>>,
    ) -> Parsed<()> {
        if !declarator.chunks.is_empty() {
            self.error(span, "'__auto_type' needs a plain name");
        }
        self.expect(Punct::Assign, "after the name of '__auto_type'")?;
        let value = self.assignment_expression()?;
        let value = self.value(value);
        let item = Item {
            name,
            span,
            ty: QualType {
                ty: value.ty.ty,
                quals: specifiers.ty.quals,
            },
            storage: specifiers.storage,
            attributes: specifiers.attributes.clone(),
        };
        self.auto_value = Some(value);
        match out {
            None => self.file_object(&item),
            Some(out) => self.local_object(&item, out),
        }
    }
}
