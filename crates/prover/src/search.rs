//! The Boolean part of the search: clauses, propagation, conflicts, learning.
//!
//! Every clause has the step of the proof that derived it, and a learned clause the resolutions
//! that lead to it, so that the end of the search is the end of a proof.
//!
//! # Invariants
//! - A clause with two literals or more is watched by its first two, and a false watched literal
//!   is made up for by a true one that is not later.
//! - The literals of a reason are false but for its first, which it made true.

use crate::literal::{AtomId, Literal};
use crate::proof::{Proof, StepId};
use base::{Id, IdVec, define_id};

define_id! {
    /// A clause of the search.
    ClauseId = "c";
}

#[derive(Clone, Debug)]
struct Clause {
    literals: Vec<Literal>,
    step: StepId,
}

#[derive(Clone, Debug, Default)]
struct Assignment {
    value: Option<bool>,
    level: usize,
    reason: Option<ClauseId>,
    activity: f64,
}

/// A partial assignment and the clauses it has to meet.
#[derive(Clone, Debug, Default)]
pub struct Search {
    clauses: IdVec<ClauseId, Clause>,
    watches: Vec<Vec<ClauseId>>,
    atoms: IdVec<AtomId, Assignment>,
    trail: Vec<Literal>,
    levels: Vec<usize>,
    head: usize,
    bump: f64,
}

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
    /// Makes room for atoms up to `count`.
    pub fn grow(&mut self, count: usize) {
        while self.atoms.len() < count {
            self.atoms.push(Assignment::default());
            self.watches.extend([Vec::new(), Vec::new()]);
        }
    }

    /// The truth of a literal so far.
    pub fn value(&self, literal: Literal) -> Option<bool> {
        let value = self.atoms[literal.atom()].value?;
        Some(value == literal.is_positive())
    }

    /// The literals made true, in order.
    pub fn trail(&self) -> &[Literal] {
        &self.trail
    }

    /// How many decisions stand.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// An atom without a value that took part in conflicts the most, the first of several.
    pub fn undecided(&self) -> Option<AtomId> {
        let mut best: Option<(AtomId, f64)> = None;
        for (atom, row) in self.atoms.iter_enumerated() {
            if row.value.is_none() && best.is_none_or(|(_, activity)| row.activity > activity) {
                best = Some((atom, row.activity));
            }
        }
        best.map(|(atom, _)| atom)
    }

    /// Makes a literal true as a guess.
    pub fn decide(&mut self, literal: Literal) {
        self.levels.push(self.trail.len());
        self.enqueue(literal, None);
    }

    fn enqueue(&mut self, literal: Literal, reason: Option<ClauseId>) {
        let level = self.level();
        let row = &mut self.atoms[literal.atom()];
        row.value = Some(literal.is_positive());
        row.level = level;
        row.reason = reason;
        self.trail.push(literal);
    }

    /// Takes back all guesses above a level.
    pub fn backtrack(&mut self, level: usize) {
        if level >= self.level() {
            return;
        }
        for literal in self.trail.drain(self.levels[level]..) {
            self.atoms[literal.atom()].value = None;
        }
        self.levels.truncate(level);
        self.head = self.head.min(self.trail.len());
    }

    /// The level at which a clause has to be added so that what it forces lasts: the last one at
    /// which a literal of it became false, if all but one are false.
    pub fn level_to_add(&self, literals: &[Literal]) -> usize {
        let is_false = |literal: &&Literal| self.value(**literal) == Some(false);
        let others = literals.iter().filter(|literal| !is_false(literal)).count();
        if others != 1 {
            return self.level();
        }
        let levels = literals.iter().filter(is_false);
        let levels = levels.map(|literal| self.atoms[literal.atom()].level);
        levels.max().unwrap_or(0)
    }

    /// Adds a clause; says so if it is false under the assignment.
    pub fn add(&mut self, mut literals: Vec<Literal>, step: StepId) -> Option<ClauseId> {
        // Watch what is not false, and of the false ones those that change first.
        literals.sort_by_key(|&literal| {
            std::cmp::Reverse(match self.value(literal) {
                Some(false) => self.atoms[literal.atom()].level,
                Some(true) | None => usize::MAX,
            })
        });
        let is_false = |at: usize| {
            let literal = literals.get(at);
            literal.is_none_or(|&literal| self.value(literal) == Some(false))
        };
        let (conflict, unit) = (is_false(0), is_false(1));
        let id = self.clauses.push(Clause { literals, step });
        let literals = &self.clauses[id].literals;
        let first = literals.first().copied();
        if literals.len() >= 2 {
            self.watches[literals[0].index()].push(id);
            self.watches[literals[1].index()].push(id);
        }
        if conflict {
            return Some(id);
        }
        if let Some(first) = first.filter(|&first| unit && self.value(first).is_none()) {
            self.enqueue(first, Some(id));
        }
        None
    }

    /// Makes true what clauses force; a clause that became false, if any.
    pub fn propagate(&mut self) -> Option<ClauseId> {
        while let Some(&literal) = self.trail.get(self.head) {
            self.head += 1;
            let falsified = literal.negated();
            let mut watching = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = 0;
            let mut conflict = None;
            let mut at = 0;
            while at < watching.len() {
                let id = watching[at];
                at += 1;
                if self.moves_watch(id, falsified) {
                    continue;
                }
                watching[kept] = id;
                kept += 1;
                let first = self.clauses[id].literals[0];
                match self.value(first) {
                    Some(true) => {}
                    None => self.enqueue(first, Some(id)),
                    Some(false) => {
                        conflict = Some(id);
                        break;
                    }
                }
            }
            while at < watching.len() {
                watching[kept] = watching[at];
                kept += 1;
                at += 1;
            }
            watching.truncate(kept);
            self.watches[falsified.index()] = watching;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Finds a clause another literal to watch than a false one; puts the false one second if
    /// there is none.
    fn moves_watch(&mut self, id: ClauseId, falsified: Literal) -> bool {
        let atoms = &self.atoms;
        let literals = &mut self.clauses[id].literals;
        if literals[0] == falsified {
            literals.swap(0, 1);
        }
        let holds = |literal: Literal| {
            let value = atoms[literal.atom()].value;
            value.map(|value| value == literal.is_positive())
        };
        if holds(literals[0]) == Some(true) {
            return false;
        }
        let other = (2..literals.len()).find(|&at| holds(literals[at]) != Some(false));
        let Some(other) = other else {
            return false;
        };
        literals.swap(1, other);
        let watched = literals[1];
        self.watches[watched.index()].push(id);
        true
    }

    /// The highest level among the literals of a false clause.
    pub fn conflict_level(&self, conflict: ClauseId) -> usize {
        let literals = self.clauses[conflict].literals.iter();
        let levels = literals.map(|literal| self.atoms[literal.atom()].level);
        levels.max().unwrap_or(0)
    }

    /// What a false clause with a literal of the current level teaches: resolves until one literal
    /// of that level is left.
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
                self.raise(atom);
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
        others.extend(self.units(&settled, proof));
        self.bump *= 1.05;
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

    fn raise(&mut self, atom: AtomId) {
        self.bump = self.bump.max(1.0);
        self.atoms[atom].activity += self.bump;
        if self.bump > 1e100 {
            self.bump *= 1e-100;
            for row in self.atoms.iter_mut() {
                row.activity *= 1e-100;
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
