//! What an engine did, from its journal: events in words, and the unwinding it ended with.

use crate::answer::{Event, Vertex};
use crate::place::Place;
use crate::reporter::Reporter;
use base::{Id, Span};
use exec::End;
use kit::journal::{Child, Entry, Errors, Kind, Notes, Tested};
use kit::unwinding::VertexId;
use logic::{TermId, infix};
use program::values;

/// All of it.
#[derive(Default)]
pub struct SearchLog {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// The vertices of the last search.
    pub vertices: Vec<Vertex>,
    /// Tests, in order.
    pub tests: Vec<Tested>,
    /// How many events are not among these.
    pub dropped: u64,
}

impl Reporter<'_> {
    /// Reads a journal.
    pub fn search_log(&self, notes: &Notes) -> SearchLog {
        let mut reader = Reader {
            reporter: self,
            notes,
            out: SearchLog {
                dropped: notes.dropped,
                ..SearchLog::default()
            },
            has_searched: false,
        };
        for entry in &notes.entries {
            reader.entry(entry);
        }
        reader.out
    }
}

impl Vertex {
    /// Where it stands, in words: `loop at line 9`.
    pub fn stands_at(&self) -> String {
        let word = match self.kind {
            "wrap" => "wrapping",
            "root" => "start",
            word => word,
        };
        format!("{word}{}", at_line(self.place.as_ref()))
    }
}

/// ` at line 9`, or nothing.
fn at_line(place: Option<&Place>) -> String {
    place.map_or_else(String::new, |place| format!(" at line {}", place.line()))
}

struct Reader<'a> {
    reporter: &'a Reporter<'a>,
    notes: &'a Notes,
    out: SearchLog,
    has_searched: bool,
}

