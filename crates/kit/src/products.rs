//! Which products of variables to track.
//!
//! Tracked are those of the polynomials that a program with loops computes, and those that their new
//! values need where a variable is assigned a polynomial: with `x*y`, and `x := x + z` somewhere, also
//! `z*y`. Assignments that are linear need no higher degree, so there is an end to that.
//!
//! Nothing rests on the choice: see [`program::pass::products`].

use crate::rewritten::RewrittenProgram;
use certify::Rewriting;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::{Op, Place, Program};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use program::pass::loops::LoopNest;
use program::pass::products::{Monomial, Polynomial, Ring, products_in, with_products};
use std::collections::BTreeSet;

/// No more monomials are tracked.
const MOST_MONOMIALS: usize = 40;

/// A program with products of variables tracked, if it has some and a loop.
pub fn with_tracked_products(program: &Program) -> Option<RewrittenProgram> {
    if !has_products(program) {
        return None;
    }
    let limit = InlineLimit::of(program);
    let inlined = inlined(program, limit);
    let monomials = monomials(&inlined);
    if monomials.is_empty()
        || LoopNest::new(&inlined.procs[inlined.entry])
            .loops
            .is_empty()
    {
        return None;
    }
    Some(RewrittenProgram {
        program: with_products(&inlined, &monomials).ok()?,
        inlined: limit,
        rewriting: Rewriting::Products(monomials),
    })
}

/// Whether anything is multiplied with what is no constant: other programs are not worth a look.
fn has_products(program: &Program) -> bool {
    let is_product = |expr: &Expr| match expr {
        Expr::Binary(BinaryOp::Mul, Type::Int(_), left, right) => {
            left.constant().is_none() && right.constant().is_none()
        }
        _ => false,
    };
    let mut edges = program.procs.iter().flat_map(|row| row.edges.iter());
    edges.any(|edge| edge.op.exprs().iter().any(|expr| expr.any(&is_product)))
}

/// The monomials that a program computes and those that they are computed from.
fn monomials(program: &Program) -> Vec<Monomial> {
    let edges = &program.procs[program.entry].edges;
    let mut found = Found {
        program,
        all: BTreeSet::new(),
        open: BTreeSet::new(),
        degree: 0,
    };
    for edge in edges.iter() {
        for expr in edge.op.exprs() {
            for (_, ring, polynomial) in products_in(program, expr) {
                found.degree = found.degree.max(polynomial.degree());
                found.add(ring, &polynomial);
            }
        }
    }
    while let Some(monomial) = found.open.pop_first() {
        for edge in edges.iter() {
            if let Op::Assign(Place::Var(var), value) = &edge.op
                && monomial.factors.contains(var)
                && let Some(value) = Polynomial::of(program, value, monomial.ring)
                && let Some(polynomial) = monomial.substitute(*var, &value)
            {
                found.add(monomial.ring, &polynomial);
            }
        }
    }
    found.all.into_iter().collect()
}

/// Monomials found so far.
struct Found<'p> {
    program: &'p Program,
    all: BTreeSet<Monomial>,
    /// Those whose assignments were not looked at yet.
    open: BTreeSet<Monomial>,
    /// The highest degree that the program has itself.
    degree: usize,
}

impl Found<'_> {
    fn add(&mut self, ring: Ring, polynomial: &Polynomial) {
        for (factors, _) in polynomial.terms() {
            let monomial = Monomial {
                ring,
                factors: factors.to_vec(),
            };
            let is_wanted = (2..=self.degree).contains(&factors.len())
                && self.all.len() < MOST_MONOMIALS
                && monomial.check(self.program).is_ok();
            if is_wanted && self.all.insert(monomial.clone()) {
                self.open.insert(monomial);
            }
        }
    }
}
