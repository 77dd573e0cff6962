//! Reading clauses: what is read prints as the same clauses, and bad input is one error.

use base::{Rng, SourceMap};
use horn::System;
use logic::read::Refusal;

fn read(text: &[u8]) -> Result<System, Refusal> {
    let mut sources = SourceMap::new();
    let file = sources
        .add("test.smt2", text.to_vec())
        .expect("the text should fit");
    horn::read(sources.file(file))
}

const CHC_COMP: &str = r#"(set-logic HORN)
(declare-fun |inv| (Int Bool (Array Int Int)) Bool)
(declare-fun fail () Bool)
(assert (forall ((A Int) (B Bool) (C (Array Int Int)))
  (=> (and (= A 0) (not B) (= C ((as const (Array Int Int)) A))) (inv A B C))))
(assert (forall ((A Int) (B Bool) (C (Array Int Int)) (D Int))
  (=> (and (inv A B C) (let ((a!1 (+ A 1)) (a!2 (select C A))) (and (= D a!1) (>= a!2 0))))
      (inv D (not B) (store C A D)))))
(assert (forall ((A Int) (B Bool) (C (Array Int Int))) (=> (and (inv A B C) (< A 0)) fail)))
(assert (=> fail false))
(check-sat)
(exit)
"#;

const RULES: &str = r#"(set-option :fp.engine spacer)
(declare-rel p (Int Real))
(declare-rel bad ())
(declare-var x Int)
(declare-var y Real)
(rule (p 0 0.5) start)
(rule (=> (and (p x y) (< x 10)) (p (+ x 1) (* 2.0 y))))
(rule (=> (and (p x y) (> y 3.0)) bad))
(query bad :print-answer true)
"#;

const OTHERS: &str = r#"(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(define-fun small ((n Int)) Bool (< n 3))
(assert (p 1))
(assert (forall ((x Int)) (let ((y (+ x 1))) (=> (p x) (small x) (q y)))))
(assert (not (exists ((x Int)) (and (q x) (p x)))))
(assert (forall ((x Int)) (=> (or (p x) (and (q x) (> x 7))) (and (p (- x)) (q x)))))
(assert (forall ((p Int)) (or (not (q p)) (<= (mod p 3) 1))))
"#;

/// The clauses of a text: how many relations each body has, and whether it has a head.
fn shapes(text: &str) -> Vec<(usize, bool)> {
    let system = read(text.as_bytes()).expect("the text should be clauses");
    let shape = |clause: &horn::Clause| (clause.body.len(), clause.head.is_some());
    system.clauses.iter().map(shape).collect()
}

#[test]
fn formulas_become_clauses() {
    assert_eq!(
        shapes(CHC_COMP),
        [(0, true), (1, true), (1, true), (1, false)]
    );
    assert_eq!(shapes(RULES), [(0, true), (1, true), (1, true), (1, false)]);
    let mut others = shapes(OTHERS);
    others.sort_unstable();
    let expected = [
        (0, true),
        (1, false),
        (1, true),
        (1, true),
        (1, true),
        (1, true),
        (1, true),
        (2, false),
    ];
    assert_eq!(others, expected);
}

#[test]
fn what_is_printed_reads_back_as_the_same_clauses() {
    for text in [CHC_COMP, RULES, OTHERS] {
        let first = read(text.as_bytes())
            .expect("the text should be clauses")
            .smtlib();
        let second = read(first.as_bytes())
            .expect("what is printed should be clauses")
            .smtlib();
        assert_eq!(first, second);
    }
}

#[test]
fn what_is_no_clause_is_refused_at_its_place() {
    for (text, place, message) in [
        (
            "(declare-fun p () Bool)\n(assert (or p p2))",
            "p2",
            "not declared",
        ),
        (
            "(declare-fun p () Bool) (declare-fun q () Bool)\n(assert (or p q))",
            "(assert",
            "no Horn",
        ),
        (
            "(declare-fun p (Int) Bool)\n(assert (xor (p 0) (p 1)))",
            "(assert",
            "no Horn",
        ),
        ("(declare-fun f (Int) Int)", "Int)", "relations"),
        (
            "(assert (exists ((x Int)) (= x 0)))",
            "(exists",
            "universal",
        ),
        (
            "(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (forall ((x x)) (p x))))",
            "x))",
            "sort",
        ),
        ("(push 1)", "push", "not supported"),
        (
            "(assert (forall ((x Int)) (=> (= x 0)",
            "(assert",
            "never closed",
        ),
    ] {
        let refusal = read(text.as_bytes()).expect_err(text);
        assert!(
            refusal.message.contains(message),
            "{text}: {}",
            refusal.message
        );
        let at = refusal.span.lo as usize - 1;
        assert!(text[at..].starts_with(place), "{text}: at {}", &text[at..]);
    }
}

/// A name that `let` gives to a term that has the one before twice would be as long as 2^200.
#[test]
fn what_let_names_is_not_copied() {
    let mut text = String::from("(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (p x) ");
    let depth = 200;
    for at in 0..depth {
        let before = if at == 0 {
            "x".into()
        } else {
            format!("y{}", at - 1)
        };
        text += &format!("(let ((y{at} (ite (p0 {before}) (+ {before} 1) {before}))) ");
    }
    text += &format!("(p y{})", depth - 1);
    text += &")".repeat(depth + 3);
    let text = text.replace("(p0 ", "(< 5 ");
    let system = read(text.as_bytes()).expect("the text should be clauses");
    assert!(
        system.store.len() < 20 * depth,
        "{} terms",
        system.store.len()
    );
}

/// Random bytes and texts with random changes: one error, or clauses that print.
#[test]
fn no_text_makes_the_reader_panic() {
    let mut rng = Rng::new(19);
    let texts = [CHC_COMP, RULES, OTHERS];
    let pieces: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.split_inclusive(' '))
        .collect();
    let mut refused = 0;
    for round in 0..3000 {
        let mut text: Vec<u8> = match round % 3 {
            0 => (0..rng.below(200)).map(|_| rng.below(256) as u8).collect(),
            1 => {
                let count = rng.below(60);
                let pick = |_| pieces[rng.below(pieces.len())].bytes();
                (0..count)
                    .map(pick)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .flatten()
                    .collect()
            }
            _ => texts[rng.below(3)].into(),
        };
        for _ in 0..rng.below(4) {
            let (at, other) = (rng.below(text.len() + 1), rng.below(text.len() + 1));
            match rng.below(4) {
                0 => text.truncate(at),
                1 => text.insert(at, rng.below(256) as u8),
                2 if at < text.len() => {
                    text.remove(at);
                }
                _ => {
                    let part = text[at.min(other)..at.max(other)].to_vec();
                    text.splice(at..at, part);
                }
            }
        }
        match read(&text) {
            Ok(system) => assert!(system.smtlib().starts_with("(set-logic HORN)")),
            Err(refusal) => {
                assert!(!refusal.message.is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > 1000, "{refused} texts were refused");
}
