//! Makes the inputs of a violation plainer, so that a person can read them.

use super::plan::{Plan, Taken};
use super::values::Pool;
use base::Budget;
use exec::{End, Limits, Machine};
use logic::IntValue;
use program::expr::Constant;
use program::ir::{LocationId, ProcId};

/// At most so many runs are spent on it.
const RUNS: usize = 400;
/// Longer input lists are left as they are.
const LENGTH: usize = 200;

/// Inputs that reach the same error location, no more of them and closer to zero where possible.
pub fn shrink(
    machine: &Machine<'_>,
    pool: &Pool,
    inputs: Taken,
    error: (ProcId, LocationId),
    limits: &Limits,
    budget: &Budget,
) -> Taken {
    let mut best = inputs;
    if best.len() > LENGTH {
        return best;
    }
    let mut left = RUNS;
    let mut at = 0;
    while at < best.len() {
        let mut candidates = plainer(best[at].1);
        while let Some(value) = candidates.pop() {
            if left == 0 || budget.check().is_err() {
                return best;
            }
            left -= 1;
            let mut attempt = best.clone();
            attempt[at].1 = value;
            let run = machine.run(&mut Plan::exact(pool, &attempt), limits, budget);
            if run.end == End::Violated(error.0, error.1) && run.inputs.len() <= best.len() {
                best = run.inputs;
                if at >= best.len() {
                    return best;
                }
                candidates = plainer(best[at].1);
            }
        }
        at += 1;
    }
    best
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
