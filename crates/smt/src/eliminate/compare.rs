//! A table of our elimination beside Z3's tactics. By hand:
//! `cargo test --release -p cairn-smt --lib compare -- --ignored`
//! writes it to `eliminate.txt` in the folder for temporary files.

use super::tests::formula;
use super::*;
use crate::z3::tactic::eliminated;
use base::Rng;
use logic::{Integer, Sort};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How long one elimination may take.
const LIMIT: Duration = Duration::from_millis(600);
const TACTICS: [&str; 3] = ["qe", "qe2", "qe_rec"];

/// What one way does with the formulas of a kind.
#[derive(Default)]
struct Column {
    name: &'static str,
    /// The times and the numbers of atoms, of those done.
    done: Vec<Option<(Duration, usize)>>,
}

fn atoms(store: &TermStore, formula: TermId) -> usize {
    let is_bool = |term: TermId| store.sort(term) == Sort::Bool;
    let below = store.below(&[formula]).into_iter();
    let atoms = below.filter(|&term| is_bool(term) && !store.parts(term).into_iter().any(is_bool));
    atoms.count()
}

/// A random formula: its parts, how deep they are, and the bounds of what is eliminated.
struct Shape {
    name: &'static str,
    conjuncts: usize,
    depth: usize,
    /// Whether there are quotients, remainders and divisibilities.
    divided: bool,
    bounded: bool,
}

const SHAPES: [Shape; 5] = [
    Shape {
        name: "cube",
        conjuncts: 6,
        depth: 0,
        divided: false,
        bounded: false,
    },
    Shape {
        name: "formula",
        conjuncts: 3,
        depth: 2,
        divided: false,
        bounded: false,
    },
    Shape {
        name: "bounded",
        conjuncts: 3,
        depth: 2,
        divided: false,
        bounded: true,
    },
    Shape {
        name: "divided cube",
        conjuncts: 4,
        depth: 0,
        divided: true,
        bounded: true,
    },
    Shape {
        name: "divided",
        conjuncts: 2,
        depth: 1,
        divided: true,
        bounded: true,
    },
];

#[test]
#[ignore = "a table for people"]
fn compare_with_the_tactics_of_z3() {
    let mut table = String::new();
    say(
        &mut table,
        format!(
            "{:14}{:8}{:>6}{:>10}{:>10}{:>8}",
            "", "", "done", "median", "all", "atoms"
        ),
    );
    for shape in SHAPES {
        let mut columns: Vec<Column> = vec![Column {
            name: "ours",
            ..Column::default()
        }];
        columns.extend(TACTICS.map(|name| Column {
            name,
            ..Column::default()
        }));
        for seed in 0..20 {
            run(&shape, seed, &mut columns);
        }
        print(&mut table, &shape, &columns);
    }
    let file = std::env::temp_dir().join("eliminate.txt");
    std::fs::write(file, table).expect("the table should be written");
}

fn run(shape: &Shape, seed: u64, columns: &mut [Column]) {
    let mut rng = Rng::new(seed);
    let mut store = TermStore::new();
    let symbols: Vec<SymbolId> = (0..5).map(|_| store.new_symbol("x", Sort::Int)).collect();
    let terms: Vec<TermId> = symbols.iter().map(|&s| store.of_symbol(s)).collect();
    let mut whole: Vec<TermId> = (0..shape.conjuncts)
        .map(|_| formula(&mut rng, &mut store, &terms, shape.depth, shape.divided))
        .collect();
    if shape.bounded {
        let (low, high) = (store.int(0i64), store.int(Integer::from(99i64)));
        for &term in &terms[..2] {
            whole.extend([store.le(low, term), store.le(term, high)]);
        }
    }
    let whole = store.and(&whole);
    let gone: BTreeSet<SymbolId> = symbols[..2].iter().copied().collect();
    for column in columns {
        let start = Instant::now();
        let atoms = if column.name == "ours" {
            let budget = Budget::unlimited().with_timeout(LIMIT);
            let left = eliminate(&mut Solver::new(), &mut store, whole, &gone, &budget);
            left.ok().map(|left| atoms(&store, left))
        } else {
            let mut solver = Solver::new();
            let session = solver.session(&store).expect("there should be Z3");
            let mut all = session
                .translated(&store, &[whole, terms[0], terms[1]])
                .expect("linear");
            let constants = all.split_off(1);
            let limit = LIMIT.as_millis() as u32;
            let left = eliminated(session.context(), column.name, &all[0], &constants, limit);
            left.ok().flatten()
        };
        column
            .done
            .push(atoms.map(|atoms| (start.elapsed(), atoms)));
    }
}

/// Atoms are counted where all ways came to an end.
fn print(table: &mut String, shape: &Shape, columns: &[Column]) {
    let all_done = |at: &usize| columns.iter().all(|column| column.done[*at].is_some());
    let common: Vec<usize> = (0..columns[0].done.len()).filter(all_done).collect();
    for column in columns {
        let mut times: Vec<Duration> = column
            .done
            .iter()
            .flatten()
            .map(|(time, _)| *time)
            .collect();
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let all: Duration = times.iter().sum();
        let atoms: usize = (common.iter())
            .filter_map(|&at| column.done[at])
            .map(|(_, atoms)| atoms)
            .sum();
        say(
            table,
            format!(
                "{:14}{:8}{:>6}{:>8.1}ms{:>8.0}ms{:>8}",
                shape.name,
                column.name,
                times.len(),
                median.as_secs_f64() * 1e3,
                all.as_secs_f64() * 1e3,
                atoms
            ),
        );
    }
}

/// Adds a line to the table.
fn say(table: &mut String, line: String) {
    writeln!(table, "{line}").expect("a text takes all lines");
}
