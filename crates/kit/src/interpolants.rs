//! Interpolants of formulas in a sequence or in a tree, by one call.

use base::Budget;
use interpolate::{Interpolation, Interpolator};
use logic::{TermId, TermStore};
use prover::Shape;

/// Interpolants of formulas that contradict each other, one for each edge of the shape; or why
/// there are none.
pub fn interpolants(
    interpolator: &mut Interpolator,
    store: &mut TermStore,
    parts: &[TermId],
    shape: &Shape,
    budget: &Budget,
) -> Result<Vec<TermId>, String> {
    match interpolator.interpolate(store, parts, shape, budget) {
        Interpolation::Interpolants(found) => Ok(found),
        Interpolation::Consistent(_) => Err("the formulas do not contradict each other".into()),
        Interpolation::Unknown(why) => Err(why),
    }
}
