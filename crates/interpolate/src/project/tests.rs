//! Projections and implicants against all points of a small box.

use super::{Stuck, project};
use base::Rng;
use logic::{
    ArrayValue, Assignment, FunctionValue, Integer, Rational, Sort, SymbolId, TermId, TermStore,
    TermValue, implicant,
};
use std::collections::BTreeSet;

/// The symbols' values lie between minus this and this.
const LIMIT: i64 = 6;

/// A random term over the symbols: sums, quotients, remainders and choices.
fn number(rng: &mut Rng, store: &mut TermStore, symbols: &[TermId], depth: usize) -> TermId {
    let constant = Integer::from(rng.below(9) as i64 - 4);
    let mut parts = Vec::new();
    for &symbol in symbols {
        if rng.chance(50) {
            parts.push((symbol, Integer::from(rng.below(7) as i64 - 3)));
        }
    }
    let sum = store.linear(&constant, &parts);
    if depth == 0 || rng.chance(60) {
        return sum;
    }
    let divisor = Integer::from(2 + rng.below(4) as i64);
    let other = number(rng, store, symbols, depth - 1);
    match rng.below(3) {
        0 => {
            let quotient = store.div(other, &divisor);
            store.add(sum, quotient)
        }
        1 => {
            let rest = store.modulo(other, &divisor);
            store.sub(sum, rest)
        }
        _ => {
            let condition = formula(rng, store, symbols, depth - 1);
            store.ite(condition, sum, other)
        }
    }
}

fn formula(rng: &mut Rng, store: &mut TermStore, symbols: &[TermId], depth: usize) -> TermId {
    if depth == 0 || rng.chance(50) {
        let a = number(rng, store, symbols, depth);
        let zero = store.int(0i64);
        return match rng.below(5) {
            0 | 1 => store.le(a, zero),
            2 => store.eq(a, zero),
            3 => {
                let rest = store.modulo(a, &Integer::from(2 + rng.below(4) as i64));
                store.eq(rest, zero)
            }
            _ => {
                let equal = store.eq(a, zero);
                store.not(equal)
            }
        };
    }
    let a = formula(rng, store, symbols, depth - 1);
    let b = formula(rng, store, symbols, depth - 1);
    match rng.below(4) {
        0 => store.and(&[a, b]),
        1 => store.or(&[a, b]),
        2 => store.not(a),
        _ => store.eq(a, b),
    }
}

fn within(store: &mut TermStore, term: TermId, limit: i64) -> [TermId; 2] {
    let (low, high) = (store.int(-limit), store.int(limit));
    [store.le(low, term), store.le(term, high)]
}

/// All points of a box.
fn points(dimension: usize, limit: i64) -> Vec<Vec<i64>> {
    (0..dimension).fold(vec![Vec::new()], |points, _| {
        let extend = |point: &Vec<i64>| {
            let point = point.clone();
            (-limit..=limit).map(move |value| {
                let mut longer = point.clone();
                longer.push(value);
                longer
            })
        };
        points.iter().flat_map(extend).collect()
    })
}

fn holds(store: &TermStore, term: TermId, symbols: &[SymbolId], point: &[i64]) -> bool {
    let value_of = |symbol: SymbolId| {
        let at = symbols.iter().position(|&known| known == symbol)?;
        Some(TermValue::Int(Integer::from(*point.get(at)?)))
    };
    store.evaluate(term, &value_of) == Some(TermValue::Bool(true))
}

fn assignment(symbols: &[SymbolId], point: &[i64]) -> Assignment {
    let values = point
        .iter()
        .map(|&value| TermValue::Int(Integer::from(value)));
    Assignment {
        symbols: symbols.iter().copied().zip(values).collect(),
        ..Assignment::default()
    }
}

struct Case {
    store: TermStore,
    symbols: Vec<SymbolId>,
    whole: TermId,
    /// A point where it holds.
    model: Vec<i64>,
}

/// A random formula with a model, in which the first symbols, to be eliminated, are bounded.
fn case(rng: &mut Rng, dimension: usize, bounded: usize, depth: usize) -> Option<Case> {
    let mut store = TermStore::new();
    let symbols: Vec<SymbolId> = (0..dimension)
        .map(|_| store.new_symbol("x", Sort::Int))
        .collect();
    let terms: Vec<TermId> = symbols.iter().map(|&s| store.of_symbol(s)).collect();
    let mut conjuncts: Vec<TermId> = (0..1 + rng.below(4))
        .map(|_| formula(rng, &mut store, &terms, depth))
        .collect();
    for &term in &terms[..bounded] {
        conjuncts.extend(within(&mut store, term, LIMIT));
    }
    let whole = store.and(&conjuncts);
    let all = points(dimension, LIMIT);
    let start = rng.below(all.len());
    let mut around = all[start..].iter().chain(&all[..start]);
    let model = around.find(|point| holds(&store, whole, &symbols, point))?;
    let model = model.clone();
    Some(Case {
        store,
        symbols,
        whole,
        model,
    })
}

