//! A table of verdicts: program, engine, verdict, effort; one line each, sorted.

use std::collections::BTreeMap;
use std::path::Path;

const HEAD: &str = "program,engine,verdict,effort";

/// What a row is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    /// The path below the folder of programs, without its ending.
    pub(crate) program: String,
    /// The engine.
    pub(crate) engine: String,
}

impl Key {
    /// A program below a folder, and an engine.
    pub(crate) fn new(folder: &Path, program: &Path, engine: &str) -> Self {
        let short = program.strip_prefix(folder).unwrap_or(program);
        Key {
            program: short.with_extension("").to_string_lossy().into_owned(),
            engine: engine.to_owned(),
        }
    }

    /// Both in one.
    pub(crate) fn text(&self) -> String {
        format!("{}-{}", self.program, self.engine)
    }
}

/// What is recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// `safe` or `unsafe`.
    pub(crate) verdict: String,
    /// What it took, rounded up to a power of two.
    pub(crate) effort: u64,
}

/// Verdicts of engines.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Table(BTreeMap<Key, Row>);

impl Table {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        Table::parse(&text)
    }

    /// Reads a text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(format!("the first line should be `{HEAD}`"));
        }
        let mut table = Table::default();
        for line in lines {
            let bad = || format!("bad row: {line}");
            let fields: Vec<&str> = line.split(',').collect();
            let &[program, engine, verdict @ ("safe" | "unsafe"), effort] = &fields[..] else {
                return Err(bad());
            };
            let key = Key {
                program: program.to_owned(),
                engine: engine.to_owned(),
            };
            let row = Row {
                verdict: verdict.to_owned(),
                effort: effort.parse().map_err(|_| bad())?,
            };
            if table.0.insert(key, row).is_some() {
                return Err(format!("twice: {line}"));
            }
        }
        Ok(table)
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &Path) -> std::io::Result<()> {
        let rows = self.0.iter().map(|(key, row)| {
            format!(
                "{},{},{},{}\n",
                key.program, key.engine, row.verdict, row.effort
            )
        });
        std::fs::write(path, format!("{HEAD}\n{}", rows.collect::<String>()))
    }

    /// A row.
    pub(crate) fn get(&self, key: &Key) -> Option<&Row> {
        self.0.get(key)
    }

    /// What the rows are about.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.0.keys()
    }

    /// Adds a row.
    pub(crate) fn insert(&mut self, key: Key, row: Row) {
        self.0.insert(key, row);
    }

    /// This table with the rows of another, where those are new or took less effort.
    pub(crate) fn grown(&self, other: &Table) -> Table {
        let mut grown = self.clone();
        for (key, row) in &other.0 {
            let known = grown.0.entry(key.clone()).or_insert_with(|| row.clone());
            known.effort = known.effort.min(row.effort);
        }
        grown
    }
}
