//! Recognises loops that jumps split into several: a loop without an order of its parts.
//!
//! Summaries of such loops say little, since what was one loop is now a nest, and a summary of its
//! inner loops forgets what an iteration of the whole keeps. Interpolants need only the same label
//! at each of its heads. So a portfolio may ask here which engine to start with.
//!
//! # Invariants
//! - Affects effort only: no verdict rests on it.

use program::ir::{LocationId, Procedure, Program};
use program::pass::loops::{Loop, LoopNest};

/// Whether a procedure has a loop that is entered in several places, or one inside another that it
/// leaves from several places to go on in the outer one.
pub fn has_any(program: &Program) -> bool {
    program.procs.iter().any(|procedure| {
        let nest = LoopNest::new(procedure);
        let mut loops = nest.loops.iter();
        loops.any(|row| row.irreducible || is_left_in_several_places(procedure, &nest, row))
    })
}

fn is_left_in_several_places(procedure: &Procedure, nest: &LoopNest, row: &Loop) -> bool {
    let Some(outer) = row.parent else {
        return false;
    };
    let leaves = |at: &&LocationId| {
        let mut edges = procedure.locations[**at].out.iter();
        edges.any(|&edge| {
            let target = procedure.edges[edge].target;
            !row.body.contains(&target) && nest.contains(outer, target)
        })
    };
    row.body.iter().filter(leaves).take(2).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::testing::parse_main;

    /// Two loops in one; the inner one is left to `first` from its head, and to `second` from the
    /// rest of it.
    fn nested(first: &str, second: &str) -> Program {
        let text = format!(
            "l0:\n e0: assume x < 9i32 -> l2\n e1: assume x >= 9i32 -> l5
l2:\n e2: assume x < 5i32 -> l3\n e3: assume x >= 5i32 -> {first}
l3:\n e4: assume x < 3i32 -> l2\n e5: assume x >= 3i32 -> {second}
l4:\n e6: x := x + 1i32 -> l0\nl5:\n e7: return -> l1"
        );
        parse_main("x: i32", &text)
    }

    #[test]
    fn a_loop_that_is_left_in_several_places_is_split() {
        assert!(has_any(&nested("l4", "l0")));
        assert!(!has_any(&nested("l4", "l5")));
        assert!(!has_any(&nested("l4", "l2")));
    }

    #[test]
    fn a_loop_with_two_entries_is_split() {
        let text = "l0:\n e0: assume x < 9i32 -> l2\n e1: assume x >= 9i32 -> l3
l2:\n e2: x := x + 1i32 -> l3\nl3:\n e3: assume x < 5i32 -> l2
 e4: assume x >= 5i32 -> l4\nl4:\n e5: return -> l1";
        assert!(has_any(&parse_main("x: i32", text)));
    }
}
