//! Abstract posts: the strongest abstract states after a block, over given predicates.
//!
//! An abstract state is a conjunction of literals. Its post is a single such state, with all
//! literals that hold after the block (Cartesian), or a disjunction as strong as the predicates
//! allow (Boolean). Each block has a solver with its formula; literals are assumptions. A large
//! block has one solver for each set of values that states fix ([`fixed`]).
//!
//! # Paper
//! [henzinger2004abstractions], section 3, the post of predicate abstraction. Our addition: a model
//! of a block answers all queries about states that contain it, and an unsatisfiable core those
//! about all states that include it.
//!
//! # Invariants
//! - A post over-approximates: if the solver answers unknown, a literal is left out.
//! - Same queries in the same order, same answers.

mod fixed;

use crate::path_solver::limited;
use crate::predicates::{Abstraction, Tracked};
use encode::blocks::BlockId;
use encode::contract::CallSite;
use encode::transition::TransitionFormula;
use encode::{Context, CutGraph, Renewed};
use fixed::Values;
use logic::{TermId, TermStore};
use program::ir::LocationId;
use rustc_hash::FxHashMap;
use smt::{Answer, Model, Solver};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A conjunction of literals over the state.
pub type Cube = BTreeSet<TermId>;

/// How many models of a block are cached.
const MODELS: usize = 64;
/// How many cores are cached for one literal after a block.
const CORES: usize = 32;

/// How many blocks and specialisations of them are cached.
const BLOCKS: usize = 1024;

/// Posts over the blocks of a procedure, with a cache.
#[derive(Default)]
pub struct AbstractPost {
    /// Each block, and if it is large its specialisations to values that states fix.
    blocks: BTreeMap<(BlockId, Values), BlockPost>,
    is_large: BTreeMap<BlockId, bool>,
    /// The steps from calls to the entries of their callees.
    calls: BTreeMap<BlockId, BlockPost>,
    /// Statistics so far.
    pub asked: Asked,
}

/// Statistics.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Posts of an abstract state over a block.
    pub posts: u64,
    /// Of these, those found in the cache.
    pub posts_known: u64,
    /// Queries whether a literal can hold after a block.
    pub literals: u64,
    /// Of these, those answered by earlier models and cores.
    pub literals_known: u64,
}

impl AbstractPost {
    /// The abstract states that a block leads to from a state, over the predicates tracked at its
    /// target: none if it is infeasible. A block without a formula is for the caller to detect.
    pub fn post(
        &mut self,
        ctx: &mut Context,
        cuts: &CutGraph,
        block: BlockId,
        from: &Cube,
        tracked: &Tracked,
    ) -> Vec<Cube> {
        let Some(step) = cuts.block(block).step.formula() else {
            unreachable!("a block should have a formula");
        };
        let is_large = self.is_large.entry(block);
        let is_large = *is_large.or_insert_with(|| fixed::is_large(&ctx.store, step));
        let known = from.iter().filter(|_| is_large);
        let values = fixed::values(&mut ctx.store, known);
        if self.blocks.len() >= BLOCKS {
            self.blocks.retain(|(_, values), _| values.is_empty());
        }
        let row = self.blocks.entry((block, values.clone()));
        let row = row.or_insert_with(|| {
            let step = match values.is_empty() {
                true => step.clone(),
                false => fixed::specialised(ctx, step, &values),
            };
            BlockPost::new(ctx, cuts, cuts.block(block).source, step)
        });
        let asked = &mut self.asked;
        row.post(&mut Question { ctx, from, asked }, tracked)
    }

    /// The states in which a call, the only edge of a block, enters its callee, over the predicates
    /// tracked there.
    pub fn enter(
        &mut self,
        ctx: &mut Context,
        cuts: &CutGraph,
        (block, site): (BlockId, &CallSite),
        from: &Cube,
        tracked: &Tracked,
    ) -> Vec<Cube> {
        let row = self.calls.entry(block);
        let row = row.or_insert_with(|| {
            let frame = &ctx.frames[&site.callee];
            let params = ctx.program.procs[site.callee].params.iter();
            let values = params.filter_map(|param| {
                let copy = frame.entry_values.get(param)?;
                Some((*param, site.entered[copy]))
            });
            let step = TransitionFormula {
                map: values.collect(),
                guard: site.guard,
                exact: false,
            };
            BlockPost::new(ctx, cuts, cuts.block(block).source, step)
        });
        let asked = &mut self.asked;
        row.post(&mut Question { ctx, from, asked }, tracked)
    }

    /// Adapts to a refined graph.
    pub fn renew(&mut self, renewed: &Renewed) {
        self.is_large.clear();
        let kept = std::mem::take(&mut self.blocks).into_iter();
        let kept =
            kept.filter_map(|((id, values), row)| Some(((renewed.blocks[id]?, values), row)));
        self.blocks = kept.collect();
        let kept = std::mem::take(&mut self.calls).into_iter();
        let kept = kept.filter_map(|(id, row)| Some((renewed.blocks[id]?, row)));
        self.calls = kept.collect();
    }
}

