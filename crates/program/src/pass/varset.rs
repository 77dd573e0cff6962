//! Sets of variables, as bits.

use crate::ir::VarId;
use base::Id;

/// A set of variables of one program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VarSet {
    words: Vec<u64>,
}

impl VarSet {
    /// The empty set, with room for the variables below `len`.
    pub fn new(len: usize) -> Self {
        VarSet {
            words: vec![0; len.div_ceil(64)],
        }
    }

    /// Adds a variable; whether it was not there.
    pub fn insert(&mut self, var: VarId) -> bool {
        let (word, bit) = (var.index() / 64, 1 << (var.index() % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Takes a variable out.
    pub fn remove(&mut self, var: VarId) {
        if let Some(word) = self.words.get_mut(var.index() / 64) {
            *word &= !(1 << (var.index() % 64));
        }
    }

    /// Whether a variable is in the set.
    pub fn contains(&self, var: VarId) -> bool {
        let word = self.words.get(var.index() / 64);
        word.is_some_and(|word| word & (1 << (var.index() % 64)) != 0)
    }

    /// Adds all of another set; whether any was not there.
    pub fn union(&mut self, other: &VarSet) -> bool {
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

    /// The variables, in order.
    pub fn iter(&self) -> impl Iterator<Item = VarId> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(index, &word)| {
            let bits = (0..64).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| VarId::from_index(index * 64 + bit))
        })
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

impl Extend<VarId> for VarSet {
    fn extend<T: IntoIterator<Item = VarId>>(&mut self, vars: T) {
        for var in vars {
            self.insert(var);
        }
    }
}
