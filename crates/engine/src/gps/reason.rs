//! The reason given by a search that ends without an answer.

use super::search::Search;
use crate::summary_prover::with_loops;
use base::Span;
use certify::{Reason, ReasonKind};
use kit::unwinding::VertexId;

impl Search<'_> {
    /// Why there is no answer: where the search was, and how far it had come.
    pub(super) fn reason(&self, kind: ReasonKind, message: &str, vertex: VertexId) -> Reason {
        let (ctx, cuts) = (&self.main.ctx, &self.main.nest.cuts);
        let kind = match self.shared.budget.check() {
            Ok(()) => kind,
            Err(limit) => limit.into(),
        };
        let reason = Reason::new(kind, message);
        let mut reason = self.tree.reason_at(cuts, ctx.program, vertex, reason);
        let note = format!(
            "tried: tests {}, vertices {} ({} kB), dead ends {}, covers {}; paths left {}",
            self.tests,
            self.tree.unwinding.len(),
            self.tree.unwinding.bytes().div_ceil(1024),
            self.dead_ends,
            self.tree.unwinding.covers(),
            self.tree.frontier.len()
        );
        reason = reason.note(Span::NONE, note);
        if self.config.summaries {
            reason = with_loops(ctx, &self.main.nest, reason);
        }
        for (&span, what) in &self.met {
            reason = reason.note(span, what.clone());
        }
        reason
    }
}
