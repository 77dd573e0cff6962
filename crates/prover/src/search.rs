//! The Boolean part of the search: clauses, decisions, propagation.
//!
//! Every clause has the proof step that derived it; [`learn`](crate::learn) makes new ones from
//! conflicts.
//!
//! # Invariants
//! - A clause with two literals or more is watched by its first two, and a false watched literal is
//!   compensated by a true one that is not later.
//! - The literals of a reason are false except for its first, which it made true.

use crate::literal::{AtomId, Literal};
use crate::order::Order;
use crate::proof::StepId;
use base::{IdVec, define_id};

define_id! {
    /// A clause of the search.
    ClauseId = "c";
}

#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) literals: Vec<Literal>,
    pub(crate) step: StepId,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Assignment {
    pub(crate) value: Option<bool>,
    pub(crate) level: usize,
    /// Where on the trail it is, if it has a value.
    pub(crate) place: usize,
    pub(crate) reason: Option<ClauseId>,
}

/// A partial assignment and the clauses it has to meet.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pub(crate) clauses: IdVec<ClauseId, Clause>,
    watches: Vec<Vec<ClauseId>>,
    pub(crate) atoms: IdVec<AtomId, Assignment>,
    pub(crate) trail: Vec<Literal>,
    levels: Vec<usize>,
    head: usize,
    pub(crate) order: Order,
}

impl Search {
    /// Makes room for atoms up to `count`.
    pub fn grow(&mut self, count: usize) {
        while self.atoms.len() < count {
            self.atoms.push(Assignment::default());
            self.order.push();
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

    /// An atom without a value that took part in conflicts the most, the first of several. It has to
    /// be decided.
    pub fn undecided(&mut self) -> Option<AtomId> {
        std::iter::from_fn(|| self.order.pop()).find(|&atom| self.atoms[atom].value.is_none())
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
        row.place = self.trail.len();
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
            self.order.insert(literal.atom());
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
            let mut conflict = None;
            watching.retain(|&id| {
                if conflict.is_some() {
                    return true;
                }
                if self.moves_watch(id, falsified) {
                    return false;
                }
                let first = self.clauses[id].literals[0];
                match self.value(first) {
                    Some(true) => {}
                    None => self.enqueue(first, Some(id)),
                    Some(false) => conflict = Some(id),
                }
                true
            });
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
}
