//! `cairn validate`: whether a witness shows what it claims.
//!
//! # Invariants
//! - `confirmed` rests on a replay or on a checked proof, never on the witness's word.

mod claims;
mod invariants;
mod names;
mod search;
mod violation;

use crate::args::{ModelChoice, ValidateArgs};
use crate::check;
use crate::console::Console;
use crate::engines;
use crate::exit;
use crate::failure::Failure;
use crate::json;
use crate::load::{self, Loaded, Request};
use crate::property::Selection;
use base::Budget;
use bench::task;
use engine::Engine;
use std::path::Path;
use std::time::Instant;
use witness::format::{self, Content, Entry};

/// What becomes of a witness.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    /// It shows what it claims; how.
    Confirmed(String),
    /// It does not, and why.
    Rejected(String),
    /// Neither is known, and why.
    Unknown(String),
}

impl Answer {
    fn name(&self) -> &'static str {
        match self {
            Answer::Confirmed(_) => "confirmed",
            Answer::Rejected(_) => "rejected",
            Answer::Unknown(_) => "unknown",
        }
    }

    fn message(&self) -> &str {
        match self {
            Answer::Confirmed(text) | Answer::Rejected(text) | Answer::Unknown(text) => text,
        }
    }

    fn exit_code(&self) -> u8 {
        match self {
            Answer::Confirmed(_) => exit::SAFE,
            Answer::Rejected(_) => exit::UNSAFE,
            Answer::Unknown(_) => exit::UNKNOWN,
        }
    }
}

/// What the parts of the validation work with.
pub(crate) struct Scene<'a> {
    /// The program of the command line.
    pub(crate) loaded: &'a Loaded,
    /// Who searches.
    pub(crate) engine: &'a dyn Engine,
    /// Until when.
    pub(crate) budget: &'a Budget,
}

impl Scene<'_> {
    /// A rejection of a violation, if all that may be violated is checked.
    fn rejected(&self, why: String) -> Answer {
        match self.loaded.request.selection.unchecked.first() {
            Some(name) => Answer::Unknown(format!("{why}; but {name} is not checked yet")),
            None => Answer::Rejected(why),
        }
    }
}

/// Runs the command and gives its exit code.
pub(crate) fn run(args: &ValidateArgs, console: &Console, budget: &Budget) -> Result<u8, Failure> {
    let start = Instant::now();
    let engine = engines::find(&args.engine)?;
    let mut source = args.source.clone();
    let witness = match &source.files[..] {
        [_, .., _] => source.files.pop(),
        _ => None,
    };
    let witness = witness.ok_or_else(|| {
        Failure::new("there is no witness").help("give the program first, then the witness")
    })?;
    let entries = read(&witness)?;
    let mut request = Request::new(&source)?;
    let is_task = source.files.iter().any(|file| task::is_task_file(file));
    let says_model = source.data_model.is_some() || source.ilp32 || source.lp64;
    if !is_task && !says_model {
        // Nobody else says it.
        match claims::model(&entries[0]) {
            Some(ModelChoice::Ilp32) => request.model = cfront::types::DataModel::Ilp32,
            Some(ModelChoice::Lp64) => request.model = cfront::types::DataModel::Lp64,
            None => {}
        }
    }
    if !is_task && source.property.is_empty() {
        let mut selection = Selection::default();
        let text = &entries[0].metadata.task.specification;
        selection.add_file(text).map_err(|message| {
            Failure::new(format!(
                "the property of the witness cannot be checked: {message}"
            ))
        })?;
        if let (None, Some(entry)) = (&source.entry, &selection.entry) {
            request.entry = entry.clone();
        }
        request.selection = selection;
    }
    let loaded = load::load_request(request, console)?;
    console.enter("checking the witness");
    let scene = Scene {
        loaded: &loaded,
        engine,
        budget,
    };
    let mut warnings = Vec::new();
    let mut answer = None;
    for entry in &entries {
        let next = match claims::compare(entry, &loaded, &mut warnings) {
            Ok(()) => match names::renamed(entry, &loaded) {
                Ok(entry) => check_entry(&scene, &entry),
                Err(why) => Answer::Unknown(why),
            },
            Err(why) => Answer::Rejected(why),
        };
        answer = Some(worse(answer, next));
    }
    let answer = answer.unwrap_or_else(|| Answer::Rejected("it has no entry".to_owned()));
    if !console.quiet {
        for warning in &warnings {
            console.remark(&format!("warning: {warning}\n"));
        }
    }
    let text = if args.json {
        let mut document = check::base_document(&loaded, "validate", start.elapsed());
        document.engine = Some(engine.name());
        document.witness = Some(json::Witness {
            result: answer.name(),
            message: answer.message().to_owned(),
            warnings,
        });
        document.text()
    } else {
        format!("{}\nWitness: {}\n", answer.message(), answer.name())
    };
    console.answer(text.as_bytes())?;
    Ok(answer.exit_code())
}

/// Reads a witness file.
fn read(path: &Path) -> Result<Vec<Entry>, Failure> {
    let name = path.display();
    let text = std::fs::read(path)
        .map_err(|error| Failure::new(format!("cannot read witness `{name}`: {error}")))?;
    format::read(&String::from_utf8_lossy(&text))
        .map_err(|message| Failure::new(format!("witness `{name}` is malformed")).note(message))
}

/// A file stands for all its entries: one that fails fails it.
fn worse(first: Option<Answer>, second: Answer) -> Answer {
    let rank = |answer: &Answer| match answer {
        Answer::Confirmed(_) => 0,
        Answer::Unknown(_) => 1,
        Answer::Rejected(_) => 2,
    };
    match first {
        Some(first) if rank(&first) >= rank(&second) => first,
        Some(_) | None => second,
    }
}

fn check_entry(scene: &Scene<'_>, entry: &Entry) -> Answer {
    match &entry.content {
        Content::Violation(segments) => violation::check(scene, segments),
        Content::Invariants(invariants) => invariants::check(scene, invariants),
    }
}
