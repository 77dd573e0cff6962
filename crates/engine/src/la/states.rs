//! Symbolic states along one path: parameters, a constraint over them, and values of variables.
//!
//! # Paper
//! [mcmillan2010lazy], section 2: the triples (P, C, E), and a symbolic interpreter that is a
//! function: what is not determined becomes a parameter.
//!
//! # Invariants
//! - The solver has one scope for each state, with what its step adds to the constraint.
//! - A parameter is known by what it stands for and by the length of the path, so that paths with a
//!   common beginning have equal terms there.

use super::graph::{Graph, Step, StepId, StepKind};
use kit::Context;
use kit::path_solver::limited;
use logic::{Sort, SymbolId, TermId};
use program::expr::Type;
use program::ir::{LocationId, SiteId};
use program::pass::liveness::Liveness;
use rustc_hash::FxHashMap;
use smt::{Model, Solver};

/// The states of a path.
pub(super) struct States {
    /// What the symbols of the state stand for at the end of the path.
    values: FxHashMap<SymbolId, TermId>,
    /// The time to live.
    pub(super) tau: SymbolId,
    pub(super) time: i64,
    path: Vec<State>,
    solver: Solver,
    renamed: FxHashMap<(SymbolId, usize), TermId>,
}

/// A state of the path, as it differs from the one before.
struct State {
    at: LocationId,
    step: Option<StepId>,
    /// What the step adds to the constraint.
    constraint: TermId,
    /// What was known of the symbols that it gave other values.
    before: Vec<(SymbolId, Option<TermId>)>,
    decremented: bool,
    inputs: Vec<PathInput>,
}

/// An input that a path takes.
#[derive(Clone, Copy)]
pub(super) struct PathInput {
    pub(super) site: SiteId,
    pub(super) ty: Type,
    /// What stands for it, if anything does.
    pub(super) term: Option<TermId>,
    /// Whether the program as it is walked over does not ask for it.
    pub(super) is_removed: bool,
}

/// Whether a state is blocked by a label.
pub(super) enum Blocked {
    /// It is; by a single case, if there is one that does it alone.
    By(Option<usize>),
    /// There is no such state: the constraint cannot hold.
    Empty,
    /// This model of the path is not.
    No(Model),
    /// The solver does not know, and why.
    Unknown(String),
}

impl States {
    /// No path yet.
    pub(super) fn new(ctx: &mut Context) -> States {
        States {
            values: FxHashMap::default(),
            tau: ctx.store.new_symbol("τ", Sort::Int),
            time: 0,
            path: Vec::new(),
            solver: Solver::new(),
            renamed: FxHashMap::default(),
        }
    }

    /// Starts a path where a program starts, with so much time to live.
    pub(super) fn start(&mut self, ctx: &mut Context, graph: &Graph, time: i64) {
        debug_assert!(self.path.is_empty(), "the last path should have ended");
        let program = ctx.program;
        let entry = program.procs[graph.proc].entry;
        self.values.clear();
        for var in program.vars.ids() {
            let symbol = ctx.state.symbol(var);
            let value = self.renamed(ctx, symbol, 0);
            self.values.insert(symbol, value);
        }
        let live = Liveness::new(program).live_at(graph.proc, entry).clone();
        let start = kit::path_formula::initial(program, &mut ctx.store, &ctx.state, &live);
        for (&var, &value) in &start.map {
            self.values.insert(ctx.state.symbol(var), value);
        }
        self.time = time;
        let time = ctx.store.int(time);
        self.values.insert(self.tau, time);
        let ranges = (ctx.state).in_range(program, &mut ctx.store, live.iter());
        let ranges = ctx.store.substitute(ranges, &self.values);
        let constraint = ctx.store.and(&[start.guard, ranges]);
        self.solver.push();
        self.solver.assert(&ctx.store, constraint);
        self.path.push(State {
            at: entry,
            step: None,
            constraint,
            before: Vec::new(),
            decremented: false,
            inputs: Vec::new(),
        });
    }

    /// Where the path ends, if there is one.
    pub(super) fn at(&self) -> Option<LocationId> {
        self.path.last().map(|state| state.at)
    }

    /// How many states the path has.
    pub(super) fn len(&self) -> usize {
        self.path.len()
    }

    /// Where the states of the path stand.
    pub(super) fn locations(&self) -> impl Iterator<Item = LocationId> {
        self.path.iter().map(|state| state.at)
    }

    /// The steps of the path.
    pub(super) fn steps(&self) -> impl Iterator<Item = StepId> {
        self.path.iter().filter_map(|state| state.step)
    }

