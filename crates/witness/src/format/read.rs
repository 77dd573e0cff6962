//! Reads witness files, as other tools write them.
//!
//! Everything is optional for the parser, so that we report ourselves what is missing and where.
//! Unknown fields are ignored.

use super::{
    ACSL_EXPRESSION, Branch, C_EXPRESSION, Content, Entry, Invariant, InvariantKind, Location,
    Metadata, Producer, Segment, Task, Waypoint, WaypointKind,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The versions of the format that are understood.
const VERSIONS: [&str; 3] = ["2.0", "2.1", "2.2"];
/// Values in a file; one of 100 000 inputs has two million.
const MAX_NODES: usize = 200_000_000;

/// Reads the entries of a witness file. The error says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<Entry>, String> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: 2 * MAX_NODES,
            max_nodes: MAX_NODES,
            max_total_scalar_bytes: 1 << 31,
        },
    };
    let entries: Vec<RawEntry> =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| {
            let message = error.to_string();
            let first = message.lines().next().unwrap_or_default();
            format!("it is not a YAML list of entries: {first}")
        })?;
    if entries.is_empty() {
        return Err("it has no entry".to_owned());
    }
    let many = entries.len() > 1;
    entries
        .into_iter()
        .enumerate()
        .map(|(index, entry)| {
            let at = if many {
                At(format!("entry {}", index + 1))
            } else {
                At(String::new())
            };
            entry.check(&at)
        })
        .collect()
}

/// Where in the file something is wrong.
struct At(String);

impl At {
    fn inside(&self, part: &str) -> At {
        if self.0.is_empty() {
            At(part.to_owned())
        } else {
            At(format!("{}, {part}", self.0))
        }
    }

    fn wrong(&self, what: impl std::fmt::Display) -> String {
        if self.0.is_empty() {
            what.to_string()
        } else {
            format!("{}: {what}", self.0)
        }
    }

    /// A field that must be there.
    fn need<T>(&self, field: Option<T>, name: &str) -> Result<T, String> {
        field.ok_or_else(|| self.wrong(format!("there is no `{name}`")))
    }
}

#[derive(Deserialize)]
struct RawEntry {
    entry_type: Option<String>,
    metadata: Option<RawMetadata>,
    content: Option<Vec<RawContent>>,
}

#[derive(Deserialize)]
struct RawMetadata {
    format_version: Option<String>,
    uuid: Option<String>,
    creation_time: Option<String>,
    producer: Option<RawProducer>,
    task: Option<RawTask>,
}

#[derive(Deserialize)]
struct RawProducer {
    name: Option<String>,
    version: Option<String>,
    configuration: Option<String>,
    command_line: Option<String>,
    description: Option<String>,
}

#[derive(Deserialize)]
struct RawTask {
    input_files: Option<Vec<String>>,
    input_file_hashes: Option<BTreeMap<String, String>>,
    specification: Option<String>,
    data_model: Option<String>,
    language: Option<String>,
}

#[derive(Deserialize)]
struct RawContent {
    segment: Option<Vec<RawStep>>,
    invariant: Option<RawInvariant>,
}

#[derive(Deserialize)]
struct RawStep {
    waypoint: Option<RawWaypoint>,
}

#[derive(Deserialize)]
struct RawWaypoint {
    #[serde(rename = "type")]
    kind: Option<String>,
    action: Option<String>,
    location: Option<RawLocation>,
    constraint: Option<RawConstraint>,
}

#[derive(Deserialize)]
struct RawConstraint {
    value: Option<String>,
    format: Option<String>,
}

#[derive(Deserialize)]
struct RawLocation {
    file_name: Option<String>,
    line: Option<i64>,
    column: Option<i64>,
    function: Option<String>,
}

#[derive(Deserialize)]
struct RawInvariant {
    #[serde(rename = "type")]
    kind: Option<String>,
    location: Option<RawLocation>,
    value: Option<String>,
    format: Option<String>,
}

impl RawEntry {
    fn check(self, at: &At) -> Result<Entry, String> {
        let kind = at.need(self.entry_type, "entry_type")?;
        let metadata = at
            .need(self.metadata, "metadata")?
            .check(&at.inside("metadata"))?;
        let content = match kind.as_str() {
            "violation_sequence" => {
                let content = at.need(self.content, "content")?;
                Content::Violation(segments(content, at)?)
            }
            // An empty set may be written as nothing at all.
            "invariant_set" => {
                Content::Invariants(invariants(self.content.unwrap_or_default(), at)?)
            }
            _ => return Err(at.wrong(format!("the `entry_type` {kind} is not known"))),
        };
        Ok(Entry { metadata, content })
    }
}

impl RawMetadata {
    fn check(self, at: &At) -> Result<Metadata, String> {
        let format_version = at.need(self.format_version, "format_version")?;
        if !VERSIONS.contains(&format_version.as_str()) {
            return Err(at.wrong(format!(
                "the `format_version` {format_version} is not known, only {}",
                VERSIONS.join(", ")
            )));
        }
        let producer = at.need(self.producer, "producer")?;
        let task = at.need(self.task, "task")?;
        let (of_producer, of_task) = (at.inside("producer"), at.inside("task"));
        Ok(Metadata {
            format_version,
            uuid: at.need(self.uuid, "uuid")?,
            creation_time: at.need(self.creation_time, "creation_time")?,
            producer: Producer {
                name: of_producer.need(producer.name, "name")?,
                version: of_producer.need(producer.version, "version")?,
                configuration: producer.configuration,
                command_line: producer.command_line,
                description: producer.description,
            },
            task: Task {
                input_files: of_task.need(task.input_files, "input_files")?,
                input_file_hashes: of_task.need(task.input_file_hashes, "input_file_hashes")?,
                specification: of_task.need(task.specification, "specification")?,
                data_model: of_task.need(task.data_model, "data_model")?,
                language: of_task.need(task.language, "language")?,
            },
        })
    }
}

