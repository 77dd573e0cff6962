//! A child process under limits, and the resources it used.
//!
//! # Invariants
//! - The child leads a process group of its own, and none of the group outlives [`run`].
//! - The child is reaped last, so that its id cannot be another's when it is signalled.

use crate::memory::{self, MEGABYTE};
use base::{Budget, Exhausted};
use rustix::process::{self, Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// What a child may take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// On the clock, and of the processor.
    pub time: Duration,
    /// In main memory, in megabytes.
    pub memory: u64,
}

/// What a child took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Usage {
    /// Time of the processor, of the child and of those that it waited for.
    pub cpu: Duration,
    /// Time on the clock.
    pub wall: Duration,
    /// The most bytes in main memory at a time, of the child or of one that it waited for.
    pub memory: u64,
}

/// How a child ended.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Ended {
    /// Why we ended it, if we did.
    pub killed: Option<Exhausted>,
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub usage: Usage,
}

/// The time beyond the limit in which a child may still say what it has learnt.
const GRACE: Duration = Duration::from_secs(1);
/// The time between two looks at the child's memory.
const PAUSE: Duration = Duration::from_millis(50);
/// Address space beyond the limit: stacks and libraries that never come into main memory.
const RESERVED: u64 = 2_000 * MEGABYTE;

/// Runs a command to its end, to a limit, or until the budget is spent.
pub fn run(mut command: Command, limits: &Limits, budget: &Budget) -> io::Result<Ended> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let group = Pid::from_child(&child);
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let stdout = scope.spawn(|| read_all(stdout));
        let stderr = scope.spawn(|| read_all(stderr));
        let (sender, ended) = mpsc::channel();
        scope.spawn(move || {
            // Waits without reaping. If it cannot, the hang-up of the channel says so.
            let _ = process::waitid(
                WaitId::Pid(group),
                WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
            );
            let _ = sender.send(Instant::now());
        });
        let limited = limit(group, limits);
        let (killed, end) = match limited {
            Ok(()) => watch(&child, start, limits, budget, &ended),
            Err(_) => (Some(Exhausted::Cancelled), Instant::now()),
        };
        // Also without a limit met: the child's own children go with it.
        let _ = process::kill_process_group(group, Signal::KILL);
        let taken = child.wait4();
        let (stdout, stderr) = (joined(stdout), joined(stderr));
        limited?;
        let taken = taken?;
        Ok(Ended {
            killed,
            status: taken.status,
            stdout,
            stderr,
            usage: Usage {
                cpu: taken.rusage.utime + taken.rusage.stime,
                wall: end - start,
                memory: taken.rusage.maxrss,
            },
        })
    })
}

/// Sets the limits that the system keeps. They are a safety net: they end a child that neither
/// keeps its limits itself nor is seen by [`watch`] in time.
fn limit(child: Pid, limits: &Limits) -> io::Result<()> {
    let seconds = limits.time.as_secs() + 1;
    let set = |resource, soft: u64, hard: u64| {
        let limit = Rlimit {
            current: Some(soft),
            maximum: Some(hard),
        };
        match process::prlimit(Some(child), resource, limit) {
            // A child that has ended needs no limit.
            Ok(_) | Err(rustix::io::Errno::SRCH) => Ok(()),
            Err(error) => Err(io::Error::from(error)),
        }
    };
    set(Resource::Cpu, seconds, seconds + GRACE.as_secs() + 1)?;
    let space = limits
        .memory
        .saturating_mul(MEGABYTE)
        .saturating_add(RESERVED);
    set(Resource::As, space, space)
}

/// Waits for the end of a child or for a reason to end it; says when that was.
fn watch(
    child: &Child,
    start: Instant,
    limits: &Limits,
    budget: &Budget,
    ended: &Receiver<Instant>,
) -> (Option<Exhausted>, Instant) {
    let number = child.id().to_string();
    let ceiling = limits.memory.saturating_mul(MEGABYTE);
    let mut over_memory = 0;
    loop {
        match ended.recv_timeout(PAUSE) {
            Ok(end) => return (None, end),
            Err(RecvTimeoutError::Disconnected) => return (None, Instant::now()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if memory::resident(&number).is_some_and(|bytes| bytes > ceiling) {
            over_memory += 1;
        }
        let killed = match budget.check() {
            Err(why) => Some(why),
            Ok(()) if start.elapsed() > limits.time + GRACE => Some(Exhausted::Time),
            // The child watches its memory itself: it gets as long as with the time.
            Ok(()) if over_memory > GRACE.as_millis() / PAUSE.as_millis() => {
                Some(Exhausted::Memory)
            }
            Ok(()) => None,
        };
        if killed.is_some() {
            return (killed, Instant::now());
        }
    }
}

fn read_all(stream: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // What was read before an error is all there is.
        let _ = stream.read_to_end(&mut bytes);
    }
    bytes
}

fn joined(reader: std::thread::ScopedJoinHandle<'_, Vec<u8>>) -> Vec<u8> {
    reader.join().expect("reading should not panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: &Limits) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, limits, &Budget::unlimited()).expect("sh should start")
    }

    const LIMITS: Limits = Limits {
        time: Duration::from_millis(200),
        memory: 1000,
    };

    #[test]
    fn a_child_that_ends_is_measured() {
        let ended = shell("echo out; echo err >&2; exit 3", &LIMITS);
        assert_eq!((ended.killed, ended.status.code()), (None, Some(3)));
        assert_eq!(
            (&*ended.stdout, &*ended.stderr),
            (&b"out\n"[..], &b"err\n"[..])
        );
        assert!(ended.usage.wall < LIMITS.time);
        assert!(ended.usage.memory > MEGABYTE / 10);
    }

    #[test]
    fn the_whole_group_ends_at_the_limit() {
        // The pipe stays open as long as one of them lives.
        let start = Instant::now();
        let ended = shell("sleep 100 & echo $!; sleep 100", &LIMITS);
        assert_eq!(ended.killed, Some(Exhausted::Time));
        assert!(start.elapsed() < Duration::from_secs(10));
        let left = String::from_utf8_lossy(&ended.stdout).trim().to_owned();
        assert!(memory::resident(&left).is_none(), "{left} lives");
        // What the child leaves behind ends with it.
        let ended = shell("sleep 100 & exit 0", &LIMITS);
        assert_eq!((ended.killed, ended.status.code()), (None, Some(0)));
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn memory_is_limited() {
        let limits = Limits {
            time: Duration::from_secs(20),
            memory: 50,
        };
        // By us, after some time to end by itself.
        let hog = "x=$(head -c 80000000 /dev/zero | tr '\\0' x); sleep 100";
        let ended = shell(hog, &limits);
        assert_eq!(ended.killed, Some(Exhausted::Memory));
        assert!(ended.usage.wall < limits.time);
        assert!(ended.usage.memory > 80 * MEGABYTE);
        // By the system, at once.
        let ended = shell(
            "sleep 0.1; dd if=/dev/zero of=/dev/null bs=3G count=1",
            &limits,
        );
        assert_eq!(ended.killed, None);
        assert!(!ended.status.success());
        // A child starts out with what its parent has, so there is no telling how little it took.
        assert!(ended.usage.memory < 1000 * MEGABYTE);
    }

    #[test]
    fn a_stopped_budget_ends_the_child() {
        let budget = Budget::unlimited();
        budget.cancel();
        let mut command = Command::new("sleep");
        command.arg("100");
        let ended = run(command, &LIMITS, &budget).expect("sleep should start");
        assert_eq!(ended.killed, Some(Exhausted::Cancelled));
    }
}
