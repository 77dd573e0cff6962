//! Entries as plain YAML: no anchors, no tags, every string in quotes.

use super::{
    ACSL_EXPRESSION, C_EXPRESSION, Content, Entry, Invariant, Location, Metadata, Segment,
    Waypoint, WaypointKind,
};
use std::fmt::Write;

/// The text of a witness file.
pub fn write(entries: &[Entry]) -> String {
    if entries.is_empty() {
        return "[]\n".to_owned();
    }
    let mut out = String::new();
    for entry in entries {
        write_entry(&mut out, entry);
    }
    out
}

/// A line of a key and a text.
fn text(out: &mut String, indent: usize, key: &str, value: &str) {
    let _ = writeln!(out, "{:indent$}{key}: {}", "", quoted(value));
}

/// A line as it is.
fn line(out: &mut String, indent: usize, line: &str) {
    let _ = writeln!(out, "{:indent$}{line}", "");
}

fn write_entry(out: &mut String, entry: &Entry) {
    let (kind, is_empty) = match &entry.content {
        Content::Violation(segments) => ("violation_sequence", segments.is_empty()),
        Content::Invariants(invariants) => ("invariant_set", invariants.is_empty()),
    };
    text(out, 0, "- entry_type", kind);
    write_metadata(out, &entry.metadata);
    let list = if is_empty { "content: []" } else { "content:" };
    line(out, 2, list);
    match &entry.content {
        Content::Violation(segments) => segments.iter().for_each(|row| write_segment(out, row)),
        Content::Invariants(rows) => rows.iter().for_each(|row| write_invariant(out, row)),
    }
}

fn write_metadata(out: &mut String, metadata: &Metadata) {
    line(out, 2, "metadata:");
    text(out, 4, "format_version", &metadata.format_version);
    text(out, 4, "uuid", &metadata.uuid);
    text(out, 4, "creation_time", &metadata.creation_time);
    line(out, 4, "producer:");
    let producer = &metadata.producer;
    text(out, 6, "name", &producer.name);
    text(out, 6, "version", &producer.version);
    let optional = [
        ("configuration", &producer.configuration),
        ("command_line", &producer.command_line),
        ("description", &producer.description),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            text(out, 6, key, value);
        }
    }
    line(out, 4, "task:");
    let task = &metadata.task;
    line(out, 6, "input_files:");
    for file in &task.input_files {
        line(out, 8, &format!("- {}", quoted(file)));
    }
    line(out, 6, "input_file_hashes:");
    for (file, hash) in &task.input_file_hashes {
        text(out, 8, &quoted(file), hash);
    }
    text(out, 6, "specification", &task.specification);
    text(out, 6, "data_model", &task.data_model);
    text(out, 6, "language", &task.language);
}

fn write_segment(out: &mut String, segment: &Segment) {
    line(out, 4, "- segment:");
    for waypoint in &segment.avoid {
        write_waypoint(out, waypoint, "avoid");
    }
    write_waypoint(out, &segment.follow, "follow");
}

fn write_waypoint(out: &mut String, waypoint: &Waypoint, action: &str) {
    line(out, 8, "- waypoint:");
    text(out, 14, "type", waypoint.kind.name());
    text(out, 14, "action", action);
    write_location(out, 14, &waypoint.location);
    let (value, format) = match &waypoint.kind {
        WaypointKind::Assumption(value) => (quoted(value), Some(C_EXPRESSION)),
        WaypointKind::FunctionReturn(Some(value)) => (quoted(value), Some(ACSL_EXPRESSION)),
        // Schemas want a text here, also for numbers and truth values.
        WaypointKind::Branching(branch) => (quoted(&branch.to_string()), None),
        WaypointKind::FunctionEnter | WaypointKind::FunctionReturn(None) | WaypointKind::Target => {
            return;
        }
    };
    line(out, 14, "constraint:");
    line(out, 16, &format!("value: {value}"));
    if let Some(format) = format {
        text(out, 16, "format", format);
    }
}

fn write_location(out: &mut String, indent: usize, location: &Location) {
    line(out, indent, "location:");
    text(out, indent + 2, "file_name", &location.file_name);
    line(out, indent + 2, &format!("line: {}", location.line));
    if let Some(column) = location.column {
        line(out, indent + 2, &format!("column: {column}"));
    }
    if let Some(function) = &location.function {
        text(out, indent + 2, "function", function);
    }
}

fn write_invariant(out: &mut String, invariant: &Invariant) {
    line(out, 4, "- invariant:");
    text(out, 8, "type", invariant.kind.name());
    write_location(out, 8, &invariant.location);
    text(out, 8, "value", &invariant.value);
    text(out, 8, "format", &invariant.format);
}

/// A text in double quotes, on one line.
fn quoted(text: &str) -> String {
    let other = |c: char| match c {
        '\r' => Some("\\r".to_owned()),
        '\t' => Some("\\t".to_owned()),
        // Line ends and marks that YAML would read as its own.
        c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
            Some(format!("\\u{:04x}", u32::from(c)))
        }
        _ => None,
    };
    format!("\"{}\"", base::escaped(text, &other))
}
