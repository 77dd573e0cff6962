//! The figures of the papers, and random problems against brute force.

use crate::{Answer, Limits, Refutation, Shape, refute};
use base::{Budget, Rng};
use logic::{Integer, Sort, SymbolId, TermId, TermStore, TermValue};
use rustc_hash::FxHashMap;

fn refutation(store: &mut TermStore, parts: &[TermId], shape: &Shape) -> Refutation {
    match refute(
        store,
        shape.of(parts),
        Limits::default(),
        &Budget::unlimited(),
    ) {
        Answer::Refuted(refutation) => *refutation,
        Answer::Consistent => panic!("consistent"),
        Answer::GaveUp(reason) => panic!("{reason}"),
    }
}

fn interpolants(store: &mut TermStore, parts: &[TermId]) -> Vec<String> {
    let shape = Shape::sequence(parts.len());
    let refutation = refutation(store, parts, &shape);
    let interpolants = refutation.interpolants(store, &shape);
    interpolants.iter().map(|&it| store.smtlib(it)).collect()
}

#[test]
fn figure_4_adds_inequalities_up() {
    let mut store = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.fresh(name, Sort::Int));
    let (first, second) = (store.le(x, y), store.le(y, z));
    let inner = store.and(&[first, second]);
    let outer = store.lt(z, x);
    let expected = store.le(x, z);
    let expected = store.smtlib(expected);
    assert_eq!(interpolants(&mut store, &[inner, outer]), [expected]);
}

#[test]
fn figure_5_resolves_clauses() {
    let mut store = TermStore::new();
    let [b, c] = ["b", "c"].map(|name| store.fresh(name, Sort::Bool));
    let implies = store.implies(b, c);
    let inner = store.and(&[b, implies]);
    let outer = store.not(c);
    assert_eq!(interpolants(&mut store, &[inner, outer]), ["c"]);
}

fn shows(store: &mut TermStore, parts: &[TermId], expected: &[TermId]) {
    let expected: Vec<String> = expected.iter().map(|&it| store.smtlib(it)).collect();
    assert_eq!(interpolants(store, parts), expected);
}

/// The trace of figure 2: the interpolants are its predicates, and every part is needed.
#[test]
fn figure_2_gives_its_predicates() {
    let mut store = TermStore::new();
    let names = ["x1", "ctr0", "ctr1", "y2", "m0"];
    let [x, ctr0, ctr1, y, m] = names.map(|name| store.fresh(name, Sort::Int));
    let one = store.int(1i64);
    let (next, after_m) = (store.add(ctr0, one), store.add(m, one));
    let differs = store.eq(y, after_m);
    let parts = [
        store.eq(x, ctr0),
        store.eq(ctr1, next),
        store.eq(y, ctr1),
        store.eq(x, m),
        store.not(differs),
    ];
    let (before_ctr, before_y) = (store.sub(ctr1, one), store.sub(y, one));
    let predicates = [(x, ctr0), (x, before_ctr), (x, before_y), (y, after_m)];
    let expected = predicates.map(|(a, b)| {
        let both = [store.le(a, b), store.le(b, a)];
        store.and(&both)
    });
    shows(&mut store, &parts, &expected);
}

#[test]
fn a_derivation_can_be_read() {
    let mut store = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.fresh(name, Sort::Int));
    let inner = [store.le(x, y), store.le(y, z)];
    let inner = store.and(&inner);
    let outer = store.lt(z, x);
    let shape = Shape::sequence(2);
    let refutation = refutation(&mut store, &[inner, outer], &shape);
    let text = refutation.explain(&mut store, &shape, 0);
    let expected = "\
p0: |- (<= (+ x (* (- 1) y)) 0)  [false]
    HYP-A: part 0
p1: |- (<= (+ y (* (- 1) z)) 0)  [false]
    HYP-A: part 0
p2: |- (<= (+ (* (- 1) x) z 1) 0)  [true]
    HYP-B: part 1
p3: |- (<= (+ (* (- 1) x) y 1) 0), (<= (+ (* (- 1) y) z 1) 0), (<= (+ x (* (- 1) z)) 0)  \
[(<= (+ x (* (- 1) z)) 0)]
    COMB: 1 * (<= (+ x (* (- 1) y)) 0) + 1 * (<= (+ y (* (- 1) z)) 0) + \
