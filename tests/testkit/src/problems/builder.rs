//! The symbols of a problem, the valuation it is made around, and what hides the facts.

use base::Rng;
use logic::evaluate::Interpretation;
use logic::{FunctionId, Integer, Sort, SymbolId, TermId, TermStore, TermValue};
use rustc_hash::FxHashMap;

/// The values of symbols; functions have some value that depends on the arguments.
#[derive(Default)]
pub(super) struct Valuation {
    pub(super) symbols: FxHashMap<SymbolId, TermValue>,
}

impl Interpretation for Valuation {
    fn symbol(&self, symbol: SymbolId) -> Option<TermValue> {
        self.symbols.get(&symbol).cloned()
    }

    fn apply(&self, _: FunctionId, arguments: &[TermValue]) -> Option<TermValue> {
        let mut sum = Integer::from(3i64);
        for (index, argument) in arguments.iter().enumerate() {
            sum = &sum + &(argument.as_int()? * &Integer::from(index as i64 + 2));
        }
        Some(TermValue::Int(sum.mod_floor(&Integer::from(17i64))))
    }
}

/// A problem in the making.
pub(super) struct Builder<'s> {
    pub(super) store: &'s mut TermStore,
    pub(super) rng: Rng,
    /// The valuation, of all symbols that have one yet.
    pub(super) values: Valuation,
    /// The parts that hang from each.
    pub(super) children: Vec<Vec<usize>>,
    /// The integers that each part shares with the one it hangs from.
    pub(super) outs: Vec<Vec<TermId>>,
    /// Integers that every part may mention.
    pub(super) globals: Vec<TermId>,
    /// Functions that atoms may apply, of one or two integers.
    pub(super) functions: Vec<FunctionId>,
    /// Whether only conjunctions of comparisons are wanted.
    pub(super) plain: bool,
    conjuncts: Vec<Vec<TermId>>,
}

impl<'s> Builder<'s> {
    /// A problem without formulas.
    pub(super) fn new(store: &'s mut TermStore, rng: Rng, parents: &[usize]) -> Self {
        let count = parents.len() + 1;
        let mut children = vec![Vec::new(); count];
        for (part, &parent) in parents.iter().enumerate() {
            children[parent].push(part);
        }
        Builder {
            store,
            rng,
            values: Valuation::default(),
            children,
            outs: vec![Vec::new(); count],
            globals: Vec::new(),
            functions: Vec::new(),
            plain: false,
            conjuncts: vec![Vec::new(); count],
        }
    }

    /// The parts as formulas, and the valuation.
    pub(super) fn finish(self) -> (Vec<TermId>, Valuation) {
        let conjuncts = self.conjuncts.iter();
        let parts = conjuncts.map(|all| self.store.and(all)).collect();
        (parts, self.values)
    }

    /// The part that nothing stands above.
    pub(super) fn root(&self) -> usize {
        self.children.len() - 1
    }

    /// A new integer.
    pub(super) fn integer(&mut self, name: &str, value: Integer) -> TermId {
        let symbol = self.store.new_symbol(name, Sort::Int);
        self.values.symbols.insert(symbol, TermValue::Int(value));
        self.store.of_symbol(symbol)
    }

    /// A new truth value.
    pub(super) fn truth(&mut self, name: &str, value: bool) -> TermId {
        let symbol = self.store.new_symbol(name, Sort::Bool);
        self.values.symbols.insert(symbol, TermValue::Bool(value));
        self.store.of_symbol(symbol)
    }

    /// Some integers above a part.
    pub(super) fn add_outs(&mut self, part: usize, count: usize) {
        for index in 0..count {
            let value = self.number();
            let name = format!("x{index}_{part}");
            let term = self.integer(&name, value);
            self.outs[part].push(term);
        }
    }

    /// Makes a formula a conjunct of a part.
    pub(super) fn assert(&mut self, part: usize, formula: TermId) {
        self.conjuncts[part].push(formula);
    }

    /// The value of an integer term.
    pub(super) fn value(&self, term: TermId) -> Integer {
        match self.store.evaluate_in(term, &self.values) {
            Some(TermValue::Int(value)) => value,
            other => panic!("an integer should have a value, not {other:?}"),
        }
    }

    /// Whether a formula holds in the valuation.
    pub(super) fn holds(&self, formula: TermId) -> bool {
        self.store.evaluate_in(formula, &self.values) == Some(TermValue::Bool(true))
    }

    /// A number, mostly small.
    pub(super) fn number(&mut self) -> Integer {
        let small = self.rng.below(41) as i64 - 20;
        match self.rng.below(24) {
            0 => {
                &Integer::power_of_two(self.rng.pick(&[8, 16, 31, 32])) + &Integer::from(small / 8)
            }
            _ => Integer::from(small),
        }
    }

    /// A factor that is not zero, mostly small.
    pub(super) fn factor(&mut self) -> Integer {
        let size = match self.rng.below(40) {
            0 => Integer::power_of_two(32),
            1..=3 => Integer::from(4 + self.rng.below(9) as i64),
            4..=12 => Integer::from(2 + self.rng.below(2) as i64),
            _ => Integer::ONE,
        };
        if self.rng.chance(35) { -&size } else { size }
    }

    /// A divisor.
    pub(super) fn divisor(&mut self) -> Integer {
        let all = [2, 2, 3, 3, 4, 5, 7, 8, 10, 16, 256];
        Integer::from(self.rng.pick(&all) as i64)
    }

