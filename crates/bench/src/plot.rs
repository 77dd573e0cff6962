//! Plots of a run, as SVG.

pub mod cactus;
mod canvas;
pub mod scatter;

use super::row::Row;
use std::time::Duration;

/// Times below this are not told apart.
const SHORTEST: f64 = 0.01;

/// The time of the processor that a row took, as plots show it.
fn seconds(row: &Row) -> f64 {
    row.usage.cpu.as_secs_f64().max(SHORTEST)
}

/// Powers of ten that frame all times up to a limit.
fn decades(limit: Duration) -> (i32, i32) {
    let bottom = SHORTEST.log10().round() as i32;
    let top = limit.as_secs_f64().max(SHORTEST * 10.0).log10().ceil() as i32;
    (bottom, top.max(bottom + 1))
}

/// A power of ten, as an axis names it.
fn decade_name(exponent: i32) -> String {
    format!("{}", 10f64.powi(exponent))
}
