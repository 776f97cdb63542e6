//! The kernel against exact arithmetic, within a nanometre of a border: it may deny more, never less.

mod frames;
mod rates;

use glam::DVec3;
use num_rational::BigRational;
use proptest::prelude::*;
use serde_json::Value;

use crate::fixtures::*;
use crate::{ConstraintKind, Overall};

/// Distance from a border within which the commands end, metres.
const BORDER_M: f64 = 1e-9;

type Exact = [BigRational; 3];

fn exact(number: f64) -> BigRational {
    BigRational::from_float(number).unwrap()
}

fn zero() -> BigRational {
    exact(0.0)
}

fn minus(a: &Exact, b: &Exact) -> Exact {
    std::array::from_fn(|axis| &a[axis] - &b[axis])
}

fn dot(a: &Exact, b: &Exact) -> BigRational {
    (0..3).fold(zero(), |sum, axis| sum + &a[axis] * &b[axis])
}

/// The square of the least distance of a straight way to a point.
fn distance_squared(from: [f64; 3], to: [f64; 3], center: [f64; 3]) -> BigRational {
    let (from, to, center) = (from.map(exact), to.map(exact), center.map(exact));
    let way = minus(&to, &from);
    let length_squared = dot(&way, &way);
    let share = if length_squared == zero() { zero() } else { dot(&minus(&center, &from), &way) / length_squared };
    let share = share.clamp(zero(), exact(1.0));
    let nearest: Exact = std::array::from_fn(|axis| &from[axis] + &way[axis] * &share);
    let apart = minus(&center, &nearest);
    dot(&apart, &apart)
}

/// True if a straight way touches a closed box, by the spans in which it is between the faces of each axis.
fn touches(from: [f64; 3], to: [f64; 3], min: [f64; 3], max: [f64; 3]) -> bool {
    let (mut enters, mut leaves) = (zero(), exact(1.0));
    for axis in 0..3 {
        let (start, way) = (exact(from[axis]), exact(to[axis]) - exact(from[axis]));
        let (low, high) = (exact(min[axis]) - &start, exact(max[axis]) - &start);
        if way == zero() {
            if low > zero() || high < zero() {
                return false;
            }
            continue;
        }
        let (first, last) = (low / &way, high / &way);
        let (first, last) = if first <= last { (first, last) } else { (last, first) };
        enters = enters.max(first);
        leaves = leaves.min(last);
    }
    enters <= leaves
}

/// Fails if exact arithmetic finds `kind` violated and the kernel does not.
fn check(scene: Scene, kind: ConstraintKind, start: [f64; 3], goal_m: [f64; 3], violated: bool) {
    let scene = scene.with(kind).at(start);
    let overall = scene.judge(scene.command(goal(goal_m, 0.0))).overall;
    assert!(!violated || overall != Overall::Allow, "{scene:?} to {goal_m:?} was allowed");
}

/// Body, error and margin, as the manifest has them.
fn inflation(scene: &Scene) -> BigRational {
    let parts = &scene.manifest.body;
    exact(parts.bounding_radius_m) + exact(parts.localisation_error_m) + exact(parts.margin_m)
}

/// Metres beside a border: none, as little as rounding makes, or up to a nanometre.
fn border() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), -1e-15..1e-15f64, -BORDER_M..BORDER_M]
}

/// Fails if exact arithmetic finds a limit violated that the kernel holds the command by.
fn check_command(scene: &Scene, command: Value, violated: bool) {
    let overall = scene.judge(scene.command(command.clone())).overall;
    assert!(!violated || overall != Overall::Allow, "{scene:?}: {command} was allowed");
}

/// The square of the least distance of a straight way to a box. Between the times at which the way crosses a face's plane
/// it is one parabola.
fn box_distance_squared(from: &Exact, to: &Exact, min: &Exact, max: &Exact) -> BigRational {
    let way = minus(to, from);
    let faces = (0..3).flat_map(|axis| [(axis, &min[axis]), (axis, &max[axis])]);
    let crossed = faces.filter(|(axis, _)| way[*axis] != zero()).map(|(axis, face)| (face - &from[axis]) / &way[axis]);
    let mut times: Vec<BigRational> = crossed.map(|time| time.clamp(zero(), exact(1.0))).collect();
    times.extend([zero(), exact(1.0)]);
    times.sort();
    let at = |time: &BigRational| -> Exact { std::array::from_fn(|axis| &from[axis] + &way[axis] * time) };
    let least = times.windows(2).map(|span| {
        let middle = at(&((&span[0] + &span[1]) / exact(2.0)));
        let outside = |axis: usize| middle[axis] < min[axis] || middle[axis] > max[axis];
        let face = |axis: usize| if middle[axis] < min[axis] { &min[axis] } else { &max[axis] };
        let beyond: Vec<usize> = (0..3).filter(|axis| outside(*axis)).collect();
        let turn = beyond.iter().fold(zero(), |sum, axis| sum + &way[*axis] * &way[*axis]);
        let slope = beyond.iter().fold(zero(), |sum, axis| sum + (face(*axis) - &from[*axis]) * &way[*axis]);
        let time =
            if turn == zero() { span[0].clone() } else { (slope / turn).clamp(span[0].clone(), span[1].clone()) };
        let point = at(&time);
        beyond.iter().fold(zero(), |sum, axis| sum + (&point[*axis] - face(*axis)) * (&point[*axis] - face(*axis)))
    });
    least.min().unwrap()
}

