//! A path as a list of lines, ready to be shown.

use super::depend::CauseId;
use super::fold::{Call, Entry, Loop, Visit};
use super::names::Names;
use crate::model::Assigned;
use base::{Id, Span};
use exec::{Storage, Target, Value};
use program::ir::{ProcId, Program, Scope};

/// A line as executed once.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where.
    pub span: Span,
    /// The procedure.
    pub proc: ProcId,
    /// How many calls deep; 0 in the first procedure that is shown.
    pub depth: usize,
    /// The arguments, if this is the first line of a call.
    pub entered: Option<Vec<Assigned>>,
    /// What got a value here.
    pub values: Vec<Assigned>,
    /// Whether the failure depends on something that happened here, or on what it calls.
    pub matters: bool,
    /// How many loops around it are turned in this call.
    pub nest: usize,
    /// Set on the first line of a turn.
    pub turn: Option<TurnStart>,
    /// How many lines are left out before it, besides those of turns.
    pub left_out: u64,
}

/// The start of a turn of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnStart {
    /// The head of the loop.
    pub head: Span,
    /// Which, from 1.
    pub number: u64,
    /// How many there are.
    pub of: u64,
    /// How many turns are left out before it.
    pub skipped: u64,
}

/// Calls of one procedure inside of each other that are shown at the outer end.
const OUTER: usize = 2;
/// The same at the inner end.
const INNER: usize = 2;

/// The lines of a path. `needed` says what the failure depends on; without it everything matters.
/// `failing` is where it is violated, if it is, and stands at the end in any case.
pub(super) fn lines(
    program: &Program,
    names: &Names<'_>,
    entries: &[Entry],
    needed: Option<&[bool]>,
    failing: Option<(ProcId, Span)>,
    is_same_line: impl Fn(Span, Span) -> bool,
) -> Vec<Line> {
    let mut writer = Writer {
        program,
        names,
        needed,
        lines: Vec::new(),
        stack: Vec::new(),
        leaves: Vec::new(),
        nest: 0,
        turn: None,
        entered: None,
        left_out: 0,
    };
    writer.entries(entries);
    if let Some((proc, span)) = failing {
        let last = writer.lines.last();
        let is_shown = last.is_some_and(|last| is_same_line(last.span, span));
        if writer.entered.is_some() || !is_shown {
            writer.failing(proc, span);
        }
    }
    writer.lines
}

struct Writer<'a> {
    program: &'a Program,
    names: &'a Names<'a>,
    needed: Option<&'a [bool]>,
    lines: Vec<Line>,
    /// The calls around.
    stack: Vec<ProcId>,
    /// For each call around, whether its innermost call of itself has been shown.
    leaves: Vec<bool>,
    nest: usize,
    /// What the next line starts with.
    turn: Option<TurnStart>,
    entered: Option<Vec<Assigned>>,
    left_out: u64,
}

