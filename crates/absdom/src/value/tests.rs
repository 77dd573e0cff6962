//! Values against their elements.

use super::*;
use base::Rng;

/// A random small value and its elements between -40 and 40.
fn sample(rng: &mut Rng) -> (Value, Vec<i128>) {
    loop {
        let low = rng.below(50) as i128 - 25;
        let high = low + rng.below(20) as i128;
        let modulus = 1 + rng.below(6) as i128;
        if let Some(value) = Value::new(low, high, modulus, rng.below(6) as i128) {
            let elements = (low..=high).filter(|&at| value.contains(at)).collect();
            return (value, elements);
        }
    }
}

#[test]
fn operators_hold_every_result() {
    let mut rng = Rng::new(5);
    let ty = IntType::signed(16);
    for _ in 0..3000 {
        let ((a, left), (b, right)) = (sample(&mut rng), sample(&mut rng));
        let (join, meet) = (a.join(&b), a.meet(&b));
        let narrow = [IntType::unsigned(4), IntType::signed(4)];
        for &x in &left {
            assert!(join.contains(x));
            assert!(!a.is_subset(&b) || b.contains(x));
            for ty in narrow {
                let wrapped = logic::IntValue::wrap(ty, x).to_i128().unwrap_or(0);
                assert!(a.wrap(ty).contains(wrapped), "{a:?} {x} {ty}");
            }
            for &y in &right {
                if x == y {
                    assert!(meet.is_some_and(|meet| meet.contains(x)), "{a:?} {b:?} {x}");
                }
                assert!(a.add(&b).contains(x + y));
                assert!(a.sub(&b).contains(x - y));
                assert!(a.mul(&b).contains(x * y), "{a:?} * {b:?}");
                assert!(a.and(&b, ty).contains(x & y), "{a:?} & {b:?} {x} {y}");
                assert!(a.or_xor(&b, ty, true).contains(x | y), "{a:?} | {b:?}");
                assert!(a.or_xor(&b, ty, false).contains(x ^ y), "{a:?} ^ {b:?}");
                if y != 0 {
                    let (quotient, rest) = (a.div(&b), a.rem(&b));
                    assert!(
                        quotient.is_some_and(|value| value.contains(x / y)),
                        "{a:?} / {b:?}"
                    );
                    assert!(
                        rest.is_some_and(|value| value.contains(x % y)),
                        "{a:?} % {b:?} {x} {y}"
                    );
                }
                if (0..16).contains(&y) {
                    assert!(a.shr(&b, ty).contains(x >> y) || b.as_point().is_none());
                }
            }
        }
    }
}

#[test]
fn parity_survives_wrapping() {
    let even = Value::new(-INFINITE, INFINITE, 6, 2).map(|value| value.wrap(IntType::U8));
    assert_eq!(even, Value::new(0, 254, 2, 0));
}

#[test]
fn congruences_meet() {
    let a = Value::new(0, 100, 4, 1);
    let b = Value::new(0, 100, 6, 3);
    assert_eq!(a.and_then(|a| a.meet(&b?)), Value::new(9, 93, 12, 9));
}
