//! Goals of induction: states from which false, or such states again, can be derived are excluded for
//! good, as long as the newest instances do not have them.
//!
//! Labels say what holds of one instance, in words that a conflict at that depth happened to need.
//! Here we look for what is inductive: a lemma, a clause that excludes states of the newest instance,
//! is added to what is said of all, and the predecessors of states that break it are excluded next.
//! Where there are none left, what is said is a model. Where the newest instance may have such a
//! predecessor, the lemma said too much, and gets a literal back. The lemmas of an attempt are where
//! the next one begins, at the next depth.
//!
//! # Papers
//! The unwinding's newest label stands for the last frame of [bradley2011sat]; from depth
//! [`PATIENCE`] on a search for the states that are to be excluded may strengthen it. A goal is one
//! resolution in the sense of [mcmillan2014lazy], besides those of that search.
//!
//! # Invariants
//! - What is given is inductive and contradicts all queries.

use super::cover::PATIENCE;
use super::induct::Said;
use super::instance::Instance;
use super::learn::{Prefix, fewest};
use super::search::Search;
use super::unwinding::VertexId;
use crate::realise::values;
use crate::reduce::facts::halves;
use base::Budget;
use horn::{ClauseId, RelationId};
use logic::{Node, TermId, implicant};
use smt::{Answer, Model};
use std::collections::BTreeSet;
use std::rc::Rc;

/// No new goal is tried once there were as many, in percent of those that were resolved for queries
/// and covers.
const SHARE: usize = 150;
/// Where fewer goals are left than this, none is tried.
const LEAST: usize = 4;
/// How often lemmas get a literal back.
const RETURNS: usize = 100;
/// How much effort an attempt may take, in percent of the search's, and at least. One that takes
/// more than all before it is followed by a pause ([`Search::induct`]).
const EFFORT: u64 = 300;
const EFFORT_LEAST: u64 = 1_000_000;

/// States that are excluded: none of a relation's facts satisfies its core.
pub(super) struct Lemma {
    relation: RelationId,
    /// Literals over the relation's parameters that describe the states.
    cube: Vec<TermId>,
    /// Those of them that are enough up to now.
    core: Vec<TermId>,
}

/// States from which one step derives false or breaks a lemma.
struct Predecessor {
    relation: RelationId,
    cube: Vec<TermId>,
    /// A model of one such step, and the arguments of the head there.
    model: Model,
    head: Vec<TermId>,
}

/// An attempt ends where a limit is reached, a question is not answered or a state is reachable.
struct GaveUp;

type Attempt<T> = Result<T, GaveUp>;

