//! Properties of every scene and command, tested on random ones.

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use robot::{FrameId, Manifest, Motion, UnitQuaternion};

use super::*;
use crate::fixtures::*;
use crate::{Constraint, ConstraintKind, Fresh, SetPoint};

mod joints_and_escapes;
mod parameters;

/// Judgements near a border may differ after a change of coordinates.
const BORDER_M: f64 = 1e-6;
/// Points the slow oracle looks at on every straight piece.
const SAMPLES: u32 = 64;

fn point() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-3.0..3.0f64)
}

fn not_finite() -> impl Strategy<Value = f64> {
    prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY)]
}

fn kind() -> impl Strategy<Value = ConstraintKind> {
    prop_oneof![
        3 => (point(), 0.01..1.0f64).prop_map(|(center, radius)| zone(center, radius)),
        2 => prop::array::uniform3((-5.0..-1.0f64, 1.0..5.0f64)).prop_map(|[x, y, z]| ConstraintKind::Workspace {
            x: x.into(), y: y.into(), z: z.into(),
        }),
        1 => (0.0..3.0f64).prop_map(ConstraintKind::MaxVelocity),
        1 => (0.0..20.0f64).prop_map(ConstraintKind::MaxForce),
        3 => (point(), prop::array::uniform3(0.01..1.0f64)).prop_map(|(min, size)| {
            keep_out(min, std::array::from_fn(|axis| min[axis] + size[axis]))
        }),
        1 => (0.1..20.0f64).prop_map(ConstraintKind::MaxAcceleration),
        1 => (1.0..12.0f64).prop_map(ConstraintKind::GoalJump),
        1 => (0.1..2.0f64).prop_map(ConstraintKind::StoppingDistance),
        1 => (0.1..20.0f64, 0.0..0.25f64)
            .prop_map(|(decel_mps2, floor_mps)| ConstraintKind::ApproachSpeed { decel_mps2, floor_mps }),
        1 => (1.0..200.0f64, 1..50u32).prop_map(|(hz, burst)| rate("arm", hz, burst)),
    ]
}

fn motion() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        (point(), 0.0..2.0f64).prop_map(|(position, speed)| goal(position, speed)),
        (prop::collection::vec(point(), 1..4), 0.0..2.0f64).prop_map(|(points, speed)| path(&points, speed)),
        (point(), prop::array::uniform3(-1.0..1.0f64)).prop_map(|(linear, angular)| velocity(linear, angular)),
    ]
}

prop_compose! {
    fn set_point()(
        linear_mps in prop::array::uniform3(-1.0..1.0f64),
        age_ms in 1..1_000u64,
        ttl_ms in 50..1_000u64,
    ) -> SetPoint {
        let since = Instant::from_millis(NOW.mono_ms() - age_ms);
        let until = since.plus(Duration::from_millis(ttl_ms));
        SetPoint { actuator: actuator("arm"), frame: FrameId::new("base_link").unwrap(), linear_mps, since, until }
    }
}

prop_compose! {
    fn case()(
        kinds in prop::collection::vec(kind(), 0..6),
        start in prop::array::uniform3(-1.0..1.0f64),
        body in any::<bool>(),
        measured in 0.0..1.0f64,
        last in prop::option::of(set_point()),
        raw in motion(),
        force_n in 0.0..20.0f64,
    ) -> (Scene, Command) {
        let scene = if body { scene_with_body() } else { scene() };
        let scene = kinds.into_iter().fold(scene, Scene::with).at(start);
        let scene = scene.state(|state| {
            state.speeds.velocity = Fresh::at(measured, NOW);
            state.set_points = last.into_iter().collect();
        });
        let command = scene.command(with_force(force_n, raw));
        (scene, command)
    }
}

