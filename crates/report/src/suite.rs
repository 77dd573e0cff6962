//! Test suites for readers and other tools: text, JSON, a page, and the files of Test-Comp.

use crate::answer::{Input, SourceFile, Subject};
use crate::json::{self, Json};
use crate::markup::escape;
use crate::object;
use crate::place::Place;
use crate::reporter::Reporter;
use engine::la::Statistics;
use engine::test_suite::places::{GoalKind, NamedGoal};
use engine::test_suite::{GoalFate, TestSuite};
use exec::End;
use input::Loaded;
use std::collections::BTreeMap;
use std::fmt::Write;
use witness::format::{hash, now};

/// A test suite, ready to be shown.
pub struct SuiteReport {
    subject: Subject,
    kind: GoalKind,
    goals: Vec<GoalRow>,
    tests: Vec<TestRow>,
    files: Vec<SourceFile>,
    statistics: Statistics,
    curve: Vec<(u64, usize)>,
    /// How long it took.
    pub seconds: f64,
}

/// What became of a goal.
struct GoalRow {
    place: Option<Place>,
    function: String,
    what: String,
    state: State,
    test: Option<usize>,
    reason: Option<String>,
}

/// What can become of a goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Unreachable,
    Covered,
    /// On the machine, but by no test that a compiled program repeats.
    Reached,
    Open,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::Covered => "covered",
            State::Reached => "reached",
            State::Unreachable => "unreachable",
            State::Open => "open",
        }
    }
}

struct TestRow {
    inputs: Vec<Input>,
    covers: usize,
    end: &'static str,
    is_error: bool,
    obstacle: Option<String>,
}

impl Reporter<'_> {
    /// A test suite for goals of the program.
    pub fn suite(&self, kind: GoalKind, goals: &[NamedGoal], suite: &TestSuite) -> SuiteReport {
        let rows = goals.iter().zip(&suite.fates).map(|(goal, fate)| {
            let (state, test, reason) = match fate {
                GoalFate::Covered(test) => (State::Covered, Some(test + 1), None),
                GoalFate::Reached(test) => {
                    let obstacle = suite.tests[*test].obstacle.clone();
                    (State::Reached, Some(test + 1), obstacle)
                }
                GoalFate::Unreachable => (State::Unreachable, None, None),
                GoalFate::Open(reason) => (State::Open, None, Some(reason.message.clone())),
            };
            GoalRow {
                place: self.place(goal.span),
                function: self.loaded.program.procs[goal.proc].name.to_string(),
                what: goal.what.clone(),
                state,
                test,
                reason,
            }
        });
        let tests = suite.tests.iter().map(|test| TestRow {
            inputs: self.inputs(&test.inputs),
            covers: test.covers.len(),
            end: end_name(&test.end),
            is_error: matches!(test.end, End::Violated(..)),
            obstacle: test.obstacle.clone(),
        });
        let answer = self.subject("tests");
        SuiteReport {
            kind,
            goals: rows.collect(),
            tests: tests.collect(),
            files: answer.files,
            subject: answer.subject,
            statistics: suite.statistics.clone(),
            curve: suite.curve.clone(),
            seconds: 0.0,
        }
    }
}

/// How a run ended, in a word.
pub(crate) fn end_name(end: &End) -> &'static str {
    match end {
        End::Exited(_) => "exited",
        End::Aborted => "aborted",
        End::Blocked => "blocked",
        End::Violated(..) => "violated",
        End::Undefined(_) => "undefined",
        End::Unsupported(_) => "unsupported",
        End::OutOfInputs => "out-of-inputs",
        End::OutOfBudget(_) => "out-of-budget",
    }
}

impl SuiteReport {
    fn count(&self, state: State) -> usize {
        self.goals.iter().filter(|row| row.state == state).count()
    }

    /// Whether every goal is covered, reached or unreachable.
    pub fn is_complete(&self) -> bool {
        self.count(State::Open) == 0
    }

    /// What came of it, in a line.
    pub fn headline(&self) -> String {
        use State::*;
        let [covered, reached] = [Covered, Reached].map(|state| self.count(state));
        let [unreachable, open] = [Unreachable, Open].map(|state| self.count(state));
        let is_repeated = |test: &&TestRow| test.obstacle.is_none();
        let tests = self.tests.iter().filter(is_repeated).count();
        let reached = match reached {
            0 => String::new(),
            _ => format!(", {reached} reached by tests that no compiled program repeats"),
        };
        format!(
            "{} goals ({}): {covered} covered by {tests} tests{reached}, {unreachable} unreachable, \
             {open} open",
            self.goals.len(),
            self.kind.name(),
        )
    }

