//! The path of a run as a tree of calls, loops and recursions, folded during recording.
//!
//! A loop keeps its first iteration, its last one, and those whose path through the body differs
//! from that of the iteration before, each with that iteration. The path is the lines and branches
//! taken; how many iterations an inner loop made is no part of it, only which paths it took. A
//! recursion is folded in the same way, by the segments of its calls ([`recursion`]).
//!
//! # Invariants
//! - What is kept is bounded, however long the run: loops and recursions keep few of their parts,
//!   and if that does not help, the middle is omitted.
//! - Nested calls are of different procedures.

mod entry;
mod kept;
pub(super) mod recursion;

use super::depend::CauseId;
use base::Span;
pub(super) use entry::{Arguments, Call, Entry, Iteration, Loop, Visit};
use entry::{shorten, visits};
use exec::Value;
use kept::{Kept, mix};
use program::ir::{ProcId, VarId};
use recursion::OpenRecursion;
use std::hash::Hash;

/// Visits kept before the middle is left out.
const KEPT: usize = 20_000;
/// Entries of a list kept at either end when it is.
const ENDS: usize = 500;

/// Makes the tree.
pub(super) struct Builder {
    open: Vec<Open>,
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
    Call { proc: ProcId, args: Arguments },
    Loop(OpenLoop),
    Recursion(OpenRecursion),
}

struct OpenLoop {
    head: Span,
    iterations: Kept<Iteration>,
    /// The way of the iteration before.
    way_before: Option<u64>,
    count: u64,
    /// How many iterations are part of another piece of a recursion.
    before: u64,
}

impl Builder {
    /// An empty path.
    pub(super) fn new() -> Self {
        Builder {
            open: vec![Open::new(Kind::Root)],
            visits: 0,
        }
    }

