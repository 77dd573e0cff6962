//! Terms of all sorts: constructors, normal forms, copies and releases.

use super::mixed::Mixed;
use crate::{
    ArrayValue, Assignment, Integer, Node, Rational, Sort, SymbolId, TermId, TermStore, TermValue,
};
use rustc_hash::FxHashMap;

#[test]
fn constructors_of_all_sorts_keep_the_value() {
    for seed in 0..1500 {
        let mut mixed = Mixed::new(seed);
        let (term, expected) = mixed.bool(4);
        assert_eq!(
            mixed.truth(term),
            expected,
            "seed {seed}: {}",
            mixed.store.smtlib(term)
        );
        let (real, expected) = mixed.real(4);
        let value = mixed.store.evaluate_in(real, &mixed.values);
        assert_eq!(value, Some(TermValue::Real(expected)), "seed {seed}");
        for id in mixed.store.below(&[term, real]) {
            check_normal(&mixed.store, id);
        }
    }
}

/// The invariants that the module header of the terms states.
fn check_normal(store: &TermStore, id: TermId) {
    assert!(store.parts(id).iter().all(|&part| part < id));
    match store.node(id) {
        Node::Divides(divisor, sum) => {
            let (constant, parts) = store.to_linear(*sum);
            let below = |number: &Integer| number.signum() >= 0 && number < divisor;
            assert!(*divisor > Integer::ONE && below(&constant) && !parts.is_empty());
            assert!(parts.iter().all(|(_, factor)| below(factor)));
            let gcd = parts
                .iter()
                .fold(divisor.clone(), |gcd, (_, factor)| gcd.gcd(factor));
            assert!(gcd.is_one());
        }
        Node::Below(sum) | Node::RealIsZero(sum) => {
            let (_, parts) = store.to_real_linear(*sum);
            assert!(parts.iter().all(|(_, factor)| factor.is_integer()));
            let real =
                |(part, _): &(TermId, Rational)| !matches!(store.node(*part), Node::ToReal(_));
            assert!(parts.iter().any(real));
        }
        Node::ToReal(part) => {
            assert_eq!(store.sort(*part), Sort::Int);
            assert!(!matches!(store.node(*part), Node::Int(_) | Node::Sum(..)));
        }
        _ => {}
    }
}

#[test]
fn values_in_the_place_of_symbols_come_to_the_same() {
    for seed in 0..500 {
        let mut mixed = Mixed::new(seed);
        let (term, expected) = mixed.bool(4);
        let mut map: FxHashMap<SymbolId, TermId> = FxHashMap::default();
        for symbol in mixed.store.symbols_of(&[term]) {
            let value = match &mixed.values.symbols[&symbol] {
                TermValue::Bool(value) => mixed.store.bool(*value),
                TermValue::Int(value) => mixed.store.int(value.clone()),
                TermValue::Real(value) => mixed.store.real(value.clone()),
                TermValue::Array(_) => continue,
            };
            map.insert(symbol, value);
        }
        let replaced = mixed.store.substitute(term, &map);
        assert_eq!(mixed.truth(replaced), expected, "seed {seed}");
        let left = mixed.store.symbols_of(&[replaced]);
        assert!(
            left.iter()
                .all(|&symbol| mixed.store.symbol(symbol).sort == Sort::Array)
        );
    }
}

#[test]
fn a_copy_has_the_same_value_and_copies_back_to_itself() {
    for seed in 0..300 {
        let mut mixed = Mixed::new(seed);
        let (first, expected) = mixed.bool(4);
        let (second, _) = mixed.bool(3);
        let mut other = TermStore::new();
        // Other ids for everything.
        other.fresh("unrelated", Sort::Bool);
        let mut memo = FxHashMap::default();
        other.copy(&mixed.store, second, &mut memo);
        let copy = other.copy(&mixed.store, first, &mut memo);
        let mut values = Assignment::default();
        for symbol in mixed.store.symbols_of(&[first]) {
            let there = other.counterpart(&mixed.store, symbol);
            values
                .symbols
                .insert(there, mixed.values.symbols[&symbol].clone());
        }
        for function in mixed.store.functions_of(&[first]) {
            let row = mixed.store.function(function);
            let there = other.function_called(&row.name, &row.arguments, row.result);
            values
                .functions
                .insert(there, mixed.values.functions[&function].clone());
        }
        assert_eq!(
            other.evaluate_in(copy, &values),
            Some(TermValue::Bool(expected))
        );
        let symbols = mixed.store.symbols.len();
        let back = mixed.store.copy(&other, copy, &mut FxHashMap::default());
        assert_eq!(
            mixed.store.symbols.len(),
            symbols,
            "a name should be found again"
        );
        assert_eq!(mixed.truth(back), expected);
    }
}

#[test]
fn a_symbol_of_another_sort_is_not_a_counterpart() {
    let (mut a, mut b) = (TermStore::new(), TermStore::new());
    let x = a.fresh("x", Sort::Int);
    b.fresh("x", Sort::Bool);
    let copy = b.copy(&a, x, &mut FxHashMap::default());
    assert_eq!(b.sort(copy), Sort::Int);
}

#[test]
fn a_release_leaves_what_was_there_and_nothing_else() {
    let mut mixed = Mixed::new(7);
    let (before, expected) = mixed.bool(4);
    let text = mixed.store.smtlib(before);
    let mark = mixed.store.mark();
    let mut after = Vec::new();
    for _ in 0..3 {
        let fresh = mixed.store.fresh("fresh", Sort::Int);
        mixed
            .store
            .new_function("fresh function", &[Sort::Int], Sort::Int);
        let zero = mixed.store.int(123_456i64);
        mixed.store.eq(fresh, zero);
        after.push((fresh, mixed.store.len()));
        mixed.store.release(mark);
        assert_eq!(mixed.store.mark(), mark);
        assert_eq!(mixed.store.named("fresh"), None);
        assert_eq!(mixed.store.named("fresh function"), None);
    }
    // The same ids and names again, so nothing grew.
    assert!(after.iter().all(|same| *same == after[0]));
    assert_eq!(mixed.store.smtlib(before), text);
    assert_eq!(mixed.truth(before), expected);
}

