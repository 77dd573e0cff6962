//! Failing lines: `cairn run` against the compiled program.
//!
//! For every task definition below a folder whose expected `unreach-call` verdict is false:
//! `cairn check` looks for inputs, `cairn run` replays them and names the failing line, and the
//! same inputs go into a driver that is linked with the task. The driver's `reach_error` prints
//! its caller's address, which `addr2line` turns into a line.

use crate::process::{self, Scratch};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);

enum Answer {
    /// Both fail at this line.
    Agree(String),
    /// No failing inputs were found in the time.
    NotFound,
    /// The failure needs values of uninitialised variables, which no driver can set.
    Uninitialized,
    /// Told apart.
    Differ(String),
}

/// Runs the comparison; `Ok(true)` if no task tells the two apart.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let timeout = crate::number(args, "--timeout", 10)?;
    let folders = args.iter().take_while(|arg| !arg.starts_with("--"));
    let mut tasks = Vec::new();
    for folder in folders {
        collect(Path::new(folder), &mut tasks)?;
    }
    if tasks.is_empty() {
        return Err("no task with an expected verdict of false below the folders given".into());
    }
    tasks.sort();
    let cairn = crate::build_cairn()?;
    let scratch = Scratch::new("lines")?;
    let answers = crate::parallel(&tasks, |task| {
        let answer = compare(&cairn, scratch.path(), task, timeout);
        let text = match &answer {
            Ok(Answer::Agree(line)) => format!("agree at {line}"),
            Ok(Answer::NotFound) => "no inputs found".into(),
            Ok(Answer::Uninitialized) => "depends on uninitialised variables".into(),
            Ok(Answer::Differ(what)) => format!("DIFFER: {what}"),
            Err(message) => format!("ERROR: {message}"),
        };
        println!("{}: {text}", task.display());
        answer
    });
    let count = |wanted: fn(&Result<Answer, String>) -> bool| {
        answers.iter().filter(|answer| wanted(answer)).count()
    };
    let bad = count(|answer| matches!(answer, Ok(Answer::Differ(_)) | Err(_)));
    println!(
        "{} tasks, {} agree, {} not found by running, {} uninitialised, {bad} differ",
        tasks.len(),
        count(|answer| matches!(answer, Ok(Answer::Agree(_)))),
        count(|answer| matches!(answer, Ok(Answer::NotFound))),
        count(|answer| matches!(answer, Ok(Answer::Uninitialized))),
    );
    Ok(bad == 0)
}

fn collect(folder: &Path, tasks: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            collect(&path, tasks)?;
        } else if path.extension().is_some_and(|ending| ending == "yml") && is_unsafe(&path)? {
            tasks.push(path);
        }
    }
    Ok(())
}

/// Whether the definition says `false` right after naming the property.
fn is_unsafe(task: &Path) -> Result<bool, String> {
    let text = std::fs::read_to_string(task).map_err(|error| error.to_string())?;
    let mut lines = text
        .lines()
        .skip_while(|line| !line.contains("unreach-call.prp"));
    let inline = lines.next().unwrap_or_default();
    let next = lines.next().unwrap_or_default();
    Ok([inline, next]
        .iter()
        .any(|line| line.contains("expected_verdict:") && line.contains("false")))
}

fn compare(cairn: &Path, dir: &Path, task: &Path, timeout: u64) -> Result<Answer, String> {
    let seconds = timeout.to_string();
    let mut check = Command::new(cairn);
    check
        .args(["check", "--quiet", "--json", "--timeout", &seconds])
        .arg(task);
    let checked = json(&mut check, "")?;
    if checked["verdict"] != "unsafe" {
        return Ok(Answer::NotFound);
    }
    let inputs = checked["inputs"]
        .as_array()
        .ok_or("check should list its inputs")?;
    let values = |uninitialized: bool| {
        let kind = |input: &&Value| (input["kind"] == "uninitialized") == uninitialized;
        let chosen: Vec<&str> = inputs
            .iter()
            .filter(kind)
            .filter_map(|input| input["value"].as_str())
            .collect();
        chosen.join(",")
    };
    let mut replay = Command::new(cairn);
    replay
        .args(["run", "--quiet", "--json", "--inputs", "-"])
        .arg(task);
    replay.arg(format!("--uninit={}", values(true)));
    let ran = json(&mut replay, &values(false))?;
    let ours = ran["violation"]["line"]
        .as_u64()
        .ok_or("run should name the failing line")?;

    let stem = dir.join(task.file_stem().ok_or("a task has a name")?);
    let theirs = compiled_line(task, &checked, inputs, &stem)?;
    if theirs == Some(ours) {
        return Ok(Answer::Agree(format!("line {ours}")));
    }
    let uninitialized = inputs
        .iter()
        .any(|input| input["kind"] == "uninitialized" && input["value"] != "0");
    if uninitialized {
        return Ok(Answer::Uninitialized);
    }
    Ok(Answer::Differ(format!("ours {ours}, compiled {theirs:?}")))
}