/// Every place the oracle looks at, from the start on.
fn sampled_places(scene: &Scene, command: &Command) -> Vec<DVec3> {
    let start = DVec3::from_array(scene.state.pose.last_known().unwrap().value.position_m);
    let points: Vec<DVec3> = match &command.motion {
        Motion::PoseGoal { position_m, .. } => vec![DVec3::from_array(*position_m)],
        Motion::Path { points_m, .. } => points_m.iter().copied().map(DVec3::from_array).collect(),
        Motion::Velocity { linear_mps, .. } => {
            vec![start + DVec3::from_array(*linear_mps) * (f64::from(command.ttl_ms) / 1e3)]
        }
        Motion::Escape { position_m, .. } => vec![DVec3::from_array(*position_m)],
        Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => vec![],
    };
    let mut places = vec![start];
    for to in points {
        let from = places[places.len() - 1];
        places.extend((1..=SAMPLES).map(|i| from.lerp(to, f64::from(i) / f64::from(SAMPLES))));
    }
    places
}

/// Distance of `place` from a box, found by clamping; 0 inside.
fn box_distance(place: DVec3, min: [f64; 3], max: [f64; 3]) -> f64 {
    place.distance(place.clamp(DVec3::from_array(min), DVec3::from_array(max)))
}

/// Room to the nearest face or forbidden region of all constraints after `keep`; at most this much, because only some
/// places are looked at.
fn sampled_room(scene: &Scene, places: &[DVec3], keep: f64) -> f64 {
    let rooms = scene.constraints.iter().flat_map(|constraint| {
        places.iter().map(move |place| match &constraint.kind {
            ConstraintKind::Workspace { x, y, z } => {
                let faces =
                    [place.x - x[0], x[1] - place.x, place.y - y[0], y[1] - place.y, place.z - z[0], z[1] - place.z];
                faces.into_iter().fold(f64::INFINITY, f64::min) - keep
            }
            ConstraintKind::ForbiddenZone { center, radius } => {
                place.distance(DVec3::from_array(*center)) - radius - keep
            }
            ConstraintKind::KeepOutBox { min, max } => box_distance(*place, *min, *max) - keep,
            ConstraintKind::MaxVelocity(_) | ConstraintKind::MaxForce(_) | ConstraintKind::MaxAcceleration(_) => {
                f64::INFINITY
            }
            ConstraintKind::JointLimits(_) | ConstraintKind::GoalJump(_) => f64::INFINITY,
            ConstraintKind::StoppingDistance(_) => f64::INFINITY,
            ConstraintKind::ApproachSpeed { .. } | ConstraintKind::CommandRate { .. } => f64::INFINITY,
        })
    });
    rooms.fold(f64::INFINITY, f64::min)
}

/// The acceleration from the last set-point to the command, both in `base_link`.
fn implied_acceleration(scene: &Scene, command: &Command) -> f64 {
    let (Motion::Velocity { linear_mps, .. }, Some(last)) = (&command.motion, scene.state.set_points.first()) else {
        return 0.0;
    };
    let (before, from) = if last.until > NOW { (last.linear_mps, last.since) } else { ([0.0; 3], last.until) };
    let change: f64 = linear_mps.iter().zip(before).map(|(new, old)| (new - old).powi(2)).sum();
    change.sqrt() / (NOW.0 - from.0) as f64 * 1e9
}

/// The longest step between the start and the goals.
fn longest_step(scene: &Scene, command: &Command) -> f64 {
    let start = scene.state.pose.last_known().unwrap().value.position_m;
    let goals: Vec<[f64; 3]> = match &command.motion {
        Motion::PoseGoal { position_m, .. } => vec![*position_m],
        Motion::Path { points_m, .. } => points_m.to_vec(),
        Motion::Escape { position_m, .. } => vec![*position_m],
        Motion::Velocity { .. } | Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => vec![],
    };
    let starts = std::iter::once(start).chain(goals.iter().copied());
    let steps = starts.zip(&goals).map(|(from, to)| DVec3::from_array(from).distance(DVec3::from_array(*to)));
    steps.fold(0.0, f64::max)
}

