//! Terms in infix notation: `i' = i + k`, `i < n or 3 <= j`.

use crate::sparse::Signed;
use crate::{Integer, Node, TermId, TermStore};

/// A term in words. `is_wanted` says which symbols an equation is solved for where it can be.
pub fn infix(store: &TermStore, term: TermId, is_wanted: &dyn Fn(TermId) -> bool) -> String {
    Writer { store, is_wanted }.term(term)
}

/// A term and how often it is added.
pub type Part = (TermId, Integer);

/// One side of a comparison: a constant, and what is added to it.
pub type Side = (Integer, Vec<Part>);

struct Writer<'s> {
    store: &'s TermStore,
    is_wanted: &'s dyn Fn(TermId) -> bool,
}

impl Writer<'_> {
    fn term(&self, term: TermId) -> String {
        use Node::*;
        match self.store.node(term) {
            Bool(value) => value.to_string(),
            Int(value) => value.to_string(),
            Symbol(symbol) => self.store.symbol(*symbol).name.to_string(),
            Sum(..) => self.sum(&self.store.to_linear(term)),
            Div(a, divisor) => format!("{} div {divisor}", self.within(*a)),
            Mod(a, divisor) => format!("{} mod {divisor}", self.within(*a)),
            Ite(condition, then, otherwise) => format!(
                "(if {} then {} else {})",
                self.term(*condition),
                self.term(*then),
                self.term(*otherwise)
            ),
            AtMostZero(sum) => {
                let (left, sign, right) = at_most_zero(self.store, *sum);
                self.comparison(&left, sign, &right)
            }
            IsZero(sum) => self.equation(*sum, "="),
            Divides(divisor, sum) => format!("{} mod {divisor} = 0", self.within(*sum)),
            Not(inner) => match self.store.node(*inner) {
                IsZero(sum) => self.equation(*sum, "!="),
                _ => format!("not {}", self.within(*inner)),
            },
            And(parts) => self.joined(parts, " and "),
            Or(parts) => self.joined(parts, " or "),
            Real(_) | RealSum(..) | ToReal(_) | Apply(..) | Select(..) | Store(..)
            | ConstantArray(_) | Below(_) | RealIsZero(_) | SameArray(..) => {
                self.store.readable(term)
            }
        }
    }

    fn joined(&self, parts: &[TermId], by: &str) -> String {
        let parts: Vec<String> = parts
            .iter()
            .map(|&part| match self.store.node(part) {
                Node::And(_) | Node::Or(_) => format!("({})", self.term(part)),
                _ => self.term(part),
            })
            .collect();
        parts.join(by)
    }

    /// A term with parentheses, unless it is a single word.
    fn within(&self, term: TermId) -> String {
        let text = self.term(term);
        if text.contains(' ') {
            return format!("({text})");
        }
        text
    }

    /// `a + 2*b - 3`, or `0`.
    fn sum(&self, (constant, parts): &Side) -> String {
        let mut text = String::new();
        let mut put = |is_negative: bool, part: String| {
            text.push_str(match (text.is_empty(), is_negative) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            });
            text.push_str(&part);
        };
        // What is added comes first.
        let (less, more): (Vec<_>, Vec<_>) = parts.iter().partition(|(_, f)| *f < Integer::ZERO);
        for (part, factor) in more.into_iter().chain(less) {
            let (is_negative, size) = (*factor < Integer::ZERO, factor.abs());
            let part = self.within(*part);
            put(
                is_negative,
                match size.is_one() {
                    true => part,
                    false => format!("{size}*{part}"),
                },
            );
        }
        if !constant.is_zero() || parts.is_empty() {
            put(*constant < Integer::ZERO, constant.abs().to_string());
        }
        text
    }

    fn equation(&self, sum: TermId, sign: &str) -> String {
        let (left, right) = is_zero(self.store, sum, self.is_wanted);
        self.comparison(&left, sign, &right)
    }

    fn comparison(&self, left: &Side, sign: &str, right: &Side) -> String {
        format!("{} {sign} {}", self.sum(left), self.sum(right))
    }
}

