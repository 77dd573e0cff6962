//! Integers as C expressions, with the types that C computes them in.
//!
//! Only the width and sign of a type matter: two types of the same width and sign have the same
//! values, whichever C chooses.
//!
//! # Invariants
//! - The value of a [`Number`] lies in its range, and its range in its type; so no conversion from
//!   it to a type that has the range changes it.

use super::{Level, Style, Writer, within};
use crate::expr::Type;
use logic::infix::{Part, Side};
use logic::interval::Interval;
use logic::{IntType, Integer, Node, TermId};

/// The types that we compute in, narrow ones first: `int`, `long long`, `__int128`.
const WORKING: [IntType; 3] = [IntType::I32, IntType::I64, IntType::signed(128)];
/// What a wide constant is made of multiples of.
const CHUNK: u32 = 62;

/// An integer expression.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub(super) text: String,
    pub(super) level: Level,
    /// The type it has in C, after promotion.
    ty: IntType,
    range: Interval,
}

/// The values of a type.
fn of_type(ty: IntType) -> Interval {
    Interval::new(ty.min().into(), ty.max().into())
}

fn single(value: &Integer) -> Interval {
    Interval::new(value.clone(), value.clone())
}

fn is_in(range: &Interval, ty: IntType) -> bool {
    range.is_within(&of_type(ty))
}

/// What the values of a range become; their order stays.
fn mapped(range: &Interval, to: impl Fn(&Integer) -> Integer) -> Interval {
    let [low, high] = [&range.low, &range.high].map(|bound| bound.as_ref().map(&to));
    Interval { low, high }
}

impl Number {
    fn is_never_negative(&self) -> bool {
        (self.range.low.as_ref()).is_some_and(|low| low.signum() >= 0)
    }
}

