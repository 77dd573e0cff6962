//! Random bounds of few variables against all their corners.

use super::*;
use base::{Id, Rng};
use logic::Integer;

/// A form over the first variables.
fn form(factors: &[i64]) -> Linear {
    let vars = (0..factors.len()).map(VarId::from_index);
    let parts = vars.zip(factors.iter().map(|&factor| Rational::from(factor)));
    Linear {
        constant: Rational::ZERO,
        parts: parts.filter(|(_, factor)| !factor.is_zero()).collect(),
    }
}

fn random_factors(rng: &mut Rng, count: usize) -> Vec<i64> {
    (0..count).map(|_| rng.below(5) as i64 - 2).collect()
}

/// A system of `factors·x <= bound`.
struct System {
    count: usize,
    rows: Vec<(Vec<i64>, i64)>,
}

impl System {
    fn random(rng: &mut Rng) -> System {
        let count = 1 + rng.below(3);
        let row = |rng: &mut Rng| (random_factors(rng, count), rng.below(9) as i64 - 2);
        let rows = (0..rng.below(7)).map(|_| row(rng)).collect();
        System { count, rows }
    }

    fn simplex(&self) -> Result<Simplex<usize>, Farkas<usize>> {
        let mut simplex = Simplex::default();
        for _ in 0..self.count {
            simplex.new_var(Rational::ZERO);
        }
        for (number, (factors, bound)) in self.rows.iter().enumerate() {
            let var = simplex.define(&form(factors));
            let limit = Limit::Upper(var, Rational::from(*bound), false);
            simplex.assert(&limit, number)?;
        }
        simplex.check(|_| true)?;
        Ok(simplex)
    }

    /// That multiples of the rows, none negative, add up to a sum, and what to its bound.
    fn total(&self, multiples: &Farkas<usize>, sum: &Linear) -> Rational {
        let (mut total, mut bound) = (form(&vec![0; self.count]), Rational::ZERO);
        for (row, multiple) in multiples {
            assert!(multiple.signum() >= 0, "{multiples:?}");
            let (factors, limit) = &self.rows[*row];
            total.add_multiple(multiple, &form(factors));
            bound = &bound + &(multiple * &Rational::from(*limit));
        }
        assert_eq!(total.parts, sum.parts, "{multiples:?}");
        bound
    }
}

#[test]
fn conflicts_are_proofs_and_an_optimum_is_tight() {
    let (mut bounded, mut unbounded, mut empty) = (0, 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let system = System::random(&mut rng);
        let mut simplex = match system.simplex() {
            Ok(simplex) => simplex,
            Err(farkas) => {
                let zero = form(&vec![0; system.count]);
                assert!(system.total(&farkas, &zero).signum() < 0, "{seed}");
                empty += 1;
                continue;
            }
        };
        for _ in 0..3 {
            let goal = form(&random_factors(&mut rng, system.count));
            match simplex.greatest(&goal, || true) {
                Optimum::Value(value) => {
                    // Beyond it there is a proof that there is nothing.
                    let mut beyond = system.simplex().expect("it should have a solution");
                    let var = beyond.define(&goal);
                    let more = &value + &Rational::new(1i64, 1000i64);
                    let limit = Limit::Lower(var, more, false);
                    let conflict = beyond.assert(&limit, usize::MAX);
                    assert!(
                        conflict.and_then(|()| beyond.check(|_| true)).is_err(),
                        "{seed}"
                    );
                    bounded += 1;
                }
                Optimum::Unbounded(direction) => {
                    let by = |var: VarId| direction.iter().find(|it| it.0 == var).map(|it| &it.1);
                    let grows = |form: &Linear| {
                        let value = form.value(|var| Some(by(var).cloned().unwrap_or_default()));
                        value.expect("every variable should have a value").signum()
                    };
                    assert!(grows(&goal) > 0, "{seed}");
                    assert!(
                        system.rows.iter().all(|row| grows(&form(&row.0)) <= 0),
                        "{seed}"
                    );
                    unbounded += 1;
                }
                Optimum::Unknown => panic!("nothing should stop it"),
            }
            for (factors, bound) in &system.rows {
                let value = form(factors).value(|var| Some(simplex.value(var).main.clone()));
                assert!(
                    value.is_some_and(|it| it <= Rational::from(*bound)),
                    "{seed}"
                );
            }
        }
    }
    assert!(
        bounded > 200 && unbounded > 200 && empty > 50,
        "{bounded} {unbounded} {empty}"
    );
}

#[test]
fn a_variable_stops_at_its_own_bound_and_a_question_can_be_stopped() {
    let mut simplex: Simplex<()> = Simplex::default();
    let x = simplex.new_var(Rational::from(2i64));
    let limits = [
        Limit::Lower(x, Rational::ZERO, false),
        Limit::Upper(x, Rational::from(7i64), false),
    ];
    for limit in limits {
        assert!(simplex.assert(&limit, ()).is_ok());
    }
    assert_eq!(simplex.greatest(&form(&[1]), || false), Optimum::Unknown);
    let greatest = simplex.greatest(&form(&[2]), || true);
    assert_eq!(greatest, Optimum::Value(Rational::from(14i64)));
    assert_eq!(
        simplex.value(x).main.to_integer(),
        Some(&Integer::from(7i64))
    );
}
