//! Jumps that C forbids: into the scope of an object of variably modified type, and into a
//! statement expression.
//!
//! # Invariants
//! - Regions form a tree; a jump may leave regions but enter none.

use super::Parser;
use crate::ast::LabelId;
use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// Something a jump may leave but not enter.
#[derive(Clone, Copy, Debug)]
struct Region {
    parent: u32,
    depth: u32,
    what: &'static str,
    start: Span,
}

/// The regions of a function, and the jumps among them.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// The region we are in; 0 is the function itself.
    pub(super) current: u32,
    /// Regions 1, 2, ….
    list: Vec<Region>,
    labels: FxHashMap<LabelId, u32>,
    gotos: Vec<(LabelId, u32, Span)>,
}

impl Regions {
    /// Opens a region inside the current one.
    pub(super) fn enter(&mut self, what: &'static str, start: Span) {
        let parent = self.current;
        let depth = self.depth(parent) + 1;
        self.list.push(Region {
            parent,
            depth,
            what,
            start,
        });
        self.current = self.list.len() as u32;
    }

    fn get(&self, region: u32) -> Option<&Region> {
        self.list.get((region as usize).wrapping_sub(1))
    }

    fn depth(&self, region: u32) -> u32 {
        self.get(region).map_or(0, |region| region.depth)
    }

    /// The outermost region around `to` that does not hold `from`.
    fn entered(&self, from: u32, to: u32) -> Option<Region> {
        let (mut from, mut to) = (from, to);
        let mut entered = None;
        while from != to {
            if self.depth(to) >= self.depth(from) {
                let region = self.get(to)?;
                entered = Some(*region);
                to = region.parent;
            } else {
                from = self.get(from)?.parent;
            }
        }
        entered
    }
}

impl Parser<'_> {
    /// The scope of an object of variably modified type begins.
    pub(super) fn enter_lengths(&mut self, span: Span) {
        let what = "the scope of a variable-length array";
        self.state().regions.enter(what, span);
    }

    /// Notes where a jump starts.
    pub(super) fn note_goto(&mut self, label: LabelId, span: Span) {
        let regions = &mut self.state().regions;
        regions.gotos.push((label, regions.current, span));
    }

    /// Notes where a label stands.
    pub(super) fn note_label(&mut self, label: LabelId) {
        let regions = &mut self.state().regions;
        regions.labels.insert(label, regions.current);
    }

    /// Reports a jump from one region into another.
    pub(super) fn check_jump(&mut self, from: u32, to: u32, span: Span) {
        if let Some(region) = self.state().regions.entered(from, to) {
            let message = format!("this jumps into {}", region.what);
            let diagnostic = Diagnostic::error(span, message);
            self.report(diagnostic.note(region.start, "which begins here"));
        }
    }

    /// Reports the jumps of a function that enter what they may not.
    pub(super) fn check_gotos(&mut self) {
        if self.state().regions.list.is_empty() {
            return;
        }
        let gotos = std::mem::take(&mut self.state().regions.gotos);
        for (label, from, span) in gotos {
            if let Some(&to) = self.state().regions.labels.get(&label) {
                self.check_jump(from, to, span);
            }
        }
    }
}
