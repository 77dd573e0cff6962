//! Tables: choices among few constants.

use super::{BitId, BitNode, BitStore};

/// How many constants a table may choose among.
const TABLE: u8 = 16;

impl BitStore {
    /// How many constants a term chooses among; 0 if it is not a table.
    pub(super) fn table_of(&self, node: BitNode) -> u8 {
        match node {
            BitNode::Const(_) => 1,
            BitNode::Ite(_, a, b) if self.tables[a] > 0 && self.tables[b] > 0 => {
                let sum = self.tables[a] + self.tables[b];
                if sum <= TABLE { sum } else { 0 }
            }
            _ => 0,
        }
    }

    /// A choice among few constants, and not just one.
    pub(super) fn is_table(&self, a: BitId) -> bool {
        self.tables[a] > 1
    }

    /// What becomes of a table when each of its constants does.
    pub(super) fn on_table(
        &mut self,
        table: BitId,
        change: &mut dyn FnMut(&mut Self, BitId) -> BitId,
    ) -> BitId {
        match self.node(table) {
            BitNode::Ite(condition, then, otherwise) => {
                let then = self.on_table(then, change);
                let otherwise = self.on_table(otherwise, change);
                self.ite(condition, then, otherwise)
            }
            _ => change(self, table),
        }
    }
}
