//! Labels for loop heads, from summaries that admit no error.
//!
//! Heads are labelled in the order in which runs come to them, outer loops before inner ones. The
//! label of a head separates the states in which its loop is entered, as the labels before allow,
//! from those that lead to an error. An interpolant between the two is tried first, since it is
//! short. If it is not kept by the loop's turns, the states that no number of turns brings to the
//! interpolant's other side are: a closure is closed under turns before it.
//!
//! # Invariants
//! - What is returned was shown to be entered, kept and safe, as far as turns are what the
//!   summaries of the inner loops say.

use base::Budget;
use encode::blocks::Step;
use encode::transition::{TransitionFormula, sort};
use interpolate::eliminate;
use interpolate::{Interpolation, Interpolator, Layers};
use logic::{SymbolId, TermId};
use program::ir::{LocationId, VarId};
use program::pass::loops::LoopId;
use prover::Shape;
use rustc_hash::FxHashMap;
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use summary::{Kit, Level, Nest, ToError};

/// The label of each head.
pub type Labels = BTreeMap<LocationId, TermId>;

/// How long one interpolant or elimination may take.
const EACH: Duration = Duration::from_secs(2);

/// Labels for all heads, for runs that start in some states at some cut points, from which the
/// summaries admit no error; for a head that no block leads to, that it is not reached.
pub fn labels(
    kit: &mut Kit,
    nest: &mut Nest,
    to_error: &mut ToError,
    starts: &BTreeMap<LocationId, TermId>,
    level: Level,
) -> Result<Labels, String> {
    let mut labels = Labels::new();
    for row in nest.loops.loops.iter() {
        if !nest.order.contains(&row.head) {
            labels.insert(row.head, kit.store.bool(false));
        }
    }
    for head in nest.order.clone() {
        let Some(id) = nest.loops.head_of(head) else {
            continue;
        };
        let obligation = LabelObligation::new(kit, nest, to_error, &labels, starts, id, level);
        let label = obligation.solve(kit)?;
        let invariant = nest.invariant(kit, head);
        let leads = kit.store.not(label);
        let leads = kit.store.and(&[leads, invariant]);
        to_error.settle(head, leads);
        let whole = kit.store.and(&[label, invariant]);
        labels.insert(head, whole);
    }
    Ok(labels)
}

/// What the label of a head must do.
struct LabelObligation {
    /// What holds when the loop is entered: over `entered` and quantified symbols.
    entering: TermId,
    /// What the variables are then.
    entered: BTreeMap<VarId, SymbolId>,
    /// Any number of turns.
    star: TransitionFormula,
    /// One turn.
    turn: TransitionFormula,
    /// States that lead to an error without another turn.
    failing: TermId,
}

impl LabelObligation {
    fn new(
        kit: &mut Kit,
        nest: &mut Nest,
        to_error: &mut ToError,
        labels: &Labels,
        starts: &BTreeMap<LocationId, TermId>,
        id: LoopId,
        level: Level,
    ) -> LabelObligation {
        let head = nest.loops.loops[id].head;
        let failing = to_error.from(kit, nest, head, false);
        let star = nest.star(kit, id, level).step;
        let star = star.renamed(&mut kit.store, &kit.state);
        let turn = nest.body(kit, id, level).turn;
        let mut entered = BTreeMap::new();
        for var in nest.live(head).iter() {
            let row = &kit.program.vars[var];
            entered.insert(var, kit.store.new_symbol(&row.name, sort(row.ty)));
        }
        let mut ways = Vec::new();
        if let Some(&start) = starts.get(&head) {
            let identity = TransitionFormula::identity(&mut kit.store);
            ways.push(arrival(kit, &entered, start, &identity));
        }
        for &at in &nest.order {
            for block in nest.blocks_from(at) {
                let Step::Formula(step) = &block.step else {
                    continue;
                };
                if block.target != head || nest.is_turn(block) {
                    continue;
                }
                let known = match labels.get(&at).or(starts.get(&at)) {
                    Some(&known) => known,
                    None if nest.has_predecessor(at) => nest.invariant(kit, at),
                    None => continue,
                };
                let step = step.renamed(&mut kit.store, &kit.state);
                ways.push(arrival(kit, &entered, known, &step));
            }
        }
        LabelObligation {
            entering: kit.store.or(&ways),
            entered,
            star,
            turn,
            failing,
        }
    }

