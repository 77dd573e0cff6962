//! Minimises a proof for readers: drops what it does not need.
//!
//! Conjuncts of labels are dropped, large ones first. A disjunction that must stay is replaced by
//! the hull of its cases, by fewer cases, or by shorter ones (`step`).
//!
//! # Invariants
//! - The result was checked like the original proof, or is that proof: every change of a label was,
//!   with all obligations that involve the label.
//! - Every change leaves less to read.

mod step;

#[cfg(test)]
mod tests;

use super::cases::{self, Asker, Case, Known, but, cases_of, size};
use super::simple::conjuncts;
use base::Budget;
use certify::Inductive;
use interpolate::eliminate::disjunction;
use logic::{Node, SymbolId, TermId};
use program::expr::Type;
use program::ir::{LocationId, ProcId, Program};
use program::pass::inlined;
use smt::Solver;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Checking larger programs again and again takes too long.
const MOST_EDGES: usize = 3000;
/// What one check may cost.
const EACH: u64 = 200_000;

/// The proof with less in its labels. None if all of it is needed.
pub(super) fn minimised(
    program: &Program,
    proof: &Inductive,
    budget: &Budget,
) -> Option<Inductive> {
    let edges: usize = program.procs.iter().map(|proc| proc.edges.len()).sum();
    if edges > MOST_EDGES {
        return None;
    }
    // Every check needs the program that the labels are about: it is made once.
    let inlined = proof.inlined.map(|limit| inlined(program, limit));
    let mut minimiser = Minimiser {
        program: inlined.as_ref().unwrap_or(program),
        proof: Inductive {
            inlined: None,
            ..proof.clone()
        },
        solver: Solver::new(),
        known: Known::new(),
        budget,
        refused: BTreeSet::new(),
        each: BTreeMap::new(),
    };
    let is_smaller = minimiser.run();
    let small = Inductive {
        inlined: proof.inlined,
        ..minimiser.proof
    };
    is_smaller.then_some(small)
}

/// Whose label.
type Key = (ProcId, LocationId);
/// That symbols have values of their types.
type Ranges = BTreeMap<SymbolId, Vec<TermId>>;

struct Minimiser<'a> {
    /// What the labels are about.
    program: &'a Program,
    proof: Inductive,
    solver: Solver,
    known: Known,
    budget: &'a Budget,
    /// Labels that make no proof with the present others.
    refused: BTreeSet<(Key, TermId)>,
    /// What a check of a contract may cost, by what it has cost.
    each: BTreeMap<Key, u64>,
}

