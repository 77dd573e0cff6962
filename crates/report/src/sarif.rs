//! An answer as a SARIF 2.1.0 log: for code reviews and editors.
//!
//! A violation is one result with its run as a code flow. `safe` has no result. `unknown` is a
//! result of the kind `open`, whose level must be `none` (§3.27.10), and a notification.

use crate::findings::{Findings, FlowStep, RULES, Spot};
use serde::Serialize;
use std::collections::BTreeMap;

/// The name of the folder that relative addresses start from.
const ROOT: &str = "SRCROOT";
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log as text.
pub fn text(findings: &Findings) -> String {
    let log = Log::new(findings);
    serde_json::to_string_pretty(&log).expect("plain structs should serialise") + "\n"
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    original_uri_base_ids: BTreeMap<&'static str, ArtifactLocation>,
    artifacts: Vec<Artifact>,
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: String,
    semantic_version: String,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Text,
    help: Text,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize, Clone)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

#[derive(Serialize)]
struct Artifact {
    location: ArtifactLocation,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: String,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Text,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    partial_fingerprints: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation {
    location: Location,
    nesting_level: usize,
    execution_order: usize,
    importance: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    state: BTreeMap<String, Text>,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    name: String,
    kind: &'static str,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_column: u32,
    snippet: Text,
}

impl Log {
    fn new(findings: &Findings) -> Self {
        let folder = findings.folder.as_str();
        let rules: Vec<Rule> = findings.properties.iter().map(|name| rule(name)).collect();
        let result = match findings.verdict.as_str() {
            "unsafe" => Some(violation(findings)),
            "unknown" => Some(open(findings)),
            _ => None,
        };
        let files = findings.files.iter();
        Log {
            schema: SCHEMA,
            version: "2.1.0",
            runs: [Run {
                tool: Tool {
                    driver: Driver {
                        name: "cairn",
                        version: findings.version.clone(),
                        semantic_version: findings.version.clone(),
                        rules,
                    },
                },
                invocations: [invocation(findings)],
                original_uri_base_ids: BTreeMap::from([(
                    ROOT,
                    ArtifactLocation {
                        uri: format!("file://{}/", encoded(folder.trim_end_matches('/'))),
                        uri_base_id: None,
                    },
                )]),
                artifacts: files
                    .map(|file| Artifact {
                        location: artifact(file, folder),
                    })
                    .collect(),
                column_kind: "unicodeCodePoints",
                results: result.into_iter().collect(),
            }],
        }
    }
}

fn rule(name: &str) -> Rule {
    let known = RULES.iter().find(|(id, ..)| *id == name);
    let (_, says, help) = known.unwrap_or(&("", "The property holds", "See the message."));
    Rule {
        id: name.to_owned(),
        short_description: say(says),
        help: say(help),
        default_configuration: Configuration { level: "error" },
    }
}

fn say(text: &str) -> Text {
    Text {
        text: text.to_owned(),
    }
}

fn invocation(findings: &Findings) -> Invocation {
    let folder = &findings.folder;
    let mut notifications = Vec::new();
    let mut notify = |level: &'static str, text: &str, spot: Option<&Spot>| {
        notifications.push(Notification {
            level,
            message: say(text),
            locations: spot
                .map(|spot| location(spot, folder))
                .into_iter()
                .collect(),
        });
    };
    if findings.verdict == "unknown" {
        let level = if findings.is_internal {
            "error"
        } else {
            "warning"
        };
        notify(level, &findings.message, findings.spot.as_ref());
        for (text, spot) in &findings.notes {
            notify("note", text, spot.as_ref());
        }
        for text in &findings.help {
            notify("note", &format!("help: {text}"), None);
        }
    }
    for text in &findings.assumptions {
        notify("note", &format!("assumed: {text}"), None);
    }
    Invocation {
        execution_successful: !findings.is_internal,
        exit_code: findings.exit_code,
        tool_execution_notifications: notifications,
    }
}

fn violation(findings: &Findings) -> SarifResult {
    let folder = &findings.folder;
    let name = findings.violated.clone().unwrap_or_default();
    let notes = findings.notes.iter().enumerate();
    let related = notes.filter_map(|(index, (text, spot))| {
        Some(Location {
            id: Some(index),
            message: Some(say(text)),
            ..location(spot.as_ref()?, folder)
        })
    });
    let steps: Vec<FlowLocation> = findings
        .flow
        .iter()
        .enumerate()
        .map(|(index, step)| flow_location(step, index, index + 1 == findings.flow.len(), folder))
        .collect();
    let flow = CodeFlow {
        thread_flows: [ThreadFlow { locations: steps }],
    };
    SarifResult {
        rule_index: index_of(findings, &name),
        rule_id: name,
        kind: "fail",
        level: "error",
        message: say(&findings.message),
        locations: main_location(findings),
        related_locations: related.collect(),
        code_flows: (!findings.flow.is_empty())
            .then_some(flow)
            .into_iter()
            .collect(),
        partial_fingerprints: fingerprints(findings),
    }
}

