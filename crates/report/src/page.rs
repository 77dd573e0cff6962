//! The parts of an answer for a page alone: coverage, what is known about loops, and the search.

use crate::answer::{Answer, Covered, Finding, Loop};
use crate::coverage::{self, Line};
use crate::loops::{self, Facts, LoopSummary};
use crate::reporter::Reporter;
use crate::search_log::SearchLog;
use base::Budget;
use certify::{Proof, Rewriting, Verdict};
use kit::journal::Notes;
use std::collections::BTreeMap;
use witness::invariants::LoopInvariant;

/// What each part that is made for a page only may take.
const RECORDING: u64 = 1_500_000;
/// Vertices and events that a page shows; a browser should not have to carry more.
const MOST_VERTICES: usize = 50_000;
const MOST_EVENTS: usize = 20_000;
/// What is said about a loop whose summary is not for people.
const NOT_SHORT: &str = "any number of iterations: no short form was found; `cairn dump summary` shows \
                         the whole";
/// What summaries of loops may take, about; and the programs for which that can be kept.
const SUMMARISING: u64 = 500_000;
const MOST_EDGES: usize = 3000;

impl Answer {
    /// Says why a part is empty.
    fn lacks(&mut self, part: &str, why: &str) {
        self.missing.insert(part.to_owned(), why.to_owned());
    }

    fn count(&mut self, name: &str, value: impl ToString) {
        self.statistics.push((name.to_owned(), value.to_string()));
    }
}

