//! A program prepared for proving engines, and the way back for what they find.
//!
//! Calls are inlined where possible, what no error depends on is removed, loops are split where
//! they reach a distinguished cell, and are entered only at their heads. Procedures that are still
//! called keep their entry values and results in variables ([`encode::frames`]); in a proof these
//! are ghosts and the values of contracts. A proof is about the program with its calls inlined, so
//! labels go back to the locations of which those here are copies; inputs keep their sites, so a
//! trace needs no way back.

use crate::path_formula;
use absdom::Options;
use base::{Budget, IdVec};
use certify::{Ghost, Inductive, Proof, Reason};
use encode::frames::{Frames, with_frames};
use encode::reduce::phases::split_phases;
use encode::reduce::prepare::prepare;
use encode::reduce::split::{align_heads, split_entries};
use encode::transition::State;
use encode::{Context, CutGraph};
use logic::TermId;
use program::ir::{Callee, LocationId, Op, ProcId, Program};
use program::pass::callgraph::CallGraph;
use program::pass::inline::InlineLimit;
use program::pass::loops::LoopNest;
use std::collections::{BTreeMap, BTreeSet};

/// A prepared program, and where its locations come from.
pub struct Prepared {
    /// The program.
    pub program: Program,
    /// Whether operations that may be undefined are still there. Otherwise a run that they end in
    /// the original program may continue here, and to an error: then nothing can be proved about
    /// this one.
    pub has_undefined: bool,
    /// The values that contracts of the remaining procedures are over.
    pub frames: Frames,
    origins: IdVec<LocationId, LocationId>,
    limit: InlineLimit,
    /// How many variables there were before those of the frames.
    vars: usize,
}

/// An operation removed from the program would have ended a run that reaches an error without it.
pub struct Removed;

/// What a proof says about a procedure.
#[derive(Clone, Debug, Default)]
pub struct ProcedureLabels {
    /// What holds wherever it is called, over its entry values.
    pub entry: Option<TermId>,
    /// Its contract.
    pub exit: Option<TermId>,
    /// The labels of its loop heads.
    pub heads: BTreeMap<LocationId, TermId>,
}

impl Prepared {
    /// Prepares a program, dropping operations that may be undefined if nothing depends on their
    /// value.
    pub fn new(program: &Program) -> Prepared {
        Prepared::inlining(program, InlineLimit::of(program), false)
    }

    /// Prepares a program, keeping all operations that may be undefined.
    pub fn with_undefined(program: &Program) -> Prepared {
        Prepared::inlining(program, InlineLimit::of(program), true)
    }

    /// Prepares a program with a non-default inlining limit.
    pub fn inlining(program: &Program, limit: InlineLimit, has_undefined: bool) -> Prepared {
        let program = prepare(program, limit, has_undefined);
        let vars = program.vars.len();
        let (program, phases) = split_phases(&program, program.entry);
        let (mut program, entries) = split_entries(&program, program.entry);
        let origins = entries.iter().map(|&at| phases[at]).collect();
        let entry = program.entry;
        align_heads(&mut program, entry, &origins);
        let (program, frames) = with_frames(&program);
        Prepared {
            program,
            has_undefined,
            frames,
            origins,
            limit,
            vars,
        }
    }

    /// Decides a program without the operations that [`Prepared::new`] drops; with them, if that
    /// was wrong.
    pub fn restoring<T>(
        program: &Program,
        limit: InlineLimit,
        mut decide: impl FnMut(&Prepared) -> Result<T, Removed>,
    ) -> T {
        decide(&Prepared::inlining(program, limit, false)).unwrap_or_else(|Removed| {
            let outcome = decide(&Prepared::inlining(program, limit, true));
            outcome.unwrap_or_else(|Removed| unreachable!("nothing undefined should be removed"))
        })
    }

    /// Which calls were inlined.
    pub fn limit(&self) -> InlineLimit {
        self.limit
    }

