//! Closure operators: from one turn of a loop to any number of turns.
//!
//! A closure has the shape
//!
//! > no turn and nothing changes, or k ≥ 1 turns: facts about the state before, the state after
//! > and k; and there is a first turn and a last one.
//!
//! The facts come from the operators of [`OPERATORS`]; each holds of every number of turns and is
//! closed under a turn before. First and last turn are the turn itself, so conditions and resets
//! are kept. [`phases`] cuts a loop in two where a condition, once true, stays true; [`few`] takes
//! the turns of a loop that ends soon one by one. All facts hold together, so what one operator cannot say another
//! may.
//!
//! # Paper
//! [fang2025software], section 6, and [farzan2015compositional] for recurrences on differences.
//!
//! # Invariants
//! - For a turn `F` and its closure `S`: the identity implies `S`, and `F ; S` implies `S`.

pub mod differences;
pub mod exact;
mod few;
pub mod period;
pub mod persistent;
pub mod phases;
pub mod stratified;
pub mod values;

use crate::kit::Kit;
use logic::{Sort, SymbolId, TermId};
use program::ir::VarId;
use program::pass::transition::{TransitionFormula, sort};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How much effort a summary is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// What the invariants and the last turn say.
    Invariants,
    /// Equalities on differences, congruences and conditions that persist.
    Equalities,
    /// Inequalities on differences.
    Inequalities,
    /// Phases.
    Phases,
}

impl Level {
    /// All, the cheapest first.
    pub const ALL: [Level; 4] = [
        Level::Invariants,
        Level::Equalities,
        Level::Inequalities,
        Level::Phases,
    ];

    /// In a word, for people.
    pub fn name(self) -> &'static str {
        match self {
            Level::Invariants => "invariants",
            Level::Equalities => "equalities",
            Level::Inequalities => "inequalities",
            Level::Phases => "phases",
        }
    }
}

/// One turn of a loop, and what may help to summarise it.
#[derive(Clone, Debug)]
pub struct Body {
    /// The turn, with the invariant on both ends.
    pub turn: TransitionFormula,
    /// When it can be taken, the invariant aside.
    pub guard: TermId,
    /// What holds before every turn and after the last.
    pub invariant: TermId,
    /// Conditions on the state that are of interest.
    pub hints: Vec<TermId>,
}

/// A closure.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Any number of turns.
    pub step: TransitionFormula,
    /// Whether every state it allows is reached, if the turn is exact.
    pub exact: bool,
    /// The quantified symbol that is the number of turns, if there is one.
    pub count: Option<SymbolId>,
}

/// The symbols that facts about many turns speak of, besides those of the state before.
pub struct Frame {
    /// The variables after the turns.
    pub after: BTreeMap<VarId, SymbolId>,
    /// How many turns.
    pub count: SymbolId,
}

/// A way to say something about any number of turns.
pub trait Operator: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// From which level on it is worth its price.
    fn level(&self) -> Level;
    /// Facts about at least one turn, over the state before, the frame, and quantified symbols.
    fn facts(&self, kit: &mut Kit, body: &Body, frame: &Frame) -> Vec<TermId>;
}

/// All operators, the cheapest first.
pub const OPERATORS: &[&dyn Operator] = &[
    &persistent::Persistent,
    &differences::Equalities,
    &differences::Congruences,
    &differences::Inequalities,
    &period::Period,
    &values::Values,
    &stratified::Stratified,
];

/// How often a phase is cut again.
const CUTS: usize = 3;

/// Any number of turns.
pub fn close(kit: &mut Kit, body: &Body, level: Level) -> Closure {
    cut(kit, body, level, CUTS)
}

/// The closure of a turn that may be cut so often.
fn cut(kit: &mut Kit, body: &Body, level: Level, cuts: usize) -> Closure {
    if kit.store.as_bool(body.turn.guard) == Some(false) || body.turn.map.is_empty() {
        let step = TransitionFormula::identity(&mut kit.store);
        return Closure {
            step,
            exact: true,
            count: None,
        };
    }
    if level >= Level::Phases
        && cuts == CUTS
        && let Some(closure) = few::few(kit, body)
    {
        return closure;
    }
    if level >= Level::Phases
        && cuts > 0
        && let Some(closure) = phases::split(kit, body, level, cuts - 1)
    {
        return closure;
    }
    join(kit, body, level)
}

