//! `check --sarif` and `--junit`: what the formats ask for, and what they are for.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, cairn, parts};
use serde_json::Value;

const SUM: &str = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
    int add(int x) {\n  return x + 2;\n}\n\
    int main(void) {\n  int n = __VERIFIER_nondet_int(), s = 0, unused = 5;\n  \
    if (n < 0 || n > 100)\n    return 0;\n  for (int i = 0; i < n; i++)\n    s = add(s);\n  \
    unused++;\n  if (s == 14)\n    reach_error();\n  return 0;\n}\n";

/// Runs `check --sarif` in a folder; returns the exit code and the log.
fn sarif(scratch: &Scratch, words: &[&str]) -> (i32, Value) {
    let output = cairn()
        .args(["check", "--sarif", "out.sarif"])
        .args(words)
        .current_dir(scratch.file(""))
        .output()
        .unwrap();
    let (code, stdout, stderr) = parts(&output);
    let text = std::fs::read_to_string(scratch.file("out.sarif"))
        .unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    (code, serde_json::from_str(&text).unwrap())
}

/// The rules of SARIF 2.1.0 that apply to what we write; panics where one is broken.
fn check_log(log: &Value) {
    assert_eq!(log["version"], "2.1.0"); // §3.13.2
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].as_str().is_some_and(|name| !name.is_empty())); // §3.19.8
    let rules = driver["rules"].as_array().unwrap();
    let bases = run["originalUriBaseIds"].as_object().unwrap();
    for base in bases.values() {
        assert!(base["uri"].as_str().unwrap().ends_with('/')); // §3.14.14
    }
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean()); // §3.20.14
    for result in run["results"].as_array().unwrap() {
        assert!(
            result["message"]["text"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        ); // §3.27.11
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]); // §3.27.6
        if result["kind"] != "fail" {
            assert_eq!(result["level"], "none"); // §3.27.10
        }
        for (_, fingerprint) in result["partialFingerprints"].as_object().unwrap() {
            assert!(fingerprint.is_string());
        }
        for flow in result["codeFlows"].as_array().into_iter().flatten() {
            for thread in flow["threadFlows"].as_array().unwrap() {
                let steps = thread["locations"].as_array().unwrap();
                assert!(!steps.is_empty()); // §3.37.6
                for step in steps {
                    assert!(step["nestingLevel"].is_u64() && step["executionOrder"].is_u64());
                }
            }
        }
    }
    for location in locations(log) {
        let artifact = &location["artifactLocation"];
        let uri = artifact["uri"].as_str().unwrap();
        match artifact["uriBaseId"].as_str() {
            Some(base) => assert!(bases.contains_key(base) && !uri.starts_with('/'), "{uri}"),
            None => assert!(uri.starts_with("file:///"), "{uri}"),
        }
        let region = &location["region"];
        assert!(region["startLine"].as_u64().unwrap() >= 1); // §3.30.5
        let [start, end] = ["startColumn", "endColumn"].map(|name| region[name].as_u64().unwrap());
        assert!(1 <= start && start <= end); // §3.30.6, §3.30.8
    }
}

/// All physical locations in a log.
fn locations(value: &Value) -> Vec<&Value> {
    let mut found = Vec::new();
    match value {
        Value::Object(map) => {
            found.extend(map.get("physicalLocation"));
            found.extend(map.values().flat_map(locations));
        }
        Value::Array(list) => found.extend(list.iter().flat_map(locations)),
        _ => {}
    }
    found
}

#[test]
fn a_violation_is_a_result_with_its_run() {
    let scratch = Scratch::new("sarif-unsafe");
    scratch.write("sum.c", SUM);
    let (code, log) = sarif(&scratch, &["sum.c"]);
    assert_eq!(code, 1);
    check_log(&log);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        (&result["kind"], &result["level"]),
        (&"fail".into(), &"error".into())
    );
    assert_eq!(result["ruleId"], "unreach-call");
    let main = &result["locations"][0]["physicalLocation"];
    assert_eq!(main["artifactLocation"]["uri"], "sum.c");
    assert_eq!(main["region"]["startLine"], 14);
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
        .as_array()
        .unwrap();
    let last = flow.last().unwrap();
    assert_eq!(last["location"]["physicalLocation"], *main);
    assert_eq!(last["importance"], "essential");
    let text = flow.iter().map(|step| &step["location"]["message"]["text"]);
    let text: Vec<&str> = text.map(|text| text.as_str().unwrap()).collect();
    let text = text.join("\n");
    for expected in [
        "n = 7",
        "add(x = 12) is entered",
        "iteration 7 of 7",
        "s = 14",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(!text.contains("unused"), "{text}");
    assert!(flow.iter().any(|step| step["state"]["s"]["text"] == "14"));
    assert!(flow.iter().any(|step| step["nestingLevel"] == 1));
}

