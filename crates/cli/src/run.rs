//! `cairn run`: one run on given inputs, and how it ended.
//!
//! Exit codes: 0 if the program ends by itself (also by `abort`), 1 if it violates a property, 3
//! if it meets undefined behaviour that no property asks for, a limit, the end of the inputs, or
//! something that is not modelled.

use crate::args::RunArgs;
use crate::check::{base_document, json_inputs, json_trace, json_violation};
use crate::console::Console;
use crate::exit;
use crate::input_args::{self, InputArgs};
use crate::json;
use crate::limits::SHOWING_GRACE;
use crate::load;
use crate::terminal::Report;
use base::Budget;
use base::place::Places;
use exec::{End, Limits, Machine, Run};
use input::Failure;
use input::Loaded;
use report::trace::{self, Trace};
use std::time::{Duration, Instant};

/// The effort of recording the run for showing it.
const RECORDING: u64 = 5_000_000;

/// Runs the command and gives its exit code.
pub(crate) fn run(args: &RunArgs, console: &Console, budget: &Budget) -> Result<u8, Failure> {
    let start = Instant::now();
    let inputs = input_args::read_inputs(args.inputs.as_deref())?;
    let uninit = input_args::read_inputs(args.uninit.as_deref())?;
    let loaded = load::load(&args.source, console)?;
    let mut given = InputArgs::new(&loaded.program, &inputs, &uninit, args.seed);
    let limits = Limits {
        steps: args.max_steps,
        ..certify::replay::REPLAY_LIMITS
    };
    console.enter("running the program");
    let run = Machine::new(&loaded.program).run(&mut given, &limits, budget);
    if let Some(wrong) = &given.wrong {
        return Err(Failure::new(format!("{wrong}, which the program asks for")));
    }
    if given.left() > 0 && !console.quiet {
        let text = format!("warning: {} inputs were not asked for\n", given.left());
        console.remark(&text);
    }
    console.enter("recording the run");
    let budget = budget.extended(SHOWING_GRACE).with_effort(RECORDING);
    let (program, ast) = (&loaded.program, loaded.ast.as_ref());
    let record = || trace::record(program, ast, &loaded.sources, &run, &budget);
    let trace = (!console.quiet).then(record).flatten();
    let trace = trace.as_ref();
    let answer = if args.json {
        let document = document(&run, &loaded, trace, start.elapsed());
        document.text().into_bytes()
    } else {
        let mut bytes = run.output.clone();
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            bytes.push(b'\n');
        }
        bytes.extend(human(&run, &loaded, trace, console).into_bytes());
        bytes
    };
    console.answer(&answer)?;
    Ok(exit_code(&run.end))
}

fn exit_code(end: &End) -> u8 {
    match end {
        End::Exited(_) | End::Aborted | End::Blocked => exit::SAFE,
        End::Violated(..) => exit::UNSAFE,
        End::Undefined(_) | End::Unsupported(_) | End::OutOfInputs | End::OutOfBudget(_) => {
            exit::UNKNOWN
        }
    }
}

/// How a run ended: its kind, and a sentence.
fn describe(run: &Run, loaded: &Loaded) -> (&'static str, String) {
    match &run.end {
        End::Exited(status) => ("exited", format!("the program exits with status {status}")),
        End::Aborted => ("aborted", "the program aborts".to_owned()),
        End::Blocked => ("blocked", "an assumption does not hold here".to_owned()),
        End::Violated(proc, location) => {
            let error = &loaded.program.procs[*proc].locations[*location].error;
            let message = error.as_ref().map(|violation| violation.message.clone());
            (
                "violated",
                message.unwrap_or_else(|| "a violation".to_owned()),
            )
        }
        End::Undefined(undefined) => (
            "undefined",
            format!("undefined behaviour: {}", undefined.message),
        ),
        End::Unsupported(what) => ("unsupported", format!("unsupported: {what}")),
        End::OutOfInputs => (
            "out-of-inputs",
            "the program asks for an input here, but none is left; give more with --inputs"
                .to_owned(),
        ),
        End::OutOfBudget(limit) => ("out-of-budget", format!("stopped: {limit}")),
    }
}

fn human(run: &Run, loaded: &Loaded, trace: Option<&Trace>, console: &Console) -> String {
    use End::*;
    let mut report = Report::new(console, loaded);
    let (_, message) = describe(run, loaded);
    match &run.end {
        Violated(proc, location) => {
            let error = &loaded.program.procs[*proc].locations[*location].error;
            if let Some(violation) = error {
                report.violation(violation, &run.stack, trace);
            }
        }
        Exited(_) | Aborted => {}
        Undefined(_) => report.failure(&message, run.span, &run.stack, trace),
        Blocked | Unsupported(_) | OutOfInputs | OutOfBudget(_) => {
            report.warning(&message, run.span);
        }
    }
    if !console.quiet {
        report.inputs(&run.inputs);
        report.path(run, trace);
    }
    let kind = match &run.end {
        Violated(..) => format!("the run violates a property: {message}"),
        Exited(_) | Aborted | Blocked | Undefined(_) | Unsupported(_) | OutOfInputs
        | OutOfBudget(_) => message,
    };
    report.verdict(&format!("Run: {kind}"));
    report.finish()
}

fn document(
    run: &Run,
    loaded: &Loaded,
    trace: Option<&Trace>,
    elapsed: Duration,
) -> json::Document {
    use End::*;
    let places = Places::new(&loaded.sources);
    let mut document = base_document(loaded, "run", elapsed);
    let (kind, message) = describe(run, loaded);
    let status = match &run.end {
        Exited(status) => Some(*status),
        Aborted | Blocked | Violated(..) | Undefined(_) | Unsupported(_) | OutOfInputs
        | OutOfBudget(_) => None,
    };
    let mut span = run.span;
    if let Violated(proc, location) = run.end
        && let Some(violation) = &loaded.program.procs[proc].locations[location].error
    {
        span = violation.span;
        document.violation = Some(json_violation(loaded, &places, violation, proc));
    }
    document.end = Some(json::End {
        kind,
        message,
        status,
        place: places.position(span).into(),
    });
    document.trace = trace.map(|trace| json_trace(loaded, &places, trace));
    document.inputs = json_inputs(loaded, &places, &run.inputs);
    document.output = Some(String::from_utf8_lossy(&run.output).into_owned());
    document.stats.steps = Some(run.steps);
    document
}
