//! Random static initialisers, flattened by us and by the C compiler at hand: the bytes agree.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may")]

mod common;

use cfront::ast::{Ast, Global, InitValue};
use cfront::fold::{self, ConstValue};
use cfront::types::{DataModel, FloatKind, Type};
use common::Random;
use std::fmt::Write;

/// The shape of a random type; records are declared as `T<number>`.
#[derive(Clone)]
enum Shape {
    Scalar(&'static str),
    Chars(u64),
    Array(Box<Shape>, u64),
    Record(usize),
}

struct Record {
    is_union: bool,
    members: Vec<(Shape, Option<u64>)>,
}

struct Generator {
    random: Random,
    records: Vec<Record>,
    text: String,
    objects: Vec<String>,
}

const SCALARS: &[&str] = &[
    "char",
    "short",
    "int",
    "unsigned",
    "long",
    "long long",
    "float",
    "double",
    "_Bool",
];

impl Generator {
    fn shape(&mut self, depth: u32) -> Shape {
        match self.random.below(if depth == 0 { 3 } else { 8 }) {
            0 | 1 => Shape::Scalar(SCALARS[self.random.below(9) as usize]),
            2 => Shape::Chars(1 + self.random.below(5)),
            3 | 4 => {
                let element = self.shape(depth - 1);
                Shape::Array(Box::new(element), 1 + self.random.below(4))
            }
            _ => self.record(depth - 1),
        }
    }

    fn record(&mut self, depth: u32) -> Shape {
        let is_union = self.random.chance(25);
        let mut members = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            if self.random.chance(25) {
                let width = 1 + self.random.below(20);
                members.push((Shape::Scalar("unsigned"), Some(width)));
            } else {
                members.push((self.shape(depth), None));
            }
        }
        let id = self.records.len();
        let keyword = if is_union { "union" } else { "struct" };
        let mut text = format!("typedef {keyword} {{ ");
        for (index, (shape, width)) in members.iter().enumerate() {
            let member = declare(shape, &format!("m{index}"));
            let width = width.map_or(String::new(), |width| format!(" : {width}"));
            write!(text, "{member}{width}; ").unwrap();
            if self.random.chance(8) {
                text.push_str("int : 3; ");
            }
        }
        writeln!(self.text, "{text}}} T{id};").unwrap();
        self.records.push(Record { is_union, members });
        Shape::Record(id)
    }

    fn value(&mut self) -> String {
        match self.random.below(4) {
            // Small: a floating number that does not fit a bit-field has no defined value.
            0 => format!("{}.5", self.random.below(2)),
            1 => format!("-{}", 1 + self.random.below(1000)),
            _ => format!("{}", self.random.below(1 << 20)),
        }
    }

    fn string(&mut self) -> String {
        let len = self.random.below(6) as usize;
        format!("\"{}\"", &"abcdef"[..len])
    }

    /// An initialiser that fits the shape when braces are where they belong.
    fn initializer(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::Scalar(_) if self.random.chance(8) => format!("{{ {} }}", self.value()),
            Shape::Scalar(_) => self.value(),
            Shape::Chars(_) if self.random.chance(40) => self.string(),
            Shape::Chars(_) | Shape::Array(..) | Shape::Record(_) => {
                let items = self.items(shape);
                format!("{{ {items} }}")
            }
        }
    }

    fn items(&mut self, shape: &Shape) -> String {
        let mut text = String::new();
        for _ in 0..self.random.below(5) {
            if self.random.chance(35) {
                let (designator, inner) = self.designator(shape);
                let value = self.initializer(&inner);
                write!(text, "{designator} = {value}, ").unwrap();
            } else if self.random.chance(40) {
                // A value without its braces: the members inside take what follows.
                let value = self.value();
                write!(text, "{value}, ").unwrap();
            } else {
                let inner = self.some_part(shape);
                let value = match inner {
                    Shape::Scalar(_) => self.value(),
                    _ if self.random.chance(70) => self.flat(&inner),
                    _ => self.value(),
                };
                write!(text, "{value}, ").unwrap();
            }
        }
        text
    }

    /// The values of all scalars of a shape, without braces.
    fn flat(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::Scalar(_) => self.value(),
            Shape::Chars(len) => {
                let values: Vec<String> = (0..*len).map(|_| self.value()).collect();
                values.join(", ")
            }
            Shape::Array(element, len) => {
                let values: Vec<String> = (0..*len).map(|_| self.flat(element)).collect();
                values.join(", ")
            }
            Shape::Record(id) => {
                let count = if self.records[*id].is_union {
                    1
                } else {
                    usize::MAX
                };
                let members: Vec<Shape> = self.records[*id]
                    .members
                    .iter()
                    .take(count)
                    .map(|(shape, _)| shape.clone())
                    .collect();
                let values: Vec<String> = members.iter().map(|member| self.flat(member)).collect();
                values.join(", ")
            }
        }
    }

    fn some_part(&mut self, shape: &Shape) -> Shape {
        match shape {
            Shape::Scalar(_) | Shape::Chars(_) => Shape::Scalar("int"),
            Shape::Array(element, _) => (**element).clone(),
            Shape::Record(id) => {
                let len = self.records[*id].members.len() as u64;
                let index = self.random.below(len) as usize;
                self.records[*id].members[index].0.clone()
            }
        }
    }

    /// `.m1[2]` and what it names; often deeper than one step.
    fn designator(&mut self, shape: &Shape) -> (String, Shape) {
        let (step, inner) = match shape {
            Shape::Scalar(_) => return (String::new(), shape.clone()),
            Shape::Chars(len) => (
                format!("[{}]", self.random.below(*len)),
                Shape::Scalar("char"),
            ),
            Shape::Array(element, len) => {
                let first = self.random.below(*len);
                let last = first + self.random.below(*len - first);
                let step = if self.random.chance(20) {
                    format!("[{first} ... {last}]")
                } else {
                    format!("[{first}]")
                };
                (step, (**element).clone())
            }
            Shape::Record(id) => {
                let len = self.records[*id].members.len() as u64;
                let index = self.random.below(len) as usize;
                (
                    format!(".m{index}"),
                    self.records[*id].members[index].0.clone(),
                )
            }
        };
        if !matches!(inner, Shape::Scalar(_)) && self.random.chance(50) {
            let (rest, innermost) = self.designator(&inner);
            return (step + &rest, innermost);
        }
        (step, inner)
    }

    fn object(&mut self) {
        let mut shape = self.shape(3);
        while matches!(shape, Shape::Scalar(_)) {
            shape = self.shape(3);
        }
        let value = self.initializer(&shape);
        let name = format!("x{}", self.objects.len());
        let declared = match shape {
            // The list itself says how long it is.
            Shape::Array(element, _) if self.random.chance(30) => {
                declare(&element, &format!("{name}[]"))
            }
            shape => declare(&shape, &name),
        };
        self.objects.push(format!("{declared} = {value};"));
    }
}

