//! Types and values of random constant expressions against the C compiler at hand.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may")]

mod common;

use cfront::ast::InitValue;
use cfront::fold::{self, ConstValue};
use cfront::types::{DataModel, FloatKind, Type};
use common::Random;
use std::fmt::Write;

const TYPES: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum e",
    "float",
    "double",
];

/// An expression; `whole` asks for an integer type.
fn expression(random: &mut Random, depth: u32, whole: bool) -> String {
    let pick =
        |random: &mut Random, list: &[&'static str]| list[random.below(list.len() as u64) as usize];
    if depth == 0 || random.chance(15) {
        return leaf(random, whole);
    }
    let a = expression(random, depth - 1, whole);
    match random.below(10) {
        0 | 1 => {
            let types = if whole { &TYPES[..13] } else { TYPES };
            let inner = random.chance(50);
            let operand = if inner {
                expression(random, depth - 1, false)
            } else {
                a
            };
            format!("({})({operand})", pick(random, types))
        }
        2 if whole => format!("{}({a})", pick(random, &["-", "~", "!", "+"])),
        2 => format!("{}({a})", pick(random, &["-", "!", "+"])),
        3 => {
            let c = expression(random, depth - 1, false);
            let b = expression(random, depth - 1, whole);
            format!("(({c}) ? ({a}) : ({b}))")
        }
        4 => {
            let (a, b) = (
                expression(random, depth - 1, false),
                expression(random, depth - 1, false),
            );
            let op = pick(random, &["==", "!=", "<", "<=", ">", ">=", "&&", "||"]);
            format!("(({a}) {op} ({b}))")
        }
        5 if whole => {
            let op = pick(random, &["<<", ">>"]);
            format!("(({a}) {op} {})", random.below(33))
        }
        6 if whole => {
            let b = expression(random, depth - 1, true);
            format!("(({a}) {} ({b}))", pick(random, &["&", "|", "^", "%"]))
        }
        _ => {
            let b = expression(random, depth - 1, whole);
            format!("(({a}) {} ({b}))", pick(random, &["+", "-", "*", "/"]))
        }
    }
}

fn leaf(random: &mut Random, whole: bool) -> String {
    let interesting = [
        0, 1, 2, 3, 7, 127, 128, 255, 256, 32767, 65535, 2147483647, 2147483648, 4294967295,
    ];
    let number = match random.below(3) {
        0 => interesting[random.below(interesting.len() as u64) as usize],
        1 => random.below(100),
        _ => random.below(1 << 40),
    };
    let suffix = ["", "", "", "u", "l", "ul", "ll", "ull"][random.below(8) as usize];
    match random.below(12) {
        0 => "'a'".to_string(),
        1 => format!("'\\{:o}'", random.below(256)),
        2 => format!("(int)sizeof({})", TYPES[random.below(15) as usize]),
        3 => "B".to_string(),
        4 => format!("0x{number:x}{suffix}"),
        5 => format!("0{number:o}{suffix}"),
        6..=8 if !whole => {
            let suffix = ["", "f", ""][random.below(3) as usize];
            format!("{}.{}{suffix}", random.below(1000), random.below(100))
        }
        _ => format!("{number}{suffix}"),
    }
}

/// Type and value as the probe below prints them; `None` if we refuse the expression.
fn ours(text: &str, model: DataModel) -> Result<String, Vec<String>> {
    let program = format!("enum e {{ A = -1, B = 77 }};\n__typeof__({text}) x = {text};\n");
    let (ast, errors) = common::parse(program.as_bytes(), model);
    if !errors.is_empty() {
        return Err(errors);
    }
    let global = ast
        .globals
        .iter()
        .find(|global| &*global.name == "x")
        .unwrap();
    let size = ast.types.size_of(global.ty.ty).unwrap();
    let value = match &global.init.as_ref().unwrap().items[..] {
        [item] => match &item.value {
            InitValue::Expr(e) => fold::constant(&ast.types, e).unwrap(),
            InitValue::String(_) => panic!("a string"),
        },
        _ => panic!("not one item"),
    };
    Ok(match (value, ast.types.get(global.ty.ty)) {
        (ConstValue::Int(value), _) => {
            let signed = u8::from(value.ty().signed);
            format!("i {size} {signed} {value}")
        }
        (ConstValue::Float(value), Type::Float(FloatKind::Float)) => {
            format!("f {size} {:x}", (value as f32).to_bits())
        }
        (ConstValue::Float(value), _) => format!("f {size} {:x}", value.to_bits()),
        (ConstValue::Address { .. }, _) => panic!("an address"),
    })
}

fn program(texts: &[String]) -> String {
    let mut program = String::from(
        "#include <stdio.h>\n#include <string.h>\nenum e { A = -1, B = 77 };\n\
         #define SIGNED(x) ((__typeof__(x))-1 < (__typeof__(x))1)\n\
         #define INT(x) __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x), float) || \
           __builtin_types_compatible_p(__typeof__(x), double), 0, (x))\n\
         #define SHOW(x) do { __typeof__(x) v = (x); unsigned long long b = 0; \
           if (__builtin_types_compatible_p(__typeof__(v), float) || \
               __builtin_types_compatible_p(__typeof__(v), double)) { \
             memcpy(&b, &v, sizeof v); printf(\"f %d %llx\\n\", (int)sizeof v, b); \
           } else if (SIGNED(v)) printf(\"i %d 1 %lld\\n\", (int)sizeof v, (long long)INT(v)); \
           else printf(\"i %d 0 %llu\\n\", (int)sizeof v, (unsigned long long)INT(v)); } while (0)\n",
    );
    for (index, text) in texts.iter().enumerate() {
        writeln!(program, "static __typeof__({text}) x{index} = {text};").unwrap();
    }
    program.push_str("int main(void) {\n");
    for index in 0..texts.len() {
        writeln!(program, "  SHOW(x{index});").unwrap();
    }
    program.push_str("  return 0;\n}\n");
    program
}

#[test]
fn agree_with_the_compiler() {
    let count: usize = std::env::var("CAIRN_CONSTANTS").map_or(500, |n| n.parse().unwrap());
    for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        // i386 would compute in the wider registers of the x87 otherwise.
        let flags = ["-w", "-O0", "-msse2", "-mfpmath=sse", flag];
        let mut random = Random(4711);
        let mut texts = Vec::new();
        let mut values = Vec::new();
        let mut refused = 0;
        while texts.len() < count {
            let depth = 1 + random.below(4) as u32;
            let whole = random.chance(70);
            let text = expression(&mut random, depth, whole);
            match ours(&text, model) {
                Ok(value) => {
                    texts.push(text);
                    values.push(value);
                }
                Err(errors) => {
                    refused += 1;
                    let known = ["shift", "division by zero"];
                    assert!(
                        errors
                            .iter()
                            .all(|e| known.iter().any(|known| e.contains(known))),
                        "{text}: {errors:?}"
                    );
                }
            }
        }
        assert!(refused < count, "{refused} refused");
        let Some(theirs) = common::compile_and_run("constants", &program(&texts), &flags) else {
            continue;
        };
        let wrong: Vec<String> = theirs
            .lines()
            .zip(&values)
            .zip(&texts)
            .filter(|((theirs, ours), _)| theirs != ours)
            .map(|((theirs, ours), text)| format!("{text}\n  ours {ours}, theirs {theirs}"))
            .collect();
        assert!(
            wrong.is_empty(),
            "{flag}: {}\n{}",
            wrong.len(),
            wrong[..wrong.len().min(8)].join("\n")
        );
        assert_eq!(theirs.lines().count(), count);
    }
}
