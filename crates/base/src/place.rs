//! Source locations as the user knows them: the file and line as written, with its text.
//!
//! Preprocessed text is not what the user wrote: macros are expanded and columns moved. So the text
//! of a line is taken from the file that the line marker names, if it can be read, and the contents
//! of a span are searched for there.

use crate::source::{Position, SourceMap, Span, line_at, line_starts};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// A place with its text.
#[derive(Clone, PartialEq, Debug)]
pub struct SourceExcerpt {
    /// File, line and column.
    pub position: Position,
    /// The line.
    pub text: String,
    /// The part of it that is meant, in bytes of `text`, at character boundaries.
    pub range: std::ops::Range<usize>,
}

/// Finds places; remembers the files it has read.
pub struct Places<'s> {
    sources: &'s SourceMap,
    files: RefCell<BTreeMap<Arc<str>, Option<Rc<FileLines>>>>,
}

/// Bytes of the largest file that is shown.
const LARGEST: u64 = 1 << 28;
/// Lines of a file that is known from line markers alone.
const MOST_LINES: u32 = 1 << 20;

/// Lines of a file, by their numbers.
type Found<'a> = BTreeMap<u32, &'a [u8]>;

struct FileLines {
    text: Vec<u8>,
    starts: Vec<u32>,
}

impl FileLines {
    fn read(name: &str) -> Option<Rc<Self>> {
        // A line marker may name anything.
        let about = std::fs::metadata(name).ok()?;
        if !about.is_file() || about.len() > LARGEST {
            return None;
        }
        let text = std::fs::read(name).ok()?;
        let starts = line_starts(&text);
        Some(Rc::new(FileLines { text, starts }))
    }

    fn line(&self, number: u32) -> Option<&[u8]> {
        line_at(&self.text, &self.starts, (number as usize).checked_sub(1)?)
    }

    /// All lines; what comes after the last line end is one only if there is something.
    fn all(&self) -> impl Iterator<Item = &[u8]> {
        let ends_clean = self.starts.last() == Some(&(self.text.len() as u32));
        let count = self.starts.len() - usize::from(ends_clean);
        (1..=count as u32).filter_map(|number| self.line(number))
    }
}

impl<'s> Places<'s> {
    /// Places in these texts.
    pub fn new(sources: &'s SourceMap) -> Self {
        Places {
            sources,
            files: RefCell::default(),
        }
    }

    /// The place where a span starts.
    pub fn of(&self, span: Span) -> Option<SourceExcerpt> {
        let physical = self.sources.physical(span)?;
        let mut position = self.sources.presumed(span)?;
        let file = self.sources.file_of(span)?;
        let own = file.line_text(physical.line - 1);
        let from = (physical.column - 1) as usize;
        let length = (span.hi - span.lo) as usize;
        let (text, start, end) = match self.written(&position) {
            Some(line) if line != own => {
                let snippet = first_line(self.sources.snippet(span)).trim_ascii();
                let before = occurrences(&own[..from.min(own.len())], snippet);
                let (start, end) = locate(&line, snippet, before);
                position.column = start as u32 + 1;
                (line, start, end)
            }
            Some(line) => (line, from, from + length),
            None => (own.to_vec(), from, from + length),
        };
        let (text, range) = decode(&text, start, end);
        Some(SourceExcerpt {
            position,
            text,
            range,
        })
    }

    /// File, line and column of a span, or what stands for them.
    pub fn position(&self, span: Span) -> Option<Position> {
        self.of(span).map(|place| place.position)
    }

