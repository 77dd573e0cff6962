//! Minimisation of unsatisfiable cores.

use crate::{Answer, Solver};
use base::Budget;
use logic::{TermId, TermStore};

impl Solver {
    /// Assumptions out of `core`, which is inconsistent with the assertions, none of which can be
    /// left out. Where the budget ends or an answer is unknown, more may be left in than needed.
    ///
    /// Leaves out one after the other; where that is still inconsistent, everything that Z3 did not
    /// need goes as well.
    pub fn minimise(&mut self, store: &TermStore, core: &[TermId], budget: &Budget) -> Vec<TermId> {
        let mut core = core.to_vec();
        let mut needed = 0;
        while needed < core.len() && budget.check().is_ok() {
            let mut rest = core.clone();
            rest.remove(needed);
            match self.check(store, &rest, budget) {
                Answer::Unsat => {
                    let smaller = self.core().to_vec();
                    // Those found necessary stay in front: each core must have them.
                    core.retain(|term| smaller.contains(term));
                }
                Answer::Sat | Answer::Unknown(_) => needed += 1,
            }
        }
        core
    }
}
