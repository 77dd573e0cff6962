//! What the documents show is what happens: every command in them is run, and its output compared.
//!
//! - A `console` block is a session: lines after `$ ` are commands, the rest is what they print, on
//!   either stream. A line `...` stands for any lines, `[..]` for any part of a line.
//! - A `sh` block is commands to run; in a `yaml` block those lines are that call `cairn`.
//!
//! A page's commands share a folder, which has the examples and, under its name, the command.

mod harness;

use harness::{Scratch, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that are not run here, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    ("scripts/", "builds, and runs these tests"),
    ("cargo ", "builds, or is a campaign"),
    ("git clone", "needs the network"),
    ("sudo ", "changes the machine"),
    (
        "cairn bench",
        "needs task sets; crates/cli/tests/bench.rs runs it",
    ),
    (
        "PYTHONPATH=tools",
        "needs benchexec; crates/cli/tests/benchexec.rs runs it",
    ),
    ("xdg-open", "needs a screen"),
];

struct Block {
    line: usize,
    kind: String,
    text: Vec<String>,
}

/// A command, and the lines it should print if they are given.
struct Shown {
    line: usize,
    command: String,
    output: Option<Vec<String>>,
}

#[test]
fn every_command_in_the_documents_does_what_they_show() {
    let mut problems = Vec::new();
    let mut count = 0;
    for page in pages() {
        let scratch = Scratch::new(&format!("docs-{}", name(&page)));
        furnish(&scratch);
        for shown in blocks(&page).iter().flat_map(commands) {
            if ELSEWHERE
                .iter()
                .any(|(start, _)| shown.command.starts_with(start))
            {
                continue;
            }
            count += 1;
            if let Err(why) = try_out(&shown, &scratch) {
                let page = page.display();
                problems.push(format!("{page}:{}: {}\n{why}", shown.line, shown.command));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    assert!(count > 20, "only {count} commands were found");
}

/// The flags that documents name exist.
#[test]
fn every_flag_in_the_documents_exists() {
    let mut known = String::new();
    for command in [
        "check",
        "explain",
        "tests",
        "validate",
        "run",
        "dump",
        "interpolate",
        "bench",
    ] {
        let help = harness::run(&[command, "--help"]);
        known.push_str(&String::from_utf8_lossy(&help.stdout));
    }
    let mut problems = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page should be readable");
        for (index, line) in text.lines().enumerate() {
            for span in line.split('`').skip(1).step_by(2) {
                let word = span.split([' ', '=']).next().unwrap_or_default();
                let is_flag = word.starts_with("--") && word.contains(|c: char| c.is_alphabetic());
                if is_flag && !known.contains(word) {
                    problems.push(format!("{}:{}: {word}", page.display(), index + 1));
                }
            }
        }
    }
    assert!(
        problems.is_empty(),
        "no such flags:\n{}",
        problems.join("\n")
    );
}

fn pages() -> Vec<PathBuf> {
    let mut pages = harness::files(&root().join("docs"), "md");
    pages.retain(|page| !page.starts_with(root().join("docs/decisions")));
    pages.push(root().join("README.md"));
    pages
}

fn name(page: &Path) -> String {
    let name = page.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The examples, and `cairn` in a folder of commands.
fn furnish(scratch: &Scratch) {
    let copy = Command::new("cp")
        .arg("-r")
        .arg(root().join("examples"))
        .arg(scratch.file("examples"))
        .status();
    assert!(copy.is_ok_and(|status| status.success()));
    std::fs::create_dir(scratch.file("bin")).expect("a new folder");
    let command = scratch.file("bin/cairn");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_cairn"), command).expect("a new link");
}

fn blocks(page: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(page).expect("a page should be readable");
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(kind), None) => {
                open = Some(Block {
                    line: index + 2,
                    kind: kind.to_owned(),
                    text: Vec::new(),
                });
            }
            (None, Some(block)) => block.text.push(line.to_owned()),
            (None, None) => {}
        }
    }
    blocks
}

