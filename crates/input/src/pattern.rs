//! File name patterns with `*` and `?`.

use std::path::{Path, PathBuf};

/// The files that a path names, in order: `*` and `?` in the file's own name stand for any
/// characters and any one character. A path without them names itself, whether it exists or not.
/// An error continues a sentence that has named the path.
pub fn expand(path: &Path) -> Result<Vec<PathBuf>, String> {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    if !name.contains(&b'*') && !name.contains(&b'?') {
        return Ok(vec![path.to_path_buf()]);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("which cannot be listed: {error}"))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .filter(|entry| matches(name, entry.file_name().as_encoded_bytes()))
        .map(|entry| path.with_file_name(entry.file_name()))
        .collect();
    found.sort();
    if found.is_empty() {
        return Err("which matches no file".to_owned());
    }
    Ok(found)
}

/// Whether a name matches a pattern of `*` and `?`.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'*', rest)) => (0..=name.len()).any(|skipped| matches(rest, &name[skipped..])),
        Some((b'?', rest)) => !name.is_empty() && matches(rest, &name[1..]),
        Some((byte, rest)) => name.first() == Some(byte) && matches(rest, &name[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name, expected) in [
            ("*.c", "a.c", true),
            ("*.c", "a.h", false),
            ("a?.c", "ab.c", true),
            ("a?.c", "a.c", false),
            ("*", "", true),
            ("a*b*c", "aXXbYc", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected);
        }
    }
}
