//! The search for a refutation: decisions, clauses, and arithmetic.
//!
//! A conflict-driven search over the clauses, with a simplex check after every propagation. When
//! all atoms are assigned, what the simplex does not know is checked, and violations become a
//! clause or a new atom to decide: numbers that must not be equal, fractional integers, functions
//! with two values. New atoms only use symbols that some part can use, so that the proof has
//! interpolants.
//!
//! # Paper
//! [dutertre2006fast] for the arithmetic, and splitting on demand for integers.

use crate::PartSet;
use crate::bounds::Agenda;
use crate::congruence::{self, Pair};
use crate::encode::{Application, Encoder};
use crate::interpolant::Reader;
use crate::linear::VarId;
use crate::literal::{Atom, AtomId, Literal};
use crate::proof::{Because, Proof, Rule, StepId};
use crate::restart::Restarts;
use crate::scope::Scopes;
use crate::search::{ClauseId, Search};
use crate::shape::{Problem, Shape};
use crate::simplex::{Farkas, Simplex};
use crate::table::{Meaning, Table};
use base::Budget;
use logic::sparse::collected;
use logic::{Rational, TermId, TermStore};
use std::collections::BTreeSet;

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
    problem: Problem<'_>,
    limits: Limits,
    budget: &Budget,
) -> Answer {
    let mut between = BTreeSet::new();
    // Nested applications need a round each.
    for _ in 0..ROUNDS {
        let search = search(store, problem, &between, limits, budget);
        let Answer::Refuted(refutation) = search.answer else {
            return search.answer;
        };
        let needed = refutation.proof.needed(refutation.root);
        let is_needed = |(step, _): &&(StepId, Pair)| needed.binary_search(step).is_ok();
        let pairs = search.far.iter().filter(is_needed).map(|(_, pair)| *pair);
        let pairs: Vec<Pair> = pairs.collect();
        if pairs.is_empty() && refutation.is_at_home(&needed) {
            return Answer::Refuted(refutation);
        }
        let known = between.len();
        let (applications, shape) = (&search.applications, problem.shape);
        let found = congruence::between(store, &refutation, applications, &pairs, shape);
        between.extend(found);
        if between.len() == known {
            break;
        }
    }
    Answer::GaveUp("no term was found between two applications of a function".to_owned())
}

/// How often terms are looked for between applications.
const ROUNDS: usize = 4;

/// So many conflicts, or guesses about integers, are few.
const EASY_CONFLICTS: u64 = 64;
const EASY_SPLITS: u64 = 8;

/// How one search went.
struct Searched {
    answer: Answer,
    applications: Vec<Application>,
    /// The clauses about applications that no part can mention together.
    far: Vec<(StepId, Pair)>,
}

/// One search, with some applications that are between others.
fn search(
    store: &mut TermStore,
    problem: Problem<'_>,
    between: &BTreeSet<TermId>,
    limits: Limits,
    budget: &Budget,
) -> Searched {
    let mut table = Table::default();
    let mut scopes = Scopes::new(store, problem);
    let mut encoder = Encoder::new(store, &mut table, &mut scopes);
    let encoded = encoder.parts(problem.parts, between);
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
        agenda: Agenda::default(),
        tightens: false,
        search: Search::default(),
        proof: Proof::default(),
        asserted: 0,
        marks: Vec::new(),
        conflicts: 0,
        restarts: Restarts::default(),
        splits: 0,
        limits,
        budget,
    };
    let mut conflict = None;
    prover.sync();
    for clause in clauses {
        let step = (prover.proof).hypothesis(clause.literals.clone(), clause.part);
        conflict = conflict.or(prover.search.add(clause.literals, step));
    }
    let found = prover.run(conflict);
    budget.spend(prover.effort());
    let answer = match found {
        Ok(Some(root)) => Answer::Refuted(Box::new(Refutation {
            table: prover.table,
            proof: prover.proof,
            root,
        })),
        Ok(None) => Answer::Consistent,
        Err(reason) => Answer::GaveUp(reason),
    };
    Searched {
        answer,
        applications: prover.applications,
        far: prover.far,
    }
}

