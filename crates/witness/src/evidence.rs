//! What `--witness` writes: the evidence for a verdict in SV-COMP's format.

use crate::format::{Entry, Task, hash, write};
use crate::invariants::{self, LoopInvariant};
use crate::violation;
use certify::Verdict;
use input::Loaded;
use std::collections::BTreeMap;

/// The witness file of a verdict.
pub fn text(
    verdict: &Verdict,
    loaded: &Loaded,
    invariants: &[LoopInvariant],
) -> Result<String, String> {
    let content = match verdict {
        Verdict::Safe(_) => invariants::content(&loaded.sources, invariants),
        Verdict::Unsafe(replayed) => violation::content(&loaded.program, &loaded.sources, replayed)
            .ok_or("the violation stands nowhere in the source")?,
        Verdict::Unknown(_) => return Err("there is no verdict".to_owned()),
    };
    Ok(write(&[Entry::new(task(loaded)?, content)]))
}

/// What a witness says about the task: files with their hashes, property, sizes.
fn task(loaded: &Loaded) -> Result<Task, String> {
    let request = &loaded.request;
    let mut task = Task {
        input_files: Vec::new(),
        input_file_hashes: BTreeMap::new(),
        specification: request.selection.specification(&request.entry),
        data_model: input::model_name(request.model).to_owned(),
        language: "C".to_owned(),
    };
    for path in &request.files {
        let bytes = std::fs::read(path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        let name = path.to_string_lossy().into_owned();
        task.input_file_hashes.insert(name.clone(), hash(&bytes));
        task.input_files.push(name);
    }
    Ok(task)
}
