//! Random interpolation problems, for tests and campaigns.
//!
//! A problem is made around one valuation of its symbols: a chain of facts that it satisfies leads
//! from the leaves towards the root, the root denies what follows from them, and formulas that the
//! valuation also satisfies stand around them. So most problems are inconsistent, but none for a
//! reason that a part or two show. Neighbouring parts share symbols, as the steps of a path
//! formula do; some symbols are everywhere.
//!
//! # Invariants
//! - Same seed and options, same problem.
//! - All kinds but [`Kind::Free`] are inconsistent by construction, and consistent without the
//!   root.

mod builder;
mod facts;
mod functions;
#[cfg(test)]
mod tests;

use base::Rng;
use builder::{Builder, Valuation};
use logic::{TermId, TermStore};

/// Why a problem is inconsistent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A sum of inequalities; every part is a conjunction.
    Chain,
    /// Two sums, one for each case; Boolean structure.
    Cases,
    /// Remainders that do not fit.
    Congruence,
    /// Assignments, and an end that they do not lead to.
    Run,
    /// The same, but every part assigns alike.
    Loop,
    /// The same, with values that wrap.
    Machine,
    /// Equal arguments, but unequal values of functions.
    Functions,
    /// Perhaps it is not.
    Free,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 8] = [
        Kind::Chain,
        Kind::Cases,
        Kind::Congruence,
        Kind::Run,
        Kind::Loop,
        Kind::Machine,
        Kind::Functions,
        Kind::Free,
    ];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Chain => "chain",
            Kind::Cases => "cases",
            Kind::Congruence => "congruence",
            Kind::Run => "run",
            Kind::Loop => "loop",
            Kind::Machine => "machine",
            Kind::Functions => "functions",
            Kind::Free => "free",
        }
    }
}

/// What problems may have.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The greatest number of parts, at least 2.
    pub parts: usize,
    /// Whether some problems are trees and no sequences.
    pub trees: bool,
    /// Whether there are uninterpreted functions.
    pub functions: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            parts: 12,
            trees: true,
            functions: true,
        }
    }
}

/// Formulas that are inconsistent together, or may be.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Why.
    pub kind: Kind,
    /// The formulas; the last is the root.
    pub parts: Vec<TermId>,
    /// What each part but the root hangs from; in a sequence, the next.
    pub parents: Vec<usize>,
}

impl Problem {
    /// Whether every part hangs from the next.
    pub fn is_sequence(&self) -> bool {
        let mut parents = self.parents.iter().enumerate();
        parents.all(|(part, &parent)| parent == part + 1)
    }
}

/// The problem of a seed.
pub fn problem(store: &mut TermStore, seed: u64, options: &Options) -> Problem {
    build(store, seed, options).0
}

/// The problem of a seed and the valuation it is made around.
fn build(store: &mut TermStore, seed: u64, options: &Options) -> (Problem, Valuation) {
    let mut rng = Rng::new(seed);
    let kind = loop {
        let kind = rng.pick(&Kind::ALL);
        if options.functions || kind != Kind::Functions {
            break kind;
        }
    };
    let parents = if options.trees && kind != Kind::Loop && rng.one_in(8) {
        tree(&mut rng, options.parts)
    } else {
        // Short ones are more frequent.
        let most = options.parts - 1;
        let count = 2 + rng.below(most).min(rng.below(most));
        (1..count).collect()
    };
    let mut builder = Builder::new(store, rng, &parents);
    builder.fill(kind);
    let (parts, values) = builder.finish();
    let problem = Problem {
        kind,
        parts,
        parents,
    };
    (problem, values)
}

/// A tree whose branches each stand in one piece: a new part takes up some of the last branches.
fn tree(rng: &mut Rng, most: usize) -> Vec<usize> {
    let count = 4 + rng.below(most.max(5) - 4);
    let mut parents = vec![0; count];
    let mut open: Vec<usize> = Vec::new();
    for part in 0..count {
        let last = part + 1 == count;
        let taken = if last { open.len() } else { rng.below(3) };
        for child in open.split_off(open.len() - taken.min(open.len())) {
            parents[child] = part;
        }
        open.push(part);
    }
    parents.truncate(count - 1);
    parents
}
