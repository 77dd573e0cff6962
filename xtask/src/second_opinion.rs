//! A second opinion: the obligations of the checker of proofs, replayed by cvc5.
//!
//! Our own programs and the tasks of folders are checked with `--log-smt`; each query is put to cvc5
//! as it stands, whether it is about integers and arrays or in bit-vectors. That it does not know is
//! counted; that it says the opposite fails.

use crate::peer::{self, Peer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use verdicts::process::{self, Scratch};

/// Obligations of one program at most: many programs say more than many queries of one.
const PER_PROGRAM: usize = 12;
/// For one query.
const LIMIT: Duration = Duration::from_secs(5);
/// How long after its limit a child is stopped.
const GRACE: Duration = Duration::from_secs(30);

/// Runs the campaign; `Ok(true)` if there is no disagreement.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let count = crate::number(args, "--count", 2000)? as usize;
    let timeout = crate::seconds(args, "--timeout", 5.0)?;
    let out = crate::word(args, "--out")?.map(PathBuf::from);
    let cairn = match crate::word(args, "--cairn")? {
        Some(path) => PathBuf::from(path),
        None => crate::build_cairn()?,
    };
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = own.ancestors().nth(2).ok_or("the build has no folder")?;
    let mut cvc5 = Peer::new("replay", &peer::environment(target)?);
    let scratch = Scratch::new("second-opinion")?;
    let mut tally = Tally::default();
    let mut asked = 0;
    for program in programs(&crate::folders(args))? {
        if asked >= count {
            break;
        }
        let folder = scratch.path().join("log");
        for query in obligations(&cairn, &program, &folder, timeout)? {
            let text = std::fs::read_to_string(&query).map_err(|error| error.to_string())?;
            let (ours, theirs) = (status(&text), replayed(&mut cvc5, &text)?);
            asked += 1;
            if is_opposite(&ours, &theirs) {
                println!("{}: we say {ours}, cvc5 says {theirs}", program.display());
                if let Some(out) = &out {
                    save(out, asked, &text)?;
                }
            }
            tally.add(logic(&text), &ours, &theirs);
        }
        if folder.is_dir() {
            std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
        }
        eprintln!(
            "{asked} of {count} obligations, last of {}",
            program.display()
        );
    }
    print!("{}", tally.text());
    match tally.answered() {
        0 => Err("cvc5 answered nothing, so that nothing was compared".into()),
        _ => Ok(tally.opposite() == 0),
    }
}

/// How many queries there were, by their logic, our answer and cvc5's.
#[derive(Default)]
struct Tally(BTreeMap<[String; 3], usize>);

impl Tally {
    fn add(&mut self, logic: &str, ours: &str, theirs: &str) {
        let key = [logic, ours, theirs].map(str::to_owned);
        *self.0.entry(key).or_default() += 1;
    }

    fn count(&self, is_wanted: impl Fn([&str; 3]) -> bool) -> usize {
        let rows = self.0.iter();
        rows.filter(|(key, _)| is_wanted(key.each_ref().map(String::as_str)))
            .map(|(_, count)| count)
            .sum()
    }

    fn answered(&self) -> usize {
        self.count(|[_, _, theirs]| matches!(theirs, "sat" | "unsat"))
    }

    fn opposite(&self) -> usize {
        self.count(|[_, ours, theirs]| is_opposite(ours, theirs))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for ([logic, ours, theirs], count) in &self.0 {
            text += &format!("{count:6} of {logic}: we say {ours}, cvc5 says {theirs}\n");
        }
        text + &format!(
            "{} obligations, {} of them in bit-vectors; cvc5 answered {}, {} disagreements\n",
            self.count(|_| true),
            self.count(|[logic, ..]| logic == "QF_BV"),
            self.answered(),
            self.opposite()
        )
    }
}

/// Our own programs, then the tasks of the folders.
fn programs(folders: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    collect(&root.join("tests").join("programs"), "c", &mut found)?;
    for folder in folders {
        collect(folder, "yml", &mut found)?;
    }
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            collect(&path, ending, found)?;
        } else if path.extension().is_some_and(|other| other == ending) {
            found.push(path);
        }
    }
    Ok(())
}

/// Some of the queries of a program, from the first to the last.
fn obligations(
    cairn: &Path,
    program: &Path,
    folder: &Path,
    timeout: Duration,
) -> Result<Vec<PathBuf>, String> {
    let mut command = Command::new(cairn);
    command
        .args(["check", "--quiet", "--timeout"])
        .arg(timeout.as_secs_f64().to_string())
        .arg("--log-smt")
        .args([folder, program]);
    process::run(&mut command, timeout + GRACE)?;
    let mut all = Vec::new();
    if folder.is_dir() {
        collect(folder, "smt2", &mut all)?;
    }
    all.sort();
    let step = all.len().div_ceil(PER_PROGRAM).max(1);
    Ok(all.into_iter().step_by(step).collect())
}

/// The answer that stands in a query's file.
fn status(text: &str) -> String {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("(set-info :status "));
    let word = line.map(|line| line.trim_end_matches(')'));
    word.unwrap_or("missing").to_owned()
}

/// The logic of a query.
fn logic(text: &str) -> &str {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("(set-logic "));
    line.map_or("none", |line| line.trim_end_matches(')'))
}

fn replayed(cvc5: &mut Peer, text: &str) -> Result<String, String> {
    let request = json!({ "query": text, "seconds": LIMIT.as_secs_f64() });
    let line = match cvc5.exchange(&request, LIMIT)? {
        Ok(line) => line,
        Err(reason) => return Ok(format!("nothing: {reason}")),
    };
    let answer: Value = serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
    let field = |name: &str| answer[name].as_str().unwrap_or_default();
    Ok(match field("status") {
        "error" => format!("nothing: {}", field("reason")),
        status => status.to_owned(),
    })
}

fn is_opposite(ours: &str, theirs: &str) -> bool {
    matches!((ours, theirs), ("sat", "unsat") | ("unsat", "sat"))
}

fn save(out: &Path, number: usize, text: &str) -> Result<(), String> {
    std::fs::create_dir_all(out).map_err(|error| error.to_string())?;
    let file = out.join(format!("disagreement-{number:05}.smt2"));
    std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_read_from_the_file() {
        assert_eq!(
            status("(set-logic ALL)\n(set-info :status unsat)\n"),
            "unsat"
        );
        assert_eq!(status("(check-sat)"), "missing");
    }

    #[test]
    fn what_was_answered_is_counted_by_logic() {
        let mut tally = Tally::default();
        let query = "(set-logic QF_BV)\n(set-info :status sat)\n";
        tally.add(logic(query), "sat", "sat");
        tally.add(logic(query), "unsat", "unknown");
        tally.add("ALL", "unsat", "sat");
        assert_eq!((tally.answered(), tally.opposite()), (2, 1));
        let last = "3 obligations, 2 of them in bit-vectors; cvc5 answered 2, 1 disagreements\n";
        assert!(tally.text().ends_with(last), "{}", tally.text());
    }

    #[test]
    fn only_the_opposite_disagrees() {
        assert!(is_opposite("sat", "unsat") && is_opposite("unsat", "sat"));
        assert!(!is_opposite("unsat", "unknown") && !is_opposite("unknown", "sat"));
        assert!(!is_opposite("unsat", "unsat"));
    }
}
