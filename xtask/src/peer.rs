//! Another interpolator, in one long-lived Python process.

use crate::problem::Problem;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// What is installed for the peers, and for nothing else.
const PACKAGES: [&str; 2] = ["cvc5==1.4.2", "z3-solver==5.4.0.0"];
/// Reading the problem is not on the peer's clock, but must end too.
const GRACE: Duration = Duration::from_secs(1);

/// A virtual environment with the packages; made if it is not there.
pub(crate) fn environment(target: &Path) -> Result<PathBuf, String> {
    let folder = target.join("peers");
    let python = folder.join("bin").join("python");
    let done = folder.join("installed");
    let wanted = PACKAGES.join(" ");
    if std::fs::read_to_string(&done).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    eprintln!("setting up {wanted} below {}", folder.display());
    run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet"])
        .args(PACKAGES))?;
    std::fs::write(&done, wanted).map_err(|error| error.to_string())?;
    Ok(python)
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status();
    let status = status.map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{} failed", command.get_program().display()))
}

/// What a peer says to a problem.
pub(crate) enum Reply {
    /// Interpolants as text, and the time of its calls.
    Solved(Vec<String>, Duration),
    /// It gave up, or could not read the problem.
    Unknown(String, Duration),
}

/// A peer. It is started when it is asked, and again after it had to be stopped.
pub(crate) struct Peer {
    python: PathBuf,
    script: PathBuf,
    process: Option<Process>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Peer {
    /// A peer by the name of its script.
    pub(crate) fn new(name: &str, python: &Path) -> Peer {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
        Peer {
            python: python.to_owned(),
            script: scripts.join(format!("{name}_peer.py")),
            process: None,
        }
    }

    /// Asks for the interpolants of a problem.
    pub(crate) fn ask(&mut self, problem: &Problem, limit: Duration) -> Result<Reply, String> {
        match self.exchange(&request(problem, limit), limit)? {
            Ok(line) => read(&line),
            Err(reason) => Ok(Reply::Unknown(reason.to_owned(), limit)),
        }
    }

    /// Sends a request and gives the line that answers it, or why there is none.
    pub(crate) fn exchange(
        &mut self,
        request: &Value,
        limit: Duration,
    ) -> Result<Result<String, &'static str>, String> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        let sent = writeln!(process.input, "{request}").and_then(|()| process.input.flush());
        let answer = match sent {
            Ok(()) => process.lines.recv_timeout(limit + GRACE),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        match answer {
            Ok(line) => {
                self.process = Some(process);
                Ok(Ok(line))
            }
            Err(error) => {
                // It may have ended by itself; either way it is over.
                let _ = process.child.kill();
                let _ = process.child.wait();
                Ok(Err(match error {
                    RecvTimeoutError::Timeout => "time",
                    RecvTimeoutError::Disconnected => "it died",
                }))
            }
        }
    }

    fn start(&self) -> Result<Process, String> {
        let mut child = Command::new(&self.python)
            .arg(&self.script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", self.python.display()))?;
        let input = child.stdin.take().ok_or("a child should have an input")?;
        let output = child.stdout.take().ok_or("a child should have an output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                // There is no listener once the peer is stopped.
                if line.is_err() || line.is_ok_and(|line| sender.send(line).is_err()) {
                    break;
                }
            }
        });
        let process = Process {
            child,
            input,
            lines,
        };
        // It says a word once it is ready, so that starting up is not counted.
        let ready = process.lines.recv_timeout(Duration::from_secs(60));
        ready.map_err(|_| format!("{} does not start", self.script.display()))?;
        Ok(process)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}

fn request(problem: &Problem, limit: Duration) -> Value {
    let store = &problem.store;
    let cuts = 0..problem.parts.len() - 1;
    let parents: Vec<Option<usize>> = cuts.clone().map(|cut| problem.shape.parent(cut)).collect();
    let shared: Vec<Vec<&str>> = cuts
        .map(|cut| {
            let symbols = problem.shared(cut).into_iter();
            symbols.map(|symbol| &*store.symbol(symbol).name).collect()
        })
        .collect();
    let parts: Vec<String> = problem
        .parts
        .iter()
        .map(|&part| store.smtlib(part))
        .collect();
    json!({
        "declarations": problem.declarations(),
        "parts": parts,
        "parents": parents,
        "shared": shared,
        "seconds": limit.as_secs_f64(),
    })
}

fn read(line: &str) -> Result<Reply, String> {
    let answer: Value = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
    let seconds = answer["seconds"].as_f64().unwrap_or(0.0);
    let time = Duration::from_secs_f64(seconds);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if answer["status"] == "solved" {
        let interpolants = answer["interpolants"].as_array();
        let interpolants = interpolants.ok_or("a solved problem should have interpolants")?;
        return Ok(Reply::Solved(interpolants.iter().map(text).collect(), time));
    }
    Ok(Reply::Unknown(text(&answer["reason"]), time))
}
