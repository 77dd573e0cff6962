//! A run that follows the waypoints of a violation witness.
//!
//! The return values of functions are taken from the waypoints, in order and by location. What the
//! witness leaves open is zero: whether that is a good choice shows at the end of the run.
//!
//! # Invariants
//! - A run has followed the witness only if it has passed all its waypoints and nothing that it
//!   says to avoid.

use crate::constraint::Constraint;
use crate::format::{Location, Segment, WaypointKind};
use crate::position::Positions;
use crate::violation::Calls;
use base::{IdVec, SourceMap};
use exec::Inputs;
use program::expr::{Constant, Type};
use program::ir::{Program, SiteId};

/// A witness whose waypoints are values of functions and the target: the inputs of its run.
pub struct Followed {
    /// Where each call stands, if a site is one.
    places: IdVec<SiteId, Option<Location>>,
    steps: Vec<(Location, Constraint)>,
    passed: usize,
}

impl Followed {
    /// The inputs that a witness gives. `None` if it has waypoints of other kinds or some to avoid,
    /// which a list of inputs cannot follow.
    pub fn new(program: &Program, sources: &SourceMap, segments: &[Segment]) -> Option<Self> {
        let (_, before) = segments.split_last()?;
        if segments.iter().any(|segment| !segment.avoid.is_empty()) {
            return None;
        }
        let mut steps = Vec::with_capacity(before.len());
        for segment in before {
            let WaypointKind::FunctionReturn(Some(text)) = &segment.follow.kind else {
                return None;
            };
            steps.push((segment.follow.location.clone(), Constraint::parse(text)?));
        }
        let positions = Positions::new(sources);
        let calls = Calls::new(program);
        let places = program.sites.ids();
        let places = places.map(|site| calls.location(program, &positions, site));
        Some(Followed {
            places: places.collect(),
            steps,
            passed: 0,
        })
    }

    /// Whether all values of the witness have been taken.
    pub fn is_passed(&self) -> bool {
        self.passed == self.steps.len()
    }
}

impl Inputs for Followed {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        if let (Some((location, constraint)), Some(place)) =
            (self.steps.get(self.passed), &self.places[site])
            && is_at(location, place)
            && let Some(value) = constraint.choose(ty)
        {
            self.passed += 1;
            return Some(value);
        }
        Some(ty.zero())
    }
}

/// Whether a place of the program is the one that a witness names, by the names that files have
/// here.
pub fn is_at(said: &Location, place: &Location) -> bool {
    let same_column = said.column.is_none() || said.column == place.column;
    said.line == place.line && same_column && said.file_name == place.file_name
}
