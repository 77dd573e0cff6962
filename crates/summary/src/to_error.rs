//! Path-to-error summaries: for every cut point a formula that holds in each state there from which
//! an error location can be reached.
//!
//! On the forward loop nest, with one closure for each loop:
//!
//! > S(head) = star ; (paths through the loop without another iteration: to an error, or out of it
//! > to some x, and S(x)), and S(u) = the blocks from u to some v, and S(v), for every other point.
//!
//! Every cut point has symbols of its own for the variables that are live there, so the summary of
//! a point is one term in the summaries of all points before it: all of them together are linear in
//! the size of the graph, not of its paths. A path through a loop also passes points that S has
//! symbols for, perhaps on the same path; it therefore uses another set, one for each enclosing
//! loop.
//!
//! # Paper
//! [fang2025software], section 6, for what is computed; its algorithm works on the reversed graph.
//!
//! # Invariants
//! - On no path of the graph does a formula use one set of symbols for two points in time.

use crate::closure::Level;
use crate::nest::LoopNestSummaries;
use crate::{Style, reversed};
use encode::Context;
use encode::blocks::{Block, BlockEffect};
use encode::transition::TransitionFormula;
use logic::{Node, TermId};
use program::ir::{EdgeId, LocationId, VarId};
use program::pass::loops::LoopId;
use rustc_hash::FxHashMap;
use smt::Model;
use std::collections::{BTreeMap, BTreeSet};

/// A cut point at a point in time on a path, with symbols of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Point {
    /// At a cut point, on a path that may still take iterations of the enclosing loops.
    Entry(LocationId),
    /// At a cut point of a loop that takes no more iterations; for the head of an inner loop,
    /// before that loop's iterations.
    LastIteration(LoopId, LocationId),
    /// At the head of that loop or of one inside it, after the iterations of the loop whose head it
    /// is.
    AfterLoop(LoopId, LocationId),
}

impl Point {
    fn location(self) -> LocationId {
        match self {
            Point::Entry(at) | Point::LastIteration(_, at) | Point::AfterLoop(_, at) => at,
        }
    }
}

/// The path-to-error summaries of a procedure.
pub struct ToError {
    level: Level,
    style: Style,
    /// Those on the reversed graph, if requested, once computed.
    reversed: Option<BTreeMap<LocationId, TermId>>,
    symbols: FxHashMap<(Point, VarId), TermId>,
    /// The results so far: the formula of a point over its own symbols.
    known: BTreeMap<Point, TermId>,
    written: BTreeSet<VarId>,
    /// Heads for which the states that lead to an error are fixed, over the state.
    fixed: BTreeMap<LocationId, TermId>,
    /// Wraps that are not encoded: when, and on which edge.
    escapes: Vec<(TermId, EdgeId)>,
}

impl ToError {
    /// Nothing computed yet; loops will be summarised at a given effort.
    pub fn new(nest: &LoopNestSummaries, level: Level) -> Self {
        ToError::with_style(nest, level, Style::Cairn)
    }

    /// The same in some style: on the forward loop nest, or on the reversed graph.
    pub fn with_style(nest: &LoopNestSummaries, level: Level, style: Style) -> Self {
        let blocks = nest.cuts.graph.blocks.iter();
        let steps = blocks.filter_map(|block| block.step.continuing());
        let written = steps.flat_map(|step| step.map.keys().copied());
        ToError {
            level,
            style,
            reversed: None,
            symbols: FxHashMap::default(),
            known: BTreeMap::new(),
            written: written.collect(),
            fixed: BTreeMap::new(),
            escapes: Vec::new(),
        }
    }

    /// Fixes the states at a head from which an error can be reached to those that a formula
    /// describes.
    pub fn fix_error_states(&mut self, head: LocationId, formula: TermId) {
        self.fixed.insert(head, formula);
        self.known.clear();
    }

    /// The edges that wrap in a model of the summaries although their wrapping is not encoded.
    pub fn wrapping(&self, ctx: &Context, model: &Model) -> BTreeSet<EdgeId> {
        let escapes = self.escapes.iter();
        let holds = |way: TermId| model.satisfies(&ctx.store, way);
        escapes
            .filter(|(way, _)| holds(*way))
            .map(|&(_, edge)| edge)
            .collect()
    }

    /// Computes and caches the summary of a cut point and what it needs.
    pub fn prepare(&mut self, ctx: &mut Context, nest: &mut LoopNestSummaries, at: LocationId) {
        self.formula(ctx, nest, Point::Entry(at));
    }

