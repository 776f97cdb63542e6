use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn read(text: &str) -> Result<MissionFile, MissionError> {
    parse(MissionId::new("patrol").unwrap(), text)
}

fn check_refused(text: &str, expected: &Expect) {
    let refusal = read(text).err().map(|error| format!("{} {error}", error.code));
    expected.assert_eq(refusal.as_deref().unwrap_or("accepted"));
}

#[test]
fn mi_01_a_file_without_front_matter_is_its_text() {
    for (text, title) in
        [("Look around.", "patrol"), ("\u{FEFF}intro\n# Night patrol \nGo.", "Night patrol"), ("", "patrol")]
    {
        let file = read(text).unwrap();
        assert_eq!((file.title.as_str(), file.robots.len()), (title, 0));
        assert_eq!(file.body, text.trim_start_matches('\u{FEFF}'));
    }
}

#[test]
fn mi_04_reads_front_matter_with_either_line_end() {
    for text in [
        "---\ntitle: Night patrol\nrobots: [rover-1]\ndepends_on:\n  - calibrate-arm\n---\nGo.\n---\n",
        "---  \r\ntitle: Night patrol\r\nrobots: [rover-1]\r\ndepends_on: [calibrate-arm]\r\n---\r\nGo.\n---\n",
    ] {
        let file = read(text).unwrap();
        assert_eq!((file.title.as_str(), file.body.as_str()), ("Night patrol", "Go.\n---\n"));
        assert_eq!((file.robots[0].as_str(), file.depends_on[0].as_str()), ("rover-1", "calibrate-arm"));
    }
    for empty in ["---\n---\nGo.", "---\n# nothing yet\n---\nGo.", "---\nrobots: []\n---\nGo."] {
        assert_eq!(read(empty).unwrap().body, "Go.");
    }
    check_refused("---\ntitle: x\n", &expect!["unclosed_front_matter line 1: expected a second line '---'"]);
}

#[test]
fn mi_05_refuses_what_is_no_plain_mapping() {
    check_refused(
        "---\n\nrobots: &a [rover-1]\n---\n",
        &expect!["bad_front_matter line 3: expected one small mapping without anchors"],
    );
    check_refused("---\nrobots: *a\n---\n", &expect!["bad_front_matter line 2: alias references unknown anchor"]);
    check_refused("---\ntitle: a\ntitle: b\n---\n", &expect!["duplicate_key line 3: title stands here a second time"]);
    check_refused("---\n- title\n---\n", &expect!["bad_front_matter line 2: expected mapping start"]);
    check_refused("---\ntitle: [\n---\n", &expect!["bad_front_matter line 2: expected string scalar"]);
    check_refused("---\ntitle: !x y\n---\n", &expect!["bad_front_matter line 2: unsupported tag `!x`"]);
    check_refused(
        "---\ntitle: a\n...\ntitle: b\n---\n",
        &expect!["bad_front_matter line 4: expected one small mapping without anchors"],
    );
    check_refused(
        &format!("---\nrobots: {}\n---\n", "[".repeat(40)),
        &expect!["bad_front_matter line 2: recursion limit exceeded"],
    );
    check_refused(
        "---\n<<: {title: x}\n---\n",
        &expect!["bad_front_matter line 2: expected one small mapping without anchors"],
    );
}

#[test]
fn mi_07_an_unknown_key_names_the_nearest_known_one() {
    check_refused(
        "---\ntitle: x\nrobot: [rover-1]\n---\n",
        &expect![[r#"unknown_key line 3: unknown key "robot", did you mean "robots"?"#]],
    );
    check_refused(
        "---\ndepends: [a]\n---\n",
        &expect![[r#"unknown_key line 2: unknown key "depends", did you mean "depends_on"?"#]],
    );
    check_refused(
        "---\nmode: assist\n---\n",
        &expect![[r#"unknown_key line 2: unknown key "mode", expected one of title, robots, depends_on"#]],
    );
}

#[test]
fn mi_08_every_key_has_its_range() {
    check_refused(
        "---\ntitle: ''\n---\n",
        &expect!["out_of_range line 2: title: expected one line of 1 to 120 characters"],
    );
    check_refused(
        &format!("---\ntitle: {}\n---\n", "x".repeat(121)),
        &expect!["out_of_range line 2: title: expected one line of 1 to 120 characters"],
    );
    check_refused(
        "---\ntitle: \"a\\nb\"\n---\n",
        &expect!["out_of_range line 2: title: expected one line of 1 to 120 characters"],
    );
    check_refused("---\ntitle: [a]\n---\n", &expect!["bad_front_matter line 2: expected string scalar"]);
    check_refused("---\nrobots: rover-1\n---\n", &expect!["bad_front_matter line 2: expected sequence start"]);
    check_refused(
        "---\n\nrobots:\n  - Rover 1\n---\n",
        &expect![[
            r#"bad_front_matter line 4: robot id "Rover 1" must be 1 to 64 characters of a-z, 0-9, '_' and '-'"#
        ]],
    );
    check_refused(
        "---\nrobots: [a, a]\n---\n",
        &expect!["out_of_range line 2: robots: expected at most 16 ids, each once"],
    );
    let ids = |count: usize| (0..count).map(|i| format!("m{i}")).collect::<Vec<_>>().join(", ");
    check_refused(
        &format!("---\nrobots: [{}]\n---\n", ids(17)),
        &expect!["out_of_range line 2: robots: expected at most 16 ids, each once"],
    );
    check_refused(
        &format!("---\ndepends_on: [{}]\n---\n", ids(65)),
        &expect!["out_of_range line 2: depends_on: expected at most 64 ids, each once"],
    );
    check_refused(
        "---\ntitle: x\ndepends_on: [patrol]\n---\n",
        &expect!["out_of_range line 3: depends_on: a mission cannot depend on itself"],
    );
    assert!(read(&format!("---\nrobots: [{}]\ndepends_on: [{}]\n---\n", ids(16), ids(64))).is_ok());
}

#[test]
fn mi_01_refuses_files_beyond_the_limits() {
    check_refused(
        &"x".repeat(FILE_BYTES_MAX + 1),
        &expect!["too_large line 1: a mission file has at most 262144 bytes"],
    );
    check_refused(
        &format!("---\n# {}\n---\n", "x".repeat(FRONT_BYTES_MAX)),
        &expect!["too_large line 1: the front matter has at most 16384 bytes"],
    );
}

#[test]
fn mi_16_the_shipped_examples_are_valid() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../missions");
    let mut ids = std::collections::BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let id = MissionId::new(path.file_stem().unwrap().to_str().unwrap()).unwrap();
        parse(id.clone(), &std::fs::read_to_string(&path).unwrap()).unwrap();
        ids.insert(id.to_string());
    }
    assert!(["calibrate-arm", "security-patrol"].iter().all(|id| ids.contains(*id)), "{ids:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn mi_15_no_text_panics(text: String, yaml in "[a-z:\\[\\]{}&*!|>'\"#\n -]{0,60}") {
        let _ = read(&text);
        let _ = read(&format!("---\n{text}\n---\n"));
        let _ = read(&format!("---\n{yaml}\n---\n{text}"));
        let _ = read(&format!("---\ntitle: {yaml}\nrobots: {yaml}"));
    }
}
