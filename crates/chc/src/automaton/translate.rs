//! The program of linear clauses.
//!
//! At the location of a relation an input chooses among the clauses whose body it is. A clause's
//! path then gives its variables values, by an assignment where an equality of the constraint
//! determines one and by an input otherwise, assumes the rest of the constraint, and moves the
//! arguments of the head to the variables of the next location.

use super::expression::{WIDE, expression};
use crate::reduce::inline::matched;
use crate::solved::solved_for;
use base::{IdVec, Span};
use horn::{Atom, Clause, ClauseId, RelationId, System};
use logic::{Sort, SymbolId, TermId, TermStore};
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How many arguments a relation may have. With more, the engines of programs do not keep to their
/// share of the effort, and those that come after them would get nothing.
const WIDEST: usize = 100;

/// A program, and what its parts stand for.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The program.
    pub program: Program,
    /// The location of each relation.
    pub locations: IdVec<RelationId, LocationId>,
    /// The variables of each relation's arguments.
    pub arguments: IdVec<RelationId, Vec<VarId>>,
    /// What each input is.
    pub sites: IdVec<SiteId, SiteMeaning>,
    /// The clauses that leave a relation, or, for none, that have no body.
    pub leaving: FxHashMap<Option<RelationId>, Vec<ClauseId>>,
}

/// What an input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteMeaning {
    /// Which clause is taken, by its place among those that leave.
    Choice,
    /// The value of a variable of a clause.
    Variable(ClauseId, SymbolId),
}

/// Makes a program of linear clauses, or says why there is none.
pub fn translate(system: &System) -> Result<Automaton, String> {
    if !system.is_linear() {
        return Err("a clause has two relations in its body".into());
    }
    if system
        .relations
        .iter()
        .any(|relation| relation.sorts.len() > WIDEST)
    {
        return Err(format!("a relation has more than {WIDEST} arguments"));
    }
    let mut program = Program::new(8);
    let main = Procedure::new("clauses", None, Span::NONE);
    let proc = program.procs.push(main);
    let error = program.procs[proc].add_error(Violation {
        property: Property::Assertion,
        message: "false is derived".into(),
        span: Span::NONE,
    });
    let mut automaton = Automaton {
        program,
        locations: IdVec::new(),
        arguments: IdVec::new(),
        sites: IdVec::new(),
        leaving: FxHashMap::default(),
    };
    for relation in system.relations.iter() {
        let location = automaton.program.procs[proc].add_location(Span::NONE);
        automaton.locations.push(location);
        let mut variables = Vec::new();
        for (at, &sort) in relation.sorts.iter().enumerate() {
            let name = format!("{}.{at}", relation.name);
            let ty = type_of(sort)?;
            variables.push(automaton.program.add_local(proc, name, ty, Span::NONE));
        }
        automaton.arguments.push(variables);
    }
    for (id, clause) in system.clauses.iter_enumerated() {
        let from = clause.body.first().map(|atom| atom.relation);
        automaton.leaving.entry(from).or_default().push(id);
    }
    let mut builder = Builder {
        system,
        store: system.store.clone(),
        automaton,
        proc,
        error,
    };
    let entry = builder.automaton.program.procs[proc].entry;
    builder.leave(None, entry)?;
    for relation in system.relations.ids() {
        let location = builder.automaton.locations[relation];
        builder.leave(Some(relation), location)?;
    }
    Ok(builder.automaton)
}

fn type_of(sort: Sort) -> Result<Type, String> {
    match sort {
        Sort::Bool => Ok(Type::Bool),
        Sort::Int => Ok(Type::Int(WIDE)),
        Sort::Real => Err("it has no real numbers".into()),
        Sort::Array => Err("it has no arrays without bounds".into()),
    }
}

struct Builder<'s> {
    system: &'s System,
    store: TermStore,
    automaton: Automaton,
    proc: ProcId,
    error: LocationId,
}

