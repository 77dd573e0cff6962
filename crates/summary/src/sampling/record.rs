//! A run of the machine as the states at its cut points.

use crate::kit::Kit;
use base::{Budget, IdVec};
use exec::inputs::RandomInputs;
use exec::{End, Limits, Machine, Target, Value, Watch};
use logic::TermId;
use program::expr::{Constant, Type};
use program::ir::{EdgeId, LocationId, ProcId, Program, VarId};
use program::pass::blocks::{BlockGraph, Step};
use std::collections::BTreeSet;

/// Visits of a run that are kept.
const VISITS: usize = 300;

/// A state at a cut point.
pub(super) struct Visit {
    pub(super) at: LocationId,
    /// The truth values and integers that are known.
    pub(super) values: Vec<(VarId, Constant)>,
}

/// A run.
pub(super) struct Recorded {
    pub(super) visits: Vec<Visit>,
    /// The error location that it ended in.
    pub(super) error: Option<LocationId>,
}

/// Runs the entry procedure on random inputs, and looks at it until it does what blocks do not
/// describe.
pub(super) fn record(machine: &Machine, graph: &BlockGraph, seed: u64) -> Recorded {
    let program = machine.program();
    let opaque = graph.blocks.iter().filter_map(|block| match block.step {
        Step::Opaque(edge) => Some(edge),
        Step::Formula(_) | Step::Escape(_) => None,
    });
    let vars = program.vars.iter();
    let start = vars.map(|var| var.init.filter(|_| is_known(var.ty)));
    let mut recorder = Recorder {
        program,
        graph,
        opaque: opaque.collect(),
        now: start.collect(),
        visits: Vec::new(),
        is_over: false,
    };
    let limits = Limits {
        steps: 20_000,
        memory: 1 << 20,
        depth: 100,
    };
    let mut inputs = RandomInputs::new(seed);
    let budget = Budget::unlimited();
    let run = machine.run_watched(&mut inputs, &limits, &budget, &mut recorder);
    let error = match run.end {
        End::Violated(proc, at) if proc == program.entry => Some(at),
        _ => None,
    };
    Recorded {
        visits: recorder.visits,
        error,
    }
}

/// The term of a value.
pub(super) fn term(kit: &mut Kit, value: Constant) -> TermId {
    match value {
        Constant::Bool(value) => kit.store.bool(value),
        Constant::Int(value) => kit.store.int(value),
        Constant::Float(..) | Constant::Null => unreachable!("such values should not be kept"),
    }
}

fn is_known(ty: Type) -> bool {
    matches!(ty, Type::Bool | Type::Int(_))
}

struct Recorder<'p> {
    program: &'p Program,
    graph: &'p BlockGraph,
    opaque: BTreeSet<EdgeId>,
    now: IdVec<VarId, Option<Constant>>,
    visits: Vec<Visit>,
    is_over: bool,
}

impl Watch for Recorder<'_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        if proc != self.program.entry || self.is_over {
            return;
        }
        let at = self.program.procs[proc].edges[edge].source;
        if self.graph.is_cut[at] {
            let values = self.now.iter_enumerated();
            self.visits.push(Visit {
                at,
                values: values
                    .filter_map(|(var, value)| Some((var, (*value)?)))
                    .collect(),
            });
        }
        self.is_over = self.visits.len() >= VISITS || self.opaque.contains(&edge);
    }

    fn wrote(&mut self, target: Target, value: Value) {
        if let (Target::Var(var), Value::Constant(value)) = (target, value) {
            let ty = self.program.vars[var].ty;
            self.now[var] = Some(value).filter(|_| is_known(ty));
        }
    }
}