pub(crate) struct Prover<'a> {
    pub(crate) store: &'a mut TermStore,
    pub(crate) table: Table,
    applications: Vec<Application>,
    far: Vec<(StepId, Pair)>,
    pub(crate) simplex: Simplex,
    pub(crate) agenda: Agenda,
    /// Whether it looks for implied bounds.
    pub(crate) tightens: bool,
    pub(crate) search: Search,
    proof: Proof,
    /// How much of the trail the simplex knows.
    asserted: usize,
    /// The bounds that stood before each guess.
    marks: Vec<usize>,
    conflicts: u64,
    restarts: Restarts,
    pub(crate) splits: u64,
    limits: Limits,
    budget: &'a Budget,
}

/// What to do when all atoms have a value.
pub(crate) enum Next {
    /// Go on with the search.
    Search,
    /// A clause is false.
    Conflict(ClauseId),
    /// There is nothing to do.
    Done,
}

impl Prover<'_> {
    /// The step that derives the empty clause, if there is one; or why the search gave up.
    fn run(&mut self, mut conflict: Option<ClauseId>) -> Result<Option<StepId>, String> {
        loop {
            let falsified = conflict.take().or_else(|| self.propagate());
            if let Some(reason) = self.exhausted() {
                return Err(reason);
            }
            if !self.tightens && self.is_hard() {
                self.tightens = true;
                self.backtrack(0);
            } else if let Some(clause) = falsified {
                let level = self.search.conflict_level(clause);
                self.backtrack(level);
                if level == 0 {
                    return Ok(Some(self.search.refute(clause, &mut self.proof)));
                }
                self.conflicts += 1;
                let learned = self.search.analyse(clause, &mut self.proof);
                self.backtrack(learned.level);
                self.search.add(learned.literals, learned.step);
                if self.restarts.is_over() {
                    self.backtrack(0);
                }
            } else if let Some(atom) = self.search.undecided() {
                self.marks.push(self.simplex.mark());
                self.search.decide(Literal::new(atom, self.phase(atom)));
            } else {
                match self.complete() {
                    Next::Search => {}
                    Next::Conflict(clause) => conflict = Some(clause),
                    Next::Done => return Ok(None),
                }
            }
        }
    }

    /// What the search has cost, in units of a budget's effort.
    fn effort(&self) -> u64 {
        1 + self.simplex.pivots + 8 * (self.conflicts + self.splits)
    }

    fn exhausted(&self) -> Option<String> {
        let past = [
            (self.conflicts, self.limits.conflicts, "conflicts"),
            (self.splits, self.limits.splits, "splits of integers"),
            (self.simplex.pivots, self.limits.pivots, "pivots"),
        ];
        let met = past.iter().find(|(count, limit, _)| count > limit);
        if let Some((_, limit, what)) = met {
            return Some(format!("the prover gave up after {limit} {what}"));
        }
        let stopped = self.budget.check().is_err();
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
    pub(crate) fn sync(&mut self) {
        for row in self.table.vars().iter().skip(self.simplex.len()) {
            match &row.meaning {
                Meaning::Term(_) => {
                    self.simplex.new_var(Rational::ZERO);
                    self.agenda.push(None);
                }
                Meaning::Form(form) => {
                    self.simplex.define(form);
                    self.agenda.push(Some(form));
                }
            }
        }
        self.search.grow(self.table.atoms().len());
    }

    /// Makes true what has to be; a clause that is false, if there is one.
    fn propagate(&mut self) -> Option<ClauseId> {
        loop {
            if let Some(conflict) = self.search.propagate() {
                return Some(conflict);
            }
            let is_idle = !self.tightens || self.agenda.is_idle();
            if self.asserted == self.search.trail().len() && is_idle {
                return None;
            }
            while let Some(&literal) = self.search.trail().get(self.asserted) {
                self.asserted += 1;
                let Some(limit) = self.table.limit(literal) else {
                    continue;
                };
                if let Err(farkas) = self.simplex.assert(&limit, literal) {
                    return self.contradiction(farkas);
                }
                self.agenda.changed(limit.var());
                if let Some(conflict) = self.imply(literal, &limit) {
                    return Some(conflict);
                }
            }
            if self.tightens {
                let known = self.search.trail().len();
                let conflict = self.tighten();
                if conflict.is_some() {
                    return conflict;
                }
                if self.search.trail().len() != known {
                    continue;
                }
            }
            let (limit, budget) = (self.limits.pivots, self.budget);
            let may_go_on = |pivots| pivots <= limit && (pivots % 64 > 0 || budget.check().is_ok());
            if let Err(farkas) = self.simplex.check(may_go_on) {
                return self.contradiction(farkas);
            }
        }
    }

    /// Whether it takes so long that looking for implied bounds is worth while. They find short ways
    /// through what computes, but say more than the shortest proofs.
    fn is_hard(&self) -> bool {
        self.conflicts >= EASY_CONFLICTS || self.splits >= EASY_SPLITS
    }

    /// Adds the clause that a contradiction of inequalities stands for.
    pub(crate) fn contradiction(&mut self, farkas: Farkas) -> Option<ClauseId> {
        let farkas = collected(farkas);
        let clause = farkas.iter().map(|(literal, _)| literal.negated());
        self.lemma(clause.collect(), Because::Farkas(farkas))
    }

    /// Adds a clause that holds by itself; says so if it is false.
    pub(crate) fn lemma(&mut self, clause: Vec<Literal>, because: Because) -> Option<ClauseId> {
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

    pub(crate) fn after_lemma(conflict: Option<ClauseId>) -> Option<Next> {
        Some(conflict.map_or(Next::Search, Next::Conflict))
    }

    /// A number that is what it must not be has to be below or above.
    fn sides(&mut self) -> Option<Next> {
        let excluded = |literal: &Literal| match &self.table.atoms()[literal.atom()] {
            Atom::Equal { var, bound } if !literal.is_positive() => {
                let is_met = self.simplex.value(*var).compare(bound).is_eq();
                is_met.then(|| (*literal, *var, bound.clone()))
            }
            Atom::Equal { .. } | Atom::AtMost { .. } | Atom::Truth(_) | Atom::Name(_) => None,
        };
        let (literal, var, bound) = self.search.trail().iter().find_map(excluded)?;
        let clause = self.sides_of(literal.negated(), var, &bound);
        let conflict = self.lemma(clause, Because::Sides);
        Self::after_lemma(conflict)
    }

    /// A number is a constant, below it or above it; `equal` says that it is.
    pub(crate) fn sides_of(
        &mut self,
        equal: Literal,
        var: VarId,
        bound: &Rational,
    ) -> Vec<Literal> {
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
}

impl Refutation {
    /// Whether some part can mention every atom of some steps: else the proof has no interpolants.
    fn is_at_home(&self, steps: &[StepId]) -> bool {
        let steps = steps.iter().map(|&step| &self.proof.steps()[step]);
        let mut literals = steps.flat_map(|step| &step.clause);
        literals.all(|literal| self.table.home(literal.atom()).first().is_some())
    }

    /// The first and the last part that the proof is about, if it is about any.
    pub fn parts(&self) -> Option<(usize, usize)> {
        let needed = self.proof.needed(self.root).into_iter();
        let part = |step: StepId| match self.proof.steps()[step].rule {
            Rule::Hyp { part } => Some(part),
            Rule::Contra(_) | Rule::Res { .. } => None,
        };
        let parts: BTreeSet<usize> = needed.filter_map(part).collect();
        Some((*parts.first()?, *parts.last()?))
    }

    /// The interpolants: one for each part but the last, for the cut above it.
    pub fn interpolants(&self, store: &mut TermStore, shape: &Shape) -> Vec<TermId> {
        let needed = self.proof.needed(self.root);
        let cuts = 0..shape.len() - 1;
        let read = |cut: usize| {
            let inside = PartSet::from_iter(shape.first_below(cut)..=cut);
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
