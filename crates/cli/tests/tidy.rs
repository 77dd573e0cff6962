//! The tree keeps its own rules: order of crates, who may print, headers, tables, names.

mod harness;

use harness::header::Header;
use harness::surroundings::Needed;
use harness::{files, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The members of the workspace, in order, as folders below the root: those before the trust line,
/// and those after it.
fn members_by_trust() -> [Vec<String>; 2] {
    let text = read(&root().join("Cargo.toml"));
    let list = text
        .split_once("members = [")
        .and_then(|(_, rest)| rest.split_once(']'))
        .expect("the workspace should list its members")
        .0;
    let (trusted, rest) = list
        .split_once("# the trust line")
        .expect("the list of members should have the trust line");
    let quoted = |part: &str| {
        part.split('"')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    [quoted(trusted), quoted(rest)]
}

/// All members of the workspace, in order.
fn members() -> Vec<String> {
    members_by_trust().concat()
}

/// All Rust files of the workspace.
fn rust_files() -> Vec<PathBuf> {
    members()
        .iter()
        .flat_map(|member| files(&root().join(member), "rs"))
        .filter(|path| !path.components().any(|part| part.as_os_str() == "target"))
        .collect()
}

fn check(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn crates_depend_only_on_crates_before_them() {
    let mut before: BTreeSet<String> = BTreeSet::new();
    let all: BTreeSet<String> = members()
        .iter()
        .filter_map(|member| member.strip_prefix("crates/"))
        .map(str::to_owned)
        .collect();
    let mut problems = Vec::new();
    for member in members() {
        let manifest = read(&root().join(&member).join("Cargo.toml"));
        let dependencies = manifest
            .split_once("[dependencies]")
            .map_or("", |(_, rest)| rest);
        for line in dependencies.lines() {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if all.contains(name) && !before.contains(name) {
                problems.push(format!("{member} depends on {name}, which stands after it"));
            }
        }
        before.insert(member.trim_start_matches("crates/").to_owned());
    }
    check(problems);
}

/// What comes before the trust line names nothing after it: not as a dependency, not in tests,
/// and not by including a file.
#[test]
fn trusted_crates_name_nothing_behind_the_line() {
    let [trusted, rest] = members_by_trust();
    let behind: Vec<&str> = rest
        .iter()
        .filter_map(|member| member.rsplit('/').next())
        .collect();
    let mut problems = Vec::new();
    for member in &trusted {
        let manifest = root().join(member).join("Cargo.toml");
        let sources = files(&root().join(member), "rs");
        for path in sources.iter().chain([&manifest]) {
            let text = read(path);
            for name in behind.iter().filter(|name| is_named(&text, name)) {
                let path = path.strip_prefix(root()).unwrap_or(path);
                problems.push(format!("{}, trusted, names `{name}`", path.display()));
            }
        }
    }
    check(problems);
}

/// Whether a manifest or a source names a crate: depends on it, uses it, or includes its files. A
/// module of the same name is reached by a path (`super::…`) and is no matter.
fn is_named(text: &str, name: &str) -> bool {
    let package = format!("cairn-{name}");
    let folder = format!("../{name}/");
    let dependency = |line: &str| {
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
    };
    let used = text.match_indices(&format!("{name}::")).any(|(at, _)| {
        let before = text[..at].strip_suffix("::").unwrap_or(&text[..at]);
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    });
    text.contains(&package) || text.contains(&folder) || text.lines().any(dependency) || used
}

#[test]
fn names_of_crates_are_recognised() {
    for text in [
        "encode.workspace = true",
        "e = { package = \"cairn-encode\" }",
        "use encode::blocks;",
        "    ::encode::x()",
        "#[path = \"../../encode/src/blocks.rs\"]",
    ] {
        assert!(is_named(text, "encode"), "{text}");
    }
    for text in [
        "super::encode::x()",
        "reencode::x()",
        "// to encode",
        "encoder = 1",
    ] {
        assert!(!is_named(text, "encode"), "{text}");
    }
}

#[test]
fn only_smt_names_z3() {
    let words = [["z3", "::"].concat(), ["z3", "_sys"].concat()];
    let mut problems = Vec::new();
    for path in rust_files() {
        if path.starts_with(root().join("crates/smt")) {
            continue;
        }
        let text = read(&path);
        if words.iter().any(|word| text.contains(word)) {
            problems.push(format!("{} names Z3", path.display()));
        }
    }
    for member in members().iter().filter(|member| *member != "crates/smt") {
        let manifest = read(&root().join(member).join("Cargo.toml"));
        if manifest.lines().any(|line| line.starts_with("z3")) {
            problems.push(format!("{member} depends on Z3"));
        }
    }
    check(problems);
}

#[test]
fn only_the_command_line_prints_or_exits() {
    let words = [
        "println!(",
        "eprintln!(",
        "print!(",
        "eprint!(",
        "process::exit(",
        "io::stdout(",
        "io::stderr(",
    ];
    let mut problems = Vec::new();
    for path in rust_files() {
        // A build script speaks to cargo by printing.
        let is_build_script = path.with_file_name("Cargo.toml").exists();
        let free = ["crates/cli", "xtask"]
            .iter()
            .any(|folder| path.starts_with(root().join(folder)))
            || is_build_script
            || path
                .components()
                .any(|part| part.as_os_str() == "tests" || part.as_os_str() == "benches");
        if free {
            continue;
        }
        // Tests beside the code may say why they skip something.
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in words {
            if code.contains(word) {
                problems.push(format!("{} has `{word}`", path.display()));
            }
        }
    }
    check(problems);
}

#[test]
fn files_open_with_a_header_and_stay_short() {
    let mut problems = Vec::new();
    for path in rust_files() {
        let text = read(&path);
        if !text.starts_with("//!") {
            problems.push(format!("{} does not open with `//!`", path.display()));
        }
        if text.lines().count() > 600 {
            problems.push(format!("{} has more than 600 lines", path.display()));
        }
    }
    check(problems);
}

#[test]
fn every_engine_stands_in_the_table() {
    let table = read(&root().join("crates/cli/src/engines.rs"));
    let mut problems = Vec::new();
    for path in rust_files() {
        // An engine of a test is an example.
        if path.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for part in code.split("impl Engine for ").skip(1) {
            let name: String = part.chars().take_while(|c| c.is_alphanumeric()).collect();
            let made = format!(": {name} = ");
            let stands = |name: &str| table.contains(&format!("::{name},"));
            if !instances(&text, &name).any(stands) && !table.contains(&made) {
                problems.push(format!("engine {name} is not in the ENGINES table"));
            }
        }
    }
    check(problems);
}

/// The names under which an engine may be in a table: those of the statics that it is made as, and
/// its own.
fn instances<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let made = text.split("pub static ").skip(1);
    let made = made.filter(move |rest| rest.contains(&format!(": {name} = ")));
    let names = made.filter_map(|rest| rest.split(':').next());
    names.chain([name])
}

#[test]
fn every_engine_for_clauses_stands_in_its_table() {
    let table = read(&root().join("crates/cli/src/engines.rs"));
    let mut problems = Vec::new();
    // An engine that a test makes for itself is none of the command.
    let is_of_tests = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "tests");
    for path in rust_files().into_iter().filter(|path| !is_of_tests(path)) {
        let text = read(&path);
        for part in text.split("impl ClauseEngine for ").skip(1) {
            let name: String = part.chars().take_while(|c| c.is_alphanumeric()).collect();
            let stands = |name: &str| table.contains(&format!("::{name},"));
            if !instances(&text, &name).any(stands) && !table.contains(&name) {
                problems.push(format!("engine {name} is not in the CLAUSE_ENGINES table"));
            }
        }
    }
    check(problems);
}

#[test]
fn what_is_required_is_not_skipped() {
    assert!(Needed::Cc.is_in("cc,m32") && Needed::M32.is_in("cc,m32"));
    assert!(Needed::Chromium.is_in("all"));
    assert!(!Needed::Cc.is_in("") && !Needed::Binutils.is_in("cc,m32"));
    assert!(std::panic::catch_unwind(|| Needed::Cc.is_in("c")).is_err());
}

#[test]
fn every_test_program_says_what_to_expect() {
    let programs = files(&root().join("tests/programs"), "c");
    assert!(programs.len() >= 40, "there should be test programs");
    let problems = programs
        .iter()
        .filter_map(|path| {
            let error = Header::read(path).err()?;
            Some(format!("{}: {error}", path.display()))
        })
        .collect();
    check(problems);
}

/// A paper is cited in a header as `[name2006word]`.
#[test]
fn every_cited_paper_is_in_the_bibliography() {
    let bibliography = read(&root().join("docs/papers.bib"));
    let mut problems = Vec::new();
    for path in rust_files() {
        let text = read(&path);
        let header = text.lines().take_while(|line| line.starts_with("//!"));
        for key in header.flat_map(cited) {
            if !bibliography.contains(&format!("{{{key},")) {
                problems.push(format!("{} cites [{key}]", path.display()));
            }
        }
    }
    check(problems);
}

/// The keys in a line: letters, four digits, letters, in brackets.
fn cited(line: &str) -> Vec<String> {
    let is_key = |word: &str| {
        let name = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
        name.len() < word.len()
            && name.len() - rest.len() == 4
            && rest.chars().all(|c| c.is_ascii_lowercase())
    };
    line.split('[')
        .skip(1)
        .filter_map(|part| part.split_once(']'))
        .map(|(word, _)| word.to_owned())
        .filter(|word| is_key(word))
        .collect()
}

#[test]
fn citations_are_recognised() {
    assert_eq!(
        cited("//! [mcmillan2006lazy], see [`x`]"),
        ["mcmillan2006lazy"]
    );
    assert_eq!(cited("//! [a] [1] [Vec<u8>]"), Vec::<String>::new());
}

/// The code map has the crates in the order of the workspace, with the trust line at its place.
#[test]
fn the_architecture_page_has_the_crates_in_order() {
    let page = read(&root().join("ARCHITECTURE.md"));
    let named = |text: &str| -> Vec<String> {
        let entries = text.lines().filter_map(|line| line.strip_prefix("- `"));
        let names = entries.filter_map(|rest| rest.split_once("`:"));
        names.map(|(name, _)| name.to_owned()).collect()
    };
    let (above, below) = page
        .split_once("— the trust line")
        .expect("the page should have the trust line");
    let expected = members_by_trust().map(|part| {
        let names = part
            .iter()
            .map(|member| member.trim_start_matches("crates/"));
        names.map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!([named(above), named(below)], expected);
}

/// Nothing in the tree may depend on where one of us keeps it.
#[test]
fn no_paths_of_one_machine() {
    let wanted = [["/wo", "rk/"].concat(), ["/ro", "ot/"].concat()];
    let problems = rust_files()
        .into_iter()
        .filter(|path| {
            let text = read(path);
            wanted.iter().any(|word| text.contains(word))
        })
        .map(|path| format!("{} names a path of one machine", path.display()))
        .collect();
    check(problems);
}
