//! The result of a command, built once for all printers: text, JSON, HTML, SARIF, JUnit.
//!
//! The serialised form is the document inside an HTML report, so its names are stable.

use crate::place::{Place, is_off_page};
use certify::ReasonKind;
use program::ir::Property;
use serde::Serialize;
use std::collections::BTreeMap;
use witness::confirm::Confirmed;

/// Everything about one answer. Parts that were not requested are empty.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Answer {
    /// `cairn` and its version.
    pub tool: String,
    /// The command line.
    pub command: String,
    /// `safe`, `unsafe` or `unknown`; empty if nothing was decided.
    pub verdict: &'static str,
    /// The verdict in a sentence: what fails, what was proved, or why neither.
    pub headline: String,
    /// The source location of the headline, if any.
    pub place: Option<Place>,
    /// Further remarks: notes of a reason, leaps over loops.
    pub notes: Vec<Note>,
    /// What the user could try, one sentence each.
    pub help: Vec<String>,
    /// The values in the failing condition, as text, at its location; then, outwards, those in the
    /// calls that passed them.
    pub operands: Vec<Note>,
    /// What the answer assumes.
    pub assumptions: Vec<String>,
    /// The source files, as written; for a page.
    pub files: Vec<SourceFile>,
    /// The inputs that the run consumed, in order.
    pub inputs: Vec<Input>,
    /// The run, step by step.
    pub steps: Vec<Step>,
    /// How often a line was executed, by the failing run or by the tests of the search.
    pub coverage: Vec<Covered>,
    /// What executed those lines: `the failing run`, `3 tests of the search`.
    pub covered_by: String,
    /// What is known about loops.
    pub loops: Vec<Loop>,
    /// The unwinding of the last search.
    pub unwinding: Vec<Vertex>,
    /// What the engine did, in order.
    pub story: Vec<Event>,
    /// Numbers with names, in the order to be shown.
    pub statistics: Vec<(String, String)>,
    /// How long each phase took, in seconds, in order.
    pub timings: Vec<(String, f64)>,
    /// Why parts are empty, by the names of their fields.
    pub missing: BTreeMap<String, String>,
    /// What to show first: `trace`, `unwinding`, `loops`, `story` or `statistics`; empty to choose
    /// by verdict.
    pub first: String,

    /// The program, and what is checked.
    #[serde(skip)]
    pub subject: Subject,
    /// What the verdict found.
    #[serde(skip)]
    pub finding: Finding,
    /// What fails, what was shown or why there is no verdict: the headline without details.
    #[serde(skip)]
    pub message: String,
    /// Whether the run was recorded and, if so, whether it is known which steps matter.
    #[serde(skip)]
    pub sliced: Option<bool>,
    /// How many steps the run has.
    #[serde(skip)]
    pub run_steps: Option<u64>,
    /// The number of runs, if all runs of the program were enumerated.
    #[serde(skip)]
    pub runs: Option<u64>,
    /// The call stack of the failure, innermost first: the calling functions, and where.
    #[serde(skip)]
    pub callers: Vec<(String, Option<Place>)>,
    /// Loop iterations that were proved, not run.
    #[serde(skip)]
    pub leaps: Vec<Leap>,
    /// What the proof says about loops.
    #[serde(skip)]
    pub invariants: Vec<Invariant>,
    /// What the proof says about function calls.
    pub contracts: Vec<Contract>,
    /// What the compiled program did.
    #[serde(skip)]
    pub confirmed: Option<Confirmed>,
    /// How a run on given inputs ended.
    #[serde(skip)]
    pub end: Option<RunEnd>,
    /// Each error location, if each was decided separately; in source order.
    #[serde(skip)]
    pub goals: Vec<GoalAnswer>,
    /// The result for a witness.
    #[serde(skip)]
    pub witness: Option<WitnessResult>,
    /// Its cost.
    #[serde(skip)]
    pub cost: Cost,
}

/// What a verdict found, for printers that classify answers.
#[derive(Clone, PartialEq, Default, Debug)]
pub enum Finding {
    /// Nothing is violated; or nothing was decided.
    #[default]
    Nothing,
    /// This property is violated, in this function.
    Violation(Property, String),
    /// There is no verdict.
    Unknown(ReasonKind),
}

