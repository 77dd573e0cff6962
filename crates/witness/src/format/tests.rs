//! What is written reads back, and what others write is accepted.

use super::*;

fn location(line: u32) -> Location {
    Location {
        file_name: "dir/a \"b\".c".to_owned(),
        line,
        column: Some(3),
        function: Some("main".to_owned()),
    }
}

fn task() -> Task {
    Task {
        input_files: vec!["dir/a \"b\".c".to_owned(), "é\\n: #.c".to_owned()],
        input_file_hashes: [("é\\n: #.c".to_owned(), hash(b"x"))].into(),
        specification: "CHECK( init(main()), LTL(G valid-free) )\nCHECK( a )".to_owned(),
        data_model: "ILP32".to_owned(),
        language: "C".to_owned(),
    }
}

fn follow(kind: WaypointKind) -> Segment {
    let location = location(7);
    Segment {
        avoid: Vec::new(),
        follow: Waypoint { kind, location },
    }
}

#[test]
fn what_is_written_is_read_again() {
    let mut segments = vec![
        follow(WaypointKind::FunctionReturn(Some("\\result == -7".into()))),
        follow(WaypointKind::FunctionReturn(None)),
        follow(WaypointKind::FunctionEnter),
        follow(WaypointKind::Branching(Branch::Condition(false))),
        follow(WaypointKind::Branching(Branch::Case(-3))),
        follow(WaypointKind::Branching(Branch::Default)),
        follow(WaypointKind::Assumption("c == '\"' && \t1 % 2".into())),
        follow(WaypointKind::Target),
    ];
    segments[3].avoid.push(Waypoint {
        kind: WaypointKind::FunctionEnter,
        location: Location {
            column: None,
            function: None,
            ..location(1)
        },
    });
    let invariants = vec![Invariant {
        kind: InvariantKind::Loop,
        location: location(1),
        value: "x\u{2028}== 'a'\u{1}\r\n".to_owned(),
        format: C_EXPRESSION.to_owned(),
    }];
    let mut entries = vec![
        Entry::new(task(), Content::Violation(segments)),
        Entry::new(task(), Content::Invariants(invariants)),
        Entry::new(task(), Content::Invariants(Vec::new())),
    ];
    entries[0].metadata.producer.command_line = Some("cairn check 'x y'".to_owned());
    let text = write(&entries);
    assert_eq!(read(&text), Ok(entries), "{text}");
    assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
}

/// A witness by other hands: flow style, single quotes, anchors, fields that we do not know.
const FOREIGN: &str = r#"
- entry_type: violation_sequence
  metadata: &m
    format_version: 2.0
    uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    creation_time: 2026-11-03T10:00:00+01:00
    producer: {name: 'Other', version: 1.2, mood: good}
    task:
      input_files: [./sum.c]
      input_file_hashes: {./sum.c: f8f6}
      specification: |+
        CHECK( init(main()), LTL(G ! call(reach_error())) )

      data_model: ILP32
      language: C
  content:
    - segment:
        - waypoint: {type: branching, action: avoid, location: {file_name: sum.c, line: 8}, constraint: {value: true}}
        - waypoint:
            type: function_return
            action: follow
            location: {file_name: sum.c, line: 5, column: 33, function: main}
            constraint: {value: '\result == 7', format: acsl_expression}
    - segment:
        - waypoint: {type: target, action: follow, location: {file_name: sum.c, line: 11}}
- entry_type: invariant_set
  metadata: *m
  content: []
"#;

#[test]
fn what_others_write_is_read() {
    let entries = read(FOREIGN).unwrap();
    let [violation, invariants] = &entries[..] else {
        panic!("there should be two entries: {entries:?}");
    };
    assert_eq!(violation.metadata.format_version, "2.0");
    assert_eq!(violation.metadata.producer.version, "1.2");
    assert_eq!(violation.metadata, invariants.metadata);
    assert_eq!(invariants.content, Content::Invariants(Vec::new()));
    let Content::Violation(segments) = &violation.content else {
        panic!("the first should be a violation");
    };
    assert_eq!(
        segments[0].avoid[0].kind,
        WaypointKind::Branching(Branch::Condition(true))
    );
    assert_eq!(
        segments[0].follow.kind,
        WaypointKind::FunctionReturn(Some("\\result == 7".to_owned()))
    );
    assert_eq!(segments[1].follow.location.column, None);
}

#[test]
fn errors_say_what_and_where() {
    let cases = [
        (
            "line: 11",
            "line: 0",
            "entry 1, segment 2, waypoint 1, location: the `line` 0",
        ),
        (
            "line: 11",
            "column: 1",
            "segment 2, waypoint 1, location: there is no `line`",
        ),
        (
            "    uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301'\n",
            "",
            "metadata: there is no `uuid`",
        ),
        ("2.0", "1.0", "`format_version` 1.0 is not known"),
        (
            "data_model: ILP32",
            "x: y",
            "metadata, task: there is no `data_model`",
        ),
        ("target", "end", "waypoint type end is not known"),
        (
            "type: target",
            "type: function_enter",
            "must lead to a target",
        ),
        (
            "type: function_return",
            "type: function_enter",
            "has no `constraint`",
        ),
        ("acsl_expression", "c_expression", "is not acsl_expression"),
        ("value: true", "value: maybe", "not `maybe`"),
        (
            "action: avoid",
            "action: follow",
            "behind the waypoint to follow",
        ),
        (
            "invariant_set",
            "loop_invariant",
            "`entry_type` loop_invariant is not known",
        ),
        ("- entry_type", "- [", "not a YAML list of entries"),
    ];
    for (from, to, expected) in cases {
        let message = read(&FOREIGN.replacen(from, to, 1)).unwrap_err();
        assert!(message.contains(expected), "{to}: {message}");
    }
    for text in ["", "[]", "x: y", "- 3"] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn long_lists_are_written_and_read() {
    let mut segments: Vec<Segment> = (0..20_000)
        .map(|value| {
            let text = format!("\\result == {value}");
            follow(WaypointKind::FunctionReturn(Some(text)))
        })
        .collect();
    segments.push(follow(WaypointKind::Target));
    let entries = vec![Entry::new(task(), Content::Violation(segments))];
    assert_eq!(read(&write(&entries)), Ok(entries));
}
