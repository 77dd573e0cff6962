//! Deciding: the engine runs, with progress, signals and limits, and its outcome is judged.

use crate::advice;
use crate::args::{CheckArgs, DecideArgs, IntModel};
use crate::check::exit_code;
use crate::console::Console;
use crate::exit;
use crate::int_model;
use crate::limits::{CHECKING_GRACE, Limits, SHOWING_GRACE};
use crate::progress::Progress;
use base::place::Places;
use base::{Budget, Event, Observer, Span};
use certify::{Reason, ReasonKind, Replayed, Verdict};
use engine::random::undefined::undefined;
use engine::{Engine, Goal, GoalVerdict, Journal, Task};
use input::Failure;
use input::Loaded;
use kit::journal::Notes;
use program::ir::Property;
use program::pass::unbounded::unbounded;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
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

/// The effort of runs that look for undefined behaviour after a proof.
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
    /// What the engine counted, by name.
    pub(crate) counters: BTreeMap<&'static str, u64>,
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
    let journal = is_recorded.then(|| Arc::new(Journal::default()));
    let (budget, progress) = observed(args, console, budget, journal.clone());
    let task = task(&loaded, args, journal.clone());
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
    let took = start.elapsed();
    let reason = match &verdict {
        Verdict::Safe(_) => doubt(&mut loaded, args, &budget),
        Verdict::Unsafe(_) => None,
        Verdict::Unknown(reason) => Some(reason.clone()),
    };
    let reason = reason.map(|reason| explained(reason, &loaded, args, took));
    let verdict = reason.map_or(verdict, Verdict::Unknown);
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
        counters: budget.counters().all(),
    })
}

/// What came of deciding goal by goal.
pub(crate) struct DecidedGoals {
    /// What is known about each error location.
    pub(crate) goals: BTreeMap<Goal, GoalVerdict>,
    /// Those that no run reaches because none reaches the assertion.
    pub(crate) vacuous: BTreeSet<Goal>,
    /// Why the program is not `safe` although no goal can be reached, or why the first open goal
    /// is open.
    pub(crate) reason: Option<Reason>,
    /// What it is about.
    pub(crate) loaded: Loaded,
    /// What it cost, in units of effort.
    pub(crate) effort: u64,
    /// What the engine counted, by name.
    pub(crate) counters: BTreeMap<&'static str, u64>,
}

/// The same for each error location by itself.
pub(crate) fn decide_each(
    engine: &dyn Engine,
    mut loaded: Loaded,
    args: &CheckArgs,
    console: &Console,
    budget: &Budget,
) -> DecidedGoals {
    let (args, stops_at_first) = (&args.decide, args.stop_at_first);
    let (budget, progress) = observed(args, console, budget, None);
    let task = task(&loaded, args, None);
    let checking = || budget.extended(CHECKING_GRACE);
    let start = Instant::now();
    let all = Goal::all(&task.program);
    let on_reached = |_: Goal, _: &Replayed| {
        if args.int_model == IntModel::Machine {
            console.decided("unsafe", exit::UNSAFE);
        }
        match stops_at_first {
            true => all.clone(),
            false => BTreeSet::new(),
        }
    };
    let mut goals = engine::decide_goals(engine, &task, &all, &budget, checking, on_reached);
    if args.int_model == IntModel::Math {
        for verdict in goals.values_mut() {
            let GoalVerdict::Reached(found) = verdict else {
                continue;
            };
            let found = Verdict::Unsafe(found.clone());
            *verdict = match int_model::confirmed(&loaded.program, found, &checking()) {
                Verdict::Unsafe(replayed) => GoalVerdict::Reached(replayed),
                Verdict::Unknown(reason) => GoalVerdict::Open(reason),
                Verdict::Safe(_) => unreachable!("a violation should not become a proof"),
            };
        }
    }
    let vacuous = vacuous(&task, &loaded, &goals, &budget, checking);
    if let Some(progress) = &progress {
        progress.clear();
    }
    loaded.program.assumptions = task.program.assumptions;
    let open = goals.values().find_map(|verdict| match verdict {
        GoalVerdict::Open(reason) => Some(reason.clone()),
        GoalVerdict::Reached(_) | GoalVerdict::Unreachable(_) => None,
    });
    let is_reached = |verdict: &GoalVerdict| matches!(verdict, GoalVerdict::Reached(_));
    let reason = match goals.values().any(is_reached) {
        true => open,
        false => open.or_else(|| doubt(&mut loaded, args, &budget)),
    };
    let reason = reason.map(|reason| explained(reason, &loaded, args, start.elapsed()));
    DecidedGoals {
        goals,
        vacuous,
        reason,
        loaded,
        effort: budget.effort(),
        counters: budget.counters().all(),
    }
}

