//! Insertions into texts, and the way back from the new text to the old.

use base::{SourceFile, SourceMap, Span};

/// What stands where at one place: closings before openings, inner before outer closings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Order {
    AfterName,
    AfterCall,
    AfterBranch,
    AfterStatement,
    Statement,
    Branch,
    Condition,
    Call,
}

/// Insertions, by their place in the space of all texts.
pub(crate) struct Edits<'a> {
    sources: &'a SourceMap,
    list: Vec<(u32, Order, String)>,
}

/// New texts.
pub struct Texts {
    /// Name and text of each file, in order.
    pub files: Vec<(String, Vec<u8>)>,
    /// For each file: where bytes were inserted in the new text, and how many.
    inserted: Vec<Vec<(usize, usize)>>,
}

impl<'a> Edits<'a> {
    pub(crate) fn new(sources: &'a SourceMap) -> Self {
        Edits {
            sources,
            list: Vec::new(),
        }
    }

    pub(crate) fn insert(&mut self, at: u32, order: Order, text: String) {
        self.list.push((at, order, text));
    }

    /// The new texts, each behind its head.
    pub(crate) fn apply(mut self, head: impl Fn(&SourceFile) -> String) -> Texts {
        self.list.sort_by_key(|(at, order, _)| (*at, *order));
        let mut texts = Texts {
            files: Vec::new(),
            inserted: Vec::new(),
        };
        for (_, file) in self.sources.files() {
            let (start, end) = (file.base, file.base + file.text.len() as u32);
            let mut out = (head(file) + "\n").into_bytes();
            let mut inserted = vec![(0, out.len())];
            let mut done = 0;
            for (at, _, text) in &self.list {
                if !(start..=end).contains(at) {
                    continue;
                }
                let at = (at - start) as usize;
                out.extend_from_slice(&file.text[done..at]);
                inserted.push((out.len(), text.len()));
                out.extend_from_slice(text.as_bytes());
                done = at;
            }
            out.extend_from_slice(&file.text[done..]);
            texts.files.push((file.name.to_string(), out));
            texts.inserted.push(inserted);
        }
        texts
    }
}

impl Texts {
    /// Whether a span of the new texts starts in what was inserted.
    pub fn is_inserted(&self, new: &SourceMap, span: Span) -> bool {
        let mut files = new.files().zip(&self.inserted);
        files.any(|((_, file), inserted)| {
            let mut starts = inserted.iter();
            starts.any(|&(place, len)| {
                let start = file.base + place as u32;
                (start..start + len as u32).contains(&span.lo)
            })
        })
    }

    /// Where a span of the new texts stood in the old ones.
    pub fn back(&self, new: &SourceMap, old: &SourceMap, span: Span) -> Option<Span> {
        let index = new.files().position(|(_, file)| {
            (file.base..=file.base + file.text.len() as u32).contains(&span.lo)
        })?;
        let (_, from) = new.files().nth(index)?;
        let (_, to) = old.files().nth(index)?;
        let map = |at: u32| {
            let at = (at - from.base) as usize;
            let before = self.inserted[index]
                .iter()
                .take_while(|(place, _)| *place < at);
            let gone: usize = before.map(|&(place, len)| len.min(at - place)).sum();
            to.base + (at - gone) as u32
        };
        Some(Span {
            lo: map(span.lo),
            hi: map(span.hi.max(span.lo)),
        })
    }
}
