//! SV-COMP task definitions: which files, which properties, which data model.

use crate::{Failure, model_named, pattern};
use cfront::types::DataModel;
use serde::Deserialize;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A task definition, read and checked.
#[derive(Clone, PartialEq, Debug)]
pub struct TaskFile {
    /// The C files, in the order they are named; those of one pattern by name.
    pub files: Vec<PathBuf>,
    /// What is asked of it.
    pub properties: Vec<Asked>,
    /// The sizes, if said.
    pub model: Option<DataModel>,
}

/// A property that is asked of a task.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// The property file, which need not exist.
    pub file: PathBuf,
    /// Whether it holds, if the definition says so.
    pub expected: Option<bool>,
}

impl Asked {
    /// The property's name: by convention that of its file.
    pub fn name(&self) -> Cow<'_, str> {
        self.file
            .file_stem()
            .map_or(Cow::Borrowed(""), |stem| stem.to_string_lossy())
    }

    /// What `--property` takes. Collections that were moved often point to property files that are
    /// not there. Their names are fixed, so the name is enough.
    pub fn word(&self) -> String {
        if self.file.is_file() {
            self.file.to_string_lossy().into_owned()
        } else {
            self.name().into_owned()
        }
    }
}

impl TaskFile {
    /// The property of a name.
    pub fn property(&self, name: &str) -> Option<&Asked> {
        self.properties.iter().find(|asked| asked.name() == name)
    }
}

/// The YAML document; everything optional, so that we say ourselves what is missing.
#[derive(Deserialize)]
struct Document {
    format_version: Option<String>,
    input_files: Option<OneOrMany>,
    properties: Option<Vec<PropertyEntry>>,
    options: Option<Options>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: Option<String>,
    expected_verdict: Option<bool>,
}

#[derive(Deserialize)]
struct Options {
    language: Option<String>,
    data_model: Option<String>,
}

/// The versions that BenchExec reads.
const VERSIONS: [&str; 4] = ["0.1", "1.0", "2.0", "2.1"];

/// Whether a file is a task definition, by its name.
pub fn is_task_file(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "yml" || ending == "yaml")
}

/// Reads a task definition.
pub fn read(path: &Path) -> Result<TaskFile, Failure> {
    let text = std::fs::read(path)
        .map_err(|error| Failure::io("cannot read task definition", path, &error))?;
    let base = path.parent().unwrap_or(Path::new(""));
    parse(&String::from_utf8_lossy(&text), base)
        .map_err(|message| Failure::new(format!("task definition `{}` {message}", path.display())))
}

fn parse(text: &str, base: &Path) -> Result<TaskFile, String> {
    let document: Document = serde_saphyr::from_str(text).map_err(|error| {
        let first = error.to_string();
        format!(
            "is not a valid one: {}",
            first.lines().next().unwrap_or_default()
        )
    })?;
    let missing = |key: &str| format!("has no `{key}`");
    let version = document
        .format_version
        .ok_or_else(|| missing("format_version"))?;
    if !VERSIONS.contains(&version.as_str()) {
        return Err(format!("has the unknown `format_version` {version}"));
    }
    let patterns = match document.input_files.ok_or_else(|| missing("input_files"))? {
        OneOrMany::One(pattern) => vec![pattern],
        OneOrMany::Many(patterns) => patterns,
    };
    let mut files = Vec::new();
    for pattern in &patterns {
        let found = pattern::expand(&base.join(pattern));
        files.extend(found.map_err(|what| format!("names `{pattern}`, {what}"))?);
    }
    if files.is_empty() {
        return Err("names no input file".to_owned());
    }
    let mut properties = Vec::new();
    for entry in document.properties.unwrap_or_default() {
        let file = entry
            .property_file
            .ok_or_else(|| "has a property without `property_file`".to_owned())?;
        properties.push(Asked {
            file: base.join(file),
            expected: entry.expected_verdict,
        });
    }
    let options = document.options;
    if let Some(language) = options
        .as_ref()
        .and_then(|options| options.language.as_ref())
        && language != "C"
    {
        return Err(format!("asks for language `{language}`; only C is known"));
    }
    let model = match options.and_then(|options| options.data_model) {
        None => None,
        Some(name) => {
            let model = model_named(&name);
            Some(model.ok_or_else(|| format!("has the unknown `data_model` {name}"))?)
        }
    };
    Ok(TaskFile {
        files,
        properties,
        model,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_sv_comp_writes() {
        let text = "format_version: '2.0'\n# old name\ninput_files: 'sum.c'\nproperties:\n  - \
                    property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n  \
                    - {property_file: p.prp, expected_verdict: true, subproperty: valid-deref}\n\
                    options:\n  language: C\n  data_model: ILP32\n";
        let task = parse(text, Path::new("dir")).unwrap();
        assert_eq!(task.files, [Path::new("dir/sum.c")]);
        let asked: Vec<_> = task
            .properties
            .iter()
            .map(|asked| (asked.name().into_owned(), asked.expected))
            .collect();
        assert_eq!(
            asked,
            [
                ("unreach-call".to_owned(), Some(false)),
                ("p".to_owned(), Some(true))
            ]
        );
        assert_eq!(task.properties[1].word(), "p");
        assert_eq!(task.model, Some(DataModel::Ilp32));
        let list = parse(
            "format_version: 1.0\ninput_files: [a.c, b.c]\n",
            Path::new(""),
        )
        .unwrap();
        assert_eq!(list.files, [Path::new("a.c"), Path::new("b.c")]);
        assert_eq!(list.model, None);
    }

    #[test]
    fn names_what_is_missing() {
        let cases = [
            ("input_files: a.c", "no `format_version`"),
            ("format_version: '2.0'", "no `input_files`"),
            (
                "format_version: '9'\ninput_files: a.c",
                "unknown `format_version` 9",
            ),
            (
                "format_version: '2.0'\ninput_files: []",
                "names no input file",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties: [{expected_verdict: true}]",
                "without `property_file`",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\noptions: {data_model: LP32}",
                "unknown `data_model` LP32",
            ),
            (
                "format_version: '2.0'\ninput_files: a.java\noptions: {language: Java}",
                "only C is known",
            ),
            (
                "format_version: '2.0'\ninput_files: 'no-such-*.c'",
                "matches no file",
            ),
            ("[1, 2", "is not a valid one"),
            ("", "format_version"),
        ];
        for (text, expected) in cases {
            let message = parse(text, Path::new("")).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
