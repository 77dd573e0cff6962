//! Random polyhedra of few dimensions against the points of a grid.

use super::*;
use base::{Budget, Rng};

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

fn is_fresh(polyhedron: &Polyhedron) -> Polyhedron {
    Polyhedron::of_rows(polyhedron.dimension(), polyhedron.rows().to_vec())
}

#[test]
fn goes_to_generators_and_back() {
    let effort = Effort::default();
    each(|rng, dimension, grid| {
        let given = random_polyhedron(rng, dimension);
        let generators = given.generators(&effort).expect("no limits");
        let back = Polyhedron::of_generators(dimension, &generators, &effort);
        let least = given.clone().minimised(&effort);
        assert_eq!(back.rows(), least.rows(), "{given:?} by {generators:?}");
        assert!(least.rows().len() <= given.rows().len().max(1));
        for point in grid {
            assert_eq!(given.contains(point), back.contains(point), "{given:?}");
        }
        for generator in &generators {
            if let Generator::Point(point) = generator {
                assert!(given.contains(point));
            }
        }
        let fresh = is_fresh(&given);
        assert_eq!(fresh.is_empty(&effort), generators.is_empty(), "{given:?}");
        if let Some(point) = fresh.point(&effort) {
            assert!(given.contains(&point));
        }
        // No row is redundant.
        for place in 0..back.rows().len() {
            let others = (back.rows().iter().enumerate()).filter(|(other, _)| *other != place);
            let others = Polyhedron::of_rows(dimension, others.map(|(_, row)| row.clone()));
            assert!(!others.entails(&back.rows()[place], &effort));
        }
    });
}

#[test]
fn ranges_by_optimisation_and_by_generators_agree() {
    let effort = Effort::default();
    each(|rng, dimension, _| {
        let given = random_polyhedron(rng, dimension);
        let paired = given.clone();
        assert!(paired.generators(&effort).is_some());
        for _ in 0..4 {
            let row = random_row(rng, dimension);
            let (a, b) = (&row.coefficients, &effort);
            assert_eq!(
                is_fresh(&given).range(a, b),
                paired.range(a, b),
                "{given:?}, {row}"
            );
            assert_eq!(is_fresh(&given).entails(&row, b), paired.entails(&row, b));
        }
    });
}

#[test]
fn a_join_is_the_least_that_contains_both() {
    let effort = Effort::default();
    each(|rng, dimension, grid| {
        let a = random_polyhedron(rng, dimension);
        let b = random_polyhedron(rng, dimension);
        let join = a.join(&b, &effort);
        let weak = is_fresh(&a).weak_join(&is_fresh(&b), &effort);
        for point in grid
            .iter()
            .filter(|point| a.contains(point) || b.contains(point))
        {
            assert!(join.contains(point) && weak.contains(point), "{a:?}, {b:?}");
        }
        assert!(join.includes(&a, &effort) && join.includes(&b, &effort));
        assert!(weak.includes(&join, &effort));
        assert!(join.equals(&b.join(&a, &effort), &effort));
        for _ in 0..6 {
            let mut row = random_row(rng, dimension);
            row.constant = &row.constant + &Integer::from(6i64);
            let both = a.entails(&row, &effort) && b.entails(&row, &effort);
            assert_eq!(join.entails(&row, &effort), both, "{a:?}, {b:?}, {row}");
        }
        let little = Effort::new(&Budget::unlimited(), 1);
        let rough = is_fresh(&a).join(&is_fresh(&b), &little);
        assert!(rough.includes(&join, &effort), "{a:?}, {b:?}: {rough:?}");
        let wide = a.widen(&join, &effort);
        assert!(wide.includes(&join, &effort), "{a:?}, {b:?}: {wide:?}");
        for row in wide.rows() {
            assert!(join.entails(row, &effort));
        }
    });
}

