//! Verdicts and runs as text for the terminal.

mod path;
pub(crate) mod text;

use crate::console::Console;
use crate::exit;
use crate::invariants_text;
use crate::render::Message;
use annotate_snippets::Level;
use report::Answer;
use report::place::Place;
use report::search_log::{counted, times};
use std::fmt::Write;
use text::clip_start;

/// The narrowest column of places.
const PLACE: usize = 16;
/// Inputs and path lines that are shown without `--verbose`, at either end.
const SHOWN: usize = 12;
/// The same for the lines of a path.
const SHOWN_PATH: usize = 30;

/// Writes an answer piece by piece.
pub(crate) struct Text<'a> {
    console: &'a Console,
    answer: &'a Answer,
    text: String,
}

impl<'a> Text<'a> {
    /// Nothing yet.
    pub(crate) fn new(console: &'a Console, answer: &'a Answer) -> Self {
        Text {
            console,
            answer,
            text: String::new(),
        }
    }

    /// All of it, with a last line apart from what comes before it.
    pub(crate) fn finish(mut self, line: &str) -> String {
        if self.text.contains("\n\n") {
            self.text.push('\n');
        }
        self.line(line);
        self.text
    }

    /// A line as it is.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// What fails in its source context, with the values in it and the calls around it.
    pub(crate) fn failure(&mut self) {
        let Answer {
            operands, callers, ..
        } = self.answer;
        let label = |index: usize| {
            let text = operands.get(index).map(|note| note.text.clone());
            text.filter(|text| !text.is_empty())
        };
        // The calls that gave the values in what fails are worth their lines.
        let named = operands.len().saturating_sub(1).min(callers.len());
        let notes = callers[..named].iter().enumerate();
        let notes = notes.map(|(index, (name, place))| Message {
            text: format!("called from `{name}`"),
            place: source(place),
            label: label(index + 1),
            ..Message::default()
        });
        let message = Message {
            text: self.answer.message.clone(),
            place: source(&self.answer.place),
            label: label(0),
            notes: notes.collect(),
            help: Vec::new(),
        };
        self.message(Level::ERROR, message);
        self.calls(&callers[named..]);
    }

    /// What the answer says, at its place.
    pub(crate) fn warning(&mut self) {
        let message = Message {
            text: self.answer.message.clone(),
            place: source(&self.answer.place),
            ..Message::default()
        };
        self.message(Level::WARNING, message);
    }

    /// A message with the line it mentions.
    fn message(&mut self, level: Level<'_>, message: Message) {
        let text = self.console.render_answer().message(level, message);
        self.text.push_str(&text);
    }

    /// The calls that were active, innermost first.
    fn calls(&mut self, callers: &[(String, Option<Place>)]) {
        let calls = callers.iter();
        let calls =
            calls.filter_map(|(name, place)| Some((name, &place.as_ref()?.source.position)));
        // A recursive call is said once, also where several call each other.
        let mut counted: Vec<(_, usize)> = Vec::new();
        for call in calls {
            match counted.iter_mut().find(|(known, _)| *known == call) {
                Some((_, count)) => *count += 1,
                None => counted.push((call, 1)),
            }
        }
        for (index, ((name, position), count)) in counted.iter().enumerate() {
            if index == SHOWN && !self.console.verbose && counted.len() > SHOWN + 1 {
                let left = counted.len() - index;
                let _ = writeln!(self.text, "  ... and {left} more calls");
                break;
            }
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
    pub(crate) fn invariants(&mut self) {
        let text = invariants_text::text(&self.answer.invariants, self.console.verbose);
        self.proved("invariants", &text);
    }

    /// What the proof says about calls.
    pub(crate) fn contracts(&mut self) {
        let text = invariants_text::contracts(&self.answer.contracts, self.console.verbose);
        self.proved("contracts", &text);
    }

    fn proved(&mut self, heading: &str, text: &str) {
        if !text.is_empty() && !self.console.quiet {
            self.heading(heading);
            self.text.push_str(text);
        }
    }

    /// The inputs as a table: where, what, and the value.
    pub(crate) fn inputs(&mut self) {
        self.heading("inputs");
        let inputs = &self.answer.inputs;
        if inputs.is_empty() {
            self.line("  none");
            return;
        }
        let rows = inputs.iter().map(|input| {
            let place = input.place.as_ref().map(Place::shown);
            let label = input.label.clone();
            [place.unwrap_or_default(), label, input.value.clone()]
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

    /// The path of the run.
    pub(crate) fn path(&mut self) {
        let Some(is_sliced) = self.answer.sliced else {
            let steps = self.answer.run_steps.unwrap_or_default();
            let text = format!("\nthe path of {steps} steps is too long to be shown");
            self.line(&text);
            return;
        };
        self.heading("path");
        let lines = path::lines(self.console, &self.answer.steps);
        self.ends(lines, SHOWN_PATH);
        if self.answer.fails() && !is_sliced {
            self.line("  (too long a run to tell which values matter: all are shown)");
        }
    }

    /// The iterations of loops that were proved, not made. Such a run has no path to be shown.
    pub(crate) fn leaps(&mut self) {
        self.heading("not run");
        let leaps = self.answer.leaps.iter();
        let lines = leaps.map(|leap| {
            let place = match &leap.place {
                Some(place) => format!("line {}", place.line()),
                None => "an unknown line".to_owned(),
            };
            format!(
                "  loop at {place}: {} iterations proved by induction",
                leap.iterations
            )
        });
        let lines = lines.collect();
        self.ends(lines, SHOWN);
    }

    /// Why there is no verdict, and what could be tried.
    pub(crate) fn reason(&mut self) {
        let own = self.answer.place.as_ref();
        let mut message = Message {
            text: self.answer.headline.clone(),
            place: source(&self.answer.place),
            help: self.answer.help.clone(),
            ..Message::default()
        };
        for note in &self.answer.notes {
            let place = note.place.as_ref();
            let is_here = place
                .zip(own)
                .is_some_and(|(at, own)| at.is_on_line_of(own));
            if is_here && message.label.is_none() {
                message.label = Some(note.text.clone());
                continue;
            }
            let text = match place {
                Some(at) if own.is_some_and(|own| own.name() == at.name()) => {
                    format!("line {}: {}", at.line(), note.text)
                }
                Some(at) => format!("{}: {}", at.shown(), note.text),
                None => note.text.clone(),
            };
            message.notes.push(Message {
                text,
                ..Message::default()
            });
        }
        self.message(Level::WARNING, message);
        if self.answer.is_internal() {
            self.line(exit::PLEASE_REPORT);
        }
    }

    /// What is taken for granted.
    pub(crate) fn assumptions(&mut self) {
        if !self.answer.assumptions.is_empty() {
            self.heading("assumed");
            for assumption in &self.answer.assumptions {
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

fn source(place: &Option<Place>) -> Option<base::place::SourceExcerpt> {
    place.as_ref().map(|place| place.source.clone())
}
