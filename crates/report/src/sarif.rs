//! An answer as a SARIF 2.1.0 log: for code reviews and editors.
//!
//! A violation is one result with its run as a code flow. `safe` has no result. `unknown` is a
//! result of the kind `open`, whose level must be `none` (§3.27.10), and a notification. If each
//! error location was decided separately, each has a result, of the kind `pass` if it is never
//! reached.

use crate::answer::{Answer, Assigned, Finding, GoalAnswer, Step};
use crate::markup::one_line;
use crate::place::Place;
use crate::rules::RULES;
use serde_json::{Map, Value, json};

/// The name of the folder that relative addresses start from.
const ROOT: &str = "SRCROOT";
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Steps of a flow at either end; viewers take no more than some thousands.
const STEPS: usize = 500;

/// The log as text, of a command that ends with this exit code.
pub fn text(answer: &Answer, exit_code: u8) -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    let writer = Writer {
        answer,
        exit_code,
        folder: &folder.to_string_lossy(),
    };
    serde_json::to_string_pretty(&writer.log()).expect("a JSON value should serialise") + "\n"
}

struct Writer<'a> {
    answer: &'a Answer,
    exit_code: u8,
    /// The folder that relative names of files start from.
    folder: &'a str,
}

impl Writer<'_> {
    fn log(&self) -> Value {
        let answer = self.answer;
        let checked = answer.checked();
        let rules: Vec<Value> = checked.iter().map(|name| rule(name)).collect();
        let results = match answer.finding {
            _ if !answer.goals.is_empty() => {
                let goals = answer.goals.iter();
                goals.map(|goal| self.goal(goal, &checked)).collect()
            }
            Finding::Nothing => Vec::new(),
            Finding::Violation(..) => vec![self.violation(&checked)],
            // Neither safe nor unsafe: a person has to look.
            Finding::Unknown(_) => {
                let name = checked.first().copied().unwrap_or_default();
                vec![self.result(name, &checked, "open", "none")]
            }
        };
        let files = answer.subject.files.iter();
        let artifacts = files.map(|file| json!({ "location": artifact(file, self.folder) }));
        let root = format!("file://{}/", encoded(self.folder.trim_end_matches('/')));
        let version = env!("CARGO_PKG_VERSION");
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "cairn",
                    "version": version,
                    "semanticVersion": version,
                    "rules": rules,
                } },
                "invocations": [self.invocation()],
                "originalUriBaseIds": { ROOT: { "uri": root } },
                "artifacts": artifacts.collect::<Vec<_>>(),
                "columnKind": "unicodeCodePoints",
                "results": results,
            }],
        })
    }

    fn invocation(&self) -> Value {
        let answer = self.answer;
        let mut notifications = Vec::new();
        let mut notify = |level: &str, text: &str, place: Option<&Place>| {
            let mut notification = json!({ "level": level, "message": say(text) });
            let locations = place.map(|place| self.location(place));
            add(
                &mut notification,
                "locations",
                locations.into_iter().collect(),
            );
            notifications.push(notification);
        };
        if let Finding::Unknown(_) = answer.finding {
            let level = match answer.is_internal() {
                true => "error",
                false => "warning",
            };
            notify(level, &answer.headline, answer.place.as_ref());
            for note in &answer.notes {
                notify("note", &note.text, note.place.as_ref());
            }
            for text in &answer.help {
                notify("note", &format!("help: {text}"), None);
            }
        }
        for text in &answer.assumptions {
            notify("note", &format!("assumed: {text}"), None);
        }
        let mut invocation = json!({
            "executionSuccessful": !answer.is_internal(),
            "exitCode": self.exit_code,
        });
        add(&mut invocation, "toolExecutionNotifications", notifications);
        invocation
    }

    /// What is known about one error location, where each was decided by itself.
    fn goal(&self, goal: &GoalAnswer, checked: &[&str]) -> Value {
        let answer = goal.answer(self.answer);
        let writer = Writer {
            answer: &answer,
            ..*self
        };
        let name = input::property::name(goal.property);
        let kind = match answer.finding {
            Finding::Violation(..) => return writer.violation(checked),
            Finding::Nothing if goal.verdict == "unreachable" => "notApplicable",
            Finding::Nothing => "pass",
            Finding::Unknown(_) => "open",
        };
        writer.result(name, checked, kind, "none")
    }

    fn violation(&self, checked: &[&str]) -> Value {
        let answer = self.answer;
        let name = answer.violated().unwrap_or_default();
        let mut result = self.result(name, checked, "fail", "error");
        let inputs = answer.inputs.iter().map(|input| {
            let text = format!("input `{}` = {}", input.name, input.value);
            (text, &input.place)
        });
        let notes = answer.notes.iter();
        let notes = inputs.chain(notes.map(|note| (note.text.clone(), &note.place)));
        let related = notes.enumerate().filter_map(|(index, (text, place))| {
            let mut location = self.location(place.as_ref()?);
            location["id"] = index.into();
            location["message"] = say(&text);
            Some(location)
        });
        add(&mut result, "relatedLocations", related.collect());
        let steps = self.flow();
        if !steps.is_empty() {
            result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
        }
        result
    }

    fn result(&self, rule: &str, checked: &[&str], kind: &str, level: &str) -> Value {
        let index = checked.iter().position(|known| *known == rule).unwrap_or(0);
        let main = self.answer.place.as_ref().map(|place| {
            let mut main = self.location(place);
            if let Finding::Violation(_, name) = &self.answer.finding {
                main["logicalLocations"] = json!([{ "name": name, "kind": "function" }]);
            }
            main
        });
        json!({
            "ruleId": rule,
            "ruleIndex": index,
            "kind": kind,
            "level": level,
            "message": say(&self.answer.sentence()),
            "locations": main.into_iter().collect::<Vec<_>>(),
            "partialFingerprints": { "primaryLocationLineHash": fingerprint(self.answer) },
        })
    }

    /// The run step by step, without the lines that do not matter; the violation comes last.
    fn flow(&self) -> Vec<Value> {
        let answer = self.answer;
        if answer.sliced.is_none() {
            return Vec::new();
        }
        let shown = answer.steps.iter();
        let shown = shown.filter(|step| step.matters || step.arguments.is_some());
        let shown = shown.filter_map(|step| Some((step, step.place.as_ref()?)));
        let mut steps: Vec<(&Step, &Place)> = shown.collect();
        if steps.len() > 2 * STEPS {
            steps.drain(STEPS..steps.len() - STEPS);
        }
        // What fails may be a part of the line that is the last step.
        if let (Some(at), Some((last, place))) = (&answer.place, steps.last())
            && place.is_on_line_of(at)
            && !last.values.iter().any(|value| value.matters)
        {
            steps.pop();
        }
        let mut flow: Vec<Value> = (1..)
            .zip(&steps)
            .map(|(order, (step, place))| self.flow_step(step, place, order))
            .collect();
        flow.extend(answer.place.as_ref().map(|place| {
            let mut at = self.location(place);
            at["message"] = say(&answer.message);
            json!({
                "location": at,
                "nestingLevel": answer.steps.last().map_or(0, |step| step.indent),
                "executionOrder": steps.len() + 1,
            })
        }));
        if let Some(last) = flow.last_mut() {
            last["importance"] = "essential".into();
        }
        flow
    }

    fn flow_step(&self, step: &Step, place: &Place, order: usize) -> Value {
        let mut at = self.location(place);
        at["message"] = say(&happens(step, place));
        let importance = match step.matters {
            true => "important",
            false => "unimportant",
        };
        let mut flow = json!({
            "location": at,
            "nestingLevel": step.indent,
            "executionOrder": order,
            "importance": importance,
        });
        let values = step.values.iter().filter(|value| value.matters);
        let state: Map<_, _> = values
            .map(|value| (value.name.clone(), say(&value.value)))
            .collect();
        if !state.is_empty() {
            flow["state"] = state.into();
        }
        flow
    }

    fn location(&self, place: &Place) -> Value {
        let [column, end] = place.columns();
        json!({ "physicalLocation": {
            "artifactLocation": artifact(place.name(), self.folder),
            "region": {
                "startLine": place.line(),
                "startColumn": column,
                "endColumn": end.max(column),
                "snippet": say(place.text()),
            },
        } })
    }
}

