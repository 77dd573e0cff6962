//! Z3's own elimination of quantifiers, to compare ours with.

use super::context::{Ast, Context, Counted, Error, Object};
use std::collections::BTreeSet;
use std::ffi::CString;
use std::rc::Rc;
use z3_sys::*;

macro_rules! object {
    ($type:ty, $keep:ident, $release:ident) => {
        impl Object for $type {
            unsafe fn keep(self, context: Z3_context) {
                // SAFETY: as the caller says.
                unsafe { $keep(context, self) }
            }
            unsafe fn release(self, context: Z3_context) {
                // SAFETY: as the caller says.
                unsafe { $release(context, self) }
            }
        }
    };
}

object!(Z3_tactic, Z3_tactic_inc_ref, Z3_tactic_dec_ref);
object!(Z3_goal, Z3_goal_inc_ref, Z3_goal_dec_ref);
object!(
    Z3_apply_result,
    Z3_apply_result_inc_ref,
    Z3_apply_result_dec_ref
);

/// How many atoms are left when a tactic has eliminated the constants from the formula; `None` if
/// it left a quantifier.
pub(crate) fn eliminated(
    context: &Rc<Context>,
    tactic: &str,
    formula: &Ast,
    constants: &[Ast],
    milliseconds: u32,
) -> Result<Option<usize>, Error> {
    let raw = context.raw();
    let name = CString::new(tactic).map_err(|error| error.to_string())?;
    // SAFETY: all of it lives in the context and is held here.
    unsafe {
        let apps: Result<Vec<Z3_app>, Error> = constants
            .iter()
            .map(|constant| context.made(Z3_to_app(raw, constant.raw())))
            .collect();
        let apps = apps?;
        let count = apps.len() as u32;
        let body = formula.raw();
        let exists = Z3_mk_exists_const(raw, 0, count, apps.as_ptr(), 0, std::ptr::null(), body);
        let exists = Counted::new(context, exists)?;
        let goal = Counted::new(context, Z3_mk_goal(raw, true, false, false))?;
        Z3_goal_assert(raw, goal.raw(), exists.raw());
        let tactic = Counted::new(context, Z3_mk_tactic(raw, name.as_ptr()))?;
        let limited = Z3_tactic_try_for(raw, tactic.raw(), milliseconds);
        let limited = Counted::new(context, limited)?;
        let result = Z3_tactic_apply(raw, limited.raw(), goal.raw());
        let result = Counted::new(context, result)?;
        let mut open = Vec::new();
        for index in 0..Z3_apply_result_get_num_subgoals(raw, result.raw()) {
            let goal = Z3_apply_result_get_subgoal(raw, result.raw(), index);
            let goal = Counted::new(context, goal)?;
            for index in 0..Z3_goal_size(raw, goal.raw()) {
                open.push(Counted::new(
                    context,
                    Z3_goal_formula(raw, goal.raw(), index),
                )?);
            }
        }
        atoms(context, open)
    }
}

/// How many different atoms some formulas have; `None` if they have a quantifier.
fn atoms(context: &Rc<Context>, formulas: Vec<Ast>) -> Result<Option<usize>, Error> {
    let raw = context.raw();
    let (mut open, mut seen, mut count) = (formulas, BTreeSet::new(), 0);
    while let Some(term) = open.pop() {
        // SAFETY: all of it lives in the context and is held here.
        unsafe {
            if !seen.insert(Z3_get_ast_id(raw, term.raw())) {
                continue;
            }
            if Z3_get_ast_kind(raw, term.raw()) == AstKind::Quantifier {
                return Ok(None);
            }
            let app = context.made(Z3_to_app(raw, term.raw()))?;
            let mut parts = Vec::new();
            for index in 0..Z3_get_app_num_args(raw, app) {
                let part = Counted::new(context, Z3_get_app_arg(raw, app, index))?;
                if Z3_get_sort(raw, part.raw()) == Some(context.bool_sort) {
                    parts.push(part);
                }
            }
            count += usize::from(parts.is_empty());
            open.extend(parts);
        }
    }
    Ok(Some(count))
}
