//! `cairn explain`: decides, and shows step by step how.

use crate::args::ExplainArgs;
use crate::check::{bare, complete_page, exit_code, human};
use crate::console::Console;
use crate::decide::{Decided, decide, guarded};
use crate::engines;
use crate::invariants_text::invariants;
use crate::limits::SHOWING_GRACE;
use crate::load;
use crate::outputs::Outputs;
use base::Budget;
use certify::{Proof, Rewriting, Verdict};
use input::Failure;
use report::answer::Event;
use report::search_log::SearchLog;
use report::{Reporter, html};
use std::fmt::Write;

/// Events that are told without `--verbose`, at either end.
const TOLD: usize = 30;
/// Facts of one event that are told without `--verbose`.
const FACTS: usize = 12;

/// Runs the command and returns its exit code.
pub(crate) fn run(args: &ExplainArgs, console: &Console, budget: &Budget) -> Result<u8, Failure> {
    let engine = engines::chosen(&args.decide)?;
    console.enter("reading the program");
    let loaded = load::load(&args.decide.source, console)?;
    let decided = decide(engine, loaded, &args.decide, console, budget, true)?;
    let showing = &budget.extended(SHOWING_GRACE);
    let Decided {
        verdict,
        loaded,
        notes,
        ..
    } = &decided;
    let notes = notes.as_ref().expect("a journal was asked for");
    let reporter = Reporter::new(loaded, args.html.is_some());
    // What was done must not cost what came of it.
    let log = guarded(|| reporter.search_log(notes));
    let without_search = match verdict {
        Verdict::Safe(proof) => proved_without_search(proof),
        Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
    };
    let events = match without_search {
        Some(how) => format!("{how}\n"),
        None => {
            let told = log.as_ref().map(|log| told(log, console));
            told.unwrap_or_else(|| "the steps cannot be told: internal error\n".to_owned())
        }
    };
    let trace = guarded(|| reporter.record_failure(verdict, showing)).flatten();
    let invariants = guarded(|| invariants(verdict, loaded, args.decide.int_model, showing));
    let invariants = invariants.unwrap_or_default();
    let mut answer = reporter.verdict(verdict, trace, &invariants);
    answer.subject.engine = Some(engine.name());
    let shown = guarded(|| human(&answer, console));
    let text = events + &shown.unwrap_or_else(|| bare(verdict));
    let is_written = console.answer_verdict(text.as_bytes(), verdict.name());
    let mut outputs = Outputs::new(console, !is_written);
    outputs.write(args.html.as_deref(), "HTML report", || {
        complete_page(&mut answer, &reporter, &decided, &invariants, showing);
        answer.first = "story".to_owned();
        Ok(html::page(&answer))
    });
    Ok(outputs.exit_code(exit_code(verdict)))
}

/// How a proof was found for which the program itself was not searched.
fn proved_without_search(proof: &Proof) -> Option<&'static str> {
    match proof {
        Proof::Reached(_) => {
            Some("no path of the control-flow graph leads to an error; nothing was searched")
        }
        Proof::Runs(_) => {
            Some("the program has so few runs that all of them were made; nothing was searched")
        }
        Proof::Rewritten(proof) => Some(match proof.rewriting {
            Rewriting::Cells(_) => {
                "shown for one cell of each array, whichever it is; the search was one of a program \
                 with these cells"
            }
            Rewriting::Products(_) => {
                "shown with a variable for each product of variables; the search was one of a \
                 program with these variables"
            }
        }),
        Proof::Inductive(_) | Proof::Unwound(_) => None,
    }
}

/// The events, numbered.
fn told(log: &SearchLog, console: &Console) -> String {
    // Phases say little where there is more to tell.
    let is_told = |event: &&Event| console.verbose || event.kind != "phase";
    let mut events: Vec<&Event> = log.events.iter().filter(is_told).collect();
    if events.is_empty() {
        events = log.events.iter().collect();
    }
    let mut text = String::new();
    let is_cut = !console.verbose && events.len() > 2 * TOLD + 1;
    for (index, event) in events.iter().enumerate() {
        if is_cut && index == TOLD {
            let left = events.len() - 2 * TOLD;
            let _ = writeln!(text, "  ... {left} steps left out; --verbose tells all");
        }
        if !is_cut || index < TOLD || index >= events.len() - TOLD {
            tell(event, index + 1, console, &mut text);
        }
    }
    if log.dropped > 0 {
        let _ = writeln!(text, "  ... {} steps were not kept", log.dropped);
    }
    text
}

fn tell(event: &Event, number: usize, console: &Console, text: &mut String) {
    let kind = console.bold(&format!("{:8}", event.kind));
    let _ = writeln!(text, "{number:4}  {kind}  {}", event.text);
    let shown = match console.verbose {
        true => event.facts.len(),
        false => event.facts.len().min(FACTS),
    };
    for fact in &event.facts[..shown] {
        let _ = writeln!(text, "                  {fact}");
    }
    if shown < event.facts.len() {
        let left = event.facts.len() - shown;
        let _ = writeln!(text, "                  ... and {left} more");
    }
}
