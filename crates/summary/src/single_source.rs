//! Path expressions from one node of a graph to all others, and from all to one.
//!
//! A path from the source to a node passes the node's dominators, one after the other. So it is
//! enough to know, for every node, the paths from its immediate dominator to it that do not come
//! back to that dominator. They run through siblings, children of the same dominator; the edges
//! between siblings stand for paths below the first one, which are known when the dominator tree
//! is gone through from its leaves. A loop is a sibling's edge to itself.
//!
//! # Paper
//! [tarjan1981fast]: the decomposition by dominators (section 5) with elimination inside of the
//! strongly connected components of siblings, which have one member each if the graph is reducible.
//! Products along the tree are found with compressed paths. The dominators are those of
//! [cooper2006simple].
//!
//! # Invariants
//! - The expression of a node has exactly the paths of the graph from the source to it.

use crate::dominators::Dominators;
use crate::expression::{ExpressionId, Expressions, StepId};
use program::pass::scc;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An edge: from where, to where, and its step.
pub type Edge = (usize, usize, StepId);

/// For every node of `0..len` the expression of the paths from the source to it.
pub fn single_source(
    table: &mut Expressions,
    len: usize,
    edges: &[Edge],
    source: usize,
) -> Vec<ExpressionId> {
    let mut paths = Paths {
        table,
        is_reversed: false,
    };
    paths.solve(len, edges, source)
}

/// For every node of `0..len` the expression of the paths from it to the target.
pub fn single_target(
    table: &mut Expressions,
    len: usize,
    edges: &[Edge],
    target: usize,
) -> Vec<ExpressionId> {
    let turned: Vec<Edge> = edges
        .iter()
        .map(|&(from, to, step)| (to, from, step))
        .collect();
    let mut paths = Paths {
        table,
        is_reversed: true,
    };
    paths.solve(len, &turned, target)
}

/// Makes expressions of paths, backwards if edges are turned around.
struct Paths<'p> {
    table: &'p mut Expressions,
    is_reversed: bool,
}

impl Paths<'_> {
    fn sequence(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        if self.is_reversed {
            self.table.sequence(b, a)
        } else {
            self.table.sequence(a, b)
        }
    }

    fn add(&mut self, sum: &mut ExpressionId, more: ExpressionId) {
        *sum = self.table.choice(*sum, more);
    }

    fn solve(&mut self, len: usize, edges: &[Edge], source: usize) -> Vec<ExpressionId> {
        let tree = Dominators::new(len, edges.iter().map(|&(from, to, _)| (from, to)), source);
        let zero = self.table.zero();
        let mut incoming: Vec<Vec<(usize, StepId)>> = vec![Vec::new(); len];
        for &(from, to, step) in edges {
            if tree.is_reached(from) {
                incoming[to].push((from, step));
            }
        }
        let one = self.table.one();
        let mut forest = Forest::new(len, one);
        for &node in tree.order().iter().rev() {
            let children = tree.children(node);
            if children.is_empty() {
                continue;
            }
            let found = self.siblings(&tree, &mut forest, &incoming, node);
            for (&child, &paths) in children.iter().zip(&found) {
                forest.link(child, node, paths);
            }
        }
        // The loops at the source itself, which has no siblings.
        let mut rounds = zero;
        for (from, step) in incoming[source].clone() {
            let (_, paths) = forest.eval(self, from);
            let step = self.table.step(step);
            let round = self.sequence(paths, step);
            self.add(&mut rounds, round);
        }
        let rounds = self.table.star(rounds);
        (0..len)
            .map(|node| {
                if !tree.is_reached(node) {
                    return zero;
                }
                let (_, paths) = forest.eval(self, node);
                self.sequence(rounds, paths)
            })
            .collect()
    }

    /// For the children of a node: the paths to each that do not come back to the node.
    fn siblings(
        &mut self,
        tree: &Dominators,
        forest: &mut Forest,
        incoming: &[Vec<(usize, StepId)>],
        node: usize,
    ) -> Vec<ExpressionId> {
        let children = tree.children(node);
        let place: FxHashMap<usize, usize> = children
            .iter()
            .enumerate()
            .map(|(place, &child)| (child, place))
            .collect();
        let zero = self.table.zero();
        let mut system = System {
            entries: vec![zero; children.len()],
            rows: vec![BTreeMap::new(); children.len()],
        };
        for (to, &child) in children.iter().enumerate() {
            for &(from, step) in &incoming[child] {
                let step = self.table.step(step);
                if from == node {
                    self.add(&mut system.entries[to], step);
                    continue;
                }
                // A path below the sibling under which the edge starts, then the edge.
                let (sibling, paths) = forest.eval(self, from);
                let paths = self.sequence(paths, step);
                let edge = system.rows[place[&sibling]].entry(to).or_insert(zero);
                self.add(edge, paths);
            }
        }
        system.solve(self)
    }
}

