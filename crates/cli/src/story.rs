//! An answer and all that led to it as a [`Report`].

mod search;

use crate::args::DecideArgs;
use crate::coverage::{self, Line};
use crate::decide::Answer;
use crate::proved;
use crate::test_file::quoted;
use base::place::Places;
use base::{Budget, Span};
use certify::{Reason, Replayed, Verdict};
use input::Loaded;
use program::values;
use report::Report;
use report::model::{Covered, Input, Note, Place, SourceFile};
use report::trace::{Operands, Trace};
use std::collections::BTreeMap;
use std::sync::Arc;
use witness::invariants::LoopInvariant;

/// What each part that is made for a report only may take.
const RECORDING: u64 = 1_500_000;

/// All about an answer, with the failing run if it could be recorded.
pub(crate) fn tell(
    answer: &Answer,
    trace: Option<&Trace>,
    invariants: &[LoopInvariant],
    args: &DecideArgs,
    budget: &Budget,
) -> Report {
    let teller = Teller::new(&answer.loaded, budget);
    let mut report = Report {
        tool: concat!("cairn ", env!("CARGO_PKG_VERSION")).to_owned(),
        command: command(),
        verdict: answer.verdict.name().to_owned(),
        assumptions: answer.loaded.program.assumptions.clone(),
        timings: answer.timings.clone(),
        ..Report::default()
    };
    teller.statistics(args, &mut report);
    match &answer.verdict {
        Verdict::Safe(proof) => {
            report.headline = proved::headline(proof);
            missing(&mut report, "steps", "A safe program has no failing run.");
        }
        Verdict::Unsafe(replayed) => teller.failure(replayed, trace, &mut report),
        Verdict::Unknown(reason) => teller.reason(reason, &mut report),
    }
    teller.loops(invariants, &mut report);
    teller.search(answer, &mut report);
    let Teller { files, .. } = teller;
    report.files = files;
    report
}

/// Says why a part is empty.
fn missing(report: &mut Report, part: &str, why: &str) {
    report.missing.insert(part.to_owned(), why.to_owned());
}

/// The command as it was given, ready to be given again.
fn command() -> String {
    let given = std::env::args_os().skip(1);
    let words = given.map(|arg| quoted(&arg.to_string_lossy()));
    let words: Vec<String> = std::iter::once("cairn".to_owned()).chain(words).collect();
    words.join(" ")
}

/// Knows the places of a program.
struct Teller<'a> {
    loaded: &'a Loaded,
    /// Until when.
    budget: &'a Budget,
    places: Places<'a>,
    files: Vec<SourceFile>,
    by_name: BTreeMap<Arc<str>, usize>,
}

impl<'a> Teller<'a> {
    fn new(loaded: &'a Loaded, budget: &'a Budget) -> Self {
        let places = Places::new(&loaded.sources);
        let mut files = Vec::new();
        let mut by_name = BTreeMap::new();
        for (name, lines) in places.written_files() {
            files.push(SourceFile {
                name: name.to_string(),
                lines,
            });
            by_name.insert(name, files.len() - 1);
        }
        Teller {
            loaded,
            budget,
            places,
            files,
            by_name,
        }
    }

    fn place(&self, span: Span) -> Option<Place> {
        let place = self.places.of(span)?;
        let file = *self.by_name.get(&place.position.file)?;
        let column = |at: usize| {
            let before = place.text.get(..at).unwrap_or(&place.text);
            before.chars().count() as u32 + 1
        };
        Some(Place {
            file,
            line: place.position.line,
            column: column(place.range.start),
            end: column(place.range.end),
        })
    }

    fn note(&self, text: &str, span: Span) -> Note {
        Note {
            text: text.to_owned(),
            place: self.place(span),
        }
    }

    fn statistics(&self, args: &DecideArgs, report: &mut Report) {
        let procs = &self.loaded.program.procs;
        let locations: usize = procs.iter().map(|proc| proc.locations.len()).sum();
        let edges: usize = procs.iter().map(|proc| proc.edges.len()).sum();
        let properties = self.loaded.request.selection.property_names().join(", ");
        let rows = [
            ("Engine", args.engine.clone()),
            ("Properties", properties),
            (
                "Data model",
                input::model_name(self.loaded.request.model).to_owned(),
            ),
            ("Functions", procs.len().to_string()),
            ("Locations", locations.to_string()),
            ("Edges", edges.to_string()),
        ];
        let rows = rows.map(|(name, value)| (name.to_owned(), value));
        report.statistics.extend(rows);
    }

    /// The failing run.
    fn failure(&self, replayed: &Replayed, trace: Option<&Trace>, report: &mut Report) {
        report.headline = replayed.violation.message.clone();
        report.place = self.place(replayed.violation.span);
        for leap in &replayed.leaps {
            let text = format!("{} turns of this loop were proved, not run", leap.turns);
            report.notes.push(self.note(&text, leap.span));
        }
        let inputs = replayed.run.inputs.iter();
        report.inputs = inputs
            .map(|&(site, value)| {
                let site = &self.loaded.program.sites[site];
                Input {
                    name: site.name.to_string(),
                    kind: values::kind_name(site.kind).to_owned(),
                    value: values::show(value),
                    place: self.place(site.span),
                }
            })
            .collect();
        let steps = replayed.run.steps.to_string();
        let name = "Steps of the failing run".to_owned();
        report.statistics.push((name, steps));
        if !replayed.leaps.is_empty() {
            let why = "The machine has not made this run: turns of loops were proved instead, so \
                       there are no steps to show.";
            missing(report, "steps", why);
            return;
        }
        match trace {
            Some(trace) => {
                let program = &self.loaded.program;
                let operands = trace.operands.iter();
                report.operands = operands.map(|row| self.operands(row)).collect();
                report.steps = trace.steps(program, &mut |span| self.place(span));
                let budget = self.budget.clone().with_effort(RECORDING);
                let lines = coverage::of_run(self.loaded, &replayed.run, &budget);
                self.cover(lines, "the failing run", report);
            }
            None => {
                let why = "The run is too long to be shown step by step.";
                missing(report, "steps", why);
            }
        }
    }

    fn operands(&self, operands: &Operands) -> Note {
        self.note(&operands.text(), operands.span)
    }

    /// Why there is no verdict.
    fn reason(&self, reason: &Reason, report: &mut Report) {
        report.headline = format!("no verdict: {}", reason.message);
        report.place = self.place(reason.span);
        let notes = reason.notes.iter();
        report.notes = notes.map(|(text, span)| self.note(text, *span)).collect();
        report.help = reason.help.clone();
        missing(report, "steps", "No failing run was found.");
    }

    fn cover(&self, lines: BTreeMap<Line, u64>, by: &str, report: &mut Report) {
        let known = lines.into_iter().filter_map(|((file, line), count)| {
            let file = *self.by_name.get(&file)?;
            Some(Covered { file, line, count })
        });
        report.coverage = known.collect();
        report.covered_by = by.to_owned();
    }
}
