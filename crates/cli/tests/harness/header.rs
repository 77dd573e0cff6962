//! The header of a test program.
//!
//! ```c
//! // expect: unsafe           (or safe, unknown)
//! // error-line: 9
//! // level: core              (core, slow, knownbug)
//! // property: no-overflow    (default: assertions)
//! // data-model: ILP32        (default: LP64)
//! // failing-alloc: all       (default: realloc)
//! // unknown: random (why)    (an engine that gives up; `gps*` means all its variants)
//! // skip: random (why) (an engine that is not tried: whether it gives up is a matter of time)
//! ```

use std::path::Path;

/// What a program says about itself.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// `safe`, `unsafe` or `unknown`.
    pub(crate) expect: String,
    /// The line of the violation.
    pub(crate) error_line: Option<u64>,
    /// How long it may take, or that it is known to fail.
    pub(crate) level: Level,
    /// The property, if not assertions.
    pub(crate) property: Option<String>,
    /// The data model.
    pub(crate) model: String,
    /// The allocations that may fail.
    pub(crate) failing: String,
    /// The engines that may give up.
    pub(crate) unknown: Vec<String>,
    /// The engines that are not tried.
    pub(crate) skip: Vec<String>,
}

/// How long a trial may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// A second.
    Core,
    /// Half a minute.
    Slow,
    /// It fails, and must go on failing until it is repaired and the header changed.
    KnownBug,
}

impl Level {
    /// The time that the engine gets, in seconds.
    pub(crate) fn timeout(self) -> u32 {
        match self {
            Level::Core | Level::KnownBug => 1,
            Level::Slow => 30,
        }
    }
}

impl Header {
    /// The flags that it asks for.
    pub(crate) fn flags(&self) -> Vec<&str> {
        let mut flags = vec![
            "--data-model",
            &self.model,
            "--failing-alloc",
            &self.failing,
        ];
        if let Some(property) = &self.property {
            flags.extend(["--property", property]);
        }
        flags
    }

    /// Whether an engine may give up.
    pub(crate) fn may_give_up(&self, engine: &str) -> bool {
        is_named(&self.unknown, engine)
    }

    /// Whether an engine is not tried.
    pub(crate) fn skips(&self, engine: &str) -> bool {
        is_named(&self.skip, engine)
    }

    /// Reads the header of a file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        Header::parse(&text)
    }

    /// Reads the comment lines at the start of a text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut header = Header {
            expect: String::new(),
            error_line: None,
            level: Level::Core,
            property: None,
            model: "LP64".to_owned(),
            failing: "realloc".to_owned(),
            unknown: Vec::new(),
            skip: Vec::new(),
        };
        for line in text.lines() {
            let Some(comment) = line.strip_prefix("// ") else {
                break;
            };
            let Some((key, value)) = comment.split_once(": ") else {
                continue;
            };
            // A word, then perhaps why.
            let word = value.split(' ').next().unwrap_or_default().to_owned();
            match key {
                "expect" => header.expect = word,
                "error-line" => {
                    header.error_line =
                        Some(word.parse().map_err(|_| format!("bad line: {line}"))?);
                }
                "level" => {
                    header.level = match word.as_str() {
                        "core" => Level::Core,
                        "slow" => Level::Slow,
                        "knownbug" => Level::KnownBug,
                        _ => return Err(format!("bad level: {line}")),
                    };
                }
                "property" => header.property = Some(word),
                "data-model" => header.model = word,
                "failing-alloc" => header.failing = word,
                "unknown" => header.unknown.push(word),
                "skip" => header.skip.push(word),
                _ => return Err(format!("unknown header: {line}")),
            }
        }
        let known = matches!(header.expect.as_str(), "safe" | "unsafe" | "unknown");
        if !known {
            return Err("no `// expect: safe|unsafe|unknown` at the start".to_owned());
        }
        if (header.expect == "unsafe") != header.error_line.is_some() {
            return Err("`error-line` belongs to `expect: unsafe`, and only there".to_owned());
        }
        Ok(header)
    }
}

/// Whether a list names an engine, perhaps by the start of its name.
fn is_named(names: &[String], engine: &str) -> bool {
    names.iter().any(|name| match name.strip_suffix('*') {
        Some(start) => engine.starts_with(start),
        None => name == engine,
    })
}
