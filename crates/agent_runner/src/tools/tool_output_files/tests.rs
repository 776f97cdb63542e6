use std::os::unix::fs::PermissionsExt;

use robot::AgentId;
use serde_json::Value;

use super::*;

/// Bytes up to which an output goes to the model whole.
const BYTES_MAX: u32 = 4_096;

fn folders(root: &Path) -> AgentFolders {
    AgentFolders::create(root, &AgentId::new("main").unwrap()).unwrap()
}

fn outcome(json: String, trust: Trust) -> ToolOutcome {
    ToolOutcome { json, trust, ..ToolOutcome::answer(&Value::Null) }
}

/// A JSON object of so many bytes.
fn object(bytes: usize, letter: &str) -> String {
    let frame = r#"{"text":""}"#;
    format!(r#"{{"text":"{}"}}"#, letter.repeat((bytes - frame.len()) / letter.len()))
}

#[test]
fn h_20_4_096_bytes_stay_and_4_097_are_put_away_counting_from_0() {
    let root = tempfile::tempdir().unwrap();
    let folders = folders(root.path());
    let outputs = Outputs::of(&folders, &"desk".into());
    let whole = outcome(object(4_096, "a"), Trust::Trusted);
    assert_eq!(outputs.keep(whole.clone(), BYTES_MAX), whole);
    assert!(!folders.sessions.join("desk.out").exists());
    for n in [0, 1] {
        let long = outcome(object(4_097, "a"), Trust::Typed);
        let kept = outputs.keep(long.clone(), BYTES_MAX);
        assert_eq!(kept, ToolOutcome { spill: Some(n), ..long.clone() });
        let file = folders.sessions.join(format!("desk.out/{n}.txt"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), long.json);
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn p_20_an_output_that_is_believed_no_more_stays_so_and_can_still_be_read() {
    let root = tempfile::tempdir().unwrap();
    let outputs = Outputs::of(&folders(root.path()), &"desk".into());
    outputs.keep(outcome(object(5_000, "a"), Trust::Trusted), BYTES_MAX);
    assert_eq!(outputs.read(0, 0, None).unwrap().trust, Trust::Trusted);
    outputs.distrust(0).unwrap();
    outputs.distrust(0).unwrap();
    assert_eq!(outputs.read(0, 0, None).unwrap().trust, Trust::Text);
}

#[test]
fn h_20_what_was_put_away_is_read_back_in_parts_that_stay_whole() {
    let root = tempfile::tempdir().unwrap();
    let outputs = Outputs::of(&folders(root.path()), &"desk".into());
    let long = object(20_000, "a\\n\\\"é");
    outputs.keep(outcome(long.clone(), Trust::Text), BYTES_MAX);
    let (mut read, mut offset) = (String::new(), Some(0));
    while let Some(from) = offset {
        let page = outputs.read(0, from, None).unwrap();
        assert!(serde_json::to_string(&page).unwrap().len() <= BYTES_MAX as usize, "at {from}");
        assert_eq!((page.offset, page.bytes, page.trust), (from, long.len() as u64, Trust::Text));
        read.push_str(&page.text);
        offset = page.next_offset;
    }
    assert_eq!(read, long);
    assert_eq!(outputs.read(1, 0, None).unwrap_err().code, "output_not_found");
    assert_eq!(outputs.read(0, 1 << 40, None).unwrap().text, "");
}

#[test]
fn h_20_a_pattern_gives_the_places_at_which_it_stands() {
    let root = tempfile::tempdir().unwrap();
    let outputs = Outputs::of(&folders(root.path()), &"desk".into());
    let long = format!(r#"{{"text":"{}fault 7{}fault 9"}}"#, "-".repeat(3_000), "-".repeat(3_000));
    outputs.keep(outcome(long.clone(), Trust::Trusted), BYTES_MAX);
    let found = outputs.read(0, 0, Some("fault")).unwrap();
    let (first, second) = (long.find("fault 7").unwrap(), long.find("fault 9").unwrap());
    assert!(found.text.starts_with(&format!("{first}: -")) && found.text.contains(&format!("\n{second}: -")));
    assert_eq!((found.next_offset, found.trust), (None, Trust::Trusted));
    assert_eq!(outputs.read(0, second as u64 + 1, Some("fault")).unwrap().text, "");
    let many = format!(r#"{{"text":"{}"}}"#, "fault ".repeat(1_000));
    outputs.keep(outcome(many, Trust::Trusted), BYTES_MAX);
    let page = outputs.read(1, 0, Some("fault")).unwrap();
    assert!(page.next_offset.is_some() && serde_json::to_string(&page).unwrap().len() <= BYTES_MAX as usize);
    assert_eq!(outputs.read(1, 0, Some("")).unwrap_err().code, "bad_pattern");
}

#[test]
fn h_20_what_cannot_be_put_away_has_no_number() {
    let root = tempfile::tempdir().unwrap();
    let folders = folders(root.path());
    std::fs::write(folders.sessions.join("desk.out"), "in the way").unwrap();
    let long = outcome(object(60_000, "a"), Trust::Text);
    assert_eq!(Outputs::of(&folders, &"desk".into()).keep(long.clone(), BYTES_MAX), long);
}

#[test]
fn h_20_an_output_is_never_read_through_a_link() {
    let root = tempfile::tempdir().unwrap();
    let folders = folders(root.path());
    let secret = root.path().join("secret");
    std::fs::write(&secret, "canary").unwrap();
    let out = folders.sessions.join("desk.out");
    std::fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink(&secret, out.join("0.txt")).unwrap();
    assert_eq!(Outputs::of(&folders, &"desk".into()).read(0, 0, None).unwrap_err().code, "output_failed");
}
