//! What a witness says about its task, compared with the task at hand.

use input::property::Selection;
use input::{Loaded, model_name};
use std::collections::BTreeSet;
use std::path::Path;
use witness::format::{Entry, hash};

/// Whether an entry is about this program, property and data model. Files may have been moved:
/// names that differ are a warning, texts that differ are not.
pub(crate) fn compare(
    entry: &Entry,
    loaded: &Loaded,
    warnings: &mut Vec<String>,
) -> Result<(), String> {
    let task = &entry.metadata.task;
    if task.language != "C" {
        return Err(format!(
            "the witness is about a program in {}",
            task.language
        ));
    }
    let model = model_name(loaded.request.model);
    if task.data_model != model {
        return Err(format!(
            "the witness is about data model {}, not {model}",
            task.data_model
        ));
    }
    let mut said = Selection::default();
    said.add_file(&task.specification)
        .map_err(|message| format!("the property of the witness cannot be checked: {message}"))?;
    let names = |selection: &Selection| selection.names.iter().copied().collect::<BTreeSet<_>>();
    let (said, asked) = (names(&said), names(&loaded.request.selection));
    // A program without `reach_error` has asserts in its place.
    let mut differing = said.symmetric_difference(&asked);
    if !differing.all(|&name| name == "assert") {
        let words = |names: BTreeSet<&str>| names.into_iter().collect::<Vec<_>>().join(", ");
        return Err(format!(
            "the witness is about the property {}, not {}",
            words(said),
            words(asked)
        ));
    }
    compare_files(entry, loaded, warnings)
}

fn compare_files(entry: &Entry, loaded: &Loaded, warnings: &mut Vec<String>) -> Result<(), String> {
    let task = &entry.metadata.task;
    let hashes: BTreeSet<String> = task
        .input_file_hashes
        .values()
        .map(|hash| hash.to_ascii_lowercase())
        .collect();
    let names: BTreeSet<&str> = task
        .input_files
        .iter()
        .map(|file| base_name(file))
        .collect();
    for file in &loaded.request.files {
        let text = std::fs::read(file)
            .map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
        if !hashes.contains(&hash(&text)) {
            return Err(format!(
                "the witness is about another text of the program: its hashes are not that of `{}`",
                file.display()
            ));
        }
        let name = file.to_string_lossy();
        if !names.contains(base_name(&name)) {
            warnings.push(format!(
                "the witness names {}, not `{}`; the text is the same",
                task.input_files.join(", "),
                file.display()
            ));
        }
    }
    if task.input_files.len() != loaded.request.files.len() {
        return Err(format!(
            "the witness is about {} files, not {}",
            task.input_files.len(),
            loaded.request.files.len()
        ));
    }
    Ok(())
}

fn base_name(path: &str) -> &str {
    Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path)
}
