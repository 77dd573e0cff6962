//! Passes over random programs.

use base::Rng;
use program::pass::VarSet;
use program::pass::inline::{InlineLimit, inline_calls};
use program::pass::liveness::Liveness;
use program::pass::unbounded::unbounded;
use program::validate::validate;
use testkit::random;

#[test]
fn every_program_can_be_widened() {
    for seed in 0..200 {
        let program = random::program(seed, 12);
        let result = unbounded(&program);
        assert_eq!(validate(&result), [], "seed {seed}");
        assert_eq!(result.sites, program.sites);
    }
}

#[test]
fn random_programs_stay_valid_and_say_where_they_come_from() {
    for seed in 0..200 {
        let program = random::program(seed, 20);
        let (result, origins) = inline_calls(
            &program,
            InlineLimit {
                edges: 5000,
                ..InlineLimit::default()
            },
        );
        assert_eq!(validate(&result).first(), None, "seed {seed}");
        for (proc, procedure) in result.procs.iter_enumerated() {
            assert_eq!(origins.edges[proc].len(), procedure.edges.len());
            assert_eq!(origins.locations[proc].len(), procedure.locations.len());
            for (location, row) in procedure.locations.iter_enumerated() {
                if let Some((from, old)) = origins.locations[proc][location] {
                    assert_eq!(program.procs[from].locations[old].error, row.error);
                }
            }
        }
    }
}

/// A walk along random paths: a variable read before it is written was live.
#[test]
fn what_a_path_reads_first_was_live() {
    for seed in 0..100 {
        let program = random::program(seed, 25);
        let liveness = Liveness::new(&program);
        let mut rng = Rng::new(seed);
        for (proc, procedure) in program.procs.iter_enumerated() {
            for start in procedure.locations.ids() {
                let (mut at, mut written) = (start, VarSet::default());
                for _ in 0..30 {
                    let out = &procedure.locations[at].out;
                    if out.is_empty() {
                        break;
                    }
                    let edge = &procedure.edges[rng.pick(out)];
                    for var in edge.op.read() {
                        let live = liveness.live_at(proc, start).contains(var);
                        assert!(live || written.contains(var), "seed {seed} {proc} {start}");
                    }
                    written.extend(edge.op.written());
                    at = edge.target;
                }
            }
        }
    }
}
