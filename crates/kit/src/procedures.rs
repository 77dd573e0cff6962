//! Contracts of the procedures that are called, found and shown for all of them at once.
//!
//! Candidates come from hulls of calls of small depth (`hulls`) and from interpolants of unwindings
//! of the calls that reach no error (`unfolding`). The greatest inductive subset of all candidates
//! is kept (`houdini`): preconditions are shown at the callers, postconditions by the procedure's
//! own body, each assuming the candidates for the calls in it.
//!
//! # Paper
//! [farzan2015compositional] for procedure summaries, bottom up over the call graph;
//! [mcmillan2014lazy] for interpolants of unwound calls, which share their labels among all calls
//! of a procedure. We differ from the latter in how an unwinding becomes a proof: by the greatest
//! inductive subset of all interpolants instead of by covers.
//!
//! # Invariants
//! - [`Facts`] were shown by formulas that over-approximate the program; loops are summarised.

mod houdini;
mod hulls;
#[cfg(test)]
mod tests;
mod unfolding;

use crate::labels::labels;
use crate::opaque::first_opaque;
use crate::prepared::{Prepared, ProcedureLabels, initial};
use absdom::{Invariants, Options};
use certify::Reason;
use encode::Substitution;
use encode::{Context, Contract, Contracts, EncodingPrecision};
use logic::TermId;
use program::ir::{LocationId, ProcId};
use program::pass::callgraph::CallGraph;
use program::pass::loops::LoopNest;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use summary::{Level, LoopNestSummaries, ProcedureBody, ToError};

pub use hulls::HullEffort;
pub use unfolding::Unfolded;

/// The strength of the summaries of loops in bodies.
const LEVEL: Level = Level::Inequalities;
/// How many bodies without loops and recursion are kept at first; those of other procedures are
/// rebuilt on demand, so that memory does not grow with the number of procedures.
const KEPT: usize = 16;

/// What holds for a procedure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Precondition: over its entry values and the globals that it does not write.
    pub requires: BTreeSet<TermId>,
    /// Postcondition: over the state at its exit.
    pub ensures: BTreeSet<TermId>,
}

/// The procedures of a program that are still called, and the program's entry.
pub struct Procedures {
    entry: ProcId,
    /// Those that are kept.
    bodies: BTreeMap<ProcId, ProcedureBody>,
    /// The loop summaries of those that have loops: for the others the body is enough.
    nests: BTreeMap<ProcId, LoopNestSummaries>,
    /// The constructs without a formula, by procedure.
    opaque: BTreeMap<ProcId, Reason>,
    graph: CallGraph,
    /// The strongly connected components of the call graph, callees first.
    components: Vec<Vec<ProcId>>,
    /// Those that have an error, or call one that has.
    may_fail: BTreeSet<ProcId>,
    /// What was shown.
    pub facts: BTreeMap<ProcId, Facts>,
    /// Those that reach no error where `facts` holds, and call only such procedures.
    safe: BTreeSet<ProcId>,
    /// What holds where a run starts.
    initial: TermId,
}

impl Procedures {
    /// The bodies of all procedures; nothing is known about their calls.
    pub fn new(ctx: &mut Context, prepared: &Prepared) -> Self {
        let program = &prepared.program;
        let graph = CallGraph::new(program);
        let procs: BTreeSet<ProcId> = (prepared.frames.keys().copied())
            .chain([program.entry])
            .collect();
        let mut procedures = Procedures {
            entry: program.entry,
            bodies: BTreeMap::new(),
            nests: BTreeMap::new(),
            opaque: BTreeMap::new(),
            components: Vec::new(),
            may_fail: BTreeSet::new(),
            facts: procs.iter().map(|&proc| (proc, Facts::default())).collect(),
            safe: BTreeSet::new(),
            initial: ctx.store.bool(true),
            graph,
        };
        for &proc in &procs {
            procedures.look_at(ctx, proc);
        }
        let components = procedures.graph.components.iter();
        let components = components.map(|row| {
            let row = row.iter().copied();
            row.filter(|proc| procs.contains(proc)).collect::<Vec<_>>()
        });
        procedures.components = components.filter(|row| !row.is_empty()).collect();
        procedures.spread_failure();
        procedures
    }

