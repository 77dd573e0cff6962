//! Facts about uninterpreted functions.

use super::builder::Builder;
use logic::{Integer, Sort, TermId};

impl Builder<'_> {
    /// Two terms that start out alike and go through the same functions, or one that a term over
    /// symbols that are everywhere describes; the root tells them apart.
    pub(super) fn add_functions(&mut self) {
        for (name, count) in [("f", 1), ("h", 2)] {
            let function = self
                .store
                .new_function(name, &[Sort::Int; 2][..count], Sort::Int);
            self.functions.push(function);
        }
        for index in 0..1 + self.rng.below(2) {
            let value = self.number();
            let global = self.integer(&format!("g{index}"), value);
            self.globals.push(global);
        }
        let twins = self.rng.chance(60);
        // What the terms above the parts are equal to.
        let mut others: Vec<TermId> = Vec::new();
        for part in 0..self.root() {
            let other = self.grow(part, &others, twins);
            others.push(other);
        }
        let root = self.root();
        let (mut mine, mut theirs) = self.joined(root, &others);
        if self.rng.chance(30) {
            let (f, extra) = (self.functions[0], self.number());
            let extra = self.store.int(extra);
            mine = self.store.add(mine, extra);
            theirs = self.store.add(theirs, extra);
            (mine, theirs) = (self.store.apply(f, &[mine]), self.store.apply(f, &[theirs]));
        }
        let (less, more) = (self.store.lt(mine, theirs), self.store.lt(theirs, mine));
        let denied = match self.rng.below(3) {
            0 => less,
            1 => more,
            _ => self.store.or(&[less, more]),
        };
        self.hide(root, denied);
        self.add_noise(2);
    }

    /// Adds the symbol above a part and what it is equal to, which is a symbol too (a twin) or a
    /// term.
    fn grow(&mut self, part: usize, others: &[TermId], twins: bool) -> TermId {
        let (mine, theirs) = if self.children[part].is_empty() {
            let over = self.globals.clone();
            let start = self.linear(&over);
            (start, start)
        } else {
            self.joined(part, others)
        };
        let (mine, theirs) = self.step(mine, theirs);
        self.named(part, "a", mine);
        if !twins {
            return theirs;
        }
        self.named(part, "b", theirs)
    }

    /// A symbol above a part that is equal to a term.
    fn named(&mut self, part: usize, name: &str, term: TermId) -> TermId {
        let value = self.value(term);
        let out = self.integer(&format!("{name}_{part}"), value);
        self.outs[part].push(out);
        let fact = self.store.eq(out, term);
        self.hide(part, fact);
        out
    }

    /// What the parts below hand on: the sum, or a function of two.
    fn joined(&mut self, part: usize, others: &[TermId]) -> (TermId, TermId) {
        let children = self.children[part].clone();
        let mine: Vec<TermId> = children.iter().map(|&child| self.outs[child][0]).collect();
        let theirs: Vec<TermId> = children.iter().map(|&child| others[child]).collect();
        if let ([a, b, ..], [c, d, ..]) = (&mine[..], &theirs[..])
            && self.rng.chance(50)
        {
            let h = self.functions[1];
            return (
                self.store.apply(h, &[*a, *b]),
                self.store.apply(h, &[*c, *d]),
            );
        }
        let sum = |terms: Vec<TermId>| -> Vec<(TermId, Integer)> {
            terms.into_iter().map(|term| (term, Integer::ONE)).collect()
        };
        (
            self.store.linear(&Integer::ZERO, &sum(mine)),
            self.store.linear(&Integer::ZERO, &sum(theirs)),
        )
    }

    /// Does the same to two terms.
    fn step(&mut self, mine: TermId, theirs: TermId) -> (TermId, TermId) {
        let extra = self.number();
        let extra = self.store.int(extra);
        let more = (self.store.add(mine, extra), self.store.add(theirs, extra));
        match self.rng.below(5) {
            0 => more,
            1 => {
                let (h, other) = (self.functions[1], self.rng.pick(&self.globals));
                let second = self.store.apply(h, &[theirs, other]);
                (self.store.apply(h, &[mine, other]), second)
            }
            2 => {
                let f = self.functions[0];
                let second = self.store.apply(f, &[more.1]);
                (self.store.apply(f, &[more.0]), second)
            }
            _ => {
                let f = self.functions[0];
                let (a, b) = (self.store.apply(f, &[mine]), self.store.apply(f, &[theirs]));
                (self.store.add(a, extra), self.store.add(b, extra))
            }
        }
    }
}
