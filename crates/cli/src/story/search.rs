//! What the engine did, for a report: its unwinding, its story, and what is known of loops.

use super::{RECORDING, Teller, missing};
use crate::coverage;
use crate::decide::Answer;
use crate::summaries::{self, Facts, LoopSummary};
use crate::walkthrough::{Fate, Walkthrough, walkthrough};
use base::Id;
use certify::{Proof, Verdict};
use kit::journal::Kind;
use report::Report;
use report::model::{Event, Loop, Vertex};
use std::collections::BTreeMap;
use witness::invariants::LoopInvariant;

/// Vertices and events that a report shows; a browser should not have to carry more.
const MOST_VERTICES: usize = 50_000;
const MOST_EVENTS: usize = 20_000;
/// What is said of a loop whose summary is not for people.
const NOT_SHORT: &str = "any number of turns: no short form was found; `cairn dump summary` shows \
                         the whole";
/// What summaries of loops may take, about; and the programs for which that can be kept.
const SUMMARISING: u64 = 500_000;
const MOST_EDGES: usize = 3000;

impl Teller<'_> {
    /// The unwinding and the story.
    pub(super) fn search(&self, answer: &Answer, report: &mut Report) {
        let Some(notes) = &answer.notes else {
            return;
        };
        let told = walkthrough(&self.loaded.program, &self.loaded.sources, notes);
        self.unwinding(answer, &told, report);
        self.events(answer, &told, report);
        if report.coverage.is_empty() && !told.tests.is_empty() {
            let budget = self.budget.clone().with_effort(RECORDING);
            let tests = told.tests.iter().map(|test| &test.inputs[..]);
            let (lines, made) = coverage::of_tests(self.loaded, tests, &budget);
            let by = match made {
                1 => "a test of the search".to_owned(),
                _ => format!("{made} tests of the search"),
            };
            self.cover(lines, &by, report);
        }
    }

    fn unwinding(&self, answer: &Answer, told: &Walkthrough, report: &mut Report) {
        let vertices = told.vertices.iter().take(MOST_VERTICES);
        report.unwinding = vertices
            .map(|row| Vertex {
                parent: row.parent.map(Id::index),
                place: self.place(row.span),
                kind: kind(row.kind, row.parent.is_none()).to_owned(),
                label: row.label.clone(),
                fate: fate(&row.fate).to_owned(),
                coverer: match row.fate {
                    Fate::Covered(coverer) => Some(coverer.index()),
                    _ => None,
                },
                remark: match &row.fate {
                    Fate::Undecided(why) => why.clone(),
                    _ => String::new(),
                },
            })
            .collect();
        mark_failed(told, report);
        // The root alone is no picture.
        if report.unwinding.len() <= 1 {
            report.unwinding.clear();
            missing(report, "unwinding", why_no_unwinding(answer));
            return;
        }
        let covers = report.unwinding.iter();
        let covers = covers.filter(|row| row.coverer.is_some()).count();
        let mut add = |name: &str, value: usize| {
            report.statistics.push((name.to_owned(), value.to_string()));
        };
        add("Vertices of the last unwinding", told.vertices.len());
        add("Covers", covers);
        if told.vertices.len() > MOST_VERTICES {
            add(
                "Vertices that are not shown",
                told.vertices.len() - MOST_VERTICES,
            );
        }
    }

    fn events(&self, answer: &Answer, told: &Walkthrough, report: &mut Report) {
        let events = told.events.iter().take(MOST_EVENTS);
        report.story = events
            .map(|event| Event {
                kind: event.kind.to_owned(),
                text: event.text.clone(),
                place: self.place(event.span),
                // The vertices of earlier searches are gone.
                vertices: match event.search == told.search {
                    true => event.vertices.iter().map(|vertex| vertex.index()).collect(),
                    false => Vec::new(),
                },
                facts: event.facts.clone(),
            })
            .collect();
        let mut add = |name: &str, value: usize| {
            report.statistics.push((name.to_owned(), value.to_string()));
        };
        add("Tests of the search", told.tests.len());
        let left = told.events.len().saturating_sub(MOST_EVENTS) + told.dropped as usize;
        if left > 0 {
            add("Events that are not shown", left);
        }
        if report.story.is_empty() {
            missing(report, "story", why_no_unwinding(answer));
        }
    }

    /// Loops: their invariants in the proof, and what summaries say of them.
    pub(super) fn loops(&self, invariants: &[LoopInvariant], report: &mut Report) {
        let procs = &self.loaded.program.procs;
        let edges: usize = procs.iter().map(|proc| proc.edges.len()).sum();
        let mut found = Vec::new();
        if edges > MOST_EDGES {
            let why = "The program is too large to summarise its loops for a report; `cairn dump \
                       summary` tries.";
            missing(report, "loops", why);
        } else {
            let budget = self.budget.clone().with_effort(SUMMARISING);
            found = summaries::of_program(&self.loaded.program, &budget);
        }
        let mut left: BTreeMap<u32, &LoopInvariant> =
            invariants.iter().map(|row| (row.span.lo, row)).collect();
        for row in found {
            let invariant = left.remove(&row.span.lo);
            report.loops.push(Loop {
                invariant: invariant.map_or_else(Vec::new, |row| row.for_people.clone()),
                ..self.summary(row)
            });
        }
        for row in left.into_values() {
            report.loops.push(Loop {
                place: self.place(row.span),
                function: row.function.to_string(),
                invariant: row.for_people.clone(),
                ..Loop::default()
            });
        }
        if report.loops.is_empty() && edges <= MOST_EDGES {
            let why = "No loop decides whether an error is reached.";
            missing(report, "loops", why);
        }
    }

    fn summary(&self, found: LoopSummary) -> Loop {
        let (intro, facts) = match found.is_short {
            true => (found.intro, found.facts),
            false => (NOT_SHORT, Facts::default()),
        };
        Loop {
            place: self.place(found.span),
            function: found.function,
            invariant: Vec::new(),
            intro: intro.to_owned(),
            always: facts.always,
            summary: facts.cases,
            exact: found.exact,
        }
    }
}

