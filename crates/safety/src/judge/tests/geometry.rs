//! Rows about places: boxes, zones, ways, frames.

use super::*;
use crate::PathChecked;

#[test]
fn b1_a_workspace_names_the_axis_it_denies() {
    let scene = || scene().only(&[workspace([-0.8, 0.8], [-0.8, 0.8], [0.0, 1.2])]).at([0.0, 0.0, 0.5]);
    check(scene(), goal([0.5, 0.3, 0.8], 0.0), ALLOWED);
    check(
        scene(),
        goal([0.95, 0.0, 0.5], 0.0),
        expect!["Workspace | Denied: workspace x 0.95 m is over the limit 0.80 m by 0.15 m at (0.95, 0.00, 0.50)."],
    );
    check(
        scene(),
        goal([0.0, 0.0, -0.1], 0.0),
        expect!["Workspace | Denied: workspace z -0.10 m is under the limit 0.00 m by 0.10 m at (0.00, 0.00, -0.10)."],
    );
}

#[test]
fn b2_the_bounds_of_a_workspace_are_inside() {
    let scene = || scene().only(&[workspace([-1.0, 1.0], [-1.0, 1.0], [0.0, 2.0])]).at([0.0, 0.0, 1.0]);
    check(scene(), goal([1.0, -1.0, 0.0], 0.0), ALLOWED);
    check(scene(), goal([-1.0, 1.0, 2.0], 0.0), ALLOWED);
}

#[test]
fn b4_a_zone_forbids_its_inside() {
    check(
        scene().with(zone([0.0; 3], 0.5)).at([1.0, 0.0, 0.0]),
        goal([0.1, 0.1, 0.1], 0.0),
        expect![
            "ForbiddenZone | Denied: the way passes 0.17 m from the centre of forbidden zone con-1 of 0.50 m, 0.33 m too near at (0.10, 0.10, 0.10)."
        ],
    );
    check(scene().with(zone([0.0; 3], 0.5)).at([2.0, 0.0, 0.0]), goal([1.0, 0.0, 0.0], 0.0), ALLOWED);
}

#[test]
fn n3_an_overflow_never_allows() {
    let far = |command: &mut Command| set_position(command, [1e308, -1e308, 1e308]);
    check_changed(
        scene().with(zone([5.0, 0.0, 0.0], 0.5)),
        goal([0.0; 3], 0.0),
        far,
        expect![
            "Implausible | ForbiddenZone | Workspace | Denied: the way passes an unknown amount from the centre of forbidden zone con-1 of 0.50 m. The plausible range x inf m is over the limit 10.00 m by inf m at (100000000000000001097906362944045541740492309677311846336810682903157585404911491537163328978494688899061249669721172515611590283743140088328307009198146046031271664502933027185697489699588559043338384466165001178426897626212945177628091195786707458122783970171784415105291802893207873272974885715430223118336.00, -100000000000000001097906362944045541740492309677311846336810682903157585404911491537163328978494688899061249669721172515611590283743140088328307009198146046031271664502933027185697489699588559043338384466165001178426897626212945177628091195786707458122783970171784415105291802893207873272974885715430223118336.00, 100000000000000001097906362944045541740492309677311846336810682903157585404911491537163328978494688899061249669721172515611590283743140088328307009198146046031271664502933027185697489699588559043338384466165001178426897626212945177628091195786707458122783970171784415105291802893207873272974885715430223118336.00): probably a wrong unit. The goal is a step of an unknown amount, and the longest allowed is 30.00 m. Workspace x inf m is over the limit 9.00 m by inf m at (100000000000000001097906362944045541740492309677311846336810682903157585404911491537163328978494688899061249669721172515611590283743140088328307009198146046031271664502933027185697489699588559043338384466165001178426897626212945177628091195786707458122783970171784415105291802893207873272974885715430223118336.00, -100000000000000001097906362944045541740492309677311846336810682903157585404911491537163328978494688899061249669721172515611590283743140088328307009198146046031271664502933027185697489699588559043338384466165001178426897626212945177628091195786707458122783970171784415105291802893207873272974885715430223118336.00, 100000000000000001097906362944045541740492309677311846336810682903157585404911491537163328978494688899061249669721172515611590283743140088328307009198146046031271664502933027185697489699588559043338384466165001178426897626212945177628091195786707458122783970171784415105291802893207873272974885715430223118336.00)."
        ],
    );
}

