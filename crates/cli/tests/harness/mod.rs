//! What the tests of the command share: running it, compiling C, headers of test programs.

#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod compiled;
pub(crate) mod header;
pub(crate) mod lint;
pub(crate) mod schema;
#[path = "../../../../tests/surroundings.rs"]
pub(crate) mod surroundings;
pub(crate) mod table;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate should stand two levels below the root")
        .to_path_buf()
}

/// The command that was built for this test, without colours.
pub(crate) fn cairn() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
    command
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null());
    command
}

/// Runs the command with these words.
pub(crate) fn run(words: &[&str]) -> Output {
    cairn().args(words).output().expect("cairn should start")
}

/// The exit code, standard output and standard error of a run.
pub(crate) fn parts(output: &Output) -> (i32, String, String) {
    (
        output.status.code().expect("cairn should not be killed"),
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

/// The JSON document that a command printed.
pub(crate) fn json(output: &Output) -> Result<Value, String> {
    serde_json::from_slice(&output.stdout).map_err(|error| {
        format!(
            "{error}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// An engine, as the command lists it.
#[derive(Clone)]
pub(crate) struct Engine {
    /// Its name.
    pub(crate) name: String,
    /// Whether it looks for them.
    pub(crate) finds_violations: bool,
    /// For some programs only: it may always give up.
    pub(crate) is_partial: bool,
}

/// The engines for programs that the command lists; those for clauses come after them.
pub(crate) fn engines() -> Vec<Engine> {
    let text = String::from_utf8_lossy(&run(&["engines"]).stdout).into_owned();
    let mut engines: Vec<Engine> = Vec::new();
    let is_for_programs = |line: &&str| !line.contains("(Horn clauses)");
    for line in text.lines().take_while(is_for_programs) {
        match line.strip_prefix("  ") {
            None => engines.extend(line.split([' ', ':']).next().map(|name| Engine {
                name: name.to_owned(),
                finds_violations: true,
                is_partial: false,
            })),
            Some(fact) => {
                let last = engines.last_mut().expect("a fact is about an engine");
                last.finds_violations &= fact != "finds no violations";
                last.is_partial |= fact == "for some programs only";
            }
        }
    }
    engines
}

/// All files below a folder with an ending, in order.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return found;
    };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A directory that goes away with its owner.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A new one; names must differ between the tests of one process.
    pub(crate) fn new(name: &str) -> Self {
        let name = name.replace('/', "-");
        let path = std::env::temp_dir().join(format!("cairn-test-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary folder should be writable");
        Scratch(path)
    }

    /// The path of a file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file in it.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.file(name);
        std::fs::write(&path, text).expect("the temporary folder should be writable");
        path.to_str().expect("a plain path").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Best effort: a leftover in the temporary folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
