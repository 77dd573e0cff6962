//! What the graph alone shows: the locations reachable regardless of values.

use base::IdVec;
use certify::{Proof, Reached};
use program::expr::{Constant, Expr};
use program::ir::{Callee, LocationId, Op, ProcId, Program};

/// The locations that some path of the graph reaches from the program's entry. A call through a
/// pointer may go to any procedure.
pub fn reached(program: &Program) -> Vec<(ProcId, LocationId)> {
    use Op::*;
    let rows = program.procs.iter();
    let seen = rows.map(|procedure| IdVec::filled(false, procedure.locations.len()));
    let mut search = Search {
        seen: seen.collect(),
        frontier: Vec::new(),
    };
    search.visit(program.entry, program.procs[program.entry].entry);
    while let Some((proc, location)) = search.frontier.pop() {
        let procedure = &program.procs[proc];
        for &edge in &procedure.locations[location].out {
            let edge = &procedure.edges[edge];
            match &edge.op {
                Assume(Expr::Const(Constant::Bool(false))) | Halt(_) => continue,
                Call(call) => match &call.callee {
                    Callee::Proc(callee) => search.visit(*callee, program.procs[*callee].entry),
                    Callee::Pointer(_) => {
                        for (callee, procedure) in program.procs.iter_enumerated() {
                            search.visit(callee, procedure.entry);
                        }
                    }
                    Callee::Library(_) => {}
                },
                Skip | Assign(..) | Assume(_) | Havoc(..) | Return(_) | Enter(_) | Leave(_)
                | Unsupported(_) => {}
            }
            search.visit(proc, edge.target);
        }
    }
    let rows = search.seen.iter_enumerated();
    let list = rows.flat_map(|(proc, row)| {
        let seen = row.iter_enumerated().filter(|(_, seen)| **seen);
        seen.map(move |(location, _)| (proc, location))
    });
    list.collect()
}

/// A proof, if no path of the graph reaches an error location or an unsupported op.
pub fn proof(program: &Program) -> Option<Proof> {
    let reached = reached(program);
    let harmless = reached.iter().all(|&(proc, location)| {
        let procedure = &program.procs[proc];
        let location = &procedure.locations[location];
        location.error.is_none()
            && !location
                .out
                .iter()
                .any(|&edge| matches!(procedure.edges[edge].op, Op::Unsupported(_)))
    });
    harmless.then_some(Proof::Reached(Reached { locations: reached }))
}

struct Search {
    seen: IdVec<ProcId, IdVec<LocationId, bool>>,
    frontier: Vec<(ProcId, LocationId)>,
}

impl Search {
    fn visit(&mut self, proc: ProcId, location: LocationId) {
        if !std::mem::replace(&mut self.seen[proc][location], true) {
            self.frontier.push((proc, location));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use base::{Budget, Span};
    use program::ir::{Procedure, Property, Violation};

    /// `main` with an error location after its entry, behind an edge with `op`.
    pub(crate) fn program_with(op: Op) -> Program {
        let mut main = Procedure::new("main", None, Span::NONE);
        let error = main.add_error(Violation {
            property: Property::Assertion,
            message: "assertion failed: 0".to_owned(),
            span: Span::NONE,
        });
        main.add_edge(main.entry, error, op, Span::NONE);
        let mut program = Program::new(8);
        program.procs.push(main);
        program
    }

    pub(crate) fn program_with_error() -> Program {
        program_with(Op::Skip)
    }

    #[test]
    fn proves_only_what_the_graph_shows() {
        let holds = |op: Op| proof(&program_with(op));
        assert!(holds(Op::Skip).is_none());
        assert!(holds(Op::Unsupported("asm".into())).is_none());
        let assume = |value| Op::Assume(Expr::Const(Constant::Bool(value)));
        assert!(holds(assume(true)).is_none());
        let found = holds(assume(false)).expect("nothing leaves the entry");
        let check = |op| found.check(&program_with(op), &Budget::unlimited());
        assert_eq!(check(assume(false)), Ok(()));
        assert!(check(Op::Skip).is_err());
    }
}
