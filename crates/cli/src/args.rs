//! The command line: its options and their defaults.

mod bench;
mod options;
mod tests_args;

pub(crate) use bench::BenchArgs;
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;
pub(crate) use options::OptionArgs;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;
pub(crate) use tests_args::{First, TestsArgs};

/// A software model checker for C.
#[derive(Parser, Debug)]
#[command(
    name = "cairn",
    version,
    about,
    after_help = "Exit codes: 0 safe, 1 unsafe, 2 wrong usage, wrong input or internal error, 3 unknown."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Flags of all commands.
#[derive(Args, Clone, Debug)]
pub(crate) struct Common {
    /// When to use colours; NO_COLOR and CLICOLOR_FORCE decide `auto`
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Print the answer only: no progress, no warnings
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more: the whole path, all inputs
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Decide whether an assertion can fail
    Check(CheckArgs),
    /// Decide, and tell step by step how
    Explain(ExplainArgs),
    /// Make tests for all that can be reached, and prove that the rest cannot
    Tests(TestsArgs),
    /// Check a witness, ours or another tool's, against its program
    Validate(ValidateArgs),
    /// Run the program on given inputs and show what happens
    Run(RunArgs),
    /// Show a stage of the work
    Dump(DumpArgs),
    /// Find interpolants of the formulas in an SMT-LIB file
    Interpolate(InterpolateArgs),
    /// Run tasks under limits and compare engines on them
    Bench(BenchArgs),
    /// List the engines
    Engines,
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the man page, or write the pages of all commands into a folder
    Man {
        /// The folder, for `cairn.1`, `cairn-check.1` and so on
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
}

/// What to look at, and what to look for.
#[derive(Args, Clone, Debug)]
pub(crate) struct SourceArgs {
    /// C files, one task definition (.yml), or for `check` one file of Horn clauses (.smt2)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Sizes of types [default: LP64, or what the task definition says]
    #[arg(long, value_name = "MODEL", ignore_case = true)]
    pub(crate) data_model: Option<ModelChoice>,
    /// Short for --data-model ILP32
    #[arg(long = "32", conflicts_with_all = ["data_model", "lp64"])]
    pub(crate) ilp32: bool,
    /// Short for --data-model LP64
    #[arg(long = "64", conflicts_with = "data_model")]
    pub(crate) lp64: bool,
    /// The function to start in [default: main]
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,
    /// Where to look for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
    /// Addresses of a memory-mapped device, the end not included: each read there is an input
    #[arg(long, value_name = "FROM-TO", value_delimiter = ',', value_parser = parse_device)]
    pub(crate) mmio: Vec<Range<u64>>,
    /// Which allocations may fail: then whether they do is an input
    #[arg(long, value_name = "WHICH", default_value = "realloc")]
    pub(crate) failing_alloc: FailingChoice,
    /// What must hold: property files (.prp) or names, separated by commas [default: asserts hold
    /// and reach_error is not called]
    #[arg(long, value_name = "FILE|NAME", value_delimiter = ',')]
    pub(crate) property: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) decide: DecideArgs,
    /// Decide each assertion by itself and print a line for each
    #[arg(long, conflicts_with_all = ["witness", "test", "confirm", "sanitize", "log_smt"])]
    pub(crate) each: bool,
    /// Let --each end at the first assertion that fails
    #[arg(long, requires = "each")]
    pub(crate) stop_at_first: bool,
    /// Print one JSON document (see docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the model of Horn clauses, as define-fun commands
    #[arg(long)]
    pub(crate) model: bool,
    /// Print the derivation of false from Horn clauses, one step a line
    #[arg(long)]
    pub(crate) derivation: bool,
    /// Write the evidence as an SV-COMP witness (YAML, format 2.0)
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    /// Write a report for a browser: one file, with the source, the failing run and the search
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the answer as a SARIF 2.1.0 log, with the failing run as a code flow
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write the answer as a JUnit XML file, with a test case for each property
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write a C file that makes the compiled program fail: cc program.c FILE && ./a.out
    #[arg(long, value_name = "FILE")]
    pub(crate) test: Option<PathBuf>,
    /// Compile the program with the inputs found, run it, and say whether it fails as reported
    #[arg(long)]
    pub(crate) confirm: bool,
    /// Let --test and --confirm compile with sanitizers; always so for undefined behaviour
    #[arg(long)]
    pub(crate) sanitize: bool,
    /// Write every query of the checker of proofs into a folder, as an SMT-LIB file with its answer
    #[arg(long, value_name = "DIR")]
    pub(crate) log_smt: Option<PathBuf>,
}

