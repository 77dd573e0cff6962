//! Contracts of the procedures that cannot all be inlined, and proofs by them.
//!
//! Contracts come from hulls of the procedures' bodies. As long as they admit an error, calls are
//! unwound deeper and deeper, and interpolants of unwindings that reach no error are added; an
//! unwinding that may reach one ends this.

use base::{Budget, Event};
use certify::{Proof, Reason};
use encode::Context;
use kit::prepared::Prepared;
use kit::procedures::{HullEffort, Procedures, Unfolded};

/// How deep calls are unwound, before and after the bodies are looked at more closely.
const DEPTHS: [std::ops::Range<usize>; 2] = [0..3, 3..8];

/// A program whose calls are described by contracts.
pub struct Called<'p> {
    /// Where the terms of the contracts live.
    pub ctx: Context<'p>,
    /// The procedures and what is known about them.
    pub procedures: Procedures,
    /// What the last unwinding of the calls has shown.
    unfolded: Unfolded,
}

impl<'p> Called<'p> {
    /// Finds contracts; with `unwind` also from unwound calls.
    pub fn new(prepared: &'p Prepared, budget: &Budget, unwind: bool) -> Self {
        let mut ctx = prepared.context(budget);
        budget.report(Event::Phase("summarising procedures".to_owned()));
        let procedures = Procedures::new(&mut ctx, prepared);
        let mut called = Called {
            ctx,
            procedures,
            unfolded: Unfolded::Refuted,
        };
        for (effort, depths) in [HullEffort::Little, HullEffort::Great]
            .into_iter()
            .zip(DEPTHS)
        {
            if called.is_over() {
                break;
            }
            called.procedures.summarise(&mut called.ctx, effort);
            for depth in depths.filter(|_| unwind) {
                if called.is_over() {
                    break;
                }
                budget.report(Event::Phase(format!("unwinding calls to depth {depth}")));
                called.unfolded = called.procedures.learn(&mut called.ctx, depth);
            }
        }
        called
    }

    /// Whether more effort is of no use: no error is left, or one may be reached.
    fn is_over(&self) -> bool {
        let is_spent = self.ctx.budget.check().is_err();
        self.is_safe() || is_spent || self.unfolded == Unfolded::Reached
    }

    /// Whether the contracts admit no error.
    pub fn is_safe(&self) -> bool {
        self.procedures.is_safe()
    }

    /// The proof that the contracts are, not checked yet.
    pub fn proof(mut self, prepared: &Prepared) -> Result<Proof, Box<Reason>> {
        let failure = |why: String| Box::new(Reason::gave_up(why));
        if !self.is_safe() {
            let why = match self.unfolded {
                Unfolded::Refuted => "contracts of the procedures admit an error",
                Unfolded::Reached => "unwound calls may lead to an error",
                Unfolded::Unknown => "it is not known whether unwound calls lead to an error",
            };
            let Some(opaque) = self.procedures.opaque() else {
                return Err(failure(why.to_owned()));
            };
            let message = format!("{why}: {}", opaque.message);
            return Err(Box::new(Reason::new(opaque.kind, message).at(opaque.span)));
        }
        let no_label = |why| failure(format!("a loop beside calls has no label: {why}"));
        let labels = self.procedures.entry_labels(&mut self.ctx);
        let labels = labels.map_err(no_label)?;
        let others = self.procedures.labels(&mut self.ctx, prepared);
        let others = others.map_err(no_label)?;
        prepared.proof_by_contracts(self.ctx, labels, &others)
    }
}
