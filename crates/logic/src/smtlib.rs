//! Terms as SMT-LIB text.
//!
//! Shared terms are named by `let`, so the text is linear in the size of the terms. Quotients and
//! remainders are SMT-LIB's `div` and `mod`, which agree with ours for the positive divisors we
//! have. Comparisons are with zero, as in the terms; in readable output they have two sides.

mod sides;

use crate::evaluate::{FunctionValue, TermValue};
use crate::term::{FunctionId, Node, Sort, SymbolId, TermId, TermStore};
use crate::{Integer, Rational};
use rustc_hash::FxHashMap;
use std::fmt;

impl TermStore {
    /// The commands that declare the symbols of some formulas, assert them and ask.
    pub fn smtlib_query(&self, formulas: &[TermId]) -> String {
        let mut out = String::new();
        for symbol in self.symbols_of(formulas) {
            let (name, sort) = (self.smtlib_name(symbol), self.symbol(symbol).sort);
            out.push_str(&format!("(declare-const {name} {sort})\n"));
        }
        for function in self.functions_of(formulas) {
            let function = self.function(function);
            let sorts: Vec<String> = function.arguments.iter().map(Sort::to_string).collect();
            let (name, result) = (quoted(&function.name), function.result);
            let sorts = sorts.join(" ");
            out.push_str(&format!("(declare-fun {name} ({sorts}) {result})\n"));
        }
        let formulas = formulas.iter();
        out.extend(formulas.map(|&formula| format!("(assert {})\n", self.smtlib(formula))));
        out.push_str("(check-sat)\n");
        out
    }

    /// A term.
    pub fn smtlib(&self, term: TermId) -> String {
        self.written(term, Style::Plain)
    }

    /// A term as people like to read it: `(<= x (+ y 1))`.
    pub fn readable(&self, term: TermId) -> String {
        self.written(term, Style::Readable)
    }

    fn written(&self, root: TermId, style: Style) -> String {
        let parts = |term: TermId| match style {
            Style::Plain => self.parts(term),
            Style::Readable => self.shown_parts(term),
        };
        let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut below = vec![root];
        let mut at = 0;
        while let Some(&term) = below.get(at) {
            at += 1;
            for part in parts(term) {
                let count = uses.entry(part).or_default();
                *count += 1;
                if *count == 1 {
                    below.push(part);
                }
            }
        }
        below.sort_unstable();
        let is_shared = |term: &TermId| {
            uses.get(term).is_some_and(|&count| count > 1) && !self.parts(*term).is_empty()
        };
        let shared: Vec<TermId> = below.iter().copied().filter(is_shared).collect();
        let prefix = self.let_prefix(&below);
        let writer = Writer {
            store: self,
            style,
            is_shared: &is_shared,
            name: &|term: TermId| format!("{prefix}{term}"),
        };
        let mut out = String::new();
        for &shared in &shared {
            out.push_str(&format!("(let (({} ", (writer.name)(shared)));
            writer.write(&mut out, shared);
            out.push_str(")) ");
        }
        writer.write(&mut out, root);
        out.push_str(&")".repeat(shared.len()));
        out
    }

    /// How the names of shared terms start: as no symbol or function among some terms does.
    fn let_prefix(&self, terms: &[TermId]) -> String {
        let mut prefix = String::from("?");
        let name = |term: &TermId| match self.node(*term) {
            Node::Symbol(symbol) => Some(&self.symbol(*symbol).name),
            Node::Apply(function, _) => Some(&self.function(*function).name),
            _ => None,
        };
        for name in terms.iter().filter_map(name) {
            while name.starts_with(&prefix) {
                prefix.push('?');
            }
        }
        prefix
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
            Node::Real(value) => vec![text(&real(value))],
            Node::Symbol(symbol) => vec![text(&self.smtlib_name(*symbol))],
            Node::Sum(constant, parts) => {
                let factor = |factor: &Integer| (!factor.is_one()).then(|| number(factor));
                let parts = parts.iter().map(|(part, times)| (*part, factor(times)));
                sum((!constant.is_zero()).then(|| number(constant)), parts)
            }
            Node::RealSum(constant, parts) => {
                let factor = |factor: &Rational| (!factor.is_one()).then(|| real(factor));
                let parts = parts.iter().map(|(part, times)| (*part, factor(times)));
                sum((!constant.is_zero()).then(|| real(constant)), parts)
            }
            Node::Div(a, divisor) => call("div", &[*a], &format!(" {}", number(divisor))),
            Node::Mod(a, divisor) => call("mod", &[*a], &format!(" {}", number(divisor))),
            Node::Ite(condition, then, otherwise) => {
                call("ite", &[*condition, *then, *otherwise], "")
            }
            Node::ToReal(a) => call("to_real", &[*a], ""),
            Node::Apply(function, arguments) => {
                call(&quoted(&self.function(*function).name), arguments, "")
            }
            Node::Select(array, index) => call("select", &[*array, *index], ""),
            Node::Store(array, index, element) => call("store", &[*array, *index, *element], ""),
            Node::ConstantArray(element) => {
                call(&format!("(as const {})", Sort::Array), &[*element], "")
            }
            Node::AtMostZero(sum) => call("<=", &[*sum], " 0"),
            Node::IsZero(sum) => call("=", &[*sum], " 0"),
            Node::Divides(divisor, sum) => {
                let rest = Piece::Text(format!(" {}) 0)", number(divisor)));
                vec![text("(= (mod "), Piece::Term(*sum), rest]
            }
            Node::Below(sum) => call("<", &[*sum], " 0.0"),
            Node::RealIsZero(sum) => call("=", &[*sum], " 0.0"),
            Node::SameArray(a, b) => call("=", &[*a, *b], ""),
            Node::Not(a) => call("not", &[*a], ""),
            Node::And(parts) => call("and", parts, ""),
            Node::Or(parts) => call("or", parts, ""),
        }
    }

    /// A symbol's name, in bars where it is not a plain one.
    pub fn smtlib_name(&self, symbol: SymbolId) -> String {
        quoted(&self.symbol(symbol).name)
    }
}