/// Why nothing was unwound.
fn why_no_unwinding(answer: &Answer) -> &'static str {
    match &answer.verdict {
        Verdict::Safe(proof) => match **proof {
            Proof::Reached(_) => {
                "No path of the control-flow graph leads to an error, so nothing had to be \
                 searched."
            }
            Proof::Inductive(_) => {
                "The summaries of the loops exclude every error, so nothing had to be unwound."
            }
            Proof::Unwound(_) => {
                "All paths end, and one question in bit-vectors excluded every error, so nothing \
                 had to be searched."
            }
            Proof::Runs(_) => {
                "The program has so few runs that all of them were made, so nothing had to be \
                 searched."
            }
        },
        Verdict::Unsafe(_) => "The failing run was found before anything was unwound.",
        Verdict::Unknown(_) => "The engine came to no search.",
    }
}

/// The vertex from which the last test went into the error is where the failure was found.
fn mark_failed(told: &Walkthrough, report: &mut Report) {
    let fails = |test: &&kit::journal::Tested| matches!(test.end, exec::End::Violated(..));
    let Some(test) = told.tests.last().filter(fails) else {
        return;
    };
    if report.verdict == "unsafe"
        && let Some(row) = report.unwinding.get_mut(test.from.index())
    {
        row.fate = "failed".to_owned();
        row.remark = "the test from here fails".to_owned();
    }
}

fn kind(kind: Kind, is_root: bool) -> &'static str {
    match kind {
        Kind::Head => "loop",
        Kind::Error => "error",
        Kind::Wrap => "wrap",
        Kind::End => "end",
        Kind::Other if is_root => "root",
        Kind::Other => "cut",
    }
}

fn fate(fate: &Fate) -> &'static str {
    match fate {
        Fate::Open => "open",
        Fate::Expanded => "expanded",
        Fate::DeadEnd => "dead end",
        Fate::Covered(_) => "covered",
        Fate::Undecided(_) => "stuck",
    }
}
