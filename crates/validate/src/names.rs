//! Maps the file names in a witness to the files at hand.
//!
//! Files may have been moved, so the ends of two names are compared; a text that was given is
//! identified by its hash.
//!
//! # Invariants
//! - A name denotes one file: an ambiguous one is an error.

use input::Loaded;
use std::collections::BTreeMap;
use std::path::Path;
use witness::format::{Content, Entry, Location, hash};
use witness::position::Positions;

/// What an entry says, with the names that its files have here. The error says which file is in
/// doubt.
pub(crate) fn renamed(entry: &Entry, loaded: &Loaded) -> Result<Content, String> {
    let mut names = Names::new(entry, loaded);
    let mut content = entry.content.clone();
    let mut rename = |location: &mut Location| names.rename(&mut location.file_name);
    match &mut content {
        Content::Violation(segments) => {
            for segment in segments {
                for waypoint in &mut segment.avoid {
                    rename(&mut waypoint.location)?;
                }
                rename(&mut segment.follow.location)?;
            }
        }
        Content::Invariants(invariants) => {
            for invariant in invariants {
                rename(&mut invariant.location)?;
            }
        }
    }
    Ok(content)
}

struct Names {
    /// The names in the witness of the files given, with their hashes.
    said: BTreeMap<String, String>,
    /// The names of the files given here, with their hashes.
    given: Vec<(String, String)>,
    /// The names that places here have.
    here: Vec<String>,
    /// What is known: a witness names few files in many places.
    known: BTreeMap<String, String>,
}

impl Names {
    fn new(entry: &Entry, loaded: &Loaded) -> Self {
        let given = loaded.request.files.iter().filter_map(|file| {
            let text = std::fs::read(file).ok()?;
            Some((file.to_string_lossy().into_owned(), hash(&text)))
        });
        Names {
            said: entry.metadata.task.input_file_hashes.clone(),
            given: given.collect(),
            here: Positions::new(&loaded.sources).file_names(),
            known: BTreeMap::new(),
        }
    }

    fn rename(&mut self, name: &mut String) -> Result<(), String> {
        if !self.known.contains_key(name) {
            let found = self.find(name)?.to_owned();
            self.known.insert(name.clone(), found);
        }
        name.clone_from(&self.known[name]);
        Ok(())
    }

    /// The name here of a file; its own if there is none.
    fn find<'a>(&'a self, name: &'a str) -> Result<&'a str, String> {
        let mut found = name;
        if let Some(said) = nearest(self.said.keys(), name)? {
            let is_it = |row: &&(String, String)| row.1.eq_ignore_ascii_case(&self.said[said]);
            let same = self.given.iter().filter(is_it).map(|(name, _)| name);
            found = match &same.collect::<Vec<_>>()[..] {
                [only] => only,
                several => nearest(several.iter().copied(), name)?.unwrap_or(name),
            };
        }
        Ok(nearest(self.here.iter(), found)?.unwrap_or(found))
    }
}

/// The name that is this one, or that ends as it does for the most parts.
fn nearest<'a>(
    names: impl Iterator<Item = &'a String> + Clone,
    asked: &str,
) -> Result<Option<&'a str>, String> {
    if let Some(same) = names.clone().find(|name| *name == asked) {
        return Ok(Some(same));
    }
    let most = names.clone().map(|name| common(name, asked)).max();
    let Some(most @ 1..) = most else {
        return Ok(None);
    };
    let found: Vec<&str> = names
        .filter(|name| common(name, asked) == most)
        .map(String::as_str)
        .collect();
    match found[..] {
        [only] => Ok(Some(only)),
        _ => Err(format!(
            "`{asked}` may be more than one file: {}",
            found.join(", ")
        )),
    }
}

/// How many parts at the end of two paths are the same.
fn common(a: &str, b: &str) -> usize {
    let parts = |path| Path::new(path).components().rev();
    let pairs = parts(a).zip(parts(b));
    pairs.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_end_alike_are_found() {
        let names = ["a/x.c", "b/x.c", "/c/y.c"].map(str::to_owned);
        let cases = [
            ("a/x.c", Ok(Some("a/x.c"))),
            ("/other/b/x.c", Ok(Some("b/x.c"))),
            ("./y.c", Ok(Some("/c/y.c"))),
            ("z.c", Ok(None)),
            ("x.c", Err(())),
            ("c/x.c", Err(())),
        ];
        for (asked, expected) in cases {
            let found = nearest(names.iter(), asked).map_err(|_| ());
            assert_eq!(found, expected, "{asked}");
        }
    }
}
