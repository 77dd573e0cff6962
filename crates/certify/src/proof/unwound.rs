//! Proofs by unwinding, and their checker.
//!
//! Such a proof claims that all paths of the program end within some bounds and that none of them
//! reaches an error location. The checker unwinds the program itself, along calls and around loops
//! (`explore`, `calls`), with its own encoding into bit-vectors: variables, and objects as vectors
//! of bytes (`value`, `arith`, `float`, `memory`, `births`, `library`, `leaks`). Paths that join
//! become one state under a guard (`state`). Constants fold on the way, so most loops end by
//! themselves. At the end the solver gets two queries: whether the guard of an error location has a
//! model, and whether that of an open question has one: something that is not described, or a path
//! that was not followed to its end. If neither has, the proof holds. Loops that do not terminate
//! may be handled by induction over their iterations (`induction`, `changes`;
//! `docs/decisions/0031`).
//!
//! The same unwinding finds violations: a model of an error's guard contains the inputs of a run.
//! The model proves nothing, the run does; but it saves engines an unwinding of their own.
//!
//! # Paper
//! [clarke2004tool], with paths merged at every join and the unwinding assertion checked as there.
//!
//! # Invariants
//! - Undefined behaviour ends a run; what is not known to be undefined continues.
//! - A solver's "unknown" is an open question, never a proof.

mod arith;
mod births;
mod calls;
mod cells;
mod changes;
mod explore;
mod float;
mod induction;
#[cfg(test)]
mod induction_tests;
mod leaks;
mod library;
mod memory;
mod order;
mod state;
#[cfg(test)]
mod tests;
mod value;

use self::explore::{Input, Open, Unwinder};
use crate::{Checked, FailedObligation, Proof, ProofError, Trace};
use base::{Budget, Span};
use logic::{BitId, BitStore, IntType, IntValue};
use program::expr::{Constant, Type};
use program::ir::{LocationId, ProcId, Program, SiteId, VarId};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use rustc_hash::FxHashSet;
use smt::{Answer, BitModel};
use std::collections::BTreeMap;

const BYTE: IntType = IntType::unsigned(8);
/// How many bytes of the objects of one site a trace may specify.
const LONGEST: usize = 1 << 16;

/// How far to unwind, in units of effort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How often a loop may return to its head.
    pub iterations: u32,
    /// How many activations there may be at a time.
    pub depth: usize,
    /// How many edges may be followed, in all.
    pub steps: usize,
    /// How many terms may be created.
    pub terms: usize,
    /// How many queries whether a loop continues are allowed, each time it is entered.
    pub questions: u32,
    /// The solver's effort for each of these.
    pub question_effort: u32,
    /// The solver's effort for each of the last two queries.
    pub effort: u32,
    /// Whether to look for a violation even if there will be no proof.
    pub search: bool,
}

/// Why no error location can be reached: no path within these bounds reaches one, and all paths
/// end, or continue as an induction says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwound {
    /// Set if it is about the program with calls inlined up to this limit and small objects as
    /// variables ([`program::pass::inlined`]); the checker does that itself.
    pub inlined: Option<InlineLimit>,
    /// The bounds.
    pub bounds: Bounds,
    /// The loops not all of whose iterations are followed.
    pub inductions: Vec<Induction>,
}

/// A loop handled by induction: an arbitrary iteration is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Induction {
    /// The procedure.
    pub proc: ProcId,
    /// The head of the loop.
    pub head: LocationId,
    /// k: how many iterations before the arbitrary one are assumed to reach no error; at least one.
    pub depth: u32,
    /// Facts that hold whenever a run reaches the head.
    pub facts: Vec<Fact>,
}

/// An integer variable is in a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The variable.
    pub var: VarId,
    /// The least value.
    pub low: i128,
    /// The greatest value.
    pub high: i128,
}

/// The result of an unwinding.
#[derive(Clone, Debug)]
pub enum UnwindOutcome {
    /// All paths end, none of them at an error location. The unwinding is the check of the proof.
    Complete(Checked<Proof>),
    /// These inputs lead to an error location, according to the encoding.
    Violated(Trace),
    /// Neither.
    Open(Obstacle),
}

