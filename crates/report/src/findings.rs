//! What tools for builds and code reviews are told about an answer.

/// An answer.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// The version of cairn.
    pub version: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// The verdict in a sentence.
    pub message: String,
    /// Whether a bug of ours is in the way.
    pub is_internal: bool,
    /// The exit code.
    pub exit_code: u8,
    /// The names of the properties that were checked.
    pub properties: Vec<String>,
    /// The one that is violated.
    pub violated: Option<String>,
    /// What the message speaks of.
    pub spot: Option<Spot>,
    /// The function it stands in.
    pub function: String,
    /// Further facts, each with its place if it has one.
    pub notes: Vec<(String, Option<Spot>)>,
    /// What could be tried.
    pub help: Vec<String>,
    /// What the answer takes for granted.
    pub assumptions: Vec<String>,
    /// The failing run, in order; the last is where it fails.
    pub flow: Vec<FlowStep>,
    /// The source files, as given.
    pub files: Vec<String>,
    /// The folder that relative names of files start from.
    pub folder: String,
    /// The report for people.
    pub text: String,
    /// Time taken.
    pub seconds: f64,
}

/// A place in a file, with the text of its line.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Spot {
    /// As given.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The column behind it.
    pub end: u32,
    /// The line.
    pub text: String,
}

/// A step of the failing run.
#[derive(Clone, Default, Debug)]
pub struct FlowStep {
    /// Where.
    pub spot: Spot,
    /// What happens, in words.
    pub message: String,
    /// How many calls deep.
    pub depth: usize,
    /// Whether the failure depends on it.
    pub matters: bool,
    /// The values that matter, by the names of what holds them.
    pub values: Vec<(String, String)>,
}

/// The properties: their names as given to `--property`, what they say, and what to do about a
/// violation.
pub const RULES: &[(&str, &str, &str)] = &[
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
];
