//! Expressions, with what may go wrong in them.

use super::{Drawing, Theme};
use crate::syntax::{Danger, Kind, Text};
use crate::types::Ty;

/// An expression, its type (where the data models agree), and what may go wrong in it.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) text: String,
    pub(super) ty: Ty,
    pub(super) danger: Danger,
}

impl Drawing {
    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.rng.one_in(5) {
            return self.leaf();
        }
        let bits = match self.theme {
            Theme::Bits | Theme::Unions => 45,
            _ => 12,
        };
        if self.rng.chance(bits) {
            return self.bit_operation(depth);
        }
        let division = if self.theme == Theme::Division { 40 } else { 8 };
        if self.rng.chance(division) {
            return self.division(depth);
        }
        match self.rng.below(20) {
            0 => self.comparison(depth).into_operand(),
            1 => {
                let condition = self.comparison(depth - 1);
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                Expr {
                    text: format!("({} ? {} : {})", condition.text, a.text, b.text),
                    ty: a.ty.common(b.ty),
                    danger: condition.danger.and(a.danger).and(b.danger),
                }
            }
            2 | 3 => {
                let ty = self.number_type();
                let inner = self.expr(depth - 1);
                Expr {
                    text: format!("({})({})", ty.name(), inner.text),
                    ty,
                    danger: inner.danger,
                }
            }
            4 => {
                let inner = self.expr(depth - 1);
                let ty = inner.ty.promoted();
                Expr {
                    text: format!("-({})", inner.text),
                    ty,
                    danger: inner.danger.and(overflow(ty)),
                }
            }
            5 => self.array_read(depth),
            6..=12 => self.arithmetic("+", depth),
            13..=17 => self.arithmetic("-", depth),
            _ => self.arithmetic("*", depth),
        }
    }

    /// A condition.
    pub(super) fn condition(&mut self, depth: usize) -> Text {
        if depth > 0 && self.rng.one_in(6) {
            let operator = self.rng.pick(&["&&", "||"]);
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            return Text {
                text: format!("({}) {operator} ({})", a.text, b.text),
                danger: a.danger.and(b.danger),
            };
        }
        if self.rng.one_in(12) {
            let inner = self.condition(0);
            return Text {
                text: format!("!({})", inner.text),
                danger: inner.danger,
            };
        }
        let compared = self.comparison(depth);
        Text {
            text: compared.text,
            danger: compared.danger,
        }
    }

    /// A value between 0 and one below a power of two.
    pub(super) fn small(&mut self, bits: u32) -> Expr {
        let inner = self.leaf();
        Expr {
            text: format!("({} & {})", inner.text, (1 << bits) - 1),
            ty: inner.ty.promoted(),
            danger: inner.danger,
        }
    }

    pub(super) fn leaf(&mut self) -> Expr {
        let places = self.scope.places.len();
        if places == 0 || self.rng.chance(35) {
            return self.constant();
        }
        let place = &self.scope.places[self.rng.below(places)];
        Expr {
            text: place.text.clone(),
            ty: place.ty,
            danger: place.danger,
        }
    }

    pub(super) fn constant(&mut self) -> Expr {
        const BOUNDS: [i128; 12] = [
            127,
            128,
            255,
            256,
            1000,
            32767,
            32768,
            65535,
            65536,
            0x7fff_ffff,
            -128,
            -1000,
        ];
        let value = match self.rng.below(20) {
            0 => self.rng.pick(&BOUNDS),
            1..=3 => -(self.rng.below(9) as i128),
            _ => self.rng.below(17) as i128,
        };
        let ty = match self.rng.below(8) {
            0 if value >= 0 => Ty::Unsigned,
            1 => Ty::LongLong,
            _ => Ty::Int,
        };
        Expr {
            text: ty.constant(value),
            ty,
            danger: Danger::default(),
        }
    }

    fn arithmetic(&mut self, operator: &str, depth: usize) -> Expr {
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        let ty = a.ty.common(b.ty);
        Expr {
            text: format!("({} {operator} {})", a.text, b.text),
            ty,
            danger: a.danger.and(b.danger).and(overflow(ty)),
        }
    }

    pub(super) fn comparison(&mut self, depth: usize) -> Expr {
        let operator = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let a = self.expr(depth.saturating_sub(1));
        let b = match self.rng.chance(60) {
            true => self.constant(),
            false => self.expr(depth.saturating_sub(1)),
        };
        Expr {
            text: format!("{} {operator} {}", a.text, b.text),
            ty: Ty::Int,
            danger: a.danger.and(b.danger),
        }
    }

    fn bit_operation(&mut self, depth: usize) -> Expr {
        let a = self.expr(depth - 1);
        match self.rng.below(6) {
            0..=2 => {
                let operator = self.rng.pick(&["&", "|", "^"]);
                let b = self.expr(depth - 1);
                Expr {
                    text: format!("({} {operator} {})", a.text, b.text),
                    ty: a.ty.common(b.ty),
                    danger: a.danger.and(b.danger),
                }
            }
            3 => Expr {
                text: format!("~({})", a.text),
                ty: a.ty.promoted(),
                danger: a.danger,
            },
            which => self.shift(a, which == 4),
        }
    }

    fn shift(&mut self, a: Expr, is_left: bool) -> Expr {
        let ty = a.ty.promoted();
        let (amount, mut own) = match self.rng.below(8) {
            0 => (self.leaf(), Danger::of(Kind::Shift)),
            1..=3 => (self.small(3), Danger::default()),
            _ => {
                let by = self.rng.below(8).to_string();
                let fixed = Expr {
                    text: by,
                    ty: Ty::Int,
                    danger: Danger::default(),
                };
                (fixed, Danger::default())
            }
        };
        if is_left && ty.is_signed() {
            own = own.either(Danger::of(Kind::Overflow));
        }
        let operator = if is_left { "<<" } else { ">>" };
        Expr {
            text: format!("({} {operator} {})", a.text, amount.text),
            ty,
            danger: a.danger.and(amount.danger).and(own),
        }
    }

    fn division(&mut self, depth: usize) -> Expr {
        let operator = self.rng.pick(&["/", "%"]);
        let a = self.expr(depth - 1);
        if self.rng.chance(70) {
            let by = 1 + self.rng.below(12);
            return Expr {
                text: format!("({} {operator} {by})", a.text),
                ty: a.ty.promoted(),
                danger: a.danger,
            };
        }
        let b = self.leaf();
        let ty = a.ty.common(b.ty);
        let own = match ty.is_signed() {
            true => Danger::of(Kind::Division).either(Danger::of(Kind::Overflow)),
            false => Danger::of(Kind::Division),
        };
        Expr {
            text: format!("({} {operator} {})", a.text, b.text),
            ty,
            danger: a.danger.and(b.danger).and(own),
        }
    }

    fn array_read(&mut self, depth: usize) -> Expr {
        let arrays = self.scope.arrays.len();
        if arrays == 0 {
            return self.arithmetic("+", depth);
        }
        let array = self.scope.arrays[self.rng.below(arrays)].clone();
        let (index, danger) = self.index(array.length);
        Expr {
            text: format!("{}[{index}]", array.name),
            ty: array.ty,
            danger,
        }
    }

    /// An index into an array, mostly within.
    pub(super) fn index(&mut self, length: usize) -> (String, Danger) {
        match self.rng.below(6) {
            0 => {
                let raw = self.leaf();
                (raw.text, raw.danger.and(Danger::of(Kind::Deref)))
            }
            1..=3 => {
                let bits = if length >= 4 { 2 } else { 1 };
                let small = self.small(bits);
                (small.text, small.danger)
            }
            _ => {
                let inner = self.leaf();
                let text = format!("(unsigned int){} % {length}", inner.text);
                (text, inner.danger)
            }
        }
    }
}

impl Expr {
    /// A comparison as an operand.
    fn into_operand(self) -> Expr {
        Expr {
            text: format!("({})", self.text),
            ..self
        }
    }
}

/// What an operation of a type may do.
pub(super) fn overflow(ty: Ty) -> Danger {
    match ty.is_signed() {
        true => Danger::of(Kind::Overflow),
        false => Danger::default(),
    }
}
