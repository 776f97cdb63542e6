use proptest::prelude::*;

use super::*;

fn outside(center: DVec3, radius: f64) -> Region {
    Region::Outside { center, radius }
}

#[test]
fn not_a_number_is_never_clear() {
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    for region in [outside(DVec3::X, 0.5), Region::Within(Aabb::new([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]))] {
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
    let region = outside(DVec3::new(1e100, 0.0, 0.0), 0.5);
    assert!(!region.holds(track.worst(region, |point| point).clearance));
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
