//! The functions of the C library and of verifiers, by name: what each takes, and what we know
//! about it.
//!
//! A row has the names, the declaration (`v` void, `i` an integer, `d` a floating number, `p` a
//! pointer; the result first, `.` for `...`; empty if any declaration will do), and the meaning. If
//! a function with such a name is declared differently, it is the program's own.

use super::ctype::Hidden;
use super::library::Known::{self, *};
use super::library::Returns;
use program::ir::Library;
use program::math::Math;

/// A row of the table.
pub(super) type Row = (&'static str, &'static str, Known);

/// What verifiers call, ours and others'.
pub(super) const VERIFIERS: &[Row] = &[
    ("reach_error __VERIFIER_error", "", ReachError),
    ("assert __VERIFIER_assert sassert", "", Assert(None)),
    (
        "__CPROVER_assert __ESBMC_assert __CPROVER_precondition __CPROVER_postcondition",
        "",
        Assert(Some(1)),
    ),
    ("__VERIFIER_assert_not", "", AssertNot),
    ("__VERIFIER_assert_if", "", AssertIf),
    (
        "__VERIFIER_assume __CPROVER_assume __ESBMC_assume __SEA_assume assume_abort_if_not assume",
        "",
        Assume,
    ),
    (
        "__VERIFIER_nondet_bool __VERIFIER_nondet__Bool nd_bool",
        "",
        NondetBool,
    ),
    ("__VERIFIER_nondet_memory", "", NondetMemory),
    (
        "__VERIFIER_atomic_begin __VERIFIER_atomic_end __CPROVER_atomic_begin \
         __CPROVER_atomic_end __ESBMC_atomic_begin __ESBMC_atomic_end __CPROVER_output \
         __CPROVER_cover __ESBMC_cover __CPROVER_printf sea_dsa_alias",
        "",
        Nothing,
    ),
    ("__CPROVER_r_ok __ESBMC_r_ok", "", Valid { write: false }),
    (
        "__CPROVER_w_ok __CPROVER_rw_ok __ESBMC_w_ok __ESBMC_rw_ok",
        "",
        Valid { write: true },
    ),
    ("__CPROVER_allocate", "", Allocate),
    (
        "__CPROVER_havoc_object __ESBMC_init_object",
        "",
        HavocObject,
    ),
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
    ("__assert_fail", "vppip", AssertFail(Some(0))),
    ("__assert_rtn __assert_func", "", AssertFail(Some(3))),
    (
        "__assert _assert _wassert __assert2",
        "",
        AssertFail(Some(0)),
    ),
    ("__assert_perror_fail", "", AssertFail(None)),
    ("abort", "v", Abort),
    ("trap", "", Abort),
    ("exit", "vi", Exit),
    ("_exit _Exit quick_exit", "vi", ExitNow),
    ("atexit", "ip", AtExit),
    // Those that call back.
    ("qsort", "vpiip", Sort),
    ("bsearch", "pppiip", Search),
    // Memory and strings, and other names of functions that the IR has.
    ("cfree", "vp", Same(Library::Free)),
    ("bzero explicit_bzero", "vpi", ZeroBytes),
    ("bcmp", "ippi", Same(Library::Memcmp)),
    ("strcoll", "ipp", Same(Library::Strcmp)),
    ("index", "ppi", Same(Library::Strchr)),
    // Written in C.
    ("strrchr rindex", "ppi", Written("strrchr")),
    ("strstr", "ppp", Written("strstr")),
    ("strspn", "ipp", Written("strspn")),
    ("strcspn", "ipp", Written("strcspn")),
    ("strpbrk", "ppp", Written("strpbrk")),
    ("strnlen", "ipi", Written("strnlen")),
    ("strncat", "pppi", Written("strncat")),
    ("strcasecmp", "ipp", Written("strcasecmp")),
    ("strncasecmp", "ippi", Written("strncasecmp")),
    ("strdup", "pp", Written("strdup")),
    ("strndup", "ppi", Written("strndup")),
    ("memchr", "ppii", Written("memchr")),
    ("swab", "vppi", Written("swab")),
    ("atoi", "ip", Written("atoi")),
    ("atol", "ip", Written("atol")),
    ("atoll", "ip", Written("atoll")),
    ("strtol", "ippi", Strtol("strtol")),
    ("strtoll strtoimax", "ippi", Strtol("strtoll")),
    ("strtoul", "ippi", Strtol("strtoul")),
    ("strtoull strtoumax", "ippi", Strtol("strtoull")),
    ("strtok", "ppp", Strtok),
    ("strtok_r __strtok_r", "pppp", Written("strtok_r")),
    ("strsep", "ppp", Written("strsep")),
    ("stpcpy", "ppp", Written("stpcpy")),
    ("stpncpy", "pppi", Written("stpncpy")),
    ("mempcpy __mempcpy", "pppi", Written("mempcpy")),
    ("memccpy", "pppii", Written("memccpy")),
    ("bcopy", "vppi", Written("bcopy")),
    ("memrchr", "ppii", Written("memrchr")),
    ("rawmemchr", "ppi", Written("rawmemchr")),
    ("memmem", "ppipi", Written("memmem")),
    ("strchrnul", "ppi", Written("strchrnul")),
    ("strcasestr", "ppp", Written("strcasestr")),
    ("strlcpy", "ippi", Written("strlcpy")),
    ("strxfrm", "ippi", Written("strxfrm")),
    ("strlcat", "ippi", Written("strlcat")),
    ("aligned_alloc memalign", "pii", Written("aligned_alloc")),
    ("posix_memalign", "ipii", Written("posix_memalign")),
    ("reallocarray", "ppii", Written("reallocarray")),
    ("$any", "i", AnyNumber),
    (
        "$other",
        "v",
        Unsupported("such arguments of a library function"),
    ),
    // Numbers.
    ("abs labs llabs imaxabs", "ii", Abs),
    ("div", "", Divided("div")),
    ("ldiv", "", Divided("ldiv")),
    ("lldiv imaxdiv", "", Divided("lldiv")),
    ("difftime", "dii", Written("difftime")),
    ("ffs", "ii", Written("ffs")),
    ("ffsl", "ii", Written("ffsl")),
    ("ffsll", "ii", Written("ffsll")),
    ("nan", "dp", Written("nan")),
    ("nanf", "dp", Written("nanf")),
    ("ldexp scalbn", "ddi", WrittenMath("ldexp")),
    ("ldexpf scalbnf", "ddi", WrittenMath("ldexpf")),
    ("scalbln", "ddi", WrittenMath("scalbln")),
    ("scalblnf", "ddi", WrittenMath("scalblnf")),
    ("ilogb", "id", WrittenMath("ilogb")),
    ("ilogbf", "id", WrittenMath("ilogbf")),
    ("logb", "dd", WrittenMath("logb")),
    ("logbf", "dd", WrittenMath("logbf")),
    ("nextafter", "ddd", WrittenMath("nextafter")),
    ("nextafterf", "ddd", WrittenMath("nextafterf")),
    ("pow", "ddd", WrittenMath("pow")),
    ("atof", "dp", WrittenMath("atof")),
    ("strtod", "dpp", WrittenMath("strtod")),
    ("lround llround", "id", ToInt(Math::Round)),
    ("lrint llrint", "id", ToInt(Math::Rint)),
    ("lroundf llroundf", "id", ToInt(Math::Round)),
    ("lrintf llrintf", "id", ToInt(Math::Rint)),
    ("creal crealf", "", ComplexPart("creal")),
    ("cimag cimagf", "", ComplexPart("cimag")),
    ("conj conjf", "", ComplexPart("conj")),
    ("fesetround", "ii", SetRounding),
    ("fegetround", "i", ToNearest),
    // Characters.
    ("isdigit", "ii", InRanges(&[(b'0', b'9')])),
    (
        "isxdigit",
        "ii",
        InRanges(&[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
    ),
    ("isupper", "ii", InRanges(&[(b'A', b'Z')])),
    ("islower", "ii", InRanges(&[(b'a', b'z')])),
    ("isalpha", "ii", InRanges(&[(b'A', b'Z'), (b'a', b'z')])),
    (
        "isalnum",
        "ii",
        InRanges(&[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    ),
    ("isspace", "ii", InRanges(&[(b' ', b' '), (b'\t', b'\r')])),
    ("isblank", "ii", InRanges(&[(b' ', b' '), (b'\t', b'\t')])),
    ("iscntrl", "ii", InRanges(&[(0, 31), (127, 127)])),
    ("isprint", "ii", InRanges(&[(32, 126)])),
    ("isgraph", "ii", InRanges(&[(33, 126)])),
    (
        "ispunct",
        "ii",
        InRanges(&[(33, 47), (58, 64), (91, 96), (123, 126)]),
    ),
    ("isascii", "ii", InRanges(&[(0, 127)])),
    ("toascii", "ii", Written("toascii")),
    ("toupper", "ii", Shifted((b'a', b'z'), -32)),
    ("tolower", "ii", Shifted((b'A', b'Z'), 32)),
    ("__errno_location", "p", Hidden(Hidden::Errno)),
    ("__ctype_b_loc", "p", Hidden(Hidden::Classes)),
    ("__ctype_tolower_loc", "p", Hidden(Hidden::Lower)),
    ("__ctype_toupper_loc", "p", Hidden(Hidden::Upper)),
    ("setlocale", "pip", Locale),
    // Output.
    ("putchar_unlocked", "ii", Same(Library::Putchar)),
    ("fprintf", "ipp.", Fprintf),
    ("vprintf", "", PrintList(Library::Printf)),
    ("vfprintf", "", Vfprintf),
    ("vsprintf", "", PrintList(Library::Sprintf)),
    ("vsnprintf", "", PrintList(Library::Snprintf)),
    ("putc fputc _IO_putc putc_unlocked", "iip", Putc),
    ("fputs", "ipp", Fputs),
    ("fwrite", "ipiip", Any(Returns::UpTo(2))),
    ("write", "iipi", Any(Returns::UpTo(2))),
    ("perror", "vp", Nothing),
    ("srand srandom", "vi", Nothing),
    // Inputs.
    ("rand random", "i", Rand),
    (
        "getchar getchar_unlocked getc fgetc _IO_getc getc_unlocked",
        "",
        Getchar,
    ),
    ("fgets", "ppip", Fgets),
    ("read", "iipi", Read),
    ("fread", "ipiip", Fread),
    ("scanf __isoc99_scanf __isoc23_scanf", "ip.", Scanf(0)),
    ("fscanf __isoc99_fscanf __isoc23_fscanf", "ipp.", Scanf(1)),
    ("time", "ip", Time),
    ("gettimeofday", "ipp", Clock(0, 1_000_000)),
    ("clock_gettime", "iip", Clock(1, 1_000_000_000)),
    ("clock", "i", Any(Returns::Any)),
    // What depends on the system, and changes nothing of the program's.
    (
        "getpid getppid getuid geteuid getgid getegid gettid",
        "i",
        Any(Returns::Natural),
    ),
    ("sleep alarm", "ii", Any(Returns::Natural)),
    ("usleep close fsync isatty", "ii", Any(Returns::Status)),
    ("fclose fflush pclose", "ip", Any(Returns::Status)),
    ("remove unlink rmdir chdir", "ip", Any(Returns::Status)),
    ("rename link symlink", "ipp", Any(Returns::Status)),
    ("access chmod mkdir", "ipi", Any(Returns::Status)),
    ("feof ferror", "ip", Any(Returns::Any)),
    ("fileno", "ip", Any(Returns::Any)),
    ("clearerr rewind sync", "", Nothing),
    ("fseek", "ipii", Any(Returns::Status)),
    ("ftell lseek", "", Any(Returns::Any)),
    ("open creat", "", Any(Returns::Any)),
    ("sched_yield", "i", Any(Returns::Status)),
    ("fopen", "ppp", Opened),
    ("fdopen", "pip", Opened),
    ("tmpfile", "p", Opened),
    ("getenv secure_getenv", "pp", NullOrMore),
];

/// The rest of the C library and of POSIX, as far as programs are likely to call it: reaching a
/// call is unknown, and the answer says why. By reason, the names; how one is declared, where that
/// matters, stands behind a colon.
pub(super) const REFUSED: &[(&str, &str)] = &[
    ("buffers of streams", "setbuf:vpp setvbuf:ippii"),
    (
        "non-local jumps",
        "setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp",
    ),
    (
        "processes",
        "fork:i vfork:i execve execv execvp execl execlp execle wait3 wait4 waitid posix_spawn \
         posix_spawnp wait:ip waitpid:iipi system:ip",
    ),
    ("signals", "kill:iii raise:ii pause:i"),
    (
        "handlers",
        "signal:pip sigaction sigprocmask sigsuspend sigemptyset sigfillset sigaddset sigdelset \
         sigwait on_exit at_quick_exit",
    ),
    ("exceptions", "__cxa_throw"),
    (
        "this way to allocate memory",
        "valloc pvalloc mmap munmap mprotect brk sbrk reallocf",
    ),
    (
        "this way to read an input",
        "sscanf __isoc99_sscanf __isoc23_sscanf vscanf vsscanf vfscanf gets getline getdelim \
         getcwd getwd ungetc fgetpos fsetpos fgetc_unlocked fgets_unlocked readlink pread readv",
    ),
    (
        "sockets",
        "recv:iipii send:iipii recvfrom sendto recvmsg sendmsg socketpair getaddrinfo \
         gethostbyname setsockopt getsockopt getsockname getpeername inet_aton inet_ntoa \
         inet_pton inet_ntop socket:iiii bind:iipp connect:iipp accept:iipp listen:iii \
         shutdown:iii",
    ),
    (
        "files",
        "select:iipppp poll:ipii pipe:ip dup:ii dup2:iii stat:ipp lstat:ipp fstat:iip ioctl fcntl \
         opendir readdir closedir popen freopen mkstemp mktemp tmpnam tempnam realpath glob ftw \
         nftw fscanf_unlocked truncate ftruncate utime utimes statvfs umask",
    ),
    (
        "a library function on strings",
        "asprintf vasprintf dprintf vdprintf strverscmp strerror strerror_r strsignal",
    ),
    (
        "a library function that calls back",
        "qsort_r lsearch lfind hsearch tsearch tfind tdelete",
    ),
    (
        "a library function on numbers",
        "strtof strtold ecvt fcvt gcvt a64l l64a srand48 drand48 lrand48 mrand48 erand48 nrand48 \
         jrand48 rand_r initstate setstate arc4random getrandom getentropy",
    ),
    (
        "the time of day",
        "ctime ctime_r asctime asctime_r gmtime gmtime_r localtime localtime_r mktime timegm \
         strftime strptime clock_getres clock_settime nanosleep clock_nanosleep times \
         getrusage getrlimit setrlimit timer_create timer_settime setitimer getitimer tzset \
         timespec_get ftime settimeofday adjtime",
    ),
    (
        "locales",
        "localeconv nl_langinfo newlocale uselocale bindtextdomain textdomain gettext dgettext \
         ngettext iconv iconv_open iconv_close",
    ),
    ("the environment", "putenv setenv unsetenv clearenv"),
    (
        "what depends on the system",
        "uname gethostname sethostname getlogin getpwnam getpwuid getgrnam getgrgid sysconf \
         pathconf confstr ttyname ctermid getopt getopt_long getopt_long_only syslog openlog \
         closelog dlopen dlsym dlclose dlerror backtrace backtrace_symbols crypt",
    ),
    (
        "messages of the C library",
        "err:vip. errx:vip. warn:vip. warnx:vip. verr:vip. verrx:vip. vwarn:vip. vwarnx:vip.",
    ),
    (
        "the floating-point environment",
        "feclearexcept feraiseexcept fetestexcept fegetenv fesetenv feholdexcept feupdateenv \
         fegetexceptflag fesetexceptflag feenableexcept fedisableexcept",
    ),
    (
        "arithmetic on `long double`",
        "__fpclassifyl __isnanl __isinfl __finitel __signbitl",
    ),
    (
        "this function on numbers",
        "ilogbl:id nanl:dp ldexpl scalbnl scalblnl frexpl modfl logbl:dd nextafterl:ddd \
         powf:ddd powl:ddd remquo remquof remquol sincos sincosf sincosl lgamma_r lgammaf_r",
    ),
];

/// Functions of one number whose last bits depend on the library; `f` and `l` may follow.
pub(super) const INEXACT_UNARY: &str = "acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 gamma j0 j1 \
     lgamma log log10 log1p log2 significand sin sinh tan tanh tgamma y0 y1";

/// The same of two.
pub(super) const INEXACT_BINARY: &str = "atan2 drem hypot nexttoward scalb";

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
