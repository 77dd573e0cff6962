//! Whether a witness shows what it claims.
//!
//! # Invariants
//! - `confirmed` rests on a replay or on a checked proof, never on the witness's word.

mod claims;
mod invariants;
mod names;
mod search;
mod violation;

use base::Budget;
use certify::Verdict;
use engine::{Engine, Task};
use input::Loaded;
use std::time::Duration;
use witness::format::{Content, Entry};

/// What becomes of a witness, and why.
#[derive(Clone, PartialEq, Debug)]
pub enum Validity {
    /// It shows what it claims.
    Confirmed(String),
    /// Neither is known.
    Unknown(String),
    /// It does not.
    Rejected(String),
}

impl Validity {
    /// Its one word.
    pub fn name(&self) -> &'static str {
        match self {
            Validity::Confirmed(_) => "confirmed",
            Validity::Unknown(_) => "unknown",
            Validity::Rejected(_) => "rejected",
        }
    }

    /// A sentence.
    pub fn message(&self) -> &str {
        match self {
            Validity::Confirmed(text) | Validity::Unknown(text) | Validity::Rejected(text) => text,
        }
    }

    /// A file stands for all its entries: one that fails fails it.
    fn worse(self, other: Self) -> Self {
        let rank = |validity: &Validity| match validity {
            Validity::Confirmed(_) => 0,
            Validity::Unknown(_) => 1,
            Validity::Rejected(_) => 2,
        };
        if rank(&self) >= rank(&other) {
            self
        } else {
            other
        }
    }
}

/// What the parts of the validation work with.
pub struct Validation<'a> {
    /// The program.
    pub loaded: &'a Loaded,
    /// The engine that searches.
    pub engine: &'a dyn Engine,
    /// Until when.
    pub budget: &'a Budget,
    /// How long a certificate may be checked after that.
    pub grace: Duration,
}

impl Validation<'_> {
    /// Checks all entries of a witness. Warnings are about names of files.
    pub fn check(&self, entries: &[Entry], warnings: &mut Vec<String>) -> Validity {
        let checked = entries.iter().map(|entry| {
            if let Err(why) = claims::compare(entry, self.loaded, warnings) {
                return Validity::Rejected(why);
            }
            match names::renamed(entry, self.loaded) {
                Ok(Content::Violation(segments)) => violation::check(self, &segments),
                Ok(Content::Invariants(invariants)) => invariants::check(self, &invariants),
                Err(why) => Validity::Unknown(why),
            }
        });
        let none = || Validity::Rejected("it has no entry".to_owned());
        checked.reduce(Validity::worse).unwrap_or_else(none)
    }

    /// A rejection of a violation, if all that may be violated is checked.
    fn rejected(&self, why: String) -> Validity {
        match self.loaded.request.selection.unchecked.first() {
            Some(name) => Validity::Unknown(format!("{why}; but {name} is not checked yet")),
            None => Validity::Rejected(why),
        }
    }

    /// What the engine says about a program.
    fn decide(&self, task: &Task) -> Verdict {
        engine::decide(self.engine, task, self.budget, || self.checking())
    }

    /// The budget of checking a certificate.
    fn checking(&self) -> Budget {
        self.budget.extended(self.grace)
    }
}
