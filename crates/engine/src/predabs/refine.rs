//! Refinement: a path to an error is run, or yields the missing predicates.

use super::calls::Caller;
use super::search::{Needed, Search, TreeId};
use super::trace::AbstractTrace;
use certify::Outcome;
use exec::{Machine, Run};
use kit::inexact::undecided;
use kit::labelled_tree::PathCheck;
use kit::path_solver::limited;
use kit::precision::{needed_by_block, needed_by_run};
use kit::test_runner::{ModelInputs, replay, test_limits};
use kit::trace_formula::TraceFormula;
use kit::trace_runner::run_trace;
use kit::unwinding::{Fate, VertexId};
use logic::TermId;
use smt::Model;
use std::collections::BTreeMap;

/// The steps of a test.
const STEPS: u64 = 1 << 20;
/// How many tests follow one path: inputs that no formula mentions vary.
const VARIATIONS: u64 = 4;

/// An interpolant at a vertex, if it is over the state there.
type AtVertex = (TreeId, VertexId, Option<TermId>);

impl Search<'_> {
    /// Checks the path to an error that abstract states admit.
    pub(super) fn refine(
        &mut self,
        id: TreeId,
        vertex: VertexId,
    ) -> Result<Option<Outcome>, Needed> {
        let Some(trace) = self.trace(id, vertex) else {
            self.parked.push((id, vertex));
            return Ok(None);
        };
        match self.check(&trace, id, vertex) {
            Checked::DeadEnd(interpolants) => {
                self.learn((id, vertex), &trace, &interpolants);
                // Another call may enter its tree so that it is reached.
                if self.trees[id].tree.unwinding.vertex(vertex).fate == Fate::Open {
                    self.parked.push((id, vertex));
                }
                Ok(None)
            }
            Checked::Reached(model, formula) => {
                self.test((id, vertex), &trace, &model, formula.as_ref())
            }
            Checked::Unknown(why) => {
                self.give_up(id, vertex, &why);
                Ok(None)
            }
        }
    }

    /// Whether the formula of a trace has a model; if not, interpolants for its vertices. The
    /// incremental path solver only knows the blocks of the entry procedure.
    fn check(&mut self, trace: &AbstractTrace, id: TreeId, vertex: VertexId) -> Checked {
        if trace.is_in_entry() {
            let cuts = &self.bodies[&self.trees[id].proc].nest.cuts;
            let (ctx, tree) = (&mut self.ctx, &mut self.trees[id].tree);
            return match tree.check_states(ctx, cuts, vertex) {
                PathCheck::DeadEnd(labels) => {
                    let path = tree.unwinding.path(vertex).into_iter();
                    let rows = path.zip(labels).skip(1);
                    let rows = rows.map(|(vertex, label)| (id, vertex, Some(label)));
                    Checked::DeadEnd(rows.collect())
                }
                PathCheck::Reached(model) => Checked::Reached(model, None),
                PathCheck::Unknown(why) => Checked::Unknown(why),
            };
        }
        let steps = trace.steps(&self.bodies, &self.trees);
        let cuts = &self.bodies[&self.prepared.program.entry].nest.cuts;
        let budget = limited(&self.ctx.budget);
        let formula = TraceFormula::new(&mut self.ctx, cuts, &steps);
        match formula.model(&mut self.ctx, &budget) {
            Ok(Some(model)) => Checked::Reached(model, Some(formula)),
            Err(why) => Checked::Unknown(why),
            Ok(None) => match formula.interpolants(&mut self.ctx, &budget) {
                Err(why) => Checked::Unknown(why),
                Ok(labels) => {
                    self.ctx.budget.counters().add("refinements", 1);
                    let rows = trace.vertices().zip(labels.into_iter().skip(1));
                    let rows = rows.map(|((id, vertex), label)| (id, vertex, label));
                    Checked::DeadEnd(rows.collect())
                }
            },
        }
    }

    /// Tracks the predicates of interpolants along an infeasible path, and re-expands from the
    /// first vertex in each tree that was labelled without some of them.
    fn learn(
        &mut self,
        (id, error): (TreeId, VertexId),
        trace: &AbstractTrace,
        interpolants: &[AtVertex],
    ) {
        let mut first: BTreeMap<TreeId, Caller> = BTreeMap::new();
        let inner = interpolants.iter();
        let inner = inner.filter(|(at, vertex, _)| (*at, *vertex) != (id, error));
        let mut needed = Vec::new();
        for &(id, vertex, interpolant) in inner.clone() {
            let Some(interpolant) = interpolant else {
                continue;
            };
            let row = &self.trees[id];
            let (ctx, cuts) = (&mut self.ctx, &self.bodies[&row.proc].nest.cuts);
            let at = row.tree.unwinding.vertex(vertex).at;
            let before = self.predicates.at(ctx, cuts, at).predicates.len();
            let atoms = self.predicates.add(ctx, cuts, at, interpolant);
            let now = self.predicates.at(ctx, cuts, at);
            for &predicate in &now.predicates[before..] {
                row.tree.note_predicate(ctx, vertex, predicate);
            }
            needed.push(((id, vertex), (row.proc, at), atoms));
        }
        for ((id, vertex), at, atoms) in needed {
            let labelled = self.trees[id].tracked[&vertex];
            if self.predicates.is_lacking(at, labelled, &atoms)
                && let Some(caller) = self.behind(trace, id, vertex)
            {
                first.entry(id).or_insert(caller);
            }
        }
        // Interpolants that are conjunctions of tracked literals would have excluded the path, had the
        // solver known of each of them that it holds.
        let mut again = None;
        for &(id, vertex, _) in inner.filter(|_| first.is_empty()) {
            let row = &self.trees[id];
            let cuts = &self.bodies[&row.proc].nest.cuts;
            let at = row.tree.unwinding.vertex(vertex).at;
            if self.predicates.make_boolean(&self.ctx, cuts, at)
                && let Some(caller) = self.behind(trace, id, vertex)
            {
                again.get_or_insert((id, caller));
            }
        }
        first.extend(again);
        if first.is_empty() {
            self.give_up(id, error, "its predicates do not exclude it");
            return;
        }
        self.expand_anew(first.into_values());
    }

    /// The block that leads to a vertex of a trace, or the call that enters its tree.
    fn behind(&self, trace: &AbstractTrace, id: TreeId, vertex: VertexId) -> Option<Caller> {
        match self.trees[id].tree.unwinding.vertex(vertex).parent {
            Some((parent, block)) => Some((id, parent, block)),
            None => trace.caller(id),
        }
    }

    /// Runs the path to an error with the inputs of a model.
    fn test(
        &mut self,
        (id, vertex): (TreeId, VertexId),
        trace: &AbstractTrace,
        model: &Model,
        formula: Option<&TraceFormula>,
    ) -> Result<Option<Outcome>, Needed> {
        if let Some((id, block)) = trace.last_block()
            && let Some(needed) = needed_by_block(self.cuts(id), block)
        {
            return Err((self.trees[id].proc, needed));
        }
        let given = Machine::new(&self.task.program);
        for variation in 0..VARIATIONS {
            let run = match formula {
                Some(formula) => self.run_trace(trace, formula, model),
                None => self.run_path(id, vertex, model, variation),
            };
            if let Ok(trace) = replay(&given, &run.inputs, &self.ctx.budget) {
                return Ok(Some(Outcome::Unsafe(trace)));
            }
            for (&proc, body) in &self.bodies {
                if let Some(needed) = needed_by_run(&body.nest.cuts, &run) {
                    return Err((proc, needed));
                }
            }
            if formula.is_some() {
                break;
            }
        }
        let blocks = self.trees[id].tree.unwinding.blocks(vertex);
        let reason = undecided(self.ctx.program, self.cuts(id), &blocks);
        self.trees[id].tree.leave_undecided(vertex, reason);
        Ok(None)
    }

    /// The run of a path through the program's entry; inputs that no formula mentions vary.
    fn run_path(&self, id: TreeId, vertex: VertexId, model: &Model, variation: u64) -> Run {
        let (cuts, tree) = (self.cuts(id), &self.trees[id].tree);
        let prefix = tree.paths.inputs(&self.ctx, cuts, model, variation);
        let count = tree.unwinding.vertex(vertex).depth;
        let (budget, limits) = (&self.ctx.budget, test_limits(STEPS));
        let mut inputs = ModelInputs { prefix };
        self.runner.run(&mut inputs, count, &limits, budget).run
    }

    /// The run of a trace through several procedures.
    fn run_trace(&self, trace: &AbstractTrace, formula: &TraceFormula, model: &Model) -> Run {
        let (program, model) = ((&self.bodies, &self.trees), (formula, model));
        let inputs = trace.inputs(&self.ctx, program, model);
        let bodies = self.bodies.iter();
        let points = bodies.map(|(&proc, body)| (proc, body.nest.cuts.graph.is_cut.clone()));
        let (budget, limits) = (&self.ctx.budget, test_limits(STEPS));
        run_trace(self.machine, &points.collect(), &inputs, &limits, budget)
    }

    /// Leaves the path to an error undecided.
    fn give_up(&mut self, id: TreeId, vertex: VertexId, why: &str) {
        let row = &mut self.trees[id];
        let cuts = &self.bodies[&row.proc].nest.cuts;
        row.tree.give_up(cuts, vertex, why);
    }
}

/// The result of checking a trace.
enum Checked {
    /// Infeasible: interpolants at its vertices.
    DeadEnd(Vec<AtVertex>),
    /// Its formula, unless it is that of a path through the program's entry, has this model.
    Reached(Model, Option<TraceFormula>),
    /// The solver answers unknown, and why.
    Unknown(String),
}
