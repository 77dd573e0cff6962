//! `cairn run`: one run on given inputs, and how it ended.
//!
//! Exit codes: 0 if the program terminates by itself (also by `abort`), 1 if it violates a
//! property, 3 if it reaches undefined behaviour that no property checks, a limit, the end of the
//! inputs, or something that is not modelled.

use crate::args::RunArgs;
use crate::console::Console;
use crate::exit;
use crate::input_args::{self, InputArgs};
use crate::limits::SHOWING_GRACE;
use crate::load;
use crate::terminal::Text;
use base::Budget;
use exec::{End, Limits, Machine, Run};
use input::Failure;
use report::{Answer, Reporter, json};
use std::time::Instant;

/// Runs the command and returns its exit code.
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
    let reporter = Reporter::new(&loaded, false);
    let record = || reporter.record(&run, &budget.extended(SHOWING_GRACE));
    let trace = (!console.quiet).then(record).flatten();
    let mut answer = reporter.run(&run, trace);
    answer.cost.seconds = start.elapsed().as_secs_f64();
    let answer = if args.json {
        json::text(&answer).into_bytes()
    } else {
        let mut bytes = run.output.clone();
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            bytes.push(b'\n');
        }
        bytes.extend(human(&run, &answer, console).into_bytes());
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

fn human(run: &Run, answer: &Answer, console: &Console) -> String {
    use End::*;
    let mut text = Text::new(console, answer);
    match &run.end {
        Exited(_) | Aborted => {}
        Violated(..) | Undefined(_) => text.failure(),
        Blocked | Unsupported(_) | OutOfInputs | OutOfBudget(_) => text.warning(),
    }
    if !console.quiet {
        text.inputs();
        text.path();
    }
    let kind = match &run.end {
        Violated(..) => format!("the run violates a property: {}", answer.message),
        Exited(_) | Aborted | Blocked | Undefined(_) | Unsupported(_) | OutOfInputs
        | OutOfBudget(_) => answer.message.clone(),
    };
    text.finish(&format!("Run: {kind}"))
}
