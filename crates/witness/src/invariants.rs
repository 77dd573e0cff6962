//! Loop invariants and contracts of a proof, as C at the loops and functions of the source.
//!
//! The labels of a proof are about the program with its calls inlined. A source loop has a copy
//! wherever its function is called; the invariant of the loop is the disjunction of the labels of
//! the copies, expressed with the names in scope there. Everything else in a label (the caller's
//! variables, ghosts, unnamed values) is projected away.
//!
//! # Invariants
//! - The result follows from the proof: projection and simplification only weaken it, or keep it
//!   equivalent given the ranges of the types.

mod cases;
mod contracts;
mod minimise_proof;
mod scope;
pub mod simple;

pub use self::contracts::Contract;
use self::scope::Scopes;
use crate::format::{C_EXPRESSION, Content, Invariant, InvariantKind};
use crate::position::Positions;
use base::{Budget, SourceMap, Span};
use certify::{Inductive, Proof};
use input::Loaded;
use interpolate::eliminate;
use logic::{SymbolId, TermId, TermStore};
use program::c_expr::{Named, Style, condition};
use program::expr::Type;
use program::ir::{LocationId, ProcId, Program};
use program::pass::inline::{InlineLimit, inline_calls};
use program::pass::loops::LoopNest;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a proof says about the source.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Invariants {
    /// Of loops, in the order of the source.
    pub loops: Vec<LoopInvariant>,
    /// Of functions that are called, without what the proof does not need.
    pub contracts: Vec<Contract>,
}

/// What holds at a loop.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopInvariant {
    /// The keyword of the loop; of a loop made by jumps, where it starts.
    pub span: Span,
    /// The function it is in.
    pub function: Arc<str>,
    /// Conjuncts for people, who may see what a `for` declares; without what the proof does not
    /// need.
    pub for_people: Vec<String>,
    /// Conjuncts that C evaluates as they are meant, over what has a name at the keyword.
    pub exact: Vec<String>,
}

/// What one loop may cost.
const EACH: u64 = 200_000;
/// How long what a proof does not need is looked for.
const MINIMISING: u64 = 500_000;
/// What all of them may cost, if the budget has so much.
const ALL: u64 = 2_000_000;

/// What a proof says about the loops and functions of a program. Those of which nothing is known
/// are left out. Without the syntax tree, elements of arrays and members of structs have no names.
pub fn of_proof(loaded: &Loaded, proof: &Proof, budget: &Budget) -> Invariants {
    let Proof::Inductive(proof) = proof else {
        return Invariants::default();
    };
    let all = || budget.clone().with_effort(ALL);
    let mut finder = Finder::new(loaded, proof);
    let mut loops = finder.loops(&all());
    let small = minimise_proof::minimised(
        &loaded.program,
        proof,
        &budget.clone().with_effort(MINIMISING),
    );
    // A tool may like to know more than is needed; people do not.
    let contracts = match small {
        Some(small) => {
            let mut finder = Finder::new(loaded, &small);
            let needed = finder.loops(&all());
            for row in &mut loops {
                let same = needed.iter().find(|other| other.span == row.span);
                row.for_people = same.map_or_else(Vec::new, |other| other.for_people.clone());
            }
            finder.contracts(&small, EACH, &all())
        }
        None => finder.contracts(proof, EACH, &all()),
    };
    Invariants { loops, contracts }
}

/// The invariants as the content of a witness: one for each loop statement.
pub(crate) fn content(sources: &SourceMap, invariants: &[LoopInvariant]) -> Content {
    let positions = Positions::new(sources);
    let rows = invariants.iter().filter(|row| !row.exact.is_empty());
    let rows = rows.filter_map(|row| {
        let conjuncts = row.exact.iter().map(|text| match text.contains("||") {
            true if row.exact.len() > 1 => format!("({text})"),
            _ => text.clone(),
        });
        Some(Invariant {
            kind: InvariantKind::Loop,
            location: positions.start(row.span, Some(&row.function))?,
            value: conjuncts.collect::<Vec<_>>().join(" && "),
            format: C_EXPRESSION.to_owned(),
        })
    });
    Content::Invariants(rows.collect())
}

