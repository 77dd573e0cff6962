//! Proofs by labels (inductive invariants), and their checker.
//!
//! A label is a formula that holds whenever a run reaches its location. Besides the variables it
//! may mention *ghosts*: numbers that a run maintains beside the program, such as an iteration
//! counter or the value that a variable had at its entry. A ghost cannot influence the program, so
//! what holds with ghosts holds without them.
//!
//! The label of a procedure's exit is its *contract*: it is over the globals at the exit, the
//! procedure's ghosts, and thereby its entry values, and the return value. It is shown at each
//! return and assumed after each call. That is induction over the steps of a run: at whatever depth
//! a call is, its activation has returned, and every label before that return held.
//!
//! The checker takes one label after the other and follows all paths to the next ones (`walk`),
//! with its own encoding of the IR's defined executions (`value`, `arith`, `bits`). The header of
//! the crate lists what it shares with the engines.
//!
//! # Invariants
//! - No proof makes the checker panic (`imported_proof` validates it first).
//! - A solver's "unknown" becomes [`ProofError::Undecided`], never a proof.

mod arith;
mod bits;
mod bounds;
mod call;
mod decide;
mod graph;
mod imported_proof;
pub mod lemma;
mod live;
mod obligation_context;
mod opaque;
mod states;
mod value;
mod walk;

#[cfg(test)]
mod tests;

use self::decide::Checker;
use self::graph::Calls;
use self::imported_proof::ImportedProof;
use crate::ProofError;
use base::{Budget, IdVec};
use logic::{SymbolId, TermId, TermStore};
use program::ir::{EdgeId, LocationId, ProcId, Program, VarId};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use std::collections::BTreeMap;

/// Why no error location can be reached: a label for every location where one is needed.
#[derive(Clone, Debug)]
pub struct Inductive {
    /// Set if the labels are about the program with calls inlined up to this limit and small
    /// objects as variables ([`program::pass::inlined`]); the checker does that itself.
    pub inlined: Option<InlineLimit>,
    /// The store of all terms.
    pub store: TermStore,
    /// The symbol of each variable of that program: of sort `Bool` for a `Bool`, else `Int`.
    pub vars: IdVec<VarId, SymbolId>,
    /// What the labels may mention besides the variables.
    pub ghosts: Vec<Ghost>,
    /// The labels: quantifier-free, over variables and ghosts. A location without one is passed
    /// through; one where a loop must be cut, and the entry of a procedure, has `true`, an error
    /// location `false`. Those of exits are contracts.
    pub labels: BTreeMap<(ProcId, LocationId), TermId>,
    /// The symbol of the value that a procedure returns, in its contract.
    pub results: BTreeMap<ProcId, SymbolId>,
}

/// A number or Boolean that a run maintains beside the program.
#[derive(Clone, Debug)]
pub struct Ghost {
    /// Its name, for people.
    pub name: String,
    /// Its symbol.
    pub symbol: SymbolId,
    /// The procedure each of whose activations has one.
    pub proc: ProcId,
    /// Its value at the entry of the procedure, over the variables there.
    pub initial: TermId,
    /// Its value after an edge, over the variables after the edge and the ghosts before it. Other
    /// edges leave it as it is.
    pub updates: BTreeMap<EdgeId, TermId>,
}

impl Inductive {
    /// Checks the proof against the program: every label follows, along the paths without labels,
    /// from those before it, and no path leads to an error location or an unsupported op.
    pub fn check(&self, program: &Program, budget: &Budget) -> Result<(), ProofError> {
        match self.inlined {
            None => self.check_inlined(program, budget),
            Some(limit) => self.check_inlined(&inlined(program, limit), budget),
        }
    }

    /// Checks the obligations that involve one label. If this succeeds, a proof that was checked
    /// remains one with another label there.
    pub fn check_label(
        &self,
        program: &Program,
        (proc, at): (ProcId, LocationId),
        budget: &Budget,
    ) -> Result<(), ProofError> {
        let inlined = self.inlined.map(|limit| inlined(program, limit));
        let program = inlined.as_ref().unwrap_or(program);
        let given = ImportedProof::new(self, program)?;
        let calls = Calls::new(program);
        Checker::new(program, given, &calls, budget).check_at(proc, at)
    }

    fn check_inlined(&self, program: &Program, budget: &Budget) -> Result<(), ProofError> {
        let given = ImportedProof::new(self, program)?;
        let calls = Calls::new(program);
        Checker::new(program, given, &calls, budget).check()
    }
}
