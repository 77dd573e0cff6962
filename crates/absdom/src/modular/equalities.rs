//! The equalities that hold in an affine set.

use super::span::{Span, Vector, unit};
use super::{Equality, Modular};
use program::ir::VarId;

impl Modular {
    /// The equalities that hold, all of them, each with small factors where there are some.
    pub(crate) fn equalities(&self) -> Vec<Equality> {
        let is_constant = |column: usize| self.span.rows().all(|row| row[column] == 0);
        let (constant, varying): (Vec<usize>, Vec<usize>) =
            (0..self.vars.len()).partition(|&column| is_constant(column));
        let constants = constant.into_iter().map(|column| Equality {
            terms: vec![(self.vars[column], 1)],
            constant: (self.point[column] as i64).wrapping_neg(),
            bits: 64,
        });
        let vars: Vec<VarId> = varying.iter().map(|&column| self.vars[column]).collect();
        let forms = self.annihilators(&varying);
        let relations = forms
            .pivots()
            .filter_map(|(column, row)| smallest(&vars, &forms, column, row));
        constants.chain(relations).collect()
    }

    /// The forms over some columns that are zero; a constant is in the last one.
    fn annihilators(&self, columns: &[usize]) -> Span {
        let mut holds = Span::all(columns.len() + 1);
        let mut nothing = vec![0; columns.len() + 1];
        let pick = |vector: &Vector, last: u64| -> Vector {
            let picked = columns.iter().map(|&column| vector[column]);
            picked.chain([last]).collect()
        };
        for row in self.span.rows() {
            holds.annihilate(&pick(row, 0), 0, &mut nothing);
        }
        holds.annihilate(&pick(&self.point, 1), 0, &mut nothing);
        holds
    }
}

/// What a form says beside the forms after it, with small factors; `None` for nothing.
fn smallest(vars: &[VarId], forms: &Span, column: usize, row: &Vector) -> Option<Equality> {
    let factors = &row[..vars.len()];
    let zeros = factors.iter().map(|entry| entry.trailing_zeros()).min()?;
    let leading = factors
        .iter()
        .filter(|entry| zeros < 64 && entry.trailing_zeros() == zeros);
    let scales = leading
        .flat_map(|&entry| [1u64, 3, 5, 7, 9, 11].map(|times| unit(entry).wrapping_mul(times)));
    let candidates = scales.flat_map(|scale| {
        let scaled: Vector = row.iter().map(|entry| entry.wrapping_mul(scale)).collect();
        let mut shorter = scaled.clone();
        forms.shorten(&mut shorter, column);
        [scaled, shorter]
    });
    let mut best: Option<(i64, Equality)> = None;
    for equality in candidates.filter_map(|row| equality(vars, &row)) {
        let factors = equality.terms.iter().map(|term| term.1.saturating_abs());
        let greatest = factors.max().unwrap_or(0);
        if best.as_ref().is_none_or(|(least, _)| greatest < *least) {
            best = Some((greatest, equality));
        }
        // There are no smaller ones.
        if greatest == 1 {
            break;
        }
    }
    best.map(|(_, equality)| equality)
}

/// A form in numbers around zero, modulo no more than it says; `None` for nothing.
fn equality(vars: &[VarId], row: &Vector) -> Option<Equality> {
    let (constant, factors) = row.split_last()?;
    let zeros = factors.iter().map(|entry| entry.trailing_zeros()).min()?;
    if zeros == 64 {
        return None;
    }
    let signed = |entry: u64| (entry as i64) >> zeros;
    let terms = vars.iter().copied().zip(factors);
    Some(Equality {
        terms: terms
            .filter(|(_, factor)| **factor != 0)
            .map(|(var, &factor)| (var, signed(factor)))
            .collect(),
        constant: signed(*constant),
        bits: 64 - zeros,
    })
}
