//! Insertions into source texts.

use base::{SourceFile, SourceMap};

/// What is where at one place: closings before openings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Order {
    AfterName,
    Statement,
    Condition,
}

/// Insertions, by their place in the space of all texts.
pub(crate) struct Edits<'a> {
    sources: &'a SourceMap,
    pub(crate) list: Vec<(u32, Order, String)>,
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

    /// The text of each file, in order, each after its head.
    pub(crate) fn apply(mut self, head: impl Fn(&SourceFile) -> String) -> Vec<Vec<u8>> {
        self.list.sort_by_key(|(at, order, _)| (*at, *order));
        let mut texts = Vec::new();
        for (_, file) in self.sources.files() {
            let (start, end) = (file.base, file.base + file.text.len() as u32);
            let mut out = (head(file) + "\n").into_bytes();
            let mut done = 0;
            for (at, _, text) in &self.list {
                if !(start..=end).contains(at) {
                    continue;
                }
                let at = (at - start) as usize;
                out.extend_from_slice(&file.text[done..at]);
                out.extend_from_slice(text.as_bytes());
                done = at;
            }
            out.extend_from_slice(&file.text[done..]);
            texts.push(out);
        }
        texts
    }
}
