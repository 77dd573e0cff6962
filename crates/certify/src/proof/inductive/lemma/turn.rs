//! What is to be shown of one lemma.
//!
//! # Invariants
//! - The obligations are about all runs: where all hold, no run gets stuck, is undefined, or
//!   leaves the turn, so the one that starts in the closed form after `k` turns comes to that
//!   after `k + 1`.
//! - That a state of the closed form is one of the types' values is only assumed where it is known
//!   to be the state of a run, by induction.

use super::GivenLemma;
use super::region::{Region, Way};
use crate::proof::inductive::given::Slot;
use crate::proof::inductive::scene::{Scene, Values};
use crate::proof::inductive::states::State;
use crate::proof::inductive::value::Evaluation;
use crate::proof::inductive::walk::{Claim, Obligation, Text};
use logic::{Sort, TermId};
use program::expr::{Expr, Type};
use program::ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// The number of turns made.
const TURN: Slot = Slot::Ghost(0);

/// The parts of an induction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Base,
    Step,
}

/// A lemma whose obligations are being gathered.
pub(super) struct Turn<'t, 's> {
    scene: &'t mut Scene<'s>,
    lemmas: &'t [GivenLemma],
    lemma: &'t GivenLemma,
    obligations: Vec<Obligation>,
}

impl<'t, 's> Turn<'t, 's> {
    pub(super) fn new(scene: &'t mut Scene<'s>, lemmas: &'t [GivenLemma], place: usize) -> Self {
        Turn {
            scene,
            lemmas,
            lemma: &lemmas[place],
            obligations: Vec::new(),
        }
    }

    /// What is to be shown for a part of the induction.
    pub(super) fn obligations(mut self, part: Part, region: &Region<'_>) -> Vec<Obligation> {
        self.assume_usable();
        match part {
            Part::Base => self.base(),
            Part::Step => self.step(region),
        }
        self.obligations
    }

    /// The lemma's condition holds, and there is a turn left to make.
    fn assume_usable(&mut self) {
        let start = Values::new();
        let condition = self.scene.in_state(&start, self.lemma.condition);
        for conjunct in self.scene.store.conjuncts(condition) {
            self.scene.bounds.note_conjunct(self.scene.store, conjunct);
        }
        let turns = self.scene.in_state(&start, self.lemma.turns);
        let turn = self.scene.read(&start, TURN);
        let zero = self.scene.store.int(0i64);
        let from_zero = self.scene.store.le(zero, turn);
        let below = self.scene.store.lt(turn, turns);
        self.scene.bounds.note_conjunct(self.scene.store, from_zero);
        for fact in [condition, from_zero, below] {
            self.scene.fact(fact);
        }
    }

    /// After no turn, everything is as it was.
    fn base(&mut self) {
        let zero = self.scene.store.int(0i64);
        let none = Values::from([(TURN, zero)]);
        let claims = self.claims_of_form(&none, &Values::new());
        let reach = self.scene.store.bool(true);
        self.oblige(self.lemma.head, None, reach, claims);
    }