1 * (<= (+ (* (- 1) x) z 1) 0) gives 1 <= 0
    CONTRA
p4: |- false  [(<= (+ x (* (- 1) z)) 0)]
    RES-A: p3 with p0 on (<= (+ x (* (- 1) y)) 0)
    RES-A: it with p1 on (<= (+ y (* (- 1) z)) 0)
    RES-B: it with p2 on (<= (+ x (* (- 1) z)) 0)
";
    assert_eq!(text, expected);
}

#[test]
fn functions_of_things_far_apart_meet_at_shared_terms() {
    let mut store = TermStore::new();
    let [x, y, a, b] = ["x", "y", "a", "b"].map(|name| store.fresh(name, Sort::Int));
    let f = store.new_function("f", &[Sort::Int], Sort::Int);
    // a = x + 1 and f(a) = 0; y = x; b = y + 1 and f(b) > 0.
    let one = store.int(1i64);
    let zero = store.int(0i64);
    let (next, fa, fb) = (
        store.add(x, one),
        store.apply(f, &[a]),
        store.apply(f, &[b]),
    );
    let first = [store.eq(a, next), store.eq(fa, zero)];
    let first = store.and(&first);
    let second = store.eq(y, x);
    let next = store.add(y, one);
    let third = [store.eq(b, next), store.lt(zero, fb)];
    let third = store.and(&third);
    let expected = [x, y].map(|at| {
        let next = store.add(at, one);
        let value = store.apply(f, &[next]);
        store.le(value, zero)
    });
    shows(&mut store, &[first, second, third], &expected);
}

#[test]
fn arrays_are_read_after_they_are_written() {
    let mut store = TermStore::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| store.fresh(name, Sort::Array));
    let [i, j, k] = ["i", "j", "k"].map(|name| store.fresh(name, Sort::Int));
    let (zero, five) = (store.int(0i64), store.int(5i64));
    // b = a[i := 5]; c = b[j := 0] where j > i; then c[k] is not 5 for k = i.
    let (first, second) = (store.store(a, i, five), store.store(b, j, zero));
    let (first, second) = (store.eq(b, first), store.eq(c, second));
    let after = store.lt(i, j);
    let second = store.and(&[second, after]);
    let (element, same) = (store.select(c, k), store.eq(k, i));
    let is_five = store.eq(element, five);
    let third = [same, store.not(is_five)];
    let third = store.and(&third);
    let expected = [b, c].map(|array| {
        let element = store.select(array, i);
        let both = [store.le(element, five), store.le(five, element)];
        store.and(&both)
    });
    shows(&mut store, &[first, second, third], &expected);
}

#[test]
fn a_constant_array_has_its_element_wherever_it_is_read() {
    let mut store = TermStore::new();
    let a = store.fresh("a", Sort::Array);
    let [i, x] = ["i", "x"].map(|name| store.fresh(name, Sort::Int));
    let (zero, five) = (store.int(0i64), store.int(5i64));
    // a is x everywhere, and x = 5; then a[i] = 0. Both know i.
    let constant = store.constant_array(x);
    let first = [store.eq(a, constant), store.eq(x, five), store.le(zero, i)];
    let first = store.and(&first);
    let element = store.select(a, i);
    let second = store.eq(element, zero);
    let expected = store.le(five, element);
    shows(&mut store, &[first, second], &[expected]);
}

/// The search space of the brute force: every symbol from -2 to 3.
const LOW: i64 = -2;
const HIGH: i64 = 3;

fn holds(store: &TermStore, formula: TermId, point: &FxHashMap<SymbolId, i64>) -> bool {
    let value_of = |symbol| {
        let value = point.get(&symbol).copied()?;
        Some(TermValue::Int(Integer::from(value)))
    };
    store.evaluate(formula, &value_of) == Some(TermValue::Bool(true))
}

fn points(symbols: &[SymbolId]) -> Vec<FxHashMap<SymbolId, i64>> {
    let mut all = vec![FxHashMap::default()];
    for &symbol in symbols {
        all = (all.iter())
            .flat_map(|point: &FxHashMap<SymbolId, i64>| {
                (LOW..=HIGH).map(move |value| {
                    let mut point = point.clone();
                    point.insert(symbol, value);
                    point
                })
            })
            .collect();
    }
    all
}

