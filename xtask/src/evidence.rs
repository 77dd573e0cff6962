//! Evidence: what `cairn check` answers is confirmed by the compiler and by `cairn validate`.
//!
//! Every task definition below a folder is checked. An unsafe one must fail when it is compiled
//! with the inputs found (`--confirm`), at the line reported; the witness of either verdict must be
//! confirmed.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use verdicts::process::{self, Scratch};

const LIMIT: Duration = Duration::from_secs(300);

/// What came of a task.
struct Row {
    verdict: String,
    /// Of `--confirm`, for an unsafe one.
    compiled: String,
    /// Whether that was a copy that takes proved iterations of loops at once.
    is_shortened: bool,
    /// Of `cairn validate`.
    witness: String,
    /// Why one of them is not as it should be.
    why: String,
}

/// Runs the campaign; `Ok(true)` if everything is confirmed.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let timeout = crate::number(args, "--timeout", 10)?;
    let folders = args.iter().take_while(|arg| !arg.starts_with("--"));
    let mut tasks = Vec::new();
    for folder in folders {
        collect(Path::new(folder), &mut tasks)?;
    }
    if tasks.is_empty() {
        return Err("no task definition below the folders given".into());
    }
    tasks.sort();
    let cairn = crate::build_cairn()?;
    let scratch = Scratch::new("evidence")?;
    let numbered: Vec<(usize, PathBuf)> = tasks.into_iter().enumerate().collect();
    let rows = crate::parallel(&numbered, |(number, task)| {
        let witness = scratch.path().join(format!("{number}.yml"));
        let row = attempt(&cairn, task, &witness, timeout);
        let text = match &row {
            Ok(row) => format!(
                "{} compiled:{} witness:{} {}",
                row.verdict, row.compiled, row.witness, row.why
            ),
            Err(message) => format!("ERROR: {message}"),
        };
        println!("{}: {text}", task.display());
        row
    });
    Ok(summed_up(&rows))
}

fn collect(folder: &Path, tasks: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            collect(&path, tasks)?;
        } else if path.extension().is_some_and(|ending| ending == "yml") {
            tasks.push(path);
        }
    }
    Ok(())
}

fn attempt(cairn: &Path, task: &Path, witness: &Path, timeout: u64) -> Result<Row, String> {
    let seconds = timeout.to_string();
    let mut check = Command::new(cairn);
    check
        .args([
            "check",
            "--quiet",
            "--json",
            "--confirm",
            "--timeout",
            &seconds,
        ])
        .arg("--witness")
        .arg(witness)
        .arg(task);
    let checked = json(&mut check)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut row = Row {
        verdict: text(&checked["verdict"]),
        compiled: "-".to_owned(),
        is_shortened: false,
        witness: "-".to_owned(),
        why: String::new(),
    };
    if row.verdict == "unsafe" {
        row.compiled = text(&checked["confirmed"]["result"]);
        row.is_shortened = checked["confirmed"]["shortened"] == true;
        if row.compiled != "reproduced" {
            row.why = text(&checked["confirmed"]["message"]);
        }
    }
    if row.verdict == "safe" || row.verdict == "unsafe" {
        let mut validate = Command::new(cairn);
        validate
            .args(["validate", "--quiet", "--json", "--timeout", &seconds])
            .arg(task)
            .arg(witness);
        let validated = json(&mut validate)?;
        row.witness = text(&validated["witness"]["result"]);
        if row.witness != "confirmed" {
            row.why += &text(&validated["witness"]["message"]);
        }
    }
    Ok(row)
}

fn json(command: &mut Command) -> Result<Value, String> {
    let finished = process::run(command, LIMIT)?;
    serde_json::from_str(&finished.stdout).map_err(|error| format!("{error}: {}", finished.stderr))
}

fn summed_up(rows: &[Result<Row, String>]) -> bool {
    let known = || rows.iter().filter_map(|row| row.as_ref().ok());
    let mut is_good = rows.iter().all(Result::is_ok);
    for verdict in ["safe", "unsafe"] {
        let of_verdict = || known().filter(|row| row.verdict == verdict);
        let all = of_verdict().count();
        let confirmed = of_verdict()
            .filter(|row| row.witness == "confirmed")
            .count();
        println!("{verdict}: {all}, witness confirmed: {confirmed}");
        is_good &= all == confirmed;
    }
    let failing = || known().filter(|row| row.verdict == "unsafe");
    let compiled = failing().filter(|row| row.compiled == "reproduced").count();
    let shortened = failing().filter(|row| row.is_shortened).count();
    println!(
        "unsafe, reproduced by the compiled program: {compiled}, of them by a shortened copy: \
         {shortened}"
    );
    let rest = rows.len() - known().filter(|row| row.witness != "-").count();
    println!("no verdict or an error: {rest}");
    is_good && compiled == failing().count()
}
