//! Arrays and functions.

use crate::Integer;
use crate::sparse::collected;
use crate::term::{FunctionId, Node, Sort, TermId, TermStore};

impl TermStore {
    /// A function of arguments that fit it.
    pub fn apply(&mut self, function: FunctionId, arguments: &[TermId]) -> TermId {
        debug_assert!(
            (self.function(function).arguments.iter().copied())
                .eq(arguments.iter().map(|&argument| self.sort(argument))),
            "arguments should fit their function"
        );
        self.intern(Node::Apply(function, arguments.into()))
    }

    /// The element at an index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        debug_assert_eq!(self.sort(array), Sort::Array, "only arrays have elements");
        let mut array = array;
        // Past the elements that surely are at other indices.
        while let Node::Store(inner, at, element) = self.node(array) {
            match self.difference(*at, index) {
                Some(difference) if difference.is_zero() => return *element,
                Some(_) => array = *inner,
                None => break,
            }
        }
        if let Node::ConstantArray(element) = *self.node(array) {
            return element;
        }
        self.intern(Node::Select(array, index))
    }

    /// The array with another element at an index.
    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        debug_assert_eq!(self.sort(array), Sort::Array, "only arrays have elements");
        let mut array = array;
        if let Node::Store(inner, at, _) = self.node(array)
            && *at == index
        {
            array = *inner;
        }
        let is_there = *self.node(element) == Node::Select(array, index)
            || *self.node(array) == Node::ConstantArray(element);
        if is_there {
            return array;
        }
        self.intern(Node::Store(array, index, element))
    }

    /// The array with one element at every index.
    pub fn constant_array(&mut self, element: TermId) -> TermId {
        debug_assert_eq!(self.sort(element), Sort::Int, "elements should be integers");
        self.intern(Node::ConstantArray(element))
    }

    pub(crate) fn array_eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool(true);
        }
        if let (&Node::ConstantArray(a), &Node::ConstantArray(b)) = (self.node(a), self.node(b)) {
            return self.eq(a, b);
        }
        self.intern(Node::SameArray(a.min(b), a.max(b)))
    }

    /// `a - b`, if that is the same number whatever the symbols are; makes no term.
    fn difference(&self, a: TermId, b: TermId) -> Option<Integer> {
        if a == b {
            return Some(Integer::ZERO);
        }
        let (x, parts) = self.to_linear(a);
        let (y, others) = self.to_linear(b);
        if parts.len() != others.len() {
            return None;
        }
        let negated = others.into_iter().map(|(part, factor)| (part, -&factor));
        let all = parts.into_iter().chain(negated).collect();
        let (constant, left) = (&x - &y, collected(all));
        left.is_empty().then_some(constant)
    }
}
