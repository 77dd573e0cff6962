//! Random C programs that are mostly loops: for tests.
//!
//! They have counters, phases, resets, nested loops, inputs, and unsigned variables that wrap; at
//! the end a condition on all variables decides whether they fail.
//!
//! # Invariants
//! - Same seed, same text; every text is a right program.

use base::Rng;
use std::fmt::Write;

/// The signed variables.
const SIGNED: [&str; 3] = ["a", "b", "c"];
/// The unsigned ones.
const UNSIGNED: [&str; 2] = ["u", "v"];

/// The program of a seed.
pub fn loops(seed: u64) -> String {
    let mut writer = Writer {
        rng: Rng::new(seed),
        text: String::from(
            "int nondet(void);\nint main(void) {\n  int n = nondet(), a = 0, b = nondet(), c = 1;\n  unsigned u = 0;\n  unsigned char v = nondet();\n",
        ),
    };
    for _ in 0..1 + writer.rng.below(2) {
        writer.repeat(1, 2);
    }
    let last = ["a != 3", "b < 9", "c >= a", "u != 250", "v < 200"];
    let joint = writer.rng.pick(&[" && ", " || "]);
    let text = &mut writer.text;
    let all = last.join(joint);
    writeln!(text, "  if ({all}) __assert_fail(\"\", \"\", 0, \"\");\n}}").expect("it is a string");
    writer.text
}

struct Writer {
    rng: Rng,
    text: String,
}

impl Writer {
    fn line(&mut self, depth: usize, line: &str) {
        let indent = "  ".repeat(depth);
        writeln!(self.text, "{indent}{line}").expect("it is a string");
    }

    /// A loop, with so many levels of loops inside at most.
    fn repeat(&mut self, depth: usize, inside: usize) {
        let condition = self.condition();
        let line = match self.rng.below(4) {
            0 => format!("while (nondet() && {condition}) {{"),
            _ => format!("while ({condition}) {{"),
        };
        self.line(depth, &line);
        for _ in 0..1 + self.rng.below(3) {
            match self.rng.below(6) {
                0 => self.choice(depth + 1),
                1 if inside > 1 => self.repeat(depth + 1, inside - 1),
                2 => {
                    let condition = self.condition();
                    self.line(depth + 1, &format!("if ({condition}) break;"));
                }
                _ => self.assignment(depth + 1),
            }
        }
        // Something moves, so that most loops end.
        let step = self
            .rng
            .pick(&["a++;", "a += 2;", "b--;", "u += 3;", "v += 7;"]);
        self.line(depth, &format!("  {step}"));
        self.line(depth, "}");
    }

    fn choice(&mut self, depth: usize) {
        let condition = self.condition();
        self.line(depth, &format!("if ({condition}) {{"));
        self.assignment(depth + 1);
        if self.rng.chance(60) {
            self.line(depth, "} else {");
            self.assignment(depth + 1);
        }
        self.line(depth, "}");
    }

    fn assignment(&mut self, depth: usize) {
        let (x, y) = (self.rng.pick(&SIGNED), self.rng.pick(&SIGNED));
        let (u, v) = (self.rng.pick(&UNSIGNED), self.rng.pick(&UNSIGNED));
        let number = self.rng.below(9) as i64 - 3;
        let line = match self.rng.below(12) {
            0..4 => format!("{x} = {x} + ({number});"),
            4 => format!("{x} = {number};"),
            5 => format!("{x} = {y} + ({number});"),
            6 => format!("{x} += {y};"),
            7 => format!("{x} = nondet();"),
            8 => format!("{u} += {};", number + 4),
            9 => format!("{u} -= {v};"),
            10 => format!("{u} = {v} * 2;"),
            _ => format!("if ({x} < 100) {x} = {x} + {v} % 5;"),
        };
        self.line(depth, &line);
    }

    fn condition(&mut self) -> String {
        let (x, y) = (self.rng.pick(&SIGNED), self.rng.pick(&SIGNED));
        let u = self.rng.pick(&UNSIGNED);
        let number = self.rng.below(40) as i64 - 5;
        match self.rng.below(8) {
            0 | 1 => format!("{x} < {number}"),
            2 => format!("{x} < n"),
            3 => format!("{x} <= {y} + 10"),
            4 => format!("{x} != {number}"),
            5 => format!("{u} < {}u", number + 5),
            6 => format!("{x} % 2 == 0"),
            _ => "nondet()".to_owned(),
        }
    }
}
