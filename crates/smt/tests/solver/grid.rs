//! Random formulas over a few bounded symbols, small enough to try all their values.

use base::Rng;
use logic::{Integer, Sort, SymbolId, TermId, TermStore, TermValue};

/// The integers of the grid.
pub(crate) const LEAST: i64 = -2;
pub(crate) const GREATEST: i64 = 3;

/// Symbols with few values.
pub(crate) struct Grid {
    pub(crate) integers: Vec<SymbolId>,
    pub(crate) truths: Vec<SymbolId>,
}

impl Grid {
    pub(crate) fn new(store: &mut TermStore) -> Grid {
        Grid {
            integers: (0..3).map(|_| store.new_symbol("x", Sort::Int)).collect(),
            truths: (0..2).map(|_| store.new_symbol("p", Sort::Bool)).collect(),
        }
    }

    /// That all integers are on the grid.
    pub(crate) fn bounds(&self, store: &mut TermStore) -> TermId {
        let (least, greatest) = (store.int(LEAST), store.int(GREATEST));
        let mut parts = Vec::new();
        for &symbol in &self.integers {
            let term = store.of_symbol(symbol);
            parts.extend([store.le(least, term), store.le(term, greatest)]);
        }
        store.and(&parts)
    }

    /// All valuations.
    pub(crate) fn points(&self) -> Vec<Vec<(SymbolId, TermValue)>> {
        let mut points = vec![Vec::new()];
        for &symbol in &self.integers {
            let values = (LEAST..=GREATEST).map(|value| TermValue::Int(Integer::from(value)));
            points = extended(&points, symbol, &values.collect::<Vec<_>>());
        }
        for &symbol in &self.truths {
            let values = [TermValue::Bool(false), TermValue::Bool(true)];
            points = extended(&points, symbol, &values);
        }
        points
    }

    /// An integer term.
    pub(crate) fn integer(&self, store: &mut TermStore, rng: &mut Rng, depth: usize) -> TermId {
        let symbol = store.of_symbol(rng.pick(&self.integers));
        if depth == 0 {
            return symbol;
        }
        let number = Integer::from(rng.below(5) as i64 + 2);
        match rng.below(6) {
            0 => symbol,
            1 => store.int(rng.below(9) as i64 - 4),
            2 => {
                let inner = self.integer(store, rng, depth - 1);
                store.div(inner, &number)
            }
            3 => {
                let inner = self.integer(store, rng, depth - 1);
                store.modulo(inner, &number)
            }
            4 => {
                let condition = self.formula(store, rng, depth - 1);
                let then = self.integer(store, rng, depth - 1);
                store.ite(condition, then, symbol)
            }
            _ => {
                let a = self.integer(store, rng, depth - 1);
                let factor = Integer::from(rng.below(7) as i64 - 3);
                let scaled = store.scale(&factor, symbol);
                store.add(a, scaled)
            }
        }
    }

    /// A formula.
    pub(crate) fn formula(&self, store: &mut TermStore, rng: &mut Rng, depth: usize) -> TermId {
        if depth == 0 {
            return match rng.below(4) {
                0 => store.of_symbol(rng.pick(&self.truths)),
                1 => {
                    let (a, b) = (self.integer(store, rng, 1), self.integer(store, rng, 1));
                    store.eq(a, b)
                }
                2 => {
                    let a = self.integer(store, rng, 1);
                    let divisor = Integer::from(rng.below(4) as i64 + 2);
                    store.divides(&divisor, a)
                }
                _ => {
                    let (a, b) = (self.integer(store, rng, 2), self.integer(store, rng, 1));
                    store.le(a, b)
                }
            };
        }
        let a = self.formula(store, rng, depth - 1);
        let b = self.formula(store, rng, depth - 1);
        match rng.below(4) {
            0 => store.not(a),
            1 => store.and(&[a, b]),
            2 => store.or(&[a, b]),
            _ => store.eq(a, b),
        }
    }
}

/// Whether a formula is true at a point.
pub(crate) fn holds(store: &TermStore, formula: TermId, point: &[(SymbolId, TermValue)]) -> bool {
    let value = |symbol| {
        let found = point.iter().find(|(other, _)| *other == symbol);
        found.map(|(_, value)| value.clone())
    };
    store.evaluate(formula, &value) == Some(TermValue::Bool(true))
}

fn extended(
    points: &[Vec<(SymbolId, TermValue)>],
    symbol: SymbolId,
    values: &[TermValue],
) -> Vec<Vec<(SymbolId, TermValue)>> {
    let longer = |point: &Vec<_>, value: &TermValue| {
        let mut point = point.clone();
        point.push((symbol, value.clone()));
        point
    };
    let points = points.iter();
    points
        .flat_map(|point| values.iter().map(move |value| longer(point, value)))
        .collect()
}
