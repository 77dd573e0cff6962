//! Verdicts of `cairn` on random C programs, against what their runs do.
//!
//! Programs (`generate`) have few inputs. The compiled program runs on all of them under sanitizers
//! (`truth`), so that it is known which properties hold; assertions (`assertion`) are made of the
//! states that the runs saw. Then `cairn` is asked (`check`), by every engine and for both data
//! models; some of its violations are compiled and run, some of its witnesses validated, and some of
//! them made false first (`tamper`). What is wrong is made smaller (`reduce`) and saved.
//!
//! The same seed asks the same questions. `cargo xtask verdicts` runs it at length, a test of
//! `cairn-cli` for some seconds.

mod assertion;
mod check;
mod generate;
mod plan;
pub mod process;
mod reduce;
mod report;
mod syntax;
mod tamper;
mod truth;
mod types;

pub use check::Flaw;
pub use report::Report;

use check::{Bench, Check, Outcome};
use process::Scratch;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use syntax::Program;
use truth::{Compiler, Skipped};

/// What a campaign is.
#[derive(Clone, Debug)]
pub struct Options {
    /// Checks at least.
    pub count: usize,
    /// Where programs and choices start from.
    pub seed: u64,
    /// The number of the first program.
    pub first: usize,
    /// For a check.
    pub timeout: Duration,
    /// Checks at a time.
    pub jobs: usize,
    /// The binary.
    pub cairn: PathBuf,
    /// Where programs that show a mistake are saved, made smaller.
    pub out: Option<PathBuf>,
    /// One engine only.
    pub engine: Option<String>,
    /// Whether to tell how far it is, on the standard error output.
    pub progress: bool,
}

/// Programs between two looks at how many checks there were: whatever the jobs, the same ones.
const BATCH: usize = 4;

/// How many times longer a second attempt may take.
const PATIENCE: u32 = 10;

/// One check of a program.
struct Row {
    theme: &'static str,
    check: Check,
    outcome: Outcome,
}

/// Runs a campaign; `None` if there is no compiler with sanitizers.
pub fn run(options: &Options) -> Result<Option<Report>, String> {
    let scratch = Scratch::new(&format!("verdicts-{}", options.seed))?;
    let Some(compiler) = Compiler::new(scratch.path())? else {
        return Ok(None);
    };
    let engines = match &options.engine {
        Some(engine) => vec![engine.clone()],
        None => engines(&options.cairn)?,
    };
    let bench = Bench {
        cairn: &options.cairn,
        compiler: &compiler,
        timeout: options.timeout,
        by_clang: false,
    };
    let campaign = Campaign {
        options,
        bench,
        engines,
        folder: scratch.path(),
    };
    let mut report = Report::new(compiler.models().len(), compiler.models_of_both().len());
    let mut first = options.first;
    while report.checks() < options.count {
        for result in campaign.batch(first)? {
            report.add(result);
        }
        first += BATCH;
        if options.progress && (first - options.first).is_multiple_of(4 * BATCH) {
            progress(&report, options.count);
        }
    }
    Ok(Some(report))
}

#[allow(clippy::print_stderr, reason = "a campaign tells how far it is")]
fn progress(report: &Report, count: usize) {
    eprintln!("{} of {count} checks: {}", report.checks(), report.line());
}

/// The engines that there are, by name.
fn engines(cairn: &Path) -> Result<Vec<String>, String> {
    let done = process::run(Command::new(cairn).arg("engines"), Duration::from_secs(60))?;
    let is_for_programs = |line: &&str| !line.starts_with(' ') && !line.contains("(Horn clauses)");
    let names = done.stdout.lines().filter(is_for_programs);
    let names: Vec<String> = names
        .filter_map(|line| line.split([':', ' ']).next())
        .map(str::to_owned)
        .collect();
    match names.is_empty() {
        true => Err(format!("{} lists no engines", cairn.display())),
        false => Ok(names),
    }
}

struct Campaign<'a> {
    options: &'a Options,
    bench: Bench<'a>,
    engines: Vec<String>,
    folder: &'a Path,
}

/// What came of a program for each data model.
type Tried = Vec<Result<Vec<Row>, Skipped>>;

