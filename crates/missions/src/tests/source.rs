use expect_test::{Expect, expect};

use super::{front, sentences, told};
use crate::{FILE_BYTES_MAX, ProblemCode, Severity, parse};

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&sentences(&parse(text.as_bytes())));
}

#[test]
fn mi_01_a_file_without_front_matter_is_its_text() {
    let id = crate::id_of("patrol").unwrap();
    for (text, title) in
        [("Look around.", "patrol"), ("\u{FEFF}intro\n# Night patrol \nGo.", "Night patrol"), ("", "patrol")]
    {
        let parsed = parse(text.as_bytes());
        assert_eq!((parsed.title(&id).as_str(), told(&parsed).as_str()), (title, ""));
        assert_eq!(parsed.source.body(), text.trim_start_matches('\u{FEFF}'));
        assert!(parsed.front.robots.is_empty() && parsed.front.triggers.len() == 1);
    }
    let long = format!("# {}", "ä".repeat(130));
    assert_eq!(parse(long.as_bytes()).title(&id), "ä".repeat(120));
}

#[test]
fn mi_01_files_beyond_the_limits_are_refused() {
    let largest = format!("---\n---\n{}", "x".repeat(FILE_BYTES_MAX - 8));
    check(&largest, &expect![""]);
    check(
        &format!("{largest}x"),
        &expect![[r#"
            1:1 too_large: The file has more than 262144 bytes. Divide it into several missions.
        "#]],
    );
    let comment = |bytes: usize| format!("---\n#{}\n---\n", "x".repeat(bytes - 2));
    check(&comment(16 * 1024), &expect![""]);
    check(
        &comment(16 * 1024 + 1),
        &expect![[r#"
            2:1 too_large: The front matter has more than 16384 bytes. Move text below the second `---`.
        "#]],
    );
    let broken = parse(b"ab\ncd\xffe");
    assert_eq!(told(&broken), "2:3 not_utf8 -");
    assert_eq!(broken.source.text(), "ab\ncd");
}

#[test]
fn mi_04_front_matter_stands_between_two_lines_of_dashes() {
    for text in [
        "---\ntitle: Night patrol\nrobots: [rover-1]\ndepends_on:\n  - calibrate-arm\n---\nGo.\n---\n",
        "---  \r\ntitle: Night patrol\r\nrobots: [rover-1]\r\ndepends_on: [calibrate-arm]\r\n---\t\r\nGo.\n---\n",
        "\u{FEFF}---\ntitle: Night patrol\nrobots: [rover-1]\ndepends_on: [calibrate-arm]\n---\nGo.\n---\n",
    ] {
        let parsed = parse(text.as_bytes());
        assert_eq!((sentences(&parsed).as_str(), parsed.source.body()), ("", "Go.\n---\n"));
        let front = &parsed.front;
        assert_eq!(front.title.as_ref().unwrap().value, "Night patrol");
        assert_eq!((front.robots[0].value.as_str(), front.depends_on[0].value.as_str()), ("rover-1", "calibrate-arm"));
        assert_eq!(front.robots[0].span.of(text), "rover-1");
        assert_eq!(parsed.keys[1].span.of(text), "robots");
    }
    for empty in ["---\n---\nGo.", "---\n# nothing yet\n---\nGo.", "---\nrobots: []\n---\nGo.", "---\n---"] {
        check(empty, &expect![""]);
    }
    check(
        "---\ntitle: x\n",
        &expect![[r#"
            1:1 unclosed_front_matter: The front matter that begins here has no end. Write a line `---` behind the last key.
        "#]],
    );
    // No fence: dashes with something before or behind them.
    for text in [" ---\ntitle: x\n", "----\ntitle: x\n", "--- a\n"] {
        assert_eq!(parse(text.as_bytes()).source.body(), text);
    }
}

#[test]
fn mi_05_what_makes_yaml_clever_is_refused_at_its_place() {
    check(
        "---\n\nrobots: &a [rover-1]\ndepends_on: *a\n---\n",
        &expect![[r#"
            3:9 yaml_feature: Mission files use plain YAML, and this is an anchor. Write the values out.
            4:13 yaml_feature: Mission files use plain YAML, and this is an alias. Write the values out.
        "#]],
    );
    check(
        "---\ntitle: !x y\n---\n",
        &expect![[r#"
            2:11 yaml_feature: Mission files use plain YAML, and this is a tag. Write the values out.
        "#]],
    );
    check(
        "---\n<<: {title: x}\n---\n",
        &expect![[r#"
            2:1 yaml_feature: Mission files use plain YAML, and this is a merge key. Write the values out.
        "#]],
    );
    check(
        "---\ntitle: a\n...\ntitle: b\n---\n",
        &expect![[r#"
            4:1 yaml_feature: Mission files use plain YAML, and this is a second document. Write the values out.
        "#]],
    );
    check(
        "---\n%YAML 1.2\ntitle: b\n---\n",
        &expect![[r#"
            2:1 yaml_feature: Mission files use plain YAML, and this is a directive. Write the values out.
        "#]],
    );
    check(
        "---\ntitle: a\nrobots: []\ntitle: b\n---\n",
        &expect![[r#"
            4:1 duplicate_key: `title` stands in this mapping a second time. Keep one of them.
        "#]],
    );
    check(
        "---\n- title\n---\n",
        &expect![[r#"
            2:1 wrong_type: The front matter is a list and should be keys with values. Write lines such as `title: Patrol`.
        "#]],
    );
    check(
        "---\n[a, b]: c\n? {x: y}\n: d\n---\n",
        &expect![[r#"
            2:1 wrong_type: A key is a word, and this is a list. Write `key: value`.
            3:3 wrong_type: A key is a word, and this is a mapping. Write `key: value`.
        "#]],
    );
}

#[test]
fn mi_05_a_tree_has_bounds() {
    let nested = |depth: usize| told(&front(&format!("title: {}{}", "[".repeat(depth), "]".repeat(depth))));
    assert_eq!(nested(15), "2:8 wrong_type title");
    assert_eq!(nested(16), "2:23 too_deep -");
    assert_eq!(nested(2_000), "2:24 too_deep -");
    let list = |nodes: usize| told(&front(&format!("approval: [{}]", "1,".repeat(nodes - 3))));
    assert_eq!(list(4_096), "2:11 wrong_type approval");
    assert!(list(4_097).ends_with("too_large -"));
    let text = |chars: usize| told(&front(&format!("approval: {}", "ä".repeat(chars))));
    assert_eq!(text(4_096), "2:11 out_of_range approval");
    assert_eq!(text(4_097), "2:11 too_large -");
}

#[test]
fn mc_02_a_syntax_error_is_the_only_problem_and_other_errors_hide_none() {
    check(
        "---\ntitel: x\ntitle: [a\nrobots: 5\n---\n",
        &expect![[r#"
            4:7 yaml_syntax: The front matter is no YAML here: illegal placement of ':' indicator. Check quotes, brackets, colons and indentation.
        "#]],
    );
    check(
        "---\ntitle: [a]\nrobots: 5\ntitel: x\napproval: never\n---\n",
        &expect![[r#"
            2:8 wrong_type title: Expected text, found a list. Write text.
            3:9 wrong_type robots: Expected a list, found a number. Write it without quotes.
            4:1 unknown_key titel: There is no key `titel` here. Did you mean `title`?
            5:11 out_of_range approval: This value is not allowed here. Write `activation` or `ask`.
        "#]],
    );
}

#[test]
fn mc_02_at_most_a_hundred_problems_are_told_in_the_order_of_their_places() {
    let yaml: String = (0..300).map(|key| format!("x{key}: 1\n")).collect();
    let problems = front(&yaml).problems;
    assert_eq!((problems.listed.len(), problems.unlisted, problems.has_error), (100, 200, true));
    let lines: Vec<usize> = problems.listed.iter().map(|problem| problem.start.line).collect();
    assert_eq!(lines, (2..102).collect::<Vec<_>>());
}

#[test]
fn mc_01_a_place_counts_characters_utf_16_units_and_bytes() {
    let text = "\u{FEFF}---\ntitle: a\n\"🤖\u{e4}\": \tx\n---\n";
    let problem = parse(text.as_bytes()).problems.listed.remove(0);
    assert_eq!((problem.bytes.of(text), problem.start.line, problem.start.column), ("\"🤖\u{e4}\"", 3, 1));
    assert_eq!((problem.end.line, problem.end.column, problem.end.column_utf16), (3, 5, 6));
    let wire = serde_json::to_string(&problem).unwrap();
    expect![[r#"{"code":"unknown_key","severity":"error","start":{"line":3,"column":1,"column_utf16":1},"end":{"line":3,"column":5,"column_utf16":6},"bytes":{"from":16,"to":24},"key":"🤖ä","message":"There is no key `🤖ä` here.","help":"Use `title`, `parent`, `depends_on`, `robots`, `resources`, `constraints`, `fallbacks`, `providers`, `alerts`, `triggers`, `time_zone`, `preconditions`, `goals`, `schedule`, `completes_when`, `expires`, `on_failure`, `approval`, `envelope` or `budget_usd`."}"#]].assert_eq(&wire);
    // The mark is no character of the first line.
    let first = parse("\u{FEFF}a\u{202e}".as_bytes()).problems.listed.remove(0);
    assert_eq!((first.start.line, first.start.column), (1, 2));
}

#[test]
fn mi_13_hidden_text_is_an_error_and_what_a_page_leaves_out_a_warning() {
    let check = |text: &str, expected: &[(usize, usize, Severity)]| {
        let problems = parse(text.as_bytes()).problems.listed;
        assert!(problems.iter().all(|problem| problem.code == ProblemCode::HiddenText), "{text:?}");
        let found: Vec<_> =
            problems.iter().map(|problem| (problem.start.line, problem.start.column, problem.severity)).collect();
        assert_eq!(found, expected, "{text:?}");
    };
    check("# Patrol\n\nGo to the gate, 👩\u{200d}🚀 می\u{200c}خواهم.\r\n\tHold 3 < 4 <https://x.y>.", &[]);
    check("---\ntitle: a # \u{202e}\n---\nx", &[(2, 12, Severity::Error)]);
    check("a\u{2066}b\u{e0041}\u{200b}", &[(1, 2, Severity::Error), (1, 4, Severity::Error), (1, 5, Severity::Error)]);
    check("lo\u{200d}osen", &[(1, 3, Severity::Warning)]);
    check(
        "a\n<!-- loosen\nall -->\nb <span style='x'>c</span>",
        &[(2, 1, Severity::Warning), (4, 3, Severity::Warning), (4, 20, Severity::Warning)],
    );
    let pushed = |blanks: usize| format!("Go.\nx{}y", " ".repeat(blanks));
    check(&pushed(398), &[]);
    check(&pushed(399), &[(2, 401, Severity::Warning)]);
    check(&format!("{}y", "\t".repeat(50)), &[(1, 51, Severity::Warning)]);
    check(&"word ".repeat(200), &[]);
}