    /// For people: a line for each goal that is not covered, or for all of them.
    pub fn text(&self, all: bool) -> String {
        let mut text = String::new();
        let is_shown = |row: &&GoalRow| all || row.state != State::Covered;
        for row in self.goals.iter().filter(is_shown) {
            let _ = writeln!(text, "{}", row.line());
        }
        let _ = writeln!(text, "{}", self.headline());
        let row = &self.statistics;
        let _ = writeln!(
            text,
            "{} backtracks, {} decisions, {} labels learned",
            row.backtracks, row.decisions, row.learned
        );
        text
    }

    /// The JSON document.
    pub fn json(&self) -> String {
        let subject = &self.subject;
        let document = object! {
            "files": subject.files.clone(),
            "entry": subject.entry.clone(),
            "data_model": subject.data_model,
            "goal": self.kind.name(),
            "summary": object! {
                "goals": self.goals.len(),
                "covered": self.count(State::Covered),
                "reached": self.count(State::Reached),
                "unreachable": self.count(State::Unreachable),
                "open": self.count(State::Open),
                "tests": self.tests.len(),
            },
            "goals": Json::list(&self.goals, GoalRow::json),
            "tests": Json::list(&self.tests, TestRow::json),
            "stats": object! {
                "seconds": self.seconds,
                "backtracks": self.statistics.backtracks,
                "decisions": self.statistics.decisions,
                "learned": self.statistics.learned,
                "labels": self.statistics.labels,
            },
            "curve": Json::list(&self.curve, |&(backtracks, covered)| object! {
                "backtracks": backtracks,
                "covered": covered,
            }),
        };
        document.text("tests")
    }

    /// The state of each line that has goals: the last of them in the order of states, so that a line
    /// that is covered in part is not unreachable, and one that is open in part is open.
    fn lines(&self) -> BTreeMap<(usize, u32), (State, Vec<&GoalRow>)> {
        let mut lines: BTreeMap<(usize, u32), (State, Vec<&GoalRow>)> = BTreeMap::new();
        for row in &self.goals {
            let at = row.place.as_ref();
            let Some(at) = at.and_then(|at| Some((at.file?, at.line()))) else {
                continue;
            };
            let line = lines.entry(at).or_insert((row.state, Vec::new()));
            line.0 = line.0.max(row.state);
            line.1.push(row);
        }
        lines
    }

    /// A page with the source: lines that are covered, unreachable and open.
    pub fn html(&self) -> String {
        let lines = self.lines();
        let mut body = String::new();
        let _ = writeln!(body, "<h1>{}</h1>", escape(&self.headline()));
        for (file, source) in self.files.iter().enumerate() {
            let _ = writeln!(body, "<h2>{}</h2>\n<pre>", escape(&source.name));
            for (number, line) in (1u32..).zip(&source.lines) {
                let (class, title) = match lines.get(&(file, number)) {
                    Some((state, rows)) => {
                        let rows: Vec<String> = rows.iter().map(|row| row.remark()).collect();
                        (state.name(), rows.join("; "))
                    }
                    None => ("none", String::new()),
                };
                let _ = writeln!(
                    body,
                    "<span class=\"line {class}\" title=\"{}\"><span class=\"number\">{number:5}</span> \
                     {}</span>",
                    escape(&title),
                    escape(line)
                );
            }
            body += "</pre>\n";
        }
        PAGE.replace("{body}", &body)
    }

