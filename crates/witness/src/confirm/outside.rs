//! External programs: compilers, and the executables they produce.

use base::Budget;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes of what a program prints that are looked at, from the end.
const SEEN: usize = 1 << 20;

/// A folder that goes away with its owner.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// A new one.
    pub(super) fn new() -> Result<Self, String> {
        let base = std::env::temp_dir();
        for number in 0..1000 {
            let path = base.join(format!("cairn-confirm-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("cannot make `{}`: {error}", path.display())),
            }
        }
        Err(format!("`{}` is full of our folders", base.display()))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file in it.
    pub(super) fn write(&self, name: &str, text: &[u8]) -> Result<PathBuf, String> {
        let path = self.file(name);
        std::fs::write(&path, text)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Best effort: a leftover in the temporary folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a tool and returns what it printed; its complaint if it fails.
pub(super) fn output_of(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`{name}` cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let is_telling = |line: &&str| line.contains("error") || line.contains("undefined");
    let line = complaint
        .lines()
        .find(is_telling)
        .or(complaint.lines().next())
        .unwrap_or("it says nothing");
    let is_32_bit = command.get_args().any(|arg| arg == "-m32");
    let hint = if is_32_bit && (complaint.contains("cannot find") || line.contains("bits/")) {
        " (are the 32-bit libraries of the C compiler installed?)"
    } else {
        ""
    };
    Err(format!("`{name}` fails: {}{hint}", line.trim()))
}

/// How a program ended, and what it printed on standard error.
pub(super) struct Ended {
    pub(super) how: String,
    /// Whether it ended by itself.
    pub(super) in_time: bool,
    pub(super) stderr: String,
}

/// Runs a program in a folder, with nothing to read, for a limited time.
pub(super) fn execute(
    binary: &Path,
    folder: &Path,
    limit: Duration,
    budget: &Budget,
) -> Result<Ended, String> {
    let log = folder.join("stderr");
    let cannot = |error: std::io::Error| format!("the compiled program cannot be run: {error}");
    let file = File::create(&log).map_err(cannot)?;
    let mut child = Command::new(binary)
        .current_dir(folder)
        // gcc looks for accesses to locals of functions that returned only if asked to.
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=0:detect_stack_use_after_return=1",
        )
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .map_err(cannot)?;
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    let (how, in_time) = loop {
        if let Some(status) = child.try_wait().map_err(cannot)? {
            break (describe(status), true);
        }
        let elapsed = start.elapsed();
        if elapsed > limit || budget.check().is_err() {
            child.kill().map_err(cannot)?;
            child.wait().map_err(cannot)?;
            break (
                format!("it did not end in {:.0} s", elapsed.as_secs_f64()),
                false,
            );
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let bytes = std::fs::read(&log).map_err(cannot)?;
    let tail = &bytes[bytes.len().saturating_sub(SEEN)..];
    Ok(Ended {
        how,
        in_time,
        stderr: String::from_utf8_lossy(tail).into_owned(),
    })
}

fn describe(status: std::process::ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("it ends with exit code {code}"),
        None => format!("it ends by {status}"),
    }
}

/// The address that a driver's failure tells.
pub(super) fn failed_at(stderr: &str) -> Option<&str> {
    stderr
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("cairn: failed at "))
}

/// `file.c:12` or `/path/file.c:12 (discriminator 3)`.
pub(super) fn place_of(text: &str) -> Option<(String, u32)> {
    let text = text.split(" (").next()?;
    let (file, line) = text.rsplit_once(':')?;
    Some((file.to_owned(), line.parse().ok()?))
}

/// The first place in the program that a sanitizer names.
pub(super) fn sanitizer_place(
    stderr: &str,
    is_ours: impl Fn(&str) -> bool,
) -> Option<(String, u32)> {
    for line in stderr.lines() {
        let place = match line.split_once(": runtime error:") {
            Some((place, _)) => place.trim(),
            // A line of a stack: `    #1 0x4011 in main dir/file.c:12:3`.
            None if line.trim_start().starts_with('#') => {
                line.rsplit(' ').next().unwrap_or_default()
            }
            None => continue,
        };
        let mut parts: Vec<&str> = place.split(':').collect();
        while let Some(&last) = parts.last()
            && parts.len() > 2
            && last.bytes().all(|byte| byte.is_ascii_digit())
        {
            parts.pop();
        }
        if let [file, number] = parts[..]
            && is_ours(file)
            && let Ok(number) = number.parse()
        {
            return Some((file.to_owned(), number));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() {
        assert_eq!(place_of("a/b.c:12"), Some(("a/b.c".to_owned(), 12)));
        assert_eq!(
            place_of("b.c:3 (discriminator 2)"),
            Some(("b.c".to_owned(), 3))
        );
        assert_eq!(place_of("??:?"), None);
        let log = "x\n    #0 0x1 in malloc ../asan.cpp:5\n    #1 0x2 in main d/p.c:7\np.c:9:4: \
                   runtime error: bad\n";
        let is_ours = |file: &str| file.ends_with("p.c");
        assert_eq!(sanitizer_place(log, is_ours), Some(("d/p.c".to_owned(), 7)));
        let log = "p.c:9:4: runtime error: division by zero\n";
        assert_eq!(sanitizer_place(log, is_ours), Some(("p.c".to_owned(), 9)));
        assert_eq!(sanitizer_place("p.c:9: note\n", is_ours), None);
    }
}
