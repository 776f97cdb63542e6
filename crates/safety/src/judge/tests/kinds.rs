//! Rows about keep-out boxes, steps, stopping, approaching and accelerating.

use super::*;
use crate::Kind;

/// The scene after the arm was told a velocity `ago_ms` ago, to hold for `ttl_ms`.
fn told(scene: Scene, linear_mps: [f64; 3], ago_ms: u64, ttl_ms: u64) -> Scene {
    let since = NOW.minus(Duration::from_millis(ago_ms));
    let until = since.plus(Duration::from_millis(ttl_ms));
    let frame = FrameId::new("base_link").unwrap();
    scene.state(|state| {
        state.set_points = vec![SetPoint { actuator: actuator("arm"), frame, linear_mps, since, until }];
    })
}

#[test]
fn b4_a_keep_out_box_forbids_its_inside() {
    let scene = || scene().with(keep_out([1.0, -0.5, -0.5], [2.0, 0.5, 0.5]));
    check(
        scene(),
        goal([1.2, 0.1, 0.0], 0.0),
        expect!["KeepOut | Denied: the way goes 0.20 m into keep-out box con-1 at (1.20, 0.10, 0.00)."],
    );
    check(
        scene(),
        goal([1.0, 0.0, 0.0], 0.0),
        expect!["KeepOut | Denied: the way touches keep-out box con-1 at (1.00, 0.00, 0.00)."],
    );
    check(scene(), goal([0.9, 0.0, 0.0], 0.0), ALLOWED);
    check(scene().at([0.0, 0.6, 0.0]), goal([3.0, 0.6, 0.0], 0.0), ALLOWED);
}

#[test]
fn g1_a_segment_through_a_keep_out_box_is_denied_with_depth_and_point() {
    let scene = scene().with(keep_out([1.0, -0.2, -0.5], [2.0, 0.8, 0.5]));
    let verdict = scene.judge(scene.command(goal([3.0, 0.0, 0.0], 0.0)));
    let item = &verdict.items[0];
    assert_eq!((item.reason.code, item.kind), (Reason::KeepOut, Kind::KeepOutBox));
    assert!((item.margin + 0.2).abs() < 1e-6 && item.at_path_m.is_some_and(|at| (at - 1.0).abs() < 1e-6));
    assert!(item.nearest_allowed_m.is_some_and(|[_, y, _]| (y + 0.2).abs() < 1e-5));
    expect!["Denied: the way goes 0.20 m into keep-out box con-1 at (1.20, 0.00, 0.00)."]
        .assert_eq(&verdict.sentence());
}

#[test]
fn g2_n4_the_surface_of_a_keep_out_box_is_denied_and_its_edges_are_round() {
    let body = || scene_with_body().with(keep_out([1.0, -0.5, -0.5], [2.0, 0.5, 0.5]));
    check(
        body(),
        goal([1.0 - 0.09, 0.0, 0.0], 0.0),
        expect![
            "KeepOut | Denied: the way passes 0.09 m from keep-out box con-1, closer than 0.09 m (body, error and margin) at (0.91, 0.00, 0.00)."
        ],
    );
    check(body(), goal([1.0 - 0.09 - 1e-8, 0.0, 0.0], 0.0), ALLOWED);
    // Beyond a corner the distance is straight, so both coordinates may be nearer than the body alone allows.
    check(body().at([0.0, 0.57, 0.0]), goal([0.93, 0.57, 0.0], 0.0), ALLOWED);
    for gap in [0.0, 1e-12, -1e-12] {
        let tangent = scene().with(keep_out([1.0, 0.5 + gap, -0.5], [2.0, 1.0, 0.5])).at([0.0, 0.5, 0.0]);
        let outcome = tangent.outcome(tangent.command(goal([3.0, 0.5, 0.0], 0.0)));
        assert!(outcome.starts_with("KeepOut |"), "gap {gap}: {outcome}");
    }
}

#[test]
fn g8_a_stopping_distance_that_reaches_a_keep_out_box_is_denied_with_the_speed_allowed() {
    check(
        scene().with(keep_out([1.5, -0.5, -0.5], [2.0, 0.5, 0.5])),
        goal([1.2, 0.0, 0.0], 1.0),
        expect![
            "StoppingDistance | Denied: stopping from 1.00 m/s takes 0.53 m, and keep-out box con-1 leaves 0.30 m; 0.69 m/s is allowed."
        ],
    );
}

