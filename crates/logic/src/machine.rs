//! Machine integers of up to 128 bits: the single definition of C's integer operators.
//!
//! Constant evaluation, folding and the concrete machine's slow paths all use it. A result that the
//! type cannot hold is wrapped and reported as such; whether that is an error is up to the caller
//! (it is for signed types, it is not for unsigned ones).
//!
//! # Invariants
//! - The bits of a value above its type's width are zero, so equal values are equal as `Eq`.

use std::cmp::Ordering;
use std::fmt;

/// A width and a signedness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntType {
    /// 1 to 128.
    pub bits: u8,
    /// Two's complement, or plain binary.
    pub signed: bool,
}

impl IntType {
    /// The signed type of a width.
    pub const fn signed(bits: u8) -> Self {
        IntType { bits, signed: true }
    }

    /// The unsigned type of a width.
    pub const fn unsigned(bits: u8) -> Self {
        IntType {
            bits,
            signed: false,
        }
    }

    /// `int`.
    pub const I32: IntType = IntType::signed(32);
    /// A 64-bit signed integer.
    pub const I64: IntType = IntType::signed(64);
    /// `unsigned char`.
    pub const U8: IntType = IntType::unsigned(8);

    /// Ones on all bits of the type.
    pub const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits as u32)
    }

    /// The least value.
    pub fn min(self) -> IntValue {
        IntValue::from_bits(self, u128::from(self.signed) << (self.bits - 1))
    }

    /// The greatest value.
    pub fn max(self) -> IntValue {
        IntValue::from_bits(self, self.mask() >> u32::from(self.signed))
    }

    /// How many bytes hold it.
    pub const fn bytes(self) -> u64 {
        (self.bits as u64).div_ceil(8)
    }
}

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

/// A value of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IntValue {
    ty: IntType,
    bits: u128,
}

/// A result and whether the exact one did not fit.
pub type Wrapped = (IntValue, bool);

#[expect(
    clippy::should_implement_trait,
    reason = "they also say whether the result fits"
)]
impl IntValue {
    /// The value whose bits are the low bits of `bits`.
    pub fn from_bits(ty: IntType, bits: u128) -> Self {
        IntValue {
            ty,
            bits: bits & ty.mask(),
        }
    }

    /// `value`, wrapped into the type.
    pub fn wrap(ty: IntType, value: i128) -> Self {
        IntValue::from_bits(ty, value as u128)
    }

    /// Zero.
    pub fn zero(ty: IntType) -> Self {
        IntValue { ty, bits: 0 }
    }

    /// Its type.
    pub fn ty(self) -> IntType {
        self.ty
    }

    /// Its bits, zero above the width.
    pub fn bits(self) -> u128 {
        self.bits
    }

    /// Whether it is zero.
    pub fn is_zero(self) -> bool {
        self.bits == 0
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        self.ty.signed && self.bits >> (self.ty.bits - 1) == 1
    }

    /// Its value, unless it is 2^127 or more.
    pub fn to_i128(self) -> Option<i128> {
        let extended = self.extended();
        (self.ty.signed || extended >= 0).then_some(extended)
    }

    /// Its value, unless it is negative or too large.
    pub fn to_u64(self) -> Option<u64> {
        let value = u64::try_from(self.bits).ok();
        value.filter(|_| !self.is_negative())
    }

    /// The bits of the value extended to 128 by its signedness.
    fn extended(self) -> i128 {
        if self.is_negative() {
            (self.bits | !self.ty.mask()) as i128
        } else {
            self.bits as i128
        }
    }

    fn magnitude(self) -> u128 {
        if self.is_negative() {
            self.extended().unsigned_abs()
        } else {
            self.bits
        }
    }

    /// Conversion to another type; wraps, which C leaves to the implementation and gcc defines.
    pub fn convert(self, ty: IntType) -> Self {
        IntValue::from_bits(ty, self.extended() as u128)
    }

    fn from_parts(ty: IntType, negative: bool, magnitude: u128, lost: bool) -> Wrapped {
        let bits = if negative {
            magnitude.wrapping_neg()
        } else {
            magnitude
        };
        let value = IntValue::from_bits(ty, bits);
        let fits = !lost
            && value.magnitude() == magnitude
            && value.is_negative() == (negative && magnitude != 0);
        (value, !fits)
    }

    /// `-self`.
    pub fn neg(self) -> Wrapped {
        IntValue::from_parts(self.ty, !self.is_negative(), self.magnitude(), false)
    }

    /// `self + other`; both of one type.
    pub fn add(self, other: Self) -> Wrapped {
        debug_assert_eq!(self.ty, other.ty);
        self.plus(other.is_negative(), other.magnitude())
    }

    /// `self - other`; both of one type.
    pub fn sub(self, other: Self) -> Wrapped {
        debug_assert_eq!(self.ty, other.ty);
        self.plus(!other.is_negative(), other.magnitude())
    }

    /// The sum with a number given by its sign and its size; the larger size decides the sign.
    fn plus(self, negative: bool, other: u128) -> Wrapped {
        let (own, own_sign) = (self.magnitude(), self.is_negative());
        if own_sign == negative {
            let (sum, lost) = own.overflowing_add(other);
            return IntValue::from_parts(self.ty, negative, sum, lost);
        }
        let sign = if own < other { negative } else { own_sign };
        IntValue::from_parts(self.ty, sign, own.abs_diff(other), false)
    }

    /// `self * other`; both of one type.
    pub fn mul(self, other: Self) -> Wrapped {
        debug_assert_eq!(self.ty, other.ty);
        let negative = self.is_negative() != other.is_negative();
        let (product, lost) = self.magnitude().overflowing_mul(other.magnitude());
        IntValue::from_parts(self.ty, negative, product, lost)
    }

