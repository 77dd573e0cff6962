//! Which predicates are tracked where.
//!
//! # Paper
//! [henzinger2004abstractions], section 3: predicates belong to locations. A predicate found at a
//! location is tracked there, or in its whole procedure, or everywhere, depending on its [`Scope`].
//!
//! # Invariants
//! - The predicates of a location only grow, and keep their order: their number identifies the set.
//! - A predicate is an atom over the state; of an atom and its negation only one is tracked.

use encode::{Context, CutGraph};
use logic::{Node, TermId, TermStore};
use program::ir::{LocationId, ProcId};
use std::collections::{BTreeMap, BTreeSet};

/// Where a predicate that was found at a location is tracked.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Scope {
    /// At that location.
    #[default]
    Local,
    /// In the procedure of that location.
    Function,
    /// Everywhere.
    Global,
}

/// How an abstract state is computed from predicates.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Abstraction {
    /// Cartesian: the predicates, and negations, that hold in all states, as one conjunction.
    #[default]
    Cartesian,
    /// Boolean: everything the predicates can express, as a disjunction of conjunctions.
    Boolean,
}

/// Predicates and how they are used at a location.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Tracked {
    /// The predicates, in the order in which they were found.
    pub predicates: Vec<TermId>,
    /// How abstract states are computed.
    pub abstraction: Abstraction,
}

/// A place in the program.
pub type At = (ProcId, LocationId);

/// The predicates of each location.
#[derive(Clone, Default, Debug)]
pub struct Predicates {
    scope: Scope,
    tracked: BTreeMap<At, Tracked>,
    /// What was found, and in which procedure: locations queried for the first time later track it
    /// too.
    found: Vec<(ProcId, TermId)>,
}

impl Predicates {
    /// None yet.
    pub fn new(scope: Scope) -> Self {
        Predicates {
            scope,
            ..Predicates::default()
        }
    }

    /// What is tracked at a location.
    pub fn at(&mut self, ctx: &Context, cuts: &CutGraph, at: LocationId) -> &Tracked {
        self.entry(ctx, cuts, at)
    }

    fn entry(&mut self, ctx: &Context, cuts: &CutGraph, at: LocationId) -> &mut Tracked {
        let (scope, found) = (self.scope, &self.found);
        let row = self.tracked.entry((cuts.proc, at));
        row.or_insert_with(|| {
            let reaches = |proc: ProcId| match scope {
                Scope::Local => false,
                Scope::Function => proc == cuts.proc,
                Scope::Global => true,
            };
            let found = found.iter().filter(|(proc, _)| reaches(*proc));
            let found = found.map(|(_, predicate)| *predicate);
            Tracked {
                predicates: found.filter(|&row| is_about(ctx, cuts, at, row)).collect(),
                abstraction: Abstraction::default(),
            }
        })
    }

    /// Tracks the atoms of a formula that was found at a location. If it is not a conjunction of
    /// literals, that location needs Boolean posts. Returns the atoms.
    pub fn add(
        &mut self,
        ctx: &mut Context,
        cuts: &CutGraph,
        at: LocationId,
        formula: TermId,
    ) -> Vec<TermId> {
        let conjuncts = ctx.store.conjuncts(formula);
        let is_cube = conjuncts.iter().all(|&row| ctx.store.is_literal(row));
        let mut atoms: BTreeSet<TermId> = BTreeSet::new();
        for atom in ctx.store.atoms(formula) {
            atoms.insert(positive(&mut ctx.store, atom));
        }
        for &atom in &atoms {
            self.track(ctx, cuts, at, atom);
        }
        if !is_cube {
            self.entry(ctx, cuts, at).abstraction = Abstraction::Boolean;
        }
        atoms.into_iter().collect()
    }

    fn track(&mut self, ctx: &Context, cuts: &CutGraph, at: LocationId, predicate: TermId) {
        let row = self.entry(ctx, cuts, at);
        if !row.predicates.contains(&predicate) {
            row.predicates.push(predicate);
        }
        if self.scope == Scope::Local || self.found.contains(&(cuts.proc, predicate)) {
            return;
        }
        self.found.push((cuts.proc, predicate));
        let scope = self.scope;
        for ((proc, at), row) in &mut self.tracked {
            let reaches = scope == Scope::Global || *proc == cuts.proc;
            let is_known = row.predicates.contains(&predicate);
            let is_about = *proc != cuts.proc || is_about(ctx, cuts, *at, predicate);
            if reaches && !is_known && is_about && is_in_scope(ctx, *proc, predicate) {
                row.predicates.push(predicate);
            }
        }
    }

    /// Switches a location to Boolean posts; returns whether that is new.
    pub fn make_boolean(&mut self, ctx: &Context, cuts: &CutGraph, at: LocationId) -> bool {
        let row = self.entry(ctx, cuts, at);
        let before = std::mem::replace(&mut row.abstraction, Abstraction::Boolean);
        before != Abstraction::Boolean
    }

