//! Helpers shared by tests.

use crate::ir::Program;
use base::{Diagnostics, SourceMap};

/// The text of a program of one procedure, from its variables (`n: i32, x: u8`) and its locations
/// from `l0` on, without the exit `l1`. Inputs are taken from `n0`, an `i32`.
pub fn main_text(vars: &str, locations: &str) -> String {
    let site = match locations.contains(" n0 ") {
        true => "site n0: nondet i32 \"__VERIFIER_nondet_int\"\n",
        false => "",
    };
    let vars = vars.split(", ").enumerate();
    let vars: String = (vars.map(|(id, var)| format!("local v{id} {var}\n"))).collect();
    let main = format!("proc p0 main() entry l0 exit l1 {{\n{vars}{locations}\nl1:\n}}");
    format!("program ptr 8 entry main\n{site}{main}\n")
}

/// The program of such a text that should be right.
pub fn parse_main(vars: &str, locations: &str) -> Program {
    parse(&main_text(vars, locations))
}

/// The program of a text that should be right.
pub fn parse(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("p", text.into());
    let file = file.expect("the text should be short");
    let mut diagnostics = Diagnostics::new();
    let program = crate::text::read(&sources, file, &mut diagnostics);
    program.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}
