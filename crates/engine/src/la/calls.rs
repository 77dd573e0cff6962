//! Calls as steps, and the symbols that labels of procedures are over.
//!
//! # Paper
//! [mcmillan2010lazy], section 2.3. A summary is negative: over the state at a location and the
//! state at the exit of its procedure, and true where the first does not lead to the second. The
//! paper has one label with a flag for whether the procedure aborted at a goal. Here there are two,
//! one for each value of the flag: [`Aim::Goal`] is over the state alone, [`Aim::Exit`] over the
//! state and the exit state. They are justified separately, and a state is blocked if both block
//! it.
//!
//! # Invariants
//! - The exit symbols of a procedure stand for one activation, the one at the end of a path; those
//!   of its callers have other ones, by depth.

use super::graph::{Graph, PointId, Segment};
use encode::Substitution;
use encode::encoder::Encoder;
use kit::Context;
use logic::{SymbolId, TermId};
use program::ir::{Call, ProcId, Scope, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a label excludes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Aim {
    /// An open goal.
    Goal,
    /// The exit of the procedure, in a state that the label describes.
    Exit,
}

/// How a procedure is entered and left.
pub(super) struct Callable {
    pub(super) entry: PointId,
    pub(super) exit: PointId,
    /// Whether the exit can be reached.
    pub(super) returns: bool,
    /// The result, if it is read, and the globals that it may write, as they are at the exit.
    pub(super) left: BTreeMap<VarId, SymbolId>,
    /// The variable that has the result at the exit.
    pub(super) result: Option<VarId>,
}

/// A call.
#[derive(Clone)]
pub(super) struct CallStep {
    pub(super) callee: ProcId,
    /// That the arguments have values.
    pub(super) guard: TermId,
    /// The parameters and their values, over the state before.
    pub(super) entered: BTreeMap<VarId, TermId>,
    /// The exit state: fresh symbols over the caller's state.
    pub(super) left: BTreeMap<VarId, TermId>,
    /// The variable that gets the result.
    pub(super) result: Option<VarId>,
    /// What stands for the callee's own variables, in formulas about its entry, besides parameters.
    locals: Substitution,
}

impl Callable {
    /// Of a procedure that has a frame.
    pub(super) fn new(
        ctx: &mut Context,
        proc: ProcId,
        (entry, exit): (PointId, PointId),
    ) -> Callable {
        let frame = ctx.frames.get(&proc).cloned().unwrap_or_default();
        let mut left = BTreeMap::new();
        for var in frame.left() {
            let row = &ctx.program.vars[var];
            let name = format!("{}'", row.name);
            left.insert(var, ctx.store.new_symbol(&name, row.ty.sort()));
        }
        Callable {
            entry,
            exit,
            returns: frame.returns,
            left,
            result: frame.result,
        }
    }

    /// The formula that the exit state differs from the current state: the label of the exit.
    pub(super) fn differs(&self, ctx: &mut Context) -> TermId {
        let mut parts = Vec::new();
        for (&var, &symbol) in &self.left {
            let (here, there) = (ctx.before(var), ctx.store.of_symbol(symbol));
            parts.push(ctx.store.ne(here, there));
        }
        ctx.store.or(&parts)
    }

    /// The formula that the exit state is in the ranges of its types.
    pub(super) fn in_range(&self, ctx: &mut Context) -> TermId {
        let ranges = ctx.in_range(self.left.keys().copied());
        let map = self.left.iter().map(|(&var, &symbol)| {
            let symbol = ctx.store.of_symbol(symbol);
            (ctx.state.symbol(var), symbol)
        });
        let map: Substitution = map.collect();
        ctx.store.substitute(ranges, &map)
    }
}

impl CallStep {
    pub(super) fn new(ctx: &mut Context, callee: ProcId, call: &Call, row: &Callable) -> CallStep {
        let program = ctx.program;
        let mut encoder = Encoder::new(program, &mut ctx.store, &ctx.state);
        let args: Vec<TermId> = call.args.iter().map(|arg| encoder.expr(arg)).collect();
        let ranges = encoder.ranges();
        let (constraints, _) = encoder.finish();
        let params = program.procs[callee].params.iter().copied();
        let entered: BTreeMap<VarId, TermId> = params.zip(args).collect();
        let mut left = BTreeMap::new();
        for (&var, &symbol) in &row.left {
            let symbol = ctx.store.symbol(symbol).clone();
            left.insert(var, ctx.store.fresh(&symbol.name, symbol.sort));
        }
        let mut locals = FxHashMap::default();
        for (var, row) in program.vars.iter_enumerated() {
            if row.scope == Scope::Local(callee) && !entered.contains_key(&var) {
                let term = ctx.store.fresh(&row.name, row.ty.sort());
                locals.insert(ctx.state.symbol(var), term);
            }
        }
        CallStep {
            callee,
            guard: ctx.store.and(&[constraints, ranges]),
            entered,
            left,
            result: call.result,
            locals,
        }
    }
}

impl Graph {
    /// A formula about the entry of a callee, over the state before the call and its exit state.
    pub(super) fn at_entry(
        &self,
        ctx: &mut Context,
        step: &Segment,
        call: &CallStep,
        clocks: &[SymbolId],
        formula: TermId,
    ) -> TermId {
        let mut map = call.locals.clone();
        map.extend(ctx.state.substitution(&call.entered));
        for (&var, &symbol) in &self.callables[&call.callee].left {
            map.insert(symbol, call.left[&var]);
        }
        step.tick(ctx, clocks, &mut map);
        ctx.store.substitute(formula, &map)
    }

    /// A formula about the state after a call, over the state before it and the exit state.
    pub(super) fn behind(
        &self,
        ctx: &mut Context,
        call: &CallStep,
        left: &BTreeMap<VarId, TermId>,
        formula: TermId,
    ) -> TermId {
        let callable = &self.callables[&call.callee];
        let mut map = FxHashMap::default();
        for (&var, &term) in left {
            if Some(var) != callable.result {
                map.insert(ctx.state.symbol(var), term);
            }
        }
        if let Some(var) = call.result {
            let value = callable.result.and_then(|result| left.get(&result));
            let value = value.copied().unwrap_or_else(|| {
                let row = &ctx.program.vars[var];
                ctx.store.fresh(&row.name, row.ty.sort())
            });
            map.insert(ctx.state.symbol(var), value);
        }
        ctx.store.substitute(formula, &map)
    }

    /// The formula that the exit state of a call is in the ranges of its types.
    pub(super) fn left_in_range(&self, ctx: &mut Context, call: &CallStep) -> TermId {
        let callable = &self.callables[&call.callee];
        let ranges = callable.in_range(ctx);
        let left = callable.left.iter();
        let map = left.map(|(var, &symbol)| (symbol, call.left[var]));
        let map: Substitution = map.collect();
        ctx.store.substitute(ranges, &map)
    }
}