/// The program, and what is checked.
#[derive(Clone, Default, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Subject {
    /// The subcommand.
    pub action: &'static str,
    /// The source files, as given.
    pub files: Vec<String>,
    pub entry: String,
    pub data_model: &'static str,
    /// The names of the properties that are checked.
    pub properties: Vec<&'static str>,
    pub engine: Option<&'static str>,
    pub procedures: usize,
    pub locations: usize,
    pub edges: usize,
}

/// The cost of an answer.
#[derive(Clone, Default, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Cost {
    pub seconds: f64,
    pub effort: Option<u64>,
    /// The engine's counters, by name.
    pub counters: BTreeMap<&'static str, u64>,
}

/// The result for one error location.
#[derive(Clone, Debug)]
pub struct GoalAnswer {
    /// `safe`, `unsafe` or `unknown`; `unreachable` if no run reaches the assertion at all.
    pub verdict: &'static str,
    /// What is violated there.
    pub property: Property,
    /// In words.
    pub message: String,
    /// The enclosing function.
    pub function: String,
    /// Where.
    pub place: Option<Place>,
    /// The inputs of the run that reaches it, in order.
    pub inputs: Vec<Input>,
    /// Why there is no verdict.
    pub reason: Option<(ReasonKind, String)>,
}

/// How a run ended.
#[derive(Clone, Default, Debug)]
pub struct RunEnd {
    /// One word.
    pub kind: &'static str,
    /// The exit status, if the program exits.
    pub status: Option<i32>,
    /// What the program printed.
    pub output: String,
}

/// The result for a witness.
#[derive(Clone, Default, Debug)]
pub struct WitnessResult {
    /// `confirmed`, `rejected` or `unknown`.
    pub result: &'static str,
    /// In words.
    pub message: String,
    /// Warnings about it.
    pub warnings: Vec<String>,
}

/// A remark.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Note {
    /// In words.
    pub text: String,
    /// The source location it is about.
    pub place: Option<Place>,
}

/// A source file.
#[derive(Serialize, Clone, Default, Debug)]
pub struct SourceFile {
    /// Its name as given.
    pub name: String,
    /// Its lines, without their ends.
    pub lines: Vec<String>,
}

/// An input of the program.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Input {
    /// The function called, or the variable.
    pub name: String,
    /// `nondet`, `external`, `uninitialized`, `contents`, `argument`, `failure`, `outside` or `choice`.
    pub kind: &'static str,
    /// The value.
    pub value: String,
    /// Where.
    pub place: Option<Place>,
    /// The type of the value.
    #[serde(skip)]
    pub ty: String,
    /// The name, with what it is: `f()`, `x (argument)`.
    #[serde(skip)]
    pub label: String,
}

/// A line as executed once.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Step {
    /// Where.
    pub place: Option<Place>,
    /// The function.
    pub function: String,
    /// The call depth; 0 in the function that the program starts in.
    pub depth: usize,
    /// The same, with all calls of a recursion but the first counted as one.
    pub indent: usize,
    /// The arguments, if this is the first line of a call.
    pub arguments: Option<Vec<Assigned>>,
    /// What got a value here.
    pub values: Vec<Assigned>,
    /// Whether the failure depends on something that happened here, or in a call from here.
    pub matters: bool,
    /// The number of the iteration, if this is the first line of an iteration of a loop, counted
    /// from 1.
    pub iteration: Option<u64>,
    /// How many iterations of the loop were omitted before this step.
    pub skipped: u64,
    /// How many other lines were omitted before this step.
    pub left_out: u64,
    /// The call of a recursion, if this is its first line or the first after a return to it.
    pub recursion: Option<RecursiveCall>,
    /// How many iterations the loop has, if this is the first line of one.
    #[serde(skip)]
    pub iterations: u64,
    /// Whether there may be more, because the loop continues after a recursive call.
    #[serde(skip)]
    pub goes_on: bool,
    /// How many were complete before the last such call.
    #[serde(skip)]
    pub complete: u64,
    /// The line of that loop's head.
    #[serde(skip)]
    pub head_line: Option<u32>,
    /// How many enclosing loops are being iterated in this call.
    #[serde(skip)]
    pub nest: usize,
}

