//! Invariants of proofs, and correctness witnesses: ours and those of others.

mod harness;

use harness::{Scratch, json, parts, run};

const PROGRAM: &str = "extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int g;
int twice(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += 2;
  return s;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100) return 0;
  int s = twice(n);
  g = 0;
  while (g < n) { g++; s--; }
  if (s != n)
    reach_error();
  return 0;
}
";

/// An invariant: type, line, column, expression.
type Claim<'a> = (&'a str, u32, Option<u32>, &'a str);

/// A program, where it stands, and its witness.
struct Case {
    scratch: Scratch,
    program: String,
}

impl Case {
    fn new(name: &str, text: &str) -> Self {
        let scratch = Scratch::new(name);
        let program = scratch.write("program.c", text);
        Case { scratch, program }
    }

    fn witness(&self) -> String {
        let path = self.scratch.file("witness.yml");
        path.to_string_lossy().into_owned()
    }

    /// Writes the witness of another tool with these invariants.
    fn write(&self, invariants: &[Claim]) {
        use std::fmt::Write;
        let program = std::fs::read(&self.program).expect("it was written");
        let mut text = String::from("- entry_type: invariant_set\n  metadata:\n");
        let _ = write!(
            text,
            "    format_version: '2.0'
    uuid: 3f2504e0-4f89-41d3-9a0c-0305e82c3301
    creation_time: '2026-11-03T10:00:00Z'
    producer: {{name: other, version: '1'}}
    task:
      input_files: [program.c]
      input_file_hashes: {{program.c: {}}}
      specification: 'CHECK( init(main()), LTL(G ! call(reach_error())) )'
      data_model: LP64
      language: C
  content:{}
",
            witness::format::hash(&program),
            if invariants.is_empty() { " []" } else { "" }
        );
        for (kind, line, column, value) in invariants {
            let column = column.map_or_else(String::new, |column| format!(", column: {column}"));
            let _ = write!(
                text,
                "    - invariant:
        type: {kind}
        location: {{file_name: program.c, line: {line}{column}}}
        value: '{value}'
        format: c_expression
"
            );
        }
        self.scratch.write("witness.yml", text);
    }

    /// The exit code and the answer of `validate`.
    fn validate(&self) -> (i32, String) {
        let output = run(&["validate", "--64", &self.program, &self.witness()]);
        let (code, out, err) = parts(&output);
        (code, format!("{out}{err}"))
    }
}

#[test]
fn a_proof_shows_its_invariants_beside_the_loops() {
    let case = Case::new("invariants-shown", PROGRAM);
    let (code, out, _) = parts(&run(&["check", &case.program]));
    assert_eq!(code, 0, "{out}");
    for line in [
        "program.c:7  for (int i = 0;",
        "\n      s == 2 * i\n",
        "\n      i <= n\n",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    let document = json(&run(&["check", "--json", &case.program])).expect("a document");
    let first = &document["invariants"][0];
    assert_eq!(first["function"], "twice");
    assert_eq!(first["line"], 7);
    let exact = first["exact"].to_string();
    // The variable of the `for` is not in scope at its keyword.
    assert!(!exact.contains("i <") && !exact.contains("* i"), "{exact}");
    let people = first["conjuncts"].to_string();
    assert!(people.contains("s == 2 * i"), "{people}");
}

#[test]
fn a_proof_by_recursion_shows_its_contracts() {
    let text = "extern void abort(void);
extern unsigned nondet(void);
void reach_error(void) { abort(); }
unsigned calls;
static unsigned id(unsigned x) {
  calls++;
  if (x == 0) return 0;
  unsigned r = id(x - 1) + 1;
  if (r > 2) return 2;
  return r;
}
int main(void) {
  unsigned n = nondet();
  if (id(n) == 3) reach_error();
  return 0;
}
";
    let case = Case::new("contracts-shown", text);
    let (code, out, _) = parts(&run(&["check", &case.program]));
    assert_eq!(code, 0, "{out}");
    let (_, shown) = out.split_once("\ncontracts:\n").expect("a contract");
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines[0].ends_with("program.c:5  static unsigned id(unsigned x)"),
        "{out}"
    );
    // What the proof can do without is not said.
    assert_eq!(
        lines[1..],
        ["      \\result <= 2", "", "Verdict: safe"],
        "{out}"
    );
    let document = json(&run(&["check", "--json", &case.program])).expect("a document");
    let contracts = document["contracts"].as_array().expect("a list");
    assert_eq!(contracts.len(), 1, "{document:#}");
    assert_eq!(contracts[0]["function"], "id");
    assert_eq!(contracts[0]["line"], 5);
    assert_eq!(contracts[0]["requires"], serde_json::json!([]));
    assert_eq!(
        contracts[0]["ensures"],
        serde_json::json!(["\\result <= 2"])
    );
}

