use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;

fn context() -> ParseContext {
    ParseContext {
        fresh_id: CommandId(uuid::Uuid::nil()),
        source: Source::Person("dana".into()),
        lease: LeaseToken { station: StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
        issued_at: Instant::default(),
        approval: None,
    }
}

fn parse(raw: serde_json::Value) -> Result<Command, String> {
    let manifest = Manifest::parse(crate::manifest::tests::ARM, "arm-1").unwrap();
    let raw: RawCommand = serde_json::from_value(raw).map_err(|error| error.to_string())?;
    parse_command(&raw, &manifest, context()).map_err(|rejection| format!("{:?} {rejection}", rejection.reason))
}

fn goal(pose_goal: serde_json::Value) -> serde_json::Value {
    json!({"robot": "arm-1", "actuator": "arm", "motion": {"pose_goal": pose_goal}})
}

fn check(raw: serde_json::Value, expected: Expect) {
    expected.assert_eq(&parse(raw).unwrap_err());
}

#[test]
fn fills_in_frame_and_time_to_live() {
    let command = parse(goal(json!({"position_m": [0.5, 0.2, 1.0], "speed_mps": 0.1}))).unwrap();
    assert_eq!((command.frame.as_str(), command.ttl_ms), ("base_link", 2000));
}

#[test]
fn refuses_what_is_no_motion() {
    check(goal(json!({"position_m": [0.5, 0.2]})), expect!["BadArity motion.pose_goal.position_m: 3 numbers, not 2"]);
    check(goal(json!({"position_m": [0, 0, 0, 0]})), expect!["BadArity motion.pose_goal.position_m: 3 numbers, not 4"]);
    check(
        goal(json!({"position_m": [0, 0, 0], "orientation": [0, 0, 0, 0]})),
        expect!["BadOrientation motion.pose_goal.orientation: a quaternion of length 1"],
    );
    check(
        goal(json!({"position_m": [0, 0, 0], "speed_mps": -0.1})),
        expect!["Velocity motion.pose_goal.speed_mps: a speed of 0 m/s or more"],
    );
    check(
        json!({"robot": "arm-1", "actuator": "leg", "motion": {"switch": {"on": true}}}),
        expect!["UnknownActuator actuator: one of: arm"],
    );
    check(
        json!({"robot": "arm-1", "actuator": "arm", "motion": {"switch": {"on": true}}}),
        expect!["Schema motion: a motion that a tool actuator can do"],
    );
}

#[test]
fn refuses_unknown_fields_strings_for_numbers_and_two_motions() {
    check(goal(json!({"position_m": ["0.5", 0, 0]})), expect![[r#"invalid type: string "0.5", expected f64"#]]);
    let mut overridden = goal(json!({"position_m": [0, 0, 0]}));
    overridden["override"] = json!(true);
    assert!(parse(overridden).unwrap_err().starts_with("unknown field `override`"));
    let mut twice = goal(json!({"position_m": [0, 0, 0]}));
    twice["motion"]["switch"] = json!({"on": true});
    assert!(parse(twice).is_err());
    assert!(serde_json::from_str::<RawCommand>(r#"{"robot":"a","robot":"b"}"#).is_err());
}

proptest! {
    #[test]
    fn no_parsed_command_holds_a_number_that_is_not_finite(
        parts in prop::collection::vec(any::<f64>(), 0..5),
        speed_mps in prop::option::of(any::<f64>()),
        force_n in prop::option::of(any::<f64>()),
    ) {
        let manifest = Manifest::parse(crate::manifest::tests::ARM, "arm-1").unwrap();
        let raw = RawCommand {
            id: None,
            robot: RobotId::new("arm-1").unwrap(),
            actuator: ActuatorId::new("arm").unwrap(),
            frame: None,
            force_n,
            ttl_ms: None,
            mission_id: None,
            motion: RawMotion::PoseGoal(RawPoseGoal {
                position_m: parts, orientation: None, speed_mps, duration_s: None,
            }),
        };
        if let Ok(command) = parse_command(&raw, &manifest, context()) {
            let Motion::PoseGoal { position_m, speed_mps, .. } = command.motion else { unreachable!() };
            prop_assert!(position_m.iter().all(|part| part.is_finite()));
            prop_assert!(speed_mps.is_none_or(f64::is_finite));
            prop_assert!(command.force_n.is_none_or(f64::is_finite));
        }
    }
}
