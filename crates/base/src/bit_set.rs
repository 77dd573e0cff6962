//! Sets of ids or of small numbers, as bits.

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

/// A set of members of one kind, as long as the largest that it ever had or has room for. Only
/// sets with the same room are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitSet<M> {
    words: Vec<u64>,
    kind: PhantomData<fn(M)>,
}

impl<M: Member> BitSet<M> {
    /// The empty set, with room for the members below `len`.
    pub fn new(len: usize) -> Self {
        BitSet {
            words: vec![0; len.div_ceil(64)],
            kind: PhantomData,
        }
    }

    /// Adds a member; whether it was not there.
    pub fn insert(&mut self, member: M) -> bool {
        let (word, bit) = (member.bit() / 64, 1 << (member.bit() % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Takes a member out.
    pub fn remove(&mut self, member: M) {
        if let Some(word) = self.words.get_mut(member.bit() / 64) {
            *word &= !(1 << (member.bit() % 64));
        }
    }

    /// Whether a member is in the set.
    pub fn contains(&self, member: M) -> bool {
        let word = self.words.get(member.bit() / 64);
        word.is_some_and(|word| word & (1 << (member.bit() % 64)) != 0)
    }

    /// Adds all of another set; whether any was not there.
    pub fn union(&mut self, other: &Self) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut new = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            new |= more & !*word != 0;
            *word |= more;
        }
        new
    }

    /// Keeps what is in another set too.
    pub fn intersect(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= theirs;
        }
    }

    /// Whether all of it is in another set.
    pub fn is_subset(&self, other: &Self) -> bool {
        let theirs = other.words.iter().chain(std::iter::repeat(&0));
        self.words.iter().zip(theirs).all(|(a, b)| a & !b == 0)
    }

    /// Whether something is in both sets.
    pub fn meets(&self, other: &Self) -> bool {
        let mut both = self.words.iter().zip(&other.words);
        both.any(|(a, b)| a & b != 0)
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = M> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(index, &word)| {
            let bits = (0..64).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| M::of_bit(index * 64 + bit))
        })
    }

    /// The first member.
    pub fn first(&self) -> Option<M> {
        let word = self.words.iter().position(|&word| word != 0)?;
        let bit = self.words[word].trailing_zeros() as usize;
        Some(M::of_bit(word * 64 + bit))
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

impl<M: Member> Default for BitSet<M> {
    fn default() -> Self {
        BitSet::new(0)
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
        let none: BitSet<usize> = BitSet::new(9);
        assert!(none.is_empty() && none.first().is_none() && !none.meets(&thirds));
    }
}
