//! Terms as expressions of the program, over integers of the widest type.

use logic::{IntType, Integer, Node, SymbolId, TermId, TermStore};
use program::expr::{BinaryOp, Expr, Type};
use program::ir::VarId;
use rustc_hash::FxHashMap;

/// The type that stands for all integers.
pub(super) const WIDE: IntType = IntType::signed(128);

/// How large the expressions of one term may be: terms share their parts, expressions copy them.
const LARGEST: usize = 20_000;

/// The expression of a term, or why there is none.
pub(super) fn expression(
    store: &TermStore,
    term: TermId,
    variables: &FxHashMap<SymbolId, VarId>,
) -> Result<Expr, String> {
    let mut known: FxHashMap<TermId, (Expr, usize)> = FxHashMap::default();
    for part in store.below(&[term]) {
        let made = made(store, part, &known, variables)?;
        let size = 1 + store
            .parts(part)
            .iter()
            .map(|part| known[part].1)
            .sum::<usize>();
        if size > LARGEST {
            return Err("a formula that is too large".into());
        }
        known.insert(part, (made, size));
    }
    known
        .remove(&term)
        .map(|(made, _)| made)
        .ok_or_else(|| "no term".into())
}

fn made(
    store: &TermStore,
    term: TermId,
    known: &FxHashMap<TermId, (Expr, usize)>,
    variables: &FxHashMap<SymbolId, VarId>,
) -> Result<Expr, String> {
    let part = |term: &TermId| known[term].0.clone();
    let zero = || Expr::int(WIDE, 0);
    let compare = |op, a: Expr, b: Expr| Expr::binary(op, Type::Int(WIDE), a, b);
    Ok(match store.node(term) {
        Node::Bool(value) => Expr::bool(*value),
        Node::Int(value) => number(value)?,
        Node::Symbol(symbol) => {
            Expr::Var(*variables.get(symbol).ok_or("a variable without a value")?)
        }
        Node::Sum(constant, parts) => {
            let mut sum: Option<Expr> = None;
            for (term, factor) in parts {
                let product = match factor.is_one() {
                    true => part(term),
                    false => Expr::arith(BinaryOp::Mul, WIDE, number(factor)?, part(term)),
                };
                sum = Some(match sum {
                    None => product,
                    Some(sum) => Expr::arith(BinaryOp::Add, WIDE, sum, product),
                });
            }
            let sum = sum.unwrap_or_else(zero);
            match constant.is_zero() {
                true => sum,
                false => Expr::arith(BinaryOp::Add, WIDE, sum, number(constant)?),
            }
        }
        Node::Div(a, divisor) => {
            // Division rounds towards zero here, and down there.
            let (a, divisor) = (part(a), number(divisor)?);
            let rest = Expr::arith(BinaryOp::Rem, WIDE, a.clone(), divisor.clone());
            let quotient = Expr::arith(BinaryOp::Div, WIDE, a, divisor);
            let one = Expr::int(WIDE, 1);
            let below = Expr::arith(BinaryOp::Sub, WIDE, quotient.clone(), one);
            Expr::select(compare(BinaryOp::Lt, rest, zero()), below, quotient)
        }
        Node::Mod(a, divisor) => {
            let (a, divisor) = (part(a), number(divisor)?);
            let rest = Expr::arith(BinaryOp::Rem, WIDE, a, divisor.clone());
            let above = Expr::arith(BinaryOp::Add, WIDE, rest.clone(), divisor);
            Expr::select(compare(BinaryOp::Lt, rest.clone(), zero()), above, rest)
        }
        Node::Divides(divisor, a) => {
            let rest = Expr::arith(BinaryOp::Rem, WIDE, part(a), number(divisor)?);
            compare(BinaryOp::Eq, rest, zero())
        }
        Node::Ite(condition, then, otherwise) => {
            Expr::select(part(condition), part(then), part(otherwise))
        }
        Node::AtMostZero(sum) => compare(BinaryOp::Le, part(sum), zero()),
        Node::IsZero(sum) => compare(BinaryOp::Eq, part(sum), zero()),
        Node::Not(a) => Expr::not(part(a)),
        Node::And(parts) => junction(parts.iter().map(part), Expr::and, true),
        Node::Or(parts) => junction(parts.iter().map(part), Expr::or, false),
        Node::Real(_)
        | Node::RealSum(..)
        | Node::ToReal(_)
        | Node::Below(_)
        | Node::RealIsZero(_) => return Err("it has no real numbers".into()),
        Node::Select(..) | Node::Store(..) | Node::ConstantArray(_) | Node::SameArray(..) => {
            return Err("it has no arrays without bounds".into());
        }
        Node::Apply(..) => return Err("it has no functions without bodies".into()),
    })
}

fn junction(
    parts: impl Iterator<Item = Expr>,
    join: fn(Expr, Expr) -> Expr,
    neutral: bool,
) -> Expr {
    parts.reduce(join).unwrap_or_else(|| Expr::bool(neutral))
}

fn number(value: &Integer) -> Result<Expr, String> {
    let value = value.to_i128().ok_or("it has no numbers beyond 128 bits")?;
    Ok(Expr::int(WIDE, value))
}
