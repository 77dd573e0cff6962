//! Test suites of many tasks: how many goals are settled, and whether gcov agrees with what `cairn
//! tests` claims of lines.
//!
//! With `--goal lines` a line that gcov saw executed and that was called unreachable is a mistake; one
//! that was called covered and that gcov did not see is a difference. With `--goal branches` nothing is
//! compiled: it is counted how many sides of branches are settled in programs of up to 500 lines that
//! `cairn check` decides. `--flags "--first none --rest random"` gives `cairn tests` further flags, to
//! compare with.
//!
//! Each task has a line as soon as it is done. With `--out FILE` these lines are kept in the file, and a
//! task that has one there already is not run again: a campaign that was cut off goes on.

mod gcov;
mod row;

use gcov::Seen;
use row::Row;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

/// The longest program whose branches are counted, in lines.
const LONGEST: usize = 500;

/// How `cairn tests` is asked.
struct Asked<'a> {
    cairn: PathBuf,
    goal: &'a str,
    flags: &'a str,
    /// The limit of a task, in seconds.
    seconds: String,
}

/// Runs the campaign; `Ok(true)` if gcov saw nothing that was called unreachable.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let cairn = match crate::word(args, "--cairn")? {
        Some(path) => PathBuf::from(path),
        None => crate::build_cairn()?,
    };
    let timeout = crate::seconds(args, "--timeout", 20.0)?;
    let asked = Asked {
        cairn: std::fs::canonicalize(&cairn).map_err(|error| error.to_string())?,
        goal: crate::word(args, "--goal")?.unwrap_or("lines"),
        flags: crate::word(args, "--flags")?.unwrap_or_default(),
        seconds: timeout.as_secs_f64().to_string(),
    };
    let mut rows = Rows::open(crate::word(args, "--out")?)?;
    let done: BTreeSet<(String, String)> = rows.names().collect();
    let mut tasks = tasks(args)?;
    tasks.retain(|task| !done.contains(&names(task)));
    let threads = crate::number(args, "--jobs", 1)? as usize;
    let kept = Mutex::new(&mut rows);
    let written = crate::on_threads(threads, &tasks, |task| {
        let row = counted(&asked, task);
        println!(
            "{}/{}: {} of {} {} settled, {:.1} s{}",
            row.set,
            row.task,
            row.settled(),
            row.goals,
            asked.goal,
            row.seconds,
            row.remarks()
        );
        let mut kept = kept.lock().expect("a job should not panic");
        kept.add(row)
    });
    written.into_iter().collect::<Result<(), String>>()?;
    print!("{}", row::table(&rows.rows));
    Ok(rows.rows.iter().all(|row| row.wrong.is_empty()))
}

/// The tasks of the folders, or some of them.
fn tasks(args: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut tasks = Vec::new();
    for folder in crate::folders(args) {
        let entries = std::fs::read_dir(&folder);
        let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
        let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        tasks.extend(files.filter(|file| file.extension().is_some_and(|end| end == "yml")));
    }
    tasks.sort();
    let every = crate::number(args, "--every", 1)?.max(1) as usize;
    let count = crate::number(args, "--count", u64::MAX)?;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    Ok(tasks.into_iter().step_by(every).take(count).collect())
}

/// The names of a task's set and of the task.
fn names(task: &Path) -> (String, String) {
    let name = |path: Option<&Path>| {
        let name = path.and_then(Path::file_stem).unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    (name(task.parent()), name(Some(task)))
}

/// The rows that there are, in memory and in a file.
struct Rows {
    rows: Vec<Row>,
    file: Option<std::fs::File>,
}

impl Rows {
    /// Reads the rows of a file that may be there, which is to have those that follow.
    fn open(path: Option<&str>) -> Result<Rows, String> {
        let Some(path) = path else {
            return Ok(Rows {
                rows: Vec::new(),
                file: None,
            });
        };
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let rows = text.lines().skip(1).filter_map(Row::read).collect();
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path);
        let mut file = file.map_err(|error| format!("{path}: {error}"))?;
        if text.is_empty() {
            file.write_all(row::HEAD.as_bytes())
                .map_err(|error| error.to_string())?;
        }
        Ok(Rows {
            rows,
            file: Some(file),
        })
    }

    fn names(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let rows = self.rows.iter();
        rows.map(|row| (row.set.clone(), row.task.clone()))
    }

    fn add(&mut self, row: Row) -> Result<(), String> {
        let written = match &mut self.file {
            Some(file) => file.write_all(row.line().as_bytes()),
            None => Ok(()),
        };
        self.rows.push(row);
        written.map_err(|error| error.to_string())
    }
}

