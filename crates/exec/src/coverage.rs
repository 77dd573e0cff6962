//! How often a run took each edge of each branch.

use crate::compile::Mode;
use crate::machine::Machine;
use program::ir::{EdgeId, ProcId};

/// Counts of the branches of one machine.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// By branch, how often its comparison held and how often not.
    pub(crate) counts: Vec<[u32; 2]>,
    edges: Vec<[Option<(ProcId, EdgeId)>; 2]>,
}

impl Coverage {
    /// Nothing taken yet.
    pub fn new(machine: &Machine) -> Self {
        let edges = machine.code(Mode::Counted).branch_edges.clone();
        Coverage {
            counts: vec![[0; 2]; edges.len()],
            edges,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.counts.fill([0; 2]);
    }

    /// The edges that branches may take and how often they did. An edge may come up more than
    /// once, where its branch was compiled more than once.
    pub fn counts(&self) -> impl Iterator<Item = (ProcId, EdgeId, u32)> {
        let counts = self.counts.iter().flatten();
        let edges = self.edges.iter().flatten();
        edges
            .zip(counts)
            .filter_map(|(edge, &count)| edge.map(|(proc, edge)| (proc, edge, count)))
    }
}
