//! The rules of the witness format 2.0, by a reader of its own: what others would refuse.

use serde_json::Value;

/// All that is wrong with a witness file for this program; nothing if it is well.
pub(crate) fn lint(text: &str, program: &str) -> Vec<String> {
    let entries: Value = match serde_saphyr::from_str(text) {
        Ok(entries) => entries,
        Err(error) => return vec![format!("no YAML: {error}")],
    };
    let mut lint = Lint {
        lines: program.lines().map(str::to_owned).collect(),
        problems: Vec::new(),
    };
    let Some(entries) = entries.as_array().filter(|entries| !entries.is_empty()) else {
        return vec!["not a list of entries".to_owned()];
    };
    if text.contains(": &") || text.contains(": *") {
        lint.wrong("anchors");
    }
    for entry in entries {
        lint.metadata(&entry["metadata"]);
        match entry["entry_type"].as_str() {
            Some("violation_sequence") => lint.segments(&entry["content"]),
            Some("invariant_set") => lint.invariants(&entry["content"]),
            other => lint.wrong(&format!("entry_type {other:?}")),
        }
    }
    lint.problems
}

struct Lint {
    /// The program as it is on the disk.
    lines: Vec<String>,
    problems: Vec<String>,
}

impl Lint {
    fn wrong(&mut self, what: &str) {
        self.problems.push(what.to_owned());
    }

    fn check(&mut self, holds: bool, what: &str) {
        if !holds {
            self.wrong(what);
        }
    }