/// The closure of a turn that is not cut.
fn join(kit: &mut Kit, body: &Body, level: Level) -> Closure {
    let frame = Frame::new(kit, &body.turn);
    let mut facts = Vec::new();
    for operator in OPERATORS.iter().filter(|row| row.level() <= level) {
        if kit.budget.check().is_err() {
            break;
        }
        facts.extend(operator.facts(kit, body, &frame));
    }
    let facts = kit.store.and(&facts);
    let count = kit.store.of_symbol(frame.count);
    let one = kit.store.int(1i64);
    let zero = kit.store.int(0i64);
    let fewer = kit.store.sub(count, one);
    // The last turn: its state before is a fresh one.
    let mut last_parts = Vec::new();
    let between = Frame::new(kit, &body.turn);
    let at_between: FxHashMap<SymbolId, TermId> = frame.states(kit, &between);
    let last = body.turn.renamed(&mut kit.store, &kit.state);
    let last = kit.shifted(&last, &at_between);
    last_parts.push(last.guard);
    for (&var, &symbol) in &frame.after {
        let after = kit.store.of_symbol(symbol);
        let value = last.map[&var];
        last_parts.push(kit.store.eq(after, value));
    }
    last_parts.push(frame.moved(kit, facts, &between, fewer));
    // With one turn the last is the first.
    let at_start = kit.store.eq(fewer, zero);
    let mut same = Vec::new();
    for (&var, &symbol) in &between.after {
        let (middle, before) = (kit.store.of_symbol(symbol), kit.before(var));
        same.push(kit.store.eq(middle, before));
    }
    let same = kit.store.and(&same);
    last_parts.push(kit.store.implies(at_start, same));
    let first = body.turn.renamed(&mut kit.store, &kit.state);
    let at_least_one = kit.store.le(one, count);
    let mut some = vec![at_least_one, facts, first.guard];
    some.extend(last_parts);
    let some = kit.store.and(&some);
    let mut none = vec![kit.store.eq(count, zero)];
    for (&var, &symbol) in &frame.after {
        let (after, before) = (kit.store.of_symbol(symbol), kit.before(var));
        none.push(kit.store.eq(after, before));
    }
    let none = kit.store.and(&none);
    let guard = kit.store.or(&[none, some]);
    let map = frame.after.iter().map(|(&var, &symbol)| (var, symbol));
    let map = map.collect::<Vec<_>>();
    let step = TransitionFormula {
        map: map
            .into_iter()
            .map(|(var, symbol)| (var, kit.store.of_symbol(symbol)))
            .collect(),
        guard,
        exact: body.turn.exact,
    };
    let exact = level >= Level::Equalities && exact::is_exact(kit, body);
    Closure {
        step,
        exact,
        count: Some(frame.count),
    }
}

impl Frame {
    /// Fresh symbols for what a turn writes, and a count.
    pub fn new(kit: &mut Kit, turn: &TransitionFormula) -> Frame {
        let mut after = BTreeMap::new();
        for &var in turn.map.keys() {
            let row = &kit.program.vars[var];
            let name = format!("{}'", row.name);
            after.insert(var, kit.store.new_symbol(&name, sort(row.ty)));
        }
        Frame {
            after,
            count: kit.store.new_symbol("k", Sort::Int),
        }
    }

    /// The state before, replaced by the state of another frame.
    fn states(&self, kit: &mut Kit, other: &Frame) -> FxHashMap<SymbolId, TermId> {
        let mut map = FxHashMap::default();
        for (&var, &symbol) in &other.after {
            map.insert(kit.state.symbol(var), kit.store.of_symbol(symbol));
        }
        map
    }

    /// Facts of this frame, about another state after and another count, their quantified symbols
    /// renamed. They hold of at least one turn; of none nothing is said.
    fn moved(&self, kit: &mut Kit, facts: TermId, other: &Frame, count: TermId) -> TermId {
        let mut map = FxHashMap::default();
        for (var, &symbol) in &self.after {
            map.insert(symbol, kit.store.of_symbol(other.after[var]));
        }
        map.insert(self.count, count);
        for symbol in kit.store.symbols_of(&[facts]) {
            if kit.state.var(symbol).is_none() && !map.contains_key(&symbol) {
                let row = kit.store.symbol(symbol).clone();
                map.insert(symbol, kit.store.fresh(&row.name, row.sort));
            }
        }
        let moved = kit.store.substitute(facts, &map);
        let zero = kit.store.int(0i64);
        let none = kit.store.le(count, zero);
        kit.store.or(&[none, moved])
    }
}

impl Kit<'_> {
    /// A step whose state before is spelled otherwise.
    pub fn shifted(
        &mut self,
        step: &TransitionFormula,
        states: &FxHashMap<SymbolId, TermId>,
    ) -> TransitionFormula {
        let mut terms: Vec<TermId> = step.map.values().copied().collect();
        terms.push(step.guard);
        let mut terms = self.store.substitute_all(&terms, states);
        let guard = terms.pop().expect("the guard should be the last term");
        TransitionFormula {
            map: step.map.keys().copied().zip(terms).collect(),
            guard,
            exact: step.exact,
        }
    }
}
