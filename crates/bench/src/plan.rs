//! From paths to jobs: which tasks, in which order, with which expected verdicts.

use crate::horn_status;
use input::Failure;
use input::task;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A task to be decided.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// The folder it is in, as tables name it.
    pub set: String,
    /// The file, as the command line leads to it.
    pub file: PathBuf,
    /// What `cairn check --property` takes.
    pub property: String,
    /// Whether the property holds, if the task says so.
    pub expected: Option<bool>,
}

impl Task {
    /// Whether it consists of Horn clauses.
    pub fn is_horn(&self) -> bool {
        has_ending(&self.file, &HORN)
    }
}

const DEFINITIONS: [&str; 2] = ["yml", "yaml"];
const PROGRAMS: [&str; 3] = ["c", "i", "cfa"];
const HORN: [&str; 1] = ["smt2"];

/// The tasks that the paths name: in the order of the paths, those of a folder by name, each once.
pub fn tasks(paths: &[PathBuf], property: &str) -> Result<Vec<Task>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(files_of(path)?);
    }
    let mut known = BTreeSet::new();
    files.retain(|file| known.insert(file.clone()));
    let folders: Vec<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let common = common_folder(&folders);
    let tasks = files.iter().map(|file| {
        let (property, expected) = match has_ending(file, &HORN) {
            true => (property.to_owned(), horn_status::expected(file)),
            false => asked(file, property),
        };
        Task {
            set: set_name(file, &common),
            file: file.clone(),
            property,
            expected,
        }
    });
    Ok(tasks.collect())
}

/// The files that one path of the command line stands for.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.is_dir() {
        return files_below(path);
    }
    let found = input::expand(path)
        .map_err(|what| Failure::new(format!("`{}` is a path {what}", path.display())))?;
    for file in &found {
        let name = file.display();
        if !file.is_file() {
            return Err(Failure::new(format!("no file or folder `{name}`")));
        }
        if ![&DEFINITIONS[..], &PROGRAMS, &HORN]
            .iter()
            .any(|endings| has_ending(file, endings))
        {
            let failure = Failure::new(format!("`{name}` is no task"));
            return Err(failure.help("tasks are .yml, .c, .i, .cfa and .smt2 files, and folders"));
        }
    }
    Ok(found)
}

/// The task definitions below a folder or, without any, the programs; and all Horn clauses.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    walk(folder, &mut all).map_err(|error| Failure::io("cannot list folder", folder, &error))?;
    all.sort();
    let defined = all.iter().any(|file| has_ending(file, &DEFINITIONS));
    let wanted: &[&str] = if defined { &DEFINITIONS } else { &PROGRAMS };
    all.retain(|file| has_ending(file, wanted) || has_ending(file, &HORN));
    if all.is_empty() {
        return Err(Failure::new(format!(
            "there is no task below `{}`",
            folder.display()
        )));
    }
    Ok(all)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), found)?;
        } else {
            found.push(entry.path());
        }
    }
    Ok(())
}

fn has_ending(file: &Path, endings: &[&str]) -> bool {
    file.extension()
        .is_some_and(|ending| endings.iter().any(|known| ending == *known))
}

/// What is asked of a file, as `--property` takes it, and the expected answer. A definition that
/// cannot be read has none; `cairn check` will say what is wrong with it.
fn asked(file: &Path, property: &str) -> (String, Option<bool>) {
    let name = Path::new(property).file_stem().unwrap_or_default();
    let definition = task::is_task_file(file).then(|| task::read(file).ok());
    let definition = definition.flatten();
    let asked = definition.as_ref();
    match asked.and_then(|row| row.property(&name.to_string_lossy())) {
        Some(asked) => (asked.word(), asked.expected),
        None => (property.to_owned(), None),
    }
}

/// The deepest folder that all of these are or are in.
fn common_folder(folders: &[&Path]) -> PathBuf {
    let Some(first) = folders.first() else {
        return PathBuf::new();
    };
    first
        .ancestors()
        .find(|ancestor| folders.iter().all(|folder| folder.starts_with(ancestor)))
        .unwrap_or(Path::new(""))
        .to_path_buf()
}

/// The folder of a file, seen from the folder that all tasks have in common; that one by its name.
fn set_name(file: &Path, common: &Path) -> String {
    let folder = file.parent().unwrap_or(Path::new(""));
    let below = folder.strip_prefix(common).unwrap_or(folder);
    let name = if below.as_os_str().is_empty() {
        let absolute = std::path::absolute(folder).unwrap_or_default();
        absolute.file_name().unwrap_or_default().to_os_string()
    } else {
        below.as_os_str().to_os_string()
    };
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_named_by_what_tells_them_apart() {
        let cases: [(&[&str], &[&str]); 3] = [
            (&["b/one/x.c", "b/one/y.c"], &["one", "one"]),
            (&["b/one/x.c", "b/two/x.c"], &["one", "two"]),
            (&["b/x.c", "b/two/x.c"], &["b", "two"]),
        ];
        for (files, names) in cases {
            let folders: Vec<&Path> = files
                .iter()
                .filter_map(|file| Path::new(file).parent())
                .collect();
            let common = common_folder(&folders);
            let found: Vec<String> = files
                .iter()
                .map(|file| set_name(Path::new(file), &common))
                .collect();
            assert_eq!(found, names);
        }
    }
}