#[test]
fn inclusion_agrees_with_the_points() {
    let effort = Effort::default();
    each(|rng, dimension, grid| {
        let a = random_polyhedron(rng, dimension);
        let b = a.with_row(&random_row(rng, dimension), &effort);
        let c = random_polyhedron(rng, dimension);
        assert!(a.includes(&b, &effort));
        assert!(a.includes(&a.intersect(&c, &effort), &effort));
        for (larger, smaller) in [(&a, &c), (&b, &a), (&c, &b)] {
            let included = larger.includes(smaller, &effort);
            let apart = grid
                .iter()
                .any(|point| smaller.contains(point) && !larger.contains(point));
            assert!(!(included && apart), "{larger:?} and {smaller:?}");
            let generators = smaller.generators(&effort).expect("no limits");
            let outside = generators.iter().any(|generator| match generator {
                Generator::Point(point) => !larger.contains(point),
                Generator::Ray(_) | Generator::Line(_) => false,
            });
            assert!(!(included && outside));
            assert_eq!(
                is_fresh(larger).includes(&is_fresh(smaller), &effort),
                included
            );
        }
        let common = a.intersect(&c, &effort);
        for point in grid {
            let both = a.contains(point) && c.contains(point);
            assert_eq!(common.contains(point), both);
        }
    });
}

#[test]
fn a_projection_has_the_points_with_something_above_them() {
    let effort = Effort::default();
    each(|rng, dimension, grid| {
        let given = random_polyhedron(rng, dimension);
        let keep: Vec<usize> = (0..dimension - 1).collect();
        let shadow = given.project(&keep, &effort);
        let rough = is_fresh(&given).project(&keep, &Effort::new(&Budget::unlimited(), 1));
        assert!(
            rough.includes(&shadow, &effort),
            "{given:?}: {rough:?} {shadow:?}"
        );
        for point in grid.iter().filter(|point| point[dimension - 1].is_zero()) {
            let low = &point[..dimension - 1];
            let at = |(place, value): (usize, &Rational)| {
                let mut coefficients = vec![Integer::ZERO; dimension];
                coefficients[place] = value.denominator().clone();
                Row::equality(coefficients, -value.numerator())
            };
            let fixed = low.iter().enumerate().map(at);
            let column = Polyhedron::of_rows(dimension, given.rows().iter().cloned().chain(fixed));
            assert_eq!(shadow.contains(low), !column.is_empty(&effort), "{given:?}");
        }
    });
}

#[test]
fn an_assignment_moves_the_points() {
    let effort = Effort::default();
    each(|rng, dimension, grid| {
        let given = random_polyhedron(rng, dimension);
        let sum = random_row(rng, dimension);
        let place = rng.below(dimension);
        let moved = given.assigned(place, &sum.coefficients, &sum.constant, &effort);
        for point in grid.iter().filter(|point| given.contains(point)) {
            let mut image = point.clone();
            image[place] = sum.value(point);
            assert!(moved.contains(&image), "{given:?}, {sum}");
        }
        if given.is_empty(&effort) {
            assert!(moved.is_empty(&effort));
        }
        assert!(moved.tightened().is_empty(&effort) || !moved.is_empty(&effort));
        for point in grid
            .iter()
            .filter(|point| point.iter().all(Rational::is_integer))
        {
            assert_eq!(given.contains(point), given.tightened().contains(point));
        }
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
    assert_eq!(
        cube.generators(&Effort::new(&Budget::unlimited(), 100)),
        None
    );
    let corners = cube.generators(&Effort::default()).expect("no limits");
    assert_eq!(corners.len(), 256);
    let hull = Polyhedron::of_generators(dimension, &corners, &Effort::default());
    assert_eq!(hull.rows().len(), 16);
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
    let corners = cross.generators(&Effort::default()).expect("no limits");
    assert_eq!(corners.len(), 10);
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut point = || Generator::Point((0..4).map(|_| number(&mut rng, 9).into()).collect());
        let points: Vec<Generator> = (0..12).map(|_| point()).collect();
        let hull = Polyhedron::of_generators(4, &points, &Effort::default());
        let back = is_fresh(&hull)
            .generators(&Effort::default())
            .expect("no limits");
        assert!(back.iter().all(|corner| points.contains(corner)), "{seed}");
        for point in &points {
            let Generator::Point(point) = point else {
                continue;
            };
            assert!(hull.contains(point), "{seed}");
        }
    }
}
