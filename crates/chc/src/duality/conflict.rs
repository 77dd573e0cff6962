//! Whether a goal has a model with the labels of its subgoals, and which of its clauses a conflict
//! needs.

use super::goal::Used;
use super::learn::Prefix;
use super::search::Search;
use base::Budget;
use certify::Reason;
use logic::TermId;
use smt::{Answer, Model};
use std::collections::BTreeSet;

/// Why a goal has no model.
#[derive(Debug)]
pub(super) struct Conflict {
    /// Whether the last clause has a part in it.
    pub(super) needs_prefix: bool,
    /// The other clauses that have.
    pub(super) used: Used,
    /// What these say.
    pub(super) suffix: Vec<TermId>,
}

impl Search<'_> {
    /// A model of the goal with the labels of its subgoals, or why there is none.
    pub(super) fn model(
        &mut self,
        more: Option<TermId>,
        budget: &Budget,
    ) -> Result<Result<Model, Conflict>, Reason> {
        // What is assumed, and the clause for which it is.
        let base = self.goal.base();
        let mut assumed: Vec<(TermId, usize)> = Vec::new();
        assumed.extend(base.map(|(at, context)| (context, at - 1)));
        let first = base.map_or(0, |(at, _)| at);
        for (at, step) in self.goal.steps.iter().enumerate().skip(first) {
            assumed.extend(step.assumed().into_iter().map(|term| (term, at)));
        }
        let mut labels: Vec<(TermId, usize)> = Vec::new();
        for subgoal in &self.goal.open {
            let arguments = &subgoal.arguments;
            let label = (self.unwinding).label(&mut self.store, subgoal.vertex, arguments);
            labels.push((label, subgoal.step));
        }
        let store = &self.store;
        let terms = assumed.iter().chain(&labels).map(|&(term, _)| term);
        let terms = terms.chain(more);
        let terms: Vec<TermId> = terms
            .filter(|&term| store.as_bool(term) != Some(true))
            .collect();
        // Where all but the last clause are narrowed to literals, a solver that knows that clause
        // alone has much less to look at.
        let (answer, solver) = match self.goal.alone() {
            Some(constraint) => {
                let prefix = Prefix {
                    constraint,
                    more: terms,
                };
                self.learner.ask(&self.store, &prefix, &[], budget)
            }
            None => {
                let answer = self.solver.check(&self.store, &terms, budget);
                (answer, &self.solver)
            }
        };
        match answer {
            Answer::Sat => match solver.model() {
                Some(model) => Ok(Ok(model.clone())),
                None => Err(Reason::unfinished(
                    "a model of a goal cannot be read",
                    budget,
                )),
            },
            Answer::Unsat => {
                let core = solver.core().iter().copied().collect();
                Ok(Err(self.conflict(&core, &assumed, &labels)))
            }
            Answer::Unknown(why) => Err(Reason::unfinished(why, budget)),
        }
    }

    /// What the last question's core says of the goal.
    fn conflict(
        &mut self,
        core: &BTreeSet<TermId>,
        assumed: &[(TermId, usize)],
        labels: &[(TermId, usize)],
    ) -> Conflict {
        let own = self.goal.steps.len().saturating_sub(1);
        let is_needed = |(term, step): &&(TermId, usize)| core.contains(term) && *step != own;
        let steps: Used = assumed
            .iter()
            .filter(is_needed)
            .map(|&(_, at)| at)
            .collect();
        let mut used = steps.clone();
        let base = self.goal.base();
        let mut suffix: Vec<TermId> = Vec::new();
        for &step in &steps {
            let context = base.filter(|&(at, _)| at == step + 1);
            suffix.push(match context {
                Some((_, context)) => context,
                None => self.goal.steps[step].formula(&mut self.store),
            });
        }
        for &(label, step) in labels.iter().filter(is_needed) {
            suffix.push(label);
            used.insert(step);
        }
        // Without its link the last clause has nothing to do with the others.
        let link = self.goal.steps.last().map(|step| step.link);
        let is_linked = link.is_some_and(|link| core.contains(&link));
        Conflict {
            needs_prefix: is_linked || suffix.is_empty(),
            used,
            suffix,
        }
    }
}
