//! Nodes as numbers: the machine runs programs with lists on the heap before and after, on the same
//! inputs. A defined run ends alike.

mod common;

use base::{Budget, Rng};
use cfront::types::DataModel;
use common::{PerSite, lowered_text, on_large_stack};
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
            let text = Source::new(seed).text();
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
struct Source {
    rng: Rng,
    text: String,
    /// Whether nodes are freed; where they are not, pointers are compared.
    frees: bool,
    /// Whether links are changed after they were set.
    relinks: bool,
}

impl Source {
    fn new(seed: u64) -> Source {
        let mut rng = Rng::new(seed);
        let (frees, relinks) = (rng.one_in(2), rng.one_in(2));
        Source {
            rng,
            text: String::new(),
            frees,
            relinks,
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.bits() % bound
    }

    fn pick(&mut self, from: &[&str]) -> String {
        let at = self.below(from.len() as u64) as usize;
        from[at].to_owned()
    }

    fn text(mut self) -> String {
        let fields = self.pick(&[
            "int v; struct N *n; long w;",
            "struct N *n; int v; char c; char d;",
            "int v; struct N *n, *m;",
        ]);
        let other = match fields.contains("*m") {
            true => "p->m = 0;",
            false => "",
        };
        let new = self.pick(&[
            "malloc(sizeof *p)",
            "malloc(sizeof *p)",
            "calloc(1, sizeof *p)",
        ]);
        let failed = self.pick(&["", "if (!p) return h;", "if (p == 0) abort();"]);
        self.text = format!(
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
        self.text.push_str("return s & 63; }\n");
        self.text
    }

    fn statement(&mut self, depth: usize) {
        let list = self.pick(&["h", "h", "g"]);
        let value = self.pick(&["i", "s & 7", "3", "__VERIFIER_nondet_int() & 7"]);
        let line = match self.below(if depth == 0 { 12 } else { 8 }) {
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
                self.text.push_str(&head);
                self.statement(1);
                self.statement(1);
                "}".to_owned()
            }
            10 => format!(
                "for (t = {list}, i = 0; t && i < 9; t = t->n, i++) if (t->v == s + 2) reach_error();"
            ),
            _ => format!("for (t = {list}, i = 0; t && i < 9; i++) {{ s += t->v & 3; t = t->n; }}"),
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }
}
