//! Affine sets against points that must be in them.

use super::*;
use base::{Id, Rng};

const COLUMNS: usize = 4;

fn vars() -> Vec<VarId> {
    (0..COLUMNS).map(VarId::from_index).collect()
}

fn at(point: &[u64]) -> Modular {
    Modular {
        vars: vars(),
        point: point.to_vec(),
        span: Span::zero(COLUMNS),
    }
}

fn random_point(rng: &mut Rng) -> Vector {
    (0..COLUMNS)
        .map(|_| (rng.below(40) as u64).wrapping_sub(20))
        .collect()
}

fn random_residue(rng: &mut Rng) -> Residue {
    let mut residue = Residue::class(64, rng.below(9) as i128 - 4);
    for _ in 0..1 + rng.below(3) {
        let var = Residue::var(VarId::from_index(rng.below(COLUMNS)));
        residue = residue.plus(&var, rng.below(9) as i128 - 4);
    }
    residue.within(if rng.one_in(3) { 3 } else { 64 })
}

fn value(residue: &Residue, point: &[u64]) -> u64 {
    let parts = residue
        .terms
        .iter()
        .map(|(var, factor)| point[var.index()].wrapping_mul(*factor));
    parts.fold(residue.constant, u64::wrapping_add)
}

fn is_zero(value: u64, bits: u32) -> bool {
    value.wrapping_mul(power(64 - bits)) == 0
}

#[test]
fn operations_keep_their_points() {
    let mut rng = Rng::new(21);
    for _ in 0..2000 {
        let points: Vec<Vector> = (0..1 + rng.below(4))
            .map(|_| random_point(&mut rng))
            .collect();
        let mut set = at(&points[0]);
        for point in &points {
            let joined = set.join(&at(point));
            assert!(set.is_subset(&joined) && at(point).is_subset(&joined));
            set = joined;
        }
        let mut described = Modular::top(vars());
        for equality in set.equalities() {
            let terms = equality.terms.iter();
            let zero = Residue {
                terms: terms.map(|(var, factor)| (*var, *factor as u64)).collect(),
                constant: equality.constant as u64,
                bits: equality.bits,
            };
            described.meet(&zero).expect("the set has points");
            for point in &points {
                let parts = equality
                    .terms
                    .iter()
                    .map(|(var, factor)| point[var.index()].wrapping_mul(*factor as u64));
                let sum = parts.fold(equality.constant as u64, u64::wrapping_add);
                assert!(is_zero(sum, equality.bits), "{equality:?} {point:?}");
            }
        }
        assert!(described.is_subset(&set), "all is said of {points:?}");
        let residue = random_residue(&mut rng);
        let (bits, rest) = set.class(&residue).expect("all variables are there");
        for point in &points {
            assert!(is_zero(value(&residue, point).wrapping_sub(rest), bits));
        }
        let mut met = set.clone();
        let is_left = met.meet(&residue).is_some();
        for point in points
            .iter()
            .filter(|point| is_zero(value(&residue, point), residue.bits))
        {
            assert!(
                is_left && at(point).is_subset(&met),
                "{residue:?} {point:?}"
            );
        }
        if is_left {
            assert!(met.is_subset(&set));
            let (bits, rest) = met.class(&residue).expect("all variables are there");
            assert!(bits == residue.bits && is_zero(rest, bits));
        }
        let target = rng.below(COLUMNS);
        let mut after = set.clone();
        after.assign(VarId::from_index(target), &residue);
        for point in &points {
            let mut point = point.clone();
            point[target] = value(&residue, &point);
            if residue.bits < 64 {
                point[target] = point[target].wrapping_add(power(residue.bits) * 5);
            }
            assert!(at(&point).is_subset(&after));
        }
        let some = [VarId::from_index(0), VarId::from_index(2)];
        let back = set.over(&some).over(&vars());
        assert!(set.is_subset(&back));
    }
}

#[test]
fn finds_sums_and_parities() {
    let mut set = at(&[0, 0, 7, 0]);
    for step in 1..5u64 {
        set = set.join(&at(&[step, 3 * step, 7, 2 * step * step]));
    }
    let shown: Vec<String> = set
        .equalities()
        .iter()
        .map(|row| format!("{:?} {} {}", row.terms, row.constant, row.bits))
        .collect();
    let expected = [
        "[(v2, 1)] -7 64",
        "[(v0, 3), (v1, -1)] 0 64",
        "[(v1, -2), (v3, 1)] 0 2",
        "[(v3, -1)] 0 1",
    ];
    assert_eq!(shown, expected);
}
