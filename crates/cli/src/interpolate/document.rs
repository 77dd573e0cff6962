//! Answers as a JSON document; docs/json.md describes it.

use super::answer::{Answer, Outcome, model_text};
use crate::args::InterpolateArgs;
use crate::json::{SCHEMA, Tool};
use logic::TermStore;
use serde::Serialize;
use std::time::Duration;

/// What `cairn interpolate --json` prints.
#[derive(Serialize)]
pub(super) struct Document {
    schema: u32,
    tool: Tool,
    command: &'static str,
    files: Vec<String>,
    queries: Vec<Query>,
    stats: Stats,
}

#[derive(Serialize)]
struct Query {
    parts: Vec<Vec<String>>,
    /// For each part but the last the number, from 0, of the part it hangs from.
    parents: Vec<usize>,
    answer: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    interpolants: Vec<Interpolant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct Interpolant {
    formula: String,
    atoms: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    derivation: Option<String>,
}

#[derive(Serialize)]
struct Stats {
    seconds: f64,
}

impl Document {
    pub(super) fn new(
        args: &InterpolateArgs,
        store: &TermStore,
        answers: &[Answer],
        time: Duration,
    ) -> Self {
        Document {
            schema: SCHEMA,
            tool: Tool::default(),
            command: "interpolate",
            files: vec![args.file.to_string_lossy().into_owned()],
            queries: (answers.iter())
                .map(|answer| Query::new(args, store, answer))
                .collect(),
            stats: Stats {
                seconds: time.as_secs_f64(),
            },
        }
    }

    /// The document as text.
    pub(super) fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("plain structs should serialise");
        text + "\n"
    }
}

impl Query {
    fn new(args: &InterpolateArgs, store: &TermStore, answer: &Answer) -> Self {
        let names = |part: &logic::read::Part| part.names.iter().map(ToString::to_string).collect();
        let mut query = Query {
            parts: answer.partition.parts.iter().map(names).collect(),
            parents: answer.partition.parents.clone(),
            answer: "unknown",
            interpolants: Vec::new(),
            checked: None,
            model: None,
            reason: answer.unchecked.clone(),
        };
        match &answer.outcome {
            Outcome::Interpolants(interpolants) => {
                query.answer = "interpolants";
                query.checked = args.check.then_some(answer.checked);
                for (cut, &interpolant) in interpolants.iter().enumerate() {
                    query.interpolants.push(Interpolant {
                        formula: store.readable(interpolant),
                        atoms: store.atoms(interpolant).len(),
                        derivation: answer.derivations.get(cut).cloned(),
                    });
                }
            }
            Outcome::Consistent(model) => {
                query.answer = "consistent";
                query.model = Some(model_text(store, &answer.formulas(), model));
            }
            Outcome::Unknown(reason) => query.reason = Some(reason.clone()),
        }
        query
    }
}
