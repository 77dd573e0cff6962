//! Linear forms modulo powers of two.

use program::ir::VarId;

/// A linear form modulo 2^bits: factors of variables, and a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Residue {
    pub(crate) terms: Vec<(VarId, u64)>,
    pub(crate) constant: u64,
    pub(crate) bits: u32,
}

impl Residue {
    /// Nothing but a class: `rest` modulo 2^bits.
    pub(crate) fn class(bits: u32, rest: i128) -> Residue {
        Residue {
            terms: Vec::new(),
            constant: rest as u64,
            bits,
        }
    }

    pub(crate) fn var(var: VarId) -> Residue {
        Residue {
            terms: vec![(var, 1)],
            constant: 0,
            bits: 64,
        }
    }

    /// `self + other · factor`.
    pub(crate) fn plus(&self, other: &Residue, factor: i128) -> Residue {
        let factor = factor as u64;
        let gained = other.bits.saturating_add(factor.trailing_zeros()).min(64);
        let mut result = self.clone();
        result.bits = self.bits.min(gained);
        result.constant = self
            .constant
            .wrapping_add(other.constant.wrapping_mul(factor));
        for &(var, times) in &other.terms {
            let times = times.wrapping_mul(factor);
            match result.terms.iter_mut().find(|term| term.0 == var) {
                Some(term) => term.1 = term.1.wrapping_add(times),
                None => result.terms.push((var, times)),
            }
        }
        result.terms.retain(|term| term.1 != 0);
        result
    }

    /// `self · factor`.
    pub(crate) fn times(&self, factor: i128) -> Residue {
        Residue::class(64, 0).plus(self, factor)
    }

    /// Known only modulo a smaller power of two.
    pub(crate) fn within(mut self, bits: u32) -> Residue {
        self.bits = self.bits.min(bits);
        self
    }
}