    /// `self / other`, towards zero; `None` if `other` is zero.
    pub fn div(self, other: Self) -> Option<Wrapped> {
        debug_assert_eq!(self.ty, other.ty);
        let quotient = self.magnitude().checked_div(other.magnitude())?;
        let negative = self.is_negative() != other.is_negative();
        Some(IntValue::from_parts(self.ty, negative, quotient, false))
    }

    /// `self % other`, with the sign of `self`; `None` if `other` is zero. Reported as not
    /// fitting where the quotient does not fit, as in C.
    pub fn rem(self, other: Self) -> Option<Wrapped> {
        let (_, overflow) = self.div(other)?;
        let remainder = self.magnitude() % other.magnitude();
        let (value, _) = IntValue::from_parts(self.ty, self.is_negative(), remainder, false);
        Some((value, overflow))
    }

    /// `self << amount`; `None` if the amount is negative or not below the width. Reported as not
    /// fitting, for a signed type, where `self * 2^amount` does not fit or `self` is negative.
    pub fn shl(self, amount: Self) -> Option<Wrapped> {
        let amount = self.shift_amount(amount)?;
        let value = IntValue::from_bits(self.ty, self.bits << amount);
        let back = value.extended() >> amount;
        Some((
            value,
            self.ty.signed && (self.is_negative() || back != self.extended()),
        ))
    }

    /// `self >> amount`, arithmetic for signed types; `None` as for [`shl`](Self::shl).
    pub fn shr(self, amount: Self) -> Option<Self> {
        let amount = self.shift_amount(amount)?;
        let bits = if self.is_negative() {
            (self.extended() >> amount) as u128
        } else {
            self.bits >> amount
        };
        Some(IntValue::from_bits(self.ty, bits))
    }

    fn shift_amount(self, amount: Self) -> Option<u32> {
        let amount = u32::try_from(amount.to_u64()?).ok()?;
        (amount < u32::from(self.ty.bits)).then_some(amount)
    }

    /// `self & other`.
    pub fn and(self, other: Self) -> Self {
        IntValue::from_bits(self.ty, self.bits & other.bits)
    }

    /// `self | other`.
    pub fn or(self, other: Self) -> Self {
        IntValue::from_bits(self.ty, self.bits | other.bits)
    }

    /// `self ^ other`.
    pub fn xor(self, other: Self) -> Self {
        IntValue::from_bits(self.ty, self.bits ^ other.bits)
    }

    /// `~self`.
    pub fn not(self) -> Self {
        IntValue::from_bits(self.ty, !self.bits)
    }

    /// Order by value; both of one type.
    pub fn compare(self, other: Self) -> Ordering {
        debug_assert_eq!(self.ty, other.ty);
        if self.ty.signed {
            self.extended().cmp(&other.extended())
        } else {
            self.bits.cmp(&other.bits)
        }
    }
}

impl fmt::Display for IntValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(!self.is_negative(), "", &self.magnitude().to_string())
    }
}

impl fmt::Debug for IntValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(ty: IntType) -> impl Iterator<Item = IntValue> {
        (0..=ty.mask()).map(move |bits| IntValue::from_bits(ty, bits))
    }

    /// Every pair of 4-bit values, against exact arithmetic on wide integers.
    #[test]
    fn agrees_with_exact_arithmetic() {
        for ty in [IntType::signed(4), IntType::unsigned(4), IntType::signed(1)] {
            let exact = |value: i128, got: Wrapped| {
                let fits = ty.min().to_i128() <= Some(value) && Some(value) <= ty.max().to_i128();
                assert_eq!(got, (IntValue::wrap(ty, value), !fits));
            };
            for a in all(ty) {
                let x = a.to_i128().unwrap();
                exact(-x, a.neg());
                for b in all(ty) {
                    let y = b.to_i128().unwrap();
                    exact(x + y, a.add(b));
                    exact(x - y, a.sub(b));
                    exact(x * y, a.mul(b));
                    assert_eq!(a.compare(b), x.cmp(&y));
                    match a.div(b) {
                        None => assert_eq!(y, 0),
                        Some(quotient) => {
                            exact(x / y, quotient);
                            let (remainder, overflow) = a.rem(b).unwrap();
                            assert_eq!(remainder.to_i128(), Some(x % y));
                            assert_eq!(overflow, quotient.1);
                        }
                    }
                    if (0..i128::from(ty.bits)).contains(&y) {
                        let (shifted, overflow) = a.shl(b).unwrap();
                        assert_eq!(shifted, IntValue::wrap(ty, x << y));
                        if ty.signed {
                            let fits = x >= 0 && x << y <= ty.max().to_i128().unwrap();
                            assert_eq!(overflow, !fits);
                        }
                        assert_eq!(a.shr(b).unwrap().to_i128(), Some(x >> y));
                    } else {
                        assert_eq!(a.shl(b), None);
                    }
                }
            }
        }
    }

    #[test]
    fn wide_values_print_and_convert() {
        let u128 = IntType::unsigned(128);
        assert_eq!(
            u128.max().to_string(),
            "340282366920938463463374607431768211455"
        );
        assert_eq!(u128.max().to_i128(), None);
        assert_eq!(
            IntType::signed(128).min().to_string(),
            "-170141183460469231731687303715884105728"
        );
        assert_eq!(u128.max().convert(IntType::signed(16)).to_i128(), Some(-1));
        assert_eq!(
            u128.max().add(u128.max()),
            (IntValue::from_bits(u128, u128::MAX - 1), true)
        );
        assert_eq!(u128.max().mul(u128.max()).0.to_u64(), Some(1));
    }
}
