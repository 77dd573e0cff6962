//! How long the abstractions of random loop bodies take.
//!
//! A body is a sequence of guards, assignments, inputs, sums that wrap and branches over some
//! variables, as one transition formula. Asked for are the facts that a summary needs: hulls of
//! the differences, of the old and of the new values, bounds and congruences of the differences.
//!
//! `cargo bench -p cairn-absdom --bench bodies`

#![allow(clippy::print_stdout, reason = "it reports to a person")]

use absdom::symbolic::{Abstraction, Limits};
use base::{Budget, Rng};
use logic::{Integer, Sort, TermId, TermStore};
use smt::{Answer, Solver};
use std::time::Duration;

const BODIES: u64 = 40;
/// How many variables, and how many more steps than two at most.
const CASES: [(usize, usize); 5] = [(3, 3), (4, 4), (6, 6), (8, 8), (12, 40)];

/// The processor's time of this thread; other programs do not count, unlike in real time.
fn processor_time() -> Duration {
    // The kernel brings its books up to date only now and then, and when a thread gives way.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(first.unwrap_or(0))
}

fn main() {
    machine();
    for (size, steps) in CASES {
        println!(
            "{size} variables, up to {steps} steps: median, 9 in 10 and all within, in ms; what was found"
        );
        let mut questions: Vec<Question> = Question::all();
        for seed in 0..BODIES {
            for question in &mut questions {
                let mut body = Body::new(seed, size, steps);
                let start = processor_time();
                let found = (question.ask)(&mut body);
                question.times.push(processor_time() - start);
                question.found += found;
            }
        }
        for question in &mut questions {
            question.report();
        }
    }
}

/// A machine that waits for the letters of a word one after the other, reading one a round into
/// each of as many variables as there are kinds of letters.
fn machine() {
    let word = "abracadabraabracadabra";
    let mut store = TermStore::new();
    let (state, next) = (
        store.fresh("state", Sort::Int),
        store.fresh("state'", Sort::Int),
    );
    let letters: Vec<TermId> = (0..5).map(|_| store.fresh("letter", Sort::Int)).collect();
    let mut cases = Vec::new();
    for (place, letter) in word.bytes().enumerate() {
        let kind = b"abrcd".iter().position(|&it| it == letter).unwrap_or(0);
        let (at, then) = (store.int(place as i64), store.int(place as i64 + 1));
        let code = store.int(i64::from(letter));
        let here = store.eq(state, at);
        let read = store.eq(letters[kind], code);
        let (forward, stays) = (store.eq(next, then), store.eq(next, at));
        let missed = store.not(read);
        cases.push(store.and(&[here, read, forward]));
        cases.push(store.and(&[here, missed, stays]));
    }
    let formula = store.or(&cases);
    let difference = store.sub(next, state);
    let budget = Budget::unlimited();
    for terms in [vec![difference], vec![state], vec![state, next], letters] {
        let start = processor_time();
        let mut solver = Solver::new().without_cache();
        let mut abstraction = Abstraction::new(&mut store, &mut solver, formula, &budget);
        let rows = hull(&mut abstraction, &terms);
        let cubes = abstraction.effort().1;
        drop(abstraction);
        let time = (processor_time() - start).as_secs_f64() * 1000.0;
        println!(
            "  machine of {} states, {} terms: {time:.1} ms, {cubes} cubes, {rows} rows",
            word.len() + 1,
            terms.len()
        );
    }
}

struct Question {
    name: &'static str,
    ask: fn(&mut Body) -> usize,
    times: Vec<Duration>,
    found: usize,
}

impl Question {
    fn all() -> Vec<Question> {
        let question = |name, ask| Question {
            name,
            ask,
            times: Vec::new(),
            found: 0,
        };
        vec![
            question("a model", |body| {
                body.with(|it, _| it.affine_hull(&[]).len())
            }),
            question("affine hull", |body| {
                body.with(|it, body| it.affine_hull(&body.differences).len())
            }),
            question("bounds", |body| {
                body.with(|it, body| it.bounds(&body.differences).map_or(0, |all| all.len()))
            }),
            question("octagon", |body| {
                body.with(|it, body| it.octagon_bounds(&body.differences).len())
            }),
            question("hull of differences", |body| {
                body.with(|it, body| hull(it, &body.differences))
            }),
            question("hull of old values", |body| {
                body.with(|it, body| hull(it, &body.old))
            }),
            question("hull of new values", |body| {
                body.with(|it, body| hull(it, &body.new))
            }),
            question("lattice", |body| {
                body.with(|it, body| it.lattice(&body.differences).len())
            }),
            question("three hulls and a lattice", |body| {
                body.with(|it, body| {
                    hull(it, &body.differences)
                        + hull(it, &body.old)
                        + hull(it, &body.new)
                        + it.lattice(&body.differences).len()
                })
            }),
        ]
    }

    fn report(&mut self) {
        self.times.sort();
        let at = |part: usize| {
            let place = (self.times.len() * part / 100).min(self.times.len() - 1);
            self.times[place].as_secs_f64() * 1000.0
        };
        let (name, found) = (self.name, self.found);
        println!(
            "  {name:26} {:8.2} {:8.2} {:8.2}   {found}",
            at(50),
            at(90),
            at(100)
        );
    }
}

