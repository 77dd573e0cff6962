//! The chains of facts that make a problem inconsistent.

use super::Kind;
use super::builder::{Builder, Valuation};
use base::Rng;
use logic::{Integer, Node, SymbolId, TermId, TermValue};

/// A definition: a symbol and what it stands for.
type Definition = (TermId, TermId);

impl Builder<'_> {
    /// Adds all formulas.
    pub(super) fn fill(&mut self, kind: Kind) {
        match kind {
            Kind::Chain | Kind::Cases => {
                self.plain = kind == Kind::Chain;
                self.add_symbols();
                let cases = (kind == Kind::Cases).then(|| self.case());
                self.chain(cases);
                if let Some(case) = cases {
                    let other = self.store.not(case);
                    self.chain(Some(other));
                }
                self.add_noise(3);
            }
            Kind::Congruence => {
                self.add_symbols();
                self.congruence();
                self.add_noise(2);
            }
            Kind::Run | Kind::Loop | Kind::Machine => self.run(kind),
            Kind::Functions => self.add_functions(),
            Kind::Free => self.free(),
        }
    }

    /// One to three integers above each part, and now and then some that are everywhere.
    fn add_symbols(&mut self) {
        for part in 0..self.root() {
            let count = 1 + self.rng.below(3);
            self.add_outs(part, count);
        }
        for index in 0..self.rng.below(3) {
            let value = self.number();
            let global = self.integer(&format!("g{index}"), value);
            self.globals.push(global);
        }
    }

    /// What a case depends on: a truth value, or a comparison of integers that are everywhere.
    fn case(&mut self) -> TermId {
        if self.globals.is_empty() || self.rng.chance(50) {
            let value = self.rng.chance(50);
            return self.truth("c", value);
        }
        let (over, bound) = (self.globals.clone(), self.number());
        let (term, bound) = (self.linear(&over), self.store.int(bound));
        self.store.le(term, bound)
    }

    /// A term above each part; each is at least the sum of those below and a number, and what
    /// reaches the root is too small. Where a case is given it holds in that case only.
    fn chain(&mut self, case: Option<TermId>) {
        let mut total = Integer::ZERO;
        let mut drift = Integer::ZERO;
        let mut terms = Vec::new();
        for part in 0..self.root() {
            let outs = self.outs[part].clone();
            let term = self.linear(&outs);
            let mut sum = self.sum_below(part, &terms);
            if let [global, ..] = self.globals[..]
                && self.rng.chance(40)
            {
                let factor = self.factor();
                drift = &drift + &factor;
                let more = self.store.scale(&factor, global);
                sum = self.store.add(sum, more);
            }
            let rest = self.store.sub(term, sum);
            let exact = self.rng.chance(40);
            let slack = if exact { 0 } else { self.rng.below(4) as i64 };
            let gain = &self.value(rest) - &Integer::from(slack);
            total = &total + &gain;
            let least = self.store.int(gain);
            let fact = if exact {
                self.store.eq(rest, least)
            } else {
                self.store.le(least, rest)
            };
            self.conclude(part, case, fact);
            terms.push(term);
        }
        let root = self.root();
        let mut sum = self.sum_below(root, &terms);
        if let [global, ..] = self.globals[..] {
            let less = self.store.scale(&-&drift, global);
            sum = self.store.add(sum, less);
        }
        let gap = Integer::from(1 + self.rng.below(3) as i64);
        let most = self.store.int(&total - &gap);
        let denied = self.store.le(sum, most);
        self.conclude(root, case, denied);
    }

    fn sum_below(&mut self, part: usize, terms: &[TermId]) -> TermId {
        let below: Vec<(TermId, Integer)> = (self.children[part].iter())
            .map(|&child| (terms[child], Integer::ONE))
            .collect();
        self.store.linear(&Integer::ZERO, &below)
    }

    fn conclude(&mut self, part: usize, case: Option<TermId>, fact: TermId) {
        let fact = match case {
            Some(case) => self.store.implies(case, fact),
            None => fact,
        };
        self.hide(part, fact);
    }

    /// A remainder that each part hands on, and a root that wants another.
    fn congruence(&mut self) {
        let modulus = self.divisor();
        let mut terms: Vec<TermId> = Vec::new();
        for part in 0..self.root() {
            let outs = self.outs[part].clone();
            let term = self.linear(&outs);
            let factor = self.factor();
            let sum = self.sum_below(part, &terms);
            let sum = self.store.scale(&factor, sum);
            let rest = self.store.sub(term, sum);
            let fact = self.remainder(part, rest, &modulus);
            self.hide(part, fact);
            terms.push(term);
        }
        let root = self.root();
        let sum = self.sum_below(root, &terms);
        let value = self.value(sum).mod_floor(&modulus);
        let rest = self.store.modulo(sum, &modulus);
        let value = self.store.int(value);
        let same = self.store.eq(rest, value);
        let denied = if self.rng.chance(50) {
            self.store.not(same)
        } else {
            let shift = 1 + self.rng.below(3) as i64;
            let shift = Integer::from(shift).mod_floor(&modulus);
            let shift = if shift.is_zero() { Integer::ONE } else { shift };
            let shift = self.store.int(shift);
            let other = self.store.add(sum, shift);
            let rest = self.store.modulo(other, &modulus);
            self.store.eq(rest, value)
        };
        self.hide(root, denied);
    }

    /// That a term leaves the remainder which its value leaves, said in one of three ways.
    fn remainder(&mut self, part: usize, term: TermId, modulus: &Integer) -> TermId {
        let value = self.value(term);
        let rest = value.mod_floor(modulus);
        match self.rng.below(3) {
            0 => {
                let times = self.integer(&format!("q{part}"), value.div_floor(modulus));
                let made = self.store.linear(&rest, &[(times, modulus.clone())]);
                self.store.eq(term, made)
            }
            1 => {
                let floor = self.store.div(term, modulus);
                let made = self.store.linear(&rest, &[(floor, modulus.clone())]);
                self.store.eq(term, made)
            }
            _ => {
                let left = self.store.modulo(term, modulus);
                let rest = self.store.int(rest);
                self.store.eq(left, rest)
            }
        }
    }

    /// Assignments from few inputs; the root asks for what no choice of inputs leads to.
    fn run(&mut self, kind: Kind) {
        let wrap =
            (kind == Kind::Machine).then(|| Integer::power_of_two(self.rng.pick(&[8, 16, 32, 32])));
        let count = 1 + self.rng.below(3);
        let template = self.rng.bits();
        let mut inputs: Vec<(TermId, i64, i64)> = Vec::new();
        let mut definitions: Vec<Definition> = Vec::new();
        for part in 0..self.root() {
            let outer = self.rng.clone();
            if kind == Kind::Loop && part > 0 {
                self.rng = Rng::new(template);
            }
            for index in 0..count {
                let out = self.define(part, index, wrap.as_ref(), &mut inputs, &mut definitions);
                self.outs[part].push(out);
            }
            if kind == Kind::Loop && part > 0 {
                self.rng = outer;
            }
        }
        let root = self.root();
        let over = self.scope(root);
        let term = self.linear(&over);
        let (least, greatest) = self.extremes(term, &inputs, &definitions);
        let high = self.store.int(&greatest + &Integer::ONE);
        let low = self.store.int(&least - &Integer::ONE);
        let (above, below) = (self.store.le(high, term), self.store.le(term, low));
        let denied = match self.rng.below(3) {
            0 => above,
            1 => below,
            _ => self.store.or(&[above, below]),
        };
        self.hide(root, denied);
        self.add_noise(if kind == Kind::Loop { 1 } else { 2 });
    }

    /// One assignment of a part: an input, a number, or something made of what is below.
    fn define(
        &mut self,
        part: usize,
        index: usize,
        wrap: Option<&Integer>,
        inputs: &mut Vec<(TermId, i64, i64)>,
        definitions: &mut Vec<Definition>,
    ) -> TermId {
        let name = format!("x{index}_{part}");
        let below: Vec<TermId> = (self.children[part].iter())
            .flat_map(|&child| self.outs[child].clone())
            .collect();
        if below.is_empty() && inputs.len() < 3 && self.rng.chance(60) {
            let low = self.rng.below(12) as i64;
            let high = low + self.rng.below(3) as i64;
            let out = self.integer(&name, Integer::from(low));
            let (least, most) = (self.store.int(low), self.store.int(high));
            for fact in [self.store.le(least, out), self.store.le(out, most)] {
                self.assert(part, fact);
            }
            inputs.push((out, low, high));
            return out;
        }
        let mut term = self.assigned(&below);
        if let Some(modulus) = wrap {
            term = self.store.modulo(term, modulus);
        }
        let value = self.value(term);
        let out = self.integer(&name, value);
        let fact = self.store.eq(out, term);
        definitions.push((out, term));
        // What other inputs lead to may not satisfy it, so it must stand as it is.
        self.assert(part, fact);
        out
    }

    fn assigned(&mut self, below: &[TermId]) -> TermId {
        let constant = self.number();
        let constant = self.store.int(constant);
        if below.is_empty() {
            return constant;
        }
        let simple = self.linear(below);
        let simple = self.store.add(simple, constant);
        match self.rng.below(10) {
            0 | 1 => {
                let over = self.rng.pick(below);
                let near = &self.value(over) + &Integer::from(self.rng.below(5) as i64 - 2);
                let near = self.store.int(near);
                let condition = self.store.le(over, near);
                let other = self.linear(below);
                self.store.ite(condition, simple, other)
            }
            2 => {
                let divisor = self.divisor();
                self.store.div(simple, &divisor)
            }
            3 => {
                let divisor = self.divisor();
                self.store.modulo(simple, &divisor)
            }
            4 | 5 => {
                let kept = self.rng.pick(below);
                self.store.add(kept, constant)
            }
            6 => self.rng.pick(below),
            _ => simple,
        }
    }

    /// The least and the greatest value of a term over all choices of the inputs.
    fn extremes(
        &self,
        term: TermId,
        inputs: &[(TermId, i64, i64)],
        definitions: &[Definition],
    ) -> (Integer, Integer) {
        let mut values: Vec<Integer> = Vec::new();
        let mut choice: Vec<i64> = inputs.iter().map(|&(_, low, _)| low).collect();
        loop {
            let mut known = Valuation::default();
            for (&(input, ..), &value) in inputs.iter().zip(&choice) {
                known
                    .symbols
                    .insert(self.symbol_of(input), TermValue::Int(Integer::from(value)));
            }
            for &(out, made) in definitions {
                let value = self.store.evaluate_in(made, &known);
                let value = value.expect("a definition should follow those it needs");
                known.symbols.insert(self.symbol_of(out), value);
            }
            match self.store.evaluate_in(term, &known) {
                Some(TermValue::Int(value)) => values.push(value),
                other => panic!("the term should have a value, not {other:?}"),
            }
            let Some(at) = (0..inputs.len()).find(|&at| choice[at] < inputs[at].2) else {
                break;
            };
            choice[at] += 1;
            (0..at).for_each(|lower| choice[lower] = inputs[lower].1);
        }
        values.sort();
        (values[0].clone(), values[values.len() - 1].clone())
    }

    fn symbol_of(&self, term: TermId) -> SymbolId {
        match self.store.node(term) {
            Node::Symbol(symbol) => *symbol,
            other => panic!("{other:?} should be a symbol"),
        }
    }

    /// Formulas that the valuation satisfies, and some that it does not.
    fn free(&mut self) {
        self.add_symbols();
        for part in 0..=self.root() {
            for _ in 0..2 + self.rng.below(3) {
                let size = 1 + self.rng.below(3);
                let mut formula = self.formula(part, size);
                if !self.holds(formula) && self.rng.chance(75) {
                    formula = self.store.not(formula);
                }
                self.assert(part, formula);
            }
        }
    }
}
