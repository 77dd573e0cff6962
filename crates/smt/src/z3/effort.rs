//! Calls that may take long.
//!
//! Such a call runs on a thread of its own while the caller's thread watches the budget. A spent
//! budget interrupts Z3; if Z3 does not respond, the call and its context are abandoned.

use super::context::Context;
use base::Budget;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often the budget is looked at.
const TICK: Duration = Duration::from_millis(10);
/// How long Z3 may take to stop.
const GRACE: Duration = Duration::from_millis(700);
/// Z3 recurses into terms here and there.
const STACK: usize = 256 << 20;

/// Lends Z3's pointers to the thread of a call.
pub(super) struct Lent<T>(T);

// SAFETY: Z3 does not care which thread calls, only that one at a time does. The lender waits, or
// loses the context and never touches it again.
unsafe impl<T> Send for Lent<T> {}

impl<T> Lent<T> {
    pub(super) fn new(pointers: T) -> Self {
        Lent(pointers)
    }

    pub(super) fn take(self) -> T {
        self.0
    }
}

/// Makes a call on a thread of its own. `interrupt` is called, perhaps often, once the budget is
/// spent. An error says why there is no result.
pub(super) fn guarded<R: Send + 'static>(
    context: &Context,
    budget: &Budget,
    interrupt: impl Fn(),
    call: impl FnOnce() -> R + Send + 'static,
) -> Result<R, String> {
    let (sender, receiver) = channel();
    let work = move || {
        // A call that was given up has no listener.
        let _ = sender.send(call());
    };
    std::thread::Builder::new()
        .name("z3".into())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|error| format!("no thread for Z3: {error}"))?;
    let mut give_up: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => {
                context.lose();
                return Err("a call of Z3 panicked".into());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let Err(exhausted) = budget.check() else {
            continue;
        };
        interrupt();
        if *give_up.get_or_insert_with(|| Instant::now() + GRACE) < Instant::now() {
            context.lose();
            return Err(format!("{}; Z3 did not stop", exhausted.describe()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_does_not_stop_is_given_up() {
        let context = Context::current().expect("there should be a context");
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(50));
        let start = Instant::now();
        let result = guarded(
            &context,
            &budget,
            || (),
            || std::thread::sleep(Duration::from_secs(5)),
        );
        assert_eq!(result, Err("the time is up; Z3 did not stop".into()));
        assert!(start.elapsed() < Duration::from_millis(1050));
        assert!(context.is_lost());
        let next = Context::current().expect("there should be another context");
        assert!(!next.is_lost());
    }
}
