use std::sync::Arc;

use bridge::Decoder;
use bridge::state::{decode_battery, decode_force, decode_pose, decode_velocity};
use expect_test::{Expect, expect};
use robot::{EnvelopeMode, Field, FieldPath, Instant, RejectReason, Sample, Scan, ScanPlan};

use super::*;

fn samples(key: &str, nan: bool) -> (Channel, Vec<Sample>) {
    let mut world = SimWorld::new(1).unwrap();
    let channel = channels(&world).into_iter().find(|channel| channel.key == key).unwrap();
    let payloads = channel.payloads(&mut world, Moment { step: 25, wall_ms: 1_700_000_000_000, nan });
    let sample = |payload: Vec<u8>| Sample {
        key_expr: Arc::from(key),
        encoding: Arc::from(""),
        payload: Arc::from(payload),
        stamp_ms: None,
        received: Instant::default(),
        received_ms: 0,
        n: 0,
    };
    let samples = payloads.into_iter().map(sample).collect();
    (channel, samples)
}

/// Compares the values that a reader with these paths gets of each row.
fn check(key: &str, paths: &[&str], expected: Expect) {
    let paths = paths.iter().map(|path| FieldPath::parse(path).unwrap()).collect();
    let (channel, samples) = samples(key, false);
    let plan = ScanPlan { codec: channel.codec, envelope: EnvelopeMode::Auto, rows: None, paths };
    let rows = samples.iter().flat_map(|sample| Decoder.scan(sample, &plan).unwrap().rows);
    let show = |field: &Field| match field {
        Field::Scalar(scalar) => scalar.to_string(),
        Field::Missing | Field::NotScalar => format!("{field:?}"),
    };
    let lines: Vec<_> = rows.map(|row| row.fields.iter().map(show).collect::<Vec<_>>().join(" ")).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn detections_are_an_array_in_json_and_envelopes_in_cbor() {
    let paths = ["label", "zone", "$$.header.source_instance", "$$.header.ts_ns"];
    check(
        "lab/cam-1/out/detections",
        &paths[..2],
        expect![[r#"
            person hallway
            dog loading_dock
            toddler kitchen"#]],
    );
    check(
        "lab/cam-1/vision/detections",
        &paths,
        expect![[r#"
            person hallway cam-1 1700000000000000000
            dog loading_dock cam-1 1700000000000000000
            toddler kitchen cam-1 1700000000000000000"#]],
    );
}

#[test]
fn door_oven_and_calibration_have_their_fields() {
    check("lab/gate-1/out/status", &["status"], expect!["closed"]);
    check("lab/oven-1/out/state", &["temperature", "smoke"], expect!["180 0.02"]);
    check("lab/arm-1/out/diag/calibration", &["done"], expect!["false"]);
}

#[test]
fn robot_state_is_what_the_safety_engine_reads() {
    let first = |key: &str| samples(key, false).1.remove(0);
    let pose = decode_pose(&first("lab/arm-1/out/state/pose"), Codec::Json).unwrap();
    assert_eq!((pose.value.frame.as_str(), pose.value.position_m), ("base_link", [0.3, 0.0, 0.8]));
    assert_eq!(pose.stamp_ms, Some(1_700_000_000_000));
    let velocity = decode_velocity(&first("lab/rover-2/out/state/velocity"), Codec::Json).unwrap();
    assert_eq!(velocity.value.speed_mps(), 0.0);
    assert_eq!(decode_force(&first("lab/arm-1/out/state/force"), Codec::Json).unwrap().value, 0.0);
    assert_eq!(decode_battery(&first("lab/rover-1/out/state/battery"), Codec::Json).unwrap().value, 90.0);
}

#[test]
fn n1_a_broken_pose_is_not_a_number() {
    let broken = samples("lab/rover-1/out/state/pose", true).1.remove(0);
    assert_eq!(decode_pose(&broken, Codec::Json), Err(RejectReason::Undecodable));
}