/// The goals that are unreachable because no run reaches their assertion. To find out may cost as
/// much as deciding did, and no more.
fn vacuous(
    task: &Task,
    loaded: &Loaded,
    goals: &BTreeMap<Goal, GoalVerdict>,
    budget: &Budget,
    checking: impl Fn() -> Budget,
) -> BTreeSet<Goal> {
    let proved = goals.iter().filter_map(|(&goal, verdict)| match verdict {
        GoalVerdict::Unreachable(_) => Some(goal),
        GoalVerdict::Reached(_) | GoalVerdict::Open(_) => None,
    });
    let proved: BTreeSet<Goal> = proved.collect();
    if proved.is_empty() || budget.check().is_err() {
        return BTreeSet::new();
    }
    let limited = budget.clone().with_effort(budget.effort().max(TRYING));
    let line = |span: Span| {
        let position = loaded.sources.presumed(span);
        position.map(|at| (at.file, at.line))
    };
    let is_one_line = |one: Span, other: Span| line(one) == line(other);
    let found =
        guarded(|| engine::vacuous::vacuous(task, &proved, &is_one_line, &limited, checking));
    found.unwrap_or_default()
}

/// The budget, with its effort and with all that observe the search.
pub(crate) fn observed(
    args: &DecideArgs,
    console: &Console,
    budget: &Budget,
    journal: Option<Arc<Journal>>,
) -> (Budget, Option<Arc<Progress>>) {
    let progress = console.shows_progress().then(|| Arc::new(Progress::new()));
    let observers = Observers {
        progress: progress.clone(),
        journal,
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
    (budget, progress)
}

/// What the engine is asked.
fn task(loaded: &Loaded, args: &DecideArgs, journal: Option<Arc<Journal>>) -> Task {
    Task {
        program: match args.int_model {
            IntModel::Machine => loaded.program.clone(),
            IntModel::Math => unbounded(&loaded.program),
        },
        seed: args.seed,
        options: args.options.options(),
        journal,
    }
}

/// Why a program may not be called safe although nothing that is checked is violated. What the
/// verdict takes for granted becomes an assumption.
fn doubt(loaded: &mut Loaded, args: &DecideArgs, budget: &Budget) -> Option<Reason> {
    if let Some(name) = loaded.request.selection.unchecked.first() {
        let message = format!("nothing else is violated, but {name} is not checked yet");
        return Some(Reason::unsupported(message));
    }
    if args.int_model == IntModel::Math {
        return None;
    }
    // A proof covers defined runs only.
    let trying = budget.extended(SHOWING_GRACE).with_effort(TRYING);
    let met = guarded(|| undefined(&loaded.program, args.seed, &trying));
    let (span, what) = met.flatten()?;
    let asked = &loaded.request.selection.properties;
    if UNDEFINED.iter().all(|property| asked.contains(property)) {
        // The caller asks for all kinds, and this one is in no property's name.
        let message = format!(
            "nothing that is checked is violated, but a run is undefined for another reason: {what}"
        );
        return Some(Reason::unsupported(message).at(span));
    }
    let assumption = ends_in(loaded, span, &what);
    loaded.program.assumptions.push(assumption);
    None
}

/// The reason, with the limit that was met and what to try.
fn explained(mut reason: Reason, loaded: &Loaded, args: &DecideArgs, took: Duration) -> Reason {
    if let Some(limit) = limit_reached(reason.kind, args, took) {
        reason.notes.insert(0, (limit, base::Span::NONE));
    }
    let help = guarded(|| advice::advice(&reason, args, loaded));
    reason.help = help.unwrap_or_default();
    reason
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
        ReasonKind::Timeout | ReasonKind::Effort | ReasonKind::Memory | ReasonKind::Cancelled => {
            kind.limit().map(|limit| limits.message(limit))
        }
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
