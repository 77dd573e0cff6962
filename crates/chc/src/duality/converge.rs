//! Convergence by goals: states from which false, or other such states, can be derived are excluded
//! for good, as long as the newest instances do not have them.
//!
//! Labels say what holds of one instance, in words that a conflict at that depth happened to need.
//! Here we look for what is inductive: a clause that excludes states of the newest instance is
//! added to what is said of all, and states from which one step breaks it are excluded next. Where
//! there are none left, what is said is a model. Where the newest instance may have such states,
//! the clause that they break said too much, and gets a literal back. What an attempt excluded is
//! where the next one begins, at the next depth.
//!
//! # Papers
//! The unwinding's newest label stands for the last frame of [bradley2011sat], and is not changed.
//! Each goal here is one resolution in the sense of [mcmillan2014lazy].
//!
//! # Invariants
//! - What is given is inductive and contradicts all queries.

use super::cover::PATIENCE;
use super::induct::Said;
use super::instance::Instance;
use super::learn::{Prefix, values};
use super::search::Search;
use crate::reduce::facts::halves;
use base::Budget;
use horn::{ClauseId, RelationId};
use logic::{Node, TermId, TermStore, implicant};
use smt::{Answer, Model};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many goals are tried for induction, in percent of those that were resolved.
const SHARE: usize = 150;
/// With fewer goals nothing is tried.
const LEAST: usize = 4;
/// How often a clause gets a literal back.
const RETURNS: usize = 100;
/// How much effort an attempt may take, in percent of the search's, and at least.
const EFFORT: u64 = 300;
const EFFORT_LEAST: u64 = 1_000_000;

/// States that are excluded.
pub(super) struct Excluded {
    relation: RelationId,
    /// Literals over the relation's parameters that describe them.
    cube: Vec<TermId>,
    /// Those of them that are enough up to now.
    core: Vec<TermId>,
}

/// States of a relation from which a clause derives what should not be.
struct Before {
    relation: RelationId,
    cube: Vec<TermId>,
    /// A model of one such step, and the arguments of the head there.
    model: Model,
    head: Vec<TermId>,
}

