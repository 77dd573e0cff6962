//! Simplifies the inputs of a violation for human readers, whichever engine found it.
//!
//! # Invariants
//! - The machine has run the new inputs to the same error location.

use base::Budget;
use certify::Trace;
use exec::inputs::SiteInputs;
use exec::{End, Machine};
use kit::test_runner::test_limits;
use logic::IntValue;
use program::expr::Constant;
use program::ir::{Program, SiteId, SiteKind};

/// At most so many runs are spent on it.
const RUNS: usize = 400;
/// And so many steps in all: time would give other inputs on another day.
const STEPS: u64 = 1 << 23;
/// Longer input lists are left as they are.
const LENGTH: usize = 200;

/// A trace to the same error location, with no more inputs and closer to zero where possible.
pub fn minimise_inputs(program: &Program, trace: Trace, budget: &Budget) -> Trace {
    if trace.inputs.is_empty() || trace.lemmas.is_some() {
        return trace;
    }
    let machine = Machine::new(program);
    let (proc, location) = trace.error;
    let mut steps = STEPS;
    // The inputs that a run takes, if it reaches the error.
    let mut attempt = |inputs: &[(SiteId, Constant)]| {
        let mut source = SiteInputs::new(program, inputs);
        let run = machine.run(&mut source, &test_limits(steps), budget);
        steps = steps.saturating_sub(run.steps);
        (run.end == End::Violated(proc, location)).then_some(run.inputs)
    };
    // Few errors need memory that nothing has set.
    let is_contents = |site: SiteId| program.sites[site].kind == SiteKind::Contents;
    let mut set = trace.inputs.clone();
    set.retain(|&(site, _)| !is_contents(site));
    let without = match set.len() < trace.inputs.len() {
        true => attempt(&set),
        false => None,
    };
    let inputs = without.unwrap_or_else(|| trace.inputs.clone());
    if inputs.len() > LENGTH {
        return Trace { inputs, ..trace };
    }
    let Some(mut best) = attempt(&inputs) else {
        return trace;
    };
    let mut left = RUNS;
    let mut at = 0;
    while at < best.len() {
        let mut candidates = plainer(best[at].1);
        while let Some(value) = candidates.pop() {
            if left == 0 || budget.check().is_err() {
                at = best.len();
                break;
            }
            left -= 1;
            let mut inputs = best.clone();
            inputs[at].1 = value;
            if let Some(taken) = attempt(&inputs).filter(|taken| taken.len() <= best.len()) {
                best = taken;
                candidates = best.get(at).map_or_else(Vec::new, |input| plainer(input.1));
            }
        }
        at += 1;
    }
    Trace {
        inputs: best,
        ..trace
    }
}

/// Values to try instead, the plainest last.
fn plainer(value: Constant) -> Vec<Constant> {
    match value {
        Constant::Int(value) => {
            let ty = value.ty();
            let Some(number) = value.to_i128() else {
                return vec![Constant::Int(IntValue::zero(ty))];
            };
            let mut list: Vec<i128> = Vec::new();
            if number < 0 {
                list.push(-(number + 1) + 1);
            }
            list.extend([number - number.signum(), number / 2, number / 16, 1, 0]);
            list.retain(|other| {
                other.unsigned_abs() < number.unsigned_abs() || (number < 0 && *other > 0)
            });
            list.into_iter()
                .filter(|&other| IntValue::wrap(ty, other).to_i128() == Some(other))
                .map(|other| Constant::Int(IntValue::wrap(ty, other)))
                .collect()
        }
        Constant::Bool(true) => vec![Constant::Bool(false)],
        Constant::Float(format, bits) if bits != 0 => vec![Constant::Float(format, 0)],
        Constant::Bool(false) | Constant::Float(..) | Constant::Null => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::IntType;

    #[test]
    fn plainer_values_always_end_at_zero() {
        for start in [-128, -1, 1, 127] {
            let mut value = Constant::Int(IntValue::wrap(IntType::signed(8), start));
            let mut steps = 0;
            while let Some(&next) = plainer(value).first() {
                value = next;
                steps += 1;
                assert!(steps < 300, "{start} should come to an end");
            }
            assert_eq!(value, Constant::Int(IntValue::zero(IntType::signed(8))));
        }
    }
}