    /// The files that the texts came from, except for system headers, in order of appearance: names
    /// and lines as the person wrote them. Of a file that is gone only the lines that reached the
    /// texts are known; the others are empty.
    pub fn written_files(&self) -> Vec<(Arc<str>, Vec<String>)> {
        let mut files: Vec<(Arc<str>, Found<'_>)> = Vec::new();
        let mut known = BTreeMap::new();
        for (_, text) in self.sources.files() {
            for (line, start) in text.lines() {
                let span = text.span(start, start);
                if self.sources.is_system(span) || line.starts_with(b"# ") {
                    continue;
                }
                let Some(position) = self.sources.presumed(span) else {
                    continue;
                };
                let index = *known.entry(position.file.clone()).or_insert_with(|| {
                    files.push((position.file.clone(), Found::new()));
                    files.len() - 1
                });
                files[index].1.insert(position.line, line);
            }
        }
        let lines = |(name, found): (Arc<str>, Found<'_>)| {
            let last = found.keys().next_back().map_or(0, |&last| last);
            let known = |number| found.get(&number).copied().unwrap_or_default();
            let lines = match self.file(&name) {
                Some(file) => file.all().map(as_text).collect(),
                None => (1..=last.min(MOST_LINES))
                    .map(|number| as_text(known(number)))
                    .collect(),
            };
            (name, lines)
        };
        files.into_iter().map(lines).collect()
    }

    fn file(&self, name: &Arc<str>) -> Option<Rc<FileLines>> {
        let mut files = self.files.borrow_mut();
        let file = files.entry(name.clone());
        file.or_insert_with(|| FileLines::read(name)).clone()
    }

    /// The line as it is in the file that the position names.
    fn written(&self, position: &Position) -> Option<Vec<u8>> {
        let file = self.file(&position.file)?;
        file.line(position.line).map(<[u8]>::to_vec)
    }
}

fn first_line(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// How often `part` occurs in `line`.
fn occurrences(line: &[u8], part: &[u8]) -> usize {
    let windows = line.windows(part.len().max(1));
    windows.filter(|window| *window == part).count()
}

/// Where `part` is in `line`, for the time after `before` others; the whole line without its
/// indentation if it does not.
fn locate(line: &[u8], part: &[u8], before: usize) -> (usize, usize) {
    let windows = line.windows(part.len().max(1)).enumerate();
    let found: Vec<usize> = windows
        .filter(|(_, window)| *window == part)
        .map(|(at, _)| at)
        .collect();
    match found.get(before).or(found.first()) {
        Some(&at) => (at, at + part.len()),
        None => (line.len() - line.trim_ascii_start().len(), line.len()),
    }
}

/// A line as text, and the range in it that the bytes `start..end` became.
fn decode(line: &[u8], start: usize, end: usize) -> (String, std::ops::Range<usize>) {
    let start = start.min(line.len());
    let end = end.clamp(start, line.len());
    let [before, part, after] =
        [&line[..start], &line[start..end], &line[end..]].map(String::from_utf8_lossy);
    let (lo, hi) = (before.len(), before.len() + part.len());
    (harmless(format!("{before}{part}{after}")), lo..hi)
}

fn as_text(line: &[u8]) -> String {
    harmless(String::from_utf8_lossy(line).into_owned())
}

/// Control characters would move the terminal's cursor; tabs are for the renderer.
fn harmless(text: String) -> String {
    let is_harmful = |c: char| c.is_ascii_control() && c != '\t';
    if !text.contains(is_harmful) {
        return text;
    }
    let shown = |c| if is_harmful(c) { ' ' } else { c };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, LineMarker};

    /// A text with line markers: first lines, files, lines there, and whether these are headers.
    fn marked(text: &[u8], markers: &[(u32, &str, u32, bool)]) -> (SourceMap, FileId) {
        let mut sources = SourceMap::new();
        let id = sources.add("a.i", text.to_vec()).unwrap();
        for &(first_line, file, line, system) in markers {
            let file = file.into();
            let marker = LineMarker {
                first_line,
                file,
                line,
                system,
            };
            sources.add_marker(id, marker);
        }
        (sources, id)
    }

    #[test]
    fn shows_the_physical_line_when_the_named_file_is_gone() {
        let text = b"# 12 \"no-such-file.c\"\nint \xff y;\n";
        let (sources, id) = marked(text, &[(1, "no-such-file.c", 12, false)]);
        let span = sources.file(id).span(28, 29);
        let place = Places::new(&sources).of(span).unwrap();
        assert_eq!(place.position.to_string(), "no-such-file.c:12:7");
        assert_eq!(place.text, "int \u{fffd} y;");
        assert_eq!(&place.text[place.range], "y");
        assert_eq!(Places::new(&sources).of(Span::NONE), None);
    }

    #[test]
    fn line_markers_cannot_make_us_read_or_write_without_end() {
        let text = b"# 4294967290 \"gone.c\"\nint x;\n";
        let (sources, _) = marked(text, &[(1, "gone.c", 4_294_967_290, false)]);
        let files = Places::new(&sources).written_files();
        assert!(files.iter().all(|(_, lines)| lines.len() <= 1 << 20));
        assert!(FileLines::read("/dev/zero").is_none());
    }

    #[test]
    fn of_a_file_that_is_gone_some_lines_are_known() {
        let text = b"# 1 \"sys.h\"\nint s;\n# 3 \"gone.c\"\nint x;\n\nint y;";
        let (sources, _) = marked(text, &[(1, "sys.h", 1, true), (3, "gone.c", 3, false)]);
        let files = Places::new(&sources).written_files();
        let [(name, lines)] = &files[..] else {
            panic!("{files:?}");
        };
        assert_eq!(&**name, "gone.c");
        assert_eq!(*lines, ["", "", "int x;", "", "int y;"]);
    }

    #[test]
    fn finds_a_part_or_takes_the_line() {
        let line = b"  assert(x > 0);";
        assert_eq!(locate(line, b"x > 0", 0), (9, 14));
        assert_eq!(locate(line, b"((x > 0) ? 1 : 2)", 0), (2, 16));
        assert_eq!(locate(b"", b"x", 0), (0, 0));
        assert_eq!(locate(b"f() + f()", b"f()", 1), (6, 9));
        assert_eq!(locate(b"f() + f()", b"f()", 2), (0, 3));
        assert_eq!(locate(b"ab", b"", 0), (0, 2));
        assert_eq!(occurrences(b"f() + f()", b"f()"), 2);
        assert_eq!(occurrences(b"f()", b""), 0);
    }

    #[test]
    fn never_cuts_outside_of_a_line() {
        assert_eq!(decode(b"ab", 7, 9), ("ab".to_owned(), 2..2));
        assert_eq!(decode(b"a\x1bb", 2, 99), ("a b".to_owned(), 2..3));
    }
}
