//! Alignment and packing as declarations say them, against the C compiler at hand, on random texts.
//!
//! `layout.rs` compares the rules; here it is the grammar: which of the many places of an attribute
//! means the type, the member, or nothing.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may")]

mod common;

use cfront::ast::{ExprKind, InitValue};
use cfront::types::DataModel;
use common::Random;
use std::fmt::Write;

struct Generator {
    random: Random,
    text: String,
    /// What to ask: constant expressions.
    probes: Vec<String>,
    /// Types that later ones can use.
    names: Vec<String>,
    count: usize,
}

impl Generator {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.below(list.len() as u64) as usize]
    }

    /// Nothing, mostly; otherwise an attribute.
    fn attribute(&mut self, percent: u64) -> String {
        if !self.random.chance(percent) {
            return String::new();
        }
        match self.random.below(8) {
            0 => " __attribute__((aligned))".to_owned(),
            1 => " __attribute__((packed))".to_owned(),
            2 => format!(
                " __attribute__((__packed__, __aligned__({})))",
                1 << self.random.below(4)
            ),
            3 => " __attribute__((unused))".to_owned(),
            4 => " __attribute__((aligned(__alignof__(double))))".to_owned(),
            _ => format!(" __attribute__((aligned({})))", 1 << self.random.below(7)),
        }
    }

    /// An attribute about alignment only: a typedef of a scalar cannot be packed.
    fn aligned(&mut self, percent: u64) -> String {
        let percent = if self.random.chance(percent) { 100 } else { 0 };
        loop {
            let text = self.attribute(percent);
            if !text.contains("packed") {
                return text;
            }
        }
    }

    fn scalar(&mut self) -> &'static str {
        self.pick(&[
            "char",
            "short",
            "int",
            "unsigned long",
            "long long",
            "double",
            "float",
            "char *",
            "_Bool",
            "long double",
        ])
    }

    fn member_type(&mut self) -> String {
        if !self.names.is_empty() && self.random.chance(35) {
            let at = self.random.below(self.names.len() as u64) as usize;
            self.names[at].clone()
        } else {
            self.scalar().to_owned()
        }
    }

    fn member(&mut self, name: &str) -> String {
        let (before, between) = (self.attribute(8), self.attribute(12));
        let after = self.attribute(15);
        let ty = self.member_type();
        let named = self.names.contains(&ty);
        // `_Alignas` must not ask for less than the type.
        let alignas = if !named && self.random.chance(12) {
            let strict = 16 << self.random.below(3);
            format!(" _Alignas({strict})")
        } else {
            String::new()
        };
        if self.random.chance(25) {
            let ty = self.pick(&["int", "unsigned", "char", "long long", "unsigned short"]);
            let width = 1 + self.random.below(8);
            return format!(" {before} {ty}{between} {name} : {width}{after};");
        }
        // Elements of an array cannot be aligned more strictly than they are long.
        let is_strict = named && ty.starts_with('t') || ty.ends_with('*');
        let length = if !is_strict && self.random.chance(25) {
            "[3]"
        } else {
            ""
        };
        format!(" {before}{alignas} {ty}{between} {name}{length}{after};")
    }

    fn record(&mut self) {
        let id = self.count;
        self.count += 1;
        let keyword = if self.random.chance(25) {
            "union"
        } else {
            "struct"
        };
        let (front, back) = (self.attribute(20), self.attribute(25));
        let mut body = String::new();
        let members = 1 + self.random.below(5);
        for index in 0..members {
            body.push_str(&self.member(&format!("f{index}")));
        }
        if self.random.chance(20) {
            let (inner, behind) = (self.member("g0"), self.attribute(30));
            write!(body, " union {{{inner} char g1; }}{behind};").unwrap();
        }
        writeln!(self.text, "{keyword}{front} r{id} {{{body} }}{back};").unwrap();
        let name = format!("{keyword} r{id}");
        self.probes.push(format!("sizeof({name})"));
        self.probes.push(format!("_Alignof({name})"));
        for index in 0..members {
            let plain = !body.contains(&format!("f{index} :"));
            if plain {
                self.probes
                    .push(format!("__builtin_offsetof({name}, f{index})"));
            }
        }
        if body.contains("g1") {
            self.probes.push(format!("__builtin_offsetof({name}, g1)"));
        }
        self.names.push(name);
    }

    fn typedef(&mut self) {
        let id = self.count;
        self.count += 1;
        let (before, behind) = (self.aligned(15), self.aligned(50));
        let ty = self.member_type();
        writeln!(self.text, "typedef {ty}{before} t{id}{behind};").unwrap();
        self.probes.push(format!("sizeof(t{id})"));
        self.probes.push(format!("_Alignof(t{id})"));
        // The typedef's own alignment is what members get.
        writeln!(self.text, "struct m{id} {{ char c; t{id} m; }};").unwrap();
        self.probes
            .push(format!("__builtin_offsetof(struct m{id}, m)"));
        self.probes.push(format!("sizeof(struct m{id})"));
        self.names.push(format!("t{id}"));
    }
}

