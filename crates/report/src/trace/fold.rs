//! The path of a run as a tree of calls and loops, folded while it is made.
//!
//! A loop keeps its first iteration, its last one, and those whose way through the body differs
//! from that of the iteration before, each with that iteration. The way is the lines and branches
//! taken; how many iterations an inner loop made is no part of it, only which ways it took.
//!
//! # Invariants
//! - What is kept is bounded, however long the run: loops keep few iterations, and where that does
//!   not help, the middle is left out.

use super::depend::CauseId;
use base::Span;
use exec::{Target, Value};
use program::ir::{ProcId, VarId};
use std::hash::{Hash, Hasher};

/// Iterations of a loop that are kept besides the last.
const ITERATIONS: usize = 12;
/// Visits kept before the middle is left out.
const KEPT: usize = 20_000;
/// Entries of a list kept at either end when it is.
const ENDS: usize = 500;
/// Calls inside of each other that are kept as such.
const DEEP: usize = 200;

/// A part of a path.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// A line was executed.
    Visit(Visit),
    /// A procedure was called.
    Call(Call),
    /// A loop made an iteration.
    Loop(Loop),
    /// This many lines are left out.
    LeftOut(u64),
}

/// One line as executed once.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    /// The procedure.
    pub(super) proc: ProcId,
    /// The first edge's place on that line.
    pub(super) span: Span,
    /// How many calls deep.
    pub(super) depth: usize,
    /// The values that variables and objects got, in order; the last one of each counts.
    pub(super) values: Vec<(Target, Value, CauseId)>,
    /// What happened on the line, by the indices of causes.
    pub(super) causes: std::ops::Range<usize>,
    /// The line, by its number among all lines.
    pub(super) line: u32,
    /// Whether the head of a loop was passed on it.
    pub(super) is_head: bool,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The procedure that is called.
    pub(super) proc: ProcId,
    /// The arguments.
    pub(super) args: Vec<(VarId, Value, CauseId)>,
    /// What happened inside.
    pub(super) entries: Vec<Entry>,
    /// Whether it has returned.
    pub(super) is_done: bool,
}

/// A loop, from entering it to leaving it.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// Its head.
    pub(super) head: Span,
    /// The iterations that are kept, in order.
    pub(super) iterations: Vec<Iteration>,
    /// How many iterations there were.
    pub(super) count: u64,
    /// The last look at the condition, if that ended the loop.
    pub(super) end: Vec<Entry>,
}

/// One iteration.
#[derive(Clone, Debug)]
pub(super) struct Iteration {
    /// Counted from 1.
    pub(super) number: u64,
    /// What happened.
    pub(super) entries: Vec<Entry>,
}

/// Makes the tree.
pub(super) struct Builder {
    open: Vec<Open>,
    /// Calls too deep to be kept as such, among those that are open.
    flat: usize,
    /// Visits since the last look at how many are kept.
    visits: usize,
}

struct Open {
    kind: Kind,
    entries: Vec<Entry>,
    way: u64,
}

enum Kind {
    Root,
    Call {
        proc: ProcId,
        args: Vec<(VarId, Value, CauseId)>,
    },
    Loop {
        head: Span,
        kept: Vec<Iteration>,
        last: Option<Iteration>,
        /// The way of the iteration before.
        before: Option<u64>,
        /// The ways of all iterations, without repetitions.
        ways: u64,
        count: u64,
    },
}

impl Builder {
    /// An empty path.
    pub(super) fn new() -> Self {
        Builder {
            open: vec![Open::new(Kind::Root)],
            flat: 0,
            visits: 0,
        }
    }

    /// The path; what is open ends here.
    pub(super) fn finish(mut self) -> Vec<Entry> {
        self.flat = 0;
        while self.open.len() > 1 {
            match self.top().kind {
                Kind::Call { .. } => self.close_call(false),
                Kind::Loop { .. } | Kind::Root => self.leave_loop(false),
            }
        }
        self.open.pop().map_or_else(Vec::new, |root| root.entries)
    }

    /// A line was executed.
    pub(super) fn visit(&mut self, visit: Visit) {
        self.way(&visit.line);
        self.top().entries.push(Entry::Visit(visit));
        self.visits += 1;
        if self.visits > KEPT {
            self.trim();
        }
    }

    /// Something that makes one way differ from another.
    pub(super) fn way(&mut self, mark: &impl Hash) {
        let top = self.top();
        top.way = mix(top.way, mark);
    }

    /// A procedure is called.
    pub(super) fn enter_call(&mut self, proc: ProcId) {
        if self.open.len() >= DEEP {
            self.flat += 1;
            return;
        }
        let args = Vec::new();
        self.open.push(Open::new(Kind::Call { proc, args }));
    }

