//! Standard output and standard error: the only place that writes to them.
//!
//! # Invariants
//! - An answer is written in one piece, so that a reader never sees half of it.

use crate::args::Common;
use crate::render::Render;
use clap::ColorChoice;
use input::Failure;
use std::io::{Error, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// The width of what is not a terminal.
const COLUMNS: usize = 100;
/// Terminals that are narrower get lines that are too long.
const NARROWEST: usize = 40;

/// How to talk to the person.
#[derive(Clone, Debug)]
pub(crate) struct Console {
    /// Whether standard output takes colours.
    pub(crate) color: bool,
    /// How many characters fit on a line of standard output.
    pub(crate) width: usize,
    /// Whether standard error takes colours.
    stderr_color: bool,
    /// The answer only.
    pub(crate) quiet: bool,
    /// More than usual.
    pub(crate) verbose: bool,
    /// How far the command has come; shared by all clones.
    standing: Arc<Mutex<Standing>>,
}

/// How far a command has come, for the case that it is cut off.
#[derive(Clone, Default, Debug)]
pub(crate) struct Standing {
    /// What is being done.
    pub(crate) phase: &'static str,
    /// What has come of it so far, if there is something to keep.
    pub(crate) so_far: Option<String>,
    /// The verdict and its exit code, once there is one.
    pub(crate) decided: Option<(&'static str, u8)>,
    /// Whether the answer was written.
    pub(crate) is_answered: bool,
    /// Whether another answer was given instead, so that none may follow.
    is_closed: bool,
}

/// How long an answer that is being written may delay the end of a command that is cut off.
const WRITING: Duration = Duration::from_millis(100);

impl Console {
    /// As the flags and the environment say.
    pub(crate) fn new(common: &Common) -> Self {
        let wants = |terminal: bool| match common.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let set = |name: &str| std::env::var_os(name).is_some_and(|text| !text.is_empty());
                let force = || std::env::var_os("CLICOLOR_FORCE").is_some_and(|text| text != "0");
                !set("NO_COLOR") && (terminal || force())
            }
        };
        Console {
            color: wants(std::io::stdout().is_terminal()),
            width: columns(std::io::stdout()),
            stderr_color: wants(std::io::stderr().is_terminal()),
            quiet: common.quiet,
            verbose: common.verbose,
            standing: Arc::new(Mutex::new(Standing {
                phase: "starting",
                ..Standing::default()
            })),
        }
    }

    /// Notes what is being done.
    pub(crate) fn enter(&self, phase: &'static str) {
        let mut standing = self.standing();
        standing.phase = phase;
        standing.so_far = None;
    }

    /// Notes what has come of the present work, to be said if it is cut off.
    pub(crate) fn so_far(&self, what: String) {
        self.standing().so_far = Some(what);
    }

    /// Notes the verdict, which counts from now on even if it can no longer be shown.
    pub(crate) fn decided(&self, verdict: &'static str, code: u8) {
        self.standing().decided = Some((verdict, code));
    }

    /// Keeps further answers from being written, and returns how far the command has come.
    pub(crate) fn close(&self) -> Standing {
        let start = Instant::now();
        loop {
            match self.standing.try_lock() {
                Ok(mut standing) => {
                    standing.is_closed = true;
                    return standing.clone();
                }
                Err(TryLockError::Poisoned(standing)) => return standing.into_inner().clone(),
                Err(TryLockError::WouldBlock) if start.elapsed() < WRITING => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                // An answer is being written to a reader that does not read.
                Err(TryLockError::WouldBlock) => {
                    return Standing {
                        phase: "writing the answer",
                        is_answered: true,
                        is_closed: true,
                        ..Standing::default()
                    };
                }
            }
        }
    }

    fn standing(&self) -> std::sync::MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the answer, unless another one was given instead.
    fn write_once(&self, bytes: &[u8]) -> Result<(), Error> {
        let mut standing = self.standing();
        if standing.is_closed {
            return Ok(());
        }
        let written = write_out(bytes);
        standing.is_answered = true;
        standing.phase = "writing what was asked for besides";
        written
    }

    /// The same without colours, for files.
    pub(crate) fn plain(&self) -> Self {
        Console {
            color: false,
            ..self.clone()
        }
    }

    /// Whether standard error is a terminal that may be written to.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// Writes an answer.
    pub(crate) fn answer(&self, bytes: &[u8]) -> Result<(), Failure> {
        match self.write_once(bytes) {
            // A reader that has gone needs no message.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(unwritten(&error)),
            Ok(()) => Ok(()),
        }
    }

    /// Writes an answer that ends in a verdict; if that fails, the verdict goes to standard error
    /// and the error after it. Gives whether it could be written.
    pub(crate) fn answer_verdict(&self, bytes: &[u8], verdict: &str) -> bool {
        let written = self.write_once(bytes);
        self.verdict_at_least(written, verdict)
    }

    /// The same for the answer of a command that was cut off.
    pub(crate) fn last_answer(&self, bytes: &[u8], verdict: &str) -> bool {
        self.verdict_at_least(write_out(bytes), verdict)
    }

    fn verdict_at_least(&self, written: Result<(), Error>, verdict: &str) -> bool {
        if let Err(error) = &written {
            self.remark(&format!("Verdict: {verdict}\n"));
            self.failure(&unwritten(error));
        }
        written.is_ok()
    }

    /// Writes to standard error.
    pub(crate) fn remark(&self, text: &str) {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// Renders for standard error.
    pub(crate) fn render(&self) -> Render {
        Render::new(self.stderr_color, columns(std::io::stderr()))
    }

    /// Renders for standard output.
    pub(crate) fn render_answer(&self) -> Render {
        Render::new(self.color, self.width)
    }

    /// Says why a command failed.
    pub(crate) fn failure(&self, failure: &Failure) {
        self.remark(&self.render().failure(failure));
    }

    /// A word in bold, if there are colours.
    pub(crate) fn bold(&self, text: &str) -> String {
        self.styled("1", text)
    }

    /// A word in a faint colour, if there are colours.
    pub(crate) fn faint(&self, text: &str) -> String {
        self.styled("2", text)
    }

    /// The margin with line numbers, as in diagnostics.
    pub(crate) fn gutter(&self, text: &str) -> String {
        self.styled("1;94", text)
    }

    /// Values of variables.
    pub(crate) fn value(&self, text: &str) -> String {
        self.styled("36", text)
    }

    fn styled(&self, code: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// How many characters fit on a line.
fn columns(stream: impl AsFd) -> usize {
    match rustix::termios::tcgetwinsize(stream) {
        Ok(size) if size.ws_col > 0 => usize::from(size.ws_col).max(NARROWEST),
        Ok(_) | Err(_) => COLUMNS,
    }
}

fn write_out(bytes: &[u8]) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}

fn unwritten(error: &Error) -> Failure {
    Failure::new(format!("cannot write to standard output: {error}"))
}
