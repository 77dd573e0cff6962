//! Terms as C: texts as they should be, and random terms against a C compiler.

#[path = "../../../tests/surroundings.rs"]
mod surroundings;

use base::Rng;
use logic::{
    Assignment, IntType, IntValue, Integer, Sort, SymbolId, TermId, TermStore, TermValue, read,
};
use program::c_expr::{Named, Style, condition};
use program::expr::Type;
use std::fmt::Write;
use std::process::Command;
use surroundings::{Needed, skipped};

/// A variable of each type that matters; `b` is a truth value.
const VARS: [(&str, &str, Type); 9] = [
    ("c", "signed char", Type::Int(IntType::signed(8))),
    ("d", "unsigned char", Type::Int(IntType::unsigned(8))),
    ("h", "unsigned short", Type::Int(IntType::unsigned(16))),
    ("i", "int", Type::Int(IntType::I32)),
    ("j", "int", Type::Int(IntType::I32)),
    ("u", "unsigned", Type::Int(IntType::unsigned(32))),
    ("l", "long long", Type::Int(IntType::I64)),
    ("w", "unsigned long long", Type::Int(IntType::unsigned(64))),
    ("b", "_Bool", Type::Bool),
];

fn store() -> (TermStore, Vec<SymbolId>) {
    let mut store = TermStore::new();
    let symbols = VARS.map(|(name, _, ty)| {
        let sort = match ty {
            Type::Bool => Sort::Bool,
            _ => Sort::Int,
        };
        store.new_symbol(name, sort)
    });
    (store, symbols.to_vec())
}

fn written(store: &TermStore, symbols: &[SymbolId], term: TermId, style: Style) -> Option<String> {
    condition(store, term, style, &|symbol| {
        let at = symbols.iter().position(|&known| known == symbol)?;
        let (text, _, ty) = VARS[at];
        let text = text.to_owned();
        Some(Named { text, ty })
    })
}

#[test]
fn short_for_people_and_exact_for_compilers() {
    let cases = [
        ("(<= 0 i)", "0 <= i", "0 <= i"),
        ("(< i j)", "i < j", "i < j"),
        ("(<= i (* 2 j))", "i <= 2 * j", "i <= 2LL * j"),
        ("(= i (* 2 d))", "i == 2 * d", "i == 2 * d"),
        ("(< i u)", "i < u", "i < (long long)u"),
        ("(<= 3 u)", "3 <= u", "3 <= u"),
        ("(< l w)", "l < w", "l < (__int128)w"),
        ("(<= (+ i j) 7)", "i + j <= 7", "(long long)i + j <= 7"),
        ("(= (mod u 4) 0)", "u % 4 == 0", "u % 4 == 0"),
        (
            "(= (mod (- i j) 4) 0)",
            "(i - j) % 4 == 0",
            "((long long)i - j) % 4 == 0",
        ),
        (
            "(= (mod i 3) 2)",
            "(i + 1) % 3 == 0",
            "((long long)i + 1) % 3 == 0",
        ),
        (
            "(<= (div i 2) j)",
            "i / 2 - (i % 2 < 0) <= j",
            "i / 2 - (i % 2 < 0) <= j",
        ),
        (
            "(<= (ite (<= 0 i) (div i 2) (- (div (- i) 2))) j)",
            "i / 2 <= j",
            "i / 2 <= j",
        ),
        (
            "(<= (ite (<= 0 (- i u)) (div (- i u) 7) (- (div (- u i) 7))) j)",
            "(i - u) / 7 <= j",
            "((long long)i - u) / 7 <= j",
        ),
        // Rounded down where it is positive, but not up elsewhere.
        (
            "(<= (ite (<= 0 i) (div i 2) (- (div (- j) 2))) 4)",
            "(0 <= i ? i / 2 - (i % 2 < 0) : -((-j) / 2 - ((-j) % 2 < 0))) <= 4",
            "(0 <= i ? i / 2 - (i % 2 < 0) : -((-((long long)j)) / 2 - ((-((long long)j)) % 2 < 0))) <= 4",
        ),
        (
            "(or b (and (distinct i 5) (not b) (< i 3)))",
            "b || (i != 5 && !b && i <= 2)",
            "b || (i != 5 && !b && i <= 2)",
        ),
        (
            "(<= (- 2147483648) i)",
            "-2147483648 <= i",
            "(-2147483647 - 1) <= i",
        ),
        (
            "(<= l 9223372036854775807)",
            "l <= 9223372036854775807",
            "l <= 9223372036854775807LL",
        ),
        ("(<= (ite b i j) 1)", "(b ? i : j) <= 1", "(b ? i : j) <= 1"),
    ];
    let (mut store, symbols) = store();
    for (text, short, exact) in cases {
        let term = read::term(&mut store, text).expect("a term");
        for (style, expected) in [(Style::Short, short), (Style::Exact, exact)] {
            let shown = written(&store, &symbols, term, style);
            assert_eq!(shown.as_deref(), Some(expected), "{text}");
        }
    }
}

