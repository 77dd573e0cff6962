//! What the C library has behind our back: `errno`, the tables of `<ctype.h>`, where `strtok` is.
//!
//! With glibc's headers `isdigit(c)` is a look-up in a table that a function returns. The tables
//! here are those of the "C" locale.

use super::Context;
use super::external::External;
use super::procedure::Lowering;
use program::expr::Expr;
use program::ir::*;

/// Tables have entries for -128 to 255.
const FIRST: i32 = -128;
const ENTRIES: i32 = 384;

/// What a function returns the address of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Hidden {
    /// `errno`.
    Errno,
    /// The classes of each character, 16 bits each.
    Classes,
    /// The lower-case character of each, 32 bits each.
    Lower,
    /// The upper-case character of each, 32 bits each.
    Upper,
    /// The name of the locale.
    Locale,
    /// What `strtok` goes on with.
    Token,
    /// A byte for each label of a function.
    Labels,
}

impl Lowering<'_, '_> {
    /// The address of a hidden object.
    pub(super) fn hidden(&mut self, hidden: Hidden, call: &External<'_>) -> Option<Expr> {
        let object = self.cx.hidden_object(hidden);
        call.want
            .then(|| self.converted(Expr::Object(object), self.cx.passed_as(call.ret)))
    }
}

impl Context<'_> {
    /// The address of `errno`, if the program looks at it.
    pub(super) fn errno(&mut self) -> Option<Expr> {
        let is_used = self.uses_errno();
        is_used.then(|| Expr::Object(self.hidden_object(Hidden::Errno)))
    }

    pub(super) fn hidden_object(&mut self, hidden: Hidden) -> ObjectId {
        if let Some(&object) = self.hidden.get(&hidden) {
            return object;
        }
        let object = match hidden {
            Hidden::Errno => self.global_bytes("errno", vec![0; 4], 4),
            Hidden::Locale => self.global_bytes("$locale", b"C\0".to_vec(), 1),
            Hidden::Token => {
                let word = usize::from(self.program.pointer_bytes);
                self.global_bytes("$token", vec![0; word], word as u64)
            }
            Hidden::Labels => {
                let bodies = self.ast.functions.iter();
                let bodies = bodies.filter_map(|function| function.body.as_ref());
                let most = bodies.map(|body| body.labels.len()).max().unwrap_or(0);
                self.global_bytes("$labels", vec![0; most.max(1)], 1)
            }
            Hidden::Classes => self.table("$classes", 2, |c| i32::from(classes(c))),
            Hidden::Lower => self.table("$lower", 4, |c| match c {
                65..=90 => c + 32,
                c => c,
            }),
            Hidden::Upper => self.table("$upper", 4, |c| match c {
                97..=122 => c - 32,
                c => c,
            }),
        };
        self.hidden.insert(hidden, object);
        object
    }

    /// An object that holds the address of the entry for 0 of a table.
    fn table(&mut self, name: &str, width: usize, entry: impl Fn(i32) -> i32) -> ObjectId {
        let characters = FIRST..FIRST + ENTRIES;
        let bytes = characters.flat_map(|c| entry(c).to_le_bytes()[..width].to_vec());
        let bytes: Vec<u8> = bytes.collect();
        let table = self.constant_bytes(name, bytes, width as u64);
        let word = usize::from(self.program.pointer_bytes);
        let holder = self.global_bytes(name, vec![0; word], word as u64);
        let address = Address {
            base: AddressBase::Object(table),
            offset: i64::from(-FIRST) * width as i64,
        };
        self.program.objects[holder]
            .init
            .addresses
            .push((0, address));
        holder
    }
}

/// The classes of a character, as glibc numbers them on a little-endian machine.
fn classes(c: i32) -> u16 {
    let Ok(c) = u8::try_from(c) else {
        return 0;
    };
    let table: [(bool, u16); 12] = [
        (c.is_ascii_uppercase(), 0x0100),
        (c.is_ascii_lowercase(), 0x0200),
        (c.is_ascii_alphabetic(), 0x0400),
        (c.is_ascii_digit(), 0x0800),
        (c.is_ascii_hexdigit(), 0x1000),
        (matches!(c, b' ' | b'\t'..=b'\r'), 0x2000),
        (c.is_ascii_graphic() || c == b' ', 0x4000),
        (c.is_ascii_graphic(), 0x8000),
        (matches!(c, b' ' | b'\t'), 0x0001),
        (c.is_ascii_control(), 0x0002),
        (c.is_ascii_punctuation(), 0x0004),
        (c.is_ascii_alphanumeric(), 0x0008),
    ];
    table
        .iter()
        .filter(|(holds, _)| *holds)
        .fold(0, |all, (_, bit)| all | bit)
}