/// Neither safe nor unsafe: somebody has to look.
fn open(findings: &Findings) -> SarifResult {
    SarifResult {
        rule_id: findings.properties.first().cloned().unwrap_or_default(),
        rule_index: 0,
        kind: "open",
        level: "none",
        message: say(&findings.message),
        locations: main_location(findings),
        related_locations: Vec::new(),
        code_flows: Vec::new(),
        partial_fingerprints: fingerprints(findings),
    }
}

fn index_of(findings: &Findings, name: &str) -> usize {
    let mut names = findings.properties.iter();
    names.position(|known| known == name).unwrap_or(0)
}

fn main_location(findings: &Findings) -> Vec<Location> {
    let logical = (!findings.function.is_empty()).then(|| LogicalLocation {
        name: findings.function.clone(),
        kind: "function",
    });
    let spot = findings.spot.as_ref();
    let main = spot.map(|spot| Location {
        logical_locations: logical.into_iter().collect(),
        ..location(spot, &findings.folder)
    });
    main.into_iter().collect()
}

fn flow_location(step: &FlowStep, index: usize, is_last: bool, folder: &str) -> FlowLocation {
    let importance = match (is_last, step.matters) {
        (true, _) => "essential",
        (false, true) => "important",
        (false, false) => "unimportant",
    };
    let values = step.values.iter();
    FlowLocation {
        location: Location {
            message: Some(say(&step.message)),
            ..location(&step.spot, folder)
        },
        nesting_level: step.depth,
        execution_order: index + 1,
        importance,
        state: values
            .map(|(name, value)| (name.clone(), say(value)))
            .collect(),
    }
}

fn location(spot: &Spot, folder: &str) -> Location {
    Location {
        id: None,
        physical_location: PhysicalLocation {
            artifact_location: artifact(&spot.file, folder),
            region: Region {
                start_line: spot.line,
                start_column: spot.column,
                end_column: spot.end.max(spot.column),
                snippet: say(&spot.text),
            },
        },
        message: None,
        logical_locations: Vec::new(),
    }
}

/// A file below the folder by its way from there, others by all of their address.
fn artifact(file: &str, folder: &str) -> ArtifactLocation {
    let below = file
        .strip_prefix(folder)
        .and_then(|rest| rest.strip_prefix('/'));
    let relative = match below {
        Some(rest) => Some(rest),
        None if file.starts_with('/') => None,
        None => Some(file.trim_start_matches("./")),
    };
    match relative {
        Some(path) => ArtifactLocation {
            uri: encoded(path),
            uri_base_id: Some(ROOT),
        },
        None => ArtifactLocation {
            uri: format!("file://{}", encoded(file)),
            uri_base_id: None,
        },
    }
}

/// A path as part of an address: what is not allowed there is written as `%xx`.
fn encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// What makes a result the same as in an earlier version of the program: not its line number.
fn fingerprints(findings: &Findings) -> BTreeMap<&'static str, String> {
    let text = findings.spot.as_ref().map_or("", |spot| spot.text.as_str());
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let rule = findings.violated.as_deref().unwrap_or(&findings.verdict);
    let file = findings.spot.as_ref().map_or("", |spot| spot.file.as_str());
    let name = file.rsplit('/').next().unwrap_or(file);
    let hash = fnv(&[rule, name, &findings.function, &text]);
    BTreeMap::from([("primaryLocationLineHash", format!("{hash:016x}:1"))])
}

/// The FNV-1a hash of some texts: the same on every machine.
fn fnv(texts: &[&str]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in texts.join("\0").bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative_where_they_can_be() {
        let cases = [
            ("a.c", "a.c", Some(ROOT)),
            ("./src/a b.c", "src/a%20b.c", Some(ROOT)),
            ("/home/me/src/ä.c", "src/%C3%A4.c", Some(ROOT)),
            ("/home/melinda/a.c", "file:///home/melinda/a.c", None),
        ];
        for (file, uri, base) in cases {
            let found = artifact(file, "/home/me");
            assert_eq!((found.uri.as_str(), found.uri_base_id), (uri, base));
        }
    }

    #[test]
    fn fingerprints_ignore_where_the_line_stands() {
        let at = |line: u32, text: &str| {
            let findings = Findings {
                spot: Some(Spot {
                    line,
                    text: text.to_owned(),
                    ..Spot::default()
                }),
                ..Findings::default()
            };
            fingerprints(&findings)
        };
        assert_eq!(at(3, "  assert(x > 0);"), at(9, "\tassert(x  > 0);"));
        assert_ne!(at(3, "assert(x > 0);"), at(3, "assert(x > 1);"));
    }
}
