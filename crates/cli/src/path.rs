//! The path of a run in source lines, with loops folded.
//!
//! Lines are recorded as the machine visits them. A stretch of lines that repeats the one before
//! it becomes a loop, which keeps its first and its last round; so a path stays short however
//! long the run.
//!
//! # Invariants
//! - Two entries have equal shapes iff they have equal hashes (up to collisions, which only make
//!   the shown path too short).

use base::{Id, SourceMap, Span};
use exec::{Target, Value, Watch};
use program::ir::{Edge, EdgeId, Op, ProcId, Program, VarId};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The longest stretch of entries that is looked for as a loop's round.
const ROUND: usize = 64;
/// Entries kept before the middle of the path is dropped.
const KEPT: usize = 6000;
/// Entries kept at either end when it is.
const ENDS: usize = 1000;

/// A part of a path.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// A line was executed.
    Visit(Visit),
    /// A stretch was executed several times: its first round, its last one, and how many.
    Loop {
        first: Vec<Entry>,
        last: Vec<Entry>,
        rounds: u64,
        hash: u64,
    },
    /// This many entries were dropped.
    Dropped(u64),
}

/// One line as executed once.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    /// The procedure.
    pub(crate) proc: ProcId,
    /// The first edge's place on that line.
    pub(crate) span: Span,
    /// The values that variables and objects got, in order; the last one of each counts.
    pub(crate) values: Vec<(Target, Value)>,
    line: u32,
}

impl Entry {
    fn shape(&self) -> u64 {
        match self {
            Entry::Visit(visit) => shape(&(visit.proc, visit.line)),
            Entry::Loop { hash, .. } => *hash,
            Entry::Dropped(_) => 0,
        }
    }

    /// Takes a stretch as one more round of this loop, or of the loop that it ends in.
    fn absorb(&mut self, stretch: &[Entry]) -> bool {
        let Entry::Loop {
            first,
            last,
            rounds,
            ..
        } = self
        else {
            return false;
        };
        if same(first, stretch) {
            *last = stretch.to_vec();
            *rounds += 1;
            return true;
        }
        last.last_mut().is_some_and(|entry| entry.absorb(stretch))
    }
}

fn shape(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish() | 1
}

fn same(a: &[Entry], b: &[Entry]) -> bool {
    a.len() == b.len()
        && a.iter()
            .rev()
            .zip(b.iter().rev())
            .all(|(x, y)| x.shape() == y.shape())
}

/// Watches a run and keeps its path.
pub(crate) struct Recorder<'p> {
    program: &'p Program,
    /// For each procedure and edge: which line it stands on, numbered from 1; 0 for none.
    lines: Vec<Vec<u32>>,
    current: Option<Visit>,
    entries: Vec<Entry>,
    /// The last value of every variable.
    pub(crate) values: BTreeMap<VarId, Value>,
}

impl<'p> Recorder<'p> {
    /// Nothing seen yet.
    pub(crate) fn new(program: &'p Program, sources: &SourceMap) -> Self {
        let mut numbers = BTreeMap::new();
        let lines = program
            .procs
            .iter()
            .map(|procedure| {
                let hidden = procedure.name.starts_with('$');
                let number = |edge: &Edge| {
                    // Births and deaths of objects are no steps that a person sees.
                    let silent = matches!(edge.op, Op::Enter(_) | Op::Leave(_) | Op::Skip);
                    let span = edge.span;
                    if silent || hidden || sources.is_system(span) {
                        return 0;
                    }
                    let Some(position) = sources.presumed(span) else {
                        return 0;
                    };
                    let next = numbers.len() as u32 + 1;
                    *numbers
                        .entry((position.file, position.line))
                        .or_insert(next)
                };
                procedure.edges.iter().map(number).collect()
            })
            .collect();
        Recorder {
            program,
            lines,
            current: None,
            entries: Vec::new(),
            values: BTreeMap::new(),
        }
    }

    /// The path.
    pub(crate) fn finish(mut self) -> (Vec<Entry>, BTreeMap<VarId, Value>) {
        if let Some(visit) = self.current.take() {
            self.push(Entry::Visit(visit));
        }
        (self.entries, self.values)
    }

    fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
        while self.fold() {}
        if self.entries.len() > KEPT {
            let tail = self.entries.split_off(self.entries.len() - ENDS);
            let mut dropped = 0;
            for entry in self.entries.drain(ENDS..) {
                dropped += match entry {
                    Entry::Dropped(count) => count,
                    Entry::Visit(_) | Entry::Loop { .. } => 1,
                };
            }
            self.entries.push(Entry::Dropped(dropped));
            self.entries.extend(tail);
        }
    }

    /// Folds a repetition at the end of the path, if there is one.
    fn fold(&mut self) -> bool {
        let len = self.entries.len();
        for round in 1..=ROUND.min(len - 1) {
            let tail = len - round;
            let (before, after) = self.entries.split_at_mut(tail);
            if before.last_mut().is_some_and(|entry| entry.absorb(after)) {
                self.entries.truncate(tail);
                return true;
            }
            if tail >= round && same(&self.entries[tail - round..tail], &self.entries[tail..]) {
                let last = self.entries.split_off(tail);
                let first = self.entries.split_off(tail - round);
                let hash = shape(&first.iter().map(Entry::shape).collect::<Vec<_>>());
                self.entries.push(Entry::Loop {
                    first,
                    last,
                    rounds: 2,
                    hash,
                });
                return true;
            }
        }
        false
    }
}

impl Watch for Recorder<'_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        let line = self.lines[proc.index()][edge.index()];
        if line == 0 {
            return;
        }
        if let Some(visit) = &self.current
            && visit.line == line
            && visit.proc == proc
        {
            return;
        }
        let visit = Visit {
            proc,
            span: self.program.procs[proc].edges[edge].span,
            values: Vec::new(),
            line,
        };
        if let Some(done) = self.current.replace(visit) {
            self.push(Entry::Visit(done));
        }
    }

    fn wrote(&mut self, target: Target, value: Value) {
        if let Target::Var(var) = target {
            self.values.insert(var, value);
        }
        if let Some(visit) = &mut self.current {
            match visit.values.iter_mut().find(|(known, _)| *known == target) {
                Some((_, old)) => *old = value,
                None => visit.values.push((target, value)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::IdVec;

    /// The path of a list of lines, as text.
    fn fold(lines: &[u32]) -> String {
        let program = Program {
            pointer_bytes: 8,
            vars: IdVec::new(),
            objects: IdVec::new(),
            procs: IdVec::new(),
            entry: ProcId::from_index(0),
            sites: IdVec::new(),
            inlines: IdVec::new(),
            assumptions: Vec::new(),
        };
        let mut recorder = Recorder::new(&program, &SourceMap::new());
        for &line in lines {
            recorder.push(Entry::Visit(Visit {
                proc: ProcId::from_index(0),
                span: Span::NONE,
                values: Vec::new(),
                line,
            }));
        }
        show(&recorder.finish().0)
    }

    fn show(entries: &[Entry]) -> String {
        let list: Vec<String> = entries
            .iter()
            .map(|entry| match entry {
                Entry::Visit(visit) => visit.line.to_string(),
                Entry::Loop { first, rounds, .. } => format!("({})x{rounds}", show(first)),
                Entry::Dropped(count) => format!("...{count}"),
            })
            .collect();
        list.join(" ")
    }

    #[test]
    fn folds_loops() {
        assert_eq!(fold(&[1, 2, 3]), "1 2 3");
        assert_eq!(fold(&[1, 2, 3, 2, 3, 2, 3, 4]), "1 (2 3)x3 4");
        // 2 (3 4)^k, three times over, with other numbers of inner rounds.
        let nested = [1, 2, 3, 4, 3, 4, 2, 3, 4, 3, 4, 3, 4, 2, 3, 4, 3, 4, 5];
        assert_eq!(fold(&nested), "1 (2 (3 4)x2)x3 5");
        let long: Vec<u32> = (0..100_000).map(|n| n % 3).collect();
        assert_eq!(fold(&long), "(0 1 2)x33333 0");
    }

    #[test]
    fn drops_the_middle_of_what_does_not_repeat() {
        let lines: Vec<u32> = (0..KEPT as u32 + 10).collect();
        let text = fold(&lines);
        assert!(text.starts_with("0 1 2") && text.contains("..."), "{text}");
    }
}
