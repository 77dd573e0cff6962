//! Functions that we know by name.

use super::ctype::Hidden;
use crate::ir::Library;

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
    /// `(condition)`: runs where it does not hold do not count.
    Assume,
    /// Ends the run.
    Abort,
    /// `(status)`: ends the run.
    Exit,
    /// A library function of the IR with the same arguments.
    Same(Library),
    /// `(stream, format, …)`
    Fprintf,
    /// `(format, list)`
    Vprintf,
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

/// What we know about a function without a body. Some names are taken whether the program defines
/// them or not, see [`overrides`].
pub(super) fn known(name: &str) -> Option<Known> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    if name.starts_with("__VERIFIER_nondet_") || name.starts_with("__CPROVER_nondet") {
        return Some(match name {
            "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool" => Known::NondetBool,
            "__VERIFIER_nondet_memory" => Known::NondetMemory,
            _ => Known::Nondet,
        });
    }
    if let Some(library) = Library::by_name(plain) {
        return Some(Known::Same(library));
    }
    Some(match plain {
        "reach_error" | "__VERIFIER_error" => Known::ReachError,
        "__assert_fail" => Known::AssertFail(Some(0)),
        "__assert_rtn" | "__assert_func" => Known::AssertFail(Some(3)),
        "__assert" | "_assert" | "_wassert" | "__assert2" => Known::AssertFail(Some(0)),
        "__assert_perror_fail" => Known::AssertFail(None),
        "assert" | "__VERIFIER_assert" => Known::Assert(None),
        "__CPROVER_assert" => Known::Assert(Some(1)),
        "__VERIFIER_assume" | "__CPROVER_assume" | "assume_abort_if_not" | "assume" => {
            Known::Assume
        }
        "abort" | "trap" => Known::Abort,
        "exit" | "_exit" | "_Exit" | "quick_exit" => Known::Exit,
        "fprintf" => Known::Fprintf,
        "vprintf" => Known::Vprintf,
        "vfprintf" => Known::Vfprintf,
        "putc" | "fputc" | "_IO_putc" | "putc_unlocked" => Known::Putc,
        "fputs" => Known::Fputs,
        "cfree" => Known::Same(Library::Free),
        "abs" | "labs" | "llabs" | "imaxabs" => Known::Abs,
        "rand" | "random" => Known::Rand,
        "getchar" | "getchar_unlocked" | "getc" | "fgetc" | "_IO_getc" => Known::Getchar,
        "isdigit" => Known::InRanges(&[(b'0', b'9')]),
        "isxdigit" => Known::InRanges(&[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
        "isupper" => Known::InRanges(&[(b'A', b'Z')]),
        "islower" => Known::InRanges(&[(b'a', b'z')]),
        "isalpha" => Known::InRanges(&[(b'A', b'Z'), (b'a', b'z')]),
        "isalnum" => Known::InRanges(&[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
        "isspace" => Known::InRanges(&[(b' ', b' '), (b'\t', b'\r')]),
        "isblank" => Known::InRanges(&[(b' ', b' '), (b'\t', b'\t')]),
        "iscntrl" => Known::InRanges(&[(0, 31), (127, 127)]),
        "isprint" => Known::InRanges(&[(32, 126)]),
        "isgraph" => Known::InRanges(&[(33, 126)]),
        "ispunct" => Known::InRanges(&[(33, 47), (58, 64), (91, 96), (123, 126)]),
        "toupper" => Known::Shifted((b'a', b'z'), -32),
        "tolower" => Known::Shifted((b'A', b'Z'), 32),
        "__errno_location" => Known::Hidden(Hidden::Errno),
        "__ctype_b_loc" => Known::Hidden(Hidden::Classes),
        "__ctype_tolower_loc" => Known::Hidden(Hidden::Lower),
        "__ctype_toupper_loc" => Known::Hidden(Hidden::Upper),
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => Known::Nothing,
        "fflush" | "srand" | "srandom" | "setbuf" | "setvbuf" | "perror" | "setlocale" => {
            Known::Nothing
        }
        _ => return unsupported(plain),
    })
}

/// Whether the name has its meaning even if the program defines a function of that name.
pub(super) fn overrides(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_")
        || matches!(
            name,
            "reach_error"
                | "__VERIFIER_error"
                | "__VERIFIER_assume"
                | "__VERIFIER_atomic_begin"
                | "__VERIFIER_atomic_end"
        )
}

/// Functions whose effects "returns any value and changes nothing" would misrepresent.
fn unsupported(name: &str) -> Option<Known> {
    let reason = match name {
        _ if name.starts_with("pthread_")
            || name.starts_with("sem_")
            || name.starts_with("thrd_") =>
        {
            "threads"
        }
        _ if name.starts_with("__sync_") || name.starts_with("__atomic_") => "atomic operations",
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "longjmp" | "_longjmp"
        | "siglongjmp" => "non-local jumps",
        "fork" | "vfork" | "execve" | "execv" | "execvp" => "processes",
        "scanf" | "fscanf" | "sscanf" | "vscanf" | "__isoc99_scanf" | "__isoc99_fscanf"
        | "__isoc99_sscanf" | "gets" | "fgets" | "getline" | "read" | "fread" | "recv"
        | "recvfrom" | "getcwd" | "gettimeofday" | "clock_gettime" => {
            "a library function that stores an input in memory"
        }
        "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" | "asprintf" | "vasprintf"
        | "strncat" | "stpcpy" | "mempcpy" | "memccpy" | "strtok" | "strtok_r" | "strdup"
        | "strndup" | "strsep" | "qsort" | "bsearch" | "bzero" | "bcopy" | "strcoll"
        | "strxfrm" => "a library function on strings or arrays",
        "memchr" | "memrchr" | "strrchr" | "strstr" | "strpbrk" | "strspn" | "strcspn"
        | "strnlen" | "strcasecmp" | "strncasecmp" | "index" | "rindex" | "strerror" | "getenv" => {
            "a library function on strings"
        }
        "posix_memalign" | "aligned_alloc" | "memalign" | "valloc" | "mmap" | "brk" | "sbrk"
        | "reallocarray" => "this way to allocate memory",
        "modf" | "frexp" | "remquo" | "sincos" => "a library function that stores a result",
        "atexit" | "on_exit" | "at_quick_exit" | "signal" | "sigaction" => "handlers",
        "__cxa_throw" => "exceptions",
        _ => return None,
    };
    Some(Known::Unsupported(reason))
}
