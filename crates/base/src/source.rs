//! Source texts and positions in them.
//!
//! All texts of a task share one space of byte offsets, so a [`Span`] is two numbers. A text may be
//! preprocessed: its line markers (`# 12 "f.c"`) then say where each line came from, and a position
//! has both a *physical* location (in the text) and a *presumed* one (what a compiler would
//! report).
//!
//! # Invariants
//! - File ranges do not overlap and grow with the file's id; offset 0 belongs to no file, so
//!   [`Span::NONE`] denotes no location.

use crate::{IdVec, define_id};
use std::sync::Arc;

define_id! {
    /// A text known to the [`SourceMap`].
    FileId = "f";
}

/// A range of bytes `lo..hi` in the space of all texts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// The span of things that are in no text.
    pub const NONE: Span = Span { lo: 0, hi: 0 };

    /// The smallest span that holds both; [`Span::NONE`] adds nothing.
    pub fn to(self, end: Span) -> Span {
        if self == Span::NONE {
            return end;
        }
        if end == Span::NONE {
            return self;
        }
        Span {
            lo: self.lo.min(end.lo),
            hi: self.hi.max(end.hi),
        }
    }
}

/// A place as people name it: file, line and column, both from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The file's name.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// "From this physical line on, the text came from that file and line."
#[derive(Clone, Debug)]
pub struct LineMarker {
    /// The first physical line (from 0) the marker mentions.
    pub first_line: u32,
    /// The presumed file.
    pub file: Arc<str>,
    /// The presumed number of that first line.
    pub line: u32,
    /// Whether the presumed file is a system header.
    pub system: bool,
}

/// One text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name it was read under.
    pub name: Arc<str>,
    /// Its bytes; C texts need not be UTF-8.
    pub text: Arc<[u8]>,
    /// Offset of its first byte in the space of all texts.
    pub base: u32,
    /// Start of each physical line, relative to the text.
    line_starts: Vec<u32>,
    /// Line markers, by growing physical line.
    markers: Vec<LineMarker>,
}

impl SourceFile {
    /// The span of the bytes `lo..hi` of this text.
    pub fn span(&self, lo: usize, hi: usize) -> Span {
        Span {
            lo: self.base + lo as u32,
            hi: self.base + hi as u32,
        }
    }

    /// The text of a physical line (from 0), without its end.
    pub fn line_text(&self, line: u32) -> &[u8] {
        line_at(&self.text, &self.line_starts, line as usize).expect("the line should be there")
    }

    /// All physical lines, without their ends, and where in the text each starts.
    pub fn lines(&self) -> impl Iterator<Item = (&[u8], usize)> {
        let starts = self.line_starts.iter().enumerate();
        starts.map(|(line, &start)| (self.line_text(line as u32), start as usize))
    }

    /// The physical line (from 0) of an offset relative to the text.
    fn line_of(&self, offset: u32) -> u32 {
        (self.line_starts.partition_point(|&start| start <= offset) - 1) as u32
    }

    fn marker_of(&self, line: u32) -> Option<&LineMarker> {
        let after = self
            .markers
            .partition_point(|marker| marker.first_line <= line);
        after.checked_sub(1).map(|index| &self.markers[index])
    }
}

/// Where the lines of a text start.
pub(crate) fn line_starts(text: &[u8]) -> Vec<u32> {
    let ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let starts = ends.map(|(at, _)| at as u32 + 1);
    std::iter::once(0).chain(starts).collect()
}

/// A line (from 0) of a text, without its end.
pub(crate) fn line_at<'t>(text: &'t [u8], starts: &[u32], line: usize) -> Option<&'t [u8]> {
    let start = *starts.get(line)? as usize;
    let next = starts.get(line + 1);
    let end = next.map_or(text.len(), |&next| next as usize);
    Some(text[start..end].trim_ascii_end())
}

/// All texts of a task.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: IdVec<FileId, SourceFile>,
}

impl SourceMap {
    /// A map without texts.
    pub fn new() -> Self {
        SourceMap::default()
    }

    /// Adds a text. `None` when the texts together would pass 2^32 bytes.
    pub fn add(&mut self, name: &str, text: Vec<u8>) -> Option<FileId> {
        let base = self
            .files
            .iter()
            .last()
            .map_or(1, |file| file.base + file.text.len() as u32 + 1);
        u32::try_from(text.len())
            .ok()
            .and_then(|len| base.checked_add(len)?.checked_add(1))?;
        Some(self.files.push(SourceFile {
            name: name.into(),
            base,
            line_starts: line_starts(&text),
            text: text.into(),
            markers: Vec::new(),
        }))
    }

    /// Records a line marker; the lexer finds them in order.
    pub fn add_marker(&mut self, file: FileId, marker: LineMarker) {
        self.files[file].markers.push(marker);
    }

    /// One text.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    /// All texts.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter_enumerated()
    }

    /// The text a span is in, if any.
    pub fn file_of(&self, span: Span) -> Option<&SourceFile> {
        if span == Span::NONE {
            return None;
        }
        self.files.iter().rev().find(|file| file.base <= span.lo)
    }

    /// The bytes of a span; none if it is of texts that are not here.
    pub fn snippet(&self, span: Span) -> &[u8] {
        self.file_of(span)
            .and_then(|file| {
                let lo = (span.lo - file.base) as usize;
                let hi = span.hi.checked_sub(file.base)? as usize;
                file.text.get(lo..hi)
            })
            .unwrap_or(&[])
    }

    /// Where a span starts in the text that was read.
    pub fn physical(&self, span: Span) -> Option<Position> {
        let file = self.file_of(span)?;
        let offset = span.lo - file.base;
        let line = file.line_of(offset);
        let column = offset - file.line_starts[line as usize] + 1;
        Some(Position {
            file: file.name.clone(),
            line: line + 1,
            column,
        })
    }

    /// Where a span starts as a compiler would report it: through the line markers.
    pub fn presumed(&self, span: Span) -> Option<Position> {
        let physical = self.physical(span)?;
        let file = self.file_of(span)?;
        let Some(marker) = file.marker_of(physical.line - 1) else {
            return Some(physical);
        };
        let line = marker.line + (physical.line - 1 - marker.first_line);
        Some(Position {
            file: marker.file.clone(),
            line,
            column: physical.column,
        })
    }

    /// Whether a span is in text that came from a system header.
    pub fn is_system(&self, span: Span) -> bool {
        self.file_of(span)
            .and_then(|file| file.marker_of(file.line_of(span.lo - file.base)))
            .is_some_and(|marker| marker.system)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_follow_line_markers() {
        let mut map = SourceMap::new();
        let id = map
            .add("a.i", b"int x;\n# 12 \"f.c\"\nint y;\n".to_vec())
            .unwrap();
        map.add_marker(
            id,
            LineMarker {
                first_line: 2,
                file: "f.c".into(),
                line: 12,
                system: false,
            },
        );
        let span = map.file(id).span(22, 23);
        assert_eq!(map.snippet(span), b"y");
        assert_eq!(map.physical(span).unwrap().to_string(), "a.i:3:5");
        assert_eq!(map.presumed(span).unwrap().to_string(), "f.c:12:5");
        assert_eq!(
            map.presumed(map.file(id).span(4, 5)).unwrap().to_string(),
            "a.i:1:5"
        );
        assert_eq!(map.physical(Span::NONE), None);
    }
}