fn point() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-2.0..2.0f64)
}

proptest! {
    #![proptest_config(tried(128))]

    #[test]
    fn g16_no_way_that_exactly_touches_a_zone_is_allowed(
        start in point(), goal_m in point(), center in point(), off in border(), body in any::<bool>(),
    ) {
        let scene = if body { scene_with_body() } else { scene() };
        let parts = &scene.manifest.body;
        let (way, apart) = (DVec3::from_array(goal_m) - DVec3::from_array(start), DVec3::from_array(center) - DVec3::from_array(start));
        let share = (apart.dot(way) / way.length_squared()).clamp(0.0, 1.0);
        let radius = (apart - way * share).length() - parts.inflation_m() + off;
        prop_assume!(radius > 0.0);
        let keep = exact(radius) + inflation(&scene);
        let violated = distance_squared(start, goal_m, center) <= &keep * &keep;
        check(scene, zone(center, radius), start, goal_m, violated);
    }

    #[test]
    fn g16_no_way_that_exactly_touches_a_box_is_allowed(
        start in point(), goal_m in point(), share in 0.0..1.0f64, axis in 0..3usize,
        size in prop::array::uniform3(0.01..1.0f64), off in border(),
    ) {
        let on_way: [f64; 3] = std::array::from_fn(|i| start[i] + share * (goal_m[i] - start[i]));
        let mut min: [f64; 3] = std::array::from_fn(|i| on_way[i] - size[i] / 2.0);
        min[axis] = on_way[axis] + off;
        let max: [f64; 3] = std::array::from_fn(|i| min[i] + size[i]);
        check(scene(), keep_out(min, max), start, goal_m, touches(start, goal_m, min, max));
    }

    #[test]
    fn g16_no_way_that_exactly_brings_a_body_to_a_box_is_allowed(
        on_way in point(), towards in prop::array::uniform3(0.1..1.0f64), way in point(),
        spans in prop::array::uniform2(0.01..1.0f64), size in prop::array::uniform3(0.01..1.0f64), off in border(),
    ) {
        let scene = scene_with_body();
        // Of a box whose corner is in that direction from a way at right angles to it the corner is nearest.
        let towards = DVec3::from_array(towards).normalize();
        let way = DVec3::from_array(way).reject_from_normalized(towards);
        prop_assume!(way.length() > 0.01);
        let on_way = DVec3::from_array(on_way);
        let min = (on_way + towards * (scene.manifest.body.inflation_m() + off)).to_array();
        let max: [f64; 3] = std::array::from_fn(|axis| min[axis] + size[axis]);
        let (start, goal_m) = ((on_way - way * spans[0]).to_array(), (on_way + way * spans[1]).to_array());
        let keep = inflation(&scene);
        let distance = box_distance_squared(&start.map(exact), &goal_m.map(exact), &min.map(exact), &max.map(exact));
        check(scene, keep_out(min, max), start, goal_m, distance <= &keep * &keep);
    }

    #[test]
    fn g16_no_way_that_exactly_leaves_a_workspace_is_allowed(
        goal_m in point(), axis in 0..3usize, upper in any::<bool>(), off in border(), body in any::<bool>(),
    ) {
        let scene = if body { scene_with_body() } else { scene() };
        let inflation_m = scene.manifest.body.inflation_m();
        let mut spans = [[-3.0, 3.0]; 3];
        spans[axis][usize::from(upper)] = goal_m[axis] + off + if upper { inflation_m } else { -inflation_m };
        let [low, high] = spans[axis];
        prop_assume!(high - low > 2.0 * inflation_m);
        let kind = ConstraintKind::Workspace { x: spans[0], y: spans[1], z: spans[2] };
        let mut start = [0.0; 3];
        start[axis] = (low + high) / 2.0;
        let inflation = inflation(&scene);
        let violated = exact(goal_m[axis]) < exact(low) + &inflation || exact(goal_m[axis]) > exact(high) - &inflation;
        check(scene, kind, start, goal_m, violated);
    }

    #[test]
    fn g16_no_step_that_is_exactly_too_long_is_allowed(
        start in point(), goal_m in point(), off in border(),
    ) {
        let way = minus(&goal_m.map(exact), &start.map(exact));
        let limit = (DVec3::from_array(goal_m) - DVec3::from_array(start)).length() + off;
        prop_assume!(limit > 0.0);
        let violated = dot(&way, &way) > exact(limit) * exact(limit);
        check(scene(), ConstraintKind::GoalJump(limit), start, goal_m, violated);
    }

    #[test]
    fn g16_no_speed_that_is_exactly_too_fast_to_stop_is_allowed(speed_mps in 0.01..1.0f64, off in border()) {
        let scene = scene();
        let stop = &scene.manifest.stop;
        let (reaction, decel) = (exact(stop.reaction_s), exact(stop.decel_mps2));
        let rounded = speed_mps * stop.reaction_s + speed_mps * speed_mps / (2.0 * stop.decel_mps2);
        let limit = rounded + off;
        prop_assume!(limit > 0.0);
        let needed = exact(speed_mps) * reaction + exact(speed_mps) * exact(speed_mps) / (exact(2.0) * decel);
        let scene = scene.with(ConstraintKind::StoppingDistance(limit));
        let overall = scene.judge(scene.command(goal([0.1, 0.0, 0.0], speed_mps))).overall;
        prop_assert!(needed <= exact(limit) || overall != Overall::Allow, "{speed_mps} m/s with {limit} m");
    }
}
