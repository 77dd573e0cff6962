//! Programs and proofs written by hand.

#![allow(dead_code, reason = "each test uses a part")]

use base::{Diagnostics, Id, SourceMap};
use certify::{Ghost, Inductive};
use logic::{Sort, TermStore};
use program::expr::Type;
use program::ir::{EdgeId, LocationId, ProcId, Program};

/// Reads a program.
pub(crate) fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources
        .add("test", text.as_bytes().to_vec())
        .expect("a short text should fit");
    let mut diagnostics = Diagnostics::new();
    let program = program::text::read(&sources, file, &mut diagnostics);
    program.unwrap_or_else(|| panic!("{:?}", diagnostics.iter().collect::<Vec<_>>()))
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