    /// Builds the body of a procedure for the first time, and keeps it if that is worth its memory.
    fn look_at(&mut self, ctx: &mut Context, proc: ProcId) {
        let has_loops = !LoopNest::new(&ctx.program.procs[proc]).loops.is_empty();
        let is_special = proc == self.entry || has_loops || self.graph.recursive[proc];
        if !is_special && self.bodies.len() >= KEPT {
            return ctx.scratch(|ctx| {
                let (nest, body) = made(ctx, &self.graph, proc);
                self.note(ctx, &nest, &body);
            });
        }
        let (nest, body) = made(ctx, &self.graph, proc);
        self.note(ctx, &nest, &body);
        if proc == self.entry {
            self.initial = initial(ctx, &nest.cuts);
        }
        self.bodies.insert(proc, body);
        if has_loops {
            self.nests.insert(proc, nest);
        }
    }

    /// Records what has no formula in a body, and whether it may fail.
    fn note(&mut self, ctx: &Context, nest: &LoopNestSummaries, body: &ProcedureBody) {
        let reason = first_opaque(ctx.program, &nest.cuts);
        let proc = nest.cuts.proc;
        self.opaque.extend(reason.map(|reason| (proc, reason)));
        if ctx.store.as_bool(body.fails) != Some(false) {
            self.may_fail.insert(proc);
        }
    }

    /// Propagates to callers: a procedure that calls one that may fail may fail.
    fn spread_failure(&mut self) {
        for component in &self.components {
            let fails = |proc: &ProcId| {
                let mut callees = self.graph.callees[*proc].iter();
                self.may_fail.contains(proc) || callees.any(|callee| self.may_fail.contains(callee))
            };
            if component.iter().any(fails) {
                self.may_fail.extend(component);
            }
        }
    }

    /// Evaluates a query on the body of a procedure. The answer must hold no term that was created
    /// for it.
    fn with_body<T>(
        &self,
        ctx: &mut Context,
        proc: ProcId,
        ask: impl FnOnce(&mut Context, &ProcedureBody) -> T,
    ) -> T {
        ctx.scratch(|ctx| match self.bodies.get(&proc) {
            Some(body) => ask(ctx, body),
            None => {
                let (_, body) = made(ctx, &self.graph, proc);
                ask(ctx, &body)
            }
        })
    }

    /// Keeps all bodies from now on: their terms stay in use.
    fn keep_bodies(&mut self, ctx: &mut Context) {
        for &proc in self.facts.keys() {
            let graph = &self.graph;
            let body = self.bodies.entry(proc);
            body.or_insert_with(|| made(ctx, graph, proc).1);
        }
    }

    /// Finds contracts without regard to errors, from calls up to a depth that depends on the
    /// effort.
    pub fn summarise(&mut self, ctx: &mut Context, effort: HullEffort) {
        if effort == HullEffort::Great {
            self.keep_bodies(ctx);
        }
        let candidates = self.hulls(ctx, effort);
        self.establish(ctx, candidates);
    }

    /// Unwinds the calls up to a depth, and learns interpolants if no error is reached.
    pub fn learn(&mut self, ctx: &mut Context, depth: usize) -> Unfolded {
        self.keep_bodies(ctx);
        let mut candidates = self.facts.clone();
        let unfolded = self.unfold(ctx, depth, &mut candidates);
        if unfolded == Unfolded::Refuted {
            self.establish(ctx, candidates);
        }
        unfolded
    }

    /// Whether no error can be reached at all.
    pub fn is_safe(&self) -> bool {
        self.safe.contains(&self.entry)
    }

    /// A construct without a formula in a procedure that may reach an error, if there is one.
    pub fn opaque(&self) -> Option<&Reason> {
        let mut rows = self.opaque.iter();
        let (_, reason) = rows.find(|(proc, _)| !self.safe.contains(proc))?;
        Some(reason)
    }

    /// The encoding precision of blocks in which calls are replaced by what is known about them.
    pub fn precision(&self, ctx: &mut Context) -> EncodingPrecision {
        let procs = self.facts.iter().filter(|(proc, _)| **proc != self.entry);
        let contract = |(&proc, facts): (&ProcId, &Facts)| {
            let contract = Contract {
                ensures: all(ctx, &facts.ensures),
                requires: match self.safe.contains(&proc) {
                    true => all(ctx, &facts.requires),
                    false => ctx.store.bool(false),
                },
            };
            (proc, contract)
        };
        precision(procs.map(contract).collect())
    }

