//! Which variables of the inlined program have a name at a source loop, or at a call.
//!
//! # Invariants
//! - A symbol for a source name stands for one variable of the program as lowered; those of the
//!   copies of a location are renamed to them, activation by activation.

use super::{Copy, Named};
use crate::names::{self, Visible, is_before, is_identifier};
use base::{Id, IdVec, SourceMap, Span};
use certify::Inductive;
use cfront::ast::Ast;
use input::Loaded;
use logic::{Sort, SymbolId, TermId, TermStore};
use program::expr::Type;
use program::ir::{
    InlineId, LocationId, LoopStatement, Meaning, ObjectId, ProcId, Program, Scope as Owner, VarId,
};
use program::pass::inline::Origins;
use program::pass::scalarise::with_elements;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The names of a program and its copies.
pub(super) struct Scopes<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    inlined: Program,
    origins: Origins,
    /// The variable that each symbol of the proof stands for, of the program it is about.
    vars: BTreeMap<SymbolId, VarId>,
    /// Symbols of our own, for the variables of the program as lowered.
    own: IdVec<VarId, SymbolId>,
    /// The terms that are these symbols.
    terms: IdVec<VarId, TermId>,
    /// The element that each symbol of the proof stands for, if it is one: of an object of the
    /// program with calls inlined.
    elements: BTreeMap<SymbolId, (ObjectId, u64)>,
    /// Elements of objects of the program as lowered that have names.
    parts: BTreeMap<(ObjectId, u64), Part>,
}

/// An element of an object.
struct Part {
    /// A symbol of our own, and the term that it is.
    symbol: SymbolId,
    term: TermId,
    ty: Type,
    /// What is written after the object's name.
    text: String,
}

/// What has a name at a loop.
pub(super) struct Names {
    /// What a formula at the keyword may mention.
    visible: BTreeMap<SymbolId, Named>,
    /// What people see as well: variables that the loop declares.
    inside: BTreeMap<SymbolId, Named>,
}

impl Names {
    pub(super) fn visible(&self, symbol: SymbolId) -> Option<Named> {
        self.visible.get(&symbol).cloned()
    }

    pub(super) fn shown(&self, symbol: SymbolId) -> Option<Named> {
        let inside = || self.inside.get(&symbol).cloned();
        self.visible(symbol).or_else(inside)
    }

    /// That every variable has a value of its type.
    pub(super) fn ranges(&self, store: &mut TermStore) -> BTreeMap<SymbolId, Vec<TermId>> {
        let all = self.visible.iter().chain(&self.inside);
        super::ranges(store, all.map(|(&symbol, named)| (symbol, named.ty)))
    }
}

impl<'a> Scopes<'a> {
    pub(super) fn new(
        loaded: &'a Loaded,
        inlined: Program,
        origins: Origins,
        proof: &Inductive,
        store: &mut TermStore,
    ) -> Self {
        let program = &loaded.program;
        let (mut own, mut terms) = (IdVec::new(), IdVec::new());
        for (var, row) in program.vars.iter_enumerated() {
            let sort = store.symbol(proof.vars[var]).sort;
            let symbol = store.new_symbol(&row.name, sort);
            own.push(symbol);
            terms.push(store.of_symbol(symbol));
        }
        let vars = proof.vars.iter_enumerated();
        let (elements, parts) = match (&loaded.ast, proof.inlined) {
            (Some(ast), Some(_)) => parts(program, &inlined, &origins, proof, ast, store),
            (None, _) | (_, None) => Default::default(),
        };
        Scopes {
            elements,
            parts,
            program,
            sources: &loaded.sources,
            inlined,
            origins,
            vars: vars.map(|(var, &symbol)| (symbol, var)).collect(),
            own,
            terms,
        }
    }

