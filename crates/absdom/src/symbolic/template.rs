//! Bounds of given sums: boxes and octagons.
//!
//! The greatest values over the cubes found so far are computed exactly; the solver is asked for a
//! model in which some sum is greater, and its cube is added. A sum that is unbounded in a cube is
//! unbounded: from an integer point there is an integer direction. What the relaxation of a cube
//! allows but integers do not is found by bisection.
//!
//! # Paper
//! The interplay of models and exact optimisation is that of [li2014symbolic].

use super::{Abstraction, ModelAnswer};
use crate::Row;
use crate::vector::{negated, unit};
use logic::{Integer, TermId};

/// How many cubes may be made for one question.
const CUBES: usize = 60;
/// How many queries rounding may take for one sum.
const HALVINGS: usize = 8;

/// The least and the greatest value of a term, where they are known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The least.
    pub low: Option<Integer>,
    /// The greatest.
    pub high: Option<Integer>,
}

/// Bounds of all dimensions as rows.
pub fn bounds_to_rows(bounds: &[Bounds]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (place, Bounds { low, high }) in bounds.iter().enumerate() {
        let size = bounds.len();
        let up = unit(size, place);
        let high = (high.as_ref()).map(|high| Row::at_least(negated(&up), high.clone()));
        rows.extend(low.as_ref().map(|low| Row::at_least(up, -low)));
        rows.extend(high);
    }
    rows
}

/// How far a sum goes, as far as is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// There is no model yet.
    Nowhere,
    /// To this value in the cubes; whether it is reached.
    To(Integer, bool),
    /// No bound is known.
    Anywhere,
}