fn check_projection(case: &mut Case, eliminated: usize) {
    let (symbols, model) = (case.symbols.clone(), case.model.clone());
    let store = &mut case.store;
    let gone: BTreeSet<SymbolId> = symbols[..eliminated].iter().copied().collect();
    let point = assignment(&symbols, &model);
    let cube = project(store, &[case.whole], &gone, &point).expect("it should be arithmetic");
    let result = store.and(&cube);
    let text = format!("{}\n{}", store.smtlib(case.whole), store.smtlib(result));
    assert!(holds(store, result, &symbols, &model), "{text}");
    assert!(store.symbols_of(&[result]).is_disjoint(&gone), "{text}");
    let inner = points(eliminated, LIMIT);
    for outer in points(symbols.len() - eliminated, LIMIT) {
        let mut point = vec![0; eliminated];
        point.extend(&outer);
        if !holds(store, result, &symbols, &point) {
            continue;
        }
        let extends = inner.iter().any(|values| {
            point[..eliminated].copy_from_slice(values);
            holds(store, case.whole, &symbols, &point)
        });
        assert!(extends, "{outer:?} {model:?}\n{text}");
    }
}

#[test]
fn points_of_a_projection_extend_to_points_of_the_formula() {
    let mut rng = Rng::new(1);
    let (mut done, mut wanted) = (0, 0);
    while done < 400 {
        wanted += 1;
        let eliminated = 1 + rng.below(2);
        let dimension = eliminated + 1 + rng.below(if eliminated == 1 { 2 } else { 1 });
        let depth = rng.below(3);
        if let Some(mut case) = case(&mut rng, dimension, eliminated, depth) {
            check_projection(&mut case, eliminated);
            done += 1;
        }
        assert!(wanted < 10_000, "too few formulas have models");
    }
}

#[test]
fn implicants_imply_their_formula() {
    let mut rng = Rng::new(2);
    for _ in 0..400 {
        let Some(mut case) = case(&mut rng, 2, 0, 3) else {
            continue;
        };
        let (symbols, model) = (case.symbols.clone(), case.model.clone());
        let point = assignment(&symbols, &model);
        let avoid = BTreeSet::from([symbols[0]]);
        let literals = implicant(&mut case.store, case.whole, &avoid, &point)
            .expect("it should hold in its model");
        let cube = case.store.and(&literals);
        assert!(holds(&case.store, cube, &symbols, &model));
        for point in points(2, LIMIT) {
            assert!(
                !holds(&case.store, cube, &symbols, &point)
                    || holds(&case.store, case.whole, &symbols, &point)
            );
        }
    }
}

/// A wrapped counter: no case for each remainder.
#[test]
fn a_remainder_by_a_large_constant_is_projected_whole() {
    let mut store = TermStore::new();
    let [x, u] = ["x", "u"].map(|name| store.new_symbol(name, Sort::Int));
    let (from, to) = (store.of_symbol(x), store.of_symbol(u));
    let modulus = Integer::power_of_two(32);
    let (zero, one, end) = (store.int(0i64), store.int(1i64), store.int(modulus.clone()));
    let next = store.add(from, one);
    let wrapped = store.modulo(next, &modulus);
    let cube = [
        store.le(zero, from),
        store.lt(from, end),
        store.eq(to, wrapped),
    ];
    let result = project(
        &mut store,
        &cube,
        &BTreeSet::from([x]),
        &assignment(&[x, u], &[41, 42]),
    );
    let result = store.and(&result.expect("it should be arithmetic"));
    let bounds = [store.le(zero, to), store.lt(to, end)];
    assert_eq!(result, store.and(&bounds));
}

/// The reals at which one of some sums of `x` with other values is zero, those between them, and
/// those beyond: every formula over these sums that has a solution has one among them.
fn candidates(lines: &[(Rational, Rational)]) -> Vec<Rational> {
    let zero = |(factor, rest): &(Rational, Rational)| -&(rest / factor);
    let mut zeros: Vec<Rational> = (lines.iter())
        .filter(|(factor, _)| !factor.is_zero())
        .map(zero)
        .collect();
    zeros.sort();
    let half = Rational::new(1i64, 2i64);
    let mut all: Vec<Rational> = (zeros.windows(2))
        .map(|pair| &(&pair[0] + &pair[1]) * &half)
        .collect();
    let (first, last) = (zeros.first().cloned(), zeros.last().cloned());
    all.push(&first.unwrap_or(Rational::ZERO) - &Rational::ONE);
    all.push(&last.unwrap_or(Rational::ZERO) + &Rational::ONE);
    all.extend(zeros);
    all
}