fn commands(block: &Block) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut goes_on = false;
    for (index, text) in block.text.iter().enumerate() {
        let line = block.line + index;
        let command = match block.kind.as_str() {
            "console" => text.strip_prefix("$ "),
            "sh" => Some(text.as_str()).filter(|text| !text.is_empty() && !text.starts_with('#')),
            "yaml" => Some(text.trim().trim_start_matches("- run: "))
                .filter(|text| text.starts_with("cairn ")),
            _ => None,
        };
        let is_session = block.kind == "console";
        if std::mem::replace(&mut goes_on, text.ends_with('\\')) {
            if let Some(last) = found.last_mut() {
                last.command = format!("{} {}", last.command.trim_end_matches('\\'), text.trim());
            }
            continue;
        }
        match (command, found.last_mut()) {
            (Some(command), _) => found.push(Shown {
                line,
                command: command
                    .split("  #")
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
                output: is_session.then(Vec::new),
            }),
            (
                None,
                Some(Shown {
                    output: Some(output),
                    ..
                }),
            ) => output.push(text.clone()),
            (None, _) => {}
        }
    }
    found
}

fn try_out(shown: &Shown, scratch: &Scratch) -> Result<(), String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {}\n}} 2>&1", shown.command)])
        .current_dir(scratch.file(""))
        .env("PATH", format!("{}:{path}", scratch.file("bin").display()))
        .env_remove("CLICOLOR_FORCE")
        .output()
        .map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if matches!(output.status.code(), Some(126 | 127) | None) {
        return Err(format!("it could not be run:\n{printed}"));
    }
    let Some(expected) = &shown.output else {
        return match output.status.code() {
            // Verdicts are answers as well.
            Some(0 | 1 | 3) => Ok(()),
            code => Err(format!("it ends with {code:?}:\n{printed}")),
        };
    };
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let wanted: Vec<&str> = expected.iter().map(|line| line.trim_end()).collect();
    match fits(&wanted, &lines) {
        true => Ok(()),
        false => Err(format!("it prints\n{printed}")),
    }
}

/// Whether lines are as expected, `...` standing for any number of them.
fn fits(wanted: &[&str], lines: &[&str]) -> bool {
    match wanted.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|from| fits(rest, &lines[from..])),
        Some((first, rest)) => match lines.split_first() {
            Some((line, others)) => line_fits(first, line) && fits(rest, others),
            None => false,
        },
    }
}

/// Whether a line is as expected, `[..]` standing for any part of it. How far a search came in its
/// time, and which lines stopped it, differs from machine to machine: the numbers in notes and in
/// the advice drawn from them do not count.
fn line_fits(wanted: &str, line: &str) -> bool {
    let depends_on_speed = ["   = note: ", "   = help: "].map(|start| wanted.starts_with(start));
    if depends_on_speed.contains(&true) && wanted.contains(|c: char| c.is_ascii_digit()) {
        return without_numbers(wanted) == without_numbers(line);
    }
    let Some((before, after)) = wanted.split_once("[..]") else {
        return wanted == line;
    };
    line.strip_prefix(before).is_some_and(|rest| {
        let mut starts = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
        starts.any(|at| line_fits(after, &rest[at..]))
    })
}

fn without_numbers(line: &str) -> String {
    let words = line.split(|c: char| c.is_ascii_digit() || c == '.');
    words.filter(|word| !word.is_empty()).collect()
}

#[test]
fn patterns_fit_what_they_should() {
    assert!(fits(&["a", "...", "z"], &["a", "b", "c", "z"]));
    assert!(fits(&["a", "...", "z"], &["a", "z"]));
    assert!(!fits(&["a", "...", "z"], &["a", "b"]));
    assert!(!fits(&["a"], &["a", "b"]));
    assert!(line_fits("took [..] s", "took 1.5 s"));
    assert!(!line_fits("took [..] s", "took 1.5 min"));
    assert!(line_fits("   = note: 13 runs", "   = note: 5 runs"));
    assert!(line_fits(
        "   = help: see line 15",
        "   = help: see line 16"
    ));
    assert!(!line_fits(
        "   = help: see line 15",
        "   = help: see loop 15"
    ));
    assert!(!line_fits("steps <= 15", "steps <= 16"));
}
