//! Answers as SMT-LIB text.

use crate::console::Console;
use interpolate::Interpolation;
use logic::read::Partition;
use logic::{TermId, TermStore};
use report::markup::one_line;
use smt::Model;
use std::fmt::Write;

/// What was found for a query.
pub(super) struct Answer {
    pub(super) partition: Partition,
    pub(super) outcome: Interpolation,
    /// Whether the interpolants were proved.
    pub(super) checked: bool,
    /// Why they could not be proved.
    pub(super) unchecked: Option<String>,
    /// How each interpolant is derived.
    pub(super) derivations: Vec<String>,
    /// Whether derivations were asked for, but the interpolants do not come from a proof.
    pub(super) underived: bool,
}

impl Answer {
    /// The names of a part.
    pub(super) fn name(&self, part: usize) -> String {
        self.partition.parts[part].names.join(" and ")
    }

    pub(super) fn formulas(&self) -> Vec<TermId> {
        let parts = self.partition.parts.iter();
        parts.map(|part| part.formula).collect()
    }

    /// The answer as a solver would give it; what else there is to say is in comments.
    pub(super) fn text(&self, store: &TermStore, console: &Console) -> String {
        let mut text = String::new();
        match &self.outcome {
            Interpolation::Interpolants(interpolants) => {
                text.push_str("(\n");
                for (cut, &interpolant) in interpolants.iter().enumerate() {
                    let formula = store.readable(interpolant);
                    let _ = match console.verbose {
                        true => writeln!(text, "  {formula} ; above {}", self.name(cut)),
                        false => writeln!(text, "  {formula}"),
                    };
                }
                text.push_str(")\n");
                self.add_check(&mut text, interpolants.len());
                self.add_derivations(&mut text);
            }
            Interpolation::Consistent(model) => {
                text.push_str("sat\n");
                text.push_str(&model_text(store, &self.formulas(), model));
            }
            Interpolation::Unknown(reason) => {
                let _ = writeln!(text, "unknown\n; {}", one_line(reason));
            }
        }
        text
    }

    fn add_check(&self, text: &mut String, count: usize) {
        let count = match count {
            1 => "1 interpolant".to_owned(),
            count => format!("{count} interpolants"),
        };
        let _ = match &self.unchecked {
            Some(reason) => writeln!(text, "; not checked: {}", one_line(reason)),
            None if self.checked => writeln!(text, "; checked: {count}"),
            None => Ok(()),
        };
    }

    fn add_derivations(&self, text: &mut String) {
        if self.underived {
            text.push_str("; no derivation: these interpolants do not come from a proof\n");
        }
        for (cut, derivation) in self.derivations.iter().enumerate() {
            let _ = writeln!(text, "; above {}:", self.name(cut));
            for line in derivation.lines() {
                let _ = writeln!(text, ";   {line}");
            }
        }
    }
}

/// The values of the symbols and functions of some formulas.
pub(super) fn model_text(store: &TermStore, formulas: &[TermId], model: &Model) -> String {
    let mut text = String::from("(\n");
    for symbol in store.symbols_of(formulas) {
        let value = model.value(store, symbol);
        let _ = writeln!(text, "  {}", store.smtlib_definition(symbol, &value));
    }
    let used = store.functions_of(formulas);
    for (function, value) in model.functions() {
        if used.contains(&function) {
            let _ = writeln!(text, "  {}", store.smtlib_function(function, value));
        }
    }
    text.push_str(")\n");
    text
}
