//! From a verdict or a run to its [`Answer`].

use crate::answer::{
    Answer, Contract, Finding, GoalAnswer, Input, Invariant, Leap, Note, RunEnd, SourceFile,
    Subject,
};
use crate::place::Place;
use crate::suite::end_name;
use crate::trace::RecordedRun;
use base::place::Places;
use base::{Budget, Span};
use certify::{Proof, Reason, Replayed, Verdict};
use engine::{Goal, GoalVerdict};
use exec::{End, Run};
use input::Loaded;
use program::expr::Constant;
use program::ir::{ProcId, SiteId, SiteKind, Violation};
use program::values;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use witness::invariants::Invariants;

/// What it may take to record a run.
const RECORDING: u64 = 5_000_000;

/// Knows the places of a program, and makes answers about it.
pub struct Reporter<'a> {
    pub(crate) loaded: &'a Loaded,
    places: Places<'a>,
    files: Vec<SourceFile>,
    by_name: BTreeMap<Arc<str>, usize>,
}

impl<'a> Reporter<'a> {
    /// With the texts of the files if there will be a page.
    pub fn new(loaded: &'a Loaded, has_page: bool) -> Self {
        let places = Places::new(&loaded.sources);
        let mut files = Vec::new();
        let mut by_name = BTreeMap::new();
        let written = has_page.then(|| places.written_files());
        for (name, lines) in written.into_iter().flatten() {
            files.push(SourceFile {
                name: name.to_string(),
                lines,
            });
            by_name.insert(name, files.len() - 1);
        }
        Reporter {
            loaded,
            places,
            files,
            by_name,
        }
    }

    /// The place of a span.
    pub fn place(&self, span: Span) -> Option<Place> {
        let source = self.places.of(span)?;
        let file = self.file(&source.position.file);
        Some(Place { source, file })
    }

    /// The number of a file on the page.
    pub(crate) fn file(&self, name: &Arc<str>) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    fn note(&self, text: &str, span: Span) -> Note {
        Note {
            text: text.to_owned(),
            place: self.place(span),
        }
    }

    /// What is known before anything is decided or run; `action` is the subcommand.
    pub fn subject(&self, action: &'static str) -> Answer {
        let request = &self.loaded.request;
        let procs = &self.loaded.program.procs;
        let files = request.files.iter();
        Answer {
            tool: concat!("cairn ", env!("CARGO_PKG_VERSION")).to_owned(),
            assumptions: self.loaded.program.assumptions.clone(),
            files: self.files.clone(),
            subject: Subject {
                action,
                files: files.map(|file| file.to_string_lossy().into()).collect(),
                entry: request.entry.clone(),
                data_model: input::model_name(request.model),
                properties: request.selection.property_names(),
                engine: None,
                procedures: procs.len(),
                locations: procs.iter().map(|proc| proc.locations.len()).sum(),
                edges: procs.iter().map(|proc| proc.edges.len()).sum(),
            },
            ..Answer::default()
        }
    }

    /// A verdict with its evidence; a failing run step by step if it was recorded.
    pub fn verdict(
        &self,
        verdict: &Verdict,
        trace: Option<RecordedRun>,
        invariants: &Invariants,
    ) -> Answer {
        let mut answer = self.subject("check");
        answer.verdict = verdict.name();
        match verdict {
            Verdict::Safe(proof) => self.proof(proof, invariants, &mut answer),
            Verdict::Unsafe(replayed) => self.failure(replayed, trace, &mut answer),
            Verdict::Unknown(reason) => self.reason(reason, &mut answer),
        }
        answer
    }

