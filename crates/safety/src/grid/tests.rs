//! A judgement with the grid is the judgement without it.

use proptest::prelude::*;

use crate::fixtures::*;
use crate::{ConstraintKind, Fresh, Limits, Overall, RobotState, judge};
use robot::Command;

/// A site of 20 m with `count` places, evenly strewn by a seed.
fn site(count: u32, seed: u64, size: f64) -> Scene {
    let mut dice = Dice(seed);
    let mut scene = scene_with_body();
    for i in 0..count {
        let at = [dice.within(9.9), dice.within(9.9), dice.within(9.9)];
        let radius = size * (0.1 + dice.unit());
        let kind = if i % 3 == 0 {
            keep_out(at.map(|low| low - radius), at.map(|high| high + radius))
        } else {
            zone(at, radius)
        };
        scene = if i % 7 == 0 { scene.with_in("site", kind) } else { scene.with(kind) };
    }
    scene
}

/// A sequence of numbers that a seed repeats; SplitMix64.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, most: f64) -> f64 {
        (2.0 * self.unit() - 1.0) * most
    }
}

fn same(grid: &Limits, brute: &Limits, state: &RobotState, command: &Command) -> Overall {
    let (with, without) = (judge(grid, state, command.clone(), NOW), judge(brute, state, command.clone(), NOW));
    let start = state.pose.last_known().map_or([f64::NAN; 3], |pose| pose.value.position_m);
    let swept = |limits: &Limits| limits.sweep_segment(&command.actuator, start, start.map(|part| part / 2.0), 0.2);
    assert_eq!(swept(grid), swept(brute));
    assert_eq!(serde_json::to_value(&with).unwrap(), serde_json::to_value(&without).unwrap());
    with.overall
}

/// Judges `commands` with and without the grid; returns how many were allowed.
fn check(scene: &Scene, commands: u32, reach_m: f64, seed: u64) -> u32 {
    let (grid, brute) = (scene.limits(), scene.limits().without_grid());
    let mut dice = Dice(seed);
    let mut allowed = 0;
    for i in 0..commands {
        let start = [dice.within(9.0), dice.within(9.0), dice.within(9.0)];
        let goal_m = start.map(|part| (part + dice.within(reach_m)).clamp(-10.5, 10.5));
        let speed = if i % 5 == 0 { 20.0 * dice.unit() } else { 0.3 * dice.unit() };
        let scene = Scene { constraints: Vec::new(), ..scene.clone() }.at(start);
        let raw = match i % 4 {
            0 => path(&[goal_m, start.map(|part| -part), goal_m], speed),
            1 => velocity([speed, -speed, 0.1], [0.0; 3]),
            2 => in_frame("site", goal(goal_m, speed)),
            _ => goal(goal_m, speed),
        };
        allowed += u32::from(same(&grid, &brute, &scene.state, &scene.command(raw)) == Overall::Allow);
    }
    allowed
}

#[test]
fn g10_the_grid_judges_as_brute_force_does() {
    for (count, size, reach_m) in [(256, 0.3, 2.0), (1_000, 0.1, 3.0), (300, 0.01, 20.0)] {
        let allowed = check(&site(count, 11, size), 60, reach_m, 5);
        assert!((3..57).contains(&allowed), "{count} places: {allowed} allowed, so little was compared");
    }
}

#[test]
fn g10_what_is_not_finite_or_outside_is_judged_as_brute_force_does() {
    let scene = site(400, 3, 0.1);
    let (grid, brute) = (scene.limits(), scene.limits().without_grid());
    let command = scene.command(goal([1.0, 0.0, 0.0], 0.1));
    for change in [
        |state: &mut RobotState| state.pose.known_mut().value.position_m = [f64::NAN; 3],
        |state: &mut RobotState| state.pose.known_mut().value.position_m = [11.0, 0.0, 0.0],
        |state: &mut RobotState| state.pose.known_mut().value.position_m = [1e300, 0.0, 0.0],
        |state: &mut RobotState| state.speeds.velocity = Fresh::at(f64::NAN, NOW),
        |state: &mut RobotState| state.speeds.velocity = Fresh::at(1e200, NOW),
    ] {
        let state = scene.clone().state(change).state;
        assert_eq!(same(&grid, &brute, &state, &command), Overall::Deny);
    }
}

#[test]
fn the_grid_begins_at_256_places() {
    let bound = |count| site(count, 1, 0.1).limits().bound(&actuator("arm")).is_some_and(crate::bound::Bound::has_grid);
    assert_eq!((bound(255), bound(256)), (false, true));
}

proptest! {
    #![proptest_config(tried(4))]

    #[test]
    fn g10_any_set_is_judged_as_brute_force_does(
        count in 256..600u32, seed in any::<u64>(), size in 0.005..1.0f64, reach_m in 0.0..20.0f64,
        near in any::<bool>(),
    ) {
        let mut scene = site(count, seed, size);
        if near {
            scene = scene.with(ConstraintKind::ApproachSpeed { decel_mps2: 0.5, floor_mps: 0.05 });
        }
        check(&scene, 20, reach_m, seed);
    }
}
