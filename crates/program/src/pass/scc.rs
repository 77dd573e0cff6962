//! Strongly connected components.
//!
//! # Paper
//! [tarjan1972depth], with an explicit stack instead of recursion.

/// The strongly connected components of the graph over `0..len`, restricted to `inside`, each
/// before those from which it can be reached.
pub fn components<S>(
    len: usize,
    inside: impl Fn(usize) -> bool,
    successors: impl Fn(usize) -> S,
) -> Vec<Vec<usize>>
where
    S: Iterator<Item = usize>,
{
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; len];
    let mut low = vec![0; len];
    let mut on_stack = vec![false; len];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut count = 0;
    for root in (0..len).filter(|&node| inside(node)) {
        if order[root] != UNSEEN {
            continue;
        }
        let mut visits = vec![(root, None::<S>)];
        while let Some((node, rest)) = visits.last_mut() {
            let node = *node;
            let rest = rest.get_or_insert_with(|| {
                (order[node], low[node]) = (count, count);
                count += 1;
                stack.push(node);
                on_stack[node] = true;
                successors(node)
            });
            match rest.next() {
                Some(next) if !inside(next) => {}
                Some(next) if order[next] == UNSEEN => visits.push((next, None)),
                Some(next) if on_stack[next] => low[node] = low[node].min(order[next]),
                Some(_) => {}
                None => {
                    visits.pop();
                    if let Some(&(parent, _)) = visits.last() {
                        low[parent] = low[parent].min(low[node]);
                    }
                    if low[node] == order[node] {
                        let start = stack.iter().rposition(|&other| other == node);
                        let members = stack.split_off(start.expect("the root should be there"));
                        members.iter().for_each(|&member| on_stack[member] = false);
                        found.push(members);
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_bottom_up() {
        let edges = [
            (0, 1),
            (1, 2),
            (2, 1),
            (2, 3),
            (3, 4),
            (4, 3),
            (0, 5),
            (5, 5),
        ];
        let next = |node| {
            edges
                .iter()
                .filter(move |edge| edge.0 == node)
                .map(|edge| edge.1)
        };
        let mut found = components(6, |_| true, next);
        found.iter_mut().for_each(|members| members.sort_unstable());
        assert_eq!(found, [vec![3, 4], vec![1, 2], vec![5], vec![0]]);
        assert_eq!(components(6, |node| node != 2, next).len(), 4);
    }
}
