//! The types of library functions that gcc knows without a declaration.
//!
//! A signature is a string: the result, then the parameters, one letter each (see
//! [`Parser::letter_type`]), and `.` for `...`.

use super::Parser;
use crate::types::{FunctionType, QualType, Qualifiers, Type, TypeId};

/// Functions and their signatures, sorted by name.
const FUNCTIONS: &[(&str, &str)] = &[
    ("_Exit", "vi"),
    ("__assert_fail", "vSSuS"),
    ("_exit", "vi"),
    ("abort", "v"),
    ("abs", "ii"),
    ("alloca", "pz"),
    ("bcmp", "iPPz"),
    ("bcopy", "vPpz"),
    ("bzero", "vpz"),
    ("calloc", "pzz"),
    ("exit", "vi"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "iL"),
    ("fprintf", "ipS."),
    ("fputc", "iip"),
    ("fputs", "iSp"),
    ("free", "vp"),
    ("fscanf", "ipS."),
    ("fwrite", "zPzzp"),
    ("ilogb", "id"),
    ("imaxabs", "LL"),
    ("index", "sSi"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isascii", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isgraph", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("labs", "ll"),
    ("ldexp", "ddi"),
    ("ldexpf", "ffi"),
    ("ldexpl", "DDi"),
    ("llabs", "LL"),
    ("llrint", "Ld"),
    ("llround", "Ld"),
    ("lrint", "ld"),
    ("lround", "ld"),
    ("malloc", "pz"),
    ("memchr", "pPiz"),
    ("memcmp", "iPPz"),
    ("memcpy", "ppPz"),
    ("memmove", "ppPz"),
    ("mempcpy", "ppPz"),
    ("memset", "ppiz"),
    ("posix_memalign", "ipzz"),
    ("printf", "iS."),
    ("putchar", "ii"),
    ("puts", "iS"),
    ("realloc", "ppz"),
    ("rindex", "sSi"),
    ("scalbn", "ddi"),
    ("scalbnf", "ffi"),
    ("scalbnl", "DDi"),
    ("scanf", "iS."),
    ("snprintf", "iszS."),
    ("sprintf", "isS."),
    ("sscanf", "iSS."),
    ("stpcpy", "ssS"),
    ("stpncpy", "ssSz"),
    ("strcasecmp", "iSS"),
    ("strcat", "ssS"),
    ("strchr", "sSi"),
    ("strcmp", "iSS"),
    ("strcpy", "ssS"),
    ("strcspn", "zSS"),
    ("strdup", "sS"),
    ("strlen", "zS"),
    ("strncasecmp", "iSSz"),
    ("strncat", "ssSz"),
    ("strncmp", "iSSz"),
    ("strncpy", "ssSz"),
    ("strndup", "sSz"),
    ("strnlen", "zSz"),
    ("strpbrk", "sSS"),
    ("strrchr", "sSi"),
    ("strspn", "zSS"),
    ("strstr", "sSS"),
    ("toascii", "ii"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("vfprintf", "ipSa"),
    ("vfscanf", "ipSa"),
    ("vprintf", "iSa"),
    ("vscanf", "iSa"),
    ("vsnprintf", "iszSa"),
    ("vsprintf", "isSa"),
    ("vsscanf", "iSSa"),
];

/// Mathematical functions of one number; `f` and `l` behind the name change its type.
const UNARY_MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "j0",
    "j1",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nearbyint",
    "rint",
    "round",
    "roundeven",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
];

/// Mathematical functions of two numbers.
const BINARY_MATH: &[&str] = &[
    "atan2",
    "copysign",
    "drem",
    "fdim",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "nextafter",
    "pow",
    "remainder",
];

/// Functions that do not return.
const NORETURN: &[&str] = &["_Exit", "__assert_fail", "_exit", "abort", "exit"];

impl Parser<'_> {
    /// The type of a library function.
    pub(super) fn library_type(&mut self, name: &str) -> Option<TypeId> {
        if let Ok(index) = FUNCTIONS.binary_search_by(|(known, _)| (*known).cmp(name)) {
            return Some(self.signature(FUNCTIONS[index].1));
        }
        let math = |name: &str| {
            if UNARY_MATH.contains(&name) {
                Some(1)
            } else if BINARY_MATH.contains(&name) {
                Some(2)
            } else {
                None
            }
        };
        let (letter, count) = match math(name) {
            Some(count) => ('d', count),
            None => match name.strip_suffix('f').and_then(math) {
                Some(count) => ('f', count),
                None => ('D', name.strip_suffix('l').and_then(math)?),
            },
        };
        let text: String = std::iter::repeat_n(letter, count + 1).collect();
        Some(self.signature(&text))
    }

    /// Whether a library function does not return.
    pub(super) fn library_noreturn(&self, name: &str) -> bool {
        NORETURN.contains(&name)
    }

    /// The function type that a signature spells.
    pub(super) fn signature(&mut self, text: &str) -> TypeId {
        let variadic = text.ends_with('.');
        let mut types: Vec<QualType> = text
            .trim_end_matches('.')
            .chars()
            .map(|letter| self.letter_type(letter).into())
            .collect();
        let ret = types.remove(0);
        self.types.intern(Type::Function(FunctionType {
            ret,
            params: types,
            variadic,
            prototype: true,
        }))
    }

    fn letter_type(&mut self, letter: char) -> TypeId {
        let to = |parser: &mut Self, ty: TypeId, quals: Qualifiers| {
            parser.types.pointer_to(QualType { ty, quals })
        };
        match letter {
            'v' => self.types.void(),
            'p' => to(self, self.types.void(), Qualifiers::NONE),
            'P' => to(self, self.types.void(), Qualifiers::CONST),
            's' => to(self, self.types.char(), Qualifiers::NONE),
            'S' => to(self, self.types.char(), Qualifiers::CONST),
            'u' => self.types.uint(),
            'l' => self.types.long(),
            'm' => self.types.ulong(),
            'L' => self.types.long_long(),
            'M' => self.types.ulong_long(),
            'z' => self.types.size_t(),
            'd' => self.types.double(),
            'f' => self.types.float(),
            'D' => self.types.long_double(),
            'a' => self.types.va_list(),
            'h' => self.types.ushort(),
            'q' => self.types.uint128(),
            'b' => self.types.bool(),
            _ => self.types.int(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted() {
        assert!(FUNCTIONS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
