//! What `--witness` writes: the evidence for a verdict in SV-COMP's format.

use certify::Verdict;
use input::Loaded;
use witness::format::{Entry, Task, write};
use witness::invariants::LoopInvariant;

/// The witness file of a verdict.
pub(crate) fn text(
    verdict: &Verdict,
    loaded: &Loaded,
    invariants: &[LoopInvariant],
) -> Result<String, String> {
    let content = match verdict {
        Verdict::Safe(_) => witness::invariants::content(&loaded.sources, invariants),
        Verdict::Unsafe(replayed) => {
            witness::violation::content(&loaded.program, &loaded.sources, replayed)
                .ok_or("the violation stands nowhere in the source")?
        }
        Verdict::Unknown(_) => return Err("there is no verdict".to_owned()),
    };
    Ok(write(&[Entry::new(task(loaded)?, content)]))
}

/// What a witness says about the task.
pub(crate) fn task(loaded: &Loaded) -> Result<Task, String> {
    let request = &loaded.request;
    let specification = request.selection.specification(&request.entry);
    witness::violation::task(
        &request.files,
        specification,
        input::model_name(request.model),
    )
}
