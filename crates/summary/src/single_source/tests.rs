//! Path expressions against paths, one by one.

use super::*;
use crate::expression::Algebra;
use base::{Id, Rng};
use std::collections::BTreeSet;

type Word = Vec<usize>;

/// Sets of words up to a length.
struct Words {
    most: usize,
}

impl Algebra for Words {
    type Value = BTreeSet<Word>;
    fn zero(&mut self) -> Self::Value {
        BTreeSet::new()
    }
    fn one(&mut self) -> Self::Value {
        BTreeSet::from([Vec::new()])
    }
    fn step(&mut self, step: StepId) -> Self::Value {
        BTreeSet::from([vec![step.index()]])
    }
    fn choice(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        a.union(b).cloned().collect()
    }
    fn sequence(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let pairs = a
            .iter()
            .flat_map(|first| b.iter().map(move |second| (first, second)));
        pairs
            .filter(|(first, second)| first.len() + second.len() <= self.most)
            .map(|(first, second)| [&first[..], second].concat())
            .collect()
    }
    fn star(&mut self, a: &Self::Value) -> Self::Value {
        let mut all = self.one();
        loop {
            let more = self.sequence(&all, a);
            let next = self.choice(&all, &more);
            if next == all {
                return all;
            }
            all = next;
        }
    }
}

/// The words of all paths of at most so many edges between two nodes.
fn words(edges: &[Edge], from: usize, to: usize, most: usize) -> BTreeSet<Word> {
    let mut found = BTreeSet::new();
    let mut open = vec![(from, Vec::new())];
    while let Some((at, word)) = open.pop() {
        if word.len() < most {
            for &(_, next, step) in edges.iter().filter(|edge| edge.0 == at) {
                open.push((next, [&word[..], &[step.index()]].concat()));
            }
        }
        if at == to {
            found.insert(word);
        }
    }
    found
}

fn language(table: &Expressions, id: ExpressionId, most: usize) -> BTreeSet<Word> {
    let mut memo = FxHashMap::default();
    table.evaluate(id, &mut Words { most }, &mut memo)
}

#[test]
fn exactly_the_paths() {
    const MOST: usize = 6;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let len = 1 + rng.below(6);
        let count = rng.below(2 * len + 2);
        let edges: Vec<Edge> = (0..count)
            .map(|step| (rng.below(len), rng.below(len), StepId::from_index(step)))
            .collect();
        let from = rng.below(len);
        let mut table = Expressions::new();
        let forwards = single_source(&mut table, len, &edges, from);
        let backwards = single_target(&mut table, len, &edges, from);
        for node in 0..len {
            let expected = words(&edges, from, node, MOST);
            assert_eq!(
                language(&table, forwards[node], MOST),
                expected,
                "seed {seed}"
            );
            let expected = words(&edges, node, from, MOST);
            assert_eq!(
                language(&table, backwards[node], MOST),
                expected,
                "seed {seed}"
            );
        }
    }
}

#[test]
fn a_loop_is_a_star() {
    // 0 -a0-> 1, 1 -a1-> 2, 2 -a2-> 1, 1 -a3-> 3.
    let step = StepId::from_index;
    let edges = [
        (0, 1, step(0)),
        (1, 2, step(1)),
        (2, 1, step(2)),
        (1, 3, step(3)),
    ];
    let mut table = Expressions::new();
    let [a0, a1, a2, a3] = [0, 1, 2, 3].map(|index| table.step(step(index)));
    let iteration = table.sequence(a1, a2);
    let iterations = table.star(iteration);
    let to_head = table.sequence(a0, iterations);
    let found = single_source(&mut table, 4, &edges, 0);
    assert_eq!(found[3], table.sequence(to_head, a3));
    let from_head = table.sequence(iterations, a3);
    let found = single_target(&mut table, 4, &edges, 3);
    assert_eq!(found[0], table.sequence(a0, from_head));
    assert_eq!(found[2], table.sequence(a2, from_head));
}

/// Sequences of loops, each in a loop: the work grows with the graph.
#[test]
fn large_reducible_graphs_have_small_expressions() {
    let size = |count: usize| {
        let mut edges = Vec::new();
        let mut add = |from, to| edges.push((from, to, StepId::from_index(edges.len())));
        for at in (0..count).map(|loops| 4 * loops) {
            // An outer head, an inner head, its body, and the way back.
            add(at, at + 1);
            add(at + 1, at + 2);
            add(at + 2, at + 1);
            add(at + 1, at + 3);
            add(at + 3, at);
            add(at, at + 4);
        }
        let mut table = Expressions::new();
        let found = single_source(&mut table, 4 * count + 1, &edges, 0);
        assert_eq!(found.len(), 4 * count + 1);
        table.len()
    };
    let (small, large) = (size(100), size(1000));
    assert!(large < 11 * small, "{small} {large}");
}
