//! Ready-made sources of inputs.

use crate::Inputs;
use crate::value::zero;
use base::{Id, IdVec};
use logic::{IntType, IntValue};
use program::expr::{Constant, FloatType, Type};
use program::ir::{Program, SiteId};
use std::collections::VecDeque;

/// A list of values, taken in order whatever the site.
#[derive(Clone, Debug, Default)]
pub struct ListInputs {
    values: VecDeque<Constant>,
}

impl ListInputs {
    /// These values.
    pub fn new(values: impl IntoIterator<Item = Constant>) -> Self {
        ListInputs {
            values: values.into_iter().collect(),
        }
    }
}

impl Inputs for ListInputs {
    fn next(&mut self, _site: SiteId, _ty: Type) -> Option<Constant> {
        self.values.pop_front()
    }
}

/// Zero for everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroInputs;

impl Inputs for ZeroInputs {
    fn next(&mut self, _site: SiteId, ty: Type) -> Option<Constant> {
        Some(zero(ty))
    }
}

/// For each site its own values, as a trace has them; zero once they are used up.
#[derive(Clone, Debug)]
pub struct SiteInputs {
    queues: IdVec<SiteId, VecDeque<Constant>>,
}

impl SiteInputs {
    /// The inputs of a trace through a program.
    pub fn new(program: &Program, inputs: &[(SiteId, Constant)]) -> Self {
        let mut queues: IdVec<SiteId, VecDeque<Constant>> =
            IdVec::filled(VecDeque::new(), program.sites.len());
        for &(site, value) in inputs {
            queues[site].push_back(value);
        }
        SiteInputs { queues }
    }
}

impl Inputs for SiteInputs {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        Some(self.queues[site].pop_front().unwrap_or_else(|| zero(ty)))
    }
}

/// Numbers from a text, separated by white space or commas, in order; the run ends when they do.
///
/// Integers may be decimal, hexadecimal (`0x`) or a character in quotes; what cannot be read as a
/// value of the wanted type counts as the end.
#[derive(Clone, Debug)]
pub struct TextInputs {
    words: VecDeque<String>,
}

impl TextInputs {
    /// The numbers in a text.
    pub fn new(text: &str) -> Self {
        TextInputs {
            words: text
                .split(|c: char| c.is_whitespace() || c == ',')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }

    /// How many numbers are left.
    pub fn left(&self) -> usize {
        self.words.len()
    }
}

impl Inputs for TextInputs {
    fn next(&mut self, _site: SiteId, ty: Type) -> Option<Constant> {
        parse(&self.words.pop_front()?, ty)
    }
}

/// A value of a type from a word.
pub fn parse(word: &str, ty: Type) -> Option<Constant> {
    match ty {
        Type::Bool => match word {
            "true" => Some(Constant::Bool(true)),
            "false" => Some(Constant::Bool(false)),
            _ => parse_int(word).map(|bits| Constant::Bool(bits != 0)),
        },
        Type::Int(int) => Some(Constant::Int(IntValue::from_bits(int, parse_int(word)?))),
        Type::Float(FloatType::F32) => {
            let value: f32 = word.parse().ok()?;
            Some(Constant::Float(FloatType::F32, u64::from(value.to_bits())))
        }
        Type::Float(FloatType::F64) => {
            let value: f64 = word.parse().ok()?;
            Some(Constant::Float(FloatType::F64, value.to_bits()))
        }
        Type::Ptr => (parse_int(word)? == 0).then_some(Constant::Null),
    }
}

fn parse_int(word: &str) -> Option<u128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let value = if let Some(hex) = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        u128::from_str_radix(hex, 16).ok()?
    } else if let [b'\'', byte, b'\''] = *digits.as_bytes() {
        u128::from(byte)
    } else {
        digits.parse().ok()?
    };
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// Random values from a seed: about half of them are small or at the ends of the type.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    state: u64,
}

impl RandomInputs {
    /// The values of a seed; equal seeds give equal values.
    pub fn new(seed: u64) -> Self {
        RandomInputs { state: seed }
    }

    /// The next 64 random bits (the SplitMix64 sequence).
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn int(&mut self, ty: IntType) -> IntValue {
        let choice = self.bits();
        let raw = u128::from(self.bits()) | u128::from(self.bits()) << 64;
        match choice % 8 {
            // Small numbers, of either sign.
            0..3 => IntValue::wrap(ty, (raw % 34) as i128 - if ty.signed { 17 } else { 1 }),
            3 => {
                let near = (raw >> 1) % 3;
                let end = if raw & 1 == 0 { ty.min() } else { ty.max() };
                let bits = if raw & 1 == 0 {
                    end.bits().wrapping_add(near)
                } else {
                    end.bits().wrapping_sub(near)
                };
                IntValue::from_bits(ty, bits)
            }
            // A number of a random number of bits.
            4 | 5 => {
                let bits = (raw >> 64) as u32 % u32::from(ty.bits);
                IntValue::from_bits(ty, raw & !(u128::MAX << bits))
            }
            _ => IntValue::from_bits(ty, raw),
        }
    }

    fn float(&mut self) -> f64 {
        let choice = self.bits();
        let raw = self.bits();
        match choice % 8 {
            0..4 => (raw % 41) as f64 / 2.0 - 10.0,
            4 => [0.0, -0.0, 1.0, -1.0, 0.1, 1e10, f64::MAX, f64::MIN_POSITIVE][(raw % 8) as usize],
            5 => [f64::INFINITY, f64::NEG_INFINITY, f64::NAN][(raw % 3) as usize],
            6 => raw as i64 as f64,
            _ => f64::from_bits(raw),
        }
    }
}

impl Inputs for RandomInputs {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        let _ = site.index();
        Some(match ty {
            Type::Bool => Constant::Bool(self.bits() & 1 == 1),
            Type::Int(int) => Constant::Int(self.int(int)),
            Type::Float(FloatType::F32) => {
                let value = self.float() as f32;
                Constant::Float(FloatType::F32, u64::from(value.to_bits()))
            }
            Type::Float(FloatType::F64) => Constant::Float(FloatType::F64, self.float().to_bits()),
            Type::Ptr => Constant::Null,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_values() {
        let int = Type::Int(IntType::I32);
        let cases = [
            ("12", Some("12")),
            ("-1", Some("-1")),
            ("0xff", Some("255")),
            ("4294967295", Some("-1")),
            ("'a'", Some("97")),
            ("x", None),
        ];
        for (word, expected) in cases {
            let value = parse(word, int).map(crate::value::describe_constant);
            assert_eq!(value.as_deref(), expected, "{word}");
        }
        let mut text = TextInputs::new("1, 2\n 3");
        assert_eq!(text.left(), 3);
        let site = SiteId::from_index(0);
        assert_eq!(text.next(site, int), parse("1", int));
    }

    #[test]
    fn random_inputs_repeat_and_meet_the_ends() {
        let ty = Type::Int(IntType::I32);
        let draw = || {
            let mut random = RandomInputs::new(7);
            (0..1000)
                .map(|_| random.next(SiteId::from_index(0), ty).unwrap())
                .collect::<Vec<_>>()
        };
        let values = draw();
        assert_eq!(values, draw());
        for end in [
            IntType::I32.min(),
            IntType::I32.max(),
            IntValue::zero(IntType::I32),
        ] {
            assert!(values.contains(&Constant::Int(end)), "{end}");
        }
    }
}
