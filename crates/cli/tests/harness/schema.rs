//! A validator for the part of JSON Schema (2020-12) that `docs/json.schema.json` uses.
//!
//! It is stricter in one point: a field that no schema describes is an error. Published, the
//! schema is open, because fields may be added.

use serde_json::Value;
use std::collections::BTreeSet;

/// The keywords that are understood.
const KEYWORDS: &[&str] = &[
    "$schema",
    "$id",
    "title",
    "description",
    "$defs",
    "$ref",
    "type",
    "const",
    "enum",
    "required",
    "properties",
    "additionalProperties",
    "dependentRequired",
    "items",
    "minItems",
    "minLength",
    "minimum",
    "allOf",
    "if",
    "then",
    "else",
];

/// All that is wrong with a document, each with its place.
pub(crate) fn problems(schema: &Value, document: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let validator = Validator { root: schema };
    validator.whole(schema, document, "$", &mut problems);
    problems
}

struct Validator<'a> {
    root: &'a Value,
}

impl Validator<'_> {
    /// Checks a value, and that all its fields are described.
    fn whole(&self, schema: &Value, value: &Value, at: &str, problems: &mut Vec<String>) {
        let mut known = BTreeSet::new();
        self.check(schema, value, at, &mut known, problems);
        for name in value.as_object().into_iter().flat_map(|map| map.keys()) {
            if !known.contains(name.as_str()) {
                problems.push(format!("{at}: `{name}` is not described"));
            }
        }
    }

    fn check(
        &self,
        schema: &Value,
        value: &Value,
        at: &str,
        known: &mut BTreeSet<String>,
        problems: &mut Vec<String>,
    ) {
        let map = schema.as_object().expect("a schema should be an object");
        for (keyword, rule) in map {
            assert!(KEYWORDS.contains(&keyword.as_str()), "{keyword}");
            match keyword.as_str() {
                "$ref" => self.check(self.target(rule), value, at, known, problems),
                "allOf" => {
                    for part in rule.as_array().expect("a list") {
                        self.check(part, value, at, known, problems);
                    }
                }
                "if" => {
                    let mut unmet = Vec::new();
                    self.check(rule, value, at, &mut BTreeSet::new(), &mut unmet);
                    let branch = if unmet.is_empty() { "then" } else { "else" };
                    if let Some(branch) = map.get(branch) {
                        self.check(branch, value, at, known, problems);
                    }
                }
                "properties" => {
                    for (name, part) in rule.as_object().expect("an object") {
                        known.insert(name.clone());
                        if let Some(inner) = value.get(name) {
                            let at = format!("{at}.{name}");
                            self.whole_or_part(part, inner, &at, problems);
                        }
                    }
                }
                "additionalProperties" => {
                    let fields = value.as_object().into_iter().flatten();
                    for (name, inner) in fields.filter(|(name, _)| !names(map, name)) {
                        known.insert(name.clone());
                        self.whole(rule, inner, &format!("{at}.{name}"), problems);
                    }
                }
                "items" => {
                    for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
                        self.whole(rule, inner, &format!("{at}[{index}]"), problems);
                    }
                }
                _ => {
                    if !holds(keyword, rule, value) {
                        problems.push(format!("{at}: not {keyword} {rule}"));
                    }
                }
            }
        }
    }

    /// A schema that only constrains what another one describes says nothing about fields.
    fn whole_or_part(&self, schema: &Value, value: &Value, at: &str, problems: &mut Vec<String>) {
        let describes = ["properties", "$ref", "allOf"];
        if value.is_object() && describes.iter().any(|word| schema.get(word).is_some()) {
            self.whole(schema, value, at, problems);
        } else {
            self.check(schema, value, at, &mut BTreeSet::new(), problems);
        }
    }

    fn target(&self, reference: &Value) -> &Value {
        let path = reference.as_str().and_then(|path| path.strip_prefix('#'));
        let found = path.and_then(|path| self.root.pointer(path));
        found.unwrap_or_else(|| panic!("{reference} leads nowhere"))
    }
}

/// Whether `properties` of a schema has a name.
fn names(schema: &serde_json::Map<String, Value>, name: &str) -> bool {
    let properties = schema.get("properties");
    properties.is_some_and(|properties| properties.get(name).is_some())
}

/// Whether a value satisfies a keyword that looks at nothing inside.
fn holds(keyword: &str, rule: &Value, value: &Value) -> bool {
    let has = |name: &Value| value.get(name.as_str().unwrap_or_default()).is_some();
    match keyword {
        "type" => match rule.as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("number") => value.is_number(),
            Some("integer") => value.is_i64() || value.is_u64(),
            _ => panic!("type {rule}"),
        },
        "const" => value == rule,
        "enum" => rule.as_array().is_some_and(|list| list.contains(value)),
        "required" => rule.as_array().is_some_and(|names| names.iter().all(has)),
        "dependentRequired" => rule.as_object().is_some_and(|map| {
            map.iter().all(|(name, others)| {
                let others = others.as_array().expect("a list");
                value.get(name).is_none() || others.iter().all(has)
            })
        }),
        "minItems" => value
            .as_array()
            .is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap_or(0)),
        "minLength" => value
            .as_str()
            .is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().unwrap_or(0)),
        "minimum" => value
            .as_f64()
            .is_none_or(|number| number >= rule.as_f64().unwrap_or(0.0)),
        "$schema" | "$id" | "title" | "description" | "$defs" | "then" | "else" => true,
        _ => panic!("{keyword}"),
    }
}
