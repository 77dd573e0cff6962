//! Proofs from summaries alone.
//!
//! Every loop is summarised, with more and more effort as long as the summary of the whole program
//! admits an error. When it admits none any more, labels for the loop heads are read off the
//! summaries.

use crate::labels::{Labels, labels};
use crate::prepared::{Prepared, initial};
use absdom::Invariants;
use base::{Budget, Event};
use certify::{Proof, Reason, ReasonKind};
use std::collections::BTreeMap;
use summary::{Detail, Kit, Level, Nest, Style, ToError, reversed};

/// What proofs are looked for.
pub struct BySummaries<'a> {
    /// The program.
    pub prepared: &'a Prepared,
    /// What holds at its locations.
    pub invariants: &'a Invariants,
    /// How paths to errors are summarised.
    pub style: Style,
    /// The time for one attempt.
    pub budget: &'a dyn Fn() -> Budget,
}

/// Why there is no proof.
pub struct Failure {
    /// In words.
    pub reason: Box<Reason>,
    /// Where something may wrap, though that is not described.
    pub detail: Detail,
}

impl BySummaries<'_> {
    /// A proof, not checked yet, from summaries of some levels. What wraps where that is not
    /// described counts as an error; each attempt describes what the last one met.
    pub fn prove(&self, detail: &mut Detail, levels: &[Level]) -> Result<Proof, Failure> {
        loop {
            match self.attempt(detail, levels) {
                Err(failure) if detail.extend(&failure.detail) => {}
                result => return result,
            }
        }
    }

    /// The same, with that much described and no more.
    pub fn attempt(&self, detail: &Detail, levels: &[Level]) -> Result<Proof, Failure> {
        let program = &self.prepared.program;
        let mut kit = Kit::new(program, &(self.budget)());
        let mut nest = Nest::new(&mut kit, program.entry, self.invariants.clone(), detail);
        let labels = self.labels(&mut kit, &mut nest, levels)?;
        let proof = self.prepared.proof(kit, labels);
        proof.map_err(|reason| Failure {
            reason,
            detail: Detail::default(),
        })
    }

    /// Labels from summaries, with more and more effort.
    fn labels(&self, kit: &mut Kit, nest: &mut Nest, levels: &[Level]) -> Result<Labels, Failure> {
        let initial = initial(kit, nest);
        let entry = kit.program.procs[nest.proc].entry;
        let mut why = String::new();
        let mut detail = Detail::default();
        for &level in levels {
            if let Err(limit) = kit.budget.check() {
                let message = "the budget ended before the summaries were strong enough";
                let reason = Box::new(Reason::new(limit.into(), message));
                return Err(Failure { reason, detail });
            }
            let phase = format!("summarising loops: {}", level.name());
            kit.budget.report(Event::Phase(phase));
            let mut to_error = ToError::new(nest, level);
            let summary = match self.style {
                Style::Cairn => to_error.from(kit, nest, entry, true),
                Style::Paper => reversed::to_error(kit, nest, entry, level),
            };
            match kit.model(&[initial, summary]) {
                Ok(None) => {
                    let phase = "finding invariants".to_owned();
                    kit.budget.report(Event::Phase(phase));
                    let starts = BTreeMap::from([(entry, initial)]);
                    match labels(kit, nest, &mut to_error, &starts, level) {
                        Ok(labels) => return Ok(labels),
                        Err(reason) => why = reason,
                    }
                }
                Ok(Some(model)) => {
                    why = "the summary of the program admits an error".to_owned();
                    detail.wraps = to_error.wrapping(kit, &model);
                }
                Err(reason) => why = reason,
            }
        }
        let message = format!("summaries alone do not prove it: {why}");
        let reason = Reason::new(ReasonKind::GaveUp, message);
        let reason = Box::new(with_loops(kit, nest, reason));
        Err(Failure { reason, detail })
    }
}

/// A reason with the loops whose summaries allow more than they do.
pub fn with_loops(kit: &Kit, nest: &Nest, mut reason: Reason) -> Reason {
    let procedure = &kit.program.procs[nest.proc];
    for id in nest.loops.loops.ids() {
        if nest.known_star(id).is_some_and(|star| !star.exact) {
            let span = procedure.locations[nest.loops.loops[id].head].span;
            reason = reason.note(span, "the summary of this loop is not exact");
        }
    }
    reason
}
