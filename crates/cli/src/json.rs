//! The JSON documents of `--json`. docs/json.md describes them; a change that could break a
//! reader raises [`SCHEMA`].

use serde::Serialize;

/// The version of the documents.
pub(crate) const SCHEMA: u32 = 1;

/// What `cairn check`, `run` and `validate` print with `--json`.
#[derive(Serialize, Default)]
pub(crate) struct Document {
    pub(crate) schema: u32,
    pub(crate) tool: Tool,
    pub(crate) command: &'static str,
    pub(crate) files: Vec<String>,
    pub(crate) entry: String,
    pub(crate) data_model: &'static str,
    pub(crate) properties: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) engine: Option<&'static str>,
    /// `check`: safe, unsafe, unknown, error. `run`: none unless it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verdict: Option<&'static str>,
    /// `run`: how the run ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<End>,
    /// `validate`: what became of the witness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) witness: Option<Witness>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) violation: Option<Violation>,
    /// What the compiled program did, with `--confirm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) confirmed: Option<Confirmed>,
    pub(crate) inputs: Vec<Input>,
    /// Turns of loops that were proved, not run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) leaps: Vec<Leap>,
    /// The failing run, or the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<Trace>,
    /// What the proof says about loops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) invariants: Vec<Invariant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    pub(crate) assumptions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) errors: Vec<Note>,
    pub(crate) stats: Stats,
}

#[derive(Serialize)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl Default for Tool {
    fn default() -> Self {
        Tool {
            name: "cairn",
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// A place; the fields are absent where there is none.
#[derive(Serialize, Default, Clone)]
pub(crate) struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
}

impl From<Option<base::Position>> for Place {
    fn from(position: Option<base::Position>) -> Self {
        position.map_or_else(Place::default, |position| Place {
            file: Some(position.file.to_string()),
            line: Some(position.line),
            column: Some(position.column),
        })
    }
}

#[derive(Serialize)]
pub(crate) struct End {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<i32>,
    #[serde(flatten)]
    pub(crate) place: Place,
}

#[derive(Serialize)]
pub(crate) struct Reason {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) notes: Vec<Note>,
    /// What could be tried.
    pub(crate) help: Vec<String>,
}

/// A run, line by line.
#[derive(Serialize)]
pub(crate) struct Trace {
    /// Whether `matters` says what the failure depends on; else it is always true.
    pub(crate) sliced: bool,
    pub(crate) steps: Vec<Step>,
}

#[derive(Serialize)]
pub(crate) struct Step {
    pub(crate) function: String,
    pub(crate) depth: usize,
    #[serde(flatten)]
    pub(crate) place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<Vec<Value>>,
    pub(crate) values: Vec<Value>,
    pub(crate) matters: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn: Option<Turn>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) left_out: u64,
}

#[derive(Serialize)]
pub(crate) struct Value {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) matters: bool,
}

#[derive(Serialize)]
pub(crate) struct Turn {
    pub(crate) number: u64,
    pub(crate) of: u64,
    pub(crate) skipped: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Serialize)]
pub(crate) struct Note {
    pub(crate) message: String,
    #[serde(flatten)]
    pub(crate) place: Place,
}

#[derive(Serialize)]
pub(crate) struct Violation {
    pub(crate) property: &'static str,
    pub(crate) message: String,
    pub(crate) function: String,
    #[serde(flatten)]
    pub(crate) place: Place,
}

#[derive(Serialize)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    #[serde(rename = "type")]
    pub(crate) ty: String,
    pub(crate) value: String,
    #[serde(flatten)]
    pub(crate) place: Place,
}

/// What the compiled program did.
#[derive(Serialize)]
pub(crate) struct Confirmed {
    /// reproduced, differs, untried.
    pub(crate) result: &'static str,
    pub(crate) message: String,
    /// Whether it was a copy that takes proved turns of loops at once.
    pub(crate) shortened: bool,
    #[serde(flatten)]
    pub(crate) place: Place,
}

/// What became of a witness.
#[derive(Serialize)]
pub(crate) struct Witness {
    /// confirmed, rejected, unknown.
    pub(crate) result: &'static str,
    pub(crate) message: String,
    pub(crate) warnings: Vec<String>,
}

/// What holds at a loop.
#[derive(Serialize)]
pub(crate) struct Invariant {
    pub(crate) function: String,
    /// For people.
    pub(crate) conjuncts: Vec<String>,
    /// As a C compiler takes them, over names in scope at the keyword.
    pub(crate) exact: Vec<String>,
    #[serde(flatten)]
    pub(crate) place: Place,
}

#[derive(Serialize)]
pub(crate) struct Leap {
    pub(crate) turns: String,
    #[serde(flatten)]
    pub(crate) place: Place,
}

#[derive(Serialize, Default)]
pub(crate) struct Stats {
    pub(crate) seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) effort: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) steps: Option<u64>,
    /// Where all runs of the program were made, how many they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) runs: Option<u64>,
    pub(crate) procedures: usize,
    pub(crate) locations: usize,
    pub(crate) edges: usize,
}

impl Document {
    /// The document as text.
    pub(crate) fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("plain structs should serialise");
        text + "\n"
    }
}

impl Document {
    /// The document of a command that we broke.
    pub(crate) fn broken(command: &'static str, message: String) -> Self {
        Document {
            schema: SCHEMA,
            command,
            verdict: Some("unknown"),
            reason: Some(Reason {
                kind: certify::ReasonKind::Internal.name(),
                message,
                place: Place::default(),
                notes: Vec::new(),
                help: vec![crate::exit::PLEASE_REPORT.to_owned()],
            }),
            ..Document::default()
        }
    }

    /// The document of a command that was cut off, with the verdict if there was one by then.
    pub(crate) fn cut_off(
        command: &'static str,
        verdict: &'static str,
        kind: certify::ReasonKind,
        message: String,
    ) -> Self {
        let mut document = Document::broken(command, message);
        document.verdict = Some(verdict);
        if let Some(reason) = &mut document.reason {
            reason.kind = kind.name();
            reason.help = Vec::new();
        }
        document
    }

    /// The document of a command that failed.
    pub(crate) fn failed(command: &'static str, failure: &input::Failure) -> Self {
        use input::Failure;
        let errors = match failure {
            Failure::Usage { message, .. } => vec![Note {
                message: message.clone(),
                place: Place::default(),
            }],
            Failure::Source {
                sources,
                diagnostics,
            } => {
                let places = base::place::Places::new(sources);
                diagnostics
                    .iter()
                    .filter(|diagnostic| diagnostic.severity == base::Severity::Error)
                    .map(|diagnostic| Note {
                        message: diagnostic.message.clone(),
                        place: places.position(diagnostic.span).into(),
                    })
                    .collect()
            }
        };
        Document {
            schema: SCHEMA,
            command,
            verdict: Some("error"),
            errors,
            ..Document::default()
        }
    }
}
