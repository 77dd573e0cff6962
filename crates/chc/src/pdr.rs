//! Property directed reachability on linear clauses: frames for increasing numbers of steps, made
//! of lemmas that are learned on demand.
//!
//! Frame `k` contains all facts derivable with at most `k` clauses. A state from which a query
//! derives false is a proof obligation: it must be unreachable within `k` clauses. Its predecessors
//! become obligations of the frame below, until one is a fact, or none is left and some literals of
//! the obligation explain why; their negation is a lemma of the frame. If all lemmas of a frame
//! hold in the next as well, they are a model.
//!
//! # Papers
//! [bradley2011sat] for frames, relative induction and the dropping of literals;
//! [hoder2012generalized] for relations in place of one transition formula; [komuravelli2014smt]
//! for predecessors by model-based projection; [vediramanakrishnan2020global] for lemmas from
//! clusters of others ([`clusters`]). Integer equalities are split into inequalities before
//! literals are dropped.
//!
//! # Invariants
//! - Every frame contains the facts of its clauses, and what its clauses derive from the frame
//!   below.

mod clusters;
mod frames;
mod obligation;
mod transition;

use crate::ClauseEngine;
use crate::realise::realise;
use crate::reduce::has_arrays;
use base::{Budget, Event, IdVec};
use certify::{ClauseOutcome, Reason};
use clusters::Clusters;
use engine::About;
use frames::Frames;
use horn::{ClauseId, Definition, Derivation, Model, RelationId, Step, System};
use logic::{TermId, TermStore};
use obligation::{Obligation, ObligationId, Obligations};
use std::collections::{BTreeMap, BTreeSet};
use transition::{PredecessorAnswer, Transition};

/// How many literals of a lemma may turn out to be needed before no more are tried.
const NEEDED: usize = 24;

/// Property directed reachability.
pub struct Pdr;

impl ClauseEngine for Pdr {
    fn about(&self) -> About {
        About {
            name: "pdr",
            summary: "linear clauses: lemmas for growing numbers of steps, by relative induction",
            papers: &[
                "bradley2011sat",
                "hoder2012generalized",
                "komuravelli2014smt",
                "vediramanakrishnan2020global",
            ],
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        if !system.is_linear() || has_arrays(system) {
            let message = "a clause has two relations in its body, or arrays";
            return ClauseOutcome::Unknown(Reason::unsupported(message));
        }
        let found = Search::new(system, budget).run();
        found.unwrap_or_else(|why| ClauseOutcome::Unknown(Reason::unfinished(why, budget)))
    }
}

struct Search<'s> {
    system: &'s System,
    budget: &'s Budget,
    store: TermStore,
    /// The clauses of each relation; those of none are queries.
    transitions: BTreeMap<Option<RelationId>, Vec<Transition>>,
    frames: Frames,
    clusters: Clusters,
}

