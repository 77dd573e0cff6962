//! Our interpolator beside cvc5's and Z3's Spacer, on the same problems in one run.
//!
//! Every tool has one long-lived process or instance and the same time for each problem; its time
//! is that of its calls, without reading the problem. Every answer goes through the same three
//! checks, and its atoms are counted after it was read back as a term of ours.

use crate::cairn::{Attempt, Cairn, Outcome, judged};
use crate::campaign::{folder, walking};
use crate::paths::{self, Walking};
use crate::peer::{self, Peer, Reply};
use crate::problem::{Drawn, Problem};
use crate::programs;
use crate::table::{aligned, mean, median};
use base::Rng;
use interpolate::Layers;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use testkit::problems::Options;

const OURS: &str = "cairn";
const OTHERS: [&str; 2] = ["cvc5", "spacer"];

/// Problems of one program.
const PER_PROGRAM: usize = 4;

/// One problem, tried by all.
struct Row {
    name: String,
    family: String,
    parts: usize,
    /// In the order of the tools.
    attempts: Vec<Attempt>,
}

/// `cargo xtask peers`. Always `Ok(true)` unless an answer of ours is wrong.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let count = crate::number(args, "--count", 200)? as usize;
    let limit = crate::seconds(args, "--timeout", 2.0)?;
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = own.ancestors().nth(2).ok_or("the build has no folder")?;
    let python = peer::environment(target)?;
    let mut problems = random_problems(count, crate::number(args, "--seed", 1)?);
    problems.extend(path_problems(args, count)?);
    let mut cairn = Cairn::new(Layers::ALL);
    let mut others = OTHERS.map(|name| Peer::new(name, &python));
    let mut rows = Vec::new();
    for (index, problem) in problems.iter().enumerate() {
        let mut attempts = vec![cairn.solve(problem, limit)];
        for other in &mut others {
            attempts.push(ask(other, problem, limit)?);
        }
        for (tool, attempt) in tools().iter().zip(&attempts) {
            if let Outcome::Wrong(reason) | Outcome::Unchecked(reason) = &attempt.outcome {
                let what = attempt.outcome.name();
                println!("{}: {tool}: {what}: {reason}", problem.name);
            }
        }
        rows.push(Row {
            name: problem.name.clone(),
            family: problem.family.clone(),
            parts: problem.parts.len(),
            attempts,
        });
        if (index + 1).is_multiple_of(50) {
            eprintln!("{} of {} problems", index + 1, problems.len());
        }
    }
    print!("{}", report(&rows));
    if let Some(file) = crate::word(args, "--csv")? {
        std::fs::write(file, csv(&rows)).map_err(|error| format!("{file}: {error}"))?;
    }
    let wrong = |row: &Row| matches!(row.attempts[0].outcome, Outcome::Wrong(_));
    Ok(!rows.iter().any(wrong))
}

fn tools() -> [&'static str; 3] {
    [OURS, OTHERS[0], OTHERS[1]]
}

fn random_problems(count: usize, seed: u64) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut next = seed.wrapping_mul(1 << 32);
    while problems.len() < count {
        match Problem::random(next, &Options::default()) {
            Drawn::Problem(problem) => problems.push(*problem),
            Drawn::Consistent | Drawn::Unclear => {}
        }
        next = next.wrapping_add(1);
    }
    problems
}

/// Problems of all programs, by lot.
fn path_problems(args: &[String], count: usize) -> Result<Vec<Problem>, String> {
    let Some(folder) = folder(args) else {
        return Ok(Vec::new());
    };
    let walking = Walking {
        paths: 3,
        ..walking(args)?
    };
    let mut rng = Rng::new(walking.seed);
    let mut sources = programs::collect(&folder)?;
    sources.sort_by_cached_key(|_| rng.bits());
    let mut chosen = Vec::new();
    for source in sources {
        if chosen.len() >= count {
            break;
        }
        // A program that cannot be read gives none; `cargo xtask paths` says so.
        if let Ok((mut problems, _)) = paths::problems(&source, &walking) {
            problems.sort_by_cached_key(|_| rng.bits());
            chosen.extend(problems.into_iter().take(PER_PROGRAM));
        }
    }
    chosen.truncate(count);
    Ok(chosen)
}