#[test]
fn g14_two_set_points_that_imply_too_much_acceleration_are_denied() {
    let from_rest = |ago_ms| told(scene(), [0.0; 3], ago_ms, 500);
    check(
        from_rest(20),
        velocity([1.0, 0.0, 0.0], [0.0; 3]),
        expect![
            "Acceleration | Denied: the acceleration 50.00 m/s² is over the limit 2.00 m/s² by 48.00 m/s² between two set-points."
        ],
    );
    check(from_rest(500), velocity([1.0, 0.0, 0.0], [0.0; 3]), ALLOWED);
    check(
        from_rest(499),
        velocity([1.0, 0.0, 0.0], [0.0; 3]),
        expect![
            "Acceleration | Denied: the acceleration 2.004 m/s² is over the limit 2.000 m/s² by 0.004 m/s² between two set-points."
        ],
    );
    // The change counts, not the speed: turning round is twice as hard as starting.
    let forwards = |ago_ms| told(scene(), [0.5, 0.0, 0.0], ago_ms, 1_000);
    check(
        forwards(400),
        velocity([-0.5, 0.0, 0.0], [0.0; 3]),
        expect![
            "Acceleration | Denied: the acceleration 2.50 m/s² is over the limit 2.00 m/s² by 0.50 m/s² between two set-points."
        ],
    );
    check(forwards(500), velocity([-0.5, 0.0, 0.0], [0.0; 3]), ALLOWED);
    check(forwards(0), velocity([0.5, 0.0, 0.0], [0.0; 3]), ALLOWED);
    check(
        forwards(0),
        velocity([0.5, 0.1, 0.0], [0.0; 3]),
        expect!["Acceleration | Denied: the velocity changes from one moment to the next, and the limit is 2.00 m/s²."],
    );
}

#[test]
fn a_set_point_that_ran_out_left_the_actuator_at_rest() {
    let lapsed = |ago_ms| told(scene(), [0.5, 0.0, 0.0], ago_ms, 100);
    check(
        lapsed(150),
        velocity([0.5, 0.0, 0.0], [0.0; 3]),
        expect![
            "Acceleration | Denied: the acceleration 10.00 m/s² is over the limit 2.00 m/s² by 8.00 m/s² between two set-points."
        ],
    );
    check(lapsed(350), velocity([0.5, 0.0, 0.0], [0.0; 3]), ALLOWED);
}

#[test]
fn standing_still_is_never_too_sudden() {
    check(told(scene(), [1.0, 0.0, 0.0], 0, 500), velocity([0.0; 3], [0.0; 3]), ALLOWED);
}

#[test]
fn set_points_of_other_frames_are_compared_in_one() {
    // `site` is turned by half a circle, so the same numbers there are the way back.
    let forwards = || told(scene(), [0.5, 0.0, 0.0], 100, 500);
    check(forwards(), in_frame("site", velocity([-0.5, 0.0, 0.0], [0.0; 3])), ALLOWED);
    check(
        forwards(),
        in_frame("site", velocity([0.5, 0.0, 0.0], [0.0; 3])),
        expect![
            "Acceleration | Denied: the acceleration 10.00 m/s² is over the limit 2.00 m/s² by 8.00 m/s² between two set-points."
        ],
    );
    let lost = forwards().state(|state| state.set_points[0].frame = FrameId::new("odom").unwrap());
    check(
        lost,
        velocity([0.5, 0.0, 0.0], [0.0; 3]),
        expect!["Acceleration | Denied: the velocity changes from one moment to the next, and the limit is 2.00 m/s²."],
    );
    // One that can be compared does not hide one that cannot.
    let beside = |state: &mut crate::RobotState| {
        let mut known = state.set_points[0].clone();
        state.set_points[0].frame = FrameId::new("odom").unwrap();
        known.linear_mps = [0.0, 0.5, 0.0];
        known.frame = FrameId::new("base_link").unwrap();
        state.set_points.push(known);
    };
    let both = forwards().state(beside);
    let outcome = both.outcome(both.command(velocity([0.0, 0.5, 0.0], [0.0; 3])));
    assert!(outcome.starts_with("Acceleration"), "{outcome}");
}

