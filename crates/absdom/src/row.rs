//! Linear facts about a vector of numbers: `a·x + b = 0` or `a·x + b >= 0` with integers a and b.

use crate::vector::{Vector, common_divisor, divide, normalise};
use interpolate::project::row;
use interpolate::project::row::Relation;
use logic::sparse::Linear;
use logic::{Integer, TermId, TermStore};
use std::fmt;

/// What a row says about its sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// It is zero.
    Equality,
    /// It is at least zero.
    AtLeast,
}

/// That `coefficients·x + constant` is zero or at least zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row {
    /// One for each dimension.
    pub coefficients: Vec<Integer>,
    /// What is added.
    pub constant: Integer,
    /// What is said about the sum.
    pub kind: Kind,
}

impl Row {
    /// That `coefficients·x + constant` is zero.
    pub fn equality(coefficients: Vec<Integer>, constant: Integer) -> Row {
        Row {
            coefficients,
            constant,
            kind: Kind::Equality,
        }
    }

    /// That `coefficients·x + constant` is at least zero.
    pub fn at_least(coefficients: Vec<Integer>, constant: Integer) -> Row {
        Row {
            coefficients,
            constant,
            kind: Kind::AtLeast,
        }
    }

    /// An equality as two inequalities; an inequality is its own half.
    pub fn halves(&self) -> Vec<Row> {
        match self.kind {
            Kind::AtLeast => vec![self.clone()],
            Kind::Equality => {
                let negated = self.coefficients.iter().map(|factor| -factor).collect();
                let (a, b) = (self.coefficients.clone(), self.constant.clone());
                vec![Row::at_least(a, b), Row::at_least(negated, -&self.constant)]
            }
        }
    }

    /// What a comparison of sums over the numbers of dimensions says.
    pub(crate) fn of_sparse(dimension: usize, row: &row::Row<usize, Integer>) -> Row {
        let is_equality = row.relation == Relation::IsZero;
        let minus = |number: &Integer| if is_equality { number.clone() } else { -number };
        let mut coefficients = vec![Integer::ZERO; dimension];
        for (place, factor) in &row.sum.parts {
            coefficients[*place] = minus(factor);
        }
        let constant = minus(&row.sum.constant);
        match is_equality {
            true => Row::equality(coefficients, constant),
            false => Row::at_least(coefficients, constant),
        }
    }

    /// The same as a comparison of a sum with zero.
    pub(crate) fn to_sparse(&self) -> row::Row<usize, Integer> {
        let factors = self.coefficients.iter().cloned().enumerate();
        let sum = Linear {
            constant: self.constant.clone(),
            parts: factors.filter(|(_, factor)| !factor.is_zero()).collect(),
        };
        match self.kind {
            Kind::Equality => row::Row::is_zero(sum),
            Kind::AtLeast => row::Row {
                relation: Relation::AtMostZero,
                sum: sum.scaled(&Integer::from(-1i64)),
            },
        }
    }

    /// What never holds: `1 = 0`.
    pub fn contradiction(dimension: usize) -> Row {
        Row::equality(vec![Integer::ZERO; dimension], Integer::ONE)
    }

    /// How many dimensions there are.
    pub fn dimension(&self) -> usize {
        self.coefficients.len()
    }

    fn is_constant(&self) -> bool {
        self.coefficients.iter().all(Integer::is_zero)
    }

    /// Whether it always holds.
    pub fn is_trivial(&self) -> bool {
        self.is_constant() && self.allows(self.constant.signum())
    }

    /// Whether it never holds.
    pub fn is_contradiction(&self) -> bool {
        self.is_constant() && !self.allows(self.constant.signum())
    }

    fn allows(&self, sign: i32) -> bool {
        match self.kind {
            Kind::Equality => sign == 0,
            Kind::AtLeast => sign >= 0,
        }
    }

    /// The row without common divisor; an equality's first coefficient is positive.
    pub fn normal(&self) -> Row {
        let mut vector = self.to_vector();
        normalise(&mut vector);
        let first = vector[1..].iter().chain(&vector[..1]);
        let sign = first.map(Integer::signum).find(|&sign| sign != 0);
        if self.kind == Kind::Equality && sign == Some(-1) {
            vector = vector.iter().map(|entry| -entry).collect();
        }
        Row::of_vector(&vector, self.kind)
    }

