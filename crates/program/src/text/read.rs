//! Reads programs in the text form.
//!
//! Two passes over the lines: the first takes declarations and locations, the second, when every
//! name is known, takes edges and initial values. A mistake costs its line; the others of its pass
//! are still looked at, and the second pass is made when the first found no mistake.
//!
//! # Invariants
//! - Never panics, whatever the text.
//! - Every id in the program that is returned is in its table. Types are `validate`'s business.

use super::lex::{self, Cursor, Fault, Kind, Read, Token};
use super::print::{PROPERTIES, SITE_KINDS, property, site_kind};
use super::read_expr::{Entity, ExprReader, NameTable};
use crate::ir::*;
use base::{Diagnostic, Diagnostics, FileId, Id, IdVec, SourceFile, SourceMap, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads a program; `None` if there were errors.
pub fn read(sources: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> Option<Program> {
    let file = sources.file(file);
    let text = match std::str::from_utf8(&file.text) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            diagnostics.push(Diagnostic::error(
                file.span(at, at + 1),
                "the text is not UTF-8",
            ));
            return None;
        }
    };
    let mut lines = Vec::new();
    let mut faults = Vec::new();
    let mut base = 0;
    for line in text.split_inclusive('\n') {
        match lex::tokens(line, base) {
            Ok(tokens) if tokens.is_empty() => {}
            Ok(tokens) => lines.push(tokens),
            Err(fault) => faults.push(fault),
        }
        base += line.len();
    }
    let mut reader = Reader::new(file);
    let program = reader.read(&lines);
    faults.append(&mut reader.faults);
    let failed = !faults.is_empty();
    for fault in faults {
        let span = file.span(fault.lo, fault.hi);
        diagnostics.push(Diagnostic::error(span, fault.message));
    }
    program.filter(|_| !failed)
}

/// A table whose rows may come in any order.
type Rows<I, T> = BTreeMap<I, T>;

struct Reader<'f, 't> {
    file: &'f SourceFile,
    /// Whether spans stand in the text.
    raw: bool,
    program: Program,
    entry: Option<Cursor<'f, 't>>,
    vars: Rows<VarId, Var>,
    objects: Rows<ObjectId, Object>,
    procs: Rows<ProcId, Procedure>,
    locations: BTreeMap<ProcId, Rows<LocationId, Location>>,
    sites: Rows<SiteId, Site>,
    inlines: Rows<InlineId, InlineSite>,
    names: NameTable<'t>,
    proc: Option<ProcId>,
    location: Option<LocationId>,
    /// What waits for the second pass.
    later: Vec<Later<'f, 't>>,
    faults: Vec<Fault>,
}

enum Later<'l, 't> {
    Edge(ProcId, LocationId, Cursor<'l, 't>, Span),
    Addresses(ObjectId, Cursor<'l, 't>),
}

