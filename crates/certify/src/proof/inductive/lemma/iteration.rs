//! The obligations of one lemma.
//!
//! # Invariants
//! - The obligations are about all runs: if all hold, no run gets stuck, is undefined, or leaves
//!   the iteration, so the one that starts in the closed form after `k` iterations reaches that
//!   after `k + 1`.
//! - That the closed form has values of the variables' types is assumed only where it is known to
//!   be the state of a run, by induction.

use super::GivenLemma;
use super::region::{Region, Way};
use crate::proof::inductive::imported_proof::Slot;
use crate::proof::inductive::obligation_context::{ObligationContext, Values};
use crate::proof::inductive::states::State;
use crate::proof::inductive::value::Evaluation;
use crate::proof::inductive::walk::{Claim, Obligation, Text};
use logic::{Sort, TermId};
use program::expr::{Expr, Type};
use program::ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// The number of iterations made.
const ITERATION: Slot = Slot::Ghost(0);

/// The parts of an induction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Base,
    Step,
}

/// A lemma whose obligations are being collected.
pub(super) struct Iteration<'t, 's> {
    context: &'t mut ObligationContext<'s>,
    lemmas: &'t [GivenLemma],
    lemma: &'t GivenLemma,
    obligations: Vec<Obligation>,
}

impl<'t, 's> Iteration<'t, 's> {
    pub(super) fn new(
        context: &'t mut ObligationContext<'s>,
        lemmas: &'t [GivenLemma],
        place: usize,
    ) -> Self {
        Iteration {
            context,
            lemmas,
            lemma: &lemmas[place],
            obligations: Vec::new(),
        }
    }

    /// The obligations of a part of the induction.
    pub(super) fn obligations(mut self, part: Part, region: &Region<'_>) -> Vec<Obligation> {
        self.assume_usable();
        match part {
            Part::Base => self.base(),
            Part::Step => self.step(region),
        }
        self.obligations
    }

    /// The lemma's condition holds, and there is an iteration left.
    fn assume_usable(&mut self) {
        let start = Values::new();
        let condition = self.context.in_state(&start, self.lemma.condition);
        self.context.note_bounds(condition);
        let iterations = self.context.in_state(&start, self.lemma.iterations);
        let iteration = self.context.read(&start, ITERATION);
        let from_zero = self.context.store.at_least(iteration, 0i64);
        let below = self.context.store.lt(iteration, iterations);
        self.context.note_bounds(from_zero);
        self.context.facts([condition, from_zero, below]);
    }

    /// Base case: after no iteration, everything is as it was.
    fn base(&mut self) {
        let zero = self.context.store.int(0i64);
        let none = Values::from([(ITERATION, zero)]);
        let claims = self.claims_of_form(&none, &Values::new());
        let reach = self.context.store.bool(true);
        self.oblige(self.lemma.head, None, reach, claims);
    }

    /// Induction step: one more iteration advances the closed form by one.
    fn step(&mut self, region: &Region<'_>) {
        let mut incoming: BTreeMap<LocationId, Vec<State>> = BTreeMap::new();
        let start = self.start();
        incoming.insert(self.lemma.head, vec![start]);
        for &at in &region.order {
            let states = incoming.remove(&at).unwrap_or_default();
            let mut state = self.merge(states);
            if at != self.lemma.head {
                state = self.leap(at, state);
            }
            if self.context.store.as_bool(state.reach) == Some(false) {
                continue;
            }
            self.leave(region, at, &state, &mut incoming);
        }
    }

    /// The state after some iterations; by induction, a run is in it.
    fn start(&mut self) -> State {
        let mut values = Values::new();
        for (&var, &form) in &self.lemma.closed_form {
            let value = self.context.in_state(&Values::new(), form);
            self.context
                .constrain(value, self.context.program.vars[var].ty);
            values.insert(Slot::Var(var), value);
        }
        self.forget(self.lemma, &mut values);
        let reach = self.context.store.bool(true);
        State { reach, values }
    }