/// What becomes of a task.
fn counted(asked: &Asked<'_>, task: &Path) -> Row {
    let (set, name) = names(task);
    let start = Instant::now();
    let mut row = Row {
        set,
        task: name,
        ..Row::default()
    };
    if let Err(why) = count(asked, task, &mut row) {
        row.why = why;
    }
    row.seconds = start.elapsed().as_secs_f64();
    row
}

/// Makes the suite of a task, compiles and runs it if lines are asked for, and compares.
fn count(asked: &Asked<'_>, task: &Path, row: &mut Row) -> Result<(), String> {
    let mut hash = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(task, &mut hash);
    let name = format!("cairn-coverage-{:x}", std::hash::Hasher::finish(&hash));
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let task = std::fs::canonicalize(task).map_err(|error| error.to_string())?;
    let is_of_branches = asked.goal == "branches";
    if is_of_branches {
        is_short(&task)?;
        let check = ["check", "--quiet", "--timeout", "10"];
        printed(Command::new(&asked.cairn).args(check).arg(&task), &[0, 1])?;
    }
    let mut tests = Command::new(&asked.cairn);
    tests
        .args(["tests", "--quiet", "--json", "--goal", asked.goal])
        .args(["--property", "unreach-call"])
        .args(["--timeout", &asked.seconds, "--out"])
        .arg(&folder)
        .args(asked.flags.split_whitespace())
        .arg(&task);
    // Goals may be left open.
    let suite = printed(&mut tests, &[0, 3])?;
    let suite: Value = serde_json::from_slice(&suite).map_err(|error| error.to_string())?;
    let seen = match is_of_branches {
        true => Ok(Seen::default()),
        false => gcov::seen(&suite, &folder),
    };
    let _ = std::fs::remove_dir_all(&folder);
    row.compare(&suite, &seen?);
    Ok(())
}

/// An error if a program has more lines than are counted.
fn is_short(task: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(task).map_err(|error| error.to_string())?;
    let files = text
        .lines()
        .skip_while(|line| !line.starts_with("input_files:"));
    let is_more = |line: &&str| line.trim_start().starts_with('-');
    let files = files
        .clone()
        .take(1)
        .chain(files.skip(1).take_while(is_more));
    let mut lines = 0;
    for line in files {
        let name = line.trim_start_matches("input_files:").trim();
        let name = name
            .trim_start_matches('-')
            .trim()
            .trim_matches(['\'', '"', '[', ']']);
        let text = std::fs::read_to_string(task.with_file_name(name));
        lines += text.map_or(0, |text| text.lines().count());
    }
    match lines > LONGEST {
        true => Err(format!("{lines} lines")),
        false => Ok(()),
    }
}

/// What a command prints, if it ends with one of these codes.
fn printed(command: &mut Command, codes: &[i32]) -> Result<Vec<u8>, String> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let shown = gcov::base_name(&shown);
    let output = command.output();
    let output = output.map_err(|error| format!("{shown}: {error}"))?;
    let code = output.status.code();
    if code.is_some_and(|code| codes.contains(&code)) {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let first = text.lines().next().unwrap_or_default();
    Err(format!(
        "{shown}: exit code {}: {first}",
        code.unwrap_or(-1)
    ))
}
