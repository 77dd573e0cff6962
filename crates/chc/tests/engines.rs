//! Engines and reductions on random small clauses: they agree, and every certificate holds.

use base::{Budget, Rng, SourceMap};
use certify::{ClauseVerdict, judge_clauses};
use chc::automaton::{CRA, GPS, IMPACT, LA, PREDABS};
use chc::bmc::Bmc;
use chc::control::Control;
use chc::duality::{DUALITY, DUALITY_HEIGHTS};
use chc::pdr::Pdr;
use chc::runs::Runs;
use chc::spacer::{SPACER, SPACER_GLOBAL};
use chc::{ClauseEngine, decide_clauses};
use horn::System;

fn system(text: &str) -> System {
    let mut sources = SourceMap::new();
    let file = sources
        .add("test.smt2", text.as_bytes().to_vec())
        .expect("the text should fit");
    horn::read(sources.file(file)).expect("the text should be clauses")
}

/// Effort enough for small clauses.
fn budget() -> Budget {
    Budget::unlimited().with_effort(3_000_000)
}

/// The answer about the clauses themselves; a certificate that does not hold is a failure.
fn direct(engine: &dyn ClauseEngine, system: &System, text: &str) -> &'static str {
    let outcome = engine.solve(system, &budget());
    let claimed = outcome_name(&outcome);
    let verdict = judge_clauses(system, outcome, &Budget::unlimited());
    assert_eq!(
        verdict.answer(),
        claimed,
        "{}: {verdict:?}\n{text}",
        engine.name()
    );
    verdict.answer()
}

fn outcome_name(outcome: &certify::ClauseOutcome) -> &'static str {
    match outcome {
        certify::ClauseOutcome::Sat(_) => "sat",
        certify::ClauseOutcome::Unsat(_) => "unsat",
        certify::ClauseOutcome::Unknown(_) => "unknown",
    }
}

/// The answer by way of the reduced clauses.
fn reduced(engine: &dyn ClauseEngine, system: &System, text: &str) -> &'static str {
    let verdict = decide_clauses(engine, system, &budget(), Budget::unlimited);
    if let ClauseVerdict::Unknown(reason) = &verdict {
        let is_ours = reason.kind == certify::ReasonKind::Internal;
        assert!(!is_ours, "{}: {}\n{text}", engine.name(), reason.message);
    }
    verdict.answer()
}

/// Clauses over three relations of two integers and a truth value.
struct Maker {
    rng: Rng,
    linear: bool,
}

impl Maker {
    fn text(&mut self) -> String {
        let mut text = String::new();
        for relation in ["p", "q", "r"] {
            text += &format!("(declare-fun {relation} (Int Int Bool) Bool)\n");
        }
        text += &self.clause(0);
        for _ in 0..3 + self.rng.below(4) {
            let atoms = match self.linear {
                true => 1,
                false => 1 + self.rng.below(2),
            };
            text += &self.clause(atoms);
        }
        let body = self.atom(0);
        let constraint = self.constraint();
        let variables = VARIABLES;
        text += &format!("(assert (forall ({variables}) (=> (and {body} {constraint}) false)))\n");
        text
    }

    fn clause(&mut self, atoms: usize) -> String {
        let mut body: Vec<String> = (0..atoms).map(|at| self.atom(at)).collect();
        body.push(self.constraint());
        let (body, head) = (body.join(" "), self.head());
        format!("(assert (forall ({VARIABLES}) (=> (and {body}) {head})))\n")
    }

    fn atom(&mut self, at: usize) -> String {
        let relation = self.rng.pick(&["p", "q", "r"]);
        let arguments = [["a", "b", "s"], ["c", "d", "t"]][at % 2];
        format!("({relation} {})", arguments.join(" "))
    }

    fn head(&mut self) -> String {
        let relation = self.rng.pick(&["p", "q", "r"]);
        let (x, y) = (self.number(), self.number());
        let z = self.rng.pick(&["s", "t", "true", "(not s)"]);
        format!("({relation} {x} {y} {z})")
    }

    fn number(&mut self) -> String {
        let variable = self.rng.pick(&["a", "b", "c", "e"]);
        match self.rng.below(4) {
            0 => variable.into(),
            1 => format!("(+ {variable} {})", self.rng.below(3)),
            2 => self.rng.below(3).to_string(),
            _ => format!("(- {variable} 1)"),
        }
    }

