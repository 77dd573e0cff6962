//! Suites of tasks, compared with a recorded table: what was lost, what was gained, what is wrong.
//!
//! The table has names and verdicts only. A task is named by its folder and file, so that the suites
//! may lie anywhere.

use crate::table::median;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use verdicts::process;

/// The properties of task definitions that are asked; others, as termination, are not checked.
const PROPERTIES: [&str; 6] = [
    "unreach-call",
    "no-overflow",
    "valid-memsafety",
    "valid-deref",
    "def-behavior",
    "any-violation",
];
/// What a command may take after its limit.
const LATE: Duration = Duration::from_secs(1);
/// How long after its limit a child is stopped.
const GRACE: Duration = Duration::from_secs(30);
const HEAD: &str = "task,property,verdict\n";

/// A task and one of its properties.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    /// The folder and the file, without what they end with.
    task: String,
    property: String,
}

/// A question.
struct Job {
    key: Key,
    file: PathBuf,
    is_expected_safe: bool,
}

/// What a binary says, the time of the processor that it took, and by how much it was late.
#[derive(Clone, PartialEq, Debug)]
struct Said {
    verdict: String,
    cpu: Duration,
    overrun: Duration,
}

/// What both say, the second if there is one.
type Answers = (Said, Option<Said>);

struct Options {
    cairn: PathBuf,
    before: Option<PathBuf>,
    timeout: Duration,
}

/// The verdicts of a table.
type Table = BTreeMap<Key, String>;

/// Runs the campaign; `Ok(true)` if nothing is wrong, lost or late.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let options = Options {
        cairn: match crate::word(args, "--cairn")? {
            Some(path) => PathBuf::from(path),
            None => crate::build_cairn()?,
        },
        before: crate::word(args, "--before")?.map(PathBuf::from),
        timeout: crate::seconds(args, "--timeout", 20.0)?,
    };
    let mut jobs = Vec::new();
    for folder in crate::folders(args) {
        collect(&folder, &mut jobs)?;
    }
    if jobs.is_empty() {
        return Err("no task definition below the folders given".into());
    }
    jobs.sort_by(|a, b| a.key.cmp(&b.key));
    let threads = crate::number(args, "--jobs", 1)? as usize;
    let answers = crate::on_threads(threads, &jobs, |job| {
        let answers = ask(&options, job, options.timeout);
        if let Ok((said, _)) = &answers {
            eprintln!("{} {}: {}", job.key.task, job.key.property, said.verdict);
        }
        answers
    });
    let answers = answers
        .into_iter()
        .collect::<Result<Vec<Answers>, String>>()?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites.csv");
    let table = read(&std::fs::read_to_string(&file).unwrap_or_default())?;
    let found = compared(&options, &jobs, &answers, &table)?;
    print!("{}", found.text());
    if options.before.is_some() {
        print!("{}", times(&answers));
    }
    if args.iter().any(|arg| arg == "--record") {
        let new = recorded(&jobs, &answers, table);
        std::fs::write(&file, written(&new)).map_err(|error| error.to_string())?;
        return Ok(found.wrong.is_empty());
    }
    Ok(found.wrong.is_empty() && found.lost.is_empty() && found.late.is_empty())
}

fn collect(folder: &Path, jobs: &mut Vec<Job>) -> Result<(), String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            collect(&path, jobs)?;
        } else if path.extension().is_some_and(|ending| ending == "yml") {
            jobs.extend(of_task(&path)?);
        }
    }
    Ok(())
}

/// The questions of a task definition.
fn of_task(file: &Path) -> Result<Vec<Job>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let name = |path: Option<&Path>| {
        let name = path.and_then(Path::file_stem);
        name.unwrap_or_default().to_string_lossy().into_owned()
    };
    let task = format!("{}/{}", name(file.parent()), name(Some(file)));
    let jobs = expectations(&text).into_iter().map(|expected| Job {
        key: Key {
            task: task.clone(),
            property: name(Some(Path::new(&expected.property))),
        },
        file: file.to_owned(),
        is_expected_safe: expected.is_safe,
    });
    Ok(jobs
        .filter(|job| PROPERTIES.contains(&&*job.key.property))
        .collect())
}

/// What a task definition expects.
#[derive(Clone, PartialEq, Debug)]
struct Expected {
    /// The property file.
    property: String,
    is_safe: bool,
}

