//! Loop summaries of small programs, against what was computed by hand: what a summary must say,
//! and what it must not, since runs contradict it.

mod common;

use absdom::{Invariants, Options};
use base::{Budget, Id};
use common::prepared;
use encode::{Context, EncodingPrecision};
use logic::{Named, Sort, SymbolId, TermId, read};
use program::pass::loops::LoopId;
use rustc_hash::FxHashMap;
use summary::{Level, LoopNestSummaries};

/// What plain names stand for.
type Names = FxHashMap<SymbolId, TermId>;

/// A loop and what is to be said about any number of its iterations, as SMT-LIB over the variables
/// before (`i`), those after (`i_after`) and the number of iterations (`count`).
struct Expectation {
    text: &'static str,
    /// Which loop; 0 is the outermost one.
    number: usize,
    wraps: bool,
    level: Level,
    /// What is assumed besides.
    given: &'static str,
    follow: &'static [&'static str],
    /// What does not follow: a sensible wrong guess.
    open: &'static [&'static str],
}

impl Expectation {
    fn check(&self) {
        let program = prepared(self.text);
        let budget = Budget::unlimited();
        let options = Options::default();
        let invariants = Invariants::new(&program, program.entry, &options, &budget);
        let mut ctx = Context::new(&program, &budget);
        let precision = EncodingPrecision {
            all_wraps: self.wraps,
            ..EncodingPrecision::default()
        };
        let mut nest = LoopNestSummaries::new(&mut ctx, program.entry, invariants, &precision);
        let star = nest.star(&mut ctx, LoopId::from_index(self.number), self.level);
        let mut parts = vec![star.step.guard];
        let mut names = Names::default();
        let head = nest.cuts.loops.loops[LoopId::from_index(self.number)].head;
        for var in nest.cuts.live(head).clone().iter() {
            let name = &program.vars[var].name;
            let after = ctx.store.new_symbol(&format!("{name}_after"), Sort::Int);
            let value = star.step.value(&mut ctx.store, &ctx.state, var);
            let after = ctx.store.of_symbol(after);
            parts.push(ctx.store.eq(after, value));
            // Inlining leaves the variable as it was declared after, with the plain name.
            if let Some(Named::Symbol(declared)) = ctx.store.named(name) {
                names.insert(declared, ctx.before(var));
            }
        }
        if let Some(symbol) = star.count {
            let iterations = ctx.store.of_symbol(symbol);
            let count = ctx.store.fresh("count", Sort::Int);
            parts.push(ctx.store.eq(iterations, count));
        }
        parts.push(self.read(&mut ctx, &names, self.given));
        let premise = ctx.store.and(&parts);
        for text in self.follow {
            let fact = self.read(&mut ctx, &names, text);
            let shown = ctx.store.readable(premise);
            assert!(
                ctx.entails(premise, fact),
                "{text} should follow:\n{}\n{shown}",
                self.text
            );
        }
        for text in self.open {
            let fact = self.read(&mut ctx, &names, text);
            assert!(!ctx.entails(premise, fact), "{text}:\n{}", self.text);
        }
    }

    fn read(&self, ctx: &mut Context, names: &Names, text: &str) -> TermId {
        let term = read::term(&mut ctx.store, text);
        let term = term.unwrap_or_else(|refusal| panic!("{text}: {refusal:?}\n{}", self.text));
        ctx.store.substitute(term, names)
    }
}

