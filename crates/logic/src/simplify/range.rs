//! Comparisons with constants, and their combination.

use crate::term::{Node, Sort, TermId, TermStore};
use crate::{Integer, Rational};
use std::cmp::Ordering;

/// Multiples of terms, the first of them positive.
pub type Form = Vec<(TermId, Rational)>;

/// How a form compares with a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Relation {
    /// At most the number, or below it if strict.
    AtMost(Limit),
    /// At least the number, or above it if strict.
    AtLeast(Limit),
    /// The number.
    Is(Rational),
    /// Another number.
    IsNot(Rational),
}

/// An end of a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The number.
    pub value: Rational,
    /// Whether the number itself is outside.
    pub strict: bool,
}

impl Limit {
    /// The end of a range that has the number.
    fn inside(value: Rational) -> Limit {
        let strict = false;
        Limit { value, strict }
    }
}

/// The numbers that a form can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    is_int: bool,
    low: Option<Limit>,
    high: Option<Limit>,
    excluded: Vec<Rational>,
}

/// No number is left.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Empty;

impl TermStore {
    /// What a comparison of numbers or its negation says, as a form and how it compares; `None`
    /// for other formulas.
    pub fn comparison(&self, literal: TermId) -> Option<(Form, Relation)> {
        let (atom, truth) = self.without_negation(literal);
        let (sum, strict) = match self.node(atom) {
            Node::AtMostZero(sum) => (*sum, Some(false)),
            Node::Below(sum) => (*sum, Some(true)),
            Node::IsZero(sum) | Node::RealIsZero(sum) => (*sum, None),
            _ => return None,
        };
        let (constant, form) = self.rational_linear(sum);
        let value = -&constant;
        let relation = match (strict, truth) {
            (None, true) => Relation::Is(value),
            (None, false) => Relation::IsNot(value),
            (Some(strict), true) => Relation::AtMost(Limit { value, strict }),
            (Some(true), false) => Relation::AtLeast(Limit::inside(value)),
            // Not at most an integer is at least the next one.
            (Some(false), false) => Relation::AtLeast(Limit::inside(&value + &Rational::ONE)),
        };
        Some(upright(form, relation))
    }

    /// The constant and the multiples that a number is the sum of.
    pub fn rational_linear(&self, sum: TermId) -> (Rational, Form) {
        if self.sort(sum) == Sort::Real {
            return self.to_real_linear(sum);
        }
        let (constant, parts) = self.to_linear(sum);
        let parts = parts
            .into_iter()
            .map(|(part, factor)| (part, factor.into()));
        (constant.into(), parts.collect())
    }

    fn of_form(&mut self, form: &Form) -> TermId {
        if self.sort(form[0].0) == Sort::Real {
            return self.real_linear(&Rational::ZERO, form);
        }
        let integer = |(part, factor): &(TermId, Rational)| (*part, factor.floor());
        let parts: Vec<(TermId, Integer)> = form.iter().map(integer).collect();
        self.linear(&Integer::ZERO, &parts)
    }

    fn number(&mut self, value: &Rational, sort: Sort) -> TermId {
        match sort {
            Sort::Int => self.int(value.floor()),
            _ => self.real(value.clone()),
        }
    }

    /// The comparisons that say that a form is in a range.
    pub(super) fn of_range(&mut self, form: &Form, range: &Range) -> Vec<TermId> {
        let (term, sort) = (self.of_form(form), self.sort(form[0].0));
        if let Some(value) = range.single() {
            let value = self.number(&value.clone(), sort);
            return vec![self.eq(term, value)];
        }
        let mut members = Vec::new();
        for (limit, is_low) in [(&range.low, true), (&range.high, false)] {
            let Some(Limit { value, strict }) = limit else {
                continue;
            };
            let value = self.number(value, sort);
            let (a, b) = if is_low { (value, term) } else { (term, value) };
            members.push(if *strict {
                self.lt(a, b)
            } else {
                self.le(a, b)
            });
        }
        for value in &range.excluded {
            let value = self.number(value, sort);
            members.push(self.ne(term, value));
        }
        members
    }
}

