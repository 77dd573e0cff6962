//! Flattened initialisers against the C compiler at hand: random types, random lists, and the
//! bytes that come out.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may")]

mod common;

use cfront::ast::{Ast, ExprKind, Global, InitItem, InitValue};
use cfront::types::DataModel;
use common::Random;
use std::fmt::Write;
use std::process::Command;

/// A type, as far as initialisers care.
#[derive(Clone)]
enum Shape {
    Scalar(&'static str),
    Chars(u64),
    Array(Box<Shape>, u64),
    /// A record: its tag, whether it is a union, and its members.
    Record(String, bool, Vec<Member>),
}

#[derive(Clone)]
struct Member {
    name: String,
    shape: Shape,
    bits: Option<u64>,
}

struct Generator {
    random: Random,
    text: String,
    records: Vec<Shape>,
    names: u64,
}

impl Generator {
    fn scalar(&mut self) -> Shape {
        let names = [
            "char",
            "unsigned char",
            "short",
            "int",
            "unsigned",
            "long",
            "double",
            "_Bool",
        ];
        Shape::Scalar(names[self.random.below(names.len() as u64) as usize])
    }

    fn shape(&mut self, depth: u64) -> Shape {
        match self.random.below(8) {
            0 | 1 if depth > 0 => {
                let length = 1 + self.random.below(3);
                Shape::Array(Box::new(self.shape(depth - 1)), length)
            }
            2 => Shape::Chars(1 + self.random.below(5)),
            3 | 4 if depth > 0 && !self.records.is_empty() => {
                let index = self.random.below(self.records.len() as u64);
                self.records[index as usize].clone()
            }
            _ => self.scalar(),
        }
    }

    /// Defines a new record.
    fn record(&mut self) {
        let is_union = self.random.chance(25);
        let keyword = if is_union { "union" } else { "struct" };
        let tag = format!("{keyword} r{}", self.records.len());
        let mut members = Vec::new();
        let mut text = format!("{tag} {{ ");
        for _ in 0..1 + self.random.below(4) {
            self.names += 1;
            let mut member = Member {
                name: format!("m{}", self.names),
                shape: self.shape(2),
                bits: None,
            };
            if self.random.chance(20) {
                member.shape = Shape::Scalar(if self.random.chance(50) {
                    "int"
                } else {
                    "unsigned"
                });
                member.bits = Some(1 + self.random.below(20));
            }
            let declared = declare(&member.shape, &member.name);
            match member.bits {
                Some(bits) => write!(text, "{declared} : {bits}; ").unwrap(),
                None => write!(text, "{declared}; ").unwrap(),
            }
            members.push(member);
            if self.random.chance(10) {
                text.push_str("int : 3; ");
            }
        }
        writeln!(self.text, "{text}}};").unwrap();
        self.records.push(Shape::Record(tag, is_union, members));
    }

    fn number(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("-{}", self.random.below(100)),
            1 => "'x'".to_owned(),
            2 => format!("(char){}", self.random.below(1000)),
            3 => format!("{} + 1", self.random.below(100_000)),
            _ => self.random.below(300).to_string(),
        }
    }

    fn string(&mut self, room: u64) -> String {
        let length = self.random.below(room + 2).min(room);
        let text: String = (0..length).map(|n| (b'a' + n as u8) as char).collect();
        format!("\"{text}\"")
    }

