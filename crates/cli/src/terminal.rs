//! Verdicts and runs as text for people.

mod path;
pub(crate) mod text;

use crate::console::Console;
use crate::proved;
use crate::render::Message;
use annotate_snippets::Level;
use base::place::Places;
use base::{Position, Span};
use certify::{Leap, Reason};
use exec::{End, Run};
use input::Loaded;
use path::PathText;
use program::expr::Constant;
use program::ir::{ProcId, SiteId, SiteKind, Violation};
use program::values;
use report::trace::{Operands, Trace};
use std::fmt::Write;
use text::{clip_start, counted, times};
use witness::invariants::LoopInvariant;

/// The narrowest column of places.
const PLACE: usize = 16;
/// Inputs and path lines that are shown without `--verbose`, at either end.
const SHOWN: usize = 12;
/// The same for the lines of a path.
const SHOWN_PATH: usize = 30;

/// Writes a report piece by piece.
pub(crate) struct Report<'a> {
    console: &'a Console,
    loaded: &'a Loaded,
    places: Places<'a>,
    text: String,
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

    /// The last line, apart from what stands before it.
    pub(crate) fn verdict(&mut self, line: &str) {
        if self.text.contains("\n\n") {
            self.text.push('\n');
        }
        self.line(line);
    }

    /// A violation in its source context, with the values in what fails.
    pub(crate) fn violation(
        &mut self,
        violation: &Violation,
        stack: &[(ProcId, Span)],
        trace: Option<&Trace>,
    ) {
        self.failure(&violation.message, violation.span, stack, trace);
    }

    /// What fails in its source context, with the values in it and the calls around it.
    pub(crate) fn failure(
        &mut self,
        message: &str,
        span: Span,
        stack: &[(ProcId, Span)],
        trace: Option<&Trace>,
    ) {
        let operands = trace.map_or(&[][..], |trace| &trace.operands);
        let label = |index: usize| {
            let text = operands.get(index).map(Operands::text);
            text.filter(|text| !text.is_empty())
        };
        let callers = stack.iter().rev();
        let callers: Vec<(ProcId, Span)> = callers
            .filter(|(proc, _)| !self.loaded.program.procs[*proc].name.starts_with('$'))
            .copied()
            .collect();
        // The calls that gave the values in what fails are worth their lines.
        let named = operands.len().saturating_sub(1).min(callers.len());
        let notes = callers[..named].iter().enumerate();
        let notes = notes.map(|(index, &(proc, span))| Message {
            text: format!("called from `{}`", self.loaded.program.procs[proc].name),
            place: self.places.of(span),
            label: label(index + 1),
            ..Message::default()
        });
        let message = Message {
            text: message.to_owned(),
            place: self.places.of(span),
            label: label(0),
            notes: notes.collect(),
            help: Vec::new(),
        };
        self.message(Level::ERROR, message);
        self.calls(&callers[named..]);
    }

    /// A message with the line it speaks of.
    pub(crate) fn message(&mut self, level: Level<'_>, message: Message) {
        let text = self.console.render_answer().message(level, message);
        self.text.push_str(&text);
    }

    /// A warning at a place.
    pub(crate) fn warning(&mut self, text: &str, span: Span) {
        let message = Message {
            text: text.to_owned(),
            place: self.places.of(span),
            ..Message::default()
        };
        self.message(Level::WARNING, message);
    }

    /// The calls that were active, innermost first.
    fn calls(&mut self, callers: &[(ProcId, Span)]) {
        let calls: Vec<(ProcId, Position)> = callers
            .iter()
            .filter_map(|&(proc, span)| Some((proc, self.places.position(span)?)))
            .collect();
        // A recursive call is said once.
        let mut counted: Vec<(&(ProcId, Position), usize)> = Vec::new();
        for call in &calls {
            match counted.last_mut() {
                Some((last, count)) if *last == call => *count += 1,
                Some(_) | None => counted.push((call, 1)),
            }
        }
        for (index, ((proc, position), count)) in counted.iter().enumerate() {
            if index == SHOWN && !self.console.verbose && counted.len() > SHOWN + 1 {
                let left = counted.len() - index;
                let _ = writeln!(self.text, "  ... and {left} more calls");
                break;
            }
            let name = &self.loaded.program.procs[*proc].name;
            let times = match count {
                1 => String::new(),
                _ => format!(", {count} times"),
            };
            let _ = writeln!(
                self.text,
                "  called from `{name}` at {}:{}{times}",
                position.file, position.line
            );
        }
    }

    /// What the proof says about loops.
    pub(crate) fn invariants(&mut self, invariants: &[LoopInvariant]) {
        let text = proved::text(&self.places, invariants, self.console.verbose);
        if !text.is_empty() && !self.console.quiet {
            self.heading("invariants");
            self.text.push_str(&text);
        }
    }

    /// The inputs as a table: where, what, and the value.
    pub(crate) fn inputs(&mut self, inputs: &[(SiteId, Constant)]) {
        self.heading("inputs");
        if inputs.is_empty() {
            self.line("  none");
            return;
        }
        let rows = inputs.iter().map(|&(site, value)| {
            let site = &self.loaded.program.sites[site];
            let place = self.places.position(site.span);
            let place = place.map_or_else(String::new, |position| {
                format!("{}:{}", position.file, position.line)
            });
            let name = match site.kind {
                SiteKind::Nondet | SiteKind::External => format!("{}()", site.name),
                SiteKind::Uninitialized => format!("{} (uninitialised)", site.name),
                SiteKind::Argument => format!("{} (argument)", site.name),
                SiteKind::Outside => format!("{} (from outside)", site.name),
                SiteKind::Choice => format!("{} (does no more)", site.name),
            };
            [place, name, values::show(value)]
        });
        let rows = counted(rows);
        let [first, second, third] = [0, 1, 2].map(|column| {
            let widths = rows.iter().map(|(row, _)| row[column].chars().count());
            widths.max().unwrap_or(0)
        });
        // Names and values stay whole; of a long path the end says most.
        let rest = second + third + "    = ".len();
        let first = first.min(self.console.width.saturating_sub(rest).max(PLACE));
        let lines = rows.iter().map(|([place, name, value], count)| {
            let place = clip_start(place, first);
            let line = format!("  {place:first$}  {name:second$} = {value:>third$}");
            line + &times(*count)
        });
        let lines = lines.collect();
        self.ends(lines, SHOWN);
    }

    /// The path of a run.
    pub(crate) fn path(&mut self, run: &Run, trace: Option<&Trace>) {
        let Some(trace) = trace else {
            let text = format!("\nthe path of {} steps is too long to be shown", run.steps);
            self.line(&text);
            return;
        };
        self.heading("path");
        let path = PathText {
            console: self.console,
            program: &self.loaded.program,
            places: &self.places,
        };
        let lines = path.lines(trace);
        self.ends(lines, SHOWN_PATH);
        let fails = matches!(run.end, End::Violated(..) | End::Undefined(_));
        if fails && !trace.is_sliced {
            self.line("  (too long a run to tell which values matter: all are shown)");
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
        self.ends(lines, SHOWN);
    }

    /// Why there is no verdict, and what could be tried.
    pub(crate) fn reason(&mut self, reason: &Reason) {
        let mut message = Message {
            text: format!("no verdict: {}", reason.message),
            place: self.places.of(reason.span),
            help: reason.help.clone(),
            ..Message::default()
        };
        let own = message.place.as_ref().map(|place| place.position.clone());
        for (note, span) in &reason.notes {
            let position = self.places.position(*span);
            let line = |at: &Position| (at.file.clone(), at.line);
            let is_here =
                position.is_some() && position.as_ref().map(line) == own.as_ref().map(line);
            if is_here && message.label.is_none() {
                message.label = Some(note.clone());
                continue;
            }
            let is_own_file = |at: &Position| own.as_ref().is_some_and(|own| own.file == at.file);
            let text = match position {
                Some(at) if is_own_file(&at) => format!("line {}: {note}", at.line),
                Some(at) => format!("{}:{}: {note}", at.file, at.line),
                None => note.clone(),
            };
            message.notes.push(Message {
                text,
                ..Message::default()
            });
        }
        self.message(Level::WARNING, message);
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
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let text = format!("{}:", self.console.bold(word));
        self.line(&text);
    }

    /// All lines, or the first and last of them.
    fn ends(&mut self, lines: Vec<String>, shown: usize) {
        let shown = if self.console.verbose {
            usize::MAX
        } else {
            shown
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
