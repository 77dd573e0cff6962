//! `cairn check`: decides, and shows the evidence.

use crate::args::{CheckArgs, IntModel};
use crate::check_clauses;
use crate::console::Console;
use crate::decide::{Decided, decide, guarded};
use crate::each;
use crate::engines;
use crate::exit;
use crate::invariants_text::invariants;
use crate::limits::SHOWING_GRACE;
use crate::load;
use crate::outputs::Outputs;
use crate::query_log;
use crate::terminal::Text;
use base::Budget;
use certify::Verdict;
use engine::Goal;
use input::Failure;
use report::answer::{Answer, Cost, Finding};
use report::{Reporter, html, json, junit, sarif};
use std::time::Instant;
use witness::confirm::confirm;
use witness::evidence;
use witness::invariants::Invariants;
use witness::test_driver::{Failing, file, quoted};

/// Runs the command and returns its exit code.
pub(crate) fn run(args: &CheckArgs, console: &Console, budget: &Budget) -> Result<u8, Failure> {
    if let Some(path) = check_clauses::file(args) {
        return check_clauses::run(args, path, console, budget);
    }
    if args.model || args.derivation {
        let failure = Failure::new("`--model` and `--derivation` are for Horn clauses");
        return Err(failure.help("proofs and traces of C are in `--witness` and `--html`"));
    }
    let start = Instant::now();
    let engine = engines::chosen(&args.decide)?;
    console.enter("reading the program");
    let loaded = load::load(&args.decide.source, console)?;
    let read = start.elapsed();
    if args.each && !Goal::all(&loaded.program).is_empty() {
        return each::run(args, engine, loaded, start, console, budget);
    }
    let log = query_log::open(args.log_smt.as_deref())?;
    if let Some(log) = &log {
        log.clone().install_for_checkers();
    }
    let has_page = args.html.is_some();
    let mut decided = decide(engine, loaded, &args.decide, console, budget, has_page)?;
    query_log::close(log, console);
    let reading = ("Reading".to_owned(), read.as_secs_f64());
    decided.timings.insert(0, reading);
    let Decided {
        verdict, loaded, ..
    } = &decided;
    let showing = &budget.extended(SHOWING_GRACE);
    let reporter = Reporter::new(loaded, has_page);
    // Recording takes time that a verdict alone does not.
    let is_shown = !console.quiet || has_page || args.sarif.is_some() || args.junit.is_some();
    let record = || reporter.record_failure(verdict, showing);
    let trace = is_shown.then(|| guarded(record).flatten()).flatten();
    let wants_invariants = is_shown || args.json || args.witness.is_some();
    let invariants = wants_invariants
        .then(|| guarded(|| invariants(verdict, loaded, args.decide.int_model, showing)));
    let invariants = invariants.flatten().unwrap_or_default();
    let mut answer = reporter.verdict(verdict, trace, &invariants);
    answer.subject.engine = Some(engine.name());
    answer.confirmed = match verdict {
        Verdict::Unsafe(replayed) if args.confirm => {
            let failing = Failing::new(loaded, replayed, args.sanitize);
            Some(confirm(failing, showing))
        }
        Verdict::Unsafe(_) | Verdict::Safe(_) | Verdict::Unknown(_) => None,
    };
    answer.cost = Cost {
        seconds: start.elapsed().as_secs_f64(),
        effort: Some(decided.effort),
        counters: decided.counters.clone(),
    };
    // A verdict that cannot be shown in full is still a verdict.
    let text = guarded(|| match args.json {
        true => json::text(&answer),
        false => human(&answer, console),
    });
    let text = text.unwrap_or_else(|| bare(verdict));
    let is_written = console.answer_verdict(text.as_bytes(), verdict.name());
    let mut outputs = Outputs::new(console, !is_written);
    if let (Some(_), Some(why)) = (&args.witness, no_witness(verdict, args.decide.int_model)) {
        console.remark(&format!("no witness is written: {why}\n"));
    } else {
        let witness = || evidence::text(verdict, loaded, &invariants.loops);
        outputs.write(args.witness.as_deref(), "witness", witness);
    }
    if let (Some(path), Verdict::Unsafe(replayed)) = (&args.test, verdict) {
        let test = || file(&Failing::new(loaded, replayed, args.sanitize)?, path);
        outputs.write(Some(path), "test", test);
    }
    let code = exit_code(verdict);
    outputs.write(args.html.as_deref(), "HTML report", || {
        let mut page = answer.clone();
        complete_page(&mut page, &reporter, &decided, &invariants, showing);
        Ok(html::page(&page))
    });
    outputs.write(args.sarif.as_deref(), "SARIF log", || {
        Ok(sarif::text(&answer, code))
    });
    outputs.write(args.junit.as_deref(), "JUnit file", || {
        Ok(junit::text(&answer, &human(&answer, &console.plain())))
    });
    let code = outputs.exit_code(code);
    // The process ends here, and freeing a large program piece by piece takes time.
    std::mem::forget(decided);
    Ok(code)
}

/// Adds the parts of an answer that only its page shows.
pub(crate) fn complete_page(
    page: &mut Answer,
    reporter: &Reporter<'_>,
    decided: &Decided,
    invariants: &Invariants,
    budget: &Budget,
) {
    page.timings = decided.timings.clone();
    // The command line, quoted so that it can be repeated.
    let given = std::env::args_os().skip(1);
    let words = given.map(|arg| quoted(&arg.to_string_lossy()));
    let words: Vec<String> = std::iter::once("cairn".to_owned()).chain(words).collect();
    page.command = words.join(" ");
    let notes = decided.notes.as_ref();
    reporter.complete_page(page, &decided.verdict, &invariants.loops, notes, budget);
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

/// The exit code of a verdict.
pub(crate) fn exit_code(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Safe(_) => exit::SAFE,
        Verdict::Unsafe(_) => exit::UNSAFE,
        Verdict::Unknown(_) => exit::UNKNOWN,
    }
}

/// The verdict alone, if nothing else can be shown.
pub(crate) fn bare(verdict: &Verdict) -> String {
    format!("Verdict: {}\n", verdict.name())
}

/// The answer as text.
pub(crate) fn human(answer: &Answer, console: &Console) -> String {
    let mut text = Text::new(console, answer);
    match &answer.finding {
        Finding::Nothing => {
            text.line(&answer.headline);
            text.invariants();
            text.contracts();
        }
        Finding::Violation(..) => {
            text.failure();
            text.inputs();
            if !answer.leaps.is_empty() {
                text.leaps();
            } else if !console.quiet {
                text.path();
            }
        }
        Finding::Unknown(_) => text.reason(),
    }
    text.assumptions();
    if let Some(confirmed) = &answer.confirmed {
        text.line(&confirmed.message);
    }
    text.finish(&format!("Verdict: {}", answer.verdict))
}
