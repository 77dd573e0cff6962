//! The locations from which an error location is still reachable, across calls and returns.
//!
//! An unmodelled construct counts as an error here.

use base::IdVec;
use program::ir::*;
use program::pass::callgraph::CallGraph;

/// Which locations an error can still be reached from.
pub struct Reaching {
    /// For each procedure and location.
    pub locations: IdVec<ProcId, IdVec<LocationId, bool>>,
}

impl Reaching {
    /// Finds them, backwards from the error locations, over calls and returns.
    pub fn new(program: &Program) -> Self {
        let rows = program.procs.iter();
        let mut reaching = Reaching {
            locations: rows
                .map(|row| IdVec::filled(false, row.locations.len()))
                .collect(),
        };
        let graph = CallGraph::new(program);
        let mut changed = true;
        while changed {
            changed = false;
            for proc in graph.order() {
                changed |= reaching.procedure(program, proc, &graph);
            }
        }
        reaching
    }

    /// One round over a procedure; whether it found more.
    fn procedure(&mut self, program: &Program, proc: ProcId, graph: &CallGraph) -> bool {
        let procedure = &program.procs[proc];
        let incoming = procedure.incoming();
        let mut open: Vec<LocationId> = (procedure.locations.iter_enumerated())
            .filter(|(at, row)| {
                row.error.is_some()
                    || self.locations[proc][*at]
                    || (row.out.iter()).any(|&edge| self.may_fail(program, graph, proc, edge))
            })
            .map(|(at, _)| at)
            .collect();
        let mut changed = false;
        let mut seen = IdVec::filled(false, procedure.locations.len());
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            changed |= !std::mem::replace(&mut self.locations[proc][at], true);
            open.extend(
                incoming[at]
                    .iter()
                    .map(|&edge| procedure.edges[edge].source),
            );
        }
        // A run that continues after a call makes the callee's exit count.
        for edge in procedure.edges.iter() {
            if let Op::Call(call) = &edge.op
                && self.locations[proc][edge.target]
            {
                for callee in callees(graph, call) {
                    let exit = program.procs[callee].exit;
                    changed |= !std::mem::replace(&mut self.locations[callee][exit], true);
                }
            }
        }
        changed
    }

    /// Whether an edge calls a procedure that may reach an error from its entry, or does what we
    /// do not model.
    fn may_fail(&self, program: &Program, graph: &CallGraph, proc: ProcId, edge: EdgeId) -> bool {
        use Op::*;
        let reaches = |callee: ProcId| self.locations[callee][program.procs[callee].entry];
        match &program.procs[proc].edges[edge].op {
            Call(call) => callees(graph, call).into_iter().any(reaches),
            Unsupported(_) => true,
            Skip | Assign(..) | Assume(_) | Havoc(..) | Return(_) | Halt(_) | Enter(_)
            | Leave(_) => false,
        }
    }
}

fn callees(graph: &CallGraph, call: &Call) -> Vec<ProcId> {
    match &call.callee {
        Callee::Proc(callee) => vec![*callee],
        Callee::Pointer(_) => graph.address_taken.iter().copied().collect(),
        Callee::Library(_) => Vec::new(),
    }
}
