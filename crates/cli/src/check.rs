//! `cairn check`: decides, and shows the evidence.

use crate::args::{CheckArgs, IntModel, SummaryStyle};
use crate::console::Console;
use crate::engines::{self, ENGINES};
use crate::exit;
use crate::failure::Failure;
use crate::int_model;
use crate::json::{self, Document};
use crate::load::{self, Loaded};
use crate::memory;
use crate::outputs::Outputs;
use crate::progress::Progress;
use crate::property;
use crate::signals;
use crate::terminal::Report;
use base::place::Places;
use base::{Budget, Observer};
use certify::{Reason, ReasonKind, Verdict};
use engine::{Engine, Task};
use program::expr::Constant;
use program::ir::{Program, SiteId};
use program::pass::unbounded::unbounded;
use program::values;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the certificate's check may take, at the least.
const CHECKING: Duration = Duration::from_secs(10);

/// Runs the command and gives its exit code.
pub(crate) fn run(args: &CheckArgs, console: &Console) -> Result<u8, Failure> {
    let start = Instant::now();
    let engine = engines::find(&args.engine).ok_or_else(|| unknown_engine(&args.engine))?;
    let loaded = load::load(&args.source, console)?;
    let (verdict, loaded) = decide(engine, loaded, args, console)?;
    let text = if args.json {
        document(&verdict, &loaded, engine, start.elapsed()).text()
    } else {
        human(&verdict, &loaded, console)
    };
    let is_written = console.answer_verdict(text.as_bytes(), verdict.name());
    let outputs = Outputs::new(console, !is_written);
    Ok(outputs.exit_code(exit_code(&verdict)))
}

/// Why there is no such engine.
pub(crate) fn unknown_engine(name: &str) -> Failure {
    let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name()).collect();
    Failure::new(format!("unknown engine `{name}`"))
        .help(format!("the engines are: {}", names.join(", ")))
}

/// Runs the engine with progress and signals, and judges its outcome.
fn decide(
    engine: &dyn Engine,
    loaded: Loaded,
    args: &CheckArgs,
    console: &Console,
) -> Result<(Verdict, Loaded), Failure> {
    let mut budget = Budget::unlimited().with_timeout(args.timeout);
    let progress = console.shows_progress().then(|| Arc::new(Progress::new()));
    if let Some(progress) = &progress {
        budget = budget.with_observer(Arc::clone(progress) as Arc<dyn Observer>);
    }
    signals::cancel_on_signal(&budget)?;
    if let Some(megabytes) = args.memory {
        memory::watch(&budget, megabytes)?;
    }
    let Loaded {
        request,
        sources,
        program,
    } = loaded;
    let (program, of_c) = match args.int_model {
        IntModel::Machine => (program, None),
        IntModel::Math => (unbounded(&program), Some(program)),
    };
    let task = Task {
        program,
        seed: args.seed,
        summary: match args.summary {
            SummaryStyle::Cairn => summary::Style::Cairn,
            SummaryStyle::Paper => summary::Style::Paper,
        },
    };
    let checking = || budget.restarted(CHECKING.max(args.timeout));
    let mut verdict = engine::decide(engine, &task, &budget, checking);
    if let Some(of_c) = &of_c {
        verdict = int_model::confirmed(of_c, verdict, &checking());
    }
    if let Some(progress) = &progress {
        progress.clear();
    }
    if let Verdict::Unknown(reason) = &mut verdict
        && let Some(limit) = limit_met(reason.kind, args)
    {
        reason.notes.insert(0, (limit, base::Span::NONE));
    }
    if let (Verdict::Safe(_), Some(name)) = (&verdict, request.selection.unchecked.first()) {
        let message = format!("nothing else is violated, but {name} is not checked yet");
        verdict = Verdict::Unknown(Reason::new(ReasonKind::Unsupported, message));
    }
    let assumptions = task.program.assumptions.clone();
    let loaded = Loaded {
        request,
        sources,
        program: Program {
            assumptions,
            ..of_c.unwrap_or(task.program)
        },
    };
    Ok((verdict, loaded))
}

/// Which limit ended the work, in words.
fn limit_met(kind: ReasonKind, args: &CheckArgs) -> Option<String> {
    match kind {
        ReasonKind::Timeout => Some(format!(
            "the time limit of {} s was met",
            args.timeout.as_secs_f64()
        )),
        ReasonKind::Memory => args
            .memory
            .map(|megabytes| format!("the memory limit of {megabytes} MB was met")),
        ReasonKind::Cancelled => Some("a signal asked to stop".to_owned()),
        ReasonKind::GaveUp | ReasonKind::Unsupported | ReasonKind::Internal => None,
    }
}

