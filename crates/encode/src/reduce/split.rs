//! Makes every loop reducible: a loop that is entered elsewhere than at its head is copied for
//! those entries, up to where they reach the head.
//!
//! The runs are the same. A copy of a location stands for the runs that got there without passing
//! the head; the invariant of a location of the old program is the disjunction over its copies.
//!
//! # Invariants
//! - Locations and edges of the old program keep their ids; some edges lead to copies instead.
//! - After [`align_heads`] each copy of a loop head is a loop head.

use super::phases::{copies, put};
use base::IdVec;
use program::expr::Expr;
use program::ir::*;
use program::pass::loops::{Loop, LoopNest};
use std::collections::BTreeSet;

/// Procedures that would grow by more than this factor are left with what could not be split.
const GROWTH: usize = 8;

/// The program with one procedure split, and what each of its locations is a copy of.
pub fn split_entries(program: &Program, proc: ProcId) -> (Program, IdVec<LocationId, LocationId>) {
    let mut result = program.clone();
    let procedure = &mut result.procs[proc];
    let mut origins: IdVec<LocationId, LocationId> = procedure.locations.ids().collect();
    let most = procedure.locations.len() * GROWTH;
    loop {
        let nest = LoopNest::new(procedure);
        let irreducible = nest.loops.iter().find(|row| row.irreducible);
        match irreducible {
            Some(row) if procedure.locations.len() + row.body.len() <= most => {
                split(procedure, row, &mut origins);
            }
            Some(_) | None => break,
        }
    }
    program::validate::check_invariants(&result, "splitting loops");
    (result, origins)
}

/// Makes every copy of a loop head a loop head: what holds at a location is known only if it is known
/// of each of its copies. One that is none gets a loop that no run goes through; what followed there
/// follows at a new location, which is a copy of none.
pub fn align_heads(program: &mut Program, proc: ProcId, origins: &IdVec<LocationId, LocationId>) {
    let procedure = &mut program.procs[proc];
    let nest = LoopNest::new(procedure);
    let heads: BTreeSet<LocationId> = nest.loops.iter().map(|row| origins[row.head]).collect();
    let reachable = procedure.reachable();
    for (at, origin) in origins.iter_enumerated() {
        if !reachable[at] || !heads.contains(origin) || nest.is_head(at) {
            continue;
        }
        let row = procedure.locations[at].clone();
        let span = row.span;
        procedure.locations[at].out.clear();
        for &edge in &row.out {
            procedure.edges[edge].source = procedure.locations.next_id();
        }
        let rest = procedure.locations.push(row);
        for (target, holds) in [(at, false), (rest, true)] {
            procedure.add_edge(at, target, Op::Assume(Expr::bool(holds)), span);
        }
    }
    program::validate::check_invariants(program, "aligning loop heads");
}

/// Copies a loop except for its head, for all entries that are not the head.
fn split(procedure: &mut Procedure, row: &Loop, origins: &mut IdVec<LocationId, LocationId>) {
    let inside = row.body.iter().filter(|&&at| at != row.head);
    let incoming = procedure.incoming();
    let copies = copies(procedure, inside, origins);
    for (&at, &copy) in &copies {
        for edge in procedure.locations[at].out.clone() {
            let edge = procedure.edges[edge].clone();
            put(procedure, &edge, copy, copies.get(&edge.target).copied());
        }
    }
    for (&at, &copy) in &copies {
        for &edge in &incoming[at] {
            if !row.body.contains(&procedure.edges[edge].source) {
                procedure.edges[edge].target = copy;
            }
        }
        if procedure.entry == at {
            procedure.entry = copy;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Rng;
    use program::testing::parse_main;

    #[test]
    fn a_loop_with_two_entries_gets_one() {
        let program = parse_main("x: i32", TWO_ENTRIES);
        let nest = LoopNest::new(&program.procs[program.entry]);
        assert!(nest.loops.iter().any(|row| row.irreducible));
        let (split, origins) = split_entries(&program, program.entry);
        let procedure = &split.procs[split.entry];
        let nest = LoopNest::new(procedure);
        assert!(nest.loops.iter().all(|row| !row.irreducible));
        assert_eq!(origins.len(), procedure.locations.len());
        // Each copy has the edges of what it is a copy of.
        for (at, &origin) in origins.iter_enumerated() {
            let ops = |procedure: &Procedure, at: LocationId| -> Vec<Op> {
                let out = procedure.locations[at].out.iter();
                out.map(|&edge| procedure.edges[edge].op.clone()).collect()
            };
            let old = &program.procs[program.entry];
            assert_eq!(ops(procedure, at), ops(old, origin));
        }
    }

    /// Six locations, each with two edges to random ones; the last also ends.
    fn random_jumps(rng: &mut Rng) -> Program {
        let mut text = String::new();
        for (place, at) in [0, 2, 3, 4, 5, 6].into_iter().enumerate() {
            let [yes, no] = [(); 2].map(|()| 2 + rng.below(6));
            let [first, second] = [2 * place, 2 * place + 1];
            text += &format!("l{at}:\n e{first}: assume x < {at}i32 -> l{yes}\n");
            text += &format!(" e{second}: assume x >= {at}i32 -> l{no}\n");
        }
        parse_main("x: i32", &(text + "l7:\n e12: return -> l1"))
    }

    #[test]
    fn copies_of_heads_are_heads() {
        let mut rng = Rng::new(1);
        let mut aligned = 0;
        for _ in 0..300 {
            let program = random_jumps(&mut rng);
            let (mut split, origins) = split_entries(&program, program.entry);
            let strays = |program: &Program| -> usize {
                let procedure = &program.procs[program.entry];
                let (nest, reachable) = (LoopNest::new(procedure), procedure.reachable());
                assert!(nest.loops.iter().all(|row| !row.irreducible));
                let heads = nest.loops.iter().map(|row| origins[row.head]);
                let heads: BTreeSet<LocationId> = heads.collect();
                let copies = origins.iter_enumerated();
                let copies = copies.filter(|&(at, origin)| reachable[at] && heads.contains(origin));
                copies.filter(|&(at, _)| !nest.is_head(at)).count()
            };
            aligned += strays(&split);
            let entry = split.entry;
            align_heads(&mut split, entry, &origins);
            assert_eq!(strays(&split), 0);
        }
        assert!(aligned > 10, "{aligned}");
    }

    const TWO_ENTRIES: &str = r#"
  l0:
    e0: assume x < 10i32 -> l2
    e1: assume x >= 10i32 -> l3
  l2:
    e2: x := x + 1i32 -> l3
  l3:
    e3: assume x < 20i32 -> l2
    e4: assume x >= 20i32 -> l4
  l4:
    e5: return -> l1"#;
}