    /// Goes on along a step that has a formula.
    pub(super) fn enter(&mut self, ctx: &mut Context, id: StepId, step: &Step) {
        let StepKind::Formula(formula) = &step.kind else {
            unreachable!("a state should follow a formula");
        };
        let mut terms: Vec<TermId> = formula.map.values().copied().collect();
        terms.push(formula.guard);
        let depth = self.path.len();
        let mut values = FxHashMap::default();
        for symbol in ctx.store.symbols_of(&terms) {
            if let Some(&value) = self.values.get(&symbol) {
                values.insert(symbol, value);
            } else if ctx.state.var(symbol).is_none() {
                values.insert(symbol, self.renamed(ctx, symbol, depth));
            }
        }
        let inputs = step.inputs.iter().map(|input| PathInput {
            site: input.site,
            ty: input.ty,
            term: input.symbol.and_then(|symbol| values.get(&symbol).copied()),
            is_removed: input.is_removed,
        });
        let inputs = inputs.collect();
        let mut terms = ctx.store.substitute_all(&terms, &values);
        let constraint = terms.pop().expect("the guard should be the last term");
        let constraint = ctx.store.simplify(constraint);
        let mut before = Vec::new();
        for (&var, value) in std::iter::zip(formula.map.keys(), terms) {
            let symbol = ctx.state.symbol(var);
            before.push((symbol, self.values.insert(symbol, value)));
        }
        if step.decrements {
            self.time -= 1;
            let time = ctx.store.int(self.time);
            self.values.insert(self.tau, time);
        }
        self.solver.push();
        self.solver.assert(&ctx.store, constraint);
        self.path.push(State {
            at: step.target,
            step: Some(id),
            constraint,
            before,
            decremented: step.decrements,
            inputs,
        });
    }

    /// Takes the last step back; which it was.
    pub(super) fn leave(&mut self, ctx: &mut Context) -> Option<StepId> {
        let state = self.path.pop().expect("a path should have states");
        self.solver.pop();
        for (symbol, value) in state.before.into_iter().rev() {
            match value {
                Some(value) => self.values.insert(symbol, value),
                None => self.values.remove(&symbol),
            };
        }
        if state.decremented {
            self.time += 1;
            let time = ctx.store.int(self.time);
            self.values.insert(self.tau, time);
        }
        state.step
    }

    fn renamed(&mut self, ctx: &mut Context, symbol: SymbolId, depth: usize) -> TermId {
        let known = self.renamed.entry((symbol, depth));
        *known.or_insert_with(|| {
            let row = ctx.store.symbol(symbol).clone();
            ctx.store.fresh(&format!("{}!{depth}", row.name), row.sort)
        })
    }

    /// A formula over the state, at the end of the path.
    pub(super) fn value(&self, ctx: &mut Context, formula: TermId) -> TermId {
        ctx.store.substitute(formula, &self.values)
    }

    /// A model of the path in which a formula over parameters holds.
    pub(super) fn model(
        &mut self,
        ctx: &mut Context,
        formula: TermId,
    ) -> Result<Option<Model>, String> {
        if ctx.store.as_bool(formula) == Some(false) {
            return Ok(None);
        }
        let budget = limited(&ctx.budget);
        self.solver.model_of(&ctx.store, &[formula], &budget)
    }

    /// Whether the state at the end of the path is blocked by cases of a label.
    pub(super) fn blocked(&mut self, ctx: &mut Context, cases: &[TermId]) -> Blocked {
        let values: Vec<TermId> = cases.iter().map(|&case| self.value(ctx, case)).collect();
        let label = ctx.store.or(&values);
        if let Some(alone) = values
            .iter()
            .position(|&it| ctx.store.as_bool(it) == Some(true))
        {
            return Blocked::By(Some(alone));
        }
        let outside = ctx.store.not(label);
        match self.model(ctx, outside) {
            Ok(Some(model)) => return Blocked::No(model),
            Ok(None) => {}
            Err(why) => return Blocked::Unknown(why),
        }
        if cases.is_empty() {
            return Blocked::Empty;
        }
        if cases.len() == 1 {
            return Blocked::By(Some(0));
        }
        let alone = values.iter().rposition(|&value| {
            let outside = ctx.store.not(value);
            matches!(self.model(ctx, outside), Ok(None))
        });
        Blocked::By(alone)
    }

    /// What is known at the end of the path, as conjuncts: the constraint, and the values of some
    /// symbols of the state.
    pub(super) fn known(
        &self,
        ctx: &mut Context,
        symbols: impl IntoIterator<Item = SymbolId>,
    ) -> Vec<TermId> {
        let mut known = Vec::new();
        for state in &self.path {
            known.extend(ctx.store.conjuncts(state.constraint));
        }
        for symbol in symbols {
            if let Some(&value) = self.values.get(&symbol) {
                let symbol = ctx.store.of_symbol(symbol);
                known.push(ctx.store.eq(symbol, value));
            }
        }
        known
    }

    /// The inputs along the path, in order.
    pub(super) fn inputs(&self) -> Vec<PathInput> {
        let inputs = self.path.iter().flat_map(|state| state.inputs.iter());
        inputs.copied().collect()
    }
}
