//! Objects as variables: the machine runs programs before and after on the same inputs. Defined
//! runs end alike; one that leaves an object reaches no violation that it did not get to before.

mod common;

use cfront::types::DataModel;
use common::{Source, c_programs, lowered_text, on_large_stack, run};
use exec::End;
use lower::Options;
use program::ir::{Place, Procedure, Program, Property};
use program::pass::inline::{InlineLimit, inline_calls};
use program::pass::scalarise::scalarise;
use program::text::{Spans, print};
use testkit::random;

/// Counts what was compared, so that a test cannot pass by comparing nothing.
#[derive(Default, Debug)]
struct Tally {
    changed: usize,
    /// Programs with pointers that became numbers.
    followed: usize,
    same: usize,
    violated: usize,
    undefined: usize,
}

impl Tally {
    fn compare(&mut self, original: &Program, seeds: std::ops::Range<u64>, text: &str) {
        let (inlined, _) = inline_calls(
            original,
            InlineLimit {
                edges: 20_000,
                ..InlineLimit::default()
            },
        );
        for original in [original, &inlined] {
            let result = scalarise(original);
            self.changed += usize::from(accesses(&result) < accesses(original));
            let mut names = result.vars.iter().map(|var| &var.name);
            self.followed += usize::from(names.any(|name| name.ends_with("_object")));
            for seed in seeds.clone() {
                self.compare_runs(original, &result, seed, text);
            }
        }
    }

    fn compare_runs(&mut self, original: &Program, result: &Program, seed: u64, text: &str) {
        let (before, after) = (run(original, seed), run(result, seed));
        let context = || {
            let programs = [original, result].map(|program| print(program, Spans::Omit));
            format!("seed {seed}\n{text}\n{}", programs.join("\n---\n"))
        };
        match (&before.end, &after.end) {
            (End::OutOfBudget(_), _) | (_, End::OutOfBudget(_)) => {}
            (End::Undefined(_), end) => {
                self.undefined += 1;
                assert!(!matches!(end, End::Violated(..)), "{}", context());
            }
            (left, right) => {
                assert_eq!(left, right, "{}", context());
                assert_eq!(before.inputs, after.inputs, "{}", context());
                assert_eq!(before.output, after.output, "{}", context());
                self.same += 1;
                self.violated += usize::from(matches!(left, End::Violated(..)));
            }
        }
    }
}

/// How often a program reads or writes memory, except for objects that have just come to life.
fn accesses(program: &Program) -> usize {
    let of = |procedure: &Procedure| {
        let ops = procedure.edges.iter().map(|edge| &edge.op);
        ops.filter(|op| {
            use program::ir::Op::{Assign, Havoc};
            matches!(op, Assign(Place::Mem(..), _) | Havoc(Place::Mem(..), _))
        })
        .count()
    };
    program.procs.iter().map(of).sum()
}

#[test]
fn random_programs_run_as_before() {
    let mut tally = Tally::default();
    for seed in 0..400 {
        let program = random::program(seed, 8 + seed as usize % 40);
        tally.compare(&program, seed * 1000..seed * 1000 + 4, "");
    }
    assert!(tally.same > 500 && tally.violated > 100, "{tally:?}");
}

#[test]
fn c_programs_run_as_before() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for (name, program) in c_programs() {
            tally.compare(&program, 0..3, &name);
        }
        assert!(tally.same > 300 && tally.violated > 30, "{tally:?}");
        assert!(tally.changed > 20, "{tally:?}");
    });
}

#[test]
fn random_c_with_arrays_and_structs_runs_as_before() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for seed in 0..200 {
            let text = Source::new(seed).text();
            for (model, checks) in [
                (DataModel::Lp64, false),
                (DataModel::Lp64, true),
                (DataModel::Ilp32, true),
            ] {
                let program = lowered(&text, model, checks);
                tally.compare(&program, seed * 1000..seed * 1000 + 6, &text);
            }
        }
        assert!(tally.same > 2000 && tally.violated > 500, "{tally:?}");
        assert!(tally.undefined > 100 && tally.changed > 600, "{tally:?}");
    });
}

#[test]
fn random_c_with_pointers_runs_as_before() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for seed in 0..200 {
            let text = Source::new(seed).with_pointers();
            for (model, checks) in [(DataModel::Lp64, true), (DataModel::Ilp32, false)] {
                let program = lowered(&text, model, checks);
                tally.compare(&program, seed * 1000..seed * 1000 + 8, &text);
            }
        }
        assert!(tally.same > 1500 && tally.violated > 500, "{tally:?}");
        assert!(tally.undefined > 50 && tally.followed > 200, "{tally:?}");
    });
}

fn lowered(text: &str, model: DataModel, checks: bool) -> Program {
    let mut options = Options::default();
    if checks {
        options.properties.insert(Property::Dereference);
    }
    lowered_text(text.into(), model, &options).expect(text)
}