    /// The variables that a lemma forgets may have any value.
    fn forget(&mut self, lemma: &GivenLemma, values: &mut Values) {
        for &var in &lemma.forgotten {
            let row = &self.context.program.vars[var];
            let value = self.context.any(&row.name, row.ty);
            values.insert(Slot::Var(var), value);
        }
    }

    /// Follows the edges of a location: one of them can be taken, and each continues the iteration or returns to the head.
    fn leave(
        &mut self,
        region: &Region<'_>,
        at: LocationId,
        state: &State,
        incoming: &mut BTreeMap<LocationId, Vec<State>>,
    ) {
        let mut ways = Vec::new();
        for &id in region.out(at) {
            let Some((taken, mut next)) = self.edge(id, state) else {
                return;
            };
            ways.push(taken);
            if self.context.store.as_bool(next.reach) == Some(false) {
                continue;
            }
            if region.out(at).len() > 1 && next.reach == state.reach {
                next.reach = self.context.store.fresh("$taken", Sort::Bool);
                self.context.fact_if(next.reach, state.reach);
            }
            let edge = &self.context.program.procs[self.context.program.entry].edges[id];
            match region.way(id) {
                Way::On => incoming.entry(edge.target).or_default().push(next),
                Way::Home => self.come_home(id, &next),
                Way::Again => self.never(id, next.reach, "no loop inside is turned by hand"),
                Way::Out => self.never(id, next.reach, "the loop is not left"),
            }
        }
        let some = self.context.store.or(&ways);
        let claim = claim(some, "some edge can be taken");
        self.oblige(at, None, state.reach, vec![claim]);
    }

    /// When an edge is taken, and the state after it. `None` if it must not be reached at all.
    fn edge(&mut self, id: EdgeId, before: &State) -> Option<(TermId, State)> {
        use Op::*;
        let program = self.context.program;
        let edge = &program.procs[program.entry].edges[id];
        let mut taken = self.context.store.bool(true);
        let mut next = before.clone();
        match &edge.op {
            Skip => {}
            Assign(Place::Var(var), value) if is_scalar(program, value) => {
                let value = self.value(id, value, before);
                next.values.insert(Slot::Var(*var), value);
            }
            Assume(condition) if is_scalar(program, condition) => {
                taken = self.value(id, condition, before);
                next.reach = self.context.literal(before.reach, &[taken]);
            }
            Havoc(Place::Var(var), _) => {
                let row = &program.vars[*var];
                let value = self.context.any(&row.name, row.ty);
                next.values.insert(Slot::Var(*var), value);
            }
            Assign(..) | Assume(_) | Havoc(..) | Call(_) | Return(_) | Halt(_) | Enter(_)
            | Leave(_) | Unsupported(_) => {
                self.never(id, before.reach, "what no lemma speaks of is not reached");
                return None;
            }
        }
        Some((taken, next))
    }

    /// The value of an expression, which is to be defined.
    fn value(&mut self, id: EdgeId, expr: &Expr, before: &State) -> TermId {
        let mut evaluation = Evaluation::new(self.context, &before.values, before.reach);
        let value = evaluation.value(expr);
        let needed = evaluation.finish();
        let claims = (needed.into_iter()).map(|fact| claim(fact, "the evaluation is defined"));
        let claims = claims.collect();
        self.oblige_on(id, before.reach, claims);
        value
    }

    /// An inner loop makes the iterations of the first of its lemmas that applies.
    fn leap(&mut self, at: LocationId, before: State) -> State {
        let lemmas = self.lemmas;
        let inner = self.lemma.inner.iter().map(|&place| &lemmas[place]);
        let mut states = Vec::new();
        let mut left = before.clone();
        for lemma in inner.filter(|lemma| lemma.head == at) {
            let condition = self.context.in_state(&before.values, lemma.condition);
            let iterations = self.context.in_state(&before.values, lemma.iterations);
            let some = self.context.store.at_least(iterations, 1i64);
            let usable = self.context.store.and(&[condition, some]);
            let reach = self.context.literal(left.reach, &[usable]);
            states.push(self.after(lemma, iterations, reach, &before));
            let unusable = self.context.store.not(usable);
            left.reach = self.context.literal(left.reach, &[unusable]);
        }
        states.push(left);
        self.merge(states)
    }

