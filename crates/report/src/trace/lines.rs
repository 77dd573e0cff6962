//! A path as a list of lines, ready to be shown.

use super::depend::CauseId;
use super::fold::{Call, Entry, Loop, Visit};
use super::names::Names;
use crate::answer::{Assigned, Step};
use crate::place::Place;
use crate::reporter::Reporter;
use base::Id;
use exec::{Storage, Target, Value};
use program::ir::{ProcId, Scope};

/// The start of an iteration of a loop.
struct IterationStart {
    /// The line of the head of the loop.
    head_line: Option<u32>,
    /// Which, from 1.
    number: u64,
    /// How many there are.
    of: u64,
    /// How many iterations are left out before it.
    skipped: u64,
}

/// Calls of one procedure inside of each other that are shown at the outer end.
const OUTER: usize = 2;
/// The same at the inner end.
const INNER: usize = 2;

/// The lines of a path. `needed` says what the failure depends on; without it everything matters.
/// `failing` is where it is violated, if it is, and stands at the end in any case.
pub(super) fn steps(
    reporter: &Reporter<'_>,
    names: &Names<'_>,
    entries: &[Entry],
    needed: Option<&[bool]>,
    failing: Option<(ProcId, Place)>,
) -> Vec<Step> {
    let mut writer = Writer {
        reporter,
        names,
        needed,
        steps: Vec::new(),
        stack: Vec::new(),
        leaves: Vec::new(),
        nest: 0,
        iteration: None,
        entered: None,
        left_out: 0,
    };
    writer.entries(entries);
    if let Some((proc, place)) = failing {
        let last = writer.steps.last().and_then(|last| last.place.as_ref());
        let is_shown = last.is_some_and(|last| last.is_on_line_of(&place));
        if writer.entered.is_some() || !is_shown {
            writer.failing(proc, place);
        }
    }
    writer.steps
}

struct Writer<'a> {
    reporter: &'a Reporter<'a>,
    names: &'a Names<'a>,
    needed: Option<&'a [bool]>,
    steps: Vec<Step>,
    /// The calls around.
    stack: Vec<ProcId>,
    /// For each call around, whether its innermost call of itself has been shown.
    leaves: Vec<bool>,
    nest: usize,
    /// What the next line starts with.
    iteration: Option<IterationStart>,
    entered: Option<Vec<Assigned>>,
    left_out: u64,
}

impl Writer<'_> {
    fn entries(&mut self, entries: &[Entry]) {
        for (index, entry) in entries.iter().enumerate() {
            match entry {
                Entry::Visit(visit) => {
                    let step = self.steps.len();
                    self.visit(visit);
                    // The line that calls matters if the call does.
                    if let Some(Entry::Call(call)) = entries.get(index + 1)
                        && self.call_matters(call)
                    {
                        self.steps[step].matters = true;
                    }
                }
                Entry::Call(call) => self.call(call),
                Entry::Loop(inner) => self.iterations(inner),
                Entry::LeftOut(count) => self.left_out += count,
            }
        }
    }

    fn is_needed(&self, cause: CauseId) -> bool {
        self.needed.is_none_or(|needed| needed[cause.index()])
    }

    fn visit(&mut self, visit: &Visit) {
        let program = &self.reporter.loaded.program;
        let hidden = |target: &Target| target.describe(program).starts_with('$');
        let values = visit.values.iter().filter(|(target, ..)| !hidden(target));
        let values = values.map(|&(target, value, cause)| self.assigned(target, value, cause));
        let step = Step {
            place: self.reporter.place(visit.span),
            depth: visit.depth,
            values: values.collect(),
            arguments: self.entered.take(),
            matters: self.visit_matters(visit),
            nest: self.nest,
            ..Step::default()
        };
        self.push(visit.proc, step);
    }

    /// The line of the violation, which nothing was executed at. It may be all of a call.
    fn failing(&mut self, proc: ProcId, place: Place) {
        let arguments = self.entered.take();
        let last = self.steps.last();
        let (depth, nest) = match (last, &arguments) {
            (None, _) => (0, 0),
            (Some(last), None) => (last.depth, last.nest),
            (Some(last), Some(_)) => (last.depth + 1, 0),
        };
        let step = Step {
            place: Some(place),
            depth,
            arguments,
            matters: true,
            nest,
            ..Step::default()
        };
        self.push(proc, step);
    }

    /// Adds a step, with what is pending.
    fn push(&mut self, proc: ProcId, step: Step) {
        let iteration = self.iteration.take();
        self.steps.push(Step {
            function: self.reporter.loaded.program.procs[proc].name.to_string(),
            iteration: iteration.as_ref().map(|iteration| iteration.number),
            skipped: iteration.as_ref().map_or(0, |iteration| iteration.skipped),
            iterations: iteration.as_ref().map_or(0, |iteration| iteration.of),
            head_line: iteration.and_then(|iteration| iteration.head_line),
            left_out: std::mem::take(&mut self.left_out),
            ..step
        });
    }

    fn visit_matters(&self, visit: &Visit) -> bool {
        self.needed
            .is_none_or(|needed| needed[visit.causes.clone()].contains(&true))
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
        let program = &self.reporter.loaded.program;
        let scope = match target {
            Target::Var(var) => program.vars[var].scope,
            Target::Object(Storage::Declared(object), _) => program.objects[object].scope,
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
                    for iteration in &inner.iterations {
                        self.only_calls(&iteration.entries);
                    }
                    self.only_calls(&inner.end);
                }
            }
        }
    }

    fn iterations(&mut self, inner: &Loop) {
        self.nest += 1;
        let head_line = self.reporter.place(inner.head).map(|head| head.line());
        let mut before = 0;
        for iteration in &inner.iterations {
            self.iteration = Some(IterationStart {
                head_line,
                number: iteration.number,
                of: inner.count,
                skipped: iteration.number - before - 1,
            });
            before = iteration.number;
            self.entries(&iteration.entries);
        }
        self.iteration = None;
        self.nest -= 1;
        self.entries(&inner.end);
    }

    fn call_matters(&self, call: &Call) -> bool {
        let mut args = call.args.iter();
        args.any(|&(_, _, cause)| self.is_needed(cause)) || self.any_matters(&call.entries)
    }

    fn any_matters(&self, entries: &[Entry]) -> bool {
        entries.iter().any(|entry| match entry {
            Entry::Visit(visit) => self.visit_matters(visit),
            Entry::Call(call) => self.call_matters(call),
            Entry::Loop(inner) => {
                let mut iterations = inner.iterations.iter();
                iterations.any(|iteration| self.any_matters(&iteration.entries))
                    || self.any_matters(&inner.end)
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
            let iterations = inner.iterations.iter().map(|iteration| &iteration.entries);
            let all = iterations.chain([&inner.end]);
            all.map(|entries| levels_below(entries, proc))
                .max()
                .unwrap_or(0)
        }
    };
    entries.iter().map(level).max().unwrap_or(0)
}