impl Minimiser<'_> {
    /// Goes through the labels until nothing changes any more. Says whether something did.
    fn run(&mut self) -> bool {
        let (ranges, at_ends) = self.ranges();
        let mut labels = BTreeMap::new();
        let never = self.proof.store.bool(false);
        let mut is_smaller = false;
        // That nothing comes there is as short as it gets, and what is after has no labels.
        let all = self.proof.labels.iter().map(|(&key, &label)| (key, label));
        let mut all: Vec<(Key, TermId)> = all.filter(|&(_, label)| label != never).collect();
        // What is not said about an exit need not be known at the entry.
        let procs = &self.program.procs;
        all.sort_by_key(|&((proc, at), _)| at == procs[proc].entry);
        for (key, label) in all {
            let row = &self.program.procs[key.0];
            let is_end = [row.entry, row.exit].contains(&key.1);
            let mut kept = self.proof.store.conjuncts(label);
            if is_end {
                is_smaller |= self.drop_many(key, &mut kept);
            }
            // What all cases of a label have in common is a conjunct of its own then.
            let store = &mut self.proof.store;
            let label = store.and(&kept);
            let ranges = if is_end { &at_ends } else { &ranges };
            let kept = conjuncts(&mut self.solver, store, label, ranges, self.budget);
            labels.insert(key, kept);
        }
        self.refused.clear();
        loop {
            let mut has_changed = false;
            for (&key, kept) in &mut labels {
                has_changed |= self.drop_conjuncts(key, kept);
            }
            let mut order: Vec<(&Key, &mut Case)> = labels.iter_mut().collect();
            order.sort_by_key(|(_, kept)| Reverse(self.size(kept)));
            for (&key, kept) in order {
                has_changed |= self.simplify_disjunctions(key, kept);
            }
            is_smaller |= has_changed;
            if !has_changed || self.budget.check().is_err() {
                return is_smaller;
            }
            self.refused.clear();
        }
    }

    /// Drops many conjuncts at a time: contracts say much, and short facts that follow from long
    /// ones may be all that is needed.
    fn drop_many(&mut self, key: Key, kept: &mut Case) -> bool {
        let effort = self.budget.effort();
        let budget = self.budget.clone().with_effort(EACH);
        if self.proof.check_label(self.program, key, &budget).is_err() {
            return false;
        }
        let cost = self.budget.effort() - effort;
        self.each.insert(key, EACH.min(2 * cost));
        let before = kept.len();
        let mut all = kept.clone();
        all.sort_by_key(|&conjunct| Reverse(size(&self.proof.store, conjunct)));
        let mut groups = vec![all];
        while let Some(group) = groups.pop() {
            let effort = self.budget.effort();
            let rest = kept.iter().copied();
            let rest: Case = rest.filter(|other| !group.contains(other)).collect();
            if self.takes(key, kept, rest) {
                continue;
            }
            // Few questions that are too hard can be paid for.
            if self.budget.effort() - effort >= self.each[&key] {
                break;
            }
            if group.len() > 1 {
                let (long, short) = group.split_at(group.len() / 2);
                groups.extend([short.to_vec(), long.to_vec()]);
            }
        }
        kept.len() < before
    }

    fn drop_conjuncts(&mut self, key: Key, kept: &mut Case) -> bool {
        let before = kept.len();
        let mut tried = kept.clone();
        tried.sort_by_key(|&conjunct| Reverse(size(&self.proof.store, conjunct)));
        for conjunct in tried {
            let rest = kept.iter().copied();
            let rest: Case = rest.filter(|&other| other != conjunct).collect();
            self.takes(key, kept, rest);
        }
        kept.len() < before
    }

    fn simplify_disjunctions(&mut self, key: Key, kept: &mut Case) -> bool {
        let mut is_simpler = false;
        let mut index = 0;
        while index < kept.len() {
            match self.simplify(key, kept, index) {
                // The order of the conjuncts may be another now.
                true => (is_simpler, index) = (true, 0),
                false => index += 1,
            }
        }
        is_simpler
    }

    /// Tries what is simpler than a conjunct that is a disjunction.
    fn simplify(&mut self, key: Key, kept: &mut Case, index: usize) -> bool {
        let Some(cases) = cases_of(&self.proof.store, kept[index]) else {
            return false;
        };
        if cases.len() > cases::MOST || self.budget.check().is_err() {
            return false;
        }
        let others = but(kept, index);
        let hull = self.asker().hull(&others, &cases);
        if self.takes(key, kept, [&others[..], &hull].concat()) {
            return true;
        }
        step::KINDS.iter().any(|steps| {
            let steps = steps(&mut self.asker(), &others, &cases);
            steps.into_iter().any(|cases| {
                let simpler = disjunction(&mut self.proof.store, &cases);
                self.takes(key, kept, [&others[..], &[simpler]].concat())
            })
        })
    }

    /// Takes other conjuncts for a label if they are less to read and it is still a proof.
    fn takes(&mut self, key: Key, kept: &mut Case, conjuncts: Case) -> bool {
        if self.size(&conjuncts) >= self.size(kept) {
            return false;
        }
        let label = self.proof.store.and(&conjuncts);
        if self.budget.check().is_err() || self.refused.contains(&(key, label)) {
            return false;
        }
        let before = self.proof.labels.insert(key, label);
        let each = self.each.get(&key).copied().unwrap_or(EACH);
        let budget = self.budget.clone().with_effort(each);
        let checked = self.proof.check_label(self.program, key, &budget);
        if checked.is_err() {
            self.proof.labels.extend(before.map(|label| (key, label)));
            self.refused.insert((key, label));
            return false;
        }
        *kept = self.proof.store.conjuncts(label);
        true
    }

    /// That every variable has a value of its type; and at the ends of a procedure so have entry
    /// values and results. Between, the checker knows that of a ghost from its labels alone.
    fn ranges(&mut self) -> (Ranges, Ranges) {
        let vars = self.program.vars.iter_enumerated();
        let vars = vars.map(|(var, row)| (self.proof.vars[var], row.ty));
        let vars: BTreeMap<SymbolId, Type> = vars.collect();
        let mut at_ends = vars.clone();
        for ghost in &self.proof.ghosts {
            if let Node::Symbol(var) = self.proof.store.node(ghost.initial)
                && let Some(&ty) = vars.get(var)
                && ghost.updates.is_empty()
            {
                at_ends.insert(ghost.symbol, ty);
            }
        }
        for (&proc, &result) in &self.proof.results {
            at_ends.extend(self.program.procs[proc].ret.map(|ty| (result, ty)));
        }
        let store = &mut self.proof.store;
        [vars, at_ends]
            .map(|types| super::ranges(store, types.into_iter()))
            .into()
    }

    fn asker(&mut self) -> Asker<'_> {
        Asker {
            solver: &mut self.solver,
            store: &mut self.proof.store,
            budget: self.budget,
            known: &mut self.known,
        }
    }

    fn size(&self, formulas: &[TermId]) -> usize {
        let sizes = formulas.iter();
        sizes.map(|&formula| size(&self.proof.store, formula)).sum()
    }
}
