//! Ops that touch only variables.

use program::expr::Expr;
use program::ir::{Op, Place, SiteId, VarId};

/// What an op does that reads and writes variables alone. Its expressions may read memory.
#[derive(Clone, Copy)]
pub enum OnVariables<'o> {
    /// Nothing.
    Skip,
    /// Continues if a condition holds.
    Assume(&'o Expr),
    /// Gives a variable a value.
    Assign(VarId, &'o Expr),
    /// Gives a variable any value, as an input at this site.
    Havoc(VarId, SiteId),
}

impl<'o> OnVariables<'o> {
    /// What an op does; `None` for one that writes memory, calls, leaves the procedure or is not
    /// modelled.
    pub fn of(op: &'o Op) -> Option<Self> {
        use Op::*;
        match op {
            Skip => Some(OnVariables::Skip),
            Assume(condition) => Some(OnVariables::Assume(condition)),
            Assign(Place::Var(var), value) => Some(OnVariables::Assign(*var, value)),
            Havoc(Place::Var(var), site) => Some(OnVariables::Havoc(*var, *site)),
            Assign(Place::Mem(..), _) | Havoc(Place::Mem(..), _) => None,
            Call(_) | Return(_) | Halt(_) | Enter(_) | Leave(_) | Unsupported(_) => None,
        }
    }
}
