//! Proofs from the claims of a witness: if the invariants are given, there may be nothing left to
//! search for.
//!
//! The label of a loop head excludes the states from which a claim fails before the next head, and
//! includes the invariants of the forward analysis. If the claims are inductive relative to these,
//! that is a proof.

use absdom::Invariants;
use base::Budget;
use certify::{Checked, Proof};
use encode::blocks::BlockEffect;
use encode::{Context, EncodingPrecision};
use interpolate::eliminate;
use kit::labels::Labels;
use kit::prepared::{Prepared, analyses};
use logic::TermId;
use program::ir::{LocationId, Program, Property};
use summary::LoopNestSummaries;

/// A proof that was checked, if the claims make one.
pub fn proof(program: &Program, budget: &Budget) -> Option<Checked<Proof>> {
    let prepared = Prepared::new(program);
    let entry = prepared.program.entry;
    for options in analyses() {
        let invariants = Invariants::new(&prepared.program, entry, &options, budget);
        let mut ctx = Context::new(&prepared.program, budget);
        let nest =
            LoopNestSummaries::new(&mut ctx, entry, invariants, &EncodingPrecision::wrapping());
        let labels = labels(&mut ctx, &nest);
        if let Ok(proof) = prepared.proof(ctx, labels)
            && let Ok(proof) = proof.checked(program, budget)
        {
            return Some(proof);
        }
    }
    None
}

fn labels(ctx: &mut Context, nest: &LoopNestSummaries) -> Labels {
    let mut labels = Labels::new();
    for row in nest.cuts.loops.loops.iter() {
        let label = match nest.cuts.order.contains(&row.head) {
            true => {
                let (fails, known) = (failing(ctx, nest, row.head), nest.invariant(ctx, row.head));
                let holds = ctx.store.not(fails);
                ctx.store.and(&[holds, known])
            }
            false => ctx.store.bool(false),
        };
        labels.insert(row.head, label);
    }
    labels
}

/// The states at a head from which a claim fails before another head.
fn failing(ctx: &mut Context, nest: &LoopNestSummaries, head: LocationId) -> TermId {
    let locations = &ctx.program.procs[nest.cuts.proc].locations;
    let is_claim = |at: LocationId| {
        let error = locations[at].error.as_ref();
        error.is_some_and(|violation| violation.property == Property::Invariant)
    };
    let mut ways = Vec::new();
    for block in nest.cuts.blocks_from(head) {
        if let BlockEffect::Formula(step) = &block.step
            && is_claim(block.target)
        {
            let guard = ctx.store.simplify(step.guard);
            let others = ctx.quantified(guard);
            let budget = ctx.budget.clone();
            let found = eliminate(&mut ctx.solver, &mut ctx.store, guard, &others, &budget);
            // Without it the label is weaker, and the check decides.
            ways.extend(found);
        }
    }
    ctx.store.or(&ways)
}
