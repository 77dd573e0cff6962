//! Simplifies interpolants: what their steps do not need is dropped.
//!
//! A conjunct somewhere in a formula may be dropped if the step above still holds, a disjunct if
//! the step below does. Each query is about one step only, and the prover answers it; what it
//! cannot answer quickly stays.
//!
//! # Paper
//! [mcmillan2014lazy], section 4, drops literals in the same spirit.

use base::Budget;
use logic::{Node, TermId, TermStore};
use prover::{Answer, Limits, Problem, Shape, refute};
use std::collections::VecDeque;

/// Larger formulas are left alone.
const MOST_PARTS: usize = 60;

/// How many questions are asked for all interpolants of a problem.
const QUESTIONS: usize = 60;

const LIMITS: Limits = Limits {
    conflicts: 100,
    splits: 20,
    pivots: 2_000,
};

/// Drops what can be dropped from interpolants, which stay interpolants.
pub fn generalise(
    store: &mut TermStore,
    problem: Problem<'_>,
    interpolants: &mut [TermId],
    budget: &Budget,
) {
    let cuts = interpolants.len();
    let mut chain = Chain {
        store,
        problem,
        interpolants,
        questions: QUESTIONS,
        budget,
    };
    // Weaker from the end, stronger from the start, so that one change can lead to the next.
    for cut in (0..cuts).rev() {
        chain.shrink(cut, Kind::And);
    }
    for cut in 0..cuts {
        chain.shrink(cut, Kind::Or);
    }
}

/// The interpolants of a problem.
struct Chain<'a> {
    store: &'a mut TermStore,
    problem: Problem<'a>,
    interpolants: &'a mut [TermId],
    questions: usize,
    budget: &'a Budget,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    And,
    Or,
}

impl Chain<'_> {
    /// Drops conjuncts, or disjuncts, of one interpolant.
    fn shrink(&mut self, cut: usize, kind: Kind) {
        if self.store.below(&[self.interpolants[cut]]).len() > MOST_PARTS {
            return;
        }
        let part = match kind {
            Kind::And => self.problem.shape.parent(cut).unwrap_or(cut),
            Kind::Or => cut,
        };
        let mut at = 0;
        while let Some(smaller) = without(self.store, self.interpolants[cut], kind, at) {
            if self.questions == 0 {
                return;
            }
            let old = std::mem::replace(&mut self.interpolants[cut], smaller);
            if !self.step_holds(part) {
                self.interpolants[cut] = old;
                at += 1;
            }
        }
    }

    /// Whether a part and the interpolants below it imply the one above it.
    fn step_holds(&mut self, part: usize) -> bool {
        self.questions -= 1;
        let step = self.problem.step(self.store, self.interpolants, part);
        let step = self.store.and(&step);
        let one = Shape::sequence(1);
        let answer = refute(self.store, one.of(&[step]), LIMITS, self.budget);
        matches!(answer, Answer::Refuted(_))
    }
}

/// The formula without one of its conjuncts, or disjuncts, at any depth: the one with a number,
/// outer ones first.
fn without(store: &mut TermStore, formula: TermId, kind: Kind, mut at: usize) -> Option<TermId> {
    let mut open = VecDeque::from([formula]);
    while let Some(owner) = open.pop_front() {
        let (members, counts) = match store.node(owner) {
            Node::And(members) => (members.to_vec(), kind == Kind::And),
            Node::Or(members) => (members.to_vec(), kind == Kind::Or),
            _ => continue,
        };
        for &member in members.iter().filter(|_| counts) {
            if at == 0 {
                return Some(rebuilt(store, formula, owner, member));
            }
            at -= 1;
        }
        open.extend(members);
    }
    None
}

/// The formula with a member of an inner conjunction or disjunction left out. Only the Boolean
/// structure is looked at: the same formula below a negation or in a condition stays.
fn rebuilt(store: &mut TermStore, formula: TermId, owner: TermId, member: TermId) -> TermId {
    let members = match store.node(formula) {
        Node::And(members) | Node::Or(members) => members.to_vec(),
        _ => return formula,
    };
    let kept: Vec<TermId> = if formula == owner {
        members.into_iter().filter(|&it| it != member).collect()
    } else {
        let rebuild = |it: TermId| rebuilt(store, it, owner, member);
        members.into_iter().map(rebuild).collect()
    };
    match store.node(formula) {
        Node::And(_) => store.and(&kept),
        _ => store.or(&kept),
    }
}
