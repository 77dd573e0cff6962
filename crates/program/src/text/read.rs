//! Reads programs in the text form.
//!
//! Two passes over the lines: the first takes declarations and locations, the second, when every
//! name is known, takes edges and initial values. An error invalidates its line only; the rest of
//! its pass is still checked, and the second pass runs only if the first found no error.
//!
//! # Invariants
//! - Never panics, whatever the text.
//! - Every id in the returned program is in its table. Types are checked by `validate`.

use super::lex::{self, Cursor, Fault, Read, Token};
use super::read_expr::{Entity, NameTable};
use crate::ir::*;
use base::{Diagnostic, Diagnostics, FileId, Id, IdVec, SourceFile, SourceMap, Span};
use std::collections::BTreeMap;

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

pub(super) struct Reader<'f, 't> {
    pub(super) file: &'f SourceFile,
    pub(super) program: Program,
    pub(super) entry: Option<Cursor<'f, 't>>,
    pub(super) vars: Rows<VarId, Var>,
    pub(super) objects: Rows<ObjectId, Object>,
    pub(super) procs: Rows<ProcId, Procedure>,
    pub(super) locations: BTreeMap<ProcId, Rows<LocationId, Location>>,
    pub(super) sites: Rows<SiteId, Site>,
    pub(super) inlines: Rows<InlineId, InlineSite>,
    pub(super) names: NameTable<'t>,
    pub(super) proc: Option<ProcId>,
    pub(super) location: Option<LocationId>,
    /// What waits for the second pass.
    pub(super) later: Vec<Later<'f, 't>>,
    pub(super) faults: Vec<Fault>,
}

pub(super) enum Later<'l, 't> {
    Edge(ProcId, LocationId, Cursor<'l, 't>, Span),
    Addresses(ObjectId, Cursor<'l, 't>),
}

impl<'l, 't> Reader<'l, 't> {
    fn new(file: &'l SourceFile) -> Self {
        Reader {
            file,
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
        if let Err(message) = self.tables() {
            self.faults.push(at_end(&message));
            return None;
        }
        let named = entry.known("a procedure", |name| match self.names.get(&(None, name)) {
            Some(Entity::Proc(proc)) => Some(*proc),
            Some(Entity::Var(_) | Entity::Object(_)) | None => None,
        });
        match named {
            Ok(proc) => self.program.entry = proc,
            Err(fault) => self.faults.push(fault),
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
            ("loop", Some(proc)) => self.loop_statement(cursor, proc, line)?,
            (_, Some(proc)) if word.starts_with('l') => {
                *cursor = before;
                self.location(cursor, proc, line)?;
            }
            (_, Some(proc)) if word.starts_with('e') => {
                let Some(location) = self.location else {
                    return Err(before.fault("an edge should stand under a location"));
                };
                self.later.push(Later::Edge(proc, location, before, line));
                return Ok(());
            }
            _ => return Err(before.fault("expected a declaration, a location or an edge")),
        }
        cursor.finish()
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