    /// A context for queries about the program.
    pub fn context(&self, budget: &Budget) -> Context<'_> {
        Context::with_frames(&self.program, &self.frames, budget)
    }

    /// Labels for loop heads as a proof, not checked yet. Calls count as errors for engines, so it
    /// says that no procedure that may fail is called.
    pub fn proof(
        &self,
        ctx: Context,
        labels: BTreeMap<LocationId, TermId>,
    ) -> Result<Proof, Box<Reason>> {
        self.proof_by_contracts(ctx, labels, &BTreeMap::new())
    }

    /// The same, with labels of procedures that have a contract and may be called.
    pub fn proof_by_contracts(
        &self,
        ctx: Context,
        labels: BTreeMap<LocationId, TermId>,
        procedures: &BTreeMap<ProcId, ProcedureLabels>,
    ) -> Result<Proof, Box<Reason>> {
        let vars = self.program.vars.ids().take(self.vars);
        let mut proof = Inductive {
            inlined: Some(self.limit),
            vars: vars.map(|var| ctx.state.symbol(var)).collect(),
            ghosts: Vec::new(),
            labels: BTreeMap::new(),
            results: BTreeMap::new(),
            store: ctx.store,
        };
        proof.labels = self.unsplit(&mut proof, &labels)?;
        for (&proc, labels) in procedures {
            self.add_procedure(&mut proof, &ctx.state, proc, labels);
        }
        let never = proof.store.bool(false);
        let others = failing(&self.program).into_iter();
        for proc in others.filter(|proc| !procedures.contains_key(proc)) {
            let procedure = &self.program.procs[proc];
            let loops = LoopNest::new(procedure).loops;
            let heads = loops.iter().map(|row| row.head);
            let entry = match self.frames.get(&proc) {
                Some(frame) => frame.entry,
                None => Some(procedure.entry),
            };
            for at in heads.chain(entry) {
                proof.labels.insert((proc, at), never);
            }
        }
        Ok(Proof::Inductive(Box::new(proof)))
    }

    /// Adds what is said about a procedure; its entry values become ghosts.
    fn add_procedure(
        &self,
        proof: &mut Inductive,
        state: &State,
        proc: ProcId,
        labels: &ProcedureLabels,
    ) {
        let frame = &self.frames[&proc];
        for (&var, &copy) in &frame.entry_values {
            proof.ghosts.push(Ghost {
                name: self.program.vars[copy].name.to_string(),
                symbol: state.symbol(copy),
                proc,
                initial: proof.store.of_symbol(state.symbol(var)),
                updates: BTreeMap::new(),
            });
        }
        if let Some(result) = frame.result {
            proof.results.insert(proc, state.symbol(result));
        }
        let exit = self.program.procs[proc].exit;
        let ends = [(frame.entry, labels.entry), (Some(exit), labels.exit)];
        let ends = ends.into_iter().filter_map(|(at, label)| at.zip(label));
        let heads = labels.heads.iter().map(|(&at, &label)| (at, label));
        for (at, label) in heads.chain(ends) {
            let entry = proof.labels.entry((proc, at)).or_insert(label);
            *entry = proof.store.and(&[*entry, label]);
        }
    }

    /// The labels for the locations of which those here are copies: the disjunction over the
    /// copies. If an engine has no label for one of them, too little is known.
    fn unsplit(
        &self,
        proof: &mut Inductive,
        labels: &BTreeMap<LocationId, TermId>,
    ) -> Result<BTreeMap<(ProcId, LocationId), TermId>, Box<Reason>> {
        let proc = self.program.entry;
        let mut unsplit = BTreeMap::new();
        for (&at, &label) in labels {
            let entry = unsplit.entry((proc, self.origins[at])).or_insert(label);
            *entry = proof.store.or(&[*entry, label]);
        }
        let procedure = &self.program.procs[proc];
        let reachable = procedure.reachable();
        for (at, &origin) in self.origins.iter_enumerated() {
            let is_known = unsplit.contains_key(&(proc, origin));
            if reachable[at] && is_known && !labels.contains_key(&at) {
                let message = "a loop with several entries has no label for one of them";
                let span = procedure.locations[at].span;
                return Err(Box::new(Reason::gave_up(message).at(span)));
            }
        }
        Ok(unsplit)
    }
}

/// The procedures, except for the program's entry, that may reach an error location or an
/// unmodelled construct once they are called.
fn failing(program: &Program) -> BTreeSet<ProcId> {
    use Op::*;
    let address_taken = CallGraph::new(program).address_taken;
    let mut failing = BTreeSet::new();
    loop {
        let before = failing.len();
        for (proc, procedure) in program.procs.iter_enumerated() {
            let reachable = procedure.reachable();
            let has_error = (procedure.locations.iter_enumerated())
                .any(|(at, row)| reachable[at] && row.error.is_some());
            let fails = |op: &Op| match op {
                Unsupported(_) => true,
                Call(call) => match call.callee {
                    Callee::Proc(callee) => failing.contains(&callee),
                    Callee::Pointer(_) => {
                        address_taken.iter().any(|callee| failing.contains(callee))
                    }
                    Callee::Library(_) => false,
                },
                Skip | Assign(..) | Assume(_) | Havoc(..) | Return(_) | Halt(_) | Enter(_)
                | Leave(_) => false,
            };
            let mut edges = procedure.edges.iter();
            if has_error || edges.any(|edge| reachable[edge.source] && fails(&edge.op)) {
                failing.insert(proc);
            }
        }
        if failing.len() == before {
            failing.remove(&program.entry);
            return failing;
        }
    }
}

/// What holds where a run starts: the globals have their initial values.
pub fn initial(ctx: &mut Context, cuts: &CutGraph) -> TermId {
    let program = ctx.program;
    let entry = program.procs[cuts.proc].entry;
    let step = path_formula::initial(program, &mut ctx.store, &ctx.state, cuts.live(entry));
    step.formula(&mut ctx.store, &|var| ctx.state.symbol(var))
}

/// The forward analyses worth trying. Labels rest on the invariants. With case splits the analysis
/// may know more than its formulas express, and then the labels fail their check; without cases it
/// does not.
pub fn analyses() -> [Options; 2] {
    [Options::default(), Options { cases: 1 }]
}