impl Reader<'_> {
    fn entry(&mut self, entry: &Entry) {
        match entry {
            Entry::Phase(phase, _) => self.event("phase", phase.clone(), Span::NONE, &[]),
            Entry::Remark(remark, span) => {
                let text = format!("{remark}{}", self.line(*span));
                self.event("remark", text, *span, &[]);
            }
            Entry::Search(why) => self.search(why),
            Entry::Summaries(level, errors) => {
                let text = format!("summaries of the loops ({level}) {}", said(*errors));
                self.event("summary", text, Span::NONE, &[]);
            }
            Entry::Test(test) => self.test(test),
            Entry::Expand(vertex, children) => self.expand(*vertex, children),
            Entry::DeadEnd(vertex) => {
                self.becomes(vertex.index(), "dead end");
                // Where a run just ends, nothing was found out.
                if self.vertex(*vertex).kind != "end" {
                    let text = format!("{}: no error can be reached from here", self.name(*vertex));
                    self.event_at("dead end", text, &[*vertex]);
                }
            }
            Entry::Undecided(vertex, why) => {
                self.becomes(vertex.index(), "stuck");
                self.vertex(*vertex).remark = why.clone();
                let text = format!("{}: {why}", self.name(*vertex));
                self.event_at("stuck", text, &[*vertex]);
            }
            Entry::Label(vertex, conjunct) => self.label(*vertex, *conjunct),
            Entry::Cover(vertex, coverer) => self.cover(*vertex, *coverer),
            Entry::Uncover(vertex) => {
                self.uncovered(vertex.index());
                let text = format!("{} is covered no more", self.name(*vertex));
                self.event_at("uncover", text, &[*vertex]);
            }
            Entry::Renew(why, removed) => self.renew(why, removed),
            Entry::Track(vertex, predicate) => {
                let text = infix(&self.notes.store, *predicate, &|_| false);
                let text = format!("{}: {text} is tracked", self.name(*vertex));
                self.event_at("track", text, &[*vertex]);
            }
            Entry::Prune(removed) => {
                self.remove(removed);
                let names: Vec<String> = removed.iter().map(|&row| self.name(row)).collect();
                let text = format!("removed, to be found anew: {}", names.join(", "));
                self.event("refine", text, Span::NONE, removed);
            }
            Entry::Reopen(vertex) => self.becomes(vertex.index(), "open"),
        }
    }

    fn search(&mut self, why: &str) {
        if self.has_searched {
            let text = format!("the search ends: {why}; a new one begins");
            self.event("restart", text, Span::NONE, &[]);
            // The vertices of earlier searches are gone.
            for event in &mut self.out.events {
                event.vertices.clear();
            }
        }
        self.has_searched = true;
        let program = &self.reporter.loaded.program;
        self.out.vertices = vec![Vertex {
            place: self.reporter.place(program.procs[program.entry].span),
            kind: "root",
            fate: "open",
            ..Vertex::default()
        }];
    }

    fn renew(&mut self, why: &str, removed: &[VertexId]) {
        self.remove(removed);
        let text = format!("{why}: it is described more precisely, and the search goes on");
        self.event("refine", text, Span::NONE, &[]);
    }

    fn remove(&mut self, removed: &[VertexId]) {
        for vertex in removed {
            self.becomes(vertex.index(), "removed");
        }
        for index in 0..self.out.vertices.len() {
            let row = &self.out.vertices[index];
            let coverer = row.coverer.map(|coverer| self.out.vertices[coverer].fate);
            if row.fate == "expanded" || coverer == Some("removed") {
                self.uncovered(index);
            }
        }
    }

    fn test(&mut self, test: &Tested) {
        let from = match test.from.index() {
            0 => "a test from the start".to_owned(),
            _ => format!("a test from {}", self.name(test.from)),
        };
        let text = format!("{from} {}", self.ending(test));
        self.event("test", text, test.span, &[test.from]);
        let facts = test.inputs.iter().map(|&(site, value)| {
            let site = &self.reporter.loaded.program.sites[site];
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
        self.becomes(vertex.index(), "expanded");
        let mut names = Vec::new();
        let mut vertices = vec![vertex];
        for child in children {
            debug_assert_eq!(self.out.vertices.len(), child.id.index());
            self.out.vertices.push(Vertex {
                parent: Some(vertex.index()),
                place: self.reporter.place(child.span),
                kind: match child.kind {
                    Kind::Head => "loop",
                    Kind::Error => "error",
                    Kind::Wrap => "wrap",
                    Kind::End => "end",
                    Kind::Other => "cut",
                },
                fate: "open",
                ..Vertex::default()
            });
            vertices.push(child.id);
            names.push(self.name(child.id));
        }
        let text = match names.is_empty() {
            true => format!("{} has no way on", self.name(vertex)),
            false => format!("from {} on: {}", self.name(vertex), names.join(", ")),
        };
        self.event_at("expand", text, &vertices);
    }

    /// Labels that are learned together are one event.
    fn label(&mut self, vertex: VertexId, conjunct: TermId) {
        let text = infix(&self.notes.store, conjunct, &|_| false);
        let fact = format!("at {}: {text}", self.name(vertex));
        self.vertex(vertex).label.push(text);
        // That labels become stronger may have uncovered something in between.
        let mut events = self.out.events.iter();
        let last = events.rposition(|event| event.kind != "uncover");
        let index = match last {
            Some(index) if matches!(self.out.events[index].kind, "dead end" | "label") => index,
            Some(_) | None => {
                self.event_at("label", "learned on the way".to_owned(), &[vertex]);
                let index = self.out.events.len() - 1;
                self.out.events[index].vertices.clear();
                index
            }
        };
        self.out.events[index].vertices.push(vertex.index());
        self.out.events[index].facts.push(fact);
    }

    fn cover(&mut self, vertex: VertexId, coverer: VertexId) {
        // What vertices below the covered one cover is no longer covered.
        let rows = self.out.vertices.iter().enumerate();
        let lost = rows.filter(|(_, row)| {
            let coverer = row.coverer;
            coverer.is_some_and(|coverer| self.is_below(coverer, vertex.index()))
        });
        let lost: Vec<usize> = lost.map(|(index, _)| index).collect();
        for index in lost {
            self.uncovered(index);
        }
        self.becomes(vertex.index(), "covered");
        self.vertex(vertex).coverer = Some(coverer.index());
        let text = format!(
            "{} is covered by {}: what can happen here can happen there",
            self.name(vertex),
            self.name(coverer)
        );
        self.event_at("cover", text, &[vertex, coverer]);
    }

    fn is_below(&self, mut index: usize, above: usize) -> bool {
        while index != above {
            match self.out.vertices[index].parent {
                Some(parent) => index = parent,
                None => return false,
            }
        }
        true
    }

    fn uncovered(&mut self, index: usize) {
        let mut rows = self.out.vertices.iter();
        let is_child = |row: &Vertex| row.parent == Some(index) && row.fate != "removed";
        let fate = match rows.any(is_child) {
            true => "expanded",
            false => "open",
        };
        self.becomes(index, fate);
    }

    fn becomes(&mut self, index: usize, fate: &'static str) {
        let row = &mut self.out.vertices[index];
        row.fate = fate;
        row.coverer = None;
        row.remark.clear();
    }

    /// An event at the place of the first of some vertices.
    fn event_at(&mut self, kind: &'static str, text: String, vertices: &[VertexId]) {
        self.event(kind, text, Span::NONE, vertices);
        let place = self.vertex(vertices[0]).place.clone();
        if let Some(event) = self.out.events.last_mut() {
            event.place = place;
        }
    }

    fn event(&mut self, kind: &'static str, text: String, span: Span, vertices: &[VertexId]) {
        self.out.events.push(Event {
            kind,
            text,
            place: self.reporter.place(span),
            vertices: vertices.iter().map(|vertex| vertex.index()).collect(),
            facts: Vec::new(),
        });
    }

    fn vertex(&mut self, vertex: VertexId) -> &mut Vertex {
        &mut self.out.vertices[vertex.index()]
    }

    /// A vertex, for people: `u3 (loop at line 9)`.
    fn name(&self, vertex: VertexId) -> String {
        let row = &self.out.vertices[vertex.index()];
        match row.kind {
            "end" => format!("{vertex} (end)"),
            "root" => format!("{vertex} (start)"),
            _ => format!("{vertex} ({})", row.stands_at()),
        }
    }

    /// ` at line 9`, or nothing.
    fn line(&self, span: Span) -> String {
        at_line(self.reporter.place(span).as_ref())
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

/// Items in order, equal neighbours once, each with how often it comes there.
pub fn counted<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut counted: Vec<(T, usize)> = Vec::new();
    for item in items {
        match counted.last_mut() {
            Some((last, times)) if *last == item => *times += 1,
            Some(_) | None => counted.push((item, 1)),
        }
    }
    counted
}

/// What is said about something that comes so often: nothing of a single time.
pub fn times(times: usize) -> String {
    match times {
        1 => String::new(),
        _ => format!("  ({times} times)"),
    }
}
