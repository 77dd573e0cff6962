//! Verdicts and runs as text for people.

use crate::console::Console;
use crate::load::Loaded;
use crate::path::{Entry, Recorder, Visit};
use annotate_snippets::Level;
use base::place::Places;
use base::{Budget, Span};
use certify::{Leap, Reason};
use exec::inputs::ListInputs;
use exec::{Inputs, Limits, Machine, Run, Target, Value};
use program::expr::Constant;
use program::ir::{ProcId, Scope, SiteId, VarId, Violation};
use program::values;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Inputs and path lines that are shown without `--verbose`, at either end.
const SHOWN: usize = 12;
/// Runs of more steps are not recorded for showing.
const RECORDED_STEPS: u64 = 20_000_000;

/// Writes a report piece by piece.
pub(crate) struct Report<'a> {
    console: &'a Console,
    loaded: &'a Loaded,
    places: Places<'a>,
    text: String,
}

/// The path of a run and the last values in it.
type Path = (Vec<Entry>, BTreeMap<VarId, Value>);

/// Runs and records the path.
fn record(
    loaded: &Loaded,
    inputs: &mut dyn Inputs,
    limits: &Limits,
    budget: &Budget,
) -> (Run, Path) {
    let mut recorder = Recorder::new(&loaded.program, &loaded.sources);
    let machine = Machine::new(&loaded.program);
    let run = machine.run_watched(inputs, limits, budget, &mut recorder);
    (run, recorder.finish())
}

/// Records the path of a run that has been made before, unless it is too long to be shown.
fn record_again(loaded: &Loaded, run: &Run, budget: &Budget) -> Option<Path> {
    if run.steps > RECORDED_STEPS {
        return None;
    }
    let limits = &certify::replay::REPLAY_LIMITS;
    let mut inputs = ListInputs::new(run.inputs.iter().map(|&(_, value)| value));
    let (again, path) = record(loaded, &mut inputs, limits, budget);
    (again.end == run.end).then_some(path)
}

impl<'a> Report<'a> {
    /// An empty report.
    pub(crate) fn new(console: &'a Console, loaded: &'a Loaded) -> Self {
        Report {
            console,
            loaded,
            places: Places::new(&loaded.sources),
            text: String::new(),
        }
    }

    /// The text so far.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// A line as it is.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A violation in its source context.
    pub(crate) fn violation(&mut self, violation: &Violation, stack: &[(ProcId, Span)]) {
        self.message(Level::ERROR, &violation.message, violation.span);
        self.calls(stack);
    }

    /// A message with the line it speaks of.
    pub(crate) fn message(&mut self, level: Level<'_>, message: &str, span: Span) {
        let place = self.places.of(span);
        let text = self.console.render_answer().at(level, message, place);
        self.text.push_str(&text);
    }

    /// The calls that were active, innermost first.
    fn calls(&mut self, stack: &[(ProcId, Span)]) {
        let calls: Vec<_> = stack
            .iter()
            .rev()
            .filter(|(proc, _)| !self.loaded.program.procs[*proc].name.starts_with('$'))
            .filter_map(|&(proc, span)| Some((proc, self.places.position(span)?)))
            .collect();
        for (index, (proc, position)) in calls.iter().enumerate() {
            if index == SHOWN && !self.console.verbose && calls.len() > SHOWN + 1 {
                let left = calls.len() - index;
                let _ = writeln!(self.text, "  ... and {left} more calls");
                break;
            }
            let name = &self.loaded.program.procs[*proc].name;
            let _ = writeln!(
                self.text,
                "  called from `{name}` at {}:{}",
                position.file, position.line
            );
        }
    }

