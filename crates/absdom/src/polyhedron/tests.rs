//! Random polyhedra of few dimensions against the points of a grid.

use super::*;
use crate::Kind;
use crate::vector::unit;
use base::{Budget, Rng};
use logic::{Integer, Rational};

const ROUNDS: u64 = 200;

fn number(rng: &mut Rng, most: i64) -> Integer {
    Integer::from(rng.below(2 * most as usize + 1) as i64 - most)
}

fn random_row(rng: &mut Rng, dimension: usize) -> Row {
    let coefficients = (0..dimension).map(|_| number(rng, 3)).collect();
    let constant = number(rng, 6);
    match rng.one_in(6) {
        true => Row::equality(coefficients, constant),
        false => Row::at_least(coefficients, constant),
    }
}

fn random_polyhedron(rng: &mut Rng, dimension: usize) -> Polyhedron {
    let count = rng.below(dimension + 4);
    Polyhedron::of_rows(dimension, (0..count).map(|_| random_row(rng, dimension)))
}

/// All points with halves from -4 to 4.
fn grid(dimension: usize) -> Vec<Vec<Rational>> {
    let mut points: Vec<Vec<Rational>> = vec![Vec::new()];
    for _ in 0..dimension {
        let longer = |point: &Vec<Rational>| {
            let point = point.clone();
            (-8..=8).map(move |half: i64| {
                let mut point = point.clone();
                point.push(Rational::new(half, 2i64));
                point
            })
        };
        points = points.iter().flat_map(longer).collect();
    }
    points
}

/// Random polyhedra, and the grid of their dimension.
fn each(mut test: impl FnMut(&mut Rng, usize, &[Vec<Rational>])) {
    let grids = [grid(1), grid(2), grid(3)];
    for seed in 0..ROUNDS {
        let mut rng = Rng::new(seed);
        let dimension = 1 + rng.below(3);
        test(&mut rng, dimension, &grids[dimension - 1]);
    }
}

/// The same polyhedron, of which nothing is known but the rows.
fn fresh(polyhedron: &Polyhedron) -> Polyhedron {
    Polyhedron::of_rows(polyhedron.dimension, polyhedron.rows().to_vec())
}

fn contains(polyhedron: &Polyhedron, point: &[Rational]) -> bool {
    polyhedron.rows.iter().all(|row| {
        let products = row.coefficients.iter().zip(point);
        let value = products.fold(Rational::from(&row.constant), |sum, (factor, at)| {
            &sum + &(&Rational::from(factor) * at)
        });
        match row.kind {
            Kind::Equality => value.is_zero(),
            Kind::AtLeast => value.signum() >= 0,
        }
    })
}

/// Whether another polyhedron is within it.
pub(crate) fn includes(polyhedron: &Polyhedron, other: &Polyhedron) -> bool {
    let effort = Effort::default();
    other.is_empty(&effort)
        || polyhedron
            .rows
            .iter()
            .all(|row| other.entails(row, &effort))
}

/// The convex hull of points of integers.
pub(crate) fn hull_of_points(dimension: usize, points: &[Vec<Integer>]) -> Polyhedron {
    let effort = Effort::default();
    let at = |point: &Vec<Integer>| {
        let row = |(place, value): (usize, &Integer)| Row::equality(unit(dimension, place), -value);
        Polyhedron::of_rows(dimension, point.iter().enumerate().map(row))
    };
    let hull = Polyhedron::empty(dimension);
    points
        .iter()
        .fold(hull, |hull, point| hull.join(&at(point), &effort))
}

fn generators(polyhedron: &Polyhedron) -> usize {
    let pair = polyhedron.pair(&Effort::default()).expect("no limits");
    pair.generators.lines.len() + pair.generators.rays.len()
}

#[test]
fn a_minimised_one_has_the_same_points_and_no_redundant_row() {
    let effort = Effort::default();
    each(|rng, dimension, grid| {
        let given = random_polyhedron(rng, dimension);
        let least = given.clone().minimised(&effort);
        assert!(least.rows().len() <= given.rows().len().max(1));
        for point in grid {
            assert_eq!(
                contains(&given, point),
                contains(&least, point),
                "{given:?}"
            );
        }
        let is_empty = fresh(&given).is_empty(&effort);
        assert_eq!(is_empty, generators(&given) == 0, "{given:?}");
        for place in 0..least.rows().len() {
            let others = (least.rows().iter().enumerate()).filter(|(other, _)| *other != place);
            let others = Polyhedron::of_rows(dimension, others.map(|(_, row)| row.clone()));
            assert!(!others.entails(&least.rows()[place], &effort));
        }
    });
}

