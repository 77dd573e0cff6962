//! Normal forms and simplification: the same values, and smaller.

use super::mixed::Mixed;
use crate::{Integer, Node, Rational, Sort, SymbolId, TermId, TermStore, TermValue, read};
use base::Rng;

fn declared() -> TermStore {
    let mut store = TermStore::new();
    for name in ["x", "y"] {
        store.fresh(name, Sort::Int);
    }
    for name in ["r", "s"] {
        store.fresh(name, Sort::Real);
    }
    for name in ["a", "b", "c", "d"] {
        store.fresh(name, Sort::Bool);
    }
    store.new_function("f", &[Sort::Int], Sort::Int);
    store
}

#[track_caller]
fn simplifies(from: &str, to: &str) {
    let mut store = declared();
    let from = read::term(&mut store, from).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    let to = read::term(&mut store, to).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    let simple = store.simplify(from);
    let (found, wanted) = (store.smtlib(simple), store.smtlib(to));
    assert_eq!(simple, to, "{found} is not {wanted}");
}

#[test]
fn comparisons_subsume_one_another() {
    simplifies("(and (<= x 3) (<= x 5))", "(<= x 3)");
    simplifies("(or (<= x 3) (<= x 5))", "(<= x 5)");
    simplifies("(and (<= x 3) (>= x 3))", "(= x 3)");
    simplifies("(or (<= x 3) (>= x 4))", "true");
    simplifies("(and (<= x 3) (>= x 4))", "false");
    simplifies("(and (<= x 3) (not (= x 3)))", "(<= x 2)");
    simplifies(
        "(and (<= 0 x 3) (distinct x 0) (distinct x 1) (distinct x 3))",
        "(= x 2)",
    );
    simplifies("(or (< x 3) (= x 3))", "(<= x 3)");
    simplifies("(and (<= (- x y) 3) (<= (- y x) (- 3)))", "(= x (+ y 3))");
    simplifies("(and (<= r 3) (>= r 3))", "(= r 3)");
    simplifies("(and (<= r 3) (not (= r 3)))", "(< r 3)");
    simplifies("(or (< r s) (= r s))", "(<= r s)");
    simplifies("(and (< r 3) (> r 3))", "false");
    simplifies("(and (< r 3) (< r 2.5) (not (= r 7)))", "(< r 2.5)");
    simplifies("(and (= x 2) (< x 5) (not (= x 3)))", "(= x 2)");
    simplifies("(and (= x 2) (= x 3))", "false");
}

#[test]
fn members_are_assumed_in_each_other() {
    simplifies("(and a (or (not a) b))", "(and a b)");
    simplifies("(or a (and (not a) b))", "(or a b)");
    simplifies(
        "(and (<= x 3) (or (>= x 4) b) (or (<= x 7) c))",
        "(and (<= x 3) b)",
    );
    simplifies("(and a (or b (and a c)))", "(and a (or b c))");
    simplifies("(and (or a b) (or (not (or a b)) c))", "(and (or a b) c)");
    simplifies(
        "(and a (or (not a) b) (or (not b) c) (or (not c) d))",
        "(and a b c d)",
    );
    simplifies("(and (or a b) (or a b c))", "(or a b)");
    simplifies("(or (and a b) (and a b c))", "(and a b)");
    simplifies("(or (and a b) (and a c) (and a d))", "(and a (or b c d))");
    simplifies("(and (or a b) (or a c))", "(or a (and b c))");
    simplifies(
        "(and (> x 0) (= y (ite (< x 1) 5 7)))",
        "(and (> x 0) (= y 7))",
    );
    simplifies("(and (not (and a b)) a)", "(and a (not b))");
    simplifies("(= (= a b) (= b a))", "true");
}

#[test]
fn multiples_decide_others() {
    let divides = |n: i64, t: &str| format!("((_ divisible {n}) {t})");
    let (two, six) = (divides(2, "(+ x y)"), divides(6, "(+ x y)"));
    simplifies(&format!("(and {two} {six})"), &six);
    simplifies(&format!("(or {two} {six})"), &two);
    let three = divides(3, "(+ x y)");
    simplifies(&format!("(or {three} {six})"), &three);
    simplifies(&format!("(and {six} {})", divides(3, "(+ x y 1)")), "false");
    simplifies(
        &format!("(and {six} (or a {}))", divides(2, "(- x y)")),
        &six,
    );
    simplifies(
        &format!("(and {six} (or a (not {two})))"),
        &format!("(and {six} a)"),
    );
    simplifies(
        "(and (= (mod x 4) 1) (or b (= (mod x 2) 0)))",
        "(and (= (mod x 4) 1) b)",
    );
}