#[test]
fn contracts_tell_values_at_a_call_from_those_behind_it() {
    let text = "extern void abort(void);
extern int nondet(void);
void reach_error(void) { abort(); }
int total;
void down(int x) {
  if (x > 1000) reach_error();
  if (x <= 0) return;
  total += 2;
  down(x - 1);
}
int main(void) {
  int n = nondet();
  if (n < 0 || n > 1000) return 0;
  total = n;
  down(n);
  if (total != 3 * n) reach_error();
  return 0;
}
";
    let case = Case::new("contracts-old", text);
    let (code, out, _) = parts(&run(&["check", &case.program]));
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("\n      called with: x <= 1000\n"), "{out}");
    let document = json(&run(&["check", "--json", &case.program])).expect("a document");
    let contract = &document["contracts"][0];
    assert_eq!(contract["function"], "down");
    assert_eq!(contract["requires"], serde_json::json!(["x <= 1000"]));
    let ensures = contract["ensures"].to_string();
    let expected = "total == 2 * x + \\\\old(total)";
    assert!(ensures.contains(expected), "{ensures}");
}

#[test]
fn a_loop_in_two_phases_has_two_cases() {
    let text = "extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = 0, y = 50;
  while (x < 100) {
    if (x >= 50) y++;
    x++;
  }
  if (y != 100) reach_error();
  return 0;
}
";
    let case = Case::new("two-phases", text);
    // Its only run would decide it, without an invariant.
    let command = ["check", "--engine", "gps", "--json", &case.program];
    let document = json(&run(&command)).expect("a document");
    assert_eq!(document["verdict"], "safe", "{document:#}");
    for kind in ["conjuncts", "exact"] {
        let conjuncts = document["invariants"][0][kind].to_string();
        assert_eq!(conjuncts.matches("||").count(), 1, "{conjuncts}");
        // Where the loop starts is not a case of its own.
        assert!(!conjuncts.contains("x == 0"), "{conjuncts}");
    }
}

