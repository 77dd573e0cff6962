//! Polynomials over the variables of a program, and the expressions whose values they are.

use crate::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};
use crate::ir::{Program, VarId};
use logic::IntType;
use std::collections::BTreeMap;

/// No monomial has a higher degree.
const HIGHEST_DEGREE: usize = 8;
/// No polynomial has more terms.
const MOST_TERMS: usize = 64;
/// Variables of monomials have no more bits.
const WIDEST: u8 = 64;

/// Where polynomials have their values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ring {
    /// The integers: what signed arithmetic computes wherever it is defined.
    Integers,
    /// The integers modulo two to the power of a width: what unsigned arithmetic of that width
    /// computes.
    Modulo(u8),
}

impl Ring {
    /// The ring in which arithmetic on a type computes.
    pub fn of(ty: IntType) -> Ring {
        match ty.signed {
            true => Ring::Integers,
            false => Ring::Modulo(ty.bits),
        }
    }

    /// The type of its elements. Formulas give no bounds to the widest signed type.
    pub fn ty(self) -> IntType {
        match self {
            Ring::Integers => IntType::signed(128),
            Ring::Modulo(bits) => IntType::unsigned(bits),
        }
    }

    /// Whether wrapping around at this width changes no element.
    fn ignores_wrapping_at(self, bits: u8) -> bool {
        match self {
            Ring::Integers => false,
            Ring::Modulo(own) => own <= bits,
        }
    }
}

/// A polynomial: for products of variables, each in ascending order, their coefficients, none of them
/// zero. The empty product is one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial(BTreeMap<Vec<VarId>, i128>);

impl Polynomial {
    /// The polynomial whose value an expression has, in a ring, wherever the expression is defined.
    pub fn of(program: &Program, expr: &Expr, ring: Ring) -> Option<Polynomial> {
        let of = |part: &Expr| Polynomial::of(program, part, ring);
        match expr {
            Expr::Const(Constant::Int(value)) => Some(Self::constant(value.to_i128()?)),
            Expr::Var(var) => can_be_factor(program, *var).then(|| Self::var(*var)),
            Expr::Unary(UnaryOp::Neg, Type::Int(ty), part) if computes_in(*ty, ring) => {
                Self::constant(-1).times(&of(part)?)
            }
            Expr::Binary(op, Type::Int(ty), left, right) if computes_in(*ty, ring) => match op {
                BinaryOp::Add => of(left)?.plus(&of(right)?, 1),
                BinaryOp::Sub => of(left)?.plus(&of(right)?, -1),
                BinaryOp::Mul => of(left)?.times(&of(right)?),
                _ => None,
            },
            Expr::Cast(Type::Int(to), part) => {
                let from = part.ty(program).int()?;
                match ring.ignores_wrapping_at(to.bits) || holds_all(*to, from) {
                    true => of(part),
                    false => None,
                }
            }
            _ => None,
        }
    }

    /// A number.
    pub fn constant(value: i128) -> Polynomial {
        Polynomial::default().add(Vec::new(), value)
    }

    /// A variable.
    pub fn var(var: VarId) -> Polynomial {
        Polynomial::default().add(vec![var], 1)
    }

    /// The products and their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&[VarId], i128)> {
        self.0.iter().map(|(factors, &by)| (&factors[..], by))
    }

    /// The number of factors of its longest product.
    pub fn degree(&self) -> usize {
        self.0.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// The sum with so many times another, unless it is too large.
    pub fn plus(mut self, other: &Polynomial, times: i128) -> Option<Polynomial> {
        for (factors, by) in &other.0 {
            let old = self.0.remove(factors).unwrap_or(0);
            let new = by.checked_mul(times)?.checked_add(old)?;
            self = self.add(factors.clone(), new);
        }
        (self.0.len() <= MOST_TERMS).then_some(self)
    }

    /// The product, unless it is too large.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (left, by) in &self.0 {
            let mut part = Polynomial::default();
            for (right, times) in &other.0 {
                let mut factors = [&left[..], right].concat();
                factors.sort_unstable();
                if factors.len() > HIGHEST_DEGREE {
                    return None;
                }
                // Products of different terms with one and the same term are different.
                part = part.add(factors, by.checked_mul(*times)?);
            }
            product = product.plus(&part, 1)?;
        }
        Some(product)
    }

    /// With a product that it does not have yet.
    fn add(mut self, factors: Vec<VarId>, by: i128) -> Polynomial {
        if by != 0 {
            self.0.insert(factors, by);
        }
        self
    }
}

/// Whether a variable can stand in a monomial.
pub fn can_be_factor(program: &Program, var: VarId) -> bool {
    let ty = program.vars.get(var).and_then(|row| row.ty.int());
    ty.is_some_and(|ty| ty.bits <= WIDEST)
}

/// Whether sums and products of a type are those of the ring, wherever they are defined.
fn computes_in(ty: IntType, ring: Ring) -> bool {
    ty.signed || ring.ignores_wrapping_at(ty.bits)
}

/// Whether a type has all values of another.
fn holds_all(outer: IntType, inner: IntType) -> bool {
    match (outer.signed, inner.signed) {
        (true, false) => outer.bits > inner.bits,
        (false, true) => false,
        (true, true) | (false, false) => outer.bits >= inner.bits,
    }
}