/// How comparisons look.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Readable,
}

/// Writes terms whose shared parts have names by now.
struct Writer<'w> {
    store: &'w TermStore,
    style: Style,
    is_shared: &'w dyn Fn(&TermId) -> bool,
    name: &'w dyn Fn(TermId) -> String,
}

impl Writer<'_> {
    /// Writes a term. A list of what is still to write stands for the stack.
    fn write(&self, out: &mut String, root: TermId) {
        let mut open = vec![Piece::Term(root)];
        let mut first = true;
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Term(term) if !first && (self.is_shared)(&term) => {
                    out.push_str(&(self.name)(term));
                }
                Piece::Term(term) => open.extend(self.pieces(term).into_iter().rev()),
            }
            first = false;
        }
    }

    fn pieces(&self, term: TermId) -> Vec<Piece> {
        if self.style == Style::Readable
            && let Some(sides) = self.store.sides(term)
        {
            return sides.pieces();
        }
        self.store.pieces(term)
    }
}

/// A name, in bars where it is not a plain one.
pub fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let is_plain = name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_plain && !name.is_empty() && !RESERVED.contains(&name) {
        return name.to_string();
    }
    format!("|{name}|")
}

/// Words of the language, which bars make names.
const RESERVED: [&str; 10] = [
    "let", "forall", "exists", "match", "par", "_", "!", "as", "NUMERAL", "STRING",
];

/// Names that have a meaning of their own, with bars and without.
const MEANINGS: &str = "* + - / < <= = => > >= Array Bool Int Real abs and distinct div divisible \
    false is_int ite mod not or select store to_int to_real true xor";

/// Whether SMT-LIB gives a name a meaning of its own, so that nothing else can be called so.
pub(crate) fn has_meaning(name: &str) -> bool {
    MEANINGS.split(' ').any(|known| known == name)
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Real => "Real",
            Sort::Array => "(Array Int Int)",
        })
    }
}

/// What is still to be written.
enum Piece {
    Text(String),
    Term(TermId),
}

/// A sum of a constant, unless it is zero, and of terms with factors, unless they are one.
fn sum(
    constant: Option<String>,
    parts: impl ExactSizeIterator<Item = (TermId, Option<String>)>,
) -> Vec<Piece> {
    let several = parts.len() + usize::from(constant.is_some()) > 1;
    let mut pieces = Vec::new();
    let mut space = "";
    if several {
        pieces.push(Piece::Text("(+".into()));
        space = " ";
    }
    for (part, factor) in parts {
        match factor {
            None => pieces.extend([Piece::Text(space.into()), Piece::Term(part)]),
            Some(factor) => {
                let start = Piece::Text(format!("{space}(* {factor} "));
                pieces.extend([start, Piece::Term(part), Piece::Text(")".into())]);
            }
        }
    }
    if let Some(constant) = constant {
        pieces.push(Piece::Text(format!(" {constant}")));
    }
    if several {
        pieces.push(Piece::Text(")".into()));
    }
    pieces
}

impl TermValue {
    /// The value as SMT-LIB text.
    pub fn smtlib(&self) -> String {
        match self {
            TermValue::Bool(value) => value.to_string(),
            TermValue::Int(value) => number(value),
            TermValue::Real(value) => real(value),
            TermValue::Array(array) => {
                let default = number(array.default_element());
                let constant = format!("((as const {}) {default})", Sort::Array);
                array.entries().fold(constant, |inner, (index, element)| {
                    format!("(store {inner} {} {})", number(index), number(element))
                })
            }
        }
    }
}

impl TermStore {
    /// The definition of a symbol by its value.
    pub fn smtlib_definition(&self, symbol: SymbolId, value: &TermValue) -> String {
        let (name, sort) = (self.smtlib_name(symbol), self.symbol(symbol).sort);
        format!("(define-fun {name} () {sort} {})", value.smtlib())
    }

    /// The definition of a function by its values.
    pub fn smtlib_function(&self, function: FunctionId, value: &FunctionValue) -> String {
        let function = self.function(function);
        let parameters: Vec<String> = (function.arguments.iter().enumerate())
            .map(|(at, sort)| format!("(a{at} {sort})"))
            .collect();
        let mut body = value.default.smtlib();
        for (arguments, result) in value.entries.iter().rev() {
            let equal: Vec<String> = (arguments.iter().enumerate())
                .map(|(at, argument)| format!("(= a{at} {})", argument.smtlib()))
                .collect();
            let condition = match &equal[..] {
                [single] => single.clone(),
                several => format!("(and {})", several.join(" ")),
            };
            body = format!("(ite {condition} {} {body})", result.smtlib());
        }
        let (name, parameters) = (quoted(&function.name), parameters.join(" "));
        format!(
            "(define-fun {name} ({parameters}) {} {body})",
            function.result
        )
    }
}

fn real(value: &Rational) -> String {
    let size = value.abs();
    let text = match size.to_integer() {
        Some(integer) => format!("{integer}.0"),
        None => format!("(/ {}.0 {}.0)", size.numerator(), size.denominator()),
    };
    if value.signum() < 0 {
        format!("(- {text})")
    } else {
        text
    }
}

fn number(value: &Integer) -> String {
    if value.signum() < 0 {
        format!("(- {})", -value)
    } else {
        value.to_string()
    }
}
