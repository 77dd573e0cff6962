//! The search for a refutation: guesses, clauses, and arithmetic.
//!
//! A conflict-driven search over the clauses, with the simplex asked after every propagation. When
//! all atoms have a value, what the simplex does not know is looked at, and what is wrong becomes a
//! clause or a new atom to guess: numbers that must not be equal, integers that are not whole,
//! functions with two values. New atoms only speak of what some part can speak of, so that the
//! proof has interpolants.
//!
//! # Paper
//! [dutertre2006fast] for the arithmetic, and splitting on demand for integers.

use crate::congruence::{self, Pair};
use crate::encode::{Application, Encoder};
use crate::interpolant::Reader;
use crate::lattice::{Lattice, Multiples};
use crate::linear::VarId;
use crate::literal::{Atom, AtomId, Limit, Literal};
use crate::parts::PartSet;
use crate::proof::{Because, Proof, StepId};
use crate::scope::Scopes;
use crate::search::{ClauseId, Search};
use crate::shape::Shape;
use crate::simplex::{Bounds, Farkas, Simplex};
use crate::table::{Meaning, Table};
use base::{Budget, Id};
use logic::{Integer, Node, Rational, TermId, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// When the search gives up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Conflicts, of guesses or of arithmetic.
    pub conflicts: u64,
    /// Guesses where an integer that is not whole lies.
    pub splits: u64,
    /// Pivots of the simplex.
    pub pivots: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            conflicts: 2_000,
            splits: 500,
            pivots: 50_000,
        }
    }
}

/// What the search found.
pub enum Answer {
    /// The parts are inconsistent.
    Refuted(Box<Refutation>),
    /// They seem to be consistent: nothing is left to do.
    Consistent,
    /// The search gave up.
    GaveUp(String),
}

/// A proof that the parts are inconsistent.
pub struct Refutation {
    /// What the atoms mean.
    pub table: Table,
    /// The steps.
    pub proof: Proof,
    /// The step that derives the empty clause.
    pub root: StepId,
}

/// Looks for a refutation of some parts.
pub fn refute(
    store: &mut TermStore,
    parts: &[TermId],
    shape: &Shape,
    limits: Limits,
    budget: &Budget,
) -> Answer {
    let mut between = BTreeSet::new();
    // Nested applications need a round each.
    for _ in 0..ROUNDS {
        let search = search(store, parts, shape, &between, limits, budget);
        let Answer::Refuted(refutation) = search.answer else {
            return search.answer;
        };
        let needed = refutation.proof.needed(refutation.root);
        let is_needed = |(step, _): &&(StepId, Pair)| needed.binary_search(step).is_ok();
        let pairs = search.far.iter().filter(is_needed).map(|(_, pair)| *pair);
        let pairs: Vec<Pair> = pairs.collect();
        if pairs.is_empty() {
            return Answer::Refuted(refutation);
        }
        let known = between.len();
        let applications = &search.applications;
        between.extend(congruence::between(
            store,
            &refutation,
            applications,
            &pairs,
            shape,
        ));
        if between.len() == known {
            break;
        }
    }
    Answer::GaveUp("no term was found between two applications of a function".to_owned())
}

/// How often terms are looked for between applications.
const ROUNDS: usize = 4;

/// A remainder by more than this says little that a person or a solver can use: splitting is tried
/// first, this often.
const COARSE: i64 = 1024;
const PLAIN: u64 = 50;

/// Ranges up to this width have few values.
const NARROW: i128 = 64;

/// How one search went.
struct Searched {
    answer: Answer,
    applications: Vec<Application>,
    /// The clauses about applications that no part can speak of together.
    far: Vec<(StepId, Pair)>,
}

