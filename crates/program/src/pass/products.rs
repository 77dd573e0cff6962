//! Products of variables as variables, so that polynomial invariants are linear ones.
//!
//! The entry procedure gets a variable for each tracked *monomial*, a product such as `x*y` or
//! `n*n*n`, that always has the product's value. An assignment `x := x + 1` also sets `x*y` to
//! `x*y + y`: a linear expression over monomials again. Where the new value is not linear (an input,
//! a quotient, a monomial that is not tracked), the product is recomputed, and formulas know little
//! of it. An op that computes a polynomial over tracked monomials uses their sum instead.
//!
//! Linear reasoning does not multiply, so it misses `i*i == i*n` where `i == n`. *Lemmas* state it:
//! where a linear polynomial is zero, so are its products. A lemma is valid in every state.
//!
//! Signed arithmetic is undefined where its result does not fit. So it computes in the integers, and
//! its monomials are kept in the widest signed type; before an op uses a polynomial, the polynomial
//! is assumed to fit its type. Unsigned arithmetic wraps, and so do its monomials.
//!
//! Proofs may be about the result, so this is trusted: `docs/decisions/0033`.
//!
//! # Paper
//! [mullerolm2004precise] for polynomials as linear forms over monomials.
//!
//! # Invariants
//! - Variables, objects, sites, locations and edges of the old program keep their ids; new ones
//!   come after them. A run at an old location, with no op half done, is there now.
//! - Defined runs are preserved, with the same inputs, as long as no monomial overflows the widest
//!   type. The checker of labels takes that type for unbounded; no other kind of proof may be about
//!   the result.

mod polynomial;
#[cfg(test)]
mod tests;

pub use polynomial::{Polynomial, Ring, can_be_factor};

use crate::expr::{BinaryOp, Expr, Type};
use crate::ir::*;
use crate::pass::steps::Steps;
use crate::validate::check_invariants;
use base::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A product of variables whose value is tracked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Monomial {
    /// Where it is computed.
    pub ring: Ring,
    /// The variables, in ascending order, at least two.
    pub factors: Vec<VarId>,
}

/// Says of a location that where a linear polynomial is zero, its product with others is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lemma {
    /// The location, of the entry procedure.
    pub at: LocationId,
    /// The polynomial, over the integers.
    pub zero: Polynomial,
    /// The variables it is multiplied with, in ascending order.
    pub times: Vec<VarId>,
}

/// What is tracked, and what is said of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Products {
    /// The monomials.
    pub monomials: Vec<Monomial>,
    /// The lemmas.
    pub lemmas: Vec<Lemma>,
}

/// The program with products tracked in its entry procedure; an error says why it cannot be done.
pub fn with_products(program: &Program, products: &Products) -> Result<Program, String> {
    let mut result = program.clone();
    let proc = program.entry;
    let mut tracked = BTreeMap::new();
    for monomial in &products.monomials {
        monomial.check(program)?;
        let name = monomial.name(program);
        let ty = Type::Int(monomial.ring.ty());
        let var = result.add_local(proc, name, ty, Span::NONE);
        tracked.insert(monomial.clone(), var);
    }
    let mut rewriting = Rewriting {
        program,
        proc,
        tracked,
        lemmas: BTreeMap::new(),
    };
    for lemma in &products.lemmas {
        let condition = rewriting.condition(lemma)?;
        let there = rewriting.lemmas.entry(lemma.at).or_default();
        there.push(condition);
    }
    for at in program.procs[proc].locations.ids() {
        rewriting.location(&mut result, at);
    }
    rewriting.start(&mut result);
    check_invariants(&result, "tracking products");
    Ok(result)
}

impl Monomial {
    /// Whether it can be tracked: only the entry procedure may write its variables.
    pub fn check(&self, program: &Program) -> Result<(), String> {
        let proc = program.entry;
        let is_own = |var: VarId| match program.vars[var].scope {
            Scope::Local(owner) => owner == proc,
            Scope::Global => !calls_procedures(&program.procs[proc]),
        };
        let mut vars = self.factors.iter();
        if self.factors.len() < 2 || !self.factors.is_sorted() {
            return Err("a monomial is no product of variables in order".to_owned());
        }
        match vars.all(|&var| can_be_factor(program, var) && is_own(var)) {
            true => Ok(()),
            false => Err("a monomial is of variables that cannot be tracked".to_owned()),
        }
    }

    fn name(&self, program: &Program) -> String {
        let names: Vec<&str> = (self.factors.iter())
            .map(|&var| &*program.vars[var].name)
            .collect();
        format!("${}", names.join("*"))
    }

    /// The product of the variables as they are.
    fn computed(&self, program: &Program) -> Expr {
        let mut factors = self
            .factors
            .iter()
            .map(|&var| element(program, self.ring, var));
        let first = factors.next().expect("a monomial should have factors");
        factors.fold(first, |product, factor| {
            Expr::arith(BinaryOp::Mul, self.ring.ty(), product, factor)
        })
    }

