//! What the tests of the passes share: C programs, and inputs that do not shift.

#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod keeps;
#[path = "../../../../tests/surroundings.rs"]
mod surroundings;

use base::{Budget, Diagnostics, Id, IdVec, Rng, SourceMap};
use cfront::preprocess::{Preprocess, load};
use cfront::types::DataModel;
use exec::{Contents, Inputs, Limits, Machine, Run};
use lower::{Options, lower};
use program::expr::{Constant, Type};
use program::ir::{Program, SiteId, SiteKind};
use std::path::{Path, PathBuf};
use testkit::random::constant;

/// Bytes of an object that are something else than zero when it comes to life.
const LONGEST_CONTENTS: u64 = 32;

/// Inputs that depend on the site and on how often it was asked, so that leaving one out does not
/// change the others. An uninitialised local is the same each time: some of its reads may go.
pub(crate) struct PerSite<'p> {
    program: &'p Program,
    seed: u64,
    counts: IdVec<SiteId, u64>,
}

impl<'p> PerSite<'p> {
    pub(crate) fn new(program: &'p Program, seed: u64) -> Self {
        PerSite {
            program,
            seed,
            counts: IdVec::filled(0, program.sites.len()),
        }
    }
}

impl Inputs for PerSite<'_> {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        if self.program.sites[site].kind != SiteKind::Uninitialized {
            self.counts[site] += 1;
        }
        let seed = self.seed ^ ((site.index() as u64) << 32) ^ (self.counts[site] << 48);
        let mut rng = Rng::new(seed);
        rng.bits();
        Some(constant(&mut rng, ty))
    }

    fn contents(&mut self) -> Option<&mut dyn Contents> {
        Some(self)
    }
}

impl Contents for PerSite<'_> {
    /// The same each time, as of an uninitialised local; zeros and ones, so that a truth value is
    /// one: passes may read one where it comes to life.
    fn bytes(&mut self, site: SiteId, size: u64) -> Vec<u8> {
        let mut rng = Rng::new(self.seed ^ ((site.index() as u64) << 32));
        let bytes = size.min(LONGEST_CONTENTS) as usize;
        (0..bytes).map(|_| rng.bits() as u8 & 1).collect()
    }
}

/// A run with such inputs.
pub(crate) fn run(program: &Program, seed: u64) -> Run {
    let limits = Limits {
        steps: 50_000,
        memory: 1 << 24,
        depth: 50,
    };
    let mut inputs = PerSite::new(program, seed);
    Machine::new(program).run(&mut inputs, &limits, &Budget::unlimited())
}

/// Our own C programs, lowered, and some of the shared benchmarks where they are at hand.
pub(crate) fn c_programs() -> Vec<(String, Program)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate should stand two levels below the root");
    let mut files = Vec::new();
    for folder in ["crates/exec/tests/c", "tests/programs"] {
        find(&root.join(folder), &mut files);
    }
    assert!(!files.is_empty());
    let mut more = Vec::new();
    for folder in surroundings::benchmark_sets(&["gps-suite1", "recursive-simple", "locks"]) {
        find(&folder, &mut more);
    }
    // A sample, the same each time.
    files.extend(more.into_iter().step_by(9));
    files
        .iter()
        .filter_map(|file| Some((file.display().to_string(), lowered(file)?)))
        .collect()
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find(&path, found);
        } else if path
            .extension()
            .is_some_and(|ending| ending == "c" || ending == "i")
        {
            found.push(path);
        }
    }
}

fn lowered(file: &Path) -> Option<Program> {
    let text = load(file, &Preprocess::default()).ok()?;
    lowered_text(text, DataModel::Lp64, &Options::default())
}

/// A preprocessed C program, lowered; none if it has mistakes.
pub(crate) fn lowered_text(text: Vec<u8>, model: DataModel, options: &Options) -> Option<Program> {
    let mut map = SourceMap::new();
    let id = map.add("program.c", text)?;
    let mut diagnostics = Diagnostics::new();
    let front = cfront::Options { model };
    let ast = cfront::parse(&mut map, &[id], &front, &mut diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    lower(&ast, options, &mut diagnostics)
}

/// Expressions from C may be deep: runs a test on a large stack.
pub(crate) fn on_large_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(test);
    let result = thread.expect("a thread should start").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

/// A C program that is written at random; each test writes its own kind.
pub(crate) struct Source {
    pub(crate) rng: Rng,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn new(seed: u64) -> Source {
        Source {
            rng: Rng::new(seed),
            text: String::new(),
        }
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.rng.bits() % bound
    }

    pub(crate) fn pick(&mut self, from: &[&str]) -> String {
        let at = self.below(from.len() as u64) as usize;
        from[at].to_owned()
    }
}
