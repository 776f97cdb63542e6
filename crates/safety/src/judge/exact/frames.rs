//! Frames that are turned against each other, and zones in a grid, against exact arithmetic.

use std::sync::LazyLock;

use robot::Isometry;

use super::*;
use crate::{Fresh, Limits, judge};

/// A scene with a frame `cell` on the robot's own, and how exactly it lies there.
fn turned(axis: [f64; 3], angle_rad: f64, translation_m: [f64; 3]) -> (Scene, Isometry) {
    let axis = DVec3::from_array(axis).normalize() * (angle_rad / 2.0).sin();
    let xyzw = [axis.x, axis.y, axis.z, (angle_rad / 2.0).cos()];
    let map = "{ parent = \"map\", child = \"base_link\"";
    let cell = format!(
        "{{ parent = \"base_link\", child = \"cell\", translation_m = {translation_m:?}, rotation_xyzw = {xyzw:?} }},\n  {map}"
    );
    let manifest = manifest_with(&[(map, &cell)]);
    let frame = &manifest.frames[0];
    let isometry = Isometry { translation_m: frame.translation_m, rotation: frame.rotation_xyzw };
    (scene().of(manifest), isometry)
}

/// A point of the cell in the robot's frame: q p q* / |q|^2, moved.
fn exactly(cell: &Isometry, point: [f64; 3]) -> Exact {
    let [x, y, z, w] = cell.rotation.xyzw().map(exact);
    let length = &x * &x + &y * &y + &z * &z + &w * &w;
    let axis = [x, y, z];
    let p = point.map(exact);
    let cross = |a: &Exact, b: &Exact| -> Exact {
        std::array::from_fn(|i| &a[(i + 1) % 3] * &b[(i + 2) % 3] - &a[(i + 2) % 3] * &b[(i + 1) % 3])
    };
    let (around, along) = (cross(&axis, &p), dot(&axis, &p));
    let scale = &w * &w - dot(&axis, &axis);
    std::array::from_fn(|i| {
        let turned = &scale * &p[i] + exact(2.0) * &along * &axis[i] + exact(2.0) * &w * &around[i];
        turned / &length + exact(cell.translation_m[i])
    })
}

/// The same rounded.
fn rounded(cell: &Isometry, point: [f64; 3]) -> [f64; 3] {
    let turned = cell.rotation.rotate(point);
    std::array::from_fn(|axis| turned[axis] + cell.translation_m[axis])
}

/// More zones than are gone through one by one, far apart.
static FIELD: LazyLock<(Scene, Limits)> = LazyLock::new(|| {
    let steps = || (-3..=3).map(|step| f64::from(step) * 2.0);
    let centers = steps().flat_map(|x| steps().flat_map(move |y| steps().map(move |z| [x + 0.1, y - 0.2, z + 0.3])));
    let field = centers.fold(scene(), |scene, center| scene.with(zone(center, ZONE_M)));
    let limits = field.limits();
    (field, limits)
});
const ZONE_M: f64 = 0.4;

proptest! {
    #![proptest_config(tried(128))]

    #[test]
    fn g11_g16_no_goal_of_a_turned_frame_that_exactly_leaves_a_workspace_is_allowed(
        axis in prop::array::uniform3(0.1..1.0f64), angle_rad in -3.0..3.0f64, moved_m in point(), goal_m in point(),
        off in border(),
    ) {
        let (scene, cell) = turned(axis, angle_rad, moved_m);
        let exact_goal = exactly(&cell, goal_m);
        let face = rounded(&cell, goal_m)[0] + off;
        let kind = ConstraintKind::Workspace { x: [face - 8.0, face], y: [-8.0, 8.0], z: [-8.0, 8.0] };
        let scene = scene.only(&[kind]).at([face - 1.0, 0.0, 0.0]);
        check_command(&scene, in_frame("cell", goal(goal_m, 0.0)), exact_goal[0] > exact(face));
    }

    #[test]
    fn g11_g16_no_way_from_a_pose_of_a_turned_frame_that_is_exactly_outside_is_allowed(
        axis in prop::array::uniform3(0.1..1.0f64), angle_rad in -3.0..3.0f64, moved_m in point(), start in point(),
        off in border(),
    ) {
        let (scene, cell) = turned(axis, angle_rad, moved_m);
        let exact_start = exactly(&cell, start);
        let [x, y, z] = rounded(&cell, start);
        let face = x + off;
        let kind = ConstraintKind::Workspace { x: [face - 8.0, face], y: [-8.0, 8.0], z: [-8.0, 8.0] };
        let scene = scene.only(&[kind]).state(|state| state.pose = Fresh::at(pose("cell", start), NOW));
        // The command and its limit are in one frame, and the pose alone is rounded.
        check_command(&scene, goal([face - 0.5, y, z], 0.0), exact_start[0] > exact(face));
    }

    #[test]
    fn g11_g16_no_step_from_a_pose_of_a_turned_frame_that_is_exactly_too_long_is_allowed(
        axis in prop::array::uniform3(0.1..1.0f64), angle_rad in -3.0..3.0f64, moved_m in point(), start in point(),
        goal_m in point(), off in border(),
    ) {
        let (scene, cell) = turned(axis, angle_rad, moved_m);
        let exact_start = exactly(&cell, start);
        let way = minus(&goal_m.map(exact), &exact_start);
        let limit = (DVec3::from_array(goal_m) - DVec3::from_array(rounded(&cell, start))).length() + off;
        prop_assume!(limit > 0.0);
        let scene = scene.with(ConstraintKind::GoalJump(limit));
        let scene = scene.state(|state| state.pose = Fresh::at(pose("cell", start), NOW));
        check_command(&scene, goal(goal_m, 0.0), dot(&way, &way) > exact(limit) * exact(limit));
    }

    #[test]
    fn g10_g16_no_way_that_exactly_touches_one_of_many_zones_is_allowed(
        which in prop::array::uniform3(-2..=2_i32), towards in prop::array::uniform3(-1.0..1.0f64), way in point(),
        spans in prop::array::uniform2(0.01..0.5f64), off in border(),
    ) {
        let (field, limits) = &*FIELD;
        let center = [0.1, -0.2, 0.3];
        let center: [f64; 3] = std::array::from_fn(|axis| f64::from(which[axis]) * 2.0 + center[axis]);
        let towards = DVec3::from_array(towards);
        prop_assume!(towards.length() > 0.1);
        let towards = towards.normalize();
        let way = DVec3::from_array(way).reject_from_normalized(towards);
        prop_assume!(way.length() > 0.01);
        let touched = DVec3::from_array(center) + towards * (ZONE_M + off);
        let (start, goal_m) = ((touched - way * spans[0]).to_array(), (touched + way * spans[1]).to_array());
        let violated = distance_squared(start, goal_m, center) <= exact(ZONE_M) * exact(ZONE_M);
        let mut state = field.state.clone();
        state.pose = Fresh::at(pose("base_link", start), NOW);
        let overall = judge(limits, &state, field.command(goal(goal_m, 0.0)), NOW).overall;
        prop_assert!(!violated || overall != Overall::Allow, "{start:?} to {goal_m:?} was allowed");
    }
}
