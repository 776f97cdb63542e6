use expect_test::{Expect, expect};

use super::*;
use crate::fixtures::sample;

fn check_pose(json: &str, expected: Expect) {
    let pose = decode_pose(&sample("lab/arm-1/out/state/pose", "", json.as_bytes()), Codec::Json);
    expected.assert_eq(&match pose {
        Ok(Stamped { value: Pose { frame, position_m, orientation }, stamp_ms }) => {
            format!("{frame} {position_m:?} {:?} {stamp_ms:?}", orientation.map(UnitQuaternion::xyzw))
        }
        Err(reason) => format!("{reason:?}"),
    });
}

#[test]
fn reads_complete_poses_only() {
    check_pose(r#"{"frame": "map", "position_m": [1, 2.5, 0]}"#, expect!["map [1.0, 2.5, 0.0] None None"]);
    check_pose(
        r#"{"frame": "map", "position_m": [1, 2, 3], "orientation": [0, 0, 0, 1], "stamp_ms": 1700000000123}"#,
        expect!["map [1.0, 2.0, 3.0] Some([0.0, 0.0, 0.0, 1.0]) Some(1700000000123)"],
    );
    check_pose(r#"{"position_m": [1, 2, 3]}"#, expect!["MissingValue"]);
    check_pose(r#"{"frame": "Map 1", "position_m": [1, 2, 3]}"#, expect!["Undecodable"]);
    check_pose(r#"{"frame": "map", "frame": "odom", "position_m": [1, 2, 3]}"#, expect!["Ambiguous"]);
}

#[test]
fn n1_n5_n15_refuses_broken_numbers() {
    check_pose(r#"{"frame": "map", "position_m": [NaN, 2, 3]}"#, expect!["Undecodable"]);
    check_pose(r#"{"frame": "map", "position_m": [1e999, 2, 3]}"#, expect!["Undecodable"]);
    check_pose(r#"{"frame": "map", "position_m": [null, 2, 3]}"#, expect!["NotScalar"]);
    check_pose(r#"{"frame": "map", "position_m": ["1", 2, 3]}"#, expect!["NotScalar"]);
    check_pose(r#"{"frame": "map", "position_m": [1, 2]}"#, expect!["Undecodable"]);
    check_pose(r#"{"frame": "map", "position_m": [1, 2, 3, 4]}"#, expect!["Undecodable"]);
    check_pose(r#"{"frame": "map", "position_m": [1, 2, 3], "orientation": [0, 0, 0, 0]}"#, expect!["Undecodable"]);
}

#[test]
fn refuses_not_a_number_in_cbor() {
    let mut payload = Vec::new();
    ciborium::into_writer(
        &serde_json::json!({ "linear_mps": [0.3, 0.4, 0.0], "angular_radps": [0, 0, 0] }),
        &mut payload,
    )
    .unwrap();
    let velocity = decode_velocity(&sample("k", "", &payload), Codec::Cbor).unwrap();
    assert_eq!(velocity.value.speed_mps(), 0.5);

    let broken = ciborium::Value::Map(vec![("force_n".into(), f64::NAN.into())]);
    payload.clear();
    ciborium::into_writer(&broken, &mut payload).unwrap();
    assert_eq!(decode_force(&sample("k", "", &payload), Codec::Cbor), Err(RejectReason::NotScalar));
}

#[test]
fn a_battery_is_in_percent() {
    let battery = |json: &str| decode_battery(&sample("k", "", json.as_bytes()), Codec::Auto).map(|it| it.value);
    assert_eq!(battery(r#"{"percent": 87.5}"#), Ok(87.5));
    assert_eq!(battery(r#"{"percent": 101}"#), Err(RejectReason::Undecodable));
}

#[test]
fn att_17_the_stamp_of_whatever_a_robot_says_is_read_and_what_is_no_stamp_is_told_from_none() {
    let read =
        |payload: &[u8]| decode_stamp(&sample("lab/arm-1/out/state/mood", "application/json", payload), Codec::Auto);
    assert_eq!(read(br#"{"mood": "calm", "stamp_ms": 1700000000123}"#), Ok(Some(1_700_000_000_123)));
    assert_eq!(read(br#"{"header": {"ts_ns": 1}, "body": {"stamp_ms": 17}}"#), Ok(Some(17)));
    for unstamped in [&br#"{"mood": "calm"}"#[..], br#"{"stamp_ms": null}"#, b"[1, 2]", b"\"calm\""] {
        assert_eq!(read(unstamped), Ok(None));
    }
    assert_eq!(read(br#"{"stamp_ms": "now"}"#), Err(RejectReason::NotScalar));
    assert_eq!(read(br#"{"stamp_ms": 1, "stamp_ms": 2}"#), Err(RejectReason::Ambiguous));
    assert_eq!(read(b"{"), Err(RejectReason::Undecodable));
}