/// What we say, each value as a number.
fn ours(generator: &Generator, model: DataModel) -> Vec<i128> {
    let mut text = generator.text.clone();
    let probes = generator.probes.join(", ");
    writeln!(text, "unsigned long long v[] = {{ {probes} }};").unwrap();
    let (ast, errors) = common::parse(text.as_bytes(), model);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let global = ast.globals.iter().find(|global| *global.name == *"v");
    let items = &global.unwrap().init.as_ref().unwrap().items;
    let mut values = vec![0; generator.probes.len()];
    for item in items {
        let InitValue::Expr(expr) = &item.value else {
            panic!("a number should be an expression")
        };
        let ExprKind::Int(value) = expr.kind else {
            panic!("a size should be folded")
        };
        values[(item.offset / 8) as usize] = value.to_i128().unwrap();
    }
    values
}

#[test]
fn places_of_attributes_mean_what_the_compiler_says() {
    let count: usize = std::env::var("CAIRN_LAYOUTS").map_or(400, |n| n.parse().unwrap());
    for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        let mut generator = Generator {
            random: Random(77),
            text: String::new(),
            probes: Vec::new(),
            names: Vec::new(),
            count: 0,
        };
        for _ in 0..count {
            if generator.random.chance(25) {
                generator.typedef();
            } else {
                generator.record();
            }
        }
        let mut program = format!("#include <stdio.h>\n{}int main(void) {{\n", generator.text);
        for probe in &generator.probes {
            writeln!(program, "  printf(\"%d\\n\", (int){probe});").unwrap();
        }
        program.push_str("}\n");
        let Some(theirs) = common::compile_and_run("attributes", &program, &["-w", "-O0", flag])
        else {
            continue;
        };
        let theirs: Vec<i128> = theirs.lines().map(|line| line.parse().unwrap()).collect();
        let ours = ours(&generator, model);
        assert_eq!(ours.len(), theirs.len());
        let rows = generator.probes.iter().zip(ours.iter().zip(&theirs));
        let wrong: Vec<_> = rows.filter(|(_, (a, b))| a != b).collect();
        let shown: Vec<String> = wrong
            .iter()
            .take(6)
            .map(|(probe, (ours, theirs))| {
                let tag = probe.split(['(', ')', ',']).nth(1).unwrap();
                let name = tag.split(' ').next_back().unwrap();
                let line = |line: &&str| {
                    let ends = [" {", " __", ";"];
                    ends.iter()
                        .any(|end| line.contains(&format!(" {name}{end}")))
                };
                let place = generator.text.lines().find(line).unwrap_or("");
                format!("{probe}: ours {ours}, theirs {theirs}\n  {place}")
            })
            .collect();
        assert!(
            wrong.is_empty(),
            "{flag}: {} of {} differ\n{}",
            wrong.len(),
            theirs.len(),
            shown.join("\n")
        );
    }
}
