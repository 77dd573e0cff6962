//! Labels of locations and steps: where one holds, no open goal is reachable, or no such exit.
//!
//! # Invariants
//! - The labels of a location or step are disjuncts: one of them holding is enough, and none
//!   implies another.
//! - [`Labels::version`] of a location or step changes whenever its disjuncts do.

use super::calls::Aim;
use super::graph::{PointId, SegmentId};
use kit::Context;
use kit::path_solver::asking;
use logic::TermId;
use std::collections::BTreeMap;

/// What can have a label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Spot {
    Point(PointId),
    Segment(SegmentId),
}

/// What a label is attached to, and what it excludes.
pub(super) type Place = (Spot, Aim);

/// The labels of a program.
#[derive(Default)]
pub(super) struct Labels {
    cases: BTreeMap<Place, Vec<TermId>>,
    versions: BTreeMap<Place, u64>,
}

impl Labels {
    /// The disjuncts at a place, the latest last.
    pub(super) fn cases(&self, place: Place) -> &[TermId] {
        self.cases.get(&place).map_or(&[], Vec::as_slice)
    }

    /// The disjunction.
    pub(super) fn formula(&self, ctx: &mut Context, place: Place) -> TermId {
        ctx.store.or(self.cases(place))
    }

    /// How often the disjuncts at a place changed.
    pub(super) fn version(&self, place: Place) -> u64 {
        self.versions.get(&place).copied().unwrap_or_default()
    }

    /// Adds a disjunct; stronger ones are dropped. One that is stronger than an existing one is not added.
    pub(super) fn add(&mut self, ctx: &mut Context, place: Place, label: TermId) {
        let mut cases = self.cases(place).to_vec();
        if ctx.store.as_bool(label) == Some(false) {
            return;
        }
        if (cases.iter()).any(|&case| case == label || entails(ctx, label, case)) {
            return;
        }
        cases.retain(|&case| !entails(ctx, case, label));
        cases.push(label);
        self.cases.insert(place, cases);
        *self.versions.entry(place).or_default() += 1;
    }

    /// Drops the disjuncts at a place.
    pub(super) fn forget(&mut self, place: Place) {
        if self.cases.remove(&place).is_some() {
            *self.versions.entry(place).or_default() += 1;
        }
    }

    /// Drops the disjuncts of all steps.
    pub(super) fn forget_steps(&mut self) {
        let places: Vec<Place> = self.cases.keys().copied().collect();
        for place in places {
            if let (Spot::Segment(_), _) = place {
                self.forget(place);
            }
        }
    }

    /// Drops a disjunct at a place.
    pub(super) fn drop_case(&mut self, place: Place, case: TermId) {
        if let Some(cases) = self.cases.get_mut(&place) {
            cases.retain(|&other| other != case);
            *self.versions.entry(place).or_default() += 1;
        }
    }

    /// The labels of locations.
    pub(super) fn of_points(&self) -> impl Iterator<Item = ((PointId, Aim), &[TermId])> {
        self.cases.iter().filter_map(|(&place, cases)| match place {
            (Spot::Point(at), aim) => Some(((at, aim), cases.as_slice())),
            (Spot::Segment(_), _) => None,
        })
    }

    /// How many labels there are.
    pub(super) fn len(&self) -> usize {
        self.cases.values().map(Vec::len).sum()
    }
}

/// Whether one formula certainly follows from another.
fn entails(ctx: &mut Context, premise: TermId, conclusion: TermId) -> bool {
    asking(ctx, |ctx| ctx.entails(premise, conclusion))
}