fn json(command: &mut Command, input: &str) -> Result<Value, String> {
    let finished = process::run_on(command, input, LIMIT)?;
    serde_json::from_str(&finished.stdout)
        .map_err(|error| format!("{error}: {}{}", finished.stdout, finished.stderr))
}

/// The line of the call that fails when the compiled task takes the inputs.
fn compiled_line(
    task: &Path,
    checked: &Value,
    inputs: &[Value],
    stem: &Path,
) -> Result<Option<u64>, String> {
    let source = checked["files"][0]
        .as_str()
        .ok_or("check should name its file")?;
    let flag = if checked["data_model"] == "ILP32" {
        "-m32"
    } else {
        "-m64"
    };
    let (object, driver, binary) = (
        stem.with_extension("o"),
        stem.with_extension("driver.c"),
        stem.with_extension("exe"),
    );
    std::fs::write(&driver, driver_text(inputs)).map_err(|error| error.to_string())?;
    let common = [flag, "-g", "-O0", "-w", "-fno-pie", "-no-pie"];
    let run = |command: &mut Command| -> Result<String, String> {
        let finished = process::run(command, LIMIT)?;
        if finished.code == Some(0) {
            return Ok(finished.stdout);
        }
        Err(format!(
            "{}: {}: {}",
            task.display(),
            command.get_program().display(),
            finished.stderr
        ))
    };
    run(Command::new("gcc")
        .args(common)
        .arg("-c")
        .arg(source)
        .arg("-o")
        .arg(&object))?;
    run(Command::new("objcopy")
        .args([
            "--weaken-symbol=reach_error",
            "--weaken-symbol=__VERIFIER_error",
        ])
        .arg(&object))?;
    // Functions that the run never calls may stay undefined.
    run(Command::new("gcc")
        .args(common)
        .arg("-Wl,--unresolved-symbols=ignore-all")
        .arg(&driver)
        .arg(&object)
        .arg("-o")
        .arg(&binary))?;
    let ended = process::run(&mut Command::new(&binary), LIMIT)?;
    let Some(address) = ended
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("failed at "))
    else {
        return Ok(None);
    };
    let place = run(Command::new("addr2line")
        .arg("-e")
        .arg(&binary)
        .arg(address))?;
    let line = place.trim().rsplit(':').next().unwrap_or_default();
    Ok(line
        .split(' ')
        .next()
        .and_then(|number| number.parse().ok()))
}

/// A C file with the functions that the task leaves to its surroundings.
fn driver_text(inputs: &[Value]) -> String {
    let mut text = String::from(
        "#include <execinfo.h>\n#include <stdio.h>\n#include <unistd.h>\n\
         static void failed(void *caller) {\n\
         \x20 printf(\"failed at %p\\n\", (char *)caller - 1);\n  fflush(stdout);\n  _exit(1);\n}\n\
         void reach_error(void) { failed(__builtin_return_address(0)); }\n\
         void __VERIFIER_error(void) { failed(__builtin_return_address(0)); }\n\
         void __assert_fail(const char *a, const char *f, unsigned l, const char *g) {\n\
         \x20 failed(__builtin_return_address(0));\n}\n",
    );
    let supplied: Vec<&Value> = inputs
        .iter()
        .filter(|input| input["kind"] == "nondet" || input["kind"] == "external")
        .collect();
    text.push_str("static const char *const inputs[] = {");
    for input in &supplied {
        let _ = write!(text, "\"{}\", ", input["value"].as_str().unwrap_or("0"));
    }
    text.push_str("0};\nstatic unsigned at;\n");
    text.push_str("static const char *next(void) { return inputs[at] ? inputs[at++] : \"0\"; }\n");
    text.push_str("extern long long strtoll(const char *, char **, int);\n");
    text.push_str("extern unsigned long long strtoull(const char *, char **, int);\n");
    let mut seen = std::collections::BTreeSet::new();
    for input in supplied {
        let (Some(name), Some(ty)) = (input["name"].as_str(), input["type"].as_str()) else {
            continue;
        };
        if seen.insert(name) {
            let (c_type, parse) = match ty {
                "bool" => ("_Bool", "strtoull"),
                "i8" => ("signed char", "strtoll"),
                "u8" => ("unsigned char", "strtoull"),
                "i16" => ("short", "strtoll"),
                "u16" => ("unsigned short", "strtoull"),
                "i32" => ("int", "strtoll"),
                "u32" => ("unsigned", "strtoull"),
                "i64" => ("long long", "strtoll"),
                _ => ("unsigned long long", "strtoull"),
            };
            let _ = writeln!(
                text,
                "{c_type} {name}() {{ return ({c_type}){parse}(next(), 0, 10); }}"
            );
        }
    }
    text
}
