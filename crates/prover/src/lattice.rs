//! Integer equations without a solution.
//!
//! Solves the equations one after the other, keeping track of the linear combination that each row
//! is. A row whose constant is not a multiple of the greatest common divisor of its coefficients
//! has no solution, and its combination is a proof of that.
//!
//! # Paper
//! [jain2008efficient]: such combinations exist whenever there is no solution, and their partial
//! sums are interpolants.

use crate::linear::{Linear, VarId};
use base::Id;
use logic::sparse::add_multiple;
use logic::{Integer, Rational};
use rustc_hash::FxHashMap;

/// An equation, or a multiple of several: the expression is zero.
#[derive(Clone, Debug)]
struct Row {
    linear: Linear,
    /// How much of each equation is in it.
    multiples: Multiples,
}

impl Row {
    fn add(&mut self, factor: &Rational, other: &Row) {
        self.linear.add_multiple(factor, &other.linear);
        add_multiple(&mut self.multiples, factor, &other.multiples);
    }

    fn scale(&mut self, factor: &Rational) {
        self.linear.scale(factor);
        for (_, multiple) in &mut self.multiples {
            *multiple = factor * multiple;
        }
    }
}

/// How much of each equation: sorted by their numbers, none of them zero.
pub type Multiples = Vec<(usize, Rational)>;

/// Equations that have a solution in integers, solved.
pub struct Lattice {
    /// A row has no variable of a row before it.
    solved: Vec<(VarId, Row)>,
    places: FxHashMap<VarId, usize>,
}

/// What equations leave open of an integer: it is `rest` plus a multiple of `modulus`.
pub struct Residue {
    /// The distance between its values.
    pub modulus: Integer,
    /// One of them.
    pub rest: Integer,
    /// Multiples of the equations that, added to the distance of the integer from `rest` in units
    /// of `modulus`, have whole coefficients and no constant.
    pub multiples: Multiples,
}

impl Lattice {
    /// Solves equations, each an expression with whole coefficients that is zero. If they have no
    /// solution: multiples of them that add up to whole coefficients and a constant that is not
    /// whole. `fresh` is above all variables. Multiples are only kept, here and in residues, if
    /// they are `wanted`: that takes most of the time.
    pub fn solve(equations: &[Linear], fresh: VarId, wanted: bool) -> Result<Lattice, Multiples> {
        let mut lattice = Lattice {
            solved: Vec::new(),
            places: FxHashMap::default(),
        };
        let mut fresh = fresh.index();
        for (number, equation) in equations.iter().enumerate() {
            let multiples = wanted.then_some((number, Rational::ONE));
            let mut row = lattice.reduced(equation, multiples.into_iter().collect());
            while let Some((var, smallest)) = smallest(&row.linear) {
                let gcd = common_divisor(&row.linear);
                row.scale(&Rational::new(1i64, gcd.clone()));
                if !row.linear.constant.is_integer() {
                    return Err(row.multiples);
                }
                if smallest == gcd {
                    lattice.push(var, row);
                    break;
                }
                // All other coefficients are brought below the smallest, by a new unknown.
                let definition = change(&row.linear, var, VarId::from_index(fresh));
                fresh += 1;
                eliminate(&mut row, var, &definition);
                lattice.push(var, definition);
            }
        }
        Ok(lattice)
    }

    /// What the equations leave open of an expression with whole coefficients; nothing to speak of
    /// if that is everything, or if it is fixed.
    pub fn residue(&self, linear: &Linear) -> Option<Residue> {
        let mut row = self.reduced(linear, Vec::new());
        let modulus = common_divisor(&row.linear);
        if modulus <= Integer::ONE {
            return None;
        }
        let rest = row.linear.constant.to_integer()?.clone();
        row.scale(&Rational::new(1i64, modulus.clone()));
        Some(Residue {
            modulus,
            rest,
            multiples: row.multiples,
        })
    }

    fn reduced(&self, linear: &Linear, multiples: Multiples) -> Row {
        let mut row = Row {
            linear: linear.clone(),
            multiples,
        };
        // Eliminating a variable only brings in those of later rows.
        let place = |(var, _): &(VarId, Rational)| self.places.get(var).copied();
        while let Some(next) = row.linear.parts.iter().filter_map(place).min() {
            let (var, definition) = &self.solved[next];
            eliminate(&mut row, *var, definition);
        }
        row
    }

