//! A program as Horn clauses.
//!
//! A cut point becomes a relation over the variables that are live there, a block between two of
//! them a clause; a block to an error location derives false. If calls are kept, a procedure
//! becomes a relation between its entry state and its exit state, and a second relation over the
//! entry states in which it fails. The relations of its cut points are then over its entry values
//! too, and start from all of them.
//!
//! Integers are C's: unsigned results and conversions are remainders, and signed results that do
//! not fit end the run, as do division by zero and shift amounts out of range. So an error that
//! only an undefined run reaches is not derived.
//!
//! # Invariants
//! - The clauses derive false if and only if a defined run of the program reaches an error
//!   location.
//! - What a formula cannot express exactly (memory, floating-point numbers, products of variables,
//!   some bit operations, library functions) is an error with its location, never dropped.

use base::{Budget, IdVec, Span};
use encode::blocks::{Block, BlockEffect, BlockGraph, OverApproximation};
use encode::encoder::Encoder;
use encode::frames::{Frame, Frames, kept_locals, with_frames};
use encode::reduce::prepare::prepare;
use encode::reduce::split::split_entries;
use encode::transition::{TransitionFormula, in_type};
use encode::{CallSite, Context, EncodingPrecision};
use horn::{Atom, Clause, Relation, RelationId, System};
use kit::path_formula::initial;
use logic::TermId;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;
use program::pass::inline::InlineLimit;
use program::pass::liveness::Liveness;
use program::text::Printer;
use std::collections::{BTreeMap, BTreeSet};

/// What clauses cannot say.
#[derive(Clone, PartialEq, Debug)]
pub struct Inexpressible {
    /// In words.
    pub message: String,
    /// Its location.
    pub span: Span,
}

fn inexpressible(message: String, span: Span) -> Box<Inexpressible> {
    Box::new(Inexpressible { message, span })
}

/// What becomes of calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// They are inlined.
    Inlined,
    /// A procedure is a relation.
    Related,
}

/// Makes clauses of a program.
pub fn clauses(
    program: &Program,
    calls: Calls,
    budget: &Budget,
) -> Result<System, Box<Inexpressible>> {
    let limit = match calls {
        Calls::Inlined => InlineLimit::of(program),
        Calls::Related => InlineLimit { edges: 0, body: 0 },
    };
    let program = prepare(program, limit, true);
    let (program, _) = split_entries(&program, program.entry);
    let (program, frames) = with_frames(&program);
    let ctx = Context::with_frames(&program, &frames, budget);
    let mut maker = Maker {
        ctx,
        program: &program,
        frames: &frames,
        liveness: liveness(&program, &frames),
        relations: IdVec::new(),
        clauses: IdVec::new(),
        places: BTreeMap::new(),
        procedures: BTreeMap::new(),
    };
    let mut open = vec![program.entry];
    let mut seen: BTreeSet<ProcId> = [program.entry].into();
    while let Some(proc) = open.pop() {
        for callee in maker.procedure(proc, calls)? {
            if seen.insert(callee) {
                open.push(callee);
            }
        }
    }
    let system = System {
        store: maker.ctx.store,
        relations: maker.relations,
        clauses: maker.clauses,
    };
    debug_assert_eq!(
        system.flaw(),
        None,
        "what is made of programs should be well-formed"
    );
    Ok(system)
}

/// The relations of a procedure: what a call does, and how it must not be called.
#[derive(Clone, Copy)]
struct OfProcedure {
    returns: RelationId,
    fails: RelationId,
}

struct Maker<'p> {
    ctx: Context<'p>,
    program: &'p Program,
    frames: &'p Frames,
    liveness: Liveness,
    relations: IdVec<RelationId, Relation>,
    clauses: IdVec<horn::ClauseId, Clause>,
    /// The relations of cut points, with the variables they mention.
    places: BTreeMap<(ProcId, LocationId), (RelationId, Vec<VarId>)>,
    procedures: BTreeMap<ProcId, OfProcedure>,
}