    /// The state after all iterations of a lemma, which a run is in.
    fn after(
        &mut self,
        lemma: &GivenLemma,
        iterations: TermId,
        reach: TermId,
        before: &State,
    ) -> State {
        let mut at_end = before.values.clone();
        at_end.insert(ITERATION, iterations);
        let mut values = before.values.clone();
        for (&var, &form) in &lemma.closed_form {
            let row = &self.context.program.vars[var];
            let value = self.context.any(&row.name, row.ty);
            let form = self.context.in_state(&at_end, form);
            let same = self.context.store.eq(value, form);
            self.context.fact_if(reach, same);
            values.insert(Slot::Var(var), value);
        }
        self.forget(lemma, &mut values);
        State { reach, values }
    }

    /// The iteration is complete.
    fn come_home(&mut self, id: EdgeId, state: &State) {
        let iteration = self.context.read(&Values::new(), ITERATION);
        let one = self.context.store.int(1i64);
        let next = self.context.store.add(iteration, one);
        let next = Values::from([(ITERATION, next)]);
        let claims = self.claims_of_form(&next, &state.values);
        self.oblige_on(id, state.reach, claims);
    }

    /// The formula that values are those of the closed form after a number of iterations.
    fn claims_of_form(&mut self, iterations: &Values, values: &Values) -> Vec<Claim> {
        let forms = self.lemma.closed_form.keys().map(|&var| Slot::Var(var));
        let slots: BTreeSet<Slot> = values.keys().copied().chain(forms).collect();
        let mut claims = Vec::new();
        for slot in slots {
            let form = match slot {
                Slot::Var(var) if self.lemma.forgotten.contains(&var) => continue,
                Slot::Var(var) => self.lemma.closed_form.get(&var),
                Slot::Ghost(_) | Slot::Result(_) => None,
            };
            let expected = match form {
                Some(&form) => self.context.in_state(iterations, form),
                None => self.context.read(&Values::new(), slot),
            };
            let value = self.context.read(values, slot);
            let same = self.context.store.eq(value, expected);
            claims.push(claim(same, "the closed form is right"));
        }
        claims
    }

    fn merge(&mut self, states: Vec<State>) -> State {
        let possible = |state: &State| self.context.store.as_bool(state.reach) != Some(false);
        let states: Vec<State> = states.into_iter().filter(possible).collect();
        let live = states.iter().flat_map(|state| state.values.keys().copied());
        let live = live.collect();
        self.context.merge(states, &live)
    }

    fn never(&mut self, id: EdgeId, reach: TermId, words: &'static str) {
        let claim = claim(self.context.store.bool(false), words);
        self.oblige_on(id, reach, vec![claim]);
    }

    fn oblige_on(&mut self, id: EdgeId, reach: TermId, claims: Vec<Claim>) {
        let program = self.context.program;
        let at = program.procs[program.entry].edges[id].source;
        self.oblige(at, Some(id), reach, claims);
    }

    fn oblige(
        &mut self,
        at: LocationId,
        edge: Option<EdgeId>,
        reach: TermId,
        mut claims: Vec<Claim>,
    ) {
        claims.retain(|claim| self.context.store.as_bool(claim.formula) != Some(true));
        if !claims.is_empty() {
            self.obligations.push(Obligation {
                at,
                edge,
                reach,
                claims,
            });
        }
    }
}

fn claim(formula: TermId, words: &'static str) -> Claim {
    Claim {
        formula,
        text: Text::Words(words),
    }
}

/// Whether an expression is about numbers and truth values only.
fn is_scalar(program: &Program, expr: &Expr) -> bool {
    !expr.any(&|part| part.reads_memory() || matches!(part.ty(program), Type::Ptr | Type::Float(_)))
}