/// True if every constraint holds as far as sampling can tell, written without the kernel's geometry.
fn oracle_allows(scene: &Scene, command: &Command) -> bool {
    let speed = match &command.motion {
        Motion::PoseGoal { speed_mps, .. } | Motion::Path { speed_mps, .. } => speed_mps.unwrap(),
        Motion::Velocity { linear_mps: [x, y, z], .. } => (x * x + y * y + z * z).sqrt(),
        Motion::Escape { speed_mps, .. } => speed_mps.unwrap(),
        Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => 0.0,
    };
    let fastest = speed.max(scene.state.speeds.velocity.last_known().unwrap().value);
    let stop = &scene.manifest.stop;
    let stopping = fastest * stop.reaction_s + fastest.powi(2) / (2.0 * stop.decel_mps2);
    let body = &scene.manifest.body;
    let keep = body.bounding_radius_m + body.localisation_error_m + body.margin_m + stopping;
    let places = sampled_places(scene, command);
    scene.constraints.iter().all(|constraint| match &constraint.kind {
        ConstraintKind::MaxVelocity(limit) => speed <= *limit,
        ConstraintKind::MaxForce(limit) => command.force_n.unwrap() <= *limit,
        // Half a rounding error less than the kernel demands: the oracle must not be the stricter one.
        ConstraintKind::Workspace { x, y, z } => places.iter().all(|place| {
            let keep = keep - 1e-12;
            (x[0] + keep..=x[1] - keep).contains(&place.x)
                && (y[0] + keep..=y[1] - keep).contains(&place.y)
                && (z[0] + keep..=z[1] - keep).contains(&place.z)
        }),
        ConstraintKind::ForbiddenZone { center, radius } => {
            places.iter().all(|place| place.distance(DVec3::from_array(*center)) > radius + keep)
        }
        ConstraintKind::KeepOutBox { min, max } => places.iter().all(|place| box_distance(*place, *min, *max) > keep),
        ConstraintKind::MaxAcceleration(limit) => implied_acceleration(scene, command) <= limit * (1.0 + 1e-12),
        ConstraintKind::GoalJump(limit) => longest_step(scene, command) <= *limit,
        ConstraintKind::StoppingDistance(limit) => stopping <= *limit,
        ConstraintKind::ApproachSpeed { decel_mps2, floor_mps } => {
            let room = sampled_room(scene, &places, keep - stopping);
            speed <= *floor_mps || speed <= (2.0 * decel_mps2 * room).sqrt()
        }
        // Joint goals are another motion, rates the gate's business.
        ConstraintKind::JointLimits(_) | ConstraintKind::CommandRate { .. } => true,
    })
}

fn overall(scene: &Scene, command: &Command) -> Overall {
    scene.judge(command.clone()).overall
}

/// Turning the scene and moving it keeps the verdict.
fn check_moved(scene: &Scene, command: &Command, turn: [f64; 3], shift: [f64; 3]) -> Result<(), TestCaseError> {
    if !is_near_a_border(scene, command) {
        let turn = DQuat::from_scaled_axis(DVec3::from_array(turn));
        let (moved, moved_command) = seen_from_map(scene, command, turn, DVec3::from_array(shift));
        prop_assert_eq!(overall(scene, command), overall(&moved, &moved_command));
    }
    Ok(())
}

/// Other units of length keep the verdict.
fn check_scaled(scene: &Scene, command: &Command, by: f64) -> Result<(), TestCaseError> {
    if !is_near_a_border(scene, command) {
        let (large, large_command) = scaled(scene, command, by);
        prop_assert_eq!(overall(scene, command), overall(&large, &large_command));
    }
    Ok(())
}

fn json(verdict: &Verdict) -> serde_json::Value {
    serde_json::to_value(verdict).unwrap()
}

/// True if anything is so near to its limit that rounding could decide.
fn is_near_a_border(scene: &Scene, command: &Command) -> bool {
    explain(&scene.limits(), &scene.state, command, NOW).iter().any(|item| !(item.margin.abs() > BORDER_M))
}

