//! What a search that ends without an answer has to say.

use super::search::Search;
use crate::summary_prover::with_loops;
use base::Span;
use certify::{Reason, ReasonKind};
use kit::unwinding::VertexId;
use program::ir::LocationId;

impl Search<'_> {
    /// Why there is no answer: where the search stood, and how far it had come.
    pub(super) fn reason(&self, kind: ReasonKind, message: &str, vertex: VertexId) -> Reason {
        let procedure = &self.main.ctx.program.procs[self.main.nest.cuts.proc];
        let kind = match self.shared.budget.check() {
            Ok(()) => kind,
            Err(limit) => limit.into(),
        };
        let mut reason = Reason::new(kind, message);
        let upwards = self.tree.unwinding.upwards(vertex);
        let heads = upwards.map(|id| self.tree.unwinding.vertex(id).at);
        let head = { heads }.find(|&at| self.main.nest.cuts.loops.is_head(at));
        if let Some(head) = head {
            let iterations = self.iterations(vertex, head);
            let iterations = match iterations {
                1 => "1 iteration".to_owned(),
                _ => format!("{iterations} iterations"),
            };
            let note = format!("the search was at this loop, after {iterations}");
            reason = reason.at(procedure.locations[head].span);
            reason = reason.note(procedure.locations[head].span, note);
        }
        let note = format!(
            "tried: {} tests, {} vertices ({} kB), {} dead ends, {} covers; {} paths left",
            self.tests,
            self.tree.unwinding.len(),
            self.tree.unwinding.bytes().div_ceil(1024),
            self.dead_ends,
            self.tree.unwinding.covers(),
            self.tree.frontier.len()
        );
        reason = reason.note(Span::NONE, note);
        if self.config.summaries {
            reason = with_loops(&self.main.ctx, &self.main.nest, reason);
        }
        for (&span, what) in &self.met {
            reason = reason.note(span, what.clone());
        }
        reason
    }

    fn iterations(&self, vertex: VertexId, head: LocationId) -> usize {
        let upwards = self.tree.unwinding.upwards(vertex);
        let here = upwards.filter(|&id| self.tree.unwinding.vertex(id).at == head);
        here.count().saturating_sub(1)
    }
}
