//! Witnesses that are made false: an invariant that some run violates, or inputs of a run that does
//! not fail. Which of the changes are false is measured, not guessed.

use crate::check::{Bench, Check};
use crate::syntax::{Program, Written};
use base::Rng;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Changes tried until one is false.
const ATTEMPTS: usize = 3;

/// What a witness is about.
pub(crate) struct Context<'a> {
    pub(crate) check: &'a Check,
    pub(crate) bench: &'a Bench<'a>,
    pub(crate) program: &'a Program,
    pub(crate) written: &'a Written,
    pub(crate) stem: &'a Path,
}

/// A witness that is false.
pub(crate) struct Changed {
    pub(crate) witness: PathBuf,
    pub(crate) what: String,
}

/// A witness that is like another one but false; `None` if there is nothing to change.
pub(crate) fn changed(
    context: &Context<'_>,
    witness: &Path,
    answer: &Value,
    rng: &mut Rng,
) -> Result<Option<Changed>, String> {
    let text = std::fs::read_to_string(witness).map_err(|error| error.to_string())?;
    let found = match answer["verdict"].as_str() {
        Some("safe") => other_invariant(context, &text, rng)?,
        Some("unsafe") => other_input(context, &text, answer, rng)?,
        Some(_) | None => None,
    };
    let Some((text, what)) = found else {
        return Ok(None);
    };
    let witness = context.stem.with_extension("changed.yml");
    std::fs::write(&witness, text).map_err(|error| error.to_string())?;
    Ok(Some(Changed { witness, what }))
}

/// The values of a witness with the line of the program that stands before each.
fn values(text: &str) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if let Some(place) = line.strip_prefix("line: ") {
            at = place.parse().unwrap_or(0);
        }
        if let Some(value) = line.strip_prefix("value: ")
            && let Ok(value) = serde_json::from_str::<String>(value)
        {
            found.push((number, at, value));
        }
    }
    found
}

/// The witness with another value in one of its lines.
fn replaced(text: &str, number: usize, value: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &lines[number];
    let indent = line.len() - line.trim_start().len();
    let quoted = serde_json::to_string(value).expect("a text should have a JSON form");
    lines[number] = format!("{}value: {quoted}", " ".repeat(indent));
    lines.join("\n") + "\n"
}

fn other_invariant(
    context: &Context<'_>,
    text: &str,
    rng: &mut Rng,
) -> Result<Option<(String, String)>, String> {
    let loops = &context.written.loops;
    let known: Vec<(usize, usize, String)> = (values(text).into_iter())
        .filter_map(|(number, line, value)| Some((number, *loops.get(&line)?, value)))
        .collect();
    if known.is_empty() {
        return Ok(None);
    }
    for _ in 0..ATTEMPTS {
        let (number, at, value) = &known[rng.below(known.len())];
        let Some(other) = mutated(value, rng) else {
            continue;
        };
        let invariants = BTreeMap::from([(*at, other.clone())]);
        let stem = context.stem.with_extension("tamper");
        let compiler = context.bench.compiler;
        let model = context.check.model;
        let truth = compiler.runs_with(context.program, model, &stem, &invariants, &[])?;
        if truth.is_ok_and(|truth| truth.refutes_invariant()) {
            let what = format!("{value} became {other}");
            return Ok(Some((replaced(text, *number, &other), what)));
        }
    }
    Ok(None)
}

/// An expression with one number or operator changed.
fn mutated(value: &str, rng: &mut Rng) -> Option<String> {
    const SWAPS: [(&str, &str); 8] = [
        (" <= ", " < "),
        (" >= ", " > "),
        (" == ", " != "),
        (" != ", " == "),
        (" < ", " > "),
        (" + ", " - "),
        (" - ", " + "),
        (" || ", " && "),
    ];
    let mut variants = Vec::new();
    for (from, to) in SWAPS {
        for (at, _) in value.match_indices(from) {
            variants.push(format!("{}{to}{}", &value[..at], &value[at + from.len()..]));
        }
    }
    let mut at = 0;
    while let Some(start) = value[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + start;
        let rest = &value[start..];
        let length = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        at = start + length;
        let is_name = value[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if let Ok(number) = rest[..length].parse::<u64>()
            && !is_name
        {
            for other in [number.wrapping_add(1), number.saturating_sub(1)] {
                variants.push(format!("{}{other}{}", &value[..start], &value[at..]));
            }
        }
    }
    (!variants.is_empty()).then(|| variants[rng.below(variants.len())].clone())
}

/// Another value for one input, on which the run does not fail.
///
/// Only where the witness says all inputs, each drawn once: otherwise a search may rightly find
/// another run that fails.
fn other_input(
    context: &Context<'_>,
    text: &str,
    answer: &Value,
    rng: &mut Rng,
) -> Result<Option<(String, String)>, String> {
    let Some(inputs) = answer["inputs"].as_array() else {
        return Ok(None);
    };
    let results: Vec<(usize, usize, String)> = (values(text).into_iter())
        .filter(|(_, _, value)| value.starts_with("\\result == "))
        .collect();
    let mut lines: Vec<u64> = Vec::new();
    let mut vector: Vec<i64> = Vec::new();
    for input in inputs {
        let (line, value) = (input["line"].as_u64(), input["value"].as_str());
        let value = value.and_then(|value| value.parse().ok());
        let (true, Some(line), Some(value)) = (input["kind"] == "nondet", line, value) else {
            return Ok(None);
        };
        lines.push(line);
        vector.push(value);
    }
    let mut once = lines.clone();
    once.sort_unstable();
    once.dedup();
    if once.len() != lines.len() || results.len() != lines.len() || lines.is_empty() {
        return Ok(None);
    }
    for _ in 0..ATTEMPTS {
        let place = rng.below(vector.len());
        let Some(&(low, high)) = context.written.inputs.get(&(lines[place] as usize)) else {
            return Ok(None);
        };
        let span = (high - low + 1) as usize;
        let other = low + rng.below(span) as i64;
        if other == vector[place] {
            continue;
        }
        let mut changed = vector.clone();
        changed[place] = other;
        let stem = context.stem.with_extension("tamper");
        let (compiler, model) = (context.bench.compiler, context.check.model);
        let none = BTreeMap::new();
        let truth = compiler.runs_with(context.program, model, &stem, &none, &changed)?;
        let passes = truth
            .is_ok_and(|truth| context.check.is_violated(context.program, &truth) == Some(false));
        if passes {
            let what = format!("input {} became {other}", vector[place]);
            let value = format!("\\result == {other}");
            return Ok(Some((replaced(text, results[place].0, &value), what)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_one_number_or_operator() {
        let mut rng = Rng::new(1);
        for _ in 0..50 {
            let other = mutated("x1 <= 7", &mut rng).expect("there is something to change");
            assert!(
                ["x1 < 7", "x1 <= 8", "x1 <= 6"].contains(&&*other),
                "{other}"
            );
        }
    }

    #[test]
    fn a_value_is_replaced_in_its_line_only() {
        let text = "- a:\n    line: 3\n    value: \"x == 1\"\n  b: 2\n";
        assert_eq!(values(text), [(2, 3, "x == 1".to_owned())]);
        let expected = "- a:\n    line: 3\n    value: \"x == 2\"\n  b: 2\n";
        assert_eq!(replaced(text, 2, "x == 2"), expected);
    }
}
