//! Nested lists as terms.
//!
//! A worklist replaces the stack, and a list of the terms read so far holds the results.

use super::forest::{ExprId, Forest, Kind};
use super::{Read, Refusal};
use crate::smtlib;
use crate::term::{FunctionId, Named, Sort, SymbolId, TermId, TermStore};
use crate::{Integer, Rational};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a name stands for at some place of a script.
#[derive(Clone)]
pub(super) enum Meaning {
    Term(TermId),
    Function(FunctionId),
    Macro(Rc<Macro>),
}

/// A defined function: a term with parameters.
pub(super) struct Macro {
    pub(super) parameters: Vec<SymbolId>,
    pub(super) body: TermId,
}

/// Reads the expressions of a forest.
pub(super) struct Reader<'r, 't> {
    pub(super) store: &'r mut TermStore,
    pub(super) forest: &'r Forest<'t>,
    /// The meanings of each name, the innermost last.
    pub(super) meanings: FxHashMap<&'t str, Vec<Meaning>>,
    /// The names of assertions, and which `let` cannot hide.
    pub(super) assertions: FxHashMap<&'t str, TermId>,
    /// What a term that is being read was called by `:named`.
    pub(super) named: Vec<(&'t str, ExprId, TermId)>,
    /// The levels that are open, the outermost first.
    pub(super) levels: Vec<Level<'t>>,
}

/// What the commands between a `push` and its `pop` brought.
#[derive(Default)]
pub(super) struct Level<'t> {
    pub(super) names: Vec<&'t str>,
    pub(super) assertions: Vec<&'t str>,
}

