//! Small path queries through [`Solver`] and as bare calls of Z3, in turn, in one run.
//!
//! The queries are those of a search through a branching program with a loop: at every edge a scope
//! is opened, what the edge does is asserted, and a check decides whether to continue. The bare
//! calls get all formulas as Z3's terms beforehand. Ours are measured with and without models
//! recalled, and once more with terms that are rebuilt for every query and released after it.
//!
//! `cargo bench -p cairn-smt --bench incremental`

#![allow(
    clippy::print_stdout,
    unsafe_code,
    reason = "it reports to a person; bare calls of Z3 are what it compares with"
)]

use base::{Budget, Rng};
use logic::{Integer, Sort, TermId, TermStore};
use smt::{Answer, Solver};
use std::ffi::CString;
use std::time::Duration;
use z3_sys::*;

/// How many queries are made, and in how many iterations.
const QUERIES: usize = 10_000;
const ITERATIONS: usize = 20;
/// The longest path.
const DEPTH: usize = 12;
const VARIABLES: usize = 5;

/// What an edge does to the variables: a guard on one and an update of another.
#[derive(Clone, Copy)]
struct Edge {
    guarded: usize,
    other: usize,
    limit: i64,
    updated: usize,
    step: i64,
}

/// A step of the search: the formula of the edge that it takes, or back.
#[derive(Clone, Copy)]
enum Move {
    Into(usize),
    Back,
}

/// Formulas and the moves that use them.
struct Workload {
    store: TermStore,
    formulas: Vec<TermId>,
    iterations: Vec<Vec<Move>>,
}

/// The processor's time of this thread; other programs do not count, unlike in real time.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(first.unwrap_or(0))
}

fn main() {
    let work = workload();
    let raw = Raw::new(&work.store, &work.formulas);
    let mut ours = [Solver::new().without_cache(), Solver::new()];
    let mut fresh = Solver::new().without_cache();
    let mut times = [Duration::ZERO; 4];
    let mut counts = [0; 4];
    for iteration in &work.iterations {
        let start = processor_time();
        counts[0] += raw.run(iteration);
        times[0] += processor_time() - start;
        for (index, solver) in ours.iter_mut().enumerate() {
            let start = processor_time();
            counts[1 + index] += run(solver, &work, iteration);
            times[1 + index] += processor_time() - start;
        }
        let mut store = work.store.clone();
        let start = processor_time();
        counts[3] += run_fresh(&mut fresh, &mut store, &work, iteration);
        times[3] += processor_time() - start;
    }
    assert!(counts.iter().all(|&count| count == counts[0]), "{counts:?}");
    println!("{QUERIES} queries, {} of them sat", counts[0]);
    let names = [
        "bare calls of Z3",
        "Solver, every query asked",
        "Solver, models recalled",
        "Solver, every term made anew",
    ];
    for (name, time) in names.iter().zip(times) {
        let each = time.as_secs_f64() * 1e6 / QUERIES as f64;
        let ratio = time.as_secs_f64() / times[0].as_secs_f64();
        println!("{name:30} {time:>9.1?}  {each:6.1} us a query  ratio {ratio:.2}");
    }
}

/// Walks through random programs until there are enough queries.
fn workload() -> Workload {
    let mut work = Workload {
        store: TermStore::new(),
        formulas: Vec::new(),
        iterations: vec![Vec::new(); ITERATIONS],
    };
    let mut rng = Rng::new(1);
    let state: Vec<Vec<TermId>> = (0..=DEPTH)
        .map(|time| {
            let name = |variable| format!("v{variable}_{time}");
            (0..VARIABLES)
                .map(|variable| work.store.fresh(&name(variable), Sort::Int))
                .collect()
        })
        .collect();
    let mut solver = Solver::new();
    for iteration in 0..ITERATIONS {
        let mut edges = Vec::new();
        for _ in 0..8 {
            edges.push(random_edge(&mut rng));
        }
        let mut left = QUERIES / ITERATIONS;
        while left > 0 {
            search(
                &mut work,
                iteration,
                &state,
                &edges,
                &mut rng,
                &mut solver,
                &mut left,
            );
        }
    }
    work
}

fn random_edge(rng: &mut Rng) -> Edge {
    Edge {
        guarded: rng.below(VARIABLES),
        other: rng.below(VARIABLES),
        limit: rng.below(21) as i64 - 10,
        updated: rng.below(VARIABLES),
        step: rng.below(5) as i64 - 2,
    }
}

