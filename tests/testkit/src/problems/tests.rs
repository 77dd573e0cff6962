//! The problems are what they say they are.

use super::*;
use logic::TermValue;
use std::collections::{BTreeMap, BTreeSet};

fn sample(seed: u64) -> (TermStore, Problem, Valuation) {
    let mut store = TermStore::new();
    let (problem, values) = build(&mut store, seed, &Options::default());
    (store, problem, values)
}

#[test]
fn only_the_root_denies_the_valuation() {
    for seed in 0..400 {
        let (store, problem, values) = sample(seed);
        let holds: Vec<bool> = (problem.parts.iter())
            .map(|&part| store.evaluate_in(part, &values) == Some(TermValue::Bool(true)))
            .collect();
        let (root, rest) = holds.split_last().expect("there should be parts");
        if problem.kind != Kind::Free {
            assert!(
                !root && rest.iter().all(|&part| part),
                "seed {seed}: {holds:?}"
            );
        }
    }
}

#[test]
fn kinds_shapes_and_lengths_vary() {
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut lengths = BTreeSet::new();
    let mut trees = 0;
    for seed in 0..600 {
        let (_, problem, _) = sample(seed);
        *kinds.entry(problem.kind).or_default() += 1;
        lengths.insert(problem.parts.len());
        trees += usize::from(!problem.is_sequence());
        assert_eq!(problem.parents.len() + 1, problem.parts.len());
        let parents = problem.parents.iter().enumerate();
        assert!(parents.clone().all(|(part, &parent)| part < parent));
        assert!(
            parents
                .clone()
                .all(|(_, &parent)| parent < problem.parts.len())
        );
    }
    assert_eq!(kinds.len(), Kind::ALL.len());
    assert!(kinds.values().all(|&count| count > 40), "{kinds:?}");
    assert_eq!(lengths, (2..=12).collect());
    assert!((20..150).contains(&trees), "{trees}");
}

#[test]
fn a_seed_gives_one_problem_and_neighbours_share_symbols() {
    let (mut near, mut distant, mut cuts) = (0, 0, 0);
    for seed in 0..200 {
        let (store, problem, _) = sample(seed);
        let (again, same, _) = sample(seed);
        let text = |store: &TermStore, problem: &Problem| store.smtlib_query(&problem.parts);
        assert_eq!(text(&store, &problem), text(&again, &same));
        for (part, &parent) in problem.parents.iter().enumerate() {
            let inner = store.symbols_of(&[problem.parts[part]]);
            let outer = store.symbols_of(&[problem.parts[parent]]);
            near += usize::from(!inner.is_disjoint(&outer));
            cuts += 1;
            let far = problem.parts.iter().skip(parent + 1);
            let far: Vec<TermId> = far.copied().collect();
            distant += usize::from(!inner.is_disjoint(&store.symbols_of(&far)));
        }
    }
    assert!(near * 100 > cuts * 97, "{near} of {cuts}");
    assert!(
        distant * 10 > cuts && distant * 2 < cuts,
        "{distant} of {cuts}"
    );
}
