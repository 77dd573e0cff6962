//! Labels for loop heads, from summaries that admit no error.
//!
//! Heads are labelled in the order in which runs reach them, outer loops before inner ones. The
//! label of a head separates the states in which its loop is entered, as the previous labels allow,
//! from those that lead to an error. An interpolant between the two is tried first, since it is
//! short. If the loop's iterations do not preserve it, the hull of the states of the first
//! iterations may be inductive: [`hull`]. Otherwise it is the set of states that no number of
//! iterations takes to the other side: a closure is closed under prepending iterations.
//!
//! If loops follow one another, an error after one often depends on that loop alone.
//! [`local_labels`] tries this first, with a small query for each loop: the summary of the whole
//! program is a large formula.
//!
//! # Invariants
//! - The result was shown to hold at loop entry, to be inductive and to be safe, with inner loops
//!   as their summaries describe them.

mod hull;

use crate::path_solver::within;
use base::Budget;
use encode::Context;
use encode::Substitution;
use encode::blocks::BlockEffect;
use encode::transition::TransitionFormula;
use interpolate::eliminate;
use interpolate::{Interpolator, Layers};
use logic::{SymbolId, TermId};
use program::ir::{LocationId, VarId};
use program::pass::loops::LoopId;
use prover::Shape;
use rustc_hash::FxHashMap;
use smt::Answer;
use std::collections::BTreeMap;
use summary::{Level, LoopNestSummaries, ToError};

/// The label of each head.
pub type Labels = BTreeMap<LocationId, TermId>;

/// The effort of one interpolant or elimination.
const EACH: u64 = 2_000_000;
/// The effort for the query whether an error after a loop depends on that loop alone.
const LOCAL: u64 = 500_000;

/// Labels for all heads, for runs that start in given states at given cut points, from which the
/// summaries admit no error; a head that no block leads to is labelled unreachable.
pub fn labels(
    ctx: &mut Context,
    nest: &mut LoopNestSummaries,
    to_error: &mut ToError,
    starts: &BTreeMap<LocationId, TermId>,
    level: Level,
) -> Result<Labels, String> {
    let mut labels = Labels::new();
    for row in nest.cuts.loops.loops.iter() {
        if !nest.cuts.order.contains(&row.head) {
            labels.insert(row.head, ctx.store.bool(false));
        }
    }
    for head in nest.cuts.order.clone() {
        let Some(id) = nest.cuts.loops.head_of(head) else {
            continue;
        };
        let obligation = LabelObligation::new(ctx, nest, to_error, &labels, starts, id, level);
        let label = obligation.solve(ctx)?;
        let invariant = nest.invariant(ctx, head);
        let leads = ctx.store.not(label);
        let leads = ctx.store.and(&[leads, invariant]);
        to_error.fix_error_states(head, leads);
        let whole = ctx.store.and(&[label, invariant]);
        labels.insert(head, whole);
    }
    Ok(labels)
}

/// Labels for all heads, if each error is excluded by the last loop before it, entered in whatever
/// states the invariants allow.
pub fn local_labels(
    ctx: &mut Context,
    nest: &mut LoopNestSummaries,
    starts: &BTreeMap<LocationId, TermId>,
    level: Level,
) -> Option<Labels> {
    let mut to_error = ToError::new(nest, level);
    let never = ctx.store.bool(false);
    let loops: Vec<LoopId> = nest.cuts.loops.loops.ids().collect();
    for &id in &loops {
        to_error.fix_error_states(nest.cuts.loops.loops[id].head, never);
    }
    let is_local = starts.iter().all(|(&at, &start)| {
        nest.cuts.loops.head_of(at).is_some() || {
            let failing = to_error.from(ctx, nest, at, false);
            is_excluded(ctx, &[start, failing])
        }
    }) && loops.iter().all(|&id| {
        let none = Labels::new();
        LabelObligation::new(ctx, nest, &mut to_error, &none, starts, id, level).is_met(ctx)
    });
    is_local.then(|| labels(ctx, nest, &mut to_error, starts, level).ok())?
}

/// Whether formulas are inconsistent, as far as little effort can tell.
fn is_excluded(ctx: &mut Context, formulas: &[TermId]) -> bool {
    let little = ctx.budget.clone().with_effort(LOCAL);
    within(ctx, little, |ctx| ctx.check(formulas)) == Answer::Unsat
}

/// The obligations of a head's label.
struct LabelObligation {
    /// The states in which the loop is entered: over `entered` and quantified symbols.
    entering: TermId,
    /// The values of the variables then.
    entered: BTreeMap<VarId, SymbolId>,
    /// Any number of iterations.
    star: TransitionFormula,
    /// One iteration.
    iteration: TransitionFormula,
    /// When one is possible.
    goes_on: TermId,
    /// States that lead to an error without another iteration.
    failing: TermId,
}

