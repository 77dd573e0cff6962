//! Where a summary says that it is exact, it is: on a box of states it relates those that
//! iterations of the loop relate, and no others.

mod common;

use absdom::{Invariants, Options};
use base::{Budget, Id, Rng};
use common::prepared;
use encode::{Context, EncodingPrecision};
use logic::TermId;
use program::ir::VarId;
use program::pass::loops::LoopId;
use rustc_hash::FxHashMap;
use smt::Answer;
use std::collections::BTreeSet;
use summary::{Level, LoopNestSummaries};

const BOX: std::ops::RangeInclusive<i64> = -3..=5;
/// After so many iterations a state has left the box for good, or does not change any more.
const ITERATIONS: usize = 40;

type Point = [i64; 2];

/// What an iteration does to a variable.
#[derive(Clone, Copy, Debug)]
enum Update {
    Add(i64),
    Set(i64),
}

/// A loop on `x` and `y`: as long as all of `a·x + b·y <= c`, the updates of the first case whose
/// condition holds.
#[derive(Debug)]
struct Toy {
    guards: Vec<[i64; 3]>,
    /// The condition of the first case, if there are two.
    split: Option<[i64; 3]>,
    cases: [[Update; 2]; 2],
}

impl Toy {
    fn random(seed: u64, may_split: bool) -> Toy {
        let mut rng = Rng::new(seed);
        let row = |rng: &mut Rng| {
            let factors = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [1, -1]];
            let [a, b] = rng.pick(&factors);
            [a, b, rng.below(6) as i64 - 1]
        };
        let guards = (0..1 + rng.below(2)).map(|_| row(&mut rng)).collect();
        let split = (may_split && rng.chance(40)).then(|| row(&mut rng));
        let update = |rng: &mut Rng| match rng.below(5) {
            0 => Update::Set(rng.below(4) as i64),
            _ => Update::Add(rng.below(5) as i64 - 2),
        };
        let mut both = || [update(&mut rng), update(&mut rng)];
        Toy {
            guards,
            split,
            cases: [both(), both()],
        }
    }

    fn text(&self) -> String {
        let condition = |&[a, b, c]: &[i64; 3]| format!("({a}) * x + ({b}) * y <= {c}");
        let guards: Vec<String> = self.guards.iter().map(condition).collect();
        let case = |updates: &[Update; 2]| {
            let line = |name: &str, update: Update| match update {
                Update::Add(n) => format!("{name} = {name} + ({n});"),
                Update::Set(n) => format!("{name} = {n};"),
            };
            format!("{} {}", line("x", updates[0]), line("y", updates[1]))
        };
        let body = match &self.split {
            None => case(&self.cases[0]),
            Some(split) => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                condition(split),
                case(&self.cases[0]),
                case(&self.cases[1])
            ),
        };
        format!(
            "int nondet(void);\nint main(void) {{\n  int x = nondet(), y = nondet();\n  \
             while ({}) {{ {body} }}\n  \
             if (x != 77 || y != 78) __assert_fail(\"\", \"\", 0, \"\");\n}}\n",
            guards.join(" && ")
        )
    }

    fn iteration(&self, [x, y]: Point) -> Option<Point> {
        let holds = |&[a, b, c]: &[i64; 3]| a * x + b * y <= c;
        if !self.guards.iter().all(holds) {
            return None;
        }
        let case = usize::from(!self.split.as_ref().is_none_or(holds));
        let updated = |old: i64, update: Update| match update {
            Update::Add(n) => old + n,
            Update::Set(n) => n,
        };
        let [of_x, of_y] = self.cases[case];
        Some([updated(x, of_x), updated(y, of_y)])
    }

    /// The states in the box after any number of iterations.
    fn reached(&self, start: Point) -> BTreeSet<Point> {
        let iterations = std::iter::successors(Some(start), |&point| self.iteration(point));
        let inside = |point: &Point| point.iter().all(|value| BOX.contains(value));
        iterations.take(ITERATIONS).filter(inside).collect()
    }
}

