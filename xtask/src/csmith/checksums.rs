//! Verdicts on programs by Csmith: an assertion says what the checksum is, or that it is not that.
//!
//! Volatile objects and `argc` are inputs to `cairn check`, so the programs have neither: the
//! assertion holds in all runs, or fails in all.

use super::{HEADERS, Job, Made};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use verdicts::process;

/// What Csmith's `main` does at its end; the assertion stands before it.
const END: &str = "platform_main_end(crc32_context ^ 0xFFFFFFFFUL";
/// How much longer than its limit `cairn` may take before it is ended.
const PATIENCE: Duration = Duration::from_secs(5);

/// How an assertion was answered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Answer {
    Right,
    Unknown,
    /// The compiled program takes too long, so that its checksum is not known.
    Skipped,
    Failed,
    Wrong,
}

/// Asks about both assertions of each program; `Ok(true)` if no answer is wrong and `cairn` never
/// fails.
pub(super) fn run(args: &[String], cairn: &Path, dir: &Path, jobs: &[Job]) -> Result<bool, String> {
    let timeout = crate::seconds(args, "--timeout", 10.0)?;
    let engine = crate::word(args, "--engine")?.unwrap_or("auto");
    let results = crate::parallel(jobs, |job| {
        let answers = check(cairn, dir, job, engine, timeout);
        if let Ok(answers) = &answers {
            for (answer, what) in answers {
                if matches!(answer, Answer::Wrong | Answer::Failed) {
                    println!("seed {} {}: {answer:?}: {what}", job.seed, job.model);
                }
            }
        }
        answers
    });
    let mut counts: BTreeMap<Answer, u64> = BTreeMap::new();
    for answers in results {
        for (answer, _) in answers? {
            *counts.entry(answer).or_insert(0) += 1;
        }
    }
    let of = |answer| counts.get(&answer).copied().unwrap_or(0);
    println!(
        "{engine}: {} right, {} unknown, {} wrong, {} failed ({} programs do not end when compiled)",
        of(Answer::Right),
        of(Answer::Unknown),
        of(Answer::Wrong),
        of(Answer::Failed),
        of(Answer::Skipped),
    );
    Ok(of(Answer::Wrong) == 0 && of(Answer::Failed) == 0)
}

/// The answers to the assertion that the checksum is what gcc's program prints, and to its negation.
fn check(
    cairn: &Path,
    dir: &Path,
    job: &Job,
    engine: &str,
    timeout: Duration,
) -> Result<Vec<(Answer, String)>, String> {
    let flags = ["--no-volatiles", "--no-argc"];
    let Some(made) = Made::new(dir, job, &flags)? else {
        return Ok(vec![(Answer::Skipped, String::new())]);
    };
    let text = std::fs::read_to_string(&made.source).map_err(|error| error.to_string())?;
    let seconds = timeout.as_secs_f64().to_string();
    let mut answers = Vec::new();
    for (operator, expected) in [("==", "safe"), ("!=", "unsafe")] {
        let sum = &made.checksum;
        let assertion = format!(
            "if (!((crc32_context ^ 0xFFFFFFFFUL) {operator} 0x{sum}UL)) reach_error(); {END}"
        );
        let asserted = format!(
            "extern void reach_error(void);\n{}",
            text.replacen(END, &assertion, 1)
        );
        std::fs::write(&made.source, asserted).map_err(|error| error.to_string())?;
        let mut command = Command::new(cairn);
        command.args(["check", "--quiet", "--property", "unreach-call"]);
        command.args(["--engine", engine, "--timeout", &seconds]);
        command.args(["--data-model", job.model, "-I", HEADERS]);
        let finished = process::run(command.arg(&made.source), timeout + PATIENCE)?;
        let verdict = finished.stdout.lines().last().unwrap_or_default();
        let verdict = verdict.strip_prefix("Verdict: ").unwrap_or_default();
        let answer = match (verdict, finished.code) {
            (verdict, Some(0 | 1)) if verdict == expected => Answer::Right,
            ("safe" | "unsafe", _) => Answer::Wrong,
            ("unknown", Some(3)) => Answer::Unknown,
            _ => Answer::Failed,
        };
        let what = format!("{operator} {sum}: {verdict} {}", finished.stderr);
        answers.push((answer, what));
    }
    made.remove()?;
    Ok(answers)
}
