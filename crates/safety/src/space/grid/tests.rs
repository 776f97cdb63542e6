//! A judgement with the grid is the judgement without it.

use proptest::prelude::*;

use super::*;
use crate::fixtures::*;
use crate::{ConstraintKind, Fresh, Overall, RobotState, explain, judge};
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
    let bound = |count| {
        site(count, 1, 0.1).limits().bound(&actuator("arm")).is_some_and(crate::constraint::bound::Bound::has_grid)
    };
    assert_eq!((bound(255), bound(256)), (false, true));
}

#[test]
fn g10_an_explanation_names_each_of_many_places() {
    let scene = site(300, 7, 0.1);
    let (limits, command) = (scene.limits(), scene.command(goal([1.0, 0.0, 0.0], 0.1)));
    let items = explain(&limits, &scene.state, &command, NOW);
    for constraint in limits.constraints() {
        assert!(items.iter().any(|item| item.constraint.as_ref() == Some(&constraint.id)), "{}", constraint.id);
    }
}

#[test]
fn a_segment_counts_what_it_violates_and_the_nearest_of_each_kind_that_it_does_not() {
    let far = (0..300).fold(scene(), |scene, i| scene.with(zone([8.0, 8.0, f64::from(i % 17) - 8.0], 0.1)));
    let scene = far.with(zone([0.5, 0.0, 0.0], 0.1)).with(keep_out([0.6, 0.0, 0.0], [0.7, 0.1, 0.1]));
    let boxed = scene.with(keep_out([5.0, 5.0, 5.0], [6.0, 6.0, 6.0]));
    for limits in [boxed.limits(), boxed.limits().without_grid()] {
        assert_eq!(limits.sweep_segment(&actuator("arm"), [0.0; 3], [1.0, 0.0, 0.0], 0.0), 4);
    }
    let limits = boxed.limits();
    let has_grid = |limits: &Limits| limits.bound(&actuator("arm")).unwrap().has_grid();
    assert!(has_grid(&limits) && !has_grid(&limits.without_grid()));
}

#[test]
fn g10_a_grid_has_cells_as_near_to_cubes_as_halving_makes_them() {
    for (edges_m, cells, expected) in [
        ([2.0, 2.0, 2.0], 1, [1, 1, 1]),
        ([2.0, 2.0, 2.0], 64, [4, 4, 4]),
        ([8.0, 2.0, 2.0], 32, [8, 2, 2]),
        ([8.0, 2.0, 2.0], 33, [16, 2, 2]),
    ] {
        let [x, y, z] = edges_m.map(|edge_m: f64| [1.0, 1.0 + edge_m]);
        assert_eq!(sides(Aabb::new(x, y, z), cells), USizeVec3::from_array(expected), "{edges_m:?} {cells}");
    }
}

/// The zones, by their places in the list, that a grid of them finds on a way.
fn swept(zones: &[([f64; 3], f64)], start: [f64; 3], end: [f64; 3], pieces: Pieces, ball_m: f64) -> Vec<u32> {
    let limits = scene_with_body().limits();
    let home = limits.frames.default_index();
    let place = |(constraint, (center, radius)): (u32, &([f64; 3], f64))| {
        let region = Region::Outside { center: DVec3::from_array(*center), radius: *radius };
        Place { region, frame: home, constraint }
    };
    let grid = Places::new(&limits, (0..).zip(zones).map(place).collect());
    let points = [end];
    let track = Track { start: DVec3::from_array(start), points: &points, pieces };
    let mut found = Vec::new();
    let reach = Reach { ball_m, stopping_m: 0.05 };
    grid.sweep(&limits.frames, &track, Frame::from(home), reach, &mut |constraint| found.push(constraint));
    found
}