    /// The states at a cut point from which an error location can be reached, over the state's
    /// symbols and quantified ones. For a head `iterations` says whether iterations of its own loop
    /// may come first.
    pub fn from(
        &mut self,
        ctx: &mut Context,
        nest: &mut LoopNestSummaries,
        at: LocationId,
        iterations: bool,
    ) -> TermId {
        let point = match nest.cuts.loops.head_of(at) {
            Some(id) if !iterations => Point::AfterLoop(id, at),
            _ => Point::Entry(at),
        };
        let formula = self.formula(ctx, nest, point);
        let mut map = FxHashMap::default();
        let written: Vec<VarId> = self.written.iter().copied().collect();
        for var in written {
            if let Some(&term) = self.symbols.get(&(point, var))
                && let Node::Symbol(symbol) = *ctx.store.node(term)
            {
                map.insert(symbol, ctx.before(var));
            }
        }
        ctx.store.substitute(formula, &map)
    }

    /// The same over separate symbols, with these: they represent the variables there.
    pub fn at(
        &mut self,
        ctx: &mut Context,
        nest: &mut LoopNestSummaries,
        at: LocationId,
    ) -> (TermId, Vec<(VarId, TermId)>) {
        let point = Point::Entry(at);
        let formula = self.formula(ctx, nest, point);
        let written = self.written.iter();
        let symbols = written.filter_map(|&var| Some((var, *self.symbols.get(&(point, var))?)));
        (formula, symbols.collect())
    }

    /// The formula of a point over its own symbols.
    fn formula(&mut self, ctx: &mut Context, nest: &mut LoopNestSummaries, point: Point) -> TermId {
        // Points are computed in an order in which each needs only earlier ones.
        let mut open = vec![point];
        while let Some(&next) = open.last() {
            if self.known.contains_key(&next) {
                open.pop();
                continue;
            }
            let needed: Vec<Point> = self
                .successors(nest, next)
                .into_iter()
                .filter(|point| !self.known.contains_key(point))
                .collect();
            if needed.is_empty() {
                let formula = self.compute(ctx, nest, next);
                self.known.insert(next, formula);
                open.pop();
            } else {
                open.extend(needed);
            }
        }
        self.known[&point]
    }

    /// The points on whose formulas that of a point depends.
    fn successors(&self, nest: &LoopNestSummaries, point: Point) -> Vec<Point> {
        let at = point.location();
        if self.fixed.contains_key(&at) && matches!(point, Point::Entry(_)) {
            return Vec::new();
        }
        if is_lost(nest, at) || self.is_reversed(point) {
            return Vec::new();
        }
        if let Some(id) = nest.cuts.loops.head_of(at) {
            match point {
                Point::Entry(_) => return vec![Point::AfterLoop(id, at)],
                Point::LastIteration(around, _) => return vec![Point::AfterLoop(around, at)],
                Point::AfterLoop(..) => {}
            }
        }
        let blocks = nest.cuts.blocks_from(at);
        blocks
            .filter(|block| block.step.continuing().is_some())
            .filter_map(|block| next_point(nest, point, block))
            .filter(|next| !is_error(nest, next.location()))
            .collect()
    }

    /// Whether the formula of a point comes from the reversed graph.
    fn is_reversed(&self, point: Point) -> bool {
        self.style == Style::Paper && matches!(point, Point::Entry(_))
    }

