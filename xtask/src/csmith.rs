//! Random C programs by Csmith: the machine against gcc.
//!
//! A program that the compiled version does not finish in time is not counted, as is usual with
//! Csmith. What counts is the checksum that both print. With `--verdicts` an assertion says what the
//! checksum is ([`checksums`]), and `cairn check` must not contradict the compiled program.

mod checksums;

use std::path::{Path, PathBuf};
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
    let cairn = match crate::word(args, "--cairn")? {
        Some(path) => PathBuf::from(path),
        None => crate::build_cairn()?,
    };
    let scratch = Scratch::new("csmith")?;
    let jobs: Vec<Job> = (first..first + count)
        .flat_map(|seed| ["LP64", "ILP32"].map(|model| Job { seed, model }))
        .collect();
    if args.iter().any(|arg| arg == "--verdicts") {
        return checksums::run(args, &cairn, scratch.path(), &jobs);
    }
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
    let Some(made) = Made::new(dir, job, &[])? else {
        return Ok((Answer::Skipped, String::new()));
    };
    let mut command = Command::new(cairn);
    command.args(["run", "--quiet", "--data-model", job.model, "-I", HEADERS]);
    command
        .args(["--timeout", "100", "--max-steps", "100000000000"])
        .arg(&made.source);
    let machine = process::run(&mut command, MACHINE_LIMIT)?;
    made.remove()?;
    let got = checksum(&machine.stdout);
    if got == Some(&made.checksum) {
        return Ok((Answer::Agree, String::new()));
    }
    let what = format!(
        "{} but {got:?} {} {}",
        made.checksum, machine.stdout, machine.stderr
    );
    let answer = match () {
        () if machine.timed_out || what.contains("time is up") => Answer::TimedOut,
        () if what.contains("unsupported") => Answer::Unsupported,
        () => Answer::Differ,
    };
    Ok((answer, what))
}

/// A program that was made, and what it prints when gcc compiles it.
struct Made {
    source: PathBuf,
    /// In hexadecimal digits.
    checksum: String,
}

impl Made {
    /// The program of a job, by Csmith with these flags; none if it takes too long when compiled.
    fn new(dir: &Path, job: &Job, flags: &[&str]) -> Result<Option<Made>, String> {
        let stem = dir.join(format!("{}-{}", job.seed, job.model));
        let (source, binary) = (stem.with_extension("c"), stem.with_extension("exe"));
        let seed = job.seed.to_string();
        // It leaves a file in the folder it runs in.
        let mut csmith = Command::new("csmith");
        csmith.args(["--seed", &seed]).args(flags).current_dir(dir);
        let text = process::run(&mut csmith, NATIVE_LIMIT * 10)?.stdout;
        std::fs::write(&source, text).map_err(|error| error.to_string())?;

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
        std::fs::remove_file(&binary).map_err(|error| error.to_string())?;
        let checksum = checksum(&native.stdout).map(str::to_owned);
        let made = Made {
            source,
            checksum: checksum.unwrap_or_default(),
        };
        if native.timed_out || made.checksum.is_empty() {
            made.remove()?;
            return Ok(None);
        }
        Ok(Some(made))
    }

    fn remove(&self) -> Result<(), String> {
        std::fs::remove_file(&self.source).map_err(|error| error.to_string())
    }
}

/// The checksum among what a program prints.
fn checksum(text: &str) -> Option<&str> {
    text.lines()
        .find_map(|line| line.strip_prefix("checksum = "))
}
