//! What `docs/guide/undefined.md` says about undefined behaviour is so: a row that claims that the
//! run ends names a program in `tests/undefined` whose run does, before its assertion fails.

mod harness;

use harness::{cairn, json, root};
use std::collections::BTreeSet;
use std::path::PathBuf;

#[test]
fn the_run_ends_where_the_guide_says_so() {
    let page = root().join("docs/guide/undefined.md");
    let text = std::fs::read_to_string(page).expect("the page should be there");
    let mut shown = BTreeSet::new();
    let mut problems = Vec::new();
    for row in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let &[_, _, happens, _, program, _] = cells.as_slice() else {
            panic!("a row should have four cells: {row}");
        };
        if !happens.starts_with("the run ends") {
            continue;
        }
        let name = program.trim_matches('`');
        shown.insert(name.to_owned());
        problems.extend(problem(name).map(|why| format!("{name}: {why}")));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(shown, programs(), "every program should be in the table");
}

/// What is wrong with the run of a program, or with the verdict on it.
fn problem(name: &str) -> Option<String> {
    let path = folder().join(name).with_extension("c");
    let run = cairn().args(["run", "--json"]).arg(&path).output();
    let document = json(&run.expect("the command should start"));
    let end = match &document {
        Ok(document) => &document["end"]["kind"],
        Err(why) => return Some(why.clone()),
    };
    if end != "undefined" {
        return Some(format!("its run ends otherwise: {end}"));
    }
    let check = cairn()
        .args(["check", "--quiet", "--json", "--timeout", "10"])
        .arg(&path)
        .output();
    match json(&check.expect("the command should start")) {
        Ok(document) if document["verdict"] == "unsafe" => Some("it is said to fail".to_owned()),
        Ok(_) => None,
        Err(why) => Some(why),
    }
}

fn folder() -> PathBuf {
    root().join("tests/undefined")
}

fn programs() -> BTreeSet<String> {
    let files = std::fs::read_dir(folder()).expect("the folder should be there");
    files
        .map(|file| file.expect("its files should be readable").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}
