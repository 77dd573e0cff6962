//! Linkage: which declarations, in one unit and in several, denote the same entity.

use super::Parser;
use super::scope::Entity;
use crate::ast::{Function, FunctionId, Global, GlobalId, Linkage};
use crate::convert::same_length;
use crate::token::Symbol;
use crate::types::{QualType, RecordId, Type, TypeId};
use base::{Diagnostic, Span};
use rustc_hash::FxHashSet;

/// What an external name means in all units.
#[derive(Clone, Copy, Debug)]
pub(super) enum Linked {
    Global(GlobalId),
    Function(FunctionId),
}

/// What a name with linkage means in this unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnitLink {
    pub(super) linked: Linked,
    /// The type as this unit has declared it so far.
    pub(super) ty: QualType,
    pub(super) linkage: Linkage,
    pub(super) span: Span,
}

/// A declaration of something with linkage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration {
    pub(super) name: Symbol,
    pub(super) span: Span,
    pub(super) ty: QualType,
    /// `static`
    pub(super) is_static: bool,
    /// `extern`, or a function without `static`: takes over the linkage declared before.
    pub(super) inherits: bool,
}

impl Parser<'_> {
    /// Declares an object with linkage and returns it with its type so far.
    pub(super) fn link_object(&mut self, declaration: Declaration) -> (GlobalId, QualType) {
        let (linkage, ty) = self.merge(declaration);
        let id = match self.linked_before(declaration, linkage, ty) {
            Some(Linked::Global(id)) => id,
            // A function of that name has been reported: go on apart from it.
            Some(Linked::Function(_)) | None => self.new_global(declaration, linkage),
        };
        let global = &mut self.globals[id];
        if self.types.is_complete(ty.ty) || !self.types.is_complete(global.ty.ty) {
            global.ty = ty;
        }
        self.remember(declaration, Linked::Global(id), ty, linkage);
        (id, ty)
    }

    fn new_global(&mut self, declaration: Declaration, linkage: Linkage) -> GlobalId {
        self.globals.push(Global {
            name: self.names.text(declaration.name).clone(),
            ty: declaration.ty,
            linkage,
            defined: false,
            init: None,
            align: None,
            span: declaration.span,
        })
    }

    /// Declares a function and returns it with its type so far.
    pub(super) fn link_function(&mut self, declaration: Declaration) -> (FunctionId, TypeId) {
        let (linkage, ty) = self.merge(declaration);
        let id = match self.linked_before(declaration, linkage, ty) {
            Some(Linked::Function(id)) => id,
            Some(Linked::Global(_)) | None => self.new_function(declaration, linkage),
        };
        let function = &mut self.functions[id];
        if function.body.is_none() {
            let old = self.types.function(function.ty);
            let keeps = old.is_some_and(|old| old.prototype)
                && !self.types.function(ty.ty).is_some_and(|new| new.prototype);
            if !keeps || function.implicit {
                function.ty = ty.ty;
            }
        }
        function.implicit = false;
        function.system |= self.map.is_system(declaration.span);
        self.remember(declaration, Linked::Function(id), ty, linkage);
        (id, ty.ty)
    }

    /// Gives each alias the body of its function; one that has none is not modelled.
    pub(super) fn resolve_aliases(&mut self) {
        for (alias, name, span) in std::mem::take(&mut self.aliases) {
            if !self.resolve_alias(alias, name) {
                self.unsupported(span, "the attribute 'alias'");
            }
        }
        // Headers give functions of the library other names, which have no body here either.
        for (function, name) in std::mem::take(&mut self.asm_names) {
            self.resolve_alias(function, name);
        }
    }

    /// Gives a function without a body that of the one function of a name, if there is one.
    fn resolve_alias(&mut self, alias: FunctionId, name: Symbol) -> bool {
        if self.functions[alias].body.is_some() {
            return true;
        }
        let text = self.names.text(name).clone();
        let named = self.functions.iter().filter(|row| row.name == text);
        let mut bodies = named.filter_map(|row| Some((row.ty, row.body.as_ref()?)));
        match (bodies.next(), bodies.next()) {
            (Some((ty, body)), None) if self.types.compatible(ty, self.functions[alias].ty) => {
                let body = Some(body.clone());
                self.functions[alias].ty = ty;
                self.functions[alias].body = body;
                true
            }
            _ => false,
        }
    }

    /// What the name of a declaration is linked to so far. What another unit says of it is held
    /// against the declaration.
    fn linked_before(
        &mut self,
        declaration: Declaration,
        linkage: Linkage,
        ty: QualType,
    ) -> Option<Linked> {
        let Declaration { name, span, .. } = declaration;
        if let Some(link) = self.unit_links.get(&name) {
            return Some(link.linked);
        }
        let linked = *(self.links.get(&name)).filter(|_| linkage == Linkage::External)?;
        let (old, other, implicit) = match linked {
            Linked::Global(id) => (self.globals[id].ty, self.globals[id].span, false),
            Linked::Function(id) => {
                let function = &self.functions[id];
                (function.ty.into(), function.span, function.implicit)
            }
        };
        let is_function = matches!(linked, Linked::Function(_));
        if self.types.is_function(declaration.ty.ty) != is_function {
            self.other_kind(name, span, other);
        } else if !implicit {
            self.check_units(name, span, ty, old, other);
        }
        Some(linked)
    }

    pub(super) fn new_function(
        &mut self,
        declaration: Declaration,
        linkage: Linkage,
    ) -> FunctionId {
        self.functions.push(Function {
            name: self.names.text(declaration.name).clone(),
            ty: declaration.ty.ty,
            linkage,
            noreturn: false,
            weak: false,
            constructor: false,
            body: None,
            implicit: false,
            system: false,
            span: declaration.span,
        })
    }

    /// Makes a name with linkage known in the innermost scope, in the unit, and in all units.
    fn remember(
        &mut self,
        declaration: Declaration,
        linked: Linked,
        ty: QualType,
        linkage: Linkage,
    ) {
        let Declaration { name, span, .. } = declaration;
        if linkage == Linkage::External && !self.unit_links.contains_key(&name) {
            self.links.entry(name).or_insert(linked);
        }
        let link = UnitLink {
            linked,
            ty,
            linkage,
            span,
        };
        self.unit_links.insert(name, link);
        let entity = match linked {
            Linked::Global(id) => Entity::Global(id, ty),
            Linked::Function(id) => Entity::Function(id, ty.ty),
        };
        let level = self.ordinary.level();
        match self.ordinary.get_mut(name) {
            Some(entry) if entry.level == level => entry.entity = entity,
            _ => self.ordinary.insert(name, entity, span),
        }
    }

    /// The linkage and type of a declaration after those before it in the unit.
    fn merge(&mut self, declaration: Declaration) -> (Linkage, QualType) {
        let Declaration {
            name,
            span,
            ty,
            is_static,
            inherits,
        } = declaration;
        let fresh = if is_static {
            Linkage::Internal
        } else {
            Linkage::External
        };
        if let Some(&entry) = self.ordinary.get_here(name) {
            match entry.entity {
                // A difference between object and function is found with the types.
                Entity::Global(..) | Entity::Function(..) | Entity::Broken => {}
                Entity::Local(..) | Entity::Typedef(..) | Entity::Enumerator(..) => {
                    self.other_kind(name, span, entry.span);
                }
            }
        }
        let Some(&old) = self.unit_links.get(&name) else {
            return (fresh, ty);
        };
        let linkage = match (old.linkage, fresh) {
            (Linkage::Internal, Linkage::External) if inherits => Linkage::Internal,
            (before, now) if before == now => now,
            (before, _) => {
                let text = self.names.text(name);
                let (new, first) = match before {
                    Linkage::Internal => ("non-static", "static"),
                    Linkage::External => ("static", "non-static"),
                };
                let message = format!("{new} declaration of '{text}' after a {first} one");
                let diagnostic = Diagnostic::error(span, message);
                self.report(diagnostic.note(old.span, "declared before here"));
                before
            }
        };
        (linkage, self.merge_types(&declaration, &old))
    }

    fn merge_types(&mut self, declaration: &Declaration, old: &UnitLink) -> QualType {
        let ty = declaration.ty;
        if self.is_error(ty.ty) || self.is_error(old.ty.ty) {
            return ty;
        }
        if self.types.is_function(ty.ty) != self.types.is_function(old.ty.ty) {
            self.other_kind(declaration.name, declaration.span, old.span);
            return ty;
        }
        if self.types.compatible(old.ty.ty, ty.ty) && old.ty.quals == ty.quals {
            return QualType {
                ty: self.types.composite(old.ty.ty, ty.ty),
                quals: ty.quals,
            };
        }
        let text = self.names.text(declaration.name).clone();
        let (new, before) = (self.show(ty), self.show(old.ty));
        let message = format!("conflicting types for '{text}': '{new}' here, '{before}' before");
        let implicit = match old.linked {
            Linked::Function(id) => self.functions[id].implicit,
            Linked::Global(_) => false,
        };
        let returns_void = |parser: &Self| {
            let function = parser.types.function(ty.ty);
            function.is_some_and(|function| parser.types.is_void(function.ret.ty))
        };
        if implicit && returns_void(self) {
            let diagnostic = Diagnostic::warning(declaration.span, message);
            self.warning(diagnostic.note(old.span, "declared by a call here"));
        } else {
            let diagnostic = Diagnostic::error(declaration.span, message);
            self.report(diagnostic.note(old.span, "declared before here"));
        }
        ty
    }

    /// Reports a name that already stands for something else.
    pub(super) fn other_kind(&mut self, name: Symbol, span: Span, other: Span) {
        let text = self.names.text(name);
        let message = format!("'{text}' is declared again as something else");
        self.report(Diagnostic::error(span, message).note(other, "declared before here"));
    }

    /// The types of one external name in two units must agree.
    fn check_units(&mut self, name: Symbol, span: Span, ty: QualType, old: QualType, other: Span) {
        let mut seen = FxHashSet::default();
        if self.is_error(ty.ty) || self.is_error(old.ty) || self.alike(ty.ty, old.ty, &mut seen) {
            return;
        }
        let text = self.names.text(name).clone();
        let (new, before) = (self.show(ty), self.show(old));
        let message = format!("'{text}' has type '{new}' here but '{before}' in another file");
        self.report(Diagnostic::error(span, message).note(other, "declared there"));
    }

    /// Compatibility across units: records are compared by tag and members.
    fn alike(&self, a: TypeId, b: TypeId, seen: &mut FxHashSet<(RecordId, RecordId)>) -> bool {
        if a == b {
            return true;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Pointer(x), Type::Pointer(y)) => self.alike(x.ty, y.ty, seen),
            (Type::Array(x, m), Type::Array(y, n)) => {
                same_length(*m, *n) && self.alike(x.ty, y.ty, seen)
            }
            (Type::Function(f), Type::Function(g)) => {
                self.alike(f.ret.ty, g.ret.ty, seen)
                    && (!f.prototype
                        || !g.prototype
                        || f.variadic == g.variadic
                            && f.params.len() == g.params.len()
                            && f.params
                                .iter()
                                .zip(&g.params)
                                .all(|(x, y)| self.alike(x.ty, y.ty, seen)))
            }
            (&Type::Record(r), &Type::Record(s)) => {
                if !seen.insert((r, s)) {
                    return true;
                }
                let (r, s) = (&self.types.records[r], &self.types.records[s]);
                if r.tag != s.tag || r.is_union != s.is_union {
                    return false;
                }
                let (Some(r), Some(s)) = (&r.body, &s.body) else {
                    return true;
                };
                r.size == s.size
                    && r.fields.len() == s.fields.len()
                    && r.fields.iter().zip(&s.fields).all(|(x, y)| {
                        x.name == y.name
                            && x.offset == y.offset
                            && x.bits == y.bits
                            && self.alike(x.ty.ty, y.ty.ty, seen)
                    })
            }
            (Type::Enum(_), Type::Enum(_) | Type::Int(_)) | (Type::Int(_), Type::Enum(_)) => {
                self.types.scalar_int(a) == self.types.scalar_int(b)
            }
            _ => false,
        }
    }
}
