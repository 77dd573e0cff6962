//! The values of terms, and their subterms.

use super::meaning::{compare, mask, operate, signed};
use super::{BitId, BitNode, BitStore};
use base::Id;
use rustc_hash::FxHashMap;

impl BitStore {
    /// The values of some terms, given those of the symbols; a symbol without one is zero.
    pub fn evaluate(&self, terms: &[BitId], symbol: &dyn Fn(u32) -> u128) -> Vec<u128> {
        let mut values: FxHashMap<BitId, u128> = FxHashMap::default();
        let mut open: Vec<BitId> = terms.to_vec();
        while let Some(&next) = open.last() {
            let waiting = open.len();
            open.extend(self.parts(next).filter(|part| !values.contains_key(part)));
            if open.len() > waiting {
                continue;
            }
            open.pop();
            values.insert(next, self.value(next, &values, symbol));
        }
        terms.iter().map(|term| values[term]).collect()
    }

    pub(super) fn value(
        &self,
        term: BitId,
        values: &FxHashMap<BitId, u128>,
        symbol: &dyn Fn(u32) -> u128,
    ) -> u128 {
        let width = self.width(term);
        let value = match self.node(term) {
            BitNode::Const(value) => value,
            BitNode::Symbol(number) => symbol(number),
            BitNode::Not(a) => !values[&a],
            BitNode::Binary(op, a, b) => operate(op, width, values[&a], values[&b]),
            BitNode::Compare(comparison, a, b) => {
                u128::from(compare(comparison, self.width(a), values[&a], values[&b]))
            }
            BitNode::Extract(low, a) => values[&a] >> low,
            BitNode::ZeroExtend(a) => values[&a],
            BitNode::SignExtend(a) => signed(self.width(a), values[&a]) as u128,
            BitNode::Concat(top, bottom) => values[&top] << self.width(bottom) | values[&bottom],
            BitNode::Ite(condition, then, otherwise) => {
                values[if values[&condition] == 1 {
                    &then
                } else {
                    &otherwise
                }]
            }
            BitNode::FloatUnary(op, ty, a) => op.operate(ty, self.width(a), values[&a]),
            BitNode::FloatBinary(op, ty, a, b) => op.operate(ty, values[&a], values[&b]),
        };
        value & mask(width)
    }

    /// How many symbols there are; they are numbered from zero.
    pub fn symbols(&self) -> u32 {
        self.symbols
    }

    /// All terms below some terms, themselves included, parts first.
    pub fn below(&self, terms: &[BitId]) -> Vec<BitId> {
        let mut seen = vec![false; self.len()];
        let mut open: Vec<BitId> = terms.to_vec();
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut seen[next.index()], true) {
                open.extend(self.parts(next));
            }
        }
        self.nodes.ids().filter(|id| seen[id.index()]).collect()
    }
}
