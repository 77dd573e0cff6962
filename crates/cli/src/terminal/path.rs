//! The path of a run as source lines with their values, for the terminal.

use super::text::{clip, wrap};
use crate::console::Console;
use report::answer::{Assigned, RecursiveCall, Step};
use report::place::Place;
use std::collections::BTreeMap;

/// Lines that do not matter are folded if there are at least so many of them.
const FOLDED: usize = 3;
/// Calls deeper than this are not indented further.
const INDENTED: usize = 8;
/// How far the body of a call is indented.
const STEP: usize = 2;
/// The width of a tab.
const TAB: usize = 4;
/// The narrowest column of code.
const CODE: usize = 24;

/// A row before columns are known.
enum Row {
    /// A line of the source: its number, its text, the values.
    Code(u32, String, Vec<String>),
    /// A remark in its place.
    Remark(String),
    /// A call.
    Call(String),
}

/// What is above the next line that is shown.
struct Heading {
    depth: usize,
    nest: usize,
    /// Whether it comes before the lines that are not shown.
    is_first: bool,
    kind: HeadingKind,
}

enum HeadingKind {
    Call(String),
    /// A call of a recursion, and what it is of it.
    Recursion(String, RecursiveCall),
    /// Its number, how many there are if that is known, how many are none of this piece of a
    /// recursion, and the line of the loop.
    Iteration(u64, Option<u64>, u64, Option<u32>),
}

/// The path, a line of text each.
pub(super) fn lines(console: &Console, steps: &[Step]) -> Vec<String> {
    let mut rows = Rows::new(console);
    for step in steps {
        if let Some((margin, _)) = code(step) {
            let known = rows.margins.entry(&step.function).or_insert(margin);
            *known = margin.min(*known);
        }
    }
    columns(console, &rows.of(steps))
}

/// The text of a line: how far it is indented, and what is there.
fn code(step: &Step) -> Option<(usize, &Place)> {
    let place = step.place.as_ref()?;
    let blanks = place.text().chars().take_while(|c| c.is_whitespace());
    let width = |c: char| if c == '\t' { TAB } else { 1 };
    Some((blanks.map(width).sum(), place))
}

/// Puts rows into columns that fit the width.
fn columns(console: &Console, rows: &[Row]) -> Vec<String> {
    let widest = |of: &dyn Fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let digits = widest(&|row| match row {
        Row::Code(number, ..) => number.to_string().len(),
        Row::Remark(_) | Row::Call(_) => 1,
    });
    let gutter = digits + 5;
    let room = console.width.saturating_sub(gutter).max(CODE * 2);
    // Lines without values may be longer than the column.
    let code = widest(&|row| match row {
        Row::Code(_, code, values) if !values.is_empty() => code.chars().count(),
        Row::Code(..) | Row::Remark(_) | Row::Call(_) => 0,
    });
    let code = code.clamp(CODE, (room * 3 / 5).max(CODE));
    let mut lines = Vec::new();
    let empty = console.gutter(&format!("  {:digits$} |", ""));
    for row in rows {
        match row {
            Row::Code(number, text, values) => {
                let number = console.gutter(&format!("  {number:>digits$} |"));
                if values.is_empty() {
                    lines.push(format!("{number} {}", clip(text, room)));
                    continue;
                }
                let text = clip(text, code);
                let wrapped = wrap(values, room.saturating_sub(code + 2));
                for (index, part) in wrapped.iter().enumerate() {
                    let part = console.value(part);
                    lines.push(match index {
                        0 => format!("{number} {text:code$}  {part}"),
                        _ => format!("{empty} {:code$}  {part}", ""),
                    });
                }
            }
            Row::Remark(text) => {
                lines.push(format!("{empty} {}", console.faint(&clip(text, room))));
            }
            Row::Call(text) => lines.push(format!("{empty} {}", console.bold(&clip(text, room)))),
        }
    }
    lines
}

/// Makes rows of lines.
struct Rows<'a> {
    console: &'a Console,
    rows: Vec<Row>,
    /// What is above the next line that is shown.
    headings: Vec<Heading>,
    /// For each depth and nest, the iteration shown last.
    iterations: BTreeMap<(usize, usize), u64>,
    /// Of the recursion shown last at a depth, the calls and pieces up to what was shown of it.
    recursions: BTreeMap<usize, (u64, u64)>,
    /// Lines since the last one that is shown: those that do not matter, and others.
    folded: u64,
    left_out: u64,
    /// How deep the line shown last is.
    depth: usize,
    /// How far the lines of a procedure are indented at least.
    margins: BTreeMap<&'a str, usize>,
}

impl<'a> Rows<'a> {
    fn new(console: &'a Console) -> Self {
        Rows {
            console,
            rows: Vec::new(),
            headings: Vec::new(),
            iterations: BTreeMap::new(),
            recursions: BTreeMap::new(),
            folded: 0,
            left_out: 0,
            depth: 0,
            margins: BTreeMap::new(),
        }
    }

    fn of(mut self, lines: &'a [Step]) -> Vec<Row> {
        let mut index = 0;
        while index < lines.len() {
            let run = lines[index..].iter().take_while(|line| !line.matters);
            let run = run.count().min(lines.len() - 1 - index);
            if run >= FOLDED && !self.console.verbose {
                for line in &lines[index..index + run] {
                    self.head(line);
                    self.folded += 1;
                }
                index += run;
                continue;
            }
            for line in &lines[index..=index + run] {
                self.head(line);
                self.show(line);
            }
            index += run + 1;
        }
        self.rows
    }

