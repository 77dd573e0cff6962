//! What a proof gives, looked over and taken into a store of the checker's own.
//!
//! # Invariants
//! - Every term is over symbols that mean something where it stands: variables that are visible
//!   there, and ghosts of the same procedure. No functions, no arrays.
//! - No proof makes this panic, whatever its ids and sorts are.

use super::Inductive;
use crate::ProofError;
use base::Id;
use logic::{Node, Sort, SymbolId, TermId, TermStore};
use program::expr::Type;
use program::ir::{EdgeId, LocationId, ProcId, Program, Scope, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a state has a value for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Slot {
    Var(VarId),
    /// By its place among the ghosts.
    Ghost(usize),
}

/// A proof as the checker sees it.
pub(super) struct Given {
    /// Where the terms below live.
    pub(super) store: TermStore,
    /// What each symbol stands for, and the symbols' terms.
    pub(super) slots: FxHashMap<SymbolId, Slot>,
    pub(super) terms: BTreeMap<Slot, TermId>,
    pub(super) ghosts: Vec<GivenGhost>,
    pub(super) labels: BTreeMap<(ProcId, LocationId), TermId>,
}

/// See [`super::Ghost`].
pub(super) struct GivenGhost {
    pub(super) proc: ProcId,
    pub(super) initial: TermId,
    pub(super) updates: BTreeMap<EdgeId, TermId>,
}

impl Given {
    /// Takes the proof over; `program` is the one that its labels speak of.
    pub(super) fn new(proof: &Inductive, program: &Program) -> Result<Given, ProofError> {
        let mut taking = Taking {
            proof,
            program,
            meaning: FxHashMap::default(),
            sorts: Vec::new(),
            store: TermStore::new(),
            memo: FxHashMap::default(),
        };
        taking.check_ids()?;
        taking.name_slots()?;
        let mut labels = BTreeMap::new();
        for (&(proc, location), &label) in &proof.labels {
            taking.check_term(label, Sort::Bool, proc, true)?;
            labels.insert((proc, location), taking.copy(label));
        }
        let mut ghosts = Vec::new();
        for (ghost, sort) in proof.ghosts.iter().zip(taking.sorts.clone()) {
            taking.check_term(ghost.initial, sort, ghost.proc, false)?;
            let initial = taking.copy(ghost.initial);
            let mut updates = BTreeMap::new();
            for (&edge, &update) in &ghost.updates {
                taking.check_term(update, sort, ghost.proc, true)?;
                updates.insert(edge, taking.copy(update));
            }
            ghosts.push(GivenGhost {
                proc: ghost.proc,
                initial,
                updates,
            });
        }
        Ok(taking.finish(ghosts, labels))
    }
}

/// A proof being taken over.
struct Taking<'t> {
    proof: &'t Inductive,
    program: &'t Program,
    /// What each symbol of the proof stands for.
    meaning: FxHashMap<SymbolId, Slot>,
    /// The sort of each ghost.
    sorts: Vec<Sort>,
    store: TermStore,
    /// The terms taken over.
    memo: FxHashMap<TermId, TermId>,
}

