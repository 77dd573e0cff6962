//! Must-analysis: facts that hold at a location on all paths.

use crate::ir::*;
use base::{BitSet, Id, IdVec};

/// A set of facts, by their numbers.
pub(in crate::pass) type Facts = BitSet<usize>;

/// The facts that hold at each location of a procedure, however a run comes there.
pub(in crate::pass) struct MustFacts {
    /// `None` where no run comes.
    at: IdVec<LocationId, Option<Facts>>,
}

impl MustFacts {
    /// Follows facts along all edges, from those that hold at the entry.
    pub(in crate::pass) fn new(
        procedure: &Procedure,
        start: Facts,
        step: &dyn Fn(EdgeId, &Op, &mut Facts),
    ) -> MustFacts {
        let out = procedure.outgoing();
        let mut at: IdVec<LocationId, Option<Facts>> =
            IdVec::filled(None, procedure.locations.len());
        at[procedure.entry] = Some(start);
        let mut open = vec![procedure.entry];
        while let Some(location) = open.pop() {
            let Some(before) = at[location].clone() else {
                continue;
            };
            for &id in &out[location] {
                let edge = &procedure.edges[id];
                let mut after = before.clone();
                step(id, &edge.op, &mut after);
                let known = &mut at[edge.target];
                if let Some(known) = &known {
                    after.intersect(known);
                }
                if known.as_ref() != Some(&after) {
                    *known = Some(after);
                    open.push(edge.target);
                }
            }
        }
        MustFacts { at }
    }

    /// Whether a fact holds whenever a run reaches a location.
    pub(in crate::pass) fn holds(&self, location: LocationId, fact: usize) -> bool {
        self.at[location]
            .as_ref()
            .is_none_or(|facts| facts.contains(fact))
    }

    /// The objects, by their ids, that are alive; `around` are those of others that live as long as
    /// an activation does.
    pub(super) fn alive(program: &Program, procedure: &Procedure, around: &Facts) -> MustFacts {
        use Op::*;
        let mut start = around.clone();
        let objects = program.objects.iter_enumerated();
        let global = objects.filter(|(_, row)| row.scope == Scope::Global);
        start.extend(global.map(|(object, _)| object.index()));
        MustFacts::new(procedure, start, &|_, op, facts| match op {
            Enter(object) => drop(facts.insert(object.index())),
            Leave(object) => facts.remove(object.index()),
            Skip | Assign(..) | Assume(_) | Havoc(..) | Call(_) | Return(_) | Halt(_)
            | Unsupported(_) => {}
        })
    }
}