/// A call of a recursion.
#[derive(Serialize, Clone, Default, Debug)]
pub struct RecursiveCall {
    /// Which, counted from 1 as they are made.
    pub number: u64,
    /// How many calls the recursion has.
    pub of: u64,
    /// How many calls of the recursion are active, this one included.
    pub level: usize,
    /// Whether another call has returned to it.
    pub is_back: bool,
    /// Its arguments.
    pub arguments: Vec<Assigned>,
    /// Calls that were omitted before it.
    pub skipped: u64,
    /// Returns that were omitted before it.
    pub returns: u64,
    /// How many calls, and how many segments between calls and returns, there were so far.
    #[serde(skip)]
    pub made: (u64, u64),
}

/// A variable that got a value.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Assigned {
    /// Its name.
    pub name: String,
    /// The value.
    pub value: String,
    /// Whether the failure depends on it.
    pub matters: bool,
    /// Whether its lifetime is the program's, not the call's.
    pub is_global: bool,
}

/// How often a line was executed.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Covered {
    /// Index into [`Answer::files`].
    pub file: usize,
    /// From 1.
    pub line: u32,
    /// How often; 0 for an executable line that was not executed.
    pub count: u64,
}

/// What is known about a loop.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Loop {
    /// Its keyword.
    pub place: Option<Place>,
    /// The enclosing function.
    pub function: String,
    /// Conjuncts that hold whenever the loop's condition is evaluated, as C.
    pub invariant: Vec<String>,
    /// The notation of the summary: which names denote what.
    pub intro: String,
    /// The effect of any number of iterations: facts.
    pub always: Vec<String>,
    /// And a disjunction of cases, each a list of facts.
    pub summary: Vec<Vec<String>>,
    /// Whether the summary is exact.
    pub exact: bool,
}

/// Iterations of a loop that were proved, not run.
#[derive(Clone, Default, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Leap {
    pub iterations: String,
    pub place: Option<Place>,
}

/// What a proof says about a loop.
#[derive(Clone, Default, Debug)]
pub struct Invariant {
    /// The enclosing function.
    pub function: String,
    /// In readable form.
    pub conjuncts: Vec<String>,
    /// For a C compiler, over names in scope at the keyword.
    pub exact: Vec<String>,
    /// The keyword.
    pub place: Option<Place>,
}

/// What a proof says about calls of a function.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Contract {
    /// The function.
    pub function: String,
    /// Conjuncts that hold at every call.
    pub requires: Vec<String>,
    /// Conjuncts that hold after every call; `\old` and `\result` as in ACSL.
    pub ensures: Vec<String>,
    /// Where it is defined.
    pub place: Option<Place>,
}

impl Contract {
    /// The declaration of the function, as far as its line shows it.
    pub fn declaration(&self) -> &str {
        let line = self.place.as_ref().map_or("", Place::text);
        line.split('{').next().unwrap_or(line).trim()
    }
}

/// A vertex of the unwinding.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Vertex {
    /// Index of its parent; none for the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// Its source location.
    #[serde(skip_serializing_if = "is_off_page")]
    pub place: Option<Place>,
    /// `root`, `loop`, `error`, `wrap`, `end` or `cut`.
    pub kind: &'static str,
    /// Conjuncts of its label.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub label: Vec<String>,
    /// `open`, `expanded`, `dead end`, `covered`, `stuck`, `removed`, `failed`.
    pub fate: &'static str,
    /// Index of the vertex that covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverer: Option<usize>,
    /// Why it is stuck, or what was found here.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub remark: String,
}

/// An event of the search.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Event {
    /// `phase`, `remark`, `summary`, `test`, `dead end`, `label`, `cover`, `uncover`, `expand`,
    /// `stuck`, `refine`, `restart`.
    pub kind: &'static str,
    /// In one or more sentences.
    pub text: String,
    /// What it is about in the source.
    pub place: Option<Place>,
    /// The vertices concerned, indices into [`Answer::unwinding`] where that still has them.
    pub vertices: Vec<usize>,
    /// Facts: labels learned, values given.
    pub facts: Vec<String>,
}

/// How many inputs a short message names.
const NAMED: usize = 5;