/// The same limit, a little stricter.
fn tightened(kind: &ConstraintKind, by: f64) -> ConstraintKind {
    let inwards = |[min, max]: [f64; 2]| [min + by, max - by];
    match kind {
        ConstraintKind::Workspace { x, y, z } => {
            ConstraintKind::Workspace { x: inwards(*x), y: inwards(*y), z: inwards(*z) }
        }
        ConstraintKind::MaxVelocity(limit) => ConstraintKind::MaxVelocity((limit - by).max(0.0)),
        ConstraintKind::ForbiddenZone { center, radius } => zone(*center, radius + by),
        ConstraintKind::MaxForce(limit) => ConstraintKind::MaxForce((limit - by).max(0.0)),
        ConstraintKind::KeepOutBox { min, max } => keep_out(min.map(|low| low - by), max.map(|high| high + by)),
        ConstraintKind::MaxAcceleration(limit) => ConstraintKind::MaxAcceleration(limit / (1.0 + by)),
        ConstraintKind::GoalJump(limit) => ConstraintKind::GoalJump(limit / (1.0 + by)),
        ConstraintKind::StoppingDistance(limit) => ConstraintKind::StoppingDistance(limit / (1.0 + by)),
        ConstraintKind::ApproachSpeed { decel_mps2, floor_mps } => {
            ConstraintKind::ApproachSpeed { decel_mps2: decel_mps2 / (1.0 + by), floor_mps: floor_mps * (1.0 - by) }
        }
        ConstraintKind::JointLimits(limits) => ConstraintKind::JointLimits(limits.clone()),
        ConstraintKind::CommandRate { actuator, hz, burst } => {
            ConstraintKind::CommandRate { actuator: actuator.clone(), hz: (hz - by).max(1.0), burst: *burst }
        }
    }
}

/// Puts `number` into the place `which` of command or state.
fn poison(which: usize, number: f64, scene: &mut Scene, command: &mut Command) {
    let pose = scene.state.pose.known_mut();
    match which {
        0..=2 => pose.value.position_m[which] = number,
        3 => scene.state.speeds.velocity.known_mut().value = number,
        8 if scene.state.joints.last_known().is_some() => scene.state.joints.known_mut().value.positions[0] = number,
        4 => command.force_n = Some(number),
        _ => match &mut command.motion {
            Motion::PoseGoal { speed_mps, .. } | Motion::Path { speed_mps, .. } if which == 5 => {
                *speed_mps = Some(number)
            }
            Motion::PoseGoal { position_m, .. } => position_m[which % 3] = number,
            Motion::Path { points_m, .. } => points_m[0][which % 3] = number,
            Motion::Velocity { linear_mps, angular_radps } if which.is_multiple_of(2) => {
                (linear_mps[which % 3], angular_radps[0]) = (number, 0.0);
            }
            Motion::Velocity { .. } if which == 7 && !scene.state.set_points.is_empty() => {
                let last = &mut scene.state.set_points[0];
                (last.linear_mps[0], last.until) = (number, NOW.plus(Duration::from_secs(1)));
            }
            Motion::Velocity { angular_radps, .. } => angular_radps[which % 3] = number,
            Motion::Escape { speed_mps, .. } if which == 5 => *speed_mps = Some(number),
            Motion::Escape { position_m, .. } => position_m[which % 3] = number,
            Motion::Joints { speed_radps, .. } if which == 5 => *speed_radps = Some(number),
            Motion::Joints { positions_rad, .. } => positions_rad[which % 2] = number,
            Motion::Gripper { .. } | Motion::Switch { .. } => {}
        },
    }
}

