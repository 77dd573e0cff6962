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

/// All but the functions on numbers.
const PLAIN: [Library; 45] = [
    Library::Malloc,
    Library::Calloc,
    Library::Realloc,
    Library::Free,
    Library::Alloca,
    Library::Memset,
    Library::Memcpy,
    Library::Memmove,
    Library::Memcmp,
    Library::Strlen,
    Library::Strcmp,
    Library::Strncmp,
    Library::Strcpy,
    Library::Strncpy,
    Library::Strcat,
    Library::Strchr,
    Library::Strrchr,
    Library::Strstr,
    Library::Strspn,
    Library::Strcspn,
    Library::Strpbrk,
    Library::Strnlen,
    Library::Strncat,
    Library::Strcasecmp,
    Library::Strncasecmp,
    Library::Strdup,
    Library::Strndup,
    Library::Memchr,
    Library::Swab,
    Library::Atoi,
    Library::Atol,
    Library::Atoll,
    Library::Strtol,
    Library::Strtoll,
    Library::Strtoul,
    Library::Strtoull,
    Library::Sprintf,
    Library::Snprintf,
    Library::Frexp(FloatType::F32),
    Library::Frexp(FloatType::F64),
    Library::Modf(FloatType::F32),
    Library::Modf(FloatType::F64),
    Library::Printf,
    Library::Puts,
    Library::Putchar,
];

impl Library {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Library> {
        let formats = [FloatType::F32, FloatType::F64];
        let math = Math::ALL.into_iter();
        let math = math.flat_map(move |math| formats.map(|format| Library::Math(math, format)));
        PLAIN.into_iter().chain(math)
    }

    /// Its name in C.
    pub fn name(self) -> &'static str {
        match self {
            Library::Malloc => "malloc",
            Library::Calloc => "calloc",
            Library::Realloc => "realloc",
            Library::Free => "free",
            Library::Alloca => "alloca",
            Library::Memset => "memset",
            Library::Memcpy => "memcpy",
            Library::Memmove => "memmove",
            Library::Memcmp => "memcmp",
            Library::Strlen => "strlen",
            Library::Strcmp => "strcmp",
            Library::Strncmp => "strncmp",
            Library::Strcpy => "strcpy",
            Library::Strncpy => "strncpy",
            Library::Strcat => "strcat",
            Library::Strchr => "strchr",
            Library::Strrchr => "strrchr",
            Library::Strstr => "strstr",
            Library::Strspn => "strspn",
            Library::Strcspn => "strcspn",
            Library::Strpbrk => "strpbrk",
            Library::Strnlen => "strnlen",
            Library::Strncat => "strncat",
            Library::Strcasecmp => "strcasecmp",
            Library::Strncasecmp => "strncasecmp",
            Library::Strdup => "strdup",
            Library::Strndup => "strndup",
            Library::Memchr => "memchr",
            Library::Swab => "swab",
            Library::Atoi => "atoi",
            Library::Atol => "atol",
            Library::Atoll => "atoll",
            Library::Strtol => "strtol",
            Library::Strtoll => "strtoll",
            Library::Strtoul => "strtoul",
            Library::Strtoull => "strtoull",
            Library::Sprintf => "sprintf",
            Library::Snprintf => "snprintf",
            Library::Frexp(FloatType::F32) => "frexpf",
            Library::Frexp(FloatType::F64) => "frexp",
            Library::Modf(FloatType::F32) => "modff",
            Library::Modf(FloatType::F64) => "modf",
            Library::Math(math, format) => math.name(format),
            Library::Printf => "printf",
            Library::Puts => "puts",
            Library::Putchar => "putchar",
        }
    }

    /// The function of that name.
    pub fn by_name(name: &str) -> Option<Library> {
        Library::all().find(|library| library.name() == name)
    }

    /// Its types in a program.
    pub fn signature(self, program: &Program) -> Signature {
        let (ptr, int) = (Type::Ptr, Type::I32);
        let size = Type::Int(program.size_type());
        // `long` is as wide as an address in both data models.
        let long = Type::Int(program.offset_type());
        let long_long = |signed| Type::Int(IntType { bits: 64, signed });
        let (params, ret) = match self {
            Library::Malloc | Library::Alloca => (vec![size], Some(ptr)),
            Library::Calloc => (vec![size, size], Some(ptr)),
            Library::Realloc => (vec![ptr, size], Some(ptr)),
            Library::Free => (vec![ptr], None),
            Library::Memset => (vec![ptr, int, size], Some(ptr)),
            Library::Memcpy | Library::Memmove | Library::Strncpy | Library::Strncat => {
                (vec![ptr, ptr, size], Some(ptr))
            }
            Library::Memcmp | Library::Strncmp | Library::Strncasecmp => {
                (vec![ptr, ptr, size], Some(int))
            }
            Library::Memchr => (vec![ptr, int, size], Some(ptr)),
            Library::Swab => (vec![ptr, ptr, long], None),
            Library::Strlen => (vec![ptr], Some(size)),
            Library::Strnlen => (vec![ptr, size], Some(size)),
            Library::Strspn | Library::Strcspn => (vec![ptr, ptr], Some(size)),
            Library::Strcmp | Library::Strcasecmp => (vec![ptr, ptr], Some(int)),
            Library::Strcpy | Library::Strcat | Library::Strstr | Library::Strpbrk => {
                (vec![ptr, ptr], Some(ptr))
            }
            Library::Strchr | Library::Strrchr => (vec![ptr, int], Some(ptr)),
            Library::Strdup => (vec![ptr], Some(ptr)),
            Library::Strndup => (vec![ptr, size], Some(ptr)),
            Library::Atoi => (vec![ptr], Some(int)),
            Library::Atol => (vec![ptr], Some(long)),
            Library::Atoll => (vec![ptr], Some(long_long(true))),
            Library::Strtol => (vec![ptr, ptr, int, ptr], Some(long)),
            Library::Strtoll => (vec![ptr, ptr, int, ptr], Some(long_long(true))),
            Library::Strtoul => (vec![ptr, ptr, int, ptr], Some(size)),
            Library::Strtoull => (vec![ptr, ptr, int, ptr], Some(long_long(false))),
            Library::Frexp(format) | Library::Modf(format) => {
                let number = Type::Float(format);
                (vec![number, ptr], Some(number))
            }
            Library::Math(math, format) => {
                let params = vec![Type::Float(format); math.operands()];
                (params, Some(math.result(format)))
            }
            Library::Sprintf => (vec![ptr, ptr], Some(int)),
            Library::Snprintf => (vec![ptr, size, ptr], Some(int)),
            Library::Printf | Library::Puts => (vec![ptr], Some(int)),
            Library::Putchar => (vec![int], Some(int)),
        };
        Signature {
            params,
            variadic: matches!(self, Library::Printf | Library::Sprintf | Library::Snprintf),
            ret,
        }
    }
}
