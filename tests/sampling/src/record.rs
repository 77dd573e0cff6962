//! A run of the machine as the states at its cut points.

use base::Budget;
use encode::Context;
use encode::blocks::{BlockEffect, BlockGraph};
use exec::{End, Limits, Machine};
use logic::TermId;
use program::expr::Constant;
use program::ir::{LocationId, VarId};
use std::collections::BTreeSet;
use testkit::sample::sample;

/// Visits of a run that are kept.
const VISITS: usize = 300;

/// A state at a cut point.
pub(crate) struct Visit {
    pub(crate) at: LocationId,
    /// The truth values and integers that are known.
    pub(crate) values: Vec<(VarId, Constant)>,
}

/// A run.
pub(crate) struct Recorded {
    pub(crate) visits: Vec<Visit>,
    /// The error location that it ended in.
    pub(crate) error: Option<LocationId>,
}

/// Runs the entry procedure on random inputs, and looks at it until it does what blocks do not
/// describe.
pub(crate) fn record(machine: &Machine, graph: &BlockGraph, seed: u64) -> Recorded {
    let entry = machine.program().entry;
    let opaque = graph.blocks.iter();
    let opaque = opaque.filter(|block| matches!(block.step, BlockEffect::Opaque(_)));
    let opaque: BTreeSet<LocationId> = opaque.map(|block| block.source).collect();
    let limits = Limits {
        steps: 20_000,
        memory: 1 << 20,
        depth: 100,
    };
    let mut visits = Vec::new();
    let mut is_over = false;
    let run = sample(machine, seed, &limits, &Budget::unlimited(), &mut |state| {
        if is_over || state.proc != entry || !graph.is_cut[state.at] {
            return;
        }
        let values = state.values.iter_enumerated();
        visits.push(Visit {
            at: state.at,
            values: values
                .filter_map(|(var, value)| Some((var, (*value)?)))
                .collect(),
        });
        is_over = visits.len() >= VISITS || opaque.contains(&state.at);
    });
    let error = match run.end {
        End::Violated(proc, at) if proc == entry => Some(at),
        _ => None,
    };
    Recorded { visits, error }
}

/// The term of a value.
pub(crate) fn term(ctx: &mut Context, value: Constant) -> TermId {
    match value {
        Constant::Bool(value) => ctx.store.bool(value),
        Constant::Int(value) => ctx.store.int(value),
        Constant::Float(..) | Constant::Null => unreachable!("such values should not be kept"),
    }
}
