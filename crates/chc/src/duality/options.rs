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
    /// Clauses that were jumped over come last.
    pub scores: bool,
    /// What a conflict does not need is left without a new label.
    pub jumps: bool,
    /// What is known of the instance of a relation before is tried for the next.
    pub propagates: bool,
    /// Facts that were derived are used again.
    pub reuses: bool,
    /// Facts of abstract interpretation are known from the start.
    pub seeds: bool,
    /// How a model is made.
    pub convergence: Convergence,
}
