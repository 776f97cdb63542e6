use proptest::prelude::*;

use super::*;

fn outside(center: DVec3, radius: f64) -> Region {
    Region::Outside { center, radius }
}

#[test]
fn not_a_number_is_never_clear() {
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    let bounds = Aabb::new([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]);
    for region in [outside(DVec3::X, 0.5), Region::Within(bounds), Region::OutsideBox { bounds, radius: 0.1 }] {
        for points in [[[0.0, f64::NAN, 0.0], [0.0; 3]], [[0.0; 3], [0.0, 0.0, f64::NAN]]] {
            let track = Track { start: DVec3::ZERO, points: &points, pieces: Pieces::Straight };
            assert!(!region.holds(track.worst(region, |point| point).clearance), "{region:?} {points:?}");
        }
        assert!(!region.holds(region.clearance(nan)));
    }
}

#[test]
fn a_piece_whose_length_overflows_is_never_clear() {
    let track = Track { start: DVec3::ZERO, points: &[[1e200, 0.0, 0.0]], pieces: Pieces::Straight };
    let bounds = Aabb::new([0.9e100, 1.1e100], [-1.0, 1.0], [-1.0, 1.0]);
    for region in [outside(DVec3::new(1e100, 0.0, 0.0), 0.5), Region::OutsideBox { bounds, radius: 0.1 }] {
        assert!(!region.holds(track.worst(region, |point| point).clearance));
    }
}

#[test]
fn the_distance_to_a_box_is_negative_inside_and_straight_to_edges_and_corners() {
    let bounds = Aabb::new([0.0, 2.0], [0.0, 4.0], [0.0, 6.0]);
    for (point, expected) in [
        ([1.0, 2.0, 3.0], -1.0),
        ([0.25, 2.0, 3.0], -0.25),
        ([2.0, 1.0, 1.0], 0.0),
        ([5.0, 2.0, 3.0], 3.0),
        ([5.0, 8.0, 3.0], 5.0),
        ([-1.0, -2.0, -2.0], 3.0),
    ] {
        assert_eq!(bounds.distance(DVec3::from_array(point)), expected, "{point:?}");
    }
}

#[test]
fn a_box_has_its_eight_corners() {
    let bounds = Aabb::new([0.0, 1.0], [2.0, 3.0], [4.0, 5.0]);
    for corner in [[0.0, 2.0, 4.0], [1.0, 2.0, 4.0], [0.0, 3.0, 4.0], [1.0, 3.0, 4.0]] {
        let [x, y, z] = corner;
        assert!(bounds.corners().contains(&DVec3::new(x, y, z)), "{corner:?}");
        assert!(bounds.corners().contains(&DVec3::new(x, y, z + 1.0)), "{corner:?}");
    }
}

#[test]
fn what_is_forbidden_is_closed_and_what_is_allowed_too() {
    let bounds = Aabb::new([0.0, 1.0], [0.0, 1.0], [0.0, 1.0]);
    let forbidden = [outside(DVec3::X, 0.5), Region::OutsideBox { bounds, radius: 0.1 }];
    forbidden.into_iter().for_each(|region| assert!(!region.holds(0.0) && region.holds(f64::MIN_POSITIVE)));
    assert!(Region::Within(bounds).holds(0.0) && !Region::Within(bounds).holds(-f64::MIN_POSITIVE));
}

#[test]
fn the_way_out_of_a_box_from_its_surface_leads_through_that_face() {
    let bounds = Aabb::new([0.0, 2.0], [0.0, 2.0], [0.0, 2.0]);
    for (point, way) in [([2.0, 1.0, 1.0], [1.0, 0.0, 0.0]), ([1.0, 0.0, 1.0], [0.0, -1.0, 0.0])] {
        assert_eq!(bounds.outwards(DVec3::from_array(point)), DVec3::from_array(way), "{point:?}");
    }
}

#[test]
fn g6_the_distance_to_a_box_grows_with_the_face_that_decides_it() {
    let bounds = Aabb::new([1.0, 3.0], [1.0, 5.0], [1.0, 5.0]);
    let (x, y) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let back = x.map(|part| -part);
    let (beside, corner, edge) = ([4.0, 3.0, 3.0], [4.0, 7.0, 3.0], [3.0, 5.0, 3.0]);
    let (near_low, near_high) = ([1.5, 3.0, 3.0], [2.5, 3.0, 3.0]);
    for (point, way, grows) in [
        (beside, x, true),
        (beside, back, false),
        (beside, y, false),
        (corner, x, true),
        (corner, y, true),
        (corner, back, false),
        (edge, x, true),
        (edge, y, true),
        (edge, back, false),
        (near_low, back, true),
        (near_low, x, false),
        (near_low, y, false),
        (near_high, x, true),
        (near_high, back, false),
        (near_high, y, false),
    ] {
        let found = bounds.grows(DVec3::from_array(point), DVec3::from_array(way));
        assert_eq!(found, grows, "from {point:?} by {way:?}");
    }
}

proptest! {
    #[test]
    fn no_point_between_is_closer_than_the_closest(
        from in prop::array::uniform3(-5.0..5.0f64),
        to in prop::array::uniform3(-5.0..5.0f64),
        center in prop::array::uniform3(-5.0..5.0f64),
        share in 0.0..=1.0f64,
    ) {
        let [from, to, center] = [from, to, center].map(DVec3::from_array);
        let closest = closest_between(from, to, center).distance(center);
        prop_assert!(closest <= from.lerp(to, share).distance(center) + 1e-12);
    }

    #[test]
    fn no_point_between_is_deeper_than_the_deepest(
        from in prop::array::uniform3(-5.0..5.0f64),
        to in prop::array::uniform3(-5.0..5.0f64),
        corner in prop::array::uniform3(-3.0..3.0f64),
        size in prop::array::uniform3(0.01..4.0f64),
        share in 0.0..=1.0f64,
    ) {
        let [from, to, min] = [from, to, corner].map(DVec3::from_array);
        let bounds = Aabb { min, max: min + DVec3::from_array(size) };
        let deepest = bounds.distance(deepest_between(from, to, bounds));
        prop_assert!(deepest <= bounds.distance(from.lerp(to, share)) + 1e-12);
    }

    #[test]
    fn nothing_is_violated_before_the_first_violation(
        to in prop::array::uniform3(-5.0..5.0f64),
        center in prop::array::uniform3(-5.0..5.0f64),
        share in 0.0..0.999f64,
    ) {
        let region = outside(DVec3::from_array(center), 1.0);
        let track = Track { start: DVec3::ZERO, points: &[to], pieces: Pieces::Straight };
        if let Some(at) = track.first_violation(region, |point| point) {
            let before = DVec3::from_array(to).normalize_or_zero() * (at * share);
            prop_assert!(at == 0.0 || region.clearance(before) > -1e-9);
        }
    }
}
