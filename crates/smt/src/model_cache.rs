//! Models of earlier checks, one of which may also answer the next.
//!
//! # Invariants
//! - A candidate satisfies the first `good` assertions; if `bad` is set it falsifies the one there.

use crate::Model;
use logic::{TermId, TermStore};
use std::rc::Rc;

/// How many models are tried.
const MODELS: usize = 4;

/// What a useful model earns and what reading one costs; how much can be saved up.
const EARNED: u32 = 2;
const SAVINGS: u32 = 16;
/// Without savings, one in so many models is read all the same.
const PROBE: u32 = 32;

/// Remembered models, the last useful one first.
pub(crate) struct ModelCache {
    candidates: Vec<Candidate>,
    savings: u32,
    skipped: u32,
}

impl Default for ModelCache {
    fn default() -> Self {
        ModelCache {
            candidates: Vec::new(),
            savings: SAVINGS,
            skipped: 0,
        }
    }
}

struct Candidate {
    model: Rc<Model>,
    good: usize,
    bad: Option<usize>,
}

impl ModelCache {
    /// A model in which all of it holds, if there is one among those remembered.
    pub(crate) fn find(
        &mut self,
        store: &TermStore,
        asserted: &[TermId],
        assumptions: &[TermId],
    ) -> Option<Rc<Model>> {
        let place = (self.candidates.iter_mut()).position(|candidate| {
            candidate.satisfies(store, asserted)
                && (assumptions.iter()).all(|&term| candidate.model.satisfies(store, term))
        })?;
        self.savings = SAVINGS.min(self.savings + EARNED);
        self.candidates[..=place].rotate_right(1);
        Some(self.candidates[0].model.clone())
    }

    /// Whether to read one more model, which takes as long as a check: only while models are
    /// useful.
    pub(crate) fn pays(&mut self) -> bool {
        if self.savings > 0 {
            self.savings -= 1;
            return true;
        }
        self.skipped += 1;
        self.skipped.is_multiple_of(PROBE)
    }

    /// Remembers a model of the assertions.
    pub(crate) fn add(&mut self, model: Rc<Model>, asserted: usize) {
        self.candidates.truncate(MODELS - 1);
        let candidate = Candidate {
            model,
            good: asserted,
            bad: None,
        };
        self.candidates.insert(0, candidate);
    }

    /// Goes back to that many assertions.
    pub(crate) fn pop(&mut self, asserted: usize) {
        for candidate in &mut self.candidates {
            candidate.good = candidate.good.min(asserted);
            candidate.bad = candidate.bad.filter(|&bad| bad < asserted);
        }
    }
}

impl Candidate {
    fn satisfies(&mut self, store: &TermStore, asserted: &[TermId]) -> bool {
        while self.bad.is_none() && self.good < asserted.len() {
            if self.model.satisfies(store, asserted[self.good]) {
                self.good += 1;
            } else {
                self.bad = Some(self.good);
            }
        }
        self.bad.is_none()
    }
}