impl Abstraction<'_> {
    /// The least and the greatest value of each term, as far as they exist and are found; none if
    /// the formula has no model.
    pub fn bounds(&mut self, terms: &[TermId]) -> Option<Vec<Bounds>> {
        let terms = self.prepared(terms);
        let directions: Vec<Vec<Integer>> = (0..terms.len())
            .flat_map(|place| [unit(terms.len(), place), negated(&unit(terms.len(), place))])
            .collect();
        let reaches = self.reaches(&terms, &directions, true)?;
        let known = |reach: &Reach| match reach {
            Reach::To(value, _) => Some(value.clone()),
            Reach::Nowhere | Reach::Anywhere => None,
        };
        let both = reaches.chunks(2).map(|both| Bounds {
            high: known(&both[0]),
            low: known(&both[1]).map(|value| -&value),
        });
        Some(both.collect())
    }

    /// Bounds of each term and of the difference and the sum of any two; a contradiction if the
    /// formula has no model.
    pub fn octagon_bounds(&mut self, terms: &[TermId]) -> Vec<Row> {
        let directions = octagon(terms.len());
        let terms = self.prepared(terms);
        match self.reaches(&terms, &directions, true) {
            Some(reaches) => rows(reaches, &directions),
            None => vec![Row::contradiction(terms.len())],
        }
    }

    /// How far sums go; none if there is no model. All bounds given are entailed.
    pub(super) fn reaches(
        &mut self,
        terms: &[TermId],
        directions: &[Vec<Integer>],
        round: bool,
    ) -> Option<Vec<Reach>> {
        let sums: Vec<TermId> = directions.iter().map(|it| self.sum(terms, it)).collect();
        let mut reaches = vec![Reach::Nowhere; sums.len()];
        self.fill_cubes();
        for cube in 0..self.cubes.len() {
            self.widen_by(cube, &sums, &mut reaches);
        }
        let most = self.cubes.len() + CUBES;
        loop {
            let beyond: Vec<TermId> = (sums.iter().zip(&reaches))
                .filter_map(|(&sum, reach)| self.beyond(sum, reach))
                .collect();
            let condition = self.store.or(&beyond);
            if self.store.as_bool(condition) == Some(false) {
                break;
            }
            let found = match self.cubes.len() < most {
                true => self.model_where(condition),
                false => ModelAnswer::Unknown,
            };
            match found {
                ModelAnswer::Model(model) => {
                    let cube = self.cube(model);
                    self.widen_by(cube, &sums, &mut reaches);
                }
                ModelAnswer::Nothing if self.cubes.is_empty() => return None,
                ModelAnswer::Nothing => break,
                ModelAnswer::Unknown => {
                    self.keep_entailed(&sums, &mut reaches);
                    break;
                }
            }
        }
        if round {
            let points = self.points(&sums);
            for (place, reach) in reaches.iter_mut().enumerate() {
                let best = points.iter().map(|point| &point[place]).max().cloned();
                self.round(sums[place], reach, best);
            }
        }
        Some(reaches)
    }

    fn sum(&mut self, terms: &[TermId], direction: &[Integer]) -> TermId {
        let parts = terms.iter().copied().zip(direction.iter().cloned());
        self.store
            .linear(&Integer::ZERO, &parts.collect::<Vec<_>>())
    }

    /// Takes a cube into account.
    fn widen_by(&mut self, cube: usize, sums: &[TermId], reaches: &mut [Reach]) {
        for (&sum, reach) in sums.iter().zip(reaches) {
            if *reach == Reach::Anywhere {
                continue;
            }
            let greatest = self.cubes[cube].greatest(self.store, sum, &self.budget);
            match (greatest, &*reach) {
                (None, _) => *reach = Reach::Anywhere,
                (Some((value, reached)), Reach::To(old, was)) if value == *old => {
                    *reach = Reach::To(value, reached || *was);
                }
                (Some((value, _)), Reach::To(old, _)) if value < *old => {}
                (Some((value, reached)), _) => *reach = Reach::To(value, reached),
            }
        }
    }

    /// That a sum goes beyond what is known.
    fn beyond(&mut self, sum: TermId, reach: &Reach) -> Option<TermId> {
        match reach {
            Reach::Nowhere => Some(self.store.bool(true)),
            Reach::Anywhere => None,
            Reach::To(value, _) => {
                let value = self.store.int(value.clone());
                Some(self.store.lt(value, sum))
            }
        }
    }

    /// Drops the bounds of which it is not known that they are entailed.
    fn keep_entailed(&mut self, sums: &[TermId], reaches: &mut [Reach]) {
        for (&sum, reach) in sums.iter().zip(reaches) {
            if let Some(beyond) = self.beyond(sum, reach) {
                match self.model_where(beyond) {
                    ModelAnswer::Nothing => {}
                    ModelAnswer::Model(_) | ModelAnswer::Unknown => *reach = Reach::Anywhere,
                }
            }
        }
    }

    /// Moves an entailed bound that no known point reaches towards the best known one.
    fn round(&mut self, sum: TermId, reach: &mut Reach, best: Option<Integer>) {
        let (Reach::To(high, false), Some(mut low)) = (&*reach, best) else {
            return;
        };
        let mut high = high.clone();
        for iteration in 0..HALVINGS {
            if low >= high {
                break;
            }
            // Mostly one of the two ends is the right one.
            let target = match iteration {
                0 => high.clone(),
                1 => &low + &Integer::ONE,
                _ => (&(&low + &high) + &Integer::ONE).div_floor(&Integer::from(2i64)),
            };
            let condition = self.store.at_least(sum, target.clone());
            match self.model_where(condition) {
                ModelAnswer::Model(model) => low = self.point(&[sum], model).remove(0),
                ModelAnswer::Nothing => high = &target - &Integer::ONE,
                ModelAnswer::Unknown => break,
            }
        }
        *reach = Reach::To(high, true);
    }
}

/// That sums `direction·x` go no further than is known.
pub(super) fn rows(reaches: Vec<Reach>, directions: &[Vec<Integer>]) -> Vec<Row> {
    let row = |(reach, direction): (Reach, &Vec<Integer>)| match reach {
        Reach::To(value, _) => Some(Row::at_least(negated(direction), value)),
        Reach::Nowhere | Reach::Anywhere => None,
    };
    let all = reaches.into_iter().zip(directions);
    all.filter_map(row).collect()
}

/// The directions of an octagon.
fn octagon(size: usize) -> Vec<Vec<Integer>> {
    let mut all = Vec::new();
    for place in 0..size {
        all.extend([unit(size, place), negated(&unit(size, place))]);
        for other in 0..place {
            for (a, b) in [(1i64, -1i64), (-1, 1), (1, 1), (-1, -1)] {
                let mut direction = vec![Integer::ZERO; size];
                direction[place] = Integer::from(a);
                direction[other] = Integer::from(b);
                all.push(direction);
            }
        }
    }
    all
}
