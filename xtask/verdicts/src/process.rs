//! Child processes with a time limit.

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// How a child ended.
pub struct Finished {
    /// Its exit code; `None` if it was killed by a signal or the limit.
    pub code: Option<i32>,
    /// Whether the limit ended it.
    pub timed_out: bool,
    /// What it wrote.
    pub stdout: String,
    /// What it complained.
    pub stderr: String,
    /// How long it took on the clock.
    pub time: Duration,
    /// How long it took of the processor, with those that it waited for.
    pub cpu: Duration,
}

/// A command that may use so many megabytes of address space.
pub fn within_memory(program: &Path, megabytes: u64) -> Command {
    let script = format!("ulimit -v {}; exec \"$@\"", megabytes * 1024);
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(program);
    command
}

/// Runs a command for at most `limit`.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, String> {
    run_on(command, "", limit)
}

/// The same, with a text on its standard input.
pub fn run_on(command: &mut Command, input: &str, limit: Duration) -> Result<Finished, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    if let Some(mut pipe) = child.stdin.take() {
        let input = input.to_owned();
        // A child that does not read its input closes the pipe; that is its right.
        std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
    }
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let start = Instant::now();
    let mut timed_out = false;
    while !timed_out && !has_ended(&child)? {
        timed_out = start.elapsed() >= limit;
        if timed_out {
            // It may have ended by itself in between; either way it is over.
            let _ = child.kill();
        } else {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    let taken = child.wait4().map_err(|error| error.to_string())?;
    let time = start.elapsed();
    let collect = |reader: std::thread::JoinHandle<String>| reader.join().unwrap_or_default();
    Ok(Finished {
        code: taken.status.code().filter(|_| !timed_out),
        timed_out,
        stdout: collect(stdout),
        stderr: collect(stderr),
        time,
        cpu: taken.rusage.utime + taken.rusage.stime,
    })
}

/// Whether a child has ended; it is not reaped, so that what it took can still be asked.
fn has_ended(child: &Child) -> Result<bool, String> {
    let child = WaitId::Pid(Pid::from_child(child));
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(child, options).map_err(|error| error.to_string())?;
    Ok(status.is_some())
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read until an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A directory that goes away with its owner.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new one.
    pub fn new(name: &str) -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("cairn-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Scratch(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Best effort: a leftover directory in the temporary folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
