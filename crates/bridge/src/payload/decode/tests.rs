use ciborium::Value;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use robot::{Codec, EnvelopeMode, Field, FieldPath};

use super::*;
use crate::fixtures::sample;

struct Case {
    codec: Codec,
    encoding: &'static str,
    envelope: EnvelopeMode,
    rows: Option<&'static str>,
    paths: &'static [&'static str],
}

const PLAIN: Case =
    Case { codec: Codec::Auto, encoding: "", envelope: EnvelopeMode::Auto, rows: None, paths: &["a", "b.c[1]"] };

fn plan(case: &Case) -> ScanPlan {
    let path = |text: &&str| FieldPath::parse(text).unwrap();
    ScanPlan {
        codec: case.codec,
        envelope: case.envelope,
        rows: case.rows.as_ref().map(path),
        paths: case.paths.iter().map(path).collect(),
    }
}

fn scan(case: &Case, payload: &[u8]) -> Result<Scanned, RejectReason> {
    Decoder.scan(&sample("lab/cam-1/out/detections", case.encoding, payload), &plan(case))
}

fn check(case: &Case, payload: &[u8], expected: Expect) {
    expected.assert_eq(&match scan(case, payload) {
        Ok(scanned) => {
            let rows: Vec<_> = scanned.rows.iter().map(|row| row.fields.iter().map(show).collect::<Vec<_>>()).collect();
            format!("{rows:?} {:?}", scanned.header.ts_ns).replace('"', "")
        }
        Err(reason) => format!("{reason:?}"),
    });
}

fn show(field: &Field) -> String {
    match field {
        Field::Missing => "missing".to_owned(),
        Field::NotScalar => "not_scalar".to_owned(),
        Field::Scalar(scalar) => scalar.to_string(),
    }
}

fn cbor(value: &Value) -> Vec<u8> {
    let mut payload = Vec::new();
    ciborium::into_writer(value, &mut payload).unwrap();
    payload
}