impl<'l, 't> Reader<'l, 't> {
    fn new(file: &'l SourceFile) -> Self {
        Reader {
            file,
            raw: false,
            program: Program::new(8),
            entry: None,
            vars: Rows::new(),
            objects: Rows::new(),
            procs: Rows::new(),
            locations: BTreeMap::new(),
            sites: Rows::new(),
            inlines: Rows::new(),
            names: NameTable::default(),
            proc: None,
            location: None,
            later: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn read(&mut self, lines: &'l [Vec<Token<'t>>]) -> Option<Program> {
        for tokens in lines {
            let (lo, hi) = (tokens[0].lo, tokens[tokens.len() - 1].hi);
            let mut cursor = Cursor::new(tokens);
            let line = self.file.span(lo, hi);
            if let Err(fault) = self.line(&mut cursor, line) {
                self.faults.push(fault);
            }
        }
        let end = lines
            .last()
            .and_then(|line| line.last())
            .map_or(0, |token| token.hi);
        let at_end = |message: &str| Fault {
            lo: end,
            hi: end,
            message: message.into(),
        };
        if self.proc.is_some() {
            self.faults
                .push(at_end("the last procedure should end in `}`"));
        }
        let Some(mut entry) = self.entry.take() else {
            self.faults.push(at_end(
                "expected `program ptr 8 entry main` as the first line",
            ));
            return None;
        };
        match self.tables() {
            Ok(()) => {}
            Err(message) => {
                self.faults.push(at_end(&message));
                return None;
            }
        }
        let before = entry.clone();
        match entry
            .word("a procedure")
            .map(|name| self.names.get(&(None, name)))
        {
            Ok(Some(Entity::Proc(proc))) => self.program.entry = *proc,
            Ok(_) | Err(_) => self.faults.push(before.fault("there is no such procedure")),
        }
        // With a declaration missing, names may lead nowhere.
        if self.faults.is_empty() {
            self.second_pass();
        }
        self.faults
            .is_empty()
            .then(|| std::mem::replace(&mut self.program, Program::new(8)))
    }

    /// Makes the tables of the program from the rows.
    fn tables(&mut self) -> Result<(), String> {
        self.program.vars = dense(std::mem::take(&mut self.vars), "variables")?;
        self.program.objects = dense(std::mem::take(&mut self.objects), "objects")?;
        self.program.sites = dense(std::mem::take(&mut self.sites), "sites")?;
        self.program.inlines = dense(std::mem::take(&mut self.inlines), "inlined calls")?;
        for (&proc, procedure) in &mut self.procs {
            let locations = self.locations.remove(&proc).unwrap_or_default();
            procedure.locations = dense(locations, "locations of a procedure")?;
            for end in [procedure.entry, procedure.exit] {
                if procedure.locations.get(end).is_none() {
                    return Err(format!("{} has no location {end}", procedure.name));
                }
            }
        }
        self.program.procs = dense(std::mem::take(&mut self.procs), "procedures")?;
        let inlines = &self.program.inlines;
        if (inlines.iter()).any(|row| row.parent.is_some_and(|id| inlines.get(id).is_none())) {
            return Err("an inlined call is in one that is not there".into());
        }
        Ok(())
    }

    fn second_pass(&mut self) {
        let mut edges: BTreeMap<ProcId, Rows<EdgeId, Edge>> = BTreeMap::new();
        for later in std::mem::take(&mut self.later) {
            let result = match later {
                Later::Addresses(object, mut cursor) => self.addresses(object, &mut cursor),
                Later::Edge(proc, source, mut cursor, line) => {
                    let before = cursor.clone();
                    self.edge(proc, source, &mut cursor, line)
                        .and_then(|(id, edge)| {
                            let old = edges.entry(proc).or_default().insert(id, edge);
                            if old.is_some() {
                                return Err(before.fault("there is another edge of that id"));
                            }
                            self.program.procs[proc].locations[source].out.push(id);
                            Ok(())
                        })
                }
            };
            if let Err(fault) = result {
                self.faults.push(fault);
            }
        }
        for (proc, rows) in edges {
            match dense(rows, "edges of a procedure") {
                Ok(edges) => self.program.procs[proc].edges = edges,
                Err(message) => {
                    // Only worth saying when no edge was lost to another mistake.
                    if self.faults.is_empty() {
                        self.faults.push(Fault {
                            lo: 0,
                            hi: 0,
                            message,
                        });
                    }
                }
            }
        }
    }

    fn line(&mut self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<()> {
        let before = cursor.clone();
        if cursor.symbol("}") {
            (self.proc, self.location) = (None, None);
            return cursor.finish();
        }
        let word = cursor.word("a declaration, a location or an edge")?;
        match (word, self.proc) {
            ("program", None) => self.header(cursor)?,
            ("assumption", None) => self.program.assumptions.push(cursor.text()?.into()),
            ("global", None) => self.var(cursor, Scope::Global, line).map(|_| ())?,
            ("local", Some(proc)) => self.var(cursor, Scope::Local(proc), line).map(|_| ())?,
            ("object", proc) => return self.object(cursor, proc, line),
            ("site", None) => self.site(cursor, line)?,
            ("inline", None) => self.inline(cursor, line)?,
            ("proc", None) => self.procedure(cursor, line)?,
            (_, Some(proc)) if word.starts_with('l') => {
                *cursor = before;
                self.location(cursor, proc, line)?;
            }
            (_, Some(proc)) if word.starts_with('e') => {
                let Some(location) = self.location else {
                    return Cursor::fault_before(&before, "an edge should stand under a location");
                };
                self.later.push(Later::Edge(proc, location, before, line));
                return Ok(());
            }
            _ => {
                return Cursor::fault_before(
                    &before,
                    "expected a declaration, a location or an edge",
                );
            }
        }
        cursor.finish()
    }

    fn header(&mut self, cursor: &mut Cursor<'l, 't>) -> Read<()> {
        cursor.expect_keyword("ptr")?;
        let before = cursor.clone();
        self.program.pointer_bytes = cursor.number()?;
        if !matches!(self.program.pointer_bytes, 4 | 8) {
            return Cursor::fault_before(&before, "pointers have 4 or 8 bytes");
        }
        cursor.expect_keyword("entry")?;
        self.entry = Some(cursor.clone());
        cursor.word("a procedure")?;
        self.raw = cursor.keyword("spans");
        Ok(())
    }

    /// `v0 x "name": i32 = 5i32 @1..2`.
    fn var(&mut self, cursor: &mut Cursor<'l, 't>, scope: Scope, line: Span) -> Read<VarId> {
        let before = cursor.clone();
        let id: VarId = cursor.id('v', "the id of a variable")?;
        let owner = match scope {
            Scope::Global => None,
            Scope::Local(proc) => Some(proc),
        };
        let name = self.declare(cursor, owner, Entity::Var(id))?;
        cursor.expect(":")?;
        let ty = cursor.ty()?;
        let init = if cursor.symbol("=") {
            let exprs = ExprReader {
                program: &self.program,
                names: &NameTable::default(),
                proc: None,
            };
            Some(exprs.constant(cursor)?)
        } else {
            None
        };
        let span = self.span(cursor, line)?;
        let var = Var {
            name,
            ty,
            scope,
            init,
            span,
        };
        unique(&before, self.vars.insert(id, var))?;
        Ok(id)
    }

    fn object(
        &mut self,
        cursor: &mut Cursor<'l, 't>,
        proc: Option<ProcId>,
        line: Span,
    ) -> Read<()> {
        let before = cursor.clone();
        let id: ObjectId = cursor.id('o', "the id of an object")?;
        let name = self.declare(cursor, proc, Entity::Object(id))?;
        cursor.expect(":")?;
        let size = cursor.number()?;
        cursor.expect_keyword("align")?;
        let align = cursor.number()?;
        let read_only = cursor.keyword("readonly");
        let mut init = ObjectInit::default();
        if cursor.symbol("=") {
            let here = cursor.clone();
            let Some(bytes) = hex(cursor.text()?) else {
                return Cursor::fault_before(&here, "expected pairs of hexadecimal digits");
            };
            init.bytes = bytes;
        }
        self.later.push(Later::Addresses(id, cursor.clone()));
        // The addresses name things not yet declared; the span stands behind them.
        let mut ahead = cursor.clone();
        while !matches!(ahead.peek(), None | Some(Kind::Symbol("@"))) {
            ahead.next();
        }
        let span = self.span(&mut ahead, line)?;
        let object = Object {
            name,
            size,
            align,
            scope: proc.map_or(Scope::Global, Scope::Local),
            read_only,
            init,
            span,
        };
        unique(&before, self.objects.insert(id, object))
    }

    /// `[8: &f + 4, 16: &tab]`.
    fn addresses(&mut self, id: ObjectId, cursor: &mut Cursor<'l, 't>) -> Read<()> {
        let exprs = self.exprs(None);
        let mut addresses = Vec::new();
        if cursor.symbol("[") {
            loop {
                let at: u64 = cursor.number()?;
                cursor.expect(":")?;
                cursor.expect("&")?;
                let before = cursor.clone();
                let base = match exprs.lookup(cursor.word("a name")?) {
                    Some(Entity::Object(object)) => AddressBase::Object(object),
                    Some(Entity::Proc(proc)) => AddressBase::Proc(proc),
                    Some(Entity::Var(_)) | None => {
                        return Cursor::fault_before(
                            &before,
                            "there is no such object or procedure",
                        );
                    }
                };
                let negative = cursor.symbol("-");
                let mut offset = 0;
                if negative || cursor.symbol("+") {
                    let here = cursor.clone();
                    let size: i128 = cursor.number()?;
                    let Ok(value) = i64::try_from(if negative { -size } else { size }) else {
                        return Cursor::fault_before(&here, "the offset is too large");
                    };
                    offset = value;
                }
                addresses.push((at, Address { base, offset }));
                if !cursor.symbol(",") {
                    break;
                }
            }
            cursor.expect("]")?;
        }
        self.span(cursor, Span::NONE)?;
        self.program.objects[id].init.addresses = addresses;
        cursor.finish()
    }

    fn site(&mut self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<()> {
        let before = cursor.clone();
        let id: SiteId = cursor.id('n', "the id of a site")?;
        cursor.expect(":")?;
        let here = cursor.clone();
        let word = cursor.word("a kind of site")?;
        let Some(kind) = SITE_KINDS.into_iter().find(|kind| site_kind(*kind) == word) else {
            return Cursor::fault_before(&here, "there is no such kind of site");
        };
        let site = Site {
            kind,
            ty: cursor.ty()?,
            name: cursor.text()?.into(),
            span: self.span(cursor, line)?,
        };
        unique(&before, self.sites.insert(id, site))
    }

    fn inline(&mut self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<()> {
        let before = cursor.clone();
        let id: InlineId = cursor.id('i', "the id of an inlined call")?;
        cursor.expect(":")?;
        let inline = InlineSite {
            callee: cursor.text()?.into(),
            parent: if cursor.keyword("in") {
                Some(cursor.id('i', "the id of an inlined call")?)
            } else {
                None
            },
            span: self.span(cursor, line)?,
        };
        unique(&before, self.inlines.insert(id, inline))
    }

    /// `proc p0 main(v1 a: i32, ...v2 rest: ptr) -> i32 entry l0 exit l1 {`.
    fn procedure(&mut self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<()> {
        let before = cursor.clone();
        let id: ProcId = cursor.id('p', "the id of a procedure")?;
        // So that its lines find it even if the rest of this one is wrong.
        (self.proc, self.location) = (Some(id), None);
        let name = self.declare(cursor, None, Entity::Proc(id))?;
        let mut procedure = Procedure::new(name, None, line);
        (procedure.locations, procedure.edges) = (IdVec::new(), IdVec::new());
        cursor.expect("(")?;
        if !cursor.symbol(")") {
            loop {
                let variadic = cursor.symbol("...");
                let var = self.var(cursor, Scope::Local(id), line)?;
                if variadic {
                    procedure.varargs = Some(var);
                    break;
                }
                procedure.params.push(var);
                if !cursor.symbol(",") {
                    break;
                }
            }
            cursor.expect(")")?;
        }
        if cursor.symbol("->") {
            procedure.ret = Some(cursor.ty()?);
        }
        cursor.expect_keyword("entry")?;
        procedure.entry = cursor.id('l', "a location")?;
        cursor.expect_keyword("exit")?;
        procedure.exit = cursor.id('l', "a location")?;
        procedure.span = self.span(cursor, line)?;
        cursor.expect("{")?;
        unique(&before, self.procs.insert(id, procedure))
    }

    /// `l3: error assertion "message" @1..2 @3..4`.
    fn location(&mut self, cursor: &mut Cursor<'l, 't>, proc: ProcId, line: Span) -> Read<()> {
        let before = cursor.clone();
        let id: LocationId = cursor.id('l', "a location")?;
        self.location = Some(id);
        cursor.expect(":")?;
        let mut error = None;
        if cursor.keyword("error") {
            let here = cursor.clone();
            let word = cursor.word("a property")?;
            let Some(property) = PROPERTIES
                .into_iter()
                .find(|known| property(*known) == word)
            else {
                return Cursor::fault_before(&here, "there is no such property");
            };
            error = Some(Violation {
                property,
                message: cursor.text()?.into(),
                span: self.span(cursor, line)?,
            });
        }
        let location = Location {
            out: Vec::new(),
            error,
            span: self.span(cursor, line)?,
        };
        let rows = self.locations.entry(proc).or_default();
        unique(&before, rows.insert(id, location))
    }

    /// `e5: op -> l3 via i0 @1..2`.
    fn edge(
        &self,
        proc: ProcId,
        source: LocationId,
        cursor: &mut Cursor<'l, 't>,
        line: Span,
    ) -> Read<(EdgeId, Edge)> {
        let id = cursor.id('e', "an edge")?;
        cursor.expect(":")?;
        let op = self.exprs(Some(proc)).op(cursor)?;
        cursor.expect("->")?;
        let before = cursor.clone();
        let target = cursor.id('l', "a location")?;
        if self.program.procs[proc].locations.get(target).is_none() {
            return Cursor::fault_before(&before, "there is no such location");
        }
        let mut inlined = None;
        if cursor.keyword("via") {
            let before = cursor.clone();
            let inline = cursor.id('i', "an inlined call")?;
            if self.program.inlines.get(inline).is_none() {
                return Cursor::fault_before(&before, "there is no such inlined call");
            }
            inlined = Some(inline);
        }
        let span = self.span(cursor, line)?;
        cursor.finish()?;
        let edge = Edge {
            source,
            target,
            op,
            span,
            inlined,
        };
        Ok((id, edge))
    }

    fn exprs(&self, proc: Option<ProcId>) -> ExprReader<'_, 't> {
        ExprReader {
            program: &self.program,
            names: &self.names,
            proc,
        }
    }

    /// The name used, and perhaps the one in the source; returns the latter.
    fn declare(
        &mut self,
        cursor: &mut Cursor<'l, 't>,
        owner: Option<ProcId>,
        entity: Entity,
    ) -> Read<Arc<str>> {
        let before = cursor.clone();
        let used = cursor.word("a name")?;
        if super::names::is_word(used) {
            return Cursor::fault_before(&before, "this word cannot be a name");
        }
        if self.names.insert((owner, used), entity).is_some() {
            return Cursor::fault_before(&before, "there is another thing of that name");
        }
        match cursor.peek() {
            Some(Kind::Text(name)) => {
                cursor.next();
                Ok(name.as_str().into())
            }
            _ => Ok(used.into()),
        }
    }

    /// A span if one stands here, else what its absence means.
    fn span(&self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<Span> {
        let before = cursor.clone();
        if !cursor.symbol("@") {
            return Ok(if self.raw { Span::NONE } else { line });
        }
        let lo = cursor.number()?;
        cursor.expect("..")?;
        let hi = cursor.number()?;
        if lo > hi {
            return Cursor::fault_before(&before, "the span ends before it starts");
        }
        Ok(if self.raw { Span { lo, hi } } else { line })
    }
}

fn unique<T>(before: &Cursor<'_, '_>, old: Option<T>) -> Read<()> {
    match old {
        None => Ok(()),
        Some(_) => Err(before.fault("there is another thing of that id")),
    }
}

/// The table, if its ids are those from zero up.
fn dense<I: Id, T>(rows: Rows<I, T>, what: &str) -> Result<IdVec<I, T>, String> {
    if let Some(gap) = rows
        .keys()
        .enumerate()
        .find(|(index, id)| *index != id.index())
    {
        return Err(format!(
            "the ids of the {what} should have no gap: {} is missing",
            gap.0
        ));
    }
    Ok(rows.into_values().collect())
}

fn hex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = (0..text.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok())
        .collect()
}