fn random_formula(rng: &mut Rng, store: &mut TermStore, vars: &[TermId], depth: usize) -> TermId {
    if depth > 0 && rng.below(3) > 0 {
        let count = 2 + rng.below(2);
        let members: Vec<TermId> = (0..count)
            .map(|_| random_formula(rng, store, vars, depth - 1))
            .collect();
        return if rng.below(2) == 0 {
            store.and(&members)
        } else {
            store.or(&members)
        };
    }
    let mut parts = Vec::new();
    for _ in 0..1 + rng.below(3) {
        let var = vars[rng.below(vars.len())];
        parts.push((var, Integer::from(rng.below(7) as i64 - 3)));
    }
    let sum = store.linear(&Integer::from(rng.below(9) as i64 - 4), &parts);
    let sum = match rng.below(6) {
        0 => store.modulo(sum, &Integer::from(2 + rng.below(3) as i64)),
        1 => store.div(sum, &Integer::from(2 + rng.below(3) as i64)),
        _ => sum,
    };
    let constant = store.int(rng.below(5) as i64 - 2);
    match rng.below(4) {
        0 => store.eq(sum, constant),
        1 => {
            let equal = store.eq(sum, constant);
            store.not(equal)
        }
        2 => {
            let condition = store.le(vars[0], constant);
            let chosen = store.ite(condition, sum, vars[0]);
            store.le(chosen, constant)
        }
        _ => store.le(sum, constant),
    }
}

/// Every answer is right, and every interpolant passes the three checks.
#[test]
fn random_problems_agree_with_brute_force() {
    let mut rng = Rng::new(7);
    let (mut refuted, mut gave_up) = (0, 0);
    for round in 0..300 {
        let mut store = TermStore::new();
        let vars: Vec<TermId> = (0..4)
            .map(|i| store.fresh(&format!("v{i}"), Sort::Int))
            .collect();
        let symbols: Vec<SymbolId> = store.symbols_of(&vars).into_iter().collect();
        let count = 2 + rng.below(3);
        let shape = if count == 4 && rng.below(2) == 0 {
            Shape::tree(&[2, 2, 3]).expect("it should be in order")
        } else {
            Shape::sequence(count)
        };
        let parts: Vec<TermId> = (0..count)
            .map(|part| {
                let at = part.min(2);
                let mut formulas = vec![random_formula(&mut rng, &mut store, &vars[at..at + 2], 2)];
                for &var in &vars[at..at + 2] {
                    let (low, high) = (store.int(LOW), store.int(HIGH));
                    formulas.extend([store.le(low, var), store.le(var, high)]);
                }
                store.and(&formulas)
            })
            .collect();
        let all = points(&symbols);
        let is_consistent = all
            .iter()
            .any(|point| parts.iter().all(|&part| holds(&store, part, point)));
        let problem = shape.of(&parts);
        let answer = refute(&mut store, problem, Limits::default(), &Budget::unlimited());
        let refutation = match answer {
            Answer::Consistent => {
                assert!(is_consistent, "round {round}");
                continue;
            }
            Answer::GaveUp(_) => {
                gave_up += 1;
                continue;
            }
            Answer::Refuted(refutation) => refutation,
        };
        assert!(!is_consistent, "round {round}");
        refuted += 1;
        let interpolants = refutation.interpolants(&mut store, &shape);
        for part in 0..count {
            let mut inner: Vec<TermId> = shape
                .children(part)
                .map(|child| interpolants[child])
                .collect();
            inner.push(parts[part]);
            let inner = store.and(&inner);
            let goal = match interpolants.get(part) {
                Some(&interpolant) => interpolant,
                None => store.bool(false),
            };
            let wrong = all
                .iter()
                .find(|point| holds(&store, inner, point) && !holds(&store, goal, point));
            assert!(
                wrong.is_none(),
                "round {round}, part {part}: {}",
                store.smtlib(goal)
            );
            if part + 1 < count {
                let is_inside = |other: &usize| shape.is_inside(part, *other);
                let (inside, outside): (Vec<usize>, Vec<usize>) = (0..count).partition(is_inside);
                let symbols = |side: &[usize]| {
                    let terms: Vec<TermId> = side.iter().map(|&part| parts[part]).collect();
                    store.symbols_of(&terms)
                };
                let shared = &symbols(&inside) & &symbols(&outside);
                assert!(
                    store.symbols_of(&[goal]).is_subset(&shared),
                    "round {round}, part {part}"
                );
            }
        }
    }
    assert!(refuted > 60, "only {refuted} were inconsistent");
    assert!(gave_up < 5, "{gave_up} were given up");
}