/// What to decide, by which engine, and within which limits.
#[derive(Args, Debug)]
pub(crate) struct DecideArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Time to spend, as in 90, 90s or 2m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_duration)]
    pub(crate) timeout: Duration,
    /// Effort to spend, in units that do not depend on how busy the machine is, of about a
    /// microsecond; a check tells what it took in `stats` of its JSON [default: no limit]
    #[arg(long, value_name = "UNITS", value_parser = value_parser!(u64).range(1..))]
    pub(crate) effort: Option<u64>,
    /// Memory to use, in megabytes [default: as much as there is]
    #[arg(long, value_name = "MB", value_parser = value_parser!(u64).range(1..))]
    pub(crate) memory: Option<u64>,
    /// Who decides; see `cairn engines`
    #[arg(long, value_name = "NAME", default_value = crate::engines::DEFAULT)]
    pub(crate) engine: String,
    /// Where random choices start from
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// What integers are: C's, or unbounded ones as in most papers
    #[arg(long, value_name = "MODEL", default_value = "machine")]
    pub(crate) int_model: IntModel,
    #[command(flatten)]
    pub(crate) options: OptionArgs,
    /// Verify every interpolant, as debug builds do; for tests
    #[arg(long, hide = true)]
    pub(crate) verify_interpolants: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) decide: DecideArgs,
    /// Write the story and all else as a report for a browser, in one file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct ValidateArgs {
    /// The files of the program as for `check`; the last one is the witness
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Time to spend, as in 90, 90s or 2m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_duration)]
    pub(crate) timeout: Duration,
    /// Who searches where the witness leaves something open; see `cairn engines`
    #[arg(long, value_name = "NAME", default_value = crate::engines::DEFAULT)]
    pub(crate) engine: String,
    /// Print one JSON document (see docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

/// Values of `--int-model`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntModel {
    /// C's: they have ranges, and unsigned ones wrap
    Machine,
    /// Unbounded; a violation counts only if C's integers lead there as well
    Math,
}

