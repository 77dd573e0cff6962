//! What an engine did, from its journal: events in words, and the unwinding it ended with.

use crate::terminal::text::{counted, times};
use base::{Id, IdVec, SourceMap, Span};
use exec::End;
use kit::journal::{Child, Entry, Errors, Kind, Notes, Tested};
use kit::unwinding::VertexId;
use logic::TermId;
use logic::infix;
use program::ir::Program;
use program::values;

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// One word, as [`report::model::Event::kind`] has them.
    pub(crate) kind: &'static str,
    /// In words.
    pub(crate) text: String,
    /// What it is about in the source.
    pub(crate) span: Span,
    /// The vertices concerned.
    pub(crate) vertices: Vec<VertexId>,
    /// What was learned, or given.
    pub(crate) facts: Vec<String>,
    /// Which search it belongs to, from 0.
    pub(crate) search: usize,
}

/// A vertex of the last unwinding.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub(crate) parent: Option<VertexId>,
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    pub(crate) label: Vec<String>,
    pub(crate) fate: Fate,
}

/// What has become of a vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    Open,
    Expanded,
    DeadEnd,
    Covered(VertexId),
    Undecided(String),
}

/// All of it.
pub(crate) struct Walkthrough {
    pub(crate) events: Vec<Event>,
    /// The vertices of the last search that has any.
    pub(crate) vertices: IdVec<VertexId, Vertex>,
    /// Tests, in order.
    pub(crate) tests: Vec<Tested>,
    /// How many events are not among these.
    pub(crate) dropped: u64,
    /// The search that the vertices belong to.
    pub(crate) search: usize,
}

/// Reads a journal.
pub(crate) fn walkthrough(program: &Program, sources: &SourceMap, notes: &Notes) -> Walkthrough {
    let mut reader = Reader {
        program,
        sources,
        notes,
        out: Walkthrough {
            events: Vec::new(),
            vertices: IdVec::new(),
            tests: Vec::new(),
            dropped: notes.dropped,
            search: 0,
        },
        searches: 0,
    };
    for entry in &notes.entries {
        reader.entry(entry);
    }
    reader.out
}

struct Reader<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    notes: &'a Notes,
    out: Walkthrough,
    searches: usize,
}

