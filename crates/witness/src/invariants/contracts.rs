//! Contracts of a proof, as C at the functions of the source.
//!
//! The label of a procedure's exit is its postcondition, that of its entry its precondition. They
//! are written in ACSL notation: `\result` is the return value, `\old(g)` the value of a global at
//! the call. A parameter means the argument, whatever the procedure assigns to it.
//!
//! # Invariants
//! - The result follows from the proof: what has no name is projected away.

use super::{Finder, ranges, simple, without};
use base::{Budget, Span};
use certify::Inductive;
use logic::{Node, SymbolId, TermId};
use program::c_expr::{Named, Style, condition_on};
use program::ir::ProcId;
use rustc_hash::FxHashMap;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What holds of the calls of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Contract {
    /// Where the function is defined.
    pub span: Span,
    /// Its name.
    pub function: Arc<str>,
    /// Conjuncts that hold at every call, over the parameters and the globals.
    pub requires: Vec<String>,
    /// Conjuncts that hold after every call, over what it was made with and what it leaves.
    pub ensures: Vec<String>,
}

/// What symbols are called.
type Names = BTreeMap<SymbolId, Named>;

impl Finder<'_> {
    /// The contracts of a proof, in the order of the source. Functions that are not called, or of
    /// which nothing is said, are left out.
    pub(super) fn contracts(
        &mut self,
        proof: &Inductive,
        each: u64,
        all: &Budget,
    ) -> Vec<Contract> {
        let procs: BTreeSet<ProcId> = proof.labels.keys().map(|&(proc, _)| proc).collect();
        let called = procs.into_iter().filter(|&proc| proc != self.program.entry);
        let mut found = Vec::new();
        for proc in called.collect::<Vec<_>>() {
            found.extend(self.contract(proof, proc, &all.clone().with_effort(each)));
        }
        found.retain(|row| !row.requires.is_empty() || !row.ensures.is_empty());
        found.sort_by_key(|row| row.span.lo);
        found
    }

    fn contract(&mut self, proof: &Inductive, proc: ProcId, budget: &Budget) -> Option<Contract> {
        let [entry, exit] = self.scopes.ends(proc);
        let label = |at| proof.labels.get(&(proc, at)).copied();
        let (params, globals) = self.scopes.at_call(proc);
        let mut left = globals.clone();
        let row = &self.program.procs[proc];
        let (span, function) = (row.span, row.name.clone());
        if let (Some(&result), Some(ty)) = (proof.results.get(&proc), row.ret) {
            let text = "\\result".to_owned();
            left.insert(result, Named { text, ty });
        }
        let mut after = left.clone();
        let (mut initial, mut entry_values) = (FxHashMap::default(), FxHashMap::default());
        let own = proof.ghosts.iter().filter(|ghost| ghost.proc == proc);
        for ghost in own.filter(|ghost| ghost.updates.is_empty()) {
            initial.insert(ghost.symbol, ghost.initial);
            let Node::Symbol(var) = *self.store.node(ghost.initial) else {
                continue;
            };
            let old = |named: &Named| Named {
                text: format!("\\old({})", named.text),
                ty: named.ty,
            };
            entry_values.insert(var, self.store.of_symbol(ghost.symbol));
            let named = params.get(&var).cloned();
            let named = named.or_else(|| globals.get(&var).map(old));
            after.extend(named.map(|named| (ghost.symbol, named)));
        }
        let [top, never] = [true, false].map(|value| self.store.bool(value));
        if label(entry) == Some(never) || self.scopes.has_copies(proc) {
            return None;
        }
        let before: Names = params.into_iter().chain(globals).collect();
        let required = label(entry).unwrap_or(top);
        // A call is made with what the ghosts start as.
        let required = self.store.substitute(required, &initial);
        let requires = self.conjuncts(required, &[], &before, budget);
        let given = requires.iter();
        let given = given.map(|&part| self.store.substitute(part, &entry_values));
        let mut given: Vec<TermId> = given.collect();
        // What has no ghost may be another at the exit.
        given.retain(|&part| {
            let mut symbols = self.store.symbols_of(&[part]).into_iter();
            symbols.all(|symbol| initial.contains_key(&symbol))
        });
        let ensured = label(exit).unwrap_or(top);
        let ensures = self.conjuncts(ensured, &given, &after, budget);
        Some(Contract {
            span,
            function,
            requires: self.texts(&requires, &before, &before),
            ensures: self.texts(&ensures, &after, &left),
        })
    }

    /// The conjuncts of a label over what has a name, without those that follow from what is given.
    fn conjuncts(
        &mut self,
        label: TermId,
        given: &[TermId],
        names: &Names,
        budget: &Budget,
    ) -> Vec<TermId> {
        let (mut solver, store) = (Solver::new(), &mut self.store);
        let keeps = |symbol| names.contains_key(&symbol);
        let label = without(&mut solver, store, label, budget, keeps);
        let types = names.iter().map(|(&symbol, named)| (symbol, named.ty));
        let ranges = ranges(store, types);
        for &part in given {
            solver.assert(store, part);
        }
        simple::conjuncts(&mut solver, store, label, &ranges, budget)
    }

    /// Conjuncts as C. What a call leaves is said by what it was made with.
    fn texts(&self, conjuncts: &[TermId], names: &Names, left: &Names) -> Vec<String> {
        let named = |symbol| names.get(&symbol).cloned();
        let is_left = |term| match self.store.node(term) {
            Node::Symbol(symbol) => left.contains_key(symbol),
            _ => false,
        };
        let texts = conjuncts.iter().filter_map(|&conjunct| {
            condition_on(&self.store, conjunct, Style::Short, &named, &is_left)
        });
        texts.collect()
    }
}
