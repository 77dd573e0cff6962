//! The tree structure of the parts of an interpolation problem.
//!
//! # Invariants
//! - Every part comes before its parent, all parts below a part come right before it, and the last
//!   part is the only one without a parent.

use logic::{TermId, TermStore};

/// Formulas that should contradict each other, and how they hang together.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The formulas.
    pub parts: &'a [TermId],
    /// How they hang together.
    pub shape: &'a Shape,
}

impl Problem<'_> {
    /// What contradicts itself just if the step over a part holds: the part, the interpolants right
    /// below it, and the negation of the one above it.
    pub fn step(&self, store: &mut TermStore, interpolants: &[TermId], part: usize) -> Vec<TermId> {
        let below = self.shape.children(part).map(|child| interpolants[child]);
        let mut step: Vec<TermId> = [self.parts[part]].into_iter().chain(below).collect();
        step.extend(interpolants.get(part).map(|&above| store.not(above)));
        step
    }
}

/// A tree over the parts of a problem; a sequence is a tree without branches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    parents: Vec<usize>,
    /// The first part below each part.
    firsts: Vec<usize>,
}

impl Shape {
    /// Each of `count` parts below the next.
    pub fn sequence(count: usize) -> Shape {
        Shape {
            parents: (1..=count).collect(),
            firsts: vec![0; count],
        }
    }

    /// A tree given by the parents of all parts but the last; `None` if the parts are not in the
    /// order in which the invariants want them.
    pub fn tree(parents: &[usize]) -> Option<Shape> {
        let count = parents.len() + 1;
        let ordered = (0..parents.len()).all(|part| part < parents[part] && parents[part] < count);
        if !ordered {
            return None;
        }
        let mut firsts: Vec<usize> = (0..count).collect();
        for (part, &parent) in parents.iter().enumerate() {
            firsts[parent] = firsts[parent].min(firsts[part]);
        }
        let mut all = parents.to_vec();
        all.push(count);
        let shape = Shape {
            parents: all,
            firsts,
        };
        // The parts below one are a range that ends with it.
        let nested = |part: usize| {
            let first = shape.first_below(part);
            (first..part).all(|inner| shape.parents[inner] <= part)
        };
        (0..count).all(nested).then_some(shape)
    }

    /// The problem of some parts.
    pub fn of<'a>(&'a self, parts: &'a [TermId]) -> Problem<'a> {
        assert_eq!(parts.len(), self.len(), "the shape should fit the parts");
        Problem { parts, shape: self }
    }

    /// How many parts there are.
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether no part has two parts hanging from it.
    pub fn is_sequence(&self) -> bool {
        self.firsts.iter().all(|&first| first == 0)
    }

    /// The part that a part hangs from.
    pub fn parent(&self, part: usize) -> Option<usize> {
        let parent = self.parents[part];
        (parent < self.parents.len()).then_some(parent)
    }

    /// The parts that hang from a part.
    pub fn children(&self, part: usize) -> impl Iterator<Item = usize> {
        (0..part).filter(move |&child| self.parents[child] == part)
    }

    /// The first of the range of parts that are below a part; the part itself ends it.
    pub fn first_below(&self, part: usize) -> usize {
        self.firsts[part]
    }

    /// Whether a part is on the inner side of the cut above `cut`.
    pub fn is_inside(&self, cut: usize, part: usize) -> bool {
        self.first_below(cut) <= part && part <= cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_cut_between_prefix_and_rest() {
        let shape = Shape::sequence(3);
        assert_eq!(shape.parent(0), Some(1));
        assert_eq!(shape.parent(2), None);
        let inside: Vec<bool> = (0..3).map(|part| shape.is_inside(1, part)).collect();
        assert_eq!(inside, [true, true, false]);
        assert!(shape.is_sequence());
    }

    #[test]
    fn a_tree_is_cut_between_a_branch_and_the_rest() {
        // 0 and 1 below 2, 3 alone, both below 4.
        let shape = Shape::tree(&[2, 2, 4, 4]).expect("it should be in order");
        assert_eq!(shape.children(2).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(shape.first_below(2), 0);
        assert!(!shape.is_sequence());
        assert!(shape.is_inside(2, 1) && !shape.is_inside(1, 0) && !shape.is_inside(3, 2));
        for wrong in [&[3usize, 2][..], &[2, 4, 4, 4], &[0, 2]] {
            assert_eq!(Shape::tree(wrong), None, "{wrong:?}");
        }
    }
}