/// One real of three is eliminated from random comparisons, and each point of a grid that is left
/// must extend.
#[test]
fn reals_between_the_bounds_left_exist() {
    let mut rng = Rng::new(3);
    for _ in 0..300 {
        let mut store = TermStore::new();
        let symbols = ["x", "y", "z"].map(|name| store.new_symbol(name, Sort::Real));
        let terms = symbols.map(|symbol| store.of_symbol(symbol));
        let values = [0; 3].map(|_| Rational::new(rng.below(13) as i64 - 6, 2i64));
        let at = |values: &[Rational; 3]| Assignment {
            symbols: (symbols.iter().zip(values))
                .map(|(&symbol, value)| (symbol, TermValue::Real(value.clone())))
                .collect(),
            ..Assignment::default()
        };
        let (mut cube, mut sums) = (Vec::new(), Vec::new());
        for _ in 0..2 + rng.below(5) {
            let factors = [0; 3].map(|_| Rational::from(rng.below(5) as i64 - 2));
            let parts: Vec<_> = terms.into_iter().zip(factors.clone()).collect();
            let sum = store.real_linear(&Rational::from(rng.below(9) as i64 - 4), &parts);
            let value = store.evaluate_in(sum, &at(&values));
            let Some(TermValue::Real(value)) = value else {
                panic!("it should be a real");
            };
            let bound = store.real(value);
            let more = store.real(Rational::new(rng.below(3) as i64, 2i64));
            let bound = store.add(bound, more);
            cube.push(if store.as_real(more).is_some_and(Rational::is_zero) {
                match rng.below(3) {
                    0 => store.eq(sum, bound),
                    _ => store.le(sum, bound),
                }
            } else {
                store.lt(sum, bound)
            });
            sums.push((factors, store.sub(sum, bound)));
        }
        let gone = BTreeSet::from([symbols[0]]);
        let result = project(&mut store, &cube, &gone, &at(&values)).expect("all is linear");
        let (whole, result) = (store.and(&cube), store.and(&result));
        let text = format!("{}\n{}", store.smtlib(whole), store.smtlib(result));
        let holds = |term, values: &[Rational; 3]| {
            store.evaluate_in(term, &at(values)) == Some(TermValue::Bool(true))
        };
        assert!(holds(result, &values), "{text}");
        assert!(store.symbols_of(&[result]).is_disjoint(&gone), "{text}");
        for (y, z) in (-8i64..=8).flat_map(|y| (-8i64..=8).map(move |z| (y, z))) {
            let point = |x: &Rational| [x.clone(), Rational::new(y, 2i64), Rational::new(z, 2i64)];
            if !holds(result, &point(&Rational::ZERO)) {
                continue;
            }
            let lines: Vec<(Rational, Rational)> = (sums.iter())
                .map(|(factors, sum)| {
                    let rest = store.evaluate_in(*sum, &at(&point(&Rational::ZERO)));
                    let Some(TermValue::Real(rest)) = rest else {
                        panic!("it should be a real");
                    };
                    (factors[0].clone(), rest)
                })
                .collect();
            let extends = candidates(&lines).iter().any(|x| holds(whole, &point(x)));
            assert!(extends, "{y} {z}\n{text}");
        }
    }
}

#[test]
fn symbols_inside_functions_are_replaced_by_equal_terms_or_not_at_all() {
    let mut store = TermStore::new();
    let [x, u, v] = ["x", "u", "v"].map(|name| store.new_symbol(name, Sort::Int));
    let [of_x, of_u, of_v] = [x, u, v].map(|symbol| store.of_symbol(symbol));
    let f = store.new_function("f", &[Sort::Int], Sort::Int);
    let applied = store.apply(f, &[of_x]);
    let (same, five) = (store.eq(applied, of_v), store.int(5i64));
    let mut model = assignment(&[x, u, v], &[3, 3, 5]);
    model.functions.insert(
        f,
        FunctionValue::constant(TermValue::Int(Integer::from(5i64))),
    );
    // f(x) = v and 2x <= u + 3 with x = u in the model: f(u) = v and u <= 3.
    let (twice, three) = (store.add(of_x, of_x), store.int(3i64));
    let sum = store.add(of_u, three);
    let cube = [same, store.le(twice, sum)];
    let gone = BTreeSet::from([x]);
    let result = project(&mut store, &cube, &gone, &model).expect("u should stand for x");
    let applied_u = store.apply(f, &[of_u]);
    let expected = [store.eq(applied_u, of_v), store.le(of_u, three)];
    assert_eq!(store.and(&result), store.and(&expected));
    // f(x) = 5 alone: nothing equals x.
    let only = [store.eq(applied, five)];
    let result = project(&mut store, &only, &gone, &model);
    assert_eq!(result, Err(Stuck::Inside(applied)));
}