    /// The call just entered has this argument.
    pub(super) fn argument(&mut self, var: VarId, value: Value, cause: CauseId) {
        let is_flat = self.flat > 0;
        if let Kind::Call { args, .. } = &mut self.top().kind
            && !is_flat
        {
            args.push((var, value, cause));
        }
    }

    /// The procedure returns.
    pub(super) fn leave_call(&mut self) {
        if self.flat > 0 {
            self.flat -= 1;
        } else {
            self.close_call(true);
        }
    }

    /// A loop is entered: its first iteration starts.
    pub(super) fn enter_loop(&mut self, head: Span) {
        self.open.push(Open::new(Kind::Loop {
            head,
            kept: Vec::new(),
            last: None,
            before: None,
            ways: 0,
            count: 0,
        }));
    }

    /// The next iteration of the innermost loop starts.
    pub(super) fn iteration(&mut self) {
        self.top().end_iteration();
    }

    /// The innermost loop is left, perhaps by its condition.
    pub(super) fn leave_loop(&mut self, by_condition: bool) {
        let Some(mut done) = self.open.pop() else {
            return;
        };
        let mut end = Vec::new();
        if by_condition {
            end = std::mem::take(&mut done.entries);
        } else {
            done.end_iteration();
        }
        let Kind::Loop {
            head,
            mut kept,
            last,
            ways,
            count,
            ..
        } = done.kind
        else {
            return;
        };
        self.way(&ways);
        kept.extend(last);
        kept.retain(|iteration| !iteration.entries.is_empty());
        if kept.is_empty() {
            self.top().entries.extend(end);
            return;
        }
        self.top().entries.push(Entry::Loop(Loop {
            head,
            iterations: kept,
            count,
            end,
        }));
    }

    fn close_call(&mut self, is_done: bool) {
        let Some(done) = self.open.pop() else { return };
        let Kind::Call { proc, args } = done.kind else {
            return;
        };
        // The run may end where a call begins.
        if done.entries.is_empty() && is_done {
            return;
        }
        self.way(&done.way);
        self.top().entries.push(Entry::Call(Call {
            proc,
            args,
            entries: done.entries,
            is_done,
        }));
    }

    fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("the root should stay open")
    }

    /// Leaves out the middle if too much is kept.
    fn trim(&mut self) {
        let kept = |open: &[Open]| open.iter().map(Open::visits).sum::<u64>() as usize;
        self.visits = kept(&self.open);
        if self.visits < KEPT / 2 {
            return;
        }
        // Of calls inside of each other, the outermost and innermost say most.
        let (from, to) = (16, self.open.len().saturating_sub(16));
        if from < to {
            self.open[from..to].iter_mut().for_each(Open::clear);
        }
        for open in &mut self.open {
            shorten(&mut open.entries, ENDS);
        }
        self.visits = kept(&self.open);
        if self.visits >= KEPT / 2 {
            for open in &mut self.open {
                shorten(&mut open.entries, 8);
            }
            self.visits = 0;
        }
    }
}

impl Open {
    fn new(kind: Kind) -> Self {
        Open {
            kind,
            entries: Vec::new(),
            way: 0,
        }
    }

    fn end_iteration(&mut self) {
        let Kind::Loop {
            kept,
            last,
            before,
            ways,
            count,
            ..
        } = &mut self.kind
        else {
            return;
        };
        *count += 1;
        let iteration = Iteration {
            number: *count,
            entries: std::mem::take(&mut self.entries),
        };
        let way = std::mem::take(&mut self.way);
        let is_other_way = *before != Some(way);
        *before = Some(way);
        if is_other_way {
            *ways = mix(*ways, &way);
        }
        let before = last.take();
        if is_other_way && kept.len() < ITERATIONS {
            kept.extend(before);
            kept.push(iteration);
        } else {
            *last = Some(iteration);
        }
    }

    fn visits(&self) -> u64 {
        let iterations = match &self.kind {
            Kind::Root | Kind::Call { .. } => 0,
            Kind::Loop { kept, last, .. } => {
                let iterations = kept.iter().chain(last);
                iterations.map(|iteration| visits(&iteration.entries)).sum()
            }
        };
        iterations + visits(&self.entries)
    }

    /// Leaves everything out.
    fn clear(&mut self) {
        shorten(&mut self.entries, 0);
        if let Kind::Loop { kept, last, .. } = &mut self.kind {
            for iteration in kept.iter_mut().chain(last) {
                shorten(&mut iteration.entries, 0);
            }
        }
    }
}

