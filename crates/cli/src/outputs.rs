//! Output files besides the answer. They are written after it, and a failure of one affects neither
//! the answer nor another file.

use crate::console::Console;
use crate::exit;
use input::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Writes files and remembers whether that worked.
pub(crate) struct Outputs<'a> {
    console: &'a Console,
    is_broken: bool,
}

impl<'a> Outputs<'a> {
    /// Nothing is written yet. `is_broken` says that the answer itself could not be.
    pub(crate) fn new(console: &'a Console, is_broken: bool) -> Self {
        Outputs { console, is_broken }
    }

    /// Makes and writes a file, if one is asked for. `what` says what it is.
    pub(crate) fn write(
        &mut self,
        path: Option<&Path>,
        what: &str,
        make: impl FnOnce() -> Result<String, String>,
    ) {
        let Some(path) = path else {
            return;
        };
        let text = catch_unwind(AssertUnwindSafe(make))
            .unwrap_or_else(|_| Err("internal error, see below".to_owned()));
        let written = text.and_then(|text| {
            std::fs::write(path, text)
                .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
        });
        if let Err(why) = written {
            self.fail(&Failure::new(format!("no {what}: {why}")));
        }
    }

    /// Says what went wrong.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        self.console.failure(failure);
        self.is_broken = true;
    }

    /// The exit code: a violation stays one; for the rest, a file that is missing is an error.
    pub(crate) fn exit_code(&self, verdict: u8) -> u8 {
        if self.is_broken && verdict != exit::UNSAFE {
            return exit::ERROR;
        }
        verdict
    }
}
