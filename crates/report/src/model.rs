//! All that a report shows. It is the document inside of an HTML report, so names are stable.

use serde::Serialize;
use std::collections::BTreeMap;

/// Everything about one answer.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Report {
    /// `cairn` and its version.
    pub tool: String,
    /// The command that was given.
    pub command: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// The verdict in a sentence: what fails, what was proved, or why neither.
    pub headline: String,
    /// Where the headline speaks of, if anywhere.
    pub place: Option<Place>,
    /// Further remarks: notes of a reason, leaps over loops, advice.
    pub notes: Vec<Note>,
    /// What a person could try, one sentence each.
    pub help: Vec<String>,
    /// The values in the failing condition, as text, at its place; then, outwards, those in the
    /// calls that gave them.
    pub operands: Vec<Note>,
    /// What the answer takes for granted.
    pub assumptions: Vec<String>,
    /// The source files, as the person wrote them.
    pub files: Vec<SourceFile>,
    /// What the failing run took in, in order.
    pub inputs: Vec<Input>,
    /// The failing run, step by step; empty if there is none or it is too long.
    pub steps: Vec<Step>,
    /// How often a line was executed, by the failing run or by the tests of the search.
    pub coverage: Vec<Covered>,
    /// What executed those lines: `the failing run`, `3 tests of the search`.
    pub covered_by: String,
    /// What is known of loops.
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
    /// What to show first: `trace`, `unwinding`, `loops`, `story` or `statistics`; empty for what
    /// fits the verdict.
    pub first: String,
}

/// A place in a source file.
#[derive(Serialize, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Place {
    /// Index into [`Report::files`].
    pub file: usize,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The column behind what is meant, on the same line.
    pub end: u32,
}

/// A remark.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Note {
    /// In words.
    pub text: String,
    /// What it speaks of.
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

/// A value that the program took in.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Input {
    /// The function called, or the variable.
    pub name: String,
    /// `nondet`, `external`, `uninitialized`, `argument`, `outside` or `choice`.
    pub kind: String,
    /// The value.
    pub value: String,
    /// Where.
    pub place: Option<Place>,
}

/// A line as executed once.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Step {
    /// Where.
    pub place: Option<Place>,
    /// The function.
    pub function: String,
    /// How many calls deep; 0 in the function that the program starts in.
    pub depth: usize,
    /// The arguments, if this is the first line of a call.
    pub arguments: Option<Vec<Assigned>>,
    /// What got a value here.
    pub values: Vec<Assigned>,
    /// Whether the failure depends on something that happened here, or in a call from here.
    pub matters: bool,
    /// The number of the turn, if this is the first line of a turn of a loop, counted from 1.
    pub turn: Option<u64>,
    /// How many turns of the loop were left out before this step.
    pub skipped: u64,
    /// How many other lines were left out before this step.
    pub left_out: u64,
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
    /// Whether it lives as long as the program, not as the call.
    pub is_global: bool,
}

/// How often a line was executed.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Covered {
    /// Index into [`Report::files`].
    pub file: usize,
    /// From 1.
    pub line: u32,
    /// How often; 0 if it could have been.
    pub count: u64,
}

/// What is known of a loop.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Loop {
    /// Its keyword.
    pub place: Option<Place>,
    /// The function it stands in.
    pub function: String,
    /// Conjuncts that hold whenever the loop's condition is looked at, as C.
    pub invariant: Vec<String>,
    /// What the summary speaks of: which names stand for what.
    pub intro: String,
    /// What any number of turns does: facts.
    pub always: Vec<String>,
    /// And cases, one of which it is, each a list of facts.
    pub summary: Vec<Vec<String>>,
    /// Whether the summary says all.
    pub exact: bool,
}

/// A vertex of the unwinding.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Vertex {
    /// Index of the vertex above it; none for the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// Where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// `root`, `loop`, `error`, `end`, or another word for the kind of place.
    pub kind: String,
    /// Conjuncts of its label.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub label: Vec<String>,
    /// `open`, `expanded`, `dead end`, `covered`, `stuck`, `failed`.
    pub fate: String,
    /// Index of the vertex that covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverer: Option<usize>,
    /// Why it is stuck, or what was found here.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub remark: String,
}

/// Something that the engine did.
#[derive(Serialize, Clone, Default, Debug)]
pub struct Event {
    /// `summary`, `test`, `dead end`, `label`, `cover`, `uncover`, `expand`, `restart`, `verdict`.
    pub kind: String,
    /// In a sentence or several.
    pub text: String,
    /// What it is about in the source.
    pub place: Option<Place>,
    /// The vertices concerned, indices into [`Report::unwinding`] where that still has them.
    pub vertices: Vec<usize>,
    /// Facts: labels learned, values given.
    pub facts: Vec<String>,
}
