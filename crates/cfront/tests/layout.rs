//! Record layout against the C compiler at hand, on random records.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may")]

mod common;

use base::Span;
use cfront::layout::{FieldSpec, layout};
use cfront::types::{
    ArrayLen, DataModel, Enum, FloatKind, IntKind, QualType, Qualifiers, Record, Type, TypeId,
    Types,
};
use common::Random;
use std::fmt::Write;

/// One random record: its C text, and what we say about it.
struct Case {
    text: String,
    ours: Vec<String>,
    probe: String,
}

struct Generator {
    random: Random,
    types: Types,
    records: Vec<TypeId>,
    small_enum: TypeId,
    cases: Vec<Case>,
}

impl Generator {
    fn new(seed: u64, model: DataModel) -> Self {
        let mut types = Types::new(model);
        let small_enum = types.enums.push(Enum {
            tag: Some("e".into()),
            underlying: Some(IntKind::UInt),
        });
        let small_enum = types.intern(Type::Enum(small_enum));
        Generator {
            random: Random(seed),
            types,
            records: Vec::new(),
            small_enum,
            cases: Vec::new(),
        }
    }

    fn bit_field_type(&mut self) -> TypeId {
        let kinds = match self.types.model {
            DataModel::Ilp32 => 11,
            DataModel::Lp64 => 13,
        };
        match self.random.below(8) {
            0 => self.types.bool(),
            1 => self.small_enum,
            2..=4 => self.types.int_kind(IntKind::UInt),
            _ => {
                let kind = IntKind::ALL[self.random.below(kinds) as usize];
                self.types.int_kind(kind)
            }
        }
    }

    fn member_type(&mut self) -> QualType {
        let ty = match self.random.below(10) {
            0 | 1 if !self.records.is_empty() => {
                self.records[self.random.below(self.records.len() as u64) as usize]
            }
            2 | 3 => {
                let kind = FloatKind::ALL[self.random.below(4) as usize];
                if self.random.chance(20) && kind != FloatKind::Float128 {
                    self.types.complex_kind(kind)
                } else {
                    self.types.float_kind(kind)
                }
            }
            4 => {
                let char = self.types.char();
                self.types.pointer_to(char.into())
            }
            5 => {
                let element = self.bit_field_type();
                let len = ArrayLen::Known(self.random.below(4));
                self.types.array_of(element.into(), len)
            }
            _ => self.bit_field_type(),
        };
        let scalar = self.types.is_integer(ty) || self.types.is_floating(ty);
        // gcc -m32 forgets the alignment of an 8-byte record around an 8-byte atomic; we do not.
        let sure = self.types.model == DataModel::Lp64;
        let quals = if scalar && sure && self.random.chance(5) {
            Qualifiers::ATOMIC
        } else {
            Qualifiers::NONE
        };
        QualType { ty, quals }
    }

    fn field(&mut self, index: usize) -> FieldSpec {
        let name = Some(format!("f{index}").into());
        let align = self.random.chance(8).then(|| 1 << self.random.below(5));
        let packed = self.random.chance(8);
        let mut field = FieldSpec {
            name,
            ty: self.types.int().into(),
            bit_width: None,
            type_align: None,
            align,
            packed,
        };
        if self.random.chance(55) {
            let ty = self.bit_field_type();
            let bits = u64::from(self.types.scalar_int(ty).unwrap().bits);
            field.ty = ty.into();
            field.bit_width = Some(match self.random.below(10) {
                0 => 0,
                1 => bits,
                _ => 1 + self.random.below(bits),
            } as u32);
            if field.bit_width == Some(0) || self.random.chance(10) {
                field.name = None;
            }
        } else {
            field.ty = self.member_type();
        }
        field
    }

    fn declaration(&self, field: &FieldSpec) -> String {
        let name = field.name.as_deref().unwrap_or("");
        let mut text = self.types.declare(field.ty, name);
        if let Some(width) = field.bit_width {
            write!(text, " : {width}").unwrap();
        }
        if let Some(align) = field.align {
            write!(text, " __attribute__((aligned({align})))").unwrap();
        }
        if field.packed {
            text.push_str(" __attribute__((packed))");
        }
        text
    }