/// What is still to do.
enum Pending<'t> {
    /// Read this and leave a result.
    Read(ExprId),
    /// Take so many results, and leave what the head of this list makes of them.
    Apply(ExprId, usize),
    /// Take the results of a `let`'s bindings and bind them.
    Bind(Vec<&'t str>),
    /// End a `let`.
    Unbind(Vec<&'t str>),
    /// Give the last result a name.
    Name(&'t str, ExprId),
}

impl<'r, 't> Reader<'r, 't> {
    pub(super) fn new(store: &'r mut TermStore, forest: &'r Forest<'t>) -> Self {
        Reader {
            store,
            forest,
            meanings: FxHashMap::default(),
            assertions: FxHashMap::default(),
            named: Vec::new(),
            levels: vec![Level::default()],
        }
    }

    /// Gives the names of the store in the text their meanings.
    pub(super) fn know_the_store(&mut self) {
        let mut open: Vec<ExprId> = self.forest.roots().to_vec();
        while let Some(expr) = open.pop() {
            open.extend(self.forest.list(expr).unwrap_or(&[]));
            if let Some(name) = self.forest.name(expr)
                && !self.meanings.contains_key(name)
                && let Some(named) = self.store.named(name)
            {
                let meaning = match named {
                    Named::Symbol(symbol) => Meaning::Term(self.store.of_symbol(symbol)),
                    Named::Function(function) => Meaning::Function(function),
                };
                self.bind(name, meaning);
            }
        }
    }

    pub(super) fn refuse(&self, expr: ExprId, message: impl Into<String>) -> Refusal {
        self.forest.refuse(self.forest.span(expr), message)
    }

    pub(super) fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.meanings.get(name)?.last()
    }

    /// The term of an expression.
    pub(super) fn term(&mut self, root: ExprId) -> Read<TermId> {
        let mut steps = vec![Pending::Read(root)];
        let mut results: Vec<TermId> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Pending::Read(expr) => match self.forest.list(expr) {
                    Some(members) => self.open(expr, members, &mut steps)?,
                    None => results.push(self.atom(expr)?),
                },
                Pending::Apply(expr, count) => {
                    let arguments = results.split_off(results.len() - count);
                    results.push(self.apply(expr, arguments)?);
                }
                Pending::Bind(names) => {
                    let values = results.split_off(results.len() - names.len());
                    for (&name, value) in names.iter().zip(values) {
                        self.bind(name, Meaning::Term(value));
                    }
                }
                Pending::Unbind(names) => self.forget(names),
                Pending::Name(name, expr) => {
                    let term = *results.last().expect("a named term should be read by now");
                    self.named.push((name, expr, term));
                }
            }
        }
        Ok(results.pop().expect("a term should be left"))
    }

    /// The innermost level.
    pub(super) fn level(&mut self) -> &mut Level<'t> {
        self.levels.last_mut().expect("there should be a level")
    }

    /// Gives a name another meaning, which is the innermost.
    pub(super) fn bind(&mut self, name: &'t str, meaning: Meaning) {
        self.meanings.entry(name).or_default().push(meaning);
    }

    /// Ends the innermost meanings of names.
    pub(super) fn forget<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            if let Some(meanings) = self.meanings.get_mut(name) {
                meanings.pop();
            }
        }
    }

    /// What there is to do for a list.
    fn open(&mut self, expr: ExprId, members: &[ExprId], steps: &mut Vec<Pending<'t>>) -> Read<()> {
        let Some((&head, arguments)) = members.split_first() else {
            return Err(self.refuse(expr, "an empty list is no term"));
        };
        match self.forest.word(head) {
            Some("let") => return self.open_let(expr, arguments, steps),
            Some("!") => return self.open_named(expr, arguments, steps),
            Some("forall" | "exists") => {
                return Err(self.refuse(expr, "quantifiers are not supported"));
            }
            Some("match" | "as" | "_") => {
                return Err(self.refuse(expr, "such terms are not supported"));
            }
            Some(_) | None => {}
        }
        if arguments.is_empty() {
            return Err(self.refuse(expr, "a list that is a term should have arguments"));
        }
        steps.push(Pending::Apply(expr, arguments.len()));
        steps.extend(
            arguments
                .iter()
                .rev()
                .map(|&argument| Pending::Read(argument)),
        );
        Ok(())
    }

    fn open_let(
        &mut self,
        expr: ExprId,
        arguments: &[ExprId],
        steps: &mut Vec<Pending<'t>>,
    ) -> Read<()> {
        let bindings = arguments.first().and_then(|&list| self.forest.list(list));
        let (Some(bindings), [_, body]) = (bindings, arguments) else {
            return Err(self.refuse(expr, "expected (let ((name term) ...) term)"));
        };
        let mut names: Vec<&'t str> = Vec::new();
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut values = Vec::new();
        for &binding in bindings {
            let pair = match self.forest.list(binding) {
                Some([name, value]) => self.forest.name(*name).map(|name| (name, *value)),
                Some(_) | None => None,
            };
            let Some((name, value)) = pair else {
                return Err(self.refuse(binding, "expected a binding (name term)"));
            };
            if !seen.insert(name) {
                return Err(self.refuse(binding, format!("`{name}` is bound twice")));
            }
            names.push(name);
            values.push(Pending::Read(value));
        }
        steps.push(Pending::Unbind(names.clone()));
        steps.push(Pending::Read(*body));
        steps.push(Pending::Bind(names));
        steps.extend(values.into_iter().rev());
        Ok(())
    }

    /// `(! term :named name)`; other attributes say nothing to us.
    fn open_named(
        &mut self,
        expr: ExprId,
        arguments: &[ExprId],
        steps: &mut Vec<Pending<'t>>,
    ) -> Read<()> {
        let Some((&term, attributes)) = arguments.split_first() else {
            return Err(self.refuse(expr, "expected (! term :named name)"));
        };
        let mut rest = attributes.iter();
        while let Some(&attribute) = rest.next() {
            if self.forest.text(attribute) != ":named" {
                continue;
            }
            let Some(name) = rest.next().and_then(|&name| self.forest.name(name)) else {
                return Err(self.refuse(attribute, "a name should follow `:named`"));
            };
            steps.push(Pending::Name(name, expr));
        }
        steps.push(Pending::Read(term));
        Ok(())
    }

    fn atom(&mut self, expr: ExprId) -> Read<TermId> {
        let text = self.forest.text(expr);
        match self.forest.kind(expr) {
            Kind::Numeral => {
                let value: Integer = text.parse().expect("a numeral should be digits");
                Ok(self.store.int(value))
            }
            Kind::Decimal => {
                let value = decimal(text);
                Ok(self.store.real(value))
            }
            Kind::Symbol | Kind::Quoted => self.symbol(expr),
            Kind::Bits => Err(self.refuse(expr, "bit vectors are not supported")),
            Kind::Text => Err(self.refuse(expr, "a string is no term")),
            Kind::Keyword => Err(self.refuse(expr, "a keyword is no term")),
            Kind::List { .. } => unreachable!("a list should be opened"),
        }
    }

    fn symbol(&mut self, expr: ExprId) -> Read<TermId> {
        let name = self.forest.name(expr).expect("it should be a name");
        match self.meaning(name) {
            Some(Meaning::Term(term)) => return Ok(*term),
            Some(Meaning::Function(_) | Meaning::Macro(_)) => {
                let message = format!("the function `{name}` needs arguments");
                return Err(self.refuse(expr, message));
            }
            None => {}
        }
        match name {
            "true" => Ok(self.store.bool(true)),
            "false" => Ok(self.store.bool(false)),
            _ if smtlib::has_meaning(name) => {
                Err(self.refuse(expr, format!("`{name}` needs arguments")))
            }
            _ => Err(self.undeclared(expr, name)),
        }
    }

    pub(super) fn undeclared(&self, expr: ExprId, name: &str) -> Refusal {
        let mut refusal = self.refuse(expr, format!("`{name}` is not declared"));
        refusal.help = Some(format!(
            "declare it first, as in `(declare-const {name} Int)`"
        ));
        refusal
    }

    /// The sort that an expression names.
    pub(super) fn sort(&self, expr: ExprId) -> Read<Sort> {
        let sort = match self.forest.list(expr) {
            None => match self.forest.name(expr) {
                Some("Bool") => Some(Sort::Bool),
                Some("Int") => Some(Sort::Int),
                Some("Real") => Some(Sort::Real),
                Some(_) | None => None,
            },
            Some(&[array, index, element]) => {
                let names = [array, index, element].map(|part| self.forest.name(part));
                (names == [Some("Array"), Some("Int"), Some("Int")]).then_some(Sort::Array)
            }
            Some(_) => None,
        };
        sort.ok_or_else(|| {
            let mut refusal = self.refuse(expr, "this sort is not supported");
            let known = "there are `Bool`, `Int`, `Real` and `(Array Int Int)`";
            refusal.help = Some(known.into());
            refusal
        })
    }

    /// The name that an expression is.
    pub(super) fn expect_name(&self, expr: ExprId) -> Read<&'t str> {
        let name = self.forest.name(expr);
        name.ok_or_else(|| self.refuse(expr, "a name should stand here"))
    }
}

/// The number that digits with a point are.
fn decimal(text: &str) -> Rational {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits: Integer = (whole.to_string() + part)
        .parse()
        .expect("a decimal should be digits");
    let mut scale = Integer::ONE;
    for _ in part.bytes() {
        scale = &scale * &Integer::from(10i64);
    }
    Rational::new(digits, scale)
}
