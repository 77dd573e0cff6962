//! Distinguished cells: the machine runs programs with and without them on the same inputs. A
//! defined run ends alike whatever the indices are; one that reaches an error with a choice does so
//! for one index at least, and is stopped before it for the others.

mod common;

use base::{Budget, Rng};
use cfront::types::DataModel;
use common::{PerSite, Source, lowered_text, on_large_stack};
use exec::{Contents, End, Inputs, Limits, Machine, Run};
use lower::Options;
use program::expr::{Constant, Type};
use program::ir::{Op, Place, Program, Scope, SiteId, SiteKind};
use program::pass::cells::{Array, Arrays, Cell, Cells, Linear};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use program::text::{Spans, print};
use std::collections::BTreeMap;

/// All indices that an access of the programs below may have, and some more.
const INDICES: std::ops::Range<i128> = 0..26;

/// Inputs by site, and indices as given.
struct WithIndices<'p> {
    program: &'p Program,
    others: PerSite<'p>,
    indices: Vec<i128>,
}

impl Inputs for WithIndices<'_> {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        match (self.program.sites[site].kind, ty) {
            (SiteKind::Cell, Type::Int(ty)) => {
                let index = self.indices.remove(0);
                Some(Constant::Int(logic::IntValue::wrap(ty, index)))
            }
            _ => self.others.next(site, ty),
        }
    }

    fn contents(&mut self) -> Option<&mut dyn Contents> {
        self.others.contents()
    }
}

fn run(program: &Program, seed: u64, indices: &[i128]) -> Run {
    let limits = Limits {
        steps: 20_000,
        memory: 1 << 24,
        depth: 50,
    };
    let mut inputs = WithIndices {
        program,
        others: PerSite::new(program, seed),
        indices: indices.to_vec(),
    };
    let mut run = Machine::new(program).run(&mut inputs, &limits, &Budget::unlimited());
    (run.inputs).retain(|(site, _)| program.sites[*site].kind != SiteKind::Cell);
    run
}

/// Counts what was compared, so that a test cannot pass by comparing nothing.
#[derive(Default, Debug)]
struct Tally {
    same: usize,
    chosen: usize,
    stopped: usize,
    arrays: usize,
    allocated: usize,
}

impl Tally {
    fn compare(&mut self, program: &Program, cells: &Cells, arrays: &Arrays, seed: u64) {
        let with_cells = arrays.with_cells(cells).expect("the cells should be right");
        let before = run(program, seed, &[]);
        if matches!(before.end, End::Undefined(_) | End::OutOfBudget(_)) {
            return;
        }
        let context = || {
            let programs = [program, &with_cells].map(|program| print(program, Spans::Omit));
            format!("seed {seed}\n{cells:?}\n{}", programs.join("\n---\n"))
        };
        let has_choice = match before.end {
            End::Violated(proc, at) => proc == program.entry && cells.choices.contains_key(&at),
            _ => false,
        };
        let mut reached = 0;
        for index in INDICES {
            let indices = vec![index; cells.indices];
            let after = run(&with_cells, seed, &indices);
            if has_choice && after.end == End::Blocked {
                self.stopped += 1;
                continue;
            }
            assert_eq!(before.end, after.end, "index {index}, {}", context());
            assert_eq!(before.inputs, after.inputs, "index {index}, {}", context());
            reached += 1;
        }
        assert!(reached > 0, "{}", context());
        self.same += 1;
        self.chosen += usize::from(has_choice);
    }
}

/// Cells and choices at random.
fn random_cells(rng: &mut Rng, arrays: &Arrays) -> Cells {
    let mut below = |bound: usize| (rng.bits() % bound as u64) as usize;
    let program = &arrays.program;
    let entry = program.entry;
    let all: Vec<Array> = arrays.elements.keys().copied().collect();
    let indices = 1 + below(2);
    let cells = (0..1 + below(4))
        .map(|_| Cell {
            array: all[below(all.len())],
            index: below(indices),
            shift: below(4) as i64 - 1,
        })
        .collect();
    let small: Vec<_> = (program.vars.iter_enumerated())
        .filter(|(_, row)| row.scope == Scope::Local(entry))
        .filter(|(_, row)| ["i", "j"].contains(&&*row.name))
        .map(|(var, _)| var)
        .collect();
    let mut choices = BTreeMap::new();
    for (at, row) in program.procs[entry].locations.iter_enumerated() {
        if row.error.is_some() && !small.is_empty() && below(3) > 0 {
            let var = small[below(small.len())];
            let linear = Linear {
                terms: BTreeMap::from([(var, 1)]),
                constant: below(3) as i64 - 1,
            };
            choices.insert(at, vec![(0, linear)]);
        }
    }
    Cells {
        indices,
        cells,
        choices,
    }
}

#[test]
fn random_c_with_arrays_runs_as_before() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for seed in 0..150 {
            let text = Source::new(seed).text();
            let model = match seed % 2 {
                0 => DataModel::Lp64,
                _ => DataModel::Ilp32,
            };
            let program = lowered_text(text.clone().into(), model, &Options::default());
            let program = inlined(&program.expect(&text), InlineLimit::default());
            let arrays = Arrays::new(&program);
            if arrays.elements.is_empty() {
                continue;
            }
            tally.arrays += 1;
            let is_allocated = |array: &Array| matches!(array, Array::Allocated(_));
            tally.allocated += arrays
                .elements
                .keys()
                .filter(|array| is_allocated(array))
                .count();
            let mut rng = Rng::new(seed);
            for run in 0..4 {
                let cells = random_cells(&mut rng, &arrays);
                tally.compare(&program, &cells, &arrays, seed * 100 + run);
            }
        }
        assert!(tally.same > 150 && tally.chosen > 40, "{tally:?}");
        assert!(tally.stopped > 500 && tally.arrays > 100, "{tally:?}");
        assert!(tally.allocated > 50, "{tally:?}");
    });
}

