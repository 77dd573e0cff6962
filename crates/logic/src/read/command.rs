//! Commands of a script.

use super::forest::ExprId;
use super::term::{Level, Macro, Meaning, Reader};
use super::{Action, Command, Read};
use crate::smtlib;
use crate::term::{Sort, SymbolId, TermId};
use std::rc::Rc;

impl<'t> Reader<'_, 't> {
    /// All commands, up to an `exit`.
    pub(super) fn script(mut self) -> Read<Vec<Command>> {
        let mut commands = Vec::new();
        for &root in self.forest.roots() {
            let action = self.command(root)?;
            let is_last = action == Some(Action::Exit);
            let span = self.forest.span(root);
            commands.extend(action.map(|action| Command { span, action }));
            if is_last {
                break;
            }
        }
        Ok(commands)
    }

    fn command(&mut self, expr: ExprId) -> Read<Option<Action>> {
        let members = self.forest.list(expr).unwrap_or(&[]);
        let head = members.first().and_then(|&head| self.forest.word(head));
        let Some(head) = head else {
            return Err(self.refuse(expr, "expected a command such as `(assert ...)`"));
        };
        let arguments = &members[1..];
        match head {
            "set-logic" | "set-option" | "set-info" => Ok(None),
            "declare-const" | "declare-fun" => self.declare(expr, arguments).map(|()| None),
            "define-fun" | "define-const" => self.define(expr, arguments).map(|()| None),
            "assert" => self.assert(expr, arguments).map(Some),
            "check-sat" => self.alone(arguments, Action::CheckSat),
            "get-model" => self.alone(arguments, Action::GetModel),
            "exit" => self.alone(arguments, Action::Exit),
            "get-interpolants" => {
                let partition = self.partition(expr, arguments)?;
                Ok(Some(Action::GetInterpolants(partition)))
            }
            "echo" => match arguments {
                [text] => Ok(Some(Action::Echo(unquoted(self.forest.text(*text))))),
                _ => Err(self.refuse(expr, "expected (echo \"text\")")),
            },
            "push" => {
                let count = self.count(expr, arguments)?;
                self.levels
                    .resize_with(self.levels.len() + count, Level::default);
                Ok(Some(Action::Push(count)))
            }
            "pop" => {
                let count = self.count(expr, arguments)?;
                self.pop(expr, count)?;
                Ok(Some(Action::Pop(count)))
            }
            _ => Err(self.refuse(members[0], format!("the command `{head}` is not supported"))),
        }
    }

    /// A command that takes no arguments.
    fn alone(&self, arguments: &[ExprId], action: Action) -> Read<Option<Action>> {
        match arguments.first() {
            None => Ok(Some(action)),
            Some(&argument) => Err(self.refuse(argument, "this command takes no arguments")),
        }
    }

    /// How many levels a `push` or a `pop` mentions.
    fn count(&self, expr: ExprId, arguments: &[ExprId]) -> Read<usize> {
        let count = match arguments {
            [] => Some(1),
            [count] => self.forest.text(*count).parse().ok(),
            _ => None,
        };
        // More would be a mistake, and take our memory.
        let count = count.filter(|&count| count <= 1_000_000);
        count.ok_or_else(|| self.refuse(expr, "expected a number of levels"))
    }

    fn pop(&mut self, expr: ExprId, count: usize) -> Read<()> {
        if count >= self.levels.len() {
            return Err(self.refuse(expr, "there are fewer levels to pop"));
        }
        for level in self.levels.split_off(self.levels.len() - count) {
            self.forget(level.names);
            for name in level.assertions {
                self.assertions.remove(name);
            }
        }
        Ok(())
    }

    /// A name that may get a meaning.
    pub(super) fn new_name(&self, expr: ExprId) -> Read<&'t str> {
        let name = self.expect_name(expr)?;
        if smtlib::has_meaning(name) {
            return Err(self.refuse(expr, format!("`{name}` has a meaning of its own")));
        }
        if self.meaning(name).is_some() {
            return Err(self.refuse(expr, format!("`{name}` is declared already")));
        }
        Ok(name)
    }

    /// Gives a name a meaning until its level ends.
    fn declare_as(&mut self, name: &'t str, meaning: Meaning) {
        self.bind(name, meaning);
        self.level().names.push(name);
    }

    /// `(declare-const name sort)` or `(declare-fun name (sort ...) sort)`.
    fn declare(&mut self, expr: ExprId, arguments: &[ExprId]) -> Read<()> {
        let (name, sorts, result) = match *arguments {
            [name, result] => (name, &[][..], result),
            [name, sorts, result] => match self.forest.list(sorts) {
                Some(sorts) => (name, sorts, result),
                None => return Err(self.refuse(sorts, "expected a list of sorts")),
            },
            _ => return Err(self.refuse(expr, "expected a name and its sort")),
        };
        let (name, result) = (self.new_name(name)?, self.sort(result)?);
        let sorts: Read<Vec<Sort>> = sorts.iter().map(|&sort| self.sort(sort)).collect();
        let meaning = match &sorts?[..] {
            [] => {
                let symbol = self.store.symbol_called(name, result);
                Meaning::Term(self.store.of_symbol(symbol))
            }
            sorts => Meaning::Function(self.store.function_called(name, sorts, result)),
        };
        self.declare_as(name, meaning);
        Ok(())
    }

    /// `(define-fun name ((parameter sort) ...) sort term)` or `(define-const name sort term)`.
    pub(super) fn define(&mut self, expr: ExprId, arguments: &[ExprId]) -> Read<()> {
        let (name, parameters, sort, body) = match *arguments {
            [name, sort, body] => (name, &[][..], sort, body),
            [name, parameters, sort, body] => match self.forest.list(parameters) {
                Some(parameters) => (name, parameters, sort, body),
                None => return Err(self.refuse(parameters, "expected a list of parameters")),
            },
            _ => return Err(self.refuse(expr, "expected a name, its sort and a term")),
        };
        let (name, sort) = (self.new_name(name)?, self.sort(sort)?);
        let symbols = parameters
            .iter()
            .map(|&parameter| self.parameter(parameter));
        let symbols: Vec<(&'t str, SymbolId)> = symbols.collect::<Result<_, _>>()?;
        for &(name, symbol) in &symbols {
            let term = self.store.of_symbol(symbol);
            self.bind(name, Meaning::Term(term));
        }
        let read = self.closed_term(body);
        self.forget(symbols.iter().map(|(name, _)| *name));
        let body = self.of_sort(body, read?, sort)?;
        let meaning = if symbols.is_empty() {
            Meaning::Term(body)
        } else {
            let parameters = symbols.into_iter().map(|(_, symbol)| symbol).collect();
            Meaning::Macro(Rc::new(Macro { parameters, body }))
        };
        self.declare_as(name, meaning);
        Ok(())
    }

    fn parameter(&mut self, expr: ExprId) -> Read<(&'t str, SymbolId)> {
        let Some(&[name, sort]) = self.forest.list(expr) else {
            return Err(self.refuse(expr, "expected a parameter (name sort)"));
        };
        let (name, sort) = (self.expect_name(name)?, self.sort(sort)?);
        // Not the name itself, which the script may declare later.
        let symbol = self.store.new_symbol(&format!("{name}!parameter"), sort);
        Ok((name, symbol))
    }

    /// A term of a sort, or an integer where a real is wanted.
    fn of_sort(&mut self, expr: ExprId, term: TermId, sort: Sort) -> Read<TermId> {
        match (sort, self.store.sort(term)) {
            (Sort::Real, Sort::Int) => Ok(self.store.to_real(term)),
            (wanted, found) if wanted == found => Ok(term),
            (wanted, found) => {
                let message =
                    format!("expected a term of sort {wanted}, found one of sort {found}");
                Err(self.refuse(expr, message))
            }
        }
    }

    /// Reads a term and gives the names in it their meanings.
    fn closed_term(&mut self, expr: ExprId) -> Read<TermId> {
        self.named.clear();
        let term = self.term(expr)?;
        for (name, place, term) in std::mem::take(&mut self.named) {
            if self.meaning(name).is_some() || smtlib::has_meaning(name) {
                return Err(self.refuse(place, format!("`{name}` is declared already")));
            }
            self.declare_as(name, Meaning::Term(term));
        }
        Ok(term)
    }

    fn assert(&mut self, expr: ExprId, arguments: &[ExprId]) -> Read<Action> {
        let &[argument] = arguments else {
            return Err(self.refuse(expr, "expected (assert formula)"));
        };
        let term = self.closed_term(argument)?;
        let formula = self.of_sort(argument, term, Sort::Bool)?;
        let name = self.assertion_name(argument);
        if let Some(name) = name {
            self.assertions.insert(name, formula);
            self.level().assertions.push(name);
        }
        let name = name.map(Into::into);
        Ok(Action::Assert { formula, name })
    }

    /// The name in `(! formula :named name)`.
    fn assertion_name(&self, expr: ExprId) -> Option<&'t str> {
        let members = self.forest.list(expr)?;
        if self.forest.word(*members.first()?) != Some("!") {
            return None;
        }
        let at = members
            .iter()
            .position(|&part| self.forest.text(part) == ":named")?;
        self.forest.name(*members.get(at + 1)?)
    }
}

/// A string without its quotes.
fn unquoted(text: &str) -> String {
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner.map_or_else(|| text.to_string(), |inner| inner.replace("\"\"", "\""))
}
