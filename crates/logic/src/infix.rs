//! Terms as people write them: `i' = i + k`, `i < n or 3 <= j`.

use crate::{Integer, Node, TermId, TermStore};

/// A term in words. `is_wanted` says which symbols an equation is solved for where it can be.
pub fn infix(store: &TermStore, term: TermId, is_wanted: &dyn Fn(TermId) -> bool) -> String {
    Writer { store, is_wanted }.term(term)
}

/// A term and how often it is added.
type Part = (TermId, Integer);

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
            Sum(..) => {
                let (constant, parts) = self.store.to_linear(term);
                self.sum(&constant, &parts)
            }
            Div(a, divisor) => format!("{} div {divisor}", self.within(*a)),
            Mod(a, divisor) => format!("{} mod {divisor}", self.within(*a)),
            Ite(condition, then, otherwise) => format!(
                "(if {} then {} else {})",
                self.term(*condition),
                self.term(*then),
                self.term(*otherwise)
            ),
            AtMostZero(sum) => self.at_most(*sum),
            IsZero(sum) => self.equation(*sum, "="),
            Divides(divisor, sum) => format!("{} mod {divisor} = 0", self.within(*sum)),
            Not(inner) => match self.store.node(*inner) {
                IsZero(sum) => self.equation(*sum, "!="),
                _ => format!("not {}", self.within(*inner)),
            },
            And(parts) => self.joined(parts, " and "),
            Or(parts) => self.joined(parts, " or "),
            Real(_) | RealSum(..) | ToReal(_) | Apply(..) | Select(..) | Store(..) | Below(_)
            | RealIsZero(_) | SameArray(..) => self.store.readable(term),
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
    fn sum(&self, constant: &Integer, parts: &[Part]) -> String {
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

    /// `sum <= 0`, with what is added on the left.
    fn at_most(&self, sum: TermId) -> String {
        let (constant, parts) = self.store.to_linear(sum);
        let (left, right) = sides(&parts);
        let zero = Integer::ZERO;
        if constant.is_one() && !left.is_empty() && !right.is_empty() {
            return format!("{} < {}", self.sum(&zero, &left), self.sum(&zero, &right));
        }
        // A constant stands alone, or where it is positive.
        let is_left = left.is_empty() || (constant > zero && !right.is_empty());
        let (of_left, of_right) = match is_left {
            true => (constant, zero),
            false => (zero, -&constant),
        };
        let (left, right) = (self.sum(&of_left, &left), self.sum(&of_right, &right));
        format!("{left} <= {right}")
    }

    /// `sum = 0`, solved for a wanted symbol if there is one.
    fn equation(&self, sum: TermId, sign: &str) -> String {
        let (constant, parts) = self.store.to_linear(sum);
        let is_unit = |factor: &Integer| factor.abs().is_one();
        let is_wanted = |part: TermId| (self.is_wanted)(part);
        let wanted = parts
            .iter()
            .position(|(part, f)| is_unit(f) && is_wanted(*part));
        let first = || parts.iter().position(|(_, f)| is_unit(f));
        let Some(solved) = wanted.or_else(first) else {
            let (left, right) = sides(&parts);
            let left = self.sum(&constant, &left);
            return format!("{left} {sign} {}", self.sum(&Integer::ZERO, &right));
        };
        let mut rest = parts.clone();
        let (part, factor) = rest.remove(solved);
        // part * factor + rest + constant = 0
        let turned = |value: &Integer| match factor.is_one() {
            true => -value,
            false => value.clone(),
        };
        let rest: Vec<Part> = rest.iter().map(|(part, f)| (*part, turned(f))).collect();
        let right = self.sum(&turned(&constant), &rest);
        format!("{} {sign} {right}", self.within(part))
    }
}

/// What is added, and what is taken away.
fn sides(parts: &[Part]) -> (Vec<Part>, Vec<Part>) {
    let (left, right): (Vec<_>, Vec<_>) = parts
        .iter()
        .cloned()
        .partition(|(_, factor)| *factor > Integer::ZERO);
    let right = right.into_iter().map(|(part, f)| (part, -&f)).collect();
    (left, right)
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
