//! k-induction for loops: instead of all iterations the first k, and then an arbitrary one after k
//! others that are known to reach no error.
//!
//! An induction of depth k counts a run's iterations like this: the first k are those of the run,
//! as in any unwinding (base case). Iteration k starts in any state that the run may have at the
//! head ([`Changes`]). In the k iterations from there on errors are omitted, since they were
//! checked before, and so is what follows when the loop is left. Iteration 2k is the arbitrary one,
//! with all that follows (step case); it represents every iteration of the run except the first k.
//!
//! # Paper
//! [sheeran2000checking], for loops, as [donaldson2011software] cut them.
//!
//! # Invariants
//! - All iterations of a run are represented: the first k by themselves, iteration n by 2k with the
//!   state that the run had at the head k iterations before. By induction over n that state is
//!   among those of iteration k, and the k iterations before n reach no error.
//! - Facts are checked wherever the head is reached, except in the iterations that are repeated,
//!   where they are known.
//! - What is not described is an open question in all iterations, also where errors are omitted.

use super::Induction;
use super::changes::Changes;
use super::explore::Unwinder;
use super::state::{Frame, Key, State, Value};
use logic::{BitComparison, BitId, BitStore, IntValue};
use program::ir::{LocationId, Scope};

/// How often an iteration is tried to find what it changes.
const ROUNDS: usize = 20;

/// Deeper than any unwinding goes.
const DEEPEST: u32 = 1 << 20;

/// How the iterations of a loop by induction are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// One of the first.
    Base,
    /// One before the arbitrary one, known to have no error.
    Known,
    /// The arbitrary one.
    Arbitrary,
}

impl Induction {
    /// The depth, whatever the proof says: no count of iterations is beyond its double.
    fn depth(&self) -> u32 {
        self.depth.clamp(1, DEEPEST)
    }

    fn phase(&self, iteration: u32) -> Phase {
        match iteration {
            _ if iteration < self.depth() => Phase::Base,
            _ if iteration < 2 * self.depth() => Phase::Known,
            _ => Phase::Arbitrary,
        }
    }
}

