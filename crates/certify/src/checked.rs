//! Evidence that has passed its check.

use program::ir::Program;
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};

/// Evidence that has passed its check against a program: made in this crate alone, to be read by
/// all.
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

/// Tells programs apart, by all that there is to see of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fingerprint(u64);

impl Fingerprint {
    fn of(program: &Program) -> Fingerprint {
        struct Text(DefaultHasher);
        impl Write for Text {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.write(text.as_bytes());
                Ok(())
            }
        }
        let mut text = Text(DefaultHasher::new());
        write!(text, "{program:?}").expect("a hasher should take any text");
        Fingerprint(text.0.finish())
    }
}