/// One dive from the start, with a look at both branches of every edge on the way.
fn search(
    work: &mut Workload,
    iteration: usize,
    state: &[Vec<TermId>],
    edges: &[Edge],
    rng: &mut Rng,
    solver: &mut Solver,
    left: &mut usize,
) {
    let mut depth = 0;
    while depth < DEPTH && *left > 0 {
        let edge = rng.pick(edges);
        let taken = rng.one_in(2);
        let mut went = false;
        for branch in [taken, !taken] {
            if *left == 0 || went {
                break;
            }
            let formula = step(
                &mut work.store,
                &state[depth],
                &state[depth + 1],
                edge,
                branch,
            );
            work.iterations[iteration].push(Move::Into(work.formulas.len()));
            work.formulas.push(formula);
            *left -= 1;
            solver.push();
            solver.assert(&work.store, formula);
            went = solver.check(&work.store, &[], &Budget::unlimited()) == Answer::Sat;
            if !went {
                work.iterations[iteration].push(Move::Back);
                solver.pop();
            }
        }
        if !went {
            break;
        }
        depth += 1;
    }
    for _ in 0..depth {
        work.iterations[iteration].push(Move::Back);
        solver.pop();
    }
}

/// The guard or its negation, and the next values of all variables.
fn step(
    store: &mut TermStore,
    now: &[TermId],
    next: &[TermId],
    edge: Edge,
    branch: bool,
) -> TermId {
    let limit = store.int(edge.limit);
    let difference = match edge.guarded == edge.other {
        true => now[edge.guarded],
        false => store.sub(now[edge.guarded], now[edge.other]),
    };
    let guard = store.le(difference, limit);
    let mut parts = vec![if branch { guard } else { store.not(guard) }];
    for variable in 0..now.len() {
        let value = if variable == edge.updated {
            let one = (now[variable], Integer::ONE);
            store.linear(&Integer::from(edge.step), &[one])
        } else {
            now[variable]
        };
        parts.push(store.eq(next[variable], value));
    }
    store.and(&parts)
}

/// Makes the moves with a solver; counts the sat answers.
fn run(solver: &mut Solver, work: &Workload, moves: &[Move]) -> usize {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(600));
    let mut sat = 0;
    for &next in moves {
        match next {
            Move::Into(formula) => {
                solver.push();
                solver.assert(&work.store, work.formulas[formula]);
                sat += usize::from(solver.check(&work.store, &[], &budget) == Answer::Sat);
            }
            Move::Back => solver.pop(),
        }
    }
    sat
}

/// The same with formulas that hold new terms and go when the search goes back.
fn run_fresh(solver: &mut Solver, store: &mut TermStore, work: &Workload, moves: &[Move]) -> usize {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(600));
    let mut marks = Vec::new();
    let mut sat = 0;
    for (number, &next) in moves.iter().enumerate() {
        match next {
            Move::Into(formula) => {
                marks.push(store.mark());
                let new = store.fresh("new", Sort::Int);
                let number = store.int(number as i64);
                let old = store.conjuncts(work.formulas[formula]);
                let same = store.le(new, number);
                let copy = store.and(&[&old[..], &[same]].concat());
                solver.push();
                solver.assert(store, copy);
                sat += usize::from(solver.check(store, &[], &budget) == Answer::Sat);
            }
            Move::Back => {
                solver.pop();
                store.release(marks.pop().expect("a mark should be there"));
            }
        }
    }
    sat
}

/// Z3 without anything around it.
struct Raw {
    context: Z3_context,
    solver: Z3_solver,
    formulas: Vec<Z3_ast>,
}

impl Raw {
    /// Gives Z3 all formulas, through their text.
    fn new(store: &TermStore, formulas: &[TermId]) -> Raw {
        let text =
            CString::new(store.smtlib_query(formulas)).expect("the text should have no zero");
        // SAFETY: all objects are made in this context, held, and never freed: the program ends.
        unsafe {
            let config = Z3_mk_config().expect("Z3 should start");
            let context = Z3_mk_context_rc(config).expect("Z3 should start");
            let solver = Z3_mk_simple_solver(context).expect("Z3 should start");
            Z3_solver_inc_ref(context, solver);
            let none = (std::ptr::null(), std::ptr::null());
            let parsed = Z3_parse_smtlib2_string(
                context,
                text.as_ptr(),
                0,
                none.0,
                none.1,
                0,
                std::ptr::null(),
                std::ptr::null(),
            );
            let parsed = parsed.expect("Z3 should read our text");
            Z3_ast_vector_inc_ref(context, parsed);
            let count = Z3_ast_vector_size(context, parsed);
            let get = |index| Z3_ast_vector_get(context, parsed, index);
            let formulas: Option<Vec<Z3_ast>> = (0..count).map(get).collect();
            Raw {
                context,
                solver,
                formulas: formulas.expect("Z3 should read our text"),
            }
        }
    }

    /// Makes the moves; counts the sat answers.
    fn run(&self, moves: &[Move]) -> usize {
        let mut sat = 0;
        for &next in moves {
            // SAFETY: all of it lives in the context.
            unsafe {
                match next {
                    Move::Into(formula) => {
                        Z3_solver_push(self.context, self.solver);
                        Z3_solver_assert(self.context, self.solver, self.formulas[formula]);
                        let answer = Z3_solver_check(self.context, self.solver);
                        sat += usize::from(answer == Z3_L_TRUE);
                    }
                    Move::Back => Z3_solver_pop(self.context, self.solver, 1),
                }
            }
        }
        sat
    }
}
