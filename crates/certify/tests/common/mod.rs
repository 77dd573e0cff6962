//! Programs and proofs written by hand, and the states that runs come to.

#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod explore;

use base::{Budget, Id};
use certify::{Ghost, Inductive};
use exec::inputs::RandomInputs;
use exec::{End, Limits, Machine};
use logic::{Sort, TermStore};
use program::expr::Type;
use program::ir::{EdgeId, LocationId, ProcId, Program};
pub(crate) use program::testing::parse as program;

/// How many of some runs with random inputs no proof may contradict: those that reach an error
/// or to what is not modelled.
pub(crate) fn failing_runs(program: &Program, runs: u64) -> usize {
    let limits = Limits {
        steps: 10_000,
        memory: 1 << 20,
        depth: 50,
    };
    let machine = Machine::new(program);
    let fails = |&seed: &u64| {
        let mut inputs = RandomInputs::new(seed);
        let end = machine.run(&mut inputs, &limits, &Budget::unlimited()).end;
        matches!(end, End::Violated(..) | End::Unsupported(_))
    };
    (0..runs).filter(fails).count()
}

/// A ghost: its name, its initial value, and its updates by edge.
pub(crate) type Kept<'t> = (&'t str, &'t str, &'t [(usize, &'t str)]);

/// A proof without labels, of a program whose variables' names are unique.
pub(crate) fn empty(program: &Program) -> Inductive {
    let mut store = TermStore::new();
    let vars = (program.vars.iter())
        .map(|var| {
            let sort = match var.ty {
                Type::Bool => Sort::Bool,
                Type::Int(_) | Type::Float(_) | Type::Ptr => Sort::Int,
            };
            store.new_symbol(&var.name, sort)
        })
        .collect();
    Inductive {
        inlined: None,
        store,
        vars,
        ghosts: Vec::new(),
        labels: Default::default(),
        results: Default::default(),
    }
}

/// A proof with labels at locations of `main` and integer ghosts of `main`, in SMT-LIB.
pub(crate) fn proof(program: &Program, labels: &[(usize, &str)], ghosts: &[Kept<'_>]) -> Inductive {
    let main: Vec<_> = labels.iter().map(|&(at, label)| (0, at, label)).collect();
    let ghosts: Vec<_> = ghosts.iter().map(|&ghost| (0, ghost)).collect();
    proof_of(program, &main, &ghosts)
}

/// A proof with labels and ghosts of any procedure.
pub(crate) fn proof_of(
    program: &Program,
    labels: &[(usize, usize, &str)],
    ghosts: &[(usize, Kept<'_>)],
) -> Inductive {
    let mut proof = empty(program);
    let symbols: Vec<_> = (ghosts.iter())
        .map(|(_, (name, ..))| proof.store.new_symbol(name, Sort::Int))
        .collect();
    let mut read = |text: &str| {
        logic::read::term(&mut proof.store, text).unwrap_or_else(|why| panic!("{text}: {why:?}"))
    };
    for (&(proc, (name, initial, updates)), symbol) in ghosts.iter().zip(symbols) {
        let updates = updates.iter();
        let updates = updates.map(|&(edge, update)| (EdgeId::from_index(edge), read(update)));
        let updates = updates.collect();
        proof.ghosts.push(Ghost {
            name: name.to_owned(),
            symbol,
            proc: ProcId::from_index(proc),
            initial: read(initial),
            updates,
        });
    }
    for &(proc, at, label) in labels {
        let place = (ProcId::from_index(proc), LocationId::from_index(at));
        proof.labels.insert(place, read(label));
    }
    proof
}

/// A program of `main` alone: its locals, its sites and its body.
pub(crate) fn main_of(locals: &str, body: &str) -> Program {
    program(&format!(
        r#"program ptr 8 entry main
        site n0: nondet i32 "int"
        site n1: nondet u32 "uint"
        site n2: nondet bool "bool"
        proc p0 main() entry l0 exit l1 {{
          {locals}
          {body}
        }}"#
    ))
}

/// `x = a; y = b; while (*) { x += 2; y += 3 } assert(c);` on a type.
pub(crate) fn two_counters(ty: &str, a: &str, b: &str, condition: &str) -> Program {
    main_of(
        &format!("local v0 x: {ty}\n local v1 y: {ty}\n local v2 go: bool"),
        &format!(
            r#"
          l0:
            e0: x := {a} -> l2
          l2:
            e1: y := {b} -> l3
          l3:
            e2: havoc go n2 -> l4
          l4:
            e3: assume go -> l5
            e4: assume !go -> l7
          l5:
            e5: x := x + 2{ty} -> l6
          l6:
            e6: y := y + 3{ty} -> l3
          l7:
            e7: assume {condition} -> l8
            e8: assume !({condition}) -> l9
          l8:
            e9: return -> l1
          l9: error assertion "it"
          l1:"#
        ),
    )
}

/// `i` goes from an input `n` down to zero, `s` up; at last they claim `s == n`.
pub(crate) fn count_down() -> Program {
    main_of(
        "local v0 n: u32\n local v1 i: u32\n local v2 s: u32",
        r#"
          l0:
            e0: havoc n n1 -> l2
          l2:
            e1: i := n -> l3
          l3:
            e2: s := 0u32 -> l4
          l4:
            e3: assume i > 0u32 -> l5
            e4: assume i == 0u32 -> l7
          l5:
            e5: i := i - 1u32 -> l6
          l6:
            e6: s := s + 1u32 -> l4
          l7:
            e7: assume s == n -> l8
            e8: assume s != n -> l9
          l8:
            e9: return -> l1
          l9: error assertion "s == n"
          l1:"#,
    )
}
