//! The types of library functions that gcc knows without a declaration, and of the allocation
//! function that CBMC knows.
//!
//! A signature is a string: the result, then the parameters, one letter each (see
//! [`Parser::letter_type`]), and `.` for `...`.

use super::Parser;
use crate::types::{FunctionType, QualType, Qualifiers, Type, TypeId};

/// Signatures, and the functions that have them.
const FUNCTIONS: &[(&str, &str)] = &[
    ("DDi", "ldexpl scalbnl"),
    ("LL", "imaxabs llabs"),
    ("Ld", "llrint llround"),
    ("ddi", "ldexp scalbn"),
    ("ffi", "ldexpf scalbnf"),
    ("iL", "ffsll"),
    ("iPPz", "bcmp memcmp"),
    ("iS", "puts"),
    ("iS.", "printf scanf"),
    ("iSS", "strcasecmp strcmp"),
    ("iSS.", "sscanf"),
    ("iSSa", "vsscanf"),
    ("iSSz", "strncasecmp strncmp"),
    ("iSa", "vprintf vscanf"),
    ("iSp", "fputs"),
    ("id", "ilogb"),
    (
        "ii",
        "abs ffs isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct \
         isspace isupper isxdigit putchar toascii tolower toupper",
    ),
    ("iip", "fputc"),
    ("il", "ffsl"),
    ("ipS.", "fprintf fscanf"),
    ("ipSa", "vfprintf vfscanf"),
    ("ipzz", "posix_memalign"),
    ("isS.", "sprintf"),
    ("isSa", "vsprintf"),
    ("iszS.", "snprintf"),
    ("iszSa", "vsnprintf"),
    ("ld", "lrint lround"),
    ("ll", "labs"),
    ("pPiz", "memchr"),
    ("ppPz", "memcpy memmove mempcpy"),
    ("ppiz", "memset"),
    ("ppz", "realloc"),
    ("pz", "alloca malloc"),
    ("pzi", "__CPROVER_allocate"),
    ("pzz", "calloc"),
    ("sS", "strdup"),
    ("sSS", "strpbrk strstr"),
    ("sSi", "index rindex strchr strrchr"),
    ("sSz", "strndup"),
    ("ssS", "stpcpy strcat strcpy"),
    ("ssSz", "stpncpy strncat strncpy"),
    ("v", "abort"),
    ("vPpz", "bcopy"),
    ("vSSuS", "__assert_fail"),
    ("vi", "_Exit _exit exit"),
    ("vp", "free"),
    ("vpz", "bzero"),
    ("zPzzp", "fwrite"),
    ("zS", "strlen"),
    ("zSS", "strcspn strspn"),
    ("zSz", "strnlen"),
];

/// Mathematical functions of one number; `f` and `l` after the name change its type.
const UNARY_MATH: &str = "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor \
    j0 j1 lgamma log log10 log1p log2 logb nearbyint rint round roundeven sin sinh sqrt tan tanh \
    tgamma trunc y0 y1";

/// Mathematical functions of two numbers.
const BINARY_MATH: &str = "atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder";

/// Functions that do not return.
pub(super) const NORETURN: &[&str] = &["_Exit", "__assert_fail", "_exit", "abort", "exit"];

impl Parser<'_> {
    /// The type of a library function.
    pub(super) fn library_type(&mut self, name: &str) -> Option<TypeId> {
        if let Some((signature, _)) = FUNCTIONS.iter().find(|(_, names)| has(names, name)) {
            return Some(self.signature(signature));
        }
        let math = |name: &str| match name {
            _ if has(UNARY_MATH, name) => Some(1),
            _ if has(BINARY_MATH, name) => Some(2),
            _ => None,
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

/// Whether a list of words has one.
pub(super) fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_function_stands_twice() {
        let mut seen = std::collections::BTreeSet::new();
        let names = FUNCTIONS
            .iter()
            .flat_map(|(_, names)| names.split_whitespace());
        assert!(names.into_iter().all(|name| seen.insert(name)));
    }
}
