//! The library functions we model: their names and types.

use crate::expr::{FloatType, Type};
use crate::ir::{Library, Program};
use crate::math::Math;
use logic::IntType;

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
/// types, the result first: `v` none, `p` an address, `i` an `int`, `z` a `size_t`, `l` a `long`,
/// `L` a `long long`, `M` an unsigned one; `.` where further arguments may follow.
macro_rules! plain {
    ($($library:ident $name:literal $types:literal;)*) => {
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
    Malloc "malloc" "pz";
    Calloc "calloc" "pzz";
    Realloc "realloc" "ppz";
    Free "free" "vp";
    Alloca "alloca" "pz";
    Memset "memset" "ppiz";
    Memcpy "memcpy" "pppz";
    Memmove "memmove" "pppz";
    Memcmp "memcmp" "ippz";
    Strlen "strlen" "zp";
    Strcmp "strcmp" "ipp";
    Strncmp "strncmp" "ippz";
    Strcpy "strcpy" "ppp";
    Strncpy "strncpy" "pppz";
    Strcat "strcat" "ppp";
    Strchr "strchr" "ppi";
    Strrchr "strrchr" "ppi";
    Strstr "strstr" "ppp";
    Strspn "strspn" "zpp";
    Strcspn "strcspn" "zpp";
    Strpbrk "strpbrk" "ppp";
    Strnlen "strnlen" "zpz";
    Strncat "strncat" "pppz";
    Strcasecmp "strcasecmp" "ipp";
    Strncasecmp "strncasecmp" "ippz";
    Strdup "strdup" "pp";
    Strndup "strndup" "ppz";
    Memchr "memchr" "ppiz";
    Swab "swab" "vppl";
    Atoi "atoi" "ip";
    Atol "atol" "lp";
    Atoll "atoll" "Lp";
    Strtol "strtol" "lppip";
    Strtoll "strtoll" "Lppip";
    Strtoul "strtoul" "zppip";
    Strtoull "strtoull" "Mppip";
    Sprintf "sprintf" "ipp.";
    Snprintf "snprintf" "ipzp.";
    Printf "printf" "ip.";
    Puts "puts" "ip";
    Putchar "putchar" "ii";
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
            Err(Float::Math(math, format)) => math.name(format),
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
        let long_long = |signed| Type::Int(IntType { bits: 64, signed });
        let mut all = types.chars().map(|letter| match letter {
            'p' => Some(Type::Ptr),
            'i' => Some(Type::I32),
            'z' => Some(Type::Int(program.size_type())),
            // `long` is as wide as an address in both data models.
            'l' => Some(Type::Int(program.offset_type())),
            'L' => Some(long_long(true)),
            'M' => Some(long_long(false)),
            _ => None,
        });
        Signature {
            ret: all.next().flatten(),
            params: all.flatten().collect(),
            variadic: types.ends_with('.'),
        }
    }

    /// How C declares it: a letter for the result and each parameter, `v` void, `i` an integer, `d` a
    /// floating number, `p` a pointer; `.` for `...`.
    pub fn declared(self) -> String {
        match plain(self) {
            Ok((_, types)) => types.replace(['z', 'l', 'L', 'M'], "i"),
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
