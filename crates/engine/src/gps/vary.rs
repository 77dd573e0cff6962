//! Tests with other inputs along a path to an error, where its formula over-approximates the
//! program.

use super::explore::ASKING;
use super::search::{Ending, Search};
use kit::path_solver::limited;
use kit::unwinding::VertexId;
use smt::Model;

/// How many other inputs are tried along a path.
const VARIATIONS: u64 = 16;

impl Search<'_> {
    /// Tests with other inputs along a path to an error; without success it stays undecided.
    pub(super) fn retry_or_leave(&mut self, vertex: VertexId, model: &Model) -> Option<Ending> {
        let found = self.retry_other_models(vertex, model);
        found.or_else(|| self.go_on_without(vertex, None))
    }

    /// Tests with other inputs along the path to a vertex: one of them may reach the error.
    fn retry_other_models(&mut self, vertex: VertexId, model: &Model) -> Option<Ending> {
        let (ctx, cuts) = (&mut self.main.ctx, &self.main.nest.cuts);
        let has_free = !self.tree.paths.free_inputs(ctx, cuts).is_empty();
        let mut model = model.clone();
        let mut others = Vec::new();
        for variation in 1..=VARIATIONS {
            let (ctx, cuts) = (&mut self.main.ctx, &self.main.nest.cuts);
            others.push(self.tree.paths.other_inputs(ctx, cuts, &model));
            let other = ctx.store.and(&others);
            let budget = limited(&self.budget);
            match self.tree.paths.model(ctx, other, &budget) {
                Ok(Some(found)) => model = found,
                Ok(None) | Err(_) if has_free => drop(others.pop()),
                Ok(None) | Err(_) => return None,
            }
            let test = self.run_test(vertex, &model, variation, ASKING);
            if let Err(ending) = test {
                return Some(ending);
            }
        }
        None
    }
}
