//! `--confirm`: compiles the program with the inputs of its failing run, and runs it.
//!
//! The verdict rests on the replay by the machine; the compiler is a second opinion. The result
//! says whether the compiled program fails, and at which line.
//!
//! # Invariants
//! - `reproduced` means that the line of the failing call was obtained from the running program, or
//!   from a sanitizer's output, and is the reported one.
//! - A run with leaps is tried on the program first. Only if that does not finish, a copy is used
//!   whose loops take the proved iterations in one step, and the answer says so.

mod outside;

use crate::test_driver::{self, Driver, Failing};
use base::Budget;
use base::place::Places;
use outside::{Scratch, execute, output_of};
use program::ir::Property;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long the compiled program may run.
const RUNNING: Duration = Duration::from_secs(20);
/// How long it may run where a copy can be tried next.
const RUNNING_FIRST: Duration = Duration::from_secs(5);

/// What the compiled program did.
#[derive(Clone, Default, Debug)]
pub struct Confirmed {
    /// `reproduced`, `differs` or `untried`.
    pub result: &'static str,
    /// In words.
    pub message: String,
    /// Whether it was a copy that takes proved iterations of loops at once.
    pub shortened: bool,
    /// The file and line where it fails.
    pub at: Option<(String, u32)>,
}

/// What is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    /// The program.
    Program,
    /// A copy whose loops take at once the iterations that were proved.
    Shortened,
}

impl Text {
    /// What it is called.
    fn name(self) -> &'static str {
        match self {
            Text::Program => "the compiled program",
            Text::Shortened => {
                "the program is too long to run; a compiled copy that takes the proved iterations of \
                 its loops at once"
            }
        }
    }
}

/// What a compiled program did.
enum Attempted {
    /// It ended by itself.
    Ended(Confirmed),
    /// It did not; how.
    TooLong(String),
}

/// It failed at the reported line.
fn reproduced(file: String, line: u32, text: Text) -> Confirmed {
    Confirmed {
        result: "reproduced",
        message: format!("{} fails at {file}:{line}, as reported", text.name()),
        shortened: text == Text::Shortened,
        at: Some((file, line)),
    }
}

/// It ended otherwise.
fn differs(how: &str) -> Confirmed {
    Confirmed {
        result: "differs",
        message: format!(
            "NOT REPRODUCED: the compiled program does not fail as reported: {how}; the verdict \
             rests on the replay"
        ),
        ..Confirmed::default()
    }
}

/// It could not be tried.
fn untried(why: &str) -> Confirmed {
    Confirmed {
        result: "untried",
        message: format!("not confirmed: the compiled program could not be tried: {why}"),
        ..Confirmed::default()
    }
}

/// Compiles the program and runs it on the inputs of its failing run.
pub fn confirm(failing: Result<Failing<'_>, String>, budget: &Budget) -> Confirmed {
    let attempt = AssertUnwindSafe(|| {
        let failing = failing?;
        if matches!(failing.property(), Some(Property::Leak | Property::Cleanup)) {
            return Err("no compiler says in which line memory is lost".to_owned());
        }
        let attempt = Attempt {
            driver: test_driver::driver(&failing)?,
            failing,
            scratch: Scratch::new()?,
            budget,
        };
        attempt.run()
    });
    let internal = |_| Err("internal error".to_owned());
    let tried = catch_unwind(attempt).unwrap_or_else(internal);
    tried.unwrap_or_else(|why| untried(&why))
}

struct Attempt<'a> {
    failing: Failing<'a>,
    driver: Driver,
    scratch: Scratch,
    budget: &'a Budget,
}