    /// The labels of the procedures that reach no error; an error if there are no labels for the
    /// loops of one.
    pub fn labels(
        &mut self,
        ctx: &mut Context,
        prepared: &Prepared,
    ) -> Result<BTreeMap<ProcId, ProcedureLabels>, String> {
        let precision = self.precision(ctx);
        let mut found = BTreeMap::new();
        for proc in self.facts.keys().copied().collect::<Vec<_>>() {
            if proc == self.entry || !self.safe.contains(&proc) {
                continue;
            }
            let facts = self.facts[&proc].clone();
            let heads = self.heads(ctx, proc, &precision, &facts)?;
            let (entry, exit) = (all(ctx, &facts.requires), all(ctx, &facts.ensures));
            let row = ProcedureLabels {
                entry: Some(entry),
                exit: prepared.frames[&proc].returns.then_some(exit),
                heads,
            };
            found.insert(proc, row);
        }
        Ok(found)
    }

    /// Labels for the loop heads of a procedure such that its contract holds, and for the entry's
    /// such that no error is reached.
    fn heads(
        &mut self,
        ctx: &mut Context,
        proc: ProcId,
        precision: &EncodingPrecision,
        facts: &Facts,
    ) -> Result<BTreeMap<LocationId, TermId>, String> {
        let Some(nest) = self.nests.get_mut(&proc) else {
            return Ok(BTreeMap::new());
        };
        nest.refine(ctx, precision);
        let ensures = all(ctx, &facts.ensures);
        nest.cuts.oblige_at_exit(ctx, ensures);
        let start = match proc == self.entry {
            true => self.initial,
            false => {
                let requires = all(ctx, &facts.requires);
                at_entry(ctx, proc, requires)
            }
        };
        let entry = ctx.program.procs[proc].entry;
        let starts = BTreeMap::from([(entry, start)]);
        let mut why = String::new();
        for &level in Level::ALL {
            let mut to_error = ToError::new(nest, level);
            match labels(ctx, nest, &mut to_error, &starts, level) {
                Ok(found) => return Ok(found),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    /// Labels for the loop heads of the program's entry, if no error can be reached.
    pub fn entry_labels(
        &mut self,
        ctx: &mut Context,
    ) -> Result<BTreeMap<LocationId, TermId>, String> {
        let precision = self.precision(ctx);
        self.heads(ctx, self.entry, &precision, &Facts::default())
    }
}

/// The body of a procedure with the summaries of its loops; nothing is known about its calls.
fn made(ctx: &mut Context, graph: &CallGraph, proc: ProcId) -> (LoopNestSummaries, ProcedureBody) {
    let invariants = Invariants::new(ctx.program, proc, &Options::default(), &ctx.budget);
    let nothing = Contract {
        ensures: ctx.store.bool(true),
        requires: ctx.store.bool(false),
    };
    let callees = graph.callees[proc].iter();
    let precision = precision(callees.map(|&callee| (callee, nothing.clone())).collect());
    let mut nest = LoopNestSummaries::new(ctx, proc, invariants, &precision);
    let body = ProcedureBody::new(ctx, &mut nest, LEVEL);
    (nest, body)
}

/// All of some facts.
fn all(ctx: &mut Context, facts: &BTreeSet<TermId>) -> TermId {
    let facts: Vec<TermId> = facts.iter().copied().collect();
    ctx.store.and(&facts)
}

/// Everything described, and calls by contracts.
fn precision(contracts: Contracts) -> EncodingPrecision {
    EncodingPrecision {
        contracts,
        ..EncodingPrecision::wrapping()
    }
}

/// A formula over entry values, over the state at a procedure's entry.
fn at_entry(ctx: &mut Context, proc: ProcId, formula: TermId) -> TermId {
    let Some(frame) = ctx.frames.get(&proc) else {
        return formula;
    };
    let mut map: Substitution = FxHashMap::default();
    for (&var, &copy) in &frame.entry_values {
        let term = ctx.store.of_symbol(ctx.state.symbol(var));
        map.insert(ctx.state.symbol(copy), term);
    }
    ctx.store.substitute(formula, &map)
}