    /// A linear term over one to three of some integers.
    pub(super) fn linear(&mut self, over: &[TermId]) -> TermId {
        let count = 1 + self.rng.below(3).min(self.rng.below(3));
        let mut parts: Vec<(TermId, Integer)> = Vec::new();
        for _ in 0..count {
            let term = self.rng.pick(over);
            // Twice the same could cancel.
            if parts.iter().all(|(other, _)| *other != term) {
                parts.push((term, self.factor()));
            }
        }
        self.store.linear(&Integer::ZERO, &parts)
    }

    /// A function of a term and, where it wants another, of one of some integers.
    pub(super) fn applied(&mut self, term: TermId, over: &[TermId]) -> TermId {
        let function = self.rng.pick(&self.functions);
        let mut arguments = vec![term];
        while arguments.len() < self.store.function(function).arguments.len() {
            arguments.push(self.rng.pick(over));
        }
        self.store.apply(function, &arguments)
    }

    /// The integers that a part may mention.
    pub(super) fn scope(&self, part: usize) -> Vec<TermId> {
        let below = self.children[part].iter().chain([&part]);
        let mut all: Vec<TermId> = below.flat_map(|&at| self.outs[at].clone()).collect();
        all.extend_from_slice(&self.globals);
        all
    }

    /// A comparison near the values that the valuation has.
    pub(super) fn atom(&mut self, part: usize) -> TermId {
        let scope = self.scope(part);
        let mut term = self.linear(&scope);
        if !self.functions.is_empty() && self.rng.chance(30) {
            term = self.applied(term, &scope);
        }
        if !self.plain {
            let divisor = self.divisor();
            match self.rng.below(10) {
                0 => term = self.store.div(term, &divisor),
                1 => {
                    let rest = self.store.modulo(term, &divisor);
                    let wanted = self.value(rest);
                    let wanted = self.store.int(wanted);
                    return self.store.eq(rest, wanted);
                }
                _ => {}
            }
        }
        let near = Integer::from(self.rng.below(9) as i64 - 2);
        let value = self.value(term);
        let (exact, bound) = (
            self.store.int(value.clone()),
            self.store.int(&value + &near),
        );
        match self.rng.below(6) {
            0 => self.store.eq(term, exact),
            _ => self.store.le(term, bound),
        }
    }

    /// A formula of about `size` comparisons.
    pub(super) fn formula(&mut self, part: usize, size: usize) -> TermId {
        if size <= 1 {
            let atom = self.atom(part);
            return if self.rng.chance(25) {
                self.store.not(atom)
            } else {
                atom
            };
        }
        let left = 1 + self.rng.below(size - 1);
        let (a, b) = (self.formula(part, left), self.formula(part, size - left));
        match self.rng.below(7) {
            0 | 1 => self.store.and(&[a, b]),
            2..=4 => self.store.or(&[a, b]),
            5 => self.store.eq(a, b),
            _ => {
                let c = self.atom(part);
                self.store.ite(c, a, b)
            }
        }
    }

    /// A formula that the valuation satisfies.
    pub(super) fn noise(&mut self, part: usize) -> TermId {
        if self.plain {
            loop {
                let atom = self.atom(part);
                if self.holds(atom) {
                    return atom;
                }
            }
        }
        let size = 1 + self.rng.below(3);
        let formula = self.formula(part, size);
        if self.holds(formula) {
            formula
        } else {
            self.store.not(formula)
        }
    }

    /// Some formulas around the facts of every part.
    pub(super) fn add_noise(&mut self, most: usize) {
        for part in 0..=self.root() {
            for _ in 0..self.rng.below(most + 1) {
                if !self.scope(part).is_empty() {
                    let noise = self.noise(part);
                    self.assert(part, noise);
                }
            }
        }
    }

    /// Makes a part imply a fact, in one way or another. The valuation satisfies what it adds if
    /// it satisfies the fact.
    pub(super) fn hide(&mut self, part: usize, fact: TermId) {
        if self.plain {
            return self.assert(part, fact);
        }
        let formula = match self.rng.below(9) {
            0 => {
                let (a, b) = (self.noise(part), self.noise(part));
                let (a, b) = (self.store.and(&[fact, a]), self.store.and(&[fact, b]));
                self.store.or(&[a, b])
            }
            1 => {
                let cases = self.atom(part);
                let other = self.store.not(cases);
                let (a, b) = (self.store.or(&[fact, cases]), self.store.or(&[fact, other]));
                self.store.and(&[a, b])
            }
            2 if !self.children[part].is_empty() => {
                // A part below says that it must hold.
                let flag = self.truth(&format!("p{part}"), true);
                let below = self.rng.pick(&self.children[part].clone());
                let cause = if self.rng.chance(50) {
                    flag
                } else {
                    let noise = self.noise(below);
                    self.assert(below, noise);
                    self.store.implies(noise, flag)
                };
                self.assert(below, cause);
                self.store.implies(flag, fact)
            }
            3 => {
                let noise = self.noise(part);
                let denied = self.store.not(noise);
                let inner = self.store.and(&[denied, fact]);
                let inner = self.store.or(&[inner, fact]);
                self.store.and(&[inner, noise])
            }
            _ => fact,
        };
        self.assert(part, formula);
    }
}
