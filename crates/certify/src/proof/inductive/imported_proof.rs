//! A proof, validated and copied into the checker's own store.
//!
//! # Invariants
//! - Every term is over symbols that are meaningful at its location: variables that are visible
//!   there, ghosts of the same procedure and, in its contract, its result. No functions, no arrays.
//! - No proof makes this panic, whatever its ids and sorts are.

use super::Inductive;
use crate::ProofError;
use base::{Id, IdVec};
use logic::{Node, Sort, SymbolId, TermId, TermStore};
use program::ir::{self, EdgeId, LocationId, ProcId, Program, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a state has a value for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Slot {
    Var(VarId),
    /// By its index among the ghosts.
    Ghost(usize),
    /// The return value of a procedure.
    Result(ProcId),
}

/// What a term may mention besides the variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Scope {
    /// Nothing.
    Variables,
    /// Ghosts.
    Ghosts,
    /// Ghosts and the return value.
    Exit,
}

/// A proof as the checker sees it.
pub(super) struct ImportedProof {
    /// The store of the terms below.
    pub(super) store: TermStore,
    pub(super) symbols: Symbols,
    pub(super) ghosts: Vec<ImportedGhost>,
    pub(super) labels: BTreeMap<(ProcId, LocationId), TermId>,
}

/// What the symbols of a store stand for.
pub(super) struct Symbols {
    /// The terms of the slots.
    pub(super) terms: BTreeMap<Slot, TermId>,
    pub(super) slots: FxHashMap<SymbolId, Slot>,
}

/// See [`super::Ghost`].
pub(super) struct ImportedGhost {
    pub(super) proc: ProcId,
    pub(super) initial: TermId,
    pub(super) updates: BTreeMap<EdgeId, TermId>,
}

impl ImportedProof {
    /// Imports the proof; `program` is the one that its labels are about.
    pub(super) fn new(proof: &Inductive, program: &Program) -> Result<ImportedProof, ProofError> {
        check_ids(proof, program)?;
        let mut named = BTreeMap::new();
        for (place, ghost) in proof.ghosts.iter().enumerate() {
            let sort = proof.store.sort(ghost.initial);
            if !matches!(sort, Sort::Bool | Sort::Int) {
                return malformed(format!("ghost `{}` is no number", ghost.name));
            }
            let row = Named {
                name: &ghost.name,
                symbol: ghost.symbol,
                proc: ghost.proc,
                sort,
            };
            named.insert(Slot::Ghost(place), row);
        }
        for (&proc, &symbol) in &proof.results {
            let Some(ty) = program.procs.get(proc).and_then(|row| row.ret) else {
                return malformed(format!("{proc} returns nothing"));
            };
            let row = Named {
                name: "$result",
                symbol,
                proc,
                sort: ty.sort(),
            };
            named.insert(Slot::Result(proc), row);
        }
        let mut importer = TermImporter::new(program, &proof.store, &proof.vars, named)?;
        let mut labels = BTreeMap::new();
        for (&(proc, location), &label) in &proof.labels {
            let scope = match location == program.procs[proc].exit {
                true => Scope::Exit,
                false => Scope::Ghosts,
            };
            labels.insert(
                (proc, location),
                importer.import(label, Sort::Bool, proc, scope)?,
            );
        }
        let mut ghosts = Vec::new();
        for (place, ghost) in proof.ghosts.iter().enumerate() {
            let sort = importer.named[&Slot::Ghost(place)].sort;
            let initial = importer.import(ghost.initial, sort, ghost.proc, Scope::Variables)?;
            let mut updates = BTreeMap::new();
            for (&edge, &update) in &ghost.updates {
                let update = importer.import(update, sort, ghost.proc, Scope::Ghosts)?;
                updates.insert(edge, update);
            }
            ghosts.push(ImportedGhost {
                proc: ghost.proc,
                initial,
                updates,
            });
        }
        let (store, symbols) = importer.finish();
        Ok(ImportedProof {
            store,
            symbols,
            ghosts,
            labels,
        })
    }
}

/// Checks that everything that a proof names exists.
fn check_ids(proof: &Inductive, program: &Program) -> Result<(), ProofError> {
    for &(proc, location) in proof.labels.keys() {
        if program.location(proc, location).is_none() {
            return Err(ProofError::NoSuchLocation(proc, location));
        }
    }
    for ghost in &proof.ghosts {
        let name = &ghost.name;
        let Some(row) = program.procs.get(ghost.proc) else {
            return malformed(format!("ghost `{name}` has no procedure"));
        };
        if let Some(edge) = (ghost.updates.keys()).find(|&&edge| row.edges.get(edge).is_none()) {
            return malformed(format!(
                "ghost `{name}` changes on {edge}, which is no edge"
            ));
        }
        if ghost.initial.index() >= proof.store.len() {
            return malformed(format!("ghost `{name}` starts with no term"));
        }
    }
    Ok(())
}

/// Something that terms mention besides the variables, in one procedure.
#[derive(Clone, Copy)]
pub(super) struct Named<'t> {
    pub(super) name: &'t str,
    pub(super) symbol: SymbolId,
    pub(super) proc: ProcId,
    pub(super) sort: Sort,
}

