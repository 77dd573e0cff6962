//! The functions of the C library and of verifiers, by name: what each takes, and what we know of it.
//!
//! A row has the names, how the function is declared (`v` void, `i` an integer, `d` a floating
//! number, `p` a pointer; the result first, `.` for `...`; nothing where any declaration will do),
//! and its meaning. A function of the program's own that happens to have such a name is declared
//! otherwise, and is the program's.

use super::ctype::Hidden;
use super::library::{Known, Returns};
use program::ir::Library;
use program::math::Math;

/// A row of the table.
pub(super) type Row = (&'static str, &'static str, Known);

/// What verifiers call, ours and others'.
pub(super) const VERIFIERS: &[Row] = &[
    ("reach_error __VERIFIER_error", "", Known::ReachError),
    ("assert __VERIFIER_assert sassert", "", Known::Assert(None)),
    (
        "__CPROVER_assert __ESBMC_assert __CPROVER_precondition __CPROVER_postcondition",
        "",
        Known::Assert(Some(1)),
    ),
    ("__VERIFIER_assert_not", "", Known::AssertNot),
    ("__VERIFIER_assert_if", "", Known::AssertIf),
    (
        "__VERIFIER_assume __CPROVER_assume __ESBMC_assume __SEA_assume assume_abort_if_not assume",
        "",
        Known::Assume,
    ),
    (
        "__VERIFIER_nondet_bool __VERIFIER_nondet__Bool nd_bool",
        "",
        Known::NondetBool,
    ),
    ("__VERIFIER_nondet_memory", "", Known::NondetMemory),
    (
        "__VERIFIER_atomic_begin __VERIFIER_atomic_end __CPROVER_atomic_begin \
         __CPROVER_atomic_end __ESBMC_atomic_begin __ESBMC_atomic_end __CPROVER_output \
         __CPROVER_cover __ESBMC_cover __CPROVER_printf sea_dsa_alias",
        "",
        Known::Nothing,
    ),
    (
        "__CPROVER_r_ok __ESBMC_r_ok",
        "",
        Known::Valid { write: false },
    ),
    (
        "__CPROVER_w_ok __CPROVER_rw_ok __ESBMC_w_ok __ESBMC_rw_ok",
        "",
        Known::Valid { write: true },
    ),
    ("__CPROVER_allocate", "", Known::Allocate),
];

/// The beginnings of names that belong to verifiers: one that we do not know does something that we
/// do not know either.
pub(super) const INTRINSICS: &[&str] = &[
    "__VERIFIER_",
    "__CPROVER_",
    "__ESBMC_",
    "__SEA_",
    "__SMACK_",
    "__CRAB_",
    "__DIVINE_",
    "__SYMBIOTIC_",
];