    /// What has a name at a loop of a procedure as lowered. `span` is where the loop stands.
    pub(super) fn names(
        &self,
        proc: ProcId,
        statement: Option<&LoopStatement>,
        span: Span,
    ) -> Names {
        let named = |var: VarId, text: &str| {
            let ty = self.program.vars[var].ty;
            let text = text.to_owned();
            (self.own[var], Named { text, ty })
        };
        let keyword = statement.map_or(span, |row| row.keyword);
        let Visible { vars, taken } =
            names::visible(self.program, self.sources, statement, keyword);
        let vars = vars.into_iter();
        let mut visible: BTreeMap<_, _> = vars.map(|(var, name)| named(var, name)).collect();
        for (name, meaning) in statement.iter().flat_map(|row| &row.names) {
            if let Meaning::Object(object) = *meaning {
                visible.extend(self.parts_of(object, name));
            }
        }
        let mut inside: BTreeMap<SymbolId, Named> = BTreeMap::new();
        for (var, row) in self.program.vars.iter_enumerated() {
            let is_own = row.scope == Owner::Local(proc) && is_identifier(&row.name);
            if !is_own || visible.contains_key(&self.own[var]) {
                continue;
            }
            // What the loop declares; without a statement, whatever has no double.
            let is_inside = span.lo <= row.span.lo && row.span.hi <= span.hi;
            let is_double = inside.values().any(|named| *named.text == *row.name);
            let is_taken = is_double || taken.contains(&*row.name);
            if (is_inside || statement.is_none()) && !is_taken {
                inside.extend([named(var, &row.name)]);
            }
        }
        for (object, row) in self.program.objects.iter_enumerated() {
            let is_shown = is_identifier(&row.name) && !taken.contains(&*row.name);
            let is_before = is_before(self.sources, row.span, keyword);
            if row.scope == Owner::Global && is_shown && is_before {
                visible.extend(self.parts_of(object, &row.name));
            }
        }
        // Two things of one name would be a riddle.
        let names: BTreeSet<&str> = visible.values().map(|named| &*named.text).collect();
        inside.retain(|_, named| !names.contains(&*named.text));
        Names { visible, inside }
    }

    /// The elements of an object, by its name.
    fn parts_of(&self, object: ObjectId, name: &str) -> impl Iterator<Item = (SymbolId, Named)> {
        let parts = self.parts.range((object, 0)..=(object, u64::MAX));
        parts.map(move |(_, part)| {
            let text = format!("{name}{}", part.text);
            (part.symbol, Named { text, ty: part.ty })
        })
    }

    /// The entry and the exit of a procedure that is called.
    pub(super) fn ends(&self, proc: ProcId) -> [LocationId; 2] {
        let row = &self.inlined.procs[proc];
        [row.entry, row.exit]
    }

    /// Whether some calls of a procedure are inlined, so that what is said about the others is not
    /// said about all.
    pub(super) fn has_copies(&self, proc: ProcId) -> bool {
        let others = self.origins.locations.iter_enumerated();
        let mut others = others.filter(|&(other, _)| other != proc);
        others.any(|(_, row)| row.iter().flatten().any(|origin| origin.0 == proc))
    }

    /// The symbols of the proof that have a name at the calls of a procedure: its parameters, and
    /// globals that are declared before it.
    pub(super) fn at_call(
        &self,
        proc: ProcId,
    ) -> (BTreeMap<SymbolId, Named>, BTreeMap<SymbolId, Named>) {
        let procedure = &self.program.procs[proc];
        let is_own = |name: &str| {
            let mut params = procedure.params.iter();
            params.any(|&param| *self.program.vars[param].name == *name)
        };
        let is_global = |owner: Owner, name: &str, span: Span| {
            owner == Owner::Global
                && is_identifier(name)
                && !is_own(name)
                && is_before(self.sources, span, procedure.span)
        };
        let (mut params, mut globals) = (BTreeMap::new(), BTreeMap::new());
        for (&symbol, &var) in &self.vars {
            let is_copied = var.index() < self.inlined.vars.len();
            let Some(origin) = is_copied.then(|| self.origins.vars[var]).flatten() else {
                continue;
            };
            let row = &self.program.vars[origin];
            let named = Named {
                text: row.name.to_string(),
                ty: row.ty,
            };
            if is_global(row.scope, &row.name, row.span) {
                globals.insert(symbol, named);
            } else if procedure.params.contains(&origin)
                && self.origins.calls.vars[var].is_none()
                && is_identifier(&row.name)
            {
                params.insert(symbol, named);
            }
        }
        for (&symbol, &(object, offset)) in &self.elements {
            let origin = self.origins.objects[object];
            let row = &self.program.objects[origin];
            if let Some(part) = self.parts.get(&(origin, offset))
                && is_global(row.scope, &row.name, row.span)
            {
                let text = format!("{}{}", row.name, part.text);
                globals.insert(symbol, Named { text, ty: part.ty });
            }
        }
        (params, globals)
    }