#[test]
fn invariants_speak_of_what_the_source_names() {
    let text = "extern int nondet(void);
extern void abort(void);
void reach_error(void) { abort(); }
int x = 5;
static int total[2];
struct pair { int x; unsigned char y; };
static int walk(int from) {
  struct pair p = {0, 0};
  while (p.x < from) { int x = 1; p.x += x; total[1] += 2; }
  return p.x;
}
int main(void) {
  int a = nondet();
  if (a < 0 || a > 100) return 0;
  int b = walk(a);
  {
    char x = 0;
    while (x < 3) x++;
    if (x != 3) reach_error();
  }
  if (b != a || total[1] != 2 * a || x != 5) reach_error();
  return 0;
}
";
    let case = Case::new("names", text);
    let document = json(&run(&["check", "--json", &case.program])).expect("a document");
    assert_eq!(document["verdict"], "safe", "{document:#}");
    let rows = &document["invariants"];
    assert_eq!(rows[0]["line"], 9);
    let exact = rows[0]["exact"].to_string();
    assert!(exact.contains("total[1] == 2LL * p.x"), "{exact}");
    // What the caller calls `a` has another name here.
    assert!(exact.contains("p.x <= from"), "{exact}");
    // The inner `x`, of which alone this is true.
    assert_eq!(rows[1]["line"], 18);
    let exact = rows[1]["exact"].to_string();
    assert!(
        exact.contains("x <= 3") && !exact.contains("x == 5"),
        "{exact}"
    );
    let words = ["check", "-q", &case.program, "--witness", &case.witness()];
    assert_eq!(parts(&run(&words)).0, 0);
    let output = run(&["validate", &case.program, &case.witness()]);
    let (code, out, err) = parts(&output);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn our_own_witnesses_are_confirmed() {
    let root = harness::root();
    for name in ["examples/count.c", "examples/minimum.c", "examples/safe.c"] {
        let scratch = Scratch::new(&format!("own-{name}"));
        let witness = scratch.file("witness.yml");
        let witness = witness.to_string_lossy();
        let program = root.join(name);
        let program = program.to_string_lossy();
        let (code, out, err) = parts(&run(&["check", &program, "--witness", &witness]));
        assert_eq!(code, 0, "{name}: {out}{err}");
        let (code, out, err) = parts(&run(&["validate", &program, &witness]));
        assert_eq!(code, 0, "{name}: {out}{err}");
        assert!(out.ends_with("Witness: confirmed\n"), "{name}: {out}");
    }
}

#[test]
fn witnesses_of_others_are_judged() {
    let case = Case::new("others", PROGRAM);
    let (confirmed, rejected) = ("Witness: confirmed", "Witness: rejected");
    type Row<'r> = (&'r str, u32, Option<u32>, &'r str);
    let cases: [(Row<'_>, i32, &str, &str); 14] = [
        // Without a column, the loop of the line is meant.
        (
            ("loop_invariant", 16, None, "s == 2 * n - g && g <= n"),
            0,
            confirmed,
            "holds",
        ),
        (
            ("loop_invariant", 7, Some(3), "s % 2 == 0"),
            0,
            confirmed,
            "holds",
        ),
        (
            ("location_invariant", 15, None, "s == 2 * n"),
            0,
            confirmed,
            "holds",
        ),
        (
            ("location_invariant", 16, Some(19), "g < n"),
            0,
            confirmed,
            "holds",
        ),
        // It holds in the loop, but not before its condition is evaluated.
        (
            ("loop_invariant", 16, None, "g < n"),
            1,
            rejected,
            "does not hold",
        ),
        (
            ("loop_invariant", 16, None, "s != 3"),
            1,
            rejected,
            "does not hold",
        ),
        (
            ("location_invariant", 15, None, "g == 1"),
            1,
            rejected,
            "does not hold",
        ),
        // The variable of the `for` is not in scope at the keyword.
        (
            ("loop_invariant", 7, None, "s == 2 * i"),
            1,
            rejected,
            "'i'",
        ),
        (
            ("loop_invariant", 16, None, "s == = n"),
            1,
            rejected,
            "cannot be read",
        ),
        (
            ("loop_invariant", 16, None, "twice(n) == s"),
            1,
            rejected,
            "may not call",
        ),
        (
            ("loop_invariant", 16, None, "s = n"),
            1,
            rejected,
            "may not change",
        ),
        (
            ("loop_invariant", 15, None, "n >= 0"),
            1,
            rejected,
            "is about no loop",
        ),
        (
            ("location_invariant", 16, Some(4), "n >= 0"),
            1,
            rejected,
            "in column 4",
        ),
        // Undefined is not true: the sum overflows.
        (
            ("loop_invariant", 7, None, "s + 2147483600 > 0"),
            1,
            rejected,
            "is undefined",
        ),
    ];
    for (row, code, outcome, why) in cases {
        case.write(&[row]);
        let (found, text) = case.validate();
        assert!(
            found == code && text.contains(outcome) && text.contains(why),
            "{row:?}: {found}: {text}"
        );
    }
    // One that is wrong makes the whole witness wrong, and is named.
    case.write(&[
        ("loop_invariant", 16, None, "g <= n"),
        ("loop_invariant", 7, None, "s <= 5"),
    ]);
    let (code, text) = case.validate();
    assert!(
        code == 1 && text.contains("`s <= 5` at ") && text.contains("program.c:7 does not hold"),
        "{text}"
    );
}

#[test]
fn a_witness_cannot_make_an_unsafe_program_safe() {
    let text = PROGRAM.replace("s != n", "s == 7");
    let case = Case::new("unsafe", &text);
    // The second cuts every run off where its evaluation is undefined, were it believed.
    for value in ["g <= n", "1 / 0 == 1", "g / 0 == 1"] {
        case.write(&[("loop_invariant", 16, None, value)]);
        let (code, text) = case.validate();
        assert!(
            code == 1 && text.contains("Witness: rejected"),
            "{value}: {text}"
        );
    }
    case.write(&[]);
    let (code, text) = case.validate();
    assert!(
        code == 1 && text.contains("the program is unsafe"),
        "{text}"
    );
}

#[test]
fn a_witness_for_another_text_is_rejected() {
    let case = Case::new("hash", PROGRAM);
    case.write(&[("loop_invariant", 16, None, "g <= n")]);
    case.scratch
        .write("program.c", PROGRAM.replace("100", "99"));
    let (code, text) = case.validate();
    assert!(code == 1 && text.contains("Witness: rejected"), "{text}");
}

/// Claims that hide the violation, or that no check would see: none may pass.
#[test]
fn claims_change_nothing_and_none_is_left_out() {
    const HEAD: &str = "extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
void reach_error(void) { abort(); }
int limit = 5;
int a[4];
";
    // Body of `main` from line 7 on; kind and line of the claim, its text.
    let cases: &[(&str, Claim)] = &[
        // An index that is undefined, where the failing run comes by.
        (
            "  long k = __VERIFIER_nondet_long();\n  int x = 1;\n  if (k == 0x4000000000000000L) \
             reach_error();\n",
            (
                "location_invariant",
                9,
                None,
                "k != 0x4000000000000000L || a[k] == 0",
            ),
        ),
        // An enumerator of the program's name.
        (
            "  int x = 1;\n  if (limit == 5) reach_error();\n",
            (
                "location_invariant",
                8,
                None,
                "sizeof(enum {limit = 0}) == 4",
            ),
        ),
        // Places that are not statements of their own.
        (
            "  int x = 1;\n  switch (x) {\n  case 1: x = 2;\n    __attribute__((fallthrough));\n  \
             default: x = 3;\n  }\n",
            ("location_invariant", 11, None, "0"),
        ),
        (
            "  goto out;\n  out: ;\n  int x = 1;\n  lost: int y = 5;\n  x = y;\n",
            ("location_invariant", 11, Some(9), "0"),
        ),
        (
            "  int x = 1;\n  x = ({ x = 2;\n    x; });\n",
            ("location_invariant", 10, None, "0"),
        ),
        (
            "  int x = __VERIFIER_nondet_int(), y;\n  if (x == 7) y = 0;\n  else if (x > 0) y = 1;\n",
            ("location_invariant", 10, None, "x > 0"),
        ),
    ];
    for (body, claim) in cases {
        let text = format!("{HEAD}int main(void) {{\n{body}  return 0;\n}}\n");
        let case = Case::new("claims-change-nothing", &text);
        case.write(&[*claim]);
        let (_, said) = case.validate();
        assert!(
            !said.contains("Witness: confirmed"),
            "{text}{claim:?}: {said}"
        );
    }
    // The chain of `else if` has places.
    let text = format!(
        "{HEAD}int main(void) {{\n  int x = __VERIFIER_nondet_int(), y = 0;\n  if (x == 7) y = 2;\n  \
         else if (x > 0) y = 1;\n  return y;\n}}\n"
    );
    let case = Case::new("claims-in-a-chain", &text);
    case.write(&[("location_invariant", 10, Some(8), "x != 7 && y == 0")]);
    let (_, said) = case.validate();
    assert!(said.contains("Witness: confirmed"), "{said}");
}
