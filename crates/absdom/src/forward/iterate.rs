//! The iteration: ascends with widening at the heads of loops, then descends, inner loops first.

use super::Options;
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

type States = IdVec<LocationId, Option<Element>>;

/// The elements of all locations; none for those that no defined run gets to.
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
    let packs = packs(&domain, proc, &nest, liveness, options.related);
    let top = |at| Some(Element::top(&domain, &packs[at]));
    let mut analysis = Analysis {
        proc,
        procedure,
        incoming: Incoming::new(procedure, &nest),
        effects: Effects::new(program),
        thresholds: thresholds(procedure),
        states: IdVec::filled(None, procedure.locations.len()),
        domain: &domain,
        packs: &packs,
        nest: &nest,
        liveness,
        options,
        budget,
    };
    let parts = order(procedure, &nest);
    match analysis.sweep(&parts).and_then(|()| analysis.settle()) {
        Ok(()) => analysis.states,
        Err(_) => procedure.locations.ids().map(top).collect(),
    }
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
    options: &'a Options,
    budget: &'a Budget,
    states: States,
}

impl Analysis<'_> {
    /// Visits some parts in order.
    fn sweep(&mut self, parts: &[Part]) -> Result<(), Exhausted> {
        for part in parts {
            self.budget.check()?;
            match part {
                Part::Location(at) => self.states[*at] = self.entering(*at),
                Part::Loop(id, body) => self.stabilise(*id, body)?,
            }
        }
        Ok(())
    }

    /// Brings a loop to a post-fixpoint, from what enters it now, and down again.
    fn stabilise(&mut self, id: LoopId, body: &[Part]) -> Result<(), Exhausted> {
        let head = self.nest.loops[id].head;
        let entering = self.entering(head);
        // What widening made, before closing.
        let mut raw = entering.clone();
        let mut round = 0;
        loop {
            self.states[head] = raw.clone().and_then(|mut element| {
                element.close(self.domain)?;
                Some(element)
            });
            self.sweep(body)?;
            let new = self.around(head, &entering);
            let Some(new) = new else { break };
            let Some(old) = raw else {
                raw = Some(new);
                continue;
            };
            if new.is_subset(self.domain, &old) {
                break;
            }
            round += 1;
            let both = self.states[head]
                .as_ref()
                .map_or(new.clone(), |old| old.join(self.domain, &new));
            raw = Some(if round <= self.options.delay {
                both
            } else if round <= self.options.delay + self.options.steps {
                old.widen(self.domain, &both, &self.thresholds)
            } else {
                old.widen(self.domain, &both, &[])
            });
        }
        for _ in 0..self.options.descents {
            let new = self.around(head, &entering);
            let is_same = match (&self.states[head], &new) {
                (Some(old), Some(new)) => old.is_subset(self.domain, new),
                (None, _) | (_, None) => true,
            };
            if is_same {
                break;
            }
            self.states[head] = new;
            self.sweep(body)?;
        }
        Ok(())
    }

    /// What arrives at a head, given what enters the loop.
    fn around(&self, head: LocationId, entering: &Option<Element>) -> Option<Element> {
        self.arriving(entering.clone(), &self.incoming.back[head])
    }

    /// What arrives at a location, but not from inside the loop whose head it is.
    fn entering(&self, at: LocationId) -> Option<Element> {
        let is_entry = at == self.procedure.entry;
        let start = if is_entry { self.start() } else { None };
        self.arriving(start, &self.incoming.forward[at])
    }

    fn either(&self, a: Option<Element>, b: Option<Element>) -> Option<Element> {
        match (a, b) {
            (Some(a), Some(b)) => Some(a.join(self.domain, &b)),
            (one, other) => one.or(other),
        }
    }

    /// An element, or what arrives over some edges.
    fn arriving(&self, mut all: Option<Element>, edges: &[EdgeId]) -> Option<Element> {
        for &edge in edges {
            let after = self.after(edge);
            all = self.either(all, after);
        }
        all
    }

    /// What an edge brings to its target.
    fn after(&self, edge: EdgeId) -> Option<Element> {
        let edge = &self.procedure.edges[edge];
        let before = self.states[edge.source].as_ref()?;
        let pack = &self.packs[edge.target];
        let mut after = transfer(self.domain, &self.effects, &edge.op, before, pack)?;
        let live = self.liveness.live_at(self.proc, edge.target);
        after.restrict(self.domain, live, pack);
        Some(after)
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

    /// Makes sure that the result is inductive. The transfer is not quite monotone, so that a
    /// descent may have left a little too low.
    fn settle(&mut self) -> Result<(), Exhausted> {
        const JOINS: usize = 3;
        let mut visits: IdVec<LocationId, usize> = IdVec::filled(0, self.procedure.locations.len());
        let mut open: Vec<EdgeId> = self.procedure.edges.ids().collect();
        while let Some(id) = open.pop() {
            self.budget.check()?;
            let target = self.procedure.edges[id].target;
            let Some(new) = self.after(id) else { continue };
            let grown = match &self.states[target] {
                Some(old) if new.is_subset(self.domain, old) => continue,
                Some(old) if visits[target] < JOINS => old.join(self.domain, &new),
                // Not closed: a closed one might grow without end.
                Some(old) => old.widen(self.domain, &old.join(self.domain, &new), &[]),
                None => new,
            };
            visits[target] += 1;
            self.states[target] = Some(grown);
            open.extend(&self.procedure.locations[target].out);
        }
        Ok(())
    }
}