#[test]
fn n4_a_box_is_closed_and_so_is_a_sphere() {
    // The sum of body, error and margin is rounded up.
    let inside = 1.0 - 0.09 - 1e-15;
    let boxed = || scene_with_body().only(&[cube(1.0)]);
    check(boxed(), goal([inside, -0.0, 5e-324], 0.0), ALLOWED);
    check(
        boxed(),
        goal([inside + 1e-12, 0.0, 0.0], 0.0),
        expect![
            "Workspace | Denied: workspace x 0.91 m is 0.09 m from the limit 1.00 m, closer than 0.09 m (body, error and margin) at (0.91, 0.00, 0.00)."
        ],
    );
    let surface = 2.0 - 0.5 - 0.09;
    let around = || scene_with_body().with(zone([2.0, 0.0, 0.0], 0.5));
    check(
        around(),
        goal([surface, 0.0, 0.0], 0.0),
        expect![
            "ForbiddenZone | Denied: the way passes 0.09 m from forbidden zone con-1 of 0.50 m, closer than 0.09 m (body, error and margin) at (1.41, 0.00, 0.00)."
        ],
    );
    check(around(), goal([surface - 1e-8, 0.0, 0.0], 0.0), ALLOWED);
}

#[test]
fn g1_a_segment_through_a_sphere_is_denied_with_depth_and_point() {
    let scene = scene().with(zone([1.0, 0.2, 0.0], 0.5));
    let verdict = scene.judge(scene.command(goal([2.0, 0.0, 0.0], 0.0)));
    let item = &verdict.items[0];
    assert_eq!(item.point_m, Some([1.0, 0.0, 0.0]));
    assert!((item.margin + 0.3).abs() < 1e-6 && item.at_path_m.is_some_and(|at| (at - 0.5417).abs() < 1e-3));
    assert!(item.nearest_allowed_m.is_some_and(|[x, y, _]| (x - 1.0).abs() < 1e-6 && (y + 0.3).abs() < 1e-5));
    expect!["Denied: the way passes 0.20 m from the centre of forbidden zone con-1 of 0.50 m, 0.30 m too near at (1.00, 0.00, 0.00)."]
        .assert_eq(&verdict.sentence());
}

#[test]
fn g2_a_segment_tangent_to_a_sphere_is_denied() {
    for gap in [0.0, 1e-12, -1e-12] {
        let scene = scene().with(zone([1.0, 0.5 + gap, 0.0], 0.5));
        let outcome = scene.outcome(scene.command(goal([2.0, 0.0, 0.0], 0.0)));
        assert!(outcome.starts_with("ForbiddenZone |"), "gap {gap}: {outcome}");
    }
}

#[test]
fn g3_a_segment_without_length_is_a_point() {
    check(
        scene().with(zone([0.0; 3], 0.5)),
        goal([0.0; 3], 0.0),
        expect![
            "ForbiddenZone | Denied: the way passes 0.00 m from the centre of forbidden zone con-1 of 0.50 m, 0.50 m too near at (0.00, 0.00, 0.00)."
        ],
    );
    check(scene().with(zone([2.0, 0.0, 0.0], 0.5)), goal([0.0; 3], 0.0), ALLOWED);
}

#[test]
fn g4_a_path_that_leaves_the_box_and_comes_back_is_denied() {
    let scene = scene().only(&[cube(1.0)]);
    let verdict = scene.judge(scene.command(path(&[[0.5, 0.0, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 0.0]], 0.0)));
    assert_eq!(verdict.items[0].at_path_m.map(|at| (at * 1e6).round() / 1e6), Some(1.5));
    assert_eq!(verdict.items[0].reason.args.point_index, Some(1));
    expect!["Denied: workspace y 2.00 m is over the limit 1.00 m by 1.00 m at (0.50, 2.00, 0.00)."]
        .assert_eq(&verdict.sentence());
}

#[test]
fn g5_of_ten_thousand_points_the_bad_one_is_named() {
    let mut points = vec![[0.0; 3]; robot::path_points_max()];
    points[9_999] = [0.0, 9.5, 0.0];
    let scene = scene();
    let verdict = scene.judge(scene.command(path(&points, 0.0)));
    assert_eq!(verdict.items[0].reason.args.point_index, Some(9_999));
    assert_eq!(verdict.overall, Overall::Deny);
}

