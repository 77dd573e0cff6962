//! Path values, against enumeration of the paths.

use super::*;
use base::Rng;

type Word = Vec<usize>;
type Edge = (usize, usize);

/// Sets of words up to a length.
struct Words {
    most: usize,
}

impl Algebra for Words {
    type Value = BTreeSet<Word>;
    fn one(&mut self) -> Self::Value {
        BTreeSet::from([Vec::new()])
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
            let steps = edges.iter().enumerate().filter(|(_, edge)| edge.0 == at);
            for (step, &(_, next)) in steps {
                open.push((next, [&word[..], &[step]].concat()));
            }
        }
        if at == to {
            found.insert(word);
        }
    }
    found
}

#[test]
fn exactly_the_paths() {
    const MOST: usize = 6;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let len = 1 + rng.below(6);
        let count = rng.below(2 * len + 2);
        let edges: Vec<Edge> = (0..count)
            .map(|_| (rng.below(len), rng.below(len)))
            .collect();
        let to = rng.below(len);
        let mut algebra = Words { most: MOST };
        let mut graph = Graph::new(&mut algebra, len);
        for (step, &(from, to)) in edges.iter().enumerate() {
            graph.add(from, to, BTreeSet::from([vec![step]]));
        }
        let found = graph.to_ends(Values::from([(to, BTreeSet::from([Vec::new()]))]));
        for from in 0..len {
            let expected = words(&edges, from, to, MOST);
            let found = found.get(&from).cloned().unwrap_or_default();
            assert_eq!(found, expected, "seed {seed}");
        }
    }
}

/// Expressions as text, and how many there were.
#[derive(Default)]
struct Text {
    count: usize,
}

impl Text {
    fn made(&mut self, text: String) -> String {
        self.count += 1;
        // Only small graphs have theirs read.
        text.chars().take(100).collect()
    }
}

impl Algebra for Text {
    type Value = String;
    fn one(&mut self) -> String {
        String::new()
    }
    fn choice(&mut self, a: &String, b: &String) -> String {
        self.made(format!("({a}|{b})"))
    }
    fn sequence(&mut self, a: &String, b: &String) -> String {
        self.made(format!("{a}{b}"))
    }
    fn star(&mut self, a: &String) -> String {
        self.made(format!("({a})*"))
    }
}

#[test]
fn a_loop_is_a_star() {
    let mut text = Text::default();
    let mut graph = Graph::new(&mut text, 5);
    let edges = [
        (0, 1, "a"),
        (1, 2, "b"),
        (2, 1, "c"),
        (1, 3, "d"),
        (3, 4, "e"),
    ];
    for (from, to, step) in edges {
        graph.add(from, to, step.to_owned());
    }
    let found = graph.to_ends(Values::from([(3, String::new())]));
    let expected = ["a(bc)*d", "(bc)*d", "c(bc)*d", ""];
    let expected = expected.map(str::to_owned).into_iter().enumerate();
    assert_eq!(found, expected.collect());
}

/// Sequences of loops, each in a loop: the work grows with the graph.
#[test]
fn work_grows_with_the_graph() {
    let work = |count: usize| {
        let mut text = Text::default();
        let mut graph = Graph::new(&mut text, 4 * count + 1);
        for at in (0..count).map(|loops| 4 * loops) {
            // An outer head, an inner head, its body, and the way back.
            let edges = [(0, 1), (1, 2), (2, 1), (1, 3), (3, 0), (0, 4)];
            for (from, to) in edges {
                graph.add(at + from, at + to, "a".to_owned());
            }
        }
        let found = graph.to_ends(Values::from([(4 * count, String::new())]));
        assert_eq!(found.len(), 4 * count + 1);
        text.count
    };
    let (small, large) = (work(100), work(1000));
    assert!(large < 11 * small, "{small} {large}");
}
