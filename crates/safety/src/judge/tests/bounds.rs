//! Each limit at its last number that passes and at the next one that does not.

use super::*;

/// The codes that `raw` violates.
fn violated(scene: &Scene, command: Command) -> Vec<Reason> {
    let items = explain(&scene.limits(), &scene.state, &command, NOW);
    items.iter().filter(|item| item.is_violated()).map(|item| item.reason.code).collect()
}

/// `raw` of `last` passes, and of `next` violates `code` and nothing else.
fn edge(scene: Scene, raw: impl Fn(f64) -> Value, [last, next]: [f64; 2], code: Reason) {
    assert_eq!(violated(&scene, scene.command(raw(last))), [], "{last:?} passes");
    assert_eq!(violated(&scene, scene.command(raw(next))), [code], "{next:?} does not");
}

fn ahead(number: f64) -> [f64; 2] {
    [number, number.next_up()]
}

#[test]
fn b3_the_last_speed_and_force_that_pass() {
    let to = |speed_mps| goal([1.0, 0.0, 0.0], speed_mps);
    edge(scene().with(ConstraintKind::MaxVelocity(0.3)), to, ahead(0.3), Reason::Velocity);
    assert_eq!(violated(&scene(), scene().command(to(0.0))), []);
    let pushing = |force_n| with_force(force_n, goal([1.0, 0.0, 0.0], 0.1));
    let limited = scene().with(ConstraintKind::MaxForce(10.0));
    edge(limited.clone(), pushing, ahead(10.0), Reason::Force);
    assert_eq!(violated(&limited, limited.command(pushing(0.0))), []);
    let turning = |radps| velocity([0.0; 3], [0.0, 0.0, radps]);
    edge(scene(), turning, ahead(1.5), Reason::Velocity);
}

#[test]
fn b2_g13_the_last_position_inside_a_workspace_and_inside_the_plausible() {
    for axis in 0..3 {
        for side in [1.0, -1.0] {
            let along = |far: f64| {
                let mut position = [0.0; 3];
                position[axis] = side * far;
                goal(position, 0.0)
            };
            edge(scene(), along, ahead(9.0), Reason::Workspace);
            edge(scene().only(&[cube(20.0)]), along, ahead(10.0), Reason::Implausible);
        }
    }
}

#[test]
fn the_longest_step_of_a_goal_that_passes() {
    let to = |x: f64| goal([x, 0.0, 0.0], 0.0);
    edge(scene().with(ConstraintKind::GoalJump(0.5)), to, [0.5, 0.5 + 1e-12], Reason::GoalJump);
}

#[test]
fn g6_the_fastest_escape_that_passes_and_the_slowest() {
    let inside = || scene().with(zone([0.4, 0.0, 0.0], 0.5));
    let out = |speed_mps| escape([-0.5, 0.0, 0.0], speed_mps);
    edge(inside(), out, ahead(0.10), Reason::Velocity);
    edge(inside(), out, [f64::MIN_POSITIVE, 0.0], Reason::Velocity);
    assert_eq!(ESCAPE_MPS_MAX, 0.10, "the range of the specification begins below it");
}

#[test]
fn g14_the_hardest_change_between_two_set_points_that_passes() {
    let frame = FrameId::new("base_link").unwrap();
    let since = NOW.minus(Duration::from_millis(500));
    let last = SetPoint { actuator: actuator("arm"), frame, linear_mps: [0.0; 3], since, until: NOW };
    let told = scene().state(|state| state.set_points = vec![last]);
    edge(told, |mps| velocity([mps, 0.0, 0.0], [0.0; 3]), ahead(1.0), Reason::Acceleration);
}

#[test]
fn a_joint_passes_at_its_ends_and_at_its_speed() {
    let still = || jointed().at([0.0; 3]);
    for (place, end, others) in [(0, 1.5, 0.0), (1, 2.0, 0.0)] {
        for side in [1.0, -1.0] {
            let turned = |far: f64| {
                let mut positions = [others; 2];
                positions[place] = side * far;
                joints(&positions, 0.1)
            };
            edge(still(), turned, ahead(end), Reason::JointLimit);
        }
    }
    // The shoulder is the slower of the two.
    let at_speed = |radps| joints(&[0.1, 0.1], radps);
    edge(still(), at_speed, ahead(1.0), Reason::JointLimit);
    assert_eq!(violated(&still(), still().command(at_speed(0.0))), []);
}

