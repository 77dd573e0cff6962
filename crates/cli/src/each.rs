//! `cairn check --each`: decides every assertion separately, and prints a line for each; so do the
//! report, the SARIF log and the JUnit file.

use crate::args::CheckArgs;
use crate::console::Console;
use crate::decide::{DecidedGoals, decide_each, guarded};
use crate::exit;
use crate::limits::SHOWING_GRACE;
use crate::outputs::Outputs;
use crate::terminal::Text;
use base::Budget;
use certify::Verdict;
use engine::{Engine, GoalVerdict};
use input::{Failure, Loaded};
use report::answer::{Answer, Cost, Finding, Note};
use report::{Reporter, html, json, junit, sarif};
use std::time::Instant;
use witness::invariants::Invariants;

/// Decides, prints, and returns the exit code: that of the program as a whole.
pub(crate) fn run(
    args: &CheckArgs,
    engine: &dyn Engine,
    loaded: Loaded,
    start: Instant,
    console: &Console,
    budget: &Budget,
) -> Result<u8, Failure> {
    let decided = decide_each(engine, loaded, args, console, budget);
    let (verdict, code) = whole(&decided);
    console.decided(verdict, code);
    console.enter("making the answer ready");
    let showing = &budget.extended(SHOWING_GRACE);
    let has_page = args.html.is_some();
    let is_recorded = (args.json && !console.quiet) || has_page || args.sarif.is_some();
    let answer = guarded(|| {
        let reporter = Reporter::new(&decided.loaded, has_page);
        let mut answer = first(&decided, &reporter, is_recorded, showing);
        answer.goals = reporter.goals(&decided.goals, &decided.vacuous);
        answer.subject.engine = Some(engine.name());
        answer.cost = Cost {
            seconds: start.elapsed().as_secs_f64(),
            effort: Some(decided.effort),
            counters: decided.counters.clone(),
        };
        answer
    });
    let text = answer.as_ref().and_then(|answer| {
        guarded(|| match args.json {
            true => json::text(answer),
            false => human(answer, console),
        })
    });
    let text = text.unwrap_or_else(|| format!("Verdict: {verdict}\n"));
    let is_written = console.answer_verdict(text.as_bytes(), verdict);
    let mut outputs = Outputs::new(console, !is_written);
    if let Some(answer) = &answer {
        outputs.write(args.html.as_deref(), "HTML report", || Ok(page(answer)));
        outputs.write(args.sarif.as_deref(), "SARIF log", || {
            Ok(sarif::text(answer, code))
        });
        outputs.write(args.junit.as_deref(), "JUnit file", || {
            Ok(junit::text(answer, &human(answer, &console.plain())))
        });
    }
    Ok(outputs.exit_code(code))
}

/// The page: that of the whole, with a remark for each goal.
fn page(answer: &Answer) -> String {
    let mut page = answer.clone();
    let goals = answer.goals.iter().map(|goal| Note {
        text: goal.line(),
        place: goal.place.clone(),
    });
    page.notes.extend(goals);
    html::page(&page)
}

/// The verdict on the program as a whole, and its exit code.
fn whole(decided: &DecidedGoals) -> (&'static str, u8) {
    let mut verdicts = decided.goals.values();
    if verdicts.any(|verdict| matches!(verdict, GoalVerdict::Reached(_))) {
        ("unsafe", exit::UNSAFE)
    } else if decided.reason.is_some() {
        ("unknown", exit::UNKNOWN)
    } else {
        ("safe", exit::SAFE)
    }
}

/// The answer for the whole: the first violation, or why there is no verdict, or that there is
/// nothing.
fn first(
    decided: &DecidedGoals,
    reporter: &Reporter<'_>,
    is_recorded: bool,
    budget: &Budget,
) -> Answer {
    let reached = decided.goals.values().find_map(|verdict| match verdict {
        GoalVerdict::Reached(replayed) => Some(replayed.clone()),
        GoalVerdict::Unreachable(_) | GoalVerdict::Open(_) => None,
    });
    let verdict = match (reached, &decided.reason) {
        (Some(replayed), _) => Verdict::Unsafe(replayed),
        (None, Some(reason)) => Verdict::Unknown(reason.clone()),
        (None, None) => return reporter.nothing_reached(),
    };
    let record = || reporter.record_failure(&verdict, budget);
    let trace = is_recorded.then(record).flatten();
    reporter.verdict(&verdict, trace, &Invariants::default())
}

/// A line for each goal, and the verdict.
fn human(answer: &Answer, console: &Console) -> String {
    let mut text = Text::new(console, answer);
    for goal in &answer.goals {
        text.line(&goal.line());
    }
    if let Finding::Unknown(_) = answer.finding {
        text.line("");
        text.reason();
    }
    text.assumptions();
    text.finish(&format!("Verdict: {}", answer.verdict))
}