impl Maker<'_> {
    /// Adds the clauses of a procedure; whom it calls.
    fn procedure(&mut self, proc: ProcId, calls: Calls) -> Result<Vec<ProcId>, Box<Inexpressible>> {
        let graph = self.graph(proc);
        self.entry(proc)?;
        let mut callees = Vec::new();
        for block in graph.blocks.iter() {
            match &block.step {
                BlockEffect::Formula(step) => self.block(proc, block, step)?,
                BlockEffect::Opaque(edge) => callees.push(self.call(proc, block, *edge, calls)?),
                BlockEffect::OutsideEncoding(_) | BlockEffect::CalleeFails(_) => {
                    unreachable!("wrapping should be described, and no call by a contract")
                }
            }
        }
        Ok(callees)
    }

    /// The blocks of a procedure: wrapping is described, and undefined runs end.
    fn graph(&mut self, proc: ProcId) -> BlockGraph {
        let precision = EncodingPrecision {
            defined: self.program.procs[proc].edges.ids().collect(),
            ..EncodingPrecision::wrapping()
        };
        let over = OverApproximation {
            known: &|_, _| (None, None),
            precision: &precision,
            frames: self.frames,
            kept: None,
        };
        let (store, state) = (&mut self.ctx.store, &self.ctx.state);
        BlockGraph::new(self.program, proc, store, state, &self.liveness, Some(over))
    }

    /// Says what holds where a procedure starts: initial values, or any of their types.
    fn entry(&mut self, proc: ProcId) -> Result<(), Box<Inexpressible>> {
        let program = self.program;
        let at = program.procs[proc].entry;
        let (relation, vars) = self.place(proc, at)?;
        let step = match proc == program.entry {
            true => {
                let (store, state) = (&mut self.ctx.store, &self.ctx.state);
                initial(program, store, state, self.liveness.live_at(proc, at))
            }
            false => TransitionFormula::identity(&mut self.ctx.store),
        };
        let mut parts = vec![step.guard];
        for &var in vars.iter().filter(|var| !step.map.contains_key(var)) {
            parts.push(self.in_type(var));
        }
        let head = self.after(&step, relation, &vars);
        let constraint = self.ctx.store.and(&parts);
        self.add(Vec::new(), constraint, Some(head), program.procs[proc].span);
        Ok(())
    }

    /// That a variable has a value of its type.
    fn in_type(&mut self, var: VarId) -> TermId {
        let term = self.ctx.before(var);
        let store = &mut self.ctx.store;
        match self.program.vars[var].ty {
            Type::Int(ty) => {
                let range = in_type(store, term, ty);
                store.and(&range)
            }
            Type::Bool | Type::Float(_) | Type::Ptr => store.bool(true),
        }
    }

    /// The relation of a cut point.
    fn place(
        &mut self,
        proc: ProcId,
        at: LocationId,
    ) -> Result<(RelationId, Vec<VarId>), Box<Inexpressible>> {
        let key = (proc, at);
        if let Some(found) = self.places.get(&key) {
            return Ok(found.clone());
        }
        let vars: Vec<VarId> = self.liveness.live_at(proc, at).iter().collect();
        for &var in &vars {
            let row = &self.program.vars[var];
            let what = match row.ty {
                Type::Bool | Type::Int(_) => continue,
                Type::Ptr => "an address",
                Type::Float(_) => "a floating-point number",
            };
            let message = format!("clauses do not say what `{}` is: {what}", row.name);
            return Err(inexpressible(message, row.span));
        }
        let name = format!("{}@{at}", self.program.procs[proc].name);
        let relation = self.relation(name, &vars);
        self.places.insert(key, (relation, vars.clone()));
        Ok((relation, vars))
    }

    fn relation(&mut self, name: String, vars: &[VarId]) -> RelationId {
        let sorts = vars.iter().map(|&var| self.program.vars[var].ty.sort());
        let sorts = sorts.collect();
        let name = name.into();
        self.relations.push(Relation { name, sorts })
    }

    /// The relations of a procedure that is called.
    fn of_procedure(&mut self, proc: ProcId) -> OfProcedure {
        if let Some(found) = self.procedures.get(&proc) {
            return *found;
        }
        let frame = &self.frames[&proc];
        let name = self.program.procs[proc].name.to_string();
        let found: Vec<VarId> = frame.found().collect();
        let all: Vec<VarId> = frame.found().chain(frame.left()).collect();
        let fails = self.relation(format!("{name}@fails"), &found);
        let returns = self.relation(name, &all);
        let relations = OfProcedure { returns, fails };
        self.procedures.insert(proc, relations);
        relations
    }

    /// A relation of variables, as they are after a step.
    fn after(&mut self, step: &TransitionFormula, relation: RelationId, vars: &[VarId]) -> Atom {
        let value = |&var: &VarId| step.value(&mut self.ctx.store, &self.ctx.state, var);
        Atom {
            relation,
            arguments: vars.iter().map(value).collect(),
        }
    }

    /// The body of the clauses of blocks from a cut point, and what holds of its variables.
    fn from(&mut self, proc: ProcId, at: LocationId) -> Result<(Atom, TermId), Box<Inexpressible>> {
        let (relation, vars) = self.place(proc, at)?;
        let arguments = vars.iter().map(|&var| self.ctx.before(var)).collect();
        let in_range = self.ctx.in_range(vars);
        let atom = Atom {
            relation,
            arguments,
        };
        Ok((atom, in_range))
    }

    fn block(
        &mut self,
        proc: ProcId,
        block: &Block,
        step: &TransitionFormula,
    ) -> Result<(), Box<Inexpressible>> {
        if !step.exact {
            self.refuse_inexact(proc, block)?;
        }
        let Some(head) = self.target(proc, block.target, step)? else {
            return Ok(());
        };
        let (atom, in_range) = self.from(proc, block.source)?;
        let constraint = self.ctx.store.and(&[in_range, step.guard]);
        self.add(vec![atom], constraint, head.0, block.span);
        Ok(())
    }

    /// What a step to a location derives; nothing if no run continues there.
    fn target(
        &mut self,
        proc: ProcId,
        at: LocationId,
        step: &TransitionFormula,
    ) -> Result<Option<Derived>, Box<Inexpressible>> {
        let row = &self.program.procs[proc];
        if row.locations[at].error.is_some() {
            return Ok(Some(self.failure(proc, step)));
        }
        if at == row.exit && self.frames.contains_key(&proc) {
            let relations = self.of_procedure(proc);
            let frame: &Frame = &self.frames[&proc];
            let vars: Vec<VarId> = frame.found().chain(frame.left()).collect();
            let returned = self.after(step, relations.returns, &vars);
            return Ok(Some(Derived(Some(returned))));
        }
        if row.locations[at].out.is_empty() {
            return Ok(None);
        }
        let (relation, vars) = self.place(proc, at)?;
        Ok(Some(Derived(Some(self.after(step, relation, &vars)))))
    }

    /// What an error in a procedure derives: false, or that it must not be called so.
    fn failure(&mut self, proc: ProcId, step: &TransitionFormula) -> Derived {
        let Some(frame) = self.frames.get(&proc) else {
            return Derived(None);
        };
        let relation = self.of_procedure(proc).fails;
        let vars: Vec<VarId> = frame.found().collect();
        Derived(Some(self.after(step, relation, &vars)))
    }

    /// The clauses of a call: it returns, or fails. Whom it calls.
    fn call(
        &mut self,
        proc: ProcId,
        block: &Block,
        edge: EdgeId,
        calls: Calls,
    ) -> Result<ProcId, Box<Inexpressible>> {
        let row = &self.program.procs[proc].edges[edge];
        let (Op::Call(call), Some(callee)) = (&row.op, row.op.callee()) else {
            return Err(self.refused(row));
        };
        let name = &self.program.procs[callee].name;
        let frame = match (calls, self.frames.get(&callee)) {
            (Calls::Related, Some(frame)) => frame,
            (Calls::Related, None) => {
                let message =
                    format!("clauses do not say what a call of `{name}`, the entry, does");
                return Err(inexpressible(message, row.span));
            }
            (Calls::Inlined, _) => {
                let message = format!(
                    "`{name}` is recursive or too large to inline; with `--procedures` it becomes a relation"
                );
                return Err(inexpressible(message, row.span));
            }
        };
        let site = self.site(row, call, (callee, frame))?;
        let relations = self.of_procedure(callee);
        let (atom, in_range) = self.from(proc, block.source)?;
        let ctx = &mut self.ctx;
        let certain = ctx.store.bool(true);
        let step = site.step(
            self.program,
            &mut ctx.store,
            &ctx.state,
            self.frames,
            certain,
        );
        let found: Vec<TermId> = (frame.found())
            .map(|var| match site.entered.get(&var) {
                Some(&term) => term,
                None => ctx.before(var),
            })
            .collect();
        let left = frame.left().map(|var| site.left[&var]);
        let returns = Atom {
            relation: relations.returns,
            arguments: found.iter().copied().chain(left).collect(),
        };
        let fails = Atom {
            relation: relations.fails,
            arguments: found,
        };
        if let Some(head) = self.target(proc, block.target, &step)? {
            let constraint = self.ctx.store.and(&[in_range, step.guard]);
            self.add(vec![atom.clone(), returns], constraint, head.0, block.span);
        }
        let nothing = TransitionFormula::identity(&mut self.ctx.store);
        let Derived(head) = self.failure(proc, &nothing);
        let constraint = self.ctx.store.and(&[in_range, site.guard]);
        self.add(vec![atom, fails], constraint, head, block.span);
        Ok(callee)
    }

    /// What a call passes on, exactly.
    fn site(
        &mut self,
        edge: &Edge,
        call: &Call,
        (callee, frame): (ProcId, &Frame),
    ) -> Result<CallSite, Box<Inexpressible>> {
        let (program, ctx) = (self.program, &mut self.ctx);
        let mut encoder = Encoder::new(program, &mut ctx.store, &ctx.state).defined();
        let args: Vec<TermId> = call.args.iter().map(|arg| encoder.expr(arg)).collect();
        let (guard, exact) = encoder.finish();
        if !exact {
            return Err(self.refused(edge));
        }
        let (frame, args) = ((callee, frame), (&args[..], guard));
        let (store, state) = (&mut ctx.store, &ctx.state);
        Ok(CallSite::new(program, store, state, frame, call, args))
    }

    /// Refuses the first edge of a block that no formula says exactly. That an object comes to
    /// life or dies says nothing by itself: those who look at it are refused.
    fn refuse_inexact(&mut self, proc: ProcId, block: &Block) -> Result<(), Box<Inexpressible>> {
        for &id in &block.edges {
            let edge = &self.program.procs[proc].edges[id];
            if let Op::Enter(_) | Op::Leave(_) = edge.op {
                continue;
            }
            let (program, ctx) = (self.program, &mut self.ctx);
            let encoder = Encoder::new(program, &mut ctx.store, &ctx.state).defined();
            let step = TransitionFormula::over_op(program, encoder, &edge.op);
            if !step.is_some_and(|(step, _)| step.exact) {
                return Err(self.refused(edge));
            }
        }
        Ok(())
    }

    fn refused(&self, edge: &Edge) -> Box<Inexpressible> {
        let op = Printer::new(self.program).op(&edge.op);
        let message = format!("clauses do not say exactly what this does: `{op}`");
        inexpressible(message, edge.span)
    }

    fn add(&mut self, body: Vec<Atom>, constraint: TermId, head: Option<Atom>, span: Span) {
        let constraint = self.ctx.store.simplify(constraint);
        if self.ctx.store.as_bool(constraint) == Some(false) {
            return;
        }
        self.clauses.push(Clause {
            body,
            constraint,
            head,
            span,
        });
    }
}

/// The variables that matter at each location. What a call finds matters everywhere in a
/// procedure, since it may fail everywhere: as if every location looked at it.
fn liveness(program: &Program, frames: &Frames) -> Liveness {
    let mut looking = program.clone();
    for (&proc, frame) in frames {
        let procedure = &mut looking.procs[proc];
        let locations: Vec<LocationId> = procedure.locations.ids().collect();
        for var in frame.found() {
            let ty = program.vars[var].ty;
            let value = || Box::new(Expr::Var(var));
            let same = Expr::Binary(BinaryOp::Eq, ty, value(), value());
            for &at in &locations {
                procedure.add_edge(at, at, Op::Assume(same.clone()), Span::NONE);
            }
        }
    }
    Liveness::keeping(&looking, &|proc| kept_locals(frames, proc))
}

/// What a clause derives; none stands for false.
struct Derived(Option<Atom>);
