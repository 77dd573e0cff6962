//! Source locations, resolved once for all printers.

use serde::{Serialize, Serializer};

/// A place in a source file.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The file, the line and its text, and which part of it is meant.
    pub source: base::place::SourceExcerpt,
    /// Index into [`crate::Answer::files`], if it is among them.
    pub file: Option<usize>,
}

impl Place {
    /// The name of the file, as given.
    pub fn name(&self) -> &str {
        &self.source.position.file
    }

    /// From 1.
    pub fn line(&self) -> u32 {
        self.source.position.line
    }

    /// The text of the line.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The file and the line: `a.c:3`.
    pub fn shown(&self) -> String {
        format!("{}:{}", self.name(), self.line())
    }

    /// Where what is meant starts, and the column after it; from 1, in characters.
    pub fn columns(&self) -> [u32; 2] {
        let range = &self.source.range;
        [range.start, range.end].map(|at| {
            let before = self.text().get(..at).unwrap_or(self.text());
            before.chars().count() as u32 + 1
        })
    }

    /// Whether two places are on one line.
    pub fn is_on_line_of(&self, other: &Place) -> bool {
        self.line() == other.line() && self.name() == other.name()
    }
}

/// A place on a page.
#[derive(Serialize)]
struct OnPage {
    file: usize,
    line: u32,
    column: u32,
    end: u32,
}

/// On a page, a place is known by the number of its file; one in another file is none.
impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [column, end] = self.columns();
        let on_page = self.file.map(|file| OnPage {
            file,
            line: self.line(),
            column,
            end,
        });
        on_page.serialize(serializer)
    }
}

/// Whether a page has no such place.
pub(crate) fn is_off_page(place: &Option<Place>) -> bool {
    place.as_ref().is_none_or(|place| place.file.is_none())
}