impl Answer {
    /// The verdict for tools that show one sentence: for a violation with its first inputs.
    pub(crate) fn sentence(&self) -> String {
        match self.finding {
            Finding::Nothing => self.message.clone(),
            Finding::Unknown(_) => self.headline.clone(),
            Finding::Violation(..) => with_inputs(&self.message, &self.inputs),
        }
    }

    /// The name of the property that is violated.
    pub(crate) fn violated(&self) -> Option<&'static str> {
        match self.finding {
            Finding::Violation(property, _) => Some(input::property::name(property)),
            Finding::Nothing | Finding::Unknown(_) => None,
        }
    }

    /// The names of the properties that were checked. A dumped program has the checks it was dumped
    /// with.
    pub(crate) fn checked(&self) -> Vec<&'static str> {
        let mut names = self.subject.properties.clone();
        if let Some(name) = self.violated()
            && !names.contains(&name)
        {
            names.push(name);
        }
        names
    }

    /// Whether it is about a run that fails.
    pub fn fails(&self) -> bool {
        let is_undefined = |end: &RunEnd| end.kind == "undefined";
        matches!(self.finding, Finding::Violation(..))
            || self.end.as_ref().is_some_and(is_undefined)
    }

    /// Whether an internal error is the reason.
    pub fn is_internal(&self) -> bool {
        self.finding == Finding::Unknown(ReasonKind::Internal)
    }
}

/// A message followed by the first inputs.
fn with_inputs(message: &str, inputs: &[Input]) -> String {
    if inputs.is_empty() {
        return message.to_owned();
    }
    let named = inputs.iter().take(NAMED);
    let named = named.map(|input| format!("{} = {}", input.name, input.value));
    let named: Vec<String> = named.collect();
    let more = if inputs.len() > NAMED { ", ..." } else { "" };
    format!("{message} (inputs: {}{more})", named.join(", "))
}

impl GoalAnswer {
    /// The result as an answer about a program with this error location alone.
    pub(crate) fn answer(&self, whole: &Answer) -> Answer {
        let (finding, headline) = match (self.verdict, &self.reason) {
            ("safe", _) => (Finding::Nothing, format!("never: {}", self.message)),
            ("unreachable", _) => (
                Finding::Nothing,
                format!("no run gets here: {}", self.message),
            ),
            (_, Some((kind, why))) => {
                let headline = format!("no verdict: {} ({why})", self.message);
                (Finding::Unknown(*kind), headline)
            }
            (_, None) => {
                let finding = Finding::Violation(self.property, self.function.clone());
                (finding, self.message.clone())
            }
        };
        Answer {
            verdict: self.verdict,
            message: match finding {
                Finding::Nothing => headline.clone(),
                Finding::Violation(..) | Finding::Unknown(_) => self.message.clone(),
            },
            headline,
            finding,
            place: self.place.clone(),
            inputs: self.inputs.clone(),
            subject: whole.subject.clone(),
            ..Answer::default()
        }
    }

    /// The verdict in a line, after its location: `a.c:3: safe: never: assertion failed: x > 0`.
    pub fn line(&self) -> String {
        let place = self.place.as_ref();
        let place = place.map_or_else(|| self.function.clone(), Place::shown);
        let what = match (self.verdict, &self.reason) {
            ("safe", _) => format!("never: {}", self.message),
            ("unreachable", _) => format!("no run gets here: {}", self.message),
            (_, Some((_, why))) => format!("{} ({why})", self.message),
            (_, None) => with_inputs(&self.message, &self.inputs),
        };
        format!("{place}: {}: {what}", self.verdict)
    }
}

impl RecursiveCall {
    /// The calls and the returns omitted between what was shown last and this, given the calls and
    /// segments counted by then.
    pub fn left_out_since(&self, (calls, pieces): (u64, u64)) -> (u64, u64) {
        let own = u64::from(!self.is_back);
        let skipped = self.made.0.saturating_sub(calls + own);
        let between = self.made.1.saturating_sub(pieces + 1);
        (skipped, between.saturating_sub(skipped))
    }
}

impl Assigned {
    /// `x = 1`.
    pub fn text(&self) -> String {
        format!("{} = {}", self.name, self.value)
    }
}
