//! Bit sets of ids or small numbers.

use crate::Id;
use std::marker::PhantomData;

/// What a set of bits can have as a member.
pub trait Member: Copy {
    /// Which bit stands for it.
    fn bit(self) -> usize;
    /// What a bit stands for.
    fn of_bit(bit: usize) -> Self;
}

impl<I: Id> Member for I {
    fn bit(self) -> usize {
        self.index()
    }
    fn of_bit(bit: usize) -> Self {
        I::from_index(bit)
    }
}

impl Member for usize {
    fn bit(self) -> usize {
        self
    }
    fn of_bit(bit: usize) -> Self {
        bit
    }
}

/// A set of members of one kind, as long as the range between the smallest and the largest that
/// it ever had: a set of ids that lie together is small, wherever they lie.
#[derive(Clone, Debug)]
pub struct BitSet<M> {
    /// How many words in front of those kept are empty.
    skipped: usize,
    words: Vec<u64>,
    kind: PhantomData<fn(M)>,
}

impl<M: Member> BitSet<M> {
    /// Makes room for the words from one place to another.
    fn cover(&mut self, from: usize, to: usize) {
        if self.words.is_empty() {
            self.skipped = from;
        }
        if from < self.skipped {
            let more = self.skipped - from;
            self.words.splice(..0, std::iter::repeat_n(0, more));
            self.skipped = from;
        }
        let len = to - self.skipped;
        if self.words.len() < len {
            self.words.resize(len, 0);
        }
    }

    /// The word at a place.
    fn word(&self, place: usize) -> u64 {
        let word = self.words.get(place.wrapping_sub(self.skipped));
        word.copied().unwrap_or(0)
    }

    /// Its words beside those of another set.
    fn beside(&self, other: &Self) -> impl Iterator<Item = (u64, u64)> {
        let words = self.words.iter().zip(self.skipped..);
        words.map(|(&word, place)| (word, other.word(place)))
    }

    /// Adds a member; whether it was not there.
    pub fn insert(&mut self, member: M) -> bool {
        let (place, bit) = (member.bit() / 64, 1 << (member.bit() % 64));
        self.cover(place, place + 1);
        let word = &mut self.words[place - self.skipped];
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Takes a member out.
    pub fn remove(&mut self, member: M) {
        let place = (member.bit() / 64).wrapping_sub(self.skipped);
        if let Some(word) = self.words.get_mut(place) {
            *word &= !(1 << (member.bit() % 64));
        }
    }

    /// Whether a member is in the set.
    pub fn contains(&self, member: M) -> bool {
        self.word(member.bit() / 64) & (1 << (member.bit() % 64)) != 0
    }

    /// Adds all of another set; whether any was not there.
    pub fn union(&mut self, other: &Self) -> bool {
        if other.words.is_empty() {
            return false;
        }
        self.cover(other.skipped, other.skipped + other.words.len());
        let mut new = false;
        let mine = self.words[other.skipped - self.skipped..].iter_mut();
        for (word, more) in mine.zip(&other.words) {
            new |= more & !*word != 0;
            *word |= more;
        }
        new
    }

    /// Keeps what is in another set too.
    pub fn intersect(&mut self, other: &Self) {
        for (word, place) in self.words.iter_mut().zip(self.skipped..) {
            *word &= other.word(place);
        }
    }

    /// Whether all of it is in another set.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.beside(other).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Whether something is in both sets.
    pub fn meets(&self, other: &Self) -> bool {
        self.beside(other).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = M> {
        let words = self.words.iter().zip(self.skipped..);
        words.flat_map(|(&word, place)| {
            let bits = (0..64).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| M::of_bit(place * 64 + bit))
        })
    }

    /// The first member.
    pub fn first(&self) -> Option<M> {
        let index = self.words.iter().position(|&word| word != 0)?;
        let bit = self.words[index].trailing_zeros() as usize;
        Some(M::of_bit((self.skipped + index) * 64 + bit))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        let words = self.words.iter();
        words.map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

impl<M: Member> PartialEq for BitSet<M> {
    fn eq(&self, other: &Self) -> bool {
        self.is_subset(other) && other.is_subset(self)
    }
}

impl<M: Member> Eq for BitSet<M> {}

impl<M: Member> Default for BitSet<M> {
    fn default() -> Self {
        BitSet {
            skipped: 0,
            words: Vec::new(),
            kind: PhantomData,
        }
    }
}

impl<M: Member> Extend<M> for BitSet<M> {
    fn extend<T: IntoIterator<Item = M>>(&mut self, members: T) {
        for member in members {
            self.insert(member);
        }
    }
}

impl<M: Member> FromIterator<M> for BitSet<M> {
    fn from_iter<T: IntoIterator<Item = M>>(members: T) -> Self {
        let mut set = BitSet::default();
        set.extend(members);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_more_than_a_word() {
        let multiples = |of: usize| (0..200).filter(move |number| number % of == 0);
        let thirds: BitSet<usize> = multiples(3).collect();
        let mut sixths: BitSet<usize> = multiples(6).collect();
        assert!(sixths.is_subset(&thirds) && !thirds.is_subset(&sixths));
        assert_eq!((thirds.first(), thirds.len()), (Some(0), 67));
        assert!(!thirds.contains(199) && !thirds.contains(1000));
        let mut common: BitSet<usize> = (61..100).collect();
        common.intersect(&thirds);
        assert!(common.iter().eq((61..100).filter(|number| number % 3 == 0)));
        assert!(common.meets(&sixths) && !sixths.insert(66));
        sixths.remove(66);
        assert!(!sixths.contains(66) && sixths.union(&common));
        assert!(common.is_subset(&sixths) && !sixths.union(&common));
        let none: BitSet<usize> = BitSet::default();
        assert!(none.is_empty() && none.first().is_none() && !none.meets(&thirds));
    }

    #[test]
    fn a_set_is_as_long_as_its_members_lie_apart() {
        let mut far: BitSet<usize> = [10_000, 10_100].into_iter().collect();
        assert_eq!((far.words.len(), far.first()), (2, Some(10_000)));
        assert!(!far.contains(3) && !far.contains(20_000));
        let near: BitSet<usize> = [9_000].into_iter().collect();
        assert!(!far.meets(&near) && far.union(&near) && near.is_subset(&far));
        assert!(far.iter().eq([9_000, 10_000, 10_100]));
        far.remove(9_000);
        let same: BitSet<usize> = [10_100, 10_000].into_iter().collect();
        assert!(far == same && far != near);
        far.intersect(&near);
        assert!(far.is_empty() && far == BitSet::default());
    }
}
