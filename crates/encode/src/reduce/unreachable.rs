//! Removes unreachable code: locations that no path from the entry reaches, and procedures that are
//! neither called nor have their address taken, with their locals.
//!
//! Runs are exactly the same. Sites and inlined calls keep their ids.

use base::{Id, IdVec};
use program::build::Moved;
use program::ir::*;
use program::pass::callgraph::CallGraph;
use program::pass::rename::Rename;
use program::validate::check_invariants;

/// Where everything went; `None` for what is gone.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramMoved {
    /// Old variable to new.
    pub vars: IdVec<VarId, Option<VarId>>,
    /// Old object to new.
    pub objects: IdVec<ObjectId, Option<ObjectId>>,
    /// Old procedure to new.
    pub procs: IdVec<ProcId, Option<ProcId>>,
    /// For each old procedure, where its locations and edges went.
    pub within: IdVec<ProcId, Moved>,
}

/// The program without what cannot be reached, and where the rest went.
pub fn remove_unreachable(program: &Program) -> (Program, ProgramMoved) {
    let mut result = program.clone();
    let within = (result.procs.iter_mut())
        .map(|procedure| procedure.retain(&procedure.reachable()))
        .collect();
    let keep = CallGraph::new(&result).reachable(&result);
    let keeps = |scope: Scope| match scope {
        Scope::Global => true,
        Scope::Local(proc) => keep[proc],
    };
    let moved = ProgramMoved {
        vars: numbered(result.vars.iter().map(|var| keeps(var.scope))),
        objects: numbered(result.objects.iter().map(|object| keeps(object.scope))),
        procs: numbered(keep.iter().copied()),
        within,
    };
    rebuild(&mut result, &moved);
    check_invariants(&result, "removing the unreachable");
    (result, moved)
}

/// New ids for the rows that are kept.
fn numbered<I: Id, J: Id>(keep: impl Iterator<Item = bool>) -> IdVec<I, Option<J>> {
    let mut next = 0;
    let number = |keep: bool| {
        keep.then(|| {
            next += 1;
            J::from_index(next - 1)
        })
    };
    keep.map(number).collect()
}

fn rebuild(program: &mut Program, moved: &ProgramMoved) {
    let kept = "what is used should be kept";
    let rename = Rename {
        var: &|var| moved.vars[var].expect(kept),
        object: &|object| moved.objects[object].expect(kept),
        proc: &|proc| moved.procs[proc].expect(kept),
    };
    let scope = |scope: &mut Scope| {
        if let Scope::Local(proc) = scope {
            *proc = (rename.proc)(*proc);
        }
    };
    program.vars = retained(&program.vars, &moved.vars);
    program
        .vars
        .iter_mut()
        .for_each(|var| scope(&mut var.scope));
    program.objects = retained(&program.objects, &moved.objects);
    for object in program.objects.iter_mut() {
        scope(&mut object.scope);
        for (_, address) in &mut object.init.addresses {
            match &mut address.base {
                AddressBase::Object(object) => *object = (rename.object)(*object),
                AddressBase::Proc(proc) => *proc = (rename.proc)(*proc),
            }
        }
    }
    program.procs = retained(&program.procs, &moved.procs);
    for procedure in program.procs.iter_mut() {
        let locals = procedure.params.iter_mut().chain(&mut procedure.varargs);
        locals.for_each(|var| *var = (rename.var)(*var));
        procedure
            .edges
            .iter_mut()
            .for_each(|edge| rename.op(&mut edge.op));
        let names = procedure.loops.iter_mut().flat_map(|row| &mut row.names);
        for (_, meaning) in names {
            match meaning {
                Meaning::Var(var) => *var = (rename.var)(*var),
                Meaning::Object(object) => *object = (rename.object)(*object),
                Meaning::Other => {}
            }
        }
    }
    program.entry = (rename.proc)(program.entry);
}

fn retained<I: Id, T: Clone>(rows: &IdVec<I, T>, moved: &IdVec<I, Option<I>>) -> IdVec<I, T> {
    let kept = rows
        .iter_enumerated()
        .filter(|(id, _)| moved[*id].is_some());
    kept.map(|(_, row)| row.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::validate::validate;
    use testkit::random;

    #[test]
    fn random_programs_stay_valid_and_nothing_more_goes_the_second_time() {
        let mut gone = 0;
        for seed in 0..200 {
            let program = random::program(seed, 25);
            let (once, moved) = remove_unreachable(&program);
            assert_eq!(validate(&once).first(), None, "seed {seed}");
            let (twice, _) = remove_unreachable(&once);
            assert_eq!(once, twice);
            for procedure in once.procs.iter() {
                let reachable = procedure.reachable();
                let stays = |&at: &LocationId| reachable[at] || at == procedure.exit;
                assert!(procedure.locations.ids().all(|at| stays(&at)));
            }
            // The maps lead to rows that say the same.
            for (old, new) in moved.procs.iter_enumerated() {
                let Some(new) = *new else {
                    gone += 1;
                    continue;
                };
                assert_eq!(program.procs[old].name, once.procs[new].name);
                for (edge, to) in moved.within[old].edges.iter_enumerated() {
                    if let Some(to) = *to {
                        let (before, after) =
                            (&program.procs[old].edges[edge], &once.procs[new].edges[to]);
                        assert_eq!(before.span, after.span);
                    }
                }
            }
        }
        assert!(
            gone > 20,
            "the sample should have procedures that are not called"
        );
    }
}
