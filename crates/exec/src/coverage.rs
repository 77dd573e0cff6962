//! How often a run took each edge of each branch.

use crate::compile::first_edges;
use crate::state::Observer;
use base::Id;
use program::ir::{EdgeId, ProcId, Program};

/// Counts of the edges that leave a location together with others; all other edges stay at zero.
#[derive(Clone, Debug)]
pub struct Coverage {
    first: Vec<u32>,
    counts: Vec<u32>,
}

impl Coverage {
    /// Nothing taken yet.
    pub fn new(program: &Program) -> Self {
        let edges = program.procs.iter().map(|procedure| procedure.edges.len());
        Coverage {
            first: first_edges(program),
            counts: vec![0; edges.sum()],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// How often an edge was taken.
    pub fn count(&self, proc: ProcId, edge: EdgeId) -> u32 {
        self.counts[self.first[proc.index()] as usize + edge.index()]
    }
}

impl Observer for Coverage {
    fn count(&mut self, edge: u32) {
        let count = &mut self.counts[edge as usize];
        *count = count.saturating_add(1);
    }
}
