//! Campaigns that are too long for the test suite, as commands of their own.
//!
//! - `cargo xtask csmith [--count N] [--first SEED]`: random programs, run by `cairn run` and by
//!   gcc; the checksums must agree.
//! - `cargo xtask lines DIR`: tasks whose expected verdict is unsafe; the line that `cairn run`
//!   fails at must be the one the compiled program fails at.
//!
//! Each builds `cairn` in release mode first, prints a line per disagreement and a table at the
//! end, and exits with 1 if anything disagrees.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "these commands report to a person"
)]

mod csmith;
mod lines;
mod process;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.first().map(String::as_str) {
        Some("csmith") => csmith::run(&args[1..]),
        Some("lines") => lines::run(&args[1..]),
        Some(_) | None => {
            Err("usage: cargo xtask csmith [--count N] [--first SEED] | lines DIR…".into())
        }
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

/// Runs jobs on all cores and gives their results in order.
fn parallel<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results: Vec<std::sync::Mutex<Option<R>>> =
        jobs.iter().map(|_| std::sync::Mutex::new(None)).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
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