/// Why an unwinding is inconclusive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// In words.
    pub what: String,
    /// Where.
    pub span: Span,
    /// The loops, or procedures by their entries, that were not unwound completely.
    pub left: Vec<(ProcId, LocationId)>,
    /// Whether, with inductions, an error may be reached or a fact may fail.
    pub fails: bool,
    /// The facts that may fail, by the numbers of the induction and of the fact.
    pub failing: Vec<(usize, usize)>,
}

impl Unwound {
    /// Checks the proof against the program.
    pub fn check(&self, program: &Program, budget: &Budget) -> Result<(), ProofError> {
        match self.unwind(program, budget) {
            UnwindOutcome::Complete(_) => Ok(()),
            UnwindOutcome::Violated(trace) => {
                let (proc, location) = trace.error;
                Err(ProofError::ErrorReached(proc, location))
            }
            UnwindOutcome::Open(Obstacle { what, span, .. }) => {
                let entry = program.procs[program.entry].entry;
                let step = FailedObligation {
                    proc: program.entry,
                    from: entry,
                    to: entry,
                    claim: "all paths are followed to their ends".to_owned(),
                    example: String::new(),
                    span,
                };
                Err(ProofError::Undecided(Box::new(step), what))
            }
        }
    }
}

impl Unwound {
    /// A proof that follows all iterations of all loops, of the program as it is.
    pub fn whole(bounds: Bounds) -> Unwound {
        Unwound {
            inlined: None,
            bounds,
            inductions: Vec::new(),
        }
    }

    /// Unwinds a program as the proof says, whether that shows anything or not.
    pub fn unwind(&self, program: &Program, budget: &Budget) -> UnwindOutcome {
        if self.inlined.is_some() && program.asks_for_leaks() {
            // Addresses in variables of a callee that has returned would still count.
            return UnwindOutcome::Open(Obstacle {
                what: "leaks are not those of the program with calls inlined".to_owned(),
                span: Span::NONE,
                left: Vec::new(),
                fails: false,
                failing: Vec::new(),
            });
        }
        let inlined = self.inlined.map(|limit| inlined(program, limit));
        let unwound = inlined.as_ref().unwrap_or(program);
        let mut unwinder = Unwinder::new(unwound, &self.bounds, &self.inductions, budget);
        unwinder.explore();
        Conclusion {
            unwinder,
            program,
            proof: self,
            budget,
        }
        .draw()
    }
}

/// The queries left after the unwinding.
struct Conclusion<'p> {
    unwinder: Unwinder<'p>,
    /// What is to be proved safe.
    program: &'p Program,
    proof: &'p Unwound,
    budget: &'p Budget,
}