    /// A label, over the state.
    fn solve(&self, kit: &mut Kit) -> Result<TermId, String> {
        let top = kit.store.bool(true);
        if self.is_label(kit, top) {
            return Ok(top);
        }
        let (first, second) = self.interpolants(kit)?;
        let both = kit.store.and(&[first, second]);
        for label in [second, both, first] {
            if self.is_label(kit, label) {
                return Ok(label);
            }
        }
        let goal = kit.store.not(second);
        let mut why = String::new();
        for goal in [goal, self.failing] {
            match self.unreachable(kit, goal) {
                Ok(label) if self.is_label(kit, label) => return Ok(label),
                Ok(_) => why = "a label is not kept by the loop".to_owned(),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    /// Interpolants between entering, the turns, and failing; over the state.
    fn interpolants(&self, kit: &mut Kit) -> Result<(TermId, TermId), String> {
        let entered: FxHashMap<SymbolId, TermId> = self.states(kit);
        let star = kit.shifted(&self.star, &entered);
        // The variables after the turns have symbols of their own.
        let mut after = entered.clone();
        let mut parts = vec![star.guard];
        let mut back: FxHashMap<SymbolId, TermId> = FxHashMap::default();
        for (&var, &value) in &star.map {
            let row = &kit.program.vars[var];
            let symbol = kit.store.new_symbol(&row.name, sort(row.ty));
            let term = kit.store.of_symbol(symbol);
            parts.push(kit.store.eq(term, value));
            after.insert(kit.state.symbol(var), term);
            back.insert(symbol, kit.before(var));
        }
        for (&var, &symbol) in &self.entered {
            back.insert(symbol, kit.before(var));
        }
        let turns = kit.store.and(&parts);
        let failing = kit.store.substitute(self.failing, &after);
        let parts = [self.entering, turns, failing];
        let budget = limited(&kit.budget);
        let mut interpolator = Interpolator::new(Layers::ALL);
        let shape = Shape::sequence(3);
        match interpolator.interpolate(&mut kit.store, &parts, &shape, &budget) {
            Interpolation::Interpolants(found) => {
                let found = kit.store.substitute_all(&found, &back);
                Ok((found[0], found[1]))
            }
            Interpolation::Consistent(_) => Err("a loop can be entered and left wrongly".into()),
            Interpolation::Unknown(why) => Err(why),
        }
    }

    /// The states that no number of turns brings to a goal.
    fn unreachable(&self, kit: &mut Kit, goal: TermId) -> Result<TermId, String> {
        let arrived = kit.after(&self.star, goal);
        let formula = kit.store.and(&[self.star.guard, arrived]);
        let symbols: BTreeSet<SymbolId> = kit
            .store
            .symbols_of(&[formula])
            .into_iter()
            .filter(|&symbol| kit.state.var(symbol).is_none())
            .collect();
        let budget = limited(&kit.budget);
        let formula = kit.store.simplify(formula);
        let found = eliminate(&mut kit.solver, &mut kit.store, formula, &symbols, &budget)?;
        Ok(kit.store.not(found))
    }

    /// Whether a formula holds when the loop is entered, is kept by its turns, and excludes errors.
    fn is_label(&self, kit: &mut Kit, label: TermId) -> bool {
        let entered = self.states(kit);
        let at_entry = kit.store.substitute(label, &entered);
        let after = kit.after(&self.turn, label);
        let kept = kit.store.and(&[label, self.turn.guard]);
        kit.check(&[label, self.failing]) == Answer::Unsat
            && kit.entails(self.entering, at_entry)
            && kit.entails(kept, after)
    }

    fn states(&self, kit: &mut Kit) -> FxHashMap<SymbolId, TermId> {
        let entered = self.entered.iter();
        entered
            .map(|(&var, &symbol)| (kit.state.symbol(var), kit.store.of_symbol(symbol)))
            .collect()
    }
}

/// A way into a loop: what holds where it starts, and what the variables become.
fn arrival(
    kit: &mut Kit,
    entered: &BTreeMap<VarId, SymbolId>,
    known: TermId,
    step: &TransitionFormula,
) -> TermId {
    let mut parts = vec![known, step.guard];
    for (&var, &symbol) in entered {
        let value = step.value(&mut kit.store, &kit.state, var);
        let term = kit.store.of_symbol(symbol);
        parts.push(kit.store.eq(term, value));
    }
    kit.store.and(&parts)
}

fn limited(budget: &Budget) -> Budget {
    budget.clone().with_timeout(EACH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use absdom::{Invariants, Options};
    use base::Id;
    use program::ir::Program;
    use summary::Detail;

    /// Two loops, one after the other: up by twos to `limit`, then down by ones to zero, with an
    /// error if `x` is below zero then. Where `x` starts, the program does not say.
    fn up_and_down(limit: i64) -> Program {
        program::testing::parse(&format!(
            r#"program ptr 8 entry main
            site n0: nondet i32 "__VERIFIER_nondet_int"
            proc p0 main() entry l0 exit l1 {{
              local v0 x: i32
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
                e9: return -> l1
              l1:
            }}"#
        ))
    }

    /// The labels for runs that start with a value of `x` at a location.
    fn labels_from(program: &Program, at: usize, x: i64) -> (Kit<'_>, Result<Labels, String>) {
        let budget = Budget::unlimited();
        let mut kit = Kit::new(program, &budget);
        let options = Options::default();
        let invariants = Invariants::new(program, program.entry, &options, &budget);
        let mut nest = Nest::new(&mut kit, program.entry, invariants, &Detail::default());
        let level = Level::ALL[Level::ALL.len() - 1];
        let mut to_error = ToError::new(&nest, level);
        let (var, value) = (kit.before(VarId::from_index(0)), kit.store.int(x));
        let start = kit.store.eq(var, value);
        let starts = BTreeMap::from([(LocationId::from_index(at), start)]);
        let found = labels(&mut kit, &mut nest, &mut to_error, &starts, level);
        (kit, found)
    }

    #[test]
    fn labels_hold_at_the_start_are_kept_and_exclude_errors() {
        let program = up_and_down(10);
        let (mut kit, found) = labels_from(&program, 2, 0);
        let found = found.expect("labels");
        let x = kit.before(VarId::from_index(0));
        let [up, down] = [2, 4].map(|at| found[&LocationId::from_index(at)]);
        let (zero, ten) = (kit.store.int(0i64), kit.store.int(10i64));
        let at_start = kit.store.eq(x, zero);
        assert!(kit.entails(at_start, up));
        let negative = kit.store.lt(x, zero);
        assert_eq!(kit.check(&[down, negative]), Answer::Unsat);
        // Both are kept by their iterations.
        let two = kit.store.int(2i64);
        let above = kit.store.add(x, two);
        let symbol = kit.state.symbol(VarId::from_index(0));
        let in_loop = kit.store.lt(x, ten);
        let before = kit.store.and(&[up, in_loop]);
        let after = kit
            .store
            .substitute(up, &[(symbol, above)].into_iter().collect());
        assert!(kit.entails(before, after));
        let one = kit.store.int(1i64);
        let less = kit.store.sub(x, one);
        let is_zero = kit.store.eq(x, zero);
        let goes_on = kit.store.not(is_zero);
        let positive = kit.store.le(zero, x);
        let before = kit.store.and(&[down, goes_on, positive]);
        let after = kit
            .store
            .substitute(down, &[(symbol, less)].into_iter().collect());
        assert!(kit.entails(before, after));
    }

    #[test]
    fn there_are_no_labels_where_an_error_is_reached() {
        // The first loop ends below zero, and the second goes down to the error.
        let program = up_and_down(-9);
        let (_, found) = labels_from(&program, 2, -20);
        assert!(found.is_err(), "{found:?}");
    }
}
