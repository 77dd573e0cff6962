//! The fixpoint iteration: ascending with widening at loop heads, then descending, inner loops
//! first.

use super::Options;
use super::cases::{Cases, Key, Tokens, add, is_subset};
use super::element::{Domain, Element};
use super::order::{Incoming, Part, order};
use super::packs::{packs, thresholds};
use super::transfer::{Effects, transfer};
use crate::value::Value;
use base::{Budget, Exhausted, IdVec};
use logic::Integer;
use program::expr::Constant;
use program::ir::*;
use program::pass::callgraph::CallGraph;
use program::pass::liveness::Liveness;
use program::pass::loops::{LoopId, LoopNest};
use std::collections::BTreeMap;

/// Loops nested deeper than this are not started afresh.
const DEEP: u32 = 2;
/// Iterations of a loop before widening.
const DELAY: usize = 2;
/// Widenings of a loop that use constants of the program as thresholds.
const STEPS: usize = 6;
/// Narrowing iterations of a loop once it is stable.
const DESCENTS: usize = 3;
/// Visits to elements before locations stop keeping disjuncts apart.
const WORK: usize = 50_000;

pub(super) type States = IdVec<LocationId, Cases>;

/// The cases of all locations; none for those that no defined run gets to.
pub(super) fn run(
    program: &Program,
    proc: ProcId,
    liveness: &Liveness,
    options: &Options,
    budget: &Budget,
) -> States {
    let procedure = &program.procs[proc];
    let nest = LoopNest::new(procedure);
    let domain = Domain::new(program);
    let packs = packs(&domain, proc, &nest, liveness);
    let mut analysis = Analysis {
        proc,
        procedure,
        incoming: Incoming::new(procedure, &nest),
        effects: Effects::new(program),
        thresholds: thresholds(procedure),
        states: IdVec::filled(Cases::new(), procedure.locations.len()),
        tokens: Tokens::new(procedure, &nest, options.cases),
        work: 0,
        visited: IdVec::filled(None, nest.loops.len()),
        domain: &domain,
        packs: &packs,
        nest: &nest,
        liveness,
        budget,
    };
    let parts = order(procedure, &nest);
    match analysis.sweep(&parts).and_then(|()| analysis.settle()) {
        Ok(()) => analysis.states,
        Err(_) => tops(program, proc, liveness),
    }
}

/// Every location, with any state.
pub(super) fn tops(program: &Program, proc: ProcId, liveness: &Liveness) -> States {
    let procedure = &program.procs[proc];
    let domain = Domain::new(program);
    let nest = LoopNest::new(procedure);
    let packs = packs(&domain, proc, &nest, liveness);
    let top = |at| Cases::from([(Key::new(), Element::top(&domain, &packs[at]))]);
    procedure.locations.ids().map(top).collect()
}

struct Analysis<'a> {
    proc: ProcId,
    procedure: &'a Procedure,
    domain: &'a Domain<'a>,
    effects: Effects,
    nest: &'a LoopNest,
    liveness: &'a Liveness,
    packs: &'a IdVec<LocationId, Vec<VarId>>,
    incoming: Incoming,
    thresholds: Vec<i128>,
    tokens: Tokens<'a>,
    budget: &'a Budget,
    states: States,
    /// Visits to elements, larger ones counted more.
    work: usize,
    /// What entered each loop when it was last stabilised, and what its head then was.
    visited: IdVec<LoopId, Option<(Cases, Cases)>>,
}

