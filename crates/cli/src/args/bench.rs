//! The flags of `cairn bench`.

use clap::{Args, value_parser};
use std::path::PathBuf;
use std::time::Duration;

/// Flags of `cairn bench`.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 no verdict is wrong, 1 a verdict is wrong, \
    2 wrong usage, wrong input or internal error, 3 stopped before the end."
)]
pub(crate) struct BenchArgs {
    /// Task definitions (.yml), programs (.c, .i, .cfa) and Horn clauses (.smt2); a folder stands
    /// for the task definitions below it, or for its programs if there are none; * and ? in a
    /// file's name stand for any characters
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Who decides, separated by commas; see `cairn engines`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = crate::engines::DEFAULT)]
    pub(crate) engine: Vec<String>,
    /// Time for each task, on the clock and of the processor, as in 90, 90s or 2m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = super::parse_duration)]
    pub(crate) timeout: Duration,
    /// Memory for each task, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4000, value_parser = value_parser!(u64).range(1..))]
    pub(crate) memory: u64,
    /// Tasks at a time; more than one blurs the times
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    pub(crate) jobs: u16,
    /// What must hold: a property's name or file (.prp)
    #[arg(long, value_name = "NAME|FILE", default_value = "unreach-call")]
    pub(crate) property: String,
    /// Where to write results.csv, table.md, cactus.svg, scatter.svg and settings.json
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Go on where an earlier run into the same folder ended
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// Further flags for `cairn check`
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<String>,
}
