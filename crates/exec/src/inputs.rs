//! Ready-made sources of inputs.

use crate::{Contents, Inputs};
use base::{IdVec, Rng};
use logic::{IntType, IntValue};
use program::expr::{Constant, Type};
use program::ir::{Program, SiteId, SiteKind};
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

/// The inputs that a run took, to make it again: it ends where they do.
#[derive(Clone, Debug)]
pub struct RunInputs {
    values: ListInputs,
    contents: SiteInputs,
}

impl RunInputs {
    /// The inputs of a run of a program.
    pub fn new(program: &Program, inputs: &[(SiteId, Constant)]) -> Self {
        let is_byte = |row: &&(SiteId, Constant)| program.sites[row.0].kind == SiteKind::Contents;
        let values = inputs.iter().filter(|row| !is_byte(row));
        let bytes: Vec<_> = inputs.iter().filter(is_byte).copied().collect();
        RunInputs {
            values: ListInputs::new(values.map(|&(_, value)| value)),
            contents: SiteInputs::new(program, &bytes),
        }
    }
}

impl Inputs for RunInputs {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        self.values.next(site, ty)
    }

    fn contents(&mut self) -> Option<&mut dyn Contents> {
        self.contents.contents()
    }
}

/// Zero for everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroInputs;

impl Inputs for ZeroInputs {
    fn next(&mut self, _site: SiteId, ty: Type) -> Option<Constant> {
        Some(ty.zero())
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
        Some(self.queues[site].pop_front().unwrap_or_else(|| ty.zero()))
    }

    fn contents(&mut self) -> Option<&mut dyn Contents> {
        Some(self)
    }
}

impl Contents for SiteInputs {
    fn bytes(&mut self, site: SiteId, size: u64) -> Vec<u8> {
        take_bytes(&mut self.queues[site], size)
    }
}

/// Takes the next bytes of a site of contents, as many as there are for an object of a size.
pub fn take_bytes(queue: &mut VecDeque<Constant>, size: u64) -> Vec<u8> {
    let count = queue.len().min(usize::try_from(size).unwrap_or(usize::MAX));
    queue.drain(..count).map(byte).collect()
}

/// The byte that a value of a site of contents is.
pub fn byte(value: Constant) -> u8 {
    match value {
        Constant::Int(value) => value.bits() as u8,
        Constant::Bool(_) | Constant::Float(..) | Constant::Null => 0,
    }
}

/// Random values from a seed: about half of them are small or at the ends of the type.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    rng: Rng,
}

impl RandomInputs {
    /// The values of a seed; equal seeds give equal values.
    pub fn new(seed: u64) -> Self {
        RandomInputs {
            rng: Rng::new(seed),
        }
    }

    fn int(&mut self, ty: IntType) -> IntValue {
        let choice = self.rng.bits();
        let raw = u128::from(self.rng.bits()) | u128::from(self.rng.bits()) << 64;
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
        let choice = self.rng.bits();
        let raw = self.rng.bits();
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
    fn next(&mut self, _site: SiteId, ty: Type) -> Option<Constant> {
        Some(match ty {
            Type::Bool => Constant::Bool(self.rng.bits() & 1 == 1),
            Type::Int(int) => Constant::Int(self.int(int)),
            Type::Float(format) => Constant::Float(format, format.rounded(self.float())),
            Type::Ptr => Constant::Null,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

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
