//! Labels from the states of the first iterations: the linear inequalities, equalities and
//! congruences that all of these satisfy, restricted to those that every iteration preserves.
//!
//! Facts about few variables say most of what there is to say about a loop, so there is one hull
//! for each small group of them. What holds in the first iterations by chance is dropped when
//! inductiveness is checked.
//!
//! # Invariants
//! - A returned label was shown to be one: a hull is only where it comes from.

use super::{LabelObligation, limited};
use crate::holding::holding;
use crate::path_solver::within;
use absdom::symbolic::Congruence;
use absdom::{Polyhedron, Row};
use encode::Context;
use encode::transition::TransitionFormula;
use logic::{Integer, Sort, TermId};
use program::ir::VarId;
use smt::Model;

/// How many iterations are looked at.
const ITERATIONS: usize = 12;
/// How many states there may be after each number of them.
const STATES: usize = 5;
/// How many variables there may be, and how many for three of them to be related.
const VARIABLES: usize = 16;
const FOR_THREE: usize = 9;
/// How many generators a hull may have.
const GENERATORS: usize = 60;
/// How many facts are tried; those with small factors first.
const FACTS: usize = 400;

/// The states that were met.
struct Samples {
    vars: Vec<VarId>,
    points: Vec<Vec<Integer>>,
    /// Some of the variables, by their places, and the hull of their values.
    hulls: Vec<(Vec<usize>, Polyhedron)>,
}

impl LabelObligation {
    /// A label of facts that hold in the first iterations, and of others that may.
    pub(super) fn hull_label(&self, ctx: &mut Context, others: &[TermId]) -> Option<TermId> {
        let label = within(ctx, limited(&ctx.budget), |ctx| {
            let mut facts = self.facts(ctx)?;
            facts.extend(others);
            self.kept(ctx, facts)
        });
        label.filter(|&label| self.is_label(ctx, label))
    }

    /// The facts that hold in the first iterations, over the state.
    fn facts(&self, ctx: &mut Context) -> Option<Vec<TermId>> {
        let ints = self.entered.iter();
        let ints = ints.filter(|(_, symbol)| ctx.store.symbol(**symbol).sort == Sort::Int);
        let vars: Vec<VarId> = ints.map(|(&var, _)| var).collect();
        if vars.is_empty() || vars.len() > VARIABLES {
            return None;
        }
        let mut samples = Samples::new(vars);
        let mut path = TransitionFormula::identity(&mut ctx.store);
        for iteration in 0..=ITERATIONS {
            if iteration > 0 {
                path = ctx.sequence(&path, &self.iteration);
                path.guard = ctx.store.simplify(path.guard);
            }
            self.sample(ctx, &path, &mut samples)?;
        }
        let vars = samples.vars.clone();
        let states: Vec<TermId> = vars.into_iter().map(|var| ctx.before(var)).collect();
        let mut facts = samples.facts(ctx, &states);
        facts.truncate(FACTS);
        let congruences = Congruence::of_points(&samples.points).into_iter();
        facts.extend(congruences.map(|fact| fact.to_term(&mut ctx.store, &states)));
        Some(facts)
    }

    /// Adds states at the end of a path that are outside the hulls: first such in which the loop
    /// ends, as they are at the border.
    fn sample(
        &self,
        ctx: &mut Context,
        path: &TransitionFormula,
        samples: &mut Samples,
    ) -> Option<()> {
        let entered = self.states(ctx);
        let goes_on = ctx.after(path, self.goes_on);
        let goes_on = ctx.store.substitute(goes_on, &entered);
        let shifted = path.substituted(&mut ctx.store, &entered);
        let values: Vec<TermId> = (samples.vars.iter())
            .map(|var| match shifted.map.get(var) {
                Some(&value) => value,
                None => ctx.store.of_symbol(self.entered[var]),
            })
            .collect();
        let ends = [ctx.store.not(goes_on), ctx.store.bool(true)];
        for end in ends {
            for _ in 0..STATES {
                let inside = samples.facts(ctx, &values);
                let outside = ctx.store.not_all(&inside);
                let formulas = [self.entering, shifted.guard, end, outside];
                let Some(model) = ctx.model(&formulas).ok()? else {
                    break;
                };
                samples.add(ctx, point(ctx, &model, &values)?);
            }
        }
        Some(())
    }

    /// The conjunction of those facts that hold when the loop is entered and that iterations keep,
    /// if all of them hold before.
    fn kept(&self, ctx: &mut Context, facts: Vec<TermId>) -> Option<TermId> {
        let entered = self.states(ctx);
        let there = ctx.store.substitute_all(&facts, &entered);
        let facts = facts.into_iter().zip(there).collect();
        let ask = |ctx: &mut Context, formulas: &[TermId]| ctx.model(formulas);
        let mut facts = holding(ctx, &[self.entering], facts, ask).ok()?;
        loop {
            let before = ctx.store.and(&facts);
            let count = facts.len();
            let after = facts.into_iter();
            let after = after
                .map(|fact| (fact, ctx.after(&self.iteration, fact)))
                .collect();
            let known = [before, self.iteration.guard];
            facts = holding(ctx, &known, after, ask).ok()?;
            if facts.len() == count {
                return Some(before);
            }
        }
    }
}

impl Samples {
    fn new(vars: Vec<VarId>) -> Samples {
        let size = vars.len();
        let mut chosen: Vec<Vec<usize>> = Vec::new();
        for a in 0..size {
            if size == 1 {
                chosen.push(vec![a]);
            }
            for b in a + 1..size {
                if size == 2 || size > FOR_THREE {
                    chosen.push(vec![a, b]);
                    continue;
                }
                chosen.extend((b + 1..size).map(|c| vec![a, b, c]));
            }
        }
        let hull = |places: Vec<usize>| {
            let hull = Polyhedron::empty(places.len());
            (places, hull)
        };
        Samples {
            vars,
            points: Vec::new(),
            hulls: chosen.into_iter().map(hull).collect(),
        }
    }

    fn add(&mut self, ctx: &Context, point: Vec<Integer>) {
        for (places, hull) in &mut self.hulls {
            let part: Vec<Integer> = places.iter().map(|&place| point[place].clone()).collect();
            *hull = hull.with_point(&part, &ctx.budget, GENERATORS);
        }
        self.points.push(point);
    }

    /// What the hulls say, over terms for the variables; what has small factors first.
    fn facts(&self, ctx: &mut Context, terms: &[TermId]) -> Vec<TermId> {
        let mut rows: Vec<(Integer, Row, &[usize])> = Vec::new();
        for (places, hull) in &self.hulls {
            for row in hull.rows() {
                let sizes = row.coefficients.iter().map(Integer::abs);
                let size = sizes.fold(Integer::ZERO, |sum, size| &sum + &size);
                rows.push((size, row.clone(), places));
            }
        }
        rows.sort();
        let mut facts = Vec::new();
        for (_, row, places) in rows {
            let terms: Vec<TermId> = places.iter().map(|&place| terms[place]).collect();
            let fact = row.to_term(&mut ctx.store, &terms);
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        facts
    }
}

/// The values of terms in a model.
fn point(ctx: &Context, model: &Model, terms: &[TermId]) -> Option<Vec<Integer>> {
    let values = terms.iter().map(|&term| model.evaluate(&ctx.store, term));
    values.map(|value| value.as_int().cloned()).collect()
}
