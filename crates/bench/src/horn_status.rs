//! The expected status of Horn clauses: a table `chc-status.csv` next to them, or one folder above.
//!
//! The table has a column `file`, with names relative to the table's folder, and a column `status`,
//! which is `sat`, `unsat` or empty.

use std::path::Path;

const TABLE: &str = "chc-status.csv";

/// Whether a file of clauses has a model, if a table says so.
pub(crate) fn expected(file: &Path) -> Option<bool> {
    let file = std::path::absolute(file).ok()?;
    let folders = file.ancestors().skip(1).take(2);
    folders.into_iter().find_map(|folder| {
        let text = std::fs::read_to_string(folder.join(TABLE)).ok()?;
        let name = file.strip_prefix(folder).ok()?;
        status(&text, &name.to_string_lossy())
    })
}

/// What a table says about a file.
fn status(table: &str, name: &str) -> Option<bool> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headers = reader.headers().ok()?.clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    let (file, status) = (column("file")?, column("status")?);
    let mut rows = reader.records().filter_map(Result::ok);
    let row = rows.find(|row| row.get(file) == Some(name))?;
    match row.get(status)? {
        "sat" => Some(true),
        "unsat" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_says_what_is_expected() {
        let table = "file,status,by\na/x.smt2,sat,s\na/y.smt2,unsat,\na/z.smt2,,\n";
        let cases = [
            ("a/x.smt2", Some(true)),
            ("a/y.smt2", Some(false)),
            ("a/z.smt2", None),
            ("x.smt2", None),
        ];
        for (name, expected) in cases {
            assert_eq!(status(table, name), expected, "{name}");
        }
    }
}