fn declare(shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Scalar(ty) => format!("{ty} {name}"),
        Shape::Chars(len) => format!("char {name}[{len}]"),
        Shape::Array(element, len) => declare(element, &format!("{name}[{len}]")),
        Shape::Record(id) => format!("T{id} {name}"),
    }
}

/// The bytes a global starts with.
fn bytes(ast: &Ast, global: &Global) -> Vec<u8> {
    let size = ast.types.size_of(global.ty.ty).unwrap();
    let mut bytes = vec![0u8; size as usize];
    for item in &global.init.as_ref().unwrap().items {
        let at = item.offset as usize;
        let e = match &item.value {
            InitValue::String(id) => {
                let room = ast.types.size_of(item.ty).unwrap() as usize;
                let string = &ast.strings[*id].bytes;
                bytes[at..at + room].fill(0);
                let len = string.len().min(room);
                bytes[at..at + len].copy_from_slice(&string[..len]);
                continue;
            }
            InitValue::Expr(e) => e,
        };
        match fold::constant(&ast.types, e).unwrap() {
            ConstValue::Int(value) => {
                let (start, width) = match item.bits {
                    Some(bits) => (usize::from(bits.start), usize::from(bits.width)),
                    None => (0, ast.types.size_of(item.ty).unwrap() as usize * 8),
                };
                for bit in 0..width {
                    let (byte, mask) = (at + (start + bit) / 8, 1 << ((start + bit) % 8));
                    bytes[byte] &= !mask;
                    if value.bits() >> bit & 1 == 1 {
                        bytes[byte] |= mask;
                    }
                }
            }
            ConstValue::Float(value) => match ast.types.get(item.ty) {
                Type::Float(FloatKind::Float) => {
                    bytes[at..at + 4].copy_from_slice(&(value as f32).to_le_bytes());
                }
                _ => bytes[at..at + 8].copy_from_slice(&value.to_le_bytes()),
            },
            ConstValue::Address { .. } => panic!("an address"),
        }
    }
    bytes
}

#[test]
fn agree_with_the_compiler() {
    let count: usize = std::env::var("CAIRN_INITIALIZERS").map_or(300, |n| n.parse().unwrap());
    for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        let mut generator = Generator {
            random: Random(99),
            records: Vec::new(),
            text: String::new(),
            objects: Vec::new(),
        };
        for _ in 0..count {
            generator.object();
        }
        let declarations = format!("{}\n{}\n", generator.text, generator.objects.join("\n"));
        let (ast, errors) = common::parse(declarations.as_bytes(), model);
        let lines: Vec<&str> = declarations.lines().collect();
        let shown: Vec<String> = errors
            .iter()
            .map(|error| {
                let line: usize = error.split(':').next().unwrap().parse().unwrap();
                format!("{error}\n    {}", lines[line - 1])
            })
            .collect();
        assert!(errors.is_empty(), "{}", shown.join("\n"));
        let Some(theirs) = run(&declarations, count, flag) else {
            continue;
        };
        let mut wrong = Vec::new();
        for (global, line) in ast.globals.iter().zip(theirs.lines()) {
            let hex: String = bytes(&ast, global)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            let ours = format!("{} {hex}", global.name);
            if ours != line {
                let index: usize = global.name[1..].parse().unwrap();
                wrong.push(format!(
                    "{}\n  ours   {ours}\n  theirs {line}",
                    generator.objects[index]
                ));
            }
        }
        assert_eq!(theirs.lines().count(), count);
        wrong.sort_by_key(String::len);
        assert!(
            wrong.is_empty(),
            "{flag}: {} differ\n{}\n{}",
            wrong.len(),
            wrong[..wrong.len().min(6)].join("\n"),
            generator.text
        );
    }
}

/// Compiles and runs; `None` if this machine cannot.
fn run(declarations: &str, count: usize, flag: &str) -> Option<String> {
    let mut text = format!("int printf(const char *, ...);\n{declarations}");
    text.push_str(
        "static void show(const char *name, const unsigned char *p, int n) {\n\
         printf(\"%s \", name); while (n--) printf(\"%02x\", *p++); printf(\"\\n\"); }\n\
         int main(void) {\n",
    );
    for index in 0..count {
        writeln!(
            text,
            "show(\"x{index}\", (void *)&x{index}, sizeof x{index});"
        )
        .unwrap();
    }
    text.push_str("return 0; }\n");
    common::compile_and_run("initializers", &text, &["-w", "-O0", flag])
}
