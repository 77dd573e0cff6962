//! Many problems for our interpolator, and the count of what it does not solve.

use crate::cairn::{Attempt, Cairn, Outcome};
use crate::paths::{self, Walking};
use crate::problem::{Drawn, Problem};
use crate::programs;
use crate::table::{aligned, mean, percentile};
use interpolate::Layers;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use testkit::problems::Options;

/// Where programs are looked for when no folder is named.
const BENCHMARKS: &str = "../shared/benchmarks";

/// `cargo xtask interpolate`: random problems.
pub(crate) fn random(args: &[String]) -> Result<bool, String> {
    let count = crate::number(args, "--count", 20_000)?;
    let seed = crate::number(args, "--seed", 1)?;
    let mut campaign = Campaign::new(args)?;
    let (mut consistent, mut unclear) = (0, 0);
    // Each run has seeds of its own, and goes on until it has as many problems as it should.
    let first = crate::number(args, "--first", 0)?;
    let mut next = seed.wrapping_mul(1 << 32).wrapping_add(first);
    while campaign.tried < count {
        match Problem::random(next, &Options::default()) {
            Drawn::Problem(problem) => campaign.run(&problem)?,
            Drawn::Consistent => consistent += 1,
            Drawn::Unclear => unclear += 1,
        }
        next = next.wrapping_add(1);
    }
    println!("left out: {consistent} consistent, {unclear} that Z3 does not decide");
    campaign.report()
}

/// `cargo xtask paths`: path formulas of C programs.
pub(crate) fn of_programs(args: &[String]) -> Result<bool, String> {
    let first = crate::number(args, "--first", 0)? as usize;
    let count = crate::number(args, "--count", u64::MAX)? as usize;
    let walking = walking(args)?;
    let Some(folder) = folder(args) else {
        return Ok(true);
    };
    let sources = programs::collect(&folder)?;
    let mut campaign = Campaign::new(args)?;
    let mut total = paths::Tally::default();
    let chosen = sources.iter().enumerate().skip(first).take(count);
    for (index, source) in chosen {
        match paths::problems(source, &walking) {
            Ok((problems, tally)) => {
                eprintln!(
                    "{index}: {}: {} problems from {} paths",
                    source.file.display(),
                    problems.len(),
                    tally.paths
                );
                total.paths += tally.paths;
                total.feasible += tally.feasible;
                total.unclear += tally.unclear;
                for problem in &problems {
                    campaign.run(problem)?;
                }
            }
            Err(message) => eprintln!("{index}: {}: {message}", source.file.display()),
        }
    }
    println!(
        "{} paths, {} can be taken, {} that Z3 does not decide",
        total.paths, total.feasible, total.unclear
    );
    campaign.report()
}

/// The options of a walk.
pub(crate) fn walking(args: &[String]) -> Result<Walking, String> {
    let unbounded = match crate::word(args, "--int-model")? {
        None | Some("machine") => false,
        Some("math") => true,
        Some(other) => return Err(format!("unknown integer model `{other}`")),
    };
    Ok(Walking {
        unbounded,
        iterations: crate::number(args, "--iterations", 20)? as usize,
        paths: crate::number(args, "--paths", 40)? as usize,
        seed: crate::number(args, "--seed", 1)?,
    })
}

/// The folder named first, or the usual one; `None`, with a message, if it is not there.
pub(crate) fn folder(args: &[String]) -> Option<PathBuf> {
    let named = args.first().filter(|word| !word.starts_with("--"));
    let folder = Path::new(named.map_or(BENCHMARKS, String::as_str));
    if folder.is_dir() {
        return Some(folder.to_owned());
    }
    eprintln!("no programs: there is no folder {}", folder.display());
    None
}

/// The attempts so far.
struct Campaign {
    cairn: Cairn,
    limit: Duration,
    failures: PathBuf,
    tried: u64,
    attempts: BTreeMap<String, Vec<Attempt>>,
}

impl Campaign {
    fn new(args: &[String]) -> Result<Campaign, String> {
        let folder = crate::word(args, "--save")?.unwrap_or("target/failures");
        Ok(Campaign {
            cairn: Cairn::new(Layers::ALL),
            limit: crate::seconds(args, "--timeout", 2.0)?,
            failures: folder.into(),
            tried: 0,
            attempts: BTreeMap::new(),
        })
    }

    fn run(&mut self, problem: &Problem) -> Result<(), String> {
        let attempt = self.cairn.solve(problem, self.limit);
        if let Some(reason) = attempt.outcome.complaint() {
            let complaint = format!("{}: {reason}", attempt.outcome.name());
            println!("{} ({}): {complaint}", problem.name, problem.family);
            self.save(problem, &complaint)?;
        }
        let family = self.attempts.entry(problem.family.clone()).or_default();
        family.push(attempt);
        self.tried += 1;
        if self.tried.is_multiple_of(500) {
            eprintln!("{} problems", self.tried);
        }
        Ok(())
    }

    fn save(&self, problem: &Problem, complaint: &str) -> Result<(), String> {
        let text = format!("; {complaint}\n{}", problem.script().replace('\r', " "));
        let file = self.failures.join(format!("{}.smt2", problem.name));
        std::fs::create_dir_all(&self.failures)
            .and_then(|()| std::fs::write(&file, text))
            .map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Prints the table; `Ok(true)` if all answers check and at most one in 1,000 is unknown.
    fn report(&self) -> Result<bool, String> {
        let head =
            "family problems solved unknown unchecked wrong p50-ms p90-ms p99-ms max-ms mean-atoms";
        let mut rows = vec![head.split(' ').map(str::to_owned).collect::<Vec<String>>()];
        for (family, attempts) in &self.attempts {
            rows.push(row(family, &attempts.iter().collect::<Vec<_>>()));
        }
        let all: Vec<&Attempt> = self.attempts.values().flatten().collect();
        rows.push(row("all", &all));
        print!("{}", aligned(&rows));
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for attempt in &all {
            if let Outcome::Unknown(reason) = &attempt.outcome {
                *reasons.entry(reason).or_default() += 1;
            }
        }
        for (reason, count) in reasons {
            println!("unknown {count} times: {reason}");
        }
        let [_, unknown, unchecked, wrong] = counts(&all);
        Ok(wrong + unchecked == 0 && unknown * 1000 <= all.len())
    }
}

/// How many are solved, unknown, unchecked and wrong.
fn counts(attempts: &[&Attempt]) -> [usize; 4] {
    ["solved", "unknown", "unchecked", "wrong"].map(|name| {
        let matching = attempts
            .iter()
            .filter(|attempt| attempt.outcome.name() == name);
        matching.count()
    })
}

fn row(family: &str, attempts: &[&Attempt]) -> Vec<String> {
    let times: Vec<f64> = attempts
        .iter()
        .map(|a| a.time.as_secs_f64() * 1e3)
        .collect();
    let atoms = attempts.iter().flat_map(|attempt| attempt.outcome.atoms());
    let atoms: Vec<f64> = atoms.map(|&atoms| atoms as f64).collect();
    let mut row = vec![family.to_owned(), attempts.len().to_string()];
    row.extend(counts(attempts).map(|count| count.to_string()));
    let percents = [50, 90, 99, 100];
    row.extend(percents.map(|percent| format!("{:.2}", percentile(&times, percent))));
    row.push(format!("{:.2}", mean(&atoms)));
    row
}
