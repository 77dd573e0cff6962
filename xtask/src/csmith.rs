//! Random C programs by Csmith: the machine against gcc.
//!
//! A program that the compiled version does not finish in time is replaced by the next seed, as
//! is usual with Csmith. What counts is the checksum that both print.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use verdicts::process::{self, Scratch};

/// Where Debian puts Csmith's headers.
const HEADERS: &str = "/usr/include/csmith";
const NATIVE_LIMIT: Duration = Duration::from_secs(2);
const MACHINE_LIMIT: Duration = Duration::from_secs(120);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Answer {
    Agree,
    /// The compiled program takes too long: not counted.
    Skipped,
    Unsupported,
    TimedOut,
    Differ,
}

struct Job {
    seed: u64,
    model: &'static str,
}

/// Runs the campaign; `Ok(true)` if all agree but for at most 2 in 100 unsupported ones.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let count = crate::number(args, "--count", 500)?;
    let first = crate::number(args, "--first", 1)?;
    let cairn = crate::build_cairn()?;
    let scratch = Scratch::new("csmith")?;
    let jobs: Vec<Job> = (first..first + count)
        .flat_map(|seed| ["LP64", "ILP32"].map(|model| Job { seed, model }))
        .collect();
    let answers = crate::parallel(&jobs, |job| {
        let answer = compare(&cairn, scratch.path(), job);
        match &answer {
            Ok((Answer::Agree | Answer::Skipped, _)) => {}
            Ok((answer, what)) => println!("seed {} {}: {answer:?}: {what}", job.seed, job.model),
            Err(message) => println!("seed {} {}: {message}", job.seed, job.model),
        }
        answer
    });
    let mut good = true;
    for model in ["LP64", "ILP32"] {
        let mut counts = std::collections::BTreeMap::new();
        for (answer, _) in answers
            .iter()
            .zip(&jobs)
            .filter(|(_, job)| job.model == model)
        {
            let (answer, _) = answer.as_ref().map_err(Clone::clone)?;
            *counts.entry(*answer).or_insert(0u64) += 1;
        }
        let of = |answer| counts.get(&answer).copied().unwrap_or(0);
        let tried = count - of(Answer::Skipped);
        println!(
            "{model}: {tried} programs, {} agree, {} unsupported, {} too slow, {} differ \
             ({} more do not end when compiled)",
            of(Answer::Agree),
            of(Answer::Unsupported),
            of(Answer::TimedOut),
            of(Answer::Differ),
            of(Answer::Skipped),
        );
        let excused = of(Answer::Unsupported) + of(Answer::TimedOut);
        good &= of(Answer::Differ) == 0 && excused * 50 <= tried;
    }
    Ok(good)
}

fn compare(cairn: &Path, dir: &Path, job: &Job) -> Result<(Answer, String), String> {
    let stem = dir.join(format!("{}-{}", job.seed, job.model));
    let (source, binary) = (stem.with_extension("c"), stem.with_extension("exe"));
    let seed = job.seed.to_string();
    // It leaves a file in the folder it runs in.
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed]).current_dir(dir);
    let made = process::run(&mut csmith, NATIVE_LIMIT * 10)?;
    std::fs::write(&source, made.stdout).map_err(|error| error.to_string())?;

    let flag = if job.model == "LP64" { "-m64" } else { "-m32" };
    let mut gcc = Command::new("gcc");
    gcc.args([flag, "-O0", "-fwrapv", "-w", "-I", HEADERS, "-o"])
        .arg(&binary)
        .arg(&source);
    let compiled = process::run(&mut gcc, NATIVE_LIMIT * 30)?;
    if compiled.code != Some(0) {
        return Err(format!("gcc: {}", compiled.stderr));
    }
    let native = process::run(&mut Command::new(&binary), NATIVE_LIMIT)?;
    if native.timed_out {
        return Ok((Answer::Skipped, String::new()));
    }

    let mut command = Command::new(cairn);
    command.args(["run", "--quiet", "--data-model", job.model, "-I", HEADERS]);
    command
        .args(["--timeout", "100", "--max-steps", "100000000000"])
        .arg(&source);
    let machine = process::run(&mut command, MACHINE_LIMIT)?;
    for file in [&source, &binary] {
        std::fs::remove_file(file).map_err(|error| error.to_string())?;
    }
    let checksum = |text: &str| {
        text.lines()
            .find(|line| line.starts_with("checksum"))
            .map(str::to_owned)
    };
    let (expected, got) = (checksum(&native.stdout), checksum(&machine.stdout));
    if expected.is_some() && expected == got {
        return Ok((Answer::Agree, String::new()));
    }
    let what = format!(
        "{expected:?} but {got:?} {} {}",
        machine.stdout, machine.stderr
    );
    let answer = match () {
        () if machine.timed_out || what.contains("time is up") => Answer::TimedOut,
        () if what.contains("unsupported") => Answer::Unsupported,
        () => Answer::Differ,
    };
    Ok((answer, what))
}