    fn proof(&self, proof: &Proof, invariants: &Invariants, answer: &mut Answer) {
        answer.runs = match proof {
            Proof::Runs(proof) => Some(proof.runs),
            Proof::Reached(_) | Proof::Inductive(_) | Proof::Unwound(_) | Proof::Rewritten(_) => {
                None
            }
        };
        let how = match answer.runs {
            None => "the proof was checked".to_owned(),
            Some(1) => "the only run of the program was made".to_owned(),
            Some(runs) => format!("all {runs} runs of the program were made"),
        };
        answer.message = "no violation can be reached".to_owned();
        answer.headline = format!("{}; {how}", answer.message);
        let rows = invariants.loops.iter().map(|row| Invariant {
            function: row.function.to_string(),
            conjuncts: row.for_people.clone(),
            exact: row.exact.clone(),
            place: self.place(row.span),
        });
        answer.invariants = rows.collect();
        let rows = invariants.contracts.iter().map(|row| Contract {
            function: row.function.to_string(),
            requires: row.requires.clone(),
            ensures: row.ensures.clone(),
            place: self.place(row.span),
        });
        answer.contracts = rows.collect();
    }

    /// The answer where every error location was proved unreachable, in one proof or in several.
    pub fn nothing_reached(&self) -> Answer {
        let mut answer = self.subject("check");
        answer.verdict = "safe";
        answer.message = "no violation can be reached".to_owned();
        answer.headline = format!("{}; the proofs were checked", answer.message);
        answer
    }

    /// What is known of each error location, in the order of the source.
    pub fn goals(
        &self,
        goals: &BTreeMap<Goal, GoalVerdict>,
        vacuous: &BTreeSet<Goal>,
    ) -> Vec<GoalAnswer> {
        let rows = goals.iter().filter_map(|(goal, verdict)| {
            let procedure = &self.loaded.program.procs[goal.proc];
            let violation = procedure.locations[goal.location].error.as_ref()?;
            let (inputs, reason) = match verdict {
                GoalVerdict::Unreachable(_) => (Vec::new(), None),
                GoalVerdict::Reached(replayed) => (self.inputs(&replayed.run.inputs), None),
                GoalVerdict::Open(reason) => {
                    (Vec::new(), Some((reason.kind, reason.message.clone())))
                }
            };
            Some(GoalAnswer {
                verdict: match vacuous.contains(goal) {
                    true => "unreachable",
                    false => verdict.name(),
                },
                property: violation.property,
                message: violation.message.clone(),
                function: procedure.name.to_string(),
                place: self.place(violation.span),
                inputs,
                reason,
            })
        });
        let mut rows: Vec<GoalAnswer> = rows.collect();
        rows.sort_by_cached_key(|row| {
            let position = row.place.as_ref().map(|place| &place.source.position);
            position.map(|at| (at.file.to_string(), at.line, at.column))
        });
        rows
    }

    fn failure(&self, replayed: &Replayed, trace: Option<RecordedRun>, answer: &mut Answer) {
        self.violation(&replayed.violation, replayed.error.0, answer);
        self.run_itself(&replayed.run, trace, answer);
        for leap in &replayed.leaps {
            let text = format!(
                "{} iterations of this loop were proved, not run",
                leap.iterations
            );
            let note = self.note(&text, leap.span);
            answer.leaps.push(Leap {
                iterations: leap.iterations.to_string(),
                place: note.place.clone(),
            });
            answer.notes.push(note);
        }
    }

    fn violation(&self, violation: &Violation, proc: ProcId, answer: &mut Answer) {
        let function = self.loaded.program.procs[proc].name.to_string();
        answer.finding = Finding::Violation(violation.property, function);
        answer.message = violation.message.clone();
        answer.headline = violation.message.clone();
        answer.place = self.place(violation.span);
    }

    /// Why there is no verdict.
    fn reason(&self, reason: &Reason, answer: &mut Answer) {
        answer.finding = Finding::Unknown(reason.kind);
        answer.message = reason.message.clone();
        answer.headline = format!("no verdict: {}", reason.message);
        answer.place = self.place(reason.span);
        let notes = reason.notes.iter();
        answer.notes = notes.map(|(text, span)| self.note(text, *span)).collect();
        answer.help = reason.help.clone();
    }

