//! Test suites against gcov: what `cairn tests` claims of lines must be what the compiled program
//! says.
//!
//! The program is compiled with counters and linked with each driver of the suite; the counters of
//! all runs add up. A line that gcov saw executed and that was called unreachable is a mistake; one
//! that was called covered and that gcov did not see is a difference.
//!
//! With `--goal branches` nothing is compiled: it is counted how many sides of branches are settled in
//! programs of up to 500 lines that `cairn check` decides. `--flags "--first none --rest random"` gives
//! `cairn tests` further flags, to compare with.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How long a compiled test may run, in seconds.
const RUNNING: &str = "5";

/// The longest program whose branches are counted, in lines.
const LONGEST: usize = 500;

/// Writes the counters whatever ends the run.
const HELPER: &str = "extern void __gcov_dump(void);
extern void __real__Exit(int status);
extern void (*signal(int number, void (*handler)(int)))(int);
static void end(int status) { __gcov_dump(); __real__Exit(status & 127); }
void __wrap__Exit(int status) { end(status); }
void __wrap_abort(void) { end(6); }
void __wrap___assert_fail() { end(6); }
__attribute__((constructor)) static void begin(void) {
  signal(15, end); signal(11, end); signal(8, end); signal(4, end);
}
";

/// What becomes of the lines of a task.
#[derive(Default)]
struct Counts {
    goals: usize,
    covered: usize,
    settled: usize,
    compared: usize,
    same: usize,
    /// Claimed as covered, not seen by gcov.
    unseen: Vec<u64>,
    /// Seen by gcov, claimed as unreachable.
    wrong: Vec<u64>,
}

/// Runs the campaign; `Ok(true)` if gcov saw nothing that was called unreachable.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let cairn = match crate::word(args, "--cairn")? {
        Some(path) => PathBuf::from(path),
        None => crate::build_cairn()?,
    };
    let timeout = crate::seconds(args, "--timeout", 20.0)?;
    let count = crate::number(args, "--count", u64::MAX)?;
    let every = crate::number(args, "--every", 1)?;
    let goal = crate::word(args, "--goal")?.unwrap_or("lines");
    let flags = crate::word(args, "--flags")?.unwrap_or_default();
    let mut tasks = Vec::new();
    for folder in crate::folders(args) {
        let rows = std::fs::read_dir(&folder);
        let rows = rows.map_err(|error| format!("{}: {error}", folder.display()))?;
        let files = rows.filter_map(|row| Some(row.ok()?.path()));
        tasks.extend(files.filter(|file| file.extension().is_some_and(|end| end == "yml")));
    }
    tasks.sort();
    let every = usize::try_from(every).unwrap_or(1).max(1);
    let mut tasks: Vec<PathBuf> = tasks.into_iter().step_by(every).collect();
    tasks.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    let cairn = std::fs::canonicalize(&cairn).map_err(|error| error.to_string())?;
    let results = crate::parallel(&tasks, |task| {
        let seconds = timeout.as_secs_f64().to_string();
        (task.clone(), compare(&cairn, task, goal, flags, &seconds))
    });
    let mut all = Counts::default();
    for (task, result) in results {
        let name = task.display();
        match result {
            Err(why) => println!("{name}: not compared: {why}"),
            Ok(counts) => {
                if !counts.unseen.is_empty() {
                    println!(
                        "{name}: covered, but not for gcov: lines {:?}",
                        counts.unseen
                    );
                }
                if !counts.wrong.is_empty() {
                    println!(
                        "{name}: WRONG: seen, but called unreachable: {:?}",
                        counts.wrong
                    );
                }
                if 100 * counts.settled < 95 * counts.goals {
                    println!("{name}: {} of {} settled", counts.settled, counts.goals);
                }
                all.goals += counts.goals;
                all.covered += counts.covered;
                all.settled += counts.settled;
                all.compared += counts.compared;
                all.same += counts.same;
                all.unseen.extend(counts.unseen);
                all.wrong.extend(counts.wrong);
            }
        }
    }
    println!(
        "{} tasks: {} of {} {goal} settled, {} covered; {} compared with gcov: {} equal, {} claimed only, \
         {} wrong",
        tasks.len(),
        all.settled,
        all.goals,
        all.covered,
        all.compared,
        all.same,
        all.unseen.len(),
        all.wrong.len()
    );
    Ok(all.wrong.is_empty())
}

/// Makes the suite of a task, compiles and runs it, and compares line by line.
fn compare(
    cairn: &Path,
    task: &Path,
    goal: &str,
    flags: &str,
    seconds: &str,
) -> Result<Counts, String> {
    let mut hash = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(task, &mut hash);
    let name = format!("cairn-coverage-{:x}", std::hash::Hasher::finish(&hash));
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let task = std::fs::canonicalize(task).map_err(|error| error.to_string())?;
    if goal == "branches" {
        let check = ["check", "--quiet", "--timeout", "10"];
        printed(Command::new(cairn).args(check).arg(&task), &[0, 1])?;
    }
    // Goals may be left open.
    let suite = printed(
        Command::new(cairn)
            .args([
                "tests",
                "--quiet",
                "--json",
                "--goal",
                goal,
                "--timeout",
                seconds,
                "--out",
            ])
            .arg(&folder)
            .args(flags.split_whitespace())
            .arg(&task),
        &[0, 3],
    )?;
    let suite: Value = serde_json::from_slice(&suite).map_err(|error| error.to_string())?;
    let counts = match goal {
        "branches" => is_short(&suite).map(|()| compared(&suite, &BTreeMap::new())),
        _ => seen(&suite, &folder).map(|seen| compared(&suite, &seen)),
    };
    let _ = std::fs::remove_dir_all(&folder);
    counts
}

