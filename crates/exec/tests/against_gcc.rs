//! C programs on the machine against the same programs compiled by gcc.
//!
//! Every file of `tests/c` is preprocessed, parsed, lowered and run for both data models; what it
//! prints and its exit status must be those of the compiled program. Without a compiler (or
//! without its 32-bit libraries) the test says so and passes, unless they are required.

#![allow(clippy::unwrap_used, reason = "a test may")]

#[path = "../../../tests/surroundings.rs"]
mod surroundings;

use base::{Budget, Diagnostics, SourceMap};
use cfront::preprocess::{Preprocess, load};
use cfront::types::DataModel;
use exec::inputs::ZeroInputs;
use exec::{End, Limits, Machine};
use lower::{Options, lower};
use std::path::{Path, PathBuf};
use std::process::Command;
use surroundings::{Needed, skipped};

/// What a program prints, and how it ends.
#[derive(PartialEq, Debug)]
struct Behaviour {
    output: String,
    status: i32,
}

#[test]
fn programs_do_what_gcc_makes_them_do() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut failures = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            // gcc has no such type there.
            if model == DataModel::Ilp32 && text.contains("__int128") {
                continue;
            }
            let Some(expected) = compiled(file, model) else {
                let needed = match model {
                    DataModel::Lp64 => Needed::Cc,
                    DataModel::Ilp32 => Needed::M32,
                };
                let why = format!("{} {model:?} does not compile here", file.display());
                skipped(needed, &why);
                continue;
            };
            let got = interpreted(file, model);
            if got.as_ref() != Ok(&expected) {
                let name = file.file_name().unwrap().to_string_lossy();
                failures.push(format!(
                    "{name} {model:?}:\n{}",
                    difference(&expected, &got)
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The behaviour of the compiled program; `None` if it does not compile.
fn compiled(file: &Path, model: DataModel) -> Option<Behaviour> {
    let stem = file.file_stem()?.to_string_lossy().into_owned();
    let name = format!("cairn-{stem}-{model:?}-{}", std::process::id());
    let binary = std::env::temp_dir().join(name);
    let target: &[&str] = match model {
        DataModel::Lp64 => &["-m64"],
        // The 387 computes with more precision than its types have.
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
    };
    let built = Command::new("gcc")
        .args(target)
        .args(["-w", "-O0", "-fwrapv", "-o"])
        .arg(&binary)
        .arg(file)
        .arg("-lm")
        .output()
        .ok()?;
    if !built.status.success() {
        return None;
    }
    let run = Command::new(&binary).output();
    let _ = std::fs::remove_file(&binary);
    let run = run.ok()?;
    Some(Behaviour {
        output: String::from_utf8_lossy(&run.stdout).into_owned(),
        status: run.status.code()?,
    })
}

/// The behaviour on the machine, or why there is none.
fn interpreted(file: &Path, model: DataModel) -> Result<Behaviour, String> {
    let options = Preprocess {
        model,
        ..Preprocess::default()
    };
    let text = load(file, &options)?;
    let mut map = SourceMap::new();
    let id = map.add(&file.to_string_lossy(), text).ok_or("too large")?;
    let mut diagnostics = Diagnostics::new();
    let ast = cfront::parse(
        &mut map,
        &[id],
        &cfront::Options { model },
        &mut diagnostics,
    );
    if let Some(first) = diagnostics.iter().find(|_| diagnostics.has_errors()) {
        let place = map.presumed(first.span).map(|place| place.to_string());
        return Err(format!("{}: {}", place.unwrap_or_default(), first.message));
    }
    let program = lower(&ast, &Options::default(), &mut diagnostics).ok_or("no entry was found")?;
    let problems = program::validate::validate(&program);
    if let Some(problem) = problems.first() {
        let place = map.presumed(problem.span).map(|place| place.to_string());
        return Err(format!("{problem} at {}", place.unwrap_or_default()));
    }
    let limits = Limits {
        steps: 1_000_000_000,
        memory: 1 << 28,
        depth: 100_000,
    };
    let run = Machine::new(&program).run(&mut ZeroInputs, &limits, &Budget::unlimited());
    let output = String::from_utf8_lossy(&run.output).into_owned();
    match run.end {
        End::Exited(status) => Ok(Behaviour {
            output,
            status: status & 0xff,
        }),
        end => {
            let place = map.presumed(run.span).map(|place| place.to_string());
            Err(format!(
                "{end:?} at {} after\n{output}",
                place.unwrap_or_default()
            ))
        }
    }
}

fn difference(expected: &Behaviour, got: &Result<Behaviour, String>) -> String {
    let got = match got {
        Ok(got) => got,
        Err(message) => return message.clone(),
    };
    let pairs = expected.output.lines().zip(got.output.lines()).enumerate();
    for (index, (want, have)) in pairs {
        if want != have {
            return format!("line {}\n  gcc:     {want}\n  machine: {have}", index + 1);
        }
    }
    format!(
        "{} lines and status {} against {} lines and status {}",
        expected.output.lines().count(),
        expected.status,
        got.output.lines().count(),
        got.status
    )
}
