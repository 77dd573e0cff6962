//! Source loops that take the iterations of a leap in one step.
//!
//! A run with leaps is too long for any machine. In a copy of the source each loop that leaps asks,
//! where an iteration is about to start, whether the run leaps here; if so its variables get the
//! values that they have after the proved iterations.
//!
//! # Invariants
//! - Only iterations that a checked lemma covers are omitted: the rest of the run is the program's.

use super::{Failing, spell};
use crate::edit::Order;
use crate::names::{self, Visible};
use base::{Id, Span};
use certify::Leap;
use cfront::ast::visit::{Visitor, walk_stmt};
use cfront::ast::{Stmt, StmtKind};
use program::ir::{LocationId, LoopStatement, ProcId, Scope, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What is to be added to a text and to its driver.
#[derive(Default)]
pub(super) struct Hooks {
    /// Insertions.
    pub(super) edits: Vec<(u32, Order, String)>,
    /// For the head of each text.
    pub(super) declarations: String,
    /// For the driver.
    pub(super) definitions: String,
}

/// Where the iterations of a loop statement begin.
#[derive(Clone, Copy)]
enum Opening {
    /// In front of the condition.
    Condition(u32),
    /// Inside of the block.
    Block(u32),
}

/// The hooks that a run needs. The error says which leap has no place in the text.
pub(super) fn hooks(failing: &Failing<'_>) -> Result<Hooks, String> {
    let mut openings = Openings::default();
    for row in failing.ast.functions.iter() {
        if let Some(body) = &row.body {
            openings.block(&body.block);
        }
    }
    let mut leaps: BTreeMap<(ProcId, LocationId), Vec<&Leap>> = BTreeMap::new();
    for leap in failing.leaps {
        let head = leap.head.ok_or("a loop is not of the program's text")?;
        leaps.entry(head).or_default().push(leap);
    }
    let mut hooks = Hooks::default();
    for (number, (&(proc, head), leaps)) in leaps.iter().enumerate() {
        let mut statements = failing.loaded.program.procs[proc].loops.iter();
        let statement = statements.find(|row| row.head == head);
        let found = statement.and_then(|row| Some((row, openings.0.get(&row.keyword.lo)?)));
        let (statement, &opening) = found.ok_or("a loop that leaps is made by `goto`")?;
        let names = names_at(failing, proc, statement, opening, leaps)?;
        hooks.add(failing, number, opening, &names, leaps);
    }
    Ok(hooks)
}

/// The variables that leaps of a loop give values to, with their names.
fn names_at<'a>(
    failing: &'a Failing<'_>,
    proc: ProcId,
    statement: &'a LoopStatement,
    opening: Opening,
    leaps: &[&Leap],
) -> Result<BTreeMap<VarId, &'a str>, String> {
    let keyword = statement.keyword;
    let (Opening::Condition(end) | Opening::Block(end)) = opening;
    let vars = &failing.loaded.program.vars;
    let Visible { vars: visible, .. } = names::visible(
        &failing.loaded.program,
        &failing.loaded.sources,
        Some(statement),
        keyword,
    );
    // What the loop itself declares before its first iteration hides what is named outside.
    let is_inside = |span: Span| (keyword.lo..end).contains(&span.lo);
    let declared = vars
        .iter_enumerated()
        .filter(|(_, row)| row.scope == Scope::Local(proc) && is_inside(row.span));
    let declared: BTreeMap<VarId, &str> = declared.map(|(var, row)| (var, &*row.name)).collect();
    let hidden: BTreeSet<&str> = declared.values().copied().collect();
    let written = leaps.iter().flat_map(|leap| &leap.after);
    let mut names = BTreeMap::new();
    for &(var, _) in written {
        let outside = visible.get(&var).filter(|name| !hidden.contains(**name));
        if let Some(&name) = declared.get(&var).or(outside) {
            names.insert(var, name);
        } else if vars[var].scope == Scope::Global {
            let name = &vars[var].name;
            return Err(format!(
                "`{name}` changes in a loop that has no name for it"
            ));
        }
        // Another local is declared inside the loop, and new in each iteration.
    }
    Ok(names)
}

impl Hooks {
    /// Adds what one loop needs.
    fn add(
        &mut self,
        failing: &Failing<'_>,
        number: usize,
        opening: Opening,
        names: &BTreeMap<VarId, &str>,
        leaps: &[&Leap],
    ) {
        let befores: Vec<String> = leaps.iter().map(|leap| leap.before.to_string()).collect();
        let count = leaps.len();
        let _ = write!(self.declarations, "extern int cairn_leap_{number}(void); ");
        let _ = write!(
            self.definitions,
            "
static unsigned cairn_next_{number};
int cairn_leap_{number}(void) {{
  static const unsigned long long before[] = {{ {} }};
  static unsigned long long visits;
  visits++;
  if (cairn_next_{number} == {count} || before[cairn_next_{number}] != visits - 1)
    return 0;
  cairn_next_{number}++;
  return 1;
}}
",
            befores.join(", ")
        );
        let mut assignments = Vec::new();
        for (&var, name) in names {
            let ty = spell::holder(failing.loaded.program.vars[var].ty);
            let after = format!("cairn_after_{number}_{}", var.index());
            let values = leaps.iter().map(|leap| {
                let value = leap.after.iter().find(|(other, _)| *other == var);
                // What is not known is not read.
                value.map_or_else(|| "0".to_owned(), |&(_, value)| spell::constant(value))
            });
            let values: Vec<String> = values.collect();
            let _ = write!(self.declarations, "extern {ty} {after}(void); ");
            let _ = write!(
                self.definitions,
                "{ty} {after}(void) {{
  static const {ty} values[] = {{ {} }};
  return values[cairn_next_{number} - 1];
}}
",
                values.join(", ")
            );
            assignments.push(format!("{name} = {after}()"));
        }
        assignments.push("0".to_owned());
        let leap = format!(
            "cairn_leap_{number}() ? (void)({}) : (void)0",
            assignments.join(", ")
        );
        self.edits.push(match opening {
            Opening::Condition(at) => (at, Order::Condition, format!("{leap}, ")),
            Opening::Block(at) => (at, Order::Statement, format!(" {leap};")),
        });
    }
}

/// The openings of loop statements, by the place of their keyword.
#[derive(Default)]
struct Openings(BTreeMap<u32, Opening>);

impl Visitor for Openings {
    fn stmt(&mut self, stmt: &Stmt) {
        let (condition, body) = match &stmt.kind {
            StmtKind::While { condition, body } => (Some(condition), Some(body)),
            StmtKind::For {
                condition, body, ..
            } => (condition.as_ref(), Some(body)),
            StmtKind::DoWhile { body, .. } => (None, Some(body)),
            _ => (None, None),
        };
        let block = body.filter(|body| matches!(body.kind, StmtKind::Block(_)));
        let opening = match (condition, block) {
            (Some(condition), _) => Some(Opening::Condition(condition.span.lo)),
            // Behind the brace.
            (None, Some(block)) => Some(Opening::Block(block.span.lo + 1)),
            (None, None) => None,
        };
        if let Some(opening) = opening {
            self.0.insert(stmt.span.lo, opening);
        }
        walk_stmt(self, stmt);
    }
}
