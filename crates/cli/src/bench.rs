//! `cairn bench`: runs tasks in child processes under limits, and tabulates the results.
//!
//! # Invariants
//! - Same paths, same order of rows, however many workers there are.
//! - A row is on disk before the next one of its worker starts to count.

mod watch;

use crate::args::{BenchArgs, Cli};
use crate::console::Console;
use crate::engines;
use crate::exit;
use crate::signals;
use base::{Budget, Exhausted};
use bench::child::Limits;
use bench::folder::{Folder, Settings};
use bench::plan::{self, Task};
use bench::pool::{self, Job, Pool};
use bench::row::{Row, Status};
use bench::{plot, table};
use clap::Parser;
use input::Failure;
use input::property::Selection;
use std::collections::BTreeMap;
use watch::Watch;

/// Runs the command and returns its exit code.
pub(crate) fn run(args: &BenchArgs, console: &Console) -> Result<u8, Failure> {
    let engines = engines(&args.engine)?;
    Selection::parse(std::slice::from_ref(&args.property))?;
    let limits = Limits {
        time: args.timeout,
        memory: args.memory,
    };
    let tasks = plan::tasks(&args.paths, &args.property)?;
    let jobs = jobs(&tasks, &engines);
    for task in &tasks {
        if !jobs.iter().any(|job| std::ptr::eq(job.task, task)) {
            let file = task.file.display();
            console.remark(&format!(
                "`{file}` is left out: no engine that was named reads it\n"
            ));
        }
    }
    check_flags(&jobs, &limits, &args.flags)?;
    let settings = Settings::new(&args.property, &limits, &args.flags);
    let (mut folder, earlier) = match &args.out {
        None => (None, Vec::new()),
        Some(path) => {
            let (folder, earlier) = Folder::open(path, &settings, args.resume)?;
            (Some(folder), earlier)
        }
    };
    let budget = Budget::unlimited();
    signals::cancel_on_signal(&budget)?;
    let pool = Pool {
        program: std::env::current_exe()
            .map_err(|error| Failure::new(format!("cannot find this program: {error}")))?,
        flags: &args.flags,
        limits,
        workers: usize::from(args.jobs),
        budget: &budget,
    };
    let mut watch = Watch::new(console, jobs.len());
    let rows = collect(&jobs, earlier, &pool, folder.as_mut(), &mut watch)?;
    watch.finish();
    let table = table::markdown(&rows, &settings);
    if let Some(folder) = &folder {
        report(folder, &rows, &table, &engines, &limits)?;
    }
    console.answer(table.as_bytes())?;
    Ok(exit_code(&rows, &budget, args, console))
}

/// The engines of these names.
fn engines(names: &[String]) -> Result<Vec<&'static str>, Failure> {
    let mut found = Vec::new();
    for name in names {
        let of_clauses = engines::find_clause_engine(name).map(|engine| engine.name());
        let name = match engines::find(name) {
            Ok(engine) => engine.name(),
            Err(failure) => of_clauses.map_err(|_| failure)?,
        };
        if !found.contains(&name) {
            found.push(name);
        }
    }
    Ok(found)
}

/// Every task with every engine that takes such tasks; those of one task one after the other, so
/// that a run that was interrupted still compares engines.
fn jobs<'a>(tasks: &'a [Task], engines: &[&'static str]) -> Vec<Job<'a>> {
    tasks
        .iter()
        .flat_map(|task| engines.iter().map(move |&engine| Job { task, engine }))
        .filter(|job| match job.task.is_horn() {
            true => engines::find_clause_engine(job.engine).is_ok(),
            false => engines::find(job.engine).is_ok(),
        })
        .collect()
}

/// Refuses flags that `cairn check` would refuse, before hundreds of children do.
fn check_flags(jobs: &[Job<'_>], limits: &Limits, flags: &[String]) -> Result<(), Failure> {
    let Some(job) = jobs.first() else {
        return Ok(());
    };
    let words = pool::arguments(job, limits, flags);
    match Cli::try_parse_from(std::iter::once("cairn".to_owned()).chain(words)) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            let message = line.strip_prefix("error: ").unwrap_or(line);
            Err(Failure::new(format!(
                "the flags for `cairn check`: {message}"
            )))
        }
    }
}

/// The rows of all jobs, in the order of the jobs: known already, or by running them. Behind them
/// the rows of other jobs that the folder has.
fn collect(
    jobs: &[Job<'_>],
    earlier: Vec<Row>,
    pool: &Pool<'_>,
    mut folder: Option<&mut Folder>,
    watch: &mut Watch<'_>,
) -> Result<Vec<Row>, Failure> {
    let named = |row: Row| ((row.task.clone(), row.engine.clone()), row);
    let mut known: BTreeMap<(String, String), Row> = earlier.into_iter().map(named).collect();
    let mut rows: Vec<Option<Row>> = jobs
        .iter()
        .map(|job| {
            let task = job.task.file.to_string_lossy().into_owned();
            known.remove(&(task, job.engine.to_owned()))
        })
        .collect();
    rows.iter().flatten().for_each(|row| watch.tally.add(row));
    let missing: Vec<usize> = (0..jobs.len())
        .filter(|&number| rows[number].is_none())
        .collect();
    let todo: Vec<Job<'_>> = missing.iter().map(|&number| jobs[number]).collect();
    let mut written = Ok(());
    pool.run(&todo, |arrived| {
        let Some((number, row)) = arrived else {
            return watch.tick();
        };
        if let Some(folder) = &mut folder
            && written.is_ok()
        {
            written = folder.append(&row);
            if written.is_err() {
                pool.budget.cancel();
            }
        }
        watch.arrived(&row);
        rows[missing[number]] = Some(row);
    });
    written?;
    Ok(rows
        .into_iter()
        .flatten()
        .chain(known.into_values())
        .collect())
}

/// Writes the files of the folder.
fn report(
    folder: &Folder,
    rows: &[Row],
    table: &str,
    engines: &[&str],
    limits: &Limits,
) -> Result<(), Failure> {
    folder.write_rows(rows)?;
    folder.write("table.md", table)?;
    folder.write("cactus.svg", &plot::cactus::svg(rows, engines, limits.time))?;
    if let [first, second, ..] = engines {
        let plot = plot::scatter::svg(rows, first, second, limits.time);
        folder.write("scatter.svg", &plot)?;
    }
    Ok(())
}

fn exit_code(rows: &[Row], budget: &Budget, args: &BenchArgs, console: &Console) -> u8 {
    let interrupted = budget.stopped() == Some(Exhausted::Cancelled);
    if interrupted {
        let more = if args.out.is_some() {
            "; --resume goes on"
        } else {
            ""
        };
        console.remark(&format!("stopped after {} rows{more}\n", rows.len()));
    }
    if rows.iter().any(|row| row.status == Status::Wrong) {
        exit::UNSAFE
    } else if interrupted {
        exit::UNKNOWN
    } else {
        exit::SAFE
    }
}
