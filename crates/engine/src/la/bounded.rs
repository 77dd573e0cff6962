//! Loops that terminate soon: a variable moves in one direction by a constant in each iteration,
//! and has few values at the head.
//!
//! # Invariants
//! - Affects only the order of the search: a loop that runs longer than expected is followed for as
//!   long as the budget lasts.

use absdom::{Invariants, Options};
use encode::blocks::BlockEffect;
use kit::{Context, CutGraph, EncodingPrecision};
use logic::{Integer, SymbolId, TermId};
use program::ir::{LocationId, ProcId, VarId};
use program::pass::loops::LoopNest;
use std::collections::BTreeSet;

/// A loop with more iterations is not short.
const MOST: i64 = 64;
/// How much of the effort the analysis may take, in percent.
const SHARE: u64 = 10;

/// The heads of the loops that are bounded, of all procedures.
pub(super) fn bounded_loops(ctx: &mut Context) -> BTreeSet<(ProcId, LocationId)> {
    let program = ctx.program;
    let budget = ctx.budget.share(SHARE);
    let mut bounded = BTreeSet::new();
    let procs = ctx.frames.keys().copied().chain([program.entry]);
    for proc in procs.collect::<Vec<_>>() {
        if LoopNest::new(&program.procs[proc]).loops.is_empty() {
            continue;
        }
        let cuts = CutGraph::new(ctx, proc, &EncodingPrecision::wrapping());
        let invariants = Invariants::new(program, proc, &Options::default(), &budget);
        let is_bounded = |head: &LocationId| {
            let mut vars = cuts.live(*head).iter();
            vars.any(|var| few(&invariants, *head, var) && advances(ctx, &cuts, *head, var))
        };
        let heads = cuts.heads().filter(is_bounded);
        bounded.extend(heads.map(|head| (proc, head)));
    }
    bounded
}

/// Whether a variable has few values at a location.
fn few(invariants: &Invariants, at: LocationId, var: VarId) -> bool {
    let (Some(low), Some(high)) = invariants.bounds(at, var) else {
        return false;
    };
    &high - &low <= Integer::from(MOST)
}

/// Whether every iteration adds constants of one sign to a variable. A loop inside may change it in
/// ways that are not seen, so there must be none.
fn advances(ctx: &Context, cuts: &CutGraph, head: LocationId, var: VarId) -> bool {
    let symbol = ctx.state.symbol(var);
    let mut signs = BTreeSet::new();
    let back = cuts
        .graph
        .blocks
        .iter()
        .filter(|block| block.target == head && cuts.is_back(block));
    for block in back {
        let BlockEffect::Formula(step) = &block.step else {
            continue;
        };
        let Some(&value) = step.map.get(&var).filter(|_| block.source == head) else {
            return false;
        };
        let Some(added) = added(ctx, value, symbol) else {
            return false;
        };
        signs.insert(added < Integer::ZERO);
    }
    signs.len() == 1
}

/// What a term adds to a symbol, if that is a constant other than zero.
fn added(ctx: &Context, value: TermId, symbol: SymbolId) -> Option<Integer> {
    let (constant, parts) = ctx.store.to_linear(value);
    let [(term, factor)] = &parts[..] else {
        return None;
    };
    let is_it = matches!(ctx.store.node(*term), logic::Node::Symbol(it) if *it == symbol);
    (is_it && *factor == Integer::from(1i64) && !constant.is_zero()).then_some(constant)
}
