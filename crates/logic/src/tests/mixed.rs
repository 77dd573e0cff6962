//! Random formulas over all sorts, each generated together with its value.

use crate::{
    ArrayValue, Assignment, FunctionId, FunctionValue, Integer, Rational, Sort, SymbolId, TermId,
    TermStore, TermValue,
};
use base::Rng;

/// Symbols and functions with values, and a source of terms over them.
pub(super) struct Mixed {
    pub(super) store: TermStore,
    pub(super) values: Assignment,
    ints: Vec<(TermId, Integer)>,
    reals: Vec<(TermId, Rational)>,
    arrays: Vec<(TermId, ArrayValue)>,
    bools: Vec<(TermId, bool)>,
    of_int: FunctionId,
    of_both: FunctionId,
    holds: FunctionId,
    rng: Rng,
}

fn small(rng: &mut Rng) -> Integer {
    Integer::from(rng.below(13) as i64 - 6)
}

fn fraction(rng: &mut Rng) -> Rational {
    Rational::new(small(rng), 1 + rng.below(4) as i64)
}

fn table(rng: &mut Rng, arguments: &[Sort], result: Sort) -> FunctionValue {
    let mut value = FunctionValue::constant(any(rng, result));
    for _ in 0..12 {
        let key = arguments.iter().map(|&sort| any(rng, sort)).collect();
        value.entries.insert(key, any(rng, result));
    }
    value
}

fn any(rng: &mut Rng, sort: Sort) -> TermValue {
    match sort {
        Sort::Bool => TermValue::Bool(rng.one_in(2)),
        Sort::Int => TermValue::Int(small(rng)),
        Sort::Real => TermValue::Real(fraction(rng)),
        Sort::Array => {
            let mut array = ArrayValue::constant(small(rng));
            for _ in 0..4 {
                array = array.store(small(rng), small(rng));
            }
            TermValue::Array(array)
        }
    }
}

impl Mixed {
    pub(super) fn new(seed: u64) -> Mixed {
        let mut rng = Rng::new(seed);
        let mut store = TermStore::new();
        let mut values = Assignment::default();
        let mut symbols: Vec<(TermId, TermValue)> = Vec::new();
        for sort in [Sort::Int, Sort::Real, Sort::Array, Sort::Bool] {
            for _ in 0..3 {
                let symbol: SymbolId = store.new_symbol("v", sort);
                let value = any(&mut rng, sort);
                values.symbols.insert(symbol, value.clone());
                symbols.push((store.of_symbol(symbol), value));
            }
        }
        let mut function = |name: &str, arguments: &[Sort], result| {
            let id = store.new_function(name, arguments, result);
            let value = table(&mut rng, arguments, result);
            values.functions.insert(id, value);
            id
        };
        let of_int = function("f", &[Sort::Int], Sort::Int);
        let of_both = function("g g", &[Sort::Real, Sort::Int], Sort::Real);
        let holds = function("p", &[Sort::Array, Sort::Bool], Sort::Bool);
        fn chosen<T>(
            symbols: &[(TermId, TermValue)],
            pick: impl Fn(&TermValue) -> Option<T>,
        ) -> Vec<(TermId, T)> {
            (symbols.iter())
                .filter_map(|(term, value)| Some((*term, pick(value)?)))
                .collect()
        }
        Mixed {
            ints: chosen(&symbols, |value| value.as_int().cloned()),
            reals: chosen(&symbols, |value| value.as_real().cloned()),
            arrays: chosen(&symbols, |value| value.as_array().cloned()),
            bools: chosen(&symbols, TermValue::as_bool),
            store,
            values,
            of_int,
            of_both,
            holds,
            rng,
        }
    }

