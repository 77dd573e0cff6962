//! Refutations in the proof system of *Abstractions from Proofs*.
//!
//! # Paper
//! [henzinger2004abstractions], figure 3: HYP is [`Rule::Hyp`], CONTRA is [`Rule::Contra`] whose
//! [`Because::Farkas`] holds the multiples of COMB, RES is [`Rule::Res`], several in a row. We add
//! kinds of contradiction: of equalities over a lattice, of the sides of a number, and of functions
//! applied to equal arguments.
//!
//! # Invariants
//! - A step only refers to earlier steps.
//! - The clause of a step follows from the parts of the problem and from arithmetic.

use crate::literal::{AtomId, Literal};
use crate::simplex::Farkas;
use base::{IdVec, define_id};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

define_id! {
    /// A step of a proof.
    StepId = "p";
}

/// A derived clause and how it is derived.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// One of these holds.
    pub clause: Vec<Literal>,
    /// Why.
    pub rule: Rule,
}

/// A rule of the proof system.
#[derive(Clone, PartialEq, Debug)]
pub enum Rule {
    /// A part of the problem says so.
    Hyp {
        /// Which part.
        part: usize,
    },
    /// The negations of the literals contradict each other.
    Contra(Because),
    /// Resolution of a step with others, one after the other.
    Res {
        /// The step to begin with.
        first: StepId,
        /// On which atom, with which step.
        others: Vec<(AtomId, StepId)>,
    },
}

/// Why literals contradict each other.
#[derive(Clone, PartialEq, Debug)]
pub enum Because {
    /// Their inequalities add up to one that is false (COMB).
    Farkas(Farkas),
    /// Their equalities add up to one that no integers meet: whole coefficients, a broken constant.
    Lattice(Farkas),
    /// Their equalities leave only values of an integer that its bounds exclude.
    Residue {
        /// Multiples of the equalities: whole coefficients except for the integer.
        multiples: Farkas,
        /// The bounds of the integer.
        bounds: Vec<Literal>,
    },
    /// They leave no place for a number: not below, not above, not at a constant.
    Sides,
    /// A function has two values for equal arguments; the literal is the one about the values.
    Congruence(Literal),
}

/// The steps of a proof.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    steps: IdVec<StepId, Step>,
    units: FxHashMap<AtomId, StepId>,
}

impl Proof {
    /// The steps.
    pub fn steps(&self) -> &IdVec<StepId, Step> {
        &self.steps
    }

    /// A clause of a part.
    pub fn hypothesis(&mut self, clause: Vec<Literal>, part: usize) -> StepId {
        let rule = Rule::Hyp { part };
        self.steps.push(Step { clause, rule })
    }

    /// A clause that holds because its negated literals contradict each other.
    pub fn contradiction(&mut self, clause: Vec<Literal>, because: Because) -> StepId {
        let rule = Rule::Contra(because);
        self.steps.push(Step { clause, rule })
    }

    /// What resolutions of a step with others leave.
    pub fn resolve(
        &mut self,
        first: StepId,
        others: Vec<(AtomId, StepId)>,
        clause: Vec<Literal>,
    ) -> StepId {
        if others.is_empty() {
            return first;
        }
        debug_assert!(self.resolves_to(first, &others, &clause));
        let rule = Rule::Res { first, others };
        self.steps.push(Step { clause, rule })
    }

    /// Whether the resolutions leave just the literals of a clause.
    fn resolves_to(&self, first: StepId, others: &[(AtomId, StepId)], clause: &[Literal]) -> bool {
        let mut left: BTreeSet<Literal> = self.steps[first].clause.iter().copied().collect();
        for (atom, other) in others {
            let pivot = left.iter().find(|literal| literal.atom() == *atom).copied();
            let Some(pivot) = pivot else {
                return false;
            };
            let other = &self.steps[*other].clause;
            if !other.contains(&pivot.negated()) {
                return false;
            }
            left.remove(&pivot);
            left.extend(other.iter().filter(|literal| literal.atom() != *atom));
        }
        left == clause.iter().copied().collect()
    }

    /// The step that derives what an atom is, if it is known to stand alone.
    pub(crate) fn unit(&self, atom: AtomId) -> Option<StepId> {
        self.units.get(&atom).copied()
    }

    pub(crate) fn set_unit(&mut self, atom: AtomId, step: StepId) {
        self.units.insert(atom, step);
    }

    /// The steps that a step needs, and it, in order.
    pub fn needed(&self, root: StepId) -> Vec<StepId> {
        let mut seen = BTreeSet::from([root]);
        let mut open = vec![root];
        while let Some(step) = open.pop() {
            if let Rule::Res { first, others } = &self.steps[step].rule {
                let below = others.iter().map(|(_, step)| *step).chain([*first]);
                open.extend(below.filter(|&step| seen.insert(step)));
            }
        }
        seen.into_iter().collect()
    }
}
