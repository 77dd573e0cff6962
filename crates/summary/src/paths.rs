//! The combined effect of all paths of a graph to one of its ends, in any path algebra.
//!
//! Strongly connected components are processed backwards from the ends. In a cyclic one, a node
//! that leads out is chosen as its head. The paths from the other nodes to the head are a smaller
//! problem of the same kind, and so are the exits that avoid it; paths from the head back to itself
//! make an iteration, and any number of iterations is a star, which is computed once.
//!
//! # Paper
//! The equations are those of [tarjan1981fast]. There they are solved along the dominator tree,
//! which gives the same stars whenever a component is entered, backwards, at one node.
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
    pub fn to_ends(&mut self, ends: Values<A::Value>) -> Values<A::Value> {
        let nodes = (0..self.edges.len()).collect();
        self.solve(&nodes, &[ends]).remove(0)
    }

    /// The paths through some nodes only, from each of them to where one ends; for several kinds of
    /// ends at once.
    fn solve(
        &mut self,
        nodes: &BTreeSet<usize>,
        ends: &[Values<A::Value>],
    ) -> Vec<Values<A::Value>> {
        let mut solved = vec![Values::new(); ends.len()];
        if nodes.is_empty() {
            return solved;
        }
        let next = |node: usize| self.edges[node].iter().map(|(to, _)| *to);
        let components = scc::components(self.edges.len(), |node| nodes.contains(&node), next);
        for component in components {
            let mut out = vec![Values::new(); ends.len()];
            for (kind, ways) in out.iter_mut().enumerate() {
                for &node in &component {
                    let behind = self.before(node, &solved[kind]);
                    let way = self.either(ends[kind].get(&node).cloned(), behind);
                    ways.extend(way.map(|way| (node, way)));
                }
            }
            let heads = out.iter().filter_map(|ways| ways.keys().next().copied());
            if let Some(head) = heads.min() {
                let rest = component.into_iter().filter(|&node| node != head);
                let found = self.around(head, &rest.collect(), out);
                std::iter::zip(&mut solved, found).for_each(|(all, new)| all.extend(new));
            }
        }
        solved
    }

    /// The same for a component with its head and the rest, given the ways out of it.
    fn around(
        &mut self,
        head: usize,
        rest: &BTreeSet<usize>,
        mut out: Vec<Values<A::Value>>,
    ) -> Vec<Values<A::Value>> {
        let leaves: Vec<_> = out.iter_mut().map(|ways| ways.remove(&head)).collect();
        let mut here = Values::from([(head, self.algebra.one())]);
        let into = |&node: &usize| Some((node, self.before(node, &here)?));
        out.push(rest.iter().filter_map(into).collect());
        let mut solved = self.solve(rest, &out);
        let back = solved.pop().unwrap_or_default();
        here.extend(back.clone());
        let iteration = self.before(head, &here);
        let iterations = iteration.map(|iteration| self.algebra.star(&iteration));
        for (ways, leaves) in std::iter::zip(&mut solved, leaves) {
            let beside = self.before(head, ways);
            let Some(mut value) = self.either(leaves, beside) else {
                continue;
            };
            if let Some(iterations) = &iterations {
                value = self.algebra.sequence(iterations, &value);
            }
            for (&node, way) in &back {
                let through = self.algebra.sequence(way, &value);
                let all = self.either(ways.remove(&node), Some(through));
                ways.extend(all.map(|all| (node, all)));
            }
            ways.insert(head, value);
        }
        solved
    }

    /// An edge of a node, and then what is known about where it leads.
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
