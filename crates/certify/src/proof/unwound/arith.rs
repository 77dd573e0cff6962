//! C's operators on integers in bit-vectors: the value, and where it is undefined.

use logic::{BitComparison, BitId, BitOp, BitStore, IntType};
use program::expr::BinaryOp;

/// The result of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Computed {
    /// The value, where it is defined.
    pub(super) value: BitId,
    /// Whether it is defined but for overflow: no division by zero, no shift out of range.
    pub(super) sound: BitId,
    /// Whether the exact result does not fit the type, where it is defined otherwise.
    pub(super) overflows: BitId,
}

/// An operation on two integers of a type; the amount of a shift has a type of its own. `None` for
/// what has no integer as its value, and for exact products that are too wide for us.
pub(super) fn binary(
    store: &mut BitStore,
    op: BinaryOp,
    ty: IntType,
    (a, b): (BitId, BitId),
    amount: IntType,
) -> Option<Computed> {
    use BinaryOp::*;
    let plain = |value| Computed {
        value,
        sound: BitStore::TRUE,
        overflows: BitStore::FALSE,
    };
    Some(match op {
        Add => Computed {
            overflows: sum_overflows(store, ty, a, b, false),
            ..plain(store.binary(BitOp::Add, a, b))
        },
        Sub => Computed {
            overflows: sum_overflows(store, ty, a, b, true),
            ..plain(store.binary(BitOp::Sub, a, b))
        },
        Mul => Computed {
            overflows: product_overflows(store, ty, a, b)?,
            ..plain(store.binary(BitOp::Mul, a, b))
        },
        Div | Rem => divided(store, op, ty, a, b),
        And => plain(store.binary(BitOp::And, a, b)),
        Or => plain(store.binary(BitOp::Or, a, b)),
        Xor => plain(store.binary(BitOp::Xor, a, b)),
        Shl | Shr => shifted(store, op, ty, a, (b, amount)),
        Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => return None,
    })
}

/// A comparison of two integers; `None` if it is none.
pub(super) fn comparison(
    store: &mut BitStore,
    op: BinaryOp,
    signed: bool,
    a: BitId,
    b: BitId,
) -> Option<BitId> {
    use BinaryOp::*;
    let (less, at_most) = if signed {
        (BitComparison::SLt, BitComparison::SLe)
    } else {
        (BitComparison::ULt, BitComparison::ULe)
    };
    Some(match op {
        Eq => store.equal(a, b),
        Ne => store.differ(a, b),
        Lt => store.compare(less, a, b),
        Le => store.compare(at_most, a, b),
        Gt => store.compare(less, b, a),
        Ge => store.compare(at_most, b, a),
        Add | Sub | Mul | Div | Rem | And | Or | Xor | Shl | Shr | PtrDiff => return None,
    })
}

/// An integer converted to another type.
pub(super) fn convert(store: &mut BitStore, from: IntType, to: IntType, a: BitId) -> BitId {
    if from.signed {
        store.sign_extend(to.bits, a)
    } else {
        store.zero_extend(to.bits, a)
    }
}

/// The highest bit.
fn sign(store: &mut BitStore, a: BitId) -> BitId {
    let width = store.width(a);
    store.extract(width - 1, 1, a)
}

fn least(store: &mut BitStore, ty: IntType) -> BitId {
    store.constant(ty.bits, ty.min().bits())
}

/// Whether the sum or difference of signed numbers does not fit: the signs tell.
fn sum_overflows(store: &mut BitStore, ty: IntType, a: BitId, b: BitId, minus: bool) -> BitId {
    if !ty.signed {
        return BitStore::FALSE;
    }
    let op = if minus { BitOp::Sub } else { BitOp::Add };
    let sum = store.binary(op, a, b);
    let [a, b, sum] = [a, b, sum].map(|term| sign(store, term));
    let differ = store.binary(BitOp::Xor, a, b);
    let may = if minus { differ } else { store.not(differ) };
    let changed = store.binary(BitOp::Xor, a, sum);
    store.and(may, changed)
}