#[test]
fn g7_t1_the_oldest_and_the_farthest_stamp_ahead_that_count() {
    let pose_at = |ms: u64| {
        let scene = scene().state(|state| state.pose.known_mut().observed = Instant::from_millis(ms));
        violated(&scene, scene.command(goal([0.1, 0.0, 0.0], 0.1)))
    };
    assert_eq!([pose_at(9_500), pose_at(10_100)], [vec![], vec![]]);
    assert_eq!([pose_at(9_499), pose_at(10_101)], [vec![Reason::NoFreshPose], vec![Reason::NoFreshPose]]);
    let joints_at = |ms: u64| {
        let scene = jointed().state(|state| state.joints.known_mut().observed = Instant::from_millis(ms));
        violated(&scene, scene.command(joints(&[0.1, 0.1], 0.1)))
    };
    assert_eq!([joints_at(9_800), joints_at(10_100)], [vec![], vec![]]);
    assert_eq!([joints_at(9_799), joints_at(10_101)], [vec![Reason::NotProvable], vec![Reason::NotProvable]]);
    let issued_at = |ms: u64| {
        let scene = scene();
        let mut command = scene.command(goal([0.1, 0.0, 0.0], 0.1));
        command.issued_at = Instant::from_millis(ms);
        violated(&scene, command)
    };
    assert_eq!([issued_at(8_000), issued_at(10_100)], [vec![], vec![]]);
    assert_eq!([issued_at(7_999), issued_at(10_101)], [vec![Reason::Expired], vec![Reason::Expired]]);
}

#[test]
fn g8_the_room_to_stop_is_that_of_the_faster_of_commanded_and_measured_speed() {
    // From 1 m/s the robot needs 0.2 m + 1/3 m.
    let needed_m = 0.2 + 1.0 / 3.0;
    let measured = |mps: f64| scene().state(move |state| state.speeds.velocity.known_mut().value = mps);
    let leaving = |room_m: f64, speed_mps: f64| goal([9.0 - room_m, 0.0, 0.0], speed_mps);
    for (measured_mps, commanded_mps) in [(0.0, 1.0), (1.0, 0.1), (-1.0, 0.1), (0.1, 1.0)] {
        let room = |short_m: f64| leaving(needed_m - short_m, commanded_mps);
        edge(measured(measured_mps), room, [-1e-9, 1e-9], Reason::StoppingDistance);
    }
}

#[test]
fn an_approach_passes_at_its_floor_and_at_what_its_braking_allows() {
    let near = |x: f64| {
        let slow = ConstraintKind::ApproachSpeed { decel_mps2: 0.5, floor_mps: 0.05 };
        let scene = scene().with(slow).with(zone([2.0, 0.0, 0.0], 0.5));
        move |speed_mps: f64| {
            let found = violated(&scene, scene.command(goal([x, 0.0, 0.0], speed_mps)));
            found.contains(&Reason::ApproachSpeed)
        }
    };
    // The floor counts where braking would ask for less, which is also where there is no room to stop.
    let at_the_surface = near(1.4999);
    assert_eq!(ahead(0.05).map(at_the_surface), [false, true]);
    // 0.25 m before the zone, the square root of 2 * 0.5 m/s² * 0.25 m, less the rounding of the distance.
    let before = near(1.25);
    assert_eq!([0.5 - 1e-6, 0.5 + 1e-6].map(before), [false, true]);
}

#[test]
fn a_grant_to_move_without_limits_holds_up_to_its_end() {
    let granted = |until_ms: u64| {
        let scene = scene().only(&[]).state(|state| state.unconstrained_until = Some(Instant::from_millis(until_ms)));
        violated(&scene, scene.command(goal([0.1, 0.0, 0.0], 0.1)))
    };
    assert_eq!(
        [granted(10_001), granted(10_000), granted(9_999)],
        [vec![], vec![Reason::EmptySet], vec![Reason::EmptySet]]
    );
}
