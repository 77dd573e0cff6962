//! A log of what an engine did, for a reader.
//!
//! # Invariants
//! - It observes: terms are copied into a store of its own, and no engine reads it.
//! - It stays small: entries beyond [`MOST`] are counted, not kept.

use crate::unwinding::VertexId;
use base::{Event, Observer, Span};
use encode::Context;
use exec::End;
use logic::{TermId, TermStore};
use program::expr::Constant;
use program::ir::{SiteId, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most entries kept.
pub const MOST: usize = 200_000;

/// A journal being written. An engine that finds none records nothing.
pub struct Journal {
    start: Instant,
    notes: Mutex<Notes>,
}

/// The recorded log.
#[derive(Default)]
pub struct Notes {
    /// The store for the terms of the entries; its symbols have the names of variables.
    pub store: TermStore,
    /// What happened, in order.
    pub entries: Vec<Entry>,
    /// How many entries were left out at the end.
    pub dropped: u64,
    vars: BTreeMap<VarId, TermId>,
    memo: FxHashMap<TermId, TermId>,
}

/// An event. Vertices are those of the search that started last.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// A phase started, at this time after the start.
    Phase(String, Duration),
    /// A search started with a new unwinding, because of what the last one found.
    Search(String),
    /// The summaries from the root were computed at some effort: what they say about errors.
    Summaries(&'static str, Errors),
    /// Something else worth reporting, and where.
    Remark(String, Span),
    /// A test was run from a vertex.
    Test(Box<Tested>),
    /// A vertex got children.
    Expand(VertexId, Vec<Child>),
    /// No error can be reached from a vertex.
    DeadEnd(VertexId),
    /// Whether an error can be reached from a vertex is unknown, and why.
    Undecided(VertexId, String),
    /// A conjunct was added to a label.
    Label(VertexId, TermId),
    /// A vertex is covered by another.
    Cover(VertexId, VertexId),
    /// A vertex is no longer covered.
    Uncover(VertexId),
    /// Something is encoded more precisely, and why; these vertices are removed because of it.
    Renew(String, Vec<VertexId>),
    /// A predicate is tracked from now on at a vertex's location.
    Track(VertexId, TermId),
    /// These vertices are removed, to be re-expanded.
    Prune(Vec<VertexId>),
    /// A closed leaf is reopened.
    Reopen(VertexId),
}

/// What summaries say about errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Errors {
    /// They exclude every error, and labels were derived from them.
    Proof,
    /// They exclude every error, but yield no labels.
    NoLabels,
    /// They admit one.
    Admit,
    /// The solver answers unknown.
    Unknown,
}

/// A test.
#[derive(Clone, PartialEq, Debug)]
pub struct Tested {
    /// The vertex from which the inputs were chosen freely.
    pub from: VertexId,
    /// Its inputs.
    pub inputs: Vec<(SiteId, Constant)>,
    /// How it ended.
    pub end: End,
    /// Where.
    pub span: Span,
}

/// A new vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Child {
    /// The vertex.
    pub id: VertexId,
    /// The kind of its location.
    pub kind: Kind,
    /// Its location in the source.
    pub span: Span,
}

/// The kind of a vertex's location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The head of a loop.
    Head,
    /// An error location.
    Error,
    /// A wrap that is not encoded.
    Wrap,
    /// The end of a run.
    End,
    /// Another cut point.
    Other,
}

impl Journal {
    /// Takes the recorded log, leaving the journal empty.
    pub fn take(&self) -> Notes {
        std::mem::take(&mut *self.notes())
    }

    /// Records an event.
    pub fn note(&self, entry: Entry) {
        self.notes().push(entry);
    }

    /// Records that a search started. Its terms live in a store of their own.
    pub fn begin(&self, why: &str) {
        let mut notes = self.notes();
        notes.memo.clear();
        notes.push(Entry::Search(why.to_owned()));
    }

    /// Records an event with a term of the context of the search that started last.
    pub fn note_term(&self, ctx: &mut Context, term: TermId, entry: impl FnOnce(TermId) -> Entry) {
        let mut notes = self.notes();
        if notes.entries.len() < MOST {
            let term = notes.taken(ctx, term);
            notes.push(entry(term));
        } else {
            notes.dropped += 1;
        }
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Journal {
    fn default() -> Self {
        Journal {
            start: Instant::now(),
            notes: Mutex::default(),
        }
    }
}

impl Observer for Journal {
    fn event(&self, event: Event) {
        match event {
            Event::Phase(phase) => self.note(Entry::Phase(phase, self.start.elapsed())),
            Event::Progress { .. } => {}
        }
    }
}

impl Notes {
    fn push(&mut self, entry: Entry) {
        if self.entries.len() < MOST {
            self.entries.push(entry);
        } else {
            self.dropped += 1;
        }
    }

    /// A term of a search, with the names of variables for its symbols.
    fn taken(&mut self, ctx: &mut Context, term: TermId) -> TermId {
        for symbol in ctx.store.symbols_of(&[term]) {
            let Some(var) = ctx.state.var(symbol) else {
                continue;
            };
            let sort = ctx.store.symbol(symbol).sort;
            let name = &ctx.program.vars[var].name;
            let shown = (self.vars.entry(var)).or_insert_with(|| self.store.fresh(name, sort));
            self.memo.insert(ctx.store.of_symbol(symbol), *shown);
        }
        self.store.copy(&ctx.store, term, &mut self.memo)
    }
}
