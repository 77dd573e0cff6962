//! `cairn check`: decides, and shows the evidence.

use crate::args::{CheckArgs, IntModel};
use crate::confirm::{self, Confirmation, Text};
use crate::console::Console;
use crate::decide::{Answer, decide, guarded};
use crate::engines;
use crate::exit;
use crate::findings::findings;
use crate::json::{self, Document};
use crate::limits::SHOWING_GRACE;
use crate::load;
use crate::outputs::Outputs;
use crate::proved;
use crate::query_log;
use crate::story;
use crate::terminal::Report;
use crate::test_file;
use crate::witnesses;
use base::Budget;
use base::place::Places;
use certify::{ReasonKind, Verdict};
use engine::Engine;
use input::Failure;
use input::Loaded;
use input::property;
use program::expr::Constant;
use program::ir::SiteId;
use program::values;
use report::model::{Assigned, Note};
use report::trace::{self, Line, Trace};
use std::time::{Duration, Instant};
use witness::invariants::LoopInvariant;

/// What recording the failing run may take.
const RECORDING: u64 = 5_000_000;

/// Runs the command and gives its exit code.
pub(crate) fn run(args: &CheckArgs, console: &Console, budget: &Budget) -> Result<u8, Failure> {
    let start = Instant::now();
    let engine = engines::chosen(&args.decide)?;
    console.enter("reading the program");
    let loaded = load::load(&args.decide.source, console)?;
    let read = start.elapsed();
    let log = query_log::open(args.log_smt.as_deref())?;
    if let Some(log) = &log {
        log.clone().install_for_checkers();
    }
    let is_recorded = args.html.is_some();
    let mut answer = decide(engine, loaded, &args.decide, console, budget, is_recorded)?;
    query_log::close(log, console);
    let reading = ("Reading".to_owned(), read.as_secs_f64());
    answer.timings.insert(0, reading);
    let Answer {
        verdict, loaded, ..
    } = &answer;
    let showing = &budget.extended(SHOWING_GRACE);
    // Recording takes time that a verdict alone does not.
    let is_shown = !console.quiet
        || [&args.html, &args.sarif, &args.junit]
            .iter()
            .any(|file| file.is_some());
    let trace = is_shown
        .then(|| trace_of(verdict, loaded, showing))
        .flatten();
    let trace = trace.as_ref();
    let wants_invariants = is_shown || args.json || args.witness.is_some();
    let invariants = wants_invariants
        .then(|| guarded(|| proved::invariants(verdict, loaded, args.decide.int_model, showing)));
    let invariants = invariants.flatten().unwrap_or_default();
    let confirmed = match verdict {
        Verdict::Unsafe(replayed) if args.confirm => {
            guarded(|| confirm::confirm(loaded, replayed, args.sanitize, showing))
        }
        Verdict::Unsafe(_) | Verdict::Safe(_) | Verdict::Unknown(_) => None,
    };
    // A verdict that cannot be shown nicely is still one.
    let text = guarded(|| {
        if args.json {
            let mut document = document(verdict, loaded, trace, engine, start.elapsed());
            document.stats.effort = Some(answer.effort);
            document.confirmed = confirmed.as_ref().map(json_confirmed);
            document.invariants = proved::json(&Places::new(&loaded.sources), &invariants);
            document.text()
        } else {
            human(
                verdict,
                loaded,
                trace,
                confirmed.as_ref(),
                &invariants,
                console,
            )
        }
    });
    let text = text.unwrap_or_else(|| bare(verdict));
    let is_written = console.answer_verdict(text.as_bytes(), verdict.name());
    let mut outputs = Outputs::new(console, !is_written);
    if let (Some(_), Some(why)) = (&args.witness, no_witness(verdict, args.decide.int_model)) {
        console.remark(&format!("no witness is written: {why}\n"));
    } else {
        let witness = || witnesses::text(verdict, loaded, &invariants);
        outputs.write(args.witness.as_deref(), "witness", witness);
    }
    if let (Some(path), Verdict::Unsafe(replayed)) = (&args.test, verdict) {
        let test = || test_file::text(loaded, replayed, path, args.sanitize);
        outputs.write(Some(path), "test", test);
    }
    outputs.write(args.html.as_deref(), "HTML report", || {
        let mut report = story::tell(&answer, trace, &invariants, &args.decide, showing);
        report.notes.extend(confirmed.iter().map(|confirmed| Note {
            text: confirmed.message(),
            place: None,
        }));
        Ok(report::html::page(&report))
    });
    let told = || {
        let (confirmed, console) = (confirmed.as_ref(), console.plain());
        let text = human(verdict, loaded, trace, confirmed, &invariants, &console);
        findings(verdict, loaded, trace, text, start.elapsed())
    };
    let sarif = || Ok(report::sarif::text(&told()));
    outputs.write(args.sarif.as_deref(), "SARIF log", sarif);
    let junit = || Ok(report::junit::text(&told()));
    outputs.write(args.junit.as_deref(), "JUnit file", junit);
    Ok(outputs.exit_code(exit_code(verdict)))
}

