//! Collects the items of an initialiser. Overridden items are removed.
//!
//! # Invariants
//! - Two live items overlap only where the later lies inside the earlier: a byte of a string, or a
//!   member of a struct that was set as a whole.

use crate::ast::{InitItem, InitValue};
use crate::types::{TypeId, Types};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Bits `lo..hi` of the object.
type Bits = (u128, u128);

/// What is collected.
#[derive(Default, Debug)]
pub(super) struct Sink {
    items: Vec<Option<InitItem>>,
    /// Whether only constants will do.
    pub(super) is_static: bool,
    /// Elements of the flexible array at the end, if it got some.
    pub(super) flexible: u64,
    /// One past the last bit that any item sets.
    high: u128,
    /// The living items by their first bit; made when an item first goes back.
    places: Option<BTreeSet<(u128, usize)>>,
    /// What was done beside adding items, each with how many items there were.
    steps: Vec<(usize, SinkEvent)>,
    /// Records that were set as a whole by a value.
    wholes: Vec<Bits>,
    /// The member chosen in each union, by place.
    members: FxHashMap<(u64, TypeId), u64>,
}

/// What is done beside adding items.
#[derive(Clone, Copy, Debug)]
enum SinkEvent {
    /// A part of that type at that offset was begun anew.
    Begin(TypeId, u64),
    /// A member of the union of that type at that offset was chosen.
    Choose(TypeId, u64, u64),
}

/// A moment in the life of a sink.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    items: usize,
    steps: usize,
}

impl Sink {
    /// Nothing yet.
    pub(super) fn new(is_static: bool) -> Self {
        Sink {
            is_static,
            ..Sink::default()
        }
    }

    /// The items that still count.
    pub(super) fn finish(self) -> Vec<InitItem> {
        self.items.into_iter().flatten().collect()
    }

    /// Now.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            items: self.items.len(),
            steps: self.steps.len(),
        }
    }

    /// The living items since a mark.
    pub(super) fn since(&self, mark: Mark) -> impl Iterator<Item = &InitItem> {
        self.items[mark.items..].iter().flatten()
    }

    /// Adds an item; older ones that lie inside it are gone.
    pub(super) fn push(&mut self, types: &Types, item: InitItem) {
        let (lo, hi) = item_bits(types, &item);
        self.remove(types, (lo, hi));
        if matches!(&item.value, InitValue::Expr(_)) && types.is_record(item.ty) {
            self.wholes.push((lo, hi));
        }
        if let Some(places) = &mut self.places {
            places.insert((lo, self.items.len()));
        }
        self.items.push(Some(item));
        self.high = self.high.max(hi);
    }

    /// A part gets a list or string of its own: what it had is gone. False where a whole around it
    /// was set by a value, of which no part can be taken out.
    pub(super) fn begin(&mut self, types: &Types, ty: TypeId, offset: u64) -> bool {
        self.steps
            .push((self.items.len(), SinkEvent::Begin(ty, offset)));
        let (lo, hi) = part_bits(types, ty, offset);
        if lo >= self.high {
            return true;
        }
        self.remove(types, (lo, hi));
        self.wholes.retain(|&(from, to)| from < lo || hi < to);
        !self.wholes.iter().any(|&(from, to)| from <= lo && hi <= to)
    }

    /// A member of a union is about to be set; another one set before is gone.
    pub(super) fn choose(&mut self, types: &Types, ty: TypeId, offset: u64, member: u64) {
        let step = SinkEvent::Choose(ty, offset, member);
        self.steps.push((self.items.len(), step));
        let before = self.members.insert((offset, ty), member);
        if before.is_some_and(|before| before != member) {
            self.remove(types, part_bits(types, ty, offset));
        }
    }

    /// Does once more, some bytes further on, what was done between two marks.
    pub(super) fn repeat(&mut self, types: &Types, (mark, until): (Mark, Mark), bytes: u64) {
        let mut next = mark.steps;
        for index in mark.items..=until.items {
            while next < until.steps && self.steps[next].0 <= index {
                match self.steps[next].1 {
                    SinkEvent::Begin(ty, offset) => {
                        self.begin(types, ty, offset + bytes);
                    }
                    SinkEvent::Choose(ty, offset, member) => {
                        self.choose(types, ty, offset + bytes, member);
                    }
                }
                next += 1;
            }
            if index < until.items
                && let Some(mut item) = self.items[index].clone()
            {
                item.offset += bytes;
                self.push(types, item);
            }
        }
    }

    /// Takes out the items that lie inside some bits.
    fn remove(&mut self, types: &Types, (lo, hi): Bits) {
        if lo >= self.high {
            return;
        }
        let items = &mut self.items;
        let places = self.places.get_or_insert_with(|| {
            let living = items.iter().enumerate();
            living
                .filter_map(|(index, item)| Some((first_bit(item.as_ref()?), index)))
                .collect()
        });
        let begun: Vec<(u128, usize)> = places.range((lo, 0)..(hi, 0)).copied().collect();
        for place in begun {
            let item = items[place.1].as_ref();
            if item.is_none_or(|item| item_bits(types, item).1 <= hi) {
                places.remove(&place);
                items[place.1] = None;
            }
        }
    }
}

/// The bits of a part of the object. A flexible array reaches to the end, wherever that is.
fn part_bits(types: &Types, ty: TypeId, offset: u64) -> Bits {
    let lo = u128::from(offset) * 8;
    let size = types.size_of(ty).map(|size| u128::from(size) * 8);
    (lo, size.map_or(u128::MAX, |size| lo + size))
}

fn first_bit(item: &InitItem) -> u128 {
    let start = item.bits.map_or(0, |bits| bits.start);
    u128::from(item.offset) * 8 + u128::from(start)
}

fn item_bits(types: &Types, item: &InitItem) -> Bits {
    match item.bits {
        Some(bits) => {
            let lo = first_bit(item);
            (lo, lo + u128::from(bits.width))
        }
        None => part_bits(types, item.ty, item.offset),
    }
}
