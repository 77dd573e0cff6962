//! The `cairn` command: files, flags, colours, exit codes.
//!
//! # Invariants
//! - Answers go to standard output, everything else to standard error.
//! - A panic is reported as an internal error, exit code 3; it never looks like a verdict.

mod advice;
mod args;
mod bench;
mod check;
mod check_clauses;
mod console;
mod decide;
mod dump;
mod each;
mod engines;
mod exit;
mod explain;
mod input_args;
mod int_model;
mod interpolate;
mod invariants_text;
mod limits;
mod load;
mod manual;
mod outputs;
mod progress;
mod query_log;
mod render;
mod run;
mod signals;
mod status_line;
mod suite;
mod terminal;
mod unwinding;
mod validate;

use args::{Cli, Command};
use base::place::Places;
use base::{Budget, Severity};
use certify::ReasonKind;
use clap::Parser;
use console::Console;
use engine::About;
use input::Failure;
use limits::Limits;
use report::answer::{Answer, Finding, Note};
use report::json;
use report::place::Place;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, mpsc};

/// Stack of the working thread; only what is used takes memory.
const STACK: usize = 512 << 20;

/// Where the last panic happened and what it said.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

fn main() -> ExitCode {
    let cli = Cli::parse();
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut slot) = PANIC.lock() {
            *slot = Some(info.to_string());
        }
    }));
    let console = Console::new(&cli.common);
    let (is_check, json) = match &cli.command {
        Command::Check(args) => (true, args.json.then_some("check")),
        Command::Explain(_) => (true, None),
        Command::Validate(args) => (false, args.json.then_some("validate")),
        Command::Run(args) => (false, args.json.then_some("run")),
        Command::Tests(args) => (false, args.json.then_some("tests")),
        Command::Interpolate(args) => (false, args.json.then_some("interpolate")),
        Command::Bench(_)
        | Command::Dump(_)
        | Command::Engines
        | Command::Completions { .. }
        | Command::Man { .. } => (false, None),
    };
    let limits = Limits::of(&cli.command);
    let budget = match limits.map_or_else(|| Ok(Budget::unlimited()), Limits::start) {
        Ok(budget) => budget,
        Err(failure) => {
            console.failure(&failure);
            return ExitCode::from(exit::ERROR);
        }
    };
    let cli = Arc::new(cli);
    let (sender, done) = mpsc::channel();
    let work = {
        let (cli, console, budget) = (Arc::clone(&cli), console.clone(), budget.clone());
        move || {
            // Dropped, whatever happens, when the work is done.
            let _sender: mpsc::Sender<()> = sender;
            dispatch(&cli, json, &console, &budget)
        }
    };
    let thread = std::thread::Builder::new()
        .name("cairn".to_owned())
        .stack_size(STACK)
        .spawn(work);
    let thread = match thread {
        Ok(thread) => thread,
        Err(error) => {
            let failure = Failure::new(format!("cannot start a thread: {error}"));
            console.failure(&failure);
            return ExitCode::from(exit::ERROR);
        }
    };
    if let Some(limits) = limits
        && let Some(why) = limits.wait(&budget, &done)
    {
        let code = limits.answer_instead(&cli.command, json, &console, why);
        // The work still uses what an orderly exit would tear down.
        signal_hook::low_level::exit(i32::from(code));
    }
    match thread.join() {
        Ok(code) => {
            note_panic(&console);
            ExitCode::from(code)
        }
        Err(_) => {
            let message = note_panic(&console).unwrap_or_default();
            if let Some(command) = json {
                let help = vec![exit::PLEASE_REPORT.to_owned()];
                let text = no_answer(command, "unknown", ReasonKind::Internal, message, help);
                console.answer_verdict(text.as_bytes(), "unknown");
            } else if is_check {
                console.answer_verdict(b"Verdict: unknown\n", "unknown");
            }
            ExitCode::from(exit::UNKNOWN)
        }
    }
}

/// Runs a command; a failure is shown, also in JSON if that was asked for.
fn dispatch(cli: &Cli, json: Option<&'static str>, console: &Console, budget: &Budget) -> u8 {
    let outcome = match &cli.command {
        Command::Check(args) => check::run(args, console, budget),
        Command::Explain(args) => explain::run(args, console, budget),
        Command::Validate(args) => validate::run(args, console, budget),
        Command::Run(args) => run::run(args, console, budget),
        Command::Tests(args) => suite::run(args, console, budget),
        Command::Dump(args) => dump::run(args, console, budget),
        Command::Interpolate(args) => interpolate::run(args, console, budget),
        Command::Bench(args) => bench::run(args, console),
        Command::Engines => list_engines(console),
        Command::Completions { shell } => manual::completions(*shell, console),
        Command::Man { folder } => manual::pages(folder.as_deref(), console),
    };
    outcome.unwrap_or_else(|failure| {
        console.failure(&failure);
        if let Some(command) = json {
            let text = json::failed(command, &errors(&failure));
            if let Err(failure) = console.answer(text.as_bytes()) {
                console.failure(&failure);
            }
        }
        exit::ERROR
    })
}

/// The document of a command that could not give its own.
fn no_answer(
    action: &'static str,
    verdict: &'static str,
    kind: ReasonKind,
    message: String,
    help: Vec<String>,
) -> String {
    let mut answer = Answer {
        verdict,
        finding: Finding::Unknown(kind),
        message,
        help,
        ..Answer::default()
    };
    answer.subject.action = action;
    json::text(&answer)
}

/// What is wrong, for a document.
fn errors(failure: &Failure) -> Vec<Note> {
    match failure {
        Failure::Usage { message, .. } => vec![Note {
            text: message.clone(),
            place: None,
        }],
        Failure::Source {
            sources,
            diagnostics,
        } => {
            let places = Places::new(sources);
            let errors = diagnostics.iter();
            let errors = errors.filter(|row| row.severity == Severity::Error);
            let notes = errors.map(|row| Note {
                text: row.message.clone(),
                place: places
                    .of(row.span)
                    .map(|source| Place { source, file: None }),
            });
            notes.collect()
        }
    }
}

/// Says where a panic happened, if one did.
fn note_panic(console: &Console) -> Option<String> {
    let message = PANIC.lock().ok().and_then(|mut slot| slot.take())?;
    let failure = Failure::new(format!("internal error: {message}")).help(exit::PLEASE_REPORT);
    console.failure(&failure);
    Some(message)
}

fn list_engines(console: &Console) -> Result<u8, Failure> {
    let mut text = String::new();
    for engine in engines::ENGINES {
        let about = engine.about();
        let default = if about.name == engines::DEFAULT {
            " (default)"
        } else {
            ""
        };
        text += &format!("{}{default}: {}\n", about.name, about.summary);
        if !engine.finds_violations() {
            text += "  finds no violations\n";
        }
        if engine.is_partial() {
            text += "  for some programs only\n";
        }
        list_papers(&mut text, &about);
    }
    for engine in engines::CLAUSE_ENGINES {
        let about = engine.about();
        text += &format!("{} (Horn clauses): {}\n", about.name, about.summary);
        list_papers(&mut text, &about);
    }
    console.answer(text.as_bytes())?;
    Ok(exit::SAFE)
}

fn list_papers(text: &mut String, about: &About) {
    for paper in about.papers {
        *text += &format!("  [{paper}]\n");
    }
}