/// Writes a random C program with small arrays and structs.
impl Source {
    fn text(mut self) -> String {
        let ty = self.pick(&["int", "unsigned char", "short", "long", "unsigned"]);
        let (first, second) = (self.below(9), self.below(9));
        let places = ["", "", "static "];
        let (p, q, r) = (self.pick(&places), self.pick(&places), self.pick(&places));
        self.text = format!(
            "extern int __VERIFIER_nondet_int(void);\n\
             void reach_error(void) {{}}\n\
             struct s {{ int x; char c; long l; short d[3]; _Bool b; }};\n\
             {ty} g[4] = {{{first}, {second}}};\n\
             static int get({ty} *p, int n) {{ return p ? p[n] : 0; }}\n\
             static void set({ty} *p, int n, int to) {{ p[n] = to; }}\n\
             static void twist(struct s *p, int n) {{ p->d[n] = p->x; p->x = n; }}\n\
             const char t[3] = {{1, 2, 3}};\n\
             struct s w = {{1, 2, 3, {{4, 5, 6}}, 1}};\n\
             int main(void) {{\n\
             int i = 0, j = 1; unsigned u = 2;\n\
             {p}{ty} a[5] = {{1, 2}}; {q}int m[3][3]; {r}struct s v[2];\n\
             struct s x = {{0}}, y; char o[1]; x.x = 3; y = x; o[0] = 1;\n"
        );
        for _ in 0..12 {
            self.statement(0);
        }
        self.text.push_str("return 0; }\n");
        self.text
    }

    /// A program with pointers to a few objects. Each has some kinds of statements only, as one use
    /// that is not understood is enough for a pointer to be left as it is.
    fn with_pointers(mut self) -> String {
        self.text = "extern int __VERIFIER_nondet_int(void);\n\
             void reach_error(void) {}\n\
             struct s { int x; char c; int d[2]; };\n\
             static int g = 1; static int *h;\n\
             static void bump(int *p) { *p = *p + 1; }\n\
             static void put(int *p, int *q, int v) { *p = v; if (q) *q = v - *p; }\n\
             static void deep(int *p, int n) { if (n > 0) { *p += n; deep(p, n - 1); } }\n\
             static void keep(void) { if (h) *h = *h ^ 5; }\n\
             int main(void) {\n\
             int i = __VERIFIER_nondet_int() & 3, j = __VERIFIER_nondet_int() & 1;\n\
             int k = 1, m = 2, z[3] = {3, 4, 5}; struct s x = {6, 7, {8, 9}}, y = {0};\n\
             int *p = &k, *q = j ? &k : &m, *r = z; struct s *t = i > 1 ? &x : &y;\n"
            .to_owned();
        let mut kinds: Vec<u64> = (0..20).collect();
        while kinds.len() > 7 {
            let at = self.below(kinds.len() as u64) as usize;
            kinds.swap_remove(at);
        }
        for _ in 0..10 {
            let kind = kinds[self.below(kinds.len() as u64) as usize];
            let line = self.with_pointer(kind);
            self.text.push_str(&line);
            self.text.push('\n');
            let (left, right) = (self.target(), self.below(9));
            if self.below(2) == 0 {
                let line = format!("if ({left} == {right}) reach_error();\n");
                self.text.push_str(&line);
            }
        }
        self.text.push_str("return 0; }\n");
        self.text
    }

    /// What a pointer points to, or may.
    fn target(&mut self) -> String {
        let any = [
            "k", "m", "z[1]", "x.x", "x.d[1]", "*p", "*q", "*r", "t->x", "g",
        ];
        self.pick(&any)
    }

    fn with_pointer(&mut self, kind: u64) -> String {
        let (pointer, target) = (self.pick(&["p", "q", "r"]), self.target());
        let one = self.pick(&["&k", "&m", "&g", "&x.x", "&y.d[1]"]);
        let other = self.pick(&["&k", "&m", "z", "z + 1"]);
        match kind {
            0 | 1 => format!("*{pointer} = {target} + 1;"),
            2 => format!("{pointer} = {one};"),
            3 => format!("{pointer} = i == 1 ? {one} : {other};"),
            4 => "q = p;".into(),
            5 => format!(
                "if ({} == q) m = 4; else k = 5;",
                self.pick(&["p", "&k", "&g"])
            ),
            6 => format!("r = z + {};", self.pick(&["i", "1", "2 - j", "3"])),
            7 => self.pick(&["r++;", "r--;", "r += j;", "if (r < z + 2) r++;"]),
            8 => format!("if (r - z == {}) i = 2;", self.below(3)),
            9 => self.pick(&[
                "bump(q);",
                "bump(p); bump(&m);",
                "put(q, p, i);",
                "put(p, 0, 3);",
            ]),
            10 => format!("deep({pointer}, i);"),
            11 => format!("h = {}; keep();", self.pick(&["&k", "&g", "0", "q"])),
            12 => "t->d[i & 1] = t->x; t->c = 3;".into(),
            13 => "t = t == &x ? &y : &x; t->x++;".into(),
            14 => "for (i = 0; i < 3; i++) { int n = i, *w = j ? &n : &m; *w = 7; k += n; }".into(),
            // The object that it points to is dead, or has come to life again.
            15 => "for (i = 0; i < 2; i++) { int n = i; if (i) *p = 8; if (n == 8) reach_error(); \
                   p = &n; }"
                .into(),
            16 => "{ int n = 1; q = j ? &n : &k; *q = 2; if (n == 2) m = 0; }".into(),
            17 => format!("{pointer} = 0; if ({pointer}) *{pointer} = 1; {pointer} = {one};"),
            18 => format!("*{pointer} = __VERIFIER_nondet_int() & 7;"),
            _ => "if (p > r) m = 3; else m = 6;".into(),
        }
    }

