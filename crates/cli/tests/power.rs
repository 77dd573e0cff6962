//! Proof power, recorded: which engine decides which of the programs below `tests/programs/power`,
//! and with how much effort. `tests/power.csv` is the table, and it may only grow.
//!
//! A recorded verdict must be found again within eight times the recorded effort. Effort is counted in
//! units of work, so that a busy machine finds what an idle one does. A verdict that is not in the
//! table is looked for with a little effort; where one is found the test says how to record it:
//!
//! ```text
//! CAIRN_RECORD=1 cargo test -p cairn-cli --test power
//! ```
//!
//! That adds rows and lowers efforts. It never drops a row or raises an effort: that takes an editor,
//! and a reason in the commit.

mod harness;

use harness::compiled;
use harness::header::Header;
use harness::table::{Key, Row, Table};
use harness::{cairn, engines, files, json, root};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The engines whose power is recorded: the default, the search, that of the paper, that with nothing but
/// interpolants, summaries alone, lazy annotation, and those of [`CHEAP`].
const ENGINES: [&str; 8] = [
    "auto",
    "gps",
    "gps-paper",
    "gps-nogas-nosum",
    "cra",
    "la",
    "impact",
    "predabs",
];

/// The engines that have rows only for what they decide with little effort: programs that take them
/// long would make up most of the time of this test. Without a row they are tried when recording only.
const CHEAP: [&str; 2] = ["impact", "predabs"];

/// How much more effort than recorded a verdict may take.
const SLACK: u64 = 8;
/// An effort that is not worth counting: small changes of an engine move it.
const SMALL: u64 = 1 << 20;
/// The effort for what is not recorded, in a test.
const LITTLE: u64 = 1 << 15;
/// The effort for what is not recorded, when recording.
const MUCH: u64 = 1 << 20;
/// Seconds for one check, on a machine however busy.
const PATIENCE: &str = "60";

/// How many programs `auto` or `gps` must decide.
const SAFE: usize = 120;
const UNSAFE: usize = 40;

