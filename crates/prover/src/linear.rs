//! Linear expressions over the variables of the prover.

use base::define_id;
use logic::Rational;

define_id! {
    /// A number that the prover reasons about: a symbol, an application, a quotient, a choice, or
    /// a linear form that has bounds.
    VarId = "x";
}

/// A constant and multiples of variables.
pub type Linear = logic::sparse::Linear<VarId, Rational>;