impl Reporter<'_> {
    /// Adds to an answer what its page shows besides.
    pub fn complete_page(
        &self,
        answer: &mut Answer,
        verdict: &Verdict,
        invariants: &[LoopInvariant],
        notes: Option<&Notes>,
        budget: &Budget,
    ) {
        self.statistics(answer);
        self.steps(answer, verdict, &budget.clone().with_effort(RECORDING));
        self.loops(answer, invariants, &budget.clone().with_effort(SUMMARISING));
        if let Some(notes) = notes {
            let log = self.search_log(notes);
            self.search(answer, verdict, log, &budget.clone().with_effort(RECORDING));
        }
        let confirmed = answer.confirmed.iter().map(|row| crate::answer::Note {
            text: row.message.clone(),
            place: None,
        });
        answer.notes.extend(confirmed);
    }

    fn statistics(&self, answer: &mut Answer) {
        let subject = answer.subject.clone();
        answer.count("Engine", subject.engine.unwrap_or_default());
        answer.count("Properties", subject.properties.join(", "));
        answer.count("Data model", subject.data_model);
        answer.count("Functions", subject.procedures);
        answer.count("Locations", subject.locations);
        answer.count("Edges", subject.edges);
        if let Some(steps) = answer.run_steps {
            answer.count("Steps of the failing run", steps);
        }
    }

    /// How often the failing run executed each line, or why there are no steps.
    fn steps(&self, answer: &mut Answer, verdict: &Verdict, budget: &Budget) {
        let why = match verdict {
            Verdict::Safe(_) => "A safe program has no failing run.",
            Verdict::Unknown(_) => "No failing run was found.",
            Verdict::Unsafe(replayed) if !replayed.leaps.is_empty() => {
                "The machine has not made this run: iterations of loops were proved instead, so there \
                 are no steps to show."
            }
            Verdict::Unsafe(_) if answer.sliced.is_none() => {
                "The run is too long to be shown step by step."
            }
            Verdict::Unsafe(replayed) => {
                let lines = coverage::of_run(self.loaded, &replayed.run, budget);
                return self.cover(lines, "the failing run", answer);
            }
        };
        answer.lacks("steps", why);
    }

    fn cover(&self, lines: BTreeMap<Line, u64>, by: &str, answer: &mut Answer) {
        let known = lines.into_iter().filter_map(|((file, line), count)| {
            let file = self.file(&file)?;
            Some(Covered { file, line, count })
        });
        answer.coverage = known.collect();
        answer.covered_by = by.to_owned();
    }

    /// Loops: their invariants in the proof, and what summaries say about them.
    fn loops(&self, answer: &mut Answer, invariants: &[LoopInvariant], budget: &Budget) {
        let is_small = answer.subject.edges <= MOST_EDGES;
        let mut found = Vec::new();
        if is_small {
            found = loops::of_program(&self.loaded.program, budget);
        } else {
            let why = "The program is too large to summarise its loops for a report; `cairn dump \
                       summary` tries.";
            answer.lacks("loops", why);
        }
        let mut left: BTreeMap<u32, &LoopInvariant> =
            invariants.iter().map(|row| (row.span.lo, row)).collect();
        for row in found {
            let invariant = left.remove(&row.span.lo);
            answer.loops.push(Loop {
                invariant: invariant.map_or_else(Vec::new, |row| row.for_people.clone()),
                ..self.summary(row)
            });
        }
        for row in left.into_values() {
            answer.loops.push(Loop {
                place: self.place(row.span),
                function: row.function.to_string(),
                invariant: row.for_people.clone(),
                ..Loop::default()
            });
        }
        if answer.loops.is_empty() && is_small {
            answer.lacks("loops", "No loop decides whether an error is reached.");
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

    /// The unwinding and the story; the lines that tests executed where no failing run did.
    fn search(&self, answer: &mut Answer, verdict: &Verdict, log: SearchLog, budget: &Budget) {
        let (vertices, events) = (log.vertices.len(), log.events.len());
        answer.unwinding = log.vertices;
        answer.unwinding.truncate(MOST_VERTICES);
        mark_failed(answer, log.tests.last());
        // The root alone is no picture.
        if vertices > 1 {
            let covered = answer.unwinding.iter().filter(|row| row.coverer.is_some());
            let covered = covered.count();
            answer.count("Vertices of the last unwinding", vertices);
            answer.count("Covers", covered);
            if vertices > MOST_VERTICES {
                answer.count("Vertices that are not shown", vertices - MOST_VERTICES);
            }
        } else {
            answer.unwinding.clear();
            answer.lacks("unwinding", why_no_unwinding(verdict));
        }
        answer.story = log.events;
        answer.story.truncate(MOST_EVENTS);
        answer.count("Tests of the search", log.tests.len());
        let left = events.saturating_sub(MOST_EVENTS) + log.dropped as usize;
        if left > 0 {
            answer.count("Events that are not shown", left);
        }
        if answer.story.is_empty() {
            answer.lacks("story", why_no_unwinding(verdict));
        }
        if answer.coverage.is_empty() && !log.tests.is_empty() {
            let tests = log.tests.iter().map(|test| &test.inputs[..]);
            let (lines, made) = coverage::of_tests(self.loaded, tests, budget);
            let by = match made {
                1 => "a test of the search".to_owned(),
                _ => format!("{made} tests of the search"),
            };
            self.cover(lines, &by, answer);
        }
    }
}

/// Why nothing was unwound.
fn why_no_unwinding(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe(proof) => match **proof {
            Proof::Reached(_) => {
                "No path of the control-flow graph leads to an error, so nothing had to be \
                 searched."
            }
            Proof::Inductive(_) => {
                "The summaries of the loops exclude every error, so nothing had to be unwound."
            }
            Proof::Unwound(_) => {
                "All paths end, or go on as an induction over the iterations of a loop says, and one \
                 question in bit-vectors excluded every error, so nothing had to be searched."
            }
            Proof::Rewritten(ref proof) => match proof.rewriting {
                Rewriting::Cells(_) => {
                    "What is shown of one cell of each array, whichever it is, excludes every error; \
                     the search is one of a program with these cells and is not shown."
                }
                Rewriting::Products(_) => {
                    "Polynomial invariants exclude every error; the search is one of a program with \
                     variables for products and is not shown."
                }
            },
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
fn mark_failed(answer: &mut Answer, last: Option<&kit::journal::Tested>) {
    if let Some(test) = last
        && matches!(test.end, exec::End::Violated(..))
        && matches!(answer.finding, Finding::Violation(..))
        && let Some(row) = answer.unwinding.get_mut(base::Id::index(test.from))
    {
        row.fate = "failed";
        row.remark = "the test from here fails".to_owned();
    }
}
