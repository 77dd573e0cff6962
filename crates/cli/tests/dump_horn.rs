//! `cairn dump horn`: the clauses of a program say what the program does.
//!
//! The programs are those of `tests/programs`, whose headers say what to expect of them. The
//! clauses go through our own reader, and Z3 reads the same text.

mod harness;

use harness::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs that clauses say exactly, and that the engines for clauses decide at once.
const INLINED: [&str; 14] = [
    "integers/bool_is_one.c",
    "integers/char_is_signed.c",
    "integers/compare_signed_with_unsigned.c",
    "integers/overflow_is_not_an_assertion.c",
    "integers/shift_of_signed.c",
    "integers/unsigned_wraps.c",
    "loops/signed_overflow_ends_a_loop.c",
    "loops/step_by_a_truth_value.c",
    "loops/two_phases_even.c",
    "control/break_leaves_inner_loop.c",
    "control/error_behind_exit.c",
    "control/goto_into_loop.c",
    "control/switch_range_safe.c",
    "language/shadowed_names.c",
];

/// Programs with calls that are kept.
const RELATED: [&str; 6] = [
    "control/recursion.c",
    "control/exit_before_error.c",
    "power/recursion/depth_of_a_descent.c",
    "power/recursion/loop_beside_a_call.c",
    "power/recursion/one_call_too_few.c",
    "language/shadowed_names.c",
];

/// A folder that goes when its test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("cairn-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("the folder should be there");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn cairn(words: &[&str], file: &Path) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cairn"))
        .args(words)
        .arg(file)
        .output()
        .expect("cairn should run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn expected(program: &Path) -> String {
    let text = std::fs::read_to_string(program).expect("the program should be readable");
    let line = text.lines().find_map(|line| line.split_once("expect: "));
    let (_, verdict) = line.expect("the program should say what to expect");
    verdict.trim().to_owned()
}

fn agree(programs: &[&str], flags: &[&str], folder: &Folder) {
    for name in programs {
        let program = root().join("tests/programs").join(name);
        let words = [&["dump", "horn"], flags].concat();
        let (code, clauses, errors) = cairn(&words, &program);
        assert_eq!(code, Some(0), "{name}: {errors}");
        let file = folder.0.join("clauses.smt2");
        std::fs::write(&file, &clauses).expect("the clauses should be written");
        let (_, answer, _) = cairn(&["check", "--effort", "4000000"], &file);
        let verdict = format!("Verdict: {}", expected(&program));
        assert_eq!(answer.lines().last(), Some(verdict.as_str()), "{name}");
        is_read_by_z3(&file, name);
    }
}

/// Z3 has no objection to the text, whatever it finds out about it.
fn is_read_by_z3(file: &Path, name: &str) {
    let z3 = root().join("third_party/z3/bin/z3");
    let output = Command::new(z3).arg("-T:1").arg(file).output();
    let output = output.expect("Z3 should run");
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_answer = ["sat", "unsat", "unknown", "timeout"].contains(&answer.trim());
    assert!(is_answer, "{name}: {answer}");
}

#[test]
fn loops_become_relations() {
    agree(&INLINED, &[], &Folder::new("loops-as-clauses"));
}

#[test]
fn procedures_become_relations() {
    agree(
        &RELATED,
        &["--procedures"],
        &Folder::new("calls-as-clauses"),
    );
}

#[test]
fn what_clauses_do_not_say_is_refused_at_its_place() {
    for (name, flags, why) in [
        ("language/doubles.c", &[][..], "0.333"),
        ("language/post_increment_in_index.c", &[], "i32[&a]"),
        ("integers/bit_tricks.c", &[], "n & n"),
        ("language/inline_assembly.c", &[], "inline assembly"),
        ("control/recursion.c", &[], "--procedures"),
        ("language/variadic_function.c", &["--procedures"], "further"),
    ] {
        let program = root().join("tests/programs").join(name);
        let words = [&["dump", "horn"], flags].concat();
        let (code, _, errors) = cairn(&words, &program);
        assert_eq!(code, Some(2), "{name}: {errors}");
        assert!(errors.contains(why), "{name}: {errors}");
        let file = Path::new(name).file_name().unwrap_or_default();
        let place = format!("{}:", file.to_string_lossy());
        assert!(errors.contains(&place), "{name}: {errors}");
    }
}
