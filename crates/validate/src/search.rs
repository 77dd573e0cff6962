//! Runs that follow a witness which leaves something open: an engine searches for one.
//!
//! # Invariants
//! - `Rejected` rests on a checked proof that no run follows the witness to its target, or on the
//!   fact that nothing that is checked can fail at the target.

use crate::violation::Target;
use crate::{Validation, Validity};
use certify::{Replayed, Trace, Verdict};
use cfront::claim::ClaimKind;
use engine::{Task, accelerate};
use input::{Claims, with_claims};
use program::ir::{Program, Property, Site};
use witness::format::Segment;
use witness::product;

/// Looks for a run through all segments to the target.
pub(crate) fn search(
    validation: &Validation<'_>,
    segments: &[Segment],
    target: &Target<'_>,
) -> Validity {
    let product = match Product::new(validation, segments, target) {
        Ok(product) => product,
        Err(why) => return Validity::Unknown(format!("the witness cannot be followed: {why}")),
    };
    if !product.has_target {
        return validation.rejected(format!(
            "nothing that violates the property stands at the target, line {}",
            target.location.line
        ));
    }
    match validation.decide(&Task::new(product.program.clone())) {
        Verdict::Safe(_) if product.ends_runs => Validity::Unknown(
            "no run follows the witness to its target, but its assumptions may be undefined"
                .to_owned(),
        ),
        Verdict::Safe(_) => validation
            .rejected("no run follows the witness to its target; the proof was checked".to_owned()),
        Verdict::Unsafe(replayed) => product.confirm(validation, &replayed),
        Verdict::Unknown(reason) => {
            Validity::Unknown(format!("no run was found: {}", reason.message))
        }
    }
}

/// The program beside the witness.
struct Product {
    program: Program,
    has_target: bool,
    /// Whether an assumption of the witness may be undefined, so that runs end in it.
    ends_runs: bool,
}

impl Product {
    fn new(
        validation: &Validation<'_>,
        segments: &[Segment],
        target: &Target<'_>,
    ) -> Result<Self, String> {
        let loaded = validation.loaded;
        let ast = loaded.ast.as_ref().ok_or("the program is no C text")?;
        let beside = product::beside(ast, &loaded.sources, segments)?;
        let mut claims = Claims::default();
        for (number, (at, text)) in beside.assumptions.iter().enumerate() {
            claims.add(number, *at, ClaimKind::Statement, text);
        }
        let product = with_claims(loaded, ast, &claims, Some(&beside.automaton));
        let (mut program, _) = product.map_err(|(number, why)| match number {
            Some(number) => format!("the assumption `{}` {why}", beside.assumptions[number].1),
            None => why,
        })?;
        let ends_runs = (program.error_locations())
            .any(|(.., violation)| violation.property == Property::Invariant);
        let passed = segments.len() as u32 - 1;
        let has_target = product::gate(&mut program, passed, |span| target.is_at(span));
        Ok(Product {
            program,
            has_target,
            ends_runs,
        })
    }

    /// Replays a run of the product on the program itself.
    fn confirm(&self, validation: &Validation<'_>, replayed: &Replayed) -> Validity {
        let loaded = validation.loaded;
        let mut inputs = Vec::new();
        for &(site, value) in &replayed.run.inputs {
            let row = &self.program.sites[site];
            let is_like = |other: &Site| {
                other.kind == row.kind && other.name == row.name && other.ty == row.ty
            };
            // One place may take several inputs, as a call of `scanf` does: they keep their order.
            let alike = self.program.sites.iter_enumerated();
            let alike = alike.filter(|(_, other)| other.span == row.span && is_like(other));
            let rank = alike.take_while(|(other, _)| *other != site).count();
            let own = loaded.program.sites.iter_enumerated();
            let mut own = own.filter(|(_, own)| is_like(own) && own.span == row.span);
            if let Some((own, _)) = own.nth(rank) {
                inputs.push((own, value));
            }
        }
        for (proc, location, violation) in loaded.program.error_locations() {
            if violation.span != replayed.violation.span {
                continue;
            }
            let budget = validation.checking();
            let error = (proc, location);
            let trace = match replayed.leaps.is_empty() {
                true => Some(Trace::new(inputs.clone(), error)),
                // Lemmas are about one program only, so they are looked for again.
                false => accelerate::run(&loaded.program, &inputs, &budget)
                    .filter(|trace| trace.error == error),
            };
            if let Some(trace) = trace
                && certify::replay(&loaded.program, &trace, &budget).is_ok()
            {
                return Validity::Confirmed(
                    "a run that follows the witness to its target was found and replayed"
                        .to_owned(),
                );
            }
        }
        Validity::Unknown("a run was found, but the program itself does not make it".to_owned())
    }
}
