//! Reads source files, through the system's preprocessor if needed.
//!
//! # Invariants
//! - A `.i` file is read as it is, and so is a text that the preprocessor would only copy;
//!   everything else goes through `cc -E`, or what `$CC` names.
//! - The headers are those of the data model: without 32-bit headers there is an error, never a
//!   fallback to the 64-bit ones.

use crate::annotation;
use crate::types::DataModel;
use std::ffi::OsString;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How to preprocess.
#[derive(Clone, Debug, Default)]
pub struct Preprocess {
    /// Directories for `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// Definitions as given to `-D`: `NAME` or `NAME=value`.
    pub defines: Vec<String>,
    /// Names for `-U`.
    pub undefines: Vec<String>,
    /// Which target's headers and limits.
    pub model: DataModel,
}

/// The preprocessed text of a file. The error is for people: one line, then perhaps what the
/// compiler said.
pub fn load(path: &Path, options: &Preprocess) -> Result<Vec<u8>, String> {
    let shown = path.display();
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if metadata.is_dir() {
        return Err(format!("`{shown}` is a directory"));
    }
    if path.extension().is_some_and(|ending| ending == "i") {
        return std::fs::read(path).map_err(|error| unreadable(path, &error));
    }
    refuse_binary(path)?;
    let text = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    if options.defines.is_empty() && options.undefines.is_empty() && is_plain(&text) {
        return Ok(text);
    }
    run(path, options, annotation::may_be_in(&text))
}

/// Whether the preprocessor would only copy a text: it has no directive, nothing that joins lines
/// or spells characters otherwise, and no name that a compiler may have defined. Starting a
/// process takes longer than checking a small program.
fn is_plain(text: &[u8]) -> bool {
    let special = |pair: &[u8]| matches!(pair, b"\\\n" | b"\\\r" | b"??" | b"%:");
    let mut words = text.split(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'_'));
    !text.contains(&b'#') && !text.windows(2).any(special) && !words.any(may_be_defined)
}

/// Whether a name may be one of the macros that compilers define.
fn may_be_defined(name: &[u8]) -> bool {
    const KEYWORDS: &[&[u8]] = &[
        b"__attribute__",
        b"__extension__",
        b"__inline",
        b"__inline__",
        b"__restrict",
        b"__nothrow__",
        b"__leaf__",
        b"__noreturn__",
        b"__assert_fail",
        b"_Bool",
        b"_Noreturn",
    ];
    match name {
        b"linux" | b"unix" | b"i386" => true,
        [b'_', b'_' | b'A'..=b'Z', ..] => {
            !name.starts_with(b"__VERIFIER_") && !KEYWORDS.contains(&name)
        }
        _ => false,
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    let shown = path.display();
    match error.kind() {
        ErrorKind::NotFound => format!("there is no file `{shown}`"),
        ErrorKind::PermissionDenied => format!("no permission to read `{shown}`"),
        _ => format!("cannot read `{shown}`: {error}"),
    }
}

/// The preprocessor would say strange things about a binary file.
fn refuse_binary(path: &Path) -> Result<(), String> {
    let mut start = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    file.take(8192)
        .read_to_end(&mut start)
        .map_err(|error| unreadable(path, &error))?;
    if start.contains(&0) {
        return Err(format!("`{}` is not a text file", path.display()));
    }
    Ok(())
}

fn run(path: &Path, options: &Preprocess, comments: bool) -> Result<Vec<u8>, String> {
    let named = std::env::var("CC").unwrap_or_default();
    let mut words = named.split_whitespace();
    let compiler = words.next().unwrap_or("cc");
    let mut command = Command::new(compiler);
    command
        .args(words)
        .args(["-E", "-x", "c"])
        .args(comments.then_some("-C"))
        .arg(match options.model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        })
        .args(flags("-I", &options.include_dirs))
        .args(flags("-D", &options.defines))
        .args(flags("-U", &options.undefines))
        .arg(operand(path))
        .env("LC_ALL", "C")
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            format!("no C compiler `{compiler}`: set CC, or give a preprocessed `.i` file")
        }
        _ => format!("cannot run `{compiler}`: {error}"),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!(
        "`{compiler} -E` failed on `{}`{}\n{}",
        path.display(),
        hint(options.model, &said),
        said.trim_end()
    ))
}