struct Finder<'a> {
    program: &'a Program,
    store: TermStore,
    scopes: Scopes<'a>,
    /// The labels of the copies of each location.
    copies: BTreeMap<(ProcId, LocationId), Vec<Copy>>,
}

/// A copy of a location of the source.
struct Copy {
    proc: ProcId,
    at: LocationId,
    label: TermId,
}

impl<'a> Finder<'a> {
    fn new(loaded: &'a Loaded, proof: &'a Inductive) -> Self {
        let program = &loaded.program;
        // With a limit of no edges, nothing is inlined.
        let limit = proof.inlined.unwrap_or(InlineLimit {
            edges: 0,
            ..InlineLimit::default()
        });
        let (inlined, origins) = inline_calls(program, limit);
        let mut store = proof.store.clone();
        let (top, bottom) = (store.bool(true), store.bool(false));
        let mut copies: BTreeMap<_, Vec<Copy>> = BTreeMap::new();
        let labelled: BTreeSet<ProcId> = proof.labels.keys().map(|&(proc, _)| proc).collect();
        // What is inlined everywhere is never called.
        let is_called = |proc: &ProcId| {
            let entry = inlined.procs[*proc].entry;
            proof.labels.get(&(*proc, entry)) != Some(&bottom)
        };
        for proc in labelled.into_iter().filter(is_called) {
            let reachable = inlined.procs[proc].reachable();
            for (at, origin) in origins.locations[proc].iter_enumerated() {
                let Some(origin) = *origin else { continue };
                let label = proof.labels.get(&(proc, at)).copied();
                if reachable[at] || label.is_some() {
                    let label = label.unwrap_or(top);
                    let copy = Copy { proc, at, label };
                    copies.entry(origin).or_default().push(copy);
                }
            }
        }
        let scopes = Scopes::new(loaded, inlined, origins, proof, &mut store);
        Finder {
            program,
            store,
            scopes,
            copies,
        }
    }

    /// The invariants of the loops, in the order of the source.
    fn loops(&mut self, budget: &Budget) -> Vec<LoopInvariant> {
        let mut found = Vec::new();
        for (proc, head) in self.heads() {
            let invariant = self.invariant(proc, head, &budget.clone().with_effort(EACH));
            found.extend(invariant.filter(|row| !row.for_people.is_empty()));
        }
        found.sort_by_key(|row| row.span.lo);
        found
    }

    /// The heads of loops that have copies, with whether they are statements.
    fn heads(&self) -> Vec<(ProcId, LocationId)> {
        let mut heads = Vec::new();
        for (proc, procedure) in self.program.procs.iter_enumerated() {
            let nest = LoopNest::new(procedure);
            let statements: BTreeSet<_> = procedure.loops.iter().map(|row| row.head).collect();
            let is_loop = |at: &LocationId| nest.is_head(*at) || statements.contains(at);
            let locations = procedure.locations.ids().filter(is_loop);
            heads.extend(locations.map(|at| (proc, at)));
        }
        heads.retain(|head| self.copies.contains_key(head));
        heads
    }

