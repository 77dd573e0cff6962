//! The query log: what is written, and that `z3` gives the same answers.

use crate::grid::Grid;
use base::{Budget, Rng};
use logic::{Sort, TermId, TermStore};
use smt::{Answer, QueryLog, Solver};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that is empty, and goes with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cairn-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }

    fn texts(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder should be there");
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.expect("it should be readable").path())
            .collect();
        paths.sort();
        let read = |path| std::fs::read_to_string(path).expect("it should be readable");
        paths.iter().map(read).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_query_is_written_with_its_answer() {
    let folder = Folder::new("log-text");
    let log = QueryLog::new(&folder.0).expect("the folder should be made");
    let mut store = TermStore::new();
    let (p, q) = (store.fresh("p", Sort::Bool), store.fresh("q", Sort::Bool));
    let either = store.or(&[p, q]);
    let neither = store.not(either);
    let mut solver = Solver::new().with_log(log.clone());
    solver.assert(&store, either);
    let budget = Budget::unlimited();
    assert_eq!(solver.check(&store, &[p], &budget), Answer::Sat);
    assert_eq!(solver.check(&store, &[q, neither], &budget), Answer::Unsat);
    budget.cancel();
    let not_q = store.not(q);
    let last = solver.check(&store, &[neither, not_q], &budget);
    assert_eq!(last, Answer::Unknown("cancelled".into()));
    let texts = folder.texts();
    assert_eq!((texts.len(), log.count(), log.failure()), (3, 3, None));
    let statuses = ["status sat", "status unsat", "status unknown"];
    for (text, status) in texts.iter().zip(statuses) {
        assert!(text.contains(status), "{text}");
        assert!(text.contains("(assert (or p q))"), "{text}");
    }
    assert!(texts[1].contains("; 1 assertions, then 2 assumptions"));
    assert!(texts[1].contains("; core: assumptions 2\n"), "{}", texts[1]);
    assert!(texts[2].contains("; unknown: cancelled"));
}

#[test]
fn z3_replays_the_log() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let z3 = root.join("third_party/z3/bin/z3");
    if !z3.exists() {
        return;
    }
    let folder = Folder::new("log-replay");
    let log = QueryLog::new(&folder.0).expect("the folder should be made");
    let mut rng = Rng::new(3);
    let mut store = TermStore::new();
    let grid = Grid::new(&mut store);
    let mut solver = Solver::new().with_log(log);
    let mut answers = Vec::new();
    for _ in 0..12 {
        let assumptions: Vec<TermId> = (0..3)
            .map(|_| grid.formula(&mut store, &mut rng, 2))
            .collect();
        let answer = solver.check(&store, &assumptions, &Budget::unlimited());
        answers.push(match answer {
            Answer::Sat => "sat\n",
            Answer::Unsat => "unsat\n",
            Answer::Unknown(why) => panic!("unknown: {why}"),
        });
    }
    let files = (1..=answers.len()).map(|number| folder.0.join(format!("{number:06}.smt2")));
    for (file, answer) in files.zip(answers) {
        let output = Command::new(&z3).arg(&file).output();
        let output = output.expect("z3 should run");
        // It also complains where its answer is not the one in the file.
        assert_eq!(String::from_utf8_lossy(&output.stdout), answer);
    }
}