    /// `metadata.xml` of a suite.
    pub fn metadata(&self, loaded: &Loaded) -> String {
        let specification = match self.kind {
            GoalKind::Branches => "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            GoalKind::Locations | GoalKind::Lines => {
                "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )"
            }
            GoalKind::Error => "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )",
        };
        let file = loaded.request.files.first();
        let text = file.and_then(|file| std::fs::read(file).ok());
        let bits = match self.subject.data_model {
            "ILP32" => "32bit",
            _ => "64bit",
        };
        let producer = concat!("cairn ", env!("CARGO_PKG_VERSION"));
        let rows = [
            ("sourcecodelang", "C".to_owned()),
            ("producer", producer.to_owned()),
            ("specification", specification.to_owned()),
            (
                "programfile",
                self.subject.files.first().cloned().unwrap_or_default(),
            ),
            ("programhash", hash(&text.unwrap_or_default())),
            ("entryfunction", self.subject.entry.clone()),
            ("architecture", bits.to_owned()),
            ("creationtime", now()),
        ];
        let mut document = head("test-metadata");
        document += "<test-metadata>\n";
        for (name, value) in rows {
            let _ = writeln!(document, "  <{name}>{}</{name}>", escape(&value));
        }
        document + "</test-metadata>\n"
    }

    /// The tests, each as a file of a suite. What a program takes from elsewhere than from input
    /// functions is left out, as the format has no place for it.
    pub fn testcases(&self) -> Vec<String> {
        let tests = self.tests.iter().map(|test| {
            let covers_error = match test.is_error {
                true => " coversError=\"true\"",
                false => "",
            };
            let mut document = head("testcase");
            let _ = writeln!(document, "<testcase{covers_error}>");
            for input in test.inputs.iter().filter(|input| input.kind == "nondet") {
                let _ = writeln!(
                    document,
                    "  <input type=\"{}\">{}</input>",
                    escape(&c_type(&input.name, &input.ty)),
                    escape(&input.value)
                );
            }
            document + "</testcase>\n"
        });
        tests.collect()
    }
}

/// The type that an input function is named after, or that of the value.
fn c_type(name: &str, ty: &str) -> String {
    match name.strip_prefix("__VERIFIER_nondet_") {
        Some(named) => named.to_owned(),
        None => ty.to_owned(),
    }
}

/// What an XML document begins with.
fn head(name: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE {name} PUBLIC \
         \"+//IDN sosy-lab.org//DTD test-format {name} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{name}-1.1.dtd\">\n"
    )
}

impl GoalRow {
    /// `a.c:3: open: the condition holds (why)`.
    fn line(&self) -> String {
        let place = self.place.as_ref();
        let place = place.map_or_else(|| self.function.clone(), Place::shown);
        format!("{place}: {}", self.remark())
    }

    fn remark(&self) -> String {
        let (state, what) = (self.state.name(), &self.what);
        match (&self.reason, self.test) {
            (Some(reason), Some(test)) => format!("{state}: {what} (test {test}: {reason})"),
            (Some(reason), None) => format!("{state}: {what} ({reason})"),
            (None, Some(test)) => format!("{state}: {what} (test {test})"),
            (None, None) => format!("{state}: {what}"),
        }
    }

    fn json(&self) -> Json {
        object! {
            "state": self.state.name(),
            "what": self.what.clone(),
            "function": self.function.clone(),
            "": json::at(&self.place),
            "test": self.test,
            "reason": self.reason.clone(),
        }
    }
}

impl TestRow {
    fn json(&self) -> Json {
        object! {
            "covers": self.covers,
            "end": self.end,
            "obstacle": self.obstacle.clone(),
            "inputs": Json::list(&self.inputs, |input| object! {
                "name": input.name.clone(),
                "kind": input.kind,
                "type": input.ty.clone(),
                "value": input.value.clone(),
            }),
        }
    }
}

/// The page around the source.
const PAGE: &str = r#"<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Coverage</title>
<style>
body { font-family: sans-serif; margin: 2em; color: #222; background: #fff; }
pre { font-size: 90%; line-height: 1.35; }
.line { display: block; padding-left: .5em; border-left: .4em solid transparent; white-space: pre; }
.number { color: #888; }
.covered { background: #e3f5e3; border-color: #2a8a2a; }
.reached { background: #f1f5d8; border-color: #8a9a2a; }
.unreachable { background: #e6e9f5; border-color: #4a5bb0; }
.open { background: #fbeedd; border-color: #d07a00; }
</style></head><body>
<p><span class="covered">covered by a test</span>
<span class="reached">reached by a test that no compiled program repeats</span>
<span class="unreachable">proved unreachable</span>
<span class="open">open</span></p>
{body}</body></html>
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_open_as_its_goals() {
        let states = [
            State::Unreachable,
            State::Covered,
            State::Reached,
            State::Open,
        ];
        assert!(states.is_sorted());
        assert_eq!(c_type("__VERIFIER_nondet_uchar", "u8"), "uchar");
        assert_eq!(c_type("f", "i32"), "i32");
        let head = head("testcase");
        assert!(head.contains("<!DOCTYPE testcase PUBLIC") && head.ends_with("1.1.dtd\">\n"));
    }
}
