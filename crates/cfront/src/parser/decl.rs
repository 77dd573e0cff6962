//! Declarations, at file scope and in blocks.

use super::attribute::Attributes;
use super::declarator::{Declarator, Form};
use super::link::{Declaration, Linked};
use super::scope::Entity;
use super::specifier::{Specifiers, Storage};
use super::{Parsed, Parser, Word};
use crate::ast::{GlobalId, Initializer, Stmt, StmtKind};
use crate::token::{Keyword, Punct, Symbol, TokenKind};
use crate::types::{ArrayLen, QualType, Type, TypeId};
use base::{Diagnostic, Span};

impl Parser<'_> {
    /// A declaration or definition at file scope.
    pub(super) fn external_declaration(&mut self) -> Parsed<()> {
        while self.at_keyword(Keyword::Extension) {
            self.advance();
        }
        match self.peek() {
            TokenKind::Punct(Punct::Semi) => {
                self.advance();
                return Ok(());
            }
            TokenKind::Keyword(Keyword::Asm) => return self.top_level_asm(),
            _ if self.at_static_assert() => return self.static_assert(),
            _ => {}
        }
        let specifiers = self.specifiers()?;
        if specifiers.ended {
            return Ok(());
        }
        if self.at(Punct::Semi) {
            self.advance();
            self.bare_specifiers(&specifiers);
            return Ok(());
        }
        if !specifiers.typed && !self.starts_untyped_declarator() {
            return Err(self.unexpected("a declaration"));
        }
        let declarator = self.full_declarator(Form::Named)?;
        if self.at_function_body(&declarator) {
            return self.function_definition(&specifiers, declarator);
        }
        self.init_declarators(&specifiers, declarator, None)
    }

    /// Whether a declarator without a type before it can stand here: `f() {…}`, `*p;`.
    fn starts_untyped_declarator(&self) -> bool {
        matches!(
            self.peek(),
            TokenKind::Ident(_) | TokenKind::Punct(Punct::Star | Punct::LParen)
        )
    }

    fn at_function_body(&self, declarator: &Declarator) -> bool {
        let Some(params) = declarator.params() else {
            return false;
        };
        self.at(Punct::LBrace)
            || !params.identifiers.is_empty()
                && (self.starts_declaration()
                    || matches!(self.peek(), TokenKind::Ident(name) if self.looks_like_type(name)))
    }

    /// `struct s;` and such.
    pub(super) fn bare_specifiers(&mut self, specifiers: &Specifiers) {
        let file_scope = self.function.is_none();
        let odd_storage = matches!(specifiers.storage, Storage::Auto | Storage::Register);
        if specifiers.inline || file_scope && odd_storage {
            self.error(
                specifiers.span,
                "this word does not fit an empty declaration",
            );
        }
        if !specifiers.declares && !self.is_error(specifiers.ty.ty) {
            self.warn(specifiers.span, "declaration does not declare anything");
        }
    }

    /// Declarators with initialisers, up to the `;`. Without `out` we are at file scope.
    pub(super) fn init_declarators(
        &mut self,
        specifiers: &Specifiers,
        first: Declarator,
        mut out: Option<&mut Vec<Stmt>>,
    ) -> Parsed<()> {
        let mut declarator = first;
        loop {
            self.init_declarator(specifiers, declarator, out.as_deref_mut())?;
            if !self.eat(Punct::Comma) {
                break;
            }
            self.attributes()?;
            declarator = self.full_declarator(Form::Named)?;
        }
        if self.at(Punct::LBrace) && out.is_some() {
            let span = self.span();
            let place = self.state().span;
            return Err(self.report(
                Diagnostic::error(span, "unsupported: a function inside a function").note(
                    place,
                    "the outer function begins here; perhaps it lacks a '}'",
                ),
            ));
        }
        self.expect(Punct::Semi, "after the declaration")?;
        Ok(())
    }

    fn init_declarator(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        out: Option<&mut Vec<Stmt>>,
    ) -> Parsed<()> {
        let Some((name, span)) = declarator.name else {
            return Err(self.unexpected("a name"));
        };
        let base = self.base_type(specifiers, span, "this declaration");
        let mut attributes = specifiers.attributes.clone();
        let mode = declarator.attributes.mode;
        let type_align = declarator.type_align(specifiers.type_align);
        // gcc reads the attributes before the name last.
        let named_align = attributes.last_align.or(declarator.attributes.last_align);
        if specifiers.auto_type {
            return self.auto_type(specifiers, &declarator, name, span, out);
        }
        attributes.add(declarator.attributes);
        attributes.align = match specifiers.storage {
            // A name for a type may ask for less than the type has.
            Storage::Typedef => named_align.or(type_align),
            _ => attributes.align.max(type_align),
        };
        let mut ty = self.declared_type(base, declarator.chunks, false);
        if let Some((mode, span)) = mode {
            ty.ty = self.apply_mode(ty.ty, mode, span);
        }
        if attributes.vector {
            ty = self.error.into();
        }
        let item = Item {
            name,
            span,
            ty,
            storage: specifiers.storage,
            attributes,
        };
        self.check_thread(specifiers, &item, out.is_some());
        if item.storage == Storage::Typedef {
            if out.is_some() && self.types.is_variably_modified(ty.ty) {
                self.enter_lengths(span);
            }
            self.place_lengths(out);
            return self.declare_typedef(&item);
        }
        if self.types.is_function(ty.ty) {
            self.place_lengths(out);
            return self.declare_function(&item);
        }
        match out {
            None => self.file_object(&item),
            Some(out) => self.local_object(&item, out),
        }
    }

    /// Only objects with static storage belong to a thread, and a block says so.
    fn check_thread(&mut self, specifiers: &Specifiers, item: &Item, in_block: bool) {
        let allowed = match item.storage {
            Storage::Static | Storage::Extern => !self.types.is_function(item.ty.ty),
            Storage::Plain => !in_block && !self.types.is_function(item.ty.ty),
            Storage::Typedef | Storage::Auto | Storage::Register => false,
        };
        if specifiers.thread && !allowed {
            self.error(item.span, "'_Thread_local' does not belong here");
        }
    }

    /// Puts pending lengths into the block where no declaration carries them.
    pub(super) fn place_lengths(&mut self, out: Option<&mut Vec<Stmt>>) {
        let lengths = std::mem::take(&mut self.lengths);
        let Some(out) = out else {
            return;
        };
        for length in lengths {
            let expr = self.set_length(length);
            let span = expr.span;
            out.push(Stmt::new(StmtKind::Expr(expr), span));
        }
    }

    fn declare_typedef(&mut self, item: &Item) -> Parsed<()> {
        if self.at(Punct::Assign) {
            return Err(self.error(item.span, "a typedef has no initial value"));
        }
        let entity = Entity::Typedef(item.ty, item.attributes.align);
        if item.attributes.transparent_union
            && let &Type::Record(id) = self.types.get(item.ty.ty)
            && self.types.records[id].is_union
        {
            self.transparent.insert(id);
        }
        if let Some(&old) = self.ordinary.get_here(item.name) {
            match old.entity {
                Entity::Typedef(ty, _)
                    if self.types.compatible_qualified(ty, item.ty) || self.is_error(ty.ty) => {}
                Entity::Typedef(ty, _) => {
                    let (text, shown) = (self.names.text(item.name).clone(), self.show(ty));
                    let message = format!("'{text}' is already a typedef of '{shown}'");
                    let diagnostic = Diagnostic::error(item.span, message);
                    self.report(diagnostic.note(old.span, "declared before here"));
                }
                _ => self.other_kind(item.name, item.span, old.span),
            }
        }
        self.ordinary.insert(item.name, entity, item.span);
        Ok(())
    }

    fn declare_function(&mut self, item: &Item) -> Parsed<()> {
        if self.at(Punct::Assign) {
            return Err(self.error(item.span, "a function has no initial value"));
        }
        if item.storage == Storage::Static && self.function.is_some() {
            self.error(item.span, "a function declared in a block cannot be static");
        }
        if matches!(item.storage, Storage::Auto | Storage::Register) {
            self.error(item.span, "a function has no such storage class");
        }
        let (id, _) = self.link_function(item.declaration(true));
        self.functions[id].noreturn |= item.attributes.noreturn;
        self.functions[id].weak |= item.attributes.weak;
        self.functions[id].constructor |= item.attributes.constructor;
        if let Some(name) = item.attributes.asm_name {
            self.asm_names.push((id, name));
        }
        if let Some((target, span)) = item.attributes.alias {
            self.aliases.push((id, target, span));
        }
        Ok(())
    }

    /// An object at file scope.
    pub(super) fn file_object(&mut self, item: &Item) -> Parsed<()> {
        if !self.lengths.is_empty() {
            self.lengths.clear();
            self.error(item.span, "variable-length array at file scope");
        }
        if matches!(item.storage, Storage::Auto | Storage::Register) {
            self.error(
                item.span,
                "an object at file scope has no such storage class",
            );
        }
        let has_init = self.has_initial();
        self.check_object_type(item, item.storage == Storage::Extern || !has_init);
        let (id, ty) = self.link_object(item.declaration(item.storage == Storage::Extern));
        self.globals[id].align = self.globals[id].align.max(item.attributes.align);
        if let Some((_, span)) = item.attributes.alias {
            self.unsupported(span, "the attribute 'alias' of an object");
        }
        if has_init {
            return self.define_global(id, item, ty);
        }
        if item.storage != Storage::Extern {
            self.check_defined_elsewhere(id, item);
            self.globals[id].defined = true;
            self.globals[id].span = item.span;
            self.tentative.push(id);
        }
        Ok(())
    }

    /// A global is defined in one unit only.
    fn check_defined_elsewhere(&mut self, id: GlobalId, item: &Item) {
        let global = &self.globals[id];
        if !global.defined || self.in_this_unit(global.span) {
            return;
        }
        let message = format!("'{}' is defined in two files", global.name);
        let diagnostic = Diagnostic::error(item.span, message).note(global.span, "the other one");
        self.report(diagnostic.help("declare it 'extern' in all but one of them"));
    }

    pub(super) fn in_this_unit(&self, span: Span) -> bool {
        let end = self.base + self.text.len() as u32;
        (self.base..=end).contains(&span.lo)
    }

    fn define_global(&mut self, id: GlobalId, item: &Item, ty: QualType) -> Parsed<()> {
        self.check_defined_elsewhere(id, item);
        if self.globals[id].init.is_some() {
            let other = (self.globals[id].span, "defined here");
            self.said_twice(item.name, item.span, "redefinition of", other);
        }
        self.globals[id].defined = true;
        self.globals[id].span = item.span;
        let (init, full) = self.initial(ty, true)?;
        self.globals[id].init = Some(init);
        self.complete_global(item.name, id, ty, full);
        Ok(())
    }

    /// Gives a global the type that its initialiser completed.
    pub(super) fn complete_global(
        &mut self,
        name: Symbol,
        id: GlobalId,
        ty: QualType,
        full: TypeId,
    ) {
        let object = QualType { ty: full, ..ty };
        self.globals[id].ty = object;
        let seen = self.named_type(ty, full);
        if let Some(entry) = self.ordinary.get_mut(name) {
            entry.entity = Entity::Global(id, seen);
        }
        // A static local may have the name of another object.
        if let Some(link) = self.unit_links.get_mut(&name)
            && matches!(link.linked, Linked::Global(linked) if linked == id)
        {
            link.ty = seen;
        }
    }

    /// The type by which an object is named: a longer flexible array does not show in it.
    pub(super) fn named_type(&self, ty: QualType, full: TypeId) -> QualType {
        match self.types.is_array(full) {
            true => QualType { ty: full, ..ty },
            false => ty,
        }
    }

    /// Reports types no object can have.
    pub(super) fn check_object_type(&mut self, item: &Item, may_be_completed: bool) {
        let ty = item.ty.ty;
        if self.is_error(ty) {
            return;
        }
        let open_array = self.types.is_open_array(ty);
        let wrong = self.types.is_void(ty) && item.storage != Storage::Extern
            || !self.types.is_complete(ty) && !open_array && !may_be_completed;
        if wrong {
            let shown = self.show(item.ty);
            let text = self.names.text(item.name).clone();
            let message = format!("'{text}' has the incomplete type '{shown}'");
            let mut diagnostic = Diagnostic::error(item.span, message);
            if let &Type::Record(id) = self.types.get(ty) {
                let place = self.types.records[id].span;
                diagnostic = diagnostic.note(place, "its tag appears first here");
            }
            self.report(diagnostic);
        }
    }

    /// Completes what the unit left open.
    pub(super) fn finish_unit(&mut self) {
        for id in std::mem::take(&mut self.tentative) {
            let global = &self.globals[id];
            let (span, ty) = (global.span, global.ty);
            if self.is_error(ty.ty) || self.types.is_complete(ty.ty) {
                continue;
            }
            if let &Type::Array(element, ArrayLen::Unknown) = self.types.get(ty.ty) {
                self.warn(span, "array without a length has one element");
                let one = self.types.array_of(element, ArrayLen::Known(1));
                self.globals[id].ty.ty = one;
            } else {
                let message = format!("'{}' never gets a complete type", self.globals[id].name);
                self.error(span, message);
            }
        }
    }

    /// Whether an initialiser follows, or was read already to find a type.
    pub(super) fn has_initial(&self) -> bool {
        self.auto_value.is_some() || self.at(Punct::Assign)
    }

    /// The initialiser after a declarator, and the type it completes.
    pub(super) fn initial(
        &mut self,
        ty: QualType,
        is_static: bool,
    ) -> Parsed<(Initializer, TypeId)> {
        match self.auto_value.take() {
            Some(value) => Ok(self.plain_initializer(ty, value, is_static)),
            None => {
                self.advance();
                self.initializer(ty, is_static)
            }
        }
    }

    pub(super) fn at_static_assert(&self) -> bool {
        self.at_keyword(Keyword::StaticAssert) || self.at_word(Word::StaticAssert)
    }

    /// `_Static_assert(condition, "message");`, the message being optional.
    pub(super) fn static_assert(&mut self) -> Parsed<()> {
        let span = self.advance().span;
        let open = self.expect(Punct::LParen, "after '_Static_assert'")?;
        let condition = self.constant_expression("condition of a static assertion")?;
        let mut text = String::new();
        if self.eat(Punct::Comma) {
            text = self.spelt_strings()?;
        }
        self.close(Punct::RParen, open, "'_Static_assert'")?;
        if condition.is_some_and(|value| value.is_zero()) {
            let colon = if text.is_empty() { "" } else { ": " };
            self.error(span, format!("static assertion failed{colon}{text}"));
        }
        self.expect(Punct::Semi, "after the static assertion")?;
        Ok(())
    }
}

/// A declarator with all that was said about it.
pub(super) struct Item {
    pub(super) name: Symbol,
    pub(super) span: Span,
    pub(super) ty: QualType,
    pub(super) storage: Storage,
    pub(super) attributes: Attributes,
}

impl Item {
    /// As the declaration of something with linkage.
    pub(super) fn declaration(&self, inherits: bool) -> Declaration {
        Declaration {
            name: self.name,
            span: self.span,
            ty: self.ty,
            is_static: self.storage == Storage::Static,
            inherits,
        }
    }
}