    fn metadata(&mut self, metadata: &Value) {
        self.check(
            metadata["format_version"] == "2.0",
            "format_version is not the text 2.0",
        );
        let uuid = metadata["uuid"].as_str().unwrap_or_default();
        let groups: Vec<usize> = uuid.split('-').map(str::len).collect();
        let is_hex = uuid.chars().all(|c| c == '-' || c.is_ascii_hexdigit());
        self.check(groups == [8, 4, 4, 4, 12] && is_hex, "uuid");
        let time = metadata["creation_time"].as_str().unwrap_or_default();
        let shape: String = time
            .chars()
            .map(|c| if c.is_ascii_digit() { '9' } else { c })
            .collect();
        self.check(
            shape == "9999-99-99T99:99:99Z",
            "creation_time is not ISO 8601",
        );
        for key in ["name", "version"] {
            self.check(metadata["producer"][key].is_string(), "producer");
        }
        let task = &metadata["task"];
        let files = task["input_files"].as_array().cloned().unwrap_or_default();
        self.check(!files.is_empty(), "input_files");
        for file in &files {
            let hash = file
                .as_str()
                .and_then(|file| task["input_file_hashes"][file].as_str())
                .unwrap_or_default();
            let is_hash = hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit());
            self.check(is_hash, "a file without its SHA-256");
        }
        let specification = task["specification"].as_str().unwrap_or_default();
        for line in specification.lines() {
            let is_check = line.starts_with("CHECK( init(") && line.ends_with(") )");
            self.check(is_check, "specification");
        }
        self.check(!specification.is_empty(), "specification");
        let model = task["data_model"].as_str();
        self.check(matches!(model, Some("ILP32" | "LP64")), "data_model");
        self.check(task["language"] == "C", "language");
    }

    /// A place that is in the program; returns the text from there on.
    fn location(&mut self, location: &Value) -> String {
        self.check(location["file_name"].is_string(), "file_name");
        let line = location["line"].as_u64().unwrap_or(0) as usize;
        let column = location["column"].as_u64().unwrap_or(0) as usize;
        self.check(
            location["function"].is_string(),
            "a location without its function",
        );
        let text = line.checked_sub(1).and_then(|line| self.lines.get(line));
        let rest = text.and_then(|text| text.get(column.checked_sub(1)?..));
        match rest {
            Some(rest) if !rest.is_empty() => rest.to_owned(),
            Some(_) | None => {
                self.wrong(&format!("nothing stands at {line}:{column}"));
                String::new()
            }
        }
    }

    fn segments(&mut self, content: &Value) {
        let segments = content.as_array().cloned().unwrap_or_default();
        self.check(!segments.is_empty(), "no segment");
        for (index, segment) in segments.iter().enumerate() {
            let waypoints = segment["segment"].as_array().cloned().unwrap_or_default();
            let is_last = index + 1 == segments.len();
            for (place, waypoint) in waypoints.iter().enumerate() {
                let waypoint = &waypoint["waypoint"];
                let follows = place + 1 == waypoints.len();
                let action = if follows { "follow" } else { "avoid" };
                self.check(
                    waypoint["action"] == action,
                    "one follow, at the end of a segment",
                );
                self.waypoint(waypoint, follows && is_last);
            }
            self.check(!waypoints.is_empty(), "an empty segment");
        }
    }

    fn waypoint(&mut self, waypoint: &Value, is_end: bool) {
        let rest = self.location(&waypoint["location"]);
        let constraint = &waypoint["constraint"];
        let kind = waypoint["type"].as_str().unwrap_or_default();
        self.check(
            (kind == "target") == is_end,
            "the target comes last, and only there",
        );
        match kind {
            "target" => self.check(constraint.is_null(), "a target with a constraint"),
            "function_enter" => {
                self.check(constraint.is_null(), "function_enter with a constraint");
                self.check(rest.starts_with(')'), "function_enter is not at a `)`");
            }
            "function_return" => {
                self.check(rest.starts_with(')'), "function_return is not at a `)`");
                self.check(constraint["format"] == "acsl_expression", "format");
                let value = constraint["value"].as_str().unwrap_or_default();
                let words: Vec<&str> = value.split(' ').collect();
                let is_result = matches!(words[..], ["\\result", "==" | "!=" | "<" | "<=" | ">" | ">=", number]
                    if number.parse::<f64>().is_ok());
                self.check(
                    is_result,
                    "a constraint that is not `\\result <op> <constant>`",
                );
            }
            "branching" => {
                let value = constraint["value"].as_str().unwrap_or_default();
                let is_way = matches!(value, "true" | "false" | "default");
                self.check(
                    is_way || value.parse::<i64>().is_ok(),
                    "the way of a branching",
                );
                self.check(constraint["format"].is_null(), "branching with a format");
                let words = ["if", "while", "for", "switch", "?"];
                let is_there = words.iter().any(|word| rest.starts_with(word));
                self.check(is_there, "a branching that is at no keyword");
            }
            "assumption" => {
                self.check(constraint["format"] == "c_expression", "format");
                self.expression(&constraint["value"]);
            }
            other => self.wrong(&format!("waypoint type {other}")),
        }
    }

    fn invariants(&mut self, content: &Value) {
        let Some(invariants) = content.as_array() else {
            return self.wrong("an invariant set that is no list");
        };
        for invariant in invariants {
            let invariant = &invariant["invariant"];
            let rest = self.location(&invariant["location"]);
            match invariant["type"].as_str() {
                Some("loop_invariant") => {
                    let words = ["for", "while", "do"];
                    let is_loop = words.iter().any(|word| rest.starts_with(word));
                    self.check(is_loop, "a loop invariant that is at no loop");
                }
                Some("location_invariant") => {}
                other => self.wrong(&format!("invariant type {other:?}")),
            }
            self.check(invariant["format"] == "c_expression", "format");
            self.expression(&invariant["value"]);
        }
    }

    /// A C expression without effects.
    fn expression(&mut self, value: &Value) {
        let text = value.as_str().unwrap_or_default();
        self.check(!text.trim().is_empty(), "an empty expression");
        let plain = text
            .replace("==", "")
            .replace("!=", "")
            .replace("<=", "")
            .replace(">=", "");
        self.check(!plain.contains('='), "an assignment in an expression");
        self.check(
            !text.contains("++") && !text.contains("--"),
            "a step in an expression",
        );
        self.check(!text.contains(';'), "a statement in an expression");
    }
}