/// What is expected of the properties of a task definition, but where only memory that is not cleaned up
/// violates one: that is a property of its own.
fn expectations(text: &str) -> Vec<Expected> {
    let mut found: Vec<Expected> = Vec::new();
    let mut property = None;
    for line in text.lines() {
        let line = line.trim().trim_start_matches("- ");
        if let Some(file) = line.strip_prefix("property_file:") {
            property = Some(file.trim().trim_matches(['\'', '"']).to_owned());
        }
        if let Some(verdict) = line.strip_prefix("expected_verdict:")
            && let Some(property) = property.take()
        {
            let is_safe = verdict.trim() == "true";
            found.push(Expected { property, is_safe });
        }
        if let Some(part) = line.strip_prefix("subproperty:")
            && part.trim() == "valid-memcleanup"
        {
            found.pop();
        }
    }
    found
}

/// As `--property` has it.
fn flag(property: &str) -> &str {
    match property {
        "any-violation" => "assert,valid-deref,valid-free,division-by-zero,no-overflow,shift",
        _ => property,
    }
}

fn ask(options: &Options, job: &Job, timeout: Duration) -> Result<Answers, String> {
    let said = say(&options.cairn, job, timeout)?;
    let before = options.before.as_ref();
    let before = before.map(|before| say(before, job, timeout)).transpose()?;
    Ok((said, before))
}

fn say(cairn: &Path, job: &Job, timeout: Duration) -> Result<Said, String> {
    let mut command = Command::new(cairn);
    command
        .args(["check", "--quiet", "--timeout"])
        .arg(timeout.as_secs_f64().to_string())
        .args(["--property", flag(&job.key.property)])
        .arg(&job.file);
    let done = process::run(&mut command, timeout + GRACE)?;
    let verdict = match done.code {
        Some(0) => "safe",
        Some(1) => "unsafe",
        Some(2) => "error",
        Some(_) | None => "unknown",
    };
    Ok(Said {
        verdict: verdict.to_owned(),
        cpu: done.cpu,
        overrun: done.time.saturating_sub(timeout),
    })
}

/// What a run says about the table.
#[derive(Default)]
struct Found {
    decided: usize,
    asked: usize,
    wrong: Vec<String>,
    lost: Vec<String>,
    gained: Vec<String>,
    /// Who ended more than [`LATE`] after the limit.
    late: Vec<String>,
    /// The largest overrun of all, and whose it is.
    overrun: (Duration, String),
}

fn compared(
    options: &Options,
    jobs: &[Job],
    answers: &[Answers],
    table: &Table,
) -> Result<Found, String> {
    let mut found = Found::default();
    for (job, (said, _)) in jobs.iter().zip(answers) {
        let line = format!("{} {}", job.key.task, job.key.property);
        found.asked += 1;
        found.overrun = found.overrun.max((said.overrun, line.clone()));
        if said.overrun > LATE {
            let seconds = said.overrun.as_secs_f64();
            found.late.push(format!("{line}: {seconds:.2} s"));
        }
        let recorded = table.get(&job.key);
        match is_verdict(&said.verdict) {
            true => {
                found.decided += 1;
                if (said.verdict == "safe") != job.is_expected_safe {
                    found.wrong.push(format!("{line}: {}", said.verdict));
                } else if recorded.is_none() {
                    found.gained.push(format!("{line}: {}", said.verdict));
                }
            }
            false if recorded.is_some() => {
                // A machine with much else to do takes longer.
                let again = say(&options.cairn, job, options.timeout * 2)?;
                if !is_verdict(&again.verdict) {
                    found.lost.push(format!("{line}: {}", said.verdict));
                }
            }
            false => {}
        }
    }
    Ok(found)
}

fn is_verdict(word: &str) -> bool {
    matches!(word, "safe" | "unsafe")
}

impl Found {
    fn text(&self) -> String {
        let mut text = String::new();
        for (what, lines) in [
            ("wrong", &self.wrong),
            ("lost", &self.lost),
            ("gained", &self.gained),
            ("late", &self.late),
        ] {
            for line in lines {
                text += &format!("{what}: {line}\n");
            }
        }
        text + &format!(
            "{} of {} decided, {} wrong, {} lost, {} gained, largest overrun {:.2} s ({})\n",
            self.decided,
            self.asked,
            self.wrong.len(),
            self.lost.len(),
            self.gained.len(),
            self.overrun.0.as_secs_f64(),
            self.overrun.1
        )
    }
}

