//! Reals, arrays and functions: answers that are known, and models that evaluate to true.

use base::Budget;
use logic::{Integer, Rational, Sort, TermId, TermStore, TermValue};
use smt::{Answer, Solver};

fn check(store: &TermStore, formulas: &[TermId]) -> Answer {
    let mut solver = Solver::new();
    for &formula in formulas {
        solver.assert(store, formula);
    }
    let answer = solver.check(store, &[], &Budget::unlimited());
    if answer == Answer::Sat {
        let model = solver.model().expect("there should be a model");
        for &formula in formulas {
            assert!(model.satisfies(store, formula), "{}", store.smtlib(formula));
        }
    }
    answer
}

#[test]
fn reals_lie_between_integers() {
    let mut store = TermStore::new();
    let x = store.fresh("x", Sort::Real);
    let y = store.fresh("y", Sort::Int);
    let (zero, one) = (store.real(Rational::ZERO), store.real(Rational::ONE));
    let (above, below) = (store.lt(zero, x), store.lt(x, one));
    assert_eq!(check(&store, &[above, below]), Answer::Sat);
    let as_real = store.to_real(y);
    let same = store.eq(x, as_real);
    assert_eq!(check(&store, &[above, below, same]), Answer::Unsat);
}

#[test]
fn arrays_have_the_last_element_stored() {
    let mut store = TermStore::new();
    let (a, b) = (store.fresh("a", Sort::Array), store.fresh("b", Sort::Array));
    let (i, j) = (store.fresh("i", Sort::Int), store.fresh("j", Sort::Int));
    let (five, six) = (store.int(5i64), store.int(6i64));
    let stored = store.store(a, i, five);
    let same = store.eq(b, stored);
    let read = store.select(b, j);
    let is_six = store.eq(read, six);
    assert_eq!(check(&store, &[same, is_six]), Answer::Sat);
    let same_place = store.eq(i, j);
    assert_eq!(check(&store, &[same, is_six, same_place]), Answer::Unsat);
    let (before, after) = (store.select(a, j), store.select(a, i));
    let (less, equal) = (store.lt(before, after), store.eq(a, b));
    let unequal = store.not(equal);
    assert_eq!(check(&store, &[same, less, unequal]), Answer::Sat);
}

#[test]
fn a_constant_array_has_one_element_everywhere() {
    let mut store = TermStore::new();
    let a = store.fresh("a", Sort::Array);
    let [i, j, x] = ["i", "j", "x"].map(|name| store.fresh(name, Sort::Int));
    let constant = store.constant_array(x);
    let same = store.eq(a, constant);
    let read = store.select(a, j);
    let differs = store.ne(read, x);
    assert_eq!(check(&store, &[same]), Answer::Sat);
    assert_eq!(check(&store, &[same, differs]), Answer::Unsat);
    let written = store.store(a, i, x);
    let same_but_there = store.eq(written, constant);
    let elsewhere = store.lt(i, j);
    assert_eq!(check(&store, &[same_but_there, differs]), Answer::Sat);
    let none = [same_but_there, differs, elsewhere];
    assert_eq!(check(&store, &none), Answer::Unsat);
}

#[test]
fn equal_arguments_have_equal_values() {
    let mut store = TermStore::new();
    let f = store.new_function("f", &[Sort::Int, Sort::Bool], Sort::Int);
    let (x, y) = (store.fresh("x", Sort::Int), store.fresh("y", Sort::Int));
    let p = store.fresh("p", Sort::Bool);
    let (fx, fy) = (store.apply(f, &[x, p]), store.apply(f, &[y, p]));
    let (values, arguments) = (store.lt(fx, fy), store.eq(x, y));
    assert_eq!(check(&store, &[values]), Answer::Sat);
    assert_eq!(check(&store, &[values, arguments]), Answer::Unsat);
}

#[test]
fn large_numbers_go_there_and_back() {
    let mut store = TermStore::new();
    let x = store.fresh("x", Sort::Int);
    let large = Integer::power_of_two(200);
    let number = store.int(large.clone());
    let half = Rational::new(Integer::power_of_two(201), Integer::from(3i64));
    let y = store.fresh("y", Sort::Real);
    let fraction = store.real(half.clone());
    let formulas = [store.eq(x, number), store.eq(y, fraction)];
    let mut solver = Solver::new();
    for formula in formulas {
        solver.assert(&store, formula);
    }
    let answer = solver.check(&store, &[], &Budget::unlimited());
    assert_eq!(answer, Answer::Sat);
    let model = solver.model().expect("there should be a model");
    assert_eq!(model.evaluate(&store, x), TermValue::Int(large));
    assert_eq!(model.evaluate(&store, y), TermValue::Real(half));
}
