//! Clauses with cells in place of arrays.
//!
//! In each clause the indices at which arrays are read or written are collected, jointly for arrays
//! that are compared or derived from each other. An array becomes one integer for each of its
//! indices, equal where the indices are; of a constant array that is its element. Equal arrays have
//! equal cells there, and arrays that are not equal differ at some further index.
//!
//! # Invariants
//! - An instance of a clause with arrays is, at any indices of its head, one of the clause with
//!   cells.
//! - Relations and clauses keep their ids.

use super::*;
use horn::{Atom, Clause, ClauseId, Relation};
use logic::{SymbolId, TermStore};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// At most so many cells of one relation of a body are used.
const MOST: usize = 6;

/// At which cells the relations of a body are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instances {
    /// At one: that of the head, or where the clause reads. Linear clauses stay linear.
    One,
    /// At that of the head, and wherever the clause reads.
    Read,
    /// At one, with an index for each array: that of the head for the array it comes from, or where
    /// the clause reads it. Linear clauses stay linear.
    Each,
}

impl Instances {
    /// Whether all arrays of a relation share their index.
    pub fn are_shared(self) -> bool {
        match self {
            Instances::One | Instances::Read => true,
            Instances::Each => false,
        }
    }
}

const NO_ARRAY: &str = "an array should be a symbol, a constant array, a store or a choice";

/// Clauses with cells.
pub struct Abstraction {
    /// The clauses.
    pub system: System,
    /// For each clause and relation of its body, where its first instance is in the new body.
    pub firsts: IdVec<ClauseId, Vec<usize>>,
}

/// Makes cells of arrays.
pub fn abstracted(system: &System, instances: Instances) -> Abstraction {
    let mut new = System {
        store: system.store.clone(),
        ..System::default()
    };
    for relation in system.relations.iter() {
        let mut sorts: Vec<Sort> = Vec::new();
        if relation.sorts.contains(&Sort::Array) && instances.are_shared() {
            sorts.push(Sort::Int);
        }
        for &sort in &relation.sorts {
            match sort {
                Sort::Array if instances.are_shared() => sorts.push(Sort::Int),
                Sort::Array => sorts.extend([Sort::Int, Sort::Int]),
                Sort::Bool | Sort::Int | Sort::Real => sorts.push(sort),
            }
        }
        let name = relation.name.clone();
        new.relations.push(Relation { name, sorts });
    }
    let mut firsts = IdVec::new();
    for clause in system.clauses.iter() {
        let maker = ClauseCells::new(&mut new.store, clause, instances);
        let (clause, places) = maker.clause();
        new.clauses.push(clause);
        firsts.push(places);
    }
    debug_assert_eq!(new.flaw(), None, "what has cells should be well-formed");
    Abstraction {
        system: new,
        firsts,
    }
}

/// An array as a symbol that stands for all arrays it is compared with or made of.
type Group = SymbolId;

/// An index for each array of an atom.
type Indices = Vec<TermId>;

/// An equality of arrays: the truth value in its place, and the arrays.
struct Equality {
    value: TermId,
    sides: (TermId, TermId),
}

struct ClauseCells<'s> {
    store: &'s mut TermStore,
    clause: Clause,
    instances: Instances,
    /// A symbol nearer to the one that stands for the group.
    above: FxHashMap<SymbolId, SymbolId>,
    /// For each constant array, a symbol that stands for it.
    constants: FxHashMap<TermId, SymbolId>,
    /// What became of terms that are not arrays.
    done: FxHashMap<TermId, TermId>,
    equalities: Vec<Equality>,
    /// The cells of each array.
    cells: BTreeMap<SymbolId, Vec<(TermId, TermId)>>,
    /// Where arrays of a group are looked at, and where they are read.
    indices: BTreeMap<Group, Vec<TermId>>,
    read: BTreeMap<Group, Vec<TermId>>,
}

