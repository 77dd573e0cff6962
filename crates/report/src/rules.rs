//! The properties, for tools that explain what they check.

/// The properties: their names as given to `--property`, what they say, and what to do about a
/// violation.
pub(crate) const RULES: &[(&str, &str, &str)] = &[
    (
        "unreach-call",
        "No assertion fails and reach_error is never called",
        "Run the program with the inputs of the report: the assertion fails. Either the code before \
         it is wrong, or the assertion asks too much; an input that can never come should be \
         excluded before it is used.",
    ),
    (
        "no-overflow",
        "No signed arithmetic overflows",
        "A signed result that does not fit its type is undefined behaviour. Bound the operands, \
         compute in a wider type, or use unsigned arithmetic where wrap-around is meant.",
    ),
    (
        "division-by-zero",
        "No division or remainder by zero",
        "Check the divisor before it is used.",
    ),
    (
        "shift",
        "No shift by a negative amount, or by the width or more",
        "Check the amount before it is used, or mask it.",
    ),
    (
        "valid-deref",
        "Every access stays inside of a living object",
        "Check the index against the size, the pointer against null, and whether the object still \
         lives.",
    ),
    (
        "valid-free",
        "Only living heap objects are freed, each once",
        "Free exactly what malloc, calloc or realloc returned, and set pointers to null behind \
         free.",
    ),
    (
        "valid-memtrack",
        "No heap object is lost before it is freed",
        "Free what an object holds before its last address goes: before the pointer is set anew, and \
         before the function returns that alone knows it.",
    ),
    (
        "valid-memcleanup",
        "All heap objects are freed when the program ends",
        "Free what was allocated on every way to the end of main, and to exit and abort.",
    ),
];