impl Conclusion<'_> {
    fn draw(&mut self) -> UnwindOutcome {
        if !self.proof.bounds.search
            && let Some(open) = self.unwinder.hopeless().cloned()
        {
            return self.open(open.what, open.span);
        }
        let errors = self.unwinder.errors.iter().map(|(guard, _)| *guard);
        let facts = self.unwinder.facts.iter().map(|(guard, _)| *guard);
        let goals: Vec<BitId> = errors.chain(facts).collect();
        let reached = self.any_of(&goals);
        match self.solve(&[reached]) {
            (Answer::Unsat, _) => self.all_closed(),
            (Answer::Sat, model) if !self.proof.inductions.is_empty() => self.not_inductive(&model),
            (Answer::Sat, model) => self.violated(reached, &model),
            (Answer::Unknown(why), _) => {
                self.open(format!("whether an error is reached: {why}"), Span::NONE)
            }
        }
    }

    /// Inconclusive, for this reason.
    fn open(&self, what: impl Into<String>, span: Span) -> UnwindOutcome {
        UnwindOutcome::Open(Obstacle {
            what: what.into(),
            span,
            left: self.unwinder.left.iter().copied().collect(),
            fails: false,
            failing: Vec::new(),
        })
    }

    /// An error location is reached, or a fact fails, perhaps only from an unreachable state.
    fn not_inductive(&self, model: &BitModel) -> UnwindOutcome {
        let facts = &self.unwinder.facts;
        let guards: Vec<BitId> = facts.iter().map(|(guard, _)| *guard).collect();
        let fails = self.evaluate(&guards, model).into_iter();
        let fails = facts.iter().zip(fails).filter(|(_, value)| *value == 1);
        UnwindOutcome::Open(Obstacle {
            what: "an iteration may fail where those before it do not".to_owned(),
            span: Span::NONE,
            left: self.unwinder.left.iter().copied().collect(),
            fails: true,
            failing: fails.map(|((_, which), _)| *which).collect(),
        })
    }

    /// No error location is reached; this is a proof if nothing is open.
    fn all_closed(&mut self) -> UnwindOutcome {
        let guards: Vec<BitId> = self.unwinder.open.iter().map(|open| open.guard).collect();
        let left = self.any_of(&guards);
        match self.solve(&[left]) {
            (Answer::Unsat, _) => {
                let proof = Proof::Unwound(Box::new(self.proof.clone()));
                UnwindOutcome::Complete(Checked::new(proof, self.program))
            }
            (Answer::Sat, model) => {
                let values = self.evaluate(&guards, &model);
                let place = values.iter().position(|&value| value == 1).unwrap_or(0);
                let Open { what, span, .. } = self.unwinder.open[place].clone();
                self.open(what, span)
            }
            (Answer::Unknown(why), _) => {
                let span = self
                    .unwinder
                    .open
                    .first()
                    .map_or(Span::NONE, |open| open.span);
                self.open(format!("whether all paths end: {why}"), span)
            }
        }
    }

    /// An error location is reached. If the run depends neither on open questions nor on what C
    /// leaves indeterminate, the machine can execute it.
    fn violated(&mut self, reached: BitId, model: &BitModel) -> UnwindOutcome {
        if let Some(trace) = self.trace(model) {
            return UnwindOutcome::Violated(trace);
        }
        let guards: Vec<BitId> = self.unwinder.open.iter().map(|open| open.guard).collect();
        let left = self.any_of(&guards);
        let mut formulas = vec![reached, self.unwinder.store.not(left)];
        let inputs = self.input_symbols();
        for term in self.unwinder.store.below(&formulas) {
            let node = self.unwinder.store.node(term);
            if matches!(node, logic::BitNode::Symbol(number) if !inputs.contains(&number)) {
                let width = self.unwinder.store.width(term);
                let zero = self.unwinder.store.constant(width, 0);
                formulas.push(self.unwinder.store.equal(term, zero));
            }
        }
        match self.solve(&formulas) {
            (Answer::Sat, model) => match self.trace(&model) {
                Some(trace) => UnwindOutcome::Violated(trace),
                None => self.open("a violation without a run", Span::NONE),
            },
            (Answer::Unsat | Answer::Unknown(_), _) => match self.unwinder.open.first() {
                Some(Open { what, span, .. }) => self.open(what.clone(), *span),
                None => {
                    let what = "an error depends on a value that was never set";
                    self.open(what, Span::NONE)
                }
            },
        }
    }

    /// The run of a model, if it is one of the program: no open question is involved, and only
    /// inputs decide.
    fn trace(&self, model: &BitModel) -> Option<Trace> {
        let Unwinder { errors, open, .. } = &self.unwinder;
        let guards: Vec<BitId> = open.iter().map(|open| open.guard).collect();
        let inputs = self.input_symbols();
        // Sorted, so that the order of the map is not seen.
        let mut set: Vec<u32> = model.keys().copied().collect();
        set.sort_unstable();
        let strays = set
            .iter()
            .any(|number| model[number] != 0 && !inputs.contains(number));
        if strays || self.evaluate(&guards, model).contains(&1) {
            return None;
        }
        let guards: Vec<BitId> = errors.iter().map(|(guard, _)| *guard).collect();
        let place = self
            .evaluate(&guards, model)
            .iter()
            .position(|&value| value == 1)?;
        Some(Trace::new(self.taken(model), errors[place].1))
    }

    /// The inputs that the run of a model takes, in order.
    fn taken(&self, model: &BitModel) -> Vec<(SiteId, Constant)> {
        let inputs = &self.unwinder.inputs;
        let guards: Vec<BitId> = inputs.iter().map(|input| input.guard).collect();
        let values: Vec<BitId> = inputs.iter().map(|input| input.value).collect();
        let guards = self.evaluate(&guards, model);
        let values = self.evaluate(&values, model);
        let taken = inputs.iter().zip(guards).zip(values);
        let taken = taken.filter(|((_, guard), _)| *guard == 1);
        taken
            .map(|((Input { site, ty, .. }, _), bits)| (*site, constant(*ty, bits)))
            .chain(self.contents(model))
            .collect()
    }

    /// The bytes of the objects that the run of a model creates, site by site up to the last that
    /// is not zero.
    fn contents(&self, model: &BitModel) -> Vec<(SiteId, Constant)> {
        let births = &self.unwinder.births;
        let terms: Vec<BitId> = births
            .iter()
            .flat_map(|row| [row.guard, row.size])
            .collect();
        let values = self.evaluate(&terms, model);
        let mut of_sites: BTreeMap<SiteId, Vec<u8>> = BTreeMap::new();
        for (birth, value) in births.iter().zip(values.chunks(2)) {
            let bytes = of_sites.entry(birth.site).or_default();
            if value[0] == 1 && bytes.len() < LONGEST {
                let end = bytes.len() + usize::try_from(value[1]).unwrap_or(LONGEST).min(LONGEST);
                let symbols = birth.symbols.clone().take(end - bytes.len());
                bytes.extend(symbols.map(|number| model.get(&number).copied().unwrap_or(0) as u8));
                bytes.resize(end, 0);
            }
        }
        let mut contents = Vec::new();
        for (site, bytes) in of_sites {
            let end = bytes.iter().rposition(|&byte| byte != 0);
            let bytes = bytes[..end.map_or(0, |last| last + 1)].iter();
            let byte = |&byte: &u8| IntValue::from_bits(BYTE, byte.into());
            contents.extend(bytes.map(|bits| (site, Constant::Int(byte(bits)))));
        }
        contents
    }

    /// The symbols that stand for inputs.
    fn input_symbols(&self) -> FxHashSet<u32> {
        let Unwinder {
            store,
            inputs,
            births,
            ..
        } = &self.unwinder;
        let symbols = inputs
            .iter()
            .filter_map(|input| match store.node(input.value) {
                logic::BitNode::Symbol(number) => Some(number),
                _ => None,
            });
        let bytes = births.iter().flat_map(|birth| birth.symbols.clone());
        symbols.chain(bytes).collect()
    }

    fn evaluate(&self, terms: &[BitId], model: &BitModel) -> Vec<u128> {
        let value = |number: u32| model.get(&number).copied().unwrap_or(0);
        self.unwinder.store.evaluate(terms, &value)
    }

    fn any_of(&mut self, guards: &[BitId]) -> BitId {
        let store = &mut self.unwinder.store;
        (guards.iter()).fold(BitStore::FALSE, |any, &guard| store.or(any, guard))
    }

    fn solve(&mut self, formulas: &[BitId]) -> (Answer, BitModel) {
        if formulas.contains(&BitStore::FALSE) {
            return (Answer::Unsat, BitModel::default());
        }
        let Unwinder { store, solver, .. } = &mut self.unwinder;
        solver.solve(store, formulas, self.proof.bounds.effort, self.budget)
    }
}

/// An input of a type by its bits.
fn constant(ty: Type, bits: u128) -> Constant {
    match ty {
        Type::Bool => Constant::Bool(bits == 1),
        Type::Int(ty) => Constant::Int(IntValue::from_bits(ty, bits)),
        Type::Float(format) => Constant::Float(format, bits as u64),
        Type::Ptr => Constant::Null,
    }
}
