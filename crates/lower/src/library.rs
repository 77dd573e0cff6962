//! Functions that we know by name.

use super::Context;
use super::ctype::Hidden;
use super::table::{
    INEXACT_BINARY, INEXACT_UNARY, INTRINSICS, MODELLED, REFUSED, Row, SAME_MATH, VERIFIERS,
};
use cfront::ast::{Ast, Function, FunctionId};
use cfront::types::{QualType, Type as CType, TypeId};
use program::expr::FloatType;
use program::ir::Library;
use program::math::Math;
use std::borrow::Cow;

/// What we know about a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Any value of the declared type: an input.
    Nondet,
    /// 0 or 1: an input.
    NondetBool,
    /// `(address, count)`: any bytes.
    NondetMemory,
    /// Calling it is the error.
    ReachError,
    /// An assertion has failed; the index of the argument that says which.
    AssertFail(Option<usize>),
    /// `(condition, …)`: the condition must hold; the index of the argument that says which.
    Assert(Option<usize>),
    /// `(condition)`: it must not hold.
    AssertNot,
    /// `(condition, condition)`: where the first holds, the second must.
    AssertIf,
    /// `(condition)`: runs where it does not hold do not count.
    Assume,
    /// `(address, size)`: whether so many bytes may be read, or also written.
    Valid {
        /// Also written.
        write: bool,
    },
    /// `(size, zero) -> address`: a new heap object.
    Allocate,
    /// `(address)`, or an array: any value for the object there.
    HavocObject,
    /// Ends the run.
    Abort,
    /// `(status)`: runs the handlers and ends the run.
    Exit,
    /// `(status)`: ends the run.
    ExitNow,
    /// `(handler)`: has it run at the end.
    AtExit,
    /// `(base, count, size, comparison)`: sorts an array.
    Sort,
    /// `(key, base, count, size, comparison)`: finds an element of an array.
    Search,
    /// A library function of the IR with the same arguments.
    Same(Library),
    /// A function that is written in C, with the same arguments.
    Written(&'static str),
    /// The same, where the program does not look at `errno`, which it may set.
    WrittenMath(&'static str),
    /// `(complex number)`: a part of it, or its conjugate.
    ComplexPart(&'static str),
    /// `(text, set)`: the next token of the text that was given last.
    Strtok,
    /// `(number, number)`: a record of the quotient and the remainder.
    Divided(&'static str),
    /// `(text, end, base)`: one that also sets `errno`.
    Strtol(&'static str),
    /// Any number, in functions that are written in C.
    AnyNumber,
    /// `(number) -> integer`: rounded by this function.
    ToInt(Math),
    /// `(address, count)`: sets bytes to zero.
    ZeroBytes,
    /// `(stream, format, …)`
    Fprintf,
    /// `(…, list)`: what the function of the IR prints of further arguments.
    PrintList(Library),
    /// `(stream, format, list)`
    Vfprintf,
    /// `(byte, stream)`
    Putc,
    /// `(text, stream)`
    Fputs,
    /// The absolute value.
    Abs,
    /// Zero or more, any value: `rand`.
    Rand,
    /// A byte or -1, any.
    Getchar,
    /// `(to, size, stream)`: a line, or null.
    Fgets,
    /// `(file, to, count)`: any bytes, not more than that.
    Read,
    /// `(to, size, count, stream)`: any bytes.
    Fread,
    /// The index of the format: any values.
    Scanf(usize),
    /// `(address or null)`: any time, also stored there.
    Time,
    /// Stores seconds and parts of a second: at which argument, and how many a second has.
    Clock(usize, u32),
    /// Depends on the system and changes nothing of the program's.
    Any(Returns),
    /// Null, or a new stream.
    Opened,
    /// Null, or an address of something that we do not model.
    NullOrMore,
    /// `(category, name)`: that of the "C" locale.
    Locale,
    /// `(mode)`: to nearest is how it is.
    SetRounding,
    /// The mode of rounding: to nearest.
    ToNearest,
    /// A test of an ASCII character: it is in one of these ranges.
    InRanges(&'static [(u8, u8)]),
    /// `toupper`, `tolower`: adds the number if the byte is in the range.
    Shifted((u8, u8), i32),
    /// The address of something hidden in the C library.
    Hidden(Hidden),
    /// Does nothing that we see, and returns zero.
    Nothing,
    /// Does something that we do not model.
    Unsupported(&'static str),
}

/// The values a function may return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Returns {
    /// Any of its type.
    Any,
    /// Zero or -1.
    Status,
    /// None below zero.
    Natural,
    /// -1, or from zero to the value of that argument.
    UpTo(usize),
}

/// What we know about a function by its name and its declaration.
pub(super) fn known(ast: &Ast, function: FunctionId) -> Option<Known> {
    let row = &ast.functions[function];
    let mut named = by_name(&row.name);
    if let Some((_, Known::Nondet)) = named
        && !row.name.starts_with("__")
        && takes_addresses(ast, row)
    {
        // An input takes nothing to write to.
        named = None;
    }
    match named {
        Some((declared, known)) if fits(ast, row, &declared) => Some(known),
        _ if row.system => Some(Known::Unsupported(
            "a library function that is not modelled",
        )),
        Some(_) | None => None,
    }
}

/// Whether a name belongs to a verifier, ours or another.
pub(super) fn is_verifiers(name: &str) -> bool {
    in_table(VERIFIERS, name).is_some()
        || is_nondet(name)
        || INTRINSICS.iter().any(|start| name.starts_with(start))
}

/// How a function is declared, as in the table, and what it does.
type Found = (Cow<'static, str>, Known);

/// How a function of that name is declared, and what it does.
fn by_name(name: &str) -> Option<Found> {
    if let Some(found) = in_table(VERIFIERS, name) {
        return Some(found);
    }
    if is_nondet(name) {
        return Some(("".into(), Known::Nondet));
    }
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let found = in_table(MODELLED, plain)
        .or_else(|| of_ir(plain))
        .or_else(|| refused(plain))
        .or_else(|| inexact(plain));
    if found.is_some() {
        return found;
    }
    let reason = if ["pthread_", "sem_", "thrd_", "mtx_", "cnd_"]
        .iter()
        .any(|start| plain.starts_with(start))
    {
        "threads"
    } else if plain.starts_with("__sync_") || plain.starts_with("__atomic_") {
        "atomic operations"
    } else if name.starts_with("__builtin_") {
        "a builtin of the compiler"
    } else if INTRINSICS.iter().any(|start| plain.starts_with(start)) {
        "an intrinsic that is not modelled"
    } else if is_wide(plain) {
        "wide characters"
    } else {
        return None;
    };
    Some(("".into(), Known::Unsupported(reason)))
}

fn in_table(table: &[Row], name: &str) -> Option<Found> {
    let row = table.iter().find(|(names, ..)| has(names, name));
    row.map(|&(_, declared, known)| (declared.into(), known))
}

fn refused(name: &str) -> Option<Found> {
    REFUSED.iter().find_map(|&(reason, names)| {
        let mut rows = names.split_whitespace();
        let row = rows.find(|row| row.split(':').next() == Some(name))?;
        let declared = row.split(':').nth(1).unwrap_or("");
        Some((declared.into(), Known::Unsupported(reason)))
    })
}

fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// Inputs, in the words of several verifiers.
fn is_nondet(name: &str) -> bool {
    let starts = [
        "__VERIFIER_nondet_",
        "__CPROVER_nondet",
        "nondet",
        "nd_",
        "sea_nd_",
    ];
    starts.iter().any(|start| name.starts_with(start))
}

/// Functions on wide characters whose names start otherwise.
const WIDE: &str = "mblen mbrlen mbtowc mbrtowc wctomb wcrtomb wctob btowc fwprintf swprintf fwscanf swscanf \
    getwc getwchar fgetwc fgetws putwc putwchar fputwc fputws ungetwc";

fn is_wide(name: &str) -> bool {
    let wide = ["wcs", "wmem", "mbs", "isw", "tow", "wprintf", "wscanf"];
    wide.iter().any(|start| name.starts_with(start)) || has(WIDE, name)
}

/// Functions that the IR has: under their own names, or on numbers.
fn of_ir(name: &str) -> Option<Found> {
    match Library::by_name(name) {
        Some(library) => Some(same(library)),
        None => math(name),
    }
}

fn same(library: Library) -> Found {
    (library.declared().into(), Known::Same(library))
}

/// Other names of functions on numbers whose value is exact.
fn math(name: &str) -> Option<Found> {
    let exact = |math: Math, format| same(Library::Math(math, format));
    let same = |name: &str| SAME_MATH.iter().find(|(same, _)| *same == name);
    if let Some(&(_, math)) = same(name) {
        return Some(exact(math, FloatType::F64));
    }
    let single = name.strip_suffix('f').or(name.strip_suffix('d'));
    let format = match name.ends_with('f') {
        true => FloatType::F32,
        false => FloatType::F64,
    };
    same(single?).map(|&(_, math)| exact(math, format))
}

/// Functions on numbers whose value is not.
fn inexact(name: &str) -> Option<Found> {
    let reason = Known::Unsupported("this function on numbers");
    let stems = [Some(name), name.strip_suffix('f'), name.strip_suffix('l')];
    for stem in stems.into_iter().flatten() {
        if has(INEXACT_UNARY, stem) {
            return Some(("dd".into(), reason));
        }
        if has(INEXACT_BINARY, stem) {
            return Some(("ddd".into(), reason));
        }
    }
    let long = name.strip_suffix('l')?;
    let exact = of_ir(long).filter(|(declared, _)| declared.contains('d'))?;
    Some((exact.0, Known::Unsupported("arithmetic on `long double`")))
}

/// Whether a function is declared as the one we know is. One that is not declared with its
/// parameters is taken for it.
fn fits(ast: &Ast, row: &Function, declared: &str) -> bool {
    let CType::Function(ty) = ast.types.get(row.ty) else {
        return false;
    };
    let mut letters = declared.chars();
    let Some(ret) = letters.next() else {
        return true;
    };
    if row.implicit {
        return true;
    }
    let is = |ty: TypeId, letter: char| letter == letter_of(ast, ty);
    if !is(ty.ret.ty, ret) {
        return false;
    }
    if !ty.prototype {
        return true;
    }
    let params = letters.as_str().trim_end_matches('.');
    ty.variadic == declared.ends_with('.')
        && ty.params.len() == params.len()
        && (ty.params.iter().zip(params.chars())).all(|(param, letter)| is(param.ty, letter))
}

fn takes_addresses(ast: &Ast, row: &Function) -> bool {
    let is_address = |param: &QualType| letter_of(ast, param.ty) == 'p';
    let ty = ast.types.function(row.ty);
    ty.is_some_and(|ty| ty.params.iter().any(is_address))
}

fn letter_of(ast: &Ast, ty: TypeId) -> char {
    use CType::*;
    match ast.types.get(ty) {
        Void => 'v',
        Bool | Int(_) | Enum(_) => 'i',
        Float(_) => 'd',
        Pointer(_) => 'p',
        Complex(_) | Array(..) | Record(_) | VaList | Function(_) => '?',
    }
}

impl Context<'_> {
    /// Whether the program looks at `errno`.
    pub(super) fn uses_errno(&self) -> bool {
        let mut functions = self.ast.functions.iter();
        functions.any(|row| &*row.name == "__errno_location")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_twice() {
        let mut seen = std::collections::BTreeSet::new();
        let known = VERIFIERS.iter().chain(MODELLED).map(|(names, ..)| *names);
        for names in known.chain(REFUSED.iter().map(|(_, names)| *names)) {
            for row in names.split_whitespace() {
                let name = row.split(':').next().unwrap_or(row);
                assert!(seen.insert(name), "{name}");
                let of_ir = of_ir(name).is_some_and(|(declared, _)| declared.contains('d'));
                let is_math = of_ir || inexact(name).is_some();
                assert!(!is_math || refused(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn names_have_their_meaning() {
        let cases = [
            (
                "fabsf",
                Some(Known::Same(Library::Math(Math::Fabs, FloatType::F32))),
            ),
            (
                "__isnanf",
                Some(Known::Same(Library::Math(Math::Isnan, FloatType::F32))),
            ),
            (
                "__CPROVER_isnand",
                Some(Known::Same(Library::Math(Math::Isnan, FloatType::F64))),
            ),
            ("nondet_int", Some(Known::Nondet)),
            ("nd_uint", Some(Known::Nondet)),
            ("__builtin_memcpy", Some(Known::Same(Library::Memcpy))),
            ("sinf", Some(Known::Unsupported("this function on numbers"))),
            (
                "floorl",
                Some(Known::Unsupported("arithmetic on `long double`")),
            ),
            (
                "__CPROVER_havoc_slice",
                Some(Known::Unsupported("an intrinsic that is not modelled")),
            ),
            (
                "__builtin_subc",
                Some(Known::Unsupported("a builtin of the compiler")),
            ),
            ("frobnicate", None),
        ];
        for (name, expected) in cases {
            assert_eq!(by_name(name).map(|(_, known)| known), expected, "{name}");
        }
    }
}
