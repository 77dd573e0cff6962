//! Every operation on bit-vectors and what it means, for tests of solvers.

use base::Rng;
use logic::bits::meaning::{compare, mask, operate, signed};
use logic::{BitComparison, BitId, BitOp, BitStore};

/// Operations on operands that have given values.
pub(crate) struct Claims {
    /// The operands have their values.
    pub(crate) given: BitId,
    /// The results, and the values that they should have.
    pub(crate) values: Vec<(BitId, u128)>,
}

/// All operations on two random operands.
pub(crate) fn claims(rng: &mut Rng, store: &mut BitStore) -> Claims {
    let width = rng.pick(&[1u8, 2, 3, 5, 8, 32, 64]);
    let mut value = || match rng.below(3) {
        0 => u128::from(rng.bits() % 3) & mask(width),
        1 => mask(width) >> (rng.bits() % 2),
        _ => u128::from(rng.bits()) & mask(width),
    };
    let (x, y) = (value(), value());
    let (a, b) = (store.fresh(width), store.fresh(width));
    let mut values = Vec::new();
    for &op in BitOp::ALL {
        values.push((store.binary(op, a, b), operate(op, width, x, y)));
    }
    for &of in BitComparison::ALL {
        let holds = u128::from(compare(of, width, x, y));
        values.push((store.compare(of, a, b), holds));
    }
    values.push((store.not(a), !x & mask(width)));
    values.push((store.zero_extend(70, a), x));
    let extended = signed(width, x) as u128 & mask(70);
    values.push((store.sign_extend(70, a), extended));
    if width <= 32 {
        values.push((store.concat(a, b), x << width | y));
    }
    let high = width / 2;
    values.push((store.extract(high, 1, a), x >> high & 1));
    let smaller = store.compare(BitComparison::ULt, a, b);
    values.push((store.ite(smaller, a, b), x.min(y)));
    let (x, y) = (store.constant(width, x), store.constant(width, y));
    let (is_x, is_y) = (store.equal(a, x), store.equal(b, y));
    Claims {
        given: store.and(is_x, is_y),
        values,
    }
}

/// That two numbers are factors of another, one small and one large: hard to find.
pub(crate) fn factors(store: &mut BitStore) -> [BitId; 3] {
    let [x, y] = [(); 2].map(|()| store.fresh(64));
    let product = store.binary(BitOp::Mul, x, y);
    let number = store.constant(64, 0xffff_fffd_0000_0003);
    let equal = store.equal(product, number);
    let bound = store.constant(64, 1 << 40);
    let small = store.compare(BitComparison::ULt, x, bound);
    let large = store.compare(BitComparison::ULt, bound, y);
    [equal, small, large]
}
