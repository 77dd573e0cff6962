//! Splits loops into two phases where they reach a distinguished cell: before it was hit, and
//! after.
//!
//! A loop over an array usually hits the cell at a fixed index ([`program::pass::cells`]) in one
//! iteration. The iterations before that one, that one, and those after it satisfy different
//! invariants. So an innermost loop in which steps test whether an index is the cell's gets two
//! copies: a positive test leads to the first, which is the rest of that iteration, and from there
//! to the head of the second.
//!
//! The runs are the same; a copy of a location has the edges of that location, so the invariant of
//! a location is the disjunction over its copies.
//!
//! # Invariants
//! - Locations and edges of the old program keep their ids; some edges lead to copies instead.
//! - A program without distinguished cells stays as it is.

use base::IdVec;
use program::expr::{BinaryOp, Expr};
use program::ir::*;
use program::pass::loops::{Loop, LoopNest};
use std::collections::{BTreeMap, BTreeSet};

/// A procedure does not grow by more than this factor.
const GROWTH: usize = 8;

/// The program with loops of one procedure cut, and what each of its locations is a copy of.
pub fn split_phases(program: &Program, proc: ProcId) -> (Program, IdVec<LocationId, LocationId>) {
    let mut result = program.clone();
    let procedure = &mut result.procs[proc];
    let mut origins: IdVec<LocationId, LocationId> = procedure.locations.ids().collect();
    let most = procedure.locations.len() * GROWTH;
    for index in indices(program, proc) {
        let nest = LoopNest::new(procedure);
        let parents: BTreeSet<_> = nest.loops.iter().filter_map(|row| row.parent).collect();
        for (id, row) in nest.loops.iter_enumerated() {
            let is_innermost = !parents.contains(&id) && !row.irreducible;
            if is_innermost && procedure.locations.len() + row.body.len() <= most {
                split(procedure, row, index, &mut origins);
            }
        }
    }
    program::validate::check_invariants(&result, "cutting loops in phases");
    (result, origins)
}

/// The variables that are indices of distinguished cells.
fn indices(program: &Program, proc: ProcId) -> Vec<VarId> {
    let edges = program.procs[proc].edges.iter();
    let index = |edge: &Edge| match edge.op {
        Op::Havoc(Place::Var(var), site) if program.sites[site].kind == SiteKind::Cell => Some(var),
        _ => None,
    };
    edges.filter_map(index).collect()
}

/// Whether an op says that something is the index of a cell.
fn is_hit(op: &Op, index: VarId) -> bool {
    match op {
        Op::Assume(condition @ Expr::Binary(BinaryOp::Eq, ..)) => condition.vars().contains(&index),
        _ => false,
    }
}

/// Copies a loop for what comes after a hit.
fn split(
    procedure: &mut Procedure,
    row: &Loop,
    index: VarId,
    origins: &mut IdVec<LocationId, LocationId>,
) {
    let edges = row.body.iter().flat_map(|&at| &procedure.locations[at].out);
    let edges: Vec<EdgeId> = edges.copied().collect();
    if !edges
        .iter()
        .any(|&edge| is_hit(&procedure.edges[edge].op, index))
    {
        return;
    }
    let rest = copies(
        procedure,
        row.body.iter().filter(|&&at| at != row.head),
        origins,
    );
    let later = copies(procedure, row.body.iter(), origins);
    let then = |at: LocationId| rest.get(&at).or_else(|| later.get(&at)).copied();
    for id in edges {
        let edge = procedure.edges[id].clone();
        if let Some(&source) = rest.get(&edge.source) {
            put(procedure, &edge, source, then(edge.target));
        }
        put(
            procedure,
            &edge,
            later[&edge.source],
            later.get(&edge.target).copied(),
        );
        if is_hit(&edge.op, index)
            && let Some(target) = then(edge.target)
        {
            procedure.edges[id].target = target;
        }
    }
}

/// Copies of locations, without edges.
pub(super) fn copies<'l>(
    procedure: &mut Procedure,
    locations: impl Iterator<Item = &'l LocationId>,
    origins: &mut IdVec<LocationId, LocationId>,
) -> BTreeMap<LocationId, LocationId> {
    let mut copies = BTreeMap::new();
    for &at in locations {
        let row = Location {
            out: Vec::new(),
            ..procedure.locations[at].clone()
        };
        copies.insert(at, procedure.locations.push(row));
        origins.push(origins[at]);
    }
    copies
}

/// A copy of an edge, with another source and perhaps another target.
pub(super) fn put(
    procedure: &mut Procedure,
    edge: &Edge,
    source: LocationId,
    target: Option<LocationId>,
) {
    let copy = procedure.edges.push(Edge {
        source,
        target: target.unwrap_or(edge.target),
        ..edge.clone()
    });
    procedure.locations[source].out.push(copy);
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::testing::parse;

    const FILLED: &str = r#"program ptr 8 entry main
site n0: cell i64 "k"
proc p0 main() entry l0 exit l1 {
  local v0 i: i64
  local v1 k: i64
  local v2 c: i32
  l0:
    e0: havoc k n0 -> l2
  l2:
    e1: i := 0i64 -> l3
  l3:
    e2: assume i < 9i64 -> l4
    e3: assume i >= 9i64 -> l7
  l4:
    e4: assume i == k -> l5
    e5: assume i != k -> l6
  l5:
    e6: c := 1i32 -> l6
  l6:
    e7: i := i + 1i64 -> l3
  l7:
    e8: return -> l1
  l1:
}
"#;

    #[test]
    fn a_loop_that_hits_a_cell_becomes_two() {
        let program = parse(FILLED);
        let old = &program.procs[program.entry];
        let (split, origins) = split_phases(&program, program.entry);
        let procedure = &split.procs[split.entry];
        let nest = LoopNest::new(procedure);
        let heads: Vec<LocationId> = nest.loops.iter().map(|row| row.head).collect();
        assert_eq!(heads.len(), 2);
        assert_eq!(origins[heads[0]], origins[heads[1]]);
        assert!(nest.loops.iter().all(|row| !row.irreducible));
        for (at, &origin) in origins.iter_enumerated() {
            let ops = |procedure: &Procedure, at: LocationId| -> Vec<Op> {
                let out = procedure.locations[at].out.iter();
                out.map(|&edge| procedure.edges[edge].op.clone()).collect()
            };
            assert_eq!(ops(procedure, at), ops(old, origin));
            let targets = procedure.successors(at).map(|at| origins[at]);
            assert!(targets.eq(old.successors(origin)));
        }
    }

    #[test]
    fn a_program_without_cells_stays() {
        let program = parse(&FILLED.replace(": cell", ": nondet"));
        assert_eq!(split_phases(&program, program.entry).0, program);
    }
}
