//! The checker's own view of a program's graph: who calls whom, what a call may write, where paths
//! are cut.
//!
//! # Invariants
//! - Edges are taken by their source, not through `out`: a list that misses an edge must not make a
//!   proof.
//! - Every cycle has a cut location, and so has every path from a procedure's entry to an error
//!   location.

use base::IdVec;
use program::expr::{Constant, Expr};
use program::ir::*;
use program::pass::callgraph;
use std::collections::{BTreeMap, BTreeSet};

/// The call graph of the reachable part of a program.
pub(super) struct Calls {
    /// The procedures that a run may reach.
    pub(super) reachable: BTreeSet<ProcId>,
    /// Those of them that may be called; the program's entry need not be.
    pub(super) called: BTreeSet<ProcId>,
    /// The globals that a procedure, or one that it calls, may write.
    pub(super) written: BTreeMap<ProcId, BTreeSet<VarId>>,
    by_pointer: BTreeSet<ProcId>,
}

impl Calls {
    pub(super) fn new(program: &Program) -> Calls {
        let mut calls = Calls {
            reachable: BTreeSet::new(),
            called: BTreeSet::new(),
            written: BTreeMap::new(),
            by_pointer: callgraph::address_taken(program),
        };
        let mut open = vec![program.entry];
        while let Some(proc) = open.pop() {
            if calls.reachable.insert(proc) {
                let callees = calls.callees(program, proc);
                calls.called.extend(&callees);
                open.extend(callees);
            }
        }
        calls.find_written(program);
        calls
    }

    /// The possible callees of a call.
    pub(super) fn of_callee(&self, callee: &Callee) -> Vec<ProcId> {
        match callee {
            Callee::Proc(proc) => vec![*proc],
            Callee::Pointer(_) => self.by_pointer.iter().copied().collect(),
            Callee::Library(_) => Vec::new(),
        }
    }

    /// The callees of a procedure.
    pub(super) fn callees(&self, program: &Program, proc: ProcId) -> BTreeSet<ProcId> {
        let edges = program.procs[proc].edges.iter();
        let calls = edges.filter_map(|edge| match &edge.op {
            Op::Call(call) => Some(self.of_callee(&call.callee)),
            _ => None,
        });
        calls.flatten().collect()
    }

    fn find_written(&mut self, program: &Program) {
        let reachable = self.reachable.iter();
        self.written = reachable
            .map(|&proc| (proc, written_by(program, proc)))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &proc in &self.reachable {
                let mut all = self.written[&proc].clone();
                for callee in self.callees(program, proc) {
                    all.extend(&self.written[&callee]);
                }
                changed |= all.len() > self.written[&proc].len();
                self.written.insert(proc, all);
            }
        }
    }
}

/// The globals that a procedure writes itself.
fn written_by(program: &Program, proc: ProcId) -> BTreeSet<VarId> {
    let edges = program.procs[proc].edges.iter();
    let vars = edges.filter_map(|edge| edge.op.written());
    vars.filter(|&var| program.vars[var].scope == Scope::Global)
        .collect()
}

/// One procedure's graph with its cut locations.
pub(super) struct Cuts<'p> {
    procedure: &'p Procedure,
    out: IdVec<LocationId, Vec<EdgeId>>,
    /// Where paths are cut: all of these have labels, if only `true`.
    cut: BTreeSet<LocationId>,
    /// Whether an edge leads back to the procedure's entry.
    pub(super) is_entry_entered: bool,
}

impl<'p> Cuts<'p> {
    /// Cuts at the entry, at the given labels, at error locations, and where cycles are left.
    pub(super) fn new(procedure: &'p Procedure, labelled: &dyn Fn(LocationId) -> bool) -> Self {
        let out = procedure.outgoing();
        let locations = procedure.locations.iter_enumerated();
        let cut = locations
            .filter(|&(id, row)| id == procedure.entry || row.error.is_some() || labelled(id));
        let mut cuts = Cuts {
            procedure,
            out,
            cut: cut.map(|(id, _)| id).collect(),
            is_entry_entered: procedure
                .edges
                .iter()
                .any(|edge| edge.target == procedure.entry),
        };
        cuts.cut_cycles();
        cuts
    }

    /// The cut locations that paths from the entry reach.
    pub(super) fn sources(&self) -> Vec<LocationId> {
        let mut seen = BTreeSet::new();
        let mut open = vec![self.procedure.entry];
        while let Some(at) = open.pop() {
            if seen.insert(at) {
                open.extend(self.next(at));
            }
        }
        seen.into_iter().collect()
    }

    /// The cut locations where paths from a cut location end.
    pub(super) fn next(&self, source: LocationId) -> BTreeSet<LocationId> {
        let passed = self.region(source).into_iter();
        let targets = passed.flat_map(|at| self.targets(at));
        targets.filter(|&target| self.is_cut(target)).collect()
    }

    /// Whether paths end here.
    pub(super) fn is_cut(&self, location: LocationId) -> bool {
        self.cut.contains(&location)
    }

    /// The edges that leave a location.
    pub(super) fn out(&self, location: LocationId) -> &[EdgeId] {
        &self.out[location]
    }

    /// A cut location and the others on paths from it, in topological order.
    pub(super) fn region(&self, source: LocationId) -> Vec<LocationId> {
        if self.procedure.locations[source].error.is_some() {
            return Vec::new();
        }
        let mut order = Vec::new();
        let mut seen = BTreeSet::from([source]);
        let mut open = vec![(source, self.targets(source))];
        while let Some((at, targets)) = open.last_mut() {
            match targets.pop() {
                Some(next) if self.is_cut(next) || !seen.insert(next) => {}
                Some(next) => open.push((next, self.targets(next))),
                None => {
                    order.push(*at);
                    open.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Where the edges of a location lead, except for those after which a run does not continue.
    fn targets(&self, location: LocationId) -> Vec<LocationId> {
        let edges = self.out[location].iter();
        let edges = edges.map(|&edge| &self.procedure.edges[edge]);
        edges
            .filter(|edge| goes_on(&edge.op))
            .map(|edge| edge.target)
            .collect()
    }

    /// Also cuts where an edge leads back on the current path.
    fn cut_cycles(&mut self) {
        let mut done: IdVec<LocationId, bool> = IdVec::filled(false, self.out.len());
        let roots: Vec<LocationId> = self.cut.iter().copied().collect();
        for root in roots {
            let mut path = BTreeSet::from([root]);
            let mut open = vec![(root, self.targets(root))];
            done[root] = true;
            while let Some((at, targets)) = open.last_mut() {
                match targets.pop() {
                    Some(next) if path.contains(&next) => {
                        self.cut.insert(next);
                    }
                    Some(next) if self.cut.contains(&next) || done[next] => {}
                    Some(next) => {
                        done[next] = true;
                        path.insert(next);
                        open.push((next, self.targets(next)));
                    }
                    None => {
                        path.remove(at);
                        open.pop();
                    }
                }
            }
        }
    }
}

/// Whether a run can continue after an op.
pub(super) fn goes_on(op: &Op) -> bool {
    use Op::*;
    match op {
        Assume(Expr::Const(Constant::Bool(false))) | Halt(_) | Unsupported(_) => false,
        Skip | Assign(..) | Assume(_) | Havoc(..) | Call(_) | Return(_) | Enter(_) | Leave(_) => {
            true
        }
    }
}