#[test]
fn g10_of_places_that_are_clear_the_nearest_is_named_and_of_equals_the_first() {
    let straight = |zones: &[([f64; 3], f64)], start, end| swept(zones, start, end, Pieces::Straight, 0.1);
    let (left, right, far) = (([-4.0, 1.0, 0.0], 0.25), ([4.0, 1.0, 0.0], 0.25), ([4.0, 1.0625, 0.0], 0.25));
    let (from, to, outside) = ([-4.0, 0.0, 0.0], [4.0, 0.0, 0.0], [-11.0, 0.0, 0.0]);
    // From the left the right one is met last; from outside of the grid all are looked at in their order.
    for start in [from, outside] {
        assert_eq!(straight(&[right, left], start, to), [0], "{start:?}");
        assert_eq!(straight(&[left, right], start, to), [0], "{start:?}");
        assert_eq!(straight(&[far, left], start, to), [1], "{start:?}");
        assert_eq!(straight(&[left, far], start, to), [0], "{start:?}");
    }
    let corner = [10.0; 3];
    assert_eq!(straight(&[left, ([9.9; 3], 0.25)], corner, corner), [1, 0], "the end of the grid is in it");
}

#[test]
fn g10_a_start_counts_where_nobody_knows_the_way_from_it() {
    let mut zones = vec![([-9.0, -9.0, -9.0], 0.2)];
    zones.extend((0..300).map(|i| ([8.0, 8.0, f64::from(i % 60) * 0.1], 0.01)));
    let found = swept(&zones, [-9.0, -9.0, -9.0], [8.0, 7.5, 3.0], Pieces::Unknown, 0.0);
    assert_eq!(found[0], 0);
}

/// The grid of `count` strewn places, the work of short ways through it, and their number.
fn work(count: u32, is_box: bool) -> (usize, usize, usize) {
    let (scene, mut dice) = (scene_with_body(), Dice(9));
    let limits = scene.limits();
    let home = limits.frames.default_index();
    let places: Vec<Place> = (0..count)
        .map(|constraint| {
            let center = DVec3::new(dice.within(9.5), dice.within(9.5), dice.within(9.5));
            let bounds = Aabb { min: center - 0.05, max: center + 0.05 };
            let region = if is_box {
                Region::OutsideBox { bounds, radius: 0.05 }
            } else {
                Region::Outside { center, radius: 0.1 }
            };
            Place { region, frame: home, constraint }
        })
        .collect();
    let grid = Places::new(&limits, places);
    let (mut through, mut measured, ways) = (0, 0, 200);
    for _ in 0..ways {
        let start = DVec3::new(dice.within(8.0), dice.within(8.0), dice.within(8.0));
        let points = [start.to_array().map(|part| part + dice.within(0.5))];
        let track = Track { start, points: &points, pieces: Pieces::Straight };
        let reach = Reach { ball_m: 0.0, stopping_m: 0.05 };
        let (mut named, frame) = (Vec::new(), Frame::from(home));
        let mut sweep = Sweep {
            places: &grid,
            frames: &limits.frames,
            track: &track,
            frame,
            reach,
            seen: Seen::default(),
            nearest: None,
            found: &mut |place| named.push(place),
        };
        through += usize::from(sweep.walk());
        measured += sweep.seen.0.iter().map(|word| word.count_ones() as usize).sum::<usize>();
    }
    (through, measured, ways)
}

#[test]
fn g10_a_short_way_through_a_thousand_places_looks_at_few_of_them() {
    for is_box in [false, true] {
        let (through, measured, ways) = work(1_000, is_box);
        assert_eq!(through, ways, "the lists were long enough");
        assert!(measured <= 2 * ways, "{measured} places were measured for {ways} ways");
    }
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

#[test]
fn g10_where_places_overlap_beyond_what_lists_may_hold_there_are_none_and_every_place_is_measured() {
    let limits = scene_with_body().limits();
    let home = limits.frames.default_index();
    let region = Region::Outside { center: DVec3::ZERO, radius: 8.0 };
    let laid_out =
        |count| Places::new(&limits, (0..count).map(|constraint| Place { region, frame: home, constraint }).collect());
    assert!(!laid_out(300).listed.is_empty());
    let many = laid_out(2_500);
    assert_eq!(many.listed.len(), 0);
    let track = Track { start: DVec3::ZERO, points: &[[1.0, 0.0, 0.0]], pieces: Pieces::Straight };
    let mut found = 0;
    many.sweep(&limits.frames, &track, home.into(), Reach { ball_m: 0.0, stopping_m: 0.0 }, &mut |_| found += 1);
    assert_eq!(found, 2_500);
}