/// The import of terms.
pub(super) struct TermImporter<'t> {
    program: &'t Program,
    /// The store they come from.
    from: &'t TermStore,
    named: BTreeMap<Slot, Named<'t>>,
    /// What each symbol there stands for.
    meaning: FxHashMap<SymbolId, Slot>,
    store: TermStore,
    /// The imported terms.
    memo: FxHashMap<TermId, TermId>,
}

impl<'t> TermImporter<'t> {
    /// Determines what the symbols stand for.
    pub(super) fn new(
        program: &'t Program,
        from: &'t TermStore,
        vars: &IdVec<VarId, SymbolId>,
        named: BTreeMap<Slot, Named<'t>>,
    ) -> Result<Self, ProofError> {
        if vars.len() != program.vars.len() {
            return malformed(format!(
                "the proof has symbols for {} variables, the program has {}",
                vars.len(),
                program.vars.len()
            ));
        }
        let mut meaning = FxHashMap::default();
        let vars = vars.iter_enumerated();
        let vars = vars.map(|(var, &symbol)| (symbol, Slot::Var(var)));
        let beside = named.iter().map(|(&slot, row)| (row.symbol, slot));
        for (symbol, slot) in vars.chain(beside) {
            if meaning.insert(symbol, slot).is_some() {
                return malformed(format!("symbol {symbol} stands for two things"));
            }
        }
        Ok(TermImporter {
            program,
            from,
            named,
            meaning,
            store: TermStore::new(),
            memo: FxHashMap::default(),
        })
    }

    /// Imports a term, if it has its sort and only mentions what is visible in a procedure.
    pub(super) fn import(
        &mut self,
        term: TermId,
        sort: Sort,
        proc: ProcId,
        scope: Scope,
    ) -> Result<TermId, ProofError> {
        use Node::*;
        let store = self.from;
        if term.index() >= store.len() {
            return malformed(format!("the proof names {term}, which is no term"));
        }
        if store.sort(term) != sort {
            return malformed(format!("{term} should be of sort {sort:?}"));
        }
        for part in store.below(&[term]) {
            match store.node(part) {
                Symbol(symbol) => self.check_symbol(*symbol, proc, scope)?,
                Apply(..) | Select(..) | Store(..) | ConstantArray(_) | SameArray(..) => {
                    return malformed(format!("{term} has functions or arrays"));
                }
                Bool(_) | Int(_) | Real(_) | Sum(..) | Div(..) | Mod(..) | Ite(..)
                | RealSum(..) | ToReal(_) | AtMostZero(_) | IsZero(_) | Divides(..) | Below(_)
                | RealIsZero(_) | Not(_) | And(_) | Or(_) => {}
            }
        }
        Ok(self.store.copy(self.from, term, &mut self.memo))
    }

    fn check_symbol(&self, symbol: SymbolId, proc: ProcId, scope: Scope) -> Result<(), ProofError> {
        let row = self.from.symbol(symbol);
        let name = &row.name;
        let (sort, visible) = match self.meaning.get(&symbol) {
            None => return malformed(format!("`{name}` is no variable and no ghost")),
            Some(Slot::Var(var)) => {
                let var = &self.program.vars[*var];
                let visible = [ir::Scope::Global, ir::Scope::Local(proc)].contains(&var.scope);
                (var.ty.sort(), visible)
            }
            Some(slot) => {
                let needed = match slot {
                    Slot::Result(_) => Scope::Exit,
                    Slot::Var(_) | Slot::Ghost(_) => Scope::Ghosts,
                };
                let row = self.named[slot];
                (row.sort, row.proc == proc && scope >= needed)
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

    /// The store of the imported terms, and what the symbols there stand for.
    pub(super) fn finish(mut self) -> (TermStore, Symbols) {
        let mut terms = BTreeMap::new();
        let mut slots = FxHashMap::default();
        let mut taken: Vec<(TermId, TermId)> = self.memo.drain().collect();
        taken.sort_unstable();
        for (from, term) in taken {
            if let Node::Symbol(symbol) = self.from.node(from)
                && let Node::Symbol(own) = self.store.node(term)
            {
                slots.insert(*own, self.meaning[symbol]);
                terms.insert(self.meaning[symbol], term);
            }
        }
        let vars = self.program.vars.iter_enumerated();
        let vars = vars.map(|(id, var)| (Slot::Var(id), &*var.name, var.ty.sort()));
        let named = self.named.iter();
        let named = named.map(|(&slot, row)| (slot, row.name, row.sort));
        for (slot, name, sort) in vars.chain(named) {
            terms.entry(slot).or_insert_with(|| {
                let symbol = self.store.new_symbol(name, sort);
                slots.insert(symbol, slot);
                self.store.of_symbol(symbol)
            });
        }
        (self.store, Symbols { terms, slots })
    }
}

pub(super) fn malformed<T>(what: String) -> Result<T, ProofError> {
    Err(ProofError::Malformed(what))
}
