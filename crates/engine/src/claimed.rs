//! Proofs from what is claimed of a program: whoever wrote invariants down may have left nothing
//! to search for.
//!
//! The label of a loop head excludes the states from which a claim fails before the next head, and
//! says what the forward analysis knows. If the claims are inductive with that, it is a proof.

use absdom::Invariants;
use base::Budget;
use certify::Proof;
use encode::blocks::Step;
use interpolate::eliminate;
use kit::labels::Labels;
use kit::prepared::{Prepared, analyses};
use logic::{SymbolId, TermId};
use program::ir::{LocationId, Program, Property};
use std::collections::BTreeSet;
use summary::{Detail, Kit, Nest};

/// A proof that was checked, if the claims make one.
pub fn proof(program: &Program, budget: &Budget) -> Option<Proof> {
    let prepared = Prepared::new(program);
    let entry = prepared.program.entry;
    for options in analyses() {
        let invariants = Invariants::new(&prepared.program, entry, &options, budget);
        let mut kit = Kit::new(&prepared.program, budget);
        let nest = Nest::new(&mut kit, entry, invariants, &Detail::wrapping());
        let labels = labels(&mut kit, &nest);
        if let Ok(proof) = prepared.proof(kit, labels)
            && proof.check(program, budget).is_ok()
        {
            return Some(proof);
        }
    }
    None
}

fn labels(kit: &mut Kit, nest: &Nest) -> Labels {
    let mut labels = Labels::new();
    for row in nest.loops.loops.iter() {
        let label = match nest.order.contains(&row.head) {
            true => {
                let (fails, known) = (failing(kit, nest, row.head), nest.invariant(kit, row.head));
                let holds = kit.store.not(fails);
                kit.store.and(&[holds, known])
            }
            false => kit.store.bool(false),
        };
        labels.insert(row.head, label);
    }
    labels
}

/// The states at a head from which a claim fails before another head.
fn failing(kit: &mut Kit, nest: &Nest, head: LocationId) -> TermId {
    let locations = &kit.program.procs[nest.proc].locations;
    let is_claim = |at: LocationId| {
        let error = locations[at].error.as_ref();
        error.is_some_and(|violation| violation.property == Property::Invariant)
    };
    let mut ways = Vec::new();
    for block in nest.blocks_from(head) {
        if let Step::Formula(step) = &block.step
            && is_claim(block.target)
        {
            let guard = kit.store.simplify(step.guard);
            let others: BTreeSet<SymbolId> = (kit.store.symbols_of(&[guard]).into_iter())
                .filter(|&symbol| kit.state.var(symbol).is_none())
                .collect();
            let budget = kit.budget.clone();
            let found = eliminate(&mut kit.solver, &mut kit.store, guard, &others, &budget);
            // Without it the label is weaker, and the check decides.
            ways.extend(found);
        }
    }
    kit.store.or(&ways)
}
