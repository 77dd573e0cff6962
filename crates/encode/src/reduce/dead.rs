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

    const LOOP: &str = r#"program ptr 8 entry main
global v0 g: i32 = 0i32
site n0: nondet i32 "input"
site n1: uninitialized i32 "x"
proc p0 main() entry l0 exit l1 {
  local v1 x: i32
  local v2 y: u32
  local v3 n: i32
  l0:
    e0: havoc x n1 -> l2
  l2:
    e1: havoc n n0 -> l3
  l3:
    e2: y := 1u32 -> l4
  l4:
    e3: assume n > 0i32 -> l5
    e4: assume n <= 0i32 -> l8
  l5:
    e5: y := y + 1u32 -> l6
  l6:
    e6: x := n - 1i32 -> l7
  l7:
    e7: n := x -> l4
  l8:
    e8: g := g + 1i32 -> l9
  l9:
    e9: return -> l1
  l1:
}
"#;

    #[test]
    fn removes_only_what_nobody_can_tell() {
        let program = parse(LOOP);
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
        assert_eq!(kept[8], "g := g + 1i32", "the sum may overflow");
        let all = Removal {
            undefined: true,
            inputs: true,
        };
        assert_eq!(ops(all)[8], "skip");
    }
}
