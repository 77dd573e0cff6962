//! Signals: the first asks the work to stop and answer with what it has, the second terminates the
//! process.

use base::Budget;
use input::Failure;
use signal_hook::consts::{SIGINT, SIGTERM, SIGXCPU};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Cancels the budget at the first signal.
pub(crate) fn cancel_on_signal(budget: &Budget) -> Result<(), Failure> {
    let set_up = || -> std::io::Result<Signals> {
        // First of all, so that no signal is lost.
        let signals = Signals::new([SIGINT, SIGTERM, SIGXCPU])?;
        let again = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // Registered before the flag is set, so that it takes effect from the second time on.
            signal_hook::flag::register_conditional_shutdown(signal, 2, Arc::clone(&again))?;
            signal_hook::flag::register(signal, Arc::clone(&again))?;
        }
        Ok(signals)
    };
    let mut signals =
        set_up().map_err(|error| Failure::new(format!("cannot listen for signals: {error}")))?;
    let budget = budget.clone();
    std::thread::spawn(move || {
        for _ in signals.forever() {
            budget.cancel();
        }
    });
    Ok(())
}
