//! Proofs from summaries alone.
//!
//! Every loop is summarised, with increasing effort as long as the summary of the whole program
//! admits an error. Once it admits none, labels for the loop heads are derived from the summaries.

use absdom::Invariants;
use base::{Budget, Event};
use certify::{Proof, Reason};
use encode::{Context, EncodingPrecision};
use kit::labels::{Labels, labels};
use kit::opaque::first_opaque;
use kit::prepared::{Prepared, initial};
use std::collections::BTreeMap;
use summary::{Level, LoopNestSummaries, Style, ToError, reversed};

/// What proofs are looked for.
pub struct SummaryProver<'a> {
    /// The program.
    pub prepared: &'a Prepared,
    /// What holds at its locations.
    pub invariants: &'a Invariants,
    /// How paths to errors are summarised.
    pub style: Style,
    /// The time for one attempt.
    pub budget: &'a dyn Fn() -> Budget,
}

/// Why there are no labels.
struct Failure {
    /// In words.
    reason: Box<Reason>,
    /// Where something may wrap, though that is not described.
    precision: EncodingPrecision,
}

impl SummaryProver<'_> {
    /// A proof, not checked yet, from summaries of some levels. What wraps where that is not
    /// described counts as an error; each attempt describes what the last one met.
    pub fn prove(
        &self,
        precision: &EncodingPrecision,
        levels: &[Level],
    ) -> Result<Proof, Box<Reason>> {
        let program = &self.prepared.program;
        let mut ctx = Context::new(program, &(self.budget)());
        let invariants = self.invariants.clone();
        let mut nest = LoopNestSummaries::new(&mut ctx, program.entry, invariants, precision);
        loop {
            match self.labels(&mut ctx, &mut nest, levels) {
                Ok(labels) => return self.prepared.proof(ctx, labels),
                Err(failure) => {
                    if nest.refine(&mut ctx, &failure.precision).is_none() {
                        return Err(failure.reason);
                    }
                    ctx.budget = (self.budget)();
                }
            }
        }
    }

    /// Labels from summaries, with more and more effort.
    fn labels(
        &self,
        ctx: &mut Context,
        nest: &mut LoopNestSummaries,
        levels: &[Level],
    ) -> Result<Labels, Failure> {
        let initial = initial(ctx, &nest.cuts);
        let entry = ctx.program.procs[nest.cuts.proc].entry;
        let mut why = String::new();
        let mut precision = EncodingPrecision::default();
        for &level in levels {
            if let Err(limit) = ctx.budget.check() {
                let message = "the budget ended before the summaries were strong enough";
                let reason = Box::new(Reason::new(limit.into(), message));
                return Err(Failure { reason, precision });
            }
            let phase = format!("summarising loops: {}", level.name());
            ctx.budget.report(Event::Phase(phase));
            let mut to_error = ToError::new(nest, level);
            let summary = match self.style {
                Style::Cairn => to_error.from(ctx, nest, entry, true),
                Style::Paper => reversed::to_error(ctx, nest, &[entry], level)[&entry],
            };
            match ctx.model(&[initial, summary]) {
                Ok(None) => {
                    let phase = "finding invariants".to_owned();
                    ctx.budget.report(Event::Phase(phase));
                    let starts = BTreeMap::from([(entry, initial)]);
                    match labels(ctx, nest, &mut to_error, &starts, level) {
                        Ok(labels) => return Ok(labels),
                        Err(reason) => why = reason,
                    }
                }
                Ok(Some(model)) => {
                    why = "the summary of the program admits an error".to_owned();
                    precision.wraps = to_error.wrapping(ctx, &model);
                }
                Err(reason) => why = reason,
            }
        }
        let opaque = first_opaque(ctx.program, &nest.cuts);
        let mut reason = opaque.unwrap_or_else(|| Reason::gave_up(why));
        reason.message = format!("summaries alone do not prove it: {}", reason.message);
        let reason = Box::new(with_loops(ctx, nest, reason));
        Err(Failure { reason, precision })
    }
}

/// A reason with the loops whose summaries allow more than they do.
pub fn with_loops(ctx: &Context, nest: &LoopNestSummaries, mut reason: Reason) -> Reason {
    let procedure = &ctx.program.procs[nest.cuts.proc];
    for id in nest.cuts.loops.loops.ids() {
        if nest.known_star(id).is_some_and(|star| !star.exact) {
            let span = procedure.locations[nest.cuts.loops.loops[id].head].span;
            reason = reason.note(span, "the summary of this loop is not exact");
        }
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;
    use absdom::Options;
    use program::ir::Program;

    /// `while (i < limit) i++; assert(i == wanted)` from zero, for a type.
    fn counting(ty: &str, limit: i64, wanted: i64) -> Program {
        crate::testing::program(&format!(
            r#"program ptr 8 entry main
            site n0: nondet {ty} "__VERIFIER_nondet"
            proc p0 main() entry l0 exit l1 {{
              local v0 i: {ty}
              local v1 n: {ty}
              l0:
                e0: i := 0{ty} -> l8
              l8:
                e8: havoc n n0 -> l2
              l2:
                e1: assume i < {limit}{ty} -> l3
                e2: assume i >= {limit}{ty} -> l4
              l3:
                e3: i := i + 1{ty} -> l2
              l4:
                e4: i := i + n -> l5
              l5:
                e5: assume i - n != {wanted}{ty} -> l6
                e6: assume i - n == {wanted}{ty} -> l7
              l6: error assertion "i"
              l7:
                e7: return -> l1
              l1:
            }}"#
        ))
    }

    fn prove(program: &Program) -> Result<Proof, Box<Reason>> {
        let budget = Budget::unlimited();
        let prepared = Prepared::new(program);
        let entry = prepared.program.entry;
        let options = Options::default();
        let invariants = Invariants::new(&prepared.program, entry, &options, &budget);
        let proofs = SummaryProver {
            prepared: &prepared,
            invariants: &invariants,
            style: Style::Cairn,
            budget: &Budget::unlimited,
        };
        proofs.prove(&EncodingPrecision::default(), &Level::CHEAP)
    }

    #[test]
    fn a_proof_from_summaries_holds_and_there_is_none_of_what_fails() {
        let safe = counting("i32", 10, 10);
        let proof = prove(&safe).expect("the summary of the loop should be enough");
        assert_eq!(proof.check(&safe, &Budget::unlimited()), Ok(()));
        let reason = prove(&counting("i32", 10, 9)).expect_err("ten is not nine");
        let message = &reason.message;
        assert!(message.contains("admits an error"), "{message}");
    }

    #[test]
    fn what_may_wrap_is_described_when_it_is_met() {
        // The sum wraps for large inputs, and the difference wraps back.
        let program = counting("u32", 10, 10);
        let proof = prove(&program).expect("with wrapping described it should be proved");
        assert_eq!(proof.check(&program, &Budget::unlimited()), Ok(()));
    }
}