impl Analysis<'_> {
    /// Visits some parts in order.
    fn sweep(&mut self, parts: &[Part]) -> Result<(), Exhausted> {
        for part in parts {
            self.budget.spend(1);
            self.budget.check()?;
            match part {
                Part::Location(at) => {
                    self.spend(*at);
                    let cases = self.entering(*at);
                    self.states[*at] = self.tokens.limit(self.domain, *at, cases);
                }
                Part::Loop(id, body) => self.stabilise(*id, body)?,
            }
        }
        Ok(())
    }

    /// Counts a visit by what it costs; when that is too much in all, no more cases are kept.
    fn spend(&mut self, at: LocationId) {
        let sources = self.incoming.forward[at].iter();
        let sources = sources.map(|&edge| self.procedure.edges[edge].source);
        let elements: usize = sources.map(|source| self.states[source].len()).sum();
        let related = self.packs[at].len() / 8;
        self.work += elements * (1 + related * related);
        if self.work > WORK {
            self.tokens.most = 1;
        }
    }

    /// Brings a loop to a post-fixpoint, from what enters it now, and down again.
    fn stabilise(&mut self, id: LoopId, body: &[Part]) -> Result<(), Exhausted> {
        let head = self.nest.loops[id].head;
        let entering = self.entering(head);
        let entering = self.tokens.limit(self.domain, head, entering);
        let is_deep = self.nest.loops[id].depth > DEEP;
        let mut before = Cases::new();
        if let Some((entered, raw)) = self.visited[id].take() {
            let is_same = is_subset(self.domain, &entered, &entering)
                && is_subset(self.domain, &entering, &entered);
            if is_same && !self.nest.loops[id].irreducible {
                self.visited[id] = Some((entered, raw));
                return Ok(());
            }
            before = raw;
        }
        // What widening made, before closing, and how often it was made larger. Few rounds of the
        // loops around lead into deep ones with something else than before, so that these start
        // from what they had.
        let mut raw = entering.clone();
        if is_deep {
            for (key, element) in self.tokens.rekeyed(self.domain, head, before) {
                add(self.domain, &mut raw, key, element);
            }
        }
        let mut rounds: BTreeMap<Key, usize> = BTreeMap::new();
        loop {
            self.states[head] = self.closed(&raw);
            self.sweep(body)?;
            let new = self.around(head, &entering);
            raw = self.tokens.rekeyed(self.domain, head, raw);
            if is_subset(self.domain, &new, &raw) {
                break;
            }
            for (key, element) in new {
                let larger = match raw.get(&key) {
                    None => element,
                    Some(old) if element.is_subset(self.domain, old) => continue,
                    Some(old) => {
                        let round = rounds.entry(key.clone()).or_default();
                        *round += 1;
                        self.larger(old, &element, *round)
                    }
                };
                raw.insert(key, larger);
            }
        }
        let descents = if is_deep { 1 } else { DESCENTS };
        for _ in 0..descents {
            let new = self.around(head, &entering);
            if is_subset(self.domain, &self.states[head], &new) {
                break;
            }
            self.states[head] = new;
            self.sweep(body)?;
        }
        self.visited[id] = Some((entering, raw));
        Ok(())
    }

    /// An element with both, so that a chain of them ends.
    fn larger(&self, old: &Element, new: &Element, round: usize) -> Element {
        let mut closed = old.clone();
        let both = match closed.close(self.domain) {
            Some(()) => closed.join(self.domain, new),
            None => new.clone(),
        };
        if round <= DELAY {
            both
        } else if round <= DELAY + STEPS {
            old.widen(self.domain, &both, &self.thresholds)
        } else {
            old.widen(self.domain, &both, &[])
        }
    }

    fn closed(&self, raw: &Cases) -> Cases {
        let mut cases = raw.clone();
        cases.retain(|_, element| element.close(self.domain).is_some());
        cases
    }

    /// What arrives at a head, given what enters the loop.
    fn around(&mut self, head: LocationId, entering: &Cases) -> Cases {
        let mut cases = entering.clone();
        self.arrive(&mut cases, &self.incoming.back[head]);
        let cases = self.tokens.rekeyed(self.domain, head, cases);
        self.tokens.limit(self.domain, head, cases)
    }

    /// What arrives at a location, but not from inside the loop whose head it is.
    fn entering(&self, at: LocationId) -> Cases {
        let mut cases = Cases::new();
        if at == self.procedure.entry
            && let Some(start) = self.start()
        {
            cases.insert(Key::new(), start);
        }
        self.arrive(&mut cases, &self.incoming.forward[at]);
        cases
    }

    /// Adds what arrives over some edges.
    fn arrive(&self, cases: &mut Cases, edges: &[EdgeId]) {
        for &edge in edges {
            for (key, before) in &self.states[self.procedure.edges[edge].source] {
                let after = self.after(edge, before);
                let count = after.len();
                for (case, after) in after.into_iter().enumerate() {
                    let key = self.tokens.after(key, edge, case, count);
                    add(self.domain, cases, key, after);
                }
            }
        }
    }

    /// What an edge brings to its target, in cases.
    fn after(&self, edge: EdgeId, before: &Element) -> Vec<Element> {
        let edge = &self.procedure.edges[edge];
        let pack = &self.packs[edge.target];
        let live = self.liveness.live_at(self.proc, edge.target);
        let mut cases = transfer(self.domain, &self.effects, &edge.op, before, pack);
        for after in &mut cases {
            after.restrict(self.domain, live, pack);
        }
        cases
    }

    /// At the entry: initial values of globals, if a run of the program starts here.
    fn start(&self) -> Option<Element> {
        let program = self.domain.program;
        let entry = self.procedure.entry;
        let mut element = Element::top(self.domain, &self.packs[entry]);
        let is_called = !CallGraph::new(program).callers[self.proc].is_empty();
        if self.proc != program.entry || is_called {
            return Some(element);
        }
        for var in self.liveness.live_at(self.proc, entry).iter() {
            let value = match program.vars[var].init {
                Some(Constant::Int(value)) => Integer::from(value).to_i128(),
                Some(Constant::Bool(value)) => Some(i128::from(value)),
                Some(Constant::Float(..) | Constant::Null) | None => None,
            };
            if let Some(value) = value {
                element.meet(self.domain, var, &Value::point(value))?;
            }
        }
        element.reduce(self.domain)?;
        Some(element)
    }

    /// Makes sure that the result is inductive. The transfer is not quite monotone, and a location
    /// may have lost cases since, so that a descent may have left a little too low.
    fn settle(&mut self) -> Result<(), Exhausted> {
        const JOINS: usize = 3;
        let mut visits: IdVec<LocationId, usize> = IdVec::filled(0, self.procedure.locations.len());
        for at in self.procedure.locations.ids() {
            let cases = std::mem::take(&mut self.states[at]);
            self.states[at] = self.tokens.rekeyed(self.domain, at, cases);
        }
        let mut open: Vec<EdgeId> = self.procedure.edges.ids().collect();
        while let Some(id) = open.pop() {
            self.budget.spend(1);
            self.budget.check()?;
            let target = self.procedure.edges[id].target;
            let mut new = Cases::new();
            self.arrive(&mut new, &[id]);
            let mut has_grown = false;
            for (key, new) in new {
                let grown = match self.states[target].get(&key) {
                    Some(old) if new.is_subset(self.domain, old) => continue,
                    Some(old) if visits[target] < JOINS => old.join(self.domain, &new),
                    // Not closed: a closed one might grow without end.
                    Some(old) => old.widen(self.domain, &old.join(self.domain, &new), &[]),
                    None => new,
                };
                has_grown = true;
                self.states[target].insert(key, grown);
            }
            if has_grown {
                visits[target] += 1;
                open.extend(&self.procedure.locations[target].out);
            }
        }
        Ok(())
    }
}