    /// The monomial with a polynomial in the place of a variable.
    pub fn substitute(&self, var: VarId, by: &Polynomial) -> Option<Polynomial> {
        let one = Polynomial::constant(1);
        self.factors
            .iter()
            .try_fold(one, |product, &factor| match factor == var {
                true => product.times(by),
                false => product.times(&Polynomial::var(factor)),
            })
    }
}

impl Lemma {
    /// What is zero where the polynomial is, unless it is too large.
    pub fn product(&self) -> Option<Polynomial> {
        let zero = self.zero.clone();
        (self.times.iter()).try_fold(zero, |product, &var| product.times(&Polynomial::var(var)))
    }
}

/// Whether a procedure calls others, which may write globals.
fn calls_procedures(procedure: &Procedure) -> bool {
    procedure.edges.iter().any(|edge| match &edge.op {
        Op::Call(call) => !matches!(call.callee, Callee::Library(_)),
        _ => false,
    })
}

/// A variable's value in a ring.
fn element(program: &Program, ring: Ring, var: VarId) -> Expr {
    Expr::cast(program.vars[var].ty, Type::Int(ring.ty()), Expr::Var(var))
}

/// The largest expressions in an expression, sure to be evaluated with it, that are polynomials with
/// a product of variables in them, the polynomials with their rings.
pub fn products_in(program: &Program, expr: &Expr) -> Vec<(Expr, Ring, Polynomial)> {
    let mut found = Vec::new();
    collect_products(program, expr, &|_, _| true, &mut found);
    found
}

fn collect_products(
    program: &Program,
    expr: &Expr,
    is_wanted: &dyn Fn(Ring, &Polynomial) -> bool,
    found: &mut Vec<(Expr, Ring, Polynomial)>,
) {
    if let Expr::Select(condition, ..) = expr {
        return collect_products(program, condition, is_wanted, found);
    }
    if let Some(ty) = expr.ty(program).int()
        && let ring = Ring::of(ty)
        && let Some(polynomial) = Polynomial::of(program, expr, ring)
        && (polynomial.degree() < 2 || is_wanted(ring, &polynomial))
    {
        if polynomial.degree() >= 2 {
            found.push((expr.clone(), ring, polynomial));
        }
        return;
    }
    for child in expr.children() {
        collect_products(program, child, is_wanted, found);
    }
}

/// Rewrites the entry procedure.
struct Rewriting<'a> {
    program: &'a Program,
    proc: ProcId,
    tracked: BTreeMap<Monomial, VarId>,
    /// What holds whatever the state is, to be said at locations.
    lemmas: BTreeMap<LocationId, Vec<Expr>>,
}