    /// One more turn leads one further along the closed form.
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
            if self.scene.store.as_bool(state.reach) == Some(false) {
                continue;
            }
            self.leave(region, at, &state, &mut incoming);
        }
    }

    /// The state after some turns; by induction, a run is in it.
    fn start(&mut self) -> State {
        let mut values = Values::new();
        for (&var, &form) in &self.lemma.closed_form {
            let value = self.scene.in_state(&Values::new(), form);
            self.scene.constrain(value, self.scene.program.vars[var].ty);
            values.insert(Slot::Var(var), value);
        }
        self.forget(self.lemma, &mut values);
        let reach = self.scene.store.bool(true);
        State { reach, values }
    }

    /// The variables that a lemma forgets may have any value.
    fn forget(&mut self, lemma: &GivenLemma, values: &mut Values) {
        for &var in &lemma.forgotten {
            let row = &self.scene.program.vars[var];
            let value = self.scene.any(&row.name, row.ty);
            values.insert(Slot::Var(var), value);
        }
    }

    /// Goes along the edges of a location: one of them can be taken, and each leads on or home.
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
            if self.scene.store.as_bool(next.reach) == Some(false) {
                continue;
            }
            if region.out(at).len() > 1 && next.reach == state.reach {
                next.reach = self.scene.store.fresh("$taken", Sort::Bool);
                self.scene.fact_if(next.reach, state.reach);
            }
            let edge = &self.scene.program.procs[self.scene.program.entry].edges[id];
            match region.way(id) {
                Way::On => incoming.entry(edge.target).or_default().push(next),
                Way::Home => self.come_home(id, &next),
                Way::Again => self.never(id, next.reach, "no loop inside is turned by hand"),
                Way::Out => self.never(id, next.reach, "the loop is not left"),
            }
        }
        let some = self.scene.store.or(&ways);
        let claim = claim(some, "some edge can be taken");
        self.oblige(at, None, state.reach, vec![claim]);
    }

    /// When an edge is taken, and the state behind it. `None` if it must not be reached at all.
    fn edge(&mut self, id: EdgeId, before: &State) -> Option<(TermId, State)> {
        use Op::*;
        let program = self.scene.program;
        let edge = &program.procs[program.entry].edges[id];
        let mut taken = self.scene.store.bool(true);
        let mut next = before.clone();
        match &edge.op {
            Skip => {}
            Assign(Place::Var(var), value) if is_scalar(program, value) => {
                let value = self.value(id, value, before);
                next.values.insert(Slot::Var(*var), value);
            }
            Assume(condition) if is_scalar(program, condition) => {
                taken = self.value(id, condition, before);
                next.reach = self.scene.literal(before.reach, &[taken]);
            }
            Havoc(Place::Var(var), _) => {
                let row = &program.vars[*var];
                let value = self.scene.any(&row.name, row.ty);
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
        let mut evaluation = Evaluation::new(self.scene, &before.values, before.reach);
        let value = evaluation.value(expr);
        let needed = evaluation.finish();
        let claims = (needed.into_iter()).map(|fact| claim(fact, "the evaluation is defined"));
        let claims = claims.collect();
        self.oblige_on(id, before.reach, claims);
        value
    }

    /// A loop inside makes the turns that the first usable of its lemmas speaks of.
    fn leap(&mut self, at: LocationId, before: State) -> State {
        let lemmas = self.lemmas;
        let inner = self.lemma.inner.iter().map(|&place| &lemmas[place]);
        let mut states = Vec::new();
        let mut left = before.clone();
        for lemma in inner.filter(|lemma| lemma.head == at) {
            let condition = self.scene.in_state(&before.values, lemma.condition);
            let turns = self.scene.in_state(&before.values, lemma.turns);
            let one = self.scene.store.int(1i64);
            let some = self.scene.store.le(one, turns);
            let usable = self.scene.store.and(&[condition, some]);
            let reach = self.scene.literal(left.reach, &[usable]);
            states.push(self.after(lemma, turns, reach, &before));
            let unusable = self.scene.store.not(usable);
            left.reach = self.scene.literal(left.reach, &[unusable]);
        }
        states.push(left);
        self.merge(states)
    }

    /// The state after all turns of a lemma, which a run is in.
    fn after(&mut self, lemma: &GivenLemma, turns: TermId, reach: TermId, before: &State) -> State {
        let mut at_end = before.values.clone();
        at_end.insert(TURN, turns);
        let mut values = before.values.clone();
        for (&var, &form) in &lemma.closed_form {
            let row = &self.scene.program.vars[var];
            let value = self.scene.any(&row.name, row.ty);
            let form = self.scene.in_state(&at_end, form);
            let same = self.scene.store.eq(value, form);
            self.scene.fact_if(reach, same);
            values.insert(Slot::Var(var), value);
        }
        self.forget(lemma, &mut values);
        State { reach, values }
    }

    /// The turn is complete.
    fn come_home(&mut self, id: EdgeId, state: &State) {
        let turn = self.scene.read(&Values::new(), TURN);
        let one = self.scene.store.int(1i64);
        let next = self.scene.store.add(turn, one);
        let next = Values::from([(TURN, next)]);
        let claims = self.claims_of_form(&next, &state.values);
        self.oblige_on(id, state.reach, claims);
    }

    /// That values are those of the closed form after a number of turns.
    fn claims_of_form(&mut self, turns: &Values, values: &Values) -> Vec<Claim> {
        let forms = self.lemma.closed_form.keys().map(|&var| Slot::Var(var));
        let slots: BTreeSet<Slot> = values.keys().copied().chain(forms).collect();
        let mut claims = Vec::new();
        for slot in slots {
            let form = match slot {
                Slot::Var(var) if self.lemma.forgotten.contains(&var) => continue,
                Slot::Var(var) => self.lemma.closed_form.get(&var),
                Slot::Ghost(_) => None,
            };
            let expected = match form {
                Some(&form) => self.scene.in_state(turns, form),
                None => self.scene.read(&Values::new(), slot),
            };
            let value = self.scene.read(values, slot);
            let same = self.scene.store.eq(value, expected);
            claims.push(claim(same, "the closed form is right"));
        }
        claims
    }

    fn merge(&mut self, states: Vec<State>) -> State {
        let possible = |state: &State| self.scene.store.as_bool(state.reach) != Some(false);
        let states: Vec<State> = states.into_iter().filter(possible).collect();
        let live = states.iter().flat_map(|state| state.values.keys().copied());
        let live = live.collect();
        self.scene.merge(states, &live)
    }

    fn never(&mut self, id: EdgeId, reach: TermId, words: &'static str) {
        let claim = claim(self.scene.store.bool(false), words);
        self.oblige_on(id, reach, vec![claim]);
    }

    fn oblige_on(&mut self, id: EdgeId, reach: TermId, claims: Vec<Claim>) {
        let program = self.scene.program;
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
        claims.retain(|claim| self.scene.store.as_bool(claim.formula) != Some(true));
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