    fn invariant(
        &mut self,
        proc: ProcId,
        head: LocationId,
        budget: &Budget,
    ) -> Option<LoopInvariant> {
        let procedure = &self.program.procs[proc];
        let statement = procedure.loops.iter().find(|row| row.head == head);
        let span = procedure.locations[head].span;
        let names = self.scopes.names(proc, statement, span);
        let mut solver = Solver::new();
        let mut cases = Vec::new();
        for copy in &self.copies[&(proc, head)] {
            // In the source's own names, and without what has none.
            let renaming = self.scopes.renaming(&self.store, copy, &names);
            let label = self.store.substitute(copy.label, &renaming);
            let keeps = |symbol| names.shown(symbol).is_some();
            cases.push(without(&mut solver, &mut self.store, label, budget, keeps));
        }
        let joined = joined(&mut self.store, &cases);
        let ranges = names.ranges(&mut self.store);
        let store = &mut self.store;
        let shown = simple::conjuncts(&mut solver, store, joined, &ranges, budget);
        let for_people = texts(store, &shown, Style::Short, &|symbol| names.shown(symbol));
        let exact = match statement {
            Some(_) => {
                let is_visible = |symbol| names.visible(symbol).is_some();
                let formula = without(&mut solver, store, joined, budget, is_visible);
                let visible = match formula == joined {
                    true => shown,
                    false => simple::conjuncts(&mut solver, store, formula, &ranges, budget),
                };
                let style = match self.program.pointer_bytes {
                    4 => Style::Exact32,
                    _ => Style::Exact,
                };
                texts(store, &visible, style, &|symbol| names.visible(symbol))
            }
            None => Vec::new(),
        };
        Some(LoopInvariant {
            span: statement.map_or(span, |row| row.keyword),
            function: procedure.name.clone(),
            for_people,
            exact,
        })
    }
}

type Naming<'n> = dyn Fn(SymbolId) -> Option<Named> + 'n;

/// Conjuncts as C, except for those that have no text.
fn texts(store: &TermStore, conjuncts: &[TermId], style: Style, named: &Naming<'_>) -> Vec<String> {
    let texts = conjuncts.iter();
    let texts = texts.filter_map(|&conjunct| condition(store, conjunct, style, named));
    texts.collect()
}

/// That symbols have values of their types.
fn ranges(
    store: &mut TermStore,
    symbols: impl Iterator<Item = (SymbolId, Type)>,
) -> BTreeMap<SymbolId, Vec<TermId>> {
    let mut ranges = BTreeMap::new();
    for (symbol, ty) in symbols {
        let Type::Int(ty) = ty else { continue };
        let (low, high) = (store.int(ty.min()), store.int(ty.max()));
        let var = store.of_symbol(symbol);
        ranges.insert(symbol, vec![store.le(low, var), store.le(var, high)]);
    }
    ranges
}

/// A formula without the symbols that are not to be kept: what holds for some values of them.
fn without(
    solver: &mut Solver,
    store: &mut TermStore,
    formula: TermId,
    budget: &Budget,
    keeps: impl Fn(SymbolId) -> bool,
) -> TermId {
    let symbols: BTreeSet<SymbolId> = (store.symbols_of(&[formula]).into_iter())
        .filter(|&symbol| !keeps(symbol))
        .collect();
    if symbols.is_empty() {
        return formula;
    }
    if let Ok(found) = eliminate(solver, store, formula, &symbols, budget) {
        return found;
    }
    let conjuncts = store.conjuncts(formula).into_iter();
    let kept: Vec<TermId> = conjuncts
        .filter(|&conjunct| store.symbols_of(&[conjunct]).is_disjoint(&symbols))
        .collect();
    store.and(&kept)
}

/// The disjunction, with what all cases have in common outside of it.
fn joined(store: &mut TermStore, cases: &[TermId]) -> TermId {
    let bottom = store.bool(false);
    let cases: BTreeSet<TermId> = cases
        .iter()
        .copied()
        .filter(|&case| case != bottom)
        .collect();
    let parts: Vec<Vec<TermId>> = cases.iter().map(|&case| store.conjuncts(case)).collect();
    let Some(first) = parts.first() else {
        return bottom;
    };
    let is_common = |conjunct: &TermId| parts.iter().all(|part| part.contains(conjunct));
    let mut common: Vec<TermId> = first.iter().copied().filter(is_common).collect();
    let rest: Vec<TermId> = parts
        .iter()
        .map(|part| {
            let own: Vec<TermId> = part.iter().copied().filter(|c| !is_common(c)).collect();
            store.and(&own)
        })
        .collect();
    common.push(store.or(&rest));
    store.and(&common)
}
