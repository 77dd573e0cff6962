//! What surely holds at a location: facts that edges make true and false, on all paths.

use crate::ir::*;
use base::{Id, IdVec};

/// A set of facts, as bits.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Facts {
    words: Vec<u64>,
}

impl Facts {
    /// None of `len` facts.
    pub(super) fn none(len: usize) -> Facts {
        Facts {
            words: vec![0; len.div_ceil(64)],
        }
    }

    /// Makes a fact true or false.
    pub(super) fn set(&mut self, fact: usize, holds: bool) {
        let (word, bit) = (&mut self.words[fact / 64], 1 << (fact % 64));
        *word = if holds { *word | bit } else { *word & !bit };
    }

    fn holds(&self, fact: usize) -> bool {
        self.words[fact / 64] & (1 << (fact % 64)) != 0
    }

    fn keep(&mut self, others: &Facts) {
        let words = self.words.iter_mut().zip(&others.words);
        words.for_each(|(word, other)| *word &= other);
    }
}

/// The facts that hold at each location of a procedure, however a run comes there.
pub(super) struct MustFacts {
    /// `None` where no run comes.
    at: IdVec<LocationId, Option<Facts>>,
}

impl MustFacts {
    /// Follows facts along all edges, from those that hold at the entry.
    pub(super) fn new(
        procedure: &Procedure,
        start: Facts,
        step: &dyn Fn(EdgeId, &Op, &mut Facts),
    ) -> MustFacts {
        let mut out = IdVec::filled(Vec::new(), procedure.locations.len());
        for (id, edge) in procedure.edges.iter_enumerated() {
            out[edge.source].push(id);
        }
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
                    after.keep(known);
                }
                if known.as_ref() != Some(&after) {
                    *known = Some(after);
                    open.push(edge.target);
                }
            }
        }
        MustFacts { at }
    }

    /// Whether a fact holds whenever a run comes to a location.
    pub(super) fn holds(&self, location: LocationId, fact: usize) -> bool {
        self.at[location]
            .as_ref()
            .is_none_or(|facts| facts.holds(fact))
    }

    /// The objects, by their ids, that are alive.
    pub(super) fn alive(program: &Program, procedure: &Procedure) -> MustFacts {
        use Op::*;
        let mut start = Facts::none(program.objects.len());
        for (object, row) in program.objects.iter_enumerated() {
            start.set(object.index(), row.scope == Scope::Global);
        }
        MustFacts::new(procedure, start, &|_, op, facts| match op {
            Enter(object) => facts.set(object.index(), true),
            Leave(object) => facts.set(object.index(), false),
            Skip | Assign(..) | Assume(_) | Havoc(..) | Call(_) | Return(_) | Halt(_)
            | Unsupported(_) => {}
        })
    }
}
