//! What `cairn check --test` and `cairn tests` write: a C file that makes the compiled program fail, or
//! run as a test does, with the command to do so.

use super::{Driver, Failing, RENAMED_MAIN, driver, sanitizers};
use base::place::Places;
use cfront::types::DataModel;
use program::ir::{Callee, Edge, Library, Op, Program, Site, SiteKind};
use std::fmt::Write;
use std::path::Path;

/// The file, which will be written there.
pub fn file(failing: &Failing<'_>, path: &Path) -> Result<String, String> {
    let driver = driver(failing)?;
    Ok(head(failing, &driver, path) + &driver.text)
}

/// The flags that any compilation of the program with a driver takes.
pub(crate) fn flags(failing: &Failing<'_>, driver: &Driver) -> Vec<String> {
    let loaded = failing.loaded;
    let mut flags = Vec::new();
    match loaded.request.model {
        DataModel::Ilp32 => flags.push("-m32".to_owned()),
        DataModel::Lp64 => {}
    }
    let folders = loaded.request.include.iter();
    flags.extend(folders.map(|folder| format!("-I{}", folder.display())));
    flags.extend(loaded.request.define.iter().map(|name| format!("-D{name}")));
    if driver.renames_main {
        flags.push(format!("-Dmain={RENAMED_MAIN}"));
    }
    if has_unset_memory(&loaded.program) {
        // Without a value to take, variables and arrays are zero for us. Zeros of memory are not among
        // the inputs of a run, so these do not tell whether it takes any.
        flags.push("-ftrivial-auto-var-init=zero".to_owned());
    }
    let shadows = driver.shadows.iter();
    flags.extend(shadows.map(|name| format!("-fno-builtin-{name}")));
    for name in &driver.wrapped {
        flags.push(format!("-fno-builtin-{name}"));
        flags.push(format!("-Wl,--wrap={name}"));
    }
    if failing.sanitize {
        let sanitizers = sanitizers(failing.property());
        flags.push(format!("-fsanitize={sanitizers}"));
        flags.push("-fno-sanitize-recover=all".to_owned());
    }
    flags
}

/// Whether something on the stack comes to life without a value.
fn has_unset_memory(program: &Program) -> bool {
    let is_unset = |row: &Site| matches!(row.kind, SiteKind::Uninitialized | SiteKind::Contents);
    let makes_array = |row: &Edge| {
        let Op::Call(call) = &row.op else {
            return false;
        };
        matches!(call.callee, Callee::Library(Library::Alloca))
    };
    let mut edges = program.procs.iter().flat_map(|row| row.edges.iter());
    program.sites.iter().any(is_unset) || edges.any(makes_array)
}

/// The comment at the head of the file.
fn head(failing: &Failing<'_>, driver: &Driver, path: &Path) -> String {
    let loaded = failing.loaded;
    let places = Places::new(&loaded.sources);
    let place = |span| match places.position(span) {
        Some(position) => format!("{}:{}", position.file, position.line),
        None => "an unknown place".to_owned(),
    };
    let names: Vec<String> = loaded
        .request
        .files
        .iter()
        .map(|file| quoted(&file.to_string_lossy()))
        .collect();
    let flags = flags(failing, driver);
    let out = quoted(&path.to_string_lossy());
    let files = format!("{} {out}", names.join(" "));
    let flags: String = flags
        .iter()
        .map(|flag| format!(" {}", quoted(flag)))
        .collect();
    let mut text = String::new();
    let does = match failing.violation {
        Some(_) => "make it fail",
        None => "are a test",
    };
    let _ = writeln!(
        text,
        "Inputs of {} that {does}, by cairn {} ({}).",
        names.join(" "),
        env!("CARGO_PKG_VERSION"),
        input::model_name(loaded.request.model),
    );
    if let Some(violation) = failing.violation {
        let at = place(violation.span);
        let _ = writeln!(text, "\n{}\n  at {at}", violation.message);
    }
    let _ = writeln!(text, "\nCompile and run:\n  cc{flags} {files} && ./a.out");
    if driver.renames_main {
        let _ = writeln!(
            text,
            "\nThe program's own `main` becomes `{RENAMED_MAIN}`: this file has a `main` that \
             calls `{}`.",
            loaded.request.entry
        );
    }
    if !driver.uninitialised.is_empty() {
        let _ = writeln!(
            text,
            "\nThe run needs these values in variables and memory that the program does not initialise. \
             No compiler\ncan be told so; initialise them by hand, or use `cairn check --confirm`, \
             which does that\nin a copy:"
        );
        for (span, name, value) in driver.uninitialised.iter().take(20) {
            let _ = writeln!(text, "  {name} = {value}, declared at {}", place(*span));
        }
    }
    if let Some(why) = failing.obstacle {
        let _ = writeln!(
            text,
            "\nNo compiled program is known to make the whole run: {why}."
        );
    }
    if !failing.leaps.is_empty() {
        let _ = writeln!(
            text,
            "\nThe run is too long to wait for: parts of it were proved instead of made. With -O2 \
             the\ncompiler may shorten it; `cairn check --confirm` also tries a copy that takes \
             these iterations at once."
        );
    }
    // The comment must not end before its end.
    let text = text.replace("*/", "* /");
    let mut comment = String::from("/*\n");
    for line in text.lines() {
        let _ = writeln!(comment, "{}", format!(" * {line}").trim_end());
    }
    comment + " */\n"
}

/// A word for the shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("--timeout=1.5m"), "--timeout=1.5m");
        assert_eq!(quoted("it's.c"), r"'it'\''s.c'");
        assert_eq!(quoted("a $b"), "'a $b'");
        assert_eq!(quoted(""), "''");
    }
}