#[test]
fn ws_23_reads_paths_of_json_and_cbor_alike() {
    check(&PLAIN, br#"{"a": 1, "b": {"c": [true, "x"]}}"#, expect!["[[1, x]] None"]);
    let pair = |key: &str, value: Value| (Value::from(key), value);
    let inner = Value::Map(vec![pair("c", Value::Array(vec![true.into(), "x".into()]))]);
    check(&PLAIN, &cbor(&Value::Map(vec![pair("a", 1.into()), pair("b", inner)])), expect!["[[1, x]] None"]);
    check(&PLAIN, br#"{"a": null, "b": 3}"#, expect!["[[not_scalar, missing]] None"]);
    check(&PLAIN, br#"{"a": {}, "b": {"c": [0, []]}}"#, expect!["[[not_scalar, not_scalar]] None"]);
}

#[test]
fn unwraps_an_envelope_of_exactly_header_and_body() {
    let payload = br#"{"header": {"ts_ns": 17, "monotonic_seq": 2}, "body": {"a": 1, "b": {"c": [0, 2]}}}"#;
    check(&PLAIN, payload, expect!["[[1, 2]] Some(17)"]);
    check(&Case { envelope: EnvelopeMode::None, ..PLAIN }, payload, expect!["[[missing, missing]] None"]);
    check(&Case { paths: &["$$.header.ts_ns", "$.a"], ..PLAIN }, payload, expect!["[[17, 1]] Some(17)"]);
    check(&PLAIN, br#"{"header": 1, "body": {"a": 1}}"#, expect!["[[missing, missing]] None"]);
    check(&PLAIN, br#"{"header": {}, "body": {"a": 1}, "a": 3}"#, expect!["[[3, missing]] None"]);
    check(&PLAIN, br#"{"header": {}, "body": 1, "body": 2}"#, expect!["Ambiguous"]);
}

#[test]
fn fans_arrays_out() {
    let case = Case { paths: &["label", "$.frame_id"], rows: Some("seen"), ..PLAIN };
    check(
        &case,
        br#"{"frame_id": "cam", "seen": [{"label": "dog"}, {}]}"#,
        expect!["[[dog, cam], [missing, cam]] None"],
    );
    check(&case, br#"{"seen": []}"#, expect!["[] None"]);
    check(&case, br#"{"seen": 1}"#, expect!["NoRows"]);
    check(&case, br#"{}"#, expect!["NoRows"]);
    check(&Case { rows: None, paths: &["$", "a"], ..PLAIN }, b"[1, 2]", expect!["[[1, missing], [2, missing]] None"]);
    let many = format!("[{}]", vec!["{}"; 300].join(","));
    let scanned = scan(&PLAIN, many.as_bytes()).unwrap();
    assert_eq!((scanned.rows.len(), scanned.rows_cut), (256, 44));
}

#[test]
fn ws_20_chooses_the_codec_by_encoding_then_by_the_bytes() {
    let case = Case { paths: &["$"], ..PLAIN };
    let with = |encoding| Case { encoding, ..case };
    check(&with("text/plain"), b" 42 ", expect!["[[42]] None"]);
    check(&with("text/plain; charset=utf-8"), b"true", expect!["[[true]] None"]);
    check(&with("zenoh/bytes"), b"NaN", expect!["[[NaN]] None"]);
    check(&with("zenoh/bytes"), "open".as_bytes(), expect!["[[open]] None"]);
    check(&with("video/h264"), b"open", expect!["[[open]] None"]);
    check(&with(""), &[0xff, 0x00], expect!["Undecodable"]);
    check(&with(""), &[b'x'; 257], expect!["Undecodable"]);
    check(&with("application/json"), b"open", expect!["Undecodable"]);
    check(&with("application/cbor"), &[0x18, 0x2a], expect!["[[42]] None"]);
    check(&with("application/cbor"), &[0x18, 0x2a, 0x00], expect!["Undecodable"]);
    check(&with(""), &[0xd9, 0xd9, 0xf7, 0x18, 0x2a], expect!["[[42]] None"]);
}

#[test]
fn ws_25_cbor_has_keys_and_values_that_json_has_not() {
    let case = Case { paths: &["'3'", "t", "big", "bytes", "nan", "undefined"], ..PLAIN };
    let pair = |key: Value, value: Value| (key, value);
    let document = Value::Map(vec![
        pair(3.into(), "by number".into()),
        pair("t".into(), Value::Tag(1, Box::new(17.into()))),
        pair("big".into(), Value::Tag(2, Box::new(Value::Bytes(vec![1; 9])))),
        pair("bytes".into(), Value::Bytes(vec![1, 2])),
        pair("nan".into(), f64::NAN.into()),
        pair(Value::Bool(true), "by nothing".into()),
    ]);
    check(&case, &cbor(&document), expect!["[[by number, 17, not_scalar, not_scalar, not_scalar, missing]] None"]);
}

#[test]
fn ws_25_integers_stay_exact_within_64_bits() {
    let case = Case { paths: &["a"], ..PLAIN };
    check(&case, br#"{"a": 9223372036854775807}"#, expect!["[[9223372036854775807]] None"]);
    check(&case, br#"{"a": 18446744073709551615}"#, expect!["[[18446744073709552000]] None"]);
    check(&case, &cbor(&Value::Map(vec![("a".into(), i64::MIN.into())])), expect!["[[-9223372036854775808]] None"]);
}

#[test]
fn n11_ws_26_a_used_path_that_stands_twice_is_ambiguous() {
    check(&PLAIN, br#"{"a": 1, "a": 2}"#, expect!["Ambiguous"]);
    check(&PLAIN, br#"{"a": 1, "z": 2, "z": 3}"#, expect!["[[1, missing]] None"]);
}

#[test]
fn n13_ws_21_limits_hold_before_anything_is_built() {
    let nested = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
    let case = Case { paths: &["$"], ..PLAIN };
    check(&case, &nested(64), expect!["[[not_scalar]] None"]);
    check(&case, &nested(65), expect!["TooDeep"]);
    check(&case, &nested(10_000), expect!["TooDeep"]);
    check(&case, &vec![0x81; 10_000], expect!["TooDeep"]);
    check(&case, &[vec![b'['], b"0,".repeat(200_000)].concat(), expect!["TooLarge"]);
    check(&case, &vec![b' '; 1024 * 1024 + 1], expect!["TooLarge"]);
    check(&case, &[0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], expect!["Undecodable"]);
}

#[test]
fn ws_20_a_message_of_ros_2_is_named_and_not_taken_for_text() {
    // A std_msgs/String of "hello" is valid UTF-8 and shorter than what is guessed to be text.
    let hello = b"\0\x01\0\0\x06\0\0\0hello\0";
    check(&PLAIN, hello, expect!["LooksLikeRos2"]);
    check(&PLAIN, &[&hello[..], &[b'x'; 1_000]].concat(), expect!["LooksLikeRos2"]);
    check(&PLAIN, b"\0\0\0\0\0\0\0\x06hello\0", expect!["LooksLikeRos2"]);
    // A codec that the operator fixes overrides the guess.
    check(&Case { codec: Codec::Text, paths: &["$"], ..PLAIN }, b"\0\x01\0\0a", expect![[r#"[[\0\u{1}\0\0a]] None"#]]);
    check(&Case { paths: &["$"], ..PLAIN }, b"0", expect!["[[0]] None"]);
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        (-1e9..1e9f64).prop_map(Into::into),
        "[a-c]{0,3}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::Array),
            prop::collection::btree_map("[a-c]|header|body", inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

const ANY_PATHS: Case = Case { paths: &["a", "b.a", "c[0]", "$", "$$.header.a"], ..PLAIN };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn json_and_cbor_of_one_document_give_the_same(document in json()) {
        let text = document.to_string();
        let mut bytes = Vec::new();
        ciborium::into_writer(&document, &mut bytes).unwrap();
        let from_json = scan(&Case { codec: Codec::Json, ..ANY_PATHS }, text.as_bytes());
        prop_assert_eq!(from_json, scan(&Case { codec: Codec::Cbor, ..ANY_PATHS }, &bytes));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for codec in [Codec::Auto, Codec::Json, Codec::Cbor, Codec::Text] {
            let _ = scan(&Case { codec, ..ANY_PATHS }, &bytes);
        }
    }

    #[test]
    fn no_damaged_document_panics(document in json(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = Vec::new();
        ciborium::into_writer(&document, &mut bytes).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = scan(&Case { codec: Codec::Cbor, ..ANY_PATHS }, &bytes);
    }
}

/// The slow way: the whole document, then every path in it.
fn from_document(case: &Case, document: &serde_json::Value) -> Result<Vec<Vec<Field>>, RejectReason> {
    use serde_json::Value;
    let envelope = document.as_object().filter(|map| map.len() == 2 && map.get("header").is_some_and(Value::is_object));
    let body = envelope.and_then(|map| map.get("body"));
    let body = body.filter(|_| case.envelope == EnvelopeMode::Auto).unwrap_or(document);
    let array = match case.rows {
        Some(path) => Some(
            walk_json(body, &FieldPath::parse(path).unwrap()).and_then(Value::as_array).ok_or(RejectReason::NoRows)?,
        ),
        None => body.as_array(),
    };
    let row = |row: &Value| {
        let field = |text: &&str| {
            let path = FieldPath::parse(text).unwrap();
            let is_itself = array.is_some() && !row.is_object() && *text == "$";
            let start = match (path.starts_in_raw(), path.starts_in_document()) {
                (true, _) => document,
                (false, true) if !is_itself => body,
                (false, _) => row,
            };
            walk_json(start, &path).map_or(Field::Missing, json_field)
        };
        case.paths.iter().map(field).collect()
    };
    Ok(array.map_or_else(|| vec![row(body)], |rows| rows.iter().map(row).collect()))
}

fn walk_json<'a>(value: &'a serde_json::Value, path: &FieldPath) -> Option<&'a serde_json::Value> {
    path.steps().iter().try_fold(value, |value, step| match step {
        robot::PathStep::Name(name) => value.as_object()?.get(name),
        robot::PathStep::Index(index) => value.as_array()?.get(*index),
    })
}

fn json_field(value: &serde_json::Value) -> Field {
    use serde_json::Value;
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => Field::NotScalar,
        Value::Bool(truth) => Field::Scalar(robot::Scalar::Bool(*truth)),
        Value::String(text) => Field::Scalar(robot::Scalar::Text(text.clone())),
        Value::Number(number) => Field::Scalar(match number.as_i64() {
            Some(int) => robot::Scalar::Int(int),
            None => robot::Scalar::Float(number.as_f64().unwrap()),
        }),
    }
}

const ROWS_OF_C: Case = Case { rows: Some("c"), ..ANY_PATHS };

fn rows_of(scanned: Result<Scanned, RejectReason>) -> Result<Vec<Vec<Field>>, RejectReason> {
    scanned.map(|scanned| scanned.rows.into_iter().map(|row| row.fields).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn ws_27_a_walk_gives_what_a_full_decode_gives(document in json(), rows: bool) {
        let case = if rows { ROWS_OF_C } else { ANY_PATHS };
        let expected = from_document(&case, &document);
        let mut bytes = Vec::new();
        ciborium::into_writer(&document, &mut bytes).unwrap();
        prop_assert_eq!(rows_of(scan(&Case { codec: Codec::Cbor, ..case }, &bytes)), expected.clone());
        let text = document.to_string();
        prop_assert_eq!(rows_of(scan(&Case { codec: Codec::Json, ..case }, text.as_bytes())), expected);
    }

    #[test]
    fn ws_27_one_sample_never_shows_in_the_next(documents in prop::collection::vec(json(), 1..6), rows: bool) {
        let case = Case { codec: Codec::Json, ..if rows { ROWS_OF_C } else { ANY_PATHS } };
        let mut scanner = Scanner::new(&plan(&case));
        for document in documents {
            let text = document.to_string();
            let again = scanner.scan(&sample("lab/x", "", text.as_bytes())).cloned();
            prop_assert_eq!(again, scan(&case, text.as_bytes()));
        }
    }
}

#[test]
fn ws_08_the_header_of_a_ros_message_is_its_time() {
    for (payload, stamp) in [
        (
            r#"{"header": {"stamp": {"sec": 1772000000, "nanosec": 5}, "frame_id": "cam"}, "a": 1}"#,
            1_772_000_000_000_000_005,
        ),
        (r#"{"header": {"stamp": {"secs": 1772000000, "nsecs": 5}}, "a": 1}"#, 1_772_000_000_000_000_005),
        (r#"{"header": {"stamp": 1772000000}, "a": 1}"#, 1_772_000_000),
        (r#"{"header": {"ts_ns": 7}, "body": {"header": {"stamp": 9}, "a": 1}}"#, 7),
        (r#"{"header": {"stamp": 8}, "body": {"header": {"stamp": 9}, "a": 1}}"#, 9),
    ] {
        assert_eq!(scan(&PLAIN, payload.as_bytes()).unwrap().header.ts_ns, Some(stamp), "{payload}");
    }
}

#[test]
fn ws_22_the_header_of_an_envelope_is_metadata() {
    let payload = br#"{"header": {"ts_ns": 5, "monotonic_seq": 7, "source_instance": "left", "schema_uri": "urn:x"}, "body": {"a": 1}}"#;
    let header = scan(&PLAIN, payload).unwrap().header;
    assert_eq!((header.ts_ns, header.monotonic_seq), (Some(5), Some(7)));
    assert_eq!((header.source_instance.as_deref(), header.schema_uri.as_deref()), (Some("left"), Some("urn:x")));
    let header = scan(&Case { envelope: EnvelopeMode::None, ..PLAIN }, payload).unwrap().header;
    assert_eq!(header.monotonic_seq, None);
}

/// A `geometry_msgs/PoseStamped` of ROS 2 at (1.5, -2, 0) of `map`.
fn pose_stamped() -> Sample {
    let mut message = vec![0, 1, 0, 0];
    message.extend(1_772_000_000_i32.to_le_bytes());
    message.extend(5_u32.to_le_bytes());
    message.extend(b"\x04\0\0\0map\0");
    for number in [1.5, -2.0, 0.0, 0.0, 0.0, 0.0, 1.0_f64] {
        message.extend(number.to_le_bytes());
    }
    let hash = ros2::built_in().get("geometry_msgs/msg/PoseStamped").unwrap().hash();
    sample(&format!("0/tb4/pose/geometry_msgs::msg::dds_::PoseStamped_/{hash}"), "", &message)
}

#[test]
fn fw_13_a_message_of_ros_2_is_read_by_the_names_of_its_fields_with_its_stamp_as_its_time() {
    let case = Case { paths: &["header.frame_id", "pose.position.x", "pose.position.w"], ..PLAIN };
    let scanned = Decoder.scan(&pose_stamped(), &plan(&case)).unwrap();
    let fields: Vec<_> = scanned.rows.iter().flat_map(|row| row.fields.iter().map(show)).collect();
    assert_eq!(fields, ["map", "1.5", "missing"]);
    assert_eq!(scanned.header.ts_ns, Some(1_772_000_000_000_000_005));
    let unknown = Sample { key_expr: "lab/tb4/pose".into(), ..pose_stamped() };
    assert_eq!(Decoder.scan(&unknown, &plan(&case)), Err(RejectReason::LooksLikeRos2));
}

#[test]
fn pf_01_a_message_of_ros_2_like_the_one_before_allocates_nothing() {
    let case = Case { paths: &["header.frame_id", "pose.position.x"], ..PLAIN };
    let (sample, mut scanner) = (pose_stamped(), Scanner::new(&plan(&case)));
    assert_eq!(scanner.scan(&sample).unwrap().rows.len(), 1);
    let counted = allocation_counter::measure(|| assert!(scanner.scan(&sample).is_ok()));
    assert_eq!(counted.count_total, 0);
}

#[test]
fn pf_01_a_sample_like_the_one_before_allocates_nothing() {
    let case = Case { paths: &["label", "confidence", "zone"], ..PLAIN };
    let document = serde_json::json!({"label": "person", "confidence": 0.92, "zone": "hallway", "bearing_rad": 0.5});
    let mut in_cbor = Vec::new();
    ciborium::into_writer(&document, &mut in_cbor).unwrap();
    for (encoding, payload) in [("application/json", document.to_string().into_bytes()), ("application/cbor", in_cbor)]
    {
        let sample = sample("lab/cam-1/out/detections", encoding, &payload);
        let mut scanner = Scanner::new(&plan(&case));
        assert_eq!(scanner.scan(&sample).unwrap().rows.len(), 1);
        let counted = allocation_counter::measure(|| assert!(scanner.scan(&sample).is_ok()));
        assert_eq!(counted.count_total, 0, "{encoding}");
    }
}
