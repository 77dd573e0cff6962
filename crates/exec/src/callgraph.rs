//! Which procedures can be active twice at a time, and which have their address taken.

use base::Id;
use program::expr::Expr;
use program::ir::{AddressBase, Callee, Op, ProcId, Program};

/// What the calls of a program say about its procedures.
pub(crate) struct CallGraph {
    /// By procedure: whether a call in it may lead to itself.
    pub(crate) recursive: Vec<bool>,
    /// By procedure: whether its address appears outside direct calls.
    pub(crate) address_taken: Vec<bool>,
}

/// Reads the calls of a program.
pub(crate) fn call_graph(program: &Program) -> CallGraph {
    let address_taken = address_taken(program);
    let taken: Vec<usize> = (0..program.procs.len())
        .filter(|&proc| address_taken[proc])
        .collect();
    let callees: Vec<Vec<usize>> = program
        .procs
        .iter()
        .map(|procedure| {
            let mut callees = Vec::new();
            for edge in procedure.edges.iter() {
                if let Op::Call(call) = &edge.op {
                    match &call.callee {
                        Callee::Proc(proc) => callees.push(proc.index()),
                        Callee::Pointer(_) => callees.extend(&taken),
                        Callee::Library(_) => {}
                    }
                }
            }
            callees.sort_unstable();
            callees.dedup();
            callees
        })
        .collect();
    CallGraph {
        recursive: on_cycles(&callees),
        address_taken,
    }
}

fn address_taken(program: &Program) -> Vec<bool> {
    let mut taken = vec![false; program.procs.len()];
    let mut take = |proc: ProcId| taken[proc.index()] = true;
    for object in program.objects.iter() {
        for (_, address) in &object.init.addresses {
            if let AddressBase::Proc(proc) = address.base {
                take(proc);
            }
        }
    }
    for procedure in program.procs.iter() {
        for edge in procedure.edges.iter() {
            for expr in edge.op.exprs() {
                expr.visit(&mut |part| {
                    if let Expr::Proc(proc) = part {
                        take(*proc);
                    }
                });
            }
        }
    }
    taken
}

/// The vertices that lie on a cycle: those of a strongly connected component with an edge inside
/// (Tarjan's algorithm, with a stack of its own).
fn on_cycles(next: &[Vec<usize>]) -> Vec<bool> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; next.len()];
    let mut low = vec![0; next.len()];
    let mut open = vec![false; next.len()];
    let mut cyclic = vec![false; next.len()];
    let mut component = Vec::new();
    let mut count = 0;
    for root in 0..next.len() {
        if order[root] != UNSEEN {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some(&mut (vertex, ref mut at)) = stack.last_mut() {
            if *at == 0 {
                order[vertex] = count;
                low[vertex] = count;
                count += 1;
                open[vertex] = true;
                component.push(vertex);
            }
            if let Some(&child) = next[vertex].get(*at) {
                *at += 1;
                if order[child] == UNSEEN {
                    stack.push((child, 0));
                } else if open[child] {
                    low[vertex] = low[vertex].min(order[child]);
                }
                cyclic[vertex] |= child == vertex;
                continue;
            }
            // A vertex without callees is visited once with `at` still 0.
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                low[parent] = low[parent].min(low[vertex]);
            }
            if low[vertex] == order[vertex] {
                let first = component
                    .iter()
                    .rposition(|&other| other == vertex)
                    .expect("an open vertex should be on the component stack");
                let several = component.len() - first > 1;
                for member in component.drain(first..) {
                    open[member] = false;
                    cyclic[member] |= several;
                }
            }
        }
    }
    cyclic
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_cycles() {
        let next = [vec![1, 4], vec![2], vec![1, 3], vec![], vec![4], vec![0]];
        let next: Vec<Vec<usize>> = next.into_iter().collect();
        assert_eq!(on_cycles(&next), [false, true, true, false, true, false]);
    }
}
