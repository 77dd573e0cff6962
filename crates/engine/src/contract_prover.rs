//! Proofs by contracts: of programs whose calls cannot all be inlined.
//!
//! Contracts come from hulls of the procedures' bodies. As long as they admit an error, calls are
//! unwound deeper and deeper, and interpolants of unwindings that reach no error are added; an
//! unwinding that may reach one ends this.

use base::{Budget, Event};
use certify::{Proof, Reason, ReasonKind};
use encode::Context;
use kit::prepared::Prepared;
use kit::procedures::{Procedures, Unfolded};

/// How deep calls are unwound.
const DEPTH: usize = 8;

/// A proof, not checked yet; with `unwind` also from unwound calls.
pub fn prove(prepared: &Prepared, budget: &Budget, unwind: bool) -> Result<Proof, Box<Reason>> {
    let mut ctx = prepared.context(budget);
    budget.report(Event::Phase("summarising procedures".to_owned()));
    let mut procedures = Procedures::new(&mut ctx, prepared, budget);
    procedures.summarise(&mut ctx);
    let mut why = "contracts of the procedures admit an error";
    if unwind {
        for depth in 0..DEPTH {
            if procedures.is_safe() || budget.check().is_err() {
                break;
            }
            budget.report(Event::Phase(format!("unwinding calls to depth {depth}")));
            match procedures.learn(&mut ctx, depth) {
                Unfolded::Refuted => {}
                Unfolded::Reached => {
                    why = "calls may lead to an error";
                    break;
                }
                Unfolded::Unknown => {
                    why = "it is not known whether unwound calls lead to an error";
                    break;
                }
            }
        }
    }
    if !procedures.is_safe() {
        return Err(Box::new(Reason::new(ReasonKind::GaveUp, why)));
    }
    assemble(prepared, ctx, &mut procedures)
}

/// The proof that contracts make which admit no error.
fn assemble(
    prepared: &Prepared,
    mut ctx: Context,
    procedures: &mut Procedures,
) -> Result<Proof, Box<Reason>> {
    let reason = |why: String| {
        let message = format!("contracts admit no error, but a loop has no label: {why}");
        Box::new(Reason::new(ReasonKind::GaveUp, message))
    };
    let labels = procedures.entry_labels(&mut ctx).map_err(reason)?;
    let others = procedures.labels(&mut ctx, prepared).map_err(reason)?;
    prepared.proof(ctx, labels, &others)
}
