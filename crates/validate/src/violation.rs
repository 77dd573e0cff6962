//! Violation witnesses: a run that follows the waypoints and ends in the target.
//!
//! First the machine runs on the values that the witness gives. If that run goes elsewhere, an
//! engine searches for the values that the witness leaves open.

use crate::{Validation, Validity, search};
use certify::replay::REPLAY_LIMITS;
use exec::{End, Machine};
use witness::follow::{Followed, is_at};
use witness::format::{Location, Segment};
use witness::position::Positions;

/// What the run on the witness's own values may take; a longer one is searched for.
const RUNNING: u64 = 10_000_000;

/// Where a witness ends.
pub(crate) struct Target<'a> {
    pub(crate) location: &'a Location,
    positions: Positions<'a>,
    /// Whether several errors are on its line, so that columns count.
    is_crowded: bool,
}

impl Target<'_> {
    /// Whether an error at this place is meant. Tools point at a call, its statement or a label
    /// before it, so that a line with one error needs no column.
    pub(crate) fn is_at(&self, span: base::Span) -> bool {
        let Some(place) = self.positions.start(span, None) else {
            return false;
        };
        let column = self.location.column.filter(|_| self.is_crowded);
        let said = Location {
            column,
            ..self.location.clone()
        };
        is_at(&said, &place)
    }
}

/// Checks a violation sequence.
pub(crate) fn check(validation: &Validation<'_>, segments: &[Segment]) -> Validity {
    let loaded = validation.loaded;
    let Some(last) = segments.last() else {
        return validation.rejected("it has no segment".to_owned());
    };
    let location = &last.follow.location;
    let positions = Positions::new(&loaded.sources);
    let mut places: Vec<_> = (loaded.program.error_locations())
        .filter_map(|(.., violation)| positions.start(violation.span, None))
        .filter(|place| place.file_name == location.file_name && place.line == location.line)
        .collect();
    places.sort();
    places.dedup();
    let target = Target {
        location,
        positions,
        is_crowded: places.len() > 1,
    };
    if runs_there(validation, segments, &target) {
        return Validity::Confirmed(format!(
            "a run with the values of the witness ends in its target, line {}",
            location.line
        ));
    }
    search::search(validation, segments, &target)
}

/// Whether the run on the values of the witness passes it and ends in its target.
fn runs_there(validation: &Validation<'_>, segments: &[Segment], target: &Target<'_>) -> bool {
    let program = &validation.loaded.program;
    let Some(mut inputs) = Followed::new(program, &validation.loaded.sources, segments) else {
        return false;
    };
    let budget = validation.budget.share(33).with_effort(RUNNING);
    let run = Machine::new(program).run(&mut inputs, &REPLAY_LIMITS, &budget);
    let End::Violated(proc, location) = run.end else {
        return false;
    };
    let error = &program.procs[proc].locations[location].error;
    let is_there = error
        .as_ref()
        .is_some_and(|violation| target.is_at(violation.span));
    inputs.is_passed() && is_there
}
