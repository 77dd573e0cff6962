//! A second opinion: the obligations of the checker of proofs, replayed by cvc5.
//!
//! Our own programs and the tasks of folders are checked with `--log-smt`; each query is put to cvc5
//! as it stands. That it does not know is counted; that it says the opposite fails.

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
    let mut tally: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut asked = 0;
    let mut is_good = true;
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
                is_good = false;
                println!("{}: we say {ours}, cvc5 says {theirs}", program.display());
                if let Some(out) = &out {
                    save(out, asked, &text)?;
                }
            }
            *tally.entry((ours, theirs)).or_default() += 1;
        }
        if folder.is_dir() {
            std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
        }
        eprintln!(
            "{asked} of {count} obligations, last of {}",
            program.display()
        );
    }
    for ((ours, theirs), count) in &tally {
        println!("{count:6}: we say {ours}, cvc5 says {theirs}");
    }
    println!("{asked} obligations");
    Ok(is_good)
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
    fn only_the_opposite_disagrees() {
        assert!(is_opposite("sat", "unsat") && is_opposite("unsat", "sat"));
        assert!(!is_opposite("unsat", "unknown") && !is_opposite("unknown", "sat"));
        assert!(!is_opposite("unsat", "unsat"));
    }
}