/// `sum <= 0` with what is added on the left: the two sides, and the sign between them.
pub fn at_most_zero(store: &TermStore, sum: TermId) -> (Side, &'static str, Side) {
    let (constant, parts) = store.to_linear(sum);
    let [left, right] = sides(parts);
    let zero = Integer::ZERO;
    if constant.is_one() && !left.is_empty() && !right.is_empty() {
        return ((zero.clone(), left), "<", (zero, right));
    }
    // A constant is alone, or where it is positive.
    let is_left = left.is_empty() || (constant > zero && !right.is_empty());
    let (of_left, of_right) = on_a_side(constant, is_left);
    ((of_left, left), "<=", (of_right, right))
}

/// The sides of `sum = 0`, solved for a wanted term, or for any, where that can be.
pub fn is_zero(store: &TermStore, sum: TermId, is_wanted: &dyn Fn(TermId) -> bool) -> (Side, Side) {
    let (constant, mut parts) = store.to_linear(sum);
    let is_unit = |(_, factor): &Part| factor.abs().is_one();
    let wanted = parts
        .iter()
        .position(|part| is_unit(part) && is_wanted(part.0));
    let Some(solved) = wanted.or_else(|| parts.iter().position(is_unit)) else {
        let [left, right] = sides(parts);
        let is_left = constant > Integer::ZERO;
        let (of_left, of_right) = on_a_side(constant, is_left);
        return ((of_left, left), (of_right, right));
    };
    let (part, factor) = parts.remove(solved);
    // part * factor + rest + constant = 0
    let turned = |value: &Integer| match factor.is_one() {
        true => -value,
        false => value.clone(),
    };
    let rest = parts.iter().map(|(part, f)| (*part, turned(f))).collect();
    let part = (Integer::ZERO, vec![(part, Integer::ONE)]);
    (part, (turned(&constant), rest))
}

/// The constants of both sides of a comparison, of which one is zero.
pub(crate) fn on_a_side<C: Signed>(constant: C, is_left: bool) -> (C, C) {
    match is_left {
        true => (constant, C::ZERO),
        false => (C::ZERO, constant.negated()),
    }
}

/// What is added, and what is taken away.
pub(crate) fn sides<C: Signed>(parts: Vec<(TermId, C)>) -> [Vec<(TermId, C)>; 2] {
    let (left, right): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(_, f)| f.signum() > 0);
    let right = right.into_iter().map(|(part, f)| (part, f.negated()));
    [left, right.collect()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sort, read};

    #[test]
    fn arithmetic_as_people_write_it() {
        let mut store = TermStore::new();
        for name in ["i", "k", "n"] {
            store.new_symbol(name, Sort::Int);
        }
        let i = read::term(&mut store, "i").expect("a symbol");
        let cases = [
            ("(= (+ n k) i)", "i = k + n"),
            ("(= (- n (* 2 k)) (- i 3))", "i = n - 2*k + 3"),
            ("(< i n)", "i < n"),
            ("(<= (+ i k) (+ n 4))", "i + k <= n + 4"),
            ("(<= 3 n)", "3 <= n"),
            ("(<= n (- 3))", "n <= -3"),
            ("(distinct i 5)", "i != 5"),
            ("(= (* 2 k) (+ (* 4 n) 6))", "k = 2*n + 3"),
            (
                "(or (< i n) (and (= i 0) (<= 1 k)))",
                "i < n or (i = 0 and 1 <= k)",
            ),
            ("(= (mod (+ i k) 2) 0)", "(i + k) mod 2 = 0"),
        ];
        for (text, expected) in cases {
            let term = read::term(&mut store, text).expect("a term");
            let shown = infix(&store, term, &|part| part == i);
            assert_eq!(shown, expected, "{text}");
        }
    }
}
