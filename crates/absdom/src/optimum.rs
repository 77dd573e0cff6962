//! Exact linear optimisation: the greatest value of a sum where rows hold.
//!
//! The rows become a dictionary: what is at least zero, as sums of columns that are zero at the
//! present vertex. A dictionary serves many questions, each from where the last one ended. Numbers
//! that may have any sign are free columns at first; once one is expressed by the others it is
//! never blocked again.
//!
//! # Invariants
//! - The constants of `slacks` are not negative: the present vertex satisfies all rows.

use crate::row::{Kind, Row};
use crate::vector::normalise;
use base::Budget;
use logic::{Integer, Rational};

/// Pivots until the smallest index decides, which always ends.
const GREEDY: usize = 50;

/// How far a sum goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Optimum {
    /// To this value.
    Value(Rational),
    /// Beyond every value.
    Unbounded,
    /// The time was up.
    Unknown,
}

/// Whether rows can hold.
pub enum Start {
    /// They can, and this is their dictionary.
    Consistent(Dictionary),
    /// They cannot.
    Inconsistent,
    /// The time was up.
    Unknown,
}

/// A column: a number that is zero at the present vertex.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    /// It may have any sign.
    Free,
    /// It is the slack of that number, at least zero.
    Slack(usize),
}

/// A constant and multiples of the columns.
#[derive(Clone)]
struct Sum {
    constant: Rational,
    factors: Vec<Rational>,
}

/// Rows, in a form in which sums can be optimised.
#[derive(Clone)]
pub struct Dictionary {
    columns: Vec<Column>,
    /// The slacks that are no columns, with their numbers.
    slacks: Vec<(usize, Sum)>,
    /// The dimensions.
    variables: Vec<Sum>,
    /// A direction without end, if the last question found one.
    ray: Option<Vec<Rational>>,
}

impl Dictionary {
    /// The dictionary of rows that hold at a point.
    pub fn at(rows: &[Row], point: &[Rational]) -> Dictionary {
        debug_assert!(
            rows.iter().all(|row| row.holds(point)),
            "a row should hold at the point"
        );
        Dictionary::start(rows, point).expect("rows that hold should not be inconsistent")
    }

    /// The dictionary of rows, if they are consistent.
    pub fn of(dimension: usize, rows: &[Row], budget: &Budget) -> Start {
        let origin = vec![Rational::ZERO; dimension];
        let Some(mut dictionary) = Dictionary::start(rows, &origin) else {
            return Start::Inconsistent;
        };
        match dictionary.make_feasible(budget) {
            Some(true) => Start::Consistent(dictionary),
            Some(false) => Start::Inconsistent,
            None => Start::Unknown,
        }
    }

    /// The greatest value of `coefficients·x`.
    pub fn greatest(&mut self, coefficients: &[Integer], budget: &Budget) -> Optimum {
        let mut objective = self.constant(Rational::ZERO);
        for (variable, factor) in self.variables.iter().zip(coefficients) {
            if !factor.is_zero() {
                objective.add(&Rational::from(factor), variable);
            }
        }
        self.optimise(&mut objective, budget)
    }

    /// The point of the present vertex.
    pub fn point(&self) -> Vec<Rational> {
        let variables = self.variables.iter();
        variables.map(|sum| sum.constant.clone()).collect()
    }

    /// After [`Optimum::Unbounded`]: a direction, without a fraction, in which the rows hold for ever
    /// and the sum grows.
    pub fn ray(&self) -> Option<Vec<Integer>> {
        let ray = self.ray.as_ref()?;
        let lcm = |at: Integer, entry: &Rational| at.lcm(entry.denominator());
        let scale = ray.iter().fold(Integer::ONE, lcm);
        let entry = |entry: &Rational| entry.numerator() * &scale.div_floor(entry.denominator());
        let mut ray: Vec<Integer> = ray.iter().map(entry).collect();
        normalise(&mut ray);
        Some(ray)
    }

