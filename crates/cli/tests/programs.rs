//! One trial for every test program and engine, after the five rules:
//!
//! 1. a contradicted verdict fails, whatever else is written;
//! 2. `unknown` fails unless the header allows it or the engine is for some programs only, and an
//!    allowed engine that now succeeds fails too;
//! 3. `knownbug` must still fail;
//! 4. every `safe` and `unsafe` has passed its check in the command, and an unsafe program is
//!    compiled and must fail at the same line;
//! 5. a trial over its level's time fails.
//!
//! Programs below `power` are not tried here but by `power.rs`.

mod harness;

use harness::compiled::{self, Compiled};
use harness::header::{Header, Level};
use harness::surroundings::{C_SETS, benchmark_sets};
use harness::{Engine, Scratch, cairn, engines, files, json, root};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let arguments = Arguments::from_args();
    let engines = engines();
    let folder = root().join("tests/programs");
    let mut trials = Vec::new();
    for path in files(&folder, "c") {
        let short = path
            .strip_prefix(&folder)
            .unwrap_or(&path)
            .with_extension("");
        if short.starts_with("power") {
            continue;
        }
        // A header that cannot be read fails in its trials.
        let header = Header::read(&path).ok();
        let is_tried =
            |engine: &Engine| !header.as_ref().is_some_and(|row| row.skips(&engine.name));
        for engine in engines.iter().filter(|engine| is_tried(engine)).cloned() {
            let path = path.clone();
            let name = format!("{}::{}", short.display(), engine.name);
            trials.push(Trial::test(name.clone(), move || {
                trial(&path, &engine, &name)
            }));
        }
    }
    trials.extend(benchmark_trials(&engines));
    libtest_mimic::run(&arguments, trials).exit();
}

/// The seconds of a second try.
const SECOND_CHANCE: u32 = 10;

fn trial(path: &Path, engine: &Engine, name: &str) -> Result<(), Failed> {
    let header = Header::read(path)?;
    let result = match attempt(path, &header, engine, name, header.level.timeout()) {
        // Another machine may be busy: what counts is the answer.
        Err(Trouble::GaveUp(_)) if header.level == Level::Core => {
            attempt(path, &header, engine, name, SECOND_CHANCE)
        }
        result => result,
    };
    match (header.level, result) {
        (Level::KnownBug, Ok(())) => {
            Err("this known bug is gone: give the program another level".into())
        }
        (Level::KnownBug, Err(_)) => Ok(()),
        (Level::Core | Level::Slow, result) => result.map_err(|trouble| match trouble {
            Trouble::GaveUp(why) => format!("gave up: {why}").into(),
            Trouble::Wrong(why) => why.into(),
        }),
    }
}

/// What is wrong with an answer.
enum Trouble {
    /// There is none.
    GaveUp(String),
    /// It is not the right one.
    Wrong(String),
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Trouble::Wrong(why)
    }
}

fn attempt(
    path: &Path,
    header: &Header,
    engine: &Engine,
    name: &str,
    timeout: u32,
) -> Result<(), Trouble> {
    let start = Instant::now();
    let mut command = cairn();
    command.args(["check", "--quiet", "--json", "--engine", &engine.name]);
    command.arg("--verify-interpolants");
    command.args(["--timeout", &timeout.to_string()]);
    command.args(header.flags());
    let output = command
        .arg(path)
        .output()
        .map_err(|error| error.to_string())?;
    // Everything around the engine in an unoptimised build on a busy machine.
    let patience = Duration::from_secs(10);
    if start.elapsed() > Duration::from_secs(timeout.into()) + patience {
        return Err(format!("took {:?}", start.elapsed()).into());
    }
    let document = json(&output)?;
    let verdict = document["verdict"].as_str().unwrap_or_default();
    let reason = &document["reason"];
    if reason["kind"] == "internal" || verdict == "error" {
        return Err(format!("{document:#}").into());
    }
    let allowed = header.may_give_up(&engine.name);
    match (header.expect.as_str(), verdict) {
        ("unknown", "unknown") => Ok(()),
        ("unsafe", "unknown") if !engine.finds_violations => Ok(()),
        (_, "unknown") if allowed || engine.is_partial => Ok(()),
        (_, "unknown") => Err(Trouble::GaveUp(format!("{reason:#}"))),
        (expected, found) if expected == found && allowed => Err(format!(
            "engine `{name}` now succeeds: delete `// unknown: {name}`",
            name = engine.name
        )
        .into()),
        ("safe", "safe") => Ok(()),
        ("unsafe", "unsafe") => {
            let line = document["violation"]["line"].as_u64();
            if line != header.error_line {
                return Err(format!("fails at line {line:?}, not {:?}", header.error_line).into());
            }
            Ok(compiled::confirm(path, header, &document, name)?)
        }
        (expected, found) => {
            Err(format!("says {found} where {expected} is right: {document:#}").into())
        }
    }
}

/// A few tasks of the benchmark collection, if it is there. For the whole of it there is
/// `cargo xtask evidence`.
fn benchmark_trials(engines: &[Engine]) -> Vec<Trial> {
    if !engines.iter().any(|engine| engine.name == "random") {
        return Vec::new();
    }
    let unsafe_tasks: Vec<PathBuf> = benchmark_sets(&C_SETS)
        .iter()
        .flat_map(|folder| files(folder, "yml"))
        .filter(|path| expects_violation(path))
        .collect();
    // Spread over the folders, and few enough for every day.
    let step = unsafe_tasks.len().div_ceil(12).max(1);
    unsafe_tasks
        .into_iter()
        .step_by(step)
        .map(|path| {
            let set = path.parent().and_then(Path::file_name);
            let names = [set, path.file_name()].map(Option::unwrap_or_default);
            let [set, task] = names.map(|name| name.to_string_lossy());
            let name = format!("benchmarks/{set}/{task}::random");
            Trial::test(name.clone(), move || benchmark(&path, &name))
        })
        .collect()
}

fn expects_violation(task: &Path) -> bool {
    let text = std::fs::read_to_string(task).unwrap_or_default();
    let mut lines = text
        .lines()
        .skip_while(|line| !line.contains("unreach-call.prp"));
    lines
        .by_ref()
        .take(2)
        .any(|line| line.contains("expected_verdict: false"))
}

/// If random search finds a violation in a second, the compiled program must agree on its line.
fn benchmark(task: &Path, name: &str) -> Result<(), Failed> {
    let output = cairn()
        .args([
            "check",
            "--quiet",
            "--json",
            "--engine",
            "random",
            "--timeout",
            "1",
        ])
        .arg(task)
        .output()
        .map_err(|error| error.to_string())?;
    let document = json(&output)?;
    match document["verdict"].as_str() {
        Some("unknown") => return Ok(()),
        Some("unsafe") => {}
        _ => return Err(format!("{document:#}").into()),
    }
    let model = document["data_model"].as_str().unwrap_or_default();
    if !compiled::has_compiler(model) {
        return Ok(());
    }
    let source = document["files"][0].as_str().unwrap_or_default();
    let line = document["violation"]["line"].as_u64();
    let scratch = Scratch::new(&name.replace("::", "-"));
    match compiled::run(Path::new(source), &document, &scratch)? {
        Compiled::FailedAt(found) if Some(found) == line => Ok(()),
        Compiled::Skipped(_) => Ok(()),
        other => Err(format!("line {line:?}, but compiled: {other:?}").into()),
    }
}