#[test]
fn simplification_keeps_the_value() {
    let mut smaller = 0;
    for seed in 0..1200 {
        let mut mixed = Mixed::new(seed);
        let (term, expected) = mixed.bool(5);
        let (simple, normal) = (mixed.store.simplify(term), mixed.store.nnf(term));
        assert_eq!(mixed.truth(simple), expected, "seed {seed}");
        check_negations(&mixed.store, normal);
        for _ in 0..6 {
            mixed.shuffle();
            let expected = mixed.truth(term);
            assert_eq!(mixed.truth(simple), expected, "seed {seed}");
            assert_eq!(mixed.truth(normal), expected, "seed {seed}");
        }
        let (before, after) = (
            mixed.store.atoms(term).len(),
            mixed.store.atoms(simple).len(),
        );
        smaller += usize::from(after < before);
    }
    assert!(smaller > 60, "only {smaller} got smaller");
}

fn check_negations(store: &TermStore, formula: TermId) {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match store.node(formula) {
            Node::And(members) | Node::Or(members) => open.extend(members),
            _ => assert!(store.is_literal(formula)),
        }
    }
}

/// Few terms and small numbers, so that comparisons meet.
struct Crowded {
    store: TermStore,
    terms: Vec<TermId>,
    symbols: Vec<SymbolId>,
}

impl Crowded {
    fn new() -> Crowded {
        let mut store = TermStore::new();
        let symbols: Vec<SymbolId> = [Sort::Int, Sort::Int, Sort::Real, Sort::Bool, Sort::Bool]
            .map(|sort| store.new_symbol("v", sort))
            .into();
        let terms: Vec<TermId> = symbols.iter().map(|&s| store.of_symbol(s)).collect();
        Crowded {
            store,
            terms,
            symbols,
        }
    }

    fn literal(&mut self, rng: &mut Rng) -> TermId {
        let constant = rng.below(5) as i64 - 2;
        if rng.one_in(5) {
            let divisor = Integer::from(rng.pick(&[2i64, 3, 4]));
            let (x, y) = (self.terms[0], self.terms[rng.below(2)]);
            let sum = [(x, Integer::ONE), (y, Integer::from(constant))];
            let sum = self.store.linear(&Integer::from(constant), &sum);
            let divides = self.store.divides(&divisor, sum);
            return if rng.one_in(2) {
                divides
            } else {
                self.store.not(divides)
            };
        }
        let (a, b) = match rng.below(5) {
            0 => (self.terms[0], self.store.int(constant)),
            1 => (self.terms[1], self.store.int(constant)),
            2 => {
                let other = self.store.int(constant);
                (self.terms[0], self.store.add(self.terms[1], other))
            }
            3 => (
                self.terms[2],
                self.store.real(Rational::new(constant, 2i64)),
            ),
            _ => {
                let term = self.terms[3 + rng.below(2)];
                return if rng.one_in(2) {
                    term
                } else {
                    self.store.not(term)
                };
            }
        };
        match rng.below(5) {
            0 => self.store.eq(a, b),
            1 => {
                let equal = self.store.eq(a, b);
                self.store.not(equal)
            }
            2 => self.store.lt(a, b),
            3 => self.store.lt(b, a),
            _ => self.store.le(b, a),
        }
    }

    fn formula(&mut self, rng: &mut Rng, depth: usize) -> TermId {
        if depth == 0 || rng.one_in(4) {
            return self.literal(rng);
        }
        let members: Vec<TermId> = (0..2 + rng.below(3))
            .map(|_| self.formula(rng, depth - 1))
            .collect();
        match rng.one_in(2) {
            true => self.store.and(&members),
            false => self.store.or(&members),
        }
    }

