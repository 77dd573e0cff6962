//! Terms against plain evaluation, on random formulas.

mod mixed;
mod reading;
mod simplifying;
mod sorts;

use crate::{Integer, Node, Sort, SymbolId, TermId, TermStore, TermValue};
use rustc_hash::FxHashMap;

struct Random {
    state: u64,
}

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.state >> 33) % bound
    }

    fn small(&mut self) -> i64 {
        self.below(15) as i64 - 7
    }
}

/// A way to make a term, evaluated beside it.
fn int_term(
    random: &mut Random,
    store: &mut TermStore,
    vars: &[(TermId, i64)],
    depth: u64,
) -> (TermId, i64) {
    if depth == 0 || random.below(6) == 0 {
        return if random.below(3) == 0 {
            let value = random.small();
            (store.int(value), value)
        } else {
            vars[random.below(vars.len() as u64) as usize]
        };
    }
    let (a, x) = int_term(random, store, vars, depth - 1);
    match random.below(6) {
        0 => {
            let (b, y) = int_term(random, store, vars, depth - 1);
            (store.add(a, b), x + y)
        }
        1 => {
            let (b, y) = int_term(random, store, vars, depth - 1);
            (store.sub(a, b), x - y)
        }
        2 => {
            let factor = random.small();
            (store.scale(&Integer::from(factor), a), x * factor)
        }
        3 => {
            let divisor = 1 + random.below(6) as i64;
            (store.div(a, &Integer::from(divisor)), x.div_euclid(divisor))
        }
        4 => {
            let divisor = 1 + random.below(6) as i64;
            (
                store.modulo(a, &Integer::from(divisor)),
                x.rem_euclid(divisor),
            )
        }
        _ => {
            let (condition, holds) = bool_term(random, store, vars, depth - 1);
            let (b, y) = int_term(random, store, vars, depth - 1);
            (store.ite(condition, a, b), if holds { x } else { y })
        }
    }
}

fn bool_term(
    random: &mut Random,
    store: &mut TermStore,
    vars: &[(TermId, i64)],
    depth: u64,
) -> (TermId, bool) {
    if depth == 0 || random.below(3) == 0 {
        let depth = depth.saturating_sub(1);
        let (a, x) = int_term(random, store, vars, depth);
        let (b, y) = int_term(random, store, vars, depth);
        return match random.below(3) {
            0 => (store.le(a, b), x <= y),
            1 => (store.lt(a, b), x < y),
            _ => (store.eq(a, b), x == y),
        };
    }
    let (a, x) = bool_term(random, store, vars, depth - 1);
    let (b, y) = bool_term(random, store, vars, depth - 1);
    match random.below(6) {
        0 => (store.and(&[a, b]), x && y),
        1 => (store.or(&[a, b]), x || y),
        2 => (store.not(a), !x),
        3 => (store.implies(a, b), !x || y),
        4 => (store.eq(a, b), x == y),
        _ => {
            let (c, z) = bool_term(random, store, vars, depth - 1);
            (store.ite(a, b, c), if x { y } else { z })
        }
    }
}

#[test]
fn constructors_keep_the_value_and_substitution_commutes_with_it() {
    let mut random = Random { state: 1 };
    for _ in 0..400 {
        let mut store = TermStore::new();
        let symbols: Vec<SymbolId> = (0..3).map(|_| store.new_symbol("x", Sort::Int)).collect();
        let values: Vec<i64> = symbols.iter().map(|_| random.small()).collect();
        let vars: Vec<(TermId, i64)> = (symbols.iter().zip(&values))
            .map(|(&symbol, &value)| (store.of_symbol(symbol), value))
            .collect();
        let (term, expected) = bool_term(&mut random, &mut store, &vars, 4);
        let value_of = |symbol: SymbolId| {
            let at = symbols.iter().position(|&known| known == symbol)?;
            Some(TermValue::Int(Integer::from(values[at])))
        };
        assert_eq!(
            store.evaluate(term, &value_of),
            Some(TermValue::Bool(expected))
        );
        // With numbers in place of symbols the constructors come to the same.
        let map: FxHashMap<SymbolId, TermId> = (symbols.iter().zip(&values))
            .map(|(&symbol, &value)| (symbol, store.int(value)))
            .collect();
        let constant = store.substitute(term, &map);
        assert_eq!(store.as_bool(constant), Some(expected));
        assert!(store.symbols_of(&[constant]).is_empty());
        for id in store.below(&[term]) {
            assert!(store.parts(id).iter().all(|&part| part < id));
        }
    }
}

