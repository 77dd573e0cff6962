//! `cairn validate`: whether a witness shows what it claims.

use crate::args::ValidateArgs;
use crate::console::Console;
use crate::engines;
use crate::exit;
use crate::limits::CHECKING_GRACE;
use crate::load;
use base::Budget;
use input::property::Selection;
use input::{Failure, model_named, task};
use report::answer::WitnessResult;
use report::{Reporter, json};
use std::path::Path;
use std::time::Instant;
use validate::{Validation, Validity};
use witness::format::{self, Entry};

/// Runs the command and returns its exit code.
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
    let mut request = load::request(&source)?;
    // What nothing else says, the witness does.
    let said = &entries[0].metadata.task;
    let is_task = source.files.iter().any(|file| task::is_task_file(file));
    let says_model = source.data_model.is_some() || source.ilp32 || source.lp64;
    if !is_task && !says_model {
        request.model = model_named(&said.data_model).unwrap_or(request.model);
    }
    if !is_task && source.property.is_empty() {
        let mut selection = Selection::default();
        selection.add_file(&said.specification).map_err(|message| {
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
    let validation = Validation {
        loaded: &loaded,
        engine,
        budget,
        grace: CHECKING_GRACE,
    };
    let mut warnings = Vec::new();
    let validity = validation.check(&entries, &mut warnings);
    if !console.quiet {
        for warning in &warnings {
            console.remark(&format!("warning: {warning}\n"));
        }
    }
    let text = if args.json {
        let mut answer = Reporter::new(&loaded, false).subject("validate");
        answer.subject.engine = Some(engine.name());
        answer.witness = Some(WitnessResult {
            result: validity.name(),
            message: validity.message().to_owned(),
            warnings,
        });
        answer.cost.seconds = start.elapsed().as_secs_f64();
        json::text(&answer)
    } else {
        format!("{}\nWitness: {}\n", validity.message(), validity.name())
    };
    console.answer(text.as_bytes())?;
    Ok(match validity {
        Validity::Confirmed(_) => exit::SAFE,
        Validity::Rejected(_) => exit::UNSAFE,
        Validity::Unknown(_) => exit::UNKNOWN,
    })
}

/// Reads a witness file.
fn read(path: &Path) -> Result<Vec<Entry>, Failure> {
    let name = path.display();
    let text = std::fs::read(path)
        .map_err(|error| Failure::new(format!("cannot read witness `{name}`: {error}")))?;
    format::read(&String::from_utf8_lossy(&text))
        .map_err(|message| Failure::new(format!("witness `{name}` is malformed")).note(message))
}