    /// An initialiser with braces, if the type takes any.
    fn list(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::Scalar(_) => self.number(),
            Shape::Chars(room) if self.random.chance(60) => self.string(*room),
            Shape::Chars(room) => {
                let element = Shape::Scalar("char");
                self.elements(&|_| element.clone(), *room, &|index| format!("[{index}]"))
            }
            Shape::Array(element, count) => {
                self.elements(&|_| (**element).clone(), *count, &|index| {
                    format!("[{index}]")
                })
            }
            Shape::Record(_, is_union, members) => {
                let count = if *is_union { 1 } else { members.len() as u64 };
                if *is_union && self.random.chance(60) {
                    return self.union_list(members);
                }
                let shapes = |index: u64| members[index as usize].shape.clone();
                let names = |index: u64| format!(".{}", members[index as usize].name);
                self.elements(&shapes, count, &names)
            }
        }
    }

    /// A union with one member named, or two, of which the last counts.
    fn union_list(&mut self, members: &[Member]) -> String {
        let mut parts = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let member = &members[self.random.below(members.len() as u64) as usize];
            let value = self.list(&member.shape);
            parts.push(format!(".{} = {value}", member.name));
        }
        format!("{{ {} }}", parts.join(", "))
    }

    fn elements(
        &mut self,
        shape: &dyn Fn(u64) -> Shape,
        count: u64,
        designator: &dyn Fn(u64) -> String,
    ) -> String {
        let mut parts = Vec::new();
        let mut next = 0;
        for _ in 0..self.random.below(count + 3) {
            let mut part = String::new();
            if next >= count || self.random.chance(15) {
                next = self.random.below(count);
                part = format!("{} = ", designator(next));
                if self.random.chance(25)
                    && let Some((path, inner)) = self.inside(&shape(next))
                {
                    // The cursor then stands inside: only a designator leads out for sure.
                    part = format!("{}{path} = {}", designator(next), self.list(&inner));
                    parts.push(part);
                    next = count;
                    continue;
                }
            }
            let element = shape(next);
            // gcc is odd where single characters follow a string in one place.
            if self.random.chance(30) && !has_chars(&element) {
                part.push_str(&self.leaves(&element).join(", "));
            } else {
                part.push_str(&self.list(&element));
            }
            next += 1;
            parts.push(part);
        }
        if parts.is_empty() {
            parts.push(format!("{} = {}", designator(0), self.list(&shape(0))));
        }
        format!("{{ {} }}", parts.join(", "))
    }

    /// A designator of something inside, and what that is.
    fn inside(&mut self, shape: &Shape) -> Option<(String, Shape)> {
        match shape {
            Shape::Scalar(_) | Shape::Chars(_) => None,
            Shape::Array(element, count) => {
                let index = self.random.below(*count);
                Some((format!("[{index}]"), (**element).clone()))
            }
            Shape::Record(_, _, members) => {
                let member = &members[self.random.below(members.len() as u64) as usize];
                Some((format!(".{}", member.name), member.shape.clone()))
            }
        }
    }

    /// All scalars, without braces.
    fn leaves(&mut self, shape: &Shape) -> Vec<String> {
        match shape {
            Shape::Scalar(_) => vec![self.number()],
            Shape::Chars(count) => (0..*count).map(|_| self.number()).collect(),
            Shape::Array(element, count) => {
                (0..*count).flat_map(|_| self.leaves(element)).collect()
            }
            Shape::Record(_, is_union, members) => {
                let count = if *is_union { 1 } else { members.len() };
                members[..count]
                    .iter()
                    .flat_map(|member| self.leaves(&member.shape))
                    .collect()
            }
        }
    }

    fn global(&mut self, index: usize) {
        let shape = self.shape(3);
        let name = format!("g{index}");
        let list = self.list(&shape);
        let declared = match &shape {
            Shape::Array(element, _) if self.random.chance(50) => {
                declare(element, &format!("{name}[]"))
            }
            _ => declare(&shape, &name),
        };
        writeln!(self.text, "{declared} = {list};").unwrap();
    }
}

fn has_chars(shape: &Shape) -> bool {
    match shape {
        Shape::Scalar(_) => false,
        Shape::Chars(_) => true,
        Shape::Array(element, _) => has_chars(element),
        Shape::Record(_, _, members) => members.iter().any(|member| has_chars(&member.shape)),
    }
}

fn declare(shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Scalar(ty) => format!("{ty} {name}"),
        Shape::Chars(count) => format!("char {name}[{count}]"),
        Shape::Array(element, count) => declare(element, &format!("{name}[{count}]")),
        Shape::Record(tag, ..) => format!("{tag} {name}"),
    }
}

/// The bytes of a global.
fn bytes(ast: &Ast, global: &Global) -> Vec<u8> {
    let size = ast.types.size_of(global.ty.ty).unwrap() as usize;
    // Room behind the object shows writes past its end.
    let mut bytes = vec![0; size + 64];
    for item in &global.init.as_ref().unwrap().items {
        put(ast, item, &mut bytes);
    }
    if bytes[size..].iter().all(|&byte| byte == 0) {
        bytes.truncate(size);
    }
    bytes
}