#[test]
fn a_registered_acceleration_binds_beside_the_manifests() {
    let gentle = told(scene(), [0.0; 3], 400, 500).with(ConstraintKind::MaxAcceleration(0.5));
    check(
        gentle,
        velocity([0.4, 0.0, 0.0], [0.0; 3]),
        expect![
            "Acceleration | Denied: the acceleration 1.00 m/s² is over the limit 0.50 m/s² by 0.50 m/s² between two set-points."
        ],
    );
}

#[test]
fn a_goal_jump_binds_every_step_and_no_velocity() {
    let scene = || scene().with(ConstraintKind::GoalJump(0.5));
    check(scene(), goal([0.375, 0.25, 0.0], 0.0), ALLOWED);
    check(
        scene(),
        path(&[[0.4, 0.0, 0.0], [0.4, 0.7, 0.0]], 0.0),
        expect!["GoalJump | Denied: the goal is a step of 0.70 m, and the longest allowed is 0.50 m, 0.20 m too long."],
    );
    check(scene(), velocity([1.2, 0.0, 0.0], [0.0; 3]), ALLOWED);
    check(
        scene(),
        path(&[[0.7, 0.0, 0.0], [0.8, 0.0, 0.0]], 0.0),
        expect!["GoalJump | Denied: the goal is a step of 0.70 m, and the longest allowed is 0.50 m, 0.20 m too long."],
    );
}

#[test]
fn g11_g16_only_the_step_from_a_start_that_was_rounded_is_longer_by_what_that_rounds() {
    // A start in `base_link` is rounded on its way into `site`: there it is (-1, 2, 0), give or take a nanometre.
    let scene = scene().with(ConstraintKind::GoalJump(1.0 + 5e-10));
    let denied = |points: &[[f64; 3]]| {
        let command = scene.command(in_frame("site", path(points, 0.0)));
        let items = crate::explain(&scene.limits(), &scene.state, &command, NOW);
        items.iter().any(|item| item.is_violated() && item.reason.code == Reason::GoalJump)
    };
    assert!(denied(&[[-1.0, 1.0, 0.0]]));
    assert!(!denied(&[[-1.0, 1.5, 0.0], [-1.0, 0.5, 0.0]]));
}

#[test]
fn a_stopping_distance_has_a_limit_of_its_own() {
    let limited = || scene().with(ConstraintKind::StoppingDistance(0.3));
    check(limited(), goal([1.0, 0.0, 0.0], 0.5), ALLOWED);
    let verdict = limited().judge(limited().command(goal([1.0, 0.0, 0.0], 1.0)));
    expect!["Denied: stopping from 1.00 m/s takes 0.53 m, over the limit 0.30 m by 0.23 m; 0.69 m/s is allowed."]
        .assert_eq(&verdict.sentence());
    let allowed = verdict.speed_allowed_mps.unwrap();
    check(limited(), goal([1.0, 0.0, 0.0], allowed - 1e-9), ALLOWED);
    check(
        limited(),
        goal_without_speed([1.0, 0.0, 0.0]),
        expect![
            "MissingVelocity | Denied: the command has no speed, and the limit is 0.30 m. The command has no speed, and the limit is 100.00 m/s."
        ],
    );
    // Fingers need none, however fast they close.
    check(limited().with(ConstraintKind::MaxForce(10.0)), with_force(1.0, grip(Some(2.0))), ALLOWED);
}

#[test]
fn an_approach_is_slow_near_any_limit_and_never_below_its_floor() {
    let near = || {
        scene()
            .with(ConstraintKind::ApproachSpeed { decel_mps2: 0.5, floor_mps: 0.05 })
            .with(zone([2.0, 0.0, 0.0], 0.5))
    };
    // 0.25 m before the zone, the square root of 2 * 0.5 m/s² * 0.25 m.
    check(near(), goal([1.25, 0.0, 0.0], 0.49), ALLOWED);
    let verdict = near().judge(near().command(goal([1.25, 0.0, 0.0], 0.51)));
    expect!["Denied: the speed 0.51 m/s is over the limit 0.50 m/s by 0.01 m/s this near to another limit."]
        .assert_eq(&verdict.sentence());
    assert!(verdict.speed_allowed_mps.is_some_and(|speed_mps| (speed_mps - 0.5).abs() < 1e-6));
    check(near(), goal([1.4999, 0.0, 0.0], 0.0001), ALLOWED);
    check(
        near(),
        goal([0.0, 8.9, 0.0], 0.4),
        expect![
            "StoppingDistance | ApproachSpeed | Denied: the speed 0.40 m/s is over the limit 0.32 m/s by 0.08 m/s this near to another limit. Stopping from 0.40 m/s takes 0.13 m, and workspace y leaves 0.10 m; 0.32 m/s is allowed."
        ],
    );
    check(
        near(),
        goal_without_speed([0.1, 0.0, 0.0]),
        expect![
            "MissingVelocity | Denied: the command has no speed, and the limit is 1.18 m/s. The command has no speed, and the limit is 100.00 m/s."
        ],
    );
}