impl<'s> ClauseCells<'s> {
    fn new(store: &'s mut TermStore, clause: &Clause, instances: Instances) -> Self {
        let mut clause = clause.clone();
        let arguments: Vec<TermId> = clause
            .atoms()
            .flat_map(|atom| atom.arguments.clone())
            .collect();
        let fixed = store.symbols_of(&arguments);
        let all = store.symbols_of(&[clause.constraint]);
        let free: BTreeSet<SymbolId> = all.difference(&fixed).copied().collect();
        let simple = store.simplify(clause.constraint);
        let solved = store.solved(simple, &free);
        clause.constraint = store.simplify(solved);
        ClauseCells {
            store,
            clause,
            instances,
            above: FxHashMap::default(),
            constants: FxHashMap::default(),
            done: FxHashMap::default(),
            equalities: Vec::new(),
            cells: BTreeMap::new(),
            indices: BTreeMap::new(),
            read: BTreeMap::new(),
        }
    }

    /// The clause with cells, and the places of the first instances of its body.
    fn clause(mut self) -> (Clause, Vec<usize>) {
        let terms = self.clause.terms();
        self.group(&terms);
        self.rewrite(&terms);
        let Clause { body, head, .. } = self.clause.clone();
        let head_indices = match &head {
            Some(head) => self.indices_of_head(head),
            None => Vec::new(),
        };
        let witnesses = self.witnesses();
        let mut chosen: Vec<Vec<Indices>> = Vec::new();
        for atom in &body {
            chosen.push(self.chosen(atom, head.as_ref(), &head_indices));
        }
        // All indices are known before anything is said about equal arrays.
        for (atom, chosen) in body.iter().zip(&chosen) {
            chosen.iter().for_each(|at| self.look_at_atom(atom, at));
        }
        if let Some(head) = &head {
            self.look_at_atom(head, &head_indices);
        }
        let mut instances = Vec::new();
        let mut firsts = Vec::new();
        for (atom, chosen) in body.iter().zip(&chosen) {
            firsts.push(instances.len());
            for at in chosen {
                instances.push(self.atom(atom, at));
            }
        }
        let head = head.map(|atom| self.atom(&atom, &head_indices));
        let clause = Clause {
            body: instances,
            constraint: self.constraint(&witnesses),
            head,
            span: self.clause.span,
        };
        (clause, firsts)
    }

    /// New indices for the arrays of the head.
    fn indices_of_head(&mut self, head: &Atom) -> Indices {
        let arrays = self.arrays(head).len();
        match self.instances.are_shared() && arrays > 0 {
            true => vec![self.store.fresh("k", Sort::Int); arrays],
            false => (0..arrays)
                .map(|_| self.store.fresh("k", Sort::Int))
                .collect(),
        }
    }

    fn look_at_atom(&mut self, atom: &Atom, indices: &[TermId]) {
        for (array, &index) in self.arrays(atom).into_iter().zip(indices) {
            let group = self.group_of(array);
            self.look_at(group, index);
        }
    }

    /// Puts arrays together that are made of each other, compared, or share their index.
    fn group(&mut self, terms: &[TermId]) {
        for term in self.store.below(terms) {
            match *self.store.node(term) {
                Node::ConstantArray(_) => {
                    let symbol = self.store.new_symbol("constant", Sort::Array);
                    self.constants.insert(term, symbol);
                }
                Node::SameArray(a, b) => self.join(&[a, b]),
                Node::Ite(_, a, b) if self.store.sort(term) == Sort::Array => self.join(&[a, b]),
                _ => {}
            }
        }
        if self.instances.are_shared() {
            for atom in self.clause.clone().atoms() {
                let arrays = self.arrays(atom);
                self.join(&arrays);
            }
        }
    }

    /// The arguments of an atom that are arrays.
    fn arrays(&self, atom: &Atom) -> Vec<TermId> {
        let arguments = atom.arguments.iter().copied();
        arguments
            .filter(|&argument| self.store.sort(argument) == Sort::Array)
            .collect()
    }

    fn join(&mut self, arrays: &[TermId]) {
        let groups: Vec<Group> = arrays.iter().map(|&array| self.group_of(array)).collect();
        for &group in groups.iter().skip(1) {
            let (from, to) = (self.representative(group), self.representative(groups[0]));
            if from != to {
                self.above.insert(from, to);
            }
        }
    }

    fn representative(&self, symbol: SymbolId) -> Group {
        let mut at = symbol;
        while let Some(&next) = self.above.get(&at) {
            at = next;
        }
        at
    }