/// One search, with some applications that stand between others.
fn search(
    store: &mut TermStore,
    parts: &[TermId],
    shape: &Shape,
    between: &BTreeSet<TermId>,
    limits: Limits,
    budget: &Budget,
) -> Searched {
    let mut table = Table::default();
    let mut scopes = Scopes::new(store, parts, shape);
    let mut encoder = Encoder::new(store, &mut table, &mut scopes);
    let encoded = encoder.parts(parts, between);
    let Encoder {
        clauses,
        applications,
        ..
    } = encoder;
    if let Err(unknown) = encoded {
        let term = store.smtlib(unknown);
        return Searched {
            answer: Answer::GaveUp(format!("the prover does not know {term}")),
            applications,
            far: Vec::new(),
        };
    }
    let mut prover = Prover {
        store,
        table,
        applications,
        far: Vec::new(),
        simplex: Simplex::default(),
        search: Search::default(),
        proof: Proof::default(),
        asserted: 0,
        marks: Vec::new(),
        conflicts: 0,
        splits: 0,
    };
    let mut conflict = None;
    prover.sync();
    for clause in clauses {
        let step = (prover.proof).hypothesis(clause.literals.clone(), clause.part);
        conflict = conflict.or(prover.search.add(clause.literals, step));
    }
    let answer = match prover.run(conflict, limits, budget) {
        Found::Refuted(root) => Answer::Refuted(Box::new(Refutation {
            table: prover.table,
            proof: prover.proof,
            root,
        })),
        Found::Consistent => Answer::Consistent,
        Found::GaveUp(reason) => Answer::GaveUp(reason),
    };
    Searched {
        answer,
        applications: prover.applications,
        far: prover.far,
    }
}

/// How the search ended.
enum Found {
    Refuted(StepId),
    Consistent,
    GaveUp(String),
}

struct Prover<'a> {
    store: &'a mut TermStore,
    table: Table,
    applications: Vec<Application>,
    far: Vec<(StepId, Pair)>,
    simplex: Simplex,
    search: Search,
    proof: Proof,
    /// How much of the trail the simplex knows.
    asserted: usize,
    /// The bounds that stood before each guess.
    marks: Vec<usize>,
    conflicts: u64,
    splits: u64,
}

/// What to do when all atoms have a value.
enum Next {
    /// Go on with the search.
    Search,
    /// A clause is false.
    Conflict(ClauseId),
    /// There is nothing to do.
    Done,
}

