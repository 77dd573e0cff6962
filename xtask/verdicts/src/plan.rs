//! Which questions are asked of a program, and of whom.

use crate::assertion;
use crate::check::{Check, Question};
use crate::generate::Drawn;
use crate::syntax::Kind;
use crate::truth::{Truth, Violated};
use crate::types::Model;
use base::Rng;

/// Assertions of each truth.
const ASSERTIONS: usize = 2;

/// The checks of a program for a data model.
pub(crate) fn checks(
    drawn: &Drawn,
    truth: &Truth,
    model: Model,
    engines: &[String],
    seed: u64,
) -> Vec<Check> {
    let mut rng = Rng::new(seed ^ 0x5eed ^ (model as u64) << 40);
    let mut checks = Vec::new();
    for assertion in assertion::make(&drawn.program, truth, model, ASSERTIONS, &mut rng) {
        let fails = assertion.fails;
        let question = Question::Assertion {
            assertion,
            by_call: rng.chance(50),
        };
        checks.push(check(question, fails, model, engines, &mut rng));
    }
    for kind in Kind::ALL {
        let is_violated = match truth.violates(kind) {
            Violated::Yes => true,
            // What cannot happen at all is asked less often.
            Violated::No if rng.chance(if truth.is_defined() { 30 } else { 60 }) => false,
            Violated::No | Violated::Open => continue,
        };
        let question = Question::Undefined { kind, is_violated };
        checks.push(check(question, is_violated, model, engines, &mut rng));
    }
    checks
}

fn check(
    question: Question,
    fails: bool,
    model: Model,
    engines: &[String],
    rng: &mut Rng,
) -> Check {
    Check {
        question,
        engine: engine(engines, fails, rng),
        model,
        confirm: fails && rng.chance(30),
        witness: rng.chance(30),
        tamper: rng.chance(15),
        seed: rng.bits(),
    }
}

/// An engine by lot: the usual ones more often, and those that can only prove or only refute mostly
/// where they can.
fn engine(engines: &[String], fails: bool, rng: &mut Rng) -> String {
    let weight = |name: &str| match name {
        "auto" => 40,
        "gps" => 30,
        "cra" if fails => 1,
        "random" if !fails => 1,
        _ => 10,
    };
    let total: usize = engines.iter().map(|name| weight(name)).sum();
    let mut left = rng.below(total);
    for name in engines {
        match left.checked_sub(weight(name)) {
            Some(rest) => left = rest,
            None => return name.clone(),
        }
    }
    unreachable!("the weights should add up")
}
