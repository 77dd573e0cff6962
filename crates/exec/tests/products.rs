//! Tracked products: the machine runs programs with and without them on the same inputs. Defined
//! runs end alike, whatever is tracked.

mod common;

use base::{Id, Rng};
use cfront::types::DataModel;
use common::{Source, lowered_text, on_large_stack, run};
use exec::End;
use lower::Options;
use program::ir::{LocationId, Program, Scope, VarId};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use program::pass::products::{Lemma, Monomial, Polynomial, Products, Ring, with_products};
use program::text::{Spans, print};
use std::collections::BTreeSet;

/// Counts what was compared, so that a test cannot pass by comparing nothing.
#[derive(Default, Debug)]
struct Tally {
    same: usize,
    violated: usize,
    taken: usize,
    lemmas: usize,
}

impl Tally {
    fn compare(&mut self, program: &Program, products: &Products, seed: u64) {
        let tracked = with_products(program, products).expect("the products should do");
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
        self.lemmas += products.lemmas.len();
    }
}

/// Products of two or three variables at random, and lemmas about some.
fn random_products(rng: &mut Rng, program: &Program) -> Products {
    let mut below = |bound: usize| (rng.bits() % bound as u64) as usize;
    let names = ["x", "y", "z", "u", "w", "s"];
    let is_wanted = |var: &VarId| {
        let row = &program.vars[*var];
        row.scope == Scope::Local(program.entry) && names.contains(&&*row.name)
    };
    let vars: Vec<VarId> = (program.vars.ids()).filter(is_wanted).collect();
    let rings = [
        Ring::Integers,
        Ring::Integers,
        Ring::Modulo(32),
        Ring::Modulo(8),
    ];
    let mut monomials: BTreeSet<Monomial> = (0..12 + below(20))
        .map(|_| {
            let ring = rings[below(4)];
            let factors = (0..2 + below(2)).map(|_| vars[below(vars.len())]);
            monomial(ring, factors.collect())
        })
        .collect();
    let locations = program.procs[program.entry].locations.len();
    let lemmas = (0..below(8)).map(|_| {
        let [left, right, times] = [(); 3].map(|()| vars[below(vars.len())]);
        monomials.extend([left, right].map(|var| monomial(Ring::Integers, vec![var, times])));
        let zero = Polynomial::var(left).plus(&Polynomial::var(right), -1);
        let constant = Polynomial::constant(below(3) as i128 - 1);
        Lemma {
            at: LocationId::from_index(below(locations)),
            zero: zero
                .and_then(|zero| zero.plus(&constant, 1))
                .expect("it should be small"),
            times: vec![times],
        }
    });
    Products {
        lemmas: lemmas.collect(),
        monomials: monomials.into_iter().collect(),
    }
}

fn monomial(ring: Ring, mut factors: Vec<VarId>) -> Monomial {
    factors.sort_unstable();
    Monomial { ring, factors }
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
                let products = random_products(&mut rng, &program);
                tally.compare(&program, &products, seed * 100 + run);
            }
        }
        assert!(tally.same > 500 && tally.violated > 100, "{tally:?}");
        assert!(tally.taken > 200 && tally.lemmas > 1000, "{tally:?}");
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
