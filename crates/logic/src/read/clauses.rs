//! Scripts of Horn clauses.
//!
//! Two formats: SMT-LIB with the logic `HORN`, whose assertions start with quantifiers, and Z3's
//! with `declare-rel`, `declare-var`, `rule` and `query`. The result is formulas; which of them are
//! clauses is decided elsewhere.
//!
//! # Invariants
//! - Variables of one name and sort are one symbol in all formulas: each formula holds for all
//!   values of its symbols except relations. No relation shares its symbol with a variable.
//! - Terms bound by `let` are read once and never copied.

use super::forest::{ExprId, Forest};
use super::term::{Meaning, Reader};
use super::{Read, Refusal};
use crate::term::{Named, Sort, SymbolId, TermId, TermStore};
use base::{SourceFile, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What a script of clauses says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClauseScript {
    /// The relations, in the order in which they are declared.
    pub relations: Vec<DeclaredRelation>,
    /// Formulas that hold for all values of their variables.
    pub assertions: Vec<(Span, TermId)>,
    /// Formulas that hold for no values of their variables.
    pub queries: Vec<(Span, TermId)>,
}

/// A relation that a script declares.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredRelation {
    /// Its name in the script.
    pub name: Arc<str>,
    /// A function, or a symbol if it has no arguments.
    pub named: Named,
    /// The sorts of its arguments.
    pub sorts: Vec<Sort>,
}

/// Reads a script of clauses.
pub fn clauses(store: &mut TermStore, file: &SourceFile) -> Read<ClauseScript> {
    let forest = Forest::read(&file.text, file.base)?;
    let mut clauses = ClauseReader {
        reader: Reader::new(store, &forest),
        variables: FxHashMap::default(),
        script: ClauseScript::default(),
    };
    for &root in forest.roots() {
        if !clauses.command(root)? {
            break;
        }
    }
    Ok(clauses.script)
}

struct ClauseReader<'r, 't> {
    reader: Reader<'r, 't>,
    /// The symbols of variables.
    variables: FxHashMap<(&'t str, Sort), SymbolId>,
    script: ClauseScript,
}

impl<'t> ClauseReader<'_, 't> {
    /// Obeys a command; false if it is the last.
    fn command(&mut self, expr: ExprId) -> Read<bool> {
        let members = self.reader.forest.list(expr).unwrap_or(&[]);
        let head = members.first();
        let Some(head) = head.and_then(|&head| self.reader.forest.word(head)) else {
            return Err(self.refuse(expr, "expected a command such as `(assert ...)`"));
        };
        let arguments = &members[1..];
        match (head, arguments) {
            ("set-logic" | "set-option" | "set-info" | "echo", _) => {}
            ("check-sat" | "get-model" | "get-info" | "get-proof", _) => {}
            ("exit", _) => return Ok(false),
            ("declare-fun" | "declare-const" | "declare-rel", _) => {
                self.relation(expr, head, arguments)?;
            }
            ("declare-var", &[name, sort]) => {
                let (name, sort) = (self.reader.new_name(name)?, self.reader.sort(sort)?);
                self.bind(name, sort);
            }
            ("define-fun" | "define-const", _) => self.reader.define(expr, arguments)?,
            ("assert", &[formula]) | ("rule", &[formula, ..]) => {
                let formula = self.quantified(formula)?;
                let span = self.reader.forest.span(expr);
                self.script.assertions.push((span, formula));
            }
            ("query", &[query, ..]) => {
                let formula = self.query(query)?;
                let span = self.reader.forest.span(expr);
                self.script.queries.push((span, formula));
            }
            ("declare-var", _) => return Err(self.refuse(expr, "expected a name and its sort")),
            ("assert" | "rule" | "query", _) => {
                return Err(self.refuse(expr, format!("expected ({head} formula)")));
            }
            _ => {
                let message = format!("the command `{head}` is not supported for clauses");
                return Err(self.refuse(members[0], message));
            }
        }
        Ok(true)
    }

    fn refuse(&self, expr: ExprId, message: impl Into<String>) -> Refusal {
        self.reader.refuse(expr, message)
    }

