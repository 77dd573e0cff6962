//! The unwinding: states wait at locations of the program, the earliest one is advanced along its
//! edges, and states that reach the same location in the same iteration are merged.
//!
//! # Invariants
//! - Every run of the program is on a path of a waiting state, has ended, is undefined, is at a
//!   recorded error location, or is among the open questions.
//! - Inputs are recorded in the order in which a run takes them.

use super::births::{Birth, First};
use super::memory::Made;
use super::order::{NestPosition, places};
use super::state::{Key, State, Value, merge};
use super::{Bounds, Induction};
use base::{Budget, Id, IdVec, Span};
use logic::{BitId, BitNode, BitOp, BitStore};
use program::expr::Type;
use program::ir::{
    Callee, EdgeId, LocationId, ObjectId, Op, Place, ProcId, Program, Scope, SiteId, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, BitSolver};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many loops may use up the questions that each of them has.
const LOOPS: u64 = 5;
/// Of the questions that a loop has, one in so many may stay without an answer, in all loops
/// together. What the solver does not know of one iteration it mostly does not know of the next
/// either, and takes longer.
const UNANSWERED: u32 = 4;
/// How many conjuncts of a guard are looked at for a condition that is known.
const KNOWN: usize = 32;

/// Follows all paths of a program.
pub(super) struct Unwinder<'p> {
    pub(super) program: &'p Program,
    pub(super) store: BitStore,
    pub(super) solver: BitSolver,
    bounds: &'p Bounds,
    budget: &'p Budget,
    pub(super) inductions: &'p [Induction],
    /// Which of them is at a head.
    pub(super) by_head: BTreeMap<(ProcId, LocationId), usize>,
    /// The states in which loops by induction were entered, by where they wait then.
    pub(super) entered: BTreeMap<Key, State>,
    places: IdVec<ProcId, Option<Rc<IdVec<LocationId, NestPosition>>>>,
    /// Where each variable stands in its frame or among the globals.
    pub(super) slots: IdVec<VarId, usize>,
    /// How many variables each procedure has.
    pub(super) sizes: IdVec<ProcId, usize>,
    pub(super) made: Vec<Made>,
    pub(super) global_objects: BTreeMap<ObjectId, BitId>,
    pub(super) pending: BTreeMap<Key, State>,
    /// Guards that have a model.
    feasible: FxHashSet<BitId>,
    /// How often the guard of each loop was asked about, by the key without the iteration.
    asked: FxHashMap<Key, u32>,
    /// How many of these questions the solver did not answer.
    unanswered: u32,
    steps: usize,
    /// Where the expression at hand is defined.
    pub(super) defined: BitId,
    /// The guard and the source text of the step at hand.
    pub(super) guard: BitId,
    pub(super) span: Span,
    pub(super) inputs: Vec<Input>,
    /// In order, as the inputs.
    pub(super) births: Vec<Birth>,
    pub(super) errors: Vec<(BitId, (ProcId, LocationId))>,
    /// Where facts of inductions fail.
    pub(super) facts: Vec<(BitId, (usize, usize))>,
    pub(super) open: Vec<Open>,
    /// Loops that were not unwound to their ends.
    pub(super) left: BTreeSet<(ProcId, LocationId)>,
}

/// How much was noted.
#[derive(Clone, Copy)]
pub(super) struct Noted {
    inputs: usize,
    births: usize,
    errors: usize,
    facts: usize,
    open: usize,
}

/// An input that a run takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    /// Where it does.
    pub(super) guard: BitId,
    pub(super) site: SiteId,
    pub(super) ty: Type,
    /// Its value.
    pub(super) value: BitId,
}

/// What is not known about the runs of a guard.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) guard: BitId,
    pub(super) what: String,
    pub(super) span: Span,
}

impl<'p> Unwinder<'p> {
    /// Nothing unwound yet.
    pub(super) fn new(
        program: &'p Program,
        bounds: &'p Bounds,
        inductions: &'p [Induction],
        budget: &'p Budget,
    ) -> Self {
        let mut sizes = IdVec::filled(0, program.procs.len());
        let mut globals = 0;
        let slots = program.vars.iter().map(|var| {
            let size = match var.scope {
                Scope::Global => &mut globals,
                Scope::Local(proc) => &mut sizes[proc],
            };
            *size += 1;
            *size - 1
        });
        let slots = slots.collect();
        Unwinder {
            program,
            store: BitStore::new(),
            solver: BitSolver::of_checker(),
            bounds,
            budget,
            inductions,
            by_head: (inductions.iter().enumerate())
                .map(|(number, row)| ((row.proc, row.head), number))
                .collect(),
            entered: BTreeMap::new(),
            places: IdVec::filled(None, program.procs.len()),
            slots,
            sizes,
            made: Vec::new(),
            global_objects: BTreeMap::new(),
            pending: BTreeMap::new(),
            feasible: FxHashSet::default(),
            asked: FxHashMap::default(),
            unanswered: 0,
            steps: 0,
            defined: BitStore::TRUE,
            guard: BitStore::TRUE,
            span: Span::NONE,
            inputs: Vec::new(),
            births: Vec::new(),
            errors: Vec::new(),
            facts: Vec::new(),
            open: Vec::new(),
            left: BTreeSet::new(),
        }
    }