/// The scene seen from `map`, which lies anywhere: zones, pose and command are given there, boxes where they were.
fn seen_from_map(scene: &Scene, command: &Command, turn: DQuat, shift: DVec3) -> (Scene, Command) {
    let map = FrameId::new("map").unwrap();
    let to_map = |point: [f64; 3]| (turn * DVec3::from_array(point) + shift).to_array();
    let mut manifest: Manifest = scene.manifest.clone();
    manifest.frames.truncate(1);
    manifest.frames[0].translation_m = shift.to_array();
    manifest.frames[0].rotation_xyzw = UnitQuaternion::new(turn.to_array()).unwrap();
    let constraints = scene.constraints.iter().map(|constraint| match &constraint.kind {
        ConstraintKind::ForbiddenZone { center, radius } => {
            Constraint { frame: Some(map.clone()), kind: zone(to_map(*center), *radius), ..constraint.clone() }
        }
        ConstraintKind::Workspace { .. } | ConstraintKind::KeepOutBox { .. } => constraint.clone(),
        ConstraintKind::MaxVelocity(_) | ConstraintKind::MaxForce(_) | ConstraintKind::MaxAcceleration(_) => {
            constraint.clone()
        }
        ConstraintKind::GoalJump(_) | ConstraintKind::StoppingDistance(_) => constraint.clone(),
        ConstraintKind::JointLimits(_) => constraint.clone(),
        ConstraintKind::ApproachSpeed { .. } | ConstraintKind::CommandRate { .. } => constraint.clone(),
    });
    let mut moved = Scene { manifest, constraints: constraints.collect(), ..scene.clone() };
    let pose = &mut moved.state.pose.known_mut().value;
    pose.position_m = to_map(pose.position_m);
    pose.frame = map.clone();
    let mut command = command.clone();
    command.frame = map;
    match &mut command.motion {
        Motion::PoseGoal { position_m, .. } | Motion::Escape { position_m, .. } => *position_m = to_map(*position_m),
        Motion::Path { points_m, .. } => points_m.iter_mut().for_each(|point| *point = to_map(*point)),
        Motion::Velocity { linear_mps, .. } => *linear_mps = (turn * DVec3::from_array(*linear_mps)).to_array(),
        Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => {}
    }
    (moved, command)
}

/// The scene and the command in other units of length: everything with metres in it is `by` times as large.
fn scaled(scene: &Scene, command: &Command, by: f64) -> (Scene, Command) {
    let (mut scene, mut command) = (scene.clone(), command.clone());
    let longer = |bounds: [f64; 2]| bounds.map(|bound| bound * by);
    let Manifest { body, envelope, limits, stop, actuators, .. } = &mut scene.manifest;
    actuators.iter_mut().flat_map(|actuator| &mut actuator.joints).for_each(|joint| joint.reach_m *= by);
    let lengths = [&mut body.bounding_radius_m, &mut body.localisation_error_m, &mut body.margin_m];
    let speeds = [&mut limits.speed_mps_max, &mut limits.acceleration_mps2_max, &mut limits.goal_jump_m_max];
    lengths.into_iter().chain(speeds).chain([&mut stop.decel_mps2]).for_each(|length| *length *= by);
    (envelope.x_m, envelope.y_m, envelope.z_m) = (longer(envelope.x_m), longer(envelope.y_m), longer(envelope.z_m));
    for constraint in &mut scene.constraints {
        match &mut constraint.kind {
            ConstraintKind::Workspace { x, y, z } => (*x, *y, *z) = (longer(*x), longer(*y), longer(*z)),
            ConstraintKind::ForbiddenZone { center, radius } => {
                (*center, *radius) = (center.map(|at| at * by), *radius * by);
            }
            ConstraintKind::KeepOutBox { min, max } => (*min, *max) = (min.map(|at| at * by), max.map(|at| at * by)),
            ConstraintKind::MaxVelocity(limit) | ConstraintKind::MaxAcceleration(limit) => *limit *= by,
            ConstraintKind::GoalJump(limit) | ConstraintKind::StoppingDistance(limit) => *limit *= by,
            ConstraintKind::ApproachSpeed { decel_mps2, floor_mps } => {
                (*decel_mps2, *floor_mps) = (*decel_mps2 * by, *floor_mps * by);
            }
            ConstraintKind::MaxForce(_) | ConstraintKind::JointLimits(_) | ConstraintKind::CommandRate { .. } => {}
        }
    }
    let state = &mut scene.state;
    let pose = &mut state.pose.known_mut().value;
    pose.position_m = pose.position_m.map(|at| at * by);
    state.speeds.velocity.known_mut().value *= by;
    state.set_points.iter_mut().for_each(|last| last.linear_mps = last.linear_mps.map(|part| part * by));
    match &mut command.motion {
        Motion::PoseGoal { position_m, speed_mps, .. } | Motion::Escape { position_m, speed_mps } => {
            *position_m = position_m.map(|at| at * by);
            speed_mps.iter_mut().for_each(|speed| *speed *= by);
        }
        Motion::Path { points_m, speed_mps } => {
            points_m.iter_mut().for_each(|point| *point = point.map(|at| at * by));
            speed_mps.iter_mut().for_each(|speed| *speed *= by);
        }
        Motion::Velocity { linear_mps, .. } => *linear_mps = linear_mps.map(|part| part * by),
        Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => {}
    }
    (scene, command)
}