#[test]
fn entailment_by_the_simplex_and_by_generators_agree() {
    let effort = Effort::default();
    let mut entailed = 0;
    each(|rng, dimension, grid| {
        let given = random_polyhedron(rng, dimension);
        let paired = given.clone().minimised(&effort);
        for _ in 0..4 {
            let row = random_row(rng, dimension);
            let holds = paired.entails(&row, &effort);
            assert_eq!(given.entails(&row, &effort), holds, "{given:?}, {row}");
            let half = Polyhedron::of_rows(dimension, [row.clone()]);
            let apart = |point: &&Vec<Rational>| contains(&given, point) && !contains(&half, point);
            assert!(
                !holds || !grid.iter().any(|point| apart(&point)),
                "{given:?}, {row}"
            );
            entailed += usize::from(holds);
        }
    });
    assert!(entailed > 50, "{entailed}");
}

#[test]
fn a_join_is_the_least_that_contains_both() {
    let effort = Effort::default();
    each(|rng, dimension, grid| {
        let a = random_polyhedron(rng, dimension);
        let b = random_polyhedron(rng, dimension);
        let join = a.join(&b, &effort);
        let weak = fresh(&a).weak_join(&fresh(&b), &effort);
        for point in grid
            .iter()
            .filter(|point| contains(&a, point) || contains(&b, point))
        {
            assert!(
                contains(&join, point) && contains(&weak, point),
                "{a:?}, {b:?}"
            );
        }
        assert!(includes(&join, &a) && includes(&join, &b) && includes(&weak, &join));
        let other = b.join(&a, &effort);
        assert!(includes(&join, &other) && includes(&other, &join));
        for _ in 0..6 {
            let mut row = random_row(rng, dimension);
            row.constant = &row.constant + &Integer::from(6i64);
            let both = a.entails(&row, &effort) && b.entails(&row, &effort);
            assert_eq!(join.entails(&row, &effort), both, "{a:?}, {b:?}, {row}");
        }
        let little = Effort::new(&Budget::unlimited(), 1);
        let rough = fresh(&a).join(&fresh(&b), &little);
        assert!(includes(&rough, &join), "{a:?}, {b:?}: {rough:?}");
    });
}

#[test]
fn a_cube_has_corners_and_a_limit_ends_it() {
    let dimension = 8;
    let side = |place: usize, sign: i64| {
        let mut coefficients = vec![Integer::ZERO; dimension];
        coefficients[place] = Integer::from(sign);
        Row::at_least(coefficients, Integer::ONE)
    };
    let sides = (0..dimension).flat_map(|place| [side(place, 1), side(place, -1)]);
    let cube = Polyhedron::of_rows(dimension, sides);
    let little = Effort::new(&Budget::unlimited(), 100);
    assert!(cube.pair(&little).is_none());
    assert_eq!(generators(&cube), 256);
    assert_eq!(cube.minimised(&Effort::default()).rows().len(), 16);
}

#[test]
fn larger_ones_go_to_generators_and_back() {
    // The dual of a cube: one row for each choice of signs.
    let dimension = 5;
    let row = |code: i64| {
        let sign = |place: usize| Integer::from(1 - 2 * (code >> place & 1));
        Row::at_least((0..dimension).map(sign).collect(), Integer::from(3i64))
    };
    let cross = Polyhedron::of_rows(dimension, (0..32).map(row));
    assert_eq!(generators(&cross), 10);
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut point = || (0..4).map(|_| number(&mut rng, 9)).collect();
        let points: Vec<Vec<Integer>> = (0..12).map(|_| point()).collect();
        let hull = hull_of_points(4, &points);
        let back = fresh(&hull);
        let pair = back.pair(&Effort::default()).expect("no limits");
        let is_given = |ray: &Vec<Integer>| ray[0].is_one() && points.contains(&ray[1..].to_vec());
        assert!(pair.generators.rays.iter().all(is_given), "{seed}");
        let holds = |point: &Vec<Integer>| hull.rows().iter().all(|row| row.holds_at(point));
        assert!(points.iter().all(holds), "{seed}");
    }
}

#[test]
fn points_one_after_the_other_have_the_hull_of_all() {
    let budget = Budget::unlimited();
    each(|rng, dimension, _| {
        let points: Vec<Vec<Integer>> = (0..6)
            .map(|_| (0..dimension).map(|_| number(rng, 5)).collect())
            .collect();
        let mut hull = Polyhedron::empty(dimension);
        for point in &points {
            hull = hull.with_point(point, &budget, usize::MAX);
        }
        let all = hull_of_points(dimension, &points);
        assert!(includes(&hull, &all) && includes(&all, &hull), "{points:?}");
    });
}