impl Campaign<'_> {
    fn batch(&self, first: usize) -> Result<Vec<Tried>, String> {
        let next = AtomicUsize::new(0);
        let slots: Vec<Mutex<Option<Result<Tried, String>>>> =
            (0..BATCH).map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for _ in 0..self.options.jobs.max(1) {
                scope.spawn(|| {
                    while let place = next.fetch_add(1, Ordering::Relaxed)
                        && let Some(slot) = slots.get(place)
                    {
                        let tried = self.program(first + place);
                        *slot.lock().expect("a job should not panic") = Some(tried);
                    }
                });
            }
        });
        slots
            .into_iter()
            .map(|slot| {
                let tried = slot.into_inner().expect("a job should not panic");
                tried.expect("every job ran")
            })
            .collect()
    }

    /// All checks of a program.
    fn program(&self, number: usize) -> Result<Tried, String> {
        // Neighbouring seeds give unrelated programs.
        let seed = self.options.seed.wrapping_mul(1_000_003) + number as u64;
        let drawn = generate::draw(seed);
        let mut tried = Vec::new();
        for &model in self.bench.compiler.models() {
            let stem = check::stem(self.folder, number, 0, model);
            let truth = match self.bench.compiler.runs(&drawn.program, model, &stem)? {
                Ok(truth) => truth,
                Err(skipped) => {
                    tried.push(Err(skipped));
                    continue;
                }
            };
            let mut rows = Vec::new();
            let checks = plan::checks(&drawn, &truth, model, &self.engines, seed);
            for (index, check) in checks.into_iter().enumerate() {
                let stem = check::stem(self.folder, number, index + 1, model);
                let outcome = self.attempt(&check, &drawn.program, &stem)?;
                if !outcome.flaws.is_empty() {
                    self.save(&drawn.program, &check, &outcome, &stem)?;
                }
                rows.push(Row {
                    theme: drawn.theme.name(),
                    check,
                    outcome,
                });
            }
            tried.push(Ok(rows));
        }
        Ok(tried)
    }

    /// A check; what was not confirmed gets more time, since the limit also cuts off compilers and
    /// validators on a machine with much else to do, and then the other compiler.
    fn attempt(&self, check: &Check, program: &Program, stem: &Path) -> Result<Outcome, String> {
        let outcome = check.run(&self.bench, program, stem)?;
        if !is_unconfirmed(&outcome) {
            return Ok(outcome);
        }
        let patient = Bench {
            timeout: self.bench.timeout * PATIENCE,
            ..self.bench
        };
        let outcome = check.run(&patient, program, stem)?;
        let has_other = (self.bench.compiler.models_of_both()).contains(&check.model);
        if !is_unconfirmed(&outcome) || !has_other {
            return Ok(outcome);
        }
        let other = Bench {
            by_clang: true,
            ..patient
        };
        check.run(&other, program, stem)
    }

    /// Saves what shows a mistake, made smaller.
    fn save(
        &self,
        program: &Program,
        check: &Check,
        outcome: &Outcome,
        stem: &Path,
    ) -> Result<(), String> {
        let Some(out) = &self.options.out else {
            return Ok(());
        };
        let flaw = outcome.flaws[0].0;
        let scratch = stem.with_extension("smaller");
        let still = |smaller: &Program| self.shows(smaller, check, flaw, &scratch).is_some();
        let smaller = reduce::reduced(program, still);
        let what = self.shows(&smaller, check, flaw, &scratch);
        let what = what.unwrap_or_else(|| outcome.flaws[0].1.clone());
        std::fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
        let name = stem.file_name().unwrap_or_default().to_string_lossy();
        let file = out.join(format!("{}-{}-{name}.c", flaw.name(), self.options.seed));
        let truth = if check.expects_violation() {
            "unsafe"
        } else {
            "safe"
        };
        let what = what.replace(['\n', '\r'], " ").replace("*/", "* /");
        let text = format!(
            "/* {} for {}, but {}: {what}; --engine {} --data-model {} --property {} */\n{}",
            truth,
            check.property(),
            flaw.name(),
            check.engine,
            check.model.name(),
            check.property(),
            check.written(&smaller).text
        );
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// What a smaller program shows, if it is still the same mistake about the same truth.
    fn shows(&self, smaller: &Program, check: &Check, flaw: Flaw, stem: &Path) -> Option<String> {
        let runs = self.bench.compiler.runs(smaller, check.model, stem);
        let truth = runs.ok()?.ok()?;
        if check.is_violated(smaller, &truth) != Some(check.expects_violation()) {
            return None;
        }
        let outcome = self.attempt(check, smaller, stem).ok()?;
        let same = outcome.flaws.into_iter().find(|(found, _)| *found == flaw);
        same.map(|(_, what)| what)
    }
}

fn is_unconfirmed(outcome: &Outcome) -> bool {
    let mut flaws = outcome.flaws.iter();
    flaws.any(|(flaw, _)| *flaw == Flaw::Unconfirmed)
}
