//! Smaller and more general labels: what neither neighbouring step needs is dropped.
//!
//! A label takes part in two steps: its part and its children imply it, and with its siblings and
//! the parent's part it implies the parent's label. From the root down, conjuncts and literals of
//! disjuncts are dropped that the second step does without; then, from the leaves up, disjuncts
//! and literals of conjuncts that the first step does without. A core of the step's check says
//! which these are.
//!
//! # Paper
//! The generalisation of labels in [mcmillan2014lazy], by cores.

use super::backward::negated;
use crate::eliminate::{halved, joined};
use crate::{Answer, Solver};
use base::Budget;
use logic::{Node, TermId, TermStore};
use prover::Shape;

/// The interpolants without what is not needed; all steps hold as before. Where the budget ends or
/// the solver does not know, labels stay as they are.
pub fn weaken(
    store: &mut TermStore,
    parts: &[TermId],
    shape: &Shape,
    interpolants: &[TermId],
    budget: &Budget,
) -> Vec<TermId> {
    let mut chain = Chain {
        parts,
        shape,
        labels: interpolants.to_vec(),
        solver: Solver::new(),
    };
    for cut in (0..interpolants.len()).rev() {
        chain.generalise(store, cut, budget);
    }
    for cut in 0..interpolants.len() {
        chain.sharpen(store, cut, budget);
    }
    chain.labels
}

struct Chain<'a> {
    parts: &'a [TermId],
    shape: &'a Shape,
    labels: Vec<TermId>,
    solver: Solver,
}

impl Chain<'_> {
    /// Makes a label weaker, as long as the step above it holds.
    fn generalise(&mut self, store: &mut TermStore, cut: usize, budget: &Budget) {
        let Some(parent) = self.shape.parent(cut) else {
            return;
        };
        self.solver.push();
        self.assert_step(store, parent, Some(cut));
        let label = self.labels[cut];
        self.labels[cut] = match store.node(label).clone() {
            Node::Or(members) => {
                let members = members.iter();
                let members: Vec<TermId> = members
                    .map(|&member| self.needed_of(store, member, budget))
                    .collect();
                store.or(&members)
            }
            _ => self.needed_of(store, label, budget),
        };
        self.solver.pop();
    }

    /// The conjuncts of a formula without which it does not contradict the assertions.
    fn needed_of(&mut self, store: &mut TermStore, formula: TermId, budget: &Budget) -> TermId {
        let conjuncts = store.conjuncts(formula);
        let conjuncts = halved(store, &conjuncts);
        let core = self.core(store, &conjuncts, budget);
        let Some(core) = core.filter(|core| core.len() < conjuncts.len()) else {
            return formula;
        };
        let core = joined(store, &core);
        store.and(&core)
    }

    /// Makes a label stronger, as long as the step below it holds.
    fn sharpen(&mut self, store: &mut TermStore, cut: usize, budget: &Budget) {
        self.solver.push();
        self.assert_inside(store, cut, None);
        let label = self.labels[cut];
        self.labels[cut] = match store.node(label).clone() {
            Node::And(members) => {
                let members = members.iter();
                let members: Vec<TermId> = members
                    .map(|&member| self.implied_of(store, member, budget))
                    .collect();
                store.and(&members)
            }
            _ => self.implied_of(store, label, budget),
        };
        self.solver.pop();
    }

    /// The disjuncts of a formula without which the assertions do not imply it.
    fn implied_of(&mut self, store: &mut TermStore, formula: TermId, budget: &Budget) -> TermId {
        let Node::Or(members) = store.node(formula).clone() else {
            return formula;
        };
        let denied: Vec<TermId> = members
            .iter()
            .map(|&member| negated(store, member))
            .collect();
        let Some(core) = self.core(store, &denied, budget) else {
            return formula;
        };
        let kept = members.iter().zip(&denied);
        let kept = kept.filter(|(_, denied)| core.contains(denied));
        let kept: Vec<TermId> = kept.map(|(&member, _)| member).collect();
        store.or(&kept)
    }

    fn core(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Option<Vec<TermId>> {
        match self.solver.check(store, assumptions, budget) {
            Answer::Unsat => {
                let core = self.solver.core().to_vec();
                Some(self.solver.minimise(store, &core, budget))
            }
            Answer::Sat | Answer::Unknown(_) => None,
        }
    }

    /// Asserts that the step at a part fails, without one of its children.
    fn assert_step(&mut self, store: &mut TermStore, part: usize, without: Option<usize>) {
        self.assert_inside(store, part, without);
        if let Some(&label) = self.labels.get(part) {
            let denied = negated(store, label);
            self.solver.assert(store, denied);
        }
    }

    fn assert_inside(&mut self, store: &TermStore, part: usize, without: Option<usize>) {
        self.solver.assert(store, self.parts[part]);
        for child in self.shape.children(part) {
            if Some(child) != without {
                self.solver.assert(store, self.labels[child]);
            }
        }
    }
}