#[test]
fn reads_and_stores_are_there() {
    let text = "int main(void) { int a[20]; for (int i = 0; i < 20; i++) a[i] = i; return a[3]; }";
    let program = lowered_text(text.into(), DataModel::Lp64, &Options::default());
    let program = inlined(&program.expect(text), InlineLimit::default());
    let arrays = Arrays::new(&program);
    let cell = Cell {
        array: *arrays.elements.keys().next().expect("an array"),
        index: 0,
        shift: 0,
    };
    let with_cells = arrays.with_cells(&Cells {
        indices: 1,
        cells: vec![cell],
        choices: BTreeMap::new(),
    });
    let with_cells = with_cells.expect("the cells should be right");
    let is_store = |op: &Op| matches!(op, Op::Assign(Place::Mem(..), _));
    let stores = |program: &Program| {
        let edges = program.procs[program.entry].edges.iter();
        edges.filter(|edge| is_store(&edge.op)).count()
    };
    assert_eq!(stores(&program), stores(&with_cells));
    assert_eq!(run(&with_cells, 0, &[3]).end, End::Exited(3));
    assert_eq!(run(&with_cells, 0, &[4]).end, End::Exited(3));
}

/// Writes a random C program with arrays too large to be variables.
impl Source {
    fn text(mut self) -> String {
        let ty = self.pick(&["int", "unsigned char", "short", "long long", "unsigned"]);
        let place = self.pick(&["", "static "]);
        let allocated = self.pick(&[
            "int *c = malloc(24 * sizeof(int));",
            "int *c = calloc(24, sizeof(int));",
            "int n = 24; int c[n];",
        ]);
        self.text = format!(
            "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);\n\
             extern int __VERIFIER_nondet_int(void);\n\
             void reach_error(void) {{}}\n\
             {ty} g[24] = {{0, 7, 3}};\n\
             static int get({ty} *p, int n) {{ return p[n]; }}\n\
             static void set(int *p, int n, int to) {{ p[n] = to; }}\n\
             int main(void) {{\n\
             int i = 0, j = 1, s = 0;\n\
             {place}{ty} a[24]; {allocated}\n\
             for (i = 0; i < 24; i++) {{ a[i] = i % 5; c[i] = 0; }} i = 2;\n"
        );
        for _ in 0..10 {
            self.statement(0);
        }
        self.text.push_str("return 0; }\n");
        self.text
    }

    fn statement(&mut self, depth: usize) {
        let line = match self.below(if depth < 2 { 12 } else { 8 }) {
            0..=2 => {
                let op = self.pick(&["=", "=", "+=", "^="]);
                let (element, value) = (self.element(), self.value(0));
                format!("{element} {op} ({value}) & 63;")
            }
            3 => {
                let var = self.pick(&["i", "j"]);
                format!("{var} = __VERIFIER_nondet_int() & 15; {var} = {var} + 2;")
            }
            4 => format!("{} = __VERIFIER_nondet_int();", self.element()),
            5 | 6 => {
                let op = self.pick(&["==", "<", ">="]);
                let value = self.value(0);
                format!("if (({value}) {op} {}) reach_error();", self.below(9))
            }
            7 => {
                let index = self.index();
                match self.below(2) {
                    0 => format!("set(c, {index}, {});", self.below(9)),
                    _ => format!("s = get(a, {index});"),
                }
            }
            8 => {
                let condition = format!("if ({} > {}) {{\n", self.value(0), self.value(0));
                self.text.push_str(&condition);
                self.statement(depth + 1);
                "}".to_owned()
            }
            _ => {
                let var = self.pick(&["i", "j"]);
                let head = format!("for ({var} = 2; {var} < 18; {var}++) {{\n");
                self.text.push_str(&head);
                self.statement(2);
                self.statement(2);
                "}".to_owned()
            }
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn index(&mut self) -> String {
        self.pick(&[
            "0",
            "1",
            "5",
            "i",
            "j",
            "i",
            "j",
            "i + 1",
            "j - 1",
            "23 - i",
            "(unsigned char)j",
            "a[i] & 15",
        ])
    }

    fn element(&mut self) -> String {
        let index = self.index();
        match self.below(3) {
            0 => format!("a[{index}]"),
            1 => format!("g[{index}]"),
            _ => format!("c[{index}]"),
        }
    }

    fn value(&mut self, depth: usize) -> String {
        match self.below(if depth < 2 { 7 } else { 3 }) {
            0 | 1 => self.element(),
            2 => self.pick(&["i", "j", "s", "3"]),
            3 | 4 => {
                let op = self.pick(&["+", "-", "^"]);
                let (left, right) = (self.value(depth + 1), self.value(depth + 1));
                format!("(({left}) & 1023) {op} (({right}) & 1023)")
            }
            _ => {
                let (first, second) = (self.value(depth + 1), self.value(depth + 1));
                format!("({} > 3 ? {first} : {second})", self.value(depth + 1))
            }
        }
    }
}