#[test]
fn a_reader_without_wide_types_gets_none() {
    let (mut store, symbols) = store();
    for (text, expected) in [
        ("(<= (+ i j) 1)", Some("(long long)j + i <= 1")),
        ("(<= (+ l i) 1)", None),
        ("(= (mod l 3) 0)", Some("l % 3 == 0")),
    ] {
        let term = read::term(&mut store, text).expect("a term");
        let shown = written(&store, &symbols, term, Style::Exact32);
        assert_eq!(shown.as_deref(), expected, "{text}");
        if expected.is_none() {
            let wide = written(&store, &symbols, term, Style::Exact);
            assert!(wide.is_some_and(|wide| wide.contains("__int128")), "{text}");
        }
    }
}

#[test]
fn refuses_what_c_cannot_say() {
    let (mut store, symbols) = store();
    store.new_function("f", &[Sort::Int], Sort::Int);
    store.new_symbol("unnamed", Sort::Int);
    let wide = format!("(<= (* 1{} i) j)", "0".repeat(40));
    for text in ["(<= (f i) 0)", "(<= unnamed i)", &wide] {
        let term = read::term(&mut store, text).expect("a term");
        assert_eq!(
            written(&store, &symbols, term, Style::Exact),
            None,
            "{text}"
        );
    }
}

/// Random terms over the variables.
struct Terms<'s> {
    store: &'s mut TermStore,
    symbols: &'s [SymbolId],
    rng: Rng,
}

impl Terms<'_> {
    fn constant(&mut self) -> Integer {
        let shift = [2, 4, 8, 16, 31, 32, 33, 40, 62, 63, 64][self.rng.below(11)];
        let near = Integer::power_of_two(shift as u32);
        let offset = Integer::from(self.rng.below(5) as i64 - 2);
        let value = match self.rng.below(3) {
            0 => Integer::from(self.rng.below(9) as i64),
            _ => &near + &offset,
        };
        match self.rng.below(3) {
            0 => -&value,
            _ => value,
        }
    }

    fn number(&mut self, depth: usize) -> TermId {
        match self.rng.below(if depth == 0 { 3 } else { 10 }) {
            0 => {
                let value = self.constant();
                self.store.int(value)
            }
            1 | 2 => {
                let at = self.rng.below(self.symbols.len() - 1);
                self.store.of_symbol(self.symbols[at])
            }
            3 | 4 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                self.store.add(a, b)
            }
            5 => {
                let (a, factor) = (self.number(depth - 1), self.constant());
                self.store.scale(&factor, a)
            }
            kind @ (6 | 7) => {
                let (a, by) = (self.number(depth - 1), self.constant());
                let by = &by.abs() + &Integer::ONE;
                match kind {
                    6 => self.store.div(a, &by),
                    _ => self.store.modulo(a, &by),
                }
            }
            8 => {
                let (a, by) = (self.number(depth - 1), self.constant());
                let by = &by.abs() + &Integer::ONE;
                self.towards_zero(a, &by)
            }
            _ => {
                let condition = self.formula(depth - 1);
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                self.store.ite(condition, a, b)
            }
        }
    }

    /// The quotient as in C.
    fn towards_zero(&mut self, a: TermId, by: &Integer) -> TermId {
        let store = &mut *self.store;
        let (zero, negated) = (store.int(0i64), store.neg(a));
        let (down, up) = (store.div(a, by), store.div(negated, by));
        let (is_positive, up) = (store.le(zero, a), store.neg(up));
        store.ite(is_positive, down, up)
    }

    fn formula(&mut self, depth: usize) -> TermId {
        match self.rng.below(if depth == 0 { 5 } else { 8 }) {
            0 => self.store.of_symbol(self.symbols[VARS.len() - 1]),
            1 => {
                let (a, b) = (self.number(depth), self.number(depth));
                self.store.le(a, b)
            }
            2 => {
                let (a, b) = (self.number(depth), self.number(depth));
                self.store.lt(a, b)
            }
            3 => {
                let (a, b) = (self.number(depth), self.number(depth));
                self.store.eq(a, b)
            }
            4 => {
                let (a, by) = (self.number(depth), self.constant());
                self.store.divides(&(&by.abs() + &Integer::ONE), a)
            }
            5 => {
                let a = self.formula(depth - 1);
                self.store.not(a)
            }
            kind => {
                let parts = [self.formula(depth - 1), self.formula(depth - 1)];
                match kind {
                    6 => self.store.and(&parts),
                    _ => self.store.or(&parts),
                }
            }
        }
    }

    /// A value of a type: one of its ends, near zero, or any.
    fn value(&mut self, ty: IntType) -> IntValue {
        match self.rng.below(4) {
            0 => ty.min(),
            1 => ty.max(),
            2 => IntValue::wrap(ty, self.rng.below(9) as i128 - 4),
            _ => IntValue::wrap(ty, i128::from(self.rng.bits() as i64)),
        }
    }
}

