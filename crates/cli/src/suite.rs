//! `cairn tests`: tests for what can be reached, proofs for the rest.
//!
//! Exit codes: 0 if every goal is covered, reached or unreachable, 3 if some are open.

use crate::args::{First, TestsArgs};
use crate::console::Console;
use crate::engines;
use crate::exit;
use crate::limits::CHECKING_GRACE;
use crate::load;
use crate::outputs::Outputs;
use crate::progress::Progress;
use base::Budget;
use engine::test_suite::places::{NamedGoal, named_goals};
use engine::test_suite::{
    Obstacles, RandomRuns, SuiteGoal, SuiteProgress, SuiteTask, TestCase, TestSuite, make_suite,
};
use engine::{Engine, Options};
use input::{Failure, Loaded};
use report::{Reporter, SuiteReport};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use witness::test_driver::{Failing, file, impassable, obstacle};

/// What is wrong with a file or folder of a suite.
const UNWRITTEN: &str = "cannot write";

/// Runs the command and returns its exit code.
pub(crate) fn run(args: &TestsArgs, console: &Console, budget: &Budget) -> Result<u8, Failure> {
    let start = Instant::now();
    let rest = match args.rest.as_str() {
        "none" => None,
        name => Some(engines::find(name)?),
    };
    console.enter("reading the program");
    let loaded = load::load(&args.source, console)?;
    let kind = args.goal.kind();
    let goals = named_goals(&loaded.program, &loaded.sources, kind);
    let mut folder = args.out.as_deref().map(Folder::open).transpose()?;
    let progress = console.shows_progress().then(|| Arc::new(Progress::new()));
    let budget = match &progress {
        Some(progress) => budget.clone().with_observer(Arc::clone(progress) as _),
        None => budget.clone(),
    };
    console.enter("making tests");
    let mut on_progress = |test: &TestCase, so_far: SuiteProgress| {
        if let Some(folder) = &mut folder {
            folder.add(&loaded, test);
        }
        let SuiteProgress {
            goals,
            covered,
            tests,
        } = so_far;
        if console.verbose {
            console.remark(&format!(
                "test {tests}: {covered} of {goals} goals are covered\n"
            ));
        }
        let kept = match &args.out {
            Some(folder) => format!("which are in `{}`", folder.display()),
            None => "which `--out DIR` keeps".to_owned(),
        };
        console.so_far(format!(
            "{covered} of {goals} goals are covered by {tests} tests, {kept}"
        ));
    };
    let suite = made(args, &loaded, &goals, rest, &budget, &mut on_progress);
    if let Some(progress) = &progress {
        progress.clear();
    }
    console.enter("making the answer ready");
    let reporter = Reporter::new(&loaded, args.html.is_some());
    let mut report = reporter.suite(kind, &goals, &suite);
    report.seconds = start.elapsed().as_secs_f64();
    let text = match args.json {
        true => report.json(),
        false => report.text(console.verbose),
    };
    console.answer(text.as_bytes())?;
    let mut outputs = Outputs::new(console, false);
    outputs.write(args.html.as_deref(), "HTML report", || Ok(report.html()));
    if let Some(folder) = folder
        && let Err(failure) = folder.finish(&loaded, &suite, &report)
    {
        outputs.fail(&failure);
    }
    let code = match report.is_complete() {
        true => exit::SAFE,
        false => exit::UNKNOWN,
    };
    Ok(outputs.exit_code(code))
}

fn made(
    args: &TestsArgs,
    loaded: &Loaded,
    goals: &[NamedGoal],
    rest: Option<&dyn Engine>,
    budget: &Budget,
    on_progress: &mut dyn FnMut(&TestCase, SuiteProgress),
) -> TestSuite {
    let goals: Vec<SuiteGoal> = goals.iter().map(|goal| goal.goal.clone()).collect();
    let obstacles = Obstacles {
        edges: impassable(loaded),
        of_run: &|inputs, end| obstacle(loaded, inputs, end),
    };
    let task = SuiteTask {
        program: &loaded.program,
        goals: &goals,
        runs: match args.first {
            First::All => RandomRuns::Few,
            First::Random => RandomRuns::Many,
            First::La | First::None => RandomRuns::None,
        },
        annotates: matches!(args.first, First::All | First::La),
        rest,
        options: Options {
            learn: args.learn.is_on(),
            ..Options::default()
        },
        seed: args.seed,
        obstacles: &obstacles,
    };
    let checking = || budget.extended(CHECKING_GRACE);
    make_suite(&task, budget, checking, on_progress)
}

/// A folder with a suite. Tests are written as they are found, so that they are there whatever
/// happens next; in the end those that cover nothing that others do not are gone.
struct Folder {
    path: PathBuf,
    written: Vec<PathBuf>,
}

impl Folder {
    fn open(path: &Path) -> Result<Folder, Failure> {
        let made = std::fs::create_dir_all(path);
        made.map_err(|error| Failure::io(UNWRITTEN, path, &error))?;
        Ok(Folder {
            path: path.to_owned(),
            written: Vec::new(),
        })
    }

    /// Writes a test that was just found.
    fn add(&mut self, loaded: &Loaded, test: &TestCase) {
        // What cannot be written now is reported in the end.
        let _ = self.driver(loaded, test, self.written.len() + 1);
    }

    /// Writes the driver of a test, if a driver can give its inputs.
    fn driver(&mut self, loaded: &Loaded, test: &TestCase, number: usize) -> Result<(), Failure> {
        let path = self.path.join(format!("test-{number}.c"));
        let test = Failing::of_test(loaded, &test.inputs, test.obstacle.as_deref());
        let text = test.and_then(|test| file(&test, &path));
        match text {
            Ok(text) => self.write(&path, &text),
            Err(why) => {
                let text = format!("no driver can give the inputs of test {number}: {why}\n");
                self.write(&path.with_extension("txt"), &text)
            }
        }
    }

    fn write(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        self.written.push(path.to_owned());
        std::fs::write(path, text).map_err(|error| Failure::io(UNWRITTEN, path, &error))
    }

    /// Replaces what was written by the suite as it is in the end.
    fn finish(
        mut self,
        loaded: &Loaded,
        suite: &TestSuite,
        report: &SuiteReport,
    ) -> Result<(), Failure> {
        for path in std::mem::take(&mut self.written) {
            let removed = std::fs::remove_file(&path);
            removed.map_err(|error| Failure::io(UNWRITTEN, &path, &error))?;
        }
        for (number, test) in (1..).zip(&suite.tests) {
            self.driver(loaded, test, number)?;
        }
        for (number, text) in (1..).zip(report.testcases()) {
            self.write(&self.path.join(format!("testcase-{number}.xml")), &text)?;
        }
        self.write(&self.path.join("metadata.xml"), &report.metadata(loaded))?;
        self.write(&self.path.join("coverage.json"), &report.json())
    }
}