/// An error if a program has more lines than are counted.
fn is_short(suite: &Value) -> Result<(), String> {
    let files = suite["files"].as_array().into_iter().flatten();
    let texts = files.filter_map(|file| std::fs::read_to_string(file.as_str()?).ok());
    let lines: usize = texts.map(|text| text.lines().count()).sum();
    match lines > LONGEST {
        true => Err(format!("{lines} lines")),
        false => Ok(()),
    }
}

/// How often gcov says that each line was executed, by the name of its file.
fn seen(suite: &Value, folder: &Path) -> Result<BTreeMap<(String, u64), u64>, String> {
    let files = suite["files"].as_array().ok_or("no files")?;
    let [file] = &files[..] else {
        return Err("a program of several files".into());
    };
    let file = PathBuf::from(file.as_str().ok_or("no file")?);
    let file = std::fs::canonicalize(&file).map_err(|error| error.to_string())?;
    std::fs::write(folder.join("helper.c"), HELPER).map_err(|error| error.to_string())?;
    let tests = suite["tests"].as_array().map_or(0, Vec::len);
    let drivers = (1..=tests).map(|number| folder.join(format!("test-{number}.c")));
    let drivers: Vec<PathBuf> = drivers.collect();
    for driver in &drivers {
        let text = std::fs::read_to_string(driver);
        let text = text.map_err(|_| "a test has inputs that no driver can give")?;
        if text.contains("initialise them by hand") {
            return Err("a test needs the values of uninitialised variables".into());
        }
    }
    let first = drivers.first().ok_or("no test")?;
    let flags = flags(first)?;
    let compile = |more: &[&str]| {
        let mut command = Command::new("gcc");
        command
            .current_dir(folder)
            .args(["-w", "-O0"])
            .args(&flags)
            .args(more);
        command
    };
    let program = ["--coverage", "-c", "-o", "program.o"];
    output(compile(&program).arg(&file))?;
    output(&mut compile(&["-c", "-o", "helper.o", "helper.c"]))?;
    for driver in &drivers {
        output(compile(&["-c", "-o", "driver.o"]).arg(driver))?;
        let wraps = "-Wl,--wrap=abort,--wrap=_Exit,--wrap=__assert_fail";
        let objects = [
            "--coverage",
            "program.o",
            "driver.o",
            "helper.o",
            "-lm",
            wraps,
        ];
        output(&mut compile(&objects))?;
        // How it ends says nothing: many tests fail, or never end.
        let _ = Command::new("timeout")
            .current_dir(folder)
            .args([RUNNING, "./a.out"])
            .stdin(std::process::Stdio::null())
            .output();
    }
    let report =
        output(
            Command::new("gcov")
                .current_dir(folder)
                .args(["-t", "-j", "program.gcno"]),
        )?;
    let report: Value = serde_json::from_slice(&report).map_err(|error| error.to_string())?;
    let mut seen = BTreeMap::new();
    for file in report["files"].as_array().into_iter().flatten() {
        let name = base_name(file["file"].as_str().unwrap_or_default());
        for line in file["lines"].as_array().into_iter().flatten() {
            let number = line["line_number"].as_u64().unwrap_or_default();
            let count = line["count"].as_u64().unwrap_or_default();
            *seen.entry((name.clone(), number)).or_insert(0) += count;
        }
    }
    Ok(seen)
}

/// Holds the claims of a suite against what gcov saw.
fn compared(suite: &Value, seen: &BTreeMap<(String, u64), u64>) -> Counts {
    let mut counts = Counts::default();
    for goal in suite["goals"].as_array().into_iter().flatten() {
        let state = goal["state"].as_str().unwrap_or_default();
        counts.goals += 1;
        counts.settled += usize::from(state != "open");
        counts.covered += usize::from(state == "covered");
        let line = goal["line"].as_u64().unwrap_or_default();
        let file = base_name(goal["file"].as_str().unwrap_or_default());
        let Some(&count) = seen.get(&(file, line)) else {
            continue;
        };
        match (state, count > 0) {
            ("covered", false) => counts.unseen.push(line),
            ("unreachable", true) => counts.wrong.push(line),
            ("covered", true) | ("unreachable", false) => counts.same += 1,
            _ => continue,
        }
        counts.compared += 1;
    }
    counts
}

/// The flags that a driver says it wants.
fn flags(driver: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(driver).map_err(|error| error.to_string())?;
    let command = text.lines().find(|line| line.contains("&& ./a.out"));
    let words = command.ok_or("no command in a driver")?.split_whitespace();
    Ok(words
        .filter(|word| word.starts_with('-'))
        .map(str::to_owned)
        .collect())
}

fn base_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    printed(command, &[0])
}

/// What a command prints, if it ends with one of these codes.
fn printed(command: &mut Command, codes: &[i32]) -> Result<Vec<u8>, String> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let output = command.output();
    let output = output.map_err(|error| format!("{shown}: {error}"))?;
    if output
        .status
        .code()
        .is_some_and(|code| codes.contains(&code))
    {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let first = text.lines().next().unwrap_or_default();
    Err(format!("{shown}: {first}"))
}