    fn constant(&self, constant: Rational) -> Sum {
        Sum {
            constant,
            factors: vec![Rational::ZERO; self.columns.len()],
        }
    }

    /// With slacks that may still be negative; none if an equality is inconsistent.
    fn start(rows: &[Row], point: &[Rational]) -> Option<Dictionary> {
        let dimension = point.len();
        let mut dictionary = Dictionary {
            columns: vec![Column::Free; dimension],
            slacks: Vec::new(),
            variables: Vec::new(),
            ray: None,
        };
        for (place, at) in point.iter().enumerate() {
            let mut sum = dictionary.constant(at.clone());
            sum.factors[place] = Rational::ONE;
            dictionary.variables.push(sum);
        }
        for (number, row) in rows.iter().enumerate() {
            if row.kind == Kind::AtLeast {
                dictionary.slacks.push((number, shifted(row, point)));
            }
        }
        let mut open: Vec<Sum> = (rows.iter())
            .filter(|row| row.kind == Kind::Equality)
            .map(|row| shifted(row, point))
            .collect();
        while let Some(equality) = open.pop() {
            let pivot = equality.factors.iter().position(|factor| !factor.is_zero());
            let Some(pivot) = pivot else {
                if equality.constant.is_zero() {
                    continue;
                }
                return None;
            };
            let solved = equality.solved(pivot, &Rational::ZERO);
            let slacks = dictionary.slacks.iter_mut().map(|(_, sum)| sum);
            for sum in slacks.chain(&mut dictionary.variables).chain(&mut open) {
                sum.substitute(pivot, &solved);
                sum.factors.remove(pivot);
            }
            dictionary.columns.remove(pivot);
        }
        Some(dictionary)
    }

    /// Moves to a vertex that satisfies all rows; false if there is none.
    fn make_feasible(&mut self, budget: &Budget) -> Option<bool> {
        let worst = |(place, (_, sum)): (usize, &(usize, Sum))| {
            (sum.constant.signum() < 0).then(|| (sum.constant.clone(), place))
        };
        let Some((_, worst)) = self.slacks.iter().enumerate().filter_map(worst).min() else {
            return Some(true);
        };
        // One more slack, added to all that are negative: it is to become zero.
        let extra = usize::MAX;
        self.columns.push(Column::Slack(extra));
        for (_, sum) in &mut self.slacks {
            let is_negative = sum.constant.signum() < 0;
            let factor = Rational::from(i64::from(is_negative));
            sum.factors.push(factor);
        }
        for sum in &mut self.variables {
            sum.factors.push(Rational::ZERO);
        }
        let mut unused = self.constant(Rational::ZERO);
        self.pivot(worst, self.columns.len() - 1, &mut unused);
        let is_extra = |(number, _): &(usize, Sum)| *number == extra;
        let place = self.slacks.iter().position(is_extra)?;
        let mut objective = self.slacks[place].1.scaled(&Rational::from(-1i64));
        match self.optimise(&mut objective, budget) {
            Optimum::Unknown => return None,
            Optimum::Value(value) if value.is_zero() => {}
            Optimum::Value(_) | Optimum::Unbounded => return Some(false),
        }
        if let Some(place) = self.slacks.iter().position(is_extra) {
            let factors = &self.slacks[place].1.factors;
            match factors.iter().position(|factor| !factor.is_zero()) {
                Some(column) => self.pivot(place, column, &mut objective),
                None => {
                    self.slacks.remove(place);
                }
            }
        }
        if let Some(column) = (self.columns.iter()).position(|&it| it == Column::Slack(extra)) {
            self.columns.remove(column);
            let slacks = self.slacks.iter_mut().map(|(_, sum)| sum);
            for sum in slacks.chain(&mut self.variables) {
                sum.factors.remove(column);
            }
        }
        Some(true)
    }

