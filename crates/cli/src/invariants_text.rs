//! What a proof says about the loops and functions of the source, in readable form.

use crate::args::IntModel;
use base::Budget;
use certify::Verdict;
use input::Loaded;
use report::answer::{Contract, Invariant};
use std::fmt::Write;
use witness::invariants::{Invariants, of_proof};

/// What it may take to write invariants down.
const WRITING: u64 = 5_000_000;
/// Conjuncts of one loop or function, and functions, that are shown without `--verbose`.
const SHOWN: usize = 12;

/// The invariants and contracts of a checked proof. Unbounded integers are not C's: nothing is said
/// about them.
pub(crate) fn invariants(
    verdict: &Verdict,
    loaded: &Loaded,
    model: IntModel,
    budget: &Budget,
) -> Invariants {
    let (Verdict::Safe(proof), IntModel::Machine) = (verdict, model) else {
        return Invariants::default();
    };
    let budget = budget.clone().with_effort(WRITING);
    of_proof(loaded, proof, &budget)
}

/// One loop after the other, with its line and the conjuncts below it.
pub(crate) fn text(invariants: &[Invariant], verbose: bool) -> String {
    let mut text = String::new();
    let said = invariants.iter().filter(|row| !row.conjuncts.is_empty());
    for (row, place) in said.filter_map(|row| Some((row, row.place.as_ref()?))) {
        let _ = writeln!(text, "  {}  {}", place.shown(), place.text().trim());
        list(&row.conjuncts, "never reached", verbose, &mut text);
    }
    text
}

/// One function after the other: what it is called with, and what holds after a call.
pub(crate) fn contracts(contracts: &[Contract], verbose: bool) -> String {
    let mut text = String::new();
    let most = shown(contracts, verbose);
    for row in &contracts[..most] {
        let Some(place) = &row.place else {
            continue;
        };
        let _ = writeln!(text, "  {}  {}", place.shown(), row.declaration());
        if !row.requires.is_empty() {
            let most = shown(&row.requires, verbose);
            let more = match row.requires.len() - most {
                0 => String::new(),
                left => format!(", ... and {left} more (--verbose shows them)"),
            };
            let requires = row.requires[..most].join(", ");
            let _ = writeln!(text, "      called with: {requires}{more}");
        }
        list(&row.ensures, "never returns", verbose, &mut text);
    }
    if most < contracts.len() {
        let left = contracts.len() - most;
        let _ = writeln!(
            text,
            "  ... and {left} more functions (--verbose shows them)"
        );
    }
    text
}

/// Conjuncts below each other; `never` if they say that no run comes there.
fn list(conjuncts: &[String], never: &str, verbose: bool, text: &mut String) {
    let most = shown(conjuncts, verbose);
    for conjunct in &conjuncts[..most] {
        let shown = match conjunct.as_str() {
            "0" => never,
            conjunct => conjunct,
        };
        let _ = writeln!(text, "      {shown}");
    }
    if most < conjuncts.len() {
        let left = conjuncts.len() - most;
        let _ = writeln!(text, "      ... and {left} more (--verbose shows them)");
    }
}

/// How many rows are shown: none is left out alone.
fn shown<T>(rows: &[T], verbose: bool) -> usize {
    match verbose || rows.len() <= SHOWN + 1 {
        true => rows.len(),
        false => SHOWN,
    }
}
