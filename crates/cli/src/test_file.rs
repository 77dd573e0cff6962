//! What `--test` writes: a C file that makes the compiled program fail, with the command to do so.

use base::place::Places;
use certify::Replayed;
use cfront::types::DataModel;
use input::Loaded;
use program::ir::{Property, SiteKind};
use std::fmt::Write;
use std::path::Path;
use witness::test_driver::{self, Driver, Failing, RENAMED_MAIN};

/// What a driver is made for, where the program was read as C.
pub(crate) fn failing<'a>(
    loaded: &'a Loaded,
    replayed: &'a Replayed,
) -> Result<Failing<'a>, String> {
    let ast = loaded
        .ast
        .as_ref()
        .ok_or("the program is no C text that could be compiled")?;
    Ok(Failing {
        program: &loaded.program,
        ast,
        sources: &loaded.sources,
        replayed,
        entry: &loaded.request.entry,
    })
}

/// The file that `--test` writes.
pub(crate) fn text(
    loaded: &Loaded,
    replayed: &Replayed,
    path: &Path,
    sanitize: bool,
) -> Result<String, String> {
    let failing = failing(loaded, replayed)?;
    let driver = test_driver::driver(&failing)?;
    Ok(head(loaded, replayed, &driver, path, sanitize) + &driver.text)
}

/// The flags that any compilation of the program with a driver takes.
pub(crate) fn flags(
    loaded: &Loaded,
    replayed: &Replayed,
    driver: &Driver,
    sanitize: bool,
) -> Vec<String> {
    let mut flags = Vec::new();
    match loaded.request.model {
        DataModel::Ilp32 => flags.push("-m32".to_owned()),
        DataModel::Lp64 => {}
    }
    for folder in &loaded.request.include {
        flags.push(format!("-I{}", folder.display()));
    }
    flags.extend(loaded.request.define.iter().map(|name| format!("-D{name}")));
    if driver.renames_main {
        flags.push(format!("-Dmain={RENAMED_MAIN}"));
    }
    let sites = &loaded.program.sites;
    let is_uninitialised = |site| sites[site].kind == SiteKind::Uninitialized;
    if replayed
        .run
        .inputs
        .iter()
        .any(|&(site, _)| is_uninitialised(site))
    {
        // Without a value to take, variables are zero for us.
        flags.push("-ftrivial-auto-var-init=zero".to_owned());
    }
    let shadows = driver.shadows.iter();
    flags.extend(shadows.map(|name| format!("-fno-builtin-{name}")));
    let property = replayed.violation.property;
    if sanitize || property != Property::Assertion {
        flags.push(format!("-fsanitize={}", test_driver::sanitizers(property)));
        flags.push("-fno-sanitize-recover=all".to_owned());
    }
    flags
}

/// The comment at the head of the file.
fn head(
    loaded: &Loaded,
    replayed: &Replayed,
    driver: &Driver,
    path: &Path,
    sanitize: bool,
) -> String {
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
    let flags = flags(loaded, replayed, driver, sanitize);
    let out = quoted(&path.to_string_lossy());
    let files = format!("{} {out}", names.join(" "));
    let flags: String = flags
        .iter()
        .map(|flag| format!(" {}", quoted(flag)))
        .collect();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "Inputs that make {} fail, by cairn {} ({}).\n\n{}\n  at {}\n\nCompile and run:\n  \
         cc{flags} {files} && ./a.out",
        names.join(" "),
        env!("CARGO_PKG_VERSION"),
        input::model_name(loaded.request.model),
        replayed.violation.message,
        place(replayed.violation.span)
    );
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
            "\nThe run needs these values in variables that the program does not initialise. No \
             compiler\ncan be told so; initialise them by hand, or use `cairn check --confirm`, \
             which does that\nin a copy:"
        );
        for (span, name, value) in driver.uninitialised.iter().take(20) {
            let _ = writeln!(text, "  {name} = {value}, declared at {}", place(*span));
        }
    }
    if !replayed.leaps.is_empty() {
        let _ = writeln!(
            text,
            "\nThe run is too long to wait for: parts of it were proved instead of made. With -O2 \
             the\ncompiler may shorten it; `cairn check --confirm` also tries a copy that takes \
             these turns at once."
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
pub(crate) fn quoted(word: &str) -> String {
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