/// What is feasible from one state before a block.
struct Question<'q, 'p> {
    ctx: &'q mut Context<'p>,
    from: &'q Cube,
    asked: &'q mut Asked,
}

/// Which predicates hold, and which fail.
type Choice = BTreeMap<TermId, bool>;

/// A block and what is cached about it.
struct BlockPost {
    step: TransitionFormula,
    solver: Solver,
    /// Predicates as they are after the block, over the state before it.
    after: FxHashMap<TermId, TermId>,
    models: VecDeque<KnownModel>,
    /// Parts of states from which a formula cannot hold; it is over the state before the block.
    cores: FxHashMap<TermId, VecDeque<Cube>>,
    posts: FxHashMap<(Cube, Vec<TermId>, Abstraction), Vec<Cube>>,
}

/// A model of a block's formula, and what is true in it.
struct KnownModel {
    model: Model,
    values: FxHashMap<TermId, bool>,
}

impl KnownModel {
    fn satisfies(&mut self, store: &TermStore, formula: TermId) -> bool {
        let value = self.values.entry(formula);
        *value.or_insert_with(|| self.model.satisfies(store, formula))
    }
}

/// Whether a formula can hold.
enum Possible {
    /// It does in the model at this place.
    In(usize),
    No,
    Unknown,
}

impl BlockPost {
    fn new(ctx: &mut Context, cuts: &CutGraph, at: LocationId, step: TransitionFormula) -> Self {
        let mut solver = Solver::new().without_cache();
        let range = cuts.in_range(ctx, at);
        solver.assert(&ctx.store, range);
        solver.assert(&ctx.store, step.guard);
        BlockPost {
            step,
            solver,
            after: FxHashMap::default(),
            models: VecDeque::new(),
            cores: FxHashMap::default(),
            posts: FxHashMap::default(),
        }
    }

    fn post(&mut self, question: &mut Question, tracked: &Tracked) -> Vec<Cube> {
        question.asked.posts += 1;
        let predicates = tracked.predicates.clone();
        let key = (question.from.clone(), predicates, tracked.abstraction);
        if let Some(known) = self.posts.get(&key) {
            question.asked.posts_known += 1;
            return known.clone();
        }
        let post = self.compute(question, tracked);
        // What was cut short by the budget is no answer to the same question later.
        if question.ctx.budget.check().is_ok() {
            self.posts.insert(key, post.clone());
        }
        post
    }

    fn compute(&mut self, question: &mut Question, tracked: &Tracked) -> Vec<Cube> {
        let top = question.ctx.store.bool(true);
        match self.possible(question, top) {
            Possible::No => return Vec::new(),
            Possible::Unknown => return vec![Cube::new()],
            Possible::In(_) => {}
        }
        // That a literal holds in all ways needs no question of its own.
        if tracked.abstraction == Abstraction::Boolean
            && let Some(choices) = self.enumerate(question, &tracked.predicates)
        {
            return cubes(&mut question.ctx.store, choices, &tracked.predicates);
        }
        vec![self.cartesian(question, &tracked.predicates)]
    }

    /// The literals that hold after the block in all states.
    fn cartesian(&mut self, question: &mut Question, predicates: &[TermId]) -> Cube {
        let mut all = Cube::new();
        let top = question.ctx.store.bool(true);
        let Possible::In(first) = self.possible(question, top) else {
            return all;
        };
        // Questions put models in front; the literals of the first one are read before.
        let mut literals = Vec::new();
        for &predicate in predicates {
            let after = self.after(question.ctx, predicate);
            let is_true = self.models[first].satisfies(&question.ctx.store, after);
            literals.push((predicate, after, is_true));
        }
        for (predicate, after, is_true) in literals {
            let negation = question.ctx.store.not(after);
            let (holds, fails) = match is_true {
                true => (after, negation),
                false => (negation, after),
            };
            let is_known = question.from.contains(&holds);
            if is_known || matches!(self.possible(question, fails), Possible::No) {
                all.insert(literal(&mut question.ctx.store, predicate, is_true));
            }
        }
        all
    }