fn put(ast: &Ast, item: &InitItem, bytes: &mut [u8]) {
    let start = item.offset as usize;
    let size = ast.types.size_of(item.ty).unwrap() as usize;
    let value = match &item.value {
        InitValue::String(id) => {
            let text = &ast.strings[*id].bytes;
            for index in 0..size {
                bytes[start + index] = text.get(index).copied().unwrap_or(0);
            }
            return;
        }
        InitValue::Expr(expr) => match expr.kind {
            ExprKind::Int(value) => value.bits(),
            ExprKind::Float(value) => u128::from(value.to_bits()),
            _ => panic!("a static object should be set to constants"),
        },
    };
    let (first, width) = match item.bits {
        Some(bits) => (u32::from(bits.start), u32::from(bits.width)),
        None => (0, size as u32 * 8),
    };
    for bit in 0..width {
        let at = start * 8 + (first + bit) as usize;
        bytes[at / 8] &= !(1 << (at % 8));
        bytes[at / 8] |= ((value >> bit & 1) as u8) << (at % 8);
    }
}

/// What the compiled program prints: one line of bytes a global.
fn theirs(text: &str, count: usize, flag: &str) -> Option<String> {
    let mut program = String::from("#include <stdio.h>\n");
    program.push_str(text);
    program.push_str(
        "static void show(const void *p, unsigned long n) {\n\
         for (unsigned long i = 0; i < n; i++) printf(\"%02x\", ((const unsigned char *)p)[i]);\n\
         printf(\"\\n\"); }\nint main(void) {\n",
    );
    for index in 0..count {
        writeln!(program, "show(&g{index}, sizeof g{index});").unwrap();
    }
    program.push_str("return 0; }\n");
    let dir = std::env::temp_dir().join(format!("cairn-init{flag}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (source, binary) = (dir.join("a.c"), dir.join("a.out"));
    std::fs::write(&source, &program).unwrap();
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-O0", flag, "-o"])
        .args([&binary, &source])
        .output();
    let output = match compiled {
        Ok(output) if output.status.success() => Command::new(&binary).output().ok(),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!said.contains("a.c:"), "{said}");
            eprintln!("skipped: gcc {flag} does not work here: {said}");
            None
        }
        Err(error) => {
            eprintln!("skipped: no gcc: {error}");
            None
        }
    };
    std::fs::remove_dir_all(dir).unwrap();
    output.map(|output| String::from_utf8(output.stdout).unwrap())
}

#[test]
fn agree_with_the_compiler() {
    let count: usize = std::env::var("CAIRN_INITIALIZERS").map_or(400, |n| n.parse().unwrap());
    for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        let mut generator = Generator {
            random: Random(4711),
            text: String::new(),
            records: Vec::new(),
            names: 0,
        };
        for index in 0..count {
            if index % 4 == 0 {
                generator.record();
            }
            generator.global(index);
        }
        let Some(theirs) = theirs(&generator.text, count, flag) else {
            continue;
        };
        let (ast, errors) = common::parse(generator.text.as_bytes(), model);
        assert!(errors.is_empty(), "{errors:?}\n{}", generator.text);
        let mut wrong = Vec::new();
        for (global, theirs) in ast.globals.iter().zip(theirs.lines()) {
            let ours: String = bytes(&ast, global)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            if ours != theirs {
                let start = format!("{}", global.name);
                let line = generator.text.lines().find(|line| {
                    line.contains(&format!(" {start} =")) || line.contains(&format!(" {start}["))
                });
                wrong.push(format!("{line:?}\nours   {ours}\ntheirs {theirs}\n"));
            }
        }
        assert!(
            wrong.is_empty(),
            "{flag}: {} of {count} differ\n{}\n{}",
            wrong.len(),
            wrong[..wrong.len().min(6)].join("\n"),
            generator
                .text
                .lines()
                .filter(|line| line.ends_with("};") && !line.contains('='))
                .collect::<Vec<_>>()
                .join("\n"),
        );
    }
}