#[test]
fn a_start_that_already_violates_is_denied() {
    check(
        scene().with(zone([0.0; 3], 0.5)).at([0.4, 0.0, 0.0]),
        goal([2.0, 0.0, 0.0], 0.0),
        expect![
            "ForbiddenZone | Denied: the way passes 0.40 m from the centre of forbidden zone con-1 of 0.50 m, 0.10 m too near at (0.40, 0.00, 0.00)."
        ],
    );
    check(
        scene().only(&[cube(1.0)]).at([1.5, 0.0, 0.0]),
        goal([0.0; 3], 0.0),
        expect!["Workspace | Denied: workspace x 1.50 m is over the limit 1.00 m by 0.50 m at (1.50, 0.00, 0.00)."],
    );
}

#[test]
fn g8_a_stopping_distance_that_reaches_a_zone_is_denied_with_the_speed_allowed() {
    let scene = scene().with(zone([2.0, 0.0, 0.0], 0.5));
    let verdict = scene.judge(scene.command(goal([1.2, 0.0, 0.0], 1.0)));
    expect![
        "Denied: stopping from 1.00 m/s takes 0.53 m, and forbidden zone con-1 leaves 0.30 m; 0.69 m/s is allowed."
    ]
    .assert_eq(&verdict.sentence());
    let allowed = verdict.speed_allowed_mps.unwrap();
    assert_eq!(scene.judge(scene.command(goal([1.2, 0.0, 0.0], allowed - 1e-6))).overall, Overall::Allow);
    assert_eq!(scene.judge(scene.command(goal([1.2, 0.0, 0.0], allowed + 1e-6))).overall, Overall::Deny);
}

#[test]
fn the_measured_speed_counts_for_stopping_too() {
    let fast = |state: &mut RobotState| state.speeds.velocity = Fresh::at(1.0, NOW);
    check(
        scene().with(zone([2.0, 0.0, 0.0], 0.5)).state(fast),
        goal([1.2, 0.0, 0.0], 0.1),
        expect![
            "StoppingDistance | Denied: stopping from 1.00 m/s takes 0.53 m, and forbidden zone con-1 leaves 0.30 m; 0.69 m/s is allowed."
        ],
    );
}

#[test]
fn g11_a_frame_without_a_transform_is_denied() {
    check(
        scene(),
        in_frame("odom", goal([0.1, 0.0, 0.0], 0.1)),
        expect!["FrameMismatch | Denied: frame odom is not connected to the robot."],
    );
    let lost = |state: &mut RobotState| {
        state.pose.known_mut().value.frame = FrameId::new("odom").unwrap();
    };
    check(
        scene().state(lost),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["FrameMismatch | Denied: frame odom is not connected to the robot."],
    );
}

#[test]
fn constraints_of_other_frames_are_met_through_static_transforms() {
    // `map` is 1 m behind `base_link`; `site` is `map` turned by half a circle and moved.
    check(
        scene().with_in("map", zone([3.0, 0.0, 0.0], 0.5)),
        goal([2.0, 0.0, 0.0], 0.0),
        expect![
            "ForbiddenZone | Denied: the way passes 0.00 m from the centre of forbidden zone con-1 of 0.50 m, 0.50 m too near at (2.00, 0.00, 0.00)."
        ],
    );
    check(
        scene().with_in("site", zone([-3.0, 2.0, 0.0], 0.5)),
        goal([2.0, 0.0, 0.0], 0.0),
        expect![
            "ForbiddenZone | Denied: the way passes 0.00 m from the centre of forbidden zone con-1 of 0.50 m, 0.50 m too near at (2.00, 0.00, 0.00)."
        ],
    );
    check(scene().with_in("site", zone([3.0, 2.0, 0.0], 0.5)), goal([2.0, 0.0, 0.0], 0.0), ALLOWED);
    let back = in_frame("site", goal([-3.0, 2.0, 0.0], 0.0));
    check(
        scene().with(zone([2.0, 0.0, 0.0], 0.5)),
        back,
        expect![
            "ForbiddenZone | Denied: the way passes 0.00 m from the centre of forbidden zone con-1 of 0.50 m, 0.50 m too near at (-3.00, 2.00, 0.00)."
        ],
    );
}

