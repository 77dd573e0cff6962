//! How many tasks each engine solves within which time: the further right and the lower, the better.

use super::canvas::{Canvas, colour};
use super::{decade_name, decades, seconds};
use crate::row::Row;
use std::time::Duration;

/// Marks on the axis of tasks, about.
const MARKS: usize = 8;

/// The plot: the n-th point of an engine is the time of its n-th fastest solved task.
pub fn svg(rows: &[Row], engines: &[&str], limit: Duration) -> String {
    let curves: Vec<Vec<f64>> = engines.iter().map(|engine| times(rows, engine)).collect();
    let most = curves.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let (bottom, top) = decades(limit);
    let up = |time: f64| (time.log10() - f64::from(bottom)) / f64::from(top - bottom);
    let across = |solved: usize| solved as f64 / most as f64;
    let mut canvas = Canvas::new("Solved tasks", "tasks solved", "CPU time of a task, s");
    for exponent in bottom..=top {
        canvas.mark_up(up(10f64.powi(exponent)), &decade_name(exponent));
    }
    for solved in (0..=most).step_by(round_step(most.div_ceil(MARKS))) {
        canvas.mark_across(across(solved), &solved.to_string());
    }
    for (number, (engine, times)) in engines.iter().zip(&curves).enumerate() {
        let points: Vec<(f64, f64)> = times
            .iter()
            .enumerate()
            .map(|(before, &time)| (across(before + 1), up(time).min(1.0)))
            .collect();
        canvas.curve(&points, colour(number));
        canvas.legend(colour(number), &format!("{engine}: {}", times.len()));
    }
    canvas.finish()
}

/// The times of the tasks that an engine solves, the shortest first.
fn times(rows: &[Row], engine: &str) -> Vec<f64> {
    let solved = rows
        .iter()
        .filter(|row| row.engine == engine && row.status.is_solved());
    let mut times: Vec<f64> = solved.map(seconds).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// The next of 1, 2, 5, 10, 20, 50, …
fn round_step(step: usize) -> usize {
    let mut decade = 1;
    loop {
        for factor in [1, 2, 5] {
            if decade * factor >= step {
                return decade * factor;
            }
        }
        decade *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::round_step;

    #[test]
    fn steps_are_round() {
        for (step, round) in [(0, 1), (1, 1), (3, 5), (6, 10), (18, 20), (101, 200)] {
            assert_eq!(round_step(step), round);
        }
    }
}
