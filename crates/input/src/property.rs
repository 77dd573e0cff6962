//! What is to be checked: property names and SV-COMP's property files.

use crate::Failure;
use program::ir::Property::{self, *};
use std::path::Path;

/// What is to be checked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Selection {
    /// The properties, each once.
    pub properties: Vec<Property>,
    /// Which failures are assertion failures.
    pub asserts: AssertRule,
    /// Where to start, if the property says so.
    pub entry: Option<String>,
    /// What was asked for but is not checked: then `safe` would say too much.
    pub unchecked: Vec<&'static str>,
    /// The names asked for, each once.
    pub names: Vec<&'static str>,
    /// What the user should know about how the property was found.
    pub remarks: Vec<String>,
}

/// Which failures violate [`Property::Assertion`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AssertRule {
    /// Failing `assert`s and calls of `reach_error`.
    #[default]
    Both,
    /// Calls of `reach_error`; but in a program that names no such function, failing `assert`s.
    ReachError,
}

/// All names that `--property` knows, for messages.
const NAMES: &str = "unreach-call, assert, no-overflow, valid-memsafety, valid-deref, valid-free, \
                     valid-memtrack, valid-memcleanup, division-by-zero, shift, def-behavior";

/// Formulas of property files, the names of what they ask for, and what is checked then: nothing
/// yet for some.
const FORMULAS: &[(&str, &str, &[Property])] = &[
    ("G ! call(reach_error())", "unreach-call", &[Assertion]),
    ("G assert", "assert", &[Assertion]),
    ("G ! overflow", "no-overflow", &[Overflow]),
    ("G valid-free", "valid-free", &[Free]),
    ("G valid-deref", "valid-deref", &[Dereference]),
    ("G valid-memtrack", "valid-memtrack", &[Leak]),
    ("G valid-memcleanup", "valid-memcleanup", &[Cleanup]),
    (
        "G ! division-by-zero",
        "division-by-zero",
        &[DivisionByZero],
    ),
    ("G ! shift", "shift", &[Shift]),
    ("G def-behavior", "def-behavior", UNDEFINED),
    ("G ! data-race", "no-data-race", &[]),
    ("F end", "termination", &[]),
];

/// What is checked for `def-behavior`.
const UNDEFINED: &[Property] = &[Overflow, DivisionByZero, Shift, Dereference, Free];

/// What `valid-memsafety` asks for.
const MEMORY_SAFETY: &[&str] = &["valid-free", "valid-deref", "valid-memtrack"];

/// What tests are made for.
const COVERAGE: [&str; 4] = [
    "coverage-error-call",
    "coverage-branches",
    "coverage-conditions",
    "coverage-statements",
];

impl Selection {
    /// What is checked when nothing is said.
    pub fn standard() -> Self {
        Selection {
            properties: vec![Assertion],
            names: vec!["unreach-call", "assert"],
            ..Selection::default()
        }
    }

    /// Reads names and files, as given to `--property`.
    pub fn parse(words: &[String]) -> Result<Self, Failure> {
        if words.is_empty() {
            return Ok(Selection::standard());
        }
        let mut selection = Selection::default();
        for word in words {
            let path = Path::new(word);
            if path.extension().is_some_and(|ending| ending == "prp") || path.is_file() {
                selection.add_path(word, path)?;
            } else {
                selection.add_name(word).map_err(Failure::new)?;
            }
        }
        Ok(selection)
    }

    /// Adds what a property file says. Collections lose the texts of their property files, or
    /// keep them empty; the names are fixed, so that of a known property is enough.
    fn add_path(&mut self, word: &str, path: &Path) -> Result<(), Failure> {
        let text = std::fs::read(path);
        let trouble = match &text {
            Ok(text) if !text.trim_ascii().is_empty() => {
                let text = String::from_utf8_lossy(text);
                let added = self.add_file(&text);
                return added.map_err(|message| Failure::new(format!("{word}: {message}")));
            }
            Ok(_) => "is empty".to_owned(),
            Err(error) => format!("cannot be read: {error}"),
        };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if !is_name(&stem) {
            return Err(Failure::new(format!("property file `{word}` {trouble}")));
        }
        self.add_name(&stem).map_err(Failure::new)?;
        self.remarks.push(format!(
            "property file `{word}` {trouble}; its name says `{stem}`"
        ));
        Ok(())
    }