#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The inputs, in the order the program asks for them; `-` reads them from stdin
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    pub(crate) inputs: Option<String>,
    /// The values of uninitialised variables, in order [default: zeros]
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    pub(crate) uninit: Option<String>,
    /// Take further inputs at random, always the same for a number
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Stop after so many steps [default: when the time is up]
    #[arg(long, value_name = "NUMBER", default_value_t = u64::MAX, hide_default_value = true)]
    pub(crate) max_steps: u64,
    /// Time to spend, as in 90, 90s or 2m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_duration)]
    pub(crate) timeout: Duration,
    /// Print one JSON document (see docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct DumpArgs {
    /// Which stage
    pub(crate) stage: Stage,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// How to show it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// Passes to apply to the automata first, in order
    #[arg(long, value_name = "PASSES", value_delimiter = ',')]
    pub(crate) passes: Vec<PassChoice>,
    /// Show invariants at all locations, not only at the heads of loops
    #[arg(long)]
    pub(crate) all: bool,
    /// Show only the summary of the loop whose head is on this line
    #[arg(long, value_name = "LINE")]
    pub(crate) location: Option<u32>,
    /// Make relations of procedures, rather than inline calls; for Horn clauses
    #[arg(long)]
    pub(crate) procedures: bool,
    /// Who searches, for the unwinding
    #[arg(long, value_name = "NAME", default_value = "gps")]
    pub(crate) engine: String,
    #[command(flatten)]
    pub(crate) options: OptionArgs,
    /// Time for the search, as in 90, 90s or 2m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_duration)]
    pub(crate) timeout: Duration,
    /// Write to a file rather than to stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 all queries have interpolants, 1 a query is consistent, \
    2 wrong usage, wrong input or internal error, 3 a query has no answer."
)]
pub(crate) struct InterpolateArgs {
    /// An SMT-LIB file with named assertions and `(get-interpolants A B ...)`; branches of a tree
    /// stand in parentheses; without `get-interpolants` its assertions are a sequence
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Prove the interpolants by a solver of its own, and say so
    #[arg(long)]
    pub(crate) check: bool,
    /// Show how the interpolants are derived, where they come from a proof
    #[arg(long)]
    pub(crate) explain: bool,
    /// Use only these ways to find interpolants [default: all, in this order]
    #[arg(long, value_name = "LAYERS", value_delimiter = ',')]
    pub(crate) layers: Vec<LayerChoice>,
    /// Time to spend, as in 90, 90s or 2m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_duration)]
    pub(crate) timeout: Duration,
    /// Write every query to Z3 as a file into a folder
    #[arg(long, value_name = "DIR")]
    pub(crate) log_smt: Option<PathBuf>,
    /// Print one JSON document (see docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayerChoice {
    /// A proof by our own prover
    Proof,
    /// The same for a minimal core of the formulas
    Core,
    /// Implicants of models, projected onto what is shared
    Cubes,
    /// Drop what the steps do not need
    Generalise,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// The typed syntax tree
    Ast,
    /// The control-flow automata
    Cfa,
    /// The large blocks between cut points, as SMT-LIB
    Smt,
    /// What holds at the heads of loops, by intervals, congruences and octagons; after inlining
    Invariants,
    /// What loops do in any number of iterations; after inlining, without what no error depends on
    Summary,
    /// The tree of paths that a search built, with labels and covers
    Unwinding,
    /// Horn clauses that derive false if the program fails, as SMT-LIB
    Horn,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Text,
    /// Graphviz; for the automata and the unwinding
    Dot,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PassChoice {
    /// Make calls through pointers guarded direct calls
    Direct,
    /// Replace calls by the bodies they call
    Inline,
    /// Make variables of small objects
    Scalarise,
    /// Inline, make variables of small objects, and track cells of arrays
    Cells,
    /// Inline, make variables of small objects, and track products of variables
    Products,
    /// Propagate constants
    Fold,
    /// Remove what no path reaches
    Unreachable,
    /// Remove assignments that are never read
    Dead,
    /// Keep what decides whether an error location is reached
    Slice,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[value(rename_all = "verbatim")]
pub(crate) enum ModelChoice {
    #[value(name = "ILP32")]
    Ilp32,
    #[value(name = "LP64")]
    Lp64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FailingChoice {
    /// None of them
    None,
    /// Those of `realloc`, not those of `malloc` and `calloc`
    Realloc,
    /// All of them
    All,
}

/// `90`, `90s`, `1.5m` or `500ms`.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text
        .find(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time; use ms, s, m or h")),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "expected a number of seconds, as in 90, 90s or 2m".to_owned())?;
    Duration::try_from_secs_f64(number * scale).map_err(|error| error.to_string())
}

/// `0x40000000-0x40010000`.
fn parse_device(text: &str) -> Result<Range<u64>, String> {
    let number = |text: &str| match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let ends = text
        .split_once('-')
        .map(|(from, to)| (number(from), number(to)));
    match ends {
        Some((Ok(0), Ok(_))) => Err("no device is at address 0, which is null".to_owned()),
        Some((Ok(from), Ok(to))) if from < to => Ok(from..to),
        Some((Ok(_), Ok(_))) => Err("the first address should be below the last".to_owned()),
        _ => Err("expected two addresses, as in 0x40000000-0x40010000".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn devices_have_two_ends() {
        assert_eq!(
            parse_device("0x40000000-0x40010000"),
            Ok(0x4000_0000..0x4001_0000)
        );
        assert_eq!(parse_device("16-32"), Ok(16..32));
        for text in [
            "", "0x40", "0x40-", "-0x40", "32-16", "16-16", "0-16", "0xg-0x10",
        ] {
            assert!(parse_device(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn durations() {
        let cases = [
            ("90", 90_000),
            ("90s", 90_000),
            ("1.5m", 90_000),
            ("5ms", 5),
        ];
        for (text, millis) in cases {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)));
        }
        for text in ["", "s", "-1", "10x", "1e999", "nan"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
