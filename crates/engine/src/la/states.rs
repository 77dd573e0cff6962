//! Symbolic states along one path: parameters, a constraint over them, and values of variables.
//!
//! # Paper
//! [mcmillan2010lazy], section 2: the triples (P, C, E), and a symbolic interpreter that is a
//! function: what is not determined becomes a parameter. Section 2.3: a call pushes a frame, and a
//! return pops it. The states of a callee stay on the path after its return, where the paper
//! searches the callee again: its postcondition then leaves less open, and its last states are
//! blocked first.
//!
//! # Invariants
//! - The solver has one scope for each state, with what its step adds to the constraint.
//! - A parameter is identified by what it stands for and by the length of the path, so that paths
//!   with a common prefix have equal terms there.

use super::calls::CallStep;
use super::graph::{Graph, PointId, Segment, SegmentId, SegmentKind};
use encode::Substitution;
use kit::Context;
use kit::path_solver::limited;
use logic::{Sort, SymbolId, TermId};
use program::expr::Type;
use program::ir::{ProcId, Scope, SiteId, VarId};
use program::pass::liveness::Liveness;
use rustc_hash::FxHashMap;
use smt::{Model, Solver};

/// The states of a path.
pub(super) struct States {
    /// What the symbols of the state stand for at the end of the path.
    values: Substitution,
    /// The times to live.
    pub(super) clocks: Vec<SymbolId>,
    path: Vec<State>,
    /// The calls that have not returned.
    frames: Vec<Frame>,
    solver: Solver,
    renamed: FxHashMap<(SymbolId, usize), TermId>,
}

/// A state of the path, as it differs from the one before.
struct State {
    at: PointId,
    link: Link,
    /// What the step adds to the constraint.
    constraint: TermId,
    /// The old values of the symbols that it changed.
    before: Vec<(SymbolId, Option<TermId>)>,
    inputs: Vec<PathInput>,
}

/// How a state was reached.
enum Link {
    Start,
    Segment(SegmentId),
    Call(SegmentId),
    Return(Frame),
}

/// How a path leads to its last state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Last {
    Start,
    Segment(SegmentId),
    Return,
}

/// A call that has not returned.
pub(super) struct Frame {
    /// The call.
    pub(super) step: SegmentId,
    /// The callee.
    pub(super) callee: ProcId,
    /// What the symbols of the state stood for before the call.
    values: Substitution,
    /// The exit state of the caller, itself a callee: symbols for this depth.
    outer: Substitution,
}

impl Frame {
    /// A formula over the caller's exit state, with the symbols of this depth.
    pub(super) fn of_caller(&self, ctx: &mut Context, formula: TermId) -> TermId {
        ctx.store.substitute(formula, &self.outer)
    }

    /// A formula about the caller's state before the call, over parameters.
    pub(super) fn in_caller(&self, ctx: &mut Context, formula: TermId) -> TermId {
        ctx.store.substitute(formula, &self.values)
    }
}

/// An input that a path takes.
#[derive(Clone, Copy)]
pub(super) struct PathInput {
    pub(super) site: SiteId,
    pub(super) ty: Type,
    /// Its symbol, if it has one.
    pub(super) term: Option<TermId>,
    /// Whether the prepared program does not read it.
    pub(super) is_removed: bool,
}

/// Whether a state is blocked by a label.
pub(super) enum Blocked {
    /// Blocked; by a single disjunct, if one suffices.
    By(Option<usize>),
    /// There is no such state: the constraint is unsatisfiable.
    Empty,
    /// Not blocked: this model of the path is a counterexample.
    No(Model),
    /// The solver answers unknown, and why.
    Unknown(String),
}

impl States {
    /// No path yet.
    pub(super) fn new(ctx: &mut Context, clocks: usize) -> States {
        let clocks = (0..clocks).map(|_| ctx.store.new_symbol("τ", Sort::Int));
        States {
            values: FxHashMap::default(),
            clocks: clocks.collect(),
            path: Vec::new(),
            frames: Vec::new(),
            solver: Solver::new(),
            renamed: FxHashMap::default(),
        }
    }

