//! The call graph.
//!
//! A call through a pointer may reach every procedure whose address is taken.
//!
//! # Invariants
//! - `order` lists callees before callers, except for recursion.

use super::scc;
use crate::expr::Expr;
use crate::ir::*;
use base::{Id, IdVec};
use std::collections::BTreeSet;

/// The call graph of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct CallGraph {
    /// Whom each procedure may call.
    pub callees: IdVec<ProcId, BTreeSet<ProcId>>,
    /// By whom each procedure may be called.
    pub callers: IdVec<ProcId, BTreeSet<ProcId>>,
    /// The procedures whose address is taken.
    pub address_taken: BTreeSet<ProcId>,
    /// The strongly connected components, callees first.
    pub components: Vec<Vec<ProcId>>,
    /// Whether a procedure may, at some depth, call itself.
    pub recursive: IdVec<ProcId, bool>,
}

impl CallGraph {
    /// The call graph of a program.
    pub fn new(program: &Program) -> Self {
        let address_taken = address_taken(program);
        let mut callees: IdVec<ProcId, _> = IdVec::filled(BTreeSet::new(), program.procs.len());
        let mut callers = callees.clone();
        for (caller, _, edge) in program.edges() {
            let Op::Call(call) = &edge.op else {
                continue;
            };
            match &call.callee {
                Callee::Proc(callee) => drop(callees[caller].insert(*callee)),
                Callee::Pointer(_) => callees[caller].extend(&address_taken),
                Callee::Library(_) => {}
            }
        }
        for (caller, callees) in callees.iter_enumerated() {
            for &callee in callees {
                callers[callee].insert(caller);
            }
        }
        let next = |node| {
            callees[ProcId::from_index(node)]
                .iter()
                .map(|id| id.index())
        };
        let found = scc::components(program.procs.len(), |_| true, next);
        let name = |nodes: Vec<usize>| nodes.into_iter().map(ProcId::from_index).collect();
        let components: Vec<Vec<ProcId>> = found.into_iter().map(name).collect();
        let mut recursive = IdVec::filled(false, program.procs.len());
        for component in &components {
            for &proc in component {
                recursive[proc] = component.len() > 1 || callees[proc].contains(&proc);
            }
        }
        CallGraph {
            callees,
            callers,
            address_taken,
            components,
            recursive,
        }
    }

    /// All procedures, callees before callers except for recursion.
    pub fn order(&self) -> impl Iterator<Item = ProcId> {
        self.components.iter().flatten().copied()
    }

    /// The procedures that a run may get to, and those whose address such a one or a global
    /// object holds.
    pub fn reachable(&self, program: &Program) -> IdVec<ProcId, bool> {
        let mut seen = IdVec::filled(false, program.procs.len());
        let mut open = vec![program.entry];
        open.extend(in_objects(program));
        while let Some(proc) = open.pop() {
            if std::mem::replace(&mut seen[proc], true) {
                continue;
            }
            open.extend(&self.callees[proc]);
            for edge in program.procs[proc].edges.iter() {
                in_op(&edge.op, &mut |taken| open.push(taken));
            }
        }
        seen
    }
}

/// The procedures whose address stands anywhere.
pub fn address_taken(program: &Program) -> BTreeSet<ProcId> {
    let mut taken: BTreeSet<ProcId> = in_objects(program).collect();
    for (_, _, edge) in program.edges() {
        in_op(&edge.op, &mut |proc| {
            taken.insert(proc);
        });
    }
    taken
}

fn in_objects(program: &Program) -> impl Iterator<Item = ProcId> {
    let addresses = program
        .objects
        .iter()
        .flat_map(|object| &object.init.addresses);
    addresses.filter_map(|(_, address)| match address.base {
        AddressBase::Proc(proc) => Some(proc),
        AddressBase::Object(_) => None,
    })
}

fn in_op(op: &Op, see: &mut dyn FnMut(ProcId)) {
    for expr in op.exprs() {
        expr.visit(&mut |part| {
            if let Expr::Proc(proc) = part {
                see(*proc);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_recursion_also_through_pointers() {
        let procedures: [(&str, &[&str]); 5] = [
            ("main", &["a", "*(&d)"]),
            ("a", &["b"]),
            ("b", &["a"]),
            ("c", &[]),
            ("d", &[]),
        ];
        let mut text = "program ptr 8 entry main\n".to_owned();
        for (id, (name, calls)) in procedures.into_iter().enumerate() {
            let (last, exit) = (calls.len(), calls.len() + 1);
            text += &format!("proc p{id} {name}() entry l0 exit l{exit} {{\n");
            for (at, callee) in calls.iter().enumerate() {
                text += &format!("l{at}:\ne{at}: call {callee}() -> l{}\n", at + 1);
            }
            text += &format!("l{last}:\ne{last}: return -> l{exit}\nl{exit}:\n}}\n");
        }
        let program = crate::testing::parse(&text);
        let graph = CallGraph::new(&program);
        let recursive: Vec<bool> = graph.recursive.iter().copied().collect();
        assert_eq!(recursive, [false, true, true, false, false]);
        let reachable: Vec<bool> = graph.reachable(&program).iter().copied().collect();
        assert_eq!(reachable, [true, true, true, false, true]);
        let order: Vec<ProcId> = graph.order().collect();
        let place = |id| order.iter().position(|&at| at == ProcId::from_index(id));
        assert!(place(1) < place(0) && place(4) < place(0));
        assert_eq!(order.len(), 5);
    }
}
