//! What tests use that is not part of the workspace: tools, and benchmarks beside the checkout.
//!
//! Where one is not there, the tests that need it are skipped and say so; where the environment
//! variable `CAIRN_REQUIRE` lists it (`cc,m32`, or `all`), they fail instead. Continuous integration
//! lists what `scripts/setup` installs. Each crate's tests take this file in as a module.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::{Path, PathBuf};

/// Something that a machine may not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Needed {
    /// A C compiler.
    Cc,
    /// One that makes 32-bit programs, with its headers.
    M32,
    /// `objcopy` and `addr2line`.
    Binutils,
    /// A browser.
    Chromium,
    /// BenchExec, as a module of Python.
    Benchexec,
    /// The benchmark collection, in `../shared/benchmarks`.
    Benchmarks,
}

impl Needed {
    const ALL: [Needed; 6] = [
        Needed::Cc,
        Needed::M32,
        Needed::Binutils,
        Needed::Chromium,
        Needed::Benchexec,
        Needed::Benchmarks,
    ];

    fn name(self) -> &'static str {
        match self {
            Needed::Cc => "cc",
            Needed::M32 => "m32",
            Needed::Binutils => "binutils",
            Needed::Chromium => "chromium",
            Needed::Benchexec => "benchexec",
            Needed::Benchmarks => "benchmarks",
        }
    }

    /// Whether a list requires it. A word that is none of these is a mistake.
    pub(crate) fn is_in(self, list: &str) -> bool {
        let mut words = list.split(',').filter(|word| !word.is_empty());
        let is_known = |word: &str| word == "all" || Needed::ALL.iter().any(|it| it.name() == word);
        if let Some(word) = words.clone().find(|word| !is_known(word)) {
            panic!("CAIRN_REQUIRE has `{word}`, which no test needs");
        }
        words.any(|word| word == "all" || word == self.name())
    }
}

/// Says that something is not there, so that a test or a part of it is skipped. Fails if it is
/// required.
#[expect(clippy::print_stderr, reason = "a test may say what it skips")]
pub(crate) fn skipped(needed: Needed, why: &str) {
    let list = std::env::var("CAIRN_REQUIRE").unwrap_or_default();
    assert!(
        !needed.is_in(&list),
        "CAIRN_REQUIRE has `{}`, but: {why}",
        needed.name()
    );
    eprintln!("skipped: {why}");
}

/// The sets of C programs in the benchmark collection that tests know. Other folders may stand beside
/// them.
pub(crate) const C_SETS: [&str; 12] = [
    "gps-suite1",
    "gps-suite2",
    "gps-suite3a",
    "gps-suite3b",
    "gps-suite3c",
    "hola",
    "locks",
    "nla-digbench",
    "ntdrivers-simplified",
    "openssl-simplified",
    "recursive",
    "recursive-simple",
];

/// The folders of some sets of the benchmark collection; none, with a remark, where it is not there.
pub(crate) fn benchmark_sets(names: &[&str]) -> Vec<PathBuf> {
    // Every crate stands two levels below the root.
    let collection = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks");
    if !collection.is_dir() {
        skipped(
            Needed::Benchmarks,
            "there are no benchmarks beside the checkout",
        );
        return Vec::new();
    }
    names.iter().map(|name| collection.join(name)).collect()
}