    /// What the row says about integers: its coefficients have no common divisor.
    pub fn tightened(&self) -> Row {
        let gcd = common_divisor(&self.coefficients);
        if gcd.is_zero() || gcd.is_one() {
            return self.normal();
        }
        if self.kind == Kind::Equality && !self.constant.mod_floor(&gcd).is_zero() {
            return Row::contradiction(self.dimension());
        }
        let mut coefficients = self.coefficients.clone();
        divide(&mut coefficients, &gcd);
        let row = Row {
            coefficients,
            constant: self.constant.div_floor(&gcd),
            kind: self.kind,
        };
        row.normal()
    }

    /// The sum at a point of integers.
    pub fn integer_value(&self, point: &[Integer]) -> Integer {
        let products = self.coefficients.iter().zip(point);
        products.fold(self.constant.clone(), |sum, (factor, at)| {
            &sum + &(factor * at)
        })
    }

    /// Whether it holds at a point of integers.
    pub fn holds_at(&self, point: &[Integer]) -> bool {
        self.allows(self.integer_value(point).signum())
    }

    /// The sum of a row over terms.
    pub fn sum(&self, store: &mut TermStore, terms: &[TermId]) -> TermId {
        let parts = terms.iter().copied().zip(self.coefficients.iter().cloned());
        store.linear(&self.constant, &parts.collect::<Vec<_>>())
    }

    /// The row as a formula over terms.
    pub fn to_term(&self, store: &mut TermStore, terms: &[TermId]) -> TermId {
        let sum = self.sum(store, terms);
        let zero = store.int(0i64);
        match self.kind {
            Kind::Equality => store.eq(sum, zero),
            Kind::AtLeast => store.le(zero, sum),
        }
    }

    /// The constant, then the coefficients.
    pub(crate) fn to_vector(&self) -> Vector {
        let mut vector = Vec::with_capacity(self.dimension() + 1);
        vector.push(self.constant.clone());
        vector.extend_from_slice(&self.coefficients);
        vector
    }

    pub(crate) fn of_vector(vector: &[Integer], kind: Kind) -> Row {
        Row {
            coefficients: vector[1..].to_vec(),
            constant: vector[0].clone(),
            kind,
        }
    }
}

/// The conjunction of rows over terms, one term for each dimension.
pub fn to_formula(rows: &[Row], store: &mut TermStore, terms: &[TermId]) -> TermId {
    let parts: Vec<TermId> = rows.iter().map(|row| row.to_term(store, terms)).collect();
    store.and(&parts)
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for (place, factor) in self.coefficients.iter().enumerate() {
            match (factor.signum(), is_first) {
                (0, _) => continue,
                (1, true) => {}
                (_, true) => write!(f, "-")?,
                (1, false) => write!(f, " + ")?,
                (_, false) => write!(f, " - ")?,
            }
            is_first = false;
            if !factor.abs().is_one() {
                write!(f, "{}*", factor.abs())?;
            }
            write!(f, "x{place}")?;
        }
        if is_first {
            write!(f, "0")?;
        }
        let sign = match self.kind {
            Kind::Equality => "=",
            Kind::AtLeast => ">=",
        };
        write!(f, " {sign} {}", -&self.constant)
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: Kind, coefficients: &[i64], constant: i64) -> Row {
        Row {
            coefficients: coefficients.iter().map(|&c| Integer::from(c)).collect(),
            constant: Integer::from(constant),
            kind,
        }
    }

    #[test]
    fn is_divided_and_tightened() {
        let at_least = row(Kind::AtLeast, &[-2, 4], 3);
        assert_eq!(at_least.normal(), at_least);
        assert_eq!(at_least.tightened(), row(Kind::AtLeast, &[-1, 2], 1));
        let equality = row(Kind::Equality, &[-2, 4], 6);
        assert_eq!(equality.tightened(), row(Kind::Equality, &[1, -2], -3));
        let odd = row(Kind::Equality, &[2, 4], 3);
        assert!(odd.tightened().is_contradiction() && !odd.is_contradiction());
        assert!(row(Kind::AtLeast, &[0], 2).is_trivial());
        assert_eq!(at_least.to_string(), "-2*x0 + 4*x1 >= -3");
    }
}
