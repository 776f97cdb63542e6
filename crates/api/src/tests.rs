use super::*;

fn check(body: &str, expected: &str) {
    let error = parse_body(body.as_bytes()).unwrap_err();
    assert_eq!((error.status(), error.code.as_str()), (400, "bad_json"));
    assert!(error.message.contains(expected), "{}", error.message);
}

#[test]
fn n11_refuses_keys_that_stand_twice_at_any_depth() {
    check(r#"{"robot": "a", "robot": "b"}"#, "\"robot\" stands twice");
    check(r#"{"motion": {"switch": {"on": true, "on": false}}}"#, "\"on\" stands twice");
}

#[test]
fn n10_n13_refuses_what_is_no_json_number_and_what_is_nested_without_end() {
    for body in ["{\"x\": NaN}", "{\"x\": 1e999}", "{\"x\": 0x1}", "{\"x\": 1,5}", "{\"x\": Infinity}", "[", "\u{1}"] {
        check(body, "no JSON");
    }
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    check(&deep, "nested deeper");
    let very_deep = "[".repeat(100_000);
    check(&very_deep, "no JSON");
    assert!(parse_body(&[0xff, 0xfe]).is_err());
}

#[test]
fn an_empty_body_is_an_empty_input() {
    assert_eq!(parse_body(b" ").unwrap(), serde_json::json!({}));
}

#[test]
fn every_type_and_every_operation_is_generated() {
    let folder = tempfile::tempdir().unwrap();
    let [calls, reference, schemas, ..] = generated::files(folder.path()).unwrap().map(|file| file.text);
    let schemas: serde_json::Value = serde_json::from_str(&schemas).unwrap();
    for row in station::operations::table() {
        let is_for_windows = row.audience.contains(&robot::Audience::Ui);
        assert_eq!(calls.contains(&format!("\n  {}: {{ input: ", row.name)), is_for_windows, "{}", row.name);
        assert!(reference.contains(&format!("\n### {}\n", row.name)), "{}", row.name);
        assert!(schemas["operations"][row.name]["input"].is_object(), "{}", row.name);
    }
    for name in ["Frame", "Fact", "Proposal", "Verdict", "RobotRow", "SafetyStatus", "EntryLine", "RawCommand"] {
        let text = std::fs::read_to_string(folder.path().join(format!("{name}.ts"))).unwrap();
        assert!(text.contains(&format!("export type {name}")), "{name}");
        assert!(!text.contains("bigint"), "{name} has a number that JSON cannot carry");
    }
}
