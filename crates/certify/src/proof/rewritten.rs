//! Proofs about a program rewritten by a trusted pass, and their checker.
//!
//! With distinguished cells ([`program::pass::cells`]) the other program has fixed, arbitrary indices,
//! and variables for the cells there: what is shown for every index holds for every cell. With
//! tracked products ([`program::pass::products`]) it has variables for products. The checker runs the
//! pass itself; the proof may choose cells and products freely, since any will do.

use super::Proof;
use crate::judge::well_formed;
use crate::{Checked, ProofError};
use base::Budget;
use program::ir::Program;
use program::pass::cells::{Arrays, Cells};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use program::pass::products::{Products, with_products};

/// Why no error location can be reached: a proof about a rewritten program.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The program with calls inlined up to this limit and small objects as variables is rewritten.
    pub inlined: InlineLimit,
    /// How.
    pub rewriting: Rewriting,
    /// The proof about what comes of it.
    pub proof: Proof,
}

/// What a trusted pass is to do.
#[derive(Clone, Debug)]
pub enum Rewriting {
    /// Turns lists and trees into arrays, and tracks cells.
    Cells(Cells),
    /// Tracks products of variables.
    Products(Products),
}

impl Rewriting {
    /// The rewritten program; an error says why it cannot be made.
    pub fn apply(&self, program: &Program, limit: InlineLimit) -> Result<Program, String> {
        match self {
            Rewriting::Cells(cells) => Arrays::inlined(program, limit).with_cells(cells),
            Rewriting::Products(products) => with_products(&inlined(program, limit), products),
        }
    }
}

impl Rewritten {
    /// Checks the proof against the program.
    pub fn check(&self, program: &Program, budget: &Budget) -> Result<(), ProofError> {
        self.proof.check(&self.program(program)?, budget)
    }

    /// The program that the proof is about.
    fn program(&self, program: &Program) -> Result<Program, ProofError> {
        self.check_kind()?;
        let rewritten = self.rewriting.apply(program, self.inlined);
        let rewritten = rewritten.map_err(ProofError::Malformed)?;
        match well_formed(&rewritten) {
            Ok(()) => Ok(rewritten),
            Err(reason) => Err(ProofError::Malformed(reason.message)),
        }
    }

    /// A product may overflow the widest type where the program is defined. The checker of labels
    /// takes that type for unbounded; the others would call such a run undefined.
    fn check_kind(&self) -> Result<(), ProofError> {
        match (&self.rewriting, &self.proof) {
            (Rewriting::Cells(_), _)
            | (Rewriting::Products(_), Proof::Reached(_) | Proof::Inductive(_)) => Ok(()),
            (Rewriting::Products(_), Proof::Unwound(_) | Proof::Runs(_) | Proof::Rewritten(_)) => {
                Err(ProofError::Malformed(
                    "a proof about tracked products is not by labels".to_owned(),
                ))
            }
        }
    }
}

impl Checked<Proof> {
    /// A proof that was checked against a rewritten program, as a proof about the program as it was.
    pub fn of_rewritten(
        self,
        program: &Program,
        inlined: InlineLimit,
        rewriting: Rewriting,
    ) -> Result<Checked<Proof>, ProofError> {
        let rewritten = Rewritten {
            inlined,
            rewriting,
            proof: (*self).clone(),
        };
        match self.is_of(&rewritten.program(program)?) {
            true => Ok(Checked::new(Proof::Rewritten(Box::new(rewritten)), program)),
            false => Err(ProofError::Malformed(
                "the proof is about a program that was rewritten otherwise".to_owned(),
            )),
        }
    }
}
