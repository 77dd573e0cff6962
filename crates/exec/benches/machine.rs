//! The machine against compiled code: the same C loops on the machine and by `cc -O0`, timed in
//! one go. `cargo bench -p cairn-exec`, with names after `--` for some of them.

#![allow(
    clippy::print_stdout,
    reason = "a benchmark prints its table, and nothing else does"
)]

use base::{Budget, Diagnostics, SourceMap};
use cfront::types::DataModel;
use exec::inputs::ZeroInputs;
use exec::{Coverage, End, Limits, Machine};
use lower::{Options, lower};
use program::ir::Program;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use wait4::Wait4;

struct Case {
    name: &'static str,
    c: &'static str,
}

macro_rules! case {
    ($name:literal) => {
        Case {
            name: $name,
            c: include_str!(concat!("programs/", $name, ".c")),
        }
    };
}

const CASES: &[Case] = &[
    case!("counting"),
    case!("nested"),
    case!("branching"),
    case!("calls"),
    case!("array"),
    case!("globals"),
    case!("locals"),
    case!("sieve"),
    case!("list"),
    case!("fib"),
];

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let have_cc = Command::new(&cc).arg("--version").output().is_ok();
    if !have_cc {
        println!("no `{cc}` here: the machine alone is timed");
    }
    let dir = std::env::temp_dir().join(format!("cairn-speed-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("the temporary directory should be writable");
    println!("loop        machine    cover   cc -O0   ratio   ns/word");
    for case in CASES {
        if !wanted.is_empty() && !wanted.iter().any(|name| case.name.contains(name.as_str())) {
            continue;
        }
        let program = read(case);
        let machine = Machine::new(&program);
        let (time, status, steps) = best(3, || time_machine(&machine, false));
        let (covered, _, _) = best(3, || time_machine(&machine, true));
        let native = have_cc.then(|| {
            let binary = compile(&cc, &dir, case);
            let (native, status, ()) = best(10, || time_native(&binary));
            (native, status)
        });
        let per_branch = time.as_nanos() as f64 / steps as f64;
        match native {
            Some((native, native_status)) => {
                assert_eq!(status, native_status, "{} should agree", case.name);
                println!(
                    "{:<10} {:>7.2} s {:>6.2} s {:>6.2} s {:>7.1} {:>9.2}",
                    case.name,
                    time.as_secs_f64(),
                    covered.as_secs_f64(),
                    native.as_secs_f64(),
                    time.as_secs_f64() / native.as_secs_f64(),
                    per_branch
                );
            }
            None => println!("{:<10} {:>7.2} s", case.name, time.as_secs_f64()),
        }
    }
    // Left-overs in a temporary directory do no harm.
    let _ = std::fs::remove_dir_all(&dir);
}

fn read(case: &Case) -> Program {
    let mut sources = SourceMap::new();
    let file = sources
        .add(case.name, case.c.as_bytes().to_vec())
        .expect("the text should fit");
    let mut diagnostics = Diagnostics::default();
    let options = cfront::Options {
        model: DataModel::Lp64,
    };
    let unit = cfront::parse(&mut sources, &[file], &options, &mut diagnostics);
    lower(&unit, &Options::default(), &mut diagnostics)
        .filter(|_| !diagnostics.has_errors())
        .unwrap_or_else(|| panic!("{} should be C: {diagnostics:?}", case.name))
}

fn time_machine(machine: &Machine, cover: bool) -> (Duration, i32, u64) {
    let limits = Limits {
        steps: u64::MAX,
        memory: 1 << 30,
        depth: 10_000,
    };
    let budget = Budget::unlimited();
    let mut coverage = Coverage::new(machine);
    let start = Clock::start();
    let run = if cover {
        machine.run_covering(&mut ZeroInputs, &limits, &budget, &mut coverage)
    } else {
        machine.run(&mut ZeroInputs, &limits, &budget)
    };
    let time = start.elapsed();
    match run.end {
        End::Exited(status) => (time, status & 0xff, run.steps),
        other => panic!("the run should end, not {other:?}"),
    }
}

/// The fastest of some runs: other programs only ever make a run slower.
fn best<T>(runs: usize, mut time: impl FnMut() -> (Duration, i32, T)) -> (Duration, i32, T) {
    let times = (0..runs).map(|_| time());
    let best = times.min_by_key(|(duration, ..)| *duration);
    best.expect("there should be a run")
}

fn compile(cc: &str, dir: &Path, case: &Case) -> PathBuf {
    let source: PathBuf = dir.join(format!("{}.c", case.name));
    let binary = dir.join(case.name);
    std::fs::write(&source, case.c).expect("the source should be writable");
    let compiled = Command::new(cc)
        .args(["-O0", "-o"])
        .arg(&binary)
        .arg(&source)
        .status()
        .expect("the compiler should start");
    assert!(compiled.success(), "{} should compile", case.name);
    binary
}

fn time_native(binary: &Path) -> (Duration, i32, ()) {
    let mut child = Command::new(binary).spawn().expect("it should start");
    let ended = child.wait4().expect("it should end");
    let used = ended.rusage;
    let status = ended.status.code().unwrap_or(-1);
    (used.utime + used.stime, status, ())
}

/// Processor time of this process where the system tells it, else time on the wall.
struct Clock {
    wall: Instant,
    own: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Clock {
            wall: Instant::now(),
            own: own_time(),
        }
    }

    fn elapsed(&self) -> Duration {
        match (self.own, own_time()) {
            (Some(before), Some(now)) => now - before,
            _ => self.wall.elapsed(),
        }
    }
}

fn own_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