    /// How to rename the variables of a copy of a loop to what is shown there.
    pub(super) fn renaming(
        &self,
        store: &TermStore,
        copy: &Copy,
        names: &Names,
    ) -> FxHashMap<SymbolId, TermId> {
        let call = self.origins.calls.locations[copy.proc][copy.at];
        let mut renaming = FxHashMap::default();
        let is_here = |owner: Owner, of_call: Option<InlineId>| match owner {
            Owner::Global => true,
            Owner::Local(owner) => owner == copy.proc && of_call == call,
        };
        for symbol in store.symbols_of(&[copy.label]) {
            if let Some(&(object, offset)) = self.elements.get(&symbol) {
                let row = &self.inlined.objects[object];
                let of_call = self.origins.calls.objects[object];
                let part = self.parts.get(&(self.origins.objects[object], offset));
                if let Some(part) = part
                    && is_here(row.scope, of_call)
                    && names.shown(part.symbol).is_some()
                {
                    renaming.insert(symbol, part.term);
                }
                continue;
            }
            let var = self.vars.get(&symbol).copied();
            let var = var.filter(|&var| var.index() < self.inlined.vars.len());
            let Some((var, origin)) = var.and_then(|var| Some((var, self.origins.vars[var]?)))
            else {
                continue;
            };
            let of_call = self.origins.calls.vars[var];
            if is_here(self.inlined.vars[var].scope, of_call)
                && names.shown(self.own[origin]).is_some()
            {
                renaming.insert(symbol, self.terms[origin]);
            }
        }
        renaming
    }
}

/// The elements that a proof is about, and those of them that have names.
#[expect(clippy::type_complexity, reason = "two tables")]
fn parts(
    program: &Program,
    inlined: &Program,
    origins: &Origins,
    proof: &Inductive,
    ast: &Ast,
    store: &mut TermStore,
) -> (
    BTreeMap<SymbolId, (ObjectId, u64)>,
    BTreeMap<(ObjectId, u64), Part>,
) {
    let types = names::declared_types(ast);
    let (scalar, vars) = with_elements(inlined);
    let (mut elements, mut parts) = (BTreeMap::new(), BTreeMap::new());
    for (&(object, offset), &var) in &vars {
        let Some(&symbol) = proof.vars.get(var) else {
            continue;
        };
        elements.insert(symbol, (object, offset));
        let origin = origins.objects[object];
        let (row, ty) = (&program.objects[origin], scalar.vars[var].ty);
        let part = types.get(&(row.span, row.name.clone()));
        let part = part.and_then(|&of| ast.types.part_at(of, offset));
        if let (Some((text, of)), Type::Int(int)) = (part, ty)
            && ast.types.scalar_int(of) == Some(int)
            && !parts.contains_key(&(origin, offset))
        {
            let symbol = store.new_symbol(&format!("{}{text}", row.name), Sort::Int);
            let term = store.of_symbol(symbol);
            let part = Part {
                symbol,
                term,
                ty,
                text,
            };
            parts.insert((origin, offset), part);
        }
    }
    (elements, parts)
}