/// The times of both binaries on what both decide.
fn times(answers: &[Answers]) -> String {
    let both: Vec<(f64, f64)> = (answers.iter())
        .filter_map(|(now, before)| Some((now, before.as_ref()?)))
        .filter(|(now, before)| is_verdict(&now.verdict) && is_verdict(&before.verdict))
        .map(|(now, before)| (now.cpu.as_secs_f64(), before.cpu.as_secs_f64()))
        .collect();
    let alone = |first: fn(&Answers) -> Option<&Said>| {
        let decided = answers.iter().filter_map(first);
        decided.filter(|said| is_verdict(&said.verdict)).count()
    };
    let (now, before): (Vec<f64>, Vec<f64>) = both.iter().copied().unzip();
    format!(
        "decided now: {}, before: {}, by both: {}\nCPU seconds by both: now {:.2} (median {:.3}), \
         before {:.2} (median {:.3})\n",
        alone(|(now, _)| Some(now)),
        alone(|(_, before)| before.as_ref()),
        both.len(),
        now.iter().sum::<f64>(),
        median(&now),
        before.iter().sum::<f64>(),
        median(&before)
    )
}

/// The table with the right verdicts of a run in the place of what it had about the same questions.
fn recorded(jobs: &[Job], answers: &[Answers], mut table: Table) -> Table {
    for (job, (said, _)) in jobs.iter().zip(answers) {
        table.remove(&job.key);
        let is_right = (said.verdict == "safe") == job.is_expected_safe;
        if is_verdict(&said.verdict) && is_right {
            table.insert(job.key.clone(), said.verdict.clone());
        }
    }
    table
}

fn read(text: &str) -> Result<Table, String> {
    let lines = text.lines().skip(1);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let [task, property, verdict] = cells[..] else {
                return Err(format!("suites.csv: three cells are wanted: {line}"));
            };
            let key = Key {
                task: task.to_owned(),
                property: property.to_owned(),
            };
            Ok((key, verdict.to_owned()))
        })
        .collect()
}

fn written(table: &Table) -> String {
    let mut text = HEAD.to_owned();
    for (key, verdict) in table {
        text += &format!("{},{},{verdict}\n", key.task, key.property);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(task: &str, is_expected_safe: bool) -> Job {
        Job {
            key: Key {
                task: task.to_owned(),
                property: "unreach-call".to_owned(),
            },
            file: PathBuf::new(),
            is_expected_safe,
        }
    }

    fn said(verdict: &str) -> Answers {
        let said = Said {
            verdict: verdict.to_owned(),
            cpu: Duration::from_millis(10),
            overrun: Duration::ZERO,
        };
        (said, None)
    }

    #[test]
    fn properties_are_read_with_their_verdicts() {
        let text = "properties:\n  - property_file: ../p/a.prp\n    expected_verdict: true\n  \
                    - property_file: ../p/b.prp\n  - property_file: '../p/c.prp'\n    \
                    expected_verdict: false\n  - property_file: ../p/d.prp\n    \
                    expected_verdict: false\n    subproperty: valid-memcleanup\n";
        let expected = |property: &str, is_safe| Expected {
            property: property.to_owned(),
            is_safe,
        };
        let all = [expected("../p/a.prp", true), expected("../p/c.prp", false)];
        assert_eq!(expectations(text), all);
    }

    #[test]
    fn a_table_is_what_it_was_when_read_again() {
        let jobs = [job("a/x", true), job("a/y", false), job("a/z", true)];
        let answers = [said("safe"), said("unknown"), said("unsafe")];
        let old = read("task,property,verdict\na/y,unreach-call,unsafe\nb/q,unreach-call,safe\n");
        let table = recorded(&jobs, &answers, old.expect("it should be a table"));
        let names: Vec<&str> = table.keys().map(|key| &*key.task).collect();
        // What is not decided is dropped, what is wrong not recorded, the rest kept.
        assert_eq!(names, ["a/x", "b/q"]);
        assert_eq!(read(&written(&table)).as_ref(), Ok(&table));
    }

    #[test]
    fn what_is_wrong_or_gained_is_said() {
        let options = Options {
            cairn: PathBuf::from("none"),
            before: None,
            timeout: Duration::ZERO,
        };
        let jobs = [job("a/x", true), job("a/y", false)];
        let mut answers = [said("unsafe"), said("unsafe")];
        answers[0].0.overrun = Duration::from_millis(500);
        let found = compared(&options, &jobs, &answers, &Table::new()).expect("nothing is asked");
        assert_eq!(found.wrong, ["a/x unreach-call: unsafe"]);
        assert_eq!(found.gained, ["a/y unreach-call: unsafe"]);
        assert!(found.lost.is_empty() && found.late.is_empty());
        let text = found.text();
        assert!(
            text.ends_with("largest overrun 0.50 s (a/x unreach-call)\n"),
            "{text}"
        );
    }
}
