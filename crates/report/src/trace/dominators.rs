//! The immediate dominators of a graph.
//!
//! # Paper
//! [cooper2006simple]: immediate dominators are refined in reverse postorder until nothing changes,
//! which takes two passes if the graph is reducible.

use program::pass::loops::reverse_postorder_of;

/// For each node of the graph over `0..len` its immediate dominator; none for the source and for
/// what it does not reach.
pub(super) fn immediate_dominators(
    len: usize,
    edges: impl Iterator<Item = (usize, usize)>,
    source: usize,
) -> Vec<Option<usize>> {
    let mut successors = vec![Vec::new(); len];
    let mut predecessors = vec![Vec::new(); len];
    for (from, to) in edges {
        successors[from].push(to);
        predecessors[to].push(from);
    }
    let successor = |node: usize, place: usize| successors[node].get(place).copied();
    let order = reverse_postorder_of(len, source, &successor);
    let mut place = vec![None; len];
    for (index, &node) in order.iter().enumerate() {
        place[node] = Some(index);
    }
    // By places in the order; the source dominates itself here.
    let mut above: Vec<Option<usize>> = vec![None; order.len()];
    above[0] = Some(0);
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for index in 1..order.len() {
            let known = predecessors[order[index]].iter();
            let known = known.filter_map(|&node| place[node]);
            let best = known
                .filter(|&before| above[before].is_some())
                .reduce(|a, b| meet(&above, a, b));
            is_changed |= best != above[index];
            above[index] = best;
        }
    }
    let mut dominators = vec![None; len];
    for index in 1..order.len() {
        dominators[order[index]] = above[index].map(|place| order[place]);
    }
    dominators
}

/// The nearest common dominator.
fn meet(above: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    let up = |node: usize| above[node].expect("a node that was met should have a dominator");
    while a != b {
        if a > b {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Rng;

    /// Whether the source reaches a node without passing another.
    fn reaches_without(edges: &[(usize, usize)], source: usize, to: usize, not: usize) -> bool {
        let mut seen = vec![source];
        let mut index = 0;
        while index < seen.len() {
            for &(from, next) in edges {
                if from == seen[index] && next != not && !seen.contains(&next) {
                    seen.push(next);
                }
            }
            index += 1;
        }
        source != not && seen.contains(&to)
    }

    #[test]
    fn dominators_are_on_every_path() {
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let len = 2 + rng.below(8);
            let edges: Vec<(usize, usize)> = (0..rng.below(3 * len))
                .map(|_| (rng.below(len), rng.below(len)))
                .collect();
            let found = immediate_dominators(len, edges.iter().copied(), 0);
            let dominates = |a: usize, b: usize| a != b && !reaches_without(&edges, 0, b, a);
            for (node, &nearest) in found.iter().enumerate() {
                let is_reached = reaches_without(&edges, 0, node, usize::MAX);
                assert_eq!(nearest.is_some(), is_reached && node != 0);
                let Some(nearest) = nearest else {
                    continue;
                };
                assert!(dominates(nearest, node), "seed {seed}");
                // Every other dominator of the node is one of the nearest.
                let mut others = (0..len).filter(|&other| other != nearest);
                assert!(others.all(|other| !dominates(other, node) || dominates(other, nearest)));
            }
        }
    }
}
