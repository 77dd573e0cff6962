//! Regular expressions over the steps of a graph, for sets of paths.
//!
//! Expressions are hash-consed: equal ones have equal ids, and what paths share is there once.
//! [`Expressions::evaluate`] gives them a meaning in any [`Algebra`], each node once.
//!
//! # Invariants
//! - The parts of an expression have smaller ids than the expression.
//! - `zero` is no part of anything, `one` only of a choice; no star is below a star.

use base::{IdVec, define_id};
use rustc_hash::{FxHashMap, FxHashSet};

define_id! {
    /// An expression of a table.
    ExpressionId = "x";
    /// A step, whatever its owner takes it for.
    StepId = "a";
}

/// The outermost part of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expression {
    /// No path.
    Zero,
    /// The empty path.
    One,
    /// A single step.
    Step(StepId),
    /// A path of the one or of the other.
    Choice(ExpressionId, ExpressionId),
    /// A path of the first, then one of the second.
    Sequence(ExpressionId, ExpressionId),
    /// Any number of paths, one after the other.
    Star(ExpressionId),
}

/// What expressions can mean.
pub trait Algebra {
    /// The meaning of an expression.
    type Value: Clone;
    /// No path.
    fn zero(&mut self) -> Self::Value;
    /// The empty path.
    fn one(&mut self) -> Self::Value;
    /// A step.
    fn step(&mut self, step: StepId) -> Self::Value;
    /// The one or the other.
    fn choice(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// First `a`, then `b`.
    fn sequence(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// Any number of times.
    fn star(&mut self, a: &Self::Value) -> Self::Value;
}

/// Owns expressions.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: IdVec<ExpressionId, Expression>,
    ids: FxHashMap<Expression, ExpressionId>,
}

impl Expressions {
    /// A table without expressions.
    pub fn new() -> Self {
        Expressions::default()
    }

    /// The outermost part of an expression.
    pub fn node(&self, id: ExpressionId) -> Expression {
        self.nodes[id]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn intern(&mut self, node: Expression) -> ExpressionId {
        match self.ids.get(&node) {
            Some(&id) => id,
            None => {
                let id = self.nodes.push(node);
                self.ids.insert(node, id);
                id
            }
        }
    }

    /// No path.
    pub fn zero(&mut self) -> ExpressionId {
        self.intern(Expression::Zero)
    }

    /// The empty path.
    pub fn one(&mut self) -> ExpressionId {
        self.intern(Expression::One)
    }

    /// A single step.
    pub fn step(&mut self, step: StepId) -> ExpressionId {
        self.intern(Expression::Step(step))
    }

    /// The paths of both.
    pub fn choice(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        match (self.node(a), self.node(b)) {
            (Expression::Zero, _) => b,
            (_, Expression::Zero) => a,
            (Expression::One, Expression::Star(_)) => b,
            (Expression::Star(_), Expression::One) => a,
            _ if a == b => a,
            _ => self.intern(Expression::Choice(a.min(b), a.max(b))),
        }
    }

    /// A path of the first, then one of the second.
    pub fn sequence(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        match (self.node(a), self.node(b)) {
            (Expression::Zero, _) | (_, Expression::One) => a,
            (Expression::One, _) | (_, Expression::Zero) => b,
            (Expression::Star(_), Expression::Star(_)) if a == b => a,
            _ => self.intern(Expression::Sequence(a, b)),
        }
    }

    /// Any number of paths, one after the other.
    pub fn star(&mut self, a: ExpressionId) -> ExpressionId {
        match self.node(a) {
            Expression::Zero | Expression::One => self.one(),
            Expression::Star(_) => a,
            _ => self.intern(Expression::Star(a)),
        }
    }

    /// The expressions that some are made of, and these, each after its parts, without those that
    /// are known and what these alone are made of.
    fn unknown_below(
        &self,
        roots: &[ExpressionId],
        is_known: impl Fn(ExpressionId) -> bool,
    ) -> Vec<ExpressionId> {
        let mut seen: FxHashSet<ExpressionId> = FxHashSet::default();
        let mut open = roots.to_vec();
        let mut all = Vec::new();
        while let Some(id) = open.pop() {
            if !is_known(id) && seen.insert(id) {
                all.push(id);
                open.extend(self.parts(id));
            }
        }
        all.sort_unstable();
        all
    }

    fn parts(&self, id: ExpressionId) -> impl Iterator<Item = ExpressionId> + use<> {
        let (a, b) = match self.node(id) {
            Expression::Zero | Expression::One | Expression::Step(_) => (None, None),
            Expression::Choice(a, b) | Expression::Sequence(a, b) => (Some(a), Some(b)),
            Expression::Star(a) => (Some(a), None),
        };
        a.into_iter().chain(b)
    }

    /// The meaning of an expression. `memo` has the meanings in this algebra that are known
    /// already, and gets the new ones.
    pub fn evaluate<A: Algebra>(
        &self,
        root: ExpressionId,
        algebra: &mut A,
        memo: &mut FxHashMap<ExpressionId, A::Value>,
    ) -> A::Value {
        for id in self.unknown_below(&[root], |id| memo.contains_key(&id)) {
            let value = match self.node(id) {
                Expression::Zero => algebra.zero(),
                Expression::One => algebra.one(),
                Expression::Step(step) => algebra.step(step),
                Expression::Choice(a, b) => algebra.choice(&memo[&a], &memo[&b]),
                Expression::Sequence(a, b) => algebra.sequence(&memo[&a], &memo[&b]),
                Expression::Star(a) => algebra.star(&memo[&a]),
            };
            memo.insert(id, value);
        }
        memo[&root].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    #[test]
    fn equal_expressions_are_one() {
        let mut table = Expressions::new();
        let [a, b] = [0, 1].map(|step| table.step(StepId::from_index(step)));
        let (zero, one) = (table.zero(), table.one());
        assert_eq!(table.choice(a, b), table.choice(b, a));
        assert_ne!(table.sequence(a, b), table.sequence(b, a));
        assert_eq!(table.choice(a, zero), a);
        assert_eq!(table.sequence(one, a), a);
        assert_eq!(table.sequence(a, zero), zero);
        assert_eq!(table.star(zero), one);
        let star = table.star(a);
        assert_eq!(table.star(star), star);
        let (choice, loops) = (table.choice(a, b), table.star(b));
        let choice = table.star(choice);
        let all = table.sequence(choice, loops);
        assert_eq!(table.node(all), Expression::Sequence(choice, loops));
        assert_eq!(table.unknown_below(&[all], |_| false).len(), 6);
    }
}