/// Equations: the paths to `i` are the entry of `i` or, for an edge from `j`, those to `j` and
/// then the edge `rows[j][i]`.
struct System {
    entries: Vec<ExpressionId>,
    rows: Vec<BTreeMap<usize, ExpressionId>>,
}

impl System {
    fn solve(mut self, paths: &mut Paths<'_>) -> Vec<ExpressionId> {
        let next = |node: usize| self.rows[node].keys().copied();
        let mut components = scc::components(self.rows.len(), |_| true, next);
        components.reverse();
        let zero = paths.table.zero();
        let mut solution = vec![zero; self.rows.len()];
        for component in components {
            self.eliminate(paths, &component, &mut solution);
            // What the component leads to.
            for &from in &component {
                for (to, edge) in self.rows[from].clone() {
                    if !component.contains(&to) {
                        let way = paths.sequence(solution[from], edge);
                        paths.add(&mut self.entries[to], way);
                    }
                }
            }
        }
        solution
    }

    /// Solves the equations of one component, whose entries are complete.
    fn eliminate(
        &mut self,
        paths: &mut Paths<'_>,
        component: &[usize],
        solution: &mut [ExpressionId],
    ) {
        let zero = paths.table.zero();
        let mut inner: BTreeMap<(usize, usize), ExpressionId> = BTreeMap::new();
        for &from in component {
            let row = self.rows[from].iter();
            let row = row.filter(|(to, _)| component.contains(to));
            inner.extend(row.map(|(&to, &edge)| ((from, to), edge)));
        }
        let mut entries: BTreeMap<usize, ExpressionId> = component
            .iter()
            .map(|&node| (node, self.entries[node]))
            .collect();
        let edge = |inner: &BTreeMap<_, _>, from, to| inner.get(&(from, to)).copied();
        for (place, &node) in component.iter().enumerate() {
            let rounds = edge(&inner, node, node).unwrap_or(zero);
            let rounds = paths.table.star(rounds);
            for &to in &component[place + 1..] {
                let Some(out) = edge(&inner, node, to) else {
                    continue;
                };
                let through = paths.sequence(rounds, out);
                for &from in &component[place + 1..] {
                    if let Some(into) = edge(&inner, from, node) {
                        let way = paths.sequence(into, through);
                        paths.add(inner.entry((from, to)).or_insert(zero), way);
                    }
                }
                let way = paths.sequence(entries[&node], through);
                paths.add(entries.entry(to).or_insert(zero), way);
            }
        }
        for (place, &node) in component.iter().enumerate().rev() {
            let mut all = entries[&node];
            for &from in &component[place + 1..] {
                if let Some(into) = edge(&inner, from, node) {
                    let way = paths.sequence(solution[from], into);
                    paths.add(&mut all, way);
                }
            }
            let rounds = edge(&inner, node, node).unwrap_or(zero);
            let rounds = paths.table.star(rounds);
            solution[node] = paths.sequence(all, rounds);
        }
    }
}

/// The dominator tree as far as it is linked, its paths compressed.
struct Forest {
    /// The node above, and the paths from there; none for a root.
    above: Vec<Option<(usize, ExpressionId)>>,
    one: ExpressionId,
}

impl Forest {
    fn new(len: usize, one: ExpressionId) -> Self {
        Forest {
            above: vec![None; len],
            one,
        }
    }

    fn link(&mut self, node: usize, above: usize, paths: ExpressionId) {
        self.above[node] = Some((above, paths));
    }

    /// The root over a node, and the paths from it to the node.
    fn eval(&mut self, paths: &mut Paths<'_>, node: usize) -> (usize, ExpressionId) {
        let mut way = vec![node];
        let mut at = node;
        while let Some((above, _)) = self.above[at] {
            way.push(above);
            at = above;
        }
        let root = at;
        // From the top: each is hung below the root.
        let mut product = self.one;
        for &node in way.iter().rev().skip(1) {
            if let Some((_, last)) = self.above[node] {
                product = paths.sequence(product, last);
                self.above[node] = Some((root, product));
            }
        }
        (root, product)
    }
}

#[cfg(test)]
mod tests;
