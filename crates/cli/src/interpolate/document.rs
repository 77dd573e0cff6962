//! Answers as a JSON document; docs/json.md describes it.

use super::answer::{Answer, model_text};
use crate::args::InterpolateArgs;
use interpolate::Interpolation;
use logic::TermStore;
use logic::read::Part;
use report::json::Json;
use report::object;
use std::time::Duration;

/// What `cairn interpolate --json` prints.
pub(super) fn text(
    args: &InterpolateArgs,
    store: &TermStore,
    answers: &[Answer],
    time: Duration,
) -> String {
    let document = object! {
        "files": vec![args.file.to_string_lossy().into_owned()],
        "queries": Json::list(answers, |answer| query(args, store, answer)),
        "stats": object! { "seconds": time.as_secs_f64() },
    };
    document.text("interpolate")
}

fn query(args: &InterpolateArgs, store: &TermStore, answer: &Answer) -> Json {
    let names = |part: &Part| -> Vec<String> {
        let names = part.names.iter();
        names.map(ToString::to_string).collect()
    };
    let (mut interpolants, mut checked, mut model) = (Vec::new(), None, None);
    let mut reason = answer.unchecked.clone();
    let kind = match &answer.outcome {
        Interpolation::Interpolants(found) => {
            checked = args.check.then_some(answer.checked);
            let rows = found.iter().enumerate().map(|(cut, &interpolant)| {
                object! {
                    "formula": store.readable(interpolant),
                    "atoms": store.atoms(interpolant).len(),
                    "derivation": answer.derivations.get(cut).cloned(),
                }
            });
            interpolants = rows.collect();
            "interpolants"
        }
        Interpolation::Consistent(found) => {
            model = Some(model_text(store, &answer.formulas(), found));
            "consistent"
        }
        Interpolation::Unknown(why) => {
            reason = Some(why.clone());
            "unknown"
        }
    };
    object! {
        "parts": Json::list(&answer.partition.parts, |part| names(part).into()),
        // For each part but the last the number, from 0, of the part it hangs from.
        "parents": answer.partition.parents.clone(),
        "answer": kind,
        "interpolants": Json::some(&interpolants, Json::clone),
        "checked": checked,
        "model": model,
        "reason": reason,
    }
}
