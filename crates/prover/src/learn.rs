//! Learning from conflicts: implied clauses, with the resolutions that derive them.
//!
//! # Paper
//! [een2003extensible]: the first unique implication point, with clause minimisation by resolution
//! with the reasons of redundant literals.
//!
//! # Invariants
//! - A learned clause is what its proof step derives: the end of the search is the end of a proof.

use crate::literal::{AtomId, Literal};
use crate::proof::{Proof, StepId};
use crate::search::{Clause, ClauseId, Search};
use base::{Id, IdVec};
use std::collections::BTreeSet;

/// What a conflict teaches.
pub struct Learned {
    /// A clause of which all literals but the first were false before the last decision mattered.
    pub literals: Vec<Literal>,
    /// How it was derived.
    pub step: StepId,
    /// The level to go back to.
    pub level: usize,
}

impl Search {
    /// What a false clause with a literal of the current level teaches: resolves until one literal
    /// of that level is left, then takes out what the other literals imply.
    pub fn analyse(&mut self, conflict: ClauseId, proof: &mut Proof) -> Learned {
        let mut seen = vec![false; self.atoms.len()];
        let mut kept = Vec::new();
        let mut settled = Vec::new();
        let mut open = 0;
        let mut others = Vec::new();
        let mut clause = conflict;
        let mut position = self.trail.len();
        let asserted = loop {
            for at in 0..self.clauses[clause].literals.len() {
                let literal = self.clauses[clause].literals[at];
                let atom = literal.atom();
                if std::mem::replace(&mut seen[atom.index()], true) {
                    continue;
                }
                self.order.raise(atom);
                match self.atoms[atom].level {
                    0 => settled.push(atom),
                    level if level == self.level() => open += 1,
                    _ => kept.push(literal),
                }
            }
            let literal = loop {
                position -= 1;
                let literal = self.trail[position];
                let row = &self.atoms[literal.atom()];
                if seen[literal.atom().index()] && row.level == self.level() {
                    break literal;
                }
            };
            open -= 1;
            if open == 0 {
                break literal.negated();
            }
            let row = &self.atoms[literal.atom()];
            clause = row.reason.expect("only the last literal can be a guess");
            others.push((literal.atom(), self.clauses[clause].step));
        };
        self.order.grow();
        let implied = self.implied(&kept);
        kept.retain(|literal| !implied.atoms.contains(&literal.atom()));
        // The latest first: a reason brings back only what is earlier.
        let mut atoms: Vec<AtomId> = implied.atoms.into_iter().collect();
        atoms.sort_unstable_by_key(|&atom| std::cmp::Reverse(self.atoms[atom].place));
        others.extend(atoms.iter().map(|&atom| (atom, self.reason(atom).step)));
        settled.extend(implied.settled);
        settled.sort_unstable();
        settled.dedup();
        others.extend(self.units(&settled, proof));
        let level = kept.iter().map(|literal| self.atoms[literal.atom()].level);
        let level = level.max().unwrap_or(0);
        let mut literals = vec![asserted];
        literals.extend(kept);
        let step = proof.resolve(self.clauses[conflict].step, others, literals.clone());
        Learned {
            literals,
            step,
            level,
        }
    }

    /// The literals of a clause that others of it imply.
    fn implied(&self, clause: &[Literal]) -> Implied {
        let mut status = IdVec::filled(Status::Open, self.atoms.len());
        let mut levels = BTreeSet::new();
        for literal in clause {
            status[literal.atom()] = Status::Kept;
            levels.insert(self.atoms[literal.atom()].level);
        }
        let mut implied = Implied::default();
        for literal in clause {
            if self.is_implied(literal.atom(), &levels, &mut status) {
                self.gather(literal.atom(), &status, &mut implied);
            }
        }
        implied
    }

