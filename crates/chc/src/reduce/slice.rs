//! Slicing: keeps only what can take part in a derivation of false.

use super::{Reduced, Stage};
use base::{Id, IdVec};
use horn::{Clause, RelationId, System};

impl Reduced<'_> {
    /// Drops clauses of relations that the query does not need, and clauses with relations that
    /// have no facts.
    pub(super) fn slice(&mut self) {
        let (derivable, needed) = (derivable(&self.system), needed(&self.system));
        let system = &self.system;
        let keeps = |clause: &Clause| {
            let head = clause
                .head
                .as_ref()
                .is_none_or(|head| needed[head.relation]);
            head && clause.body.iter().all(|atom| derivable[atom.relation])
        };
        let kept: Vec<bool> = system.clauses.iter().map(keeps).collect();
        if kept.iter().all(|&kept| kept) {
            return;
        }
        let has_clauses = |id: RelationId| {
            let mut clauses = system.clauses.iter();
            clauses.any(|clause| clause.atoms().any(|atom| atom.relation == id))
        };
        let decided = (system.relations.ids())
            .filter(|&id| has_clauses(id) && !(derivable[id] && needed[id]))
            .map(|id| (id, derivable[id]));
        self.stages.push(Stage::Decided(decided.collect()));
        self.retain(|id| kept[id.index()]);
    }
}

/// The relations that may have a fact, by the graph alone.
fn derivable(system: &System) -> IdVec<RelationId, bool> {
    let mut derivable = IdVec::filled(false, system.relations.len());
    let mut changed = true;
    while changed {
        changed = false;
        for clause in system.clauses.iter() {
            if let Some(head) = &clause.head
                && !derivable[head.relation]
                && clause.body.iter().all(|atom| derivable[atom.relation])
            {
                derivable[head.relation] = true;
                changed = true;
            }
        }
    }
    derivable
}

/// The relations that a derivation of false may use, by the graph alone.
fn needed(system: &System) -> IdVec<RelationId, bool> {
    let mut needed = IdVec::filled(false, system.relations.len());
    let mut changed = true;
    while changed {
        changed = false;
        for clause in system.clauses.iter() {
            if clause
                .head
                .as_ref()
                .is_none_or(|head| needed[head.relation])
            {
                for atom in &clause.body {
                    changed |= !std::mem::replace(&mut needed[atom.relation], true);
                }
            }
        }
    }
    needed
}