    fn compute(&mut self, ctx: &mut Context, nest: &mut LoopNestSummaries, point: Point) -> TermId {
        let at = point.location();
        if is_lost(nest, at) {
            return ctx.store.bool(true);
        }
        if let (Point::Entry(_), Some(&formula)) = (point, self.fixed.get(&at)) {
            return self.at_point(ctx, point, formula);
        }
        if self.is_reversed(point) {
            let points = &nest.cuts.order;
            let all = || reversed::to_error(ctx, nest, points, self.level);
            let formula = self.reversed.get_or_insert_with(all)[&at];
            return self.at_point(ctx, point, formula);
        }
        if let Some(id) = nest.cuts.loops.head_of(at) {
            let done = match point {
                Point::Entry(_) => Some(Point::AfterLoop(id, at)),
                Point::LastIteration(around, _) => Some(Point::AfterLoop(around, at)),
                Point::AfterLoop(..) => None,
            };
            if let Some(done) = done {
                let star = nest.star(ctx, id, self.level);
                let invariant = nest.invariant(ctx, at);
                let invariant = self.at_point(ctx, point, invariant);
                let step = self.step(ctx, nest, point, &star.step, done);
                let rest = self.known[&done];
                return ctx.store.and(&[invariant, step, rest]);
            }
        }
        let invariant = nest.invariant(ctx, at);
        let invariant = self.at_point(ctx, point, invariant);
        let mut ways = Vec::new();
        let blocks: Vec<Block> = nest.cuts.blocks_from(at).cloned().collect();
        for block in blocks {
            let step = match &block.step {
                BlockEffect::Formula(step) => step,
                BlockEffect::Opaque(_) => return invariant,
                BlockEffect::CalleeFails(step) => {
                    ways.push(self.at_point(ctx, point, step.guard));
                    continue;
                }
                BlockEffect::OutsideEncoding(step) => {
                    let way = self.at_point(ctx, point, step.guard);
                    self.escapes.push((way, block.edges[0]));
                    ways.push(way);
                    continue;
                }
            };
            let Some(next) = next_point(nest, point, &block) else {
                continue;
            };
            if is_error(nest, block.target) {
                ways.push(self.step(ctx, nest, point, step, next));
                continue;
            }
            let rest = self.known[&next];
            if ctx.store.as_bool(rest) == Some(false) {
                continue;
            }
            let step = self.step(ctx, nest, point, step, next);
            ways.push(ctx.store.and(&[step, rest]));
        }
        let ways = ctx.store.or(&ways);
        ctx.store.and(&[invariant, ways])
    }

    /// A step from one point to another.
    fn step(
        &mut self,
        ctx: &mut Context,
        nest: &LoopNestSummaries,
        from: Point,
        step: &TransitionFormula,
        to: Point,
    ) -> TermId {
        let step = step.renamed(&mut ctx.store, &ctx.state);
        let mut states = FxHashMap::default();
        for symbol in ctx.store.symbols_of(&step.terms()) {
            if let Some(var) = ctx.state.var(symbol) {
                states.insert(symbol, self.symbol(ctx, from, var));
            }
        }
        let step = step.substituted(&mut ctx.store, &states);
        let mut parts = vec![step.guard];
        if !is_error(nest, to.location()) {
            let live: Vec<VarId> = nest.cuts.live(to.location()).iter().collect();
            for var in live {
                if self.written.contains(&var) {
                    let value = match step.map.get(&var) {
                        Some(&value) => value,
                        None => self.symbol(ctx, from, var),
                    };
                    let after = self.symbol(ctx, to, var);
                    parts.push(ctx.store.eq(after, value));
                }
            }
        }
        ctx.store.and(&parts)
    }

    /// A formula over the state, over the symbols of a point.
    fn at_point(&mut self, ctx: &mut Context, point: Point, formula: TermId) -> TermId {
        let mut map = FxHashMap::default();
        for symbol in ctx.store.symbols_of(&[formula]) {
            if let Some(var) = ctx.state.var(symbol) {
                map.insert(symbol, self.symbol(ctx, point, var));
            }
        }
        ctx.store.substitute(formula, &map)
    }

    /// The symbol of a variable at a point. One that is never written has one value everywhere.
    fn symbol(&mut self, ctx: &mut Context, point: Point, var: VarId) -> TermId {
        if !self.written.contains(&var) {
            return ctx.before(var);
        }
        let row = &ctx.program.vars[var];
        *self
            .symbols
            .entry((point, var))
            .or_insert_with(|| ctx.store.fresh(&row.name, row.ty.sort()))
    }
}

/// Where a block leads from a point; `None` for an iteration that is no longer taken.
fn next_point(nest: &LoopNestSummaries, point: Point, block: &Block) -> Option<Point> {
    let target = block.target;
    match point {
        Point::Entry(_) => Some(Point::Entry(target)),
        Point::LastIteration(id, _) | Point::AfterLoop(id, _) => {
            if !nest.cuts.loops.contains(id, target) {
                return Some(Point::Entry(target));
            }
            (!nest.cuts.is_back(block)).then_some(Point::LastIteration(id, target))
        }
    }
}

/// Whether a location is in an irreducible loop, entered elsewhere than at its head: about such
/// loops nothing is known.
fn is_lost(nest: &LoopNestSummaries, at: LocationId) -> bool {
    let nest = &nest.cuts.loops;
    let mut around = std::iter::successors(nest.innermost[at], |&id| nest.loops[id].parent);
    around.any(|id| nest.loops[id].irreducible)
}

fn is_error(nest: &LoopNestSummaries, at: LocationId) -> bool {
    nest.cuts.errors.contains(&at)
}
