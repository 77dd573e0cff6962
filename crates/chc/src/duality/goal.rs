//! Goals: what is still to be derived, and the constraints that led there.
//!
//! A goal is a tree of clauses. Its leaves are subgoals, its inner vertices the clauses that
//! subgoals were resolved with.

use super::instance::Instance;
use super::unwinding::VertexId;
use horn::{Derivation, Step, StepId};
use logic::{TermId, TermStore};
use smt::Model;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Which clauses of a goal a conflict needs, by their place in it.
pub(super) type Used = BTreeSet<usize>;

/// Something to be derived.
#[derive(Clone, Debug)]
pub(super) struct Subgoal {
    /// The instance of a relation.
    pub(super) vertex: VertexId,
    /// Its arguments: different symbols.
    pub(super) arguments: Vec<TermId>,
    /// The clause of the goal that needs it.
    pub(super) step: usize,
    /// Which relation of that clause's body it is.
    pub(super) place: usize,
}

/// A clause of a goal.
#[derive(Debug)]
pub(super) struct GoalStep {
    /// The clause.
    pub(super) instance: Rc<Instance>,
    /// The subgoal that it was resolved with: a clause of the goal, and the place in its body.
    pub(super) above: Option<(usize, usize)>,
    /// Its constraint, and that its head is the subgoal.
    pub(super) constraint: TermId,
    /// What the goal says of it: the constraint, or a decision that implies it.
    pub(super) pieces: Vec<TermId>,
}

/// What is to be derived.
#[derive(Debug, Default)]
pub(super) struct Goal {
    /// The clauses, in the order in which they were resolved.
    pub(super) steps: Vec<GoalStep>,
    /// The subgoals that are left.
    pub(super) open: Vec<Subgoal>,
}

impl Goal {
    /// The derivation that a model of a goal without subgoals is.
    pub(super) fn derivation(&self, store: &TermStore, model: &Model) -> Derivation {
        let mut derivation = Derivation::default();
        let mut derived: Vec<Option<StepId>> = vec![None; self.steps.len()];
        // What a clause needs was resolved after it.
        for (at, step) in self.steps.iter().enumerate().rev() {
            let value = |(&symbol, &term)| (symbol, model.evaluate(store, term));
            let premises = (0..step.instance.body.len()).filter_map(|place| {
                let is_it = |step: &GoalStep| step.above == Some((at, place));
                let below = self.steps.iter().position(is_it)?;
                derived[below]
            });
            let premises = premises.collect();
            derived[at] = Some(derivation.steps.push(Step {
                clause: step.instance.clause,
                values: step.instance.variables.iter().map(value).collect(),
                premises,
            }));
        }
        derivation
    }
}