/// What happens in a step, in words.
fn happens(step: &Step, place: &Place) -> String {
    let list = |values: &[Assigned]| {
        let shown = values.iter().filter(|value| value.matters);
        shown.map(Assigned::text).collect::<Vec<_>>().join(", ")
    };
    let mut parts = Vec::new();
    if let Some(arguments) = &step.arguments {
        parts.push(format!("{}({}) is entered", step.function, list(arguments)));
    }
    if let Some(call) = &step.recursion {
        let back = if call.is_back { "back in " } else { "" };
        parts.push(format!("{back}call {} of {}", call.number, call.of));
    }
    if let Some(number) = step.iteration.filter(|_| step.iterations > 1) {
        let of = match step.goes_on {
            true => String::new(),
            false => format!(" of {}", step.iterations),
        };
        parts.push(format!("iteration {number}{of}"));
    }
    let values = list(&step.values);
    if !values.is_empty() {
        parts.push(values);
    }
    if parts.is_empty() {
        parts.push(format!("`{}`", place.text().trim()));
    }
    parts.join("; ")
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
fn fingerprint(answer: &Answer) -> String {
    let (file, text) = match &answer.place {
        Some(place) => (place.name(), place.text()),
        None => ("", ""),
    };
    let function = match &answer.finding {
        Finding::Violation(_, function) => function,
        Finding::Nothing | Finding::Unknown(_) => "",
    };
    let text = one_line(text);
    let rule = answer.violated().unwrap_or(answer.verdict);
    let name = file.rsplit('/').next().unwrap_or(file);
    let hash = fnv(&[rule, name, function, &text]);
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
    use base::Position;

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
            let position = Position {
                file: "a.c".into(),
                line,
                column: 1,
            };
            let source = base::place::SourceExcerpt {
                position,
                text: text.to_owned(),
                range: 0..0,
            };
            fingerprint(&Answer {
                place: Some(Place { source, file: None }),
                ..Answer::default()
            })
        };
        assert_eq!(at(3, "  assert(x > 0);"), at(9, "\tassert(x  > 0);"));
        assert_ne!(at(3, "assert(x > 0);"), at(3, "assert(x > 1);"));
    }
}
