//! The same of joint goals and escapes, whose ways are no lines between goals.

use super::*;

prop_compose! {
    /// A start inside a zone, other limits, and somewhere to go.
    fn escaping()(
        kinds in prop::collection::vec(kind(), 0..4),
        start in prop::array::uniform3(-1.0..1.0f64),
        beside in prop::array::uniform3(-0.3..0.3f64),
        deep in 0.01..0.3f64,
        step in prop::array::uniform3(-1.0..1.0f64),
        speed_mps in 0.0..0.15f64,
        body in any::<bool>(),
    ) -> (Scene, Command) {
        let center: [f64; 3] = std::array::from_fn(|axis| start[axis] + beside[axis]);
        let within = zone(center, DVec3::from_array(beside).length() + deep);
        let scene = if body { scene_with_body() } else { scene() };
        let scene = kinds.into_iter().fold(scene.with(within), Scene::with).at(start);
        let scene = scene.state(|state| state.escape_only = true);
        let goal = std::array::from_fn(|axis| start[axis] + step[axis]);
        let command = scene.command(with_force(5.0, escape(goal, speed_mps)));
        (scene, command)
    }
}

prop_compose! {
    /// Two joints anywhere between their limits, and somewhere to go, perhaps beyond them.
    fn turning()(
        kinds in prop::collection::vec(kind(), 0..4),
        from in prop::array::uniform2(-1.4..1.4f64),
        to in prop::array::uniform2(-2.2..2.2f64),
        near in any::<bool>(),
        speed_radps in 0.0..1.5f64,
    ) -> (Scene, Command) {
        let scene = kinds.into_iter().fold(jointed(), Scene::with);
        let scene = scene.state(|state| state.joints = measured_joints(&["shoulder", "elbow"], &from));
        let to = if near { std::array::from_fn(|joint| from[joint] + to[joint] / 20.0) } else { to };
        let command = scene.command(with_force(5.0, joints(&to, speed_radps)));
        (scene, command)
    }
}

fn either() -> impl Strategy<Value = (Scene, Command)> {
    prop_oneof![escaping(), turning()]
}

/// Clearance of `place` from violating each part of each limit about places, negative where it does. Stopping is left
/// out: the oracle must not be the stricter one.
fn clearances(scene: &Scene, place: DVec3) -> Vec<f64> {
    let keep = scene.manifest.body.inflation_m();
    let of_kind = |constraint: &Constraint| match &constraint.kind {
        ConstraintKind::Workspace { x, y, z } => {
            let faces =
                [place.x - x[0], x[1] - place.x, place.y - y[0], y[1] - place.y, place.z - z[0], z[1] - place.z];
            faces.map(|room| room - keep).to_vec()
        }
        ConstraintKind::ForbiddenZone { center, radius } => {
            vec![place.distance(DVec3::from_array(*center)) - radius - keep]
        }
        ConstraintKind::KeepOutBox { min, max } => vec![box_distance(place, *min, *max) - keep],
        ConstraintKind::MaxVelocity(_) | ConstraintKind::MaxForce(_) | ConstraintKind::MaxAcceleration(_) => vec![],
        ConstraintKind::JointLimits(_) | ConstraintKind::GoalJump(_) | ConstraintKind::StoppingDistance(_) => vec![],
        ConstraintKind::ApproachSpeed { .. } | ConstraintKind::CommandRate { .. } => vec![],
    };
    scene.constraints.iter().flat_map(of_kind).collect()
}

fn is_place(kind: &ConstraintKind) -> bool {
    matches!(
        kind,
        ConstraintKind::Workspace { .. } | ConstraintKind::ForbiddenZone { .. } | ConstraintKind::KeepOutBox { .. }
    )
}