/// Whether the product of signed numbers does not fit; `None` beyond 64 bits.
fn product_overflows(store: &mut BitStore, ty: IntType, a: BitId, b: BitId) -> Option<BitId> {
    if !ty.signed {
        return Some(BitStore::FALSE);
    }
    if let Some(factor) = store.as_constant(b) {
        return Some(multiple_overflows(store, ty, a, factor));
    }
    if let Some(factor) = store.as_constant(a) {
        return Some(multiple_overflows(store, ty, b, factor));
    }
    // The sign is left over.
    if store.used_bits(a).saturating_add(store.used_bits(b)) < ty.bits {
        return Some(BitStore::FALSE);
    }
    let double = ty.bits.checked_mul(2).filter(|&double| double <= 128)?;
    let [x, y] = [a, b].map(|term| store.sign_extend(double, term));
    let exact = store.binary(BitOp::Mul, x, y);
    let low = store.extract(0, ty.bits, exact);
    let again = store.sign_extend(double, low);
    let fits = store.equal(exact, again);
    Some(store.not(fits))
}

/// The same for a constant factor: the other one is compared with the last ones that fit.
fn multiple_overflows(store: &mut BitStore, ty: IntType, a: BitId, factor: u128) -> BitId {
    let factor = logic::bits::meaning::signed(ty.bits, factor);
    let [least, most] = [ty.min(), ty.max()].map(|end| end.to_i128().unwrap_or(0));
    let (low, high) = match factor {
        0 => return BitStore::FALSE,
        // Of the least number alone the negation does not fit.
        -1 => (-most, most),
        1.. => (least / factor, most / factor),
        _ => (most / factor, least / factor),
    };
    let [low, high] = [low, high].map(|end| store.constant(ty.bits, end as u128));
    let below = store.compare(BitComparison::SLt, a, low);
    let above = store.compare(BitComparison::SLt, high, a);
    store.or(below, above)
}

fn divided(store: &mut BitStore, op: BinaryOp, ty: IntType, a: BitId, b: BitId) -> Computed {
    let of = match (op, ty.signed) {
        (BinaryOp::Div, true) => BitOp::SDiv,
        (BinaryOp::Div, false) => BitOp::UDiv,
        (_, true) => BitOp::SRem,
        (_, false) => BitOp::URem,
    };
    let zero = store.constant(ty.bits, 0);
    let sound = store.differ(b, zero);
    let overflows = if ty.signed {
        let (least, minus_one) = (least(store, ty), store.constant(ty.bits, u128::MAX));
        let (a_least, b_minus) = (store.equal(a, least), store.equal(b, minus_one));
        store.and(a_least, b_minus)
    } else {
        BitStore::FALSE
    };
    Computed {
        value: store.binary(of, a, b),
        sound,
        overflows,
    }
}

fn shifted(
    store: &mut BitStore,
    op: BinaryOp,
    ty: IntType,
    a: BitId,
    (amount, amount_ty): (BitId, IntType),
) -> Computed {
    // In all bits there are, so that neither sign nor width of the amount matters.
    let wide = convert(store, amount_ty, IntType::unsigned(128), amount);
    let width = store.constant(128, u128::from(ty.bits));
    let sound = store.compare(BitComparison::ULt, wide, width);
    let by = store.extract(0, ty.bits, wide);
    let of = match (op, ty.signed) {
        (BinaryOp::Shl, _) => BitOp::Shl,
        (_, true) => BitOp::AShr,
        (_, false) => BitOp::LShr,
    };
    let value = store.binary(of, a, by);
    // No bit gets as far as the sign.
    let stays = (store.as_constant(by))
        .is_some_and(|by| u128::from(store.used_bits(a)) + by < u128::from(ty.bits));
    let overflows = if op == BinaryOp::Shl && ty.signed && !stays {
        let back = store.binary(BitOp::AShr, value, by);
        let same = store.equal(back, a);
        let (lost, negative) = (store.not(same), sign(store, a));
        let overflows = store.or(negative, lost);
        // Elsewhere it is undefined for another reason.
        store.and(sound, overflows)
    } else {
        BitStore::FALSE
    };
    Computed {
        value,
        sound,
        overflows,
    }
}