fn exit_code(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Safe(_) => exit::SAFE,
        Verdict::Unsafe(_) => exit::UNSAFE,
        Verdict::Unknown(reason) => match reason.kind {
            ReasonKind::Internal => exit::ERROR,
            ReasonKind::Timeout
            | ReasonKind::Memory
            | ReasonKind::Cancelled
            | ReasonKind::GaveUp
            | ReasonKind::Unsupported => exit::UNKNOWN,
        },
    }
}

fn human(verdict: &Verdict, loaded: &Loaded, console: &Console) -> String {
    let mut report = Report::new(console, loaded);
    match verdict {
        Verdict::Safe(_) => report.line("no violation can be reached; the proof was checked"),
        Verdict::Unsafe(replayed) => {
            report.violation(&replayed.violation, &replayed.run.stack);
            report.inputs(&replayed.run.inputs);
            let budget = Budget::unlimited().with_timeout(CHECKING);
            if !replayed.leaps.is_empty() {
                report.leaps(&replayed.leaps);
            } else if !console.quiet {
                report.path_of(&replayed.run, Some(replayed.error.0), &budget);
            }
        }
        Verdict::Unknown(reason) => {
            report.reason(reason);
            if reason.kind == ReasonKind::Internal {
                report.line(exit::PLEASE_REPORT);
            }
        }
    }
    report.assumptions();
    report.line(&format!("Verdict: {}", verdict.name()));
    report.finish()
}

/// The parts of a document that do not depend on the verdict.
pub(crate) fn base_document(loaded: &Loaded, command: &'static str, elapsed: Duration) -> Document {
    let procs = &loaded.program.procs;
    Document {
        schema: json::SCHEMA,
        command,
        files: loaded
            .request
            .files
            .iter()
            .map(|file| file.to_string_lossy().into_owned())
            .collect(),
        entry: loaded.request.entry.clone(),
        data_model: load::model_name(loaded.request.model),
        properties: load::property_names(&loaded.request.selection),
        assumptions: loaded.program.assumptions.clone(),
        stats: json::Stats {
            seconds: elapsed.as_secs_f64(),
            steps: None,
            procedures: procs.len(),
            locations: procs.iter().map(|proc| proc.locations.len()).sum(),
            edges: procs.iter().map(|proc| proc.edges.len()).sum(),
        },
        ..Document::default()
    }
}

/// The inputs for a document.
pub(crate) fn json_inputs(
    loaded: &Loaded,
    places: &Places<'_>,
    inputs: &[(SiteId, Constant)],
) -> Vec<json::Input> {
    inputs
        .iter()
        .map(|&(site, value)| {
            let site = &loaded.program.sites[site];
            json::Input {
                name: site.name.to_string(),
                kind: values::kind_name(site.kind),
                ty: values::type_name(site.ty),
                value: values::show(value),
                place: places.position(site.span).into(),
            }
        })
        .collect()
}

/// A violation for a document.
pub(crate) fn json_violation(
    loaded: &Loaded,
    places: &Places<'_>,
    violation: &program::ir::Violation,
    proc: program::ir::ProcId,
) -> json::Violation {
    json::Violation {
        property: property::name(violation.property),
        message: violation.message.clone(),
        function: loaded.program.procs[proc].name.to_string(),
        place: places.position(violation.span).into(),
    }
}

fn document(
    verdict: &Verdict,
    loaded: &Loaded,
    engine: &dyn Engine,
    elapsed: Duration,
) -> Document {
    let places = Places::new(&loaded.sources);
    let mut document = base_document(loaded, "check", elapsed);
    document.engine = Some(engine.name());
    document.verdict = Some(verdict.name());
    match verdict {
        Verdict::Safe(_) => {}
        Verdict::Unsafe(replayed) => {
            let violation = &replayed.violation;
            document.violation = Some(json_violation(loaded, &places, violation, replayed.error.0));
            document.inputs = json_inputs(loaded, &places, &replayed.run.inputs);
            document.stats.steps = Some(replayed.run.steps);
            let leaps = replayed.leaps.iter().map(|leap| json::Leap {
                turns: leap.turns.to_string(),
                place: places.position(leap.span).into(),
            });
            document.leaps = leaps.collect();
        }
        Verdict::Unknown(reason) => {
            let notes = reason.notes.iter().map(|(message, span)| json::Note {
                message: message.clone(),
                place: places.position(*span).into(),
            });
            document.reason = Some(json::Reason {
                kind: reason.kind.name(),
                message: reason.message.clone(),
                place: places.position(reason.span).into(),
                notes: notes.collect(),
            });
        }
    }
    document
}