/// Asks a peer and checks its answer.
fn ask(other: &mut Peer, problem: &Problem, limit: Duration) -> Result<Attempt, String> {
    let (texts, time) = match other.ask(problem, limit)? {
        Reply::Solved(texts, time) => (texts, time),
        Reply::Unknown(reason, time) => {
            let outcome = Outcome::Unknown(reason);
            return Ok(Attempt { outcome, time });
        }
    };
    let mut store = problem.store.clone();
    let mut interpolants = Vec::new();
    for text in &texts {
        match logic::read::term(&mut store, text) {
            Ok(formula) => interpolants.push(formula),
            Err(error) => {
                println!(
                    "{}: cannot be read back: {}: {text}",
                    problem.name, error.message
                );
                let outcome = Outcome::Unknown(format!("cannot be read back: {}", error.message));
                return Ok(Attempt { outcome, time });
            }
        }
    }
    let outcome = judged(&mut store, &problem.parts, problem, &interpolants);
    Ok(Attempt { outcome, time })
}

/// The tables: all problems of each family, then those that all tools solved.
fn report(rows: &[Row]) -> String {
    let families: BTreeSet<&str> = rows.iter().map(|row| &*row.family).collect();
    let mut text = String::new();
    for only_common in [false, true] {
        text += match only_common {
            false => "each tool on what it solved\n",
            true => "\nall tools on what all solved\n",
        };
        let head = "family tool problems solved wrong median-ms mean-ms median-atoms mean-atoms \
                    median-time/cairn";
        let mut lines: Vec<Vec<String>> = vec![head.split(' ').map(str::to_owned).collect()];
        for family in families.iter().copied().map(Some).chain([None]) {
            let chosen: Vec<&Row> = rows
                .iter()
                .filter(|row| family.is_none_or(|family| row.family == family))
                .filter(|row| !only_common || row.attempts.iter().all(is_solved))
                .collect();
            let base = median(&times(&chosen, 0));
            for (index, tool) in tools().iter().enumerate() {
                let mut line = vec![family.unwrap_or("all").to_owned(), (*tool).to_owned()];
                line.extend(numbers(&chosen, index, base));
                lines.push(line);
            }
        }
        text += &aligned(&lines);
    }
    text + &reasons(rows)
}

fn is_solved(attempt: &Attempt) -> bool {
    matches!(attempt.outcome, Outcome::Solved(_))
}

/// The milliseconds of a tool for the problems it solved.
fn times(rows: &[&Row], tool: usize) -> Vec<f64> {
    let attempts = rows.iter().map(|row| &row.attempts[tool]);
    let solved = attempts.filter(|attempt| is_solved(attempt));
    solved
        .map(|attempt| attempt.time.as_secs_f64() * 1e3)
        .collect()
}

fn numbers(rows: &[&Row], tool: usize, base: f64) -> Vec<String> {
    let times = times(rows, tool);
    let wrong = |row: &&&Row| matches!(row.attempts[tool].outcome, Outcome::Wrong(_));
    let atoms: Vec<f64> = (rows.iter())
        .flat_map(|row| row.attempts[tool].outcome.atoms())
        .map(|&atoms| atoms as f64)
        .collect();
    let ratio = if base > 0.0 && !times.is_empty() {
        format!("{:.1}", median(&times) / base)
    } else {
        "-".to_owned()
    };
    vec![
        rows.len().to_string(),
        times.len().to_string(),
        rows.iter().filter(wrong).count().to_string(),
        format!("{:.2}", median(&times)),
        format!("{:.2}", mean(&times)),
        format!("{:.0}", median(&atoms)),
        format!("{:.2}", mean(&atoms)),
        ratio,
    ]
}

/// Why tools gave up, and how often.
fn reasons(rows: &[Row]) -> String {
    let mut text = String::new();
    for (index, tool) in tools().iter().enumerate() {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for row in rows {
            if let Outcome::Unknown(reason) = &row.attempts[index].outcome {
                // What varies stands at the end.
                let short = reason.split(['\n', '\'', ':']).next().unwrap_or_default();
                *counts.entry(short).or_default() += 1;
            }
        }
        for (reason, count) in counts {
            text += &format!("{tool} gave up {count} times: {reason}\n");
        }
    }
    text
}

fn csv(rows: &[Row]) -> String {
    let mut text = String::from("problem,family,parts,tool,outcome,seconds,atoms\n");
    for row in rows {
        for (tool, attempt) in tools().iter().zip(&row.attempts) {
            let outcome = attempt.outcome.name();
            let atoms: usize = attempt.outcome.atoms().iter().sum();
            text += &format!(
                "{},{},{},{tool},{outcome},{:.6},{atoms}\n",
                row.name,
                row.family,
                row.parts,
                attempt.time.as_secs_f64()
            );
        }
    }
    text
}
