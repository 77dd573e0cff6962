//! Terms as SMT-LIB text.
//!
//! Terms that stand in several places are named by `let`, so the text is no longer than the terms
//! are. Quotients and remainders are SMT-LIB's `div` and `mod`, which agree with ours for the
//! positive divisors we have.

use crate::Integer;
use crate::term::{Node, Sort, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;

impl TermStore {
    /// A script that declares the symbols of some formulas and asserts them.
    pub fn smtlib_script(&self, formulas: &[TermId]) -> String {
        format!("(set-logic QF_LIA)\n{}", self.smtlib_query(formulas))
    }

    /// The commands that declare the symbols of some formulas, assert them and ask.
    pub fn smtlib_query(&self, formulas: &[TermId]) -> String {
        let mut out = String::new();
        for symbol in self.symbols_of(formulas) {
            let (name, sort) = (self.smtlib_name(symbol), self.symbol(symbol).sort);
            let sort = match sort {
                Sort::Bool => "Bool",
                Sort::Int => "Int",
            };
            out.push_str(&format!("(declare-const {name} {sort})\n"));
        }
        for &formula in formulas {
            out.push_str(&format!("(assert {})\n", self.smtlib(formula)));
        }
        out.push_str("(check-sat)\n");
        out
    }

    /// A term.
    pub fn smtlib(&self, term: TermId) -> String {
        let below = self.below(&[term]);
        let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
        for part in below.iter().flat_map(|&term| self.parts(term)) {
            *uses.entry(part).or_default() += 1;
        }
        let is_shared = |term: &TermId| {
            uses.get(term).is_some_and(|&count| count > 1) && !self.parts(*term).is_empty()
        };
        let shared: Vec<TermId> = below.iter().copied().filter(is_shared).collect();
        let mut out = String::new();
        for &shared in &shared {
            out.push_str(&format!("(let (({} ", let_name(shared)));
            self.write_smtlib(&mut out, shared, &is_shared);
            out.push_str(")) ");
        }
        self.write_smtlib(&mut out, term, &is_shared);
        out.push_str(&")".repeat(shared.len()));
        out
    }

    /// Writes a term whose shared parts have names by now. A list of what is still to write
    /// stands for the stack.
    fn write_smtlib(&self, out: &mut String, root: TermId, is_shared: &dyn Fn(&TermId) -> bool) {
        let mut open = vec![Piece::Term(root)];
        let mut first = true;
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Term(term) if !first && is_shared(&term) => out.push_str(&let_name(term)),
                Piece::Term(term) => open.extend(self.pieces(term).into_iter().rev()),
            }
            first = false;
        }
    }

    /// The text of a term's outermost step, with its parts still to be written.
    fn pieces(&self, term: TermId) -> Vec<Piece> {
        let text = |text: &str| Piece::Text(text.into());
        let call = |name: &str, parts: &[TermId], rest: &str| {
            let mut pieces = vec![Piece::Text(format!("({name}"))];
            for &part in parts {
                pieces.extend([Piece::Text(" ".into()), Piece::Term(part)]);
            }
            pieces.push(Piece::Text(format!("{rest})")));
            pieces
        };
        match self.node(term) {
            Node::Bool(value) => vec![text(&value.to_string())],
            Node::Int(value) => vec![text(&number(value))],
            Node::Symbol(symbol) => vec![text(&self.smtlib_name(*symbol))],
            Node::Sum(constant, parts) => sum(constant, parts),
            Node::Div(a, divisor) => call("div", &[*a], &format!(" {}", number(divisor))),
            Node::Mod(a, divisor) => call("mod", &[*a], &format!(" {}", number(divisor))),
            Node::Ite(condition, then, otherwise) => {
                call("ite", &[*condition, *then, *otherwise], "")
            }
            Node::AtMostZero(sum) => call("<=", &[*sum], " 0"),
            Node::IsZero(sum) => call("=", &[*sum], " 0"),
            Node::Not(a) => call("not", &[*a], ""),
            Node::And(parts) => call("and", parts, ""),
            Node::Or(parts) => call("or", parts, ""),
        }
    }

    /// A symbol's name, in bars where it is no plain one.
    pub fn smtlib_name(&self, symbol: SymbolId) -> String {
        let name = &self.symbol(symbol).name;
        let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
        let is_plain = name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
        if is_plain && !name.is_empty() && !RESERVED.contains(&&**name) {
            return name.to_string();
        }
        // Bars and backslashes cannot stand between bars.
        format!("|{}|", name.replace(['|', '\\'], "_"))
    }
}

const RESERVED: [&str; 13] = [
    "let", "forall", "exists", "and", "or", "not", "ite", "true", "false", "div", "mod", "_", "as",
];

fn let_name(term: TermId) -> String {
    format!("?{term}")
}

/// What is still to be written.
enum Piece {
    Text(String),
    Term(TermId),
}

fn sum(constant: &Integer, parts: &[(TermId, Integer)]) -> Vec<Piece> {
    let several = parts.len() + usize::from(!constant.is_zero()) > 1;
    let mut pieces = Vec::new();
    let mut space = "";
    if several {
        pieces.push(Piece::Text("(+".into()));
        space = " ";
    }
    for (part, factor) in parts {
        if *factor == Integer::ONE {
            pieces.extend([Piece::Text(space.into()), Piece::Term(*part)]);
        } else {
            let start = format!("{space}(* {} ", number(factor));
            let end = Piece::Text(")".into());
            pieces.extend([Piece::Text(start), Piece::Term(*part), end]);
        }
    }
    if !constant.is_zero() {
        pieces.push(Piece::Text(format!(" {}", number(constant))));
    }
    if several {
        pieces.push(Piece::Text(")".into()));
    }
    pieces
}

fn number(value: &Integer) -> String {
    if value.signum() < 0 {
        format!("(- {})", -value)
    } else {
        value.to_string()
    }
}
