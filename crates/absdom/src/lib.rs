//! Abstract domains, the forward analysis over the automata, and symbolic abstraction of formulas.
//!
//! # Invariants
//! - Sound over the IR's semantics: every defined run is covered, whatever the budget.
