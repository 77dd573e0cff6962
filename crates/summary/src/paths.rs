//! What the paths of a graph to one of its ends do, all of them together, in any algebra of paths.
//!
//! Strongly connected components are gone through backwards from the ends. In one with a cycle a
//! node that leads out is taken for its head. The paths from the other nodes to the head are a
//! smaller problem of the same kind; they and the edges of the head make an iteration, and any
//! number of iterations is a star.
//!
//! # Paper
//! The equations are those of [tarjan1981fast]. There they are solved along the tree of dominators,
//! which gives the same stars wherever a component is entered, backwards, at one node.
//!
//! # Invariants
//! - The value of a node is that of exactly the paths from it to an end; a node without such a path
//!   has none.

use program::pass::scc;
use std::collections::{BTreeMap, BTreeSet};

/// What paths can mean.
pub trait Algebra {
    /// The meaning of some paths; there is at least one.
    type Value: Clone;
    /// The empty path.
    fn one(&mut self) -> Self::Value;
    /// The one or the other.
    fn choice(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// First `a`, then `b`.
    fn sequence(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// Any number of times, also none.
    fn star(&mut self, a: &Self::Value) -> Self::Value;
}

/// The values of some nodes.
pub type Values<V> = BTreeMap<usize, V>;

/// A graph with the meanings of its edges.
pub struct Graph<'a, A: Algebra> {
    algebra: &'a mut A,
    /// For each node where its edges lead, and what they do.
    edges: Vec<Vec<(usize, A::Value)>>,
}

impl<'a, A: Algebra> Graph<'a, A> {
    /// A graph over `0..len` without edges.
    pub fn new(algebra: &'a mut A, len: usize) -> Self {
        Graph {
            algebra,
            edges: vec![Vec::new(); len],
        }
    }

    /// Adds an edge.
    pub fn add(&mut self, from: usize, to: usize, value: A::Value) {
        self.edges[from].push((to, value));
    }

    /// The paths from each node to where one ends; `ends` says what is done there.
    pub fn to_ends(&mut self, ends: &Values<A::Value>) -> Values<A::Value> {
        let nodes = (0..self.edges.len()).collect();
        self.solve(&nodes, ends)
    }

    /// The paths through some nodes only, from each of them to where one ends.
    fn solve(&mut self, nodes: &BTreeSet<usize>, ends: &Values<A::Value>) -> Values<A::Value> {
        let mut solved = Values::new();
        if nodes.is_empty() {
            return solved;
        }
        let next = |node: usize| self.edges[node].iter().map(|(to, _)| *to);
        let components = scc::components(self.edges.len(), |node| nodes.contains(&node), next);
        for component in components {
            let mut out = Values::new();
            for &node in &component {
                let behind = self.before(node, &solved);
                let way = self.either(ends.get(&node).cloned(), behind);
                out.extend(way.map(|way| (node, way)));
            }
            if let Some((head, leaves)) = out.pop_first() {
                let rest = component.into_iter().filter(|&node| node != head);
                solved.extend(self.around(head, leaves, &rest.collect(), &out));
            }
        }
        solved
    }

    /// The same for a component: its head with what leaves it there, and the rest with other ways
    /// out.
    fn around(
        &mut self,
        head: usize,
        mut leaves: A::Value,
        rest: &BTreeSet<usize>,
        out: &Values<A::Value>,
    ) -> Values<A::Value> {
        let mut here = Values::from([(head, self.algebra.one())]);
        let into = |&node: &usize| Some((node, self.before(node, &here)?));
        let into = rest.iter().filter_map(into).collect();
        let back = self.solve(rest, &into);
        let mut solved = self.solve(rest, out);
        if let Some(beside) = self.before(head, &solved) {
            leaves = self.algebra.choice(&leaves, &beside);
        }
        here.extend(back.clone());
        if let Some(iteration) = self.before(head, &here) {
            let iterations = self.algebra.star(&iteration);
            leaves = self.algebra.sequence(&iterations, &leaves);
        }
        for (node, way) in back {
            let through = self.algebra.sequence(&way, &leaves);
            let all = self.either(solved.remove(&node), Some(through));
            solved.extend(all.map(|all| (node, all)));
        }
        solved.insert(head, leaves);
        solved
    }

    /// An edge of a node, and then what is known of where it leads.
    fn before(&mut self, node: usize, known: &Values<A::Value>) -> Option<A::Value> {
        let edges = self.edges[node].iter();
        let edges = edges.filter_map(|(to, edge)| Some((edge, known.get(to)?)));
        let ways = edges.map(|(edge, rest)| self.algebra.sequence(edge, rest));
        let ways: Vec<A::Value> = ways.collect();
        ways.into_iter().reduce(|a, b| self.algebra.choice(&a, &b))
    }

    fn either(&mut self, a: Option<A::Value>, b: Option<A::Value>) -> Option<A::Value> {
        let both = a.into_iter().chain(b);
        both.reduce(|a, b| self.algebra.choice(&a, &b))
    }
}

#[cfg(test)]
mod tests;
