//! Conditions that, once true, stay true: if one holds before the iterations it holds after them.

use super::{Body, Frame};
use encode::Context;
use logic::{Node, TermId};

/// Conditions that an iteration does not make false.
pub(super) fn facts(ctx: &mut Context, body: &Body, frame: &Frame) -> Vec<TermId> {
    let map = frame.states(ctx);
    let mut facts = Vec::new();
    for condition in candidates(ctx, body) {
        if persists(ctx, body, condition) {
            let after = ctx.store.substitute(condition, &map);
            facts.push(ctx.store.implies(condition, after));
        }
    }
    facts
}

/// Whether a condition that holds before an iteration holds after it.
pub(super) fn persists(ctx: &mut Context, body: &Body, condition: TermId) -> bool {
    let after = ctx.after(&body.iteration, condition);
    let premise = ctx.store.and(&[body.iteration.guard, condition]);
    ctx.entails(premise, after)
}

/// The conditions worth a question: those of the iteration and the hints, with their negations and
/// the halves of equalities, as far as the iteration may change them.
pub(super) fn candidates(ctx: &mut Context, body: &Body) -> Vec<TermId> {
    let mut atoms = ctx.store.atoms(body.iteration.guard);
    atoms.extend(&body.hints);
    let written: Vec<_> = body.iteration.map.keys().copied().collect();
    let mut all = Vec::new();
    for atom in atoms {
        let symbols = ctx.store.symbols_of(&[atom]);
        let is_touched = written
            .iter()
            .any(|&var| symbols.contains(&ctx.state.symbol(var)));
        if !is_touched || !ctx.is_of_state(atom) {
            continue;
        }
        all.push(atom);
        all.push(ctx.store.not(atom));
        if let Node::IsZero(sum) = *ctx.store.node(atom) {
            let zero = ctx.store.int(0i64);
            all.push(ctx.store.le(sum, zero));
            all.push(ctx.store.le(zero, sum));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
