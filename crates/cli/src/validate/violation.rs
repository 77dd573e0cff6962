//! Violation witnesses: a run that follows the waypoints and ends in the target.

use super::{Answer, Scene};
use certify::replay::REPLAY_LIMITS;
use exec::{End, Machine};
use program::ir::{LocationId, ProcId};
use witness::follow::{Followed, is_at};
use witness::format::{Location, Segment};
use witness::position::Positions;

/// Checks a violation sequence: by a run on the values that it gives.
pub(super) fn check(scene: &Scene<'_>, segments: &[Segment]) -> Answer {
    let loaded = scene.loaded;
    let Some(target) = segments.last() else {
        return Answer::Rejected("it has no segment".to_owned());
    };
    let target = &target.follow.location;
    let Some(mut inputs) = Followed::new(&loaded.program, &loaded.sources, segments) else {
        return Answer::Unknown(
            "the witness has waypoints that a list of inputs cannot follow".to_owned(),
        );
    };
    let run = Machine::new(&loaded.program).run(&mut inputs, &REPLAY_LIMITS, scene.budget);
    match run.end {
        End::Violated(proc, location)
            if inputs.is_passed() && is_target(scene, target, proc, location) =>
        {
            Answer::Confirmed(format!(
                "a run with the values of the witness ends in its target, line {}",
                target.line
            ))
        }
        other => Answer::Unknown(format!(
            "the run with the values of the witness ends otherwise ({other:?}), {} values of which are open",
            inputs.open()
        )),
    }
}

/// Whether an error location is the one that a witness names.
fn is_target(scene: &Scene<'_>, target: &Location, proc: ProcId, location: LocationId) -> bool {
    let loaded = scene.loaded;
    let error = &loaded.program.procs[proc].locations[location].error;
    let place = error
        .as_ref()
        .and_then(|violation| Positions::new(&loaded.sources).start(violation.span, None));
    place.is_some_and(|place| is_at(target, &place))
}
