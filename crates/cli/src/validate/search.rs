//! Runs that follow a witness which leaves something open: an engine looks for one.
//!
//! # Invariants
//! - `Rejected` rests on a checked proof that no run follows the witness to its target, or on the
//!   target's being no place where what is checked can fail.

use super::violation::Target;
use super::{Answer, Scene};
use crate::limits::CHECKING_GRACE;
use crate::load::{self, Claims};
use certify::{Replayed, Trace, Verdict};
use cfront::claim::ClaimKind;
use engine::{Task, accelerate};
use program::ir::{Program, Property, Site};
use witness::format::Segment;
use witness::product;

/// Looks for a run through all segments to the target.
pub(super) fn search(scene: &Scene<'_>, segments: &[Segment], target: &Target<'_>) -> Answer {
    let product = match Product::new(scene, segments, target) {
        Ok(product) => product,
        Err(why) => return Answer::Unknown(format!("the witness cannot be followed: {why}")),
    };
    if !product.has_target {
        return scene.rejected(format!(
            "nothing that violates the property stands at the target, line {}",
            target.location.line
        ));
    }
    let task = Task {
        program: product.program.clone(),
        seed: 0,
        summary: summary::Style::Cairn,
        journal: None,
    };
    let checking = || scene.budget.extended(CHECKING_GRACE);
    match engine::decide(scene.engine, &task, scene.budget, checking) {
        Verdict::Safe(_) if product.ends_runs => Answer::Unknown(
            "no run follows the witness to its target, but its assumptions may be undefined"
                .to_owned(),
        ),
        Verdict::Safe(_) => scene
            .rejected("no run follows the witness to its target; the proof was checked".to_owned()),
        Verdict::Unsafe(replayed) => product.confirm(scene, &replayed),
        Verdict::Unknown(reason) => {
            Answer::Unknown(format!("no run was found: {}", reason.message))
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
    fn new(scene: &Scene<'_>, segments: &[Segment], target: &Target<'_>) -> Result<Self, String> {
        let loaded = scene.loaded;
        let ast = loaded.ast.as_ref().ok_or("the program is no C text")?;
        let beside = product::beside(ast, &loaded.sources, segments)?;
        let mut claims = Claims::default();
        for (number, (at, text)) in beside.assumptions.iter().enumerate() {
            claims.add(number, *at, ClaimKind::Statement, text);
        }
        let product = load::with_claims(loaded, ast, &claims, Some(&beside.automaton));
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
    fn confirm(&self, scene: &Scene<'_>, replayed: &Replayed) -> Answer {
        let loaded = scene.loaded;
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
            let budget = scene.budget.extended(CHECKING_GRACE);
            let error = (proc, location);
            let trace = match replayed.leaps.is_empty() {
                true => Some(Trace {
                    inputs: inputs.clone(),
                    error,
                    lemmas: None,
                }),
                // Lemmas speak of one program only, so they are looked for again.
                false => accelerate::run(&loaded.program, &inputs, &budget)
                    .filter(|trace| trace.error == error),
            };
            if let Some(trace) = trace
                && certify::replay(&loaded.program, &trace, &budget).is_ok()
            {
                return Answer::Confirmed(
                    "a run that follows the witness to its target was found and replayed"
                        .to_owned(),
                );
            }
        }
        Answer::Unknown("a run was found, but the program itself does not make it".to_owned())
    }
}