    /// A run on given inputs, and how it ended.
    pub fn run(&self, run: &Run, trace: Option<RecordedRun>) -> Answer {
        let mut answer = self.subject("run");
        answer.message = match &run.end {
            End::Exited(status) => format!("the program exits with status {status}"),
            End::Aborted => "the program aborts".to_owned(),
            End::Blocked => "an assumption does not hold here".to_owned(),
            End::Violated(..) => "a violation".to_owned(),
            End::Undefined(undefined) => format!("undefined behaviour: {}", undefined.message),
            End::Unsupported(what) => format!("unsupported: {what}"),
            End::OutOfInputs => {
                "the program asks for an input here, but none is left; give more with --inputs"
                    .to_owned()
            }
            End::OutOfBudget(limit) => format!("stopped: {limit}"),
        };
        answer.place = self.place(run.span);
        if let End::Violated(proc, location) = run.end
            && let Some(violation) = &self.loaded.program.procs[proc].locations[location].error
        {
            self.violation(violation, proc, &mut answer);
        }
        answer.end = Some(RunEnd {
            kind: end_name(&run.end),
            status: match run.end {
                End::Exited(status) => Some(status),
                _ => None,
            },
            output: String::from_utf8_lossy(&run.output).into_owned(),
        });
        self.run_itself(run, trace, &mut answer);
        answer
    }

    /// The failing run of a verdict, recorded. One with leaps is no run of the machine.
    pub fn record_failure(&self, verdict: &Verdict, budget: &Budget) -> Option<RecordedRun> {
        match verdict {
            Verdict::Unsafe(replayed) if replayed.leaps.is_empty() => {
                self.record(&replayed.run, budget)
            }
            Verdict::Unsafe(_) | Verdict::Safe(_) | Verdict::Unknown(_) => None,
        }
    }

    /// Records a run that has been made before; none if it is too long.
    pub fn record(&self, run: &Run, budget: &Budget) -> Option<RecordedRun> {
        crate::trace::record(self, run, &budget.clone().with_effort(RECORDING))
    }

    /// What a run took in, where it stands, and its steps if it was recorded.
    fn run_itself(&self, run: &Run, trace: Option<RecordedRun>, answer: &mut Answer) {
        let procs = &self.loaded.program.procs;
        let callers = run.stack.iter().rev();
        let callers = callers.map(|&(proc, span)| (procs[proc].name.to_string(), span));
        let callers = callers.filter(|(name, _)| !name.starts_with('$'));
        answer.callers = callers
            .map(|(name, span)| (name, self.place(span)))
            .collect();
        answer.inputs = self.inputs(&run.inputs);
        answer.run_steps = Some(run.steps);
        if let Some(trace) = trace {
            answer.sliced = Some(trace.is_sliced);
            answer.steps = trace.steps;
            answer.operands = trace.operands;
        }
    }

    /// The inputs of a run. There may be millions of them, of few sites.
    pub(crate) fn inputs(&self, taken: &[(SiteId, Constant)]) -> Vec<Input> {
        let mut of_sites: BTreeMap<SiteId, Input> = BTreeMap::new();
        let rows = taken.iter().map(|&(site, value)| {
            let row = of_sites.entry(site).or_insert_with(|| self.input(site));
            Input {
                value: values::show(value),
                ..row.clone()
            }
        });
        rows.collect()
    }

    /// An input of a site, its value left open.
    fn input(&self, site: SiteId) -> Input {
        let site = &self.loaded.program.sites[site];
        let what = match site.kind {
            SiteKind::Nondet | SiteKind::External => "()",
            SiteKind::Uninitialized => " (uninitialised)",
            SiteKind::Contents => " (byte of uninitialised memory)",
            SiteKind::Argument => " (argument)",
            SiteKind::Failure => " (whether it fails)",
            SiteKind::Outside => " (from outside)",
            SiteKind::Choice => " (does no more)",
            SiteKind::Cell => " (index of a cell)",
        };
        Input {
            name: site.name.to_string(),
            kind: site.kind.name(),
            value: String::new(),
            place: self.place(site.span),
            ty: site.ty.to_string(),
            label: format!("{}{what}", site.name),
        }
    }
}