    /// The inputs, one a line.
    pub(crate) fn inputs(&mut self, inputs: &[(SiteId, Constant)]) {
        self.heading("inputs");
        if inputs.is_empty() {
            self.line("  none");
        }
        let mut rows = Vec::new();
        for &(site, value) in inputs {
            let site = &self.loaded.program.sites[site];
            let place = self
                .places
                .position(site.span)
                .map_or_else(String::new, |position| {
                    format!("{}:{}", position.file, position.line)
                });
            let name = match site.kind {
                program::ir::SiteKind::Nondet | program::ir::SiteKind::External => {
                    format!("{}()", site.name)
                }
                program::ir::SiteKind::Uninitialized => format!("{} (uninitialised)", site.name),
                program::ir::SiteKind::Argument => format!("{} (argument)", site.name),
            };
            rows.push([place, name, values::show(value)]);
        }
        let [first, second] =
            [0, 1].map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0));
        let lines = rows
            .iter()
            .map(|[place, name, value]| format!("  {place:first$}  {name:second$} = {value}"))
            .collect();
        self.ends(lines);
    }

    /// The path of a run and the values at its end in a procedure.
    pub(crate) fn path_of(&mut self, run: &Run, proc: Option<ProcId>, budget: &Budget) {
        match record_again(self.loaded, run, budget) {
            Some((path, values)) => {
                self.path(&path);
                self.last_values(&values, proc);
            }
            None => {
                let text = format!("the path of {} steps is too long to be shown", run.steps);
                self.line(&text);
            }
        }
    }

    /// The turns of loops that were proved, not made. Such a run has no path to be shown.
    pub(crate) fn leaps(&mut self, leaps: &[Leap]) {
        self.heading("not run");
        let line = |leap: &Leap| {
            let place = match self.places.position(leap.span) {
                Some(position) => format!("line {}", position.line),
                None => "an unknown line".to_owned(),
            };
            format!(
                "  loop at {place}: {} turns proved by induction",
                leap.turns
            )
        };
        let lines = leaps.iter().map(line).collect();
        self.ends(lines);
    }

    /// The path, with loops folded.
    fn path(&mut self, entries: &[Entry]) {
        self.heading("path");
        let mut lines = Vec::new();
        let mut last = None;
        self.path_lines(entries, &mut last, &mut lines);
        self.ends(lines);
    }

    fn path_lines(&self, entries: &[Entry], last: &mut Option<ProcId>, lines: &mut Vec<String>) {
        for entry in entries {
            match entry {
                Entry::Visit(visit) => self.visit_lines(visit, last, lines),
                Entry::Loop {
                    first,
                    last: end,
                    rounds,
                    ..
                } => {
                    self.path_lines(first, last, lines);
                    if *rounds > 2 {
                        let text = format!("       | ... x{} more", rounds - 2);
                        lines.push(self.console.faint(&text));
                    }
                    self.path_lines(end, last, lines);
                }
                Entry::Dropped(count) => lines.push(format!("       | ... {count} lines left out")),
            }
        }
    }

    fn visit_lines(&self, visit: &Visit, last: &mut Option<ProcId>, lines: &mut Vec<String>) {
        if *last != Some(visit.proc) {
            let name = &self.loaded.program.procs[visit.proc].name;
            lines.push(format!("  in {}:", self.console.bold(name)));
            *last = Some(visit.proc);
        }
        let Some(place) = self.places.of(visit.span) else {
            return;
        };
        let code = clip(place.text.trim(), 60);
        let got = self.values(visit.values.iter().copied());
        let line = format!("  {:>4} | {code:40}  {got}", place.position.line);
        lines.push(line.trim_end().to_owned());
    }

    /// Named variables and objects and their values: `i = 3, p = &n`.
    fn values(&self, values: impl Iterator<Item = (Target, Value)>) -> String {
        let program = &self.loaded.program;
        let shown: Vec<String> = values
            .map(|(target, value)| (target.describe(program), value))
            .filter(|(name, _)| !name.starts_with('$'))
            .map(|(name, value)| match value {
                Value::Constant(constant) => format!("{name} = {}", values::show(constant)),
                Value::Address(..) | Value::Proc(_) | Value::Wild(_) => {
                    format!("{name} = {}", value.describe(program))
                }
            })
            .collect();
        shown.join(", ")
    }

    /// The last values of the globals and of the locals where the run ended.
    fn last_values(&mut self, values: &BTreeMap<VarId, Value>, proc: Option<ProcId>) {
        let here = values
            .iter()
            .filter(|&(&var, _)| match self.loaded.program.vars[var].scope {
                Scope::Global => true,
                Scope::Local(owner) => Some(owner) == proc,
            })
            .map(|(&var, &value)| (Target::Var(var), value));
        let text = self.values(here);
        if !text.is_empty() {
            self.heading("values at the end");
            let line = format!("  {text}");
            self.line(&line);
        }
    }

    /// Why there is no verdict.
    pub(crate) fn reason(&mut self, reason: &Reason) {
        let message = format!("no verdict: {}", reason.message);
        self.message(Level::WARNING, &message, reason.span);
        for (note, span) in &reason.notes {
            let line = match self.places.position(*span) {
                Some(position) => format!("  {}:{}: {note}", position.file, position.line),
                None => format!("  {note}"),
            };
            self.line(&line);
        }
    }

    /// What is taken for granted.
    pub(crate) fn assumptions(&mut self) {
        if !self.loaded.program.assumptions.is_empty() {
            self.heading("assumed");
            for assumption in &self.loaded.program.assumptions {
                let _ = writeln!(self.text, "  - {assumption}");
            }
        }
    }

    fn heading(&mut self, word: &str) {
        let text = format!("{}:", self.console.bold(word));
        self.line(&text);
    }

    /// All lines, or the first and last of them.
    fn ends(&mut self, lines: Vec<String>) {
        let shown = if self.console.verbose {
            usize::MAX
        } else {
            SHOWN
        };
        let cut = lines.len() > shown.saturating_mul(2).saturating_add(1);
        for (index, line) in lines.iter().enumerate() {
            if cut && index == shown {
                let left = lines.len() - 2 * shown;
                let _ = writeln!(
                    self.text,
                    "  ... {left} lines left out; --verbose shows all"
                );
            }
            if !cut || index < shown || index >= lines.len() - shown {
                self.text.push_str(line);
                self.text.push('\n');
            }
        }
    }
}

/// At most `limit` characters.
fn clip(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let start: String = text.chars().take(limit - 3).collect();
    start + "..."
}
