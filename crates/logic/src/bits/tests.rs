//! The constructors against plain evaluation: simplification preserves values.

use super::meaning::{compare, mask, operate, signed};
use super::*;
use base::Rng;

const WIDTHS: [u8; 6] = [1, 3, 8, 16, 64, 128];

/// Makes terms, each with the value that it should have.
struct Maker {
    store: BitStore,
    rng: Rng,
    symbols: Vec<u128>,
    made: Vec<(BitId, u128)>,
}

impl Maker {
    fn value(&mut self, width: u8) -> u128 {
        let small = u128::from(self.rng.bits() % 4);
        let any = u128::from(self.rng.bits()) << 64 | u128::from(self.rng.bits());
        let value = match self.rng.below(4) {
            0 => small,
            1 => small.wrapping_neg(),
            2 => 1 << (any % u128::from(width)),
            _ => any,
        };
        value & mask(width)
    }

    /// A leaf, or a term that is there.
    fn operand(&mut self, width: u8) -> (BitId, u128) {
        let fitting: Vec<_> = (self.made.iter().rev())
            .filter(|(term, _)| self.store.width(*term) == width)
            .take(6)
            .copied()
            .collect();
        if !fitting.is_empty() && self.rng.chance(75) {
            return self.rng.pick(&fitting);
        }
        let value = self.value(width);
        if self.rng.chance(50) {
            return (self.store.constant(width, value), value);
        }
        self.symbols.push(value);
        (self.store.fresh(width), value)
    }

    fn step(&mut self) {
        let width = self.rng.pick(&WIDTHS);
        let (a, x) = self.operand(width);
        let (b, y) = self.operand(width);
        let made = match self.rng.below(8) {
            0..3 => {
                let op = self.rng.pick(BitOp::ALL);
                (self.store.binary(op, a, b), operate(op, width, x, y))
            }
            3 => {
                let comparison = self.rng.pick(BitComparison::ALL);
                let holds = compare(comparison, width, x, y);
                (self.store.compare(comparison, a, b), u128::from(holds))
            }
            4 => (self.store.not(a), !x & mask(width)),
            5 => {
                let (c, z) = self.operand(1);
                (self.store.ite(c, a, b), if z == 1 { x } else { y })
            }
            6 => {
                let wider = width + self.rng.below(usize::from(WIDEST - width) + 1) as u8;
                if self.rng.chance(50) {
                    (self.store.zero_extend(wider, a), x)
                } else {
                    let value = signed(width, x) as u128 & mask(wider);
                    (self.store.sign_extend(wider, a), value)
                }
            }
            _ if width <= 64 && self.rng.chance(50) => (self.store.concat(a, b), x << width | y),
            _ => {
                let low = self.rng.below(usize::from(width)) as u8;
                let taken = 1 + self.rng.below(usize::from(width - low)) as u8;
                let value = x >> low & mask(taken);
                (self.store.extract(low, taken, a), value)
            }
        };
        self.made.push(made);
    }
}

#[test]
fn simplified_terms_keep_their_values() {
    for seed in 0..300 {
        let mut maker = Maker {
            store: BitStore::new(),
            rng: Rng::new(seed),
            symbols: Vec::new(),
            made: Vec::new(),
        };
        (0..60).for_each(|_| maker.step());
        let Maker {
            store,
            symbols,
            made,
            ..
        } = maker;
        let terms: Vec<BitId> = made.iter().map(|(term, _)| *term).collect();
        let values = store.evaluate(&terms, &|number| symbols[number as usize]);
        for ((term, expected), value) in made.into_iter().zip(values) {
            assert_eq!(
                value,
                expected,
                "seed {seed}, {term}: {:?}",
                store.node(term)
            );
            let zeros = store.trailing_zeros(term);
            let low = if zeros == 0 { 0 } else { mask(zeros) };
            assert_eq!(value & low, 0, "seed {seed}: {term} has {zeros} zeros");
            let used = u32::from(store.used_bits(term));
            assert!(
                128 - value.leading_zeros() <= used,
                "seed {seed}: {term} uses {used} bits"
            );
        }
    }
}

/// What guards of loops and bytes of memory rely on.
#[test]
fn what_is_at_hand_is_simplified() {
    let mut store = BitStore::new();
    let condition = store.fresh(1);
    let [two, three, five] = [2, 3, 5].map(|value| store.constant(32, value));
    let table = store.ite(condition, two, three);
    let sum = store.binary(BitOp::Add, table, two);
    assert_eq!(store.compare(BitComparison::SLe, sum, five), BitStore::TRUE);
    assert_eq!(store.equal(table, three), store.not(condition));

    let word = store.fresh(32);
    let bytes = [0, 8, 16, 24].map(|low| store.extract(low, 8, word));
    let other = store.fresh(8);
    let chosen = bytes.map(|byte| store.ite(condition, byte, other));
    let [a, b, c, d] = bytes;
    let again = [b, c, d]
        .into_iter()
        .fold(a, |low, high| store.concat(high, low));
    assert_eq!(again, word);
    let [a, b, c, d] = chosen;
    let chosen = [b, c, d]
        .into_iter()
        .fold(a, |low, high| store.concat(high, low));
    assert!(matches!(store.node(chosen), BitNode::Ite(_, then, _) if then == word));

    let byte = store.zero_extend(32, other);
    let doubled = store.binary(BitOp::Shl, byte, two);
    let limit = store.constant(32, 1 << 10);
    assert_eq!(
        store.compare(BitComparison::SLt, doubled, limit),
        BitStore::TRUE
    );
    assert_eq!(store.extract(31, 1, doubled), BitStore::FALSE);

    let [p, q] = [(); 2].map(|()| store.fresh(1));
    let not_q = store.not(q);
    assert_eq!(store.or(q, not_q), BitStore::TRUE);
    assert_eq!(store.and(q, not_q), BitStore::FALSE);
    assert_ne!(store.and(p, q), store.and(q, p), "the order is kept");
}