    /// The group of an array: that of a symbol it is made of.
    fn group_of(&self, array: TermId) -> Group {
        let mut array = array;
        loop {
            match *self.store.node(array) {
                Node::Symbol(symbol) => return self.representative(symbol),
                Node::Store(inner, _, _) | Node::Ite(_, inner, _) => array = inner,
                Node::ConstantArray(_) => return self.representative(self.constants[&array]),
                _ => unreachable!("{NO_ARRAY}"),
            }
        }
    }

    fn look_at(&mut self, group: Group, index: TermId) {
        let indices = self.indices.entry(group).or_default();
        if !indices.contains(&index) {
            indices.push(index);
        }
    }

    /// Exchanges what is read from arrays, and equalities of arrays, which get truth values.
    fn rewrite(&mut self, terms: &[TermId]) {
        for term in self.store.below(terms) {
            let new = match *self.store.node(term) {
                Node::Select(array, index) => {
                    let index = self.done[&index];
                    let group = self.group_of(array);
                    self.look_at(group, index);
                    let read = self.read.entry(group).or_default();
                    if !read.contains(&index) {
                        read.push(index);
                    }
                    self.element(array, index)
                }
                Node::Store(array, index, _) => {
                    let (group, index) = (self.group_of(array), self.done[&index]);
                    self.look_at(group, index);
                    term
                }
                Node::SameArray(a, b) => {
                    let value = self.store.fresh("same", Sort::Bool);
                    let sides = (a, b);
                    self.equalities.push(Equality { value, sides });
                    value
                }
                _ if self.store.sort(term) == Sort::Array => term,
                _ => self.store.with_parts(term, &self.done),
            };
            self.done.insert(term, new);
        }
    }

    /// The element of an array at an index; all that the array is made of is done.
    fn element(&mut self, array: TermId, index: TermId) -> TermId {
        match *self.store.node(array) {
            Node::Symbol(symbol) => self.cell(symbol, index),
            Node::Store(inner, at, element) => {
                let (at, element) = (self.done[&at], self.done[&element]);
                let here = self.store.eq(index, at);
                if self.store.as_bool(here) == Some(true) {
                    return element;
                }
                let inner = self.element(inner, index);
                self.store.ite(here, element, inner)
            }
            Node::Ite(condition, a, b) => {
                let (a, b) = (self.element(a, index), self.element(b, index));
                self.store.ite(self.done[&condition], a, b)
            }
            Node::ConstantArray(element) => self.done[&element],
            _ => unreachable!("{NO_ARRAY}"),
        }
    }

    fn cell(&mut self, array: SymbolId, index: TermId) -> TermId {
        let cells = self.cells.entry(array).or_default();
        if let Some((_, cell)) = cells.iter().find(|(at, _)| *at == index) {
            return *cell;
        }
        let cell = self.store.fresh("cell", Sort::Int);
        cells.push((index, cell));
        cell
    }

    /// For each equality that is somewhere said not to hold, an index where its arrays differ.
    fn witnesses(&mut self) -> Vec<Option<TermId>> {
        let denied = self.denied();
        let mut witnesses = Vec::new();
        for at in 0..self.equalities.len() {
            let Equality { value, sides } = &self.equalities[at];
            let group = self.group_of(sides.0);
            if !denied.contains(value) {
                witnesses.push(None);
                continue;
            }
            let index = self.store.fresh("differs", Sort::Int);
            self.look_at(group, index);
            self.read.entry(group).or_default().push(index);
            witnesses.push(Some(index));
        }
        witnesses
    }

    /// The equalities that do not only stand for what holds.
    fn denied(&self) -> FxHashSet<TermId> {
        let mut open = vec![(self.done[&self.clause.constraint], true)];
        open.extend(self.clause.atoms().flat_map(|atom| {
            let arguments = atom.arguments.iter();
            arguments.map(|argument| (self.done[argument], false))
        }));
        let mut seen: FxHashSet<(TermId, bool)> = open.iter().copied().collect();
        let mut denied: FxHashSet<TermId> = FxHashSet::default();
        while let Some((term, holds)) = open.pop() {
            if !holds {
                denied.insert(term);
            }
            let parts = self.store.parts(term);
            let (same, other) = match self.store.node(term) {
                Node::And(_) | Node::Or(_) => (true, false),
                Node::Not(_) => (false, true),
                _ => (true, true),
            };
            for part in parts {
                for (goes_on, sign) in [(same, holds), (other, !holds)] {
                    if goes_on && seen.insert((part, sign)) {
                        open.push((part, sign));
                    }
                }
            }
        }
        denied
    }

