//! What the tests of this crate share.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "each test uses its part"
)]

#[path = "../../../../tests/surroundings.rs"]
pub(crate) mod surroundings;

use base::{Diagnostics, SourceMap};
use cfront::Options;
use cfront::ast::Ast;
use cfront::types::DataModel;
use std::process::Command;
use surroundings::{Needed, skipped};

/// SplitMix64: enough for tests.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Parses one text; the tree, and every error as `line:column: message`.
pub(crate) fn parse(text: &[u8], model: DataModel) -> (Ast, Vec<String>) {
    let mut map = SourceMap::new();
    let file = map.add("t.i", text.to_vec()).unwrap();
    let mut diagnostics = Diagnostics::new();
    let options = Options { model };
    let ast = cfront::parse(&mut map, &[file], &options, &mut diagnostics);
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == base::Severity::Error)
        .map(|diagnostic| {
            let place = map.presumed(diagnostic.span);
            let place = place.map_or(String::new(), |at| format!("{}:{}: ", at.line, at.column));
            let notes: String = diagnostic
                .notes
                .iter()
                .map(|(note, _)| format!("; {note}"))
                .collect();
            let label = diagnostic
                .label
                .as_deref()
                .map_or(String::new(), |label| format!(": {label}"));
            format!("{place}{}{label}{notes}", diagnostic.message)
        })
        .collect::<Vec<_>>();
    assert_eq!(errors.is_empty(), !diagnostics.has_errors());
    (ast, errors)
}

/// Runs on the stack that the command line gives us.
pub(crate) fn on_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, work)
            .unwrap()
            .join()
            .unwrap()
    })
}

/// Compiles and runs a text; `None`, with a message, if this machine cannot.
pub(crate) fn compile_and_run(name: &str, text: &str, flags: &[&str]) -> Option<String> {
    let name = format!("cairn-{name}{}-{}", flags.concat(), std::process::id());
    let dir = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&dir).unwrap();
    let (source, binary) = (dir.join("a.c"), dir.join("a.out"));
    std::fs::write(&source, text).unwrap();
    let compiled = Command::new("cc")
        .args(flags)
        .arg("-o")
        .args([&binary, &source])
        .output();
    let output = match compiled {
        Ok(output) if output.status.success() => Command::new(&binary).output().ok(),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!said.contains("a.c:"), "{said}");
            let needed = match flags.contains(&"-m32") {
                true => Needed::M32,
                false => Needed::Cc,
            };
            skipped(needed, &format!("cc {flags:?} does not work here: {said}"));
            None
        }
        Err(error) => {
            skipped(Needed::Cc, &format!("no cc: {error}"));
            None
        }
    };
    std::fs::remove_dir_all(dir).unwrap();
    output.map(|output| String::from_utf8(output.stdout).unwrap())
}