    /// `(declare-fun name (sort ...) Bool)`, `(declare-const name Bool)` or
    /// `(declare-rel name (sort ...))`.
    fn relation(&mut self, expr: ExprId, head: &str, arguments: &[ExprId]) -> Read<()> {
        let (name, sorts, result) = match (head, arguments) {
            ("declare-const", &[name, result]) => (name, None, Some(result)),
            ("declare-fun", &[name, sorts, result]) => (name, Some(sorts), Some(result)),
            ("declare-rel", &[name, sorts, ..]) => (name, Some(sorts), None),
            _ => return Err(self.refuse(expr, "expected a name and its sorts")),
        };
        if let Some(result) = result
            && self.reader.sort(result)? != Sort::Bool
        {
            let message = "only relations can be declared: their result is `Bool`";
            return Err(self.refuse(result, message));
        }
        let name = self.reader.new_name(name)?;
        let sorts: Vec<Sort> = match sorts {
            None => Vec::new(),
            Some(list) => match self.reader.forest.list(list) {
                Some(sorts) => sorts
                    .iter()
                    .map(|&sort| self.reader.sort(sort))
                    .collect::<Result<_, _>>()?,
                None => return Err(self.refuse(list, "expected a list of sorts")),
            },
        };
        let store = &mut *self.reader.store;
        let (named, meaning) = match &sorts[..] {
            [] => {
                let symbol = store.new_symbol(name, Sort::Bool);
                (
                    Named::Symbol(symbol),
                    Meaning::Term(store.of_symbol(symbol)),
                )
            }
            sorts => {
                let function = store.new_function(name, sorts, Sort::Bool);
                (Named::Function(function), Meaning::Function(function))
            }
        };
        self.reader.bind(name, meaning);
        self.script.relations.push(DeclaredRelation {
            name: name.into(),
            named,
            sorts,
        });
        Ok(())
    }

    /// Lets a name mean a variable.
    fn bind(&mut self, name: &'t str, sort: Sort) {
        let store = &mut *self.reader.store;
        let symbol =
            *(self.variables.entry((name, sort))).or_insert_with(|| store.new_symbol(name, sort));
        let term = store.of_symbol(symbol);
        self.reader.bind(name, Meaning::Term(term));
    }

    /// A formula that may open with quantifiers: `forall`, and `exists` below a negation.
    fn quantified(&mut self, expr: ExprId) -> Read<TermId> {
        let forest = self.reader.forest;
        let head = |expr: ExprId| forest.word(*forest.list(expr)?.first()?);
        let (mut at, mut is_negated) = (expr, false);
        let mut bound: Vec<&'t str> = Vec::new();
        loop {
            let members = forest.list(at).unwrap_or(&[]);
            match (head(at), members) {
                (Some("!"), &[_, term, ..]) => at = term,
                (Some("not"), &[_, inner])
                    if matches!(head(inner), Some("exists" | "forall" | "not" | "!")) =>
                {
                    (at, is_negated) = (inner, !is_negated);
                }
                (Some(word @ ("forall" | "exists")), &[_, variables, body]) => {
                    if (word == "exists") != is_negated {
                        let message = "this quantifier should be universal: \
                                       `forall`, or `exists` below a negation";
                        return Err(self.refuse(at, message));
                    }
                    bound.extend(self.variables(variables)?);
                    at = body;
                }
                (Some("forall" | "exists"), _) => {
                    return Err(self.refuse(at, "expected (forall ((name sort) ...) formula)"));
                }
                _ => break,
            }
        }
        let formula = self.formula(at)?;
        self.reader.forget(bound);
        Ok(if is_negated {
            self.reader.store.not(formula)
        } else {
            formula
        })
    }

    /// Binds the variables of a quantifier and returns their names.
    fn variables(&mut self, expr: ExprId) -> Read<Vec<&'t str>> {
        let forest = self.reader.forest;
        let Some(list) = forest.list(expr) else {
            return Err(self.refuse(expr, "expected ((name sort) ...)"));
        };
        let mut names = Vec::new();
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for &variable in list {
            let Some(&[name, sort]) = forest.list(variable) else {
                return Err(self.refuse(variable, "expected a variable (name sort)"));
            };
            let (name, sort) = (self.reader.expect_name(name)?, self.reader.sort(sort)?);
            if !seen.insert(name) {
                return Err(self.refuse(variable, format!("`{name}` is bound twice")));
            }
            self.bind(name, sort);
            names.push(name);
        }
        Ok(names)
    }

    fn formula(&mut self, expr: ExprId) -> Read<TermId> {
        let term = self.reader.term(expr)?;
        self.reader.named.clear();
        match self.reader.store.sort(term) {
            Sort::Bool => Ok(term),
            found => {
                let message = format!("expected a formula, found a term of sort {found}");
                Err(self.refuse(expr, message))
            }
        }
    }

    /// A relation by its name alone, or a formula.
    fn query(&mut self, expr: ExprId) -> Read<TermId> {
        let name = self.reader.forest.name(expr);
        let meaning = name.and_then(|name| self.reader.meaning(name));
        let Some(&Meaning::Function(function)) = meaning else {
            let (forest, mut at) = (self.reader.forest, expr);
            let mut bound = Vec::new();
            while let Some(&[word, variables, body]) = forest.list(at)
                && forest.word(word) == Some("exists")
            {
                bound.extend(self.variables(variables)?);
                at = body;
            }
            let formula = self.formula(at)?;
            self.reader.forget(bound);
            return Ok(formula);
        };
        let store = &mut *self.reader.store;
        let sorts = store.function(function).arguments.to_vec();
        let fresh = |sort| store.fresh("query", sort);
        let arguments: Vec<TermId> = sorts.into_iter().map(fresh).collect();
        Ok(self.reader.store.apply(function, &arguments))
    }
}
