//! Lemmas that differ in constants only, and what they have in common.
//!
//! A proof that needs `x < y` may start with the lemmas that `x >= 3` and `y <= 3`, that `x >= 4`
//! and `y <= 4`, and so on never hold together. Their constants lie on a line: if it continues, so
//! may the lemmas, and the cube that contains them all is `x >= y`.
//!
//! # Paper
//! [vediramanakrishnan2020global]: clusters of lemmas, and the rule "subsume". We take the affine
//! hull of the constants, and their common remainders, where the paper takes their convex hull; and
//! we check whether the cube is inductive rather than making it an obligation.
//!
//! # Invariants
//! - A conjecture is only that: the caller checks whether it is a lemma.

use absdom::symbolic::Congruence;
use absdom::{Kind, Polyhedron};
use base::Budget;
use horn::RelationId;
use interpolate::eliminate::values;
use interpolate::project::project;
use logic::{Integer, Node, Sort, TermId, TermStore};
use rustc_hash::FxHashMap;
use smt::Solver;
use std::collections::BTreeSet;

/// So many cubes of a cluster are remembered.
const MEMBERS: usize = 8;
/// How often a cluster may be tried in vain.
const TRIES: usize = 8;
/// How many numbers the cubes of a cluster may have, and how many generators their hull.
const NUMBERS: usize = 8;
const GENERATORS: usize = 100;

/// A literal without its number: of a comparison the sum without its constant, of others all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Shape {
    AtMostZero(TermId),
    Other(TermId),
}

#[derive(Default)]
struct Cluster {
    members: Vec<Vec<Integer>>,
    tries: usize,
}

/// The clusters of all relations.
#[derive(Default)]
pub(super) struct Clusters {
    clusters: FxHashMap<(RelationId, Vec<Shape>), Cluster>,
}

impl Clusters {
    /// Adds a cube to its cluster, and returns larger ones that the cubes of the cluster suggest,
    /// the largest first.
    pub(super) fn add(
        &mut self,
        store: &mut TermStore,
        relation: RelationId,
        cube: &[TermId],
        budget: &Budget,
    ) -> Vec<Vec<TermId>> {
        let (shapes, numbers) = shapes(store, cube);
        if !(2..=NUMBERS).contains(&numbers.len()) {
            return Vec::new();
        }
        let cluster = self.clusters.entry((relation, shapes.clone())).or_default();
        if !cluster.remember(&numbers) || cluster.tries == TRIES {
            return Vec::new();
        }
        let stand_ins: Vec<TermId> = (numbers.iter())
            .map(|_| store.fresh("number", Sort::Int))
            .collect();
        let Some((equalities, congruences)) = cluster.common(store, &stand_ins, budget) else {
            return Vec::new();
        };
        cluster.tries += 1;
        let cube = with_stand_ins(store, &shapes, &stand_ins);
        let mut all = vec![[&cube[..], &equalities[..]].concat()];
        if !congruences.is_empty() {
            all.push([&cube[..], &equalities[..], &congruences[..]].concat());
        }
        let larger = |parts| without(store, parts, &stand_ins, &numbers, budget);
        all.into_iter().filter_map(larger).collect()
    }
}

impl Cluster {
    /// Adds a member; whether it is new.
    fn remember(&mut self, numbers: &[Integer]) -> bool {
        if self.members.iter().any(|member| member == numbers) {
            return false;
        }
        if self.members.len() == MEMBERS {
            self.members.remove(0);
        }
        self.members.push(numbers.to_vec());
        true
    }

    /// What the numbers of all members have in common, said about stand-ins for them: equalities
    /// and congruences. None if any numbers would have as much in common.
    fn common(
        &self,
        store: &mut TermStore,
        stand_ins: &[TermId],
        budget: &Budget,
    ) -> Option<(Vec<TermId>, Vec<TermId>)> {
        let mut hull = Polyhedron::empty(stand_ins.len());
        for member in &self.members {
            hull = hull.with_point(member, budget, GENERATORS);
        }
        let rows = hull.rows().iter();
        let equalities: Vec<TermId> = rows
            .filter(|row| row.kind == Kind::Equality)
            .map(|row| row.to_term(store, stand_ins))
            .collect();
        let dimension = stand_ins.len().checked_sub(equalities.len())?;
        if dimension == 0 || self.members.len() < dimension + 2 {
            return None;
        }
        let congruences = Congruence::of_points(&self.members);
        let congruences = congruences.iter().map(|it| it.to_term(store, stand_ins));
        Some((equalities, congruences.collect()))
    }
}

/// Literals of some shapes, with stand-ins in place of their numbers.
fn with_stand_ins(store: &mut TermStore, shapes: &[Shape], stand_ins: &[TermId]) -> Vec<TermId> {
    let mut stand_ins = stand_ins.iter();
    let zero = store.int(0i64);
    let literal = |shape: &Shape| match *shape {
        Shape::Other(literal) => literal,
        Shape::AtMostZero(sum) => {
            let stand_in = stand_ins.next().expect("a number should have a stand-in");
            let sum = store.add(sum, *stand_in);
            store.le(sum, zero)
        }
    };
    shapes.iter().map(literal).collect()
}

/// The literals of a cube without their numbers, in an order that does not depend on these, and the
/// numbers.
fn shapes(store: &mut TermStore, cube: &[TermId]) -> (Vec<Shape>, Vec<Integer>) {
    let mut all: Vec<(Shape, Option<Integer>)> = Vec::new();
    for &literal in cube {
        all.push(match store.node(literal) {
            Node::AtMostZero(sum) => {
                let (constant, parts) = store.to_linear(*sum);
                let sum = store.linear(&Integer::ZERO, &parts);
                (Shape::AtMostZero(sum), Some(constant))
            }
            _ => (Shape::Other(literal), None),
        });
    }
    all.sort();
    let shapes = all.iter().map(|(shape, _)| *shape).collect();
    (shapes, all.into_iter().filter_map(|(_, it)| it).collect())
}

/// A cube that says about some stand-ins that they exist, around a state in which they are these
/// numbers.
fn without(
    store: &mut TermStore,
    parts: Vec<TermId>,
    stand_ins: &[TermId],
    numbers: &[Integer],
    budget: &Budget,
) -> Option<Vec<TermId>> {
    let mut fixed = parts.clone();
    for (&stand_in, number) in stand_ins.iter().zip(numbers) {
        fixed.push(store.equals(stand_in, number.clone()));
    }
    let model = Solver::new().model_of(store, &fixed, budget).ok()??;
    let own: BTreeSet<_> = store.symbols_of(stand_ins);
    let values = values(store, &parts, &model);
    project(store, &parts, &own, &values).ok()
}