impl LabelObligation {
    fn new(
        ctx: &mut Context,
        nest: &mut LoopNestSummaries,
        to_error: &mut ToError,
        labels: &Labels,
        starts: &BTreeMap<LocationId, TermId>,
        id: LoopId,
        level: Level,
    ) -> LabelObligation {
        let head = nest.cuts.loops.loops[id].head;
        let failing = to_error.from(ctx, nest, head, false);
        let star = nest.star(ctx, id, level).step;
        let star = star.renamed(&mut ctx.store, &ctx.state);
        let body = nest.body(ctx, id, level);
        let mut entered = BTreeMap::new();
        for var in nest.cuts.live(head).iter() {
            let row = &ctx.program.vars[var];
            entered.insert(var, ctx.store.new_symbol(&row.name, row.ty.sort()));
        }
        let mut ways = Vec::new();
        if let Some(&start) = starts.get(&head) {
            let identity = TransitionFormula::identity(&mut ctx.store);
            ways.push(arrival(ctx, &entered, start, &identity));
        }
        for &at in &nest.cuts.order {
            for block in nest.cuts.blocks_from(at) {
                let BlockEffect::Formula(step) = &block.step else {
                    continue;
                };
                if block.target != head || nest.cuts.is_back(block) {
                    continue;
                }
                let known = match labels.get(&at).or(starts.get(&at)) {
                    Some(&known) => known,
                    None if nest.cuts.has_predecessor(at) => nest.invariant(ctx, at),
                    None => continue,
                };
                let step = step.renamed(&mut ctx.store, &ctx.state);
                ways.push(arrival(ctx, &entered, known, &step));
            }
        }
        LabelObligation {
            entering: ctx.store.or(&ways),
            entered,
            star,
            iteration: body.iteration,
            goes_on: body.guard,
            failing,
        }
    }