/// Random clauses: every answer is right, and every learned clause is what its resolutions leave
/// (debug builds check that where a step is made).
#[test]
fn random_clauses_agree_with_brute_force() {
    let mut rng = Rng::new(11);
    let limits = Limits {
        conflicts: 100_000,
        ..Limits::default()
    };
    let (mut refuted, mut most) = (0, 0);
    for round in 0..60 {
        let mut store = TermStore::new();
        let count = 8 + rng.below(5);
        let atoms: Vec<TermId> = (0..count)
            .map(|i| store.fresh(&format!("b{i}"), Sort::Bool))
            .collect();
        let clauses: Vec<Vec<(usize, bool)>> = (0..count * 5)
            .map(|_| {
                let literals = (0..3).map(|_| (rng.below(count), rng.below(2) == 0));
                literals.collect()
            })
            .collect();
        let is_consistent = (0..1u32 << count).any(|point| {
            let holds = |(at, positive): &(usize, bool)| (point >> at & 1 == 1) == *positive;
            clauses.iter().all(|clause| clause.iter().any(holds))
        });
        let mut parts = vec![Vec::new(); 3];
        for clause in &clauses {
            let literals = clause.iter().map(|&(at, positive)| match positive {
                true => atoms[at],
                false => store.not(atoms[at]),
            });
            let literals: Vec<TermId> = literals.collect();
            let part = rng.below(3);
            parts[part].push(store.or(&literals));
        }
        let parts: Vec<TermId> = parts.iter().map(|it| store.and(it)).collect();
        let shape = Shape::sequence(3);
        match refute(&mut store, shape.of(&parts), limits, &Budget::unlimited()) {
            Answer::Refuted(refutation) => {
                assert!(!is_consistent, "round {round}");
                refuted += 1;
                most = most.max(refutation.proof.steps().len());
            }
            Answer::Consistent => assert!(is_consistent, "round {round}"),
            Answer::GaveUp(reason) => panic!("round {round}: {reason}"),
        }
    }
    assert!(refuted > 20 && most > 60, "{refuted} refuted, {most} steps");
}

/// A counter that wraps, and what depends on whether it is divisible: all of it follows from
/// bounds, once they are looked at.
#[test]
fn what_only_computes_needs_few_guesses() {
    let mut store = TermStore::new();
    let (zero, one) = (store.int(0i64), store.int(1i64));
    let word = Integer::power_of_two(32);
    let names = |kind: &str, i: usize| format!("{kind}{i}");
    let (mut l, mut v) = (store.fresh("l0", Sort::Int), store.fresh("v0", Sort::Int));
    let start = [store.eq(l, zero), store.eq(v, zero)];
    let mut parts = vec![store.and(&start)];
    const STEPS: usize = 9;
    for step in 1..=STEPS {
        let next_l = store.fresh(&names("l", step), Sort::Int);
        let next_v = store.fresh(&names("v", step), Sort::Int);
        let increased = |store: &mut TermStore, term: TermId| {
            let sum = store.add(term, one);
            store.modulo(sum, &word)
        };
        let (l_plus, v_plus) = (increased(&mut store, l), increased(&mut store, v));
        let is_third = store.divides(&Integer::from(3i64), l);
        let value = store.ite(is_third, v_plus, v);
        let both = [store.eq(next_l, l_plus), store.eq(next_v, value)];
        parts.push(store.and(&both));
        (l, v) = (next_l, next_v);
    }
    let three = store.int(3i64);
    let equal = store.eq(v, three);
    parts.push(store.not(equal));
    let shape = Shape::sequence(parts.len());
    let limits = Limits {
        conflicts: 200,
        splits: 100,
        pivots: 2_000,
    };
    let answer = refute(&mut store, shape.of(&parts), limits, &Budget::unlimited());
    let Answer::Refuted(refutation) = answer else {
        panic!("it should be refuted");
    };
    let interpolants = refutation.interpolants(&mut store, &shape);
    let symbols = store.symbols_of(&[l, v]);
    let last = interpolants[STEPS];
    assert!(store.symbols_of(&[last]).is_subset(&symbols));
}
