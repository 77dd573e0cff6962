//! Goals: what is still to be derived, and the constraints that led there.
//!
//! A goal is a tree of clauses. Its leaves are subgoals, its inner vertices the clauses that
//! subgoals were resolved with.

use super::derived::Derived;
use super::instance::Instance;
use super::unwinding::VertexId;
use horn::{Derivation, Step, StepId, System};
use logic::{TermId, TermStore};
use smt::Model;
use std::collections::{BTreeMap, BTreeSet};
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

/// What a subgoal was resolved with.
#[derive(Clone, Debug)]
pub(super) enum By {
    /// A clause.
    Clause(Rc<Instance>),
    /// A fact that was derived before.
    Fact(StepId),
    /// Nothing: what is asked is whether a subgoal has a fact of some kind.
    Claim,
}

/// A clause of a goal.
#[derive(Debug)]
pub(super) struct GoalStep {
    /// The clause, or a fact.
    pub(super) by: By,
    /// The subgoal that it was resolved with: a clause of the goal, and the place in its body.
    pub(super) above: Option<(usize, usize)>,
    /// That its head is the subgoal.
    pub(super) link: TermId,
    /// A decision that implies the constraint and the link, if there is one.
    pub(super) decision: Option<TermId>,
    /// What all clauses before it say of the subgoal, if that was made of them.
    pub(super) context: Option<TermId>,
}

impl GoalStep {
    /// Whether what it says is in literals.
    pub(super) fn is_narrow(&self) -> bool {
        match &self.by {
            By::Clause(_) => self.decision.is_some(),
            By::Fact(_) | By::Claim => true,
        }
    }

    /// What must be assumed for it.
    pub(super) fn assumed(&self) -> Vec<TermId> {
        match (self.decision, &self.by) {
            (Some(decision), _) => vec![decision],
            (None, By::Clause(instance)) => vec![instance.guard, self.link],
            (None, By::Fact(_) | By::Claim) => vec![self.link],
        }
    }

    /// What the goal says of it.
    pub(super) fn formula(&self, store: &mut TermStore) -> TermId {
        match (self.decision, &self.by) {
            (Some(decision), _) => decision,
            (None, By::Clause(instance)) => store.and(&[instance.constraint, self.link]),
            (None, By::Fact(_) | By::Claim) => self.link,
        }
    }
}

/// What is to be derived.
#[derive(Debug, Default)]
pub(super) struct Goal {
    /// The clauses and facts, in the order in which they were resolved.
    pub(super) steps: Vec<GoalStep>,
    /// The subgoals that are left.
    pub(super) open: Vec<Subgoal>,
}

impl Goal {
    /// The last clause with a context, which stands for all clauses before it.
    pub(super) fn base(&self) -> Option<(usize, TermId)> {
        let steps = self.steps.iter().enumerate().rev();
        steps
            .filter_map(|(at, step)| Some((at, step.context?)))
            .next()
    }

    /// Lets every clause stand for itself again.
    pub(super) fn forget_contexts(&mut self) {
        for step in &mut self.steps {
            step.context = None;
        }
    }

    /// The constraint of the last clause, if all others are narrowed to literals.
    pub(super) fn alone(&self) -> Option<TermId> {
        let (last, others) = self.steps.split_last()?;
        match &last.by {
            By::Clause(instance) if others.iter().all(GoalStep::is_narrow) => {
                Some(instance.constraint)
            }
            By::Clause(_) | By::Fact(_) | By::Claim => None,
        }
    }

    /// Notes the facts that a model makes of the clauses all of whose needs are resolved, and gives
    /// the whole derivation if the query is one of them.
    pub(super) fn derive(
        &self,
        system: &System,
        store: &TermStore,
        model: &Model,
        facts: &mut Derived,
    ) -> Option<Derivation> {
        let mut found: Vec<Option<StepId>> = vec![None; self.steps.len()];
        let mut below: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (at, step) in self.steps.iter().enumerate() {
            below.extend(step.above.map(|above| (above, at)));
        }
        // What a clause needs was resolved after it.
        for (at, step) in self.steps.iter().enumerate().rev() {
            let instance = match &step.by {
                By::Fact(id) => {
                    found[at] = Some(*id);
                    continue;
                }
                // There is such a fact; nothing is derived from it.
                By::Claim => {
                    let fact = below.get(&(at, 0)).and_then(|&below| found[below]);
                    return fact.map(|_| Derivation::default());
                }
                By::Clause(instance) => instance,
            };
            let premises: Option<Vec<StepId>> = (0..instance.body.len())
                .map(|place| below.get(&(at, place)).and_then(|&below| found[below]))
                .collect();
            let Some(premises) = premises else {
                continue;
            };
            let value = |(&symbol, &term)| (symbol, model.evaluate(store, term));
            let derived = Step {
                clause: instance.clause,
                values: instance.variables.iter().map(value).collect(),
                premises,
            };
            if step.above.is_none() {
                return Some(facts.ending(derived));
            }
            found[at] = facts.add(system, derived);
        }
        None
    }
}