impl Reader<'_> {
    fn entry(&mut self, entry: &Entry) {
        match entry {
            Entry::Phase(phase, _) => {
                self.event("phase", phase.clone(), Span::NONE, Vec::new());
            }
            Entry::Remark(remark, span) => {
                let text = format!("{remark}{}", self.line(*span));
                self.event("remark", text, *span, Vec::new());
            }
            Entry::Search(why) => self.search(why),
            Entry::Summaries(level, errors) => {
                let text = format!("summaries of the loops ({level}) {}", said(*errors));
                self.event("summary", text, Span::NONE, Vec::new());
            }
            Entry::Test(test) => self.test(test),
            Entry::Expand(vertex, children) => self.expand(*vertex, children),
            Entry::DeadEnd(vertex) => {
                self.out.vertices[*vertex].fate = Fate::DeadEnd;
                // Where a run just ends, nothing was found out.
                if self.out.vertices[*vertex].kind != Kind::End {
                    let text = format!("{}: no error can be reached from here", self.name(*vertex));
                    self.event("dead end", text, self.span(*vertex), vec![*vertex]);
                }
            }
            Entry::Undecided(vertex, why) => {
                self.out.vertices[*vertex].fate = Fate::Undecided(why.clone());
                let text = format!("{}: {why}", self.name(*vertex));
                self.event("stuck", text, self.span(*vertex), vec![*vertex]);
            }
            Entry::Label(vertex, conjunct) => self.label(*vertex, *conjunct),
            Entry::Cover(vertex, coverer) => self.cover(*vertex, *coverer),
            Entry::Uncover(vertex) => {
                self.uncovered(*vertex);
                let text = format!("{} is covered no more", self.name(*vertex));
                self.event("uncover", text, self.span(*vertex), vec![*vertex]);
            }
        }
    }

    fn search(&mut self, why: &str) {
        if self.searches > 0 {
            let text = format!("the search ends: {why}; a new one begins");
            self.event("restart", text, Span::NONE, Vec::new());
        }
        self.searches += 1;
        self.out.search = self.searches - 1;
        self.out.vertices = IdVec::new();
        let entry = &self.program.procs[self.program.entry];
        self.out.vertices.push(Vertex {
            parent: None,
            kind: Kind::Other,
            span: entry.span,
            label: Vec::new(),
            fate: Fate::Open,
        });
    }

    fn test(&mut self, test: &Tested) {
        let from = match test.from.index() {
            0 => "a test from the start".to_owned(),
            _ => format!("a test from {}", self.name(test.from)),
        };
        let text = format!("{from} {}", self.ending(test));
        self.event("test", text, test.span, vec![test.from]);
        let facts = test.inputs.iter().map(|&(site, value)| {
            let site = &self.program.sites[site];
            let line = self.line(site.span);
            format!("{} = {}{line}", site.name, values::show(value))
        });
        let facts = counted(facts).into_iter();
        let facts = facts.map(|(fact, count)| fact + &times(count)).collect();
        if let Some(event) = self.out.events.last_mut() {
            event.facts = facts;
        }
        self.out.tests.push(test.clone());
    }

    fn ending(&self, test: &Tested) -> String {
        let line = self.line(test.span);
        match &test.end {
            End::Violated(..) => format!("fails{line}"),
            End::Exited(_) | End::Aborted | End::Blocked => "reaches no error".to_owned(),
            End::Undefined(undefined) => {
                format!("meets undefined behaviour{line}: {}", undefined.message)
            }
            End::Unsupported(what) => format!("meets what is not modelled{line}: {what}"),
            End::OutOfInputs => format!("stops{line}: no input there leads to an error"),
            End::OutOfBudget(what) => format!("is stopped{line}: {what}"),
        }
    }

    fn expand(&mut self, vertex: VertexId, children: &[Child]) {
        self.out.vertices[vertex].fate = Fate::Expanded;
        let mut names = Vec::new();
        let mut vertices = vec![vertex];
        for child in children {
            let id = self.out.vertices.push(Vertex {
                parent: Some(vertex),
                kind: child.kind,
                span: child.span,
                label: Vec::new(),
                fate: Fate::Open,
            });
            debug_assert_eq!(id, child.id);
            vertices.push(id);
            names.push(self.name(id));
        }
        let text = match names.is_empty() {
            true => format!("{} has no way on", self.name(vertex)),
            false => format!("from {} on: {}", self.name(vertex), names.join(", ")),
        };
        self.event("expand", text, self.span(vertex), vertices);
    }

    /// Labels that are learned together are one event.
    fn label(&mut self, vertex: VertexId, conjunct: TermId) {
        let text = infix(&self.notes.store, conjunct, &|_| false);
        let fact = format!("at {}: {text}", self.name(vertex));
        self.out.vertices[vertex].label.push(text);
        // That labels become stronger may have uncovered something in between.
        let mut events = self.out.events.iter();
        let last = events.rposition(|event| event.kind != "uncover");
        let index = match last {
            Some(index) if matches!(self.out.events[index].kind, "dead end" | "label") => index,
            Some(_) | None => {
                let text = "learned on the way".to_owned();
                self.event("label", text, self.span(vertex), Vec::new());
                self.out.events.len() - 1
            }
        };
        self.out.events[index].vertices.push(vertex);
        self.out.events[index].facts.push(fact);
    }

    fn cover(&mut self, vertex: VertexId, coverer: VertexId) {
        // What vertices below the covered one cover is covered no more.
        let lost: Vec<VertexId> = (self.out.vertices.iter_enumerated())
            .filter_map(|(id, row)| match row.fate {
                Fate::Covered(by) if self.is_below(by, vertex) => Some(id),
                _ => None,
            })
            .collect();
        for id in lost {
            self.uncovered(id);
        }
        self.out.vertices[vertex].fate = Fate::Covered(coverer);
        let text = format!(
            "{} is covered by {}: what can happen here can happen there",
            self.name(vertex),
            self.name(coverer)
        );
        self.event("cover", text, self.span(vertex), vec![vertex, coverer]);
    }

    fn is_below(&self, mut id: VertexId, above: VertexId) -> bool {
        while id != above {
            match self.out.vertices[id].parent {
                Some(parent) => id = parent,
                None => return false,
            }
        }
        true
    }

    fn uncovered(&mut self, vertex: VertexId) {
        let mut rows = self.out.vertices.iter();
        let fate = match rows.any(|row| row.parent == Some(vertex)) {
            true => Fate::Expanded,
            false => Fate::Open,
        };
        self.out.vertices[vertex].fate = fate;
    }

    fn event(&mut self, kind: &'static str, text: String, span: Span, vertices: Vec<VertexId>) {
        self.out.events.push(Event {
            kind,
            text,
            span,
            vertices,
            facts: Vec::new(),
            search: self.searches.saturating_sub(1),
        });
    }

    fn span(&self, vertex: VertexId) -> Span {
        self.out.vertices[vertex].span
    }

    /// A vertex, for people: `u3 (loop at line 9)`.
    fn name(&self, vertex: VertexId) -> String {
        let row = &self.out.vertices[vertex];
        let line = self.line(row.span);
        match row.kind {
            Kind::Head => format!("{vertex} (loop{line})"),
            Kind::Error => format!("{vertex} (error{line})"),
            Kind::Wrap => format!("{vertex} (wrapping{line})"),
            Kind::End => format!("{vertex} (end)"),
            Kind::Other if row.parent.is_none() => format!("{vertex} (start)"),
            Kind::Other => format!("{vertex} (cut{line})"),
        }
    }

    /// ` at line 9`, or nothing.
    fn line(&self, span: Span) -> String {
        match self.sources.presumed(span) {
            Some(position) => format!(" at line {}", position.line),
            None => String::new(),
        }
    }
}

fn said(errors: Errors) -> &'static str {
    match errors {
        Errors::Proof => "exclude every error, and invariants can be read off them",
        Errors::NoLabels => "exclude every error, but no invariants can be read off them",
        Errors::Admit => "admit an error",
        Errors::Unknown => "may admit an error: the solver gave up",
    }
}