    /// What is checked, as a property file says it. A property of our own has the form that
    /// others have.
    pub fn specification(&self, entry: &str) -> String {
        let line = |&name: &&str| {
            let formula = FORMULAS.iter().find(|(_, known, _)| *known == name);
            let formula = formula.map_or(name, |(formula, ..)| formula);
            format!("CHECK( init({entry}()), LTL({formula}) )")
        };
        let lines: Vec<String> = self.names.iter().map(line).collect();
        lines.join("\n")
    }

    /// Adds a property by its name.
    pub fn add_name(&mut self, name: &str) -> Result<(), String> {
        for (_, known, _) in FORMULAS {
            let is_part = name == "valid-memsafety" && MEMORY_SAFETY.contains(known);
            if (*known == name || is_part) && !self.names.contains(known) {
                self.names.push(known);
            }
        }
        let known = FORMULAS.iter().find(|(_, known, _)| *known == name);
        let properties = match known {
            Some((_, _, properties)) => properties,
            None if name == "valid-memsafety" => &[Dereference, Free, Leak][..],
            None if COVERAGE.contains(&name) => &[],
            None => return Err(format!("unknown property `{name}`; the names are {NAMES}")),
        };
        if properties.is_empty() {
            return Err(format!("property `{name}` cannot be checked yet"));
        }
        match name {
            "unreach-call" if !self.properties.contains(&Assertion) => {
                self.asserts = AssertRule::ReachError;
            }
            "assert" => self.asserts = AssertRule::Both,
            "def-behavior" => self.unchecked.push("every other undefined behaviour"),
            _ => {}
        }
        self.add(properties);
        Ok(())
    }

    /// The names of the properties that are checked.
    pub fn property_names(&self) -> Vec<&'static str> {
        self.properties.iter().map(|&row| name(row)).collect()
    }

    fn add(&mut self, properties: &[Property]) {
        for &property in properties {
            if !self.properties.contains(&property) {
                self.properties.push(property);
            }
        }
    }

    /// Adds the properties of a file's text: one or more `CHECK( init(f()), LTL(…) )`.
    pub fn add_file(&mut self, text: &str) -> Result<(), String> {
        let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if dense.is_empty() {
            return Err("the property file is empty".to_owned());
        }
        let mut rest = dense.as_str();
        while !rest.is_empty() {
            let body = rest
                .strip_prefix("CHECK")
                .or_else(|| rest.strip_prefix("COVER"))
                .ok_or_else(|| {
                    format!("expected `CHECK( init(main()), LTL(…) )`, found `{rest}`")
                })?;
            let (clause, after) = parenthesised(body)
                .ok_or_else(|| format!("the parentheses of `{rest}` do not match"))?;
            self.add_clause(clause)?;
            rest = after;
        }
        Ok(())
    }

    /// Adds `init(f()),LTL(formula)`.
    fn add_clause(&mut self, clause: &str) -> Result<(), String> {
        let (init, formula) = clause
            .strip_prefix("init")
            .and_then(parenthesised)
            .ok_or_else(|| format!("expected `init(main())`, found `{clause}`"))?;
        let entry = init.strip_suffix("()").unwrap_or(init);
        if self.entry.as_deref().is_some_and(|known| known != entry) {
            return Err("the property starts in more than one function".to_owned());
        }
        self.entry = Some(entry.to_owned());
        let formula = formula.strip_prefix(',').unwrap_or(formula);
        if formula.starts_with("FQL(") {
            return Err(format!("coverage cannot be asked for yet: `{formula}`"));
        }
        let (formula, _) = formula
            .strip_prefix("LTL")
            .and_then(parenthesised)
            .ok_or_else(|| format!("expected `LTL(…)`, found `{formula}`"))?;
        self.add_formula(formula)
    }

    fn add_formula(&mut self, formula: &str) -> Result<(), String> {
        let dense = |text: &str| text.replace(' ', "");
        let known = FORMULAS.iter().find(|(known, ..)| dense(known) == formula);
        let name = match (formula, known) {
            ("G!call(__VERIFIER_error())", _) => "unreach-call",
            (_, Some((_, name, _))) => name,
            (_, None) => return Err(format!("this formula cannot be checked: `{formula}`")),
        };
        self.add_name(name)
    }
}