    /// Follows all paths until they end, up to the bounds.
    pub(super) fn explore(&mut self) {
        let start = self.start();
        self.wait(start);
        self.run(None);
    }

    /// Follows the paths of all that waits until they end, or until one is at a place: its state.
    pub(super) fn run(&mut self, until: Option<&Key>) -> Option<State> {
        while let Some((key, state)) = self.pending.pop_first() {
            if until == Some(&key) {
                return Some(state);
            }
            if let Some(limit) = self.limit() {
                self.stop(state, &limit);
                return None;
            }
            self.guard = state.guard;
            if let Some(state) = self.by_induction(&key, state)
                && self.goes_on(&key, &state)
            {
                self.advance(state);
            }
            if self.is_hopeless() {
                return None;
            }
        }
        None
    }

    pub(super) fn start(&mut self) -> State {
        let vars = self.program.vars.iter();
        let globals = vars.filter(|var| var.scope == Scope::Global);
        let values = globals.map(|var| var.init.map(|value| self.constant(value)));
        let mut state = State {
            guard: BitStore::TRUE,
            globals: Rc::new(values.collect()),
            frames: Vec::new(),
            memory: Rc::default(),
        };
        self.create_globals(&mut state);
        let frame = self.activation(self.program.entry, None);
        state.frames.push(frame);
        state
    }

    pub(super) fn places_of(&mut self, proc: ProcId) -> Rc<IdVec<LocationId, NestPosition>> {
        let procedure = &self.program.procs[proc];
        self.places[proc]
            .get_or_insert_with(|| Rc::new(places(procedure)))
            .clone()
    }

    pub(super) fn key(&mut self, state: &State) -> Key {
        let mut key = Key::new();
        for frame in &state.frames {
            let places = self.places_of(frame.proc);
            frame.extend_key(&places[frame.at], &mut key);
        }
        key
    }

    /// Lets a state wait, together with one that waits there already.
    pub(super) fn wait(&mut self, state: State) {
        if state.guard == BitStore::FALSE {
            return;
        }
        let key = self.key(&state);
        let state = match self.pending.remove(&key) {
            Some(other) => merge(&mut self.store, other, state),
            None => state,
        };
        self.pending.insert(key, state);
    }

    /// Which limit is met, if one is.
    pub(super) fn limit(&self) -> Option<String> {
        if let Err(exhausted) = self.budget.check() {
            return Some(format!("the budget ended: {exhausted:?}").to_lowercase());
        }
        if self.steps >= self.bounds.steps {
            return Some(format!("{} steps were made", self.bounds.steps));
        }
        (self.store.len() >= self.bounds.terms)
            .then(|| format!("{} terms were made", self.bounds.terms))
    }

    /// All that waits is open.
    fn stop(&mut self, state: State, limit: &str) {
        let span = self.place_span(&state);
        let waiting = std::mem::take(&mut self.pending).into_values();
        for state in [state].into_iter().chain(waiting) {
            let what = format!("the unwinding did not end ({limit})");
            self.note(state.guard, what, span);
        }
    }

    /// A question that stays open, as a run is known that comes there.
    pub(super) fn hopeless(&self) -> Option<&Open> {
        let is_feasible = |guard| guard == BitStore::TRUE || self.feasible.contains(&guard);
        self.open.iter().find(|open| is_feasible(open.guard))
    }

    /// Whether there is such a question, and no reason to go on.
    pub(super) fn is_hopeless(&self) -> bool {
        !self.bounds.search && self.hopeless().is_some()
    }

    /// How much was noted so far.
    pub(super) fn noted(&self) -> Noted {
        Noted {
            inputs: self.inputs.len(),
            births: self.births.len(),
            errors: self.errors.len(),
            facts: self.facts.len(),
            open: self.open.len(),
        }
    }

