//! Campaigns that are too long for the test suite, as commands of their own.
//!
//! - `cargo xtask coverage DIR… [--goal lines|branches] [--timeout SECONDS] [--count N] [--every N] [--flags FLAGS] [--cairn PATH]`: tasks; the lines
//!   that the suites of `cairn tests` cover must be those that gcov sees, and none that it sees may
//!   be called unreachable.
//! - `cargo xtask csmith [--count N] [--first SEED] [--cairn PATH]`: random programs, run by `cairn run`
//!   and by gcc; the checksums must agree. `--verdicts [--engine NAME] [--timeout SECONDS]`: what
//!   `cairn check` says of assertions on the checksums must agree with gcc.
//! - `cargo xtask evidence DIR… [--timeout SECONDS]`: tasks; the compiled program must fail where
//!   `cairn check` says, and witnesses of either verdict must be confirmed.
//! - `cargo xtask interpolate [--count N] [--seed S] [--first N]`: random inconsistent formulas;
//!   every answer must pass the checks, and at most one in 1,000 may be unknown.
//! - `cargo xtask paths [DIR] [--first N] [--count N]`: the same for path formulas of C programs.
//! - `cargo xtask peers [DIR] [--count N] [--csv FILE]`: the same problems for us, for cvc5 and for
//!   Z3's Spacer, which it installs; a table of who solves what in which time.
//! - `cargo xtask samples DIR… [--count N] [--seed S]`: states of runs, of the programs in the
//!   folders and of random ones; none may be outside of what the forward analysis claims.
//! - `cargo xtask second-opinion DIR… [--count N] [--timeout SECONDS] [--cairn PATH] [--out DIR]`:
//!   the obligations of the checker of proofs, of our own programs and of tasks; cvc5 must not say
//!   the opposite of any.
//! - `cargo xtask suites DIR… [--timeout SECONDS] [--jobs N] [--record] [--cairn PATH]
//!   [--before PATH]`: task definitions; no verdict may be wrong, and none of those recorded in
//!   `xtask/suites.csv` lost. `--before` runs another binary beside it and compares their times.
//! - `cargo xtask summaries DIR… [--samples N] [--random N] [--seed S] [--timeout SECONDS]`: the same
//!   for the summaries of loops and of paths to an error, and for pairs of states.
//!
//! - `cargo xtask verdicts [--count N] [--seed S] [--first N] [--timeout SECONDS] [--jobs N]
//!   [--cairn PATH] [--out DIR] [--engine NAME]`: random C programs whose runs are all known; verdicts and their
//!   evidence must agree with the runs.
//!
//! `interpolate`, `paths` and `peers` take `--timeout SECONDS` for one problem, 2 if not said.
//!
//! Each prints a line per disagreement and a table at the end, and exits with 1 if anything
//! disagrees.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "these commands report to a person"
)]

mod cairn;
mod campaign;
mod coverage;
mod csmith;
mod evidence;
mod paths;
mod peer;
mod peers;
mod problem;
mod programs;
mod samples;
mod second_opinion;
mod suites;
mod summaries;
mod table;
mod verdicts_command;
mod walk;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: cargo xtask coverage DIR… [--goal lines|branches] [--timeout SECONDS] [--count N] [--every N] [--flags FLAGS] [--cairn PATH] \
     | csmith [--count N] [--first SEED] [--cairn PATH] [--verdicts [--engine NAME] [--timeout SECONDS]] | evidence DIR… \
     | interpolate [--count N] [--seed S] [--first N] | paths [DIR] [--first N] [--count N] \
     | peers [DIR] [--count N] [--csv FILE] | samples DIR… [--count N] [--seed S] \
     | second-opinion DIR… [--count N] [--timeout SECONDS] [--cairn PATH] [--out DIR] \
     | suites DIR… [--timeout SECONDS] [--jobs N] [--record] [--cairn PATH] [--before PATH] \
     | summaries DIR… [--samples N] [--random N] [--seed S] \
     | verdicts [--count N] [--seed S] [--first N] [--timeout SECONDS] [--jobs N] [--cairn PATH] \
     [--out DIR] [--engine NAME]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let wants_help = args.iter().any(|arg| arg == "--help");
    let outcome = match args.first().map(String::as_str) {
        _ if wants_help => Err(USAGE.into()),
        Some("coverage") => coverage::run(&args[1..]),
        Some("csmith") => csmith::run(&args[1..]),
        Some("evidence") => evidence::run(&args[1..]),
        Some("interpolate") => campaign::random(&args[1..]),
        Some("paths") => campaign::of_programs(&args[1..]),
        Some("samples") => samples::run(&args[1..]),
        Some("second-opinion") => second_opinion::run(&args[1..]),
        Some("suites") => suites::run(&args[1..]),
        Some("summaries") => summaries::run(&args[1..]),
        Some("verdicts") => verdicts_command::run(&args[1..]),
        Some("peers") => peers::run(&args[1..]),
        Some(_) | None => Err(USAGE.into()),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

/// Builds `cairn` and says where it is.
fn build_cairn() -> Result<PathBuf, String> {
    let status = std::process::Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "cairn-cli"])
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err("cairn does not build".into());
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(own.with_file_name("cairn"))
}

/// The number after a flag, or a default.
fn number(args: &[String], flag: &str, default: u64) -> Result<u64, String> {
    match args.iter().position(|arg| arg == flag) {
        None => Ok(default),
        Some(at) => args
            .get(at + 1)
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| format!("{flag} wants a number")),
    }
}

/// The word after a flag.
fn word<'a>(args: &'a [String], flag: &str) -> Result<Option<&'a str>, String> {
    match args.iter().position(|arg| arg == flag) {
        None => Ok(None),
        Some(at) => match args.get(at + 1) {
            Some(word) => Ok(Some(word)),
            None => Err(format!("{flag} wants a word")),
        },
    }
}

/// The time after a flag, or a default, in seconds.
fn seconds(args: &[String], flag: &str, default: f64) -> Result<Duration, String> {
    let seconds = match word(args, flag)? {
        None => default,
        Some(word) => {
            let number = word.trim_end_matches('s').parse();
            number.map_err(|_| format!("{flag} wants seconds"))?
        }
    };
    Duration::try_from_secs_f64(seconds).map_err(|error| format!("{flag}: {error}"))
}

/// The folders among the arguments: those before the first flag.
fn folders(args: &[String]) -> Vec<PathBuf> {
    let words = args.iter().take_while(|arg| !arg.starts_with("--"));
    words.map(PathBuf::from).collect()
}

/// Runs jobs on all cores and gives their results in order.
fn parallel<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    on_threads(threads, jobs, work)
}

/// The same on so many threads.
fn on_threads<J: Sync, R: Send>(
    threads: usize,
    jobs: &[J],
    work: impl Fn(&J) -> R + Sync,
) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results: Vec<std::sync::Mutex<Option<R>>> =
        jobs.iter().map(|_| std::sync::Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
                    && let Some(job) = jobs.get(index)
                {
                    let result = work(job);
                    *results[index].lock().expect("a job should not panic") = Some(result);
                }
            });
        }
    });
    results
        .into_iter()
        .map(|slot| {
            slot.into_inner()
                .expect("a job should not panic")
                .expect("every job ran")
        })
        .collect()
}
