//! Which of the paper's improvements are on.

/// How labels of a bounded unwinding become a model of the clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convergence {
    /// A vertex for each way to derive a fact, as long as no vertices before it cover it: lazy
    /// abstraction with interpolants.
    Covering,
    /// A vertex for each relation and height of its derivations; what is known of one height is
    /// carried to the next until nothing is lost.
    Heights,
}

/// What the search does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Goals are narrowed by a choice of literals.
    pub decisions: bool,
    /// Interpolants are made stronger and simpler.
    pub generalises: bool,
    /// Clauses that were of use come first.
    pub scores: bool,
    /// What a conflict does not need is left without a new label.
    pub jumps: bool,
    /// What is known of earlier instances of a relation is tried for later ones.
    pub propagates: bool,
    /// Facts that were derived are used again.
    pub reuses: bool,
    /// Facts of abstract interpretation are known from the start.
    pub seeds: bool,
    /// How a model is made.
    pub convergence: Convergence,
}

impl Options {
    /// No improvement: interpolants one step at a time.
    pub const MARK_I: Options = Options {
        decisions: false,
        generalises: false,
        scores: false,
        jumps: false,
        propagates: false,
        reuses: false,
        seeds: false,
        convergence: Convergence::Covering,
    };
    /// With decisions.
    pub const MARK_II: Options = Options {
        decisions: true,
        ..Options::MARK_I
    };
    /// With generalised interpolants too.
    pub const MARK_III: Options = Options {
        generalises: true,
        ..Options::MARK_II
    };
    /// With scores of clauses too.
    pub const MARK_IV: Options = Options {
        scores: true,
        ..Options::MARK_III
    };
    /// With back-jumping too.
    pub const MARK_V: Options = Options {
        jumps: true,
        ..Options::MARK_IV
    };
    /// With eager propagation too: all of the paper.
    pub const FINAL: Options = Options {
        propagates: true,
        ..Options::MARK_V
    };
    /// All of the paper, with facts: derived ones, and those of abstract interpretation.
    pub const SEEDED: Options = Options {
        reuses: true,
        seeds: true,
        ..Options::FINAL
    };
    /// The same, with vertices by height.
    pub const HEIGHTS: Options = Options {
        convergence: Convergence::Heights,
        ..Options::SEEDED
    };
}
