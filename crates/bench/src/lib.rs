//! Campaigns: tasks, each in a child process under limits, and their results side by side.
//!
//! # Invariants
//! - Knows `cairn` only as a command, and the documents that it prints.

pub mod child;
pub mod folder;
mod horn_status;
pub mod memory;
mod outcome;
pub mod plan;
pub mod plot;
pub mod pool;
pub mod row;
mod rows;
pub mod table;
pub mod tally;