impl Attempt<'_> {
    fn run(&self) -> Result<Confirmed, String> {
        let has_leaps = !self.failing.leaps.is_empty();
        let first = if has_leaps { RUNNING_FIRST } else { RUNNING };
        match self.attempt(Text::Program, first)? {
            Attempted::Ended(confirmed) => Ok(confirmed),
            Attempted::TooLong(how) if !has_leaps => Err(how),
            Attempted::TooLong(how) => match self.attempt(Text::Shortened, RUNNING) {
                Ok(Attempted::Ended(confirmed)) => Ok(confirmed),
                Ok(Attempted::TooLong(how)) => Err(how),
                Err(error) => Err(format!("{how}, and cannot be shortened: {error}")),
            },
        }
    }

    fn attempt(&self, text: Text, limit: Duration) -> Result<Attempted, String> {
        let binary = self.compile(text)?;
        let ended = execute(&binary, self.scratch.path(), limit, self.budget)?;
        let found = match outside::failed_at(&ended.stderr) {
            Some(address) => {
                let mut command = Command::new("addr2line");
                let place = output_of(command.arg("-e").arg(&binary).arg(address))?;
                outside::place_of(place.trim())
            }
            None if self.failing.sanitize => outside::sanitizer_place(&ended.stderr, |file| {
                let files = self.failing.loaded.request.files.iter();
                let mut names = files.filter_map(|known| known.file_name());
                let name = Path::new(file).file_name();
                names.any(|known| Some(known) == name)
                    || self.lines().is_some_and(|lines| lines.0.ends_with(file))
            }),
            None => None,
        };
        let Some((file, line)) = found else {
            return Ok(match text {
                Text::Program if !ended.in_time => Attempted::TooLong(ended.how),
                Text::Program => Attempted::Ended(differs(&ended.how)),
                Text::Shortened => {
                    Attempted::Ended(differs(&format!("{}: {}", text.name(), ended.how)))
                }
            });
        };
        let Some((reported, first, last)) = self.lines() else {
            let why = "no place of the violation is known to compare with";
            return Ok(Attempted::Ended(untried(why)));
        };
        let is_there = (first..=last).contains(&line) && is_same_file(&file, &reported);
        Ok(Attempted::Ended(match is_there {
            true => reproduced(reported, line, text),
            false => differs(&format!("it fails at {file}:{line}")),
        }))
    }

    /// The file of the violation and the lines that it stands on.
    fn lines(&self) -> Option<(String, u32, u32)> {
        let span = self.failing.violation?.span;
        let places = Places::new(&self.failing.loaded.sources);
        let end = base::Span {
            lo: span.hi.saturating_sub(1).max(span.lo),
            hi: span.hi,
        };
        let (first, last) = (places.position(span)?, places.position(end)?);
        Some((first.file.to_string(), first.line, last.line))
    }

    /// Compiles and links; gives the binary.
    fn compile(&self, text: Text) -> Result<PathBuf, String> {
        // gcc watches the last array of a record only so; other compilers do anyway.
        let is_access = self.failing.property() == Some(Property::Dereference);
        if is_access && let Ok(binary) = self.compile_with(text, &["-fsanitize=bounds-strict"]) {
            return Ok(binary);
        }
        self.compile_with(text, &[])
    }

    fn compile_with(&self, text: Text, more: &[&str]) -> Result<PathBuf, String> {
        let compiler = std::env::var_os("CC").unwrap_or_default();
        let binary = self.scratch.file("test");
        let (texts, definitions) = self.texts(text)?;
        let driver = self.driver.text.clone() + &definitions;
        let driver = self.scratch.write("cairn_test.c", driver.as_bytes())?;
        let words = compiler.to_string_lossy();
        let mut parts = words.split_whitespace();
        let mut command = Command::new(parts.next().unwrap_or("cc"));
        command.args(parts);
        command
            .args(["-g", "-w", "-DCAIRN_CONFIRM", "-fno-pie", "-no-pie"])
            .args(
                if self.failing.leaps.is_empty() || text == Text::Shortened {
                    &["-O0"][..]
                } else {
                    // The compiler may know in closed form what a loop does. Calls must stay calls.
                    &[
                        "-O2",
                        "-fno-inline",
                        "-fno-optimize-sibling-calls",
                        "-fno-ipa-pure-const",
                    ][..]
                },
            )
            .args(test_driver::flags(&self.failing, &self.driver))
            .args(more)
            .arg("-o")
            .arg(&binary)
            .arg(driver)
            .args(texts)
            // The driver stands first: its `reach_error` tells where it was called from.
            .args(["-Wl,--allow-multiple-definition", "-lm"]);
        output_of(&mut command)?;
        Ok(binary)
    }

    /// The texts to compile, and what the driver must define for them: the program's files, or
    /// copies with the values of uninitialised variables, or with leaps.
    fn texts(&self, text: Text) -> Result<(Vec<PathBuf>, String), String> {
        if self.driver.uninitialised.is_empty() && text == Text::Program {
            return Ok((self.failing.loaded.request.files.clone(), String::new()));
        }
        let copy = test_driver::copy(&self.failing, text == Text::Shortened)?;
        let texts = copy.texts.iter().enumerate();
        let paths: Result<_, String> = texts
            .map(|(number, text)| self.scratch.write(&format!("program{number}.i"), text))
            .collect();
        Ok((paths?, copy.definitions))
    }
}

/// Whether a compiler and we speak of one file: the same one, or one that is gone by the same name.
fn is_same_file(found: &str, reported: &str) -> bool {
    let real = |name: &str| std::fs::canonicalize(name).ok();
    match (real(found), real(reported)) {
        (Some(found), Some(reported)) => found == reported,
        _ => Path::new(found).file_name() == Path::new(reported).file_name(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_same_file;

    #[test]
    fn files_are_told_apart() {
        assert!(is_same_file("/gone/a.c", "a.c"));
        assert!(!is_same_file("/gone/b.c", "a.c"));
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        assert!(is_same_file(
            &format!("{here}/../src/lib.rs"),
            &format!("{here}/lib.rs")
        ));
        assert!(!is_same_file(
            &format!("{here}/lib.rs"),
            &format!("{here}/confirm.rs")
        ));
    }
}
