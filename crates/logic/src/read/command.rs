//! Commands of a script.

use super::forest::ExprId;
use super::term::{Macro, Meaning, Reader};
use super::{Action, Command, Refusal};
use crate::smtlib;
use crate::term::{Named, Sort, SymbolId, TermId};
use std::rc::Rc;

/// What the commands between a `push` and its `pop` brought.
#[derive(Default)]
struct Level<'t> {
    names: Vec<&'t str>,
    assertions: Vec<&'t str>,
}

/// The levels that are open, the outermost first.
struct Levels<'t>(Vec<Level<'t>>);

impl<'t> Levels<'t> {
    fn top(&mut self) -> &mut Level<'t> {
        self.0.last_mut().expect("there should be a level")
    }
}

impl<'t> Reader<'_, 't> {
    /// All commands, up to an `exit`.
    pub(super) fn script(mut self) -> Result<Vec<Command>, Refusal> {
        let mut levels = Levels(vec![Level::default()]);
        let mut commands = Vec::new();
        for &root in self.forest.roots() {
            let action = self.command(root, &mut levels)?;
            let is_last = action == Some(Action::Exit);
            let span = self.forest.span(root);
            commands.extend(action.map(|action| Command { span, action }));
            if is_last {
                break;
            }
        }
        Ok(commands)
    }

    fn command(
        &mut self,
        expr: ExprId,
        levels: &mut Levels<'t>,
    ) -> Result<Option<Action>, Refusal> {
        let members = self.forest.list(expr).unwrap_or(&[]);
        let head = members.first().and_then(|&head| self.forest.word(head));
        let Some(head) = head else {
            return Err(self.refuse(expr, "expected a command such as `(assert ...)`"));
        };
        let arguments = &members[1..];
        match head {
            "set-logic" | "set-option" | "set-info" => Ok(None),
            "declare-const" | "declare-fun" => self.declare(expr, arguments, levels).map(|()| None),
            "define-fun" | "define-const" => self.define(expr, arguments, levels).map(|()| None),
            "assert" => self.assert(expr, arguments, levels).map(Some),
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
                levels.0.extend((0..count).map(|_| Level::default()));
                Ok(Some(Action::Push(count)))
            }
            "pop" => {
                let count = self.count(expr, arguments)?;
                self.pop(expr, count, levels)?;
                Ok(Some(Action::Pop(count)))
            }
            _ => Err(self.refuse(members[0], format!("the command `{head}` is not supported"))),
        }
    }

    /// A command that takes no arguments.
    fn alone(&self, arguments: &[ExprId], action: Action) -> Result<Option<Action>, Refusal> {
        match arguments.first() {
            None => Ok(Some(action)),
            Some(&argument) => Err(self.refuse(argument, "this command takes no arguments")),
        }
    }

    /// How many levels a `push` or a `pop` speaks of.
    fn count(&self, expr: ExprId, arguments: &[ExprId]) -> Result<usize, Refusal> {
        let count = match arguments {
            [] => Some(1),
            [count] => self.forest.text(*count).parse().ok(),
            _ => None,
        };
        // More would be a mistake, and take our memory.
        let count = count.filter(|&count| count <= 1_000_000);
        count.ok_or_else(|| self.refuse(expr, "expected a number of levels"))
    }

    fn pop(&mut self, expr: ExprId, count: usize, levels: &mut Levels<'t>) -> Result<(), Refusal> {
        if count >= levels.0.len() {
            return Err(self.refuse(expr, "there are fewer levels to pop"));
        }
        for level in levels.0.drain(levels.0.len() - count..).rev() {
            for name in level.names {
                self.forget(name);
            }
            for name in level.assertions {
                self.assertions.remove(name);
            }
        }
        Ok(())
    }

    /// A name that may get a meaning.
    fn new_name(&self, expr: ExprId) -> Result<&'t str, Refusal> {
        let name = self.expect_name(expr)?;
        if smtlib::has_meaning(name) {
            return Err(self.refuse(expr, format!("`{name}` has a meaning of its own")));
        }
        if self.meaning(name).is_some() {
            return Err(self.refuse(expr, format!("`{name}` is declared already")));
        }
        Ok(name)
    }

    fn give(&mut self, name: &'t str, meaning: Meaning, levels: &mut Levels<'t>) {
        self.meanings.entry(name).or_default().push(meaning);
        levels.top().names.push(name);
    }

    /// `(declare-const name sort)` or `(declare-fun name (sort ...) sort)`.
    fn declare(
        &mut self,
        expr: ExprId,
        arguments: &[ExprId],
        levels: &mut Levels<'t>,
    ) -> Result<(), Refusal> {
        let (name, sorts, result) = match *arguments {
            [name, result] => (name, &[][..], result),
            [name, sorts, result] => match self.forest.list(sorts) {
                Some(sorts) => (name, sorts, result),
                None => return Err(self.refuse(sorts, "expected a list of sorts")),
            },
            _ => return Err(self.refuse(expr, "expected a name and its sort")),
        };
        let (name, result) = (self.new_name(name)?, self.sort(result)?);
        let sorts: Result<Vec<Sort>, Refusal> = sorts.iter().map(|&sort| self.sort(sort)).collect();
        let meaning = match &sorts?[..] {
            [] => {
                let symbol = self.symbol_called(name, result);
                Meaning::Term(self.store.of_symbol(symbol))
            }
            sorts => Meaning::Function(match self.store.named(name) {
                Some(Named::Function(known))
                    if *self.store.function(known).arguments == *sorts
                        && self.store.function(known).result == result =>
                {
                    known
                }
                Some(_) | None => self.store.new_function(name, sorts, result),
            }),
        };
        self.give(name, meaning, levels);
        Ok(())
    }

    /// The store's symbol of a name, if it has that sort; else a new one.
    fn symbol_called(&mut self, name: &str, sort: Sort) -> SymbolId {
        match self.store.named(name) {
            Some(Named::Symbol(known)) if self.store.symbol(known).sort == sort => known,
            Some(_) | None => self.store.new_symbol(name, sort),
        }
    }

    /// `(define-fun name ((parameter sort) ...) sort term)` or `(define-const name sort term)`.
    fn define(
        &mut self,
        expr: ExprId,
        arguments: &[ExprId],
        levels: &mut Levels<'t>,
    ) -> Result<(), Refusal> {
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
            self.meanings
                .entry(name)
                .or_default()
                .push(Meaning::Term(term));
        }
        let read = self.closed_term(body, levels);
        for (name, _) in &symbols {
            self.forget(name);
        }
        let body = self.of_sort(body, read?, sort)?;
        let meaning = if symbols.is_empty() {
            Meaning::Term(body)
        } else {
            let parameters = symbols.into_iter().map(|(_, symbol)| symbol).collect();
            Meaning::Macro(Rc::new(Macro { parameters, body }))
        };
        self.give(name, meaning, levels);
        Ok(())
    }

    /// A definition of a script without levels.
    pub(super) fn define_alone(
        &mut self,
        expr: ExprId,
        arguments: &[ExprId],
    ) -> Result<(), Refusal> {
        self.define(expr, arguments, &mut Levels(vec![Level::default()]))
    }

    fn parameter(&mut self, expr: ExprId) -> Result<(&'t str, SymbolId), Refusal> {
        let Some(&[name, sort]) = self.forest.list(expr) else {
            return Err(self.refuse(expr, "expected a parameter (name sort)"));
        };
        let (name, sort) = (self.expect_name(name)?, self.sort(sort)?);
        // Not the name itself, which the script may declare later.
        let symbol = self.store.new_symbol(&format!("{name}!parameter"), sort);
        Ok((name, symbol))
    }

    /// A term of a sort, or an integer where a real is wanted.
    fn of_sort(&mut self, expr: ExprId, term: TermId, sort: Sort) -> Result<TermId, Refusal> {
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
    fn closed_term(&mut self, expr: ExprId, levels: &mut Levels<'t>) -> Result<TermId, Refusal> {
        self.named.clear();
        let term = self.term(expr)?;
        for (name, place, term) in std::mem::take(&mut self.named) {
            if self.meaning(name).is_some() || smtlib::has_meaning(name) {
                return Err(self.refuse(place, format!("`{name}` is declared already")));
            }
            self.give(name, Meaning::Term(term), levels);
        }
        Ok(term)
    }

    fn assert(
        &mut self,
        expr: ExprId,
        arguments: &[ExprId],
        levels: &mut Levels<'t>,
    ) -> Result<Action, Refusal> {
        let &[argument] = arguments else {
            return Err(self.refuse(expr, "expected (assert formula)"));
        };
        let term = self.closed_term(argument, levels)?;
        let formula = self.of_sort(argument, term, Sort::Bool)?;
        let name = self.assertion_name(argument);
        if let Some(name) = name {
            self.assertions.insert(name, formula);
            levels.top().assertions.push(name);
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
