//! Which of many facts hold: all are conjectured at once, and each model drops those it violates.
//!
//! # Paper
//! [flanagan2001houdini], for facts that do not depend on each other; inductive facts are found by
//! repeating until nothing is dropped.

use encode::Context;
use logic::TermId;
use smt::Model;

/// A fact, and what it says where it is claimed.
pub type Claim = (TermId, TermId);

/// The facts that hold wherever some formulas do. If the solver answers unknown, the claims that no
/// model has violated.
pub fn holding(
    ctx: &mut Context,
    known: &[TermId],
    mut claims: Vec<Claim>,
    ask: impl Fn(&mut Context, &[TermId]) -> Result<Option<Model>, String>,
) -> Result<Vec<TermId>, Vec<Claim>> {
    while !claims.is_empty() {
        let all: Vec<TermId> = claims.iter().map(|&(_, claim)| claim).collect();
        let broken = ctx.store.not_all(&all);
        match ask(ctx, &[known, &[broken]].concat()) {
            Ok(None) => break,
            Ok(Some(model)) => {
                let count = claims.len();
                claims.retain(|&(_, claim)| model.satisfies(&ctx.store, claim));
                if claims.len() == count {
                    return Err(claims);
                }
            }
            Err(_) => return Err(claims),
        }
    }
    Ok(claims.into_iter().map(|(fact, _)| fact).collect())
}