proptest! {
    #![proptest_config(tried(128))]

    #[test]
    fn prop_01_prop_06_an_escape_that_is_allowed_is_slow_and_never_gets_deeper((scene, command) in escaping()) {
        if overall(&scene, &command) == Overall::Allow {
            let Motion::Escape { speed_mps: Some(speed_mps), .. } = command.motion else { unreachable!() };
            prop_assert!(0.0 < speed_mps && speed_mps <= 0.1);
            let places = sampled_places(&scene, &command);
            for (before, after) in places.iter().zip(&places[1..]) {
                let pairs = clearances(&scene, *before).into_iter().zip(clearances(&scene, *after));
                for (before, after) in pairs {
                    prop_assert!(after >= before.min(0.0) - 1e-9, "from {before} m to {after} m");
                }
            }
        }
    }

    #[test]
    fn prop_01_joints_that_may_turn_stay_between_their_limits_and_the_tool_in_a_ball_that_is_free(
        (scene, command) in turning()
    ) {
        if overall(&scene, &command) == Overall::Allow {
            let Motion::Joints { positions_rad, speed_radps: Some(speed_radps), .. } = &command.motion else {
                unreachable!()
            };
            let from = &scene.state.joints.last_known().unwrap().value.positions;
            let mut reach_m = 0.0;
            for (joint, (limit_rad, arm_m)) in [(1.5, 0.7), (2.0, 0.4)].into_iter().enumerate() {
                prop_assert!(positions_rad[joint].abs() <= limit_rad);
                reach_m += (positions_rad[joint] - from[joint]).abs() * arm_m;
            }
            prop_assert!(*speed_radps <= 1.0);
            let start = DVec3::from_array(scene.state.pose.last_known().unwrap().value.position_m);
            for clearance in clearances(&scene, start) {
                prop_assert!(clearance >= reach_m - 1e-9, "{clearance} m for a ball of {reach_m} m");
            }
        }
    }

    /// A place that grows over the robot turns its way in into a way out, so for escapes the places stay as they are.
    #[test]
    fn prop_02_adding_or_tightening_never_allows_them((scene, command) in either(), added in kind(), by in 0.0..0.4f64) {
        if overall(&scene, &command) != Overall::Allow {
            prop_assert_ne!(overall(&scene.clone().with(added), &command), Overall::Allow);
            let is_escape = matches!(command.motion, Motion::Escape { .. });
            let mut tighter = scene;
            for constraint in &mut tighter.constraints {
                if !(is_escape && is_place(&constraint.kind)) {
                    constraint.kind = tightened(&constraint.kind, by);
                }
            }
            prop_assert_ne!(overall(&tighter, &command), Overall::Allow);
        }
    }

    #[test]
    fn prop_04_turning_and_moving_the_scene_keeps_their_verdict(
        (scene, command) in either(),
        turn in prop::array::uniform3(-3.0..3.0f64),
        shift in point(),
    ) {
        check_moved(&scene, &command, turn, shift)?;
    }

    /// Of escapes it does not hold: how fast one may be is a number of its own.
    #[test]
    fn prop_04_other_units_of_length_keep_the_verdict_on_joints((scene, command) in turning(), by in 0.2..5.0f64) {
        check_scaled(&scene, &command, by)?;
    }

    #[test]
    fn prop_03_prop_12_neither_the_order_of_constraints_nor_a_replay_changes_their_verdict((scene, command) in either()) {
        let mut reversed = scene.clone();
        reversed.constraints.reverse();
        let verdict = json(&scene.judge(command.clone()));
        prop_assert_eq!(&verdict, &json(&reversed.judge(command.clone())));
        prop_assert_eq!(verdict, json(&scene.judge(command)));
    }

    #[test]
    fn prop_05_a_number_that_is_not_finite_never_allows_them(
        (mut scene, mut command) in either(),
        places in prop::collection::vec((0..12usize, not_finite()), 1..4),
    ) {
        for (which, number) in places {
            poison(which, number, &mut scene, &mut command);
        }
        prop_assert_ne!(overall(&scene, &command), Overall::Allow);
    }

    #[test]
    fn prop_07_judge_and_explain_agree_on_them((scene, command) in either()) {
        let items = explain(&scene.limits(), &scene.state, &command, NOW);
        let violations = items.iter().filter(|item| item.is_violated()).count();
        let verdict = scene.judge(command);
        prop_assert_eq!(violations, verdict.violations_total as usize);
        prop_assert_eq!(violations == 0, verdict.overall == Overall::Allow);
    }
}

proptest! {
    #![proptest_config(tried(4))]

    #[test]
    fn they_are_allowed_and_denied_often_enough_to_say_something(cases in prop::collection::vec(either(), 60)) {
        let allowed = cases.iter().filter(|(scene, command)| overall(scene, command) == Overall::Allow).count();
        prop_assert!((1..60).contains(&allowed), "{allowed} of 60");
    }
}
