//! Closure operators: from one iteration of a loop to any number of iterations.
//!
//! A closure has the shape
//!
//! > no iteration and nothing changes, or k ≥ 1 iterations: facts about the state before, the state
//! > after and k; and there is a first iteration and a last one.
//!
//! The facts come from the operators of [`OPERATORS`]; each holds for every number of iterations
//! and is closed under prepending an iteration. First and last iteration are the iteration itself,
//! so conditions and resets are kept. [`phases`] splits a loop in two where a condition, once true,
//! stays true; [`few`] composes the iterations of a loop that terminates soon one by one. All facts
//! are conjoined, so operators complement each other.
//!
//! # Paper
//! [fang2025software], section 6, and [farzan2015compositional] for recurrences on differences.
//!
//! # Invariants
//! - For an iteration `F` and its closure `S`: the identity implies `S`, and `F ; S` implies `S`.

mod differences;
mod exact;
mod few;
mod frame;
mod period;
mod persistent;
mod phases;
mod stratified;
mod values;

pub use frame::Frame;

use absdom::symbolic::Abstraction;
use base::named_enum;
use encode::Context;
use encode::transition::TransitionFormula;
use logic::{SymbolId, TermId};

named_enum! {
    /// The effort spent on a summary, the least first.
    pub enum Level {
        /// Invariants and the last iteration only.
        Invariants = "invariants",
        /// Equalities on differences, congruences and conditions that persist.
        Equalities = "equalities",
        /// Inequalities on differences.
        Inequalities = "inequalities",
        /// Phases.
        Phases = "phases",
    }
}

impl Level {
    /// The levels worth trying before anything else.
    pub const CHEAP: [Level; 2] = [Level::Invariants, Level::Equalities];
}

/// One iteration of a loop, and what may help to summarise it.
#[derive(Clone, Debug)]
pub struct Body {
    /// The iteration, with the invariant on both ends.
    pub iteration: TransitionFormula,
    /// Its guard, without the invariant.
    pub guard: TermId,
    /// What holds before every iteration and after the last.
    pub invariant: TermId,
    /// Candidate conditions on the state, for phases and persistent facts.
    pub hints: Vec<TermId>,
}

/// A closure.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Any number of iterations.
    pub step: TransitionFormula,
    /// Whether every state it allows is reachable, if the iteration is exact.
    pub exact: bool,
    /// The quantified symbol that is the number of iterations, if there is one.
    pub count: Option<SymbolId>,
}

/// A closure operator: facts about at least one iteration, over the state before, the frame, and
/// quantified symbols.
type Operator = fn(&mut Context, &Body, &Frame) -> Vec<TermId>;

/// All operators, the cheapest first, and the level from which they are used.
const OPERATORS: &[(Level, Operator)] = &[
    (Level::Equalities, persistent::facts),
    (Level::Equalities, differences::equalities),
    (Level::Equalities, differences::congruences),
    (Level::Inequalities, differences::inequalities),
    (Level::Phases, period::facts),
    (Level::Phases, values::facts),
    (Level::Phases, stratified::facts),
];

/// How often a phase is split again.
const CUTS: usize = 3;

/// Any number of iterations.
pub fn close(ctx: &mut Context, body: &Body, level: Level) -> Closure {
    cut(ctx, body, level, CUTS)
}

/// What a formula says about terms.
fn abstraction<'a>(ctx: &'a mut Context, formula: TermId) -> Abstraction<'a> {
    Abstraction::new(&mut ctx.store, &mut ctx.solver, formula, &ctx.budget)
}

/// The closure of an iteration that may be split a given number of times.
fn cut(ctx: &mut Context, body: &Body, level: Level, cuts: usize) -> Closure {
    if ctx.store.as_bool(body.iteration.guard) == Some(false) || body.iteration.map.is_empty() {
        let step = TransitionFormula::identity(&mut ctx.store);
        return Closure {
            step,
            exact: true,
            count: None,
        };
    }
    // An exact closure needs no more.
    if level >= Level::Equalities && exact::is_exact(ctx, body) {
        return join(ctx, body, Level::Equalities);
    }
    if level >= Level::Phases
        && cuts == CUTS
        && let Some(closure) = few::few(ctx, body)
    {
        return closure;
    }
    if level >= Level::Phases
        && cuts > 0
        && let Some(closure) = phases::split(ctx, body, level, cuts - 1)
    {
        return closure;
    }
    join(ctx, body, level)
}

/// The closure of an iteration that is not split.
fn join(ctx: &mut Context, body: &Body, level: Level) -> Closure {
    let frame = Frame::new(ctx, &body.iteration);
    let mut facts = Vec::new();
    for (_, operator) in OPERATORS.iter().filter(|row| row.0 <= level) {
        if ctx.budget.check().is_err() {
            break;
        }
        facts.extend(operator(ctx, body, &frame));
    }
    let facts = ctx.store.and(&facts);
    let none = frame.no_iteration(ctx);
    let some = some_iterations(ctx, body, &frame, facts);
    let step = TransitionFormula {
        map: frame.map(ctx),
        guard: ctx.store.or(&[none, some]),
        exact: body.iteration.exact,
    };
    let exact = level >= Level::Equalities && exact::is_exact(ctx, body);
    Closure {
        step,
        exact,
        count: Some(frame.count),
    }
}

/// At least one iteration: facts about them, a first one and a last one.
fn some_iterations(ctx: &mut Context, body: &Body, frame: &Frame, facts: TermId) -> TermId {
    let [zero, one] = [0i64, 1].map(|value| ctx.store.int(value));
    let count = ctx.store.of_symbol(frame.count);
    let fewer = ctx.store.sub(count, one);
    let first = body.iteration.renamed(&mut ctx.store, &ctx.state);
    let mut parts = vec![ctx.store.le(one, count), facts, first.guard];
    // The last iteration starts in a state of its own: after one iteration less, or where the first
    // one does.
    let between = Frame::new(ctx, &body.iteration);
    let last = body.iteration.renamed(&mut ctx.store, &ctx.state);
    let states = between.states(ctx);
    let last = last.substituted(&mut ctx.store, &states);
    parts.push(last.guard);
    for (&var, &symbol) in &frame.after {
        let after = ctx.store.of_symbol(symbol);
        parts.push(ctx.store.eq(after, last.map[&var]));
    }
    parts.push(frame.moved(ctx, facts, &between, fewer));
    let is_first = ctx.store.eq(fewer, zero);
    let unchanged = between.unchanged(ctx);
    parts.push(ctx.store.implies(is_first, unchanged));
    ctx.store.and(&parts)
}
