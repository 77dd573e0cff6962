//! Bounded model checking of clauses: looks for derivations of increasing depth.
//!
//! An instance of a relation stands for a fact to be derived; it is derived by one of its clauses,
//! whose bodies require further instances one level below. Instances that are never needed together
//! are shared: those of one relation below different clauses of an instance, and if the clauses are
//! linear, those of one relation on a level.
//!
//! # Invariants
//! - With the instances of the lowest level forbidden, a model of the unwinding is a derivation; if
//!   there is none and nothing was forbidden, the clauses do not derive false.

use crate::ClauseEngine;
use crate::complete::complete;
use base::{Budget, Event, IdVec, define_id};
use certify::clauses::check_model;
use certify::{ClauseOutcome, Reason};
use engine::About;
use horn::{Atom, ClauseId, Derivation, RelationId, Step, StepId, System};
use logic::{Sort, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;
use smt::{Answer, Model, Solver};
use std::collections::BTreeMap;

define_id! {
    /// A fact that is wanted.
    InstanceId = "i";
}

/// How many instances an unwinding may have.
const INSTANCES: usize = 50_000;

/// Bounded unwinding.
pub struct Bmc;

impl ClauseEngine for Bmc {
    fn about(&self) -> About {
        About {
            name: "bmc",
            summary: "unwinding to growing depth; proves only where the unwinding ends",
            papers: &[],
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        match Unwinding::new(system).search(budget) {
            Ok(Some(derivation)) => ClauseOutcome::Unsat(derivation),
            Ok(None) => {
                let known = IdVec::filled(None, system.relations.len());
                match complete(system, system.store.clone(), known, budget) {
                    Ok(model) if check_model(system, &model, budget).is_ok() => {
                        ClauseOutcome::Sat(Box::new(model))
                    }
                    Ok(_) => gave_up("no derivation is left, but no model of a recursion".into()),
                    Err(why) => gave_up(format!("no derivation is left, but no model: {why}")),
                }
            }
            Err(reason) => ClauseOutcome::Unknown(reason),
        }
    }
}

fn gave_up(message: String) -> ClauseOutcome {
    ClauseOutcome::Unknown(Reason::gave_up(message))
}

/// A fact that is wanted.
struct Instance {
    /// None for false.
    relation: Option<RelationId>,
    arguments: Vec<TermId>,
    /// Holds if the fact is wanted.
    wanted: TermId,
    level: usize,
    ways: Vec<Way>,
}

/// A clause by which an instance may be derived.
struct Way {
    clause: ClauseId,
    /// Holds if this is the one.
    taken: TermId,
    variables: FxHashMap<SymbolId, TermId>,
    below: Vec<InstanceId>,
}

struct Unwinding<'s> {
    system: &'s System,
    store: TermStore,
    solver: Solver,
    instances: IdVec<InstanceId, Instance>,
    /// The instances that are shared, where clauses are linear.
    by_level: FxHashMap<(usize, RelationId), InstanceId>,
    is_linear: bool,
}

impl<'s> Unwinding<'s> {
    fn new(system: &'s System) -> Self {
        let mut unwinding = Unwinding {
            system,
            store: system.store.clone(),
            solver: Solver::new(),
            instances: IdVec::new(),
            by_level: FxHashMap::default(),
            is_linear: system.is_linear(),
        };
        let root = unwinding.add(None, 0);
        let wanted = unwinding.instances[root].wanted;
        unwinding.solver.assert(&unwinding.store, wanted);
        unwinding
    }

    /// A derivation; none if there is none of any depth.
    fn search(&mut self, budget: &Budget) -> Result<Option<Derivation>, Reason> {
        let mut frontier: Vec<InstanceId> = self.instances.ids().take(1).collect();
        for depth in 1.. {
            budget.report(Event::Progress {
                what: "depth",
                done: depth,
            });
            let mut next = Vec::new();
            for instance in frontier {
                next.extend(self.expand(instance));
                if self.instances.len() > INSTANCES {
                    let message = format!("no derivation of a depth below {depth}");
                    return Err(Reason::gave_up(message));
                }
            }
            next.sort_unstable();
            next.dedup();
            frontier = next;
            let store = &mut self.store;
            let forbidden = frontier.iter().map(|&instance| {
                let wanted = self.instances[instance].wanted;
                store.not(wanted)
            });
            let forbidden: Vec<TermId> = forbidden.collect();
            match self.solver.check(&self.store, &forbidden, budget) {
                Answer::Sat => {
                    let Some(model) = self.solver.model() else {
                        let reason = "the model of a derivation cannot be read";
                        return Err(Reason::internal(reason));
                    };
                    return Ok(Some(self.derivation(model)));
                }
                Answer::Unsat if self.solver.core().is_empty() => return Ok(None),
                Answer::Unsat => {}
                Answer::Unknown(why) => {
                    let message = format!("no derivation of a depth below {depth}: {why}");
                    return Err(Reason::unfinished(message, budget));
                }
            }
        }
        unreachable!("depths should not end")
    }

    fn add(&mut self, relation: Option<RelationId>, level: usize) -> InstanceId {
        let sorts = relation.map_or(&[][..], |relation| &self.system.relations[relation].sorts);
        let arguments = sorts
            .iter()
            .map(|&sort| self.store.fresh("x", sort))
            .collect();
        let wanted = self.store.fresh("wanted", Sort::Bool);
        self.instances.push(Instance {
            relation,
            arguments,
            wanted,
            level,
            ways: Vec::new(),
        })
    }

    /// Says how an instance may be derived, and gives the instances that this wants.
    fn expand(&mut self, id: InstanceId) -> Vec<InstanceId> {
        let system = self.system;
        let clauses: Vec<ClauseId> = match self.instances[id].relation {
            None => system.queries().collect(),
            Some(relation) => system.clauses_of(relation).collect(),
        };
        // What one clause wants, another may want as well.
        let mut below: BTreeMap<(RelationId, usize), InstanceId> = BTreeMap::new();
        let mut ways = Vec::new();
        for clause_id in clauses {
            let clause = &system.clauses[clause_id];
            let taken = self.store.fresh("taken", Sort::Bool);
            let variables = clause.renaming(&system.store, &mut self.store);
            let mut parts = vec![self.store.substitute(clause.constraint, &variables)];
            if let Some(head) = &clause.head {
                let arguments = self.instances[id].arguments.clone();
                self.equate(head, &variables, &arguments, &mut parts);
            }
            let mut wanted_below = Vec::new();
            let mut counts: BTreeMap<RelationId, usize> = BTreeMap::new();
            for atom in &clause.body {
                let count = counts.entry(atom.relation).or_default();
                let key = (atom.relation, *count);
                *count += 1;
                let instance = match below.get(&key) {
                    Some(&known) => known,
                    None => self.wanted(atom.relation, self.instances[id].level + 1),
                };
                below.insert(key, instance);
                let arguments = self.instances[instance].arguments.clone();
                self.equate(atom, &variables, &arguments, &mut parts);
                parts.push(self.instances[instance].wanted);
                wanted_below.push(instance);
            }
            let all = self.store.and(&parts);
            self.imply(taken, all);
            ways.push(Way {
                clause: clause_id,
                taken,
                variables,
                below: wanted_below,
            });
        }
        let taken: Vec<TermId> = ways.iter().map(|way| way.taken).collect();
        let any = self.store.or(&taken);
        let wanted = self.instances[id].wanted;
        self.imply(wanted, any);
        self.instances[id].ways = ways;
        below.into_values().collect()
    }

    /// An instance of a relation on a level, perhaps one that others want too.
    fn wanted(&mut self, relation: RelationId, level: usize) -> InstanceId {
        if !self.is_linear {
            return self.add(Some(relation), level);
        }
        if let Some(&known) = self.by_level.get(&(level, relation)) {
            return known;
        }
        let new = self.add(Some(relation), level);
        self.by_level.insert((level, relation), new);
        new
    }

    fn equate(
        &mut self,
        atom: &Atom,
        variables: &FxHashMap<SymbolId, TermId>,
        arguments: &[TermId],
        parts: &mut Vec<TermId>,
    ) {
        let own = self.store.substitute_all(&atom.arguments, variables);
        for (a, &b) in own.into_iter().zip(arguments) {
            parts.push(self.store.eq(a, b));
        }
    }

    fn imply(&mut self, condition: TermId, formula: TermId) {
        let clause = self.store.implies(condition, formula);
        self.solver.assert(&self.store, clause);
    }

    /// The derivation that a model of the unwinding is.
    fn derivation(&self, model: &Model) -> Derivation {
        let mut derivation = Derivation::default();
        let mut done: FxHashMap<InstanceId, StepId> = FxHashMap::default();
        let mut open: Vec<InstanceId> = self.instances.ids().take(1).collect();
        while let Some(&next) = open.last() {
            let ways = &self.instances[next].ways;
            let way = ways
                .iter()
                .find(|way| model.satisfies(&self.store, way.taken));
            let way = way.expect("a fact that is wanted should have a clause");
            let waiting = open.len();
            open.extend(way.below.iter().filter(|below| !done.contains_key(below)));
            if open.len() > waiting {
                continue;
            }
            open.pop();
            if done.contains_key(&next) {
                continue;
            }
            let value = |(&symbol, &term): (&SymbolId, &TermId)| {
                (symbol, model.evaluate(&self.store, term))
            };
            #[allow(clippy::iter_over_hash_type, reason = "the values are put in order")]
            let values: BTreeMap<_, _> = way.variables.iter().map(value).collect();
            let step = derivation.steps.push(Step {
                clause: way.clause,
                values,
                premises: way.below.iter().map(|below| done[below]).collect(),
            });
            done.insert(next, step);
        }
        derivation
    }
}
