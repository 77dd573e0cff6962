//! Tests: a path to a goal becomes inputs, and the machine says where they lead.

use super::graph::{PointId, SegmentId};
use super::search::Search;
use super::states::PathInput;
use crate::goals::Goal;
use base::Rng;
use certify::Trace;
use encode::EncodingPrecision;
use exec::inputs::SiteInputs;
use exec::{End, Machine, Run};
use kit::path_inputs::any;
use kit::test_runner::{constant, replay, test_limits};
use program::expr::Constant;
use program::ir::SiteId;
use smt::Model;
use std::collections::BTreeSet;

/// The steps of a test of the program that is walked over.
const STEPS: u64 = 1 << 20;
/// How often inputs that no formula mentions are varied.
const VARIATIONS: u64 = 6;
/// Values for such inputs.
const VALUES: [i64; 6] = [1, -1, 2, 100, 3, i64::MAX];

/// Takes a trace, and how often the search went back before, and says which error locations of the
/// program that is walked over it answers for; none to stop.
pub(super) type Sink<'s> = dyn FnMut(Trace, u64) -> Option<BTreeSet<Goal>> + 's;

/// The programs that tests are run on, and where traces go.
pub(super) struct Runs<'s> {
    /// The program as it was given.
    pub(super) given: &'s Machine<'s>,
    /// The program that is walked over.
    pub(super) prepared: &'s Machine<'s>,
    /// Whether that one has all that may be undefined.
    pub(super) has_undefined: bool,
    pub(super) sink: &'s mut Sink<'s>,
}

/// What comes of a path to a goal.
pub(super) enum Reaction {
    /// These goals are reached.
    Reached(BTreeSet<PointId>),
    /// It is, and that is enough.
    Stop,
    /// Something undefined that was removed ends the run before the goal.
    Removed,
    /// A step must be described more closely.
    Refine(SegmentId, EncodingPrecision),
    /// No run gets there, as far as was tried; why.
    Diverged(String),
}

impl Search<'_> {
    /// Runs the current path, whose end a model reaches.
    pub(super) fn test(&mut self, goal: PointId, model: &Model) -> Reaction {
        let inputs = self.states.inputs();
        let has_free = inputs.iter().any(|input| input.term.is_none());
        let mut why = String::new();
        for variation in 0..if has_free { VARIATIONS } else { 1 } {
            let values = self.values(&inputs, model, variation);
            let all: Vec<(SiteId, Constant)> = values.iter().map(|&(input, _)| input).collect();
            let run = match replay(self.runs.given, &all, &self.ctx.budget) {
                Ok(trace) => {
                    let goals = (self.runs.sink)(trace, self.statistics.backtracks);
                    let goals = goals.map(|goals| {
                        let points = goals.into_iter();
                        let points =
                            points.filter_map(|goal| self.graph.point_of(goal.proc, goal.location));
                        points.collect::<BTreeSet<PointId>>()
                    });
                    return match goals {
                        Some(goals) if goals.contains(&goal) => Reaction::Reached(goals),
                        Some(goals) => {
                            self.close(&goals);
                            Reaction::Diverged("a run reaches another goal".to_owned())
                        }
                        None => Reaction::Stop,
                    };
                }
                Err(run) => run,
            };
            let kept = values.iter().filter(|(_, is_removed)| !is_removed);
            let kept: Vec<(SiteId, Constant)> = kept.map(|&(input, _)| input).collect();
            if let Some(reaction) = self.explain(&kept, &run) {
                return reaction;
            }
            why = described(&run.end);
        }
        Reaction::Diverged(why)
    }

    /// Inputs for a test, and whether the prepared program does not ask for them.
    fn values(
        &self,
        inputs: &[PathInput],
        model: &Model,
        variation: u64,
    ) -> Vec<((SiteId, Constant), bool)> {
        let mut rng = Rng::new(variation);
        let values = inputs.iter().map(|input| {
            let value = match input.term {
                Some(term) => constant(input.ty, &model.evaluate(&self.ctx.store, term)),
                None if variation == 0 => input.ty.zero(),
                None => constant(input.ty, &any(&mut rng, &VALUES, input.ty)),
            };
            ((input.site, value), input.is_removed)
        });
        values.collect()
    }

    /// Why a run did not reach its goal, if more can be done about it than to vary the inputs.
    fn explain(&self, inputs: &[(SiteId, Constant)], given: &Run) -> Option<Reaction> {
        let machine = self.runs.prepared;
        let mut source = SiteInputs::new(machine.program(), inputs);
        let run = machine.run(&mut source, &test_limits(STEPS), &self.ctx.budget);
        match (&run.end, run.at) {
            (End::Violated(..), _) if !self.runs.has_undefined => {
                matches!(given.end, End::Undefined(_)).then_some(Reaction::Removed)
            }
            (End::Undefined(_), Some((proc, edge))) => {
                let step = self.graph.step_over(proc, edge)?;
                Some(Reaction::Refine(step, EncodingPrecision::defined_on(edge)))
            }
            _ => None,
        }
    }
}

/// How a run ended that should have reached a goal.
fn described(end: &End) -> String {
    match end {
        End::Undefined(undefined) => {
            format!("undefined behaviour ends it: {}", undefined.message)
        }
        End::Unsupported(what) => format!("it meets what is not modelled: {what}"),
        End::OutOfBudget(limit) => limit.clone(),
        End::Exited(_) | End::Aborted | End::Blocked | End::Violated(..) | End::OutOfInputs => {
            "its formula allows more than the program does".to_owned()
        }
    }
}