    /// The path; what is open ends here.
    pub(super) fn finish(mut self) -> Vec<Entry> {
        while self.open.len() > 1 {
            match self.top().kind {
                Kind::Call { .. } => self.close_call(false),
                Kind::Recursion(_) => self.close_recursion(false),
                Kind::Loop(_) | Kind::Root => self.leave_loop(false),
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
        let active = self.open.iter().position(|open| open.is_active(proc));
        match active {
            Some(at) => self.recurse(at, proc),
            None => {
                let args = Vec::new();
                self.open.push(Open::new(Kind::Call { proc, args }));
            }
        }
    }

    /// The call just entered has this argument.
    pub(super) fn argument(&mut self, var: VarId, value: Value, cause: CauseId) {
        match &mut self.top().kind {
            Kind::Call { args, .. } => args.push((var, value, cause)),
            Kind::Recursion(recursion) => recursion.argument((var, value, cause)),
            Kind::Loop(_) | Kind::Root => {}
        }
    }

    /// The procedure returns.
    pub(super) fn leave_call(&mut self) {
        match &self.top().kind {
            Kind::Recursion(_) => self.return_in_recursion(),
            Kind::Call { .. } | Kind::Loop(_) | Kind::Root => self.close_call(true),
        }
    }

    /// A loop is entered: its first iteration starts.
    pub(super) fn enter_loop(&mut self, head: Span) {
        self.open.push(Open::new(Kind::Loop(OpenLoop {
            head,
            iterations: Kept::default(),
            way_before: None,
            count: 0,
            before: 0,
        })));
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
        if let Kind::Loop(done) = done.kind {
            done.close(Some(end), self.top());
        }
    }

    fn close_call(&mut self, is_done: bool) {
        let Some(done) = self.open.pop() else { return };
        let Kind::Call { args, .. } = done.kind else {
            return;
        };
        // The run may end where a call begins.
        if done.entries.is_empty() && is_done {
            return;
        }
        self.way(&done.way);
        self.top().entries.push(Entry::Call(Call {
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
        // Of calls inside each other, the outermost and innermost say most.
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

impl OpenLoop {
    /// What the loop has made is in what is open around it, with its end if it does not continue.
    fn close(self, end: Option<Vec<Entry>>, around: &mut Open) {
        let goes_on = end.is_none();
        let end = end.unwrap_or_default();
        around.way = mix(around.way, &self.iterations.ways);
        let mut iterations = self.iterations.finish();
        iterations.retain(|iteration| !iteration.entries.is_empty());
        if iterations.is_empty() {
            around.entries.extend(end);
            return;
        }
        around.entries.push(Entry::Loop(Loop {
            head: self.head,
            iterations,
            count: self.count,
            before: self.before,
            goes_on,
            end,
        }));
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

    /// Whether a call of the procedure is open here.
    fn is_active(&self, called: ProcId) -> bool {
        match &self.kind {
            Kind::Root | Kind::Loop(_) => false,
            Kind::Call { proc, .. } => *proc == called,
            Kind::Recursion(recursion) => recursion.is_active(called),
        }
    }

    fn end_iteration(&mut self) {
        let Kind::Loop(open) = &mut self.kind else {
            return;
        };
        open.count += 1;
        let iteration = Iteration {
            number: open.count,
            entries: std::mem::take(&mut self.entries),
        };
        let way = std::mem::take(&mut self.way);
        let before = open.way_before.replace(way);
        open.iterations.add(iteration, way, before);
    }

    fn visits(&self) -> u64 {
        let inside = match &self.kind {
            Kind::Root | Kind::Call { .. } => 0,
            Kind::Loop(open) => {
                let iterations = open.iterations.iter();
                iterations.map(|iteration| visits(&iteration.entries)).sum()
            }
            Kind::Recursion(open) => open.visits(),
        };
        inside + visits(&self.entries)
    }

    /// Leaves everything out.
    fn clear(&mut self) {
        shorten(&mut self.entries, 0);
        match &mut self.kind {
            Kind::Root | Kind::Call { .. } => {}
            Kind::Loop(open) => {
                for iteration in open.iterations.iter_mut() {
                    shorten(&mut iteration.entries, 0);
                }
            }
            Kind::Recursion(open) => open.clear(),
        }
    }
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
                        "[{} of {}{}]{}",
                        iterations.join(" | "),
                        inner.count,
                        if inner.goes_on { "+" } else { "" },
                        show(&inner.end)
                    )
                }
                Entry::Recursion(inner) => {
                    let pieces = inner.pieces.iter().map(|piece| {
                        let back = if piece.is_back { "back " } else { "" };
                        let (call, level) = (piece.call, piece.level);
                        let inside = show(&piece.entries);
                        format!("{back}#{call}@{level}:{inside}")
                    });
                    let pieces: Vec<String> = pieces.collect();
                    format!("<{} of {}>", pieces.join(" | "), inner.calls)
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

    /// Calls procedures, one inside the other, with a line each before and after the next call.
    fn descend(builder: &mut Builder, procs: &[usize]) {
        let Some((&proc, deeper)) = procs.split_first() else {
            return;
        };
        builder.enter_call(ProcId::from_index(proc));
        visit(builder, if deeper.is_empty() { 3 } else { 1 });
        descend(builder, deeper);
        if !deeper.is_empty() {
            visit(builder, 2);
        }
        builder.leave_call();
    }

    fn descended(procs: &[usize]) -> String {
        let mut builder = Builder::new();
        descend(&mut builder, procs);
        visit(&mut builder, 9);
        show(&builder.finish())
    }

    #[test]
    fn recursions_keep_the_first_the_last_and_pieces_that_go_another_way() {
        assert_eq!(descended(&[0, 1]), "f(1 f(3) 2) 9");
        assert_eq!(
            descended(&[0; 50]),
            "<#1@1:1 | #49@49:1 | #50@50:3 | back #49@49:2 | back #1@1:2 of 50> 9"
        );
        // What stands around a recursion is no part of it, and two procedures may call each other.
        let mut procs = vec![2];
        procs.extend([0, 1].repeat(20));
        assert_eq!(
            descended(&procs),
            "f(1 <#1@1:1 | #2@2:1 | #39@39:1 | #40@40:3 | back #39@39:2 | back #38@38:2 | \
             back #1@1:2 of 40> 2) 9"
        );
    }

    #[test]
    fn calls_of_one_call_are_told_apart() {
        fn tree(builder: &mut Builder, height: usize) {
            builder.enter_call(ProcId::from_index(0));
            visit(builder, 1);
            if height > 0 {
                tree(builder, height - 1);
                visit(builder, 2);
                tree(builder, height - 1);
                visit(builder, 3);
            }
            builder.leave_call();
        }
        let mut builder = Builder::new();
        tree(&mut builder, 1);
        assert_eq!(
            show(&builder.finish()),
            "<#1@1:1 | #2@2:1 | back #1@1:2 | #3@2:1 | back #1@1:3 of 3>"
        );
        let mut builder = Builder::new();
        tree(&mut builder, 12);
        let entries = builder.finish();
        assert!(visits(&entries) < 20, "{}", show(&entries));
        assert!(show(&entries).ends_with("back #1@1:3 of 8191>"));
    }

    #[test]
    fn a_loop_around_a_recursive_call_goes_on_behind_it() {
        let mut builder = Builder::new();
        builder.enter_call(ProcId::from_index(0));
        builder.enter_loop(Span::NONE);
        for _ in 0..3 {
            visit(&mut builder, 1);
            descend(&mut builder, &[0]);
            visit(&mut builder, 2);
            builder.iteration();
        }
        visit(&mut builder, 1);
        builder.leave_loop(true);
        visit(&mut builder, 4);
        builder.leave_call();
        assert_eq!(
            show(&builder.finish()),
            "<#1@1:[1:1 of 1+] | #2@2:3 | back #1@1:[1:2 | 2:1 of 2+] | #4@2:3 | \
             back #1@1:[3:2 of 3]1 4 of 4>"
        );
    }

    #[test]
    fn a_recursion_inside_of_another_becomes_a_part_of_it() {
        // 0 calls 1, which calls itself, and then 0 again.
        let mut builder = Builder::new();
        descend(&mut builder, &[0, 1, 1, 0]);
        let shown = show(&builder.finish());
        assert!(shown.starts_with("<#1@1:1 "), "{shown}");
        assert!(shown.contains("| #4@4:3 |"), "{shown}");
        assert!(shown.ends_with("| back #1@1:2 of 4>"), "{shown}");
    }

    #[test]
    fn a_run_may_end_inside_of_a_recursion() {
        let mut builder = Builder::new();
        for _ in 0..1000 {
            builder.enter_call(ProcId::from_index(0));
            visit(&mut builder, 1);
        }
        builder.enter_call(ProcId::from_index(0));
        assert_eq!(
            show(&builder.finish()),
            "<#1@1:1 | #1000@1000:1 | #1001@1001: of 1001>"
        );
    }

    #[test]
    fn long_and_deep_paths_are_bounded() {
        let mut builder = Builder::new();
        for line in 0..1_000_000 {
            if line % 2 == 0 {
                builder.enter_call(ProcId::from_index(line as usize / 2 % 3));
            }
            visit(&mut builder, line);
        }
        let entries = builder.finish();
        assert!(visits(&entries) < 100);
        let text = show(&entries);
        assert!(text.starts_with("<#1@1:0 1 | #2@2:2 3 | "), "{text}");
        assert!(text.ends_with(":999998 999999 of 500000>"), "{text}");
        let mut builder = Builder::new();
        for line in 0..1_000_000 {
            visit(&mut builder, line);
        }
        let entries = builder.finish();
        assert!(visits(&entries) < KEPT as u64);
        assert!(show(&entries).ends_with(" 999998 999999"));
    }
}
