//! Candidates from unwinding: the calls below the program's entry, each with the body of its callee
//! up to a depth, and interpolants if no error is reachable within it.
//!
//! Every call of the unwinding is a part of a tree. A part shares with the rest exactly the entry
//! and exit state of its callee, so its interpolant is a formula that a contract can have: an
//! over-approximation of calls of that depth that does not admit the error.
//!
//! # Paper
//! [mcmillan2014lazy], with all paths through a body in one part: a literal says whether a call is
//! made, and the interpolant with that literal true is what is learned.

use super::houdini::Candidates;
use super::{Procedures, at_entry};
use crate::path_solver::asking;
use encode::Context;
use encode::Substitution;
use interpolate::{Interpolator, Layers};
use logic::{Node, Sort, TermId};
use program::ir::{ProcId, VarId};
use prover::Shape;
use rustc_hash::FxHashMap;
use smt::Answer;
use std::collections::BTreeMap;
use summary::OpenCall;

/// How many calls an unwinding may have.
const MOST_CALLS: usize = 80;
/// The effort of one tree of interpolants.
const EACH: u64 = 20_000_000;

/// What an unwinding up to some depth has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfolded {
    /// No error is reached so, and there are interpolants.
    Refuted,
    /// An error may be reached.
    Reached,
    /// That is not known, or there are too many calls.
    Unknown,
}

/// How a call of an unwinding ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Returns,
    Fails,
}

/// A call of an unwinding.
#[derive(Clone)]
struct UnwoundCall {
    proc: ProcId,
    end: End,
    /// True if the call is made.
    taken: TermId,
    /// What the callee finds, by its entry values and the globals that it reads.
    found: BTreeMap<VarId, TermId>,
    /// What it leaves.
    left: BTreeMap<VarId, TermId>,
}

/// An unwinding as the parts of a tree, each after those below it.
#[derive(Default)]
struct Tree {
    calls: Vec<UnwoundCall>,
    parts: Vec<TermId>,
    parents: Vec<usize>,
    is_too_large: bool,
}

impl Procedures {
    /// Unwinds calls up to a depth of recursion, and adds what is learned to the candidates.
    pub(super) fn unfold(
        &self,
        ctx: &mut Context,
        depth: usize,
        candidates: &mut Candidates,
    ) -> Unfolded {
        let mut tree = Tree::default();
        let root = UnwoundCall {
            proc: self.entry,
            end: End::Fails,
            taken: ctx.store.bool(true),
            found: BTreeMap::new(),
            left: BTreeMap::new(),
        };
        self.unwind(ctx, root, depth, &mut tree);
        if tree.is_too_large {
            return Unfolded::Unknown;
        }
        match asking(ctx, |ctx| ctx.check(&tree.parts)) {
            Answer::Sat => return Unfolded::Reached,
            Answer::Unknown(_) => return Unfolded::Unknown,
            Answer::Unsat => {}
        }
        let count = tree.parts.len() - 1;
        let Some(shape) = Shape::tree(&tree.parents[..count]) else {
            return Unfolded::Unknown;
        };
        let budget = ctx.budget.clone().with_effort(EACH);
        let mut interpolator = Interpolator::new(Layers::ALL);
        let found = interpolator.interpolate(&mut ctx.store, shape.of(&tree.parts), &budget);
        let Ok(found) = found.found() else {
            return Unfolded::Unknown;
        };
        for (call, interpolant) in tree.calls.iter().zip(found) {
            learn(ctx, call, interpolant, candidates);
        }
        Unfolded::Refuted
    }

