//! Bit-vectors as clauses.
//!
//! Each bit of a term is a literal, each gate between them a few clauses that say what its output
//! is. Gates with constant operands fold, and a gate is made once. Floating-point operations are
//! not described.
//! This is Tseitin's encoding, with the clauses of both directions.
//!
//! # Invariants
//! - Every assignment of the symbols extends to the gates in one way, so what is found of a
//!   formula's literal holds of the formula.

use logic::{BitComparison, BitId, BitNode, BitOp, BitStore};
use rustc_hash::FxHashMap;
use std::ops::Not;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Literal(u32);

impl Literal {
    /// The literal that always holds.
    pub(crate) const TRUE: Literal = Literal(0);
    /// The one that never does.
    pub(crate) const FALSE: Literal = Literal(1);

    /// A variable by its number.
    fn of(variable: u32) -> Literal {
        Literal(variable << 1)
    }

    pub(crate) fn variable(self) -> u32 {
        self.0 >> 1
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn constant(value: bool) -> Literal {
        if value { Self::TRUE } else { Self::FALSE }
    }

    fn value(self) -> Option<bool> {
        match self {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            _ => None,
        }
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// What clauses are told to. Variable 0 is true there.
pub(crate) trait Clauses {
    /// One more clause.
    fn add(&mut self, clause: &[Literal]);
}

/// A gate by its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Literal, Literal),
    Xor(Literal, Literal),
    Choice(Literal, Literal, Literal),
    Majority([Literal; 3]),
}

/// So many variables, and what stands between them, fit in some hundred megabytes.
const MOST: u32 = 1 << 20;

/// Bits, the lowest first.
type Word = Vec<Literal>;

/// Terms of one store as literals.
pub(crate) struct Blaster<C> {
    pub(crate) clauses: C,
    words: FxHashMap<BitId, Word>,
    /// The quotient and the remainder of two terms.
    divisions: FxHashMap<(BitId, BitId), (Word, Word)>,
    gates: FxHashMap<Gate, Literal>,
    variables: u32,
}

impl<C: Clauses> Blaster<C> {
    pub(crate) fn new(mut clauses: C) -> Blaster<C> {
        clauses.add(&[Literal::TRUE]);
        Blaster {
            clauses,
            words: FxHashMap::default(),
            divisions: FxHashMap::default(),
            gates: FxHashMap::default(),
            variables: 1,
        }
    }

    /// The literal of a truth value; none if floating-point operations stand in it, or if there
    /// would be too many variables. Does not recurse, as terms can be deep.
    pub(crate) fn literal(&mut self, store: &BitStore, formula: BitId) -> Option<Literal> {
        let mut open = vec![formula];
        while let Some(&next) = open.last() {
            let waiting = open.len();
            let words = &self.words;
            open.extend(store.parts(next).filter(|part| !words.contains_key(part)));
            if open.len() > waiting {
                continue;
            }
            open.pop();
            if !self.words.contains_key(&next) {
                if self.variables > MOST {
                    return None;
                }
                let word = self.made(store, next)?;
                debug_assert_eq!(word.len(), usize::from(store.width(next)));
                self.words.insert(next, word);
            }
        }
        Some(self.words[&formula][0])
    }

    /// The bits of a term that was told, the lowest first.
    #[cfg(test)]
    pub(crate) fn bits(&self, term: BitId) -> Option<&[Literal]> {
        self.words.get(&term).map(Vec::as_slice)
    }

    /// The bits of a term whose parts are known.
    fn made(&mut self, store: &BitStore, term: BitId) -> Option<Word> {
        let width = usize::from(store.width(term));
        let word = |blaster: &Self, part: BitId| blaster.words[&part].clone();
        Some(match store.node(term) {
            BitNode::Const(value) => {
                let bit = |place| Literal::constant(value >> place & 1 == 1);
                (0..width).map(bit).collect()
            }
            BitNode::Symbol(_) => (0..width).map(|_| self.fresh()).collect(),
            BitNode::Not(a) => word(self, a).into_iter().map(Literal::not).collect(),
            BitNode::Binary(op, a, b) => self.binary(op, a, b),
            BitNode::Compare(comparison, a, b) => {
                let (a, b) = (word(self, a), word(self, b));
                vec![self.compare(comparison, &a, &b)]
            }
            BitNode::Extract(low, a) => {
                let low = usize::from(low);
                self.words[&a][low..low + width].to_vec()
            }
            BitNode::ZeroExtend(a) => {
                let mut bits = word(self, a);
                bits.resize(width, Literal::FALSE);
                bits
            }
            BitNode::SignExtend(a) => {
                let mut bits = word(self, a);
                let sign = bits[bits.len() - 1];
                bits.resize(width, sign);
                bits
            }
            BitNode::Concat(a, b) => {
                let mut bits = word(self, b);
                bits.extend(&self.words[&a]);
                bits
            }
            BitNode::Ite(condition, then, otherwise) => {
                let condition = self.words[&condition][0];
                let (then, otherwise) = (word(self, then), word(self, otherwise));
                self.choice_of(condition, &then, &otherwise)
            }
            BitNode::FloatUnary(..) | BitNode::FloatBinary(..) => return None,
        })
    }

    fn binary(&mut self, op: BitOp, first: BitId, second: BitId) -> Word {
        let (a, b) = (self.words[&first].clone(), self.words[&second].clone());
        match op {
            BitOp::Add => self.sum(&a, &b, Literal::FALSE),
            BitOp::Sub => self.sum(&a, &negated(&b), Literal::TRUE),
            BitOp::Mul => self.product(&a, &b),
            BitOp::UDiv => self.division(first, second, &a, &b).0,
            BitOp::URem => self.division(first, second, &a, &b).1,
            BitOp::SDiv => self.signed_division(&a, &b),
            BitOp::SRem => self.signed_remainder(&a, &b),
            BitOp::And => self.each(&a, &b, Self::and),
            BitOp::Or => self.each(&a, &b, Self::or),
            BitOp::Xor => self.each(&a, &b, Self::xor),
            BitOp::Shl => {
                let turned: Word = a.into_iter().rev().collect();
                let shifted = self.shifted_down(turned, &b, Literal::FALSE);
                shifted.into_iter().rev().collect()
            }
            BitOp::LShr => self.shifted_down(a, &b, Literal::FALSE),
            BitOp::AShr => {
                let sign = a[a.len() - 1];
                self.shifted_down(a, &b, sign)
            }
        }
    }

    fn each(
        &mut self,
        a: &[Literal],
        b: &[Literal],
        gate: fn(&mut Self, Literal, Literal) -> Literal,
    ) -> Word {
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }

    fn choice_of(&mut self, condition: Literal, then: &[Literal], otherwise: &[Literal]) -> Word {
        let bits = then.iter().zip(otherwise);
        bits.map(|(&a, &b)| self.choice(condition, a, b)).collect()
    }

    /// The sum, with what is carried into it.
    fn sum(&mut self, a: &[Literal], b: &[Literal], mut carry: Literal) -> Word {
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        sum
    }

    /// What is carried out of a sum.
    fn carry_out(&mut self, a: &[Literal], b: &[Literal], mut carry: Literal) -> Literal {
        for (&a, &b) in a.iter().zip(b) {
            carry = self.majority(a, b, carry);
        }
        carry
    }

    fn opposite(&mut self, a: &[Literal]) -> Word {
        let zero = vec![Literal::FALSE; a.len()];
        self.sum(&zero, &negated(a), Literal::TRUE)
    }

    /// The magnitude of a signed number, as an unsigned one.
    fn magnitude(&mut self, a: &[Literal]) -> Word {
        let opposite = self.opposite(a);
        self.choice_of(a[a.len() - 1], &opposite, a)
    }

    fn product(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        let constants = |word: &[Literal]| word.iter().filter(|bit| bit.value().is_some()).count();
        let (a, b) = if constants(a) > constants(b) {
            (b, a)
        } else {
            (a, b)
        };
        let mut product = vec![Literal::FALSE; a.len()];
        for (place, &bit) in b.iter().enumerate() {
            if bit == Literal::FALSE {
                continue;
            }
            let row: Word = a[..a.len() - place]
                .iter()
                .map(|&a| self.and(a, bit))
                .collect();
            let upper = self.sum(&product[place..], &row, Literal::FALSE);
            product.splice(place.., upper);
        }
        product
    }

    fn division(
        &mut self,
        first: BitId,
        second: BitId,
        a: &[Literal],
        b: &[Literal],
    ) -> (Word, Word) {
        if let Some(known) = self.divisions.get(&(first, second)) {
            return known.clone();
        }
        let both = self.divided(a, b);
        self.divisions.insert((first, second), both.clone());
        both
    }

    /// The quotient and the remainder of unsigned numbers, bit by bit as by hand. By zero it is all
    /// ones and the dividend, which is what comes out.
    fn divided(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        let mut divisor = b.to_vec();
        divisor.push(Literal::FALSE);
        let minus = negated(&divisor);
        let mut rest = vec![Literal::FALSE; b.len()];
        let mut quotient = vec![Literal::FALSE; a.len()];
        for place in (0..a.len()).rev() {
            let mut next = vec![a[place]];
            next.append(&mut rest);
            let fits = self.carry_out(&next, &minus, Literal::TRUE);
            let less = self.sum(&next, &minus, Literal::TRUE);
            rest = self.choice_of(fits, &less, &next);
            rest.truncate(b.len());
            quotient[place] = fits;
        }
        (quotient, rest)
    }

    fn signed_division(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        let (left, right) = (self.magnitude(a), self.magnitude(b));
        let (quotient, _) = self.divided(&left, &right);
        let differ = self.xor(a[a.len() - 1], b[b.len() - 1]);
        let opposite = self.opposite(&quotient);
        self.choice_of(differ, &opposite, &quotient)
    }

    fn signed_remainder(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        let (left, right) = (self.magnitude(a), self.magnitude(b));
        let (_, rest) = self.divided(&left, &right);
        let opposite = self.opposite(&rest);
        self.choice_of(a[a.len() - 1], &opposite, &rest)
    }

    /// Shifted towards the lowest bit, the same bit coming in from above.
    fn shifted_down(&mut self, a: Word, by: &[Literal], fill: Literal) -> Word {
        let mut bits = a;
        let width = bits.len();
        let mut too_far = Literal::FALSE;
        for (place, &shifts) in by.iter().enumerate() {
            match 1usize.checked_shl(place as u32).filter(|&far| far < width) {
                Some(far) => {
                    let mut shifted = bits[far..].to_vec();
                    shifted.resize(width, fill);
                    bits = self.choice_of(shifts, &shifted, &bits);
                }
                None => too_far = self.or(too_far, shifts),
            }
        }
        self.choice_of(too_far, &vec![fill; width], &bits)
    }

    fn compare(&mut self, comparison: BitComparison, a: &[Literal], b: &[Literal]) -> Literal {
        match comparison {
            BitComparison::Eq => {
                let mut equal = Literal::TRUE;
                for (&a, &b) in a.iter().zip(b) {
                    let differ = self.xor(a, b);
                    equal = self.and(equal, !differ);
                }
                equal
            }
            BitComparison::ULe => self.carry_out(b, &negated(a), Literal::TRUE),
            BitComparison::ULt => !self.carry_out(a, &negated(b), Literal::TRUE),
            BitComparison::SLe => {
                let (a, b) = (offset(a), offset(b));
                self.carry_out(&b, &negated(&a), Literal::TRUE)
            }
            BitComparison::SLt => {
                let (a, b) = (offset(a), offset(b));
                !self.carry_out(&a, &negated(&b), Literal::TRUE)
            }
        }
    }

    fn fresh(&mut self) -> Literal {
        let variable = self.variables;
        self.variables += 1;
        Literal::of(variable)
    }

    /// The output of a gate, with the clauses that say what it is if it is new.
    fn gate(&mut self, gate: Gate, clauses: impl FnOnce(&mut C, Literal)) -> Literal {
        if let Some(&output) = self.gates.get(&gate) {
            return output;
        }
        let output = self.fresh();
        clauses(&mut self.clauses, output);
        self.gates.insert(gate, output);
        output
    }

    fn and(&mut self, a: Literal, b: Literal) -> Literal {
        match (a.value(), b.value()) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) | (_, Some(false)) => return Literal::FALSE,
            (None, None) => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return Literal::FALSE;
        }
        let (a, b) = (a.min(b), a.max(b));
        self.gate(Gate::And(a, b), |clauses, both| {
            clauses.add(&[!both, a]);
            clauses.add(&[!both, b]);
            clauses.add(&[both, !a, !b]);
        })
    }

    fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        match (a.value(), b.value()) {
            (Some(value), _) => return if value { !b } else { b },
            (_, Some(value)) => return if value { !a } else { a },
            (None, None) => {}
        }
        // Negations are taken out, so that a gate serves for all of them.
        let flips = a.is_negated() != b.is_negated();
        let (a, b) = (Literal::of(a.variable()), Literal::of(b.variable()));
        if a == b {
            return Literal::constant(flips);
        }
        let (a, b) = (a.min(b), a.max(b));
        let differ = self.gate(Gate::Xor(a, b), |clauses, differ| {
            clauses.add(&[!differ, a, b]);
            clauses.add(&[!differ, !a, !b]);
            clauses.add(&[differ, !a, b]);
            clauses.add(&[differ, a, !b]);
        });
        if flips { !differ } else { differ }
    }

    fn choice(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        if let Some(value) = condition.value() {
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.xor(condition, otherwise);
        }
        match (then.value(), otherwise.value()) {
            (Some(true), _) => return self.or(condition, otherwise),
            (Some(false), _) => return self.and(!condition, otherwise),
            (_, Some(true)) => return self.or(!condition, then),
            (_, Some(false)) => return self.and(condition, then),
            (None, None) => {}
        }
        let (condition, then, otherwise) = match condition.is_negated() {
            true => (!condition, otherwise, then),
            false => (condition, then, otherwise),
        };
        self.gate(
            Gate::Choice(condition, then, otherwise),
            |clauses, chosen| {
                clauses.add(&[!condition, !then, chosen]);
                clauses.add(&[!condition, then, !chosen]);
                clauses.add(&[condition, !otherwise, chosen]);
                clauses.add(&[condition, otherwise, !chosen]);
                // Implied, and found sooner with them.
                clauses.add(&[!then, !otherwise, chosen]);
                clauses.add(&[then, otherwise, !chosen]);
            },
        )
    }

    /// At least two of three.
    fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        for (first, second, third) in [(a, b, c), (b, c, a), (c, a, b)] {
            match first.value() {
                Some(true) => return self.or(second, third),
                Some(false) => return self.and(second, third),
                None => {}
            }
            if second == third {
                return second;
            }
            if second == !third {
                return first;
            }
        }
        let mut operands = [a, b, c];
        operands.sort_unstable();
        let [a, b, c] = operands;
        self.gate(Gate::Majority(operands), |clauses, most| {
            for (first, second) in [(a, b), (b, c), (a, c)] {
                clauses.add(&[!first, !second, most]);
                clauses.add(&[first, second, !most]);
            }
        })
    }
}

fn negated(word: &[Literal]) -> Word {
    word.iter().map(|&bit| !bit).collect()
}

/// A signed number with its sign turned: ordered as unsigned numbers are.
fn offset(word: &[Literal]) -> Word {
    let mut bits = word.to_vec();
    if let Some(sign) = bits.last_mut() {
        *sign = !*sign;
    }
    bits
}
