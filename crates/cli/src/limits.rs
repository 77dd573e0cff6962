//! The limits of a command: one clock, one memory limit and the signals for all of its work.
//!
//! The work has a budget and is expected to end with it. The main thread watches: work that
//! continues anyway, wherever it is, is abandoned, and what is known by then is the answer.
//!
//! # Invariants
//! - A command ends within a second after its limit, whatever its input.
//! - What is found before the limit is not lost: a verdict that could not be shown in time is still
//!   given.

use crate::args::{Command, DecideArgs};
use crate::console::{Console, Standing};
use crate::exit;
use crate::no_answer;
use crate::signals;
use base::{Budget, Exhausted};
use bench::memory::{self, MEGABYTE};
use certify::ReasonKind;
use input::Failure;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a certificate may be checked, and then how long an answer may be made ready, after
/// the limit. Both count from the limit.
pub(crate) const CHECKING_GRACE: Duration = Duration::from_millis(450);
pub(crate) const SHOWING_GRACE: Duration = Duration::from_millis(600);
/// When work that continues is left behind.
const LEAVING: Duration = Duration::from_millis(800);
/// The time between two looks. A look takes some ten microseconds.
const PAUSE: Duration = Duration::from_millis(20);
/// How far above its memory limit work is not even asked to stop, in percent.
const FAR_ABOVE: u64 = 125;

/// What bounds a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    timeout: Duration,
    /// In units.
    effort: Option<u64>,
    /// In megabytes.
    memory: Option<u64>,
}

impl Limits {
    /// Those of a command; none for one that ends at once or keeps its own.
    pub(crate) fn of(command: &Command) -> Option<Limits> {
        let timeout = match command {
            Command::Check(args) => return Some(Limits::of_deciding(&args.decide)),
            Command::Explain(args) => return Some(Limits::of_deciding(&args.decide)),
            Command::Validate(args) => args.timeout,
            Command::Run(args) => args.timeout,
            Command::Tests(args) => args.timeout,
            Command::Dump(args) => args.timeout,
            Command::Interpolate(args) => args.timeout,
            Command::Bench(_)
            | Command::Engines
            | Command::Completions { .. }
            | Command::Man { .. } => return None,
        };
        Some(Limits {
            timeout,
            effort: None,
            memory: None,
        })
    }

    /// Those of a command that decides.
    pub(crate) fn of_deciding(args: &DecideArgs) -> Limits {
        Limits {
            timeout: args.timeout,
            effort: args.effort,
            memory: args.memory,
        }
    }

    /// The budget of the work, which starts now and ends at a signal.
    pub(crate) fn start(self) -> Result<Budget, Failure> {
        if self.memory.is_some() && memory::resident("self").is_none() {
            return Err(Failure::new(
                "`--memory` has no effect here: this system does not say how much memory is in use",
            ));
        }
        let budget = Budget::unlimited().with_timeout(self.timeout);
        signals::cancel_on_signal(&budget)?;
        Ok(budget)
    }

    /// Waits until the work is done. Gives the limit, if the work did not end in spite of it.
    pub(crate) fn wait(self, budget: &Budget, done: &Receiver<()>) -> Option<Exhausted> {
        let mut over: Option<Instant> = None;
        loop {
            match done.recv_timeout(PAUSE) {
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let is_far_above = self.watch_memory(budget);
            if let Err(why) = budget.check() {
                let since = *over.get_or_insert_with(Instant::now);
                if is_far_above || since.elapsed() >= LEAVING {
                    return Some(why);
                }
            }
        }
    }

    /// Stops the budget if too much memory is in use. Gives whether it is far too much.
    fn watch_memory(self, budget: &Budget) -> bool {
        let Some(megabytes) = self.memory else {
            return false;
        };
        let limit = megabytes.saturating_mul(MEGABYTE);
        let used = memory::resident("self").unwrap_or_default();
        if used > limit {
            budget.stop(Exhausted::Memory);
        }
        used > limit / 100 * FAR_ABOVE
    }

    /// What is said about a limit.
    pub(crate) fn message(self, why: Exhausted) -> String {
        match why {
            Exhausted::Time => format!(
                "the time limit of {} s was reached",
                self.timeout.as_secs_f64()
            ),
            Exhausted::Effort => match self.effort {
                Some(units) => format!("the limit of {units} units of effort was reached"),
                None => "the effort is used up".to_owned(),
            },
            Exhausted::Memory => format!(
                "the memory limit of {} MB was reached",
                self.memory.unwrap_or_default()
            ),
            Exhausted::Cancelled => "a signal asked to stop".to_owned(),
        }
    }

    /// Answers in place of work that was left behind, and returns the exit code.
    pub(crate) fn answer_instead(
        self,
        command: &Command,
        json: Option<&'static str>,
        console: &Console,
        why: Exhausted,
    ) -> u8 {
        let Standing {
            phase,
            so_far,
            decided,
            is_answered,
            ..
        } = console.close();
        let mut message = format!("{} while {phase}", self.message(why));
        if let Some(so_far) = so_far {
            message = format!("{message}: {so_far}");
        }
        if is_answered {
            let failure = Failure::new(format!("{message}: what was still to be written is not"));
            console.failure(&failure);
            return match decided {
                Some((_, exit::UNSAFE)) => exit::UNSAFE,
                Some(_) | None => exit::ERROR,
            };
        }
        let (verdict, code) = decided.unwrap_or(("unknown", exit::UNKNOWN));
        let text = match json {
            Some(name) => no_answer(name, verdict, ReasonKind::from(why), message, Vec::new()),
            None => format!("{message}\n{}\n", last_line(command, verdict)),
        };
        console.last_answer(text.as_bytes(), verdict);
        code
    }
}

/// The line that says what came of a command.
fn last_line(command: &Command, verdict: &str) -> String {
    match command {
        Command::Validate(_) => format!("Witness: {verdict}"),
        Command::Run(_) => "Run: stopped".to_owned(),
        Command::Tests(_) => "Tests: stopped".to_owned(),
        Command::Dump(_) | Command::Interpolate(_) => "stopped".to_owned(),
        Command::Check(_)
        | Command::Explain(_)
        | Command::Bench(_)
        | Command::Engines
        | Command::Completions { .. }
        | Command::Man { .. } => format!("Verdict: {verdict}"),
    }
}
