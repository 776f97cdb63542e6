//! Speeds, accelerations, forces and joint goals against exact arithmetic.

use std::time::Duration;

use robot::FrameId;
use serde_json::json;

use super::*;
use crate::SetPoint;

/// A vector of about that length.
fn vector(length: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-1.0..1.0f64)
        .prop_map(DVec3::from_array)
        .prop_filter("has a direction", |way| way.length() > 0.1)
        .prop_map(move |way| way.normalize() * length)
}

fn squared(vector: &Exact) -> BigRational {
    dot(vector, vector)
}

/// The last velocity of the arm, told so long ago.
fn told(scene: Scene, linear_mps: DVec3, ago: Duration) -> Scene {
    let last = SetPoint {
        actuator: actuator("arm"),
        frame: FrameId::new("base_link").unwrap(),
        linear_mps: linear_mps.to_array(),
        since: NOW.minus(ago),
        until: NOW.plus(Duration::from_secs(1)),
    };
    scene.state(|state| state.set_points = vec![last])
}

proptest! {
    #![proptest_config(tried(128))]

    #[test]
    fn g16_no_approach_that_is_exactly_too_fast_is_allowed(
        x in 0.0..2.0f64, clearance_m in 0.05..1.0f64, decel_mps2 in 0.05..0.1f64, floor_mps in 0.0..0.05f64, off in border(),
    ) {
        let room = ConstraintKind::Workspace { x: [-3.0, x + clearance_m], y: [-3.0, 3.0], z: [-3.0, 3.0] };
        let rounded_mps = (2.0 * decel_mps2 * clearance_m).sqrt().max(floor_mps);
        let speed_mps = rounded_mps + off;
        let scene = scene().only(&[room]).with(ConstraintKind::ApproachSpeed { decel_mps2, floor_mps });
        let left = exact(x + clearance_m) - exact(x);
        let speed = exact(speed_mps);
        let violated = speed > exact(floor_mps) && &speed * &speed > exact(2.0) * exact(decel_mps2) * left;
        check_command(&scene, goal([x, 0.0, 0.0], speed_mps), violated);
    }

    #[test]
    fn g14_g16_no_velocity_that_exactly_jumps_is_allowed(
        last in vector(0.2), next in vector(0.2), ago_ns in 200_000_000..3_000_000_000_u64, off in border(),
    ) {
        let ago = Duration::from_nanos(ago_ns);
        let change = minus(&next.to_array().map(exact), &last.to_array().map(exact));
        let limit = (next - last).length() / ago.as_secs_f64() + off;
        prop_assume!(limit > 0.0);
        let scene = told(scene(), last, ago).with(ConstraintKind::MaxAcceleration(limit));
        let most = exact(limit) * BigRational::new(ago_ns.into(), 1_000_000_000_u64.into());
        check_command(&scene, velocity(next.to_array(), [0.0; 3]), squared(&change) > &most * &most);
    }

    #[test]
    fn g16_no_turn_that_is_exactly_too_fast_is_allowed(turn in vector(1.5), off in border()) {
        let angular_radps = (turn * (1.0 + off)).to_array();
        let scene = scene();
        let most = exact(scene.manifest.limits.angular_radps_max);
        check_command(&scene, velocity([0.0; 3], angular_radps), squared(&angular_radps.map(exact)) > &most * &most);
    }

    #[test]
    fn g16_no_velocity_that_is_exactly_too_fast_is_allowed(linear in vector(0.5), off in border()) {
        let scene = scene().with(ConstraintKind::MaxVelocity(0.5 + off));
        let most = exact(0.5 + off);
        check_command(&scene, velocity(linear.to_array(), [0.0; 3]), squared(&linear.to_array().map(exact)) > &most * &most);
    }

    #[test]
    fn g16_no_force_that_is_exactly_too_large_is_allowed(limit in 0.1..100.0f64, off in border()) {
        let scene = scene().with(ConstraintKind::MaxForce(limit));
        let command = with_force(limit + off, goal([0.1, 0.0, 0.0], 0.0));
        check_command(&scene, command, exact(limit + off) > exact(limit));
    }

    #[test]
    fn g16_no_time_that_is_exactly_too_short_is_allowed(
        start in point(), goal_m in point(), duration_s in 10.0..60.0f64, off in border(),
    ) {
        let way = minus(&goal_m.map(exact), &start.map(exact));
        let limit = 2.0 * (DVec3::from_array(goal_m) - DVec3::from_array(start)).length() / duration_s + off;
        prop_assume!(limit > 0.0);
        let scene = scene().with(ConstraintKind::MaxVelocity(limit)).at(start);
        let mut command = goal_without_speed(goal_m);
        command["motion"]["pose_goal"]["duration_s"] = json!(duration_s);
        let most = exact(limit) * exact(duration_s);
        check_command(&scene, command, exact(4.0) * squared(&way) > &most * &most);
    }

    #[test]
    fn g16_no_joint_goal_whose_ball_exactly_reaches_a_limit_is_allowed(
        measured in prop::array::uniform2(-1.0..1.0f64), wanted in prop::array::uniform2(-1.0..1.0f64),
        start in point(), towards in vector(1.0), off in border(), is_zone in any::<bool>(),
    ) {
        let turned = jointed().at(start).state(|state| state.joints = measured_joints(&["shoulder", "elbow"], &measured));
        let reach_m = [0.7, 0.4];
        let rounded_m: f64 = (0..2).map(|i| reach_m[i] * (wanted[i] - measured[i]).abs()).sum();
        let ball = (0..2).fold(zero(), |sum, i| {
            let turn = exact(wanted[i]) - exact(measured[i]);
            sum + exact(reach_m[i]) * if turn < zero() { -turn } else { turn }
        });
        let (kind, violated) = if is_zone {
            let center = (DVec3::from_array(start) + towards * (rounded_m + 0.1 + off)).to_array();
            let apart = minus(&center.map(exact), &start.map(exact));
            let keep = ball + exact(0.1);
            (zone(center, 0.1), squared(&apart) <= &keep * &keep)
        } else {
            let face = start[0] + rounded_m + off;
            let room = ConstraintKind::Workspace { x: [-9.0, face], y: [-9.0, 9.0], z: [-9.0, 9.0] };
            (room, exact(start[0]) + ball > exact(face))
        };
        check_command(&turned.with(kind), joints(&wanted, 0.0), violated);
    }
}
