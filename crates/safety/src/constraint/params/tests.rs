use expect_test::{Expect, expect};
use serde_json::json;

use super::*;

fn check(constraint_type: &str, params_json: &str, expected: Expect) {
    let outcome =
        parse_params(constraint_type, params_json).map_or_else(|error| error.to_string(), |kind| format!("{kind:?}"));
    expected.assert_eq(&outcome);
}

#[test]
fn b5_reads_each_type_and_lists_them_for_an_unknown_one() {
    check(
        "workspace",
        r#"{"x": [-1, 1.5], "y": [0, 1], "z": [0.0, 2e0]}"#,
        expect!["Workspace { x: [-1.0, 1.5], y: [0.0, 1.0], z: [0.0, 2.0] }"],
    );
    check("max_velocity", " 1.5 ", expect!["MaxVelocity(1.5)"]);
    check(
        "forbidden_zone",
        r#"{"center": [0, 0.5, 1], "radius": 0.3}"#,
        expect!["ForbiddenZone { center: [0.0, 0.5, 1.0], radius: 0.3 }"],
    );
    check("max_force", "50.0", expect!["MaxForce(50.0)"]);
    check(
        "keep_out_box",
        r#"{"min": [0, 0.5, 1], "max": [1, 1, 2]}"#,
        expect!["KeepOutBox { min: [0.0, 0.5, 1.0], max: [1.0, 1.0, 2.0] }"],
    );
    check(
        "joint_limits",
        r#"{"joint": "lift", "position_m": [0, 0.5], "velocity_mps": 0.1, "acceleration_mps2": 1}"#,
        expect![[
            r#"JointLimits(JointLimits { joint: JointName("lift"), motion: Sliding, position: [0.0, 0.5], velocity: 0.1, acceleration: Some(1.0), effort: None })"#
        ]],
    );
    check("max_acceleration", "2", expect!["MaxAcceleration(2.0)"]);
    check(
        "command_rate",
        r#"{"actuator": "arm", "hz": 50, "burst": 10}"#,
        expect![[r#"CommandRate { actuator: ActuatorId("arm"), hz: 50.0, burst: 10 }"#]],
    );
    check("goal_jump", "0.5", expect!["GoalJump(0.5)"]);
    check("stopping_distance", "0.3", expect!["StoppingDistance(0.3)"]);
    check(
        "approach_speed",
        r#"{"decel_mps2": 1.0, "floor_mps": 0.05}"#,
        expect!["ApproachSpeed { decel_mps2: 1.0, floor_mps: 0.05 }"],
    );
    check(
        "keep_out_sphere",
        "1",
        expect![[
            r#"constraint_type: unknown type "keep_out_sphere"; the types are workspace, max_velocity, forbidden_zone, max_force, keep_out_box, joint_limits, max_acceleration, command_rate, goal_jump, stopping_distance, approach_speed"#
        ]],
    );
}

#[test]
fn b5_each_kind_survives_its_wire_form() {
    let wires = [
        json!({"Workspace": {"x": [-1.0, 1.0], "y": [-1.0, 1.0], "z": [0.0, 2.0]}}),
        json!({"MaxVelocity": 1.5}),
        json!({"ForbiddenZone": {"center": [0.0, 0.5, 1.0], "radius": 0.3}}),
        json!({"MaxForce": 50.0}),
        json!({"KeepOutBox": {"min": [0.0, 0.5, 1.0], "max": [1.0, 1.0, 2.0]}}),
        json!({"JointLimits": {"joint": "elbow", "position_rad": [-1.0, 1.0], "velocity_radps": 0.5, "effort_nm": 9.0}}),
        json!({"MaxAcceleration": 2.0}),
        json!({"CommandRate": {"actuator": "arm", "hz": 50.0, "burst": 10}}),
        json!({"GoalJump": 0.5}),
        json!({"StoppingDistance": 0.3}),
        json!({"ApproachSpeed": {"decel_mps2": 1.0, "floor_mps": 0.05}}),
    ];
    assert_eq!(wires.len(), ConstraintKind::TYPES.len());
    for (wire, type_name) in wires.into_iter().zip(ConstraintKind::TYPES) {
        let kind: ConstraintKind = serde_json::from_value(wire.clone()).unwrap();
        assert_eq!((kind.type_name(), serde_json::to_value(&kind).unwrap()), (type_name, wire));
    }
}

#[test]
fn c1_numbers_out_of_range_name_their_field() {
    check("workspace", r#"{"x": [1, -1], "y": [0, 1], "z": [0, 1]}"#, expect!["params_json.x: min must be below max"]);
    check(
        "workspace",
        r#"{"x": [0, 1], "y": [0, 10001], "z": [0, 1]}"#,
        expect!["params_json.y[1]: must be a number from -10000 to 10000"],
    );
    check(
        "workspace",
        r#"{"x": [0, 1], "y": [0, 1e999], "z": [0, 1]}"#,
        expect!["params_json.y[1]: number out of range at line 1 column 28"],
    );
    check("forbidden_zone", r#"{"center": [0, 0, 0], "radius": 0}"#, expect!["params_json.radius: must be above 0"]);
    check("forbidden_zone", r#"{"center": [0, 0, 0], "radius": -1}"#, expect!["params_json.radius: must be above 0"]);
    check(
        "forbidden_zone",
        r#"{"center": [0, 0, 0], "radius": NaN}"#,
        expect!["params_json.radius: expected value at line 1 column 33"],
    );
    check(
        "forbidden_zone",
        r#"{"center": [0, 0, 20000], "radius": 10000}"#,
        expect!["ForbiddenZone { center: [0.0, 0.0, 20000.0], radius: 10000.0 }"],
    );
    check("max_velocity", "101", expect!["params_json: must be a number from 0 to 100"]);
    check("max_velocity", "-0.1", expect!["params_json: must be a number from 0 to 100"]);
    check("max_force", "1e6", expect!["params_json: must be a number from 0 to 100000"]);
}

#[test]
fn c1_numbers_out_of_range_name_their_field_in_the_other_kinds() {
    let corners = |min: &str, max: &str| format!(r#"{{"min": {min}, "max": {max}}}"#);
    check("keep_out_box", &corners("[0, 1, 0]", "[1, 1, 1]"), expect!["params_json.min[1]: must be below max[1]"]);
    check(
        "keep_out_box",
        &corners("[0, 0, 0]", "[1, 1, 10001]"),
        expect!["params_json.max[2]: must be a number from -10000 to 10000"],
    );
    check(
        "keep_out_box",
        &corners("[NaN, 0, 0]", "[1, 1, 1]"),
        expect!["params_json.min[0]: expected value at line 1 column 10"],
    );
    check("keep_out_box", &corners("[0, 0]", "[1, 1, 1]"), expect!["params_json.min: must be three numbers [x, y, z]"]);
    for constraint_type in ["max_acceleration", "goal_jump", "stopping_distance"] {
        check(constraint_type, "0", expect!["params_json: must be above 0"]);
        check(constraint_type, "-1", expect!["params_json: must be above 0"]);
        check(constraint_type, "1e999", expect!["params_json: number out of range at line 1 column 5"]);
    }
    check("max_acceleration", "101", expect!["params_json: must be at most 100"]);
    let rate = |hz: &str, burst: &str| format!(r#"{{"actuator": "arm", "hz": {hz}, "burst": {burst}}}"#);
    check("command_rate", &rate("0.9", "10"), expect!["params_json.hz: must be a number from 1 to 200"]);
    check("command_rate", &rate("201", "10"), expect!["params_json.hz: must be a number from 1 to 200"]);
    check("command_rate", &rate("50", "0"), expect!["params_json.burst: must be a number from 1 to 50"]);
    check("command_rate", &rate("50", "51"), expect!["params_json.burst: must be a number from 1 to 50"]);
    check(
        "command_rate",
        &rate("50", "1.5"),
        expect!["params_json.burst: invalid type: floating point `1.5`, expected u32 at line 1 column 42"],
    );
    check(
        "command_rate",
        r#"{"actuator": "no such", "hz": 50, "burst": 10}"#,
        expect![[
            r#"params_json.actuator: actuator id "no such" must be 1 to 64 characters of a-z, 0-9, '_' and '-' at line 1 column 22"#
        ]],
    );
    let approach = |decel: &str, floor: &str| format!(r#"{{"decel_mps2": {decel}, "floor_mps": {floor}}}"#);
    check("approach_speed", &approach("0", "0"), expect!["params_json.decel_mps2: must be above 0"]);
    check("approach_speed", &approach("20.1", "0"), expect!["params_json.decel_mps2: must be at most 20"]);
    check("approach_speed", &approach("1", "-0.1"), expect!["params_json.floor_mps: must be a number from 0 to 0.25"]);
    check("approach_speed", &approach("1", "0.26"), expect!["params_json.floor_mps: must be a number from 0 to 0.25"]);
}

#[test]
fn c1_a_stored_number_that_is_not_finite_is_refused_too() {
    for kind in [
        ConstraintKind::MaxVelocity(f64::NAN),
        ConstraintKind::MaxForce(f64::INFINITY),
        ConstraintKind::ForbiddenZone { center: [f64::NAN, 0.0, 0.0], radius: 1.0 },
        ConstraintKind::ForbiddenZone { center: [0.0; 3], radius: f64::NAN },
        ConstraintKind::KeepOutBox { min: [0.0; 3], max: [1.0, f64::NAN, 1.0] },
        ConstraintKind::MaxAcceleration(f64::NAN),
        ConstraintKind::GoalJump(f64::INFINITY),
        ConstraintKind::StoppingDistance(f64::NAN),
        ConstraintKind::ApproachSpeed { decel_mps2: f64::NAN, floor_mps: 0.0 },
        ConstraintKind::ApproachSpeed { decel_mps2: 1.0, floor_mps: f64::NAN },
        crate::fixtures::rate("arm", f64::NAN, 1),
        ConstraintKind::Workspace { x: [0.0, f64::NAN], y: [0.0, 1.0], z: [0.0, 1.0] },
    ] {
        assert!(kind.check().is_err(), "{kind:?} was accepted");
    }
}

#[test]
fn refuses_every_other_form() {
    check("workspace", r#"{"x": [0, 1], "y": [0, 1]}"#, expect!["params_json: missing field `z` at line 1 column 26"]);
    check(
        "workspace",
        r#"{"x": [0, 1], "y": [0, 1], "z": [0, 1], "w": 1}"#,
        expect!["params_json.w: unknown field `w`, expected one of `x`, `y`, `z` at line 1 column 43"],
    );
    check(
        "workspace",
        r#"{"x": [0, 1], "x": [0, 9], "y": [0, 1], "z": [0, 1]}"#,
        expect!["params_json: duplicate field `x` at line 1 column 17"],
    );
    check(
        "workspace",
        r#"{"x": [0, "1"], "y": [0, 1], "z": [0, 1]}"#,
        expect![[r#"params_json.x[1]: invalid type: string "1", expected f64 at line 1 column 13"#]],
    );
    check(
        "workspace",
        r#"{"x": [0, 1, 2], "y": [0, 1], "z": [0, 1]}"#,
        expect!["params_json.x: must be two numbers [min, max]"],
    );
    check("workspace", "[[0, 1], [0, 1], [0, 1]]", expect!["params_json: must be a JSON object"]);
    check(
        "forbidden_zone",
        r#"{"center": [0, 0], "radius": 1}"#,
        expect!["params_json.center: must be three numbers [x, y, z]"],
    );
    check(
        "max_velocity",
        "\"1.5\"",
        expect![[r#"params_json: invalid type: string "1.5", expected f64 at line 1 column 5"#]],
    );
    check(
        "keep_out_box",
        r#"{"min": [0, 0, 0], "max": [1, 1, 1], "radius": 1}"#,
        expect!["params_json.radius: unknown field `radius`, expected `min` or `max` at line 1 column 45"],
    );
    check("keep_out_box", "[[0, 0, 0], [1, 1, 1]]", expect!["params_json: must be a JSON object"]);
    check(
        "command_rate",
        r#"{"hz": 50, "burst": 10}"#,
        expect!["params_json: missing field `actuator` at line 1 column 23"],
    );
    check(
        "approach_speed",
        r#"{"decel_mps2": "1", "floor_mps": 0}"#,
        expect![[r#"params_json.decel_mps2: invalid type: string "1", expected f64 at line 1 column 18"#]],
    );
    check("max_velocity", "1.5 2", expect!["params_json: trailing characters at line 1 column 5"]);
    check("max_velocity", "", expect!["params_json: EOF while parsing a value at line 1 column 0"]);
    check("max_velocity", &" ".repeat(5000), expect!["params_json: must be at most 4096 bytes"]);
}

#[test]
fn c1_joint_limits_name_the_field_that_is_wrong() {
    let check = |params_json: &str, expected: Expect| check("joint_limits", params_json, expected);
    check(r#"{"joint": "a"}"#, expect!["params_json.position_rad: is missing (position_m for a sliding joint)"]);
    check(r#"{"joint": "a", "position_rad": [0, 1]}"#, expect!["params_json.velocity_radps: is missing"]);
    check(
        r#"{"joint": "a", "position_rad": [1, 1], "velocity_radps": 1}"#,
        expect!["params_json.position_rad: lo must be below hi"],
    );
    check(
        r#"{"joint": "a", "position_rad": [0, 1, 2], "velocity_radps": 1}"#,
        expect!["params_json.position_rad: must be two numbers [lo, hi]"],
    );
    check(
        r#"{"joint": "a", "position_rad": [0, 1], "velocity_radps": 0}"#,
        expect!["params_json.velocity_radps: must be above 0"],
    );
    check(
        r#"{"joint": "a", "position_rad": [0, 1], "velocity_radps": 1, "effort_nm": -1}"#,
        expect!["params_json.effort_nm: must be above 0"],
    );
    check(
        r#"{"joint": "a", "position_rad": [0, 1], "velocity_mps": 1}"#,
        expect!["params_json: must have the keys of a turning or of a sliding joint"],
    );
}

#[test]
fn b5_parameters_of_just_so_many_bytes_are_read_and_a_span_without_length_is_none() {
    let padded = |bytes: usize| parse_params("max_velocity", &format!("{:bytes$}", 1.5));
    assert_eq!(padded(PARAMS_BYTES_MAX), Ok(ConstraintKind::MaxVelocity(1.5)));
    assert!(padded(PARAMS_BYTES_MAX + 1).is_err());
    let flat = ConstraintKind::Workspace { x: [0.0, 1.0], y: [1.0, 1.0], z: [0.0, 1.0] };
    assert_eq!(flat.check().unwrap_err().to_string(), "params_json.y: min must be below max");
}
