//! Exactness: when first iteration, last iteration and differences are a complete description.
//!
//! If every iteration adds the same constants and is feasible on a convex set of states, then k
//! iterations are feasible if and only if the first and the last are: the intermediate states lie
//! between. The closure of `join` says exactly that. A variable that an iteration sets to a
//! loop-invariant value (a constant, or a variable that the loop does not write) has that value
//! from the first iteration on; the iterations must not read its old value. Invariants do not
//! count: they hold in all intermediate states, if they hold in the first.

use super::Body;
use encode::Context;
use logic::{Node, TermId};
use program::ir::VarId;

/// Whether the closure of an iteration is exact, given that the iteration is.
pub(super) fn is_exact(ctx: &mut Context, body: &Body) -> bool {
    let iteration = &body.iteration;
    let mut set_anew: Vec<VarId> = Vec::new();
    for (&var, &term) in &iteration.map {
        let before = ctx.before(var);
        if ctx.store.sort(before) != logic::Sort::Int {
            return false;
        }
        let step = ctx.store.sub(term, before);
        if ctx.store.as_int(step).is_some() {
            continue;
        }
        let symbols = ctx.store.symbols_of(&[term]);
        let is_constant = symbols.iter().all(|&symbol| {
            let var = ctx.state.var(symbol);
            var.is_some_and(|var| !iteration.map.contains_key(&var))
        });
        if !is_constant {
            return false;
        }
        set_anew.push(var);
    }
    let conjuncts = ctx.store.conjuncts(body.guard);
    conjuncts.into_iter().all(|part| {
        let symbols = ctx.store.symbols_of(&[part]);
        let asks_old = set_anew
            .iter()
            .any(|&var| symbols.contains(&ctx.state.symbol(var)));
        ctx.is_of_state(part) && !asks_old && is_convex(ctx, part)
    })
}

/// Whether a condition is a linear inequality or equality.
fn is_convex(ctx: &Context, condition: TermId) -> bool {
    let (Node::AtMostZero(sum) | Node::IsZero(sum)) = *ctx.store.node(condition) else {
        return false;
    };
    let (_, parts) = ctx.store.to_linear(sum);
    parts
        .iter()
        .all(|(part, _)| matches!(ctx.store.node(*part), Node::Symbol(_)))
}
