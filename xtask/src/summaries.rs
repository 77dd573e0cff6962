//! States that runs pass through must not be outside of what summaries of loops and paths say.

use crate::programs::{self, Source};
use crate::{number, parallel, seconds};
use base::{Diagnostics, SourceMap};
use encode::reduce::prepare::prepare;
use program::ir::Program;
use program::pass::inline::InlineLimit;
use sampling::{Sampling, Tally, sample, texts};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use summary::Level;

/// Random programs.
const RANDOM: u64 = 300;

/// What to sample: a program of a folder, or the random one of a seed; and whether summaries
/// describe wrapping.
enum Job {
    Read(Source, bool),
    Random(u64, bool),
}

impl Job {
    fn name(&self) -> String {
        let (name, wraps) = match self {
            Job::Read(source, wraps) => (source.file.display().to_string(), wraps),
            Job::Random(seed, wraps) => (format!("random program {seed}"), wraps),
        };
        match wraps {
            true => name,
            false => format!("{name} (without wrapping)"),
        }
    }

    fn run(&self, samples: usize, seed: u64, time: Duration) -> Result<Tally, String> {
        let (program, wraps) = match self {
            Job::Read(source, wraps) => (programs::prepared(source)?, *wraps),
            Job::Random(seed, wraps) => (of_text(&texts::loops(*seed))?, *wraps),
        };
        let sampling = Sampling {
            wraps,
            level: Level::Phases,
            runs: 30,
            samples,
            seed,
            time,
        };
        Ok(sample(&program, &sampling))
    }
}

/// `summaries DIR… [--samples N] [--random N] [--seed S] [--timeout SECONDS]`: about N samples of
/// the programs of the folders, and as many of random ones.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let count = number(args, "--samples", 100_000)? as usize;
    let random = number(args, "--random", RANDOM)?;
    let seed = number(args, "--seed", 0)?;
    let time = seconds(args, "--timeout", 5.0)?;
    let mut jobs = Vec::new();
    for folder in args.iter().take_while(|arg| !arg.starts_with("--")) {
        if !Path::new(folder).is_dir() {
            println!("skipped: there is no folder {folder}");
            continue;
        }
        for source in programs::collect(Path::new(folder))? {
            jobs.push(Job::Read(source.clone(), true));
            jobs.push(Job::Read(source, false));
        }
    }
    for seed in (0..random).map(|number| seed + number) {
        jobs.extend([Job::Random(seed, true), Job::Random(seed, false)]);
    }
    // A program has some ten loops and locations, not all of which have as many states.
    let each = count.div_ceil(jobs.len().max(1)).div_ceil(5);
    let (done, inside) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results = parallel(&jobs, |job| {
        let run = std::panic::AssertUnwindSafe(|| job.run(each, seed, time));
        let tally = std::panic::catch_unwind(run);
        let tally = tally.unwrap_or_else(|_| Err("panicked".into()));
        if let Ok(tally) = &tally {
            inside.fetch_add(tally.inside(), Ordering::Relaxed);
            for outside in &tally.outside {
                println!("outside: {}: {outside}", job.name());
            }
        }
        let done = 1 + done.fetch_add(1, Ordering::Relaxed);
        if done.is_multiple_of(20) {
            let inside = inside.load(Ordering::Relaxed);
            eprintln!("{done} of {} programs, {inside} samples inside", jobs.len());
        }
        tally
    });
    let mut all = Tally::default();
    let mut panics = 0;
    for (job, result) in jobs.iter().zip(results) {
        match result {
            Ok(tally) => all.add(tally),
            Err(reason) => {
                println!("skipped {}: {reason}", job.name());
                panics += usize::from(reason == "panicked");
            }
        }
    }
    println!(
        "{} programs; runs that fail: {}; inside: {} states, {} pairs around loops, {} states before \
         errors; undecided: {}; outside: {}",
        jobs.len(),
        all.failing,
        all.states,
        all.pairs,
        all.errors,
        all.unknown,
        all.outside.len()
    );
    Ok(all.outside.is_empty() && panics == 0)
}

/// The program of a C text.
fn of_text(text: &str) -> Result<Program, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("random.c", text.into());
    let file = file.ok_or("the text is too long")?;
    let mut diagnostics = Diagnostics::new();
    let options = cfront::Options::default();
    let ast = cfront::parse(&mut sources, &[file], &options, &mut diagnostics);
    let options = lower::Options::default();
    let program = lower::lower(&ast, &options, &mut diagnostics);
    let program = program.ok_or("the text is no program")?;
    Ok(prepare(&program, InlineLimit::default(), false))
}