    /// The truth of some formulas at every point of a grid.
    fn table(&self, formulas: [TermId; 2]) -> impl Iterator<Item = [bool; 2]> + use<'_> {
        let grid = (0..5i64 * 5 * 9 * 4).map(|at| [at % 5, at / 5 % 5, at / 25 % 9, at / 225]);
        grid.map(move |[x, y, r, bits]| {
            let value_of = |symbol: SymbolId| {
                let at = self.symbols.iter().position(|&known| known == symbol)?;
                Some(match at {
                    0 => TermValue::Int(Integer::from(x - 2)),
                    1 => TermValue::Int(Integer::from(y - 2)),
                    2 => TermValue::Real(Rational::new(r - 4, 4i64)),
                    _ => TermValue::Bool(bits >> (at - 3) & 1 == 1),
                })
            };
            let truth = |formula| self.store.evaluate(formula, &value_of);
            formulas.map(|formula| truth(formula) == Some(TermValue::Bool(true)))
        })
    }
}

#[test]
fn crowded_comparisons_keep_the_truth_table() {
    let mut rng = Rng::new(5);
    let (mut before, mut after) = (0, 0);
    for round in 0..150 {
        let mut crowded = Crowded::new();
        let formula = crowded.formula(&mut rng, 4);
        let simple = crowded.store.simplify(formula);
        for [expected, found] in crowded.table([formula, simple]) {
            assert_eq!(found, expected, "round {round}");
        }
        before += crowded.store.atoms(formula).len();
        after += crowded.store.atoms(simple).len();
        assert_eq!(crowded.store.simplify(simple), simple, "round {round}");
    }
    assert!(2 * after < before, "{before} atoms became {after}");
}

#[test]
fn purification_leaves_no_choices_and_one_way_to_satisfy_the_conditions() {
    for seed in 0..600 {
        let mut mixed = Mixed::new(seed);
        let (term, expected) = mixed.bool(4);
        let purified = mixed.store.purify(&[term]);
        let mut all = purified.formulas.clone();
        all.extend(&purified.conditions);
        for part in mixed.store.below(&all) {
            let node = mixed.store.node(part);
            assert!(!matches!(
                node,
                Node::Ite(..) | Node::Div(..) | Node::Mod(..)
            ));
        }
        for (symbol, term) in &purified.symbols {
            let value = mixed.store.evaluate_in(*term, &mixed.values);
            let value = value.expect("a term should have a value");
            mixed.values.symbols.insert(*symbol, value);
        }
        assert_eq!(mixed.truth(purified.formulas[0]), expected, "seed {seed}");
        assert!(
            purified
                .conditions
                .iter()
                .all(|&condition| mixed.truth(condition))
        );
        // Another integer in a symbol's place breaks a condition.
        for (symbol, term) in &purified.symbols {
            if mixed.store.sort(*term) == Sort::Int {
                let right = mixed.values.symbols[symbol].clone();
                let next = right.as_int().expect("an integer") + &Integer::ONE;
                mixed.values.symbols.insert(*symbol, TermValue::Int(next));
                assert!(
                    !purified
                        .conditions
                        .iter()
                        .all(|&condition| mixed.truth(condition))
                );
                mixed.values.symbols.insert(*symbol, right);
            }
        }
    }
}

#[test]
fn an_atom_and_its_negation_count_once() {
    let mut store = declared();
    let text = "(or (and (<= x 3) a) (and (> x 3) (not a)) (= (f x) 2) (< r 0.0) (>= r 0.0))";
    let formula = read::term(&mut store, text).expect("it should be read");
    assert_eq!(store.atoms(formula), vec![]);
    let text = "(or (and (<= x 3) a) (and (> x 3) (not a)) (= (f x) 2) (< r 0.0))";
    let formula = read::term(&mut store, text).expect("it should be read");
    assert_eq!(store.atoms(formula).len(), 4);
}

/// Formulas that share parts, or are nested deep, do not take forever.
#[test]
fn large_formulas_are_done_in_time() {
    let mut store = declared();
    let a = read::term(&mut store, "a").expect("it is declared");
    let mut shared = a;
    let mut deep = a;
    for at in 0..3000i64 {
        let number = store.int(at);
        let x = read::term(&mut store, "x").expect("it is declared");
        let equal = store.eq(x, number);
        deep = if at % 2 == 0 {
            store.or(&[deep, equal])
        } else {
            store.and(&[deep, equal])
        };
        if at < 60 {
            shared = store.eq(shared, equal);
        }
    }
    for formula in [shared, deep] {
        let simple = store.simplify(formula);
        assert_eq!(store.sort(simple), Sort::Bool);
    }
}