impl Search<'_> {
    /// A formula for each relation, inductive together and in contradiction to the queries, if
    /// lemmas that the newest instances keep make one.
    pub(super) fn solve_inductive_goals(&mut self, budget: &Budget) -> Option<Said> {
        let most = self.resolved * SHARE / 100;
        if most < self.induction.goals + LEAST {
            return None;
        }
        let budget = &self.in_proportion(EFFORT, EFFORT_LEAST, budget);
        let mut lemmas = self.lemmas_still_kept(budget);
        let is_model = self.exclude_all(&mut lemmas, most, budget).is_ok();
        let said = is_model.then(|| self.said_by(&lemmas));
        self.induction.lemmas = lemmas;
        said
    }

    /// Those of the last attempt's lemmas that the newest instances keep, too.
    fn lemmas_still_kept(&mut self, budget: &Budget) -> Vec<Lemma> {
        let mut lemmas = std::mem::take(&mut self.induction.lemmas);
        lemmas.retain_mut(|lemma| {
            let core = self.core_of(lemma.relation, &lemma.cube, Some(&lemma.core), budget);
            core.map(|core| lemma.core = core).is_some()
        });
        lemmas
    }

    /// Excludes the predecessors of false and of what breaks lemmas until there are none left.
    fn exclude_all(
        &mut self,
        lemmas: &mut Vec<Lemma>,
        most: usize,
        budget: &Budget,
    ) -> Attempt<()> {
        let mut returns = RETURNS;
        // The queries come first, then the lemmas.
        let mut at = 0;
        while at <= lemmas.len() {
            let Some(found) = self.predecessor(lemmas, at, budget)? else {
                at += 1;
                continue;
            };
            if self.induction.goals >= most {
                return Err(GaveUp);
            }
            self.count_inductive_goal(budget);
            if let Some(core) = self.core_by_search(&found, budget)? {
                let Predecessor { relation, cube, .. } = found;
                lemmas.push(Lemma {
                    relation,
                    cube,
                    core,
                });
                continue;
            }
            // The newest instance may have the predecessor: of a query, there is nothing to weaken.
            let broken = at.checked_sub(1).ok_or(GaveUp)?;
            returns = returns.checked_sub(1).ok_or(GaveUp)?;
            self.weaken(&mut lemmas[broken], &found)?;
            // All that was kept before may have needed what is said no more.
            at = 0;
        }
        Ok(())
    }

    /// Gives a lemma a literal back that the step of a predecessor does not satisfy.
    fn weaken(&mut self, lemma: &mut Lemma, predecessor: &Predecessor) -> Attempt<()> {
        let parameters = &self.unwinding.parameters[lemma.relation];
        let map = self.store.substitution(parameters, &predecessor.head);
        let mut others = (lemma.cube.iter().copied()).filter(|it| !lemma.core.contains(it));
        let literal = others.find(|&literal| {
            let said = self.store.substitute(literal, &map);
            !predecessor.model.satisfies(&self.store, said)
        });
        lemma.core.push(literal.ok_or(GaveUp)?);
        Ok(())
    }

    /// What is said of each relation where lemmas are added to what is known to be inductive.
    fn said_by(&mut self, lemmas: &[Lemma]) -> Said {
        let mut said = self.induction.invariant.clone();
        for lemma in lemmas {
            let formula = self.store.not_all(&lemma.core);
            said[lemma.relation].push(formula);
        }
        said
    }

    /// States from which false can be derived (at 0), or what breaks one of the lemmas; none if
    /// there are no such states.
    fn predecessor(
        &mut self,
        lemmas: &[Lemma],
        at: usize,
        budget: &Budget,
    ) -> Attempt<Option<Predecessor>> {
        let (clauses, formula): (Vec<ClauseId>, TermId) = match at.checked_sub(1) {
            None => (self.system.queries().collect(), self.store.bool(false)),
            Some(at) => {
                let clauses = self.system.clauses_of(lemmas[at].relation).collect();
                (clauses, self.store.not_all(&lemmas[at].core))
            }
        };
        let said = self.said_by(lemmas);
        for clause in clauses {
            if let Some(found) = self.predecessor_by(clause, &said, formula, budget)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// States from which a clause derives what does not satisfy a formula.
    fn predecessor_by(
        &mut self,
        clause: ClauseId,
        said: &Said,
        formula: TermId,
        budget: &Budget,
    ) -> Attempt<Option<Predecessor>> {
        let instance = self.instance(clause);
        let below = self.said_of_body(clause, said);
        let prefix = self.prefix(clause, &instance, &below);
        let claim = self.claims(clause, &instance, &[formula])[0];
        let negated = self.store.not(claim);
        let (answer, solver) = self.learner.ask(&self.store, &prefix, &[negated], budget);
        let model = match answer {
            Answer::Unsat => return Ok(None),
            Answer::Sat => solver.model().ok_or(GaveUp)?.clone(),
            Answer::Unknown(_) => return Err(GaveUp),
        };
        // A clause without a body derives it: no state before is to blame.
        let [atom] = &self.system.clauses[clause].body[..] else {
            return Err(GaveUp);
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
        Ok(Some(Predecessor {
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
    ) -> Attempt<Vec<TermId>> {
        let whole = self.store.and(&[instance.constraint, negated]);
        let values = values(&self.store, model, whole);
        let literals = implicant(&mut self.store, whole, &BTreeSet::new(), &values);
        let whole = self.store.and(&literals.ok_or(GaveUp)?);
        let rest = (self.learner).projected(&mut self.store, whole, &instance.body[0], budget);
        let rest = rest.ok_or(GaveUp)?;
        let cubes = match self.store.node(rest) {
            Node::Or(parts) => parts.to_vec(),
            _ => vec![rest],
        };
        let mut cubes = cubes.into_iter();
        let cube = cubes.find(|&cube| model.satisfies(&self.store, cube));
        Ok(self.store.conjuncts(cube.ok_or(GaveUp)?))
    }

    /// Few of the literals of states that the newest instance does not have; none if it may have
    /// them. In a deep unwinding that is searched for: labels are strengthened if it does not have
    /// them.
    fn core_by_search(
        &mut self,
        states: &Predecessor,
        budget: &Budget,
    ) -> Attempt<Option<Vec<TermId>>> {
        let Predecessor { relation, cube, .. } = states;
        let core = self.core_of(*relation, cube, None, budget);
        let &newest = self.unwinding.of[*relation].last().ok_or(GaveUp)?;
        if core.is_some() || self.unwinding.vertices[newest].depth < PATIENCE {
            return Ok(core);
        }
        let formula = self.store.and(cube);
        match self.exclude(newest, formula, budget) {
            Ok(true) => Ok(self.core_of(*relation, cube, None, budget)),
            Ok(false) => Ok(None),
            Err(_) => Err(GaveUp),
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
        let &newest = self.unwinding.of[relation].last()?;
        let passes: &[bool] = match self.has_lists_below(newest) {
            true => &[false, true],
            false => &[true],
        };
        passes.iter().find_map(|&with_lists| {
            let prefixes = self.prefixes(newest, with_lists);
            if let Some(known) = known
                && self.contradicts(relation, &prefixes, known, budget)
            {
                return Some(known.to_vec());
            }
            let mut contradict =
                |literals: &[TermId]| self.contradicts(relation, &prefixes, literals, budget);
            contradict(cube).then(|| fewest(cube.to_vec(), contradict))
        })
    }

    /// Whether what the newest instance is derived from has lists of values in its labels.
    fn has_lists_below(&self, newest: VertexId) -> bool {
        let edges = self.unwinding.vertices[newest].edges.iter();
        let mut below = edges.flat_map(|edge| &edge.below);
        below.any(|&vertex| {
            let mut label = self.unwinding.vertices[vertex].label.iter();
            label.any(|it| self.induction.listed.contains(it))
        })
    }

    /// The ways to derive a fact of the newest instance of a relation, and those that need no body.
    fn prefixes(&mut self, newest: VertexId, with_lists: bool) -> Vec<(Prefix, Rc<Instance>)> {
        let mut prefixes = Vec::new();
        for edge in self.unwinding.vertices[newest].edges.clone() {
            if edge.below.is_empty() {
                continue;
            }
            let instance = self.instance(edge.clause);
            let mut below = self.said_below(&edge);
            for said in &mut below {
                said.retain(|it| with_lists || !self.induction.listed.contains(it));
            }
            prefixes.push((self.prefix(edge.clause, &instance, &below), instance));
        }
        for clause in (self.system).clauses_of(self.unwinding.vertices[newest].relation) {
            if self.system.clauses[clause].body.is_empty() {
                let instance = self.instance(clause);
                prefixes.push((self.prefix(clause, &instance, &[]), instance));
            }
        }
        prefixes
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