/// With a positive first factor.
fn upright(form: Form, relation: Relation) -> (Form, Relation) {
    if form.first().is_none_or(|(_, factor)| factor.signum() > 0) {
        return (form, relation);
    }
    let form = form.into_iter().map(|(part, factor)| (part, -&factor));
    let minus = |limit: Limit| Limit {
        value: -&limit.value,
        strict: limit.strict,
    };
    let relation = match relation {
        Relation::AtMost(limit) => Relation::AtLeast(minus(limit)),
        Relation::AtLeast(limit) => Relation::AtMost(minus(limit)),
        Relation::Is(value) => Relation::Is(-&value),
        Relation::IsNot(value) => Relation::IsNot(-&value),
    };
    (form.collect(), relation)
}

impl Range {
    /// All numbers of a sort.
    pub(super) fn all(sort: Sort) -> Range {
        Range {
            is_int: sort == Sort::Int,
            low: None,
            high: None,
            excluded: Vec::new(),
        }
    }

    /// The only number, if there is only one.
    fn single(&self) -> Option<&Rational> {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low.value == high.value => Some(&low.value),
            _ => None,
        }
    }

    fn contains(&self, value: &Rational) -> bool {
        let above = self.low.as_ref().is_none_or(|low| match low.strict {
            true => *value > low.value,
            false => *value >= low.value,
        });
        let below = self.high.as_ref().is_none_or(|high| match high.strict {
            true => *value < high.value,
            false => *value <= high.value,
        });
        above && below && !self.excluded.contains(value)
    }

    /// Leaves the numbers for which the relation holds.
    pub(super) fn restrict(&mut self, relation: &Relation) -> Result<(), Empty> {
        match relation {
            Relation::AtMost(limit) => tighten(&mut self.high, limit, Ordering::Less),
            Relation::AtLeast(limit) => tighten(&mut self.low, limit, Ordering::Greater),
            Relation::Is(value) => {
                if !self.contains(value) {
                    return Err(Empty);
                }
                let limit = Limit::inside(value.clone());
                tighten(&mut self.high, &limit, Ordering::Less);
                tighten(&mut self.low, &limit, Ordering::Greater);
            }
            Relation::IsNot(value) => {
                if self.contains(value) {
                    self.excluded.push(value.clone());
                }
            }
        }
        self.settle()
    }

    /// Moves the ends off excluded numbers, and sees whether anything is left.
    fn settle(&mut self) -> Result<(), Empty> {
        let mut excluded = std::mem::take(&mut self.excluded);
        excluded.sort();
        excluded.dedup();
        for value in &excluded {
            self.move_off(value, 1);
        }
        for value in excluded.iter().rev() {
            self.move_off(value, -1);
        }
        // Nothing is excluded now, so this asks for the ends only.
        excluded.retain(|value| self.contains(value));
        self.excluded = excluded;
        match (&self.low, &self.high) {
            (Some(low), Some(high)) => match low.value.cmp(&high.value) {
                Ordering::Greater => Err(Empty),
                Ordering::Equal if low.strict || high.strict => Err(Empty),
                Ordering::Equal | Ordering::Less => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Moves an end, the low one upwards or the high one downwards, off an excluded number.
    fn move_off(&mut self, excluded: &Rational, step: i64) {
        let end = if step > 0 {
            &mut self.low
        } else {
            &mut self.high
        };
        if let Some(end) = end
            && end.value == *excluded
        {
            match self.is_int {
                true => end.value = &end.value + &Rational::from(step),
                false => end.strict = true,
            }
        }
    }

    /// Whether the relation holds for all of these numbers, or for none.
    pub(super) fn decides(&self, relation: &Relation) -> Option<bool> {
        let mut restricted = self.clone();
        if restricted.restrict(relation).is_err() {
            return Some(false);
        }
        (restricted == *self).then_some(true)
    }
}

/// Puts a limit in the place of an end if it leaves less; its value compares `tighter` then.
fn tighten(end: &mut Option<Limit>, limit: &Limit, tighter: Ordering) {
    let leaves_less = end.as_ref().is_none_or(|end| {
        let order = limit.value.cmp(&end.value);
        order == tighter || (order == Ordering::Equal && limit.strict)
    });
    if leaves_less {
        *end = Some(limit.clone());
    }
}