#[test]
fn equal_comparisons_are_equal_terms() {
    let mut store = TermStore::new();
    let (x, y) = (store.fresh("x", Sort::Int), store.fresh("y", Sort::Int));
    let twice = |store: &mut TermStore, t| store.scale(&Integer::from(2i64), t);
    let (xx, yy) = (twice(&mut store, x), twice(&mut store, y));
    assert_eq!(store.le(xx, yy), store.le(x, y));
    assert_eq!(store.eq(yy, xx), store.eq(x, y));
    let one = store.int(1i64);
    // 2x + 1 <= 2y is x < y over the integers, and 2x + 1 = 2y is never.
    let odd = store.add(xx, one);
    assert_eq!(store.le(odd, yy), store.lt(x, y));
    assert_eq!(store.eq(odd, yy), store.bool(false));
    let less = store.lt(x, y);
    let not_less = store.not(less);
    assert_eq!(not_less, store.le(y, x));
    assert_eq!(store.and(&[less, not_less]), store.bool(false));
    let sum = store.linear(
        &Integer::ZERO,
        &[(x, Integer::ONE), (x, Integer::from(-1i64))],
    );
    assert_eq!(store.node(sum), &Node::Int(Integer::ZERO));
}

#[test]
fn a_choice_between_constants_compares_as_its_condition() {
    let mut store = TermStore::new();
    let b = store.fresh("b", Sort::Bool);
    let (one, zero) = (store.int(1i64), store.int(0i64));
    let number = store.ite(b, one, zero);
    assert_eq!(store.eq(number, one), b);
    let not_b = store.not(b);
    assert_eq!(store.eq(number, zero), not_b);
    assert_eq!(store.lt(number, one), not_b);
    assert_eq!(store.le(number, one), store.bool(true));
}

#[test]
fn prints_smtlib_with_shared_parts_once() {
    let mut store = TermStore::new();
    let x = store.fresh("x y", Sort::Int);
    let b = store.fresh("b", Sort::Bool);
    let minus = store.neg(x);
    let zero = store.int(0i64);
    let positive = store.lt(zero, x);
    let abs = store.ite(positive, x, minus);
    let ten = store.int(10i64);
    let (small, odd) = (store.lt(abs, ten), store.modulo(abs, &Integer::from(2i64)));
    let is_odd = store.eq(odd, zero);
    let formula = store.and(&[small, is_odd, b]);
    let expected = "(declare-const |x y| Int)\n(declare-const b Bool)\n\
        (assert (let ((?t7 (ite (<= (+ (* (- 1) |x y|) 1) 0) |x y| (* (- 1) |x y|)))) \
        (and b (<= (+ ?t7 (- 9)) 0) (= (mod ?t7 2) 0))))\n(check-sat)\n";
    assert_eq!(store.smtlib_query(&[formula]), expected);
}

/// A chain as deep as a long path: nothing recurses.
#[test]
fn deep_terms_need_no_stack() {
    let mut store = TermStore::new();
    let x = store.new_symbol("x", Sort::Int);
    let mut term = store.of_symbol(x);
    let b = store.fresh("b", Sort::Bool);
    for step in 0..100_000i64 {
        let next = store.int(step);
        term = store.ite(b, term, next);
        term = store.div(term, &Integer::from(3i64));
    }
    let five = store.int(5i64);
    let map = FxHashMap::from_iter([(x, five)]);
    let replaced = store.substitute(term, &map);
    assert!(store.smtlib(replaced).len() > 100_000);
    assert_eq!(store.symbols_of(&[replaced]).len(), 1);
}