#[test]
fn each_of_the_kinds_has_a_sentence_when_it_holds() {
    let scene = scene()
        .with(keep_out([1.0, 1.0, 1.0], [2.0, 2.0, 2.0]))
        .with(ConstraintKind::StoppingDistance(1.0))
        .with(ConstraintKind::ApproachSpeed { decel_mps2: 1.0, floor_mps: 0.1 });
    let command = scene.command(velocity([0.1, 0.0, 0.0], [0.0; 3]));
    let items = explain(&scene.limits(), &scene.state, &command, NOW);
    let sentences: Vec<_> = items.iter().map(crate::sentence).collect();
    expect![[r#"
        The goal is 9.95 m inside the plausible bounds.
        The way keeps 1.68 m from keep-out box con-1.
        The way to stop is 0.98 m below its limit.
        Workspace x leaves 8.93 m.
        The acceleration is 2.00 m/s² below its limit.
        The longest step does not concern this motion.
        The speed is 99.90 m/s below its limit.
        The speed is 1.75 m/s below what the distance to the nearest limit allows.
        The angular speed is 1.50 rad/s below its limit."#]]
    .assert_eq(&sentences.join("\n"));
}

/// The kinds of the registered limits that an explanation says something about; it must name each of them once.
fn concerned(raw: Value) -> String {
    let all = [
        ConstraintKind::MaxVelocity(1.0),
        zone([5.0, 5.0, 5.0], 0.5),
        ConstraintKind::MaxForce(50.0),
        keep_out([5.0, -6.0, -1.0], [6.0, -5.0, 1.0]),
        ConstraintKind::MaxAcceleration(2.0),
        ConstraintKind::GoalJump(5.0),
        ConstraintKind::StoppingDistance(5.0),
        ConstraintKind::ApproachSpeed { decel_mps2: 1.0, floor_mps: 0.05 },
        rate("arm", 50.0, 10),
    ];
    let scene = all.into_iter().fold(scene(), Scene::with);
    let limits = scene.limits();
    let items = crate::explain(&limits, &scene.state, &scene.command(raw), NOW);
    let named = |id: &robot::ConstraintId| items.iter().filter(|item| item.constraint.as_ref() == Some(id)).count();
    for constraint in limits.constraints() {
        assert_eq!(named(&constraint.id), 1, "{}", constraint.id);
    }
    let registered = |item: &&crate::Item| item.constraint.as_ref().is_some_and(|id| id.as_str().starts_with("con-"));
    let known = items.iter().filter(registered).filter(|item| !item.predicted.is_nan());
    known.map(|item| format!("{:?}", item.kind)).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_explanation_names_every_constraint_once_concerned_or_not() {
    expect!["MaxVelocity ForbiddenZone MaxForce KeepOutBox GoalJump StoppingDistance Workspace ApproachSpeed"]
        .assert_eq(&concerned(with_force(5.0, goal([0.1, 0.0, 0.0], 0.1))));
    expect!["MaxVelocity ForbiddenZone MaxForce KeepOutBox MaxAcceleration StoppingDistance Workspace ApproachSpeed"]
        .assert_eq(&concerned(with_force(5.0, velocity([0.1, 0.0, 0.0], [0.0; 3]))));
    expect!["MaxVelocity MaxForce"].assert_eq(&concerned(with_force(5.0, grip(Some(0.1)))));
    expect!["MaxForce"].assert_eq(&concerned(with_force(5.0, grip(None))));
    expect![""].assert_eq(&concerned(switch()));
}
