//! The invariants of the forward analysis as labels: two readings of the same programs that share
//! no code agree.

use absdom::forward::Invariants;
use base::{Budget, Diagnostics, SourceMap};
use certify::Inductive;
use cfront::preprocess::{Preprocess, load};
use cfront::types::DataModel;
use encode::transition::State;
use logic::TermStore;
use program::ir::{LocationId, Op, Program};
use program::pass::inline::{InlineLimit, inline_calls};
use program::pass::loops::LoopNest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A program without errors: all of its labels can hold, whether it is safe or not.
fn harmless(mut program: Program) -> Program {
    for proc in program.procs.iter_mut() {
        for location in proc.locations.iter_mut() {
            location.error = None;
        }
        for edge in proc.edges.iter_mut() {
            if let Op::Unsupported(_) = edge.op {
                edge.op = Op::Halt(program::ir::Halt::Abort);
            }
        }
    }
    program
}

/// The invariants of the program's entry, at some locations.
fn labelled(program: &Program, at: &dyn Fn(LocationId) -> bool) -> Inductive {
    let main = program.entry;
    let options = Default::default();
    let found = Invariants::new(program, main, &options, &Budget::unlimited());
    let mut store = TermStore::new();
    let state = State::new(program, &mut store);
    let mut labels = BTreeMap::new();
    for location in program.procs[main].locations.ids().filter(|&id| at(id)) {
        let label = found.formula(location, &mut store, &state);
        labels.insert((main, location), label);
    }
    Inductive {
        inlined: None,
        vars: program.vars.ids().map(|var| state.symbol(var)).collect(),
        store,
        ghosts: Vec::new(),
        labels,
        results: BTreeMap::new(),
    }
}

/// The invariants are accepted at all locations, and at loop heads alone.
#[track_caller]
fn agree(program: &Program, name: &str) {
    let nest = LoopNest::new(&program.procs[program.entry]);
    let everywhere: &dyn Fn(LocationId) -> bool = &|_| true;
    let at_heads: &dyn Fn(LocationId) -> bool = &|at| nest.is_head(at);
    for at in [everywhere, at_heads] {
        let proof = labelled(program, at);
        let checked = proof.check(program, &Budget::unlimited());
        assert_eq!(checked, Ok(()), "{name}");
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the tests should be there");
    for entry in entries {
        let path = entry.expect("a folder should be readable").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "c") {
            found.push(path);
        }
    }
    found.sort();
}

fn lowered(file: &Path) -> Option<Program> {
    let model = DataModel::Lp64;
    let options = Preprocess {
        model,
        ..Preprocess::default()
    };
    let text = load(file, &options).ok()?;
    let mut map = SourceMap::new();
    let id = map.add(&file.to_string_lossy(), text)?;
    let mut diagnostics = Diagnostics::new();
    let options = cfront::Options { model };
    let ast = cfront::parse(&mut map, &[id], &options, &mut diagnostics);
    let program = lower::lower(&ast, &Default::default(), &mut diagnostics);
    program.filter(|_| !diagnostics.has_errors())
}

#[test]
fn of_c_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut found = Vec::new();
    files(&root, &mut found);
    let mut count = 0;
    for file in found {
        if let Some(program) = lowered(&file) {
            let (inlined, _) = inline_calls(&program, InlineLimit::default());
            agree(&harmless(inlined), &file.display().to_string());
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn of_random_programs() {
    for seed in 0..120 {
        let program = harmless(testkit::random::program(seed, 8));
        agree(&program, &format!("seed {seed}"));
    }
}
