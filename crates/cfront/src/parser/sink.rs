//! What an initialiser has set so far.
//!
//! # Invariants
//! - A list in braces, or another member of a union, undoes what earlier designators set there.

use crate::ast::InitItem;
use crate::types::TypeId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is collected.
#[derive(Debug)]
pub(super) struct Sink {
    /// What was set, in order.
    pub(super) items: Vec<InitItem>,
    /// Whether only constants will do.
    pub(super) is_static: bool,
    /// Elements of the flexible array at the end, if it got some.
    pub(super) flexible: u64,
    /// Whether a designator was seen: only then can something be set twice.
    pub(super) designated: bool,
    /// The end of the last byte set so far.
    high: u64,
    /// Bytes that were started afresh, and how many items stood before.
    undone: Vec<(usize, u64, u64)>,
    /// The member chosen in each union, by place.
    pub(super) chosen: FxHashMap<(u64, TypeId), u64>,
}

impl Sink {
    /// Nothing yet.
    pub(super) fn new(is_static: bool) -> Self {
        Sink {
            items: Vec::new(),
            is_static,
            flexible: 0,
            designated: false,
            high: 0,
            undone: Vec::new(),
            chosen: FxHashMap::default(),
        }
    }

    /// What was set in these bytes so far no longer counts.
    pub(super) fn undo(&mut self, from: u64, to: u64) {
        if self.designated && from < self.high {
            self.undone.push((self.items.len(), from, to));
            self.chosen
                .retain(|&(offset, _), _| !(from..to).contains(&offset));
        }
    }

    /// Sets so many bytes.
    pub(super) fn push(&mut self, item: InitItem, size: u64) {
        self.high = self.high.max(item.offset.saturating_add(size));
        self.items.push(item);
    }

    /// The items that still count.
    pub(super) fn finish(mut self) -> Vec<InitItem> {
        if self.undone.is_empty() {
            return self.items;
        }
        // From the end: disjoint ranges that later lists started afresh.
        let mut ranges: BTreeMap<u64, u64> = BTreeMap::new();
        let mut kept = Vec::with_capacity(self.items.len());
        while let Some(item) = self.items.pop() {
            while let Some(&(count, from, to)) = self.undone.last()
                && count > self.items.len()
            {
                self.undone.pop();
                add_range(&mut ranges, from, to);
            }
            let before = ranges.range(..=item.offset).next_back();
            if before.is_none_or(|(_, &end)| end <= item.offset) {
                kept.push(item);
            }
        }
        kept.reverse();
        kept
    }
}

/// Adds a range; objects nest, so two ranges are apart or one holds the other.
fn add_range(ranges: &mut BTreeMap<u64, u64>, from: u64, to: u64) {
    let held = ranges.range(..=from).next_back();
    if held.is_some_and(|(_, &end)| end >= to) {
        return;
    }
    while let Some((&start, _)) = ranges.range(from..to).next() {
        ranges.remove(&start);
    }
    ranges.insert(from, to);
}