impl Writer<'_> {
    pub(super) fn number(&self, term: TermId) -> Option<Number> {
        self.left.set(self.left.get().checked_sub(1)?);
        match self.store.node(term) {
            Node::Int(value) => self.literal(value),
            Node::Symbol(symbol) => {
                let named = (self.named)(*symbol)?;
                let Type::Int(ty) = named.ty else {
                    return None;
                };
                Some(Number {
                    text: named.text,
                    level: Level::Primary,
                    ty: promoted(ty),
                    range: of_type(ty),
                })
            }
            Node::Sum(..) => self.sum(&self.store.to_linear(term)),
            Node::Div(a, divisor) => {
                let a = self.number(*a)?;
                self.quotient(&a, divisor)
            }
            Node::Mod(a, divisor) => {
                let a = self.number(*a)?;
                self.residue(&a, divisor)
            }
            Node::Ite(condition, then, otherwise) => {
                if let Some((a, divisor)) = self.c_division(*condition, *then, *otherwise) {
                    return self.c_quotient(&self.number(a)?, divisor);
                }
                let condition = self.formula(*condition)?;
                let (then, otherwise) = (self.number(*then)?, self.number(*otherwise)?);
                let (then, otherwise) = self.balanced(then, otherwise)?;
                let condition = within(&condition.text, condition.level, Level::Or);
                Some(Number {
                    text: format!("({condition} ? {} : {})", then.text, otherwise.text),
                    level: Level::Primary,
                    ty: usual(then.ty, otherwise.ty),
                    range: then.range.hull(otherwise.range),
                })
            }
            _ => None,
        }
    }

    /// The types that the reader has.
    fn types(&self) -> impl Iterator<Item = IntType> {
        let count = match self.style {
            Style::Short | Style::Exact => WORKING.len(),
            Style::Exact32 => WORKING.len() - 1,
        };
        WORKING.into_iter().take(count)
    }

    /// A constant.
    pub(super) fn literal(&self, value: &Integer) -> Option<Number> {
        let range = single(value);
        let fits = |ty| is_in(&range, ty);
        let (text, level, ty) = if self.style == Style::Short {
            let ty = WORKING.into_iter().find(|&ty| fits(ty));
            (value.to_string(), Level::Unary, ty.unwrap_or(WORKING[2]))
        } else if let Some(ty) = [IntType::I32, IntType::I64]
            .into_iter()
            .find(|&ty| fits(ty))
        {
            let suffix = suffix(ty);
            match *value == Integer::from(ty.min()) {
                // There is no such literal: a minus is an operator.
                true => {
                    let next = Integer::from(ty.max());
                    (format!("(-{next}{suffix} - 1)"), Level::Primary, ty)
                }
                false => (format!("{value}{suffix}"), Level::Unary, ty),
            }
        } else if fits(IntType::unsigned(64)) {
            (format!("{value}ULL"), Level::Primary, IntType::unsigned(64))
        } else if self.style == Style::Exact32 {
            return None;
        } else {
            let chunk = Integer::power_of_two(CHUNK);
            let (many, rest) = (value.div_floor(&chunk), value.mod_floor(&chunk));
            if !is_in(&single(&many), IntType::I64) {
                return None;
            }
            let many = within(&self.literal(&many)?.text, Level::Unary, Level::Unary);
            let text = format!("((__int128){many} * {chunk}LL + {rest}LL)");
            (text, Level::Primary, WORKING[2])
        };
        Some(Number {
            text,
            level,
            ty,
            range,
        })
    }

    /// `constant + factor * part + …`; what is added comes first.
    pub(super) fn sum(&self, (constant, parts): &Side) -> Option<Number> {
        if parts.is_empty() {
            return self.literal(constant);
        }
        let terms = parts.iter();
        let terms = terms.map(|(part, factor)| Some((self.number(*part)?, factor)));
        let mut terms: Vec<(Number, &Integer)> = terms.collect::<Option<_>>()?;
        terms.sort_by_key(|(_, factor)| **factor < Integer::ZERO);
        if let ([(only, factor)], true) = (&terms[..], constant.is_zero())
            && factor.is_one()
        {
            return Some(only.clone());
        }
        let ty = self.working(constant, &terms)?;
        let mut text = String::new();
        let mut range = single(&Integer::ZERO);
        for (number, factor) in &terms {
            let is_first = text.is_empty();
            let size = factor.abs();
            let is_less = **factor < Integer::ZERO;
            let product = match (size.is_one(), is_first) {
                (true, true) => {
                    let number = self.cast(number.clone(), ty);
                    let least = if is_less {
                        Level::Primary
                    } else {
                        Level::Additive
                    };
                    within(&number.text, number.level, least)
                }
                (true, false) => within(&number.text, number.level, Level::Multiplicative),
                (false, _) => {
                    let size = self.literal_of(&size, ty)?;
                    let number = within(&number.text, number.level, Level::Unary);
                    format!("{size} * {number}")
                }
            };
            text.push_str(match (is_first, is_less) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            });
            text.push_str(&product);
            range = range.plus(number.range.clone().times(factor));
        }
        if !constant.is_zero() {
            let is_less = *constant < Integer::ZERO;
            text.push_str(if is_less { " - " } else { " + " });
            text.push_str(&self.literal(&constant.abs())?.text);
        }
        let level = match (&terms[..], constant.is_zero()) {
            ([_], true) => Level::Multiplicative,
            _ => Level::Additive,
        };
        Some(Number {
            text,
            level,
            ty,
            range: range.plus(single(constant)),
        })
    }

    /// The narrowest type in which a sum can be computed from the left to the right.
    fn working(&self, constant: &Integer, terms: &[(Number, &Integer)]) -> Option<IntType> {
        let can = |ty: IntType| {
            let mut range = single(&Integer::ZERO);
            for (number, factor) in terms {
                let product = number.range.clone().times(&factor.abs());
                range = range.plus(number.range.clone().times(factor));
                let (all, factor) = (of_type(number.ty), single(&factor.abs()));
                let operands = [&all, &range, &factor, &number.range, &product];
                if !operands.iter().all(|range| is_in(range, ty)) {
                    return false;
                }
            }
            let size = single(&constant.abs());
            is_in(&size, ty) && is_in(&range.plus(single(constant)), ty)
        };
        let found = self.types().find(|&ty| can(ty));
        found.or((self.style == Style::Short).then_some(WORKING[2]))
    }

    /// A positive constant in a working type.
    fn literal_of(&self, value: &Integer, ty: IntType) -> Option<String> {
        let literal = self.literal(value)?;
        Some(match self.style {
            Style::Short => literal.text,
            Style::Exact | Style::Exact32 if literal.ty == ty => literal.text,
            Style::Exact | Style::Exact32 if ty == IntType::I64 => format!("{value}LL"),
            Style::Exact | Style::Exact32 => format!("(__int128){}", literal.text),
        })
    }

    /// The quotient by a positive constant, rounded down.
    fn quotient(&self, a: &Number, divisor: &Integer) -> Option<Number> {
        let (dividend, by) = self.balanced(a.clone(), self.literal(divisor)?)?;
        let ty = usual(dividend.ty, by.ty);
        let range = mapped(&a.range, |value| value.div_floor(divisor));
        let operand = within(&dividend.text, dividend.level, Level::Unary);
        let by = &by.text;
        // C rounds towards zero.
        let (text, level) = match a.is_never_negative() {
            true => (format!("{operand} / {by}"), Level::Multiplicative),
            false => {
                let text = format!("{operand} / {by} - ({operand} % {by} < 0)");
                (text, Level::Additive)
            }
        };
        Some(Number {
            text,
            level,
            ty,
            range,
        })
    }

    /// What is divided by what, if a choice is C's division by a positive constant: `a / d` where
    /// `0 <= a`, and else `-(-a / d)`, both rounded down.
    fn c_division(
        &self,
        condition: TermId,
        then: TermId,
        otherwise: TermId,
    ) -> Option<(TermId, &Integer)> {
        let Node::Div(a, divisor) = self.store.node(then) else {
            return None;
        };
        let Node::AtMostZero(negated) = self.store.node(condition) else {
            return None;
        };
        let (zero, parts) = self.store.to_linear(otherwise);
        let [(up, factor)] = &parts[..] else {
            return None;
        };
        let is_up = *self.store.node(*up) == Node::Div(*negated, divisor.clone());
        let is_negated = zero.is_zero() && *factor == -&Integer::ONE;
        (is_up && is_negated && self.is_negation(*a, *negated)).then_some((*a, divisor))
    }

    fn is_negation(&self, a: TermId, b: TermId) -> bool {
        let [(of_a, a), (of_b, b)] = [a, b].map(|term| self.store.to_linear(term));
        let is_opposite = |(a, b): (&Part, &Part)| a.0 == b.0 && a.1 == -&b.1;
        of_a == -&of_b && a.len() == b.len() && a.iter().zip(&b).all(is_opposite)
    }

    /// The quotient by a positive constant, rounded towards zero.
    fn c_quotient(&self, a: &Number, divisor: &Integer) -> Option<Number> {
        let (dividend, by) = self.balanced(a.clone(), self.literal(divisor)?)?;
        let operand = within(&dividend.text, dividend.level, Level::Unary);
        let rounded = |value: &Integer| match *value < Integer::ZERO {
            true => -&(-value).div_floor(divisor),
            false => value.div_floor(divisor),
        };
        Some(Number {
            text: format!("{operand} / {}", by.text),
            level: Level::Multiplicative,
            ty: usual(dividend.ty, by.ty),
            range: mapped(&a.range, rounded),
        })
    }

    /// What the quotient rounded down leaves: at least zero.
    fn residue(&self, a: &Number, divisor: &Integer) -> Option<Number> {
        let (rest, by) = self.remainder(a, divisor)?;
        if a.is_never_negative() {
            return Some(rest);
        }
        let twice = Interval::new(-divisor, &(divisor + divisor) - &Integer::ONE);
        let ranges = [twice, of_type(rest.ty), of_type(by.ty)];
        let ty = (self.types()).find(|&ty| ranges.iter().all(|range| is_in(range, ty)))?;
        let rest = self.cast(rest, ty);
        let rest = within(&rest.text, rest.level, Level::Multiplicative);
        let by = &by.text;
        Some(Number {
            text: format!("({rest} + {by}) % {by}"),
            level: Level::Multiplicative,
            ty,
            range: Interval::new(Integer::ZERO, divisor - &Integer::ONE),
        })
    }

    /// C's remainder by a positive constant, which has the sign of the dividend; and the constant.
    pub(super) fn remainder(&self, a: &Number, divisor: &Integer) -> Option<(Number, Number)> {
        let (dividend, by) = self.balanced(a.clone(), self.literal(divisor)?)?;
        let most = divisor - &Integer::ONE;
        let low = match a.is_never_negative() {
            true => Integer::ZERO,
            false => -&most,
        };
        let operand = within(&dividend.text, dividend.level, Level::Unary);
        let rest = Number {
            text: format!("{operand} % {}", by.text),
            level: Level::Multiplicative,
            ty: usual(dividend.ty, by.ty),
            range: Interval::new(low, most),
        };
        Some((rest, by))
    }

    /// The two so that C's conversions change neither when they meet.
    pub(super) fn balanced(&self, left: Number, right: Number) -> Option<(Number, Number)> {
        let keeps = |left: &Number, right: &Number| {
            let ty = usual(left.ty, right.ty);
            is_in(&left.range, ty) && is_in(&right.range, ty)
        };
        if self.style == Style::Short || keeps(&left, &right) {
            return Some((left, right));
        }
        let both = left.range.clone().hull(right.range.clone());
        let ty = self.types().find(|&ty| is_in(&both, ty))?;
        let (cast_left, cast_right) = (self.cast(left.clone(), ty), self.cast(right.clone(), ty));
        let choices = match left.ty.signed {
            true => [(left, cast_right.clone()), (cast_left, cast_right)],
            false => [(cast_left.clone(), right), (cast_left, cast_right)],
        };
        choices.into_iter().find(|(left, right)| keeps(left, right))
    }

    /// The number in a type that has its range.
    fn cast(&self, number: Number, ty: IntType) -> Number {
        if self.style == Style::Short || number.ty == ty {
            return number;
        }
        let name = match ty.bits {
            32 => "int",
            64 => "long long",
            _ => "__int128",
        };
        let operand = within(&number.text, number.level, Level::Unary);
        Number {
            text: format!("({name}){operand}"),
            level: Level::Unary,
            ty,
            range: number.range,
        }
    }
}

fn suffix(ty: IntType) -> &'static str {
    if ty == IntType::I64 { "LL" } else { "" }
}

/// C's integer promotions.
fn promoted(ty: IntType) -> IntType {
    if ty.bits < 32 { IntType::I32 } else { ty }
}

/// C's usual arithmetic conversions of promoted types.
fn usual(a: IntType, b: IntType) -> IntType {
    let bits = a.bits.max(b.bits);
    let is_unsigned = |ty: IntType| !ty.signed && ty.bits == bits;
    IntType {
        bits,
        signed: !is_unsigned(a) && !is_unsigned(b),
    }
}