impl Builder<'_> {
    /// The edges from a location through the clauses that leave it.
    fn leave(&mut self, from: Option<RelationId>, location: LocationId) -> Result<(), String> {
        let clauses = self
            .automaton
            .leaving
            .get(&from)
            .cloned()
            .unwrap_or_default();
        let Some((&last, others)) = clauses.split_last() else {
            let exit = self.automaton.program.procs[self.proc].exit;
            self.edge(location, Op::Return(None), Some(exit));
            return Ok(());
        };
        let mut at = location;
        if !others.is_empty() {
            let choice = self.local("$choice", Type::Int(WIDE));
            at = self.input(at, choice, SiteMeaning::Choice);
            for (number, &clause) in others.iter().enumerate() {
                let number = Expr::int(WIDE, number as i128);
                let chosen = Expr::binary(BinaryOp::Eq, Type::Int(WIDE), Expr::Var(choice), number);
                let procedure = &mut self.automaton.program.procs[self.proc];
                let start = procedure.add_location(Span::NONE);
                let next = procedure.add_location(Span::NONE);
                procedure.add_branch(at, chosen, start, next, Span::NONE);
                self.clause(clause, start)?;
                at = next;
            }
        }
        self.clause(last, at)
    }

    /// The path of a clause from a location.
    fn clause(&mut self, id: ClauseId, mut at: LocationId) -> Result<(), String> {
        let clause = &self.system.clauses[id];
        let mut open: Vec<TermId> = self.store.conjuncts(clause.constraint);
        let mut values = match clause.body.first() {
            Some(atom) => self.bind(atom, &mut open),
            None => FxHashMap::default(),
        };
        let mut unbound: BTreeSet<SymbolId> = clause.variables(&self.system.store);
        unbound.retain(|symbol| !values.contains_key(symbol));
        loop {
            at = self.assume_known(at, &values, &mut open)?;
            if let Some((symbol, value)) = self.assignment(&values, &mut open) {
                let value = expression(&self.store, value, &values)?;
                let var = self.variable(symbol)?;
                at = self.edge(at, Op::Assign(Place::Var(var), value), None);
                values.insert(symbol, var);
                unbound.remove(&symbol);
                continue;
            }
            // One that the rest of the constraint mentions, or else any.
            let asked = self.store.symbols_of(&open);
            let next = unbound
                .intersection(&asked)
                .next()
                .or(unbound.first())
                .copied();
            let Some(symbol) = next else {
                break;
            };
            unbound.remove(&symbol);
            let var = self.variable(symbol)?;
            at = self.input(at, var, SiteMeaning::Variable(id, symbol));
            values.insert(symbol, var);
        }
        self.arrive(clause, at, &values)
    }

    /// Lets the variables of a body be those of its relation. An argument that is not a new
    /// variable becomes an equality.
    fn bind(&mut self, atom: &Atom, open: &mut Vec<TermId>) -> FxHashMap<SymbolId, VarId> {
        let variables = &self.automaton.arguments[atom.relation];
        let (mut values, equal) = matched(&self.store, &atom.arguments, variables);
        for (argument, variable) in equal {
            let sort = self.store.sort(argument);
            let stand_in = self.store.new_symbol("argument", sort);
            values.insert(stand_in, variable);
            let stand_in = self.store.of_symbol(stand_in);
            let equal = self.store.eq(argument, stand_in);
            open.extend(self.store.conjuncts(equal));
        }
        values
    }

    /// Assumes the conjuncts whose variables all have values.
    fn assume_known(
        &mut self,
        mut at: LocationId,
        values: &FxHashMap<SymbolId, VarId>,
        open: &mut Vec<TermId>,
    ) -> Result<LocationId, String> {
        let is_known = |store: &TermStore, term: TermId| {
            let symbols = store.symbols_of(&[term]);
            symbols.iter().all(|symbol| values.contains_key(symbol))
        };
        let (known, rest): (Vec<TermId>, Vec<TermId>) =
            open.iter().partition(|&&term| is_known(&self.store, term));
        *open = rest;
        for term in known {
            let condition = expression(&self.store, term, values)?;
            let next = self.automaton.program.procs[self.proc].add_location(Span::NONE);
            let end = self.automaton.program.procs[self.proc].add_location(Span::NONE);
            let procedure = &mut self.automaton.program.procs[self.proc];
            procedure.add_branch(at, condition, next, end, Span::NONE);
            let exit = procedure.exit;
            self.edge(end, Op::Return(None), Some(exit));
            at = next;
        }
        Ok(at)
    }

    /// A variable without a value that a conjunct says all about, and its value.
    fn assignment(
        &mut self,
        values: &FxHashMap<SymbolId, VarId>,
        open: &mut Vec<TermId>,
    ) -> Option<(SymbolId, TermId)> {
        for place in 0..open.len() {
            let conjunct = open[place];
            let symbols = self.store.symbols_of(&[conjunct]);
            let mut missing = symbols.iter().filter(|symbol| !values.contains_key(symbol));
            let (Some(&symbol), None) = (missing.next(), missing.next()) else {
                continue;
            };
            if let Some(value) = solved_for(&mut self.store, conjunct, symbol) {
                open.remove(place);
                return Some((symbol, value));
            }
        }
        None
    }

    /// Moves the arguments of the head to the variables of its location.
    fn arrive(
        &mut self,
        clause: &Clause,
        mut at: LocationId,
        values: &FxHashMap<SymbolId, VarId>,
    ) -> Result<(), String> {
        let Some(head) = &clause.head else {
            let error = self.error;
            self.edge(at, Op::Skip, Some(error));
            return Ok(());
        };
        let targets = self.automaton.arguments[head.relation].clone();
        let mut moves = Vec::new();
        for (&argument, target) in head.arguments.iter().zip(targets) {
            let value = expression(&self.store, argument, values)?;
            if value != Expr::Var(target) {
                moves.push((target, value));
            }
        }
        // All at once: what is read later must not be written before.
        let mut last = Vec::new();
        while let Some((target, value)) = moves.pop() {
            let is_read = moves
                .iter()
                .any(|(_, other)| other.vars().contains(&target));
            if !is_read {
                at = self.edge(at, Op::Assign(Place::Var(target), value), None);
                continue;
            }
            let ty = self.automaton.program.vars[target].ty;
            let held = self.local("$next", ty);
            at = self.edge(at, Op::Assign(Place::Var(held), value), None);
            last.push((target, held));
        }
        for (target, held) in last {
            let value = Expr::Var(held);
            at = self.edge(at, Op::Assign(Place::Var(target), value), None);
        }
        let location = self.automaton.locations[head.relation];
        self.edge(at, Op::Skip, Some(location));
        Ok(())
    }

    /// A variable of the program for a variable of a clause.
    fn variable(&mut self, symbol: SymbolId) -> Result<VarId, String> {
        let row = self.store.symbol(symbol).clone();
        Ok(self.local(&row.name, type_of(row.sort)?))
    }

    fn local(&mut self, name: &str, ty: Type) -> VarId {
        self.automaton
            .program
            .add_local(self.proc, name, ty, Span::NONE)
    }

    /// An edge that takes an input; returns its target.
    fn input(&mut self, at: LocationId, var: VarId, meaning: SiteMeaning) -> LocationId {
        let program = &mut self.automaton.program;
        let (name, ty) = (program.vars[var].name.clone(), program.vars[var].ty);
        let site = program.add_site(SiteKind::Nondet, ty, name, Span::NONE);
        self.automaton.sites.push(meaning);
        self.edge(at, Op::Havoc(Place::Var(var), site), None)
    }

    /// An edge to a location, or to a new one; returns its target.
    fn edge(&mut self, at: LocationId, op: Op, target: Option<LocationId>) -> LocationId {
        let procedure = &mut self.automaton.program.procs[self.proc];
        let target = target.unwrap_or_else(|| procedure.add_location(Span::NONE));
        procedure.add_edge(at, target, op, Span::NONE);
        target
    }
}