/// Checks the summary of a loop; whether it is exact.
fn check(toy: &Toy, level: Level) -> bool {
    let text = toy.text();
    let program = prepared(&text);
    let budget = Budget::unlimited();
    let options = Options::default();
    let invariants = Invariants::new(&program, program.entry, &options, &budget);
    let mut ctx = Context::new(&program, &budget);
    let mut nest = LoopNestSummaries::new(
        &mut ctx,
        program.entry,
        invariants,
        &EncodingPrecision::wrapping(),
    );
    if nest.cuts.loops.loops.is_empty() {
        return false;
    }
    let star = nest.star(&mut ctx, LoopId::from_index(0), level);
    let head = nest.cuts.loops.loops[LoopId::from_index(0)].head;
    let var = |name: &str| {
        let mut live = nest.cuts.live(head).iter();
        let found = live.find(|&var| &*program.vars[var].name == name);
        found.expect("the variable should be there")
    };
    let vars: [VarId; 2] = ["x", "y"].map(var);
    let after = vars.map(|var| star.step.value(&mut ctx.store, &ctx.state, var));
    let mut parts = vec![star.step.guard];
    for term in after {
        let (low, high) = (ctx.store.int(*BOX.start()), ctx.store.int(*BOX.end()));
        parts.extend([ctx.store.le(low, term), ctx.store.le(term, high)]);
    }
    let relation = ctx.store.and(&parts);
    for x in BOX {
        for y in BOX {
            let reached = toy.reached([x, y]);
            let mut map = FxHashMap::default();
            for (var, value) in vars.into_iter().zip([x, y]) {
                map.insert(ctx.state.symbol(var), ctx.store.int(value));
            }
            let from_here = ctx.store.substitute(relation, &map);
            let after = after.map(|term| ctx.store.substitute(term, &map));
            let points: Vec<TermId> = reached
                .iter()
                .map(|&point| is_at(&mut ctx, after, point))
                .collect();
            for (&point, point_reached) in points.iter().zip(&reached) {
                let answer = ctx.check(&[from_here, point]);
                assert_eq!(
                    answer,
                    Answer::Sat,
                    "{text}{:?} to {point_reached:?}",
                    [x, y]
                );
            }
            if star.exact {
                let any = ctx.store.or(&points);
                let other = ctx.store.not(any);
                let answer = ctx.check(&[from_here, other]);
                assert_eq!(
                    answer,
                    Answer::Unsat,
                    "{text}from {:?}, besides {reached:?}\n{:?}",
                    [x, y],
                    ctx.store.readable(from_here)
                );
            }
        }
    }
    star.exact
}

fn is_at(ctx: &mut Context, terms: [TermId; 2], point: Point) -> TermId {
    let mut parts = Vec::new();
    for (term, value) in terms.into_iter().zip(point) {
        let value = ctx.store.int(value);
        parts.push(ctx.store.eq(term, value));
    }
    ctx.store.and(&parts)
}

#[test]
fn what_is_said_to_be_exact_is() {
    let mut exact = 0;
    for seed in 0..12 {
        exact += usize::from(check(&Toy::random(seed, true), Level::Phases));
    }
    assert!(exact > 2, "{exact}");
}

#[test]
fn also_without_phases() {
    let mut exact = 0;
    for seed in 100..105 {
        exact += usize::from(check(&Toy::random(seed, false), Level::Equalities));
    }
    assert!(exact > 1, "{exact}");
}

#[test]
fn nothing_is_exact_around_what_is_not() {
    let text = "int nondet(void);
int main(void) {
  int s = nondet(), n = nondet(), x = 0, y = 0;
  if (s < 1) return 0;
  while (x < 3) { y = 0; while (y < n) y += s; x++; }
  if (y == n) __assert_fail(\"\", \"\", 0, \"\");
}";
    let program = prepared(text);
    let budget = Budget::unlimited();
    let options = Options::default();
    let invariants = Invariants::new(&program, program.entry, &options, &budget);
    let mut ctx = Context::new(&program, &budget);
    let mut nest = LoopNestSummaries::new(
        &mut ctx,
        program.entry,
        invariants,
        &EncodingPrecision::wrapping(),
    );
    for number in 0..2 {
        let star = nest.star(&mut ctx, LoopId::from_index(number), Level::Phases);
        assert!(!star.exact && !star.step.exact, "loop {number}");
    }
}
