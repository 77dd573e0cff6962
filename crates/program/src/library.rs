//! The library functions we model: their names and types.

use crate::expr::Type;
use crate::ir::{Library, Program};

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

impl Library {
    /// All of them.
    pub const ALL: [Library; 19] = [
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
        Library::Printf,
        Library::Puts,
        Library::Putchar,
    ];

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
            Library::Printf => "printf",
            Library::Puts => "puts",
            Library::Putchar => "putchar",
        }
    }

    /// The function of that name.
    pub fn by_name(name: &str) -> Option<Library> {
        Library::ALL.into_iter().find(|lib| lib.name() == name)
    }

    /// Its types in a program.
    pub fn signature(self, program: &Program) -> Signature {
        let (ptr, int) = (Type::Ptr, Type::I32);
        let size = Type::Int(program.size_type());
        let (params, ret) = match self {
            Library::Malloc | Library::Alloca => (vec![size], Some(ptr)),
            Library::Calloc => (vec![size, size], Some(ptr)),
            Library::Realloc => (vec![ptr, size], Some(ptr)),
            Library::Free => (vec![ptr], None),
            Library::Memset => (vec![ptr, int, size], Some(ptr)),
            Library::Memcpy | Library::Memmove | Library::Strncpy => {
                (vec![ptr, ptr, size], Some(ptr))
            }
            Library::Memcmp | Library::Strncmp => (vec![ptr, ptr, size], Some(int)),
            Library::Strlen => (vec![ptr], Some(size)),
            Library::Strcmp => (vec![ptr, ptr], Some(int)),
            Library::Strcpy | Library::Strcat => (vec![ptr, ptr], Some(ptr)),
            Library::Strchr => (vec![ptr, int], Some(ptr)),
            Library::Printf | Library::Puts => (vec![ptr], Some(int)),
            Library::Putchar => (vec![int], Some(int)),
        };
        Signature {
            params,
            variadic: self == Library::Printf,
            ret,
        }
    }
}
