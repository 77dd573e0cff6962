//! Nodes as numbers: the machine runs programs with lists on the heap before and after, on the same
//! inputs. A defined run ends alike.

mod common;

use base::Budget;
use cfront::types::DataModel;
use common::{PerSite, Source, lowered_text, on_large_stack};
use exec::{End, Limits, Machine, Run};
use lower::Options;
use program::ir::{Program, Property, SiteKind};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use program::pass::nodes::numbered;
use program::text::{Spans, print};

/// More nodes than a run of the programs below has.
const MOST: u64 = 2_000;

fn run(program: &Program, seed: u64) -> Run {
    let limits = Limits {
        steps: 20_000,
        memory: 1 << 24,
        depth: 50,
    };
    let mut inputs = PerSite::new(program, seed);
    let mut run = Machine::new(program).run(&mut inputs, &limits, &Budget::unlimited());
    let is_field = |kind| matches!(kind, SiteKind::Contents | SiteKind::Outside);
    (run.inputs).retain(|(site, _)| !is_field(program.sites[*site].kind));
    run
}

/// Counts what was compared, so that a test cannot pass by comparing nothing.
#[derive(Default, Debug)]
struct Tally {
    numbered: usize,
    exited: usize,
    failed: usize,
    said_to_descend: usize,
}

#[test]
fn random_c_with_lists_runs_as_before() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for seed in 0..400 {
            let text = Lists::new(seed).text();
            let model = match seed % 3 {
                0 => DataModel::Ilp32,
                _ => DataModel::Lp64,
            };
            let mut options = Options::default();
            if seed % 4 == 0 {
                options
                    .properties
                    .extend([Property::Dereference, Property::Free]);
            }
            let program = lowered_text(text.clone().into(), model, &options);
            let program = inlined(&program.expect(&text), InlineLimit::default());
            let Some(after) = numbered(&program, MOST) else {
                continue;
            };
            tally.numbered += 1;
            let shown = print(&after, Spans::Omit);
            let descends = |line: &str| line.contains("assume $node") && line.contains(" < ");
            tally.said_to_descend += usize::from(shown.lines().any(descends));
            for run_seed in 0..6 {
                tally.compare(&program, &after, seed * 100 + run_seed);
            }
        }
        assert!(tally.numbered > 200, "{tally:?}");
        assert!(tally.exited > 200 && tally.failed > 200, "{tally:?}");
        assert!(tally.said_to_descend > 40, "{tally:?}");
    });
}

impl Tally {
    fn compare(&mut self, program: &Program, numbered: &Program, seed: u64) {
        let before = run(program, seed);
        match before.end {
            End::Undefined(_) | End::OutOfBudget(_) => return,
            End::Violated(..) => self.failed += 1,
            _ => self.exited += 1,
        }
        let after = run(numbered, seed);
        let context = || {
            let programs = [program, numbered].map(|program| print(program, Spans::Omit));
            format!("seed {seed}\n{}", programs.join("\n---\n"))
        };
        assert_eq!(before.end, after.end, "{}", context());
        assert_eq!(before.inputs, after.inputs, "{}", context());
    }
}

/// Writes a random C program with lists.
struct Lists {
    source: Source,
    /// Whether nodes are freed; where they are not, pointers are compared.
    frees: bool,
    /// Whether links are changed after they were set.
    relinks: bool,
}

impl Lists {
    fn new(seed: u64) -> Lists {
        let mut source = Source::new(seed);
        let (frees, relinks) = (source.rng.one_in(2), source.rng.one_in(2));
        Lists {
            source,
            frees,
            relinks,
        }
    }

    fn text(mut self) -> String {
        let fields = self.source.pick(&[
            "int v; struct N *n; long w;",
            "struct N *n; int v; char c; char d;",
            "int v; struct N *n, *m;",
        ]);
        let other = match fields.contains("*m") {
            true => "p->m = 0;",
            false => "",
        };
        let new = self.source.pick(&[
            "malloc(sizeof *p)",
            "malloc(sizeof *p)",
            "calloc(1, sizeof *p)",
        ]);
        let failed = self
            .source
            .pick(&["", "if (!p) return h;", "if (p == 0) abort();"]);
        self.source.text = format!(
            "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);\n\
             void free(void *); void abort(void);\n\
             extern int __VERIFIER_nondet_int(void);\n\
             void reach_error(void) {{}}\n\
             struct N {{ {fields} }};\n\
             static struct N *push(struct N *h, int v) {{\n\
             struct N *p = {new}; {failed} p->v = v; {other} p->n = h; return p; }}\n\
             int main(void) {{\n\
             struct N *h = 0, *g = 0, *t = 0; int i = 0, s = 1;\n"
        );
        for _ in 0..12 {
            self.statement(0);
        }
        self.source.text.push_str("return s & 63; }\n");
        self.source.text
    }

    fn statement(&mut self, depth: usize) {
        let list = self.source.pick(&["h", "h", "g"]);
        let value = self
            .source
            .pick(&["i", "s & 7", "3", "__VERIFIER_nondet_int() & 7"]);
        let line = match self.source.below(if depth == 0 { 12 } else { 8 }) {
            0 | 1 => format!("{list} = push({list}, {value});"),
            2 => format!("if ({list}) {list}->v = {value};"),
            3 => format!("if ({list} && {list}->n) s += {list}->n->v & 7;"),
            4 => format!("if ({list} != 0 && {list}->v == {value}) reach_error();"),
            5 => match self.frees {
                true => format!("if ({list}) {{ t = {list}->n; free({list}); {list} = t; }}"),
                false => format!("if (h == g || {list} == t) s++; t = {list};"),
            },
            6 => match self.relinks {
                true => format!("if ({list} && {list}->n) {list}->n = {list}->n->n;"),
                false => format!("t = {value} ? h : g; if (t) s ^= t->v;"),
            },
            7 => match self.relinks {
                true => "if (h) { h->n = g; g = 0; }".to_owned(),
                false => format!("{list} = {list} ? {list}->n : 0;"),
            },
            8 | 9 => {
                let head = format!("for (i = 0; i < (({value}) & 3); i++) {{\n");
                self.source.text.push_str(&head);
                self.statement(1);
                self.statement(1);
                "}".to_owned()
            }
            10 => format!(
                "for (t = {list}, i = 0; t && i < 9; t = t->n, i++) if (t->v == s + 2) reach_error();"
            ),
            _ => format!("for (t = {list}, i = 0; t && i < 9; i++) {{ s += t->v & 3; t = t->n; }}"),
        };
        self.source.text.push_str(&line);
        self.source.text.push('\n');
    }
}
