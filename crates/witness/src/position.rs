//! Source locations as witnesses name them: in the file that the verifier was given.
//!
//! A file that was read as it is has the locations of its own text, whatever its line markers say.
//! A file that we preprocessed has those of the text as written.

use crate::format::Location;
use base::place::Places;
use base::{FileId, Position, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Finds places for witnesses.
pub struct Positions<'s> {
    sources: &'s SourceMap,
    places: Places<'s>,
    /// Whether the text of a file is the one on the disk.
    is_own: BTreeMap<u32, bool>,
}

impl<'s> Positions<'s> {
    /// Places in these texts.
    pub fn new(sources: &'s SourceMap) -> Self {
        let is_own = |(_, file): (FileId, &base::SourceFile)| {
            let own = std::fs::read(&*file.name).is_ok_and(|text| text[..] == file.text[..]);
            (file.base, own)
        };
        Positions {
            sources,
            places: Places::new(sources),
            is_own: sources.files().map(is_own).collect(),
        }
    }

    /// The names of the files that places are in, each once.
    pub fn file_names(&self) -> Vec<String> {
        let (own, others): (Vec<_>, Vec<_>) = self
            .sources
            .files()
            .partition(|(_, file)| self.is_own[&file.base]);
        let own = own.into_iter().map(|(_, file)| file.name.to_string());
        let mut names: BTreeSet<String> = own.collect();
        if !others.is_empty() {
            let written = self.places.written_files().into_iter();
            names.extend(written.map(|(name, _)| name.to_string()));
        }
        names.into_iter().collect()
    }

    /// Where a span starts.
    pub fn start(&self, span: Span, function: Option<&str>) -> Option<Location> {
        let position = match self.is_own(span) {
            true => self.sources.physical(span)?,
            false => self.places.position(span)?,
        };
        Some(location(&position, position.column, function))
    }

    /// Where the last character of a span stands: the `)` of a call.
    pub fn end(&self, span: Span, function: Option<&str>) -> Option<Location> {
        if span.hi <= span.lo {
            return None;
        }
        let last = Span {
            lo: span.hi - 1,
            hi: span.hi,
        };
        if self.is_own(span) {
            return self.start(last, function);
        }
        // The part on the last line is looked for as a whole: a `)` alone may stand anywhere.
        let snippet = self.sources.snippet(span);
        let tail = snippet.rsplit(|&byte| byte == b'\n').next()?;
        let tail = tail.trim_ascii_start();
        let place = self.places.of(Span {
            lo: span.hi - tail.len() as u32,
            hi: span.hi,
        })?;
        Some(location(&place.position, place.range.end as u32, function))
    }

    fn is_own(&self, span: Span) -> bool {
        let file = self.sources.file_of(span);
        file.is_some_and(|file| self.is_own[&file.base])
    }
}

fn location(position: &Position, column: u32, function: Option<&str>) -> Location {
    Location {
        file_name: position.file.to_string(),
        line: position.line,
        column: Some(column.max(1)),
        function: function.map(str::to_owned),
    }
}