/// Missing 32-bit headers are the most common trouble, and the compiler does not say so.
fn hint(model: DataModel, said: &str) -> &'static str {
    let missing = [
        "stubs-32.h",
        "bits/libc-header-start.h",
        "sys/cdefs.h",
        "asm/errno.h",
    ]
    .iter()
    .any(|header| said.contains(header));
    match model {
        DataModel::Ilp32 if missing => {
            ": the headers for 32-bit programs seem to be missing (package gcc-multilib)"
        }
        DataModel::Ilp32 | DataModel::Lp64 => "",
    }
}

fn flags<T: Clone + Into<OsString>>(flag: &str, values: &[T]) -> Vec<OsString> {
    values
        .iter()
        .map(|value| {
            let mut word = OsString::from(flag);
            word.push(value.clone().into());
            word
        })
        .collect()
}

/// A path that the compiler cannot take for a flag.
fn operand(path: &Path) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path)
    } else {
        path.to_path_buf()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("cairn-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn only_what_would_be_copied_is_plain() {
        let plain = [
            "int main() { return 7 % 2; } // a comment",
            "extern void __assert_fail(const char *) __attribute__((__noreturn__));",
            "int x = __VERIFIER_nondet_int();",
            "char *s = \"a\\n\";",
        ];
        for text in plain {
            assert!(is_plain(text.as_bytes()), "{text}");
        }
        let others = [
            "#include <assert.h>",
            "int x = __LINE__;",
            "int x = __INT_MAX__;",
            "int unix;",
            "_Static_assert(1, \"\");",
            "int a\\\nb;",
            "%:define A",
            "char c = '??/n';",
        ];
        for text in others {
            assert!(!is_plain(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn explains_what_it_cannot_read() {
        let dir = directory("unreadable");
        let options = Preprocess::default();
        let missing = load(&dir.join("none.c"), &options).unwrap_err();
        assert!(missing.starts_with("there is no file"), "{missing}");
        assert!(
            load(&dir, &options)
                .unwrap_err()
                .ends_with("is a directory")
        );
        let binary = dir.join("a.c");
        std::fs::write(&binary, b"\x7fELF\0\0").unwrap();
        let message = load(&binary, &options).unwrap_err();
        assert!(message.ends_with("is not a text file"), "{message}");
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn preprocesses_all_but_preprocessed_text() {
        let dir = directory("preprocess");
        let (source, ready) = (dir.join("a.c"), dir.join("a.i"));
        std::fs::write(&source, "#ifdef A\nint a = A;\n#endif\n").unwrap();
        std::fs::write(&ready, "#define A\n").unwrap();
        let mut options = Preprocess {
            defines: vec!["A=17".to_string()],
            ..Preprocess::default()
        };
        assert_eq!(load(&ready, &options).unwrap(), b"#define A\n");
        match load(&source, &options) {
            Err(message) if message.starts_with("no C compiler") => {
                eprintln!("skipped: {message}");
            }
            result => {
                let text = String::from_utf8(result.unwrap()).unwrap();
                assert!(text.contains("int a = 17;"), "{text}");
                options.undefines.push("A".to_string());
                let text = String::from_utf8(load(&source, &options).unwrap()).unwrap();
                assert!(!text.contains("int a"), "{text}");
                std::fs::write(&source, "#define B //@ x\n//@ ghost int g;\n").unwrap();
                let text = String::from_utf8(load(&source, &options).unwrap()).unwrap();
                assert!(text.contains("ghost int g;"), "{text}");
                std::fs::write(&source, "#error no\n").unwrap();
                let message = load(&source, &options).unwrap_err();
                assert!(message.contains("failed on") && message.contains("#error no"));
            }
        }
        std::fs::remove_dir_all(dir).unwrap();
    }
}