#[test]
fn an_array_that_is_only_read_leaves_equal_elements_at_equal_indices() {
    let mut store = TermStore::new();
    let array = store.new_symbol("a", Sort::Array);
    let symbols = ["i", "j", "u", "v"].map(|name| store.new_symbol(name, Sort::Int));
    let of_array = store.of_symbol(array);
    let [i, j, u, v] = symbols.map(|symbol| store.of_symbol(symbol));
    let (first, second) = (store.select(of_array, i), store.select(of_array, j));
    let cube = [store.eq(first, u), store.eq(second, v)];
    let gone = BTreeSet::from([array]);
    for (point, expected) in [
        ([3, 3, 5, 5], [store.eq(i, j), store.eq(u, v)]),
        ([3, 4, 5, 6], [store.lt(i, j), store.bool(true)]),
    ] {
        let mut model = assignment(&symbols, &point);
        let elements = ArrayValue::constant(Integer::from(5i64));
        let elements = elements.store(Integer::from(4i64), Integer::from(6i64));
        model.symbols.insert(array, TermValue::Array(elements));
        let result = project(&mut store, &cube, &gone, &model).expect("it is only read");
        assert_eq!(store.and(&result), store.and(&expected));
    }
}

#[test]
fn a_read_past_a_write_is_decided_by_the_model() {
    let mut store = TermStore::new();
    let array = store.new_symbol("a", Sort::Array);
    let symbols = ["x", "j", "u", "v"].map(|name| store.new_symbol(name, Sort::Int));
    let of_array = store.of_symbol(array);
    let [x, j, u, v] = symbols.map(|symbol| store.of_symbol(symbol));
    let written = store.store(of_array, x, u);
    let read = store.select(written, j);
    let cube = [store.eq(read, v), store.le(u, x)];
    let gone = BTreeSet::from([symbols[0]]);
    // x is j: v is u, at most j. x is above j: v is an element of a, and any large x will do.
    let element = store.select(of_array, j);
    for (point, expected) in [
        ([7, 7, 5, 5], vec![store.eq(u, v), store.le(u, j)]),
        ([8, 7, 6, 5], vec![store.eq(element, v)]),
    ] {
        let mut model = assignment(&symbols, &point);
        let elements = ArrayValue::constant(Integer::from(5i64));
        model.symbols.insert(array, TermValue::Array(elements));
        let result = project(&mut store, &cube, &gone, &model).expect("the write is decided");
        assert_eq!(store.and(&result), store.and(&expected));
    }
}

#[test]
fn an_array_before_a_write_goes_and_the_write_stays_to_be_seen() {
    let mut store = TermStore::new();
    let [a, b] = ["a", "b"].map(|name| store.new_symbol(name, Sort::Array));
    let symbols = ["i", "j", "u"].map(|name| store.new_symbol(name, Sort::Int));
    let (of_a, of_b) = (store.of_symbol(a), store.of_symbol(b));
    let [i, j, u] = symbols.map(|symbol| store.of_symbol(symbol));
    // b is a with u at i, and a has 5 at j, which in the model is not i.
    let written = store.store(of_a, i, u);
    let (read, five) = (store.select(of_a, j), store.int(5i64));
    let cube = [store.eq(of_b, written), store.eq(read, five)];
    let mut model = assignment(&symbols, &[1, 2, 7]);
    let elements = ArrayValue::constant(Integer::from(5i64));
    model.symbols.insert(a, TermValue::Array(elements.clone()));
    let elements = elements.store(Integer::from(1i64), Integer::from(7i64));
    model.symbols.insert(b, TermValue::Array(elements));
    let result = project(&mut store, &cube, &BTreeSet::from([a]), &model);
    let result = store.and(&result.expect("the write can be undone"));
    let (at_i, at_j) = (store.select(of_b, i), store.select(of_b, j));
    let expected = [store.eq(at_i, u), store.eq(at_j, five), store.lt(i, j)];
    assert_eq!(result, store.and(&expected));
}
