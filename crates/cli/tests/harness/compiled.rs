//! The compiled program as judge: the inputs of a trace go into a driver that is linked with the
//! program, and the place where it fails is read off.

use super::Scratch;
use super::header::Header;
use super::surroundings::{Needed, skipped};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What the compiled program did.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Compiled {
    /// It called `reach_error` or failed an assertion at this line.
    FailedAt(u64),
    /// It ended otherwise.
    Ended(String),
    /// It could not be tried, and why.
    Skipped(String),
}

/// Whether a C compiler for a data model is there, and the tools to read its output; if not, says so.
pub(crate) fn available(model: &str) -> bool {
    let tools = ["objcopy", "addr2line"].iter().all(|tool| {
        let found = Command::new(tool).arg("--version").output();
        found.is_ok_and(|output| output.status.success())
    });
    if !tools {
        skipped(Needed::Binutils, "no objcopy or addr2line");
        return false;
    }
    let scratch = Scratch::new(&format!("probe-{model}-{:?}", std::thread::current().id()));
    let source = scratch.write(
        "probe.c",
        "#include <stdio.h>\nint main(void) { return 0; }\n",
    );
    let built = Command::new("cc")
        .args([flag(model), &source, "-o"])
        .arg(scratch.file("probe"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let is_built = built.is_ok_and(|status| status.success());
    if !is_built {
        let needed = match model {
            "ILP32" => Needed::M32,
            _ => Needed::Cc,
        };
        skipped(needed, &format!("no cc {} with headers", flag(model)));
    }
    is_built
}

/// Compares a violation with the compiled program, where only an assertion can be seen to fail.
pub(crate) fn confirm(
    path: &Path,
    header: &Header,
    document: &Value,
    name: &str,
) -> Result<(), String> {
    if header.property.is_some() || !has_compiler(&header.model) {
        return Ok(());
    }
    let scratch = Scratch::new(&name.replace("::", "-"));
    match run(path, document, &scratch)? {
        Compiled::FailedAt(line) if Some(line) == header.error_line => Ok(()),
        Compiled::Skipped(_) => Ok(()),
        other => Err(format!("the compiled program: {other:?}; {document:#}")),
    }
}

/// [`available`], found out once.
pub(crate) fn has_compiler(model: &str) -> bool {
    static LP64: OnceLock<bool> = OnceLock::new();
    static ILP32: OnceLock<bool> = OnceLock::new();
    let cell = if model == "ILP32" { &ILP32 } else { &LP64 };
    *cell.get_or_init(|| available(model))
}

fn flag(model: &str) -> &'static str {
    if model == "ILP32" { "-m32" } else { "-m64" }
}

/// Compiles and runs a program with the inputs of a document of `cairn check --json`.
pub(crate) fn run(source: &Path, document: &Value, scratch: &Scratch) -> Result<Compiled, String> {
    let inputs = document["inputs"]
        .as_array()
        .ok_or("the document should list the inputs")?;
    for input in inputs {
        let supplied = match input["kind"].as_str() {
            Some("nondet" | "external" | "choice") => true,
            Some("uninitialized" | "failure") => input["value"] == "0",
            _ => false,
        };
        if !supplied {
            return Ok(Compiled::Skipped(format!(
                "no driver can set `{}`",
                input["name"].as_str().unwrap_or_default()
            )));
        }
    }
    if document["leaps"].is_array() {
        return Ok(Compiled::Skipped(
            "the run is too long for any machine".into(),
        ));
    }
    let driver = scratch.write("driver.c", driver_text(inputs));
    let binary = scratch.file("program");
    let object = scratch.file("program.o");
    let model = flag(document["data_model"].as_str().unwrap_or("LP64"));
    let common = [model, "-g", "-O0", "-w", "-fno-pie", "-no-pie"];
    let compile = |command: &mut Command| -> Result<String, String> {
        let output = command.output().map_err(|error| error.to_string())?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // Uninitialised variables are zero for the engine, so they are for the compiler.
    let zero = "-ftrivial-auto-var-init=zero";
    compile(
        Command::new("cc")
            .args(common)
            .args([zero, "-c", "-o"])
            .arg(&object)
            .arg(source),
    )?;
    // The program's own `reach_error` gives way to the driver's.
    compile(
        Command::new("objcopy")
            .args([
                "--weaken-symbol=reach_error",
                "--weaken-symbol=__VERIFIER_error",
            ])
            .arg(&object),
    )?;
    compile(
        Command::new("cc")
            .args(common)
            .arg(&driver)
            .arg(&object)
            .args(["-lm", "-o"])
            .arg(&binary),
    )?;
    let (ended, stdout) = execute(&binary)?;
    let Some(address) = stdout
        .lines()
        .find_map(|line| line.strip_prefix("failed at "))
    else {
        return Ok(Compiled::Ended(ended));
    };
    let place = compile(
        Command::new("addr2line")
            .arg("-e")
            .arg(&binary)
            .arg(address),
    )?;
    let line = place.trim().rsplit(':').next().unwrap_or_default();
    let number = line.split(' ').next().unwrap_or_default();
    number
        .parse()
        .map(Compiled::FailedAt)
        .map_err(|_| format!("addr2line says `{}`", place.trim()))
}

/// Runs a binary for at most 20 seconds.
fn execute(binary: &Path) -> Result<(String, String), String> {
    let mut child = Command::new(binary)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let start = Instant::now();
    loop {
        if child
            .try_wait()
            .map_err(|error| error.to_string())?
            .is_some()
        {
            break;
        }
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().map_err(|error| error.to_string())?;
            let _ = child.wait();
            return Ok(("it did not end".to_owned(), String::new()));
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    Ok((
        output.status.to_string(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    ))
}

/// A C file with the functions that the program leaves to its surroundings.
fn driver_text(inputs: &[Value]) -> String {
    let mut text = String::from(
        r#"#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void failed(void *caller) {
  printf("failed at %p\n", (void *)((char *)caller - 1));
  fflush(stdout);
  _exit(1);
}
void reach_error(void) { failed(__builtin_return_address(0)); }
void __VERIFIER_error(void) { failed(__builtin_return_address(0)); }
void __assert_fail(const char *a, const char *f, unsigned l, const char *g) {
  failed(__builtin_return_address(0));
}
__attribute__((weak)) void __VERIFIER_assume(int c) { if (!c) _exit(0); }
"#,
    );
    // Each function has its own list: compilers may evaluate operands in another order than we
    // do, but calls of one function mostly keep theirs.
    let mut functions: BTreeMap<&str, (&str, Vec<&str>)> = BTreeMap::new();
    for input in inputs {
        if let (Some("nondet" | "external"), Some(name), Some(ty), Some(value)) = (
            input["kind"].as_str(),
            input["name"].as_str(),
            input["type"].as_str(),
            input["value"].as_str(),
        ) {
            functions
                .entry(name)
                .or_insert((ty, Vec::new()))
                .1
                .push(value);
        }
    }
    for (name, (ty, values)) in functions {
        let (c_type, parse) = match ty {
            "bool" => ("_Bool", "strtoull(s, 0, 10)"),
            "i8" => ("signed char", "strtoll(s, 0, 10)"),
            "u8" => ("unsigned char", "strtoull(s, 0, 10)"),
            "i16" => ("short", "strtoll(s, 0, 10)"),
            "u16" => ("unsigned short", "strtoull(s, 0, 10)"),
            "i32" => ("int", "strtoll(s, 0, 10)"),
            "u32" => ("unsigned", "strtoull(s, 0, 10)"),
            "i64" => ("long long", "strtoll(s, 0, 10)"),
            "f32" => ("float", "strtod(s, 0)"),
            "f64" => ("double", "strtod(s, 0)"),
            _ => ("unsigned long long", "strtoull(s, 0, 10)"),
        };
        let list: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
        let _ = writeln!(
            text,
            "{c_type} {name}() {{\n  static const char *const list[] = {{{}, 0}};\n  static \
             unsigned at;\n  const char *s = list[at] ? list[at++] : \"0\";\n  return \
             ({c_type}){parse};\n}}",
            list.join(", ")
        );
    }
    text
}
