//! What gcov says of a suite: the program is compiled with counters and linked with the driver of each
//! test that a compiled program is said to repeat, and the counters of all runs add up.

use super::printed;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How long a compiled test may run, in seconds.
const RUNNING: &str = "5";

/// Writes the counters whatever ends the run. Signals are handled on a stack of their own, as the
/// program's may be exhausted.
const HELPER: &str = "#define _GNU_SOURCE
#include <signal.h>
extern void __gcov_dump(void);
extern void __real__Exit(int status);
static void end(int status) { __gcov_dump(); __real__Exit(status & 127); }
void __wrap__Exit(int status) { end(status); }
void __wrap_abort(void) { end(6); }
void __wrap___assert_fail() { end(6); }
__attribute__((constructor)) static void begin(void) {
  static const int all[] = {SIGTERM, SIGSEGV, SIGFPE, SIGABRT, SIGILL};
  static char room[1 << 18];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  struct sigaction action = {.sa_handler = end, .sa_flags = SA_ONSTACK};
  sigaltstack(&stack, 0);
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    sigaction(all[i], &action, 0);
}
";

/// What the runs of a suite executed.
#[derive(Default)]
pub(super) struct Seen {
    /// How often each line was executed, by the name of its file.
    pub(super) lines: BTreeMap<(String, u64), u64>,
}

/// Compiles and runs the suite in a folder.
pub(super) fn seen(suite: &Value, folder: &Path) -> Result<Seen, String> {
    let files = suite["files"].as_array().ok_or("no files")?;
    let [file] = &files[..] else {
        return Err("a program of several files".into());
    };
    let file = PathBuf::from(file.as_str().ok_or("no file")?);
    let file = std::fs::canonicalize(&file).map_err(|error| error.to_string())?;
    std::fs::write(folder.join("helper.c"), HELPER).map_err(|error| error.to_string())?;
    let tests = suite["tests"].as_array().map_or(0, Vec::len) as u64;
    let is_repeated = |number: &u64| suite["tests"][*number as usize - 1]["obstacle"].is_null();
    let repeated = (1..=tests).filter(is_repeated);
    let drivers = repeated.map(|number| folder.join(format!("test-{number}.c")));
    let drivers: Vec<PathBuf> = drivers.collect();
    let Some(first) = drivers.first() else {
        return Err("no test that a compiled program repeats".into());
    };
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
    let mut gcov = Command::new("gcov");
    let report = output(gcov.current_dir(folder).args(["-t", "-j", "program.gcno"]))?;
    let report: Value = serde_json::from_slice(&report).map_err(|error| error.to_string())?;
    Ok(Seen {
        lines: lines(&report),
    })
}

fn lines(report: &Value) -> BTreeMap<(String, u64), u64> {
    let mut lines = BTreeMap::new();
    for file in report["files"].as_array().into_iter().flatten() {
        let name = base_name(file["file"].as_str().unwrap_or_default());
        for line in file["lines"].as_array().into_iter().flatten() {
            let number = line["line_number"].as_u64().unwrap_or_default();
            let count = line["count"].as_u64().unwrap_or_default();
            *lines.entry((name.clone(), number)).or_insert(0) += count;
        }
    }
    lines
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

/// The name of a file without its folders.
pub(super) fn base_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    printed(command, &[0])
}