    /// Whether a vertex at a location, labelled when a given number of predicates were tracked
    /// there, lacks some of those needed now; a predicate with a wider scope is needed in all of
    /// it.
    pub fn is_lacking(
        &self,
        at: At,
        (count, abstraction): (usize, Abstraction),
        needed: &[TermId],
    ) -> bool {
        let Some(row) = self.tracked.get(&at) else {
            return false;
        };
        let is_missing = |atom: &TermId| !row.predicates[..count].contains(atom);
        let is_short = match self.scope {
            Scope::Local => needed.iter().any(is_missing),
            Scope::Function | Scope::Global => count < row.predicates.len(),
        };
        is_short || row.abstraction != abstraction
    }

    /// All predicates, each once.
    pub fn all(&self) -> BTreeSet<TermId> {
        let rows = self.tracked.values();
        rows.flat_map(|row| row.predicates.iter().copied())
            .collect()
    }

    /// How many predicates each location has.
    pub fn sizes(&self) -> impl Iterator<Item = (At, usize)> {
        let rows = self.tracked.iter();
        rows.map(|(&at, row)| (at, row.predicates.len()))
    }
}

/// A canonical choice between an atom and its negation.
fn positive(store: &mut TermStore, atom: TermId) -> TermId {
    let negation = store.not(atom);
    match store.node(negation) {
        Node::Not(_) => atom,
        _ => atom.min(negation),
    }
}

/// Whether a predicate is meaningful at a location: all its variables are live there.
fn is_about(ctx: &Context, cuts: &CutGraph, at: LocationId, predicate: TermId) -> bool {
    let live = cuts.live(at);
    let mut vars = ctx.vars_of(&[predicate]).into_iter();
    vars.all(|var| live.contains(var))
}

/// Whether a procedure can see all variables of a predicate.
fn is_in_scope(ctx: &Context, proc: ProcId, predicate: TermId) -> bool {
    let mut vars = ctx.vars_of(&[predicate]).into_iter();
    vars.all(|var| match ctx.program.vars[var].scope {
        program::ir::Scope::Global => true,
        program::ir::Scope::Local(owner) => owner == proc,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Budget, Id};
    use encode::EncodingPrecision;
    use program::ir::VarId;

    /// Two loops; the second one does not read `x`.
    const TEXT: &str = r#"
          l0:
            e0: x := 0i32 -> l2
          l2:
            e1: x := x + 1i32 -> l3
          l3:
            e2: assume x < y -> l2
            e3: assume x >= y -> l4
          l4:
            e4: y := y - 1i32 -> l5
          l5:
            e5: assume y > 0i32 -> l4
            e6: assume y <= 0i32 -> l6
          l6: error assertion "y""#;

    #[test]
    fn scopes_say_where_a_predicate_is_tracked() {
        let program = program::testing::parse_main("x: i32, y: i32", TEXT);
        let mut ctx = Context::new(&program, &Budget::unlimited());
        let cuts = CutGraph::new(&mut ctx, program.entry, &EncodingPrecision::default());
        let heads = [2, 4].map(LocationId::from_index);
        let [x, y] = [0, 1].map(|index| ctx.before(VarId::from_index(index)));
        let five = ctx.store.int(5i64);
        let small = [x, y].map(|var| ctx.store.le(var, five));
        let large = small.map(|row| ctx.store.not(row));
        let both = ctx.store.and(&[large[0], small[1]]);
        for (scope, second) in [(Scope::Local, 0), (Scope::Function, 1), (Scope::Global, 1)] {
            let mut predicates = Predicates::new(scope);
            assert!(predicates.at(&ctx, &cuts, heads[1]).predicates.is_empty());
            let atoms = predicates.add(&mut ctx, &cuts, heads[0], both);
            assert_eq!(atoms.len(), 2);
            let row = predicates.at(&ctx, &cuts, heads[0]).clone();
            assert_eq!(
                (row.predicates.len(), row.abstraction),
                (2, Abstraction::Cartesian)
            );
            // `x` does not matter in the second loop.
            assert_eq!(
                predicates.at(&ctx, &cuts, heads[1]).predicates.len(),
                second
            );
            // The negation of what is tracked is nothing new; a disjunction needs more.
            let either = ctx.store.or(&[small[0], large[1]]);
            predicates.add(&mut ctx, &cuts, heads[0], either);
            let row = predicates.at(&ctx, &cuts, heads[0]).clone();
            assert_eq!(
                (row.predicates.len(), row.abstraction),
                (2, Abstraction::Boolean)
            );
            assert_eq!(predicates.all().len(), 2);
            let here = (cuts.proc, heads[0]);
            let all = (2, Abstraction::Boolean);
            assert!(!predicates.is_lacking(here, all, &atoms));
            assert!(predicates.is_lacking(here, (1, Abstraction::Boolean), &atoms));
            assert!(predicates.is_lacking(here, (2, Abstraction::Cartesian), &[]));
            let is_wanted = predicates.is_lacking(here, (1, Abstraction::Boolean), &[]);
            assert_eq!(is_wanted, scope != Scope::Local);
            assert!(!predicates.make_boolean(&ctx, &cuts, heads[0]));
            assert!(predicates.make_boolean(&ctx, &cuts, heads[1]));
        }
    }
}
