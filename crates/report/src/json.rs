//! The JSON documents of `--json`. docs/json.md describes them; a change that could break a
//! reader raises [`SCHEMA`].

use crate::answer::{
    Answer, Assigned, Contract, Finding, GoalAnswer, Input, Invariant, Leap, Note, Step,
};
use crate::place::Place;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use witness::confirm::Confirmed;

/// The version of the documents.
const SCHEMA: u32 = 1;

/// A value whose members are in the order that documents have. What is null is left out, and an
/// object without a name is its members.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Json {
    Value(Value),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

/// An object, as in `object! { "name": value }`.
#[macro_export]
macro_rules! object {
    ($($name:literal: $value:expr),* $(,)?) => {
        $crate::json::Json::Object(vec![$(($name, $value.into())),*])
    };
}

impl<T: Into<Value>> From<T> for Json {
    fn from(value: T) -> Self {
        Json::Value(value.into())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Value(value) => value.serialize(serializer),
            Json::List(values) => values.serialize(serializer),
            Json::Object(members) => {
                let mut map = serializer.serialize_map(None)?;
                serialize_members(&mut map, members)?;
                map.end()
            }
        }
    }
}

fn serialize_members<M: SerializeMap>(
    map: &mut M,
    members: &[(&'static str, Json)],
) -> Result<(), M::Error> {
    for (name, value) in members {
        match value {
            Json::Value(Value::Null) => {}
            Json::Object(inner) if name.is_empty() => serialize_members(map, inner)?,
            Json::Value(_) | Json::List(_) | Json::Object(_) => map.serialize_entry(name, value)?,
        }
    }
    Ok(())
}

impl Json {
    /// Nothing.
    pub const ABSENT: Json = Json::Value(Value::Null);

    /// A list of what is made of each.
    pub fn list<T>(rows: &[T], make: impl Fn(&T) -> Json) -> Json {
        Json::List(rows.iter().map(make).collect())
    }

    /// The same; nothing for nothing.
    pub fn some<T>(rows: &[T], make: impl Fn(&T) -> Json) -> Json {
        match rows.is_empty() {
            true => Json::ABSENT,
            false => Json::list(rows, make),
        }
    }

    /// The document as text, with the members that all documents begin with.
    pub fn text(self, action: &'static str) -> String {
        let tool = object! { "name": "cairn", "version": env!("CARGO_PKG_VERSION") };
        let mut document = object! { "schema": SCHEMA, "tool": tool, "command": action };
        if let (Json::Object(first), Json::Object(rest)) = (&mut document, self) {
            first.extend(rest);
        }
        let text = serde_json::to_string_pretty(&document);
        text.expect("plain values should serialise") + "\n"
    }
}

/// What `cairn check`, `run` and `validate` print with `--json`.
pub fn text(answer: &Answer) -> String {
    document(answer, Json::ABSENT).text(answer.subject.action)
}

/// The document of a command that failed, with its errors.
pub fn failed(action: &'static str, errors: &[Note]) -> String {
    let answer = Answer {
        verdict: "error",
        ..Answer::default()
    };
    document(&answer, Json::some(errors, note)).text(action)
}

fn document(answer: &Answer, errors: Json) -> Json {
    let subject = &answer.subject;
    let end = answer.end.as_ref().map(|end| {
        object! {
            "kind": end.kind,
            "message": answer.message.clone(),
            "status": end.status,
            "": at(&answer.place),
        }
    });
    let witness = answer.witness.as_ref().map(|witness| {
        object! {
            "result": witness.result,
            "message": witness.message.clone(),
            "warnings": witness.warnings.clone(),
        }
    });
    let (reason, violation) = match &answer.finding {
        Finding::Nothing => (Json::ABSENT, Json::ABSENT),
        Finding::Unknown(kind) => {
            let reason = object! {
                "kind": kind.name(),
                "message": answer.message.clone(),
                "": at(&answer.place),
                "notes": Json::list(&answer.notes, note),
                "help": answer.help.clone(),
            };
            (reason, Json::ABSENT)
        }
        Finding::Violation(property, function) => {
            let violation = object! {
                "property": input::property::name(*property),
                "message": answer.message.clone(),
                "function": function.clone(),
                "": at(&answer.place),
            };
            (Json::ABSENT, violation)
        }
    };
    let trace = answer.sliced.map(|sliced| {
        object! { "sliced": sliced, "steps": Json::list(&answer.steps, step) }
    });
    let output = answer.end.as_ref().map(|end| end.output.clone());
    object! {
        "files": subject.files.clone(),
        "entry": subject.entry.clone(),
        "data_model": subject.data_model,
        "properties": subject.properties.clone(),
        "engine": subject.engine,
        "verdict": Some(answer.verdict).filter(|verdict| !verdict.is_empty()),
        "end": end.unwrap_or(Json::ABSENT),
        "witness": witness.unwrap_or(Json::ABSENT),
        "reason": reason,
        "violation": violation,
        "goals": Json::some(&answer.goals, goal),
        "confirmed": answer.confirmed.as_ref().map_or(Json::ABSENT, confirmed),
        "inputs": Json::list(&answer.inputs, input),
        "leaps": Json::some(&answer.leaps, leap),
        "trace": trace.unwrap_or(Json::ABSENT),
        "invariants": Json::some(&answer.invariants, invariant),
        "contracts": Json::some(&answer.contracts, contract),
        "output": output,
        "assumptions": answer.assumptions.clone(),
        "errors": errors,
        "stats": object! {
            "seconds": answer.cost.seconds,
            "effort": answer.cost.effort,
            "counters": counters(&answer.cost.counters),
            "steps": answer.run_steps,
            "runs": answer.runs,
            "procedures": subject.procedures,
            "locations": subject.locations,
            "edges": subject.edges,
        },
    }
}

/// What engines counted, if they counted anything.
pub fn counters(counters: &BTreeMap<&'static str, u64>) -> Json {
    let members = counters.iter().map(|(&name, &count)| (name, count.into()));
    let members: Vec<_> = members.collect();
    match members.is_empty() {
        true => Json::ABSENT,
        false => Json::Object(members),
    }
}

/// The file, line and column of a place, as members of what is there.
pub(crate) fn at(place: &Option<Place>) -> Json {
    let position = place.as_ref().map(|place| &place.source.position);
    object! {
        "file": position.map(|at| at.file.to_string()),
        "line": position.map(|at| at.line),
        "column": position.map(|at| at.column),
    }
}

fn note(note: &Note) -> Json {
    object! { "message": note.text.clone(), "": at(&note.place) }
}

fn input(input: &Input) -> Json {
    object! {
        "name": input.name.clone(),
        "kind": input.kind,
        "type": input.ty.clone(),
        "value": input.value.clone(),
        "": at(&input.place),
    }
}

fn goal(goal: &GoalAnswer) -> Json {
    let reason = goal.reason.as_ref();
    let reason = reason.map(|(kind, why)| object! { "kind": kind.name(), "message": why.clone() });
    object! {
        "verdict": goal.verdict,
        "property": input::property::name(goal.property),
        "message": goal.message.clone(),
        "function": goal.function.clone(),
        "": at(&goal.place),
        "inputs": match goal.verdict {
            "unsafe" => Json::list(&goal.inputs, input),
            _ => Json::ABSENT,
        },
        "reason": reason.unwrap_or(Json::ABSENT),
    }
}

fn leap(leap: &Leap) -> Json {
    object! { "iterations": leap.iterations.clone(), "": at(&leap.place) }
}

fn confirmed(confirmed: &Confirmed) -> Json {
    let (file, line) = confirmed.at.clone().unzip();
    object! {
        "result": confirmed.result,
        "message": confirmed.message.clone(),
        "shortened": confirmed.shortened,
        "file": file,
        "line": line,
    }
}

fn invariant(invariant: &Invariant) -> Json {
    object! {
        "function": invariant.function.clone(),
        "conjuncts": invariant.conjuncts.clone(),
        "exact": invariant.exact.clone(),
        "": at(&invariant.place),
    }
}

fn contract(contract: &Contract) -> Json {
    object! {
        "function": contract.function.clone(),
        "requires": contract.requires.clone(),
        "ensures": contract.ensures.clone(),
        "": at(&contract.place),
    }
}

fn step(step: &Step) -> Json {
    let iteration = step.iteration.map(|number| {
        object! { "number": number, "of": step.iterations, "skipped": step.skipped }
    });
    let recursion = step.recursion.as_ref().map(|call| {
        object! {
            "call": call.number,
            "of": call.of,
            "level": call.level,
            "back": call.is_back,
            "skipped": call.skipped,
            "returns": call.returns,
        }
    });
    let arguments = step.arguments.as_deref();
    object! {
        "function": step.function.clone(),
        "depth": step.depth,
        "": at(&step.place),
        "arguments": arguments.map_or(Json::ABSENT, |values| Json::list(values, assigned)),
        "values": Json::list(&step.values, assigned),
        "matters": step.matters,
        "iteration": iteration.unwrap_or(Json::ABSENT),
        "recursion": recursion.unwrap_or(Json::ABSENT),
        "left_out": Some(step.left_out).filter(|&count| count > 0),
    }
}

fn assigned(value: &Assigned) -> Json {
    object! { "name": value.name.clone(), "value": value.value.clone(), "matters": value.matters }
}
