//! What a proof says about the loops of the source, for people and for machines.

use crate::args::IntModel;
use crate::json;
use base::Budget;
use base::place::Places;
use certify::{Proof, Verdict};
use input::Loaded;
use std::fmt::Write;
use witness::invariants::{LoopInvariant, of_proof};

/// What it may take to write invariants down.
const WRITING: u64 = 5_000_000;
/// Conjuncts of one loop that are shown without `--verbose`.
const SHOWN: usize = 12;

/// What was shown, in one line.
pub(crate) fn headline(proof: &Proof) -> String {
    let how = match runs(proof) {
        None => "the proof was checked".to_owned(),
        Some(1) => "the only run of the program was made".to_owned(),
        Some(runs) => format!("all {runs} runs of the program were made"),
    };
    format!("no violation can be reached; {how}")
}

/// Where all runs of the program were made, how many they are.
pub(crate) fn runs(proof: &Proof) -> Option<u64> {
    match proof {
        Proof::Runs(proof) => Some(proof.runs),
        Proof::Reached(_) | Proof::Inductive(_) | Proof::Unwound(_) => None,
    }
}

/// The invariants of a checked proof. Unbounded integers are not C's: nothing is said of them.
pub(crate) fn invariants(
    verdict: &Verdict,
    loaded: &Loaded,
    model: IntModel,
    budget: &Budget,
) -> Vec<LoopInvariant> {
    let Verdict::Safe(proof) = verdict else {
        return Vec::new();
    };
    let budget = budget.clone().with_effort(WRITING);
    match model {
        IntModel::Machine => {
            let Loaded {
                program,
                sources,
                ast,
                ..
            } = loaded;
            of_proof(program, proof, sources, ast.as_ref(), &budget)
        }
        IntModel::Math => Vec::new(),
    }
}

/// One loop after the other, with its line and the conjuncts below it.
pub(crate) fn text(places: &Places<'_>, invariants: &[LoopInvariant], verbose: bool) -> String {
    let mut text = String::new();
    for row in invariants.iter().filter(|row| !row.for_people.is_empty()) {
        let Some(place) = places.of(row.span) else {
            continue;
        };
        let (file, line) = (&place.position.file, place.position.line);
        let _ = writeln!(text, "  {file}:{line}  {}", place.text.trim());
        let most = match verbose || row.for_people.len() <= SHOWN + 1 {
            true => row.for_people.len(),
            false => SHOWN,
        };
        for conjunct in &row.for_people[..most] {
            let shown = match conjunct.as_str() {
                "0" => "never reached",
                conjunct => conjunct,
            };
            let _ = writeln!(text, "      {shown}");
        }
        if most < row.for_people.len() {
            let left = row.for_people.len() - most;
            let _ = writeln!(text, "      ... and {left} more (--verbose shows them)");
        }
    }
    text
}

/// The same for a document.
pub(crate) fn json(places: &Places<'_>, invariants: &[LoopInvariant]) -> Vec<json::Invariant> {
    let rows = invariants.iter().map(|row| json::Invariant {
        function: row.function.to_string(),
        conjuncts: row.for_people.clone(),
        exact: row.exact.clone(),
        place: places.position(row.span).into(),
    });
    rows.collect()
}