    /// Forgets what was noted since.
    pub(super) fn forget(&mut self, noted: Noted) {
        self.inputs.truncate(noted.inputs);
        self.births.truncate(noted.births);
        self.errors.truncate(noted.errors);
        self.facts.truncate(noted.facts);
        self.open.truncate(noted.open);
    }

    /// The loop that a state is in, or where it stands.
    pub(super) fn place_span(&mut self, state: &State) -> Span {
        let frame = state.frame();
        let places = self.places_of(frame.proc);
        let at = places[frame.at]
            .loops
            .last()
            .map_or(frame.at, |(_, head)| *head);
        self.program.procs[frame.proc].span_at(at)
    }

    /// Whether a state that came back to the head of a loop, or deeper into a recursion, stands
    /// for a run.
    fn goes_on(&mut self, key: &Key, state: &State) -> bool {
        let frame = state.frame();
        let places = self.places_of(frame.proc);
        let place = &places[frame.at];
        let iteration = match (place.loops.last(), frame.iterations.last()) {
            (Some((_, head)), Some(&iteration)) if *head == frame.at => iteration,
            _ => 0,
        };
        let procedure = &self.program.procs[frame.proc];
        let mut callers = state.frames.iter().rev().skip(1);
        let recurs = frame.at == procedure.entry && callers.any(|other| other.proc == frame.proc);
        if (iteration == 0 && !recurs) || self.feasible.contains(&state.guard) {
            return true;
        }
        let span = self.place_span(state);
        if iteration >= self.bounds.iterations || state.frames.len() > self.bounds.depth {
            self.leave_off(state, span);
            return false;
        }
        if self.store.as_constant(state.guard).is_some() {
            return true;
        }
        let name = loop_of(key, frame.proc, iteration);
        let asked = self.asked.entry(name).or_insert(0);
        *asked += 1;
        let in_all = u64::from(self.bounds.questions) * LOOPS;
        let are_too_hard = self.unanswered > self.bounds.questions / UNANSWERED;
        if *asked > self.bounds.questions || self.solver.checks() > in_all || are_too_hard {
            self.leave_off(state, span);
            return false;
        }
        let effort = self.bounds.question_effort;
        match (self.solver).may_hold(&self.store, state.guard, effort, self.budget) {
            Answer::Unsat => false,
            Answer::Sat => {
                self.feasible.insert(state.guard);
                true
            }
            // It may stand for one.
            Answer::Unknown(_) => {
                self.unanswered += 1;
                true
            }
        }
    }

    /// A loop or recursion is not followed further.
    fn leave_off(&mut self, state: &State, span: Span) {
        self.left.insert((state.frame().proc, state.frame().at));
        let what = "a loop or recursion was not unwound to its end";
        self.note(state.guard, what, span);
    }

    /// Notes what is not known at the step at hand.
    pub(super) fn open(&mut self, what: &str, under: BitId) {
        let guard = self.store.and(self.guard, under);
        self.note(guard, what, self.span);
    }

    /// Notes what is not known at the step at hand where a condition holds.
    pub(super) fn open_if(&mut self, what: &str, condition: BitId, under: BitId) {
        let there = self.store.and(under, condition);
        self.open(what, there);
    }

    pub(super) fn note(&mut self, guard: BitId, what: impl Into<String>, span: Span) {
        if guard != BitStore::FALSE {
            let what = what.into();
            self.open.push(Open { guard, what, span });
        }
    }

    /// Follows the edges of a state.
    pub(super) fn advance(&mut self, state: State) {
        let proc = state.frame().proc;
        let procedure = &self.program.procs[proc];
        let location = &procedure.locations[state.frame().at];
        if location.error.is_some() {
            if !state.frames.iter().any(|frame| self.is_known(frame, 0)) {
                self.errors.push((state.guard, (proc, state.frame().at)));
            }
            return;
        }
        let Some((&last, others)) = location.out.split_last() else {
            return;
        };
        for &edge in others {
            self.follow(state.clone(), edge);
        }
        self.follow(state, last);
    }