impl Prover<'_> {
    fn run(&mut self, mut conflict: Option<ClauseId>, limits: Limits, budget: &Budget) -> Found {
        loop {
            if let Some(clause) = conflict.take().or_else(|| self.propagate()) {
                let level = self.search.conflict_level(clause);
                self.backtrack(level);
                if level == 0 {
                    return Found::Refuted(self.search.refute(clause, &mut self.proof));
                }
                self.conflicts += 1;
                let learned = self.search.analyse(clause, &mut self.proof);
                self.backtrack(learned.level);
                self.search.add(learned.literals, learned.step);
            } else if let Some(atom) = self.search.undecided() {
                self.marks.push(self.simplex.mark());
                self.search.decide(Literal::new(atom, self.phase(atom)));
            } else {
                match self.complete() {
                    Next::Search => {}
                    Next::Conflict(clause) => conflict = Some(clause),
                    Next::Done => return Found::Consistent,
                }
            }
            if let Some(reason) = self.exhausted(limits, budget) {
                return Found::GaveUp(reason);
            }
        }
    }

    fn exhausted(&self, limits: Limits, budget: &Budget) -> Option<String> {
        let past = [
            (self.conflicts, limits.conflicts, "conflicts"),
            (self.splits, limits.splits, "splits of integers"),
            (self.simplex.pivots, limits.pivots, "pivots"),
        ];
        let met = past.iter().find(|(count, limit, _)| count > limit);
        if let Some((_, limit, what)) = met {
            return Some(format!("the prover gave up after {limit} {what}"));
        }
        let stopped = budget.check().is_err();
        stopped.then(|| "the prover ran out of time".to_owned())
    }

    fn backtrack(&mut self, level: usize) {
        if level >= self.search.level() {
            return;
        }
        self.search.backtrack(level);
        self.simplex.undo(self.marks[level]);
        self.marks.truncate(level);
        self.asserted = self.asserted.min(self.search.trail().len());
    }

    /// Makes the simplex and the search know all variables and atoms.
    fn sync(&mut self) {
        for var in self.table.vars().ids().skip(self.simplex.len()) {
            match &self.table.vars()[var].meaning {
                Meaning::Term(_) => self.simplex.new_var(),
                Meaning::Form(form) => self.simplex.define(form),
            };
        }
        self.search.grow(self.table.atoms().len());
    }

    /// Makes true what has to be; a clause that is false, if there is one.
    fn propagate(&mut self) -> Option<ClauseId> {
        loop {
            if let Some(conflict) = self.search.propagate() {
                return Some(conflict);
            }
            if self.asserted == self.search.trail().len() {
                return None;
            }
            while let Some(&literal) = self.search.trail().get(self.asserted) {
                self.asserted += 1;
                if let Some(limit) = self.table.limit(literal)
                    && let Err(farkas) = self.simplex.assert(&limit, literal)
                {
                    return self.contradiction(farkas);
                }
            }
            if let Err(farkas) = self.simplex.check() {
                return self.contradiction(farkas);
            }
        }
    }

    /// Adds the clause that a contradiction of inequalities stands for.
    fn contradiction(&mut self, farkas: Farkas) -> Option<ClauseId> {
        let mut multiples: BTreeMap<Literal, Rational> = BTreeMap::new();
        for (literal, multiple) in farkas {
            let sum = multiples.entry(literal).or_insert(Rational::ZERO);
            *sum = &*sum + &multiple;
        }
        multiples.retain(|_, multiple| !multiple.is_zero());
        let clause = multiples.keys().map(|literal| literal.negated()).collect();
        self.lemma(clause, Because::Farkas(multiples.into_iter().collect()))
    }

    /// Adds a clause that holds by itself; says so if it is false.
    fn lemma(&mut self, clause: Vec<Literal>, because: Because) -> Option<ClauseId> {
        self.sync();
        let step = self.proof.contradiction(clause.clone(), because);
        let level = self.search.level_to_add(&clause);
        self.backtrack(level);
        self.search.add(clause, step)
    }

    /// The value to guess: the one that the numbers have now.
    fn phase(&self, atom: AtomId) -> bool {
        match &self.table.atoms()[atom] {
            Atom::Truth(_) | Atom::Name(_) => false,
            Atom::AtMost { var, bound, strict } => {
                let order = self.simplex.value(*var).compare(bound);
                order.is_lt() || (order.is_eq() && !strict)
            }
            Atom::Equal { var, bound } => self.simplex.value(*var).compare(bound).is_eq(),
        }
    }

    /// Looks for what the simplex does not know to be wrong.
    fn complete(&mut self) -> Next {
        self.sides()
            .or_else(|| self.congruence())
            .or_else(|| self.integers())
            .unwrap_or(Next::Done)
    }

    /// A function with two values for equal arguments.
    fn congruence(&mut self) -> Option<Next> {
        let (near, far) = congruence::violated(&self.applications, &self.table, &self.simplex);
        let pair = *near.first().or(far.first())?;
        if near.is_empty() {
            self.far.push((self.proof.steps().next_id(), pair));
        }
        let [first, second] = [pair.0, pair.1].map(|it| &self.applications[it]);
        let (clause, result) = congruence::clause(first, second, &mut self.table);
        let conflict = self.lemma(clause, Because::Congruence(result));
        Self::after_lemma(conflict)
    }

    fn after_lemma(conflict: Option<ClauseId>) -> Option<Next> {
        Some(conflict.map_or(Next::Search, Next::Conflict))
    }

    /// A number that is what it must not be has to be below or above.
    fn sides(&mut self) -> Option<Next> {
        let excluded = |literal: &&Literal| {
            let limit = self.table.limit(**literal);
            let Some(Limit::Except(var, bound)) = limit else {
                return false;
            };
            self.simplex.value(var).compare(&bound).is_eq()
        };
        let literal = *self.search.trail().iter().find(excluded)?;
        let Some(Limit::Except(var, bound)) = self.table.limit(literal) else {
            return None;
        };
        let clause = self.sides_of(literal.negated(), var, &bound);
        let conflict = self.lemma(clause, Because::Sides);
        Self::after_lemma(conflict)
    }

    /// A number is a constant, below it or above it; `equal` says that it is.
    fn sides_of(&mut self, equal: Literal, var: VarId, bound: &Rational) -> Vec<Literal> {
        let home = self.table.home(equal.atom()).first();
        let is_int = self.table.vars()[var].is_int;
        let mut at_most = |bound: Rational, strict: bool| {
            let atom = Atom::AtMost { var, bound, strict };
            let atom = self.table.atom(atom, None);
            if let Some(home) = home {
                self.table.settle(atom, home);
            }
            atom
        };
        let above = at_most(bound.clone(), false);
        let below = if is_int {
            at_most(bound - &Rational::ONE, false)
        } else {
            at_most(bound.clone(), true)
        };
        vec![equal, Literal::new(below, true), Literal::new(above, false)]
    }

    /// An integer that is not whole: a contradiction of equalities, or a guess.
    fn integers(&mut self) -> Option<Next> {
        let broken = self.broken();
        if broken.is_empty() {
            return None;
        }
        if let Some(next) = self.lattice() {
            return Some(next);
        }
        self.splits += 1;
        let (var, bound) = self.split(&broken);
        let bound = Rational::from(bound);
        let strict = false;
        let atom = self.table.atom(Atom::AtMost { var, bound, strict }, None);
        let part = self.table.vars()[var].scope.first();
        self.table.settle(atom, part.unwrap_or(0));
        self.sync();
        Some(Next::Search)
    }

    /// The integers that are not whole.
    fn broken(&self) -> Vec<VarId> {
        let vars = self.table.vars().iter_enumerated();
        let broken = vars.filter(|(var, row)| {
            let is_term = matches!(row.meaning, Meaning::Term(_));
            is_term && row.is_int && !self.simplex.value(*var).main.is_integer()
        });
        broken.map(|(var, _)| var).collect()
    }

    /// An integer to guess about, and the bound to guess. What has few values comes first: when it
    /// is fixed, equalities may contradict each other. Without bounds there may be no end to it.
    fn split(&self, broken: &[VarId]) -> (VarId, Integer) {
        let below = |var: VarId| self.simplex.value(var).main.floor();
        let narrow = |var: VarId| {
            let Bounds { low, high, .. } = self.simplex.bounds(var)?;
            let width = (high - low).to_integer()?.to_i128()?;
            (0 < width && width <= NARROW).then_some((width, var))
        };
        if let Some((_, var)) = broken.iter().filter_map(|&var| narrow(var)).min() {
            return (var, below(var));
        }
        let kinds = |is: fn(&Node) -> bool| {
            let vars = self.table.vars().iter_enumerated();
            vars.filter(move |(_, row)| {
                matches!(row.meaning, Meaning::Term(term) if is(self.store.node(term)))
            })
        };
        let rests = kinds(|node| matches!(node, Node::Mod(..)));
        if let Some((_, var)) = rests.filter_map(|(var, _)| narrow(var)).min() {
            let value = below(var);
            let bounds = self.simplex.bounds(var);
            let top = bounds.and_then(|bounds| bounds.high.to_integer());
            if top == Some(&value) {
                return (var, &value - &Integer::ONE);
            }
            return (var, value);
        }
        let mut quotients = kinds(|node| matches!(node, Node::Div(..)));
        let quotient = quotients.find(|(var, _)| broken.contains(var));
        let var = quotient.map_or(broken[0], |(var, _)| var);
        (var, below(var))
    }

    /// A contradiction between the equalities that hold now, or of them with an integer's bounds.
    fn lattice(&mut self) -> Option<Next> {
        let mut fixed = Vec::new();
        let mut equations = Vec::new();
        for (var, row) in self.table.vars().iter_enumerated() {
            if let Some(bounds) = self.simplex.bounds(var)
                && row.is_int
                && bounds.low == bounds.high
            {
                let mut equation = self.table.expand(var);
                equation.constant = -bounds.low;
                equations.push(equation);
                fixed.push((var, bounds.low.clone(), bounds.lower, bounds.upper));
            }
        }
        let fresh = VarId::from_index(self.table.vars().len());
        let (multiples, bounds) = match Lattice::solve(&equations, fresh) {
            Err(multiples) => (multiples, Vec::new()),
            Ok(lattice) => self.excluded(&lattice)?,
        };
        let modulus = multiples.values().map(Rational::denominator).max();
        if self.splits < PLAIN && modulus.is_some_and(|it| *it > Integer::from(COARSE)) {
            return None;
        }
        let mut farkas = Vec::new();
        for (number, multiple) in multiples {
            let (var, value, lower, upper) = fixed[number].clone();
            let equal = Atom::Equal { var, bound: value };
            match self.equality(equal, lower, upper) {
                Ok(literal) => farkas.push((literal, multiple)),
                Err(next) => return Some(next),
            }
        }
        let literals = farkas.iter().map(|(literal, _)| literal);
        let clause = literals.chain(&bounds).map(|it| it.negated()).collect();
        let because = match bounds.is_empty() {
            true => Because::Lattice(farkas),
            false => Because::Residue {
                multiples: farkas,
                bounds,
            },
        };
        let conflict = self.lemma(clause, because);
        Self::after_lemma(conflict)
    }

    /// An integer of which solved equalities leave only values outside its bounds: the multiples of
    /// the equalities that say so, and the bounds.
    fn excluded(&self, lattice: &Lattice) -> Option<(Multiples, Vec<Literal>)> {
        self.table.vars().iter_enumerated().find_map(|(var, row)| {
            let bounds = self.simplex.bounds(var)?;
            if !row.is_int || bounds.low == bounds.high {
                return None;
            }
            let residue = lattice.residue(&self.table.expand(var))?;
            let (low, high) = (bounds.low.ceil(), bounds.high.floor());
            let first = &low + &(&residue.rest - &low).mod_floor(&residue.modulus);
            let is_excluded = first > high;
            is_excluded.then(|| (residue.multiples, vec![bounds.lower, bounds.upper]))
        })
    }

    /// The literal that says that a number is a constant, which two literals imply; if it does not
    /// hold yet, the clause that makes it hold is added.
    fn equality(&mut self, equal: Atom, lower: Literal, upper: Literal) -> Result<Literal, Next> {
        if lower == upper {
            return Ok(lower);
        }
        let part = self.table.home(lower.atom()).first();
        let atom = self.table.atom(equal, None);
        self.table.settle(atom, part.unwrap_or(0));
        self.sync();
        let literal = Literal::new(atom, true);
        if self.search.value(literal) == Some(true) {
            return Ok(literal);
        }
        let clause = vec![literal, lower.negated(), upper.negated()];
        let conflict = self.lemma(clause, Because::Sides);
        Err(conflict.map_or(Next::Search, Next::Conflict))
    }
}

impl Refutation {
    /// The interpolants: one for each part but the last, for the cut above it.
    pub fn interpolants(&self, store: &mut TermStore, shape: &Shape) -> Vec<TermId> {
        let needed = self.proof.needed(self.root);
        let cuts = 0..shape.len() - 1;
        let read = |cut: usize| {
            let inside = PartSet::from_fn(shape.len(), |part| shape.is_inside(cut, part));
            let mut reader = Reader {
                store,
                table: &self.table,
                inside: &inside,
            };
            reader.interpolant(&self.proof, &needed)
        };
        cuts.map(read).collect()
    }
}