#[test]
fn a_compiler_agrees_about_random_terms() {
    let (mut store, symbols) = store();
    let mut terms = Terms {
        store: &mut store,
        symbols: &symbols,
        rng: Rng::new(11),
    };
    let mut file = String::from("#include <stdio.h>\n");
    let mut main = String::new();
    let mut count = 0;
    for case in 0..800 {
        let term = terms.formula(case % 4);
        if terms.store.as_bool(term).is_some() {
            continue;
        }
        let Some(text) = written(terms.store, &symbols, term, Style::Exact) else {
            continue;
        };
        count += 1;
        let (mut params, mut calls) = (Vec::new(), Vec::new());
        for (name, ty, _) in VARS {
            params.push(format!("{ty} {name}"));
        }
        for _ in 0..8 {
            let mut values = Assignment::default();
            let mut args = Vec::new();
            for (&symbol, (_, ty, kind)) in symbols.iter().zip(VARS) {
                let value = match kind {
                    Type::Int(int) => {
                        let value = terms.value(int);
                        args.push(format!("({ty}){}ULL", value.bits()));
                        TermValue::Int(value.into())
                    }
                    _ => {
                        let value = terms.rng.below(2) == 1;
                        args.push(u8::from(value).to_string());
                        TermValue::Bool(value)
                    }
                };
                values.symbols.insert(symbol, value);
            }
            let expected = terms.store.evaluate_in(term, &values);
            let expected = expected.and_then(|value| value.as_bool()).expect("a value");
            calls.push((args.join(", "), u8::from(expected)));
        }
        let _ = writeln!(
            file,
            "int f{case}({}) {{ return {text}; }}",
            params.join(", ")
        );
        for (args, expected) in calls {
            let _ = writeln!(
                main,
                "if (f{case}({args}) != {expected}) puts(\"f{case}({args}) is not {expected}\");"
            );
        }
    }
    assert!(count > 400, "only {count} terms can be written");
    let _ = write!(file, "int main(void) {{\n{main}return 0; }}\n");
    let stem = std::env::temp_dir().join(format!("cairn-c-expr-{}", std::process::id()));
    let (source, binary) = (stem.with_extension("c"), stem.with_extension("out"));
    std::fs::write(&source, &file).expect("a file can be written");
    let built = Command::new("cc")
        .args([
            "-w",
            "-O0",
            "-fsanitize=undefined",
            "-fno-sanitize-recover=all",
            "-o",
        ])
        .arg(&binary)
        .arg(&source)
        .output();
    let built = match built {
        Ok(built) => built,
        Err(error) => {
            skipped(Needed::Cc, &format!("no C compiler: {error}"));
            return;
        }
    };
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{}: {said}", source.display());
    let run = Command::new(&binary).output().expect("it should start");
    let _ = std::fs::remove_file(&binary);
    let [out, err] = [&run.stdout, &run.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(
        run.status.success() && out.is_empty(),
        "{}: {out}{err}",
        source.display()
    );
    let _ = std::fs::remove_file(&source);
}
