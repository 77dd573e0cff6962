//! Frames: over-approximations of the facts derivable with few clauses.
//!
//! # Invariants
//! - A lemma of a level holds in all frames up to it; frame 0 is empty.
//! - The switch of a level enables those of higher levels.

use base::{Budget, IdVec};
use horn::{RelationId, System};
use logic::{Sort, TermId, TermStore};
use smt::{Answer, Solver};

/// That no state of a cube is in the frames up to a level.
pub(super) struct Lemma {
    pub(super) cube: Vec<TermId>,
    formula: TermId,
    level: usize,
}

/// Frames of all relations.
pub(super) struct Frames {
    /// The parameters of each relation, over which its lemmas are.
    pub(super) parameters: IdVec<RelationId, Vec<TermId>>,
    /// The lemmas of each relation.
    pub(super) lemmas: IdVec<RelationId, Vec<Lemma>>,
    solvers: IdVec<RelationId, Solver>,
    /// A truth value for each level, which switches its lemmas on.
    switches: Vec<TermId>,
}

impl Frames {
    pub(super) fn new(system: &System, store: &mut TermStore) -> Frames {
        let mut frames = Frames {
            parameters: IdVec::new(),
            lemmas: IdVec::new(),
            solvers: IdVec::new(),
            switches: Vec::new(),
        };
        for relation in system.relations.iter() {
            frames.parameters.push(relation.parameters(store));
            frames.lemmas.push(Vec::new());
            frames.solvers.push(Solver::new());
        }
        frames
    }

    /// The parameters of a relation; false has none.
    pub(super) fn parameters_of(&self, relation: Option<RelationId>) -> &[TermId] {
        relation.map_or(&[], |relation| &self.parameters[relation])
    }

    /// Opens a further level, and returns what those have to know who use switches.
    pub(super) fn add_level(&mut self, store: &mut TermStore) -> TermId {
        let switch = store.fresh("level", Sort::Bool);
        let chain = match self.switches.last() {
            Some(&below) => store.implies(below, switch),
            None => store.bool(true),
        };
        self.switches.push(switch);
        for solver in self.solvers.iter_mut() {
            solver.assert(store, chain);
        }
        chain
    }

    /// What switches a frame on; none for frame 0.
    pub(super) fn switch(&self, level: usize) -> Option<TermId> {
        level.checked_sub(1).map(|place| self.switches[place])
    }

    /// Whether a frame has no state of a cube.
    pub(super) fn is_blocked(
        &mut self,
        store: &TermStore,
        relation: RelationId,
        cube: &[TermId],
        level: usize,
        budget: &Budget,
    ) -> Result<bool, String> {
        let mut assumed = cube.to_vec();
        assumed.extend(self.switch(level));
        match self.solvers[relation].check(store, &assumed, budget) {
            Answer::Sat => Ok(false),
            Answer::Unsat => Ok(true),
            Answer::Unknown(why) => Err(why),
        }
    }

    /// Adds a lemma and returns its number.
    pub(super) fn add(
        &mut self,
        store: &mut TermStore,
        relation: RelationId,
        cube: Vec<TermId>,
        level: usize,
    ) -> usize {
        let formula = store.not_all(&cube);
        let lemmas = &mut self.lemmas[relation];
        lemmas.push(Lemma {
            cube,
            formula,
            level,
        });
        lemmas.len() - 1
    }

    /// Moves a lemma one level up.
    pub(super) fn raise(&mut self, relation: RelationId, number: usize) {
        self.lemmas[relation][number].level += 1;
    }

    /// Tells the solver of a relation a lemma and its level, and returns what was said.
    pub(super) fn tell(
        &mut self,
        store: &mut TermStore,
        relation: RelationId,
        number: usize,
    ) -> TermId {
        let lemma = &self.lemmas[relation][number];
        let guarded = match self.switch(lemma.level) {
            Some(switch) => store.implies(switch, lemma.formula),
            None => store.bool(true),
        };
        self.solvers[relation].assert(store, guarded);
        guarded
    }

    /// The numbers of the lemmas of a level.
    pub(super) fn of_level(&self, relation: RelationId, level: usize) -> Vec<usize> {
        let numbered = self.lemmas[relation].iter().enumerate();
        numbered
            .filter(|(_, lemma)| lemma.level == level)
            .map(|(number, _)| number)
            .collect()
    }

    /// What the lemmas above a level say.
    pub(super) fn above(&self, relation: RelationId, level: usize) -> Vec<TermId> {
        let lemmas = self.lemmas[relation].iter();
        lemmas
            .filter(|lemma| lemma.level > level)
            .map(|lemma| lemma.formula)
            .collect()
    }
}
