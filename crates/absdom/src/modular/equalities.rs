//! The equalities that hold in an affine set.

use super::span::{Span, Vector, unit};
use super::{Equality, Modular};

impl Modular {
    /// The equalities that hold, each with small factors where there are some.
    pub(crate) fn equalities(&self) -> Vec<Equality> {
        let columns = self.vars.len();
        // A constant stands in the last column.
        let mut holds = Span::all(columns + 1);
        let mut nothing = vec![0; columns + 1];
        for row in self.span.rows() {
            let form: Vector = row.iter().copied().chain([0]).collect();
            holds.annihilate(&form, 0, &mut nothing);
        }
        let form: Vector = self.point.iter().copied().chain([1]).collect();
        holds.annihilate(&form, 0, &mut nothing);
        holds.rows().filter_map(|row| self.small(row)).collect()
    }

    /// An equality with small factors.
    fn small(&self, row: &Vector) -> Option<Equality> {
        const LARGEST: i64 = 1 << 20;
        let (constant, factors) = row.split_last()?;
        let zeros = factors.iter().map(|entry| entry.trailing_zeros()).min()?;
        if zeros == 64 {
            return None;
        }
        let bits = 64 - zeros;
        let signed = |entry: u64| (((entry >> zeros) << zeros) as i64) >> zeros;
        let mut best: Option<(i64, Vec<i64>, i64)> = None;
        for &entry in factors {
            if entry == 0 || entry.trailing_zeros() != zeros {
                continue;
            }
            for times in [1u64, 3, 5, 7, 9, 11] {
                let scale = unit(entry).wrapping_mul(times);
                let scaled: Vec<i64> = factors
                    .iter()
                    .map(|factor| signed(factor.wrapping_mul(scale)))
                    .collect();
                let most = scaled.iter().map(|factor| factor.saturating_abs()).max()?;
                if best.as_ref().is_none_or(|best| most < best.0) {
                    best = Some((most, scaled, signed(constant.wrapping_mul(scale))));
                }
            }
        }
        let (most, factors, constant) = best?;
        if most > LARGEST {
            return None;
        }
        let terms = self
            .vars
            .iter()
            .copied()
            .zip(factors)
            .filter(|term| term.1 != 0);
        Some(Equality {
            terms: terms.collect(),
            constant,
            bits,
        })
    }
}
