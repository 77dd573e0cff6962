//! Terms as C expressions.
//!
//! A term is over the mathematical values of variables. [`Style::Short`] is for people, who read
//! `2 * n` as twice `n`. [`Style::Exact`] is for compilers: C's own evaluation is defined and gives
//! the value of the term, so operands are cast where C would compute in a type that is too narrow,
//! or convert a negative value to an unsigned type.
//!
//! # Invariants
//! - What is written exactly means the term, in every state; what cannot be is refused.

mod number;

use crate::expr::Type;
use logic::infix::{self, Part};
use logic::{Integer, Node, SymbolId, TermId, TermStore};
use number::Number;
use std::cell::Cell;

/// For whom to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// For people: no casts, no suffixes.
    Short,
    /// For compilers.
    Exact,
    /// For compilers of 32-bit machines, which have no `__int128`.
    Exact32,
}

/// What a symbol is called in C.
#[derive(Clone, PartialEq, Debug)]
pub struct Named {
    /// An lvalue, of the form of a primary or postfix expression.
    pub text: String,
    /// Its type.
    pub ty: Type,
}

/// Larger terms are refused: no reader follows them, and a quotient stands twice in its text.
const LARGEST: usize = 2000;

/// A formula as a C condition; `None` if that cannot be. `named` says what a symbol is called;
/// one that has no name cannot be written.
pub fn condition(
    store: &TermStore,
    formula: TermId,
    style: Style,
    named: &dyn Fn(SymbolId) -> Option<Named>,
) -> Option<String> {
    condition_on(store, formula, style, named, &|_| true)
}

/// The same, with equations solved for a term that is wanted where they can be.
pub fn condition_on(
    store: &TermStore,
    formula: TermId,
    style: Style,
    named: &dyn Fn(SymbolId) -> Option<Named>,
    is_wanted: &dyn Fn(TermId) -> bool,
) -> Option<String> {
    let writer = Writer {
        store,
        style,
        named,
        is_wanted,
        left: Cell::new(LARGEST),
    };
    Some(writer.formula(formula)?.text)
}

/// How tightly the outermost operator of a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Or,
    And,
    Equality,
    Relation,
    Additive,
    Multiplicative,
    Unary,
    Primary,
}

/// A condition.
struct Text {
    text: String,
    level: Level,
}

impl Text {
    fn new(text: impl Into<String>, level: Level) -> Text {
        Text {
            text: text.into(),
            level,
        }
    }
}

/// In parentheses, unless it binds at least so tightly.
fn within(text: &str, level: Level, least: Level) -> String {
    match level >= least {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

struct Writer<'s> {
    store: &'s TermStore,
    style: Style,
    named: &'s dyn Fn(SymbolId) -> Option<Named>,
    is_wanted: &'s dyn Fn(TermId) -> bool,
    /// How many more steps may be written.
    left: Cell<usize>,
}

impl Writer<'_> {
    fn formula(&self, formula: TermId) -> Option<Text> {
        use Node::*;
        self.left.set(self.left.get().checked_sub(1)?);
        match self.store.node(formula) {
            Bool(value) => Some(Text::new(u8::from(*value).to_string(), Level::Primary)),
            Symbol(symbol) => self.truth(*symbol),
            AtMostZero(sum) => self.at_most_zero(*sum),
            IsZero(sum) => self.is_zero(*sum, "=="),
            Divides(divisor, sum) => self.divides(divisor, *sum, "=="),
            Not(inner) => match self.store.node(*inner) {
                IsZero(sum) => self.is_zero(*sum, "!="),
                Divides(divisor, sum) => self.divides(divisor, *sum, "!="),
                _ => {
                    let inner = self.formula(*inner)?;
                    let inner = within(&inner.text, inner.level, Level::Unary);
                    Some(Text::new(format!("!{inner}"), Level::Unary))
                }
            },
            And(members) => self.joined(members, " && ", Level::And),
            Or(members) => self.joined(members, " || ", Level::Or),
            Int(_) | Real(_) | Sum(..) | Div(..) | Mod(..) | Ite(..) | RealSum(..) | ToReal(_)
            | Apply(..) | Select(..) | Store(..) | ConstantArray(_) | Below(_) | RealIsZero(_)
            | SameArray(..) => None,
        }
    }

    fn truth(&self, symbol: SymbolId) -> Option<Text> {
        let named = (self.named)(symbol)?;
        let is_truth = named.ty == Type::Bool;
        is_truth.then(|| Text::new(named.text, Level::Primary))
    }

    /// Members in parentheses where they are the other kind of junction.
    fn joined(&self, members: &[TermId], by: &str, level: Level) -> Option<Text> {
        let mut texts = Vec::new();
        for &member in members {
            let member = self.formula(member)?;
            texts.push(within(&member.text, member.level, Level::Equality));
        }
        Some(Text::new(texts.join(by), level))
    }

    /// `sum <= 0`, with what is added on the left.
    fn at_most_zero(&self, sum: TermId) -> Option<Text> {
        let (left, sign, right) = infix::at_most_zero(self.store, sum);
        self.comparison(self.sum(&left)?, sign, self.sum(&right)?)
    }

    /// `sum == 0`, solved for a part if one can be.
    fn is_zero(&self, sum: TermId, sign: &str) -> Option<Text> {
        let (left, right) = infix::is_zero(self.store, sum, self.is_wanted);
        self.comparison(self.sum(&left)?, sign, self.sum(&right)?)
    }

    /// `sum % divisor == 0`: what C's remainder leaves is zero for the same numbers.
    fn divides(&self, divisor: &Integer, sum: TermId, sign: &str) -> Option<Text> {
        let (constant, parts) = self.store.to_linear(sum);
        let two = Integer::from(2i64);
        // Modulo the divisor, what is nearest to zero.
        let near = |value: &Integer| match &(value * &two) > divisor {
            true => value - divisor,
            false => value.clone(),
        };
        let parts: Vec<Part> = parts.iter().map(|(part, f)| (*part, near(f))).collect();
        let dividend = self.sum(&(near(&constant), parts))?;
        let (rest, _) = self.remainder(&dividend, divisor)?;
        self.comparison(rest, sign, self.literal(&Integer::ZERO)?)
    }

    fn comparison(&self, left: Number, sign: &str, right: Number) -> Option<Text> {
        let (left, right) = self.balanced(left, right)?;
        let level = match sign {
            "==" | "!=" => Level::Equality,
            _ => Level::Relation,
        };
        let [left, right] =
            [left, right].map(|side| within(&side.text, side.level, Level::Additive));
        Some(Text::new(format!("{left} {sign} {right}"), level))
    }
}