fn main() {
    let arguments = Arguments::from_args();
    let file = root().join("tests/power.csv");
    let table = Table::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let is_recording = std::env::var_os("CAIRN_RECORD").is_some();
    let found = Arc::new(Mutex::new(Table::default()));
    let folder = root().join("tests/programs/power");
    let programs = files(&folder, "c");
    let listed = engines();
    let finding: Vec<&str> = listed
        .iter()
        .filter(|engine| engine.finds_violations)
        .map(|engine| engine.name.as_str())
        .collect();
    let mut trials = vec![whole(&table, &folder, &programs)];
    for path in &programs {
        for engine in ENGINES {
            let key = Key::new(&folder, path, engine);
            let pair = Pair {
                path: path.clone(),
                finds_violations: finding.contains(&engine),
                recorded: table.get(&key).cloned(),
                is_recording,
                found: found.clone(),
                key,
            };
            let name = format!("{}::{engine}", pair.key.program);
            trials.push(Trial::test(name, move || pair.trial()));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let found = found.lock().unwrap_or_else(PoisonError::into_inner);
    if is_recording {
        let grown = table.grown(&found);
        grown.write(&file).expect("the table should be writable");
    } else {
        report(&table, &found);
    }
    conclusion.exit();
}

/// Says what could be recorded.
#[expect(clippy::print_stderr, reason = "a test may say what it found")]
fn report(table: &Table, found: &Table) {
    let new = found.keys().filter(|key| table.get(key).is_none());
    let new: Vec<String> = new.map(|key| format!("  {}", key.text())).collect();
    if !new.is_empty() {
        eprintln!(
            "new verdicts, to be recorded by CAIRN_RECORD=1 cargo test -p cairn-cli --test power:\n{}",
            new.join("\n")
        );
    }
}

/// A trial of the table itself: it is large, and all of it is about programs that are there.
fn whole(table: &Table, folder: &Path, programs: &[PathBuf]) -> Trial {
    let known: Vec<Key> = programs
        .iter()
        .flat_map(|path| ENGINES.map(|engine| Key::new(folder, path, engine)))
        .collect();
    let strangers: Vec<String> = table
        .keys()
        .filter(|key| !known.contains(key))
        .map(Key::text)
        .collect();
    let decided = |verdict: &str| {
        let is_decided = |program: &&PathBuf| {
            ["auto", "gps"].iter().any(|engine| {
                let row = table.get(&Key::new(folder, program, engine));
                row.is_some_and(|row| row.verdict == verdict)
            })
        };
        programs.iter().filter(is_decided).count()
    };
    let (safe, failing) = (decided("safe"), decided("unsafe"));
    Trial::test("the_table", move || {
        if !strangers.is_empty() {
            return Err(format!("rows without a program or engine: {strangers:?}").into());
        }
        if safe < SAFE || failing < UNSAFE {
            return Err(format!("only {safe} safe and {failing} unsafe programs decided").into());
        }
        Ok(())
    })
}

/// A program and an engine.
struct Pair {
    path: PathBuf,
    key: Key,
    finds_violations: bool,
    recorded: Option<Row>,
    is_recording: bool,
    /// All verdicts found in this run.
    found: Arc<Mutex<Table>>,
}

impl Pair {
    fn trial(&self) -> Result<(), Failed> {
        let header = Header::read(&self.path)?;
        if header.expect == "unsafe" && !self.finds_violations {
            return Ok(());
        }
        let is_cheap = CHEAP.contains(&self.key.engine.as_str());
        if is_cheap && self.recorded.is_none() && !self.is_recording {
            return Ok(());
        }
        let limit = match &self.recorded {
            Some(row) => (SLACK * row.effort).max(SMALL),
            None if is_cheap => LITTLE,
            None if self.is_recording => MUCH,
            None => LITTLE,
        };
        let mut document = self.check(&header, limit)?;
        // The clock still decides inside some engines, and a busy machine may lose a query to it.
        if self.recorded.is_some() && document["verdict"] == "unknown" {
            document = self.check(&header, limit)?;
        }
        let verdict = document["verdict"].as_str().unwrap_or_default();
        if verdict == "unknown" && document["reason"]["kind"] != "internal" {
            return match &self.recorded {
                Some(row) => Err(format!(
                    "{} with effort {} is recorded, but {limit} gave none: {:#}",
                    row.verdict, row.effort, document["reason"]
                )
                .into()),
                None => Ok(()),
            };
        }
        if verdict != header.expect {
            return Err(format!("{} is right: {document:#}", header.expect).into());
        }
        if verdict == "unsafe" {
            // Once a program is enough: what `auto` finds comes from one of the others.
            let is_compiled = self.key.engine == ENGINES[0];
            violation(&self.path, &header, &document, &self.key, is_compiled)?;
        }
        let effort = document["stats"]["effort"]
            .as_u64()
            .ok_or("a check should tell its effort")?;
        let row = Row {
            verdict: verdict.to_owned(),
            effort: effort.max(1).next_power_of_two(),
        };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.insert(self.key.clone(), row);
        Ok(())
    }

    fn check(&self, header: &Header, effort: u64) -> Result<Value, String> {
        let mut command = cairn();
        command.args(["check", "--quiet", "--json", "--engine", &self.key.engine]);
        command.args(["--timeout", PATIENCE, "--effort", &effort.to_string()]);
        command.arg("--verify-interpolants").args(header.flags());
        let output = command.arg(&self.path).output();
        json(&output.map_err(|error| error.to_string())?)
    }
}

/// The violation is where the header says, and there the compiled program fails, too.
fn violation(
    path: &Path,
    header: &Header,
    document: &Value,
    key: &Key,
    is_compiled: bool,
) -> Result<(), String> {
    let line = document["violation"]["line"].as_u64();
    if line != header.error_line {
        return Err(format!(
            "fails at line {line:?}, not {:?}",
            header.error_line
        ));
    }
    match is_compiled {
        true => compiled::confirm(path, header, document, &key.text()),
        false => Ok(()),
    }
}