    /// Whether the reason of an atom, followed back, ends in literals that are kept or need no guess.
    fn is_implied(
        &self,
        atom: AtomId,
        levels: &BTreeSet<usize>,
        status: &mut IdVec<AtomId, Status>,
    ) -> bool {
        // Those that wait for the atoms of their reasons, with how many were looked at.
        let mut waiting = vec![(atom, 0)];
        while let Some((current, at)) = waiting.pop() {
            let Some(reason) = self.atoms[current].reason else {
                break;
            };
            let Some(literal) = self.clauses[reason].literals.get(at) else {
                // A literal of the clause may still be needed by another one, and stays marked.
                if status[current] == Status::Open {
                    status[current] = Status::Implied;
                }
                continue;
            };
            waiting.push((current, at + 1));
            let next = literal.atom();
            if next == current || self.atoms[next].level == 0 {
                continue;
            }
            match status[next] {
                Status::Kept | Status::Implied => {}
                Status::Stuck => break,
                Status::Open => match self.atoms[next].reason {
                    Some(_) if levels.contains(&self.atoms[next].level) => waiting.push((next, 0)),
                    Some(_) | None => {
                        status[next] = Status::Stuck;
                        break;
                    }
                },
            }
        }
        for (current, _) in waiting.iter().filter(|(it, _)| *it != atom) {
            status[*current] = Status::Stuck;
        }
        waiting.is_empty() && self.atoms[atom].reason.is_some()
    }

    /// Adds an implied atom and those that its reason brings in.
    fn gather(&self, atom: AtomId, status: &IdVec<AtomId, Status>, implied: &mut Implied) {
        let mut open = vec![atom];
        while let Some(atom) = open.pop() {
            if !implied.atoms.insert(atom) {
                continue;
            }
            for literal in &self.reason(atom).literals {
                let next = literal.atom();
                match status[next] {
                    _ if next == atom => {}
                    _ if self.atoms[next].level == 0 => {
                        implied.settled.insert(next);
                    }
                    // Those that are implied as well are gathered by themselves.
                    Status::Kept => {}
                    Status::Implied => open.push(next),
                    Status::Open | Status::Stuck => {
                        unreachable!("what implies an atom should have been looked at")
                    }
                }
            }
        }
    }

    /// The empty clause, from a clause that is false without any guess.
    pub fn refute(&mut self, conflict: ClauseId, proof: &mut Proof) -> StepId {
        let literals = self.clauses[conflict].literals.iter();
        let atoms: Vec<AtomId> = literals.map(|literal| literal.atom()).collect();
        let units = self.units(&atoms, proof);
        proof.resolve(self.clauses[conflict].step, units, Vec::new())
    }

    /// The steps that derive what atoms are without any guess.
    fn units(&self, atoms: &[AtomId], proof: &mut Proof) -> Vec<(AtomId, StepId)> {
        let mut open = atoms.to_vec();
        let mut needed = std::collections::BTreeSet::new();
        while let Some(atom) = open.pop() {
            if proof.unit(atom).is_none() && needed.insert(atom) {
                let reason = self.reason(atom);
                open.extend(reason.literals.iter().map(|literal| literal.atom()));
            }
        }
        let in_order = self.trail.iter().map(|literal| literal.atom());
        for atom in in_order.filter(|atom| needed.contains(atom)) {
            let Clause { literals, step } = self.reason(atom);
            let others = literals.iter().filter(|literal| literal.atom() != atom);
            let others = others.map(|literal| {
                let unit = proof.unit(literal.atom());
                (literal.atom(), unit.expect("a reason should come before"))
            });
            let others: Vec<_> = others.collect();
            let value = self.atoms[atom].value == Some(true);
            let step = proof.resolve(*step, others, vec![Literal::new(atom, value)]);
            proof.set_unit(atom, step);
        }
        let step = |atom: &AtomId| {
            let unit = proof.unit(*atom);
            (*atom, unit.expect("the unit was just derived"))
        };
        atoms.iter().map(step).collect()
    }

    fn reason(&self, atom: AtomId) -> &Clause {
        let reason = self.atoms[atom].reason;
        &self.clauses[reason.expect("what holds without a guess should have a reason")]
    }
}

/// What became of an atom while literals are taken out of a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    /// Not looked at yet.
    Open,
    /// In the clause.
    Kept,
    /// It follows from literals of the clause.
    Implied,
    /// It does not.
    Stuck,
}

/// Atoms that a clause can be resolved on to make it smaller.
#[derive(Default)]
struct Implied {
    atoms: BTreeSet<AtomId>,
    /// Atoms that come in and are known without any guess.
    settled: BTreeSet<AtomId>,
}
