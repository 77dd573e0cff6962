//! Octagons against the points of a box.

use super::*;
use base::{Id, Rng};

fn vars(count: usize) -> Vec<VarId> {
    (0..count).map(VarId::from_index).collect()
}

fn form(rng: &mut Rng, var: usize) -> Form {
    Form {
        var: VarId::from_index(var),
        negative: rng.one_in(2),
    }
}

fn value(form: Form, point: &[i128]) -> i128 {
    let value = point[form.var.index()];
    if form.negative { -value } else { value }
}

/// Random constraints on three variables, with the points of a box that meet them.
fn sample(rng: &mut Rng) -> (Option<Octagon>, Vec<[i128; 3]>) {
    let mut octagon = Some(Octagon::top(vars(3)));
    let range = -6..=6i128;
    let mut points = Vec::new();
    for x in range.clone() {
        for y in range.clone() {
            points.extend(range.clone().map(|z| [x, y, z]));
        }
    }
    for var in 0..3 {
        for negative in [false, true] {
            let form = Form {
                var: VarId::from_index(var),
                negative,
            };
            if let Some(octagon) = &mut octagon {
                octagon
                    .bound_form(form, 6)
                    .expect("a box should not be empty");
            }
        }
    }
    for _ in 0..rng.below(6) {
        let (a, b) = (rng.below(3), rng.below(3));
        let (a, b) = (form(rng, a), form(rng, b));
        let bound = rng.below(12) as i128 - 5;
        octagon = octagon.and_then(|mut octagon| {
            if a.var == b.var {
                octagon.bound_form(a, bound)?;
            } else {
                octagon.bound_sum(a, b, bound)?;
            }
            Some(octagon)
        });
        points.retain(|point| {
            let sum = if a.var == b.var {
                value(a, point)
            } else {
                value(a, point) + value(b, point)
            };
            sum <= bound
        });
    }
    (octagon, points)
}

#[test]
fn closure_gives_the_tightest_bounds() {
    let mut rng = Rng::new(11);
    for _ in 0..400 {
        let (octagon, points) = sample(&mut rng);
        let Some(octagon) = octagon else {
            assert!(points.is_empty());
            continue;
        };
        assert!(!points.is_empty());
        for a in 0..3 {
            let (low, high) = octagon.interval(a);
            assert_eq!(low, points.iter().map(|point| point[a]).min());
            assert_eq!(high, points.iter().map(|point| point[a]).max());
            for b in (0..3).filter(|&b| b != a) {
                let (a, b) = (form(&mut rng, a), form(&mut rng, b));
                let most = points
                    .iter()
                    .map(|point| value(a, point) + value(b, point))
                    .max();
                assert_eq!(octagon.bound(a, b), most);
            }
        }
        let mut closed = octagon.clone();
        assert_eq!(closed.close(), Some(()));
        assert_eq!(closed, octagon);
    }
}

#[test]
fn facts_and_bounds_say_all() {
    let mut rng = Rng::new(12);
    for _ in 0..400 {
        let Some(octagon) = sample(&mut rng).0 else {
            continue;
        };
        let mut again = Octagon::top(vars(3));
        let mut add = |a: Form, b: Form, bound| again.bound_sum(a, b, bound).expect("not empty");
        let turned = |form: Form| Form {
            negative: !form.negative,
            ..form
        };
        for (a, b, bound, is_equality) in octagon.facts() {
            add(a, b, bound);
            if is_equality {
                add(turned(a), turned(b), -bound);
            }
        }
        for position in 0..3 {
            let var = VarId::from_index(position);
            let (low, high) = octagon.interval(position);
            let (low, high) = (low.expect("a box"), high.expect("a box"));
            again
                .bound_form(
                    Form {
                        var,
                        negative: false,
                    },
                    high,
                )
                .expect("not empty");
            again
                .bound_form(
                    Form {
                        var,
                        negative: true,
                    },
                    -low,
                )
                .expect("not empty");
        }
        assert_eq!(again, octagon);
    }
}

#[test]
fn joins_hold_both() {
    let mut rng = Rng::new(13);
    for _ in 0..300 {
        let (a, b) = (sample(&mut rng), sample(&mut rng));
        let (Some(left), Some(right)) = (a.0, b.0) else {
            continue;
        };
        let join = left.join(&right);
        assert!(left.implies(&join) && right.implies(&join));
        let mut closed = join.clone();
        assert_eq!(closed.close(), Some(()));
        assert_eq!(closed, join);
        let mut wide = left.widen(&join, &[-4, 0, 4]);
        assert_eq!(wide.close(), Some(()));
        assert!(join.implies(&wide));
        let some = join.over(&vars(2));
        assert_eq!(some.bound(form(&mut rng, 0), form(&mut rng, 2)), None);
    }
}
