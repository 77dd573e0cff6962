//! The flags that set an engine's options.

use clap::{Args, ValueEnum};
use engine::{Blocks, Options, Scope, TimeToLive};

/// What engines are to do where they have a choice.
#[derive(Args, Debug)]
pub(crate) struct OptionArgs {
    /// How paths to errors are summarised, by engines that do so: on the loops of the source, or
    /// on the reversed graph as in the paper
    #[arg(long, value_name = "STYLE", default_value = "cairn")]
    summary: SummaryStyle,
    /// What a step of an unwinding is, for `impact` and `predabs`
    #[arg(long, value_name = "SIZE", default_value = "large")]
    blocks: BlockSize,
    /// Where `predabs` tracks a predicate that it found
    #[arg(long, value_name = "WHERE", default_value = "local")]
    predicates: PredicateScope,
    /// Conjoin the invariants of the forward analysis, for `impact` and `predabs`
    #[arg(long)]
    invariants: bool,
    /// Whether `la` learns labels where it goes back; without, it follows all paths
    #[arg(long, value_name = "WHETHER", default_value = "on")]
    learn: Learning,
    /// What bounds the paths of `la` in loops and recursion
    #[arg(long, value_name = "HOW", default_value = "one")]
    time_to_live: TimeChoice,
}

impl OptionArgs {
    /// The options, as engines know them.
    pub(crate) fn options(&self) -> Options {
        Options {
            summary: match self.summary {
                SummaryStyle::Cairn => summary::Style::Cairn,
                SummaryStyle::Paper => summary::Style::Paper,
            },
            blocks: match self.blocks {
                BlockSize::Large => Blocks::Large,
                BlockSize::Edge => Blocks::Edge,
            },
            predicates: match self.predicates {
                PredicateScope::Local => Scope::Local,
                PredicateScope::Function => Scope::Function,
                PredicateScope::Global => Scope::Global,
            },
            invariants: self.invariants,
            learn: self.learn.is_on(),
            time: match self.time_to_live {
                TimeChoice::One => TimeToLive::One,
                TimeChoice::Each => TimeToLive::Each,
            },
        }
    }
}

/// Values of `--summary`.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum SummaryStyle {
    /// On the loops of the source
    Cairn,
    /// As in the paper
    Paper,
}

/// Values of `--blocks`.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum BlockSize {
    /// A stretch of edges between loop heads, calls and errors
    Large,
    /// One edge of the automaton
    Edge,
}

/// Values of `--learn`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Learning {
    /// Labels keep later paths away from where earlier ones led to no goal
    On,
    /// All paths are followed, as DART does
    Off,
}

impl Learning {
    pub(crate) fn is_on(self) -> bool {
        matches!(self, Learning::On)
    }
}

/// Values of `--time-to-live`.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum TimeChoice {
    /// One number for all
    One,
    /// One for each outermost loop and each recursion
    Each,
}

/// Values of `--predicates`.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum PredicateScope {
    /// At the location that it was found for
    Local,
    /// In the whole function of that location
    Function,
    /// Everywhere
    Global,
}
