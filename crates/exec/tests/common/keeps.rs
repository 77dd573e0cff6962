//! Whether a transformation keeps the meaning of programs: the machine runs the original and the
//! transformed program on the same inputs, and how the runs end is compared.

use super::run;
use exec::{End, Run};
use program::ir::{Program, SiteKind};
use program::text::{Spans, print};
use testkit::random;

/// How a run ended, as far as a pass may not change it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Seen {
    Violated(String, base::Span),
    Undefined(exec::UndefinedKind),
    Other(End),
    /// A limit was reached; a transformed program may reach it elsewhere.
    TooLong,
}

pub(crate) fn seen(program: &Program, run: &Run) -> Seen {
    match &run.end {
        End::Violated(proc, location) => {
            let violation = program.procs[*proc].locations[*location].error.as_ref();
            let violation = violation.expect("a violation should be at an error location");
            Seen::Violated(violation.message.clone(), violation.span)
        }
        End::Undefined(undefined) => Seen::Undefined(undefined.kind),
        End::OutOfBudget(_) => Seen::TooLong,
        End::Exited(_) | End::Aborted | End::Blocked | End::Unsupported(_) | End::OutOfInputs => {
            Seen::Other(run.end.clone())
        }
    }
}

/// Counts what was compared, so that a test cannot pass by comparing nothing.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) same: usize,
    pub(crate) violated: usize,
    pub(crate) undefined: usize,
    pub(crate) too_long: usize,
}

impl Tally {
    /// Both runs end alike and take the same inputs.
    pub(crate) fn compare(&mut self, original: &Program, result: &Program, seed: u64) {
        let (before, after) = (run(original, seed), run(result, seed));
        let (left, right) = (seen(original, &before), seen(result, &after));
        if left == Seen::TooLong || right == Seen::TooLong {
            self.too_long += 1;
            return;
        }
        let context = || format!("seed {seed}\n{}", print(original, Spans::Omit));
        assert_eq!(left, right, "{}", context());
        let asked = |program: &Program, run: &Run| {
            let mut inputs = run.inputs.clone();
            inputs.retain(|(site, _)| program.sites[*site].kind != SiteKind::Uninitialized);
            inputs
        };
        assert_eq!(
            asked(original, &before),
            asked(result, &after),
            "{}",
            context()
        );
        assert_eq!(before.output, after.output);
        self.same += 1;
        match left {
            Seen::Violated(..) => self.violated += 1,
            Seen::Undefined(_) => self.undefined += 1,
            Seen::Other(_) | Seen::TooLong => {}
        }
    }

    pub(crate) fn check(&self) {
        assert!(self.same > 500, "{self:?}");
        assert!(self.violated > 100 && self.undefined > 30, "{self:?}");
        assert!(self.too_long < self.same / 4, "{self:?}");
    }
}

/// Random programs, each with the seeds of some inputs.
pub(crate) fn every_program(mut see: impl FnMut(&Program, std::ops::Range<u64>)) {
    for seed in 0..300 {
        let program = random::program(seed, 8 + seed as usize % 40);
        see(&program, seed * 1000..seed * 1000 + 4);
    }
}
