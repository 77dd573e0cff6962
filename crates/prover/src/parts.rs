//! Sets of the parts of a problem.

/// A set of parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartSet {
    words: Vec<u64>,
}

impl PartSet {
    /// The parts for which a test holds.
    pub fn from_fn(count: usize, mut holds: impl FnMut(usize) -> bool) -> PartSet {
        let mut set = PartSet::default();
        (0..count).filter(|&part| holds(part)).for_each(|part| {
            set.insert(part);
        });
        set
    }

    /// The parts from one to another, both included.
    pub fn range(first: usize, last: usize) -> PartSet {
        let mut set = PartSet {
            words: vec![0; last / 64 + 1],
        };
        (first..=last).for_each(|part| set.insert(part));
        set
    }

    /// Adds a part.
    pub fn insert(&mut self, part: usize) {
        let word = part / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (part % 64);
    }

    /// Whether a part is in it.
    pub fn contains(&self, part: usize) -> bool {
        let word = self.words.get(part / 64);
        word.is_some_and(|word| word >> (part % 64) & 1 == 1)
    }

    /// Whether all its parts are in another set.
    pub fn is_subset(&self, other: &PartSet) -> bool {
        let theirs = other.words.iter().chain(std::iter::repeat(&0));
        self.words.iter().zip(theirs).all(|(a, b)| a & !b == 0)
    }

    /// Whether a part is in both sets.
    pub fn meets(&self, other: &PartSet) -> bool {
        let both = self.words.iter().zip(&other.words);
        both.into_iter().any(|(a, b)| a & b != 0)
    }

    /// Keeps the parts that are in another set too.
    pub fn intersect(&mut self, other: &PartSet) {
        self.words.truncate(other.words.len());
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= theirs;
        }
    }

    /// Its first part.
    pub fn first(&self) -> Option<usize> {
        let word = self.words.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.words[word].trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_more_than_a_word() {
        let thirds = PartSet::from_fn(200, |part| part % 3 == 0);
        let sixths = PartSet::from_fn(200, |part| part % 6 == 0);
        assert!(sixths.is_subset(&thirds) && !thirds.is_subset(&sixths));
        assert_eq!(thirds.first(), Some(0));
        assert!(!thirds.contains(199) && !thirds.contains(1000));
        let mut common = PartSet::from_fn(100, |part| part > 60);
        common.intersect(&thirds);
        assert_eq!(common.first(), Some(63));
        assert_eq!(PartSet::default().first(), None);
    }
}