proptest! {
    #![proptest_config(tried(128))]

    #[test]
    fn prop_01_prop_06_what_is_allowed_holds_at_every_sampled_place((scene, command) in case()) {
        if overall(&scene, &command) == Overall::Allow {
            prop_assert!(oracle_allows(&scene, &command));
        }
    }

    #[test]
    fn prop_02_adding_or_tightening_never_allows((scene, command) in case(), added in kind(), by in 0.0..0.4f64) {
        if overall(&scene, &command) != Overall::Allow {
            prop_assert_ne!(overall(&scene.clone().with(added), &command), Overall::Allow);
            let mut tighter = scene;
            for constraint in &mut tighter.constraints {
                constraint.kind = tightened(&constraint.kind, by);
            }
            prop_assert_ne!(overall(&tighter, &command), Overall::Allow);
        }
    }

    #[test]
    fn prop_03_the_order_of_constraints_is_irrelevant((scene, command) in case()) {
        let mut reversed = scene.clone();
        reversed.constraints.reverse();
        prop_assert_eq!(json(&scene.judge(command.clone())), json(&reversed.judge(command)));
    }

    #[test]
    fn prop_04_turning_and_moving_the_scene_keeps_the_verdict(
        (scene, command) in case(),
        turn in prop::array::uniform3(-3.0..3.0f64),
        shift in point(),
    ) {
        check_moved(&scene, &command, turn, shift)?;
    }

    #[test]
    fn prop_04_other_units_of_length_keep_the_verdict((scene, command) in case(), by in 0.2..5.0f64) {
        check_scaled(&scene, &command, by)?;
    }

    #[test]
    fn prop_05_a_number_that_is_not_finite_never_allows(
        (mut scene, mut command) in case(),
        places in prop::collection::vec((0..12usize, not_finite()), 1..4),
    ) {
        for (which, number) in places {
            poison(which, number, &mut scene, &mut command);
        }
        prop_assert_ne!(overall(&scene, &command), Overall::Allow);
    }

    #[test]
    fn prop_07_judge_and_explain_agree((scene, command) in case()) {
        let items = explain(&scene.limits(), &scene.state, &command, NOW);
        let verdict = scene.judge(command);
        let violations = items.iter().filter(|item| item.is_violated()).count();
        prop_assert_eq!(violations, verdict.violations_total as usize);
        prop_assert_eq!(violations == 0, verdict.overall == Overall::Allow);
        let items: Vec<_> = items.iter().map(|item| serde_json::to_value(item).unwrap()).collect();
        for item in &verdict.items {
            prop_assert!(items.contains(&serde_json::to_value(item).unwrap()), "{:?} is not explained", item);
        }
    }

    #[test]
    fn prop_12_a_replay_gives_the_same_verdict((scene, command) in case()) {
        prop_assert_eq!(json(&scene.judge(command.clone())), json(&scene.judge(command)));
    }

    #[test]
    fn a_suggested_point_is_allowed_by_the_limit_that_suggests_it((scene, command) in case()) {
        for item in &scene.judge(command).items {
            let Some(point) = item.nearest_allowed_m else { continue };
            let standing = scene.clone().at(point).state(|state| state.speeds.velocity = Fresh::at(0.0, NOW));
            let stay = standing.command(with_force(0.0, goal(point, 0.0)));
            let again = explain(&standing.limits(), &standing.state, &stay, NOW);
            let same = again.iter().find(|other| other.constraint == item.constraint).unwrap();
            prop_assert!(!same.is_violated(), "{:?}", same);
        }
    }
}
