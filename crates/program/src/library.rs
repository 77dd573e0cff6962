//! The library functions we model: their names and types.

use crate::expr::{FloatType, Type};
use crate::ir::Program;
use crate::math::Math;

/// What a library function takes and returns.
#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    /// The types of its arguments.
    pub params: Vec<Type>,
    /// Whether further arguments may follow.
    pub variadic: bool,
    /// What it returns.
    pub ret: Option<Type>,
}

/// Defines the functions on other things than floating-point numbers: their names in C and their
/// types, the result first: `v` none, `p` an address, `i` an `int`, `z` a `size_t`; `.` where
/// further arguments may follow.
macro_rules! plain {
    ($($(#[$doc:meta])* $library:ident $name:literal $types:literal;)*) => {
        /// Library functions with a meaning of their own.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Library {
            $($(#[$doc])* $library,)*
            /// `(number, address of an i32) -> fraction`.
            Frexp(FloatType),
            /// `(number, address of a number) -> fraction`.
            Modf(FloatType),
            /// A function on numbers.
            Math(Math, FloatType),
        }

        const PLAIN: &[Library] = &[$(Library::$library,)*];

        fn plain(library: Library) -> Result<(&'static str, &'static str), Float> {
            match library {
                $(Library::$library => Ok(($name, $types)),)*
                Library::Frexp(format) => Err(Float::Frexp(format)),
                Library::Modf(format) => Err(Float::Modf(format)),
                Library::Math(math, format) => Err(Float::Math(math, format)),
            }
        }
    };
}

plain! {
    /// `(size) -> address`: a new heap object, bytes indeterminate; never null.
    Malloc "malloc" "pz";
    /// `(count, size) -> address`: a new heap object, zero; never null.
    Calloc "calloc" "pzz";
    /// `(address, size) -> address`: a new heap object in the place of another; null only if the size
    /// is zero.
    Realloc "realloc" "ppz";
    /// `(address)`: ends a heap object; null is fine.
    Free "free" "vp";
    /// `(size) -> address`: an object that dies at the return of the procedure.
    Alloca "alloca" "pz";
    /// `(to, byte, count) -> to`; the byte is an `i32`, as in C.
    Memset "memset" "ppiz";
    /// `(to, from, count) -> to`, no overlap.
    Memcpy "memcpy" "pppz";
    /// `(to, from, count) -> to`.
    Memmove "memmove" "pppz";
    /// `(a, b, count) -> i32`.
    Memcmp "memcmp" "ippz";
    /// `(text) -> size`.
    Strlen "strlen" "zp";
    /// `(a, b) -> i32`.
    Strcmp "strcmp" "ipp";
    /// `(a, b, count) -> i32`.
    Strncmp "strncmp" "ippz";
    /// `(to, from) -> to`.
    Strcpy "strcpy" "ppp";
    /// `(to, from, count) -> to`.
    Strncpy "strncpy" "pppz";
    /// `(to, from) -> to`.
    Strcat "strcat" "ppp";
    /// `(text, byte) -> address or null`.
    Strchr "strchr" "ppi";
    /// `(to, format, …varargs) -> i32`.
    Sprintf "sprintf" "ipp.";
    /// `(to, size, format, …varargs) -> i32`.
    Snprintf "snprintf" "ipzp.";
    /// `(format, …varargs) -> i32`: prints.
    Printf "printf" "ip.";
    /// `(text) -> i32`: prints a line.
    Puts "puts" "ip";
    /// `(byte) -> i32`: prints a byte.
    Putchar "putchar" "ii";
    /// `() -> i32`: whether every living heap object can be reached, from a variable of the program
    /// or of an active procedure or from another object, by addresses. No function of C.
    Tracked "$tracked" "i";
    /// `() -> i32`: whether no heap object lives. No function of C.
    Cleaned "$cleaned" "i";
}

/// The functions on floating-point numbers.
enum Float {
    Frexp(FloatType),
    Modf(FloatType),
    Math(Math, FloatType),
}

impl Library {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Library> {
        let formats = [FloatType::F32, FloatType::F64];
        let math = Math::ALL.iter();
        let math = math.flat_map(move |&math| formats.map(|format| Library::Math(math, format)));
        let parts = formats.into_iter();
        let parts = parts.flat_map(|format| [Library::Frexp(format), Library::Modf(format)]);
        let plain = PLAIN.iter().copied();
        plain.chain(parts).chain(math)
    }

    /// Its name in C.
    pub fn name(self) -> &'static str {
        match plain(self) {
            Ok((name, _)) => name,
            Err(Float::Frexp(FloatType::F32)) => "frexpf",
            Err(Float::Frexp(FloatType::F64)) => "frexp",
            Err(Float::Modf(FloatType::F32)) => "modff",
            Err(Float::Modf(FloatType::F64)) => "modf",
            Err(Float::Math(math, format)) => math.name_on(format),
        }
    }

    /// The function of that name.
    pub fn by_name(name: &str) -> Option<Library> {
        Library::all().find(|library| library.name() == name)
    }

    /// Its types in a program.
    pub fn signature(self, program: &Program) -> Signature {
        let types = match plain(self) {
            Ok((_, types)) => types,
            Err(Float::Frexp(format) | Float::Modf(format)) => {
                let number = Type::Float(format);
                return Signature::new(vec![number, Type::Ptr], number);
            }
            Err(Float::Math(math, format)) => {
                let params = vec![Type::Float(format); math.operands()];
                return Signature::new(params, math.result(format));
            }
        };
        let mut all = types.chars().map(|letter| match letter {
            'p' => Some(Type::Ptr),
            'i' => Some(Type::I32),
            'z' => Some(Type::Int(program.size_type())),
            _ => None,
        });
        Signature {
            ret: all.next().flatten(),
            params: all.flatten().collect(),
            variadic: types.ends_with('.'),
        }
    }

    /// How C declares it: a letter for the result and each parameter, `v` void, `i` an integer, `d`
    /// a floating number, `p` a pointer; `.` for `...`.
    pub fn declared(self) -> String {
        match plain(self) {
            Ok((_, types)) => types.replace('z', "i"),
            Err(Float::Frexp(_) | Float::Modf(_)) => "ddp".to_owned(),
            Err(Float::Math(math, format)) => {
                let ret = if math.result(format) == Type::I32 {
                    "i"
                } else {
                    "d"
                };
                ret.to_owned() + &"d".repeat(math.operands())
            }
        }
    }
}

impl Signature {
    fn new(params: Vec<Type>, ret: Type) -> Signature {
        Signature {
            params,
            variadic: false,
            ret: Some(ret),
        }
    }
}