impl Search<'_> {
    /// A formula for each relation, inductive together and in contradiction to the queries, if
    /// clauses that the newest instances keep to make one.
    pub(super) fn converge(&mut self, budget: &Budget) -> Option<Said> {
        let most = self.resolved * SHARE / 100;
        if most < self.inducted + LEAST {
            return None;
        }
        let budget = &self.in_proportion(EFFORT, EFFORT_LEAST, budget);
        let mut all = self.excluded_still(budget);
        let is_model = self.exclude_all(&mut all, most, budget).is_some();
        let said = is_model.then(|| self.said(&all));
        self.excluded = all;
        said
    }

    /// Those of the last attempt's states that the newest instances do not have, either.
    fn excluded_still(&mut self, budget: &Budget) -> Vec<Excluded> {
        let mut all = std::mem::take(&mut self.excluded);
        all.retain_mut(|one| {
            let core = self.core_of(one.relation, &one.cube, Some(&one.core), budget);
            core.map(|core| one.core = core).is_some()
        });
        all
    }

    /// Excludes states from which false or excluded ones can be derived until there are none left;
    /// none if the attempt fails.
    fn exclude_all(&mut self, all: &mut Vec<Excluded>, most: usize, budget: &Budget) -> Option<()> {
        let mut returns = RETURNS;
        // The queries come first, then what is excluded.
        let mut at = 0;
        while at <= all.len() {
            let Some(before) = self.broken(all, at, budget)? else {
                at += 1;
                continue;
            };
            if self.inducted >= most {
                return None;
            }
            self.inducted += 1;
            (budget.counters()).add("duality resolutions for induction", 1);
            if let Some(core) = self.core_by_search(&before, budget)? {
                let Before { relation, cube, .. } = before;
                all.push(Excluded {
                    relation,
                    cube,
                    core,
                });
                continue;
            }
            returns = returns.checked_sub(1)?;
            let one = all.get_mut(at.checked_sub(1)?)?;
            let parameters = &self.unwinding.parameters[one.relation];
            let map = self.store.substitution(parameters, &before.head);
            let mut others = one.cube.iter().filter(|it| !one.core.contains(it));
            let &literal = others.find(|&&literal| {
                let said = self.store.substitute(literal, &map);
                !before.model.satisfies(&self.store, said)
            })?;
            one.core.push(literal);
            // All that was kept before may have needed what is said no more.
            at = 0;
        }
        Some(())
    }

    /// What is said of each relation where some states are excluded.
    fn said(&mut self, all: &[Excluded]) -> Said {
        let mut said = self.invariant.clone();
        for one in all {
            let formula = negation(&mut self.store, &one.core);
            said[one.relation].push(formula);
        }
        said
    }

    /// States from which false or excluded ones can be derived; the inner none if there are none,
    /// the outer if that is not known.
    fn broken(&mut self, all: &[Excluded], at: usize, budget: &Budget) -> Option<Option<Before>> {
        let (clauses, formula): (Vec<ClauseId>, TermId) = match at.checked_sub(1) {
            None => (self.system.queries().collect(), self.store.bool(false)),
            Some(at) => {
                let clauses = self.system.clauses_of(all[at].relation).collect();
                (clauses, negation(&mut self.store, &all[at].core))
            }
        };
        let said = self.said(all);
        for clause in clauses {
            if let Some(before) = self.before(clause, &said, formula, budget)? {
                return Some(Some(before));
            }
        }
        Some(None)
    }

    /// States from which a clause derives what does not satisfy a formula.
    fn before(
        &mut self,
        clause: ClauseId,
        said: &Said,
        formula: TermId,
        budget: &Budget,
    ) -> Option<Option<Before>> {
        let instance = self.instance(clause);
        let below = self.said_of_body(clause, said);
        let prefix = self.prefix(clause, &instance, &below);
        let claim = self.claims(clause, &instance, &[formula])[0];
        let negated = self.store.not(claim);
        let (answer, solver) = self.learner.ask(&self.store, &prefix, &[negated], budget);
        let model = match answer {
            Answer::Unsat => return Some(None),
            Answer::Sat => solver.model()?.clone(),
            Answer::Unknown(_) => return None,
        };
        let [atom] = &self.system.clauses[clause].body[..] else {
            return None;
        };
        let relation = atom.relation;
        let cube = self.cube(&instance, negated, &model, budget)?;
        let parameters = &self.unwinding.parameters[relation];
        let map = self.store.substitution(&instance.body[0], parameters);
        let mut halved = Vec::new();
        for literal in cube {
            let literal = self.store.substitute(literal, &map);
            halved.extend(halves(&mut self.store, literal));
        }
        Some(Some(Before {
            relation,
            cube: halved,
            model,
            head: instance.head.clone(),
        }))
    }

    /// Literals over the arguments of a clause's body that hold in a model; from all states that
    /// satisfy them the clause derives what breaks a claim.
    fn cube(
        &mut self,
        instance: &Instance,
        negated: TermId,
        model: &Model,
        budget: &Budget,
    ) -> Option<Vec<TermId>> {
        let whole = self.store.and(&[instance.constraint, negated]);
        let values = values(&self.store, model, whole);
        let literals = implicant(&mut self.store, whole, &BTreeSet::new(), &values)?;
        let whole = self.store.and(&literals);
        let rest = (self.learner).projected(&mut self.store, whole, &instance.body[0], budget)?;
        let cubes = match self.store.node(rest) {
            Node::Or(parts) => parts.to_vec(),
            _ => vec![rest],
        };
        let mut cubes = cubes.into_iter();
        let cube = cubes.find(|&cube| model.satisfies(&self.store, cube))?;
        Some(self.store.conjuncts(cube))
    }

    /// Few of the literals of states that the newest instance does not have, the inner none if it may
    /// have them. In a deep unwinding that is searched for: labels are strengthened if it does not
    /// have them.
    fn core_by_search(&mut self, states: &Before, budget: &Budget) -> Option<Option<Vec<TermId>>> {
        let Before { relation, cube, .. } = states;
        let core = self.core_of(*relation, cube, None, budget);
        let &newest = self.unwinding.of[*relation].last()?;
        if core.is_some() || self.unwinding.vertices[newest].depth < PATIENCE {
            return Some(core);
        }
        let formula = self.store.and(cube);
        match self.exclude(newest, formula, budget).ok()? {
            true => Some(self.core_of(*relation, cube, None, budget)),
            false => Some(None),
        }
    }

    /// Few of the literals of states that neither the newest instance of their relation has nor
    /// clauses without a body derive: those that are known, if they are still enough. Lists of values
    /// hold of one depth, and are used where all else is not enough.
    fn core_of(
        &mut self,
        relation: RelationId,
        cube: &[TermId],
        known: Option<&[TermId]>,
        budget: &Budget,
    ) -> Option<Vec<TermId>> {
        [false, true].into_iter().find_map(|with_lists| {
            let prefixes = self.prefixes(relation, with_lists)?;
            if let Some(known) = known
                && self.contradicts(relation, &prefixes, known, budget)
            {
                return Some(known.to_vec());
            }
            let mut core = cube.to_vec();
            if !self.contradicts(relation, &prefixes, &core, budget) {
                return None;
            }
            let mut at = 0;
            while at < core.len() && core.len() > 1 {
                let mut fewer = core.clone();
                fewer.remove(at);
                match self.contradicts(relation, &prefixes, &fewer, budget) {
                    true => core = fewer,
                    false => at += 1,
                }
            }
            Some(core)
        })
    }

    /// The ways to derive a fact of the newest instance of a relation, and those that need no body.
    fn prefixes(
        &mut self,
        relation: RelationId,
        with_lists: bool,
    ) -> Option<Vec<(Prefix, Rc<Instance>)>> {
        let &newest = self.unwinding.of[relation].last()?;
        let mut prefixes = Vec::new();
        for edge in self.unwinding.vertices[newest].edges.clone() {
            let instance = self.instance(edge.clause);
            let mut below = self.said_below(&edge);
            for said in &mut below {
                said.retain(|it| with_lists || !self.listed.contains(it));
            }
            prefixes.push((self.prefix(edge.clause, &instance, &below), instance));
        }
        for clause in self.system.clauses_of(relation) {
            if self.system.clauses[clause].body.is_empty() {
                let instance = self.instance(clause);
                prefixes.push((self.prefix(clause, &instance, &[]), instance));
            }
        }
        Some(prefixes)
    }

    /// Whether no prefix derives a fact that satisfies literals over the relation's parameters.
    fn contradicts(
        &mut self,
        relation: RelationId,
        prefixes: &[(Prefix, Rc<Instance>)],
        literals: &[TermId],
        budget: &Budget,
    ) -> bool {
        let formula = self.store.and(literals);
        prefixes.iter().all(|(prefix, instance)| {
            let arguments = &instance.head;
            let said = (self.unwinding).instantiate(&mut self.store, relation, formula, arguments);
            self.learner.ask(&self.store, prefix, &[said], budget).0 == Answer::Unsat
        })
    }
}

fn negation(store: &mut TermStore, cube: &[TermId]) -> TermId {
    store.not_all(cube)
}