/// Why a verdict has no witness, if it has none.
fn no_witness(verdict: &Verdict, model: IntModel) -> Option<&'static str> {
    match (verdict, model) {
        (Verdict::Unknown(_), _) => Some("there is no verdict"),
        (Verdict::Safe(_), IntModel::Math) => {
            Some("the proof is about unbounded integers, not about C's")
        }
        (Verdict::Safe(_), IntModel::Machine) | (Verdict::Unsafe(_), _) => None,
    }
}

/// What the compiled program did, for a document.
fn json_confirmed(confirmed: &Confirmation) -> json::Confirmed {
    let (place, shortened) = match confirmed {
        Confirmation::Reproduced { file, line, text } => {
            let place = json::Place {
                file: Some(file.clone()),
                line: Some(*line),
                column: None,
            };
            (place, *text == Text::Shortened)
        }
        Confirmation::Differs(_) | Confirmation::Untried(_) => (json::Place::default(), false),
    };
    json::Confirmed {
        result: confirmed.name(),
        message: confirmed.message(),
        shortened,
        place,
    }
}

/// The failing run, recorded. One with leaps is no run of the machine.
pub(crate) fn trace_of(verdict: &Verdict, loaded: &Loaded, budget: &Budget) -> Option<Trace> {
    let Verdict::Unsafe(replayed) = verdict else {
        return None;
    };
    if !replayed.leaps.is_empty() {
        return None;
    }
    let budget = budget.clone().with_effort(RECORDING);
    let Loaded {
        program,
        sources,
        ast,
        ..
    } = loaded;
    let record = || trace::record(program, ast.as_ref(), sources, &replayed.run, &budget);
    guarded(record).flatten()
}

/// The exit code of a verdict.
pub(crate) fn exit_code(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Safe(_) => exit::SAFE,
        Verdict::Unsafe(_) => exit::UNSAFE,
        Verdict::Unknown(_) => exit::UNKNOWN,
    }
}

/// The verdict, where nothing else can be shown.
pub(crate) fn bare(verdict: &Verdict) -> String {
    format!("Verdict: {}\n", verdict.name())
}

/// The answer as text.
pub(crate) fn human(
    verdict: &Verdict,
    loaded: &Loaded,
    trace: Option<&Trace>,
    confirmed: Option<&Confirmation>,
    invariants: &[LoopInvariant],
    console: &Console,
) -> String {
    let mut report = Report::new(console, loaded);
    match verdict {
        Verdict::Safe(proof) => {
            report.line(&proved::headline(proof));
            report.invariants(invariants);
        }
        Verdict::Unsafe(replayed) => {
            report.violation(&replayed.violation, &replayed.run.stack, trace);
            report.inputs(&replayed.run.inputs);
            if !replayed.leaps.is_empty() {
                report.leaps(&replayed.leaps);
            } else if !console.quiet {
                report.path(&replayed.run, trace);
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
    if let Some(confirmed) = confirmed {
        report.line(&confirmed.message());
    }
    report.verdict(&format!("Verdict: {}", verdict.name()));
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
        data_model: input::model_name(loaded.request.model),
        properties: loaded.request.selection.property_names(),
        assumptions: loaded.program.assumptions.clone(),
        stats: json::Stats {
            seconds: elapsed.as_secs_f64(),
            effort: None,
            steps: None,
            runs: None,
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

/// A recorded run for a document.
pub(crate) fn json_trace(loaded: &Loaded, places: &Places<'_>, trace: &Trace) -> json::Trace {
    let list = |values: &[Assigned]| {
        let values = values.iter().map(|value| json::Value {
            name: value.name.clone(),
            value: value.value.clone(),
            matters: value.matters,
        });
        values.collect::<Vec<_>>()
    };
    let step = |line: &Line| json::Step {
        function: loaded.program.procs[line.proc].name.to_string(),
        depth: line.depth,
        place: places.position(line.span).into(),
        arguments: line.entered.as_deref().map(list),
        values: list(&line.values),
        matters: line.matters,
        turn: line.turn.map(|turn| json::Turn {
            number: turn.number,
            of: turn.of,
            skipped: turn.skipped,
        }),
        left_out: line.left_out,
    };
    json::Trace {
        sliced: trace.is_sliced,
        steps: trace.lines.iter().map(step).collect(),
    }
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
    trace: Option<&Trace>,
    engine: &dyn Engine,
    elapsed: Duration,
) -> Document {
    let places = Places::new(&loaded.sources);
    let mut document = base_document(loaded, "check", elapsed);
    document.engine = Some(engine.name());
    document.verdict = Some(verdict.name());
    match verdict {
        Verdict::Safe(proof) => document.stats.runs = proved::runs(proof),
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
            document.trace = trace.map(|trace| json_trace(loaded, &places, trace));
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
                help: reason.help.clone(),
            });
        }
    }
    document
}
