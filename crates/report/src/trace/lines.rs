//! A path as a list of lines, ready to be shown.

use super::depend::CauseId;
use super::fold::recursion::{Piece, Recursion};
use super::fold::{Arguments, Call, Entry, Loop, Visit};
use super::names::Names;
use crate::answer::{Assigned, RecursiveCall, Step};
use crate::place::Place;
use crate::reporter::Reporter;
use base::Id;
use exec::{Storage, Target, Value};
use program::ir::{ProcId, Scope};

/// A call that no line of it was shown of yet.
struct Entered {
    arguments: Vec<Assigned>,
    /// How many calls deeper it is than the last line.
    deeper: usize,
    folded: usize,
}

/// The lines of a path. `needed` says what the failure depends on; without it everything matters.
/// `failing` is where it is violated, if it is, and is at the end in any case.
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
        nest: 0,
        folded: 0,
        iteration: Step::default(),
        entered: None,
        recursion: None,
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
    nest: usize,
    /// Calls around that do not count for the indentation.
    folded: usize,
    /// What the next line starts with: a step with an iteration alone, if one starts.
    iteration: Step,
    entered: Option<Entered>,
    recursion: Option<RecursiveCall>,
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
                    let is_call = |next: &&Entry| match next {
                        Entry::Call(_) | Entry::Recursion(_) => true,
                        Entry::Visit(_) | Entry::Loop(_) | Entry::LeftOut(_) => false,
                    };
                    let next = entries.get(index + 1).filter(is_call);
                    self.steps[step].matters |= next.is_some_and(|next| self.matters(next));
                }
                Entry::Call(call) => self.call(call),
                Entry::Loop(inner) => self.iterations(inner),
                Entry::Recursion(inner) => self.recursion(inner),
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
            indent: visit.depth.saturating_sub(self.folded),
            values: values.collect(),
            arguments: self.entered.take().map(|entered| entered.arguments),
            matters: self.visit_matters(visit),
            nest: self.nest,
            ..std::mem::take(&mut self.iteration)
        };
        self.push(visit.proc, step);
    }

    /// The line of the violation, which nothing was executed at. It may be all of a call.
    fn failing(&mut self, proc: ProcId, place: Place) {
        let entered = self.entered.take();
        let last = self.steps.last();
        let (depth, indent, nest) = match (last, &entered) {
            (None, _) => (0, 0, 0),
            (Some(last), None) => (last.depth, last.indent, last.nest),
            (Some(last), Some(entered)) => {
                let depth = last.depth + entered.deeper;
                (depth, depth.saturating_sub(entered.folded), 0)
            }
        };
        let step = Step {
            place: Some(place),
            depth,
            indent,
            arguments: entered.map(|entered| entered.arguments),
            matters: true,
            nest,
            ..std::mem::take(&mut self.iteration)
        };
        self.push(proc, step);
    }

    /// Adds a step, with what is pending.
    fn push(&mut self, proc: ProcId, step: Step) {
        self.steps.push(Step {
            function: self.reporter.loaded.program.procs[proc].name.to_string(),
            left_out: std::mem::take(&mut self.left_out),
            recursion: self.recursion.take(),
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

    fn arguments(&self, args: &Arguments) -> Vec<Assigned> {
        let args = args.iter();
        let args = args.map(|&(var, value, cause)| self.assigned(Target::Var(var), value, cause));
        args.filter(|arg| !arg.name.starts_with('$')).collect()
    }

    fn call(&mut self, call: &Call) {
        self.entered = Some(Entered {
            arguments: self.arguments(&call.args),
            deeper: 1,
            folded: self.folded,
        });
        let nest = std::mem::replace(&mut self.nest, 0);
        self.entries(&call.entries);
        if call.is_done {
            self.entered = None;
        }
        self.nest = nest;
    }

    /// All calls but the first are indented as the second.
    fn recursion(&mut self, recursion: &Recursion) {
        let nest = std::mem::replace(&mut self.nest, 0);
        let around = self.folded;
        let (mut made, mut level) = ((0, 0), 0);
        for (index, piece) in recursion.pieces.iter().enumerate() {
            self.folded = around + piece.level.saturating_sub(2);
            let mut call = RecursiveCall {
                number: piece.call,
                of: recursion.calls,
                level: piece.level,
                is_back: piece.is_back,
                arguments: self.arguments(&piece.args),
                made: (piece.calls, piece.number),
                ..RecursiveCall::default()
            };
            (call.skipped, call.returns) = call.left_out_since(made);
            self.recursion = Some(call);
            if !piece.is_back {
                self.entered = Some(Entered {
                    arguments: self.arguments(&piece.args),
                    deeper: piece.level.saturating_sub(level),
                    folded: self.folded,
                });
            }
            let first = self.steps.len();
            self.entries(&piece.entries);
            // The line that calls matters if what follows does.
            let rest = &recursion.pieces[index + 1..];
            let calls = rest.first().is_some_and(|next| next.level > piece.level);
            if calls && rest.iter().any(|piece| self.piece_matters(piece)) {
                let own = self.steps[first..].last_mut();
                own.into_iter().for_each(|step| step.matters = true);
            }
            (made, level) = ((piece.calls, piece.number), piece.level);
        }
        if recursion.is_done {
            (self.entered, self.recursion) = (None, None);
        }
        (self.nest, self.folded) = (nest, around);
    }

    fn iterations(&mut self, inner: &Loop) {
        self.nest += 1;
        let head_line = self.reporter.place(inner.head).map(|head| head.line());
        let mut before = inner.before;
        for iteration in &inner.iterations {
            self.iteration = Step {
                iteration: Some(iteration.number),
                skipped: iteration.number - before - 1,
                iterations: inner.count,
                goes_on: inner.goes_on,
                complete: inner.before,
                head_line,
                ..Step::default()
            };
            before = iteration.number;
            self.entries(&iteration.entries);
        }
        self.iteration = Step::default();
        self.nest -= 1;
        self.entries(&inner.end);
    }

    fn arguments_matter(&self, args: &Arguments) -> bool {
        args.iter().any(|&(_, _, cause)| self.is_needed(cause))
    }

    fn piece_matters(&self, piece: &Piece) -> bool {
        self.arguments_matter(&piece.args) || self.any_matters(&piece.entries)
    }

    fn matters(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Visit(visit) => self.visit_matters(visit),
            Entry::Call(call) => {
                self.arguments_matter(&call.args) || self.any_matters(&call.entries)
            }
            Entry::Loop(inner) => {
                let mut iterations = inner.iterations.iter();
                iterations.any(|iteration| self.any_matters(&iteration.entries))
                    || self.any_matters(&inner.end)
            }
            Entry::Recursion(inner) => {
                let mut pieces = inner.pieces.iter();
                pieces.any(|piece| self.piece_matters(piece))
            }
            Entry::LeftOut(_) => false,
        }
    }

    fn any_matters(&self, entries: &[Entry]) -> bool {
        entries.iter().any(|entry| self.matters(entry))
    }
}
