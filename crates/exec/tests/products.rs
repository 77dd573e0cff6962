//! Tracked products: the machine runs programs with and without them on the same inputs. Defined
//! runs end alike, whatever is tracked.

mod common;

use base::{Id, Rng};
use cfront::types::DataModel;
use common::{Source, lowered_text, on_large_stack, run};
use exec::End;
use lower::Options;
use program::ir::{Program, Scope, VarId};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use program::pass::products::{Monomial, Ring, with_products};
use program::text::{Spans, print};

/// Counts what was compared, so that a test cannot pass by comparing nothing.
#[derive(Default, Debug)]
struct Tally {
    same: usize,
    violated: usize,
    taken: usize,
}

impl Tally {
    fn compare(&mut self, program: &Program, monomials: &[Monomial], seed: u64) {
        let tracked = with_products(program, monomials).expect("the monomials should do");
        let before = run(program, seed);
        if matches!(before.end, End::Undefined(_) | End::OutOfBudget(_)) {
            return;
        }
        let after = run(&tracked, seed);
        if matches!(after.end, End::OutOfBudget(_)) {
            return;
        }
        let texts = [program, &tracked].map(|program| print(program, Spans::Omit));
        let context = || format!("seed {seed}\n{}", texts.join("\n---\n"));
        assert_eq!(before.end, after.end, "{}", context());
        assert_eq!(before.inputs, after.inputs, "{}", context());
        self.same += 1;
        self.violated += usize::from(matches!(after.end, End::Violated(..)));
        self.taken += usize::from(texts[1].contains("$polynomial :="));
    }
}

/// Products of two or three variables at random.
fn random_monomials(rng: &mut Rng, program: &Program) -> Vec<Monomial> {
    let mut below = |bound: usize| (rng.bits() % bound as u64) as usize;
    let is_own = |var: &VarId| program.vars[*var].scope == Scope::Local(program.entry);
    let is_named =
        |var: &VarId| ["x", "y", "z", "u", "w", "s"].contains(&&*program.vars[*var].name);
    let vars: Vec<VarId> = (0..program.vars.len())
        .map(VarId::from_index)
        .filter(|var| is_own(var) && is_named(var))
        .collect();
    let monomials = (0..12 + below(20)).map(|_| {
        let mut factors: Vec<VarId> = (0..2 + below(2)).map(|_| vars[below(vars.len())]).collect();
        factors.sort_unstable();
        let ring = [
            Ring::Integers,
            Ring::Integers,
            Ring::Modulo(32),
            Ring::Modulo(8),
        ][below(4)];
        Monomial { ring, factors }
    });
    let mut monomials: Vec<Monomial> = monomials.collect();
    monomials.sort();
    monomials.dedup();
    monomials
}

#[test]
fn random_c_with_products_runs_as_before() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for seed in 0..400 {
            let text = Source::new(seed).text();
            let program = lowered_text(text.clone().into(), DataModel::Lp64, &Options::default());
            let program = inlined(&program.expect(&text), InlineLimit::default());
            let mut rng = Rng::new(seed);
            for run in 0..4 {
                let monomials = random_monomials(&mut rng, &program);
                tally.compare(&program, &monomials, seed * 100 + run);
            }
        }
        assert!(tally.same > 500 && tally.violated > 100, "{tally:?}");
        assert!(tally.taken > 200, "{tally:?}");
    });
}

/// Writes a random C program with products of variables, signed and unsigned.
impl Source {
    fn text(mut self) -> String {
        "extern int __VERIFIER_nondet_int(void);\n\
         void reach_error(void) {}\n\
         int main(void) {\n\
         int x = 1, y = 2; long long z = 3; unsigned u = 4, w = 4000000000u; short s = 5;\n"
            .clone_into(&mut self.text);
        for _ in 0..8 {
            self.statement(0);
        }
        self.text.push_str("return 0; }\n");
        self.text
    }

    fn statement(&mut self, depth: usize) {
        let line = match self.below(if depth < 2 { 10 } else { 7 }) {
            0..=2 => {
                let var = self.pick(&["x", "y", "z", "u", "w", "s"]);
                format!("{var} = {};", self.polynomial(0))
            }
            3 => {
                let var = self.pick(&["x", "y", "z", "u", "s"]);
                format!("{var} = __VERIFIER_nondet_int() % 8;")
            }
            4 => {
                let var = self.pick(&["x", "y", "z", "s"]);
                let op = self.pick(&["%= 11", "/= 2", "&= 15"]);
                format!("{var} {op};")
            }
            5 | 6 => {
                let (left, right) = (self.polynomial(0), self.polynomial(1));
                format!("if ({left} == {right}) reach_error();")
            }
            7 | 8 => {
                let condition = format!("if ({} > {}) {{\n", self.polynomial(0), self.below(9));
                self.text.push_str(&condition);
                self.statement(depth + 1);
                "}".to_owned()
            }
            _ => {
                let count = 1 + self.below(5);
                let head = format!("for (int i = 0; i < {count}; i++) {{\n");
                self.text.push_str(&head);
                self.statement(depth + 1);
                self.statement(depth + 1);
                "}".to_owned()
            }
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn polynomial(&mut self, depth: usize) -> String {
        match self.below(if depth < 3 { 7 } else { 2 }) {
            0 => self.pick(&["x", "y", "z", "u", "w", "s"]),
            1 => format!("{}", self.below(6)),
            2 => format!("-{}", self.pick(&["x", "y", "z", "u"])),
            3 => format!("(unsigned char)({})", self.polynomial(depth + 1)),
            n => {
                let op = ["+", "-", "*"][n as usize % 3];
                let (left, right) = (self.polynomial(depth + 1), self.polynomial(depth + 1));
                format!("({left} {op} {right})")
            }
        }
    }
}
