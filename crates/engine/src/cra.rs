//! Proving by summaries alone.
//!
//! Summarises every loop, with increasing effort as long as the summary of the whole program admits
//! an error. Once it admits none, labels for the loop heads are derived from the summaries; without
//! labels there is no proof.
//!
//! # Paper
//! [farzan2015compositional]; the baseline of [fang2025software], Table 2. There the summary is the
//! answer. Here it leads to a proof that can be checked.

use crate::contract_prover::Called;
use crate::driver::first_accepted;
use crate::summary_prover::SummaryProver;
use crate::{About, Engine, OptionName, Task};
use absdom::Invariants;
use base::Budget;
use certify::{Outcome, Proof, Reason};
use encode::EncodingPrecision;
use kit::prepared::{Prepared, analyses};
use std::convert::Infallible;
use summary::{Level, Style};

/// The share of the remaining effort for one preparation of the program, in percent.
const PART: u64 = 67;

/// The engine.
pub struct Cra;

impl Engine for Cra {
    fn about(&self) -> About {
        About {
            name: "cra",
            summary: "proves by summaries of loops",
            papers: &["farzan2015compositional", "fang2025software"],
        }
    }

    fn finds_violations(&self) -> bool {
        false
    }

    fn understands(&self, option: OptionName) -> bool {
        option == OptionName::Summary
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = crate::graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        let prepared = Prepared::new(&task.program);
        let program = &prepared.program;
        if !prepared.frames.is_empty() {
            let called = Called::new(&prepared, budget, false);
            let proof = called.proof(&prepared);
            return proof.map_or_else(|reason| Outcome::Unknown(*reason), Outcome::Safe);
        }
        let Ok(outcome) = first_accepted(task, budget, analyses(), |options| {
            let invariants = Invariants::new(program, program.entry, &options, budget);
            let proof = prove(&prepared, &invariants, task.options.summary, budget);
            let proof = proof.map_or_else(|reason| Outcome::Unknown(*reason), Outcome::Safe);
            Ok::<_, Infallible>(proof)
        });
        outcome
    }
}

/// A proof, or why there is none.
fn prove(
    prepared: &Prepared,
    invariants: &Invariants,
    style: Style,
    budget: &Budget,
) -> Result<Proof, Box<Reason>> {
    let proofs = SummaryProver {
        prepared,
        invariants,
        style,
        budget: &|| budget.share(PART),
    };
    // Most programs are meant not to wrap, and that is easier; some are easy only with wrapping
    // described. What is cheap comes first, one way and the other.
    let levels = match style {
        Style::Cairn => {
            if let Ok(proof) = proofs.prove(&EncodingPrecision::default(), &Level::CHEAP) {
                return Ok(proof);
            }
            Level::ALL
        }
        Style::Paper => &[Level::Phases],
    };
    proofs.prove(&EncodingPrecision::default(), levels)
}