#[test]
fn fingerprints_outlive_other_lines() {
    let scratch = Scratch::new("sarif-shift");
    let fingerprint = |text: &str| {
        scratch.write("sum.c", text);
        let (_, log) = sarif(&scratch, &["sum.c"]);
        log["runs"][0]["results"][0]["partialFingerprints"].clone()
    };
    let first = fingerprint(SUM);
    assert_eq!(first, fingerprint(&format!("// More.\n\n{SUM}")));
    assert_ne!(
        first,
        fingerprint(&SUM.replace("    reach_error", "    ; reach_error"))
    );
}

#[test]
fn safe_has_no_result_and_unknown_an_open_one() {
    let scratch = Scratch::new("sarif-others");
    scratch.write("safe.c", SUM.replace("s == 14", "s == 15"));
    let (code, log) = sarif(&scratch, &["safe.c"]);
    assert_eq!(code, 0);
    check_log(&log);
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
    scratch.write(
        "asm.c",
        "void reach_error(void);\nint main(void) {\n  int n = 1;\n  __asm__(\"incl %0\" : \
         \"+r\"(n));\n  if (n != 2)\n    reach_error();\n  return 0;\n}\n",
    );
    let (code, log) = sarif(&scratch, &["--timeout", "5", "asm.c"]);
    assert_eq!(code, 3);
    check_log(&log);
    assert_eq!(log["runs"][0]["results"][0]["kind"], "open");
    let notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].to_string();
    assert!(
        notes.contains("help: inline assembly is not modelled"),
        "{notes}"
    );
}

/// A program that was dumped is checked for what it was dumped with.
#[test]
fn a_dumped_program_fails_under_its_own_rule() {
    let scratch = Scratch::new("dumped");
    let text = "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = \
                __VERIFIER_nondet_int();\n  return n + 1;\n}\n";
    let file = scratch.write("a.c", text);
    let dump = ["dump", "cfa", "--property", "no-overflow", "-o", "a.cfa"];
    let output = cairn()
        .args(dump)
        .arg(&file)
        .current_dir(scratch.file(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{:?}", parts(&output));
    let (code, log) = sarif(&scratch, &["a.cfa", "--junit", "out.xml"]);
    assert_eq!(code, 1, "{log:#}");
    let result = &log["runs"][0]["results"][0];
    let index = result["ruleIndex"].as_u64().unwrap() as usize;
    let rules = &log["runs"][0]["tool"]["driver"]["rules"];
    assert_eq!(result["ruleId"], "no-overflow");
    assert_eq!(rules[index]["id"], "no-overflow", "{rules:#}");
    let xml = std::fs::read_to_string(scratch.file("out.xml")).unwrap();
    assert!(xml.contains("failures=\"1\""), "{xml}");
}

#[test]
fn junit_counts_properties() {
    let scratch = Scratch::new("junit");
    let file = scratch.write("sum.c", SUM);
    let cases = [
        (
            "unreach-call",
            1,
            "tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\"",
        ),
        (
            "no-overflow",
            0,
            "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\"",
        ),
        (
            "unreach-call,no-overflow",
            1,
            "tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\"",
        ),
    ];
    for (property, expected, counts) in cases {
        let out = scratch.file("out.xml");
        let output = cairn()
            .args(["check", "--property", property, "--junit"])
            .arg(&out)
            .arg(&file)
            .output()
            .unwrap();
        let (code, stdout, _) = parts(&output);
        assert_eq!(code, expected, "{stdout}");
        let xml = std::fs::read_to_string(&out).unwrap();
        assert!(xml.contains(counts), "{xml}");
        assert_eq!(
            xml.matches("<testcase ").count(),
            xml.matches("</testcase>").count()
        );
        assert_eq!(code == 1, xml.contains("<failure message="), "{xml}");
    }
}
