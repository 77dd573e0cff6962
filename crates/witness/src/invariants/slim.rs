//! A proof without what it does not need: people read the rest.
//!
//! # Invariants
//! - What comes out was checked as the proof before it was, or is that proof.

use super::simple::conjuncts;
use base::Budget;
use certify::Inductive;
use logic::{TermId, TermStore};
use program::ir::Program;
use smt::Solver;
use std::collections::BTreeMap;

/// Checking larger programs again and again takes too long.
const MOST_EDGES: usize = 3000;

/// The proof with fewer conjuncts in its labels: large ones go first. None if none can go.
pub(super) fn slimmed(program: &Program, proof: &Inductive, budget: &Budget) -> Option<Inductive> {
    let edges: usize = program.procs.iter().map(|proc| proc.edges.len()).sum();
    if edges > MOST_EDGES {
        return None;
    }
    let mut solver = Solver::new();
    let mut slim = proof.clone();
    let mut is_slimmer = false;
    for key in proof.labels.keys() {
        // What all cases of a label have in common is a conjunct of its own then.
        let label = slim.labels[key];
        let ranges = BTreeMap::new();
        let mut kept = conjuncts(&mut solver, &mut slim.store, label, &ranges, budget);
        let mut tried = kept.clone();
        tried.sort_by_key(|&conjunct| std::cmp::Reverse(size(&slim.store, conjunct)));
        for conjunct in tried {
            let rest: Vec<TermId> = (kept.iter().copied())
                .filter(|&other| other != conjunct)
                .collect();
            let label = slim.store.and(&rest);
            let before = slim.labels.insert(*key, label);
            if budget.check().is_ok() && slim.check(program, budget).is_ok() {
                kept = rest;
                is_slimmer = true;
            } else if let Some(before) = before {
                slim.labels.insert(*key, before);
            }
        }
    }
    is_slimmer.then_some(slim)
}

fn size(store: &TermStore, term: TermId) -> usize {
    store.readable(term).len()
}