    fn constraint(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let (x, y) = (self.number(), self.number());
            parts.push(match self.rng.below(6) {
                0 => format!("(<= {x} {y})"),
                1 => format!("(= {x} {y})"),
                2 => format!("(or s (< {x} {y}))"),
                3 => format!("(= (mod {x} 2) 0)"),
                4 => format!("(and (<= 0 {x}) (<= {x} 3))"),
                _ => format!("(= e (ite s {x} {y}))"),
            });
        }
        format!("(and {})", parts.join(" "))
    }
}

const VARIABLES: &str = "(a Int) (b Int) (c Int) (d Int) (e Int) (s Bool) (t Bool)";

/// How many random systems are tried.
const SYSTEMS: usize = 40;

#[test]
fn reduced_clauses_have_the_same_answer() {
    for linear in [true, false] {
        let mut maker = Maker {
            rng: Rng::new(if linear { 1 } else { 2 }),
            linear,
        };
        let mut decided = [0, 0];
        for _ in 0..SYSTEMS {
            let text = maker.text();
            let system = system(&text);
            let before = direct(&SPACER, &system, &text);
            let engines: [&dyn ClauseEngine; 6] = [
                &SPACER,
                &SPACER_GLOBAL,
                &Bmc,
                &DUALITY,
                &DUALITY_HEIGHTS,
                &Control,
            ];
            for engine in engines {
                let after = reduced(engine, &system, &text);
                let agree = after == before || [before, after].contains(&"unknown");
                assert!(agree, "{}: {before} became {after}\n{text}", engine.name());
                decided[usize::from(after == "sat")] += usize::from(after != "unknown");
            }
        }
        assert!(decided.iter().all(|&count| count > 10), "{decided:?}");
    }
}

#[test]
fn programs_of_linear_clauses_have_the_same_answer() {
    let mut maker = Maker {
        rng: Rng::new(3),
        linear: true,
    };
    let mut decided = [0, 0];
    for _ in 0..SYSTEMS / 2 {
        let text = maker.text();
        let system = system(&text);
        let expected = direct(&SPACER, &system, &text);
        for engine in [&GPS, &CRA, &IMPACT, &PREDABS, &LA] {
            for answer in [
                direct(engine, &system, &text),
                reduced(engine, &system, &text),
            ] {
                let agree = answer == expected || [answer, expected].contains(&"unknown");
                assert!(
                    agree,
                    "{}: {expected} became {answer}\n{text}",
                    engine.name()
                );
                decided[usize::from(answer == "sat")] += usize::from(answer != "unknown");
            }
        }
    }
    assert!(decided.iter().all(|&count| count > 5), "{decided:?}");
}

#[test]
fn engines_of_linear_clauses_have_the_same_answer() {
    let mut maker = Maker {
        rng: Rng::new(4),
        linear: true,
    };
    let mut decided = [0, 0];
    for _ in 0..SYSTEMS / 2 {
        let text = maker.text();
        let system = system(&text);
        let expected = direct(&SPACER, &system, &text);
        let engines: [&dyn ClauseEngine; 2] = [&Pdr, &Runs];
        for engine in engines {
            let answer = direct(engine, &system, &text);
            let agree = answer == expected || [answer, expected].contains(&"unknown");
            assert!(
                agree,
                "{}: {expected} became {answer}\n{text}",
                engine.name()
            );
            decided[usize::from(answer == "sat")] += usize::from(answer != "unknown");
        }
    }
    assert!(decided.iter().all(|&count| count > 5), "{decided:?}");
}

/// No fact of the loop is wanted twice: the unwinding from false ends, and says nothing of what the
/// loop is.
#[test]
fn an_unwinding_that_ends_is_no_model_of_a_loop() {
    let text = "
(declare-fun inv (Int) Bool)
(assert (inv 0))
(assert (forall ((x Int)) (=> (and (inv x) (not (= x 1))) (inv (+ x 2)))))
(assert (forall ((x Int)) (=> (and (inv x) (= x 3)) false)))";
    let system = system(text);
    assert_eq!(direct(&Bmc, &system, text), "unknown");
    assert_eq!(direct(&DUALITY, &system, text), "sat");
}
