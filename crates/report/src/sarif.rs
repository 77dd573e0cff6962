//! An answer as a SARIF 2.1.0 log: for code reviews and editors.
//!
//! A violation is one result with its run as a code flow. `safe` has no result. `unknown` is a
//! result of the kind `open`, whose level must be `none` (§3.27.10), and a notification.

use crate::findings::{Findings, FlowStep, RULES, Spot};
use serde_json::{Map, Value, json};

/// The name of the folder that relative addresses start from.
const ROOT: &str = "SRCROOT";
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log as text.
pub fn text(findings: &Findings) -> String {
    let log = log(findings);
    serde_json::to_string_pretty(&log).expect("a JSON value should serialise") + "\n"
}

fn log(findings: &Findings) -> Value {
    let folder = findings.folder.as_str();
    let rules: Vec<Value> = findings.properties.iter().map(|name| rule(name)).collect();
    let results = match findings.verdict.as_str() {
        "unsafe" => vec![violation(findings)],
        "unknown" => vec![open(findings)],
        _ => Vec::new(),
    };
    let files = findings.files.iter();
    let artifacts = files.map(|file| json!({ "location": artifact(file, folder) }));
    let root = format!("file://{}/", encoded(folder.trim_end_matches('/')));
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cairn",
                "version": findings.version,
                "semanticVersion": findings.version,
                "rules": rules,
            } },
            "invocations": [invocation(findings)],
            "originalUriBaseIds": { ROOT: { "uri": root } },
            "artifacts": artifacts.collect::<Vec<_>>(),
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(name: &str) -> Value {
    let known = RULES.iter().find(|(id, ..)| *id == name);
    let (_, says, help) = known.unwrap_or(&("", "The property holds", "See the message."));
    json!({
        "id": name,
        "shortDescription": say(says),
        "help": say(help),
        "defaultConfiguration": { "level": "error" },
    })
}

fn say(text: &str) -> Value {
    json!({ "text": text })
}

/// Adds what is there.
fn add(object: &mut Value, key: &str, values: Vec<Value>) {
    if !values.is_empty() {
        object[key] = values.into();
    }
}

fn invocation(findings: &Findings) -> Value {
    let folder = &findings.folder;
    let mut notifications = Vec::new();
    let mut notify = |level: &'static str, text: &str, spot: Option<&Spot>| {
        let mut notification = json!({ "level": level, "message": say(text) });
        let locations = spot.map(|spot| location(spot, folder));
        add(
            &mut notification,
            "locations",
            locations.into_iter().collect(),
        );
        notifications.push(notification);
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
    let mut invocation = json!({
        "executionSuccessful": !findings.is_internal,
        "exitCode": findings.exit_code,
    });
    add(&mut invocation, "toolExecutionNotifications", notifications);
    invocation
}

fn violation(findings: &Findings) -> Value {
    let folder = &findings.folder;
    let name = findings.violated.clone().unwrap_or_default();
    let mut names = findings.properties.iter();
    let index = names.position(|known| *known == name).unwrap_or(0);
    let mut result = result(findings, &name, index, "fail", "error");
    let notes = findings.notes.iter().enumerate();
    let related = notes.filter_map(|(index, (text, spot))| {
        let mut location = location(spot.as_ref()?, folder);
        location["id"] = index.into();
        location["message"] = say(text);
        Some(location)
    });
    add(&mut result, "relatedLocations", related.collect());
    let last = findings.flow.len();
    let steps = (1..).zip(&findings.flow);
    let steps: Vec<Value> = steps
        .map(|(order, step)| flow_location(step, order, order == last, folder))
        .collect();
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// Neither safe nor unsafe: somebody has to look.
fn open(findings: &Findings) -> Value {
    let name = findings.properties.first().cloned().unwrap_or_default();
    result(findings, &name, 0, "open", "none")
}

fn result(findings: &Findings, rule: &str, index: usize, kind: &str, level: &str) -> Value {
    let spot = findings.spot.as_ref();
    let main = spot.map(|spot| {
        let mut main = location(spot, &findings.folder);
        if !findings.function.is_empty() {
            let name = &findings.function;
            main["logicalLocations"] = json!([{ "name": name, "kind": "function" }]);
        }
        main
    });
    json!({
        "ruleId": rule,
        "ruleIndex": index,
        "kind": kind,
        "level": level,
        "message": say(&findings.message),
        "locations": main.into_iter().collect::<Vec<_>>(),
        "partialFingerprints": { "primaryLocationLineHash": fingerprint(findings) },
    })
}

fn flow_location(step: &FlowStep, order: usize, is_last: bool, folder: &str) -> Value {
    let mut at = location(&step.spot, folder);
    at["message"] = say(&step.message);
    let importance = match (is_last, step.matters) {
        (true, _) => "essential",
        (false, true) => "important",
        (false, false) => "unimportant",
    };
    let mut flow = json!({
        "location": at,
        "nestingLevel": step.depth,
        "executionOrder": order,
        "importance": importance,
    });
    let values = step.values.iter();
    let state: Map<_, _> = values
        .map(|(name, value)| (name.clone(), say(value)))
        .collect();
    if !state.is_empty() {
        flow["state"] = state.into();
    }
    flow
}

fn location(spot: &Spot, folder: &str) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": artifact(&spot.file, folder),
        "region": {
            "startLine": spot.line,
            "startColumn": spot.column,
            "endColumn": spot.end.max(spot.column),
            "snippet": say(&spot.text),
        },
    } })
}

/// A file below the folder by its way from there, others by all of their address.
fn artifact(file: &str, folder: &str) -> Value {
    let below = file
        .strip_prefix(folder)
        .and_then(|rest| rest.strip_prefix('/'));
    let relative = match below {
        Some(rest) => Some(rest),
        None if file.starts_with('/') => None,
        None => Some(file.trim_start_matches("./")),
    };
    match relative {
        Some(path) => json!({ "uri": encoded(path), "uriBaseId": ROOT }),
        None => json!({ "uri": format!("file://{}", encoded(file)) }),
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
fn fingerprint(findings: &Findings) -> String {
    let text = findings.spot.as_ref().map_or("", |spot| spot.text.as_str());
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let rule = findings.violated.as_deref().unwrap_or(&findings.verdict);
    let file = findings.spot.as_ref().map_or("", |spot| spot.file.as_str());
    let name = file.rsplit('/').next().unwrap_or(file);
    let hash = fnv(&[rule, name, &findings.function, &text]);
    format!("{hash:016x}:1")
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
            assert_eq!(found["uri"], uri);
            assert_eq!(found["uriBaseId"].as_str(), base);
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
            fingerprint(&findings)
        };
        assert_eq!(at(3, "  assert(x > 0);"), at(9, "\tassert(x  > 0);"));
        assert_ne!(at(3, "assert(x > 0);"), at(3, "assert(x > 1);"));
    }
}