    /// A label, over the state.
    fn solve(&self, ctx: &mut Context) -> Result<TermId, String> {
        let top = ctx.store.bool(true);
        if self.is_label(ctx, top) {
            return Ok(top);
        }
        let mut why = String::new();
        let mut facts = Vec::new();
        let mut goals = vec![self.failing];
        match self.interpolants(ctx) {
            Ok((first, second)) => {
                let both = ctx.store.and(&[first, second]);
                for label in [second, both, first] {
                    if self.is_label(ctx, label) {
                        return Ok(label);
                    }
                }
                facts = ctx.store.conjuncts(both);
                goals.insert(0, ctx.store.not(second));
            }
            Err(reason) => why = reason,
        }
        if let Some(label) = self.hull_label(ctx, &facts) {
            return Ok(label);
        }
        for goal in goals {
            match self.unreachable(ctx, goal) {
                Ok(label) if self.is_label(ctx, label) => return Ok(label),
                Ok(_) => why = "a label is not kept by the loop".to_owned(),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    /// Whether no number of iterations leads from entry to an error: otherwise there is no label.
    fn is_met(&self, ctx: &mut Context) -> bool {
        if ctx.store.as_bool(self.failing) == Some(false) {
            return true;
        }
        let (parts, _) = self.parts(ctx);
        is_excluded(ctx, &parts)
    }

    /// Entry, iterations and error, with separate symbols for each point; and the way back to the
    /// state.
    fn parts(&self, ctx: &mut Context) -> ([TermId; 3], Substitution) {
        let entered: Substitution = self.states(ctx);
        let star = self.star.substituted(&mut ctx.store, &entered);
        // The variables after the iterations have symbols of their own.
        let mut after = entered.clone();
        let mut parts = vec![star.guard];
        let mut back: Substitution = FxHashMap::default();
        for (&var, &value) in &star.map {
            let row = &ctx.program.vars[var];
            let symbol = ctx.store.new_symbol(&row.name, row.ty.sort());
            let term = ctx.store.of_symbol(symbol);
            parts.push(ctx.store.eq(term, value));
            after.insert(ctx.state.symbol(var), term);
            back.insert(symbol, ctx.before(var));
        }
        for (&var, &symbol) in &self.entered {
            back.insert(symbol, ctx.before(var));
        }
        let iterations = ctx.store.and(&parts);
        let failing = ctx.store.substitute(self.failing, &after);
        ([self.entering, iterations, failing], back)
    }

    /// Interpolants between entry, iterations and error; over the state.
    fn interpolants(&self, ctx: &mut Context) -> Result<(TermId, TermId), String> {
        let (parts, back) = self.parts(ctx);
        let budget = limited(&ctx.budget);
        let mut interpolator = Interpolator::new(Layers::ALL);
        let shape = Shape::sequence(3);
        let store = &mut ctx.store;
        let found = (interpolator.interpolate(store, shape.of(&parts), &budget)).found()?;
        let found = store.substitute_all(&found, &back);
        Ok((found[0], found[1]))
    }

    /// The states that no number of iterations takes to a goal.
    fn unreachable(&self, ctx: &mut Context, goal: TermId) -> Result<TermId, String> {
        let arrived = ctx.after(&self.star, goal);
        let formula = ctx.store.and(&[self.star.guard, arrived]);
        let symbols = ctx.quantified(formula);
        let budget = limited(&ctx.budget);
        let formula = ctx.store.simplify(formula);
        let found = eliminate(&mut ctx.solver, &mut ctx.store, formula, &symbols, &budget)?;
        Ok(ctx.store.not(found))
    }

    /// Whether a formula holds at loop entry, is preserved by iterations, and excludes errors.
    fn is_label(&self, ctx: &mut Context, label: TermId) -> bool {
        let entered = self.states(ctx);
        let at_entry = ctx.store.substitute(label, &entered);
        let after = ctx.after(&self.iteration, label);
        let kept = ctx.store.and(&[label, self.iteration.guard]);
        ctx.check(&[label, self.failing]) == Answer::Unsat
            && ctx.entails(self.entering, at_entry)
            && ctx.entails(kept, after)
    }

    fn states(&self, ctx: &mut Context) -> Substitution {
        let entered = self.entered.iter();
        entered
            .map(|(&var, &symbol)| (ctx.state.symbol(var), ctx.store.of_symbol(symbol)))
            .collect()
    }
}

/// A path into a loop: what holds where it starts, and what the variables become.
fn arrival(
    ctx: &mut Context,
    entered: &BTreeMap<VarId, SymbolId>,
    known: TermId,
    step: &TransitionFormula,
) -> TermId {
    let mut parts = vec![known, step.guard];
    for (&var, &symbol) in entered {
        let value = step.value(&mut ctx.store, &ctx.state, var);
        let term = ctx.store.of_symbol(symbol);
        parts.push(ctx.store.eq(term, value));
    }
    ctx.store.and(&parts)
}

fn limited(budget: &Budget) -> Budget {
    budget.clone().with_effort(EACH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use absdom::{Invariants, Options};
    use base::Id;
    use encode::EncodingPrecision;
    use logic::Integer;
    use program::ir::Program;

    /// Two loops, one after the other: up by twos to `limit`, then down by ones to zero, with an
    /// error if `x` is below zero then. Where `x` starts, the program does not say.
    fn up_and_down(limit: i64) -> Program {
        program::testing::parse_main(
            "x: i32",
            &format!(
                r#"
              l0:
                e0: havoc x n0 -> l2
              l2:
                e1: assume x < {limit}i32 -> l3
                e2: assume x >= {limit}i32 -> l4
              l3:
                e3: x := x + 2i32 -> l2
              l4:
                e4: assume x != 0i32 -> l5
                e5: assume x == 0i32 -> l8
              l5:
                e6: assume x < 0i32 -> l6
                e7: assume x >= 0i32 -> l7
              l6: error assertion "x"
              l7:
                e8: x := x - 1i32 -> l4
              l8:
                e9: return -> l1"#
            ),
        )
    }

    /// `while (i < 3n) { if (i % 3 == 0) j++; i++; } while (k < j) k++;`, with an error if `k` is
    /// not `n` then.
    fn every_third() -> Program {
        program::testing::parse_main(
            "i: i32, j: i32, k: i32, n: i32",
            r#"
              l0:
                e0: havoc n n0 -> l2
              l2:
                e1: assume i < n * 3i32 -> l3
                e2: assume i >= n * 3i32 -> l7
              l3:
                e3: assume i % 3i32 == 0i32 -> l4
                e4: assume i % 3i32 != 0i32 -> l5
              l4:
                e5: j := j + 1i32 -> l5
              l5:
                e6: i := i + 1i32 -> l2
              l7:
                e7: assume k < j -> l8
                e8: assume k >= j -> l9
              l8:
                e9: k := k + 1i32 -> l7
              l9:
                e10: assume k != n -> l6
                e11: assume k == n -> l10
              l6: error assertion "k"
              l10:
                e12: return -> l1"#,
        )
    }

    /// The loops of a program, with what the forward analysis knows.
    fn nest(program: &Program) -> (Context<'_>, LoopNestSummaries) {
        let budget = Budget::unlimited();
        let mut ctx = Context::new(program, &budget);
        let options = Options::default();
        let invariants = Invariants::new(program, program.entry, &options, &budget);
        let precision = EncodingPrecision::default();
        let nest = LoopNestSummaries::new(&mut ctx, program.entry, invariants, &precision);
        (ctx, nest)
    }

    #[test]
    fn facts_of_the_first_iterations_relate_two_loops() {
        let program = every_third();
        let (mut ctx, mut nest) = nest(&program);
        let [i, j, k, n] = [0, 1, 2, 3].map(|var| ctx.before(VarId::from_index(var)));
        let (zero, many) = (ctx.store.int(0i64), ctx.store.int(1000i64));
        let mut start = [i, j, k].map(|var| ctx.store.eq(var, zero)).to_vec();
        start.extend([ctx.store.le(zero, n), ctx.store.le(n, many)]);
        let start = ctx.store.and(&start);
        let head = LocationId::from_index(2);
        let starts = BTreeMap::from([(head, start)]);
        let level = Level::Phases;
        let mut to_error = ToError::new(&nest, level);
        let found = labels(&mut ctx, &mut nest, &mut to_error, &starts, level);
        let found = found.expect("labels");
        // At the end of the first loop.
        let three = Integer::from(3i64);
        let steps = ctx.store.scale(&three, n);
        let ended = ctx.store.le(steps, i);
        let label = ctx.store.and(&[found[&head], ended]);
        let all_counted = ctx.store.eq(j, n);
        assert!(ctx.entails(label, all_counted));
    }

    /// The labels for runs that start with a value of `x` at a location.
    fn labels_from(program: &Program, at: usize, x: i64) -> (Context<'_>, Result<Labels, String>) {
        let (mut ctx, mut nest) = nest(program);
        let level = Level::ALL[Level::ALL.len() - 1];
        let mut to_error = ToError::new(&nest, level);
        let (var, value) = (ctx.before(VarId::from_index(0)), ctx.store.int(x));
        let start = ctx.store.eq(var, value);
        let starts = BTreeMap::from([(LocationId::from_index(at), start)]);
        let found = labels(&mut ctx, &mut nest, &mut to_error, &starts, level);
        (ctx, found)
    }

    #[test]
    fn labels_hold_at_the_start_are_kept_and_exclude_errors() {
        let program = up_and_down(10);
        let (mut ctx, found) = labels_from(&program, 2, 0);
        let found = found.expect("labels");
        let x = ctx.before(VarId::from_index(0));
        let [up, down] = [2, 4].map(|at| found[&LocationId::from_index(at)]);
        let (zero, ten) = (ctx.store.int(0i64), ctx.store.int(10i64));
        let at_start = ctx.store.eq(x, zero);
        assert!(ctx.entails(at_start, up));
        let negative = ctx.store.lt(x, zero);
        assert_eq!(ctx.check(&[down, negative]), Answer::Unsat);
        // Both are kept by their iterations.
        let two = ctx.store.int(2i64);
        let above = ctx.store.add(x, two);
        let symbol = ctx.state.symbol(VarId::from_index(0));
        let in_loop = ctx.store.lt(x, ten);
        let before = ctx.store.and(&[up, in_loop]);
        let after = ctx
            .store
            .substitute(up, &[(symbol, above)].into_iter().collect());
        assert!(ctx.entails(before, after));
        let one = ctx.store.int(1i64);
        let less = ctx.store.sub(x, one);
        let is_zero = ctx.store.eq(x, zero);
        let goes_on = ctx.store.not(is_zero);
        let positive = ctx.store.le(zero, x);
        let before = ctx.store.and(&[down, goes_on, positive]);
        let after = ctx
            .store
            .substitute(down, &[(symbol, less)].into_iter().collect());
        assert!(ctx.entails(before, after));
    }

    /// Whether there are labels loop by loop, for runs from the entry.
    fn has_local_labels(program: &Program) -> bool {
        let (mut ctx, mut nest) = nest(program);
        let start = ctx.store.bool(true);
        let starts = BTreeMap::from([(LocationId::from_index(0), start)]);
        local_labels(&mut ctx, &mut nest, &starts, Level::Equalities).is_some()
    }

    #[test]
    fn labels_are_local_where_one_loop_excludes_the_error() {
        // How the first loop ends is seen where the second begins.
        assert!(has_local_labels(&up_and_down(10)));
        assert!(!has_local_labels(&up_and_down(-9)));
        // What fails after the second loop is a matter of what the first one counts.
        assert!(!has_local_labels(&every_third()));
    }

    #[test]
    fn there_are_no_labels_where_an_error_is_reached() {
        // The first loop ends below zero, and the second goes down to the error.
        let program = up_and_down(-9);
        let (_, found) = labels_from(&program, 2, -20);
        assert!(found.is_err(), "{found:?}");
    }
}
