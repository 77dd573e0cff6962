//! The options of engines: what a user may choose where an engine has alternatives.
//!
//! # Invariants
//! - An option for which [`crate::Engine::understands`] is false changes nothing; the command line
//!   refuses to set it.

use base::named_enum;
pub use kit::predicates::Scope;

/// How a task is to be decided, where its engine leaves a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How paths to errors are summarised.
    pub summary: summary::Style,
    /// What a step of an unwinding is.
    pub blocks: Blocks,
    /// Where predicates are tracked.
    pub predicates: Scope,
    /// Whether invariants of the forward analysis are conjoined.
    pub invariants: bool,
    /// Whether labels are learned where a search goes back.
    pub learn: bool,
    /// How many times to live a path has.
    pub time: TimeToLive,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            summary: summary::Style::default(),
            blocks: Blocks::default(),
            predicates: Scope::default(),
            invariants: false,
            learn: true,
            time: TimeToLive::default(),
        }
    }
}

named_enum! {
    /// An option, named as it is written on the command line.
    pub enum OptionName {
        /// [`Options::summary`]
        Summary = "--summary",
        /// [`Options::blocks`]
        Blocks = "--blocks",
        /// [`Options::predicates`]
        Predicates = "--predicates",
        /// [`Options::invariants`]
        Invariants = "--invariants",
        /// [`Options::learn`]
        Learn = "--learn",
        /// [`Options::time`]
        Time = "--time-to-live",
    }
}

impl OptionName {
    /// Whether something else than the default is asked for.
    pub fn is_set(self, options: &Options) -> bool {
        let default = Options::default();
        match self {
            OptionName::Summary => options.summary != default.summary,
            OptionName::Blocks => options.blocks != default.blocks,
            OptionName::Predicates => options.predicates != default.predicates,
            OptionName::Invariants => options.invariants != default.invariants,
            OptionName::Learn => options.learn != default.learn,
            OptionName::Time => options.time != default.time,
        }
    }
}

/// What a step of an unwinding is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Blocks {
    /// A segment of edges from cut point to cut point, by one formula.
    #[default]
    Large,
    /// One edge of the automaton.
    Edge,
}

/// What bounds the paths of lazy annotation in loops and recursion.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum TimeToLive {
    /// One number.
    #[default]
    One,
    /// One for each outermost loop, and for each set of procedures that call each other.
    Each,
}