#[test]
fn remainders_become_divisibilities() {
    let mut store = TermStore::new();
    let (x, y) = (store.fresh("x", Sort::Int), store.fresh("y", Sort::Int));
    let number = |value: i64| Integer::from(value);
    let rest = store.modulo(x, &number(3));
    let two = store.int(2i64);
    let is_two = store.eq(rest, two);
    let next = store.linear(&number(1), &[(x, number(1))]);
    assert_eq!(is_two, store.divides(&number(3), next));
    assert_eq!(store.smtlib(is_two), "(= (mod (+ x 1) 3) 0)");
    let five = store.int(5i64);
    assert_eq!(store.eq(rest, five), store.bool(false));
    assert_eq!(store.le(rest, two), store.bool(true));
    let zero = store.int(0i64);
    assert_eq!(store.le(rest, zero), store.divides(&number(3), x));
    assert_eq!(store.le(two, rest), is_two);
    // 4x + 6y is a multiple of 10 where 2x + 3y is one of 5, and so x + 4y.
    let sum = store.linear(&number(0), &[(x, number(4)), (y, number(6))]);
    let reduced = store.linear(&number(0), &[(x, number(1)), (y, number(4))]);
    assert_eq!(
        store.divides(&number(10), sum),
        store.divides(&number(5), reduced)
    );
    let odd = store.linear(&number(1), &[(x, number(2)), (y, number(-4))]);
    assert_eq!(store.divides(&number(6), odd), store.bool(false));
    // Not even is odd, and both together are nothing.
    let even = store.divides(&number(2), x);
    let uneven = store.not(even);
    assert_eq!(uneven, store.divides(&number(2), next));
    assert_eq!(store.and(&[even, uneven]), store.bool(false));
    let rest_of_four = store.modulo(x, &number(4));
    assert_eq!(store.divides(&number(2), rest_of_four), even);
}

#[test]
fn reals_have_a_normal_form_and_integers_among_them_stay_integers() {
    let mut store = TermStore::new();
    let (r, s) = (store.fresh("r", Sort::Real), store.fresh("s", Sort::Real));
    let x = store.fresh("x", Sort::Int);
    let half = Rational::new(1i64, 2i64);
    let third = Rational::new(1i64, 3i64);
    let small = store.real_linear(&Rational::ZERO, &[(r, half.clone()), (s, third)]);
    let large = store.real_linear(&Rational::ZERO, &[(r, 3i64.into()), (s, 2i64.into())]);
    let (half_term, three) = (store.real(half.clone()), store.real(3i64));
    assert_eq!(store.lt(small, half_term), store.lt(large, three));
    let le = store.le(r, s);
    assert_eq!(store.not(le), store.lt(s, r));
    assert_eq!(store.smtlib(le), "(not (< (+ (* (- 1.0) r) s) 0.0))");
    let as_real = store.to_real(x);
    let doubled = store.real_scale(&2i64.into(), as_real);
    let (zero, one) = (store.int(0i64), store.int(1i64));
    let real_one = store.real(1i64);
    // 2x < 1 is x <= 0, 2x = 1 is never, x/2 >= 1/2 is x >= 1.
    assert_eq!(store.lt(doubled, real_one), store.le(x, zero));
    assert_eq!(store.eq(doubled, real_one), store.bool(false));
    let halved = store.real_scale(&half, as_real);
    assert_eq!(store.le(half_term, halved), store.le(one, x));
    assert_eq!(store.to_fraction(halved), Some((x, Integer::from(2i64))));
    assert_eq!(store.to_fraction(r), None);
}

#[test]
fn elements_are_found_behind_other_indices() {
    let mut store = TermStore::new();
    let a = store.fresh("a", Sort::Array);
    let (i, v) = (store.fresh("i", Sort::Int), store.fresh("v", Sort::Int));
    let one = store.int(1i64);
    let next = store.add(i, one);
    let first = store.store(a, i, v);
    let second = store.store(first, next, one);
    assert_eq!(store.select(second, i), v);
    assert_eq!(store.select(second, next), one);
    // Nothing is known about an index that may be any of them.
    let there = store.select(second, v);
    assert_eq!(*store.node(there), Node::Select(second, v));
    assert_eq!(store.store(first, i, one), store.store(a, i, one));
    let element = store.select(a, i);
    assert_eq!(store.store(a, i, element), a);
    assert_eq!(store.eq(first, second), store.eq(second, first));
    let mut value = ArrayValue::constant(Integer::ZERO);
    value = value
        .store(Integer::ONE, Integer::ONE)
        .store(Integer::ONE, Integer::ZERO);
    assert_eq!(value, ArrayValue::constant(Integer::ZERO));
}

#[test]
fn names_that_mean_something_are_not_taken() {
    let mut store = TermStore::new();
    let symbol = store.new_symbol("abs", Sort::Int);
    assert_ne!(store.smtlib_name(symbol), "abs");
    let barred = store.new_symbol("a|b\\c", Sort::Int);
    assert_eq!(store.smtlib_name(barred), "a_b_c");
    let word = store.new_symbol("let", Sort::Int);
    assert_eq!(store.smtlib_name(word), "|let|");
}