    fn pick<T: Clone>(rng: &mut Rng, items: &[(TermId, T)]) -> (TermId, T) {
        items[rng.below(items.len())].clone()
    }

    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[(TermId, TermValue)],
    ) -> (TermId, TermValue) {
        let terms: Vec<TermId> = arguments.iter().map(|(term, _)| *term).collect();
        let values: Vec<TermValue> = arguments.iter().map(|(_, value)| value.clone()).collect();
        let value = self.values.functions[&function].apply(&values).clone();
        (self.store.apply(function, &terms), value)
    }

    pub(super) fn int(&mut self, depth: usize) -> (TermId, Integer) {
        if depth == 0 || self.rng.one_in(6) {
            if self.rng.one_in(3) {
                let value = small(&mut self.rng);
                return (self.store.int(value.clone()), value);
            }
            return Self::pick(&mut self.rng, &self.ints);
        }
        let (a, x) = self.int(depth - 1);
        let divisor = Integer::from(1 + self.rng.below(6) as i64);
        match self.rng.below(8) {
            0 => {
                let (b, y) = self.int(depth - 1);
                (self.store.add(a, b), &x + &y)
            }
            1 => {
                let (b, y) = self.int(depth - 1);
                (self.store.sub(a, b), &x - &y)
            }
            2 => {
                let factor = small(&mut self.rng);
                (self.store.scale(&factor, a), &x * &factor)
            }
            3 => (self.store.div(a, &divisor), x.div_floor(&divisor)),
            4 => (self.store.modulo(a, &divisor), x.mod_floor(&divisor)),
            5 => {
                let (array, value) = self.array(depth - 1);
                (self.store.select(array, a), value.select(&x).clone())
            }
            6 => {
                let (term, value) = self.call(self.of_int, &[(a, TermValue::Int(x))]);
                (term, value.as_int().expect("f gives integers").clone())
            }
            _ => {
                let (condition, holds) = self.bool(depth - 1);
                let (b, y) = self.int(depth - 1);
                (self.store.ite(condition, a, b), if holds { x } else { y })
            }
        }
    }

    pub(super) fn real(&mut self, depth: usize) -> (TermId, Rational) {
        if depth == 0 || self.rng.one_in(6) {
            if self.rng.one_in(3) {
                let value = fraction(&mut self.rng);
                return (self.store.real(value.clone()), value);
            }
            return Self::pick(&mut self.rng, &self.reals);
        }
        if self.rng.one_in(3) {
            let (a, x) = self.int(depth - 1);
            return (self.store.to_real(a), Rational::from(x));
        }
        let (a, x) = self.real(depth - 1);
        match self.rng.below(5) {
            0 => {
                let (b, y) = self.real(depth - 1);
                (self.store.add(a, b), &x + &y)
            }
            1 => {
                let (b, y) = self.real(depth - 1);
                (self.store.sub(a, b), &x - &y)
            }
            2 => {
                let factor = fraction(&mut self.rng);
                (self.store.real_scale(&factor, a), &x * &factor)
            }
            3 => {
                let (b, y) = self.int(depth - 1);
                let arguments = [(a, TermValue::Real(x)), (b, TermValue::Int(y))];
                let (term, value) = self.call(self.of_both, &arguments);
                (term, value.as_real().expect("g gives reals").clone())
            }
            _ => {
                let (condition, holds) = self.bool(depth - 1);
                let (b, y) = self.real(depth - 1);
                (self.store.ite(condition, a, b), if holds { x } else { y })
            }
        }
    }

    fn array(&mut self, depth: usize) -> (TermId, ArrayValue) {
        if depth == 0 || self.rng.one_in(4) {
            return Self::pick(&mut self.rng, &self.arrays);
        }
        if self.rng.one_in(4) {
            let (element, e) = self.int(depth - 1);
            return (self.store.constant_array(element), ArrayValue::constant(e));
        }
        let (a, x) = self.array(depth - 1);
        if self.rng.one_in(3) {
            let (condition, holds) = self.bool(depth - 1);
            let (b, y) = self.array(depth - 1);
            return (self.store.ite(condition, a, b), if holds { x } else { y });
        }
        let (index, i) = self.int(depth - 1);
        if self.rng.one_in(4) {
            let element = self.store.select(a, index);
            let value = x.select(&i).clone();
            return (self.store.store(a, index, element), x.store(i, value));
        }
        let (element, e) = self.int(depth - 1);
        (self.store.store(a, index, element), x.store(i, e))
    }

    pub(super) fn bool(&mut self, depth: usize) -> (TermId, bool) {
        if depth == 0 || self.rng.one_in(3) {
            return self.atom(depth.saturating_sub(1));
        }
        let (a, x) = self.bool(depth - 1);
        let (b, y) = self.bool(depth - 1);
        match self.rng.below(6) {
            0 => (self.store.and(&[a, b]), x && y),
            1 => (self.store.or(&[a, b]), x || y),
            2 => (self.store.not(a), !x),
            3 => (self.store.implies(a, b), !x || y),
            4 => (self.store.eq(a, b), x == y),
            _ => {
                let (c, z) = self.bool(depth - 1);
                (self.store.ite(a, b, c), if x { y } else { z })
            }
        }
    }

    fn atom(&mut self, depth: usize) -> (TermId, bool) {
        match self.rng.below(9) {
            0 => Self::pick(&mut self.rng, &self.bools),
            1 | 2 => {
                let ((a, x), (b, y)) = (self.real(depth), self.real(depth));
                match self.rng.below(3) {
                    0 => (self.store.le(a, b), x <= y),
                    1 => (self.store.lt(a, b), x < y),
                    _ => (self.store.eq(a, b), x == y),
                }
            }
            3 => {
                let ((a, x), (b, y)) = (self.array(depth), self.array(depth));
                (self.store.eq(a, b), x == y)
            }
            4 => {
                let ((a, x), (b, y)) = (self.array(depth), self.bool(depth));
                let arguments = [(a, TermValue::Array(x)), (b, TermValue::Bool(y))];
                let (term, value) = self.call(self.holds, &arguments);
                (term, value == TermValue::Bool(true))
            }
            5 => {
                let (a, x) = self.int(depth);
                let divisor = Integer::from(1 + self.rng.below(8) as i64);
                let divides = x.mod_floor(&divisor).is_zero();
                (self.store.divides(&divisor, a), divides)
            }
            choice => {
                let ((a, x), (b, y)) = (self.int(depth), self.int(depth));
                match choice {
                    6 => (self.store.le(a, b), x <= y),
                    7 => (self.store.lt(a, b), x < y),
                    _ => (self.store.eq(a, b), x == y),
                }
            }
        }
    }

    /// Other values for the symbols.
    pub(super) fn shuffle(&mut self) {
        let symbols: Vec<SymbolId> = self.store.symbols.ids().collect();
        for symbol in symbols {
            let value = any(&mut self.rng, self.store.symbol(symbol).sort);
            self.values.symbols.insert(symbol, value);
        }
    }

    pub(super) fn truth(&self, formula: TermId) -> bool {
        let value = self.store.evaluate_in(formula, &self.values);
        value
            .and_then(|value| value.as_bool())
            .expect("all symbols have values")
    }
}
