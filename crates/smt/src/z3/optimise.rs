//! Z3's optimiser.

use super::context::{Ast, Context, Counted, Error, text};
use super::effort::{Lent, guarded};
use super::read::{Z3Model, number};
use base::Budget;
use logic::{Integer, TermValue};
use std::rc::Rc;
use z3_sys::*;

/// How far a term goes.
pub(crate) enum Extreme {
    /// To this value, in this model.
    Value(TermValue, Z3Model),
    /// Beyond every bound.
    Unbounded,
    /// The formulas have no model.
    Unsat,
    /// Z3 does not know; its reason.
    Unknown(String),
}

/// The greatest value of a term, or the least, where the formulas hold.
pub(crate) fn optimise(
    context: &Rc<Context>,
    formulas: &[Ast],
    term: &Ast,
    greatest: bool,
    budget: &Budget,
) -> Result<Extreme, Error> {
    let raw = context.raw();
    // SAFETY: all of it lives in the context and is held here.
    let optimiser = Counted::new(context, unsafe { Z3_mk_optimize(raw) })?;
    for formula in formulas {
        // SAFETY: as above.
        unsafe { Z3_optimize_assert(raw, optimiser.raw(), formula.raw()) };
        context.done()?;
    }
    // SAFETY: as above.
    let objective = unsafe {
        if greatest {
            Z3_optimize_maximize(raw, optimiser.raw(), term.raw())
        } else {
            Z3_optimize_minimize(raw, optimiser.raw(), term.raw())
        }
    };
    context.done()?;
    let lent = Lent::new((raw, optimiser.raw()));
    let call = move || {
        let (raw, optimiser) = lent.take();
        // SAFETY: the caller waits, or gives the context up with all that lives in it.
        unsafe { Z3_optimize_check(raw, optimiser, 0, std::ptr::null()) }
    };
    // SAFETY: this call is made for another thread than the one that checks.
    let interrupt = || unsafe { Z3_interrupt(raw) };
    let answer = match guarded(context, budget, interrupt, call) {
        Ok(answer) => answer,
        Err(why) => return Ok(Extreme::Unknown(why)),
    };
    match answer {
        Z3_L_TRUE => extreme(context, &optimiser, objective, greatest),
        Z3_L_FALSE => Ok(Extreme::Unsat),
        // SAFETY: as above.
        _ => Ok(Extreme::Unknown(text(unsafe {
            Z3_optimize_get_reason_unknown(raw, optimiser.raw())
        }))),
    }
}

/// Z3 gives a bound as three numbers: how often infinity, a number, how often a vanishing one.
fn extreme(
    context: &Rc<Context>,
    optimiser: &Counted<Z3_optimize>,
    objective: u32,
    greatest: bool,
) -> Result<Extreme, Error> {
    let raw = context.raw();
    // SAFETY: all of it lives in the context and is held here.
    let (parts, model) = unsafe {
        let parts = if greatest {
            Z3_optimize_get_upper_as_vector(raw, optimiser.raw(), objective)
        } else {
            Z3_optimize_get_lower_as_vector(raw, optimiser.raw(), objective)
        };
        let parts = Counted::new(context, parts)?;
        let part = |index| {
            let part = Counted::new(context, Z3_ast_vector_get(raw, parts.raw(), index))?;
            number(context, &part)
        };
        let parts = [part(0)?, part(1)?, part(2)?];
        let model = Counted::new(context, Z3_optimize_get_model(raw, optimiser.raw()))?;
        (parts, model)
    };
    let [infinite, value, vanishing] = parts;
    let zero = TermValue::Int(Integer::ZERO);
    if infinite != zero {
        return Ok(Extreme::Unbounded);
    }
    if vanishing != zero {
        return Ok(Extreme::Unknown("the bound is never reached".into()));
    }
    Ok(Extreme::Value(value, Z3Model::new(model)))
}