    /// Starts a path at the program's entry, with a given time to live.
    pub(super) fn start(&mut self, ctx: &mut Context, graph: &Graph, time: i64) {
        debug_assert!(self.path.is_empty(), "the last path should have ended");
        let program = ctx.program;
        let (proc, entry) = graph.points[graph.entry];
        self.values.clear();
        for var in program.vars.ids() {
            let symbol = ctx.state.symbol(var);
            let value = self.renamed(ctx, symbol, 0);
            self.values.insert(symbol, value);
        }
        let live = Liveness::new(program).live_at(proc, entry).clone();
        let start = kit::path_formula::initial(program, &mut ctx.store, &ctx.state, &live);
        self.values.extend(ctx.state.substitution(&start.map));
        let time = ctx.store.int(time);
        for &clock in &self.clocks {
            self.values.insert(clock, time);
        }
        let ranges = ctx.in_range(live.iter());
        let ranges = ctx.store.substitute(ranges, &self.values);
        let constraint = ctx.store.and(&[start.guard, ranges]);
        self.push(ctx, graph.entry, Link::Start, constraint, Vec::new());
    }

    fn push(
        &mut self,
        ctx: &Context,
        at: PointId,
        link: Link,
        constraint: TermId,
        before: Vec<(SymbolId, Option<TermId>)>,
    ) {
        self.solver.push();
        self.solver.assert(&ctx.store, constraint);
        self.path.push(State {
            at,
            link,
            constraint,
            before,
            inputs: Vec::new(),
        });
    }

    /// Where the path ends, if there is one.
    pub(super) fn at(&self) -> Option<PointId> {
        self.path.last().map(|state| state.at)
    }

    /// How many states the path has.
    pub(super) fn len(&self) -> usize {
        self.path.len()
    }

    /// The locations of the states of the path.
    pub(super) fn points(&self) -> impl Iterator<Item = PointId> {
        self.path.iter().map(|state| state.at)
    }

    /// The first state that a step leads to.
    pub(super) fn first_behind(&self, step: SegmentId) -> Option<usize> {
        let is_it = |state: &State| matches!(state.link, Link::Segment(id) if id == step);
        self.path.iter().position(is_it)
    }

    /// The calls that have not returned, the last one last.
    pub(super) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Continues along a step that has a formula.
    pub(super) fn enter(&mut self, ctx: &mut Context, id: SegmentId, step: &Segment) {
        let SegmentKind::Formula(formula) = &step.kind else {
            unreachable!("a state should follow a formula");
        };
        let terms = formula.terms();
        let values = self.stand_ins(ctx, &terms);
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
        self.tick(ctx, step, &mut before);
        self.push(ctx, step.target, Link::Segment(id), constraint, before);
        if let Some(state) = self.path.last_mut() {
            state.inputs = inputs;
        }
    }

    /// What stands for the symbols of a step's terms: their values, and parameters for what is not
    /// of the state.
    fn stand_ins(&mut self, ctx: &mut Context, terms: &[TermId]) -> Substitution {
        let mut values = FxHashMap::default();
        for symbol in ctx.store.symbols_of(terms) {
            if let Some(&value) = self.values.get(&symbol) {
                values.insert(symbol, value);
            } else if ctx.state.var(symbol).is_none() {
                values.insert(symbol, self.renamed(ctx, symbol, self.path.len()));
            }
        }
        values
    }

    /// Decreases the time to live that a step decreases.
    fn tick(
        &mut self,
        ctx: &mut Context,
        step: &Segment,
        before: &mut Vec<(SymbolId, Option<TermId>)>,
    ) {
        if let Some(clock) = step.decrements {
            let mut map = FxHashMap::default();
            step.tick(ctx, &self.clocks, &mut map);
            let clock = self.clocks[clock];
            let time = ctx.store.substitute(map[&clock], &self.values);
            before.push((clock, self.values.insert(clock, time)));
        }
    }

    /// Continues into a callee: a frame is pushed.
    pub(super) fn call(
        &mut self,
        ctx: &mut Context,
        graph: &Graph,
        id: SegmentId,
        (step, call): (&Segment, &CallStep),
    ) {
        let program = ctx.program;
        let depth = self.path.len();
        let mut terms: Vec<TermId> = call.entered.values().copied().collect();
        terms.push(call.guard);
        let values = self.stand_ins(ctx, &terms);
        let mut terms = ctx.store.substitute_all(&terms, &values);
        let guard = terms.pop().expect("the guard should be the last term");
        let entered: FxHashMap<VarId, TermId> =
            std::iter::zip(call.entered.keys().copied(), terms).collect();
        let frame = Frame {
            step: id,
            callee: call.callee,
            values: self.values.clone(),
            outer: self.outer(ctx, graph),
        };
        let mut before = Vec::new();
        for (var, row) in program.vars.iter_enumerated() {
            if row.scope == Scope::Local(call.callee) {
                let symbol = ctx.state.symbol(var);
                let value = match entered.get(&var) {
                    Some(&value) => value,
                    None => self.renamed(ctx, symbol, depth),
                };
                before.push((symbol, self.values.insert(symbol, value)));
            }
        }
        let ranges = ctx.in_range(entered.keys().copied());
        let ranges = ctx.store.substitute(ranges, &self.values);
        let constraint = ctx.store.and(&[guard, ranges]);
        let constraint = ctx.store.simplify(constraint);
        self.tick(ctx, step, &mut before);
        self.frames.push(frame);
        let entry = graph.callables[&call.callee].entry;
        self.push(ctx, entry, Link::Call(id), constraint, before);
    }

