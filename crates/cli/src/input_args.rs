//! Inputs from the command line.

use exec::Inputs;
use exec::inputs::RandomInputs;
use input::Failure;
use logic::{IntType, IntValue};
use program::expr::{Constant, FloatType, Type};
use program::ir::{Program, SiteId, SiteKind};
use std::collections::VecDeque;

/// Inputs from the command line: what the program asks for, in order.
pub(crate) struct InputArgs<'p> {
    program: &'p Program,
    inputs: VecDeque<String>,
    uninitialized: VecDeque<String>,
    /// Where further values come from, if from anywhere.
    random: Option<RandomInputs>,
    /// The first text that is not a value of the type asked for.
    pub(crate) wrong: Option<String>,
}

impl<'p> InputArgs<'p> {
    /// Values separated by commas or blanks.
    pub(crate) fn new(
        program: &'p Program,
        inputs: &str,
        uninitialized: &str,
        seed: Option<u64>,
    ) -> Self {
        let split = |text: &str| {
            text.split(|c: char| c == ',' || c.is_whitespace())
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        InputArgs {
            program,
            inputs: split(inputs),
            uninitialized: split(uninitialized),
            random: seed.map(RandomInputs::new),
            wrong: None,
        }
    }

    /// How many values were not asked for.
    pub(crate) fn left(&self) -> usize {
        self.inputs.len() + self.uninitialized.len()
    }
}

impl Inputs for InputArgs<'_> {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        use SiteKind::*;
        let given = match self.program.sites[site].kind {
            Nondet | External | Argument | Failure | Outside | Choice | Cell => &mut self.inputs,
            // Bytes of memory are not asked for one by one.
            Uninitialized | Contents => &mut self.uninitialized,
        };
        let Some(word) = given.pop_front() else {
            return match (&mut self.random, self.program.sites[site].kind) {
                (Some(random), _) => random.next(site, ty),
                // Without a word about it, an allocation does not fail.
                (None, Uninitialized | Contents | Failure) => Some(ty.zero()),
                (None, Nondet | External | Argument | Outside | Choice | Cell) => None,
            };
        };
        let value = parse(&word, ty);
        if value.is_none() {
            self.wrong = Some(format!("`{word}` is not a value of type {ty}"));
        }
        value
    }
}

/// Reads the text of `--inputs`: the words themselves, or standard input for `-`.
pub(crate) fn read_inputs(text: Option<&str>) -> Result<String, Failure> {
    match text {
        None => Ok(String::new()),
        Some("-") => std::io::read_to_string(std::io::stdin())
            .map_err(|error| Failure::new(format!("cannot read the inputs: {error}"))),
        Some(text) => Ok(text.to_owned()),
    }
}

/// Reads a value of a type: decimal, hexadecimal (`0x`), or a character in quotes for integers.
pub(crate) fn parse(text: &str, ty: Type) -> Option<Constant> {
    match ty {
        Type::Bool => match text {
            "0" | "false" => Some(Constant::Bool(false)),
            "1" | "true" => Some(Constant::Bool(true)),
            _ => None,
        },
        Type::Int(ty) => parse_int(text, ty).map(Constant::Int),
        Type::Float(FloatType::F32) => {
            let value: f32 = text.parse().ok()?;
            Some(Constant::Float(FloatType::F32, value.to_bits().into()))
        }
        Type::Float(FloatType::F64) => {
            let value: f64 = text.parse().ok()?;
            Some(Constant::Float(FloatType::F64, value.to_bits()))
        }
        Type::Ptr => (text == "0").then_some(Constant::Null),
    }
}

fn parse_int(text: &str, ty: IntType) -> Option<IntValue> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None => match *digits.as_bytes() {
            [b'\'', byte, b'\''] => u128::from(byte),
            _ => digits.parse::<u128>().ok()?,
        },
    };
    let (bits, sign) = match negative && magnitude != 0 {
        true => (magnitude.wrapping_neg(), "-"),
        false => (magnitude, ""),
    };
    let value = IntValue::from_bits(ty, bits);
    // A value that changes when it is shown again did not fit.
    let shown = value.to_string();
    (shown == format!("{sign}{magnitude}")).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_are_shown() {
        let types = [
            Type::Bool,
            Type::Int(IntType::signed(8)),
            Type::Int(IntType::unsigned(8)),
            Type::Int(IntType::unsigned(128)),
            Type::Float(FloatType::F32),
            Type::Float(FloatType::F64),
            Type::Ptr,
        ];
        for ty in types {
            for extreme in engine::random::values::Extreme::ALL {
                let value = extreme.of(ty);
                assert_eq!(
                    parse(&program::values::show(value), ty),
                    Some(value),
                    "{ty:?}"
                );
            }
        }
    }

    #[test]
    fn only_values_of_the_type_are_taken() {
        let byte = Type::Int(IntType::signed(8));
        for text in ["128", "-129", "x", "", "-", "1.5", "0x100"] {
            assert_eq!(parse(text, byte), None, "{text}");
        }
        let max = Constant::Int(IntType::signed(8).max());
        assert_eq!(parse("0x7f", byte), Some(max));
        assert_eq!(parse("+127", byte), Some(max));
        assert_eq!(parse("'A'", byte), parse("65", byte));
        assert_eq!(parse("2", Type::Bool), None);
        assert_eq!(parse("5", Type::Ptr), None);
    }
}
