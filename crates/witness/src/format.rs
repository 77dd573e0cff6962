//! SV-COMP witnesses, format 2.0, as data.
//!
//! A file is a list of entries. A violation sequence leads to a violation, waypoint by waypoint; an
//! invariant set says what holds at loops and other locations.
//!
//! # Invariants
//! - What [`write`] produces, [`read`] reads back.
//! - What [`read`] returns has the shape that the format requires: a segment is any number of
//!   waypoints to avoid and one to follow, and the last one followed is the only target.

mod metadata;
mod read;
mod write;

pub use metadata::{Producer, hash, now, uuid};
pub use read::read;
pub use write::write;

use base::named_enum;
use std::collections::BTreeMap;

/// The version that is written.
pub const VERSION: &str = "2.0";

/// One entry of a witness file.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Who says it, about what.
    pub metadata: Metadata,
    /// What is said.
    pub content: Content,
}

/// What an entry says.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// The way to a violation.
    Violation(Vec<Segment>),
    /// Invariants that make a proof.
    Invariants(Vec<Invariant>),
}

/// Who says it, about what.
#[derive(Clone, PartialEq, Debug)]
pub struct Metadata {
    /// The version of the format.
    pub format_version: String,
    /// A name for the entry that no other has.
    pub uuid: String,
    /// When, as ISO 8601.
    pub creation_time: String,
    /// Who.
    pub producer: Producer,
    /// About what.
    pub task: Task,
}

/// The program and the property that an entry is about.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// The C files.
    pub input_files: Vec<String>,
    /// The SHA-256 of each, in hexadecimal digits.
    pub input_file_hashes: BTreeMap<String, String>,
    /// The text of the property file.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    /// `C`.
    pub language: String,
}

/// A place in a C file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Location {
    /// The file.
    pub file_name: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; without it the first on the line that fits is meant.
    pub column: Option<u32>,
    /// The function it is in.
    pub function: Option<String>,
}

/// A segment of the way: what must not be met before what must be.
#[derive(Clone, PartialEq, Debug)]
pub struct Segment {
    /// Not met before `follow`.
    pub avoid: Vec<Waypoint>,
    /// Met next.
    pub follow: Waypoint,
}

/// A point of the way.
#[derive(Clone, PartialEq, Debug)]
pub struct Waypoint {
    /// What happens there.
    pub kind: WaypointKind,
    /// Where.
    pub location: Location,
}

/// What happens at a waypoint.
#[derive(Clone, PartialEq, Debug)]
pub enum WaypointKind {
    /// A C expression is true before a statement.
    Assumption(String),
    /// A branching goes this way.
    Branching(Branch),
    /// A function is called.
    FunctionEnter,
    /// A function returns such a value: `\result == 7`. Any value without a constraint.
    FunctionReturn(Option<String>),
    /// The violation.
    Target,
}

/// Which way a branching goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Branch {
    /// The condition holds, or does not.
    Condition(bool),
    /// The `case` of a `switch` with this value.
    Case(i128),
    /// The `default` of a `switch`.
    Default,
}

/// What holds whenever a place is passed.
#[derive(Clone, PartialEq, Debug)]
pub struct Invariant {
    /// At a loop's keyword or elsewhere.
    pub kind: InvariantKind,
    /// Where.
    pub location: Location,
    /// A C expression.
    pub value: String,
    /// `c_expression`, or another name for its language.
    pub format: String,
}

named_enum! {
    /// Kinds of invariants, named as in a file.
    pub enum InvariantKind {
        /// Holds whenever the loop's condition is about to be evaluated.
        Loop = "loop_invariant",
        /// Holds whenever the statement is about to be executed.
        Location = "location_invariant",
    }
}

/// The format of invariants and assumptions.
pub const C_EXPRESSION: &str = "c_expression";
/// The format of constraints on what a function returns.
pub const ACSL_EXPRESSION: &str = "acsl_expression";

impl WaypointKind {
    /// Its name in a file.
    pub fn name(&self) -> &'static str {
        match self {
            WaypointKind::Assumption(_) => "assumption",
            WaypointKind::Branching(_) => "branching",
            WaypointKind::FunctionEnter => "function_enter",
            WaypointKind::FunctionReturn(_) => "function_return",
            WaypointKind::Target => "target",
        }
    }
}

impl std::fmt::Display for Branch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Branch::Condition(holds) => write!(f, "{holds}"),
            Branch::Case(value) => write!(f, "{value}"),
            Branch::Default => write!(f, "default"),
        }
    }
}

impl Entry {
    /// An entry of ours, made now. Its content decides the `uuid`, with the time.
    pub fn new(task: Task, content: Content) -> Self {
        let creation_time = now();
        let seed = format!("{creation_time} {task:?} {content:?}");
        let metadata = Metadata {
            format_version: VERSION.to_owned(),
            uuid: uuid(&seed),
            creation_time,
            producer: Producer {
                name: "cairn".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                ..Producer::default()
            },
            task,
        };
        Entry { metadata, content }
    }
}

#[cfg(test)]
mod tests;