    /// All feasible truth assignments to predicates after the block; none if the solver cannot
    /// enumerate them all.
    fn enumerate(&mut self, question: &mut Question, free: &[TermId]) -> Option<BTreeSet<Choice>> {
        let Question { ctx, from, asked } = question;
        let after: Vec<TermId> = free.iter().map(|&row| self.after(ctx, row)).collect();
        let mut found = BTreeSet::new();
        for model in &mut self.models {
            if from.iter().all(|&row| model.satisfies(&ctx.store, row)) {
                let values = after.iter().map(|&row| model.satisfies(&ctx.store, row));
                found.insert(free.iter().copied().zip(values).collect());
            }
        }
        let others: Vec<TermId> = (found.iter())
            .map(|choice| other(ctx, &after, free, choice))
            .collect();
        self.solver.push();
        for &formula in from.iter().chain(&others) {
            self.solver.assert(&ctx.store, formula);
        }
        let is_known = loop {
            asked.literals += 1;
            let budget = limited(&ctx.budget);
            match self.solver.check(&ctx.store, &[], &budget) {
                Answer::Unsat => break true,
                Answer::Unknown(_) => break false,
                Answer::Sat => {}
            }
            let Some(model) = self.solver.model().cloned() else {
                break false;
            };
            let values = after.iter().map(|&row| model.satisfies(&ctx.store, row));
            let choice: Choice = free.iter().copied().zip(values).collect();
            let other = other(ctx, &after, free, &choice);
            self.solver.assert(&ctx.store, other);
            // A model that does not keep to what is asserted would be met again and again.
            if !found.insert(choice) {
                break false;
            }
            self.remember(model);
        };
        self.solver.pop();
        is_known.then_some(found)
    }

    /// The value of a predicate after the block.
    fn after(&mut self, ctx: &mut Context, predicate: TermId) -> TermId {
        let step = &self.step;
        let row = self.after.entry(predicate);
        *row.or_insert_with(|| ctx.after(step, predicate))
    }

    /// Whether a formula over the state before the block can hold where it is taken from a state.
    fn possible(&mut self, question: &mut Question, formula: TermId) -> Possible {
        let Question { ctx, from, asked } = question;
        asked.literals += 1;
        if let Some(cores) = self.cores.get(&formula)
            && cores.iter().any(|core| core.is_subset(from))
        {
            asked.literals_known += 1;
            return Possible::No;
        }
        let store = &ctx.store;
        let mut wanted = from.iter().chain([&formula]);
        let fits = |model: &mut KnownModel| wanted.clone().all(|&row| model.satisfies(store, row));
        if let Some(place) = self.models.iter_mut().position(fits) {
            asked.literals_known += 1;
            return Possible::In(place);
        }
        let mut assumptions: Vec<TermId> = wanted.by_ref().copied().collect();
        assumptions.retain(|&row| store.as_bool(row) != Some(true));
        let budget = limited(&ctx.budget);
        match self.solver.check(store, &assumptions, &budget) {
            Answer::Unsat => {
                let core = self.solver.core().iter().copied();
                let core: Cube = core.filter(|row| from.contains(row)).collect();
                let cores = self.cores.entry(formula).or_default();
                cores.push_front(core);
                cores.truncate(CORES);
                Possible::No
            }
            Answer::Sat => match self.solver.model().cloned() {
                Some(model) => {
                    self.remember(model);
                    Possible::In(0)
                }
                None => Possible::Unknown,
            },
            Answer::Unknown(_) => Possible::Unknown,
        }
    }

    fn remember(&mut self, model: Model) {
        let values = FxHashMap::default();
        self.models.push_front(KnownModel { model, values });
        self.models.truncate(MODELS);
    }
}

/// Blocks a choice: the predicates have other truth values after a block.
fn other(ctx: &mut Context, after: &[TermId], free: &[TermId], choice: &Choice) -> TermId {
    let differs: Vec<TermId> = std::iter::zip(after, free)
        .map(|(&after, predicate)| literal(&mut ctx.store, after, !choice[predicate]))
        .collect();
    ctx.store.or(&differs)
}

fn literal(store: &mut TermStore, predicate: TermId, is_true: bool) -> TermId {
    match is_true {
        true => predicate,
        false => store.not(predicate),
    }
}

/// Choices as conjunctions, with as few literals as merging makes of them.
fn cubes(store: &mut TermStore, choices: BTreeSet<Choice>, predicates: &[TermId]) -> Vec<Cube> {
    let choices = merged(choices, predicates).into_iter();
    let cube = |choice: Choice| {
        let literals = choice.into_iter();
        literals
            .map(|(predicate, is_true)| literal(store, predicate, is_true))
            .collect()
    };
    choices.map(cube).collect()
}

/// The same choices, merged where a predicate may be either true or false.
fn merged(mut choices: BTreeSet<Choice>, predicates: &[TermId]) -> BTreeSet<Choice> {
    for predicate in predicates {
        let mut without = BTreeSet::new();
        for choice in &choices {
            let mut flipped = choice.clone();
            let Some(value) = flipped.get_mut(predicate) else {
                continue;
            };
            *value = !*value;
            if choices.contains(&flipped) {
                flipped.remove(predicate);
                without.insert(flipped);
            }
        }
        choices.retain(|choice| {
            let mut rest = choice.clone();
            rest.remove(predicate).is_none() || !without.contains(&rest)
        });
        choices.extend(without);
    }
    choices
}

#[cfg(test)]
mod tests;