    /// The symbols for the exit state of the procedure at the end of the path, at this depth.
    fn outer(&mut self, ctx: &mut Context, graph: &Graph) -> Substitution {
        let mut outer = FxHashMap::default();
        let (depth, callee) = (self.frames.len(), self.frames.last().map(|row| row.callee));
        if let Some(callee) = callee {
            for &symbol in graph.callables[&callee].left.values() {
                outer.insert(symbol, self.renamed(ctx, symbol, depth));
            }
        }
        outer
    }

    /// Continues after the last call, at whose exit the path is: its frame is popped.
    pub(super) fn ret(&mut self, ctx: &mut Context, graph: &Graph) {
        let frame = self.frames.pop().expect("a call should not have returned");
        let step = &graph.steps[frame.step];
        let SegmentKind::Call(call) = &step.kind else {
            unreachable!("a frame should have its call");
        };
        let callable = &graph.callables[&frame.callee];
        let mut changes = Vec::new();
        let vars = ctx.program.vars.iter_enumerated();
        let locals = vars.filter(|(_, row)| row.scope == Scope::Local(frame.callee));
        let locals = locals.map(|(var, _)| ctx.state.symbol(var));
        for symbol in locals.chain(self.clocks.iter().copied()) {
            if let Some(&value) = frame.values.get(&symbol) {
                changes.push((symbol, value));
            }
        }
        if let Some(var) = call.result {
            let symbol = ctx.state.symbol(var);
            let result = callable.result.map(|result| ctx.state.symbol(result));
            let value = result.and_then(|result| self.values.get(&result).copied());
            let value = match value {
                Some(value) => value,
                None => self.renamed(ctx, symbol, self.path.len()),
            };
            changes.retain(|&(other, _)| other != symbol);
            changes.push((symbol, value));
        }
        let mut before = Vec::new();
        for (symbol, value) in changes {
            before.push((symbol, self.values.insert(symbol, value)));
        }
        let always = ctx.store.bool(true);
        self.push(ctx, step.target, Link::Return(frame), always, before);
    }

    /// Undoes the last step and returns it.
    pub(super) fn leave(&mut self) -> Last {
        let state = self.path.pop().expect("a path should have states");
        self.solver.pop();
        for (symbol, value) in state.before.into_iter().rev() {
            match value {
                Some(value) => self.values.insert(symbol, value),
                None => self.values.remove(&symbol),
            };
        }
        match state.link {
            Link::Start => Last::Start,
            Link::Segment(step) => Last::Segment(step),
            Link::Call(step) => {
                self.frames.pop();
                Last::Segment(step)
            }
            Link::Return(frame) => {
                self.frames.push(frame);
                Last::Return
            }
        }
    }

    fn renamed(&mut self, ctx: &mut Context, symbol: SymbolId, depth: usize) -> TermId {
        let known = self.renamed.entry((symbol, depth));
        *known.or_insert_with(|| {
            let row = ctx.store.symbol(symbol).clone();
            ctx.store.fresh(&format!("{}!{depth}", row.name), row.sort)
        })
    }

    /// Formulas over times to live only, as they are at the end of the path.
    pub(super) fn times(&self) -> Substitution {
        let clocks = self.clocks.iter();
        let times = clocks.filter_map(|clock| Some((*clock, *self.values.get(clock)?)));
        times.collect()
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

    /// Whether the state at the end of the path is blocked by disjuncts of a label, under an
    /// additional condition.
    pub(super) fn blocked(
        &mut self,
        ctx: &mut Context,
        cases: &[TermId],
        beside: TermId,
    ) -> Blocked {
        let values: Vec<TermId> = cases.iter().map(|&case| self.value(ctx, case)).collect();
        let label = ctx.store.or(&values);
        if let Some(alone) = values
            .iter()
            .position(|&it| ctx.store.as_bool(it) == Some(true))
        {
            return Blocked::By(Some(alone));
        }
        let outside = ctx.store.not(label);
        let outside = ctx.store.and(&[outside, beside]);
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
            let outside = ctx.store.and(&[outside, beside]);
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