    fn statement(&mut self, depth: usize) {
        let choice = self.below(if depth < 2 { 15 } else { 11 });
        let line = match choice {
            0..=3 => {
                let op = self.pick(&["=", "=", "=", "^=", "|="]);
                format!("{} {op} {};", self.element(), self.value(0))
            }
            4 => {
                // The machine may take what strays by 256 bytes (32-bit pointers) for another object.
                let bound = self.pick(&["% 3", "& 3", "& 1", "% 6", "% 9"]);
                let var = self.pick(&["i", "j", "u"]);
                format!("{var} = __VERIFIER_nondet_int(); {var} = {var} {bound};")
            }
            5 => format!("{} = __VERIFIER_nondet_int();", self.element()),
            6 => self.pick(&[
                "y = x;",
                "x = v[1];",
                "v[0] = y;",
                "x = w;",
                "w = y;",
                "i = j;",
            ]),
            7 | 8 => {
                let op = self.pick(&["==", "<", ">="]);
                format!(
                    "if ({} {op} {}) reach_error();",
                    self.value(0),
                    self.below(9)
                )
            }
            9 => {
                let (array, index) = (self.pick(&["a", "g", "a + 1"]), self.index());
                match self.below(2) {
                    0 => format!("set({array}, {index}, {});", self.value(1)),
                    _ => format!("if (get({array}, {index}) == 7) {{ j = get({array}, 0) & 3; }}"),
                }
            }
            10 => {
                let target = self.pick(&["&x", "&w", "v", "&v[1]", "&v[i & 1]"]);
                format!("twist({target}, {});", self.index())
            }
            11 | 12 => {
                let op = self.pick(&["!=", "<", ">"]);
                let condition = format!("if ({} {op} {}) {{\n", self.value(0), self.value(0));
                self.text.push_str(&condition);
                self.statement(depth + 1);
                self.statement(depth + 1);
                "}".to_owned()
            }
            13 => {
                let (var, bound) = (self.pick(&["i", "j"]), 1 + self.below(5));
                let head = format!("for ({var} = 0; {var} < {bound}; {var}++) {{\n");
                self.text.push_str(&head);
                self.statement(2);
                self.statement(2);
                "}".to_owned()
            }
            _ => {
                let (var, bound) = (self.pick(&["i", "j"]), 1 + self.below(4));
                let head = format!(
                    "for ({var} = 0; {var} < {bound}; {var}++) {{ \
                     short n[3], *z = n; z[{var}] = 7;\n"
                );
                self.text.push_str(&head);
                self.statement(2);
                "if (n[i] == 7) n[j] = z[1] + 1; g[0] = *z; }".to_owned()
            }
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn index(&mut self) -> String {
        self.pick(&[
            "0", "1", "2", "i", "j", "u", "i", "j", "i + 1", "i - 1", "3 - j", "u & 1",
        ])
    }

    fn element(&mut self) -> String {
        let index = self.index();
        match self.below(9) {
            0 | 1 => format!("a[{index}]"),
            2 => format!("g[{index}]"),
            3 => format!("m[{index}][{}]", self.index()),
            4 => format!("v[{index}].{}", self.field()),
            5 => format!("x.{}", self.field()),
            6 => format!("y.{}", self.field()),
            7 => format!("w.{}", self.field()),
            _ => self.pick(&["o[0]", "a[a[i] & 3]", "g[t[1]]"]),
        }
    }

    fn field(&mut self) -> String {
        let index = self.index();
        match self.below(5) {
            0 => "x".into(),
            1 => "c".into(),
            2 => "l".into(),
            3 => "b".into(),
            _ => format!("d[{index}]"),
        }
    }

    fn value(&mut self, depth: usize) -> String {
        match self.below(if depth < 2 { 8 } else { 4 }) {
            0 | 1 => self.element(),
            2 => self.below(9).to_string(),
            3 => self.pick(&["i", "j", "u", "t[i]", "t[2]"]),
            4 | 5 => {
                let op = self.pick(&["+", "-", "^", "&"]);
                format!("({} {op} {})", self.value(depth + 1), self.value(depth + 1))
            }
            6 => {
                let (first, second) = (self.value(depth + 1), self.value(depth + 1));
                format!("({} > 3 ? {first} : {second})", self.value(depth + 1))
            }
            _ => format!("(j >= 0 && j < 5 && a[j] == {})", self.below(9)),
        }
    }
}
