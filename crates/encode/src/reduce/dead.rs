//! Removal of writes to dead variables.
//!
//! What an assignment reads is live here only if what it writes is (the other variables are
//! *faint*), so that one pass removes whole chains and loops of them.
//!
//! # Invariants
//! - [`remove_dead`] preserves the runs, with the same inputs, unless its [`Removal`] allows more.
//!   Dead variables may have other values.

use crate::on_variables::OnVariables;
use program::ir::*;
use program::pass::VarSet;
use program::pass::liveness::Liveness;
use program::validate::check_invariants;

/// What may be removed besides what no run can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Removal {
    /// Also evaluations that could be undefined: only where undefined behaviour is not what is
    /// looked for. A run that it would have stopped continues.
    pub undefined: bool,
    /// Also inputs (all but uninitialised locals): the trace then lacks values that the source
    /// asks for.
    pub inputs: bool,
}

/// The program with every assignment and havoc that no run needs made a `Skip`: of variables that
/// are dead, or that only feed others of that kind. Ids stay.
pub fn remove_dead(program: &Program, removal: Removal) -> Program {
    let liveness = Liveness::skipping(program, &|op, after| is_dead(program, op, after, removal));
    let mut result = program.clone();
    for (proc, procedure) in program.procs.iter_enumerated() {
        for (id, edge) in procedure.edges.iter_enumerated() {
            let live = liveness.live_at(proc, edge.target);
            if is_dead(program, &edge.op, live, removal) {
                result.procs[proc].edges[id].op = Op::Skip;
            }
        }
    }
    check_invariants(&result, "removing dead assignments");
    result
}

fn is_dead(program: &Program, op: &Op, live: &VarSet, removal: Removal) -> bool {
    match OnVariables::of(op) {
        Some(OnVariables::Assign(var, value)) => {
            !live.contains(var) && (removal.undefined || !value.may_be_undefined_in(program))
        }
        Some(OnVariables::Havoc(var, site)) => {
            let kind = program.sites[site].kind;
            !live.contains(var) && (removal.inputs || kind == SiteKind::Uninitialized)
        }
        Some(OnVariables::Skip | OnVariables::Assume(_)) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::testing::parse;
    use program::text::Printer;

    #[test]
    fn removes_only_what_nobody_can_tell() {
        let program = parse(testkit::texts::DEAD_AND_LIVE);
        let ops = |removal| {
            let result = remove_dead(&program, removal);
            let printer = Printer::new(&result);
            let edges = result.procs[result.entry].edges.iter();
            edges.map(|edge| printer.op(&edge.op)).collect::<Vec<_>>()
        };
        let kept = ops(Removal::default());
        assert_eq!(kept[0], "skip");
        assert_eq!(kept[1], "havoc n n0");
        // `y` only feeds itself.
        assert_eq!(kept[2], "skip");
        assert_eq!(kept[5], "skip");
        assert_eq!(kept[9], "g := g + 1i32", "the sum may overflow");
        let all = Removal {
            undefined: true,
            inputs: true,
        };
        assert_eq!(ops(all)[9], "skip");
    }
}