impl Unwinder<'_> {
    /// The state to go on with at a place, if there is one: at the head of a loop by induction it may
    /// be another, or have been stood for.
    pub(super) fn by_induction(&mut self, key: &Key, mut state: State) -> Option<State> {
        let Some((number, iteration)) = self.head_of(state.frame()) else {
            return Some(state);
        };
        let depth = self.inductions[number].depth();
        if iteration > 2 * depth {
            return None;
        }
        match self.inductions[number].phase(iteration) {
            Phase::Base => {
                self.ask_facts(&mut state, number);
                let is_again =
                    iteration == 0 && self.entered.insert(key.clone(), state.clone()).is_some();
                if is_again {
                    self.note(
                        state.guard,
                        "a loop is entered where it was before",
                        self.span,
                    );
                    return None;
                }
                Some(state)
            }
            Phase::Known if iteration == depth => {
                self.ask_facts(&mut state, number);
                if let Err(why) = self.known_iteration(&state, number) {
                    let span = self.place_span(&state);
                    self.note(state.guard, why, span);
                }
                None
            }
            Phase::Known => {
                self.assume_facts(&mut state, number);
                Some(state)
            }
            Phase::Arbitrary => {
                self.ask_facts(&mut state, number);
                Some(state)
            }
        }
    }

    /// Makes an iteration from any state that a run may be in at the head; `state` is the run's after
    /// the first ones. What comes back to the head waits there.
    fn known_iteration(&mut self, state: &State, number: usize) -> Result<(), &'static str> {
        let mut first = state.clone();
        set_iteration(&mut first, 0);
        let first = self.key(&first);
        let entered = self.entered.remove(&first);
        let mut entered = entered.ok_or("a loop was not entered")?;
        entered.guard = state.guard;
        set_iteration(&mut entered, self.inductions[number].depth());
        let mut next = entered.clone();
        set_iteration(&mut next, self.inductions[number].depth() + 1);
        let next = self.key(&next);
        let mut changes = Changes::default();
        let noted = self.noted();
        for _ in 0..ROUNDS {
            let mut head = changes.applied(self, &entered);
            self.assume_facts(&mut head, number);
            let outside = (
                std::mem::take(&mut self.pending),
                std::mem::take(&mut self.entered),
            );
            self.advance(head.clone());
            let back = self.run(Some(&next));
            (self.pending, self.entered) = outside;
            let Some(back) = back else {
                return match self.limit().is_some() || self.is_hopeless() {
                    true => Err("what a loop changes was not found"),
                    // No iteration ends.
                    false => Ok(()),
                };
            };
            if !changes.grow(self, &head, &back)? {
                self.wait(back);
                return Ok(());
            }
            self.forget(noted);
        }
        Err("what a loop changes was not found")
    }

    /// The induction at whose head an activation is, and its iteration.
    fn head_of(&mut self, frame: &Frame) -> Option<(usize, u32)> {
        let number = *self.by_head.get(&(frame.proc, frame.at))?;
        let places = self.places_of(frame.proc);
        let (_, head) = places[frame.at].loops.last()?;
        let iteration = *frame.iterations.last()?;
        (*head == frame.at).then_some((number, iteration))
    }

    /// Whether an activation is in a known iteration of a loop at its place, counted from the
    /// outermost one that is given.
    pub(super) fn is_known(&mut self, frame: &Frame, from: usize) -> bool {
        if self.by_head.is_empty() {
            return false;
        }
        let places = self.places_of(frame.proc);
        let loops = places[frame.at].loops.iter().zip(&frame.iterations);
        let is_known = |head: LocationId, iteration: u32| {
            let number = self.by_head.get(&(frame.proc, head));
            number.is_some_and(|&number| self.inductions[number].phase(iteration) == Phase::Known)
        };
        loops
            .skip(from)
            .any(|((_, head), &iteration)| is_known(*head, iteration))
    }

    /// Asks whether the facts of an induction hold at a state, and goes on where they do.
    fn ask_facts(&mut self, state: &mut State, number: usize) {
        for index in 0..self.inductions[number].facts.len() {
            let holds = self.fact(state, number, index);
            let fails = self.store.and_not(state.guard, holds);
            if fails != BitStore::FALSE {
                self.facts.push((fails, (number, index)));
            }
            self.assume(state, holds);
        }
    }

    fn assume_facts(&mut self, state: &mut State, number: usize) {
        for index in 0..self.inductions[number].facts.len() {
            let holds = self.fact(state, number, index);
            self.assume(state, holds);
        }
    }

    /// Whether a variable is in its range; one that it does not have, or that is no integer, is not.
    fn fact(&mut self, state: &State, number: usize, index: usize) -> BitId {
        let fact = &self.inductions[number].facts[index];
        let (low, high) = (fact.low, fact.high);
        let Some(row) = self.program.vars.get(fact.var) else {
            return BitStore::FALSE;
        };
        let vars = match row.scope {
            Scope::Global => &state.globals,
            Scope::Local(proc) if proc == state.frame().proc => &state.frame().vars,
            Scope::Local(_) => return BitStore::FALSE,
        };
        let (Some(ty), Some(Value::Bits(bits))) = (row.ty.int(), vars[self.slots[fact.var]]) else {
            return BitStore::FALSE;
        };
        let comparison = match ty.signed {
            true => BitComparison::SLe,
            false => BitComparison::ULe,
        };
        let [low, high] = [low, high].map(|bound| {
            let bound = IntValue::wrap(ty, bound);
            self.store.constant(ty.bits, bound.bits())
        });
        let above = self.store.compare(comparison, low, bits);
        let below = self.store.compare(comparison, bits, high);
        self.store.and(above, below)
    }
}

fn set_iteration(state: &mut State, iteration: u32) {
    if let Some(last) = state.frame_mut().iterations.last_mut() {
        *last = iteration;
    }
}
