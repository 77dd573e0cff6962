//! Proofs about distinguished cells, and their checker.
//!
//! A proof by cells is a proof about another program: one with fixed, arbitrary indices, and
//! variables for the cells there ([`program::pass::cells`]). What it shows for every index holds
//! for every cell. The checker makes that program itself; the proof may choose its cells and
//! choices freely, since any will do.

use super::Proof;
use crate::judge::well_formed;
use crate::{Checked, ProofError};
use base::Budget;
use program::ir::Program;
use program::pass::cells::{Arrays, Cells};
use program::pass::inline::InlineLimit;

/// Why no error location can be reached: a proof about a program with tracked cells.
#[derive(Clone, Debug)]
pub struct ByCells {
    /// The cells are those of the program with calls inlined up to this limit, small objects as
    /// variables, and lists and trees as arrays.
    pub inlined: InlineLimit,
    /// The cells.
    pub cells: Cells,
    /// The proof about the program with these cells.
    pub proof: Proof,
}

impl ByCells {
    /// Checks the proof against the program.
    pub fn check(&self, program: &Program, budget: &Budget) -> Result<(), ProofError> {
        let tracked = self.program(program)?;
        self.proof.check(&tracked, budget)
    }

    /// The program that the proof is about.
    fn program(&self, program: &Program) -> Result<Program, ProofError> {
        let arrays = Arrays::inlined(program, self.inlined);
        let tracked = arrays.with_cells(&self.cells);
        let tracked = tracked.map_err(ProofError::Malformed)?;
        match well_formed(&tracked) {
            Ok(()) => Ok(tracked),
            Err(reason) => Err(ProofError::Malformed(reason.message)),
        }
    }
}

impl Checked<Proof> {
    /// A proof that was checked against a program with tracked cells, as a proof about the program
    /// without them.
    pub fn by_cells(
        self,
        program: &Program,
        inlined: InlineLimit,
        cells: Cells,
    ) -> Result<Checked<Proof>, ProofError> {
        let by_cells = ByCells {
            inlined,
            cells,
            proof: (*self).clone(),
        };
        match self.is_of(&by_cells.program(program)?) {
            true => Ok(Checked::new(Proof::Cells(Box::new(by_cells)), program)),
            false => Err(ProofError::Malformed(
                "the proof is about a program with other cells".to_owned(),
            )),
        }
    }
}
