//! Readable comparisons: nothing negative on either side.

use super::{Piece, number, real, sum};
use crate::simplify::Form;
use crate::term::{Node, Sort, TermId, TermStore};
use crate::{Rational, infix};

/// A comparison of two sums.
pub(super) struct Sides {
    operator: &'static str,
    sort: Sort,
    left: (Rational, Form),
    right: (Rational, Form),
}

impl TermStore {
    /// The sum that a comparison compares with zero, and how; `None` if it is not a comparison.
    fn compared(&self, term: TermId) -> Option<(TermId, &'static str, bool)> {
        Some(match self.node(term) {
            Node::AtMostZero(sum) => (*sum, "<=", false),
            Node::IsZero(sum) | Node::RealIsZero(sum) => (*sum, "=", false),
            Node::Below(sum) => (*sum, "<", false),
            // Not below zero is that its negation is at most zero.
            Node::Not(inner) => match self.node(*inner) {
                Node::Below(sum) => (*sum, "<=", true),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The parts of a term as it is shown to people.
    pub(super) fn shown_parts(&self, term: TermId) -> Vec<TermId> {
        let Some((sum, ..)) = self.compared(term) else {
            return self.parts(term);
        };
        let (_, form) = self.rational_linear(sum);
        form.into_iter().map(|(part, _)| part).collect()
    }

    /// A comparison with what is added on the left and what is taken away on the right.
    pub(super) fn sides(&self, term: TermId) -> Option<Sides> {
        let (sum, mut operator, negated) = self.compared(term)?;
        let sort = self.sort(sum);
        let (mut constant, mut form) = self.rational_linear(sum);
        if negated {
            constant = -&constant;
            form.iter_mut().for_each(|(_, it)| *it = -&*it);
        }
        let [left, right] = infix::sides(form);
        let is_between = !left.is_empty() && !right.is_empty();
        if is_between && sort == Sort::Int && operator == "<=" && constant.is_one() {
            (constant, operator) = (Rational::ZERO, "<");
        }
        // A constant is alone on a side, or where it is positive.
        let is_left = if is_between {
            constant.signum() > 0
        } else {
            left.is_empty()
        };
        let (low, high) = infix::on_a_side(constant, is_left);
        Some(Sides {
            operator,
            sort,
            left: (low, left),
            right: (high, right),
        })
    }
}

impl Sides {
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let mut pieces = vec![Piece::Text(format!("({} ", self.operator))];
        pieces.extend(self.side(&self.left));
        pieces.push(Piece::Text(" ".into()));
        pieces.extend(self.side(&self.right));
        pieces.push(Piece::Text(")".into()));
        pieces
    }

    fn side(&self, (constant, form): &(Rational, Form)) -> Vec<Piece> {
        let text = |value: &Rational| match self.sort {
            Sort::Int => number(value.numerator()),
            Sort::Bool | Sort::Real | Sort::Array => real(value),
        };
        if form.is_empty() {
            return vec![Piece::Text(text(constant))];
        }
        let factor = |factor: &Rational| (!factor.is_one()).then(|| text(factor));
        let parts = form.iter().map(|(part, times)| (*part, factor(times)));
        sum((!constant.is_zero()).then(|| text(constant)), parts)
    }
}