impl Rewriting<'_> {
    /// Lets the ops that leave a location keep the monomials, and take their values.
    fn location(&self, program: &mut Program, at: LocationId) {
        let old = &self.program.procs[self.proc];
        let out = old.locations[at].out.clone();
        let Some(mut steps) = Steps::before(program, self.proc, at) else {
            return;
        };
        for lemma in self.lemmas.get(&at).into_iter().flatten() {
            steps.op(Op::Assume(lemma.clone()));
        }
        let stand_for = self.take_products(&mut steps, &out);
        let new_values = match &out[..] {
            [edge] => self.new_values(&mut steps, &old.edges[*edge].op),
            _ => BTreeMap::new(),
        };
        steps.go_on(&out);
        for edge in out {
            for expr in program.procs[self.proc].edges[edge].op.exprs_mut() {
                replace(expr, &stand_for);
            }
            self.keep(program, edge, &new_values);
        }
    }

    /// Puts polynomials that all edges compute into variables; returns what stands for them.
    fn take_products(&self, steps: &mut Steps<'_>, out: &[EdgeId]) -> FxHashMap<Expr, Expr> {
        let edges = &self.program.procs[self.proc].edges;
        let products = |edge: &EdgeId| {
            let mut found = Vec::new();
            let is_wanted = |ring, polynomial: &Polynomial| self.sum(ring, polynomial).is_some();
            for expr in edges[*edge].op.exprs() {
                collect_products(self.program, expr, &is_wanted, &mut found);
            }
            found
        };
        let mut common = out.first().map(products).unwrap_or_default();
        for edge in out.iter().skip(1) {
            let others = products(edge);
            common.retain(|product| others.contains(product));
        }
        let mut stand_for = FxHashMap::default();
        for (expr, ring, polynomial) in common {
            if stand_for.contains_key(&expr) {
                continue;
            }
            let sum = self.sum(ring, &polynomial).expect("it should be wanted");
            let var = steps.local("$polynomial", Type::Int(ring.ty()));
            steps.op(Op::Assign(Place::Var(var), sum));
            let ty = expr.ty(self.program);
            if ring == Ring::Integers {
                steps.op(Op::Assume(fits(ty, var)));
            }
            let value = Expr::cast(Type::Int(ring.ty()), ty, Expr::Var(var));
            stand_for.insert(expr, value);
        }
        stand_for
    }

    /// Computes the values of the monomials behind an assignment from those before it, as far as they are
    /// linear over them; returns the variables that have them.
    fn new_values(&self, steps: &mut Steps<'_>, op: &Op) -> BTreeMap<VarId, VarId> {
        let mut new_values = BTreeMap::new();
        let Op::Assign(Place::Var(var), value) = op else {
            return new_values;
        };
        for (monomial, &kept) in &self.tracked {
            if !monomial.factors.contains(var) {
                continue;
            }
            let ring = monomial.ring;
            let polynomial = Polynomial::of(self.program, value, ring);
            let polynomial = polynomial.and_then(|value| monomial.substitute(*var, &value));
            let sum = polynomial.and_then(|polynomial| self.sum(ring, &polynomial));
            if let Some(sum) = sum {
                let new = steps.local("$new", Type::Int(ring.ty()));
                steps.op(Op::Assign(Place::Var(new), sum));
                new_values.insert(kept, new);
            }
        }
        new_values
    }

    /// Sets the monomials of the variable that an edge writes.
    fn keep(&self, program: &mut Program, edge: EdgeId, new_values: &BTreeMap<VarId, VarId>) {
        let op = &self.program.procs[self.proc].edges[edge].op;
        let Some(var) = op.written() else {
            return;
        };
        let changed: Vec<_> = (self.tracked.iter())
            .filter(|(monomial, _)| monomial.factors.contains(&var))
            .collect();
        if changed.is_empty() {
            return;
        }
        let target = program.procs[self.proc].edges[edge].target;
        let mut steps = Steps::after(program, self.proc, edge);
        for (monomial, kept) in changed {
            let value = match new_values.get(kept) {
                Some(&new) => Expr::Var(new),
                None => monomial.computed(self.program),
            };
            steps.op(Op::Assign(Place::Var(*kept), value));
        }
        steps.end(target);
    }

    /// A lemma as a condition.
    fn condition(&self, lemma: &Lemma) -> Result<Expr, String> {
        let (ring, ty) = (Ring::Integers, Ring::Integers.ty());
        let product = lemma.product().ok_or("a lemma is too large")?;
        let mut vars = product.terms().flat_map(|(factors, _)| factors);
        if !vars.all(|&var| can_be_factor(self.program, var)) || lemma.zero.degree() > 1 {
            return Err("a lemma is of variables that cannot be multiplied".to_owned());
        }
        let is_zero = |polynomial: &Polynomial| {
            let sum = self.sum(ring, polynomial);
            Some(Expr::arith(BinaryOp::Eq, ty, sum?, Expr::int(ty, 0)))
        };
        let untracked = "a lemma is of products that are not tracked";
        let zero = is_zero(&lemma.zero).ok_or(untracked)?;
        let product = is_zero(&product).ok_or(untracked)?;
        Ok(Expr::or(Expr::not(zero), product))
    }

    /// The value of a polynomial by tracked monomials, if it has no others.
    fn sum(&self, ring: Ring, polynomial: &Polynomial) -> Option<Expr> {
        let ty = ring.ty();
        let mut sum = Expr::int(ty, 0);
        for (factors, by) in polynomial.terms() {
            let product = match factors {
                [] => Expr::int(ty, 1),
                [var] => element(self.program, ring, *var),
                _ => Expr::Var(*self.tracked.get(&Monomial {
                    ring,
                    factors: factors.to_vec(),
                })?),
            };
            let term = Expr::arith(BinaryOp::Mul, ty, product, Expr::int(ty, by));
            sum = Expr::arith(BinaryOp::Add, ty, sum, term);
        }
        Some(sum)
    }

    /// Sets all monomials before all else.
    fn start(&self, program: &mut Program) {
        let entry = &mut program.procs[self.proc];
        for (monomial, &kept) in &self.tracked {
            let computed = monomial.computed(self.program);
            entry.begin_with(Op::Assign(Place::Var(kept), computed));
        }
    }
}

/// Whether a variable's value is one of an integer type.
fn fits(ty: Type, var: VarId) -> Expr {
    let ty = ty.int().expect("a polynomial should be an integer");
    let wide = Ring::Integers.ty();
    let bound = |op, end: logic::IntValue| {
        let end = Expr::int(wide, end.to_i128().expect("the widest type should hold it"));
        Expr::arith(op, wide, Expr::Var(var), end)
    };
    Expr::and(bound(BinaryOp::Ge, ty.min()), bound(BinaryOp::Le, ty.max()))
}

/// Puts what stands for expressions in their place, the largest first.
fn replace(expr: &mut Expr, stand_for: &FxHashMap<Expr, Expr>) {
    if let Some(value) = stand_for.get(expr) {
        *expr = value.clone();
        return;
    }
    for child in expr.children_mut() {
        replace(child, stand_for);
    }
}
