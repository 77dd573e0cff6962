//! The ways to run a program agree: plain code is fused and repeats the tails of loops, code that
//! is watched does neither.

mod ir;

use base::Budget;
use exec::inputs::RandomInputs;
use exec::{Coverage, End, Limits, Machine, Run, Watch};
use program::ir::{EdgeId, Op, ProcId, Program};
use std::collections::BTreeMap;

struct Counts<'p> {
    program: &'p Program,
    branches: BTreeMap<(ProcId, EdgeId), u32>,
}

impl Watch for Counts<'_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        let procedure = &self.program.procs[proc];
        let row = &procedure.edges[edge];
        let pair = procedure.locations[row.source].out.len() == 2;
        if pair && matches!(row.op, Op::Assume(_)) {
            *self.branches.entry((proc, edge)).or_default() += 1;
        }
    }
}

#[test]
fn ways_to_run_agree() {
    // Steps are counted differently, so only runs that end by themselves are compared.
    let limits = Limits {
        steps: 200_000,
        memory: 1 << 22,
        depth: 300,
    };
    let budget = Budget::unlimited();
    let mut ended = 0;
    for seed in 0..400 {
        let program = testkit::random::program(seed, 20);
        let machine = Machine::new(&program);
        let plain = machine.run(&mut RandomInputs::new(seed), &limits, &budget);
        let mut coverage = Coverage::new(&machine);
        let mut inputs = RandomInputs::new(seed);
        let counted = machine.run_covering(&mut inputs, &limits, &budget, &mut coverage);
        let mut counts = Counts {
            program: &program,
            branches: BTreeMap::new(),
        };
        let mut inputs = RandomInputs::new(seed);
        let watched = machine.run_watched(&mut inputs, &limits, &budget, &mut counts);
        let mut traced_counts = Counts {
            program: &program,
            branches: BTreeMap::new(),
        };
        let mut inputs = RandomInputs::new(seed);
        let traced = machine.run_traced(&mut inputs, &limits, &budget, &mut traced_counts);
        let limited = |run: &Run| matches!(&run.end, End::OutOfBudget(_));
        if [&plain, &counted, &watched, &traced]
            .into_iter()
            .any(limited)
        {
            continue;
        }
        ended += 1;
        for other in [&counted, &watched, &traced] {
            assert_eq!(plain.end, other.end, "seed {seed}");
            assert_eq!(plain.at, other.at, "seed {seed}");
            assert_eq!(plain.stack, other.stack, "seed {seed}");
            assert_eq!(plain.inputs, other.inputs, "seed {seed}");
            assert_eq!(plain.output, other.output, "seed {seed}");
        }
        let mut covered: BTreeMap<(ProcId, EdgeId), u32> = BTreeMap::new();
        for (proc, edge, count) in coverage.counts().filter(|&(.., count)| count > 0) {
            *covered.entry((proc, edge)).or_default() += count;
        }
        assert_eq!(covered, counts.branches, "seed {seed}");
        assert_eq!(covered, traced_counts.branches, "seed {seed}");
    }
    assert!(ended > 200, "only {ended} runs ended");
}