    fn follow(&mut self, mut state: State, id: EdgeId) {
        self.steps += 1;
        let proc = state.frame().proc;
        let edge = &self.program.procs[proc].edges[id];
        self.guard = state.guard;
        self.span = edge.span;
        self.defined = BitStore::TRUE;
        let always = BitStore::TRUE;
        match &edge.op {
            Op::Skip => {}
            Op::Assign(place, value) => {
                let value = self.expr(&state, value, always);
                self.assign(&mut state, place, value);
            }
            Op::Assume(condition) => {
                let holds = self.bits(&state, condition, always);
                self.assume_defined(&mut state);
                self.assume(&mut state, holds);
            }
            Op::Havoc(place, site) => self.havoc(&mut state, place, *site),
            Op::Call(call) => match &call.callee {
                Callee::Library(function) => self.library(&mut state, *function, call),
                Callee::Proc(callee) => return self.call(state, id, call, *callee),
                Callee::Pointer(pointer) => return self.call_pointer(&state, id, call, pointer),
            },
            Op::Return(value) => return self.leave(state, value.as_ref()),
            // Whatever happens, the run ends here.
            Op::Halt(_) => return,
            Op::Enter(object) => self.enter(&mut state, *object),
            Op::Leave(object) => {
                if let Some(&number) = state.frame().objects.get(object) {
                    self.kill(&mut state, number);
                }
            }
            Op::Unsupported(what) => {
                self.open(what, always);
                return;
            }
        }
        self.go(state, edge.target);
    }

    /// Moves a state to a location of its procedure.
    pub(super) fn go(&mut self, mut state: State, target: LocationId) {
        let proc = state.frame().proc;
        let places = self.places_of(proc);
        let (from, to) = (&places[state.frame().at], &places[target]);
        let common = (from.loops.iter().zip(&to.loops))
            .take_while(|(a, b)| a == b)
            .count();
        if self.is_known(state.frame(), common) {
            return;
        }
        let frame = state.frame_mut();
        frame.iterations.resize(common, 0);
        frame.iterations.resize(to.loops.len(), 0);
        let is_back =
            common == to.loops.len() && to.loops.last().is_some_and(|(_, head)| *head == target);
        if let Some(iteration) = frame.iterations.last_mut()
            && is_back
        {
            *iteration += 1;
        }
        frame.at = target;
        self.wait(state);
    }

    /// Adds a condition to a guard, unless the guard says already what becomes of it.
    pub(super) fn assume(&mut self, state: &mut State, condition: BitId) {
        let negated = self.store.not(condition);
        let mut guard = state.guard;
        for _ in 0..KNOWN {
            let (before, last) = match self.store.node(guard) {
                BitNode::Binary(BitOp::And, before, last) => (before, last),
                _ => (BitStore::TRUE, guard),
            };
            if last == condition {
                return;
            }
            if last == negated {
                state.guard = BitStore::FALSE;
                return;
            }
            guard = before;
        }
        state.guard = self.store.and(state.guard, condition);
    }

    /// A run goes on only where what was evaluated is defined.
    pub(super) fn assume_defined(&mut self, state: &mut State) {
        let defined = std::mem::replace(&mut self.defined, BitStore::TRUE);
        self.assume(state, defined);
        self.guard = state.guard;
    }

    fn assign(&mut self, state: &mut State, place: &Place, value: Value) {
        match place {
            Place::Var(var) => {
                self.assume_defined(state);
                self.set(state, *var, value);
            }
            Place::Mem(ty, address) => {
                let at = self.address(state, address, BitStore::TRUE);
                self.write(state, *ty, at, value);
                self.assume_defined(state);
            }
        }
    }

    /// Sets a variable.
    pub(super) fn set(&mut self, state: &mut State, var: VarId, value: Value) {
        let slot = self.slots[var];
        let vars = match self.program.vars[var].scope {
            Scope::Global => &mut state.globals,
            Scope::Local(_) => &mut state.frame_mut().vars,
        };
        Rc::make_mut(vars)[slot] = Some(value);
    }

    fn havoc(&mut self, state: &mut State, place: &Place, site: SiteId) {
        let ty = match place {
            Place::Var(var) => self.program.vars[*var].ty,
            Place::Mem(ty, _) => *ty,
        };
        let value = self.any(ty);
        if let Value::Bits(value) = value {
            let guard = state.guard;
            self.inputs.push(Input {
                guard,
                site,
                ty,
                value,
            });
        }
        self.assign(state, place, value);
    }

    fn enter(&mut self, state: &mut State, object: ObjectId) {
        let row = &self.program.objects[object];
        let number = self.create(state, Made::of_object(row), First::Unset(row.contents));
        let number = self.number(number);
        let objects = &mut state.frame_mut().objects;
        Rc::make_mut(objects).insert(object, number);
    }
}

/// What is counted as one loop: all iterations of it that were entered at once, or the recursion
/// of a procedure at whatever depth.
fn loop_of(key: &Key, proc: ProcId, iteration: u32) -> Key {
    let mut name = key.clone();
    match (iteration, &mut name[..]) {
        // Behind the iteration come the rank of the head, which is the first, and the location.
        (1.., [.., iteration, _, _]) => *iteration = 0,
        _ => name = vec![proc.index() as u32],
    }
    name
}
