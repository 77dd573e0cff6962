//! What a proof says about the loops of the source, for people.

use crate::args::IntModel;
use base::Budget;
use certify::Verdict;
use input::Loaded;
use report::answer::Invariant;
use std::fmt::Write;
use witness::invariants::{LoopInvariant, of_proof};

/// What it may take to write invariants down.
const WRITING: u64 = 5_000_000;
/// Conjuncts of one loop that are shown without `--verbose`.
const SHOWN: usize = 12;

/// The invariants of a checked proof. Unbounded integers are not C's: nothing is said of them.
pub(crate) fn invariants(
    verdict: &Verdict,
    loaded: &Loaded,
    model: IntModel,
    budget: &Budget,
) -> Vec<LoopInvariant> {
    let (Verdict::Safe(proof), IntModel::Machine) = (verdict, model) else {
        return Vec::new();
    };
    let budget = budget.clone().with_effort(WRITING);
    of_proof(loaded, proof, &budget)
}

/// One loop after the other, with its line and the conjuncts below it.
pub(crate) fn text(invariants: &[Invariant], verbose: bool) -> String {
    let mut text = String::new();
    for row in invariants.iter().filter(|row| !row.conjuncts.is_empty()) {
        let Some(place) = &row.place else {
            continue;
        };
        let _ = writeln!(text, "  {}  {}", place.shown(), place.text().trim());
        let most = match verbose || row.conjuncts.len() <= SHOWN + 1 {
            true => row.conjuncts.len(),
            false => SHOWN,
        };
        for conjunct in &row.conjuncts[..most] {
            let shown = match conjunct.as_str() {
                "0" => "never reached",
                conjunct => conjunct,
            };
            let _ = writeln!(text, "      {shown}");
        }
        if most < row.conjuncts.len() {
            let left = row.conjuncts.len() - most;
            let _ = writeln!(text, "      ... and {left} more (--verbose shows them)");
        }
    }
    text
}
