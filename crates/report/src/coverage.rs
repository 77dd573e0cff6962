//! How often runs executed each line.

use base::{Budget, Id};
use exec::inputs::{RunInputs, take_bytes};
use exec::{Contents, Inputs, Limits, Machine, Run, Watch};
use input::Loaded;
use program::expr::{Constant, Type};
use program::ir::{EdgeId, Op, ProcId, SiteId};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// A line of a file.
pub(crate) type Line = (Arc<str>, u32);

/// The tests that are run again, and the steps of each.
const TESTS: usize = 1000;
const STEPS: u64 = 1_000_000;

/// How often a run that has been made before executed each line that has code.
pub(crate) fn of_run(loaded: &Loaded, run: &Run, budget: &Budget) -> BTreeMap<Line, u64> {
    let mut counts = Counts::new(loaded);
    let mut inputs = RunInputs::new(&loaded.program, &run.inputs);
    let limits = &certify::replay::REPLAY_LIMITS;
    Machine::new(&loaded.program).run_watched(&mut inputs, limits, budget, &mut counts);
    counts.lines(loaded)
}

/// The same for the first tests of a search together, by their inputs; also how many were run.
pub(crate) fn of_tests<'t>(
    loaded: &Loaded,
    tests: impl Iterator<Item = &'t [(SiteId, Constant)]>,
    budget: &Budget,
) -> (BTreeMap<Line, u64>, usize) {
    let mut counts = Counts::new(loaded);
    let machine = Machine::new(&loaded.program);
    let limits = Limits {
        steps: STEPS,
        ..certify::replay::REPLAY_LIMITS
    };
    let mut made = 0;
    for test in tests.take(TESTS) {
        if budget.check().is_err() {
            break;
        }
        machine.run_watched(&mut TestInputs::new(test), &limits, budget, &mut counts);
        made += 1;
    }
    (counts.lines(loaded), made)
}

/// The inputs of a test. It ends where one of its sites has none left; sites that it knows nothing
/// of, because the engine worked on a slice without them, give zeros.
struct TestInputs(BTreeMap<SiteId, VecDeque<Constant>>);

impl TestInputs {
    fn new(test: &[(SiteId, Constant)]) -> Self {
        let mut queues: BTreeMap<SiteId, VecDeque<Constant>> = BTreeMap::new();
        for &(site, value) in test {
            queues.entry(site).or_default().push_back(value);
        }
        TestInputs(queues)
    }
}

impl Inputs for TestInputs {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        match self.0.get_mut(&site) {
            Some(queue) => queue.pop_front(),
            None => Some(ty.zero()),
        }
    }

    fn contents(&mut self) -> Option<&mut dyn Contents> {
        Some(self)
    }
}

impl Contents for TestInputs {
    fn bytes(&mut self, site: SiteId, size: u64) -> Vec<u8> {
        let queue = self.0.get_mut(&site);
        queue.map_or_else(Vec::new, |queue| take_bytes(queue, size))
    }
}

/// How often each edge of each procedure was executed.
struct Counts(Vec<Vec<u64>>);

impl Watch for Counts {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        self.0[proc.index()][edge.index()] += 1;
    }
}

impl Counts {
    fn new(loaded: &Loaded) -> Self {
        let procs = loaded.program.procs.iter();
        Counts(procs.map(|proc| vec![0; proc.edges.len()]).collect())
    }

    /// A line is executed as often as the location on it that is visited most.
    fn lines(&self, loaded: &Loaded) -> BTreeMap<Line, u64> {
        let mut lines = BTreeMap::new();
        for (proc, counts) in loaded.program.procs.iter().zip(&self.0) {
            if proc.name.starts_with('$') {
                continue;
            }
            let mut visits = BTreeMap::new();
            for (edge, count) in proc.edges.iter().zip(counts) {
                let is_silent = matches!(edge.op, Op::Enter(_) | Op::Leave(_) | Op::Skip);
                if is_silent || loaded.sources.is_system(edge.span) {
                    continue;
                }
                if let Some(position) = loaded.sources.presumed(edge.span) {
                    let at = (position.file, position.line, edge.source);
                    *visits.entry(at).or_insert(0) += count;
                }
            }
            for ((file, line, _), count) in visits {
                let most = lines.entry((file, line)).or_insert(0);
                *most = count.max(*most);
            }
        }
        lines
    }
}
