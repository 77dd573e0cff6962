//! Known live sets.

use super::*;
use crate::testing::parse;
use base::Id;

#[test]
fn live_at_known_places() {
    let program = parse(testkit::texts::DEAD_AND_LIVE);
    let liveness = Liveness::new(&program);
    let names = |location: usize| {
        let live = liveness.live_at(program.entry, LocationId::from_index(location));
        live.iter()
            .map(|var| program.vars[var].name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(0), ["g", "h"]);
    assert_eq!(names(4), ["g", "h", "y", "n"]);
    assert_eq!(names(7), ["g", "h", "x", "y"]);
    assert_eq!(names(8), ["g", "h"]);
    assert_eq!(names(9), ["g"]);
    assert_eq!(names(10), [""; 0]);
    let in_callee = liveness.live_at(ProcId::from_index(1), LocationId::from_index(2));
    assert_eq!(in_callee.len(), 2);
}