/// How many lines entries stand for.
fn visits(entries: &[Entry]) -> u64 {
    entries
        .iter()
        .map(|entry| match entry {
            Entry::Visit(_) => 1,
            Entry::Call(call) => visits(&call.entries),
            Entry::Loop(inner) => {
                let iterations = inner
                    .iterations
                    .iter()
                    .map(|iteration| visits(&iteration.entries));
                iterations.sum::<u64>() + visits(&inner.end)
            }
            Entry::LeftOut(_) => 0,
        })
        .sum()
}

/// Keeps so many entries at either end of a list.
fn shorten(entries: &mut Vec<Entry>, ends: usize) {
    if entries.len() <= 2 * ends + 1 {
        return;
    }
    let tail = entries.split_off(entries.len() - ends);
    let middle = entries.split_off(ends);
    let before = middle.iter().map(|entry| match entry {
        Entry::LeftOut(count) => *count,
        Entry::Visit(_) | Entry::Call(_) | Entry::Loop(_) => 0,
    });
    let left_out = before.sum::<u64>() + visits(&middle);
    entries.push(Entry::LeftOut(left_out));
    entries.extend(tail);
}

fn mix(so_far: u64, mark: &impl Hash) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    (so_far, 1u8).hash(&mut hasher);
    mark.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    fn visit(builder: &mut Builder, line: u32) {
        builder.visit(Visit {
            proc: ProcId::from_index(0),
            span: Span::NONE,
            depth: 0,
            values: Vec::new(),
            causes: 0..0,
            line,
            is_head: false,
        });
    }

    fn show(entries: &[Entry]) -> String {
        let list: Vec<String> = entries
            .iter()
            .map(|entry| match entry {
                Entry::Visit(visit) => visit.line.to_string(),
                Entry::Call(call) => format!("f({})", show(&call.entries)),
                Entry::Loop(inner) => {
                    let iterations = inner.iterations.iter();
                    let iterations = iterations.map(|iteration| {
                        format!("{}:{}", iteration.number, show(&iteration.entries))
                    });
                    let iterations: Vec<String> = iterations.collect();
                    format!(
                        "[{} of {}]{}",
                        iterations.join(" | "),
                        inner.count,
                        show(&inner.end)
                    )
                }
                Entry::LeftOut(count) => format!("-{count}-"),
            })
            .collect();
        list.join(" ")
    }

    /// A loop whose iterations take these lines after line 1.
    fn iterations(ways: &[&[u32]]) -> String {
        let mut builder = Builder::new();
        builder.enter_loop(Span::NONE);
        for way in ways {
            visit(&mut builder, 1);
            way.iter().for_each(|&line| visit(&mut builder, line));
            builder.iteration();
        }
        visit(&mut builder, 1);
        builder.leave_loop(true);
        visit(&mut builder, 9);
        show(&builder.finish())
    }

    #[test]
    fn loops_keep_the_first_the_last_and_iterations_that_go_another_way() {
        assert_eq!(iterations(&[&[2]]), "[1:1 2 of 1]1 9");
        assert_eq!(iterations(&[&[2][..]; 50]), "[1:1 2 | 50:1 2 of 50]1 9");
        let mut ways = [&[2][..]; 20];
        ways[7] = &[3];
        assert_eq!(
            iterations(&ways),
            "[1:1 2 | 7:1 2 | 8:1 3 | 9:1 2 | 20:1 2 of 20]1 9"
        );
    }

    #[test]
    fn inner_loops_count_by_their_ways() {
        let mut builder = Builder::new();
        builder.enter_loop(Span::NONE);
        for outer in 0..30 {
            builder.enter_loop(Span::NONE);
            for _ in 0..=outer {
                visit(&mut builder, 2);
                builder.iteration();
            }
            visit(&mut builder, 2);
            builder.leave_loop(true);
            builder.iteration();
        }
        builder.leave_loop(true);
        assert_eq!(
            show(&builder.finish()),
            "[1:[1:2 of 1]2 | 30:[1:2 | 30:2 of 30]2 of 30]"
        );
    }

    #[test]
    fn long_and_deep_paths_are_bounded() {
        let mut builder = Builder::new();
        for line in 0..1_000_000 {
            if line % 2 == 0 {
                builder.enter_call(ProcId::from_index(0));
            }
            visit(&mut builder, line);
        }
        let entries = builder.finish();
        assert!(visits(&entries) < KEPT as u64);
        let text = show(&entries);
        assert!(text.starts_with("f(0 1 f(2 3 "), "{}", &text[..40]);
        assert!(text.contains(" 999999)") && text.contains('-'));
    }
}
