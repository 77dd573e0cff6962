//! The flags of `cairn tests`.

use super::options::Learning;
use super::{SourceArgs, parse_duration};
use clap::{Args, ValueEnum};
use engine::test_suite::places::GoalKind;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 every goal is covered or unreachable, 2 wrong usage, wrong input or \
    internal error, 3 some goals are open."
)]
pub(crate) struct TestsArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// What tests should get to
    #[arg(long, value_name = "KIND", default_value = "branches")]
    pub(crate) goal: GoalChoice,
    /// Write the suite into a folder: C files to compile beside the program, and the files of the
    /// Test-Comp format
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write the source with what is covered, unreachable and open, as a page for a browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print one JSON document (see docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Time to spend, as in 90, 90s or 2m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_duration)]
    pub(crate) timeout: Duration,
    /// Who begins
    #[arg(long, value_name = "NAME", default_value = "all")]
    pub(crate) first: First,
    /// Who tries what lazy annotation leaves open; see `cairn engines`, or `none`
    #[arg(long, value_name = "NAME", default_value = crate::engines::DEFAULT)]
    pub(crate) rest: String,
    /// Whether lazy annotation learns; without, it follows all paths and proves nothing
    #[arg(long, value_name = "WHETHER", default_value = "on")]
    pub(crate) learn: Learning,
    /// Where random choices start from
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Values of `--first`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum First {
    /// Some random runs, then lazy annotation
    All,
    /// Lazy annotation alone
    La,
    /// Random runs alone, for as long as there is time, to compare with
    Random,
    /// No engine: all goals are left to `--rest`, to compare with
    None,
}

/// Values of `--goal`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum GoalChoice {
    /// Both sides of every branch
    Branches,
    /// Every basic block
    Locations,
    /// Every line that has code
    Lines,
    /// What the property forbids
    Error,
}

impl GoalChoice {
    /// The goals, as the suite knows them.
    pub(crate) fn kind(self) -> GoalKind {
        match self {
            GoalChoice::Branches => GoalKind::Branches,
            GoalChoice::Locations => GoalKind::Locations,
            GoalChoice::Lines => GoalKind::Lines,
            GoalChoice::Error => GoalKind::Error,
        }
    }
}
