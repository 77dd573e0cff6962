//! Which products of variables to track, and which lemmas to state.
//!
//! Tracked are the monomials of the polynomials that a program with loops computes, and those that
//! their updates need: with `x*y`, and `x := x + z` somewhere, also `z*y`. The degree stays that of the
//! program, so this ends.
//!
//! A loop `while (i < n)` mostly ends with `i == n`. Where `i` or `n` is a factor of a monomial,
//! lemmas after the loop say what follows for the products of `i - n`.
//!
//! The choice is not trusted: see [`program::pass::products`].

use crate::rewritten::RewrittenProgram;
use certify::Rewriting;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::{LocationId, Op, Place, Program, VarId};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use program::pass::loops::LoopNest;
use program::pass::products::{
    Lemma, Monomial, Polynomial, Products, Ring, products_in, with_products,
};
use std::collections::BTreeSet;

/// The most monomials tracked.
const MOST_MONOMIALS: usize = 40;
/// The most lemmas stated.
const MOST_LEMMAS: usize = 24;

/// A program with products of variables tracked, if it has some and a loop.
pub fn with_tracked_products(program: &Program) -> Option<RewrittenProgram> {
    if !has_products(program) {
        return None;
    }
    let limit = InlineLimit::of(program);
    let inlined = inlined(program, limit);
    let nest = LoopNest::new(&inlined.procs[inlined.entry]);
    if nest.loops.is_empty() {
        return None;
    }
    let products = Chooser::new(&inlined).products(&nest);
    if products.monomials.is_empty() {
        return None;
    }
    Some(RewrittenProgram {
        program: with_products(&inlined, &products).ok()?,
        inlined: limit,
        rewriting: Rewriting::Products(products),
    })
}

/// Whether non-constants are multiplied anywhere: other programs are not worth trying.
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

struct Chooser<'p> {
    program: &'p Program,
    monomials: BTreeSet<Monomial>,
    /// Those whose assignments were not looked at yet.
    open: BTreeSet<Monomial>,
    /// The highest degree that the program has itself.
    degree: usize,
}

impl<'p> Chooser<'p> {
    /// The monomials that a program computes.
    fn new(program: &'p Program) -> Self {
        let mut chooser = Chooser {
            program,
            monomials: BTreeSet::new(),
            open: BTreeSet::new(),
            degree: 0,
        };
        for edge in program.procs[program.entry].edges.iter() {
            for expr in edge.op.exprs() {
                for (_, ring, polynomial) in products_in(program, expr) {
                    chooser.degree = chooser.degree.max(polynomial.degree());
                    chooser.add(ring, &polynomial);
                }
            }
        }
        chooser
    }

    /// The lemmas, and the monomials with all that their updates need.
    fn products(mut self, nest: &LoopNest) -> Products {
        let mut lemmas = self.lemmas(nest);
        for lemma in &lemmas {
            if let Some(product) = lemma.product() {
                self.add(Ring::Integers, &product);
            }
        }
        self.close();
        lemmas.retain(|lemma| self.is_tracked(lemma));
        Products {
            monomials: self.monomials.into_iter().collect(),
            lemmas,
        }
    }

    fn add(&mut self, ring: Ring, polynomial: &Polynomial) {
        for (factors, _) in polynomial.terms() {
            let monomial = Monomial {
                ring,
                factors: factors.to_vec(),
            };
            let is_wanted = (2..=self.degree).contains(&factors.len())
                && self.monomials.len() < MOST_MONOMIALS
                && monomial.check(self.program).is_ok();
            if is_wanted && self.monomials.insert(monomial.clone()) {
                self.open.insert(monomial);
            }
        }
    }

    /// Adds the monomials that updates need.
    fn close(&mut self) {
        let edges = &self.program.procs[self.program.entry].edges;
        while let Some(monomial) = self.open.pop_first() {
            for edge in edges.iter() {
                if let Op::Assign(Place::Var(var), value) = &edge.op
                    && monomial.factors.contains(var)
                    && let Some(value) = Polynomial::of(self.program, value, monomial.ring)
                    && let Some(polynomial) = monomial.substitute(*var, &value)
                {
                    self.add(monomial.ring, &polynomial);
                }
            }
        }
    }

    fn is_tracked(&self, lemma: &Lemma) -> bool {
        let Some(product) = lemma.product() else {
            return false;
        };
        product.terms().all(|(factors, _)| {
            factors.len() < 2
                || self.monomials.contains(&Monomial {
                    ring: Ring::Integers,
                    factors: factors.to_vec(),
                })
        })
    }

    /// The lemmas to state where loops end.
    fn lemmas(&self, nest: &LoopNest) -> Vec<Lemma> {
        let mut lemmas = Vec::new();
        for edge in self.program.procs[self.program.entry].edges.iter() {
            let leaves = nest.innermost[edge.source] != nest.innermost[edge.target];
            if let Op::Assume(condition) = &edge.op
                && leaves
                && nest.innermost[edge.source].is_some()
                && let Some(zero) = self.zero_at_end(condition)
            {
                self.lemmas_at(edge.target, &zero, &mut lemmas);
            }
        }
        lemmas.truncate(MOST_LEMMAS);
        lemmas
    }

    /// A polynomial that is zero if the condition has just become true.
    fn zero_at_end(&self, condition: &Expr) -> Option<Polynomial> {
        let Expr::Binary(op, Type::Int(_), left, right) = condition else {
            return None;
        };
        let of = |side| Polynomial::of(self.program, side, Ring::Integers);
        let difference = of(left)?.plus(&of(right)?, -1)?;
        let more = match op {
            BinaryOp::Ge | BinaryOp::Le | BinaryOp::Eq => 0,
            BinaryOp::Gt => -1,
            BinaryOp::Lt => 1,
            _ => return None,
        };
        let zero = difference.plus(&Polynomial::constant(more), 1)?;
        (zero.degree() == 1).then_some(zero)
    }

    /// Multiplies the polynomial by its own variables and by those that the program multiplies them
    /// with, up to the degree of the program.
    fn lemmas_at(&self, at: LocationId, zero: &Polynomial, lemmas: &mut Vec<Lemma>) {
        let own: BTreeSet<VarId> = (zero.terms())
            .flat_map(|(factors, _)| factors.iter().copied())
            .collect();
        let shares = |monomial: &&Monomial| monomial.factors.iter().any(|var| own.contains(var));
        let mut vars: BTreeSet<VarId> = (self.monomials.iter().filter(shares))
            .flat_map(|monomial| monomial.factors.iter().copied())
            .collect();
        if vars.is_empty() {
            return;
        }
        vars.extend(&own);
        let mut all: Vec<Vec<VarId>> = vec![Vec::new()];
        for _ in 1..self.degree {
            let longer = all.iter().flat_map(|times| {
                let least = times.last().copied();
                let larger = vars
                    .iter()
                    .filter(move |&&var| least.is_none_or(|least| var >= least));
                larger.map(|&var| [&times[..], &[var]].concat())
            });
            all = longer.collect();
            lemmas.extend(all.iter().map(|times| Lemma {
                at,
                zero: zero.clone(),
                times: times.clone(),
            }));
        }
    }
}
