//! The folder of a run: its settings, its rows as they arrive, and finally its reports.
//!
//! # Invariants
//! - A row passed to [`Folder::append`] survives an interruption.
//! - Rows of different settings are never in one folder.

use super::child::Limits;
use super::row::Row;
use super::rows;
use input::Failure;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What rows depend on besides task and engine.
#[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Settings {
    pub cairn: String,
    pub property: String,
    pub timeout_s: f64,
    pub memory_mb: u64,
    pub flags: Vec<String>,
}

impl Settings {
    /// As the command line says.
    pub fn new(property: &str, limits: &Limits, flags: &[String]) -> Self {
        Settings {
            cairn: env!("CARGO_PKG_VERSION").to_owned(),
            property: property.to_owned(),
            timeout_s: limits.time.as_secs_f64(),
            memory_mb: limits.memory,
            flags: flags.to_vec(),
        }
    }
}

/// An open folder.
pub struct Folder {
    path: PathBuf,
    rows: File,
}

const SETTINGS: &str = "settings.json";
const ROWS: &str = "results.csv";
const UNWRITABLE: &str = "cannot write to";

impl Folder {
    /// Opens a folder for rows of these settings. Gives the rows that it has already.
    pub fn open(
        path: &Path,
        settings: &Settings,
        resume: bool,
    ) -> Result<(Self, Vec<Row>), Failure> {
        let earlier = if path.join(ROWS).exists() {
            if !resume {
                let message = format!("`{}` has results already", path.display());
                return Err(Failure::new(message)
                    .help("--resume goes on with them; or choose another --out"));
            }
            read_back(path, settings)?
        } else {
            Vec::new()
        };
        let open = || -> io::Result<Self> {
            fs::create_dir_all(path)?;
            let text = serde_json::to_string_pretty(settings)?;
            replace(path, SETTINGS, &(text + "\n"))?;
            replace(path, ROWS, &all_rows(&earlier))?;
            Ok(Folder {
                path: path.to_path_buf(),
                rows: OpenOptions::new().append(true).open(path.join(ROWS))?,
            })
        };
        let folder = open().map_err(|error| Failure::io(UNWRITABLE, path, &error))?;
        Ok((folder, earlier))
    }

    /// Adds a row.
    pub fn append(&mut self, row: &Row) -> Result<(), Failure> {
        let line = rows::line(row);
        self.rows
            .write_all(line.as_bytes())
            .and_then(|()| self.rows.sync_data())
            .map_err(|error| Failure::io(UNWRITABLE, &self.path, &error))
    }

    /// Puts the rows into their final order.
    pub fn write_rows(&self, rows: &[Row]) -> Result<(), Failure> {
        self.write(ROWS, &all_rows(rows))
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        replace(&self.path, name, text).map_err(|error| Failure::io(UNWRITABLE, &self.path, &error))
    }
}

/// The rows of an earlier run with the same settings.
fn read_back(path: &Path, settings: &Settings) -> Result<Vec<Row>, Failure> {
    let name = path.display();
    let text = |file: &str| {
        fs::read_to_string(path.join(file))
            .map_err(|error| Failure::new(format!("cannot read `{file}` in `{name}`: {error}")))
    };
    let found: Settings = serde_json::from_str(&text(SETTINGS)?)
        .map_err(|error| Failure::new(format!("cannot read `{SETTINGS}` in `{name}`: {error}")))?;
    if found != *settings {
        return Err(
            Failure::new(format!("the results in `{name}` are of other settings"))
                .note(format!("there: {found:?}\nnow:   {settings:?}")),
        );
    }
    rows::read(&text(ROWS)?)
        .ok_or_else(|| Failure::new(format!("`{ROWS}` in `{name}` is not one of ours")))
}

fn all_rows(rows: &[Row]) -> String {
    let lines = rows.iter().map(rows::line);
    std::iter::once(rows::HEADER.to_owned())
        .chain(lines)
        .collect()
}

/// Writes a file so that it is there as it was or as it is to be, whatever happens.
fn replace(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let new = folder.join(format!("{name}.new"));
    fs::write(&new, text)?;
    fs::rename(&new, folder.join(name))
}