    fn record(&mut self) {
        let id = self.cases.len();
        let is_union = self.random.chance(20);
        let count = 1 + self.random.below(7) as usize;
        let mut fields: Vec<FieldSpec> = (0..count).map(|index| self.field(index)).collect();
        if fields.iter().all(|field| field.name.is_none()) {
            let first = fields.first_mut().unwrap();
            (first.name, first.bit_width) = (Some("f0".into()), None);
        }
        if !is_union && self.random.chance(10) {
            let double = self.types.double();
            let flexible = self.types.array_of(double.into(), ArrayLen::Unknown);
            let mut last = self.field(count);
            (last.name, last.ty, last.bit_width) = (Some("last".into()), flexible.into(), None);
            fields.push(last);
        }
        let packed = self.random.chance(15);
        let limit = self.random.chance(15).then(|| 1 << self.random.below(5));
        let align = self.random.chance(10).then(|| 1 << self.random.below(6));
        let body = layout(&self.types, is_union, &fields, packed, limit, align).unwrap();

        let keyword = if is_union { "union" } else { "struct" };
        let tag = format!("{keyword} r{id}");
        let mut text = String::new();
        if let Some(limit) = limit {
            writeln!(text, "#pragma pack(push, {limit})").unwrap();
        }
        writeln!(text, "{tag} {{").unwrap();
        for field in &fields {
            writeln!(text, "  {};", self.declaration(field)).unwrap();
        }
        text.push('}');
        if packed {
            text.push_str(" __attribute__((packed))");
        }
        if let Some(align) = align {
            write!(text, " __attribute__((aligned({align})))").unwrap();
        }
        text.push_str(";\n");
        if limit.is_some() {
            text.push_str("#pragma pack(pop)\n");
        }

        let mut probe = format!(
            "  {{ static union {{ {tag} r; unsigned char bytes[sizeof({tag}) + 64]; }} u;\n    \
             printf(\"r{id} %d %d\\n\", (int)sizeof({tag}), (int)_Alignof({tag}));\n"
        );
        let mut ours = vec![format!("r{id} {} {}", body.size, body.align)];
        for field in &body.fields {
            let name = field.name.as_deref().unwrap();
            match field.bits {
                None => {
                    let print =
                        format!("printf(\"r{id}.{name} %d\\n\", (int)offsetof({tag}, {name}));");
                    writeln!(probe, "    {print}").unwrap();
                    ours.push(format!("r{id}.{name} {}", field.offset));
                }
                Some(bits) => {
                    let all = if self.types.is_bool(field.ty.ty) {
                        "1"
                    } else {
                        "-1"
                    };
                    writeln!(
                        probe,
                        "    memset(&u, 0, sizeof u); u.r.{name} = {all}; \
                         bits(\"r{id}.{name}\", u.bytes, sizeof u);"
                    )
                    .unwrap();
                    let start = field.offset * 8 + u64::from(bits.start);
                    ours.push(format!("r{id}.{name} {start} {}", bits.width));
                }
            }
        }
        probe.push_str("  }\n");
        self.cases.push(Case { text, ours, probe });

        let flexible = fields
            .last()
            .is_some_and(|field| field.name.as_deref() == Some("last"));
        let record = self.types.records.push(Record {
            tag: Some(format!("r{id}").into()),
            is_union,
            span: Span::NONE,
            body: Some(body),
        });
        let record = self.types.intern(Type::Record(record));
        // A record that ends in a flexible array does not belong in another.
        if !flexible {
            self.records.push(record);
        }
    }

    fn program(&self) -> String {
        let mut text = String::from(
            "#include <stdio.h>\n#include <stddef.h>\n#include <string.h>\n\
             enum e { A, B, C };\n\
             static void bits(const char *name, unsigned char *bytes, int size) {\n\
               int first = -1, count = 0;\n\
               for (int i = 0; i < size * 8; i++)\n\
                 if (bytes[i / 8] >> i % 8 & 1) { if (first < 0) first = i; count++; }\n\
               printf(\"%s %d %d\\n\", name, first, count);\n}\n",
        );
        for case in &self.cases {
            text.push_str(&case.text);
        }
        for (index, case) in self.cases.iter().enumerate() {
            writeln!(text, "static void probe{index}(void) {{\n{}}}", case.probe).unwrap();
        }
        text.push_str("int main(void) {\n");
        for index in 0..self.cases.len() {
            writeln!(text, "  probe{index}();").unwrap();
        }
        text.push_str("  return 0;\n}\n");
        text
    }
}

#[test]
fn agrees_with_the_compiler() {
    let count: usize = std::env::var("CAIRN_LAYOUTS").map_or(400, |n| n.parse().unwrap());
    for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        let mut generator = Generator::new(20260, model);
        for _ in 0..count {
            generator.record();
        }
        let Some(theirs) =
            common::compile_and_run("layout", &generator.program(), &["-w", "-O0", flag])
        else {
            continue;
        };
        let mut lines = theirs.lines();
        let mut wrong = Vec::new();
        for case in &generator.cases {
            let theirs: Vec<&str> = lines.by_ref().take(case.ours.len()).collect();
            if case.ours != theirs {
                wrong.push(format!(
                    "{}ours   {:?}\ntheirs {theirs:?}\n",
                    case.text, case.ours
                ));
            }
        }
        assert!(
            wrong.is_empty(),
            "{flag}: {} of {count} differ\n{}",
            wrong.len(),
            wrong[..wrong.len().min(6)].join("\n")
        );
    }
}