#[test]
fn g13_millimetres_sent_as_metres_are_implausible() {
    check(
        scene(),
        goal([500.0, 200.0, 1000.0], 0.1),
        expect![
            "Implausible | Workspace | GoalJump | Denied: the plausible range z 1000.00 m is over the limit 10.00 m by 990.00 m at (500.00, 200.00, 1000.00): probably a wrong unit. The goal is a step of 1135.78 m, and the longest allowed is 30.00 m, 1105.78 m too long. Workspace z 1000.00 m is over the limit 9.00 m by 991.00 m at (500.00, 200.00, 1000.00)."
        ],
    );
}

#[test]
fn a_goal_too_far_away_is_denied() {
    let near = scene().of(manifest_with(&[("goal_jump_m_max = 30.0", "goal_jump_m_max = 0.5")]));
    check(near.clone(), goal([0.5, 0.0, 0.0], 0.0), ALLOWED);
    check(
        near.clone(),
        goal([0.6, 0.0, 0.0], 0.0),
        expect!["GoalJump | Denied: the goal is a step of 0.60 m, and the longest allowed is 0.50 m, 0.10 m too long."],
    );
    check(
        near,
        path(&[[0.4, 0.0, 0.0], [0.4, 0.7, 0.0]], 0.0),
        expect!["GoalJump | Denied: the goal is a step of 0.70 m, and the longest allowed is 0.50 m, 0.20 m too long."],
    );
}

#[test]
fn g15_a_velocity_whose_reach_leaves_the_box_is_denied() {
    let scene = || scene().only(&[cube(1.0)]).at([0.5, 0.0, 0.0]);
    check(scene(), velocity([0.2, 0.0, 0.0], [0.0; 3]), ALLOWED);
    check(
        scene(),
        velocity([1.2, 0.0, 0.0], [0.0; 3]),
        expect!["Workspace | Denied: workspace x 1.10 m is over the limit 1.00 m by 0.10 m at (1.10, 0.00, 0.00)."],
    );
}

#[test]
fn c7_the_constraints_of_two_missions_both_apply() {
    let both = || scene().with(cube(1.0)).with(workspace([0.0, 3.0], [-1.0, 1.0], [-1.0, 1.0]));
    check(both(), goal([0.5, 0.0, 0.0], 0.0), ALLOWED);
    check(
        both(),
        goal([2.0, 0.0, 0.0], 0.0),
        expect!["Workspace | Denied: workspace x 2.00 m is over the limit 1.00 m by 1.00 m at (2.00, 0.00, 0.00)."],
    );
    check(
        both(),
        goal([-0.5, 0.0, 0.0], 0.0),
        expect!["Workspace | Denied: workspace x -0.50 m is under the limit 0.00 m by 0.50 m at (-0.50, 0.00, 0.00)."],
    );
}

#[test]
fn a_robot_that_plans_its_way_is_judged_at_the_goal() {
    let own = ("key = \"lab/arm-1/cmd/act/arm\"", "key = \"lab/arm-1/cmd/act/arm\"\npath = \"own\"");
    let own = || scene().of(manifest_with(&[own])).with(zone([1.0, 0.0, 0.0], 0.5));
    let beyond = own().judge(own().command(goal([2.0, 0.0, 0.0], 0.0)));
    assert_eq!((beyond.overall, beyond.path_checked), (Overall::Allow, PathChecked::GoalOnly));
    check(
        own(),
        goal([1.0, 0.0, 0.0], 0.0),
        expect![
            "ForbiddenZone | Denied: the way passes 0.00 m from the centre of forbidden zone con-1 of 0.50 m, 0.50 m too near at (1.00, 0.00, 0.00)."
        ],
    );
}

#[test]
fn a_workspace_is_reported_as_it_was_registered_whatever_the_body() {
    for side in [1.0, -1.0] {
        let scene = scene_with_body();
        let items =
            crate::explain(&scene.limits(), &scene.state, &scene.command(goal([side * 8.95, 0.0, 0.0], 0.1)), NOW);
        let item = items.iter().find(|item| item.kind == crate::Kind::Workspace);
        assert!(item.is_some_and(|item| (item.limit - side * 9.0).abs() < 1e-12 && item.is_violated()), "{item:?}");
    }
}
