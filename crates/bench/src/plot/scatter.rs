//! Two engines task by task: below the diagonal the second is faster, above it the first.

use super::canvas::{Canvas, colour};
use super::{decade_name, decades, seconds};
use crate::row::{Answer, Row};
use std::collections::BTreeMap;
use std::time::Duration;

/// The plot. A task that an engine does not solve is at that engine's edge.
pub fn svg(rows: &[Row], first: &str, second: &str, limit: Duration) -> String {
    let (bottom, top) = decades(limit);
    let at = |time: f64| ((time.log10() - f64::from(bottom)) / f64::from(top - bottom)).min(1.0);
    let name = |engine: &str| format!("{engine}: CPU time, s");
    let title = format!("{first} and {second}, task by task");
    let mut canvas = Canvas::new(&title, &name(first), &name(second));
    for exponent in bottom..=top {
        let position = at(10f64.powi(exponent));
        canvas.mark_across(position, &decade_name(exponent));
        canvas.mark_up(position, &decade_name(exponent));
    }
    canvas.line((0.0, 0.0), (1.0, 1.0), "#888");
    let of = |engine: &str| -> BTreeMap<&str, &Row> {
        rows.iter()
            .filter(|row| row.engine == engine)
            .map(|row| (row.task.as_str(), row))
            .collect()
    };
    let others = of(second);
    let position = |row: &Row| {
        if row.status.is_solved() {
            at(seconds(row))
        } else {
            1.0
        }
    };
    for (task, row) in of(first) {
        if let Some(other) = others.get(task) {
            let point = (position(row), position(other));
            canvas.dot(point, 3.0, colour(class(row)), task);
        }
    }
    for (number, name) in CLASSES.into_iter().enumerate() {
        canvas.legend(colour(number), name);
    }
    canvas.legend("white", "edge: not solved");
    canvas.finish()
}

const CLASSES: [&str; 3] = ["expected: safe", "expected: unsafe", "nothing expected"];

/// The place of a row's class among [`CLASSES`].
fn class(row: &Row) -> usize {
    match row.expected {
        Some(Answer::Safe) => 0,
        Some(Answer::Unsafe) => 1,
        None => 2,
    }
}
