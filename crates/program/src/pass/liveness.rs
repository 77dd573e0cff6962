//! Live variables, and removal of declarations of dead ones.
//!
//! A variable is live at a location if some path from there reads it before it is written. The
//! classic backward data-flow analysis, one set per location. A call reads the globals that its
//! callee, directly or indirectly, reads; what it certainly writes is not killed. At the exit every
//! global is live, except in the entry procedure when it is not called: a run ends there.
//!
//! # Invariants
//! - [`drop_dead_declarations`] preserves the runs, and all inputs except those of the
//!   declarations.

use super::VarSet;
use super::callgraph::CallGraph;
use super::loops::{positions, reverse_postorder};
use crate::ir::*;
use crate::validate::check_invariants;
use base::IdVec;
use std::collections::BTreeSet;

/// A local that is declared first and set later takes no input at its declaration: no run depends
/// on which. Keeps the runs, and all inputs but those.
pub fn drop_dead_declarations(program: &mut Program) {
    let liveness = Liveness::new(program);
    for (proc, procedure) in program.procs.iter_enumerated_mut() {
        for edge in procedure.edges.iter_mut() {
            if let Op::Havoc(Place::Var(var), site) = edge.op
                && program.sites[site].kind == SiteKind::Uninitialized
                && !liveness.live_at(proc, edge.target).contains(var)
            {
                edge.op = Op::Skip;
            }
        }
    }
    check_invariants(program, "dropping dead declarations");
}

/// The live variables of a program.
#[derive(Clone, Debug)]
pub struct Liveness {
    live: IdVec<ProcId, IdVec<LocationId, VarSet>>,
}

impl Liveness {
    /// The live variables at every location.
    pub fn new(program: &Program) -> Self {
        Liveness::skipping(program, &|_, _| false)
    }

    /// The same if some ops are not there: `skip` says which, given what is live after one. What
    /// only feeds those is not live either.
    pub fn skipping(program: &Program, skip: &dyn Fn(&Op, &VarSet) -> bool) -> Self {
        Liveness::of(program, skip, &|_| Vec::new())
    }

    /// The same if some locals of a procedure are read after its exit.
    pub fn keeping(program: &Program, kept: &dyn Fn(ProcId) -> Vec<VarId>) -> Self {
        Liveness::of(program, &|_, _| false, kept)
    }

    fn of(
        program: &Program,
        skip: &dyn Fn(&Op, &VarSet) -> bool,
        kept: &dyn Fn(ProcId) -> Vec<VarId>,
    ) -> Self {
        let graph = CallGraph::new(program);
        let reads = global_reads(program, &graph);
        let mut globals = VarSet::default();
        let is_global = |&id: &VarId| program.vars[id].scope == Scope::Global;
        globals.extend(program.vars.ids().filter(is_global));
        let live = program.procs.iter_enumerated().map(|(proc, procedure)| {
            let ends = proc == program.entry && graph.callers[proc].is_empty();
            let mut at_exit = if ends {
                VarSet::default()
            } else {
                globals.clone()
            };
            at_exit.extend(kept(proc));
            let flow = Flow {
                graph: &graph,
                reads: &reads,
                skip,
            };
            flow.analyse(procedure, at_exit)
        });
        Liveness {
            live: live.collect(),
        }
    }

    /// The variables live at a location.
    pub fn live_at(&self, proc: ProcId, location: LocationId) -> &VarSet {
        &self.live[proc][location]
    }
}

/// The globals that each procedure, or whom it calls, reads.
fn global_reads(program: &Program, graph: &CallGraph) -> IdVec<ProcId, VarSet> {
    let mut reads = IdVec::filled(VarSet::default(), program.procs.len());
    for (proc, _, edge) in program.edges() {
        let globals = edge.op.read().into_iter();
        reads[proc].extend(globals.filter(|&var| program.vars[var].scope == Scope::Global));
    }
    let mut changed = true;
    while changed {
        changed = false;
        for proc in graph.order() {
            for &callee in &graph.callees[proc] {
                let more = reads[callee].clone();
                changed |= reads[proc].union(&more);
            }
        }
    }
    reads
}

/// The data flow of one program.
struct Flow<'f> {
    graph: &'f CallGraph,
    reads: &'f IdVec<ProcId, VarSet>,
    skip: &'f dyn Fn(&Op, &VarSet) -> bool,
}

impl Flow<'_> {
    fn analyse(&self, procedure: &Procedure, at_exit: VarSet) -> IdVec<LocationId, VarSet> {
        let empty = VarSet::default();
        let mut live = IdVec::filled(empty.clone(), procedure.locations.len());
        live[procedure.exit] = at_exit;
        let incoming = procedure.incoming();
        // Ends first; what is not reachable has the greatest positions.
        let mut order = reverse_postorder(procedure);
        order.reverse();
        let position = positions(procedure, &order);
        let mut open: BTreeSet<(usize, LocationId)> = procedure
            .locations
            .ids()
            .map(|at| (position[at], at))
            .collect();
        while let Some((_, location)) = open.pop_first() {
            let mut here = empty.clone();
            for &id in &procedure.locations[location].out {
                let edge = &procedure.edges[id];
                here.union(&self.before(&edge.op, &live[edge.target]));
            }
            if live[location].union(&here) {
                let sources = incoming[location]
                    .iter()
                    .map(|&edge| procedure.edges[edge].source);
                open.extend(sources.map(|at| (position[at], at)));
            }
        }
        live
    }

    /// What is live before an op, given what is live after.
    fn before(&self, op: &Op, after: &VarSet) -> VarSet {
        use Op::*;
        if (self.skip)(op, after) {
            return after.clone();
        }
        let mut live = match op {
            // The run ends.
            Halt(_) => VarSet::default(),
            Skip | Assign(..) | Assume(_) | Havoc(..) | Call(_) | Return(_) | Enter(_)
            | Leave(_) | Unsupported(_) => after.clone(),
        };
        if let Some(var) = op.written() {
            live.remove(var);
        }
        if let Call(call) = op {
            match &call.callee {
                Callee::Proc(callee) => {
                    live.union(&self.reads[*callee]);
                }
                Callee::Pointer(_) => {
                    for &callee in &self.graph.address_taken {
                        live.union(&self.reads[callee]);
                    }
                }
                Callee::Library(_) => {}
            }
        }
        live.extend(op.read());
        live
    }
}

#[cfg(test)]
mod tests;
