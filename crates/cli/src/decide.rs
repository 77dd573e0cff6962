//! Deciding: the engine runs, with progress, signals and limits, and its outcome is judged.

use crate::advice;
use crate::args::{DecideArgs, IntModel, SummaryStyle};
use crate::check::exit_code;
use crate::console::Console;
use crate::int_model;
use crate::limits::{CHECKING_GRACE, Limits, SHOWING_GRACE};
use crate::progress::Progress;
use base::place::Places;
use base::{Budget, Event, Exhausted, Observer, Span};
use certify::{Reason, ReasonKind, Verdict};
use engine::random::undefined::undefined;
use engine::{Engine, Journal, Task};
use input::Failure;
use input::Loaded;
use kit::journal::Notes;
use program::ir::Property;
use program::pass::unbounded::unbounded;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The properties that are about undefined behaviour.
const UNDEFINED: [Property; 4] = [
    Property::Overflow,
    Property::DivisionByZero,
    Property::Shift,
    Property::Dereference,
];

/// The effort of runs that look for undefined behaviour behind a proof.
const TRYING: u64 = 100_000;

/// What came of deciding.
pub(crate) struct Decided {
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// What it is about.
    pub(crate) loaded: Loaded,
    /// What the engine did, if a journal was asked for.
    pub(crate) notes: Option<Notes>,
    /// How long each phase took, in seconds, in order.
    pub(crate) timings: Vec<(String, f64)>,
    /// What it cost, in units of effort.
    pub(crate) effort: u64,
}

/// Runs the engine with progress and signals, and judges its outcome.
pub(crate) fn decide(
    engine: &dyn Engine,
    mut loaded: Loaded,
    args: &DecideArgs,
    console: &Console,
    budget: &Budget,
    is_recorded: bool,
) -> Result<Decided, Failure> {
    let progress = console.shows_progress().then(|| Arc::new(Progress::new()));
    let journal = is_recorded.then(|| Arc::new(Journal::new()));
    let observers = Observers {
        progress: progress.clone(),
        journal: journal.clone(),
    };
    let budget = budget.clone().with_observer(Arc::new(observers));
    let budget = match args.effort {
        Some(units) => budget.with_effort(units),
        None => budget,
    };
    if args.verify_interpolants {
        interpolate::verify_all();
    }
    console.enter("deciding");
    let task = Task {
        program: match args.int_model {
            IntModel::Machine => loaded.program.clone(),
            IntModel::Math => unbounded(&loaded.program),
        },
        seed: args.seed,
        summary: match args.summary {
            SummaryStyle::Cairn => summary::Style::Cairn,
            SummaryStyle::Paper => summary::Style::Paper,
        },
        journal: journal.clone(),
    };
    let checking = || budget.extended(CHECKING_GRACE);
    let (start, answered) = (Instant::now(), Cell::new(None));
    let mut verdict = engine::decide(engine, &task, &budget, || {
        answered.set(Some(Instant::now()));
        console.enter("checking the certificate");
        checking()
    });
    let answered = answered.get().unwrap_or_else(Instant::now);
    let timings = [
        ("Deciding", answered - start),
        ("Checking the certificate", answered.elapsed()),
    ];
    if args.int_model == IntModel::Math {
        verdict = int_model::confirmed(&loaded.program, verdict, &checking());
    }
    if let Some(progress) = &progress {
        progress.clear();
    }
    loaded.program.assumptions = task.program.assumptions;
    let verdict = with_remarks(verdict, &mut loaded, args, &budget, start.elapsed());
    console.decided(verdict.name(), exit_code(&verdict));
    console.enter("making the answer ready");
    let notes = journal.map(|journal| journal.take());
    Ok(Decided {
        verdict,
        loaded,
        notes,
        timings: timings
            .map(|(phase, took)| (phase.to_owned(), took.as_secs_f64()))
            .to_vec(),
        effort: budget.effort(),
    })
}

/// The verdict, with what there is to say besides: what it does not cover, what to try.
fn with_remarks(
    mut verdict: Verdict,
    loaded: &mut Loaded,
    args: &DecideArgs,
    budget: &Budget,
    took: Duration,
) -> Verdict {
    let unchecked = loaded.request.selection.unchecked.first();
    if let (Verdict::Safe(_), Some(name)) = (&verdict, unchecked) {
        let message = format!("nothing else is violated, but {name} is not checked yet");
        verdict = Verdict::Unknown(Reason::new(ReasonKind::Unsupported, message));
    }
    if let (Verdict::Safe(_), IntModel::Machine) = (&verdict, args.int_model)
        && let Some(Some((span, what))) = guarded(|| undefined_behaviour(loaded, args, budget))
    {
        let asked = &loaded.request.selection.properties;
        if UNDEFINED.iter().all(|property| asked.contains(property)) {
            // The caller asks for all kinds, and this one is in no property's name.
            let message = format!(
                "nothing that is checked is violated, but a run is undefined for another reason: {what}"
            );
            verdict = Verdict::Unknown(Reason::new(ReasonKind::Unsupported, message).at(span));
        } else {
            loaded
                .program
                .assumptions
                .push(ends_in(loaded, span, &what));
        }
    }
    match &mut verdict {
        Verdict::Unknown(reason) => {
            if let Some(limit) = limit_reached(reason.kind, args, took) {
                reason.notes.insert(0, (limit, base::Span::NONE));
            }
            let help = guarded(|| advice::advice(reason, args, loaded));
            reason.help = help.unwrap_or_default();
        }
        Verdict::Safe(_) | Verdict::Unsafe(_) => {}
    }
    verdict
}

/// Where a run meets undefined behaviour, which a proof does not cover, and which.
fn undefined_behaviour(
    loaded: &Loaded,
    args: &DecideArgs,
    budget: &Budget,
) -> Option<(Span, String)> {
    let budget = budget.extended(SHOWING_GRACE).with_effort(TRYING);
    undefined(&loaded.program, args.seed, &budget)
}

/// That runs end there, as an assumption.
fn ends_in(loaded: &Loaded, span: Span, what: &str) -> String {
    let position = Places::new(&loaded.sources).position(span);
    let at = position.map_or_else(String::new, |at| format!(" at line {}", at.line));
    format!(
        "a run ends where its behaviour is undefined, as some do{at} ({what}); \
         `--property def-behavior` looks for that"
    )
}

/// What comes of work that must not cost the verdict, unless it panics.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Which limit ended the work, in words.
fn limit_reached(kind: ReasonKind, args: &DecideArgs, took: Duration) -> Option<String> {
    let limits = Limits::of_deciding(args);
    match kind {
        ReasonKind::Timeout => Some(limits.message(Exhausted::Time)),
        ReasonKind::Effort => Some(limits.message(Exhausted::Effort)),
        ReasonKind::Memory => Some(limits.message(Exhausted::Memory)),
        ReasonKind::Cancelled => Some(limits.message(Exhausted::Cancelled)),
        ReasonKind::GaveUp | ReasonKind::Unsupported => Some(format!(
            "gave up after {:.1} s of {} s",
            took.as_secs_f64(),
            args.timeout.as_secs_f64()
        )),
        ReasonKind::Internal => None,
    }
}

/// All that observe a search.
struct Observers {
    progress: Option<Arc<Progress>>,
    journal: Option<Arc<Journal>>,
}

impl Observer for Observers {
    fn event(&self, event: Event) {
        if let Some(journal) = &self.journal {
            journal.event(event.clone());
        }
        if let Some(progress) = &self.progress {
            progress.event(event);
        }
    }
}
