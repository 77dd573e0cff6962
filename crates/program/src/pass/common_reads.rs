//! What is surely read at a location, whichever edge a run takes from there.

use crate::expr::Expr;
use crate::ir::{LocationId, Procedure};

/// The reads of places that all edges out of a location make, the inner ones first.
pub(super) fn common_reads<'p>(
    procedure: &'p Procedure,
    at: LocationId,
    is_place: &dyn Fn(&Expr) -> bool,
) -> Vec<&'p Expr> {
    let mut common: Option<Vec<&Expr>> = None;
    for &id in &procedure.locations[at].out {
        let mut reads = Vec::new();
        for expr in procedure.edges[id].op.exprs() {
            sure_reads(expr, is_place, &mut reads);
        }
        match &mut common {
            None => common = Some(reads),
            Some(common) => common.retain(|read| reads.contains(read)),
        }
    }
    common.unwrap_or_default()
}

/// Those that an expression makes whatever its conditions are.
fn sure_reads<'e>(expr: &'e Expr, is_place: &dyn Fn(&Expr) -> bool, found: &mut Vec<&'e Expr>) {
    if let Expr::Select(condition, ..) = expr {
        return sure_reads(condition, is_place, found);
    }
    expr.children()
        .for_each(|child| sure_reads(child, is_place, found));
    if let Expr::Load(_, address) = expr
        && is_place(address)
    {
        found.push(expr);
    }
}