impl RawLocation {
    fn check(self, at: &At) -> Result<Location, String> {
        let at = &at.inside("location");
        let natural = |value: i64, name: &str| match u32::try_from(value) {
            Ok(value) if value > 0 => Ok(value),
            Ok(_) | Err(_) => {
                Err(at.wrong(format!("the `{name}` {value} is not one, they start at 1")))
            }
        };
        Ok(Location {
            file_name: at.need(self.file_name, "file_name")?,
            line: natural(at.need(self.line, "line")?, "line")?,
            column: self
                .column
                .map(|column| natural(column, "column"))
                .transpose()?,
            function: self.function,
        })
    }
}

/// The invariants of a set.
fn invariants(content: Vec<RawContent>, at: &At) -> Result<Vec<Invariant>, String> {
    let each = content.into_iter().enumerate().map(|(index, content)| {
        let at = &at.inside(&format!("invariant {}", index + 1));
        let invariant = at.need(content.invariant, "invariant")?;
        let kind = at.need(invariant.kind, "type")?;
        let unknown = || at.wrong(format!("the invariant type {kind} is not known"));
        let kind = InvariantKind::of_name(&kind).ok_or_else(unknown)?;
        Ok(Invariant {
            kind,
            location: at.need(invariant.location, "location")?.check(at)?,
            value: at.need(invariant.value, "value")?,
            format: at.need(invariant.format, "format")?,
        })
    });
    each.collect()
}

/// The segments of a violation sequence.
fn segments(content: Vec<RawContent>, at: &At) -> Result<Vec<Segment>, String> {
    if content.is_empty() {
        return Err(at.wrong("the violation sequence has no segment"));
    }
    let last = content.len();
    let mut segments = Vec::with_capacity(last);
    for (index, content) in content.into_iter().enumerate() {
        let at = &at.inside(&format!("segment {}", index + 1));
        let segment = segment(at.need(content.segment, "segment")?, at)?;
        let is_target = segment.follow.kind == WaypointKind::Target;
        match (is_target, index + 1 == last) {
            (true, false) => return Err(at.wrong("only the last segment may lead to a target")),
            (false, true) => return Err(at.wrong("the last segment must lead to a target")),
            (true, true) | (false, false) => segments.push(segment),
        }
    }
    Ok(segments)
}

/// One segment: some to avoid, then one to follow.
fn segment(steps: Vec<RawStep>, at: &At) -> Result<Segment, String> {
    let mut avoid = Vec::new();
    let mut follow = None;
    for (index, step) in steps.into_iter().enumerate() {
        let at = &at.inside(&format!("waypoint {}", index + 1));
        let raw = at.need(step.waypoint, "waypoint")?;
        let action = at.need(raw.action.clone(), "action")?;
        if follow.is_some() {
            return Err(at.wrong("nothing may stand behind the waypoint to follow"));
        }
        let waypoint = raw.check(at)?;
        match action.as_str() {
            "follow" => follow = Some(waypoint),
            "avoid" if waypoint.kind == WaypointKind::Target => {
                return Err(at.wrong("a target can only be followed"));
            }
            "avoid" => avoid.push(waypoint),
            other => return Err(at.wrong(format!("the action {other} is not known"))),
        }
    }
    let follow = follow.ok_or_else(|| at.wrong("there is no waypoint to follow"))?;
    Ok(Segment { avoid, follow })
}

impl RawWaypoint {
    fn check(self, at: &At) -> Result<Waypoint, String> {
        let name = at.need(self.kind, "type")?;
        let kind = match (name.as_str(), self.constraint) {
            ("target", None) => WaypointKind::Target,
            ("function_enter", None) => WaypointKind::FunctionEnter,
            ("target" | "function_enter", Some(_)) => {
                return Err(at.wrong(format!("a {name} has no `constraint`")));
            }
            ("function_return", None) => WaypointKind::FunctionReturn(None),
            ("function_return", Some(constraint)) => {
                let value = constraint.value(at, ACSL_EXPRESSION)?;
                WaypointKind::FunctionReturn(Some(value))
            }
            ("assumption", constraint) => {
                let constraint = at.need(constraint, "constraint")?;
                WaypointKind::Assumption(constraint.value(at, C_EXPRESSION)?)
            }
            ("branching", constraint) => {
                let constraint = at.need(constraint, "constraint")?;
                let value = at.need(constraint.value, "value")?;
                let way = branch(&value).ok_or_else(|| {
                    at.wrong(format!("a branching goes `true`, `false`, to a number or to `default`, not `{value}`"))
                })?;
                WaypointKind::Branching(way)
            }
            _ => return Err(at.wrong(format!("the waypoint type {name} is not known"))),
        };
        Ok(Waypoint {
            kind,
            location: at.need(self.location, "location")?.check(at)?,
        })
    }
}

impl RawConstraint {
    /// The expression, which must be in the language of its waypoint.
    fn value(self, at: &At, expected: &str) -> Result<String, String> {
        if let Some(format) = self.format.filter(|format| format != expected) {
            return Err(at.wrong(format!("the format {format} is not {expected}")));
        }
        at.need(self.value, "value")
    }
}

fn branch(text: &str) -> Option<Branch> {
    match text.trim() {
        "true" => Some(Branch::Condition(true)),
        "false" => Some(Branch::Condition(false)),
        "default" => Some(Branch::Default),
        number => number.parse().ok().map(Branch::Case),
    }
}