fn hull(abstraction: &mut Abstraction<'_>, terms: &[TermId]) -> usize {
    abstraction
        .convex_hull(terms, Limits::default())
        .rows()
        .len()
}

#[derive(Clone, Default)]
struct Terms {
    old: Vec<TermId>,
    new: Vec<TermId>,
    differences: Vec<TermId>,
}

struct Body {
    store: TermStore,
    /// It was asked before, as in a run over many loops.
    solver: Solver,
    formula: TermId,
    terms: Terms,
}

impl Body {
    fn with(&mut self, ask: fn(&mut Abstraction<'_>, &Terms) -> usize) -> usize {
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(5));
        let (store, solver) = (&mut self.store, &mut self.solver);
        let mut abstraction = Abstraction::new(store, solver, self.formula, &budget);
        ask(&mut abstraction, &self.terms)
    }

    fn new(seed: u64, size: usize, steps: usize) -> Body {
        let mut maker = Maker {
            store: TermStore::new(),
            rng: Rng::new(seed),
        };
        let old: Vec<TermId> = (0..size)
            .map(|_| maker.store.fresh("x", Sort::Int))
            .collect();
        let start = State {
            values: old.clone(),
            guards: Vec::new(),
        };
        let steps = 2 + maker.rng.below(steps);
        let end = maker.steps(start, steps, 2);
        let mut store = maker.store;
        let mut guards = end.guards;
        let mut terms = Terms::default();
        for (&before, &value) in old.iter().zip(&end.values) {
            let after = store.fresh("x'", Sort::Int);
            guards.push(store.eq(after, value));
            terms.new.push(after);
            terms.differences.push(store.sub(after, before));
        }
        let mut solver = Solver::new().without_cache();
        let other = store.lt(terms.new[0], terms.new[1]);
        let answer = solver.check(&store, &[other], &Budget::unlimited());
        assert_eq!(answer, Answer::Sat);
        terms.old = old;
        Body {
            formula: store.and(&guards),
            store,
            solver,
            terms,
        }
    }
}

#[derive(Clone)]
struct State {
    values: Vec<TermId>,
    guards: Vec<TermId>,
}

struct Maker {
    store: TermStore,
    rng: Rng,
}

impl Maker {
    fn number(&mut self) -> Integer {
        Integer::from(self.rng.below(7) as i64 - 3)
    }

    /// One value, or the sum of two, and a constant.
    fn sum(&mut self, state: &State) -> TermId {
        let mut parts = vec![(self.rng.pick(&state.values), Integer::ONE)];
        if self.rng.one_in(4) {
            let sign = Integer::from(self.rng.pick(&[-1i64, 1]));
            parts.push((self.rng.pick(&state.values), sign));
        }
        let constant = self.number();
        self.store.linear(&constant, &parts)
    }

    fn condition(&mut self, state: &State) -> TermId {
        let left = self.sum(state);
        let right = match self.rng.one_in(2) {
            true => self.sum(state),
            false => self.store.int(self.rng.below(100) as i64),
        };
        match self.rng.one_in(5) {
            true => self.store.eq(left, right),
            false => self.store.lt(left, right),
        }
    }

    fn steps(&mut self, mut state: State, steps: usize, depth: usize) -> State {
        for _ in 0..steps {
            state = self.step(state, depth);
        }
        state
    }

    fn step(&mut self, mut state: State, depth: usize) -> State {
        let place = self.rng.below(state.values.len());
        match self.rng.below(10) {
            0 | 1 => {
                let guard = self.condition(&state);
                state.guards.push(guard);
            }
            2..=4 => {
                let by = self.number();
                let value = state.values[place];
                state.values[place] = self.store.linear(&by, &[(value, Integer::ONE)]);
            }
            5 => state.values[place] = self.sum(&state),
            6 => {
                let (input, zero) = (self.store.fresh("input", Sort::Int), self.store.int(0i64));
                let end = self.store.int(256i64);
                state
                    .guards
                    .extend([self.store.le(zero, input), self.store.lt(input, end)]);
                state.values[place] = input;
            }
            7 => {
                let (sum, end) = (self.sum(&state), Integer::power_of_two(32));
                state.values[place] = self.store.modulo(sum, &end);
            }
            _ if depth == 0 => {}
            _ => {
                let condition = self.condition(&state);
                let negated = self.store.not(condition);
                let branch = |guard: TermId, maker: &mut Maker| {
                    let mut start = state.clone();
                    start.guards = vec![guard];
                    let steps = 1 + maker.rng.below(3);
                    maker.steps(start, steps, depth - 1)
                };
                let (then, other) = (branch(condition, self), branch(negated, self));
                state = self.merged(state.guards, then, other);
            }
        }
        state
    }

    fn merged(&mut self, guards: Vec<TermId>, mut then: State, mut other: State) -> State {
        let mut values = Vec::new();
        for (&a, &b) in then.values.iter().zip(&other.values) {
            if a == b {
                values.push(a);
                continue;
            }
            let either = self.store.fresh("either", Sort::Int);
            then.guards.push(self.store.eq(either, a));
            other.guards.push(self.store.eq(either, b));
            values.push(either);
        }
        let (then, other) = (self.store.and(&then.guards), self.store.and(&other.guards));
        let mut guards = guards;
        guards.push(self.store.or(&[then, other]));
        State { values, guards }
    }
}
