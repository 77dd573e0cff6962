//! `cairn check FILE.smt2`: solves Horn clauses, and shows the evidence.
//!
//! Prints `sat` if the clauses have a model, which means that what they describe is safe, and
//! `unsat` if they derive false.

use crate::args::CheckArgs;
use crate::console::Console;
use crate::decide::observed;
use crate::engines;
use crate::exit;
use crate::limits::{CHECKING_GRACE, Limits};
use base::{Budget, SourceMap};
use certify::{ClauseVerdict, Reason, ReasonKind};
use chc::decide_clauses;
use horn::System;
use input::Failure;
use report::json::{self, Json};
use report::object;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The file of clauses that is to be checked, if it is one.
pub(crate) fn file(args: &CheckArgs) -> Option<&PathBuf> {
    let mut files = args.decide.source.files.iter();
    files.find(|file| file.extension().is_some_and(|ending| ending == "smt2"))
}

/// Runs the command and returns its exit code.
pub(crate) fn run(
    args: &CheckArgs,
    path: &Path,
    console: &Console,
    budget: &Budget,
) -> Result<u8, Failure> {
    let start = Instant::now();
    refuse_flags(args)?;
    let engine = engines::find_clause_engine(&args.decide.engine)?;
    console.enter("reading the clauses");
    let system = read(path)?;
    let (budget, progress) = observed(&args.decide, console, budget, None);
    let verdict = decide_clauses(engine, &system, &budget, || {
        console.enter("checking the certificate");
        budget.extended(CHECKING_GRACE)
    });
    if let Some(progress) = &progress {
        progress.clear();
    }
    let verdict = with_limit(verdict, args);
    let code = exit_code(&verdict);
    console.decided(verdict.name(), code);
    console.enter("making the answer ready");
    let text = match args.json {
        true => document(args, engine.name(), &system, &verdict, &budget, start),
        false => human(args, &system, &verdict),
    };
    console.answer_verdict(text.as_bytes(), verdict.name());
    Ok(code)
}

/// Flags that only mean something for C.
fn refuse_flags(args: &CheckArgs) -> Result<(), Failure> {
    let given = [
        ("--each", args.each),
        ("--witness", args.witness.is_some()),
        ("--html", args.html.is_some()),
        ("--sarif", args.sarif.is_some()),
        ("--junit", args.junit.is_some()),
        ("--test", args.test.is_some()),
        ("--confirm", args.confirm),
        ("--log-smt", args.log_smt.is_some()),
    ];
    if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Failure::new(format!(
            "`{flag}` means nothing for Horn clauses"
        )));
    }
    match args.decide.source.files.len() {
        1 => Ok(()),
        _ => Err(Failure::new("clauses are checked one file at a time")),
    }
}

fn read(path: &Path) -> Result<System, Failure> {
    let name = path.display();
    let text = std::fs::read(path)
        .map_err(|error| Failure::new(format!("cannot read `{name}`: {error}")))?;
    let mut sources = SourceMap::new();
    let file = sources.add(&path.to_string_lossy(), text);
    let file = file.ok_or_else(|| Failure::new(format!("`{name}` is too large")))?;
    horn::read(sources.file(file)).map_err(|refusal| Failure::in_source(sources, *refusal))
}

/// The verdict, with the limit that was met in its reason.
fn with_limit(verdict: ClauseVerdict, args: &CheckArgs) -> ClauseVerdict {
    let ClauseVerdict::Unknown(mut reason) = verdict else {
        return verdict;
    };
    if let Some(limit) = reason.kind.limit() {
        let limit = Limits::of_deciding(&args.decide).message(limit);
        reason.message = format!("{limit}: {}", reason.message);
    }
    ClauseVerdict::Unknown(reason)
}

fn exit_code(verdict: &ClauseVerdict) -> u8 {
    match verdict {
        ClauseVerdict::Sat(_) => exit::SAFE,
        ClauseVerdict::Unsat(_) => exit::UNSAFE,
        ClauseVerdict::Unknown(_) => exit::UNKNOWN,
    }
}

fn human(args: &CheckArgs, system: &System, verdict: &ClauseVerdict) -> String {
    let mut text = format!("{}\n", verdict.answer());
    match verdict {
        ClauseVerdict::Sat(model) if args.model => text += &model.smtlib(system),
        ClauseVerdict::Unsat(derivation) if args.derivation => text += &derivation.text(system),
        ClauseVerdict::Sat(_) | ClauseVerdict::Unsat(_) => {}
        ClauseVerdict::Unknown(reason) => {
            text += &format!("{}\n", reason.message);
            if reason.kind == ReasonKind::Internal {
                text += &format!("{}\n", exit::PLEASE_REPORT);
            }
        }
    }
    text + &format!("Verdict: {}\n", verdict.name())
}

fn document(
    args: &CheckArgs,
    engine: &'static str,
    system: &System,
    verdict: &ClauseVerdict,
    budget: &Budget,
    start: Instant,
) -> String {
    let (mut model, mut derivation) = (None, None);
    let mut reason = Json::ABSENT;
    match verdict {
        ClauseVerdict::Sat(found) => model = args.model.then(|| found.smtlib(system)),
        ClauseVerdict::Unsat(found) => {
            derivation = args.derivation.then(|| found.text(system));
        }
        ClauseVerdict::Unknown(Reason { kind, message, .. }) => {
            reason = object! { "kind": kind.name(), "message": message.clone() };
        }
    }
    let files = args.decide.source.files.iter();
    let files: Vec<String> = files
        .map(|file| file.to_string_lossy().into_owned())
        .collect();
    let document = object! {
        "files": files,
        "engine": engine,
        "verdict": verdict.name(),
        "answer": verdict.answer(),
        "reason": reason,
        "model": model,
        "derivation": derivation,
        "stats": object! {
            "seconds": start.elapsed().as_secs_f64(),
            "effort": budget.effort(),
            "counters": json::counters(&budget.counters().all()),
        },
    };
    document.text("check")
}
