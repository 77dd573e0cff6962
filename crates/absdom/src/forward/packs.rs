//! Variable packing: which variables are related at which location; and the widening thresholds.
//!
//! Octagons take quadratic space, so each location relates a bounded number of its live integers:
//! those that most often occur together with others or are changed, above all in loops.

use super::element::Domain;
use base::IdVec;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;
use program::pass::liveness::Liveness;
use program::pass::loops::LoopNest;
use std::collections::BTreeSet;

/// The most variables a location relates.
const RELATED: usize = 20;

/// The related variables of each location, in order.
pub(super) fn packs(
    domain: &Domain,
    proc: ProcId,
    nest: &LoopNest,
    liveness: &Liveness,
) -> IdVec<LocationId, Vec<VarId>> {
    let procedure = &domain.program.procs[proc];
    let mut weight: IdVec<VarId, u64> = IdVec::filled(0, domain.program.vars.len());
    let is_integer = |var: VarId| matches!(domain.program.vars[var].ty, Type::Int(_));
    for edge in procedure.edges.iter() {
        let mut together: BTreeSet<VarId> = edge.op.read().into_iter().collect();
        together.extend(edge.op.written());
        together.retain(|&var| is_integer(var));
        let depth = nest.innermost[edge.source].map_or(0, |id| nest.loops[id].depth);
        // Alone, only what a loop changes may come to be related.
        let is_alone = together.len() < 2;
        if is_alone && depth == 0 {
            continue;
        }
        for var in together {
            weight[var] += (2 << (2 * depth.min(8))) >> u32::from(is_alone);
        }
    }
    let pack = |at: LocationId| {
        let live = liveness.live_at(proc, at).iter();
        let mut vars: Vec<VarId> = live.filter(|&var| weight[var] > 0).collect();
        if vars.len() > RELATED {
            vars.sort_by_key(|&var| (std::cmp::Reverse(weight[var]), var));
            vars.truncate(RELATED);
            vars.sort();
        }
        vars
    };
    procedure.locations.ids().map(pack).collect()
}

/// The constants of comparisons and assignments with their neighbours, in order.
pub(super) fn thresholds(procedure: &Procedure) -> Vec<i128> {
    let mut found: BTreeSet<i128> = [-1, 0, 1].into();
    let mut add = |expr: &Expr| {
        if let Expr::Const(program::expr::Constant::Int(value)) = expr
            && let Some(value) = value.to_i128()
            && value.abs() < 1 << 64
        {
            found.extend([value - 1, value, value + 1]);
        }
    };
    for edge in procedure.edges.iter() {
        for expr in edge.op.exprs() {
            if matches!(edge.op, Op::Assign(..)) {
                add(expr);
            }
            expr.visit(&mut |part| {
                if let Expr::Binary(op, _, left, right) = part
                    && (op.is_comparison() || *op == BinaryOp::Rem)
                {
                    add(left);
                    add(right);
                }
            });
        }
    }
    found.into_iter().collect()
}