    /// Adds a call and those below it; returns the place of its part.
    fn unwind(&self, ctx: &mut Context, call: UnwoundCall, depth: usize, tree: &mut Tree) -> usize {
        let body = &self.bodies[&call.proc];
        let instance = &mut Instance::new(ctx, &call);
        let mut own = vec![instance.term(ctx, body.entry)];
        if call.proc == self.entry {
            own.push(instance.term(ctx, self.initial));
        }
        for &fact in &self.facts[&call.proc].requires {
            let fact = at_entry(ctx, call.proc, fact);
            own.push(instance.term(ctx, fact));
        }
        let mut below = Vec::new();
        let mut failing = Vec::new();
        for open in &body.calls {
            let returns = self.below(ctx, instance, open, End::Returns, &mut own);
            below.push(returns);
            if call.end == End::Fails && !self.safe.contains(&open.site.callee) {
                let fails = self.below(ctx, instance, open, End::Fails, &mut own);
                let made = open.made(ctx);
                let made = instance.term(ctx, made);
                failing.push(ctx.store.and(&[made, fails.taken]));
                below.push(fails);
            }
        }
        own.push(match (call.end, &body.returns) {
            (End::Fails, _) => {
                failing.push(instance.term(ctx, body.fails));
                ctx.store.or(&failing)
            }
            (End::Returns, None) => ctx.store.bool(false),
            (End::Returns, Some(returns)) => {
                let mut parts = vec![instance.term(ctx, returns.guard)];
                for (&var, &left) in &call.left {
                    let value = returns.value(&mut ctx.store, &ctx.state, var);
                    let value = instance.term(ctx, value);
                    parts.push(ctx.store.eq(left, value));
                }
                ctx.store.and(&parts)
            }
        });
        let mut children = Vec::new();
        for next in below {
            let is_recursive = self.graph.recursive[next.proc];
            if is_recursive && depth == 0 || tree.is_too_large {
                own.push(ctx.store.not(next.taken));
                continue;
            }
            children.push(self.unwind(ctx, next, depth - usize::from(is_recursive), tree));
        }
        let place = tree.parts.len();
        let own = ctx.store.and(&own);
        tree.parts.push(ctx.store.implies(call.taken, own));
        tree.calls.push(call);
        tree.parents.push(place);
        children
            .into_iter()
            .for_each(|child| tree.parents[child] = place);
        tree.is_too_large |= tree.parts.len() > MOST_CALLS;
        place
    }

    /// A call below one of an unwinding; what it finds is said in the part above.
    fn below(
        &self,
        ctx: &mut Context,
        instance: &mut Instance,
        open: &OpenCall,
        end: End,
        above: &mut Vec<TermId>,
    ) -> UnwoundCall {
        let proc = open.site.callee;
        let frame = ctx.frames[&proc].clone();
        let taken = match end {
            End::Returns => instance.term(ctx, open.taken),
            End::Fails => ctx.store.fresh("$fails", Sort::Bool),
        };
        let mut found = BTreeMap::new();
        for var in frame.found() {
            let own = ctx.before(var);
            let value = open.at_site(ctx, own);
            let value = instance.term(ctx, value);
            let sort = ctx.store.sort(own);
            let symbol = ctx.store.fresh("$found", sort);
            let same = ctx.store.eq(symbol, value);
            above.push(ctx.store.implies(taken, same));
            found.insert(var, symbol);
        }
        let mut left = BTreeMap::new();
        if end == End::Returns {
            for var in frame.left() {
                let value = open.site.left[&var];
                left.insert(var, instance.term(ctx, value));
            }
        }
        UnwoundCall {
            proc,
            end,
            taken,
            found,
            left,
        }
    }
}

/// A copy of a body for one call: what its symbols are.
struct Instance {
    map: Substitution,
}

impl Instance {
    fn new(ctx: &Context, call: &UnwoundCall) -> Instance {
        let mut map = FxHashMap::default();
        if let Some(frame) = ctx.frames.get(&call.proc) {
            let kept = frame.entry_values.iter().map(|(&var, copy)| (var, copy));
            let all = kept.chain(frame.read.iter().map(|var| (*var, var)));
            map.extend(all.map(|(var, found)| (ctx.state.symbol(var), call.found[found])));
        }
        Instance { map }
    }

    /// A term of the body, in this copy.
    fn term(&mut self, ctx: &mut Context, term: TermId) -> TermId {
        for symbol in ctx.store.symbols_of(&[term]) {
            let copy = self.map.entry(symbol);
            copy.or_insert_with(|| ctx.store.fresh_like(symbol));
        }
        ctx.store.substitute(term, &self.map)
    }
}

/// Adds the interpolant of a call to the candidates for its procedure.
fn learn(ctx: &mut Context, call: &UnwoundCall, interpolant: TermId, candidates: &mut Candidates) {
    let mut map = FxHashMap::default();
    for (&var, &term) in call.found.iter().chain(&call.left) {
        if let Node::Symbol(symbol) = *ctx.store.node(term) {
            map.insert(symbol, ctx.before(var));
        }
    }
    if let Node::Symbol(symbol) = *ctx.store.node(call.taken) {
        map.insert(symbol, ctx.store.bool(true));
    }
    let symbols = ctx.store.symbols_of(&[interpolant]);
    if !symbols.iter().all(|symbol| map.contains_key(symbol)) {
        return;
    }
    let fact = ctx.store.substitute(interpolant, &map);
    let facts = candidates.entry(call.proc).or_default();
    match call.end {
        End::Returns => facts.ensures.extend(ctx.store.conjuncts(fact)),
        End::Fails => {
            let required = ctx.store.not(fact);
            facts.requires.extend(ctx.store.conjuncts(required));
        }
    }
    let is_false = |fact: &TermId| ctx.store.as_bool(*fact) == Some(false);
    facts.ensures.retain(|fact| !is_false(fact));
    facts.requires.retain(|fact| !is_false(fact));
}
