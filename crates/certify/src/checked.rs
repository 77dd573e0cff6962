//! Evidence that has passed its check.

use horn::System;
use program::ir::Program;
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};

/// Evidence that has passed its check against a program or clauses: constructed only in this crate,
/// readable by all.
#[derive(Clone, Debug)]
pub struct Checked<T> {
    evidence: Box<T>,
    program: Fingerprint,
}

impl<T> Checked<T> {
    pub(crate) fn new(evidence: T, program: &Program) -> Checked<T> {
        Checked {
            evidence: Box::new(evidence),
            program: Fingerprint::of(program),
        }
    }

    pub(crate) fn of_clauses(evidence: T, system: &System) -> Checked<T> {
        Checked {
            evidence: Box::new(evidence),
            program: Fingerprint::of_text(format_args!("{}", system.smtlib())),
        }
    }

    /// Whether it was checked against this program.
    pub fn is_of(&self, program: &Program) -> bool {
        self.program == Fingerprint::of(program)
    }
}

impl<T> std::ops::Deref for Checked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.evidence
    }
}

/// Identifies a program, by a hash of all of its contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fingerprint(u64);

impl Fingerprint {
    fn of(program: &Program) -> Fingerprint {
        Fingerprint::of_text(format_args!("{program:?}"))
    }

    fn of_text(all: fmt::Arguments<'_>) -> Fingerprint {
        struct Text(DefaultHasher);
        impl Write for Text {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.write(text.as_bytes());
                Ok(())
            }
        }
        let mut text = Text(DefaultHasher::new());
        text.write_fmt(all).expect("a hasher should take any text");
        Fingerprint(text.0.finish())
    }
}