    /// Notes what a line starts, and forgets what it is no longer part of.
    fn head(&mut self, line: &Step) {
        let here = (line.indent, line.nest);
        self.headings.retain(|row| (row.depth, row.nest) <= here);
        self.left_out += line.left_out;
        let call = |args: &[Assigned]| {
            let args: Vec<String> = args.iter().map(Assigned::text).collect();
            format!("{}({})", line.function, args.join(", "))
        };
        if let Some(recursion) = &line.recursion {
            let call = call(&recursion.arguments);
            let kind = HeadingKind::Recursion(call, recursion.clone());
            self.add(line.indent, 0, kind);
        } else if let Some(args) = &line.arguments {
            self.add(line.indent, 0, HeadingKind::Call(call(args)));
        }
        let is_one = line.iterations <= 1 && !line.goes_on;
        if let Some(number) = line.iteration.filter(|_| !is_one) {
            let of = (!line.goes_on).then_some(line.iterations);
            let kind = HeadingKind::Iteration(number, of, line.complete, line.head_line);
            self.add(line.indent, line.nest, kind);
        }
    }

    fn add(&mut self, depth: usize, nest: usize, kind: HeadingKind) {
        let here = (depth, nest);
        self.headings.retain(|row| (row.depth, row.nest) < here);
        self.headings.push(Heading {
            depth,
            nest,
            is_first: self.folded == 0 && self.left_out == 0,
            kind,
        });
    }

    fn show(&mut self, line: &Step) {
        let Some((margin, place)) = code(line) else {
            return;
        };
        let least = self.margins.get(line.function.as_str());
        let own = margin.saturating_sub(least.copied().unwrap_or(0));
        let inside = indent(line.indent) + STEP + own;
        let before = match self.depth == line.indent {
            true => inside,
            false => STEP + indent(self.depth.min(line.indent)),
        };
        self.depth = line.indent;
        let headings = std::mem::take(&mut self.headings);
        let (first, behind): (Vec<_>, Vec<_>) =
            headings.into_iter().partition(|heading| heading.is_first);
        self.show_headings(first, inside);
        let folded = std::mem::take(&mut self.folded);
        if folded > 0 {
            let text = format!("... {} that do not matter", count(folded, "line"));
            self.remark(before, &text);
        }
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            let text = format!("... {} left out", count(left_out, "line"));
            self.remark(before, &text);
        }
        self.show_headings(behind, inside);
        let code = format!("{:inside$}{}", "", place.text().trim());
        // Those that matter.
        let values = line.values.iter();
        let values = values.filter(|value| value.matters || self.console.verbose);
        let values = values.map(Assigned::text).collect();
        self.rows.push(Row::Code(place.line(), code, values));
    }

    /// Headings above a line that starts at a column.
    fn show_headings(&mut self, headings: Vec<Heading>, inside: usize) {
        for heading in headings {
            match heading.kind {
                HeadingKind::Call(text) => {
                    let text = format!("{:1$}{text}", "", indent(heading.depth));
                    self.rows.push(Row::Call(text));
                }
                HeadingKind::Recursion(text, call) => {
                    self.recursive_call(heading.depth, text, call)
                }
                HeadingKind::Iteration(number, of, complete, head) => {
                    let key = (heading.depth, heading.nest);
                    let before = self.iterations.insert(key, number);
                    let before = before.filter(|&last| last < number).unwrap_or(0);
                    let skipped = match number - before.max(complete) - 1 {
                        0 => String::new(),
                        skipped => format!("... {} left out, ", count(skipped, "iteration")),
                    };
                    let head =
                        head.map_or_else(String::new, |line| format!(" (loop at line {line})"));
                    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
                    let text = format!("{skipped}iteration {number}{of}{head}:");
                    self.remark(inside, &text);
                }
            }
        }
    }

    /// A call of a recursion, with what was left out before it.
    fn recursive_call(&mut self, depth: usize, text: String, call: RecursiveCall) {
        // The first call stands further left than the others.
        let first = depth - usize::from(call.level > 1);
        let before = self.recursions.insert(first, call.made);
        let before = before.filter(|last| last.1 < call.made.1);
        let (calls, returns) = call.left_out_since(before.unwrap_or_default());
        let left_out = match (calls, returns) {
            (0, 0) => None,
            (calls, 0) => Some(format!("... ×{calls} deeper")),
            (0, returns) => Some(format!("... ×{returns} back")),
            (calls, _) => Some(format!("... {} left out", count(calls, "call"))),
        };
        if let Some(left_out) = left_out {
            self.remark(indent(depth), &left_out);
        }
        let back = if call.is_back { "back in " } else { "" };
        let (number, of) = (call.number, call.of);
        let text = format!(
            "{:1$}{back}{text}, call {number} of {of}",
            "",
            indent(depth)
        );
        self.rows.push(Row::Call(text));
    }

    fn remark(&mut self, indent: usize, text: &str) {
        self.rows.push(Row::Remark(format!("{:indent$}{text}", "")));
    }
}

/// How far a call is indented.
fn indent(depth: usize) -> usize {
    STEP * depth.min(INDENTED)
}

/// A number of things.
fn count(number: u64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