    /// The indices at which a relation of the body is used, instance by instance.
    fn chosen(
        &mut self,
        atom: &Atom,
        head: Option<&Atom>,
        head_indices: &[TermId],
    ) -> Vec<Indices> {
        let arrays = self.arrays(atom);
        let Some(&first) = arrays.first() else {
            return vec![Vec::new()];
        };
        if !self.instances.are_shared() {
            let each = arrays.iter();
            let each = each.map(|&array| self.index_of(array, head, head_indices));
            return vec![each.collect()];
        }
        let most = match self.instances {
            Instances::One | Instances::Each => 1,
            Instances::Read => MOST,
        };
        let read = self.read.get(&self.group_of(first)).cloned();
        let read = read.unwrap_or_default();
        // What is said to differ was found last, and is what a query asks for.
        let known = head_indices.first().copied().into_iter();
        let mut chosen: Vec<TermId> = known.chain(read.into_iter().rev()).take(most).collect();
        if chosen.is_empty() {
            chosen.push(self.store.fresh("k", Sort::Int));
        }
        let repeated = |index: TermId| vec![index; arrays.len()];
        chosen.into_iter().map(repeated).collect()
    }

    /// The index at which one array of the body is used.
    fn index_of(&mut self, array: TermId, head: Option<&Atom>, head_indices: &[TermId]) -> TermId {
        let group = self.group_of(array);
        let arrays = head.map(|head| self.arrays(head)).unwrap_or_default();
        let mut known = arrays.into_iter().zip(head_indices);
        if let Some((_, &index)) = known.find(|(other, _)| self.group_of(*other) == group) {
            return index;
        }
        let read = self.read.get(&group).and_then(|read| read.last());
        match read {
            Some(&index) => index,
            None => self.store.fresh("k", Sort::Int),
        }
    }

    /// An atom, its arrays at some indices.
    fn atom(&mut self, atom: &Atom, indices: &[TermId]) -> Atom {
        let mut arguments = Vec::new();
        let is_shared = self.instances.are_shared();
        arguments.extend(indices.first().filter(|_| is_shared));
        let mut each = indices.iter();
        for &argument in &atom.arguments {
            if self.store.sort(argument) != Sort::Array {
                arguments.push(self.done[&argument]);
                continue;
            }
            let index = *each.next().expect("each array should have an index");
            if !is_shared {
                arguments.push(index);
            }
            arguments.push(self.element(argument, index));
        }
        Atom {
            relation: atom.relation,
            arguments,
        }
    }

    /// The constraint, with what is known about cells.
    fn constraint(&mut self, witnesses: &[Option<TermId>]) -> TermId {
        let mut said: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut facts = Vec::new();
        for (at, witness) in witnesses.iter().enumerate() {
            let Equality { value, sides } = self.equalities[at];
            let group = self.group_of(sides.0);
            let indices = self.indices.get(&group).cloned().unwrap_or_default();
            let mut same = Vec::new();
            for index in indices {
                let (a, b) = (self.element(sides.0, index), self.element(sides.1, index));
                same.push(self.store.eq(a, b));
            }
            let same = self.store.and(&same);
            let Some(index) = *witness else {
                said.insert(value, same);
                continue;
            };
            facts.push(self.store.implies(value, same));
            let (a, b) = (self.element(sides.0, index), self.element(sides.1, index));
            let differs = self.store.ne(a, b);
            facts.push(self.store.or(&[value, differs]));
        }
        for cells in self.cells.values() {
            for (at, (index, cell)) in cells.iter().enumerate() {
                for (other, there) in &cells[..at] {
                    let (here, same) =
                        (self.store.eq(*index, *other), self.store.eq(*cell, *there));
                    facts.push(self.store.implies(here, same));
                }
            }
        }
        facts.push(self.done[&self.clause.constraint]);
        let constraint = self.store.and(&facts);
        let constraint = self.store.replace_all(&[constraint], &said)[0];
        self.store.simplify(constraint)
    }
}