impl<'s> Search<'s> {
    fn new(system: &'s System, budget: &'s Budget) -> Search<'s> {
        let mut store = system.store.clone();
        let frames = Frames::new(system, &mut store);
        let mut transitions: BTreeMap<Option<RelationId>, Vec<Transition>> = BTreeMap::new();
        for (id, clause) in system.clauses.iter_enumerated() {
            let body = clause.body.first().map(|atom| atom.relation);
            let parameters = frames.parameters_of(body);
            let transition = Transition::new(&mut store, id, clause, parameters);
            let head = clause.head.as_ref().map(|head| head.relation);
            transitions.entry(head).or_default().push(transition);
        }
        Search {
            system,
            budget,
            store,
            transitions,
            frames,
            clusters: Clusters::default(),
        }
    }

    fn run(&mut self) -> Result<ClauseOutcome, String> {
        for top in 0.. {
            self.budget.report(Event::Progress {
                what: "steps",
                done: top as u64,
            });
            let chain = self.frames.add_level(&mut self.store);
            for transition in self.transitions.values_mut().flatten() {
                transition.assert(&self.store, chain);
            }
            if let Some(skeleton) = self.block(top)? {
                let derivation = realise(self.system, &skeleton, self.budget)?;
                return Ok(ClauseOutcome::Unsat(derivation));
            }
            if let Some(level) = self.propagate(top)? {
                return Ok(ClauseOutcome::Sat(Box::new(self.model(level))));
            }
        }
        unreachable!("levels should not end")
    }

    /// Shows that no query holds in the frame of a level, or gives the clauses that derive false.
    fn block(&mut self, top: usize) -> Result<Option<Derivation>, String> {
        let mut obligations = Obligations::of_query(top + 1);
        while let Some(id) = obligations.next() {
            let Obligation {
                relation,
                cube,
                level,
                ..
            } = obligations.all[id].clone();
            self.check_limits(level)?;
            if let Some(relation) = relation
                && self
                    .frames
                    .is_blocked(&self.store, relation, &cube, level, self.budget)?
            {
                obligations.raise(id, level + 1, top);
                continue;
            }
            match self.before(relation, &cube, level, None)? {
                Before::State(place, model) => {
                    let transition = &self.transitions[&relation][place];
                    let parameters = self.frames.parameters_of(relation);
                    let store = &mut self.store;
                    let state = transition.before(store, parameters, &cube, &model)?;
                    match transition.body {
                        None => return Ok(Some(skeleton(&obligations, id, transition.clause))),
                        Some(body) => obligations.add(id, transition.clause, body, state),
                    };
                }
                Before::Nothing(core) => {
                    let Some(relation) = relation else {
                        return Ok(None);
                    };
                    let cube = core.into_iter().map(|at| cube[at]).collect();
                    let cube = self.generalise(relation, cube, level)?;
                    let cube = self.subsume(relation, cube, level)?;
                    let level = self.highest(relation, &cube, level, top)?;
                    self.learn(relation, cube, level);
                    obligations.raise(id, level + 1, top);
                }
            }
        }
        Ok(None)
    }

    fn check_limits(&self, level: usize) -> Result<(), String> {
        let limits = self.budget.check();
        limits.map_err(|_| format!("no derivation of fewer than {level} steps"))
    }

    /// A state from which a clause derives one of a cube, within the frame below a level; or the
    /// literals of the cube because of which there is none. A clause that repeats the relation may
    /// be asked about states in which a formula holds only.
    fn before(
        &mut self,
        relation: Option<RelationId>,
        cube: &[TermId],
        level: usize,
        repeated: Option<TermId>,
    ) -> Result<Before, String> {
        let parameters = self.frames.parameters_of(relation);
        let mut core = BTreeSet::new();
        let transitions = self.transitions.get_mut(&relation).into_iter().flatten();
        for (place, transition) in transitions.enumerate() {
            let mut context = Vec::new();
            if transition.body.is_some() {
                match self.frames.switch(level - 1) {
                    Some(switch) => context.push(switch),
                    None => continue,
                }
            }
            if transition.body == relation {
                context.extend(repeated);
            }
            match transition.ask(&mut self.store, parameters, cube, &context, self.budget)? {
                PredecessorAnswer::Core(more) => core.extend(more),
                PredecessorAnswer::Model(model) => return Ok(Before::State(place, model)),
            }
        }
        Ok(Before::Nothing(core))
    }

    /// Whether no clause derives a state of a cube from the frame below a level without the cube;
    /// if so, the literals that are enough for that.
    fn inductive(
        &mut self,
        relation: RelationId,
        cube: &[TermId],
        level: usize,
    ) -> Result<Option<Vec<TermId>>, String> {
        let outside = self.store.not_all(cube);
        match self.before(Some(relation), cube, level, Some(outside))? {
            Before::State(..) => Ok(None),
            Before::Nothing(core) => Ok(Some(core.into_iter().map(|at| cube[at]).collect())),
        }
    }

    /// Drops literals of a cube that the frame below a level cannot reach, as long as it cannot.
    fn generalise(
        &mut self,
        relation: RelationId,
        mut cube: Vec<TermId>,
        level: usize,
    ) -> Result<Vec<TermId>, String> {
        let mut at = 0;
        while at < cube.len().min(NEEDED) {
            let mut fewer = cube.clone();
            fewer.remove(at);
            match self.inductive(relation, &fewer, level)? {
                Some(core) => cube = core,
                None => at += 1,
            }
        }
        Ok(cube)
    }

    /// A larger cube that others like this one suggest, if it is kept out as well.
    fn subsume(
        &mut self,
        relation: RelationId,
        cube: Vec<TermId>,
        level: usize,
    ) -> Result<Vec<TermId>, String> {
        let (store, budget) = (&mut self.store, self.budget);
        for larger in self.clusters.add(store, relation, &cube, budget) {
            if let Some(core) = self.inductive(relation, &larger, level)? {
                budget.counters().add("pdr clusters", 1);
                return self.generalise(relation, core, level);
            }
        }
        Ok(cube)
    }

    /// The highest level, up to a top, that a cube is kept out of.
    fn highest(
        &mut self,
        relation: RelationId,
        cube: &[TermId],
        level: usize,
        top: usize,
    ) -> Result<usize, String> {
        let mut level = level;
        while level < top && self.inductive(relation, cube, level + 1)?.is_some() {
            level += 1;
        }
        Ok(level)
    }

    /// Adds the lemma that no state of a cube is in the frames up to a level.
    fn learn(&mut self, relation: RelationId, cube: Vec<TermId>, level: usize) {
        self.budget.counters().add("pdr lemmas", 1);
        let number = self.frames.add(&mut self.store, relation, cube, level);
        self.tell(relation, number);
    }

    /// Tells those that ask about a relation what a lemma says and of which level it is.
    fn tell(&mut self, relation: RelationId, number: usize) {
        let guarded = self.frames.tell(&mut self.store, relation, number);
        for transition in self.transitions.values_mut().flatten() {
            if transition.body == Some(relation) {
                transition.assert(&self.store, guarded);
            }
        }
    }

    /// Moves lemmas up as far as they hold; returns a level that loses none by that.
    fn propagate(&mut self, top: usize) -> Result<Option<usize>, String> {
        for level in 1..=top {
            let mut is_kept = true;
            for relation in self.system.relations.ids() {
                for number in self.frames.of_level(relation, level) {
                    self.check_limits(top)?;
                    let cube = self.frames.lemmas[relation][number].cube.clone();
                    match self.inductive(relation, &cube, level + 1)?.is_some() {
                        true => {
                            self.frames.raise(relation, number);
                            self.tell(relation, number);
                        }
                        false => is_kept = false,
                    }
                }
            }
            if is_kept {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// The lemmas above a level as a model.
    fn model(&mut self, level: usize) -> Model {
        let mut definitions = IdVec::new();
        for relation in self.system.relations.ids() {
            let lemmas = self.frames.above(relation, level);
            definitions.push(Definition::new(
                self.frames.parameters[relation].clone(),
                self.store.and(&lemmas),
            ));
        }
        let store = self.store.clone();
        Model { store, definitions }
    }
}

/// What lies before a cube.
enum Before {
    /// A state, in this model of the clause at this place.
    State(usize, smt::Model),
    /// Nothing, because of these literals of the cube.
    Nothing(BTreeSet<usize>),
}

/// The clauses from a fact that an obligation is to the query.
fn skeleton(obligations: &Obligations, last: ObligationId, fact: ClauseId) -> Derivation {
    let mut clauses = vec![fact];
    let mut at = last;
    while let Some((next, clause)) = obligations.all[at].after {
        clauses.push(clause);
        at = next;
    }
    let mut skeleton = Derivation::default();
    let mut before = None;
    for clause in clauses {
        before = Some(skeleton.steps.push(Step {
            clause,
            premises: before.into_iter().collect(),
            values: BTreeMap::new(),
        }));
    }
    skeleton
}