impl Writer<'_> {
    fn entries(&mut self, entries: &[Entry]) {
        for (index, entry) in entries.iter().enumerate() {
            match entry {
                Entry::Visit(visit) => {
                    let line = self.lines.len();
                    self.visit(visit);
                    // The line that calls matters if the call does.
                    if let Some(Entry::Call(call)) = entries.get(index + 1)
                        && self.call_matters(call)
                    {
                        self.lines[line].matters = true;
                    }
                }
                Entry::Call(call) => self.call(call),
                Entry::Loop(inner) => self.turns(inner),
                Entry::LeftOut(count) => self.left_out += count,
            }
        }
    }

    fn is_needed(&self, cause: CauseId) -> bool {
        self.needed.is_none_or(|needed| needed[cause.index()])
    }

    fn visit(&mut self, visit: &Visit) {
        let matters = self
            .needed
            .is_none_or(|needed| needed[visit.causes.clone()].contains(&true));
        let hidden = |target: &Target| target.describe(self.program).starts_with('$');
        let values = visit.values.iter().filter(|(target, ..)| !hidden(target));
        let values = values.map(|&(target, value, cause)| self.assigned(target, value, cause));
        self.lines.push(Line {
            span: visit.span,
            proc: visit.proc,
            depth: visit.depth,
            values: values.collect(),
            entered: self.entered.take(),
            matters,
            nest: self.nest,
            turn: self.turn.take(),
            left_out: std::mem::take(&mut self.left_out),
        });
    }

    /// The line of the violation, which nothing was executed at. It may be all of a call.
    fn failing(&mut self, proc: ProcId, span: Span) {
        let entered = self.entered.take();
        let last = self.lines.last();
        let (depth, nest) = match (last, &entered) {
            (None, _) => (0, 0),
            (Some(last), None) => (last.depth, last.nest),
            (Some(last), Some(_)) => (last.depth + 1, 0),
        };
        self.lines.push(Line {
            span,
            proc,
            depth,
            entered,
            values: Vec::new(),
            matters: true,
            nest,
            turn: self.turn.take(),
            left_out: std::mem::take(&mut self.left_out),
        });
    }

    fn assigned(&self, target: Target, value: Value, cause: CauseId) -> Assigned {
        Assigned {
            name: self.names.target(target),
            value: self.names.value(value),
            matters: self.is_needed(cause),
            is_global: self.is_global(target),
        }
    }

    /// Whether a place outlives the call.
    fn is_global(&self, target: Target) -> bool {
        let scope = match target {
            Target::Var(var) => self.program.vars[var].scope,
            Target::Object(Storage::Declared(object), _) => self.program.objects[object].scope,
            Target::Object(Storage::Heap(_), _) => return true,
            Target::Object(Storage::Stack(_), _) => return false,
        };
        scope == Scope::Global
    }

    fn call(&mut self, call: &Call) {
        let level = self.stack.iter().filter(|&&proc| proc == call.proc).count();
        if level == 0 {
            self.leaves.push(false);
        }
        let below = levels_below(&call.entries, call.proc);
        let is_shown = if level < OUTER {
            true
        } else if call.is_done {
            let leaf = self.leaves.last_mut();
            below == 0 && leaf.is_some_and(|shown| !std::mem::replace(shown, true))
        } else {
            below < INNER
        };
        self.stack.push(call.proc);
        let nest = std::mem::replace(&mut self.nest, 0);
        if is_shown {
            let args = call.args.iter();
            let args =
                args.map(|&(var, value, cause)| self.assigned(Target::Var(var), value, cause));
            self.entered = Some(args.filter(|arg| !arg.name.starts_with('$')).collect());
            self.entries(&call.entries);
        } else {
            self.only_calls(&call.entries);
        }
        if call.is_done {
            self.entered = None;
        }
        self.nest = nest;
        self.stack.pop();
        if level == 0 {
            self.leaves.pop();
        }
    }

    /// Leaves out all lines but those of calls.
    fn only_calls(&mut self, entries: &[Entry]) {
        for entry in entries {
            match entry {
                Entry::Visit(_) => self.left_out += 1,
                Entry::LeftOut(count) => self.left_out += count,
                Entry::Call(call) => self.call(call),
                Entry::Loop(inner) => {
                    for turn in &inner.turns {
                        self.only_calls(&turn.entries);
                    }
                    self.only_calls(&inner.end);
                }
            }
        }
    }

    fn turns(&mut self, inner: &Loop) {
        self.nest += 1;
        let mut before = 0;
        for turn in &inner.turns {
            self.turn = Some(TurnStart {
                head: inner.head,
                number: turn.number,
                of: inner.count,
                skipped: turn.number - before - 1,
            });
            before = turn.number;
            self.entries(&turn.entries);
        }
        self.turn = None;
        self.nest -= 1;
        self.entries(&inner.end);
    }

    fn call_matters(&self, call: &Call) -> bool {
        let mut args = call.args.iter();
        args.any(|&(_, _, cause)| self.is_needed(cause)) || self.any_matters(&call.entries)
    }

    fn any_matters(&self, entries: &[Entry]) -> bool {
        entries.iter().any(|entry| match entry {
            Entry::Visit(visit) => self
                .needed
                .is_none_or(|needed| needed[visit.causes.clone()].contains(&true)),
            Entry::Call(call) => self.call_matters(call),
            Entry::Loop(inner) => {
                let mut turns = inner.turns.iter();
                turns.any(|turn| self.any_matters(&turn.entries)) || self.any_matters(&inner.end)
            }
            Entry::LeftOut(_) => false,
        })
    }
}

/// How many calls of a procedure stand inside of each other in entries.
fn levels_below(entries: &[Entry], proc: ProcId) -> usize {
    let level = |entry: &Entry| match entry {
        Entry::Visit(_) | Entry::LeftOut(_) => 0,
        Entry::Call(call) => usize::from(call.proc == proc) + levels_below(&call.entries, proc),
        Entry::Loop(inner) => {
            let turns = inner.turns.iter().map(|turn| &turn.entries);
            let all = turns.chain([&inner.end]);
            all.map(|entries| levels_below(entries, proc))
                .max()
                .unwrap_or(0)
        }
    };
    entries.iter().map(level).max().unwrap_or(0)
}