/// The C library, as far as it is modelled; beside the functions of the IR under their own names.
pub(super) const MODELLED: &[Row] = &[
    // Failing assertions and the end of a run.
    ("__assert_fail", "vppip", Known::AssertFail(Some(0))),
    ("__assert_rtn __assert_func", "", Known::AssertFail(Some(3))),
    (
        "__assert _assert _wassert __assert2",
        "",
        Known::AssertFail(Some(0)),
    ),
    ("__assert_perror_fail", "", Known::AssertFail(None)),
    ("abort", "v", Known::Abort),
    ("trap", "", Known::Abort),
    ("exit _exit _Exit quick_exit", "vi", Known::Exit),
    // Memory and strings, and other names of functions that the IR has.
    ("cfree", "vp", Known::Same(Library::Free)),
    ("bzero explicit_bzero", "vpi", Known::ZeroBytes),
    ("bcmp", "ippi", Known::Same(Library::Memcmp)),
    ("strcoll", "ipp", Known::Same(Library::Strcmp)),
    ("index", "ppi", Known::Same(Library::Strchr)),
    ("rindex", "ppi", Known::Same(Library::Strrchr)),
    // Numbers.
    ("abs labs llabs imaxabs", "ii", Known::Abs),
    ("strtol", "ippi", Known::Strtol(Library::Strtol)),
    ("strtoll strtoimax", "ippi", Known::Strtol(Library::Strtoll)),
    ("strtoul", "ippi", Known::Strtol(Library::Strtoul)),
    (
        "strtoull strtoumax",
        "ippi",
        Known::Strtol(Library::Strtoull),
    ),
    ("lround llround", "id", Known::ToInt(Math::Round)),
    ("lrint llrint", "id", Known::ToInt(Math::Rint)),
    ("lroundf llroundf", "id", Known::ToInt(Math::Round)),
    ("lrintf llrintf", "id", Known::ToInt(Math::Rint)),
    ("fesetround", "ii", Known::SetRounding),
    ("fegetround", "i", Known::ToNearest),
    // Characters.
    ("isdigit", "ii", Known::InRanges(&[(b'0', b'9')])),
    (
        "isxdigit",
        "ii",
        Known::InRanges(&[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
    ),
    ("isupper", "ii", Known::InRanges(&[(b'A', b'Z')])),
    ("islower", "ii", Known::InRanges(&[(b'a', b'z')])),
    (
        "isalpha",
        "ii",
        Known::InRanges(&[(b'A', b'Z'), (b'a', b'z')]),
    ),
    (
        "isalnum",
        "ii",
        Known::InRanges(&[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    ),
    (
        "isspace",
        "ii",
        Known::InRanges(&[(b' ', b' '), (b'\t', b'\r')]),
    ),
    (
        "isblank",
        "ii",
        Known::InRanges(&[(b' ', b' '), (b'\t', b'\t')]),
    ),
    ("iscntrl", "ii", Known::InRanges(&[(0, 31), (127, 127)])),
    ("isprint", "ii", Known::InRanges(&[(32, 126)])),
    ("isgraph", "ii", Known::InRanges(&[(33, 126)])),
    (
        "ispunct",
        "ii",
        Known::InRanges(&[(33, 47), (58, 64), (91, 96), (123, 126)]),
    ),
    ("isascii", "ii", Known::InRanges(&[(0, 127)])),
    ("toupper", "ii", Known::Shifted((b'a', b'z'), -32)),
    ("tolower", "ii", Known::Shifted((b'A', b'Z'), 32)),
    ("__errno_location", "p", Known::Hidden(Hidden::Errno)),
    ("__ctype_b_loc", "p", Known::Hidden(Hidden::Classes)),
    ("__ctype_tolower_loc", "p", Known::Hidden(Hidden::Lower)),
    ("__ctype_toupper_loc", "p", Known::Hidden(Hidden::Upper)),
    ("setlocale", "pip", Known::Locale),
    // Output.
    ("putchar_unlocked", "ii", Known::Same(Library::Putchar)),
    ("fprintf", "ipp.", Known::Fprintf),
    ("vprintf", "", Known::Vprintf),
    ("vfprintf", "", Known::Vfprintf),
    ("putc fputc _IO_putc putc_unlocked", "iip", Known::Putc),
    ("fputs", "ipp", Known::Fputs),
    ("fwrite", "ipiip", Known::Any(Returns::UpTo(2))),
    ("write", "iipi", Known::Any(Returns::UpTo(2))),
    ("perror", "vp", Known::Nothing),
    ("srand srandom", "vi", Known::Nothing),
    // Inputs.
    ("rand random", "i", Known::Rand),
    (
        "getchar getchar_unlocked getc fgetc _IO_getc getc_unlocked",
        "",
        Known::Getchar,
    ),
    ("fgets", "ppip", Known::Fgets),
    ("read", "iipi", Known::Read),
    ("fread", "ipiip", Known::Fread),
    (
        "scanf __isoc99_scanf __isoc23_scanf",
        "ip.",
        Known::Scanf(0),
    ),
    (
        "fscanf __isoc99_fscanf __isoc23_fscanf",
        "ipp.",
        Known::Scanf(1),
    ),
    ("time", "ip", Known::Time),
    (
        "gettimeofday",
        "ipp",
        Known::Clock {
            at: 0,
            parts: 1_000_000,
        },
    ),
    (
        "clock_gettime",
        "iip",
        Known::Clock {
            at: 1,
            parts: 1_000_000_000,
        },
    ),
    ("clock", "i", Known::Any(Returns::Any)),
    // What depends on the system, and changes nothing of the program's.
    (
        "getpid getppid getuid geteuid getgid getegid gettid",
        "i",
        Known::Any(Returns::Natural),
    ),
    ("sleep alarm", "ii", Known::Any(Returns::Natural)),
    (
        "usleep close fsync isatty",
        "ii",
        Known::Any(Returns::Status),
    ),
    ("fclose fflush pclose", "ip", Known::Any(Returns::Status)),
    (
        "remove unlink rmdir chdir",
        "ip",
        Known::Any(Returns::Status),
    ),
    ("rename link symlink", "ipp", Known::Any(Returns::Status)),
    ("access chmod mkdir", "ipi", Known::Any(Returns::Status)),
    ("feof ferror", "ip", Known::Any(Returns::Any)),
    ("fileno", "ip", Known::Any(Returns::Any)),
    ("clearerr rewind sync", "", Known::Nothing),
    ("fseek", "ipii", Known::Any(Returns::Status)),
    ("ftell lseek", "", Known::Any(Returns::Any)),
    ("open creat", "", Known::Any(Returns::Any)),
    ("sched_yield", "i", Known::Any(Returns::Status)),
    ("fopen", "ppp", Known::Opened),
    ("fdopen", "pip", Known::Opened),
    ("tmpfile", "p", Known::Opened),
    ("getenv secure_getenv", "pp", Known::NullOrMore),
];

/// The rest of the C library and of POSIX, as far as programs are likely to call it: reaching a
/// call is unknown, and the answer says so.
pub(super) const REFUSED: &[Row] = &[
    ("setbuf", "vpp", Known::Unsupported("buffers of streams")),
    ("setvbuf", "ippii", Known::Unsupported("buffers of streams")),
    (
        "setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp",
        "",
        Known::Unsupported("non-local jumps"),
    ),
    ("fork vfork", "i", Known::Unsupported("processes")),
    (
        "execve execv execvp execl execlp execle wait3 wait4 waitid posix_spawn posix_spawnp",
        "",
        Known::Unsupported("processes"),
    ),
    ("wait", "ip", Known::Unsupported("processes")),
    ("waitpid", "iipi", Known::Unsupported("processes")),
    ("system", "ip", Known::Unsupported("processes")),
    ("kill", "iii", Known::Unsupported("signals")),
    ("raise", "ii", Known::Unsupported("signals")),
    ("pause", "i", Known::Unsupported("signals")),
    ("signal", "pip", Known::Unsupported("handlers")),
    (
        "sigaction sigprocmask sigsuspend sigemptyset sigfillset sigaddset sigdelset sigwait",
        "",
        Known::Unsupported("handlers"),
    ),
    (
        "atexit on_exit at_quick_exit",
        "",
        Known::Unsupported("handlers"),
    ),
    ("__cxa_throw", "", Known::Unsupported("exceptions")),
    (
        "posix_memalign aligned_alloc memalign valloc pvalloc mmap munmap mprotect brk sbrk \
         reallocarray reallocf",
        "",
        Known::Unsupported("this way to allocate memory"),
    ),
    (
        "sscanf __isoc99_sscanf __isoc23_sscanf vscanf vsscanf vfscanf gets getline getdelim \
         getcwd getwd ungetc fgetpos fsetpos fgetc_unlocked fgets_unlocked readlink pread readv",
        "",
        Known::Unsupported("this way to read an input"),
    ),
    ("recv", "iipii", Known::Unsupported("sockets")),
    ("send", "iipii", Known::Unsupported("sockets")),
    (
        "recvfrom sendto recvmsg sendmsg socketpair getaddrinfo gethostbyname setsockopt getsockopt \
         getsockname getpeername inet_aton inet_ntoa inet_pton inet_ntop",
        "",
        Known::Unsupported("sockets"),
    ),
    ("socket", "iiii", Known::Unsupported("sockets")),
    ("bind connect accept", "iipp", Known::Unsupported("sockets")),
    ("listen shutdown", "iii", Known::Unsupported("sockets")),
    ("select", "iipppp", Known::Unsupported("files")),
    ("poll", "ipii", Known::Unsupported("files")),
    ("pipe", "ip", Known::Unsupported("files")),
    ("dup", "ii", Known::Unsupported("files")),
    ("dup2", "iii", Known::Unsupported("files")),
    ("stat lstat", "ipp", Known::Unsupported("files")),
    ("fstat", "iip", Known::Unsupported("files")),
    (
        "ioctl fcntl opendir readdir closedir popen freopen mkstemp mktemp tmpnam tempnam realpath \
         glob ftw nftw fscanf_unlocked truncate ftruncate utime utimes statvfs umask",
        "",
        Known::Unsupported("files"),
    ),
    (
        "vsprintf vsnprintf asprintf vasprintf dprintf vdprintf stpcpy stpncpy mempcpy memccpy \
         memrchr memmem rawmemchr strchrnul strlcpy strlcat strtok strtok_r strsep strxfrm \
         strcasestr strverscmp strerror strerror_r strsignal bcopy ffs ffsl ffsll",
        "",
        Known::Unsupported("a library function on strings"),
    ),
    (
        "qsort qsort_r bsearch lsearch lfind hsearch tsearch tfind tdelete",
        "",
        Known::Unsupported("a library function that calls back"),
    ),
    (
        "atof strtod strtof strtold ecvt fcvt gcvt a64l l64a",
        "",
        Known::Unsupported("a library function on numbers"),
    ),
    (
        "div ldiv lldiv imaxdiv srand48 drand48 lrand48 mrand48 erand48 nrand48 jrand48 rand_r \
         initstate setstate arc4random getrandom getentropy",
        "",
        Known::Unsupported("a library function on numbers"),
    ),
    (
        "ctime ctime_r asctime asctime_r gmtime gmtime_r localtime localtime_r mktime timegm \
         strftime strptime difftime clock_getres clock_settime nanosleep clock_nanosleep times \
         getrusage getrlimit setrlimit timer_create timer_settime setitimer getitimer tzset \
         timespec_get ftime settimeofday adjtime",
        "",
        Known::Unsupported("the time of day"),
    ),
    (
        "localeconv nl_langinfo newlocale uselocale bindtextdomain textdomain gettext dgettext \
         ngettext iconv iconv_open iconv_close",
        "",
        Known::Unsupported("locales"),
    ),
    (
        "putenv setenv unsetenv clearenv",
        "",
        Known::Unsupported("the environment"),
    ),
    (
        "uname gethostname sethostname getlogin getpwnam getpwuid getgrnam getgrgid sysconf \
         pathconf confstr ttyname ctermid getopt getopt_long getopt_long_only syslog openlog \
         closelog dlopen dlsym dlclose dlerror backtrace backtrace_symbols crypt",
        "",
        Known::Unsupported("what depends on the system"),
    ),
    (
        "err errx warn warnx verr verrx vwarn vwarnx",
        "vip.",
        Known::Unsupported("messages of the C library"),
    ),
    (
        "feclearexcept feraiseexcept fetestexcept fegetenv fesetenv feholdexcept feupdateenv \
         fegetexceptflag fesetexceptflag feenableexcept fedisableexcept",
        "",
        Known::Unsupported("the floating-point environment"),
    ),
    (
        "__fpclassifyl __isnanl __isinfl __finitel __signbitl",
        "",
        Known::Unsupported("arithmetic on `long double`"),
    ),
    ("ilogb ilogbf ilogbl", "id", INEXACT),
    ("nan nanf nanl", "dp", INEXACT),
    ("ldexp scalbn scalbln", "ddi", INEXACT),
    ("ldexpf scalbnf scalblnf", "ddi", INEXACT),
    ("ldexpl scalbnl scalblnl frexpl modfl", "", INEXACT),
    ("remquo remquof remquol sincos sincosf sincosl", "", INEXACT),
    ("lgamma_r lgammaf_r", "", INEXACT),
];

const INEXACT: Known = Known::Unsupported("this function on numbers");

/// Functions of one number whose last bits depend on the library; `f` and `l` may follow.
pub(super) const INEXACT_UNARY: &str = "acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 gamma j0 j1 \
     lgamma log log10 log1p log2 logb significand sin sinh tan tanh tgamma y0 y1";

/// The same of two.
pub(super) const INEXACT_BINARY: &str = "atan2 drem hypot nextafter nexttoward pow scalb";

/// Other names of functions on numbers; `f` may follow.
pub(super) const SAME_MATH: &[(&str, Math)] = &[
    ("nearbyint", Math::Rint),
    ("roundeven", Math::Rint),
    ("finite", Math::Isfinite),
    ("__finite", Math::Isfinite),
    ("__isfinite", Math::Isfinite),
    ("__isnan", Math::Isnan),
    ("__isinf", Math::Isinf),
    ("__isnormal", Math::Isnormal),
    ("__signbit", Math::Signbit),
    ("__fpclassify", Math::Fpclassify),
    ("__CPROVER_fabs", Math::Fabs),
    ("__CPROVER_isnan", Math::Isnan),
    ("__CPROVER_isinf", Math::Isinf),
    ("__CPROVER_isfinite", Math::Isfinite),
    ("__CPROVER_isnormal", Math::Isnormal),
];
