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
use crate::summary_prover::SummaryProver;
use crate::{About, Engine, OptionName, Task};
use absdom::Invariants;
use base::Budget;
use certify::{Outcome, Proof, Reason};
use encode::EncodingPrecision;
use kit::prepared::{Prepared, analyses};
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
        let mut refused = None;
        for options in analyses() {
            let invariants = Invariants::new(program, program.entry, &options, budget);
            let proof = match prove(&prepared, &invariants, task.options.summary, budget) {
                Ok(proof) => proof,
                Err(reason) => return Outcome::Unknown(refused.unwrap_or(*reason)),
            };
            match proof.checked(&task.program, budget) {
                Ok(proof) => return Outcome::Proved(proof),
                Err(error) => refused = Some(certify::refused(&error, budget)),
            }
        }
        Outcome::Unknown(refused.expect("there should have been a proof, if not a good one"))
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