const EX_1: &str = "int nondet(void);
int main(void) {
  int N = nondet(), i = 0, min = 0;
  while (i < N) { min++; i++; }
  if (min > N) __assert_fail(\"\", \"\", 0, \"\");
}";

#[test]
fn a_counter_beside_the_counter() {
    let from_start = Expectation {
        text: EX_1,
        number: 0,
        wraps: false,
        level: Level::Equalities,
        given: "(and (= i 0) (= min 0))",
        follow: &[
            "(= min_after count)",
            "(= i_after count)",
            "(=> (>= count 1) (<= count N))",
            "(=> (<= N 0) (= count 0))",
            "(= N_after N)",
            "(=> (and (>= i_after N) (>= N 0)) (= min_after N))",
        ],
        open: &["(<= count N)", "(>= i_after N)", "(>= count 1)"],
    };
    from_start.check();
    let from_anywhere = Expectation {
        text: "int nondet(void);
int main(void) {
  int N = nondet(), i = nondet(), min = nondet();
  while (i < N) { min++; i++; }
  if (min > N || i < min) __assert_fail(\"\", \"\", 0, \"\");
}",
        given: "(= i (+ min 7))",
        follow: &["(= i_after (+ min_after 7))", "(= count (- i_after i))"],
        open: &["(= i_after count)", "(= min_after min)"],
        level: Level::Inequalities,
        ..from_start
    };
    from_anywhere.check();
}

#[test]
fn a_sum_is_at_least_the_number_of_iterations() {
    let sum = Expectation {
        text: "int nondet(void);
int main(void) {
  int N = nondet(), r = 0, n = N;
  while (N > 0) r = r + N--;
  if (r < n) __assert_fail(\"\", \"\", 0, \"\");
}",
        number: 0,
        wraps: false,
        level: Level::Inequalities,
        given: "(= r 0)",
        follow: &[
            "(>= r_after count)",
            "(= N_after (- N count))",
            "(=> (>= count 1) (>= N_after 0))",
        ],
        open: &["(= r_after count)", "(>= r_after (+ count 1))"],
    };
    sum.check();
    let of_iterations = Expectation {
        level: Level::Phases,
        follow: &["(>= r_after (- N N_after))", "(= count (- N N_after))"],
        open: &["(= r_after (- N N_after))"],
        ..sum
    };
    of_iterations.check();
}

#[test]
fn two_phases() {
    let late = Expectation {
        text: "int main(void) {
  int x = 0, y = 50;
  while (x < 100) { x++; if (x > 50) y++; }
  if (y != 100) __assert_fail(\"\", \"\", 0, \"\");
}",
        number: 0,
        wraps: false,
        level: Level::Phases,
        given: "(and (= x 0) (= y 50))",
        follow: &[
            "(=> (>= x_after 100) (= y_after 100))",
            "(=> (<= x_after 50) (= y_after 50))",
            "(=> (>= x_after 50) (= y_after x_after))",
        ],
        open: &["(= y_after 50)", "(= y_after 100)", "(= y_after x_after)"],
    };
    late.check();
    let up_and_down = Expectation {
        text: "int main(void) {
  int x = 0, y = 0;
  while (x < 100) { if (x < 50) y++; else y--; x++; }
  if (y != 0) __assert_fail(\"\", \"\", 0, \"\");
}",
        given: "(and (= x 0) (= y 0))",
        follow: &[
            "(=> (>= x_after 100) (= y_after 0))",
            "(=> (<= x_after 50) (= y_after x_after))",
            "(=> (>= x_after 50) (= y_after (- 100 x_after)))",
        ],
        open: &["(= y_after 0)", "(= y_after x_after)"],
        ..late
    };
    up_and_down.check();
}

#[test]
fn a_reset_in_a_nested_loop() {
    let outer = Expectation {
        text: "int nondet(void);
int main(void) {
  int n = nondet(), m = nondet(), i = 0, j = 7, t = 0;
  while (i < n) { j = 0; while (j < m) { j++; t++; } i++; }
  if (t < 0 || j > m + 7 || i > n) __assert_fail(\"\", \"\", 0, \"\");
}",
        number: 0,
        wraps: false,
        level: Level::Phases,
        given: "(and (= i 0) (= j 7) (= t 0) (>= m 0))",
        follow: &[
            "(=> (>= i_after 1) (= j_after m))",
            "(=> (= i_after 0) (= j_after 7))",
            "(=> (>= i_after 1) (<= i_after n))",
            "(>= t_after 0)",
            "(= m_after m)",
        ],
        open: &[
            "(= j_after m)",
            "(= t_after m)",
            "(= t_after 0)",
            "(<= i_after 1)",
        ],
    };
    outer.check();
    let inner = Expectation {
        number: 1,
        given: "(= j 0)",
        follow: &[
            "(= (- t_after t) j_after)",
            "(= i_after i)",
            "(=> (>= j_after 1) (<= j_after m))",
        ],
        open: &["(= j_after m)", "(= t_after j_after)"],
        ..outer
    };
    inner.check();
}

#[test]
fn every_second_iteration() {
    let half = Expectation {
        text: "int nondet(void);
int main(void) {
  int m = nondet(), i = 0, n = 0;
  while (i < m) { if (i % 2 == 0) n++; i++; }
  if (2 * n < i) __assert_fail(\"\", \"\", 0, \"\");
}",
        number: 0,
        wraps: false,
        level: Level::Phases,
        given: "(and (= i 0) (= n 0))",
        follow: &[
            "(>= (* 2 n_after) i_after)",
            "(<= (* 2 n_after) (+ i_after 1))",
            "(=> (= (mod i_after 2) 0) (= (* 2 n_after) i_after))",
        ],
        open: &["(= n_after i_after)", "(= (* 2 n_after) i_after)"],
    };
    half.check();
    let alternation = Expectation {
        text: "int nondet(void);
int main(void) {
  int m = nondet(), i = 0, a = 0, b = 0, iteration = 0;
  while (i < m) { if (iteration == 0) { a++; iteration = 1; } else { b++; iteration = 0; } i++; }
  if (a - b > 1 || a < b) __assert_fail(\"\", \"\", 0, \"\");
}",
        given: "(and (= i 0) (= a 0) (= b 0) (= iteration 0))",
        follow: &[
            "(<= 0 (- a_after b_after) 1)",
            "(=> (= iteration_after 0) (= a_after b_after))",
        ],
        open: &["(= a_after b_after)", "(= iteration_after 0)"],
        ..half
    };
    alternation.check();
}

#[test]
fn parity_while_wrapping() {
    let even = Expectation {
        text: "int nondet(void);
unsigned nondet_u(void);
int main(void) {
  unsigned x = nondet_u();
  while (nondet()) x += 2;
  if (x % 2 == 1) __assert_fail(\"\", \"\", 0, \"\");
}",
        number: 0,
        wraps: true,
        level: Level::Phases,
        given: "(<= 0 x 4294967295)",
        follow: &[
            "(= (mod (- x_after x) 2) 0)",
            "(<= 0 x_after 4294967295)",
            "(=> (= x 4294967294) (distinct x_after 1))",
        ],
        open: &["(>= x_after x)", "(= (mod (- x_after x) 4) 0)"],
    };
    even.check();
    let unwrapped = Expectation {
        wraps: false,
        follow: &["(>= x_after x)", "(= (mod (- x_after x) 2) 0)"],
        open: &["(= x_after x)", "(= (mod (- x_after x) 4) 0)"],
        ..even
    };
    unwrapped.check();
}

#[test]
fn a_symbolic_step() {
    let by_s = Expectation {
        text: "int nondet(void);
int main(void) {
  int n = nondet(), s = nondet(), i = 0, c = 0;
  if (s < 1) return 0;
  while (i < n) { i += s; c++; }
  if (i < c) __assert_fail(\"\", \"\", 0, \"\");
}",
        number: 0,
        wraps: false,
        level: Level::Inequalities,
        given: "true",
        follow: &[
            "(>= i_after (+ i count))",
            "(= c_after (+ c count))",
            "(= s_after s)",
            "(=> (>= count 1) (and (>= s 1) (< i n)))",
            "(=> (>= count 1) (< (- i_after s) n))",
        ],
        open: &["(= i_after (+ i count))", "(>= i_after (+ i count 1))"],
    };
    by_s.check();
}