    fn optimise(&mut self, objective: &mut Sum, budget: &Budget) -> Optimum {
        for pivots in 0.. {
            budget.spend(1);
            if budget.check().is_err() {
                return Optimum::Unknown;
            }
            let Some((column, upwards)) = self.entering(objective, pivots < GREEDY) else {
                return Optimum::Value(objective.constant.clone());
            };
            let Some(slack) = self.blocking(column, upwards) else {
                let sign = Rational::from(if upwards { 1i64 } else { -1 });
                let entries = self
                    .variables
                    .iter()
                    .map(|sum| &sign * &sum.factors[column]);
                self.ray = Some(entries.collect());
                return Optimum::Unbounded;
            };
            self.pivot(slack, column, objective);
        }
        Optimum::Unknown
    }

    /// A column that improves the objective, and whether it is to grow.
    fn entering(&self, objective: &Sum, greedy: bool) -> Option<(usize, bool)> {
        let mut best: Option<(usize, usize)> = None;
        for (place, factor) in objective.factors.iter().enumerate() {
            match self.columns[place] {
                Column::Free if !factor.is_zero() => return Some((place, factor.signum() > 0)),
                Column::Slack(number) if factor.signum() > 0 => {
                    let better = best.is_none_or(|(other, other_number)| match greedy {
                        true => *factor > objective.factors[other],
                        false => number < other_number,
                    });
                    if better {
                        best = Some((place, number));
                    }
                }
                Column::Free | Column::Slack(_) => {}
            }
        }
        best.map(|(place, _)| (place, true))
    }

    /// The slack that is zero first when a column moves.
    fn blocking(&self, column: usize, upwards: bool) -> Option<usize> {
        let mut best: Option<(Rational, usize, usize)> = None;
        for (place, (number, sum)) in self.slacks.iter().enumerate() {
            let factor = &sum.factors[column];
            if factor.is_zero() || (factor.signum() > 0) == upwards {
                continue;
            }
            let room = &sum.constant / &factor.abs();
            let better = best
                .as_ref()
                .is_none_or(|(other, other_number, _)| (&room, number) < (other, other_number));
            if better {
                best = Some((room, *number, place));
            }
        }
        best.map(|(_, _, place)| place)
    }

    /// Makes a column of a slack, and the other way round.
    fn pivot(&mut self, place: usize, column: usize, objective: &mut Sum) {
        let (number, sum) = self.slacks.remove(place);
        let solved = sum.solved(column, &Rational::ONE);
        let slacks = self.slacks.iter_mut().map(|(_, sum)| sum);
        for sum in slacks.chain(&mut self.variables) {
            sum.substitute(column, &solved);
        }
        objective.substitute(column, &solved);
        match self.columns[column] {
            Column::Free => {}
            Column::Slack(other) => self.slacks.push((other, solved)),
        }
        self.columns[column] = Column::Slack(number);
    }
}

impl Sum {
    fn add(&mut self, times: &Rational, other: &Sum) {
        self.constant = &self.constant + &(times * &other.constant);
        for (own, factor) in self.factors.iter_mut().zip(&other.factors) {
            if !factor.is_zero() {
                *own = &*own + &(times * factor);
            }
        }
    }

    fn scaled(&self, times: &Rational) -> Sum {
        Sum {
            constant: times * &self.constant,
            factors: self.factors.iter().map(|factor| times * factor).collect(),
        }
    }

    /// The column as a sum, where `value` times the new column is this sum.
    fn solved(&self, column: usize, value: &Rational) -> Sum {
        let inverse = self.factors[column].inverse();
        let mut solved = self.scaled(&-&inverse);
        solved.factors[column] = value * &inverse;
        solved
    }

    fn substitute(&mut self, column: usize, solved: &Sum) {
        let factor = std::mem::take(&mut self.factors[column]);
        if !factor.is_zero() {
            self.add(&factor, solved);
        }
    }
}

/// The row's sum, seen from a point.
fn shifted(row: &Row, point: &[Rational]) -> Sum {
    Sum {
        constant: row.value(point),
        factors: row.coefficients.iter().map(Rational::from).collect(),
    }
}