impl Taking<'_> {
    /// Everything that is named is there.
    fn check_ids(&self) -> Result<(), ProofError> {
        let procs = &self.program.procs;
        for &(proc, location) in self.proof.labels.keys() {
            let known = procs
                .get(proc)
                .is_some_and(|row| row.locations.get(location).is_some());
            if !known {
                return Err(ProofError::NoSuchLocation(proc, location));
            }
        }
        for ghost in &self.proof.ghosts {
            let Some(row) = procs.get(ghost.proc) else {
                return malformed(format!("ghost `{}` has no procedure", ghost.name));
            };
            if let Some(edge) = (ghost.updates.keys()).find(|&&edge| row.edges.get(edge).is_none())
            {
                let name = &ghost.name;
                return malformed(format!(
                    "ghost `{name}` changes on {edge}, which is no edge"
                ));
            }
        }
        let ghosts = self.proof.ghosts.iter();
        let terms = ghosts.flat_map(|ghost| ghost.updates.values().chain([&ghost.initial]));
        for term in terms.chain(self.proof.labels.values()) {
            if term.index() >= self.proof.store.len() {
                return malformed(format!("the proof names {term}, which is no term"));
            }
        }
        Ok(())
    }

    /// Finds out what the symbols stand for.
    fn name_slots(&mut self) -> Result<(), ProofError> {
        if self.proof.vars.len() != self.program.vars.len() {
            return malformed(format!(
                "the proof has symbols for {} variables, the program has {}",
                self.proof.vars.len(),
                self.program.vars.len()
            ));
        }
        let vars = self.proof.vars.iter_enumerated();
        let vars = vars.map(|(var, &symbol)| (symbol, Slot::Var(var)));
        let ghosts = self.proof.ghosts.iter().enumerate();
        let ghosts = ghosts.map(|(place, ghost)| (ghost.symbol, Slot::Ghost(place)));
        for (symbol, slot) in vars.chain(ghosts) {
            if self.meaning.insert(symbol, slot).is_some() {
                return malformed(format!("symbol {symbol} stands for two things"));
            }
        }
        for ghost in &self.proof.ghosts {
            match self.proof.store.sort(ghost.initial) {
                sort @ (Sort::Bool | Sort::Int) => self.sorts.push(sort),
                Sort::Real | Sort::Array => {
                    return malformed(format!("ghost `{}` is no number", ghost.name));
                }
            }
        }
        Ok(())
    }

    /// A term has its sort and only speaks of what there is in a procedure.
    fn check_term(
        &self,
        term: TermId,
        sort: Sort,
        proc: ProcId,
        with_ghosts: bool,
    ) -> Result<(), ProofError> {
        let store = &self.proof.store;
        if store.sort(term) != sort {
            return malformed(format!("{term} should be of sort {sort:?}"));
        }
        for part in store.below(&[term]) {
            match store.node(part) {
                Node::Symbol(symbol) => self.check_symbol(*symbol, proc, with_ghosts)?,
                Node::Apply(..) | Node::Select(..) | Node::Store(..) | Node::SameArray(..) => {
                    return malformed(format!("{term} has functions or arrays"));
                }
                Node::Bool(_)
                | Node::Int(_)
                | Node::Real(_)
                | Node::Sum(..)
                | Node::Div(..)
                | Node::Mod(..)
                | Node::Ite(..)
                | Node::RealSum(..)
                | Node::ToReal(_)
                | Node::AtMostZero(_)
                | Node::IsZero(_)
                | Node::Divides(..)
                | Node::Below(_)
                | Node::RealIsZero(_)
                | Node::Not(_)
                | Node::And(_)
                | Node::Or(_) => {}
            }
        }
        Ok(())
    }

    fn check_symbol(
        &self,
        symbol: SymbolId,
        proc: ProcId,
        with_ghosts: bool,
    ) -> Result<(), ProofError> {
        let row = self.proof.store.symbol(symbol);
        let name = &row.name;
        let (sort, visible) = match self.meaning.get(&symbol) {
            None => return malformed(format!("`{name}` is no variable and no ghost")),
            Some(Slot::Var(var)) => {
                let var = &self.program.vars[*var];
                let visible = var.scope == Scope::Global || var.scope == Scope::Local(proc);
                (sort_of(var.ty), visible)
            }
            Some(&Slot::Ghost(place)) => {
                let own = self.proof.ghosts[place].proc == proc;
                (self.sorts[place], own && with_ghosts)
            }
        };
        if row.sort != sort {
            return malformed(format!("`{name}` should be of sort {sort:?}"));
        }
        if !visible {
            return malformed(format!("`{name}` means nothing in {proc}"));
        }
        Ok(())
    }

    fn copy(&mut self, term: TermId) -> TermId {
        self.store.copy(&self.proof.store, term, &mut self.memo)
    }

    fn finish(
        mut self,
        ghosts: Vec<GivenGhost>,
        labels: BTreeMap<(ProcId, LocationId), TermId>,
    ) -> Given {
        let mut terms = BTreeMap::new();
        let mut slots = FxHashMap::default();
        let mut taken: Vec<(TermId, TermId)> = self.memo.drain().collect();
        taken.sort_unstable();
        for (from, term) in taken {
            if let Node::Symbol(symbol) = self.proof.store.node(from)
                && let Node::Symbol(own) = self.store.node(term)
            {
                slots.insert(*own, self.meaning[symbol]);
                terms.insert(self.meaning[symbol], term);
            }
        }
        let vars = self.program.vars.iter_enumerated();
        let vars = vars.map(|(id, var)| (Slot::Var(id), &*var.name, sort_of(var.ty)));
        let named = self.proof.ghosts.iter().zip(&self.sorts).enumerate();
        let named = named.map(|(place, (row, &sort))| (Slot::Ghost(place), &*row.name, sort));
        for (slot, name, sort) in vars.chain(named) {
            terms.entry(slot).or_insert_with(|| {
                let symbol = self.store.new_symbol(name, sort);
                slots.insert(symbol, slot);
                self.store.of_symbol(symbol)
            });
        }
        Given {
            store: self.store,
            slots,
            terms,
            ghosts,
            labels,
        }
    }
}

/// The sort of the values of a type.
pub(super) fn sort_of(ty: Type) -> Sort {
    match ty {
        Type::Bool => Sort::Bool,
        Type::Int(_) | Type::Float(_) | Type::Ptr => Sort::Int,
    }
}

fn malformed<T>(what: String) -> Result<T, ProofError> {
    Err(ProofError::Malformed(what))
}