    fn push(&mut self, var: VarId, row: Row) {
        self.places.insert(var, self.solved.len());
        self.solved.push((var, row));
    }
}

fn common_divisor(linear: &Linear) -> Integer {
    let numerators = linear.parts.iter().map(|(_, it)| it.numerator());
    numerators.fold(Integer::ZERO, |gcd, it| gcd.gcd(it))
}

/// Takes a variable out of a row by a row in which its coefficient is one or minus one.
fn eliminate(row: &mut Row, var: VarId, definition: &Row) {
    let Some(coefficient) = row.linear.coefficient(var) else {
        return;
    };
    let own = definition.linear.coefficient(var);
    let own = own.expect("a definition should have its variable");
    let factor = -&(coefficient / own);
    row.add(&factor, definition);
}

/// The variable with the smallest coefficient, by its distance from zero.
fn smallest(linear: &Linear) -> Option<(VarId, Integer)> {
    let sizes = linear
        .parts
        .iter()
        .map(|(var, it)| (*var, it.numerator().abs()));
    sizes.min_by(|a, b| a.1.cmp(&b.1))
}

/// `var + sum of quotients of the other coefficients - fresh = 0`, which defines the fresh one.
fn change(linear: &Linear, var: VarId, fresh: VarId) -> Row {
    let own = linear.coefficient(var).expect("the variable should occur");
    let mut definition = Linear::of_key(var);
    for (other, coefficient) in linear.parts.iter().filter(|part| part.0 != var) {
        let quotient = Rational::from((coefficient / own).floor());
        definition.add_multiple(&quotient, &Linear::of_key(*other));
    }
    definition.add_multiple(&Rational::from(-1i64), &Linear::of_key(fresh));
    Row {
        linear: definition,
        multiples: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(constant: i64, parts: &[i64]) -> Linear {
        let mut linear = Linear::of_constant(Rational::from(constant));
        for (var, coefficient) in parts.iter().enumerate() {
            let var = Linear::of_key(VarId::from_index(var));
            linear.add_multiple(&Rational::from(*coefficient), &var);
        }
        linear
    }

    fn total(equations: &[Linear], multiples: &Multiples) -> Linear {
        let mut total = Linear::of_constant(Rational::ZERO);
        for (number, multiple) in multiples {
            total.add_multiple(multiple, &equations[*number]);
        }
        total
    }

    fn is_whole(linear: &Linear) -> bool {
        linear.parts.iter().all(|(_, it)| it.is_integer())
    }

    #[test]
    fn multiples_prove_that_there_is_no_solution() {
        // 6x + 10y = 15z + 1 has solutions, with z = 2w it has none.
        let equations = [linear(-1, &[6, 10, -15]), linear(0, &[0, 0, 1, -2])];
        let fresh = VarId::from_index(4);
        assert!(Lattice::solve(&equations[..1], fresh, true).is_ok());
        let multiples = Lattice::solve(&equations, fresh, true).err();
        let total = total(&equations, &multiples.expect("there should be no solution"));
        assert!(
            is_whole(&total) && !total.constant.is_integer(),
            "{total:?}"
        );
    }

    #[test]
    fn residues_say_what_is_left_open() {
        // x = 3y + 1 and y = 4z + 2: x is 7 plus a multiple of 12.
        let equations = [linear(-1, &[1, -3]), linear(-2, &[0, 1, -4])];
        let lattice = Lattice::solve(&equations, VarId::from_index(3), true);
        let Ok(lattice) = lattice else {
            panic!("there should be a solution");
        };
        let x = linear(0, &[1]);
        let residue = lattice
            .residue(&x)
            .expect("something should be known of it");
        assert_eq!(residue.modulus, Integer::from(12i64));
        assert_eq!(
            residue.rest.mod_floor(&residue.modulus),
            Integer::from(7i64)
        );
        let mut total = total(&equations, &residue.multiples);
        total.add_multiple(&Rational::new(1i64, 12i64), &linear(-7, &[1]));
        assert!(is_whole(&total) && total.constant.is_integer(), "{total:?}");
        assert!(lattice.residue(&linear(0, &[0, 0, 1])).is_none());
    }
}
