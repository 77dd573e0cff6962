//! The query log: every query as a file of its own that `z3` can replay.

use crate::Answer;
use logic::{BitId, BitStore, TermId, TermStore};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Writes queries into a folder.
#[derive(Debug)]
pub struct QueryLog {
    folder: PathBuf,
    count: AtomicU64,
    /// The first file that could not be written.
    failure: Mutex<Option<String>>,
}

/// The log that new solvers write to.
static INSTALLED: Mutex<Option<Arc<QueryLog>>> = Mutex::new(None);
/// The log that new solvers of checkers write to.
static CHECKERS: Mutex<Option<Arc<QueryLog>>> = Mutex::new(None);

impl QueryLog {
    /// A log in a folder, which is made if need be.
    pub fn new(folder: &Path) -> io::Result<Arc<QueryLog>> {
        std::fs::create_dir_all(folder)?;
        Ok(Arc::new(QueryLog {
            folder: folder.to_owned(),
            count: AtomicU64::new(0),
            failure: Mutex::new(None),
        }))
    }

    /// Makes every solver of the process that is made from now on write here.
    pub fn install(self: Arc<Self>) {
        *INSTALLED.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    /// The same for solvers that check what others claim, and for no other ones.
    pub fn install_for_checkers(self: Arc<Self>) {
        *CHECKERS.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    pub(crate) fn installed() -> Option<Arc<QueryLog>> {
        let installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        installed.clone()
    }

    pub(crate) fn of_checkers() -> Option<Arc<QueryLog>> {
        let installed = CHECKERS.lock().unwrap_or_else(PoisonError::into_inner);
        installed.clone().or_else(QueryLog::installed)
    }

    /// How many queries there are.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// What went wrong first, if a file could not be written.
    pub fn failure(&self) -> Option<String> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone()
    }

    /// Writes a check and its answer.
    pub(crate) fn check(
        &self,
        store: &TermStore,
        asserted: &[TermId],
        assumptions: &[TermId],
        answer: &Answer,
        core: &[TermId],
    ) {
        let mut text = heading("ALL", answer);
        text.push_str(&format!(
            "; {} assertions, then {} assumptions\n",
            asserted.len(),
            assumptions.len()
        ));
        let places = (assumptions.iter().enumerate()).filter(|(_, term)| core.contains(term));
        let places: Vec<String> = places.map(|(place, _)| (place + 1).to_string()).collect();
        if !places.is_empty() {
            text.push_str(&format!("; core: assumptions {}\n", places.join(" ")));
        }
        let all: Vec<TermId> = asserted.iter().chain(assumptions).copied().collect();
        text.push_str(&store.smtlib_query(&all));
        self.write(&text);
    }

    /// Writes a question in bit-vectors and its answer.
    pub(crate) fn bit_check(&self, store: &BitStore, formulas: &[BitId], answer: &Answer) {
        let text = heading("QF_BV", answer) + &store.smtlib_query(formulas);
        self.write(&text);
    }

    fn write(&self, text: &str) {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let path = self.folder.join(format!("{number:06}.smt2"));
        if let Err(error) = std::fs::write(&path, text) {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert_with(|| format!("{}: {error}", path.display()));
        }
    }
}

/// How a file begins: the logic, and what was answered.
fn heading(logic: &str, answer: &Answer) -> String {
    let status = match answer {
        Answer::Sat => "(set-info :status sat)\n".to_owned(),
        Answer::Unsat => "(set-info :status unsat)\n".to_owned(),
        Answer::Unknown(why) => {
            let why = why.replace(['\n', '\r'], " ");
            format!("; unknown: {why}\n(set-info :status unknown)\n")
        }
    };
    format!("(set-logic {logic})\n{status}")
}
