use super::*;
use crate::test_support::{Rig, compile, detections};
use crate::{Warning, WarningCode, World};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

/// Changes one parameter of the documented example and expects a refusal.
fn check_refused(parameter: &str, value: Value, expected: &Expect) {
    let mut config = detections();
    config[parameter] = value;
    let refusal = compile("cp-1", config).err().map(|error| format!("{} {error}", error.code));
    expected.assert_eq(refusal.as_deref().unwrap_or("accepted"));
}

#[test]
fn op_04_ws_40_takes_the_documented_request() {
    let mut config = detections();
    config["closed_sets"] = json!({"label": ["person"], "zone": ["hallway", "street"]});
    let provider = compile("cp-1", config).unwrap();
    let paths: Vec<_> = provider.plan().paths.iter().map(ToString::to_string).collect();
    assert_eq!(paths, ["zone", "confidence", "label"]);
    assert_eq!(provider.config().max_keys, 256);
}

#[test]
fn ws_40_names_parameter_and_place_of_what_is_wrong() {
    check_refused(
        "topic_pattern",
        json!("**"),
        &expect!["bad_key_expression topic_pattern: column 1: expected at least one chunk without a wildcard"],
    );
    check_refused(
        "topic_pattern",
        json!("lab//x"),
        &expect!["bad_key_expression topic_pattern: column 5: expected a chunk that is not empty"],
    );
    check_refused(
        "topic_pattern",
        json!("lab/x*"),
        &expect![
            "bad_key_expression topic_pattern: column 5: expected a chunk without '*', '$', '?', '#' and blanks, or '*', '**', or '$*' inside it"
        ],
    );
    check_refused(
        "topic_pattern",
        json!("lab/**/**"),
        &expect!["bad_key_expression topic_pattern: column 8: expected no wildcard chunk directly after '**'"],
    );
    check_refused("topic_pattern", json!("lab/cam-$*/out/**"), &expect!["accepted"]);
    check_refused(
        "world_state_key_template",
        json!("{label}.Location"),
        &expect!["bad_template world_state_key_template: column 9: expected a-z, 0-9, '_', '-', '.' or '{path}'"],
    );
    check_refused("value_field", json!("a..b"), &expect!["bad_path value_field: column 3: expected a field name"]);
    check_refused("rows", json!(""), &expect!["bad_path rows: column 1: expected a field name"]);
    check_refused(
        "confidence_field",
        json!("a b"),
        &expect!["bad_path confidence_field: column 2: expected '.', '[' or the end"],
    );
    check_refused(
        "filter",
        json!("confidence>>0.8"),
        &expect![[r#"bad_predicate filter: column 12: found ">", expected a number"#]],
    );
    check_refused("max_age_secs", json!(0.05), &expect!["out_of_range max_age_secs: expected 0.1 to 86400 s"]);
    check_refused("min_interval_secs", json!(3601), &expect!["out_of_range min_interval_secs: expected 0 to 3600 s"]);
    check_refused("max_keys", json!(0), &expect!["out_of_range max_keys: expected 1 to 10000"]);
    check_refused("unit", json!("seventeen letters"), &expect!["out_of_range unit: expected 1 to 16 characters"]);
    check_refused(
        "closed_sets",
        json!({"color": ["red"]}),
        &expect![[r#"bad_path closed_sets: "color" is neither the value's path nor used in the key or the filter"#]],
    );
}

#[test]
fn w6_refuses_a_filter_that_does_not_parse_whole() {
    check_refused(
        "filter",
        json!("confidence>0.8 AND"),
        &expect!["bad_predicate filter: column 19: found the end, expected a name"],
    );
    check_refused("filter", json!(""), &expect!["bad_predicate filter: column 1: found the end, expected a name"]);
}

#[test]
fn not_a_number_is_outside_every_range() {
    let mut config: ProviderConfig = serde_json::from_value(detections()).unwrap();
    config.max_age_secs = f64::NAN;
    assert_eq!(Provider::compile(ProviderId("cp-1".into()), config).unwrap_err().code, "out_of_range");
}

#[test]
fn op_02_unknown_parameters_are_errors() {
    let mut config = detections();
    config["topic"] = json!("x");
    assert!(
        serde_json::from_value::<ProviderConfig>(config).unwrap_err().to_string().contains("unknown field `topic`")
    );
}

fn warnings(config: Value) -> Vec<WarningCode> {
    let provider = compile("cp-1", config).unwrap();
    World::new().warnings_about(&provider).into_iter().map(|Warning { code, .. }| code).collect()
}

#[test]
fn ws_49_warns_of_what_is_legal_and_odd() {
    let mut config = detections();
    config["closed_sets"] = json!({"label": ["person"]});
    assert_eq!(warnings(config.clone()), []);
    config["value_field"] = json!("label");
    assert_eq!(warnings(config.clone()), [WarningCode::ValueRepeatsKey]);
    config["closed_sets"] = json!({});
    config["filter"] = Value::Null;
    let all = [WarningCode::ValueRepeatsKey, WarningCode::ConfidenceUnknown, WarningCode::TextValues];
    assert_eq!(warnings(config), all);
}

#[test]
fn ws_49_warns_of_text_once_it_was_seen() {
    let mut config = detections();
    config["closed_sets"] = json!({"label": ["person"]});
    let mut rig = Rig::with(&[("cp-1", config.clone())]);
    rig.send("cp-1", crate::test_support::CAMERA, 0, &json!({"label": "person", "confidence": 0.9, "zone": "hallway"}));
    let provider = compile("cp-1", config).unwrap();
    assert_eq!(
        rig.world.warnings_about(&provider).into_iter().map(|warning| warning.code).collect::<Vec<_>>(),
        [WarningCode::TextValues]
    );
}