/// The name of a property, as `--property` and SV-COMP have it.
pub fn name(property: Property) -> &'static str {
    match property {
        Assertion => "unreach-call",
        Overflow => "no-overflow",
        DivisionByZero => "division-by-zero",
        Shift => "shift",
        Dereference => "valid-deref",
        Free => "valid-free",
        Leak => "valid-memtrack",
        Cleanup => "valid-memcleanup",
        Invariant => "invariant",
    }
}

/// Whether a word names a property, be it one that cannot be checked yet.
fn is_name(word: &str) -> bool {
    let known = FORMULAS.iter().any(|(_, name, _)| *name == word);
    known || word == "valid-memsafety" || word.starts_with("coverage-")
}

/// The inside of a text that starts with `(`, and what follows the matching `)`.
fn parenthesised(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    if !text.starts_with('(') {
        return None;
    }
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((&text[1..at], &text[at + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Selection, String> {
        let mut selection = Selection::default();
        selection.add_file(text).map(|()| selection)
    }

    #[test]
    fn property_files() {
        use Property::*;
        let cases: [(&str, &[Property]); 7] = [
            (
                "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
                &[Assertion],
            ),
            (
                "CHECK(init(main()),LTL(G ! call(__VERIFIER_error())))",
                &[Assertion],
            ),
            ("CHECK( init(main()), LTL(G ! overflow) )", &[Overflow]),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                 CHECK( init(main()), LTL(G valid-memtrack) )\n",
                &[Free, Dereference, Leak],
            ),
            ("CHECK( init(main()), LTL(G valid-memtrack) )", &[Leak]),
            ("CHECK( init(main()), LTL(G valid-memcleanup) )", &[Cleanup]),
            (
                "CHECK( init(main()), LTL(G def-behavior) )",
                &[Overflow, DivisionByZero, Shift, Dereference, Free],
            ),
        ];
        for (text, expected) in cases {
            let selection = read(text).unwrap();
            assert_eq!(selection.properties, expected, "{text}");
            assert_eq!(selection.entry.as_deref(), Some("main"));
        }
        let start = read("CHECK( init(start()), LTL(G ! overflow) )").unwrap();
        assert_eq!(start.entry.as_deref(), Some("start"));
    }

    #[test]
    fn what_cannot_be_checked_is_said() {
        let cases = [
            ("", "empty"),
            ("CHECK( init(main()), LTL(F end) )", "termination"),
            ("CHECK( init(main()), LTL(G ! data-race) )", "no-data-race"),
            (
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                "coverage",
            ),
            (
                "CHECK( init(main()), FQL(cover EDGES(@CALL(__VERIFIER_error))) )",
                "coverage",
            ),
            (
                "CHECK( init(main()), LTL(G ! label(X)) )",
                "cannot be checked",
            ),
            ("CHECK( init(main()), LTL(G ! overflow)", "do not match"),
            ("int main;", "expected `CHECK"),
        ];
        for (text, expected) in cases {
            let message = read(text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn an_empty_or_missing_file_is_read_by_its_name() {
        let dir = std::env::temp_dir().join(format!("cairn-empty-prp-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let parse = |name: &str| Selection::parse(&[dir.join(name).to_string_lossy().into()]);
        std::fs::write(dir.join("no-overflow.prp"), " \n").unwrap();
        for (file, expected, trouble) in [
            ("no-overflow.prp", &[Property::Overflow][..], "is empty"),
            (
                "valid-memsafety.prp",
                &[Property::Dereference, Property::Free, Property::Leak],
                "cannot be read",
            ),
        ] {
            let selection = parse(file).unwrap();
            assert_eq!(selection.properties, expected, "{file}");
            assert!(selection.remarks[0].contains(trouble), "{selection:?}");
        }
        for file in ["mine.prp", "termination.prp", "coverage-branches.prp"] {
            assert!(parse(file).is_err(), "{file}");
        }
        std::fs::write(dir.join("shift.prp"), "nonsense").unwrap();
        assert!(
            parse("shift.prp").is_err(),
            "a text counts more than a name"
        );
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn names() {
        let words = ["no-overflow".to_owned(), "shift".to_owned()];
        let selection = Selection::parse(&words).unwrap();
        assert_eq!(selection.properties, [Property::Overflow, Property::Shift]);
        assert!(Selection::parse(&["nonsense".to_owned()]).is_err());
        assert_eq!(Selection::parse(&[]).unwrap(), Selection::standard());
    }
}
